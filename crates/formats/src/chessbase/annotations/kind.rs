//! The types of annotations, by their numbers.

pub(in crate::chessbase) const TEXT_AFTER: u8 = 0x02;
pub(in crate::chessbase) const GLYPHS: u8 = 0x03;
pub(in crate::chessbase) const SQUARES: u8 = 0x04;
pub(in crate::chessbase) const ARROWS: u8 = 0x05;
pub(in crate::chessbase) const TIME_SPENT: u8 = 0x07;
pub(in crate::chessbase) const UNKNOWN_08: u8 = 0x08;
pub(in crate::chessbase) const TRAINING: u8 = 0x09;
pub(in crate::chessbase) const SOUND: u8 = 0x10;
pub(in crate::chessbase) const PICTURE: u8 = 0x11;
pub(in crate::chessbase) const QUOTATION: u8 = 0x13;
pub(in crate::chessbase) const PAWN_STRUCTURE: u8 = 0x14;
pub(in crate::chessbase) const PIECE_PATH: u8 = 0x15;
pub(in crate::chessbase) const WHITE_CLOCK: u8 = 0x16;
pub(in crate::chessbase) const BLACK_CLOCK: u8 = 0x17;
pub(in crate::chessbase) const CRITICAL: u8 = 0x18;
pub(in crate::chessbase) const UNKNOWN_1A: u8 = 0x1a;
pub(in crate::chessbase) const WEB_LINK: u8 = 0x1c;
pub(in crate::chessbase) const VIDEO: u8 = 0x20;
pub(in crate::chessbase) const EVALUATION: u8 = 0x21;
pub(in crate::chessbase) const MEDALS: u8 = 0x22;
pub(in crate::chessbase) const VIDEO_TIME: u8 = 0x25;
pub(in crate::chessbase) const COLOR: u8 = 0x23;
pub(in crate::chessbase) const TIME_CONTROL: u8 = 0x24;
pub(in crate::chessbase) const PROFILE: u8 = 0x26;
pub(in crate::chessbase) const CORRESPONDENCE: u8 = 0x61;
pub(in crate::chessbase) const TEXT_BEFORE: u8 = 0x82;
