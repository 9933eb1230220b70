//! Nothing is overwritten by another kind of file, damage is never exit code 0, and two who write
//! at once lose nothing.

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use crate::room::{Room, Words};

const GAME: &str =
    "[White \"Tal, Mikhail\"]\n[Black \"Botvinnik, Mikhail\"]\n\n1. e4 c6 2. d4 d5 *\n";

/// All formats that a name can ask for.
const WRITTEN: [&str; 12] = [
    "pgn", "cbh", "cbv", "si5", "si4", "josedb", "ply16", "cdb", "cmbr", "uci", "fen", "epd",
];

fn room() -> Room {
    Room::with("games.pgn", GAME)
}

impl Room {
    /// How a command ends, and all that it says.
    fn told(&self, args: impl Words) -> (i32, String) {
        let ran = self.run(args);
        (ran.code, ran.said())
    }

    fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.spawn().expect("it starts")
    }

    /// Every file with its bytes.
    fn contents(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => files.push((path.clone(), fs::read(path).expect("bytes"))),
                }
            }
        }
        files.sort();
        files
    }

    fn refuses(&self, args: &[&str]) {
        let before = self.contents();
        let (code, text) = self.told(args);
        assert_eq!(code, 2, "{args:?}: {text}");
        assert_eq!(self.contents(), before, "{args:?}");
        let name = args.last().expect("the output comes last");
        assert!(text.contains(name), "{args:?}: {text}");
    }

    fn makes(&self, args: &[&str]) {
        let (code, text) = self.told(args);
        assert!(code < 2, "{args:?}: {text}");
    }

    /// How many games a file has.
    fn games(&self, name: &str) -> u64 {
        let (_, text) = self.told(&["info", "--json", name]);
        let found = text.split("\"games\":").nth(1).map(|rest| {
            let digits = |c: &char| c.is_ascii_digit();
            rest.trim_start().chars().take_while(digits).collect()
        });
        let digits: String = found.unwrap_or_default();
        digits.parse().unwrap_or_else(|_| panic!("{name}: {text}"))
    }
}

#[test]
fn the_name_of_another_format_is_not_made_longer() {
    let room = room();
    for to in ["si5", "cbh", "2cbh", "tabiya"] {
        room.refuses(&["convert", "games.pgn", "--to", to, "-o", "w.pgn"]);
        room.refuses(&["convert", "games.pgn", "--to", to, "-o", "w.si4"]);
    }
    room.makes(&["convert", "games.pgn", "--to", "si5", "-o", "games.2024"]);
    assert!(room.names().contains(&"games.2024.si5".to_owned()));
}

#[test]
fn nothing_else_is_kept_in_a_database() {
    let room = room();
    room.makes(&["import", "base.tabiya", "games.pgn"]);
    let before = room.contents();
    for args in [
        ["convert", "games.pgn", "-o", "base.tabiya/a.pgn"],
        [
            "convert",
            "games.pgn",
            "--dry-run",
            "--report=base.tabiya/manifest.json",
        ],
        ["merge", "games.pgn", "-o", "base.tabiya/a.pgn"],
        ["check", "games.pgn", "--repair", "base.tabiya/a.pgn"],
        ["export", "base.tabiya", "-o", "base.tabiya/a.pgn"],
        ["show", "games.pgn", "--svg", "base.tabiya/a.svg"],
        ["show", "games.pgn", "--svg", "base.tabiya/manifest.json"],
        ["board", "--as=svg", "-o", "./base.tabiya/a.svg"],
    ] {
        let (code, text) = room.told(&args);
        assert_eq!(code, 2, "{args:?}: {text}");
        assert!(
            text.contains("base.tabiya is a tabiya database"),
            "{args:?}: {text}"
        );
        assert_eq!(room.contents(), before, "{args:?}");
    }
}

#[test]
fn what_is_no_database_takes_the_place_of_none() {
    let room = room();
    for extension in WRITTEN {
        let name = format!("base.{extension}");
        room.makes(&["convert", "games.pgn", "-o", &name]);
        room.refuses(&["show", "games.pgn", "--svg", &name]);
        room.refuses(&["convert", "games.pgn", "--dry-run", "--report", &name]);
        if extension != "fen" && extension != "epd" {
            room.refuses(&["board", "--as", "fen", "-o", &name]);
        }
        if extension != "pgn" {
            room.refuses(&["check", "games.pgn", "--repair", &name]);
        }
    }
    for companion in ["base.sg5", "base.cbg", "base.cbj"] {
        room.refuses(&["show", "games.pgn", "--svg", companion]);
    }
}

#[test]
fn games_of_one_format_take_the_place_of_no_other() {
    let room = room();
    for extension in WRITTEN {
        let name = format!("base.{extension}");
        room.makes(&["convert", "games.pgn", "-o", &name]);
        for to in ["pgn", "uci", "lan"] {
            if to != extension {
                room.refuses(&["convert", "games.pgn", "--to", to, "-o", &name]);
                room.refuses(&["convert", "games.pgn", "--to", to, "--append", "-o", &name]);
            }
        }
        // Whatever it is called, its content says what it is.
        if !["uci", "fen", "epd", "cbh", "si4", "si5"].contains(&extension) {
            fs::copy(room.path(&name), room.path("unnamed")).expect("a copy");
            room.refuses(&["convert", "games.pgn", "--to", "lan", "-o", "unnamed"]);
        }
        // Its own kind replaces it.
        room.makes(&["convert", "games.pgn", "-o", &name]);
    }
}

#[test]
fn names_that_say_nothing_or_too_much_are_refused() {
    let room = room();
    for name in ["x.si5.zst", "x.cbh.gz", "x.cbv.zip", "x.josedb.xz"] {
        room.refuses(&["convert", "games.pgn", "-o", name]);
    }
    for name in ["x.foo", "x.cbone", "x.cbb", "x.sqlite", "x.jose"] {
        room.refuses(&["convert", "games.pgn", "-o", name]);
        room.refuses(&["generate", "--games", "1", "-o", name]);
    }
    room.refuses(&["convert", "games.pgn", "--to", "pgn", "-o", "x.cbone"]);
    // Who says what is wanted may call it as he likes.
    room.makes(&["convert", "games.pgn", "--to", "pgn", "-o", "x.txt"]);
    room.makes(&["convert", "games.pgn", "-o", "x"]);
}

#[test]
fn the_name_of_a_companion_is_the_name_of_the_database() {
    let room = room();
    for (name, main) in [("a.sg5", "a.si5"), ("b.sn4", "b.si4"), ("c.cbg", "c.cbh")] {
        room.makes(&["convert", "games.pgn", "-o", name]);
        assert_eq!(room.games(main), 1);
        room.makes(&["convert", "games.pgn", "--append", "-o", name]);
        assert_eq!(room.games(main), 2);
    }
}

#[test]
fn generated_games_are_written_in_the_format_of_the_name() {
    let room = room();
    for extension in [
        "pgn", "pgn.zst", "cbh", "si5", "si4", "josedb", "cdb", "cmbr",
    ] {
        let name = format!("made.{extension}");
        room.makes(&["generate", "--games", "3", "-o", &name]);
        assert_eq!(room.games(&name), 3, "{name}");
    }
}

#[test]
fn damage_is_never_fine() {
    for extension in ["cbp", "cbt", "cbs", "cbc", "cbh"] {
        let room = room();
        room.makes(&["generate", "--games", "20", "-o", "a.cbh"]);
        let path = room.path(&format!("a.{extension}"));
        match extension {
            "cbh" => {
                let bytes = fs::read(&path).expect("bytes");
                fs::write(&path, &bytes[..bytes.len() / 2]).expect("a file");
            }
            _ => fs::remove_file(&path).expect("it is there"),
        }
        for args in [
            &["check", "a.cbh"][..],
            &["info", "a.cbh"],
            &["show", "a.cbh"],
            &["dump", "a.cbh"],
            &["convert", "a.cbh", "-o", "b.pgn", "--report", "r.json"],
        ] {
            let (code, text) = room.told(args);
            assert_eq!(code, 1, "{args:?}: {text}");
            assert!(!text.contains("nothing wrong"), "{text}");
        }
        let report = room.read("r.json");
        assert!(report.contains("\"message\": \"the .cb"), "{report}");
        let (_, text) = room.told(&["check", "--json", "a.cbh"]);
        assert!(text.contains("\"damage\":[{\"file\":\"a.cbh\""), "{text}");
        let (code, text) = room.told(&["convert", "a.cbh", "--strict", "-o", "c.pgn"]);
        assert_eq!(code, 1, "{text}");
        assert!(!room.path("c.pgn").exists(), "{text}");
    }
}

/// Whoever is told that it went well has his games in the file.
#[test]
fn two_who_append_at_once_lose_nothing() {
    for extension in ["pgn", "cbh", "si5", "si4", "josedb", "ply16", "cmbr"] {
        let room = room();
        let name = format!("base.{extension}");
        room.makes(&["convert", "games.pgn", "-o", &name]);
        room.makes(&["generate", "--games", "400", "-o", "new.pgn"]);
        let append = ["convert", "new.pgn", "--append", "-o", &name];
        let all: Vec<Child> = (0..3).map(|_| room.start(&append)).collect();
        let codes = all
            .into_iter()
            .map(|mut child| child.wait().expect("an end"));
        let done = codes.filter(|status| status.code() < Some(2)).count() as u64;
        assert!(done > 0, "{name}");
        assert_eq!(room.games(&name), 1 + 400 * done, "{name}");
        let left: Vec<_> = room.contents().into_iter().map(|(path, _)| path).collect();
        let traces = left
            .iter()
            .filter(|path| path.to_string_lossy().contains("tabiya"));
        assert_eq!(traces.count(), 0, "{left:?}");
    }
}

#[test]
fn as_many_threads_as_you_like_cost_no_more_than_some() {
    let room = room();
    room.makes(&["convert", "games.pgn", "--jobs", "99999999", "-o", "a.pgn"]);
    assert_eq!(room.games("a.pgn"), 1);
}

/// The figure of a line of what Linux says of a process.
#[cfg(target_os = "linux")]
fn status(id: u32, what: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
    let line = text.lines().find_map(|line| line.strip_prefix(what));
    let figure = line.and_then(|line| line.split_whitespace().nth(1));
    figure.expect("a figure").parse().expect("a number")
}

/// While games come from a pipe that stays open, so that all threads are there.
#[cfg(target_os = "linux")]
#[test]
fn any_number_of_jobs_is_a_sane_number_of_threads_and_some_memory() {
    use std::io::Write;
    let room = room();
    let mut child = room.begin(&["convert", "-", "--jobs", "99999999", "-o", "a.pgn"]);
    let mut games = child.stdin.take().expect("a pipe");
    games
        .write_all(GAME.repeat(2_000).as_bytes())
        .expect("read");
    let most = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .max(64) as u64;
    let mut seen = 0;
    for _ in 0..50 {
        seen = seen.max(status(child.id(), "Threads"));
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let peak = status(child.id(), "VmHWM");
    drop(games);
    assert!(child.wait().expect("an end").success());
    assert!(seen > 1 && seen <= most + 8, "{seen} threads");
    assert!(peak < 400 << 10, "{peak} kB");
    assert_eq!(room.games("a.pgn"), 2_000);
}

/// What is there before a signal comes, and after it.
#[cfg(unix)]
fn interrupted(signal: &str, code: i32) {
    for name in ["a.cbh", "a.si5", "a.pgn.zst", "a.josedb", "a.cbv", "a.cmbr"] {
        for append in [false, true] {
            let room = room();
            if append {
                room.makes(&["convert", "games.pgn", "-o", name]);
            }
            let before = room.contents();
            let mut args = vec!["convert", "-", "-o", name];
            args.extend(append.then_some("--append"));
            if append && name == "a.cbv" {
                continue;
            }
            let mut child = room.begin(&args);
            // Waiting would close it, and what has been read so far is a whole file then.
            let _held = child.stdin.take();
            let started = || room.names().len() > before.len();
            for _ in 0..500 {
                if started() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            assert!(started(), "{args:?} has begun");
            let id = child.id().to_string();
            let killed = Command::new("kill").args([signal, &id]).status();
            assert!(killed.expect("kill runs").success());
            assert_eq!(child.wait().expect("an end").code(), Some(code));
            let is_as_before = room.contents() == before;
            assert!(is_as_before, "{args:?}: {:?}", room.names());
        }
    }
}

#[cfg(unix)]
#[test]
fn sigterm_leaves_nothing_behind() {
    interrupted("-TERM", 143);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_nothing_behind() {
    interrupted("-INT", 130);
}

#[test]
fn an_archive_is_written_under_its_password() {
    let room = room();
    for name in ["a.cbz", "a.cbv"] {
        room.makes(&["convert", "games.pgn", "--password", "sesame", "-o", name]);
        let (code, text) = room.told(&["info", name]);
        assert_eq!(code, 2, "{text}");
        let (code, text) = room.told(&["info", "--password", "sesame", name]);
        assert_eq!(code, 0, "{text}");
    }
    // That of an input is not that of the output.
    room.makes(&["convert", "a.cbz", "--password", "sesame", "-o", "open.cbv"]);
    assert_eq!(room.games("open.cbv"), 1);
    room.refuses(&["convert", "games.pgn", "-o", "b.cbz"]);
}

#[test]
fn a_tar_is_no_game() {
    let room = room();
    let mut tar = vec![0; 1_024];
    tar[..9].copy_from_slice(b"games.pgn");
    tar[257..263].copy_from_slice(b"ustar\0");
    tar[512..512 + GAME.len()].copy_from_slice(GAME.as_bytes());
    room.write("games.tar", tar);
    let (code, text) = room.told(&["info", "games.tar"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("tar archive"), "{text}");
}

/// One zip archive with files that are not packed, as the format's document has it.
fn zip(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let crc = crc32(bytes);
        let (length, name_length) = (bytes.len() as u32, name.len() as u16);
        let offset = out.len() as u32;
        let mut fields = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        fields.extend(crc.to_le_bytes());
        fields.extend(length.to_le_bytes());
        fields.extend(length.to_le_bytes());
        fields.extend(name_length.to_le_bytes());
        fields.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&fields);
        out.extend(name.as_bytes());
        out.extend(bytes);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (out.len() as u32, files.len() as u16);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc: u32, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn a_zipped_database_of_several_files_opens() {
    for (main, extension) in [("a.si5", "si5"), ("a.si4", "si4"), ("a.cbh", "cbh")] {
        let room = room();
        fs::create_dir(room.path("in")).expect("a folder");
        room.makes(&["convert", "games.pgn", "-o", &format!("in/{main}")]);
        let files = fs::read_dir(room.path("in")).expect("a folder");
        let mut files: Vec<(String, Vec<u8>)> = files
            .map(|file| file.expect("a file").path())
            .map(|path| {
                let name = path.file_name().expect("a name").to_string_lossy();
                (format!("folder/{name}"), fs::read(&path).expect("bytes"))
            })
            .collect();
        files.sort();
        let files: Vec<(&str, Vec<u8>)> = files
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.clone()))
            .collect();
        room.write("a.zip", zip(&files));
        assert_eq!(room.games("a.zip"), 1, "{extension}");
        // Without the others it is said what is missing, by names that are in the archive.
        room.write("half.zip", zip(&files[..1]));
        let (code, text) = room.told(&["info", "half.zip"]);
        assert_eq!(code, 2, "{text}");
        assert!(
            text.contains("half.zip") && !text.contains(".tabiya"),
            "{text}"
        );
        assert!(!text.contains(".tmp"), "{text}");
    }
}

#[test]
fn a_name_in_another_case_is_not_another_name() {
    for extension in ["si5", "cbh"] {
        let room = room();
        let (code, text) = room.told(&["convert", "games.pgn", "-o", &format!("t.{extension}")]);
        assert_eq!(code, 0, "{text}");
        let before = room.contents();
        // Where the system does not tell them apart, it is the same file.
        if room.path(&format!("T.{extension}")).exists() {
            continue;
        }
        for append in [&["--append"][..], &[]] {
            let name = format!("T.{extension}");
            let args = [&["convert", "games.pgn", "-o", &name], append].concat();
            let (code, text) = room.told(&args);
            assert_eq!(code, 2, "{text}");
            assert!(text.contains("differ in nothing but their case"), "{text}");
            assert_eq!(room.contents(), before);
        }
    }
}

/// Every file that a write would replace is looked at, not only the one that is named.
#[test]
fn files_beside_a_database_that_is_not_there_are_kept() {
    for (name, beside) in [
        ("x.cbh", "x.cko"),
        ("x.cbh", "x.ini"),
        ("x.cbh", "x.flags"),
        ("x.cbh", "x.cbm"),
        ("x.cbg", "x.cbh"),
        ("x.cbh", "X.pgi"),
        ("x.sg5", "x.si5"),
        ("x.si5", "x.sn5"),
        ("x.si4", "x.sg4"),
    ] {
        for bytes in ["my own notes", GAME, &" ".repeat(56)] {
            let room = room();
            room.write(beside, bytes);
            // Records of one size are all that tells the index of version 5.
            if beside == "x.si5" && bytes.len() == 56 {
                continue;
            }
            for args in [
                &["convert", "games.pgn", "-o", name][..],
                &["convert", "games.pgn", "--append", "-o", name],
                &["generate", "--games", "1", "-o", name],
            ] {
                let before = room.contents();
                let (code, text) = room.told(args);
                assert_eq!(code, 2, "{args:?} beside {beside}: {text}");
                assert!(text.contains(beside), "{text}");
                assert!(text.contains("move it away"), "{text}");
                assert_eq!(room.contents(), before, "{args:?} beside {beside}");
            }
        }
    }
    // Those of a database are its own.
    let room = room();
    room.makes(&["convert", "games.pgn", "-o", "x.cbh"]);
    room.write("x.cko", "keys");
    room.makes(&["convert", "games.pgn", "-o", "x.cbh"]);
    assert!(!room.path("x.cko").exists());
}

#[test]
fn a_name_without_an_extension_is_judged_by_the_files_it_means() {
    let room = room();
    room.write("q.ini", "mine");
    room.write("p.sg5", "mine");
    for (to, name, beside) in [("cbh", "q", "q.ini"), ("si5", "p", "p.sg5")] {
        let before = room.contents();
        let (code, text) = room.told(&["convert", "games.pgn", "--to", to, "-o", name]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(beside), "{text}");
        assert_eq!(room.contents(), before);
    }
    for to in ["cbv", "josedb", "si5", "si4", "cbh"] {
        room.makes(&["convert", "games.pgn", "--to", to, "-o", "new"]);
        assert_eq!(room.games(&format!("new.{to}")), 1);
        assert!(!room.path("new").exists());
    }
    // What is there under another name goes on under it.
    fs::rename(room.path("new.josedb"), room.path("games.db")).expect("a new name");
    room.makes(&[
        "convert",
        "games.pgn",
        "--to",
        "josedb",
        "--append",
        "-o",
        "games.db",
    ]);
    assert_eq!(room.games("games.db"), 2);
}

#[test]
fn folders_are_in_the_way_and_nothing_else_happens() {
    for name in [
        "q.si5", "q.sg5", "q.cbh", "q.cbg", "q.josedb", "q.pgn", "q.cbv",
    ] {
        let room = room();
        fs::create_dir(room.path(name)).expect("a folder");
        let before = room.names();
        let (code, text) = room.told(&["convert", "games.pgn", "-o", name]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(name) && text.contains("a folder"), "{text}");
        assert_eq!(room.names(), before);
    }
}

#[test]
fn an_archive_of_other_files_is_not_replaced() {
    let room = room();
    let text = |name| (name, b"some text".to_vec());
    let games = |name| (name, GAME.as_bytes().to_vec());
    for (name, files) in [
        ("s.zip", vec![text("a.txt"), text("b.txt")]),
        ("one.zip", vec![text("a.txt")]),
        ("k.pgn.zip", vec![games("k.pgn"), text("a.txt")]),
        ("two.pgn.zip", vec![games("a.pgn"), games("b.pgn")]),
    ] {
        room.write(name, zip(&files));
        room.refuses(&["convert", "games.pgn", "-o", name]);
        room.refuses(&["convert", "games.pgn", "--append", "-o", name]);
        room.refuses(&["convert", "games.pgn", "--to", "uci", "-o", name]);
        room.refuses(&["check", "games.pgn", "--repair", name]);
    }
    let (_, text) = room.told(&["convert", "games.pgn", "-o", "new.gz"]);
    assert!(text.contains("new.pgn.gz"), "{text}");
    assert!(!room.path("new.gz").exists());
    for _ in 0..2 {
        room.makes(&["convert", "games.pgn", "-o", "own.pgn.zip"]);
        room.makes(&["convert", "games.pgn", "--to", "pgn", "-o", "own.zip"]);
    }
    room.makes(&["convert", "games.pgn", "--append", "-o", "own.pgn.zip"]);
    assert_eq!(room.games("own.pgn.zip"), 2);
}

/// The files of a database, by their names.
fn files_of(room: &Room, stem: &str) -> Vec<(String, Vec<u8>)> {
    let files = room.contents().into_iter().filter_map(|(path, bytes)| {
        let name = path.file_name()?.to_str()?.to_string();
        name.starts_with(stem).then_some((name, bytes))
    });
    files.collect()
}

#[test]
fn a_zip_archive_of_several_databases_is_refused_by_their_names() {
    let room = room();
    for name in ["a.si5", "b.si5", "c.cbh"] {
        room.makes(&["convert", "games.pgn", "-o", name]);
    }
    let in_folder = |folder: &str, files: Vec<(String, Vec<u8>)>| {
        let files = files.into_iter();
        files
            .map(|(name, bytes)| (format!("{folder}{name}"), bytes))
            .collect::<Vec<_>>()
    };
    let pgn = || vec![("games.pgn".to_string(), GAME.as_bytes().to_vec())];
    let (a, b, c) = (
        files_of(&room, "a."),
        files_of(&room, "b."),
        files_of(&room, "c."),
    );
    for (files, names) in [
        ([a.clone(), b].concat(), ["a.si5", "b.si5"]),
        ([c.clone(), a.clone()].concat(), ["a.si5", "c.cbh"]),
        ([a.clone(), pgn()].concat(), ["a.si5", "games.pgn"]),
        ([pgn(), c].concat(), ["c.cbh", "games.pgn"]),
        (
            [in_folder("x/", a.clone()), in_folder("y/", a.clone())].concat(),
            ["x/a.si5", "y/a.si5"],
        ),
    ] {
        let files: Vec<(&str, Vec<u8>)> = files
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.clone()))
            .collect();
        room.write("z.zip", zip(&files));
        let (code, text) = room.told(&["convert", "z.zip", "-o", "out.pgn"]);
        assert_eq!(code, 2, "{text}");
        assert!(names.iter().all(|name| text.contains(name)), "{text}");
        assert!(!room.path("out.pgn").exists());
    }
    let beside = [
        a,
        vec![("readme.txt".to_string(), b"[White \"x\"]".to_vec())],
    ]
    .concat();
    let files: Vec<(&str, Vec<u8>)> = beside
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.clone()))
        .collect();
    room.write("z.zip", zip(&files));
    assert_eq!(room.games("z.zip"), 1);
}

#[test]
fn a_password_is_used_or_refused() {
    let room = room();
    let sealed = |name: &str| {
        let (code, text) = room.told(&["info", name]);
        assert_eq!(code, 2, "{name}: {text}");
        let (code, text) = room.told(&["info", "--password", "s", name]);
        assert_eq!(code, 0, "{name}: {text}");
    };
    let convert = |input: &str, args: &[&str]| {
        room.makes(&[&["convert", input, "--password", "s"], args].concat());
    };
    convert("games.pgn", &["--to", "cbz", "-o", "q"]);
    sealed("q.cbz");
    convert("games.pgn", &["--split", "1", "-o", "part.cbz"]);
    sealed("part-0001.cbz");
    convert("games.pgn", &["--append", "-o", "new.cbz"]);
    sealed("new.cbz");
    room.makes(&["convert", "games.pgn", "-o", "open.cbv"]);
    convert("open.cbv", &["-o", "shut.cbv"]);
    sealed("shut.cbv");
    for name in ["x.pgn", "x.cbh", "x.si5", "x.josedb"] {
        let before = room.contents();
        let (code, text) = room.told(&["convert", "games.pgn", "--password", "s", "-o", name]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("--password"), "{text}");
        assert_eq!(room.contents(), before);
    }
    // It is the input's.
    convert("q.cbz", &["-o", "y.pgn"]);
    assert_eq!(room.games("y.pgn"), 1);
}

#[test]
fn a_picture_or_a_position_takes_the_place_of_its_own_kind() {
    let room = room();
    for (form, name) in [("fen", "p.fen"), ("fen", "p.epd"), ("svg", "p.svg")] {
        for _ in 0..2 {
            room.makes(&["board", "--as", form, "-o", name]);
        }
    }
    room.makes(&["convert", "games.pgn", "-o", "games.fen"]);
    room.refuses(&["board", "--as", "svg", "-o", "games.fen"]);
}

#[test]
fn a_table_goes_on_if_it_begins_as_ours() {
    let room = room();
    room.write("t.csv", "");
    for rows in [2, 3] {
        room.makes(&["convert", "games.pgn", "--append", "-o", "t.csv"]);
        let text = room.read("t.csv");
        assert_eq!(text.lines().count(), rows);
    }
    for other in ["a\n", "a,b,c\n1,2,3\n"] {
        room.write("t.csv", other);
        let (code, text) = room.told(&["convert", "games.pgn", "--append", "-o", "t.csv"]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("t.csv does not begin as"), "{text}");
        assert_eq!(room.read("t.csv"), other);
    }
}

#[test]
fn databases_in_a_folder_are_not_passed_over_in_silence() {
    let room = room();
    fs::create_dir(room.path("all")).expect("a folder");
    room.makes(&["convert", "games.pgn", "-o", "all/a.pgn"]);
    room.makes(&["convert", "games.pgn", "-o", "all/b.si5"]);
    let (code, text) = room.told(&["convert", "all", "-o", "out.pgn"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("b.si5") && !text.contains("b.sg5"), "{text}");
    fs::remove_file(room.path("all/a.pgn")).expect("it was there");
    let (code, text) = room.told(&["convert", "all", "-o", "out.pgn"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("b.si5"), "{text}");
}

#[test]
fn a_database_that_is_a_folder_in_a_folder_is_named_and_left_alone() {
    let room = room();
    fs::create_dir(room.path("all")).expect("a folder");
    room.makes(&["convert", "games.pgn", "-o", "all/a.pgn"]);
    room.makes(&["convert", "games.pgn", "-o", "all/x.tabiya"]);
    // What somebody has put there is not meant.
    fs::copy(room.path("games.pgn"), room.path("all/x.tabiya/in.pgn")).expect("a copy");
    let (code, text) = room.told(&["convert", "all", "-o", "out.pgn"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("name others to read them: all/x.tabiya\n"),
        "{text}"
    );
    assert_eq!(room.games("out.pgn"), room.games("games.pgn"));
}

/// Wherever in a long output the disk is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_of_standard_output() {
    let room = room();
    room.makes(&["generate", "--games", "500", "-o", "many.pgn"]);
    for args in [
        &["list", "many.pgn"][..],
        &["list", "many.pgn", "--format", "csv"],
    ] {
        let full = fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("it is there");
        let output = room.command(args).stdout(full).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("cannot write standard output: "), "{text}");
        assert_eq!(text.matches("standard output").count(), 1, "{text}");
    }
}

/// Whoever packs or mends waits for those who write.
#[cfg(unix)]
#[test]
fn packing_and_mending_take_turns_with_others() {
    let room = room();
    room.makes(&["convert", "games.pgn", "-o", "a.cbh"]);
    let held = |name: &str| {
        let lock = fs::File::create(room.path(&format!("{name}.tabiya-lock"))).expect("a lock");
        lock.lock().expect("mine");
        lock
    };
    for (name, args) in [
        ("m.pgn", &["check", "games.pgn", "--repair", "m.pgn"][..]),
        ("a.cbh", &["pack", "a.cbh", "-o", "b.cbv"]),
        ("b.cbv", &["pack", "a.cbh", "-o", "b.cbv"]),
    ] {
        let lock = held(name);
        let (code, text) = room.told(args);
        assert_eq!(code, 2, "{args:?}: {text}");
        assert!(
            text.contains("is being changed by another program"),
            "{text}"
        );
        assert!(!room.path("b.cbv").exists());
        drop(lock);
    }
    room.makes(&["pack", "a.cbh", "-o", "b.cbv"]);
    room.makes(&["check", "games.pgn", "--repair", "m.pgn"]);
}

#[test]
fn the_longest_names_work_or_are_refused_without_traces() {
    for length in [200, 240, 244, 248, 251] {
        for extension in ["pgn", "josedb", "si5", "cbh", "cbv"] {
            let room = room();
            let name = format!("{}.{extension}", "n".repeat(length));
            let (code, text) = room.told(&["convert", "games.pgn", "-o", &name]);
            match code {
                0 => assert_eq!(room.games(&name), 1, "{name}"),
                _ => {
                    let says_why = ["too long", "longer than"];
                    assert!(says_why.iter().any(|why| text.contains(why)), "{text}");
                    assert_eq!(room.names(), ["games.pgn"]);
                }
            }
            assert!(room.names().iter().all(|name| !name.contains("tabiya")));
        }
    }
}
