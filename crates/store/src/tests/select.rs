//! What is selected from columns is what a filter lets through.

use std::path::Path;

use proptest::{
    prelude::*,
    sample::{Index, select},
};
use tabiya_formats::pgn::Parser;
use tabiya_game::{Filter, Filtered, GameTree, Tags};

use super::{append, games, real_games};
use crate::{GameSet, Store};

/// The numbers of the entries that a filter lets through when they are told.
fn told(store: &Store, filter: &Filter) -> GameSet {
    let passes = |number: &u64| {
        let mut filtered = Filtered::new(filter, GameTree::default());
        store.tell(*number, &mut filtered).unwrap();
        filtered.passed() > 0
    };
    let there = (1..=store.count()).filter(|number| !store.is_deleted(*number));
    there.filter(passes).collect()
}

#[track_caller]
fn same(store: &Store, filter: &Filter) -> u64 {
    let selected = store.select(filter).unwrap();
    assert_eq!(selected, told(store, filter), "{filter:?}");
    selected.len()
}

fn name() -> impl Strategy<Value = String> {
    let names = vec![
        "Réti, Richard",
        "Reti,R",
        "richard reti",
        "Kramnik, V",
        "Vladimir Kramnik",
        "V",
        "k",
        "",
        ",",
        "O'Kelly",
        "Carlsen, Magnus",
        "Nobody",
    ];
    select(names).prop_map(str::to_string)
}

fn tag() -> impl Strategy<Value = (&'static str, String)> {
    let values = vec![
        "",
        "?",
        "2500",
        "0",
        "2500?",
        " 2500",
        "40000",
        "1953.08.??",
        "1953",
        "????.??.??",
        "1953.08.12",
        "1953-8-12",
        "????.08.12",
        "B9",
        "B90",
        "b90h",
        "1-0",
        "1/2-1/2",
        "½-½",
        "+:-",
        "nonsense",
        "GM",
        "im",
        "300+3",
        "600",
    ];
    let values = prop_oneof![name(), select(values).prop_map(str::to_string)];
    let tags = vec![
        "White",
        "Black",
        "Event",
        "Site",
        "Date",
        "UTCDate",
        "WhiteElo",
        "BlackElo",
        "ECO",
        "Result",
        "Odd",
        "WhiteTitle",
        "BlackTitle",
        "WhiteFideId",
        "BlackFideId",
        "TimeControl",
    ];
    (select(tags), values)
}

fn game() -> impl Strategy<Value = GameTree> {
    let moves = vec![
        "",
        "1. e4 e5",
        "1. e4 -- 2. d4",
        "1. e4 e5 2. Qh4",
        "1. e4 (1. d4 d5) e5 2. Nf3",
        "1. e4 {fine} e5",
        "1. e4 (1. d4 {Here it is fine}) e5",
    ];
    let ends = vec!["*", "1-0", "0-1", "1/2-1/2"];
    (
        proptest::collection::vec(tag(), 0..8),
        select(moves),
        select(ends),
    )
        .prop_map(|(tags, moves, end)| {
            let mut game = GameTree::default();
            assert!(Parser::new(format!("{moves} {end}\n").as_str()).read_game(&mut game));
            game.tags = tags
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect::<Tags>();
            game
        })
}

prop_compose! {
    fn filter()(
        names in proptest::collection::vec(proptest::option::weighted(0.15, name()), 6),
        dates in proptest::collection::vec(
            proptest::option::weighted(0.2, select(&["1953", "1953.08", "1953.08.12", "1954"][..])), 2
        ),
        elo in proptest::option::weighted(0.2, select(&["2500..", "..2499", "0..9999"][..])),
        difference in proptest::option::weighted(0.1, select(&["-5..5", "0..", "..-100"][..])),
        mean in proptest::option::weighted(0.1, select(&["2500..", "..2499"][..])),
        title in proptest::option::weighted(0.1, select(&["gm", "IM", "2500"][..])),
        fide_id in proptest::option::weighted(0.1, select(&[2500, 0, 40_000][..])),
        control in proptest::option::weighted(0.1, select(&["blitz", "300+3", "600"][..])),
        chess960 in proptest::option::weighted(0.1, select(&[518, 0][..])),
        comment in proptest::option::weighted(0.1, select(&["fine", "here fine"][..])),
        eco in proptest::option::weighted(0.2, select(&["B9", "A", "B90..C"][..])),
        result in proptest::option::weighted(0.2, select(&["1-0", "1/2-1/2", "*"][..])),
        plies in proptest::option::weighted(0.2, select(&["0", "2..", "..1", "3"][..])),
    ) -> Filter {
        let words = |index: usize| names[index].as_deref().map(Into::into);
        Filter {
            player: words(0),
            versus: words(5),
            white: words(1),
            black: words(2),
            event: words(3),
            site: words(4),
            since: dates[0].and_then(|date| date.parse().ok()),
            until: dates[1].and_then(|date| date.parse().ok()),
            elo: elo.and_then(|span| span.parse().ok()),
            elo_difference: difference.and_then(|span| span.parse().ok()),
            elo_mean: mean.and_then(|span| span.parse().ok()),
            titles: title.map(str::to_string).into_iter().collect(),
            fide_id,
            time_control: control.and_then(|control| control.parse().ok()),
            chess960,
            comment: comment.map(Into::into),
            eco: eco.and_then(|span| span.parse().ok()).into_iter().collect(),
            result: result.and_then(|result| result.parse().ok()),
            plies: plies.and_then(|span| span.parse().ok()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn odd_tags_are_judged_as_those_of_files(
        games in proptest::collection::vec(game(), 1..40),
        filters in proptest::collection::vec(filter(), 30),
        replaced: Index, by in game(), deleted: Index,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.tabiya");
        let middle = games.len() / 2;
        append(&path, &games[..middle]);
        append(&path, &games[middle..]);
        let store = Store::open(&path).unwrap();
        store.replace(replaced.index(games.len()) as u64 + 1, &by).unwrap();
        store.mark(&[deleted.index(games.len()) as u64 + 1], true).unwrap();
        let store = Store::open(&path).unwrap();
        for filter in &filters {
            same(&store, filter);
        }
    }
}

/// Filters that let some games of any large file through.
fn filters() -> Vec<Filter> {
    let none = Filter::default;
    vec![
        none(),
        Filter {
            player: Some("player 0".into()),
            ..none()
        },
        Filter {
            white: Some("1, player".into()),
            ..none()
        },
        Filter {
            black: Some("er00".into()),
            event: Some("open".into()),
            ..none()
        },
        Filter {
            site: Some("hall".into()),
            since: "2000".parse().ok(),
            ..none()
        },
        Filter {
            until: "2001.06.15".parse().ok(),
            elo: "2400..2600".parse().ok(),
            ..none()
        },
        Filter {
            eco: vec!["A..E".parse().unwrap()],
            ..none()
        },
        Filter {
            result: "1-0".parse().ok(),
            plies: "20..60".parse().ok(),
            ..none()
        },
    ]
}

#[test]
fn generated_games_are_judged_as_those_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..700));
    append(&path, &games(700..1_000));
    let store = Store::open(&path).unwrap();
    let counts: Vec<u64> = filters()
        .iter()
        .map(|filter| same(&store, filter))
        .collect();
    assert_eq!(counts[0], 1_000);
    // Of the openings of generated games nothing is said.
    let answered: Vec<bool> = counts.iter().map(|count| *count > 0).collect();
    assert_eq!(
        answered,
        [true, true, true, true, true, true, false, true],
        "{counts:?}"
    );
}

#[test]
#[ignore = "reads real games, from the folder that TABIYA_DATA names"]
fn real_games_are_judged_as_those_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &real_games(20_000));
    let store = Store::open(&path).unwrap();
    for (name, count) in [
        ("carlsen", 1),
        ("magnus carlsen", 1),
        ("a", 1_000),
        ("", 14_000),
    ] {
        let player = Some(name.into());
        let found = same(
            &store,
            &Filter {
                player,
                ..Filter::default()
            },
        );
        assert!(found >= count, "{name}: {found}");
    }
    for filter in filters() {
        same(&store, &filter);
    }
}

#[test]
fn a_damaged_batch_is_refused_or_judged_by_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(0..10));
    let name = std::fs::read_dir(&path).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        path.to_str()?.ends_with("-games.arrow").then_some(path)
    });
    let name: &Path = &name.unwrap();
    let mut bytes = std::fs::read(name).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64]
        .iter_mut()
        .for_each(|byte| *byte ^= 0x55);
    std::fs::write(name, bytes).unwrap();
    let filter = Filter {
        player: Some("a".into()),
        ..Filter::default()
    };
    assert!(Store::open(&path).unwrap().select(&filter).is_err());
    same(&Store::salvage(&path).unwrap(), &filter);
}
