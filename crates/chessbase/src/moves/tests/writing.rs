//! What the recorder does with games that do not fit, and where it puts them.

use tabiya_game::{Event, Item, LossKind};

use super::*;
use crate::moves::{MAX_OPEN, Material, Taken, full_moves};

fn losses_of(tree: &GameTree) -> Vec<LossKind> {
    let mut recorder = Recorder::default();
    tree.tell(&mut recorder);
    recorder.write(&mut Vec::new()).expect("a record");
    let losses = recorder.take_losses();
    losses.iter().map(|(kind, _, _)| kind).collect()
}

#[test]
fn a_recorder_knows_the_stored_number_of_each_move() {
    let mut recorder = Recorder::default();
    let tree = game("1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) d6) (1... e6) 2. Nf3 *");
    let mut taken: Vec<Taken> = Vec::new();
    recorder.event(Event::Start(&tree.start));
    let mut before = vec![tree.start];
    let mut line = vec![tree.start];
    for item in &tree.items {
        match item {
            Item::VariationStart => {
                line.push(*before.last().expect("a line"));
                before.push(*before.last().expect("a line"));
            }
            Item::VariationEnd => {
                line.pop();
                before.pop();
            }
            _ => {}
        }
        let position = line.last_mut().expect("a line");
        recorder.event(item.event(position));
        if let Item::Move(play) = item {
            *before.last_mut().expect("a line") = *position;
            position.play_unchecked(*play);
            taken.extend(recorder.last());
        }
    }
    recorder.write(&mut Vec::new()).expect("a record");
    let stored: Vec<_> = taken
        .iter()
        .filter_map(|play| recorder.stored(*play))
        .collect();
    assert_eq!(stored, [1, 2, 4, 5, 7, 8, 6, 9, 3]);
}

#[test]
fn a_recorder_knows_what_headers_ask() {
    let mut recorder = Recorder::default();
    game("1. e4 d5 2. exd5 (2. e5) Qxd5 *").tell(&mut recorder);
    assert_eq!(recorder.main_line_plies(), 4);
    assert!(recorder.has_variations() && !recorder.has_start());
    let material = Material::of(recorder.final_position().board());
    assert_eq!((material.greater, material.lesser), (0x7292, 0x7292));
    let black = position("4k3/8/8/8/8/8/8/4K3 b - - 0 1", Variant::Standard);
    assert_eq!(
        (
            full_moves(&black, 0),
            full_moves(&black, 1),
            full_moves(&black, 2)
        ),
        (1, 1, 2)
    );
}

#[test]
fn memory_is_used_again_but_nothing_is_carried_over() {
    let (first, second) = (game("1. e4 (1. d4) e5 *"), game("1. c4 *"));
    let mut recorder = Recorder::default();
    let mut bytes = Vec::new();
    for tree in [&first, &second, &first] {
        tree.tell(&mut recorder);
        bytes.clear();
        recorder.write(&mut bytes).expect("a record");
        assert_eq!(bytes, record_of(tree, None));
    }
}

#[test]
fn a_variation_of_a_variations_first_move_becomes_its_neighbour() {
    let bytes = record_of(&game("1. e4 (1. d4 (1. c4 c5) d5) (1. b4) e5 *"), None);
    assert_eq!(told(&read(&bytes)), "e4 ( d4 d5 ) ( c4 c5 ) ( b4 ) e5");
}

#[test]
fn a_ply_left_out_is_a_null_move_and_noted() {
    let mut tree = game("1. e4 e5 2. Nf3 *");
    tree.items[1] = Item::Missing;
    let mut recorder = Recorder::default();
    let mut told_position = tree.start;
    recorder.event(Event::Start(&tree.start));
    for item in &tree.items {
        recorder.event(item.event(&told_position));
        match item {
            Item::Move(play) => told_position.play_unchecked(*play),
            _ => told_position.play_null(),
        }
    }
    let mut bytes = Vec::new();
    recorder.write(&mut bytes).expect("a record");
    assert_eq!(told(&read(&bytes)), "e4 -- Nf3");
    assert_eq!(recorder.take_losses().count(), 1);
}

#[test]
fn if_the_turn_did_not_pass_it_passes_back() {
    let start = Position::initial();
    let mut recorder = Recorder::default();
    recorder.event(Event::Start(&start));
    recorder.event(Event::Missing);
    let play = Move::new(Square::E2, Square::E4);
    recorder.event(Event::Move {
        before: &start,
        play,
        after: None,
    });
    let mut bytes = Vec::new();
    recorder.write(&mut bytes).expect("a record");
    assert_eq!(told(&read(&bytes)), "-- -- e4");
}

#[test]
fn a_pawn_that_becomes_a_king_ends_its_line() {
    let start = position("8/P7/8/8/8/7p/8/8 w - - 0 1", Variant::Antichess);
    let king = Move::promotion(Square::A7, Square::A8, Role::King);
    let mut tree = GameTree {
        start,
        items: vec![
            Item::Move(king),
            Item::VariationStart,
            Item::Move(Move::promotion(Square::A7, Square::A8, Role::Queen)),
            Item::VariationEnd,
            Item::Move(Move::new(Square::H3, Square::H2)),
        ],
        ..GameTree::default()
    };
    assert_eq!(losses_of(&tree), [LossKind::Variation, LossKind::Move]);
    assert_eq!(told(&read(&record_of(&tree, None))), "");
    tree.items.remove(0);
    tree.items.remove(0);
    tree.items.remove(1);
    assert_eq!(record_of(&tree, None)[0], 0x48);
    assert_eq!(told(&read(&record_of(&tree, None))), "a8=Q h2");
}

#[test]
fn clocks_that_have_no_place_are_noted() {
    let with = |fen: &str| GameTree {
        start: position(fen, Variant::Standard),
        ..GameTree::default()
    };
    assert_eq!(losses_of(&with("4k3/8/8/8/8/8/8/4K3 w - - 0 255")), []);
    assert_eq!(
        losses_of(&with("4k3/8/8/8/8/8/8/4K3 w - - 9 1")),
        [LossKind::Start]
    );
    assert_eq!(
        losses_of(&with("4k3/8/8/8/8/8/8/4K3 w - - 0 256")),
        [LossKind::Start]
    );
}

#[test]
fn castling_from_unusual_squares_is_written_as_chess960() {
    let text = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K1R1 w G - 0 1\"]\n\n1. O-O *";
    let mut tree = game(text);
    tree.start = tree
        .start
        .with_variant(Variant::Standard)
        .expect("a position");
    let game = read(&record_of(&tree, Some(Mode::REGULAR)));
    assert_eq!(game.mode(), Some(Mode::CHESS960));
    assert_eq!(told(&game), "O-O");
}

#[test]
fn more_variations_than_can_be_kept_open_are_lost_and_noted() {
    let mut tree = GameTree::default();
    let mut at = tree.start;
    let knights = [
        (Square::G1, Square::F3),
        (Square::G8, Square::F6),
        (Square::F3, Square::G1),
        (Square::F6, Square::G8),
    ];
    for (from, to) in knights.into_iter().cycle().take(MAX_OPEN + 3) {
        let play = Move::new(from, to);
        let other = *at
            .legal_moves()
            .iter()
            .find(|other| **other != play)
            .expect("another");
        tree.items.extend([
            Item::Move(play),
            Item::VariationStart,
            Item::Move(other),
            Item::VariationEnd,
        ]);
        at.play_unchecked(play);
    }
    assert_eq!(losses_of(&tree), [LossKind::Variation]);
    let game = read(&record_of(&tree, None));
    assert_eq!(game.error(), None);
    assert_eq!(game.main_line().count(), MAX_OPEN + 3);
    assert_eq!(game.stored_moves() as usize, 2 * MAX_OPEN + 3);
}

#[test]
fn quoted_games_end_with_a_null_move() {
    let mut recorder = Recorder::default();
    game("1. e4 (1. d4) e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *").tell(&mut recorder);
    let mut bytes = Vec::new();
    recorder.write_quotation(&mut bytes);
    assert_eq!(bytes.len(), 16);
    bytes.extend([1, 2, 3]);
    let mut game = StoredGame::default();
    let used = game
        .read_quotation(&Position::initial(), &bytes)
        .expect("moves");
    assert_eq!(used, 16);
    assert_eq!(told(&game), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
}
