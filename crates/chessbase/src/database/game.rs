//! One record of the header file, and what belongs to it, as events.

use std::borrow::Cow;

use tabiya_chess::Position;
use tabiya_game::{
    Annotation, Damage, Event, Flow, GameErrorKind, GameState, Listener, Needs, Place,
};

use super::{Shared, offset_of};
use crate::{
    annotations::{self, FORMAT},
    cbh2,
    encoding::TextCodec,
    files::{
        FileKind,
        extended::ExtendedRecord,
        flags_file::Flags,
        header::{Entry, GameRecord, TextRecord},
        set::{FileSet, Tables},
        stores::{self, StoreHeader},
        tags::{self, FromMoves, Occasion, Warning, WarningKind},
    },
    moves::{ErrorKind, Record, Scope, StoredGame},
    notes::{Fault, Notes},
    stored::{stored, without_moves},
    text::GuidingText,
    writer::{BESIDES_TAGS, FORMATTING, MEDIA, WHOLE_ENTRY},
};

/// Why a record cannot be told.
type Reason = String;

/// Tells record after record and keeps its memory.
pub(super) struct GameTeller<'a> {
    tables: &'a Tables<'a>,
    all_files: &'a FileSet,
    flags: Option<&'a Flags>,
    files: Files<'a>,
    codec: &'a TextCodec,
    game: StoredGame,
    notes: Notes,
    errors: Vec<Fault>,
    warnings: Vec<Warning>,
    /// What the game refers to.
    occasion: Occasion,
}

/// The files that records point into.
#[derive(Clone, Copy)]
pub(crate) struct Files<'a> {
    moves: Option<&'a [u8]>,
    annotations: Option<&'a [u8]>,
    long_offsets: bool,
}

/// A record in one of these files.
#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    /// From the start of the record to the end of the file.
    pub(crate) bytes: &'a [u8],
    /// Where it is.
    pub(crate) offset: u64,
}

impl<'a> Files<'a> {
    pub(crate) fn new(files: &'a FileSet, tables: &Tables<'_>) -> Files<'a> {
        let get = |kind| files.get(kind).map(|contents| &**contents);
        Files {
            moves: get(FileKind::Moves),
            annotations: get(FileKind::Annotations),
            long_offsets: tables.extended.is_some_and(|file| file.has_offsets()),
        }
    }

    /// The moves of a game, or a text.
    pub(crate) fn moves(
        &self,
        short: u32,
        extended: &ExtendedRecord,
    ) -> Result<Stored<'a>, Reason> {
        self.find(FileKind::Moves, self.moves, short, extended.moves)
    }

    /// The annotations of a game, if it has any.
    pub(crate) fn annotations(
        &self,
        record: &GameRecord,
        extended: &ExtendedRecord,
    ) -> Option<Result<Stored<'a>, Reason>> {
        let (short, long) = (record.annotations, extended.annotations);
        let kind = FileKind::Annotations;
        let length = self.annotations.map_or(0, |file| file.len());
        match self.place(short, long, length) {
            0 => None,
            _ => Some(self.find(kind, self.annotations, short, long)),
        }
    }

    fn place(&self, short: u32, long: i64, length: usize) -> u64 {
        let long = u64::try_from(long).ok().filter(|_| self.long_offsets);
        stores::place(short, long, length as u64)
    }

    fn find(
        &self,
        kind: FileKind,
        file: Option<&'a [u8]>,
        short: u32,
        long: i64,
    ) -> Result<Stored<'a>, Reason> {
        let file = file.ok_or_else(|| format!("the {kind} file is missing"))?;
        let offset = self.place(short, long, file.len());
        let at = usize::try_from(offset).ok();
        let bytes = at
            .filter(|at| *at >= StoreHeader::SHORT)
            .and_then(|at| file.get(at..));
        match bytes {
            Some(bytes) if !bytes.is_empty() => Ok(Stored { bytes, offset }),
            _ => {
                let length = file.len();
                Err(format!(
                    "there is nothing at byte {offset} of the {kind} file, which has {length}"
                ))
            }
        }
    }
}

impl<'a> GameTeller<'a> {
    pub(super) fn new(shared: &'a Shared, tables: &'a Tables<'a>) -> GameTeller<'a> {
        GameTeller {
            tables,
            all_files: &shared.files,
            flags: shared.flags.as_ref(),
            files: Files::new(&shared.files, tables),
            codec: &shared.codec,
            game: StoredGame::default(),
            notes: Notes::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
            occasion: Occasion::default(),
        }
    }

    /// Tells a record.
    pub(super) fn tell(&mut self, id: u32, entry: &Entry, sink: &mut Listener<'_>) {
        let extended = self.tables.extended.map(|file| file.get(id));
        let extended = extended.unwrap_or_default();
        match entry {
            Entry::Game(record) => self.tell_game(id, record, &extended, sink),
            Entry::Text(_) if is_native(sink.needs()) => self.tell_whole(id, entry, sink),
            Entry::Text(record) if sink.needs().native == Some(cbh2::FORMAT) => {
                self.tell_newer(id, entry, record, sink);
            }
            Entry::Text(record) => self.tell_text(id, record, &extended, sink),
            Entry::Empty => {}
        }
    }

    fn tell_game(
        &mut self,
        id: u32,
        record: &GameRecord,
        extended: &ExtendedRecord,
        sink: &mut Listener<'_>,
    ) {
        let stored = self.files.moves(record.moves, extended);
        if let Ok(stored) = stored
            && let Some(format) = unknown_variant(stored.bytes)
        {
            if is_native(sink.needs()) {
                return self.tell_whole(id, &Entry::Game(*record), sink);
            }
            return tell_opaque(
                place_of(id),
                &format,
                &record.to_bytes(),
                Some(stored.bytes),
                sink,
            );
        }
        let needs = sink.needs();
        let result = record.ending.result();
        let mut state = GameState::Complete;
        if sink.event(Event::GameStart(place_of(id))) != Flow::SkipGame
            && (needs.tags || needs.moves)
        {
            state = self.tell_wanted(id, record, extended, stored, needs, sink);
        }
        sink.event(Event::GameEnd { result, state });
    }

    /// Everything between the start of a game and its end.
    fn tell_wanted(
        &mut self,
        id: u32,
        record: &GameRecord,
        extended: &ExtendedRecord,
        stored: Result<Stored<'_>, Reason>,
        needs: Needs,
        sink: &mut Listener<'_>,
    ) -> GameState {
        self.errors.clear();
        let offset = stored.as_ref().map_or(0, |stored| stored.offset);
        let start = self.read_moves(id, stored, needs);
        self.read_notes(id, record, extended, needs);
        if needs.tags {
            let flow = self.tell_tags(id, record, extended, &start, needs, sink);
            if flow == Flow::SkipGame {
                return GameState::Complete;
            }
        }
        if !needs.moves {
            return self.state(GameState::Complete);
        }
        let mut flow = sink.event(Event::Start(&start));
        if flow != Flow::SkipGame {
            flow = self.tell_besides(id, record, needs, sink);
        }
        if flow != Flow::SkipGame && needs.notes {
            flow = self.notes.tell_whole(sink);
        }
        if flow != Flow::SkipGame {
            // Most games have no notes: they need not be looked for at every move.
            let (game, notes) = (&self.game, &self.notes);
            flow = match notes.is_empty() {
                true => game.tell_moves(sink, offset),
                false => game.tell(sink, offset, &mut &*notes),
            };
        }
        if flow != Flow::SkipGame {
            self.errors.iter().for_each(|fault| fault.tell(sink));
        }
        self.state(self.game.state())
    }

    /// What tags do not tell, for whoever stores such entries.
    fn tell_besides(
        &self,
        id: u32,
        record: &GameRecord,
        needs: Needs,
        sink: &mut Listener<'_>,
    ) -> Flow {
        let mut bytes = Vec::new();
        let besides = || without_moves(self.tables, id, &Entry::Game(*record));
        let (format, code) = match needs.native {
            Some(FORMAT) => {
                besides().write(&mut bytes);
                (FORMAT, BESIDES_TAGS)
            }
            Some(cbh2::FORMAT) => {
                cbh2::of_classic(&besides(), self.codec).write(&mut bytes);
                (cbh2::FORMAT, cbh2::BESIDES_TAGS)
            }
            _ => return Flow::Continue,
        };
        sink.event(Event::Annotation(&Annotation::Raw {
            format: format.to_owned(),
            code,
            bytes,
        }))
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
        stored: Result<Stored<'_>, Reason>,
        needs: Needs,
    ) -> Position {
        let stored = match stored {
            Ok(stored) => stored,
            Err(message) => {
                self.game = StoredGame::default();
                self.errors.push(Fault {
                    kind: GameErrorKind::Unreadable,
                    message: format!("the moves: {message}"),
                    raw: Vec::new(),
                    offset: offset_of(id),
                });
                return *self.game.start();
            }
        };
        if needs.moves {
            self.game.keep_keys(needs.keys);
            // What is wrong is told at its place.
            let _ = self.game.read(stored.bytes, scope(needs));
            return *self.game.start();
        }
        let record = Record::new(stored.bytes);
        let start = record.and_then(|record| record.start());
        start.map_or_else(|_| Position::initial(), |start| start.position)
    }

    fn read_notes(
        &mut self,
        id: u32,
        record: &GameRecord,
        extended: &ExtendedRecord,
        needs: Needs,
    ) {
        self.notes.clear();
        let all = needs.notes && needs.moves;
        let found = match self.files.annotations(record, extended) {
            None => return,
            _ if !all && !needs.tags => return,
            Some(found) => found,
        };
        let mut fault = |message: String, raw: &[u8], offset| {
            self.errors.push(Fault {
                kind: GameErrorKind::Unreadable,
                message: format!("the annotations: {message}"),
                raw: raw.to_vec(),
                offset,
            });
        };
        let stored = match found {
            Ok(stored) => stored,
            Err(message) => return fault(message, &[], offset_of(id)),
        };
        let size = annotations::Record::parse(stored.bytes).map_or(0, |record| record.size());
        let bytes = &stored.bytes[..size];
        self.notes.place = Place::at_byte(stored.offset);
        if let Err(error) = self.notes.read(stored.bytes, self.codec, all) {
            let rest = bytes.get(error.offset..).unwrap_or_default();
            fault(error.to_string(), rest, stored.offset + error.offset as u64);
        }
        if all && self.notes.fit(&self.game, scope(needs)) > 0 {
            let message = "some belong to moves that cannot be read".to_string();
            fault(message, bytes, stored.offset);
        }
    }

    fn tell_tags(
        &mut self,
        id: u32,
        record: &GameRecord,
        extended: &ExtendedRecord,
        start: &Position,
        needs: Needs,
        sink: &mut Listener<'_>,
    ) -> Flow {
        self.warnings.clear();
        let decode = decoder(self.codec);
        self.occasion
            .look_up(self.tables, record, extended, &decode, &mut self.warnings);
        for warning in &self.warnings {
            // What is left of a deleted name is a name.
            if warning.kind == WarningKind::Missing {
                self.errors.push(Fault {
                    kind: GameErrorKind::BadTag,
                    message: warning.to_string(),
                    raw: Vec::new(),
                    offset: offset_of(id),
                });
            }
        }
        let fen = (*start != Position::initial()).then(|| start.to_string());
        let moves = FromMoves {
            fen: fen.as_deref(),
            variant: tags::variant_tag(start.variant()),
            plies: needs.moves.then(|| self.game.main_plies() as usize),
        };
        let mut flow = Flow::Continue;
        let mut tag = |name: &str, value: &str| {
            if flow != Flow::SkipGame {
                flow = sink.event(Event::Tag { name, value });
            }
        };
        self.occasion
            .tell(record, extended, &moves, &decode, &mut tag);
        for (name, value) in self.notes.tags() {
            tag(name, &value);
        }
        if self.flags.is_some_and(|flags| flags.get(id).top) {
            tag("TopGame", "1");
        }
        flow
    }

    /// An entry for whoever stores such entries. That it was deleted is not part of it.
    fn tell_whole(&self, id: u32, entry: &Entry, sink: &mut Listener<'_>) {
        let mut bytes = Vec::new();
        let whole = stored(self.all_files, self.tables, id, &entry.deleted(false));
        whole.write(&mut bytes);
        sink.event(Event::Opaque {
            place: place_of(id),
            format: WHOLE_ENTRY,
            bytes: &bytes,
        });
        if let Entry::Text(record) = entry
            && GuidingText::parse(&whole.moves).is_err()
        {
            let format = Damage::Beside(UNREADABLE).format(FORMAT);
            let moves = Some(&whole.moves[..]);
            tell_opaque(place_of(id), &format, &record.to_bytes(), moves, sink);
        }
    }

    /// A text for whoever stores entries of the newer family.
    fn tell_newer(&self, id: u32, entry: &Entry, record: &TextRecord, sink: &mut Listener<'_>) {
        let place = place_of(id);
        let whole = stored(self.all_files, self.tables, id, &entry.deleted(false));
        let Ok(text) = GuidingText::parse(&whole.moves) else {
            let (header, stored) = (record.to_bytes(), Some(&whole.moves[..]));
            let format = Damage::Whole("text").format(FORMAT);
            return tell_opaque(place, &format, &header, stored, sink);
        };
        let mut bytes = Vec::new();
        cbh2::of_classic(&whole, self.codec).write(&mut bytes);
        sink.event(Event::Opaque {
            place,
            format: cbh2::WHOLE_ENTRY,
            bytes: &bytes,
        });
        if text.has_formatting() {
            let (header, stored) = (record.to_bytes(), Some(&whole.moves[..]));
            tell_opaque(
                place,
                &format!("{FORMAT}, {FORMATTING}"),
                &header,
                stored,
                sink,
            );
        }
        tell_media(place, record, &whole.extended, sink);
    }

    fn tell_text(
        &self,
        id: u32,
        record: &TextRecord,
        extended: &ExtendedRecord,
        sink: &mut Listener<'_>,
    ) {
        let place = place_of(id);
        let stored = self.files.moves(record.text, extended).ok();
        let text = stored.and_then(|stored| GuidingText::parse(stored.bytes).ok());
        let bytes = stored.map(|stored| stored.bytes);
        let Some(text) = text else {
            let format = Damage::Whole("text").format(FORMAT);
            return tell_opaque(place, &format, &record.to_bytes(), bytes, sink);
        };
        let languages = text.languages(self.codec);
        if languages.is_empty() {
            text.tell(place, self.codec, &mut |event| {
                sink.event(event);
            });
        }
        for one in &languages {
            sink.event(Event::Text {
                place,
                title: &one.title,
                language: one.language,
                text: &one.text,
            });
        }
        if text.has_formatting() {
            tell_opaque(
                place,
                &format!("{FORMAT}, {FORMATTING}"),
                &record.to_bytes(),
                bytes,
                sink,
            );
        }
        tell_media(place, record, extended, sink);
    }
}

/// Says that a text has pictures or films. They are in files of their own, which stay behind.
fn tell_media(
    place: Place,
    record: &TextRecord,
    extended: &ExtendedRecord,
    sink: &mut Listener<'_>,
) {
    if extended.media != ExtendedRecord::default().media {
        tell_opaque(
            place,
            &format!("{FORMAT}, {MEDIA}"),
            &record.to_bytes(),
            None,
            sink,
        );
    }
}

/// What is wrong with a text that is kept as it is.
const UNREADABLE: &str = "the text cannot be read";

/// Names by a codec. (A closure alone would be taken to work for one lifetime.)
fn decoder(codec: &TextCodec) -> impl for<'t> Fn(&'t [u8]) -> Cow<'t, str> {
    |bytes| codec.name(bytes)
}

/// Where a record stands, and its number.
fn place_of(id: u32) -> Place {
    Place::of_entry(id.into(), offset_of(id))
}

/// Whether a sink takes entries as they are stored.
fn is_native(needs: Needs) -> bool {
    needs.native == Some(FORMAT)
}

fn scope(needs: Needs) -> Scope {
    match needs.variations {
        true => Scope::All,
        false => Scope::MainLine,
    }
}

/// What a game is called that is played by rules that nobody has described.
fn unknown_variant(bytes: &[u8]) -> Option<String> {
    let error = Record::new(bytes).ok()?.mode().err()?;
    match error {
        // Other numbers are damage.
        ErrorKind::UnknownMode {
            mode: 12..=19 | 63, ..
        } => {
            let text = error.to_string();
            let name = text.strip_suffix(" cannot be read").unwrap_or(&text);
            Some(format!("chessbase, {name}"))
        }
        _ => None,
    }
}

/// A header, and the record behind it as far as it goes.
fn tell_opaque(
    place: Place,
    format: &str,
    header: &[u8],
    stored: Option<&[u8]>,
    sink: &mut Listener<'_>,
) {
    let record = stored.and_then(|bytes| Record::new(bytes).ok());
    let mut bytes = header.to_vec();
    bytes.extend_from_slice(record.map_or(&[], |record| record.bytes()));
    let bytes = &bytes;
    sink.event(Event::Opaque {
        place,
        format,
        bytes,
    });
}
