//! `tabiya convert` as a process: bytes, exit codes and counts.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use crate::room::{Ran, Room};

impl Room {
    #[track_caller]
    fn convert(&self, line: &str) -> Ran {
        self.run(&format!("convert {line}"))
    }

    #[track_caller]
    fn convert_stdin(&self, line: &str, input: &[u8]) -> Ran {
        self.fed(&format!("convert {line}"), input)
    }
}

impl Ran {
    /// The numbers of the line of counts: read, written, refused, filtered, deleted.
    #[track_caller]
    fn counts(&self) -> [u64; 5] {
        let line = self
            .err
            .lines()
            .find(|line| line.contains(" games read = "));
        let line = line.unwrap_or_else(|| panic!("no counts: {self:?}"));
        let numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
        let counts: Vec<u64> = numbers.collect();
        assert_eq!(counts[0], counts[1..5].iter().sum::<u64>(), "{line}");
        counts[..5].try_into().expect("five numbers")
    }
}

/// A game as tabiya writes it.
fn game(number: u32) -> String {
    let (month, result) = (
        number % 12 + 1,
        ["1-0", "0-1", "1/2-1/2"][number as usize % 3],
    );
    let (eco, elo) = (number % 100, 2000 + number % 800);
    let moves = match number % 2 {
        0 => "1. e4 e5 2. Nf3 Nc6",
        _ => "1. d4 $1 {a pawn} (1. c4 c5) 1... d5 2. c4 e6 3. Nc3 Nf6",
    };
    format!(
        "[Event \"Event {number}\"]\n[Site \"Berlin GER\"]\n[Date \"2020.{month:02}.??\"]\n\
         [Round \"{number}\"]\n[White \"White {number}\"]\n[Black \"Réti\"]\n\
         [Result \"{result}\"]\n[ECO \"B{eco:02}\"]\n[WhiteElo \"{elo}\"]\n\n{moves} {result}\n\n"
    )
}

fn games(numbers: impl IntoIterator<Item = u32>) -> String {
    numbers.into_iter().map(game).collect()
}

const BROKEN: &str = "[White \"Broken\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n";

#[test]
fn written_games_come_back_as_they_were() {
    let folder = Room::new();
    folder.write("in.pgn", games(0..50));
    let run = folder.convert("in.pgn -o out.pgn");
    assert_eq!((run.code, run.counts()), (0, [50, 50, 0, 0, 0]));
    assert_eq!(folder.read("out.pgn"), games(0..50));
    assert_eq!(run.out, "");
    assert_eq!(folder.names(), ["in.pgn", "out.pgn"]);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Room::new();
    // Several parts of a megabyte, broken games among them.
    let text: String = (0..25_000)
        .map(|number| match number % 1_000 {
            999 => BROKEN.to_string(),
            _ => game(number),
        })
        .collect();
    assert!(text.len() > 4 << 20);
    folder.write("in.pgn", text);
    for options in ["", "--to uci", "--games 1500..12000 --white 7 --plies 5.."] {
        let runs = [1, 2, 5].map(|jobs| {
            let run = folder.convert(&format!("in.pgn {options} --jobs {jobs} -o out"));
            let bytes = fs::read(folder.path("out")).expect("a file");
            // One kind of file does not take the place of another.
            fs::remove_file(folder.path("out")).expect("it is there");
            (run.code, run.counts(), run.err, bytes)
        });
        assert!(!runs[0].3.is_empty());
        assert!(runs[0] == runs[1] && runs[0] == runs[2], "{options}");
    }
}

#[test]
fn standard_input_and_output() {
    let folder = Room::new();
    let pgn = games(0..3);
    for line in ["-", "- -o -", "- --jobs 1 --from pgn"] {
        let run = folder.convert_stdin(line, pgn.as_bytes());
        assert_eq!((run.code, run.out.as_str()), (0, pgn.as_str()), "{line}");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn packed_in_and_out() {
    let folder = Room::new();
    let pgn = games(0..100);
    folder.write("in.pgn", &pgn);
    for extension in ["zst", "gz", "bz2", "xz", "zip"] {
        let packed = format!("packed.pgn.{extension}");
        assert_eq!(folder.convert(&format!("in.pgn -o {packed}")).code, 0);
        let bytes = fs::read(folder.path(&packed)).expect("a file");
        assert!(bytes.len() < pgn.len() / 2, "{extension}");
        assert_eq!(folder.convert(&packed).out, pgn, "{extension}");
        // Whatever it is called, and however it comes.
        fs::copy(folder.path(&packed), folder.path("nameless")).expect("a copy");
        assert_eq!(folder.convert("nameless").out, pgn, "{extension}");
        assert_eq!(folder.convert_stdin("-", &bytes).out, pgn, "{extension}");
    }
}

#[test]
fn several_inputs_are_read_in_their_order() {
    let folder = Room::new();
    folder.write("a.pgn", games(0..3).trim_end());
    folder.write("b.pgn", games(3..5));
    folder.write("empty.pgn", "");
    let run = folder.convert("b.pgn empty.pgn a.pgn - -o out.pgn");
    assert_eq!(run.counts(), [5, 5, 0, 0, 0]);
    assert_eq!(folder.read("out.pgn"), games([3, 4, 0, 1, 2]));
}

#[test]
fn numbers_count_in_each_input() {
    let folder = Room::new();
    folder.write("a.pgn", games(0..3));
    folder.write("b.pgn", games(3..8));
    let run = folder.convert("a.pgn b.pgn --games 2,4");
    assert_eq!(run.out, games([1, 4, 6]));
    assert_eq!(run.counts(), [7, 3, 0, 4, 0]);
    // What lies behind the last wanted number of a file is not read, nor are later inputs left out.
    let run = folder.convert("b.pgn a.pgn b.pgn --games ..2 --jobs 8");
    assert_eq!(run.out, games([3, 4, 0, 1, 3, 4]));
    assert_eq!(run.counts(), [6, 6, 0, 0, 0]);
}

#[test]
fn games_are_chosen_by_number() {
    let folder = Room::new();
    folder.write("in.pgn", games(0..10));
    for (range, chosen, counts) in [
        ("1..10", 0..10, [10, 10, 0, 0, 0]),
        ("3..5", 2..5, [5, 3, 0, 2, 0]),
        ("7", 6..7, [7, 1, 0, 6, 0]),
        ("9..", 8..10, [10, 2, 0, 8, 0]),
        ("..2", 0..2, [2, 2, 0, 0, 0]),
        ("11..20", 0..0, [10, 0, 0, 10, 0]),
    ] {
        let run = folder.convert(&format!("in.pgn --games {range}"));
        // Nothing of what was asked for is no success.
        let code = i32::from(chosen.is_empty());
        assert_eq!((run.code, run.counts()), (code, counts), "{range}");
        assert_eq!(run.out, games(chosen), "{range}");
    }
    let run = folder.convert("in.pgn --games 1,3,5..7");
    assert_eq!((run.code, run.counts()), (0, [7, 5, 0, 2, 0]));
    assert_eq!(run.out, games([0, 2, 4, 5, 6]));
    let run = folder.convert("in.pgn --eco B01,B03..B04");
    assert_eq!(run.out, games([1, 3, 4]));
}

#[test]
fn games_are_chosen_by_what_they_are() {
    let folder = Room::new();
    folder.write("in.pgn", games(0..24));
    for (filter, chosen) in [
        ("--player réti --games ..3", vec![0, 1, 2]),
        ("--player WHITE2", vec![2, 20, 21, 22, 23]),
        ("--white 17", vec![17]),
        ("--black reti --games ..3", vec![0, 1, 2]),
        ("--black somebody", vec![]),
        ("--event 3", vec![3, 13, 23]),
        ("--site ger --event 23", vec![23]),
        ("--since 2020-11-15", vec![10, 11, 22, 23]),
        ("--until 2020-01", vec![0, 12]),
        ("--elo 2020..", vec![20, 21, 22, 23]),
        ("--eco B02..B04", vec![2, 3, 4]),
        ("--eco B2", vec![20, 21, 22, 23]),
        ("--result 1-0 --eco B0", vec![0, 3, 6, 9]),
        ("--result 1/2-1/2 --eco B0", vec![2, 5, 8]),
        ("--plies 5.. --eco B0", vec![1, 3, 5, 7, 9]),
        ("--plies ..4 --eco B0", vec![0, 2, 4, 6, 8]),
    ] {
        let run = folder.convert(&format!("in.pgn {filter}"));
        assert_eq!(run.code, 0, "{filter}");
        assert_eq!(run.counts()[1], chosen.len() as u64, "{filter}");
        assert_eq!(run.out, games(chosen), "{filter}");
    }
}

#[test]
fn what_is_not_wanted_is_left_out_and_not_lost() {
    let folder = Room::new();
    folder.write("in.pgn", game(1));
    let run = folder.convert("in.pgn --no-comments --no-variations --no-nags --one-line");
    assert_eq!(run.code, 0);
    assert!(
        run.out
            .ends_with("\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 0-1\n\n"),
        "{}",
        run.out
    );
    let long = format!("{}*\n\n", "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(40));
    let run = folder.convert_stdin("- --one-line", long.as_bytes());
    assert_eq!(run.out.lines().count(), 7 + 1 + 1 + 1);
}

#[test]
fn lines_for_engines_say_what_they_lost() {
    let folder = Room::new();
    folder.write("in.pgn", games(0..2));
    let run = folder.convert("in.pgn --to uci");
    assert_eq!(run.code, 1);
    assert_eq!(
        run.out,
        "e2e4 e7e5 g1f3 b8c6\nd2d4 d7d5 c2c4 e7e6 b1c3 g8f6\n"
    );
    for line in [
        "16 tags lost, the first in game 1: the tag Event",
        "1 variations lost, the first in game 2: a variation",
        "1 comments lost, the first in game 2: the comment \"a pawn\"",
        "1 NAGs lost, the first in game 2: the NAG $1",
        "2 results lost, the first in game 1: the result 1-0",
    ] {
        assert!(
            run.err.lines().any(|said| said == line),
            "{line}: {}",
            run.err
        );
    }
    let first_line = |line: &str| {
        let run = folder.convert(line);
        assert_eq!(run.code, 1);
        run.out.lines().nth(1).expect("a line").to_string()
    };
    assert!(first_line("in.pgn --to uci:position").starts_with("position startpos moves d2d4"));
    assert_eq!(
        first_line("in.pgn --to lan"),
        "d2-d4 d7-d5 c2-c4 e7-e6 Nb1-c3 Ng8-f6"
    );
    assert!(first_line("in.pgn --to fen").ends_with(" b KQkq e3 0 1"));
    assert!(first_line("in.pgn --to epd").ends_with("id \"White 0 - Réti, ply 1\";"));
    // The name of the output says the format too.
    assert_eq!(folder.convert("in.pgn -o out.uci.gz").code, 1);
    let run = folder.convert("out.uci.gz");
    assert_eq!(run.code, 2);
    assert!(
        run.err
            .contains("out.uci.gz is uci:moves, which tabiya writes but cannot read")
    );
}

#[test]
fn a_broken_game_is_kept_and_reported() {
    let folder = Room::new();
    folder.write("in.pgn", [&game(0), BROKEN, &game(2)].concat());
    let run = folder.convert("in.pgn -o out.pgn --report report.json");
    assert_eq!((run.code, run.counts()), (1, [3, 3, 0, 0, 0]));
    assert!(run.err.contains("1 broken"), "{}", run.err);
    assert!(
        run.err.contains("game 2 (in.pgn, 15:13): illegal move, "),
        "{}",
        run.err
    );
    let out = folder.read("out.pgn");
    assert!(out.contains("{[%tabiya error illegal-move 15:13 "), "{out}");
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["counts"]["read"], 3);
    assert_eq!(report["counts"]["written"], 3);
    assert_eq!(report["broken_count"], 1);
    assert_eq!(report["broken"][0]["game"], 2);
    assert_eq!(report["broken"][0]["line"], 15);
    assert_eq!(report["broken"][0]["kind"], "illegal move");
    assert_eq!(report["inputs"][0]["games"], 3);
    assert_eq!(report["inputs"][0]["format"], "pgn");
    // What was broken stays so, and nothing more is lost.
    let again = folder.convert("out.pgn -o again.pgn");
    assert_eq!(again.code, 1);
    assert_eq!(folder.read("again.pgn"), out);
}

#[test]
fn a_game_without_a_start_is_refused_by_lines() {
    let folder = Room::new();
    folder.write("in.pgn", format!("[FEN \"x\"]\n\n1. e4 *\n\n{}", game(0)));
    let run = folder.convert("in.pgn --to uci");
    assert_eq!((run.code, run.counts()), (1, [2, 1, 1, 0, 0]));
    assert_eq!(run.out, "e2e4 e7e5 g1f3 b8c6\n");
}

#[test]
fn strict_stops_at_the_first_game_that_is_not_whole() {
    let folder = Room::new();
    folder.write("in.pgn", [&game(0), BROKEN, &game(2)].concat());
    folder.write("out.pgn", "old");
    for jobs in [1, 3] {
        let run = folder.convert(&format!("in.pgn -o out.pgn --strict --jobs {jobs}"));
        assert_eq!((run.code, run.counts()), (1, [2, 1, 1, 0, 0]));
        assert!(
            run.err
                .starts_with("error: game 2 (in.pgn, 13:1): illegal move"),
            "{}",
            run.err
        );
        assert!(
            run.err
                .contains("nothing was written, out.pgn is as it was")
        );
        assert_eq!(folder.read("out.pgn"), "old");
        assert_eq!(folder.names(), ["in.pgn", "out.pgn"]);
    }
    let run = folder.convert("in.pgn --to uci -o x.uci --strict");
    assert_eq!(run.code, 1);
    assert!(
        run.err
            .contains("game 1 (in.pgn, 1:1): the format cannot hold the tag")
    );
    assert_eq!(
        folder
            .convert("in.pgn -o out.pgn --strict --games 3..")
            .code,
        0
    );
    assert_eq!(folder.read("out.pgn"), game(2));
}

#[test]
fn a_split_output_is_numbered() {
    let folder = Room::new();
    folder.write("in.pgn", games(0..10));
    let run = folder.convert("in.pgn --split 4 -o out.pgn.gz");
    assert_eq!((run.code, run.counts()), (0, [10, 10, 0, 0, 0]));
    let parts = ["out-0001.pgn.gz", "out-0002.pgn.gz", "out-0003.pgn.gz"];
    assert_eq!(folder.names()[1..], parts);
    assert_eq!(folder.convert("out-0002.pgn.gz").out, games(4..8));
    assert_eq!(folder.convert(&parts.join(" ")).out, games(0..10));
    // An output must not replace an input that is still to be read.
    let run = folder.convert(&format!("{} --split 2 -o out.pgn.gz", parts.join(" ")));
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is an input too"), "{}", run.err);
    assert_eq!(folder.convert(&parts.join(" ")).out, games(0..10));
    assert_eq!(folder.convert("in.pgn --split 4").code, 2);
    assert_eq!(folder.convert("in.pgn --split 0 -o x.pgn").code, 2);
}

#[test]
fn a_split_output_leaves_out_its_own_files_only_and_says_so() {
    let folder = Room::new();
    for (name, number) in [
        ("games-2019", 1),
        ("games-2020", 2),
        ("games-2021", 3),
        ("other", 4),
    ] {
        folder.write(&format!("{name}.pgn"), game(number));
    }
    let run = folder.convert(". -o games.pgn --split 100");
    assert_eq!((run.code, folder.read("games-0001.pgn")), (0, games(1..=4)));
    assert!(!run.err.contains("warning"), "{}", run.err);
    let run = folder.convert(". -o games.pgn --split 3");
    assert_eq!(folder.read("games-0002.pgn"), games(4..=4), "{}", run.err);
    let words = "the output of an earlier run is not read: ./games-0001.pgn\n";
    assert!(run.err.contains(words), "{}", run.err);
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = Room::new();
    folder.write("in.pgn", [&game(0), BROKEN].concat());
    let run = folder.convert("in.pgn -o out.pgn --dry-run");
    assert_eq!((run.code, run.counts()), (1, [2, 2, 0, 0, 0]));
    assert!(run.err.contains("dry run: nothing was written"));
    assert_eq!(folder.convert("in.pgn --dry-run --games 1").code, 0);
    assert_eq!(folder.names(), ["in.pgn"]);
}

#[test]
fn a_file_can_be_converted_into_itself() {
    let folder = Room::new();
    folder.write("in.pgn", games(0..5_000).replace("\n\n1. ", "\n1."));
    assert_eq!(folder.convert("in.pgn -o in.pgn").code, 0);
    assert_eq!(folder.read("in.pgn"), games(0..5_000));
    assert_eq!(folder.names(), ["in.pgn"]);
}

#[test]
fn some_games_of_a_file_do_not_take_the_place_of_all() {
    let folder = Room::new();
    folder.write("in.pgn", games(0..10));
    folder.convert("in.pgn -o in.si5");
    for command in [
        "in.pgn -o in.pgn --result 1-0",
        "in.pgn -o ./in.pgn --games 1..3",
        "in.pgn -o in.pgn --games 1 --dry-run",
        "in.si5 -o in.sg5 --player nobody",
    ] {
        let run = folder.convert(command);
        assert_eq!(run.code, 2, "{command}: {}", run.err);
        let why = "is an input too, and would lose all games but those that are asked for";
        assert!(run.err.contains(why), "{command}: {}", run.err);
    }
    assert_eq!(folder.read("in.pgn"), games(0..10));
    assert_eq!(folder.convert("in.si5").counts(), [10, 10, 0, 0, 0]);
    // Nothing is lost where games are added, or written elsewhere.
    assert_eq!(
        folder.convert("in.pgn -o in.pgn --append --games 1").code,
        0
    );
    assert_eq!(folder.read("in.pgn"), [games(0..10), games(0..1)].concat());
    assert_eq!(folder.convert("in.pgn -o some.pgn --games 1").code, 0);
}

#[test]
fn an_input_that_is_cut_off_leaves_the_old_output() {
    let folder = Room::new();
    folder.write("in.pgn", games(0..5_000));
    folder.convert("in.pgn -o whole.pgn.gz");
    let mut bytes = fs::read(folder.path("whole.pgn.gz")).expect("a file");
    folder.write("out.pgn", "old");
    // Once in the middle, once before the content can be looked at.
    for (jobs, length) in [(1, bytes.len() / 2), (2, bytes.len() / 2), (2, 100)] {
        bytes.truncate(length);
        folder.write("cut.pgn.gz", &bytes);
        let run = folder.convert(&format!("in.pgn cut.pgn.gz -o out.pgn --jobs {jobs}"));
        assert_eq!(run.code, 2);
        for words in [
            "cut.pgn.gz",
            "cut off at byte",
            "stopped after game",
            "out.pgn is as it was",
        ] {
            assert!(run.err.contains(words), "{words}: {}", run.err);
        }
        assert_eq!(folder.read("out.pgn"), "old");
    }
    assert_eq!(
        folder.names(),
        ["cut.pgn.gz", "in.pgn", "out.pgn", "whole.pgn.gz"]
    );
}

#[test]
fn other_files_are_called_by_their_names() {
    let folder = Room::new();
    folder.write("base.cbone", [0; 192]);
    folder.write("games.pgn", b"SQLite format 3\0");
    for (name, kind) in [
        ("base.cbone", "a ChessBase database in one file"),
        ("games.pgn", "an SQLite database"),
    ] {
        let run = folder.convert(&format!("{name} -o out.pgn"));
        assert_eq!(run.code, 2);
        assert!(
            run.err
                .contains(&format!("{name} is {kind}, which tabiya cannot read")),
            "{}",
            run.err
        );
        assert!(!folder.path("out.pgn").exists());
    }
    folder.write("in.pgn", game(1));
    let run = folder.convert("in.pgn -o out.cbone");
    assert!(
        run.err
            .contains("out.cbone would be a ChessBase database in one file")
    );
}

#[test]
fn games_can_be_appended() {
    let folder = Room::new();
    folder.write("one.pgn", game(1));
    folder.write("two.pgn", game(2));
    assert_eq!(folder.convert("one.pgn -o all.pgn --append").code, 0);
    assert_eq!(folder.convert("two.pgn -o all.pgn --append").code, 0);
    let both = folder.convert("one.pgn two.pgn").out;
    assert_eq!(folder.read("all.pgn"), both);
    assert_eq!(folder.convert("two.pgn --append").code, 2);
}

#[test]
fn wrong_use_is_refused_before_anything_is_done() {
    let folder = Room::new();
    folder.write("in.pgn", game(0));
    for (line, words) in [
        ("", "required"),
        ("missing.pgn", "cannot open missing.pgn"),
        ("in.pgn missing.pgn -o out.pgn", "cannot open missing.pgn"),
        ("in.pgn --to pdf", "no format \"pdf\": expected pgn, "),
        (
            "in.pgn --to uci:x",
            "uci has no profile \"x\": expected moves or position",
        ),
        ("in.pgn --from uci", "tabiya writes but cannot read"),
        ("in.pgn --games 5..2", "an empty range"),
        ("in.pgn --games 0", "numbers begin at 1"),
        ("in.pgn --games 0..3", "numbers begin at 1"),
        ("in.pgn --encoding klingon", "expected a name such as utf-8"),
        (
            "in.pgn --encoding utf-16le",
            "convert the file to UTF-8 first",
        ),
        ("in.pgn --jobs 0", "invalid value"),
        (
            "in.pgn --strict --split 5 -o out.pgn",
            "cannot be used with",
        ),
        ("in.pgn --report in.pgn", "the report would replace in.pgn"),
        (
            "in.pgn -o out.pgn --report out.pgn",
            "the report would replace out.pgn",
        ),
        ("- -", "only once"),
    ] {
        let run = folder.convert(line);
        assert_eq!(run.code, 2, "{line}");
        assert!(run.err.contains(words), "{line}: {}", run.err);
    }
    assert_eq!(folder.names(), ["in.pgn"]);
    assert_eq!(folder.read("in.pgn"), game(0));
}

#[test]
fn an_encoding_can_be_given() {
    let folder = Room::new();
    folder.write(
        "in.pgn",
        b"[White \"\xca\xe0\xf0\xef\xee\xe2\"]\n\n1. e4 *\n",
    );
    assert!(
        folder
            .convert("in.pgn --encoding windows-1251")
            .out
            .contains("\"Карпов\"")
    );
    assert!(folder.convert("in.pgn").out.contains("\"Êàðïîâ\""));
}

#[cfg(unix)]
mod unix {
    use std::{
        process::{Child, ChildStdin},
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    /// A conversion that waits for more input after two megabytes.
    fn start(folder: &Room) -> (Child, ChildStdin) {
        let mut command = folder.command("convert - -o out.pgn --jobs 2");
        command.stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(games(0..10_000).as_bytes()).expect("read");
        let begun = Instant::now();
        let is_part = |name: &String| name.ends_with(".part");
        while !folder.names().iter().any(is_part) {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "no unfinished file"
            );
            thread::sleep(Duration::from_millis(5));
        }
        (child, stdin)
    }

    #[track_caller]
    fn send(signal: &str, child: &mut Child) -> Option<i32> {
        let pid = child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.expect("kill").success());
        child.wait().expect("an end").code()
    }

    #[test]
    fn ctrl_c_leaves_what_was_there() {
        let folder = Room::new();
        folder.write("out.pgn", "old");
        let (mut child, _stdin) = start(&folder);
        assert_eq!(send("-INT", &mut child), Some(130));
        assert_eq!(folder.names(), ["out.pgn"]);
        assert_eq!(folder.read("out.pgn"), "old");
    }

    #[test]
    fn a_killed_conversion_leaves_nothing_half_written_under_the_name() {
        let folder = Room::new();
        let (mut child, _stdin) = start(&folder);
        assert_eq!(send("-KILL", &mut child), None);
        assert!(!folder.path("out.pgn").exists());
        // The next conversion is not disturbed by what is left.
        folder.write("in.pgn", games(0..3));
        assert_eq!(folder.convert("in.pgn -o out.pgn").code, 0);
        assert_eq!(folder.read("out.pgn"), games(0..3));
    }

    #[test]
    fn a_closed_pipe_is_quiet() {
        let folder = Room::new();
        folder.write("in.pgn", games(0..5_000));
        let mut command = folder.command("convert in.pgn");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        drop(child.stdout.take());
        let run = Ran::new(
            "convert in.pgn".to_string(),
            child.wait_with_output().expect("an end"),
        );
        assert_eq!((run.code, run.err.as_str()), (0, ""));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let folder = Room::new();
        folder.write("in.pgn", games(0..5_000));
        let run = folder.convert("in.pgn -o /dev/full");
        assert_eq!(run.code, 2);
        assert!(run.err.contains("/dev/full"), "{}", run.err);
    }
}
