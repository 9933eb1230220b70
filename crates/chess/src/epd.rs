//! Extended Position Description: four fields of a FEN, then operations such as `bm Nf3;`.
//!
//! Opcodes and operands are kept in their order, known or not. `hmvc` and `fmvn` set the clocks.
//! Tolerated: a missing last `;`, operands in quotes or without, empty operations, and the two
//! clocks of a FEN in front of the operations.
//!
//! ```
//! use tabiya_chess::Epd;
//!
//! let text = "r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - bm Rxf4; id \"ERET 001\";";
//! let epd: Epd = text.parse()?;
//! assert_eq!(epd.operands("bm"), Some(&["Rxf4".into()][..]));
//! assert_eq!(epd.to_string(), text);
//! # Ok::<(), tabiya_chess::EpdError>(())
//! ```

use std::{fmt, str::FromStr};

use crate::{
    FenError, Setup,
    fen::{Words, parse_position},
};

/// A set-up with operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position.
    pub setup: Setup,
    /// What is said about it, in order.
    pub operations: Vec<Operation>,
}

/// An opcode with its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The name, such as `bm` or `id`.
    pub opcode: String,
    /// What follows it.
    pub operands: Vec<Operand>,
}

/// A word or a quoted text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A word, number or move.
    Word(String),
    /// A text in quotation marks.
    Text(String),
}

impl Operand {
    /// The word or text, without quotation marks.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Operand::Word(text) | Operand::Text(text) => text,
        }
    }
}

impl From<&str> for Operand {
    fn from(word: &str) -> Operand {
        Operand::Word(word.to_owned())
    }
}

/// Why a line is not an EPD.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A quoted text has no end.
    #[error("bad EPD, operations (column {column}): quotation mark without an end")]
    OpenQuote {
        /// Where the quotation starts, in characters from 1.
        column: usize,
    },
    /// An opcode does not begin with a letter.
    #[error("bad EPD, operations (column {column}): {found:?} is not an opcode such as bm or id")]
    Opcode {
        /// Where, in characters from 1.
        column: usize,
        /// What stands there.
        found: String,
    },
}

impl Epd {
    /// The operands of the first operation with an opcode.
    #[must_use]
    pub fn operands(&self, opcode: &str) -> Option<&[Operand]> {
        let found = self.operations.iter().find(|o| o.opcode == opcode)?;
        Some(&found.operands)
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Epd, EpdError> {
        let mut words = Words::new(text);
        let setup = parse_position(&mut words)?;
        let (column, rest) = words.rest();
        let tokens = tokens(column, rest)?;
        let mut epd = Epd {
            setup,
            operations: Vec::new(),
        };
        let tokens = epd.skip_fen_clocks(&tokens);
        for group in tokens.split(|(_, token)| *token == Token::End) {
            epd.push_operation(group)?;
        }
        for operation in &epd.operations {
            let number = operation
                .operands
                .first()
                .and_then(|o| o.as_str().parse().ok());
            match (operation.opcode.as_str(), number) {
                ("hmvc", Some(clock)) => epd.setup.halfmove_clock = clock,
                ("fmvn", Some(number)) => epd.setup.fullmove_number = u32::max(number, 1),
                _ => {}
            }
        }
        Ok(epd)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Operand(Operand),
    End,
}

impl Epd {
    /// Many files put a whole FEN in front of the operations.
    fn skip_fen_clocks<'t>(&mut self, tokens: &'t [(usize, Token)]) -> &'t [(usize, Token)] {
        let number = |index: usize| match tokens.get(index) {
            Some((_, Token::Operand(Operand::Word(word)))) => word.parse::<u32>().ok(),
            _ => None,
        };
        match (number(0), number(1)) {
            (Some(clock), Some(number)) => {
                self.setup.halfmove_clock = clock;
                self.setup.fullmove_number = number.max(1);
                &tokens[2..]
            }
            _ => tokens,
        }
    }

    fn push_operation(&mut self, group: &[(usize, Token)]) -> Result<(), EpdError> {
        let mut operands = group.iter().filter_map(|(column, token)| match token {
            Token::Operand(operand) => Some((*column, operand)),
            Token::End => None,
        });
        let Some((column, first)) = operands.next() else {
            return Ok(());
        };
        match first {
            Operand::Word(opcode) if opcode.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                self.operations.push(Operation {
                    opcode: opcode.clone(),
                    operands: operands.map(|(_, operand)| operand.clone()).collect(),
                });
                Ok(())
            }
            other => Err(EpdError::Opcode {
                column,
                found: other.as_str().chars().take(20).collect(),
            }),
        }
    }
}

/// Words, quoted texts and `;`, with their columns.
fn tokens(mut column: usize, text: &str) -> Result<Vec<(usize, Token)>, EpdError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            c if c.is_whitespace() => (None, c.len_utf8()),
            ';' => (Some(Token::End), 1),
            '"' => {
                let end = rest[1..].find('"').ok_or(EpdError::OpenQuote { column })?;
                let text = rest[1..=end].to_owned();
                (Some(Token::Operand(Operand::Text(text))), end + 2)
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || c == ';';
                let end = rest.find(ends).unwrap_or(rest.len());
                (Some(Token::Operand(rest[..end].into())), end)
            }
        };
        tokens.extend(token.map(|token| (column, token)));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup.write_epd_position(f)?;
        for operation in &self.operations {
            write!(f, " {}", operation.opcode)?;
            for operand in &operation.operands {
                match operand {
                    Operand::Word(word) => write!(f, " {word}")?,
                    Operand::Text(text) => write!(f, " \"{text}\"")?,
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

    fn parse(operations: &str) -> Epd {
        format!("{BARE} {operations}").parse().unwrap()
    }

    #[test]
    fn operations_keep_their_order_and_unknown_ones_stay() {
        let text = format!("{BARE} zz 1 2; bm Kd2 Kf2; id \"a; b\"; zz 3;");
        let epd: Epd = text.parse().unwrap();
        assert_eq!(epd.operations.len(), 4);
        assert_eq!(
            epd.operands("id"),
            Some(&[Operand::Text("a; b".into())][..])
        );
        assert_eq!(epd.to_string(), text);
    }

    #[test]
    fn clocks_come_from_opcodes_or_from_fen_fields() {
        for text in ["hmvc 7; fmvn 30;", "7 30 id \"x\";", "7 30"] {
            let epd = parse(text);
            assert_eq!(
                (epd.setup.halfmove_clock, epd.setup.fullmove_number),
                (7, 30),
                "{text}"
            );
        }
    }

    #[test]
    fn the_last_semicolon_may_be_missing_and_operations_empty() {
        assert_eq!(
            parse("bm Kd2").operations,
            parse(" ; bm   Kd2 ;; ").operations
        );
        assert_eq!(parse("").operations, []);
    }

    #[test]
    fn errors_have_a_column() {
        let error = |text: &str| format!("{BARE} {text}").parse::<Epd>().unwrap_err();
        assert_eq!(error("id \"open"), EpdError::OpenQuote { column: 30 });
        assert_eq!(
            error("bm Kd2; 12 x;"),
            EpdError::Opcode {
                column: 35,
                found: "12".into()
            }
        );
        assert!(matches!(
            "8/8 w - -".parse::<Epd>(),
            Err(EpdError::Position(_))
        ));
    }
}
