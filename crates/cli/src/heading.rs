//! A game in one line, so that people see which one is meant.

use tabiya::{Database, Event, Flow, GameSink, GameTree, Needs, Tags};

use crate::text::clean;

/// Takes down who played, where and when.
#[derive(Default)]
struct Heading {
    tags: Tags,
    line: String,
}

/// The line of an entry of a database; empty if it has none of that number.
pub fn of_entry(database: &Database, number: u64) -> String {
    let mut heading = Heading::default();
    match database.tell_entry(number, &mut heading) {
        Ok(()) => heading.line,
        Err(_) => String::new(),
    }
}

/// The line of a game.
pub fn of_game(game: &GameTree) -> String {
    line(&game.tags)
}

impl GameSink for Heading {
    fn needs(&mut self) -> Needs {
        Needs::TAGS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { .. } => self.line = line(&self.tags),
            Event::Text { title, .. } => self.line = format!("text \"{}\"", clean(title)),
            Event::Opaque { format, .. } => self.line = clean(format).into_owned(),
            _ => {}
        }
        Flow::Continue
    }
}

/// What a position of an EPD is called, where nobody is said to have played it.
pub fn position_name(tags: &Tags) -> Option<&str> {
    let nobody = ["White", "Black"]
        .into_iter()
        .all(|name| matches!(tags.get(name), None | Some("" | "?")));
    tags.get("EPD_id").filter(|id| nobody && !id.is_empty())
}

/// `Tal, Mikhail - Botvinnik, Mikhail, World Championship 1960`.
fn line(tags: &Tags) -> String {
    let known = |name: &str| {
        let value = tags.get(name).unwrap_or_default();
        if value.is_empty() { "?" } else { value }.to_string()
    };
    let mut text = match position_name(tags) {
        Some(name) => name.to_owned(),
        None => format!("{} - {}", known("White"), known("Black")),
    };
    let event = known("Event");
    let year = tags.get("Date").and_then(|date| date.split('.').next());
    let year = year.filter(|year| !year.is_empty() && !year.starts_with('?'));
    match (event.as_str(), year) {
        ("?", None) => {}
        ("?", Some(year)) => text.push_str(&format!(", {year}")),
        (event, None) => text.push_str(&format!(", {event}")),
        (event, Some(year)) => text.push_str(&format!(", {event} {year}")),
    }
    clean(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_says_what_is_known() {
        let tags = |tags: &[(&'static str, &'static str)]| Tags::from_iter(tags.iter().copied());
        assert_eq!(line(&tags(&[])), "? - ?");
        assert_eq!(line(&tags(&[("EPD_id", "BK.01")])), "BK.01");
        let game = [("White", "Tal"), ("Black", ""), ("Date", "1960.??.??")];
        assert_eq!(line(&tags(&game)), "Tal - ?, 1960");
        let game = [("White", "Tal"), ("Event", "Match"), ("Date", "????.??.??")];
        assert_eq!(line(&tags(&game)), "Tal - ?, Match");
    }
}
