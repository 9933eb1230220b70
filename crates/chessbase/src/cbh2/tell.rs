//! One record of the header file, and what belongs to it, as events.

use tabiya_chess::{Position, Setup};
use tabiya_game::{
    Annotation, Event, Flow, GameErrorKind, GameResult, GameState, Listener, Needs, Place,
};

use super::{
    annotations::{FORMAT, items, read_note},
    bridge,
    decode::{self, Words},
    entry::{self, StoredEntry},
    frame::{BadFrame, Frame, HEAD, tag},
    header::{Header, Kind, at, offset_of},
    names::{Player, Source, Titles},
    set::{FileKind, Tables},
    tags, text,
    text::Pages,
    words,
    writer::{BESIDES_TAGS, WHOLE_ENTRY},
};
use crate::{
    database::{Fault, notes::Notes},
    encoding::TextCodec,
    files::tags::{EventSheet, FromMoves, Sheet, SourceSheet, tell_sheet, variant_tag},
    moves::{Scope, StoredGame, square_of},
};

/// Tells record after record and keeps its memory.
pub(super) struct Teller<'a> {
    tables: &'a Tables<'a>,
    codec: &'a TextCodec,
    game: StoredGame,
    notes: Notes,
    errors: Vec<Fault>,
}

/// A record of `.2cbg`, and where its content stands.
struct Found<'a> {
    frame: Frame<'a>,
    offset: u64,
}

impl<'a> Teller<'a> {
    pub(super) fn new(tables: &'a Tables<'a>, codec: &'a TextCodec) -> Teller<'a> {
        Teller {
            tables,
            codec,
            game: StoredGame::default(),
            notes: Notes::default(),
            errors: Vec::new(),
        }
    }

    /// Tells a record.
    pub(super) fn tell(&mut self, id: u32, header: &Header, sink: &mut Listener<'_>) {
        let needs = sink.needs();
        let found = find(FileKind::Moves, self.tables.moves, header.moves());
        let no_kings = matches!(&found, Ok(found) if found.frame.tag == tag::NO_KINGS);
        match header.kind() {
            None => self.tell_opaque(id, "2cbh, record of an unknown kind", header, sink),
            Some(Kind::Text) if needs.native.is_some_and(is_ours) => {
                self.tell_native(id, header, needs, sink);
            }
            Some(Kind::Text) => self.tell_text(id, header, found, sink),
            // They are no games, but only here is there a place for what they are.
            Some(kind) if needs.native == Some(FORMAT) && (no_kings || kind == Kind::Analysis) => {
                self.tell_native(id, header, needs, sink);
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
        self.read_notes(id, header, words.as_ref(), needs);
        // Notes name moves by an order that only all lines tell.
        let scope = match needs.variations || !self.notes.is_empty() {
            true => Scope::All,
            false => Scope::MainLine,
        };
        let start = self.read_moves(id, found, words.as_ref(), scope, needs);
        self.place_notes(words.as_ref(), scope, needs);
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
            self.errors.iter().for_each(|fault| fault.tell(sink));
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
        if flow != Flow::SkipGame {
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
        match self.errors.is_empty() {
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
        let Frame { tag, content, .. } = found.frame;
        if tag == tag::NO_KINGS {
            self.game = StoredGame::default();
            return self.read_no_kings(words, &found);
        }
        if needs.moves {
            // What is wrong is told at its place.
            let _ = decode::read(&mut self.game, tag, content, scope);
            return Start::of(*self.game.start());
        }
        let start = words.and_then(|words| words.position().ok());
        start.map_or(Start::Initial, Start::of)
    }

    /// A position without both kings has no moves that could be checked: they are kept as text.
    fn read_no_kings(&mut self, words: Option<&Words<'_>>, found: &Found<'_>) -> Start {
        let setup = words.and_then(|words| words.start().ok().flatten());
        let setup = setup.map(|start| start.setup);
        let moves = words.map(unchecked_moves).unwrap_or_default();
        let message = match setup {
            Some(_) => "a position without one king for each side".to_owned(),
            None => "a position that cannot be read".to_owned(),
        };
        let message = match moves.is_empty() {
            true => message,
            false => format!("{message}, and the moves {moves}"),
        };
        let raw = match setup {
            Some(_) => &[],
            None => found.frame.content,
        };
        self.fault(GameErrorKind::BadStart, message, raw, found.offset);
        setup.map_or(Start::Initial, |setup| Start::NoKings(Box::new(setup)))
    }

    fn read_notes(&mut self, id: u32, header: &Header, words: Option<&Words<'_>>, needs: Needs) {
        self.notes.clear();
        let all = needs.notes && needs.moves;
        let (Some(at), Some(file)) = (header.annotations(), self.tables.annotations) else {
            return;
        };
        if !all && !needs.tags {
            return;
        }
        let frame = match Frame::at(file, at) {
            Ok(frame) if frame.tag == tag::ANNOTATIONS => frame,
            Ok(_) => return self.bad_notes("another kind of record", &[], offset_of(id)),
            Err(error) => return self.bad_notes(&error.to_string(), &[], offset_of(id)),
        };
        // A place that was found is in the file.
        let begin = at as u64 + HEAD as u64;
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
    }

    fn bad_notes(&mut self, message: &str, raw: &[u8], offset: u64) {
        let message = format!("the annotations: {message}");
        self.fault(GameErrorKind::Unreadable, message, raw, offset);
    }

    /// Gives notes the numbers that their moves have in stored order. What stands behind the last
    /// move belongs to the end of the main line.
    fn place_notes(&mut self, words: Option<&Words<'_>>, scope: Scope, needs: Needs) {
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
        if lost > 0 {
            self.bad_notes("some belong to moves that cannot be read", &[], 0);
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
        let mut dangling = Vec::new();
        let records = entry::records(self.tables, header, &mut dangling);
        for (what, number) in dangling {
            let message = format!("record {number} of the .2lid file ({what}) is not there");
            self.fault(GameErrorKind::BadTag, message, &[], offset_of(id));
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
                bridge::to_classic(&entry, self.codec).write(&mut bytes);
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

    /// An entry that is no game, for whoever stores such entries.
    fn tell_native(&self, id: u32, header: &Header, needs: Needs, sink: &mut Listener<'_>) {
        let entry = StoredEntry::whole(self.tables, header);
        let mut bytes = Vec::new();
        let format = match needs.native {
            Some(FORMAT) => {
                entry.write(&mut bytes);
                WHOLE_ENTRY
            }
            _ => {
                bridge::to_classic(&entry, self.codec).write(&mut bytes);
                crate::writer::WHOLE_ENTRY
            }
        };
        sink.event(Event::Opaque {
            place: place_of(id),
            format,
            bytes: &bytes,
        });
        // Whoever stores entries of this family sees it himself.
        if needs.native != Some(FORMAT) && header.kind() == Some(Kind::Text) {
            self.tell_media(id, header, sink);
        }
    }

    fn tell_text(
        &self,
        id: u32,
        header: &Header,
        found: Result<Found<'_>, String>,
        sink: &mut Listener<'_>,
    ) {
        let frame = found.as_ref().ok().map(|found| found.frame);
        let frame = frame.filter(|frame| frame.tag == tag::TEXT);
        let Some(pages) = frame.and_then(|frame| Pages::read(frame.content)) else {
            return self.tell_opaque(id, "2cbh, damaged text", header, sink);
        };
        let records = entry::records(self.tables, header, &mut Vec::new());
        let titles = records.get(3).copied().flatten().and_then(Titles::read);
        let titles = titles.unwrap_or_default();
        pages.tell(place_of(id), &titles, self.codec, &mut |event| {
            sink.event(event);
        });
        self.tell_media(id, header, sink);
    }

    /// Says that a text has pictures or films. They are in files of their own, which stay behind.
    fn tell_media(&self, id: u32, header: &Header, sink: &mut Listener<'_>) {
        if header.i64(at::TEXT_MEDIA) != 0 {
            sink.event(Event::Opaque {
                place: place_of(id),
                format: "2cbh, media of a text",
                bytes: &header.0,
            });
        }
    }

    /// The header of a record, and its content as far as it is there.
    fn tell_opaque(&self, id: u32, format: &str, header: &Header, sink: &mut Listener<'_>) {
        let mut bytes = header.0.to_vec();
        let found = find(FileKind::Moves, self.tables.moves, header.moves());
        bytes.extend(found.map_or(&[][..], |found| found.frame.content));
        sink.event(Event::Opaque {
            place: place_of(id),
            format,
            bytes: &bytes,
        });
    }
}

/// Where a record stands, and its number.
fn place_of(id: u32) -> Place {
    Place::of_entry(id.into(), offset_of(id))
}

/// Whether a sink stores entries of ChessBase, of either family.
fn is_ours(native: &str) -> bool {
    native == FORMAT || native == crate::annotations::FORMAT
}

fn find(kind: FileKind, file: Option<&[u8]>, at: i64) -> Result<Found<'_>, String> {
    let file = file.ok_or_else(|| format!("the {kind} file is missing"))?;
    let frame = Frame::at(file, at);
    let frame = frame.map_err(|error: BadFrame| format!("in the {kind} file, {error}"))?;
    Ok(Found {
        frame,
        // A place that was found is in the file.
        offset: at as u64 + HEAD as u64,
    })
}

/// The position before the first move.
enum Start {
    Initial,
    Position(Box<Position>),
    /// No moves can be generated from it.
    NoKings(Box<Setup>),
}

impl Start {
    fn of(position: Position) -> Start {
        match position == Position::initial() {
            true => Start::Initial,
            false => Start::Position(Box::new(position)),
        }
    }

    fn position(&self) -> Option<&Position> {
        match self {
            Start::Position(position) => Some(position),
            Start::Initial | Start::NoKings(_) => None,
        }
    }

    fn fen(&self) -> Option<String> {
        match self {
            Start::Initial => None,
            Start::Position(position) => Some(position.to_string()),
            Start::NoKings(setup) => Some(setup.to_string()),
        }
    }
}

/// Moves that nobody checked, as squares: `;` ends a line, `|` says that another move was possible.
fn unchecked_moves(content: &Words<'_>) -> String {
    let spelt = content.iter().map(|word| match word {
        words::NULL => "--".to_owned(),
        words::SIBLING => "|".to_owned(),
        words::END => ";".to_owned(),
        // From and to; nobody knows the upper bits.
        word => {
            let from = square_of((word & 63) as u8);
            let to = square_of((word >> 6 & 63) as u8);
            match word >> 12 {
                0 => format!("{from}{to}"),
                more => format!("{from}{to}/{more}"),
            }
        }
    });
    let spelt: Vec<String> = spelt.collect();
    let spelt = spelt.join(" ");
    spelt.trim_end_matches([';', ' ']).to_owned()
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
