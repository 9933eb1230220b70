//! How large the expressions of a plan are once what they name is written out.

use datafusion::{
    common::{
        Column, DFSchema,
        tree_node::{TreeNode, TreeNodeRecursion},
    },
    logical_expr::{Expr, LogicalPlan},
};

use crate::{Error, ErrorKind, depth};

/// Columns, operators and values of one expression.
const MOST_PARTS: usize = 100_000;

/// Refuses plans with expressions that grow too large: a condition is moved down to the rows that it is
/// about, and on its way each column becomes what it is made of. `x + x AS x` of `x + x AS x`, and so on,
/// doubles with each step.
pub(crate) fn check(plan: &LogicalPlan) -> Result<(), Error> {
    widths(plan).map(|_| ())
}

/// How many parts each column of a step has.
fn widths(plan: &LogicalPlan) -> Result<Vec<usize>, Error> {
    if let LogicalPlan::TableScan(scan) = plan {
        let of_view = match scan.source.get_logical_plan() {
            Some(view) => widths(&view)?,
            None => Vec::new(),
        };
        let width = |column: usize| of_view.get(column).copied().unwrap_or(1);
        return Ok(match &scan.projection {
            Some(columns) => columns.iter().map(|column| width(*column)).collect(),
            None => (0..plan.schema().fields().len()).map(width).collect(),
        });
    }
    let inputs = plan.inputs().into_iter();
    let inputs = inputs.map(|input| Ok((input.schema().as_ref(), widths(input)?)));
    let inputs = Inputs(inputs.collect::<Result<_, Error>>()?);
    let mut expressions = Vec::new();
    let mut failed = None;
    plan.apply_expressions(|expression| {
        match inputs.written_out(expression) {
            Ok(parts) => expressions.push(parts),
            Err(error) => failed = failed.take().or(Some(error)),
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    match failed {
        Some(error) => return Err(error),
        None if expressions.iter().any(|parts| *parts > MOST_PARTS) => {
            let words = "an expression is too large once what it names is written out: it is made of \
                         columns that are made of others";
            return Err(Error::new(ErrorKind::Meaning, words));
        }
        None => {}
    }
    Ok(match plan {
        LogicalPlan::Projection(_) => expressions,
        LogicalPlan::Aggregate(aggregate) => {
            // What is counted and summed up is no expression any more.
            expressions.truncate(aggregate.group_expr.len());
            expressions.resize(plan.schema().fields().len(), 1);
            expressions
        }
        _ => inputs.passed_on(plan.schema()),
    })
}

/// What steps are made of: their columns, and how many parts each has.
struct Inputs<'p>(Vec<(&'p DFSchema, Vec<usize>)>);

impl Inputs<'_> {
    fn width_of(&self, column: &Column) -> usize {
        let mut widths = self.0.iter().filter_map(|(schema, widths)| {
            let index = schema.maybe_index_of_column(column)?;
            widths.get(index).copied()
        });
        widths.next().unwrap_or(1)
    }

    /// How many parts an expression has.
    fn written_out(&self, expression: &Expr) -> Result<usize, Error> {
        let mut parts: usize = 0;
        let mut queries = Vec::new();
        expression.apply(|part| {
            parts = parts.saturating_add(match part {
                Expr::Column(column) => self.width_of(column),
                _ => 1,
            });
            queries.extend(depth::query(part));
            Ok(TreeNodeRecursion::Continue)
        })?;
        for query in queries {
            check(&query)?;
        }
        Ok(parts)
    }

    /// The columns of a step that changes none: those of its input, of the largest of several that are put one
    /// behind the other, or of those that are joined, by their names.
    fn passed_on(&self, schema: &DFSchema) -> Vec<usize> {
        let count = schema.fields().len();
        if self.0.iter().all(|(_, widths)| widths.len() == count) {
            let width = |column: usize| self.0.iter().map(|(_, widths)| widths[column]).max();
            return (0..count)
                .map(|column| width(column).unwrap_or(1))
                .collect();
        }
        let columns = schema.columns();
        columns.iter().map(|column| self.width_of(column)).collect()
    }
}
