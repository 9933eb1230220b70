//! What one thread does with the games of a part.

use tabiya_formats::pgn::Writer;
use tabiya_game::{
    Event, Filter, Filtered, Flow, GameSink, GameState, GameTree, Losses, Needs, Place,
    check::{Checker, Finding, Fix, repair},
};

/// Checks the games that are wanted and, if asked to, mends and writes them.
pub struct Examiner<'f> {
    inner: Inner<'f>,
    read: u64,
    /// Games have numbers in the file.
    numbered: bool,
}

enum Inner<'f> {
    /// Every game is wanted: nothing has to wait for its tags.
    All(Box<Bench>),
    Some(Box<Filtered<'f, Bench>>),
}

/// What became of a part. Games have their numbers in the file, or are counted from 1.
#[derive(Default)]
pub struct Examined {
    /// All findings in their order.
    pub findings: Vec<Finding>,
    /// All fixes in their order.
    pub fixes: Vec<Mended>,
    /// The mended games.
    pub pgn: Writer,
    /// What could not be written.
    pub losses: Losses,
    /// Games in the part.
    pub read: u64,
    /// The numbers of games are those in the file.
    pub numbered: bool,
    /// Games that were checked.
    pub checked: u64,
    /// Games with errors or warnings.
    pub faulty: u64,
    /// Games that could not be read in full.
    pub broken: u64,
    /// Games that still cannot be read in full after they have been mended.
    pub still_broken: u64,
}

/// A fix of a game.
pub struct Mended {
    /// The number of the game.
    pub game: u64,
    /// Where it begins.
    pub place: Place,
    /// What was done.
    pub fix: Fix,
}

impl<'f> Examiner<'f> {
    pub fn new(filter: &'f Filter, repair: bool) -> Examiner<'f> {
        let bench = Bench {
            checker: Checker::default(),
            number: 0,
            mender: repair.then(Box::default),
        };
        let inner = match filter.is_empty() {
            true => Inner::All(Box::new(bench)),
            false => Inner::Some(Box::new(Filtered::new(filter, bench))),
        };
        Examiner {
            inner,
            read: 0,
            numbered: false,
        }
    }

    pub fn finish(self) -> Examined {
        let bench = match self.inner {
            Inner::All(bench) => *bench,
            Inner::Some(filtered) => filtered.into_sink(),
        };
        let mut checker = bench.checker;
        let mut mender = bench.mender.unwrap_or_default();
        Examined {
            findings: checker.take_findings(),
            fixes: mender.fixes,
            losses: mender.writer.take_losses(),
            pgn: mender.writer,
            read: self.read,
            numbered: self.numbered,
            checked: checker.games(),
            faulty: checker.faulty(),
            broken: checker.broken(),
            still_broken: mender.still_broken,
        }
    }
}

impl GameSink for Examiner<'_> {
    fn needs(&mut self) -> Needs {
        Needs::ALL
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => self.game(place),
            // What is wrong with it may be all that is found in a part.
            Event::Opaque { place, .. } => self.numbered |= place.number > 0,
            _ => {}
        }
        match &mut self.inner {
            Inner::All(bench) => bench.event(event),
            Inner::Some(filtered) => filtered.event(event),
        }
    }
}

impl Examiner<'_> {
    fn game(&mut self, place: Place) {
        self.read += 1;
        self.numbered = place.number > 0;
        let number = if self.numbered {
            place.number
        } else {
            self.read
        };
        match &mut self.inner {
            Inner::All(bench) => bench.set_next_number(number),
            Inner::Some(filtered) => filtered.sink_mut().set_next_number(number),
        }
    }
}

struct Bench {
    checker: Checker,
    /// The number of the game.
    number: u64,
    mender: Option<Box<Mender>>,
}

impl Bench {
    fn set_next_number(&mut self, number: u64) {
        self.number = number;
        self.checker.set_next_number(number);
    }
}

impl GameSink for Bench {
    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Some(mender) = &mut self.mender {
            mender.event(event, self.number);
        }
        self.checker.event(event)
    }
}

#[derive(Default)]
struct Mender {
    tree: GameTree,
    writer: Writer,
    fixes: Vec<Mended>,
    still_broken: u64,
}

impl Mender {
    #[inline(never)]
    fn event(&mut self, event: Event<'_>, game: u64) {
        match event {
            Event::Text { .. } | Event::Opaque { .. } => self.writer.event(event),
            _ => self.tree.event(event),
        };
        if !matches!(event, Event::GameEnd { .. }) {
            return;
        }
        // The tags may have to wait for the end of the moves, so the game is written when it ends.
        let place = self.tree.place;
        let fixes = repair(&mut self.tree).into_iter();
        self.fixes
            .extend(fixes.map(|fix| Mended { game, place, fix }));
        self.still_broken += u64::from(self.tree.state == GameState::Broken);
        self.tree.tell(&mut self.writer);
    }
}
