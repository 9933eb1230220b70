//! Questions as text.
//!
//! Terms are joined by `and`, `or`, `not` and parentheses; `and` binds tighter than `or`. Tests ask
//! about **one** position: `check and material(KRKN)` is a position with that material in which
//! somebody is in check. What a game is asked can be joined with anything: `manoeuvre(Nf3-d2) and
//! check` is a game with that manoeuvre and, somewhere in it, a check.
//!
//! | test | the position |
//! |---|---|
//! | `fen(FEN)`, `loose(FEN)` | is that one; without regard to castling rights and en passant |
//! | `moves(1. e4 c5)` | is the one after these moves, however it came about |
//! | `pattern(…)`, `mirrored(…)` | has that [pattern](crate::pattern); or its mirror image |
//! | `material(…)` | has that [material](crate::material) |
//! | `pawns(…)` | has that [pawn structure](crate::pawns) |
//! | `similar(N FEN)` | is no further than N from that one ([distance](crate::similar)) |
//! | `turn(white)`, `check`, `mate`, `stalemate` | the side to move, and how it is |
//! | `castled(white)`, `castled(black queenside)` | that side has castled by now |
//! | `moved(KQ)`, `captured(q)`, `captured()` | was reached by a move of one of these pieces, by a capture of one of these, by no capture |
//! | `played(Bxh7 Bxh2)` | was reached by one of these moves |
//! | `underpromotion` | was reached by a pawn that became a knight, a bishop or a rook |
//! | `ply(10..20)` | so many plies have been played |
//!
//! | game | |
//! |---|---|
//! | `somewhere(TEST)`, `never(TEST)` | some position passes the test; none does |
//! | `held(N, TEST)` | N positions one after the other pass it |
//! | `sequence(TEST; TEST; …)` | positions pass these tests one after the other, with others between; one of them may be a `streak` |
//! | `streak(TEST; TEST; …)` | the same directly one after the other |
//! | `manoeuvre(Nf3-d2-f1-g3)` | a piece goes that [way](crate::path) |
//! | `sacrifice(N)` | material is given and not regained within N plies ([`Seeker`](crate::Seeker)) |
//! | `ends(TEST)` | the last position passes it |
//! | `result(1-0 0-1)` | it ends with one of these results |
//! | `flip(…)` | this, or the same with the colours exchanged |
//!
//! ```
//! use tabiya_search::Query;
//!
//! let query: Query = "flip(pattern(Bh7 kg8) and played(Bxh7)) or sacrifice(10)".parse()?;
//! let error = "chekc".parse::<Query>().unwrap_err();
//! assert_eq!(error.to_string(), "no such question: \"chekc\"");
//! # Ok::<(), tabiya_search::ParseError>(())
//! ```

use std::str::FromStr;

use tabiya_chess::Color;
use tabiya_game::GameResult;

use crate::{Exact, ParseError, Pattern, Pieces, Query, Test, Wing, played};

/// Questions in questions go no deeper, so that no text exhausts the stack.
const DEEPEST: usize = 50;

/// A test, or what only a whole game answers.
#[derive(Clone)]
enum Part {
    Test(Test),
    Query(Query),
}

impl Part {
    fn query(self) -> Query {
        match self {
            Part::Test(test) => Query::Somewhere(test),
            Part::Query(query) => query,
        }
    }

    fn test(self, text: &str) -> Result<Test, ParseError> {
        match self {
            Part::Test(test) => Ok(test),
            Part::Query(_) => Err(ParseError::new("one position cannot answer this", text)),
        }
    }

    /// Several, joined: tests ask about one position as long as they are among themselves.
    fn join(
        mut parts: Vec<Part>,
        tests: fn(Vec<Test>) -> Test,
        queries: fn(Vec<Query>) -> Query,
    ) -> Part {
        if parts.len() == 1 {
            return parts.remove(0);
        }
        match parts.iter().all(|part| matches!(part, Part::Test(_))) {
            true => {
                let test = |part| match part {
                    Part::Test(test) => Some(test),
                    Part::Query(_) => None,
                };
                Part::Test(tests(parts.into_iter().filter_map(test).collect()))
            }
            false => Part::Query(queries(parts.into_iter().map(Part::query).collect())),
        }
    }
}

impl FromStr for Query {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Query, ParseError> {
        whole(text, 0).map(Part::query)
    }
}

impl FromStr for Test {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Test, ParseError> {
        whole(text, 0)?.test(text)
    }
}

/// The question of a name and what would stand behind it in parentheses, if anything: `("castled",
/// Some("white"))` is `castled(white)`.
///
/// ```
/// use tabiya_search::{Query, parse};
///
/// let query = parse::question("streak", Some("check; mate"))?;
/// assert_eq!(query, "streak(check; mate)".parse()?);
/// assert!(parse::question("castled", Some("white) or (check")).is_err());
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
///
/// # Errors
/// If there is no such question, or it cannot be understood.
pub fn question(name: &str, argument: Option<&str>) -> Result<Query, ParseError> {
    named(name, argument, 1).map(Part::query)
}

fn named(name: &str, argument: Option<&str>, depth: usize) -> Result<Part, ParseError> {
    if let Some(test) = plain_test(name, argument)? {
        return Ok(Part::Test(test));
    }
    let unknown = || ParseError::new("no such question", name);
    let argument = argument.ok_or_else(unknown)?;
    game_question(name, argument, depth)?.ok_or_else(unknown)
}

/// All of a text.
fn whole(text: &str, depth: usize) -> Result<Part, ParseError> {
    let mut parser = Parser { rest: text, depth };
    let part = parser.any()?;
    match parser.rest.trim_start() {
        "" => Ok(part),
        rest => Err(ParseError::new("expected and, or, or the end", rest)),
    }
}

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn any(&mut self) -> Result<Part, ParseError> {
        let mut parts = vec![self.all()?];
        while self.word("or") {
            parts.push(self.all()?);
        }
        Ok(Part::join(parts, Test::Any, Query::Any))
    }

    fn all(&mut self) -> Result<Part, ParseError> {
        let mut parts = vec![self.one()?];
        while self.word("and") {
            parts.push(self.one()?);
        }
        Ok(Part::join(parts, Test::All, Query::All))
    }

    fn one(&mut self) -> Result<Part, ParseError> {
        let mut negated = false;
        while self.word("not") {
            negated = !negated;
        }
        self.rest = self.rest.trim_start();
        let part = match self.rest.starts_with('(') {
            true => whole(self.argument()?.unwrap_or_default(), self.deeper()?)?,
            false => self.term()?,
        };
        Ok(match (negated, part) {
            (false, part) => part,
            (true, Part::Test(test)) => Part::Test(Test::Not(Box::new(test))),
            (true, Part::Query(query)) => Part::Query(Query::Not(Box::new(query))),
        })
    }

    fn deeper(&self) -> Result<usize, ParseError> {
        match self.depth < DEEPEST {
            true => Ok(self.depth + 1),
            false => Err(ParseError::new("too many parentheses", self.rest)),
        }
    }

    /// Goes on behind a word, if it is the next one.
    fn word(&mut self, word: &str) -> bool {
        let text = self.rest.trim_start();
        let Some(rest) = text.strip_prefix(word) else {
            return false;
        };
        let ends = !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '-');
        if ends {
            self.rest = rest;
        }
        ends
    }

    /// What stands in parentheses, if they are next.
    fn argument(&mut self) -> Result<Option<&'t str>, ParseError> {
        let text = self.rest.trim_start();
        if !text.starts_with('(') {
            return Ok(None);
        }
        let mut open = 0;
        for (at, letter) in text.char_indices() {
            match letter {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                self.rest = &text[at + 1..];
                return Ok(Some(&text[1..at]));
            }
        }
        Err(ParseError::new("a parenthesis is not closed", text))
    }

    fn term(&mut self) -> Result<Part, ParseError> {
        let text = self.rest;
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '-';
        let end = text.find(|letter| !is_name(letter)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if name.is_empty() {
            return Err(ParseError::new("expected a question", text));
        }
        self.rest = rest;
        let depth = self.deeper()?;
        let argument = self.argument()?;
        named(name, argument, depth)
    }
}

/// Tests whose argument is no question.
fn plain_test(name: &str, argument: Option<&str>) -> Result<Option<Test>, ParseError> {
    let Some(argument) = argument else {
        return Ok(match name {
            "check" => Some(Test::Check),
            "mate" => Some(Test::Mate),
            "stalemate" => Some(Test::Stalemate),
            "underpromotion" => Some(Test::Underpromotion),
            _ => None,
        });
    };
    Ok(Some(match name {
        "fen" => Test::Exact(Exact::from_fen(argument)?),
        "loose" => Test::Exact(Exact::from_fen(argument)?.loose(true)),
        "moves" => Test::Exact(Exact::after_moves(argument)?),
        "pattern" => Test::Pattern(argument.parse()?),
        "mirrored" => {
            let pattern: Pattern = argument.parse()?;
            Test::Any(vec![
                Test::Pattern(pattern.mirrored()),
                Test::Pattern(pattern),
            ])
        }
        "material" => Test::Material(argument.parse()?),
        "pawns" => Test::Pawns(argument.parse()?),
        "similar" => similar(argument)?,
        "turn" => Test::Turn(side(argument.trim())?),
        "castled" => castled(argument)?,
        "moved" => Test::Moved(pieces(argument)?),
        "captured" if argument.trim().is_empty() => Test::Captured(Pieces::EMPTY),
        "captured" => Test::Captured(pieces(argument)?),
        "played" => Test::Played(moves(argument)?),
        "ply" => Test::Ply(
            argument
                .parse()
                .map_err(|_| ParseError::new("not a number of plies", argument))?,
        ),
        _ => return Ok(None),
    }))
}

/// Questions about questions.
fn game_question(name: &str, argument: &str, depth: usize) -> Result<Option<Part>, ParseError> {
    let test = |text: &str| whole(text, depth)?.test(text);
    let tests = || {
        split(argument, ';')
            .map(test)
            .collect::<Result<Vec<_>, _>>()
    };
    Ok(Some(Part::Query(match name {
        "somewhere" => Query::Somewhere(test(argument)?),
        "never" => Query::Not(Box::new(whole(argument, depth)?.query())),
        "held" => {
            let (plies, rest) = argument
                .split_once(',')
                .ok_or_else(|| ParseError::new("held(N, TEST) takes two", argument))?;
            Query::Held(number(plies)?, test(rest)?)
        }
        "sequence" => {
            let streak = |text: &str| match whole(text, depth)? {
                Part::Query(Query::Sequence(mut streaks)) if streaks.len() == 1 => {
                    Ok(streaks.remove(0))
                }
                part => part.test(text).map(|test| vec![test]),
            };
            Query::Sequence(split(argument, ';').map(streak).collect::<Result<_, _>>()?)
        }
        "streak" => Query::Sequence(vec![tests()?]),
        "ends" => Query::Ends(test(argument)?),
        "result" => Query::Result(results(argument)?),
        "manoeuvre" => Query::Manoeuvre(argument.parse()?),
        "sacrifice" => Query::Sacrifice(number(argument)?),
        "flip" => {
            return whole(argument, depth).map(|part| {
                Some(match part {
                    Part::Test(test) => Part::Test(Test::Any(vec![test.flipped(), test])),
                    Part::Query(query) => Part::Query(Query::Any(vec![query.flipped(), query])),
                })
            });
        }
        _ => return Ok(None),
    })))
}

/// The parts between separators that stand in no parentheses.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut open = 0;
    text.split(move |letter| {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        letter == separator && open == 0
    })
}

fn number(text: &str) -> Result<u32, ParseError> {
    match text.trim().parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err(ParseError::new("not a number from 1", text)),
    }
}

fn side(text: &str) -> Result<Color, ParseError> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(ParseError::new("not white or black", text)),
    }
}

fn results(text: &str) -> Result<Vec<GameResult>, ParseError> {
    let result = |word: &str| {
        let result = word.parse::<GameResult>();
        result.map_err(|_| ParseError::new("not a result such as 1-0", word))
    };
    text.split_whitespace().map(result).collect()
}

fn castled(text: &str) -> Result<Test, ParseError> {
    let (color, wing) = match text.trim().split_once(' ') {
        None => (text.trim(), None),
        Some((color, wing)) => (color, Some(wing.trim())),
    };
    let wing = match wing {
        None => None,
        Some("kingside") => Some(Wing::King),
        Some("queenside") => Some(Wing::Queen),
        Some(wing) => return Err(ParseError::new("not kingside or queenside", wing)),
    };
    Ok(Test::Castled(side(color)?, wing))
}

fn pieces(text: &str) -> Result<Pieces, ParseError> {
    let mut pieces = Pieces::NONE;
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        let piece = Pieces::from_letter(letter);
        pieces = pieces | piece.ok_or_else(|| ParseError::new("not a piece", text))?;
    }
    match pieces == Pieces::NONE {
        true => Err(ParseError::new("not a piece", text)),
        false => Ok(pieces),
    }
}

fn moves(text: &str) -> Result<Vec<String>, ParseError> {
    let plain = |san: &str| san.trim_end_matches(['+', '#', '!', '?']).replace('0', "O");
    let moves: Vec<String> = text.split_whitespace().map(plain).collect();
    let is_move = |san: &String| played::target(san).is_some() || san == "O-O" || san == "O-O-O";
    match moves.iter().all(is_move) && !moves.is_empty() {
        true => Ok(moves),
        false => Err(ParseError::new("not a move", text)),
    }
}

fn similar(text: &str) -> Result<Test, ParseError> {
    let wrong = || ParseError::new("similar(N FEN) takes a number and a FEN", text);
    let (number, fen) = text.trim().split_once(' ').ok_or_else(wrong)?;
    let most = number.parse().map_err(|_| wrong())?;
    let position = *Exact::from_fen(fen)?.position();
    Ok(Test::Similar(Box::new(position), most))
}
