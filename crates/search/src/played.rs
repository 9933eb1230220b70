//! Which moves a SAN can be the name of.

use tabiya_chess::{Extra, Move, Position, Role, Square, Step};

/// Whether a step has that SAN, check signs left out; `None` if what else could go there decides
/// how it is written.
pub(crate) fn is_played(san: &str, step: &Step) -> Option<bool> {
    if let Extra::Castling(rook, _) = step.extra {
        let towards_h = rook.file() > step.from.file();
        return Some(san == if towards_h { "O-O" } else { "O-O-O" });
    }
    if target(san) != Some((step.piece.role, step.to)) {
        return Some(false);
    }
    match step.piece.role {
        Role::Pawn => Some(san == pawn_san(step)),
        _ => None,
    }
}

/// Whether one of these can be the SAN of a move.
pub(crate) fn may_be_played(sans: &[String], before: &Position, play: Move) -> bool {
    let way = before
        .board()
        .role_at(play.from())
        .map(|role| (role, play.to()));
    before.is_castling(play) || way.is_none() || sans.iter().any(|san| target(san) == way)
}

/// Which piece goes where; castling goes nowhere.
pub(crate) fn target(san: &str) -> Option<(Role, Square)> {
    let role = match san.bytes().next()? {
        b'a'..=b'h' => Role::Pawn,
        letter => Role::from_letter(char::from(letter))?,
    };
    let (way, _) = san.split_once('=').unwrap_or((san, ""));
    match way.as_bytes() {
        [.., file, rank] => Some((role, Square::from_ascii(*file, *rank)?)),
        _ => None,
    }
}

/// What a pawn does is written in one way.
fn pawn_san(step: &Step) -> String {
    let mut san = String::new();
    if step.taken.is_some() {
        san.extend([step.from.file().letter(), 'x']);
    }
    san.push_str(&step.to.to_string());
    if let Extra::Promotion(role) = step.extra {
        san.extend(['=', role.letter()]);
    }
    san
}

#[cfg(test)]
mod tests {
    use tabiya_chess::{Position, Setup, Variant};

    use super::*;

    #[test]
    fn a_step_has_the_name_of_its_move() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1pP1P3/2N2Q1p/PP1BBPPP/R3K2R b KQkq c3 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ] {
            let setup: Setup = fen.parse().unwrap();
            let position = Position::from_setup(&setup, Variant::Standard).unwrap();
            let moves = position.legal_moves();
            let sans: Vec<String> = moves
                .iter()
                .map(|play| position.san_without_suffix(*play).to_string())
                .collect();
            for (play, name) in moves.iter().zip(&sans) {
                let step = position.step_of(*play).unwrap();
                for san in &sans {
                    let known = is_played(san, &step);
                    let may_be = may_be_played(std::slice::from_ref(san), &position, *play);
                    assert!(may_be || san != name, "{san}");
                    assert!(
                        known.is_none_or(|known| known == (san == name)),
                        "{san} {name}"
                    );
                    assert!(known.is_some() || step.piece.role != Role::Pawn);
                }
            }
        }
    }

    #[test]
    fn what_is_no_move_is_never_played() {
        let position = Position::initial();
        let step = position.step_of(position.legal_moves()[0]).unwrap();
        for san in ["", "N", "N9", "=Q", "é", "Né9", "e", "0-0", "O-O-O-O"] {
            assert_eq!(is_played(san, &step), Some(false), "{san}");
        }
    }
}
