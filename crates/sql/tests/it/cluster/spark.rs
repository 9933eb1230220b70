//! Spark reads what we export, and has our answers.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

use super::{ask::local, lake::export, python};

/// Each means the same to Spark and to DataFusion.
const QUESTIONS: [&str; 4] = [
    "select count(*), sum(ply_count), max(id) from games",
    "select count(*), count(distinct key), count(distinct game) from positions",
    "select san, result, count(*) as games from positions join games on game = id where key = 5060803636482931868 group by san, result order by san, result",
    "select id, white, black, date, white_rating, main_line, ply_count, signature from games order by id limit 20",
];

/// Those of the page that tells of Spark, each on a line.
fn of_the_page() -> impl Iterator<Item = String> {
    let page = include_str!("../../../../../docs/spark.md");
    let questions = page.split("```sql\n").skip(1);
    questions.map(|rest| {
        let (question, _) = rest.split_once("```").expect("an end");
        question.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn spark_has_the_same_answers() {
    if !Command::new("java")
        .arg("-version")
        .output()
        .is_ok_and(|java| java.status.success())
    {
        eprintln!("skipped: no Java");
        return;
    }
    let Some(mut spark) = python::script("spark.py", "pyspark") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let lake = folder.path().join("lake");
    export(&lake, 3_000, 10..=60);
    spark.arg(&lake).current_dir(folder.path());
    spark
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut spark = spark.spawn().expect("a process");
    let mut questions = spark.stdin.take().expect("a pipe");
    let all: Vec<String> = QUESTIONS
        .into_iter()
        .map(str::to_owned)
        .chain(of_the_page())
        .collect();
    for sql in &all {
        writeln!(questions, "{sql}").expect("a question");
    }
    drop(questions);
    let told = spark.wait_with_output().expect("an end");
    let errors = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{errors}");
    let answers = String::from_utf8(told.stdout).expect("text");
    assert_eq!(answers.lines().count(), all.len(), "{errors}");
    for (sql, answer) in all.iter().zip(answers.lines()) {
        assert_eq!(answer, ours(&lake, sql).await, "{sql}");
    }
}

/// Our answer as the script writes Spark's.
async fn ours(lake: &std::path::Path, sql: &str) -> String {
    let session = local(lake).await;
    let batches = session
        .sql(sql)
        .await
        .expect(sql)
        .collect()
        .await
        .expect(sql);
    let options = FormatOptions::default();
    let mut rows = Vec::new();
    for batch in &batches {
        let columns = batch.columns().iter();
        let columns: Vec<_> = columns
            .map(|column| {
                (
                    column,
                    ArrayFormatter::try_new(column, &options).expect("a column"),
                )
            })
            .collect();
        for row in 0..batch.num_rows() {
            let cells = columns
                .iter()
                .map(|(column, text)| match column.is_null(row) {
                    true => "null".to_owned(),
                    false => format!("{:?}", text.value(row).to_string()),
                });
            rows.push(format!("[{}]", cells.collect::<Vec<_>>().join(", ")));
        }
    }
    format!("[{}]", rows.join(", "))
}
