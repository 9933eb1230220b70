//! Openings that many games share.
//!
//! The book is a tree that nobody stores: the key of a position and the seed decide how popular
//! each move is, so that every game finds the same favourites without knowing the others.

use std::cmp::Reverse;

use tabiya_chess::{Move, MoveList, Position};

use super::{
    player::Sight,
    random::{Random, mix},
};

/// How many plies of a game come from the book.
pub(super) const PLIES: u16 = 20;

/// The weights of the favourites in the first moves: 3600 divided by the square of the rank.
const BROAD: [u32; 8] = [3_600, 900, 400, 225, 144, 100, 73, 56];

/// The weights later on, by the cube: theory has fewer answers than there are first moves.
/// Divided by the rank alone, as words are used, 7 of 500 games met again after six plies. With
/// these, 10,000 games have 2,300 positions after six plies and 6,200 after twelve; a real
/// collection of 4,085 annotated games has 20 and 55 in a hundred.
const NARROW: [u32; 8] = [3_600, 450, 133, 56, 29, 17, 10, 7];

/// How many plies are broad.
const BROAD_PLIES: usize = 4;

/// The favourites differ in taste by so many centipawns.
const TASTE: u64 = 80;

/// A move from the book, the most popular ones more often.
pub(super) fn choose(
    position: &Position,
    sight: &Sight<'_>,
    moves: &MoveList,
    seed: u64,
    ply: usize,
    random: &mut Random,
) -> Option<Move> {
    let node = mix(seed ^ mix(position.key().0));
    let mut ranked = Vec::with_capacity(moves.len());
    sight.scores(moves, |play, score| {
        let taste = mix(node ^ u64::from(play.to_bits())) % TASTE;
        ranked.push((Reverse(score + taste as i32), play));
    });
    ranked.sort_unstable();
    let weights = if ply < BROAD_PLIES { BROAD } else { NARROW };
    ranked.truncate(weights.len());
    let sum = weights[..ranked.len()].iter().sum();
    let mut left = random.below(sum);
    for ((_, play), weight) in ranked.into_iter().zip(weights) {
        if left < weight {
            return Some(play);
        }
        left -= weight;
    }
    None
}
