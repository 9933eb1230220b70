use tabiya_chess::{Move, Square};

use super::*;
use crate::{CommentPlace, Damage, Event, GameResult, GameSink, GameState, GameTree, Item, ROSTER};

const FOOLS_MATE: [(Square, Square); 4] = [
    (Square::F2, Square::F3),
    (Square::E7, Square::E5),
    (Square::G2, Square::G4),
    (Square::D8, Square::H4),
];

/// A game with the whole roster and nothing wrong.
fn game(result: GameResult, moves: &[(Square, Square)]) -> GameTree {
    let mut tree = GameTree::default();
    for name in ROSTER {
        tree.tags.push(name, "?");
    }
    tree.tags.set("Result", result.tag());
    tree.result = result;
    let play = |&(from, to)| Item::Move(Move::new(from, to));
    tree.items = moves.iter().map(play).collect();
    tree
}

fn mated(result: GameResult) -> GameTree {
    game(result, &FOOLS_MATE)
}

fn error(kind: GameErrorKind, raw: &str) -> Item {
    Item::Error {
        kind,
        message: "no".into(),
        raw: raw.into(),
        place: Place::at_byte(7),
        first: None,
    }
}

fn find(tree: &GameTree) -> Vec<(FindingKind, String)> {
    let mut checker = Checker::default();
    tree.tell(&mut checker);
    let findings = checker.take_findings();
    findings.into_iter().map(|f| (f.kind, f.message)).collect()
}

#[track_caller]
fn assert_kinds(tree: &GameTree, expected: &[FindingKind]) {
    let kinds: Vec<FindingKind> = find(tree).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, expected);
}

#[track_caller]
fn assert_message(tree: &GameTree, kind: FindingKind, message: &str) {
    assert_eq!(find(tree), [(kind, message.to_owned())]);
}

fn with_tag(name: &str, value: &str) -> GameTree {
    let mut tree = game(GameResult::Draw, &FOOLS_MATE[..2]);
    tree.tags.set(name, value);
    tree
}

#[test]
fn a_sound_game_has_no_findings() {
    assert_kinds(&mated(GameResult::BlackWins), &[]);
    assert_kinds(&game(GameResult::Unknown, &FOOLS_MATE[..1]), &[]);
}

#[test]
fn the_loser_cannot_have_mated() {
    assert_message(
        &mated(GameResult::WhiteWins),
        FindingKind::ImpossibleResult,
        "the last position is checkmate, so 0-1, but the result is 1-0",
    );
    assert_kinds(
        &mated(GameResult::Unknown),
        &[FindingKind::ImpossibleResult],
    );
    // Arbiters may decide otherwise.
    assert_kinds(&mated(GameResult::WhiteWinsByForfeit), &[]);
}

#[test]
fn the_end_of_a_spoilt_line_proves_nothing() {
    let mut tree = mated(GameResult::WhiteWins);
    tree.items.push(error(GameErrorKind::IllegalMove, "Kd1"));
    assert_kinds(&tree, &[FindingKind::Reading(GameErrorKind::IllegalMove)]);
}

#[test]
fn an_error_stands_where_it_is_and_tells_what_it_is_about() {
    let mut tree = game(GameResult::Draw, &FOOLS_MATE[..1]);
    tree.items
        .push(error(GameErrorKind::IllegalMove, &"Nf6 ".repeat(40)));
    let mut checker = Checker::default();
    tree.tell(&mut checker);
    let finding = checker.take_findings().remove(0);
    assert_eq!(finding.place, Place::at_byte(7));
    assert!(finding.message.starts_with("no: Nf6 Nf6"));
    assert!(finding.message.ends_with('…') && finding.message.chars().count() == 64);
}

#[test]
fn missing_tags_are_named() {
    let mut tree = GameTree::default();
    tree.tags.push("White", "a");
    tree.items = mated(GameResult::Unknown).items[..1].to_vec();
    assert_eq!(
        find(&tree),
        [
            (FindingKind::MissingTags, "no tag Black, Result".to_owned()),
            (
                FindingKind::IncompleteRoster,
                "no tag Event, Site, Date, Round".to_owned()
            ),
        ]
    );
}

#[test]
fn a_tag_is_there_once() {
    let mut tree = with_tag("ECO", "A00");
    tree.tags.push("ECO", "B00");
    assert_kinds(&tree, &[FindingKind::RepeatedTag]);
}

#[test]
fn dates_are_in_the_calendar() {
    for date in ["1999.02.30", "2023.02.29", "1900.02.29", "202.01.01", "May"] {
        assert_kinds(&with_tag("Date", date), &[FindingKind::BadDate]);
    }
    for date in ["2024.02.29", "2000.02.29", "????.02.29", "1972.??.??", "?"] {
        assert_kinds(&with_tag("EventDate", date), &[]);
    }
}

#[test]
fn ratings_are_numbers() {
    for rating in ["2700+", "27000", "-5", "best"] {
        assert_kinds(&with_tag("WhiteElo", rating), &[FindingKind::BadRating]);
    }
    for rating in ["2700", "0", "", "?", "-", " 1500 "] {
        assert_kinds(&with_tag("BlackElo", rating), &[]);
    }
}

#[test]
fn a_result_is_one_and_the_same() {
    assert_kinds(&with_tag("Result", "1-0"), &[FindingKind::ResultsDiffer]);
    assert_kinds(&with_tag("Result", "*"), &[FindingKind::ResultUnknown]);
    assert_kinds(&with_tag("Result", "won"), &[FindingKind::BadResult]);
    assert_kinds(&with_tag("Result", "½-½"), &[]);
}

#[test]
fn set_up_and_fen_belong_together() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert_kinds(&with_tag("SetUp", "1"), &[FindingKind::SetUp]);
    assert_kinds(&with_tag("SetUp", "0"), &[]);
    assert_kinds(&with_tag("FEN", fen), &[FindingKind::SetUp]);
    let mut both = with_tag("FEN", fen);
    both.tags.push("SetUp", "1");
    assert_kinds(&both, &[]);
    both.tags.set("FEN", "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1");
    assert_kinds(&both, &[FindingKind::OddStart, FindingKind::OddStart]);
}

#[test]
fn a_ply_count_that_is_wrong_shows_a_game_cut_short() {
    assert_message(
        &with_tag("PlyCount", "81"),
        FindingKind::WrongPlyCount,
        "the tag PlyCount says 81, the game has 2 plies",
    );
    assert_kinds(&with_tag("PlyCount", "2"), &[]);
}

#[test]
fn notes_are_no_faults() {
    let mut checker = Checker::default();
    game(GameResult::Unknown, &[]).tell(&mut checker);
    mated(GameResult::Draw).tell(&mut checker);
    let mut broken = mated(GameResult::BlackWins);
    broken.state = GameState::Broken;
    broken.tell(&mut checker);
    assert_eq!(
        (checker.games(), checker.faulty(), checker.broken()),
        (3, 1, 1)
    );
    let findings = checker.take_findings();
    assert_eq!((findings[0].game, findings[1].game), (1, 2));
    assert_eq!(findings[0].kind, FindingKind::NoMoves);
}

#[test]
fn a_result_that_one_side_knows_is_known() {
    let mut by_tag = mated(GameResult::BlackWins);
    by_tag.result = GameResult::Unknown;
    assert_eq!(repair(&mut by_tag), [Fix::ResultCompleted]);
    assert_eq!(by_tag, mated(GameResult::BlackWins));

    let mut by_moves = game(GameResult::Draw, &FOOLS_MATE[..2]);
    by_moves.tags.set("Result", "*");
    assert_eq!(repair(&mut by_moves), [Fix::ResultCompleted]);
    assert_eq!(by_moves.tags.get("Result"), Some("1/2-1/2"));

    let mut by_board = mated(GameResult::Unknown);
    assert_eq!(repair(&mut by_board), [Fix::ResultCompleted]);
    assert_eq!(by_board, mated(GameResult::BlackWins));
}

#[test]
fn the_board_decides_between_two_results_but_not_against_both() {
    let mut tree = mated(GameResult::BlackWins);
    tree.tags.set("Result", "1-0");
    assert_eq!(repair(&mut tree), [Fix::ResultCompleted]);
    assert_eq!(tree, mated(GameResult::BlackWins));

    let mut against_both = mated(GameResult::WhiteWins);
    assert_eq!(repair(&mut against_both), []);
    let mut undecided = game(GameResult::Draw, &FOOLS_MATE[..2]);
    undecided.tags.set("Result", "1-0");
    assert_eq!(repair(&mut undecided), []);
}

#[test]
fn a_roster_is_completed_in_its_order() {
    let mut tree = GameTree::default();
    tree.tags.push("ECO", "A00");
    tree.tags.push("White", "a");
    assert_eq!(repair(&mut tree), [Fix::RosterCompleted]);
    let names: Vec<&str> = tree.tags.iter().map(|(name, _)| name).collect();
    assert_eq!(names[..7], ROSTER);
    assert_eq!(names[7..], ["ECO"]);
}

#[test]
fn doubles_go_and_other_values_stay() {
    let mut tree = with_tag("ECO", "A00");
    tree.tags.push("ECO", "A00");
    assert_eq!(repair(&mut tree), [Fix::TagRemoved]);
    tree.tags.push("ECO", "B00");
    assert_eq!(repair(&mut tree), []);
}

#[test]
fn brackets_and_comments_are_closed() {
    let mut tree = mated(GameResult::BlackWins);
    tree.state = GameState::Broken;
    tree.items.push(error(GameErrorKind::Unbalanced, ")"));
    tree.items
        .push(error(GameErrorKind::Unbalanced, "{a comment\nto the end"));
    let fixes = repair(&mut tree);
    assert_eq!(fixes, [Fix::BracketsBalanced, Fix::CommentClosed]);
    assert_eq!(tree.state, GameState::Complete);
    assert_eq!(
        tree.items.last(),
        Some(&Item::Comment {
            place: CommentPlace::After,
            language: None,
            text: "a comment to the end".into(),
        })
    );
}

#[test]
fn a_damaged_tag_is_closed_if_all_of_it_was_read() {
    let mut tree = with_tag("White", "Réti");
    tree.state = GameState::Broken;
    tree.items
        .insert(0, error(GameErrorKind::BadTag, "[White \"Réti\""));
    assert_eq!(repair(&mut tree), [Fix::TagClosed]);
    let other = error(GameErrorKind::BadTag, "[White \"Réti\" and more");
    tree.items.insert(0, other.clone());
    tree.state = GameState::Broken;
    assert_eq!(repair(&mut tree), []);
    assert_eq!(tree.items[0], other);
    assert_eq!(tree.state, GameState::Broken);
}

#[test]
fn what_cannot_be_read_stays() {
    let mut tree = mated(GameResult::BlackWins);
    tree.state = GameState::Broken;
    tree.items
        .push(error(GameErrorKind::IllegalMove, "Nd4 1-0"));
    let before = tree.clone();
    assert_eq!(repair(&mut tree), []);
    assert_eq!(tree, before);
}

#[test]
fn a_damaged_text_is_no_broken_game() {
    let mut checker = Checker::default();
    let mut opaque = |damage: Damage<'_>, number| {
        let place = Place {
            number,
            ..Place::default()
        };
        let (format, bytes) = (&*damage.format("2cbh"), &b"text"[..]);
        checker.event(Event::Opaque {
            place,
            format,
            bytes,
        });
        mated(GameResult::BlackWins).tell(&mut checker);
    };
    opaque(Damage::Whole("text \"Preface\""), 7);
    opaque(Damage::Beside("its end is missing"), 0);
    assert_eq!((checker.games(), checker.damaged()), (2, 2));
    assert_eq!((checker.broken(), checker.faulty()), (0, 0));
    let findings = checker.take_findings().into_iter();
    let told: Vec<(u64, String)> = findings.map(|it| (it.game, it.message)).collect();
    let expected = [
        (7, "a text \"Preface\" that cannot be read"),
        (2, "its end is missing"),
    ];
    assert_eq!(told, expected.map(|(game, words)| (game, words.to_owned())));
}
