//! Writers as the registry hands them out.

use tabiya_game::{Event, Flow, GameSink, Losses, Needs};

use crate::Records;

/// Writes games as records. A thread has a writer of its own; what several of them wrote, put one
/// after the other, is the same as if one had written all.
pub trait GameWriter: GameSink + Send {
    /// How much has been written since it was last taken, in what the
    /// [`Target`](crate::Target) counts: records mostly, bytes where those are all there is. What
    /// an entry became lies between two of these.
    fn len(&self) -> usize;

    /// Whether nothing has been written since it was last taken.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What has been written since it was last taken.
    fn take(&mut self) -> Records;

    /// What could not be written since this was last asked.
    fn take_losses(&mut self) -> Losses;
}

impl GameWriter for crate::pgn::Writer {
    fn len(&self) -> usize {
        crate::pgn::Writer::len(self)
    }

    fn take(&mut self) -> Records {
        Records::new(crate::pgn::RECORDS, crate::pgn::Writer::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        crate::pgn::Writer::take_losses(self)
    }
}

impl GameSink for Box<dyn GameWriter> {
    fn needs(&mut self) -> Needs {
        (**self).needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        (**self).event(event)
    }
}
