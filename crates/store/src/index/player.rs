//! Stored games, played.

use std::{
    hash::{BuildHasher, Hasher},
    ops::ControlFlow,
};

use tabiya_chess::{Move, Position, Setup, Variant, mailbox::Mailbox};
use tabiya_formats::jose::Replay;

use crate::tell;

/// A game as it lies in the columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored<'a> {
    /// The start position, if it is not the usual one.
    pub start: Option<&'a str>,
    pub variant: Variant,
    pub bytes: &'a [u8],
}

/// Games with more plies are rare enough to be told one by one.
pub(super) const MOST_PLIES: u32 = 1_000;

/// Plays stored games from their bytes.
pub(super) struct Player {
    usual: Mailbox,
    replay: Replay,
}

impl Player {
    pub fn new() -> Player {
        let usual = Mailbox::from_setup(&Setup::INITIAL).expect("the usual start is a position");
        Player {
            replay: Replay::new(&usual),
            usual,
        }
    }

    /// Shows every position of the main line with its ply, and the move that led to it: none for
    /// the start and behind null moves. `None` if the game is not plain: other rules, moves that
    /// do not follow from each other, more than so many plies. What was shown then means nothing.
    pub fn play(
        &self,
        game: Stored<'_>,
        mut show: impl FnMut(u32, &Mailbox, Option<Move>) -> ControlFlow<()>,
    ) -> Option<()> {
        if game.variant == Variant::Antichess {
            return None;
        }
        let other;
        let (start, replay) = match game.start {
            None => (&self.usual, &self.replay),
            Some(_) => {
                let start = mailbox(game)?;
                other = (Replay::new(&start), start);
                (&other.1, &other.0)
            }
        };
        if show(0, start, None).is_break() {
            return Some(());
        }
        let mut ply = 0;
        let played = replay.run_plain(game.bytes, |board, play| {
            ply += 1;
            match ply <= MOST_PLIES {
                true => show(ply, board, play),
                false => ControlFlow::Break(()),
            }
        });
        (played.is_ok() && ply <= MOST_PLIES).then_some(())
    }
}

/// The start of a game, if both kinds of boards agree on it.
fn mailbox(game: Stored<'_>) -> Option<Mailbox> {
    let position = tell::position(game.start, game.variant)?;
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

/// Tells positions of one key apart: a number of what stands where, and who may castle, from a hash
/// that nobody can foresee. Turn and en passant are in the key, and all of it is compared too.
#[derive(Clone)]
pub(super) struct Checker(foldhash::quality::RandomState);

impl Checker {
    pub fn new() -> Checker {
        Checker(foldhash::quality::RandomState::default())
    }

    #[inline]
    pub fn check(&self, board: &Mailbox) -> u64 {
        let mut hasher = self.0.build_hasher();
        hasher.write(&board.to_cells()[20..100]);
        hasher.write_u64(board.castling_rooks().0);
        hasher.finish()
    }
}
