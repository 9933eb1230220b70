//! How lists are printed, whatever they list.

use clap::ValueEnum;

/// How a list is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// Columns for people
    Table,
    /// Comma-separated values with a line of names
    Csv,
    /// JSON, for programs
    Json,
}
