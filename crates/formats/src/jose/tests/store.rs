//! The store holds everything.

use std::time::Duration;

use proptest::prelude::*;
use tabiya_chess::{Action, Move, Position, Square, Variant};
use tabiya_game::{
    Annotation, Arrow, CommentPlace, Evaluation, Event, Flow, GameError, GameErrorKind, GameResult,
    GameSink, GameState, GameTree, Item, Listener, Losses, Mark, MarkColor, Nag, Place,
    Profile as Evaluations, Score,
    generate::{Generator, Options},
};

use super::{decode, encode, pgn, position};
use crate::{
    jose::{Profile, Reader, Writer, code, playable::is_playable, store},
    stream::{StreamCodec, Streams},
};

/// Everything that is told, with the positions of moves.
#[derive(Default, PartialEq, Debug)]
struct Heard {
    items: Vec<(Item, Option<Position>)>,
    end: Option<(GameResult, GameState)>,
}

impl GameSink for Heard {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameEnd { result, state } => self.end = Some((result, state)),
            Event::Move { before, .. } | Event::Null { before, .. } => {
                let item = Item::from_event(event).expect("a step of the game");
                self.items.push((item, Some(*before)));
            }
            Event::Error(error) => {
                let (place, first) = (error.origin(), None);
                let restored = Event::Error(GameError {
                    place,
                    first,
                    ..error
                });
                self.items
                    .extend(Item::from_event(restored).map(|item| (item, None)));
            }
            other => self
                .items
                .extend(Item::from_event(other).map(|item| (item, None))),
        }
        Flow::Continue
    }
}

/// Writes a game and reads it back: all is as it was.
pub(super) fn round_trip(game: &GameTree) -> Streams {
    let stored = encode(Profile::Store, game);
    let mut before = Heard::default();
    game.tell(&mut before);
    let mut after = Heard::default();
    let told = Profile::Store.decode(&stored, &game.start, &mut after);
    assert_eq!(told, Ok(()), "{stored}");
    assert_eq!(after, before, "{stored}");
    stored
}

/// What a profile has written is written the same when it is read again, and nothing more is
/// lost.
pub(super) fn settles(profile: Profile, streams: &Streams, start: &Position) {
    let tree = decode(profile, streams, start).expect("what was written");
    let mut losses = Losses::default();
    let again = profile.encode(&tree, &mut losses).expect("what was read");
    assert_eq!(&again, streams);
    assert!(losses.is_empty(), "{losses:?}");
}

fn comment(place: CommentPlace, language: Option<&str>, text: &str) -> Item {
    Item::Comment {
        place,
        language: language.map(str::to_owned),
        text: text.into(),
    }
}

fn of_items(items: Vec<Item>) -> GameTree {
    GameTree {
        items,
        ..GameTree::default()
    }
}

const E4: Item = Item::Move(Move::new(Square::E2, Square::E4));

#[test]
fn plain_games_are_stored_as_the_document_has_them() {
    let game = pgn("1. e4 {Best by test} e5 (1... c5 $1 2. Nf3) 2. Nf3 Nc6 $201 3. Bb5 1-0");
    assert_eq!(round_trip(&game), encode(Profile::Document, &game));
}

#[test]
fn pieces_without_a_number_move_by_squares() {
    let game = pgn("[FEN \"4k3/8/8/8/8/8/NNN5/4K3 w - - 0 1\"]\n\n1. Ne3 Kd7 2. Nf5 Ke8 3. Nb4 *");
    let stored = round_trip(&game);
    // The third knight is that of c2; the first one still has its code.
    assert_eq!(stored.to_string(), "9B 0A 14 00 92 9B 14 25 00 90 20 D3 FF");
}

#[test]
fn a_ninth_pawn_is_promoted_by_squares_and_stays_without_a_number() {
    let fen = "4k3/P7/8/8/8/PPPPPPPP/P7/4K3 w - - 0 1";
    let mut game = pgn(&format!("[FEN \"{fen}\"]\n\n1. a8=Q+ Kd7 2. Qa4+ *"));
    round_trip(&game);
    game.start = position("4k3/8/8/8/8/PPPPPPPP/P7/4K3 w - - 0 1", Variant::Standard);
    game.items.truncate(0);
    for (from, to) in [(Square::A3, Square::A4), (Square::E8, Square::D7)] {
        game.items.push(Item::Move(Move::new(from, to)));
    }
    game.items
        .push(Item::Move(Move::new(Square::A2, Square::A3)));
    let stored = round_trip(&game);
    assert_eq!(stored.to_string(), "00 92 9B 08 10 00 D3 FF");
}

#[test]
fn comments_keep_place_language_and_zero_characters() {
    let game = of_items(vec![
        comment(CommentPlace::Before, None, "usual"),
        comment(CommentPlace::After, None, "unusual"),
        E4,
        comment(CommentPlace::After, None, "usual"),
        comment(CommentPlace::Before, None, "unusual"),
        comment(CommentPlace::After, Some("de"), "gewöhnlich"),
        comment(CommentPlace::After, Some("tlh"), "motlh"),
        comment(CommentPlace::After, Some(""), "nameless"),
        comment(CommentPlace::After, None, "a\0b"),
        comment(CommentPlace::After, None, "[%clk 0:00:01]"),
        comment(CommentPlace::After, None, ""),
    ]);
    let stored = round_trip(&game);
    let count = |code| stored.main.iter().filter(|&&byte| byte == code).count();
    assert_eq!((count(code::COMMENT), count(store::COMMENT)), (4, 4));
}

#[test]
fn results_and_states_of_all_kinds_come_back() {
    for result in GameResult::ALL {
        for state in [GameState::Complete, GameState::Broken] {
            let mut game = of_items(vec![E4]);
            (game.result, game.state) = (result, state);
            round_trip(&game);
            game.items.push(Item::Error {
                kind: GameErrorKind::BadTag,
                message: "what".into(),
                raw: "a\0b".into(),
                place: Place {
                    offset: u64::MAX,
                    line: 7,
                    column: u32::MAX,
                    number: 0,
                },
                first: None,
            });
            round_trip(&game);
        }
    }
}

#[test]
fn a_variation_may_stand_at_the_start() {
    round_trip(&of_items(vec![
        Item::VariationStart,
        E4,
        Item::VariationEnd,
        Item::VariationStart,
        Item::VariationStart,
        Item::VariationEnd,
        E4,
        Item::VariationEnd,
        E4,
    ]));
}

#[test]
fn data_of_a_later_version_is_kept() {
    let start = Position::initial();
    let tree = decode(
        Profile::Store,
        &"13 9D 03 C8 01 02 D3 FF".parse().unwrap(),
        &start,
    );
    let tree = tree.unwrap();
    let raw = Annotation::Raw {
        format: "jose-store".into(),
        code: 200,
        bytes: vec![1, 2],
    };
    assert_eq!(tree.items, [E4, Item::Annotation(raw)]);
    round_trip(&tree);
}

#[test]
fn after_a_ply_that_was_left_out_the_next_move_says_who_is_to_move() {
    let start = Position::initial();
    // 1. e4 … 2. d4: the turn passes, and the code follows without more ado.
    let passed = decode(Profile::Store, &"13 9E 0F D3 FF".parse().unwrap(), &start).unwrap();
    let d4 = Item::Move(Move::new(Square::D2, Square::D4));
    assert_eq!(passed.items, [E4, Item::Missing, d4]);
    // 1. e4 … e5: it does not.
    let e5 = Item::Move(Move::new(Square::E7, Square::E5));
    round_trip(&of_items(vec![E4, Item::Missing, e5]));
}

#[test]
fn generated_games_come_back() {
    for (variations, chess960) in [(false, false), (true, false), (true, true)] {
        let generator = Generator::new(Options {
            variations,
            chess960,
            ..Options::default()
        });
        for index in 0..200 {
            let game = generator.game(index);
            round_trip(&game);
            for profile in [Profile::Document, Profile::Program] {
                let mut writer = Writer::new(profile);
                game.tell(&mut writer);
                settles(profile, &writer.take(), &game.start);
            }
        }
    }
}

/// Starts with pieces beyond the usual number, and of other variants.
const STARTS: [(&str, Variant); 7] = [
    ("", Variant::Standard),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        Variant::Standard,
    ),
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        Variant::Chess960,
    ),
    ("rkr5/8/8/8/8/8/8/5RKR b HFac - 7 30", Variant::Chess960),
    ("8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1", Variant::Standard),
    (
        "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/QQNNNK2 w - - 0 1",
        Variant::Standard,
    ),
    (
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w - - 0 2",
        Variant::Antichess,
    ),
];

/// What to add to a game.
#[derive(Clone, Debug)]
enum Step {
    Legal(prop::sample::Index),
    /// A move of these squares if it can be played, be it legal or not.
    Any(u16),
    Other(Item),
}

fn annotation() -> impl Strategy<Value = Annotation> {
    let color = prop::char::range('A', 'Z')
        .prop_map(|letter| MarkColor::from_letter(letter).expect("a capital letter"));
    let square = (0u8..64).prop_map(Square::from_index);
    let mark = (color.clone(), square.clone()).prop_map(|(color, square)| Mark { color, square });
    let arrow =
        (color, square.clone(), square).prop_map(|(color, from, to)| Arrow { color, from, to });
    let time = any::<Duration>();
    let score = prop_oneof![
        any::<i32>().prop_map(Score::Centipawns),
        any::<i32>().prop_map(Score::Mate),
    ];
    prop_oneof![
        prop::collection::vec(mark, 0..4).prop_map(Annotation::Squares),
        prop::collection::vec(arrow, 0..50).prop_map(Annotation::Arrows),
        time.clone().prop_map(Annotation::Clock),
        time.clone().prop_map(Annotation::TimeSpent),
        time.prop_map(Annotation::MechanicalClock),
        (score, any::<Option<u16>>())
            .prop_map(|(score, depth)| Annotation::Evaluation(Evaluation { score, depth })),
        (any::<u16>(), any::<Vec<i16>>()).prop_map(|(first, values)| {
            Annotation::EvaluationProfile(Evaluations { first, values })
        }),
        (any::<String>(), any::<u16>(), any::<Vec<u8>>()).prop_map(|(format, code, bytes)| {
            Annotation::Raw {
                format,
                code,
                bytes,
            }
        }),
    ]
}

fn other() -> impl Strategy<Value = Item> {
    let place = prop::sample::select(vec![CommentPlace::Before, CommentPlace::After]);
    let language = prop_oneof![
        Just(None),
        "[a-z]{2}".prop_map(Some),
        any::<String>().prop_map(Some),
    ];
    let comments =
        (place, language, any::<String>()).prop_map(|(place, language, text)| Item::Comment {
            place,
            language,
            text,
        });
    let errors = (
        prop::sample::select(GameErrorKind::ALL.to_vec()),
        any::<(String, String)>(),
        any::<(u64, u64, u32)>(),
    )
        .prop_map(
            |(kind, (message, raw), (offset, line, column))| Item::Error {
                kind,
                message,
                raw,
                place: Place {
                    offset,
                    line,
                    column,
                    number: 0,
                },
                first: None,
            },
        );
    prop_oneof![
        1 => Just(Item::Null),
        1 => Just(Item::Missing),
        1 => any::<u16>().prop_map(|nag| Item::Nag(Nag(nag))),
        1 => (0u16..300).prop_map(|nag| Item::Nag(Nag(nag))),
        2 => comments,
        1 => errors,
        2 => annotation().prop_map(Item::Annotation),
        3 => Just(Item::VariationStart),
        2 => Just(Item::VariationEnd),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any::<prop::sample::Index>().prop_map(Step::Legal),
        4 => any::<u16>().prop_map(Step::Any),
        4 => other().prop_map(Step::Other),
    ]
}

/// A game with about anything in it.
fn any_game() -> impl Strategy<Value = GameTree> {
    (
        0..STARTS.len(),
        prop::collection::vec(step(), 0..80),
        prop::sample::select(GameResult::ALL.to_vec()),
        any::<bool>(),
    )
        .prop_map(|(start, steps, result, broken)| {
            let (fen, variant) = STARTS[start];
            let mut game = GameTree {
                start: position(fen, variant),
                result,
                state: match broken {
                    true => GameState::Broken,
                    false => GameState::Complete,
                },
                ..GameTree::default()
            };
            add_steps(&mut game, &steps);
            game
        })
}

/// Adds what can be played where it stands; positions are those that a tree tells.
fn add_steps(game: &mut GameTree, steps: &[Step]) {
    let mut depth = 0usize;
    for step in steps {
        let item = match step {
            Step::Legal(index) => {
                let moves = next_position(game).legal_moves();
                match moves.is_empty() {
                    true => continue,
                    false => Item::Move(*index.get(&moves)),
                }
            }
            Step::Any(bits) => {
                let play = Move::from_bits(*bits);
                match is_playable(&next_position(game), play) {
                    true => Item::Move(play),
                    false => continue,
                }
            }
            Step::Other(item) => item.clone(),
        };
        match item {
            Item::VariationStart => depth += 1,
            Item::VariationEnd if depth == 0 => continue,
            Item::VariationEnd => depth -= 1,
            _ => {}
        }
        game.items.push(item);
    }
    for _ in 0..depth {
        game.items.push(Item::VariationEnd);
    }
}

/// The position in which a tree would tell the next move.
fn next_position(game: &GameTree) -> Position {
    let mut longer = game.clone();
    longer.items.push(Item::Null);
    let mut heard = Heard::default();
    longer.tell(&mut heard);
    let last = heard.items.last().and_then(|(_, before)| *before);
    last.expect("a null move has a position")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_a_game_has_comes_back(game in any_game()) {
        round_trip(&game);
    }

    #[test]
    fn other_profiles_keep_what_they_have_once_taken(game in any_game(), program: bool) {
        let profile = if program { Profile::Program } else { Profile::Document };
        let mut writer = Writer::new(profile);
        game.tell(&mut writer);
        let streams = writer.take();
        let mut tree = GameTree::default();
        let told = Reader::new(profile).tell_moves((&streams).into(), &game.start, &mut Listener::new(&mut tree));
        prop_assert_eq!(told.error, None, "{}", streams);
        tree.start = game.start;
        tree.result = told.result.expect("the writer writes one");
        tree.state = told.state;
        let mut again = Writer::new(profile);
        tree.tell(&mut again);
        prop_assert_eq!(again.losses(), &Losses::default());
        prop_assert_eq!(again.take(), streams);
    }

    #[test]
    fn replay_shows_the_positions_of_the_main_line(game in any_game()) {
        let Ok(start) = tabiya_chess::mailbox::Mailbox::from_setup(&game.start.to_setup()) else {
            return Ok(());
        };
        if game.start.variant() == Variant::Antichess {
            return Ok(());
        }
        let stored = encode(Profile::Store, &game);
        let mut keys = Vec::new();
        let plies = crate::jose::replay(&stored.main, &start, |board, key| {
            keys.push((key, board.to_setup()));
            std::ops::ControlFlow::Continue(())
        });
        let mut expected = MainLine::default();
        game.tell(&mut expected);
        prop_assert_eq!(plies, Ok(expected.after.len() as u32));
        prop_assert_eq!(keys, expected.after);
    }
}

/// The positions after the plies of the main line.
#[derive(Default)]
struct MainLine {
    depth: usize,
    after: Vec<(tabiya_chess::Key, tabiya_chess::Setup)>,
}

impl GameSink for MainLine {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let (before, action) = match event {
            Event::VariationStart => {
                self.depth += 1;
                return Flow::Continue;
            }
            Event::VariationEnd => {
                self.depth -= 1;
                return Flow::Continue;
            }
            Event::Move { before, play, .. } => (before, Action::Move(play)),
            Event::Null { before, .. } => (before, Action::Null),
            _ => return Flow::Continue,
        };
        if self.depth == 0 {
            let mut after = *before;
            after.act(action);
            self.after.push((after.key(), after.to_setup()));
        }
        Flow::Continue
    }
}
