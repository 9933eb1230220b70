//! What holds for all games and all bytes.

use proptest::prelude::*;
use tabiya_chess::chess960;
use tabiya_game::Item;

use super::*;

/// Positions in which numbers run out, pawns promote and kings castle.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/P1P1P1P1/8/8/8/8/p1p1p1p1/R3K2R w KQkq - 0 1",
    "1qqqqq1k/1bbbbb2/8/8/8/8/2NNNNN1/K1RRRRR1 b - - 0 1",
    "k7/1P1P1P1P/8/QQQ5/qqq5/8/1p1p1p1p/K7 w - - 0 30",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
];

fn start(mode: Mode, choice: u16) -> Position {
    match mode.variant() {
        Variant::Chess960 => {
            let setup = chess960::setup(choice % 960, choice / 7 % 960).expect("a start");
            Position::from_setup(&setup, Variant::Chess960).expect("a position")
        }
        variant => position(STARTS[usize::from(choice) % STARTS.len()], variant),
    }
}

/// A tree of legal moves: each choice is a move, a pass, or the start or the end of a variation.
fn grow(start: Position, choices: &[u16]) -> GameTree {
    let mut tree = GameTree {
        start,
        ..GameTree::default()
    };
    let (mut at, mut before, mut fresh) = (start, start, true);
    let mut open = Vec::new();
    for choice in choices {
        match choice % 16 {
            0 | 1 if !fresh => {
                tree.items.push(Item::VariationStart);
                open.push((at, before));
                (at, fresh) = (before, true);
            }
            2 if !fresh && !open.is_empty() => {
                tree.items.push(Item::VariationEnd);
                (at, before) = open.pop().expect("an open line");
            }
            3 => {
                before = at;
                at.play_null();
                tree.items.push(Item::Null);
                fresh = false;
            }
            _ => {
                let moves = at.legal_moves();
                let moves: Vec<Move> = moves
                    .iter()
                    .copied()
                    .filter(|play| play.promoted() != Some(Role::King))
                    .collect();
                let Some(play) = moves.get(usize::from(choice / 16) % moves.len().max(1)) else {
                    continue;
                };
                before = at;
                at.play_unchecked(*play);
                tree.items.push(Item::Move(*play));
                fresh = false;
            }
        }
    }
    while !open.is_empty() {
        open.pop();
        match tree.items.last() {
            Some(Item::VariationStart) => drop(tree.items.pop()),
            _ => tree.items.push(Item::VariationEnd),
        }
    }
    tree
}

type Line = Vec<(Item, Variations)>;

#[derive(Default)]
struct Variations(Vec<Line>);

/// The same tree with the variations of a variation's first move beside it, as ChessBase has them.
fn canonical(tree: &GameTree) -> Vec<Item> {
    let mut lines: Vec<Line> = vec![Vec::new()];
    for item in &tree.items {
        match item {
            Item::VariationStart => lines.push(Vec::new()),
            Item::VariationEnd => {
                let mut line = lines.pop().expect("balanced");
                let first = line.first_mut().expect("a move");
                let inner = std::mem::take(&mut first.1.0);
                let outer = lines.last_mut().and_then(|outer| outer.last_mut());
                let variations = &mut outer.expect("a move to replace").1.0;
                variations.push(line);
                variations.extend(inner);
            }
            play => lines
                .last_mut()
                .expect("a line")
                .push((play.clone(), Variations::default())),
        }
    }
    let mut items = Vec::new();
    write_line(lines.pop().expect("the main line"), &mut items);
    items
}

fn write_line(line: Line, items: &mut Vec<Item>) {
    for (play, variations) in line {
        items.push(play);
        for variation in variations.0 {
            items.push(Item::VariationStart);
            write_line(variation, items);
            items.push(Item::VariationEnd);
        }
    }
}

proptest! {
    #[test]
    fn any_tree_comes_back_in_every_mode(
        choice in any::<u16>(),
        choices in proptest::collection::vec(any::<u16>(), 0..400),
    ) {
        for mode in Mode::all() {
            let tree = grow(start(mode, choice), &choices);
            let bytes = record_of(&tree, Some(mode));
            prop_assert_eq!(bytes[0] & 0x3f, mode.number());
            let game = read(&bytes);
            prop_assert_eq!(game.error(), None);
            let back = tree_of(&game);
            prop_assert_eq!(back.start, tree.start);
            prop_assert_eq!(&back.items, &canonical(&tree), "{:?}", mode);
            prop_assert_eq!(record_of(&back, Some(mode)), bytes);
        }
    }

    #[test]
    fn a_record_that_is_cut_gives_a_prefix(
        mode in 0u8..12,
        choice in any::<u16>(),
        choices in proptest::collection::vec(any::<u16>(), 0..60),
    ) {
        let mode = Mode::new(mode).expect("a mode");
        let tree = grow(start(mode, choice), &choices);
        let bytes = record_of(&tree, Some(mode));
        let whole = read(&bytes);
        for length in 0..bytes.len() {
            let mut game = StoredGame::default();
            let cut = game.read(&bytes[..length], Scope::All);
            prop_assert!(game.stored_moves() <= whole.stored_moves());
            prop_assert_eq!(cut.err(), game.error());
            prop_assert!(game.error().is_some_and(|error| error.offset <= length));
            let stored = |game: &StoredGame| {
                let mut plays: Vec<Step> = game
                    .steps()
                    .filter(|step| matches!(step, Step::Move { .. } | Step::Null { .. }))
                    .collect();
                plays.sort_by_key(|step| match step {
                    Step::Move { stored, .. } | Step::Null { stored } => *stored,
                    _ => 0,
                });
                plays
            };
            prop_assert!(stored(&whole).starts_with(&stored(&game)));
            let explained = explain(&bytes[..length], 0);
            prop_assert!(!explained.sections.is_empty());
        }
    }

    #[test]
    fn flipped_bits_give_a_game_or_an_error(
        mode in 0u8..12,
        choice in any::<u16>(),
        choices in proptest::collection::vec(any::<u16>(), 0..60),
        flips in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..4),
    ) {
        let mode = Mode::new(mode).expect("a mode");
        let mut bytes = record_of(&grow(start(mode, choice), &choices), Some(mode));
        for (index, bit) in flips {
            let at = index.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        check_any_bytes(&bytes)?;
    }

    #[test]
    fn any_bytes_give_a_game_or_an_error(
        mode in 0u8..64,
        has_start in any::<bool>(),
        stream in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut bytes = vec![mode | u8::from(has_start) << 6, 0, 0, 4 + stream.len() as u8];
        bytes.extend(stream);
        check_any_bytes(&bytes)?;
    }
}

/// Whatever can be read of some bytes can be written and read again.
fn check_any_bytes(bytes: &[u8]) -> Result<(), TestCaseError> {
    let game = read(bytes);
    let mut main_line = StoredGame::default();
    let _ = main_line.read(bytes, Scope::MainLine);
    let dump = explain(bytes, 0);
    let explained: usize = dump
        .sections
        .iter()
        .flat_map(|s| &s.lines)
        .map(|l| l.bytes.len())
        .sum();
    prop_assert!(explained <= bytes.len());
    let mut tree = tree_of(&game);
    tree.items
        .retain(|item| !matches!(item, Item::Error { .. }));
    let again = read(&record_of(&tree, game.mode()));
    prop_assert_eq!(again.error(), None);
    prop_assert_eq!(again.stored_moves(), game.stored_moves());
    Ok(())
}
