//! `GET /api/export`: games as a file.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    body::Body,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use tabiya::{Numbers, Report, registry};
use tabiya_formats::io::TemporaryFolder;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::io::ReaderStream;
use utoipa::IntoParams;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::games::Search;
use crate::{
    app::Shared,
    ask::{Ask, ConditionParams, FilterParams},
    failure::{ErrorAnswer, Failure},
    position::PositionParams,
    work::Work,
};

/// In which format games are exported.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportParams {
    /// One of those that `/api/info` names.
    #[serde(default = "pgn")]
    #[param(example = "pgn", default = "pgn")]
    format: String,
}

fn pgn() -> String {
    "pgn".to_owned()
}

/// The games that `/api/games` would find, in the order of their numbers, as a download; several
/// files come as a zip archive. The header `x-tabiya-losses` counts what the format could not hold.
#[utoipa::path(
    get,
    path = "/api/export",
    params(ExportParams, PositionParams, FilterParams, ConditionParams),
    responses(
        (status = 200, description = "the file", content_type = "application/octet-stream", body = Vec<u8>),
        (status = 400, body = ErrorAnswer),
        (status = 404, description = "no game is found", body = ErrorAnswer),
        (status = 413, description = "more games than are exported at once", body = ErrorAnswer),
        (status = 503, description = "too many questions, or this one takes too long", body = ErrorAnswer),
    )
)]
pub async fn export(
    State(app): State<Shared>,
    Ask(asked): Ask<ExportParams>,
    Ask(position): Ask<PositionParams>,
    Ask(filter): Ask<FilterParams>,
    Ask(conditions): Ask<ConditionParams>,
) -> Result<Response, Failure> {
    let search = Search::new(&position, &filter, &conditions)?;
    let spec = registry().spec(&asked.format);
    let spec = spec.map_err(|error| Failure::parameter("format", error))?;
    let profile = spec.for_writing(None);
    let extension = profile.extensions().first().copied();
    let Some(extension) = extension.filter(|_| profile.writes()) else {
        return Err(Failure::parameter(
            "format",
            format!("{profile} is not exported"),
        ));
    };
    let place = Arc::clone(&app.exports).try_acquire_owned();
    let place = place.map_err(|_| Failure::busy("too many exports at once: ask again soon"))?;
    let most = app.options.limits.exported;
    let shelf = Arc::clone(&app.shelf);
    tokio::task::spawn_blocking(move || shelf.refresh())
        .await
        .map_err(|_| Failure::internal("the database could not be looked at"))??;
    let made = app.ask_files(move |work| {
        let found = search.find(work)?;
        match found.len() {
            0 => Err(Failure::not_found("no game is found")),
            count if count > most => {
                let words = format!(
                    "{count} games are found, and {most} are exported at once: ask for less, or use \
                     `tabiya export`"
                );
                Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, words))
            }
            _ => Exported::make(work, found.into_iter().map(|(number, _)| number).collect(), |to| {
                to.join(format!("games.{extension}"))
            }),
        }
    });
    made.await?.response(place).await
}

/// A file that goes when it has been sent.
struct Exported {
    folder: TemporaryFolder,
    file: PathBuf,
    losses: u64,
}

impl Exported {
    fn make(
        work: &Work,
        numbers: Numbers,
        name: impl Fn(&Path) -> PathBuf,
    ) -> Result<Exported, Failure> {
        let folder = TemporaryFolder::create()?;
        let inside = folder.path().join("games");
        fs::create_dir(&inside)?;
        let report = convert(work, numbers, &name(&inside))?;
        let mut files = files_of(&inside)?;
        let file = match files.len() {
            1 => files.remove(0),
            _ => zipped(folder.path(), &inside, &files)?,
        };
        Ok(Exported {
            folder,
            file,
            losses: report.losses.count(),
        })
    }

    async fn response(self, place: OwnedSemaphorePermit) -> Result<Response, Failure> {
        let file = tokio::fs::File::open(&self.file).await?;
        let length = file.metadata().await?.len();
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let headers = [
            (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
            (header::CONTENT_LENGTH, length.to_string()),
            (
                header::CONTENT_DISPOSITION,
                format!("attachment; filename=\"{name}\""),
            ),
            (LOSSES, self.losses.to_string()),
        ];
        // Folder and place go with the stream, whether all of it was sent or not.
        let kept = (self.folder, place);
        let stream = futures_util::StreamExt::inspect(ReaderStream::new(file), move |_| {
            let _kept = &kept;
        });
        Ok((headers, Body::from_stream(stream)).into_response())
    }
}

/// How many things the format could not hold.
const LOSSES: header::HeaderName = header::HeaderName::from_static("x-tabiya-losses");

fn convert(work: &Work, numbers: Numbers, to: &Path) -> Result<Report, Failure> {
    let converted = tabiya::convert(work.opened.store.path(), to)
        .numbers(numbers)
        .watch(|_| work.go_on())
        .run();
    let report = converted.map_err(|stopped| stopped.error)?;
    // What was converted is opened anew, and numbers may be those of other games by now.
    match work.opened.is_current() {
        true => Ok(report),
        false => Err(Failure::busy(
            "the database has changed meanwhile: ask again",
        )),
    }
}

/// All files in a folder and in those within it, by their names.
fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    Ok(files)
}

fn zipped(to: &Path, root: &Path, files: &[PathBuf]) -> Result<PathBuf, Failure> {
    let path = to.join("games.zip");
    let broken = |error: zip::result::ZipError| Failure::internal(error.to_string());
    let mut archive = ZipWriter::new(File::create(&path)?);
    for file in files {
        let inside = file.strip_prefix(root).unwrap_or(file);
        let name: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        let options = SimpleFileOptions::default().large_file(true);
        archive
            .start_file(name.join("/"), options)
            .map_err(broken)?;
        io::copy(&mut File::open(file)?, &mut archive)?;
    }
    archive.finish().map_err(broken)?;
    Ok(path)
}
