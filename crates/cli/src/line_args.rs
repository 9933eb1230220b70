//! A position that is asked for, and how one comes to it.

use anyhow::Context;
use clap::Args;
use tabiya_chess::{Position, Variant};

use crate::fen;

/// Which position; none of them may be given.
#[derive(Args)]
pub struct LineArgs {
    /// The position, as FEN
    #[arg(long, value_name = "FEN", conflicts_with = "moves")]
    fen: Option<String>,

    /// The position after these moves: "1. e4 c5"
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl LineArgs {
    /// The positions on the way, the last of which is asked for; `None` if none is.
    pub fn line(&self) -> anyhow::Result<Option<Vec<Position>>> {
        if let Some(moves) = &self.moves {
            let line = tabiya::tree::line(moves).context("--moves cannot be read")?;
            return Ok(Some(line));
        }
        let Some(text) = &self.fen else {
            return Ok(None);
        };
        let setup = fen::parse(text)?;
        let position = Position::from_setup(&setup, Variant::Standard)
            .with_context(|| format!("no moves from {setup}"))?;
        Ok(Some(vec![position]))
    }
}
