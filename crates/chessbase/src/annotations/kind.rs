//! The types of annotations, by their numbers.

pub(crate) const TEXT_AFTER: u8 = 0x02;
pub(crate) const GLYPHS: u8 = 0x03;
pub(crate) const SQUARES: u8 = 0x04;
pub(crate) const ARROWS: u8 = 0x05;
pub(crate) const TIME_SPENT: u8 = 0x07;
pub(crate) const UNKNOWN_08: u8 = 0x08;
pub(crate) const TRAINING: u8 = 0x09;
pub(crate) const SOUND: u8 = 0x10;
pub(crate) const PICTURE: u8 = 0x11;
pub(crate) const QUOTATION: u8 = 0x13;
pub(crate) const PAWN_STRUCTURE: u8 = 0x14;
pub(crate) const PIECE_PATH: u8 = 0x15;
pub(crate) const WHITE_CLOCK: u8 = 0x16;
pub(crate) const BLACK_CLOCK: u8 = 0x17;
pub(crate) const CRITICAL: u8 = 0x18;
pub(crate) const UNKNOWN_1A: u8 = 0x1a;
pub(crate) const WEB_LINK: u8 = 0x1c;
pub(crate) const VIDEO: u8 = 0x20;
pub(crate) const EVALUATION: u8 = 0x21;
pub(crate) const MEDALS: u8 = 0x22;
pub(crate) const VIDEO_TIME: u8 = 0x25;
pub(crate) const COLOR: u8 = 0x23;
pub(crate) const TIME_CONTROL: u8 = 0x24;
pub(crate) const PROFILE: u8 = 0x26;
pub(crate) const CORRESPONDENCE: u8 = 0x61;
pub(crate) const TEXT_BEFORE: u8 = 0x82;
