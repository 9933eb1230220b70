//! What every byte of a record means, in all files that it points into.

use tabiya_chess::Position;

use super::{
    annotations::{items, read_note},
    decode::Words,
    entities::{EntityKind, Found},
    frame::{BadFrame, Frame, HEAD, tag},
    header::{Header, Kind, Reference, offset_of},
    names::{Player, Source, Team, Titles, Tournament},
    set::{FileKind, Tables},
    start::unchecked,
    tags::full_name,
    text::Pages,
    words::{Meaning, meaning},
};
use crate::{
    encoding::TextCodec,
    fields::{Fields, list, position},
    moves::{Scope, Step, StoredGame},
};
use tabiya_formats::dump::{Dump, Line};

/// Explains a record of the header file by its number from 1.
pub(super) fn explain(tables: &Tables<'_>, codec: &TextCodec, id: u32) -> Option<Dump> {
    let header = tables.headers.get(id)?;
    let mut dump = Dump::default();
    dump.section(format!("header {id} (.2cbh)"));
    let mut fields = Fields {
        dump: &mut dump,
        bytes: &header.0,
        offset: offset_of(id),
    };
    match header.kind() {
        Some(Kind::Game) => game_header(&mut fields, &header),
        Some(Kind::Text) => text_header(&mut fields, &header),
        Some(Kind::Analysis) => analysis_header(&mut fields, &header),
        None => fields.rest("a record of an unknown kind"),
    }
    let references = header.kind().map_or(&[][..], Kind::references);
    for reference in references {
        name(tables, codec, &header, reference, &mut dump);
    }
    record(
        tables.moves,
        FileKind::Moves,
        header.moves(),
        codec,
        &mut dump,
    );
    if let Some(at) = header.annotations() {
        record(
            tables.annotations,
            FileKind::Annotations,
            at,
            codec,
            &mut dump,
        );
    }
    Some(dump)
}

fn begin(fields: &mut Fields<'_>, header: &Header, what: &str) {
    let deleted = if header.is_deleted() { ", deleted" } else { "" };
    fields.field(1, format_args!("{what}{deleted}"));
    fields.field(1, "0");
    fields.field(1, "1 a game or a text, 2 an analysis");
    fields.field(1, "the first byte, without the mark of deletion");
    fields.field(4, "0");
}

/// The references of a header that stand at a place, one after the other.
fn refer(fields: &mut Fields<'_>, header: &Header) {
    let references = header.kind().map_or(&[][..], Kind::references);
    for reference in references {
        let (name, id) = (reference.name, header.i64(reference.at));
        match id {
            ..0 => fields.field(8, format_args!("{name}: none")),
            id => {
                let kind = reference.role.entity().name();
                fields.field(8, format_args!("{name}: {kind} {id}"));
            }
        }
    }
}

fn game_header(fields: &mut Fields<'_>, header: &Header) {
    begin(fields, header, "a game");
    fields.field(8, format_args!("moves at byte {} of .2cbg", header.moves()));
    let annotations = header.annotations().unwrap_or(0);
    fields.field(
        8,
        format_args!("annotations at byte {annotations} of .2cba"),
    );
    refer(fields, header);
    fields.field(1, format_args!("result {}", header.ending().result().tag()));
    fields.field(1, "judgement of a line: NAG");
    let number = |at: usize| i16::from_le_bytes([header.0[at], header.0[at + 1]]);
    fields.field(2, format_args!("round {}", number(0x5a)));
    fields.field(2, format_args!("round within the round {}", number(0x5c)));
    fields.field(2, format_args!("board {}", number(0x5e)));
    fields.field(2, format_args!("White's rating {}", number(0x60)));
    fields.field(14, "kind of White's rating");
    fields.field(2, format_args!("Black's rating {}", number(0x70)));
    fields.field(14, "kind of Black's rating");
    fields.field(2, format_args!("ECO or Chess960 number {}", header.eco()));
    fields.field(2, format_args!("medals: {}", list(header.medals().names())));
    fields.field(
        4,
        format_args!("the game has: {}", list(header.flags().names())),
    );
    fields.field(2, "how much of it");
    fields.field(2, format_args!("{} moves", number(0x8a)));
    fields.field(4, "greater material at the end");
    fields.field(4, "lesser material at the end");
    fields.field(4, "0");
    fields.field(8, "when it was created");
    fields.field(8, "when it was changed");
    fields.field(8, "endgames");
    fields.field(8, "classification");
    fields.field(4, "how often it was saved");
    fields.rest(format_args!("date {}", header.date()));
}

fn text_header(fields: &mut Fields<'_>, header: &Header) {
    begin(fields, header, "a text");
    fields.field(8, format_args!("text at byte {} of .2cbg", header.moves()));
    refer(fields, header);
    fields.field(8, "when it was created");
    fields.field(8, "media");
    fields.field(8, "how often it was saved");
    fields.rest("0");
}

fn analysis_header(fields: &mut Fields<'_>, header: &Header) {
    begin(fields, header, "an analysis");
    fields.field(8, format_args!("moves at byte {} of .2cbg", header.moves()));
    let annotations = header.annotations().unwrap_or(0);
    fields.field(
        8,
        format_args!("annotations at byte {annotations} of .2cba"),
    );
    refer(fields, header);
    fields.rest("unknown");
}

/// A name that a header refers to.
fn name(
    tables: &Tables<'_>,
    codec: &TextCodec,
    header: &Header,
    reference: &Reference,
    dump: &mut Dump,
) {
    let id = header.i64(reference.at);
    let Some(entities) = tables.entities.as_ref().filter(|_| id >= 0) else {
        return;
    };
    let kind = reference.role.entity();
    dump.section(format!("{}, {} {id} (.2lid)", reference.name, kind.name()));
    let offset = entities.offset(kind, id).unwrap_or(0);
    let record = match entities.get(kind, id) {
        Found::Record(record) => record,
        Found::Deleted => return dump.push(Line::new(offset, [], "it was deleted")),
        Found::Missing => {
            return dump.push(Line::new(offset, [], "the file does not have this record"));
        }
    };
    let length = (record.len() as u32).to_le_bytes();
    dump.push(Line::new(offset, length, format!("{} bytes", record.len())));
    let mut fields = Fields {
        dump,
        bytes: record,
        offset: offset + length.len() as u64,
    };
    let text = |bytes: &[u8]| codec.name(bytes).into_owned();
    match kind {
        EntityKind::Player => match Player::read(record) {
            Some(player) => {
                fields.field(
                    4 + player.last.len(),
                    format!("last name {:?}", text(player.last)),
                );
                let first = format!("first name {:?}", text(player.first));
                fields.field(4 + player.first.len(), first);
                fields.field(8, "0");
                fields.field(
                    4,
                    format!("number in ChessBase's list {}", player.chessbase_id),
                );
                fields.field(4, "8");
                let name = full_name(&player, codec);
                fields.rest(format!(
                    "number that FIDE gave {name:?}: {}",
                    player.fide_id
                ));
            }
            None => fields.rest("not laid out as a player"),
        },
        EntityKind::Tournament => tournament(&mut fields, record, codec),
        EntityKind::Source => match Source::read(record) {
            Some(source) => {
                fields.field(
                    4 + source.title.len(),
                    format!("title {:?}", text(source.title)),
                );
                let publisher = format!("publisher {:?}", text(source.publisher));
                fields.field(4 + source.publisher.len(), publisher);
                fields.field(4, format!("published {}", source.publication));
                fields.field(4, format!("of {}", source.date));
                fields.field(2, format!("version {}", source.version));
                fields.rest(format!("quality {}", source.quality));
            }
            None => fields.rest("not laid out as a source"),
        },
        EntityKind::Team => match Team::read(record) {
            Some(team) => {
                fields.field(
                    4 + team.title.len(),
                    format!("title {:?}", text(team.title)),
                );
                fields.rest("number, season, year, nation");
            }
            None => fields.rest("not laid out as a team"),
        },
        EntityKind::Tag => match Titles::read(record) {
            Some(titles) => {
                fields.field(4, format!("{} titles", titles.0.len()));
                for (language, title) in titles.0 {
                    let meaning = format!("language {language}, {:?}", text(title));
                    fields.field(8 + title.len(), meaning);
                }
            }
            None => fields.rest("not laid out as titles"),
        },
    }
}

fn tournament(fields: &mut Fields<'_>, record: &[u8], codec: &TextCodec) {
    let Some(tournament) = Tournament::read(record) else {
        return fields.rest("not laid out as a tournament");
    };
    let text = |bytes: &[u8]| codec.name(bytes).into_owned();
    let (place, title) = (tournament.place, tournament.title);
    fields.field(4 + place.len(), format!("place {:?}", text(place)));
    fields.field(4 + title.len(), format!("title {:?}", text(title)));
    fields.field(4, format!("date {}", tournament.date));
    fields.field(2, format!("type {}", tournament.kind));
    let nation = tournament.nation.code().unwrap_or("none");
    fields.field(1, format!("nation {nation}"));
    fields.field(1, "0");
    fields.field(1, format!("category {}", tournament.category));
    fields.field(1, "flags");
    fields.field(1, format!("{} rounds", tournament.rounds));
    fields.field(1, "0");
    let [north, east] = tournament.coordinates.map(f32::from_bits);
    fields.field(8, format!("{north} degrees north, {east} east"));
    fields.field(38, "unknown");
    let rules = tournament.tie_breaks.len();
    fields.field(2 + 2 * rules, format!("{rules} rules for ties"));
    fields.field(4, format!("ended {}", tournament.end));
    fields.rest("0");
}

/// A record of moves, a text or annotations.
fn record(file: Option<&[u8]>, kind: FileKind, at: i64, codec: &TextCodec, dump: &mut Dump) {
    dump.section(format!("record ({kind})"));
    let Some(file) = file else {
        return dump.push(Line::new(0, [], format!("the {kind} file is missing")));
    };
    let frame = match Frame::at(file, at) {
        Ok(frame) => frame,
        Err(error) => {
            let error: BadFrame = error;
            return dump.push(Line::new(0, [], error.to_string()));
        }
    };
    // A place that was found is in the file.
    let place = at as usize;
    let mut fields = Fields {
        dump: &mut *dump,
        bytes: &file[place..place + frame.size()],
        offset: place as u64,
    };
    fields.field(8, "mark of a record");
    fields.field(4, format_args!("{} bytes of content", frame.content.len()));
    fields.field(4, format_args!("{} bytes to spare", frame.spare));
    match frame.is_sound() {
        true => fields.field(8, "checksum"),
        false => fields.field(8, "a checksum that is wrong"),
    }
    fields.field(2, describe_tag(frame.tag));
    let begin = place as u64 + HEAD as u64;
    match frame.tag {
        tag::TEXT => text(&frame, begin, codec, dump),
        tag::ANNOTATIONS => annotations(&frame, begin, codec, dump),
        _ => moves(&frame, begin, dump),
    }
    let spare = place + HEAD + frame.content.len();
    dump.section(format!("end of the record ({kind})"));
    let mut fields = Fields {
        dump: &mut *dump,
        bytes: &file[spare..spare + frame.spare + 8],
        offset: spare as u64,
    };
    fields.field(frame.spare, "to spare: it means nothing");
    fields.rest(format_args!("{} bytes in all", frame.size()));
}

fn describe_tag(number: u16) -> String {
    match number {
        tag::CHESS => "a game of chess".to_owned(),
        tag::CHESS960 => "a game of Chess960".to_owned(),
        tag::NO_KINGS => "a position without one king for each side".to_owned(),
        tag::TEXT => "a text".to_owned(),
        tag::ANNOTATIONS => "annotations".to_owned(),
        other => format!("tag {other}, which is not known"),
    }
}

fn text(frame: &Frame<'_>, offset: u64, codec: &TextCodec, dump: &mut Dump) {
    dump.section("text (.2cbg)");
    let mut fields = Fields {
        dump,
        bytes: frame.content,
        offset,
    };
    let Some(pages) = Pages::read(frame.content) else {
        return fields.rest("not laid out as a text");
    };
    fields.field(2, "version");
    fields.field(4, "how many bytes follow");
    fields.field(4, format_args!("{} pages", pages.0.len()));
    for (language, page) in pages.0 {
        let letters = codec.name(page).chars().count();
        let meaning = format!("language {language}, {letters} characters of HTML");
        fields.field(8 + page.len(), meaning);
    }
}

fn annotations(frame: &Frame<'_>, offset: u64, codec: &TextCodec, dump: &mut Dump) {
    dump.section("annotations (.2cba)");
    let mut all = items(frame.content);
    let mut fields = Fields {
        dump,
        bytes: frame.content,
        offset,
    };
    let mut at = 0;
    while let Some(item) = all.next() {
        match item {
            Ok(item) => {
                let head = all.at() - item.data.len() - 2;
                if head > at {
                    fields.field(4, position(item.position));
                    fields.field(head - at - 4, "how many items");
                }
                fields.field(2, format_args!("type {:02x}", item.kind));
                let note = read_note(&item, codec);
                fields.field(item.data.len(), format_args!("{note:?}"));
                at = all.at();
            }
            Err(error) => return fields.rest(error.kind),
        }
    }
    fields.rest("the end of the annotations");
}

fn moves(frame: &Frame<'_>, offset: u64, dump: &mut Dump) {
    let content = frame.content;
    let words = match Words::new(frame.tag, content) {
        Ok(words) => words,
        Err(error) => {
            dump.section("moves (.2cbg)");
            return dump.push(Line::new(offset, content, error.kind.to_string()));
        }
    };
    if let Some(section) = words.section() {
        dump.section("start (.2cbg)");
        start(section, frame.tag, offset, dump);
    }
    dump.section("moves (.2cbg)");
    let at = words.moves_at() - 2;
    dump.push(Line::new(
        offset + at as u64,
        &content[at..at + 2],
        "moves follow",
    ));
    let mut game = StoredGame::default();
    // What is wrong comes up at its place.
    let _ = super::decode::read(&mut game, frame.tag, content, Scope::All);
    let san = spelt(&game);
    let mut depth = 0_usize;
    let mut stored = 0;
    for (index, word) in words.iter().enumerate() {
        let at = words.moves_at() + 2 * index;
        let bytes = &content[at..at + 2];
        let said = match frame.tag {
            tag::NO_KINGS => describe_unchecked(word),
            _ => describe(word),
        };
        let mut line = Line::new(offset + at as u64, bytes, said);
        match meaning(word) {
            Meaning::End => depth = depth.saturating_sub(1),
            Meaning::Sibling => depth += 1,
            _ => {
                stored += 1;
                if let Some(san) = san.get(stored).filter(|san| !san.is_empty()) {
                    line = line.with_san(san.clone());
                } else if let Some(error) = game.error().filter(|error| error.offset == at) {
                    line.meaning = error.kind.to_string();
                }
            }
        }
        dump.push(line.at_depth(depth));
    }
}

fn start(section: &[u16], number: u16, offset: u64, dump: &mut Dump) {
    let whole = number == tag::CHESS960 && section.len() == 1;
    let skipped = usize::from(number == tag::CHESS960 && section.first() == Some(&1000));
    let mut push = |index: usize, word: u16, meaning: String| {
        let at = offset + 2 * index as u64;
        dump.push(Line::new(at, word.to_le_bytes(), meaning));
    };
    push(0, super::words::START, "a start follows".to_owned());
    for (index, word) in section.iter().enumerate() {
        let meaning = match index.checked_sub(skipped) {
            _ if whole => format!("start position {word} of Chess960"),
            None => "a position follows".to_owned(),
            Some(0) => format!("next move {word}"),
            Some(1) => {
                let turn = if word & 0xff == 0 { "White" } else { "Black" };
                format!("{turn} to move, castling rights {:04b}", word >> 8)
            }
            Some(2) => match word {
                0 => "no pawn has just moved two squares".to_owned(),
                file => format!("en passant on file {file}"),
            },
            Some(_) => describe(*word),
        };
        push(index + 1, *word, meaning);
    }
}

/// A word of moves that nobody checked.
fn describe_unchecked(word: u16) -> String {
    match meaning(word) {
        Meaning::Null | Meaning::Sibling | Meaning::End => describe(word),
        _ => format!("word {word:04x}: {}, unchecked", unchecked(word)),
    }
}

fn describe(word: u16) -> String {
    match meaning(word) {
        Meaning::Null => format!("word {word:04x}: null move"),
        Meaning::Sibling => "the move before it has a further sibling".to_owned(),
        Meaning::End => "end of the line".to_owned(),
        Meaning::Stroke(stroke) => {
            let (color, role, play) = (stroke.color(), stroke.role(), stroke.play());
            format!(
                "word {word:04x}: {color} {role} {play}, captures {:?}",
                stroke.captured()
            )
        }
        Meaning::Castling {
            color,
            h_side,
            number,
        } => {
            let side = if h_side { "short" } else { "long" };
            match number {
                Some(number) => format!("word {word:04x}: {color} castles {side}, start {number}"),
                None => format!("word {word:04x}: {color} castles {side}"),
            }
        }
        Meaning::Piece(square, piece) => {
            format!(
                "word {word:04x}: {} {} on {square}",
                piece.color, piece.role
            )
        }
        Meaning::Start => "a start follows".to_owned(),
        Meaning::Moves => "moves follow".to_owned(),
        Meaning::Nothing => format!("word {word:04x}, which is not known"),
    }
}

/// The moves of a game in words, by their numbers in stored order.
fn spelt(game: &StoredGame) -> Vec<String> {
    let mut spelt = vec![String::new(); game.stored_moves() as usize + 1];
    let mut position: Position = *game.start();
    let mut before = position;
    let mut open = Vec::new();
    for step in game.steps() {
        match step {
            Step::Move { stored, play } => {
                spelt[stored as usize] = numbered(&position, &position.san(play).to_string());
                before = position;
                position.play_unchecked(play);
            }
            Step::Null { stored } => {
                spelt[stored as usize] = numbered(&position, "--");
                before = position;
                position.play_null();
            }
            Step::VariationStart => {
                open.push((position, before));
                position = before;
            }
            Step::VariationEnd => (position, before) = open.pop().unwrap_or((position, before)),
            Step::Broken => {}
        }
    }
    spelt
}

/// `12... Qxd5`
fn numbered(before: &Position, san: &str) -> String {
    let dots = match before.turn() {
        tabiya_chess::Color::White => ".",
        tabiya_chess::Color::Black => "...",
    };
    format!("{}{dots} {san}", before.fullmove_number())
}
