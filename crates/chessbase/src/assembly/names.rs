//! All files of names together.

use tabiya_game::Losses;

use super::{AssemblyError, Limits, tournaments::Tournaments};
use crate::{
    files::{
        FileKind,
        annotators::Annotator,
        entity::{Entities, Entity, Table},
        extended::ExtendedRecord,
        game_tags::GameTag,
        header::Entry,
        players::Player,
        set::Tables,
        sources::Source,
        teams::Team,
    },
    writer::StoredEntry,
};

/// What headers refer to.
pub(super) struct Names {
    players: Table<Player>,
    tournaments: Tournaments,
    annotators: Table<Annotator>,
    sources: Table<Source>,
    teams: Table<Team>,
    titles: Table<GameTag>,
}

/// Says that the file of some names is full.
fn full<T: Entity>(table: &Table<T>) -> AssemblyError {
    AssemblyError::TooManyNames {
        file: T::FILE,
        count: table.len(),
    }
}

fn number<T: Entity>(table: &mut Table<T>, name: &T, game: u32) -> Result<u32, AssemblyError> {
    table.add(name, game).ok_or_else(|| full(table))
}

/// As the extended header has it: -1 for nothing.
fn optional<T: Entity>(
    table: &mut Table<T>,
    name: Option<&T>,
    game: u32,
) -> Result<i32, AssemblyError> {
    match name {
        Some(name) => Ok(number(table, name, game)?.cast_signed()),
        None => Ok(-1),
    }
}

impl Names {
    pub fn new(limits: Limits) -> Names {
        Names {
            players: Table::with_room(limits.names),
            tournaments: Tournaments::with_room(limits.names),
            annotators: Table::with_room(limits.names),
            sources: Table::with_room(limits.names),
            teams: Table::with_room(limits.names),
            titles: Table::with_room(limits.names),
        }
    }

    /// The names of a database that is there. Nothing refers to them yet.
    pub fn of(tables: &Tables<'_>) -> Names {
        fn table<T: Entity>(entities: &Option<Entities<'_, T>>) -> Table<T> {
            Table::of(entities.iter().flat_map(Entities::iter))
        }
        Names {
            players: table(&tables.players),
            tournaments: Tournaments::of(tables),
            annotators: table(&tables.annotators),
            sources: table(&tables.sources),
            teams: table(&tables.teams),
            titles: table(&tables.game_tags),
        }
    }

    /// Says that these are the names of another database. What that keeps apart stays apart.
    pub fn keep_apart(&mut self) {
        self.tournaments.keep_apart();
    }

    /// What entries lost because others had the same names, since this was last asked.
    pub fn take_losses(&mut self) -> Losses {
        self.tournaments.take_losses()
    }

    /// Counts what an entry refers to that stays as it is.
    pub fn refer(&mut self, id: u32, entry: &Entry, extended: &ExtendedRecord) {
        let (tournament, annotator, source) = match entry {
            Entry::Game(game) => {
                self.players.refer(game.white, id);
                self.players.refer(game.black, id);
                (game.tournament, game.annotator, game.source)
            }
            Entry::Text(text) => (text.tournament, text.annotator, text.source),
            Entry::Empty => return,
        };
        self.tournaments.refer(tournament, id);
        self.annotators.refer(annotator, id);
        self.sources.refer(source, id);
        let teams = [extended.white_team(), extended.black_team()];
        for team in teams.into_iter().flatten() {
            self.teams.refer(team, id);
        }
        if let Some(title) = extended.game_tag() {
            self.titles.refer(title, id);
        }
    }

    /// Gives the names of an entry their numbers, and returns its headers with those.
    pub fn add(
        &mut self,
        id: u32,
        entry: &StoredEntry,
    ) -> Result<(Entry, ExtendedRecord), AssemblyError> {
        let (mut header, mut extended) = (entry.header, entry.extended);
        let tournament = match header {
            Entry::Empty => return Ok((header, extended)),
            _ => self.tournaments.add(entry, id),
        };
        let tournament = tournament.ok_or(AssemblyError::TooManyNames {
            file: FileKind::Tournaments,
            count: self.tournaments.len(),
        })?;
        let details = &entry.details;
        let annotator = number(&mut self.annotators, &details.annotator, id)?;
        let source = number(&mut self.sources, &details.source, id)?;
        match &mut header {
            Entry::Game(game) => {
                game.white = number(&mut self.players, &details.white, id)?;
                game.black = number(&mut self.players, &details.black, id)?;
                (game.tournament, game.annotator, game.source) = (tournament, annotator, source);
            }
            Entry::Text(text) => {
                (text.tournament, text.annotator, text.source) = (tournament, annotator, source);
            }
            Entry::Empty => {}
        }
        extended.teams = [
            optional(&mut self.teams, details.white_team.as_ref(), id)?,
            optional(&mut self.teams, details.black_team.as_ref(), id)?,
        ];
        extended.tag = optional(&mut self.titles, details.title.as_deref(), id)?;
        Ok((header, extended))
    }

    /// The files.
    pub fn files(&self) -> [(FileKind, Vec<u8>); 7] {
        [
            (FileKind::Players, self.players.to_bytes()),
            (FileKind::Tournaments, self.tournaments.to_bytes()),
            (
                FileKind::TournamentExtra,
                self.tournaments.extras_to_bytes(),
            ),
            (FileKind::Annotators, self.annotators.to_bytes()),
            (FileKind::Sources, self.sources.to_bytes()),
            (FileKind::Teams, self.teams.to_bytes()),
            (FileKind::GameTags, self.titles.to_bytes()),
        ]
    }
}
