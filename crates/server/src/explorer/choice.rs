//! Which games are counted.

use std::collections::HashSet;

use tabiya::{Words, store::GameSet};

use crate::{
    ask,
    census::{Census, Facts, PlayerId, Speed},
    failure::Failure,
    position::given,
};

/// Which games are counted: those that answer every question that is asked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choice {
    /// The first and the last day, as `YYYYMMDD`; a game of which only the year is known may lie
    /// between them.
    since: Option<u32>,
    until: Option<u32>,
    speeds: Option<Vec<Speed>>,
    /// Of the mean rating: at least, and less than.
    ratings: Option<Vec<(u32, u32)>>,
    /// Casual games, or the others.
    casual: Option<bool>,
    /// Whose games, and on which side.
    player: Option<(Words, usize)>,
}

/// Where the groups of ratings begin.
const GROUPS: [u32; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

impl Choice {
    pub fn between(since: &Option<String>, until: &Option<String>) -> Result<Choice, Failure> {
        let packed = |(year, month, day): (u16, u8, u8)| {
            u32::from(year) * 10_000 + u32::from(month) * 100 + u32::from(day)
        };
        let since = ask::date("since", since)?.map(|date| packed(date.earliest()));
        let until = ask::date("until", until)?.map(|date| packed(date.latest()));
        Ok(Choice {
            since,
            until,
            ..Choice::default()
        })
    }

    /// Lichess's names; the fastest games are bullet here.
    pub fn speeds(mut self, names: &Option<String>) -> Result<Choice, Failure> {
        let Some(names) = given(names) else {
            return Ok(self);
        };
        let speed = |name: &str| match name.trim() {
            "ultraBullet" => Ok(Speed::Bullet),
            name => Speed::named(name).ok_or_else(|| {
                Failure::parameter(
                    "speeds",
                    "expected bullet, blitz, rapid, classical or correspondence",
                )
            }),
        };
        self.speeds = Some(names.split(',').map(speed).collect::<Result<_, _>>()?);
        Ok(self)
    }

    /// Groups, each by its least rating. All of them let games through whose ratings are not known.
    pub fn ratings(mut self, groups: &Option<String>) -> Result<Choice, Failure> {
        let Some(groups) = given(groups) else {
            return Ok(self);
        };
        let group = |text: &str| {
            let least = text.trim().parse::<u32>().ok();
            let place = least.and_then(|least| GROUPS.iter().position(|group| *group == least));
            let place = place.ok_or_else(|| {
                Failure::parameter("ratings", format!("expected some of {GROUPS:?}"))
            })?;
            let end = GROUPS.get(place + 1).copied();
            Ok((GROUPS[place], end.unwrap_or(u32::MAX)))
        };
        let mut groups = groups
            .split(',')
            .map(group)
            .collect::<Result<Vec<_>, Failure>>()?;
        groups.sort_unstable();
        groups.dedup();
        self.ratings = Some(groups).filter(|groups| groups.len() < GROUPS.len());
        Ok(self)
    }

    pub fn modes(mut self, names: &Option<String>) -> Result<Choice, Failure> {
        let (mut rated, mut casual) = (false, false);
        for name in given(names).into_iter().flat_map(|names| names.split(',')) {
            match name.trim() {
                "rated" => rated = true,
                "casual" => casual = true,
                _ => return Err(Failure::parameter("modes", "expected rated or casual")),
            }
        }
        self.casual = (rated != casual).then_some(casual);
        Ok(self)
    }

    /// Games of a player on a side; 0 is White's.
    pub fn of_player(mut self, name: &str, side: usize) -> Choice {
        self.player = Some((name.into(), side));
        self
    }

    /// Whether all games are counted.
    pub fn is_everything(&self) -> bool {
        *self == Choice::default()
    }

    /// The games that are counted.
    pub fn games(&self, census: &Census) -> GameSet {
        let player = self.player.as_ref().map(|(words, side)| {
            let named = census
                .players()
                .filter(|(_, player)| words.name(&player.name));
            let ids: HashSet<PlayerId> = named.map(|(id, _)| id).collect();
            (ids, *side)
        });
        let is_player = |facts: &Facts| {
            player.as_ref().is_none_or(|(ids, side)| {
                let there = facts.players[*side];
                there.is_some_and(|id| ids.contains(&id))
            })
        };
        let wanted = census
            .all()
            .filter(|(_, facts)| self.counts(facts) && is_player(facts));
        wanted.map(|(number, _)| number).collect()
    }

    fn counts(&self, facts: &Facts) -> bool {
        let is_fast = |speeds: &Vec<Speed>| speeds.contains(&facts.speed_told());
        let is_rated = |groups: &Vec<(u32, u32)>| {
            facts.twice_mean().is_some_and(|twice| {
                let mut groups = groups.iter();
                groups.any(|(least, end)| twice >= 2 * least && twice / 2 < *end)
            })
        };
        self.has_date(facts)
            && self.speeds.as_ref().is_none_or(is_fast)
            && self.ratings.as_ref().is_none_or(is_rated)
            && self.casual.is_none_or(|casual| casual == facts.casual)
    }

    fn has_date(&self, facts: &Facts) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let (earliest, latest) = facts.days();
        facts.year().is_some()
            && self.since.is_none_or(|since| latest >= since)
            && self.until.is_none_or(|until| earliest <= until)
    }
}
