//! `score(result[, colour])`

use datafusion::{arrow::datatypes::DataType, common::ScalarValue};

use super::tally::{About, Points, RESULT};

/// Its name.
pub const NAME: &str = "score";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "What a side scored in games with a result, in percent, as `tabiya tree` prints it. Null if there \
            are none.",
    parameters: &[RESULT],
    returns: DataType::Float64,
    example: "SELECT eco, count(*) AS games, score(result) AS score FROM games GROUP BY eco ORDER BY games DESC",
    finish,
};

fn finish(points: &Points) -> ScalarValue {
    ScalarValue::Float64(points.percent())
}
