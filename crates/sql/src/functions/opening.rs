//! `opening(moves)`

use datafusion::{
    arrow::{array::ArrayRef, datatypes::DataType},
    common::Result,
};

use super::{arguments::Arguments, function::About, openings, ply_of::MOVES};

/// Its name.
pub const NAME: &str = "opening";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "The name of the opening by the moves of the main line, from the table that `tabiya` has: that of the \
            last position with a name, however the game came there.",
    parameters: &[MOVES],
    returns: DataType::Utf8View,
    example: "SELECT opening(moves) AS opening, count(*) AS games FROM games GROUP BY 1 ORDER BY 2 DESC",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    openings::of_rows(arguments, |opening| &opening.name)
}
