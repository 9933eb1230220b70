//! The examples of `docs/sql-functions.md` are true.

use std::{fs, path::Path};

use datafusion::arrow::util::pretty::pretty_format_batches;
use tabiya_sql::functions;

use crate::samples::Samples;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql-functions.md");
    fs::read_to_string(path).expect("the page")
}

/// Questions of the page with the answers that it shows.
fn examples(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("```sql\n").skip(1);
    blocks
        .map(|block| {
            let (question, rest) = block.split_once(";\n```\n").expect("the end of a question");
            let (_, rest) = rest.split_once("```\n").expect("an answer");
            let (answer, _) = rest.split_once("\n```").expect("the end of an answer");
            (question, answer)
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_of_functions_are_true() {
    let samples = Samples::new();
    let session = samples.session().await;
    let page = page();
    let mut wrong = Vec::new();
    for (question, expected) in examples(&page) {
        let answer = session
            .query(question)
            .await
            .unwrap_or_else(|error| panic!("{question}: {error}"));
        let batches = answer
            .collect()
            .await
            .unwrap_or_else(|error| panic!("{question}: {error}"));
        let table = pretty_format_batches(&batches)
            .expect("a table")
            .to_string();
        if table != expected {
            wrong.push(format!("{question};\n{table}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_function_is_on_the_page() {
    let page = page();
    let scalar = functions::scalar();
    let aggregate = functions::aggregate();
    let documented = scalar
        .iter()
        .filter_map(|function| function.documentation())
        .chain(
            aggregate
                .iter()
                .filter_map(|function| function.documentation()),
        );
    let mut count = 0;
    for documentation in documented {
        let heading = format!("### `{}`\n", documentation.syntax_example);
        assert!(page.contains(&heading), "{heading}");
        assert!(
            page.contains(&documentation.description),
            "{}",
            documentation.description
        );
        count += 1;
    }
    assert_eq!(page.matches("\n### `").count(), count);
}
