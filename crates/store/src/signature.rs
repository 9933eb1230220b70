//! What a game's main line comes to, in 64 bits: enough to tell of most games that they never have
//! a position that somebody looks for, without playing a move.
//!
//! Pawns do not go back and nothing comes back onto the board. So what is there at the end was there
//! all the time, and what left its place is not there again. From low to high:
//!
//! | bits | what |
//! |---|---|
//! | 16 | the pawns that are on their first squares at the end: a2 to h2, a7 to h7 |
//! | 10 x 4 | how many pieces there are at the end: White's queens, rooks, bishops, knights, pawns, then Black's; 15 is 15 or more |
//! | 1 | a pawn was promoted: there may have been fewer pieces before than at the end |
//! | 1 | it became something else than a queen |
//! | 1 | there are variations, of which nothing is said here |
//! | 1 | the start is not the usual one, or the rules are not |
//! | 1 | a null move, a ply left out, an illegal move, an error: nothing above can be relied on |
//! | 1 | somebody was in check |
//! | 1 | it ended in mate or stalemate |
//! | 1 | always 0 |

use tabiya_chess::{Bitboard, Board, Color, Move, Position, Rank, Role, Setup, Variant};
use tabiya_search::Facts;

/// The signature of a game; see the [module](self).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signature(u64);

const PROMOTION: u64 = 1 << 56;
const UNDERPROMOTION: u64 = 1 << 57;
const VARIATIONS: u64 = 1 << 58;
const OTHER_START: u64 = 1 << 59;
const ODD: u64 = 1 << 60;
const CHECK: u64 = 1 << 61;
const END: u64 = 1 << 62;

/// The order of the counts.
const ROLES: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// Where a count begins.
const fn shift(color: Color, role: Role) -> u32 {
    let place = match role {
        Role::Queen => 0,
        Role::Rook => 1,
        Role::Bishop => 2,
        Role::Knight => 3,
        Role::Pawn | Role::King => 4,
    };
    16 + 20 * color as u32 + 4 * place
}

impl Signature {
    /// That of a game of which nothing is known.
    pub const UNKNOWN: Signature =
        Signature(PROMOTION | UNDERPROMOTION | VARIATIONS | OTHER_START | ODD | CHECK | END);

    /// As a column has it.
    pub const fn to_column(self) -> i64 {
        self.0.cast_signed()
    }

    pub const fn from_column(number: i64) -> Signature {
        Signature(number.cast_unsigned())
    }

    /// Whether it says something about all positions that count: those of the main line, or of
    /// variations, too.
    #[inline(always)]
    pub const fn says_all(self, variations: bool) -> bool {
        !(self.is_silent() || variations && self.has_variations())
    }

    /// Whether it says nothing about the positions of the main line.
    pub const fn is_silent(self) -> bool {
        self.0 & (OTHER_START | ODD) != 0
    }

    /// Whether there is something in the main line that is no legal move.
    pub const fn is_odd(self) -> bool {
        self.0 & ODD != 0
    }

    /// Whether there are variations.
    pub const fn has_variations(self) -> bool {
        self.0 & VARIATIONS != 0
    }

    /// How many combinations of the flags there are that say something about the main line.
    pub const FLAGS: usize = 16;

    /// The combination that a game has.
    #[inline(always)]
    pub const fn flags(self) -> usize {
        let low = self.0 >> 56 & 3;
        let high = self.0 >> 61 & 3;
        (low | high << 2) as usize
    }

    /// A signature with these flags and nothing left at the end.
    const fn bare(flags: usize) -> Signature {
        let flags = flags as u64;
        Signature((flags & 3) << 56 | (flags >> 2 & 3) << 61)
    }

    /// How many pieces of a kind, not kings, there are at the end.
    pub const fn count(self, color: Color, role: Role) -> u8 {
        (self.0 >> shift(color, role) & 15) as u8
    }

    /// What a board says at the end of a game.
    fn of_board(board: &Board) -> u64 {
        let mut bits = u64::from(home_pawns(board));
        for color in Color::ALL {
            for role in ROLES {
                let count = board.of(color, role).count().min(15) as u64;
                bits |= count << shift(color, role);
            }
        }
        bits
    }
}

/// How much there may be left at the end of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// The pawns that have to leave their first squares.
    home: u64,
    /// The most of each kind, a byte each: the even and the odd counts of a signature apart, so that
    /// all of a half can be compared at once.
    most: [u64; 2],
    /// No game is allowed.
    none: bool,
}

/// The counts of a signature.
const COUNTS: u32 = 10;
/// A bit above each count, when every second one is left out.
const ABOVE: u64 = 0x10_1010_1010;

/// The counts of a signature, the even and the odd ones, a byte each.
#[inline(always)]
const fn halves(bits: u64) -> [u64; 2] {
    const EVEN: u64 = 0x0f_0f0f_0f0f;
    [bits >> 16 & EVEN, bits >> 20 & EVEN]
}

impl Limits {
    /// How much of each thing somebody bears who bears less of it wherever he bears more.
    pub fn of(flags: usize, bears: impl Fn(Signature) -> bool) -> Limits {
        let bare = Signature::bare(flags);
        let with = |bits: u64| bears(Signature(bare.0 | bits));
        let mut most = 0;
        for shift in (0..COUNTS).map(|count| 16 + 4 * count) {
            let bearable = (0..16u64).rev().find(|count| with(count << shift));
            most |= bearable.unwrap_or(0) << shift;
        }
        let unbearable = (0..16u32).filter(|pawn| !with(1u64 << *pawn));
        Limits {
            home: unbearable.fold(0, |home, pawn| home | 1u64 << pawn),
            most: halves(most).map(|half| half | ABOVE),
            none: !bears(bare),
        }
    }

    /// Whether a game has no more than that.
    #[inline(always)]
    pub fn allow(&self, signature: Signature) -> bool {
        let [even, odd] = halves(signature.0);
        // Where a count is above its limit, the bit above is borrowed from.
        let kept = (self.most[0] - even) & (self.most[1] - odd) & ABOVE;
        (kept == ABOVE) & (signature.0 & self.home == 0) & !self.none
    }
}

/// Nothing is known.
impl Default for Signature {
    fn default() -> Signature {
        Signature::UNKNOWN
    }
}

/// The pawns of a board that are on their first squares.
fn home_pawns(board: &Board) -> u16 {
    let rank = |color: Color, rank: Rank| {
        let pawns = board.of(color, Role::Pawn).0;
        (pawns >> (8 * rank as u32)) as u8
    };
    u16::from_le_bytes([
        rank(Color::White, Rank::Second),
        rank(Color::Black, Rank::Seventh),
    ])
}

/// What it says if it is not [silent](Signature::is_silent).
impl Facts for Signature {
    #[inline]
    fn home_pawns(&self) -> Bitboard {
        let [white, black] = (self.0 as u16).to_le_bytes().map(u64::from);
        Bitboard(white << (8 * Rank::Second as u32) | black << (8 * Rank::Seventh as u32))
    }

    /// Nothing comes onto the board but by promotion.
    #[inline]
    fn counts(&self, color: Color, role: Role) -> (u8, u8) {
        let at_first = match role {
            Role::King => return (1, 1),
            Role::Pawn => 8,
            Role::Queen => 1,
            Role::Rook | Role::Bishop | Role::Knight => 2,
        };
        match role != Role::Pawn && self.has_promotion() {
            true => (0, at_first + 8),
            false => (self.count(color, role), at_first),
        }
    }

    #[inline]
    fn left(&self, color: Color) -> usize {
        let king = 1;
        ROLES.iter().fold(king, |sum, role| {
            sum + usize::from(self.count(color, *role))
        })
    }

    #[inline]
    fn has_promotion(&self) -> bool {
        self.0 & PROMOTION != 0
    }

    #[inline]
    fn has_underpromotion(&self) -> bool {
        self.0 & UNDERPROMOTION != 0
    }

    #[inline]
    fn has_check(&self) -> bool {
        self.0 & CHECK != 0
    }

    #[inline]
    fn has_end(&self) -> bool {
        self.0 & END != 0
    }
}

/// Makes the signature of a game while it is told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signer {
    flags: u64,
}

impl Signer {
    /// A game begins.
    pub fn start(start: &Position) -> Signer {
        let usual = start.variant() == Variant::Standard && start.to_setup() == Setup::INITIAL;
        Signer {
            flags: if usual { 0 } else { OTHER_START },
        }
    }

    /// A move of the main line.
    #[inline]
    pub fn play(&mut self, before: &Position, play: Move) {
        if before.is_check() {
            self.flags |= CHECK;
            // Moves are legal where no error says otherwise; but one behind a mate would be missed by
            // all who look for mates, for without them the end tells all.
            if !before.is_legal(play) {
                self.flags |= ODD;
            }
        }
        if let Some(role) = play.promoted() {
            self.flags |= PROMOTION;
            if role != Role::Queen {
                self.flags |= UNDERPROMOTION;
            }
        }
    }

    /// Something else than a move, or one that is not legal.
    pub fn odd(&mut self) {
        self.flags |= ODD;
    }

    /// The game ends in a position, with variations or without.
    pub fn end(mut self, last: &Position, variations: bool) -> Signature {
        if last.is_check() {
            self.flags |= CHECK;
        }
        if !last.has_legal_moves() {
            self.flags |= END;
        }
        if variations {
            self.flags |= VARIATIONS;
        }
        Signature(Signature::of_board(last.board()) | self.flags)
    }
}

#[cfg(test)]
mod tests {
    use tabiya_formats::pgn::Parser;
    use tabiya_game::{
        Event, Flow, GameSink, GameTree, Needs,
        generate::{Generator, Options},
    };

    use super::*;
    use crate::writer::RowWriter;

    fn signature(game: &GameTree) -> Signature {
        let mut writer = RowWriter::new(Default::default());
        game.tell(&mut writer);
        writer.take_rows()[0].signature
    }

    impl Signature {
        /// Whether the main line may have a position with these pieces; if not, it has none.
        fn may_reach(self, board: &Board) -> bool {
            self.is_silent() || self.may_have(board)
        }
    }

    fn of_moves(moves: &str) -> Signature {
        let mut game = GameTree::default();
        assert!(Parser::new(moves).read_game(&mut game));
        signature(&game)
    }

    /// The positions of a main line, and what the moves to them were.
    #[derive(Default)]
    struct MainLine {
        positions: Vec<Position>,
        promotions: Vec<Role>,
        variations: bool,
        odd: bool,
    }

    impl GameSink for MainLine {
        fn needs(&mut self) -> Needs {
            Needs::NOTHING.moves(true).after(true)
        }

        fn event(&mut self, event: Event<'_>) -> Flow {
            match event {
                Event::Start(start) => {
                    self.odd |= start.variant() != Variant::Standard;
                    self.odd |= start.to_setup() != Setup::INITIAL;
                    self.positions.push(*start);
                }
                Event::Move { play, after, .. } => {
                    self.promotions.extend(play.promoted());
                    self.positions.extend(after);
                }
                Event::Null { after, .. } => {
                    self.odd = true;
                    self.positions.extend(after);
                }
                Event::Missing | Event::Error(_) => self.odd = true,
                _ => {}
            }
            Flow::Continue
        }
    }

    #[test]
    fn a_signature_says_what_the_main_line_says() {
        let generator = Generator::new(Options::default());
        let mut spoken = 0;
        for game in (0..2_000).map(|index| generator.game(index)) {
            let signature = signature(&game);
            let mut line = MainLine::default();
            game.tell(&mut line);
            line.variations = game.items.contains(&tabiya_game::Item::VariationStart);
            assert_eq!(signature.has_variations(), line.variations);
            for position in &line.positions {
                assert!(signature.may_reach(position.board()), "{position}");
            }
            if line.odd {
                assert!(signature.is_silent());
                continue;
            }
            assert!(!signature.is_silent());
            spoken += 1;
            let last = line.positions.last().unwrap();
            assert_eq!(
                signature.has_check(),
                line.positions.iter().any(Position::is_check)
            );
            assert_eq!(signature.has_end(), !last.has_legal_moves());
            assert_eq!(signature.has_promotion(), !line.promotions.is_empty());
            assert_eq!(
                signature.has_underpromotion(),
                line.promotions.iter().any(|role| *role != Role::Queen)
            );
            for (color, role) in Color::ALL
                .into_iter()
                .flat_map(|color| ROLES.map(|role| (color, role)))
            {
                let count = last.board().of(color, role).count();
                assert_eq!(usize::from(signature.count(color, role)), count);
            }
            let home = Bitboard::rank(Rank::Second) & last.board().of(Color::White, Role::Pawn)
                | Bitboard::rank(Rank::Seventh) & last.board().of(Color::Black, Role::Pawn);
            assert_eq!(signature.home_pawns(), home);
        }
        assert!(spoken > 500, "{spoken} games have the usual start");
    }

    #[test]
    fn positions_that_cannot_be_are_ruled_out() {
        let signature = of_moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 *");
        let board = |fen: &str| fen.parse::<Setup>().unwrap().board;
        let open_game = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 1";
        assert!(signature.may_reach(&board(open_game)));
        let queens_pawn = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b - - 0 1";
        assert!(!signature.may_reach(&board(queens_pawn)), "d2 never moved");
        let without_queens = "r1b1kbnr/1pp2ppp/p1p5/4p3/4P3/5N2/PPPP1PPP/RNB1K2R b - - 0 1";
        assert!(!signature.may_reach(&board(without_queens)));
        let two_queens = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKQNR w - - 0 1";
        assert!(!signature.may_reach(&board(two_queens)));
    }

    #[test]
    fn what_does_not_follow_from_moves_is_never_ruled_out() {
        for odd in [
            "1. e4 -- 2. d4 *",
            "1. e4 e5 2. Qh4 *",
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O *",
        ] {
            assert!(of_moves(odd).is_silent(), "{odd}");
        }
        assert!(Signature::UNKNOWN.may_reach(&Board::EMPTY));
    }

    #[test]
    fn a_mate_that_is_played_past_counts_as_odd() {
        let mut game = GameTree::default();
        assert!(Parser::new("1. f3 e5 2. g4 Qh4# *").read_game(&mut game));
        assert!(signature(&game).has_end() && !signature(&game).is_silent());
        game.items.push(tabiya_game::Item::Move(Move::new(
            tabiya_chess::Square::A2,
            tabiya_chess::Square::A3,
        )));
        assert!(signature(&game).is_silent());
    }
}
