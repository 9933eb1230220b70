//! `performance(result, opponent_rating[, colour])`

use datafusion::{arrow::datatypes::DataType, common::ScalarValue};
use tabiya::tree::performance_against;

use super::{
    arguments::Kind,
    function::Parameter,
    tally::{About, Points, RESULT},
};

/// Its name.
pub const NAME: &str = "performance";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "The performance rating of a side: the mean rating of its opponents, and FIDE's difference for what \
            it scored against them, by the table that `tabiya tree` has. Games without a result or without the \
            opponent's rating do not count; null if there are no others.",
    parameters: &[
        RESULT,
        Parameter {
            name: "opponent_rating",
            kind: Kind::Integer,
            about: "The rating of the opponent: `black_rating` if it is about White.",
        },
    ],
    returns: DataType::Int64,
    example: "SELECT white, performance(result, black_rating) AS performance FROM games GROUP BY white",
    finish,
};

fn finish(points: &Points) -> ScalarValue {
    let performance = points.opponents().zip(points.percent());
    ScalarValue::Int64(
        performance.map(|(opponents, percent)| performance_against(opponents, percent / 100.0)),
    )
}
