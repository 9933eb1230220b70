//! Legal moves from the step tables: walk until a cell is not free.
//!
//! The only set of squares here is a table by cell; bitboards are not used, so that two
//! independent answers can be compared. What a legal move is:
//!
//! * no move captures a king, even where a set-up leaves one to be captured;
//! * castling needs all cells from king and rook to where they end free of other pieces, and the
//!   king attacked neither where it stands, nor on its way, nor when both have arrived.

use super::{
    board::{Cells, DEAD, FREE, Mailbox},
    byte,
    geometry::{
        BISHOP_STEPS, KING_STEPS, KNIGHT_STEPS, PADDED, PawnSteps, ROOK_STEPS, go, pawn_steps,
        square_of,
    },
};
use crate::{Color, Move, MoveList, Role};

impl Mailbox {
    /// All legal moves.
    ///
    /// ```
    /// use tabiya_chess::mailbox::Mailbox;
    ///
    /// let setup = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1".parse()?;
    /// assert_eq!(Mailbox::from_setup(&setup)?.legal_moves().len(), 218);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut generator = Generator::new(self);
        generator.king_moves();
        // Two checks at once can only be fled.
        if generator.checks < 2 {
            generator.piece_moves();
        }
        generator.castling_moves();
        generator.moves
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        is_attacked(&self.cells, self.king(self.turn()), !self.turn())
    }

    /// Whether a pawn that has just passed another can be captured for it, and no pin forbids it.
    ///
    /// ```
    /// use tabiya_chess::mailbox::Mailbox;
    ///
    /// let pinned = Mailbox::from_setup(&"7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1".parse()?)?;
    /// assert!(pinned.has_ep_in_reach() && !pinned.has_legal_ep());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_legal_ep(&self) -> bool {
        let (us, to) = (self.turn(), self.ep() as usize & (PADDED - 1));
        let is_ours = |from: usize| self.cells[from] as u8 == byte::of(Role::Pawn.of(us));
        // Where our pawns capture from is where theirs would capture to.
        let mut beside = pawn_steps(!us)
            .captures
            .map(|step| go(to, step))
            .into_iter();
        self.ep() != DEAD && beside.any(|from| is_ours(from) && self.is_ep_safe(from, to))
    }

    /// Two pawns leave their row at once, which pins do not foresee: capture and look.
    fn is_ep_safe(&self, from: usize, to: usize) -> bool {
        let us = self.turn();
        let mut after = self.cells;
        after[to] = std::mem::replace(&mut after[from], FREE);
        after[go(to, -pawn_steps(us).push)] = FREE;
        !is_attacked(&after, self.king(us), !us)
    }
}

/// What is known of a position before its moves are listed.
struct Generator<'a> {
    board: &'a Mailbox,
    us: Color,
    king: usize,
    /// How many pieces give check.
    checks: u32,
    /// The cells that answer a single check by capture or by interposition; all without a check.
    answers: [bool; PADDED],
    /// The line, as the size of its step, that a piece must keep to because it shields its king.
    pins: [u8; PADDED],
    moves: MoveList,
}

impl<'a> Generator<'a> {
    fn new(board: &'a Mailbox) -> Generator<'a> {
        let us = board.turn();
        let mut generator = Generator {
            board,
            us,
            king: board.king(us),
            checks: 0,
            answers: [false; PADDED],
            pins: [0; PADDED],
            moves: MoveList::new(),
        };
        generator.look_along_lines();
        generator.look_for_leapers();
        if generator.checks == 0 {
            generator.answers = [true; PADDED];
        }
        generator
    }

    /// Walks outward from the king: the first piece on a line may check, the second may pin.
    fn look_along_lines(&mut self) {
        let (us, them) = (byte::color(self.us), byte::color(!self.us));
        for step in KING_STEPS {
            let (first, at) = walk(&self.board.cells, self.king, step);
            if first & byte::COLOR == us {
                let (second, _) = walk(&self.board.cells, at, step);
                if second & byte::COLOR == them && slides(second, step) {
                    self.pins[at] = step.unsigned_abs();
                }
            } else if first & byte::COLOR == them && slides(first, step) {
                self.checks += 1;
                let mut cell = self.king;
                while cell != at {
                    cell = go(cell, step);
                    self.answers[cell] = true;
                }
            }
        }
    }

    fn look_for_leapers(&mut self) {
        let them = byte::color(!self.us);
        let leapers = [
            (byte::KNIGHT, &KNIGHT_STEPS[..]),
            (byte::PAWN, &pawn_steps(self.us).captures[..]),
            // Kings side by side are possible in a set-up only.
            (byte::KING, &KING_STEPS[..]),
        ];
        for (role, steps) in leapers {
            for &step in steps {
                let at = go(self.king, step);
                if self.board.cells[at] as u8 == them | role {
                    self.checks += 1;
                    self.answers[at] = true;
                }
            }
        }
    }

    fn push(&mut self, from: usize, to: usize) {
        self.moves.push(Move::new(square_of(from), square_of(to)));
    }

    /// Whether a cell holds an enemy that may be captured.
    fn is_prey(&self, cell: usize) -> bool {
        let byte = self.board.cells[cell] as u8;
        byte & byte::COLOR == byte::color(!self.us) && byte & byte::TYPE != byte::KING
    }

    fn king_moves(&mut self) {
        // A slider sees through the cell the king has left.
        let mut lifted = self.board.cells;
        lifted[self.king] = FREE;
        for step in KING_STEPS {
            let to = go(self.king, step);
            let open = self.board.cells[to] == FREE || self.is_prey(to);
            if open && !is_attacked(&lifted, to, !self.us) {
                self.push(self.king, to);
            }
        }
    }

    fn piece_moves(&mut self) {
        let us = byte::color(self.us);
        // The first two are the kings.
        for id in 3..=self.board.last_id {
            let from = self.board.places[id as usize] as usize & (PADDED - 1);
            let piece = self.board.cells[from] as u8;
            // Captured pieces stand on a cell of the frame, which has neither colour.
            if piece & byte::COLOR != us {
                continue;
            }
            match piece & byte::TYPE {
                byte::PAWN => self.pawn_moves(from),
                byte::KNIGHT => self.knight_moves(from),
                byte::BISHOP => self.slides(from, &BISHOP_STEPS),
                byte::ROOK => self.slides(from, &ROOK_STEPS),
                _ => self.slides(from, &KING_STEPS),
            }
        }
    }

    fn knight_moves(&mut self, from: usize) {
        if self.pins[from] != 0 {
            return;
        }
        for step in KNIGHT_STEPS {
            let to = go(from, step);
            let open = self.board.cells[to] == FREE || self.is_prey(to);
            if open && self.answers[to] {
                self.push(from, to);
            }
        }
    }

    fn slides(&mut self, from: usize, steps: &[i8]) {
        let pin = self.pins[from];
        for &step in steps {
            if pin != 0 && pin != step.unsigned_abs() {
                continue;
            }
            let mut to = go(from, step);
            while self.board.cells[to] == FREE {
                if self.answers[to] {
                    self.push(from, to);
                }
                to = go(to, step);
            }
            if self.is_prey(to) && self.answers[to] {
                self.push(from, to);
            }
        }
    }

    fn pawn_moves(&mut self, from: usize) {
        let pin = self.pins[from];
        let PawnSteps {
            push,
            double,
            captures,
        } = pawn_steps(self.us);
        let to = go(from, push);
        if self.board.cells[to] == FREE && (pin == 0 || pin == push.unsigned_abs()) {
            self.push_pawn(from, to);
            let far = go(from, double);
            let second_row = if self.us == Color::White { 3 } else { 8 };
            if from / 10 == second_row && self.board.cells[far] == FREE && self.answers[far] {
                self.push(from, far);
            }
        }
        for step in captures {
            let to = go(from, step);
            if self.is_prey(to) && (pin == 0 || pin == step.unsigned_abs()) {
                self.push_pawn(from, to);
            }
            let is_passed = to == self.board.ep() as usize && to != DEAD as usize;
            if is_passed && self.board.is_ep_safe(from, to) {
                self.push(from, to);
            }
        }
    }

    /// One step or a capture, which on the last rank are four moves.
    fn push_pawn(&mut self, from: usize, to: usize) {
        if !self.answers[to] {
            return;
        }
        let last_row = if self.us == Color::White { 9 } else { 2 };
        if to / 10 != last_row {
            return self.push(from, to);
        }
        for role in Role::PROMOTIONS {
            let play = Move::promotion(square_of(from), square_of(to), role);
            self.moves.push(play);
        }
    }

    fn castling_moves(&mut self) {
        if self.checks != 0 {
            return;
        }
        for right in [2 * self.us as usize, 2 * self.us as usize + 1] {
            let rook = self.board.rooks[right] as usize;
            if self.board.has_right(right) && self.may_castle(rook) {
                self.push(self.king, rook);
            }
        }
    }

    fn may_castle(&self, rook: usize) -> bool {
        let king = self.king;
        let (king_to, rook_to) = castled(king, rook);
        // From wherever they start, the two ways together leave no gap.
        let low = king.min(rook).min(king_to).min(rook_to);
        let high = king.max(rook).max(king_to).max(rook_to);
        let mut after = self.board.cells;
        let king_slot = std::mem::replace(&mut after[king], FREE);
        let rook_slot = std::mem::replace(&mut after[rook & (PADDED - 1)], FREE);
        if (low..=high).any(|cell| after[cell & (PADDED - 1)] != FREE) {
            return false;
        }
        after[rook & (PADDED - 1)] = rook_slot;
        let mut way = king.min(king_to)..=king.max(king_to);
        if way.any(|cell| is_attacked(&after, cell, !self.us)) {
            return false;
        }
        // In Chess960 the rook may have been what shielded the king.
        after[rook & (PADDED - 1)] = FREE;
        after[king_to & (PADDED - 1)] = king_slot;
        after[rook_to & (PADDED - 1)] = rook_slot;
        !is_attacked(&after, king_to, !self.us)
    }
}

/// Where castling takes king and rook: to the g and f or to the c and d file.
pub(super) fn castled(king: usize, rook: usize) -> (usize, usize) {
    let row = king / 10 * 10;
    if rook > king {
        (row + 7, row + 6)
    } else {
        (row + 3, row + 4)
    }
}

/// The first cell in a direction that is not free, and what it holds. The frame ends every walk.
fn walk(cells: &Cells, from: usize, step: i8) -> (u8, usize) {
    let mut at = go(from, step);
    while cells[at] == FREE {
        at = go(at, step);
    }
    (cells[at] as u8, at)
}

/// Whether a piece slides in the direction of a step.
fn slides(piece: u8, step: i8) -> bool {
    let straight = matches!(step, -10 | -1 | 1 | 10);
    match piece & byte::TYPE {
        byte::QUEEN => true,
        byte::ROOK => straight,
        byte::BISHOP => !straight,
        _ => false,
    }
}

/// Whether a side attacks a cell, found by walking from that cell.
fn is_attacked(cells: &Cells, cell: usize, by: Color) -> bool {
    let color = byte::color(by);
    let stands = |role: u8, step: i8| cells[go(cell, step)] as u8 == color | role;
    if KNIGHT_STEPS.iter().any(|&step| stands(byte::KNIGHT, step)) {
        return true;
    }
    // Pawns of that side attack forwards, so they are found looking the other way.
    if (pawn_steps(!by).captures.iter()).any(|&step| stands(byte::PAWN, step)) {
        return true;
    }
    KING_STEPS.iter().any(|&step| {
        let (first, _) = walk(cells, cell, step);
        stands(byte::KING, step) || first & byte::COLOR == color && slides(first, step)
    })
}
