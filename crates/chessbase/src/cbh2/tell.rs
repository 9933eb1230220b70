//! One record of the header file, and what belongs to it, as events.

use tabiya_chess::Position;
use tabiya_game::{
    Annotation, Damage, Event, Flow, GameErrorKind, GameResult, GameState, Listener, Needs, Place,
};

use super::{
    annotations::{FORMAT, items, read_note},
    bridge,
    decode::{self, Reading, Words},
    entry::{self, StoredEntry},
    frame::{Frame, tag},
    header::{Header, Kind, at, offset_of},
    names::{Player, Source, Titles},
    records::{Found, Records},
    set::{FileKind, Tables},
    start::{Start, unchecked_moves},
    tags, text,
    text::Pages,
    writer::{BESIDES_TAGS, WHOLE_ENTRY},
};
use crate::{
    encoding::TextCodec,
    files::tags::{EventSheet, FromMoves, Sheet, SourceSheet, tell_sheet, variant_tag},
    moves::{Scope, StoredGame},
    notes::{Fault, Notes},
    writer::MEDIA,
};

/// Tells record after record and keeps its memory.
pub(super) struct EntryTeller<'a> {
    tables: &'a Tables<'a>,
    codec: &'a TextCodec,
    moves: Records<'a>,
    annotations: Records<'a>,
    game: StoredGame,
    notes: Notes,
    errors: Vec<Fault>,
}

const WRONG_CHECKSUM: &str = "the checksum does not fit the content";

impl<'a> EntryTeller<'a> {
    pub(super) fn new(tables: &'a Tables<'a>, codec: &'a TextCodec) -> EntryTeller<'a> {
        EntryTeller {
            tables,
            codec,
            moves: Records::new(FileKind::Moves, tables.moves),
            annotations: Records::new(FileKind::Annotations, tables.annotations),
            game: StoredGame::default(),
            notes: Notes::default(),
            errors: Vec::new(),
        }
    }

    /// Tells a record.
    pub(super) fn tell(&mut self, id: u32, header: &Header, sink: &mut Listener<'_>) {
        let needs = sink.needs();
        let found = self.moves.find(header.moves());
        let no_kings = matches!(&found, Ok(found) if found.frame.tag == tag::NO_KINGS);
        match header.kind() {
            None => tell_opaque(id, "2cbh, record of an unknown kind", header, &found, sink),
            Some(Kind::Text) => self.tell_text(id, header, found, needs, sink),
            // They are no games, but only here is there a place for what they are.
            Some(kind) if needs.native == Some(FORMAT) && (no_kings || kind == Kind::Analysis) => {
                self.tell_native(id, header, found, sink);
            }
            Some(kind) => self.tell_game(id, header, kind, found, needs, sink),
        }
    }

    fn tell_game(
        &mut self,
        id: u32,
        header: &Header,
        kind: Kind,
        found: Result<Found<'a>, String>,
        needs: Needs,
        sink: &mut Listener<'_>,
    ) {
        let result = match kind {
            Kind::Game => header.ending().result(),
            _ => GameResult::Unknown,
        };
        let mut state = GameState::Complete;
        if sink.event(Event::GameStart(place_of(id))) != Flow::SkipGame
            && (needs.tags || needs.moves)
        {
            state = self.tell_wanted(id, header, kind, found, needs, sink);
        }
        sink.event(Event::GameEnd { result, state });
    }

    /// Everything between the start of a game and its end.
    fn tell_wanted(
        &mut self,
        id: u32,
        header: &Header,
        kind: Kind,
        found: Result<Found<'a>, String>,
        needs: Needs,
        sink: &mut Listener<'_>,
    ) -> GameState {
        self.errors.clear();
        let offset = found.as_ref().map_or(0, |found| found.offset);
        let content = found.as_ref().ok().map(|found| found.frame);
        let words = content.and_then(|frame| Words::new(frame.tag, frame.content).ok());
        let notes = self.read_notes(id, header, words.as_ref(), needs);
        // Notes name moves by an order that only all lines tell.
        let scope = match needs.variations || !self.notes.is_empty() {
            true => Scope::All,
            false => Scope::MainLine,
        };
        let start = self.read_moves(id, found, words.as_ref(), scope, needs);
        self.place_notes(notes, words.as_ref(), scope, needs);
        if needs.tags {
            let fen = start.fen();
            let moves = FromMoves {
                fen: fen.as_deref(),
                variant: start.position().and_then(|it| variant_tag(it.variant())),
                plies: words.as_ref().map(|words| self.plies(words, needs)),
            };
            let flow = self.tell_tags(id, header, kind, &moves, sink);
            if flow == Flow::SkipGame {
                return GameState::Complete;
            }
        }
        if !needs.moves {
            return self.state(GameState::Complete);
        }
        let flow = self.tell_moves(header, &start, offset, needs, sink);
        if flow != Flow::SkipGame {
            let others = self.errors.iter().filter(|fault| !is_about_start(fault));
            others.for_each(|fault| fault.tell(sink));
        }
        self.state(self.game.state())
    }

    fn tell_moves(
        &self,
        header: &Header,
        start: &Start,
        offset: u64,
        needs: Needs,
        sink: &mut Listener<'_>,
    ) -> Flow {
        let initial = Position::initial();
        let position = start.position().unwrap_or(&initial);
        let mut flow = sink.event(Event::Start(position));
        // Whoever has no place for such a start hears of it before anything else.
        if flow != Flow::SkipGame {
            let about_start = self.errors.iter().filter(|fault| is_about_start(fault));
            about_start.for_each(|fault| fault.tell(sink));
            flow = self.tell_besides(header, needs, sink);
        }
        if flow != Flow::SkipGame && needs.notes {
            flow = self.notes.tell_whole(sink);
        }
        if flow != Flow::SkipGame {
            let (game, notes) = (&self.game, &self.notes);
            flow = match notes.is_empty() {
                true => game.tell_moves(sink, offset),
                false => game.tell(sink, offset, &mut &*notes),
            };
        }
        flow
    }

    /// The plies of the main line: as many as could be read, if they were.
    fn plies(&self, words: &Words<'_>, needs: Needs) -> usize {
        match needs.moves && self.game.error().is_some() {
            true => self.game.main_plies() as usize,
            false => words.main_plies(),
        }
    }

    fn fault(&mut self, kind: GameErrorKind, message: String, raw: &[u8], offset: u64) {
        self.errors.push(Fault {
            kind,
            message,
            raw: raw.to_vec(),
            offset,
        });
    }

    /// The state of a game whose moves are in a state.
    fn state(&self, moves: GameState) -> GameState {
        match self.errors.is_empty() && !self.notes.has_errors() {
            true => moves,
            false => GameState::Broken,
        }
    }

    /// Reads as many moves as are needed and returns the position before them.
    fn read_moves(
        &mut self,
        id: u32,
        found: Result<Found<'a>, String>,
        words: Option<&Words<'_>>,
        scope: Scope,
        needs: Needs,
    ) -> Start {
        let found = match found {
            Ok(found) => found,
            Err(message) => {
                self.game = StoredGame::default();
                let message = format!("the moves: {message}");
                self.fault(GameErrorKind::Unreadable, message, &[], offset_of(id));
                return Start::Initial;
            }
        };
        if needs.moves && !found.frame.is_sound() {
            let message = format!("the moves: {WRONG_CHECKSUM}");
            self.fault(GameErrorKind::Unreadable, message, &[], found.offset);
        }
        if found.frame.tag == tag::NO_KINGS {
            self.game = StoredGame::default();
            return self.read_no_kings(words, &found);
        }
        if needs.moves {
            return self.read_legal_moves(&found, words, scope);
        }
        match words.map(Words::position) {
            Some(Ok(start)) => Start::of(start),
            _ => Start::unplayable(words).unwrap_or(Start::Initial),
        }
    }

    fn read_legal_moves(
        &mut self,
        found: &Found<'_>,
        words: Option<&Words<'_>>,
        scope: Scope,
    ) -> Start {
        let Frame { tag, content, .. } = found.frame;
        // What is wrong with moves is told at its place.
        let read = decode::read(&mut self.game, tag, content, scope);
        if let Ok(Reading::Swapped) = read {
            let message = "the start: castling rights and the file of a passed pawn are exchanged; \
                           read so, the game is whole";
            let offset = found.offset;
            self.fault(GameErrorKind::Unreadable, message.to_owned(), &[], offset);
        }
        let trailing = self.game.trailing();
        if read.is_ok() && scope == Scope::All && trailing > 0 {
            let end = content.len() - trailing;
            let message = format!("the moves: {trailing} bytes behind their end");
            let offset = found.offset + end as u64;
            self.fault(GameErrorKind::Unreadable, message, &content[end..], offset);
        }
        let refused = words.is_none_or(|words| words.position().is_err());
        match Start::unplayable(words).filter(|_| refused) {
            Some(start) => start,
            None => Start::of(*self.game.start()),
        }
    }

    /// A position without both kings has no moves that could be checked: they are kept as they are,
    /// and the first of them as text.
    fn read_no_kings(&mut self, words: Option<&Words<'_>>, found: &Found<'_>) -> Start {
        let start = Start::unplayable(words);
        let moves = words.map(unchecked_moves).unwrap_or_default();
        let message = match start {
            Some(_) => "a position without one king for each side",
            None => "a position that cannot be read",
        };
        let message = match moves.is_empty() {
            true => message.to_owned(),
            false => format!("{message}, and the moves {moves}"),
        };
        let raw = match start.is_some() && moves.is_empty() {
            true => &[],
            false => found.frame.content,
        };
        self.fault(GameErrorKind::BadStart, message, raw, found.offset);
        start.unwrap_or(Start::Initial)
    }

    /// Reads the notes that are needed and returns the record that they are in.
    fn read_notes(
        &mut self,
        id: u32,
        header: &Header,
        words: Option<&Words<'_>>,
        needs: Needs,
    ) -> Option<Found<'a>> {
        self.notes.clear();
        let all = needs.notes && needs.moves;
        // Without the file every game is bare: the database says so once.
        if !self.annotations.is_there() || (!all && !needs.tags) {
            return None;
        }
        let found = match self.annotations.find(header.annotations()?) {
            Ok(found) if found.frame.tag == tag::ANNOTATIONS => found,
            Ok(found) => {
                let raw = found.frame.content;
                self.bad_notes("another kind of record", raw, offset_of(id));
                return None;
            }
            Err(error) => {
                self.bad_notes(&error, &[], offset_of(id));
                return None;
            }
        };
        let Found {
            frame,
            offset: begin,
        } = found;
        self.notes.place = Place::at_byte(begin);
        if all && !frame.is_sound() {
            self.bad_notes(WRONG_CHECKSUM, &[], begin);
        }
        for item in items(frame.content) {
            match item {
                Ok(item) => {
                    let note = read_note(&item, self.codec);
                    if all || note.tag().is_some() {
                        self.notes.push(item.position, note);
                    }
                }
                Err(error) => {
                    let rest = frame.content.get(error.offset..).unwrap_or_default();
                    let offset = begin + error.offset as u64;
                    self.bad_notes(&error.kind.to_string(), rest, offset);
                }
            }
        }
        let bare = words.is_some_and(|words| words.main_plies() == 0);
        if all && bare && self.notes.renumber(|at| (at < 0).then_some(at)) > 0 {
            self.bad_notes(
                "some belong to moves of a game without moves",
                frame.content,
                begin,
            );
        }
        Some(found)
    }

    fn bad_notes(&mut self, message: &str, raw: &[u8], offset: u64) {
        let message = format!("the annotations: {message}");
        self.fault(GameErrorKind::Unreadable, message, raw, offset);
    }

    /// Gives notes the numbers that their moves have in stored order. What stands behind the last
    /// move belongs to the end of the main line.
    fn place_notes(
        &mut self,
        record: Option<Found<'_>>,
        words: Option<&Words<'_>>,
        scope: Scope,
        needs: Needs,
    ) {
        if self.notes.is_empty() || !needs.moves {
            return;
        }
        let order = match (self.game.error(), words) {
            (None, _) => decode::order(self.game.steps()),
            (Some(_), Some(words)) => words.order(),
            (Some(_), None) => Vec::new(),
        };
        let stored = self.game.stored_moves();
        let broken = self.game.error().is_some();
        let behind = i32::try_from(stored).unwrap_or(i32::MAX);
        let lost = self.notes.renumber(|position| {
            let Ok(index) = usize::try_from(position) else {
                return Some(position);
            };
            match order.get(index) {
                Some(number) if *number <= stored => i32::try_from(*number - 1).ok(),
                Some(_) => None,
                None => (!broken).then_some(behind),
            }
        });
        if let Some(record) = record.filter(|_| lost > 0) {
            let raw = record.frame.content;
            let what = "some belong to moves that cannot be read";
            self.bad_notes(what, raw, record.offset);
        }
        self.notes.fit(&self.game, scope);
    }

    fn tell_tags(
        &mut self,
        id: u32,
        header: &Header,
        kind: Kind,
        moves: &FromMoves<'_>,
        sink: &mut Listener<'_>,
    ) -> Flow {
        let mut faults = Vec::new();
        let records = entry::records(self.tables, header, &mut faults);
        for fault in faults {
            self.fault(GameErrorKind::BadTag, fault, &[], offset_of(id));
        }
        let sheet = match kind {
            Kind::Game => tags::sheet(header, &records, self.codec),
            _ => Sheet {
                deleted: header.is_deleted(),
                ..analysis_sheet(&records, self.codec)
            },
        };
        let mut flow = Flow::Continue;
        let mut tag = |name: &str, value: &str| {
            if flow != Flow::SkipGame {
                flow = sink.event(Event::Tag { name, value });
            }
        };
        tell_sheet(&sheet, moves, &mut tag);
        for (name, value) in self.notes.tags() {
            tag(name, &value);
        }
        flow
    }

    /// What tags do not tell, for whoever stores such entries.
    fn tell_besides(&self, header: &Header, needs: Needs, sink: &mut Listener<'_>) -> Flow {
        let mut bytes = Vec::new();
        let (format, code) = match needs.native {
            Some(FORMAT) => {
                StoredEntry::bare(self.tables, header).write(&mut bytes);
                (FORMAT, BESIDES_TAGS)
            }
            Some(crate::annotations::FORMAT) if header.kind() == Some(Kind::Game) => {
                let entry = StoredEntry::bare(self.tables, header);
                bridge::game_to_classic(&entry, self.codec).write(&mut bytes);
                (crate::annotations::FORMAT, crate::writer::BESIDES_TAGS)
            }
            _ => return Flow::Continue,
        };
        sink.event(Event::Annotation(&Annotation::Raw {
            format: format.to_owned(),
            code,
            bytes,
        }))
    }

    /// An entry as it is, for whoever stores such entries.
    fn tell_native(
        &mut self,
        id: u32,
        header: &Header,
        found: Result<Found<'a>, String>,
        sink: &mut Listener<'_>,
    ) {
        let mut faults = Vec::new();
        entry::records(self.tables, header, &mut faults);
        let notes = header.annotations().map(|at| self.annotations.find(at));
        let notes = notes.transpose();
        let moves = found.as_ref().ok().map(|found| found.frame);
        let annotations = notes.as_ref().ok().and_then(|notes| *notes);
        let annotations = annotations.map(|found| found.frame);
        for frame in moves.iter().chain(&annotations) {
            faults.extend((!frame.is_sound()).then(|| WRONG_CHECKSUM.to_owned()));
        }
        let is_text = header.kind() == Some(Kind::Text);
        let is_page = |frame: &Frame<'_>| Pages::read(frame.content).is_some();
        if is_text && moves.is_some_and(|frame| frame.tag != tag::TEXT || !is_page(&frame)) {
            faults.push("the pages of the text cannot be read".to_owned());
        }
        faults.extend(found.as_ref().err().cloned());
        faults.extend(notes.err());
        let mut bytes = Vec::new();
        StoredEntry::bare(self.tables, header)
            .with(moves, annotations)
            .write(&mut bytes);
        sink.event(Event::Opaque {
            place: place_of(id),
            format: WHOLE_ENTRY,
            bytes: &bytes,
        });
        tell_faults(id, header, &found, &faults, sink);
    }

    /// A text as its pages; as an entry, for whoever stores those of either family.
    fn tell_text(
        &mut self,
        id: u32,
        header: &Header,
        found: Result<Found<'a>, String>,
        needs: Needs,
        sink: &mut Listener<'_>,
    ) {
        if needs.native == Some(FORMAT) {
            return self.tell_native(id, header, found, sink);
        }
        let frame = found.as_ref().ok().map(|found| found.frame);
        let frame = frame.filter(|frame| frame.tag == tag::TEXT);
        let Some(pages) = frame.and_then(|frame| Pages::read(frame.content)) else {
            let text = format!("text {}", self.title(header));
            let format = Damage::Whole(&text).format(FORMAT);
            return tell_opaque(id, &format, header, &found, sink);
        };
        let mut faults = Vec::new();
        let records = entry::records(self.tables, header, &mut faults);
        if frame.is_some_and(|frame| !frame.is_sound()) {
            faults.push(WRONG_CHECKSUM.to_owned());
        }
        if needs.native == Some(crate::annotations::FORMAT) {
            let entry = StoredEntry::bare(self.tables, header);
            let mut bytes = Vec::new();
            bridge::text_to_classic(&entry, &pages, self.codec).write(&mut bytes);
            sink.event(Event::Opaque {
                place: place_of(id),
                format: crate::writer::WHOLE_ENTRY,
                bytes: &bytes,
            });
        } else {
            let titles = records.get(3).copied().flatten().and_then(Titles::read);
            let titles = titles.unwrap_or_default();
            pages.tell(place_of(id), &titles, self.codec, &mut |event| {
                sink.event(event);
            });
        }
        tell_faults(id, header, &found, &faults, sink);
        self.tell_media(id, header, sink);
    }

    /// Says that a text has pictures or films. They are in files of their own, which stay behind.
    fn tell_media(&self, id: u32, header: &Header, sink: &mut Listener<'_>) {
        if header.i64(at::TEXT_MEDIA) != 0 {
            sink.event(Event::Opaque {
                place: place_of(id),
                format: &format!("{FORMAT}, {MEDIA}"),
                bytes: &header.0,
            });
        }
    }

    /// The title of a text, in quotation marks.
    fn title(&self, header: &Header) -> String {
        let records = entry::records(self.tables, header, &mut Vec::new());
        let titles = records.get(3).copied().flatten().and_then(Titles::read);
        let title = text::title(&titles.unwrap_or_default(), 42, self.codec).into_owned();
        format!("{title:?}")
    }
}

/// What is wrong with an entry that is no game, told after it.
fn tell_faults(
    id: u32,
    header: &Header,
    found: &Result<Found<'_>, String>,
    faults: &[String],
    sink: &mut Listener<'_>,
) {
    if !faults.is_empty() {
        let format = Damage::Beside(&faults.join("; ")).format(FORMAT);
        tell_opaque(id, &format, header, found, sink);
    }
}

/// The header of a record, and its content as far as it is there.
fn tell_opaque(
    id: u32,
    format: &str,
    header: &Header,
    found: &Result<Found<'_>, String>,
    sink: &mut Listener<'_>,
) {
    let mut bytes = header.0.to_vec();
    bytes.extend(found.as_ref().map_or(&[][..], |found| found.frame.content));
    sink.event(Event::Opaque {
        place: place_of(id),
        format,
        bytes: &bytes,
    });
}

/// Where a record stands, and its number.
fn place_of(id: u32) -> Place {
    Place::of_entry(id.into(), offset_of(id))
}

fn is_about_start(fault: &Fault) -> bool {
    fault.kind == GameErrorKind::BadStart
}

/// An analysis as a game: its title is the event.
fn analysis_sheet<'r>(records: &tags::Records<'r>, codec: &TextCodec) -> Sheet<'r> {
    let record = |index: usize| records.get(index).copied().flatten().unwrap_or_default();
    let titles = Titles::read(record(0)).unwrap_or_default();
    let source = Source::read(record(1)).unwrap_or_default();
    let author = Player::read(record(2)).unwrap_or_default();
    Sheet {
        event: EventSheet {
            title: text::title(&titles, 42, codec),
            ..EventSheet::default()
        },
        annotator: tags::full_name(&author, codec),
        source: SourceSheet {
            title: codec.name(source.title),
            publisher: codec.name(source.publisher),
            publication: source.publication,
            date: source.date,
            version: source.version.into(),
            quality: source.quality.into(),
        },
        ..Sheet::default()
    }
}
