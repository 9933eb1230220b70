//! The types of annotations, by their numbers.

pub(super) const TEXT_AFTER: u8 = 0x02;
pub(super) const GLYPHS: u8 = 0x03;
pub(super) const SQUARES: u8 = 0x04;
pub(super) const ARROWS: u8 = 0x05;
pub(super) const TIME_SPENT: u8 = 0x07;
pub(super) const UNKNOWN_08: u8 = 0x08;
pub(super) const TRAINING: u8 = 0x09;
pub(super) const SOUND: u8 = 0x10;
pub(super) const PICTURE: u8 = 0x11;
pub(super) const QUOTATION: u8 = 0x13;
pub(super) const PAWN_STRUCTURE: u8 = 0x14;
pub(super) const PIECE_PATH: u8 = 0x15;
pub(super) const WHITE_CLOCK: u8 = 0x16;
pub(super) const BLACK_CLOCK: u8 = 0x17;
pub(super) const CRITICAL: u8 = 0x18;
pub(super) const UNKNOWN_1A: u8 = 0x1a;
pub(super) const WEB_LINK: u8 = 0x1c;
pub(super) const VIDEO: u8 = 0x20;
pub(super) const EVALUATION: u8 = 0x21;
pub(super) const MEDALS: u8 = 0x22;
pub(super) const COLOR: u8 = 0x23;
pub(super) const TIME_CONTROL: u8 = 0x24;
pub(super) const PROFILE: u8 = 0x26;
pub(super) const CORRESPONDENCE: u8 = 0x61;
pub(super) const TEXT_BEFORE: u8 = 0x82;
