//! The headers of a game.

use std::borrow::Cow;

use tabiya_game::{GameResult, LossKind, Tags};

use super::{RecordWriter, StoredEntry};
use crate::{
    annotations::{Facts, WrittenRecord, variations_magnitude},
    files::{
        EcoCode, GameFlags, Magnitudes, Medals,
        extended::{ExtendedRecord, Material},
        flags_file::GameMarks,
        header::{Entry, GameRecord},
        tags::{FromMoves, parts, variant_tag},
        tournaments::Tournament,
    },
    moves::{self, Chess960Block, Mode, full_moves},
};

impl RecordWriter {
    /// The entry of the game that has been heard.
    pub(super) fn entry(
        &mut self,
        result: GameResult,
        moves: Vec<u8>,
        written: Option<WrittenRecord>,
    ) -> StoredEntry {
        self.settle_result(result);
        let codec = self.codec.clone();
        let encode = |text: &str| -> Vec<u8> { codec.encode_name(text).0 };
        let start = self.moves.start();
        let fen = self.moves.has_start().then(|| start.to_string());
        let from_moves = FromMoves {
            fen: fen.as_deref(),
            variant: variant_tag(start.variant()),
            plies: Some(self.moves.main_line_plies() as usize),
        };
        let parts = parts(
            &self.tags,
            &from_moves,
            &|text| Cow::Owned(encode(text)),
            &|bytes| codec.name(bytes),
        );
        for leftover in &parts.leftovers {
            match leftover.is_respelled() {
                true => self.losses.respell(self.game, || leftover.to_string()),
                false => self.lose(LossKind::Tag, || leftover.to_string()),
            }
        }
        let (annotations, facts) = match written {
            Some(written) => (written.bytes, written.facts),
            None => (Vec::new(), Facts::default()),
        };
        let mut entry = StoredEntry {
            header: Entry::Game(parts.record),
            extended: parts.extended,
            details: parts.details,
            // Whoever is one of the best has been looked at.
            mark: GameMarks {
                evaluated: self.top,
                top: self.top,
            },
            extra: None,
            moves,
            annotations,
        };
        let mut record = parts.record;
        if let Some(besides) = self.besides.take() {
            take_over(&mut entry, &record, *besides);
        }
        self.say_moves(&mut record, &facts);
        self.say_material(&mut entry.extended);
        entry.header = Entry::Game(record);
        entry
    }

    fn settle_result(&mut self, result: GameResult) {
        if let Some((kind, what)) = settle_result(&mut self.tags, result) {
            self.lose(kind, || what);
        }
    }

    /// What a header says about moves and annotations.
    fn say_moves(&mut self, record: &mut GameRecord, facts: &Facts) {
        let moves = &self.moves;
        let chess960 = moves.mode() == Mode::CHESS960;
        let bits = [
            (GameFlags::SETUP, moves.has_start()),
            (GameFlags::VARIATIONS, moves.has_variations()),
            (GameFlags::UNORTHODOX, chess960),
        ];
        let flags = bits.into_iter().filter(|(_, set)| *set);
        record.flags = flags.fold(GameFlags(facts.flags), |all, (flag, _)| all | flag);
        record.medals = record.medals | Medals(facts.medals);
        let in_variations = moves.moves().saturating_sub(moves.main_line_plies());
        record.magnitudes =
            Magnitudes(facts.magnitudes | variations_magnitude(in_variations as usize));
        record.moves_count = full_moves(moves.start(), moves.main_line_plies());
        if !chess960 {
            return;
        }
        let number = Chess960Block::of(moves.start()).number;
        if let Some(code) = number.and_then(EcoCode::chess960) {
            let opening = std::mem::replace(&mut record.eco, code);
            if opening != EcoCode::NONE {
                self.lose(LossKind::Tag, || {
                    format!("ECO {opening}: a game of Chess960 has its start there")
                });
            }
        }
    }

    fn say_material(&self, extended: &mut ExtendedRecord) {
        let material = moves::Material::of(self.moves.final_position().board());
        extended.material =
            [material.greater, material.lesser].map(|word| Material(u32::from(word)));
        extended.seal();
    }
}

/// There is one place for the result. The tag may be missing, or say something else than the end of
/// the game: then the one counts that knows it. Returns what is lost.
pub(crate) fn settle_result(tags: &mut Tags, result: GameResult) -> Option<(LossKind, String)> {
    let tag = tags.get("Result");
    match tag.map(str::parse::<GameResult>) {
        None => {
            tags.set("Result", result.tag());
            None
        }
        Some(Ok(told)) if told == result => None,
        Some(Ok(told)) => {
            let (kept, lost) = match told {
                GameResult::Unknown => (result, told),
                _ => (told, result),
            };
            tags.set("Result", kept.tag());
            let what = format!("{}: the game has {} as well", lost.tag(), kept.tag());
            Some((LossKind::Result, what))
        }
        Some(Err(_)) => {
            let what = format!("Result {:?} has no place", tag.unwrap_or_default());
            tags.set("Result", result.tag());
            Some((LossKind::Tag, what))
        }
    }
}

/// Takes over what tags do not tell: the kinds of ratings, when a game was saved, what is known of
/// a tournament. Names stay as they are spelled here.
fn take_over(entry: &mut StoredEntry, record: &GameRecord, besides: StoredEntry) {
    let told = entry.extended;
    let Entry::Game(old) = besides.header else {
        return;
    };
    entry.extended = ExtendedRecord {
        teams: told.teams,
        tag: told.tag,
        media: told.media,
        ..besides.extended
    };
    if (old.white_elo, old.black_elo) != (record.white_elo, record.black_elo) {
        entry.extended.ratings = told.ratings;
    }
    let (told, old) = (&mut entry.details.tournament, besides.details.tournament);
    let same_names = same_name(told.title.text(), old.title.text())
        && same_name(told.place.text(), old.place.text());
    let whole = Tournament {
        title: told.title,
        place: told.place,
        ..old
    };
    // Teams are a form of tournaments in some programs, and a bit beside it in others.
    let same_kind = whole.kind.to_string() == told.kind.to_string();
    let as_told = Tournament {
        kind: if same_kind { told.kind } else { whole.kind },
        unknown_77: told.unknown_77,
        flags: told.flags,
        unknown_81: told.unknown_81,
        ..whole
    };
    if same_names && as_told == *told {
        *told = whole;
        entry.extra = besides.extra;
    }
}

/// Whether two names can be the same. Which code page the old one is in is not known here.
fn same_name(told: &[u8], old: &[u8]) -> bool {
    told == old || !told.is_ascii()
}
