//! Databases of Scid: what tabiya writes, the real Scid reads, searches and changes, and the other
//! way round.

mod changes;
mod import;
mod limits;
mod search;

use std::path::{Path, PathBuf};

use tabiya_formats::{
    Database as _,
    io::Input,
    pgn::{self, Parser, Pgn},
    scid::{self, Builder, NewGames, Version, Writer},
};
use tabiya_game::{Event, Flow, GameSink, GameState, GameTree, Item, LossKind};

/// Games with what few games have: a start of their own, promotions of all kinds, null moves, deep
/// variations, every sort of rating, flags, and tags that have no field.
const RARE: &str = include_str!("rare.pgn");

#[derive(Default)]
struct Trees {
    all: Vec<GameTree>,
    current: GameTree,
}

impl GameSink for Trees {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Text { .. } = event {
            return Flow::Continue;
        }
        let flow = self.current.event(event);
        if let Event::GameEnd { .. } = event {
            let mut tree = std::mem::take(&mut self.current);
            tree.place = Default::default();
            self.all.push(tree);
        }
        flow
    }
}

fn read_pgn(path: &Path) -> Vec<GameTree> {
    let input = Input::open(path).expect("a file");
    let mut pgn = Pgn::new(input, pgn::ReadOptions::default());
    let mut trees = Trees::default();
    while let Some(part) = pgn.next_part().expect("a part") {
        part.tell(&mut trees).expect("a part");
    }
    trees.all
}

fn parse(text: &str) -> Vec<GameTree> {
    let mut trees = Trees::default();
    let mut parser = Parser::new(text);
    while parser.read_game(&mut trees) {}
    trees.all
}

/// Reads what Scid exported. It breaks lines wherever there is a space, even within commands such as
/// `[%clk 0:10:00]`, and its import drops spaces around them.
fn read_export(path: &Path) -> Vec<GameTree> {
    let bytes = std::fs::read(path).expect("an export");
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.split("\n\n").map(|part| match part.trim_start() {
        tags if tags.starts_with("[Event ") => part.to_owned(),
        moves => moves
            .replace('\n', " ")
            .replace("{ [%", "{[%")
            .replace("] }", "]}"),
    });
    parse(&whole.collect::<Vec<_>>().join("\n\n"))
}

/// All games of a database, deleted ones too.
fn read_scid(path: &Path) -> Vec<GameTree> {
    let options = scid::ReadOptions {
        deleted: true,
        ..Default::default()
    };
    let mut database = scid::Scid::open(path, options).expect("a database");
    let mut trees = Trees::default();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut trees).expect("a part");
    }
    trees.all
}

/// Games that both can read: without errors, from a start that version 4 has room for. What is to
/// be compared is not how broken PGN is read.
fn clean(games: Vec<GameTree>) -> Vec<GameTree> {
    let is_clean = |game: &GameTree| {
        let is_error = |item: &Item| matches!(item, Item::Error { .. });
        let result = game.result.tag();
        game.state == GameState::Complete
            && game.tags.get("Result").is_none_or(|tag| tag == result)
            && !game.items.iter().any(is_error)
            && !has_impossible_rights(game)
            && !loses_comments(game)
            && !record(game).is_empty()
    };
    let mut games: Vec<GameTree> = games.into_iter().filter(is_clean).collect();
    games.iter_mut().for_each(tidy_comments);
    games
}

/// Takes out the white space around and within comments, and comments that are nothing else.
fn tidy_comments(tree: &mut GameTree) {
    for item in &mut tree.items {
        if let Item::Comment { text, .. } = item {
            *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
    let is_empty = |item: &Item| matches!(item, Item::Comment { text, .. } if text.is_empty());
    tree.items.retain(|item| !is_empty(item));
}

/// Of several comments on a move both programs make one, but not the same.
fn loses_comments(game: &GameTree) -> bool {
    let mut writer = Writer::new(Version::Si4);
    game.tell(&mut writer);
    let losses = writer.take_losses();
    losses.iter().any(|(kind, ..)| kind == LossKind::Comment)
}

/// Rights to castle without rooks are Chess960 to Scid, which leaves the game out.
fn has_impossible_rights(game: &GameTree) -> bool {
    let fen = game.tags.get("FEN").unwrap_or_default();
    let castling = fen.split(' ').nth(2).unwrap_or("-");
    castling != "-" && game.start.castling_rooks().is_empty()
}

/// A game as a database of version 4 gets it.
fn record(game: &GameTree) -> NewGames {
    let mut writer = Writer::new(Version::Si4);
    game.tell(&mut writer);
    writer.take()
}

/// Writes a database of these games.
fn write(path: &Path, games: &[GameTree]) {
    let mut builder = Builder::create(Version::Si4, path).expect("a database");
    for game in games {
        builder.add(&record(game)).expect("there is room");
    }
    builder.finish().expect("it is written");
}

fn write_pgn(path: &Path, games: &[GameTree]) {
    let mut writer = pgn::Writer::default();
    for game in games {
        game.tell(&mut writer);
    }
    std::fs::write(path, writer.take()).expect("a file");
}

/// The first games of a file with all kinds of tournaments.
fn tournaments(folder: &Path, count: usize) -> Vec<GameTree> {
    let mut games = read_pgn(&folder.join("pgn/twic-small.pgn.zst"));
    games.truncate(count);
    games
}

/// All files with notes and variations.
fn annotated(folder: &Path) -> Vec<GameTree> {
    let files = std::fs::read_dir(folder.join("pgn/annotated")).expect("a folder");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    clean(files.iter().flat_map(|file| read_pgn(file)).collect())
}

/// A game in words that PGN and databases share: tags that say something, in alphabetical order,
/// and comments without the white space around and within them.
fn normal(tree: &GameTree) -> GameTree {
    let mut tree = tree.clone();
    let says_something = |(name, value): &(&str, &str)| {
        // Scid 4 does not export the flags.
        !matches!(*value, "?" | "????.??.??" | "") && *name != "ScidFlags"
    };
    let mut tags: Vec<(String, String)> = tree
        .tags
        .iter()
        .filter(says_something)
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    tags.sort();
    tree.tags = tags.into_iter().collect();
    tidy_comments(&mut tree);
    tree
}

/// What Scid's lists say of all games of a database, one a line: number, result, moves, names,
/// ratings, dates, counts, flags, opening, final material, start.
const LIST: &str = "proc list_games base {
    foreach {id line more} [sc_base gameslist $base 0 9999999 dbfilter N+] {puts \"$id $line $more\"}
}
";
