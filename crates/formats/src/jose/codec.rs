//! A profile as a codec of single games.

use tabiya_chess::Position;
use tabiya_game::{Event, Flow, GameSink, GameTree, Listener, Losses, Place};

use super::{Profile, Reader, Writer, explain};
use crate::{
    dump::Dump,
    stream::{StreamCodec, StreamError, Streams},
};

impl StreamCodec for Profile {
    fn encode(&self, game: &GameTree, losses: &mut Losses) -> Result<Streams, StreamError> {
        let mut writer = Writer::new(*self);
        game.tell(&mut writer);
        losses.append(writer.take_losses());
        match writer.error() {
            Some(error) => Err(error.clone().into()),
            None => Ok(writer.take()),
        }
    }

    fn decode(
        &self,
        streams: &Streams,
        start: &Position,
        sink: &mut dyn GameSink,
    ) -> Result<(), StreamError> {
        let mut reader = Reader::new(*self);
        let sink = &mut Listener::new(sink);
        let wanted = sink.event(Event::GameStart(Place::default())) != Flow::SkipGame;
        let told = match wanted {
            true => reader.tell_moves(streams.into(), start, sink),
            false => reader.tell_moves(streams.into(), start, &mut Listener::new(&mut Nobody)),
        };
        sink.event(Event::GameEnd {
            result: told.result.unwrap_or_default(),
            state: told.state,
        });
        told.error.map_or(Ok(()), |error| Err(error.into()))
    }

    fn explain(&self, streams: &Streams, start: &Position) -> Dump {
        explain::explain(*self, streams, start)
    }
}

/// Hears nothing of a game that nobody wants.
struct Nobody;

impl GameSink for Nobody {
    fn event(&mut self, _: Event<'_>) -> Flow {
        Flow::Continue
    }
}
