//! The tables of a store.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::{
    arrow::datatypes::SchemaRef,
    catalog::{Session, TableProvider},
    common::{Statistics, stats::Precision},
    error::Result,
    logical_expr::{Expr, TableProviderFilterPushDown, TableType},
    physical_plan::ExecutionPlan,
};
use tabiya::{
    search::{Query, Test},
    store::{
        GameSet, Store,
        table::{Plies, StoreTable, positions},
    },
};

use super::{
    condition::{Condition, Numbers},
    rows::{RowFilter, external, prune},
    store_scan::{Among, Counted, Scan, StoreScan},
};

/// `games` of a store.
#[derive(Debug)]
pub(super) struct StoreGames {
    table: Arc<StoreTable>,
}

impl StoreGames {
    pub fn new(table: &Arc<StoreTable>) -> StoreGames {
        StoreGames {
            table: Arc::clone(table),
        }
    }
}

/// Whether the index answers for all games but few.
fn has_index(store: &Store) -> bool {
    store.unindexed() <= Store::MANY
}

#[async_trait]
impl TableProvider for StoreGames {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.table.games())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn statistics(&self) -> Option<Statistics> {
        let rows = usize::try_from(self.table.count()).ok()?;
        Some(Statistics::new_unknown(self.table.games()).with_num_rows(Precision::Exact(rows)))
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| match Condition::of(filter) {
            Condition::Numbers(_) | Condition::Asked(_) | Condition::Header => {
                TableProviderFilterPushDown::Exact
            }
            Condition::Near(_) => TableProviderFilterPushDown::Inexact,
            Condition::Other => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(support).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let games = self.table.games();
        let columns = projection.cloned();
        let columns = columns.unwrap_or_else(|| (0..games.fields().len()).collect());
        let mut among = AmongBuilder::new(self.table.store());
        let (mut headers, mut row_filters) = (Vec::new(), Vec::new());
        for filter in filters {
            match Condition::of(filter) {
                Condition::Numbers(numbers) => among.numbers(&numbers),
                Condition::Asked(query) | Condition::Near(query) => among.query(*query, filter)?,
                Condition::Header => {
                    row_filters.push(RowFilter::new(filter, games, state)?);
                    headers.push(filter.clone());
                }
                Condition::Other => {}
            }
        }
        let all = self.table.blocks();
        let count = all.len();
        let blocks = prune(&self.table, all, &row_filters, &headers, state)?;
        let scan = Scan {
            table: Arc::clone(&self.table),
            blocks,
            of_blocks: count,
            among: among.among,
            filters: row_filters,
            limit,
            threads: state.config().target_partitions(),
        };
        Ok(Arc::new(StoreScan::games(scan, columns)?))
    }
}

/// Puts together which games can answer.
struct AmongBuilder<'a> {
    store: &'a Store,
    among: Among,
}

impl AmongBuilder<'_> {
    fn new(store: &Store) -> AmongBuilder<'_> {
        AmongBuilder {
            store,
            among: Among::default(),
        }
    }

    fn numbers(&mut self, numbers: &Numbers) {
        self.among
            .narrow(numbers.games(self.store.count()), Counted::Perhaps);
    }

    /// Games that answer a query, which a condition asks: named by the index now, or looked for when rows
    /// are asked for.
    fn query(&mut self, query: Query, condition: &Expr) -> Result<()> {
        match &query {
            Query::Somewhere(Test::Exact(exact)) if !exact.is_loose() && has_index(self.store) => {
                let found = self.among.set.as_deref();
                let hits = self
                    .store
                    .games_at(exact.position(), found)
                    .map_err(external)?;
                self.hits(hits.map(|hit| hit.number).collect());
            }
            _ => {
                self.among.notes.push(format!("search: {condition}"));
                self.among.searches.push(query);
            }
        }
        Ok(())
    }

    /// Games that the index has named, and those that it does not have, of which each was looked at.
    fn hits(&mut self, hits: GameSet) {
        let others = match self.store.unindexed() {
            0 => String::new(),
            games => format!(" ({games} without an index)"),
        };
        let note = format!("index: {} games{others}", hits.len());
        self.among.notes.push(note);
        self.among.narrow(hits, Counted::All);
    }
}

/// `positions` of a store.
#[derive(Debug)]
pub(super) struct StorePositions {
    table: Arc<StoreTable>,
}

impl StorePositions {
    pub fn new(table: &Arc<StoreTable>) -> StorePositions {
        StorePositions {
            table: Arc::clone(table),
        }
    }
}

/// A condition on `positions` that is answered wholly.
pub(super) enum PlyCondition {
    Key(Vec<i64>),
    Game(Numbers),
    Ply(Numbers),
}

impl PlyCondition {
    pub fn of(expr: &Expr) -> Option<PlyCondition> {
        let key = Numbers::wanted(expr, "key").and_then(|numbers| numbers.few());
        let game = || Numbers::wanted(expr, "game");
        let ply = || Numbers::wanted(expr, "ply").filter(Numbers::is_range);
        key.map(PlyCondition::Key)
            .or_else(|| game().map(PlyCondition::Game))
            .or_else(|| ply().map(PlyCondition::Ply))
    }

    /// Adds what it leaves, unless it is on games.
    pub fn narrow(self, plies: &mut Plies) -> Option<Numbers> {
        match self {
            PlyCondition::Key(keys) => {
                let both = |known: &Vec<i64>| {
                    keys.iter()
                        .filter(|key| known.contains(key))
                        .copied()
                        .collect()
                };
                plies.keys = Some(plies.keys.as_ref().map_or_else(|| keys.clone(), both));
            }
            PlyCondition::Ply(numbers) => {
                let span = numbers.span();
                let clamp = |ply: i64| ply.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                let (first, last) = (clamp(*span.start()), clamp(*span.end()));
                plies.plies = first.max(*plies.plies.start())..=last.min(*plies.plies.end());
            }
            PlyCondition::Game(numbers) => return Some(numbers),
        }
        None
    }
}

#[async_trait]
impl TableProvider for StorePositions {
    fn schema(&self) -> SchemaRef {
        positions()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| match PlyCondition::of(filter) {
            Some(_) => TableProviderFilterPushDown::Exact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(support).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mut plies = Plies::default();
        if let Some(columns) = projection {
            plies.columns.clone_from(columns);
        }
        let store = self.table.store();
        let mut among = AmongBuilder::new(store);
        for condition in filters.iter().filter_map(PlyCondition::of) {
            if let Some(games) = condition.narrow(&mut plies) {
                among.numbers(&games);
            }
        }
        if let Some(keys) = &plies.keys
            && has_index(store)
        {
            let mut games = GameSet::default();
            for key in keys {
                let known = among.among.set.as_deref();
                let found = store.games_with_key(key.cast_unsigned(), known);
                found
                    .map_err(external)?
                    .iter()
                    .for_each(|number| games.insert(number));
            }
            among.hits(games);
        }
        let blocks = self.table.blocks();
        let scan = Scan {
            table: Arc::clone(&self.table),
            of_blocks: blocks.len(),
            blocks,
            among: among.among,
            filters: Vec::new(),
            limit,
            threads: state.config().target_partitions(),
        };
        Ok(Arc::new(StoreScan::positions(scan, plies)?))
    }
}
