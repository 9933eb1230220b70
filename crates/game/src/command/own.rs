//! Commands of our own, `[%tabiya …]`, for what nobody else has a command for.

use std::fmt::{self, Write};

use super::quote::{self, Arguments, is_word};
use super::read::{digits, small};
use super::training;
use crate::{Annotation, Quotation, VariationColor};

/// The meaning of a command of our own.
pub(super) fn read(arguments: &str) -> Option<Annotation> {
    let mut arguments = Arguments::new(arguments);
    let annotation = match arguments.word()? {
        "raw" => Annotation::Raw {
            format: arguments.word()?.to_owned(),
            code: small(arguments.word()?)?,
            bytes: rest_in_hex(&mut arguments)?,
        },
        "quotation" => Annotation::Quotation(Box::new(Quotation {
            text: arguments.text()?,
            format: arguments.word()?.to_owned(),
            bytes: rest_in_hex(&mut arguments)?,
        })),
        "link" => Annotation::WebLink {
            url: arguments.text()?,
            text: arguments.text()?,
        },
        "color" => Annotation::VariationColor(read_color(&mut arguments)?),
        "depths" => Annotation::EvaluationDepths(read_depths(arguments.word()?)?),
        "training" => Annotation::Training(Box::new(training::read_own(&mut arguments)?)),
        _ => return None,
    };
    arguments.is_empty().then_some(annotation)
}

/// Bytes, of which there may be none.
fn rest_in_hex(arguments: &mut Arguments<'_>) -> Option<Vec<u8>> {
    match arguments.is_empty() {
        true => Some(Vec::new()),
        false => bytes(arguments.word()?),
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    pairs
        .iter()
        .map(|&[high, low]| u8::try_from(digit(high)? * 16 + digit(low)?).ok())
        .collect()
}

fn read_color(arguments: &mut Arguments<'_>) -> Option<VariationColor> {
    let rgb = bytes(arguments.word()?)?.try_into().ok()?;
    let mut color = VariationColor {
        rgb,
        main_line_only: false,
        moves_only: false,
    };
    while !arguments.is_empty() {
        match arguments.word()? {
            "main" => color.main_line_only = true,
            "moves" => color.moves_only = true,
            _ => return None,
        }
    }
    Some(color)
}

fn read_depths(list: &str) -> Option<Vec<u8>> {
    list.split(',')
        .map(|depth| u8::try_from(digits(depth)?).ok())
        .collect()
}

pub(super) fn raw(format: &str, code: u16, bytes: &[u8], out: &mut impl Write) -> fmt::Result {
    if !is_word(format) {
        return Err(fmt::Error);
    }
    write!(out, "[%tabiya raw {format} {code}")?;
    write_hex(bytes, out)?;
    out.write_char(']')
}

pub(super) fn quotation(quoted: &Quotation, out: &mut impl Write) -> fmt::Result {
    if !is_word(&quoted.format) {
        return Err(fmt::Error);
    }
    out.write_str("[%tabiya quotation ")?;
    quote::write(&quoted.text, out)?;
    write!(out, " {}", quoted.format)?;
    write_hex(&quoted.bytes, out)?;
    out.write_char(']')
}

/// A space and the digits, if there are any.
fn write_hex(bytes: &[u8], out: &mut impl Write) -> fmt::Result {
    if !bytes.is_empty() {
        out.write_char(' ')?;
    }
    bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
}

pub(super) fn link(url: &str, text: &str, out: &mut impl Write) -> fmt::Result {
    out.write_str("[%tabiya link ")?;
    quote::write(url, out)?;
    out.write_char(' ')?;
    quote::write(text, out)?;
    out.write_char(']')
}

pub(super) fn color(color: VariationColor, out: &mut impl Write) -> fmt::Result {
    out.write_str("[%tabiya color")?;
    write_hex(&color.rgb, out)?;
    if color.main_line_only {
        out.write_str(" main")?;
    }
    if color.moves_only {
        out.write_str(" moves")?;
    }
    out.write_char(']')
}

pub(super) fn depths(depths: &[u8], out: &mut impl Write) -> fmt::Result {
    let (first, rest) = depths.split_first().ok_or(fmt::Error)?;
    write!(out, "[%tabiya depths {first}")?;
    rest.iter().try_for_each(|depth| write!(out, ",{depth}"))?;
    out.write_char(']')
}
