//! Small databases, made here.

use tabiya_chess::Position;
use tabiya_game::{Event, Flow, GameSink, GameState, GameTree, Item, Needs};

use super::*;
use crate::{
    annotations::{Item as Stored, Record},
    files::{
        FileKind,
        entity::{Entity, Table},
        header::{EntryKind, FileHeader, GameRecord, TextRecord},
        players::Player,
        stores::StoreHeader,
    },
    text::GuidingText,
};
use tabiya_formats::{Database as _, io::Contents};

/// Moves 1. e4 and the end.
const E4: [u8; 6] = [0, 0, 0, 6, 0xff, 0x0d];

/// A database that grows.
struct Builder {
    headers: Vec<u8>,
    moves: Vec<u8>,
    annotations: Vec<u8>,
    players: Table<Player>,
    games: u32,
}

impl Builder {
    fn new() -> Builder {
        let store = StoreHeader::default().to_bytes();
        let mut players = Table::new();
        players.add(&Player::new(b"Tal", b"Mikhail"), 1);
        Builder {
            headers: FileHeader::new(1).to_bytes().to_vec(),
            moves: store.clone(),
            annotations: store,
            players,
            games: 0,
        }
    }

    fn game(mut self, kind: EntryKind, moves: &[u8], notes: &[Stored<'_>]) -> Builder {
        self.games += 1;
        let mut record = GameRecord {
            kind,
            moves: self.moves.len() as u32,
            ..GameRecord::default()
        };
        self.moves.extend(moves);
        if !notes.is_empty() {
            record.annotations = self.annotations.len() as u32;
            let notes = notes.iter().copied();
            self.annotations.extend(Record::write(self.games, notes));
        }
        self.headers.extend(record.to_bytes());
        self
    }

    fn text(mut self, bytes: &[u8]) -> Builder {
        self.games += 1;
        let record = TextRecord {
            text: self.moves.len() as u32,
            ..TextRecord::default()
        };
        self.moves.extend(bytes);
        self.headers.extend(record.to_bytes());
        self
    }

    fn files(&self) -> Vec<(FileKind, Vec<u8>)> {
        vec![
            (FileKind::Headers, self.headers.clone()),
            (FileKind::Moves, self.moves.clone()),
            (FileKind::Annotations, self.annotations.clone()),
            (Player::FILE, self.players.to_bytes()),
        ]
    }

    fn open(&self, options: ReadOptions) -> Database {
        open(self.files(), options)
    }
}

fn open(files: Vec<(FileKind, Vec<u8>)>, options: ReadOptions) -> Database {
    let files = files.into_iter();
    let files = files.map(|(kind, bytes)| (kind, Contents::from(bytes)));
    Database::from_files(FileSet::from_files(files), options).unwrap()
}

#[derive(Default)]
struct Heard {
    games: Vec<GameTree>,
    others: Vec<String>,
    deleted: u64,
    needs: Option<Needs>,
}

impl GameSink for Heard {
    fn needs(&mut self) -> Needs {
        self.needs.unwrap_or(Needs::ALL)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.games.push(GameTree::default()),
            Event::Text { title, text, .. } => self.others.push(format!("{title}: {text}")),
            Event::Opaque { format, bytes, .. } => {
                self.others.push(format!("{format}: {}", bytes.len()));
            }
            _ => {}
        }
        match (&event, self.games.last_mut()) {
            (Event::Text { .. } | Event::Opaque { .. }, _) | (_, None) => Flow::Continue,
            (_, Some(game)) => game.event(event),
        }
    }
}

fn hear(mut database: Database, needs: Option<Needs>) -> Heard {
    let mut heard = Heard {
        needs,
        ..Heard::default()
    };
    while let Some(part) = database.next_part().unwrap() {
        heard.deleted += part.deleted().len() as u64;
        part.tell(&mut heard).unwrap();
    }
    heard
}

fn note(position: i32, kind: u8, data: &[u8]) -> Stored<'_> {
    Stored {
        position,
        kind,
        data,
    }
}

#[test]
fn a_game_has_its_tags_moves_and_notes() {
    let notes = [note(-1, 0x02, b"\0\0whole"), note(0, 0x03, &[1])];
    let base = Builder::new().game(EntryKind::GAME, &E4, &notes);
    let heard = hear(base.open(ReadOptions::default()), None);
    let [game] = &heard.games[..] else {
        panic!("one game")
    };
    assert_eq!(game.tags.white(), Some("Tal, Mikhail"));
    assert_eq!(game.tags.get("PlyCount"), Some("1"));
    assert_eq!(game.place.offset, 46);
    assert_eq!(game.state, GameState::Complete);
    assert!(matches!(&game.items[0], Item::Comment { text, .. } if text == "whole"));
    assert!(matches!(game.items[1..], [Item::Move(_), Item::Nag(_)]));
}

#[test]
fn notes_behind_the_last_move_belong_to_it_unless_moves_were_lost() {
    let far = [note(7, 0x03, &[1])];
    let broken = [0, 0, 0, 6, 0xff, 0xff];
    let base = Builder::new()
        .game(EntryKind::GAME, &E4, &far)
        .game(EntryKind::GAME, &broken, &far);
    let heard = hear(base.open(ReadOptions::default()), None);
    assert!(matches!(
        heard.games[0].items[..],
        [Item::Move(_), Item::Nag(_)]
    ));
    assert_eq!(heard.games[0].state, GameState::Complete);
    assert_eq!(heard.games[1].state, GameState::Broken);
    let errors = |item: &&Item| matches!(item, Item::Error { .. });
    assert_eq!(heard.games[1].items.iter().filter(errors).count(), 2);
}

#[test]
fn deleted_games_are_left_out_and_counted_unless_they_are_wanted() {
    let base = Builder::new()
        .game(EntryKind::GAME.deleted(true), &E4, &[])
        .game(EntryKind::GAME, &E4, &[]);
    let heard = hear(base.open(ReadOptions::default()), None);
    assert_eq!((heard.games.len(), heard.deleted), (1, 1));
    let all = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let heard = hear(base.open(all), None);
    assert_eq!((heard.games.len(), heard.deleted), (2, 0));
}

#[test]
fn games_by_unknown_rules_are_kept_with_their_headers() {
    let base = Builder::new().game(EntryKind::GAME, &[16, 0, 0, 6, 1, 2], &[]);
    let heard = hear(base.open(ReadOptions::default()), None);
    assert!(heard.games.is_empty());
    assert_eq!(heard.others, ["chessbase, mode 16 (Makruk): 52"]);
}

#[test]
fn texts_are_told_or_kept() {
    let codec = TextCodec::default();
    let (text, _) = GuidingText::new("Preface", Some("en"), "<p>Hello</p>", &codec).unwrap();
    let base = Builder::new()
        .text(&text.to_bytes())
        .text(&[0x80, 0, 0, 6, 9, 0]);
    let heard = hear(base.open(ReadOptions::default()), None);
    assert_eq!(
        heard.others,
        ["Preface: <p>Hello</p>", "chessbase, damaged text: 52"]
    );
}

#[test]
fn what_is_missing_is_said_and_the_rest_is_there() {
    let base = Builder::new().game(EntryKind::GAME, &E4, &[]);
    let mut files = base.files();
    files.retain(|(kind, _)| *kind != FileKind::Moves);
    let database = open(files, ReadOptions::default());
    let missing = ".cbg file is missing";
    assert!(database.warnings().iter().any(|it| it.contains(missing)));
    let heard = hear(database, None);
    let game = &heard.games[0];
    assert_eq!(game.tags.white(), Some("Tal, Mikhail"));
    assert!(matches!(&game.items[..], [Item::Error { message, .. }] if message.contains(missing)));
    assert_eq!(game.state, GameState::Broken);
}

#[test]
fn nobody_hears_what_nobody_needs() {
    let notes = [note(0, 0x03, &[1])];
    let base = Builder::new().game(EntryKind::GAME, &E4, &notes);
    let heard = hear(base.open(ReadOptions::default()), Some(Needs::TAGS));
    let game = &heard.games[0];
    assert!(game.items.is_empty() && game.start == Position::initial());
    assert_eq!(game.tags.white(), Some("Tal, Mikhail"));
    let nothing = Needs::NOTHING;
    let heard = hear(base.open(ReadOptions::default()), Some(nothing));
    assert!(heard.games[0].tags.is_empty());
}

#[test]
fn names_that_are_not_there_are_errors() {
    let mut base = Builder::new().game(EntryKind::GAME, &E4, &[]);
    // The number of White is at byte 9 of the record.
    base.headers[46 + 11] = 9;
    let heard = hear(base.open(ReadOptions::default()), None);
    let game = &heard.games[0];
    assert_eq!(game.tags.get("White"), Some("?"));
    assert!(
        matches!(&game.items[..], [Item::Move(_), Item::Error { message, .. }]
        if message == "record 9 of the .cbp file is not there")
    );
}

#[test]
fn a_dump_explains_every_byte() {
    let notes = [note(0, 0x03, &[1])];
    let base = Builder::new().game(EntryKind::GAME, &E4, &notes);
    let database = base.open(ReadOptions::default());
    let dump = database.explain(1).unwrap();
    let of = |title: &str| {
        let section = dump.sections.iter().find(|it| it.title.starts_with(title));
        let lines = &section.unwrap().lines;
        lines.iter().map(|line| line.bytes.len()).sum::<usize>()
    };
    assert_eq!(of("header"), 46);
    assert_eq!(of("White"), 67);
    assert_eq!(of("record") + of("moves"), E4.len());
    assert_eq!(of("annotations"), 21);
    assert!(database.explain(2).is_none());
}
