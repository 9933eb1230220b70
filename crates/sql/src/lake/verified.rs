//! Files of exports, compared with their checksums as they are read.

use std::{
    collections::HashMap,
    fmt,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::{
    datasource::physical_plan::parquet::metadata::DFParquetMetadata, error::DataFusionError,
    parquet::errors::ParquetError,
};
use futures::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use object_store::{
    CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions,
    PutPayload, PutResult, RenameOptions, Result, path::Path,
};
use tabiya_store::parquet::{
    FileEntry, Manifest, ManifestError, has_list, is_read, not_as_written,
};

/// A store in which no file of an export is read otherwise than it was written.
///
/// It stands below DataFusion, which knows nothing of it, so that executors read by it as well. What is
/// asked for is read in whole blocks, and each is compared with its checksum. Whoever plans asks which files
/// there are, and gets all of them or an error. Exports of before have no checksums, and are read as they
/// are.
#[derive(Clone, Debug)]
pub(super) struct Verified {
    store: Arc<dyn ObjectStore>,
    lists: Lists,
}

/// The lists of the exports that have been read from, by their folders. Whether there is one is asked anew where
/// there was none: executors open no export, and would not hear of one that has taken its place.
type Lists = Arc<Mutex<HashMap<String, Listed>>>;

/// Whether an export has a list.
#[derive(Clone, Debug)]
enum Listed {
    By(Arc<Manifest>),
    /// It is one of before: its games say nothing of a list.
    Never,
}

/// What is wrong with an export.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Damage {
    /// A file is not as it was written.
    #[error("{0}")]
    File(String),
    /// There has been a list of files.
    #[error("{} is not there", Manifest::NAME)]
    NoList,
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Error {
        Error::Generic {
            store: "checksum",
            source: Box::new(damage),
        }
    }
}

fn damage(sentence: String) -> Error {
    Damage::File(sentence).into()
}

fn is_damage(error: &Error) -> bool {
    matches!(error, Error::Generic { source, .. } if source.is::<Damage>())
}

/// What is wrong with an export, if that is the error.
pub(crate) fn damage_in(error: &DataFusionError) -> Option<&Damage> {
    let error = match error.find_root() {
        DataFusionError::ObjectStore(error) => Some(&**error),
        DataFusionError::ParquetError(error) => match &**error {
            ParquetError::External(error) => error.downcast_ref(),
            _ => None,
        },
        _ => None,
    };
    match error? {
        Error::Generic { source, .. } => source.downcast_ref(),
        _ => None,
    }
}

/// A file of an export: the folder of the export, and the name in its list.
struct Place<'p> {
    folder: &'p str,
    name: &'p str,
}

impl Place<'_> {
    /// `None` for a file that no export has.
    fn of(location: &Path) -> Option<Place<'_>> {
        let path: &str = location.as_ref();
        let starts = path.rmatch_indices('/').map(|(slash, _)| slash + 1);
        let mut places = starts.chain([0]).map(|start| path.split_at(start));
        let (folder, name) = places.find(|(_, name)| is_read(name))?;
        let folder = folder.strip_suffix('/').unwrap_or(folder);
        Some(Place { folder, name })
    }
}

/// A table of an export, as DataFusion asks for its files.
struct Table {
    prefix: Path,
    /// The folder of the export.
    folder: String,
    /// What the names of its files begin with.
    name: &'static str,
}

/// DataFusion lists a file, too, if it is not there: it may be a folder.
const TABLES: [&str; 2] = [GAMES, "positions"];
const GAMES: &str = "games.parquet";

impl Table {
    /// `None` for a folder that no export has.
    fn of(prefix: &Path) -> Option<Table> {
        let path: &str = prefix.as_ref();
        let (folder, last) = path.rsplit_once('/').unwrap_or(("", path));
        Some(Table {
            prefix: prefix.clone(),
            folder: folder.to_owned(),
            name: TABLES.into_iter().find(|name| *name == last)?,
        })
    }

    /// The names and lengths of files, as the list of the export has them, as far as they are read.
    fn names(&self, found: &[ObjectMeta]) -> Vec<(String, u64)> {
        let read = found.iter().filter_map(|file| {
            let path: &str = file.location.as_ref();
            let name = path.strip_prefix(&self.folder)?;
            let name = name.strip_prefix('/').unwrap_or(name);
            is_read(name).then(|| (name.to_owned(), file.size))
        });
        read.collect()
    }
}

impl Verified {
    pub fn new(store: Arc<dyn ObjectStore>) -> Verified {
        Verified {
            store,
            lists: Lists::default(),
        }
    }

    fn lists(&self) -> MutexGuard<'_, HashMap<String, Listed>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The list of an export, as it was when it was first asked for, or as it is now.
    async fn list_of(&self, folder: &str, anew: bool) -> Result<Option<Arc<Manifest>>> {
        let known = self.lists().get(folder).cloned();
        if let Some(Listed::By(list)) = &known
            && !anew
        {
            return Ok(Some(Arc::clone(list)));
        }
        let location = Path::parse(within(folder, Manifest::NAME))?;
        let list = match self.store.get(&location).await {
            Ok(found) => Manifest::parse(&found.bytes().await?),
            Err(Error::NotFound { .. }) => {
                let is_missed = match known {
                    Some(Listed::By(_)) => true,
                    Some(Listed::Never) => false,
                    None => self.is_listed(folder).await?,
                };
                if is_missed {
                    return Err(Damage::NoList.into());
                }
                self.lists().insert(folder.to_owned(), Listed::Never);
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let list = list.map_err(|error| match error {
            ManifestError::Later(_) => Error::NotSupported {
                source: format!("{}: {error}", Manifest::NAME).into(),
            },
            error => damage(format!("{}: {error}", Manifest::NAME)),
        })?;
        let list = Arc::new(list);
        let listed = Listed::By(Arc::clone(&list));
        self.lists().insert(folder.to_owned(), listed);
        Ok(Some(list))
    }

    /// Whether the games of an export say that there is a list of its files. What cannot be read says
    /// nothing, and whoever reads it will be told why.
    async fn is_listed(&self, folder: &str) -> Result<bool> {
        let location = Path::parse(within(folder, GAMES))?;
        let meta = match self.store.head(&location).await {
            Ok(meta) => meta,
            Err(Error::NotFound { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        let games = DFParquetMetadata::new(&*self.store, &meta);
        let games = games.fetch_metadata().await;
        Ok(games.is_ok_and(|games| has_list(&games)))
    }

    /// The files of a table: all that the export has, and no others. DataFusion takes those that are not
    /// there for ones without rows.
    async fn files(&self, table: &Table) -> Result<Vec<ObjectMeta>> {
        match self.compared(table, false).await {
            // Another export may have taken its place.
            Err(error) if is_damage(&error) => self.compared(table, true).await,
            found => found,
        }
    }

    async fn compared(&self, table: &Table, anew: bool) -> Result<Vec<ObjectMeta>> {
        let found = self.store.list(Some(&table.prefix));
        let found: Vec<ObjectMeta> = found.try_collect().await?;
        let Some(list) = self.list_of(&table.folder, anew).await? else {
            return match found.is_empty() {
                true => Err(not_there(&table.prefix)),
                false => Ok(found),
            };
        };
        let names = table.names(&found);
        let mut differences = list.differences(&names).into_iter();
        match differences.find(|(name, _)| name.starts_with(table.name)) {
            Some((name, difference)) => {
                let file = within(&table.folder, name);
                Err(damage(format!("/{file} {difference}")))
            }
            None => Ok(found),
        }
    }

    /// Some bytes of a file; `None` if nobody knows what they should be.
    async fn verified(
        &self,
        location: &Path,
        options: &GetOptions,
        place: &Place<'_>,
        anew: bool,
    ) -> Result<Option<GetResult>> {
        let Some(list) = self.list_of(place.folder, anew).await? else {
            return Ok(None);
        };
        let entry = entry_of(&list, place)?;
        let wanted = match &options.range {
            Some(range) => range.as_range(entry.bytes()),
            None => Ok(0..entry.bytes()),
        };
        let wanted = wanted.map_err(|error| damage(error.to_string()))?;
        let blocks = blocks_of(entry, &wanted)?;
        let options = GetOptions {
            range: Some(GetRange::Bounded(blocks.clone())),
            ..options.clone()
        };
        let found = self.store.get_opts(location, options).await?;
        let (meta, attributes) = (found.meta.clone(), found.attributes.clone());
        let bytes = found.bytes().await?;
        verify(entry, &blocks, &bytes)?;
        let bytes = part_of(&bytes, &blocks, &wanted)?;
        Ok(Some(GetResult {
            payload: GetResultPayload::Stream(stream::iter([Ok(bytes)]).boxed()),
            meta,
            range: wanted,
            attributes,
        }))
    }

    /// The same for several ranges of bytes.
    async fn verified_ranges(
        &self,
        location: &Path,
        wanted: &[Range<u64>],
        place: &Place<'_>,
        anew: bool,
    ) -> Result<Option<Vec<Bytes>>> {
        let Some(list) = self.list_of(place.folder, anew).await? else {
            return Ok(None);
        };
        let entry = entry_of(&list, place)?;
        let blocks = wanted.iter().map(|range| blocks_of(entry, range));
        let blocks = joined(blocks.collect::<Result<_>>()?);
        let read = self.store.get_ranges(location, &blocks).await?;
        for (blocks, bytes) in blocks.iter().zip(&read) {
            verify(entry, blocks, bytes)?;
        }
        let bytes = wanted.iter().map(|wanted| {
            let index = blocks.partition_point(|blocks| blocks.start <= wanted.start);
            let index = index.saturating_sub(1);
            match (read.get(index), blocks.get(index)) {
                (Some(bytes), Some(blocks)) => part_of(bytes, blocks, wanted),
                _ => Err(damage("bytes of a file are missing".to_owned())),
            }
        });
        bytes.collect::<Result<_>>().map(Some)
    }
}

fn within(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

fn not_there(prefix: &Path) -> Error {
    Error::NotFound {
        path: prefix.to_string(),
        source: "no file of the table is there".into(),
    }
}

fn entry_of<'l>(list: &'l Manifest, place: &Place<'_>) -> Result<&'l FileEntry> {
    let name = place.name;
    let entry = list.file(name);
    entry.ok_or_else(|| damage(format!("{name} does not belong to the export")))
}

/// The whole blocks that have some bytes. A file that has taken the place of a longer one has not all that is
/// asked for.
fn blocks_of(entry: &FileEntry, wanted: &Range<u64>) -> Result<Range<u64>> {
    match wanted.start <= wanted.end && wanted.end <= entry.bytes() {
        true => Ok(entry.blocks(wanted)),
        false => Err(damage(format!(
            "{} has {} bytes, and bytes {} to {} are asked for",
            entry.name(),
            entry.bytes(),
            wanted.start,
            wanted.end
        ))),
    }
}

/// Compares whole blocks with their checksums.
fn verify(entry: &FileEntry, blocks: &Range<u64>, bytes: &[u8]) -> Result<()> {
    let damaged = match bytes.len() as u64 == blocks.end - blocks.start {
        true => entry.damage(blocks.start, bytes),
        false => Some(blocks.clone()),
    };
    match damaged {
        Some(range) => Err(damage(not_as_written(entry.name(), &range))),
        None => Ok(()),
    }
}

/// Some bytes out of whole blocks.
fn part_of(bytes: &Bytes, blocks: &Range<u64>, wanted: &Range<u64>) -> Result<Bytes> {
    let place = |at: u64| usize::try_from(at.checked_sub(blocks.start)?).ok();
    match (place(wanted.start), place(wanted.end)) {
        (Some(start), Some(end)) if start <= end && end <= bytes.len() => {
            Ok(bytes.slice(start..end))
        }
        _ => Err(damage("a file ends before what it should have".to_owned())),
    }
}

/// Ranges in order, those that overlap as one.
fn joined(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[async_trait]
impl ObjectStore for Verified {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if location.filename() == Some(Manifest::NAME) && !options.head {
            // Somebody opens the export: it may be another one than before.
            let path: &str = location.as_ref();
            let (folder, _) = path.rsplit_once('/').unwrap_or_default();
            self.lists().remove(folder);
        }
        let Some(place) = Place::of(location).filter(|_| !options.head) else {
            return self.store.get_opts(location, options).await;
        };
        let first = self.verified(location, &options, &place, false).await;
        let found = match first {
            // Another export may have taken its place.
            Err(error) if is_damage(&error) => {
                self.verified(location, &options, &place, true).await?
            }
            found => found?,
        };
        match found {
            Some(found) => Ok(found),
            None => self.store.get_opts(location, options).await,
        }
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let Some(place) = Place::of(location) else {
            return self.store.get_ranges(location, ranges).await;
        };
        let first = self.verified_ranges(location, ranges, &place, false).await;
        let found = match first {
            Err(error) if is_damage(&error) => {
                self.verified_ranges(location, ranges, &place, true).await?
            }
            found => found?,
        };
        match found {
            Some(found) => Ok(found),
            None => self.store.get_ranges(location, ranges).await,
        }
    }

    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.store.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(location, options).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.store.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let Some(table) = prefix.and_then(Table::of) else {
            return self.store.list(prefix);
        };
        let store = self.clone();
        let found = stream::once(async move { store.files(&table).await });
        let found = found.map_ok(|found| stream::iter(found).map(Ok));
        found.try_flatten().boxed()
    }

    fn list_with_offset(
        &self,
        prefix: Option<&Path>,
        offset: &Path,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list_with_offset(prefix, offset)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, options).await
    }

    async fn rename_opts(&self, from: &Path, to: &Path, options: RenameOptions) -> Result<()> {
        self.store.rename_opts(from, to, options).await
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.store.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use object_store::memory::InMemory;
    use tabiya::Create;
    use tabiya_formats::registry::Registry;
    use tabiya_store::parquet::PARQUET;

    use super::*;

    async fn put(store: &dyn ObjectStore, path: &str, bytes: &[u8]) {
        let bytes = PutPayload::from(bytes.to_vec());
        let written = store.put(&Path::from(path), bytes).await;
        written.expect("a file");
    }

    #[tokio::test]
    async fn nothing_is_no_table_and_other_folders_may_be_empty() {
        let store = Verified::new(Arc::new(InMemory::new()));
        let listed = async |prefix: &str| {
            let found = store.list(Some(&Path::from(prefix)));
            let found: Result<Vec<ObjectMeta>> = found.try_collect().await;
            found.map(|found| found.len())
        };
        for table in ["lake/positions", "lake/games.parquet", "positions"] {
            let error = listed(table).await.expect_err(table);
            assert!(matches!(error, Error::NotFound { .. }), "{error}");
        }
        assert_eq!(listed("lake").await.expect("a folder"), 0);
        // An export of before.
        put(&store, "lake/positions/part-0000.parquet", b"rows").await;
        assert_eq!(listed("lake/positions").await.expect("a table"), 1);
    }

    #[tokio::test]
    async fn an_export_with_a_list_in_the_place_of_one_without_is_compared_with_it() {
        let store = Verified::new(Arc::new(InMemory::new()));
        let games = Path::from("lake/games.parquet");
        let read = async || store.get_range(&games, 0..4).await;
        put(&store, "lake/games.parquet", b"an export of before").await;
        assert_eq!(&*read().await.expect("bytes"), b"an e");
        let folder = tempfile::tempdir().expect("a folder");
        let lake = folder.path().join("lake");
        let formats = Registry::of(&[&PARQUET]);
        let format = formats.spec("parquet").expect("a format");
        let export = Create::new().registry(formats).format(format).create(&lake);
        export.expect("an export").finish().expect("no games");
        let list = fs::read(lake.join(Manifest::NAME)).expect("a list");
        put(&store, "lake/export.json", &list).await;
        assert!(is_damage(&read().await.expect_err("other bytes")));
    }

    #[test]
    fn files_of_exports_are_known_by_their_places() {
        let place = |path: &str| {
            let path = Path::parse(path).expect("a path");
            let place = Place::of(&path)?;
            Some((place.folder.to_owned(), place.name.to_owned()))
        };
        let of = |folder: &str, name: &str| Some((folder.to_owned(), name.to_owned()));
        assert_eq!(place("games.parquet"), of("", "games.parquet"));
        assert_eq!(place("a/b/games.parquet"), of("a/b", "games.parquet"));
        for folder in ["", "a", "a/b"] {
            let name = "positions/part-0003.parquet";
            let path = [folder, name].join("/");
            assert_eq!(place(path.trim_start_matches('/')), of(folder, name));
        }
        let strange = "positions/x=1/part-0000.parquet";
        assert_eq!(place(&format!("a/{strange}")), of("a", strange));
        for other in [
            "export.json",
            "a/part-0003.parquet",
            "a/positions/_SUCCESS",
            "a/positions/older/part-0000.parquet",
        ] {
            assert_eq!(place(other), None, "{other}");
        }
    }

    #[test]
    fn only_tables_of_exports_are_compared_when_files_are_listed() {
        let table = |prefix: &str| {
            let table = Table::of(&Path::parse(prefix).expect("a path"))?;
            Some((table.folder, table.name))
        };
        let of = |folder: &str, name| Some((folder.to_owned(), name));
        assert_eq!(table("positions"), of("", "positions"));
        assert_eq!(table("a/b/positions"), of("a/b", "positions"));
        assert_eq!(table("a/games.parquet"), of("a", "games.parquet"));
        for other in ["", "a", "a/positions/older", "a/games.pgn"] {
            assert_eq!(table(other), None, "{other}");
        }
    }

    #[test]
    fn ranges_that_overlap_are_read_once() {
        let ranges = [8..12, 0..4, 4..8, 2..5, 9..10];
        assert_eq!(joined(ranges.to_vec()), [0..8, 8..12]);
    }
}
