//! jose: any bytes are read in any profile, dumped whole and written again; stored games are
//! replayed as they are read.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use tabiya_chess::{Key, Position, Setup, Variant, mailbox::Mailbox};
use tabiya_formats::{
    jose::{Profile, Reader, Writer, replay},
    stream::{StreamCodec, Streams},
};
use tabiya_game::{Event, Flow, GameSink, GameTree, Listener};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let profile = match first % 3 {
        0 => Profile::Document,
        1 => Profile::Program,
        _ => Profile::Store,
    };
    let texts = match profile {
        // The rest of the first byte says how the bytes are shared out.
        Profile::Program => rest.len() * usize::from(first / 3) / 86,
        _ => 0,
    };
    let (main, texts) = rest.split_at(rest.len() - texts.min(rest.len()));
    let streams = Streams {
        main: main.to_vec(),
        texts: texts.to_vec(),
    };
    let start = Position::initial();
    let _ = profile.explain(&streams, &start);

    let mut plies = Plies::default();
    let listener = &mut Listener::new(&mut plies);
    let told = Reader::new(profile).tell_moves((&streams).into(), &start, listener);
    let board = Mailbox::from_setup(&Setup::INITIAL).expect("the initial position");
    let mut last = None;
    let replayed = replay(main, &board, |_, key| {
        last = Some(key);
        ControlFlow::Continue(())
    });
    // A board cannot follow the rules of antichess, which a stream may ask for.
    if profile == Profile::Store && told.error.is_none() && plies.variant != Variant::Antichess {
        assert_eq!((replayed, last), (Ok(plies.count), plies.last));
    }

    let (once, start) = written(profile, &streams, &start);
    assert_eq!(once, written(profile, &once, &start).0);
});

/// What is read of a stream, written again, and its start, which it may have said itself.
fn written(profile: Profile, streams: &Streams, start: &Position) -> (Streams, Position) {
    let mut tree = GameTree::default();
    let _ = profile.decode(streams, start, &mut tree);
    let mut writer = Writer::new(profile);
    tree.tell(&mut writer);
    (writer.take(), tree.start)
}

/// Counts the plies of the main line.
#[derive(Default)]
struct Plies {
    depth: usize,
    count: u32,
    last: Option<Key>,
    variant: Variant,
}

impl GameSink for Plies {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let mut after = match event {
            Event::Start(start) => {
                self.variant = start.variant();
                return Flow::Continue;
            }
            Event::VariationStart => {
                self.depth += 1;
                return Flow::Continue;
            }
            Event::VariationEnd => {
                self.depth -= 1;
                return Flow::Continue;
            }
            Event::Move { before, .. } | Event::Null { before, .. } if self.depth == 0 => *before,
            _ => return Flow::Continue,
        };
        match event {
            Event::Move { play, .. } => after.play_unchecked(play),
            _ => after.play_null(),
        }
        self.count += 1;
        self.last = Some(after.key());
        Flow::Continue
    }
}
