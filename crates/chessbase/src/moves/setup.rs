//! The stored start of a game: 28 bytes of position, and 8 more in Chess960.
//!
//! | byte | holds |
//! |---|---|
//! | 0 | 1 |
//! | 1 | bits 0–3 the en-passant file from 1, 0 none; bit 4 Black to move |
//! | 2 | castling: bit 0 White long, 1 White short, 2 Black long, 3 Black short |
//! | 3 | the number of the next move; 0 is 1 |
//! | 4–27 | the board as bits, the highest first: a1, a2, … h8; `0` empty, `1cppp` a piece |
//!
//! Chess960 adds where kings and rooks stood when the game began, which castling needs.

use tabiya_chess::{
    Bitboard, Board, Color, File, Move, Piece, Position, Rank, Role, Setup, Square, Variant,
    chess960,
};

use super::{
    codes::{number_of, square_of},
    error::{ErrorKind, SetupFault},
};

/// How long a stored position is.
pub const SETUP_LENGTH: usize = 28;

/// The pieces by their three bits; 0 and 7 are none.
const PIECES: [Option<Role>; 8] = [
    None,
    Some(Role::King),
    Some(Role::Queen),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Pawn),
    None,
];

/// The castling rights of Black.
const BLACK_MAY_CASTLE: u8 = 0b1100;

/// All castling rights.
pub(super) const ALL_MAY_CASTLE: u8 = 0b1111;

/// Where kings and rooks stood at the start of a Chess960 game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chess960Block {
    /// The kings of White and Black.
    pub kings: [Square; 2],
    /// The rooks on the h side of the kings.
    pub h_rooks: [Square; 2],
    /// The rooks on the a side of the kings.
    pub a_rooks: [Square; 2],
    /// The number of the start position as it is stored. Programs write it wrongly; the squares
    /// count.
    pub number: Option<u16>,
}

impl Chess960Block {
    /// The usual squares.
    const USUAL: Chess960Block = Chess960Block {
        kings: [Square::E1, Square::E8],
        h_rooks: [Square::H1, Square::H8],
        a_rooks: [Square::A1, Square::A8],
        number: Some(518),
    };

    /// Reads the block and tells how long it is: 8 bytes, or 4 as an old program wrote it, without
    /// Black's rooks and the number. In a block of 8, Black's rooks stand opposite White's, or the
    /// board has them where Black may castle with them; the moves that follow a block of 4 look
    /// different.
    pub(super) fn read(
        bytes: &[u8],
        board: &Board,
        castling: u8,
    ) -> Result<(Chess960Block, usize), ErrorKind> {
        let [white_king, black_king, white_h, white_a, ..] = *bytes else {
            return Err(ErrorKind::TruncatedGame {
                expected: 4,
                found: bytes.len(),
            });
        };
        let [white_h_rook, white_a_rook] = [white_h, white_a].map(square_of);
        let kings = [white_king, black_king].map(square_of);
        if let [_, _, _, _, black_h, black_a, high, low, ..] = *bytes {
            let block = Chess960Block {
                kings,
                h_rooks: [white_h_rook, square_of(black_h)],
                a_rooks: [white_a_rook, square_of(black_a)],
                number: Some(u16::from_be_bytes([high, low])),
            };
            let on_board = [white_h, white_a, black_h, black_a].iter().all(|n| *n < 64);
            if on_board && (block.is_symmetric() || block.fits(board, castling)) {
                return Ok((block, 8));
            }
        }
        let block = Chess960Block {
            kings,
            h_rooks: [white_h_rook, white_h_rook.flip()],
            a_rooks: [white_a_rook, white_a_rook.flip()],
            number: None,
        };
        Ok((block, 4))
    }

    fn is_symmetric(&self) -> bool {
        self.h_rooks[1] == self.h_rooks[0].flip() && self.a_rooks[1] == self.a_rooks[0].flip()
    }

    /// Whether Black may castle, and whoever may has king and rook where the block says.
    fn fits(&self, board: &Board, castling: u8) -> bool {
        let stand = Color::ALL.into_iter().all(|color| {
            let side = color as usize;
            let at_home = board.king(color) == Some(self.kings[side]);
            let rooks = board.of(color, Role::Rook);
            [self.a_rooks[side], self.h_rooks[side]]
                .into_iter()
                .enumerate()
                .filter(|(right, _)| castling >> (2 * side + right) & 1 == 1)
                .all(|(_, rook)| at_home && rooks.contains(rook))
        });
        stand && castling & BLACK_MAY_CASTLE != 0
    }

    /// The block of a game that starts from a position. A rook that has no right to castle is
    /// thought opposite the other side's, or else in its corner.
    #[must_use]
    pub fn of(start: &Position) -> Chess960Block {
        let mut block = Chess960Block::USUAL;
        let king = |color| {
            let king = start.board().king(color);
            king.filter(|king| king.rank() == color.back_rank())
        };
        let (white, black) = (king(Color::White), king(Color::Black));
        let white_king = white.or(black.map(Square::flip)).unwrap_or(Square::E1);
        let black_king = black.or(white.map(Square::flip)).unwrap_or(Square::E8);
        block.kings = [white_king, black_king];
        for h_side in [true, false] {
            let rook = |color: Color| castling_rook(start, color, h_side);
            let (white, black) = (rook(Color::White), rook(Color::Black));
            let rooks = match h_side {
                true => &mut block.h_rooks,
                false => &mut block.a_rooks,
            };
            rooks[0] = white.or(black.map(Square::flip)).unwrap_or(rooks[0]);
            rooks[1] = black.unwrap_or(rooks[0].flip());
        }
        block.number = block.likely_number(start);
        block
    }

    /// The number of a start, or for another position the first one with its king and rooks.
    fn likely_number(&self, start: &Position) -> Option<u16> {
        chess960::number(&start.to_setup()).or_else(|| {
            let has =
                |setup: &Setup, role, square| setup.board.of(Color::White, role).contains(square);
            (0..960).find(|&number| {
                chess960::setup(number, number).is_some_and(|setup| {
                    has(&setup, Role::King, self.kings[0])
                        && has(&setup, Role::Rook, self.h_rooks[0])
                        && has(&setup, Role::Rook, self.a_rooks[0])
                })
            })
        })
    }

    /// The block as ChessBase writes it today.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 8] {
        let [high, low] = self.number.unwrap_or(0).to_be_bytes();
        [
            number_of(self.kings[0]),
            number_of(self.kings[1]),
            number_of(self.h_rooks[0]),
            number_of(self.a_rooks[0]),
            number_of(self.h_rooks[1]),
            number_of(self.a_rooks[1]),
            high,
            low,
        ]
    }
}

/// The rook with which a side may castle towards the h or the a file.
pub(crate) fn castling_rook(position: &Position, color: Color, h_side: bool) -> Option<Square> {
    let king = position.board().king(color)?;
    let rooks = position.castling_rooks() & position.board().side(color);
    rooks.into_iter().find(|rook| (*rook > king) == h_side)
}

/// Reads the bits of a board.
pub(super) fn read_board(bits: &[u8; 24]) -> Result<Board, ErrorKind> {
    let mut board = Board::EMPTY;
    let mut bits = Bits { bits, at: 0 };
    for number in 0..64 {
        if bits.take(1).ok_or(ErrorKind::TooManyPieces)? == 0 {
            continue;
        }
        let code = bits.take(4).ok_or(ErrorKind::TooManyPieces)?;
        let fault = ErrorKind::BadSetup(SetupFault::PieceCode(code));
        let color = match code & 8 {
            0 => Color::White,
            _ => Color::Black,
        };
        let role = PIECES[usize::from(code & 7)].ok_or(fault)?;
        board.put(square_of(number), Piece { color, role });
    }
    Ok(board)
}

/// Reads a position.
///
/// # Errors
/// If no moves can be generated from it. Castling rights and en-passant files that are impossible
/// are left out: real files have them.
pub fn read_setup(
    bytes: &[u8; SETUP_LENGTH],
    block: Option<&Chess960Block>,
    variant: Variant,
) -> Result<Position, ErrorKind> {
    let [_, head, castling, next, bits @ ..] = bytes;
    let board = read_board(bits)?;
    let turn = match head & 16 {
        0 => Color::White,
        _ => Color::Black,
    };
    let setup = Setup {
        board,
        turn,
        castling_rooks: read_castling(*castling, &board, block),
        ep_square: read_en_passant(head & 15, turn),
        halfmove_clock: 0,
        fullmove_number: u32::from(*next).max(1),
    };
    Position::from_setup(&setup, variant).map_err(|e| ErrorKind::BadSetup(e.into()))
}

fn read_castling(bits: u8, board: &Board, block: Option<&Chess960Block>) -> Bitboard {
    let usual = block.is_none();
    let block = block.copied().unwrap_or(Chess960Block::USUAL);
    let mut rooks = Bitboard::EMPTY;
    for color in Color::ALL {
        let side = color as usize;
        let at_home = board.king(color) == Some(block.kings[side]);
        for (right, rook) in [(0, block.a_rooks[side]), (1, block.h_rooks[side])] {
            if bits >> (2 * side + right) & 1 == 1 && (at_home || !usual) {
                rooks |= rook.into();
            }
        }
    }
    rooks
}

/// The square that a pawn has passed; files beyond h occur and mean nothing.
fn read_en_passant(file: u8, turn: Color) -> Option<Square> {
    let file = File::from_index(file.checked_sub(1).filter(|file| *file < 8)?);
    Some(Square::new(file, turn.rank(Rank::Sixth)))
}

/// Writes a position, with its half-move clock left out: there is no place for it.
///
/// # Errors
/// [`ErrorKind::TooManyPieces`] if it has more than 32.
pub fn write_setup(position: &Position) -> Result<[u8; SETUP_LENGTH], ErrorKind> {
    let board = position.board();
    if board.occupied().count() > 32 {
        return Err(ErrorKind::TooManyPieces);
    }
    let mut bytes = [0; SETUP_LENGTH];
    bytes[0] = 1;
    let file = position.ep_square().map_or(0, |ep| ep.file() as u8 + 1);
    bytes[1] = file | (position.turn() as u8) << 4;
    for color in Color::ALL {
        for (right, h_side) in [(0, false), (1, true)] {
            let allowed = castling_rook(position, color, h_side).is_some();
            bytes[2] |= u8::from(allowed) << (2 * color as usize + right);
        }
    }
    bytes[3] = position.fullmove_number() as u8;
    let mut at = 0;
    for number in 0..64 {
        let (code, length) = match board.piece_at(square_of(number)) {
            None => (0, 1),
            Some(piece) => (16 | (piece.color as u8) << 3 | bits_of(piece.role), 5),
        };
        for bit in (0..length).rev() {
            bytes[4 + at / 8] |= (code >> bit & 1) << (7 - at % 8);
            at += 1;
        }
    }
    Ok(bytes)
}

fn bits_of(role: Role) -> u8 {
    match role {
        Role::King => 1,
        Role::Queen => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::Rook => 5,
        Role::Pawn => 6,
    }
}

/// Bits from the highest of the first byte.
struct Bits<'a> {
    bits: &'a [u8; 24],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Option<u8> {
        let mut value = 0;
        for _ in 0..count {
            let byte = self.bits.get(self.at / 8)?;
            value = value << 1 | (byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(value)
    }
}

/// The castling rook of a corner and its king, in regular chess, by the king's target.
pub(crate) fn usual_castling(color: Color, h_side: bool) -> Move {
    let side = color as usize;
    let rooks = match h_side {
        true => Chess960Block::USUAL.h_rooks,
        false => Chess960Block::USUAL.a_rooks,
    };
    Move::new(Chess960Block::USUAL.kings[side], rooks[side])
}
