//! `POST /api/import`: games are added to the database.

use std::path::Path;

use axum::{Json, body::Body, extract::State, http::StatusCode};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tabiya::{ErrorKind, registry};
use tabiya_formats::io::TemporaryFolder;
use tokio::{io::AsyncWriteExt, time::timeout};
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::Shared,
    ask::Ask,
    failure::{ErrorAnswer, Failure},
    work::Work,
};

/// What is imported.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImportParams {
    /// What the file is called; its content tells its format.
    #[serde(default)]
    #[param(example = "week.pgn")]
    name: String,
}

/// What became of the games: read = written + refused, unless some are deleted.
#[derive(Serialize, ToSchema)]
pub struct Imported {
    read: u64,
    written: u64,
    refused: u64,
}

/// Adds the games of a file to the database, all or none; only if the server may write.
#[utoipa::path(
    post,
    path = "/api/import",
    params(ImportParams),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses(
        (status = 200, body = Imported),
        (status = 400, description = "no chess database", body = ErrorAnswer),
        (status = 403, description = "the server only reads", body = ErrorAnswer),
        (status = 408, description = "the file took too long to come", body = ErrorAnswer),
        (status = 413, description = "the file is too large", body = ErrorAnswer),
        (status = 503, description = "too many questions, or it takes too long", body = ErrorAnswer),
    )
)]
pub async fn import(
    State(app): State<Shared>,
    Ask(asked): Ask<ImportParams>,
    body: Body,
) -> Result<Json<Imported>, Failure> {
    if !app.options.writable {
        let words = "the server only reads: start it with --writable to add games";
        return Err(Failure::new(StatusCode::FORBIDDEN, words));
    }
    let folder = TemporaryFolder::create()?;
    let path = folder.path().join(file_name(&asked.name));
    let limits = app.options.limits;
    let received = timeout(limits.file_time, receive(body, &path, limits.import)).await;
    received.map_err(|_| {
        Failure::new(
            StatusCode::REQUEST_TIMEOUT,
            "the file took too long to come",
        )
    })??;
    let shelf = app.shelf.clone();
    let imported = app.ask_files(move |work| {
        let imported = add(work, &path)?;
        drop(folder);
        shelf.refresh()?;
        Ok(imported)
    });
    Ok(Json(imported.await?))
}

/// A name that is only a name, whatever somebody sends: its end tells how a file is packed.
fn file_name(asked: &str) -> String {
    let last = asked.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
        .collect();
    let end = plain.len().saturating_sub(60);
    format!("import{}", &plain[end..])
}

/// Writes a body to a file, unless it is too large.
async fn receive(body: Body, path: &Path, most: usize) -> Result<(), Failure> {
    let mut file = tokio::fs::File::create_new(path).await?;
    let mut chunks = body.into_data_stream();
    let mut received = 0usize;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| Failure::wrong(error.to_string()))?;
        received = received.saturating_add(chunk.len());
        if received > most {
            let words = format!("the file has more than {most} bytes: use `tabiya import`");
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, words));
        }
        file.write_all(&chunk).await?;
    }
    Ok(file.flush().await?)
}

fn add(work: &Work, path: &Path) -> Result<Imported, Failure> {
    let format = registry().spec("tabiya");
    let format = format.map_err(|error| Failure::internal(error.to_string()))?;
    let report = tabiya::convert(path, work.opened.store.path())
        .format(format)
        .append(true)
        .watch(|_| work.go_on())
        .run();
    let report = report.map_err(|stopped| match stopped.error.kind() {
        ErrorKind::Cancelled | ErrorKind::Internal => Failure::from(stopped.error),
        // Whatever else is wrong is wrong with the file, or with who else writes.
        _ => Failure::wrong(without_path(&stopped.error.to_string(), path)),
    })?;
    Ok(Imported {
        read: report.counts.read,
        written: report.counts.written,
        refused: report.counts.refused,
    })
}

/// Where the file was put is nothing that people know.
fn without_path(words: &str, path: &Path) -> String {
    words.replace(&path.display().to_string(), "the file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_leads_out_of_its_folder() {
        for (asked, name) in [
            ("week.pgn", "importweek.pgn"),
            ("../../etc/passwd", "importpasswd"),
            ("..\\..\\boot.ini", "importboot.ini"),
            ("/", "import"),
            ("..", "import.."),
            ("a\0b.pgn.zst", "importab.pgn.zst"),
            ("", "import"),
        ] {
            assert_eq!(file_name(asked), name);
        }
        assert!(file_name(&"x".repeat(10_000)).len() < 100);
    }
}
