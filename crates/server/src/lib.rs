//! Chess databases over HTTP: a web page, a JSON interface of our own under `/api`, and that of
//! Lichess's opening explorer, so that clients of it need only another address.
//!
//! ```no_run
//! use tabiya_server::{Options, Server};
//!
//! let server = Server::bind("games.tabiya", Options::default())?;
//! println!("http://{}/", server.address());
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who may ask
//!
//! A server listens on 127.0.0.1, and changes nothing, unless [`Options`] say otherwise. Elsewhere
//! it needs a token. Requests whose `Host` is none of its names, and those that a page of another
//! origin makes, are refused. See `docs/server.md` for all of it.
//!
//! # How much
//!
//! [`Limits`] bound bodies, results, time, connections, and how many questions are worked on at
//! once. A question whose client has gone is no longer worked on.

mod api;
mod app;
mod ask;
mod census;
mod explorer;
mod failure;
mod guard;
mod metrics;
mod openapi;
mod options;
mod page;
mod patient;
mod position;
mod server;
mod shelf;
mod work;

pub use app::router;
pub use options::{Limits, Log, Options};
pub use server::{BindError, Server, Stop};

/// Reads a query string as each kind of request does: for those who throw arbitrary texts at it.
#[doc(hidden)]
pub fn read_query(query: &str) {
    ask::read_everything(query);
}
