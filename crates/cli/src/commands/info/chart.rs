//! Bars for the terminal.

/// How many columns the longest bar has.
const WIDTH: u64 = 32;

/// A bar in blocks of an eighth of a column: `count` of `most`, in the room that is left. What is
/// there is seen, however little it is.
pub fn bar(count: u64, most: u64, room: u64) -> String {
    let width = WIDTH.min(room);
    if count == 0 || most == 0 || width == 0 {
        return String::new();
    }
    let eighths = u128::from(count) * u128::from(width * 8) / u128::from(most);
    let eighths = eighths.clamp(1, u128::from(width * 8)) as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(part) = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8) {
        bar.push_str(part);
    }
    bar
}

/// Years, in tens if they are many.
pub fn years(years: impl Iterator<Item = (u16, u64)> + Clone) -> Vec<(String, u64)> {
    const MANY: u16 = 24;
    let first = years.clone().map(|(year, _)| year).min().unwrap_or(0);
    let last = years.clone().map(|(year, _)| year).max().unwrap_or(0);
    if last - first < MANY {
        return years.map(|(year, n)| (year.to_string(), n)).collect();
    }
    let mut rows: Vec<(u16, u64)> = Vec::new();
    for (year, count) in years {
        let decade = year / 10 * 10;
        match rows.last_mut() {
            Some((last, sum)) if *last == decade => *sum += count,
            _ => rows.push((decade, count)),
        }
    }
    let label = |(decade, count)| (format!("{decade}s"), count);
    rows.into_iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_their_counts() {
        assert_eq!(bar(0, 10, 80), "");
        assert_eq!(bar(1, u64::MAX, 80), "▏");
        assert_eq!(bar(5, 10, 80).chars().count(), 16);
        assert_eq!(bar(u64::MAX, u64::MAX, 80).chars().count(), 32);
        assert_eq!(bar(33, 64, 80), "████████████████▌");
        assert_eq!(bar(10, 10, 5), "█████");
        assert_eq!(bar(10, 10, 0), "");
    }

    #[test]
    fn many_years_are_counted_in_tens() {
        let few = [(1990, 1), (2013, 2)];
        assert_eq!(years(few.into_iter())[1], ("2013".to_string(), 2));
        let many = [(1899, 1), (1990, 1), (1999, 3), (2013, 2)];
        let rows = years(many.into_iter());
        let expected = [("1890s", 1), ("1990s", 4), ("2010s", 2)];
        assert_eq!(rows, expected.map(|(year, n)| (year.to_string(), n)));
    }
}
