//! The position that is asked about.

use serde::{Deserialize, Serialize};
use tabiya::openings::{Opening, Openings};
use tabiya_chess::{Color, Move, Position, Setup, Variant};
use utoipa::{IntoParams, ToSchema};

use crate::failure::Failure;

/// A position, as Lichess's explorer takes it.
#[derive(Deserialize, IntoParams, Default)]
#[into_params(parameter_in = Query)]
pub struct PositionParams {
    /// The position to begin with; the start of a game without it. Fields missing at its end are
    /// filled in, and `_` may stand for a space.
    #[param(example = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")]
    pub fen: Option<String>,
    /// Moves from there in UCI notation, with commas between them.
    #[param(example = "c7c5,g1f3")]
    pub play: Option<String>,
}

/// A line of positions, of which the last is asked about.
pub struct Line {
    /// At least one.
    positions: Vec<Position>,
    last: Option<Move>,
}

impl PositionParams {
    /// Whether a position was given.
    pub fn is_given(&self) -> bool {
        given(&self.fen).or(given(&self.play)).is_some()
    }

    /// The line, played by some rules.
    pub fn line(&self, variant: Variant) -> Result<Line, Failure> {
        let mut position = match given(&self.fen) {
            None => from_setup(&Setup::INITIAL, variant)?,
            Some(fen) => from_fen(fen, variant)?,
        };
        let mut line = Line {
            positions: vec![position],
            last: None,
        };
        for word in given(&self.play)
            .into_iter()
            .flat_map(|play| play.split(','))
        {
            let action = position.parse_uci(word.trim());
            let action = action.map_err(|error| Failure::parameter("play", error))?;
            let Some(play) = action.to_move() else {
                return Err(Failure::parameter("play", "a null move is no legal move"));
            };
            position.play_unchecked(play);
            line.positions.push(position);
            line.last = Some(play);
        }
        Ok(line)
    }
}

fn from_fen(fen: &str, variant: Variant) -> Result<Position, Failure> {
    let setup: Setup = match fen.replace('_', " ").parse() {
        Ok(setup) => setup,
        Err(error) => return Err(Failure::parameter("fen", error)),
    };
    from_setup(&setup, variant)
}

fn from_setup(setup: &Setup, variant: Variant) -> Result<Position, Failure> {
    Position::from_setup(setup, variant).map_err(|error| Failure::parameter("fen", error))
}

/// An empty parameter is none.
pub fn given(parameter: &Option<String>) -> Option<&str> {
    let text = parameter.as_deref().map(str::trim);
    text.filter(|text| !text.is_empty())
}

impl Line {
    /// The position that is asked about.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a line has a start")
    }

    /// The opening: the last position on the way that has a name. The start of a game is no
    /// opening yet, even where a table has a code for it.
    pub fn opening<'o>(&self, names: &'o Openings) -> Option<&'o Opening> {
        let mut positions = self.positions.iter().rev();
        positions.find_map(|position| {
            let opening = names.of(position)?;
            (*position != Position::initial()).then_some(opening)
        })
    }
}

/// The name of an opening.
#[derive(Clone, Serialize, ToSchema)]
pub struct OpeningName {
    #[schema(example = "B20")]
    pub eco: String,
    #[schema(example = "Sicilian Defence")]
    pub name: String,
}

impl From<&Opening> for OpeningName {
    fn from(opening: &Opening) -> OpeningName {
        OpeningName {
            eco: opening.eco.clone(),
            name: opening.name.clone(),
        }
    }
}

/// A move in both notations.
#[derive(Serialize, ToSchema)]
pub struct MoveName {
    #[schema(example = "g1f3")]
    pub uci: String,
    #[schema(example = "Nf3")]
    pub san: String,
}

impl MoveName {
    pub fn of(before: &Position, play: Move) -> MoveName {
        MoveName {
            uci: before.uci(play).to_string(),
            san: before.san(play).to_string(),
        }
    }
}

/// A legal move, and where it leads.
#[derive(Serialize, ToSchema)]
pub struct LegalMove {
    #[serde(flatten)]
    name: MoveName,
    /// The position after it.
    fen: String,
}

/// A position and what can be played in it.
#[derive(Serialize, ToSchema)]
pub struct PositionAnswer {
    fen: String,
    turn: Side,
    check: bool,
    /// Why the game is over, if it is.
    #[schema(example = "checkmate")]
    outcome: Option<String>,
    /// The last position on the way that has a name.
    opening: Option<OpeningName>,
    /// The last of the moves that were given.
    last: Option<MoveName>,
    legal: Vec<LegalMove>,
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    White,
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl PositionAnswer {
    pub fn new(line: &Line, names: &Openings) -> PositionAnswer {
        let position = line.position();
        let status = position.status();
        let before = line.positions.iter().rev().nth(1);
        let last = before.zip(line.last);
        PositionAnswer {
            fen: fen(position),
            turn: position.turn().into(),
            check: position.is_check(),
            outcome: status.is_end().then(|| status.to_string()),
            opening: line.opening(names).map(OpeningName::from),
            last: last.map(|(before, play)| MoveName::of(before, play)),
            legal: legal(position),
        }
    }
}

/// A position as FEN.
pub fn fen(position: &Position) -> String {
    position.to_setup().to_string()
}

/// All legal moves.
pub fn legal(position: &Position) -> Vec<LegalMove> {
    let moves = position.legal_moves();
    let legal = moves.iter().map(|&play| {
        let mut after = *position;
        after.play_unchecked(play);
        LegalMove {
            name: MoveName::of(position, play),
            fen: fen(&after),
        }
    });
    legal.collect()
}
