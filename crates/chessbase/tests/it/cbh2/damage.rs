//! Databases broken as users' files are broken: cut off, with wrong bytes, with files missing.
//! Whatever happens, each record of the header file is told, the warnings say what is missing, and
//! games that have nothing to do with the damage are what they are in the whole database.

use std::collections::BTreeMap;

use tabiya_chessbase::{
    ReadOptions,
    cbh2::{
        Database,
        set::{FileKind, FileSet},
    },
};
use tabiya_formats::{Database as _, io::Contents};
use tabiya_game::{GameState, GameTree};

use super::{data, edit, real, tell};

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

const KINDS: [FileKind; 4] = [
    FileKind::Headers,
    FileKind::Moves,
    FileKind::Annotations,
    FileKind::Entities,
];

/// The databases that are broken: one that tabiya wrote, and real ones.
fn bases() -> Vec<(String, BTreeMap<FileKind, Vec<u8>>)> {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("games.2cbh");
    edit::create(&path);
    let load = |path: &std::path::Path| {
        let files = FileSet::open(path).expect("files");
        let get = |kind| (kind, files.get(kind).expect("a file").to_vec());
        KINDS.into_iter().map(get).collect()
    };
    let mut bases = vec![("games".to_owned(), load(&path))];
    if let Some(folder) = data::find("chessbase2") {
        let (_folder, path) = real::unpacked(&folder.join("simple.2cbv"));
        bases.push(("simple".to_owned(), load(&path)));
    }
    bases
}

/// Games by their numbers, and the warnings; the error if there are no headers.
fn told(
    files: &BTreeMap<FileKind, Vec<u8>>,
) -> Result<(BTreeMap<u64, GameTree>, Vec<String>), String> {
    let files = files
        .iter()
        .map(|(kind, bytes)| (*kind, Contents::from(bytes.clone())));
    let database = Database::from_files(FileSet::from_files(files), ReadOptions::default());
    let database = database.map_err(|error| error.to_string())?;
    let warnings = database.warnings().to_vec();
    let count = database.entries().expect("entries").count();
    for number in [1, count / 2, count] {
        let _ = database.explain(number);
    }
    let games = tell(database).games;
    let games = games.into_iter().map(|game| (game.place.number, game));
    Ok((games.collect(), warnings))
}

#[test]
fn files_that_are_cut_off_are_read_up_to_there() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut cuts, mut same) = (0, 0);
    for (name, files) in bases() {
        let (whole, warnings) = told(&files).expect("a database");
        assert_eq!(warnings, [""; 0]);
        for kind in KINDS {
            let full = files[&kind].len();
            let mut lengths = vec![0, 1, 11, 12, 100, 183, 191, 192, full - 1, full - 9];
            lengths.extend((0..12).map(|_| random.below(full)));
            for length in lengths.into_iter().filter(|length| *length < full) {
                let mut broken = files.clone();
                broken.entry(kind).or_default().truncate(length);
                cuts += 1;
                let what = format!("{name}{kind} cut at {length} of {full}");
                match told(&broken) {
                    Ok((games, warnings)) => {
                        let said = warnings.iter().any(|it| it.contains(&kind.to_string()));
                        // The last room may end early: what is missing there are zeros.
                        assert!(said || kind == FileKind::Entities, "{what}: {warnings:?}");
                        let untouched = games
                            .iter()
                            .filter(|(id, game)| whole.get(id) == Some(game));
                        same += untouched.count();
                    }
                    Err(error) => {
                        assert!(kind == FileKind::Headers && length < 192, "{what}: {error}");
                    }
                }
            }
        }
    }
    println!("{cuts} cuts, {same} games untouched");
    assert!(same > 50);
}

#[test]
fn a_file_that_is_missing_is_named_and_the_rest_is_told() {
    for (name, files) in bases() {
        let (whole, _) = told(&files).expect("a database");
        for kind in &KINDS[1..] {
            let mut broken = files.clone();
            broken.remove(kind);
            let (games, warnings) = told(&broken).expect("a database");
            assert_eq!(warnings, [format!("the {kind} file is missing")], "{name}");
            assert_eq!(games.len(), whole.len(), "{name}");
        }
    }
}

#[test]
fn wrong_bits_harm_few_games() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut files_seen, mut same, mut harmed, mut silent) = (0, 0, 0, 0);
    for (_, files) in bases() {
        let (whole, _) = told(&files).expect("a database");
        for kind in KINDS {
            for round in 0..60 {
                let mut broken = files.clone();
                let bytes = broken.entry(kind).or_default();
                let at = random.below(bytes.len());
                match round % 2 {
                    0 => bytes[at] ^= 1 << random.below(8),
                    _ => bytes[at] = random.below(256) as u8,
                }
                files_seen += 1;
                let Ok((games, warnings)) = told(&broken) else {
                    assert_eq!(kind, FileKind::Headers);
                    continue;
                };
                // Headers and names have no checksums.
                let checked = matches!(kind, FileKind::Moves | FileKind::Annotations);
                let other = games
                    .iter()
                    .filter(|(id, game)| whole.get(id) != Some(game));
                let unsaid = other.filter(|(_, game)| game.state == GameState::Complete);
                if checked && warnings.is_empty() {
                    silent += unsaid.count();
                }
                let equal = games
                    .iter()
                    .filter(|(id, game)| whole.get(id) == Some(game))
                    .count();
                same += equal;
                harmed += whole.len().saturating_sub(equal);
            }
        }
    }
    println!("{files_seen} files with a wrong bit or byte, {same} games the same, {harmed} harmed");
    // However many games there are, a wrong byte is met in one of them or in none.
    assert!(same > 0 && harmed < files_seen);
    assert_eq!(silent, 0, "what is read otherwise is said to be damaged");
}
