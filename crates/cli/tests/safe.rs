//! Nothing is overwritten by another kind of file, damage is never exit code 0, and two who write
//! at once lose nothing.

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

const GAME: &str =
    "[White \"Tal, Mikhail\"]\n[Black \"Botvinnik, Mikhail\"]\n\n1. e4 c6 2. d4 d5 *\n";

/// All formats that a name can ask for.
const WRITTEN: [&str; 12] = [
    "pgn", "cbh", "cbv", "si5", "si4", "josedb", "ply16", "cdb", "cmbr", "uci", "fen", "epd",
];

struct Room(TempDir);

impl Room {
    fn new() -> Room {
        let room = Room(tempfile::tempdir().expect("a folder"));
        fs::write(room.path("games.pgn"), GAME).expect("a file");
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(args).current_dir(self.0.path());
        command
    }

    fn run(&self, args: &[&str]) -> (i32, String) {
        let Output {
            status,
            stdout,
            stderr,
        } = self.command(args).output().expect("it runs");
        let text = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
        (status.code().unwrap_or(-1), text.into_owned())
    }

    fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.spawn().expect("it starts")
    }

    /// Every file with its bytes.
    fn contents(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = fs::read_dir(self.0.path()).expect("a folder");
        let mut files: Vec<_> = files
            .map(|file| file.expect("a file").path())
            .map(|path| (path.clone(), fs::read(path).expect("bytes")))
            .collect();
        files.sort();
        files
    }

    fn refuses(&self, args: &[&str]) {
        let before = self.contents();
        let (code, text) = self.run(args);
        assert_eq!(code, 2, "{args:?}: {text}");
        assert_eq!(self.contents(), before, "{args:?}");
        let name = args.last().expect("the output comes last");
        assert!(text.contains(name), "{args:?}: {text}");
    }

    fn makes(&self, args: &[&str]) {
        let (code, text) = self.run(args);
        assert!(code < 2, "{args:?}: {text}");
    }

    /// How many games a file has.
    fn games(&self, name: &str) -> u64 {
        let (_, text) = self.run(&["info", "--json", name]);
        let found = text.split("\"games\":").nth(1).map(|rest| {
            let digits = |c: &char| c.is_ascii_digit();
            rest.trim_start().chars().take_while(digits).collect()
        });
        let digits: String = found.unwrap_or_default();
        digits.parse().unwrap_or_else(|_| panic!("{name}: {text}"))
    }
}

#[test]
fn what_is_no_database_takes_the_place_of_none() {
    let room = Room::new();
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
    let room = Room::new();
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
    let room = Room::new();
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
    let room = Room::new();
    for (name, main) in [("a.sg5", "a.si5"), ("b.sn4", "b.si4"), ("c.cbg", "c.cbh")] {
        room.makes(&["convert", "games.pgn", "-o", name]);
        assert_eq!(room.games(main), 1);
        room.makes(&["convert", "games.pgn", "--append", "-o", name]);
        assert_eq!(room.games(main), 2);
    }
}

#[test]
fn generated_games_are_written_in_the_format_of_the_name() {
    let room = Room::new();
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
        let room = Room::new();
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
            let (code, text) = room.run(args);
            assert_eq!(code, 1, "{args:?}: {text}");
            assert!(!text.contains("nothing wrong"), "{text}");
        }
        let report = fs::read_to_string(room.path("r.json")).expect("a report");
        assert!(report.contains("\"message\": \"the .cb"), "{report}");
        let (_, text) = room.run(&["check", "--json", "a.cbh"]);
        assert!(text.contains("\"damage\":[{\"file\":\"a.cbh\""), "{text}");
        let (code, text) = room.run(&["convert", "a.cbh", "--strict", "-o", "c.pgn"]);
        assert_eq!(code, 1, "{text}");
        assert!(!room.path("c.pgn").exists(), "{text}");
    }
}

/// Whoever is told that it went well has his games in the file.
#[test]
fn two_who_append_at_once_lose_nothing() {
    for extension in ["pgn", "cbh", "si5", "si4", "josedb", "ply16", "cmbr"] {
        let room = Room::new();
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
    let room = Room::new();
    room.makes(&["convert", "games.pgn", "--jobs", "99999999", "-o", "a.pgn"]);
    assert_eq!(room.games("a.pgn"), 1);
}

#[cfg(unix)]
#[test]
fn sigterm_leaves_nothing_behind() {
    let room = Room::new();
    let mut child = room
        .command(&["convert", "-", "-o", "a.cbh"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let started = || fs::read_dir(room.0.path()).expect("a folder").count() > 1;
    for _ in 0..500 {
        if started() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(started(), "the new database has begun");
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status();
    assert!(killed.expect("kill runs").success());
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    let left: Vec<_> = room.contents().into_iter().map(|(path, _)| path).collect();
    assert!(
        left.iter()
            .all(|path| !path.ends_with("a.cbh") && !path.is_dir()),
        "{left:?}"
    );
}

#[test]
fn an_archive_is_written_under_its_password() {
    let room = Room::new();
    for name in ["a.cbz", "a.cbv"] {
        room.makes(&["convert", "games.pgn", "--password", "sesame", "-o", name]);
        let (code, text) = room.run(&["info", name]);
        assert_eq!(code, 2, "{text}");
        let (code, text) = room.run(&["info", "--password", "sesame", name]);
        assert_eq!(code, 0, "{text}");
    }
    // That of an input is not that of the output.
    room.makes(&["convert", "a.cbz", "--password", "sesame", "-o", "open.cbv"]);
    assert_eq!(room.games("open.cbv"), 1);
    room.refuses(&["convert", "games.pgn", "-o", "b.cbz"]);
}

#[test]
fn a_tar_is_no_game() {
    let room = Room::new();
    let mut tar = vec![0; 1_024];
    tar[..9].copy_from_slice(b"games.pgn");
    tar[257..263].copy_from_slice(b"ustar\0");
    tar[512..512 + GAME.len()].copy_from_slice(GAME.as_bytes());
    fs::write(room.path("games.tar"), tar).expect("a file");
    let (code, text) = room.run(&["info", "games.tar"]);
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
        let room = Room::new();
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
        fs::write(room.path("a.zip"), zip(&files)).expect("a file");
        assert_eq!(room.games("a.zip"), 1, "{extension}");
        // Without the others it is said what is missing, by names that are in the archive.
        fs::write(room.path("half.zip"), zip(&files[..1])).expect("a file");
        let (code, text) = room.run(&["info", "half.zip"]);
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
        let room = Room::new();
        let (code, text) = room.run(&["convert", "games.pgn", "-o", &format!("t.{extension}")]);
        assert_eq!(code, 0, "{text}");
        let before = room.contents();
        // Where the system does not tell them apart, it is the same file.
        if room.path(&format!("T.{extension}")).exists() {
            continue;
        }
        for append in [&["--append"][..], &[]] {
            let name = format!("T.{extension}");
            let args = [&["convert", "games.pgn", "-o", &name], append].concat();
            let (code, text) = room.run(&args);
            assert_eq!(code, 2, "{text}");
            assert!(text.contains("differ in nothing but their case"), "{text}");
            assert_eq!(room.contents(), before);
        }
    }
}
