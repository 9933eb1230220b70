//! What is wrong with a question.

use std::fmt;

/// A question that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}: {wrong:?}{because}")]
pub struct ParseError {
    what: &'static str,
    wrong: String,
    because: String,
}

impl ParseError {
    /// What was expected, and the text that is something else. Long ones are cut.
    pub(crate) fn new(what: &'static str, wrong: &str) -> ParseError {
        const LENGTH: usize = 60;
        ParseError {
            what,
            wrong: wrong.chars().take(LENGTH).collect(),
            because: String::new(),
        }
    }

    /// With the reason.
    pub(crate) fn because(
        what: &'static str,
        wrong: &str,
        reason: &dyn fmt::Display,
    ) -> ParseError {
        ParseError {
            because: format!(": {reason}"),
            ..ParseError::new(what, wrong)
        }
    }
}
