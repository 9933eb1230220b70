//! Conditions that a store answers by itself.

use std::ops::RangeInclusive;

use datafusion::{
    common::tree_node::TreeNode,
    logical_expr::{BinaryExpr, Expr, Operator, expr::InList},
    scalar::ScalarValue,
};
use tabiya::{search::Query, store::GameSet};

use crate::functions::question;

/// The text of a value, if it is one.
pub(super) fn text(value: &ScalarValue) -> Option<&str> {
    match value {
        ScalarValue::Utf8(text) | ScalarValue::LargeUtf8(text) | ScalarValue::Utf8View(text) => {
            text.as_deref()
        }
        _ => None,
    }
}

fn column(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Column(column) => Some(&column.name),
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(ScalarValue::Int64(Some(number)), _) => Some(*number),
        Expr::Literal(ScalarValue::Int32(Some(number)), _) => Some((*number).into()),
        Expr::Literal(ScalarValue::Int16(Some(number)), _) => Some((*number).into()),
        _ => None,
    }
}

/// Whole numbers of which some are wanted: ranges in order, none of which touch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Numbers(Vec<RangeInclusive<i64>>);

impl Numbers {
    fn of(mut ranges: Vec<RangeInclusive<i64>>) -> Numbers {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| *range.start());
        let mut joined: Vec<RangeInclusive<i64>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if *range.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => joined.push(range),
            }
        }
        Numbers(joined)
    }

    /// Those that a condition on a column of numbers leaves, if it is on nothing else.
    pub fn wanted(expr: &Expr, name: &str) -> Option<Numbers> {
        match expr {
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op {
                Operator::And => {
                    let (one, other) =
                        (Numbers::wanted(left, name)?, Numbers::wanted(right, name)?);
                    Some(one.and(&other))
                }
                Operator::Or => {
                    let (one, other) =
                        (Numbers::wanted(left, name)?, Numbers::wanted(right, name)?);
                    Some(one.or(other))
                }
                op if column(left) == Some(name) => Numbers::compared(*op, number(right)?),
                op if column(right) == Some(name) => Numbers::compared(op.swap()?, number(left)?),
                _ => None,
            },
            Expr::InList(InList {
                expr,
                list,
                negated: false,
            }) if column(expr) == Some(name) => {
                let numbers: Option<Vec<i64>> = list.iter().map(number).collect();
                let ranges = numbers?.into_iter().map(|number| number..=number);
                Some(Numbers::of(ranges.collect()))
            }
            _ => None,
        }
    }

    fn compared(op: Operator, number: i64) -> Option<Numbers> {
        const NONE: RangeInclusive<i64> = RangeInclusive::new(1, 0);
        let range = match op {
            Operator::Eq => number..=number,
            Operator::Lt => number.checked_sub(1).map_or(NONE, |last| i64::MIN..=last),
            Operator::LtEq => i64::MIN..=number,
            Operator::Gt => number.checked_add(1).map_or(NONE, |first| first..=i64::MAX),
            Operator::GtEq => number..=i64::MAX,
            _ => return None,
        };
        Some(Numbers::of(vec![range]))
    }

    fn or(mut self, other: Numbers) -> Numbers {
        self.0.extend(other.0);
        Numbers::of(self.0)
    }

    pub fn and(&self, other: &Numbers) -> Numbers {
        let pairs = self
            .0
            .iter()
            .flat_map(|one| other.0.iter().map(move |other| (one, other)));
        let both =
            pairs.map(|(one, other)| *one.start().max(other.start())..=*one.end().min(other.end()));
        Numbers::of(both.collect())
    }

    /// Each of them, if they are few.
    pub fn few(&self) -> Option<Vec<i64>> {
        const FEW: usize = 64;
        let all = self.0.iter().cloned().flatten();
        let all: Vec<i64> = all.take(FEW + 1).collect();
        (all.len() <= FEW).then_some(all)
    }

    /// The least range that has all of them.
    pub fn span(&self) -> RangeInclusive<i64> {
        match (self.0.first(), self.0.last()) {
            (Some(first), Some(last)) => *first.start()..=*last.end(),
            _ => RangeInclusive::new(1, 0),
        }
    }

    /// Whether they are all of one range.
    pub fn is_range(&self) -> bool {
        self.0.len() <= 1
    }

    /// As numbers of a store's entries.
    pub fn games(&self, count: u64) -> GameSet {
        let mut games = GameSet::default();
        for range in &self.0 {
            let first = u64::try_from(*range.start()).unwrap_or(0).max(1);
            let last = u64::try_from(*range.end()).unwrap_or(0).min(count);
            if first <= last {
                games.insert_range(first..=last);
            }
        }
        games
    }
}

/// A condition on `games`, as far as a store can answer it.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// On the numbers of entries: answered wholly.
    Numbers(Numbers),
    /// What happens in games, asked of all of them: answered wholly.
    Asked(Box<Query>),
    /// A comparison with `ply_of(moves, 'FEN')`: only games that have the position can pass it.
    Near(Box<Query>),
    /// On columns that have no moves in them: asked row by row, before anything else is looked at.
    Header,
    /// Not answered.
    Other,
}

/// Columns that are long, or have to be computed.
const HEAVY: [&str; 7] = [
    "moves",
    "main_line",
    "shapes",
    "clocks",
    "time_spent",
    "evaluations",
    "judgements",
];

impl Condition {
    pub fn of(expr: &Expr) -> Condition {
        if let Some(numbers) = Numbers::wanted(expr, "id") {
            return Condition::Numbers(numbers);
        }
        if let Some(query) = question(expr) {
            return Condition::Asked(Box::new(query));
        }
        if let Some(query) = near(expr) {
            return Condition::Near(Box::new(query));
        }
        let columns = expr.column_refs();
        let is_light = columns
            .iter()
            .all(|column| !HEAVY.contains(&column.name.as_str()));
        match is_light && !columns.is_empty() && !expr.is_volatile() && !asks_others(expr) {
            true => Condition::Header,
            false => Condition::Other,
        }
    }
}

/// Whether it is about more than a row.
fn asks_others(expr: &Expr) -> bool {
    let asks = expr.exists(|part| {
        Ok(matches!(
            part,
            Expr::ScalarSubquery(_)
                | Expr::InSubquery(_)
                | Expr::Exists(_)
                | Expr::OuterReferenceColumn(..)
                | Expr::Placeholder(_)
        ))
    });
    asks.unwrap_or(true)
}

/// What a game has to answer to pass a condition that compares a ply.
fn near(expr: &Expr) -> Option<Query> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = expr else {
        return None;
    };
    let compares = matches!(
        op,
        Operator::Eq
            | Operator::NotEq
            | Operator::Lt
            | Operator::LtEq
            | Operator::Gt
            | Operator::GtEq
    );
    let is_known = |ply: &Expr| question(&ply.clone().is_not_null());
    let side = |one: &Expr, other: &Expr| number(other).and_then(|_| is_known(one));
    let query = side(left, right).or_else(|| side(right, left));
    query.filter(|_| compares)
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::{col, lit};

    use super::*;

    fn wanted(expr: &Expr) -> Option<Vec<RangeInclusive<i64>>> {
        Numbers::wanted(expr, "id").map(|numbers| numbers.0)
    }

    #[test]
    fn conditions_on_numbers_are_ranges() {
        let id = || col("id");
        assert_eq!(wanted(&id().eq(lit(5i64))), Some(vec![5..=5]));
        assert_eq!(wanted(&lit(5i64).lt(id())), Some(vec![6..=i64::MAX]));
        let between = id().gt_eq(lit(3i64)).and(id().lt(lit(9i64)));
        assert_eq!(wanted(&between), Some(vec![3..=8]));
        let either = id().in_list(vec![lit(7i64), lit(2i64), lit(3i64)], false);
        assert_eq!(wanted(&either), Some(vec![2..=3, 7..=7]));
        let nothing = id().eq(lit(1i64)).and(id().eq(lit(2i64)));
        assert_eq!(wanted(&nothing), Some(Vec::new()));
        assert_eq!(wanted(&id().lt(lit(i64::MIN))), Some(Vec::new()));
    }

    #[test]
    fn what_is_not_on_the_number_alone_is_none() {
        assert_eq!(wanted(&col("id").not_eq(lit(5i64))), None);
        assert_eq!(wanted(&col("ply").eq(lit(5i64))), None);
        assert_eq!(
            wanted(&col("id").eq(lit(1i64)).or(col("white").eq(lit("x")))),
            None
        );
    }

    #[test]
    fn numbers_of_games_are_those_that_there_are() {
        let numbers = Numbers::wanted(&col("id").gt(lit(-3i64)), "id").expect("a range");
        assert_eq!(numbers.games(10).len(), 10);
    }
}
