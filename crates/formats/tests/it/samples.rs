//! The sample games of the repository, read and written.

use std::{fs, path::PathBuf};

use tabiya_formats::pgn::{Parser, Writer};
use tabiya_game::{GameState, GameTree, Item};

/// Every file and how many games it has.
const SAMPLES: [(&str, usize); 4] = [
    ("famous.pgn", 34),
    ("annotated.pgn", 9),
    ("chess960.pgn", 2),
    ("setup.pgn", 4),
];

fn text(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    fs::read_to_string(folder.join(name)).expect("the samples are part of the repository")
}

fn games(text: &str) -> Vec<GameTree> {
    let mut parser = Parser::new(text);
    let mut games = Vec::new();
    let mut tree = GameTree::default();
    while parser.read_game(&mut tree) {
        games.push(tree.clone());
    }
    games
}

fn written(text: &str) -> String {
    let mut writer = Writer::default();
    let mut parser = Parser::new(text);
    while parser.read_game(&mut writer) {}
    assert!(writer.losses().is_empty(), "{:?}", writer.losses());
    String::from_utf8(writer.take()).expect("UTF-8")
}

#[test]
fn every_game_is_read_whole() {
    for (name, count) in SAMPLES {
        let games = games(&text(name));
        assert_eq!(games.len(), count, "{name}");
        for game in games {
            let who = (game.tags.white(), game.tags.black());
            let is_error = |item: &Item| matches!(item, Item::Error { .. });
            assert!(!game.items.iter().any(is_error), "{name} {who:?}");
            assert_eq!(game.state, GameState::Complete, "{name} {who:?}");
            assert_eq!(game.tags.result(), Some(game.result), "{name} {who:?}");
            assert!(game.main_line().next().is_some(), "{name} {who:?}");
        }
    }
}

#[test]
fn a_mate_on_the_board_is_a_win() {
    for (name, _) in SAMPLES {
        for game in games(&text(name)) {
            let mut last = game.start;
            game.main_line().for_each(|(_, action)| last.act(action));
            if last.status() == tabiya_chess::Status::Checkmate {
                let expected = match last.turn() {
                    tabiya_chess::Color::White => "0-1",
                    tabiya_chess::Color::Black => "1-0",
                };
                assert_eq!(game.result.token(), expected, "{name} {:?}", game.tags);
            }
        }
    }
}

#[test]
fn what_is_written_is_written_the_same_again() {
    for (name, _) in SAMPLES {
        let once = written(&text(name));
        assert!(written(&once) == once, "{name}");
    }
}

#[test]
fn games_in_export_format_are_written_as_they_are() {
    let famous = text("famous.pgn");
    let written = written(&famous);
    let line = famous.lines().zip(written.lines()).find(|(a, b)| a != b);
    assert!(famous == written, "{line:?}");
}

/// The other files fill lines within comments to the last column. The writer keeps that column
/// free for a closing brace, so its lines break elsewhere; the words are the same.
#[test]
fn all_games_are_written_word_by_word_as_they_are() {
    for (name, _) in SAMPLES {
        // A bracket is a word of its own, whether a line ends before it or not.
        let spaced = |text: String| text.replace('(', " ( ").replace(')', " ) ");
        let (text, written) = (spaced(text(name)), spaced(written(&text(name))));
        assert!(
            text.split_whitespace().eq(written.split_whitespace()),
            "{name}"
        );
    }
}
