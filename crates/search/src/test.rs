//! Questions that one position answers, with the move that led to it.

use tabiya_chess::{
    Bitboard, Board, Color, Extra, Move, Position, Role, Square, Status, Step, attacks,
};
use tabiya_game::Span;

use crate::{Exact, Material, Pattern, Pawns, Pieces, played, similar, watch::Watch};

/// What is seen of a place in a game: a whole position, or only what stands where.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    board: &'a Board,
    turn: Color,
    last: Last<'a>,
    position: Option<&'a Position>,
}

/// How a place came about.
#[derive(Clone, Copy, Debug)]
enum Last<'a> {
    /// It is the start, or was passed to.
    Nothing,
    Step(&'a Step),
    Move(&'a Position, Move),
}

impl<'a> Scene<'a> {
    /// A position, and the move that led to it with the position in which it was played; `None` at the
    /// start and after a null move.
    #[inline]
    #[must_use]
    pub fn of_position(position: &'a Position, last: Option<(&'a Position, Move)>) -> Scene<'a> {
        Scene {
            board: position.board(),
            turn: position.turn(),
            last: last.map_or(Last::Nothing, |(before, play)| Last::Move(before, play)),
            position: Some(position),
        }
    }

    /// The board behind a step.
    #[inline]
    #[must_use]
    pub fn of_board(board: &'a Board, last: &'a Step) -> Scene<'a> {
        Scene {
            board,
            turn: !last.piece.color,
            last: Last::Step(last),
            position: None,
        }
    }

    pub(crate) fn board(&self) -> &'a Board {
        self.board
    }

    /// What has just changed.
    pub(crate) fn step(&self) -> Option<Step> {
        match self.last {
            Last::Nothing => None,
            Last::Step(step) => Some(*step),
            Last::Move(before, play) => before.step_of(play),
        }
    }

    fn is_check(&self) -> bool {
        if let Some(position) = self.position {
            return position.is_check();
        }
        let board = self.board;
        board.king(self.turn).is_some_and(|king| {
            (attacks::attackers(board, king, board.occupied()) & board.side(!self.turn)).any()
        })
    }

    /// Whether one of some moves has just been played, as SAN without check signs.
    fn is_played(&self, moves: &[String]) -> Option<bool> {
        match self.last {
            Last::Nothing => Some(false),
            Last::Step(step) => {
                let not = moves.iter().map(|san| Some(!played::is_played(san, step)?));
                Some(!all(not)?)
            }
            Last::Move(before, play) => {
                // Writing it down takes longer.
                let may_be = played::may_be_played(moves, before, play);
                Some(
                    may_be && {
                        let san = before.san_without_suffix(play);
                        moves
                            .iter()
                            .any(|wanted| wanted.as_bytes() == san.as_bytes())
                    },
                )
            }
        }
    }
}

/// A place in a game, and what has happened on the way.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// What is seen of it.
    pub scene: Scene<'a>,
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
    #[inline]
    pub(crate) fn follow(&mut self, scene: &Scene<'_>) {
        match scene.last {
            Last::Move(before, play) if before.is_castling(play) => {
                self.0[before.turn() as usize] = Some(wing(play.from(), play.to()));
            }
            Last::Step(step) => {
                if let Extra::Castling(rook, _) = step.extra {
                    self.0[step.piece.color as usize] = Some(wing(step.from, rook));
                }
            }
            _ => {}
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
    /// Whether a moment answers with yes, as far as is shown of it.
    #[must_use]
    pub fn holds(&self, moment: &Moment<'_>) -> bool {
        self.known(moment) == Some(true)
    }

    /// Whether a moment answers with yes; `None` if what is shown of it does not tell.
    pub(crate) fn known(&self, moment: &Moment<'_>) -> Option<bool> {
        let scene = &moment.scene;
        let Scene { board, turn, .. } = *scene;
        Some(match self {
            Test::Exact(exact) => return exact.known(board, turn, scene.position),
            Test::Pattern(pattern) => pattern.fits(board),
            Test::Material(material) => material.fits(board),
            Test::Pawns(pawns) => pawns.fits(board),
            Test::Similar(wanted, most) => similar::distance_to(wanted, board, turn) <= *most,
            Test::Turn(color) => turn == *color,
            Test::Check => scene.is_check(),
            // Asking for legal moves takes longer.
            Test::Mate => scene.is_check() && scene.position?.status() == Status::Checkmate,
            Test::Stalemate => !scene.is_check() && scene.position?.status() == Status::Stalemate,
            Test::Castled(color, None) => moment.castled.of(*color).is_some(),
            Test::Castled(color, wing) => moment.castled.of(*color) == *wing,
            Test::Moved(pieces) => {
                let piece = scene.step().map(|step| step.piece);
                piece.is_some_and(|piece| pieces.has(piece.color, piece.role))
            }
            Test::Captured(pieces) => scene.step().is_some_and(|step| match step.taken {
                Some(role) => pieces.has(!step.piece.color, role),
                None => pieces.has_empty(),
            }),
            Test::Underpromotion => scene.step().is_some_and(
                |step| matches!(step.extra, Extra::Promotion(role) if role != Role::Queen),
            ),
            Test::Played(moves) => return scene.is_played(moves),
            Test::Ply(span) => span.contains(&moment.ply),
            Test::All(tests) => return all(tests.iter().map(|test| test.known(moment))),
            Test::Any(tests) => {
                let not = tests.iter().map(|test| Some(!test.known(moment)?));
                !all(not)?
            }
            Test::Not(test) => !test.known(moment)?,
        })
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
            // The piece that has moved last stands where it belongs.
            Test::Exact(exact) if wanted => {
                for (square, piece) in exact.position().board().iter() {
                    watch.gains(Pieces::piece(piece.color, piece.role), square.into());
                }
            }
            Test::Moved(pieces) if wanted => watch.gains(*pieces, Bitboard::FULL),
            Test::Captured(pieces) if wanted && !pieces.has_empty() => watch.loses(*pieces),
            Test::Played(moves) if wanted => {
                for (role, to) in moves.iter().filter_map(|san| played::target(san)) {
                    watch.gains(Pieces::of_role(role), to.into());
                }
            }
            // Castling and promotions are always seen, and who has castled has for ever.
            Test::Castled(..) => {}
            Test::Underpromotion if wanted => {}
            Test::All(tests) | Test::Any(tests) => {
                tests.iter().for_each(|test| test.watch(watch, wanted));
            }
            Test::Not(test) => test.watch(watch, !wanted),
            _ => watch.gains(Pieces::ANY, Bitboard::FULL),
        }
    }

    /// For how many plies more it does not hold for sure after a moment at which it did not. Only
    /// what changes with every ply says so.
    pub(crate) fn rests(&self, moment: &Moment<'_>) -> u32 {
        match self {
            Test::Similar(wanted, most) => {
                let distance = similar::distance_to(wanted, moment.scene.board, moment.scene.turn);
                distance.saturating_sub(*most).saturating_sub(1) / similar::MOST_A_PLY
            }
            Test::Ply(span) => {
                let first = span.least.unwrap_or(0);
                first.saturating_sub(moment.ply).saturating_sub(1)
            }
            Test::All(tests) => {
                let rests = tests.iter().map(|test| test.rests(moment));
                rests.max().unwrap_or(0)
            }
            Test::Any(tests) => {
                let rests = tests.iter().map(|test| test.rests(moment));
                rests.min().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Whether it may still hold after a moment at which it did not. `true` where that is not
    /// known.
    pub(crate) fn is_ahead(&self, moment: &Moment<'_>) -> bool {
        match self {
            Test::Exact(exact) => exact.is_ahead(moment.scene.board),
            Test::Ply(span) => span.most.is_none_or(|most| moment.ply < most),
            Test::All(tests) => tests.iter().all(|test| test.is_ahead(moment)),
            Test::Any(tests) => tests.iter().any(|test| test.is_ahead(moment)),
            _ => true,
        }
    }

    /// Whether it may hold after a board, if nothing but moves follow, with `promotions` or without:
    /// what is gone comes back by promotion only.
    pub(crate) fn may_come(&self, board: &Board, promotions: bool) -> bool {
        match self {
            Test::Pattern(pattern) => pattern.may_come(board, promotions),
            Test::Material(material) => material.may_come(board, promotions),
            Test::Pawns(pawns) => pawns.may_come(board),
            Test::All(tests) => tests.iter().all(|test| test.may_come(board, promotions)),
            Test::Any(tests) => tests.iter().any(|test| test.may_come(board, promotions)),
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
