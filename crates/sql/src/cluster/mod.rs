//! The same questions on many machines, by Ballista.
//!
//! A [`Scheduler`] takes questions and hands out their parts to [executors](executor), which read an
//! [export](crate::lake) from a disk that all of them see, or from an object store. Whoever asks is
//! [connected](connect) to the scheduler:
//!
//! ```no_run
//! use tabiya_sql::{Options, Session, cluster};
//!
//! # async fn ask() -> Result<(), tabiya_sql::Error> {
//! let (address, lake) = ("127.0.0.1:50050", "s3://games/lake");
//! let context = cluster::connect(address, lake, &cluster::Options::default()).await?;
//! let session = Session::over(context, &Options::default());
//! let answer = session.query("SELECT result, count(*) FROM games GROUP BY result").await?;
//! # Ok(())
//! # }
//! ```
//!
//! The functions of [`functions`](crate::functions) are known to all three.
//!
//! # Who may ask
//!
//! Anyone who can connect: Ballista has no passwords. Whoever reaches the scheduler runs what questions
//! they like and reads what the executors can read; whoever reaches an executor can make it work and
//! stop it. Both listen on 127.0.0.1 unless they are told otherwise. See `docs/cluster.md`.
//!
//! # Who has gone
//!
//! A job lives as long as somebody waits for it. If the stream of an answer is dropped, the program
//! that asked ends, or its connection breaks, the scheduler cancels the job and the executors stop. If an
//! executor is lost that has worked for it, the job is begun anew.

mod client;
mod connection;
mod employer;
mod engine;
mod error;
pub mod executor;
mod executors;
pub(crate) mod failure;
mod limits;
mod neighbours;
mod scheduler;
mod session;
mod stderr;
mod watch;
pub(crate) mod whole;
mod work_folder;

pub use client::{Options, connect};
pub use error::Error;
pub use scheduler::{Scheduler, SchedulerOptions};
pub use stderr::{level, tell_on_stderr};

/// Where a scheduler listens if nobody says otherwise.
pub const PORT: u16 = 50_050;
