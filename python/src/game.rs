//! A game.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, OnceLock},
};

use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyBytes, PyMapping, PyString, PyTuple},
};
use tabiya::{Action, GameResult, GameState, GameTree, Item, Place, Setup, Variant};
use tabiya_formats::{
    jose::Profile,
    pgn::{Parser, WriteOptions, Writer},
    stream::{StreamCodec, Streams},
};
use tabiya_game::Losses;

use crate::{
    annotation::GameError,
    error::{bad_value, illegal, usage, warn},
    moves::Move,
    node::{Node, NodeIterator},
    nodes::{Id, Nodes},
    position::{Position, from_fen, san},
    tags::{TagSource, Tags, date, from_pairs},
    values::{arguments, pick},
    work::{self, Signal},
};

/// A game: tags, moves, variations, and what is said about them. It never changes.
///
/// >>> import tabiya
/// >>> game = tabiya.Game.from_pgn('[White "Morphy"]\n\n1. e4 e5 2. Nf3 d6 1-0')
/// >>> game.white, game.result, len(game)
/// ('Morphy', '1-0', 4)
/// >>> game.san
/// ['e4', 'e5', 'Nf3', 'd6']
/// >>> [node.san for node in game if node.turn == "white"]
/// ['e4', 'Nf3']
/// >>> game.end.fen
/// 'rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3'
///
/// As a sequence it has the moves of its main line, each a Node; those of plies that the game leaves out
/// have no move, and `san`, `uci`, `moves`, `positions` and `end` stop before the first of them. In
/// notebooks it shows itself as a board with its moves.
///
/// `tags` have what is written: a name that nobody knows is "?" there, and None in `white`. The same goes
/// for `black`, `event`, `site`, `date`, `round` and `eco`, of hits, and for the columns of tables.
#[pyclass(frozen, module = "tabiya")]
pub struct Game(pub Arc<Inner>);

/// A game, and its tree once somebody has asked for it.
pub struct Inner {
    pub tree: GameTree,
    nodes: OnceLock<Nodes>,
}

impl Inner {
    /// The tree of moves.
    pub fn nodes(&self) -> &Nodes {
        self.nodes.get_or_init(|| Nodes::of(&self.tree))
    }

    /// Whether two games are the same, wherever they stand.
    pub fn is_same(&self, other: &Inner) -> bool {
        let (one, other) = (&self.tree, &other.tree);
        std::ptr::eq(one, other)
            || one.tags == other.tags
                && one.start == other.start
                && one.result == other.result
                && one.state == other.state
                && one.items.len() == other.items.len()
                && one.items.iter().zip(&other.items).all(are_same)
    }

    /// Equal for games that are the same.
    pub fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for tag in self.tree.tags.iter() {
            tag.hash(&mut hasher);
        }
        for item in &self.tree.items {
            if let Item::Move(play) = item {
                play.hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

/// Whether two items are the same; of what is broken, wherever it stands.
fn are_same(items: (&Item, &Item)) -> bool {
    match items {
        (
            Item::Error {
                kind, message, raw, ..
            },
            Item::Error {
                kind: other_kind,
                message: other_message,
                raw: other_raw,
                ..
            },
        ) => (kind, message, raw) == (other_kind, other_message, other_raw),
        (one, other) => one == other,
    }
}

impl From<GameTree> for Game {
    fn from(tree: GameTree) -> Game {
        Game(Arc::new(Inner {
            tree,
            nodes: OnceLock::new(),
        }))
    }
}

impl Game {
    fn tree(&self) -> &GameTree {
        &self.0.tree
    }

    fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        let nodes = self.0.nodes();
        nodes.line(nodes.get(0).next)
    }

    /// The game as PGN, and what PGN cannot hold of it.
    fn write(&self, py: Python<'_>, options: WriteOptions) -> PyResult<(String, Losses)> {
        work::run_unwatched(py, || {
            let mut writer = Writer::new(options);
            self.tree().tell(&mut writer);
            let text = String::from_utf8_lossy(&writer.take()).into_owned();
            Ok((text, writer.take_losses()))
        })
    }
}

#[pymethods]
impl Game {
    /// A game of moves: a list of Moves or texts, or a text of moves as PGN has it, without tags.
    ///
    /// It begins at `start`, or where the tag FEN says, as PGN is read, and ends with `result`, or as the
    /// moves and the tag Result say, which `result` replaces. Null moves are taken wherever they stand, in
    /// check too, as PGN has them.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Game("1. e4 e5 2. Nf3", tags={"White": "Réti"}).end.turn
    /// 'black'
    /// >>> tabiya.Game(["d4", "d7d5"], result="1/2-1/2").san
    /// ['d4', 'd5']
    #[new]
    #[pyo3(signature = (moves=None, *, tags=None, start=None, result=None))]
    fn new(
        moves: Option<&Bound<'_, PyAny>>,
        tags: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
        result: Option<&str>,
    ) -> PyResult<Game> {
        let mut tree = begin(tags, start)?;
        match moves {
            Some(moves) if moves.is_instance_of::<PyString>() => {
                let text: &str = moves.extract()?;
                play_text(text, &mut tree)?;
            }
            Some(moves) => play_all(moves, &mut tree)?,
            None => {}
        }
        settle(&mut tree, result)?;
        Ok(tree.into())
    }

    /// The first game of a text in PGN.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Game.from_pgn('[White "Réti"]\n\n1. Nf3 d5 *').white
    /// 'Réti'
    #[staticmethod]
    fn from_pgn(py: Python<'_>, text: &str) -> PyResult<Game> {
        let tree = work::run_unwatched(py, || {
            let mut tree = GameTree::default();
            Ok(Parser::new(text).read_game(&mut tree).then_some(tree))
        })?;
        let tree = tree.ok_or_else(|| usage("there is no game in this text"))?;
        Ok(tree.into())
    }

    /// All games of a text in PGN.
    #[staticmethod]
    fn all_from_pgn(py: Python<'_>, text: &str) -> PyResult<Vec<Game>> {
        let signal = Arc::new(Signal::default());
        let trees = work::run(py, &signal, None, || {
            let (mut parser, mut trees) = (Parser::new(text), Vec::new());
            while parser.read_game(&mut trees) {
                signal.check()?;
            }
            Ok(trees)
        })?;
        Ok(trees.get()?.into_iter().map(Game::from).collect())
    }

    /// The game as PGN. What PGN cannot hold, such as the language of a comment, is left out and told by
    /// a UserWarning, one for each kind of thing. `str(game)` is the same without a word about it.
    ///
    /// >>> import tabiya
    /// >>> print(tabiya.Game("1. e4 {!} e5").to_pgn().splitlines()[-1])
    /// <BLANKLINE>
    /// >>> tabiya.Game("1. e4 e5").to_pgn().split()[-4:]
    /// ['1.', 'e4', 'e5', '*']
    #[pyo3(signature = (*, columns=Some(80), comments=true, variations=true, nags=true),
           text_signature = "($self, *, columns=80, comments=True, variations=True, nags=True)")]
    fn to_pgn(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::width)] columns: Option<usize>,
        comments: bool,
        variations: bool,
        nags: bool,
    ) -> PyResult<String> {
        let options = WriteOptions {
            columns,
            comments,
            variations,
            nags,
            keep_raw: true,
        };
        let (text, losses) = self.write(py, options)?;
        for (kind, count, first) in losses.iter() {
            let (kind, what) = (kind.name(), &first.what);
            let words = format!("PGN cannot hold all of this game: {kind} ({count}): {what}");
            warn(py, &words)?;
        }
        Ok(text)
    }

    /// The same for python-chess: a `chess.pgn.Game`. Needs the package `chess`. What it has no place for is
    /// left out and told by a UserWarning, one for each kind of thing: tags that are there twice, the
    /// languages of comments and how many there are on a move, the order of glyphs. Annotations, such as
    /// medals and training, are commands in comments, as in PGN.
    fn to_chess<'py>(slf: &Bound<'py, Game>) -> PyResult<Bound<'py, PyAny>> {
        let module = PyModule::import(slf.py(), "tabiya._chess")?;
        module.call_method1("to_chess", (slf,))
    }

    /// The same of python-chess: a `chess.pgn.Game`.
    #[staticmethod]
    fn from_chess<'py>(game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let module = PyModule::import(game.py(), "tabiya._chess")?;
        module.call_method1("from_chess", (game,))
    }

    /// The same game with other tags: values are set where tags stand, new ones come last, and None
    /// removes one. The tag Result says how the game ended, too; without it, the game ended as before.
    ///
    /// >>> import tabiya
    /// >>> game = tabiya.Game("1. e4", tags={"White": "Tal,M", "Round": "1"})
    /// >>> dict(game.with_tags({"White": "Tal, Mikhail", "Round": None}).tags)
    /// {'White': 'Tal, Mikhail'}
    fn with_tags(&self, tags: &Bound<'_, PyMapping>) -> PyResult<Game> {
        let mut tree = self.tree().clone();
        for (name, value) in tags.items()?.extract::<Vec<(String, Option<String>)>>()? {
            if let "FEN" | "SetUp" | "Variant" = name.as_str() {
                return Err(bad_value(&name, "a game starts where it starts"));
            }
            let Some(value) = value else {
                let kept = tree.tags.iter().filter(|(known, _)| *known != name);
                tree.tags = kept.collect();
                continue;
            };
            if name == "Result" {
                tree.result = value.parse().map_err(|error| bad_value(&name, error))?;
            }
            tree.tags.set(&name, value);
        }
        Ok(tree.into())
    }

    /// The tags, as a mapping in their order.
    #[getter]
    fn tags(&self) -> Tags {
        Tags(TagSource::Game(Arc::clone(&self.0)))
    }

    /// The event; None if nobody says.
    #[getter]
    fn event(&self) -> Option<&str> {
        self.tree().tags.event()
    }

    /// The site; None if nobody says.
    #[getter]
    fn site(&self) -> Option<&str> {
        self.tree().tags.site()
    }

    /// The day as it is written, 1921.??.??, in the tag Date or, as servers have it, UTCDate; None if nobody
    /// says.
    #[getter]
    fn date(&self) -> Option<&str> {
        date(&self.tree().tags)
    }

    /// The round; None if nobody says.
    #[getter]
    fn round(&self) -> Option<&str> {
        self.tree().tags.round()
    }

    /// White's name; None if nobody says.
    #[getter]
    fn white(&self) -> Option<&str> {
        self.tree().tags.white()
    }

    /// Black's name; None if nobody says.
    #[getter]
    fn black(&self) -> Option<&str> {
        self.tree().tags.black()
    }

    /// White's rating; None if nobody says.
    #[getter]
    fn white_elo(&self) -> Option<u16> {
        self.tree().tags.white_elo()
    }

    /// Black's rating; None if nobody says.
    #[getter]
    fn black_elo(&self) -> Option<u16> {
        self.tree().tags.black_elo()
    }

    /// The code of the opening; None if nobody says.
    #[getter]
    fn eco(&self) -> Option<&str> {
        self.tree().tags.eco()
    }

    /// How it ended: 1-0, 0-1, 1/2-1/2 or *, and +:-, -:+, -:- for games that were not played.
    #[getter]
    fn result(&self) -> &'static str {
        self.tree().result.tag()
    }

    /// The number of the game in its file, from 1; None of a game that was read of no file.
    #[getter]
    fn number(&self) -> Option<u64> {
        let number = self.tree().place.number;
        (number > 0).then_some(number)
    }

    /// The byte of its file at which it begins.
    #[getter]
    fn offset(&self) -> u64 {
        self.tree().place.offset
    }

    /// Whether something of it could not be read; `errors` says what.
    #[getter]
    fn is_broken(&self) -> bool {
        self.tree().state == GameState::Broken
    }

    /// What could not be read.
    #[getter]
    fn errors(&self) -> Vec<GameError> {
        self.tree().items.iter().filter_map(GameError::of).collect()
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> Position {
        Position(self.tree().start)
    }

    /// The position at the end of the main line. Where the game leaves a ply out, nobody knows what
    /// follows: it is the last position before that, though iterating the game and `len` go on.
    #[getter]
    fn end(&self) -> Position {
        let mut end = self.tree().start;
        for (before, action) in self.tree().main_line() {
            end = before;
            end.act(action);
        }
        Position(end)
    }

    /// The node before the first move.
    #[getter]
    fn root(&self) -> Node {
        Node::new(&self.0, 0)
    }

    /// The moves of the main line, up to the first ply that the game leaves out.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        let line = self.tree().main_line();
        line.map(|(before, action)| Move::new(&before, action))
            .collect()
    }

    /// The moves of the main line in SAN, up to the first ply that the game leaves out.
    #[getter]
    fn san(&self) -> Vec<String> {
        let line = self.tree().main_line();
        line.map(|(before, action)| san(&before, action)).collect()
    }

    /// The moves of the main line in the notation of engines, up to the first ply that the game leaves
    /// out.
    #[getter]
    fn uci(&self) -> Vec<String> {
        let line = self.tree().main_line();
        line.map(|(before, action)| match action {
            Action::Move(play) => before.uci(play).to_string(),
            Action::Null => "0000".to_owned(),
        })
        .collect()
    }

    /// The positions of the main line, the start first, up to the first ply that the game leaves out.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start()];
        positions.extend(self.tree().main_line().map(|(mut position, action)| {
            position.act(action);
            Position(position)
        }));
        positions
    }

    fn __len__(&self) -> usize {
        self.ids().count()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __iter__(&self) -> NodeIterator {
        NodeIterator::new(&self.0, self.0.nodes().get(0).next)
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ids: Vec<Id> = self.ids().collect();
        let nodes = ids.into_iter().rev().map(|id| Node::new(&self.0, id));
        let nodes = nodes.collect::<Vec<_>>().into_bound_py_any(py)?;
        Ok(nodes.try_iter()?.into_any())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ids: Vec<Id> = self.ids().collect();
        let node = |at: usize| Node::new(&self.0, ids[at]);
        pick(py, "ply", place, ids.len(), node)
    }

    fn __eq__(&self, other: PyRef<'_, Game>) -> bool {
        self.0.is_same(&other.0)
    }

    fn __hash__(&self) -> u64 {
        self.0.hash()
    }

    /// For people to look at: what is left out is not told.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let options = WriteOptions {
            keep_raw: true,
            ..WriteOptions::default()
        };
        Ok(self.write(py, options)?.0)
    }

    fn __repr__(&self) -> String {
        let (white, black) = (self.white().unwrap_or("?"), self.black().unwrap_or("?"));
        let plies = self.tree().main_line().count();
        format!(
            "Game({white:?}, {black:?}, '{}', {plies} plies)",
            self.result()
        )
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Game>) -> PyResult<Bound<'py, PyAny>> {
        let module = PyModule::import(slf.py(), "tabiya._html")?;
        module.call_method1("game", (slf,))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.get_type::<Game>().getattr("_restore")?;
        let tree = self.tree();
        let mut losses = Losses::default();
        let streams = Profile::Store.encode(tree, &mut losses);
        let streams =
            streams.map_err(|error| usage(format_args!("it cannot be pickled: {error}")))?;
        if let Some((kind, _, first)) = losses.iter().next() {
            let (kind, what) = (kind.name(), &first.what);
            let words = format_args!("it cannot be pickled without losing {kind}: {what}");
            return Err(usage(words));
        }
        let pairs: Vec<(&str, &str)> = tree.tags.iter().collect();
        let start = (
            tree.start.to_setup().to_shredder_fen(),
            tree.start.variant().name(),
        );
        let end = (self.result(), tree.state == GameState::Broken);
        // Of what is broken, the moves keep only where it first stood.
        let errors = tree.items.iter().filter_map(|item| match item {
            Item::Error { place, first, .. } => Some((kept(*place), first.map(kept))),
            _ => None,
        });
        let errors: Vec<(KeptPlace, Option<KeptPlace>)> = errors.collect();
        let places = (kept(tree.place), errors);
        let kept = (pairs, start, PyBytes::new(py, &streams.main), end, places);
        Ok((restore, kept.into_pyobject(py)?))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(
        tags: Vec<(String, String)>,
        start: (String, String),
        moves: Vec<u8>,
        end: (String, bool),
        places: (KeptPlace, Vec<(KeptPlace, Option<KeptPlace>)>),
    ) -> PyResult<Game> {
        let variant = start
            .1
            .parse()
            .map_err(|error| bad_value("variant", error))?;
        let start = from_fen(&start.0, variant)?;
        let mut tree = GameTree::default();
        let decoded = Profile::Store.decode(&Streams::from(moves), &start, &mut tree);
        decoded.map_err(|error| usage(format_args!("this is no pickled game: {error}")))?;
        let (own, errors) = places;
        let mut errors = errors.into_iter();
        for item in &mut tree.items {
            if let Item::Error { place, first, .. } = item
                && let Some((stands, stood)) = errors.next()
            {
                (*place, *first) = (restored(stands), stood.map(restored));
            }
        }
        tree.tags = from_pairs(&tags);
        tree.start = start;
        tree.result = end.0.parse().map_err(|error| bad_value("result", error))?;
        tree.state = match end.1 {
            true => GameState::Broken,
            false => GameState::Complete,
        };
        tree.place = restored(own);
        Ok(tree.into())
    }
}

/// What `pickle` keeps of a place.
type KeptPlace = (u64, u64, u64, u32);

fn kept(place: Place) -> KeptPlace {
    (place.number, place.offset, place.line, place.column)
}

fn restored((number, offset, line, column): KeptPlace) -> Place {
    Place {
        offset,
        line,
        column,
        number,
    }
}

/// A game without moves, whose tags say where it starts, if it does so elsewhere than usual.
pub fn begin(
    tags: Option<&Bound<'_, PyAny>>,
    start: Option<&Bound<'_, PyAny>>,
) -> PyResult<GameTree> {
    let mut tree = with_tags(tags)?;
    let tagged = tagged_start(&tree.tags)?;
    let given = start
        .map(|start| Position::read("start", start))
        .transpose()?;
    // Without the tag FEN, only the rules are told.
    let is_told = tree.tags.get("FEN").is_some();
    let differ = |given: &tabiya::Position, tagged: &Tagged| match is_told {
        true => *given != tagged.read && *given != tagged.written,
        false => given.variant() != tagged.read.variant(),
    };
    tree.start = match (given, tagged) {
        (Some(given), Some(tagged)) if differ(&given, &tagged) => {
            let words = "the tags FEN and Variant say something else: leave one of them out";
            return Err(bad_value("start", words));
        }
        (Some(given), _) => given,
        (None, tagged) => tagged.map_or(tabiya::Position::initial(), |tagged| tagged.read),
    };
    tag_start(&mut tree);
    // PGN wants it beside a FEN, and readers look for it.
    if tree.tags.get("FEN").is_some() && tree.tags.get("SetUp").is_none() {
        tree.tags.push("SetUp", "1");
    }
    Ok(tree)
}

/// The same with no other tags than those that are given, if one of them is a FEN. It starts as that is
/// written.
pub fn begin_as_tagged(tags: &Bound<'_, PyAny>) -> PyResult<GameTree> {
    let mut tree = with_tags(Some(tags))?;
    if let Some(tagged) = tagged_start(&tree.tags)? {
        tree.start = tagged.written;
    }
    tag_start(&mut tree);
    Ok(tree)
}

fn with_tags(tags: Option<&Bound<'_, PyAny>>) -> PyResult<GameTree> {
    let mut tree = GameTree::default();
    for (name, value) in tags.map_or(Ok(Vec::new()), tag_pairs)? {
        tree.tags.push(name, value);
    }
    Ok(tree)
}

/// Where tags say that a game starts.
struct Tagged {
    /// As PGN is read, where a start of Chess960 has all castling rights if its FEN has none.
    read: tabiya::Position,
    /// As the FEN has it, to the letter.
    written: tabiya::Position,
}

fn tagged_start(tags: &tabiya::Tags) -> PyResult<Option<Tagged>> {
    if tags.get("FEN").is_none() && tags.get("Variant").is_none() {
        return Ok(None);
    }
    let mut text = String::new();
    for name in ["Variant", "SetUp", "FEN"] {
        let Some(value) = tags.get(name) else {
            continue;
        };
        if value.contains(['"', '\\', '\n', '\r']) {
            return Err(bad_value(name, format_args!("{value:?} is none")));
        }
        text += &format!("[{name} \"{value}\"]\n");
    }
    let mut game = GameTree::default();
    Parser::new(&(text + "\n*\n")).read_game(&mut game);
    if let Some(error) = game.items.iter().find_map(GameError::of) {
        return Err(bad_value("tags", error.message()));
    }
    let read = game.start;
    let setup = tags.get("FEN").and_then(|fen| fen.parse::<Setup>().ok());
    let written = match setup {
        Some(setup) if setup.castling_rooks.is_empty() && setup.board == read.to_setup().board => {
            let without = Setup {
                castling_rooks: setup.castling_rooks,
                ..read.to_setup()
            };
            tabiya::Position::from_setup(&without, read.variant()).unwrap_or(read)
        }
        _ => read,
    };
    Ok(Some(Tagged { read, written }))
}

/// Plays a text of moves, in which nothing may be broken.
fn play_text(text: &str, tree: &mut GameTree) -> PyResult<()> {
    let start = tree.start;
    let mut text = text.to_owned();
    let mut own_tags = 0;
    if start != tabiya::Position::initial() {
        let fen = start.to_setup().to_shredder_fen();
        let variant = start.variant();
        text = format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{text}");
        own_tags = 3;
    }
    let (mut parser, mut games) = (Parser::new(&text), Vec::<GameTree>::new());
    while games.len() < 2 && parser.read_game(&mut games) {}
    let (played, is_one) = match games.len() {
        0 => return Ok(()),
        count => (games.swap_remove(0), count == 1),
    };
    if !is_one || played.tags.len() > own_tags {
        let words = "expected the moves of one game, without tags: Game.from_pgn reads those";
        return Err(bad_value("moves", words));
    }
    if let Some(error) = played.items.iter().find_map(GameError::of) {
        return Err(illegal(error.message()));
    }
    if played.start != start {
        // A start of Chess960 without any, for one: PGN means all of them there.
        let words = "a text would change the castling rights of the start: give a list of moves";
        return Err(bad_value("moves", words));
    }
    (tree.items, tree.result) = (played.items, played.result);
    Ok(())
}

/// Games that start elsewhere say so in their tags, unless one of them is a FEN.
fn tag_start(tree: &mut GameTree) {
    if tree.start == tabiya::Position::initial() || tree.tags.get("FEN").is_some() {
        return;
    }
    match tree.start.variant() {
        _ if tree.tags.get("Variant").is_some() => {}
        Variant::Standard => {}
        Variant::Chess960 => tree.tags.push("Variant", "Chess960"),
        Variant::Antichess => tree.tags.push("Variant", "Antichess"),
    }
    tree.tags.push("SetUp", "1");
    tree.tags.push("FEN", tree.start.to_setup().to_string());
}

/// How a game ends: as it is given, or as moves and tags say it, which may not contradict each other. A tag
/// that is there says the same then.
pub fn settle(tree: &mut GameTree, given: Option<&str>) -> PyResult<()> {
    let tagged = tree.tags.result();
    let is_tagged = tree.tags.get("Result").is_some();
    tree.result = match (given, tree.result, tagged) {
        (Some(given), ..) => given.parse().map_err(|error| bad_value("result", error))?,
        (None, played, None | Some(GameResult::Unknown)) => played,
        (None, played, Some(tagged))
            if played == GameResult::Unknown || played.token() == tagged.token() =>
        {
            tagged
        }
        (None, played, Some(tagged)) => {
            let (played, tagged) = (played.token(), tagged.tag());
            let words = format!("the moves end in {played}, and the tag Result says {tagged}");
            return Err(bad_value("tags", words));
        }
    };
    if is_tagged && tagged != Some(tree.result) {
        tree.tags.set("Result", tree.result.tag());
    }
    Ok(())
}

/// Plays one move after the other.
fn play_all(moves: &Bound<'_, PyAny>, tree: &mut GameTree) -> PyResult<()> {
    let mut position = tree.start;
    for given in moves.try_iter()? {
        let action = Move::read(&position, &given?)?;
        position.act(action);
        tree.items.push(match action {
            Action::Move(play) => Item::Move(play),
            Action::Null => Item::Null,
        });
    }
    Ok(())
}

/// Names and values of a mapping, or of a list of pairs. Those of another game may be there twice, of which
/// a mapping shows one.
pub fn tag_pairs(tags: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    if let Ok(tags) = tags.cast::<Tags>() {
        return Ok(tags.get().all());
    }
    match tags.cast::<PyMapping>() {
        Ok(mapping) => mapping.items()?.extract(),
        Err(_) => tags.try_iter()?.map(|pair| pair?.extract()).collect(),
    }
}
