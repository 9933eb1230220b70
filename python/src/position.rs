//! A position.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString},
};
use tabiya::{Action, Color, Error, Square, Status, Variant};
use tabiya_chess::{Setup, Warning, chess960, diagram, perft};

use crate::{
    error::{bad_value, illegal, usage, warn},
    moves::{self, Move},
    values::{arguments, wrong_type},
    work::{self, Signal},
};

/// A position on the board. It never changes: `play` gives the next one.
///
/// >>> import tabiya
/// >>> start = tabiya.Position()
/// >>> start.play("e4").play("c5").fen
/// 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2'
/// >>> len(start.legal_moves)
/// 20
/// >>> tabiya.Position("8/8/8/8/8/5k2/6q1/7K w - - 0 1").status
/// 'checkmate'
///
/// In notebooks it shows itself as a board.
#[pyclass(frozen, eq, from_py_object, module = "tabiya")]
#[derive(Clone, Copy, PartialEq)]
pub struct Position(pub tabiya::Position);

impl Position {
    /// A position, or the FEN of one.
    pub fn read(name: &str, given: &Bound<'_, PyAny>) -> PyResult<tabiya::Position> {
        if let Ok(position) = given.extract::<Position>() {
            return Ok(position.0);
        }
        match given.cast::<PyString>() {
            Ok(fen) => given_fen(given.py(), fen.to_str()?, Variant::Standard),
            Err(_) => Err(wrong_type(name, "a Position or a FEN", given)),
        }
    }
}

/// The position of a FEN.
pub fn from_fen(fen: &str, variant: Variant) -> PyResult<tabiya::Position> {
    set_up(&parse(fen)?, variant)
}

/// The same of a FEN that somebody gives, who is warned of what is left out of it.
fn given_fen(py: Python<'_>, fen: &str, variant: Variant) -> PyResult<tabiya::Position> {
    let setup = parse(fen)?;
    let position = set_up(&setup, variant)?;
    warn_of_left_out(py, "fen", &setup, variant)?;
    Ok(position)
}

/// Tells what positions of a set-up do not have of it.
pub fn warn_of_left_out(
    py: Python<'_>,
    name: &str,
    setup: &Setup,
    variant: Variant,
) -> PyResult<()> {
    let has_castling = variant != Variant::Antichess;
    if !has_castling && !setup.castling_rooks.is_empty() {
        let words = "castling rights are left out: antichess has no castling";
        warn(py, &format!("{name}: {words}"))?;
    }
    for warning in setup.warnings() {
        let is_left_out = match warning {
            Warning::CastlingRight { .. } => has_castling,
            Warning::EnPassant { .. } => true,
            _ => false,
        };
        if is_left_out {
            warn(py, &format!("{name}: {warning}"))?;
        }
    }
    Ok(())
}

fn parse(fen: &str) -> PyResult<Setup> {
    fen.parse().map_err(|error| bad_value("fen", error))
}

fn set_up(setup: &Setup, variant: Variant) -> PyResult<tabiya::Position> {
    tabiya::Position::from_setup(setup, variant).map_err(|error| bad_value("fen", error))
}

#[pymethods]
impl Position {
    /// The position of a FEN, or the start of a game. Castling rights and an en-passant square that are
    /// impossible are left out and told by a UserWarning, one for each; and so are all castling rights of a
    /// FEN in antichess, which has no castling.
    #[new]
    #[pyo3(signature = (fen=None, *, variant="standard"))]
    fn new(py: Python<'_>, fen: Option<&str>, variant: &str) -> PyResult<Position> {
        let variant = variant
            .parse()
            .map_err(|error| bad_value("variant", error))?;
        match fen {
            Some(fen) => given_fen(py, fen, variant).map(Position),
            None => {
                let start = tabiya::Position::initial().with_variant(variant);
                start
                    .map(Position)
                    .map_err(|error| bad_value("variant", error))
            }
        }
    }

    /// The start of Chess960 with a number, 0 to 959; 518 is the usual one.
    #[staticmethod]
    fn chess960(#[pyo3(from_py_with = arguments::start_number)] number: u16) -> PyResult<Position> {
        let setup = chess960::setup(number, number);
        let setup = setup.ok_or_else(|| usage(format_args!("{number} is none of 0 to 959")))?;
        let start = tabiya::Position::from_setup(&setup, Variant::Chess960);
        start.map(Position).map_err(usage)
    }

    /// The position as FEN.
    #[getter]
    fn fen(&self) -> String {
        self.0.to_setup().to_string()
    }

    /// The rules: standard, chess960 or antichess.
    #[getter]
    fn variant(&self) -> &'static str {
        self.0.variant().name()
    }

    /// Who moves: white or black.
    #[getter]
    fn turn(&self) -> &'static str {
        color(self.0.turn())
    }

    /// All legal moves.
    ///
    /// >>> import tabiya
    /// >>> [str(move) for move in tabiya.Position("k7/8/1K6/8/8/8/8/7R b - - 0 1").legal_moves]
    /// ['a8b8']
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        moves::all(self, self.0.legal_moves().iter().copied())
    }

    /// The legal move that a text names, in SAN or as engines write it.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position().parse("e4")
    /// Move('e2e4')
    fn parse(&self, text: &Bound<'_, PyAny>) -> PyResult<Move> {
        let action = Move::read(&self.0, text)?;
        Ok(Move::new(&self.0, action))
    }

    /// A move in SAN: Nf3, exd5, O-O+.
    fn san(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(san(&self.0, Move::read(&self.0, r#move)?))
    }

    /// A move in the notation of engines: g1f3.
    fn uci(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        let action = Move::read(&self.0, r#move)?;
        Ok(Move::new(&self.0, action).to_string())
    }

    /// Whether a move, or a text that names one, is legal here. The null move is none.
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        match Move::read(&self.0, r#move) {
            Ok(action) => Ok(action != Action::Null),
            // Something else than a move is no answer to the question.
            Err(error) if error.is_instance_of::<PyTypeError>(r#move.py()) => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// The position after moves, one after the other; each a Move, or a text that names one. The null move,
    /// 0000 or --, passes the turn, which nobody may do in check: IllegalMoveError. Games may have it there all
    /// the same, as PGN may.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position().play("e4", "e5", "Nf3").turn
    /// 'black'
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<Bound<'_, PyAny>>) -> PyResult<Position> {
        let mut position = self.0;
        for given in &moves {
            match Move::read(&position, given)? {
                Action::Null if position.is_check() => {
                    return Err(illegal("nobody may pass while in check"));
                }
                action => position.act(action),
            }
        }
        Ok(Position(position))
    }

    /// Polyglot's key, from 0 to 2**64 - 1.
    ///
    /// >>> import tabiya
    /// >>> hex(tabiya.Position().key)
    /// '0x463b96181691fc9c'
    #[getter]
    fn key(&self) -> u64 {
        self.0.key().0
    }

    /// How the position stands: in progress, check, checkmate, stalemate, insufficient material. In antichess,
    /// where whoever has nothing left to move wins: in progress, "White has nothing left and wins", or the
    /// same of Black.
    #[getter]
    fn status(&self) -> String {
        self.0.status().to_string()
    }

    /// Whether the side to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        self.0.is_check()
    }

    /// Whether the side to move is mated.
    #[getter]
    fn is_checkmate(&self) -> bool {
        self.0.status() == Status::Checkmate
    }

    /// Whether the side to move has no move and is not in check. Never in antichess, where that side has won.
    #[getter]
    fn is_stalemate(&self) -> bool {
        self.0.status() == Status::Stalemate
    }

    /// Whether the game is over by the position alone.
    #[getter]
    fn is_end(&self) -> bool {
        self.0.status().is_end()
    }

    /// Castling rights, as FEN has them: KQkq, or -.
    #[getter]
    fn castling(&self) -> String {
        self.field(2)
    }

    /// The square that a pawn has just passed, whether it can be taken there or not; None if there is
    /// none. The column `en_passant` of `positions` has it only where a capture is legal.
    #[getter]
    fn en_passant(&self) -> Option<String> {
        self.0.ep_square().map(|square| square.to_string())
    }

    /// Plies since a capture or a pawn's move.
    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.0.halfmove_clock()
    }

    /// The number of the move, as FEN counts.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.0.fullmove_number()
    }

    /// Why no game comes here, in sentences; empty for positions that may be reached.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let warnings = self.0.to_setup().warnings();
        warnings.iter().map(ToString::to_string).collect()
    }

    /// The pieces by their squares, as FEN writes them.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Position("8/8/8/8/8/5k2/6q1/7K w - - 0 1").board
    /// {'h1': 'K', 'g2': 'q', 'f3': 'k'}
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let board = PyDict::new(py);
        for (square, piece) in self.0.board().iter() {
            board.set_item(square.to_string(), piece.letter())?;
        }
        Ok(board)
    }

    /// The piece on a square, as FEN writes it; None if it is empty.
    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        let square = read_square(square)?;
        Ok(self.0.board().piece_at(square).map(|piece| piece.letter()))
    }

    /// How many lines of so many plies there are: a check of move generators.
    fn perft(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::depth)] depth: u32,
    ) -> PyResult<u64> {
        // A greater depth could exhaust the stack before anything is counted.
        if depth > u8::MAX.into() {
            return Err(usage("depth: at most 255"));
        }
        let signal = Arc::new(Signal::default());
        work::run(py, &signal, None, || count(&self.0, depth, &signal))?.get()
    }

    /// The board as a picture, SVG.
    ///
    /// `last_move` is marked. `arrows` are pairs of squares, `squares` single ones, each with a colour
    /// letter before it if one is wanted, as in PGN: "Ge2e4", "Rd5". Letters are R, G, B and Y; others
    /// mean what no letter means, which is green.
    #[pyo3(signature = (*, flipped=false, last_move=None, arrows=Vec::new(), squares=Vec::new()))]
    fn svg(
        &self,
        flipped: bool,
        last_move: Option<Move>,
        #[pyo3(from_py_with = arguments::arrows)] arrows: Vec<String>,
        #[pyo3(from_py_with = arguments::squares)] squares: Vec<String>,
    ) -> PyResult<String> {
        let board = *self.0.board();
        let mut svg = diagram::Svg::new(&board).bottom(match flipped {
            true => Color::Black,
            false => Color::White,
        });
        if let Some(play) = last_move.and_then(|given| given.action.to_move()) {
            svg = svg.last_move(play);
        }
        if let (true, Some(king)) = (self.0.is_check(), board.king(self.0.turn())) {
            svg = svg.check(king);
        }
        for text in &squares {
            let (rgb, rest) = ink(text);
            svg = svg.circle(read_square(rest)?, rgb);
        }
        for text in &arrows {
            let (rgb, rest) = ink(text);
            let (from, to) = rest
                .split_at_checked(2)
                .ok_or_else(|| bad_value("arrows", format_args!("{text} has no two squares")))?;
            svg = svg.arrow(read_square(from)?, read_square(to)?, rgb);
        }
        Ok(svg.to_string())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(false, None, Vec::new(), Vec::new())
    }

    fn __str__(&self) -> String {
        diagram::ascii(self.0.board(), Color::White).to_string()
    }

    fn __repr__(&self) -> String {
        match self.0.variant() {
            Variant::Standard => format!("Position('{}')", self.fen()),
            variant => format!("Position('{}', variant='{variant}')", self.fen()),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, &'static str))> {
        let restore = py.get_type::<Position>().getattr("_restore")?;
        Ok((
            restore,
            (self.0.to_setup().to_shredder_fen(), self.variant()),
        ))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(fen: &str, variant: &str) -> PyResult<Position> {
        let variant = variant
            .parse()
            .map_err(|error| bad_value("variant", error))?;
        from_fen(fen, variant).map(Position)
    }
}

impl Position {
    fn field(&self, place: usize) -> String {
        let fen = self.fen();
        fen.split(' ').nth(place).unwrap_or("-").to_owned()
    }
}

/// Counts lines of moves, until the work shall end.
fn count(position: &tabiya::Position, depth: u32, signal: &Signal) -> Result<u64, Error> {
    /// What takes no time.
    const QUICK: u32 = 4;
    signal.check()?;
    if depth <= QUICK {
        return Ok(perft(position, depth));
    }
    let mut lines = 0;
    for play in &position.legal_moves() {
        let mut next = *position;
        next.act(Action::Move(*play));
        lines += count(&next, depth - 1, signal)?;
    }
    Ok(lines)
}

/// A move as SAN; of the null move, what PGN has for it.
pub fn san(before: &tabiya::Position, action: Action) -> String {
    match action {
        Action::Move(play) => before.san(play).to_string(),
        Action::Null => "--".to_owned(),
    }
}

/// `white` or `black`.
pub const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn read_square(text: &str) -> PyResult<Square> {
    text.parse().map_err(|error| bad_value("square", error))
}

/// The colour that a letter before squares names, and the squares. Programs have letters of their own,
/// whose colours nobody knows: they are drawn like those without one.
fn ink(text: &str) -> ([u8; 3], &str) {
    const GREEN: [u8; 3] = [0x15, 0x78, 0x1b];
    let rgb = match text.as_bytes().first() {
        Some(b'R') => [0xc0, 0x39, 0x2b],
        Some(b'B') => [0x1f, 0x6f, 0xb5],
        Some(b'Y') => [0xd8, 0x9b, 0x00],
        Some(b'A'..=b'Z') => GREEN,
        _ => return (GREEN, text),
    };
    (rgb, &text[1..])
}
