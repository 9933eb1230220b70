//! Queries of scoutfish.
//!
//! They are objects in JSON, as scoutfish documents them: `sub-fen`, `material`, `imbalance`, `moved`,
//! `captured`, `white-move`, `black-move`, `stm`, `pass`, `result`, `result-type`, `sequence`,
//! `streak`, `skip` and `limit`. All rules of a condition hold in one position. With a rule about a
//! move, `stm` is the side that has made it; without one, the side to move.
//!
//! ```
//! use tabiya_search::scout::Scout;
//!
//! let scout: Scout = r#"{ "stm": "black", "captured": "QR", "limit": 10 }"#.parse()?;
//! assert_eq!(scout.query, "captured(QRqr) and moved(a)".parse()?);
//! assert_eq!(scout.limit, Some(10));
//! # Ok::<(), tabiya_search::ParseError>(())
//! ```

use std::str::FromStr;

use serde_json::{Map, Value};
use tabiya_chess::{Color, Role};
use tabiya_game::GameResult;

use crate::{ParseError, Pieces, Query, Streak, Test};

/// What a query of scoutfish asks.
#[derive(Clone, PartialEq, Debug)]
pub struct Scout {
    /// The question.
    pub query: Query,
    /// How many games that answer it are left out first.
    pub skip: u64,
    /// How many are wanted at most.
    pub limit: Option<u64>,
}

impl FromStr for Scout {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Scout, ParseError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| ParseError::because("not JSON", text, &error))?;
        let rules = object(&value)?;
        let number = |name| match rules.get(name) {
            None => Ok(None),
            Some(value) => value
                .as_u64()
                .map(Some)
                .ok_or_else(|| wrong("a number from 0", value)),
        };
        let (skip, limit) = (number("skip")?, number("limit")?);
        let mut found = Found::default();
        let streaks = found.element(rules)?;
        found.queries.insert(0, question(streaks));
        let query = match found.queries.len() {
            1 => found.queries.remove(0),
            _ => Query::All(found.queries),
        };
        Ok(Scout {
            query,
            skip: skip.unwrap_or(0),
            limit,
        })
    }
}

/// One test alone is asked of any position.
fn question(mut streaks: Vec<Streak>) -> Query {
    match &mut streaks[..] {
        [streak] if streak.len() == 1 => Query::Somewhere(streak.remove(0)),
        _ => Query::Sequence(streaks),
    }
}

/// What is asked of the game, wherever it is said.
#[derive(Default)]
struct Found {
    queries: Vec<Query>,
}

impl Found {
    /// A condition, a streak or a sequence.
    fn element(&mut self, rules: &Map<String, Value>) -> Result<Vec<Streak>, ParseError> {
        let Some((name, list)) = rules
            .get_key_value("sequence")
            .or_else(|| rules.get_key_value("streak"))
        else {
            return Ok(vec![vec![self.condition(rules)?]]);
        };
        if let Some(other) = rules
            .keys()
            .find(|key| *key != name && !matches!(key.as_str(), "skip" | "limit"))
        {
            return Err(ParseError::new(
                "a sequence or a streak stands alone, without",
                other,
            ));
        }
        let list = list
            .as_array()
            .filter(|list| !list.is_empty())
            .ok_or_else(|| wrong("a list of conditions", list))?;
        let mut streaks: Vec<Streak> = Vec::new();
        for value in list {
            let rules = object(value)?;
            if name == "sequence" && !rules.contains_key("sequence") {
                streaks.extend(self.element(rules)?);
            } else if streaks.is_empty() {
                streaks.push(vec![self.condition(rules)?]);
            } else {
                let condition = self.condition(rules)?;
                streaks[0].push(condition);
            }
        }
        Ok(streaks)
    }

    fn condition(&mut self, rules: &Map<String, Value>) -> Result<Test, ParseError> {
        let mut tests = Vec::new();
        let about_a_move = ["moved", "captured", "white-move", "black-move"]
            .iter()
            .any(|name| rules.contains_key(*name));
        for (name, value) in rules {
            match name.as_str() {
                "skip" | "limit" => {}
                "result" => self.queries.push(Query::Result(results(value)?)),
                "result-type" => self.queries.push(Query::Ends(result_type(value)?)),
                _ => tests.push(rule(name, value, about_a_move)?),
            }
        }
        Ok(match tests.len() {
            1 => tests.remove(0),
            _ => Test::All(tests),
        })
    }
}

fn rule(name: &str, value: &Value, about_a_move: bool) -> Result<Test, ParseError> {
    match name {
        "pass" => Ok(Test::All(Vec::new())),
        "sub-fen" => any(value, |text| {
            // What follows the board of a whole FEN does not count.
            let board = text.split_whitespace().next().unwrap_or_default();
            Ok(Test::Pattern(board.parse()?))
        }),
        "material" => any(value, |text| Ok(Test::Material(text.parse()?))),
        "imbalance" => any(value, imbalance),
        "white-move" => played(value, Color::White),
        "black-move" => played(value, Color::Black),
        "moved" => Ok(Test::Moved(pieces(string(value)?)?)),
        "captured" => match string(value)? {
            "" => Ok(Test::Captured(Pieces::EMPTY)),
            text => Ok(Test::Captured(pieces(text)?)),
        },
        "stm" => {
            let color = match string(value)?.to_ascii_lowercase().as_str() {
                "white" => Color::White,
                "black" => Color::Black,
                other => return Err(ParseError::new("not white or black", other)),
            };
            Ok(match about_a_move {
                true => Test::Moved(Pieces::of_side(color)),
                false => Test::Turn(color),
            })
        }
        _ => Err(ParseError::new("no such rule", name)),
    }
}

fn object(value: &Value) -> Result<&Map<String, Value>, ParseError> {
    value
        .as_object()
        .ok_or_else(|| wrong("an object of rules", value))
}

fn string(value: &Value) -> Result<&str, ParseError> {
    value.as_str().ok_or_else(|| wrong("a text", value))
}

/// Other JSON than was expected.
fn wrong(expected: &'static str, value: &Value) -> ParseError {
    ParseError::because(
        "not what belongs here",
        &value.to_string(),
        &format!("expected {expected}"),
    )
}

/// The texts of a value, which is one or a list of them.
fn strings(value: &Value) -> Result<Vec<&str>, ParseError> {
    match value.as_array() {
        None => Ok(vec![string(value)?]),
        Some(list) => list.iter().map(string).collect(),
    }
}

/// A test for each text, any of which may hold.
fn any(value: &Value, test: impl Fn(&str) -> Result<Test, ParseError>) -> Result<Test, ParseError> {
    let mut tests = strings(value)?
        .into_iter()
        .map(test)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(match tests.len() {
        1 => tests.remove(0),
        _ => Test::Any(tests),
    })
}

/// What White has more before the `v`, and Black behind it; of the rest they have the same.
fn imbalance(text: &str) -> Result<Test, ParseError> {
    let wrong = || ParseError::new("not an imbalance such as PPvN", text);
    let (white, black) = text.split_once('v').ok_or_else(wrong)?;
    let mut surplus = [0i32; 5];
    for (side, sign) in [(white, 1), (black, -1)] {
        for letter in side.chars() {
            let role = Role::from_letter(letter).ok_or_else(wrong)?;
            *surplus.get_mut(role as usize).ok_or_else(wrong)? += sign;
        }
    }
    let term = |(role, surplus): (Role, i32)| {
        let letter = role.letter();
        format!("{letter}-{}={surplus}", letter.to_ascii_lowercase())
    };
    let terms: Vec<String> = Role::ALL.into_iter().zip(surplus).map(term).collect();
    Ok(Test::Material(terms.join(" ").parse()?))
}

fn played(value: &Value, color: Color) -> Result<Test, ParseError> {
    let plain = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
    let moves = strings(value)?.into_iter().map(plain).collect();
    Ok(Test::All(vec![
        Test::Moved(Pieces::of_side(color)),
        Test::Played(moves),
    ]))
}

/// Pieces of either side.
fn pieces(text: &str) -> Result<Pieces, ParseError> {
    let mut pieces = Pieces::NONE;
    for letter in text.chars() {
        let role = Role::from_letter(letter.to_ascii_uppercase());
        let role = role.ok_or_else(|| ParseError::new("not a piece", text))?;
        pieces = pieces | Pieces::of_role(role);
    }
    Ok(pieces)
}

fn results(value: &Value) -> Result<Vec<GameResult>, ParseError> {
    let result = |text: &str| {
        text.parse::<GameResult>()
            .map_err(|_| ParseError::new("not a result such as 1-0", text))
    };
    strings(value)?.into_iter().map(result).collect()
}

fn result_type(value: &Value) -> Result<Test, ParseError> {
    match string(value)? {
        "mate" => Ok(Test::Mate),
        "stalemate" => Ok(Test::Stalemate),
        other => Err(ParseError::new("not mate or stalemate", other)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Seeker,
        testing::{Told, tell},
    };

    use super::*;

    fn asks(json: &str, text: &str) {
        let scout: Scout = json
            .parse()
            .unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(scout.query, text.parse().unwrap(), "{json}");
    }

    #[test]
    fn the_documented_rules_are_understood() {
        asks(
            r#"{ "sub-fen": "8/8/p7/8/8/1B3N2/8/8" }"#,
            "pattern(8/8/p7/8/8/1B3N2/8/8)",
        );
        asks(
            r#"{ "sub-fen": ["8/8/8/q7/8/8/8/8", "8/8/8/r7/8/8/8/8"] }"#,
            "pattern(8/8/8/q7/8/8/8/8) or pattern(8/8/8/r7/8/8/8/8)",
        );
        asks(
            r#"{ "material": ["KBNKNN", "KBNPKNN"] }"#,
            "material(KBNKNN) or material(KBNPKNN)",
        );
        asks(
            r#"{ "imbalance": "PPvN" }"#,
            "material(P-p=2 N-n=-1 B-b=0 R-r=0 Q-q=0)",
        );
        asks(
            r#"{ "imbalance": "PPPv" }"#,
            "material(P-p=3 N-n=0 B-b=0 R-r=0 Q-q=0)",
        );
        asks(r#"{"white-move": "e8=Q"}"#, "moved(A) and played(e8=Q)");
        asks(
            r#"{"black-move": ["O-O-O", "O-O"]}"#,
            "moved(a) and played(O-O-O O-O)",
        );
        asks(
            r#"{"moved": "KP", "captured": "Q" }"#,
            "captured(Qq) and moved(KkPp)",
        );
        asks(r#"{"captured": "" }"#, "captured()");
        asks(r#"{"stm": "black" }"#, "turn(black)");
        let scout: Scout = r#"{ "result": ["1-0", "0-1"] }"#.parse().unwrap();
        let decided = Query::Result(vec![GameResult::WhiteWins, GameResult::BlackWins]);
        let anywhere = Query::Somewhere(Test::All(Vec::new()));
        assert_eq!(scout.query, Query::All(vec![anywhere, decided]));
        asks(
            r#"{"moved": "P", "result-type": "mate"}"#,
            "moved(Pp) and ends(mate)",
        );
    }

    #[test]
    fn conditions_follow_each_other() {
        asks(
            r#"{ "sequence": [ { "material": "KRKR", "result": "1-0" }, { "captured": "R" } ] }"#,
            "sequence(material(KRKR); captured(Rr)) and result(1-0)",
        );
        asks(
            r#"{ "streak": [ { "white-move": "e5"}, { "captured": "" }, { "white-move": "f5" } ] }"#,
            "streak(moved(A) and played(e5); captured(); moved(A) and played(f5))",
        );
        asks(
            r#"{ "sequence": [ { "captured": "P"}, { "streak": [ { "captured": "Q" }, { "captured": "" } ] } ] }"#,
            "sequence(captured(Pp); streak(captured(Qq); captured()))",
        );
    }

    #[test]
    fn skip_and_limit_are_not_questions() {
        let scout: Scout = r#"{"skip": 50, "limit": 10, "white-move": "O-O-O"}"#
            .parse()
            .unwrap();
        assert_eq!((scout.skip, scout.limit), (50, Some(10)));
        assert_eq!(scout.query, "moved(A) and played(O-O-O)".parse().unwrap());
    }

    /// Where a game answers a query.
    fn finds(json: &str, moves: &str, result: GameResult) -> Option<u32> {
        let scout: Scout = json.parse().unwrap();
        let mut seeker = Seeker::new(&scout.query);
        let told = Told {
            moves,
            result,
            ..Told::default()
        };
        tell(&told, &mut seeker);
        seeker.found()
    }

    fn finds_in(json: &str, moves: &str) -> Option<u32> {
        finds(json, moves, GameResult::Unknown)
    }

    const FOOLS_MATE: &str = "f3 e5 g4 Qh4#";

    #[test]
    fn sub_fen_finds_pieces_on_their_squares_and_full_positions() {
        let query = r#"{ "sub-fen": "8/8/p7/8/8/1B3N2/8/8" }"#;
        let spanish = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 Bb3";
        assert_eq!(finds_in(query, spanish), Some(9));
        assert_eq!(finds_in(query, FOOLS_MATE), None);
        let either = r#"{ "sub-fen": ["8/8/8/q7/8/8/8/8", "8/8/8/r7/8/8/8/8"] }"#;
        assert_eq!(finds_in(either, "e4 d5 exd5 Qxd5 Nc3 Qa5"), Some(6));
        assert_eq!(finds_in(either, "e4 a5 d4 a4 c4 Ra5"), Some(6));
        let openings = r#"{ "sub-fen": ["rnbqkbnr/pp1p1ppp/2p5/4p3/3PP3/8/PPP2PPP/RNBQKBNR",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R"] }"#;
        assert_eq!(finds_in(openings, "e4 c5 Nf3 d6"), Some(3));
        assert_eq!(finds_in(openings, "e4 c6 d4 e5"), Some(4));
        assert_eq!(finds_in(openings, "e4 e5"), None);
    }

    #[test]
    fn results_are_asked_alone_and_with_other_rules() {
        let query = r#"{ "sub-fen": "8/pp1p1ppp/2p5/4p3/3PP3/8/PPP2PPP/8", "result": "1-0" }"#;
        assert_eq!(finds(query, "e4 c6 d4 e5", GameResult::WhiteWins), Some(4));
        assert_eq!(finds(query, "e4 c6 d4 e5", GameResult::Draw), None);
        let decided = r#"{ "result": ["1-0", "0-1"] }"#;
        assert_eq!(finds(decided, "e4", GameResult::BlackWins), Some(0));
        assert_eq!(finds(decided, "e4", GameResult::Draw), None);
        let mated = r#"{ "result": "0-1", "result-type": "mate" }"#;
        assert_eq!(finds(mated, FOOLS_MATE, GameResult::BlackWins), Some(4));
        assert_eq!(finds(mated, "f3 e5", GameResult::BlackWins), None);
    }

    #[test]
    fn material_and_imbalance_are_counted() {
        let query = r#"{ "sub-fen": "1n2k1n1/8/8/8/8/8/8/2B1K1N1", "material": "KBNKNN" }"#;
        assert_eq!(
            finds_in(query, "e4 e5"),
            None,
            "the sub-fen alone fits any start"
        );
        let up = r#"{ "imbalance": ["PPPv", "PPv"] }"#;
        assert_eq!(finds_in(up, "e4 d5 exd5 c6 dxc6"), Some(5));
        assert_eq!(finds_in(up, "e4 d5 exd5"), None);
        let pawn_down = r#"{ "streak": [ { "imbalance": "vP" }, { "imbalance": "vP" }, { "imbalance": "vP" } ] }"#;
        assert_eq!(finds_in(pawn_down, "e4 e5 f4 exf4 Nf3 g5"), Some(6));
        assert_eq!(finds_in(pawn_down, "d4 d5 c4 dxc4 e4 e5 Bxc4"), Some(6));
        assert_eq!(finds_in(pawn_down, "e4 d5 Nc3 dxe4 Nxe4"), None);
    }

    #[test]
    fn moves_and_captures_are_found() {
        let castles = r#"{"black-move": ["O-O-O", "O-O"]}"#;
        assert_eq!(finds_in(castles, "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"), Some(8));
        assert_eq!(finds_in(castles, "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O"), None);
        let recaptured = r#"{"moved": "KP", "captured": "Q" }"#;
        let exchange = "e4 d6 d4 e5 dxe5 dxe5 Qxd8 Kxd8";
        assert_eq!(finds_in(recaptured, exchange), Some(8));
        assert_eq!(
            finds_in(r#"{"captured": "" }"#, exchange),
            Some(1),
            "a quiet move"
        );
        let by_black = r#"{"stm": "black", "captured": "QR" }"#;
        assert_eq!(finds_in(by_black, exchange), Some(8));
        let by_white = r#"{"stm": "white", "captured": "QR" }"#;
        assert_eq!(finds_in(by_white, exchange), Some(7));
        assert_eq!(finds_in(r#"{"pass": "" }"#, exchange), Some(0));
    }

    #[test]
    fn a_bishop_goes_its_way_in_a_sequence() {
        let query = r#"{ "sequence": [
            { "sub-fen": "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/2N2N2/PPPP1PPP/R1BQK2R", "result": "1-0" },
            { "sub-fen": "8/8/8/8/2B5/8/8/8" },
            { "sub-fen": "8/8/8/8/8/5B2/8/8" } ] }"#;
        let moves = "e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 a6 Bc4 b5 Be2 d6 Ng1 h6 Bf3";
        assert_eq!(finds(query, moves, GameResult::WhiteWins), Some(15));
        assert_eq!(finds(query, moves, GameResult::Draw), None);
    }

    #[test]
    fn a_streak_in_a_sequence_has_no_gaps_and_what_follows_may_wait() {
        let query = r#"{ "sequence": [
            { "sub-fen": "rnbqkb1r/pp1p1ppp/4pn2/2pP4/2P5/2N5/PP2PPPP/R1BQKBNR"},
            { "streak": [ { "white-move": "e5"}, { "black-move": "dxe5"}, { "white-move": "f5"} ] },
            { "white-move": "Ne4"} ] }"#;
        let benoni = "d4 Nf6 c4 c5 d5 e6 Nc3 exd5 cxd5 d6 e4 g6 f4 Bg7";
        let clear = format!("{benoni} e5 dxe5 f5 gxf5 Ne4");
        assert_eq!(finds_in(query, &clear), Some(19));
        let late = format!("{benoni} e5 dxe5 f5 gxf5 h3 h6 Ne4");
        assert_eq!(finds_in(query, &late), Some(21));
        let gap = format!("{benoni} e5 dxe5 h3 h6 f5 gxf5 Ne4");
        assert_eq!(finds_in(query, &gap), None);
    }

    #[test]
    fn a_net_queen_is_not_taken_back() {
        let net = r#"{ "streak": [ { "captured": "" }, { "stm": "white", "captured": "Q" }, { "captured": "" } ] }"#;
        assert_eq!(finds_in(net, "e4 e5 Nf3 Qg5 Nxg5 h6"), Some(6));
        assert_eq!(finds_in(net, "e4 d6 d4 e5 dxe5 dxe5 Qxd8 Kxd8"), None);
        let any_reply =
            r#"{ "streak": [ { "white-move": "e5"}, { "pass": "" }, { "white-move": "f5" } ] }"#;
        assert_eq!(finds_in(any_reply, "e4 a6 f4 b6 e5 c6 f5"), Some(7));
        assert_eq!(finds_in(any_reply, "e4 a6 f4 b6 e5 c6 h3 d6 f5"), None);
    }

    #[test]
    fn what_scoutfish_would_not_understand_is_refused() {
        for wrong in [
            "",
            "[]",
            "{",
            r#"{"sub-fen": 1}"#,
            r#"{"sub-fen": "8/8"}"#,
            r#"{"nonsense": ""}"#,
            r#"{"sequence": []}"#,
            r#"{"sequence": [1]}"#,
            r#"{"streak": [{"streak": []}]}"#,
            r#"{"sequence": [{"pass": ""}], "stm": "white"}"#,
            r#"{"imbalance": "PP"}"#,
            r#"{"imbalance": "KvQ"}"#,
            r#"{"moved": "X"}"#,
            r#"{"limit": -1, "pass": ""}"#,
            r#"{"result-type": "draw"}"#,
            r#"{"stm": "grey"}"#,
        ] {
            assert!(wrong.parse::<Scout>().is_err(), "{wrong}");
        }
    }
}
