//! What stands on a board, counted.

use tabiya_chess::{Board, Color, Role, mailbox::Mailbox};

/// How many of each piece there are: White's king, queens, rooks, bishops, knights and pawns, then
/// Black's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Men([u8; 12]);

/// In the order in which people write them.
const ROLES: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

fn place(color: Color, role: Role) -> usize {
    // Roles are numbered from the pawn to the king.
    color as usize * ROLES.len() + (ROLES.len() - 1 - role as usize)
}

impl Men {
    pub fn of_board(board: &Board) -> Men {
        let mut men = Men::default();
        for color in Color::ALL {
            for role in ROLES {
                men.0[place(color, role)] = board.of(color, role).count() as u8;
            }
        }
        men
    }

    pub fn of_mailbox(board: &Mailbox) -> Men {
        let mut men = Men::default();
        for (_, cell) in board.ids() {
            if let Some(piece) = board.piece_at(cell) {
                men.0[place(piece.color, piece.role)] += 1;
            }
        }
        men
    }

    /// As `tabiya search --material` has it: `KRPKR`.
    pub fn spell<'a>(&self, text: &'a mut String) -> &'a str {
        text.clear();
        for (index, count) in self.0.iter().enumerate() {
            let letter = ROLES[index % ROLES.len()].letter().to_ascii_uppercase();
            (0..*count).for_each(|_| text.push(letter));
        }
        text
    }

    /// In few bytes: one for two counts, if they are as small as they are in games.
    #[cfg(feature = "parquet")]
    pub fn put(&self, out: &mut Vec<u8>) {
        use crate::number::put_bytes;
        match self.0.iter().all(|count| *count < 16) {
            true => {
                let pairs = self.0.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]);
                put_bytes(&pairs.collect::<Vec<u8>>(), out);
            }
            false => put_bytes(&self.0, out),
        }
    }

    /// Takes what [`Men::put`] has written.
    #[cfg(feature = "parquet")]
    pub fn take(bytes: &mut &[u8]) -> Option<Men> {
        let bytes = crate::number::take_bytes(bytes)?;
        if let Ok(counts) = bytes.try_into() {
            return Some(Men(counts));
        }
        let pairs: [u8; 6] = bytes.try_into().ok()?;
        let mut men = Men::default();
        for (counts, pair) in men.0.chunks_exact_mut(2).zip(pairs) {
            (counts[0], counts[1]) = (pair >> 4, pair & 15);
        }
        Some(men)
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::{Position, Setup, Variant};

    use super::*;

    fn men(fen: &str) -> Men {
        let setup: Setup = fen.parse().unwrap();
        let position = Position::from_setup(&setup, Variant::Standard).unwrap();
        let men = Men::of_board(position.board());
        let spelled = tabiya_search::material::spelled(position.board());
        assert_eq!(men.spell(&mut String::new()), spelled);
        assert_eq!(men, Men::of_mailbox(&Mailbox::from_setup(&setup).unwrap()));
        men
    }

    #[test]
    fn pieces_are_spelled_as_questions_about_material_are() {
        let mut text = String::new();
        let rooks = men("4k3/8/8/r7/8/8/P7/R3K3 w - - 0 1");
        assert_eq!(rooks.spell(&mut text), "KRPKR");
        let all = Men::of_board(&Board::INITIAL);
        assert_eq!(all.spell(&mut text), "KQRRBBNNPPPPPPPPKQRRBBNNPPPPPPPP");
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn counts_come_back_however_large_they_are() {
        for fen in [
            "4k3/8/8/r7/8/8/P7/R3K3 w - - 0 1",
            "4k3/8/8/QQQQQQQQ/QQQQQQQQ/8/8/4K3 w - - 0 1",
        ] {
            let mut bytes = Vec::new();
            men(fen).put(&mut bytes);
            assert_eq!(Men::take(&mut &bytes[..]), Some(men(fen)));
        }
    }
}
