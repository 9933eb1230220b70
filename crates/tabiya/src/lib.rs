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
        #[cfg_attr(not(feature = "chessbase"), expect(unused_mut))]
        let mut all = FORMATS.to_vec();
        // Behind PGN, which everybody has.
        #[cfg(feature = "chessbase")]
        all.insert(1, &tabiya_chessbase::FORMAT);
        Registry::of(&all)
    });
    &ALL
}

/// The example of the crate's page runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The example of how a format is added runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/adding-a-format.md")]
struct AddingAFormat;
