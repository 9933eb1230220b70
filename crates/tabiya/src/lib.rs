//! Open any chess database, convert it without loss, ask it anything.
//!
//! [`registry`] knows all formats that tabiya has.
//!
//! ```
//! let dialect = tabiya::registry().by_path("games.cbh").unwrap();
//! assert_eq!(dialect.to_string(), "chessbase:cbh");
//! ```

use std::sync::LazyLock;

use tabiya_formats::{FORMATS, registry::Registry};

/// All formats that tabiya has. Who has others clones it and registers them.
#[must_use]
pub fn registry() -> &'static Registry {
    static ALL: LazyLock<Registry> = LazyLock::new(|| {
        let mut all = Registry::new();
        // PGN, which everybody has, comes first in lists, and ChessBase, which most have, next.
        let (most, others) = FORMATS.split_at(1);
        for format in most {
            all.register(format);
        }
        #[cfg(feature = "chessbase")]
        all.register(&tabiya_chessbase::FORMAT);
        for format in others {
            all.register(format);
        }
        all
    });
    &ALL
}

/// The example of the crate's page runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
