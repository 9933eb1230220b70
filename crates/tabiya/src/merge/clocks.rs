//! Notes without the clocks of the game that they come from.

use tabiya_game::{
    Annotation, Item,
    command::{self, Part},
};

/// A note without what it says about clocks; `None` if it says nothing else. Programs put clocks
/// into comments beside words and evaluations, which stay.
pub fn without(item: Item) -> Option<Item> {
    match item {
        Item::Annotation(annotation) if is_clock(&annotation) => None,
        Item::Comment {
            place,
            language,
            text,
        } => {
            let text = match text.contains("[%") {
                true => words(&text)?,
                false => text,
            };
            Some(Item::Comment {
                place,
                language,
                text,
            })
        }
        other => Some(other),
    }
}

/// The text of a comment without commands about clocks.
fn words(text: &str) -> Option<String> {
    let stays = |part: &Part<'_>| match part {
        Part::Text(_) => true,
        Part::Command(command) => !matches!(command.name, "clk" | "emt" | "mct"),
    };
    if command::parts(text).all(|part| stays(&part)) {
        return Some(text.to_string());
    }
    let left: String = command::parts(text)
        .filter(stays)
        .map(|part| part.raw())
        .collect();
    let left = left.trim();
    (!left.is_empty()).then(|| left.to_string())
}

fn is_clock(annotation: &Annotation) -> bool {
    matches!(
        annotation,
        Annotation::Clock(_) | Annotation::TimeSpent(_) | Annotation::MechanicalClock(_)
    )
}
