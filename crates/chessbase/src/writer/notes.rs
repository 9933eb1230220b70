//! Which stored move a note belongs to.

use tabiya_game::{Annotation, Comment, CommentPlace, Event, LossKind, Losses, Nag};

use crate::{
    annotations::{RecordWriter, WrittenRecord},
    moves::Taken,
};

/// The position of notes about the game as a whole.
const GAME: i32 = -1;

/// Hears notes and knows their moves.
///
/// While a game is heard, a note is kept by the number that its move has in the order of events;
/// when all moves are known, that becomes the number in stored order.
#[derive(Debug)]
pub(crate) struct NoteTaker {
    record: RecordWriter,
    /// The names of tags that were taken: there is room for one of each.
    tags: Vec<String>,
    /// Notes that wait for the move after them, and whether it has been said that they stood
    /// elsewhere.
    waiting: Vec<(Waiting, bool)>,
    /// For each open line: what its notes belong to.
    line: Line,
    open: Vec<Line>,
    /// A variation has ended since the last move.
    varied: bool,
    game: u64,
    losses: Losses,
}

#[derive(Clone, Copy, Debug)]
enum Line {
    /// Nothing has been played in it. Only in the main line is that a place for notes.
    Fresh { variation: bool },
    /// The last move has been written. It may be the first one of a variation.
    Moving { first: bool },
    /// The last move could not be written.
    Lost,
}

#[derive(Debug)]
enum Waiting {
    Comment {
        place: CommentPlace,
        language: Option<String>,
        text: String,
    },
    Nag(Nag),
    Annotation(Annotation),
}

impl Waiting {
    fn of(event: &Event<'_>) -> Option<Waiting> {
        Some(match event {
            Event::Comment(comment) => Waiting::Comment {
                place: comment.place,
                language: comment.language.map(str::to_owned),
                text: comment.text.to_owned(),
            },
            Event::Nag(nag) => Waiting::Nag(*nag),
            Event::Annotation(annotation) => Waiting::Annotation((*annotation).clone()),
            _ => return None,
        })
    }

    fn event(&self) -> Event<'_> {
        match self {
            Waiting::Comment {
                place,
                language,
                text,
            } => Event::Comment(Comment {
                place: *place,
                language: language.as_deref(),
                text,
            }),
            Waiting::Nag(nag) => Event::Nag(*nag),
            Waiting::Annotation(annotation) => Event::Annotation(annotation),
        }
    }
}

impl NoteTaker {
    /// Makes a record of notes by a writer.
    pub fn new(record: RecordWriter) -> NoteTaker {
        NoteTaker {
            record,
            tags: Vec::new(),
            waiting: Vec::new(),
            line: Line::Fresh { variation: false },
            open: Vec::new(),
            varied: false,
            game: 0,
            losses: Losses::default(),
        }
    }

    pub fn begin(&mut self, game: u64) {
        self.record.start(game);
        self.tags.clear();
        self.waiting.clear();
        self.line = Line::Fresh { variation: false };
        self.open.clear();
        self.varied = false;
        self.game = game;
    }

    /// Takes a tag that is an annotation of the whole game. Says whether it is one.
    pub fn tag(&mut self, name: &str, value: &str) -> bool {
        let taken = !self.tags.iter().any(|tag| tag == name) && self.record.tag(name, value);
        if taken {
            self.tags.push(name.to_owned());
        }
        taken
    }

    /// Takes a note; `last` is the last move.
    pub fn take(&mut self, event: &Event<'_>, last: Option<Taken>) {
        let before = matches!(event, Event::Comment(comment)
            if comment.place == CommentPlace::Before);
        match self.line {
            Line::Lost => self.lose(event, "at a move that cannot be written"),
            Line::Fresh { variation: true } if !before => {
                self.misplace(event, "before the first move of a variation");
                self.wait(event, true);
            }
            _ if before => self.wait(event, false),
            Line::Fresh { .. } => {
                // What was said before it stays before it.
                for (note, _) in std::mem::take(&mut self.waiting) {
                    self.record.event(GAME, &note.event());
                }
                self.record.event(GAME, event);
            }
            Line::Moving { .. } => {
                if self.varied {
                    self.misplace(event, "after a variation, not before it");
                }
                self.record.event(number(last), event);
            }
        }
    }

    fn wait(&mut self, event: &Event<'_>, is_told: bool) {
        let note = Waiting::of(event).map(|note| (note, is_told));
        self.waiting.extend(note);
    }

    /// Says where a note stood that stands elsewhere now.
    fn misplace(&mut self, event: &Event<'_>, place: &str) {
        let (kind, what) = match event {
            Event::Nag(_) => (LossKind::Nag, "a NAG"),
            _ => (LossKind::CommentPlace, "a note"),
        };
        let what = || format!("that {what} stood {place}");
        self.losses.note(self.game, kind, what);
    }

    /// Before moves are told of a step. A line that ends leaves its last notes without a move.
    pub fn before_step(&mut self, event: &Event<'_>, last: Option<Taken>) {
        match event {
            Event::VariationStart => {
                self.settle(last);
                self.flatten();
                self.varied = false;
                self.open.push(self.line);
                self.line = match self.line {
                    Line::Lost => Line::Lost,
                    _ => Line::Fresh { variation: true },
                };
            }
            Event::VariationEnd => {
                match self.line {
                    // Its notes find a move when the line that it left goes on.
                    Line::Fresh { variation: true } => {
                        let what = || "a variation without moves".to_owned();
                        self.losses.note(self.game, LossKind::Variation, what);
                    }
                    _ => self.settle(last),
                }
                self.varied = true;
                self.line = self.open.pop().unwrap_or(self.line);
            }
            _ => {}
        }
    }

    /// All that can be played instead of a move stands side by side, behind that move.
    fn flatten(&mut self) {
        let what = match self.line {
            Line::Fresh { .. } => "that a variation stood before the move it replaces",
            Line::Moving { first: true } => "that a variation stood in another one",
            Line::Moving { .. } | Line::Lost => return,
        };
        self.losses
            .note(self.game, LossKind::Variation, || what.to_owned());
    }

    /// After moves have been told of a step, of which the last one and the one before it are known.
    pub fn after_step(&mut self, event: &Event<'_>, before: Option<Taken>, last: Option<Taken>) {
        match event {
            Event::VariationStart => return,
            Event::VariationEnd => return self.settle(last),
            _ => {}
        }
        self.varied = false;
        let written = last != before;
        self.line = match self.line {
            Line::Fresh { variation } if written => Line::Moving { first: variation },
            Line::Moving { .. } if written => Line::Moving { first: false },
            _ => Line::Lost,
        };
        for (note, _) in std::mem::take(&mut self.waiting) {
            match written {
                true => {
                    self.record.event(number(last), &note.event());
                }
                false => self.lose(&note.event(), "at a move that cannot be written"),
            }
        }
    }

    /// Notes that waited for a move that does not come stand after the last one.
    fn settle(&mut self, last: Option<Taken>) {
        for (note, is_told) in std::mem::take(&mut self.waiting) {
            if !is_told {
                let what = || "that a note stood before a move that is not there".to_owned();
                self.losses.note(self.game, LossKind::CommentPlace, what);
            }
            let event = match note.event() {
                Event::Comment(comment) => Event::Comment(Comment {
                    place: CommentPlace::After,
                    ..comment
                }),
                other => other,
            };
            self.record.event(number(last), &event);
        }
    }

    fn lose(&mut self, event: &Event<'_>, why: &str) {
        let (kind, what) = match event {
            Event::Nag(_) => (LossKind::Nag, "a NAG"),
            Event::Comment(_) => (LossKind::Comment, "a comment"),
            _ => (LossKind::Annotation, "an annotation"),
        };
        self.losses
            .note(self.game, kind, || format!("{what} {why}"));
    }

    /// The record of all notes, once the moves are written; `stored` tells the numbers of moves,
    /// from 1.
    pub fn finish(
        &mut self,
        last: Option<Taken>,
        stored: impl Fn(Taken) -> Option<u32>,
    ) -> Option<WrittenRecord> {
        self.settle(last);
        self.record.finish_placed(0, placed(stored))
    }

    /// The same as items with their positions and types, in order.
    pub fn finish_items(
        &mut self,
        last: Option<Taken>,
        stored: impl Fn(Taken) -> Option<u32>,
    ) -> Vec<(i32, u8, Vec<u8>)> {
        self.settle(last);
        self.record.finish_items(placed(stored))
    }

    pub fn take_losses(&mut self) -> Losses {
        let mut losses = std::mem::take(&mut self.losses);
        losses.append(self.record.take_losses());
        losses
    }
}

/// The positions of notes, by the numbers of moves. Those count from 1, positions from 0.
fn placed(stored: impl Fn(Taken) -> Option<u32>) -> impl FnMut(i32) -> Option<i32> {
    move |position| match position {
        GAME => Some(GAME),
        number => {
            let taken = Taken::from_number(number.cast_unsigned());
            i32::try_from(stored(taken)? - 1).ok()
        }
    }
}

/// The place of a note while the game is heard.
fn number(last: Option<Taken>) -> i32 {
    last.map_or(GAME, |last| last.number().cast_signed())
}
