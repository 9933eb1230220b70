//! Every command that reads one game, over every format that the registry can read: nothing of the
//! game is lost on the way but what the format cannot hold. A new format is covered without anyone
//! thinking of it.

use tabiya::registry;
use tabiya_formats::registry::FormatProfile;

use crate::room::Room;

/// Games with variations in variations, comments before and after moves, and NAGs.
const GAMES: &str = r#"[Event "First"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

{preface} 1. e4 $1 {king's pawn} (1. d4 {queen's pawn} d5 $2 (1... Nf6 {indian} 2. c4) 2. c4) 1...
e5 {open} (1... c5 $5 {sicilian}) 2. f4 exf4 $6 {taken} 1-0

[Event "Second"]
[White "Morphy"]
[Black "Duke Karl"]
[Result "0-1"]

1. e4 e5 2. Nf3 d6 $2 {philidor} (2... Nc6 $1 {better} 3. Bb5 (3. Bc4 {italian})) 3. d4 Bg4 0-1

[Event "Third"]
[White "Rubinstein"]
[Black "Nimzowitsch"]
[Result "1/2-1/2"]

1. d4 Nf6 2. c4 e6 (2... g6 $14 {grünfeld} 3. Nc3 d5) 3. Nc3 Bb4 $3 {pinned} 1/2-1/2
"#;

/// Of each game: a move that only a variation has, a comment, and a NAG as people read it.
const MARKS: [[&str; 3]; 3] = [
    ["Nf6", "taken", "?!"],
    ["Bc4", "philidor", "?"],
    ["g6", "pinned", "!!"],
];

/// Formats that are read and not written: their own tests make files of them. Whoever adds one says
/// here that there are such tests.
const READ_ONLY: [&str; 1] = ["jose:program"];

/// What a command prints that finds at most losses.
#[track_caller]
fn printed(room: &Room, args: &[&str]) -> String {
    let ran = room.run(args);
    assert!(matches!(ran.code, 0 | 1), "{ran:?}");
    ran.out
}

/// A database of three games in a format, and each of them alone as PGN.
struct Fixture {
    room: Room,
    profile: FormatProfile,
    file: String,
    /// The games as the format holds them.
    pgn: Vec<String>,
}

impl Fixture {
    fn new(profile: FormatProfile) -> Fixture {
        let room = Room::with("games.pgn", GAMES);
        let file = format!("base.{}", profile.extensions()[0]);
        let to = profile.to_string();
        printed(&room, &["convert", "games.pgn", "--to", &to, "-o", &file]);
        let whole = printed(&room, &["convert", &file]);
        let pgn: Vec<String> = split(&whole);
        assert_eq!(pgn.len(), 3, "{profile}");
        for (number, game) in (1..).zip(&pgn) {
            room.write(&format!("{number}.pgn"), game);
        }
        Fixture {
            room,
            profile,
            file,
            pgn,
        }
    }

    #[track_caller]
    fn printed(&self, args: &[&str]) -> String {
        printed(&self.room, args)
    }

    /// Whether the text of a game has all that the format can hold of it.
    #[track_caller]
    fn is_whole(&self, number: usize, text: &str) {
        let holds = self.profile.holds();
        let has = [holds.variations, holds.comments, holds.nags];
        for (mark, has) in MARKS[number - 1].iter().zip(has) {
            let profile = self.profile;
            assert!(!has || text.contains(mark), "{profile}: no {mark}: {text}");
        }
    }
}

/// The games of a PGN file.
fn split(pgn: &str) -> Vec<String> {
    let mut games = Vec::new();
    for paragraph in pgn.split_inclusive("\n\n") {
        match paragraph.starts_with('[') {
            true => games.push(paragraph.to_string()),
            false => games
                .last_mut()
                .expect("tags come first")
                .push_str(paragraph),
        }
    }
    games
}

fn readable() -> impl Iterator<Item = FormatProfile> {
    // Those without moves have a position a game, and nothing to lose.
    registry()
        .profiles()
        .filter(|profile| profile.reads() && profile.holds().moves)
}

fn fixtures() -> impl Iterator<Item = Fixture> {
    let written = readable().filter(|profile| profile.writes());
    written.map(Fixture::new)
}

#[test]
fn every_format_that_is_read_is_covered() {
    let read_only = readable().filter(|profile| !profile.writes());
    let read_only: Vec<String> = read_only.map(|profile| profile.to_string()).collect();
    assert_eq!(read_only, READ_ONLY);
}

#[test]
fn convert_writes_the_whole_game_of_a_number() {
    for fixture in fixtures() {
        for (number, expected) in (1..).zip(&fixture.pgn) {
            let games = number.to_string();
            let args = ["convert", &fixture.file, "--games", &games];
            assert_eq!(fixture.printed(&args), *expected, "{}", fixture.profile);
            // A filter that has to know the moves keeps the game until its end.
            let filtered = [&args[..], &["--plies", "1.."]].concat();
            assert_eq!(fixture.printed(&filtered), *expected, "{}", fixture.profile);
            let number = usize::try_from(number).expect("three games");
            // Fewer glyphs are spelled by symbols in PGN.
            let symbols = expected
                .replace("$3", "!!")
                .replace("$6", "?!")
                .replace("$2", "?");
            fixture.is_whole(number, &symbols);
        }
    }
}

#[test]
fn show_shows_the_whole_game_in_all_its_forms() {
    for fixture in fixtures() {
        for number in 1..=3 {
            let (game, alone) = (number.to_string(), format!("{number}.pgn"));
            for form in [
                &[][..],
                &["--plies", "1.."],
                &["--ply", "2", "--flip"],
                &["--svg", "-"],
                &["--jobs", "1"],
            ] {
                let args = [&["show", &fixture.file, "--game", &game], form].concat();
                let shown = fixture.printed(&args);
                let expected = fixture.printed(&[&["show", &alone], form].concat());
                assert_eq!(shown, expected, "{}: {args:?}", fixture.profile);
                if form != ["--svg", "-"] {
                    fixture.is_whole(number, &shown);
                }
            }
        }
        let first = fixture.printed(&["show", &fixture.file]);
        assert_eq!(first, fixture.printed(&["show", "1.pgn"]));
        let first = fixture.printed(&["show", &fixture.file, "--plies", "1.."]);
        fixture.is_whole(1, &first);
    }
}

#[test]
fn dump_encodes_the_whole_game() {
    let codecs: Vec<FormatProfile> = registry()
        .profiles()
        .filter(|profile| profile.streams())
        .collect();
    for fixture in fixtures() {
        for to in codecs.iter().map(FormatProfile::to_string) {
            // A file of the format itself is shown as it is.
            if to == fixture.profile.to_string() {
                continue;
            }
            for number in ["1", "2", "3"] {
                let args = ["dump", &fixture.file, "--game", number, "--as", &to];
                let alone = format!("{number}.pgn");
                let expected = fixture.printed(&["dump", &alone, "--as", &to]);
                assert_eq!(fixture.printed(&args), expected, "{}", fixture.profile);
                if to.starts_with("jose") && fixture.profile.holds().variations {
                    assert!(expected.contains("variation"), "{to}: {expected}");
                }
            }
        }
    }
}

#[test]
fn replace_puts_the_whole_game_in() {
    let editable: Vec<FormatProfile> = registry()
        .profiles()
        .filter(|profile| profile.edits())
        .collect();
    assert!(!editable.is_empty());
    for fixture in fixtures() {
        let from = fixture.profile.to_string();
        for target in &editable {
            let extension = target.profile.extensions()[0];
            let (base, via) = (format!("target.{extension}"), format!("via.{extension}"));
            fixture.printed(&["convert", "games.pgn", "-o", &base]);
            let one = format!("one.{}", fixture.profile.extensions()[0]);
            let pick = ["convert", &fixture.file, "--games", "1", "--to", &from];
            fixture.printed(&[&pick[..], &["-o", &one]].concat());
            fixture.printed(&["replace", &base, "2", &one]);
            fixture.printed(&["convert", &one, "-o", &via]);
            let expected = fixture.printed(&["convert", &via]);
            let found = fixture.printed(&["convert", &base, "--games", "2"]);
            assert_eq!(found, expected, "{from} into {target}");
            if target.profile.holds().variations {
                fixture.is_whole(1, &found.replace("$6", "?!"));
            }
        }
    }
}

#[test]
fn bare_bytes_hold_the_whole_game() {
    let moves = split(GAMES).remove(0);
    let moves = moves
        .split("\n\n")
        .nth(1)
        .expect("moves")
        .replace('\n', " ");
    let room = Room::new();
    for profile in registry().profiles().filter(|profile| profile.streams()) {
        let to = profile.to_string();
        let hex = printed(&room, &["encode", "--as", &to, &moves]);
        let back = printed(&room, &["decode", "--as", &to, hex.trim()]);
        let holds = profile.holds();
        // A stream may hold less than a file of the format, and says what it lost.
        if to.starts_with("jose") {
            assert!(
                holds.variations && back.contains("(1... Nf6"),
                "{to}: {back}"
            );
            assert!(back.contains("taken"), "{to}: {back}");
        }
        assert!(
            back.starts_with("1. e4") || back.starts_with("{preface} 1. e4"),
            "{to}: {back}"
        );
    }
}
