//! `tabiya show`: one game, for a person to read.

mod json;
mod marks;
mod movetext;
mod paragraphs;

use std::{io::Write, path::PathBuf};

use anyhow::bail;
use tabiya::{GameState, GameTree, openings::Classifier};
use tabiya_chess::{Action, Color, Position, diagram, diagram::Svg};
use tabiya_game::ROSTER;

use crate::{
    args::game_number,
    exit::Outcome,
    games::{self, ReadArgs},
    heading, openings,
    output::Output,
    style::Palette,
    terminal,
    text::clean,
};
use marks::Marks;
use movetext::write_movetext;

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya show games.pgn
  tabiya show games.pgn --game 12 --ply 30 --flip
  tabiya show games.pgn.zst --game 12 --svg final.svg
  tabiya show games.pgn --player fischer
  tabiya show games.pgn --game 12 --json | jq -r '.moves[].san'

--game is the number of a game in its file, which begins at 1 and counts all entries, deleted games
and texts too. Filters do not change it; without it they say which game is the first.

--json prints one object: \"tags\" as pairs, \"start\", \"result\", \"moves\"; each move has its \"san\", \"uci\",
\"fen\" (after it), \"notes\" and \"variations\", which are lines of moves themselves.

Exit codes: 1 if the file is damaged, 2 if there is no such game or no such ply.";

/// Show a game: tags, board, moves with variations and comments
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The file to read, packed or not; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// Which game, by its number in the file; without it, the first that passes the filters
    #[arg(short, long, value_name = "N", value_parser = game_number)]
    game: Option<u64>,

    /// Show the board after so many plies of the main line; without it, after the last
    #[arg(long, value_name = "K")]
    ply: Option<usize>,

    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,

    /// Write the board as an image and print nothing else; - is standard output
    ///
    /// The last move is marked, and the arrows and circles that the game has there are drawn.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print the game as JSON: tags, moves with positions, comments, variations
    #[arg(long, conflicts_with_all = ["svg", "ply", "flip"])]
    json: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// The board that is shown.
struct Scene {
    position: Position,
    /// What led to it, and from where.
    last: Option<(Position, Action)>,
    ply: usize,
    bottom: Color,
}

/// Shows the game.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut output = Output::open(args.svg.as_deref(), &["svg"])?;
    let database = games::open(&args.input, args.read.how())?;
    let (tree, deleted) = games::game(database, args.game, args.read.filter())?;
    if args.json {
        json::write(&mut output, deleted, &tree)?;
        output.finish()?;
        return Ok(Outcome::Fine);
    }
    let scene = scene(&tree, args)?;
    match args.svg {
        Some(_) => write_svg(&mut output, &tree, &scene)?,
        None => write_game(&mut output, &tree, &scene, deleted)?,
    }
    output.finish()?;
    Ok(Outcome::Fine)
}

fn scene(tree: &GameTree, args: &Args) -> anyhow::Result<Scene> {
    let line: Vec<(Position, Action)> = tree.main_line().collect();
    let ply = args.ply.unwrap_or(line.len());
    if ply > line.len() {
        let plural = if line.len() == 1 { "ply" } else { "plies" };
        bail!("no ply {ply}: the game has {} {plural}", line.len());
    }
    let last = ply.checked_sub(1).map(|index| line[index]);
    let position = match last {
        None => tree.start,
        Some((mut position, action)) => {
            position.act(action);
            position
        }
    };
    Ok(Scene {
        position,
        last,
        ply,
        bottom: if args.flip {
            Color::Black
        } else {
            Color::White
        },
    })
}

fn write_svg(output: &mut Output, tree: &GameTree, scene: &Scene) -> anyhow::Result<()> {
    let board = scene.position.board();
    let mut image = Svg::new(board).bottom(scene.bottom);
    if let Some((_, Action::Move(play))) = scene.last {
        image = image.last_move(play);
    }
    if let (true, Some(king)) = (scene.position.is_check(), board.king(scene.position.turn())) {
        image = image.check(king);
    }
    let image = Marks::after_ply(tree, scene.ply).draw(image);
    write!(output, "{image}")?;
    Ok(())
}

fn write_game(
    output: &mut Output,
    tree: &GameTree,
    scene: &Scene,
    deleted: bool,
) -> anyhow::Result<()> {
    let palette = Palette::of(output);
    write_tags(output, tree, palette)?;
    if deleted {
        let style = palette.warning;
        writeln!(output, "{style}This game is marked as deleted.{style:#}")?;
    }
    let board = diagram::unicode(scene.position.board(), scene.bottom);
    write!(output, "\n{board}")?;
    let label = palette.label;
    writeln!(output, "\n{label}{}{label:#}", caption(scene))?;
    writeln!(output, "{}\n", scene.position.to_setup())?;
    let columns = columns(output);
    write_movetext(output, tree, palette, columns)?;
    if tree.state == GameState::Broken {
        let style = palette.warning;
        writeln!(
            output,
            "\n{style}Not all of this game could be read.{style:#}"
        )?;
    }
    Ok(())
}

/// How wide the text may be: the terminal, within what can be read.
fn columns(output: &Output) -> usize {
    const USUAL: usize = 80;
    terminal::columns(output).map_or(USUAL, |width| width.min(120))
}

/// The players and where they met, then the other tags, one a line, and the opening that the moves
/// are.
fn write_tags(output: &mut Output, tree: &GameTree, palette: Palette) -> anyhow::Result<()> {
    let names = openings::table(None)?;
    let mut classifier = Classifier::new(&names);
    tree.tell(&mut classifier);
    let tag = |name: &str| clean(tree.tags.get(name).unwrap_or("?")).into_owned();
    let strong = palette.strong;
    let who = match heading::position_name(&tree.tags) {
        Some(name) => clean(name).into_owned(),
        None => format!("{} – {}", tag("White"), tag("Black")),
    };
    let result = tree.result.tag();
    writeln!(output, "{strong}{who}  {result}{strong:#}")?;
    let known = ["Event", "Site", "Date", "Round"].map(|name| (name, tag(name)));
    let known: Vec<String> = known
        .into_iter()
        .filter(|(_, value)| !value.chars().all(|c| matches!(c, '?' | '-' | '.')))
        .map(|(name, value)| match name {
            "Round" => format!("round {value}"),
            _ => value,
        })
        .collect();
    if !known.is_empty() {
        writeln!(output, "{}", known.join(", "))?;
    }
    let label = palette.label;
    for (name, value) in tree.tags.iter().filter(|(name, _)| !ROSTER.contains(name)) {
        let (name, value) = (clean(name), clean(value));
        writeln!(output, "{label}{name:<16}{label:#} {value}")?;
    }
    // Every game begins with the start of a game.
    if let Some((opening, ply)) = classifier.found().filter(|(_, ply)| *ply > 0) {
        let text = openings::text(opening);
        writeln!(
            output,
            "{label}{:<16}{label:#} {} (ply {ply})",
            "opening",
            clean(&text)
        )?;
    }
    Ok(())
}

/// `after 12... Nf6`
fn caption(scene: &Scene) -> String {
    let Some((before, action)) = &scene.last else {
        return "at the start".to_string();
    };
    let number = before.fullmove_number();
    let dots = match before.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    let san = match action {
        Action::Move(play) => before.san(*play).to_string(),
        Action::Null => "--".to_string(),
    };
    let status = match scene.position.status() {
        tabiya_chess::Status::InProgress => String::new(),
        status => format!(", {status}"),
    };
    format!("after {number}{dots} {san} (ply {}){status}", scene.ply)
}
