//! Events to rows and plies.

use std::{fmt::Write, time::Duration};

use tabiya_chess::{Color, Position};
use tabiya_formats::{GameWriter, Records, writing::Wishes};
use tabiya_game::{Annotation, CommentPlace, Event, Flow, GameSink, Losses, Needs, Score, command};
use tabiya_search::Exact;

use super::ply::Ply;
use crate::{row::Row, writer::RowWriter};

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
    main_line: MainLine,
    entries: Vec<Plies>,
}

impl ExportWriter {
    pub fn new(wishes: Wishes) -> ExportWriter {
        ExportWriter {
            rows: RowWriter::new(wishes),
            main_line: MainLine::default(),
            entries: Vec::new(),
        }
    }
}

impl GameSink for ExportWriter {
    fn needs(&mut self) -> Needs {
        self.rows.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => self.main_line.begin(place.number),
            Event::Text { place, .. } | Event::Opaque { place, .. } => {
                self.main_line.begin(place.number);
            }
            _ => self.main_line.event(&event),
        }
        let flow = self.rows.event(event);
        // An entry is complete when it has its row; a text in two languages has one.
        if self.rows.len() > self.entries.len() {
            self.entries.push(std::mem::take(&mut self.main_line.told));
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

/// Hears the main line of a game, and what is said of its moves.
#[derive(Default)]
struct MainLine {
    told: Plies,
    /// Which ply was last, those that were left out counted too.
    ply: u32,
    /// Who played it.
    mover: Option<Color>,
    /// How many variations are open.
    depth: usize,
}

impl MainLine {
    fn begin(&mut self, number: u64) {
        *self = MainLine::default();
        self.told.number = number;
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            _ if self.depth > 0 => {}
            Event::Move { before, play, .. } => {
                let uci = before.uci(*play);
                self.push(before, Some((uci, before.san(*play))));
                let _ = write!(self.told.line, "{uci}");
            }
            Event::Null { before, .. } => {
                self.push(before, None);
                self.told.line.push_str("0000");
            }
            Event::Missing => {
                self.ply += 1;
                self.mover = None;
            }
            Event::Annotation(annotation) => self.note(annotation),
            Event::Comment(comment) if comment.place == CommentPlace::After => {
                if let Some(mover) = self.mover {
                    command::annotations(comment.text, mover).for_each(|it| self.note(&it));
                }
            }
            _ => {}
        }
    }

    fn push(
        &mut self,
        before: &Position,
        play: Option<(tabiya_chess::Uci, tabiya_chess::SanText)>,
    ) {
        if !self.told.line.is_empty() {
            self.told.line.push(' ');
        }
        self.ply += 1;
        self.mover = Some(before.turn());
        self.told.plies.push(Ply {
            key: Exact::key(before).0,
            number: self.ply,
            play,
            clock: None,
            score: None,
        });
    }

    /// What is said first counts.
    fn note(&mut self, annotation: &Annotation) {
        let last = self.told.plies.last_mut().filter(|_| self.mover.is_some());
        let Some(ply) = last else {
            return;
        };
        match annotation {
            Annotation::Clock(left) => {
                ply.clock.get_or_insert(milliseconds(*left));
            }
            Annotation::Evaluation(evaluation) => {
                let _: &mut Score = ply.score.get_or_insert(evaluation.score);
            }
            _ => {}
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    // More than there are fit nowhere, and no clock shows them.
    i64::try_from(time.as_millis()).map_or(i64::MAX as u64, |time| time as u64)
}
