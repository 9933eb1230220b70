use proptest::prelude::*;
use tabiya_chess::{Action, Move, Position, Role, Setup, Square, Variant};
use tabiya_game::{
    Error, Flow, GameErrorKind, GameResult, GameState, GameTree, Item, LossKind, Losses, Nag,
    generate::{Generator, Options},
};

use super::*;
use crate::{
    Database,
    pgn::{self, Parser},
    registry::Certainty,
    stream::{StreamCodec, StreamError, Streams},
};

const WORDS: &str = include_str!("../../tests/vectors/cmbr-words.tsv");
const STREAMS: &str = include_str!("../../tests/vectors/cmbr-streams.tsv");

fn position(fen: &str) -> Position {
    let setup: Setup = match fen {
        "" => Setup::INITIAL,
        fen => fen.parse().unwrap(),
    };
    Position::from_setup(&setup, Variant::Standard).unwrap()
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let rows = table.lines().skip(1);
    rows.map(|row| row.split('\t').collect())
}

fn hex(text: &str) -> Vec<u8> {
    text.parse::<Streams>().unwrap().main
}

fn game(text: &str) -> GameTree {
    let mut tree = GameTree::default();
    assert!(Parser::new(text).read_game(&mut tree));
    tree
}

/// The games of a file, and what ended it before its end.
fn read(bytes: &[u8], options: ReadOptions) -> (Vec<GameTree>, Option<Error>) {
    let mut cmbr = match Cmbr::open(bytes.to_vec(), options) {
        Ok(cmbr) => cmbr,
        Err(error) => return (Vec::new(), Some(error.into())),
    };
    let mut games = Games::default();
    loop {
        match cmbr.next_part() {
            Ok(Some(part)) => assert_eq!(part.tell(&mut games).unwrap(), Flow::Continue),
            Ok(None) => return (games.all, None),
            Err(error) => {
                assert!(cmbr.next_part().unwrap().is_none(), "an error is the end");
                return (games.all, Some(error));
            }
        }
    }
}

#[derive(Default)]
struct Games {
    tree: GameTree,
    all: Vec<GameTree>,
}

impl tabiya_game::GameSink for Games {
    fn event(&mut self, event: tabiya_game::Event<'_>) -> tabiya_game::Flow {
        let flow = self.tree.event(event);
        if let tabiya_game::Event::GameEnd { .. } = event {
            self.all.push(self.tree.clone());
        }
        flow
    }
}

/// A file of games, and what they lost.
fn file<'a>(
    container: Container,
    games: impl IntoIterator<Item = &'a GameTree>,
) -> (Vec<u8>, Losses) {
    let mut writer = Writer::new(container);
    for game in games {
        game.tell(&mut writer);
    }
    let bytes = [container.magic().to_vec(), writer.take()].concat();
    (bytes, writer.take_losses())
}

fn kinds(losses: &Losses) -> Vec<(LossKind, u64)> {
    losses
        .iter()
        .map(|(kind, count, _)| (kind, count))
        .collect()
}

/// What a file keeps of a game: no place, and of the movetext only the moves of the main line.
fn held(game: &GameTree) -> GameTree {
    let mut depth = 0;
    let mut items = Vec::new();
    for item in &game.items {
        match item {
            Item::VariationStart => depth += 1,
            Item::VariationEnd => depth -= 1,
            Item::Missing if depth == 0 => break,
            Item::Move(_) | Item::Null if depth == 0 => items.push(item.clone()),
            _ => {}
        }
    }
    GameTree {
        place: Default::default(),
        items,
        state: GameState::Complete,
        ..game.clone()
    }
}

#[test]
fn words_are_those_of_the_vectors() {
    let mut count = 0;
    for row in rows(WORDS) {
        let [
            name,
            fen,
            san,
            _,
            document,
            program,
            word24,
            bytes24,
            defective,
        ] = row[..]
        else {
            panic!("{row:?}");
        };
        let before = position(fen);
        let action = before.parse_san(san).unwrap();
        let shown = |word: Result<u16, ErrorKind>| match word {
            Ok(word) => format!("{word:04X}"),
            Err(kind) => format!("!{}", kind.name()),
        };
        for (layout, expected) in [(Layout::Document, document), (Layout::Program, program)] {
            assert_eq!(shown(layout.word(&before, action)), expected, "{name}");
            if let Ok(word) = u16::from_str_radix(expected, 16) {
                assert_eq!(layout.action(&before, word), Ok(action), "{name}");
            }
        }
        match Cmbr24::default().word(&before, action) {
            Ok(word) => {
                assert_eq!(format!("{word:06X}"), word24, "{name}");
                assert_eq!(hex(bytes24), word.to_le_bytes()[..3], "{name}");
                let step = Cmbr24::default().step(&before, word);
                assert_eq!(step, Ok(Step::Action(action)), "{name}");
            }
            Err(kind) => assert_eq!(format!("!{}", kind.name()), word24, "{name}"),
        }
        let written = action
            .to_move()
            .and_then(|play| defective::word(&before, play));
        let written = written.map_or(String::new(), |word| format!("{word:04X}"));
        assert_eq!(written, defective, "{name}");
        count += 1;
    }
    assert_eq!(count, 27);
}

/// `E=X | e4 e5 | *`, as the vectors write a game.
fn summary(game: &GameTree) -> String {
    let tags: Vec<String> = game.tags.iter().map(|(n, v)| format!("{n}={v}")).collect();
    let moves = moves_of(game);
    format!("{} | {moves} | {}", tags.join(" "), game.result)
}

fn moves_of(game: &GameTree) -> String {
    let mut position = game.start;
    let mut words = Vec::new();
    for item in &game.items {
        match item {
            Item::Move(play) => {
                words.push(position.san(*play).to_string());
                position.play_unchecked(*play);
            }
            Item::Nag(nag) => words.push(nag.to_string()),
            Item::Annotation(tabiya_game::Annotation::Raw { bytes, .. }) => {
                words.push(format!(
                    "variation {}",
                    bytes[0] as u16 * 256 + bytes[1] as u16
                ));
            }
            other => words.push(format!("{other:?}")),
        }
    }
    words.join(" ")
}

fn decode(
    codec: &dyn StreamCodec,
    bytes: &[u8],
    start: &Position,
) -> (GameTree, Result<(), StreamError>) {
    let mut tree = GameTree::default();
    let done = codec.decode(&Streams::from(bytes.to_vec()), start, &mut tree);
    assert_eq!(done.is_err(), tree.state == GameState::Broken);
    (tree, done)
}

fn stream_row(codec: &dyn StreamCodec, row: &[&str]) {
    let [name, _, fen, bytes, expect, content] = *row else {
        panic!("{row:?}");
    };
    let (bytes, start) = (hex(bytes), position(fen));
    let (tree, done) = decode(codec, &bytes, &start);
    match done {
        Ok(()) => {
            assert_eq!((expect, &*moves_of(&tree)), ("ok", content), "{name}");
            let again = codec.encode(&tree, &mut Losses::default()).unwrap();
            // The document's own example has bits that a writer leaves 0.
            if name != "document-example-FDFB" {
                assert_eq!(again.main, bytes, "{name}");
            }
        }
        Err(error) => assert_eq!(error.name, expect, "{name}"),
    }
}

/// The names of what is wrong with a file.
fn faults(bytes: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let dump = explain_game(bytes, 0).unwrap_or_default();
    for line in dump.sections.iter().flat_map(|section| &section.lines) {
        let name = line.meaning.split(':').next().unwrap_or_default();
        if name.starts_with(char::is_uppercase) && line.meaning.contains(": ") {
            names.push(name.to_string());
        }
    }
    names
}

fn file_row(row: &[&str]) {
    let [name, _, _, bytes, expect, content] = *row else {
        panic!("{row:?}");
    };
    let bytes = hex(bytes);
    let (games, error) = read(&bytes, ReadOptions::default());
    let summaries: Vec<String> = games.iter().map(summary).collect();
    if expect == "ok" {
        assert!(error.is_none(), "{name}");
        assert_eq!(summaries.join(" || "), content, "{name}");
        let (again, losses) = file(Container::of(&bytes).unwrap(), &games);
        assert!(again == bytes && losses.is_empty(), "{name}");
        return;
    }
    let ends_file = matches!(expect, "BadMagic" | "Truncated" | "BadSection");
    assert_eq!(error.is_some(), ends_file, "{name}");
    assert!(games.iter().all(|game| game.state == GameState::Broken));
    match Cmbr::open(bytes.clone(), ReadOptions::default()) {
        Err(error) => assert_eq!(error.kind.name(), expect, "{name}"),
        Ok(_) if games.is_empty() => {
            let found = container::Record::find(&bytes, 5, Container::Program);
            assert_eq!(found.unwrap_err().kind.name(), expect, "{name}");
        }
        Ok(_) => assert_eq!(faults(&bytes), [expect], "{name}"),
    }
}

#[test]
fn streams_are_those_of_the_vectors() {
    let rewritten = Cmbr24 {
        rewrite_castling: true,
    };
    let mut count = 0;
    for row in rows(STREAMS) {
        match row[1] {
            "program" | "program+wide" => file_row(&row),
            "program-word" => stream_row(&Layout::Program, &row),
            "document" => stream_row(&Layout::Document, &row),
            _ if row[4] != "ok" => {
                let (bytes, start) = (hex(row[3]), position(row[2]));
                let (tree, done) = decode(&rewritten, &bytes, &start);
                assert_eq!((done, &*moves_of(&tree)), (Ok(()), row[5]), "{}", row[0]);
                let (_, done) = decode(&Cmbr24::default(), &bytes, &start);
                assert_eq!(done.unwrap_err().name, "BadWord", "{}", row[0]);
            }
            _ => stream_row(&Cmbr24::default(), &row),
        }
        count += 1;
    }
    assert_eq!(count, 22);
}

#[test]
fn one_layout_is_the_other_with_file_and_rank_exchanged() {
    for word in (0..=u16::MAX).filter(|word| word & 7 < 6) {
        let swapped = word & !0x1f8 | (word >> 3 & 0x38) | (word << 3 & 0x1c0);
        let [document, program] = [
            Layout::Document.fields(word),
            Layout::Program.fields(swapped),
        ];
        assert_eq!(
            (document.to, document.origin, document.role),
            (program.to, program.origin, program.role)
        );
    }
}

#[test]
fn an_ordinal_needs_a_file_to_count_on() {
    let rooks = position("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1");
    // Ra2 without an origin: the bits 00 name no rook.
    let unnamed = Layout::Program.action(&rooks, 0x0043).unwrap_err();
    assert_eq!(unnamed.name(), "AmbiguousOrigin");
    let queens = position("8/8/8/8/4Q2Q/8/k7/2K4Q w - - 0 1");
    let from = |word| {
        Layout::Program
            .action(&queens, word)
            .map(|action| action.to_move().unwrap().from())
    };
    assert_eq!(from(0x2e24), Ok(Square::H1));
    assert_eq!(from(0x6e24), Ok(Square::H4));
    assert_eq!(from(0xae24).unwrap_err().name(), "AmbiguousOrigin");
    // Only one piece fits: the bits do not count.
    assert_eq!(from(0xe824), Ok(Square::E4));
}

#[test]
fn illegal_moves_have_no_word() {
    let start = Position::initial();
    let odd = [
        Move::new(Square::E2, Square::E5),
        Move::new(Square::E7, Square::E5),
        Move::new(Square::E4, Square::E5),
        Move::new(Square::E1, Square::H1),
        Move::promotion(Square::G1, Square::F3, Role::Queen),
        Move::promotion(Square::E2, Square::E4, Role::Queen),
    ];
    for play in odd {
        let action = Action::Move(play);
        let error = Layout::Program.word(&start, action).unwrap_err();
        assert_eq!(error.name(), "IllegalMove", "{play}");
        let error = Cmbr24::default().word(&start, action).unwrap_err();
        assert_eq!(error.name(), "IllegalMove", "{play}");
    }
}

#[test]
fn a_pawn_that_becomes_a_king_cannot_be_written() {
    let text = "[Variant \"Antichess\"]\n[FEN \"8/4P3/8/8/8/8/8/7r w - - 0 1\"]\n\n1. e8=K Rh2 *";
    let tree = game(text);
    assert_eq!(tree.state, GameState::Complete);
    let codecs: [&dyn StreamCodec; 2] = [&Layout::Program, &Cmbr24::default()];
    for codec in codecs {
        let error = codec.encode(&tree, &mut Losses::default()).unwrap_err();
        assert_eq!(
            (error.name, error.to_string()),
            (
                "NotRepresentable",
                "ply 1: there is no word for a pawn that becomes a king".to_string()
            )
        );
    }
    let (bytes, losses) = file(Container::Wide, [&tree]);
    assert_eq!(kinds(&losses), [(LossKind::Move, 1)]);
    let (games, error) = read(&bytes, ReadOptions::default());
    assert!(error.is_none() && games[0].items.is_empty());
}

#[test]
fn words_of_24_bits_must_fit_the_board() {
    let start = Position::initial();
    let codec = Cmbr24::default();
    let name = |word| codec.step(&start, word).unwrap_err().name();
    // A black pawn, a square without the knight, a king onto its rook, half a flag, two items.
    for word in [0x70c800, 0x546200, 0x1c4500, 0xf34050, 0x000700] {
        assert_eq!(name(word), "IllegalMove", "{word:06X}");
    }
    for word in [0x70c010, 0x70c088, 0x000000, 0x70c008 | 0x80, 0x000640] {
        assert_eq!(name(word), "BadWord", "{word:06X}");
    }
    // Flags that are on the board are not asked.
    let e4 = codec.step(&start, 0x70c007);
    assert_eq!(
        e4,
        Ok(Step::Action(Action::Move(Move::new(
            Square::E2,
            Square::E4
        ))))
    );
}

#[test]
fn glyphs_and_pointers_survive_in_24_bits() {
    let streams: Streams = "00C070 080100 800500 004893 08FFFF".parse().unwrap();
    let (tree, done) = decode(&Cmbr24::default(), &streams.main, &Position::initial());
    assert_eq!(done, Ok(()));
    assert_eq!(moves_of(&tree), "e4 $1 variation 5 e5 $65535");
    assert!(tree.items.contains(&Item::Nag(Nag(1))));
    let again = Cmbr24::default().encode(&tree, &mut Losses::default());
    assert_eq!(again.unwrap(), streams);
}

#[test]
fn a_stream_names_what_it_loses() {
    let text = "1. e4! {best} (1. d4 d5 {no}) e5 {[%clk 0:01:00]} 2. -- Nc6 1-0";
    let mut losses = Losses::default();
    let streams = Layout::Program.encode(&game(text), &mut losses).unwrap();
    assert_eq!(streams.to_string(), "00 E0 01 20 FF FE 01 51");
    use LossKind::*;
    let lost: Vec<LossKind> = losses.iter().map(|(kind, ..)| kind).collect();
    assert_eq!(lost, [Variation, Comment, Nag, Annotation, Result]);
    assert!(losses.iter().all(|(_, _, loss)| loss.game == 1));
    let error = Layout::Document.encode(&game(text), &mut Losses::default());
    let error = error.unwrap_err();
    assert_eq!(error.to_string(), "ply 3: there is no word for a null move");
    let mut gap = game("1. e4 *");
    gap.items.push(Item::Missing);
    let error = Layout::Document
        .encode(&gap, &mut Losses::default())
        .unwrap_err();
    assert_eq!(
        (error.name, error.place.to_string()),
        ("NotRepresentable", "ply 2".into())
    );
}

#[test]
fn a_word_that_cannot_be_read_breaks_its_game_alone() {
    let mut games: Vec<GameTree> = ["1. e4 e5 2. Nf3 *", "1. d4 d5 1-0"].map(game).into();
    let (mut bytes, _) = file(Container::Program, &games);
    let second = bytes.iter().position(|byte| *byte == 0xa9).unwrap();
    bytes[second] = 0xaa; // a bishop's move
    let (found, error) = read(&bytes, ReadOptions::default());
    assert!(error.is_none());
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].state, GameState::Broken);
    let Some(Item::Error {
        kind,
        raw,
        place,
        message,
        ..
    }) = found[0].items.last()
    else {
        panic!("{:?}", found[0].items);
    };
    assert_eq!(
        (*kind, raw.as_str()),
        (GameErrorKind::IllegalMove, "00 00 AA")
    );
    assert_eq!(place.offset as usize, second - 2);
    assert_eq!(message, "no legal move is 00AA, bishop to f3");
    assert_eq!(held(&found[0]).items, held(&games.remove(0)).items[..2]);
    assert_eq!(held(&found[1]), held(&games[0]));
}

#[test]
fn damage_between_sections_ends_the_file_after_what_came_before() {
    let games = ["1. e4 e5 *", "1. d4 d5 1-0", "1. c4 0-1"].map(game);
    let (bytes, _) = file(Container::Program, &games);
    // The marker of the second game's moves.
    let marker = (0..bytes.len())
        .filter(|at| bytes[*at..].starts_with(&[4, 4]))
        .nth(1)
        .unwrap();
    let mut damaged = bytes.clone();
    damaged[marker] = 0x7f;
    let (found, error) = read(&damaged, ReadOptions::default());
    assert_eq!(held(&found[0]), held(&games[0]));
    assert_eq!((found.len(), found[1].state), (2, GameState::Broken));
    assert!(matches!(&found[1].items[..], [Item::Error { raw, .. }] if raw == "7F 04"));
    assert_eq!(
        error.unwrap().to_string(),
        format!("byte {marker}: expected the moves of a game, 04 04, but found 7F 04")
    );
}

#[test]
fn a_bad_result_letter_is_told_and_the_next_game_goes_on() {
    let games = ["1. e4 e5 1-0", "1. d4 d5 1-0"].map(game);
    let (mut bytes, _) = file(Container::Program, &games);
    let letter = bytes.iter().position(|byte| *byte == b'w').unwrap();
    bytes[letter] = b'x';
    let (found, error) = read(&bytes, ReadOptions::default());
    assert!(error.is_none());
    assert_eq!(
        (found[0].state, found[0].result),
        (GameState::Broken, GameResult::Unknown)
    );
    assert!(matches!(&found[0].items[..], [.., Item::Error { raw, .. }] if raw == "78"));
    assert_eq!(held(&found[1]), held(&games[1]));
}

#[test]
fn defective_words_are_called_by_their_name() {
    // 1. e4 e5 2. Nf3 and 1. a4 e5 2. Nf3 by the original program: to us they look like d8 and h4.
    for first in ["01D8", "00F8"] {
        let bytes = hex(&format!(
            "636D627204 010100 040403 00{first} 000118 0001A1 030375"
        ));
        let (games, error) = read(&bytes, ReadOptions::default());
        assert!(error.is_none());
        let [Item::Error { message, raw, .. }] = &games[0].items[..] else {
            panic!("{:?}", games[0].items);
        };
        assert!(message.starts_with(&format!("move 1: {first} is a defective word")));
        assert_eq!(raw.len(), 9 * 3 - 1);
    }
    // 1. h4 e5 2. e3, a word that it never writes: what follows is damage, not its work.
    let bytes = hex("636D627204 010100 040404 0000F8 000120 0000A0 0001D8 030375");
    let (games, _) = read(&bytes, ReadOptions::default());
    assert_eq!(games[0].items.len(), 4);
}

#[test]
fn defective_words_are_guessed_only_if_asked() {
    let options = ReadOptions {
        best_effort: true,
        ..ReadOptions::default()
    };
    let bytes = hex("636D627204 010100 040403 0001D8 000118 0000F8 030375");
    let (games, _) = read(&bytes, options);
    assert_eq!(moves_of(&held(&games[0])), "e4 e5");
    assert!(
        matches!(&games[0].items[2], Item::Error { raw, .. } if raw == "00 00 F8"),
        "a3 or a4"
    );
}

#[test]
fn a_long_game_needs_the_wide_file() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(64);
    let long = game(&format!("{shuffle} *"));
    let just = GameTree {
        items: long.items[..255].to_vec(),
        ..long.clone()
    };
    let (bytes, losses) = file(Container::Program, [&long, &just]);
    assert_eq!(kinds(&losses), [(LossKind::Move, 1)]);
    let (_, _, loss) = losses.iter().next().unwrap();
    assert_eq!(
        loss.to_string(),
        "game 1: the game: more than 255 plies; cmbr:wide has room for it"
    );
    let (games, _) = read(&bytes, ReadOptions::default());
    assert_eq!(games.len(), 1);
    assert_eq!(held(&games[0]), held(&just));
    let (bytes, losses) = file(Container::Wide, [&long]);
    assert!(losses.is_empty());
    assert_eq!(
        held(&read(&bytes, ReadOptions::default()).0[0]),
        held(&long)
    );
}

#[test]
fn tags_that_do_not_fit_are_left_out_whole() {
    let mut tree = game("1. e4 *");
    tree.tags.push("Long", "é".repeat(128));
    tree.tags.push("Just", "e".repeat(255));
    tree.tags.push("n".repeat(256), "");
    let (bytes, losses) = file(Container::Program, [&tree]);
    assert_eq!(kinds(&losses), [(LossKind::Tag, 2)]);
    let (_, _, loss) = losses.iter().next().unwrap();
    assert_eq!(loss.what, "the tag Long: 256 bytes, of which 255 fit");
    let (games, _) = read(&bytes, ReadOptions::default());
    assert_eq!(
        games[0]
            .tags
            .iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>(),
        ["Just"]
    );

    for number in 0..300 {
        tree.tags.push(format!("T{number}"), "x");
    }
    assert_eq!(
        kinds(&file(Container::Program, [&tree]).1),
        [(LossKind::Tag, 2 + 46)]
    );
    let (bytes, losses) = file(Container::Wide, [&tree]);
    assert!(losses.is_empty());
    assert_eq!(read(&bytes, ReadOptions::default()).0[0].tags, tree.tags);
}

#[test]
fn a_start_that_no_tag_tells_gets_its_tags() {
    let mut tree = GameTree {
        start: position("4k3/8/8/8/8/8/4P3/4K3 w - - 3 7"),
        items: vec![Item::Move(Move::new(Square::E2, Square::E4))],
        ..GameTree::default()
    };
    let (bytes, losses) = file(Container::Program, [&tree]);
    assert!(losses.is_empty());
    let found = read(&bytes, ReadOptions::default()).0.remove(0);
    assert_eq!((found.start, &found.items), (tree.start, &tree.items));
    assert_eq!(
        found.tags.get("FEN"),
        Some("4k3/8/8/8/8/8/4P3/4K3 w - - 3 7")
    );

    tree.tags.push("FEN", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1");
    let (bytes, losses) = file(Container::Program, [&tree]);
    assert_eq!(
        (bytes.len(), kinds(&losses)),
        (5, vec![(LossKind::Start, 1)])
    );
}

#[test]
fn chess960_and_antichess_start_by_their_tags() {
    for text in [
        "[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]\n\n1. O-O O-O *",
        "[Variant \"Antichess\"]\n\n1. e3 b5 2. Bxb5 Nf6 3. Bxd7 *",
    ] {
        let tree = game(text);
        assert_eq!(tree.state, GameState::Complete, "{:?}", tree.items);
        let (bytes, losses) = file(Container::Program, [&tree]);
        assert!(losses.is_empty());
        assert_eq!(
            held(&read(&bytes, ReadOptions::default()).0[0]),
            held(&tree)
        );
    }
}

#[test]
fn a_bad_start_keeps_its_tags_and_its_words() {
    let tree = game("[FEN \"nonsense\"]\n\n1. e4 *");
    let (bytes, losses) = file(Container::Program, [&tree]);
    assert_eq!(kinds(&losses), [(LossKind::Error, 1)]);
    let found = read(&bytes, ReadOptions::default()).0.remove(0);
    assert_eq!(found.tags, tree.tags);
    assert_eq!(found.state, GameState::Broken);

    let bytes = hex("636D627204 010101 0346454E 0178 040401 0000E0 030375");
    let found = read(&bytes, ReadOptions::default()).0.remove(0);
    let [Item::Error { kind, raw, .. }] = &found.items[..] else {
        panic!("{:?}", found.items);
    };
    assert_eq!((*kind, raw.as_str()), (GameErrorKind::BadStart, "00 00 E0"));
}

#[test]
fn forfeits_survive_in_tags_and_are_lost_without() {
    let tags = game("[Result \"+:-\"]\n\n1-0");
    assert_eq!(tags.result, GameResult::WhiteWinsByForfeit);
    let (bytes, losses) = file(Container::Program, [&tags]);
    assert!(losses.is_empty());
    assert_eq!(
        read(&bytes, ReadOptions::default()).0[0].result,
        tags.result
    );

    for result in GameResult::ALL
        .into_iter()
        .filter(|result| result.is_forfeit())
    {
        let bare = GameTree {
            result,
            ..GameTree::default()
        };
        let (bytes, losses) = file(Container::Program, [&bare]);
        assert_eq!(kinds(&losses), [(LossKind::Result, 1)]);
        let found = read(&bytes, ReadOptions::default()).0[0].result;
        assert_eq!(found.token(), result.token());
    }
}

#[test]
fn tags_that_are_not_utf_8_are_windows_1252() {
    let bytes = hex("636D627204 010101 0557686974650452E97469 040400 030375");
    let (games, _) = read(&bytes, ReadOptions::default());
    assert_eq!(games[0].tags.white(), Some("Réti"));
    let options = ReadOptions {
        encoding: Some(encoding_rs::WINDOWS_1251),
        ..ReadOptions::default()
    };
    assert_eq!(read(&bytes, options).0[0].tags.white(), Some("Rйti"));
}

#[test]
fn missing_plies_end_the_moves_and_are_named() {
    let mut tree = game("1. e4 {a} *");
    tree.items.push(Item::Missing);
    tree.items
        .push(Item::Move(Move::new(Square::D2, Square::D4)));
    tree.items.push(Item::Missing);
    let (bytes, losses) = file(Container::Program, [&tree]);
    assert_eq!(
        kinds(&losses),
        [(LossKind::Comment, 1), (LossKind::Move, 1)]
    );
    assert_eq!(read(&bytes, ReadOptions::default()).0[0].items.len(), 1);
}

#[test]
fn what_is_not_wanted_is_not_lost() {
    let tree = game("1. e4! {best} (1. d4) e5 *");
    let mut writer = Writer::new(Container::Program).with_wishes(crate::writing::Wishes {
        comments: false,
        variations: false,
        nags: false,
    });
    tree.tell(&mut writer);
    assert!(writer.take_losses().is_empty());
    assert!(!writer.is_empty());
}

#[test]
fn files_are_recognised_by_their_magic() {
    for container in [Container::Program, Container::Wide] {
        assert_eq!(recognise(&container.magic()), Certainty::Sure);
    }
    for head in [
        &b"cmbr"[..],
        b"cmbr\x03",
        b"",
        b"\x05CMBR!\0\x01",
        b"[Event \"cmbr\"]",
    ] {
        assert_eq!(recognise(head), Certainty::No);
        let error = Cmbr::open(head.to_vec(), ReadOptions::default()).unwrap_err();
        assert_eq!((error.kind.name(), error.offset), ("BadMagic", 0));
    }
}

#[test]
fn a_dump_has_every_byte_of_its_game_once() {
    let games = [
        "[White \"x\"]\n\n1. e4 e5 2. -- *",
        "[Black \"y\"]\n\n1. d4 1-0",
    ]
    .map(game);
    let (bytes, _) = file(Container::Wide, &games);
    let dump = explain_game(&bytes, 1).unwrap();
    let lines: Vec<_> = dump
        .sections
        .iter()
        .flat_map(|section| &section.lines)
        .collect();
    let mut at = lines[1].offset as usize;
    for line in &lines[1..] {
        assert_eq!(line.offset as usize, at);
        assert!(bytes[at..].starts_with(&line.bytes));
        at += line.bytes.len();
    }
    assert_eq!(at, bytes.len());
    let first = explain_game(&bytes, 0).unwrap();
    let null = first.sections[2].lines.last().unwrap();
    assert_eq!(null.san.as_deref(), Some("2. --"));
    assert_eq!(null.meaning, "flag 0, 11 1 1 111 111111 110: null move");
}

#[test]
fn dumps_say_what_bits_mean() {
    let meanings = |codec: &dyn StreamCodec, fen: &str, bytes: &str| {
        let dump = codec.explain(&bytes.parse().unwrap(), &position(fen));
        let lines = dump.sections.into_iter().flat_map(|section| section.lines);
        lines.map(|line| line.meaning).collect::<Vec<_>>()
    };
    assert_eq!(
        meanings(&Layout::Program, "8/8/8/8/4Q2Q/8/k7/2K4Q w - - 0 1", "6E24"),
        ["01 1 0 111 000100 100: queen from the h-file to e1, number 1 on that file"]
    );
    assert_eq!(
        meanings(
            &Layout::Document,
            "8/4P3/7k/8/8/8/8/K7 w - - 0 1",
            "C138 0006"
        ),
        [
            "11 0 0 000 100111 000: pawn to e8, becomes queen",
            "NoLegalOrigin: no legal move is 0006, castling short"
        ]
    );
    assert_eq!(
        meanings(&Cmbr24::default(), "", "00C070 080500 800100 00"),
        [
            "white pawn from e2 to e4",
            "glyph $5 !?",
            "variation 1, which is not in the stream, or the glyph !",
            "OddLength: the stream does not end with a whole word of 3 bytes"
        ]
    );
}

fn generated(chess960: bool) -> Generator {
    Generator::new(Options {
        variations: true,
        chess960,
        plies: 0..=300,
        ..Options::default()
    })
}

proptest! {
    #[test]
    fn generated_games_survive_in_a_wide_file(number in any::<u64>(), chess960: bool) {
        let tree = generated(chess960).game(number);
        let (bytes, losses) = file(Container::Wide, [&tree]);
        let (games, error) = read(&bytes, ReadOptions::default());
        prop_assert!(error.is_none());
        let expected = held(&tree);
        prop_assert_eq!(&games[0].tags, &expected.tags);
        prop_assert_eq!(games[0].start, expected.start);
        prop_assert_eq!(&games[0].items, &expected.items);
        let result_lost = losses.iter().any(|(kind, ..)| kind == LossKind::Result);
        prop_assert_eq!(games[0].result == expected.result, !result_lost);
        let (again, losses) = file(Container::Wide, &games);
        prop_assert_eq!(again, bytes);
        prop_assert!(losses.is_empty());
    }

    #[test]
    fn generated_games_survive_as_words(number in any::<u64>(), chess960: bool) {
        let tree = generated(chess960).game(number);
        let codecs: [&dyn StreamCodec; 3] =
            [&Layout::Document, &Layout::Program, &Cmbr24::default()];
        for codec in codecs {
            match codec.encode(&tree, &mut Losses::default()) {
                Ok(streams) => {
                    let (found, done) = decode(codec, &streams.main, &tree.start);
                    prop_assert_eq!(done, Ok(()));
                    prop_assert_eq!(held(&found).items, held(&tree).items);
                }
                Err(error) => {
                    let reasons = ["NullMoveUnsupported", "DoublyAmbiguous"];
                    prop_assert!(reasons.contains(&error.name), "{}", error);
                }
            }
        }
    }

    #[test]
    fn every_word_is_read_as_a_legal_move_or_not_at_all(number in 0u64..500, ply in 0usize..60, word: u16) {
        let tree = generated(number % 2 == 0).game(number);
        let before = tree.main_line().nth(ply).map_or(tree.start, |(before, _)| before);
        for layout in [Layout::Document, Layout::Program] {
            if let Ok(Action::Move(play)) = layout.action(&before, word) {
                prop_assert!(before.is_legal(play));
                if let Ok(canonical) = layout.word(&before, Action::Move(play)) {
                    prop_assert_eq!(layout.action(&before, canonical), Ok(Action::Move(play)));
                }
            }
        }
    }

    #[test]
    fn every_legal_move_has_a_word_of_its_own(number in 0u64..500, ply in 0usize..60) {
        let tree = generated(number % 2 == 0).game(number);
        let before = tree.main_line().nth(ply).map_or(tree.start, |(before, _)| before);
        for &play in &before.legal_moves() {
            let action = Action::Move(play);
            let word = Layout::Program.word(&before, action).unwrap();
            prop_assert_eq!(Layout::Program.action(&before, word), Ok(action));
            let word = Cmbr24::default().word(&before, action).unwrap();
            prop_assert_eq!(Cmbr24::default().step(&before, word), Ok(Step::Action(action)));
        }
    }

    #[test]
    fn a_flipped_bit_never_panics(number in any::<u64>(), at in any::<prop::sample::Index>(), bit in 0..8u8, wide: bool) {
        let container = if wide { Container::Wide } else { Container::Program };
        let games = [generated(false).game(number), generated(true).game(number)];
        let (mut bytes, _) = file(container, &games);
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let (found, _) = read(&bytes, ReadOptions::default());
        let mut writer = pgn::Writer::default();
        for game in &found {
            game.tell(&mut writer);
        }
        for index in 0..3 {
            let dump = explain_game(&bytes, index);
            prop_assert!(dump.is_none_or(|dump| dump.sections.len() > 1));
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let codecs: [&dyn StreamCodec; 3] =
            [&Layout::Document, &Layout::Program, &Cmbr24::default()];
        for codec in codecs {
            let (tree, done) = decode(codec, &bytes, &Position::initial());
            prop_assert_eq!(done.is_ok(), tree.state == GameState::Complete);
            codec.explain(&Streams::from(bytes.clone()), &Position::initial());
        }
        for container in [Container::Program, Container::Wide] {
            let mut file = container.magic().to_vec();
            file.extend_from_slice(&bytes);
            read(&file, ReadOptions::default());
        }
    }
}

#[test]
fn a_file_cut_anywhere_gives_what_was_whole_and_an_error() {
    let games: Vec<GameTree> = (0..4).map(|number| generated(false).game(number)).collect();
    for container in [Container::Program, Container::Wide] {
        let (bytes, _) = file(container, &games);
        let (whole, _) = read(&bytes, ReadOptions::default());
        let ends: Vec<u64> = whole[1..].iter().map(|game| game.place.offset).collect();
        for length in 0..bytes.len() {
            let (found, error) = read(&bytes[..length], ReadOptions::default());
            let complete = length == 5 || ends.contains(&(length as u64));
            assert_eq!(error.is_none(), complete, "{length}");
            let sound = found
                .iter()
                .filter(|game| game.state == GameState::Complete);
            assert!(
                sound.zip(&whole).all(|(cut, whole)| cut == whole),
                "{length}"
            );
        }
    }
}
