//! Positions as bytes: the two profiles of the 12x10 board.

use std::{
    fmt::Display,
    io::{self, Write},
    path::Path,
};

use anyhow::Context;
use clap::ValueEnum;
use tabiya_chess::{
    FenField, Setup,
    mailbox::{Plain, Snapshot},
};

use crate::{input, message, output::Output};

/// Which bytes.
#[derive(Clone, Copy, ValueEnum)]
pub enum Profile {
    /// The pieces in 120 bytes
    Mailbox,
    /// The whole position in 128 bytes
    Snapshot,
}

/// Far more than 128 bytes in hexadecimal take.
const LIMIT: u64 = 4096;

impl Profile {
    const fn len(self) -> usize {
        match self {
            Profile::Mailbox => 120,
            Profile::Snapshot => 128,
        }
    }

    /// The set-up in a file.
    pub fn read(self, path: &Path) -> anyhow::Result<Setup> {
        let mut bytes = input::read(path, LIMIT)?;
        // Two digits a byte: the text is always longer than the bytes.
        if bytes.len() > self.len()
            && let Some(decoded) = from_hex(&bytes)
        {
            bytes = decoded;
        }
        let setup = match self {
            Profile::Mailbox => Plain::from_bytes(&bytes).map(|plain| {
                let filled_in = names(&Plain::LOST);
                message::warning(format_args!(
                    "a mailbox holds the pieces only; {filled_in} are a guess"
                ));
                plain.to_setup()
            }),
            Profile::Snapshot => Snapshot::from_bytes(&bytes).map(|snapshot| snapshot.to_setup()),
        };
        setup.with_context(|| format!("{} is not a {}", path.display(), self.name()))
    }

    /// Writes a set-up, as the bytes themselves or as text. What does not fit is reported.
    pub fn write(self, setup: &Setup, raw: bool, output: &mut Output) -> anyhow::Result<()> {
        let (bytes, lost) = match self {
            Profile::Mailbox => {
                let (plain, lost) = Plain::from_setup_lossy(setup);
                (plain.as_bytes().to_vec(), lost)
            }
            Profile::Snapshot => {
                let (snapshot, lost) = Snapshot::from_setup_lossy(setup)?;
                (snapshot.as_bytes().to_vec(), lost)
            }
        };
        if !lost.is_empty() {
            message::warning(format_args!(
                "a {} cannot hold all; lost: {}",
                self.name(),
                names(&lost)
            ));
        }
        if raw {
            output.write_all(&bytes)?;
        } else {
            write_hex(&bytes, output)?;
        }
        Ok(())
    }

    fn name(self) -> &'static str {
        match self {
            Profile::Mailbox => "mailbox",
            Profile::Snapshot => "snapshot",
        }
    }
}

fn names(fields: &[FenField]) -> impl Display {
    let names: Vec<_> = fields.iter().map(FenField::to_string).collect();
    names.join(", ")
}

/// Rows of ten cells, as the board has them, from cell 0.
fn write_hex(bytes: &[u8], output: &mut Output) -> io::Result<()> {
    for row in bytes.chunks(10) {
        let cells: Vec<_> = row.iter().map(|byte| format!("{byte:02X}")).collect();
        writeln!(output, "{}", cells.join(" "))?;
    }
    Ok(())
}

/// The bytes of a text of hexadecimal digits, spaces between the bytes or not.
fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let mut digits = Vec::new();
    for &byte in text {
        if !byte.is_ascii_whitespace() {
            digits.push(char::from(byte).to_digit(16)? as u8);
        }
    }
    let pairs = digits.chunks_exact(2);
    pairs
        .remainder()
        .is_empty()
        .then(|| pairs.map(|pair| pair[0] << 4 | pair[1]).collect())
}
