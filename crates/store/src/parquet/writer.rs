//! Events to rows and plies.

use tabiya_formats::{GameWriter, Records, writing::Wishes};
use tabiya_game::{Event, Flow, GameSink, Losses, Needs};

use crate::{
    row::Row,
    table::{MainLine, Ply},
    writer::RowWriter,
};

/// What the records are called.
pub(super) const RECORDS: &str = "parquet";

/// An entry on its way.
#[derive(Debug)]
pub(super) struct Entry {
    pub row: Row,
    pub plies: Plies,
}

/// The main line of an entry; that of an entry which is no game is empty.
#[derive(Debug, Default)]
pub(super) struct Plies {
    /// The number of the entry in its database; 0 if it has none.
    pub number: u64,
    /// All moves in UCI notation, a space between two.
    pub line: String,
    pub plies: Vec<Ply>,
}

/// Takes entries apart: what a store has of them, and their plies.
pub(super) struct ExportWriter {
    rows: RowWriter,
    number: u64,
    main_line: MainLine,
    entries: Vec<Plies>,
}

impl ExportWriter {
    pub fn new(wishes: Wishes) -> ExportWriter {
        ExportWriter {
            rows: RowWriter::new(wishes),
            number: 0,
            main_line: MainLine::default(),
            entries: Vec::new(),
        }
    }

    fn begin(&mut self, number: u64) {
        self.number = number;
        self.main_line = MainLine::default();
    }
}

impl GameSink for ExportWriter {
    fn needs(&mut self) -> Needs {
        self.rows.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) | Event::Text { place, .. } | Event::Opaque { place, .. } => {
                self.begin(place.number)
            }
            _ => self.main_line.hear(&event),
        }
        let flow = self.rows.event(event);
        // An entry is complete when it has its row; a text in two languages has one.
        if self.rows.len() > self.entries.len() {
            let MainLine { line, plies, .. } = std::mem::take(&mut self.main_line);
            self.entries.push(Plies {
                number: self.number,
                line,
                plies,
            });
        }
        flow
    }
}

impl GameWriter for ExportWriter {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn take(&mut self) -> Records {
        let rows = self.rows.take_rows().into_iter();
        let entries = rows.zip(std::mem::take(&mut self.entries));
        let entries = entries.map(|(row, plies)| Entry { row, plies });
        Records::new(RECORDS, entries.collect::<Vec<Entry>>())
    }

    fn take_losses(&mut self) -> Losses {
        self.rows.take_losses()
    }
}
