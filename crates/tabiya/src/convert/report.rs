//! What happened, for programs.

use std::{collections::BTreeMap, error::Error as StdError, fmt, sync::Arc, time::Duration};

use tabiya_formats::{Fault, registry::FormatProfile};
use tabiya_game::{Counts, LossKind, Losses, Numbers, Span};

use super::{
    inputs::{Damage, Source},
    outputs::Left,
};
use crate::{Error, ErrorKind};

/// How many broken games a [`Report`] lists; all are counted.
///
/// ```
/// assert!(tabiya::BROKEN_LISTED >= 1_000);
/// ```
pub const BROKEN_LISTED: usize = 10_000;

/// What a conversion did.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.uci"));
/// # std::fs::write(&path, "1. e4 {best} e5 *\n\n1. e4 Ke4 *\n")?;
/// let report = tabiya::convert(&path, &output).run()?;
/// assert!(report.counts.add_up());
/// assert_eq!((report.counts.written, report.broken_count), (2, 1));
/// assert_eq!(report.broken[0].number, 2);
/// for (kind, count, first) in report.losses.iter() {
///     println!("{count} {kind} lost, the first in game {}: {}", first.game, first.what);
/// }
/// assert!(!report.is_whole());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// The format that was written.
    pub format: FormatProfile,
    /// What became of the games: read = written + refused + filtered + deleted.
    pub counts: Counts,
    /// What became of entries that are no games: texts, descriptions, what nobody understands.
    pub others: Counts,
    /// How many games are broken. They are written as far as they can be read.
    pub broken_count: u64,
    /// The first of them, [`BROKEN_LISTED`] at most.
    pub broken: Vec<BrokenGame>,
    /// What the format could not hold, and what it spells in another way.
    pub losses: Losses,
    /// Where the first loss of each kind was.
    pub loss_inputs: BTreeMap<LossKind, Arc<Source>>,
    /// Where the first value was that is spelled in another way.
    pub respelled_input: Option<Arc<Source>>,
    /// The inputs that have been opened, and how many games of each were read.
    pub inputs: Vec<(Arc<Source>, u64)>,
    /// The input that was read last, and the number of the last entry that was read of it.
    pub reached: Option<(Arc<Source>, u64)>,
    /// What is wrong with inputs as a whole: games may be missing.
    pub damage: Vec<Damage>,
    /// Games that were asked for by their numbers, and are not there.
    pub absent: Vec<Absent>,
    /// What may be a problem with the output, a sentence each.
    pub warnings: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A game of which not everything could be read.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.uci"));
/// # std::fs::write(&path, "1. e4 Ke4 *\n")?;
/// let report = tabiya::convert(&path, &output).run()?;
/// let broken = &report.broken[0];
/// assert_eq!((broken.number, broken.fault.place.to_string().as_str()), (1, "1:7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct BrokenGame {
    /// Its number in its file.
    pub number: u64,
    /// The file.
    pub source: Arc<Source>,
    /// The first thing in it that could not be read.
    pub fault: Fault,
}

/// Games that were asked for by their numbers, and are not there: all of a range, or a single one.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("some.pgn"));
/// # std::fs::write(&path, "1. e4 *\n")?;
/// let report = tabiya::convert(&path, &output).numbers("1,7..9".parse()?).run()?;
/// assert_eq!((report.counts.written, report.is_whole()), (1, false));
/// assert_eq!((report.absent[0].numbers.to_string().as_str(), report.absent[0].last), ("7..9", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Absent {
    /// The input, as it was named.
    pub input: String,
    /// The numbers.
    pub numbers: Span<u64>,
    /// The last number of the input; 0 if it has none.
    pub last: u64,
    /// It is there, but marked as deleted.
    pub is_deleted: bool,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Absent {
            input,
            numbers,
            last,
            is_deleted,
        } = self;
        write!(f, "no game {numbers} of {input}: ")?;
        match (is_deleted, last) {
            (true, _) => write!(f, "it is marked as deleted"),
            (false, 0) => write!(f, "it has none"),
            (false, last) => write!(f, "the last one is {last}"),
        }
    }
}

impl Report {
    pub(super) fn new(format: FormatProfile) -> Report {
        Report {
            format,
            counts: Counts::default(),
            others: Counts::default(),
            broken_count: 0,
            broken: Vec::new(),
            losses: Losses::default(),
            loss_inputs: BTreeMap::new(),
            respelled_input: None,
            inputs: Vec::new(),
            reached: None,
            damage: Vec::new(),
            absent: Vec::new(),
            warnings: Vec::new(),
            elapsed: Duration::default(),
        }
    }

    /// Takes note of the numbers that were asked for and are behind the last one of an input, or
    /// are those of single games that are deleted.
    pub(super) fn look_for_absent(
        &mut self,
        source: &Source,
        wanted: &Numbers,
        last: u64,
        deleted: &[u64],
    ) {
        for numbers in wanted.spans() {
            let single = numbers.least.filter(|first| numbers.most == Some(*first));
            let is_deleted = single.is_some_and(|number| deleted.contains(&number));
            if is_deleted || numbers.least.is_some_and(|first| first > last) {
                self.absent.push(Absent {
                    input: source.name.clone(),
                    numbers,
                    last,
                    is_deleted,
                });
            }
        }
    }

    /// Whether every wanted game was written whole.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("copy.pgn"));
    /// # std::fs::write(&path, "1. e4 {best} e5 *\n")?;
    /// assert!(tabiya::convert(&path, &output).run()?.is_whole());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.broken_count == 0
            && self.counts.refused == 0
            && self.others.refused == 0
            && self.losses.is_empty()
            && self.damage.is_empty()
            && self.absent.is_empty()
    }

    /// The name of the input that has the first loss of a kind.
    ///
    /// ```
    /// use tabiya::LossKind;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.uci"));
    /// # std::fs::write(&path, "1. e4 {best} e5 *\n")?;
    /// let report = tabiya::convert(&path, &output).run()?;
    /// assert!(report.loss_input(LossKind::Comment).ends_with("games.pgn"));
    /// assert_eq!(report.loss_input(LossKind::Nag), "");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn loss_input(&self, kind: LossKind) -> &str {
        self.loss_inputs.get(&kind).map_or("", |input| &input.name)
    }
}

/// A conversion that was not finished: why, how far it came, and what it has left.
///
/// It becomes an [`Error`] whose words tell all three, so `?` passes it on.
///
/// ```
/// use std::{fs, ops::ControlFlow};
/// use tabiya::ErrorKind;
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("copy.pgn"));
/// # fs::write(&path, "1. e4 e5 *\n")?;
/// # fs::write(&output, "1. d4 *\n")?;
/// let cancelled = tabiya::convert(&path, &output).watch(|_| ControlFlow::Break(())).run();
/// let stopped = cancelled.expect_err("it was to be cancelled");
/// assert_eq!(stopped.error.kind(), ErrorKind::Cancelled);
/// assert_eq!(stopped.report.expect("it had begun").counts.read, 1);
/// // What was there before is still there.
/// assert_eq!(fs::read_to_string(&output)?, "1. d4 *\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Stopped {
    /// Why.
    pub error: Error,
    /// What was done until then; `None` if that was nothing, because it could not begin. Games
    /// count as written that were handed to the output.
    pub report: Option<Box<Report>>,
    /// What there is now.
    pub left: Left,
}

impl Stopped {
    /// It could not begin.
    pub(super) fn before_all(error: Error) -> Stopped {
        Stopped {
            error,
            report: None,
            left: Left::Nothing,
        }
    }

    /// How far it came, and what it has left, for people; nothing if it could not begin.
    fn consequence(&self) -> Option<String> {
        let left = &self.left;
        // What is not whole says itself where it is, and what is complete has not stopped anywhere.
        let says_where = matches!(
            self.error.kind(),
            ErrorKind::NotWhole | ErrorKind::Internal | ErrorKind::NotLasting
        );
        Some(match &self.report.as_ref()?.reached {
            Some((source, number)) if *number > 0 && !says_where => {
                format!("stopped after game {number} of {}, {left}", source.name)
            }
            _ => left.to_string(),
        })
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.consequence() {
            Some(consequence) => write!(f, "{}; {consequence}", self.error),
            None => write!(f, "{}", self.error),
        }
    }
}

/// What the error says is part of the message already, so its own cause comes next.
impl StdError for Stopped {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.error.source()
    }
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Error {
        match stopped.consequence() {
            Some(consequence) => stopped.error.with_consequence(consequence),
            None => stopped.error,
        }
    }
}
