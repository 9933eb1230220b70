//! Rows, one bit each.

use arrow_buffer::NullBuffer;

const WIDTH: usize = u64::BITS as usize;

/// A bit for each of some rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    /// Those behind the last row are 0.
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// So many rows, none of which is set.
    pub fn none(len: usize) -> Bits {
        Bits {
            words: vec![0; len.div_ceil(WIDTH)],
            len,
        }
    }

    /// So many rows, all of which are set.
    pub fn all(len: usize) -> Bits {
        let mut bits = Bits {
            words: vec![u64::MAX; len.div_ceil(WIDTH)],
            len,
        };
        bits.trim();
        bits
    }

    /// A row for each value: whether it passes.
    #[inline]
    pub fn of<T: Copy>(values: &[T], test: impl Fn(T) -> bool) -> Bits {
        let words = values.chunks(WIDTH).map(|values| {
            let bits = values.iter().enumerate();
            bits.fold(0, |word, (bit, value)| {
                word | u64::from(test(*value)) << bit
            })
        });
        Bits {
            words: words.collect(),
            len: values.len(),
        }
    }

    /// So many rows: whether each passes.
    pub fn of_rows(len: usize, test: impl Fn(usize) -> bool) -> Bits {
        let mut bits = Bits::none(len);
        (0..len)
            .filter(|row| test(*row))
            .for_each(|row| bits.set(row, true));
        bits
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    pub fn get(&self, row: usize) -> bool {
        self.words[row / WIDTH] >> (row % WIDTH) & 1 == 1
    }

    pub fn set(&mut self, row: usize, value: bool) {
        let bit = 1 << (row % WIDTH);
        match value {
            true => self.words[row / WIDTH] |= bit,
            false => self.words[row / WIDTH] &= !bit,
        }
    }

    /// The rows that are set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let rest = std::iter::successors(Some(*word), |word| Some(word & word.wrapping_sub(1)));
            let rest = rest.take_while(|word| *word != 0);
            rest.map(move |word| index * WIDTH + word.trailing_zeros() as usize)
        })
    }

    /// Those that are set in both.
    pub fn and(mut self, other: &Bits) -> Bits {
        let words = self.words.iter_mut().zip(&other.words);
        words.for_each(|(word, other)| *word &= other);
        self
    }

    /// Those that are set in either.
    pub fn or(mut self, other: &Bits) -> Bits {
        let words = self.words.iter_mut().zip(&other.words);
        words.for_each(|(word, other)| *word |= other);
        self
    }

    /// Those that are not set.
    pub fn not(mut self) -> Bits {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.trim();
        self
    }

    /// Those of them that have a value.
    pub fn valid(self, nulls: Option<&NullBuffer>) -> Bits {
        let Some(nulls) = nulls else {
            return self;
        };
        let words = nulls.inner().bit_chunks().iter_padded();
        let len = self.len;
        let valid = Bits {
            words: words.take(self.words.len()).collect(),
            len,
        };
        self.and(&valid)
    }

    /// Sets the rows from one on that are set in another.
    pub fn set_from(&mut self, first: usize, other: &Bits) {
        let shift = first % WIDTH;
        for (index, word) in (first / WIDTH..).zip(&other.words) {
            self.words[index] |= word << shift;
            // What does not fit belongs to the next.
            if shift > 0 && word >> (WIDTH - shift) != 0 {
                self.words[index + 1] |= word >> (WIDTH - shift);
            }
        }
    }

    fn trim(&mut self) {
        if let (Some(last), 1..) = (self.words.last_mut(), self.len % WIDTH) {
            *last &= (1 << (self.len % WIDTH)) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_are_those_of_their_rows(
            one: Vec<bool>, first in 0usize..200, numbers: Vec<Option<i32>>
        ) {
            let bits = Bits::of(&one, |bit| bit);
            let expected: Vec<usize> = (0..one.len()).filter(|row| one[*row]).collect();
            prop_assert_eq!(bits.iter().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(&Bits::of_rows(one.len(), |row| one[row]), &bits);
            let not: Vec<usize> = (0..one.len()).filter(|row| !one[*row]).collect();
            prop_assert_eq!(bits.clone().not().iter().collect::<Vec<_>>(), not);
            prop_assert_eq!(bits.clone().and(&bits.clone().not()), Bits::none(one.len()));
            prop_assert_eq!(bits.clone().or(&bits.clone().not()), Bits::all(one.len()));
            let mut many = Bits::none(one.len() + first);
            many.set_from(first, &bits);
            let moved: Vec<usize> = expected.iter().map(|row| row + first).collect();
            prop_assert_eq!(many.iter().collect::<Vec<_>>(), moved);
            let array: arrow_array::Int32Array = numbers.iter().copied().collect();
            let valid = Bits::all(numbers.len()).valid(arrow_array::Array::nulls(&array));
            prop_assert_eq!(valid, Bits::of(&numbers, |number| number.is_some()));
        }
    }
}
