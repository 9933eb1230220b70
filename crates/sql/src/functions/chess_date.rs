//! `chess_date(date)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, StringViewBuilder},
        datatypes::DataType,
    },
    common::{Result, exec_err},
};

use super::{arguments::Arguments, function::About, year_of::DATE};

/// Its name.
pub const NAME: &str = "chess_date";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "A date as PGN writes it, with question marks for what is not known: `1972.07.??`.",
    parameters: &[DATE],
    returns: DataType::Utf8View,
    example: "SELECT chess_date(date), white, black FROM games ORDER BY date",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let dates = arguments.numbers(0)?;
    let mut texts = StringViewBuilder::with_capacity(arguments.rows);
    for row in 0..arguments.rows {
        let Some(date) = dates.get(row) else {
            texts.append_null();
            continue;
        };
        let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
        if date < 0 || year > 9_999 || month > 12 || day > 31 {
            return exec_err!("{NAME}: not a date such as 19720711: {date}");
        }
        let part = |number: i64, width: usize| match number {
            0 => "?".repeat(width),
            number => format!("{number:0width$}"),
        };
        texts.append_value(format!(
            "{}.{}.{}",
            part(year, 4),
            part(month, 2),
            part(day, 2)
        ));
    }
    Ok(Arc::new(texts.finish()))
}
