//! Plans: what is changed, what is refused, and that everything comes back.

use std::path::{Path, PathBuf};

use tabiya::{
    ErrorKind, GameTree, Open,
    plan::{Action, Plan, PlanFormat, Step, TagEdit, describe},
};
use tabiya_game::generate::{Generator, Options};

/// A folder with a database of some games in it.
struct Base {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Base {
    fn new(name: &str, games: u64) -> Base {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let generator = Generator::new(Options::default());
        let mut new = tabiya::create(&path).unwrap();
        for index in 0..games {
            new.add(&generator.game(index)).unwrap();
        }
        new.finish().unwrap();
        Base {
            _folder: folder,
            path,
        }
    }

    /// All games, and whether each is deleted.
    fn said(&self) -> Vec<(GameTree, bool)> {
        let database = Open::new().deleted(true).open(&self.path).unwrap();
        let count = database.count().unwrap();
        let entry = |number| {
            let mut game = GameTree::default();
            database.tell_entry(number, &mut game).unwrap();
            (game, database.is_deleted(number))
        };
        (1..=count).map(entry).collect()
    }

    fn tag(&self, number: usize, tag: &str) -> Option<String> {
        self.said()[number - 1].0.tags.get(tag).map(str::to_owned)
    }
}

fn step(database: &Path, games: &[u64], action: Action) -> Step {
    Step {
        group: 1,
        database: database.to_owned(),
        games: games.iter().copied().collect(),
        action,
        which: None,
        reason: String::new(),
    }
}

fn set(tag: &str, from: Option<&str>, to: &str) -> Action {
    Action::Set {
        tag: tag.to_owned(),
        from: from.map(str::to_owned),
        to: to.to_owned(),
    }
}

/// Something of everything, for a database of generated games.
fn plan(base: &Base) -> Plan {
    let said = base.said();
    let (first, third) = (&said[0].0, &said[2].0);
    let place = first.tags.iter().position(|(name, _)| name == "Black");
    let steps = vec![
        step(
            &base.path,
            &[1],
            Action::Keep {
                from: Some(describe(first)),
            },
        ),
        step(
            &base.path,
            &[3],
            Action::Delete {
                from: Some(describe(third)),
            },
        ),
        step(
            &base.path,
            &[1],
            set("White", first.tags.get("White"), "Tal, Mikhail"),
        ),
        step(&base.path, &[1, 2, 4, 5], set("Club", None, "Riga")),
        step(&base.path, &[4, 5], set("Club", Some("Riga"), "")),
        step(
            &base.path,
            &[1],
            Action::Remove {
                tag: "Black".to_owned(),
                from: first.tags.get("Black").unwrap().to_owned(),
                place: place.unwrap(),
                next: None,
            },
        ),
        step(&base.path, &[5], Action::Delete { from: None }),
    ];
    Plan { steps }
}

#[test]
fn what_is_undone_is_event_for_event_what_it_was() {
    let base = Base::new("games.tabiya", 40);
    let (before, plan) = (base.said(), plan(&base));
    let applied = plan.apply().unwrap();
    assert_eq!(
        (applied.databases, applied.edited, applied.marked),
        (1, 4, 2)
    );
    let after = base.said();
    let deleted: Vec<usize> = (1..)
        .zip(&after)
        .filter(|(_, (_, deleted))| *deleted)
        .map(|(n, _)| n)
        .collect();
    assert_eq!(deleted, [3, 5]);
    assert_eq!(base.tag(1, "White").as_deref(), Some("Tal, Mikhail"));
    assert_eq!(base.tag(1, "Black"), None);
    assert_eq!(base.tag(2, "Club").as_deref(), Some("Riga"));
    assert_eq!(base.tag(4, "Club").as_deref(), Some(""));
    assert_eq!(after[5..], before[5..]);
    plan.undo().unwrap();
    assert_eq!(base.said(), before);
}

#[test]
fn the_last_plan_is_remembered_until_it_is_undone() {
    let base = Base::new("games.tabiya", 10);
    let before = base.said();
    assert_eq!(Plan::last_of(&base.path).unwrap(), None);
    let plan = plan(&base);
    plan.apply().unwrap();
    let last = Plan::last_of(&base.path).unwrap().unwrap();
    assert_eq!(last, plan);
    last.undo().unwrap();
    assert_eq!(base.said(), before);
    assert_eq!(Plan::last_of(&base.path).unwrap(), None);
}

#[test]
fn a_plan_that_does_not_fit_changes_nothing_and_says_where() {
    let base = Base::new("games.tabiya", 10);
    let other = Base::new("other.tabiya", 10);
    let before = (base.said(), other.said());
    let good = plan(&base).steps;
    for (action, words) in [
        (set("White", Some("Nobody"), "Tal"), "White is"),
        (set("NoSuch", Some("x"), "y"), "it has no tag NoSuch"),
        (set("Event", None, "y"), "Event is"),
        (
            Action::Delete {
                from: Some("Tal - ?".to_owned()),
            },
            "not \"Tal - ?\"",
        ),
        (
            Action::Keep {
                from: Some("Tal - ?".to_owned()),
            },
            "not \"Tal - ?\"",
        ),
    ] {
        let mut steps = good.clone();
        steps.push(step(&other.path, &[2], action));
        let error = Plan { steps }.apply().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Changed);
        let message = error.to_string();
        assert!(message.contains(words), "{message}");
        assert!(message.contains("other.tabiya: game 2"), "{message}");
        assert_eq!((base.said(), other.said()), before);
    }
    let missing = Plan {
        steps: vec![step(&base.path, &[11], Action::Delete { from: None })],
    };
    assert_eq!(missing.apply().unwrap_err().kind(), ErrorKind::NoSuchGame);
    let twice = Plan { steps: good };
    twice.apply().unwrap();
    assert_eq!(twice.apply().unwrap_err().kind(), ErrorKind::Changed);
    twice.undo().unwrap();
    assert_eq!(twice.undo().unwrap_err().kind(), ErrorKind::Changed);
    assert_eq!(base.said(), before.0);
}

#[test]
fn a_copy_that_is_kept_must_still_be_there() {
    let base = Base::new("games.tabiya", 4);
    let steps = vec![
        step(&base.path, &[1], Action::Keep { from: None }),
        step(&base.path, &[2], Action::Delete { from: None }),
    ];
    Plan {
        steps: vec![step(&base.path, &[1], Action::Delete { from: None })],
    }
    .apply()
    .unwrap();
    let error = Plan { steps }.apply().unwrap_err();
    assert!(
        error.to_string().contains("game 1: it is deleted"),
        "{error}"
    );
}

#[test]
fn the_result_at_the_end_goes_with_its_tag() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let pgn = folder.path().join("games.pgn");
    std::fs::write(
        &pgn,
        "[Result \"*\"]\n\n1. e4 *\n\n[Result \"1-0\"]\n\n1. d4 *\n\n1. c4 1-0\n",
    )
    .unwrap();
    tabiya::convert(&pgn, &path).run().unwrap();
    let base = Base {
        _folder: folder,
        path,
    };
    let before = base.said();
    let run = |number, from, to| Plan {
        steps: vec![step(&base.path, &[number], set("Result", from, to))],
    };
    let plan = run(1, Some("*"), "0-1");
    plan.apply().unwrap();
    assert_eq!(base.said()[0].0.result, tabiya::GameResult::BlackWins);
    plan.undo().unwrap();
    assert_eq!(base.said(), before);
    // Where they do not agree, nobody could tell afterwards what was there.
    assert!(run(2, Some("1-0"), "0-1").apply().is_err());
    assert!(run(1, Some("*"), "won").apply().is_err());
}

#[test]
fn how_a_game_starts_and_marks_of_deletion_are_not_set() {
    let base = Base::new("games.tabiya", 1);
    for (tag, to) in [
        ("FEN", "x"),
        ("SetUp", "1"),
        ("Variant", "y"),
        ("ScidFlags", "D"),
        ("", "x"),
    ] {
        let plan = Plan {
            steps: vec![step(&base.path, &[1], set(tag, None, to))],
        };
        assert_eq!(
            plan.apply().unwrap_err().kind(),
            ErrorKind::Unsupported,
            "{tag}"
        );
    }
}

#[test]
fn flags_of_a_game_that_is_deleted_as_well_come_back() {
    let base = Base::new("games.tabiya", 2);
    let before = base.said();
    let flags = step(&base.path, &[1], set("ScidFlags", None, "W"));
    let delete = step(&base.path, &[1], Action::Delete { from: None });
    let plan = Plan {
        steps: vec![flags, delete],
    };
    plan.apply().unwrap();
    assert!(base.said()[0].1);
    plan.undo().unwrap();
    assert_eq!(base.said(), before);
}

#[test]
fn other_formats_take_marks_but_no_tags() {
    let base = Base::new("games.si5", 6);
    let before = base.said();
    let delete = Plan {
        steps: vec![step(&base.path, &[2, 3], Action::Delete { from: None })],
    };
    assert_eq!(delete.apply().unwrap().marked, 2);
    assert!(base.said()[1].1 && base.said()[2].1);
    delete.undo().unwrap();
    assert_eq!(base.said(), before);
    let tags = Plan {
        steps: vec![step(&base.path, &[2], set("Club", None, "Riga"))],
    };
    let error = tags.apply().unwrap_err().to_string();
    assert!(error.contains("import it into a .tabiya first"), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, "1. e4 *\n\n1. d4 *\n").unwrap();
    let delete = Plan {
        steps: vec![step(&path, &[2], Action::Delete { from: None })],
    };
    assert_eq!(delete.apply().unwrap_err().kind(), ErrorKind::Unsupported);
    // What is only kept is looked at.
    let kept = "? - ?, ????.??.??, *, 1 plies".to_owned();
    let keep = |number, from: &str| Plan {
        steps: vec![step(
            &path,
            &[number],
            Action::Keep {
                from: Some(from.to_owned()),
            },
        )],
    };
    assert_eq!(keep(2, &kept).apply().unwrap().databases, 0);
    assert_eq!(keep(2, "x").apply().unwrap_err().kind(), ErrorKind::Changed);
    assert_eq!(
        keep(3, &kept).apply().unwrap_err().kind(),
        ErrorKind::NoSuchGame
    );
}

/// A database with one game a player, all of the same moves, and events.
fn events(events: &[(&str, &str)]) -> Base {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let mut new = tabiya::create(&path).unwrap();
    for (white, event) in events {
        let mut game = GameTree::default();
        game.tags.push("White", *white);
        game.tags.push("Event", *event);
        new.add(&game).unwrap();
    }
    new.finish().unwrap();
    Base {
        _folder: folder,
        path,
    }
}

fn edits(base: &Base, numbers: &str, edits: &[TagEdit]) -> Plan {
    let database = tabiya::open(&base.path).unwrap();
    Plan::of_edits(&database, &numbers.parse().unwrap(), edits).unwrap()
}

fn to(tag: &str, to: &str) -> TagEdit {
    TagEdit::Set {
        tag: tag.to_owned(),
        to: to.to_owned(),
    }
}

/// What a plan is after it was written down and read again.
fn written(plan: &Plan, format: PlanFormat) -> Plan {
    let mut text = Vec::new();
    plan.write(&mut text, format).unwrap();
    Plan::parse(&String::from_utf8(text).unwrap()).unwrap()
}

#[test]
fn a_number_that_stands_for_another_game_is_left_alone() {
    for numbers in ["1,2", "2"] {
        for format in [PlanFormat::Tsv, PlanFormat::Json] {
            let base = events(&[("A", "Foo"), ("B", "Foo"), ("C", "Bar"), ("D", "Bar")]);
            let plan = edits(&base, numbers, &[to("Event", "Bar")]);
            let plan = written(&plan, format);
            plan.apply().unwrap();
            let store = tabiya::store::Store::open(&base.path).unwrap();
            store.mark(&[1], true).unwrap();
            store.compact().unwrap();
            drop(store);
            let before = base.said();
            let error = plan.undo().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Changed, "{error}");
            assert_eq!(base.said(), before);
        }
    }
}

#[test]
fn a_game_that_was_put_in_the_place_of_another_is_left_alone() {
    let base = events(&[("A", "Foo"), ("B", "Foo")]);
    let plan = edits(&base, "1", &[to("Event", "Bar")]);
    let unapplied = edits(&base, "2", &[to("Event", "Bar")]);
    plan.apply().unwrap();
    let store = tabiya::store::Store::open(&base.path).unwrap();
    for (number, event) in [(1, "Bar"), (2, "Foo")] {
        let mut other = GameTree::default();
        other.tags.push("White", "X");
        other.tags.push("Event", event);
        store.replace(number, &other).unwrap();
    }
    drop(store);
    let error = plan.undo().unwrap_err().to_string();
    assert!(error.contains("game 1: it is \"X - ?"), "{error}");
    assert!(unapplied.apply().is_err());
    assert_eq!(base.tag(1, "Event").as_deref(), Some("Bar"));
}

#[test]
fn many_tags_of_a_game_are_changed_and_come_back() {
    let base = events(&[("A", "Foo"), ("B", "Foo")]);
    let before = base.said();
    let remove = TagEdit::Remove {
        tag: "Event".to_owned(),
    };
    let all = [to("White", "New"), to("Date", "2020.01.01"), remove];
    let plan = edits(&base, "1..", &all);
    plan.apply().unwrap();
    assert_eq!(base.tag(2, "White").as_deref(), Some("New"));
    plan.undo().unwrap();
    assert_eq!(base.said(), before);
}

#[test]
fn a_tag_that_was_set_after_a_removal_stays_alone() {
    let base = events(&[("A", "Foo")]);
    let remove = TagEdit::Remove {
        tag: "Event".to_owned(),
    };
    let removal = edits(&base, "1", &[remove]);
    removal.apply().unwrap();
    edits(&base, "1", &[to("Event", "New")]).apply().unwrap();
    let error = removal.undo().unwrap_err().to_string();
    assert!(error.contains("Event is \"New\" already"), "{error}");
    let said = base.said();
    let events = said[0].0.tags.iter().filter(|(name, _)| *name == "Event");
    assert_eq!(events.count(), 1);
}

#[test]
fn of_two_tags_with_one_name_the_first_comes_back_before_the_other() {
    let base = events(&[("A", "Foo")]);
    let mut game = base.said()[0].0.clone();
    game.tags.push("Event", "Other");
    tabiya::store::Store::open(&base.path)
        .unwrap()
        .replace(1, &game)
        .unwrap();
    let before = base.said();
    let remove = TagEdit::Remove {
        tag: "Event".to_owned(),
    };
    for format in [PlanFormat::Tsv, PlanFormat::Json] {
        let removal = written(&edits(&base, "1", std::slice::from_ref(&remove)), format);
        removal.apply().unwrap();
        assert_eq!(base.tag(1, "Event").as_deref(), Some("Other"));
        removal.undo().unwrap();
        assert_eq!(base.said(), before);
    }
}

#[test]
fn a_plan_that_was_applied_later_is_still_remembered() {
    let base = events(&[("A", "Foo"), ("B", "Foo")]);
    let one = edits(&base, "1", &[to("Event", "Bar")]);
    one.apply().unwrap();
    let other = edits(&base, "2", &[to("Event", "Baz")]);
    other.apply().unwrap();
    one.undo().unwrap();
    assert_eq!(Plan::last_of(&base.path).unwrap(), Some(other.clone()));
    other.undo().unwrap();
    assert_eq!(Plan::last_of(&base.path).unwrap(), None);
}

/// A plan that sets the event of the first game of each.
fn renaming(databases: &[&Path]) -> Plan {
    let step = |database: &&Path| step(database, &[1], set("Event", Some("Foo"), "Bar"));
    Plan {
        steps: databases.iter().map(step).collect(),
    }
}

#[test]
fn nothing_is_changed_if_one_of_two_databases_cannot_be_written() {
    let (one, other) = (events(&[("A", "Foo")]), events(&[("B", "Foo")]));
    let name = other.path.file_name().unwrap().to_str().unwrap();
    // Nobody can be the one who changes it.
    std::fs::create_dir(other.path.with_file_name(format!("{name}.tabiya-lock"))).unwrap();
    let plan = renaming(&[&one.path, &other.path]);
    let words = plan.apply().unwrap_err().to_string();
    assert!(words.contains(name), "{words}");
    assert!(words.ends_with("nothing was changed"), "{words}");
    assert_eq!(one.tag(1, "Event").as_deref(), Some("Foo"));
    assert!(!plan.may_be_applied());
}

#[cfg(unix)]
#[test]
fn what_was_changed_before_a_failure_is_changed_back() {
    let base = events(&[("A", "Foo")]);
    // The second change finds what the first has done.
    let link = base.path.with_file_name("link.tabiya");
    std::os::unix::fs::symlink(&base.path, &link).unwrap();
    let plan = renaming(&[&base.path, &link]);
    let words = plan.apply().unwrap_err().to_string();
    assert!(words.contains("is as it was again"), "{words}");
    assert_eq!(base.tag(1, "Event").as_deref(), Some("Foo"));
}

#[test]
fn a_plan_that_was_interrupted_between_two_databases_can_be_undone() {
    let (one, other) = (events(&[("A", "Foo")]), events(&[("B", "Foo")]));
    let plan = renaming(&[&one.path, &other.path]);
    assert!(plan.undo().is_err());
    renaming(&[&one.path]).apply().unwrap();
    assert!(plan.may_be_applied());
    assert_eq!(plan.undo().unwrap().databases, 1);
    for base in [&one, &other] {
        assert_eq!(base.tag(1, "Event").as_deref(), Some("Foo"));
    }
    assert!(!plan.may_be_applied());
}

#[test]
fn the_rest_of_a_plan_is_remembered_when_a_part_is_undone() {
    let base = events(&[("A", "Foo"), ("B", "Foo")]);
    let before = base.said();
    let set = |number: u64| step(&base.path, &[number], set("Event", Some("Foo"), "Bar"));
    let plan = Plan {
        steps: vec![set(1), set(2)],
    };
    plan.apply().unwrap();
    let part = Plan {
        steps: vec![set(2)],
    };
    assert_eq!(part.undo().unwrap().left, 1);
    let rest = Plan::last_of(&base.path).unwrap().expect("game 1");
    assert_eq!(rest.steps, [set(1)]);
    rest.undo().unwrap();
    assert_eq!(base.said(), before);
    assert_eq!(Plan::last_of(&base.path).unwrap(), None);
}

/// A game of two players, with a plan that gives both their names.
fn both_players() -> (Base, Plan) {
    let base = events(&[("A", "Foo")]);
    let wishes = [to("White", "B"), to("Black", "C"), to("Event", "Bar")];
    let plan = edits(&base, "1", &wishes);
    assert!(plan.steps.iter().all(|step| step.which.is_some()));
    (base, plan)
}

#[test]
fn each_of_several_steps_on_one_game_can_be_undone_alone() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let (base, plan) = both_players();
        let before = base.said();
        plan.apply().unwrap();
        for (place, left) in order.into_iter().zip([2, 1, 0]) {
            let part = Plan {
                steps: vec![plan.steps[place].clone()],
            };
            assert!(part.may_be_applied());
            assert_eq!(part.undo().unwrap().left, left);
            assert!(!part.may_be_applied());
        }
        assert_eq!(base.said(), before);
        assert_eq!(Plan::last_of(&base.path).unwrap(), None);
    }
}

#[test]
fn a_step_that_was_undone_alone_can_be_applied_again() {
    let (base, plan) = both_players();
    plan.apply().unwrap();
    let part = Plan {
        steps: vec![plan.steps[0].clone()],
    };
    part.undo().unwrap();
    assert_eq!(base.tag(1, "White").as_deref(), Some("A"));
    part.apply().unwrap();
    assert_eq!(base.tag(1, "White").as_deref(), Some("B"));
}

#[test]
fn a_part_of_a_plan_is_not_undone_in_another_game() {
    let (base, plan) = both_players();
    plan.apply().unwrap();
    let mut other = base.said().remove(0).0;
    other.tags.set("Date", "1960.01.05");
    let store = tabiya::store::Store::open(&base.path).unwrap();
    store.replace(1, &other).unwrap();
    let part = Plan {
        steps: vec![plan.steps[0].clone()],
    };
    let error = part.undo().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Changed);
    assert_eq!(base.tag(1, "White").as_deref(), Some("B"));
}
