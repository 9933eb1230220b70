//! What is there in one process only.

use std::process;

use pyo3::PyErr;
use tabiya::{Error, ErrorKind};

use crate::error::{Refused, raised};

/// What belongs to the process that has made it: threads that work, files that are to be removed.
///
/// A process that was forked off has a copy of it, for which no thread works. It can do nothing with that, and
/// leaves it alone when it ends.
pub struct Own<T> {
    process: u32,
    it: Option<T>,
}

impl<T> Own<T> {
    pub fn new(it: T) -> Own<T> {
        Own {
            process: process::id(),
            it: Some(it),
        }
    }

    /// The thing itself, for the process that has made it.
    pub fn get(&self) -> Result<&T, Error> {
        match &self.it {
            Some(it) if self.process == process::id() => Ok(it),
            _ => {
                let words = Refused("it was begun by another process: begin it anew in this one");
                Err(Error::new(ErrorKind::Unsupported, words))
            }
        }
    }

    /// The same for whoever tells Python.
    pub fn here(&self) -> Result<&T, PyErr> {
        self.get().map_err(|error| raised(&error))
    }
}

impl<T> Drop for Own<T> {
    fn drop(&mut self) {
        if self.process != process::id() {
            std::mem::forget(self.it.take());
        }
    }
}
