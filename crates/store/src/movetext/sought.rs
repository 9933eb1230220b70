//! A position that somebody looks for in games.

use std::ops::ControlFlow;

use tabiya_chess::{
    Key, Piece, Position, Rank, Role,
    mailbox::{Cell, Mailbox},
    zobrist,
};
use tabiya_formats::jose::{Error, is_continuous};
use tabiya_search::Exact;

use super::{Movetext, Player, player};

/// A position that is looked for: the pieces, the side to move, castling rights, and en passant if the
/// capture is legal.
#[derive(Clone, Debug)]
pub struct Sought {
    exact: Exact,
    key: Key,
    /// What [`Mailbox::pieces_key`] is of its pieces: all that hardly any board has, and there at once.
    pieces: u64,
    /// Pawns that have not moved: where one of them has, the position cannot come any more.
    home: Vec<(Cell, Piece)>,
}

impl Sought {
    /// Looks for a position.
    #[must_use]
    pub fn new(position: &Position) -> Sought {
        let board = position.board();
        let pieces = board.occupied().into_iter().filter_map(|square| {
            let piece = board.piece_at(square)?;
            Some(zobrist::piece(piece, square))
        });
        let pawns = board.pieces(Role::Pawn).into_iter();
        let home = pawns.filter_map(|square| {
            let piece = board.piece_at(square)?;
            let is_home = square.rank() == piece.color.rank(Rank::Second);
            is_home.then(|| (square.into(), piece))
        });
        Sought {
            exact: Exact::new(*position),
            key: Exact::key(position),
            pieces: pieces.fold(0, |key, piece| key ^ piece),
            home: home.collect(),
        }
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.exact.position()
    }

    /// Its key, as the index of a store and tables of positions have it.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key
    }

    /// Whether a board is the position.
    #[inline]
    #[must_use]
    pub fn fits(&self, board: &Mailbox) -> bool {
        board.pieces_key() == self.pieces && self.is(board)
    }

    #[cold]
    fn is(&self, board: &Mailbox) -> bool {
        player::position(board).is_some_and(|position| self.exact.fits(&position))
    }

    /// Whether it cannot come any more after a board: no pawn goes back home.
    #[inline]
    #[must_use]
    pub fn is_over(&self, board: &Mailbox) -> bool {
        // Only a capture or a pawn's move changes that. No processor foresees which move is one, so that is
        // not asked where it does not matter.
        !self.home.is_empty() && board.halfmove_clock() == 0 && self.lacks_home(board)
    }

    /// Whether a pawn that has not moved is not there.
    fn lacks_home(&self, board: &Mailbox) -> bool {
        let mut home = self.home.iter();
        home.any(|(cell, pawn)| board.piece_at(*cell) != Some(*pawn))
    }

    /// After how many plies the main line of a game has it first. A game is played no further than
    /// that, or than it can still come.
    ///
    /// # Errors
    /// If the moves are damaged, as far as they were looked at.
    #[inline]
    pub fn first_ply(&self, player: &Player, game: Movetext<'_>) -> Result<Option<u32>, Error> {
        // Where another position may follow, what is over may come back.
        let ends = is_continuous(game.moves);
        let mut found = None;
        let played = player.play_known(game, ends, |ply, board| {
            if self.fits(board) {
                found = Some(ply);
                return ControlFlow::Break(());
            }
            match ends && self.is_over(board) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        match played {
            Some(()) => Ok(found),
            None => self.first_told(game),
        }
    }

    /// The same for games that a player does not play.
    #[cold]
    fn first_told(&self, game: Movetext<'_>) -> Result<Option<u32>, Error> {
        let mut found = None;
        game.for_each_position(|ply, _, position| match self.exact.fits(position) {
            true => {
                found = Some(ply);
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        })?;
        Ok(found)
    }
}
