//! Openings of games, by their keys.

use std::{collections::HashSet, ops::ControlFlow, sync::LazyLock};

use datafusion::{
    arrow::array::{ArrayRef, StringViewBuilder},
    common::Result,
};
use tabiya_chess::{Position, Variant, mailbox::Mailbox};
use tabiya_formats::jose::Error;
use tabiya_search::{
    Exact,
    openings::{Opening, Openings},
};
use tabiya_store::movetext::Movetext;

use super::{arguments::Arguments, games::PLAYER};

/// What a function says of the opening of each game: the last position of its main line that has a name,
/// however the game came there.
pub(super) fn of_rows(arguments: &Arguments, say: fn(&Opening) -> &str) -> Result<ArrayRef> {
    let moves = arguments.moves(0)?;
    let mut texts = StringViewBuilder::with_capacity(arguments.rows).with_deduplicate_strings();
    for row in 0..arguments.rows {
        let opening = match moves.game(row)? {
            Some(game) => NAMED.of_game(game).map_err(|error| moves.damaged(&error))?,
            None => None,
        };
        texts.append_option(opening.map(say));
    }
    Ok(std::sync::Arc::new(texts.finish()))
}

/// The table of the program.
static NAMED: LazyLock<Named> = LazyLock::new(|| Named::new(Openings::eco()));

/// Positions with names, for boards that know their keys: most are ruled out without a look into a
/// map.
struct Named {
    openings: &'static Openings,
    keys: HashSet<u64>,
    /// A bit for each of the low bits of the keys.
    filter: Box<[u64; FILTER]>,
}

/// With 500 positions one board in thirty passes by chance.
const FILTER: usize = 256;

impl Named {
    fn new(openings: &'static Openings) -> Named {
        let keys = openings.iter().map(|(position, _)| Exact::key(position).0);
        let mut named = Named {
            openings,
            keys: HashSet::new(),
            filter: Box::new([0; FILTER]),
        };
        for key in keys {
            named.keys.insert(key);
            named.filter[word(key)] |= bit(key);
        }
        named
    }

    fn of_game(&self, game: Movetext<'_>) -> Result<Option<&'static Opening>, Error> {
        let mut found = None;
        let played = PLAYER.play_boards(game, |_, board| {
            if let Some(opening) = self.of_board(board) {
                found = Some(opening);
            }
            ControlFlow::Continue(())
        });
        if played.is_none() {
            found = None;
            game.for_each_position(|_, _, position| {
                if let Some(opening) = self.openings.of(position) {
                    found = Some(opening);
                }
                ControlFlow::Continue(())
            })?;
        }
        Ok(found)
    }

    #[inline]
    fn of_board(&self, board: &Mailbox) -> Option<&'static Opening> {
        let key = board.exact_key().0;
        match self.filter[word(key)] & bit(key) {
            0 => None,
            _ => self.of_key(key, board),
        }
    }

    #[cold]
    fn of_key(&self, key: u64, board: &Mailbox) -> Option<&'static Opening> {
        if !self.keys.contains(&key) {
            return None;
        }
        let position = Position::from_setup(&board.to_setup(), Variant::Chess960).ok()?;
        self.openings.of(&position)
    }
}

fn word(key: u64) -> usize {
    (key >> 6) as usize % FILTER
}

fn bit(key: u64) -> u64 {
    1 << (key & 63)
}
