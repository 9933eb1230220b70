//! Writers as the registry hands them out.

use tabiya_game::{Event, Flow, GameSink, Losses, Needs};

/// Writes games as bytes. A thread has a writer of its own; what several of them wrote, put one
/// after the other, is the same as if one had written all.
pub trait GameWriter: GameSink + Send {
    /// How many bytes have been written since they were last taken.
    fn len(&self) -> usize;

    /// Whether nothing has been written since it was last taken.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What has been written since it was last taken.
    fn take(&mut self) -> Vec<u8>;

    /// What could not be written since this was last asked.
    fn take_losses(&mut self) -> Losses;
}

impl GameWriter for crate::pgn::Writer {
    fn len(&self) -> usize {
        crate::pgn::Writer::len(self)
    }

    fn take(&mut self) -> Vec<u8> {
        crate::pgn::Writer::take(self)
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
