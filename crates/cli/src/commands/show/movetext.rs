//! The moves of a game: variations indented, comments between them, glyphs as symbols.

use std::{
    fmt::Write as _,
    io::{self, Write},
    time::Duration,
};

use tabiya_chess::{Color, Position};
use tabiya_game::{
    Annotation, Comment, CommentPlace, Event, Flow, GameError, GameSink, GameTree, Nag, Score,
    command,
};

use super::paragraphs::Paragraphs;
use crate::{style::Palette, text::clean};

/// How far a variation stands to the right of its line.
const INDENT: usize = 3;

/// Writes the moves and the result.
pub fn write_movetext(
    output: &mut impl Write,
    tree: &GameTree,
    palette: Palette,
    columns: usize,
) -> io::Result<()> {
    let mut movetext = Movetext {
        text: Paragraphs::new(output, columns),
        palette,
        depth: 0,
        number_due: true,
        failed: None,
    };
    tree.tell(&mut movetext);
    movetext.text.end_line()?;
    movetext.failed.map_or(Ok(()), Err)
}

struct Movetext<'a, W> {
    text: Paragraphs<'a, W>,
    palette: Palette,
    depth: usize,
    /// Black's next move needs its number, because something stands before it.
    number_due: bool,
    failed: Option<io::Error>,
}

impl<W: Write> GameSink for Movetext<'_, W> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match self.write(event) {
            Ok(()) => Flow::Continue,
            Err(error) => {
                self.failed = Some(error);
                Flow::SkipGame
            }
        }
    }
}

impl<W: Write> Movetext<'_, W> {
    fn write(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Move { before, play, .. } => self.play(before, before.san(play).as_str()),
            Event::Null { before, .. } => self.play(before, "--"),
            Event::Missing => self.text.word("…", self.palette.warning),
            Event::Nag(nag) => self.nag(nag),
            Event::Comment(comment) => self.comment(&comment),
            Event::Annotation(annotation) => self.words(&spoken(annotation)),
            Event::Error(error) => self.error(&error),
            Event::VariationStart => {
                self.depth += 1;
                self.paragraph()?;
                self.text.word("(", self.palette.label)?;
                self.text.glue();
                Ok(())
            }
            Event::VariationEnd => {
                self.text.glue();
                self.text.word(")", self.palette.label)?;
                self.depth = self.depth.saturating_sub(1);
                self.paragraph()
            }
            Event::GameEnd { result, .. } if self.failed.is_none() => {
                self.text.word(result.token(), self.palette.strong)
            }
            _ => Ok(()),
        }
    }

    fn paragraph(&mut self) -> io::Result<()> {
        self.number_due = true;
        self.text.start(self.depth.saturating_mul(INDENT))
    }

    fn play(&mut self, before: &Position, san: &str) -> io::Result<()> {
        let style = match self.depth {
            0 => self.palette.strong,
            _ => Default::default(),
        };
        let number = before.fullmove_number();
        let word = match before.turn() {
            Color::White => format!("{number}.{san}"),
            Color::Black if self.number_due => format!("{number}...{san}"),
            Color::Black => san.to_string(),
        };
        self.number_due = false;
        self.text.word(&word, style)
    }

    /// A symbol that people know stands close to its move.
    fn nag(&mut self, nag: Nag) -> io::Result<()> {
        match nag.symbol() {
            Some(symbol) => {
                if nag.0 <= 6 {
                    self.text.glue();
                }
                self.text.word(symbol, Default::default())
            }
            None => self.text.word(&nag.to_string(), self.palette.label),
        }
    }

    fn comment(&mut self, comment: &Comment<'_>) -> io::Result<()> {
        let mut text = String::new();
        for part in command::parts(comment.text) {
            let known = match part {
                command::Part::Command(command) => command.annotation().map(|a| spoken(&a)),
                command::Part::Text(_) => None,
            };
            text.push_str(known.as_deref().unwrap_or(part.raw()));
        }
        // A long comment on the moves so far ends its paragraph: what follows is easier to find.
        let long = comment.place == CommentPlace::After && text.chars().count() > 200;
        self.words(&text)?;
        if long {
            self.paragraph()?;
        }
        Ok(())
    }

    fn words(&mut self, text: &str) -> io::Result<()> {
        let style = self.palette.comment;
        let text = format!("{{{}}}", clean(text.trim()));
        for word in text.split_whitespace() {
            self.text.word(word, style)?;
        }
        self.number_due = true;
        Ok(())
    }

    fn error(&mut self, error: &GameError<'_>) -> io::Result<()> {
        let text = format!("[{}: {}] {}", error.kind, error.message, error.raw);
        let style = self.palette.warning;
        for word in clean(&text).split_whitespace() {
            self.text.word(word, style)?;
        }
        self.number_due = true;
        Ok(())
    }
}

/// An annotation in the words of people, as far as there are any.
fn spoken(annotation: &Annotation) -> String {
    let mut text = String::new();
    match annotation {
        Annotation::Clock(time) => text.push_str(&clock(time)),
        Annotation::TimeSpent(time) => text.push_str(&format!("took {}", clock(time))),
        Annotation::Evaluation(evaluation) => {
            let written = match evaluation.score {
                Score::Centipawns(value) => write!(text, "{:+.2}", f64::from(value) / 100.0),
                Score::Mate(moves) => write!(text, "#{moves}"),
            };
            debug_assert!(written.is_ok(), "a String takes any text");
            if let Some(depth) = evaluation.depth {
                text.push_str(&format!("/{depth}"));
            }
        }
        other => text = other.to_command().unwrap_or_default(),
    }
    text
}

fn clock(time: &Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}
