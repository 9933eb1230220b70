//! What the index says of the moves of a game, so that searches need not read them.

use tabiya_chess::{Bitboard, Board, Color, Move, Position, Rank, Role};

use super::{
    index::{
        Entry, HomePawns,
        fields::{count_code, flags},
    },
    stored_lines::Opening,
};

/// Follows a game while it is written.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    setup: bool,
    plies: u32,
    pub nags: u32,
    pub comments: u32,
    pub variations: u32,
    flags: u32,
    opening: Opening,
    home_pawns: HomePawns,
    /// The pawns that have not left home.
    home: Bitboard,
    /// The last move and the position before it, or the start.
    last: (Position, Option<Move>),
}

impl Derived {
    pub(super) fn new() -> Derived {
        Derived {
            setup: false,
            plies: 0,
            nags: 0,
            comments: 0,
            variations: 0,
            flags: 0,
            opening: Opening::default(),
            home_pawns: HomePawns::default(),
            home: Bitboard::EMPTY,
            last: (Position::initial(), None),
        }
    }

    /// A game begins.
    pub(super) fn start(&mut self, position: &Position) {
        self.opening.clear();
        *self = Derived {
            opening: std::mem::take(&mut self.opening),
            home: at_home(position.board()),
            last: (*position, None),
            ..Derived::new()
        };
    }

    /// Takes a move of the main line.
    pub(super) fn play(&mut self, before: &Position, play: Move) {
        self.plies += 1;
        self.opening.push(before, play);
        self.last = (*before, Some(play));
        if let Some(role) = play.promoted() {
            self.flags |= match role {
                Role::Queen => flags::PROMOTION,
                _ => flags::PROMOTION | flags::UNDER_PROMOTION,
            };
        }
        // A pawn at home moves, or is captured there.
        let home = self.home - play.from().into() - play.to().into();
        for square in self.home - home {
            // a2 is 15 and h2 is 8, a7 is 7 and h7 is 0.
            let side = if square.rank() == Rank::Second { 8 } else { 0 };
            self.home_pawns.push(side + 7 - square.file() as u8);
        }
        self.home = home;
    }

    /// Takes a null move of the main line.
    pub(super) fn pass(&mut self) {
        self.plies += 1;
        self.opening.end();
    }

    /// The game has a start of its own, for which some fields stay empty.
    pub(super) fn set_up(&mut self) {
        self.setup = true;
    }

    /// The flags that follow from the moves.
    pub(super) fn flags(&self) -> u32 {
        match self.setup {
            true => self.flags | flags::SETUP,
            false => self.flags,
        }
    }

    /// Fills in the fields of the index.
    pub(super) fn fill(&self, entry: &mut Entry) {
        entry.flags |= self.flags();
        entry.nags = count_code(self.nags);
        entry.comments = count_code(self.comments);
        entry.variations = count_code(self.variations);
        entry.plies = (self.plies & 0x3ff) as u16;
        let (mut last, play) = self.last;
        if let Some(play) = play {
            last.play_unchecked(play);
        }
        entry.material = material(last.board());
        if !self.setup {
            entry.line = self.opening.code();
            entry.home_pawns = self.home_pawns;
        }
    }
}

fn at_home(board: &Board) -> Bitboard {
    let of = |color, rank| board.of(color, Role::Pawn) & Bitboard::rank(rank);
    of(Color::White, Rank::Second) | of(Color::Black, Rank::Seventh)
}

/// The pieces on a board in 24 bits: for each side two bits a kind of piece and four for pawns. Of
/// more than three pieces of a kind three are counted.
fn material(board: &Board) -> u32 {
    let kinds = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    Color::ALL.into_iter().fold(0, |bits, color| {
        let count = |role| board.of(color, role).count() as u32;
        let pieces = kinds
            .iter()
            .fold(bits, |bits, role| bits << 2 | count(*role).min(3));
        pieces << 4 | count(Role::Pawn).min(15)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_its_material() {
        assert_eq!(material(&Board::INITIAL), 0x6a_86a8);
    }
}
