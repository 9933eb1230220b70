//! Games and texts as entries of a database.
//!
//! [`RecordWriter`] hears events and makes a [`StoredEntry`] of each game, text or entry that is
//! kept as it is. Entries know nothing of each other, so that several threads can make them; an
//! [`assembly`](super::assembly) gives them their numbers and joins them.
//!
//! ```
//! use tabiya_chessbase::cbh2::{names::Player, writer::RecordWriter};
//! use tabiya_formats::pgn::Parser;
//!
//! let mut writer = RecordWriter::default();
//! Parser::new("[White \"Tal, Mikhail\"]\n\n1. e4 {Best by test} e5 *").read_game(&mut writer);
//! let entries = writer.take();
//! let [entry] = &entries[..] else { panic!("one game") };
//! let white = entry.records[0].as_deref().unwrap_or_default();
//! assert_eq!(Player::read(white).unwrap().last, b"Tal");
//! ```

use encoding_rs::UTF_8;
use tabiya_chess::{Setup, Variant};
use tabiya_game::{
    Annotation, Damage, Event, Flow, GameError, GameErrorKind, GameResult, GameSink, LossKind,
    Losses, Needs, Tags,
};

use super::{
    annotations::{self, FORMAT, Item, LAYOUT},
    encode::Recorder,
    entities::EntityKind,
    entry::StoredEntry,
    frame::{LONGEST, tag},
    header::{Header, Kind, at},
    names::{self, Player, Source, Titles, Tournament},
    tags::{self, nation_of},
    text::{Pages, TITLES},
};
use crate::{
    annotations::{Facts, RecordWriter as ItemWriter},
    encoding::TextCodec,
    files::{
        EcoCode, GameFlags,
        tags::{FromMoves, variant_tag},
    },
    moves::Material,
    writer::{FORMATTING, MEDIA, header::settle_result, notes::NoteTaker},
};
use tabiya_formats::{
    GameWriter, Records,
    writing::{Wishes, unknown},
};

/// What the [`Records`] of a [`RecordWriter`] are called.
pub(super) const RECORDS: &str = "chessbase:2cbh";

/// How an entry is told that is kept as it is: a [`StoredEntry`].
pub(crate) const WHOLE_ENTRY: &str = "2cbh, whole entry";

/// How what tags do not tell of a game comes from such a database: a raw annotation with a number
/// that no annotation has. It holds a [`StoredEntry`] without moves and annotations.
pub(crate) const BESIDES_TAGS: u16 = 0x100;

/// Makes entries of what it hears.
#[derive(Debug)]
pub struct RecordWriter {
    codec: TextCodec,
    tags: Tags,
    moves: Recorder,
    notes: NoteTaker,
    /// What the game has besides tags, if it comes from such a database.
    besides: Option<Box<StoredEntry>>,
    /// Why moves cannot be played from the start of the game, or nobody knows its rules.
    bad_start: Option<String>,
    entries: Vec<StoredEntry>,
    wishes: Wishes,
    game: u64,
    losses: Losses,
}

impl Default for RecordWriter {
    fn default() -> RecordWriter {
        let codec = TextCodec::mixed(UTF_8);
        RecordWriter {
            notes: NoteTaker::new(ItemWriter::with_layout(codec.clone(), &LAYOUT)),
            codec,
            tags: Tags::new(),
            moves: Recorder::default(),
            besides: None,
            bad_start: None,
            entries: Vec::new(),
            wishes: Wishes::default(),
            game: 0,
            losses: Losses::default(),
        }
    }
}

impl RecordWriter {
    /// Leaves out what is not wanted.
    #[must_use]
    pub fn with_wishes(mut self, wishes: Wishes) -> RecordWriter {
        self.wishes = wishes;
        self
    }

    /// What has been written since it was last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<StoredEntry> {
        std::mem::take(&mut self.entries)
    }

    fn lose(&mut self, kind: LossKind, what: impl FnOnce() -> String) {
        self.losses.note(self.game, kind, what);
    }

    fn begin(&mut self, event: Event<'_>) {
        self.game += 1;
        self.tags.clear();
        self.besides = None;
        self.bad_start = None;
        self.moves.event(event);
        self.notes.begin(self.game);
    }

    /// A tag, unless its place is among the annotations.
    fn tag(&mut self, name: &str, value: &str) {
        if !self.notes.tag(name, value) {
            self.tags.push(name, value);
        }
    }

    fn step(&mut self, event: Event<'_>) {
        let before = self.moves.last();
        self.notes.before_step(&event, before);
        self.moves.event(event);
        self.notes.after_step(&event, before, self.moves.last());
    }

    fn error(&mut self, error: GameError<'_>) {
        let about_start = matches!(
            error.kind,
            GameErrorKind::BadStart | GameErrorKind::UnknownVariant
        );
        if about_start {
            self.bad_start = Some(error.message.to_owned());
        }
        // A position that is kept as it is needs no error.
        if !about_start || !error.raw.is_empty() {
            self.lose(LossKind::Error, || {
                format!("what could not be read: {}", error.message)
            });
        }
    }

    /// Takes the start as its tag tells it, where no moves can be played from it. Says whether that
    /// can be.
    fn settle_start(&mut self) -> bool {
        let Some(why) = self.bad_start.take() else {
            return true;
        };
        let setup = self.tags.get("FEN").and_then(|fen| fen.parse().ok());
        let bare = self.moves.last().is_none() && self.tags.get("Variant").is_none();
        let setup: Option<Setup> = setup.filter(|_| bare);
        match setup {
            Some(setup) => self.moves.start_unplayable(&setup),
            None => self.lose(LossKind::Start, || format!("the whole game: {why}")),
        }
        setup.is_some()
    }

    fn end(&mut self, result: GameResult) {
        if !self.settle_start() {
            return;
        }
        let moves = match self.moves.write() {
            Ok((_, content)) if content.len() > LONGEST => Err("it is too long"),
            written => written,
        };
        let moves = match moves {
            Ok(moves) => moves,
            Err(why) => return self.lose(LossKind::Entry, || format!("the whole game: {why}")),
        };
        let order = self.moves.order();
        let number = |number: u32| order.get(number as usize).copied().flatten();
        // They count from 0 here, and the notes from 1.
        let stored = |taken: crate::moves::Taken| Some(number(taken.number())? + 1);
        let items = self.notes.finish_items(self.moves.last(), stored);
        let items = items.iter().map(|(position, kind, data)| Item {
            position: *position,
            kind: (*kind).into(),
            data,
        });
        let facts = annotations::facts(items.clone());
        let annotations = annotations::write(items);
        if annotations.len() > LONGEST {
            return self.lose(LossKind::Entry, || {
                "the whole game: its annotations are too long".to_owned()
            });
        }
        let mut entry = self.entry(result, &facts);
        entry.moves = Some(moves);
        entry.annotations = Some(annotations);
        self.entries.push(entry);
    }

    /// The entry of the game that has been heard, but for its moves and annotations.
    fn entry(&mut self, result: GameResult, facts: &Facts) -> StoredEntry {
        if let Some((kind, what)) = settle_result(&mut self.tags, result) {
            self.lose(kind, || what);
        }
        let start = self.moves.start_setup();
        let fen = self.moves.has_start().then(|| start.to_string());
        let variant = match self.moves.tag() {
            Some(tag::CHESS960) => variant_tag(Variant::Chess960),
            _ => None,
        };
        let from_moves = FromMoves {
            fen: fen.as_deref(),
            variant,
            plies: Some(self.moves.main_plies() as usize),
        };
        let mut parts = tags::parts(&self.tags, &from_moves, &self.codec);
        if let Some(besides) = &self.besides {
            // What the records tell that are taken over is not lost.
            let told = tags::told(&besides.header, &besides.records, &self.codec);
            let kept = |name: &str, value: &str| told.get(name) == Some(value);
            parts.leftovers.retain(|it| !kept(&it.name, &it.value));
        }
        for leftover in &parts.leftovers {
            match leftover.is_respelled() {
                true => self.losses.respell(self.game, || leftover.to_string()),
                false => self.lose(LossKind::Tag, || leftover.to_string()),
            }
        }
        let mut entry = StoredEntry {
            header: parts.header,
            records: parts.records,
            moves: None,
            annotations: None,
        };
        if let Some(besides) = self.besides.take() {
            take_over(&mut entry, &besides);
        }
        self.fit(&mut entry);
        self.say_moves(&mut entry.header, facts);
        entry
    }

    /// What a header says about moves and annotations.
    fn say_moves(&mut self, header: &mut Header, facts: &Facts) {
        let number = self.moves.chess960_number();
        let start = self.moves.start_setup();
        let unorthodox = self.moves.tag() != Some(tag::CHESS);
        let bits = [
            (GameFlags::SETUP, self.moves.has_start()),
            (GameFlags::VARIATIONS, self.moves.has_variations()),
            (GameFlags::UNORTHODOX, unorthodox),
        ];
        let flags = bits.into_iter().filter(|(_, set)| *set);
        let flags = flags.fold(GameFlags(facts.flags), |all, (flag, _)| all | flag);
        header.set_u32(at::FLAGS, flags.0);
        header.set_u16(at::MEDALS, header.medals().0 | facts.medals);
        header.set_u16(at::MAGNITUDES, facts.magnitudes);
        let plies = self.moves.main_plies();
        let half_moves = plies.saturating_add(start.turn as u32);
        let count = if plies == 0 {
            0
        } else {
            half_moves.div_ceil(2)
        };
        header.set_i16(at::MOVE_COUNT, i16::try_from(count).unwrap_or(i16::MAX));
        let material = Material::of(&self.moves.final_board());
        for (at, word) in at::MATERIAL
            .into_iter()
            .zip([material.greater, material.lesser])
        {
            header.set_u32(at, word.into());
        }
        if let Some(code) = number.and_then(EcoCode::chess960) {
            let opening = header.eco();
            header.set_u16(at::ECO, code.0);
            if opening != EcoCode::NONE {
                self.lose(LossKind::Tag, || {
                    format!("ECO {opening}: a game of Chess960 has its start there")
                });
            }
        }
    }

    fn text(&mut self, title: &str, language: Option<&str>, text: &str) {
        self.game += 1;
        let nation = nation_of(language).unwrap_or_else(|| {
            self.lose(LossKind::Language, || "the language of a text".to_owned());
            0
        });
        if text.len() > LONGEST / 2 {
            return self.lose(LossKind::Entry, || {
                format!("the text {title:?}, which is too long")
            });
        }
        let room = EntityKind::Tag.room() - 4 - 8 * (TITLES.len() + 1);
        let kept = &title[..title.floor_char_boundary(room)];
        if kept.len() < title.len() {
            self.lose(LossKind::Entry, || {
                format!("the end of the title {title:?}")
            });
        }
        let entry = text_entry(&[(nation, kept)], &[(nation, text.as_bytes())]);
        self.entries.push(entry);
    }

    fn opaque(&mut self, format: &str, bytes: &[u8]) {
        if format == WHOLE_ENTRY
            && let Ok((entry, [])) = StoredEntry::read(bytes)
        {
            self.game += 1;
            if entry.moves.is_none() {
                return self.lose(LossKind::Entry, || {
                    "an entry of which the contents are not there".to_owned()
                });
            }
            return self.whole_entry(entry);
        }
        if let Some(damage) = Damage::of(format) {
            self.game += u64::from(matches!(damage, Damage::Whole(_)));
            return self.lose(LossKind::Error, || damage.to_string());
        }
        let (format, what) = format.split_once(", ").unwrap_or((format, "an entry"));
        if ![FORMATTING, MEDIA].contains(&what) {
            self.game += 1;
        }
        self.lose(LossKind::Entry, || format!("{what} of {format}"));
    }

    /// Media are in files of their own, which stay behind.
    fn whole_entry(&mut self, mut entry: StoredEntry) {
        let is_text = entry.header.kind() == Some(Kind::Text);
        if is_text && entry.header.i64(at::TEXT_MEDIA) != 0 {
            entry.header.set_i64(at::TEXT_MEDIA, 0);
            self.lose(LossKind::Entry, || "the media of a text".to_owned());
        }
        self.fit(&mut entry);
        self.entries.push(entry);
    }

    /// Cuts names for which a new file has no room: those of files of later programs may be longer,
    /// and titles of classic texts too.
    fn fit(&mut self, entry: &mut StoredEntry) {
        let references = entry.header.kind().map_or(&[][..], Kind::references);
        for (reference, record) in references.iter().zip(&mut entry.records) {
            let kind = reference.role.entity();
            let long = record.as_mut().filter(|it| it.len() > kind.room());
            let Some(record) = long else { continue };
            *record = names::shorten(kind, record);
            let name = reference.name;
            self.lose(LossKind::Tag, || {
                format!("the end of a name ({name}) that has no room")
            });
        }
    }
}

/// A text with its titles and pages by the nations of their languages.
pub(super) fn text_entry(titles: &[(i32, &str)], pages: &[(i32, &[u8])]) -> StoredEntry {
    let mut all: Vec<(i32, &[u8])> = TITLES.map(|nation| (nation, &b""[..])).into();
    for (nation, title) in titles {
        match all.iter_mut().find(|(it, _)| it == nation) {
            Some((_, place)) => *place = title.as_bytes(),
            None => all.push((*nation, title.as_bytes())),
        }
    }
    all.sort_by_key(|(nation, _)| *nation);
    let mut pages = Pages(pages.to_vec());
    pages.0.sort_by_key(|(nation, _)| *nation);
    StoredEntry {
        header: Header::new(Kind::Text),
        records: vec![
            Some(Tournament::default().to_bytes()),
            Some(Source::default().to_bytes()),
            Some(Player::default().to_bytes()),
            Some(Titles(all).to_bytes()),
        ],
        moves: Some((tag::TEXT, pages.to_bytes())),
        annotations: None,
    }
}

/// Takes over what tags do not tell: the kinds of ratings, times, scores, what is known of a
/// tournament, the numbers of players. Whatever tags tell otherwise stays as they tell it.
fn take_over(entry: &mut StoredEntry, besides: &StoredEntry) {
    let (told, old) = (entry.header, &besides.header);
    if old.kind() != Some(Kind::Game) {
        return;
    }
    entry.header = *old;
    let header = &mut entry.header;
    header.set_deleted(told.is_deleted());
    for at in [at::RESULT, at::LINE_NAG] {
        header.0[at] = told.0[at];
    }
    for at in [at::ROUND, at::SUBROUND, at::BOARD] {
        header.set_i16(at, told.i16(at));
    }
    header.set_u16(at::ECO, told.u16(at::ECO));
    header.set_u16(at::MEDALS, told.u16(at::MEDALS));
    header.set_u32(at::DATE, told.u32(at::DATE));
    for side in 0..2 {
        if header.i16(at::ELO[side]) != told.i16(at::ELO[side]) {
            header.set_i16(at::ELO[side], told.i16(at::ELO[side]));
            header.set_rating_type(side, told.rating_type(side));
        }
    }
    // A record that tells the same is taken as it was.
    for (index, record) in entry.records.iter_mut().enumerate() {
        let old = besides.records.get(index).cloned().flatten();
        if let (Some(new), Some(old)) = (&record, old)
            && tags::tells_the_same(index, new, &old)
        {
            *record = Some(old);
        }
    }
}

impl GameSink for RecordWriter {
    fn needs(&mut self) -> Needs {
        Needs::ALL
            .variations(self.wishes.variations)
            .notes(self.wishes.comments || self.wishes.nags)
            .native(Some(FORMAT))
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.begin(event),
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(_) => self.moves.event(event),
            Event::Move { .. } | Event::Null { .. } | Event::Missing => self.step(event),
            Event::VariationStart | Event::VariationEnd => self.step(event),
            Event::Annotation(Annotation::Raw {
                format,
                code: BESIDES_TAGS,
                bytes,
            }) if format == FORMAT => {
                let besides = StoredEntry::read(bytes).ok();
                self.besides = besides.map(|(entry, _)| Box::new(entry));
            }
            Event::Nag(_) if !self.wishes.nags => {}
            Event::Comment(_) | Event::Annotation(_) if !self.wishes.comments => {}
            Event::Nag(_) | Event::Comment(_) | Event::Annotation(_) => {
                self.notes.take(&event, self.moves.last());
            }
            Event::Error(error) => self.error(error),
            Event::GameEnd { result, .. } => self.end(result),
            Event::Text {
                title,
                language,
                text,
                ..
            } => self.text(title, language, text),
            Event::Opaque { format, bytes, .. } => self.opaque(format, bytes),
            other => self.lose(LossKind::Unknown, || unknown(other)),
        }
        Flow::Continue
    }
}

impl GameWriter for RecordWriter {
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn take(&mut self) -> Records {
        Records::new(RECORDS, RecordWriter::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        let mut losses = std::mem::take(&mut self.losses);
        losses.append(self.moves.take_losses());
        losses.append(self.notes.take_losses());
        losses
    }
}
