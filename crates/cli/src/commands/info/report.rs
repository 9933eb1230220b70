//! A description for people.

use std::io::{self, Write};

use tabiya_game::{
    Survey,
    survey::{RATING_STEP, most_frequent},
};

use super::{Description, Storage, chart};
use crate::{
    output::Output,
    style::Palette,
    terminal,
    text::{clean, filled, fit, games as counted, grouped, pad},
};

/// Where the right-hand column begins.
const INDENT: usize = 12;

/// How much room a row of a chart has for what it is about.
const LABEL: usize = 32;

/// How much room it has for a count.
const COUNT: usize = 10;

/// How wide lines are where no terminal is narrower: charts have all the room they want.
const USUAL: usize = 200;

/// Writes a description, after an empty line if others stand above it.
pub fn write(
    output: &mut Output,
    description: &Description,
    top: usize,
    below: bool,
) -> io::Result<()> {
    let palette = Palette::of(output);
    let columns = terminal::columns(output);
    let mut report = Report {
        output,
        palette,
        columns: columns.unwrap_or(USUAL),
        cuts: columns.is_some(),
    };
    if below {
        writeln!(report.output)?;
    }
    report.write(description, top)
}

struct Report<'a> {
    output: &'a mut Output,
    palette: Palette,
    columns: usize,
    /// Names that are too long for their column are cut: a terminal has an edge.
    cuts: bool,
}

impl Report<'_> {
    fn write(&mut self, description: &Description, top: usize) -> io::Result<()> {
        let survey = &description.survey;
        let style = self.palette.strong;
        writeln!(self.output, "{style}{}{style:#}", clean(&description.name))?;
        if let Some(storage) = &description.storage {
            self.line("format", &format_of(storage))?;
        }
        self.line("games", &games(description))?;
        self.line("plies", &plies(survey))?;
        self.line("annotated", &annotated(survey))?;
        if survey.variants.keys().any(|name| *name != "standard") {
            let variants: Vec<String> = survey
                .variants
                .iter()
                .map(|(name, count)| format!("{name} {}", grouped(*count)))
                .collect();
            self.line("variants", &variants.join(", "))?;
        }
        self.chart("results", results(survey))?;
        let years = survey.years.iter().map(|(year, count)| (*year, *count));
        self.chart("years", chart::years(years))?;
        let ratings = survey.ratings.iter();
        let span = |(from, n): (&u16, &u64)| (format!("{from}-{}", from + (RATING_STEP - 1)), *n);
        self.chart("ratings", ratings.map(span).collect())?;
        self.chart("ECO", rows(&survey.eco))?;
        self.names("openings", &description.openings, top)?;
        self.names("players", &survey.players, top)?;
        self.names("events", &survey.events, top)
    }

    fn line(&mut self, label: &str, text: &str) -> io::Result<()> {
        let style = self.palette.label;
        let mut start = format!("{label:<INDENT$}");
        for line in filled(text, self.columns.saturating_sub(INDENT)) {
            writeln!(self.output, "{style}{start}{style:#}{line}")?;
            start = " ".repeat(INDENT);
        }
        Ok(())
    }

    fn names(
        &mut self,
        label: &str,
        names: &std::collections::HashMap<String, u64>,
        top: usize,
    ) -> io::Result<()> {
        let label = format!("{} {label}", grouped(names.len() as u64));
        let most = most_frequent(names, top).into_iter();
        self.chart(
            &label,
            most.map(|(name, n)| (name.to_string(), n)).collect(),
        )
    }

    fn chart(&mut self, label: &str, rows: Vec<(String, u64)>) -> io::Result<()> {
        let Some(most) = rows.iter().map(|(_, count)| *count).max() else {
            return Ok(());
        };
        let style = self.palette.label;
        writeln!(self.output, "{style}{label}{style:#}")?;
        let longest = rows.iter().map(|(name, _)| clean(name).chars().count());
        let columns = longest.max().unwrap_or(0).clamp(INDENT - 2, LABEL);
        // A row is an indent, the name, a space, the count; then two spaces and the bar.
        let columns = columns
            .min(self.columns.saturating_sub(2 + 1 + COUNT))
            .max(1);
        let left = self.columns.saturating_sub(2 + columns + 1 + COUNT + 2);
        for (name, count) in rows {
            let bar = chart::bar(count, most, left as u64);
            let name = match self.cuts {
                true => fit(&name, columns),
                false => pad(&name, columns),
            };
            let count = grouped(count);
            let row = format!("  {name} {count:>COUNT$}  {bar}");
            writeln!(self.output, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

/// The results, from White's best on.
fn results(survey: &Survey) -> Vec<(String, u64)> {
    const ORDER: [&str; 4] = ["1-0", "1/2-1/2", "0-1", "*"];
    let mut rows = rows(&survey.results);
    rows.sort_by_key(|(result, _)| ORDER.iter().position(|tag| tag == result).unwrap_or(9));
    rows
}

fn rows<K: ToString>(counts: &std::collections::BTreeMap<K, u64>) -> Vec<(String, u64)> {
    counts
        .iter()
        .map(|(key, n)| (key.to_string(), *n))
        .collect()
}

fn format_of(storage: &Storage) -> String {
    let packed = match storage.compression {
        tabiya_formats::io::Compression::None => String::new(),
        packed => format!(", {packed}"),
    };
    let format = storage.profile.format.title;
    // Which of several designs it is.
    let profile = match storage.profile.name() {
        "" => String::new(),
        _ => format!(" ({})", storage.profile),
    };
    format!("{format}{profile}{packed}, {}", size(storage.bytes))
}

/// In units of a thousand, with three digits.
fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for larger in ["kB", "MB", "GB", "TB"] {
        if value < 1_000.0 {
            break;
        }
        value /= 1_000.0;
        unit = larger;
    }
    match unit {
        "bytes" => format!("{bytes} bytes"),
        _ if value < 100.0 => format!("{value:.1} {unit}"),
        _ => format!("{value:.0} {unit}"),
    }
}

/// `12 games`, and what is special about some.
fn games(description: &Description) -> String {
    let survey = &description.survey;
    let mut text = grouped(survey.games);
    for (count, what) in [
        (survey.broken, "broken"),
        (survey.without_moves, "without moves"),
        (survey.set_up, "with a set-up"),
        (survey.others, "other entries"),
        (description.filtered, "not asked for"),
        (description.deleted, "marked as deleted and not counted"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {} {what}", grouped(count)));
        }
    }
    text
}

fn plies(survey: &Survey) -> String {
    if survey.games == 0 {
        return "0".to_string();
    }
    let mean = survey.plies as f64 / survey.games as f64;
    let (plies, longest) = (grouped(survey.plies), grouped(survey.longest));
    format!("{plies}, {mean:.1} a game, {longest} at most")
}

fn annotated(survey: &Survey) -> String {
    let mut text = counted(survey.annotated);
    for (count, what) in [
        (survey.variations, "variations"),
        (survey.variation_plies, "plies in variations"),
        (survey.comments, "comments"),
        (survey.annotations, "clocks and other commands"),
        (survey.nags, "NAGs"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {} {what}", grouped(count)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        assert_eq!(size(999), "999 bytes");
        assert_eq!(size(1_234), "1.2 kB");
        assert_eq!(size(123_456_789), "123 MB");
        assert_eq!(size(u64::MAX), "18446744 TB");
    }
}
