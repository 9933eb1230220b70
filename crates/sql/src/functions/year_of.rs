//! `year_of(date)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, Int32Array},
        datatypes::DataType,
    },
    common::Result,
};

use super::{
    arguments::{Arguments, Kind},
    function::{About, Parameter},
};

/// Its name.
pub const NAME: &str = "year_of";

/// The date that some functions take.
pub(super) const DATE: Parameter = Parameter {
    name: "date",
    kind: Kind::Integer,
    about: "A date as the columns `date`, `event_date` and `utc_date` have it: YYYYMMDD, with zeros for what \
            is not known.",
};

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "The year of a date. Null if it is not known.",
    parameters: &[DATE],
    returns: DataType::Int32,
    example: "SELECT year_of(date) AS year, count(*) AS games FROM games GROUP BY year ORDER BY year",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let dates = arguments.numbers(0)?;
    let year = |row| {
        let year = i32::try_from(dates.get(row)? / 10_000).ok()?;
        (year > 0).then_some(year)
    };
    Ok(Arc::new(
        (0..arguments.rows).map(year).collect::<Int32Array>(),
    ))
}
