//! What records hold, one test a sentence.

mod damage;
mod properties;
mod telling;
mod writing;

use tabiya_chess::{Move, Position, Role, Setup, Square, Variant};
use tabiya_game::{Event, GameResult, GameSink as _, GameTree, Listener};

use super::{
    Chess960Block, ErrorKind, Mode, Recorder, Scope, Step, StoredGame, codes, explain,
    mode::Cipher, record, setup,
};
use tabiya_formats::pgn::Parser;

/// The game of a PGN text.
fn game(text: &str) -> GameTree {
    let mut tree = GameTree::default();
    assert!(Parser::new(text).read_game(&mut tree));
    tree
}

/// The record of a game.
fn record_of(tree: &GameTree, mode: Option<Mode>) -> Vec<u8> {
    let mut recorder = mode.map_or_else(Recorder::default, Recorder::in_mode);
    tree.tell(&mut recorder);
    let mut bytes = Vec::new();
    recorder.write(&mut bytes).expect("a record");
    bytes
}

/// A record of codes that are written as they are, turned as a mode turns them.
fn record_of_codes(mode: Mode, start: &[u8], codes: &[u8]) -> Vec<u8> {
    let cipher = mode.cipher();
    let size = 4 + start.len() + codes.len();
    let mut bytes = record::head(mode, !start.is_empty(), size).to_vec();
    bytes.extend_from_slice(start);
    let mut count = 0u8;
    let mut word_bytes = 0;
    for &code in codes {
        bytes.push(cipher.encode(code, count));
        match code {
            codes::WORD if word_bytes == 0 => word_bytes = 2,
            _ if word_bytes == 2 => word_bytes = 1,
            _ if word_bytes == 1 => (count, word_bytes) = (count.wrapping_add(1), 0),
            0..codes::WORD => count = count.wrapping_add(1),
            _ => {}
        }
    }
    bytes
}

fn read(bytes: &[u8]) -> StoredGame {
    let mut game = StoredGame::default();
    // Those who expect an error look for it.
    let _ = game.read(bytes, Scope::All);
    game
}

fn tree_of(game: &StoredGame) -> GameTree {
    let mut tree = GameTree::default();
    tree.event(Event::Start(game.start()));
    game.tell(&mut Listener::new(&mut tree), 0, &mut ());
    tree.event(Event::GameEnd {
        result: GameResult::Unknown,
        state: game.state(),
    });
    tree
}

/// The moves in the order of events: `e4 ( d4 ) e5`.
fn told(game: &StoredGame) -> String {
    let mut words = Vec::new();
    let (mut position, mut before) = (*game.start(), *game.start());
    let mut open = Vec::new();
    for step in game.steps() {
        words.push(match step {
            Step::Move { play, .. } => {
                before = position;
                position.play_unchecked(play);
                before.san(play).to_string()
            }
            Step::Null { .. } => {
                before = position;
                position.play_null();
                "--".into()
            }
            Step::VariationStart => {
                open.push((position, before));
                position = before;
                "(".into()
            }
            Step::VariationEnd => {
                (position, before) = open.pop().expect("balanced");
                ")".into()
            }
            Step::Broken => "?".into(),
        });
    }
    words.join(" ")
}

fn position(fen: &str, variant: Variant) -> Position {
    let setup: Setup = fen.parse().expect("a FEN");
    Position::from_setup(&setup, variant).expect("a position")
}

/// The stored position of a FEN.
fn stored(fen: &str) -> [u8; 28] {
    setup::write_setup(&position(fen, Variant::Standard)).expect("32 pieces at most")
}

#[test]
fn tables_are_permutations_and_the_first_is_the_published_one() {
    for mode in Mode::all() {
        for count in [0, 1, 200] {
            for code in 0..=255 {
                let byte = mode.cipher().encode(code, count);
                assert_eq!(mode.cipher().decode(byte, count), code, "{mode:?}");
            }
        }
    }
    let first: Vec<u8> = (0..8)
        .map(|code| Mode::REGULAR.cipher().encode(code, 0))
        .collect();
    assert_eq!(first, [0xaa, 0x49, 0x39, 0xd8, 0x5d, 0xc2, 0xb1, 0xb2]);
    let special = [235, 236, 254, 255].map(|code| Mode::REGULAR.cipher().encode(code, 0));
    assert_eq!(special, [0x29, 0x9f, 0xdc, 0x0c]);
    for code in 0..=255 {
        assert_eq!(
            Cipher::QUOTATION.decode(Cipher::QUOTATION.encode(code, 9), 9),
            code
        );
    }
}

#[test]
fn every_code_has_a_meaning() {
    for code in 0..=255 {
        assert!(!codes::describe(code).is_empty(), "{code}");
    }
    assert_eq!(codes::describe(11), "queen 1, files +0, ranks +1");
    assert_eq!(codes::describe(142), "pawn 8, captures to its left");
    assert_eq!(codes::describe(234), "knight 3, files +2, ranks -1");
}

#[test]
fn a_piece_that_leaves_one_edge_comes_back_on_the_other() {
    // Rook 1 "seven up" from a1 is a8; one less is what Black's rook writes for one down.
    let game = read(&record_of_codes(
        Mode::REGULAR,
        &stored("k6r/8/8/8/8/8/8/K6R b - - 0 1"),
        &[39 + 6, 255],
    ));
    assert_eq!(told(&game), "Rh7");
}

#[test]
fn variations_follow_the_moves_they_replace() {
    let text = "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) d6) (1... e6) 2. Nf3 *";
    let game = read(&record_of(&game(text), None));
    assert_eq!(told(&game), "e4 e5 ( c5 Nf3 ( Nc3 Nc6 ) d6 ) ( e6 ) Nf3");
    let stored: Vec<u32> = game
        .steps()
        .filter_map(|step| match step {
            Step::Move { stored, .. } => Some(stored),
            _ => None,
        })
        .collect();
    assert_eq!(stored, [1, 2, 4, 5, 7, 8, 6, 9, 3]);
    assert!(game.has_variations());
}

#[test]
fn a_variation_can_be_skipped() {
    let game = read(&record_of(
        &game("1. e4 (1. d4 d5 (1... f5)) (1. c4) e5 *"),
        None,
    ));
    let mut steps = game.steps();
    let mut seen = 0;
    while let Some(step) = steps.next() {
        seen += 1;
        if step == Step::VariationStart {
            steps.skip_variation();
        }
    }
    assert_eq!(seen, 4); // e4 ( ( e5
}

#[test]
fn the_main_line_is_read_without_the_rest() {
    let mut bytes = record_of(&game("1. e4 (1. d4 d5) e5 *"), None);
    let mut game = StoredGame::default();
    // The byte of the variation's last move: what is wrong there does not matter.
    let last = bytes.len() - 2;
    bytes[last] ^= 0x55;
    assert!(game.read(&bytes, Scope::All).is_err());
    game.read(&bytes, Scope::MainLine).expect("a main line");
    assert_eq!(told(&game), "e4 e5");
}

#[test]
fn null_moves_are_moves() {
    let game = read(&record_of(&game("1. e4 -- 2. d4 (2. -- e5) *"), None));
    assert_eq!(told(&game), "e4 -- d4 ( -- e5 )");
    assert_eq!(game.stored_moves(), 5);
}

#[test]
fn an_empty_game_is_an_end_or_nothing() {
    let tree = GameTree::default();
    assert_eq!(record_of(&tree, None), [0, 0, 0, 5, 0x0c]);
    assert_eq!(record_of(&tree, Mode::new(1).ok()), [1, 0, 0, 4]);
    assert_eq!(read(&[0, 0, 0, 5, 0x0c]).error(), None);
    assert_eq!(read(&[1, 0, 0, 4]).error(), None);
}

#[test]
fn padding_is_ignored_and_counted() {
    for padding in 236..=253 {
        let codes = [padding, 128, padding, 128, 255];
        let game = read(&record_of_codes(Mode::REGULAR, &[], &codes));
        assert_eq!(
            (told(&game).as_str(), game.padding()),
            ("e4 e5", 2),
            "{padding}"
        );
    }
}

#[test]
fn the_end_may_be_missing_or_followed_by_anything() {
    let game = read(&record_of_codes(Mode::REGULAR, &[], &[128]));
    assert_eq!(
        (game.error(), game.trailing(), told(&game).as_str()),
        (None, 0, "e4")
    );
    let game = read(&record_of_codes(Mode::REGULAR, &[], &[254, 128]));
    assert_eq!((game.error(), told(&game).as_str()), (None, "e4"));
    let game = read(&record_of_codes(Mode::REGULAR, &[], &[128, 255, 1, 2, 3]));
    assert_eq!(
        (game.error(), game.trailing(), told(&game).as_str()),
        (None, 3, "e4")
    );
}

#[test]
fn a_position_may_be_kept_twice() {
    // Nobody writes two keeps in a row, or one for nothing, but they mean something.
    let game = read(&record_of_codes(
        Mode::REGULAR,
        &[],
        &[254, 254, 128, 255, 124, 255, 254, 255, 120, 255],
    ));
    assert_eq!(told(&game), "e4 ( d4 ) ( c4 )");
    assert_eq!(game.error(), None);
}

#[test]
fn the_text_flag_of_a_game_means_nothing() {
    let mut bytes = record_of(&game("1. e4 *"), Mode::new(5).ok());
    bytes[0] |= 0x80;
    assert_eq!(told(&read(&bytes)), "e4");
}

#[test]
fn a_captured_piece_makes_the_later_ones_move_up() {
    // Both rooks of White: when the first is taken, the second answers to the first's codes.
    let start = stored("k7/8/8/8/8/8/r7/R3K2R b - - 0 1");
    let game = read(&record_of_codes(Mode::REGULAR, &start, &[39 + 6, 5, 255]));
    assert_eq!(told(&game), "Rxa1+ ?"); // the king cannot go down from e1
    let game = read(&record_of_codes(
        Mode::REGULAR,
        &start,
        &[39 + 6, 1, 46, 39, 255],
    ));
    assert_eq!(told(&game), "Rxa1+ Ke2 Rb1 Rh2");
}

#[test]
fn a_fourth_queen_has_no_number_for_life() {
    let text = "[SetUp \"1\"]\n[FEN \"r6k/8/8/8/8/8/8/QQQQK3 b - - 0 1\"]\n\n\
                1... Rxa1 2. Qd4+ Kg8 3. Qb7 Ra2 4. Qdd7 *";
    let bytes = record_of(&game(text), None);
    assert_eq!(told(&read(&bytes)), "Rxa1 Qd4+ Kg8 Qb7 Ra2 Qdd7");
    let dump = explain(&bytes, 0);
    let meaning = |index: usize| dump.sections[2].lines[index].meaning.as_str();
    assert!(meaning(1).starts_with("code 235: d1 to d4"), "{dump:#?}");
    assert!(meaning(3).contains("queen 1"), "{dump:#?}"); // the second, before one was taken
    assert!(meaning(5).starts_with("code 235: d4 to d7"), "{dump:#?}");
}

#[test]
fn a_promoted_pawn_takes_the_first_free_number() {
    let text = "[SetUp \"1\"]\n[FEN \"7k/1P6/8/8/8/8/r7/QQQQK3 b - - 0 1\"]\n\n\
                1... Rxa1 2. b8=Q+ Kg7 3. Qb8b7+ *";
    let bytes = record_of(&game(text), None);
    assert_eq!(told(&read(&bytes)), "Rxa1 b8=Q+ Kg7 Q8b7+");
    let dump = explain(&bytes, 0);
    let meaning = &dump.sections[2].lines[3].meaning;
    assert!(meaning.contains("queen 3"), "{dump:#?}");
}

#[test]
fn pawns_are_numbered_as_they_stand_and_keep_their_numbers() {
    let start = stored("4k3/8/8/8/8/2P5/P1P5/4K3 w - - 0 1");
    // a2, c2, c3 in this order, whatever their files; the second captured nothing and moves on.
    let game = read(&record_of_codes(
        Mode::REGULAR,
        &start,
        &[119, 1 + 4, 115, 255],
    ));
    assert_eq!(told(&game), "c4 Ke7 c3");
}

#[test]
fn a_pawn_taken_in_passing_leaves_its_number_empty() {
    let text = "1. e4 a6 2. e5 d5 3. exd6 c5 *";
    let game = read(&record_of(&game(text), None));
    assert_eq!(told(&game), "e4 a6 e5 d5 exd6 c5");
    let codes = [128, 111, 127, 124, 130, 123, 255]; // then Black's fourth pawn is gone
    let game = read(&record_of_codes(Mode::REGULAR, &[], &codes));
    assert_eq!(told(&game), "e4 a6 e5 d5 exd6 ?");
    let error = game.error().expect("no such pawn");
    assert!(
        matches!(
            error.kind,
            ErrorKind::NoSuchPiece {
                ply: 6,
                number: 4,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(error.offset, 9);
}

#[test]
fn any_move_may_be_written_in_two_bytes() {
    let word = |from, to, promoted| codes::Word::new(from, to, promoted).0.to_be_bytes();
    let e4 = word(Square::E2, Square::E4, Some(Role::Knight)); // bits that mean nothing here
    let game = read(&record_of_codes(
        Mode::REGULAR,
        &[],
        &[235, e4[0], e4[1], 128, 255],
    ));
    assert_eq!(told(&game), "e4 e5");
    let castling = word(Square::E1, Square::G1, None);
    let start = stored("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let codes = [235, castling[0], castling[1], 255];
    assert_eq!(
        told(&read(&record_of_codes(Mode::REGULAR, &start, &codes))),
        "O-O"
    );
}

#[test]
fn a_missing_castling_right_is_granted_if_the_game_castles() {
    let start = stored("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
    let game = read(&record_of_codes(Mode::REGULAR, &start, &[9, 10, 255]));
    assert_eq!(told(&game), "O-O O-O-O");
    assert_eq!(
        game.start().to_string(),
        "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"
    );
    // But not to a king that has moved.
    let codes = [1, 5, 5, 1, 9, 255];
    let game = read(&record_of_codes(Mode::REGULAR, &start, &codes));
    assert_eq!(told(&game), "Ke2 Ke7 Ke1 Ke8 ?");
    let error = game.error().expect("no right");
    assert!(
        matches!(error.kind, ErrorKind::IllegalMove { ply: 5, .. }),
        "{error}"
    );
}

#[test]
fn the_published_board_is_read() {
    let mut bits = [0; 24];
    bits[..3].copy_from_slice(&[88, 14, 147]);
    let board = setup::read_board(&bits).expect("a board");
    assert_eq!(board.to_string(), "8/8/8/8/1N6/8/P7/1r6");
}

#[test]
fn a_chess960_game_castles_to_the_kings_target() {
    let text = "[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN \
                w KQkq - 0 1\"]\n\n1. Nd3 Nd6 2. e4 e5 3. Be2 Be7 4. O-O-O O-O-O *";
    let bytes = record_of(&game(text), None);
    assert_eq!(bytes[0], 0x4a);
    let game = read(&bytes);
    assert_eq!(told(&game), "Nd3 Nd6 e4 e5 Be2 Be7 O-O-O O-O-O");
    assert_eq!(game.start().variant(), Variant::Chess960);
}

#[test]
fn an_old_chess960_record_has_a_short_block() {
    let start = tabiya_chess::chess960::setup(289, 289).expect("a start");
    let start = Position::from_setup(&start, Variant::Chess960).expect("a position");
    let mut tree = GameTree {
        start,
        ..GameTree::default()
    };
    let plays: Vec<Move> = start.legal_moves().to_vec();
    tree.items.push(tabiya_game::Item::Move(plays[0]));
    let bytes = record_of(&tree, None);
    let mut short = bytes[..36].to_vec();
    short.extend_from_slice(&bytes[40..]);
    short[3] -= 4;
    let (long, short) = (read(&bytes), read(&short));
    assert_eq!((long.error(), short.error()), (None, None));
    assert_eq!(tree_of(&long), tree_of(&short));
}

#[test]
fn a_chess960_block_names_the_rooks_of_both_sides() {
    let start = tabiya_chess::chess960::setup(0, 959).expect("a start");
    let start = Position::from_setup(&start, Variant::Chess960).expect("a position");
    let block = Chess960Block::of(&start);
    assert_eq!(block.kings, [Square::G1, Square::B8]);
    assert_eq!(block.h_rooks, [Square::H1, Square::C8]);
    assert_eq!(block.a_rooks, [Square::F1, Square::A8]);
    let (again, length) =
        Chess960Block::read(&block.to_bytes(), start.board(), 15).expect("a block");
    assert_eq!((again.h_rooks, length), (block.h_rooks, 8));
}

#[test]
fn explaining_covers_every_byte_once() {
    let texts = [
        "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) d6) (1... e6) 2. Nf3 *",
        "[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 7\"]\n\n7. a8=Q+ Ke7 8. O-O *",
    ];
    for (text, mode) in texts
        .iter()
        .flat_map(|text| [0, 1, 4, 7].map(|mode| (text, mode)))
    {
        let mut bytes = record_of(&game(text), Mode::new(mode).ok());
        bytes.extend([1, 2, 3]);
        bytes[3] += 3;
        let dump = explain(&bytes, 100);
        let lines = dump.sections.iter().flat_map(|section| &section.lines);
        let mut at = 100;
        for line in lines {
            assert_eq!(line.offset, at, "{line:?}");
            at += line.bytes.len() as u64;
        }
        assert_eq!(at, 100 + bytes.len() as u64, "{dump:#?}");
    }
}

#[test]
fn explaining_tells_the_depth_of_variations() {
    let dump = explain(
        &record_of(
            &game("1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) (1... e6) *"),
            None,
        ),
        0,
    );
    let depths: Vec<_> = dump.sections[1]
        .lines
        .iter()
        .filter_map(|line| Some((line.san.as_deref()?, line.depth)))
        .collect();
    assert_eq!(
        depths,
        [
            ("1. e4", 0),
            ("1... e5", 0),
            ("1... c5", 1),
            ("2. Nf3", 1),
            ("2. Nc3", 2),
            ("1... e6", 1),
        ]
    );
}
