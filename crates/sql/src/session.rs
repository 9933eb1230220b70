//! Questions to databases, files and exports.

use std::{path::Path, sync::Arc};

use datafusion::{
    catalog::{
        CatalogProvider, DynamicFileCatalog, MemoryCatalogProvider, MemorySchemaProvider,
        information_schema::INFORMATION_SCHEMA,
    },
    common::{tree_node::TreeNodeRecursion, utils::quote_identifier},
    execution::{SendableRecordBatchStream, SessionState, SessionStateBuilder},
    logical_expr::{DdlStatement, LogicalPlan, TableType},
    physical_plan::{empty::EmptyExec, execute_stream},
    physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner},
    prelude::SessionContext,
};

use crate::{
    Answer, Error, ErrorKind, Options,
    answer::Deadline,
    cluster::whole,
    common_tables, depth,
    files::{Files, files},
    functions, guard,
    lake::Opened,
    options::{CATALOG, SCHEMA},
    pauses::Pauses,
    statements::check_depth,
    tables::{self, Input, paths::Paths},
    width,
};

/// Databases, files and exports as tables, and questions to them.
///
/// The first input gives the tables `games`, `positions`, `players` and `events`. Each input has them
/// in a schema of its own, too, which is called as the file is, up to the first dot and in small
/// letters: `twic.games` are those of `twic.tabiya`. And any file is a table under its path,
/// `'my.cbh'`, and by `games('my.cbh')` and `positions('my.cbh')`.
///
/// ```
/// use tabiya_sql::{Options, Session};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "[White \"Morphy\"]\n\n1. e4 e5 1-0\n")?;
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let session = Session::open([&path], &Options::default()).await?;
/// let answer = session.query("SELECT white FROM games WHERE result = '1-0'").await?;
/// assert_eq!(answer.collect().await?[0].num_rows(), 1);
/// # Ok::<(), tabiya_sql::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    context: SessionContext,
    options: Options,
}

impl Session {
    /// Opens inputs on this machine.
    ///
    /// # Errors
    /// If an input cannot be opened.
    pub async fn open<P: AsRef<Path>>(
        inputs: impl IntoIterator<Item = P>,
        options: &Options,
    ) -> Result<Session, Error> {
        let state = SessionStateBuilder::new()
            .with_default_features()
            .with_config(options.config())
            .with_runtime_env(options.runtime()?)
            .with_physical_optimizer_rule(Arc::new(Pauses));
        let session = Session::over(prepared(state, options), options);
        for input in inputs {
            session.add(input.as_ref()).await?;
        }
        Ok(session)
    }

    /// A session over whatever knows tables and functions already.
    #[must_use]
    pub fn over(context: SessionContext, options: &Options) -> Session {
        Session {
            context,
            options: options.clone(),
        }
    }

    /// What DataFusion knows.
    #[must_use]
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// Adds an input: a database, a file of any format, or an export to Parquet.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub async fn add(&self, path: &Path) -> Result<(), Error> {
        let input = Input::open(path, &self.options).await?;
        let catalog = self.catalog()?;
        let name = free_name(&*catalog, path);
        catalog.register_schema(&name, Arc::new(MemorySchemaProvider::new()))?;
        input.register(&self.context, &name).await?;
        if !self.context.table_exist("games")? {
            input.register(&self.context, SCHEMA).await?;
        }
        Ok(())
    }

    /// Asks a question. Rows come when they are asked for.
    ///
    /// # Errors
    /// If it is no SQL, names what is not there, would change something, or cannot be planned in
    /// time.
    pub async fn query(&self, sql: &str) -> Result<Answer, Error> {
        let mut deadline = self.options.timeout.map(Deadline::new);
        let opened = self.context.state().config().get_extension::<Opened>();
        let runtime = self.context.runtime_env();
        let begin = async {
            if let Some(opened) = &opened {
                opened.check(&runtime).await?;
            }
            let plan = self.plan(sql).await?;
            if is_about_tables(&plan)? {
                return Ok((self.answer_here(&plan).await?, Files::default()));
            }
            let frame = self.context.execute_logical_plan(plan).await?;
            let context = frame.task_ctx();
            let schema = Arc::clone(frame.schema().inner());
            let mut plan = frame.create_physical_plan().await?;
            if plan.is::<EmptyExec>() {
                // Where a cluster has nothing to do, Ballista forgets the columns.
                plan = Arc::new(EmptyExec::new(schema));
            }
            let files = files(&plan);
            let rows = whole::execute(plan, Arc::new(context))?;
            let rows = match &opened {
                Some(opened) => Arc::clone(opened).watch(rows, Arc::clone(&runtime)),
                None => rows,
            };
            Ok::<_, Error>((rows, files))
        };
        let (stream, files) = match &mut deadline {
            Some(deadline) => deadline.wait(begin).await??,
            None => begin.await?,
        };
        Ok(Answer::new(stream, files, deadline))
    }

    async fn plan(&self, sql: &str) -> Result<LogicalPlan, Error> {
        check_depth(sql)?;
        let state = self.context.state();
        let dialect = state.config_options().sql_parser.dialect;
        let statement = state.sql_to_statement(sql, &dialect)?;
        common_tables::check(&statement)?;
        let plan = state.statement_to_plan(statement).await;
        let plan = plan.map_err(|error| named(error.into(), &state))?;
        depth::check(&plan)?;
        width::check(&plan)?;
        guard::check(&plan)?;
        self.keep_tables(&plan).await?;
        Ok(plan)
    }

    /// Refuses a view in the place of a table.
    async fn keep_tables(&self, plan: &LogicalPlan) -> Result<(), Error> {
        let LogicalPlan::Ddl(DdlStatement::CreateView(view)) = plan else {
            return Ok(());
        };
        match self.context.table_provider(view.name.clone()).await {
            Ok(table) if table.table_type() != TableType::View => Err(Error::new(
                ErrorKind::ReadOnly,
                format!("{} is a table: a view needs another name", view.name),
            )),
            _ => Ok(()),
        }
    }

    /// Answers without the cluster, if there is one: it knows no more than this process.
    async fn answer_here(&self, plan: &LogicalPlan) -> Result<SendableRecordBatchStream, Error> {
        let state = self.context.state();
        let plan = state.optimize(plan)?;
        let planner = DefaultPhysicalPlanner::default();
        let plan = planner.create_physical_plan(&plan, &state).await?;
        Ok(execute_stream(plan, self.context.task_ctx())?)
    }

    /// The names that questions are made of: tables, columns and functions, for whoever completes
    /// them.
    pub async fn names(&self) -> Vec<String> {
        let state = self.context.state();
        let mut names = function_names(&state);
        for table in table_names(&state) {
            if let Ok(provider) = self.context.table_provider(table.as_str()).await {
                let schema = provider.schema();
                let columns = schema.fields().iter();
                names.extend(columns.map(|field| quote_identifier(field.name()).into_owned()));
            }
            names.push(table);
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    fn catalog(&self) -> Result<Arc<dyn CatalogProvider>, Error> {
        let missing = || Error::new(ErrorKind::Internal, "the session has no catalog");
        self.context.catalog(CATALOG).ok_or_else(missing)
    }
}

/// Whether a question is on which tables and columns there are, and on nothing else.
fn is_about_tables(plan: &LogicalPlan) -> Result<bool, Error> {
    if matches!(plan, LogicalPlan::Ddl(_) | LogicalPlan::Statement(_)) {
        return Ok(false);
    }
    let (mut about_tables, mut others) = (0, 0);
    plan.apply_with_subqueries(|node| {
        match node {
            LogicalPlan::DescribeTable(_) => about_tables += 1,
            LogicalPlan::TableScan(scan) => match scan.table_name.schema() {
                Some(INFORMATION_SCHEMA) => about_tables += 1,
                _ => others += 1,
            },
            _ => {}
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(about_tables > 0 && others == 0)
}

/// A context with all that chess adds to SQL, and with files as tables under their paths.
pub(crate) fn prepared(state: SessionStateBuilder, options: &Options) -> SessionContext {
    let context = SessionContext::new_with_state(state.build());
    let paths = Arc::new(Paths::new(options));
    let catalogs = Arc::clone(context.state().catalog_list());
    if catalogs.catalog(CATALOG).is_none() {
        let catalog = MemoryCatalogProvider::new();
        catalogs.register_catalog(CATALOG.to_owned(), Arc::new(catalog));
    }
    let catalogs = DynamicFileCatalog::new(catalogs, Arc::clone(&paths) as _);
    let context: SessionContext = context
        .into_state_builder()
        .with_catalog_list(Arc::new(catalogs))
        .build()
        .into();
    for function in functions::scalar() {
        context.register_udf(Arc::unwrap_or_clone(function));
    }
    for function in functions::aggregate() {
        context.register_udaf(Arc::unwrap_or_clone(function));
    }
    tables::paths::register_functions(&context, &paths);
    context
}

/// The name of an input's schema: that of the file up to the first dot.
pub(crate) fn free_name(catalog: &dyn CatalogProvider, path: &Path) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let file = file.to_string_lossy().to_lowercase();
    let stem = file.split('.').find(|part| !part.is_empty());
    let stem = stem.unwrap_or("input").to_owned();
    // One without tables is left of an input that could not be opened.
    let has_tables = |name: &str| {
        let schema = catalog.schema(name);
        schema.is_some_and(|schema| !schema.table_names().is_empty())
    };
    let is_free = |name: &String| !has_tables(name) && *name != INFORMATION_SCHEMA;
    let numbered = (2..).map(|number| format!("{stem}_{number}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    names.find(is_free).unwrap_or(stem)
}

/// Says the nearest name of what is not there.
fn named(error: Error, state: &SessionState) -> Error {
    let names = match error.kind() {
        ErrorKind::UnknownTable => table_names(state),
        ErrorKind::UnknownFunction => function_names(state),
        _ => return error,
    };
    error.or_rather(names.iter().map(String::as_str))
}

fn function_names(state: &SessionState) -> Vec<String> {
    let scalar = state.scalar_functions().keys();
    let aggregate = state.aggregate_functions().keys();
    let window = state.window_functions().keys();
    let tables = state.table_functions().keys();
    let all = scalar.chain(aggregate).chain(window).chain(tables);
    let mut names: Vec<String> = all.cloned().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The tables of the first input by their names, those of all inputs with their schemas, as questions
/// have them.
fn table_names(state: &SessionState) -> Vec<String> {
    let Some(catalog) = state.catalog_list().catalog(CATALOG) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for schema in catalog.schema_names() {
        let tables = catalog.schema(&schema).map(|schema| schema.table_names());
        names.extend(
            tables
                .into_iter()
                .flatten()
                .map(|table| match schema.as_str() {
                    SCHEMA => quote_identifier(&table).into_owned(),
                    schema => format!("{}.{}", quote_identifier(schema), quote_identifier(&table)),
                }),
        );
    }
    names.sort_unstable();
    names
}
