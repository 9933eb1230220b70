//! Functions of many games: what a side scored.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray},
        datatypes::{DataType, Field, FieldRef, Int64Type},
    },
    common::{Result, ScalarValue, exec_datafusion_err, exec_err, not_impl_err},
    logical_expr::{
        Accumulator, AggregateUDFImpl, Documentation, Signature, Volatility,
        function::{AccumulatorArgs, StateFieldsArgs},
    },
};
use tabiya_chess::Color;

use super::{
    arguments::{Kind, Texts},
    function::{Parameter, coerce, documentation, syntax},
};

/// The result that all of them take.
pub(super) const RESULT: Parameter = Parameter {
    name: "result",
    kind: Kind::Text,
    about: "The column `result` of games. Games whose result is not known do not count; wins by forfeit are \
            wins.",
};

/// The side that all of them may take last.
const COLOUR: Parameter = Parameter {
    name: "colour",
    kind: Kind::Text,
    about: "Whose points they are, `white` or `black`; White's if it is left out. It may differ from game to \
            game: `CASE WHEN white = 'Tal, Mikhail' THEN 'white' ELSE 'black' END`.",
};

/// What such a function is.
pub(super) struct About {
    pub name: &'static str,
    pub about: &'static str,
    /// What it takes before the colour.
    pub parameters: &'static [Parameter],
    pub returns: DataType,
    pub example: &'static str,
    /// What it makes of all games that count.
    pub finish: fn(&Points) -> ScalarValue,
}

impl std::fmt::Debug for About {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Points of games that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Points {
    /// Twice the points of the side.
    pub halves: i64,
    pub games: i64,
    /// The sum of the ratings of its opponents.
    pub ratings: i64,
}

impl Points {
    /// What the side scored, of a hundred.
    pub fn percent(&self) -> Option<f64> {
        (self.games > 0).then(|| 50.0 * self.halves as f64 / self.games as f64)
    }

    /// The mean rating of its opponents.
    pub fn opponents(&self) -> Option<f64> {
        (self.games > 0).then(|| self.ratings as f64 / self.games as f64)
    }

    fn add(&mut self, other: Points) -> Result<()> {
        self.change(other, i64::checked_add)
    }

    /// Takes away what was added.
    fn take(&mut self, other: Points) -> Result<()> {
        self.change(other, i64::checked_sub)
    }

    fn change(&mut self, by: Points, change: fn(i64, i64) -> Option<i64>) -> Result<()> {
        let changed = |one, other| {
            let changed = change(one, other);
            changed.ok_or_else(|| exec_datafusion_err!("more ratings than can be added up"))
        };
        *self = Points {
            halves: changed(self.halves, by.halves)?,
            games: changed(self.games, by.games)?,
            ratings: changed(self.ratings, by.ratings)?,
        };
        Ok(())
    }
}

/// A function of many games.
#[derive(Debug)]
pub(super) struct Function {
    about: &'static About,
    syntax: String,
    signature: Signature,
    documentation: Documentation,
}

impl Function {
    pub fn new(about: &'static About) -> Function {
        let short = syntax(about.name, about.parameters);
        let syntax = format!("{}[, colour])", &short[..short.len() - 1]);
        let parameters = || about.parameters.iter().chain([&COLOUR]);
        let documentation = documentation(syntax.clone(), about.about, about.example, parameters());
        Function {
            about,
            syntax,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation,
        }
    }
}

/// There is one function of a name.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.about.name == other.about.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.about.name.hash(state);
    }
}

impl AggregateUDFImpl for Function {
    fn name(&self) -> &str {
        self.about.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.about.returns.clone())
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let own = self.about.parameters;
        let last: &[&Parameter] = match given.len() > own.len() {
            true => &[&COLOUR],
            false => &[],
        };
        coerce(&self.syntax, own.iter().chain(last.iter().copied()), given)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            let name = self.about.name;
            return not_impl_err!(
                "{name}(DISTINCT …) together with other aggregates: take distinct rows first, as \
                 SELECT {name}(result) FROM (SELECT DISTINCT …)"
            );
        }
        let rated = self.about.parameters.len() > 1;
        Ok(Box::new(Counter {
            about: self.about,
            rated,
            coloured: args.exprs.len() > self.about.parameters.len(),
            points: Points::default(),
        }))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let field = |part: &str| {
            let name = format!("{}[{part}]", args.name);
            Arc::new(Field::new(name, DataType::Int64, false))
        };
        Ok(vec![field("halves"), field("games"), field("ratings")])
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// Counts points.
#[derive(Debug)]
struct Counter {
    about: &'static About,
    /// Ratings of opponents count.
    rated: bool,
    /// Whose points they are is said of each game.
    coloured: bool,
    points: Points,
}

impl Counter {
    /// The points of some games.
    fn points(&self, values: &[ArrayRef]) -> Result<Points> {
        let Some(results) = values.first() else {
            return exec_err!("{} lacks an argument", self.about.name);
        };
        let rows = results.len();
        let results = Texts::of(results, false, rows)?;
        let ratings = match values.get(1) {
            Some(ratings) if self.rated => Some(ratings.as_primitive::<Int64Type>()),
            _ => None,
        };
        let colours = match values.last() {
            Some(colours) if self.coloured => Some(Texts::of(colours, false, rows)?),
            _ => None,
        };
        let mut points = Points::default();
        for row in 0..rows {
            let colour = match &colours {
                Some(colours) => side(self.about.name, colours.get(row))?,
                None => Some(Color::White),
            };
            let halves = halves(self.about.name, results.get(row))?;
            let rating = match ratings {
                // Nobody has a rating of 0: it is how some files say that there is none.
                Some(ratings) => {
                    let rating = ratings.is_valid(row).then(|| ratings.value(row));
                    rating.filter(|rating| *rating > 0)
                }
                None => Some(0),
            };
            if let (Some(colour), Some(white), Some(ratings)) = (colour, halves, rating) {
                points.add(Points {
                    halves: match colour {
                        Color::White => white,
                        Color::Black => 2 - white,
                    },
                    games: 1,
                    ratings,
                })?;
            }
        }
        Ok(points)
    }
}

impl Accumulator for Counter {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.points.add(self.points(values)?)
    }

    /// Of windows that slide, games leave.
    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.points.take(self.points(values)?)
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok((self.about.finish)(&self.points))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let Points {
            halves,
            games,
            ratings,
        } = self.points;
        let state = [halves, games, ratings];
        Ok(state
            .map(|number| ScalarValue::Int64(Some(number)))
            .to_vec())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [halves, games, ratings] = states else {
            return exec_err!("{}: not a state of it", self.about.name);
        };
        let [halves, games, ratings] =
            [halves, games, ratings].map(|part| part.as_primitive::<Int64Type>());
        for row in 0..halves.len() {
            self.points.add(Points {
                halves: halves.value(row),
                games: games.value(row),
                ratings: ratings.value(row),
            })?;
        }
        Ok(())
    }
}

/// Twice White's points; `None` if they are not known.
fn halves(function: &str, result: Option<&str>) -> Result<Option<i64>> {
    Ok(match result {
        Some("1-0" | "+:-") => Some(2),
        Some("1/2-1/2") => Some(1),
        Some("0-1" | "-:+") => Some(0),
        None | Some("*" | "-:-") => None,
        Some(other) => {
            return exec_err!("{function}: not a result such as 1-0, 1/2-1/2 or 0-1: {other:?}");
        }
    })
}

fn side(function: &str, colour: Option<&str>) -> Result<Option<Color>> {
    Ok(match colour {
        None => None,
        Some("white") => Some(Color::White),
        Some("black") => Some(Color::Black),
        Some(other) => return exec_err!("{function}: a colour is white or black, not {other:?}"),
    })
}
