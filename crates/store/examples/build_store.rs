//! Builds a store of a PGN file: `build_store GAMES.pgn STORE`.

use std::env;

use tabiya_formats::{io::Input, pgn::Pgn, Database};
use tabiya_game::{Event, Flow, GameSink, GameTree};
use tabiya_store::{Importer, Store};

struct Sink {
    tree: GameTree,
    importer: Importer,
}

impl GameSink for Sink {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let end = matches!(event, Event::GameEnd { .. });
        self.tree.event(event);
        if end {
            self.importer.add(&self.tree).unwrap();
        }
        Flow::Continue
    }
}

fn main() {
    let mut arguments = env::args().skip(1);
    let input = Input::open(arguments.next().unwrap()).unwrap();
    let mut pgn = Pgn::new(input, Default::default());
    let importer = Store::import(arguments.next().unwrap()).unwrap();
    let mut sink = Sink { tree: GameTree::default(), importer };
    while let Some(part) = pgn.next_part().unwrap() {
        part.tell(&mut sink).unwrap();
    }
    sink.importer.finish().unwrap();
}
