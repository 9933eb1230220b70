//! Whether the files of a database are whole, as far as their own headers can tell.
//!
//! Copies that were broken off, disks that were full: the header of each file says how long it
//! was when it was written. Games that are still there are read all the same.
//!
//! Seven files every database has. Of the others, one that is not there is missing if something
//! says that it was:
//!
//! | file | is missing |
//! |---|---|
//! | `.cbj` | of a database with entries whose header has 44 bytes in use: every program that writes such headers writes it; those of ChessBase 6 and Light have 36 |
//! | `.cbtt` | of the same databases, if they have a tournament: whether it said something about one, nobody knows any more |
//! | `.cbe` | if a game has a team by its `.cbj` |
//! | `.cbl` | if a game has a title by its `.cbj`. Programs give number 0 to all games, mostly a title without words; whether it was, nobody knows any more |
//! | `.flags`, `.ini` | never: a program writes them when somebody asks for it |

use crate::files::{
    FileKind,
    entity::{Entities, Entity},
    extended::ExtendedRecord,
    header::RECORD,
    set::{FileSet, Tables},
    stores::StoreHeader,
    tournament_extra::TournamentExtras,
};

/// Bytes of a header in use since programs write extended headers beside it.
const USED_SINCE_EXTENDED: u16 = 44;

/// What is missing, one sentence for each file.
pub(crate) fn warnings(files: &FileSet, tables: &Tables<'_>) -> Vec<String> {
    let missing = files.missing();
    let mut warnings: Vec<String> = missing
        .map(|kind| format!("the {kind} file is missing"))
        .collect();
    warnings.extend(lost_files(files, tables));
    warnings.extend(tables.errors.iter().map(ToString::to_string));
    let length = files.get(FileKind::Headers).map_or(0, |file| file.len());
    let records = (length / RECORD).saturating_sub(1);
    let headers = i64::from(tables.headers.header().next_game) - 1;
    warnings.extend(too_few(FileKind::Headers, headers, records));
    for kind in [FileKind::Moves, FileKind::Annotations] {
        warnings.extend(files.get(kind).and_then(|file| cut_store(kind, file)));
    }
    if let Some(extended) = &tables.extended {
        let count = i64::from(extended.header().count);
        warnings.extend(too_few(FileKind::Extended, count, extended.len() as usize));
    }
    warnings.extend(tables.tournament_extras.as_ref().and_then(cut_extras));
    warnings.extend(cut_names(&tables.players));
    warnings.extend(cut_names(&tables.tournaments));
    warnings.extend(cut_names(&tables.annotators));
    warnings.extend(cut_names(&tables.sources));
    warnings.extend(cut_names(&tables.teams));
    warnings.extend(cut_names(&tables.game_tags));
    warnings
}

/// Files that need not be there, but were.
fn lost_files(files: &FileSet, tables: &Tables<'_>) -> Vec<String> {
    let lacks = |kind| files.get(kind).is_none();
    let mut warnings = Vec::new();
    let mut missing = |kind: FileKind, what: &str| {
        warnings.push(format!("the {kind} file is missing: {what}"));
    };
    let headers = &tables.headers;
    let is_late = headers.header().used >= USED_SINCE_EXTENDED;
    if is_late && !headers.is_empty() && lacks(FileKind::Extended) {
        missing(FileKind::Extended, "teams and titles are not known");
    }
    let has_tournaments = tables
        .tournaments
        .as_ref()
        .is_some_and(|table| !table.is_empty());
    if is_late && has_tournaments && lacks(FileKind::TournamentExtra) {
        let what = "when tournaments ended, and more about them, is not known";
        missing(FileKind::TournamentExtra, what);
    }
    let Some(extended) = &tables.extended else {
        return warnings;
    };
    let count = |has: &dyn Fn(&ExtendedRecord) -> bool| {
        let ids = 1..=extended.len().min(headers.len());
        ids.filter(|id| has(&extended.get(*id))).count()
    };
    if lacks(FileKind::Teams) {
        let games = count(&|game| game.white_team().or(game.black_team()).is_some());
        if games > 0 {
            let what = format!("the teams of {games} games are not known");
            missing(FileKind::Teams, &what);
        }
    }
    if lacks(FileKind::GameTags) {
        let games = count(&|game| game.game_tag().is_some());
        if games > 0 {
            let what = format!("the titles of {games} games are not known");
            missing(FileKind::GameTags, &what);
        }
    }
    warnings
}

/// Files say the number of the last record, which is 0 too if there is none.
fn cut_extras(extras: &TournamentExtras<'_>) -> Option<String> {
    let last = i64::from(extras.header().last);
    let announced = match last {
        0 => i64::from(!extras.is_whole()),
        last => last + 1,
    };
    too_few(FileKind::TournamentExtra, announced, extras.len() as usize)
}

fn too_few(kind: FileKind, announced: i64, found: usize) -> Option<String> {
    let missing = announced > i64::try_from(found).unwrap_or(i64::MAX);
    missing.then(|| format!("the {kind} file is cut off: it has {found} of {announced} records"))
}

fn cut_names<T: Entity>(table: &Option<Entities<'_, T>>) -> Option<String> {
    let table = table.as_ref()?;
    too_few(
        T::FILE,
        i64::from(table.header().records),
        table.len() as usize,
    )
}

/// The length in the header has 32 bits: in a file of more than 4 GiB it says nothing.
fn cut_store(kind: FileKind, file: &[u8]) -> Option<String> {
    let Some(header) = StoreHeader::from_bytes(file) else {
        return Some(format!("the {kind} file does not begin with its header"));
    };
    let (found, announced) = (file.len(), header.size as usize);
    let is_cut = found < announced;
    is_cut.then(|| format!("the {kind} file is cut off: it has {found} of {announced} bytes"))
}
