//! Which runs and copies to write: the cheapest way through a block.
//!
//! Hash chains find the longest copy at every place; then the cheapest sequence of tokens is
//! computed from the end of the block to its beginning. What a token costs is up to
//! [`Prices`]: whole bytes if nothing follows, else the lengths of the codes that the Huffman
//! stage gave to a first attempt.
//!
//! Like ChessBase's own packer, this one stays within the block and never copies what the copy
//! itself writes: readers that can do less than the format allows will do.

use super::{
    huffman::Codes,
    lz::{MAX_COPY, MAX_DISTANCE, MAX_RUN, MAX_SHORT_COPY, MAX_SHORT_RUN, MIN_LENGTH, Token},
};

const HASH_BITS: u32 = 13;

/// Places looked at for one copy. On 1.7 MB of a real database 64, 128, 256 and 1,024 give 742,854,
/// 742,591, 742,565 and 742,565 bytes.
const MAX_CHAIN: usize = 128;

/// A copy of this length is not worth looking for a longer one.
const COPY_ENOUGH: usize = 128;

/// No place in the block. A block is shorter than that.
const NOWHERE: u16 = u16::MAX;

/// What tokens cost, in 16ths of a bit.
pub(super) struct Prices {
    bytes: [u32; 256],
    /// A token's share of the control word.
    control: u32,
}

impl Prices {
    /// Every byte costs eight bits.
    pub fn plain() -> Prices {
        Prices {
            bytes: [8 * 16; 256],
            control: 16,
        }
    }

    /// Bytes cost what the Huffman stage makes of them.
    pub fn coded(codes: &Codes) -> Prices {
        let bytes = std::array::from_fn(|byte| match codes.bits(byte as u8) {
            // It did not occur. If it does now, its code will be one of the longest.
            0 => 12 * 16,
            bits => bits * 16,
        });
        // Control words are coded like everything else: a little less than a bit for a token.
        Prices { bytes, control: 14 }
    }

    fn of(&self, byte: u8) -> u32 {
        self.bytes[usize::from(byte)]
    }

    fn of_token(&self, token: Token) -> u32 {
        let (bytes, len) = token.bytes();
        let price = |&byte: &u8| self.of(byte);
        self.control + bytes[..len].iter().map(price).sum::<u32>()
    }
}

/// Finds tokens for one block after the other, and keeps its memory in between.
pub(super) struct Matcher {
    /// The last place of each hash of three bytes.
    heads: Vec<u16>,
    /// The place before of the same hash.
    previous: Vec<u16>,
    places: Vec<Place>,
}

/// What could be written at a place of the block.
#[derive(Clone, Copy, Default)]
struct Place {
    run: u16,
    /// The longest copy, 0 if there is none.
    copy: u16,
    distance: u16,
}

impl Matcher {
    pub fn new() -> Matcher {
        Matcher {
            heads: Vec::new(),
            previous: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Looks at a block, of less than 65,535 bytes.
    pub fn find(&mut self, block: &[u8]) {
        debug_assert!(block.len() < usize::from(NOWHERE));
        self.heads.clear();
        self.heads.resize(1 << HASH_BITS, NOWHERE);
        self.previous.clear();
        self.places.clear();
        self.places.resize(block.len(), Place::default());
        self.find_runs(block);
        for at in 0..block.len().saturating_sub(MIN_LENGTH - 1) {
            let hash = hash(&block[at..], self.places[at].run);
            let before = self.places[at.saturating_sub(1)];
            let (copy, distance) = if usize::from(before.copy) > COPY_ENOUGH {
                (usize::from(before.copy) - 1, usize::from(before.distance))
            } else {
                self.longest_copy(block, at, self.heads[hash])
            };
            self.places[at].copy = copy as u16;
            self.places[at].distance = distance as u16;
            self.previous.push(self.heads[hash]);
            self.heads[hash] = at as u16;
        }
    }

    fn find_runs(&mut self, block: &[u8]) {
        let mut run = 0;
        for at in (0..block.len()).rev() {
            let goes_on = block.get(at + 1) == Some(&block[at]);
            run = if goes_on { run + 1 } else { 1 };
            self.places[at].run = run;
        }
    }

    /// Length and distance of the longest copy that does not overlap; of two, the nearer.
    fn longest_copy(&self, block: &[u8], at: usize, head: u16) -> (usize, usize) {
        let ahead = &block[at..(at + MAX_COPY).min(block.len())];
        let (mut best, mut distance) = (0, 0);
        let mut candidate = head;
        for _ in 0..MAX_CHAIN {
            if candidate == NOWHERE || at - usize::from(candidate) > MAX_DISTANCE {
                break;
            }
            let behind = &block[usize::from(candidate)..at];
            // Only worth a look if it agrees where the best one so far ends.
            if behind.get(best) == ahead.get(best) {
                let length = common_prefix(ahead, behind);
                if length > best && behind.len() >= MIN_LENGTH {
                    (best, distance) = (length, behind.len());
                    if best >= COPY_ENOUGH.min(ahead.len()) {
                        break;
                    }
                }
            }
            candidate = self.previous[usize::from(candidate)];
        }
        match best >= MIN_LENGTH {
            true => (best, distance),
            false => (0, 0),
        }
    }

    /// The cheapest tokens for the block that was last looked at.
    pub fn tokens(&self, block: &[u8], prices: &Prices) -> Vec<Token> {
        // What the rest of the block costs from each place on, and how it begins.
        let mut rest = vec![0; block.len() + 1];
        let mut steps = vec![Step::Literal; block.len()];
        for (at, place) in self.places.iter().enumerate().rev() {
            let literal = prices.control + prices.of(block[at]) + rest[at + 1];
            let mut cheapest = Cheapest {
                cost: literal,
                step: Step::Literal,
            };
            place.offer_runs(block[at], prices, &rest[at..], &mut cheapest);
            place.offer_copies(prices, &rest[at..], &mut cheapest);
            rest[at] = cheapest.cost;
            steps[at] = cheapest.step;
        }
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            let token = self.places[at].token(*step, block[at]);
            tokens.push(token);
            at += match token {
                Token::Literal(_) => 1,
                Token::Run { length, .. } | Token::Copy { length, .. } => length,
            };
        }
        tokens
    }
}

/// What to write at a place, as small as can be.
#[derive(Clone, Copy)]
enum Step {
    Literal,
    Run(u16),
    Copy(u16),
}

struct Cheapest {
    cost: u32,
    step: Step,
}

impl Cheapest {
    fn offer(&mut self, cost: u32, step: Step) {
        if cost < self.cost {
            *self = Cheapest { cost, step };
        }
    }
}

/// A long run or copy is taken whole or not at all; of a short one every part is considered.
impl Place {
    fn token(self, step: Step, value: u8) -> Token {
        match step {
            Step::Literal => Token::Literal(value),
            Step::Run(length) => Token::Run {
                value,
                length: usize::from(length),
            },
            Step::Copy(length) => Token::Copy {
                distance: usize::from(self.distance),
                length: usize::from(length),
            },
        }
    }

    /// `rest` is what the rest of the block costs after a number of bytes.
    fn offer_runs(self, value: u8, prices: &Prices, rest: &[u32], cheapest: &mut Cheapest) {
        let run = usize::from(self.run);
        if run > MAX_SHORT_RUN {
            let length = run.min(MAX_RUN);
            let cost = prices.of_token(Token::Run { value, length }) + rest[length];
            cheapest.offer(cost, Step::Run(length as u16));
            return;
        }
        let same = prices.control + prices.of(value);
        let short = rest.iter().enumerate().take(run + 1);
        for (length, rest) in short.skip(MIN_LENGTH) {
            let cost = same + prices.bytes[length - MIN_LENGTH] + rest;
            cheapest.offer(cost, Step::Run(length as u16));
        }
    }

    fn offer_copies(self, prices: &Prices, rest: &[u32], cheapest: &mut Cheapest) {
        let (distance, copy) = (usize::from(self.distance), usize::from(self.copy));
        if copy > MAX_SHORT_COPY {
            let token = Token::Copy {
                distance,
                length: copy,
            };
            let cost = prices.of_token(token) + rest[copy];
            cheapest.offer(cost, Step::Copy(self.copy));
            return;
        }
        let wide = distance.saturating_sub(MIN_LENGTH);
        let same = prices.control + prices.bytes[wide >> 4];
        let short = rest.iter().enumerate().take(copy + 1);
        for (length, rest) in short.skip(MIN_LENGTH) {
            let cost = same + prices.bytes[length << 4 | wide & 15] + rest;
            cheapest.offer(cost, Step::Copy(length as u16));
        }
    }
}

/// Three bytes; or, where a run begins, the run and what follows it. A copy that ends with the run
/// is no better than the run, and in files full of zeros nearly all places look alike.
fn hash(bytes: &[u8], run: u16) -> usize {
    let key = match usize::from(run) < MIN_LENGTH {
        true => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]),
        false => {
            let next = bytes.get(usize::from(run)).copied().unwrap_or(0);
            let [low, high] = run.to_le_bytes();
            u32::from_le_bytes([bytes[0], low, high, next])
        }
    };
    // Fibonacci hashing: the golden ratio spreads what differs in few bits.
    (key.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize
}

/// How long two slices agree. Eight bytes at a time: most of the time is spent here.
fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let mut length = 0;
    let (left_words, right_words) = (left.as_chunks::<8>().0, right.as_chunks::<8>().0);
    for (&left, &right) in left_words.iter().zip(right_words) {
        let difference = u64::from_le_bytes(left) ^ u64::from_le_bytes(right);
        if difference != 0 {
            return length + difference.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let rest = left[length..].iter().zip(&right[length..]);
    length + rest.take_while(|(left, right)| left == right).count()
}
