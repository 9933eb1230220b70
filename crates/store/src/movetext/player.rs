//! Main lines, played on a mailbox.

use std::ops::ControlFlow;

use tabiya_chess::{Move, Position, Setup, Variant, mailbox::Mailbox};
use tabiya_formats::jose::{Replay, is_continuous};

use super::Movetext;

/// Games with more plies are rare enough to be told one by one.
pub(crate) const MOST_PLIES: u32 = 1_000;

/// Plays games from their bytes, the quickest way through many of them.
///
/// ```
/// use std::ops::ControlFlow;
/// use tabiya_store::movetext::{Movetext, Player};
///
/// // 1. e4 (1. d4 !) d5 *
/// let game = Movetext::parse(&[0x13, 0xf0, 0x0f, 0xb1, 0xf1, 0x0f, 0xd3, 0xff])?.expect("a game");
/// let mut plies = 0;
/// let played = Player::new().play(game, |ply, _, _| {
///     plies = ply;
///     ControlFlow::Continue(())
/// });
/// assert_eq!((played, plies), (Some(()), 2));
/// # Ok::<(), tabiya_formats::jose::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    usual: Mailbox,
    replay: Replay,
}

impl Default for Player {
    fn default() -> Player {
        let usual = Mailbox::from_setup(&Setup::INITIAL).expect("the usual start is a position");
        Player {
            replay: Replay::new(&usual),
            usual,
        }
    }
}

impl Player {
    /// A player, who serves for any number of games.
    #[must_use]
    pub fn new() -> Player {
        Player::default()
    }

    /// Shows every position of the main line with its ply, and the move that led to it: none for
    /// the start and behind null moves. `None` if the game is not plain: other rules, moves that
    /// do not follow from each other, more than so many plies, bytes that are no moves. What was shown
    /// then means nothing, and [`Movetext::for_each_position`] shows what there is.
    ///
    /// Moves are taken on trust.
    #[inline]
    pub fn play(
        &self,
        game: Movetext<'_>,
        mut show: impl FnMut(u32, &Mailbox, Option<Move>) -> ControlFlow<()>,
    ) -> Option<()> {
        self.at_start(game, |start, replay| {
            if show(0, start, None).is_break() {
                return Some(());
            }
            let mut ply = 0;
            let played = replay.run_plain(game.moves, |board, play| {
                ply += 1;
                match ply <= MOST_PLIES {
                    true => show(ply, board, play),
                    false => ControlFlow::Break(()),
                }
            });
            (played.is_ok() && ply <= MOST_PLIES).then_some(())
        })
    }

    /// The same without the moves, which is quicker, and for games of any length.
    #[inline]
    pub fn play_boards(
        &self,
        game: Movetext<'_>,
        show: impl FnMut(u32, &Mailbox) -> ControlFlow<()>,
    ) -> Option<()> {
        self.play_known(game, is_continuous(game.moves), show)
    }

    /// The same for who knows whether the moves follow from each other.
    #[inline]
    pub(super) fn play_known(
        &self,
        game: Movetext<'_>,
        is_continuous: bool,
        mut show: impl FnMut(u32, &Mailbox) -> ControlFlow<()>,
    ) -> Option<()> {
        // What `run` would tolerate is not there.
        if !is_continuous {
            return self.play(game, |ply, board, _| show(ply, board));
        }
        self.at_start(game, |start, replay| {
            if show(0, start).is_break() {
                return Some(());
            }
            let mut ply = 0;
            let played = replay.run(game.moves, |board, _| {
                ply += 1;
                show(ply, board)
            });
            played.is_ok().then_some(())
        })
    }

    /// Hands on the start of a game, if a board can have it.
    #[inline]
    fn at_start(
        &self,
        game: Movetext<'_>,
        run: impl FnOnce(&Mailbox, &Replay) -> Option<()>,
    ) -> Option<()> {
        match game.start {
            _ if game.variant == Variant::Antichess => None,
            None => run(&self.usual, &self.replay),
            Some(_) => {
                let start = mailbox(game)?;
                run(&start, &Replay::new(&start))
            }
        }
    }
}

/// The start of a game, if both kinds of boards agree on it.
fn mailbox(game: Movetext<'_>) -> Option<Mailbox> {
    let position = game.position().ok()?;
    let board = Mailbox::from_setup(&position.to_setup()).ok()?;
    let agrees = board.castling_rooks() == position.castling_rooks()
        && board.to_setup().ep_square == position.ep_square();
    agrees.then_some(board)
}

/// The position on a board.
pub(super) fn position(board: &Mailbox) -> Option<Position> {
    // What castling means is the same in both variants.
    Position::from_setup(&board.to_setup(), Variant::Chess960).ok()
}
