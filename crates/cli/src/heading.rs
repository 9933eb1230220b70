//! A game in one line, so that people see which one is meant.

use tabiya_game::{Event, Flow, GameSink, Needs, Tags};

use crate::text::clean;

/// Takes down who played, where and when.
#[derive(Default)]
pub struct Heading {
    tags: Tags,
    line: String,
}

impl Heading {
    /// The line of an entry that was told.
    pub fn into_line(self) -> String {
        self.line
    }
}

impl GameSink for Heading {
    fn needs(&self) -> Needs {
        Needs::TAGS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::GameEnd { .. } => self.line = heading(&self.tags),
            Event::Text { title, .. } => self.line = format!("text \"{}\"", clean(title)),
            Event::Opaque { format, .. } => self.line = clean(format).into_owned(),
            _ => {}
        }
        Flow::Continue
    }
}

/// `Tal, Mikhail - Botvinnik, Mikhail, World Championship 1960`.
fn heading(tags: &Tags) -> String {
    let known = |name: &str| {
        let value = tags.get(name).unwrap_or_default();
        if value.is_empty() { "?" } else { value }.to_string()
    };
    let mut line = format!("{} - {}", known("White"), known("Black"));
    let event = known("Event");
    let year = tags.get("Date").and_then(|date| date.split('.').next());
    let year = year.filter(|year| !year.is_empty() && !year.starts_with('?'));
    match (event.as_str(), year) {
        ("?", None) => {}
        ("?", Some(year)) => line.push_str(&format!(", {year}")),
        (event, None) => line.push_str(&format!(", {event}")),
        (event, Some(year)) => line.push_str(&format!(", {event} {year}")),
    }
    clean(&line).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_says_what_is_known() {
        let tags = |tags: &[(&'static str, &'static str)]| Tags::from_iter(tags.iter().copied());
        assert_eq!(heading(&tags(&[])), "? - ?");
        let game = [("White", "Tal"), ("Black", ""), ("Date", "1960.??.??")];
        assert_eq!(heading(&tags(&game)), "Tal - ?, 1960");
        let game = [("White", "Tal"), ("Event", "Match"), ("Date", "????.??.??")];
        assert_eq!(heading(&tags(&game)), "Tal - ?, Match");
    }
}
