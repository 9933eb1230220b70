//! What goes into a segment comes out of it.

use arrow_buffer::Buffer;
use tabiya_formats::{GameWriter, pgn::Parser};
use tabiya_game::{
    GameState, GameTree, Place,
    generate::{Generator, Options},
};

use super::{build::Builder, read::Segment};
use crate::{
    row::Row,
    snapshot::Damage,
    tag::{COLUMNS, OWN, is_taken},
    writer::RowWriter,
};

/// Puts games into a segment and reads it.
fn segment(games: &[GameTree]) -> Segment {
    let mut writer = RowWriter::new(Default::default());
    let mut builder = Builder::new();
    for game in games {
        game.tell(&mut writer);
    }
    writer.take_rows().iter().for_each(|row| builder.add(row));
    assert!(writer.take_losses().is_empty());
    open(builder)
}

fn open(builder: Builder) -> Segment {
    let (mut games, mut moves) = (Vec::new(), Vec::new());
    let contents = builder.write(&mut games, &mut moves).unwrap();
    let buffer = |bytes| Ok(Buffer::from_vec(bytes));
    Segment::open(buffer(games), buffer(moves), &contents)
}

fn come_back(games: &[GameTree]) {
    all_come_back(&segment(games), games);
}

fn all_come_back(segment: &Segment, games: &[GameTree]) {
    for (row, game) in games.iter().enumerate() {
        let mut again = GameTree::default();
        let damage = Damage::Refused;
        segment
            .tell(row, Place::default(), damage, &mut again)
            .unwrap();
        again.place = game.place;
        again.restore_places();
        assert_eq!(again, *game, "{:?}", game.tags);
    }
}

fn pgn(text: &str) -> Vec<GameTree> {
    let mut parser = Parser::new(text);
    let mut games = Vec::new();
    loop {
        let mut game = GameTree::default();
        if !parser.read_game(&mut game) {
            return games;
        }
        games.push(game);
    }
}

#[test]
fn generated_games_come_back() {
    let generator = Generator::new(Options::default());
    let games: Vec<GameTree> = (0..3_000).map(|index| generator.game(index)).collect();
    come_back(&games);
}

#[test]
fn odd_tags_come_back_in_their_order() {
    come_back(&pgn(
        "[WhiteElo \"2500?\"]\n[White \"One\"]\n[White \"Two\"]\n[Result \"1-0\"]\n[Date \"1883\"]\n\
         [BlackElo \"2500\"]\n[Odd \"\"]\n[Result \"*\"]\n\n1. e4 *\n\n\
         [Black \"Three\"]\n[Event \"\"]\n[Date \"1883.??.??\"]\n\n1. d4 1-0\n\n1. c4 0-1\n",
    ));
}

/// A game whose tags are called as columns are, in both cases.
fn with_tags_like_columns() -> Vec<GameTree> {
    let names = COLUMNS.iter().map(|column| column.name).chain(OWN);
    let tags: String = names
        .flat_map(|name| [name.to_owned(), name.to_ascii_uppercase()])
        .map(|name| format!("[{name} \"text\"]\n"))
        .collect();
    pgn(&format!("{tags}\n1. e4 {{[%clk 0:03:00]}} e5 1-0\n"))
}

#[test]
fn a_tag_is_not_taken_for_a_column_of_its_name() {
    come_back(&with_tags_like_columns());
    for name in OWN {
        come_back(&pgn(&format!("[{name} \"antichess\"]\n\n1. e4 *\n")));
    }
}

#[test]
fn nor_is_one_that_an_earlier_version_gave_a_column() {
    let games = with_tags_like_columns();
    let names = COLUMNS.iter().map(|column| column.name).chain(OWN);
    let names: Vec<Box<str>> = names.map(Box::from).collect();
    let mut writer = RowWriter::new(Default::default());
    games[0].tell(&mut writer);
    let mut builder = Builder::with_tags(&names);
    writer.take_rows().iter().for_each(|row| builder.add(row));
    all_come_back(&open(builder), &games);
}

#[test]
fn all_columns_that_are_not_of_tags_are_known() {
    let games = pgn(
        "[White \"One\"]\n[Elo \"2500\"]\n[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n\n1. Ka2 Ke8 *\n",
    );
    let mut writer = RowWriter::new(Default::default());
    games[0].tell(&mut writer);
    let mut builder = Builder::with_tags(&[]);
    writer.take_rows().iter().for_each(|row| builder.add(row));
    for (name, _) in builder.arrays() {
        assert!(is_taken(&name), "{name}");
    }
}

#[test]
fn games_with_and_without_tags_keep_their_own() {
    come_back(&pgn(
        "[White \"One\"]\n[Black \"Two\"]\n\n1. e4 *\n\n1. d4 *\n\n[White \"One\"]\n[Black \"Two\"]\n\n1. c4 *\n\n\
         [White \"One\"]\n\n1. e4 *\n\n[White \"Three\"]\n[Black \"Two\"]\n\n1. e4 *\n\n[White \"Four\"]\n[Black \"Two\"]\n\n1. e4 *\n",
    ));
}

#[test]
fn clocks_and_evaluations_come_back_where_they_stood() {
    come_back(&pgn(
        "1. e4 { [%eval 0.17] [%clk 0:00:30] } e5 $1 {[%clk 0:00:29]} 2. Nf3 {[%clk 0:00:28]} $2 \
         Nc6 {text} {[%clk 0:00:27]} 3. Bb5 {[%clk 0:00:26]} (3. Bc4 {[%clk 0:00:25]} Bc5) a6 \
         {[%clk 0:00:24]} {and text} 4. Ba4 { [%eval #-3] } *\n",
    ));
}

#[test]
fn judgements_come_back_where_they_stood() {
    let judged = " (0.17 → -0.53) Mistake. Qh6+ was best. ";
    let shown = " [%eval -0.53] [%clk 0:01:14] ";
    for (comments, are_apart) in [
        (vec![judged, shown], true),
        (vec![judged, shown, "text"], true),
        (vec!["text", shown], true),
        (vec!["text", shown, "text"], true),
        (vec![judged, "text", shown], false),
        (vec!["text", judged, shown], false),
        (vec![judged, judged, shown], false),
        (vec![judged], false),
        (vec![shown, judged], true),
    ] {
        for (glyphs, behind) in [("", ""), ("$2 ", ""), ("", " $2"), ("$4 ", " $2")] {
            let comments: Vec<String> = comments.iter().map(|it| format!("{{{it}}}")).collect();
            let comments = comments.join(" ");
            let text = format!(
                "1. e4 {{ [%eval 0.17] }} e5 {glyphs}{comments}{behind} (1... c5 {comments}) 2. Nf3 {comments} *"
            );
            let games = pgn(&text);
            come_back(&games);
            let mut row = Row::default();
            segment(&games).row(0, &mut row).unwrap();
            assert_eq!(!row.notes.clocks.is_empty(), are_apart, "{text}");
        }
    }
}

#[test]
fn games_of_all_kinds_come_back() {
    come_back(&pgn(
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 40\"]\n[SetUp \"1\"]\n\n{Before} 40. e4 Ke7 1/2-1/2\n\n\
         [Variant \"Chess960\"]\n[FEN \"nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1\"]\n\n\
         1. e4 O-O *\n\n1. e4 Ke5 2. d4 *\n\n1. -- e5 *\n",
    ));
}

#[test]
fn a_changed_byte_is_noticed() {
    let generator = Generator::new(Options::default());
    let games: Vec<GameTree> = (0..50).map(|index| generator.game(index)).collect();
    let mut writer = RowWriter::new(Default::default());
    let mut builder = Builder::new();
    for game in &games {
        game.tell(&mut writer);
    }
    writer.take_rows().iter().for_each(|row| builder.add(row));
    let (mut games, mut moves) = (Vec::new(), Vec::new());
    let contents = builder.write(&mut games, &mut moves).unwrap();
    for place in (0..moves.len()).step_by(97) {
        let mut changed = moves.clone();
        changed[place] ^= 4;
        let games = Buffer::from_vec(games.clone());
        let segment = Segment::open(Ok(games), Ok(Buffer::from_vec(changed)), &contents);
        assert_eq!(segment.examine().len(), 1, "{place}");
        let mut game = GameTree::default();
        let refused = segment.tell(7, Place::default(), Damage::Refused, &mut game);
        assert!(refused.is_err(), "{place}");
        // Its tags are there, and it is said that its moves are not.
        segment
            .tell(7, Place::default(), Damage::Told, &mut game)
            .unwrap();
        assert_eq!(game.state, GameState::Broken);
        assert!(!game.tags.is_empty());
    }
}

/// The files of a small segment.
fn small() -> (Vec<u8>, Vec<u8>, super::build::Contents) {
    let games = pgn(
        "[White \"a\"]\n[WhiteElo \"2500?\"]\n[WhiteElo \"2500\"]\n[Odd \"b\"]\n\n1. e4 {[%clk 0:03:00]} e5 (1... c5) *\n\n\
         [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Ke4 1-0\n",
    );
    let mut writer = RowWriter::new(Default::default());
    let mut builder = Builder::new();
    for game in &games {
        game.tell(&mut writer);
    }
    writer.take_rows().iter().for_each(|row| builder.add(row));
    let (mut games, mut moves) = (Vec::new(), Vec::new());
    let contents = builder.write(&mut games, &mut moves).unwrap();
    (games, moves, contents)
}

/// Checksums that are right for files that were changed.
fn seal(file: &[u8], regions: &mut [super::table::Region]) {
    let mut rest = file;
    for region in regions {
        let (these, others) = rest.split_at(region.bytes as usize);
        region.crc = crc32fast::hash(these);
        rest = others;
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2_000))]

    #[test]
    fn whatever_has_the_right_checksum_is_told_or_refused(
        in_moves: bool,
        edits in proptest::collection::vec((proptest::prelude::any::<u16>(), proptest::prelude::any::<u8>()), 1..6),
    ) {
        let (mut games, mut moves, mut contents) = small();
        let file = if in_moves { &mut moves } else { &mut games };
        for (place, value) in edits {
            let place = usize::from(place) % file.len();
            file[place] = value;
        }
        seal(&games, &mut contents.games);
        seal(&moves, &mut contents.moves);
        let buffer = |bytes| Ok(Buffer::from_vec(bytes));
        let segment = Segment::open(buffer(games), buffer(moves), &contents);
        segment.examine();
        for row in 0..2 {
            let mut game = GameTree::default();
            segment.tell(row, Place::default(), Damage::Told, &mut game).unwrap();
            let _ = segment.row(row, &mut Default::default());
        }
    }
}
