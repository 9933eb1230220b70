//! How the command behaves towards files, pipes, signals and people.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::room::{names, tabiya};

#[track_caller]
fn run(args: &[&str]) -> Output {
    tabiya(args).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

#[test]
fn every_help_has_examples() {
    for command in [
        "convert",
        "decode",
        "dump",
        "duplicates",
        "eco",
        "edit",
        "encode",
        "formats",
        "check",
        "info",
        "list",
        "show",
        "tree",
        #[cfg(feature = "server")]
        "serve",
        "delete",
        "undelete",
        "replace",
        "compact",
        "index",
        "pack",
        "unpack",
        "generate",
        "board",
        "moves",
        "perft",
        "completions",
        "man",
    ] {
        let help = run(&[command, "--help"]);
        assert!(help.status.success());
        let heading = format!("EXAMPLES:\n  tabiya {command}");
        assert!(text(&help.stdout).contains(&heading), "{command}");
    }
}

#[test]
fn wrong_use_is_exit_code_2() {
    for args in [
        &["nonsense"][..],
        &["perft"],
        &["perft", "-1"],
        &["board", "--as", "gif"],
        &["moves", "--san", "--uci"],
        &["generate", "--plies", "9..3"],
        &["generate", "--jobs", "0"],
        &["generate", "--signature", "--games", "5"],
        &[],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn version_is_printed() {
    for option in ["-V", "--version"] {
        let output = run(&[option]);
        let version = concat!("tabiya ", env!("CARGO_PKG_VERSION"), "\n");
        assert_eq!(text(&output.stdout), version);
    }
}

#[test]
fn stored_positions_round_trip() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = "bqnbrkrn/pppppp1p/6p1/8/4P3/8/PPPP1PPP/BQNBRKRN";
    let fen = format!("{board} b GEge e3 0 2");
    let read_back = |form: &str, file: &Path| {
        let output = run(&["board", "--from", form, path(file), "--as", "fen"]);
        text(&output.stdout).trim_end().to_string()
    };
    for (form, length, expected) in [
        ("snapshot", 128, format!("{board} b KQkq e3 0 2")),
        ("mailbox", 120, format!("{board} w - - 0 1")),
    ] {
        let raw = folder.path().join("raw");
        let written = run(&["board", &fen, "--as", form, "-o", path(&raw)]);
        assert!(written.status.success());
        assert_eq!(fs::read(&raw).expect("a file").len(), length);
        assert_eq!(read_back(form, &raw), expected);

        let hex = folder.path().join("hex");
        fs::write(&hex, run(&["board", &fen, "--as", form]).stdout).expect("written");
        assert_eq!(read_back(form, &hex), expected);
    }
}

#[test]
fn stored_bytes_of_another_length_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("short");
    fs::write(&file, [0xff; 119]).expect("written");
    let output = run(&["board", "--from", "mailbox", path(&file)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("119 bytes, expected 120"));
    let missing = folder.path().join("missing");
    let output = run(&["board", "--from", "mailbox", path(&missing)]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_a_mailbox_loses_is_said() {
    let output = run(&["board", "--as", "mailbox"]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("castling rights"));
    let output = run(&["board", "--as", "mailbox", "4k3/8/8/8/8/8/8/4K3"]);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn an_output_file_is_complete_or_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("board.svg");
    let written = run(&["board", "--as", "svg", "-o", path(&file)]);
    assert!(written.status.success());
    assert_eq!(names(folder.path()), ["board.svg"]);
    let image = fs::read_to_string(&file).expect("an image");
    assert!(image.ends_with("</svg>\n"));

    // An error leaves what was there before.
    let failed = run(&["board", "no fen", "--as", "svg", "-o", path(&file)]);
    assert_eq!(failed.status.code(), Some(2));
    assert_eq!(names(folder.path()), ["board.svg"]);
    assert_eq!(fs::read_to_string(&file).expect("an image"), image);

    let nowhere = folder.path().join("no/such/folder.svg");
    assert_eq!(run(&["board", "-o", path(&nowhere)]).status.code(), Some(2));
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let mut child = tabiya(&["board", "-", "--as", "fen", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"8/8/8/8/8/8/8/k1K4R\n").expect("read");
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(text(&output.stdout), "8/8/8/8/8/8/8/k1K4R w - - 0 1\n");
}

#[test]
fn a_closed_pipe_is_quiet() {
    let mut child = tabiya(&["board", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // Nothing is printed before the FEN has come, so the pipe is closed by then.
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"8/8/8/8/8/8/8/k1K4R").expect("read");
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    assert!(run(&["man", "--out", path(&pages)]).status.success());
    let expected = [
        "board",
        "check",
        "compact",
        "completions",
        "convert",
        "decode",
        "delete",
        "dump",
        "duplicates",
        "eco",
        "edit",
        "encode",
        "export",
        "formats",
        "generate",
        "import",
        "index",
        "info",
        "list",
        "man",
        "merge",
        "moves",
        "names",
        "pack",
        "perft",
        "replace",
        "report",
        "search",
        "serve",
        "show",
        "tree",
        "undelete",
        "unpack",
    ];
    let mut expected: Vec<_> = expected.map(|name| format!("tabiya-{name}.1")).into();
    expected.push("tabiya.1".to_string());
    assert_eq!(names(&pages), expected);
    let page = fs::read_to_string(pages.join("tabiya-perft.1")).expect("a page");
    assert!(
        page.contains(".SH EXAMPLES\n.nf\n  tabiya perft 5\n"),
        "{page}"
    );
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell]).stdout;
        assert!(text(&script).contains("perft"), "{shell}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = fs::File::options().write(true).open("/dev/full");
    let mut command = tabiya(&["moves"]);
    let output = command.stdout(full.expect("a device")).output();
    let output = output.expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: cannot write standard output: "));
}

#[cfg(unix)]
mod unix {
    use std::{
        fs::Permissions,
        os::unix::fs::{PermissionsExt, symlink},
        process::Child,
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    #[test]
    fn a_replaced_file_keeps_its_mode_and_its_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("written");
        fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("own file");
        symlink(&file, &link).expect("a link");
        let written = run(&["board", "--as", "fen", "-o", path(&link)]);
        assert!(written.status.success());
        let fen = fs::read_to_string(&file).expect("a FEN");
        assert!(fen.starts_with("rnbqkbnr/"));
        assert!(link.is_symlink());
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        assert!(run(&["board", "-o", "/dev/null"]).status.success());
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
    }

    #[track_caller]
    fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
        let start = Instant::now();
        while !done() {
            assert!(start.elapsed() < Duration::from_secs(20), "no {what}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    fn interrupt(child: &mut Child) -> Option<i32> {
        let pid = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status();
        assert!(sent.expect("kill").success());
        child.wait().expect("an end").code()
    }

    #[test]
    fn ctrl_c_removes_the_unfinished_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("board.txt");
        // The file is opened before the FEN is read, and the FEN does not come.
        let mut child = tabiya(&["board", "-", "-o", path(&file)])
            .stdin(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // Waiting for a process closes its input, unless somebody else holds it.
        let _stdin = child.stdin.take();
        wait_until("unfinished file", || names(folder.path()).len() == 1);
        assert_ne!(names(folder.path()), ["board.txt"]);
        assert_eq!(interrupt(&mut child), Some(130));
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn ctrl_c_ends_a_long_perft() {
        let mut child = tabiya(&["perft", "15"])
            .spawn()
            .expect("the command starts");
        let status = format!("/proc/{}/status", child.id());
        wait_until("signal handler", || {
            catches_sigint(&fs::read_to_string(&status).expect("a running process"))
        });
        assert_eq!(interrupt(&mut child), Some(130));
    }

    /// Whether the mask of caught signals has that of Ctrl-C, number 2.
    #[cfg(target_os = "linux")]
    fn catches_sigint(status: &str) -> bool {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask & (1 << (2 - 1)) != 0)
    }
}

#[test]
fn generated_games_do_not_depend_on_the_number_of_threads() {
    let games = |jobs| {
        let output = run(&["generate", "--games", "1000", "--jobs", jobs]);
        assert!(output.status.success());
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        output.stdout
    };
    let one = games("1");
    assert_eq!(text(&one).matches("[Event ").count(), 1000);
    assert!(one == games("3"));
}

#[test]
fn generated_files_are_packed_as_their_names_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("games.pgn.zst");
    let output = run(&["generate", "--games", "10", "-o", path(&target)]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let bytes = fs::read(&target).expect("the file");
    assert!(bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]), "not zstd");
    assert_eq!(names(folder.path()), ["games.pgn.zst"]);
}

#[test]
fn whoever_has_seen_enough_games_may_close_the_pipe() {
    let mut child = tabiya(&["generate", "--games", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}
