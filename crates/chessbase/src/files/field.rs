//! A text in a field of fixed length.

use std::{cmp::Ordering, fmt};

/// A text of up to `N` bytes, ended by a zero where it is shorter.
///
/// ChessBase copies its own buffer into the file, so what follows the zero is whatever was there
/// before. It is kept, so that a record is written as it was read, but it does not count: two
/// fields are equal if their texts are.
#[derive(Clone, Copy)]
pub struct Field<const N: usize>([u8; N]);

impl<const N: usize> Field<N> {
    /// A field as it stands in a file.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; N]) -> Field<N> {
        Field(bytes)
    }

    /// A field that holds as much of a text as fits before a last zero, and nothing but zeros
    /// after it.
    #[must_use]
    pub fn new(text: &[u8]) -> Field<N> {
        Field::of(text, N - 1)
    }

    /// A field that holds as much of a text as fits, without a zero if it is full. ChessBase fills
    /// the names of teams and nothing else.
    #[must_use]
    pub fn filled(text: &[u8]) -> Field<N> {
        Field::of(text, N)
    }

    fn of(text: &[u8], room: usize) -> Field<N> {
        let end = text.iter().position(|byte| *byte == 0);
        let text = &text[..end.unwrap_or(text.len()).min(room)];
        let mut bytes = [0; N];
        bytes[..text.len()].copy_from_slice(text);
        Field(bytes)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        let end = self.0.iter().position(|byte| *byte == 0).unwrap_or(N);
        &self.0[..end]
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    /// All bytes of the field.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// Whether bytes other than zeros follow the text.
    #[must_use]
    pub fn has_leftovers(&self) -> bool {
        self.0[self.text().len()..].iter().any(|byte| *byte != 0)
    }

    /// The order of the program for bytes from 0 to 255.
    #[must_use]
    pub fn compare_unsigned(&self, other: &Field<N>) -> Ordering {
        self.text().cmp(other.text())
    }

    /// The order of the program for bytes from -128 to 127. The zero that ends a text takes part:
    /// a longer text may come before a shorter one that it begins with.
    #[must_use]
    pub fn compare_signed(&self, other: &Field<N>) -> Ordering {
        let signed =
            |field: &Field<N>, at: usize| field.text().get(at).map_or(0, |byte| byte.cast_signed());
        let different = (0..N).find(|at| self.text().get(*at) != other.text().get(*at));
        different.map_or(Ordering::Equal, |at| {
            signed(self, at).cmp(&signed(other, at))
        })
    }
}

impl<const N: usize> Default for Field<N> {
    fn default() -> Field<N> {
        Field([0; N])
    }
}

impl<const N: usize> PartialEq for Field<N> {
    fn eq(&self, other: &Field<N>) -> bool {
        self.text() == other.text()
    }
}

impl<const N: usize> Eq for Field<N> {}

impl<const N: usize> std::hash::Hash for Field<N> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl<const N: usize> fmt::Debug for Field<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.text().escape_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_keeps_its_last_byte_for_the_zero() {
        assert_eq!(Field::<4>::new(b"abcdef").text(), b"abc");
        assert_eq!(Field::<4>::new(b"a\0b").text(), b"a");
        assert_eq!(Field::<4>::filled(b"abcdef").text(), b"abcd");
        assert_eq!(Field::<4>::from_bytes(*b"abcd").text(), b"abcd");
    }

    #[test]
    fn what_follows_the_zero_does_not_count() {
        let field = Field::from_bytes(*b"ab\0xy");
        assert!(field.has_leftovers());
        assert_eq!(field, Field::new(b"ab"));
    }

    #[test]
    fn signed_bytes_come_before_the_end_of_a_text() {
        let [short, long] = [Field::<8>::new(b"Lek"), Field::new(b"Lek\xf3")];
        assert_eq!(short.compare_unsigned(&long), Ordering::Less);
        assert_eq!(short.compare_signed(&long), Ordering::Greater);
        assert_eq!(short.compare_signed(&Field::new(b"Leka")), Ordering::Less);
        assert_eq!(short.compare_signed(&short), Ordering::Equal);
    }
}
