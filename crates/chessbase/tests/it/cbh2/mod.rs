//! Databases of ChessBase 17 and later: vectors, real archives, and what is written.

mod convert;
mod damage;
mod edit;
mod faults;
mod indexes;
mod kill;
mod real;
mod vectors;

use std::path::Path;

use tabiya_chessbase::{ReadOptions, cbh2::Database};
use tabiya_formats::Database as _;
use tabiya_game::{Event, Flow, GameSink, GameTree};

use crate::data;

/// What a database told.
#[derive(Default, PartialEq, Debug)]
struct Told {
    games: Vec<GameTree>,
    texts: Vec<(String, Option<String>, String)>,
    opaque: Vec<String>,
    current: GameTree,
}

impl GameSink for Told {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Text {
                title,
                language,
                text,
                ..
            } => {
                let language = language.map(str::to_owned);
                self.texts
                    .push((title.to_owned(), language, text.to_owned()));
                return Flow::Continue;
            }
            Event::Opaque { format, .. } => {
                self.opaque.push(format.to_owned());
                return Flow::Continue;
            }
            _ => {}
        }
        let flow = self.current.event(event);
        if let Event::GameEnd { .. } = event {
            self.games.push(std::mem::take(&mut self.current));
        }
        flow
    }
}

fn tell(mut database: Database) -> Told {
    let mut told = Told::default();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut told).expect("its games");
    }
    told
}

fn read(path: &Path) -> Told {
    tell(Database::open(path, ReadOptions::default()).expect("a database"))
}

/// The games of a database without their places, which are no part of them.
fn games(path: &Path) -> Vec<GameTree> {
    let mut games = read(path).games;
    for game in &mut games {
        game.place = Default::default();
    }
    games
}
