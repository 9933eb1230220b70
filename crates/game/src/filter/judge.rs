//! What the tags of one game say to a filter.

use super::{Filter, Words};
use crate::{Date, GameResult};

/// Listens to the tags of a game, of which only those are looked at that the filter asks about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Judge {
    white: Found,
    black: Found,
    event: Found,
    site: Found,
    player: bool,
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
                let (found, words) = match name {
                    "White" => (&mut self.white, &filter.white),
                    _ => (&mut self.black, &filter.black),
                };
                if *found == Found::Nothing {
                    self.player |= named(&filter.player);
                }
                found.first(|| named(words));
            }
            "Event" => self.event.first(|| has(&filter.event)),
            "Site" => self.site.first(|| has(&filter.site)),
            "ECO" => self
                .eco
                .first(|| filter.eco.iter().any(|span| span.contains(value))),
            "Date" if self.date.is_none() => self.date = Some(date(value)),
            "UTCDate" if self.utc_date.is_none() => self.utc_date = Some(date(value)),
            "WhiteElo" if self.elos[0].is_none() => self.elos[0] = Some(rating(value)),
            "BlackElo" if self.elos[1].is_none() => self.elos[1] = Some(rating(value)),
            "Result" if self.result.is_none() => self.result = value.parse().ok(),
            _ => {}
        }
    }

    /// Whether the tags answer all questions to them.
    pub(super) fn accepts(&self, filter: &Filter) -> bool {
        self.white.answers(&filter.white)
            && self.black.answers(&filter.black)
            && self.event.answers(&filter.event)
            && self.site.answers(&filter.site)
            && (filter.eco.is_empty() || self.eco == Found::Wanted)
            && (self.player || filter.player.is_none())
            && self.date_fits(filter)
            && self.elo_fits(filter)
            && self.result.is_none_or(|result| result_fits(filter, result))
    }

    /// Whether the end of the game has to say what the result is.
    pub(super) fn lacks_result(&self, filter: &Filter) -> bool {
        filter.result.is_some() && self.result.is_none()
    }

    fn date_fits(&self, filter: &Filter) -> bool {
        if filter.since.is_none() && filter.until.is_none() {
            return true;
        }
        let dates = [self.date, self.utc_date].into_iter().flatten();
        let Some(date) = dates.into_iter().find(|date| date.year.is_some()) else {
            return false;
        };
        filter
            .since
            .is_none_or(|since| date.latest() >= since.earliest())
            && filter
                .until
                .is_none_or(|until| date.earliest() <= until.latest())
    }

    fn elo_fits(&self, filter: &Filter) -> bool {
        let Some(span) = &filter.elo else {
            return true;
        };
        let known = self.elos.iter().flatten().filter(|elo| **elo > 0);
        known.into_iter().any(|elo| span.contains(elo))
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

/// 0 for a rating that is not known.
fn rating(value: &str) -> u16 {
    value.trim().parse().unwrap_or_default()
}
