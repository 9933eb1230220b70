//! A tag with an odd value comes back as it was, or is named among what is lost or respelled.

use tabiya::{GameTree, registry};
use tabiya_formats::{
    Destination,
    registry::{FormatProfile, ReadOptions, WriteOptions},
};
use tabiya_game::Losses;

const NAMES: [&str; 28] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "WhiteElo",
    "BlackElo",
    "WhiteUSCF",
    "WhiteTitle",
    "WhiteFideId",
    "WhiteTeam",
    "WhiteTeamCountry",
    "ECO",
    "Opening",
    "EventDate",
    "EventType",
    "EventRounds",
    "EventCountry",
    "EventCategory",
    "Board",
    "Annotator",
    "Source",
    "SourceDate",
    "TimeControl",
    "Termination",
    "ScidFlags",
    "Something",
];

const VALUES: [&str; 12] = [
    "",
    " ",
    "0",
    "00",
    "?",
    "-",
    "2500?",
    " 2500 ",
    "????.??.??",
    "10.??.??",
    "x ",
    "2500",
];

/// Games as they come back from a file of the format, and what was said about each.
fn through(profile: FormatProfile, games: &[GameTree]) -> Vec<(Option<GameTree>, Losses)> {
    let options = WriteOptions::default();
    let folder = tempfile::tempdir().expect("a folder");
    let extension = profile.extensions()[0];
    let path = folder.path().join(format!("games.{extension}"));
    let mut target = registry()
        .target(profile, Destination::New(&path), &options)
        .expect("a target");
    let mut writer = registry().writer(profile, &options).expect("a writer");
    let mut said = Vec::new();
    for game in games {
        game.tell(&mut writer);
        let is_written = target.add_written(&mut *writer).expect("it is added");
        let mut losses = writer.take_losses();
        losses.append(target.take_losses());
        said.push((is_written, losses));
    }
    target.finish().expect("it is finished");
    // A game that somebody marked as deleted is one too.
    let how = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let mut opened = registry().open(&path, None, &how).expect("it opens");
    let mut back: Vec<GameTree> = Vec::new();
    while let Some(part) = opened.database.next_part().expect("a part") {
        part.tell(&mut back).expect("games");
    }
    let mut back = back.into_iter();
    let passed = said
        .into_iter()
        .map(|(written, losses)| (written.then(|| back.next().expect("a game")), losses));
    passed.collect()
}

/// Whether something that is lost names a tag.
fn loses(losses: &Losses, name: &str) -> bool {
    losses.iter().any(|(_, _, loss)| loss.what.contains(name))
}

/// Whether something that is said names a tag.
fn names(losses: &Losses, name: &str) -> bool {
    let respelled = losses.respelled();
    loses(losses, name) || respelled.is_some_and(|respelled| respelled.what.contains(name))
}

#[test]
fn odd_values_come_back_or_are_named() {
    let both = |profile: &FormatProfile| profile.reads() && profile.write().is_some();
    let mut silent = Vec::new();
    let tags: Vec<(&'static str, &'static str)> = NAMES
        .iter()
        .flat_map(|name| VALUES.map(|value| (*name, value)))
        .collect();
    let game = |(name, value): &(&'static str, &'static str)| {
        let mut game = GameTree::default();
        game.tags.push(*name, *value);
        game
    };
    let games: Vec<GameTree> = tags.iter().map(game).collect();
    for profile in registry().profiles().filter(both) {
        for ((name, value), (back, losses)) in tags.iter().zip(through(profile, &games)) {
            let again = back.as_ref().and_then(|game| game.tags.get(name));
            // In an EPD the players stand in the name of the position.
            let told = |(name, said): (&str, &str)| name == "EPD_id" && said.contains(value);
            let is_told = back.as_ref().is_some_and(|game| game.tags.iter().any(told));
            let is_named = match *name {
                // A format that does not keep all tags has no field for it that could be empty.
                "Something" => loses(&losses, name),
                _ => names(&losses, name),
            };
            if again != Some(value) && !is_told && !is_named {
                silent.push(format!(
                    "{profile}: {name} {value:?} is {again:?}: {losses:?}"
                ));
            }
        }
    }
    assert!(
        silent.is_empty(),
        "{}:\n{}",
        silent.len(),
        silent.join("\n")
    );
}
