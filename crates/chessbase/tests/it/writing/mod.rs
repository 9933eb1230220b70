//! Databases that are written: they are those that ChessBase wrote, as far as that is determined,
//! and they give back what went in.

mod convert;
mod edit;
mod kill;
mod reader;

use std::{
    collections::BTreeMap,
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use tabiya_chessbase::{
    Database, ReadOptions,
    assembly::DatabaseTarget,
    encoding::TextCodec,
    files::{
        FileKind,
        annotators::Annotator,
        avl::check,
        entity::{Entities, Entity},
        extended::ExtendedRecord,
        game_tags::GameTag,
        header::{Entry, GameRecord},
        players::Player,
        set::FileSet,
        sources::Source,
        teams::Team,
        tournaments::Tournament,
    },
    writer::{RecordWriter, StoredEntry},
};
use tabiya_formats::{Database as _, io::Input, pgn::Parser};
use tabiya_game::{GameSink, GameTree, Item, LossKind, Losses};

use reader::{Entries, at, extended, moves_at, tell, tell_entry};

use crate::{below::ending, data};

/// The databases that have moves.
fn databases(folder: &Path) -> Vec<(PathBuf, FileSet)> {
    let headers = ending("cbh", &folder.join("chessbase")).into_iter();
    headers
        .map(|path| (path.clone(), FileSet::open(path).expect("a database")))
        .filter(|(_, files)| files.get(FileKind::Moves).is_some())
        .collect()
}

/// Counts of differences by what differs.
#[derive(Default, Debug, PartialEq)]
struct Differences(BTreeMap<&'static str, u32>);

impl Differences {
    fn note(&mut self, what: &'static str, differs: bool) {
        if differs {
            *self.0.entry(what).or_default() += 1;
        }
    }

    fn header(&mut self, old: &GameRecord, new: &GameRecord) {
        self.note("date", old.date != new.date);
        self.note("ending", old.ending != new.ending);
        self.note("line evaluation", old.line_nag != new.line_nag);
        self.note(
            "round",
            (old.round, old.subround) != (new.round, new.subround),
        );
        let elo = |header: &GameRecord| (header.white_elo, header.black_elo);
        self.note("ratings", elo(old) != elo(new));
        self.note("eco", old.eco != new.eco);
        self.note("medals", old.medals != new.medals);
        self.note("flags", old.flags != new.flags);
        self.note("magnitudes", old.magnitudes != new.magnitudes);
        self.note("move count", old.moves_count != new.moves_count);
    }

    fn extended(&mut self, old: &ExtendedRecord, new: &ExtendedRecord) {
        // Most programs do not count it.
        let counted = old.material != ExtendedRecord::default().material;
        self.note("material", counted && old.material != new.material);
        self.note("rating types", old.ratings != new.ratings);
    }
}

/// The entry that a game is written as.
fn rewritten(files: &FileSet, codec: &TextCodec, id: u32) -> StoredEntry {
    let tables = files.tables().expect("tables");
    let entry = tables.headers.get(id).expect("an entry");
    let mut writer = RecordWriter::new(codec.clone());
    tell_entry(files, &tables, codec, id, &entry, &mut writer);
    writer.take().pop().expect("an entry")
}

/// Compares every game with what it is written as.
fn compare(files: &FileSet) -> Differences {
    let codec = TextCodec::default();
    let tables = files.tables().expect("tables");
    let mut differences = Differences::default();
    for (id, entry) in tables.headers.iter() {
        let Entry::Game(old) = entry else { continue };
        let entry = rewritten(files, &codec, id);
        let Entry::Game(new) = entry.header else {
            panic!("a game became something else");
        };
        differences.note("moves", entry.moves != moves_at(files, old.moves));
        differences.header(&old, &new);
        differences.extended(&extended(&tables, id), &entry.extended);
        if old.annotations != 0 {
            let old = at(files, FileKind::Annotations, old.annotations);
            // Without the number of the game.
            let same = old[3..].starts_with(entry.annotations.get(3..).unwrap_or_default());
            differences.note("annotations", !same || entry.annotations.is_empty());
        }
    }
    differences
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_are_written_as_chessbase_wrote_them() {
    let Some(folder) = data::find("") else { return };
    let path = folder.join("chessbase/uncbv/twic1134/twic1134.cbh");
    let files = FileSet::open(path).expect("a database");
    let differences = compare(&files);
    assert_eq!(differences, Differences::default());
}

/// In how many games other databases differ, by what differs.
///
/// * annotations: glyphs go to the places where they belong.
/// * flags, magnitudes: some games have them of annotations that are gone.
/// * material: some games were changed after it was counted.
/// * moves: the game is in a mode that is not written today, or has padding.
/// * rating types: ratings of old programs have no type, and players without a rating have one.
const KNOWN: [(&str, &[(&str, u32)]); 13] = [
    ("TestBase", &[("rating types", 4)]),
    ("Chess960Biel", &[]),
    ("BielMTO", &[]),
    ("cbh_cbj_test", &[("rating types", 1)]),
    ("cbh_test", &[("rating types", 3)]),
    (
        "Hedgehog",
        &[
            ("annotations", 143),
            ("material", 14),
            ("rating types", 160),
        ],
    ),
    (
        "linares",
        &[
            ("annotations", 140),
            ("flags", 1),
            ("magnitudes", 14),
            ("rating types", 473),
        ],
    ),
    ("shorter_cbj_test", &[("rating types", 2)]),
    ("test-annotations", &[("rating types", 6)]),
    ("text", &[("rating types", 1)]),
    ("Mate2", &[("moves", 1), ("rating types", 5)]),
    ("small", &[]),
    ("twic1134", &[]),
];

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn differences_to_other_databases_are_known() {
    let Some(folder) = data::find("") else { return };
    for (path, files) in databases(&folder) {
        let differences = compare(&files);
        println!("{}: {differences:?}", path.display());
        let name = path.file_stem().expect("a name");
        let known = KNOWN.iter().find(|(known, _)| name == *known);
        let known = known.map(|(_, known)| known.iter().copied().collect());
        assert_eq!(Some(differences.0), known, "{}", path.display());
    }
}

/// Writes entries into a database.
fn write(path: &Path, entries: &[StoredEntry]) {
    let mut target = DatabaseTarget::create(path).expect("a place");
    target.add(entries).expect("entries");
    target.finish().expect("a database");
}

/// Checks order, balance and counts of a file of names.
fn check_names<T: Entity>(files: &FileSet, uses: &BTreeMap<u32, (i32, i32)>) {
    let bytes = files.get(T::FILE).expect("a file of names");
    let names = Entities::<T>::new(bytes).expect("names");
    let records: Vec<_> = names.iter().collect();
    let nodes: Vec<_> = records.iter().map(|record| record.node).collect();
    let order = check(&nodes, names.header().root, |one, other| {
        let data = |id: i32| &records[id as usize].data;
        data(one).compare(data(other))
    });
    let live = records.iter().filter(|record| !record.is_deleted()).count();
    let order = order.expect("a tree");
    assert_eq!(order.len(), live);
    // Programs that look for a name by its key expect one.
    for pair in order.windows(2) {
        let [one, other] = [0, 1].map(|at| &records[pair[at] as usize].data);
        assert!(one.compare(other).is_lt(), "{one:?} and {other:?}");
    }
    assert_eq!(names.header().live as usize, live);
    for (id, record) in (0..).zip(&records) {
        let (references, first) = uses.get(&id).copied().unwrap_or_default();
        let counted = (record.references, record.first_game);
        assert_eq!(counted, (references, first), "{} {id}", T::FILE);
    }
}

/// Checks all files of names against the headers.
fn check_tables(path: &Path) {
    let files = FileSet::open(path).expect("a database");
    assert_eq!(files.missing().count(), 0);
    let tables = files.tables().expect("tables");
    assert_eq!(tables.errors, []);
    assert_eq!(tables.headers.header().next_game, tables.headers.len() + 1);
    let mut uses: [BTreeMap<u32, (i32, i32)>; 6] = Default::default();
    let mut refer = |table: usize, id: u32, game: u32| {
        let entry = uses[table].entry(id).or_insert((0, game as i32));
        entry.0 += 1;
    };
    for (id, entry) in tables.headers.iter() {
        let more = extended(&tables, id);
        let (tournament, annotator, source) = match entry {
            Entry::Game(game) => {
                refer(0, game.white, id);
                refer(0, game.black, id);
                assert_eq!(more.moves, i64::from(game.moves));
                assert_eq!(more.annotations, i64::from(game.annotations));
                (game.tournament, game.annotator, game.source)
            }
            Entry::Text(text) => (text.tournament, text.annotator, text.source),
            _ => continue,
        };
        refer(1, tournament, id);
        refer(2, annotator, id);
        refer(3, source, id);
        for team in [more.white_team(), more.black_team()].into_iter().flatten() {
            refer(4, team, id);
        }
        more.game_tag()
            .into_iter()
            .for_each(|tag| refer(5, tag, id));
        assert_eq!(more.sum(), more.checksum);
    }
    check_names::<Player>(&files, &uses[0]);
    check_names::<Tournament>(&files, &uses[1]);
    check_names::<Annotator>(&files, &uses[2]);
    check_names::<Source>(&files, &uses[3]);
    check_names::<Team>(&files, &uses[4]);
    check_names::<GameTag>(&files, &uses[5]);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn databases_are_the_same_after_they_were_written_again() {
    let Some(folder) = data::find("") else { return };
    let place = tempfile::tempdir().expect("a folder");
    for (index, (path, files)) in databases(&folder).iter().enumerate() {
        let mut entries = Entries::default();
        tell(files, &TextCodec::default(), &mut entries);
        let mut writer = RecordWriter::default();
        tell(files, &TextCodec::default(), &mut writer);
        let losses = writer.take_losses();
        let target = place.path().join(format!("copy{index}.cbh"));
        write(&target, &writer.take());
        check_tables(&target);
        let again = reader::read(&target);
        assert_eq!(again.len(), entries.0.len(), "{}", path.display());
        let mut different = 0;
        for (old, new) in entries.0.iter().zip(&again) {
            if old != new {
                println!("{}: {}", path.display(), difference(old, new));
                different += 1;
            }
        }
        assert_eq!(different, 0, "{}", path.display());
        assert!(losses.is_empty(), "{}: {losses:?}", path.display());
    }
}

/// Tells everything in a database, deleted games too.
fn tell_database(path: &Path, sink: &mut dyn GameSink) {
    let options = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let mut database = Database::open(path, options).expect("a database");
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(sink).expect("its games");
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn the_reader_finds_in_a_written_database_what_it_found_before() {
    let Some(folder) = data::find("") else { return };
    let place = tempfile::tempdir().expect("a folder");
    for (index, (path, _)) in databases(&folder).iter().enumerate() {
        let mut entries = Entries::default();
        tell_database(path, &mut entries);
        let mut writer = RecordWriter::default();
        tell_database(path, &mut writer);
        let target = place.path().join(format!("copy{index}.cbh"));
        write(&target, &writer.take());
        check_tables(&target);
        let mut again = Entries::default();
        tell_database(&target, &mut again);
        assert_eq!(again.0.len(), entries.0.len(), "{}", path.display());
        for (old, new) in entries.0.iter().zip(&again.0) {
            assert!(old == new, "{}: {}", path.display(), difference(old, new));
        }
        // Formatting of texts of old versions is the only thing that has no place.
        let losses = writer.take_losses();
        let kinds: Vec<_> = losses
            .iter()
            .map(|(kind, count, _)| (kind, count))
            .collect();
        println!("{}: {} entries, {kinds:?}", path.display(), again.0.len());
        assert!(kinds.iter().all(|(kind, _)| *kind == LossKind::Entry));
    }
}

/// The first things in which two games differ.
fn difference(old: &GameTree, new: &GameTree) -> String {
    let mut tags = old.tags.iter().zip(new.tags.iter());
    let tag = tags.find(|(one, other)| one != other);
    let items = old.items.iter().zip(&new.items).enumerate();
    let mut items = items.filter(|(_, (one, other))| one != other);
    let lengths = (old.items.len(), new.items.len());
    let facts = |tree: &GameTree| format!("{} {:?} {:?}", tree.start, tree.result, tree.state);
    let (one, other) = (facts(old), facts(new));
    format!(
        "tags {tag:?}; items {:?} of {lengths:?}; {one}; {other}",
        items.next()
    )
}

fn text(path: &Path) -> String {
    let mut bytes = Vec::new();
    let mut input = Input::open(path).expect("a file");
    input.read_to_end(&mut bytes).expect("its contents");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads games and writes them, each with its losses.
fn convert(text: &str) -> (Vec<(GameTree, Losses)>, Vec<StoredEntry>) {
    let (mut games, mut entries) = (Vec::new(), Vec::new());
    let mut writer = RecordWriter::default();
    let mut parser = Parser::new(text);
    let mut tree = GameTree::default();
    while parser.read_game(&mut tree) {
        tree.tell(&mut writer);
        entries.extend(writer.take());
        games.push((std::mem::take(&mut tree), writer.take_losses()));
    }
    (games, entries)
}

/// Whether a game came back, but for what was said to be lost.
fn is_back(old: &GameTree, new: &GameTree, losses: &Losses) -> bool {
    let lost = |kind: LossKind| losses.iter().any(|(lost, _, _)| lost == kind);
    let moves = |tree: &GameTree| -> Vec<Item> {
        let is_move = |item: &&Item| {
            matches!(
                item,
                Item::Move(_) | Item::Null | Item::VariationStart | Item::VariationEnd
            )
        };
        tree.items.iter().filter(is_move).cloned().collect()
    };
    let shape = lost(LossKind::Move) || lost(LossKind::Variation) || lost(LossKind::NullMove);
    if !shape && moves(old) != moves(new) {
        return false;
    }
    let notes = losses
        .iter()
        .any(|(kind, _, _)| !matches!(kind, LossKind::Tag | LossKind::Start | LossKind::Result));
    let start = lost(LossKind::Start) || old.start == new.start;
    let result = lost(LossKind::Result) || old.result == new.result;
    let tag = |name| {
        lost(LossKind::Tag)
            || old.tags.get(name).is_none_or(|value| {
                Some(value.trim()) == new.tags.get(name) || matches!(value, "" | "-" | "?" | "0")
            })
    };
    let tags = ["Event", "Site", "WhiteElo", "ECO", "Annotator"];
    start && result && tags.into_iter().all(tag) && (notes || old.items == new.items)
}

fn goes_through(path: &Path) {
    let text = text(path);
    let (mut games, entries) = convert(&text);
    games.retain(|(_, losses)| losses.iter().all(|(kind, _, _)| kind != LossKind::Entry));
    let place = tempfile::tempdir().expect("a folder");
    let target = place.path().join("games.cbh");
    write(&target, &entries);
    check_tables(&target);
    let again = reader::read(&target);
    assert_eq!(again.len(), games.len());
    let mut all = Losses::default();
    let mut wrong = 0;
    for ((old, losses), new) in games.iter().zip(&again) {
        if !is_back(old, new, losses) {
            if wrong < 3 {
                println!("{:?}: {}", old.tags, difference(old, new));
            }
            wrong += 1;
        }
        all.append(losses.clone());
    }
    let losses: Vec<_> = all
        .iter()
        .map(|(kind, count, first)| (kind, count, first.to_string()))
        .collect();
    println!(
        "{}: {} games, {wrong} wrong, {losses:?}",
        path.display(),
        games.len()
    );
    assert_eq!(wrong, 0, "games are not back");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn annotated_games_come_back() {
    let Some(folder) = data::find("") else { return };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder.join("pgn/annotated"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pgn"))
        .collect();
    paths.sort();
    paths.iter().for_each(|path| goes_through(path));
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_of_a_server_come_back() {
    let Some(folder) = data::find("") else { return };
    goes_through(&folder.join("pgn/lichess.pgn.zst"));
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_of_chess960_come_back() {
    let Some(folder) = data::find("") else { return };
    goes_through(&folder.join("pgn/chess960.pgn.zst"));
    goes_through(&folder.join("pgn/chess960rwch.pgn"));
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn tournaments_come_back() {
    let Some(folder) = data::find("") else { return };
    goes_through(&folder.join("pgn/twic-small.pgn.zst"));
}
