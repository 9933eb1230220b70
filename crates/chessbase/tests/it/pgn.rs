//! ChessBase databases to PGN and back: what is said about the moves, word by word.

use std::{collections::BTreeMap, path::Path};

use tabiya_chessbase::{
    Database, ReadOptions,
    annotations::Record,
    files::{FileKind, header::Entry, set::FileSet, stores::StoreHeader},
    moves::Recorder,
};
use tabiya_formats::{
    Database as _,
    io::Contents,
    pgn::{Parser, WriteOptions, Writer},
};
use tabiya_game::{Annotation, CommentPlace, GameState, GameTree, Item};

use crate::{below::ending, data};

fn games(path: &Path) -> Vec<GameTree> {
    told(Database::open(path, ReadOptions::default()).expect("a database"))
}

fn told(mut database: Database) -> Vec<GameTree> {
    let mut games = Vec::new();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut games).expect("a part");
    }
    games
}

/// The same game after a journey through PGN.
fn through_pgn(game: &GameTree) -> GameTree {
    let mut writer = Writer::new(WriteOptions {
        keep_raw: true,
        ..WriteOptions::default()
    });
    game.tell(&mut writer);
    let text = String::from_utf8(writer.take()).expect("UTF-8");
    let mut again = GameTree::default();
    assert!(Parser::new(&text).read_game(&mut again));
    again
}

/// What is said at one place of a game: at a move, or before the first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Said {
    nags: Vec<u16>,
    before: Vec<String>,
    after: Vec<String>,
    annotations: Vec<Annotation>,
}

/// What is said, place by place. A comment before a move belongs to it: that is its place, though
/// it is told first. Before the first move PGN has one place for what is said about the game and
/// about the move.
fn said(game: &GameTree) -> Vec<Said> {
    let mut places = vec![Said::default()];
    let mut before = Vec::new();
    for item in &game.items {
        let at_start = places.len() == 1;
        let last = places.last_mut().expect("a place");
        match item {
            Item::Move(_) | Item::Null | Item::Missing => {
                places.push(Said {
                    before: std::mem::take(&mut before),
                    ..Said::default()
                });
            }
            Item::Nag(nag) => last.nags.push(nag.0),
            Item::Comment {
                place: CommentPlace::Before,
                text,
                ..
            } if !at_start => before.push(text.clone()),
            Item::Comment { text, .. } => last.after.push(text.clone()),
            Item::Annotation(annotation) => last.annotations.push(annotation.clone()),
            Item::VariationStart | Item::VariationEnd | Item::Error { .. } => {}
        }
    }
    places
}

/// The same, with single spaces for all white space: PGN has no line breaks in comments.
fn tidy(said: &Said) -> Said {
    let tidy = |texts: &[String]| {
        let words = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        texts.iter().map(words).collect()
    };
    Said {
        before: tidy(&said.before),
        after: tidy(&said.after),
        ..said.clone()
    }
}

/// How many places have comments with line breaks, which are spaces in PGN. There are no other
/// differences: raw annotations are kept on request, and the languages of comments, which PGN does
/// not have, are counted as losses elsewhere.
const LINE_BREAKS: &[(&str, usize)] = &[("Hedgehog", 3263), ("linares", 38)];

/// Compares what is said in a game before and after its journey. Returns at how many places it has
/// notes, and at how many of them there are line breaks.
fn compare(game: &GameTree) -> (usize, usize) {
    let (ours, again) = (said(game), said(&through_pgn(game)));
    assert_eq!(ours.len(), again.len(), "{:?}", game.place);
    let (mut notes, mut breaks) = (0, 0);
    for (ours, again) in ours.iter().zip(&again) {
        notes += usize::from(*ours != Said::default());
        if ours != again {
            assert_eq!(tidy(ours), tidy(again), "{:?}", game.place);
            breaks += 1;
        }
    }
    (notes, breaks)
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn notes_come_back_from_pgn_word_by_word() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for path in ending("cbh", &folder) {
        let name = path.file_stem().expect("a name").to_string_lossy();
        for game in games(&path) {
            if game.state != GameState::Broken {
                let (notes, breaks) = compare(&game);
                all += notes;
                *found.entry(name.to_string()).or_default() += breaks;
            }
        }
    }
    assert_eq!(all, 17_519);
    let breaks = found.iter().filter(|(_, breaks)| **breaks > 0);
    let breaks: Vec<_> = breaks.map(|(name, n)| (&**name, *n)).collect();
    assert_eq!(breaks, LINE_BREAKS);
}

/// A record of `.cbg` with so many moves, of two knights to and fro.
fn knights(moves: usize) -> Vec<u8> {
    let mut text = String::new();
    for number in 0..moves {
        text += ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "][number % 4];
    }
    let mut recorder = Recorder::default();
    assert!(Parser::new(&text).read_game(&mut recorder) || moves == 0);
    let mut bytes = Vec::new();
    recorder.write(&mut bytes).expect("legal moves");
    bytes
}

/// This database has the most kinds of annotations, but no moves: it gets some, so that there are
/// places for them.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn all_kinds_of_annotations_come_back_from_pgn() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let path = folder.join("morphy/database/World-ch/World-ch.cbh");
    let files = FileSet::open(path).expect("files");
    let notes = files.get(FileKind::Annotations).expect("annotations");
    let mut headers = files.get(FileKind::Headers).expect("headers").to_vec();
    let mut moves = StoreHeader::default().to_bytes();
    let mut items = 0;
    for (id, entry) in files.tables().expect("tables").headers.iter() {
        let Entry::Game(mut record) = entry else {
            continue;
        };
        let mut last = 0;
        if record.annotations != 0 {
            let said = Record::parse(&notes[record.annotations as usize..]);
            for item in said.expect("a record").items() {
                items += 1;
                last = last.max(item.expect("an item").position + 1);
            }
        }
        record.moves = moves.len() as u32;
        moves.extend(knights(usize::try_from(last).expect("a number")));
        let at = id as usize * 46;
        headers[at..at + 46].copy_from_slice(&record.to_bytes());
    }
    let kinds = FileKind::ALL.into_iter();
    let others = kinds.filter_map(|kind| Some((kind, files.get(kind)?.clone())));
    let mut all: BTreeMap<_, _> = others.collect();
    all.insert(FileKind::Headers, Contents::from(headers));
    all.insert(FileKind::Moves, Contents::from(moves));
    let database = Database::from_files(FileSet::from_files(all), ReadOptions::default());
    let games = told(database.expect("a database"));
    let (mut notes, mut breaks) = (0, 0);
    for game in &games {
        assert_eq!(game.state, GameState::Complete, "{:?}", game.place);
        let found = compare(game);
        notes += found.0;
        breaks += found.1;
    }
    assert_eq!((games.len(), items), (1_025, 44_534));
    // Line breaks again, and nothing else.
    assert_eq!((notes, breaks), (33_602, 639));
}
