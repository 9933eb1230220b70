//! One number for all that is read and written: the *conversion signature*.
//!
//! A fixed set of generated games is told to a hash, event by event: directly, and through each
//! format, written and read again. A format that loses nothing has the signature of the games
//! themselves. A change that alters the number alters what users get, and says so.
//!
//! ```
//! use tabiya_formats::signature::Signature;
//! use tabiya_game::GameTree;
//!
//! let mut signature = Signature::default();
//! let nothing = signature.value();
//! GameTree::default().tell(&mut signature);
//! assert_ne!(signature.value(), nothing);
//! ```

use std::{io, path::Path};

use tabiya_game::{
    CommentPlace, Event, Flow, GameSink, GameState, Needs,
    generate::{Generator, Options},
};

use crate::{
    pgn,
    registry::{FormatProfile, ReadOptions, Registry, Settings, WriteOptions},
    target::Destination,
};

/// The games whose events are counted: 500 annotated ones of seed 1.
#[must_use]
pub fn games() -> Generator {
    Generator::new(Options {
        seed: 1,
        games: 500,
        variations: true,
        ..Options::default()
    })
}

/// The signature of the games as they are.
#[must_use]
pub fn told() -> u64 {
    let mut signature = Signature::default();
    tell(&mut signature);
    signature.value()
}

/// The signatures of the games written in every format that can be read again.
///
/// # Errors
/// If there is no room for temporary files.
pub fn through_formats(registry: &Registry) -> io::Result<Vec<(FormatProfile, u64)>> {
    let both =
        |profile: &FormatProfile| profile.reads() && profile.writes() && profile.holds().moves;
    let folder = tempfile::tempdir()?;
    let through = |profile| Ok((profile, through(registry, profile, folder.path())?));
    registry.profiles().filter(both).map(through).collect()
}

fn through(registry: &Registry, profile: FormatProfile, folder: &Path) -> io::Result<u64> {
    let extension = profile.extensions().first().unwrap_or(&"games");
    let path = folder.join(format!("games.{extension}"));
    let options = WriteOptions {
        settings: Settings::new().with(&pgn::KEEP_RAW, true),
        ..WriteOptions::default()
    };
    let mut target = registry.target(profile, Destination::New(&path), &options)?;
    let mut writer = registry
        .writer(profile, &options)
        .map_err(io::Error::other)?;
    let mut games = games();
    while games.tell_game(&mut writer) {
        target.add_written(&mut *writer)?;
    }
    target.finish()?;
    let opened = registry.open(&path, None, &ReadOptions::default());
    let mut database = opened.map_err(io::Error::other)?.database;
    let mut signature = Signature::default();
    while let Some(part) = database.next_part().map_err(io::Error::other)? {
        part.tell(&mut signature).map_err(io::Error::other)?;
    }
    Ok(signature.value())
}

fn tell(sink: &mut dyn GameSink) {
    let mut games = games();
    while games.tell_game(sink) {}
}

/// Hashes events by FNV-1a. Places are left out: what is told counts, not where it stood.
#[derive(Clone, Debug)]
pub struct Signature {
    hash: u64,
}

impl Default for Signature {
    fn default() -> Signature {
        Signature {
            hash: 0xcbf2_9ce4_8422_2325,
        }
    }
}

impl Signature {
    /// The number of all events so far.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.hash
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// A text with its length, so that no two texts run into each other.
    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }
}

impl GameSink for Signature {
    fn needs(&mut self) -> Needs {
        Needs::ALL.keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.bytes(b"g"),
            Event::Tag { name, value } => {
                self.bytes(b"t");
                self.text(name);
                self.text(value);
            }
            Event::Start(position) => {
                self.bytes(b"s");
                self.text(position.variant().name());
                self.text(&position.to_setup().to_shredder_fen());
            }
            Event::Move { before, play, .. } => {
                self.bytes(b"m");
                self.number(before.key().0);
                self.bytes(&play.to_bits().to_le_bytes());
            }
            Event::Null { before, .. } => {
                self.bytes(b"0");
                self.number(before.key().0);
            }
            Event::Missing => self.bytes(b"?"),
            Event::Nag(nag) => {
                self.bytes(b"$");
                self.bytes(&nag.0.to_le_bytes());
            }
            Event::Comment(comment) => {
                self.bytes(match comment.place {
                    CommentPlace::Before => b"b",
                    CommentPlace::After => b"a",
                });
                self.text(comment.language.unwrap_or_default());
                self.text(comment.text);
            }
            Event::Annotation(annotation) => {
                self.bytes(b"%");
                self.text(&annotation.to_command().unwrap_or_default());
            }
            Event::Error(error) => {
                self.bytes(b"!");
                self.text(error.kind.name());
                self.text(error.message);
                self.text(error.raw);
            }
            Event::VariationStart => self.bytes(b"("),
            Event::VariationEnd => self.bytes(b")"),
            Event::GameEnd { result, state } => {
                self.bytes(b"e");
                self.text(result.tag());
                self.bytes(&[u8::from(state == GameState::Broken)]);
            }
            Event::Text {
                title,
                language,
                text,
                ..
            } => {
                self.bytes(b"T");
                self.text(title);
                self.text(language.unwrap_or_default());
                self.text(text);
            }
            Event::Opaque { format, bytes, .. } => {
                self.bytes(b"O");
                self.text(format);
                self.number(bytes.len() as u64);
                self.bytes(bytes);
            }
            // An event that was not known here when this was written counts too.
            other => self.text(&format!("{other:?}")),
        }
        Flow::Continue
    }
}
