//! What a question is answered with.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use datafusion::{
    arrow::{array::RecordBatch, datatypes::SchemaRef},
    error::DataFusionError,
    execution::SendableRecordBatchStream,
    physical_plan::RecordBatchStream,
};
use futures::{Stream, StreamExt, TryStreamExt};
use tokio::time::Sleep;

use crate::{Error, ErrorKind, files::Files};

/// The answer to a question: rows that come as they are found. Whoever drops it stops the work.
pub struct Answer {
    stream: SendableRecordBatchStream,
    files: Files,
    deadline: Option<Deadline>,
}

/// When an answer must be complete.
pub(crate) struct Deadline {
    sleep: Pin<Box<Sleep>>,
    timeout: Duration,
}

impl Deadline {
    /// So long from now on.
    pub fn new(timeout: Duration) -> Deadline {
        Deadline {
            sleep: Box::pin(tokio::time::sleep(timeout)),
            timeout,
        }
    }

    fn error(&self) -> Error {
        let seconds = self.timeout.as_secs_f64();
        let words = format!("the answer took longer than {seconds} s, and was given up");
        Error::new(ErrorKind::Timeout, words)
    }

    /// Waits for something, but not for longer.
    pub async fn wait<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Error> {
        tokio::select! {
            done = work => Ok(done),
            () = &mut self.sleep => Err(self.error()),
        }
    }
}

impl Answer {
    pub(crate) fn new(
        stream: SendableRecordBatchStream,
        files: Files,
        deadline: Option<Deadline>,
    ) -> Answer {
        Answer {
            stream,
            files,
            deadline,
        }
    }

    /// The columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.stream.schema()
    }

    /// The next rows; `None` behind the last.
    pub async fn next(&mut self) -> Option<Result<RecordBatch, Error>> {
        StreamExt::next(self).await
    }

    /// All rows.
    ///
    /// # Errors
    /// If they cannot be computed, or not in time.
    pub async fn collect(self) -> Result<Vec<RecordBatch>, Error> {
        self.try_collect().await
    }

    /// The same for those who want DataFusion's errors.
    #[must_use]
    pub fn into_stream(self) -> SendableRecordBatchStream {
        Box::pin(Plain(self))
    }
}

impl Stream for Answer {
    type Item = Result<RecordBatch, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(deadline) = &mut self.deadline
            && deadline.sleep.as_mut().poll(context).is_ready()
        {
            let error = deadline.error();
            // Nobody waits for the rest.
            let schema = self.stream.schema();
            self.deadline = None;
            self.stream = Box::pin(datafusion::physical_plan::EmptyRecordBatchStream::new(
                schema,
            ));
            return Poll::Ready(Some(Err(error)));
        }
        let next = self.stream.poll_next_unpin(context);
        next.map(|item| {
            item.map(|batch| batch.map_err(|error| Error::from(error).among(&self.files)))
        })
    }
}

/// An answer as DataFusion's streams are.
struct Plain(Answer);

impl Stream for Plain {
    type Item = Result<RecordBatch, DataFusionError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.0.poll_next_unpin(context);
        next.map(|item| {
            item.map(|batch| batch.map_err(|error| DataFusionError::External(error.into())))
        })
    }
}

impl RecordBatchStream for Plain {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}
