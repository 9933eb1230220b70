//! The start of a game: words before the moves.
//!
//! | section | meaning |
//! |---|---|
//! | none | the initial position |
//! | a number below 960, in Chess960 | that start position |
//! | the number of the next move; whose turn it is, and castling rights in the upper byte; the file of a pawn that passed two squares, from 1; pieces | that position |
//! | 1000, then the same, in Chess960 | that position |

use tabiya_chess::{Bitboard, Color, File, Position, Rank, Role, Setup, Square, Variant, chess960};

use super::{
    frame::tag,
    words::{self, Meaning, meaning},
};
use crate::moves::{ErrorKind, SetupFault};

/// Says that a position follows, where a number of Chess960 could stand.
const POSITION: u16 = 1000;

/// Words before the pieces.
const HEAD: usize = 3;

/// What a start section says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The position, as it is written down.
    pub setup: Setup,
    /// By which rules.
    pub variant: Variant,
    /// The same with the two fields exchanged that some programs confuse: the rights to castle,
    /// and the file of a pawn that passed two squares.
    pub swapped: Option<Setup>,
}

impl Start {
    /// The position, if moves can be generated from it.
    ///
    /// # Errors
    /// If not.
    pub fn position(&self) -> Result<Position, ErrorKind> {
        position(&self.setup, self.variant)
    }
}

fn position(setup: &Setup, variant: Variant) -> Result<Position, ErrorKind> {
    Position::from_setup(setup, variant).map_err(|error| ErrorKind::BadSetup(error.into()))
}

/// Reads the words of a start section, those between its mark and that of the moves.
///
/// # Errors
/// If it is none.
pub fn read(section: &[u16], tag: u16) -> Result<Start, ErrorKind> {
    let variant = match tag {
        tag::CHESS960 => Variant::Chess960,
        _ => Variant::Standard,
    };
    let section = match (section, variant) {
        ([number], Variant::Chess960) => {
            let unknown = ErrorKind::BadSetup(SetupFault::Chess960(*number));
            let setup = chess960::setup(*number, *number).ok_or(unknown)?;
            return Ok(Start {
                setup,
                variant,
                swapped: None,
            });
        }
        ([POSITION, rest @ ..], Variant::Chess960) => rest,
        (section, _) => section,
    };
    let [number, turn, passed, pieces @ ..] = section else {
        return Err(ErrorKind::TruncatedGame {
            expected: HEAD * 2,
            found: section.len() * 2,
        });
    };
    let mut setup = Setup {
        turn: match turn & 0xff {
            0 => Color::White,
            _ => Color::Black,
        },
        fullmove_number: u32::from(*number).max(1),
        ..Setup::EMPTY
    };
    for word in pieces {
        match meaning(*word) {
            Meaning::Piece(square, piece) if setup.board.piece_at(square).is_none() => {
                setup.board.put(square, piece);
            }
            _ => return Err(ErrorKind::BadSetup(SetupFault::Word(*word))),
        }
    }
    let plain = setup;
    let (rights, passed) = (turn >> 8, *passed);
    allow(&mut setup, rights, passed, variant);
    let mut swapped = plain;
    let all = allow(&mut swapped, passed, rights, variant);
    let swapped = Some(swapped).filter(|swapped| all && *swapped != setup);
    Ok(Start {
        setup,
        variant,
        swapped,
    })
}

/// Gives a set-up the rights to castle that are possible, and the pawn that passed two squares.
/// Says whether all of that is possible.
fn allow(setup: &mut Setup, rights: u16, passed: u16, variant: Variant) -> bool {
    let mut possible = rights < 16;
    for color in Color::ALL {
        for (right, h_side) in [(0, false), (1, true)] {
            if rights >> (2 * color as usize + right) & 1 == 1 {
                match rook_of(setup, color, h_side, variant) {
                    Some(rook) => setup.castling_rooks |= Bitboard::from(rook),
                    None => possible = false,
                }
            }
        }
    }
    let file = passed.checked_sub(1).filter(|file| *file < 8);
    let file = file.map(|file| File::from_index(file as u8));
    setup.ep_square = file.map(|file| Square::new(file, setup.turn.rank(Rank::Sixth)));
    if passed > 0 {
        let sound = setup.ep_square.is_some_and(|square| {
            let ahead = Square::new(square.file(), setup.turn.rank(Rank::Fifth));
            setup.board.of(!setup.turn, Role::Pawn).contains(ahead)
        });
        possible &= sound;
    }
    possible
}

/// The rook that a right to castle is about: in its corner, or in Chess960 the outermost one.
fn rook_of(setup: &Setup, color: Color, h_side: bool, variant: Variant) -> Option<Square> {
    let king = setup.board.king(color)?;
    let home = color.back_rank();
    let rooks = setup.board.of(color, Role::Rook);
    if variant != Variant::Chess960 {
        let file = if h_side { File::H } else { File::A };
        let rook = Square::new(file, home);
        return (king == Square::new(File::E, home) && rooks.contains(rook)).then_some(rook);
    }
    let beyond = rooks
        .into_iter()
        .filter(|rook| king.rank() == home && rook.rank() == home && (*rook > king) == h_side);
    match h_side {
        true => beyond.max(),
        false => beyond.min(),
    }
}

/// How a start is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The tag of the record.
    pub tag: u16,
    /// The words, without the mark before them.
    pub words: Vec<u16>,
    /// The number of the start in Chess960, which castling names.
    pub number: Option<u16>,
}

/// The section of a start; empty if it is the initial position.
///
/// # Errors
/// What there is no word for.
pub fn write(start: &Position) -> Result<Section, &'static str> {
    let chess960 = match start.variant() {
        Variant::Standard => false,
        Variant::Chess960 => true,
        Variant::Antichess => return Err("the rules of antichess"),
    };
    let setup = Setup {
        halfmove_clock: 0,
        ..start.to_setup()
    };
    // By whatever rules, the initial position is that of ordinary chess.
    if setup == Setup::INITIAL {
        return Ok(Section {
            tag: tag::CHESS,
            words: Vec::new(),
            number: None,
        });
    }
    if !chess960 {
        return write_setup(&setup, tag::CHESS);
    }
    match chess960::number(&setup) {
        Some(number) => Ok(Section {
            tag: tag::CHESS960,
            words: vec![number],
            number: Some(number),
        }),
        None => write_setup(&setup, tag::CHESS960),
    }
}

/// The section of a start from which no moves can be played.
///
/// # Errors
/// What there is no word for.
pub fn write_unplayable(setup: &Setup) -> Result<Section, &'static str> {
    let has_king = |color| setup.board.of(color, Role::King).count() == 1;
    let tag = match Color::ALL.into_iter().all(has_king) {
        true => tag::CHESS,
        false => tag::NO_KINGS,
    };
    write_setup(setup, tag)
}

/// A position, piece by piece.
fn write_setup(setup: &Setup, tag: u16) -> Result<Section, &'static str> {
    let mut words = Vec::new();
    let mut variant = Variant::Standard;
    if tag == tag::CHESS960 {
        variant = Variant::Chess960;
        words.push(POSITION);
    }
    let mut rights = 0;
    let mut castling = setup.castling_rooks;
    for color in Color::ALL {
        for (right, h_side) in [(0, false), (1, true)] {
            let rook = rook_of(setup, color, h_side, variant);
            if let Some(rook) = rook.filter(|rook| castling.contains(*rook)) {
                rights |= 1 << (2 * color as usize + right);
                castling ^= Bitboard::from(rook);
            }
        }
    }
    if castling.any() {
        return Err("castling with a rook that is not the outermost one");
    }
    let number = u16::try_from(setup.fullmove_number).unwrap_or(u16::MAX);
    let passed = setup.ep_square.map_or(0, |ep| ep.file() as u16 + 1);
    words.extend([number, setup.turn as u16 | rights << 8, passed]);
    let mut pieces: Vec<(Square, u16)> = Vec::new();
    for (square, piece) in setup.board.iter() {
        let word = words::of_piece(square, piece).ok_or("a pawn on the first or last rank")?;
        pieces.push((square, word));
    }
    pieces.sort_by_key(|(square, _)| crate::moves::number_of(*square));
    words.extend(pieces.into_iter().map(|(_, word)| word));
    Ok(Section {
        tag,
        words,
        number: None,
    })
}
