//! Databases as commands read them: opened by name, in parts, by several threads.

use std::{
    io::{self, IsTerminal},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, bail};
use clap::Args;
use encoding_rs::Encoding;
use tabiya_formats::{
    Database, Entries, Part,
    io::{self as files, Compression},
    ordered,
    registry::{self, Dialect, FormatSpec, Opened, ReadOptions},
};
use tabiya_game::{Error, ErrorKind, Filter, GameTree};

use crate::{
    exit,
    filter_args::FilterArgs,
    format_arg, message, password,
    picker::{Picker, Wanted},
    progress::Progress,
};

/// How games are read.
#[derive(Args, Default)]
pub struct ReadArgs {
    /// The format of the inputs, if their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_arg::readable(), hide_possible_values = true)]
    pub from: Option<FormatSpec>,

    /// The encoding of all inputs; without it, each game is UTF-8 or Windows-1252
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<&'static Encoding>,

    /// Dates of a jose database are a day early, as in the archives that were published
    #[arg(long)]
    jose_date_fix: bool,

    /// Read games that are marked as deleted, too
    #[arg(long)]
    deleted: bool,

    /// The password of an archive, read or written; without it, you are asked for it
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,

    /// How many threads work; the output is the same for any number
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    filter: FilterArgs,
}

impl ReadArgs {
    /// Reads everything, in a format and with a password that may be given.
    pub fn all(from: Option<FormatSpec>, password: Option<String>) -> ReadArgs {
        ReadArgs {
            from,
            password,
            deleted: true,
            ..ReadArgs::default()
        }
    }

    /// The password that was given.
    pub fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }

    /// The games that are wanted.
    pub fn filter(&self) -> Filter {
        self.filter.filter()
    }

    /// How databases are read.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            encoding: self.encoding,
            jose_date_fix: self.jose_date_fix,
            deleted: self.deleted,
            password: self.password.clone(),
            ..ReadOptions::default()
        }
    }

    /// How many threads work.
    pub fn jobs(&self) -> usize {
        let jobs = self.jobs.or_else(|| thread::available_parallelism().ok());
        jobs.map_or(1, NonZeroUsize::get)
    }
}

/// An encoding by its name, if tags and moves can be found in it byte by byte.
fn encoding(name: &str) -> Result<&'static Encoding, String> {
    let known = Encoding::for_label(name.as_bytes());
    match known {
        Some(encoding) if encoding.is_ascii_compatible() => Ok(encoding),
        Some(_) => Err("convert the file to UTF-8 first, for example by iconv".to_string()),
        None => Err("expected a name such as utf-8, windows-1251 or iso-8859-2".to_string()),
    }
}

/// Opens a database and says what it lacks. If it needs a password and somebody is there, asks
/// for it; the options have it then.
pub fn open_database(
    path: &Path,
    from: Option<FormatSpec>,
    options: &mut ReadOptions,
) -> anyhow::Result<Opened> {
    let opened = match registry::open(path, from, options) {
        Err(error) if error.kind() == ErrorKind::NeedsPassword && password::can_ask() => {
            options.password = Some(password::ask(path)?);
            registry::open(path, from, options)?
        }
        opened => opened?,
    };
    for warning in opened.database.warnings() {
        message::warning(format_args!("{}: {warning}", path.display()));
        exit::note_damage();
    }
    Ok(opened)
}

/// A database that is open.
pub struct Games {
    /// Its path as it was given.
    pub path: PathBuf,
    /// Its format.
    pub dialect: Dialect,
    /// How it is packed.
    pub compression: Compression,
    /// How much of the file was read.
    pub progress: files::Progress,
    /// Whether a bar says how far it is. Lines of results on the same terminal would tear it.
    pub bar: bool,
    jobs: usize,
    database: Box<dyn Database>,
}

impl Games {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path, args: &ReadArgs) -> anyhow::Result<Games> {
        let opened = open_database(path, args.from, &mut args.options())?;
        Ok(Games {
            path: path.to_owned(),
            dialect: opened.dialect,
            compression: opened.compression,
            progress: opened.progress,
            bar: !io::stdout().is_terminal(),
            jobs: args.jobs(),
            database: opened.database,
        })
    }

    /// Which parts of the database are missing or damaged, a sentence each.
    pub fn damage(&self) -> Vec<String> {
        self.database.warnings()
    }

    /// Whether the game of a number in the file is marked as deleted.
    pub fn is_deleted(&self, number: u64) -> bool {
        let entries = self.database.entries();
        entries.is_some_and(|entries| entries.is_deleted(number))
    }

    /// The game of a number in the file, if it passes a filter; without a number, the first that
    /// passes. All entries count, as [`Entries`] counts them.
    pub fn game(self, number: Option<u64>, filter: &Filter) -> anyhow::Result<GameTree> {
        let name = match self.path == Path::new("-") {
            true => "standard input".to_string(),
            false => self.path.display().to_string(),
        };
        let Some(number) = number else {
            return self.first_game(filter, &name);
        };
        if let Some(entries) = self.database.entries() {
            return entry(entries, number, filter, &name);
        }
        let mut before = 0;
        let mut found = None;
        // Each thread looks through a part of its own, without knowing how many games came
        // before: it only counts. The part that has the game is then read again, for that game
        // alone.
        let read = self.for_each_with_part(
            |part| {
                let mut counter = Picker::new(filter, Wanted::Nothing);
                part.tell(&mut counter)?;
                Ok(counter.heard())
            },
            |count, part| {
                if before + count < number {
                    before += count;
                    return Ok(ControlFlow::Continue(()));
                }
                let mut picker = Picker::new(filter, Wanted::Nth(number - before));
                part.tell(&mut picker)?;
                found = Some(picker.into_game(before));
                Ok(ControlFlow::Break(()))
            },
        );
        if let Some(game) = found {
            return game.with_context(|| no_pass(number, &name));
        }
        read?;
        bail!("{}", no_game(number, &name, before))
    }

    fn first_game(self, filter: &Filter, name: &str) -> anyhow::Result<GameTree> {
        let mut before = 0;
        let mut found = None;
        let read = self.for_each(
            |part| {
                let mut picker = Picker::new(filter, Wanted::First);
                part.tell(&mut picker)?;
                Ok(picker)
            },
            |picker| {
                let heard = picker.heard();
                found = picker.into_game(before);
                before += heard;
                Ok(match found {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                })
            },
        );
        match found {
            Some(game) => return Ok(game),
            None => read?,
        }
        match filter.is_empty() {
            true => bail!("{name} has no game"),
            false => bail!("no game of {name} passes the filters"),
        }
    }

    /// Works on every part and joins the results in order. What was read before an error is
    /// joined before the error is returned.
    pub fn for_each<U: Send>(
        self,
        work: impl Fn(&dyn Part) -> Result<U, Error> + Sync,
        mut join: impl FnMut(U) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        self.for_each_with_part(work, |result, _| join(result))
    }

    /// As [`Games::for_each`]; the part comes with its result.
    pub fn for_each_with_part<U: Send>(
        self,
        work: impl Fn(&dyn Part) -> Result<U, Error> + Sync,
        mut join: impl FnMut(U, &dyn Part) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        let mut database = self.database;
        let watched = self.progress.clone();
        let bar = Progress::new(self.progress.total(), move || watched.read(), self.bar);
        let mut unread: Option<Error> = None;
        let mut failed: Option<anyhow::Error> = None;
        let next = || {
            loop {
                match database.next_part() {
                    Ok(part) => return part,
                    Err(_) if unread.is_some() => return None,
                    // A reader may still have what came before the error.
                    Err(error) => unread = Some(error),
                }
            }
        };
        let work = |part: Box<dyn Part>| (work(&*part), part);
        ordered(self.jobs, next, work, |(result, part)| {
            bar.update();
            let joined = result
                .map_err(anyhow::Error::from)
                .and_then(|result| join(result, &*part));
            match joined {
                Ok(flow) => flow,
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        match (failed, unread) {
            (Some(error), _) => Err(error),
            (None, Some(error)) => {
                Err(error).with_context(|| format!("cannot read {}", self.path.display()))
            }
            (None, None) => Ok(()),
        }
    }
}

/// The game of a number in a file.
fn entry(
    entries: &dyn Entries,
    number: u64,
    filter: &Filter,
    name: &str,
) -> anyhow::Result<GameTree> {
    let mut picker = Picker::new(filter, Wanted::First);
    if !entries.tell(number, &mut picker) {
        bail!("{}", no_game(number, name, entries.count()));
    }
    if picker.heard() == 0 {
        bail!("entry {number} of {name} is no game: `tabiya dump` explains it");
    }
    picker
        .into_game(number - 1)
        .with_context(|| no_pass(number, name))
}

fn no_game(number: u64, name: &str, count: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("no game {number}: {name} has {count} game{plural}")
}

fn no_pass(number: u64, name: &str) -> String {
    format!("game {number} of {name} does not pass the filters")
}
