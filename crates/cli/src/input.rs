//! What a command reads: a file, or standard input for `-`.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, bail};

/// All of a small input. More than `limit` bytes are refused rather than read.
pub fn read(path: &Path, limit: u64) -> anyhow::Result<Vec<u8>> {
    let (name, source): (_, io::Result<Box<dyn Read>>) = if path == "-" {
        ("standard input".into(), Ok(Box::new(io::stdin().lock())))
    } else {
        let file = File::open(path).map(|file| Box::new(file) as Box<dyn Read>);
        (path.display().to_string(), file)
    };
    let mut bytes = Vec::new();
    source
        .and_then(|source| source.take(limit + 1).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > limit {
        bail!("{name} is too long: expected at most {limit} bytes");
    }
    Ok(bytes)
}
