//! What the tags of one game say to a filter.

use tabiya_chess::{Position, Setup, chess960};

use super::{Filter, Words};
use crate::{Date, GameResult};

/// Listens to the tags and the start of a game, of which only those are looked at that the filter asks about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Judge {
    white: Found,
    black: Found,
    event: Found,
    site: Found,
    /// Whether White and Black are the player that is asked for, and his opponent.
    player: [bool; 2],
    versus: [bool; 2],
    /// Whether a player has a title and an id that are asked for.
    titles: [Found; 2],
    fide_ids: [Found; 2],
    time_control: Found,
    chess960: Found,
    date: Option<Date>,
    utc_date: Option<Date>,
    elos: [Option<u16>; 2],
    eco: Found,
    result: Option<GameResult>,
}

/// Whether a tag has come, and whether it is a wanted one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Found {
    #[default]
    Nothing,
    Wanted,
    Unwanted,
}

impl Found {
    /// The first tag of a name counts.
    fn first(&mut self, wanted: impl FnOnce() -> bool) {
        if *self == Found::Nothing {
            *self = if wanted() {
                Found::Wanted
            } else {
                Found::Unwanted
            };
        }
    }

    fn answers<T>(self, question: &Option<T>) -> bool {
        question.is_none() || self == Found::Wanted
    }
}

impl Judge {
    pub(super) fn tag(&mut self, filter: &Filter, name: &str, value: &str) {
        let has = |words: &Option<Words>| words.as_ref().is_some_and(|words| words.occur_in(value));
        let named = |words: &Option<Words>| words.as_ref().is_some_and(|words| words.name(value));
        match name {
            "White" | "Black" => {
                let (side, found, words) = match name {
                    "White" => (0, &mut self.white, &filter.white),
                    _ => (1, &mut self.black, &filter.black),
                };
                if *found == Found::Nothing {
                    self.player[side] = named(&filter.player);
                    self.versus[side] = named(&filter.versus);
                }
                found.first(|| named(words));
            }
            "Event" => self.event.first(|| has(&filter.event)),
            "Site" => self.site.first(|| has(&filter.site)),
            "ECO" => self
                .eco
                .first(|| filter.eco.iter().any(|span| span.contains(value))),
            "WhiteTitle" => self.titles[0].first(|| title_fits(filter, value)),
            "BlackTitle" => self.titles[1].first(|| title_fits(filter, value)),
            "WhiteFideId" => self.fide_ids[0].first(|| fide_id_fits(filter, value)),
            "BlackFideId" => self.fide_ids[1].first(|| fide_id_fits(filter, value)),
            "TimeControl" => self.time_control.first(|| {
                let wanted = filter.time_control.as_ref();
                wanted.is_some_and(|wanted| wanted.fits(value))
            }),
            "Date" if self.date.is_none() => self.date = Some(date(value)),
            "UTCDate" if self.utc_date.is_none() => self.utc_date = Some(date(value)),
            "WhiteElo" if self.elos[0].is_none() => self.elos[0] = Some(rating(value)),
            "BlackElo" if self.elos[1].is_none() => self.elos[1] = Some(rating(value)),
            "Result" if self.result.is_none() => self.result = value.parse().ok(),
            _ => {}
        }
    }

    /// The position before the first move.
    pub(super) fn start(&mut self, filter: &Filter, position: &Position) {
        self.chess960.first(|| {
            let number = filter.chess960;
            let wanted = number.and_then(|number| chess960::setup(number, number));
            wanted.is_some_and(|wanted| {
                let start = Setup {
                    halfmove_clock: wanted.halfmove_clock,
                    fullmove_number: wanted.fullmove_number,
                    ..position.to_setup()
                };
                start == wanted
            })
        });
    }

    /// Whether the start answers the question to it.
    pub(super) fn accepts_start(&self, filter: &Filter) -> bool {
        self.chess960.answers(&filter.chess960)
    }

    /// Whether the tags answer all questions to them.
    pub(super) fn accepts(&self, filter: &Filter) -> bool {
        self.white.answers(&filter.white)
            && self.black.answers(&filter.black)
            && self.event.answers(&filter.event)
            && self.site.answers(&filter.site)
            && (filter.eco.is_empty() || self.eco == Found::Wanted)
            && self.time_control.answers(&filter.time_control)
            && (filter.titles.is_empty() || self.titles.contains(&Found::Wanted))
            && (filter.fide_id.is_none() || self.fide_ids.contains(&Found::Wanted))
            && self.players_fit(filter)
            && filter.accepts_date(self.date())
            && filter.accepts_ratings(known(self.elos[0]), known(self.elos[1]))
            && self.result.is_none_or(|result| result_fits(filter, result))
    }

    /// Whether the end of the game has to say what the result is.
    pub(super) fn lacks_result(&self, filter: &Filter) -> bool {
        filter.result.is_some() && self.result.is_none()
    }

    fn players_fit(&self, filter: &Filter) -> bool {
        let ([white, black], [against_white, against_black]) = (self.player, self.versus);
        match (&filter.player, &filter.versus) {
            (None, None) => true,
            (Some(_), None) => white || black,
            (None, Some(_)) => against_white || against_black,
            (Some(_), Some(_)) => white && against_black || black && against_white,
        }
    }

    fn date(&self) -> Date {
        let mut dates = [self.date, self.utc_date].into_iter().flatten();
        dates.find(|date| date.year.is_some()).unwrap_or_default()
    }
}

fn title_fits(filter: &Filter, title: &str) -> bool {
    Filter::has_title(&filter.titles, title)
}

fn fide_id_fits(filter: &Filter, id: &str) -> bool {
    filter
        .fide_id
        .is_some_and(|wanted| fide_id(id) == Some(wanted))
}

fn fide_id(value: &str) -> Option<u32> {
    value.trim().parse().ok()
}

/// Whether a tag with this value is as good as none.
pub(super) fn says_nothing(name: &str, value: &str) -> bool {
    match name {
        "WhiteElo" | "BlackElo" => rating(value) == 0,
        "WhiteFideId" | "BlackFideId" => fide_id(value).is_none(),
        "Date" | "UTCDate" => date(value).year.is_none(),
        _ => false,
    }
}

pub(super) fn result_fits(filter: &Filter, result: GameResult) -> bool {
    filter
        .result
        .is_none_or(|wanted| wanted.token() == result.token())
}

fn date(value: &str) -> Date {
    value.parse().unwrap_or_default()
}

fn known(rating: Option<u16>) -> Option<u16> {
    rating.filter(|rating| *rating > 0)
}

/// 0 for a rating that is not known.
fn rating(value: &str) -> u16 {
    value.trim().parse().unwrap_or_default()
}
