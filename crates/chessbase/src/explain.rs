//! What every byte of a record means, in all files that it points into.

use super::{
    annotations::{self, Note},
    database::{Files, Shared, offset_of},
    encoding::TextCodec,
    fields::{Fields, list, position},
    files::{
        FileKind,
        entity::{Entities, Entity, Record as NameRecord},
        extended::ExtendedRecord,
        header::{Entry, GameRecord, TextRecord},
        set::Tables,
    },
    moves,
    text::GuidingText,
};
use tabiya_formats::dump::{Dump, Line};

/// Explains a record of the header file by its number from 1.
pub(super) fn explain(shared: &Shared, tables: &Tables<'_>, id: u32) -> Option<Dump> {
    let entry = tables.headers.get(id)?;
    let mut explainer = Explainer {
        dump: Dump::default(),
        tables,
        codec: &shared.codec,
    };
    let files = Files::new(&shared.files, tables);
    explainer.header(id, &entry);
    let extended = explainer.extended(id);
    match &entry {
        Entry::Game(record) => {
            explainer.names(record, &extended);
            explainer.game(&files, record, &extended);
        }
        Entry::Text(record) => explainer.text(&files, record, &extended),
        Entry::Empty => {}
    }
    Some(explainer.dump)
}

struct Explainer<'a> {
    dump: Dump,
    tables: &'a Tables<'a>,
    codec: &'a TextCodec,
}

impl Explainer<'_> {
    fn header(&mut self, id: u32, entry: &Entry) {
        self.dump.section(format!("header {id} (.cbh)"));
        let bytes = entry.to_bytes();
        let mut fields = Fields {
            dump: &mut self.dump,
            bytes: &bytes,
            offset: offset_of(id),
        };
        match entry {
            Entry::Game(record) => game_header(&mut fields, record),
            Entry::Text(record) => text_header(&mut fields, record),
            Entry::Empty => fields.rest("room for a game that was never written"),
        }
    }

    fn extended(&mut self, id: u32) -> ExtendedRecord {
        let Some(file) = self.tables.extended else {
            return ExtendedRecord::default();
        };
        let Some(bytes) = file.bytes(id) else {
            return ExtendedRecord::default();
        };
        let record = ExtendedRecord::from_bytes(bytes);
        self.dump.section(format!("extended header {id} (.cbj)"));
        let at = 32 + u64::from(id - 1) * bytes.len() as u64;
        let mut fields = Fields {
            dump: &mut self.dump,
            bytes,
            offset: at,
        };
        extended_header(&mut fields, &record);
        record
    }

    /// The names that a game refers to.
    fn names(&mut self, record: &GameRecord, extended: &ExtendedRecord) {
        let (tables, codec) = (self.tables, self.codec);
        let name = |bytes: &[u8]| codec.name(bytes).into_owned();
        for (what, id) in [("White", record.white), ("Black", record.black)] {
            self.name(what, &tables.players, id, |player| {
                vec![
                    (30, format!("last name {:?}", name(player.last.text()))),
                    (20, format!("first name {:?}", name(player.first.text()))),
                ]
            });
        }
        self.name("tournament", &tables.tournaments, record.tournament, |t| {
            vec![
                (40, format!("title {:?}", name(t.title.text()))),
                (30, format!("place {:?}", name(t.place.text()))),
                (4, format!("date {}", t.date)),
                (2, format!("type {}", t.kind)),
                (1, format!("nation {}", t.nation.code().unwrap_or("none"))),
                (1, "unknown".to_string()),
                (1, format!("category {}", t.category)),
                (1, "flags".to_string()),
                (1, format!("{} rounds", t.rounds)),
                (1, "unknown".to_string()),
            ]
        });
        self.name("annotator", &tables.annotators, record.annotator, |it| {
            vec![(45, format!("name {:?}", name(it.name.text())))]
        });
        self.name("source", &tables.sources, record.source, |source| {
            vec![
                (25, format!("title {:?}", name(source.title.text()))),
                (16, format!("publisher {:?}", name(source.publisher.text()))),
                (4, format!("published {}", source.publication)),
                (4, format!("of {}", source.date)),
                (1, "version".to_string()),
                (1, "quality".to_string()),
            ]
        });
        let teams = [extended.white_team(), extended.black_team()];
        for (what, id) in ["White's team", "Black's team"].iter().zip(teams) {
            if let Some(id) = id {
                self.name(what, &tables.teams, id, |team| {
                    vec![
                        (45, format!("title {:?}", name(team.title.text()))),
                        (10, "number, season, year, nation".to_string()),
                    ]
                });
            }
        }
    }

    fn name<T: Entity>(
        &mut self,
        what: &str,
        table: &Option<Entities<'_, T>>,
        id: u32,
        meanings: impl Fn(&T) -> Vec<(usize, String)>,
    ) {
        let Some(table) = table else { return };
        self.dump
            .section(format!("{what}, record {id} ({})", T::FILE));
        let header = 28 + table.header().unknown_28.len() as u64;
        let offset = header + u64::from(id) * NameRecord::<T>::SIZE as u64;
        let Some(record) = table.get(id) else {
            let line = Line::new(offset, [], "the file does not have this record");
            return self.dump.push(line);
        };
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        let mut fields = Fields {
            dump: &mut self.dump,
            bytes: &bytes,
            offset,
        };
        let node = record.node;
        fields.field(4, format_args!("left child {}", node.left));
        fields.field(4, format_args!("right child {}", node.right));
        fields.field(1, format_args!("balance {}", node.balance));
        for (length, meaning) in meanings(&record.data) {
            fields.field(length, meaning);
        }
        fields.field(4, format_args!("{} references", record.references));
        fields.rest(format_args!("first in game {}", record.first_game));
    }

    fn game(&mut self, files: &Files<'_>, record: &GameRecord, extended: &ExtendedRecord) {
        match files.moves(record.moves, extended) {
            Ok(stored) => {
                let dump = moves::explain(stored.bytes, stored.offset);
                for mut section in dump.sections {
                    section.title += " (.cbg)";
                    self.dump.sections.push(section);
                }
            }
            Err(reason) => self.nothing(FileKind::Moves, reason),
        }
        match files.annotations(record, extended) {
            None => {}
            Some(Ok(stored)) => self.annotations(stored.bytes, stored.offset),
            Some(Err(reason)) => self.nothing(FileKind::Annotations, reason),
        }
    }

    fn nothing(&mut self, file: FileKind, reason: String) {
        self.dump.section(format!("record ({file})"));
        self.dump.push(Line::new(0, [], reason));
    }

    fn annotations(&mut self, bytes: &[u8], offset: u64) {
        self.dump.section("annotations (.cba)");
        let record = match annotations::Record::parse(bytes) {
            Ok(record) => record,
            Err(error) => {
                let head = &bytes[..bytes.len().min(14)];
                return self.dump.push(Line::new(offset, head, error.to_string()));
            }
        };
        let mut fields = Fields {
            dump: &mut self.dump,
            bytes: &bytes[..record.size()],
            offset,
        };
        fields.field(3, format_args!("game {}", record.game));
        fields.field(4, "mark of a record");
        fields.field(
            3,
            format_args!("{} items and one", record.count.wrapping_sub(1)),
        );
        fields.field(4, format_args!("length {}", record.size()));
        for item in record.items() {
            match item {
                Ok(item) => {
                    fields.field(3, position(item.position));
                    fields.field(1, format_args!("type {:02x}", item.kind));
                    fields.field(2, format_args!("length {}", item.data.len() + 6));
                    let note = Note::read(&item, self.codec);
                    fields.field(item.data.len(), format_args!("{note:?}"));
                }
                Err(error) => return fields.rest(error),
            }
        }
    }

    fn text(&mut self, files: &Files<'_>, record: &TextRecord, extended: &ExtendedRecord) {
        let stored = match files.moves(record.text, extended) {
            Ok(stored) => stored,
            Err(reason) => return self.nothing(FileKind::Moves, reason),
        };
        self.dump.section("text (.cbg)");
        let frame = moves::Record::new(stored.bytes);
        let bytes = frame.map_or(stored.bytes, |frame| frame.bytes());
        let mut fields = Fields {
            dump: &mut self.dump,
            bytes,
            offset: stored.offset,
        };
        fields.field(1, "text flag");
        fields.field(3, format_args!("length {}", bytes.len()));
        match GuidingText::parse(bytes) {
            Ok(text) => {
                fields.field(2, "version");
                let languages = text.languages(self.codec);
                let titles: Vec<_> = languages.iter().map(|one| &*one.title).collect();
                fields.rest(format_args!("titles and contents: {titles:?}"));
            }
            Err(error) => fields.rest(error),
        }
    }
}

fn game_header(fields: &mut Fields<'_>, record: &GameRecord) {
    let deleted = if record.kind.is_deleted() {
        ", deleted"
    } else {
        ""
    };
    fields.field(1, format_args!("a game{deleted}"));
    fields.field(4, format_args!("moves at byte {} of .cbg", record.moves));
    match record.annotations {
        0 => fields.field(4, "no annotations"),
        at => fields.field(4, format_args!("annotations at byte {at} of .cba")),
    }
    fields.field(3, format_args!("White: player {}", record.white));
    fields.field(3, format_args!("Black: player {}", record.black));
    fields.field(3, format_args!("tournament {}", record.tournament));
    fields.field(3, format_args!("annotator {}", record.annotator));
    fields.field(3, format_args!("source {}", record.source));
    fields.field(3, format_args!("date {}", record.date));
    fields.field(1, format_args!("result {}", record.ending.result().tag()));
    fields.field(
        1,
        format_args!("judgement of a line: NAG {}", record.line_nag),
    );
    fields.field(1, format_args!("round {}", record.round));
    fields.field(
        1,
        format_args!("round within the round {}", record.subround),
    );
    fields.field(2, format_args!("White's rating {}", record.white_elo));
    fields.field(2, format_args!("Black's rating {}", record.black_elo));
    fields.field(2, format_args!("ECO or Chess960 number {}", record.eco));
    fields.field(2, format_args!("medals: {}", list(record.medals.names())));
    fields.field(
        4,
        format_args!("the game has: {}", list(record.flags.names())),
    );
    fields.field(2, "how much of it");
    fields.rest(format_args!("{} moves", record.moves_count));
}

fn text_header(fields: &mut Fields<'_>, record: &TextRecord) {
    let deleted = if record.kind.is_deleted() {
        ", deleted"
    } else {
        ""
    };
    fields.field(1, format_args!("a text{deleted}"));
    fields.field(4, format_args!("text at byte {} of .cbg", record.text));
    fields.field(2, "unknown");
    fields.field(3, format_args!("tournament {}", record.tournament));
    fields.field(3, format_args!("source {}", record.source));
    fields.field(3, format_args!("annotator {}", record.annotator));
    fields.field(1, format_args!("round {}", record.round));
    fields.field(
        1,
        format_args!("round within the round {}", record.subround),
    );
    fields.field(
        4,
        format_args!("the text has: {}", list(record.flags.names())),
    );
    fields.rest("unknown");
}

/// Older programs write shorter records: what they leave out is left out.
fn extended_header(fields: &mut Fields<'_>, record: &ExtendedRecord) {
    let [white, black] = record.teams;
    fields.field(4, format_args!("White's team {white}"));
    fields.field(4, format_args!("Black's team {black}"));
    fields.field(4, format_args!("media at byte {} of .cbm", record.media));
    fields.field(
        8,
        format_args!("annotations at byte {}", record.annotations),
    );
    fields.field(4, "greater material at the end");
    fields.field(4, "lesser material at the end");
    fields.field(2, "checksum");
    fields.field(8, format_args!("moves at byte {}", record.moves));
    fields.field(16, "kind of White's rating");
    fields.field(16, "kind of Black's rating");
    fields.field(8, "unknown");
    fields.field(2, format_args!("saved {} times", record.saves));
    fields.field(8, "when it was created");
    fields.field(20, "endgames");
    fields.field(8, "when it was saved");
    fields.field(4, format_args!("title {}", record.tag));
    fields.rest("unknown");
}
