//! cmbr on real games: what a file holds comes back, and everything else is among the losses.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use tabiya_chess::{Action, Position, Role};
use tabiya_formats::{
    Database as _,
    cmbr::{Cmbr, Cmbr24, Container, Layout, ReadOptions, Step, Writer, defective},
    pgn::{self, Pgn},
    registry::{self, Certainty},
};
use tabiya_game::{Event, Flow, GameSink, GameState, GameTree, Item, LossKind};

use crate::{data, torture::files};

/// Hands over each game as a tree.
struct Trees<F> {
    tree: GameTree,
    each: F,
}

impl<F: FnMut(&GameTree)> GameSink for Trees<F> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let flow = self.tree.event(event);
        if let Event::GameEnd { .. } = event {
            (self.each)(&self.tree);
        }
        flow
    }
}

fn trees<F: FnMut(&GameTree)>(each: F) -> Trees<F> {
    Trees {
        tree: GameTree::default(),
        each,
    }
}

/// The games of PGN, packed or not.
fn read_pgn(path: PathBuf, each: impl FnMut(&GameTree)) {
    let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let bytes = match path.extension().is_some_and(|ending| ending == "zst") {
        true => zstd::decode_all(&bytes[..]).expect("a packed file"),
        false => bytes,
    };
    let mut sink = trees(each);
    let mut pgn = Pgn::new(&bytes[..], pgn::ReadOptions::default());
    while let Some(part) = pgn.next_part().expect("bytes can be read") {
        part.tell(&mut sink).expect("text can be told");
    }
}

fn read_cmbr(bytes: Vec<u8>, options: ReadOptions, each: impl FnMut(&GameTree)) {
    let mut sink = trees(each);
    let mut cmbr = Cmbr::open(bytes, options).expect("a file of games");
    while let Some(part) = cmbr.next_part().expect("a sound file") {
        part.tell(&mut sink).expect("a sound part");
    }
}

/// The items of the main line.
fn main_items(game: &GameTree) -> impl Iterator<Item = &Item> {
    let mut depth = 0usize;
    game.items.iter().filter(move |item| {
        let inside = depth > 0;
        match item {
            Item::VariationStart => depth += 1,
            Item::VariationEnd => depth -= 1,
            _ => {}
        }
        // A variation is one item: its beginning.
        !inside
    })
}

fn is_ply(item: &Item) -> bool {
    matches!(item, Item::Move(_) | Item::Null)
}

/// A pawn of antichess becomes a king, for which there is no word.
fn crowns(item: &Item) -> bool {
    matches!(item, Item::Move(play) if play.promoted() == Some(Role::King))
}

/// The plies of the main line that have words.
fn plies(game: &GameTree) -> impl Iterator<Item = &Item> {
    let plies = main_items(game).filter(|item| is_ply(item));
    plies.take_while(|item| !crowns(item))
}

/// What a file cannot hold of a game, counted without the writer.
fn unheld(game: &GameTree, container: Container, lost: &mut BTreeMap<LossKind, u64>) -> bool {
    let mut lose = |kind, count: u64| *lost.entry(kind).or_default() += count;
    if plies(game).count() > container.most_plies() {
        lose(LossKind::Move, 1);
        return false;
    }
    let long = |text: &str| text.len() > container.most_tags();
    let tags = game.tags.iter().filter(|(n, v)| long(n) || long(v)).count();
    if tags > 0 {
        lose(LossKind::Tag, tags as u64);
    }
    if main_items(game).any(crowns) {
        lose(LossKind::Move, 1);
    }
    let variations = main_items(game).filter(|item| **item == Item::VariationStart);
    let variations = variations.count() as u64;
    if variations > 0 {
        lose(LossKind::Variation, variations);
    }
    // What is said in them is lost with them.
    for item in &game.items {
        match item {
            Item::Nag(_) => lose(LossKind::Nag, 1),
            Item::Comment { .. } => lose(LossKind::Comment, 1),
            Item::Annotation(_) => lose(LossKind::Annotation, 1),
            Item::Error { .. } => lose(LossKind::Error, 1),
            _ => {}
        }
    }
    true
}

/// What came back is what a file can hold.
fn assert_same(game: &GameTree, back: &GameTree, container: Container) {
    let long = |text: &str| text.len() > container.most_tags();
    let tags = game.tags.iter().filter(|(n, v)| !long(n) && !long(v));
    assert!(tags.eq(back.tags.iter()), "{:?}", game.tags);
    assert_eq!(game.result, back.result, "{:?}", game.tags);
    assert_eq!(game.start, back.start, "{:?}", game.tags);
    assert!(plies(game).eq(plies(back)), "{:?}", game.tags);
}

/// Writes all games of a file, reads them back and compares; counts games and plies.
fn round_trip(path: PathBuf, container: Container) -> (u64, u64, BTreeMap<LossKind, u64>) {
    let mut writer = Writer::new(container);
    let mut bytes = container.magic().to_vec();
    let mut expected = BTreeMap::new();
    let mut kept = Vec::new();
    read_pgn(path, |game| {
        game.tell(&mut writer);
        bytes.extend(writer.take());
        if unheld(game, container, &mut expected) {
            kept.push(game.clone());
        }
    });
    let losses = writer.take_losses();
    let counted: BTreeMap<_, _> = losses
        .iter()
        .map(|(kind, count, _)| (kind, count))
        .collect();
    assert_eq!(counted, expected, "{losses:?}");
    let (mut games, mut count) = (0, 0);
    read_cmbr(bytes, ReadOptions::default(), |back| {
        assert_same(&kept[games], back, container);
        games += 1;
        count += plies(back).count() as u64;
    });
    assert_eq!(games, kept.len());
    (games as u64, count, expected)
}

/// The parser tests of other projects, broken games among them.
fn torture(data: &Path) -> Vec<PathBuf> {
    let mut found = files(&data.join("torture"));
    found.retain(|path| path.extension().is_some_and(|ending| ending == "pgn"));
    found
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn real_games_come_back_and_the_rest_is_counted() {
    let Some(data) = data::find("") else { return };
    let folder = data.join("pgn");
    let mut paths: Vec<PathBuf> = ["twic-small", "lichess", "chess960"]
        .map(|name| folder.join(format!("{name}.pgn.zst")))
        .into();
    paths.push(folder.join("chess960rwch.pgn"));
    let annotated = fs::read_dir(folder.join("annotated")).expect("a folder");
    paths.extend(annotated.map(|entry| entry.expect("an entry").path()));
    paths.extend(torture(&data));
    paths.sort();
    for path in paths {
        for container in [Container::Program, Container::Wide] {
            let (games, plies, lost) = round_trip(path.clone(), container);
            let name = path.file_name().expect("a name").display();
            println!("{name} {container:?}: {games} games, {plies} plies, lost {lost:?}");
        }
    }
}

/// The word of a move, in all three forms, is read back as that move.
fn assert_words(before: &Position, action: Action) {
    for layout in [Layout::Document, Layout::Program] {
        match layout.word(before, action) {
            Ok(word) => assert_eq!(layout.action(before, word), Ok(action), "{before}"),
            Err(kind) => {
                assert_eq!(layout, Layout::Document, "{before}");
                assert_eq!(kind.name(), "DoublyAmbiguous", "{before}");
            }
        }
    }
    let word = Cmbr24::default().word(before, action).expect("a word");
    let step = Cmbr24::default().step(before, word);
    assert_eq!(step, Ok(Step::Action(action)), "{before}");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_move_of_real_games_has_its_words() {
    let Some(folder) = data::find("") else { return };
    let mut plies = 0;
    read_pgn(folder.join("pgn/twic-small.pgn.zst"), |game| {
        for (before, action) in game.main_line() {
            assert_words(&before, action);
            plies += 1;
        }
    });
    println!("{plies} plies");
    assert!(plies > 100_000);
}

/// The sample of the original program: its container is sound, its words are not.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn the_original_programs_own_file_is_known_by_its_words() {
    let Some(folder) = data::find("") else { return };
    let bytes = fs::read(folder.join("cmbr/test01-from-D-program.cmbr")).expect("a file");
    let mut source = GameTree::default();
    read_pgn(folder.join("cmbr/test01.pgn"), |game| source = game.clone());

    let mut games = 0;
    read_cmbr(bytes.clone(), ReadOptions::default(), |game| {
        games += 1;
        assert_eq!(game.tags, source.tags);
        assert_eq!(game.result, source.result);
        assert_eq!(game.state, GameState::Broken);
        let [Item::Error { message, raw, .. }] = &game.items[..] else {
            panic!("{:?}", game.items);
        };
        assert!(message.starts_with("move 1: 01D8 is a defective word"));
        assert_eq!(raw.split(' ').count(), 82 * 3);
    });
    assert_eq!(games, 1);

    // Read as its own words it goes up to a word that is both a5 and a6.
    let options = ReadOptions {
        best_effort: true,
        ..ReadOptions::default()
    };
    read_cmbr(bytes, options, |game| {
        let plies = game.items.iter().filter(|item| is_ply(item)).count();
        assert_eq!(plies, 5);
        assert_eq!(game.items[..5], source.items[..5]);
        assert_eq!(game.state, GameState::Broken);
    });
}

/// All words of the sample are what the formula says, line by line of the PGN, whose last plies
/// the program leaves out.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn the_formula_gives_every_word_of_the_original_programs_file() {
    let Some(folder) = data::find("") else { return };
    let bytes = fs::read(folder.join("cmbr/test01-from-D-program.cmbr")).expect("a file");
    let marker = b"\x04\x04\x52";
    let moves = bytes.windows(3).position(|found| found == marker);
    let words = &bytes[moves.expect("the moves") + 3..][..82 * 3];
    let mut words = words
        .chunks_exact(3)
        .map(|unit| u16::from_be_bytes([unit[1], unit[2]]));
    let text = fs::read_to_string(folder.join("cmbr/test01.pgn")).expect("a text");
    let mut position = Position::initial();
    for line in text.lines().filter(|line| !line.starts_with('[')) {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        for (index, token) in tokens.iter().enumerate() {
            let Ok(Action::Move(play)) = position.parse_san(token) else {
                continue;
            };
            if index + 1 < tokens.len() {
                assert_eq!(defective::word(&position, play), words.next(), "{token}");
            }
            position.play_unchecked(play);
        }
    }
    assert_eq!(words.next(), None);
}

/// Memory images of the later program are of another kind.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn images_of_the_later_program_are_not_taken_for_files() {
    let Some(folder) = data::find("") else { return };
    for name in ["simple", "promotion", "with_varation_and_comments"] {
        let bytes = fs::read(folder.join(format!("cmbr/{name}.rcmbr"))).expect("a file");
        let error = Cmbr::open(bytes.clone(), ReadOptions::default()).unwrap_err();
        assert_eq!(error.kind.name(), "BadMagic");
        assert_eq!(tabiya_formats::cmbr::recognise(&bytes), Certainty::No);
        let known = registry::Registry::of(tabiya_formats::FORMATS)
            .by_content(&registry::Candidate::of_head(&bytes));
        assert!(known.is_none(), "{known:?}");
    }
}
