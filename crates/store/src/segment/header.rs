//! What people look for in games, of one batch of rows.

use std::{borrow::Cow, sync::OnceLock};

use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, cast::AsArray};
use serde_json::Value;
use tabiya_chess::Variant;
use tabiya_game::{Filter, GameResult, GameState, Tags};

use super::{
    SegmentError, SegmentFile,
    cell::{NumberColumn, TextColumn},
    table::TAG,
};
use crate::{
    row::Kind,
    tag::{self, COLUMNS, Type},
};

/// The columns of a batch that are not moves.
pub(crate) struct Header {
    kinds: Option<TextColumn>,
    results: TextColumn,
    plies: NumberColumn,
    broken: Option<BooleanArray>,
    starts: Option<TextColumn>,
    variants: Option<TextColumn>,
    others: Option<TextColumn>,
    tags: Vec<TagColumn>,
    orders: Option<TextColumn>,
    /// The orders of tags that have been looked at, by their keys.
    parsed: Vec<OnceLock<Option<Vec<OrderedTag>>>>,
}

/// A column that is filled from a tag.
struct TagColumn {
    tag: String,
    values: TagValues,
}

pub(crate) enum TagValues {
    Text(TextColumn),
    Number(Type, NumberColumn),
}

/// A tag in the order of a game's tags.
#[derive(Clone, PartialEq, Eq, Debug)]
enum OrderedTag {
    /// The result's own column has it.
    Result,
    /// The column of this number has it.
    InColumn(usize),
    /// It is beside the columns, under this name.
    Beside(String),
}

/// The same as it is stored.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum StoredTag {
    InColumn(String),
    Beside([String; 1]),
}

fn wrong(name: &str) -> SegmentError {
    SegmentError::column(SegmentFile::Games, name)
}

/// A column of some type if it is there.
fn optional<T>(
    batch: &RecordBatch,
    name: &str,
    of: impl Fn(&ArrayRef) -> Option<T>,
) -> Result<Option<T>, SegmentError> {
    let array = batch.column_by_name(name);
    array
        .map(|array| of(array).ok_or_else(|| wrong(name)))
        .transpose()
}

fn required<T>(
    batch: &RecordBatch,
    name: &str,
    of: impl Fn(&ArrayRef) -> Option<T>,
) -> Result<T, SegmentError> {
    optional(batch, name, of)?.ok_or_else(|| wrong(name))
}

impl Header {
    pub fn new(batch: &RecordBatch) -> Result<Header, SegmentError> {
        let boolean = |array: &ArrayRef| array.as_boolean_opt().cloned();
        let orders = optional(batch, "tag_order", TextColumn::of)?;
        let distinct = orders.as_ref().map_or(0, TextColumn::distinct);
        Ok(Header {
            kinds: optional(batch, "kind", TextColumn::of)?,
            results: required(batch, "result", TextColumn::of)?,
            plies: required(batch, "ply_count", NumberColumn::of)?,
            broken: optional(batch, "broken", boolean)?,
            starts: optional(batch, "start", TextColumn::of)?,
            variants: optional(batch, "variant", TextColumn::of)?,
            others: optional(batch, "other_tags", TextColumn::of)?,
            tags: tag_columns(batch)?,
            orders,
            parsed: (0..distinct).map(|_| OnceLock::new()).collect(),
        })
    }

    pub fn kind(&self, row: usize) -> Kind {
        let name = text(&self.kinds, row);
        let mut kinds = Kind::ALL.into_iter();
        let kind = kinds.find(|kind| name == Some(kind.name()));
        kind.unwrap_or_default()
    }

    pub fn result(&self, row: usize) -> GameResult {
        let text = self.results.get(row).unwrap_or_default();
        let mut results = GameResult::ALL.into_iter();
        let result = results.find(|result| result.tag() == text);
        result.unwrap_or_default()
    }

    pub fn state(&self, row: usize) -> GameState {
        match &self.broken {
            Some(broken) if broken.is_valid(row) && broken.value(row) => GameState::Broken,
            _ => GameState::Complete,
        }
    }

    pub fn variant(&self, row: usize) -> Variant {
        let name = text(&self.variants, row);
        name.and_then(|name| name.parse().ok()).unwrap_or_default()
    }

    pub fn start(&self, row: usize) -> Option<&str> {
        text(&self.starts, row)
    }

    pub fn plies(&self, row: usize) -> u32 {
        let plies = self.plies.get(row).and_then(|plies| plies.try_into().ok());
        plies.unwrap_or(0)
    }

    pub fn tags(&self, row: usize) -> Option<Tags> {
        let mut tags = Tags::new();
        self.for_each_tag(row, |name, value| tags.push(name, value))?;
        Some(tags)
    }

    /// Names and values of the tags, in their order; `None` behind the last that can be read.
    pub fn for_each_tag(&self, row: usize, mut tell: impl FnMut(&str, &str)) -> Option<()> {
        let others = match text(&self.others, row) {
            Some(others) => serde_json::from_str::<Vec<String>>(others).ok()?,
            None => Vec::new(),
        };
        let mut others = others.iter();
        let mut spelled = String::new();
        for tag in &*self.order(row)? {
            match tag {
                OrderedTag::Result => tell("Result", self.result(row).tag()),
                OrderedTag::InColumn(index) => {
                    let TagColumn { tag, values } = &self.tags[*index];
                    tell(tag, values.get(row, &mut spelled)?);
                }
                OrderedTag::Beside(name) => tell(name, others.next()?),
            }
        }
        Some(())
    }

    /// The first value of a tag that stands beside the columns.
    pub fn beside(&self, row: usize, tag: &str) -> Option<String> {
        let order = self.order(row)?;
        let is_it = |ordered: &OrderedTag| match ordered {
            OrderedTag::Beside(name) => name == tag,
            OrderedTag::Result | OrderedTag::InColumn(_) => false,
        };
        let others = || {
            order
                .iter()
                .filter(|tag| matches!(tag, OrderedTag::Beside(_)))
        };
        let place = others().position(is_it)?;
        let values: Vec<String> = serde_json::from_str(text(&self.others, row)?).ok()?;
        values.into_iter().nth(place)
    }

    /// The order of a row's tags and the values of those beside columns, as they are stored, if only
    /// some tags have columns; `None` if they are damaged.
    pub fn beside_some(
        &self,
        row: usize,
        has_column: impl Fn(&str) -> bool,
    ) -> Option<[String; 2]> {
        let kept = match text(&self.others, row) {
            Some(others) => serde_json::from_str::<Vec<String>>(others).ok()?,
            None => Vec::new(),
        };
        let mut kept = kept.into_iter();
        let (mut order, mut others) = (Vec::new(), Vec::new());
        let mut spelled = String::new();
        for tag in &*self.order(row)? {
            let (name, value) = match tag {
                OrderedTag::Result => {
                    order.push(Value::from("Result"));
                    continue;
                }
                OrderedTag::InColumn(index) => {
                    let TagColumn { tag, values } = &self.tags[*index];
                    if has_column(tag) {
                        order.push(Value::from(tag.as_str()));
                        continue;
                    }
                    (tag, values.get(row, &mut spelled)?.to_owned())
                }
                OrderedTag::Beside(name) => (name, kept.next()?),
            };
            order.push(Value::from(vec![name.as_str()]));
            others.push(Value::from(value));
        }
        Some([order, others].map(|texts| match texts.is_empty() {
            true => String::new(),
            false => Value::from(texts).to_string(),
        }))
    }

    /// The column that is filled from a tag.
    pub fn column(&self, tag: &str) -> Option<&TagValues> {
        let column = self.tags.iter().find(|column| column.tag == tag);
        column.map(|column| &column.values)
    }

    pub fn results(&self) -> &TextColumn {
        &self.results
    }

    pub fn ply_counts(&self) -> &NumberColumn {
        &self.plies
    }

    /// The kinds of entries, if there are others than games.
    pub fn kinds(&self) -> Option<&TextColumn> {
        self.kinds.as_ref()
    }

    /// The orders of tags, if there are tags.
    pub fn orders(&self) -> Option<&TextColumn> {
        self.orders.as_ref()
    }

    /// Whether an order, that of a key if it has one, puts one of some tags beside its column, or
    /// is damaged: then the columns do not have all that is said in these tags.
    pub fn is_beside(&self, text: &str, key: Option<usize>, tags: &[&str]) -> bool {
        let order = self.order_of(text, key);
        order.is_none_or(|order| {
            order.iter().any(|tag| match tag {
                OrderedTag::Beside(name) => tags.contains(&name.as_str()),
                OrderedTag::Result | OrderedTag::InColumn(_) => false,
            })
        })
    }

    /// By what a row's tags beside columns are known, if others share them.
    pub fn beside_keys(&self, row: usize) -> Option<(usize, usize)> {
        let order = self.orders.as_ref()?.key(row)?;
        Some((order, self.others.as_ref()?.key(row)?))
    }

    /// Whether one of some tags stands beside its column with a value that filters ask about, or
    /// the tags are damaged. Where the column has the tag as well, the first of them counts, so that
    /// even a value that says nothing does.
    pub fn beside_counts(&self, row: usize, tags: &[&str]) -> bool {
        let others = text(&self.others, row).and_then(|text| serde_json::from_str(text).ok());
        let (Some(order), Some(others)) = (self.order(row), others) else {
            return true;
        };
        let others: Vec<String> = others;
        let in_column = |name: &str| {
            order.iter().any(|tag| match tag {
                OrderedTag::InColumn(index) => self.tags[*index].tag == name,
                OrderedTag::Result => name == "Result",
                OrderedTag::Beside(_) => false,
            })
        };
        let mut names = order.iter().filter_map(|tag| match tag {
            OrderedTag::Beside(name) => Some(name.as_str()),
            OrderedTag::Result | OrderedTag::InColumn(_) => None,
        });
        let mut values = others.iter();
        names.any(|name| match values.next() {
            Some(value) => {
                tags.contains(&name) && (in_column(name) || !Filter::ignores(name, value))
            }
            None => true,
        })
    }

    /// The order of a row's tags; `None` if it is damaged.
    fn order(&self, row: usize) -> Option<Cow<'_, [OrderedTag]>> {
        let Some(orders) = &self.orders else {
            return Some(Cow::Borrowed(&[]));
        };
        let Some(text) = orders.get(row) else {
            return Some(Cow::Borrowed(&[]));
        };
        self.order_of(text, orders.key(row))
    }

    fn order_of(&self, text: &str, key: Option<usize>) -> Option<Cow<'_, [OrderedTag]>> {
        match key.and_then(|key| self.parsed.get(key)) {
            Some(parsed) => {
                let parsed = parsed.get_or_init(|| self.parse_order(text));
                parsed.as_deref().map(Cow::Borrowed)
            }
            None => self.parse_order(text).map(Cow::Owned),
        }
    }

    fn parse_order(&self, text: &str) -> Option<Vec<OrderedTag>> {
        let stored: Vec<StoredTag> = serde_json::from_str(text).ok()?;
        let tags = stored.into_iter().map(|tag| match tag {
            StoredTag::Beside([name]) => Some(OrderedTag::Beside(name)),
            StoredTag::InColumn(name) if name == "Result" => Some(OrderedTag::Result),
            StoredTag::InColumn(name) => {
                let index = self.tags.iter().position(|column| column.tag == name);
                index.map(OrderedTag::InColumn)
            }
        });
        tags.collect()
    }
}

impl TagValues {
    fn get<'a>(&'a self, row: usize, spelled: &'a mut String) -> Option<&'a str> {
        match self {
            TagValues::Text(texts) => texts.get(row),
            TagValues::Number(kind, numbers) => {
                spelled.clear();
                tag::spell(*kind, numbers.get(row)?, spelled);
                Some(spelled)
            }
        }
    }
}

fn tag_columns(batch: &RecordBatch) -> Result<Vec<TagColumn>, SegmentError> {
    let mut tags = Vec::new();
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let Some(tag) = field.metadata().get(TAG) else {
            continue;
        };
        let known = COLUMNS.iter().find(|column| column.tag == tag);
        let values = match known.map_or(Type::Text, |column| column.kind) {
            Type::Text => TextColumn::of(array).map(TagValues::Text),
            kind => NumberColumn::of(array).map(|numbers| TagValues::Number(kind, numbers)),
        };
        tags.push(TagColumn {
            tag: tag.clone(),
            values: values.ok_or_else(|| wrong(field.name()))?,
        });
    }
    Ok(tags)
}

fn text(column: &Option<TextColumn>, row: usize) -> Option<&str> {
    column.as_ref()?.get(row)
}
