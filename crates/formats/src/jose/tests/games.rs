//! Real games, where they are at hand.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use tabiya_chess::Position;
use tabiya_game::{Event, Flow, GameSink, GameTree, LossKind, Losses};

use super::{Notes, data, decode};
use crate::{
    Database as _,
    jose::Profile,
    pgn::{Pgn, ReadOptions},
    stream::{StreamCodec, Streams},
};

/// Collects games and hands them on.
struct Games<F> {
    tree: GameTree,
    each: F,
}

impl<F: FnMut(&GameTree)> GameSink for Games<F> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        self.tree.event(event);
        if let Event::GameEnd { .. } = event {
            (self.each)(&self.tree);
        }
        Flow::Continue
    }
}

fn each_game(path: &Path, each: impl FnMut(&GameTree)) {
    let file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let input: Box<dyn Read + Send> = match path.extension().is_some_and(|end| end == "zst") {
        true => Box::new(zstd::Decoder::new(file).expect("zstd")),
        false => Box::new(file),
    };
    let tree = GameTree::default();
    let mut games = Games { tree, each };
    let mut pgn = Pgn::new(input, ReadOptions::default());
    while let Some(part) = pgn.next_part().expect("a readable file") {
        part.tell(&mut games).expect("readable text");
    }
}

fn files() -> Vec<PathBuf> {
    let Some(folder) = data::find("") else {
        return Vec::new();
    };
    let folder = folder.join("pgn");
    let mut files: Vec<PathBuf> = [
        "twic-small.pgn.zst",
        "lichess.pgn.zst",
        "chess960.pgn.zst",
        "chess960rwch.pgn",
    ]
    .map(|name| folder.join(name))
    .into();
    for entry in fs::read_dir(folder.join("annotated")).expect("a folder") {
        files.push(entry.expect("an entry").path());
    }
    files
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn ten_thousand_games_of_the_program_are_read_and_written_byte_by_byte() {
    let Some(folder) = data::find("") else { return };
    let file = File::open(folder.join("jose/games-10k.tsv.gz")).expect("a table");
    let table = io::read_to_string(flate2::read::GzDecoder::new(file)).expect("text");
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().expect("a head").split('\t').collect();
    let column = |name| head.iter().position(|&n| n == name).expect("a column");
    let [bin, comments, uci] = ["bin_hex", "comments_hex", "uci"].map(column);
    let (mut games, mut plies) = (0, 0);
    for line in lines {
        let row: Vec<&str> = line.split('\t').collect();
        let bytes = format!("{}+{}", row[bin], row[comments]);
        let bytes: Streams = bytes.parse().expect("hexadecimal");
        let mut notes = Notes::default();
        let told = Profile::Program.decode(&bytes, &Position::initial(), &mut notes);
        assert_eq!(told, Ok(()), "{line}");
        let moves = |text: &str| -> Vec<String> {
            let words = text.split(' ');
            let is_move = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
            words.filter(is_move).map(str::to_owned).collect()
        };
        assert_eq!(moves(&notes.0), moves(row[uci]), "{line}");
        let tree = decode(Profile::Program, &bytes, &Position::initial()).expect("read before");
        let mut losses = Losses::default();
        assert_eq!(Profile::Program.encode(&tree, &mut losses), Ok(bytes));
        assert!(losses.is_empty(), "{losses:?}");
        games += 1;
        plies += tree.main_line().count();
    }
    assert_eq!((games, plies), (10_147, 867_941));
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_game_comes_back_from_the_store_as_it_was() {
    let (mut games, mut bytes, mut items) = (0, 0, 0);
    for path in files() {
        each_game(&path, |game| {
            let stored = super::store::round_trip(game);
            bytes += stored.main.len();
            items += game.items.len();
            games += 1;
        });
    }
    println!("{games} games, {items} items, {bytes} bytes");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn what_other_profiles_lose_is_listed_and_the_rest_comes_back() {
    for profile in [Profile::Document, Profile::Program] {
        let mut lost: BTreeMap<LossKind, u64> = BTreeMap::new();
        let (mut games, mut whole) = (0, 0);
        for path in files() {
            each_game(&path, |game| {
                let mut losses = Losses::default();
                let streams = profile.encode(game, &mut losses).expect("legal games");
                for (kind, count, _) in losses.iter() {
                    *lost.entry(kind).or_default() += count;
                }
                let back = decode(profile, &streams, &game.start).expect("what was written");
                games += 1;
                if losses.is_empty() {
                    whole += 1;
                    assert_eq!(back.items, game.items, "{:?}", game.tags);
                    assert_eq!(back.result, game.result, "{:?}", game.tags);
                    assert_eq!(back.state, game.state, "{:?}", game.tags);
                }
                super::store::settles(profile, &streams, &game.start);
            });
        }
        println!("{profile:?}: {whole} of {games} games whole, lost {lost:?}");
    }
}
