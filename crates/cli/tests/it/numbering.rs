//! A number means one thing everywhere: the number of an entry in its file, where deleted games and
//! texts count as the file counts them.

use tabiya::registry;
use tabiya_formats::{Destination, pgn, registry::FormatProfile};
use tabiya_game::{Event, GameSink as _, Place};

use crate::room::Room;

/// A database with a text in front, four games, the second of which is deleted.
struct Base {
    room: Room,
    name: String,
    /// The number of the first game.
    first: u64,
}

impl Base {
    fn new(profile: FormatProfile) -> Base {
        let room = Room::new();
        let name = format!("base.{}", profile.extensions()[0]);
        let path = room.path(&name);
        let mut target = registry()
            .target(profile, Destination::New(&path), &Default::default())
            .expect("a target");
        let mut writer = registry()
            .writer(profile, &Default::default())
            .expect("a writer");
        writer.event(Event::Text {
            place: Place::default(),
            title: "description",
            language: None,
            text: "Four games",
        });
        target.add_written(&mut *writer).expect("a text is added");
        for game in 1..=4 {
            let pgn = pgn_of(&format!("Player {game}"));
            pgn::Parser::new(&pgn).read_game(&mut *writer);
            target.add_written(&mut *writer).expect("a game is added");
        }
        target.finish().expect("it is finished");
        // Some databases have texts among their games, and count them.
        let entries = registry()
            .open(&path, None, &Default::default())
            .expect("it opens");
        let count = entries.database.entries().expect("entries").count();
        let base = Base {
            room,
            name,
            first: count - 3,
        };
        let second = base.number(2);
        base.printed(&["delete", &base.name, &second]);
        base
    }

    /// The number of the entry that is one of the four games.
    fn number(&self, game: u64) -> String {
        (self.first + game - 1).to_string()
    }

    #[track_caller]
    fn printed(&self, args: &[&str]) -> String {
        self.fed(args, "")
    }

    #[track_caller]
    fn fed(&self, args: &[&str], input: &str) -> String {
        let ran = self.room.fed(args, input);
        assert!(matches!(ran.code, 0 | 1), "{ran:?}");
        ran.out
    }

    #[track_caller]
    fn error(&self, args: &[&str], input: &str) -> String {
        self.room.fed(args, input).ends(2).err
    }

    /// White's names in all entries, deleted ones too.
    fn names(&self) -> Vec<String> {
        let pgn = self.printed(&["convert", "--deleted", &self.name]);
        let white = pgn
            .lines()
            .filter_map(|line| line.strip_prefix("[White \""));
        white
            .map(|name| name.trim_end_matches("\"]").to_string())
            .collect()
    }
}

/// A game; there was no such day.
fn pgn_of(white: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"Rival\"]\n[Date \"1925.02.30\"]\n[Result \"1-0\"]\n\n1. e4 {{good}} e5 1-0\n"
    )
}

fn bases() -> impl Iterator<Item = Base> {
    let editable = registry().profiles().filter(|profile| profile.edits());
    editable.map(Base::new)
}

#[test]
fn all_commands_mean_the_same_game_by_a_number() {
    for base in bases() {
        for game in 1..=4 {
            let number = base.number(game);
            let player = format!("Player {game}");
            let (name, number) = (&*base.name, &*number);
            let converted = base.printed(&["convert", name, "--deleted", "--games", number]);
            assert!(converted.contains(&player), "{name}: {converted}");
            assert_eq!(converted.matches("[White ").count(), 1, "{name}");
            let shown = base.printed(&["show", name, "--game", number]);
            assert!(shown.contains(&player), "{name}: {shown}");
            let again = base.printed(&["show", name, "--game", number, "--white", "player"]);
            assert_eq!(again, shown, "{name}");
            let dumped = base.printed(&["dump", name, "--game", number]);
            assert!(dumped.contains(&player), "{name}: {dumped}");
            let marked = base.printed(&["undelete", name, number]);
            assert!(
                marked.contains(&format!("kept {number}: {player}")),
                "{name}: {marked}"
            );
        }
    }
}

#[test]
fn the_pipeline_that_the_help_recommends_replaces_the_right_game() {
    for from in bases() {
        for to in bases() {
            let picked = from.printed(&["convert", &from.name, "--games", &from.number(3)]);
            let said = to.fed(&["replace", &to.name, &to.number(4), "-"], &picked);
            assert!(
                said.contains("Player 4") && said.contains("by: Player 3"),
                "{said}"
            );
            let expected = ["Player 1", "Player 2", "Player 3", "Player 3"];
            assert_eq!(to.names(), expected, "{} into {}", from.name, to.name);
        }
        // A deleted game is not picked, and so nothing is replaced.
        let picked = from.printed(&["convert", &from.name, "--games", &from.number(2)]);
        assert_eq!(picked, "");
        let error = from.error(&["replace", &from.name, &from.number(4), "-"], &picked);
        assert!(error.contains("has no game"), "{error}");
    }
}

#[test]
fn reports_and_findings_name_the_number_in_the_file() {
    for base in bases() {
        let name = &*base.name;
        let number: u64 = base.number(1).parse().expect("a number");
        let report = ["--report", "report.json"];
        base.printed(
            &[
                &["convert", name, "--to", "uci", "-o", "out.uci"],
                &report[..],
            ]
            .concat(),
        );
        let json = base.room.read("report.json");
        assert!(
            json.contains(&format!("\"first_game\": {number},")),
            "{name}: {json}"
        );
        assert!(
            json.contains(&format!("\"first_input\": \"{name}\"")),
            "{name}: {json}"
        );
        let third = base.number(3);
        let strict = [
            "convert", name, "--to", "uci", "--strict", "--games", &third,
        ];
        let error = base.room.run(&strict).err;
        assert!(
            error.contains(&format!("game {third} ({name}")),
            "{name}: {error}"
        );
        let found = base.printed(&["check", name, "--white", "Player 3"]);
        assert!(
            found.contains(&format!("in game {third}:")),
            "{name}: {found}"
        );
    }
}

#[test]
fn what_belongs_to_the_whole_database_has_no_number() {
    let si5 = registry().by_path("a.si5").expect("a format");
    let base = Base::new(si5);
    assert_eq!(base.first, 1);
    let pgn = base.printed(&["convert", &base.name, "--games", "1"]);
    assert!(pgn.contains("Player 1"), "{pgn}");
    let summary = base.room.run(&["convert", &base.name, "-o", "all.pgn"]).err;
    assert!(
        summary.contains("the first in base.si5 itself: the text"),
        "{summary}"
    );
}

#[test]
fn numbers_begin_at_1() {
    let base = Base::new(registry().by_path("a.cbh").expect("a format"));
    let name = &*base.name;
    for args in [
        ["convert", name, "--games", "0"],
        ["convert", name, "--games", "0..2"],
        ["show", name, "--game", "0"],
        ["dump", name, "--game", "0"],
        ["delete", name, "--", "0"],
        ["undelete", name, "--", "1,0"],
    ] {
        let error = base.error(&args, "");
        assert!(error.contains("numbers begin at 1"), "{args:?}: {error}");
    }
    let error = base.error(&["replace", name, "0", "-"], "");
    assert!(error.contains("numbers begin at 1"), "{error}");
    let error = base.error(&["delete", name, "99.."], "");
    assert!(error.contains("no game 99.."), "{error}");
}

#[test]
fn show_says_why_it_does_not_show_a_game() {
    let base = Base::new(registry().by_path("a.si5").expect("a format"));
    let name = &*base.name;
    base.room.write("a.pgn", pgn_of("Tal").repeat(2));
    for (args, expected) in [
        (
            ["show", name, "--game", "9", "--ply", "1"],
            "no game 9: the last one of base.si5 is 4",
        ),
        (
            ["show", name, "--game", "1", "--white", "x"],
            "does not pass the filters",
        ),
        (
            ["show", "a.pgn", "--game", "2", "--white", "x"],
            "does not pass the filters",
        ),
        (
            ["show", "a.pgn", "--ply", "1", "--white", "x"],
            "no game of a.pgn passes",
        ),
        (
            ["show", "a.pgn", "--game", "3", "--white", "x"],
            "no game 3: the last one of a.pgn is 2",
        ),
    ] {
        let error = base.error(&args, "");
        assert!(error.contains(expected), "{args:?}: {error}");
    }
}
