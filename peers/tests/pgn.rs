//! PGN against pgn-reader and shakmaty: games, plies and tags of every file in the data folder.
//!
//! Both readers tell each game as a list of tags and main-line moves. Where pgn-reader or shakmaty
//! give up on a game, tabiya must have found an error in it, too; the other way round, the
//! differences are listed below, each with its reason.

use std::{fs, io, io::Read, ops::ControlFlow, path::Path};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};
use tabiya_formats::{
    Database as _,
    pgn::{Pgn, ReadOptions},
};
use tabiya_game::{Event, Flow, GameSink, GameState};
use tabiya_peers::data;

/// What a reader says about a game.
#[derive(Clone, PartialEq, Debug, Default)]
struct Told {
    tags: Vec<(String, String)>,
    plies: usize,
    /// The position after the last move of the main line.
    end: String,
    broken: bool,
}

#[derive(Default)]
struct Ours {
    games: Vec<Told>,
    depth: usize,
    after: tabiya_chess::Position,
}

impl GameSink for Ours {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.games.push(Told::default());
                self.depth = 0;
                return Flow::Continue;
            }
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth -= 1,
            _ => {}
        }
        let game = self.games.last_mut().expect("a game has started");
        match event {
            Event::Tag { name, value } => game.tags.push((name.into(), value.into())),
            Event::Start(position) => self.after = *position,
            Event::Move { before, play, .. } if self.depth == 0 => {
                self.after = *before;
                self.after.play_unchecked(play);
                game.plies += 1;
            }
            Event::Null { before, .. } if self.depth == 0 => {
                self.after = *before;
                self.after.play_null();
                game.plies += 1;
            }
            Event::GameEnd { state, .. } => {
                game.broken = state == GameState::Broken;
                let mut setup = self.after.to_setup();
                setup.ep_square = self.after.ep_square_legal();
                game.end = setup.to_string();
            }
            _ => {}
        }
        Flow::Continue
    }
}

fn ours(bytes: &[u8]) -> Vec<Told> {
    let mut sink = Ours::default();
    let mut pgn = Pgn::new(bytes, ReadOptions::default());
    while let Some(part) = pgn.next_part().expect("readable bytes") {
        part.tell(&mut sink).expect("readable text");
    }
    sink.games
}

struct Theirs;

impl Visitor for Theirs {
    type Tags = Told;
    type Movetext = (Told, Chess);
    type Output = Told;

    fn begin_tags(&mut self) -> ControlFlow<Told, Told> {
        ControlFlow::Continue(Told::default())
    }

    fn tag(&mut self, game: &mut Told, name: &[u8], value: RawTag<'_>) -> ControlFlow<Told> {
        let name = String::from_utf8_lossy(name).into_owned();
        game.tags
            .push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut game: Told) -> ControlFlow<Told, (Told, Chess)> {
        let fen = game.tags.iter().find(|(name, _)| name == "FEN");
        let start = match fen.map(|(_, fen)| fen.parse::<Fen>()) {
            None => Some(Chess::default()),
            Some(Ok(fen)) => fen.into_position(CastlingMode::Chess960).ok(),
            Some(Err(_)) => None,
        };
        match start {
            Some(start) => ControlFlow::Continue((game, start)),
            None => {
                game.broken = true;
                ControlFlow::Break(game)
            }
        }
    }

    fn begin_variation(&mut self, _: &mut (Told, Chess)) -> ControlFlow<Told, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (game, position): &mut (Told, Chess), san: SanPlus) -> ControlFlow<Told> {
        match san.san.to_move(position) {
            Ok(play) if !game.broken => {
                position.play_unchecked(play);
                game.plies += 1;
            }
            _ => game.broken = true,
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (mut game, position): (Told, Chess)) -> Told {
        game.end = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        game
    }
}

fn theirs(bytes: &[u8]) -> Vec<Told> {
    let mut reader = Reader::new(io::Cursor::new(bytes));
    let mut visitor = Theirs;
    let games = reader.read_games(&mut visitor);
    games.map(|game| game.expect("readable text")).collect()
}

fn bytes_of(path: &Path) -> Vec<u8> {
    let file = fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut bytes = Vec::new();
    match path.extension().is_some_and(|e| e == "zst") {
        true => zstd::Decoder::new(file)
            .expect("zstd")
            .read_to_end(&mut bytes),
        false => io::BufReader::new(file).read_to_end(&mut bytes),
    }
    .expect("a readable file");
    bytes
}

/// Well-formed files: everything must be equal.
#[test]
fn well_formed_files_are_read_alike() {
    let Some(folder) = data::folder() else {
        return;
    };
    for name in ["twic-small", "lichess", "tcec", "chess960"] {
        let bytes = bytes_of(&folder.join("pgn").join(format!("{name}.pgn.zst")));
        let (ours, theirs) = (ours(&bytes), theirs(&bytes));
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(ours, theirs, "{name}, game {}", number + 1);
        }
        println!("{name}: {} games agree", ours.len());
    }
}

/// Annotated files of which pgn-reader finds another number of games, and why.
const OTHER_COUNTS: [(&str, usize, usize, &str); 7] = [
    (
        "chessdoctor.pgn",
        55,
        57,
        "empty lines within the moves end a game there",
    ),
    (
        "d00_chess_informant.pgn",
        103,
        104,
        "a stray byte at the end is a game there",
    ),
    (
        "europe_echecs.pgn",
        307,
        305,
        "a comment without an end swallows two games there",
    ),
    (
        "human_computer.pgn",
        29,
        30,
        "an empty line within the moves ends a game there",
    ),
    (
        "newyork1924.pgn",
        110,
        220,
        "quotation marks in a tag without backslashes end the tags there",
    ),
    (
        "perle.pgn",
        194,
        195,
        "quotation marks in a tag without backslashes end the tags there",
    ),
    (
        "scca.pgn",
        75,
        76,
        "quotation marks in a tag without backslashes end the tags there",
    ),
];

/// Games that pgn-reader reads without complaint and differently, and why.
const OTHER_GAMES: [(&str, usize, &str); 1] = [(
    "scarborough_2001.pgn",
    8,
    "a result stuck to the last move loses that move there",
)];

/// Annotated files are full of faults. What pgn-reader and shakmaty read, tabiya reads alike;
/// where it differs, the table says why.
#[test]
fn annotated_files_are_read_at_least_as_far() {
    let Some(folder) = data::folder() else {
        return;
    };
    for entry in fs::read_dir(folder.join("pgn/annotated")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let bytes = bytes_of(&path);
        let (ours, theirs) = (ours(&bytes), theirs(&bytes));
        if let Some((_, our_count, their_count, why)) =
            OTHER_COUNTS.iter().find(|(file, ..)| *file == name)
        {
            assert_eq!(
                (ours.len(), theirs.len()),
                (*our_count, *their_count),
                "{name}: {why}"
            );
            continue;
        }
        assert_eq!(ours.len(), theirs.len(), "{name}");
        let same = |(ours, theirs): &(&Told, &Told)| {
            (ours.plies, &ours.end) == (theirs.plies, &theirs.end)
        };
        let pairs = || ours.iter().zip(&theirs);
        let differing = pairs()
            .filter(|(_, t)| !t.broken)
            .filter(|pair| !same(pair))
            .count();
        let expected = OTHER_GAMES
            .iter()
            .find(|(file, ..)| *file == name)
            .map_or(0, |d| d.1);
        assert_eq!(differing, expected, "{name}");
        // A game that ends in an error here reads no further there.
        for (number, (ours, theirs)) in pairs().enumerate() {
            assert!(
                theirs.plies <= ours.plies || theirs.broken,
                "{name}, game {}",
                number + 1
            );
        }
    }
}
