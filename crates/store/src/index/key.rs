//! Games by the keys of their positions.

use std::ops::ControlFlow;

use tabiya_chess::{Key, Position};
use tabiya_game::{Error, Event, Flow, GameSink, Needs};
use tabiya_search::Exact;

use super::{
    answer::Rows,
    asked::{Asked, Trouble, Wanted},
    file::Damaged,
    shard::Shard,
};
use crate::{GameSet, Store};

impl Store {
    /// The games, but not the deleted ones, that have a position of a key in their main lines, as
    /// [`Exact::key`] has it. Keys collide, and nothing but the key is compared.
    ///
    /// Games that the index does not know are told on this thread: see [`Store::unindexed`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = tabiya_store::Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let store = tabiya_store::Store::open(&path)?;
    /// let start = tabiya_chess::Position::initial();
    /// assert_eq!(store.games_with_key(start.key().0, None)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If games are damaged. A damaged index is not asked.
    pub fn games_with_key(&self, key: u64, among: Option<&GameSet>) -> Result<GameSet, Error> {
        let key = Key(key);
        let mut games = GameSet::default();
        for part in self.snapshot().parts() {
            let rows = Rows::new(&part, among);
            let asked = self.ask(&part, |asked| asked.rows_of_key(key, &rows))?;
            for row in asked.games.into_iter().flatten() {
                games.insert(part.number(row));
            }
            let mut seeker = KeySeeker { key, found: false };
            self.tell_rows(&part, asked.left, &rows, &mut seeker, |number, seeker| {
                if seeker.found {
                    games.insert(number);
                }
            })?;
        }
        Ok(games)
    }
}

impl Asked<'_> {
    /// The wanted rows of games that have a position of a key.
    fn rows_of_key(&self, key: Key, wanted: &impl Wanted) -> Result<Vec<u32>, Trouble> {
        let narrow = self.file.foot.narrow(key.0);
        let (number, bits) = self.file.foot.shard_of(narrow);
        let shard = Shard::open(self.file, number)?;
        let mut rows = Vec::new();
        // Positions of one key that are different have runs of their own.
        for run in shard.runs(bits)? {
            let run = run?;
            let (row, ply) = run.example().ok_or(Damaged)?;
            if !self.is_at(row, ply, |board| board.exact_key() == key)? {
                continue;
            }
            for edge in run.edges().ok_or(Damaged)? {
                let told = edge.ok_or(Damaged)?.for_each_row(|row| rows.push(row));
                told.ok_or(Damaged)?;
            }
        }
        // What has a run is not in the table.
        if rows.is_empty() {
            for row in shard.rows(narrow)? {
                if self.has_key(row, key)? {
                    rows.push(row);
                }
            }
        }
        rows.retain(|row| wanted.has(*row));
        Ok(rows)
    }

    /// Whether a game that is in the index has a position of a key.
    fn has_key(&self, row: u32, key: Key) -> Result<bool, Trouble> {
        let Some(game) = self.segment.stored(row as usize)? else {
            return Ok(false);
        };
        let mut has = false;
        let played = self.player.play(game, |_, board, _| {
            has = board.exact_key() == key;
            match has {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        Ok(played.is_some() && has && self.file.rest()?.binary_search(&row).is_err())
    }
}

/// Hears games, and whether they have a position of a key.
struct KeySeeker {
    key: Key,
    found: bool,
}

impl KeySeeker {
    fn see(&mut self, position: &Position) -> Flow {
        self.found = Exact::key(position) == self.key;
        match self.found {
            true => Flow::SkipGame,
            false => Flow::Continue,
        }
    }
}

impl GameSink for KeySeeker {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true).after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.found = false;
                Flow::Continue
            }
            Event::Start(position) => self.see(position),
            Event::Move {
                after: Some(after), ..
            }
            | Event::Null {
                after: Some(after), ..
            } => self.see(after),
            _ => Flow::Continue,
        }
    }
}
