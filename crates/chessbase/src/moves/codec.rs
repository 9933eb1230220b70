//! Bare records, as `tabiya encode`, `decode` and `dump` take them.

use tabiya_chess::Position;
use tabiya_game::{Event, Flow, GameResult, GameSink, GameTree, Listener, Losses, Place};

use super::{
    decode::{Scope, StoredGame},
    encode::Recorder,
    error::ErrorKind,
    explain,
    mode::Mode,
};
use tabiya_formats::{
    dump::Dump,
    stream::{StreamCodec, StreamError, StreamPlace, Streams},
};

/// One record of a `.cbg` file at a time. A record says itself where its game starts, so the start
/// that a reader is given does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Codec {
    /// The mode to write in where the rules allow it, if not the usual one.
    pub mode: Option<Mode>,
}

fn stream_error(kind: ErrorKind, place: StreamPlace) -> StreamError {
    StreamError {
        name: kind.name(),
        place,
        message: kind.to_string(),
    }
}

impl StreamCodec for Codec {
    fn encode(&self, game: &GameTree, losses: &mut Losses) -> Result<Streams, StreamError> {
        let mut recorder = self.mode.map_or_else(Recorder::default, Recorder::in_mode);
        game.tell(&mut recorder);
        let mut record = Vec::new();
        let written = recorder.write(&mut record);
        written.map_err(|kind| stream_error(kind, StreamPlace::Ply(0)))?;
        losses.append(recorder.take_losses());
        Ok(record.into())
    }

    fn decode(
        &self,
        streams: &Streams,
        _: &Position,
        sink: &mut dyn GameSink,
    ) -> Result<(), StreamError> {
        let mut game = StoredGame::default();
        let read = game.read(&streams.main, Scope::All);
        let sink = &mut Listener::new(sink);
        let needs = sink.needs();
        let mut flow = sink.event(Event::GameStart(Place::at_byte(0)));
        if flow != Flow::SkipGame && needs.moves {
            flow = sink.event(Event::Start(game.start()));
        }
        if flow != Flow::SkipGame {
            game.tell(sink, 0, &mut ());
        }
        sink.event(Event::GameEnd {
            result: GameResult::Unknown,
            state: game.state(),
        });
        read.map_err(|error| stream_error(error.kind, StreamPlace::Byte(error.offset as u64)))
    }

    fn explain(&self, streams: &Streams, _: &Position) -> Dump {
        explain(&streams.main, 0)
    }
}
