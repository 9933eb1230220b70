//! What is played in a position.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use pyo3::{prelude::*, types::PyCapsule};
use pyo3_arrow::error::PyArrowResult;
use tabiya::{
    Action, Error,
    tree::{Explorer, Node, line, performance},
};

use crate::{
    arrow::Table,
    error::{bad_value, usage},
    moves::Move,
    position::{Position, from_fen, san},
};

/// The position that somebody asks about.
pub fn position(
    given: Option<&Bound<'_, PyAny>>,
    moves: Option<&str>,
) -> PyResult<tabiya::Position> {
    match (given, moves) {
        (Some(_), Some(_)) => Err(usage("name a position or moves, not both")),
        (Some(given), None) => Position::read("position", given),
        (None, Some(moves)) => {
            let line = line(moves).map_err(|error| bad_value("moves", error))?;
            Ok(*line.last().expect("a line has a start"))
        }
        (None, None) => Ok(tabiya::Position::initial()),
    }
}

/// What is played in a position: what `Database.tree` returns. Rows for Arrow, one a move.
///
/// >>> import tabiya
/// >>> tree = tabiya.open("samples/famous.pgn").tree(moves="1. e4 e5", depth=2)
/// >>> best = tree.moves[0]
/// >>> best.san, best.next.position == tree.position.play(best.move)
/// ('Nf3', True)
#[pyclass(frozen, module = "tabiya")]
pub struct Tree(Arc<Grown>);

/// A position, and what is played in it: as the library has it, but for what follows, which is shared
/// by whoever asks for it.
struct Grown {
    position: tabiya::Position,
    total: tabiya::tree::Tally,
    moves: Vec<Twig>,
}

/// A move, and what is played after it.
struct Twig {
    branch: tabiya::tree::Branch,
    next: Option<Arc<Grown>>,
}

impl From<Node> for Grown {
    fn from(node: Node) -> Grown {
        let moves = node.moves.into_iter().map(|twig| Twig {
            branch: twig.branch,
            next: twig.next.map(|next| Arc::new(next.into())),
        });
        Grown {
            position: node.position,
            total: node.total,
            moves: moves.collect(),
        }
    }
}

/// What `pickle` keeps of a tally: results, sums and counts of ratings, the last year.
type KeptTally = ([u64; 4], [u64; 2], [u64; 2], Option<u16>);
/// What it keeps of a move: its bits, its tallies, and whether something follows.
type KeptTwig = (u16, KeptTally, u64, bool);
/// What it keeps of a position: FEN, rules, tally and moves.
type KeptNode = (String, String, KeptTally, Vec<KeptTwig>);

fn kept_tally(tally: &tabiya::tree::Tally) -> KeptTally {
    let results = [tally.white, tally.draws, tally.black, tally.unknown];
    (results, tally.elo_sums, tally.elo_counts, tally.last_year)
}

fn restored_tally((results, elo_sums, elo_counts, last_year): KeptTally) -> tabiya::tree::Tally {
    let [white, draws, black, unknown] = results;
    tabiya::tree::Tally {
        white,
        draws,
        black,
        unknown,
        elo_sums,
        elo_counts,
        last_year,
    }
}

impl Grown {
    /// All positions, each before those that follow it: `pickle` cannot go as deep as trees are.
    fn keep(&self, kept: &mut Vec<KeptNode>) {
        let moves = self.moves.iter().map(|Twig { branch, next }| {
            let played = kept_tally(&branch.played);
            (
                branch.play.to_bits(),
                played,
                branch.reached,
                next.is_some(),
            )
        });
        kept.push((
            self.position.to_setup().to_shredder_fen(),
            self.position.variant().name().to_owned(),
            kept_tally(&self.total),
            moves.collect(),
        ));
        let following = self.moves.iter().filter_map(|twig| twig.next.as_ref());
        following.for_each(|next| next.keep(kept));
    }

    /// The first position that was kept, with all that follows it.
    fn restore(kept: &mut impl Iterator<Item = KeptNode>, depth: u32) -> PyResult<Grown> {
        let nothing = || usage("this is no pickled tree");
        // As deep as trees grow: a pickle shall not exhaust the stack.
        let depth = depth.checked_sub(1).ok_or_else(nothing)?;
        let (fen, variant, total, moves) = kept.next().ok_or_else(nothing)?;
        let variant = variant
            .parse()
            .map_err(|error| bad_value("variant", error))?;
        let position = from_fen(&fen, variant)?;
        let moves = moves.into_iter().map(|(bits, played, reached, follows)| {
            let play = tabiya::Move::from_bits(bits);
            if !position.is_legal(play) {
                return Err(nothing());
            }
            let next = follows.then(|| Grown::restore(kept, depth)).transpose()?;
            Ok(Twig {
                branch: tabiya::tree::Branch {
                    play,
                    played: restored_tally(played),
                    reached,
                },
                next: next.map(Arc::new),
            })
        });
        Ok(Grown {
            moves: moves.collect::<PyResult<_>>()?,
            position,
            total: restored_tally(total),
        })
    }
}

impl Tree {
    pub fn grow(
        database: &tabiya::Database,
        position: &tabiya::Position,
        depth: u32,
        min_games: u64,
    ) -> Result<Tree, Error> {
        let mut explorer = Explorer::new(position).depth(depth).min_games(min_games);
        explorer.add(database)?;
        Ok(Tree(Arc::new(explorer.finish()?.into())))
    }

    fn batch(&self) -> RecordBatch {
        let (before, moves) = (&self.0.position, &self.0.moves);
        let counts = |count: &dyn Fn(&tabiya::tree::Tally) -> u64| -> ArrayRef {
            let counts = moves.iter().map(|twig| count(&twig.branch.played) as i64);
            Arc::new(counts.collect::<Int64Array>())
        };
        let texts = |text: &dyn Fn(tabiya::Move) -> String| -> ArrayRef {
            let texts = moves.iter().map(|twig| Some(text(twig.branch.play)));
            Arc::new(texts.collect::<StringArray>())
        };
        let floats = |float: &dyn Fn(&tabiya::tree::Tally) -> Option<f64>| -> ArrayRef {
            let floats = moves.iter().map(|twig| float(&twig.branch.played));
            Arc::new(floats.collect::<Float64Array>())
        };
        let years = moves
            .iter()
            .map(|twig| twig.branch.played.last_year.map(i32::from));
        let reached = moves.iter().map(|twig| twig.branch.reached as i64);
        let columns: [(&str, ArrayRef); 12] = [
            ("uci", texts(&|play| before.uci(play).to_string())),
            ("san", texts(&|play| before.san(play).to_string())),
            ("games", counts(&|tally| tally.games())),
            ("white", counts(&|tally| tally.white)),
            ("draws", counts(&|tally| tally.draws)),
            ("black", counts(&|tally| tally.black)),
            ("unknown", counts(&|tally| tally.unknown)),
            ("reached", Arc::new(reached.collect::<Int64Array>())),
            ("score", floats(&|tally| tally.score())),
            ("average_elo", floats(&|tally| tally.average_elo())),
            (
                "performance",
                floats(&|tally| performance(tally, before.turn()).map(|elo| elo as f64)),
            ),
            ("last_year", Arc::new(years.collect::<Int32Array>())),
        ];
        RecordBatch::try_from_iter(columns).expect("columns are equally long")
    }
}

#[pymethods]
impl Tree {
    /// The position.
    #[getter]
    fn position(&self) -> Position {
        Position(self.0.position)
    }

    /// All games that have it.
    #[getter]
    fn total(&self) -> Tally {
        Tally(self.0.total)
    }

    /// The moves that were played, the most frequent first.
    #[getter]
    fn moves(&self) -> Vec<Branch> {
        let places = 0..self.0.moves.len();
        places
            .map(|place| Branch(Arc::clone(&self.0), place))
            .collect()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        Table::new(self.batch()).capsule(py, requested_schema)
    }

    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<KeptNode>,))> {
        let restore = py.get_type::<Tree>().getattr("_restore")?;
        let mut kept = Vec::new();
        self.0.keep(&mut kept);
        Ok((restore, (kept,)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kept: Vec<KeptNode>) -> PyResult<Tree> {
        let tree = Grown::restore(&mut kept.into_iter(), Explorer::DEPTH + 1)?;
        Ok(Tree(Arc::new(tree)))
    }

    fn __repr__(&self) -> String {
        format!(
            "Tree({} games, {} moves)",
            self.0.total.games(),
            self.0.moves.len()
        )
    }
}

/// A move that was played in a position, and how it went.
///
/// >>> import tabiya
/// >>> branch = tabiya.open("samples/famous.pgn").tree().moves[0]
/// >>> branch.san, branch.uci, branch.played.games
/// ('e4', 'e2e4', 16)
#[pyclass(frozen, module = "tabiya")]
pub struct Branch(Arc<Grown>, usize);

impl Branch {
    fn branch(&self) -> &tabiya::tree::Branch {
        &self.0.moves[self.1].branch
    }
}

#[pymethods]
impl Branch {
    /// The move.
    #[getter]
    fn r#move(&self) -> Move {
        Move::new(&self.0.position, Action::Move(self.branch().play))
    }

    /// The move in SAN.
    #[getter]
    fn san(&self) -> String {
        san(&self.0.position, Action::Move(self.branch().play))
    }

    /// The move in the notation of engines.
    #[getter]
    fn uci(&self) -> String {
        self.r#move().to_string()
    }

    /// The games in which it was played here.
    #[getter]
    fn played(&self) -> Tally {
        Tally(self.branch().played)
    }

    /// How many games have the position after it, from here or from elsewhere.
    #[getter]
    fn reached(&self) -> u64 {
        self.branch().reached
    }

    /// What was played then, as far as somebody asked for; None if nobody did.
    #[getter]
    fn next(&self) -> Option<Tree> {
        self.0.moves[self.1].next.clone().map(Tree)
    }

    /// The rating that the side to move has played like: the mean of its opponents' known ratings, and
    /// FIDE's difference for its score. None if nobody knows, or if more than one opponent in a hundred has
    /// no rating.
    #[getter]
    fn performance(&self) -> Option<i64> {
        performance(&self.branch().played, self.0.position.turn())
    }

    /// As a move of its tree: trees know how to be kept.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Tree, usize))> {
        let restore = py.get_type::<Branch>().getattr("_restore")?;
        Ok((restore, (Tree(Arc::clone(&self.0)), self.1)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(tree: &Bound<'_, Tree>, place: usize) -> PyResult<Branch> {
        let tree = &tree.get().0;
        match place < tree.moves.len() {
            true => Ok(Branch(Arc::clone(tree), place)),
            false => Err(usage("this is no pickled move: its tree has no such one")),
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "Branch({:?}, {} games)",
            self.san(),
            self.branch().played.games()
        )
    }
}

/// Games, and how they ended.
///
/// >>> import tabiya
/// >>> tabiya.open("samples/famous.pgn").tree().total
/// Tally(games=34, white=17, draws=2, black=15)
#[pyclass(frozen, module = "tabiya")]
pub struct Tally(tabiya::tree::Tally);

#[pymethods]
impl Tally {
    /// All of them.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games()
    }

    /// Those that White won.
    #[getter]
    fn white(&self) -> u64 {
        self.0.white
    }

    /// Draws.
    #[getter]
    fn draws(&self) -> u64 {
        self.0.draws
    }

    /// Those that Black won.
    #[getter]
    fn black(&self) -> u64 {
        self.0.black
    }

    /// Those of which nobody knows.
    #[getter]
    fn unknown(&self) -> u64 {
        self.0.unknown
    }

    /// White's score, from 0 to 1; None if no game has ended.
    #[getter]
    fn score(&self) -> Option<f64> {
        self.0.score()
    }

    /// The mean of all known ratings; None if none is known.
    #[getter]
    fn average_elo(&self) -> Option<f64> {
        self.0.average_elo()
    }

    /// The mean of the known ratings of a side; None if none is known.
    fn elo(&self, side: &str) -> PyResult<Option<f64>> {
        let side = crate::values::side("side", side)?;
        let (sum, count) = (
            self.0.elo_sums[side as usize],
            self.0.elo_counts[side as usize],
        );
        Ok((count > 0).then(|| sum as f64 / count as f64))
    }

    /// The year of the last one; None if none is known.
    #[getter]
    fn last_year(&self) -> Option<u16> {
        self.0.last_year
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (KeptTally,))> {
        let restore = py.get_type::<Tally>().getattr("_restore")?;
        Ok((restore, (kept_tally(&self.0),)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kept: KeptTally) -> Tally {
        Tally(restored_tally(kept))
    }

    fn __repr__(&self) -> String {
        let tabiya::tree::Tally {
            white,
            draws,
            black,
            ..
        } = self.0;
        format!(
            "Tally(games={}, white={white}, draws={draws}, black={black})",
            self.0.games()
        )
    }
}
