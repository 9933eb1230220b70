//! One file a command: its arguments, and what it does.

pub mod board;
pub mod check;
pub mod compact;
pub mod completions;
pub mod convert;
pub mod decode;
pub mod delete;
pub mod dump;
pub mod duplicates;
pub mod eco;
pub mod edit;
pub mod encode;
pub mod export;
pub mod formats;
pub mod generate;
pub mod import;
pub mod index;
pub mod info;
pub mod list;
pub mod man;
pub mod merge;
pub mod moves;
pub mod names;
pub mod pack;
pub mod perft;
pub mod replace;
pub mod report;
pub mod search;
#[cfg(feature = "server")]
pub mod serve;
pub mod show;
#[cfg(feature = "sql")]
pub mod sql;
pub mod tree;
pub mod unpack;

use crate::{args::Command, exit::Outcome};

/// Runs a command to its end.
pub fn run(command: Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Board(args) => board::run(&args),
        Command::Convert(args) => convert::run(*args),
        Command::Import(args) => import::run(*args),
        Command::Export(args) => export::run(*args),
        Command::Formats(args) => formats::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Info(args) => info::run(&args),
        Command::List(args) => list::run(&args),
        Command::Search(args) => search::run(*args),
        Command::Show(args) => show::run(&args),
        Command::Tree(args) => tree::run(&args),
        #[cfg(feature = "sql")]
        Command::Sql(args) => sql::run(args),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(*args),
        Command::Eco(args) => eco::run(*args),
        Command::Names(args) => names::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Duplicates(args) => duplicates::run(*args),
        Command::Edit(args) => edit::run(*args),
        Command::Delete(args) => delete::delete(&args),
        Command::Undelete(args) => delete::undelete(&args),
        Command::Replace(args) => replace::run(&args),
        Command::Compact(args) => compact::run(&args),
        Command::Index(args) => index::run(&args),
        Command::Pack(args) => pack::run(&args),
        Command::Unpack(args) => unpack::run(&args),
        Command::Dump(args) => dump::run(&args),
        Command::Encode(args) => encode::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
