//! Limits stay above joins.
//!
//! DataFusion sorts the inputs of a join that merges them, and where the answer is to be in that order,
//! too, it hands the answer's limit down to these sorts: then rows are cut off before it is known which of
//! them have partners. So a sort with a limit becomes a limit on a sort, before anything is handed down. What
//! may have the limit gets it back: a later rule hands down limits, and knows what joins are.

use std::sync::Arc;

use datafusion::{
    common::tree_node::{Transformed, TreeNode},
    config::ConfigOptions,
    error::Result,
    physical_optimizer::PhysicalOptimizerRule,
    physical_plan::{
        ExecutionPlan,
        joins::{HashJoinExec, SortMergeJoinExec},
        limit::{GlobalLimitExec, LocalLimitExec},
        sorts::sort::SortExec,
    },
};

/// The rule, which has to be the first one.
#[derive(Debug)]
pub(super) struct LimitsAboveJoins;

impl PhysicalOptimizerRule for LimitsAboveJoins {
    fn name(&self) -> &'static str {
        "limits_above_joins"
    }

    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let parted = plan.transform_down(|plan| {
            Ok(match parted(&*plan)? {
                Some(limit) => Transformed::yes(limit),
                None => Transformed::no(plan),
            })
        });
        parted.map(|plan| plan.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The limit and the sort of a plan that is both, if joins are below.
fn parted(plan: &dyn ExecutionPlan) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let Some(sort) = plan.downcast_ref::<SortExec>() else {
        return Ok(None);
    };
    let (Some(rows), true) = (sort.fetch(), has_join(sort.input())?) else {
        return Ok(None);
    };
    let all = Arc::new(sort.with_fetch(None));
    Ok(Some(match sort.preserve_partitioning() {
        true => Arc::new(LocalLimitExec::new(all, rows)),
        false => Arc::new(GlobalLimitExec::new(all, 0, Some(rows))),
    }))
}

fn has_join(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    plan.exists(|plan| Ok(plan.is::<SortMergeJoinExec>() || plan.is::<HashJoinExec>()))
}
