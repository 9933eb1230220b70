//! Annotations: the records of `.cba` files.
//!
//! A game that has annotations has a [`Record`] of them, whose place the header of the game
//! tells. It is a list of [`Item`]s, each with the position it belongs to (a move, counted as
//! moves are stored: the main line first), a type and its data. [`read_record`] understands them
//! as [`Note`]s, which tell themselves as events; [`RecordWriter`] makes a record of events again.
//!
//! What an item says is typed where its meaning is known for certain: whatever would not be
//! written back byte by byte stays [`Annotation::Raw`](tabiya_game::Annotation::Raw). Texts are the
//! exception, because a database may hold them in more than one encoding, and so are zeros behind
//! glyphs: what people wrote is not to be lost for a byte that says nothing.
//!
//! | type | is | told as |
//! |---|---|---|
//! | 02, 82 | text after, before a move | comment |
//! | 03 | glyphs | NAGs |
//! | 04, 05 | squares, arrows | the same |
//! | 07 | time spent | the same |
//! | 09 | training question | the same |
//! | 13 | quotation | the same |
//! | 16, 17 | clocks at the end | tags WhiteClock, BlackClock |
//! | 18 | critical position | the same |
//! | 1c | web link | the same |
//! | 21, 26 | evaluation, profile | the same |
//! | 22, 23 | medals, colour of a line | the same |
//! | 24 | time control | tag TimeControl |
//! | others | pictures, sounds, video, paths of pieces … | raw |
//!
//! An annotation that ChessBase has no type for, such as the clock at a move, is written as a text
//! with its command, `[%clk 1:29:59]`, and read back from that.
//!
//! ```
//! use tabiya_chessbase::annotations::{RecordWriter, read_record};
//! use tabiya_chessbase::encoding::TextCodec;
//! use tabiya_game::{Comment, CommentPlace, Event, Nag};
//!
//! let mut writer = RecordWriter::new(TextCodec::default());
//! writer.start(1);
//! writer.event(4, &Event::Nag(Nag(1)));
//! writer.event(4, &Event::Comment(Comment {
//!     place: CommentPlace::After,
//!     language: Some("de"),
//!     text: "Läufer!",
//! }));
//! let written = writer.finish(1).expect("there are annotations");
//!
//! let (notes, error) = read_record(&written.bytes, &TextCodec::default())?;
//! assert!(error.is_none());
//! let mut told = Vec::new();
//! for (position, note) in &notes {
//!     note.tell(&mut |event| told.push(format!("{position}: {event:?}")));
//! }
//! assert_eq!(told[0], "4: Nag(Nag(1))");
//! assert!(told[1].contains("Läufer!"));
//! # Ok::<(), tabiya_chessbase::annotations::AnnotationError>(())
//! ```

pub(super) mod bytes;
mod error;
mod evals;
mod facts;
mod glyphs;
pub(super) mod kind;
pub(super) mod languages;
pub(super) mod marks;
mod note;
mod quotation;
mod record;
mod signs;
mod times;
mod training;
mod writer;

#[cfg(test)]
mod tests;

pub use error::{AnnotationError, AnnotationErrorKind};
pub use facts::{Facts, variations_magnitude};
pub use glyphs::Glyphs;
pub use note::{Note, Written};
pub use quotation::Quotation;
pub use record::{Item, Items, Record};
pub use times::TimeControl;
pub use writer::{RecordWriter, WrittenRecord};

use super::encoding::TextCodec;

/// How the annotations call the format that raw ones come from.
pub const FORMAT: &str = "chessbase";

/// How a family lays out its items.
#[derive(Debug)]
pub(super) struct Layout {
    /// The items of a note.
    pub(super) write: fn(&Note, &TextCodec) -> Written,
    /// The number of a comment's language, if the family has it.
    pub(super) language: fn(Option<&str>) -> Option<u16>,
}

/// That of the records here.
const CLASSIC: Layout = Layout {
    write: Note::write,
    language: |language| languages::to_comment(language).filter(|it| *it < languages::NEWER),
};

/// How much data an item can hold: its size, head included, has two bytes.
const MAX_DATA: usize = u16::MAX as usize - record::ITEM_HEAD;

/// Notes with their positions, in the order of the record.
pub type Notes = Vec<(i32, Note)>;

/// Reads the record with which the bytes begin. If an item is broken, the notes before it are
/// kept and the error is returned beside them.
///
/// # Errors
/// If there is no whole record.
pub fn read_record(
    bytes: &[u8],
    codec: &TextCodec,
) -> Result<(Notes, Option<AnnotationError>), AnnotationError> {
    let mut notes = Vec::new();
    for item in Record::parse(bytes)?.items() {
        match item {
            Ok(item) => notes.push((item.position, Note::read(&item, codec))),
            Err(error) => return Ok((notes, Some(error))),
        }
    }
    Ok((notes, None))
}
