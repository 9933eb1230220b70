//! How games are told: with notes, in part, and as bare streams.

use tabiya_game::{Comment, CommentPlace, Flow, GameSink, Item, Losses, Needs};

use super::*;
use crate::moves::{Codec, Notes};
use tabiya_formats::stream::{StreamCodec as _, StreamPlace, Streams};

/// Says the number of each move before and after it.
struct Numbers;

impl Numbers {
    fn tell<S: GameSink + ?Sized>(
        place: CommentPlace,
        stored: u32,
        sink: &mut Listener<'_, S>,
    ) -> Flow {
        sink.event(Event::Comment(Comment {
            place,
            language: None,
            text: &stored.to_string(),
        }))
    }
}

impl Notes for Numbers {
    fn before<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut Listener<'_, S>) -> Flow {
        Numbers::tell(CommentPlace::Before, stored, sink)
    }

    fn after<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut Listener<'_, S>) -> Flow {
        Numbers::tell(CommentPlace::After, stored, sink)
    }
}

/// Writes down what it hears.
struct Ear {
    needs: Needs,
    /// Wants to hear no more after so many events.
    events: usize,
    heard: Vec<String>,
}

impl GameSink for Ear {
    fn needs(&mut self) -> Needs {
        self.needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.heard.push(match event {
            Event::Move { before, play, .. } => before.san(play).to_string(),
            Event::Comment(comment) => comment.text.into(),
            Event::VariationStart => "(".into(),
            Event::VariationEnd => ")".into(),
            _ => "?".into(),
        });
        match self.heard.len() < self.events {
            true => Flow::Continue,
            false => Flow::SkipGame,
        }
    }
}

fn heard(needs: Needs, events: usize) -> String {
    let game = read(&record_of(&game("1. e4 (1. d4) e5 *"), None));
    let mut ear = Ear {
        needs,
        events,
        heard: Vec::new(),
    };
    game.tell(&mut Listener::new(&mut ear), 0, &mut Numbers);
    ear.heard.join(" ")
}

#[test]
fn notes_stand_at_their_moves() {
    assert_eq!(heard(Needs::ALL, 99), "1 e4 1 ( 3 d4 3 ) 2 e5 2");
}

#[test]
fn what_nobody_needs_is_not_told() {
    let notes = false;
    let variations = false;
    assert_eq!(heard(Needs::ALL.notes(notes), 99), "e4 ( d4 ) e5");
    let needs = Needs::ALL.notes(notes).variations(variations);
    assert_eq!(heard(needs, 99), "e4 e5");
    assert_eq!(heard(Needs::TAGS, 99), "");
}

#[test]
fn a_listener_can_leave_at_any_time() {
    let all = heard(Needs::ALL, 99);
    for events in 1..=11 {
        let part = heard(Needs::ALL, events);
        assert_eq!(part.split(' ').count(), events);
        assert!(all.starts_with(&part));
    }
}

#[test]
fn a_bare_record_is_a_stream() {
    let tree = game("1. e4 (1. d4) e5 *");
    let mut losses = Losses::default();
    let streams = Codec::default()
        .encode(&tree, &mut losses)
        .expect("a stream");
    assert!(losses.is_empty());
    let mut back = GameTree::default();
    let start = Position::initial();
    let decoded = Codec::default().decode(&streams, &start, &mut back);
    assert_eq!(decoded, Ok(()));
    assert_eq!(back.items, tree.items);
    let dump = Codec::default().explain(&streams, &start);
    assert_eq!(dump, explain(&streams.main, 0));
}

#[test]
fn a_bad_stream_is_told_up_to_where_it_is_bad() {
    let streams = Streams::from(record_of_codes(Mode::REGULAR, &[], &[128, 1, 255]));
    let mut back = GameTree::default();
    let error = Codec::default()
        .decode(&streams, &Position::initial(), &mut back)
        .expect_err("an illegal move");
    assert_eq!(
        (error.name, error.place),
        ("IllegalMove", StreamPlace::Byte(5))
    );
    assert!(matches!(
        back.items[..],
        [Item::Move(_), Item::Error { .. }]
    ));
}

#[test]
fn a_game_too_long_to_keep_its_positions_is_told_like_a_short_one() {
    // Knights go to and fro; then a variation and a null move, which need the right positions.
    let text = "Nf3 Nf6 Ng1 Ng8 ".repeat(5_000) + "e4 (d4 d5 (-- c4) c4) e5 Nf3 *";
    let tree = game(&text);
    let stored = read(&record_of(&tree, None));
    assert!(stored.befores.len() < stored.stored_moves() as usize);
    let mut back = GameTree::default();
    stored.tell(&mut Listener::new(&mut back), 0, &mut ());
    assert_eq!(back.items, tree.items);
}
