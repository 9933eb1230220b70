//! Sessions only read.

use datafusion::{
    common::tree_node::TreeNodeRecursion,
    logical_expr::{DdlStatement, LogicalPlan, Statement},
};

use crate::{Error, ErrorKind};

/// Settings that change how plans are shown and nothing else.
const HARMLESS: [&str; 2] = ["datafusion.explain.", "datafusion.format."];

/// Refuses what would change anything but the views of the session.
pub(crate) fn check(plan: &LogicalPlan) -> Result<(), Error> {
    let mut refused = None;
    let visited = plan.apply_with_subqueries(|node| {
        refused = refused.take().or_else(|| reason(node));
        Ok(match refused {
            Some(_) => TreeNodeRecursion::Stop,
            None => TreeNodeRecursion::Continue,
        })
    });
    visited?;
    match refused {
        Some(words) => Err(Error::new(ErrorKind::ReadOnly, words)),
        None => Ok(()),
    }
}

fn reason(plan: &LogicalPlan) -> Option<String> {
    let only_reads = |what: &str| Some(format!("{what} is refused: a session only reads"));
    match plan {
        LogicalPlan::Ddl(DdlStatement::CreateView(_) | DdlStatement::DropView(_)) => None,
        LogicalPlan::Ddl(ddl) => only_reads(&words(ddl.name())),
        LogicalPlan::Dml(dml) => only_reads(&dml.op.to_string().to_uppercase()),
        LogicalPlan::Copy(_) => only_reads("COPY"),
        LogicalPlan::Statement(
            Statement::Prepare(_) | Statement::Execute(_) | Statement::Deallocate(_),
        ) => None,
        LogicalPlan::Statement(Statement::SetVariable(set)) => {
            let is_harmless = HARMLESS.iter().any(|it| set.variable.starts_with(it));
            (!is_harmless).then(|| {
                format!(
                    "SET {} is refused: only datafusion.explain.… and datafusion.format.… can be set",
                    set.variable
                )
            })
        }
        LogicalPlan::Statement(other) => only_reads(&words(other.name())),
        _ => None,
    }
}

/// `CreateExternalTable` as SQL has it: `CREATE EXTERNAL TABLE`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_uppercase());
    }
    words
}
