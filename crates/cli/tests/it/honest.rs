//! Whatever is not there any more is said to be missing, and counts add up.

use std::{fs, path::Path};

use crate::room::{Ran, Room};

/// A game with all that has a file of its own.
const TEAMS: &str = "[Event \"Biel\"]\n[White \"Tal\"]\n[EventEndDate \"1976.08.01\"]\n\
     [WhiteTeam \"Riga\"]\n[GameTitle \"A day\"]\n[Result \"*\"]\n\n1. e4 *\n";

#[test]
fn a_file_of_a_database_that_was_there_is_missing() {
    for (file, lost) in [
        ("cbj", "teams and titles"),
        ("cbtt", "when tournaments ended"),
        ("cbe", "the teams of 1 games"),
        ("cbl", "the titles of 1 games"),
    ] {
        let room = Room::with("games.pgn", TEAMS);
        room.run("convert games.pgn -o base.cbh").ends(0);
        room.run("check base.cbh").ends(0);
        fs::remove_file(room.path(&format!("base.{file}"))).expect("a file");
        let missing = format!("the .{file} file is missing: ");
        room.run("check base.cbh").ends(1).says(&missing).says(lost);
        room.run("info base.cbh --json").ends(1).says(&missing);
        room.run("convert base.cbh -o out.pgn --report out.json")
            .ends(1)
            .says(&missing);
        assert!(room.read("out.json").contains(&missing));
        room.run("convert base.cbh -o strict.pgn --strict").ends(1);
        assert!(!room.path("strict.pgn").exists());
    }
}

#[test]
fn a_file_that_had_nothing_to_say_is_not_missed() {
    let room = Room::with("games.pgn", "[White \"Tal\"]\n\n1. e4 *\n");
    room.run("convert games.pgn -o base.cbh").ends(0);
    for file in ["cbe", "cbl"] {
        fs::remove_file(room.path(&format!("base.{file}"))).expect("a file");
        room.run("check base.cbh").ends(0);
    }
}

fn cut(path: &Path, bytes: usize) {
    let whole = fs::read(path).expect("a file");
    fs::write(path, &whole[..whole.len() - bytes]).expect("a file");
}

#[test]
fn what_is_known_of_tournaments_may_be_cut_off() {
    let room = Room::with("games.pgn", TEAMS);
    room.run("convert games.pgn -o base.cbh").ends(0);
    cut(&room.path("base.cbtt"), 20);
    let said = "the .cbtt file is cut off: it has 0 of 1 records";
    room.run("check base.cbh").ends(1).says(said);
}

/// Three games, of which the second is marked as deleted.
fn with_deleted(base: &str) -> Room {
    let game = |name| format!("[White \"{name}\"]\n[Result \"*\"]\n\n1. e4 *\n\n");
    let room = Room::with("games.pgn", ["One", "Two", "Three"].map(game).concat());
    room.run(&format!("convert games.pgn -o {base}")).ends(0);
    room.run(&format!("delete {base} 2")).ends(0);
    room
}

#[test]
fn deletion_marks_go_along_to_all_who_have_them() {
    for from in ["base.cbh", "base.2cbh", "base.si5"] {
        for to in ["out.cbh", "out.2cbh", "out.si4", "out.si5", "out.cbv"] {
            let room = with_deleted(from);
            room.run(&format!("convert {from} --deleted -o {to}"))
                .ends(0)
                .does_not_say("lost");
            room.run(&format!("convert {to} -o left.pgn"))
                .ends(0)
                .says("3 games read = 2 written + 0 refused + 0 filtered + 1 deleted");
            room.run(&format!("convert {to} --deleted -o all.pgn"))
                .ends(0);
            assert!(room.read("all.pgn").contains("[ScidFlags \"D\"]"), "{to}");
        }
    }
}

#[test]
fn deletion_marks_that_have_no_place_are_losses() {
    // A database of ChessBase tells the number of plies too, which the file has no place for.
    for (from, lost) in [("base.cbh", "4 tags lost"), ("base.si5", "tag ScidFlags")] {
        let room = with_deleted(from);
        room.run(&format!("convert {from} --deleted -o out.cdb"))
            .ends(1)
            .says(lost);
    }
}

#[test]
fn games_that_are_not_there_are_said_to_be_absent() {
    for base in ["base.cbh", "base.si5"] {
        let room = with_deleted(base);
        room.run(&format!(
            "convert {base} --games 1,9 -o out.pgn --report out.json"
        ))
        .ends(1)
        .says(&format!("no game 9 of {base}: the last one is 3"));
        assert!(room.read("out.json").contains("\"games\": \"9\""));
        room.run(&format!("convert {base} --games 2 -o out.pgn"))
            .ends(1)
            .says("no game 2 of")
            .says("it is marked as deleted; --deleted reads it");
        room.run(&format!("convert {base} --games 1..100 -o out.pgn"))
            .ends(0);
        room.run(&format!("convert {base} --games 1 -o out.pgn"))
            .ends(0)
            .says("1 game read = 1 written + 0 refused + 0 filtered + 0 deleted");
        room.run(&format!("convert {base} --games 3 -o out.pgn"))
            .ends(0)
            .says("3 games read = 1 written + 0 refused + 2 filtered + 0 deleted");
        room.run(&format!("convert {base} --games 9 --strict -o strict.pgn"))
            .ends(1);
        assert!(!room.path("strict.pgn").exists());
    }
    let room = Room::with("games.pgn", "1. e4 *\n");
    room.write("empty.pgn", "");
    room.run("convert games.pgn empty.pgn --games 2 -o out.pgn --report out.json")
        .ends(1)
        .says("no game 2 of games.pgn: the last one is 1")
        .says("no game 2 of empty.pgn: it has none");
    assert!(room.read("out.json").contains("\"name\": \"empty.pgn\""));
}

#[test]
fn where_the_first_respelling_is_is_known() {
    let room = Room::with("one.pgn", "[White \"Tal, M\"]\n\n*\n");
    room.write("two.pgn", "[White \"Tal,M\"]\n\n*\n");
    room.run("convert one.pgn two.pgn -o out.cbh --report out.json")
        .ends(0)
        .says("1 values respelled, of which nothing is lost; the first in game 1 of two.pgn");
    assert!(
        room.read("out.json")
            .contains("\"first_input\": \"two.pgn\"")
    );
}

#[test]
fn a_deleted_game_is_said_to_be_deleted_however_it_was_found() {
    for base in ["base.cbh", "base.si5"] {
        let room = with_deleted(base);
        for args in ["--game 2", "--deleted --white Two"] {
            room.run(&format!("show {base} {args} --json"))
                .ends(0)
                .says("\"deleted\": true");
        }
        room.run(&format!("show {base} --white One --json"))
            .ends(0)
            .says("\"deleted\": false");
    }
}

#[test]
fn a_generated_database_says_what_it_lost() {
    let room = Room::with("games.pgn", "*\n");
    let made = room.run("generate 30 -o made.cbh");
    room.run("generate 30 -o made.pgn");
    let converted = room.run("convert made.pgn -o again.cbh");
    let lost = |ran: &Ran| {
        ran.err
            .lines()
            .filter(|line| line.contains(" lost"))
            .count()
    };
    assert_eq!(
        lost(&made),
        lost(&converted),
        "{}{}",
        made.err,
        converted.err
    );
}

#[test]
fn a_file_of_games_that_is_cut_off_is_damage_to_all_commands() {
    for (base, games) in [("base.si4", "base.sg4"), ("base.si5", "base.sg5")] {
        let room = with_deleted(base);
        room.run(&format!("info {base} --json"))
            .ends(0)
            .says("\"damage\": []");
        cut(&room.path(games), 3);
        for command in ["info --json", "info", "list", "show", "check"] {
            room.run(&format!("{command} {base}"))
                .ends(1)
                .says("the file of games is cut off");
        }
        room.run(&format!("convert {base} -o out.pgn")).ends(1);
    }
}

/// One broken game behind a whole one.
const BROKEN: &str = "[White \"One\"]\n\n1. e4 *\n\n[White \"Two\"]\n\n1. e4 Ke4 2. d4 *\n";

#[test]
fn an_error_stands_where_the_game_is_now_and_says_where_it_was() {
    for between in ["b.pgn", "b.si5", "b.si4", "b.cbh", "b.cbv"] {
        let room = Room::with("a.pgn", BROKEN);
        room.run(&format!("convert a.pgn -o {between}"))
            .says("(a.pgn, 7:7)");
        room.run(&format!("convert {between} -o c.pgn"))
            .does_not_say("7:7)");
        let first = "[%tabiya error illegal-move 7:7 ";
        let (line, text) = (1..)
            .zip(
                room.read("c.pgn")
                    .lines()
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
            .find(|(_, line)| line.contains(first))
            .expect("the error is kept");
        let column = text.find('{').expect("a comment") + 1;
        room.run("check c.pgn")
            .ends(1)
            .says(&format!("c.pgn:{line}:{column}: "))
            .says("(before it was converted, at 7:7)");
        // However often it is converted, it is the same.
        room.run("convert c.pgn -o d.pgn")
            .says(&format!("(c.pgn, {line}:{column})"));
        assert_eq!(room.read("c.pgn"), room.read("d.pgn"), "{between}");
    }
}

#[test]
fn an_error_that_a_database_has_no_place_for_is_a_loss() {
    let room = Room::with("a.pgn", BROKEN);
    room.run("convert a.pgn -o b.2cbh")
        .ends(1)
        .says("1 errors lost");
    room.run("convert b.2cbh -o c.pgn").ends(0);
    assert!(!room.read("c.pgn").contains("tabiya error"));
}

/// A hundred games.
fn many() -> Room {
    let room = Room::with("games.pgn", "*\n");
    room.run("generate --games 100 -o games.pgn").ends(0);
    room
}

fn games(room: &Room, name: &str) -> usize {
    let text = room.read(name);
    text.lines()
        .filter(|line| line.starts_with("[Event "))
        .count()
}

#[test]
fn what_is_left_of_a_scid_database_is_salvaged() {
    for version in ["4", "5"] {
        for (file, bytes, least) in [
            ("sn", 40, 100),
            ("sg", 40, 100),
            ("si", 500, 85),
            ("si", 470, 85),
        ] {
            let room = many();
            let base = format!("base.si{version}");
            room.run(&format!("convert games.pgn -o {base}"));
            cut(&room.path(&format!("base.{file}{version}")), bytes);
            let ran = room
                .run(&format!("convert {base} -o out.pgn --salvage"))
                .ends(1);
            let said = format!("damaged, games may be missing: {base}");
            let ran = ran.says(&said);
            let found = games(&room, "out.pgn");
            assert!(
                (least..=100).contains(&found),
                "{file}{version}: {found}, {}",
                ran.err
            );
        }
    }
}

#[test]
fn what_is_left_of_a_cdb_is_salvaged() {
    let room = many();
    room.run("convert games.pgn -o base.cdb");
    let length = fs::metadata(room.path("base.cdb")).expect("a file").len() as usize;
    cut(&room.path("base.cdb"), length / 2);
    room.run("convert base.cdb -o out.pgn").ends(2);
    for command in ["check", "convert -o out.pgn --salvage"] {
        room.run(&format!("{command} base.cdb"))
            .ends(1)
            .says("the file is cut off at byte ")
            .says(" of 100 games are there, and no tags");
    }
    let text = room.read("out.pgn");
    let found = text.matches("1. ").count();
    assert!(found > 10, "{found}: {text}");
}

#[test]
fn what_is_left_of_a_ply16_is_salvaged() {
    let room = many();
    room.run("convert games.pgn -o base.ply16");
    let length = fs::metadata(room.path("base.ply16")).expect("a file").len() as usize;
    cut(&room.path("base.ply16"), length / 2);
    room.run("convert base.ply16 -o out.pgn --salvage").ends(1);
    let found = games(&room, "out.pgn");
    assert!((20..100).contains(&found), "{found}");
}

#[test]
fn what_is_left_of_a_zip_archive_is_salvaged() {
    let room = many();
    room.run("convert games.pgn -o games.pgn.zip").ends(0);
    let length = fs::metadata(room.path("games.pgn.zip"))
        .expect("a file")
        .len() as usize;
    cut(&room.path("games.pgn.zip"), length / 4);
    room.run("convert games.pgn.zip -o out.pgn")
        .ends(2)
        .says("has no directory at its end");
    room.run("convert games.pgn.zip -o out.pgn --salvage")
        .ends(1)
        .says("damaged, games may be missing: games.pgn.zip");
    let found = games(&room, "out.pgn");
    assert!((20..100).contains(&found), "{found}");
    // Without its directory alone, nothing is missing but that.
    room.run("convert games.pgn -o whole.pgn.zip").ends(0);
    cut(&room.path("whole.pgn.zip"), 10);
    room.run("convert whole.pgn.zip -o out.pgn --salvage")
        .ends(1)
        .says("has no directory at its end");
    assert_eq!(games(&room, "out.pgn"), 100);
}

/// An archive of the members of two that have one each.
fn joined(one: &[u8], other: &[u8]) -> Vec<u8> {
    let place = |zip: &[u8], mark: &[u8]| zip.windows(4).rposition(|bytes| bytes == mark);
    let parts = |zip: &[u8]| {
        let directory = place(zip, b"PK\x01\x02").expect("a directory");
        let end = place(zip, b"PK\x05\x06").expect("an end");
        let [member, entry, end] = [&zip[..directory], &zip[directory..end], &zip[end..]];
        (member.to_vec(), entry.to_vec(), end.to_vec())
    };
    let (first, first_entry, mut end) = parts(one);
    let (second, mut second_entry, _) = parts(other);
    let number = |length: usize| (length as u32).to_le_bytes();
    second_entry[42..46].copy_from_slice(&number(first.len()));
    end[8..12].copy_from_slice(&[2, 0, 2, 0]);
    end[12..16].copy_from_slice(&number(first_entry.len() + second_entry.len()));
    end[16..20].copy_from_slice(&number(first.len() + second.len()));
    [first, second, first_entry, second_entry, end].concat()
}

#[test]
fn the_members_behind_a_damaged_one_are_salvaged() {
    let room = many();
    for name in ["a", "b"] {
        fs::copy(room.path("games.pgn"), room.path(&format!("{name}.pgn"))).expect("a copy");
        room.run(&format!("convert {name}.pgn -o {name}.pgn.zip"))
            .ends(0);
    }
    let zip = |name: &str| fs::read(room.path(name)).expect("a file");
    let whole = joined(&zip("a.pgn.zip"), &zip("b.pgn.zip"));
    room.write("all.zip", &whole);
    room.run("convert all.zip -o out.pgn").ends(0);
    assert_eq!(games(&room, "out.pgn"), 200);
    let mut damaged = whole;
    damaged[60..70].fill(0xff);
    room.write("all.zip", &damaged);
    room.run("convert all.zip -o none.pgn").ends(2);
    room.run("convert all.zip -o out.pgn --salvage")
        .ends(1)
        .says("a.pgn in the zip archive is damaged");
    assert!(games(&room, "out.pgn") >= 100);
    // Without its directory, too.
    cut(&room.path("all.zip"), 10);
    room.run("convert all.zip -o out.pgn --salvage")
        .ends(1)
        .says("a.pgn in the zip archive is damaged")
        .says("has no directory at its end");
    assert!(games(&room, "out.pgn") >= 100);
}

#[test]
fn what_is_left_of_an_archive_is_unpacked() {
    let room = many();
    room.run("convert games.pgn -o base.cbv");
    let length = fs::metadata(room.path("base.cbv")).expect("a file").len() as usize;
    cut(&room.path("base.cbv"), length / 3);
    room.run("unpack base.cbv whole").ends(2);
    assert!(!room.path("whole/base.cbh").exists());
    room.run("unpack base.cbv left --salvage")
        .ends(1)
        .says("is not all there: the archive is cut off")
        .says("base.cbh");
    assert!(room.path("left/base.cbh").exists());
}

#[test]
fn compacting_counts_the_bytes_of_all_files() {
    for base in ["base.si4", "base.si5", "base.cbh"] {
        let room = with_deleted(base);
        let bytes = || -> u64 {
            let files = fs::read_dir(room.folder()).expect("a folder");
            let files = files.filter_map(|file| Some(file.ok()?.metadata().ok()?.len()));
            files.sum()
        };
        let before = bytes();
        let ran = room.run(&format!("compact {base}")).ends(0);
        let saved = before - bytes();
        assert!(
            ran.out.contains(&format!(" {saved} bytes")),
            "{saved}: {}",
            ran.out
        );
    }
}

#[test]
fn a_dry_run_tells_the_same_losses() {
    // Two that say different things of one tournament: only the database knows that.
    let game = |rounds| {
        format!(
            "[Event \"Biel\"]\n[Site \"Biel\"]\n[EventDate \"1976.07.01\"]\n\
             [EventRounds \"{rounds}\"]\n[WhiteTitle \"GM\"]\n\n1. e4 (1. d4 $1 {{a}}) *\n\n"
        )
    };
    let room = Room::with("games.pgn", [game(9), game(11)].concat());
    let losses = |ran: &Ran| -> Vec<String> {
        let lines = ran.err.lines().filter(|line| line.contains("lost"));
        lines.map(str::to_owned).collect()
    };
    for to in [
        "cbh", "cbv", "2cbh", "si4", "si5", "josedb", "cdb", "uci", "epd",
    ] {
        for strict in ["", " --strict"] {
            let dry = room.run(&format!("convert games.pgn -o dry.{to} --dry-run{strict}"));
            assert!(!room.path(&format!("dry.{to}")).exists(), "{to}");
            let real = room.run(&format!(
                "convert games.pgn -o real{}.{to}{strict}",
                strict.len()
            ));
            assert_eq!(losses(&dry), losses(&real), "{to}{strict}");
            assert_eq!(dry.code, real.code, "{to}{strict}: {}", dry.err);
        }
    }
    room.run("convert games.pgn -o new.cbh")
        .ends(1)
        .says("3 tags lost");
    // Behind what is there, and it stays as it is.
    let file = || std::fs::read(room.path("new.cbt")).expect("a file");
    let before = file();
    room.write("more.pgn", game(11));
    room.run("convert more.pgn -o new.cbh --append --dry-run")
        .ends(1)
        .says("2 tags lost");
    assert_eq!(file(), before);
    room.run("info new.cbh").says("games       2");
}

#[test]
fn a_dry_run_fails_where_the_real_one_does() {
    let room = Room::with("games.pgn", "1. e4 e5 *\n\n1. d4 d5 *\n");
    for name in ["foreign-0001.cbh", "second-0002.cbh"] {
        room.write(name, "whatever it is");
    }
    for (line, code) in [
        ("-o new.cbz --password sesame", 0),
        ("-o part.cbz --password sesame --split 1", 0),
        ("-o new.cbz", 2),
        ("-o new.pgn --password sesame", 2),
        ("-o nowhere/new.cbh", 2),
        ("-o nowhere/new.pgn", 2),
        ("-o nowhere/new.tabiya", 2),
        ("--to cbh", 2),
        ("--to si5", 2),
        ("-o foreign.cbh --split 1", 2),
        ("-o second.cbh --split 1", 2),
        ("-o nowhere/part.pgn --split 1", 2),
    ] {
        let dry = room.run(&format!("convert games.pgn {line} --dry-run"));
        let dry = dry.does_not_say(".tabiya-");
        let real = room.run(&format!("convert games.pgn {line}"));
        assert_eq!(
            (dry.code, real.code),
            (code, code),
            "{line}: {}{}",
            dry.err,
            real.err
        );
    }
}

#[test]
fn what_is_said_in_a_lost_variation_is_lost() {
    let room = Room::with(
        "games.pgn",
        "1. e4 (1. d4 $1 {one} (1. c4 {two} $2) d5 $3) e5 {three} *\n",
    );
    for to in ["out.uci", "out.cdb", "out.ply16", "out.fen"] {
        room.run(&format!("convert games.pgn -o {to}"))
            .ends(1)
            .says("1 variations lost")
            .says("3 comments lost")
            .says("3 NAGs lost");
        room.run(&format!(
            "convert games.pgn -o {to} --no-comments --no-nags"
        ))
        .says("1 variations lost")
        .does_not_say("comments lost");
    }
}

#[test]
fn a_glyph_in_a_line_without_moves_is_lost_once() {
    let room = Room::with("games.pgn", "1. e4 ($1) e5 *\n");
    for to in ["out.si4", "out.si5"] {
        room.run(&format!("convert games.pgn -o {to}"))
            .ends(1)
            .says("1 NAGs lost");
    }
    room.run("convert games.pgn -o out.cbh")
        .ends(1)
        .says("1 variations lost")
        .says("1 NAGs lost")
        .does_not_say("comment places");
    let room = Room::with("games.pgn", "$1 1. e4 e5 *\n");
    room.run("convert games.pgn -o out.si4")
        .ends(1)
        .says("1 NAGs lost");
}

#[test]
fn an_empty_file_of_headers_ends_within_its_header() {
    let room = Room::with("empty.2cbh", "");
    room.write("empty.cbh", "");
    for base in ["empty.cbh", "empty.2cbh"] {
        room.run(&format!("info {base}"))
            .ends(2)
            .says("byte 0: not the header of such a file of ChessBase: it ends within the header");
    }
}

#[test]
fn the_position_of_an_epd_is_known_by_its_name() {
    let room = Room::with(
        "test.epd",
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"BK.01\"; hmvc abc;\n",
    );
    room.run("convert test.epd -o out.pgn").ends(0);
    assert!(room.read("out.pgn").contains("[EPD_id \"BK.01\"]"));
    assert!(room.read("out.pgn").contains("{hmvc abc;}"));
    room.run("show test.epd").says("BK.01  *");
    room.run("list test.epd").says("BK.01");
}

#[test]
fn a_report_that_cannot_be_written_does_not_hide_why_a_run_failed() {
    let room = many();
    room.run("convert games.pgn -o games.pgn.gz").ends(0);
    cut(&room.path("games.pgn.gz"), 20);
    let too_long = format!("{}.json", "x".repeat(300));
    let ran = room
        .run(&format!(
            "convert games.pgn.gz -o out.pgn --report {too_long}"
        ))
        .ends(2);
    let place = |words: &str| ran.err.find(words);
    let (first, second) = (place("is cut off"), place(&too_long));
    assert!(first.is_some() && first < second, "{}", ran.err);
}

#[test]
fn a_report_without_a_folder_is_refused_before_any_work() {
    let room = many();
    room.run("convert games.pgn -o out.pgn --report nowhere/report.json")
        .ends(2)
        .says("nowhere: no such folder for the report");
    assert!(!room.path("out.pgn").exists());
}

#[test]
fn what_pgn_fills_in_is_not_lost_on_the_way_back_to_epd() {
    let room = Room::with(
        "test.epd",
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"BK.01\";\n",
    );
    room.run("convert test.epd -o out.pgn").ends(0);
    room.run("convert out.pgn -o back.epd").ends(0);
    assert!(room.read("back.epd").contains("id \"BK.01\""));
    room.run("convert out.pgn --to epd --strict").ends(1);
}

#[test]
fn beside_an_error_there_is_no_table_of_nothing() {
    let room = Room::with("empty.pgn", "");
    for command in [
        "search missing.pgn --player tal",
        "eco missing.pgn",
        "list missing.pgn",
    ] {
        let ran = room.run(command).ends(2);
        assert_eq!(ran.out, "", "{command}");
        assert!(ran.err.contains("missing.pgn: cannot be opened"));
    }
    // Where nothing is wrong, it is said that there is nothing.
    for command in ["eco empty.pgn", "list empty.pgn"] {
        assert!(room.fine(command).contains("white"), "{command}");
    }
}
