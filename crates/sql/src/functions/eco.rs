//! `eco(moves)`

use datafusion::{
    arrow::{array::ArrayRef, datatypes::DataType},
    common::Result,
};

use super::{arguments::Arguments, function::About, openings, ply_of::MOVES};

/// Its name.
pub const NAME: &str = "eco";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "The code of the opening by the moves of the main line, such as `B90`: that of the last position \
            with a name, however the game came there. The column `eco` is what the tag of the game says.",
    parameters: &[MOVES],
    returns: DataType::Utf8View,
    example: "SELECT eco(moves) AS code, eco AS tagged FROM games WHERE eco(moves) <> eco",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    openings::of_rows(arguments, |opening| &opening.eco)
}
