//! How large a plan would be in which common tables stand wherever they are named.

use std::{
    collections::{HashMap, VecDeque},
    ops::ControlFlow,
};

use datafusion::sql::{
    parser::{CopyToSource, Statement},
    sqlparser::ast::{Ident, ObjectName, ObjectNamePart, Query, Visit, Visitor},
};

use crate::{Error, depth};

/// Refuses statements whose plan would be too large: DataFusion makes a copy of a common table for each place
/// that names it, and one that names another one twice doubles with each step.
pub(crate) fn check(statement: &Statement) -> Result<(), Error> {
    let mut copies = Copies::default();
    let visited = match statement {
        Statement::Statement(statement) => statement.visit(&mut copies),
        Statement::Explain(explained) => return check(&explained.statement),
        Statement::CopyTo(copy) => match &copy.source {
            CopyToSource::Query(query) => query.visit(&mut copies),
            CopyToSource::Relation(_) => ControlFlow::Continue(()),
        },
        _ => ControlFlow::Continue(()),
    };
    match visited {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(depth::too_large()),
    }
}

/// The queries that are being looked at, each in the one before it.
#[derive(Default)]
struct Copies(Vec<Open>);

#[derive(Default)]
struct Open {
    /// The names of the common tables whose queries are still to come.
    coming: VecDeque<String>,
    /// How large the others are.
    tables: HashMap<String, usize>,
    steps: usize,
}

impl Copies {
    fn size_of(&self, table: &str) -> usize {
        let sizes = self.0.iter().rev();
        let mut sizes = sizes.filter_map(|query| query.tables.get(table));
        sizes.next().copied().unwrap_or(1)
    }
}

impl Visitor for Copies {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        self.0.push(Open {
            coming: tables.map(|table| name(&table.alias.name)).collect(),
            steps: 1,
            ..Open::default()
        });
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        let steps = self.0.pop().map_or(0, |query| query.steps);
        if let Some(outer) = self.0.last_mut() {
            match outer.coming.pop_front() {
                Some(table) => {
                    outer.tables.insert(table, steps);
                }
                None => outer.steps = outer.steps.saturating_add(steps),
            }
        }
        match steps > depth::MOST_STEPS {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        let steps = match relation.0.as_slice() {
            [ObjectNamePart::Identifier(table)] => self.size_of(&name(table)),
            _ => 1,
        };
        if let Some(query) = self.0.last_mut() {
            query.steps = query.steps.saturating_add(steps);
        }
        ControlFlow::Continue(())
    }
}

/// A name as DataFusion compares it.
fn name(written: &Ident) -> String {
    match written.quote_style {
        None => written.value.to_lowercase(),
        Some(_) => written.value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParser;

    use super::*;

    fn checked(sql: &str) -> Result<(), Error> {
        let mut statements = DFParser::parse_sql(sql).expect(sql);
        check(&statements.pop_front().expect("a statement"))
    }

    /// Common tables, of which each but the first is made of the one before it.
    fn tables(count: usize, more: impl Fn(usize) -> String) -> String {
        let more: String = (1..count)
            .map(|it| format!(", a{it} AS ({})", more(it - 1)))
            .collect();
        format!(
            "WITH a0 AS (SELECT 1 AS x){more} SELECT * FROM a{}",
            count - 1
        )
    }

    #[test]
    fn common_tables_that_double_are_too_large_and_chains_are_not() {
        let chain = |before| format!("SELECT x FROM a{before}");
        let twice = |before| format!("SELECT a.x FROM a{before} a JOIN A{before} b ON a.x = b.x");
        assert!(checked(&tables(400, chain)).is_ok());
        assert!(checked(&tables(10, twice)).is_ok());
        for count in [20, 40, 200] {
            let sql = tables(count, twice);
            assert!(checked(&sql).is_err(), "{count}");
            assert!(checked(&format!("EXPLAIN {sql}")).is_err(), "{count}");
            assert!(
                checked(&format!("CREATE VIEW v AS {sql}")).is_err(),
                "{count}"
            );
        }
    }

    #[test]
    fn a_name_means_the_table_of_the_innermost_query() {
        let large = tables(12, |before| format!("SELECT * FROM a{before}, a{before}"));
        let inner = "(WITH a11 AS (SELECT 1) SELECT * FROM a11)";
        assert!(checked(&format!("{large}, {inner} AS b")).is_ok());
        assert!(checked(&format!("{large}, a11 AS b, a11 AS c")).is_err());
        assert!(checked(&format!("{large}, \"A11\" AS b, \"A11\" AS c")).is_ok());
    }
}
