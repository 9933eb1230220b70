//! Figures as SVG.
//!
//! Colours are those of the page's style sheet, so that charts are dark on dark pages and print in
//! black and white. Every mark has a title, which screen readers and pointers tell.

use std::fmt::Write;

use super::{Score, page::results};
use crate::words::plural;

/// The size of a chart in its own units; the page scales it.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 200.0;

/// The room around the marks: for figures at the left, for years below.
const LEFT: f64 = 40.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BELOW: f64 = 24.0;

/// How many years are named at most.
const NAMED: usize = 9;

/// Won, drawn and lost games of a row as a bar.
pub fn bar(score: &Score, legend: [&str; 3]) -> String {
    let shares = [score.wins, score.draws, score.losses];
    let sum: u64 = shares.iter().sum();
    let words: Vec<String> = shares
        .iter()
        .zip(legend)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let words = words.join(", ");
    let mut svg = format!(
        r#"<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"><title>{words}</title>"#
    );
    if sum > 0 {
        let mut x = 0.0;
        for (count, class) in shares.iter().zip(["w", "d", "l"]) {
            let width = *count as f64 / sum as f64 * 100.0;
            if width > 0.0 {
                push(
                    &mut svg,
                    format_args!(
                        r#"<rect class="{class}" x="{x:.2}" y="0" width="{width:.2}" height="10"/>"#
                    ),
                );
            }
            x += width;
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Games of each year, one column a year from the first to the last.
pub fn columns(title: &str, years: &[(u16, Score)], legend: [&str; 3]) -> String {
    let Some(axes) = Axes::of(
        years
            .iter()
            .map(|(year, score)| (*year, score.games as f64)),
        true,
    ) else {
        return String::new();
    };
    let mut svg = axes.open(title, "");
    let width = (axes.step() * 0.8).max(0.5);
    for (year, score) in years {
        let x = axes.x(*year) - width / 2.0;
        push(
            &mut svg,
            format_args!(
                "<g><title>{year}: {}, {} ({})</title>",
                plural(score.games, "game"),
                results(score),
                legend.join(", ")
            ),
        );
        let mut base = 0.0;
        let parts = [
            (score.wins, "w"),
            (score.draws, "d"),
            (score.losses, "l"),
            (score.unknown, "u"),
        ];
        for (count, class) in parts.into_iter().filter(|(count, _)| *count > 0) {
            let top = axes.y(base + count as f64);
            let height = axes.y(base) - top;
            push(
                &mut svg,
                format_args!(
                    r#"<rect class="{class}" x="{x:.2}" y="{top:.2}" width="{width:.2}" height="{height:.2}"/>"#
                ),
            );
            base += count as f64;
        }
        svg.push_str("</g>");
    }
    svg.push_str("</svg>");
    svg
}

/// A figure year by year, as a line with a dot for each.
pub fn curve(title: &str, unit: &str, points: &[(u16, f64)]) -> String {
    let is_share = unit.contains('%');
    let Some(axes) = Axes::of(points.iter().copied(), is_share) else {
        return String::new();
    };
    let mut svg = axes.open(title, unit);
    svg.push_str(r#"<polyline class="curve" points=""#);
    for (year, figure) in points {
        push(
            &mut svg,
            format_args!("{:.2},{:.2} ", axes.x(*year), axes.y(*figure)),
        );
    }
    svg.push_str(r#""/>"#);
    for (year, figure) in points {
        let figure_text = match is_share {
            true => format!("{figure:.1}"),
            false => format!("{figure:.0}"),
        };
        push(
            &mut svg,
            format_args!(
                r#"<circle class="dot" cx="{:.2}" cy="{:.2}" r="3"><title>{year}: {figure_text}{unit}</title></circle>"#,
                axes.x(*year),
                axes.y(*figure)
            ),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Years along the chart, figures upwards.
struct Axes {
    first: u16,
    last: u16,
    least: f64,
    most: f64,
    /// The distance between two lines of the grid.
    tick: f64,
}

impl Axes {
    /// That hold all points; `None` if there are none. Where the figures are counts or shares, they
    /// begin at nothing.
    fn of(points: impl Iterator<Item = (u16, f64)> + Clone, from_zero: bool) -> Option<Axes> {
        let years = points.clone().map(|(year, _)| year);
        let figures = points.map(|(_, figure)| figure);
        let (first, last) = (years.clone().min()?, years.max()?);
        let most = figures.clone().fold(f64::MIN, f64::max);
        let least = match from_zero {
            true => 0.0,
            false => figures.fold(f64::MAX, f64::min),
        };
        let tick = tick(most - least);
        let least = (least / tick).floor() * tick;
        let most = ((most / tick).ceil() * tick).max(least + tick);
        Some(Axes {
            first,
            last,
            least,
            most,
            tick,
        })
    }

    /// The room of a year.
    fn step(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / (f64::from(self.last - self.first) + 1.0)
    }

    /// The middle of a year.
    fn x(&self, year: u16) -> f64 {
        LEFT + (f64::from(year - self.first) + 0.5) * self.step()
    }

    fn y(&self, figure: f64) -> f64 {
        let height = HEIGHT - TOP - BELOW;
        HEIGHT - BELOW - (figure - self.least) / (self.most - self.least) * height
    }

    /// The beginning of a chart, with its grid.
    fn open(&self, title: &str, unit: &str) -> String {
        let mut svg = format!(
            r#"<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{title}, {} to {}</title>"#,
            self.first, self.last
        );
        let lines = ((self.most - self.least) / self.tick).round() as u32;
        for line in 0..=lines {
            let figure = self.least + f64::from(line) * self.tick;
            let y = self.y(figure);
            let digits = usize::from(self.tick < 1.0);
            push(
                &mut svg,
                format_args!(
                    r#"<line class="grid" x1="{LEFT}" y1="{y:.2}" x2="{}" y2="{y:.2}"/><text class="figure" x="{}" y="{:.2}">{figure:.digits$}{}</text>"#,
                    WIDTH - RIGHT,
                    LEFT - 5.0,
                    y + 4.0,
                    unit.trim_start()
                ),
            );
        }
        let every = usize::from(self.last - self.first) / NAMED + 1;
        for year in (self.first..=self.last).step_by(every) {
            push(
                &mut svg,
                format_args!(
                    r#"<text class="year" x="{:.2}" y="{}">{year}</text>"#,
                    self.x(year),
                    HEIGHT - 8.0
                ),
            );
        }
        svg
    }
}

/// 1, 2 or 5 of a power of ten, so that about four of them span a range.
fn tick(range: f64) -> f64 {
    let rough = (range / 4.0).max(0.1);
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let fits = steps.into_iter().find(|step| *step >= rough);
    fits.unwrap_or(power)
}

/// A text takes whatever is written to it.
fn push(svg: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_round_figures() {
        for (range, expected) in [
            (0.0, 0.1),
            (1.0, 0.5),
            (4.0, 1.0),
            (7.0, 2.0),
            (100.0, 50.0),
            (350.0, 100.0),
        ] {
            assert!(
                (tick(range) - expected).abs() < 1e-9,
                "{range}: {}",
                tick(range)
            );
        }
    }

    #[test]
    fn nothing_to_draw_is_no_chart() {
        assert_eq!(columns("Games", &[], ["", "", ""]), "");
        assert_eq!(curve("Rating", "", &[]), "");
    }

    #[test]
    fn one_year_of_one_figure_is_drawn() {
        let svg = curve("Rating", "", &[(1960, 2700.0)]);
        assert!(svg.contains("1960: 2700"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
