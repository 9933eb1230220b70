//! What the note says, and where it is read otherwise (spec 7).

use super::{board, setup};
use crate::{
    Color, MoveList, Role, Square,
    mailbox::{
        BISHOP_STEPS, Cell, Error, KING_STEPS, KNIGHT_STEPS, Plain, ROOK_STEPS, Snapshot, byte,
        pawn_steps,
    },
};

/// The drawing, with `133` in the row of 100 put right (spec 7.2).
const DRAWING: &str = "
    110 111 112 113 114 115 116 117 118 119
    100 101 102 103 104 105 106 107 108 109
     90  91  92  93  94  95  96  97  98  99
     80  81  82  83  84  85  86  87  88  89
     70  71  72  73  74  75  76  77  78  79
     60  61  62  63  64  65  66  67  68  69
     50  51  52  53  54  55  56  57  58  59
     40  41  42  43  44  45  46  47  48  49
     30  31  32  33  34  35  36  37  38  39
     20  21  22  23  24  25  26  27  28  29
     10  11  12  13  14  15  16  17  18  19
      0   1   2   3   4   5   6   7   8   9";

const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

#[test]
fn of_120_cells_64_are_squares_and_56_are_off_board() {
    let plain = Plain::from_setup(&crate::Setup::EMPTY).unwrap();
    assert_eq!(plain.as_bytes().len(), 120);
    let off_board = plain.as_bytes().iter().filter(|&&b| b == byte::OFF_BOARD);
    assert_eq!(off_board.count(), 56);
    let squares = (0..=u8::MAX).filter_map(Cell::new);
    assert!(squares.eq(Cell::all()));
    // "Indices going from 0 to 121": nothing is at 120 and 121 (spec 7.1).
    assert_eq!((Cell::new(120), Cell::new(121)), (None, None));
}

#[test]
fn the_drawing_is_twelve_rows_of_ten_counted_from_below() {
    let rows: Vec<Vec<u8>> = (DRAWING.trim().lines())
        .map(|row| row.split_whitespace().map(|n| n.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 12);
    for (row, cells) in rows.iter().rev().enumerate() {
        assert_eq!(cells.len(), 10);
        for (column, &cell) in cells.iter().enumerate() {
            assert_eq!(usize::from(cell), 10 * row + column);
            let inside = (2..=9).contains(&row) && (1..=8).contains(&column);
            assert_eq!(Cell::new(cell).is_some(), inside, "{cell}");
        }
    }
    // The misprint is no cell at all.
    assert_eq!(Cell::new(133), None);
}

#[test]
fn a1_has_index_21_and_h8_has_index_98() {
    assert_eq!(Cell::from_square(Square::A1).index(), 21);
    assert_eq!(Cell::from_square(Square::H8).index(), 98);
    for square in Square::all() {
        let cell = Cell::from(square);
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        assert_eq!(cell.index(), 21 + file + 10 * rank);
        assert_eq!(Square::from(cell), square);
        assert_eq!(Cell::new(cell.index() as u8), Some(cell));
        assert_eq!(cell.to_string(), square.to_string());
    }
}

#[test]
fn the_notes_colour_formula_is_inverted_on_all_squares() {
    for cell in Cell::all() {
        let i = cell.index();
        let first_formula = (i / 10) % 2 != i % 2;
        let second_formula = ((i / 10) ^ i) & 1 == 1;
        // In C `==` binds before `&`; 1 == 1 is 1, so that nothing changes (spec 7.4).
        let as_c_reads_it = ((i / 10) ^ i) & usize::from(1 == 1) != 0;
        assert_eq!(first_formula, second_formula);
        assert_eq!(as_c_reads_it, second_formula);
        assert_eq!(first_formula, !cell.square().is_light());
        assert_eq!(cell.is_light(), cell.square().is_light());
    }
}

#[test]
fn the_steps_are_those_of_the_note() {
    assert_eq!(KNIGHT_STEPS, [-21, -19, -12, -8, 8, 12, 19, 21]);
    assert_eq!(BISHOP_STEPS, [-11, -9, 9, 11]);
    assert_eq!(ROOK_STEPS, [-10, -1, 1, 10]);
    assert_eq!(pawn_steps(Color::White).push, 10);
    assert_eq!(pawn_steps(Color::Black).push, -10);
    let mut queen = [BISHOP_STEPS, ROOK_STEPS].concat();
    queen.sort_unstable();
    assert_eq!(queen, KING_STEPS);
}

/// "So Knight moves don't require special treatment": no step wraps onto the board.
#[test]
fn a_step_is_on_the_board_only_where_the_piece_could_go() {
    let check = |steps: &[i8], geometry: fn(i32, i32) -> bool| {
        for cell in Cell::all() {
            for &step in steps {
                let index = cell.index() as i32 + i32::from(step);
                assert!((0..120).contains(&index), "{cell:?} {step}");
            }
            let reached: Vec<Cell> = steps.iter().filter_map(|&step| cell.step(step)).collect();
            for to in Cell::all() {
                let (from, goal) = (cell.square(), to.square());
                let files = (from.file() as i32 - goal.file() as i32).abs();
                let ranks = (from.rank() as i32 - goal.rank() as i32).abs();
                assert_eq!(reached.contains(&to), geometry(files, ranks), "{cell} {to}");
            }
        }
    };
    check(&KNIGHT_STEPS, |files, ranks| files * ranks == 2);
    check(&BISHOP_STEPS, |files, ranks| files == 1 && ranks == 1);
    check(&ROOK_STEPS, |files, ranks| files + ranks == 1);
    check(&KING_STEPS, |files, ranks| files.max(ranks) == 1);
}

#[test]
fn sliders_stop_at_the_first_cell_that_is_not_free() {
    // The rook is stopped by a white pawn, takes a black one, and twice meets the frame.
    let moves = board("7k/8/3p4/8/1P1R4/8/8/K7 w - - 0 1").legal_moves();
    let mut targets = from(&moves, Square::D4);
    targets.sort_unstable();
    let expected = "c4 d1 d2 d3 d5 d6 e4 f4 g4 h4";
    assert_eq!(targets.join(" "), expected);
}

fn from(moves: &MoveList, square: Square) -> Vec<String> {
    let moves = moves.iter().filter(|play| play.from() == square);
    moves.map(|play| play.to().to_string()).collect()
}

#[test]
fn a_cell_byte_is_a_type_and_a_colour() {
    let white = [0x09, 0x0b, 0x0c, 0x0a, 0x0d, 0x0e];
    let black = [0x11, 0x13, 0x14, 0x12, 0x15, 0x16];
    for (role, (white, black)) in Role::ALL.into_iter().zip(white.into_iter().zip(black)) {
        assert_eq!(byte::of(role.of(Color::White)), white);
        assert_eq!(byte::of(role.of(Color::Black)), black);
        assert_eq!(byte::piece(white), Some(role.of(Color::White)));
        assert_eq!(byte::piece(black), Some(role.of(Color::Black)));
    }
    assert_eq!((byte::WHITE, byte::BLACK), (8, 16));
}

/// Type 7, type 0 with a colour and both colours mean nothing (spec 7.7); FF is in the frame only
/// and has both colour bits, so that it is no piece either (spec 7.6).
#[test]
fn thirteen_bytes_may_stand_on_a_square() {
    let mut bytes = *Plain::from_setup(&crate::Setup::EMPTY).unwrap().as_bytes();
    let mut valid = Vec::new();
    for value in 0..=u8::MAX {
        bytes[55] = value;
        match Plain::from_bytes(&bytes) {
            Ok(_) => valid.push(value),
            Err(Error::BadBorder { at: 55, byte: 0xff }) => assert_eq!(value, 0xff),
            Err(error) => assert_eq!(
                error,
                Error::BadCell {
                    at: 55,
                    byte: value
                }
            ),
        }
    }
    let pieces = [9, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22];
    assert_eq!(valid, [&[0][..], &pieces].concat());
}

/// "Moved flag: bit 5", and "En passant flag: bit y" is bit 6 (spec 7.5); both are in use in a
/// snapshot and zero in a plain board (spec 7.14).
#[test]
fn the_flags_not_used_are_used_in_a_snapshot() {
    let after_e4 = setup("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    let snapshot = Snapshot::from_setup(&after_e4).unwrap();
    assert_eq!(snapshot.as_bytes()[55], 0b0110_1001);
    assert_eq!(snapshot.to_plain().as_bytes()[55], 0b0000_1001);
}

/// How many cells a piece reaches on an empty board.
fn reach(role: Role, from: Cell) -> usize {
    let (steps, slides): (&[i8], bool) = match role {
        Role::Knight => (&KNIGHT_STEPS, false),
        Role::King => (&KING_STEPS, false),
        Role::Bishop => (&BISHOP_STEPS, true),
        Role::Rook => (&ROOK_STEPS, true),
        _ => (&KING_STEPS, true),
    };
    let walk = |step: i8| std::iter::successors(from.step(step), move |cell| cell.step(step));
    (steps.iter())
        .map(|&step| walk(step).take(if slides { 7 } else { 1 }).count())
        .sum()
}

#[test]
fn a_rook_makes_14_moves_a_knight_8_a_bishop_13_a_queen_27_and_a_king_8() {
    let most = |role| Cell::all().map(|cell| reach(role, cell)).max();
    assert_eq!(most(Role::Rook), Some(14));
    assert_eq!(most(Role::Knight), Some(8));
    assert_eq!(most(Role::Bishop), Some(13));
    assert_eq!(most(Role::Queen), Some(27));
    assert_eq!(most(Role::King), Some(8));
    for (letter, expected) in [('R', 14), ('N', 8), ('B', 13), ('Q', 27)] {
        let fen = format!("8/7k/8/8/3{letter}4/8/K7/8 w - - 0 1");
        assert_eq!(from(&board(&fen).legal_moves(), Square::D4).len(), expected);
    }
    let king = board("8/7k/8/8/3K4/8/8/8 w - - 0 1");
    assert_eq!(king.legal_moves().len(), 8);
}

/// "3 (4? …)": 4, or 12 when it promotes (spec 7.9).
#[test]
fn a_pawn_makes_4_moves_or_12() {
    let moves = board("7k/8/8/8/8/1p1p4/2P5/7K w - - 0 1").legal_moves();
    assert_eq!(from(&moves, Square::C2), ["c3", "c4", "b3", "d3"]);
    let moves = board("1n1n3k/2P5/8/8/8/8/8/7K w - - 0 1").legal_moves();
    assert_eq!(from(&moves, Square::C7).len(), 12);
}

/// "One or two forward if on first rank" means the second (spec 7.8).
#[test]
fn a_pawn_steps_twice_from_its_second_rank_only() {
    let white = board("7k/8/8/8/8/1P6/P7/7K w - - 0 1").legal_moves();
    assert_eq!(from(&white, Square::A2), ["a3", "a4"]);
    assert_eq!(from(&white, Square::B3), ["b4"]);
    let black = board("7k/p7/1p6/8/8/8/8/7K b - - 0 1").legal_moves();
    assert_eq!(from(&black, Square::A7), ["a6", "a5"]);
    assert_eq!(from(&black, Square::B6), ["b5"]);
}

/// The note forgets castling, which adds two (spec 7.11).
#[test]
fn castling_adds_two_moves_to_a_king() {
    let king_moves = |rights: &str| {
        let fen = format!("4k3/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
        from(&board(&fen).legal_moves(), Square::E1).len()
    };
    assert_eq!(king_moves("-"), 5);
    assert_eq!(king_moves("K"), 6);
    assert_eq!(king_moves("KQ"), 7);
}

/// The sum is 129, the guess 128, the correction of 2005 "use 256" (spec 7.10).
#[test]
fn the_estimate_of_128_moves_is_exceeded_and_256_is_the_capacity() {
    assert_eq!(8 * 3 + 2 * 14 + 2 * 8 + 2 * 13 + 27 + 8, 129);
    assert_eq!(MoveList::CAPACITY, 256);
    let moves = board(MOST_MOVES).legal_moves();
    assert_eq!(moves.len(), 218);
    assert!(!moves.is_on_heap());
}

#[test]
fn a_set_up_beyond_the_capacity_keeps_all_its_moves() {
    let fen = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
    let moves = board(fen).legal_moves();
    assert_eq!(moves.len(), 270);
    assert!(moves.is_on_heap());
}
