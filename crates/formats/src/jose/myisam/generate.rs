//! Makes tables for tests: `.frm`, `.MYI` and `.MYD` as MySQL would write them. Test code only.

/// The type of a column: its number in a `.frm`, its packing in a `.MYI`, its length in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::jose) enum Type {
    /// `TINYINT`, `SMALLINT`, `INT`, `BIGINT` by its bytes.
    Int(usize),
    /// `DATE`.
    Date,
    /// `CHAR` of so many bytes.
    Char(usize),
    /// `VARCHAR` of at most so many bytes.
    VarChar(usize),
    /// `MEDIUMBLOB`.
    Blob,
}

impl Type {
    fn code(self) -> u8 {
        match self {
            Type::Int(1) => 1,
            Type::Int(2) => 2,
            Type::Int(8) => 8,
            Type::Int(_) => 3,
            Type::Date => 14,
            Type::Char(_) => 254,
            Type::VarChar(_) => 15,
            Type::Blob => 250,
        }
    }

    fn packing(self) -> u16 {
        match self {
            Type::Int(_) | Type::Date => 3,
            Type::Char(_) => 1,
            Type::VarChar(_) => 8,
            Type::Blob => 4,
        }
    }

    fn length(self) -> usize {
        match self {
            Type::Int(bytes) | Type::Char(bytes) => bytes,
            Type::Date => 3,
            Type::VarChar(bytes) => bytes + if bytes < 256 { 1 } else { 2 },
            Type::Blob => 3 + 8,
        }
    }
}

/// A value to store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::jose) enum Cell {
    Null,
    Int(i64),
    Bytes(Vec<u8>),
}

impl From<i64> for Cell {
    fn from(number: i64) -> Cell {
        Cell::Int(number)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Bytes(text.into())
    }
}

/// The columns of a table; every one may be NULL.
#[derive(Clone, Debug)]
pub(in crate::jose) struct Maker {
    pub columns: Vec<(&'static str, Type)>,
    pub dynamic: bool,
}

impl Maker {
    fn null_bytes(&self) -> usize {
        let deleted_bit = usize::from(!self.dynamic);
        (self.columns.len() + deleted_bit).div_ceil(8)
    }

    fn row_length(&self) -> usize {
        let lengths = self.columns.iter().map(|(_, kind)| kind.length());
        self.null_bytes() + lengths.sum::<usize>()
    }

    /// The `.frm`.
    pub fn frm(&self) -> Vec<u8> {
        const FORM: usize = 0x2000;
        let mut frm = vec![0; FORM + 288];
        frm[..6].copy_from_slice(&[0xfe, 1, 10, 9, 3, 0]);
        frm[16..18].copy_from_slice(&(self.row_length() as u16).to_le_bytes());
        frm[30] = if self.dynamic { 9 } else { 8 };
        frm[64..71].copy_from_slice(b"//\0\0\x20\0\0");
        frm[FORM + 258..][..2].copy_from_slice(&(self.columns.len() as u16).to_le_bytes());
        let screen = b"a screen of any length";
        frm[FORM + 260..][..2].copy_from_slice(&(screen.len() as u16).to_le_bytes());
        frm.extend_from_slice(screen);
        let mut names = vec![0xff];
        let mut start = self.null_bytes() + 1;
        for (name, kind) in &self.columns {
            let mut column = [0; 17];
            column[3..5].copy_from_slice(&(kind.length() as u16).to_le_bytes());
            column[5..8].copy_from_slice(&(start as u32).to_le_bytes()[..3]);
            column[8..10].copy_from_slice(&0x801bu16.to_le_bytes());
            (column[13], column[14]) = (kind.code(), 33);
            frm.extend_from_slice(&column);
            names.extend_from_slice(name.as_bytes());
            names.push(0xff);
            start += kind.length();
        }
        names.push(0);
        frm[FORM + 268..][..2].copy_from_slice(&(names.len() as u16).to_le_bytes());
        frm.extend_from_slice(&names);
        frm
    }

    /// The `.MYI`.
    pub fn myi(&self) -> Vec<u8> {
        let mut myi = vec![0; 0x114];
        let count = self.columns.len() + 1;
        let head = (myi.len() + 7 * count) as u16;
        myi[..4].copy_from_slice(&[0xfe, 0xfe, 7, 1]);
        myi[6..8].copy_from_slice(&head.to_be_bytes());
        myi[12..14].copy_from_slice(&0xb0u16.to_be_bytes());
        myi[0xf0..0xf4].copy_from_slice(&(count as u32).to_be_bytes());
        let columns = self.columns.iter().map(|(_, t)| (t.packing(), t.length()));
        for (packing, length) in std::iter::once((0, self.null_bytes())).chain(columns) {
            myi.extend_from_slice(&packing.to_be_bytes());
            myi.extend_from_slice(&(length as u16).to_be_bytes());
            myi.extend_from_slice(&[0; 3]);
        }
        myi
    }

    /// A row as a `.MYD` holds it.
    pub fn row(&self, cells: &[Cell]) -> Vec<u8> {
        assert_eq!(cells.len(), self.columns.len());
        let flagged = |t: &Type| !matches!(t, Type::VarChar(_));
        let flags = self.columns.iter().filter(|(_, t)| flagged(t)).count();
        let mut flags = vec![0u8; if self.dynamic { flags.div_ceil(8) } else { 0 }];
        let mut nulls = vec![0u8; self.null_bytes()];
        if !self.dynamic {
            nulls[0] = 1;
        }
        let mut values = Vec::new();
        let mut flag = 0;
        for (index, ((_, kind), cell)) in self.columns.iter().zip(cells).enumerate() {
            if *cell == Cell::Null {
                let bit = index + usize::from(!self.dynamic);
                nulls[bit / 8] |= 1 << (bit % 8);
            }
            if !self.dynamic {
                unpacked(&mut values, *kind, cell);
                continue;
            }
            let set = packed(&mut values, *kind, cell);
            if flagged(kind) {
                flags[flag / 8] |= u8::from(set) << (flag % 8);
                flag += 1;
            }
        }
        [flags, nulls, values].concat()
    }
}

fn bytes_of(cell: &Cell) -> &[u8] {
    match cell {
        Cell::Bytes(bytes) => bytes,
        _ => &[],
    }
}

fn integer(cell: &Cell, length: usize) -> Vec<u8> {
    let number = match cell {
        Cell::Int(number) => *number,
        _ => 0,
    };
    number.to_le_bytes()[..length].to_vec()
}

/// Stores a value and says whether its flag is to be set.
fn packed(out: &mut Vec<u8>, kind: Type, cell: &Cell) -> bool {
    let bytes = bytes_of(cell);
    match kind {
        Type::Int(_) | Type::Date => {
            let number = integer(cell, kind.length());
            let zero = number.iter().all(|byte| *byte == 0);
            if !zero {
                out.extend(number);
            }
            zero
        }
        Type::Char(length) if bytes.len() == length => {
            out.extend_from_slice(bytes);
            false
        }
        Type::Char(_) => {
            out.push(bytes.len() as u8);
            out.extend_from_slice(bytes);
            true
        }
        Type::VarChar(most) => {
            if most > 255 && bytes.len() >= 255 {
                out.push(0xff);
                out.extend((bytes.len() as u16).to_be_bytes());
            } else {
                out.push(bytes.len() as u8);
            }
            out.extend_from_slice(bytes);
            false
        }
        Type::Blob if bytes.is_empty() => true,
        Type::Blob => {
            out.extend_from_slice(&(bytes.len() as u32).to_le_bytes()[..3]);
            out.extend_from_slice(bytes);
            false
        }
    }
}

fn unpacked(out: &mut Vec<u8>, kind: Type, cell: &Cell) {
    let end = out.len() + kind.length();
    let bytes = bytes_of(cell);
    match kind {
        Type::Int(length) => out.extend(integer(cell, length)),
        Type::Date => out.extend(integer(cell, 3)),
        Type::Char(_) => out.extend_from_slice(bytes),
        Type::VarChar(most) => {
            let length = (bytes.len() as u16).to_le_bytes();
            out.extend_from_slice(&length[..if most < 256 { 1 } else { 2 }]);
            out.extend_from_slice(bytes);
        }
        Type::Blob => unreachable!("a table with blobs is dynamic"),
    }
    let filler = if matches!(kind, Type::Char(_)) {
        b' '
    } else {
        0
    };
    out.resize(end, filler);
}

/// A `.MYD` in the making.
#[derive(Clone, Debug, Default)]
pub(in crate::jose) struct Blocks(pub Vec<u8>);

impl Blocks {
    /// A row in one block: type 01 or 03, or 02 or 04 if it is long or wanted.
    pub fn whole(&mut self, row: &[u8], big: bool) -> &mut Blocks {
        let big = big || row.len() > 0xffff;
        self.block(if big { [2, 4] } else { [1, 3] }, row, big)
    }

    /// A deleted block of so many bytes.
    pub fn deleted(&mut self, length: usize) -> &mut Blocks {
        let length = length.max(20).next_multiple_of(4);
        let end = self.0.len() + length;
        self.0.push(0);
        self.0
            .extend_from_slice(&(length as u32).to_be_bytes()[1..]);
        self.0.extend([0xff; 16]);
        self.0.resize(end, 0xaa);
        self
    }

    /// A row in pieces of the given length. The last piece is stored first, then those between
    /// from the back, so that pointers go both ways.
    pub fn pieces(&mut self, row: &[u8], piece: usize, first: u8) -> &mut Blocks {
        let pieces: Vec<&[u8]> = row.chunks(piece.next_multiple_of(4) + 1).collect();
        assert!(pieces.len() > 1, "a row in one piece is whole");
        let big = first != 5;
        let mut next = self.0.len() as u64;
        let (last, others) = pieces.split_last().expect("there are pieces");
        self.block(if big { [8, 10] } else { [7, 9] }, last, big);
        for (index, piece) in others.iter().enumerate().rev() {
            let at = self.0.len() as u64;
            match (index, first) {
                (0, 5) => self.0.push(5),
                (0, first) => self.0.push(first),
                (_, 5) => self.0.push(11),
                _ => self.0.push(12),
            }
            let row_length = (row.len() as u32).to_be_bytes();
            match (index, first) {
                (0, 5) => self.0.extend_from_slice(&row_length[2..]),
                (0, 6) => self.0.extend_from_slice(&row_length[1..]),
                (0, _) => self.0.extend_from_slice(&row_length),
                _ => {}
            }
            let length = (piece.len() as u32).to_be_bytes();
            self.0.extend_from_slice(&length[if big { 1 } else { 2 }..]);
            self.0.extend_from_slice(&next.to_be_bytes());
            self.0.extend_from_slice(piece);
            self.0.resize(self.0.len().next_multiple_of(4), 0);
            next = at;
        }
        self
    }

    fn block(&mut self, [full, with_unused]: [u8; 2], data: &[u8], big: bool) -> &mut Blocks {
        let head = if big { 4 } else { 3 };
        let is_full = (head + data.len()).is_multiple_of(4) && head + data.len() >= 20;
        let length = (data.len() as u32).to_be_bytes();
        self.0.push(if is_full { full } else { with_unused });
        self.0.extend_from_slice(&length[if big { 1 } else { 2 }..]);
        if is_full {
            self.0.extend_from_slice(data);
        } else {
            let size = (head + 1 + data.len()).next_multiple_of(4).max(20);
            let unused = size - head - 1 - data.len();
            self.0.push(unused as u8);
            self.0.extend_from_slice(data);
            self.0.resize(self.0.len() + unused, 0x55);
        }
        self
    }
}
