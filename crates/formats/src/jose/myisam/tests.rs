use super::{
    generate::{Blocks, Cell, Maker, Type},
    *,
};
use proptest::prelude::*;

fn maker(dynamic: bool) -> Maker {
    Maker {
        columns: vec![
            ("Id", Type::Int(4)),
            ("Small", Type::Int(1)),
            ("Day", Type::Date),
            ("Code", Type::Char(9)),
            ("Name", Type::VarChar(96)),
            ("Long", Type::VarChar(765)),
            ("Far", Type::Int(8)),
        ],
        dynamic,
    }
}

fn with_blob() -> Maker {
    let mut maker = maker(true);
    maker.columns.push(("Bin", Type::Blob));
    maker
}

fn cells(id: i64, long: &str) -> Vec<Cell> {
    vec![
        id.into(),
        (-1).into(),
        (1 + 32 * 2 + 512 * 2001).into(),
        "D85".into(),
        "Grünfeld".into(),
        long.into(),
        Cell::Null,
    ]
}

fn rows<'d>(table: &'d Table, myd: &'d [u8]) -> Vec<Row<'d>> {
    let rows = table.rows(myd).map(|next| match next {
        Next::Row(row) => row,
        Next::Damaged { error, .. } => panic!("{error}"),
    });
    rows.collect()
}

fn expect_cells(table: &Table, row: &[u8], cells: &[Cell]) {
    let values = table.values(row).unwrap();
    assert_eq!(values.len(), cells.len());
    for (value, cell) in values.iter().zip(cells) {
        match (value, cell) {
            (Value::Null, Cell::Null) => {}
            (Value::Integer(number), Cell::Int(expected)) => assert_eq!(number, expected),
            (Value::Date(number), Cell::Int(expected)) => {
                assert_eq!(i64::from(*number), *expected);
            }
            (Value::Bytes(bytes), Cell::Bytes(expected)) => assert_eq!(bytes, expected),
            _ => panic!("{value:?} is not {cell:?}"),
        }
    }
}

#[test]
fn a_definition_tells_names_types_and_places() {
    let table = Table::open(&maker(true).frm(), None).unwrap();
    let definition = table.definition();
    assert_eq!(definition.null_bytes, 1);
    let lengths: Vec<_> = definition.columns.iter().map(|c| c.length).collect();
    assert_eq!(lengths, [4, 1, 3, 9, 97, 767, 8]);
    assert_eq!(definition.columns[3].kind, ColumnKind::Char);
    assert_eq!(table.column("NAME"), Some(4));
    assert_eq!(table.column("Bin"), None);
}

#[test]
fn packed_rows_give_their_values_with_and_without_an_index_file() {
    let maker = with_blob();
    for length in [0, 1, 254, 255, 256, 765] {
        let mut cells = cells(length as i64, &"x".repeat(length));
        cells.push(Cell::Bytes(vec![0xff; length * 3]));
        let mut blocks = Blocks::default();
        blocks.whole(&maker.row(&cells), false);
        for myi in [None, Some(maker.myi())] {
            let table = Table::open(&maker.frm(), myi.as_deref()).unwrap();
            expect_cells(&table, &rows(&table, &blocks.0)[0].bytes, &cells);
        }
    }
}

#[test]
fn a_text_of_255_bytes_in_a_short_column_has_one_byte_of_length() {
    let maker = Maker {
        columns: vec![("Name", Type::VarChar(255)), ("Id", Type::Int(4))],
        dynamic: true,
    };
    let cells = [Cell::from("y".repeat(255).as_str()), Cell::Int(7)];
    let table = Table::open(&maker.frm(), None).unwrap();
    expect_cells(&table, &maker.row(&cells), &cells);
}

#[test]
fn rows_of_fixed_length_give_their_values_and_deleted_ones_are_passed_over() {
    let maker = maker(false);
    let table = Table::open(&maker.frm(), None).unwrap();
    let (first, second) = (cells(1, "one"), cells(2, ""));
    let deleted = vec![0; maker.row(&first).len()];
    let myd = [maker.row(&first), deleted, maker.row(&second)].concat();
    let rows = rows(&table, &myd);
    assert_eq!(rows.len(), 2);
    expect_cells(&table, &rows[0].bytes, &first);
    expect_cells(&table, &rows[1].bytes, &second);
}

#[test]
fn an_index_file_decides_how_columns_are_packed() {
    let maker = Maker {
        columns: vec![("Id", Type::Int(4)), ("Code", Type::Char(3))],
        dynamic: true,
    };
    let mut myi = maker.myi();
    // The last column as it is, without a flag.
    let entry = myi.len() - 7;
    myi[entry + 1] = 0;
    let table = Table::open(&maker.frm(), Some(&myi)).unwrap();
    let row = [0b0, 0, 5, 0, 0, 0, b'E', b'4', b'1'];
    expect_cells(&table, &row, &[Cell::Int(5), "E41".into()]);
    // An index file of another table says nothing.
    let other = with_blob().myi();
    let table = Table::open(&maker.frm(), Some(&other)).unwrap();
    let row = [0b10, 0, 5, 0, 0, 0, 2, b'E', b'4'];
    expect_cells(&table, &row, &[Cell::Int(5), "E4".into()]);
}

#[test]
fn rows_in_pieces_are_put_together_in_every_kind_of_block() {
    let maker = with_blob();
    let table = Table::open(&maker.frm(), None).unwrap();
    let mut expected = Vec::new();
    let mut blocks = Blocks::default();
    for (id, first) in [(0, 5), (1, 6), (2, 13), (3, 5)] {
        let mut cells = cells(id, "long");
        cells.push(Cell::Bytes(vec![id as u8; 400]));
        blocks.deleted(44 + id as usize);
        let row = maker.row(&cells);
        blocks.pieces(&row, if id == 3 { row.len() - 4 } else { 60 }, first);
        expected.push(cells);
        let mut cells = self::cells(10 + id, "");
        cells.push(Cell::Bytes(vec![]));
        blocks.whole(&maker.row(&cells), id % 2 == 0);
        expected.push(cells);
    }
    let rows = rows(&table, &blocks.0);
    assert_eq!(rows.len(), expected.len());
    for (row, cells) in rows.iter().zip(&expected) {
        expect_cells(&table, &row.bytes, cells);
    }
}

#[test]
fn pieces_that_do_not_fit_are_damage_and_the_rows_behind_are_read() {
    let maker = with_blob();
    let table = Table::open(&maker.frm(), None).unwrap();
    let row = |id: i64| {
        let mut cells = cells(id, "long");
        cells.push(Cell::Bytes(vec![1; 300]));
        maker.row(&cells)
    };
    let mut blocks = Blocks::default();
    blocks.pieces(&row(1), 100, 5);
    let first = rows(&table, &blocks.0)[0].offset as usize;
    blocks.whole(&row(2), false);
    // The next piece: itself, nowhere, the row behind.
    for next in [first as u64, u64::MAX, 1 << 40, blocks.0.len() as u64 - 1] {
        let mut myd = blocks.0.clone();
        myd[first + 5..first + 13].copy_from_slice(&next.to_be_bytes());
        let found: Vec<_> = table.rows(&myd).collect();
        assert!(
            matches!(&found[..], [Next::Damaged { error, .. }, Next::Row(_)]
                if matches!(error.kind, TableErrorKind::BrokenChain(_))),
            "{next}: {found:?}"
        );
    }
}

#[test]
fn many_rows_that_share_their_pieces_do_not_take_forever() {
    let table = Table::open(&with_blob().frm(), None).unwrap();
    let mut myd = Vec::new();
    // A chain of 1,000 middle blocks, then 10,000 rows that all begin it.
    for index in 0..1_000u64 {
        myd.extend([11, 0, 5]);
        myd.extend((16 * (index + 1)).to_be_bytes());
        myd.extend([0; 5]);
    }
    for _ in 0..10_000 {
        myd.extend([5, 0x10, 0, 0, 1]);
        myd.extend(0u64.to_be_bytes());
        myd.extend([0; 3]);
    }
    let mut rows = table.rows(&myd);
    assert_eq!(rows.by_ref().count(), 10_000);
    assert_eq!(rows.position().1, 0, "the budget is used up early");
}

#[test]
fn bytes_that_are_no_block_are_kept_and_passed_over() {
    let maker = with_blob();
    let table = Table::open(&maker.frm(), None).unwrap();
    let mut all = cells(1, "text");
    all.push(Cell::Null);
    let row = maker.row(&all);
    let mut blocks = Blocks::default();
    blocks.whole(&row, false);
    let hole = blocks.0.len();
    blocks.0.extend([0x77; 40]);
    let behind = blocks.0.len();
    blocks.whole(&row, false).whole(&row, false);
    let found: Vec<_> = table.rows(&blocks.0).collect();
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(
        found[1],
        Next::Damaged {
            offset: hole as u64,
            bytes: &blocks.0[hole..behind],
            error: TableError::new(hole, TableErrorKind::UnknownBlock(0x77)),
        }
    );
}

#[test]
fn compressed_tables_and_other_files_are_refused() {
    let mut frm = maker(true).frm();
    frm[30] |= 4;
    let kind = |frm: &[u8]| Table::open(frm, None).unwrap_err().kind;
    assert_eq!(kind(&frm), TableErrorKind::Compressed);
    assert_eq!(kind(b"TYPE=VIEW"), TableErrorKind::NotADefinition);
    assert_eq!(kind(&[0xfe, 1]), TableErrorKind::UnexpectedEnd);
    let wide = Maker {
        columns: vec![("Text", Type::Char(300))],
        dynamic: true,
    };
    assert!(matches!(
        kind(&wide.frm()),
        TableErrorKind::UnknownPacking { length: 300, .. }
    ));
}

#[test]
fn texts_are_read_in_their_character_set() {
    let table = Table::open(&maker(true).frm(), None).unwrap();
    assert_eq!(table.text(4, "Grünfeld".as_bytes()), "Grünfeld");
    assert_eq!(table.text(4, b"Gr\xfcnfeld"), "Grünfeld");
    let mut frm = maker(true).frm();
    let columns = frm.len() - " Id Small Day Code Name Long Far  ".len();
    frm[columns - 17 * 7 + 17 * 4 + 14] = 8;
    let latin1 = Table::open(&frm, None).unwrap();
    assert_eq!(latin1.definition().columns[4].charset, 8);
    assert_eq!(latin1.text(4, "ü".as_bytes()), "Ã¼");
}

fn sample() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let maker = with_blob();
    let mut blocks = Blocks::default();
    let mut cells = cells(1, "text");
    cells.push(Cell::Bytes(vec![7; 100]));
    let row = maker.row(&cells);
    blocks.whole(&row, false).deleted(30).pieces(&row, 32, 6);
    blocks.pieces(&row, 32, 5).whole(&row, true);
    (maker.frm(), maker.myi(), blocks.0)
}

/// Reads all that can be read.
fn read_all(frm: &[u8], myi: &[u8], myd: &[u8]) -> usize {
    let Ok(table) = Table::open(frm, Some(myi)) else {
        return 0;
    };
    let good = |next: &Next<'_>| matches!(next, Next::Row(row) if table.values(&row.bytes).is_ok());
    table.rows(myd).filter(good).count()
}

#[test]
fn files_cut_anywhere_are_read_as_far_as_they_go() {
    let (frm, myi, myd) = sample();
    assert_eq!(read_all(&frm, &myi, &myd), 4);
    for length in 0..frm.len() {
        read_all(&frm[..length], &myi, &myd);
    }
    for length in 0..myi.len() {
        assert_eq!(read_all(&frm, &myi[..length], &myd), 4);
    }
    for length in 0..myd.len() {
        assert!(read_all(&frm, &myi, &myd[..length]) < 5);
    }
}

proptest! {
    #[test]
    fn damage_never_panics(
        flips in proptest::collection::vec((0..3usize, any::<proptest::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let (frm, myi, myd) = sample();
        let mut files = [frm, myi, myd];
        for (file, index, byte) in flips {
            let file = &mut files[file];
            let at = index.index(file.len());
            file[at] ^= byte;
        }
        read_all(&files[0], &files[1], &files[2]);
    }

    #[test]
    fn any_bytes_are_read_or_refused(myd in proptest::collection::vec(0..16u8, 0..400)) {
        let (frm, myi, _) = sample();
        read_all(&frm, &myi, &myd);
    }
}
