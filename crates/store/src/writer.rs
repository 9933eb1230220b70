//! Events to rows.

use tabiya_chess::{Position, Setup};
use tabiya_formats::{
    GameWriter, Records,
    jose::{Profile, Writer},
    writing::Wishes,
};
use tabiya_game::{
    Annotation, Comment, CommentPlace, Event, Flow, GameResult, GameSink, GameState, Losses, Needs,
    Place,
};

use crate::{
    judgement::Judgement,
    row::{Other, Row},
    shape::{self, Before, Numbers, Shape},
    signature::Signer,
};

/// Takes entries apart. What they have in them is all in the row: nothing is lost.
pub(crate) struct RowWriter {
    row: Row,
    moves: Writer,
    /// The comments of the main line that have a shape, a place for each ply.
    comments: Vec<Option<(Shape, Numbers)>>,
    /// That of the last of them.
    last_shape: Option<Shape>,
    /// How many variations are open.
    depth: usize,
    signer: Signer,
    expected: Expected,
    /// A judgement of the last ply, until it is known what comes behind it.
    held: Option<Judgement>,
    /// What of games is wanted.
    wishes: Wishes,
    rows: Vec<Row>,
    /// The number of the entry before, if it was no game.
    other: Option<u64>,
    spelled: String,
}

/// Whether a comment can be that of a ply.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// The last ply of the main line has had only glyphs so far.
    Comment,
    /// And then another comment, or a judgement that is held.
    Second(Before),
    /// The comment has come just now. A glyph behind it would be told before it.
    NoGlyph,
    Nothing,
}

impl RowWriter {
    pub fn new(wishes: Wishes) -> RowWriter {
        RowWriter {
            wishes,
            other: None,
            row: Row::default(),
            moves: Writer::new(Profile::Store),
            comments: Vec::new(),
            last_shape: None,
            depth: 0,
            signer: Signer::default(),
            expected: Expected::Nothing,
            held: None,
            rows: Vec::new(),
            spelled: String::new(),
        }
    }

    fn start(&mut self, start: &Position) {
        self.row.variant = start.variant();
        let setup = start.to_setup();
        if setup != Setup::INITIAL {
            let fen = setup.to_string();
            // Which of two rooks castles is said by its file where it would not be understood.
            let is_same = fen.parse::<Setup>().is_ok_and(|again| again == setup);
            self.row.start = Some(if is_same {
                fen
            } else {
                setup.to_shredder_fen()
            });
        }
        self.signer = Signer::start(start);
        self.moves.event(Event::Start(start));
    }

    fn ply(&mut self, event: Event<'_>) {
        self.release();
        if self.depth == 0 {
            self.comments.push(None);
            self.expected = Expected::Comment;
            match event {
                Event::Move { before, play, .. } => self.signer.play(before, play),
                _ => self.signer.odd(),
            }
        }
        self.moves.event(event);
    }

    /// Takes a comment that has a shape out of the movetext.
    fn take_comment(&mut self, comment: Comment<'_>) -> bool {
        let before = match self.expected {
            Expected::Comment => Before::Nothing,
            Expected::Second(before) => before,
            Expected::NoGlyph | Expected::Nothing => return false,
        };
        is_usual(&comment) && self.take_parsed(shape::parse(comment.text), before)
    }

    /// Holds a judgement back: it is taken out of the movetext together with what comes behind it.
    fn hold(&mut self, comment: Comment<'_>) -> bool {
        if self.expected != Expected::Comment || !is_usual(&comment) {
            return false;
        }
        self.held = Judgement::parse(comment.text);
        if self.held.is_some() {
            self.expected = Expected::Second(Before::Judgement);
        }
        self.held.is_some()
    }

    /// What was held back belongs to the movetext.
    fn release(&mut self) {
        if let Some(judgement) = self.held.take() {
            self.put_comment(|spelled| judgement.spell(spelled));
        }
    }

    /// Puts a comment that somebody spells into the movetext.
    fn put_comment(&mut self, spell: impl FnOnce(&mut String)) {
        self.spelled.clear();
        spell(&mut self.spelled);
        self.moves.event(Event::Comment(Comment {
            place: CommentPlace::After,
            language: None,
            text: &self.spelled,
        }));
    }

    /// Takes an annotation that has a shape out of the movetext.
    fn take_annotation(&mut self, annotation: &Annotation) -> bool {
        self.expected == Expected::Comment
            && self.take_parsed(shape::of_annotation(annotation), Before::Nothing)
    }

    fn take_parsed(&mut self, parsed: Option<(Shape, Numbers)>, before: Before) -> bool {
        let (Some(parsed), Some(last)) = (parsed, self.comments.last_mut()) else {
            return false;
        };
        let (shape, mut numbers) = parsed;
        numbers.judgement = self.held.take();
        let mut shape = self
            .last_shape
            .map_or(shape, |last| shape.like(last, numbers));
        shape.before = before;
        *last = Some((shape, numbers));
        self.last_shape = Some(shape);
        self.expected = Expected::NoGlyph;
        true
    }

    /// Puts the last comment back into the movetext.
    fn put_comment_back(&mut self) {
        let Some((shape, numbers)) = self.comments.last_mut().and_then(Option::take) else {
            return;
        };
        if let Some(annotation) = shape::to_annotation(shape, numbers).filter(|_| shape.is_typed())
        {
            self.moves.event(Event::Annotation(&annotation));
            return;
        }
        self.held = numbers.judgement;
        self.release();
        self.put_comment(|spelled| shape::spell(shape, numbers, spelled));
    }

    fn step(&mut self, event: Event<'_>) {
        match event {
            Event::Move { .. } | Event::Null { .. } => return self.ply(event),
            Event::Comment(comment) if self.take_comment(comment) => return,
            Event::Comment(comment) if self.hold(comment) => return,
            Event::Annotation(annotation) if self.take_annotation(annotation) => return,
            Event::Nag(_) if self.expected == Expected::NoGlyph => self.put_comment_back(),
            Event::Nag(_) if self.expected == Expected::Comment => {
                self.moves.event(event);
                return;
            }
            Event::Missing | Event::Error(_) if self.depth == 0 => self.signer.odd(),
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.release();
        self.expected = match (self.expected, event) {
            (Expected::Comment, Event::Comment(_)) => Expected::Second(Before::Comment),
            _ => Expected::Nothing,
        };
        self.moves.event(event);
    }

    fn begin(&mut self) {
        self.row.clear();
        self.comments.clear();
        self.last_shape = None;
        self.depth = 0;
        self.expected = Expected::Nothing;
        self.held = None;
    }

    fn end(&mut self, result: GameResult, state: GameState) {
        self.release();
        self.moves.event(Event::GameEnd { result, state });
        self.row.result = result;
        self.row.state = state;
        let summary = self.moves.summary();
        self.row.plies = summary.plies;
        if self.moves.error().is_some() || state == GameState::Broken {
            self.signer.odd();
        }
        self.row.signature = self.signer.end(&self.moves.position(), summary.variations);
        self.row.body.extend_from_slice(self.moves.main());
        self.row.notes.fill(&self.comments);
        // A copy has no more memory than it needs, and what the row has grown to serves the next one.
        self.rows.push(self.row.clone());
    }

    /// Puts an entry that is no game into its row, or to what the entry has already.
    fn other(&mut self, place: Place, item: Other<'_>) {
        let is_same = place.number > 0 && self.other == Some(place.number);
        if !is_same {
            self.rows.push(Row {
                kind: item.kind(),
                ..Row::default()
            });
        }
        self.other = Some(place.number);
        if let Some(row) = self.rows.last_mut() {
            item.put(&mut row.body);
        }
    }

    /// The rows of all entries since they were last taken.
    pub fn take_rows(&mut self) -> Vec<Row> {
        self.other = None;
        // About as many will come again.
        let next = Vec::with_capacity(self.rows.len());
        std::mem::replace(&mut self.rows, next)
    }
}

/// Whether a comment stands where what is said of a ply stands, in no language.
fn is_usual(comment: &Comment<'_>) -> bool {
    comment.place == CommentPlace::After && comment.language.is_none()
}

impl GameSink for RowWriter {
    fn needs(&mut self) -> Needs {
        Needs::ALL
            .variations(self.wishes.variations)
            .notes(self.wishes.comments || self.wishes.nags)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.begin();
                self.other = None;
                self.moves.event(event);
            }
            Event::Tag { name, value } => self.row.tags.push(name, value),
            Event::Start(start) => self.start(start),
            Event::GameEnd { result, state } => self.end(result, state),
            Event::Text {
                place,
                title,
                language,
                text,
            } => self.other(
                place,
                Other::Text {
                    title,
                    language,
                    text,
                },
            ),
            Event::Opaque {
                place,
                format,
                bytes,
            } => self.other(place, Other::Opaque { format, bytes }),
            Event::Comment(_) | Event::Annotation(_) if !self.wishes.comments => {}
            Event::Nag(_) if !self.wishes.nags => {}
            Event::VariationStart if !self.wishes.variations => return Flow::SkipVariation,
            other => self.step(other),
        }
        Flow::Continue
    }
}

/// What its records are called.
pub(crate) const RECORDS: &str = "tabiya";

impl GameWriter for RowWriter {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn take(&mut self) -> Records {
        Records::new(RECORDS, self.take_rows())
    }

    fn take_losses(&mut self) -> Losses {
        self.moves.take_losses()
    }
}
