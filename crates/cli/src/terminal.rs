//! How wide lines may be.

use crate::output::Output;

/// The columns of the terminal that an output goes to; `None` for files and pipes.
pub fn columns(output: &Output) -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
    output.is_terminal().then(|| usize::from(width).max(1))
}
