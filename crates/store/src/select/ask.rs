//! Questions to the columns of a batch.

use std::collections::HashMap;

use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray, StringArray};
use tabiya_game::{Date, Filter, GameResult, Span};

use super::{
    bits::Bits,
    folded::Foldings,
    plan::{Keys, Plan, TextQuestion},
};
use crate::segment::{
    cell::{NumberColumn, TextColumn},
    header::{Header, TagValues},
};

/// The columns of a batch of so many rows.
pub(super) struct Columns<'a> {
    pub header: &'a Header,
    pub folded: &'a Foldings,
    pub rows: usize,
}

impl Columns<'_> {
    /// The rows whose columns answer with yes.
    pub fn ask(&self, plan: &Plan<'_>) -> Bits {
        match plan {
            Plan::All(parts) => parts
                .iter()
                .fold(Bits::all(self.rows), |bits, part| bits.and(&self.ask(part))),
            Plan::Any(parts) => parts
                .iter()
                .fold(Bits::none(self.rows), |bits, part| bits.or(&self.ask(part))),
            Plan::Text(question) => self.texts(question),
            Plan::Dates(since, until) => self.dates(*since, *until),
            Plan::Rating(span) => self.rating(span),
            Plan::Ratings(filter) => self.ratings(filter),
            Plan::FideId(id) => self.fide_ids(*id),
            Plan::Result(result) => self.results(*result),
            Plan::Plies(span) => numbers(self.header.ply_counts(), |plies| {
                u64::try_from(plies).is_ok_and(|plies| span.contains(&plies))
            }),
        }
    }

    fn none(&self) -> Bits {
        Bits::none(self.rows)
    }

    fn texts(&self, question: &TextQuestion<'_>) -> Bits {
        match self.header.column(question.tag) {
            Some(TagValues::Text(TextColumn::Keyed(keys, texts))) => {
                keyed(keys, question.keys(texts, self.folded))
            }
            Some(TagValues::Text(TextColumn::Plain(texts))) => plain(texts, question),
            Some(TagValues::Number(..)) | None => self.none(),
        }
    }

    fn tag_numbers(&self, tag: &str, test: impl Fn(i32) -> bool + Copy) -> Bits {
        match self.header.column(tag) {
            Some(TagValues::Number(_, column)) => numbers(column, test),
            Some(TagValues::Text(_)) | None => self.none(),
        }
    }

    fn dates(&self, since: Option<Date>, until: Option<Date>) -> Bits {
        let range = DateRange::new(since, until);
        let fits = |date: i32| range.has(date);
        let dates = self.tag_numbers("Date", fits);
        if self.header.column("UTCDate").is_none() {
            return dates;
        }
        let known = self.tag_numbers("Date", |date| date >= YEAR);
        dates.or(&self.tag_numbers("UTCDate", fits).and(&known.not()))
    }

    fn rating(&self, span: &Span<u16>) -> Bits {
        // 0 is a rating that is not known.
        let fits = |rating: i32| {
            let rating = u16::try_from(rating).unwrap_or(0);
            rating > 0 && span.contains(&rating)
        };
        let white = self.tag_numbers("WhiteElo", fits);
        white.or(&self.tag_numbers("BlackElo", fits))
    }

    fn ratings(&self, filter: &Filter) -> Bits {
        let column = |tag| match self.header.column(tag) {
            Some(TagValues::Number(_, column)) => Some(column),
            Some(TagValues::Text(_)) | None => None,
        };
        let (white, black) = (column("WhiteElo"), column("BlackElo"));
        let rating = |column: Option<&NumberColumn>, row| {
            let rating = column.and_then(|column| column.get(row))?;
            u16::try_from(rating).ok().filter(|rating| *rating > 0)
        };
        Bits::of_rows(self.rows, |row| {
            filter.accepts_ratings(rating(white, row), rating(black, row))
        })
    }

    fn fide_ids(&self, wanted: u32) -> Bits {
        let is_it = |id: i32| u32::try_from(id) == Ok(wanted);
        let white = self.tag_numbers("WhiteFideId", is_it);
        white.or(&self.tag_numbers("BlackFideId", is_it))
    }

    /// Where there is a tag of another text than the result's, the columns do not decide.
    fn results(&self, wanted: GameResult) -> Bits {
        let is_wanted = |tag: &str| {
            let mut all = GameResult::ALL.into_iter();
            let result = all.find(|result| result.tag() == tag).unwrap_or_default();
            result.token() == wanted.token()
        };
        match self.header.results() {
            TextColumn::Keyed(keys, tags) => {
                let wanted = (0..tags.len()).filter(|key| is_wanted(tags.value(*key)));
                keyed(keys, &Keys::new(wanted, tags.len()))
            }
            TextColumn::Plain(tags) => Bits::of_rows(self.rows, |row| is_wanted(tags.value(row))),
        }
    }
}

/// A year in a column of dates.
const YEAR: i32 = 10_000;

/// Days between which a date may lie, as columns have dates.
#[derive(Clone, Copy)]
struct DateRange {
    filter: (Option<Date>, Option<Date>),
    first: i32,
    last: i32,
}

impl DateRange {
    fn new(since: Option<Date>, until: Option<Date>) -> DateRange {
        let number = |(year, month, day): (u16, u8, u8)| {
            i32::from(year) * YEAR + i32::from(month) * 100 + i32::from(day)
        };
        DateRange {
            filter: (since, until),
            first: since.map_or(0, |since| number(since.earliest())),
            last: until.map_or(i32::MAX, |until| number(until.latest())),
        }
    }

    /// Whether a date may lie there; one without a year does not.
    #[inline]
    fn has(&self, date: i32) -> bool {
        // Where nothing of the date is unknown, or nothing that matters.
        const UNKNOWN: i32 = 1_231;
        if date < YEAR || date > self.last || date < self.first.saturating_sub(UNKNOWN) {
            return false;
        }
        date >= self.first && date <= self.last.saturating_sub(UNKNOWN) || self.has_exactly(date)
    }

    #[cold]
    fn has_exactly(&self, date: i32) -> bool {
        let known = |part: i32| (part > 0).then_some(part as u8);
        let date = Date {
            year: u16::try_from(date / YEAR).ok().filter(|year| *year > 0),
            month: known(date / 100 % 100),
            day: known(date % 100),
        };
        let (since, until) = self.filter;
        since.is_none_or(|since| date.latest() >= since.earliest())
            && until.is_none_or(|until| date.earliest() <= until.latest())
    }
}

/// The rows whose numbers pass; those without one do not.
fn numbers(column: &NumberColumn, test: impl Fn(i32) -> bool) -> Bits {
    match column {
        NumberColumn::Byte(array) => values(array, |value| test(value.into())),
        NumberColumn::Short(array) => values(array, |value| test(value.into())),
        NumberColumn::Int(array) => values(array, test),
    }
}

fn values<T: ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    test: impl Fn(T::Native) -> bool,
) -> Bits {
    Bits::of(array.values(), test).valid(array.nulls())
}

/// The rows whose keys are wanted.
fn keyed(column: &NumberColumn, keys: &Keys) -> Bits {
    match &keys.few {
        Some(few) => {
            let few = few.iter().filter_map(|key| i32::try_from(*key).ok());
            let each = few.map(|wanted| numbers(column, |key| key == wanted));
            let each = each.reduce(|all, one| all.or(&one));
            each.unwrap_or_else(|| numbers(column, |_| false))
        }
        None => {
            let last = keys.each.len() - 1;
            numbers(column, |key| {
                // What is no key is not wanted: that is the last of them.
                keys.each[usize::try_from(key).unwrap_or(last).min(last)]
            })
        }
    }
}

fn plain(texts: &StringArray, question: &TextQuestion<'_>) -> Bits {
    Bits::of_rows(texts.len(), |row| {
        texts.is_valid(row) && question.wants(texts.value(row))
    })
}

/// The rows of a batch that have one of some tags beside its column, with a value that counts.
pub(super) fn beside(header: &Header, tags: &[&str], rows: usize) -> Bits {
    let mut bits = match header.orders() {
        // Each order is looked at once.
        Some(TextColumn::Keyed(keys, orders)) => {
            let is_beside = |key: &usize| header.is_beside(orders.value(*key), Some(*key), tags);
            keyed(
                keys,
                &Keys::new((0..orders.len()).filter(is_beside), orders.len()),
            )
        }
        Some(TextColumn::Plain(orders)) => Bits::of_rows(rows, |row| {
            orders.is_valid(row) && header.is_beside(orders.value(row), None, tags)
        }),
        None => Bits::none(rows),
    };
    // Whole collections have `?` for ratings that nobody knows, which no column has: the same few
    // texts again and again.
    let mut known = HashMap::<_, bool, foldhash::fast::RandomState>::default();
    let found: Vec<usize> = bits.iter().collect();
    for row in found {
        let counts = match header.beside_keys(row) {
            Some(keys) => *known
                .entry(keys)
                .or_insert_with(|| header.beside_counts(row, tags)),
            None => header.beside_counts(row, tags),
        };
        bits.set(row, counts);
    }
    bits
}
