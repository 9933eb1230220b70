//! What an annotation says.

use std::borrow::Cow;

use tabiya_chess::Color;
use tabiya_formats::writing::error_comment::{self, Kept};
use tabiya_game::{
    Annotation, Comment, CommentPlace, Event, LossKind, Place, Profile, Quotation as Quoted,
    command,
};

use super::quotation::Quotation;
use super::{
    FORMAT, Glyphs, Item, Layout, MAX_DATA, TimeControl, evals, kind, languages, marks, signs,
    times, training,
};
use crate::encoding::TextCodec;

/// An annotation that was understood, or kept raw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// A text.
    Text {
        /// Before or after the move.
        place: CommentPlace,
        /// Its language, as the number of a country; 0 is none in particular. From 256 on it is a
        /// language of the newer family that has no country here.
        country: u16,
        /// The text.
        text: String,
    },
    /// Glyphs.
    Glyphs(Glyphs),
    /// A clock at the end of the game.
    Clock {
        /// Whose.
        color: Color,
        /// What it shows, in hundredths of a second.
        hundredths: u32,
    },
    /// The time control of the game.
    TimeControl(TimeControl),
    /// The evaluations of all positions, with their depths if they say something.
    Profile(Profile, Option<Vec<u8>>),
    /// Anything else, raw ones included.
    Annotation(Annotation),
}

/// The data of a note, and what of it is lost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Types and data; more than one if a text is too long for an item, none if there is no way
    /// to write the note.
    pub items: Vec<(u8, Vec<u8>)>,
    /// What was lost.
    pub losses: Vec<(LossKind, String)>,
}

impl Note {
    /// What an item says.
    #[must_use]
    pub fn read(item: &Item<'_>, codec: &TextCodec) -> Note {
        match item.kind {
            kind::TEXT_AFTER | kind::TEXT_BEFORE => read_text(item, codec),
            kind::GLYPHS => Glyphs::read(item.data).map(Note::Glyphs),
            _ => read_typed(item, codec).filter(|note| note.is(item, codec)),
        }
        .unwrap_or_else(|| {
            Note::Annotation(Annotation::Raw {
                format: FORMAT.to_owned(),
                code: item.kind.into(),
                bytes: item.data.to_vec(),
            })
        })
    }

    /// Whether the note is written exactly as it was.
    fn is(&self, item: &Item<'_>, codec: &TextCodec) -> bool {
        matches!(&self.write(codec).items[..], [(kind, data)] if *kind == item.kind && data == item.data)
    }

    /// The items of the note.
    #[must_use]
    pub fn write(&self, codec: &TextCodec) -> Written {
        let item = match self {
            Note::Text {
                place,
                country,
                text,
            } => return write_text(*place, *country, text, codec),
            Note::Annotation(annotation) => return write_annotation(annotation, codec),
            Note::Glyphs(glyphs) => Some((kind::GLYPHS, glyphs.write())),
            Note::Clock { color, hundredths } => Some((
                match color {
                    Color::White => kind::WHITE_CLOCK,
                    Color::Black => kind::BLACK_CLOCK,
                },
                hundredths.to_be_bytes().to_vec(),
            )),
            Note::TimeControl(control) => control.write().map(|data| (kind::TIME_CONTROL, data)),
            Note::Profile(profile, depths) => {
                let data = evals::write_profile(profile, depths.as_deref());
                match data.filter(|data| data.len() <= MAX_DATA) {
                    Some(data) => Some((kind::PROFILE, data)),
                    None => return write_profile_as_text(profile, depths.as_deref(), codec),
                }
            }
        };
        Written {
            items: item.into_iter().collect(),
            losses: Vec::new(),
        }
    }

    /// The tag that the note is, if it speaks of the game as a whole.
    #[must_use]
    pub fn tag(&self) -> Option<(&'static str, String)> {
        match self {
            Note::Clock { color, hundredths } => {
                Some((clock_tag(*color), times::clock_to_tag(*hundredths)))
            }
            Note::TimeControl(control) => Some(("TimeControl", control.to_tag())),
            _ => None,
        }
    }

    /// The note that a tag is.
    #[must_use]
    pub fn of_tag(name: &str, value: &str) -> Option<Note> {
        if name == "TimeControl" {
            return TimeControl::of_tag(value).map(Note::TimeControl);
        }
        let color = Color::ALL
            .into_iter()
            .find(|color| clock_tag(*color) == name)?;
        let hundredths = times::clock_of_tag(value)?;
        Some(Note::Clock { color, hundredths })
    }

    /// Whether the note stands before its move.
    #[must_use]
    pub fn is_before(&self) -> bool {
        let before = CommentPlace::Before;
        matches!(self, Note::Text { place, .. } if *place == before)
    }

    /// The error that the note stands for, if it tells what is broken.
    pub(crate) fn error(&self) -> Option<Kept> {
        match self {
            Note::Text { text, .. } => error_comment::read(text),
            _ => None,
        }
    }

    /// Tells the note as events of its move; a tag tells nothing. Where an error stands is known to
    /// who knows where the note does.
    pub fn tell(&self, tell: &mut dyn FnMut(Event<'_>)) {
        if let Some(error) = self.error() {
            return tell(Event::Error(error.at(Place::default())));
        }
        match self {
            Note::Text {
                place,
                country,
                text,
            } => tell(Event::Comment(Comment {
                place: *place,
                language: languages::of_comment(*country).as_deref(),
                text,
            })),
            Note::Glyphs(glyphs) => glyphs.nags().for_each(|nag| tell(Event::Nag(nag))),
            Note::Clock { .. } | Note::TimeControl(_) => {}
            Note::Profile(profile, depths) => {
                let profile = Annotation::EvaluationProfile(profile.clone());
                tell(Event::Annotation(&profile));
                if let Some(depths) = depths {
                    tell(Event::Annotation(&Annotation::EvaluationDepths(
                        depths.clone(),
                    )));
                }
            }
            Note::Annotation(annotation) => tell(Event::Annotation(annotation)),
        }
    }

    /// The note of a text, by its type; one that is a command of an annotation without a type is
    /// that annotation.
    pub(crate) fn of_text(kind: u8, country: u16, text: Cow<'_, str>, codec: &TextCodec) -> Note {
        if kind == kind::TEXT_AFTER
            && country == 0
            && let Some(annotation) = of_command(&text, codec)
        {
            return Note::Annotation(annotation);
        }
        Note::Text {
            place: match kind {
                kind::TEXT_BEFORE => CommentPlace::Before,
                _ => CommentPlace::After,
            },
            country,
            text: text.into_owned(),
        }
    }

    /// The note of a comment; a language that ChessBase does not have becomes none in particular,
    /// which is said by `false`.
    pub(super) fn of_comment(comment: &Comment<'_>, layout: &Layout) -> (Note, bool) {
        let country = (layout.language)(comment.language);
        let note = Note::Text {
            place: comment.place,
            country: country.unwrap_or(0),
            text: comment.text.to_owned(),
        };
        (note, country.is_some())
    }
}

fn clock_tag(color: Color) -> &'static str {
    match color {
        Color::White => "WhiteClock",
        Color::Black => "BlackClock",
    }
}

fn read_typed(item: &Item<'_>, codec: &TextCodec) -> Option<Note> {
    let data = item.data;
    let clock = |color| {
        let hundredths = times::read_clock(data).filter(|_| item.position == -1)?;
        Some(Note::Clock { color, hundredths })
    };
    Some(Note::Annotation(match item.kind {
        kind::WHITE_CLOCK => return clock(Color::White),
        kind::BLACK_CLOCK => return clock(Color::Black),
        kind::TIME_CONTROL => {
            let control = TimeControl::read(data).filter(|_| item.position == -1);
            return control.map(Note::TimeControl);
        }
        kind::PROFILE => {
            let (profile, depths) = evals::read_profile(data)?;
            return Some(Note::Profile(profile, depths));
        }
        kind::SQUARES => Annotation::Squares(marks::read_squares(data)?),
        kind::ARROWS => Annotation::Arrows(marks::read_arrows(data)?),
        kind::TIME_SPENT => Annotation::TimeSpent(times::read_spent(data)?),
        kind::TRAINING => Annotation::Training(Box::new(training::read(data, codec)?)),
        kind::QUOTATION => Annotation::Quotation(Box::new(Quoted {
            text: Quotation::read(data, codec)?.text(),
            format: FORMAT.to_owned(),
            bytes: data.to_vec(),
        })),
        kind::CRITICAL => Annotation::CriticalPosition(signs::read_critical(data)?),
        kind::WEB_LINK => {
            let (url, text) = signs::read_link(data, codec)?;
            Annotation::WebLink { url, text }
        }
        kind::EVALUATION => Annotation::Evaluation(evals::read_evaluation(data)?),
        kind::MEDALS => Annotation::Medals(signs::read_medals(data)?),
        kind::COLOR => Annotation::VariationColor(signs::read_color(data)?),
        _ => return None,
    }))
}

/// A byte that is zero in all texts seen, the language, and the text up to its end or a zero.
fn read_text(item: &Item<'_>, codec: &TextCodec) -> Option<Note> {
    let &[_, country, ref bytes @ ..] = item.data else {
        return None;
    };
    let country = u16::from(country);
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    let text = codec.text(&bytes[..end]);
    Some(Note::of_text(item.kind, country, text, codec))
}

/// The annotation that was written as a text because there is no type for it.
fn of_command(text: &str, codec: &TextCodec) -> Option<Annotation> {
    let annotation = command::canonical(text)?;
    native(&annotation, codec).is_none().then_some(annotation)
}

fn write_text(place: CommentPlace, country: u16, text: &str, codec: &TextCodec) -> Written {
    const MAX_TEXT: usize = MAX_DATA - 2;
    // Higher ones are not of this family.
    let country = u8::try_from(country).unwrap_or(0);
    let mut written = Written::default();
    let text: Cow<'_, str> = match text.contains('\0') {
        false => text.into(),
        true => {
            written.lose(LossKind::Comment, "zeros in a comment");
            text.replace('\0', " ").into()
        }
    };
    let kind = match place {
        CommentPlace::Before => kind::TEXT_BEFORE,
        CommentPlace::After => kind::TEXT_AFTER,
    };
    let (bytes, lost) = codec.encode_text(&text);
    if lost > 0 {
        let page = codec.encoding().name();
        written.lose(
            LossKind::Comment,
            format!("letters that {page} does not have"),
        );
    }
    if bytes.len() <= MAX_TEXT {
        written
            .items
            .push((kind, [&[0, country], &bytes[..]].concat()));
        return written;
    }
    written.lose(LossKind::Comment, "that a long comment was one");
    // No character has more than four bytes.
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(MAX_TEXT / 4) {
        let (bytes, _) = codec.encode_text(&piece.iter().collect::<String>());
        written
            .items
            .push((kind, [&[0, country], &bytes[..]].concat()));
    }
    written
}

/// An annotation in its own type or, if there is none, as a text with its command.
fn write_annotation(annotation: &Annotation, codec: &TextCodec) -> Written {
    if let Some(item) = native(annotation, codec) {
        return Written {
            items: vec![item],
            losses: Vec::new(),
        };
    }
    match annotation.to_command() {
        Some(command) => write_text(CommentPlace::After, 0, &command, codec),
        None => {
            let mut written = Written::default();
            written.lose(LossKind::Annotation, "an annotation without a spelling");
            written
        }
    }
}

fn write_profile_as_text(profile: &Profile, depths: Option<&[u8]>, codec: &TextCodec) -> Written {
    let profile = Annotation::EvaluationProfile(profile.clone());
    let depths = depths.map(|depths| Annotation::EvaluationDepths(depths.to_vec()));
    let mut written = Written::default();
    for annotation in [Some(profile), depths].iter().flatten() {
        let part = match annotation.to_command() {
            Some(command) => write_text(CommentPlace::After, 0, &command, codec),
            None => write_annotation(annotation, codec),
        };
        written.items.extend(part.items);
        written.losses.extend(part.losses);
    }
    written
}

/// The type and the data of an annotation that ChessBase knows.
fn native(annotation: &Annotation, codec: &TextCodec) -> Option<(u8, Vec<u8>)> {
    let (kind, data) = match annotation {
        Annotation::Squares(marks) if !marks.is_empty() => {
            (kind::SQUARES, marks::write_squares(marks)?)
        }
        Annotation::Arrows(arrows) if !arrows.is_empty() => {
            (kind::ARROWS, marks::write_arrows(arrows)?)
        }
        Annotation::TimeSpent(time) => (kind::TIME_SPENT, times::write_spent(*time)?),
        Annotation::Evaluation(said) => (kind::EVALUATION, evals::write_evaluation(*said)?),
        Annotation::EvaluationProfile(said) => (kind::PROFILE, evals::write_profile(said, None)?),
        Annotation::Medals(medals) => (kind::MEDALS, signs::write_medals(*medals)),
        Annotation::CriticalPosition(phase) => (kind::CRITICAL, signs::write_critical(*phase)),
        Annotation::Training(asked) => (kind::TRAINING, training::write(asked, codec)?),
        Annotation::Quotation(quoted) if quoted.format == FORMAT => {
            let text = Quotation::read(&quoted.bytes, codec)?.text();
            (text == quoted.text).then(|| (kind::QUOTATION, quoted.bytes.clone()))?
        }
        Annotation::WebLink { url, text } => (kind::WEB_LINK, signs::write_link(url, text, codec)?),
        Annotation::VariationColor(color) => (kind::COLOR, signs::write_color(*color)),
        Annotation::Raw {
            format,
            code,
            bytes,
        } if format == FORMAT => (u8::try_from(*code).ok()?, bytes.clone()),
        _ => return None,
    };
    (data.len() <= MAX_DATA).then_some((kind, data))
}

impl Written {
    pub(crate) fn lose(&mut self, kind: LossKind, what: impl Into<String>) {
        self.losses.push((kind, what.into()));
    }
}
