//! `tabiya sql`.

use tabiya_sql::cluster::{Scheduler, SchedulerOptions};

use crate::room::Room;

const GAMES: &str = "[White \"Tal\"]\n[Black \"Botvinnik\"]\n[Result \"1-0\"]\n\n1. e4 c6 2. d4 1-0\n\n\
                     [White \"Réti\"]\n[Black \"Tartakower\"]\n[Result \"1-0\"]\n\n1. e4 c6 2. d4 d5 1-0\n\n\
                     [White \"Larsen\"]\n[Black \"Spassky\"]\n[Result \"0-1\"]\n\n1. b3 e5 0-1\n";

/// After 1. e4 c6 2. d4.
const CARO_KANN: &str = "rnbqkbnr/pp1ppppp/2p5/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2";

fn room() -> Room {
    Room::with("games.pgn", GAMES)
}

#[test]
fn a_file_is_asked_and_answers_with_a_table() {
    let sql = "select white, ply_count from games where result = '1-0' order by id";
    assert_eq!(
        room().fine(&["sql", "games.pgn", sql]),
        "white  ply_count\nTal            3\nRéti           4\n2 rows\n"
    );
}

#[test]
fn answers_for_programs_have_all_rows() {
    let room = room();
    let sql = "select id, white from games order by id";
    let csv = room.fine(&["sql", "games.pgn", sql, "--format", "csv"]);
    assert_eq!(csv, "id,white\n1,Tal\n2,Réti\n3,Larsen\n");
    let json = room.fine(&["sql", "games.pgn", sql, "--format", "json"]);
    assert_eq!(
        json,
        "[{\"id\":1,\"white\":\"Tal\"},{\"id\":2,\"white\":\"Réti\"},{\"id\":3,\"white\":\"Larsen\"}]\n"
    );
    room.fine(&["sql", "games.pgn", sql, "-o", "answer.csv"]);
    assert_eq!(room.read("answer.csv"), csv);
    for (name, magic) in [("answer.parquet", "PAR1"), ("answer.arrow", "ARROW1")] {
        // The answer of another day takes its place.
        for sql in ["select 1 as one", sql] {
            room.fine(&["sql", "games.pgn", sql, "-o", name]);
        }
        let bytes = std::fs::read(room.path(name)).unwrap();
        assert!(bytes.starts_with(magic.as_bytes()) && bytes.ends_with(magic.as_bytes()));
        assert!(bytes.windows(5).any(|bytes| bytes == b"white"));
    }
    assert_eq!(
        room.names(),
        ["answer.arrow", "answer.csv", "answer.parquet", "games.pgn"]
    );
}

#[test]
fn a_database_answers_by_its_index_and_says_so() {
    let room = room();
    let many: String = std::iter::repeat_n(GAMES, 40).collect();
    room.write("many.pgn", many);
    room.fine(&["import", "a.tabiya", "many.pgn"]);
    let sql = format!("select count(*) from games where reaches(moves, '{CARO_KANN}')");
    let count = room.fine(&["sql", "a.tabiya", &sql, "--format", "csv"]);
    assert_eq!(count.lines().nth(1), Some("80"));
    let sql = sql.replace("count(*)", "white");
    let plan = room.fine(&[
        "sql",
        "a.tabiya",
        &format!("explain {sql}"),
        "--format",
        "csv",
    ]);
    assert!(plan.contains("index: 80 games"), "{plan}");
}

#[test]
fn long_tables_say_how_many_rows_there_are() {
    let room = room();
    let sql = "select value from generate_series(1, 250)";
    let table = room.fine(&["sql", sql]);
    assert_eq!(table.lines().count(), 102);
    assert!(
        table.ends_with("the first 100 of 250 rows; --all shows all\n"),
        "{table}"
    );
    let table = room.fine(&["sql", sql, "--all"]);
    assert!(table.ends_with("\n250 rows\n"), "{table}");
}

#[test]
fn any_file_is_a_table_by_its_name() {
    let sql = "select count(*) as games from 'games.pgn'";
    assert_eq!(room().fine(&["sql", sql, "--format", "csv"]), "games\n3\n");
}

#[test]
fn statements_come_from_files_and_pipes() {
    let room = room();
    room.write("questions.sql", "select 1 as a; -- and\nselect ';' as b;\n");
    let answers = room.fine(&["sql", "-f", "questions.sql", "--format", "csv"]);
    assert_eq!(answers, "a\n1\nb\n;\n");
    let piped = room.fed(&["sql", "games.pgn", "--format", "csv"], "select 2 as c");
    assert_eq!(piped.ends(0).out, "c\n2\n");
    let error = room.error(&["sql", "-f", "questions.sql", "-o", "a.csv"]);
    assert!(error.contains("there are 2"), "{error}");
    assert!(!room.path("a.csv").exists());
    // Two files behind each other are none.
    let error = room.error(&["sql", "-f", "questions.sql", "--format", "parquet"]);
    assert!(error.contains("there are 2"), "{error}");
    // A view has no answer; and some editors begin with a mark.
    let view = "\u{feff}create view v as select white from games;\nselect count(*) as n from v";
    room.write("view.sql", view);
    room.fine(&["sql", "games.pgn", "-f", "view.sql", "-o", "a.csv"]);
    assert_eq!(room.read("a.csv"), "n\n3\n");
    room.write("wrong.sql", "select 1 as a;\nselec 2;");
    let error = room.error(&["sql", "-f", "wrong.sql"]);
    assert!(error.contains("statement 2"), "{error}");
}

/// As a person types them, with what is answered in a file.
#[cfg(target_os = "linux")]
#[test]
fn a_prompt_writes_no_two_files_behind_each_other() {
    use std::process::{Command, Stdio};

    let room = room();
    for format in ["parquet", "arrow"] {
        let line = format!(
            "'{}' sql --format {format} > answers",
            env!("CARGO_BIN_EXE_tabiya")
        );
        let terminal = Command::new("script")
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .current_dir(room.folder())
            .stdin(Stdio::null())
            .output();
        let Ok(ended) = terminal else {
            eprintln!("skipped: no script, which makes a terminal");
            return;
        };
        let said = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(ended.status.code(), Some(2), "{format}: {said}");
        assert!(said.contains("an output is for one answer"), "{said}");
        assert_eq!(room.read("answers"), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_by_name() {
    let full = std::fs::File::options().write(true).open("/dev/full");
    let room = room();
    let mut command = room.command(&["sql", "select 1 as a", "--format", "csv"]);
    let output = command.stdout(full.expect("a device")).output();
    let output = output.expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.starts_with("error: cannot write standard output: "),
        "{error}"
    );
}

#[test]
fn a_file_without_quotes_is_told_apart_from_what_is_not_there() {
    let error = room().error(&["sql", "games.pgn", "select 1 from games.pgn"]);
    assert!(error.contains("FROM 'games.pgn'"), "{error}");
}

#[test]
fn an_answer_is_not_written_into_a_database() {
    let room = room();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    let manifest = room.read("a.tabiya/manifest.json");
    let output = "a.tabiya/manifest.json";
    let error = room.error(&[
        "sql",
        "a.tabiya",
        "select 1 as a",
        "--format",
        "csv",
        "-o",
        output,
    ]);
    assert!(error.contains("a.tabiya is a tabiya database"), "{error}");
    assert_eq!(room.read(output), manifest);
}

#[test]
fn what_is_wrong_is_said_with_what_was_meant() {
    let room = room();
    for (sql, words) in [
        ("select whit from games", "did you mean white?"),
        ("select 1 from game", "did you mean games?"),
        (
            "select reeches(moves, '') from games",
            "did you mean reaches?",
        ),
        ("selct white from games", "this is no SQL"),
        ("drop table games", "only reads"),
        ("copy games to 'x.csv'", "only reads"),
        ("select reaches(moves, 'nonsense') from games", "nonsense"),
    ] {
        let error = room.error(&["sql", "games.pgn", sql]);
        assert!(error.contains(words), "{sql}: {error}");
    }
    let error = room.error(&["sql", "missing.pgn", "select 1 from games"]);
    assert!(error.contains("missing.pgn"), "{error}");
    assert_eq!(room.names(), ["games.pgn"]);
}

#[test]
fn an_answer_that_fails_leaves_what_was_there() {
    let room = room();
    room.write("old.csv", "kept\n");
    let sql = "select 1 / (id - 2) from games";
    room.error(&["sql", "games.pgn", sql, "-o", "old.csv"]);
    assert_eq!(room.read("old.csv"), "kept\n");
    assert_eq!(room.names(), ["games.pgn", "old.csv"]);
}

#[test]
fn a_scheduler_that_is_not_there_is_told() {
    let room = room();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    room.fine(&["export", "a.tabiya", "--parquet", "lake"]);
    let error = room.error(&[
        "sql",
        "--cluster",
        "127.0.0.1:9",
        "lake",
        "select 1 from games",
    ]);
    assert!(error.contains("127.0.0.1:9"), "{error}");
}

#[test]
fn only_a_cluster_has_parts() {
    let room = room();
    let question = "select 1 from games";
    let error = room.error(&["sql", "lake", question, "--partitions", "64"]);
    assert!(error.contains("--cluster"), "{error}");
}

#[test]
fn an_answer_is_not_written_into_an_export() {
    let room = room();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    room.fine(&["export", "a.tabiya", "--parquet", "lake"]);
    let sql = "select key from positions";
    for output in [
        "lake/positions/x.parquet",
        "lake/x.csv",
        "lake/positions/part-0000.parquet",
    ] {
        let error = room.error(&["sql", "lake", sql, "-o", output]);
        assert!(
            error.contains("lake is a parquet database"),
            "{output}: {error}"
        );
    }
    let count = room.fine(&[
        "sql",
        "lake",
        "select count(*) as n from positions",
        "--format=csv",
    ]);
    assert_eq!(count, "n\n9\n");
}

/// A scheduler without executors, as long as it lives: whoever asks it waits for ever. And an export.
fn lonely_scheduler(room: &Room) -> (tokio::runtime::Runtime, String) {
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    room.fine(&["export", "a.tabiya", "--parquet", "lake"]);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let options = SchedulerOptions {
        bind: ([127, 0, 0, 1], 0).into(),
        ..SchedulerOptions::default()
    };
    let scheduler = runtime.block_on(Scheduler::bind(&options));
    let scheduler = scheduler.expect("a port");
    let address = scheduler.address().to_string();
    runtime.spawn(scheduler.run());
    (runtime, address)
}

#[test]
fn whoever_waits_for_a_cluster_gives_up_in_time() {
    let room = room();
    let (_runtime, address) = lonely_scheduler(&room);
    let sql = "select count(*) from games";
    let asked = ["sql", "--cluster", &address, "lake", sql, "-o", "a.csv"];
    // On a busy machine the time may be up before there is an answer to wait for.
    let given_up = [1, 4, 16, 64, 256].into_iter().any(|seconds| {
        let seconds = seconds.to_string();
        let error = room.error(&[&asked[..], &["--timeout", &seconds]].concat());
        assert_eq!(room.names(), ["a.tabiya", "games.pgn", "lake"]);
        error.contains(&format!("the answer took longer than {seconds} s"))
    });
    assert!(given_up, "no answer is waited for");
}

#[cfg(unix)]
#[test]
fn signals_end_a_question_to_a_cluster() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        ends_a_question(signal, code);
    }
}

#[cfg(unix)]
fn ends_a_question(signal: &str, code: i32) {
    let room = room();
    let (_runtime, address) = lonely_scheduler(&room);
    let sql = "select count(*) from games";
    let args = ["sql", "--cluster", &address, "lake", sql, "-o", "a.csv"];
    let before = room.names().len();
    let mut child = room.command(&args).spawn().expect("the command starts");
    let began = std::time::Instant::now();
    while room.names().len() == before {
        assert!(began.elapsed().as_secs() < 300, "no unfinished file");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args([signal, &id])
        .status();
    assert!(sent.expect("kill").success());
    assert_eq!(child.wait().expect("an end").code(), Some(code));
    assert_eq!(room.names(), ["a.tabiya", "games.pgn", "lake"]);
}
