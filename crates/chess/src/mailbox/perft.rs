//! Counting the ways a position can go on: the proof of a move generator.

use super::Mailbox;
use crate::Move;

/// How many sequences of legal moves of a length there are.
///
/// The last ply is counted, not played.
///
/// ```
/// use tabiya_chess::{Setup, mailbox};
///
/// let board = mailbox::Mailbox::from_setup(&Setup::INITIAL)?;
/// assert_eq!(mailbox::perft(&board, 3), 8902);
/// # Ok::<(), tabiya_chess::NotAPosition>(())
/// ```
#[must_use]
pub fn perft(board: &Mailbox, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.legal_moves().len() as u64,
        _ => each_move(board, depth).map(|(_, count)| count).sum(),
    }
}

/// The same, for each first move; nothing at depth 0.
#[must_use]
pub fn divide(board: &Mailbox, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    each_move(board, depth).collect()
}

fn each_move(board: &Mailbox, depth: u32) -> impl Iterator<Item = (Move, u64)> + '_ {
    let moves = board.legal_moves();
    (0..moves.len()).map(move |index| {
        let mut next = board.clone();
        next.play(moves[index]);
        (moves[index], perft(&next, depth - 1))
    })
}
