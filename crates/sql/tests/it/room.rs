//! Databases to ask, and questions to them.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use datafusion::arrow::{array::RecordBatch, util::display::array_value_to_string};
use tabiya::{
    GameTree,
    store::{Store, parquet::PARQUET},
};
use tabiya_game::generate::{Generator, Options as Generated};
use tabiya_sql::{Options, Session};
use tempfile::TempDir;

/// A folder for a test.
pub struct Room {
    folder: TempDir,
}

impl Room {
    pub fn new() -> Room {
        Room {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// Games as PGN.
    pub fn pgn(&self, name: &str, games: &[GameTree]) -> PathBuf {
        let path = self.path(name);
        let mut file = tabiya::create(&path).expect("a file");
        for game in games {
            file.add(game).expect("a game");
        }
        file.finish().expect("a file");
        path
    }

    /// A database of several segments, in which some games were edited and some deleted; and the
    /// games as they are now.
    pub fn overlaid(&self, name: &str) -> (PathBuf, Vec<Option<GameTree>>) {
        let path = self.path(name);
        let mut games: Vec<Option<GameTree>> = Vec::new();
        for part in [0..400, 400..450, 450..700] {
            append(&path, &generated(part.clone()));
            games.extend(generated(part).into_iter().map(Some));
        }
        for (number, other) in [(7, 900), (420, 901), (699, 902)] {
            let game = generated(other..other + 1).remove(0);
            open(&path).replace(number, &game).expect("replaced");
            games[number as usize - 1] = Some(game);
        }
        let deleted = [2, 420, 555];
        open(&path).mark(&deleted, true).expect("deleted");
        for number in deleted {
            games[number as usize - 1] = None;
        }
        (path, games)
    }
}

fn open(path: &Path) -> Store {
    Store::open(path).expect("a database")
}

/// Games that share openings, as those of real collections do.
pub fn generated(numbers: Range<u64>) -> Vec<GameTree> {
    let generator = Generator::new(Generated {
        book: true,
        ..Generated::default()
    });
    numbers.map(|number| generator.game(number)).collect()
}

/// Adds a segment to a database.
pub fn append(path: &Path, games: &[GameTree]) {
    let mut importer = Store::import(path).expect("a database");
    for game in games {
        importer.add(game).expect("a game");
    }
    importer.finish().expect("a segment");
}

/// Exports a database or a file to Parquet.
pub fn export(from: &Path, to: &Path) {
    let mut formats = tabiya::registry().clone();
    formats.register(&PARQUET);
    let format = formats.spec(PARQUET.name).expect("the format");
    let conversion = tabiya::convert(from, to).registry(formats).format(format);
    conversion.run().expect("exported");
}

pub fn sample(name: &str) -> PathBuf {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    samples.join(name)
}

pub async fn session<P: AsRef<Path>>(inputs: impl IntoIterator<Item = P>) -> Session {
    let options = Options {
        threads: std::num::NonZeroUsize::new(3),
        ..Options::default()
    };
    Session::open(inputs, &options).await.expect("inputs")
}

/// The rows of an answer as texts.
pub async fn ask(session: &Session, sql: &str) -> Vec<Vec<String>> {
    let answer = session
        .query(sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    let batches = answer
        .collect()
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    batches.iter().flat_map(texts).collect()
}

/// The same in an order of their own.
pub async fn ask_sorted(session: &Session, sql: &str) -> Vec<Vec<String>> {
    let mut rows = ask(session, sql).await;
    rows.sort();
    rows
}

/// The only cell of an answer.
pub async fn cell(session: &Session, sql: &str) -> String {
    let rows = ask(session, sql).await;
    assert!(rows.len() == 1 && rows[0].len() == 1, "{sql}: {rows:?}");
    rows[0][0].clone()
}

/// How a question is answered.
pub async fn explain(session: &Session, sql: &str) -> String {
    let rows = ask(session, &format!("EXPLAIN {sql}")).await;
    rows.concat().join("\n")
}

/// How it was answered, with what was read.
pub async fn analyze(session: &Session, sql: &str) -> String {
    let rows = ask(session, &format!("EXPLAIN ANALYZE {sql}")).await;
    rows.concat().join("\n")
}

fn texts(batch: &RecordBatch) -> Vec<Vec<String>> {
    let cell = |column: usize, row: usize| {
        array_value_to_string(batch.column(column), row).expect("a text")
    };
    let row = |row: usize| {
        (0..batch.num_columns())
            .map(|column| cell(column, row))
            .collect()
    };
    (0..batch.num_rows()).map(row).collect()
}
