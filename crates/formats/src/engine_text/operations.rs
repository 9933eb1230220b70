//! The operations of an EPD as tags, and back: `bm Nf3;` is `[EPD_bm "Nf3"]`.

use std::fmt::Write;

use tabiya_chess::{Epd, Operand, Operation, Position};

/// What the names of these tags begin with.
const PREFIX: &str = "EPD_";

/// Opcodes whose operand is a text, which tags hold without its quotation marks.
fn holds_text(opcode: &str) -> bool {
    opcode == "id" || matches!(opcode.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
}

/// The tag of an operation, if its opcode can be part of the name of one. The clocks have no tags: the
/// position has them.
pub(super) fn tag(operation: &Operation) -> Option<(String, String)> {
    let opcode = &operation.opcode;
    if !opcode
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        return None;
    }
    let value = match operation.operands.as_slice() {
        [Operand::Text(text)] if holds_text(opcode) => text.clone(),
        operands => spelled(operands),
    };
    Some((format!("{PREFIX}{opcode}"), value))
}

/// Whether an operation sets a clock of a position, and the position has what it says.
pub(super) fn is_clock_of(operation: &Operation, position: &Position) -> bool {
    let number = match operation.operands.as_slice() {
        [Operand::Word(word)] => word.parse::<u32>().ok(),
        _ => None,
    };
    match operation.opcode.as_str() {
        "hmvc" => number == Some(position.halfmove_clock()),
        "fmvn" => number == Some(position.fullmove_number()),
        _ => false,
    }
}

/// Operands as an EPD has them.
pub(super) fn spelled(operands: &[Operand]) -> String {
    let words = operands.iter().map(|operand| match operand {
        Operand::Word(word) => word.clone(),
        Operand::Text(text) => format!("\"{text}\""),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The opcode of a tag that stands for an operation.
pub(super) fn opcode(name: &str) -> Option<&str> {
    let opcode = name.strip_prefix(PREFIX)?;
    (!matches!(opcode, "" | "hmvc" | "fmvn")).then_some(opcode)
}

/// Writes an operation, with a space before it; `false` if it would be read as something else.
pub(super) fn write(opcode: &str, value: &str, out: &mut String) -> bool {
    let start = out.len();
    let quoted = holds_text(opcode) && !value.starts_with('"');
    let written = match (quoted, value) {
        (true, value) => write!(out, " {opcode} \"{value}\";"),
        (false, "") => write!(out, " {opcode};"),
        (false, value) => write!(out, " {opcode} {value};"),
    };
    debug_assert!(written.is_ok(), "a String takes any text");
    let line = format!("8/8/8/8/8/8/8/8 w - -{}", &out[start..]);
    let read = line.parse::<Epd>();
    let same = |operation: &Operation| {
        operation.opcode == opcode && tag(operation).is_some_and(|(_, again)| again == value)
    };
    let is_read = !line.contains(char::is_control)
        && read.is_ok_and(|epd| matches!(epd.operations.as_slice(), [one] if same(one)));
    if !is_read {
        out.truncate(start);
    }
    is_read
}
