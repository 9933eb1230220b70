//! Which files a plan reads, for whoever says that one is damaged.

use std::{collections::BTreeSet, sync::Arc};

use datafusion::{
    common::tree_node::{TreeNode, TreeNodeRecursion},
    datasource::{physical_plan::FileScanConfig, source::DataSourceExec},
    physical_plan::ExecutionPlan,
};

use crate::{Error, ErrorKind};

/// The files that a plan reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(BTreeSet<String>);

impl Files {
    /// Names them in an error, if one of them is damaged: the error itself does not know which.
    pub fn name(&self, error: Error) -> Error {
        if error.kind() != ErrorKind::Damaged || self.0.is_empty() {
            return error;
        }
        let files: Vec<&str> = self.0.iter().map(String::as_str).collect();
        let files = files.join(" or ");
        Error::new(
            error.kind(),
            format!("{files} is damaged: {error}; export it once more"),
        )
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
