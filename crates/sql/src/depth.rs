//! How deep a plan is, once views and common tables stand in it.

use datafusion::{
    common::tree_node::{TreeNode, TreeNodeRecursion},
    logical_expr::{Expr, LogicalPlan},
};

use crate::{Error, ErrorKind, statements::DEEPEST};

/// What stands one in the other, steps and expressions together: they may be merged into one expression.
const DEEPEST_PLAN: usize = 2 * DEEPEST;
/// A view that names another one twice, and so on, doubles with each step.
pub(crate) const MOST_STEPS: usize = 10_000;

/// Refuses plans that are too deep for whoever goes down into them, or too large.
pub(crate) fn check(plan: &LogicalPlan) -> Result<(), Error> {
    let mut waiting = vec![(plan.clone(), 0)];
    let mut steps = 0;
    while let Some((step, above)) = waiting.pop() {
        let (deepest, queries) = expressions(&step)?;
        let depth = above + 1 + deepest;
        steps += 1;
        if depth > DEEPEST_PLAN || steps > MOST_STEPS {
            return Err(too_large());
        }
        waiting.extend(queries.into_iter().map(|query| (query, depth)));
        waiting.extend(step.inputs().into_iter().map(|it| (it.clone(), depth)));
        if let LogicalPlan::TableScan(scan) = &step
            && let Some(view) = scan.source.get_logical_plan()
        {
            waiting.push((view.into_owned(), depth));
        }
    }
    Ok(())
}

pub(crate) fn too_large() -> Error {
    let words =
        "the question is too deep: it is made of too many views or common tables, one of the other";
    Error::new(ErrorKind::Meaning, words)
}

/// How deep the deepest expression of a step is, and the queries in its expressions.
fn expressions(step: &LogicalPlan) -> Result<(usize, Vec<LogicalPlan>), Error> {
    let (mut deepest, mut queries) = (0, Vec::new());
    let mut expressions = Vec::new();
    step.apply_expressions(|expr| {
        expressions.push(expr.clone());
        Ok(TreeNodeRecursion::Continue)
    })?;
    let mut waiting: Vec<(&Expr, usize)> = expressions.iter().map(|expr| (expr, 1)).collect();
    while let Some((expr, depth)) = waiting.pop() {
        deepest = deepest.max(depth);
        queries.extend(query(expr));
        expr.apply_children(|child| {
            waiting.push((child, depth + 1));
            Ok(TreeNodeRecursion::Continue)
        })?;
    }
    Ok((deepest, queries))
}

/// The query that an expression is.
pub(crate) fn query(expr: &Expr) -> Option<LogicalPlan> {
    let query = match expr {
        Expr::ScalarSubquery(query) => query,
        Expr::Exists(exists) => &exists.subquery,
        Expr::InSubquery(asked) => &asked.subquery,
        Expr::SetComparison(compared) => &compared.subquery,
        _ => return None,
    };
    Some(query.subquery.as_ref().clone())
}
