//! All positions that may follow one within so many plies, counted at once.

use std::ops::ControlFlow;

use tabiya_chess::{Color, Move, Position, Role};
use tabiya_game::{Event, Flow, GameSink, Needs};
use tabiya_search::tree::{MainLine, Step};

use super::{
    Branch, Game, Node, Tally, TreeAnswer,
    grow::{self, after},
};
use crate::{Database, Result, positions::Positions};

/// Hears games and counts what is played in every position that may follow one within so many
/// plies. Which of them do is known only when all games have been heard.
#[derive(Debug)]
pub struct Forest {
    root: Position,
    depth: usize,
    positions: Positions,
    /// What is played in each of them.
    plants: Vec<Plant>,
    line: MainLine,
    heard: Heard,
}

/// What is played in a position.
#[derive(Debug, Default)]
struct Plant {
    total: Tally,
    moves: Vec<(Move, Tally)>,
}

/// What has been heard of a game.
#[derive(Debug, Default)]
struct Heard {
    /// The plant of the last position, if it is near.
    last: Option<usize>,
    reached: Vec<usize>,
    played: Vec<(usize, Move)>,
}

/// A line castles at most once a side, and that moves two pieces.
const CASTLINGS: usize = 2;

impl Forest {
    pub fn new(root: &Position, depth: u32) -> Forest {
        Forest {
            root: *root,
            depth: depth as usize,
            positions: Positions::default(),
            plants: Vec::new(),
            line: MainLine::default(),
            heard: Heard::default(),
        }
    }

    /// Adds what another one of the same positions has heard.
    fn merge(&mut self, other: Forest) {
        for (there, plant) in other.plants.into_iter().enumerate() {
            let place = self.plant(other.positions.get(there));
            let here = &mut self.plants[place];
            here.total.merge(&plant.total);
            for (play, tally) in plant.moves {
                here.tally(play).merge(&tally);
            }
        }
    }

    /// Hears the games of a database that pass its filter.
    pub fn hear(&mut self, database: &Database) -> Result<()> {
        let (root, depth) = (self.root, self.depth as u32);
        database.par_tell(
            || Forest::new(&root, depth),
            |part| {
                self.merge(part);
                ControlFlow::Continue(())
            },
        )
    }

    /// The tree of the root. Moves that fewer games have played are left out.
    pub fn tree(&self, min_games: u64) -> Result<Node> {
        let answer = |position: &Position| Ok(self.answer(position));
        grow::tree(&self.root, self.depth as u32, min_games, answer)
    }

    /// What is played in a position.
    pub fn answer(&self, position: &Position) -> TreeAnswer {
        let here = self.find(position).map(|place| &self.plants[place]);
        let branch = |&play: &Move| {
            let after = self.find(&after(position, play))?;
            let moves = here.into_iter().flat_map(|plant| &plant.moves);
            let played = moves.clone().find(|(known, _)| *known == play);
            Some(Branch {
                play,
                played: played.map_or_else(Tally::default, |(_, tally)| *tally),
                reached: self.plants[after].total.games(),
            })
        };
        let mut branches: Vec<Branch> = position.legal_moves().iter().filter_map(branch).collect();
        Branch::sort(&mut branches);
        TreeAnswer {
            total: here.map_or_else(Tally::default, |plant| plant.total),
            branches,
        }
    }

    /// Whether a position may follow the root within the plies: each brings one piece to a new
    /// square and captures one at most.
    fn is_near(&self, position: &Position) -> bool {
        let (board, root) = (position.board(), self.root.board());
        let (here, there) = (board.occupied().count(), root.occupied().count());
        if here > there || here + self.depth < there {
            return false;
        }
        let of_role = |role| board.pieces(role) & root.pieces(role);
        let same = |color| {
            let roles = Role::ALL.into_iter().map(of_role);
            let both = board.side(color) & root.side(color);
            roles.map(|pieces| (pieces & both).count()).sum::<usize>()
        };
        let stayed = same(Color::White) + same(Color::Black);
        here - stayed <= self.depth + CASTLINGS
    }

    fn find(&self, position: &Position) -> Option<usize> {
        self.positions.find(position)
    }

    /// The plant of a position, a new one if there is none.
    fn plant(&mut self, position: &Position) -> usize {
        let place = self.positions.insert(position);
        if place == self.plants.len() {
            self.plants.push(Plant::default());
        }
        place
    }

    fn position(&mut self, position: &Position) {
        self.heard.last = self.is_near(position).then(|| self.plant(position));
        if let Some(place) = self.heard.last
            && !self.heard.reached.contains(&place)
        {
            self.heard.reached.push(place);
        }
    }

    fn play(&mut self, play: Move) {
        if let Some(place) = self.heard.last
            && !self.heard.played.contains(&(place, play))
        {
            self.heard.played.push((place, play));
        }
    }

    fn end(&mut self, game: &Game) {
        let heard = std::mem::take(&mut self.heard);
        for place in heard.reached {
            self.plants[place].total.add(game);
        }
        for (place, play) in heard.played {
            self.plants[place].tally(play).add(game);
        }
    }
}

impl Plant {
    /// Of a move.
    fn tally(&mut self, play: Move) -> &mut Tally {
        let place = self.moves.iter().position(|(known, _)| *known == play);
        let place = place.unwrap_or_else(|| {
            self.moves.push((play, Tally::default()));
            self.moves.len() - 1
        });
        &mut self.moves[place].1
    }
}

impl GameSink for Forest {
    fn needs(&mut self) -> Needs {
        MainLine::NEEDS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match self.line.hear(event) {
            Some(Step::Begin) => self.heard = Heard::default(),
            Some(Step::Position(position)) => self.position(position),
            Some(Step::Move(play, after)) => {
                self.play(play);
                self.position(after);
            }
            Some(Step::End(result)) => self.end(&self.line.game(result)),
            None => {}
        }
        Flow::Continue
    }
}
