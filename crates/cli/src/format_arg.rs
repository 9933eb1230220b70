//! Formats as options take them, with the names that shells complete.

use std::ffi::OsStr;

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, TypedValueParser},
};
use tabiya::registry;
use tabiya_formats::registry::{FormatSpec, Profile};

/// Takes a format that can do something.
#[derive(Clone)]
pub struct FormatParser {
    can: fn(&dyn Profile) -> bool,
}

/// A format to read.
pub fn readable() -> FormatParser {
    FormatParser {
        can: |profile| profile.reads(),
    }
}

/// A format to write.
pub fn writable() -> FormatParser {
    FormatParser {
        can: |profile| profile.writes(),
    }
}

/// A format whose games are bare bytes.
pub fn streamed() -> FormatParser {
    FormatParser {
        can: |profile| profile.streams(),
    }
}

impl TypedValueParser for FormatParser {
    type Value = FormatSpec;

    /// Takes any format: what it cannot do is said later, with the reason.
    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<FormatSpec, Error> {
        let parse = |text: &str| registry().spec(text);
        parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = registry().names(self.can).into_iter();
        Some(Box::new(names.map(PossibleValue::new)))
    }
}
