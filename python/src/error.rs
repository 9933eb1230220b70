//! Errors as Python's exceptions.

use std::{error::Error as StdError, io};

use pyo3::{prelude::*, sync::PyOnceLock, types::PyType};
use tabiya::{Error, ErrorKind};
use tabiya_formats::io::{IoError, IoErrorKind};

/// The exception of an error: its class says who is to blame, its attributes where it is.
pub fn raised(error: &Error) -> PyErr {
    Python::attach(|py| build(py, error).unwrap_or_else(|failed| failed))
}

/// Arguments that make no sense.
pub fn usage(words: impl std::fmt::Display) -> PyErr {
    said("UsageError", words)
}

/// A move that cannot be played, or that nobody understands.
pub fn illegal(words: impl std::fmt::Display) -> PyErr {
    said("IllegalMoveError", words)
}

fn said(name: &str, words: impl std::fmt::Display) -> PyErr {
    Python::attach(|py| {
        let exception = class(py, name).and_then(|class| class.call1((words.to_string(),)));
        exception.map_or_else(|failed| failed, PyErr::from_value)
    })
}

/// A value that an argument cannot have.
pub fn bad_value(name: &str, words: impl std::fmt::Display) -> PyErr {
    usage(format_args!("{name}: {words}"))
}

fn build(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let (name, kind) = blamed(error);
    let exception = class(py, name)?.call1((error.to_string(),))?;
    exception.setattr("kind", kind)?;
    exception.setattr("file", error.file())?;
    exception.setattr("game", error.game())?;
    if let Some(place) = error.place() {
        exception.setattr("offset", place.offset)?;
        exception.setattr("line", (place.line > 0).then_some(place.line))?;
        exception.setattr("column", (place.column > 0).then_some(place.column))?;
    }
    if let Some(code) = system(error).and_then(io::Error::raw_os_error) {
        exception.setattr("errno", code)?;
    }
    Ok(PyErr::from_value(exception))
}

/// The class of an error, and what exactly it is.
fn blamed(error: &Error) -> (&'static str, &'static str) {
    match error.kind() {
        ErrorKind::Io => match is_missing(error) {
            true => ("NotFoundError", "not found"),
            false => ("IoError", "io"),
        },
        ErrorKind::NotLasting => ("IoError", "not lasting"),
        ErrorKind::Damaged => ("DataError", "damaged"),
        ErrorKind::UnknownFormat => ("FormatError", "unknown format"),
        ErrorKind::Foreign => ("FormatError", "foreign"),
        ErrorKind::Unsupported => ("UnsupportedError", "unsupported"),
        ErrorKind::NeedsFile => ("UsageError", "needs a file"),
        ErrorKind::WrongPlace => ("UsageError", "wrong place"),
        ErrorKind::NeedsPassword => ("PasswordError", "needs a password"),
        ErrorKind::NoSuchGame => ("NoSuchGameError", "no such game"),
        ErrorKind::NotAGame => ("NoSuchGameError", "not a game"),
        ErrorKind::Filtered => ("NoSuchGameError", "filtered"),
        ErrorKind::CannotHold => ("CannotHoldError", "cannot hold"),
        ErrorKind::NotWhole => ("CannotHoldError", "not whole"),
        ErrorKind::Changed => ("ChangedError", "changed"),
        ErrorKind::Limit => ("LimitError", "limit"),
        ErrorKind::Cancelled => ("Cancelled", "cancelled"),
        _ => ("InternalError", "internal"),
    }
}

fn is_missing(error: &Error) -> bool {
    system(error).is_some_and(|cause| cause.kind() == io::ErrorKind::NotFound)
}

/// What the system said, however many have passed it on.
fn system(error: &Error) -> Option<&io::Error> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error.cause());
    while let Some(found) = cause {
        let system: Option<&io::Error> = found.downcast_ref();
        let file = found.downcast_ref().or_else(|| IoError::find(system?));
        match file.map(IoError::kind) {
            Some(IoErrorKind::Open(system) | IoErrorKind::Read(system)) => return Some(system),
            _ if system.is_some() => return system,
            _ => {}
        }
        cause = found.source();
    }
    None
}

/// A class of `tabiya._errors`.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || {
        let module = PyModule::import(py, "tabiya._errors")?;
        Ok::<_, PyErr>(module.unbind())
    })?;
    Ok(module.bind(py).getattr(name)?.cast_into::<PyType>()?)
}
