//! Entries of one family as those of the other: all that both hold.
//!
//! Moves and annotations of games go another way, as events. What is left are the fields that no
//! tag tells, and texts.

use std::borrow::Cow;

use super::{
    entry::StoredEntry,
    header::{Kind, at},
    names::{Titles, Tournament},
    tags::{self, language_of, nation_of},
    text::Pages,
    writer::text_entry,
};
use crate::{
    annotations::languages::{ANY, to_text},
    encoding::TextCodec,
    files::{
        Created, Saved,
        extended::ExtendedRecord,
        flags_file::GameMarks,
        header::{Entry, GameRecord, TextRecord},
        tags::{Sheet, fit, sheet},
        tournament_extra::TournamentExtra,
    },
    text::GuidingText,
    writer::StoredEntry as Classic,
};

/// From here on times of creation are finer by so many bits.
const FINE: i64 = 1 << 40;
const FINER: u32 = 12;

/// What tags do not tell of a game, as the classic family has it.
pub(super) fn game_to_classic(entry: &StoredEntry, codec: &TextCodec) -> Classic {
    let records = borrowed(entry);
    let sheet = tags::sheet(&entry.header, &records, codec);
    let tournament = records.get(2).copied().flatten();
    let classic = to_classic(entry, &sheet, tournament);
    Classic {
        header: Entry::Game(classic.0),
        ..classic.1
    }
}

/// A text with its pages as the classic family has it.
pub(super) fn text_to_classic(
    entry: &StoredEntry,
    pages: &Pages<'_>,
    codec: &TextCodec,
) -> Classic {
    let records = borrowed(entry);
    let sheet = text_sheet(&records, codec);
    let tournament = records.first().copied().flatten();
    let (_, classic) = to_classic(entry, &sheet, tournament);
    Classic {
        moves: text_record(pages, &records, codec),
        ..classic
    }
}

fn borrowed(entry: &StoredEntry) -> Vec<Option<&[u8]>> {
    entry.records.iter().map(Option::as_deref).collect()
}

/// What games and texts have in common, and what games have besides.
fn to_classic(
    entry: &StoredEntry,
    sheet: &Sheet<'_>,
    tournament: Option<&[u8]>,
) -> (GameRecord, Classic) {
    let names = TextCodec::default();
    let (record, mut extended, mut details) = fit(sheet, &encoder(&names));
    let tournament = tournament.and_then(Tournament::read).unwrap_or_default();
    details.tournament.flags = tournament.flags;
    say_times(entry, &mut extended);
    let classic = Classic {
        header: Entry::Text(TextRecord::default()),
        extended,
        details,
        mark: GameMarks::default(),
        extra: Some(extra(&tournament)),
        moves: Vec::new(),
        annotations: Vec::new(),
    };
    (record, classic)
}

fn say_times(entry: &StoredEntry, extended: &mut ExtendedRecord) {
    let header = &entry.header;
    let is_text = header.kind() == Some(Kind::Text);
    let (created, version) = match is_text {
        true => (header.i64(at::TEXT_CREATED), header.i64(at::TEXT_VERSION)),
        false => (header.i64(at::CREATED), i64::from(header.u32(at::VERSION))),
    };
    extended.created = Created(match created {
        FINE.. => created >> FINER,
        created => created,
    });
    if !is_text {
        extended.saved = Saved(header.i64(at::CHANGED));
    }
    // The upper half of the number means something else.
    extended.saves = (version & 0xffff) as u16;
}

fn extra(tournament: &Tournament<'_>) -> TournamentExtra {
    let mut extra = TournamentExtra {
        end: tournament.end,
        ..TournamentExtra::default()
    };
    let [north, east] = tournament
        .coordinates
        .map(|bits| f64::from(f32::from_bits(bits)));
    extra.set_coordinates(north, east);
    let rules = tournament.tie_breaks.iter();
    for (place, rule) in extra.tie_breaks.iter_mut().zip(rules) {
        *place = u8::try_from(*rule).unwrap_or(0);
        extra.tie_breaks_count += 1;
    }
    extra
}

/// What a text is about, in the fields that games have too.
fn text_sheet<'r>(records: &tags::Records<'r>, codec: &TextCodec) -> Sheet<'r> {
    let [tournament, source, author] = [0, 1, 2].map(|index| records.get(index).copied().flatten());
    let game = [None, None, tournament, author, source, None, None, None];
    tags::sheet(&super::header::Header::new(Kind::Game), &game, codec)
}

fn text_record(pages: &Pages<'_>, records: &tags::Records<'_>, codec: &TextCodec) -> Vec<u8> {
    let titles = records.get(3).copied().flatten().and_then(Titles::read);
    let number = |nation: i32| to_text(language_of(nation).as_deref()).unwrap_or(ANY);
    let names = TextCodec::default();
    let titles = titles.unwrap_or_default().0.into_iter();
    let titles = titles.filter(|(_, title)| !title.is_empty());
    let titles = titles.map(|(nation, title)| {
        let (bytes, _) = names.encode_name(&codec.name(title));
        (number(nation), bytes)
    });
    let pages = pages.written().into_iter();
    let pages = pages.map(|(nation, page)| (number(nation), page.to_vec()));
    GuidingText::of_pages(titles.collect(), pages.collect()).to_bytes()
}

/// An entry of the classic family as this one has it.
pub(crate) fn of_classic(entry: &Classic, codec: &TextCodec) -> StoredEntry {
    let record = match &entry.header {
        Entry::Game(record) => *record,
        _ => GameRecord::default(),
    };
    let decode = decoder(codec);
    let sheet = sheet(&record, &entry.extended, &entry.details, &decode);
    let (mut header, mut records) = tags::of_sheet(&sheet);
    if let Some(record) = records.get_mut(2).and_then(Option::as_mut) {
        say_tournament(record, entry);
    }
    let extended = &entry.extended;
    header.set_i64(at::CREATED, extended.created.0);
    header.set_i64(at::CHANGED, extended.saved.0);
    header.set_u32(at::VERSION, extended.saves.into());
    match &entry.header {
        Entry::Text(_) => classic_text(entry, records, codec),
        _ => StoredEntry {
            header,
            records,
            moves: None,
            annotations: None,
        },
    }
}

fn encoder(codec: &TextCodec) -> impl for<'t> Fn(&'t str) -> Cow<'t, [u8]> {
    |text| Cow::Owned(codec.encode_name(text).0)
}

/// Names by a codec. (A closure alone would be taken to work for one lifetime.)
fn decoder(codec: &TextCodec) -> impl for<'t> Fn(&'t [u8]) -> Cow<'t, str> {
    |bytes| codec.name(bytes)
}

/// What is known of a tournament besides its tags.
fn say_tournament(record: &mut Vec<u8>, entry: &Classic) {
    let old = record.clone();
    let Some(mut tournament) = Tournament::read(&old) else {
        return;
    };
    tournament.flags = entry.details.tournament.flags;
    if let Some(extra) = entry.tournament_extra() {
        let (north, east) = extra.coordinates();
        tournament.coordinates = [north, east].map(|degrees| (degrees as f32).to_bits());
        tournament.tie_breaks = extra
            .tie_breaks()
            .iter()
            .map(|rule| (*rule).into())
            .collect();
    }
    let written = tournament.to_bytes();
    // There is room for 500 rules beside texts; a long title may leave none.
    if written.len() <= super::entities::EntityKind::Tournament.room() {
        *record = written;
    }
}

fn classic_text(entry: &Classic, records: Vec<Option<Vec<u8>>>, codec: &TextCodec) -> StoredEntry {
    let text = GuidingText::parse(&entry.moves).ok();
    let languages = text.as_ref().map(|text| text.languages(codec));
    let languages = languages.unwrap_or_default();
    let nation = |language: Option<&str>| nation_of(language).unwrap_or(0);
    let titles = languages.iter().map(|it| (nation(it.language), &*it.title));
    let pages = languages.iter();
    let pages = pages.map(|it| (nation(it.language), it.text.as_bytes()));
    let titles: Vec<(i32, &str)> = titles.collect();
    let pages: Vec<(i32, &[u8])> = pages.collect();
    let mut whole = text_entry(&titles, &pages);
    for (to, from) in [(0, 2), (1, 4), (2, 3)] {
        if let Some(record) = records.get(from).cloned() {
            whole.records[to] = record;
        }
    }
    whole
        .header
        .set_i64(at::TEXT_CREATED, entry.extended.created.0);
    whole
        .header
        .set_i64(at::TEXT_VERSION, entry.extended.saves.into());
    whole
}
