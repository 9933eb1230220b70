//! The loops that are counted.

use std::{fs, hint::black_box, ops::ControlFlow, path::Path};

use tabiya::registry;
use tabiya_chess::{Setup, mailbox::Mailbox};
use tabiya_formats::{
    jose::Replay,
    pgn::{self, Parser},
    registry::{ReadOptions, WriteOptions},
};
use tabiya_game::{Event, Flow, GameSink, Needs};

use crate::games::{CHESSBASE, COMMENTED, SCID, STORED, TOURNAMENT};

/// The name of the function inside which instructions count.
pub const COUNTED: &str = "only_this_is_counted";

/// A loop over games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loop {
    /// Tournament games in PGN, every move legal.
    Tournament,
    /// Games with a comment after each move.
    Commented,
    /// PGN read and written again.
    PgnToPgn,
    /// A ChessBase database as PGN.
    CbhToPgn,
    /// A Scid database as PGN.
    Si4ToPgn,
    /// PGN as the records of a Scid database.
    PgnToSi4,
    /// Stored moves on a board, with a key after every ply.
    Replay,
}

impl Loop {
    /// All of them.
    pub const ALL: [Loop; 7] = [
        Loop::Tournament,
        Loop::Commented,
        Loop::PgnToPgn,
        Loop::CbhToPgn,
        Loop::Si4ToPgn,
        Loop::PgnToSi4,
        Loop::Replay,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Loop::Tournament => "PGN, legal moves",
            Loop::Commented => "PGN, legal moves and a comment on each",
            Loop::PgnToPgn => "PGN to PGN",
            Loop::CbhToPgn => "CBH to PGN",
            Loop::Si4ToPgn => "si4 to PGN",
            Loop::PgnToSi4 => "PGN to si4",
            Loop::Replay => "replay of stored moves",
        }
    }

    /// The loop with a name.
    pub fn named(name: &str) -> Option<Loop> {
        Loop::ALL.into_iter().find(|hot| hot.name() == name)
    }

    /// Runs it over the games of a folder; how many plies they have.
    ///
    /// # Panics
    /// If they are not there.
    pub fn run(self, folder: &Path) -> u64 {
        match self {
            Loop::Tournament => read_pgn(&folder.join(TOURNAMENT)),
            Loop::Commented => read_pgn(&folder.join(COMMENTED)),
            Loop::PgnToPgn => {
                let text = text(&folder.join(TOURNAMENT));
                let mut writer = pgn::Writer::default();
                tell_counted(&text, &mut writer, |writer| writer.take().len());
                plies(&text)
            }
            Loop::CbhToPgn => read_database(folder, CHESSBASE),
            Loop::Si4ToPgn => read_database(folder, SCID),
            Loop::PgnToSi4 => {
                let text = text(&folder.join(TOURNAMENT));
                let profile = registry().by_path(SCID).expect("a known name");
                let options = WriteOptions::default();
                let mut writer = registry().writer(profile, &options).expect("it is written");
                tell_counted(&text, &mut writer, |writer| {
                    let written = writer.len();
                    black_box(writer.take());
                    written
                });
                plies(&text)
            }
            Loop::Replay => replay(&fs::read(folder.join(STORED)).expect("stored moves")),
        }
    }
}

#[inline(never)]
fn only_this_is_counted<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("games")
}

/// Counts plies and asks for all but variations.
struct Plies(u64);

impl GameSink for Plies {
    fn needs(&mut self) -> Needs {
        Needs::ALL.variations(false)
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        self.0 += u64::from(matches!(event, Event::Move { .. }));
        Flow::Continue
    }
}

fn plies(text: &str) -> u64 {
    let mut plies = Plies(0);
    let mut parser = Parser::new(text);
    while parser.read_game(&mut plies) {}
    plies.0
}

fn read_pgn(path: &Path) -> u64 {
    let text = text(path);
    only_this_is_counted(|| plies(&text))
}

/// Tells a writer all games, and takes what it wrote after each.
fn tell_counted<W: GameSink>(text: &str, writer: &mut W, take: impl Fn(&mut W) -> usize) {
    only_this_is_counted(|| {
        let mut parser = Parser::new(text);
        let mut length = 0;
        while parser.read_game(writer) {
            length += take(writer);
        }
        length
    });
}

/// Reads a database, from opening it to the last game, and writes PGN.
fn read_database(folder: &Path, name: &str) -> u64 {
    let tell = |sink: &mut dyn GameSink| {
        let opened = registry().open(&folder.join(name), None, &ReadOptions::default());
        let mut database = opened.expect("a database").database;
        while let Some(part) = database.next_part().expect("a part") {
            part.tell(sink).expect("a part");
        }
    };
    let mut writer = pgn::Writer::default();
    only_this_is_counted(|| {
        tell(&mut writer);
        writer.len()
    });
    let mut plies = Plies(0);
    tell(&mut plies);
    plies.0
}

fn replay(stored: &[u8]) -> u64 {
    let start = Mailbox::from_setup(&Setup::INITIAL).expect("the initial position");
    let replay = Replay::new(&start);
    only_this_is_counted(|| {
        let mut plies = 0;
        let mut keys = 0;
        let mut rest = stored;
        while let Some((length, behind)) = rest.split_first_chunk::<4>() {
            let (stream, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
            let played = replay.run(stream, |_, key| {
                keys ^= key.0;
                ControlFlow::Continue(())
            });
            plies += u64::from(played.expect("a stored game"));
            rest = behind;
        }
        black_box(keys);
        plies
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loop_goes_through_the_same_plies() {
        let folder = tempfile::tempdir().unwrap();
        crate::games::make(folder.path());
        let plies = Loop::ALL.map(|hot| hot.run(folder.path()));
        assert!(plies[0] > 50_000);
        assert_eq!(plies, [plies[0]; Loop::ALL.len()]);
        assert_eq!(
            Loop::ALL.map(|hot| Loop::named(hot.name())),
            Loop::ALL.map(Some)
        );
    }
}
