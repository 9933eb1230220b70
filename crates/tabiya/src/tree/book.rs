//! What is played, as an opening book in Polyglot's format.
//!
//! A book is a list of entries of 16 bytes, big-endian, in the order of their keys: the key of a
//! position (64 bits), a move (16), a weight (16), and 32 bits that are 0. A move has its squares
//! from the lowest bit on, to-file, to-rank, from-file and from-rank by three bits each, and then
//! what a pawn becomes (1 knight … 4 queen). Castling is the king taking its rook.

use std::{
    collections::{HashMap, HashSet},
    io::{self, Write},
    ops::ControlFlow,
    sync::atomic::{AtomicU8, Ordering},
};

use tabiya_chess::{Color, Key, Move, Position, Role, Square, Variant};
use tabiya_game::{Event, Flow, GameResult, GameSink, Needs};
use tabiya_search::Exact;

use crate::{Database, Result};

/// What goes into a book.
#[derive(Clone, Debug)]
pub struct BookWishes {
    /// Moves that were played in fewer games are left out.
    pub min_games: u64,
    /// Moves behind so many plies of a game are left out.
    pub max_ply: u32,
    /// Only the moves of one side.
    pub side: Option<Color>,
    /// Only what is played from this position on.
    pub from: Option<Position>,
}

impl Default for BookWishes {
    /// As Polyglot itself: three games; and 60 plies, behind which openings have ended.
    fn default() -> BookWishes {
        BookWishes {
            min_games: 3,
            max_ply: 60,
            side: None,
            from: None,
        }
    }
}

/// A move in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The position in which it is played.
    pub key: Key,
    /// The move.
    pub play: Move,
    /// How often it should be chosen, among others: twice the wins of the side that played it, and
    /// its draws.
    pub weight: u16,
}

/// An opening book.
///
/// ```
/// use tabiya::tree::{Book, BookWishes};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "1. e4 1-0\n\n1. e4 1/2-1/2\n\n1. d4 0-1\n")?;
/// let wishes = BookWishes { min_games: 1, ..BookWishes::default() };
/// let book = Book::of(&[tabiya::open(&path)?], &wishes)?;
/// assert_eq!(book.entries().len(), 1, "1. d4 has scored nothing");
/// assert_eq!(book.entries()[0].weight, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    entries: Vec<BookEntry>,
    games: u64,
    other_rules: u64,
    without_score: u64,
}

impl Book {
    /// Of the games of databases that pass their filters. Where few games are asked for to a move,
    /// databases are read twice, so that moves seen once take no memory.
    ///
    /// # Errors
    /// If a database cannot be read to its end.
    pub fn of(databases: &[Database], wishes: &BookWishes) -> Result<Book> {
        let sieve = sieve(databases, wishes)?;
        let mut all = Counts::new(wishes, None);
        for database in databases {
            database.par_tell(
                || Counts::new(wishes, sieve.as_ref().map(Use::Ask)),
                |part| {
                    all.merge(part);
                    ControlFlow::Continue(())
                },
            )?;
        }
        Ok(all.book())
    }

    /// Its entries, in their order.
    #[must_use]
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// How many games it is made of.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many games were left out because they were not played by the rules of chess.
    #[must_use]
    pub fn other_rules(&self) -> u64 {
        self.other_rules
    }

    /// How many moves were left out because they never scored: no engine would choose them.
    #[must_use]
    pub fn without_score(&self) -> u64 {
        self.without_score
    }

    /// Writes it in Polyglot's format.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        for entry in &self.entries {
            output.write_all(&entry.key.0.to_be_bytes())?;
            output.write_all(&polyglot_move(entry.play).to_be_bytes())?;
            output.write_all(&entry.weight.to_be_bytes())?;
            output.write_all(&[0; 4])?;
        }
        Ok(())
    }
}

/// A move in Polyglot's bits.
fn polyglot_move(play: Move) -> u16 {
    let square = |square: Square| square.index() as u16;
    let promotion = match play.promoted() {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    square(play.to()) | square(play.from()) << 6 | promotion << 12
}

/// Reads all databases once to find what may be played often enough. Standard input and pipes
/// can be read only once, and one game is always enough for one.
fn sieve(databases: &[Database], wishes: &BookWishes) -> Result<Option<Sieve>> {
    let once = |database: &Database| crate::is_read_once(database.path());
    if wishes.min_games <= 1 || databases.iter().any(once) {
        return Ok(None);
    }
    let sieve = Sieve::new();
    for database in databases {
        database.par_tell(
            || Counts::new(wishes, Some(Use::Fill(&sieve))),
            |_| ControlFlow::Continue(()),
        )?;
    }
    Ok(Some(sieve))
}

/// Counts roughly, never too low: several moves may share a counter.
struct Sieve(Vec<AtomicU8>);

impl Sieve {
    const BITS: u32 = 26;

    fn new() -> Sieve {
        let counters = std::iter::repeat_with(AtomicU8::default);
        Sieve(counters.take(1 << Sieve::BITS).collect())
    }

    fn counter(&self, (key, play): (Key, Move)) -> &AtomicU8 {
        // Keys are random already; an odd factor spreads the moves of a position.
        let spread = u64::from(play.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.0[((key.0 ^ spread) >> (64 - Sieve::BITS)) as usize]
    }

    fn add(&self, seen: (Key, Move)) {
        let more = |count: u8| count.checked_add(1);
        // A counter that is full stays so.
        let _ = self
            .counter(seen)
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    fn may_have(&self, seen: (Key, Move), games: u64) -> bool {
        let least = u8::try_from(games).unwrap_or(u8::MAX);
        self.counter(seen).load(Ordering::Relaxed) >= least
    }
}

/// What a sieve is used for.
#[derive(Clone, Copy)]
enum Use<'s> {
    Fill(&'s Sieve),
    Ask(&'s Sieve),
}

/// Hears games and counts moves.
struct Counts<'w> {
    wishes: &'w BookWishes,
    from: Option<Exact>,
    sieve: Option<Use<'w>>,
    moves: HashMap<(Key, Move), Score>,
    games: u64,
    other_rules: u64,
    heard: Heard,
}

/// How a move did for the side that played it.
#[derive(Clone, Copy, Default)]
struct Score {
    games: u64,
    /// Twice the wins, and the draws.
    points: u64,
}

/// What has been heard of a game.
#[derive(Default)]
struct Heard {
    ply: u32,
    /// The game has come to the position from which on moves are wanted.
    here: bool,
    other_rules: bool,
    played: Vec<((Key, Move), Color)>,
}

impl<'w> Counts<'w> {
    fn new(wishes: &'w BookWishes, sieve: Option<Use<'w>>) -> Counts<'w> {
        Counts {
            wishes,
            from: wishes.from.map(Exact::new),
            sieve,
            moves: HashMap::new(),
            games: 0,
            other_rules: 0,
            heard: Heard::default(),
        }
    }

    fn merge(&mut self, other: Counts<'_>) {
        for (seen, score) in other.moves {
            let sum = self.moves.entry(seen).or_default();
            sum.games += score.games;
            sum.points += score.points;
        }
        self.games += other.games;
        self.other_rules += other.other_rules;
    }

    fn position(&mut self, position: &Position) {
        let is_start = |from: &Exact| from.fits(position);
        self.heard.here |= self.from.as_ref().is_none_or(is_start);
    }

    fn play(&mut self, before: &Position, play: Move) -> Flow {
        if self.heard.ply >= self.wishes.max_ply {
            return Flow::SkipGame;
        }
        self.heard.ply += 1;
        let turn = before.turn();
        if self.heard.here && self.wishes.side.is_none_or(|side| side == turn) {
            self.heard.played.push(((before.key(), play), turn));
        }
        Flow::Continue
    }

    fn end(&mut self, result: GameResult) {
        let heard = std::mem::take(&mut self.heard);
        if heard.other_rules {
            self.other_rules += 1;
            return;
        }
        self.games += 1;
        let mut counted = HashSet::new();
        for (seen, turn) in heard.played {
            if !counted.insert(seen) {
                continue;
            }
            match self.sieve {
                Some(Use::Fill(sieve)) => {
                    sieve.add(seen);
                    continue;
                }
                Some(Use::Ask(sieve)) if !sieve.may_have(seen, self.wishes.min_games) => continue,
                _ => {}
            }
            let score = self.moves.entry(seen).or_default();
            score.games += 1;
            score.points += points(result, turn);
        }
    }

    fn book(self) -> Book {
        let enough = |score: &Score| score.games >= self.wishes.min_games;
        let played: Vec<_> = self
            .moves
            .into_iter()
            .filter(|(_, score)| enough(score))
            .collect();
        // Weights of a position are made smaller together, so that they keep their shares.
        let mut most: HashMap<Key, u64> = HashMap::new();
        for ((key, _), score) in &played {
            let most = most.entry(*key).or_default();
            *most = score.points.max(*most);
        }
        let mut entries = Vec::new();
        let mut without_score = 0;
        for ((key, play), score) in played {
            match weight(score.points, most[&key]) {
                0 => without_score += 1,
                weight => entries.push(BookEntry { key, play, weight }),
            }
        }
        entries.sort_by_key(|entry| {
            let weight = std::cmp::Reverse(entry.weight);
            (entry.key, weight, entry.play)
        });
        Book {
            entries,
            games: self.games,
            other_rules: self.other_rules,
            without_score,
        }
    }
}

/// Points in sixteen bits, the largest of the position as they are or 65535. What has scored at
/// all keeps a weight.
fn weight(points: u64, most: u64) -> u16 {
    const LARGEST: u64 = u16::MAX as u64;
    let scaled = match most > LARGEST {
        true => (points * LARGEST / most).max(points.min(1)),
        false => points,
    };
    scaled.min(LARGEST) as u16
}

fn points(result: GameResult, side: Color) -> u64 {
    match (result.token(), side) {
        ("1-0", Color::White) | ("0-1", Color::Black) => 2,
        ("1/2-1/2", _) => 1,
        _ => 0,
    }
}

impl GameSink for Counts<'_> {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true).after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.heard = Heard::default(),
            Event::Start(position) => {
                self.heard.other_rules = position.variant() != Variant::Standard;
                if self.heard.other_rules {
                    return Flow::SkipGame;
                }
                self.position(position);
            }
            Event::VariationStart => return Flow::SkipVariation,
            Event::Move {
                before,
                play,
                after: Some(after),
            } => {
                let flow = self.play(before, play);
                self.position(after);
                return flow;
            }
            Event::Null { .. } | Event::Missing => self.heard.ply += 1,
            Event::GameEnd { result, .. } => self.end(result),
            _ => {}
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fit_and_keep_their_shares() {
        assert_eq!(weight(7, 9), 7);
        assert_eq!(weight(0, 1 << 40), 0);
        assert_eq!(weight(1, 1 << 40), 1);
        assert_eq!(weight(1 << 40, 1 << 40), u16::MAX);
        assert_eq!(weight(1 << 39, 1 << 40), u16::MAX / 2);
    }

    #[test]
    fn moves_have_the_bits_of_the_format() {
        assert_eq!(polyglot_move(Move::new(Square::E2, Square::E4)), 0o1434);
        assert_eq!(polyglot_move(Move::new(Square::E1, Square::H1)), 0o0407);
        let promotion = Move::promotion(Square::A7, Square::A8, Role::Queen);
        assert_eq!(polyglot_move(promotion), 0o46070);
    }

    #[test]
    fn a_sieve_never_counts_too_few() {
        let sieve = Sieve::new();
        let seen = (Key(5), Move::new(Square::E2, Square::E4));
        assert!(!sieve.may_have(seen, 1));
        for _ in 0..300 {
            sieve.add(seen);
        }
        assert!(sieve.may_have(seen, 300));
    }
}
