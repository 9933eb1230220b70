//! ply16: any bytes are read as words and as both files; what is read is written and read the same.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use tabiya_chess::Position;
use tabiya_formats::{
    Database,
    ply16::{Codec, Profile, ReadOptions, cdb, file},
    stream::{StreamCodec, Streams},
};
use tabiya_game::{Event, Flow, GameSink, GameState, GameTree, Item, Losses};

/// Takes the games of a file.
#[derive(Default)]
struct Games {
    tree: GameTree,
    games: Vec<GameTree>,
}

impl GameSink for Games {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Opaque { .. } = event {
            return Flow::Continue;
        }
        let flow = self.tree.event(event);
        if let Event::GameEnd { .. } = event {
            self.games.push(self.tree.clone());
        }
        flow
    }
}

fn read(database: &mut dyn Database) -> Vec<GameTree> {
    let mut games = Games::default();
    while let Ok(Some(part)) = database.next_part() {
        part.tell(&mut games).expect("games can be told");
    }
    games.games
}

/// A file of tabiya's with one game, whose fields are any bytes.
fn framed_file(fields: &[u8]) -> Vec<u8> {
    let mut bytes = file::MAGIC.to_vec();
    bytes.extend_from_slice(&[0, 1, 0, 0]);
    bytes.extend_from_slice(b"\xfdGM\xfd");
    bytes.extend_from_slice(&(fields.len() as u32).to_be_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(fields);
    bytes
}

/// A file of the program's with one game, whose words are any bytes.
fn framed_cdb(words: &[u8]) -> Vec<u8> {
    let plies = words.len().min(2 * usize::from(u16::MAX)) / 2;
    let index = 24 + 66 + 2 * plies as u64;
    let mut bytes = vec![0; 8];
    bytes.extend_from_slice(&[1, 0, 0, 0, 1, 0, 0, 0]);
    bytes.extend_from_slice(&index.to_le_bytes());
    bytes.extend_from_slice(&[0; 64]);
    bytes.extend_from_slice(&(plies as u16).to_le_bytes());
    bytes.extend_from_slice(&words[..2 * plies]);
    bytes.extend_from_slice(&24u64.to_le_bytes());
    bytes.extend_from_slice(&(plies as u16).to_le_bytes());
    bytes.push(b'\n');
    bytes
}

fn streams(bytes: &[u8]) {
    let start = Position::initial();
    for profile in [Profile::Document, Profile::Program] {
        let codec = Codec::new(profile);
        let bytes = Streams::from(bytes.to_vec());
        codec.explain(&bytes, &start);
        let mut tree = GameTree::default();
        if codec.decode(&bytes, &start, &mut tree).is_err() {
            assert_eq!(tree.state, GameState::Broken);
            continue;
        }
        // Of plies left out the tree does not keep whose they were.
        if tree.items.contains(&Item::Missing) {
            continue;
        }
        let written = codec.encode(&tree, &mut Losses::default());
        let written = written.expect("what was read can be written");
        let mut again = GameTree::default();
        let strict = codec.reading(ReadOptions { strict: true });
        let outcome = strict.decode(&written, &start, &mut again);
        assert_eq!((outcome, &again.items), (Ok(()), &tree.items));
    }
}

fn file(bytes: &[u8]) {
    let games = read(&mut file::Ply16::new(bytes, ReadOptions::default()));
    let _ = file::explain_game(bytes, 0);
    let mut writer = file::RecordWriter::default();
    for game in &games {
        game.tell(&mut writer);
    }
    let written = [file::HEADING.to_vec(), writer.take()].concat();
    let again = read(&mut file::Ply16::new(&written[..], ReadOptions::default()));
    assert_eq!(games.len(), again.len());
    for (game, again) in games.iter().zip(&again) {
        assert_eq!(game.tags, again.tags);
        if game.state == GameState::Complete && !game.items.contains(&Item::Missing) {
            assert_eq!((&game.items, game.start), (&again.items, again.start));
        }
    }
}

fn program_file(bytes: &[u8]) {
    let _ = cdb::looks_like_cdb(&bytes[..bytes.len() / 2], Some(bytes.len() as u64));
    let _ = cdb::explain_game(bytes, 0);
    let Ok(mut database) = cdb::Cdb::open(Arc::<[u8]>::from(bytes), ReadOptions::default()) else {
        return;
    };
    let mut writer = cdb::RecordWriter::default();
    for game in read(&mut database) {
        game.tell(&mut writer);
        let record = writer.take();
        if game.state == GameState::Broken || game.items.contains(&Item::Missing) {
            continue;
        }
        let mut target = cdb::Builder::new(Vec::new(), 0);
        target.add(&record).expect("memory");
        let written = Arc::new(target.finish().expect("memory"));
        let mut again = cdb::Cdb::open(written, ReadOptions::default()).expect("a file");
        let again = read(&mut again);
        assert_eq!((again.len(), &again[0].items), (1, &game.items));
    }
}

fuzz_target!(|bytes: &[u8]| {
    streams(bytes);
    file(bytes);
    file(&framed_file(bytes));
    program_file(bytes);
    program_file(&framed_cdb(bytes));
});
