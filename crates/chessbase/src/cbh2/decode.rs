//! Words to moves.
//!
//! The order is that of the classic format: the main line whole, then the variations from the last
//! to the first. So a game becomes a [`StoredGame`], which tells itself.

use tabiya_chess::{Move, Position, Variant};

use super::{
    frame::tag,
    setup::{self, Start},
    words::{self, Meaning, Stroke, Table, meaning},
};
use crate::moves::{
    Error, ErrorKind, MAX_OPEN, Nodes, Play, Scope, Step, Steps, StoredGame, castling_rook,
    usual_castling,
};

/// A content of a `.2cbg` file, its start read.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    content: &'a [u8],
    tag: u16,
    /// The words of the start section, if there is one.
    section: Option<Vec<u16>>,
    /// Where the moves begin, in bytes.
    moves: usize,
}

impl<'a> Words<'a> {
    /// Looks for the start of a content.
    ///
    /// # Errors
    /// If it has none, or is of a kind that is not known.
    pub fn new(tag: u16, content: &'a [u8]) -> Result<Words<'a>, Error> {
        if !matches!(tag, tag::CHESS | tag::CHESS960 | tag::NO_KINGS) {
            return Err(ErrorKind::UnknownTag { tag }.at(0));
        }
        let truncated = |expected, found| ErrorKind::TruncatedGame { expected, found };
        let mut at = 0;
        let mut next = || {
            let word = word_at(content, at).ok_or(truncated(at + 2, content.len()).at(at))?;
            at += 2;
            Ok(word)
        };
        let mut section = None;
        let mut word = next()?;
        if word == words::START {
            let mut words = Vec::new();
            loop {
                word = next()?;
                match word {
                    words::MOVES => break,
                    // No position has more pieces than squares.
                    _ if words.len() > 80 => return Err(ErrorKind::BadMoveWord { word }.at(at - 2)),
                    word => words.push(word),
                }
            }
            section = Some(words);
        }
        match word {
            words::MOVES => Ok(Words {
                content,
                tag,
                section,
                moves: at,
            }),
            word => Err(ErrorKind::BadMoveWord { word }.at(at - 2)),
        }
    }

    /// What the start section says; `None` for the initial position.
    ///
    /// # Errors
    /// If it says nothing that could be.
    pub fn start(&self) -> Result<Option<Start>, Error> {
        let section = self.section.as_ref();
        let read = section.map(|section| setup::read(section, self.tag));
        read.transpose().map_err(|kind| kind.at(2))
    }

    /// The position before the first move.
    ///
    /// # Errors
    /// If there is none from which moves can be generated.
    pub fn position(&self) -> Result<Position, Error> {
        let Some(start) = self.start()? else {
            let initial = Position::initial();
            return match self.tag {
                tag::CHESS960 => initial
                    .with_variant(Variant::Chess960)
                    .map_err(|error| ErrorKind::BadSetup(error.into()).at(0)),
                _ => Ok(initial),
            };
        };
        start.position().map_err(|kind| kind.at(2))
    }

    /// Where the moves begin, in bytes.
    #[must_use]
    pub fn moves_at(&self) -> usize {
        self.moves
    }

    /// The words of the start section, if there is one.
    #[must_use]
    pub fn section(&self) -> Option<&[u16]> {
        self.section.as_deref()
    }

    /// The words of the moves.
    pub fn iter(&self) -> impl Iterator<Item = u16> + 'a {
        let (pairs, _) = self.content[self.moves..].as_chunks::<2>();
        pairs.iter().map(|pair| u16::from_le_bytes(*pair))
    }

    /// How many plies the main line has. No board is needed to count them.
    #[must_use]
    pub fn main_plies(&self) -> usize {
        let main = self.iter().take_while(|word| *word != words::END);
        main.filter(|word| *word != words::SIBLING).count()
    }

    /// The numbers that moves have in stored order, from 1, in the order of events, by which
    /// annotations name them. Legal or not plays no part.
    #[must_use]
    pub fn order(&self) -> Vec<u32> {
        let mut nodes = Nodes::default();
        // The last move of the line, and the one before it.
        let (mut last, mut parent) = (0, 0);
        let mut open = Vec::new();
        for word in self.iter() {
            match word {
                words::END => match open.pop() {
                    Some(after) => last = after,
                    None => break,
                },
                words::SIBLING => open.push(parent),
                _ => {
                    parent = last;
                    last = nodes.add(last, Play::Null);
                }
            }
        }
        order(Steps::new(&nodes, true))
    }
}

/// The numbers in stored order of moves in the order of events.
pub(super) fn order(steps: Steps<'_>) -> Vec<u32> {
    let number = |step| match step {
        Step::Move { stored, .. } | Step::Null { stored } => Some(stored),
        _ => None,
    };
    steps.filter_map(number).collect()
}

fn word_at(content: &[u8], at: usize) -> Option<u16> {
    let pair = content.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*pair))
}

/// Why words cannot be played.
enum Stop {
    Error(ErrorKind),
    /// The game castles without the right to.
    MissingRight(Move),
}

impl From<ErrorKind> for Stop {
    fn from(kind: ErrorKind) -> Stop {
        Stop::Error(kind)
    }
}

/// A place in a game.
#[derive(Clone, Copy)]
struct Place {
    position: Position,
    node: u32,
    plies: u32,
}

/// How the start of a game that could be read is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// As ChessBase writes it.
    Usual,
    /// With castling rights and the file of a passed pawn exchanged, as some programs do.
    Swapped,
}

/// Reads the moves of a content; what was read before is forgotten.
///
/// # Errors
/// If it is damaged. The moves before the damage are there all the same.
pub(crate) fn read(
    game: &mut StoredGame,
    tag: u16,
    content: &[u8],
    scope: Scope,
) -> Result<Reading, Error> {
    game.begin(&Position::initial());
    let read = Words::new(tag, content).and_then(|words| {
        let start = words.position()?;
        game.begin(&start);
        let usual = |()| Reading::Usual;
        let read = read_moves(game, &words, scope);
        // Some programs exchange two fields of the start. If that can be, and the game is whole
        // by it, it was such a program.
        let swapped = words.start()?.and_then(|start| {
            let setup = start.swapped.filter(|_| read.is_err())?;
            Position::from_setup(&setup, start.variant).ok()
        });
        let Some(swapped) = swapped else {
            return read.map(usual);
        };
        game.begin(&swapped);
        if read_moves(game, &words, scope).is_ok() {
            return Ok(Reading::Swapped);
        }
        game.begin(&start);
        read_moves(game, &words, scope).map(usual)
    });
    read.inspect_err(|error| game.keep_error(*error, content))
}

/// Plays the words. If the game castles without a right that king and rook could have had at the
/// start, they get it, as in the classic format, and the game is read again.
fn read_moves(game: &mut StoredGame, words: &Words<'_>, scope: Scope) -> Result<(), Error> {
    loop {
        let mut place = Place {
            position: game.start,
            node: 0,
            plies: 0,
        };
        let mut at = words.moves;
        let kind = match play_words(game, words, scope, &mut place, &mut at) {
            Ok(()) => {
                game.trailing = words.content.len() - at;
                return Ok(());
            }
            Err(Stop::Error(kind)) => kind,
            Err(Stop::MissingRight(castling)) if game.grant(castling) => {
                game.restart();
                continue;
            }
            Err(Stop::MissingRight(castling)) => ErrorKind::IllegalMove {
                ply: place.plies + 1,
                play: castling,
            },
        };
        game.nodes.add(place.node, Play::Broken);
        return Err(kind.at(at));
    }
}

/// Plays words up to the end of the game; `at` is where the next one stands, or the one that
/// cannot be played.
fn play_words(
    game: &mut StoredGame,
    words: &Words<'_>,
    scope: Scope,
    place: &mut Place,
    at: &mut usize,
) -> Result<(), Stop> {
    let table = Table::get();
    let mut open: Vec<Place> = Vec::new();
    // The place before the last move, to which its siblings return: once for each move.
    let mut before: Option<Place> = None;
    loop {
        let Some(word) = word_at(words.content, *at) else {
            return Err(ErrorKind::TruncatedGame {
                expected: *at + 2,
                found: words.content.len(),
            }
            .into());
        };
        let play = match word {
            words::END => {
                *at += 2;
                before = None;
                match open.pop().filter(|_| scope == Scope::All) {
                    Some(kept) => *place = kept,
                    None => return Ok(()),
                }
                continue;
            }
            words::SIBLING => {
                let kept = before.take().ok_or(ErrorKind::BadMoveWord { word })?;
                if open.len() == MAX_OPEN {
                    return Err(ErrorKind::NestingTooDeep { limit: MAX_OPEN }.into());
                }
                *at += 2;
                open.push(kept);
                continue;
            }
            words::NULL if place.position.is_check() => {
                let ply = place.plies + 1;
                return Err(ErrorKind::NullInCheck { ply }.into());
            }
            words::NULL => {
                before = Some(*place);
                game.keep(&place.position);
                place.position.play_null();
                Play::Null
            }
            word => {
                before = Some(*place);
                game.keep(&place.position);
                Play::Move(play_word(table, word, place)?)
            }
        };
        *at += 2;
        place.node = game.nodes.add(place.node, play);
        place.plies += 1;
    }
}

#[inline(always)]
fn play_word(table: &Table, word: u16, place: &mut Place) -> Result<Move, Stop> {
    let Some(stroke) = table.stroke(word) else {
        return castle(word, place);
    };
    let (play, color) = (stroke.play(), stroke.color());
    let ply = place.plies + 1;
    if color != place.position.turn() {
        return Err(ErrorKind::WrongSide { ply, color, play }.into());
    }
    match place.position.play_piece(stroke.role(), play) {
        Some(captured) if captured == stroke.captured() => Ok(play),
        Some(_) => Err(ErrorKind::CaptureMismatch { ply, play }.into()),
        None => Err(refusal(stroke, place).into()),
    }
}

/// Why a move cannot be played.
#[cold]
fn refusal(stroke: Stroke, place: &Place) -> ErrorKind {
    let (play, color, role) = (stroke.play(), stroke.color(), stroke.role());
    let ply = place.plies + 1;
    match place.position.board().of(color, role).contains(play.from()) {
        true => ErrorKind::IllegalMove { ply, play },
        false => ErrorKind::NoPieceThere {
            ply,
            color,
            role,
            play,
        },
    }
}

#[cold]
fn castle(word: u16, place: &mut Place) -> Result<Move, Stop> {
    let Meaning::Castling { color, h_side, .. } = meaning(word) else {
        return Err(ErrorKind::BadMoveWord { word }.into());
    };
    let ply = place.plies + 1;
    let usual = usual_castling(color, h_side);
    let position = &mut place.position;
    if color != position.turn() {
        let play = usual;
        return Err(ErrorKind::WrongSide { ply, color, play }.into());
    }
    let king = position.board().king(color);
    let rook = castling_rook(position, color, h_side);
    let (Some(king), Some(rook)) = (king, rook) else {
        return Err(match position.variant() {
            Variant::Standard => Stop::MissingRight(usual),
            _ => ErrorKind::IllegalMove { ply, play: usual }.into(),
        });
    };
    let play = Move::new(king, rook);
    if !position.is_legal(play) {
        let (target, _) = Position::castling_targets(king, rook);
        let play = Move::new(king, target);
        return Err(ErrorKind::IllegalMove { ply, play }.into());
    }
    position.play_unchecked(play);
    Ok(play)
}
