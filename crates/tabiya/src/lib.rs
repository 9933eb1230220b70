//! Open any chess database, convert it without loss, ask it anything.
//!
//! ChessBase, Scid, jose, chessdb, CMBR and PGN, packed or not: what a file is, is told from its
//! content.
//!
//! # Read
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "[White \"Morphy\"]\n\n1. e4 e5 1-0\n")?;
//! for game in tabiya::open(&path)?.games() {
//!     let game = game?;
//!     println!("{} {}", game.tags.get("White").unwrap_or("?"), game.result);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game is a [`GameTree`]: tags, moves with variations, comments and annotations. A broken game
//! is a game too; it keeps what could be read and the text of the rest, and its
//! [`state`](GameTree::state) says so.
//!
//! # Ask
//!
//! All cores sum up games with [`Database::par_fold`]:
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "[White \"Morphy\"]\n\n1. e4 e5 1-0\n")?;
//! let plies = tabiya::open(&path)?.par_fold(
//!     || 0,
//!     |plies, game| *plies += game.main_line().count(),
//!     |plies, more| *plies += more,
//! )?;
//! assert_eq!(plies, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`GameSink`] hears games as [`Event`]s, and only what it needs: [`Database::tell`] and
//! [`Database::par_tell`]. [`Survey`] and [`check::Checker`] are such sinks.
//!
//! What happens on the board is asked by [`search`]: positions, patterns, material, manoeuvres.
//! [`tree`] tells what is played, [`report`] all about a player or an opening, [`repertoire`] where
//! games leave one, and [`merge`] makes one tree of many games.
//!
//! # Write
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.si5");
//! # let game = tabiya::GameTree::default();
//! let mut games = tabiya::create(&path)?;
//! let losses = games.add(&game)?;
//! games.finish()?;
//! # assert!(losses.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Convert
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let (input, output) = (folder.path().join("games.pgn"), folder.path().join("games.cbh"));
//! # std::fs::write(&input, "[White \"Morphy\"]\n\n1. e4 e5 1-0\n")?;
//! let report = tabiya::convert(&input, &output).run()?;
//! println!("{} of {} games written", report.counts.written, report.counts.read);
//! # assert_eq!(report.counts.written, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Convert::watch`] tells how far it is, and may end it.
//!
//! Whatever is written appears only when it is complete: an error, a full disk or a program that
//! ends leave what was there before. What a format cannot hold is reported as a [`Loss`], never
//! dropped in silence.

#![deny(missing_docs)]

/// tabiya's own database: its columns, by Arrow, and its games by their numbers.
#[cfg(feature = "store")]
pub use tabiya_store as store;

mod convert;
mod create;
mod database;
mod different;
pub mod duplicates;
mod edit;
mod folder;
mod index;
mod line;
pub mod merge;
pub mod names;
mod open;
pub mod openings;
pub mod plan;
mod positions;
pub mod repertoire;
pub mod report;
pub mod search;
pub mod tree;
mod words;

use std::{path::Path, sync::LazyLock};

use tabiya_formats::FORMATS;

pub use convert::{
    Absent, BROKEN_LISTED, BrokenGame, Convert, Damage, Edit, Left, Progress, Report, Source,
    Stopped,
};
pub use create::{Create, NewDatabase};
pub use database::{Database, Games, is_damage};
pub use different::check_different;
pub use edit::edit;
pub use folder::{EarlierOutput, expand_folders, left_in_folders, parts_in_folders};
pub use index::{IndexWish, Indexed, index, mend_index};
pub use open::{Open, encoding};
pub use tabiya_chess::{
    Action, Color, Move, Piece, Position, Role, Setup, Square, Status, Variant,
};
pub use tabiya_formats::{
    Fault, Part,
    io::{Compression, Progress as ReadProgress},
    registry::{FormatProfile, FormatSpec, ReadOptions, Registry, Settings, WriteOptions},
};
pub use tabiya_game::{
    Annotation, Comment, CommentPlace, Counts, Date, EcoSpan, Error, ErrorKind, Event, Filter,
    Filtered, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState, GameTree, Item,
    Loss, LossKind, Losses, Nag, Needs, Numbers, Place, Span, Survey, Tags, TimeControl, Words,
    check,
};

/// Opens a file or a folder, packed or not; `-` is standard input. [`Open`] has more to say about
/// how.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "[White \"Morphy\"]\n\n1. e4 e5 *\n")?;
/// for game in tabiya::open(&path)?.games() {
///     assert_eq!(game?.tags.get("White"), Some("Morphy"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it is not there, or no database that can be read.
pub fn open(path: impl AsRef<Path>) -> Result<Database> {
    Open::new().open(path)
}

/// Begins a database, in place of what is there. Its name says what it will be. [`Create`] has
/// more to say about how.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.si5");
/// let mut games = tabiya::create(&path)?;
/// games.add(&tabiya::GameTree::default())?;
/// games.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the format cannot be written, not there, or the system says no.
pub fn create(path: impl AsRef<Path>) -> Result<NewDatabase> {
    Create::new().create(path)
}

/// A conversion from one file into another. Nothing happens before [`Convert::run`].
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.si5"));
/// # std::fs::write(&path, "1. e4 e5 *\n")?;
/// let report = tabiya::convert(&path, &output).run()?;
/// assert!(report.is_whole());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convert<'w>(input: impl AsRef<Path>, output: impl AsRef<Path>) -> Convert<'w> {
    Convert::to(output).input(input)
}

/// All formats that tabiya has. Who has others clones it and registers them.
///
/// ```
/// let profile = tabiya::registry().by_path("games.cbh").unwrap();
/// assert_eq!(profile.to_string(), "chessbase:cbh");
/// ```
#[must_use]
pub fn registry() -> &'static Registry {
    static ALL: LazyLock<Registry> = LazyLock::new(|| {
        #[cfg_attr(not(any(feature = "chessbase", feature = "store")), expect(unused_mut))]
        let mut all = FORMATS.to_vec();
        // Behind PGN, which everybody has.
        #[cfg(feature = "chessbase")]
        all.insert(1, &tabiya_chessbase::FORMAT);
        #[cfg(feature = "store")]
        all.insert(1, &tabiya_store::FORMAT);
        Registry::of(&all)
    });
    &ALL
}

/// What a function of this crate returns.
///
/// ```
/// fn count(path: &str) -> tabiya::Result<usize> {
///     Ok(tabiya::open(path)?.games().count())
/// }
/// assert!(count("no such file.pgn").is_err());
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Standard input, or a pipe, was asked for a second time.
fn read_twice(path: &Path) -> Error {
    let words = format!("{} can be read only once", input_name(path));
    Error::new(ErrorKind::Unsupported, words)
}

/// Whether an input can be read only once: standard input, `-`, or a pipe.
///
/// ```
/// assert!(tabiya::is_read_once("-"));
/// assert!(!tabiya::is_read_once("Cargo.toml"));
/// ```
#[must_use]
pub fn is_read_once(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    let is_kept = |data: std::fs::Metadata| data.is_file() || data.is_dir();
    path == Path::new("-") || std::fs::metadata(path).is_ok_and(|data| !is_kept(data))
}

/// What messages call an input.
fn input_name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_string(),
        _ => path.display().to_string(),
    }
}

/// The example of the crate's page runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The example of how a format is added runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/adding-a-format.md")]
struct AddingAFormat;
