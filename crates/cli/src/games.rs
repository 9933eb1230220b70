//! Databases as commands read them: what is asked for on the command line, and how people hear
//! of it.

use std::{
    io::{self, IsTerminal},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::Path,
};

use anyhow::bail;
use clap::Args;
use encoding_rs::Encoding;
use tabiya::{Database, Filter, FormatSpec, GameTree, Open, ReadOptions, Settings, registry};
use tabiya_formats::registry::{OptionValue, PASSWORD};

use crate::{exit, filter_args::FilterArgs, format_arg, message, password, progress::Progress};

/// How games are read.
#[derive(Args, Clone, Default)]
pub struct ReadArgs {
    /// The format of the inputs, if their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format_arg::readable(), hide_possible_values = true)]
    pub from: Option<FormatSpec>,

    /// The encoding of all inputs; without it, each game is UTF-8 or Windows-1252
    #[arg(long, value_name = "NAME", value_parser = tabiya::encoding)]
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

    /// How databases are read. If one needs a password and somebody is there, they are asked.
    pub fn how(&self) -> Open {
        let mut settings = password_settings(self.password.as_deref());
        set(&mut settings, "jose-date-fix", self.jose_date_fix);
        let options = ReadOptions {
            encoding: self.encoding,
            deleted: self.deleted,
            settings,
            ..ReadOptions::default()
        };
        let how = how(self.from).options(options);
        match self.jobs {
            Some(jobs) => how.jobs(jobs),
            None => how,
        }
    }
}

/// How a database is read of which nothing more is asked than its format.
pub fn how(from: Option<FormatSpec>) -> Open {
    let how = Open::new().ask_password(password::ask_if_possible);
    match from {
        Some(format) => how.format(format),
        None => how,
    }
}

/// The password of an archive, if one was given.
pub fn password_settings(password: Option<&str>) -> Settings {
    let mut settings = Settings::new();
    if let Some(password) = password {
        settings.set(&PASSWORD, password);
    }
    settings
}

/// Sets what some format lets one set. Where no format does, there is nothing it could change.
pub fn set(settings: &mut Settings, name: &str, value: impl Into<OptionValue>) {
    if let Some(option) = registry().option(name) {
        settings.set(option, value);
    }
}

/// Opens a database and says what it lacks.
pub fn open(path: &Path, how: Open) -> anyhow::Result<Database> {
    let database = how.open(path)?;
    for damage in database.damage() {
        message::warning(format_args!("{}: {damage}", path.display()));
        exit::note_damage();
    }
    Ok(database)
}

/// Shows a bar while a database is read, which goes when the database is dropped.
pub fn with_bar(database: Database) -> Database {
    let bar = Progress::new(true);
    database.watch(move |progress| {
        bar.update(progress.read(), progress.total());
        ControlFlow::Continue(())
    })
}

/// Takes the bar away, if there is one.
pub fn without_bar(database: Database) -> Database {
    database.watch(|_| ControlFlow::Continue(()))
}

/// As [`with_bar`], unless lines of results on the same terminal would tear the bar.
pub fn with_bar_beside_lines(database: Database) -> Database {
    match io::stdout().is_terminal() {
        true => database,
        false => with_bar(database),
    }
}

/// The game of a number in the file, if it passes a filter; without a number, the first that
/// passes. And whether it is marked as deleted.
pub fn game(
    database: Database,
    number: Option<u64>,
    filter: Filter,
) -> anyhow::Result<(GameTree, bool)> {
    let all = filter.is_empty();
    let database = with_bar_beside_lines(database.filter(filter));
    if let Some(number) = number {
        return Ok((database.get(number)?, database.is_deleted(number)));
    }
    match (database.first()?, database.name()) {
        (Some(game), _) => {
            let is_deleted = database.is_deleted(game.place.number);
            Ok((game, is_deleted))
        }
        (None, name) if all => bail!("{name} has no game"),
        (None, name) => bail!("no game of {name} passes the filters"),
    }
}
