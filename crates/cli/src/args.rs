//! The command line.

use std::{ffi::OsString, path::Path};

use anyhow::Context;
use clap::{
    Args, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use tabiya_chess::{Position, Setup, Variant};

#[cfg(feature = "server")]
use crate::commands::serve;
#[cfg(feature = "sql")]
use crate::commands::sql;
use crate::{
    commands::{
        board, check, compact, completions, convert, decode, delete, dump, duplicates, eco, edit,
        encode, export, formats, generate, import, index, info, list, man, merge, moves, names,
        pack, perft, replace, report, search, show, tree, unpack,
    },
    fen, input,
};

const EXAMPLES: &str = "\
EXAMPLES:
  tabiya convert games.pgn.zst --player carlsen -o carlsen.pgn
  tabiya import games.tabiya twic*.pgn.zst my.cbh
  tabiya board
  tabiya moves --uci 8/8/8/8/8/8/8/k1K4R w - - 0 1
  tabiya perft 5 --divide
  tabiya check games.pgn
  tabiya info games.pgn.zst
  tabiya list games.pgn.zst --player \"Vladimir Kramnik\" --sort date
  tabiya search games.pgn.zst --moves \"1. e4 c5 2. c3\" --material KRPKR
  tabiya show games.pgn --game 3
  tabiya tree games.pgn.zst --moves \"1. e4 c5\"
  tabiya report games.tabiya --player \"Magnus Carlsen\" -o carlsen.html
  tabiya serve games.pgn --open
  tabiya duplicates games.tabiya -o plan.tsv
  tabiya encode --as jose --explain \"1. e4 e5 2. Nf3\"

Exit codes: 0 all is well, 1 something was found (an odd position, a broken game), 2 wrong use or failed input or
output, 130 interrupted by Ctrl-C.";

/// Open any chess database, convert it without loss, ask it anything.
#[derive(Parser)]
#[command(name = "tabiya", version, after_long_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    Convert(Box<convert::Args>),
    Import(Box<import::Args>),
    Export(Box<export::Args>),
    Formats(formats::Args),
    Check(check::Args),
    Info(info::Args),
    List(Box<list::Args>),
    Search(Box<search::Args>),
    Show(show::Args),
    Tree(Box<tree::Args>),
    #[cfg(feature = "sql")]
    Sql(sql::Args),
    #[cfg(feature = "server")]
    Serve(Box<serve::Args>),
    Eco(Box<eco::Args>),
    Names(Box<names::Args>),
    Merge(Box<merge::Args>),
    Report(Box<report::Args>),
    Duplicates(Box<duplicates::Args>),
    Edit(Box<edit::Args>),
    Delete(delete::DeleteArgs),
    Undelete(delete::UndeleteArgs),
    Replace(replace::Args),
    Compact(compact::Args),
    Index(index::Args),
    Pack(pack::Args),
    Unpack(unpack::Args),
    Dump(dump::Args),
    Encode(encode::Args),
    Decode(decode::Args),
    Board(board::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Generate(generate::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// A position and the rules it is played by.
#[derive(Args)]
pub struct PositionArgs {
    /// The position as FEN, quoted or in words; - reads it from standard input
    ///
    /// Missing fields at its end are filled in with "w - - 0 1". Without a FEN: the start of a game.
    #[arg(value_name = "FEN")]
    pub words: Vec<OsString>,

    /// The rules
    #[arg(long, value_name = "RULES", default_value_t, value_parser = variant())]
    pub variant: Variant,
}

/// Where a game starts that is given without tags.
#[derive(Args)]
pub struct StartArgs {
    /// The position before the first move, if it is another than usual
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// The rules
    #[arg(long, value_name = "RULES", default_value_t, value_parser = variant())]
    variant: Variant,
}

impl StartArgs {
    /// The position before the first move.
    pub fn position(&self) -> anyhow::Result<Position> {
        let setup = match &self.fen {
            Some(text) => fen::parse(text)?,
            None => Setup::INITIAL,
        };
        Position::from_setup(&setup, self.variant).with_context(|| format!("no moves from {setup}"))
    }

    /// The moves of a game with the tags that say where it starts.
    pub fn tagged(&self, moves: &str) -> anyhow::Result<String> {
        let position = self.position()?;
        let mut text = String::new();
        if self.variant != Variant::default() {
            text.push_str(&format!("[Variant \"{}\"]\n", self.variant.name()));
        }
        if self.fen.is_some() {
            text.push_str(&format!("[FEN \"{position}\"]\n"));
        }
        text.push_str(moves);
        Ok(text)
    }
}

fn variant() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new(Variant::ALL.map(Variant::name))
        .try_map(|name| name.parse::<Variant>())
}

/// Far more than any FEN has.
const FEN_LIMIT: u64 = 4096;

impl PositionArgs {
    /// What stands on the board.
    pub fn setup(&self) -> anyhow::Result<Setup> {
        let text = match self.words.as_slice() {
            [] => return Ok(Setup::INITIAL),
            [word] if word == "-" => {
                let bytes = input::read(Path::new(word), FEN_LIMIT)?;
                String::from_utf8_lossy(&bytes).trim_end().to_string()
            }
            words => {
                let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                words.join(" ")
            }
        };
        Ok(fen::parse(&text)?)
    }

    /// The position to generate moves from.
    pub fn position(&self) -> anyhow::Result<Position> {
        let setup = self.setup()?;
        Position::from_setup(&setup, self.variant).with_context(|| format!("no moves from {setup}"))
    }
}

/// The number of a game in its file.
pub fn game_number(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("there is no number 0: numbers begin at 1".to_string()),
        Ok(number) => Ok(number),
        Err(_) => Err("expected a number such as 7".to_string()),
    }
}
