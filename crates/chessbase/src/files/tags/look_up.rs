//! What the numbers of a header mean.

use std::fmt;

use crate::files::{
    FileKind, PackedDate,
    annotators::Annotator,
    entity::{Entities, Entity},
    extended::ExtendedRecord,
    game_tags::GameTag,
    header::{GameRecord, TextRecord},
    players::Player,
    set::Tables,
    sources::Source,
    teams::Team,
    tournaments::Tournament,
};

/// Everything that a header refers to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Details {
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// The tournament.
    pub tournament: Tournament,
    /// When the tournament ended.
    pub tournament_end: PackedDate,
    /// The annotator.
    pub annotator: Annotator,
    /// The source.
    pub source: Source,
    /// White's team.
    pub white_team: Option<Team>,
    /// Black's team.
    pub black_team: Option<Team>,
    /// The title.
    pub title: Option<Box<GameTag>>,
}

/// A reference that leads nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The file it leads to.
    pub file: FileKind,
    /// The number of the record.
    pub id: u32,
    /// What is wrong with it.
    pub kind: WarningKind,
}

/// What is wrong with a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WarningKind {
    /// There is no such record: the name is empty.
    Missing,
    /// The record was deleted: the name is what is left of it.
    Deleted,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            WarningKind::Missing => "is not there",
            WarningKind::Deleted => "was deleted",
        };
        write!(f, "record {} of the {} file {what}", self.id, self.file)
    }
}

/// Looks up what the header of a game refers to. A table that is missing as a whole is no reason
/// for a warning here: that was one for the database.
pub fn look_up(
    tables: &Tables<'_>,
    record: &GameRecord,
    extended: &ExtendedRecord,
    warnings: &mut Vec<Warning>,
) -> Details {
    let mut details = Details::default();
    let mut find = Find { tables, warnings };
    find.players(record, &mut details);
    find.occasion(
        record.tournament,
        record.annotator,
        record.source,
        &mut details,
    );
    find.belongings(extended, &mut details);
    details
}

/// The same, if the game has the tournament, the annotator and the source of the game whose details
/// are given, and none of them is missing.
pub(super) fn look_up_again(
    tables: &Tables<'_>,
    record: &GameRecord,
    extended: &ExtendedRecord,
    details: &mut Details,
    warnings: &mut Vec<Warning>,
) {
    let mut find = Find { tables, warnings };
    find.players(record, details);
    find.belongings(extended, details);
}

/// Looks up what the header of a text refers to.
pub fn look_up_text(
    tables: &Tables<'_>,
    record: &TextRecord,
    warnings: &mut Vec<Warning>,
) -> Details {
    let mut details = Details::default();
    let mut find = Find { tables, warnings };
    find.occasion(
        record.tournament,
        record.annotator,
        record.source,
        &mut details,
    );
    details
}

struct Find<'t> {
    tables: &'t Tables<'t>,
    warnings: &'t mut Vec<Warning>,
}

impl Find<'_> {
    fn players(&mut self, record: &GameRecord, details: &mut Details) {
        let players = &self.tables.players;
        details.white = self.entity(players, record.white);
        details.black = self.entity(players, record.black);
    }

    fn occasion(&mut self, tournament: u32, annotator: u32, source: u32, details: &mut Details) {
        let tables = self.tables;
        details.tournament = self.entity(&tables.tournaments, tournament);
        details.tournament_end = self.end(tournament);
        details.annotator = self.entity(&tables.annotators, annotator);
        details.source = self.entity(&tables.sources, source);
    }

    /// The teams and the title.
    fn belongings(&mut self, extended: &ExtendedRecord, details: &mut Details) {
        let tables = self.tables;
        let mut team = |id: Option<u32>| id.map(|id| self.entity(&tables.teams, id));
        details.white_team = team(extended.white_team());
        details.black_team = team(extended.black_team());
        let title = extended.game_tag().filter(|id| {
            // Programs write 0 for no title as well, into databases that have none.
            *id > 0
                || tables
                    .game_tags
                    .as_ref()
                    .is_some_and(|tags| !tags.is_empty())
        });
        details.title = title.map(|id| Box::new(self.entity(&tables.game_tags, id)));
    }

    fn entity<T: Entity + Default>(&mut self, table: &Option<Entities<'_, T>>, id: u32) -> T {
        let Some(table) = table else {
            return T::default();
        };
        let record = table.get(id);
        let kind = match &record {
            None => Some(WarningKind::Missing),
            Some(record) => record.is_deleted().then_some(WarningKind::Deleted),
        };
        self.warnings.extend(kind.map(|kind| Warning {
            file: T::FILE,
            id,
            kind,
        }));
        record.map(|record| record.data).unwrap_or_default()
    }

    /// Most tournaments have no record about that, so it is never missing.
    fn end(&self, tournament: u32) -> PackedDate {
        let extras = self.tables.tournament_extras.as_ref();
        let extra = extras.and_then(|extras| extras.get(tournament));
        extra.map(|extra| extra.end).unwrap_or_default()
    }
}
