//! Games to events.

use std::borrow::Cow;

use encoding_rs::{Encoding, WINDOWS_1252};
use tabiya_chess::{Color, Position};
use tabiya_game::{
    Comment, CommentPlace, Event, Flow, GameError, GameState, Limits, Listener, Nag, Needs, Place,
    ROSTER, command,
};

use super::{
    database::Ends,
    error::ErrorKind,
    game::reader::{Comments, Record, Step, Walker, whole_fen},
    index::{Entry, NAMES, fields},
    names::{KIND_NAMES, KIND_OF, Names},
};
use crate::{pgn, stream::Streams, writing::error_comment};

/// How databases are read.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReadOptions {
    /// The encoding of texts; without one, each is UTF-8 or, if it is not, Windows-1252.
    pub encoding: Option<&'static Encoding>,
    /// Limits against hostile files.
    pub limits: Limits,
    /// Tells deleted games too; their tag `ScidFlags` has a `D`.
    pub deleted: bool,
    /// Of a database whose files are cut off, what there is is wanted; the rest is a warning.
    pub salvage: bool,
}

impl ReadOptions {
    /// Whether files have to be whole.
    pub(super) fn ends(self) -> Ends {
        match self.salvage {
            true => Ends::PerhapsCut,
            false => Ends::Whole,
        }
    }

    /// The text of some bytes.
    pub(super) fn text(self, bytes: &[u8]) -> Cow<'_, str> {
        if self.encoding.is_none()
            && let Ok(text) = str::from_utf8(bytes)
        {
            return Cow::Borrowed(text);
        }
        let encoding = self.encoding.unwrap_or(WINDOWS_1252);
        encoding.decode_without_bom_handling(bytes).0
    }
}

/// Everything that belongs to a game.
pub(super) struct Game<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    pub entry: Entry,
    pub names: &'a Names,
    /// The bytes of its record; an error if the file does not have them.
    pub record: Result<&'a [u8], ErrorKind>,
    pub options: ReadOptions,
}

/// The tags of a game, in the order in which they are told.
type Tags<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// What tags say of the moves.
#[derive(Default)]
struct Header {
    fen: Option<String>,
    variant: Option<String>,
    forfeit: bool,
}

/// Something wrong, and where in the record.
type Fault = (ErrorKind, usize);

impl Game<'_> {
    /// Tells the game.
    pub(super) fn tell(&self, sink: &mut Listener<'_>) {
        let needs = sink.needs();
        let record = Record::new(self.record.clone().unwrap_or_default());
        let mut faults = Vec::new();
        let (tags, header) = self.tags(&record, &mut faults);
        let mut flow = sink.event(Event::GameStart(Place::of_entry(
            self.number,
            self.entry.offset,
        )));
        for (name, value) in &tags {
            if flow == Flow::Continue && needs.tags {
                flow = sink.event(Event::Tag { name, value });
            }
        }
        let stored = self.entry.result;
        let result = pgn::result_of(stored, Some(stored), header.forfeit);
        let mut state = match faults.is_empty() {
            true => GameState::Complete,
            false => GameState::Broken,
        };
        if flow == Flow::Continue && needs.moves {
            let mut teller = Teller {
                game: self,
                bytes: record.bytes,
                sink,
                needs,
                state,
            };
            teller.movetext(&record, &header, faults);
            state = teller.state;
        }
        sink.event(Event::GameEnd { result, state });
    }

    fn tags<'a>(&'a self, record: &Record<'a>, faults: &mut Vec<Fault>) -> (Tags<'a>, Header) {
        let text = |bytes: &'a [u8]| self.options.text(bytes);
        let extra: Tags<'a> = record
            .tags
            .iter()
            .filter_map(|tag| Some((text(tag.name?), text(tag.value))))
            .collect();
        let has = |name: &str| extra.iter().any(|(known, _)| known == name);
        let mut tags: Tags<'a> = Vec::with_capacity(16);
        self.roster(&has, &mut tags, faults);
        self.fields(&mut tags);
        let mut header = Header::default();
        for (name, value) in &extra {
            match &**name {
                "Variant" => header.variant = Some(value.to_string()),
                "Termination" => header.forfeit = pgn::is_forfeit(value),
                _ => {}
            }
        }
        if self.entry.chess960 && header.variant.is_none() {
            header.variant = Some("Chess960".into());
            tags.push((Cow::Borrowed("Variant"), Cow::Borrowed("Chess960")));
        }
        tags.extend(extra);
        if let Some(fen) = record.fen {
            let fen = text(fen);
            let whole = whole_fen(&fen).into_owned();
            header.fen = Some(whole.clone());
            tags.push((Cow::Borrowed("FEN"), Cow::Owned(whole)));
        }
        (tags, header)
    }

    /// The seven tags of every game. An empty name is a tag that is not there; one of the same name
    /// among the extra tags counts more, as in the program.
    fn roster<'a>(
        &'a self,
        has: &dyn Fn(&str) -> bool,
        tags: &mut Tags<'a>,
        faults: &mut Vec<Fault>,
    ) {
        for name in &ROSTER[..6] {
            let Some(place) = NAMES.iter().position(|known| known == name) else {
                // What is left is the date.
                let date = self.entry.date;
                if !date.is_unknown() || !has(name) {
                    tags.push((Cow::Borrowed(name), date.date().to_string().into()));
                }
                continue;
            };
            let (kind, id) = (KIND_OF[place], self.entry.names[place]);
            match self.names.get(kind, id) {
                Some(b"") => {}
                _ if has(name) => {}
                Some(value) => tags.push((Cow::Borrowed(name), self.options.text(value))),
                None => {
                    let kind = KIND_NAMES[kind];
                    faults.push((ErrorKind::NoSuchName { kind, id }, 0));
                }
            }
        }
        let result = self.entry.result.token();
        tags.push((Cow::Borrowed("Result"), Cow::Borrowed(result)));
    }

    /// Tags that have a field in the index.
    fn fields(&self, tags: &mut Tags<'_>) {
        for (rating, color) in self.entry.ratings.into_iter().zip(Color::ALL) {
            if rating.value > 0 {
                let value = rating.value.to_string();
                tags.push((rating.tag_name(color).into(), value.into()));
            }
        }
        if let Some(eco) = fields::eco_text(self.entry.eco) {
            tags.push((Cow::Borrowed("ECO"), eco.into()));
        }
        let event_date = self.entry.event_date;
        if !event_date.is_unknown() {
            let date = event_date.date().to_string();
            tags.push((Cow::Borrowed("EventDate"), date.into()));
        }
        let flags = fields::flags::letters(self.entry.flags);
        if !flags.is_empty() {
            tags.push((Cow::Borrowed("ScidFlags"), flags.into()));
        }
    }
}

/// What has become of a walk so far.
#[derive(Default)]
struct Told<'a> {
    /// The comments that are still to come; looked for at the first of them.
    comments: Option<Comments<'a>>,
    /// How many comments are not there.
    missing: usize,
    /// How many variations have been told that have not ended.
    open: usize,
    /// How many variations are open since one was skipped.
    skipping: usize,
}

impl<'a> Told<'a> {
    fn next_comment(&mut self, walker: &Walker<'a>) -> &'a [u8] {
        let comments = self
            .comments
            .get_or_insert_with(|| Comments::ahead_of(walker));
        let text = comments.next();
        self.missing += usize::from(text.is_none());
        text.unwrap_or_default()
    }
}

/// Tells what follows the tags.
struct Teller<'g, 's, 'l> {
    game: &'g Game<'g>,
    bytes: &'g [u8],
    sink: &'s mut Listener<'l>,
    needs: Needs,
    state: GameState,
}

impl Teller<'_, '_, '_> {
    fn movetext(&mut self, record: &Record<'_>, header: &Header, faults: Vec<Fault>) {
        let start = record.start(header.fen.as_deref(), header.variant.as_deref());
        let position = match &start {
            Ok((position, _)) => *position,
            Err(_) => Position::initial(),
        };
        let mut flow = self.sink.event(Event::Start(&position));
        for (kind, _) in faults {
            if flow != Flow::SkipGame {
                flow = self.error(&kind, 0, &[]);
            }
        }
        if flow == Flow::SkipGame {
            return;
        }
        let fault = match (&self.game.record, &record.fault, start) {
            (Err(kind), ..) => (kind.clone(), 0),
            // Whatever else is wrong, these are not moves of chess.
            (_, fault, Err(kind @ ErrorKind::UnknownVariant(_))) => {
                (kind, fault.as_ref().map_or(record.moves, |(_, at)| *at))
            }
            (_, Some(fault), _) => fault.clone(),
            (_, _, Err(kind)) => (kind, record.moves),
            (.., Ok((start, pieces))) => {
                let depth = self.game.options.limits.depth;
                let start = self.needs.start(start);
                return self.steps(Walker::new(record, &start, &pieces, depth));
            }
        };
        self.error(&fault.0, fault.1, &self.bytes[fault.1..]);
    }

    fn steps(&mut self, mut walker: Walker<'_>) {
        let mut told = Told::default();
        let stopped = loop {
            match walker.step() {
                Ok(Step::End) => break None,
                Ok(step) => {
                    if self.step(step, &walker, &mut told) == Flow::SkipGame {
                        return;
                    }
                }
                Err(kind) => break Some((kind, walker.at())),
            }
        };
        let end = self.bytes.len();
        let fault = stopped.or_else(|| {
            let comments = told.comments.unwrap_or_else(|| Comments::after(&walker));
            let left = comments.rest().len();
            let kind = match (told.missing, left) {
                (0, 0) => return None,
                (0, left) => ErrorKind::TrailingData(left),
                (missing, _) => ErrorKind::MissingComments(missing),
            };
            Some((kind, end - left))
        });
        if let Some((kind, at)) = fault
            && self.error(&kind, at, &self.bytes[at..]) == Flow::SkipGame
        {
            return;
        }
        for _ in 0..told.open {
            if self.sink.event(Event::VariationEnd) == Flow::SkipGame {
                return;
            }
        }
    }

    /// Tells what a walk has just come past.
    #[inline]
    fn step<'a>(&mut self, step: Step, walker: &Walker<'a>, told: &mut Told<'a>) -> Flow {
        let comment = match step {
            Step::Comment => told.next_comment(walker),
            _ => &[],
        };
        if told.skipping > 0 {
            match step {
                Step::Open => told.skipping += 1,
                Step::Close => told.skipping -= 1,
                _ => {}
            }
            return Flow::Continue;
        }
        let before = walker.before();
        match step {
            Step::Move(play) => self.sink.play(before, play, None),
            Step::Null => self.sink.pass(before, None),
            Step::Open => self.open(told),
            Step::Close => {
                told.open = told.open.saturating_sub(1);
                self.sink.event(Event::VariationEnd)
            }
            Step::Nag(nag) if self.needs.notes => self.sink.event(Event::Nag(Nag(nag.into()))),
            Step::Comment if self.needs.notes => self.comment(comment, walker.is_fresh()),
            Step::Nag(_) | Step::Comment | Step::End => Flow::Continue,
        }
    }

    fn open(&mut self, told: &mut Told<'_>) -> Flow {
        let flow = match self.needs.variations {
            true => self.sink.event(Event::VariationStart),
            false => Flow::SkipVariation,
        };
        match flow {
            Flow::SkipVariation => told.skipping = 1,
            _ => told.open += 1,
        }
        flow
    }

    /// A comment, or what it stands for: annotations and errors are comments in the file.
    fn comment(&mut self, bytes: &[u8], fresh: bool) -> Flow {
        let text = self.game.options.text(bytes);
        if text.is_empty() {
            return Flow::Continue;
        }
        if text.starts_with("[%") {
            if let Some(kept) = error_comment::read(&text) {
                self.state = GameState::Broken;
                let place = Place::at_byte(self.game.entry.offset);
                return self.sink.event(Event::Error(kept.at(place)));
            }
            if let Some(annotation) = command::canonical(&text) {
                return self.sink.event(Event::Annotation(&annotation));
            }
        }
        let place = match fresh {
            true => CommentPlace::Before,
            false => CommentPlace::After,
        };
        self.sink.event(Event::Comment(Comment {
            place,
            language: None,
            text: &text,
        }))
    }

    /// Tells what is wrong at a byte of the record.
    fn error(&mut self, kind: &ErrorKind, at: usize, raw: &[u8]) -> Flow {
        self.state = GameState::Broken;
        self.sink.event(Event::Error(GameError {
            kind: kind.in_a_game(),
            message: &kind.to_string(),
            raw: &Streams::from(raw.to_vec()).to_string(),
            place: Place::at_byte(self.game.entry.offset.saturating_add(at as u64)),
            first: None,
        }))
    }
}
