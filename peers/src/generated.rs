//! Games that are made up, for those who have no others, and for numbers that no collection has.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use tabiya_formats::pgn;
use tabiya_game::{
    GameTree,
    generate::{Generator, Options},
};

/// Writes games that share openings.
///
/// # Errors
/// If the file cannot be written.
pub fn write(games: u64, path: &Path) -> io::Result<()> {
    let generator = Generator::new(Options {
        games,
        book: true,
        ..Options::default()
    });
    let mut file = BufWriter::new(File::create(path)?);
    let (mut writer, mut game) = (pgn::Writer::default(), GameTree::default());
    for index in 0..games {
        generator.make(index, &mut game);
        game.tell(&mut writer);
        file.write_all(&writer.take())?;
    }
    file.flush()
}
