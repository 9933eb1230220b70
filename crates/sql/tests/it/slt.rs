//! Files of questions with their answers: `tests/slt`.
//!
//! `TABIYA_SLT=overwrite` writes the answers that come out into the files. Read the difference before you
//! commit it.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use datafusion::arrow::{
    array::{Array, ArrayRef},
    datatypes::DataType,
    util::display::array_value_to_string,
};
use sqllogictest::{DB, DBOutput, DefaultColumnType, Runner};
use tabiya_sql::{Error, Session, functions};
use tokio::runtime::Runtime;

use crate::samples::Samples;

/// A session that waits for its answers.
struct Waiting {
    runtime: Runtime,
    session: Session,
}

impl DB for Waiting {
    type Error = Error;
    type ColumnType = DefaultColumnType;

    fn run(&mut self, sql: &str) -> Result<DBOutput<DefaultColumnType>, Error> {
        self.runtime.block_on(async {
            let answer = self.session.query(sql).await?;
            let schema = answer.schema();
            let types = schema.fields().iter().map(|field| kind(field.data_type()));
            let types: Vec<DefaultColumnType> = types.collect();
            let mut rows = Vec::new();
            for batch in answer.collect().await? {
                for row in 0..batch.num_rows() {
                    let cell = |column: &ArrayRef| text(column, row);
                    rows.push(batch.columns().iter().map(cell).collect());
                }
            }
            Ok(match types.is_empty() {
                true => DBOutput::StatementComplete(0),
                false => DBOutput::Rows { types, rows },
            })
        })
    }
}

fn kind(data_type: &DataType) -> DefaultColumnType {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DefaultColumnType::Text,
        number if number.is_integer() => DefaultColumnType::Integer,
        number if number.is_floating() => DefaultColumnType::FloatingPoint,
        _ => DefaultColumnType::Any,
    }
}

fn text(column: &ArrayRef, row: usize) -> String {
    if column.is_null(row) {
        return "NULL".into();
    }
    let text = array_value_to_string(column, row).expect("a text");
    match text.is_empty() {
        true => "(empty)".into(),
        false => text,
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt")
}

/// All files, by their names.
fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|name| name == "slt"));
    files.sort();
    files
}

#[test]
fn questions_of_all_files_are_answered() {
    let samples = Samples::new();
    let overwrite = env::var("TABIYA_SLT").is_ok_and(|wish| wish == "overwrite");
    let mut failures = Vec::new();
    for file in files() {
        let connect = || async {
            let runtime = Runtime::new().expect("threads");
            let session = runtime.block_on(samples.session());
            Ok(Waiting { runtime, session })
        };
        let mut runner = Runner::new(connect);
        runner.with_column_validator(sqllogictest::strict_column_validator);
        if overwrite {
            let updated = runner.update_test_file(
                &file,
                " ",
                sqllogictest::default_validator,
                sqllogictest::default_normalizer,
                sqllogictest::strict_column_validator,
            );
            futures::executor::block_on(updated).expect("a file of questions");
        } else if let Err(error) = runner.run_file(&file) {
            failures.push(format!("{}", error.display(false)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_function_has_a_file() {
    let scalar = functions::scalar();
    let aggregate = functions::aggregate();
    let names = scalar.iter().map(|function| function.name().to_owned());
    let names = names.chain(aggregate.iter().map(|function| function.name().to_owned()));
    let stems = files().into_iter().filter_map(|file| {
        let stem = file.file_stem()?;
        Some(stem.to_str()?.to_owned())
    });
    let stems: BTreeSet<String> = stems.collect();
    let without: Vec<String> = names.filter(|name| !stems.contains(name)).collect();
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn every_function_is_documented() {
    for function in functions::scalar() {
        let documentation = function.documentation().expect("words");
        assert!(documentation.sql_example.is_some(), "{}", function.name());
        assert!(documentation.arguments.is_some(), "{}", function.name());
    }
    for function in functions::aggregate() {
        let documentation = function.documentation().expect("words");
        assert!(documentation.sql_example.is_some(), "{}", function.name());
    }
}
