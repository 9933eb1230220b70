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

/// `Tal, Mikhail - Botvinnik, Mikhail, World Championship 1960`.
fn line(tags: &Tags) -> String {
    let known = |name: &str| {
        let value = tags.get(name).unwrap_or_default();
        if value.is_empty() { "?" } else { value }.to_string()
    };
    let mut text = format!("{} - {}", known("White"), known("Black"));
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
        let game = [("White", "Tal"), ("Black", ""), ("Date", "1960.??.??")];
        assert_eq!(line(&tags(&game)), "Tal - ?, 1960");
        let game = [("White", "Tal"), ("Event", "Match"), ("Date", "????.??.??")];
        assert_eq!(line(&tags(&game)), "Tal - ?, Match");
    }
}
