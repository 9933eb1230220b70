//! A game for programs.

use std::io::{self, Write};

use serde::Serialize;
use tabiya_chess::{Action, Position};
use tabiya_game::{Comment, CommentPlace, Event, Flow, GameSink, GameState, GameTree, command};

#[derive(Serialize)]
struct Document<'a> {
    game: u64,
    deleted: bool,
    /// Names and values in their order: a name may be there twice.
    tags: Vec<(&'a str, &'a str)>,
    variant: &'static str,
    start: String,
    result: &'static str,
    broken: bool,
    #[serde(flatten)]
    line: Line,
}

/// A line of moves.
#[derive(Default, Serialize)]
struct Line {
    /// What stands before its first move and belongs to none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Note>,
    moves: Vec<Play>,
}

#[derive(Serialize)]
struct Play {
    ply: usize,
    number: u32,
    color: &'static str,
    san: String,
    uci: String,
    /// The position after the move.
    fen: String,
    /// What stands behind it, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Note>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Line>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Note {
    Nag(u16),
    Comment {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        /// It stands before the next move.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        before: bool,
    },
    /// A clock, an evaluation and the like, as PGN spells it.
    Command(String),
    Error {
        kind: &'static str,
        message: String,
        text: String,
    },
    /// A ply that was left out.
    Missing,
}

/// Writes a game as one object.
pub fn write(output: &mut impl Write, deleted: bool, tree: &GameTree) -> io::Result<()> {
    let mut listener = Listener::default();
    tree.tell(&mut listener);
    let document = Document {
        game: tree.place.number,
        deleted,
        tags: tree.tags.iter().collect(),
        variant: tree.start.variant().name(),
        start: tree.start.to_setup().to_string(),
        result: tree.result.tag(),
        broken: tree.state == GameState::Broken,
        line: listener.finish(),
    };
    serde_json::to_writer_pretty(&mut *output, &document)?;
    writeln!(output)
}

/// Builds lines without recursion: those that are open stand on each other.
#[derive(Default)]
struct Listener {
    /// The ply before the first of a line, and the line.
    open: Vec<(usize, Line)>,
    current: Line,
    before: usize,
}

impl Listener {
    fn play(&mut self, before: &Position, action: Action) {
        let mut after = *before;
        after.act(action);
        let (san, uci) = match action {
            Action::Move(play) => (before.san(play).to_string(), before.uci(play).to_string()),
            Action::Null => ("--".to_string(), "0000".to_string()),
        };
        self.current.moves.push(Play {
            ply: self.before + self.current.moves.len() + 1,
            number: before.fullmove_number(),
            color: match before.turn() {
                tabiya_chess::Color::White => "white",
                tabiya_chess::Color::Black => "black",
            },
            san,
            uci,
            fen: after.to_setup().to_string(),
            notes: Vec::new(),
            variations: Vec::new(),
        });
    }

    fn note(&mut self, note: Note) {
        match self.current.moves.last_mut() {
            Some(play) => play.notes.push(note),
            None => self.current.notes.push(note),
        }
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        // A comment that is nothing but commands is as good as they are.
        let parts: Vec<_> = command::parts(comment.text).collect();
        let is_command = |part: &command::Part<'_>| match part {
            command::Part::Command(_) => true,
            command::Part::Text(text) => text.trim().is_empty(),
        };
        if comment.language.is_none() && !parts.is_empty() && parts.iter().all(is_command) {
            for part in parts {
                if let command::Part::Command(_) = part {
                    self.note(Note::Command(part.raw().to_string()));
                }
            }
            return;
        }
        self.note(Note::Comment {
            text: comment.text.to_string(),
            language: comment.language.map(str::to_string),
            before: comment.place == CommentPlace::Before,
        });
    }

    fn end_variation(&mut self) {
        if let Some((before, line)) = self.open.pop() {
            let variation = std::mem::replace(&mut self.current, line);
            self.before = before;
            if let Some(play) = self.current.moves.last_mut() {
                play.variations.push(variation);
            }
        }
    }

    fn finish(mut self) -> Line {
        while !self.open.is_empty() {
            self.end_variation();
        }
        self.current
    }
}

impl GameSink for Listener {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Move { before, play, .. } => self.play(before, Action::Move(play)),
            Event::Null { before, .. } => self.play(before, Action::Null),
            Event::Missing => self.note(Note::Missing),
            Event::Nag(nag) => self.note(Note::Nag(nag.0)),
            Event::Comment(comment) => self.comment(&comment),
            Event::Annotation(annotation) => {
                if let Some(command) = annotation.to_command() {
                    self.note(Note::Command(command));
                }
            }
            Event::Error(error) => self.note(Note::Error {
                kind: error.kind.name(),
                message: error.message.to_string(),
                text: error.raw.to_string(),
            }),
            Event::VariationStart => {
                // It replaces the last move.
                let ply = self.before + self.current.moves.len().saturating_sub(1);
                let line = std::mem::take(&mut self.current);
                let before = std::mem::replace(&mut self.before, ply);
                self.open.push((before, line));
            }
            Event::VariationEnd => self.end_variation(),
            _ => {}
        }
        Flow::Continue
    }
}
