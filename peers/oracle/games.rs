//! Real games as the rivals read them: pgn-reader for the text, shakmaty for the moves.

use std::{fs::File, io, ops::ControlFlow};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Move, Position as _, fen::Fen};
use tabiya_peers::data;

/// The main line of a game.
pub struct Game {
    pub start: Chess,
    pub moves: Vec<Move>,
}

/// The games of `pgn/NAME.pgn.zst` that shakmaty finds legal to the end.
pub fn load(name: &str) -> Option<Vec<Game>> {
    let path = data::folder()?.join("pgn").join(format!("{name}.pgn.zst"));
    let file = File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let text = zstd::Decoder::new(file).expect("zstd");
    let mut reader = Reader::new(io::BufReader::new(text));
    let mut collector = Collector;
    let games = reader.read_games(&mut collector);
    Some(
        games
            .filter_map(|game| game.expect("readable text"))
            .collect(),
    )
}

struct Collector;

struct Playing {
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
}

impl Visitor for Collector {
    type Tags = Option<Fen>;
    type Movetext = Playing;
    type Output = Option<Game>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            *tags = Fen::from_ascii(value.as_bytes()).ok();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        let start = match tags {
            None => Chess::default(),
            Some(fen) => match fen.into_position(CastlingMode::Chess960) {
                Ok(start) => start,
                Err(_) => return ControlFlow::Break(None),
            },
        };
        ControlFlow::Continue(Playing {
            position: start.clone(),
            start,
            moves: Vec::new(),
        })
    }

    fn begin_variation(&mut self, _: &mut Playing) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, game: &mut Playing, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(play) = san.san.to_move(&game.position) else {
            return ControlFlow::Break(None);
        };
        game.position.play_unchecked(play);
        game.moves.push(play);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Playing) -> Self::Output {
        Some(Game {
            start: game.start,
            moves: game.moves,
        })
    }
}
