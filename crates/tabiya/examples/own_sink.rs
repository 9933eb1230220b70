//! A listener of one's own: to which side do people castle?
//!
//! ```sh
//! cargo run --release --example own_sink -- games.pgn
//! ```
//!
//! A sink says what it needs, and the reader leaves out the rest: here the tags, the comments and
//! the variations. Many sinks work at once, a part of the database each.

use std::{env, error::Error, ops::ControlFlow};

use tabiya::{Event, Flow, GameSink, Needs};

#[derive(Default)]
struct Castlings {
    kingside: u64,
    queenside: u64,
}

impl GameSink for Castlings {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Move { before, play, .. } = event
            && before.is_castling(play)
        {
            // Castling is the king's square and the rook's, which works for Chess960 too.
            match play.from().file() < play.to().file() {
                true => self.kingside += 1,
                false => self.queenside += 1,
            }
        }
        Flow::Continue
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which database?")?;
    let mut all = Castlings::default();
    tabiya::open(path)?.par_tell(Castlings::default, |part| {
        all.kingside += part.kingside;
        all.queenside += part.queenside;
        ControlFlow::Continue(())
    })?;
    println!("O-O {}, O-O-O {}", all.kingside, all.queenside);
    Ok(())
}
