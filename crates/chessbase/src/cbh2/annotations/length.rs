//! How long the data of an item is: only its type tells.

use super::{quotation, training};
use crate::annotations::{AnnotationErrorKind, bytes::Bytes, kind};

/// Types of which there is no layout in the classic family.
const TYPE_27: u16 = 0x27;

/// The length of the data with which some bytes begin.
pub(super) fn of(kind: u16, data: &[u8]) -> Result<usize, AnnotationErrorKind> {
    let mut bytes = Bytes(data);
    let found = match kind {
        TYPE_27 => bytes.take(2).map(drop),
        0..=0xff => {
            skip(kind as u8, &mut bytes).ok_or(AnnotationErrorKind::UnknownAnnotation { kind })?
        }
        _ => return Err(AnnotationErrorKind::UnknownAnnotation { kind }),
    };
    match found {
        Some(()) => Ok(data.len() - bytes.0.len()),
        None => Err(AnnotationErrorKind::BadAnnotation { kind }),
    }
}

/// Takes the data of a type; `None` if there is no such type, `Some(None)` if it is not there.
fn skip(kind: u8, bytes: &mut Bytes<'_>) -> Option<Option<()>> {
    Some(match kind {
        kind::TEXT_AFTER | kind::TEXT_BEFORE => bytes.take(4).and_then(|_| bytes.str32()).map(drop),
        kind::GLYPHS => bytes.take(3).map(drop),
        kind::SQUARES | kind::ARROWS | kind::PIECE_PATH => bytes.str32().map(drop),
        kind::TIME_SPENT
        | kind::UNKNOWN_08
        | kind::WHITE_CLOCK
        | kind::BLACK_CLOCK
        | kind::MEDALS
        | kind::COLOR
        | kind::VIDEO_TIME => bytes.take(4).map(drop),
        kind::TRAINING => training::skip(bytes),
        kind::QUOTATION => quotation::skip(bytes),
        kind::PAWN_STRUCTURE | kind::CRITICAL => bytes.take(1).map(drop),
        kind::WEB_LINK => link(bytes),
        kind::VIDEO => bytes.take(4).and_then(|_| bytes.str32()).map(drop),
        kind::EVALUATION => bytes.take(6).map(drop),
        kind::TIME_CONTROL => bytes.take(38).map(drop),
        kind::PROFILE => bytes.take(1).and_then(|_| bytes.str32()).map(drop),
        _ => return None,
    })
}

fn link(bytes: &mut Bytes<'_>) -> Option<()> {
    bytes.take(1)?;
    bytes.str32()?;
    bytes.str32().map(drop)
}
