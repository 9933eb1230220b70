//! What others do where a player plays.

use tabiya_chess::{Color, Move, Position};
use tabiya_game::{Event, Filter, Flow, GameSink, Needs, Tags, Words};

use super::{Dossier, Score, gather::Gathered, lines};
use crate::{
    Database, Error, Result,
    database::InPlace,
    positions::Positions,
    tree::{Game, Tally},
};

/// Sets beside the lines of a player how games of others went in the same positions, and beside
/// his colours how all their games went.
pub fn compare(
    dossier: &mut Dossier,
    sum: &Gathered,
    databases: &[Database],
    name: &Words,
    filter: &Filter,
) -> Result<()> {
    let mut asked = Asked::default();
    asked.edge(&Position::initial(), None);
    for tree in &sum.lines {
        for chosen in lines::choose(tree) {
            let edge = chosen.edge(&tree.start);
            let (before, play) = edge.expect("a line has a move");
            asked.edge(&before, Some(play));
        }
    }
    let player = Player {
        name,
        fide_id: filter.fide_id,
    };
    // What tells the player from others does not choose the games of others.
    let filter = Filter {
        versus: None,
        fide_id: None,
        ..filter.clone()
    };
    let tallies = asked.count(databases, player, &filter)?;
    let (all, mut tallies) = (tallies[0], tallies[1..].iter());
    let sides = [Color::White, Color::Black];
    for (row, side) in dossier.by_colour.iter_mut().zip(sides) {
        row.others = Some(Score::of(&seen(side, &all)));
    }
    for (list, side) in dossier.lines.iter_mut().zip(sides) {
        for (row, tally) in list.rows.iter_mut().zip(&mut tallies) {
            row.others = Some(Score::of(&seen(side, tally)));
        }
    }
    Ok(())
}

/// A tally as one side sees it.
fn seen(side: Color, tally: &Tally) -> Tally {
    let [white, black] = tally.elo_sums;
    let [whites, blacks] = tally.elo_counts;
    match side {
        Color::White => *tally,
        Color::Black => Tally {
            white: tally.black,
            black: tally.white,
            elo_sums: [black, white],
            elo_counts: [blacks, whites],
            ..*tally
        },
    }
}

/// Whose games are not those of others.
#[derive(Clone, Copy)]
struct Player<'a> {
    name: &'a Words,
    /// One of both players has it, if it is asked for.
    fide_id: Option<u32>,
}

impl Player<'_> {
    fn has_played(&self, tags: &Tags) -> bool {
        let either = |names: [&str; 2], is: &dyn Fn(&str) -> bool| {
            let mut values = names.into_iter().filter_map(|name| tags.get(name));
            values.any(is)
        };
        let has_id = |id: u32| {
            either(["WhiteFideId", "BlackFideId"], &|value| {
                value.trim().parse() == Ok(id)
            })
        };
        either(["White", "Black"], &|name| self.name.name(name)) && self.fide_id.is_none_or(has_id)
    }
}

/// Positions with moves in them; without a move, the position itself.
#[derive(Default)]
struct Asked {
    positions: Positions,
    /// What is asked of each position: the move, and the number of the question.
    at: Vec<Vec<(Option<Move>, usize)>>,
    count: usize,
    /// How few pieces one of them has.
    fewest: usize,
}

impl Asked {
    fn edge(&mut self, position: &Position, play: Option<Move>) {
        let place = self.positions.insert(position);
        if place == self.at.len() {
            let pieces = position.board().occupied().count();
            self.fewest = match place {
                0 => pieces,
                _ => self.fewest.min(pieces),
            };
            self.at.push(Vec::new());
        }
        self.at[place].push((play, self.count));
        self.count += 1;
    }

    /// The games of all others, for each question.
    fn count(
        &self,
        databases: &[Database],
        player: Player<'_>,
        filter: &Filter,
    ) -> Result<Vec<Tally>> {
        let mut sums = vec![Tally::default(); self.count];
        for database in databases {
            #[cfg(feature = "store")]
            if self.count_stored(database, player, filter, &mut sums)? {
                continue;
            }
            let make = || Counter {
                asked: self,
                player,
                tags: Tags::new(),
                last: None,
                met: Vec::new(),
                sums: vec![Tally::default(); self.count],
            };
            database.par_placed::<_, Error>(filter, make, |part, _| {
                for (sum, more) in sums.iter_mut().zip(&part.sums) {
                    sum.merge(more);
                }
                Ok(())
            })?;
        }
        Ok(sums)
    }

    /// From the index of a database of tabiya's own: all games less those of the player. `false` if
    /// the database is none.
    #[cfg(feature = "store")]
    fn count_stored(
        &self,
        database: &Database,
        player: Player<'_>,
        filter: &Filter,
        sums: &mut [Tally],
    ) -> Result<bool> {
        let Some(store) = database.store() else {
            return Ok(false);
        };
        let all = match filter.is_empty() {
            true => None,
            false => Some(store.select(filter)?),
        };
        let own = store.select(&Filter {
            player: Some(player.name.clone()),
            fide_id: player.fide_id,
            ..filter.clone()
        })?;
        for (place, questions) in self.at.iter().enumerate() {
            let position = self.positions.get(place);
            let all = store.tree_at(position, all.as_ref())?;
            let own = store.tree_at(position, Some(&own))?;
            for &(play, question) in questions {
                let of = |answer: &crate::tree::TreeAnswer| match play {
                    None => answer.total,
                    Some(play) => {
                        let mut branches = answer.branches.iter();
                        let branch = branches.find(|branch| branch.play == play);
                        branch.map_or_else(Tally::default, |branch| branch.played)
                    }
                };
                sums[question].merge(&less(&of(&all), &of(&own)));
            }
        }
        Ok(true)
    }
}

/// The games of one tally that are not those of another, of whose games they are part.
pub fn less(all: &Tally, own: &Tally) -> Tally {
    let less =
        |all: [u64; 2], own: [u64; 2]| [0, 1].map(|side| all[side].saturating_sub(own[side]));
    Tally {
        white: all.white.saturating_sub(own.white),
        draws: all.draws.saturating_sub(own.draws),
        black: all.black.saturating_sub(own.black),
        unknown: all.unknown.saturating_sub(own.unknown),
        elo_sums: less(all.elo_sums, own.elo_sums),
        elo_counts: less(all.elo_counts, own.elo_counts),
        last_year: all.last_year,
    }
}

/// Hears games of others.
struct Counter<'a> {
    asked: &'a Asked,
    player: Player<'a>,
    tags: Tags,
    /// The last position, if something is asked of it.
    last: Option<usize>,
    /// The questions that the game answers.
    met: Vec<usize>,
    sums: Vec<Tally>,
}

impl Counter<'_> {
    fn meet(&mut self, play: Option<Move>) {
        let Some(place) = self.last else { return };
        for &(asked, question) in &self.asked.at[place] {
            if asked == play && !self.met.contains(&question) {
                self.met.push(question);
            }
        }
    }

    fn position(&mut self, position: &Position) -> Flow {
        self.last = self.asked.positions.find(position);
        self.meet(None);
        match position.board().occupied().count() < self.asked.fewest {
            true => Flow::SkipGame,
            false => Flow::Continue,
        }
    }
}

impl InPlace for Counter<'_> {
    fn place(&mut self, _: u64) {}
}

impl GameSink for Counter<'_> {
    fn needs(&mut self) -> Needs {
        Needs::TAGS.moves(true).after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.tags.clear();
                self.met.clear();
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::Start(_) if self.player.has_played(&self.tags) => return Flow::SkipGame,
            Event::Start(position) => return self.position(position),
            Event::Move {
                play,
                after: Some(after),
                ..
            } => {
                self.meet(Some(play));
                return self.position(after);
            }
            Event::Null {
                after: Some(after), ..
            } => return self.position(after),
            Event::VariationStart => return Flow::SkipVariation,
            Event::GameEnd { result, .. } => {
                let game = Game::new(&self.tags, result);
                for question in self.met.drain(..) {
                    self.sums[question].add(&game);
                }
            }
            _ => {}
        }
        Flow::Continue
    }
}
