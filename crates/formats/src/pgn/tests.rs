//! What the wild holds, one test a row; and that writing and reading are inverse.

use std::fmt::Write as _;

use proptest::prelude::*;
use tabiya_chess::{Move, Position, Setup, Variant};
use tabiya_game::{
    Annotation, CommentPlace, Event, Flow, GameErrorKind, GameResult, GameSink, GameState,
    GameTree, Item, Limits, LossKind, Nag, Needs, Place,
};

use super::{Parser, Pgn, ReadOptions, WriteOptions, Writer};
use crate::Database as _;

/// Writes down what it hears, game by game.
#[derive(Default)]
struct Told {
    games: Vec<String>,
    needs: Option<Needs>,
}

impl GameSink for Told {
    fn needs(&mut self) -> Needs {
        self.needs.unwrap_or(Needs::ALL)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.games.push(String::new());
        }
        let text = self.games.last_mut().expect("a game has started");
        let written = match event {
            Event::GameStart(_) => Ok(()),
            Event::Tag { name, value } => write!(text, "[{name}={value}] "),
            Event::Start(position) if *position == Position::initial() => Ok(()),
            Event::Start(position) => write!(text, "<{} {position}> ", position.variant()),
            Event::Move { before, play, .. } => write!(text, "{} ", before.san(play)),
            Event::Null { .. } => write!(text, "-- "),
            Event::Missing => write!(text, "missing "),
            Event::Nag(nag) => write!(text, "{nag} "),
            Event::Comment(comment) => match comment.place {
                CommentPlace::Before => write!(text, "{{{}}}> ", comment.text),
                CommentPlace::After => write!(text, "<{{{}}} ", comment.text),
            },
            Event::Annotation(annotation) => write!(text, "{annotation:?} "),
            Event::Error(error) => {
                write!(text, "?{} {} {:?}? ", error.origin(), error.kind, error.raw)
            }
            Event::VariationStart => write!(text, "( "),
            Event::VariationEnd => write!(text, ") "),
            Event::GameEnd { result, state } => {
                let mark = if state == GameState::Broken {
                    " broken"
                } else {
                    ""
                };
                write!(text, "{}{mark}", result.tag())
            }
            other => write!(text, "{other:?} "),
        };
        written.expect("a String takes any text");
        Flow::Continue
    }
}

fn games(text: &str) -> Vec<String> {
    let mut told = Told::default();
    let mut parser = Parser::new(text);
    while parser.read_game(&mut told) {}
    told.games
}

/// All games in one line.
fn told(text: &str) -> String {
    games(text).join(" | ")
}

fn bytes_told(bytes: &[u8], options: ReadOptions) -> String {
    let mut told = Told::default();
    let mut pgn = Pgn::new(bytes, options);
    while let Some(part) = pgn.next_part().unwrap() {
        part.tell(&mut told).unwrap();
    }
    told.games.join(" | ")
}

fn written(text: &str) -> String {
    let mut writer = Writer::default();
    let mut parser = Parser::new(text);
    while parser.read_game(&mut writer) {}
    assert!(writer.losses().is_empty());
    String::from_utf8(writer.take()).unwrap()
}

mod bytes {
    use super::*;

    #[test]
    fn byte_order_mark() {
        assert_eq!(told("\u{feff}[White \"a\"]\n\n1. e4 *"), "[White=a] e4 *");
        let bytes = b"\xef\xbb\xbf1. e4 *";
        assert_eq!(bytes_told(bytes, ReadOptions::default()), "e4 *");
    }

    #[test]
    fn line_ends_of_all_systems() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("[White \"a\"]{end}{end}1. e4 {{x{end}y}}{end}e5 ;z{end}*{end}");
            assert_eq!(told(&text), "[White=a] e4 <{x y} e5 <{z} *", "{end:?}");
        }
    }

    #[test]
    fn nul_bytes() {
        assert_eq!(told("\0\x001. e4\0 e5 \0*\0"), "e4 e5 *");
    }

    #[test]
    fn windows_1252_or_utf_8_by_game() {
        let bytes =
            b"[White \"R\xe9ti\"]\n\n1. Nf3 {\x84q\x94} *\n\n[White \"R\xc3\xa9ti\"]\n\n1. c4 *";
        assert_eq!(
            bytes_told(bytes, ReadOptions::default()),
            "[White=Réti] Nf3 <{„q”} * | [White=Réti] c4 *"
        );
    }

    #[test]
    fn an_encoding_can_be_given() {
        let options = ReadOptions {
            encoding: Some(encoding_rs::WINDOWS_1251),
            ..ReadOptions::default()
        };
        assert_eq!(
            bytes_told(b"[White \"\xd2\xe0\xeb\xfc\"] *", options),
            "[White=Таль] *"
        );
    }
}

mod layout {
    use super::*;

    #[test]
    fn percent_lines_are_escapes() {
        assert_eq!(
            told("%x\n[White \"a\"]\n% y\n\n1. e4\n%z e5\n{%} *"),
            "[White=a] e4 <{%} *"
        );
    }

    #[test]
    fn no_empty_line_between_tags_and_moves() {
        assert_eq!(
            told("[White \"a\"]\n1. e4 *\n[White \"b\"]\n1. d4 *"),
            "[White=a] e4 * | [White=b] d4 *"
        );
    }

    #[test]
    fn games_glued_together() {
        let text = "[White \"a\"] 1. e4 1-0[White \"b\"] 1. d4 0-1 1. c4 c5 1/2-1/2";
        assert_eq!(
            told(text),
            "[White=a] e4 1-0 | [White=b] d4 0-1 | c4 c5 1/2-1/2"
        );
    }

    #[test]
    fn tags_after_moves_begin_a_game() {
        assert_eq!(
            told("1. e4 e5\n[White \"b\"]\n\n1. d4 *"),
            "e4 e5 * | [White=b] d4 *"
        );
    }

    #[test]
    fn several_tags_on_a_line() {
        assert_eq!(
            told("[White \"a\"] [Black \"b\"][Round \"1\"] 1. e4 *"),
            "[White=a] [Black=b] [Round=1] e4 *"
        );
    }

    #[test]
    fn an_empty_line_inside_the_tags() {
        assert_eq!(
            told("[White \"a\"]\n\n[Black \"b\"]\n\n1. e4 *"),
            "[White=a] [Black=b] e4 *"
        );
    }

    #[test]
    fn truncated_file() {
        let text = "[White \"a\"]\n\n1. e4 {good} e5 (1... c5) 2. Nf3 1-0\n";
        for end in 0..text.len() {
            let all = games(&text[..end]);
            assert!(all.len() <= 1, "{all:?}");
        }
        assert_eq!(
            told("1. e4 {goo"),
            "e4 ?1:7 unbalanced brackets \"{goo\"? * broken"
        );
    }

    #[test]
    fn headers_without_moves() {
        let text = "[Event \"x\"]\n[White \"a\"]\n\n[Event \"y\"]\n[White \"b\"]\n\n*\n";
        assert_eq!(told(text), "[Event=x] [White=a] * | [Event=y] [White=b] *");
        let text = "[White \"a\"]\n[Result \"1-0\"]\n\n[White \"b\"]\n[Result \"0-1\"]\n";
        assert_eq!(
            told(text),
            "[White=a] [Result=1-0] 1-0 | [White=b] [Result=0-1] 0-1"
        );
    }

    #[test]
    fn the_event_need_not_come_first() {
        assert_eq!(
            told("[White \"a\"]\n[Event \"x\"]\n\n1. e4 *"),
            "[White=a] [Event=x] e4 *"
        );
    }

    #[test]
    fn empty_file() {
        for text in ["", " \n\r\n\t", "\u{feff}", "% only an escape\n"] {
            assert_eq!(games(text), [""; 0], "{text:?}");
        }
    }
}

mod tags {
    use super::*;

    #[test]
    fn escaped_quotes_and_backslashes() {
        assert_eq!(
            told(r#"[Event "the \"big\" C:\\x"] *"#),
            r#"[Event=the "big" C:\x] *"#
        );
        assert_eq!(
            told(r#"[Event "the "big" one"] *"#),
            r#"[Event=the "big" one] *"#
        );
    }

    #[test]
    fn missing_quotes_or_brackets_are_errors_that_lose_nothing() {
        assert_eq!(
            told("[White \"a]\n[Black \"b\"]\n\n1. e4 *"),
            "[White=a] [Black=b] ?1:1 bad tag \"[White \\\"a]\"? e4 * broken"
        );
    }

    #[test]
    fn values_of_ten_kilobytes() {
        let value = "é".repeat(10_000);
        assert_eq!(
            told(&format!("[Event \"{value}\"] *")),
            format!("[Event={value}] *")
        );
    }

    #[test]
    fn names_of_digits_are_names_and_others_are_not() {
        assert_eq!(
            told("[2 \"a\"@ *"),
            "[2=a\"@ *] ?1:1 bad tag \"[2 \\\"a\\\"@ *\"? * broken"
        );
        assert_eq!(
            told("[_ \"a\"] *"),
            "?1:1 unreadable text \"[_ \\\"a\\\"]\"? * broken"
        );
    }

    #[test]
    fn repeated_and_unknown_tags_stay() {
        assert_eq!(
            told("[X_1 \"\"]\n[White \"a\"]\n[White \"b\"]\n[x \"y\"]\n\n*"),
            "[X_1=] [White=a] [White=b] [x=y] *"
        );
    }

    #[test]
    fn set_up_without_fen_and_the_reverse() {
        assert_eq!(told("[SetUp \"1\"]\n\n1. e4 *"), "[SetUp=1] e4 *");
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(
            told(&format!("[FEN \"{fen}\"]\n\n1. e4 *")),
            format!("[FEN={fen}] <standard {fen}> e4 *")
        );
    }

    #[test]
    fn a_bad_fen_keeps_the_moves_as_text() {
        assert_eq!(
            told("[FEN \"nonsense\"]\n\n1. e4 {x} e5 1-0"),
            "[FEN=nonsense] ?3:1 bad start position \"1. e4 {x} e5\"? 1-0 broken"
        );
    }
}

mod comments {
    use super::*;

    #[test]
    fn braces_and_semicolons() {
        assert_eq!(
            told("1. e4 {a} e5 ; b } c\n2. Nf3 *"),
            "e4 <{a} e5 <{ b } c} Nf3 *"
        );
    }

    #[test]
    fn several_in_a_row() {
        assert_eq!(
            told("1. e4 {a}{b} ;c\n{d} e5 *"),
            "e4 <{a} <{b} <{c} <{d} e5 *"
        );
    }

    #[test]
    fn before_the_first_move() {
        assert_eq!(told("{a} 1. {b} e4 *"), "{a}> {b}> e4 *");
    }

    #[test]
    fn between_a_number_and_its_move() {
        assert_eq!(told("1. e4 {a} 1... {b} e5 *"), "e4 <{a} {b}> e5 *");
    }

    #[test]
    fn before_and_after_a_variation() {
        assert_eq!(
            told("1. e4 {a} ({b} 1. d4 {c}) {d} e5 *"),
            "e4 <{a} ( {b}> d4 <{c} ) <{d} e5 *"
        );
    }

    #[test]
    fn nested_braces_that_balance_are_text() {
        assert_eq!(told("1. e4 {a {b} c} e5 *"), "e4 <{a {b} c} e5 *");
    }

    #[test]
    fn unbalanced_braces() {
        assert_eq!(told("1. e4 {a {b} e5 *"), "e4 <{a {b} e5 *");
        assert_eq!(
            told("1. e4 {a} } e5 *"),
            "e4 <{a} ?1:11 unbalanced brackets \"}\"? e5 * broken"
        );
        assert_eq!(
            told("[White \"a\"]\n\n1. e4 {open\n\n[White \"b\"]\n\n1. d4 {x} *"),
            "[White=a] e4 ?3:7 unbalanced brackets \"{open\"? * broken | [White=b] d4 <{x} *"
        );
    }

    #[test]
    fn ten_megabytes_of_text() {
        let long = "word ".repeat(2 << 20);
        let text = format!("1. e4 {{{long}}} e5 *");
        assert_eq!(told(&text), format!("e4 <{{{long}}} e5 *"));
        assert_eq!(
            bytes_told(text.as_bytes(), ReadOptions::default()),
            told(&text)
        );
        assert_eq!(told(&written(&text)).matches("word").count(), 2 << 20);
    }

    #[test]
    fn commands_of_other_programs_stay_verbatim() {
        let text = " [%eval 0.17]  [%clk 0:00:30] [%foo {] ";
        assert_eq!(
            told(&format!("1. e4 {{{text}}} e5 *")),
            format!("e4 <{{{text}}} e5 *")
        );
    }

    #[test]
    fn a_command_in_its_own_spelling_is_typed() {
        let clock = Annotation::Clock(std::time::Duration::from_secs(5399));
        assert_eq!(told("1. e4 {[%clk 1:29:59]} *"), format!("e4 {clock:?} *"));
    }
}

mod moves {
    use super::*;

    #[test]
    fn every_tolerance_of_san() {
        assert_eq!(
            told(
                "1. e2-e4 e7e5 2. ♘f3 Nb8-c6 3. Bf1c4+ Bc5!? 4. 0-0 Ng8f6 5. d4 exd4e.p. 6. Nxd4 *"
            ),
            "e4 e5 Nf3 Nc6 Bc4 Bc5 $5 O-O Nf6 d4 exd4 Nxd4 *"
        );
    }

    #[test]
    fn numbers_in_all_spellings() {
        for text in [
            "1.e4 e5 2.Nf3",
            "1. e4 e5 2. Nf3",
            "1 e4 e5 2 Nf3",
            "1.e4 1...e5 2.Nf3",
            "1. e4 1… e5 2. Nf3",
            "1 . e4 .. e5 2 . Nf3",
            "e4 e5 Nf3",
            "7. e4 7. e5 99. Nf3",
            "1e4 e5 2Nf3",
            "1. e4, e5, 2. Nf3",
        ] {
            assert_eq!(told(text), "e4 e5 Nf3 *", "{text}");
        }
    }

    #[test]
    fn null_moves() {
        assert_eq!(told("1. e4 -- 2. Z0 e5 *"), "e4 -- -- e5 *");
    }

    #[test]
    fn ten_thousand_plies() {
        let text = "Nf3 Nf6 Ng1 Ng8 ".repeat(2_500);
        assert_eq!(told(&text).split(' ').count(), 10_001);
    }

    #[test]
    fn uci_movetext() {
        assert_eq!(
            told("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 *"),
            "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O *"
        );
    }

    #[test]
    fn an_illegal_move_ends_its_line_and_keeps_the_rest() {
        assert_eq!(
            told("1. e4 e5 2. Ke3 {why} Nf6 (2... d5) 3. d4 1-0\n\n1. d4 *"),
            "e4 e5 ?1:13 illegal move \"Ke3 {why} Nf6 (2... d5) 3. d4\"? 1-0 broken | d4 *"
        );
        assert_eq!(
            told("1. e4 (1. d4 d5 2. Qd8 e5) e5 *"),
            "e4 ( d4 d5 ?1:20 illegal move \"Qd8 e5\"? ) e5 * broken"
        );
    }

    #[test]
    fn an_unreadable_or_ambiguous_move_says_so() {
        assert_eq!(
            told("1. e4 what *"),
            "e4 ?1:7 unreadable text \"what\"? * broken"
        );
        assert_eq!(
            told("1. Nf3 d5 2. d3 d4 3. Nd2 Nf6 *"),
            "Nf3 d5 d3 d4 ?1:23 ambiguous move \"Nd2 Nf6\"? * broken"
        );
    }
}

mod glyphs {
    use super::*;

    #[test]
    fn numbers_up_to_the_largest() {
        assert_eq!(
            told("1. e4 $0 $255 $256 $65535 *"),
            "e4 $0 $255 $256 $65535 *"
        );
        assert_eq!(
            told("1. e4 $65536 e5 *"),
            "e4 ?1:7 unreadable text \"$65536 e5\"? * broken"
        );
    }

    #[test]
    fn symbols_as_tokens() {
        assert_eq!(
            told("1. e4 ! ? !! ?? !? ?! ± ∓ ⩲ ⩱ +- -+ = ∞ □ N *"),
            "e4 $1 $2 $3 $4 $5 $6 $16 $17 $14 $15 $18 $19 $10 $13 $7 $146 *"
        );
    }

    #[test]
    fn symbols_stuck_to_the_move() {
        for (symbol, nag) in [
            ("!", 1),
            ("?", 2),
            ("!!", 3),
            ("??", 4),
            ("!?", 5),
            ("?!", 6),
            ("±", 16),
            ("∓", 17),
            ("⩲", 14),
            ("⩱", 15),
            ("+-", 18),
            ("-+", 19),
            ("=", 10),
            ("∞", 13),
            ("□", 7),
            ("N", 146),
        ] {
            assert_eq!(
                told(&format!("1. e4{symbol} e5 *")),
                format!("e4 ${nag} e5 *"),
                "{symbol}"
            );
        }
    }
}

mod plies_left_out {
    use super::*;

    fn written_and_read(items: &str) -> (String, String) {
        let movetext = written(items);
        let movetext = movetext.split("\n\n").nth(1).unwrap_or_default();
        (movetext.to_owned(), told(movetext))
    }

    #[test]
    fn are_null_moves_with_a_comment_for_others_to_read_on() {
        let text = "1. e4 -- {[%tabiya missing]} 2. d4 (2. c4) 2... d5 *";
        assert_eq!(told(text), "e4 missing d4 ( c4 ) d5 *");
        assert_eq!(written_and_read(text), (text.to_owned(), told(text)));
    }

    #[test]
    fn leave_the_turn_if_the_same_side_moves_on() {
        let text = "1. e4 {[%tabiya missing]} 1... e5 *";
        assert_eq!(told(text), "e4 missing e5 *");
        assert_eq!(written_and_read(text), (text.to_owned(), told(text)));
    }

    #[test]
    fn may_end_a_game() {
        let text = "1. e4 -- {[%tabiya missing]} *";
        assert_eq!(written_and_read(text).1, "e4 missing *");
    }

    #[test]
    fn are_told_by_a_tree_as_they_were_read() {
        for text in [
            "1. e4 -- {[%tabiya missing]} 2. d4 d5 *",
            "1. e4 {[%tabiya missing]} 1... e5 2. Nf3 *",
        ] {
            let mut tree = tabiya_game::GameTree::default();
            Parser::new(text).read_game(&mut tree);
            let mut again = Told::default();
            tree.tell(&mut again);
            assert_eq!(again.games, games(text));
        }
    }
}

mod results {
    use super::*;

    #[test]
    fn missing() {
        assert_eq!(told("1. e4"), "e4 *");
        assert_eq!(told("[Result \"1-0\"]\n\n1. e4"), "[Result=1-0] e4 1-0");
    }

    #[test]
    fn early() {
        assert_eq!(
            told("1. e4 1-0 e5 2. Nf3 0-1"),
            "e4 ?1:7 unreadable text \"1-0\"? e5 Nf3 0-1 broken"
        );
    }

    #[test]
    fn several() {
        assert_eq!(told("1. e4 1-0 1-0"), "e4 1-0");
        assert_eq!(
            told("1. e4 1-0 0-1"),
            "e4 ?1:11 unreadable text \"0-1\"? 1-0 broken"
        );
    }

    #[test]
    fn in_disagreement_with_the_tag() {
        assert_eq!(told("[Result \"0-1\"]\n\n1. e4 1-0"), "[Result=0-1] e4 1-0");
    }

    #[test]
    fn spellings() {
        for (token, result) in [
            ("½-½", "1/2-1/2"),
            ("1/2", "1/2-1/2"),
            ("1/2-1/2", "1/2-1/2"),
            ("1:0", "1-0"),
            ("+:-", "+:-"),
            ("-:+", "-:+"),
            ("-:-", "-:-"),
            ("*", "*"),
        ] {
            assert_eq!(
                told(&format!("1. e4 {token}")),
                format!("e4 {result}"),
                "{token}"
            );
        }
    }

    #[test]
    fn forfeits_by_tag() {
        assert_eq!(told("[Result \"+:-\"]\n\n1-0"), "[Result=+:-] +:-");
        assert_eq!(
            told("[Result \"1-0\"]\n[Termination \"forfeit\"]\n\n1-0"),
            "[Result=1-0] [Termination=forfeit] +:-"
        );
    }

    #[test]
    fn forfeits_without_a_tag_get_one() {
        let mut game = GameTree::default();
        for result in ["+:-", "-:+", "-:-"] {
            game.result = result.parse().unwrap();
            let mut writer = Writer::default();
            game.tell(&mut writer);
            assert!(writer.losses().is_empty());
            let text = String::from_utf8(writer.take()).unwrap();
            assert!(text.contains(&format!("[Result \"{result}\"]")), "{text}");
            assert!(told(&text).ends_with(&format!(" {result}")), "{text}");
        }
    }

    #[test]
    fn stuck_to_the_last_move() {
        assert_eq!(told("1. e4 e51-0"), "e4 e5 1-0");
    }

    #[test]
    fn remarks_after_the_result_belong_to_the_game() {
        assert_eq!(
            told("1. e4 e5 1-0 {late} (1... c5)\n\n[White \"b\"]\n\n*"),
            "e4 e5 <{late} ( c5 ) 1-0 | [White=b] *"
        );
    }
}

mod variations {
    use super::*;

    #[test]
    fn before_the_first_move() {
        assert_eq!(
            told("(1. d4 d5) 1. e4 *"),
            "?1:1 unbalanced brackets \"(1. d4 d5)\"? e4 * broken"
        );
    }

    #[test]
    fn empty() {
        assert_eq!(told("1. e4 () ( {x} ) e5 *"), "e4 ( ) ( {x}> ) e5 *");
    }

    #[test]
    fn unclosed() {
        assert_eq!(
            told("1. e4 (1. d4 (1. c4 *\n\n[White \"b\"]\n\n*"),
            "e4 ( d4 ( c4 <{*} ?3:1 unbalanced brackets \"\"? ) ) * broken | [White=b] *"
        );
    }

    #[test]
    fn closed_too_often() {
        assert_eq!(
            told("1. e4 (1. d4)) e5 *"),
            "e4 ( d4 ) ?1:14 unbalanced brackets \")\"? e5 * broken"
        );
    }

    #[test]
    fn a_thousand_deep() {
        let text = "1. e4 ".to_owned() + &"(1. d4 ".repeat(1_000) + &")".repeat(1_000) + " e5 *";
        let heard = told(&text);
        assert_eq!(heard.matches("d4").count(), 1_000);
        assert!(heard.ends_with(") ) e5 *"));
        assert_eq!(told(&written(&text)).matches("d4").count(), 1_000);
    }

    #[test]
    fn too_deep_is_a_located_error() {
        let text = "1. e4 ".to_owned() + &"(1. d4 ".repeat(5) + &")".repeat(5) + " e5 *";
        let limits = Limits {
            depth: 3,
            ..Limits::default()
        };
        let mut told = Told::default();
        Parser::new(&text).with_limits(limits).read_game(&mut told);
        assert_eq!(
            told.games[0],
            "e4 ( d4 ( d4 ( d4 ?1:28 limit reached \"(1. d4 (1. d4 ))\"? ) ) ) e5 * broken"
        );
    }

    #[test]
    fn after_the_result() {
        assert_eq!(
            told("1. e4 e5 0-1 (1... c5 2. Nf3)"),
            "e4 e5 ( c5 Nf3 ) 0-1"
        );
    }

    /// What may stand between a move and a variation, and what is told of it.
    const NO_MOVES: &[(&str, &str)] = &[
        ("N", "$146 "),
        ("RR", "$145 "),
        ("N RR", "$146 $145 "),
        ("N {x}", "$146 <{x} "),
        ("{x} N", "<{x} $146 "),
        ("{[x}", "<{[x} "),
        ("ep", ""),
        ("e.p", ""),
        ("e.p.", ""),
        ("+", ""),
        ("++", ""),
        ("#", ""),
        ("=", "$10 "),
        ("±", "$16 "),
        ("+-", "$18 "),
        ("!?", "$5 "),
        ("$5", "$5 "),
        (".", ""),
        (",", ""),
        ("…", ""),
    ];

    #[test]
    fn return_to_before_the_last_move_whatever_else_stands_between() {
        for (text, heard) in NO_MOVES {
            for (line, lines) in [
                (
                    "1. e4 e5 2. Nf3 ~ (2. Nc3 Nf6) Nc6 *",
                    "e4 e5 Nf3 ~( Nc3 Nf6 ) Nc6 *",
                ),
                ("1. e4 {y} ~ (1. d4 d5) e5 *", "e4 <{y} ~( d4 d5 ) e5 *"),
                ("1. e4 -- ~ (1... e5) 2. d4 *", "e4 -- ~( e5 ) d4 *"),
                ("1. e4 Z0 ~ (1... e5) 2. d4 *", "e4 -- ~( e5 ) d4 *"),
                (
                    "1. e4 (1. d4 d5 ~ (1... f5) 2. c4) e5 *",
                    "e4 ( d4 d5 ~( f5 ) c4 ) e5 *",
                ),
                ("1. e4 (1. d4) ~ (1. c4) e5 *", "e4 ( d4 ) ~( c4 ) e5 *"),
                ("1. e4 (1. d4 ~) (1. c4) e5 *", "e4 ( d4 ~) ( c4 ) e5 *"),
                ("1. e4 e5 ~ *   (1... c5) *", "e4 e5 ~( c5 ) *"),
            ] {
                let text = line.replace('~', text);
                assert_eq!(told(&text), lines.replace('~', heard), "{text}");
            }
        }
    }

    #[test]
    fn a_result_in_a_variation_is_a_remark() {
        assert_eq!(told("1. e4 (1. d4 1-0) e5 *"), "e4 ( d4 <{1-0} ) e5 *");
    }
}

mod variants {
    use super::*;

    const START: &str = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w";

    #[test]
    fn chess960_under_its_names() {
        for name in [
            "Chess960",
            "chess 960",
            "fischerandom",
            "Freestyle",
            "Fischer Random",
        ] {
            let text = format!("[Variant \"{name}\"]\n[FEN \"{START} KQkq - 0 1\"]\n\n1. e4 *");
            let heard = told(&text);
            assert!(
                heard.contains(&format!("<chess960 {START} KQkq - 0 1> e4 *")),
                "{heard}"
            );
        }
    }

    #[test]
    fn castling_rights_in_all_spellings() {
        for rights in ["KQkq", "GBgb", "-"] {
            let text = format!("[Variant \"Chess960\"]\n[FEN \"{START} {rights} - 0 1\"]\n\n*");
            assert!(told(&text).contains(" w KQkq - 0 1> *"), "{rights}");
        }
    }

    #[test]
    fn a_start_that_is_read_with_rights_is_lost_without_them() {
        for (rights, lost) in [
            ("-", vec![LossKind::Start]),
            ("KQkq", vec![]),
            ("K", vec![]),
        ] {
            let fen = format!("{START} {rights} - 0 1");
            let setup: Setup = fen.parse().unwrap();
            let start = Position::from_setup(&setup, Variant::Chess960).unwrap();
            let mut game = GameTree {
                start,
                ..GameTree::default()
            };
            game.tags.set("Variant", "Chess960");
            game.tags.set("FEN", &fen);
            let mut writer = Writer::default();
            game.tell(&mut writer);
            let losses = writer.take_losses();
            let kinds: Vec<LossKind> = losses.iter().map(|(kind, ..)| kind).collect();
            assert_eq!(kinds, lost, "{rights}");
            let mut back = GameTree::default();
            Parser::new(&String::from_utf8(writer.take()).unwrap()).read_game(&mut back);
            assert_eq!(back.start == game.start, lost.is_empty(), "{rights}");
        }
    }

    #[test]
    fn castling_in_all_spellings() {
        let fen = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1";
        for (text, san) in [
            ("O-O", "O-O"),
            ("Kg1", "O-O"),
            ("e1g1", "O-O"),
            ("0-0-0", "O-O-O"),
            ("Kxb1", "O-O-O"),
        ] {
            let heard = told(&format!("[FEN \"{fen}\"]\n\n1. {text} *"));
            assert!(heard.ends_with(&format!("> {san} *")), "{heard}");
        }
    }

    #[test]
    fn chess960_without_its_name() {
        assert!(told(&format!("[FEN \"{START} KQkq - 0 1\"]\n\n*")).contains("<chess960 "));
    }

    #[test]
    fn antichess() {
        assert!(told("[Variant \"Antichess\"]\n\n1. e3 b5 2. Bxb5 *").ends_with("e3 b5 Bxb5 *"));
    }

    #[test]
    fn other_variants_are_refused_by_name() {
        let text = "[Variant \"Crazyhouse\"]\n\n1. e4 P@d5 *";
        let mut tree = GameTree::default();
        Parser::new(text).read_game(&mut tree);
        let Item::Error {
            kind, message, raw, ..
        } = &tree.items[0]
        else {
            panic!("{tree:?}");
        };
        assert_eq!(*kind, GameErrorKind::UnknownVariant);
        assert_eq!(message, "the variant \"Crazyhouse\" is not known here");
        assert_eq!(raw, "1. e4 P@d5");
    }
}

mod skipping {
    use super::*;

    #[test]
    fn without_moves_none_are_played() {
        let mut told = Told {
            needs: Some(Needs::TAGS),
            ..Told::default()
        };
        let text = "[White \"a\"]\n\n1. nonsense (x) {y} 1-0\n\n[White \"b\"]\n\n1. e4 0-1 1. d4 *";
        let mut parser = Parser::new(text);
        while parser.read_game(&mut told) {}
        assert_eq!(told.games, ["[White=a] 1-0", "[White=b] 0-1", "*"]);
    }

    #[test]
    fn without_notes_or_variations_they_are_left_out() {
        let text = "{a} 1. e4! {b} (1. d4 {c}) e5 $5 *";
        for (needs, heard) in [
            (Needs::ALL.notes(false), "e4 ( d4 ) e5 *"),
            (Needs::ALL.variations(false), "{a}> e4 $1 <{b} e5 $5 *"),
        ] {
            let mut told = Told {
                needs: Some(needs),
                ..Told::default()
            };
            Parser::new(text).read_game(&mut told);
            assert_eq!(told.games, [heard]);
        }
    }

    /// Leaves a game at its first move, or a variation at its start.
    struct Impatient {
        heard: Vec<String>,
        flow: Flow,
    }

    impl GameSink for Impatient {
        fn event(&mut self, event: Event<'_>) -> Flow {
            match event {
                Event::Move { before, play, .. } => {
                    self.heard.push(before.san(play).to_string());
                    match self.flow {
                        Flow::SkipGame => Flow::SkipGame,
                        _ => Flow::Continue,
                    }
                }
                Event::VariationStart => self.flow,
                Event::GameEnd { result, .. } => {
                    self.heard.push(result.to_string());
                    Flow::Continue
                }
                _ => Flow::Continue,
            }
        }
    }

    fn heard(text: &str, flow: Flow) -> String {
        let mut sink = Impatient {
            heard: Vec::new(),
            flow,
        };
        let mut parser = Parser::new(text);
        while parser.read_game(&mut sink) {}
        sink.heard.join(" ")
    }

    #[test]
    fn a_sink_may_skip_the_rest_of_a_game_or_a_variation() {
        let text = "1. e4 (1. d4 (1. c4)) e5 2. Nf3 1-0\n\n1. Nf3 0-1";
        assert_eq!(heard(text, Flow::SkipGame), "e4 1-0 Nf3 0-1");
        assert_eq!(heard(text, Flow::SkipVariation), "e4 e5 Nf3 1-0 Nf3 0-1");
    }
}

mod writing {
    use super::*;

    #[test]
    fn the_export_format() {
        let text = "[Site \"s\"][Event \"e \\\"x\\\"\"][ECO \"C20\"][Result \"1-0\"]1.e4!(1.d4{a}d5)e5{b}2.Nf3 1-0";
        assert_eq!(
            written(text),
            "[Event \"e \\\"x\\\"\"]\n[Site \"s\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n\
             1. e4 $1 (1. d4 {a} 1... d5) 1... e5 {b} 2. Nf3 1-0\n\n"
        );
    }

    #[test]
    fn a_command_is_never_broken_across_lines() {
        let clocks = "1. e4 { good [%eval 0.17] [%clk 0:10:00] and more of it } ".to_string();
        for filling in 0..80 {
            let comment = format!("{} [%clk 1:29:59] [%csl Ga4, Re5]", "x".repeat(filling));
            let out = written(&format!("{clocks} e5 {{{comment}}} 2. Nf3 *"));
            for command in [
                "[%eval 0.17]",
                "[%clk 0:10:00]",
                "[%clk 1:29:59]",
                "[%csl Ga4, Re5]",
            ] {
                assert!(out.contains(command), "{command} in {out}");
            }
            assert!(out.lines().all(|line| line.len() <= 80), "{out}");
        }
        // What only looks like a command is no reason for a long line.
        let words = "word ".repeat(40);
        let out = written(&format!("1. e4 {{[%clk {words}}} *"));
        assert!(out.lines().all(|line| line.len() <= 80), "{out}");
    }

    #[test]
    fn lines_are_at_most_eighty_columns_long() {
        let text = "Nf3 Nf6 Ng1 Ng8 ".repeat(100) + "{" + &"some words ".repeat(50) + "} *";
        let out = written(&text);
        assert!(out.lines().all(|line| line.len() <= 80), "{out}");
        assert!(out.lines().filter(|line| line.len() > 70).count() > 10);
    }

    #[test]
    fn one_line_a_game_and_without_notes() {
        let options = WriteOptions {
            columns: None,
            comments: false,
            variations: false,
            nags: false,
            keep_raw: false,
        };
        let mut writer = Writer::new(options);
        let text = "Nf3! {a} (1. e4) Nf6 Ng1 Ng8 ".repeat(20) + "*";
        Parser::new(&text).read_game(&mut writer);
        let out = String::from_utf8(writer.take()).unwrap();
        let moves = out.lines().nth(8).unwrap();
        assert!(moves.starts_with("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3") && moves.ends_with(" Ng8 *"));
    }

    #[test]
    fn a_comment_that_braces_cannot_hold_stands_behind_a_semicolon() {
        let text = "1. e4 ;a } b\n e5 *";
        assert!(written(text).ends_with("1. e4 ;a } b\n1... e5 *\n\n"));
        assert_eq!(
            told(&written(text)).split("] ").last(),
            Some("e4 <{a } b} e5 *")
        );
    }

    #[test]
    fn a_brace_that_only_opens_stands_in_braces_whatever_follows() {
        for rest in [
            "e5 {b} 2. Nf3 {{c} d} *",
            "e5 ;b }\n 2. Nf3 {c} ;{ }\n *",
            "({{ {b}) e5 ;}\n *",
        ] {
            let once = written(&format!("1. e4 {{a {{ b}} {rest}"));
            assert!(once.contains("1. e4 {a { b} "), "{once}");
            assert!(told(&once).contains("e4 <{a { b}"), "{once}");
            assert_eq!(written(&once), once);
            assert_eq!(told(&once), told(&written(&once)));
        }
        for unbalanced in ["a } b {", "} {", "{ a } { b"] {
            let once = written(&format!("1. e4 ;{unbalanced}\n e5 {{c}} *"));
            assert!(once.contains(&format!(";{unbalanced}\n")), "{once}");
        }
    }

    #[test]
    fn black_to_move_first() {
        let fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 40";
        let out = written(&format!("[FEN \"{fen}\"]\n\n{{a}} 40... Ke7 41. Ke2 *"));
        assert!(out.ends_with("\n\n{a} 40... Ke7 41. Ke2 *\n\n"), "{out}");
    }

    #[test]
    fn a_game_without_a_start_has_one_error_however_often_it_is_written() {
        for tag in [
            "[Variant \"Horde\"]",
            "[FEN \"junk\"]",
            "[White \"a]\n[FEN \"junk\"]",
        ] {
            let once = written(&format!("{tag}\n\n{{a}} 1. e5 {{b}} c6 1-0"));
            assert_eq!(written(&once), once);
            assert_eq!(once.matches("{[%tabiya error").count(), tag.lines().count());
        }
    }

    #[test]
    fn closing_brackets_stay_within_the_line() {
        let text = "1. e4 ".to_owned() + &"(1. d4 d5 ".repeat(30) + &")".repeat(30) + "*";
        let out = written(&text);
        assert!(out.lines().all(|line| line.len() <= 80), "{out}");
    }

    #[test]
    fn errors_are_written_and_read_back() {
        let text = "1. e4 e5 2. Ke3 {a}\n Nf6 1-0";
        let first = told(text);
        let again = told(&written(text));
        assert!(again.ends_with(&first), "{again}");
    }

    #[test]
    fn an_error_that_is_read_back_stands_where_it_is_now() {
        let mut tree = GameTree::default();
        let text = written("1. e4 e5\n2. Ke3 Nf6 1-0");
        assert!(Parser::new(&text).read_game(&mut tree));
        let Some(Item::Error { place, first, .. }) = tree.items.last() else {
            panic!("{tree:?}");
        };
        assert_eq!(&text[place.offset as usize..][..8], "{[%tabiy");
        assert_eq!(text.lines().count() as u64 - 1, place.line);
        assert_eq!(first.map(|first| first.to_string()).as_deref(), Some("2:4"));
    }
}

fn any_place() -> impl Strategy<Value = Place> {
    (any::<u64>(), 1..1_000_000u64, 1..500u32).prop_map(|(offset, line, column)| Place {
        offset,
        line,
        column,
        number: 0,
    })
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z \\[\\]%\"\\\\;()$1.*!?]{0,40}",
        2 => "[ a-zé♔{}]{0,60}",
        1 => "([a-z]{1,9} ){10,30}",
        1 => Just("[%clk 0:01:00] good".to_owned()),
    ]
}

/// What can be said where a move may follow.
fn any_note() -> impl Strategy<Value = Item> {
    prop_oneof![
        any::<u16>().prop_map(|n| Item::Nag(Nag(n))),
        any_text().prop_map(|text| Item::Comment {
            place: CommentPlace::After,
            language: None,
            text,
        }),
        (0..10_000u64).prop_map(|s| {
            Item::Annotation(Annotation::Clock(std::time::Duration::from_secs(s)))
        }),
        (
            prop::sample::select(GameErrorKind::ALL.to_vec()),
            any_text(),
            any_text(),
            any_place()
        )
            .prop_map(|(kind, message, raw, place)| Item::Error {
                kind,
                message,
                raw,
                place,
                first: None,
            }),
    ]
}

#[derive(Clone, Debug)]
enum Step {
    Play(prop::sample::Index),
    Null,
    Before(String),
    Note(Item),
    Open,
    Close,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => any::<prop::sample::Index>().prop_map(Step::Play),
        1 => Just(Step::Null),
        1 => any_text().prop_map(Step::Before),
        3 => any_note().prop_map(Step::Note),
        2 => Just(Step::Open),
        2 => Just(Step::Close),
    ]
}

/// A line while a tree is built: position, position before the last move, whether a move was made.
type Line = (Position, Position, bool);

/// A tree that obeys the laws of the stream, from any steps.
fn build(start: Position, steps: Vec<Step>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut line: Line = (start, start, false);
    let mut open: Vec<Line> = Vec::new();
    for step in steps {
        match step {
            Step::Play(choice) => {
                let moves: Vec<Move> = line.0.legal_moves().to_vec();
                if moves.is_empty() {
                    continue;
                }
                let play = *choice.get(&moves);
                line = (line.0, line.0, true);
                line.0.play_unchecked(play);
                items.push(Item::Move(play));
            }
            Step::Null => {
                line = (line.0, line.0, true);
                line.0.play_null();
                items.push(Item::Null);
            }
            Step::Before(text) => items.push(Item::Comment {
                place: CommentPlace::Before,
                language: None,
                text,
            }),
            Step::Note(Item::Comment { text, language, .. }) => {
                // Before the first move of a line there is nothing to come after, and once a
                // comment has announced the next move all that follow do.
                let announced = matches!(
                    items
                        .iter()
                        .rev()
                        .find(|item| !matches!(item, Item::Nag(_) | Item::Error { .. })),
                    Some(Item::Comment {
                        place: CommentPlace::Before,
                        ..
                    })
                );
                let place = match line.2 && !announced {
                    true => CommentPlace::After,
                    false => CommentPlace::Before,
                };
                items.push(Item::Comment {
                    place,
                    language,
                    text,
                });
            }
            Step::Note(Item::Annotation(annotation)) => {
                let announced = items.iter().rev().find(|item| {
                    matches!(
                        item,
                        Item::Comment { .. }
                            | Item::Move(_)
                            | Item::Null
                            | Item::VariationStart
                            | Item::VariationEnd
                    )
                });
                let announced = matches!(
                    announced,
                    Some(Item::Comment {
                        place: CommentPlace::Before,
                        ..
                    })
                );
                if !announced || !line.2 {
                    items.push(Item::Annotation(annotation));
                }
            }
            Step::Note(item) => items.push(item),
            Step::Open if line.2 => {
                items.push(Item::VariationStart);
                open.push(line);
                line = (line.1, line.1, false);
            }
            Step::Close if !open.is_empty() => {
                items.push(Item::VariationEnd);
                line = open.pop().expect("just checked");
            }
            Step::Open | Step::Close => {}
        }
    }
    items.extend(open.iter().map(|_| Item::VariationEnd));
    items
}

fn any_tree() -> impl Strategy<Value = GameTree> {
    let starts = prop::sample::select(vec![
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 30",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 3 77",
        "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
    ]);
    let tags = prop::collection::vec(("[A-Z][a-z]{1,6}", r#"[a-z "\\\]é]{0,9}"#), 0..4);
    let steps = prop::collection::vec(any_step(), 0..60);
    let result = prop::sample::select(GameResult::ALL.to_vec());
    (starts, tags, steps, result).prop_map(|(fen, tags, steps, result)| {
        let setup: Setup = fen.parse().unwrap();
        let variant = match fen.starts_with("nrbk") {
            true => Variant::Chess960,
            false => Variant::Standard,
        };
        let start = Position::from_setup(&setup, variant).unwrap();
        let mut tree = GameTree {
            start,
            items: build(start, steps),
            result,
            ..GameTree::default()
        };
        for name in tabiya_game::ROSTER {
            let value = if name == "Result" { result.tag() } else { "?" };
            tree.tags.push(name, value);
        }
        if start != Position::initial() {
            tree.tags.push("FEN", fen);
        }
        // A second Event tag would be the next game.
        let names = ["Event", "FEN", "Variant", "Result", "Termination"];
        for (name, value) in tags
            .into_iter()
            .filter(|(n, _)| !names.contains(&n.as_str()))
        {
            tree.tags.push(name, value);
        }
        if tree
            .items
            .iter()
            .any(|item| matches!(item, Item::Error { .. }))
        {
            tree.state = GameState::Broken;
        }
        tree
    })
}

proptest! {
    #[test]
    fn any_tree_comes_back_from_pgn(tree in any_tree(), one_line in any::<bool>()) {
        let mut writer = Writer::new(WriteOptions {
            columns: if one_line { None } else { Some(80) },
            ..WriteOptions::default()
        });
        tree.tell(&mut writer);
        prop_assert!(writer.losses().is_empty());
        let text = String::from_utf8(writer.take()).unwrap();
        let mut back = GameTree::default();
        let mut parser = Parser::new(&text);
        prop_assert!(parser.read_game(&mut back));
        back.place = tree.place;
        back.restore_places();
        prop_assert_eq!(&back, &tree, "{}", text);
        prop_assert!(!parser.read_game(&mut back));
    }

    #[test]
    fn any_text_is_read_and_a_second_pass_is_identical(
        text in r#"([\[\](){};%$*!?."=+#/ \n0-9a-hKQRBNOx-]|e4|Nf3|1\. |1-0|\[A "b"\]\n){0,80}"#
    ) {
        let once = written(&text);
        prop_assert_eq!(&written(&once), &once);
    }

    #[test]
    fn whatever_looks_like_a_tag_is_one(text in r#"\[[A-Za-z0-9_ é]{1,4} {0,2}"[a-z"\]]{0,6}"#) {
        if crate::pgn::lexer::tag_starts(text.as_bytes(), 0) {
            prop_assert!(crate::pgn::tag::read(&text, 0).is_some());
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = bytes_told(&bytes, ReadOptions::default());
    }
}

#[test]
fn line_breaks_in_a_comment_are_respelled_and_not_lost() {
    let mut writer = Writer::default();
    writer.event(Event::GameStart(Place::default()));
    writer.event(Event::Start(&Position::initial()));
    writer.event(Event::Comment(tabiya_game::Comment {
        place: CommentPlace::Before,
        language: None,
        text: "one\r\ntwo\nthree",
    }));
    let (result, state) = (GameResult::Unknown, GameState::Complete);
    writer.event(Event::GameEnd { result, state });
    let losses = writer.take_losses();
    assert!(losses.is_empty());
    assert_eq!(losses.respelled().map(|respelled| respelled.count), Some(1));
    let text = String::from_utf8(writer.take()).expect("text");
    assert!(text.contains("{one two three}"), "{text}");
}

#[test]
fn tags_whose_names_nobody_could_read_are_losses() {
    for name in ["", "White Space", "W\"]", "[x", "a\nb", "-a", "_a"] {
        let mut game = GameTree::default();
        game.tags.set("White", "Anderssen, A");
        game.tags.set(name, "x");
        let mut writer = Writer::default();
        game.tell(&mut writer);
        let losses = writer.take_losses();
        let kinds: Vec<LossKind> = losses.iter().map(|(kind, ..)| kind).collect();
        assert_eq!(kinds, [LossKind::Tag], "{name:?}");
        let text = String::from_utf8(writer.take()).unwrap();
        assert!(text.contains("[White \"Anderssen, A\"]"), "{text}");
        assert!(!text.contains("\"x\""), "{text}");
    }
}

#[test]
fn names_of_tags_are_those_of_any_language() {
    for name in ["\u{dc}n\u{ef}", "\u{418}\u{433}\u{440}\u{430}", "ZA\u{2}"] {
        let text = format!("[Event \"e\"]\n[{name} \"x\"]\n[Round \"1\"]\n\n1. e4 *\n");
        let once = written(&text);
        assert!(once.contains(&format!("[{name} \"x\"]\n")), "{once}");
        assert_eq!(once.matches("[Event ").count(), 1, "{once}");
        assert_eq!(written(&once), once);
    }
}

/// What is known of games without their moves: where they begin, their tags, their results.
mod without_moves {
    use tabiya_game::{
        Needs,
        generate::{Generator, Options},
    };

    use super::*;

    /// Where a game is, its tags and its result.
    type Head = (Place, Vec<(String, String)>, GameResult);

    /// Hears games, or a part of each.
    struct Heads {
        needs: Needs,
        /// Games are skipped at this event, counted from the start of each.
        skip: Option<usize>,
        events: usize,
        heads: Vec<Head>,
    }

    impl GameSink for Heads {
        fn needs(&mut self) -> Needs {
            self.needs
        }

        fn event(&mut self, event: Event<'_>) -> Flow {
            self.events += 1;
            match event {
                Event::GameStart(place) => {
                    self.events = 0;
                    self.heads.push((place, Vec::new(), GameResult::Unknown));
                }
                Event::Tag { name, value } => {
                    let head = self.heads.last_mut().expect("a game");
                    head.1.push((name.to_owned(), value.to_owned()));
                }
                Event::GameEnd { result, .. } => {
                    self.heads.last_mut().expect("a game").2 = result;
                }
                _ => {}
            }
            match self.skip == Some(self.events) {
                true => Flow::SkipGame,
                false => Flow::Continue,
            }
        }
    }

    fn heads(text: &str, needs: Needs, skip: Option<usize>) -> Vec<Head> {
        let mut heads = Heads {
            needs,
            skip,
            events: 0,
            heads: Vec::new(),
        };
        let mut parser = Parser::new(text);
        while parser.read_game(&mut heads) {}
        heads.heads
    }

    /// Reads a text whole, in parts, and with games that are skipped on the way.
    fn agree(text: &str) {
        let whole = heads(text, Needs::ALL, None);
        assert_eq!(heads(text, Needs::TAGS, None), whole, "{text}");
        assert_eq!(heads(text, Needs::TAGS.moves(true), None), whole, "{text}");
        let known: Vec<_> = whole.iter().map(|(place, _, end)| (*place, *end)).collect();
        for (needs, skip) in (0..40)
            .map(|event| (Needs::ALL, Some(event)))
            .chain([(Needs::NOTHING, None)])
        {
            let found = heads(text, needs, skip);
            let found: Vec<_> = found.iter().map(|(place, _, end)| (*place, *end)).collect();
            assert_eq!(found, known, "skipped at {skip:?}: {text}");
        }
    }

    fn results(text: &str) -> Vec<&'static str> {
        agree(text);
        let heads = heads(text, Needs::TAGS, None);
        heads.iter().map(|(.., result)| result.token()).collect()
    }

    #[test]
    fn the_first_result_behind_the_last_move_counts() {
        assert_eq!(results("1. e4 e5 1-0 0-1"), ["1-0"]);
        assert_eq!(results("1. e4 1-0 e5 2. Nf3"), ["*"]);
        assert_eq!(results("1. e4 1-0 e5 2. Nf3 0-1"), ["0-1"]);
        // Nobody can play Ke6: it is no later move.
        assert_eq!(results("1. e4 1-0 Ke6 2. Nf3 0-1"), ["1-0"]);
        assert_eq!(results("1. e4 1-0 1. d4 0-1"), ["1-0", "0-1"]);
        assert_eq!(results("1. e4 1-0 ^ 1. d4 0-1"), ["1-0"]);
        assert_eq!(results("1. e4 1-0 ] 1. d4 0-1"), ["1-0", "0-1"]);
        assert_eq!(results("1. e4 1-0 (1. d4 0-1) 1. e4 *"), ["1-0", "*"]);
    }

    #[test]
    fn a_result_that_is_stuck_to_a_move_counts() {
        let mate = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#1-0";
        assert_eq!(results(mate), ["1-0"]);
        assert_eq!(results("1. e41/2-1/2"), ["1/2-1/2"]);
        assert_eq!(results("1. O-O1-0 *"), ["*"]);
        assert_eq!(results("1. e4 (1. d41-0) *"), ["*"]);
    }

    #[test]
    fn all_spellings_of_results_are_found() {
        for text in [
            "1:0",
            "1\u{2013}0",
            "1-0",
            "\u{2026}1-0",
            "12.1-0",
            "\u{a0}1:0",
        ] {
            assert_eq!(results(&format!("1. e4 {text}")), ["1-0"], "{text}");
        }
        for text in ["\u{bd}", "\u{bd}-\u{bd}", "1/2", "1/2:1/2"] {
            assert_eq!(results(&format!("1. e4 {text}")), ["1/2-1/2"], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_result_is_none() {
        for text in [
            "$1-0",
            "41-0",
            "exd6e.p1-0",
            "e.p.1-0",
            "e4\u{2026}1-0",
            "$8(Q)1-0",
        ] {
            agree(&format!("1. e4 {text}"));
            agree(&format!("1. e4 {text} *\n\n1. d4 0-1"));
        }
        assert_eq!(results("1. e4 $1-0 *"), ["*"]);
    }

    #[test]
    fn a_tag_that_is_broken_over_two_lines_begins_no_game() {
        let text = "[White \"A\"]\n[R\nesult \"1/2-1/2\"]\n\n1. e4 e5 2. Ke2 1/2-1/2\n\n\
                    [White \"C\"]\n\n1. d4 d5 0-1\n";
        assert_eq!(results(text), ["1/2-1/2", "0-1"]);
    }

    /// What is put into games to break them.
    const PIECES: [&str; 40] = [
        "1-0 ",
        "0-1 ",
        "1/2-1/2",
        "* ",
        "1:0",
        "\u{bd}",
        "1\u{2013}0 ",
        "+:-",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        ";",
        "%",
        "\n%",
        "$",
        "$1",
        ".",
        "..",
        "\n",
        "\n\n",
        " ",
        "1. e4 ",
        "1.",
        "1 ",
        "e4",
        "O-O",
        "e.p",
        "e.p.",
        "e8(Q)",
        "--",
        "^",
        "\u{a0}",
        "\u{2026}",
        "[White \"x\"]\n",
        "\n[Event \"x\"]\n",
        "\r",
    ];

    #[derive(Clone, Debug)]
    enum Change {
        Insert(prop::sample::Index, &'static str),
        Remove(prop::sample::Index, usize),
    }

    fn any_change() -> impl Strategy<Value = Change> {
        let piece = prop::sample::select(PIECES.to_vec());
        prop_oneof![
            3 => (any::<prop::sample::Index>(), piece)
                .prop_map(|(at, piece)| Change::Insert(at, piece)),
            1 => (any::<prop::sample::Index>(), 1..4usize)
                .prop_map(|(at, length)| Change::Remove(at, length)),
        ]
    }

    /// Games that nobody played, as text.
    fn generated(first: u64) -> String {
        let generator = Generator::new(Options {
            variations: true,
            plies: 4..=24,
            ..Options::default()
        });
        let mut writer = Writer::default();
        for index in first..first + 4 {
            generator.game(index).tell(&mut writer);
        }
        String::from_utf8(writer.take()).expect("text")
    }

    fn changed(text: &str, changes: &[Change]) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        for change in changes {
            let length = characters.len();
            match change {
                Change::Insert(at, piece) => {
                    let at = at.index(length + 1);
                    characters.splice(at..at, piece.chars());
                }
                Change::Remove(at, count) if length > 0 => {
                    let at = at.index(length);
                    characters.drain(at..(at + count).min(length));
                }
                Change::Remove(..) => {}
            }
        }
        characters.into_iter().collect()
    }

    proptest! {
        #[test]
        fn broken_games_have_the_same_heads(
            first in 0..200u64,
            changes in prop::collection::vec(any_change(), 1..30),
        ) {
            agree(&changed(&generated(first), &changes));
        }

        #[test]
        fn any_pieces_have_the_same_heads(
            pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40),
        ) {
            agree(&pieces.concat());
        }
    }
}
