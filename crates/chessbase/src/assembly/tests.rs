//! What cannot be seen from outside: limits, and lists that are not what they should be.

use std::{ffi::OsStr, fs, io, path::Path};

use tabiya_game::{Event, Flow, GameSink};

use super::{
    AssemblyError, Builder, DatabaseTarget, Limits, Warning, Written,
    swap::{Change, Outdated, recover},
};
use crate::{
    Database, edit,
    files::{FileKind, entity::Entities, tournaments::Tournament},
    writer::RecordWriter,
    writer::StoredEntry,
};
use tabiya_formats::{Database as _, Target, pgn::Parser};

fn entries(text: &str) -> Vec<StoredEntry> {
    let mut writer = RecordWriter::default();
    Parser::new(text).read_game(&mut writer);
    writer.take()
}

/// Adds games under limits.
fn build(limits: Limits, games: &[&str]) -> io::Result<Written> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut builder = Builder::with_limits(folder.path(), OsStr::new("games"), limits)?;
    for game in games {
        builder.add_all(&entries(game))?;
    }
    builder.finish()
}

fn refusal(limits: Limits, games: &[&str]) -> String {
    let error = build(limits, games).expect_err("it is full");
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    error.to_string()
}

#[test]
fn limits_are_those_of_three_and_four_bytes() {
    let limits = Limits::default();
    assert_eq!((limits.entries, limits.names), (0xff_ffff, 0x100_0000));
    assert_eq!((limits.large, limits.file), (2 << 30, (4 << 30) - 1));
}

#[test]
fn no_more_games_than_there_are_numbers() {
    let limits = Limits {
        entries: 2,
        ..Limits::default()
    };
    assert_eq!(build(limits, &["1. e4 *", "1. d4 *"]).unwrap().entries, 2);
    assert_eq!(
        refusal(limits, &["1. e4 *", "1. d4 *", "1. c4 *"]),
        "the database is full: it has 2 games and texts"
    );
}

#[test]
fn no_more_names_than_there_are_numbers() {
    let limits = Limits {
        names: 2,
        ..Limits::default()
    };
    let players = ["[White \"A\"]\n[Black \"B\"]\n\n*"; 3];
    assert!(build(limits, &players).is_ok());
    for (tag, file) in [("White", "cbp"), ("Event", "cbt"), ("Annotator", "cbc")] {
        let games = ["A", "B", "C"].map(|name| format!("[{tag} \"{name}\"]\n\n*"));
        assert_eq!(
            refusal(limits, &games.each_ref().map(String::as_str)),
            format!("the database is full: its .{file} file has 2 names")
        );
    }
}

/// A tournament of which a game says some more.
fn of_wijk(more: &[(&str, &str)]) -> String {
    let tags = [("Event", "Wijk aan Zee"), ("EventDate", "1999.01.16")];
    let tags = tags.iter().chain(more);
    let head: String = tags
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
        .collect();
    format!("{head}\n1. e4 *")
}

/// Writes games into a database, or adds them to it; what each lost because of the others.
fn add(path: &Path, games: &[String]) -> Vec<Vec<String>> {
    let mut target = DatabaseTarget::append(path).expect("a place");
    let lost = games.iter().map(|game| {
        target.add(&entries(game)).expect("there is room");
        let losses = Target::take_losses(&mut target);
        losses
            .iter()
            .map(|(_, _, loss)| loss.what.clone())
            .collect()
    });
    let lost = lost.collect();
    let written = target.finish().expect("a database");
    assert!(written.losses.is_empty(), "they were asked for");
    lost
}

/// Hears the value of a tag in each game.
struct Tagged<'t> {
    tag: &'t str,
    values: Vec<String>,
}

impl GameSink for Tagged<'_> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.values.push(String::new()),
            Event::Tag { name, value } if name == self.tag => {
                self.values.pop();
                self.values.push(value.to_owned());
            }
            _ => {}
        }
        Flow::Continue
    }
}

/// A tag of all games of a database, and how many tournaments there are.
fn told(path: &Path, tag: &str) -> (Vec<String>, i32) {
    let mut database = Database::open(path, Default::default()).expect("a database");
    let values = Vec::new();
    let mut tagged = Tagged { tag, values };
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut tagged).expect("games");
    }
    let bytes = fs::read(path.with_extension("cbt")).expect("tournaments");
    let tournaments = Entities::<Tournament>::new(&bytes).expect("tournaments");
    (tagged.values, tournaments.header().live)
}

/// Morphy refuses a database in which two have the same key.
#[test]
fn tournaments_with_the_same_key_are_one_and_what_differs_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    for (tag, first, other) in [
        ("EventType", "swiss", "blitz"),
        ("EventEndDate", "1999.01.31", "1999.02.01"),
        ("EventCountry", "NED", "GER"),
        ("EventRounds", "13", "14"),
        ("EventCategory", "17", "16"),
    ] {
        let path = folder.path().join(format!("{tag}.cbh"));
        let games = [first, other, first].map(|value| of_wijk(&[(tag, value)]));
        let lost = add(&path, &games);
        let became =
            format!("{tag} \"{other}\" became \"{first}\", as in another game of the tournament");
        assert_eq!(lost, [vec![], vec![became], vec![]]);
        let (values, tournaments) = told(&path, tag);
        assert_eq!((values, tournaments), (vec![first.to_owned(); 3], 1));

        // It is the same with a game that is added, and one that knows nothing.
        let lost = add(&path, &[of_wijk(&[])]);
        let became =
            format!("that there was no {tag}: another game of the tournament has \"{first}\"");
        assert_eq!(lost, [vec![became]]);
        assert_eq!(told(&path, tag).1, 1);
    }
}

#[test]
fn what_only_later_games_know_of_a_tournament_is_said_to_be_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    let more = [("EventType", "swiss"), ("EventRounds", "9")];
    let lost = add(&path, &[of_wijk(&[]), of_wijk(&more)]);
    // One of a kind is enough as an example.
    let what = "EventRounds \"9\": another game of the tournament has none";
    assert_eq!(lost, [vec![], vec![what.to_owned()]]);
    assert_eq!(told(&path, "EventType"), (vec![String::new(); 2], 1));
    // Another day is another tournament.
    let other = of_wijk(&more).replace("01.16", "01.17");
    assert_eq!(add(&path, &[other]), [Vec::<String>::new()]);
    assert_eq!(told(&path, "EventType").1, 2);
}

/// Nobody else has the old tournament, so the game is free to say what it was.
#[test]
fn a_game_in_place_of_the_only_one_of_its_tournament_keeps_its_type() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    let [swiss, blitz] = ["swiss", "blitz"].map(|kind| of_wijk(&[("EventType", kind)]));
    add(&path, &[swiss.clone(), "1. d4 *".into()]);
    let written = edit::replace(&path, 1, &entries(&blitz)[0]).expect("a change");
    assert!(written.losses.is_empty(), "{:?}", written.losses);
    let told_now = told(&path, "EventType");
    assert_eq!(told_now, (vec!["blitz".to_owned(), String::new()], 2));
    let written = edit::replace(&path, 2, &entries(&swiss)[0]).expect("a change");
    assert_eq!(written.losses.count(), 1);
    assert_eq!(told(&path, "EventType").0, ["blitz", "blitz"]);
}

#[test]
fn large_files_come_with_a_warning_and_larger_ones_are_refused() {
    let game = "1. e4 {a comment} e5 *";
    let size = 26 + entries(game)[0].moves.len() as u64;
    let limits = |large, file| Limits {
        large,
        file,
        ..Limits::default()
    };
    // The file of annotations is longer.
    let all = entries(game)[0].annotations.len() as u64 + 26;
    assert!(all > size);
    let written = build(limits(size, all), &[game]).unwrap();
    let sizes = [(FileKind::Moves, size), (FileKind::Annotations, all)];
    let warnings = sizes.map(|(file, size)| Warning::Large { file, size });
    assert_eq!(written.warnings, warnings);
    assert_eq!(build(limits(all + 1, all), &[game]).unwrap().warnings, []);
    assert_eq!(
        refusal(limits(all, all - 1), &[game]),
        "the database is full: its .cba file cannot have more than 4 GiB"
    );
    assert_eq!(
        refusal(limits(all, size - 1), &[game]),
        "the database is full: its .cbg file cannot have more than 4 GiB"
    );
}

#[test]
fn a_warning_says_how_large_a_file_is() {
    let warning = Warning::Large {
        file: FileKind::Moves,
        size: 5 << 29,
    };
    assert_eq!(
        warning.to_string(),
        "the .cbg file has 2.5 GiB: some programs read no more than 2"
    );
}

fn create(path: &Path) {
    let mut target = DatabaseTarget::create(path).expect("a place");
    target.add(&entries("1. e4 *")).expect("an entry");
    target.finish().expect("a database");
}

#[test]
fn a_list_that_leads_elsewhere_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let staging = folder.path().join(".tabiya-x");
    fs::create_dir(&staging).expect("a folder");
    fs::write(staging.join("games.cbh"), "new").expect("a file");
    fs::write(folder.path().join("other.cbh"), "other").expect("a file");
    let list = folder.path().join(".games.tabiya-swap");
    for (line, text) in [
        (1, ""),
        (1, "tabiya swap 2\nfolder .tabiya-x\nend\n"),
        (2, "tabiya swap 1\nfolder ..\nend\n"),
        (2, "tabiya swap 1\nfolder .tabiya-/../x\nend\n"),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\t../games.cbh\nend\n",
        ),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nput ../games.cbh\tgames.cbh\nend\n",
        ),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\tother.cbh\nend\n",
        ),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nremove other.cbh\nend\n",
        ),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nremove games.cbh/x\nend\n",
        ),
        (
            4,
            "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\tgames.cbh\n",
        ),
    ] {
        fs::write(&list, text).expect("a list");
        let error = recover(&path).expect_err(text);
        let error = error.get_ref().and_then(|error| error.downcast_ref());
        let path = list.clone();
        assert_eq!(
            error,
            Some(&AssemblyError::BadList { path, line }),
            "{text}"
        );
    }
    assert!(fs::read(&path).expect("a file") != b"new");
    assert_eq!(fs::read(folder.path().join("other.cbh")).unwrap(), b"other");
    let good = "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\tgames.cbh\nremove games.cbb\nend\n";
    fs::write(&list, good).expect("a list");
    assert!(recover(&path).expect("a change"));
    assert_eq!(fs::read(&path).expect("a file"), b"new");
    assert!(!staging.exists() && !list.exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_taken_from_behind_a_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    fs::write(elsewhere.path().join("games.cbh"), "private").expect("a file");
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join(".tabiya-x")).expect("a link");
    let list = "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\tgames.cbh\nend\n";
    fs::write(folder.path().join(".games.tabiya-swap"), list).expect("a list");
    recover(&path).expect("nothing to do");
    assert!(!path.exists());
    assert!(elsewhere.path().join("games.cbh").exists());
}

#[cfg(unix)]
#[test]
fn where_nothing_was_interrupted_nothing_is_needed() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().expect("a folder");
    for name in [
        &b"games.cbh"[..],
        b"\xff.cbh",
        b"a\nb.cbh",
        b"no-folder/games.cbh",
    ] {
        let path = folder.path().join(OsStr::from_bytes(name));
        assert!(!recover(&path).expect("nothing to do"));
    }
}

#[test]
fn a_change_of_somebody_else_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let change = Change::begin(&path).expect("a change");
    fs::write(change.staged("cbh"), "mine").expect("a file");
    fs::write(&path, "theirs").expect("a file");
    let error = change.replace(Outdated::Derived).expect_err("a refusal");
    assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
    assert_eq!(fs::read(&path).expect("a file"), b"theirs");
}

#[test]
fn a_change_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut target = DatabaseTarget::create(&folder.path().join("games.cbh")).expect("a place");
    target.add(&entries("1. e4 *")).expect("an entry");
    drop(target);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn write_protected_files_are_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let moves = folder.path().join("games.cbg");
    let mut permissions = fs::metadata(&moves).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&moves, permissions).expect("permissions");
    let error = DatabaseTarget::append(&path).err().expect("a refusal");
    assert!(error.to_string().ends_with("games.cbg is write-protected"));
}

#[test]
fn databases_have_names_that_lists_can_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    for (given, header) in [("a", "a.cbh"), ("a.b", "a.b.cbh"), ("c.CBG", "c.cbh")] {
        create(&folder.path().join(given));
        assert!(folder.path().join(header).exists(), "{given}");
    }
    let error = DatabaseTarget::create(&folder.path().join("a\nb.cbh"));
    assert_eq!(
        error.err().expect("a refusal").kind(),
        io::ErrorKind::InvalidInput
    );
}

/// Whoever asks what would be lost has to know of every file that a new database takes away.
#[test]
fn all_files_that_go_are_known_to_be_replaced() {
    let profile = crate::FORMAT.profiles[0];
    let known = |extension: &str| {
        profile.extensions().contains(&extension) || profile.replaces().contains(&extension)
    };
    let brought = crate::files::FileKind::ALL.map(|kind| kind.extension());
    let gone = Outdated::Everything.extensions();
    for extension in brought.into_iter().chain(gone) {
        assert!(known(extension), "{extension}");
    }
}
