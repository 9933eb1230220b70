//! Which game of its part a sink hears, where threads read parts at once.

use std::ops::ControlFlow;

use tabiya_game::{Event, Filter, Filtered, Flow, GameSink, Needs};

use super::Database;
use crate::Result;

/// A sink that wants to know which game of its part it hears.
pub trait InPlace: GameSink {
    /// So many games come before the next one in its part, those that nobody wants too.
    fn place(&mut self, before: u64);
}

struct Placed<'f, S> {
    wanted: Filtered<'f, S>,
    heard: u64,
}

impl<S: InPlace> GameSink for Placed<'_, S> {
    fn needs(&mut self) -> Needs {
        self.wanted.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.wanted.sink_mut().place(self.heard);
            self.heard += 1;
        }
        self.wanted.event(event)
    }
}

impl Database {
    /// As [`Database::par_tell`], with a filter that is given. Whoever joins hears how many games
    /// come before those of a sink; what is returned is how many there are.
    pub(crate) fn par_placed<S: InPlace + Send, E: From<crate::Error>>(
        &self,
        filter: &Filter,
        make: impl Fn() -> S + Sync,
        mut join: impl FnMut(S, u64) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut before = 0;
        self.par_parts(
            |part| {
                let wanted = Filtered::new(filter, make());
                let mut placed = Placed { wanted, heard: 0 };
                part.tell(&mut placed)?;
                Ok((placed.wanted.into_sink(), placed.heard))
            },
            |(sink, heard)| {
                join(sink, before)?;
                before += heard;
                Ok::<_, E>(ControlFlow::Continue(()))
            },
        )?;
        Ok(before)
    }
}
