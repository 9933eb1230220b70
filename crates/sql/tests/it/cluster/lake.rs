//! Exports of games that nobody played.

use std::{
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tabiya::Create;
use tabiya_formats::registry::Registry;
use tabiya_game::{
    GameTree,
    generate::{Generator, Options},
};
use tabiya_store::parquet::PARQUET;

/// So many short games make two row groups of games and two of positions: work for two executors.
pub const GAMES: u64 = 132_000;
const PLIES: RangeInclusive<u16> = 6..=6;

/// The export that most tests read, made once.
pub fn lake() -> &'static Path {
    static LAKE: OnceLock<PathBuf> = OnceLock::new();
    LAKE.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster-lake");
        export(&path, GAMES, PLIES);
        path
    })
}

/// A smaller one, for many questions.
pub fn small_lake() -> &'static Path {
    static LAKE: OnceLock<PathBuf> = OnceLock::new();
    LAKE.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster-small-lake");
        export(&path, GAMES / 12, PLIES);
        path
    })
}

/// Writes an export of generated games.
pub fn export(path: &Path, games: u64, plies: RangeInclusive<u16>) {
    let generator = Generator::new(Options {
        games,
        plies,
        book: true,
        ..Options::default()
    });
    write(path, (0..games).map(|number| generator.game(number)));
}

/// Writes an export.
pub fn write(path: &Path, games: impl Iterator<Item = GameTree>) {
    let registry = Registry::of(&[&PARQUET]);
    let format = registry.spec("parquet").expect("a format");
    let create = Create::new().registry(registry).format(format);
    let mut export = create.create(path).expect("an export");
    for game in games {
        export.add(&game).expect("a game");
    }
    export.finish().expect("the whole of it");
}

/// A copy that can be damaged.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.join("positions")).expect("a folder");
    for file in ["games.parquet", "export.json"] {
        fs::copy(from.join(file), to.join(file)).expect("a copy");
    }
    for part in fs::read_dir(from.join("positions")).expect("parts") {
        let part = part.expect("a part");
        fs::copy(part.path(), to.join("positions").join(part.file_name())).expect("a copy");
    }
}
