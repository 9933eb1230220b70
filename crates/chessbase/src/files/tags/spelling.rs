//! Values of tags that are more than a text or a number.

use std::borrow::Cow;

use super::{Decode, Encode};
use crate::files::{Field, Medals, RatingType, nations::Nation, players::Player};

/// `Last, First`; empty if nobody is known.
pub(super) fn name(player: &Player, decode: Decode<'_>) -> String {
    let (last, first) = (decode(player.last.text()), decode(player.first.text()));
    match first.is_empty() {
        true => last.into_owned(),
        false => [&*last, ", ", &*first].concat(),
    }
}

/// The player of a name, which is split at its first comma.
pub(super) fn player(name: &str, encode: Encode<'_>) -> Player {
    let (last, first) = name.split_once(',').unwrap_or((name, ""));
    Player {
        last: field(last.trim(), encode),
        first: field(first.trim(), encode),
    }
}

/// As much of a text as has room, cut between characters.
pub(super) fn field<const N: usize>(text: &str, encode: Encode<'_>) -> Field<N> {
    Field::new(&encoded(text, N - 1, encode))
}

/// The same for the name of a team, which may fill its field.
pub(super) fn filled<const N: usize>(text: &str, encode: Encode<'_>) -> Field<N> {
    Field::filled(&encoded(text, N, encode))
}

fn encoded<'t>(text: &'t str, room: usize, encode: Encode<'_>) -> Cow<'t, [u8]> {
    let mut end = text.len();
    loop {
        let bytes = encode(&text[..end]);
        // A text whose bytes do not get fewer with its characters has no room at all.
        if bytes.len() <= room || end == 0 {
            return bytes;
        }
        // At most four bytes go with a character: so many can be left out at once.
        let excess = (bytes.len() - room).div_ceil(4);
        let kept = text[..end].char_indices().rev().nth(excess - 1);
        end = kept.map_or(0, |(at, _)| text[..at].trim_end().len());
    }
}

/// `5`, `5.2`; `?` if it is not known.
pub(super) fn round(round: [u16; 2]) -> String {
    match round {
        [0, 0] => "?".to_string(),
        [0, subround] => format!("?.{subround}"),
        [round, 0] => round.to_string(),
        [round, subround] => format!("{round}.{subround}"),
    }
}

/// Round and subround, 0 for what is not known or is no number.
pub(super) fn parse_round(text: &str) -> [u16; 2] {
    let (round, subround) = text.split_once('.').unwrap_or((text, ""));
    [round, subround].map(|number| number.trim().parse().unwrap_or(0))
}

/// A number up to 255, else 0.
pub(super) fn small(text: &str) -> u8 {
    text.trim().parse().unwrap_or(0)
}

pub(super) fn medals(medals: Medals) -> String {
    medals.names().collect::<Vec<_>>().join(", ")
}

/// The medals that a list names. Others are left out.
pub(super) fn parse_medals(text: &str) -> Medals {
    let named = text
        .split(',')
        .filter_map(|name| Medals::named(name.trim()));
    named.fold(Medals::default(), |all, medal| all | medal)
}

/// `national GER 1 DWZ`, `international 2 FIDE`; nothing if it is FIDE's or nobody's.
pub(super) fn rating_type(rating: &RatingType, decode: Decode<'_>) -> String {
    let words = match rating.kind {
        1 if *rating != RatingType::fide() => {
            format!("international {}", rating.international_games)
        }
        2 => {
            let nation = rating.nation.code().unwrap_or("-");
            format!("national {nation} {}", rating.national_games)
        }
        _ => return String::new(),
    };
    let name = decode(rating.name.text());
    format!("{words} {name}").trim_end().to_string()
}

/// The rating of a tag, or `None` if it says something else.
pub(super) fn parse_rating_type(text: &str, encode: Encode<'_>) -> Option<RatingType> {
    let (kind, rest) = text.split_once(' ')?;
    let national = match kind {
        "international" => false,
        "national" => true,
        _ => return None,
    };
    let (nation, rest) = match national {
        true => rest.split_once(' ')?,
        false => ("-", rest),
    };
    let (games, name) = rest.split_once(' ').unwrap_or((rest, ""));
    let games = games.parse().ok()?;
    Some(RatingType {
        kind: 1 + u8::from(national),
        national_games: if national { games } else { 0 },
        international_games: if national { 100 } else { games },
        nation: Nation::from_code(nation).unwrap_or_default(),
        name: field(name, encode),
        ..RatingType::default()
    })
}

/// `2016`, or `2016/17` for a season; nothing if it is not known.
pub(super) fn team_year(year: i32, season: u8) -> String {
    match (year, season) {
        (0, _) => String::new(),
        (year, 0) => year.to_string(),
        (year, _) => format!("{year}/{:02}", year.saturating_add(1).rem_euclid(100)),
    }
}

/// Year and season; zeros if the text is something else.
pub(super) fn parse_team_year(text: &str) -> (i32, u8) {
    let (year, season) = match text.split_once('/') {
        Some((year, _)) => (year, 1),
        None => (text, 0),
    };
    year.parse().map_or((0, 0), |year| (year, season))
}

/// The tag for titles in a language. English has the plain one, as the first of the list; titles
/// in no language in particular have one of their own.
pub(super) fn title_tag(language: &str) -> String {
    match language {
        "en" => "GameTitle".to_string(),
        "" => "GameTitle_any".to_string(),
        language => format!("GameTitle_{language}"),
    }
}
