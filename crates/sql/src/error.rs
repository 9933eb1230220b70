//! What goes wrong.

use std::{error::Error as StdError, fmt, io, path::Path};

use ballista_core::error::BallistaError;
use datafusion::{
    arrow::error::ArrowError,
    common::{SchemaError, utils::datafusion_strsim::levenshtein},
    error::DataFusionError,
};

use tabiya::store::table::column_of_tag;

use crate::{
    cluster::failure,
    files::Files,
    lake::{self, damage_in},
};

/// Who or what is to blame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// It is no SQL.
    Syntax,
    /// It is SQL, but does not mean anything: texts are added, arguments are missing.
    Meaning,
    /// There is no such column.
    UnknownColumn,
    /// There is no such table.
    UnknownTable,
    /// There is no such function.
    UnknownFunction,
    /// It would change something, and sessions only read.
    ReadOnly,
    /// A row cannot be computed: a FEN is none, a number is too large.
    Execution,
    /// A database or a file is damaged.
    Damaged,
    /// A database or a file cannot be read for another reason.
    Input,
    /// The system does not let us read or write.
    Io,
    /// More memory is needed than there may be.
    Memory,
    /// More disk is needed than there may be.
    Disk,
    /// It has taken too long.
    Timeout,
    /// Nobody wants to know any more.
    Cancelled,
    /// A fault of the program.
    Internal,
}

/// Why there is no answer: what is wrong, and what to do about it.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    /// The name of what is not there.
    wrong: Option<String>,
    /// A file of an export is damaged, and nobody knows which.
    in_export: bool,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error in words for people.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error {
            kind,
            message: message.into(),
            wrong: None,
            in_export: false,
            source: None,
        }
    }

    /// Who or what is to blame.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    fn because(mut self, source: impl StdError + Send + Sync + 'static) -> Error {
        self.source = Some(Box::new(source));
        self
    }

    /// An export is damaged.
    fn in_export(words: &str) -> Error {
        let mut error = Error::new(ErrorKind::Damaged, words);
        error.in_export = true;
        error
    }

    /// The same with the files that are read, if one of them is damaged.
    pub(crate) fn among(mut self, files: &Files) -> Error {
        if self.in_export
            && let Some(files) = files.named()
        {
            self.message = damaged(&files, &self.message);
        }
        self
    }

    /// There is nothing of that name.
    fn unknown(kind: ErrorKind, wrong: &str, message: String) -> Error {
        let mut error = Error::new(kind, message);
        error.wrong = Some(wrong.to_owned());
        error
    }

    /// The same with the name that was perhaps meant.
    pub(crate) fn or_rather<'a>(self, names: impl Iterator<Item = &'a str>) -> Error {
        let wrong = self.wrong.as_deref();
        let meant = wrong
            .and_then(|wrong| nearest(wrong, names))
            .map(str::to_owned);
        self.meaning(meant.as_deref())
    }

    fn meaning(mut self, meant: Option<&str>) -> Error {
        if let Some(name) = meant {
            self.message = format!("{}; did you mean {name}?", self.message);
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.source.as_ref()?;
        Some(&**source)
    }
}

impl From<tabiya::Error> for Error {
    fn from(error: tabiya::Error) -> Error {
        Error::new(kind_of(&error), error.to_string()).because(error)
    }
}

impl From<lake::Error> for Error {
    fn from(error: lake::Error) -> Error {
        let told = match &error {
            lake::Error::Unreadable { file, source } => {
                let told = shared(source);
                let message = match told.in_export {
                    true => damaged(file, &told.message),
                    false => format!("{file}: {}", told.message),
                };
                Error::new(told.kind, message)
            }
            _ => Error::new(ErrorKind::Input, error.to_string()),
        };
        told.because(error)
    }
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Error {
        match error {
            DataFusionError::Context(_, error) | DataFusionError::Diagnostic(_, error) => {
                (*error).into()
            }
            DataFusionError::Collection(errors) => match errors.into_iter().next() {
                Some(error) => error.into(),
                None => Error::new(ErrorKind::Internal, "several errors, which are none"),
            },
            DataFusionError::Shared(error) => shared(&error),
            DataFusionError::SchemaError(error, _) => schema(&error).because(*error),
            DataFusionError::SQL(error, _) => {
                let words = error.to_string();
                let words = words.trim_start_matches("sql parser error: ");
                if words.contains("recursion limit exceeded") {
                    let words = "too many brackets, functions, cases or queries in each other: some fifty of \
                                 them can be read";
                    return Error::new(ErrorKind::Meaning, words);
                }
                Error::new(ErrorKind::Syntax, format!("this is no SQL: {words}"))
            }
            DataFusionError::External(error) => external(error),
            other => plain(&other).because(other),
        }
    }
}

fn damaged(files: &str, what: &str) -> String {
    // Whose words they are says nothing.
    let what = what
        .rsplit_once("checksum error: ")
        .map_or(what, |(_, what)| what);
    format!("{files} is damaged: {what}; remove the export, and write it once more")
}

/// An error that several have met.
fn shared(error: &DataFusionError) -> Error {
    match error {
        DataFusionError::Context(_, error) | DataFusionError::Diagnostic(_, error) => shared(error),
        DataFusionError::Shared(error) => shared(error),
        DataFusionError::SchemaError(error, _) => schema(error),
        DataFusionError::External(error) => shared_external(&**error),
        other => plain(other),
    }
}

fn shared_external(error: &(dyn StdError + Send + Sync + 'static)) -> Error {
    if let Some(error) = error.downcast_ref::<tabiya::Error>() {
        Error::new(kind_of(error), error.to_string())
    } else if let Some(error) = error.downcast_ref::<Error>() {
        Error::new(error.kind, error.to_string())
    } else if let Some(error) = error.downcast_ref::<DataFusionError>() {
        shared(error)
    } else {
        match error.downcast_ref() {
            Some(BallistaError::DataFusionError(error)) => shared(error),
            Some(BallistaError::ArrowError(error)) => arrow(error),
            Some(BallistaError::IoError(error)) => io_error(error),
            _ => Error::new(ErrorKind::Execution, error.to_string()),
        }
    }
}

fn arrow(error: &ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => io_error(error),
        ArrowError::ParquetError(words) => Error::in_export(words),
        _ => Error::new(ErrorKind::Execution, error.to_string()),
    }
}

fn kind_of(error: &tabiya::Error) -> ErrorKind {
    match error.kind() {
        tabiya::ErrorKind::Damaged => ErrorKind::Damaged,
        tabiya::ErrorKind::Io => ErrorKind::Io,
        tabiya::ErrorKind::Cancelled => ErrorKind::Cancelled,
        tabiya::ErrorKind::Internal => ErrorKind::Internal,
        _ => ErrorKind::Input,
    }
}

fn external(error: Box<dyn StdError + Send + Sync>) -> Error {
    let error = match error.downcast::<tabiya::Error>() {
        Ok(error) => return (*error).into(),
        Err(error) => error,
    };
    let error = match error.downcast::<DataFusionError>() {
        Ok(error) => return (*error).into(),
        Err(error) => error,
    };
    match error.downcast::<Error>() {
        Ok(error) => *error,
        Err(error) => {
            let mut told = shared_external(&*error);
            told.source = Some(error);
            told
        }
    }
}

fn io_error(error: &io::Error) -> Error {
    // Errors of what is put on the disk are wrapped in each other.
    if let Some(DataFusionError::IoError(error)) = error.get_ref().and_then(|it| it.downcast_ref())
    {
        return io_error(error);
    }
    let words = error.to_string();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Error::new(ErrorKind::Disk, format!("the disk is full: {words}"))
        }
        _ if is_about_disk(&words) => disk(&words),
        _ => Error::new(ErrorKind::Io, words),
    }
}

/// Whether there is no room on a disk for more, which does not get better by trying again.
pub(crate) fn is_disk_full(error: &io::Error) -> bool {
    io_error(error).kind == ErrorKind::Disk
}

/// An error of a full disk that others have written for programmers.
fn full(words: &str) -> Option<Error> {
    let kinds = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
    let told = kinds
        .iter()
        .find(|kind| words.contains(&format!("kind: {kind:?}")));
    told.map(|kind| io_error(&(*kind).into()))
}

fn disk(words: &str) -> Error {
    let what = format!("the answer needs more disk than it may have: {words}");
    Error::new(ErrorKind::Disk, what)
}

/// An error that has nothing inside.
fn plain(error: &DataFusionError) -> Error {
    let message = |prefix: &str| {
        let words = error.strip_backtrace();
        let words = words.trim_start_matches(prefix).trim();
        words.to_owned()
    };
    match error {
        DataFusionError::ResourcesExhausted(words) if is_about_disk(words) => {
            disk(&message("Resources exhausted: "))
        }
        DataFusionError::ResourcesExhausted(_) => {
            let words = message("Resources exhausted: ");
            let what = format!(
                "the answer needs more memory than it may have: give it more, or ask for fewer rows and columns: {words}"
            );
            Error::new(ErrorKind::Memory, what)
        }
        DataFusionError::Plan(words) => plan(words),
        DataFusionError::NotImplemented(_) => Error::new(
            ErrorKind::Meaning,
            message("This feature is not implemented: "),
        ),
        DataFusionError::Configuration(_) => {
            let words = message("Invalid or Unsupported Configuration: ");
            Error::new(ErrorKind::Meaning, words)
        }
        DataFusionError::ParquetError(_) => Error::in_export(&message("Parquet error: ")),
        DataFusionError::ObjectStore(_) => match damage_in(error) {
            // The words name the file, for there is no plan yet.
            Some(words) => {
                let words = words.to_string();
                Error::new(ErrorKind::Damaged, damaged("an export", &words))
            }
            None => Error::new(ErrorKind::Io, message("Object Store error: ")),
        },
        DataFusionError::Execution(words) => failure::of_job(words)
            .or_else(|| full(words))
            .unwrap_or_else(|| Error::new(ErrorKind::Execution, message("Execution error: "))),
        DataFusionError::IoError(error) => io_error(error),
        DataFusionError::ArrowError(error, _) => arrow(error),
        // What is not built of tables cannot be sent.
        DataFusionError::Internal(words) if words.starts_with("failed to serialize") => Error::new(
            ErrorKind::Meaning,
            "a cluster cannot answer this, only a session without one: docs/cluster.md says what it can",
        ),
        DataFusionError::Internal(_) => Error::new(ErrorKind::Internal, message("")),
        _ => Error::new(ErrorKind::Execution, message("")),
    }
}

fn is_about_disk(words: &str) -> bool {
    words.contains("disk space")
}

/// What SQL does not mean. DataFusion says by words alone what it does not know.
fn plan(words: &str) -> Error {
    let quoted = |before: &str| {
        let rest = words.strip_prefix(before)?;
        Some(rest.split('\'').next().unwrap_or(rest))
    };
    if let Some(table) = quoted("table '") {
        let name = table.strip_prefix("tabiya.").unwrap_or(table);
        let name = name.strip_prefix("public.").unwrap_or(name);
        let words = match Path::new(name).is_file() {
            true => format!(
                "{name} is a file, whose name needs quotes: FROM '{name}'; a cluster reads exports alone"
            ),
            false => format!("there is no table {name}, and no file of that name"),
        };
        return Error::unknown(ErrorKind::UnknownTable, name, words);
    }
    if let Some(name) = quoted("Invalid function '").or_else(|| quoted("table function '")) {
        let words = format!("there is no function {name}");
        return Error::unknown(ErrorKind::UnknownFunction, name, words);
    }
    Error::new(ErrorKind::Meaning, of_arguments(words).unwrap_or(words))
}

/// What a function says of its arguments: DataFusion puts its own words around it.
fn of_arguments(words: &str) -> Option<&str> {
    let (_, said) = words.split_once("coercion failed with: ")?;
    let said = said.trim_start_matches("Error during planning: ");
    let (said, _) = said.split_once(" No function matches")?;
    Some(said)
}

fn schema(error: &SchemaError) -> Error {
    match error {
        SchemaError::FieldNotFound {
            field,
            valid_fields,
        } => {
            let words = format!("there is no column {}", field.flat_name());
            let error = Error::unknown(ErrorKind::UnknownColumn, &field.name, words);
            // Who knows PGN tries its names first.
            let column = column_of_tag(&field.name);
            let column = column.filter(|it| valid_fields.iter().any(|field| field.name == **it));
            if column.is_some() {
                return error.meaning(column);
            }
            let names: Vec<String> = valid_fields
                .iter()
                .map(|field| datafusion::common::utils::quote_identifier(&field.name).into_owned())
                .collect();
            error.or_rather(names.iter().map(String::as_str))
        }
        other => Error::new(ErrorKind::Meaning, other.to_string()),
    }
}

/// The name that is nearest to a wrong one, if one is near enough to be meant.
fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let folded = |name: &str| name.trim_matches('"').to_lowercase();
    let wrong = folded(wrong);
    let length = |name: &str| name.chars().count();
    let distances = names.map(|name| (levenshtein(&wrong, &folded(name)), name));
    // Of names that are as near, one as long is meant: letters have changed places.
    let (distance, name) = distances
        .min_by_key(|(distance, name)| (*distance, length(&wrong).abs_diff(length(name))))?;
    // Half of it may be wrong.
    let most = (wrong.chars().count() / 2).max(1);
    (distance <= most).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_meant_are_near() {
        let names = ["white", "white_rating", "\"Board\"", "black"];
        let found = |wrong| nearest(wrong, names.into_iter());
        assert_eq!(found("whit"), Some("white"));
        assert_eq!(found("whiteelo"), Some("white"));
        assert_eq!(found("board"), Some("\"Board\""));
        assert_eq!(found("qqq"), None);
        assert_eq!(
            nearest("cuont", ["cot", "count"].into_iter()),
            Some("count")
        );
    }
}
