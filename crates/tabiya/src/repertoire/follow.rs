//! Games beside a repertoire.

use tabiya_chess::{Color, Move, Position};
use tabiya_game::{Event, Filter, Flow, GameResult, GameSink, Needs, Tags};

use super::Repertoire;
use crate::{Database, Error, Result, database::InPlace};

/// Why a position is the last of a game that the repertoire has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The repertoire has no move there: the game has followed it to the end of a line.
    Line,
    /// The game ends there, or goes on with a null move or a ply that it leaves out.
    Game,
    /// The side whose repertoire it is plays another move.
    Me,
    /// The opponent plays a move to which the repertoire has no answer.
    Opponent,
}

impl Ending {
    /// All of them.
    pub const ALL: [Ending; 4] = [Ending::Me, Ending::Opponent, Ending::Line, Ending::Game];

    /// In a word: me, opponent, line or game.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Ending::Me => "me",
            Ending::Opponent => "opponent",
            Ending::Line => "line",
            Ending::Game => "game",
        }
    }

    /// The one of a name, if it is that of one.
    ///
    /// ```
    /// use tabiya::repertoire::Ending;
    ///
    /// assert_eq!(Ending::named("me"), Some(Ending::Me));
    /// assert_eq!(Ending::named("you"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == name)
    }
}

/// A game that has a position of the repertoire.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Followed {
    /// Its number in the file.
    pub number: u64,
    /// Its tags.
    pub tags: Tags,
    /// How it ends.
    pub result: GameResult,
    /// After how many plies it has a position of the repertoire for the last time.
    pub plies: u32,
    /// That position, as the repertoire has it.
    pub position: Position,
    /// Why it is the last.
    pub ending: Ending,
    /// The move that was played there, if one was.
    pub played: Option<Move>,
    /// Whether the side whose repertoire it is has played a move of it.
    pub has_played: bool,
    /// Which position of the repertoire it is.
    pub(super) place: usize,
}

impl Followed {
    /// Whether the game follows the repertoire: its side plays a move of it at least, and leaves it
    /// only after the opponent has, or at the end of a line.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.has_played && self.ending != Ending::Me
    }

    /// Whether it is one of those that are asked for: that end in one of these ways, or that follow the
    /// repertoire if none is named.
    #[must_use]
    pub fn is_wanted(&self, endings: &[Ending]) -> bool {
        match endings {
            [] => self.follows(),
            endings => endings.contains(&self.ending),
        }
    }
}

impl Repertoire {
    /// Compares the games of a database that pass a filter with the repertoire of a side, by all
    /// cores, and tells those that have one of its positions, in the order of the file. How many
    /// passed.
    ///
    /// # Errors
    /// If the database cannot be read to its end, or what `each` returns.
    pub fn follow<E: From<Error>>(
        &self,
        side: Color,
        database: &Database,
        filter: &Filter,
        mut each: impl FnMut(Followed) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut games = 0;
        let make = || Follower {
            repertoire: self,
            side,
            before: 0,
            games: 0,
            tags: Tags::new(),
            heard: Heard::default(),
            found: Vec::new(),
        };
        database.par_placed::<_, E>(filter, make, |part, before| {
            games += part.games;
            for (mut game, place) in part.found {
                if game.number == 0 {
                    game.number = before + place + 1;
                }
                each(game)?;
            }
            Ok(())
        })?;
        Ok(games)
    }
}

/// Hears games and finds where they leave the repertoire.
struct Follower<'r> {
    repertoire: &'r Repertoire,
    side: Color,
    /// So many games of the part come before this one.
    before: u64,
    games: u64,
    tags: Tags,
    heard: Heard,
    found: Vec<(Followed, u64)>,
}

/// What has been heard of a game.
#[derive(Default)]
struct Heard {
    number: u64,
    ply: u32,
    /// The last position of the repertoire, and after how many plies it stands.
    last: Option<(usize, u32)>,
    /// What was played there.
    played: Option<Move>,
    has_played: bool,
}

impl Follower<'_> {
    /// Looks a position up. A game that has fewer pieces than any position of the repertoire does
    /// not come back.
    fn position(&mut self, position: &Position) -> Flow {
        if let Some(place) = self.repertoire.positions.find(position) {
            self.heard.last = Some((place, self.heard.ply));
            self.heard.played = None;
        } else if position.board().occupied().count() < self.repertoire.fewest {
            return Flow::SkipGame;
        }
        Flow::Continue
    }

    fn play(&mut self, play: Move, after: &Position) -> Flow {
        if let Some((place, ply)) = self.heard.last
            && ply == self.heard.ply
        {
            self.heard.played = Some(play);
            let spot = &self.repertoire.spots[place];
            let is_mine = self.repertoire.positions.get(place).turn() == self.side;
            self.heard.has_played |= is_mine && spot.moves.contains(&play);
        }
        self.heard.ply += 1;
        self.position(after)
    }

    fn end(&mut self, result: GameResult) {
        self.games += 1;
        let heard = std::mem::take(&mut self.heard);
        let Some((place, plies)) = heard.last else {
            return;
        };
        let position = *self.repertoire.positions.get(place);
        let is_end = self.repertoire.spots[place].moves.is_empty();
        let followed = Followed {
            number: heard.number,
            tags: self.tags.clone(),
            result,
            plies,
            position,
            ending: match heard.played {
                _ if is_end => Ending::Line,
                None => Ending::Game,
                Some(_) if position.turn() == self.side => Ending::Me,
                Some(_) => Ending::Opponent,
            },
            played: heard.played,
            has_played: heard.has_played,
            place,
        };
        self.found.push((followed, self.before));
    }
}

impl InPlace for Follower<'_> {
    fn place(&mut self, before: u64) {
        self.before = before;
    }
}

impl GameSink for Follower<'_> {
    fn needs(&mut self) -> Needs {
        Needs::TAGS.moves(true).after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.tags.clear();
                self.heard = Heard {
                    number: place.number,
                    ..Heard::default()
                };
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::Start(position) => return self.position(position),
            Event::Move {
                play,
                after: Some(after),
                ..
            } => return self.play(play, after),
            // What is behind a null move was not played.
            Event::Null { .. } | Event::Missing => return Flow::SkipGame,
            Event::VariationStart => return Flow::SkipVariation,
            Event::GameEnd { result, .. } => self.end(result),
            _ => {}
        }
        Flow::Continue
    }
}
