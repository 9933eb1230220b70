//! What games are made of, counted.

use std::collections::BTreeSet;

use tabiya_chess::{Action, Move, Position, Role, Setup, Status, Variant};

use super::{annotate, *};
use crate::{Annotation, CommentPlace, Event, Flow, Nag, command};

/// Enough for everything to occur.
const GAMES: u64 = 600;

fn annotated() -> Generator {
    Generator::new(Options {
        games: GAMES,
        variations: true,
        ..Options::default()
    })
}

fn games(generator: &Generator) -> impl Iterator<Item = GameTree> + '_ {
    (0..generator.options().games).map(|index| generator.game(index))
}

/// Plays every move of a game, variations included, and says where each was played.
fn replay(game: &GameTree, mut played: impl FnMut(&Position, Move)) {
    struct Replay<'f>(&'f mut dyn FnMut(&Position, Move));
    impl GameSink for Replay<'_> {
        fn event(&mut self, event: Event<'_>) -> Flow {
            if let Event::Move { before, play, .. } = event {
                (self.0)(before, play);
            }
            Flow::Continue
        }
    }
    game.tell(&mut Replay(&mut played));
}

fn all_kinds() -> Vec<Options> {
    let mut kinds = Vec::new();
    for bits in 0..8 {
        kinds.push(Options {
            seed: 40 + bits,
            games: 100,
            variations: bits & 1 != 0,
            chess960: bits & 2 != 0,
            book: bits & 4 != 0,
            ..Options::default()
        });
    }
    kinds
}

#[test]
fn every_move_is_legal_where_it_is_played() {
    for options in all_kinds() {
        let generator = Generator::new(options);
        for game in games(&generator) {
            replay(&game, |before, play| {
                assert!(before.is_legal(play), "{before} {play}")
            });
        }
    }
}

#[test]
fn games_have_their_length_or_end_before_it() {
    for plies in [0..=0, 1..=1, 20..=40, 300..=400] {
        let generator = Generator::new(Options {
            games: 100,
            plies: plies.clone(),
            ..Options::default()
        });
        for game in games(&generator) {
            let mut last = game.start;
            let mut count = 0;
            for (before, action) in game.main_line() {
                last = before;
                last.act(action);
                count += 1;
            }
            assert!(count <= *plies.end());
            let by_rule = last.status().is_end() || game.result == GameResult::Draw;
            assert!(count >= *plies.start() || by_rule || game.result.is_forfeit());
        }
    }
}

#[test]
fn an_empty_range_of_plies_is_its_start() {
    #[allow(clippy::reversed_empty_ranges, reason = "that is what is tested")]
    let plies = 30..=10;
    let generator = Generator::new(Options {
        plies,
        ..Options::default()
    });
    assert!(generator.game(0).main_line().count() <= 30);
}

#[test]
fn variations_are_balanced_and_follow_a_move() {
    let mut deepest = 0;
    for game in games(&annotated()) {
        // Whether each open line has a move yet.
        let mut open = vec![false];
        for item in &game.items {
            match item {
                Item::Move(_) | Item::Null => *open.last_mut().unwrap() = true,
                Item::VariationStart => {
                    assert_eq!(open.last(), Some(&true));
                    open.push(false);
                }
                Item::VariationEnd => assert_eq!(open.pop(), Some(true)),
                _ => {}
            }
            deepest = deepest.max(open.len() - 1);
        }
        assert_eq!(open.len(), 1);
    }
    assert!((3..=annotate::DEPTH).contains(&deepest), "{deepest}");
}

#[test]
fn comments_before_a_move_stand_before_a_move() {
    for game in games(&annotated()) {
        let mut fresh = true;
        for pair in game.items.windows(2) {
            match &pair[0] {
                Item::Move(_) | Item::Null | Item::VariationEnd => fresh = false,
                Item::VariationStart => fresh = true,
                Item::Comment { place, .. } if fresh => assert_eq!(*place, CommentPlace::Before),
                Item::Comment {
                    place: CommentPlace::Before,
                    ..
                } => assert!(matches!(
                    pair[1],
                    Item::Comment { .. } | Item::Annotation(_) | Item::Move(_) | Item::Null
                )),
                _ => {}
            }
        }
    }
}

#[test]
fn every_kind_of_move_occurs() {
    let mut seen = BTreeSet::new();
    for game in games(&annotated()) {
        replay(&game, |before, play| {
            if before.is_castling(play) {
                seen.insert(if play.to() > play.from() {
                    "O-O"
                } else {
                    "O-O-O"
                });
            }
            if before.is_en_passant(play) {
                seen.insert("en passant");
            }
            match play.promoted() {
                Some(Role::Queen) => seen.insert("=Q"),
                Some(Role::Rook) => seen.insert("=R"),
                Some(Role::Bishop) => seen.insert("=B"),
                Some(Role::Knight) => seen.insert("=N"),
                _ => false,
            };
        });
        for (_, action) in game.main_line() {
            if action == Action::Null {
                seen.insert("null in the main line");
            }
        }
        if game.items.contains(&Item::Null) {
            seen.insert("null");
        }
    }
    let all = [
        "=B",
        "=N",
        "=Q",
        "=R",
        "O-O",
        "O-O-O",
        "en passant",
        "null",
        "null in the main line",
    ];
    assert!(seen.into_iter().eq(all));
}

#[test]
fn every_result_and_every_end_occurs() {
    let mut results = BTreeSet::new();
    let mut ends = BTreeSet::new();
    for game in games(&annotated()) {
        assert_eq!(game.tags.result(), Some(game.result));
        results.insert(game.result);
        let mut position = game.start;
        let mut repetitions = tabiya_chess::Repetitions::new(&position);
        let mut times = 1;
        for (_, action) in game.main_line() {
            position.act(action);
            times = repetitions.push(&position);
        }
        let status = position.status();
        let expected = match status {
            Status::Checkmate if position.turn() == tabiya_chess::Color::White => {
                Some(GameResult::BlackWins)
            }
            Status::Checkmate => Some(GameResult::WhiteWins),
            Status::Stalemate | Status::InsufficientMaterial => Some(GameResult::Draw),
            _ => None,
        };
        if !game.result.is_forfeit() {
            assert_eq!(expected.unwrap_or(game.result), game.result);
        }
        ends.insert(match status {
            Status::Checkmate => "mate",
            Status::Stalemate => "stalemate",
            Status::InsufficientMaterial => "material",
            _ if times >= 3 => "repetition",
            _ if position.is_fifty_move_draw() => "fifty moves",
            _ => "by the players",
        });
    }
    assert!(results.iter().eq(&GameResult::ALL), "{results:?}");
    let all = [
        "by the players",
        "fifty moves",
        "mate",
        "material",
        "repetition",
        "stalemate",
    ];
    assert!(ends.iter().eq(&all), "{ends:?}");
}

#[test]
fn every_glyph_occurs() {
    let mut nags = BTreeSet::new();
    for game in games(&annotated()) {
        nags.extend(game.items.iter().filter_map(|item| match item {
            Item::Nag(nag) => Some(*nag),
            _ => None,
        }));
    }
    for number in 0..=255 {
        assert!(nags.contains(&Nag(number)), "${number}");
    }
    assert!(nags.range(Nag(256)..).count() > 10);
}

/// The kinds of comments in a game.
fn comment_kinds(game: &GameTree, seen: &mut BTreeSet<&'static str>) {
    let is_comment = |item: &Item| matches!(item, Item::Comment { .. });
    let mut moved = false;
    for (at, item) in game.items.iter().enumerate() {
        moved |= matches!(item, Item::Move(_) | Item::Null);
        let Item::Comment { place, text, .. } = item else {
            continue;
        };
        let previous = at.checked_sub(1).map(|before| &game.items[before]);
        let kinds = [
            ("before the first move", !moved),
            ("before a move", moved && *place == CommentPlace::Before),
            ("after a move", *place == CommentPlace::After),
            ("after a variation", previous == Some(&Item::VariationEnd)),
            (
                "first in a variation",
                previous == Some(&Item::VariationStart),
            ),
            ("two in a row", previous.is_some_and(is_comment)),
            ("empty", text.is_empty()),
            ("very long", text.len() > 5_000),
            ("a long word", text.split(' ').any(|word| word.len() > 80)),
            ("not ASCII", !text.is_ascii()),
            (
                "four bytes a character",
                text.chars().any(|c| c.len_utf8() == 4),
            ),
            ("braces", text.contains("{within {braces}}")),
            (
                "a brace too many",
                text.contains('}') && !text.contains('{'),
            ),
            ("a brace too few", text.contains('{') && !text.contains('}')),
            ("a clock in a text", text.contains("[%clk 0:05:00] A")),
            ("an evaluation in a text", text.contains("[%eval")),
            ("arrows in a text", text.contains("[%cal")),
            ("a tag in a text", text.starts_with("[Event")),
        ];
        seen.extend(kinds.into_iter().filter(|kind| kind.1).map(|kind| kind.0));
    }
}

#[test]
fn every_kind_of_comment_occurs() {
    let mut seen = BTreeSet::new();
    for game in games(&annotated()) {
        comment_kinds(&game, &mut seen);
    }
    assert_eq!(seen.len(), 18, "{seen:?}");
}

#[test]
fn every_kind_of_annotation_occurs_and_has_a_spelling() {
    let mut seen = BTreeSet::new();
    for game in games(&annotated()) {
        for item in &game.items {
            match item {
                Item::Annotation(annotation) => {
                    let text = annotation.to_command().unwrap();
                    assert_eq!(command::canonical(&text).as_ref(), Some(annotation));
                    seen.insert(match annotation {
                        Annotation::Squares(_) => "squares",
                        Annotation::Arrows(_) => "arrows",
                        Annotation::Clock(_) => "clock",
                        Annotation::TimeSpent(_) => "time",
                        Annotation::MechanicalClock(_) => "mechanical clock",
                        Annotation::Evaluation(_) => "evaluation",
                        Annotation::EvaluationProfile(_) => "profile",
                        Annotation::Raw { .. } => "raw",
                        other => unreachable!("no generator writes {other:?}"),
                    });
                }
                Item::Comment { text, .. } => assert_eq!(command::canonical(text), None),
                _ => {}
            }
        }
    }
    assert_eq!(seen.len(), 8, "{seen:?}");
}

#[test]
fn every_kind_of_tag_occurs() {
    let mut seen = BTreeSet::new();
    for game in games(&annotated()) {
        let mut names = BTreeSet::new();
        for (name, value) in game.tags.iter() {
            let kinds = [
                ("repeated", !names.insert(name.to_owned())),
                ("quotation marks", value.contains('"')),
                ("backslash at the end", value.ends_with('\\')),
                ("not ASCII", !value.is_ascii()),
                ("long", value.len() > 1_000),
                ("empty", value.is_empty()),
                ("a date of which parts are unknown", value.ends_with(".??")),
                ("a set-up", name == "FEN"),
                ("Black begins", name == "FEN" && value.contains(" b ")),
            ];
            seen.extend(kinds.into_iter().filter(|kind| kind.1).map(|kind| kind.0));
        }
        assert!(game.tags.iter().map(|tag| tag.0).take(7).eq(crate::ROSTER));
        let set_up = game.start.to_setup() != Setup::INITIAL;
        assert_eq!(game.tags.get("FEN").is_some(), set_up);
    }
    assert_eq!(seen.len(), 9, "{seen:?}");
}

#[test]
fn chess960_starts_differ_and_castle() {
    let generator = Generator::new(Options {
        games: 300,
        variations: true,
        chess960: true,
        ..Options::default()
    });
    let mut starts = BTreeSet::new();
    let mut castlings = 0;
    for game in games(&generator) {
        assert_eq!(game.start.variant(), Variant::Chess960);
        let fen = game.tags.get("FEN").unwrap();
        let setup: Setup = fen.parse().unwrap();
        assert_eq!(
            Position::from_setup(&setup, Variant::Chess960),
            Ok(game.start)
        );
        starts.insert(fen.to_owned());
        replay(&game, |before, play| {
            castlings += u32::from(before.is_castling(play))
        });
    }
    assert!(
        starts.len() > 200 && castlings > 200,
        "{} {castlings}",
        starts.len()
    );
}

#[test]
fn a_book_makes_games_share_openings() {
    let shared = |book| {
        let generator = Generator::new(Options {
            games: 500,
            book,
            ..Options::default()
        });
        let mut positions: Vec<_> = games(&generator)
            .filter_map(|game| game.main_line().nth(6))
            .map(|(before, _)| before.key())
            .collect();
        let all = positions.len();
        positions.sort_unstable();
        positions.dedup();
        all - positions.len()
    };
    let (with, without) = (shared(true), shared(false));
    assert!(with > 100 && with > 2 * without, "{with} {without}");
}

#[test]
fn a_game_does_not_depend_on_the_games_before_it() {
    let mut generator = annotated();
    let mut tree = GameTree::default();
    for index in 0..40 {
        assert!(generator.tell_game(&mut tree));
        assert_eq!(tree, annotated().game(index));
    }
    let other = Generator::new(Options {
        seed: 2,
        ..annotated().options
    });
    assert_ne!(other.game(0), generator.game(0));
    assert_ne!(generator.game(1), generator.game(0));
    // Numbers beyond the last game have games too.
    assert!(!generator.game(u64::MAX).tags.is_empty());
}

#[test]
fn the_source_ends_after_its_games() {
    let mut generator = Generator::new(Options {
        games: 2,
        ..Options::default()
    });
    let mut tree = GameTree::default();
    let mut count = 0;
    while generator.tell_game(&mut tree) {
        count += 1;
    }
    assert_eq!(count, 2);
}
