//! Bare words as streams.

use tabiya_chess::Position;
use tabiya_game::{
    Event, Flow, GameResult, GameSink, GameState, GameTree, Listener, Losses, Place,
};

use super::{
    explain::{self, Explain},
    units::{self, Units, tell_error},
    word::Layout,
    word24::Cmbr24,
    writer::{encode, stream_error},
};
use crate::{
    dump::Dump,
    stream::{StreamCodec, StreamError, StreamPlace, Streams},
};

/// Words of 16 bits, the high byte first.
impl StreamCodec for Layout {
    fn encode(&self, game: &GameTree, losses: &mut Losses) -> Result<Streams, StreamError> {
        encode(self, game, losses)
    }

    fn decode(
        &self,
        streams: &Streams,
        start: &Position,
        sink: &mut dyn GameSink,
    ) -> Result<(), StreamError> {
        decode(self, streams, start, sink)
    }

    fn explain(&self, streams: &Streams, start: &Position) -> Dump {
        explain_words(self, streams, start)
    }
}

/// Words of 24 bits, the low byte first. Glyphs have words of their own; a pointer to a variation
/// is told as a raw annotation, because a bare stream does not hold the variation.
impl StreamCodec for Cmbr24 {
    fn encode(&self, game: &GameTree, losses: &mut Losses) -> Result<Streams, StreamError> {
        encode(self, game, losses)
    }

    fn decode(
        &self,
        streams: &Streams,
        start: &Position,
        sink: &mut dyn GameSink,
    ) -> Result<(), StreamError> {
        decode(self, streams, start, sink)
    }

    fn explain(&self, streams: &Streams, start: &Position) -> Dump {
        explain_words(self, streams, start)
    }
}

fn decode<U: Units>(
    words: &U,
    streams: &Streams,
    start: &Position,
    sink: &mut dyn GameSink,
) -> Result<(), StreamError> {
    let sink = &mut Listener::new(sink);
    let needs = sink.needs();
    let mut flow = sink.event(Event::GameStart(Place::at_byte(0)));
    let mut told = Ok(());
    if flow == Flow::Continue && needs.moves {
        flow = sink.event(Event::Start(start));
        if flow == Flow::Continue {
            told = units::tell(words, &streams.main, 0, start, sink).map(|_| ());
        }
    }
    let mut state = GameState::Complete;
    if let Err(error) = &told {
        state = GameState::Broken;
        tell_error(error, &streams.main[error.offset as usize..], sink);
    }
    let result = GameResult::Unknown;
    sink.event(Event::GameEnd { result, state });
    told.map_err(|error| stream_error(&error.kind, StreamPlace::Byte(error.offset)))
}

fn explain_words<E: Explain>(words: &E, streams: &Streams, start: &Position) -> Dump {
    let mut dump = Dump::new("moves");
    explain::units(words, &streams.main, 0, start, &mut dump);
    dump
}
