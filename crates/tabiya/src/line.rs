//! Moves as people write them.

use std::fmt::Write;

use tabiya_chess::{Color, Move, Position};

/// `1. e4 c5 2. Nf3`, from a position; `1... c5` where Black begins.
pub fn movetext(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let mut text = String::new();
    for (ply, &play) in moves.iter().enumerate() {
        if ply > 0 {
            text.push(' ');
        }
        let number = position.fullmove_number();
        // A text takes whatever is written to it.
        let _ = match position.turn() {
            Color::White => write!(text, "{number}. "),
            Color::Black if ply == 0 => write!(text, "{number}... "),
            Color::Black => Ok(()),
        };
        let _ = write!(text, "{}", position.san(play));
        position.play_unchecked(play);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_may_begin() {
        let mut position = Position::initial();
        let mut moves = Vec::new();
        for san in ["e4", "c5", "Nf3"] {
            let action = position.play_san(san.as_bytes()).expect("legal");
            moves.extend(action.to_move());
        }
        assert_eq!(movetext(&Position::initial(), &moves), "1. e4 c5 2. Nf3");
        let mut after = Position::initial();
        after.play_unchecked(moves[0]);
        assert_eq!(movetext(&after, &moves[1..]), "1... c5 2. Nf3");
        assert_eq!(movetext(&after, &[]), "");
    }
}
