//! Real games and generated ones as words: what the files hold comes back, all else is counted.

use std::{collections::BTreeMap, fs, io::Read, path::Path, sync::Arc};

use tabiya_chess::{Bitboard, Color, File, Move, Position, Role, Setup, Variant};
use tabiya_formats::{
    Database, GameWriter,
    pgn::{Pgn, ReadOptions as PgnOptions},
    ply16::{Codec, Profile, ReadOptions, Terminators, cdb, decode_ply, encode_ply, file},
    registry::Certainty,
    stream::{StreamCodec, Streams},
};
use tabiya_game::{
    Event, Flow, GameErrorKind, GameResult, GameSink, GameState, GameTree, Item, LossKind, Losses,
    Place,
    generate::{Generator, Options},
};

use crate::data;

fn unpacked(path: &Path) -> Vec<u8> {
    let packed = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut bytes = Vec::new();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes),
        Some("zst") => zstd::Decoder::new(&packed[..])
            .expect("a decoder")
            .read_to_end(&mut bytes),
        _ => return packed,
    }
    .expect("sound data");
    bytes
}

/// Hands every game on.
struct Each<F> {
    tree: GameTree,
    take: F,
}

impl<F: FnMut(&GameTree)> GameSink for Each<F> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let flow = self.tree.event(event);
        if let Event::GameEnd { .. } = event {
            (self.take)(&self.tree);
        }
        flow
    }
}

fn for_each_game(database: &mut dyn Database, take: impl FnMut(&GameTree)) {
    let mut each = Each {
        tree: GameTree::default(),
        take,
    };
    while let Some(part) = database.next_part().expect("bytes can be read") {
        part.tell(&mut each).expect("games can be told");
    }
}

fn games_of(database: &mut dyn Database) -> Vec<GameTree> {
    let mut games = Vec::new();
    for_each_game(database, |game| games.push(game.clone()));
    games
}

fn open_cdb(bytes: Vec<u8>) -> cdb::Cdb<Vec<u8>> {
    let strict = ReadOptions { strict: true };
    cdb::Cdb::open(Arc::new(bytes), strict).expect("a .cdb file")
}

/// Losses by kind.
type Lost = BTreeMap<LossKind, u64>;

fn lost(losses: &Losses) -> Lost {
    losses
        .iter()
        .map(|(kind, count, _)| (kind, count))
        .collect()
}

// A model of what words hold, written without them.

/// Whether a move has no word.
fn has_no_word(before: &Position, play: Move, profile: Profile) -> bool {
    let board = before.board();
    let Some(role) = board.role_at(play.from()) else {
        return true;
    };
    if before.is_castling(play) {
        let corner = matches!(play.to().file(), File::A | File::H);
        return play.from().file() != File::E || !corner;
    }
    let kind = board.of(before.turn(), role).into_iter();
    let lower = kind.filter(|square| *square < play.from()).count();
    let most = match (role, profile) {
        (Role::King, _) => 1,
        (Role::Queen, _) | (_, Profile::Document) => 8,
        _ => 16,
    };
    lower >= most || play.promoted() == Some(Role::King)
}

/// Whether the moves of a game could not be read for want of a start.
fn has_no_start(game: &GameTree) -> bool {
    game.items.iter().any(|item| {
        matches!(item, Item::Error { kind, .. }
            if matches!(kind, GameErrorKind::BadStart | GameErrorKind::UnknownVariant))
    })
}

/// The items that words hold, and what of the others is lost.
fn held_items(game: &GameTree, profile: Profile, lost: &mut Lost) -> Vec<Item> {
    let mut held = Vec::new();
    let mut position = game.start;
    let mut depth = 0;
    let mut ended = None;
    for item in &game.items {
        let mut lose = |kind| *lost.entry(kind).or_insert(0) += 1;
        match item {
            Item::VariationStart => {
                if depth == 0 {
                    lose(LossKind::Variation);
                }
                depth += 1;
            }
            Item::VariationEnd => depth -= 1,
            // In a variation that is lost too.
            Item::Nag(_) => lose(LossKind::Nag),
            Item::Comment { .. } => lose(LossKind::Comment),
            Item::Annotation(_) => lose(LossKind::Annotation),
            Item::Error { .. } => lose(LossKind::Error),
            _ if depth > 0 => {}
            // All that follow it are lost with it.
            _ if ended.is_some() => ended.into_iter().for_each(lose),
            Item::Null => {
                lose(LossKind::NullMove);
                ended = Some(LossKind::NullMove);
            }
            Item::Move(play) if has_no_word(&position, *play, profile) => {
                lose(LossKind::Move);
                ended = Some(LossKind::Move);
            }
            Item::Move(play) => {
                held.push(item.clone());
                position.play_unchecked(*play);
            }
            Item::Missing => held.push(item.clone()),
        }
    }
    held
}

/// What comes back out of a file of tabiya.
fn through_file(game: &GameTree) -> (GameTree, Lost) {
    let mut lost = Lost::new();
    let held = GameTree {
        place: Place::default(),
        items: held_items(game, Profile::Document, &mut lost),
        state: GameState::Complete,
        ..game.clone()
    };
    (held, lost)
}

/// Whether the rights to castle are not those of chess.
fn castles_otherwise(start: &Position) -> bool {
    let rooks = start.castling_rooks();
    Color::ALL.into_iter().any(|color| {
        let rooks = rooks & Bitboard::rank(color.back_rank());
        let king = start.board().king(color).map(|king| king.file());
        let corner = |file| matches!(file, File::A | File::H);
        rooks
            .into_iter()
            .any(|rook| !corner(rook.file()) || king != Some(File::E))
    })
}

/// What comes back out of a `.cdb`, or nothing.
fn through_cdb(game: &GameTree) -> (Option<GameTree>, Lost) {
    let mut lost = Lost::new();
    let mut values: [Option<String>; 16] = Default::default();
    let mut set_up = None;
    let mut tags_lost = 0;
    for (name, value) in game.tags.iter() {
        let slot = cdb::TAGS
            .iter()
            .position(|tag| tag.eq_ignore_ascii_case(name));
        match slot {
            Some(slot) if values[slot].is_none() && !value.is_empty() => {
                // A name in another case is respelled, not lost.
                tags_lost += u64::from(value.contains('\n'));
                values[slot] = Some(value.replace('\n', " "));
            }
            None if name == "SetUp" && set_up.is_none() => set_up = Some(value),
            _ => tags_lost += 1,
        }
    }
    let variant = game.start.variant();
    if has_no_start(game) || variant == Variant::Antichess {
        lost.insert(LossKind::Start, 1);
        if tags_lost > 0 {
            lost.insert(LossKind::Tag, tags_lost);
        }
        return (None, lost);
    }
    let said = match &values[8] {
        Some(fen) => fen.parse::<Setup>().ok(),
        None => Some(Setup::INITIAL),
    };
    let said = said.and_then(|setup| Position::from_setup(&setup, Variant::Standard).ok());
    if said.map(|said| said.to_setup()) != Some(game.start.to_setup()) {
        tags_lost += u64::from(values[8].is_some());
        values[8] = Some(game.start.to_string());
    }
    let back = match castles_otherwise(&game.start) {
        true => Variant::Chess960,
        false => Variant::Standard,
    };
    if back != variant && game.tags.get("Variant").is_none() {
        lost.insert(LossKind::Start, 1);
    }
    tags_lost += u64::from(set_up.is_some_and(|value| value != "1" || values[8].is_none()));
    tags_lost += settle_result(game.result, &mut values, &mut lost);
    if tags_lost > 0 {
        lost.insert(LossKind::Tag, tags_lost);
    }
    let mut held = GameTree {
        place: Place::default(),
        start: game.start.with_variant(back).expect("the same rules"),
        items: held_items(game, Profile::Program, &mut lost),
        result: game.result,
        state: GameState::Complete,
        ..GameTree::default()
    };
    for (name, value) in cdb::TAGS.into_iter().zip(values) {
        let Some(value) = value else { continue };
        if name == "FEN" {
            held.tags.push("SetUp", "1");
        }
        held.tags.push(name, value);
    }
    (Some(held), lost)
}

/// Makes the tag `Result` say the result; how many tags are lost by that.
fn settle_result(result: GameResult, values: &mut [Option<String>; 16], lost: &mut Lost) -> u64 {
    let said = |values: &[Option<String>; 16]| {
        let tag = values[6].as_deref().and_then(|value| value.parse().ok());
        let forfeit = values[11]
            .as_deref()
            .is_some_and(|value| value.eq_ignore_ascii_case("forfeit"));
        match tag.unwrap_or_default() {
            GameResult::WhiteWins if forfeit => GameResult::WhiteWinsByForfeit,
            GameResult::BlackWins if forfeit => GameResult::BlackWinsByForfeit,
            other => other,
        }
    };
    if said(values) == result {
        return 0;
    }
    let tag_lost = u64::from(values[6].is_some());
    values[6] = Some(result.tag().to_owned());
    if said(values) != result {
        lost.insert(LossKind::Result, 1);
    }
    tag_lost
}

// Games through files.

/// Games, written to both files.
struct Writers {
    file: file::RecordWriter,
    file_bytes: Vec<u8>,
    cdb: cdb::RecordWriter,
    cdb_target: cdb::Builder<Vec<u8>>,
    /// What should come back.
    from_file: Vec<GameTree>,
    from_cdb: Vec<GameTree>,
    lost: Lost,
}

impl Writers {
    fn new() -> Writers {
        Writers {
            file: file::RecordWriter::default(),
            file_bytes: file::HEADING.to_vec(),
            cdb: cdb::RecordWriter::default(),
            cdb_target: cdb::Builder::new(Vec::new(), 0),
            from_file: Vec::new(),
            from_cdb: Vec::new(),
            lost: Lost::new(),
        }
    }

    fn write(&mut self, game: &GameTree) {
        let (held, expected) = through_file(game);
        game.tell(&mut self.file);
        assert_eq!(lost(&self.file.take_losses()), expected, "{:?}", game.tags);
        self.file_bytes.extend(self.file.take());
        self.from_file.push(held);

        let (held, expected) = through_cdb(game);
        game.tell(&mut self.cdb);
        assert_eq!(lost(&self.cdb.take_losses()), expected, "{:?}", game.tags);
        let record = self.cdb.take();
        assert_eq!(record.is_empty(), held.is_none());
        self.cdb_target.add(&record).expect("memory");
        self.from_cdb.extend(held);
        for (kind, count) in expected {
            *self.lost.entry(kind).or_insert(0) += count;
        }
    }

    /// Reads both files; how many games there are, and how many plies.
    fn finish(self) -> (usize, usize, Lost) {
        let strict = ReadOptions { strict: true };
        let bytes = self.file_bytes;
        assert_eq!(file::recognise(&bytes), Certainty::Sure);
        let mut expected = self.from_file.iter();
        let mut plies = 0;
        for_each_game(&mut file::Ply16::new(&bytes[..], strict), |game| {
            let expected = expected.next().expect("no more games than were written");
            assert_eq!(game.tags, expected.tags);
            assert_eq!(game.result, expected.result);
            let unread = |item: &Item| matches!(item, Item::Error { .. });
            match game.items.first().is_some_and(unread) {
                // What had no start when it was written has none now.
                true => assert!(expected.items.is_empty()),
                false => {
                    assert_eq!(game.start, expected.start, "{:?}", game.tags);
                    assert_eq!(game.items, expected.items, "{:?}", game.tags);
                    assert_eq!(game.state, GameState::Complete);
                }
            }
            plies += game.items.len();
        });
        assert!(expected.next().is_none());

        let bytes = self.cdb_target.finish().expect("memory");
        let mut expected = self.from_cdb.iter();
        for_each_game(&mut open_cdb(bytes), |game| {
            let game = GameTree {
                place: Place::default(),
                ..game.clone()
            };
            assert_eq!(Some(&game), expected.next());
        });
        assert!(expected.next().is_none());
        (self.from_file.len(), plies, self.lost)
    }
}

fn pgn_through_files(path: &Path) -> (usize, usize, Lost) {
    let bytes = unpacked(path);
    let mut writers = Writers::new();
    let mut pgn = Pgn::new(&bytes[..], PgnOptions::default());
    for_each_game(&mut pgn, |game| writers.write(game));
    writers.finish()
}

#[test]
fn generated_games_come_back_without_what_words_cannot_hold() {
    for (variations, chess960) in [(false, false), (true, false), (false, true), (true, true)] {
        let generator = Generator::new(Options {
            seed: 16,
            variations,
            chess960,
            ..Options::default()
        });
        let mut writers = Writers::new();
        for index in 0..300 {
            writers.write(&generator.game(index));
        }
        let (games, plies, lost) = writers.finish();
        println!("{games} games, {plies} plies, lost {lost:?}");
        assert_eq!(games, 300);
        assert_eq!(lost.contains_key(&LossKind::Variation), variations);
        // Lines of Chess960 mostly end at a castling, before a null move could.
        if !chess960 {
            assert_eq!(lost.contains_key(&LossKind::NullMove), variations);
        }
        assert_eq!(lost.contains_key(&LossKind::Move), chess960);
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn tournament_games_come_back() {
    let Some(folder) = data::find("") else { return };
    let (games, plies, lost) = pgn_through_files(&folder.join("pgn/twic-small.pgn.zst"));
    println!("{games} games, {plies} plies, lost {lost:?}");
    assert_eq!(games, 14_502);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_of_servers_come_back_without_clocks() {
    let Some(folder) = data::find("") else { return };
    let (games, plies, lost) = pgn_through_files(&folder.join("pgn/lichess.pgn.zst"));
    println!("{games} games, {plies} plies, lost {lost:?}");
    assert_eq!(games, 6_000);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn chess960_comes_back_up_to_its_castling() {
    let Some(folder) = data::find("") else { return };
    for (name, count) in [("chess960.pgn.zst", 5_224), ("chess960rwch.pgn", 20)] {
        let (games, plies, lost) = pgn_through_files(&folder.join("pgn").join(name));
        println!("{name}: {games} games, {plies} plies, lost {lost:?}");
        assert!(games >= count, "{name}");
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn annotated_games_come_back_bare() {
    let Some(folder) = data::find("") else { return };
    let mut files = 0;
    for entry in fs::read_dir(folder.join("pgn/annotated")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let (games, plies, lost) = pgn_through_files(&path);
        println!(
            "{}: {games} games, {plies} plies, lost {lost:?}",
            path.display()
        );
        files += 1;
    }
    assert_eq!(files, 27);
}

// Files that the program wrote.

/// Writes what is read, with the time of the file.
fn written_again(bytes: &[u8]) -> Vec<u8> {
    let mut database = open_cdb(bytes.to_vec());
    let mut writer = cdb::RecordWriter::default();
    let mut target = cdb::Builder::new(Vec::new(), database.created());
    while let Some(part) = database.next_part().expect("bytes can be read") {
        part.tell(&mut writer).expect("games can be told");
        target.add(&writer.take()).expect("memory");
    }
    assert!(writer.take_losses().is_empty());
    target.finish().expect("memory")
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn ten_thousand_games_of_the_program_are_those_of_the_archive() {
    let Some(folder) = data::find("") else { return };
    let bytes = unpacked(&folder.join("chessdb/games-10k.cdb.gz"));
    let length = Some(bytes.len() as u64);
    for head in [64, 512, 4_096, 65_536] {
        let guess = cdb::looks_like_cdb(&bytes[..head], length);
        let expected = if head < 100 {
            Certainty::Perhaps
        } else {
            Certainty::Sure
        };
        assert_eq!(guess, expected, "{head}");
    }
    let archive = unpacked(&folder.join("jose/games-10k.tsv.gz"));
    let archive = String::from_utf8(archive).expect("UTF-8");
    let mut rows = archive.lines().skip(1);
    let (mut games, mut plies) = (0, 0);
    let mut database = open_cdb(bytes);
    assert_eq!(database.generation(), cdb::Generation::Third);
    for_each_game(&mut database, |game| {
        let row: Vec<&str> = rows.next().expect("a row").split('\t').collect();
        let line = game.main_line();
        let moves = line.map(|(before, action)| {
            let play = action.to_move().expect("no null moves");
            before.uci(play).to_string()
        });
        assert_eq!(moves.collect::<Vec<_>>().join(" "), row[17], "game {games}");
        assert_eq!(game.state, GameState::Complete);
        assert_eq!(game.tags.get("White"), Some(row[4]), "game {games}");
        assert_eq!(game.tags.get("Black"), Some(row[5]), "game {games}");
        assert_eq!(game.items.len().to_string(), row[2], "game {games}");
        games += 1;
        plies += game.items.len();
    });
    println!("{games} games, {plies} plies");
    assert_eq!((games, rows.count()), (10_147, 0));
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn files_of_the_program_are_written_byte_for_byte() {
    let Some(folder) = data::find("") else { return };
    for name in ["games-10k.cdb.gz", "vectors.cdb"] {
        let bytes = unpacked(&folder.join("chessdb").join(name));
        assert!(written_again(&bytes) == bytes, "{name}");
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_file_of_the_program_is_that_of_its_pgn() {
    let Some(folder) = data::find("") else { return };
    let bytes = fs::read(folder.join("chessdb/vectors.cdb")).expect("a file");
    let pgn = fs::read(folder.join("chessdb/vectors.pgn")).expect("a file");
    let mut writer = cdb::RecordWriter::default();
    let mut database = Pgn::new(&pgn[..], PgnOptions::default());
    let part = database.next_part().expect("text").expect("a part");
    part.tell(&mut writer).expect("games");
    assert!(writer.take_losses().is_empty());
    let mut target = cdb::Builder::new(Vec::new(), open_cdb(bytes.clone()).created());
    target.add(&writer.take()).expect("memory");
    assert!(target.finish().expect("memory") == bytes);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_game_cut_at_every_byte_of_the_vectors_is_read_or_refused() {
    let Some(folder) = data::find("") else { return };
    let bytes = fs::read(folder.join("chessdb/vectors.cdb")).expect("a file");
    for end in 0..bytes.len() {
        let cut = Arc::new(bytes[..end].to_vec());
        if let Ok(mut database) = cdb::Cdb::open(cut, ReadOptions::default()) {
            let games = games_of(&mut database);
            assert!(
                games.iter().any(|game| game.state == GameState::Broken),
                "{end}"
            );
        }
    }
}

/// The cells of the rows of a table of vectors.
fn vectors(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let path = folder.join("../specs/vectors").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows = text.lines().skip(1);
    rows.map(|row| row.split('\t').map(str::to_owned).collect())
        .collect()
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn words_of_real_files_are_written_and_read() {
    let Some(folder) = data::find("") else { return };
    let rows = vectors(&folder, "ply16-words.tsv");
    for row in &rows {
        let setup: Setup = row[2].parse().expect("FEN");
        let before = Position::from_setup(&setup, Variant::Standard).expect("a position");
        let action = before.parse_san(&row[3]).expect("SAN");
        let play = action.to_move().expect("a move");
        for (profile, cell) in [(Profile::Document, &row[5]), (Profile::Program, &row[6])] {
            match (encode_ply(&before, play, profile), cell.strip_prefix('!')) {
                (Ok(word), None) => {
                    let streams = Streams::from(word.to_bytes(profile).to_vec());
                    assert_eq!(streams, cell.parse().expect("hex"), "{row:?}");
                    assert_eq!(decode_ply(&before, word, profile), Ok(play), "{row:?}");
                }
                (word, error) => {
                    assert_eq!(word.err().map(|e| e.name()), error, "{row:?}");
                }
            }
        }
    }
    assert_eq!(rows.len(), 113);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn streams_of_real_files_are_written_and_read() {
    let Some(folder) = data::find("") else { return };
    let mut written = 0;
    for row in vectors(&folder, "ply16-streams.tsv") {
        let profile = match row[1].as_str() {
            "document" => Profile::Document,
            _ => Profile::Program,
        };
        let start = match row[2].as_str() {
            "" => Position::initial(),
            fen => {
                let setup: Setup = fen.parse().expect("FEN");
                Position::from_setup(&setup, Variant::Standard).expect("a position")
            }
        };
        let streams: Streams = row[3].parse().expect("hex");
        let codec = Codec::new(profile).reading(ReadOptions { strict: true });
        let mut tree = GameTree::default();
        let outcome = codec.decode(&streams, &start, &mut tree);
        let name = outcome.as_ref().map_or_else(|error| error.name, |()| "ok");
        assert_eq!(name, row[4], "{row:?}");
        // The program writes no word that ends a game, and the document's mate is not check.
        let ended = row[5].contains("<draw>") || row[5].contains("<resign>");
        let is_canonical =
            !(ended && profile == Profile::Program) && row[0] != "mate-flag-with-check";
        if outcome.is_err() || !is_canonical {
            continue;
        }
        let codec = match ended {
            true => codec.with_terminators(Terminators::FromResult),
            false => codec,
        };
        let mut losses = Losses::default();
        assert_eq!(codec.encode(&tree, &mut losses), Ok(streams), "{row:?}");
        assert!(losses.is_empty(), "{row:?}");
        written += 1;
    }
    assert_eq!(written, 12);
}
