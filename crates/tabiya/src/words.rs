//! Figures in sentences.

/// `1 game`, `3 games`.
pub fn plural(count: u64, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        count => format!("{count} {thing}s"),
    }
}

/// ` of 1998`, ` from 1998 to 2003`, or nothing if no year is known.
pub fn years(first: u16, last: u16) -> String {
    match (first, last) {
        (0, _) => String::new(),
        (first, last) if first == last => format!(" of {first}"),
        (first, last) => format!(" from {first} to {last}"),
    }
}
