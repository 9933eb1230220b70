//! One segment, asked by its index.

use std::ops::ControlFlow;

#[cfg(test)]
use tabiya_chess::Position;
use tabiya_chess::{Move, mailbox::Mailbox};
use tabiya_search::{
    Facts as _,
    tree::{Game, Tally},
};

use super::{
    facts::{Sum, take_out},
    file::{self, Damaged, File},
    run::{Edge, NO_MOVE, Run},
    shard::Shard,
};
use crate::{
    movetext::{Player, Sought},
    segment::{SegmentError, read::Segment},
    signature::Signature,
};

/// Why an index does not answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It is damaged: the games have to be looked at.
    Index,
    /// The games are damaged.
    Games(SegmentError),
}

impl From<Damaged> for Trouble {
    fn from(_: Damaged) -> Trouble {
        Trouble::Index
    }
}

impl From<SegmentError> for Trouble {
    fn from(error: SegmentError) -> Trouble {
        Trouble::Games(error)
    }
}

/// Which rows are wanted.
pub(super) trait Wanted {
    /// Whether all are.
    fn is_everything(&self) -> bool;

    /// Whether this one is.
    fn has(&self, row: u32) -> bool;
}

/// The games that have a position, in one segment.
pub(super) enum Games<'a> {
    /// The wanted ones, in order, each with the ply at which it has it first.
    Few(Vec<(u32, u32)>),
    /// Wanted or not, and how many are wanted.
    Many(Run<'a>, u64),
}

/// What is played in a position, in one segment.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub total: Tally,
    /// The moves of the position, in their order, with both counts.
    pub moves: Vec<(Tally, u64)>,
}

/// Where a position is.
enum Found<'a> {
    Run(Run<'a>),
    /// Only one game has it.
    Single(Single),
    Nowhere,
}

/// A game that has a position.
struct Single {
    row: u32,
    ply: u32,
    /// What it plays there, each move once.
    plays: Vec<Move>,
}

/// A segment and its index.
pub(super) struct Asked<'a> {
    pub segment: &'a Segment,
    pub file: &'a File,
    pub player: &'a Player,
}

impl<'a> Asked<'a> {
    /// The games that have a position.
    pub fn games(&self, question: &Sought, wanted: &impl Wanted) -> Result<Games<'a>, Trouble> {
        match self.find(question)? {
            Found::Run(run) => self.visitors(run, wanted),
            Found::Single(Single { row, ply, .. }) if wanted.has(row) => {
                Ok(Games::Few(vec![(row, ply)]))
            }
            Found::Single(_) | Found::Nowhere => Ok(Games::Few(Vec::new())),
        }
    }

    fn visitors(&self, run: Run<'a>, wanted: &impl Wanted) -> Result<Games<'a>, Trouble> {
        /// Sorting takes longer than looking at all rows if one in so many has the position.
        const DENSE: u64 = 128;
        let rows = u64::from(self.file.foot.rows);
        if run.games().ok_or(Damaged)? > rows / DENSE {
            let count = self.count(&run, wanted)?.min(rows);
            return Ok(Games::Many(run, count));
        }
        let mut games = Vec::new();
        for edge in run.edges().ok_or(Damaged)?.flatten() {
            for visit in edge.visits().ok_or(Damaged)? {
                games.push(visit.ok_or(Damaged)?);
            }
        }
        games.retain(|(row, _)| wanted.has(*row));
        games.sort_unstable();
        games.dedup_by_key(|(row, _)| *row);
        Ok(Games::Few(games))
    }

    /// What is played in a position whose legal moves and the questions behind them are these.
    pub fn played(
        &self,
        question: &Sought,
        children: &[(Move, Sought)],
        wanted: &impl Wanted,
    ) -> Result<Played, Trouble> {
        let mut played = Played {
            total: Tally::default(),
            moves: vec![Default::default(); children.len()],
        };
        // How many games play each move, wanted or not.
        let mut visited = vec![0u64; children.len()];
        match self.find(question)? {
            Found::Run(run) => {
                for edge in run.edges().ok_or(Damaged)? {
                    let edge = edge.ok_or(Damaged)?;
                    let tally = self.tally(&edge, wanted)?;
                    played.total.merge(&tally);
                    if let Some(at) = place_of(children, edge.play) {
                        played.moves[at].0 = tally;
                        visited[at] = edge.games;
                    }
                }
                let facts = self.file.facts()?;
                for row in run.twice() {
                    let row = row.ok_or(Damaged)?;
                    if wanted.has(row) {
                        take_out(
                            &mut played.total,
                            file::facts_of(facts, row).ok_or(Damaged)?,
                        );
                    }
                }
            }
            Found::Single(single) => {
                let game = self.brought(single.row)?;
                let is_wanted = wanted.has(single.row);
                if is_wanted {
                    played.total.add(&game);
                }
                for play in single.plays {
                    if let Some(at) = place_of(children, play.to_bits()) {
                        visited[at] = 1;
                        if is_wanted {
                            played.moves[at].0.add(&game);
                        }
                    }
                }
            }
            Found::Nowhere => {}
        }
        for (at, (_, child)) in children.iter().enumerate() {
            played.moves[at].1 =
                self.reached(child, visited[at], played.moves[at].0.games(), wanted)?;
        }
        Ok(played)
    }

    /// How many games reach a position behind a move that so many play, and so many of those that
    /// are wanted.
    fn reached(
        &self,
        question: &Sought,
        visited: u64,
        played: u64,
        wanted: &impl Wanted,
    ) -> Result<u64, Trouble> {
        if let Some(run) = self.find_run(question)? {
            // Where as many games have the position as play the move, they are the same ones.
            return match run.games().ok_or(Damaged)? == visited {
                true => Ok(played),
                false => self.count(&run, wanted),
            };
        }
        // Two games would have made a run.
        if visited > 0 {
            return Ok(played);
        }
        let single = self.find_single(question)?;
        Ok(single.is_some_and(|single| wanted.has(single.row)).into())
    }

    fn count(&self, run: &Run<'_>, wanted: &impl Wanted) -> Result<u64, Trouble> {
        if wanted.is_everything() {
            return Ok(run.games().ok_or(Damaged)?);
        }
        let mut count = 0u64;
        for edge in run.edges().ok_or(Damaged)? {
            let told = edge
                .ok_or(Damaged)?
                .for_each_row(|row| count += u64::from(wanted.has(row)));
            told.ok_or(Damaged)?;
        }
        for row in run.twice() {
            count = count.saturating_sub(wanted.has(row.ok_or(Damaged)?).into());
        }
        Ok(count)
    }

    fn tally(&self, edge: &Edge<'_>, wanted: &impl Wanted) -> Result<Tally, Trouble> {
        if let Some(tally) = edge.tally.filter(|_| wanted.is_everything()) {
            return Ok(tally);
        }
        let facts = self.file.facts()?;
        let mut sum = Sum::default();
        let mut is_sound = true;
        let told = edge.for_each_row(|row| {
            if wanted.has(row) {
                match file::facts_of(facts, row) {
                    Some(facts) => sum.add(facts),
                    None => is_sound = false,
                }
            }
        });
        match told.is_some() && is_sound {
            true => Ok(sum.tally()),
            false => Err(Trouble::Index),
        }
    }

    /// Asks for everything, whatever is said.
    #[cfg(test)]
    pub fn nonsense(&self, position: &Position) {
        struct Half;
        impl Wanted for Half {
            fn is_everything(&self) -> bool {
                false
            }

            fn has(&self, row: u32) -> bool {
                row.is_multiple_of(2)
            }
        }
        let question = Sought::new(position);
        let child = |play: &Move| (*play, Sought::new(position));
        let children: Vec<_> = position.legal_moves().iter().map(child).collect();
        if let Ok(Games::Many(run, _)) = self.games(&question, &Half) {
            super::hits::Blocks::new(run, self.file.foot.rows, None).for_each(drop);
        }
        let _ = self.played(&question, &children, &Half);
        let _ = self.file.rest();
    }

    fn brought(&self, row: u32) -> Result<Game, Trouble> {
        let facts = file::facts_of(self.file.facts()?, row).ok_or(Damaged)?;
        Ok(facts.game())
    }

    fn find(&self, question: &Sought) -> Result<Found<'a>, Trouble> {
        if let Some(run) = self.find_run(question)? {
            return Ok(Found::Run(run));
        }
        Ok(match self.find_single(question)? {
            Some(single) => Found::Single(single),
            None => Found::Nowhere,
        })
    }

    /// The run of a position: keys collide, so its first game is looked at.
    fn find_run(&self, question: &Sought) -> Result<Option<Run<'a>>, Trouble> {
        let key = self.file.foot.narrow(question.key().0);
        let (number, bits) = self.file.foot.shard_of(key);
        let shard = Shard::open(self.file, number)?;
        for run in shard.runs(bits)? {
            let run = run?;
            let (row, ply) = run.example().ok_or(Damaged)?;
            if self.is_at(row, ply, |board| question.fits(board))? {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// Whether the position of a game after so many plies is one that fits.
    pub fn is_at(
        &self,
        row: u32,
        ply: u32,
        fits: impl Fn(&Mailbox) -> bool,
    ) -> Result<bool, Trouble> {
        let game = match row < self.file.foot.rows {
            true => self.segment.stored(row as usize)?,
            false => None,
        };
        let mut is_there = false;
        let played = self.player.play(game.ok_or(Damaged)?, |at, board, _| {
            if at < ply {
                return ControlFlow::Continue(());
            }
            is_there = fits(board);
            ControlFlow::Break(())
        });
        played.ok_or(Damaged)?;
        Ok(is_there)
    }

    /// The game that has a position which no other has.
    fn find_single(&self, question: &Sought) -> Result<Option<Single>, Trouble> {
        let key = self.file.foot.narrow(question.key().0);
        let (number, _) = self.file.foot.shard_of(key);
        for row in Shard::open(self.file, number)?.rows(key)? {
            if let Some(single) = self.visit(question, row)? {
                return Ok(Some(single));
            }
        }
        Ok(None)
    }

    /// Looks for a position in a game.
    fn visit(&self, question: &Sought, row: u32) -> Result<Option<Single>, Trouble> {
        let signature = self.segment.signature(row as usize)?;
        if !may_be_in(question, signature) {
            return Ok(None);
        }
        let Some(game) = self.segment.stored(row as usize)? else {
            return Ok(None);
        };
        let mut single: Option<Single> = None;
        let mut is_here = false;
        let played = self.player.play(game, |ply, board, play| {
            if let (true, Some(play), Some(single)) = (is_here, play, &mut single)
                && !single.plays.contains(&play)
            {
                single.plays.push(play);
            }
            if question.is_over(board) {
                return ControlFlow::Break(());
            }
            is_here = question.fits(board);
            if is_here && single.is_none() {
                let plays = Vec::new();
                single = Some(Single { row, ply, plays });
            }
            ControlFlow::Continue(())
        });
        // Games that are not plain are looked at elsewhere. One that was not played to its end may be
        // one of them.
        match played.and(single) {
            Some(single) if self.file.rest()?.binary_search(&row).is_err() => Ok(Some(single)),
            _ => Ok(None),
        }
    }
}

/// Whether a game with this signature may have a position.
fn may_be_in(question: &Sought, signature: Signature) -> bool {
    signature.is_silent() || signature.may_have(question.position().board())
}

fn place_of(children: &[(Move, Sought)], play: u16) -> Option<usize> {
    if play == NO_MOVE {
        return None;
    }
    children.iter().position(|(own, _)| own.to_bits() == play)
}
