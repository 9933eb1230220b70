//! What the columns are called, and what is in them.

use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::tag::{self, COLUMNS, Type};

/// Columns of `games` that no store has: the number of an entry, and its main line.
pub(super) const ID: &str = "id";
pub(super) const MAIN_LINE: &str = "main_line";
pub(super) const MOVES: &str = "moves";
pub(super) const TAG_ORDER: &str = "tag_order";
pub(super) const OTHER_TAGS: &str = "other_tags";

/// The columns that are neither tags nor moves.
const OWN: [(&str, DataType); 6] = [
    ("kind", DataType::Utf8View),
    ("result", DataType::Utf8View),
    ("ply_count", DataType::Int32),
    ("broken", DataType::Boolean),
    ("start", DataType::Utf8View),
    ("variant", DataType::Utf8View),
];

/// Those behind the tags.
const LAST: [(&str, DataType); 9] = [
    (TAG_ORDER, DataType::Utf8View),
    (OTHER_TAGS, DataType::Utf8View),
    (MOVES, DataType::BinaryView),
    ("shapes", DataType::BinaryView),
    ("clocks", DataType::BinaryView),
    ("time_spent", DataType::BinaryView),
    ("evaluations", DataType::BinaryView),
    ("judgements", DataType::BinaryView),
    ("signature", DataType::Int64),
];

/// The columns of `games`, if these tags have columns under their own names. Those that others have are
/// left out, whatever their case: many programs do not tell names by it.
///
/// ```
/// let games = tabiya_store::table::games(["Board".into(), "white".into()]);
/// assert!(games.column_with_name("Board").is_some());
/// assert_eq!(games.fields().iter().filter(|field| field.name() == "white").count(), 1);
/// ```
#[must_use]
pub fn games(tags: impl IntoIterator<Item = Box<str>>) -> SchemaRef {
    let field = |name: &str, kind: &DataType| Field::new(name, kind.clone(), true);
    let fixed = |(name, kind): &(&str, DataType)| field(name, kind);
    let mut fields = vec![Field::new(ID, DataType::Int64, false)];
    fields.extend(OWN.iter().map(fixed));
    fields.extend(COLUMNS.iter().map(|column| {
        let kind = match column.kind {
            Type::Text => DataType::Utf8View,
            Type::Small => DataType::Int16,
            Type::Date | Type::Number => DataType::Int32,
        };
        field(column.name, &kind)
    }));
    let tags = usable(tags.into_iter().collect());
    fields.extend(tags.iter().map(|tag| field(tag, &DataType::Utf8View)));
    fields.push(field(MAIN_LINE, &DataType::Utf8View));
    fields.extend(LAST.iter().map(fixed));
    Arc::new(Schema::new(fields))
}

/// The column that a tag of PGN has in all tables, whatever its case.
///
/// ```
/// use tabiya_store::table::column_of_tag;
///
/// assert_eq!(column_of_tag("WhiteElo"), Some("white_rating"));
/// assert_eq!(column_of_tag("Board"), None);
/// ```
#[must_use]
pub fn column_of_tag(tag: &str) -> Option<&'static str> {
    let mut columns = COLUMNS.iter();
    let found = columns.find(|column| column.tag.eq_ignore_ascii_case(tag));
    found.map(|column| column.name)
}

/// The tags that have columns of their own, by the names that they have there.
fn usable(mut tags: Vec<Box<str>>) -> Vec<Box<str>> {
    let is_free = |tag: &str| {
        let tag = tag.to_ascii_lowercase();
        !tag::is_taken(&tag) && ![ID, MAIN_LINE].contains(&&*tag)
    };
    tags.sort_unstable_by(|one, other| {
        let folded = |tag: &str| tag.to_ascii_lowercase();
        folded(one).cmp(&folded(other)).then_with(|| one.cmp(other))
    });
    tags.dedup_by(|tag, before| tag.eq_ignore_ascii_case(before));
    tags.retain(|tag| is_free(tag));
    tags
}

/// Which columns of `games` are those of tags under their own names.
pub(super) fn own_tags(games: &Schema) -> Vec<Box<str>> {
    let names = games.fields().iter().map(|field| field.name().as_str());
    let own = names.filter(|name| !tag::is_taken(name) && ![ID, MAIN_LINE].contains(name));
    own.map(Into::into).collect()
}

/// The columns of `positions`.
///
/// ```
/// assert_eq!(tabiya_store::table::positions().field(0).name(), "key");
/// ```
#[must_use]
pub fn positions() -> SchemaRef {
    static POSITIONS: LazyLock<SchemaRef> = LazyLock::new(|| {
        let fields = PlyColumn::ALL.map(|column| {
            let (name, kind, nullable) = column.field();
            Field::new(name, kind, nullable)
        });
        Arc::new(Schema::new(fields.to_vec()))
    });
    Arc::clone(&POSITIONS)
}

/// A column of `positions`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlyColumn {
    Key,
    Game,
    Ply,
    Side,
    Uci,
    San,
    Clock,
    Evaluation,
    Mate,
    Material,
}

impl PlyColumn {
    pub const ALL: [PlyColumn; 10] = [
        PlyColumn::Key,
        PlyColumn::Game,
        PlyColumn::Ply,
        PlyColumn::Side,
        PlyColumn::Uci,
        PlyColumn::San,
        PlyColumn::Clock,
        PlyColumn::Evaluation,
        PlyColumn::Mate,
        PlyColumn::Material,
    ];

    fn field(self) -> (&'static str, DataType, bool) {
        match self {
            PlyColumn::Key => ("key", DataType::Int64, false),
            PlyColumn::Game => ("game", DataType::Int64, false),
            PlyColumn::Ply => ("ply", DataType::Int32, false),
            PlyColumn::Side => ("side", DataType::Utf8View, false),
            PlyColumn::Uci => ("uci", DataType::Utf8View, false),
            PlyColumn::San => ("san", DataType::Utf8View, false),
            PlyColumn::Clock => ("clock", DataType::Int64, true),
            PlyColumn::Evaluation => ("evaluation", DataType::Int32, true),
            PlyColumn::Mate => ("mate", DataType::Int32, true),
            PlyColumn::Material => ("material", DataType::Utf8View, false),
        }
    }
}
