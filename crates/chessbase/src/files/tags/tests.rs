//! Tags find their place in headers and come back; what does not is named.

use std::borrow::Cow;

use proptest::prelude::*;
use tabiya_game::Tags;

use super::{FromMoves, Leftover, Parts, game_tags, parts};
use crate::files::Ending;

fn decode(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn encode(text: &str) -> Cow<'_, [u8]> {
    text.as_bytes().into()
}

fn parts_of(pairs: &[(&str, &str)]) -> Parts {
    let tags: Tags = pairs.iter().copied().collect();
    parts(&tags, &FromMoves::default(), &encode, &decode)
}

fn tags_of(parts: &Parts) -> Tags {
    let moves = FromMoves::default();
    game_tags(
        &parts.record,
        &parts.extended,
        &parts.details,
        &moves,
        &decode,
    )
}

#[test]
fn tags_of_all_kinds_find_their_place() {
    let pairs = [
        ("Event", "London"),
        ("Site", "London"),
        ("Date", "1851.06.??"),
        ("Round", "1.2"),
        ("White", "Anderssen, Adolf"),
        ("Black", "Kieseritzky"),
        ("Result", "*"),
        ("LineEvaluation", "$19"),
        ("ECO", "C33/07"),
        ("WhiteElo", "2600"),
        ("BlackElo", "2480"),
        ("WhiteRatingType", "national GER 1 DWZ"),
        ("BlackRatingType", "international 2 FIDE"),
        ("Annotator", "Müller, K"),
        ("EventDate", "1851.05.26"),
        ("EventEndDate", "1851.07.15"),
        ("EventType", "k.o. (rapid)"),
        ("EventRounds", "4"),
        ("EventCountry", "ENG"),
        ("EventCategory", "3"),
        ("SourceTitle", "MainBase"),
        ("Source", "ChessBase"),
        ("SourceDate", "1999.07.01"),
        ("SourceVersion", "2"),
        ("SourceVersionDate", "2000.??.??"),
        ("SourceQuality", "1"),
        ("WhiteTeam", "Breslau"),
        ("BlackTeam", "Paris"),
        ("WhiteTeamCountry", "GER"),
        ("BlackTeamCountry", "FRA"),
        ("WhiteTeamNumber", "2"),
        ("WhiteTeamYear", "1850/51"),
        ("BlackTeamYear", "1851"),
        ("Medals", "sacrifice, user"),
        ("GameTitle", "The Immortal Game"),
        ("GameTitle_de", "Die Unsterbliche"),
    ];
    let parts = parts_of(&pairs);
    assert_eq!(parts.leftovers, []);
    assert_eq!(tags_of(&parts), pairs.into_iter().collect());
}

#[test]
fn what_says_nothing_is_named_and_not_lost() {
    let parts = parts_of(&[
        ("Event", ""),
        ("Black", "?"),
        ("Date", "????.??.??"),
        ("EventDate", "????.??.??"),
        ("Round", "3"),
        ("Board", "7"),
        ("WhiteElo", "0"),
        ("BlackElo", "-"),
        ("Termination", "normal"),
    ]);
    let names: Vec<&str> = parts.leftovers.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["Event", "EventDate", "WhiteElo", "BlackElo"]);
    assert!(parts.leftovers.iter().all(Leftover::is_respelled));
    assert_eq!(
        parts.leftovers[2].to_string(),
        "WhiteElo \"0\" is left out, it says nothing"
    );
    assert_eq!(tags_of(&parts).get("Round"), Some("3.7"));
}

#[test]
fn what_says_nothing_is_lost_where_it_has_no_field() {
    let pairs = [
        ("WhiteTitle", "?"),
        ("TimeControl", "-"),
        ("Score", "0-0"),
        ("BlackUSCF", "-"),
        ("WhiteFideId", "0"),
    ];
    let parts = parts_of(&pairs);
    assert_eq!(parts.leftovers.len(), pairs.len());
    assert!(!parts.leftovers.iter().any(Leftover::is_respelled));
    let said = parts.leftovers[1].to_string();
    assert_eq!(said, "TimeControl \"-\" has no place");
}

#[test]
fn other_spellings_are_named() {
    let parts = parts_of(&[
        ("Event", "Tilburg "),
        ("Date", "2001-3-4"),
        ("Round", "03"),
        ("White", "Polgar,Judit"),
        ("Result", "1/2"),
        ("EventType", "Swiss"),
        ("EventCountry", "ger"),
        ("FEN", "8/8/8/8/8/8/8/K1k5 w"),
    ]);
    let named: Vec<String> = parts.leftovers.iter().map(ToString::to_string).collect();
    let expected = [
        "Event \"Tilburg \" became \"Tilburg\"",
        "Date \"2001-3-4\" became \"2001.03.04\"",
        "Round \"03\" became \"3\"",
        "White \"Polgar,Judit\" became \"Polgar, Judit\"",
        "Result \"1/2\" became \"1/2-1/2\"",
        "EventType \"Swiss\" became \"swiss\"",
        "EventCountry \"ger\" became \"GER\"",
        "FEN \"8/8/8/8/8/8/8/K1k5 w\" has no place",
    ];
    assert_eq!(named, expected);
    let (respelled, lost): (Vec<_>, Vec<_>) = parts
        .leftovers
        .iter()
        .partition(|leftover| leftover.is_respelled());
    assert_eq!((respelled.len(), lost.len()), (7, 1));
}

#[test]
fn what_has_no_place_is_named() {
    let long = "Győzőünnepség".repeat(4);
    let parts = parts_of(&[
        ("Event", &long),
        ("Round", "1.2.3"),
        ("White", "One, Two"),
        ("White", "Three"),
        ("WhiteElo", "70000"),
        ("WhiteTitle", "GM"),
        ("Date", "5000.01.01"),
        ("Result", "won"),
        ("ECO", "B90a"),
        ("EventCountry", "XYZ"),
        ("Medals", "novelty, gold"),
        ("Termination", "time forfeit"),
        ("PlyCount", "40"),
        ("Board", "300"),
    ]);
    let named: Vec<String> = parts.leftovers.iter().map(ToString::to_string).collect();
    let kept = "GyőzőünnepségGyőzőünnepségGyőz";
    let event = format!("Event \"{long}\" became \"{kept}\"");
    let expected = [
        event.as_str(),
        "Round \"1.2.3\" became \"1\"",
        "White \"Three\" has no place",
        "WhiteElo \"70000\" has no place",
        "WhiteTitle \"GM\" has no place",
        "Date \"5000.01.01\" became \"????.01.01\"",
        "Result \"won\" became \"*\"",
        "ECO \"B90a\" has no place",
        "EventCountry \"XYZ\" has no place",
        "Medals \"novelty, gold\" became \"novelty\"",
        "Termination \"time forfeit\" has no place",
        "PlyCount \"40\" has no place",
        "Board \"300\" has no place",
    ];
    assert_eq!(named, expected);
    assert!(
        parts
            .leftovers
            .iter()
            .all(|leftover| !leftover.is_respelled())
    );
}

#[test]
fn what_the_moves_tell_stands_before_the_event() {
    let moves = FromMoves {
        fen: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"),
        variant: Some("Chess960"),
        plies: Some(3),
    };
    let tags: Tags = [
        ("Annotator", "x"),
        ("EventDate", "1999.??.??"),
        ("PlyCount", "3"),
    ]
    .into_iter()
    .collect();
    let parts = parts(&tags, &moves, &encode, &decode);
    assert_eq!(parts.leftovers, []);
    let told = game_tags(
        &parts.record,
        &parts.extended,
        &parts.details,
        &moves,
        &decode,
    );
    let names: Vec<&str> = told.iter().skip(7).map(|(name, _)| name).collect();
    let order = [
        "Annotator",
        "Variant",
        "SetUp",
        "FEN",
        "PlyCount",
        "EventDate",
    ];
    assert_eq!(names, order);
}

#[test]
fn draws_that_were_not_played_stay_so() {
    let parts = parts_of(&[("Result", "1/2-1/2"), ("Termination", "forfeit")]);
    assert_eq!(parts.record.ending, Ending::DrawByForfeit);
    assert_eq!(tags_of(&parts).get("Termination"), Some("forfeit"));
    assert_eq!(parts.leftovers, []);
}

/// Tags of a few names with values of all sorts.
fn any_tags() -> impl Strategy<Value = Vec<(String, String)>> {
    let names = prop::sample::select(vec![
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "ECO",
        "WhiteElo",
        "BlackElo",
        "Annotator",
        "EventDate",
        "EventType",
        "EventRounds",
        "EventCountry",
        "SourceTitle",
        "Source",
        "SourceDate",
        "SourceVersionDate",
        "SourceQuality",
        "WhiteTeam",
        "BlackTeamYear",
        "BlackTeamNumber",
        "Medals",
        "GameTitle_fr",
        "Board",
        "Termination",
        "LineEvaluation",
        "WhiteRatingType",
        "BlackRatingType",
        "WhiteTitle",
    ]);
    let value = prop_oneof![
        "\\PC{0,60}",
        "[0-9]{1,4}[./][0-9]{1,2}([./][0-9]{1,2})?",
        "[0-9]{1,5}",
        "[A-E][0-9]{2}(/[0-9]{2})?",
        prop::sample::select(vec![
            "1-0",
            "1/2-1/2",
            "*",
            "+:-",
            "swiss (rapid)",
            "team",
            "GER",
            "novelty",
            "$13",
            "forfeit",
            "national GER 1 DWZ",
            "international 3",
            "a, b",
            ", b"
        ])
        .prop_map(str::to_string),
    ];
    prop::collection::vec((names.prop_map(str::to_string), value), 0..30)
}

proptest! {
    #[test]
    fn tags_settle_and_nothing_is_lost_unnamed(pairs in any_tags()) {
        let tags: Tags = pairs.clone().into_iter().collect();
        let moves = FromMoves::default();
        let first = parts(&tags, &moves, &encode, &decode);
        let told = tags_of(&first);
        let second = parts(&told, &moves, &encode, &decode);
        prop_assert_eq!(&second.leftovers, &[]);
        prop_assert_eq!(tags_of(&second), told.clone());
        for (name, value) in tags.iter().filter(|(_, value)| value.len() < 15) {
            let kept = told.iter().any(|pair| pair == (name, value));
            let named = first.leftovers.iter().any(|left| left.name == name && left.value == value);
            let free = matches!(name, "Round" | "Board" | "Termination")
                || value.chars().all(|c| " ?-.0".contains(c));
            prop_assert!(kept || named || free, "{} {:?} {:?}", name, value, first);
        }
    }
}
