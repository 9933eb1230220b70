//! Real archives against what an independent decoder made of them, and byte by byte.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use tabiya_chessbase::{
    ReadOptions,
    cbh2::{
        Database, StoredEntry,
        annotations::{facts, items, write},
        archive,
        entities::{EntityKind, Found},
        frame::{Frame, tag},
        header::{Header, Kind},
        names::{Player, Source, Team, Titles, Tournament},
        set::FileSet,
        text::Pages,
        writer::RecordWriter,
    },
};
use tabiya_formats::{Database as _, pgn::Parser};
use tabiya_game::{CommentPlace, GameState, GameTree, Item};

use super::{Told, data, tell};

/// The archives: games, positions without both kings, texts.
const ARCHIVES: [(&str, [usize; 3]); 2] = [("simple", [46, 7, 7]), ("gelfer", [257, 0, 14])];

fn archives() -> Vec<(&'static str, PathBuf)> {
    let Some(folder) = data::find("chessbase2") else {
        return Vec::new();
    };
    let names = ARCHIVES.iter().map(|(name, _)| *name);
    names
        .map(|name| (name, folder.join(name).with_extension("2cbv")))
        .collect()
}

fn told(path: &Path) -> Told {
    tell(Database::open_archive(path, ReadOptions::default()).expect("an archive"))
}

/// The files of an archive.
pub fn unpacked(path: &Path) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let existing = tabiya_chessbase::archive::Existing::Keep;
    let files = archive::unpack(path, folder.path(), existing).expect("an archive");
    let is_headers = |path: &&PathBuf| path.extension().is_some_and(|it| it == "2cbh");
    let headers = files.iter().find(is_headers).expect("headers").clone();
    (folder, headers)
}

/// Moves, variations and NAGs, in whatever order those of a move are.
fn shape(game: &GameTree) -> Vec<String> {
    let mut shape = Vec::new();
    let mut nags = Vec::new();
    for item in &game.items {
        match item {
            Item::Comment { .. } | Item::Annotation(_) | Item::Error { .. } => {}
            Item::Nag(nag) => nags.push(nag.0),
            other => {
                nags.sort_unstable();
                shape.extend(nags.drain(..).map(|nag| format!("${nag}")));
                shape.push(format!("{other:?}"));
            }
        }
    }
    nags.sort_unstable();
    shape.extend(nags.into_iter().map(|nag| format!("${nag}")));
    shape
}

/// All letters and digits of each comment, by the move that it belongs to. Their comments before a
/// move stand with it; who reads them as PGN takes them for comments after it.
fn letters(game: &GameTree, before: usize) -> BTreeMap<usize, Vec<String>> {
    let mut letters: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut moves = 0;
    for item in &game.items {
        match item {
            Item::Move(_) | Item::Null => moves += 1,
            Item::Comment { place, text, .. } => {
                let words: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
                let at = match place {
                    CommentPlace::Before => moves + before,
                    CommentPlace::After => moves,
                };
                if !words.is_empty() {
                    letters.entry(at).or_default().push(words);
                }
            }
            _ => {}
        }
    }
    letters
}

/// Whether all that we tell of a move is what they have there, in whatever order.
fn same_letters(ours: &GameTree, theirs: &GameTree) -> bool {
    let (ours, theirs) = (letters(ours, 1), letters(theirs, 0));
    ours.len() == theirs.len()
        && ours
            .iter()
            .zip(&theirs)
            .all(|((at, ours), (there, theirs))| {
                let (mine, all) = (ours.concat(), theirs.concat());
                at == there && mine.len() == all.len() && ours.iter().all(|it| all.contains(it))
            })
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn archives_tell_what_the_independent_decoder_found() {
    for (name, path) in archives() {
        let ours = told(&path);
        let text = fs::read_to_string(path.with_file_name(format!("pgn/{name}.pgn")));
        let text = text.expect("its PGN");
        let mut parser = Parser::new(&text);
        let mut theirs = Vec::new();
        let mut tree = GameTree::default();
        while parser.read_game(&mut tree) {
            theirs.push(std::mem::take(&mut tree));
        }
        let (_folder, files) = unpacked(&path);
        let headers = fs::read(&files).expect("headers");
        let names = fs::read(files.with_extension("2lid")).expect("names");
        let (whole, no_kings): (Vec<_>, Vec<_>) = ours
            .games
            .iter()
            .partition(|game| game.state == GameState::Complete);
        let expected = ARCHIVES
            .iter()
            .find(|(it, _)| *it == name)
            .expect("it is one")
            .1;
        assert_eq!(
            [whole.len(), no_kings.len()],
            [expected[0], expected[1]],
            "{name}"
        );
        assert_eq!(theirs.len(), whole.len(), "{name}");
        let mut comments = [0, 0];
        for (ours, theirs) in whole.iter().zip(&theirs) {
            let record = theirs.tags.get("Round").expect("the number of the record");
            assert_eq!(ours.place.number.to_string(), record, "{name}");
            assert_eq!(ours.start, theirs.start, "{name} {record}");
            let (found, expected) = (shape(ours), shape(theirs));
            let different = found
                .iter()
                .zip(&expected)
                .find(|(one, other)| one != other);
            assert_eq!(different, None, "{name} {record}");
            assert_eq!(found.len(), expected.len(), "{name} {record}");
            assert_eq!(ours.result, theirs.result, "{name} {record}");
            for tag in ["FEN", "SetUp", "Result"] {
                let [our, their] = [ours, theirs].map(|game| game.tags.get(tag));
                assert_eq!(our, their, "{name} {record} {tag}");
            }
            check_names(&headers, &names, ours);
            let same = same_letters(ours, theirs);
            comments[usize::from(same)] += 1;
            if !same {
                let (ours, theirs) = (letters(ours, 1), letters(theirs, 0));
                let other = ours
                    .iter()
                    .find(|(at, it)| theirs.get(at).map(|it| it.concat()) != Some(it.concat()));
                println!(
                    "{name} {record}: {other:?} {:?}",
                    other.map(|(at, _)| theirs.get(at))
                );
            }
        }
        println!(
            "{name}: comments differ in {} of {}",
            comments[0],
            whole.len()
        );
        assert_eq!(comments[0], 0, "{name}");
        assert!(no_kings.iter().all(|game| game.tags.get("FEN").is_some()));
        println!("{name}: {} texts", ours.texts.len());
        assert_eq!(ours.texts.len(), expected[2], "{name}");
        assert_eq!(ours.opaque, [""; 0], "{name}");
    }
}

/// The tags of a game are what stands in its bytes, which are looked up here without any help.
fn check_names(headers: &[u8], names: &[u8], game: &GameTree) {
    let header = &headers[game.place.number as usize * 192..][..192];
    let number =
        |at: usize| i64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"));
    // A header of 184 bytes, blocks of 4234, and two texts behind the length of a record.
    let texts = |id: i64, inner: usize| {
        let mut rest = &names[184 + id as usize * 4234 + inner + 4..];
        let mut text = || {
            let length = u32::from_le_bytes(rest[..4].try_into().expect("four bytes")) as usize;
            let text = String::from_utf8(rest[4..4 + length].to_vec()).expect("UTF-8");
            rest = &rest[4 + length..];
            text
        };
        [text(), text()]
    };
    let name = |at: usize| {
        let [last, first] = texts(number(at), 0);
        match (last.is_empty(), first.is_empty()) {
            (true, true) => "?".to_owned(),
            (_, true) => last,
            _ => format!("{last}, {first}"),
        }
    };
    let tag = |name: &str| game.tags.get(name).unwrap_or("?").trim().to_owned();
    let record = game.place.number;
    for (at, color) in [(0x18, "White"), (0x20, "Black")] {
        assert_eq!(tag(color), name(at).trim(), "{record}");
    }
    let [_, title] = texts(number(0x28), 1024);
    let title = if title.is_empty() { "?" } else { &title };
    assert_eq!(tag("Event"), title.trim(), "{record}");
    for (at, color) in [(0x60, "WhiteElo"), (0x70, "BlackElo")] {
        let elo = i16::from_le_bytes([header[at], header[at + 1]]);
        let expected = (elo > 0).then(|| elo.to_string());
        assert_eq!(game.tags.get(color), expected.as_deref(), "{record}");
    }
    let date = u32::from_le_bytes(header[0xbc..].try_into().expect("four bytes"));
    let part = |number: u32, width: usize| match number {
        0 => "?".repeat(width),
        number => format!("{number:0width$}"),
    };
    let [year, month, day] = [date >> 9 & 0xfff, date >> 5 & 15, date & 31];
    let date = format!("{}.{}.{}", part(year, 4), part(month, 2), part(day, 2));
    assert_eq!(game.tags.get("Date"), Some(&*date), "{record}");
}

/// A game of a database, heard by a writer.
fn heard(database: &Database, id: u32) -> StoredEntry {
    let mut writer = RecordWriter::default();
    let entries = database.entries().expect("its entries");
    assert!(entries.tell(id.into(), &mut writer).expect("it is read"));
    writer.take().pop().expect("an entry")
}

/// The bytes of a header that are not computed: no references and offsets, and not the two lowest
/// bits of the magnitudes, which mean nothing.
fn told_bytes(header: &Header) -> Vec<u8> {
    let mut bytes = header.0.to_vec();
    bytes[0] &= 0x7f;
    bytes[0x08..0x58].fill(0);
    bytes[0x88] &= !3;
    bytes
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn all_records_are_written_again_as_they_are() {
    let mut counts = [0; 5];
    for (name, path) in archives() {
        let (_folder, headers) = unpacked(&path);
        let files = FileSet::open(&headers).expect("files");
        assert_eq!(files.warnings(), [""; 0], "{name}");
        let database = Database::open(&headers, ReadOptions::default()).expect("a database");
        let tables = files.tables().expect("tables");
        for (id, header) in tables.headers.iter() {
            let moves = tables.moves.expect("moves");
            let frame = Frame::at(moves, header.moves()).expect("a frame");
            assert!(frame.is_sound(), "{name} {id}");
            if header.kind() == Some(Kind::Text) {
                let pages = Pages::read(frame.content).expect("a text");
                assert_eq!(pages.to_bytes(), frame.content, "{name} {id}");
                counts[0] += 1;
                continue;
            }
            let again = heard(&database, id);
            let (tag, content) = again.moves.as_ref().expect("moves");
            assert_eq!(
                (*tag, &content[..]),
                (frame.tag, frame.content),
                "{name} {id}"
            );
            assert_eq!(
                told_bytes(&again.header),
                told_bytes(&header),
                "{name} {id}"
            );
            let notes = tables.annotations.expect("annotations");
            let at = header.annotations().expect("a place");
            let notes = Frame::at(notes, at).expect("a frame");
            assert!(
                notes.is_sound() && notes.tag == tag::ANNOTATIONS,
                "{name} {id}"
            );
            let found: Vec<_> = items(notes.content)
                .collect::<Result<_, _>>()
                .expect("items");
            counts[1] += found.len();
            assert_eq!(write(found.iter().copied()), notes.content, "{name} {id}");
            check_facts(&header, &facts(found), frame.tag);
            counts[2] += 1;
        }
        let entities = tables.entities.as_ref().expect("names");
        for kind in EntityKind::ALL {
            for id in 0..entities.count(kind) {
                let record = match entities.get(kind, id) {
                    Found::Record(record) => record,
                    _ => {
                        counts[4] += 1;
                        continue;
                    }
                };
                let again = match kind {
                    EntityKind::Player => Player::read(record).map(|it| it.to_bytes()),
                    EntityKind::Tournament => Tournament::read(record).map(|it| it.to_bytes()),
                    EntityKind::Source => Source::read(record).map(|it| it.to_bytes()),
                    EntityKind::Team => Team::read(record).map(|it| it.to_bytes()),
                    EntityKind::Tag => Titles::read(record).map(|it| it.to_bytes()),
                };
                assert_eq!(again.as_deref(), Some(record), "{name} {kind:?} {id}");
                counts[3] += 1;
            }
        }
    }
    let [texts, notes, games, names, deleted] = counts;
    println!("{texts} texts, {games} games with {notes} items, {names} names, {deleted} deleted");
}

/// What the header says about annotations is what they say.
fn check_facts(header: &Header, facts: &tabiya_chessbase::annotations::Facts, tag: u16) {
    if tag == tag::NO_KINGS {
        return;
    }
    // Set-up, variations and rules are not about annotations.
    let about_moves = 1 | 2 | 1 << 27;
    assert_eq!(header.flags().0 & !about_moves, facts.flags);
    assert_eq!(header.medals().0, facts.medals);
    let magnitudes = u16::from_le_bytes([header.0[0x88], header.0[0x89]]);
    assert_eq!(magnitudes & !3, facts.magnitudes);
}
