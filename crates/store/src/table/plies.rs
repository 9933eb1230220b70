//! Which positions are wanted, and games replayed for them.

use std::ops::{ControlFlow, RangeInclusive};

use tabiya_chess::{Color, Move, Role, Square, Variant, mailbox::Mailbox};

use super::{
    men::Men,
    schema::{PlyColumn, positions},
};
use crate::movetext::{Movetext, Player};

/// Which rows of `positions` are wanted, and what of them.
///
/// ```
/// use tabiya_store::table::Plies;
///
/// let openings = Plies { plies: 1..=20, ..Plies::default() };
/// assert!(openings.keys.is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plies {
    /// Columns of [`positions`], by their numbers there.
    pub columns: Vec<usize>,
    /// Only positions of these keys, if there are some.
    pub keys: Option<Vec<i64>>,
    /// Only these plies of games.
    pub plies: RangeInclusive<i32>,
}

/// All of them.
impl Default for Plies {
    fn default() -> Plies {
        Plies {
            columns: (0..positions().fields().len()).collect(),
            keys: None,
            plies: 1..=i32::MAX,
        }
    }
}

impl Plies {
    /// Whether a position is wanted.
    #[inline]
    pub(super) fn has(&self, key: u64, ply: u32) -> bool {
        let ply = i32::try_from(ply).unwrap_or(i32::MAX);
        self.plies.contains(&ply)
            && (self.keys.as_ref()).is_none_or(|keys| keys.contains(&key.cast_signed()))
    }

    pub(super) fn wants(&self, column: PlyColumn) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|index| PlyColumn::ALL.get(*index) == Some(&column))
    }

    /// Whether boards and moves tell all that is wanted.
    fn is_on_boards(&self) -> bool {
        let others = [
            PlyColumn::San,
            PlyColumn::Clock,
            PlyColumn::Evaluation,
            PlyColumn::Mate,
        ];
        !others.into_iter().any(|column| self.wants(column))
    }
}

/// A ply of a game that is replayed: of the position before it only what is wanted.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub key: u64,
    pub number: u32,
    pub side: Color,
    pub men: Men,
    pub uci: UciText,
}

/// A move in UCI notation.
#[derive(Clone, Copy, Default)]
pub(super) struct UciText {
    text: [u8; 5],
    len: u8,
}

impl UciText {
    /// A move, and the board behind it; none is a null move.
    fn new(play: Option<Move>, after: &Mailbox, variant: Variant) -> UciText {
        let Some(play) = play else {
            return UciText {
                text: *b"0000\0",
                len: 4,
            };
        };
        let (from, mut to) = (play.from(), play.to());
        // Castling is told by the squares of king and rook, and nothing stands there afterwards.
        let is_classical = variant != Variant::Chess960 && from.file() as u8 == 4;
        if is_classical && after.piece_at(to.into()).is_none() {
            let king = if to.index() > from.index() { 6 } else { 2 };
            to = Square::from_index((from.index() & !7 | king) as u8);
        }
        let [file, rank] = ascii(from);
        let [to_file, to_rank] = ascii(to);
        let promoted = play.promoted().map(Role::letter);
        UciText {
            text: [
                file,
                rank,
                to_file,
                to_rank,
                promoted.map_or(0, |letter| letter.to_ascii_lowercase() as u8),
            ],
            len: 4 + u8::from(promoted.is_some()),
        }
    }

    pub fn as_str(&self) -> &str {
        let text = &self.text[..self.len.into()];
        std::str::from_utf8(text).expect("squares are ASCII")
    }
}

fn ascii(square: Square) -> [u8; 2] {
    let index = square.index() as u8;
    [b'a' + (index & 7), b'1' + (index >> 3)]
}

/// Replays a game for its plies that are wanted. `None` if that does not tell all of it: then it has
/// to be told.
pub(super) fn replay(
    player: &Player,
    game: Movetext<'_>,
    wanted: &Plies,
    steps: &mut Vec<Step>,
) -> Option<()> {
    steps.clear();
    if !wanted.is_on_boards() {
        return None;
    }
    let wants_key = wanted.keys.is_some() || wanted.wants(PlyColumn::Key);
    let (wants_uci, wants_men) = (
        wanted.wants(PlyColumn::Uci),
        wanted.wants(PlyColumn::Material),
    );
    let last = *wanted.plies.end();
    let mut waiting: Option<Step> = None;
    player.play(game, |ply, board, play| {
        if let Some(mut step) = waiting.take()
            && wanted.has(step.key, ply)
        {
            if wants_uci {
                step.uci = UciText::new(play, board, game.variant);
            }
            steps.push(step);
        }
        if i64::from(ply) >= i64::from(last) {
            return ControlFlow::Break(());
        }
        waiting = Some(Step {
            key: if wants_key { board.exact_key().0 } else { 0 },
            number: ply + 1,
            side: board.turn(),
            men: match wants_men {
                true => Men::of_mailbox(board),
                false => Men::default(),
            },
            uci: UciText::default(),
        });
        ControlFlow::Continue(())
    })
}

/// The main line of a game in UCI notation, a space between two moves; `None` as of [`replay`].
pub(super) fn main_line(player: &Player, game: Movetext<'_>, line: &mut String) -> Option<()> {
    line.clear();
    player.play(game, |ply, board, play| {
        if ply > 0 {
            if ply > 1 {
                line.push(' ');
            }
            line.push_str(UciText::new(play, board, game.variant).as_str());
        }
        ControlFlow::Continue(())
    })
}
