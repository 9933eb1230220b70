//! Headers and names as the tags of a game, and back.

use std::borrow::Cow;

use tabiya_game::Tags;

use super::{
    entities::EntityKind,
    header::{Header, Kind, RATING_TYPE, at},
    names::{Player, Source, Team, Titles, Tournament},
};
use crate::{
    annotations::languages,
    encoding::TextCodec,
    files::{
        nations::Nation,
        tags::{
            EventSheet, FromMoves, Leftover, Sheet, SourceSheet, TeamSheet, find_leftovers,
            tell_sheet,
        },
    },
};

/// The records that a header refers to, in the order of its references; `None` for nothing.
pub type Records<'a> = [Option<&'a [u8]>];

/// The languages of titles that have a tag, and the nations that stand for them.
const LANGUAGES: [(&str, i32); 11] = [
    ("en", 42),
    ("es", 43),
    ("fr", 49),
    ("de", 53),
    ("el", 55),
    ("it", 70),
    ("nl", 103),
    ("pl", 116),
    ("pt", 117),
    ("sl", 129),
    ("", 0),
];

/// The language that a nation stands for, as tags name it.
fn language_tag(nation: i32) -> Cow<'static, str> {
    let known = LANGUAGES.iter().find(|(_, it)| *it == nation);
    known.map_or_else(|| nation.to_string().into(), |(code, _)| (*code).into())
}

/// The language that a nation stands for in titles and texts, as events name it.
pub(super) fn language_of(nation: i32) -> Option<Cow<'static, str>> {
    match LANGUAGES.iter().find(|(_, it)| *it == nation) {
        Some(("", _)) => None,
        Some((code, _)) => Some((*code).into()),
        None => languages::of_comment(u16::try_from(nation).unwrap_or(0)),
    }
}

/// The nation that stands for a language in titles and texts, if there is one.
pub(super) fn nation_of(language: Option<&str>) -> Option<i32> {
    let code = language.unwrap_or("");
    let known = LANGUAGES.iter().find(|(it, _)| *it == code);
    let other = || languages::to_comment(language).filter(|it| *it < languages::NEWER);
    known
        .map(|(_, nation)| *nation)
        .or_else(|| other().map(i32::from))
}

/// What the header of a game and the records it refers to say.
#[must_use]
pub fn sheet<'a>(header: &Header, records: &Records<'a>, codec: &TextCodec) -> Sheet<'a> {
    let record = |index: usize| records.get(index).copied().flatten().unwrap_or_default();
    let name = |bytes: &'a [u8]| -> Cow<'a, str> { codec.name(bytes) };
    let player = |index| Player::read(record(index)).unwrap_or_default();
    let (white, black) = (player(0), player(1));
    let source = Source::read(record(4)).unwrap_or_default();
    let titles = Titles::read(record(7)).unwrap_or_default();
    let titles = titles.0.into_iter().filter(|(_, title)| !title.is_empty());
    let team = |index: usize| {
        let team = Team::read(records.get(index).copied().flatten()?)?;
        Some(TeamSheet {
            title: name(team.title),
            number: team.number.into(),
            season: team.season & 1,
            year: team.year.into(),
            nation: team.nation,
        })
    };
    let positive = |at| u16::try_from(header.i16(at)).unwrap_or(0);
    Sheet {
        event: event(record(2), codec),
        date: header.date(),
        round: [positive(at::ROUND), positive(at::SUBROUND)],
        board: positive(at::BOARD),
        players: [full_name(&white, codec), full_name(&black, codec)],
        fide_ids: [white.fide_id.max(0), black.fide_id.max(0)],
        ending: header.ending(),
        line_nag: header.0[at::LINE_NAG],
        eco: header.eco(),
        elo: at::ELO.map(|at| header.i16(at).into()),
        rating_types: [0, 1].map(|side| rating_words(header.rating_type(side), codec).into()),
        annotator: full_name(&player(3), codec),
        source: SourceSheet {
            title: name(source.title),
            publisher: name(source.publisher),
            publication: source.publication,
            date: source.date,
            version: source.version.into(),
            quality: source.quality.into(),
        },
        teams: [team(5), team(6)],
        medals: header.medals(),
        deleted: header.is_deleted(),
        titles: titles
            .map(|(nation, title)| (language_tag(nation), name(title)))
            .collect(),
    }
}

fn event<'a>(record: &'a [u8], codec: &TextCodec) -> EventSheet<'a> {
    let tournament = Tournament::read(record).unwrap_or_default();
    EventSheet {
        title: codec.name(tournament.title),
        place: codec.name(tournament.place),
        date: tournament.date,
        end: tournament.end,
        kind: tournament.kind,
        rounds: tournament.rounds,
        nation: tournament.nation,
        category: tournament.category,
    }
}

/// `Last, First`.
pub(super) fn full_name<'a>(player: &Player<'a>, codec: &TextCodec) -> Cow<'a, str> {
    let (last, first) = (codec.name(player.last), codec.name(player.first));
    match first.is_empty() {
        true => last,
        false => [&*last, ", ", &*first].concat().into(),
    }
}

/// The kind of FIDE's rating for long games.
pub(super) const FIDE: [u8; RATING_TYPE] = *b"\x01\0\x01\0\0\0FIDE\0\0\0\0";

/// The pace of an international rating, by the number of its list.
fn pace_of(list: i16) -> i16 {
    match list {
        2..=4 => list,
        _ => 0,
    }
}

/// The number of all national lists.
const NATIONAL: i16 = 100;

/// `international 2 FIDE`, `national GER 0 DWZ`; nothing if it is FIDE's for long games or
/// nobody's. What has no words is told as it is.
fn rating_words(kind: [u8; RATING_TYPE], codec: &TextCodec) -> String {
    if kind == FIDE || kind == [0; RATING_TYPE] {
        return String::new();
    }
    let [k0, k1, l0, l1, n0, _, name @ ..] = kind;
    let number = i16::from_le_bytes([k0, k1]);
    let list = i16::from_le_bytes([l0, l1]);
    let end = name
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(name.len());
    let name = codec.name(&name[..end]);
    let words = match number & 7 {
        1 => format!("international {list} {name}"),
        2 => {
            let nation = Nation(n0).code().unwrap_or("-");
            format!("national {nation} {} {name}", number >> 3)
        }
        _ => String::new(),
    };
    let words = words.trim_end();
    match rating_of(words) == Some(kind) {
        true => words.to_owned(),
        false => {
            let hex: String = kind.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("2cbh {hex}")
        }
    }
}

/// The kind of rating that words mean.
fn rating_of(words: &str) -> Option<[u8; RATING_TYPE]> {
    let (kind, rest) = words.split_once(' ')?;
    if kind == "2cbh" {
        let digit = |at: usize| u8::from_str_radix(rest.get(at..at + 2)?, 16).ok();
        let bytes: Vec<u8> = (0..RATING_TYPE)
            .map(|it| digit(2 * it))
            .collect::<Option<_>>()?;
        let whole = rest.len() == 2 * RATING_TYPE;
        return bytes.try_into().ok().filter(|_| whole);
    }
    let (nation, rest) = match kind {
        "international" => (Nation::NONE, rest),
        "national" => {
            let (nation, rest) = rest.split_once(' ')?;
            (Nation::from_code(nation).unwrap_or_default(), rest)
        }
        _ => return None,
    };
    let (number, name) = rest.split_once(' ').unwrap_or((rest, ""));
    let number: i16 = number.parse().ok().filter(|it| (0..=999).contains(it))?;
    let (kind, list) = match kind {
        "international" => (1 + 8 * pace_of(number), number),
        _ => (2 + 8 * number, NATIONAL),
    };
    let mut bytes = [0; RATING_TYPE];
    bytes[..2].copy_from_slice(&kind.to_le_bytes());
    bytes[2..4].copy_from_slice(&list.to_le_bytes());
    bytes[4] = nation.0;
    let room = bytes.get_mut(6..6 + name.len())?;
    room.copy_from_slice(name.as_bytes());
    Some(bytes)
}

/// A header, and the records that it should refer to, made of the tags of a game.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The header. References are not set, and what the moves tell is not there.
    pub header: Header,
    /// What it refers to, in the order of its references.
    pub records: Vec<Option<Vec<u8>>>,
    /// Tags that have no place, or of which not all has.
    pub leftovers: Vec<Leftover>,
}

/// Finds a place for tags, as [`parts`](crate::files::tags::parts) of the classic family
/// does.
#[must_use]
pub fn parts(tags: &Tags, moves: &FromMoves<'_>, codec: &TextCodec) -> Parts {
    let languages = LANGUAGES.map(|(code, _)| code);
    let told = Sheet::read(tags, &languages);
    let header = header_of(&told);
    let records = records_of(&told);
    let borrowed: Vec<Option<&[u8]>> = records.iter().map(Option::as_deref).collect();
    let kept = sheet(&header, &borrowed, codec);
    let leftovers = find_leftovers(tags, &kept, moves, &["WhiteFideId", "BlackFideId"]);
    Parts {
        header,
        records,
        leftovers,
    }
}

fn header_of(sheet: &Sheet<'_>) -> Header {
    let mut header = Header::new(Kind::Game);
    let small = |number: u16| i16::try_from(number).unwrap_or(0);
    header.0[at::RESULT] = sheet.ending.to_byte();
    header.0[at::LINE_NAG] = sheet.line_nag;
    header.set_i16(at::ROUND, small(sheet.round[0]));
    header.set_i16(at::SUBROUND, small(sheet.round[1]));
    header.set_i16(at::BOARD, small(sheet.board));
    for side in 0..2 {
        let elo = i16::try_from(sheet.elo[side]).unwrap_or(0);
        header.set_i16(at::ELO[side], elo);
        let kind = rating_of(&sheet.rating_types[side]);
        header.set_rating_type(side, kind.unwrap_or(FIDE));
    }
    header.set_u16(at::ECO, sheet.eco.0);
    header.set_u16(at::MEDALS, sheet.medals.0);
    header.set_u32(at::DATE, sheet.date.0);
    header.set_deleted(sheet.deleted);
    header
}

/// As much of two texts as has room, cut between characters.
fn fit<'t>(first: &'t str, second: &'t str, room: usize) -> [&'t [u8]; 2] {
    let first = cut(first, room);
    let second = cut(second, room - first.len());
    [first.as_bytes(), second.as_bytes()]
}

fn cut(text: &str, room: usize) -> &str {
    match text.len() <= room {
        true => text,
        false => text[..text.floor_char_boundary(room)].trim_end(),
    }
}

/// Room for texts in a record of which so many bytes are something else.
const fn room(kind: EntityKind, others: usize) -> usize {
    kind.room() - others
}

/// A player by a name that is split at its first comma.
fn player(name: &str, fide_id: i64) -> Vec<u8> {
    let (last, first) = name.split_once(',').unwrap_or((name, ""));
    let [last, first] = fit(last.trim(), first.trim(), room(EntityKind::Player, 32));
    Player {
        last,
        first,
        fide_id: if fide_id > 0 { fide_id } else { -1 },
        ..Player::default()
    }
    .to_bytes()
}

/// An annotator is a player, but may be called as he likes: what is not `Last, First` is one name.
fn annotator(name: &str) -> Vec<u8> {
    if let Some((last, first)) = name.split_once(", ")
        && !last.is_empty()
        && !first.is_empty()
        && !last.contains(',')
        && last.trim() == last
        && first.trim() == first
    {
        return player(name, 0);
    }
    let [last, first] = fit(name, "", room(EntityKind::Player, 32));
    Player {
        last,
        first,
        ..Player::default()
    }
    .to_bytes()
}

fn records_of(sheet: &Sheet<'_>) -> Vec<Option<Vec<u8>>> {
    let event = &sheet.event;
    // Lengths of two texts, and a tail of 108 bytes.
    let texts = room(EntityKind::Tournament, 8 + 108);
    let [title, place] = fit(&event.title, &event.place, texts);
    let tournament = Tournament {
        place,
        title,
        date: event.date,
        kind: event.kind,
        nation: event.nation,
        category: event.category,
        rounds: event.rounds,
        end: event.end,
        ..Tournament::default()
    };
    let source = &sheet.source;
    let [title, publisher] = fit(
        &source.title,
        &source.publisher,
        room(EntityKind::Source, 20),
    );
    let source = Source {
        title,
        publisher,
        publication: source.publication,
        date: source.date,
        version: i16::try_from(source.version).unwrap_or(0),
        quality: i16::try_from(source.quality).unwrap_or(0),
    };
    let team = |side: usize| {
        sheet.teams[side].as_ref().map(|team| {
            let title = cut(&team.title, room(EntityKind::Team, 9)).as_bytes();
            let team = Team {
                title,
                number: u8::try_from(team.number).unwrap_or(0),
                season: u8::from(team.season != 0),
                year: i16::try_from(team.year).unwrap_or(0),
                nation: team.nation,
            };
            team.to_bytes()
        })
    };
    let [white, black] = &sheet.players;
    vec![
        Some(player(white, sheet.fide_ids[0])),
        Some(player(black, sheet.fide_ids[1])),
        Some(tournament.to_bytes()),
        Some(annotator(&sheet.annotator)),
        Some(source.to_bytes()),
        team(0),
        team(1),
        Some(titles(sheet)),
    ]
}

/// Titles in the order of their nations.
fn titles(sheet: &Sheet<'_>) -> Vec<u8> {
    let mut titles: Vec<(i32, &str)> = Vec::new();
    for (language, title) in &sheet.titles {
        let known = LANGUAGES.iter().find(|(code, _)| code == language);
        titles.extend(known.map(|(_, nation)| (*nation, &**title)));
    }
    titles.sort_by_key(|(nation, _)| *nation);
    let mut left = room(EntityKind::Tag, 4);
    let mut kept = Titles::default();
    for (nation, title) in titles {
        let Some(for_title) = left.checked_sub(8) else {
            break;
        };
        let title = cut(title, for_title);
        left = for_title - title.len();
        kept.0.push((nation, title.as_bytes()));
    }
    kept.to_bytes()
}

/// The tags that a header and its records tell.
pub(super) fn told(header: &Header, records: &[Option<Vec<u8>>], codec: &TextCodec) -> Tags {
    let records: Vec<Option<&[u8]>> = records.iter().map(Option::as_deref).collect();
    let sheet = sheet(header, &records, codec);
    let mut tags = Tags::new();
    let mut tag = |name: &str, value: &str| tags.push(name, value);
    tell_sheet(&sheet, &FromMoves::default(), &mut tag);
    tags
}

/// Whether two records that the same reference of a game leads to tell the same tags, but for
/// spaces at the ends of their values.
pub(super) fn tells_the_same(reference: usize, one: &[u8], other: &[u8]) -> bool {
    let codec = TextCodec::mixed(encoding_rs::UTF_8);
    let told = |record: &[u8]| -> Vec<(String, String)> {
        let mut records = vec![None; Kind::Game.references().len()];
        if let Some(place) = records.get_mut(reference) {
            *place = Some(record.to_vec());
        }
        let tags = told(&Header::new(Kind::Game), &records, &codec);
        let tags = tags.iter();
        tags.map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
            .collect()
    };
    told(one) == told(other)
}

/// Reads the header and the records of a sheet, as both families make them.
pub(super) fn of_sheet(sheet: &Sheet<'_>) -> (Header, Vec<Option<Vec<u8>>>) {
    (header_of(sheet), records_of(sheet))
}
