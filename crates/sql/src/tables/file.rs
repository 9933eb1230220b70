//! The tables of a file of any format: read from the first game to the last, each time.

use std::{fmt, ops::ControlFlow, path::Path, path::PathBuf, sync::Arc};

use async_trait::async_trait;
use datafusion::{
    arrow::{array::RecordBatch, datatypes::SchemaRef, error::ArrowError},
    catalog::{Session, TableProvider},
    common::tree_node::TreeNodeRecursion,
    error::{DataFusionError, Result},
    execution::{SendableRecordBatchStream, TaskContext},
    logical_expr::{Expr, TableProviderFilterPushDown, TableType},
    physical_expr::{EquivalenceProperties, PhysicalExpr},
    physical_plan::{
        DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
        execution_plan::{Boundedness, EmissionType, ReplaceChildrenOptions},
        metrics::{ExecutionPlanMetricsSet, MetricBuilder, MetricsSet},
        stream::RecordBatchStreamAdapter,
    },
};
use futures::stream;
use tabiya::{
    Database, Open,
    store::table::{GameRows, Plies, PositionRows, TagCensus, Told, positions},
};
use tokio::{sync::mpsc, task::JoinHandle};

use super::{rows::external, store::PlyCondition};

/// So many batches wait to be taken.
const WAITING: usize = 4;

/// A file that can be read.
#[derive(Clone, Debug)]
pub(crate) struct FileTable {
    path: PathBuf,
    open: Open,
    games: SchemaRef,
    what: What,
}

/// Which table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Games,
    Positions,
}

impl FileTable {
    /// Looks at the first games of a file, to know which columns it has.
    pub fn new(path: &Path, open: Open, database: &Database) -> tabiya::Result<FileTable> {
        let mut census = TagCensus::default();
        database.tell(&mut census)?;
        Ok(FileTable {
            path: path.to_owned(),
            open,
            games: census.finish(),
            what: What::Games,
        })
    }

    /// One of its tables.
    pub(super) fn table(&self, what: What) -> FileTable {
        FileTable {
            what,
            ..self.clone()
        }
    }
}

#[async_trait]
impl TableProvider for FileTable {
    fn schema(&self) -> SchemaRef {
        match self.what {
            What::Games => Arc::clone(&self.games),
            What::Positions => positions(),
        }
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| match (self.what, PlyCondition::of(filter)) {
            (What::Positions, Some(PlyCondition::Key(_) | PlyCondition::Ply(_))) => {
                TableProviderFilterPushDown::Exact
            }
            _ => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(support).collect())
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all = || (0..self.schema().fields().len()).collect();
        let mut plies = Plies {
            columns: projection.cloned().unwrap_or_else(all),
            ..Plies::default()
        };
        for condition in filters.iter().filter_map(PlyCondition::of) {
            condition.narrow(&mut plies);
        }
        let schema = Arc::new(self.schema().project(&plies.columns)?);
        Ok(Arc::new(FileScan {
            file: self.clone(),
            plies: Arc::new(plies),
            limit,
            properties: Arc::new(PlanProperties::new(
                EquivalenceProperties::new(schema),
                Partitioning::UnknownPartitioning(1),
                EmissionType::Incremental,
                Boundedness::Bounded,
            )),
            metrics: ExecutionPlanMetricsSet::new(),
        }))
    }
}

/// Reads a file.
#[derive(Clone, Debug)]
struct FileScan {
    file: FileTable,
    /// The columns of either table; what else is wanted of positions.
    plies: Arc<Plies>,
    limit: Option<usize>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl DisplayAs for FileScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.file.what {
            What::Games => "games",
            What::Positions => "positions",
        };
        let schema = self.schema();
        let columns: Vec<&str> = schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect();
        let path = self.file.path.display();
        write!(
            f,
            "FileScan: {what} of {path}, columns=[{}]",
            columns.join(", ")
        )?;
        if let Some(keys) = &self.plies.keys {
            write!(f, ", keys={keys:?}")?;
        }
        if self.plies.plies != Plies::default().plies {
            write!(f, ", plies={:?}", self.plies.plies)?;
        }
        match self.limit {
            Some(limit) => write!(f, ", limit={limit}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for FileScan {
    fn name(&self) -> &'static str {
        "FileScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn fetch(&self) -> Option<usize> {
        self.limit
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(FileScan {
            limit,
            ..self.clone()
        }))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let (sender, receiver) = mpsc::channel(WAITING);
        let (file, plies) = (self.file.clone(), Arc::clone(&self.plies));
        let reading = tokio::task::spawn_blocking(move || {
            if let Err(error) = read(&file, &plies, &sender) {
                // Who does not listen does not mind.
                let _ = sender.blocking_send(Err(error));
            }
        });
        let batches = Batches {
            receiver,
            reading: Some(reading),
            left: self.limit.unwrap_or(usize::MAX),
        };
        let rows = MetricBuilder::new(&self.metrics).output_rows(partition);
        let batches = stream::try_unfold(batches, move |mut batches| {
            let rows = rows.clone();
            async move {
                let batch = batches.next().await?;
                Ok(batch.map(|batch| {
                    rows.add(batch.num_rows());
                    (batch, batches)
                }))
            }
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            batches,
        )))
    }
}

/// What a thread that reads has found.
struct Batches {
    receiver: mpsc::Receiver<Result<RecordBatch>>,
    reading: Option<JoinHandle<()>>,
    left: usize,
}

impl Batches {
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        if self.left == 0 {
            return Ok(None);
        }
        if let Some(batch) = self.receiver.recv().await {
            let batch = batch?;
            let batch = batch.slice(0, batch.num_rows().min(self.left));
            self.left -= batch.num_rows();
            return Ok(Some(batch));
        }
        // Who has crashed has not said all.
        if let Some(reading) = self.reading.take() {
            let crashed = |error| DataFusionError::ExecutionJoin(Box::new(error));
            reading.await.map_err(crashed)?;
        }
        Ok(None)
    }
}

/// Reads a file by all cores, and hands on its rows in order until nobody takes them.
fn read(file: &FileTable, plies: &Plies, sender: &mpsc::Sender<Result<RecordBatch>>) -> Result<()> {
    let database = file.open.clone().open(&file.path).map_err(external)?;
    let mut last = 0;
    let is_wanted = || !sender.is_closed();
    let told = |part: &dyn tabiya::Part| -> tabiya::Result<Result<Told, ArrowError>> {
        Ok(match file.what {
            What::Games => {
                let mut rows = GameRows::new(&file.games, &plies.columns);
                if is_wanted() {
                    part.tell(&mut rows)?;
                }
                rows.finish()
            }
            What::Positions => {
                let mut rows = PositionRows::new(plies);
                if is_wanted() {
                    part.tell(&mut rows)?;
                }
                rows.finish()
            }
        })
    };
    let hand_on = |told: Result<Told, ArrowError>| -> Result<ControlFlow<()>, Failed> {
        // A part may have no rows to be sent.
        if !is_wanted() {
            return Ok(ControlFlow::Break(()));
        }
        for batch in told?.numbered(&mut last)? {
            if sender.blocking_send(Ok(batch)).is_err() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    database
        .par_parts(told, hand_on)
        .map_err(|Failed(error)| error)
}

/// Why reading ends.
struct Failed(DataFusionError);

impl From<tabiya::Error> for Failed {
    fn from(error: tabiya::Error) -> Failed {
        Failed(external(error))
    }
}

impl From<ArrowError> for Failed {
    fn from(error: ArrowError) -> Failed {
        Failed(error.into())
    }
}
