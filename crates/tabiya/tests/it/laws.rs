//! The laws of the stream, over every format that is written and read: what a reader may tell, in
//! which order, and what it owes to the sink.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tabiya::registry;
use tabiya_chess::{Action, Position};
use tabiya_formats::{
    Database, Destination,
    registry::{FormatProfile, ReadOptions, WriteOptions},
};
use tabiya_game::{
    CommentPlace, Event, Filter, Filtered, Flow, GameSink, GameState, GameTree, Needs,
    generate::{Generator, Options},
};
use tempfile::TempDir;

/// A database of annotated games in a format.
struct Base {
    profile: FormatProfile,
    path: PathBuf,
    _folder: TempDir,
}

impl Base {
    fn new(profile: FormatProfile) -> Base {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder
            .path()
            .join(format!("games.{}", profile.extensions()[0]));
        let mut target = registry()
            .target(profile, Destination::New(&path), &WriteOptions::default())
            .expect("a target");
        let mut writer = registry()
            .writer(profile, &WriteOptions::default())
            .expect("a writer");
        let mut generator = Generator::new(Options {
            games: 60,
            variations: true,
            ..Options::default()
        });
        while generator.tell_game(&mut writer) {
            // Some formats cannot hold every game.
            target.add_written(&mut *writer).expect("a game is added");
        }
        target.finish().expect("it is finished");
        Base {
            profile,
            path,
            _folder: folder,
        }
    }

    fn open(&self) -> Box<dyn Database> {
        open(&self.path)
    }

    /// Tells all games.
    fn tell(&self, sink: &mut dyn GameSink) {
        let mut database = self.open();
        while let Some(part) = database.next_part().expect("a part") {
            part.tell(sink).expect("it is read");
        }
    }
}

fn open(path: &Path) -> Box<dyn Database> {
    let opened = registry().open(path, None, &ReadOptions::default());
    opened.expect("it opens").database
}

fn bases() -> impl Iterator<Item = Base> {
    let both =
        |profile: &FormatProfile| profile.writes() && profile.reads() && profile.holds().moves;
    registry().profiles().filter(both).map(Base::new)
}

/// Says of the first entry that it needs all of it, and of every later one that it needs nothing,
/// whenever it is asked.
#[derive(Default)]
struct First {
    asked: u64,
    entries: u64,
    tree: GameTree,
}

impl GameSink for First {
    fn needs(&mut self) -> Needs {
        self.asked += 1;
        match self.asked {
            1 => Needs::ALL,
            _ => Needs::NOTHING,
        }
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.entries += u64::from(event.entry().is_some());
        match self.entries {
            1 => self.tree.event(event),
            _ => Flow::SkipGame,
        }
    }
}

#[test]
fn what_a_sink_needs_is_asked_once_an_entry() {
    for base in bases() {
        let mut first = First::default();
        base.tell(&mut first);
        assert_eq!(first.asked, first.entries, "{}", base.profile);
        /// Keeps the first game, and hears no other.
        struct Only(GameTree);
        impl GameSink for Only {
            fn event(&mut self, event: Event<'_>) -> Flow {
                match (self.0.event(event), event) {
                    (_, Event::GameEnd { .. }) => Flow::Stop,
                    (flow, _) => flow,
                }
            }
        }
        let mut only = Only(GameTree::default());
        let part = base.open().next_part().expect("a part").expect("games");
        part.tell(&mut only).expect("it is read");
        assert_eq!(first.tree, only.0, "{}", base.profile);
        assert!(!only.0.items.is_empty(), "{}", base.profile);
    }
}

/// Stops after so many events, and keeps whether each was the end of a game.
struct Leaver {
    stay: usize,
    ends: Vec<bool>,
}

impl GameSink for Leaver {
    fn event(&mut self, event: Event<'_>) -> Flow {
        self.ends.push(matches!(event, Event::GameEnd { .. }));
        match self.ends.len() > self.stay {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }
}

#[test]
fn whoever_stops_hears_the_end_of_the_game_and_nothing_more() {
    for base in bases() {
        let part = base.open().next_part().expect("a part").expect("games");
        for stay in (0..150).chain([400, 600]) {
            let mut leaver = Leaver {
                stay,
                ends: Vec::new(),
            };
            let flow = part.tell(&mut leaver).expect("it is read");
            assert_eq!(flow, Flow::Stop, "{}", base.profile);
            let behind = &leaver.ends[stay..];
            let profile = base.profile;
            assert!(
                behind == [true] || behind == [false, true],
                "{profile}, {stay}: {behind:?}"
            );
        }
    }
}

/// Looks at the positions after moves.
struct Looker {
    needs: Needs,
    moves: usize,
}

impl Looker {
    fn new(after: bool) -> Looker {
        let needs = Needs::ALL.after(after);
        Looker { needs, moves: 0 }
    }
}

impl GameSink for Looker {
    fn needs(&mut self) -> Needs {
        self.needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Some((before, action, after)) = moved(event) {
            self.moves += 1;
            if self.needs.after {
                assert_eq!(after, Some(&acted(before, action)));
            }
        }
        Flow::Continue
    }
}

fn moved<'a>(event: Event<'a>) -> Option<(&'a Position, Action, Option<&'a Position>)> {
    match event {
        Event::Move {
            before,
            play,
            after,
        } => Some((before, Action::Move(play), after)),
        Event::Null { before, after } => Some((before, Action::Null, after)),
        _ => None,
    }
}

fn acted(before: &Position, action: Action) -> Position {
    let mut after = *before;
    after.act(action);
    after
}

#[test]
fn the_position_after_a_move_is_there_for_who_needs_it() {
    // A filter that has to know the end of a game keeps it, and tells it again.
    let waits = Filter {
        plies: "0..".parse().ok(),
        ..Filter::default()
    };
    for base in bases() {
        let (mut without, mut with) = (Looker::new(false), Looker::new(true));
        base.tell(&mut without);
        base.tell(&mut with);
        let mut filtered = Filtered::new(&waits, Looker::new(true));
        base.tell(&mut filtered);
        let moves = [without.moves, with.moves, filtered.sink().moves];
        assert!(
            moves[0] > 1_000 && moves == [moves[0]; 3],
            "{}",
            base.profile
        );
    }
}

/// Asks positions for their keys.
struct Keeper {
    needs: Needs,
    moves: usize,
    /// How many of the positions had theirs at hand.
    at_hand: usize,
}

impl GameSink for Keeper {
    fn needs(&mut self) -> Needs {
        self.needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Some((before, ..)) = moved(event) {
            self.moves += 1;
            self.at_hand += usize::from(before.has_key());
            let anew = Position::from_setup(&before.to_setup(), before.variant()).unwrap();
            assert_eq!(before.key(), anew.key(), "{before}");
        }
        Flow::Continue
    }
}

#[test]
fn keys_are_right_for_all_and_at_hand_for_who_needs_them() {
    for base in bases() {
        for keys in [false, true] {
            let mut keeper = Keeper {
                needs: Needs::ALL.keys(keys),
                moves: 0,
                at_hand: 0,
            };
            base.tell(&mut keeper);
            assert!(keeper.moves > 1_000, "{}", base.profile);
            // A reader may have them at hand in any case.
            let least = if keys { keeper.moves } else { 0 };
            assert!(keeper.at_hand >= least, "{}", base.profile);
        }
    }
}

/// Follows the lines of a game, and what is told of them.
#[derive(Default)]
struct Lawful {
    stage: Stage,
    /// Of the line that is told, and of those that were left for it: the position before its last
    /// move, and the one after it.
    lines: Vec<(Position, Position)>,
    /// A comment stands before a move that has not come yet.
    waits: bool,
    /// A ply was left out: whose turn it is shows the next move.
    missing: bool,
    moves: usize,
    variations: usize,
    castlings: usize,
}

#[derive(Default, PartialEq, Eq, Debug)]
enum Stage {
    #[default]
    Outside,
    Tags,
    Moves,
}

impl Lawful {
    fn movetext(&mut self, event: Event<'_>) {
        assert_eq!(self.stage, Stage::Moves, "{event:?}");
        if let Some((before, action, _)) = moved(event) {
            return self.play(before, action);
        }
        match event {
            Event::Missing => {
                self.waits = false;
                self.missing = true;
            }
            Event::Comment(comment) => self.waits = comment.place == CommentPlace::Before,
            Event::VariationStart => {
                assert!(!self.waits, "a comment stands before no move");
                self.variations += 1;
                let (before, _) = *self.lines.last().expect("a line");
                // It replaces the move before it, so it starts where that did.
                self.lines.push((before, before));
            }
            Event::VariationEnd => {
                assert!(!self.waits, "a comment stands before no move");
                self.lines.pop();
                assert!(
                    !self.lines.is_empty(),
                    "a variation ends that has not begun"
                );
            }
            _ => {}
        }
    }

    fn play(&mut self, before: &Position, action: Action) {
        (self.moves, self.waits) = (self.moves + 1, false);
        let line = self.lines.last_mut().expect("a line");
        if !std::mem::take(&mut self.missing) {
            assert_eq!(line.1, *before, "a move goes on where its line is");
        }
        if let Action::Move(play) = action
            && before.is_castling(play)
        {
            self.castlings += 1;
            let rook = before.board().color_at(play.to());
            assert_eq!(
                rook,
                Some(before.turn()),
                "castling goes to the rook's square"
            );
        }
        *line = (*before, acted(before, action));
    }
}

impl GameSink for Lawful {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let stage = std::mem::take(&mut self.stage);
        self.stage = match event {
            Event::GameStart(_) => {
                assert_eq!(stage, Stage::Outside);
                Stage::Tags
            }
            Event::Tag { .. } => {
                assert_eq!(stage, Stage::Tags);
                stage
            }
            Event::Start(start) => {
                assert_eq!(stage, Stage::Tags);
                self.lines = vec![(*start, *start)];
                (self.waits, self.missing) = (false, false);
                Stage::Moves
            }
            Event::GameEnd { state, .. } => {
                assert_eq!(stage, Stage::Moves);
                assert_eq!(self.lines.len(), 1, "brackets balance");
                assert_eq!(state, GameState::Complete);
                Stage::Outside
            }
            _ => {
                self.stage = stage;
                self.movetext(event);
                Stage::Moves
            }
        };
        Flow::Continue
    }
}

#[test]
fn every_reader_tells_by_the_grammar_of_the_stream() {
    for base in bases() {
        let mut lawful = Lawful::default();
        base.tell(&mut lawful);
        let profile = base.profile;
        assert_eq!(lawful.stage, Stage::Outside, "{profile}");
        assert!(lawful.moves > 1_000 && lawful.castlings > 10, "{profile}");
        let holds = base.profile.holds();
        assert_eq!(lawful.variations > 0, holds.variations, "{profile}");
    }
}

/// Counts what breaks within variations, all of which end before the game does.
#[derive(Default)]
struct Balanced {
    needs: Option<Needs>,
    depth: usize,
    games: usize,
    broken: usize,
}

impl GameSink for Balanced {
    fn needs(&mut self) -> Needs {
        self.needs.unwrap_or(Needs::ALL)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth -= 1,
            Event::Error(_) if self.depth > 0 => self.broken += 1,
            Event::GameEnd { .. } => {
                assert_eq!(self.depth, 0, "brackets balance");
                self.games += 1;
            }
            _ => {}
        }
        Flow::Continue
    }
}

/// All that can be told of a damaged database, to one who needs all and to one who needs the main line.
fn told_of(path: &Path) -> Balanced {
    let mut all = Balanced::default();
    let mut main_line = Balanced {
        needs: Some(Needs::TAGS.moves(true)),
        ..Balanced::default()
    };
    for sink in [&mut all, &mut main_line] {
        let options = ReadOptions {
            salvage: true,
            ..ReadOptions::default()
        };
        let Ok(opened) = registry().open(path, None, &options) else {
            continue;
        };
        let mut database = opened.database;
        while let Ok(Some(part)) = database.next_part() {
            if part.tell(sink).is_err() {
                break;
            }
        }
    }
    assert_eq!(all.games, main_line.games, "{}", path.display());
    all
}

/// What breaks within variations where files are cut off, and where their bytes are others.
fn broken(base: &Base) -> usize {
    let folder = match base.path.is_dir() {
        true => &base.path,
        false => base.path.parent().expect("a folder"),
    };
    let files = fs::read_dir(folder).expect("a folder");
    let files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    let mut count = 0;
    for file in files.iter().filter(|file| file.is_file()) {
        let whole = fs::read(file).expect("a file");
        for at in (0..whole.len()).step_by(whole.len() / 7 + 1) {
            fs::write(file, &whole[..at]).expect("a file");
            count += told_of(&base.path).broken;
            fs::write(file, damaged(&whole, at)).expect("a file");
            count += told_of(&base.path).broken;
        }
        fs::write(file, whole).expect("a file");
    }
    count
}

fn damaged(whole: &[u8], phase: usize) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for byte in bytes.iter_mut().skip(phase % 151).step_by(151) {
        *byte ^= 0x55;
    }
    bytes
}

#[test]
fn what_breaks_within_a_variation_ends_it_before_the_game() {
    let often = ["pgn", "cbh", "2cbh", "si4", "si5"];
    for base in bases() {
        let is_often = often.contains(&base.profile.extensions()[0]);
        let count = broken(&base);
        assert!(count > 10 || !is_often, "{}: {count}", base.profile);
    }
    // A store whose files are others is refused: what is broken in it was so before.
    let mut pgn = bases().filter(|base| base.profile.extensions()[0] == "pgn");
    let base = pgn.next().expect("PGN");
    let whole = fs::read(&base.path).expect("a file");
    fs::write(&base.path, damaged(&whole, 0)).expect("a file");
    let store = base.path.with_extension("tabiya");
    tabiya::convert(&base.path, &store).run().expect("a store");
    assert!(told_of(&store).broken > 10);
}

#[test]
fn records_of_one_format_have_no_place_in_another() {
    let written: Vec<FormatProfile> = registry()
        .profiles()
        .filter(|profile| profile.writes())
        .collect();
    let options = WriteOptions::default();
    let folder = tempfile::tempdir().expect("a folder");
    // What is packed is the same as what is not.
    let family = |profile: &FormatProfile| match profile.to_string().as_str() {
        "chessbase:archive" => "chessbase:cbh".to_owned(),
        "chessbase:2cbv" => "chessbase:2cbh".to_owned(),
        other => other.to_owned(),
    };
    for one in &written {
        let mut writer = registry().writer(*one, &options).expect("a writer");
        GameTree::default().tell(&mut *writer);
        let (all, records) = (0..writer.len(), writer.take());
        for other in &written {
            let extension = other.profile.extensions().first().unwrap_or(&"games");
            let path = folder.path().join(format!("games.{extension}"));
            let target = registry().target(*other, Destination::New(&path), &options);
            let added = target.expect("a target").add(&records, all.clone());
            let is_same = family(one) == family(other);
            assert_eq!(added.is_ok(), is_same, "{one} into {other}: {added:?}");
        }
    }
}

#[test]
fn a_writer_that_counts_more_than_there_is_is_an_error() {
    let options = WriteOptions::default();
    let folder = tempfile::tempdir().expect("a folder");
    for base in bases() {
        let mut writer = registry().writer(base.profile, &options).expect("a writer");
        GameTree::default().tell(&mut *writer);
        let (count, records) = (writer.len(), writer.take());
        let path = folder.path().join(base.path.file_name().expect("a name"));
        let target = registry().target(base.profile, Destination::New(&path), &options);
        let mut target = target.expect("a target");
        for wrong in [0..count + 1, count + 1..count + 2, count + 1..count + 1] {
            let error = target.add(&records, wrong).expect_err("not so many");
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
        }
        target.add(&records, 0..count).expect("room");
        target.finish().expect("a database");
        let mut game = GameTree::default();
        let part = open(&path).next_part().expect("a part");
        part.expect("a game").tell(&mut game).expect("it is read");
    }
}
