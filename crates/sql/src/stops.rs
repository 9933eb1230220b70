//! Joins that can be stopped.

use std::sync::Arc;

use datafusion::{
    common::tree_node::{Transformed, TreeNode},
    config::ConfigOptions,
    error::Result,
    physical_optimizer::PhysicalOptimizerRule,
    physical_plan::{
        ExecutionPlan,
        coop::CooperativeExec,
        joins::{CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec},
    },
};

/// Lets joins pause now and then, so that whoever waits no longer is heard. DataFusion sees to that
/// where rows are read, but a join makes millions of rows of a few that it has read.
#[derive(Debug)]
pub(crate) struct JoinsPause;

impl PhysicalOptimizerRule for JoinsPause {
    fn name(&self) -> &'static str {
        "joins_pause"
    }

    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let pausing = plan.transform_up(|plan| {
            Ok(if is_join(&*plan) {
                Transformed::yes(Arc::new(CooperativeExec::new(plan)) as _)
            } else {
                Transformed::no(plan)
            })
        })?;
        Ok(pausing.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn is_join(plan: &dyn ExecutionPlan) -> bool {
    plan.is::<NestedLoopJoinExec>()
        || plan.is::<CrossJoinExec>()
        || plan.is::<HashJoinExec>()
        || plan.is::<SortMergeJoinExec>()
}
