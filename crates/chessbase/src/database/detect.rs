//! The code page of a database, by a sample of its names and texts.

use encoding_rs::Encoding;

use crate::{
    annotations::Record,
    encoding::Detector,
    files::{
        FileKind,
        entity::{Entities, Entity},
        header::Entry,
        set::{FileSet, Tables},
    },
    text::GuidingText,
};

/// So many names of a kind and so many records are looked at. They are spread over the whole
/// file: one database may be a collection of several.
const SAMPLE: usize = 4096;

/// The types of annotations that are texts, with two bytes before the letters.
const TEXTS: [u8; 2] = [0x02, 0x82];

/// The encoding that fits the database best.
pub(super) fn encoding(files: &FileSet, tables: &Tables<'_>) -> &'static Encoding {
    let mut detector = Detector::default();
    names(&tables.players, &mut detector, |player, add| {
        add(player.last.text());
        add(player.first.text());
    });
    names(&tables.tournaments, &mut detector, |tournament, add| {
        add(tournament.title.text());
        add(tournament.place.text());
    });
    names(&tables.annotators, &mut detector, |annotator, add| {
        add(annotator.name.text());
    });
    let moves = files.get(FileKind::Moves).map_or(&[][..], |file| file);
    let annotations = files.get(FileKind::Annotations);
    let annotations = annotations.map_or(&[][..], |file| file);
    let step = (tables.headers.len() as usize).div_ceil(SAMPLE).max(1);
    for (_, entry) in tables.headers.iter().step_by(step) {
        match entry {
            Entry::Game(game) if game.annotations != 0 => {
                add_comments(annotations.get(game.annotations as usize..), &mut detector);
            }
            Entry::Text(text) => {
                let bytes = moves.get(text.text as usize..).unwrap_or_default();
                if let Ok(text) = GuidingText::parse(bytes) {
                    text.raw_texts().for_each(|text| detector.add(text));
                }
            }
            _ => {}
        }
    }
    detector.encoding()
}

fn names<T: Entity>(
    table: &Option<Entities<'_, T>>,
    detector: &mut Detector,
    texts: impl Fn(&T, &mut dyn FnMut(&[u8])),
) {
    let Some(table) = table else { return };
    let step = (table.len() as usize).div_ceil(SAMPLE).max(1);
    for record in table.iter().step_by(step) {
        texts(&record.data, &mut |text| detector.add(text));
    }
}

fn add_comments(record: Option<&[u8]>, detector: &mut Detector) {
    let Ok(record) = Record::parse(record.unwrap_or_default()) else {
        return;
    };
    let items = record.items().map_while(Result::ok);
    for item in items.filter(|item| TEXTS.contains(&item.kind)) {
        detector.add(item.data.get(2..).unwrap_or_default());
    }
}
