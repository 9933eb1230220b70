//! Who is who: the numbers by which the codes name pieces.
//!
//! Each side has a list for every kind of piece. Its members are numbered as a FEN lists them,
//! from a8 to h1, and keep their numbers wherever they go: "a-pawn" and "queen's knight" are names
//! of numbers. A promoted piece keeps the number of its pawn. More pieces than codes, such as a
//! third knight of a set-up, have no number.

use tabiya_chess::{Board, Color, Extra, Move, Position, Role, Square, Step};

/// A piece of a side that has codes: eight pawns, two knights, bishops and rooks, queen, king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot(u8);

impl Slot {
    pub(super) const KING: Slot = Slot(15);

    /// How many slots a side has.
    pub(super) const COUNT: usize = 16;

    /// The slot of a role and a number, if codes exist for it.
    pub(super) const fn new(role: Role, index: u8) -> Option<Slot> {
        let (first, count) = places(role);
        if index < count {
            Some(Slot(first + index))
        } else {
            None
        }
    }

    /// What the piece was at the start of the game.
    pub(super) const fn role(self) -> Role {
        match self.0 {
            0..8 => Role::Pawn,
            8..10 => Role::Knight,
            10..12 => Role::Bishop,
            12..14 => Role::Rook,
            14 => Role::Queen,
            _ => Role::King,
        }
    }

    /// Its number among its like, from 0.
    pub(super) const fn number(self) -> u8 {
        self.0 - places(self.role()).0
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize & (Slot::COUNT - 1)
    }
}

/// The first slot of a role and how many there are.
const fn places(role: Role) -> (u8, u8) {
    match role {
        Role::Pawn => (0, 8),
        Role::Knight => (8, 2),
        Role::Bishop => (10, 2),
        Role::Rook => (12, 2),
        Role::Queen => (14, 1),
        Role::King => (15, 1),
    }
}

/// A square without a numbered piece, and the place of a piece that was captured or never was.
const NONE: u8 = 0xff;

/// Where the numbered pieces of both sides stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pieces {
    /// Who stands on a square: the slot, and 16 more for Black.
    on: [u8; 64],
    /// Where a piece stands.
    at: [u8; 2 * Slot::COUNT],
}

/// What a move changed: up to four squares and who stood there.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Undo {
    squares: [(u8, u8); 4],
    count: u8,
}

impl Pieces {
    /// Numbers the pieces of a start position.
    pub(super) fn deal(board: &Board) -> Pieces {
        let mut pieces = Pieces {
            on: [NONE; 64],
            at: [NONE; 2 * Slot::COUNT],
        };
        let mut counts = [[0u8; 6]; 2];
        // Turned upside down, the order of a FEN is that of the squares.
        for upside_down in board.occupied().flip() {
            let square = upside_down.flip();
            let Some(piece) = board.piece_at(square) else {
                continue;
            };
            let count = &mut counts[piece.color as usize][piece.role as usize];
            if let Some(slot) = Slot::new(piece.role, *count) {
                pieces.put(square, id(piece.color, slot));
            }
            *count = count.saturating_add(1);
        }
        pieces
    }

    /// Where a piece stands.
    #[inline]
    pub(super) fn square(&self, color: Color, slot: Slot) -> Option<Square> {
        match self.at[id(color, slot) as usize & (2 * Slot::COUNT - 1)] {
            NONE => None,
            square => Some(Square::from_index(square)),
        }
    }

    /// Which piece stands on a square, if it has a number.
    #[inline]
    pub(super) fn slot(&self, square: Square) -> Option<Slot> {
        match self.on[square.index()] {
            NONE => None,
            id => Some(Slot(id & 15)),
        }
    }

    /// Follows a move that can be played in a position.
    #[inline]
    pub(super) fn play(&mut self, before: &Position, play: Move) -> Undo {
        let (from, to) = (play.from(), play.to());
        let mut undo = Undo::default();
        if before.is_castling(play) {
            let (king_to, rook_to) = Position::castling_targets(from, to);
            let (king, rook) = (self.on[from.index()], self.on[to.index()]);
            for square in [from, to] {
                self.change(square, NONE, &mut undo);
            }
            for (square, id) in [(king_to, king), (rook_to, rook)] {
                self.change(square, id, &mut undo);
            }
            return undo;
        }
        let mover = self.on[from.index()];
        self.kill(to);
        self.change(from, NONE, &mut undo);
        self.change(to, mover, &mut undo);
        if before.is_en_passant(play) {
            let taken = Square::new(to.file(), from.rank());
            self.kill(taken);
            self.change(taken, NONE, &mut undo);
        }
        undo
    }

    /// Follows what a move changes on a board.
    #[inline(always)]
    pub(super) fn follow(&mut self, step: &Step) {
        if let Some(square) = step.taken_on() {
            self.kill(square);
            self.on[square.index()] = NONE;
        }
        let mover = self.on[step.from.index()];
        self.on[step.from.index()] = NONE;
        match step.extra {
            // In Chess960 they may change places.
            Extra::Castling(from, to) => {
                let rook = self.on[from.index()];
                self.on[from.index()] = NONE;
                self.put(to, rook);
            }
            Extra::Nothing | Extra::EnPassant | Extra::Promotion(_) => {}
        }
        self.put(step.to, mover);
    }

    /// Takes back the last move.
    pub(super) fn undo(&mut self, undo: &Undo) {
        // Backwards: castling may change a square twice.
        for &(square, id) in undo.squares[..usize::from(undo.count)].iter().rev() {
            self.put(Square::from_index(square), id);
        }
    }

    #[inline]
    fn kill(&mut self, square: Square) {
        let id = self.on[square.index()];
        if id != NONE {
            self.at[id as usize & (2 * Slot::COUNT - 1)] = NONE;
        }
    }

    #[inline]
    fn change(&mut self, square: Square, id: u8, undo: &mut Undo) {
        undo.squares[usize::from(undo.count & 3)] = (square.index() as u8, self.on[square.index()]);
        undo.count += 1;
        self.put(square, id);
    }

    #[inline]
    fn put(&mut self, square: Square, id: u8) {
        self.on[square.index()] = id;
        if id != NONE {
            self.at[id as usize & (2 * Slot::COUNT - 1)] = square.index() as u8;
        }
    }
}

#[inline]
const fn id(color: Color, slot: Slot) -> u8 {
    slot.0 + 16 * color as u8
}
