//! The files of a segment to events.

use std::{ops::Range, sync::OnceLock};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use tabiya_formats::jose::{Profile, Reader};
use tabiya_game::{Event, Flow, GameErrorKind, GameSink, Listener, Place, Tags};
use tabiya_search::tree::Game;

use super::{
    SegmentError, SegmentFile,
    build::Contents,
    header::Header,
    moves::Moves,
    table::{Region, TAG, Table},
};
use crate::{
    movetext::Movetext,
    notes::Notes,
    row::{Kind, Row},
    select::folded::Foldings,
    signature::Signature,
    snapshot::Damage,
    tag::COLUMNS,
    tell::{self, Noted},
};

/// A segment that is read.
pub(crate) struct Segment {
    games: Half<Header>,
    moves: Half<Moves>,
    /// The first row of each batch, and the number of all rows.
    starts: Vec<usize>,
    pub folded: Foldings,
}

/// One of the files, and the columns of its batches that have been looked at.
struct Half<T> {
    file: SegmentFile,
    table: Result<Table, SegmentError>,
    arrays: Vec<OnceLock<Result<RecordBatch, SegmentError>>>,
    batches: Vec<OnceLock<Result<T, SegmentError>>>,
}

impl<T> Half<T> {
    fn open(
        file: SegmentFile,
        contents: Result<Buffer, SegmentError>,
        regions: &[Region],
    ) -> Half<T> {
        let open = |contents| Table::open(contents, regions).map_err(|error| (file, error).into());
        Half {
            file,
            table: contents.and_then(open),
            arrays: regions.iter().skip(1).map(|_| OnceLock::new()).collect(),
            batches: regions.iter().skip(1).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The columns of a batch that should have so many rows.
    fn batch(
        &self,
        index: usize,
        rows: usize,
        of: impl Fn(&RecordBatch) -> Result<T, SegmentError>,
    ) -> Result<&T, SegmentError> {
        let read = || of(self.arrays(index, rows)?);
        let batch = self.batches[index].get_or_init(read);
        batch.as_ref().map_err(Clone::clone)
    }

    /// The arrays of a batch that should have so many rows: checked once.
    fn arrays(&self, index: usize, rows: usize) -> Result<&RecordBatch, SegmentError> {
        let arrays = self.arrays[index].get_or_init(|| self.read_arrays(index, rows));
        arrays.as_ref().map_err(Clone::clone)
    }

    fn read_arrays(&self, index: usize, rows: usize) -> Result<RecordBatch, SegmentError> {
        let table = self.table.as_ref().map_err(Clone::clone)?;
        let batch = table.batch(index);
        let batch = batch.map_err(|error| SegmentError::from((self.file, error)))?;
        if batch.num_rows() != rows {
            let what = format!("a batch has {} rows instead of {rows}", batch.num_rows());
            return Err(SegmentError::new(self.file, what));
        }
        Ok(batch)
    }
}

impl Segment {
    /// Opens the two files, as far as they are there.
    pub fn open(
        games: Result<Buffer, SegmentError>,
        moves: Result<Buffer, SegmentError>,
        contents: &Contents,
    ) -> Segment {
        let mut starts = vec![0];
        starts.extend(contents.batches.iter().scan(0, |sum, rows| {
            *sum += *rows as usize;
            Some(*sum)
        }));
        Segment {
            games: Half::open(SegmentFile::Games, games, &contents.games),
            moves: Half::open(SegmentFile::Moves, moves, &contents.moves),
            starts,
            folded: Foldings::default(),
        }
    }

    /// Tells an entry. An error comes before anything is told.
    pub fn tell(
        &self,
        row: usize,
        place: Place,
        damage: Damage,
        sink: &mut dyn GameSink,
    ) -> Result<Flow, SegmentError> {
        let (index, row) = self.find(row);
        let header = match (self.header(index), damage) {
            (Err(error), Damage::Told) => return Ok(tell::lost(&error.to_string(), place, sink)),
            (header, _) => header?,
        };
        let mut sink: Listener<'_> = Listener::new(sink);
        let is_game = header.kind(row) == Kind::Game;
        // Whoever wants only tags need not have the moves read.
        let moves = match !is_game || sink.needs().moves {
            true => Some(self.movetext(index)),
            false => None,
        };
        let moves = match (moves.transpose(), damage) {
            (Err(error), Damage::Refused) => return Err(error),
            (moves, _) => moves,
        };
        match (is_game, moves) {
            (true, moves) => tell_game(header, moves, row, place, &mut sink),
            (false, Ok(Some(moves))) => tell::other(moves.body(row), place, &mut sink),
            (false, Ok(None)) => tell::other(&[], place, &mut sink),
            (false, Err(error)) => tell::lost_other(&error.to_string(), place, &mut sink),
        }
        Ok(sink.finish())
    }

    /// What an entry is.
    pub fn kind(&self, row: usize) -> Result<Kind, SegmentError> {
        let (index, row) = self.find(row);
        Ok(self.header(index)?.kind(row))
    }

    /// An entry taken apart.
    pub fn row(&self, row: usize, into: &mut Row) -> Result<(), SegmentError> {
        let (index, row) = self.find(row);
        let (header, moves) = (self.header(index)?, self.movetext(index)?);
        into.clear();
        let wrong = || SegmentError::column(SegmentFile::Games, "tag_order");
        let cells = moves.notes(row);
        *into = Row {
            kind: header.kind(row),
            tags: header.tags(row).ok_or_else(wrong)?,
            start: header.start(row).map(str::to_owned),
            variant: header.variant(row),
            result: header.result(row),
            state: header.state(row),
            plies: header.plies(row),
            body: moves.body(row).to_vec(),
            notes: Notes {
                shapes: cells.shapes.to_vec(),
                clocks: cells.clocks.to_vec(),
                spent: cells.spent.to_vec(),
                scores: cells.scores.to_vec(),
                judgements: cells.judgements.to_vec(),
            },
            signature: moves.signature(row),
        };
        Ok(())
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// A game as it lies in the columns; nothing of other entries.
    pub fn stored(&self, row: usize) -> Result<Option<Movetext<'_>>, SegmentError> {
        let (index, row) = self.find(row);
        let (header, moves) = (self.header(index)?, self.movetext(index)?);
        Ok((header.kind(row) == Kind::Game).then(|| Movetext {
            start: header.start(row),
            variant: header.variant(row),
            moves: moves.body(row),
        }))
    }

    /// What a game comes to.
    pub fn signature(&self, row: usize) -> Result<Signature, SegmentError> {
        let (index, row) = self.find(row);
        Ok(self.movetext(index)?.signature(row))
    }

    /// About how many positions the main line of a game has; none if it is no game.
    pub fn positions(&self, row: usize) -> Result<u64, SegmentError> {
        let (index, row) = self.find(row);
        let header = self.header(index)?;
        Ok(match header.kind(row) {
            Kind::Game => u64::from(header.plies(row)) + 1,
            Kind::Text | Kind::Opaque => 0,
        })
    }

    /// What a game brings into a tree; nothing if its tags are damaged.
    pub fn brought(&self, row: usize) -> Result<Option<Game>, SegmentError> {
        let (index, row) = self.find(row);
        let header = self.header(index)?;
        let mut tags = Tags::new();
        let told = header.for_each_tag(row, |name, value| {
            if matches!(name, "WhiteElo" | "BlackElo" | "Date" | "UTCDate") {
                tags.push(name, value);
            }
        });
        Ok(told.map(|()| Game::new(&tags, header.result(row))))
    }

    /// The rows of each batch.
    pub fn batches(&self) -> impl Iterator<Item = Range<usize>> {
        self.starts.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// The rows of a batch.
    pub fn batch_rows(&self, index: usize) -> Range<usize> {
        self.starts[index]..self.starts[index + 1]
    }

    /// The arrays of a batch: what people look for.
    pub fn games_arrays(&self, index: usize) -> Result<&RecordBatch, SegmentError> {
        self.games.arrays(index, self.rows(index))
    }

    /// The same for the moves.
    pub fn moves_arrays(&self, index: usize) -> Result<&RecordBatch, SegmentError> {
        self.moves.arrays(index, self.rows(index))
    }

    /// The tags that have columns under their own names; none if the file is damaged.
    pub fn own_tags(&self) -> Vec<Box<str>> {
        let table = self.games.table.as_ref().ok();
        let fields = table.into_iter().flat_map(|table| table.schema().fields());
        let tags = fields.filter_map(|field| field.metadata().get(TAG));
        let is_known = |tag: &str| COLUMNS.iter().any(|column| column.tag == tag);
        let own = tags.filter(|tag| !is_known(tag));
        own.map(|tag| tag.as_str().into()).collect()
    }

    /// All that is not as it was written.
    pub fn examine(&self) -> Vec<SegmentError> {
        let mut errors = Vec::new();
        for index in 0..self.starts.len() - 1 {
            errors.extend(self.header(index).err());
            errors.extend(self.movetext(index).err());
        }
        // A file that is damaged at its beginning is so for all of its batches.
        errors.dedup_by_key(|error| (error.file.name(0), error.to_string()));
        errors
    }

    /// What people look for, of the rows of a batch.
    pub fn header(&self, index: usize) -> Result<&Header, SegmentError> {
        self.games.batch(index, self.rows(index), Header::new)
    }

    /// The moves of the rows of a batch.
    pub fn movetext(&self, index: usize) -> Result<&Moves, SegmentError> {
        self.moves.batch(index, self.rows(index), Moves::new)
    }

    fn rows(&self, index: usize) -> usize {
        self.starts[index + 1] - self.starts[index]
    }

    /// The batch of a row, and its row there.
    fn find(&self, row: usize) -> (usize, usize) {
        let index = self.starts.partition_point(|start| *start <= row) - 1;
        (index, row - self.starts[index])
    }
}

fn tell_game(
    header: &Header,
    moves: Result<Option<&Moves>, SegmentError>,
    row: usize,
    place: Place,
    sink: &mut Listener<'_>,
) {
    let mut flow = sink.event(Event::GameStart(place));
    let mut tags = Some(());
    if sink.needs().tags && flow == Flow::Continue {
        tags = header.for_each_tag(row, |name, value| {
            if flow == Flow::Continue {
                flow = sink.event(Event::Tag { name, value });
            }
        });
    }
    let (result, state) = (header.result(row), header.state(row));
    let game = |moves| Movetext {
        start: header.start(row),
        variant: header.variant(row),
        moves,
    };
    let start = || game(&[]).position().ok();
    let moves = match moves {
        _ if tags.is_none() && flow == Flow::Continue => {
            let message = "the tags are not as they were written";
            return tell::end_broken(GameErrorKind::BadTag, message, result, start(), sink);
        }
        Err(error) if flow == Flow::Continue => {
            let kind = GameErrorKind::Unreadable;
            return tell::end_broken(kind, &error.to_string(), result, start(), sink);
        }
        Ok(Some(moves)) if flow == Flow::Continue => moves,
        _ => {
            sink.event(Event::GameEnd { result, state });
            return;
        }
    };
    let noted = Noted {
        game: game(moves.body(row)),
        notes: moves.notes(row),
    };
    noted.tell(&mut Reader::new(Profile::Store), result, sink);
}
