//! Games that are made step by step.

use pyo3::{prelude::*, types::PyString};
use tabiya::{Action, CommentPlace, GameState, GameTree, Item, Nag, Place};
use tabiya_game::{GameErrorKind, Limits, command};

use crate::{
    error::{bad_value, limit, usage},
    game::{Game, begin, begin_as_tagged, settle},
    moves::Move,
    position::Position,
};

/// Makes a game of moves, variations and what is said about them, in the order of PGN: a variation
/// follows the move that it replaces.
///
/// >>> import tabiya
/// >>> builder = tabiya.GameBuilder(tags={"White": "Réti"})
/// >>> _ = builder.move("e4").nag(1).comment("best by test")
/// >>> _ = builder.start_variation().move("d4").end_variation()
/// >>> game = builder.move("e5").build(result="1-0")
/// >>> game.to_pgn(columns=None).splitlines()[-2]
/// '1. e4 $1 {best by test} (1. d4) 1... e5 1-0'
#[pyclass(module = "tabiya")]
pub struct GameBuilder {
    tree: GameTree,
    lines: Vec<Line>,
}

/// A line that is open: its last position, and the one before its last move.
#[derive(Clone, Copy)]
struct Line {
    position: tabiya::Position,
    before: Option<tabiya::Position>,
}

impl GameBuilder {
    fn of(tree: GameTree) -> GameBuilder {
        let main = Line {
            position: tree.start,
            before: None,
        };
        GameBuilder {
            tree,
            lines: vec![main],
        }
    }

    fn line(&mut self) -> &mut Line {
        self.lines
            .last_mut()
            .expect("the main line is never closed")
    }
}

#[pymethods]
impl GameBuilder {
    /// A game without moves, that begins at `start`, or where the tag FEN says.
    #[new]
    #[pyo3(signature = (*, tags=None, start=None))]
    fn new(
        tags: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<GameBuilder> {
        begin(tags, start).map(GameBuilder::of)
    }

    /// The same with tags as another library has written them.
    #[staticmethod]
    fn _as_tagged(tags: &Bound<'_, PyAny>) -> PyResult<GameBuilder> {
        begin_as_tagged(tags).map(GameBuilder::of)
    }

    /// The position after the last move of the line that is open.
    #[getter]
    fn position(&mut self) -> Position {
        Position(self.line().position)
    }

    /// Plays a move: a Move, or a text that names one. Null moves are taken in check, too, as PGN has them.
    fn r#move<'py>(
        mut slf: PyRefMut<'py, GameBuilder>,
        r#move: &Bound<'py, PyAny>,
    ) -> PyResult<PyRefMut<'py, GameBuilder>> {
        let line = slf.line();
        let action = Move::read(&line.position, r#move)?;
        line.before = Some(line.position);
        line.position.act(action);
        slf.tree.items.push(match action {
            Action::Move(play) => Item::Move(play),
            Action::Null => Item::Null,
        });
        Ok(slf)
    }

    /// Gives the last move a glyph: a number, or a symbol such as `!?`.
    fn nag<'py>(
        mut slf: PyRefMut<'py, GameBuilder>,
        nag: &Bound<'py, PyAny>,
    ) -> PyResult<PyRefMut<'py, GameBuilder>> {
        let nag = match nag.cast::<PyString>() {
            Ok(symbol) => {
                let symbol = symbol.to_str()?;
                let nag = Nag::from_symbol(symbol);
                nag.ok_or_else(|| bad_value("nag", format_args!("nobody knows {symbol:?}")))?
            }
            Err(_) => Nag(crate::values::number("nag", nag)?),
        };
        slf.tree.items.push(Item::Nag(nag));
        Ok(slf)
    }

    /// Says something after the last move, or before the next one.
    #[pyo3(signature = (text, *, before=false, language=None))]
    fn comment(
        mut slf: PyRefMut<'_, GameBuilder>,
        text: String,
        before: bool,
        language: Option<String>,
    ) -> PyRefMut<'_, GameBuilder> {
        let place = match before {
            true => CommentPlace::Before,
            false => CommentPlace::After,
        };
        slf.tree.items.push(Item::Comment {
            place,
            language,
            text,
        });
        slf
    }

    /// Adds an annotation as PGN spells it in comments: [%clk 0:01:30], [%cal Ge2e4]. One at a time;
    /// words are a `comment`.
    fn annotate<'py>(
        mut slf: PyRefMut<'py, GameBuilder>,
        command: &str,
    ) -> PyResult<PyRefMut<'py, GameBuilder>> {
        let mut parts = command::parts(command).filter(|part| !part.raw().trim().is_empty());
        let (Some(command::Part::Command(only)), None) = (parts.next(), parts.next()) else {
            let words =
                format_args!("expected one command such as [%clk 0:01:30], not {command:?}");
            return Err(bad_value("command", words));
        };
        let annotation = only.annotation().ok_or_else(|| {
            bad_value("command", format_args!("nobody knows what {command} means"))
        })?;
        slf.tree.items.push(Item::Annotation(annotation));
        Ok(slf)
    }

    /// Something could not be read where the game comes from: it is broken then.
    fn _error<'py>(
        mut slf: PyRefMut<'py, GameBuilder>,
        kind: &str,
        message: String,
    ) -> PyResult<PyRefMut<'py, GameBuilder>> {
        let kinds = GameErrorKind::ALL.into_iter();
        let mut kinds = kinds.filter(|known| known.name() == kind);
        let kind = kinds.next().ok_or_else(|| bad_value("kind", kind))?;
        slf.tree.state = GameState::Broken;
        slf.tree.items.push(Item::Error {
            kind,
            message,
            raw: String::new(),
            place: Place::default(),
            first: None,
        });
        Ok(slf)
    }

    /// What follows replaces the last move. Variations are nested as deep as readers of files allow, and
    /// no deeper: LimitError.
    fn start_variation(mut slf: PyRefMut<'_, GameBuilder>) -> PyResult<PyRefMut<'_, GameBuilder>> {
        let Some(before) = slf.line().before else {
            return Err(usage("a variation replaces a move, and there is none yet"));
        };
        let depth = Limits::default().depth;
        // The main line is none of them.
        if slf.lines.len() > depth {
            return Err(limit(format_args!(
                "variations nested more than {depth} deep"
            )));
        }
        slf.lines.push(Line {
            position: before,
            before: None,
        });
        slf.tree.items.push(Item::VariationStart);
        Ok(slf)
    }

    /// Back to the line that the variation left.
    fn end_variation(mut slf: PyRefMut<'_, GameBuilder>) -> PyResult<PyRefMut<'_, GameBuilder>> {
        if slf.lines.len() < 2 {
            return Err(usage("no variation is open"));
        }
        slf.lines.pop();
        slf.tree.items.push(Item::VariationEnd);
        Ok(slf)
    }

    /// The game so far; variations that are open end here.
    #[pyo3(signature = (result=None))]
    fn build(&self, result: Option<&str>) -> PyResult<Game> {
        let mut tree = self.tree.clone();
        tree.items
            .extend((1..self.lines.len()).map(|_| Item::VariationEnd));
        settle(&mut tree, result)?;
        Ok(tree.into())
    }
}
