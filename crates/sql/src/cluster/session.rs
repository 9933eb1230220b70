//! What client, scheduler and executors have to agree on.

use std::{path::Path, sync::Arc};

use ballista_core::{
    extension::{
        ballista_aggregate_functions, ballista_scalar_functions, ballista_window_functions,
    },
    optimizer::ballista_default_optimizer_rules,
    registry::BallistaFunctionRegistry,
};
use datafusion::{
    error::Result,
    execution::{
        SessionStateBuilder,
        runtime_env::{RuntimeEnv, RuntimeEnvBuilder},
    },
    physical_optimizer::{PhysicalOptimizerRule, optimizer::PhysicalOptimizer},
    prelude::SessionConfig,
};

use super::limits::LimitsAboveJoins;
use crate::{functions, lake::Stores};

/// A session with Ballista's rules, all functions, and all stores.
pub(super) fn state(config: SessionConfig, runtime: Arc<RuntimeEnv>) -> SessionStateBuilder {
    let mut scalar = ballista_scalar_functions();
    scalar.extend(functions::scalar());
    let mut aggregate = ballista_aggregate_functions();
    aggregate.extend(functions::aggregate());
    let mut physical: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> =
        vec![Arc::new(LimitsAboveJoins)];
    physical.extend(PhysicalOptimizer::new().rules);
    SessionStateBuilder::new()
        .with_default_features()
        .with_physical_optimizer_rules(physical)
        .with_config(config)
        .with_runtime_env(runtime)
        .with_optimizer_rules(ballista_default_optimizer_rules())
        .with_scalar_functions(scalar)
        .with_aggregate_functions(aggregate)
        .with_window_functions(ballista_window_functions())
}

/// Where a session reads, and where it puts what does not fit into memory.
pub(super) fn runtime(work_folder: Option<&Path>) -> Result<Arc<RuntimeEnv>> {
    let mut builder = RuntimeEnvBuilder::new()
        .with_object_store_registry(Arc::new(Stores::default()))
        // An export may take the place of another as long as a scheduler lives.
        .with_object_list_cache_limit(0);
    if let Some(folder) = work_folder {
        // As much as there is: who gives an executor a folder gives it all of it.
        builder = builder
            .with_temp_file_path(folder)
            .with_max_temp_directory_size(u64::MAX);
    }
    builder.build_arc()
}

/// The functions an executor knows.
pub(super) fn registry() -> BallistaFunctionRegistry {
    let mut registry = BallistaFunctionRegistry::default();
    let scalar = ballista_scalar_functions()
        .into_iter()
        .chain(functions::scalar());
    let scalar = scalar.map(|function| (function.name().to_owned(), function));
    registry.scalar_functions.extend(scalar);
    let aggregate = functions::aggregate().into_iter();
    let aggregate = aggregate.map(|function| (function.name().to_owned(), function));
    registry.aggregate_functions.extend(aggregate);
    registry
}
