//! The same from an object store: moto, which speaks S3.

use std::{
    env,
    process::{Command, Stdio},
};

use tabiya_sql::cluster;

use super::{
    ask::{local, rows},
    lake::export,
    process::{Cluster, Process, Setting, options},
    python,
};

const QUESTION: &str = "select result, count(*) as games, sum(ply_count) as plies from games \
                        group by result order by result";

#[tokio::test(flavor = "multi_thread")]
async fn an_export_in_a_bucket_is_read_by_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut store) = python::script("s3.py", "moto.server") else {
        return;
    };
    let lake = folder.path().join("lake");
    export(&lake, 2_000, 10..=40);
    let keys = [
        ("AWS_ACCESS_KEY_ID", "nobody"),
        ("AWS_SECRET_ACCESS_KEY", "nothing"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ];
    let mut environment: Vec<_> = keys.map(|(name, value)| (name.into(), value.into())).into();
    store
        .arg(&lake)
        .envs(environment.clone())
        .stdin(Stdio::piped());
    let (_store, endpoint) = Process::start(&mut store, folder.path().join("s3.log"));
    environment.push(("AWS_ENDPOINT_URL".to_owned(), endpoint));
    let setting = Setting {
        environment: environment.clone(),
        ..Setting::default()
    };
    let cluster = Cluster::start_with(1, setting);

    // Who asks has its keys in its environment, too, and is therefore another process.
    let asked = Command::new(env::current_exe().expect("this program"))
        .args([
            "--exact",
            "cluster::s3::asks_a_bucket",
            "--ignored",
            "--nocapture",
        ])
        .env("TABIYA_CLUSTER", &cluster.address)
        .envs(environment)
        .output()
        .expect("a process");
    let answer = String::from_utf8_lossy(&asked.stdout);
    let errors = String::from_utf8_lossy(&asked.stderr);
    assert!(asked.status.success(), "{answer}{errors}");
    let expected = rows(&local(&lake).await, QUESTION)
        .await
        .expect("an answer");
    for row in expected {
        assert!(answer.contains(&row), "{row} is not in {answer}{errors}");
    }
}

#[tokio::test]
#[ignore = "started by an_export_in_a_bucket_is_read_by_all"]
async fn asks_a_bucket() {
    let Ok(address) = env::var("TABIYA_CLUSTER") else {
        return;
    };
    let session = cluster::connect(&address, "s3://chess/lake", &options()).await;
    let session = session.expect("a session");
    for row in rows(&session, QUESTION).await.expect("an answer") {
        println!("{row}");
    }
    let nothing = cluster::connect(&address, "s3://chess/nothing", &options()).await;
    let error = nothing.err().expect("no such folder").to_string();
    assert!(
        error.contains("s3://chess/nothing/ is no export"),
        "{error}"
    );
}
