//! Which files a plan reads, for whoever says that one is damaged.

use std::{collections::BTreeSet, sync::Arc};

use datafusion::{
    common::tree_node::{TreeNode, TreeNodeRecursion},
    datasource::{physical_plan::FileScanConfig, source::DataSourceExec},
    physical_plan::ExecutionPlan,
};

/// The files that a plan reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(BTreeSet<String>);

/// Of more than so many files the rest is not named.
const MOST: usize = 3;

impl Files {
    /// Their names, if there are any.
    pub fn named(&self) -> Option<String> {
        let names: Vec<&str> = self.0.iter().take(MOST).map(String::as_str).collect();
        let more = self.0.len() > MOST;
        let names = names.join(" or ");
        match self.0.is_empty() {
            true => None,
            false if more => Some(format!("{names} or another of {} files", self.0.len())),
            false => Some(names),
        }
    }
}

/// The files that a plan reads.
pub(crate) fn files(plan: &Arc<dyn ExecutionPlan>) -> Files {
    let mut files = BTreeSet::new();
    let visited = plan.apply(|node| {
        let source = node.downcast_ref::<DataSourceExec>();
        let scan = source.and_then(|source| source.data_source().downcast_ref::<FileScanConfig>());
        if let Some(scan) = scan {
            let of_groups = scan.file_groups.iter().flat_map(|group| group.iter());
            let address = |path| format!("{}{path}", scan.object_store_url);
            files.extend(of_groups.map(|file| address(file.path())));
        }
        Ok(TreeNodeRecursion::Continue)
    });
    visited.expect("nothing fails");
    Files(files)
}
