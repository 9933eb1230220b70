//! An opening book for engines.

use std::path::{Path, PathBuf};

use tabiya::tree::{Book, BookWishes};
use tabiya_chess::Color;

use super::{Args, Place};
use crate::{exit::Outcome, games, message, output::Output, text};

/// Writes the book, and says what went into it.
pub fn write(
    args: &Args,
    place: &Place,
    inputs: &[PathBuf],
    path: &Path,
) -> anyhow::Result<Outcome> {
    let usual = BookWishes::default();
    let wishes = BookWishes {
        min_games: args.min_games.unwrap_or(usual.min_games),
        max_ply: args.max_ply.unwrap_or(usual.max_ply),
        side: match (args.only_white, args.only_black) {
            (true, _) => Some(Color::White),
            (_, true) => Some(Color::Black),
            _ => None,
        },
        from: place.given(),
    };
    let mut output = Output::open(Some(path), &["bin"])?;
    let mut databases = Vec::new();
    for path in inputs {
        let database = games::with_bar(games::open(path, args.read.how())?);
        databases.push(database.filter(args.read.filter()));
    }
    let book = Book::of(&databases, &wishes)?;
    drop(databases);
    book.write(&mut output)?;
    output.finish()?;
    let (moves, games) = (book.entries().len(), text::games(book.games()));
    message::note(format_args!("{moves} moves of {games}"));
    if book.without_score() > 0 {
        let count = book.without_score();
        message::note(format_args!("{count} moves that never scored are left out"));
    }
    if book.other_rules() > 0 {
        let games = text::games(book.other_rules());
        message::note(format_args!("left out by other rules: {games}"));
    }
    Ok(Outcome::Fine)
}
