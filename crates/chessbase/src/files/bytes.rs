//! Records as a row of fields: taken off one after the other, and put back the same way, so that
//! the code reads like the table of the layout.

/// What is left of a record that is read.
///
/// A record is checked for its length before; a field that does not fit is an error in the
/// layout, not in the file.
pub(super) struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    pub(super) fn new(record: &'b [u8]) -> Fields<'b> {
        Fields(record)
    }

    pub(super) fn array<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self
            .0
            .split_first_chunk()
            .expect("records have full length");
        self.0 = rest;
        *field
    }

    pub(super) fn u8(&mut self) -> u8 {
        u8::from_be_bytes(self.array())
    }

    pub(super) fn u16_be(&mut self) -> u16 {
        u16::from_be_bytes(self.array())
    }

    pub(super) fn u24_be(&mut self) -> u32 {
        let [high, middle, low] = self.array();
        u32::from_be_bytes([0, high, middle, low])
    }

    pub(super) fn u32_be(&mut self) -> u32 {
        u32::from_be_bytes(self.array())
    }

    pub(super) fn i32_be(&mut self) -> i32 {
        i32::from_be_bytes(self.array())
    }

    pub(super) fn i64_be(&mut self) -> i64 {
        i64::from_be_bytes(self.array())
    }

    pub(super) fn u64_be(&mut self) -> u64 {
        u64::from_be_bytes(self.array())
    }

    pub(super) fn i32_le(&mut self) -> i32 {
        i32::from_le_bytes(self.array())
    }

    pub(super) fn u32_le(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    /// All that has not been taken.
    pub(super) fn rest(self) -> &'b [u8] {
        self.0
    }
}

/// A record of `N` bytes that is written.
pub(super) struct Record<const N: usize> {
    bytes: [u8; N],
    at: usize,
}

impl<const N: usize> Record<N> {
    pub(super) fn new() -> Record<N> {
        Record {
            bytes: [0; N],
            at: 0,
        }
    }

    pub(super) fn put(mut self, field: &[u8]) -> Record<N> {
        self.bytes[self.at..self.at + field.len()].copy_from_slice(field);
        self.at += field.len();
        self
    }

    pub(super) fn u8(self, value: u8) -> Record<N> {
        self.put(&[value])
    }

    pub(super) fn u16_be(self, value: u16) -> Record<N> {
        self.put(&value.to_be_bytes())
    }

    /// The lower 24 bits.
    pub(super) fn u24_be(self, value: u32) -> Record<N> {
        let [_, high, middle, low] = value.to_be_bytes();
        self.put(&[high, middle, low])
    }

    pub(super) fn u32_be(self, value: u32) -> Record<N> {
        self.put(&value.to_be_bytes())
    }

    pub(super) fn i32_be(self, value: i32) -> Record<N> {
        self.put(&value.to_be_bytes())
    }

    pub(super) fn i64_be(self, value: i64) -> Record<N> {
        self.put(&value.to_be_bytes())
    }

    pub(super) fn u64_be(self, value: u64) -> Record<N> {
        self.put(&value.to_be_bytes())
    }

    pub(super) fn i32_le(self, value: i32) -> Record<N> {
        self.put(&value.to_le_bytes())
    }

    pub(super) fn u32_le(self, value: u32) -> Record<N> {
        self.put(&value.to_le_bytes())
    }

    pub(super) fn done(self) -> [u8; N] {
        debug_assert_eq!(self.at, N, "the fields fill the record");
        self.bytes
    }
}
