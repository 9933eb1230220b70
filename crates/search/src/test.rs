//! Questions that one position answers, with the move that led to it.

use tabiya_chess::{Bitboard, Board, Color, Move, Position, Role, Square, Status};
use tabiya_game::Span;

use crate::{Exact, Material, Pattern, Pawns, Pieces, similar, watch::Watch};

/// A place in a game: a position, how it came about, and what has happened on the way.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The position.
    pub position: &'a Position,
    /// The move that led to it, with the position in which it was played; `None` at the start and
    /// after a null move.
    pub last: Option<(&'a Position, Move)>,
    /// How many plies have been played.
    pub ply: u32,
    /// Who has castled.
    pub castled: Castled,
}

/// Which way a king goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    /// To the g-file.
    King,
    /// To the c-file.
    Queen,
}

/// What each side has done about castling so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Castled([Option<Wing>; 2]);

impl Castled {
    /// Which way a side has castled.
    #[must_use]
    pub fn of(self, color: Color) -> Option<Wing> {
        self.0[color as usize]
    }

    /// Follows a move.
    pub(crate) fn follow(&mut self, before: &Position, play: Move) {
        if before.is_castling(play) {
            self.0[before.turn() as usize] = Some(wing(play.from(), play.to()));
        }
    }
}

/// Which way a king goes who castles with a rook.
fn wing(king: Square, rook: Square) -> Wing {
    match rook.file() > king.file() {
        true => Wing::King,
        false => Wing::Queen,
    }
}

/// A question that a position answers.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Test {
    /// Exactly that position.
    Exact(Exact),
    /// A part of the board.
    Pattern(Pattern),
    /// What is left.
    Material(Material),
    /// How the pawns stand.
    Pawns(Pawns),
    /// No further than that from a position; see [`similar`].
    Similar(Box<Position>, u32),
    /// That side is to move.
    Turn(Color),
    /// The side to move is in check.
    Check,
    /// The side to move is mated.
    Mate,
    /// The side to move is stalemated.
    Stalemate,
    /// A side has castled, that way if one is said.
    Castled(Color, Option<Wing>),
    /// One of these has just moved; a promoted pawn is a pawn.
    Moved(Pieces),
    /// One of these has just been captured; with [`Pieces::EMPTY`], nothing.
    Captured(Pieces),
    /// A pawn has just become a knight, a bishop or a rook.
    Underpromotion,
    /// One of these moves has just been played, as SAN without check signs.
    Played(Vec<String>),
    /// So many plies have been played.
    Ply(Span<u32>),
    /// All of these hold.
    All(Vec<Test>),
    /// One of these holds.
    Any(Vec<Test>),
    /// This does not hold.
    Not(Box<Test>),
}

impl Test {
    /// Whether a moment answers with yes.
    #[must_use]
    pub fn holds(&self, moment: &Moment<'_>) -> bool {
        let board = moment.position.board();
        match self {
            Test::Exact(exact) => exact.fits(moment.position),
            Test::Pattern(pattern) => pattern.fits(board),
            Test::Material(material) => material.fits(board),
            Test::Pawns(pawns) => pawns.fits(board),
            Test::Similar(position, most) => similar::distance(position, moment.position) <= *most,
            Test::Turn(color) => moment.position.turn() == *color,
            Test::Check => moment.position.is_check(),
            // Asking for legal moves takes longer.
            Test::Mate => {
                moment.position.is_check() && moment.position.status() == Status::Checkmate
            }
            Test::Stalemate => {
                !moment.position.is_check() && moment.position.status() == Status::Stalemate
            }
            Test::Castled(color, None) => moment.castled.of(*color).is_some(),
            Test::Castled(color, wing) => moment.castled.of(*color) == *wing,
            Test::Moved(pieces) => moment.last.is_some_and(|(before, play)| {
                let piece = before.board().piece_at(play.from());
                piece.is_some_and(|piece| pieces.has(piece.color, piece.role))
            }),
            Test::Captured(pieces) => moment
                .last
                .is_some_and(|(before, play)| captures(before, play, *pieces)),
            Test::Underpromotion => moment
                .last
                .is_some_and(|(_, play)| play.promoted().is_some_and(|role| role != Role::Queen)),
            Test::Played(moves) => moment.last.is_some_and(|(before, play)| {
                let san = before.san_without_suffix(play);
                moves
                    .iter()
                    .any(|wanted| wanted.as_bytes() == san.as_bytes())
            }),
            Test::Ply(span) => span.contains(&moment.ply),
            Test::All(tests) => tests.iter().all(|test| test.holds(moment)),
            Test::Any(tests) => tests.iter().any(|test| test.holds(moment)),
            Test::Not(test) => !test.holds(moment),
        }
    }

    /// What is known from what stands where: whether it holds, if that says it.
    pub(crate) fn holds_on(&self, board: &Board) -> Option<bool> {
        match self {
            Test::Pattern(pattern) => Some(pattern.fits(board)),
            Test::Material(material) => Some(material.fits(board)),
            Test::Pawns(pawns) => Some(pawns.fits(board)),
            Test::All(tests) => all(tests.iter().map(|test| test.holds_on(board))),
            Test::Any(tests) => {
                let not = tests.iter().map(|test| Some(!test.holds_on(board)?));
                Some(!all(not)?)
            }
            Test::Not(test) => Some(!test.holds_on(board)?),
            _ => None,
        }
    }

    /// Which plies can make that `wanted` where it was not.
    pub(crate) fn watch(&self, watch: &mut Watch, wanted: bool) {
        match self {
            Test::Pattern(pattern) => pattern.watch(watch, wanted),
            Test::Material(material) => material.watch(watch),
            Test::Pawns(_) => {
                watch.gains(Pieces::of_role(Role::Pawn), Bitboard::FULL);
                watch.loses(Pieces::of_role(Role::Pawn));
            }
            Test::All(tests) | Test::Any(tests) => {
                tests.iter().for_each(|test| test.watch(watch, wanted));
            }
            Test::Not(test) => test.watch(watch, !wanted),
            _ => {}
        }
    }

    /// Whether it may still hold after a moment at which it did not. `true` where that is not
    /// known.
    #[must_use]
    pub fn is_ahead(&self, moment: &Moment<'_>) -> bool {
        match self {
            Test::Exact(exact) => exact.is_ahead(moment.position),
            Test::Ply(span) => span.most.is_none_or(|most| moment.ply < most),
            Test::All(tests) => tests.iter().all(|test| test.is_ahead(moment)),
            Test::Any(tests) => tests.iter().any(|test| test.is_ahead(moment)),
            _ => true,
        }
    }
}

/// Whether all hold: one that does not is enough to know.
fn all(holds: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for holds in holds {
        match holds {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}

fn captures(before: &Position, play: Move, pieces: Pieces) -> bool {
    if !before.is_capture(play) {
        return pieces.has_empty();
    }
    let taken = match before.is_en_passant(play) {
        true => Some(Role::Pawn),
        false => before.board().role_at(play.to()),
    };
    taken.is_some_and(|role| pieces.has(!before.turn(), role))
}
