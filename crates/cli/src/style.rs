//! Colours, for terminals only.

use anstyle::{AnsiColor, Style};

use crate::output::Output;

/// What went wrong, as clap has it.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();

/// What is odd.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The colours of a report.
#[derive(Clone, Copy, Default)]
pub struct Palette {
    /// What a line is about.
    pub label: Style,
    /// What is odd.
    pub warning: Style,
    /// What is wrong.
    pub error: Style,
    /// What stands out.
    pub strong: Style,
    /// What is said about moves.
    pub comment: Style,
}

impl Palette {
    /// Colours where a person looks; none in files and pipes. A terminal drops them again when
    /// `NO_COLOR` is set.
    pub fn of(output: &Output) -> Palette {
        if output.is_terminal() {
            Palette {
                label: Style::new().dimmed(),
                warning: WARNING,
                error: ERROR,
                strong: Style::new().bold(),
                comment: AnsiColor::Green.on_default(),
            }
        } else {
            Palette::default()
        }
    }
}
