//! Material that is given and does not come back.

use tabiya_chess::Color;

/// What has been given and has not come back yet, in the order in which it was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offers(Vec<Offer>);

#[derive(Clone, Copy, Debug)]
struct Offer {
    by: Color,
    /// After the move that gave it.
    ply: u32,
    /// What it has to come back to.
    level: i32,
    /// The last ply at which it may come back.
    until: u32,
}

/// A ply, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighed {
    pub(crate) ply: u32,
    /// The balance behind it, as White sees it.
    pub(crate) now: i32,
    /// Two plies before, if there was a position then.
    pub(crate) earlier: Option<i32>,
    /// Who has captured something.
    pub(crate) captured_by: Option<Color>,
}

impl Offers {
    /// Where an offer was made that had to be made good until some ply and was not.
    pub(crate) fn due(&self, ply: u32) -> Option<u32> {
        let due = self.0.iter().find(|offer| offer.until <= ply);
        due.map(|offer| offer.ply)
    }

    /// Follows a ply: where an offer was made that has not been made good in so many plies.
    pub(crate) fn follow(&mut self, plies: u32, weighed: &Weighed) -> Option<u32> {
        let Weighed { ply, now, .. } = *weighed;
        // The most that somebody had, before he gave what has come back now.
        let mut regained = [None; 2];
        self.0.retain(|offer| {
            let waits = seen_by(offer.by, now) < offer.level;
            let regained = &mut regained[offer.by as usize];
            *regained = (*regained).max((!waits).then_some(offer.level));
            waits
        });
        if let (Some(taker), Some(earlier)) = (weighed.captured_by, weighed.earlier) {
            let by = !taker;
            // Who takes back what he gave has been given nothing but what is more than that.
            let level = match regained[taker as usize] {
                Some(had) => seen_by(by, earlier).min(-had),
                None => seen_by(by, earlier),
            };
            if seen_by(by, now) < level {
                self.0.push(Offer {
                    by,
                    ply: ply - 1,
                    level,
                    until: ply.saturating_add(plies),
                });
            }
        }
        self.due(ply)
    }

    /// Nothing comes back after the end: where the first was made that has not.
    pub(crate) fn settle(&mut self) -> Option<u32> {
        let first = self.0.iter().map(|offer| offer.ply).min();
        self.0.clear();
        first
    }
}

fn seen_by(color: Color, balance: i32) -> i32 {
    match color {
        Color::White => balance,
        Color::Black => -balance,
    }
}
