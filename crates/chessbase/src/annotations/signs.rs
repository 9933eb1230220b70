//! Critical positions (18), web links (1c), medals (22) and the colours of lines (23).

use tabiya_game::{Medals, Phase, VariationColor};

use super::bytes::Bytes;
use crate::encoding::TextCodec;

pub(super) fn read_critical(data: &[u8]) -> Option<Phase> {
    match data {
        [1] => Some(Phase::Opening),
        [2] => Some(Phase::Middlegame),
        [3] => Some(Phase::Endgame),
        _ => None,
    }
}

pub(super) fn write_critical(phase: Phase) -> Vec<u8> {
    vec![match phase {
        Phase::Opening => 1,
        Phase::Middlegame => 2,
        Phase::Endgame => 3,
    }]
}

pub(super) fn read_medals(data: &[u8]) -> Option<Medals> {
    Some(Medals(u32::from_be_bytes(data.try_into().ok()?)))
}

pub(super) fn write_medals(medals: Medals) -> Vec<u8> {
    medals.0.to_be_bytes().to_vec()
}

/// Flags, blue, green, red.
pub(super) fn read_color(data: &[u8]) -> Option<VariationColor> {
    let &[flags @ 0..=3, blue, green, red] = data else {
        return None;
    };
    Some(VariationColor {
        rgb: [red, green, blue],
        main_line_only: flags & 1 != 0,
        moves_only: flags & 2 != 0,
    })
}

pub(super) fn write_color(color: VariationColor) -> Vec<u8> {
    let flags = u8::from(color.main_line_only) | u8::from(color.moves_only) << 1;
    let [red, green, blue] = color.rgb;
    vec![flags, blue, green, red]
}

/// The length of all, then address and text, each behind a byte for its length. No file at hand
/// has one, so whatever looks different is left alone.
pub(super) fn read_link(data: &[u8], codec: &TextCodec) -> Option<(String, String)> {
    let mut bytes = Bytes(data);
    let whole = usize::from(bytes.u16_le()?) == data.len();
    let mut text = || {
        let length = bytes.u8()?;
        let text = bytes.take(length.into())?;
        Some(codec.name(text).into_owned())
    };
    let (url, text) = (text()?, text()?);
    (whole && bytes.is_empty()).then_some((url, text))
}

pub(super) fn write_link(url: &str, text: &str, codec: &TextCodec) -> Option<Vec<u8>> {
    let mut data = vec![0, 0];
    for text in [url, text] {
        let (bytes, lost) = codec.encode_name(text);
        data.push(u8::try_from(bytes.len()).ok().filter(|_| lost == 0)?);
        data.extend_from_slice(&bytes);
    }
    let length = u16::try_from(data.len()).ok()?;
    data[..2].copy_from_slice(&length.to_le_bytes());
    Some(data)
}
