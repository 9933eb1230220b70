//! Rows of a store, as they are asked for.

use std::{fmt, ops::ControlFlow, sync::Arc};

use datafusion::{
    arrow::{array::RecordBatch, datatypes::SchemaRef},
    common::{Statistics, config::ConfigOptions, stats::Precision, tree_node::TreeNodeRecursion},
    error::{DataFusionError, Result},
    execution::{SendableRecordBatchStream, TaskContext},
    physical_expr::{EquivalenceProperties, PhysicalExpr},
    physical_plan::{
        DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
        execution_plan::{
            Boundedness, EmissionType, ReplaceChildrenOptions, apply_expression_roots,
        },
        filter_pushdown::{ChildPushdownResult, FilterPushdownPhase, FilterPushdownPropagation},
        metrics::{BaselineMetrics, Count, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet},
        statistics::StatisticsArgs,
        stream::RecordBatchStreamAdapter,
    },
};
use futures::stream;
use tabiya::{
    search::{self, Query},
    store::{
        GameSet, How, Watch,
        table::{Block, Plies, ROWS, StoreTable, positions},
    },
};
use tokio::sync::OnceCell;

use super::rows::{IdFilter, RowFilter, external};
use crate::pauses::{Pause, Stop};

/// So many games are replayed at a time, at most: about as many positions come of them as rows are handed on.
const GAMES: usize = 128;
/// A game has about so many, or a few more.
const PLIES: usize = 64;

/// Which games can answer.
#[derive(Debug, Default)]
pub(super) struct Among {
    /// Those that are known, if not all can.
    pub set: Option<Arc<GameSet>>,
    /// What else they have to answer: found out when rows are asked for.
    pub searches: Vec<Query>,
    found: OnceCell<Arc<GameSet>>,
    /// What was asked, for those who want to know.
    pub notes: Vec<String>,
    /// Whether all that are known are there.
    is_counted: bool,
}

/// Whether numbers of games are those of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counted {
    /// There is a row for each.
    All,
    /// Some may be deleted.
    Perhaps,
}

impl Among {
    /// Leaves only those that are in another set, too.
    pub fn narrow(&mut self, other: GameSet, counted: Counted) {
        self.is_counted |= counted == Counted::All;
        self.set = Some(Arc::new(match &self.set {
            Some(set) => &**set & &other,
            None => other,
        }));
    }

    /// What is asked of moves.
    fn query(&self) -> Query {
        match self.searches.as_slice() {
            [query] => query.clone(),
            queries => Query::All(queries.to_vec()),
        }
    }
}

/// Looks for games that answer.
struct Search {
    scan: Arc<Scan>,
    stop: Stop,
    /// How many were looked at.
    searched: Count,
}

impl Search {
    /// So many games are looked at where few are wanted; then eight times as many, and so on.
    const FIRST: u64 = 4096;

    fn among(&self, among: Option<&GameSet>, found: &mut GameSet) -> Result<()> {
        let hear = |_| match self.stop.is_asked_for() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let how = How {
            among,
            jobs: self.scan.threads,
            watch: Watch::new(&hear),
            ..How::default()
        };
        let table = &self.scan.table;
        let games = among.map_or(table.count(), GameSet::len);
        self.searched
            .add(usize::try_from(games).unwrap_or(usize::MAX));
        let hits = search::find(table.store(), &self.scan.among.query(), &how);
        hits.map_err(external)?
            .iter()
            .for_each(|hit| found.insert(hit.number));
        Ok(())
    }

    fn all(&self) -> Result<GameSet> {
        let mut found = GameSet::default();
        let among = self.scan.candidates(&self.stop)?;
        self.among(among.as_deref(), &mut found)?;
        Ok(found)
    }

    /// At least so many, if there are, and not all.
    fn first(&self, limit: u64) -> Result<GameSet> {
        let mut found = GameSet::default();
        let among = self.scan.candidates(&self.stop)?;
        let count = self.scan.table.store().count();
        let (mut next, mut many) = (1, Search::FIRST);
        while next <= count && found.len() < limit {
            let last = count.min(next + many - 1);
            let mut some = GameSet::default();
            some.insert_range(next..=last);
            if let Some(among) = &among {
                some = &some & &**among;
            }
            self.among(Some(&some), &mut found)?;
            (next, many) = (last + 1, many * 8);
        }
        Ok(found)
    }
}

/// What is read of a store.
#[derive(Debug)]
pub(super) struct Scan {
    pub table: Arc<StoreTable>,
    /// The blocks that can have rows.
    pub blocks: Vec<Block>,
    /// How many there are in all.
    pub of_blocks: usize,
    pub among: Among,
    /// What rows have to pass.
    pub filters: Vec<RowFilter>,
    pub limit: Option<usize>,
    /// How many threads may work.
    pub threads: usize,
}

impl Scan {
    /// The games that answer; all, if there is none. With a limit, at least so many of them: each is one
    /// whose row is wanted.
    ///
    /// Counts those that had to be looked at.
    async fn games(
        self: &Arc<Self>,
        limit: Option<usize>,
        searched: &Count,
    ) -> Result<Option<Arc<GameSet>>> {
        if self.among.searches.is_empty() {
            return Ok(self.among.set.clone());
        }
        let search = || async {
            let stop = Stop::default();
            // A search that nobody waits for ends.
            let _waits = stop.on_drop();
            let search = Search {
                scan: Arc::clone(self),
                stop,
                searched: searched.clone(),
            };
            let found = tokio::task::spawn_blocking(move || match limit {
                Some(limit) => search.first(limit as u64),
                None => search.all(),
            });
            let crashed = |error| DataFusionError::ExecutionJoin(Box::new(error));
            Ok(Arc::new(found.await.map_err(crashed)??))
        };
        let found = self.among.found.get_or_try_init(search).await;
        found.cloned().map(Some)
    }

    /// The games whose headers pass: only they are worth a search. All, if nothing is asked of headers.
    fn candidates(&self, stop: &Stop) -> Result<Option<Arc<GameSet>>> {
        if self.filters.is_empty() {
            return Ok(self.among.set.clone());
        }
        let mut passed = GameSet::default();
        for block in &self.blocks {
            if stop.is_asked_for() {
                break;
            }
            let rows = self.rows(block, self.among.set.as_deref())?;
            for number in self.table.numbers(block, &rows) {
                passed.insert(number);
            }
        }
        Ok(Some(Arc::new(passed)))
    }

    /// The rows of a block that pass, among some games.
    fn rows(&self, block: &Block, among: Option<&GameSet>) -> Result<Vec<u32>> {
        let mut rows = self.table.rows(block, among);
        for filter in &self.filters {
            if !rows.is_empty() {
                filter.retain(&self.table, block, &mut rows)?;
            }
        }
        Ok(rows)
    }
}

/// Which table.
#[derive(Clone, Debug)]
enum What {
    /// Columns of `games`.
    Games(Vec<usize>),
    Positions(Plies),
}

/// Reads rows of a store.
#[derive(Clone, Debug)]
pub(super) struct StoreScan {
    scan: Arc<Scan>,
    what: Arc<What>,
    limit: Option<usize>,
    /// What the games that others have to do with ask of the numbers of these: known when they are
    /// read.
    joins: Vec<IdFilter>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl StoreScan {
    pub fn games(scan: Scan, columns: Vec<usize>) -> Result<StoreScan> {
        let schema = Arc::new(scan.table.games().project(&columns)?);
        let pieces = scan.blocks.len();
        Ok(StoreScan::new(scan, What::Games(columns), schema, pieces))
    }

    pub fn positions(scan: Scan, plies: Plies) -> Result<StoreScan> {
        let schema = Arc::new(positions().project(&plies.columns)?);
        let games = scan
            .among
            .set
            .as_ref()
            .map_or(scan.table.count(), |set| set.len());
        let pieces = usize::try_from(games).map_or(usize::MAX, |games| games.div_ceil(GAMES));
        Ok(StoreScan::new(scan, What::Positions(plies), schema, pieces))
    }

    fn new(scan: Scan, what: What, schema: SchemaRef, pieces: usize) -> StoreScan {
        // Few rows are found as quickly by one, and are the first ones then.
        let is_short = scan.limit.is_some_and(|limit| limit <= ROWS);
        let partitions = if is_short {
            1
        } else {
            scan.threads.min(pieces).max(1)
        };
        StoreScan {
            limit: scan.limit,
            scan: Arc::new(scan),
            what: Arc::new(what),
            joins: Vec::new(),
            properties: Arc::new(PlanProperties::new(
                EquivalenceProperties::new(schema),
                Partitioning::UnknownPartitioning(partitions),
                EmissionType::Incremental,
                Boundedness::Bounded,
            )),
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    fn partitions(&self) -> usize {
        self.properties.partitioning.partition_count()
    }

    /// How many rows there are, as far as that is known.
    fn rows(&self) -> Precision<usize> {
        let scan = &self.scan;
        let games = scan
            .among
            .set
            .as_ref()
            .map_or(scan.table.count(), |set| set.len());
        let Ok(games) = usize::try_from(games) else {
            return Precision::Absent;
        };
        // Each partition has its own limit, and joins leave rows out.
        let is_exact = self.joins.is_empty()
            && (self.limit.is_none() || self.partitions() == 1)
            && scan.filters.is_empty()
            && scan.among.searches.is_empty()
            && (scan.among.set.is_none() || scan.among.is_counted);
        let rows = match (&*self.what, is_exact) {
            (What::Games(_), true) => Precision::Exact(games),
            (What::Games(_), false) => Precision::Inexact(games),
            // About as many plies as games have.
            (What::Positions(plies), _) if plies.keys.is_none() => Precision::Inexact(games * 80),
            (What::Positions(_), _) => Precision::Inexact(games),
        };
        match self.limit {
            Some(limit) => rows.map(|rows| rows.min(limit)),
            None => rows,
        }
    }
}

impl DisplayAs for StoreScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scan = &self.scan;
        let name = match &*self.what {
            What::Games(_) => "games",
            What::Positions(_) => "positions",
        };
        let schema = self.schema();
        let columns: Vec<&str> = schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect();
        write!(f, "StoreScan: {name}, columns=[{}]", columns.join(", "))?;
        for note in &scan.among.notes {
            write!(f, ", {note}")?;
        }
        if let What::Positions(plies) = &*self.what {
            if let Some(keys) = &plies.keys {
                write!(f, ", keys={keys:?}")?;
            }
            if plies.plies != Plies::default().plies {
                write!(f, ", plies={:?}", plies.plies)?;
            }
        }
        write!(f, ", blocks={} of {}", scan.blocks.len(), scan.of_blocks)?;
        if !scan.filters.is_empty() {
            write!(f, ", rows={:?}", scan.filters)?;
        }
        for join in &self.joins {
            write!(f, ", join={}", join.expr())?;
        }
        match self.limit {
            Some(limit) => write!(f, ", limit={limit}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for StoreScan {
    fn name(&self) -> &'static str {
        "StoreScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        apply_expression_roots(self.joins.iter().map(IdFilter::expr), f)
    }

    /// Takes what joins know of the games that have partners, so that others are not read. Rows may
    /// still be too many: nobody else need ask less.
    fn handle_child_pushdown_result(
        &self,
        _: FilterPushdownPhase,
        asked: ChildPushdownResult,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        if self.limit.is_some() {
            // The first rows are wanted, whether or not they have partners.
            return Ok(FilterPushdownPropagation::all_unsupported(asked));
        }
        let id = match &*self.what {
            What::Games(_) => "id",
            What::Positions(_) => "game",
        };
        let filters = asked.parent_filters.iter().map(|asked| &asked.filter);
        let joins = filters.filter_map(|filter| IdFilter::new(filter, id));
        let joins: Vec<IdFilter> = self.joins.iter().cloned().chain(joins).collect();
        let answer = FilterPushdownPropagation::all_unsupported(asked);
        Ok(match joins.len() > self.joins.len() {
            true => answer.with_updated_node(Arc::new(StoreScan {
                joins,
                ..self.clone()
            })),
            false => answer,
        })
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

    fn statistics_from_inputs(
        &self,
        _: &[Arc<Statistics>],
        args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let rows = match args.partition() {
            Some(_) if self.partitions() > 1 => Precision::Absent,
            _ => self.rows(),
        };
        Ok(Arc::new(
            Statistics::new_unknown(&self.schema()).with_num_rows(rows),
        ))
    }

    fn fetch(&self) -> Option<usize> {
        self.limit
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(StoreScan {
            limit,
            ..self.clone()
        }))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        // Where there is little memory, a few rows are all that is handed on, and parts of a batch would
        // count as the whole of it.
        let games = context.session_config().batch_size() / PLIES;
        let reader = Reader {
            plan: self.clone(),
            partition,
            at_once: games.clamp(1, GAMES),
            among: None,
            began: false,
            next: 0,
            rows: None,
            pause: Pause::new(),
            left: self.limit.unwrap_or(usize::MAX),
            metrics: BaselineMetrics::new(&self.metrics, partition),
            searched: MetricBuilder::new(&self.metrics).counter("games_searched", partition),
            games: MetricBuilder::new(&self.metrics).counter("games_read", partition),
        };
        let batches = stream::try_unfold(reader, |mut reader| async {
            Ok(reader.next().await?.map(|batch| (batch, reader)))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            batches,
        )))
    }
}

/// Reads what belongs to one partition.
struct Reader {
    plan: StoreScan,
    partition: usize,
    /// How many games are replayed at a time.
    at_once: usize,
    among: Option<Arc<GameSet>>,
    began: bool,
    /// The first piece that has not been looked at.
    next: usize,
    /// The rows of a block that are left to be replayed, and the block.
    rows: Option<(Block, Vec<u32>)>,
    /// Where no rows are found, nobody else pauses.
    pause: Pause,
    left: usize,
    metrics: BaselineMetrics,
    searched: Count,
    games: Count,
}

impl Reader {
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        if !self.began {
            // What joins leave out is known only later: as many as are wanted may not be enough then.
            let limit = self.plan.limit.filter(|_| self.plan.joins.is_empty());
            self.among = self.plan.scan.games(limit, &self.searched).await?;
            self.began = true;
        }
        if self.left == 0 {
            return Ok(None);
        }
        let elapsed = self.metrics.elapsed_compute().clone();
        let _timer = elapsed.timer();
        let what = Arc::clone(&self.plan.what);
        let batch = match &*what {
            What::Games(columns) => self.next_games(columns).await?,
            What::Positions(plies) => self.next_positions(plies).await?,
        };
        Ok(batch.map(|batch| {
            let batch = batch.slice(0, batch.num_rows().min(self.left));
            self.left -= batch.num_rows();
            self.metrics.record_output(batch.num_rows());
            batch
        }))
    }

    /// Keeps rows that may have partners.
    fn retain_joined(&self, block: &Block, rows: &mut Vec<u32>) -> Result<()> {
        let mut joins = self.plan.joins.iter();
        joins.try_for_each(|join| join.retain(&self.plan.scan.table, block, rows))
    }

    async fn next_games(&mut self, columns: &[usize]) -> Result<Option<RecordBatch>> {
        let scan = Arc::clone(&self.plan.scan);
        let partitions = self.plan.partitions();
        loop {
            self.pause.take().await;
            let index = self.partition + self.next * partitions;
            let Some(block) = scan.blocks.get(index) else {
                return Ok(None);
            };
            self.next += 1;
            let mut rows = scan.rows(block, self.among.as_deref())?;
            self.retain_joined(block, &mut rows)?;
            rows.truncate(self.left);
            if !rows.is_empty() {
                self.games.add(rows.len());
                let batch = scan.table.read_games(block, &rows, columns);
                return batch.map(Some).map_err(external);
            }
        }
    }

    async fn next_positions(&mut self, plies: &Plies) -> Result<Option<RecordBatch>> {
        let scan = Arc::clone(&self.plan.scan);
        loop {
            self.pause.take().await;
            if self.rows.is_none() {
                let Some(block) = scan.blocks.get(self.next) else {
                    return Ok(None);
                };
                self.next += 1;
                let rows = scan.table.rows(block, self.among.as_deref());
                // Partitions share out all blocks: there may be few. What joins know changes while
                // they read, so it is asked of what is shared out already.
                let (partition, partitions) = (self.partition, self.plan.partitions());
                let pieces = rows.chunks(GAMES).enumerate();
                let own = pieces.filter(|(index, _)| (index + self.next) % partitions == partition);
                let mut own: Vec<u32> = own.flat_map(|(_, rows)| rows).copied().collect();
                self.retain_joined(block, &mut own)?;
                own.reverse();
                self.rows = Some((*block, own));
            }
            let Some((block, rows)) = &mut self.rows else {
                continue;
            };
            let mut some: Vec<u32> = rows.split_off(rows.len().saturating_sub(self.at_once));
            some.reverse();
            if some.is_empty() {
                self.rows = None;
                continue;
            }
            self.games.add(some.len());
            let batch = scan
                .table
                .read_positions(block, &some, plies)
                .map_err(external)?;
            if batch.num_rows() > 0 {
                return Ok(Some(batch));
            }
        }
    }
}
