//! Errors as Python's exceptions.

use std::{ffi::CString, fmt, io, path::Path};

use pyo3::{
    exceptions::{PyOSError, PyUserWarning},
    prelude::*,
    sync::PyOnceLock,
    types::PyType,
};
use tabiya::{Error, ErrorKind};
use tabiya_chessbase::{DatabaseError, archive::ArchiveErrorKind};
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

/// More than the machine is to be asked for.
pub fn limit(words: impl std::fmt::Display) -> PyErr {
    said("LimitError", words)
}

/// Tells the caller of something that does not stop the work: a warning of Python, which whoever runs it
/// may have made an exception.
pub fn warn(py: Python<'_>, words: &str) -> PyResult<()> {
    let words = CString::new(without_nul(words))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &words, 1)
}

/// Words for what is written in C, where a NUL would be their end. Files may have any in their names and
/// texts.
pub fn without_nul(words: &str) -> String {
    words.replace('\0', "\u{fffd}")
}

/// The exception of a file whose path is known. One that is no Unicode is lost in words, and is kept here
/// as `os.fsdecode` has it, so that it can be opened.
pub fn in_path(py: Python<'_>, error: PyErr, path: &Path) -> PyErr {
    let exception = error.value(py);
    let words = path.display().to_string();
    let is_meant = |name: &str| {
        let file = exception.getattr(name).and_then(|file| file.extract());
        file.is_ok_and(|file: String| file == words)
    };
    for name in ["file", "filename"] {
        if path.to_str().is_none()
            && is_meant(name)
            && let Err(failed) = exception.setattr(name, path.as_os_str())
        {
            return failed;
        }
    }
    error
}

/// A thread of ours has panicked: what it said stands on standard error.
pub fn panicked() -> Error {
    Error::new(ErrorKind::Internal, "a thread that worked panicked")
}

/// The caller has closed what is to be read.
#[derive(Debug)]
pub struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("is closed: open it again")
    }
}

impl std::error::Error for Closed {}

/// The caller asks for what cannot be done with things as they are, in words that follow a name.
#[derive(Debug)]
pub struct Refused(pub &'static str);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Refused {}

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
    if exception.is_instance_of::<PyOSError>() {
        exception.setattr("filename", error.file())?;
    }
    Ok(PyErr::from_value(exception))
}

/// The class of an error, and what exactly it is.
fn blamed(error: &Error) -> (&'static str, &'static str) {
    match error.kind() {
        ErrorKind::Io => blamed_of_file(error),
        ErrorKind::NotLasting => ("IoError", "not lasting"),
        ErrorKind::Damaged if is_wrong_password(error) => ("PasswordError", "wrong password"),
        ErrorKind::Damaged => ("DataError", "damaged"),
        ErrorKind::UnknownFormat => ("FormatError", "unknown format"),
        ErrorKind::Foreign => ("FormatError", "foreign"),
        ErrorKind::Unsupported if error.cause().is::<Closed>() => ("UsageError", "closed"),
        ErrorKind::Unsupported if error.cause().is::<Refused>() => ("UsageError", "refused"),
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

/// Whether an archive needs another password. One whose first bytes are damaged looks the same: only
/// the caller knows whether the password is right.
fn is_wrong_password(error: &Error) -> bool {
    matches!(
        error.cause().downcast_ref(),
        Some(DatabaseError::Archive(archive)) if matches!(
            archive.kind(),
            ArchiveErrorKind::WrongPassword | ArchiveErrorKind::BadPassword
        )
    )
}

/// The same of what the system said, or what is wrong with a packed file.
fn blamed_of_file(error: &Error) -> (&'static str, &'static str) {
    let is_missing = system(error).is_some_and(|cause| cause.kind() == io::ErrorKind::NotFound);
    match file_error(error) {
        _ if is_missing => ("NotFoundError", "not found"),
        Some(
            IoErrorKind::Truncated { .. }
            | IoErrorKind::Damaged { .. }
            | IoErrorKind::NoDirectory { .. }
            | IoErrorKind::DamagedMember { .. },
        ) => ("DataError", "damaged"),
        Some(IoErrorKind::Encrypted { .. } | IoErrorKind::UnknownMethod { .. }) => {
            ("UnsupportedError", "unsupported")
        }
        Some(IoErrorKind::Limit(_)) => ("LimitError", "limit"),
        _ => ("IoError", "io"),
    }
}

/// What the system said, if it did.
fn system(error: &Error) -> Option<&io::Error> {
    match file_error(error) {
        Some(IoErrorKind::Open(system) | IoErrorKind::Read(system)) => Some(system),
        Some(IoErrorKind::Create(system) | IoErrorKind::Write(system)) => Some(system),
        _ => error.cause().downcast_ref(),
    }
}

/// What went wrong with a file, however it was passed on.
fn file_error(error: &Error) -> Option<&IoErrorKind> {
    let cause = error.cause();
    let passed_on = || IoError::find(cause.downcast_ref()?).map(IoError::kind);
    cause.downcast_ref().or_else(passed_on)
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
