//! Real databases: their tables are written as they were read, their trees are those that we
//! build, their headers say what the games beside them say.

use std::{
    borrow::Cow,
    cmp::Ordering,
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};

use tabiya_chessbase::files::{
    Ending, FileKind, RatingType,
    annotators::Annotator,
    avl::{Node, Tree, TreeError, check},
    entity::{Entities, Entity, Table},
    extended::{Extended, ExtendedRecord},
    flags_file::Flags,
    game_tags::GameTag,
    header::{Entry, GameRecord, Headers},
    ini::Ini,
    players::Player,
    set::{FileSet, Tables},
    sources::Source,
    stores::StoreHeader,
    tags::{Details, FromMoves, game_tags, look_up, look_up_text, parts, text_tags},
    teams::Team,
    tournament_extra::TournamentExtras,
    tournaments::Tournament,
};
use tabiya_formats::pgn::Parser;
use tabiya_game::{GameTree, Tags};

use crate::{below, data};

/// All files of the family below a folder, with their kinds.
fn files(folder: &Path) -> Vec<(FileKind, PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for path in below::files(folder) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if let Some(kind) = extension.and_then(FileKind::from_extension) {
            let bytes = fs::read(&path).expect("a file");
            found.push((kind, path, bytes));
        }
    }
    found.sort();
    found
}

/// The databases below a folder: all that have headers.
fn databases(folder: &Path) -> Vec<(PathBuf, FileSet)> {
    let headers = files(folder).into_iter();
    let headers = headers.filter(|(kind, _, _)| *kind == FileKind::Headers);
    headers
        .map(|(_, path, _)| (path.clone(), FileSet::open(path).expect("a database")))
        .collect()
}

/// Every byte is a character, so that nothing can be lost on the way.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn encode(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.chars().map(|c| u8::try_from(c).unwrap_or(b'?'));
    Cow::Owned(bytes.collect())
}

/// A file, read and written again. What is left of a record that the end of the file cuts off is
/// no record.
fn rewritten(kind: FileKind, bytes: &[u8]) -> Vec<u8> {
    match kind {
        FileKind::Headers => {
            let headers = Headers::new(bytes).expect("headers");
            let mut written = headers.header().to_bytes().to_vec();
            written.extend(headers.iter().flat_map(|(_, entry)| entry.to_bytes()));
            written
        }
        FileKind::Moves | FileKind::Annotations => {
            let header = StoreHeader::from_bytes(bytes).expect("a header");
            assert_eq!(u64::from(header.size), bytes.len() as u64);
            [header.to_bytes().as_slice(), &bytes[header.len()..]].concat()
        }
        FileKind::Extended => {
            let extended = Extended::new(bytes).expect("extended headers");
            let header = extended.header();
            let mut written = header.to_bytes(header.count).to_vec();
            for id in 1..=extended.len() {
                written.extend(&extended.get(id).to_bytes()[..header.record_size as usize]);
            }
            written
        }
        FileKind::Players => rewritten_names::<Player>(bytes),
        FileKind::Tournaments => rewritten_names::<Tournament>(bytes),
        FileKind::Annotators => rewritten_names::<Annotator>(bytes),
        FileKind::Sources => rewritten_names::<Source>(bytes),
        FileKind::Teams => rewritten_names::<Team>(bytes),
        FileKind::GameTags => rewritten_names::<GameTag>(bytes),
        FileKind::TournamentExtra => {
            let extras = TournamentExtras::new(bytes).expect("extras");
            let mut written = extras.header().to_bytes().to_vec();
            for extra in (0..extras.len()).filter_map(|id| extras.get(id)) {
                written.extend(extra.to_bytes(extras.header().record_size as usize));
            }
            written
        }
        FileKind::Flags => Flags::from_bytes(bytes).expect("flags").to_bytes(),
        FileKind::Ini => Ini::from_bytes(bytes).to_bytes(),
        other => panic!("{other}"),
    }
}

fn rewritten_names<T: Entity>(bytes: &[u8]) -> Vec<u8> {
    let names = Entities::<T>::new(bytes).expect("names");
    let mut written = names.header().to_bytes();
    names.iter().for_each(|record| record.write(&mut written));
    written
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_file_is_written_as_it_was_read() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let mut counts = BTreeMap::new();
    for (kind, path, bytes) in files(&folder) {
        assert!(rewritten(kind, &bytes) == bytes, "{}", path.display());
        *counts.entry(kind).or_insert(0) += 1;
    }
    println!("{counts:?}");
    assert!(counts.len() == FileKind::ALL.len(), "{counts:?}");
}

/// How a tree of a file compares with ours.
#[derive(PartialEq, Eq, Debug, Default)]
struct TreeReport {
    records: usize,
    checked: Option<TreeError>,
    /// The tree that grows if names are added by their numbers is the same, node for node.
    reproduced: bool,
}

fn tree_report<T: Entity>(bytes: &[u8], compare: fn(&T, &T) -> Ordering) -> TreeReport {
    let names = Entities::<T>::new(bytes).expect("names");
    let records: Vec<_> = names.iter().collect();
    let nodes: Vec<Node> = records.iter().map(|record| record.node).collect();
    let at = |id: i32| &records[id as usize].data;
    let checked = check(&nodes, names.header().root, |a, b| compare(at(a), at(b)));
    // Deleted records are in no tree, and numbers of ours have no gaps.
    let live: Vec<i32> = (0..)
        .zip(&nodes)
        .filter(|(_, node)| !node.is_deleted())
        .map(|(id, _)| id)
        .collect();
    let mut tree = Tree::new();
    for id in &live {
        tree.insert(|other| compare(at(*id), at(live[other as usize])));
    }
    let number = |ours: i32| usize::try_from(ours).map_or(ours, |ours| live[ours]);
    let same = live.iter().zip(tree.nodes()).all(|(id, ours)| {
        let ours = Node {
            left: number(ours.left),
            right: number(ours.right),
            ..*ours
        };
        ours == nodes[*id as usize]
    });
    TreeReport {
        records: records.len(),
        checked: checked.err(),
        reproduced: same && (live.is_empty() || number(tree.root()) == names.header().root),
    }
}

fn any_tree_report(kind: FileKind, bytes: &[u8]) -> Option<TreeReport> {
    Some(match kind {
        FileKind::Players => tree_report::<Player>(bytes, Entity::compare),
        FileKind::Tournaments => tree_report::<Tournament>(bytes, Entity::compare),
        FileKind::Annotators => tree_report::<Annotator>(bytes, Entity::compare),
        FileKind::Sources => tree_report::<Source>(bytes, Entity::compare),
        FileKind::Teams => tree_report::<Team>(bytes, Entity::compare),
        FileKind::GameTags => tree_report::<GameTag>(bytes, Entity::compare),
        _ => return None,
    })
}

/// Files to which names were only added have the tree that we build. In one old database names were
/// replaced, so that its trees depend on what was there before; its players are sorted by signed
/// bytes.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn trees_are_those_that_we_build() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let (mut all, mut same, mut nodes) = (0, 0, 0);
    for (kind, path, bytes) in files(&folder) {
        let Some(report) = any_tree_report(kind, &bytes) else {
            continue;
        };
        all += 1;
        same += usize::from(report.reproduced);
        nodes += report.records;
        let old = path.to_string_lossy().contains("old/linares");
        if !report.reproduced || report.checked.is_some() {
            println!("{} {report:?}", path.display());
        }
        assert!(
            report.checked.is_none() || old,
            "{} {report:?}",
            path.display()
        );
        assert!(report.reproduced || old, "{} {report:?}", path.display());
    }
    println!("{same} of {all} trees, {nodes} nodes");
}

/// The program copies whole buffers: most names have something behind their end.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn what_stands_behind_names_is_no_part_of_them() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let (mut names, mut leftovers) = (0, 0);
    for (_, _, bytes) in files(&folder)
        .iter()
        .filter(|file| file.0 == FileKind::Players)
    {
        for record in Entities::<Player>::new(bytes).expect("players").iter() {
            let Player { last, first } = record.data;
            let clean = Player::new(last.text(), first.text());
            assert_eq!(clean, record.data);
            assert!(!clean.last.has_leftovers() && !clean.first.has_leftovers());
            names += 1;
            leftovers += usize::from(last.has_leftovers() || first.has_leftovers());
        }
    }
    println!("{leftovers} of {names} players");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn one_old_file_is_sorted_by_signed_bytes() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let path = folder.join("morphy/database/old/linares.cbp");
    let Ok(bytes) = fs::read(path) else { return };
    let signed = |a: &Player, b: &Player| {
        let last = a.last.compare_signed(&b.last);
        last.then_with(|| a.first.compare_signed(&b.first))
    };
    let [by_signed, by_unsigned] =
        [signed, Entity::compare].map(|compare| tree_report::<Player>(&bytes, compare).checked);
    assert!(
        matches!(by_unsigned, Some(TreeError::WrongOrder(..))),
        "{by_unsigned:?}"
    );
    assert!(
        !matches!(by_signed, Some(TreeError::WrongOrder(..))),
        "{by_signed:?}"
    );
}

/// The records that games and texts use, and who uses them, in their order.
#[derive(Default)]
struct Uses {
    players: Vec<(u32, u32)>,
    tournaments: Vec<(u32, u32)>,
    annotators: Vec<(u32, u32)>,
    sources: Vec<(u32, u32)>,
    teams: Vec<(u32, u32)>,
    titles: Vec<(u32, u32)>,
}

fn uses(tables: &Tables<'_>) -> Uses {
    let mut uses = Uses::default();
    for (id, entry) in tables.headers.iter() {
        let (tournament, annotator, source) = match entry {
            Entry::Game(game) => {
                uses.players.extend([(game.white, id), (game.black, id)]);
                (game.tournament, game.annotator, game.source)
            }
            Entry::Text(text) => (text.tournament, text.annotator, text.source),
            _ => continue,
        };
        uses.tournaments.push((tournament, id));
        uses.annotators.push((annotator, id));
        uses.sources.push((source, id));
        let extended = tables.extended.as_ref().map(|extended| extended.get(id));
        let Some(extended) = extended else { continue };
        let teams = [extended.white_team(), extended.black_team()];
        uses.teams
            .extend(teams.into_iter().flatten().map(|team| (team, id)));
        uses.titles
            .extend(extended.game_tag().map(|title| (title, id)));
    }
    uses
}

/// Live records of which references or first game are not those that the headers have.
fn wrong_counts<T: Entity>(table: &Option<Entities<'_, T>>, uses: &[(u32, u32)]) -> usize {
    let mut counted = HashMap::new();
    for (record, game) in uses {
        counted.entry(*record).or_insert((0, *game as i32)).0 += 1;
    }
    let records = table.iter().flat_map(|table| (0..).zip(table.iter()));
    let live = records.filter(|(_, record)| !record.is_deleted());
    live.filter(|(id, record)| match counted.get(id) {
        Some(counted) => *counted != (record.references, record.first_game),
        None => record.references != 0,
    })
    .count()
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn references_are_counted_as_the_program_counts() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    for (path, files) in databases(&folder) {
        let tables = files.tables().expect("tables");
        let uses = uses(&tables);
        let wrong = [
            wrong_counts(&tables.players, &uses.players),
            wrong_counts(&tables.tournaments, &uses.tournaments),
            wrong_counts(&tables.annotators, &uses.annotators),
            wrong_counts(&tables.sources, &uses.sources),
            wrong_counts(&tables.teams, &uses.teams),
            wrong_counts(&tables.game_tags, &uses.titles),
        ];
        let extended = tables.extended.map_or(0, |extended| extended.len());
        match extended >= tables.headers.len() {
            // One player of this database has a game too many.
            _ if path.ends_with("old/linares.cbh") => assert_eq!(wrong, [1, 0, 0, 0, 0, 0]),
            true => assert_eq!(wrong, [0; 6], "{}", path.display()),
            // The games that refer to teams and titles are not told.
            false => assert_eq!(wrong[..4], [0; 4], "{}", path.display()),
        }
    }
}

/// Whether names that are added game by game get the numbers that they have, and all else that
/// the program writes about them.
fn is_ours<T: Entity>(theirs: &Option<Entities<'_, T>>, uses: &[(u32, u32)]) -> Option<bool> {
    let theirs = theirs.as_ref()?;
    let mut table = Table::new();
    for (record, game) in uses {
        table.add(&theirs.get(*record)?.data, *game);
    }
    let bytes = table.to_bytes();
    let ours = Entities::<T>::new(&bytes).expect("our file");
    let same_root = theirs.is_empty() || ours.header().root == theirs.header().root;
    Some(same_root && ours.iter().eq(theirs.iter()))
}

/// The files of names are those that ChessBase wrote, but for what stands behind names.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn files_of_names_are_those_that_we_write() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let (mut same, mut different) = (0, Vec::new());
    for (path, files) in databases(&folder) {
        let tables = files.tables().expect("tables");
        let uses = uses(&tables);
        for (kind, ours) in [
            (FileKind::Players, is_ours(&tables.players, &uses.players)),
            (
                FileKind::Tournaments,
                is_ours(&tables.tournaments, &uses.tournaments),
            ),
            (
                FileKind::Annotators,
                is_ours(&tables.annotators, &uses.annotators),
            ),
            (FileKind::Sources, is_ours(&tables.sources, &uses.sources)),
            (FileKind::Teams, is_ours(&tables.teams, &uses.teams)),
            (FileKind::GameTags, is_ours(&tables.game_tags, &uses.titles)),
        ] {
            match ours {
                Some(true) => same += 1,
                Some(false) => different.push((kind, path.clone())),
                None => {}
            }
        }
    }
    println!("{same} files are the same, others: {different:#?}");
    for name in ["BielMTO.cbh", "Chess960Biel.cbh"] {
        assert!(!different.iter().any(|(_, path)| path.ends_with(name)));
    }
    assert!(same > 2 * different.len(), "{different:?}");
}

/// The checksum of an extended header. The one database that has it wrong was not written by
/// ChessBase.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn extended_headers_have_our_checksum() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let (mut right, mut wrong) = (0, 0);
    for (path, files) in databases(&folder) {
        let tables = files.tables().expect("tables");
        let Some(extended) = tables.extended else {
            continue;
        };
        for id in 1..=extended.len() {
            let record = extended.get(id);
            let same = record.sum() == record.checksum;
            let foreign = path.ends_with("test-annotations.cbh");
            assert!(same || foreign, "{} {id}", path.display());
            right += usize::from(same);
            wrong += usize::from(!same);
        }
    }
    println!("{right} right, {wrong} wrong");
}

/// A rating that is not there has no kind, and offsets are those of the short header.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn extended_headers_agree_with_headers() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let mut counts = BTreeMap::new();
    for (path, files) in databases(&folder) {
        let tables = files.tables().expect("tables");
        let Some(extended) = tables.extended.filter(Extended::has_offsets) else {
            continue;
        };
        for (id, entry) in tables.headers.iter().take(extended.len() as usize) {
            let (Entry::Game(game), record) = (entry, extended.get(id)) else {
                continue;
            };
            let where_ = (path.display(), id);
            assert_eq!(i64::from(game.moves), record.moves, "{where_:?}");
            assert_eq!(
                i64::from(game.annotations),
                record.annotations,
                "{where_:?}"
            );
            for (elo, rating) in [game.white_elo, game.black_elo].iter().zip(record.ratings) {
                let kind = match () {
                    () if rating == RatingType::fide() => "FIDE",
                    () if rating == RatingType::default() => "none",
                    () => "other",
                };
                let entry = counts.entry((extended.header().version, *elo > 0, kind));
                *entry.or_insert(0) += 1;
            }
        }
    }
    println!("{counts:?}");
}

/// Games that were entered by hand on one day.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_know_when_they_were_created() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let Ok(files) = FileSet::open(folder.join("libcbh/Annotation/TestBase.cbh")) else {
        return;
    };
    for (record, extended, _) in games(&tables_of(&files)) {
        let date = record.date.to_string().replace('.', "-");
        let created = extended.created.moment().expect("a moment").to_string();
        assert!(created.starts_with(&date), "{created}");
        if let Some(saved) = extended.saved.moment() {
            assert!(saved.to_string().starts_with(&date), "{saved}");
        }
    }
}

fn tables_of(files: &FileSet) -> Tables<'_> {
    let tables = files.tables().expect("tables");
    assert_eq!(tables.errors, []);
    tables
}

/// Header, extended header and what they refer to, of all games.
fn games(tables: &Tables<'_>) -> Vec<(GameRecord, ExtendedRecord, Details)> {
    let mut warnings = Vec::new();
    let mut games = Vec::new();
    for (id, entry) in tables.headers.iter() {
        let extended = tables.extended.as_ref();
        let extended = extended
            .map(|extended| extended.get(id))
            .unwrap_or_default();
        if let Entry::Game(game) = entry {
            let details = look_up(tables, &game, &extended, &mut warnings);
            games.push((game, extended, details));
        }
    }
    assert_eq!(warnings, []);
    games
}

fn pgn_games(path: &Path) -> Vec<GameTree> {
    let text = fs::read_to_string(path).expect("a PGN file");
    let mut parser = Parser::new(text.trim_start_matches('\u{feff}'));
    let mut games = Vec::new();
    let mut tree = GameTree::default();
    while parser.read_game(&mut tree) {
        games.push(tree.clone());
    }
    games
}

fn utf8_bytes(text: &str) -> Cow<'_, [u8]> {
    text.as_bytes().into()
}

fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => decode(bytes),
    }
}

/// The export of ChessBase itself: the same tags in the same order.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn tags_are_those_of_an_export() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let base = folder.join("libcbh/Annotation");
    let Ok(files) = FileSet::open(base.join("TestBase.cbh")) else {
        return;
    };
    let exported = pgn_games(&base.join("TestBaseExport.pgn"));
    let games = games(&tables_of(&files));
    assert_eq!(games.len(), exported.len());
    for ((record, extended, details), export) in games.iter().zip(exported) {
        let moves = FromMoves {
            plies: Some(export.main_line().count()),
            ..FromMoves::default()
        };
        let tags = game_tags(record, extended, details, &moves, &utf8);
        assert_eq!(tags, export.tags);
        let count = GameRecord::count_moves(export.main_line().count(), false);
        assert_eq!(record.moves_count, count);
    }
}

/// The files that ChessBase imported. Titles, ids of FIDE and clocks have no place in headers;
/// boards became rounds within the round; of `Hornung, Hans, Dr.` ChessBase forgets the doctor.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn headers_hold_what_was_imported() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    for (base, pgn) in [
        (
            "libcbh/NormalGames/BielMTO.cbh",
            "libcbh/NormalGames/BielMTO.pgn",
        ),
        (
            "libcbh/Chess960Biel/Chess960Biel.cbh",
            "libcbh/Chess960Biel/Chess960.pgn",
        ),
    ] {
        let Ok(files) = FileSet::open(folder.join(base)) else {
            continue;
        };
        let games = games(&tables_of(&files));
        let imported = pgn_games(&folder.join(pgn));
        assert_eq!(games.len(), imported.len());
        for ((record, extended, details), import) in games.iter().zip(imported) {
            let moves = FromMoves::default();
            let told = game_tags(record, extended, details, &moves, &utf8);
            let ours = parts(&import.tags, &moves, &utf8_bytes, &utf8);
            let again = game_tags(&ours.record, &ours.extended, &ours.details, &moves, &utf8);
            compare_import(&told, &again, &import.tags);
        }
    }
}

fn compare_import(told: &Tags, again: &Tags, import: &Tags) {
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "Result"] {
        let again = again.get(name).map(|name| name.trim_end_matches(", Dr."));
        assert_eq!(told.get(name), again, "{import:?}");
    }
    for name in ["WhiteElo", "BlackElo", "WhiteTeam", "BlackTeam"] {
        assert_eq!(told.get(name), again.get(name), "{import:?}");
        assert_eq!(told.get(name), import.get(name), "{import:?}");
    }
}

/// Another program's idea of the same headers. It does not know subrounds of unknown rounds.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn headers_say_what_another_reader_says() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let (mut compared, mut different) = (0, BTreeMap::new());
    for (path, files) in databases(&folder) {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let pgn = folder.join(format!("pgn/{name}.pgn"));
        if !pgn.is_file() || path.to_string_lossy().contains("morphy/games") {
            continue;
        }
        let games = games(&tables_of(&files));
        let others = pgn_games(&pgn);
        assert_eq!(games.len(), others.len(), "{name}");
        for ((record, extended, details), other) in games.iter().zip(others) {
            let told = game_tags(record, extended, details, &FromMoves::default(), &utf8);
            for (tag, value) in other.tags.iter() {
                if matches!(tag, "FEN" | "SetUp" | "Variant") {
                    continue;
                }
                compared += 1;
                if told.get(tag) != Some(value) {
                    let entry = different.entry((name.clone(), tag.to_string()));
                    let entry = entry.or_insert((0, String::new()));
                    entry.0 += 1;
                    entry.1 = format!("{:?} {value:?}", told.get(tag));
                }
            }
        }
    }
    println!("{compared} tags compared, different: {different:?}");
    let rounds = ("Hedgehog".to_string(), "Round".to_string());
    assert!(different.keys().all(|key| *key == rounds), "{different:?}");
}

/// Every real header comes back from its own tags, but for what tags do not tell.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn headers_come_back_from_their_tags() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let mut count = 0;
    for (path, files) in databases(&folder) {
        let tables = tables_of(&files);
        if tables.players.is_none() {
            continue;
        }
        let moves = FromMoves::default();
        for (record, extended, details) in games(&tables) {
            let tags = game_tags(&record, &extended, &details, &moves, &decode);
            let parts = parts(&tags, &moves, &encode, &decode);
            let place = (path.display(), &tags);
            assert_eq!(parts.leftovers, [], "{place:?}");
            let [ours, theirs] = [parts.record, record];
            for (ours, theirs) in [
                (ours.date.0, theirs.date.0),
                (ours.ending.to_byte().into(), theirs.ending.to_byte().into()),
                (ours.line_nag.into(), theirs.line_nag.into()),
                (ours.round.into(), theirs.round.into()),
                (ours.subround.into(), theirs.subround.into()),
                (ours.white_elo.into(), theirs.white_elo.into()),
                (ours.black_elo.into(), theirs.black_elo.into()),
                (ours.medals.0.into(), theirs.medals.0.into()),
                (ours.eco.index().into_iter().map(u32::from).sum(), {
                    theirs.eco.index().into_iter().map(u32::from).sum()
                }),
            ] {
                assert_eq!(ours, theirs, "{place:?}");
            }
            let again = &parts.details;
            assert_eq!((again.white, again.black), (details.white, details.black));
            assert_eq!(
                (again.source, again.annotator),
                (details.source, details.annotator)
            );
            let known = |team: Option<Team>| team.filter(|team| *team != Team::default());
            assert_eq!(again.white_team, known(details.white_team), "{place:?}");
            assert_eq!(again.black_team, known(details.black_team), "{place:?}");
            let tournament = Tournament {
                kind: again.tournament.kind,
                flags: 0,
                ..details.tournament
            };
            assert_eq!(again.tournament, tournament, "{place:?}");
            count += 1;
        }
    }
    println!("{count} headers");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn texts_have_tags_too() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let (mut count, mut warnings) = (0, Vec::new());
    for (_, files) in databases(&folder) {
        let tables = tables_of(&files);
        for (_, entry) in tables.headers.iter() {
            if let Entry::Text(text) = entry {
                let details = look_up_text(&tables, &text, &mut warnings);
                let tags = text_tags(&text, &details, &decode);
                assert!(tags.get("White").is_none());
                count += 1;
            }
        }
    }
    assert_eq!(warnings, []);
    println!("{count} texts");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn nags_judge_lines_alone() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    for (path, files) in databases(&folder) {
        for (id, entry) in files.tables().expect("tables").headers.iter() {
            if let Entry::Game(game) = entry {
                assert!(
                    !matches!(game.ending, Ending::Other(_)),
                    "{} {id}",
                    path.display()
                );
                assert!(game.line_nag == 0 || game.ending == Ending::Line);
            }
        }
    }
}

/// Cut off anywhere, or with a wrong bit, a file is refused or read; nothing panics.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn damaged_files_are_read_as_far_as_they_go() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    for (kind, path, bytes) in files(&folder) {
        let long = kind == FileKind::Moves || kind == FileKind::Annotations;
        let bytes = &bytes[..bytes.len().min(if long { 64 } else { 8192 })];
        let step = (bytes.len() / 200).max(1);
        for cut in (0..bytes.len())
            .step_by(step)
            .chain(0..bytes.len().min(120))
        {
            look_at(kind, &bytes[..cut]);
        }
        let mut spoilt = bytes.to_vec();
        for place in (0..bytes.len())
            .step_by(step)
            .chain(0..bytes.len().min(120))
        {
            for bit in [0, 4, 7] {
                spoilt[place] ^= 1 << bit;
                look_at(kind, &spoilt);
                spoilt[place] ^= 1 << bit;
            }
        }
        assert!(spoilt == bytes, "{}", path.display());
    }
}

/// Reads a file that may be damaged, as the only companion of a header that refers to it.
fn look_at(kind: FileKind, bytes: &[u8]) {
    let headers = {
        let game = GameRecord {
            white: 3,
            black: 0xff_ffff,
            ..GameRecord::default()
        };
        let header = tabiya_chessbase::files::header::FileHeader::new(1);
        [header.to_bytes(), game.to_bytes()].concat()
    };
    let tables = Tables::new(|other| match other {
        _ if other == kind => Some(bytes),
        FileKind::Headers => Some(headers.as_slice()),
        _ => None,
    });
    if let Ok(tables) = tables {
        let mut warnings = Vec::new();
        for (id, entry) in tables.headers.iter().take(20) {
            let extended = tables.extended.as_ref().map(|extended| extended.get(id));
            let extended = extended.unwrap_or_default();
            let tags = match &entry {
                Entry::Game(game) => {
                    let details = look_up(&tables, game, &extended, &mut warnings);
                    game_tags(game, &extended, &details, &FromMoves::default(), &decode)
                }
                Entry::Text(text) => {
                    let details = look_up_text(&tables, text, &mut warnings);
                    text_tags(text, &details, &decode)
                }
                _ => continue,
            };
            let _ = parts(&tags, &FromMoves::default(), &encode, &decode);
        }
    }
    let _ = (
        StoreHeader::from_bytes(bytes),
        Flags::from_bytes(bytes),
        Ini::from_bytes(bytes),
    );
    if kind == FileKind::Players && bytes.len() > 28 && Entities::<Player>::new(bytes).is_ok() {
        let _ = any_tree_report(kind, bytes);
    }
}
