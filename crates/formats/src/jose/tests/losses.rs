//! What `document` and `program` cannot hold is said, and nothing else.

use tabiya_chess::{Move, Position, Square};
use tabiya_game::{
    Annotation, CommentPlace, GameErrorKind, GameResult, GameState, GameTree, Item, LossKind, Nag,
    Place,
};

use super::{decode, encode, pgn};
use crate::jose::{Profile, Writer};

const E4: Item = Item::Move(Move::new(Square::E2, Square::E4));
const E5: Item = Item::Move(Move::new(Square::E7, Square::E5));
const D4: Item = Item::Move(Move::new(Square::D2, Square::D4));

/// Writes a game into both profiles: the kinds of losses, and the stream of the first.
fn losses(game: &GameTree) -> (Vec<LossKind>, String) {
    let [document, program] = [Profile::Document, Profile::Program].map(|profile| {
        let mut writer = Writer::new(profile);
        game.tell(&mut writer);
        let kinds: Vec<LossKind> = writer.losses().iter().map(|(kind, ..)| kind).collect();
        (kinds, writer.take().to_string())
    });
    assert_eq!(document.0, program.0);
    document
}

fn of_items(items: Vec<Item>) -> GameTree {
    GameTree {
        items,
        ..GameTree::default()
    }
}

fn comment(place: CommentPlace, language: Option<&str>, text: &str) -> Item {
    Item::Comment {
        place,
        language: language.map(str::to_owned),
        text: text.into(),
    }
}

fn error(kind: GameErrorKind, message: &str, raw: &str, place: Place) -> Item {
    Item::Error {
        kind,
        message: message.into(),
        raw: raw.into(),
        place,
        first: None,
    }
}

#[test]
fn a_line_without_codes_goes_on_as_text_and_the_others_are_not_harmed() {
    let game = pgn("[FEN \"4k3/8/8/8/8/8/NNN5/4K3 w - - 0 1\"]\n\n\
         1. Nc1 (1. Ne3 Kd7 {so} (1... Ke7) 2. Nf5 $1) Kd7 2. Ncd3 1-0");
    let (lost, stream) = losses(&game);
    assert_eq!(lost, [LossKind::Move]);
    let back = decode(Profile::Document, &stream.parse().unwrap(), &game.start).unwrap();
    let mut notes = super::Notes::default();
    back.tell(&mut notes);
    assert_eq!(notes.0, "a2c1 ( #E1 ) e8d7 c1d3 =D2");
    let raw = back.items.iter().find_map(|item| match item {
        Item::Error { raw, .. } => Some(raw.as_str()),
        _ => None,
    });
    assert_eq!(raw, Some("Ne3 Kd7 {so} ( Ke7 ) Nf5 $1"));
    assert_eq!(back.state, GameState::Broken);
}

#[test]
fn the_first_move_without_a_code_is_named() {
    let game = pgn("[FEN \"4k3/8/8/8/8/8/8/Q3K2Q w - - 0 1\"]\n\n1. Qa4+ Kf7 2. Qh5+ *");
    let mut writer = Writer::new(Profile::Program);
    game.tell(&mut writer);
    let error = writer.error().expect("the second queen has no code");
    assert_eq!(error.to_string(), "ply 3: h1h5 has no code");
    assert_eq!(writer.main(), [0x83, 0x91, 0xe1, 0xd3, 0xff]);
    assert_eq!(writer.texts(), b"Qh5+\0");
}

#[test]
fn nags_above_255_are_lost() {
    let game = of_items(vec![E4, Item::Nag(Nag(255)), Item::Nag(Nag(256))]);
    assert_eq!(
        losses(&game),
        (vec![LossKind::Nag], "13 B0 FF D3 FF".into())
    );
}

#[test]
fn annotations_are_comments_that_are_read_as_annotations() {
    let game = pgn("1. e4 {[%clk 0:01:00]} e5 {[%eval 0.25] } *");
    for profile in [Profile::Document, Profile::Program] {
        let streams = encode(profile, &game);
        let back = decode(profile, &streams, &game.start).unwrap();
        assert_eq!(back.items, game.items);
    }
    let unspeakable = of_items(vec![E4, Item::Annotation(Annotation::Arrows(Vec::new()))]);
    assert_eq!(
        losses(&unspeakable),
        (vec![LossKind::Annotation], "13 D3 FF".into())
    );
}

#[test]
fn unusual_places_of_comments_are_lost() {
    let usual = of_items(vec![
        comment(CommentPlace::Before, None, "a"),
        E4,
        comment(CommentPlace::After, None, "b"),
    ]);
    assert_eq!(losses(&usual).0, []);
    let unusual = of_items(vec![E4, comment(CommentPlace::Before, None, "b"), E5]);
    assert_eq!(losses(&unusual).0, [LossKind::CommentPlace]);
    let unusual = of_items(vec![comment(CommentPlace::After, None, "b"), E4]);
    assert_eq!(losses(&unusual).0, [LossKind::CommentPlace]);
}

#[test]
fn languages_and_zero_characters_are_lost() {
    let game = of_items(vec![E4, comment(CommentPlace::After, Some("de"), "a\0b")]);
    assert_eq!(
        losses(&game),
        (
            vec![LossKind::Comment, LossKind::Language],
            "13 E0 61 62 00 D3 FF".into()
        )
    );
}

#[test]
fn a_variation_at_the_start_becomes_text() {
    let game = of_items(vec![Item::VariationStart, D4, Item::VariationEnd, E4, E5]);
    assert_eq!(
        losses(&game),
        (
            vec![LossKind::Variation, LossKind::Move],
            "E4 28 20 64 34 20 29 00 13 13 D3 FF".into()
        )
    );
}

#[test]
fn a_ply_that_was_left_out_becomes_a_null_move_if_the_turn_has_passed() {
    let start = Position::initial();
    let passed = decode(Profile::Store, &"13 9E 0F D3 FF".parse().unwrap(), &start).unwrap();
    // The tree does not know yet who moves next; the stream does.
    let mut writer = Writer::new(Profile::Document);
    let stored = "13 9E 0F D3 FF".parse().unwrap();
    crate::stream::StreamCodec::decode(&Profile::Store, &stored, &start, &mut writer).unwrap();
    assert_eq!(writer.take().to_string(), "13 9A 0F D3 FF");
    let kinds: Vec<_> = writer.losses().iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, [LossKind::Move]);
    assert_eq!(passed.items.len(), 3);

    let kept = of_items(vec![E4, Item::Missing, E5]);
    assert_eq!(losses(&kept), (vec![LossKind::Move], "13 13 D3 FF".into()));
}

#[test]
fn forfeits_become_plain_results() {
    for (result, code) in [
        (GameResult::WhiteWinsByForfeit, "D2"),
        (GameResult::BlackWinsByForfeit, "D0"),
        (GameResult::BothLose, "D3"),
    ] {
        let game = GameTree {
            result,
            ..GameTree::default()
        };
        assert_eq!(
            losses(&game),
            (vec![LossKind::Result], format!("{code} FF"))
        );
    }
}

#[test]
fn errors_keep_their_text_and_lose_message_and_place() {
    let (kind, place) = (GameErrorKind::IllegalMove, Place::at_byte(7));
    let known = of_items(vec![E4, error(kind, "an illegal move", "Ke3", place)]);
    let stream = "13 E2 4B 65 33 00 D3 FF";
    assert_eq!(losses(&known), (vec![], stream.into()));
    let line = Place { line: 3, ..place };
    for other in [
        error(kind, "an illegal move", "Ke3", line),
        error(kind, "no king can go to e3", "Ke3", place),
    ] {
        let game = of_items(vec![E4, other]);
        assert_eq!(losses(&game), (vec![LossKind::Error], stream.into()));
    }
    let unbalanced = of_items(vec![error(GameErrorKind::Unbalanced, "", ")", place)]);
    assert_eq!(
        losses(&unbalanced),
        (vec![LossKind::Error], "E4 29 00 D3 FF".into())
    );
}
