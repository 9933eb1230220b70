//! Why a task failed, in the words of whoever did it.
//!
//! Ballista sends errors as the text that programmers see, and knows no kinds. So an executor puts its
//! words between marks, and the client takes them out again.

use std::{
    error::Error as StdError,
    fmt::{self, Debug, Display},
    io,
};

use ballista_core::error::BallistaError;
use datafusion::error::DataFusionError;

use crate::{Error, ErrorKind, error::is_disk_full, files::Files};

/// What is told of an error that a task has met when it read these files.
pub(super) fn told(error: DataFusionError, files: &Files) -> DataFusionError {
    let told = |error: DataFusionError| {
        let error = match panic(&error) {
            Some(words) => fault(words),
            None => Error::from(error).among(files),
        };
        Told {
            kind: error.kind(),
            words: error.to_string(),
        }
    };
    match use_of(&error) {
        Use::Tell => DataFusionError::External(Box::new(told(error))),
        Use::Retry(kind) => DataFusionError::IoError(io::Error::new(kind, told(error))),
        Use::Decide => error,
    }
}

/// What is told of a plan that could not be made. Of this Ballista sends what is meant for people, where the
/// marks have to stand, too.
pub(super) fn unplanned(error: DataFusionError) -> DataFusionError {
    let error = Error::from(error);
    let told = Told {
        kind: error.kind(),
        words: error.to_string(),
    };
    DataFusionError::Execution(format!("{told:?}"))
}

/// What is told of a panic.
pub(super) fn fault(words: &str) -> Error {
    let words = format!("a fault of the program: {words}");
    Error::new(ErrorKind::Internal, words)
}

/// What a task has said that others have started, which they tell with more words.
fn panic(error: &DataFusionError) -> Option<&str> {
    let DataFusionError::Execution(words) = error.find_root() else {
        return None;
    };
    let (_, words) = words.split_once(" panicked with message ")?;
    Some(words.trim_matches('"'))
}

/// What an error is for.
enum Use {
    /// Whoever asked hears of it.
    Tell,
    /// The task is tried again, a few times.
    Retry(io::ErrorKind),
    /// The scheduler decides by it what to do next.
    Decide,
}

fn use_of(error: &DataFusionError) -> Use {
    let of_disk = |error: &io::Error| match is_disk_full(error) {
        true => Use::Tell,
        false => Use::Retry(error.kind()),
    };
    match error.find_root() {
        DataFusionError::IoError(error) => of_disk(error),
        DataFusionError::External(error) => match error.downcast_ref() {
            Some(BallistaError::DataFusionError(error)) => use_of(error),
            Some(BallistaError::IoError(error)) => of_disk(error),
            Some(BallistaError::ArrowError(_)) | None => Use::Tell,
            Some(_) => Use::Decide,
        },
        _ => Use::Tell,
    }
}

/// An error that survives being written for programmers.
struct Told {
    kind: ErrorKind,
    words: String,
}

const BEGIN: &str = "tabiya-error[";
const BETWEEN: &str = "]: ";
const END: &str = " :tabiya-error";

impl Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BEGIN}{:?}{BETWEEN}{}{END}", self.kind, self.words)
    }
}

impl Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl StdError for Told {}

/// All kinds of errors that tasks and plans have.
const KINDS: [ErrorKind; 12] = [
    ErrorKind::Meaning,
    ErrorKind::UnknownColumn,
    ErrorKind::UnknownTable,
    ErrorKind::UnknownFunction,
    ErrorKind::Execution,
    ErrorKind::Damaged,
    ErrorKind::Input,
    ErrorKind::Io,
    ErrorKind::Memory,
    ErrorKind::Disk,
    ErrorKind::Cancelled,
    ErrorKind::Internal,
];

/// The error behind what Ballista says of a job that failed; `None` if it says nothing of that.
pub(crate) fn of_job(words: &str) -> Option<Error> {
    let (_, reason) = words.strip_prefix("Job ")?.split_once(" failed: ")?;
    let told = || {
        let (_, rest) = reason.split_once(BEGIN)?;
        let (kind, rest) = rest.split_once(BETWEEN)?;
        let (words, _) = rest.split_once(END)?;
        let kind = KINDS.into_iter().find(|it| format!("{it:?}") == kind)?;
        Some(Error::new(kind, words))
    };
    Some(told().unwrap_or_else(|| {
        let reason = reason.trim_end();
        Error::new(
            ErrorKind::Execution,
            format!("the cluster failed: {reason}"),
        )
    }))
}

#[cfg(test)]
mod tests {
    use ballista_core::serde::protobuf::FailedTask;

    use super::*;

    #[test]
    fn a_full_disk_is_told_and_other_faults_of_disks_are_tried_again() {
        let of_disk = |kind: io::ErrorKind| DataFusionError::IoError(kind.into());
        let of_ballista = |kind: io::ErrorKind| {
            let error = BallistaError::IoError(kind.into());
            DataFusionError::External(Box::new(error))
        };
        let in_words = |kind: io::ErrorKind| {
            let error = BallistaError::IoError(io::Error::new(kind, "no space"));
            DataFusionError::Execution(format!("{error:?}"))
        };
        for full in [
            of_disk(io::ErrorKind::StorageFull),
            of_ballista(io::ErrorKind::QuotaExceeded),
            // As the sort shuffle has it.
            in_words(io::ErrorKind::StorageFull),
            DataFusionError::Execution(format!("{:?}", io::Error::from_raw_os_error(28))),
        ] {
            let sent = format!("Job 7 failed: {:?}", told(full, &Files::default()));
            let error = of_job(&sent).expect("an error");
            assert_eq!(error.kind(), ErrorKind::Disk, "{sent}");
            assert!(error.to_string().contains("the disk is full"), "{error}");
        }
        for other in [
            of_disk(io::ErrorKind::TimedOut),
            of_ballista(io::ErrorKind::TimedOut),
        ] {
            let failed = told(other, &Files::default());
            let failed = FailedTask::from(BallistaError::from(failed));
            assert!(failed.retryable, "{failed:?}");
            let most = format!("Task 0 failed 4 times, at last {:?}", failed.error);
            let error = of_job(&format!("Job 7 failed: {most}\n")).expect("an error");
            assert_eq!(error.kind(), ErrorKind::Io, "{most}");
            assert_eq!(error.to_string(), "timed out");
        }
    }

    #[test]
    fn words_survive_being_written_for_programmers() {
        let told = Told {
            kind: ErrorKind::Execution,
            words: "\"x\" is no FEN".to_owned(),
        };
        let failed = DataFusionError::External(Box::new(told));
        let failed = BallistaError::DataFusionError(Box::new(failed));
        let sent = format!("Job 7 failed: Job failed due to stage 1 failed: {failed:?}\n");
        let error = of_job(&sent).expect("an error");
        assert_eq!(error.kind(), ErrorKind::Execution);
        assert_eq!(error.to_string(), "\"x\" is no FEN");
        let error = of_job("Job 7 failed: the executors have gone\n").expect("an error");
        assert_eq!(
            error.to_string(),
            "the cluster failed: the executors have gone"
        );
        assert!(of_job("something else").is_none());
    }
}
