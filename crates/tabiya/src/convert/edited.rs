//! Games that are changed on their way.

use std::sync::Arc;

use tabiya_formats::{GameWriter, Records};
use tabiya_game::{Event, Flow, GameSink, GameTree, Losses, Needs};

/// Changes a game.
pub type Edit = Arc<dyn Fn(&mut GameTree) + Send + Sync>;

/// A writer that gets games as somebody has changed them.
pub fn edited(writer: Box<dyn GameWriter>, edit: Option<&Edit>) -> Box<dyn GameWriter> {
    match edit {
        None => writer,
        Some(edit) => Box::new(Edited {
            writer,
            edit: Arc::clone(edit),
            tree: GameTree::default(),
        }),
    }
}

struct Edited {
    writer: Box<dyn GameWriter>,
    edit: Edit,
    /// One for all games, so that its memory serves for all.
    tree: GameTree,
}

impl GameSink for Edited {
    fn needs(&mut self) -> Needs {
        // What is no game goes to the writer as it comes.
        let mut needs = Needs::ALL;
        needs.native = self.writer.needs().native;
        needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Text { .. } | Event::Opaque { .. } = event {
            return self.writer.event(event);
        }
        let flow = self.tree.event(event);
        if let Event::GameEnd { .. } = event {
            (self.edit)(&mut self.tree);
            return self.tree.tell(&mut self.writer);
        }
        flow
    }
}

impl GameWriter for Edited {
    fn len(&self) -> usize {
        self.writer.len()
    }

    fn take(&mut self) -> Records {
        self.writer.take()
    }

    fn take_losses(&mut self) -> Losses {
        self.writer.take_losses()
    }
}
