//! Rows that pass conditions on headers, before anything else of them is read.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, BooleanArray, RecordBatch, StringViewArray},
        datatypes::{DataType, Field, Schema, SchemaRef},
    },
    catalog::Session,
    common::{Column, DFSchema, pruning::PruningStatistics},
    error::{DataFusionError, Result},
    logical_expr::{Expr, utils::conjunction},
    physical_expr::{
        PhysicalExpr,
        utils::{collect_columns, reassign_expr_columns},
    },
    physical_optimizer::pruning::PruningPredicateBuilder,
    scalar::ScalarValue,
};
use tabiya::store::table::{Block, StoreTable, Texts};

/// A condition on columns of headers.
pub(super) struct RowFilter {
    words: String,
    /// The columns that it looks at.
    columns: Vec<usize>,
    expr: Arc<dyn PhysicalExpr>,
    /// The only column, if it is one of texts: then each text is asked once, however many rows have it.
    text: Option<String>,
    /// By parts of the store; none where not all texts can be asked.
    verdicts: Mutex<HashMap<usize, Option<Arc<Verdicts>>>>,
}

/// Which of the texts of a part of the store pass.
struct Verdicts {
    passes: Vec<bool>,
    without: bool,
}

impl Verdicts {
    fn none_passes(&self) -> bool {
        !self.without && !self.passes.contains(&true)
    }

    fn of(&self, key: Option<usize>) -> bool {
        key.map_or(self.without, |key| self.passes[key])
    }
}

impl fmt::Debug for RowFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl RowFilter {
    pub fn new(filter: &Expr, games: &SchemaRef, state: &dyn Session) -> Result<RowFilter> {
        let names = filter.column_refs();
        let index = |column: &&Column| games.index_of(&column.name);
        let mut columns = names.iter().map(index).collect::<Result<Vec<_>, _>>()?;
        columns.sort_unstable();
        let schema = games.project(&columns)?;
        let text = match schema.fields().as_ref() {
            [field] if *field.data_type() == DataType::Utf8View => Some(field.name().clone()),
            _ => None,
        };
        let schema = DFSchema::try_from(schema)?;
        Ok(RowFilter {
            words: filter.to_string(),
            columns,
            expr: state.create_physical_expr(filter.clone(), &schema)?,
            text,
            verdicts: Mutex::default(),
        })
    }

    /// Whether a block can have rows that pass, by its texts.
    pub fn may_pass(&self, table: &StoreTable, block: &Block) -> Result<bool> {
        let verdicts = self.verdicts(table, block)?;
        Ok(verdicts.is_none_or(|(verdicts, _)| !verdicts.none_passes()))
    }

    /// Keeps rows that pass.
    pub fn retain(&self, table: &StoreTable, block: &Block, rows: &mut Vec<u32>) -> Result<()> {
        if let Some((verdicts, texts)) = self.verdicts(table, block)? {
            rows.retain(|row| verdicts.of(texts.key(*row)));
            return Ok(());
        }
        let batch = table
            .read_games(block, rows, &self.columns)
            .map_err(external)?;
        retain_true(rows, &self.passes(&batch)?);
        Ok(())
    }

    fn passes(&self, batch: &RecordBatch) -> Result<BooleanArray> {
        let passes = self.expr.evaluate(batch)?.into_array(batch.num_rows())?;
        let wrong = || DataFusionError::Internal(format!("{} is no condition", self.words));
        passes.as_boolean_opt().cloned().ok_or_else(wrong)
    }

    fn verdicts(
        &self,
        table: &StoreTable,
        block: &Block,
    ) -> Result<Option<(Arc<Verdicts>, Texts)>> {
        let Some(column) = &self.text else {
            return Ok(None);
        };
        let Some(texts) = table.texts(block, column).map_err(external)? else {
            return Ok(None);
        };
        let known = || self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let verdicts = known().get(&block.part()).cloned();
        let verdicts = verdicts.unwrap_or_else(|| {
            // A text that cannot be asked may be that of a deleted game: rows will tell.
            let judged = self.judge(table, texts.distinct().iter());
            let verdicts = judged.ok().map(Arc::new);
            known().insert(block.part(), verdicts.clone());
            verdicts
        });
        Ok(verdicts.map(|verdicts| (verdicts, texts)))
    }

    fn judge<'a>(
        &self,
        table: &StoreTable,
        texts: impl Iterator<Item = Option<&'a str>>,
    ) -> Result<Verdicts> {
        let texts: StringViewArray = texts.chain([None]).collect();
        let schema = Arc::new(table.games().project(&self.columns)?);
        let batch = RecordBatch::try_new(schema, vec![Arc::new(texts)])?;
        let passes = self.passes(&batch)?;
        let mut passes: Vec<bool> = passes.iter().map(|it| it == Some(true)).collect();
        let without = passes.pop().unwrap_or(false);
        Ok(Verdicts { passes, without })
    }
}

/// A condition on the numbers of games that is known only when they are read.
#[derive(Clone, Debug)]
pub(super) struct IdFilter {
    expr: Arc<dyn PhysicalExpr>,
    schema: SchemaRef,
}

impl IdFilter {
    /// The condition, if it is on the column of that name alone.
    pub fn new(filter: &Arc<dyn PhysicalExpr>, id: &str) -> Option<IdFilter> {
        let columns = collect_columns(filter);
        let is_on_id = !columns.is_empty() && columns.iter().all(|column| column.name() == id);
        let schema = Schema::new(vec![Field::new(id, DataType::Int64, false)]);
        let expr = is_on_id.then(|| reassign_expr_columns(Arc::clone(filter), &schema));
        Some(IdFilter {
            expr: expr?.ok()?,
            schema: Arc::new(schema),
        })
    }

    pub fn expr(&self) -> &Arc<dyn PhysicalExpr> {
        &self.expr
    }

    /// Keeps rows that pass.
    pub fn retain(&self, table: &StoreTable, block: &Block, rows: &mut Vec<u32>) -> Result<()> {
        let column = table.games().index_of("id")?;
        let ids = table.read_games(block, rows, &[column]).map_err(external)?;
        let ids = RecordBatch::try_new(Arc::clone(&self.schema), ids.columns().to_vec())?;
        let passes = self.expr.evaluate(&ids)?.into_array(rows.len())?;
        if let Some(passes) = passes.as_boolean_opt() {
            retain_true(rows, passes);
        }
        Ok(())
    }
}

fn retain_true(rows: &mut Vec<u32>, passes: &BooleanArray) {
    let mut index = 0;
    rows.retain(|_| {
        index += 1;
        passes.is_valid(index - 1) && passes.value(index - 1)
    });
}

pub(super) fn external(error: tabiya::Error) -> DataFusionError {
    DataFusionError::External(error.into())
}

/// Leaves out blocks in which no row can pass.
pub(super) fn prune(
    table: &StoreTable,
    blocks: Vec<Block>,
    filters: &[RowFilter],
    exprs: &[Expr],
    state: &dyn Session,
) -> Result<Vec<Block>> {
    let mut kept = prune_by_numbers(table, blocks, exprs, state)?;
    let mut failed = None;
    kept.retain(|block| {
        let mut may_pass = filters.iter().map(|filter| filter.may_pass(table, block));
        may_pass.all(|may_pass| match may_pass {
            Ok(may_pass) => may_pass,
            Err(error) => {
                failed = Some(error);
                true
            }
        })
    });
    failed.map_or(Ok(kept), Err)
}

fn prune_by_numbers(
    table: &StoreTable,
    blocks: Vec<Block>,
    exprs: &[Expr],
    state: &dyn Session,
) -> Result<Vec<Block>> {
    let Some(all) = conjunction(exprs.iter().cloned()) else {
        return Ok(blocks);
    };
    let games = table.games();
    let schema = DFSchema::try_from(games.as_ref().clone())?;
    let predicate = state.create_physical_expr(all, &schema)?;
    let predicate = PruningPredicateBuilder::new()
        .with_file_schema(Arc::clone(games))
        .build(predicate);
    let Some(predicate) = predicate else {
        return Ok(blocks);
    };
    let spans = Spans {
        table,
        blocks: &blocks,
    };
    let keeps = predicate.prune(&spans)?;
    let kept = blocks.iter().zip(keeps).filter(|(_, keeps)| *keeps);
    Ok(kept.map(|(block, _)| *block).collect())
}

/// What is known of the numbers in blocks.
struct Spans<'a> {
    table: &'a StoreTable,
    blocks: &'a [Block],
}

impl Spans<'_> {
    /// A number for each block; nothing of a column that has none, or cannot be read.
    fn numbers(
        &self,
        column: &Column,
        number: impl Fn(&tabiya::store::table::Span) -> Option<i64>,
    ) -> Option<ArrayRef> {
        let field = self.table.games().field_with_name(&column.name).ok()?;
        let numbers = self.blocks.iter().map(|block| {
            let span = self.table.span(block, &column.name).ok()??;
            let number = number(&span).map(|number| ScalarValue::Int64(Some(number)));
            number
                .unwrap_or(ScalarValue::Int64(None))
                .cast_to(field.data_type())
                .ok()
        });
        let numbers: Vec<ScalarValue> = numbers.collect::<Option<_>>()?;
        ScalarValue::iter_to_array(numbers).ok()
    }

    fn counts(&self, column: &Column) -> Option<ArrayRef> {
        let counts = self.blocks.iter().map(|block| {
            let span = self.table.span(block, &column.name).ok()??;
            Some(ScalarValue::UInt64(Some(span.nulls)))
        });
        let counts: Vec<ScalarValue> = counts.collect::<Option<_>>()?;
        ScalarValue::iter_to_array(counts).ok()
    }
}

impl PruningStatistics for Spans<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.numbers(column, |span| span.ends.map(|(least, _)| least))
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.numbers(column, |span| span.ends.map(|(_, most)| most))
    }

    fn num_containers(&self) -> usize {
        self.blocks.len()
    }

    fn null_counts(&self, column: &Column) -> Option<ArrayRef> {
        self.counts(column)
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        let counts = self
            .blocks
            .iter()
            .map(|block| ScalarValue::UInt64(Some(block.rows())));
        ScalarValue::iter_to_array(counts).ok()
    }

    fn contained(
        &self,
        _: &Column,
        _: &std::collections::HashSet<ScalarValue>,
    ) -> Option<BooleanArray> {
        // Texts are asked by the filters themselves.
        None
    }
}
