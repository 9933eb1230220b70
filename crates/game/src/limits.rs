//! How much a reader takes in before it refuses.

/// Limits against hostile input. The defaults are far beyond what people write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How deep variations may be nested.
    pub depth: usize,
    /// How many bytes a game may have.
    pub game_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 1_024,
            game_bytes: 64 << 20,
        }
    }
}
