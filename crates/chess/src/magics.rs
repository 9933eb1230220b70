//! Sliding attacks by multiplication.
//!
//! For each square the blockers that matter are gathered by one multiplication into an index of a
//! table of attack sets. The factors were found by random search over sparse numbers; the tests
//! walk every ray for every set of blockers. The tables (820 KiB for rooks and bishops together)
//! are made at compile time.

use crate::{Bitboard, Square};

const ROOK_STEPS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

#[rustfmt::skip]
const ROOK_FACTORS: [u64; 64] = [
    0x4380_0560_4000_1080, 0x3440_0010_0040_2000, 0x0200_0880_4410_2200, 0x0600_0810_8440_2200,
    0x8200_1020_0200_0408, 0x2600_010c_3200_1008, 0x0400_0800_9011_3402, 0x1100_0080_4aea_0900,
    0x0420_8006_2240_1080, 0xc000_4010_0040_2001, 0x1000_8010_0080_2000, 0x0823_0008_2100_9002,
    0x0802_8080_2800_0400, 0x820e_0012_0090_0408, 0x0801_0004_0100_0200, 0x0032_8000_c100_0080,
    0x0180_0040_0040_2000, 0x0400_4040_1000_2000, 0x404c_1100_2000_4108, 0x0288_2100_1001_0008,
    0x0150_8080_0800_0400, 0x2863_0100_0400_0208, 0x0140_0400_5002_0108, 0x0104_0600_2085_0044,
    0x8040_4010_8000_2080, 0x0200_4000_8080_2000, 0x0818_1000_8020_0080, 0x4402_1002_8008_0080,
    0x0080_0400_8008_0080, 0x2000_0400_8002_0080, 0x000a_082c_0002_1011, 0x2824_0402_0000_8041,
    0x16c0_4000_2080_0090, 0x8000_2010_0040_0048, 0x0801_0542_1100_2000, 0x0018_0010_0080_8008,
    0x0006_0004_1200_0960, 0x0084_0002_0080_0480, 0x0230_5002_0400_8801, 0x4800_0041_0200_00a4,
    0x8000_8160_4001_8002, 0x4208_2010_0248_4000, 0x8101_0020_0445_0010, 0x2820_0800_1000_8080,
    0x1800_0800_0400_8080, 0x0042_0004_1002_0009, 0x0000_4841_1004_0002, 0x0000_0840_9402_0021,
    0x0020_2080_0040_0080, 0x8000_2000_8040_0080, 0x4030_2001_0010_4100, 0x8029_104a_02c0_2200,
    0x5018_0100_1088_0500, 0x0005_0200_8004_0080, 0x02a0_6110_0208_2400, 0x8706_1080_410c_0200,
    0x0001_0422_4410_8202, 0x1040_4001_2418_8101, 0x2002_0010_2008_4082, 0x0110_1000_0900_0421,
    0x3022_0010_2008_0402, 0x0002_0001_1008_0402, 0x0016_0004_4088_0102, 0x0400_1c84_0100_2042,
];

#[rustfmt::skip]
const BISHOP_FACTORS: [u64; 64] = [
    0x4008_1021_4604_0010, 0x0090_a408_0080_2420, 0x0004_4c04_0944_5240, 0x2884_0502_0201_0480,
    0x000c_1421_0018_0511, 0x8141_1008_0401_4100, 0x4401_0108_0241_8082, 0x0221_0045_06a0_3020,
    0x8200_1022_1001_6200, 0x0001_8810_092a_0031, 0x0000_1008_e181_0204, 0x0120_0404_2088_0088,
    0x0000_0c05_2005_0022, 0xc000_0104_0340_0042, 0x0000_1402_0190_0804, 0x0300_0184_1905_100a,
    0x1810_0008_10a1_0820, 0x0022_0010_1421_0408, 0x0804_0042_0222_0204, 0x080a_0820_2020_4201,
    0x0002_000c_0211_0001, 0x2301_0002_1002_0120, 0x8022_2008_8804_0200, 0x0406_0010_4642_0820,
    0x0010_3004_4004_1904, 0x0662_b020_2810_0080, 0x8280_8200_1004_0219, 0x8384_0020_0812_0040,
    0x0801_0100_1010_4000, 0x0a30_8200_2088_0c21, 0x0020_9100_0208_0200, 0x0044_0040_8c82_00a8,
    0x0910_2820_8048_6301, 0x0204_0208_4002_1082, 0x0001_0241_20b8_0800, 0x1553_4008_0830_8200,
    0x0040_0501_0002_1040, 0x9820_0801_8092_406f, 0x0809_0848_9122_0204, 0x0004_0182_08a2_8064,
    0x1002_1010_0421_0a00, 0x0000_8804_0201_5002, 0x0000_1400_2800_0400, 0x1040_0442_0800_4c82,
    0x0050_0801_0110_7404, 0x0240_1000_4480_0840, 0x0020_4208_aa00_0920, 0x0148_2c82_8080_0210,
    0x1106_a401_0840_1300, 0x0001_884c_1044_2242, 0x0000_4100_4110_2022, 0x0000_6010_4202_0000,
    0x0520_0310_5212_0081, 0x0100_0820_0880_8520, 0x0820_2001_e120_e000, 0x0083_1001_0210_8290,
    0xc004_2082_1001_2000, 0xa102_230c_0201_8400, 0x0500_0230_8401_2120, 0x8010_8080_022a_0800,
    0x1001_8008_0910_2404, 0x0509_0008_2088_0080, 0x000c_5005_3004_1248, 0x0010_4111_0800_8501,
];

#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    factor: u64,
    shift: u32,
    start: u32,
}

const ROOK_SIZE: usize = 102_400;
const BISHOP_SIZE: usize = 5_248;

const ROOKS: [Magic; 64] = magics(&ROOK_FACTORS, &ROOK_STEPS);
const BISHOPS: [Magic; 64] = magics(&BISHOP_FACTORS, &BISHOP_STEPS);

#[allow(long_running_const_eval)]
static ROOK_ATTACKS: [u64; ROOK_SIZE] = table(&ROOKS, &ROOK_STEPS);
#[allow(long_running_const_eval)]
static BISHOP_ATTACKS: [u64; BISHOP_SIZE] = table(&BISHOPS, &BISHOP_STEPS);

/// The squares a rook reaches, the first blocker on each ray included.
#[inline]
pub(crate) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    static MAGICS: [Magic; 64] = ROOKS;
    Bitboard(ROOK_ATTACKS[index(&MAGICS[square.index()], occupied.0)])
}

/// The squares a bishop reaches, the first blocker on each ray included.
#[inline]
pub(crate) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    static MAGICS: [Magic; 64] = BISHOPS;
    Bitboard(BISHOP_ATTACKS[index(&MAGICS[square.index()], occupied.0)])
}

#[inline]
const fn index(magic: &Magic, occupied: u64) -> usize {
    let gathered = (occupied & magic.mask).wrapping_mul(magic.factor);
    magic.start as usize + (gathered >> magic.shift) as usize
}

const fn magics(factors: &[u64; 64], steps: &[(i8, i8); 4]) -> [Magic; 64] {
    let mut magics = [Magic {
        mask: 0,
        factor: 0,
        shift: 0,
        start: 0,
    }; 64];
    let mut start = 0;
    let mut square = 0;
    while square < 64 {
        let mask = blockers(square, steps);
        let bits = mask.count_ones();
        magics[square as usize] = Magic {
            mask,
            factor: factors[square as usize],
            shift: 64 - bits,
            start,
        };
        start += 1 << bits;
        square += 1;
    }
    magics
}

const fn table<const SIZE: usize>(magics: &[Magic; 64], steps: &[(i8, i8); 4]) -> [u64; SIZE] {
    let mut table = [0; SIZE];
    let mut square = 0;
    while square < 64 {
        let magic = &magics[square as usize];
        let mut occupied = 0u64;
        loop {
            table[index(magic, occupied)] = walk(square, occupied, steps);
            // The next subset of the mask, by the carry through the bits outside it.
            occupied = occupied.wrapping_sub(magic.mask) & magic.mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

/// The squares whose pieces can block: the rays without their last squares.
const fn blockers(square: u8, steps: &[(i8, i8); 4]) -> u64 {
    let mut set = 0;
    let mut ray = 0;
    while ray < 4 {
        let (files, ranks) = steps[ray];
        let mut at = Square::from_index(square);
        while let Some(next) = at.offset(files, ranks) {
            if next.offset(files, ranks).is_some() {
                set |= 1 << next.index();
            }
            at = next;
        }
        ray += 1;
    }
    set
}

/// The squares reached along four rays, up to and including the first blocker.
const fn walk(square: u8, occupied: u64, steps: &[(i8, i8); 4]) -> u64 {
    let mut set = 0;
    let mut ray = 0;
    while ray < 4 {
        let (files, ranks) = steps[ray];
        let mut at = Square::from_index(square);
        while let Some(next) = at.offset(files, ranks) {
            set |= 1 << next.index();
            if occupied & 1 << next.index() != 0 {
                break;
            }
            at = next;
        }
        ray += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_blockers_gives_the_walked_squares() {
        for square in Square::all() {
            for (steps, attacks) in [
                (&ROOK_STEPS, rook as fn(Square, Bitboard) -> Bitboard),
                (&BISHOP_STEPS, bishop),
            ] {
                let at = square.index() as u8;
                let mask = blockers(at, steps);
                let mut occupied = 0u64;
                loop {
                    // Squares off the rays and at their ends must not matter.
                    for noise in [0, !mask] {
                        assert_eq!(
                            attacks(square, Bitboard(occupied | noise)).0,
                            walk(at, occupied, steps),
                            "{square} {occupied:#x}"
                        );
                    }
                    occupied = occupied.wrapping_sub(mask) & mask;
                    if occupied == 0 {
                        break;
                    }
                }
            }
        }
    }
}
