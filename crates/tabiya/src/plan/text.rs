//! Plans as texts.

use std::{
    borrow::Cow,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{Action, Plan, Step};
use crate::{Error, ErrorKind, Result};

/// How a plan is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlanFormat {
    /// Lines with tabs, which spreadsheets and editors open.
    #[default]
    Tsv,
    /// An object with the steps.
    Json,
}

impl PlanFormat {
    /// What the name of a file says: `.json` is JSON, all others are lines.
    ///
    /// ```
    /// use tabiya::plan::PlanFormat;
    ///
    /// assert_eq!(PlanFormat::of_path("plan.json"), PlanFormat::Json);
    /// assert_eq!(PlanFormat::of_path("plan.tsv"), PlanFormat::Tsv);
    /// ```
    #[must_use]
    pub fn of_path(path: impl AsRef<Path>) -> PlanFormat {
        match path.as_ref().extension() {
            Some(name) if name.eq_ignore_ascii_case("json") => PlanFormat::Json,
            _ => PlanFormat::Tsv,
        }
    }
}

/// The cells of a line; the last one may be missing in all lines.
const CELLS: [&str; 9] = [
    "group", "database", "games", "action", "tag", "from", "to", "reason", "which",
];

impl Plan {
    /// Reads a plan, whatever it is written as.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is wrong, which is named.
    pub fn read(path: impl AsRef<Path>) -> Result<Plan> {
        let path = path.as_ref();
        let name = || path.display().to_string();
        let text = fs::read_to_string(path);
        let text = text.map_err(|error| Error::from(error).trying_to("read", name()))?;
        Plan::parse(&text).map_err(|error| error.in_file(name()))
    }

    /// Reads the text of a plan, whatever it is written as.
    ///
    /// ```
    /// use tabiya::plan::Plan;
    ///
    /// let plan = Plan::parse(
    ///     "group\tdatabase\tgames\taction\ttag\tfrom\tto\treason\n\
    ///      1\tgames.tabiya\t7\tdelete\t\t\t\tthe same game as 3\n",
    /// )?;
    /// assert_eq!(plan.steps[0].games.to_string(), "7");
    /// # Ok::<(), tabiya::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a line is wrong, which is named.
    pub fn parse(text: &str) -> Result<Plan> {
        // Some editors put a mark before a text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim_start().starts_with('{') {
            return serde_json::from_str(text).map_err(|error| wrong(format!("no plan: {error}")));
        }
        let lines = (1..).zip(text.lines());
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let is_heading = |line: &str| {
            let cells: Vec<&str> = line.split('\t').collect();
            cells == CELLS || cells == CELLS[..8]
        };
        match lines.next() {
            Some((_, line)) if is_heading(line) => {}
            _ => {
                let cells = CELLS.join(", ");
                return Err(wrong(format!(
                    "no plan: its first line should be {cells}, with tabs"
                )));
            }
        }
        let step = |(number, line): (usize, &str)| {
            step(line).map_err(|words| wrong(format!("line {number}: {words}")))
        };
        let steps = lines.map(step).collect::<Result<_>>()?;
        Ok(Plan { steps })
    }

    /// Writes the plan.
    ///
    /// # Errors
    /// If the output does not take it, or the name of a database is no text.
    pub fn write(&self, out: &mut dyn Write, format: PlanFormat) -> io::Result<()> {
        match format {
            PlanFormat::Json => {
                writeln!(out, "{{\"steps\": [")?;
                for (index, step) in self.steps.iter().enumerate() {
                    let end = if index + 1 < self.steps.len() {
                        ","
                    } else {
                        ""
                    };
                    writeln!(out, "  {}{end}", serde_json::to_string(step)?)?;
                }
                writeln!(out, "]}}")
            }
            PlanFormat::Tsv => {
                writeln!(out, "{}", CELLS.join("\t"))?;
                self.steps.iter().try_for_each(|step| write_line(step, out))
            }
        }
    }
}

fn wrong(words: String) -> Error {
    Error::new(ErrorKind::Unsupported, words)
}

fn write_line(step: &Step, out: &mut dyn Write) -> io::Result<()> {
    let database = step.database.to_str().ok_or_else(|| {
        let words = format!("the name of {} is no text", step.database.display());
        io::Error::new(io::ErrorKind::InvalidInput, words)
    })?;
    let optional = |text: &Option<String>| match text.as_deref() {
        None => String::new(),
        Some("") => EMPTY.to_owned(),
        Some(text) => escaped(text).into_owned(),
    };
    let [action, tag, from, to] = match &step.action {
        Action::Keep { from } => ["keep", "", &optional(from), ""].map(str::to_owned),
        Action::Delete { from } => ["delete", "", &optional(from), ""].map(str::to_owned),
        Action::Set { tag, from, to } => {
            ["set", &escaped(tag), &optional(from), &escaped(to)].map(str::to_owned)
        }
        Action::Remove {
            tag,
            from,
            place,
            next,
        } => {
            let place = match next {
                None => place.to_string(),
                Some(next) => format!("{place},{}", escaped(next)),
            };
            [
                "remove",
                &escaped(tag),
                &optional(&Some(from.clone())),
                &place,
            ]
            .map(str::to_owned)
        }
    };
    let (group, games) = (step.group.to_string(), step.games.to_string());
    let (database, reason) = (escaped(database), escaped(&step.reason));
    let which = optional(&step.which);
    let cells: [&str; 9] = [
        &group, &database, &games, &action, &tag, &from, &to, &reason, &which,
    ];
    writeln!(out, "{}", cells.join("\t"))
}

/// A value that is there and empty.
const EMPTY: &str = "\\e";

fn escaped(text: &str) -> Cow<'_, str> {
    let is_quoted = text.starts_with('"');
    if !is_quoted && !text.contains(['\t', '\n', '\r', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut cell = String::with_capacity(text.len() + 2);
    if is_quoted {
        // It is no spreadsheet that has put the text into quotation marks.
        cell.push('\\');
    }
    for letter in text.chars() {
        match letter {
            '\t' => cell.push_str("\\t"),
            '\n' => cell.push_str("\\n"),
            '\r' => cell.push_str("\\r"),
            '\\' => cell.push_str("\\\\"),
            _ => cell.push(letter),
        }
    }
    Cow::Owned(cell)
}

fn unescaped(cell: &str) -> Result<String, String> {
    let mut text = String::with_capacity(cell.len());
    let mut letters = cell.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('t') => text.push('\t'),
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some(letter @ ('\\' | '"')) => text.push(letter),
                Some('e') => {}
                _ => {
                    return Err(format!(
                        "{cell:?} has a \\ with nothing behind it that it could mean"
                    ));
                }
            },
            _ => text.push(letter),
        }
    }
    Ok(text)
}

/// A cell without the quotation marks in which spreadsheets put those with commas.
fn unquoted(cell: &str) -> Cow<'_, str> {
    let inside = cell
        .strip_prefix('"')
        .and_then(|cell| cell.strip_suffix('"'));
    match inside {
        Some(inside) if !inside.replace("\"\"", "").contains('"') => {
            Cow::Owned(inside.replace("\"\"", "\""))
        }
        _ => Cow::Borrowed(cell),
    }
}

fn step(line: &str) -> Result<Step, String> {
    let cells: Vec<Cow<'_, str>> = line.split('\t').map(unquoted).collect();
    let cells: Vec<&str> = cells.iter().map(|cell| &**cell).collect();
    let &[
        group,
        database,
        games,
        action,
        tag,
        from,
        to,
        reason,
        ref rest @ ..,
    ] = cells.as_slice()
    else {
        return Err(wrong_count(cells.len()));
    };
    let which = match rest {
        [] => "",
        [which] => *which,
        _ => return Err(wrong_count(cells.len())),
    };
    let number = |text: &str, what: &str| {
        let number = text.trim().parse::<u64>();
        number.map_err(|_| format!("{what}: expected a number, found {text:?}"))
    };
    let optional = |cell: &str| match cell {
        "" => Ok(None),
        cell => unescaped(cell).map(Some),
    };
    let action = match action.trim() {
        "keep" | "delete" if !tag.is_empty() || !to.is_empty() => {
            return Err(format!("{action} has neither a tag nor a value"));
        }
        "keep" => Action::Keep {
            from: optional(from)?,
        },
        "delete" => Action::Delete {
            from: optional(from)?,
        },
        "set" => Action::Set {
            tag: unescaped(tag)?,
            from: optional(from)?,
            to: unescaped(to)?,
        },
        "remove" => {
            let (place, next) = match to.split_once(',') {
                Some((place, next)) => (place, Some(unescaped(next)?)),
                None => (to, None),
            };
            Action::Remove {
                tag: unescaped(tag)?,
                from: unescaped(from)?,
                place: usize::try_from(number(place, "to")?).map_err(|error| error.to_string())?,
                next,
            }
        }
        other => {
            return Err(format!(
                "action: expected keep, delete, set or remove, found {other:?}"
            ));
        }
    };
    Ok(Step {
        group: number(group, "group")?,
        database: PathBuf::from(unescaped(database)?),
        games: games
            .trim()
            .parse()
            .map_err(|error| format!("games: {error}"))?,
        action,
        which: optional(which)?,
        reason: unescaped(reason)?,
    })
}

fn wrong_count(found: usize) -> String {
    format!("expected 9 cells with tabs between them, found {found}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odd() -> Plan {
        let actions = [
            Action::Keep { from: None },
            Action::Delete {
                from: Some("Tal - ?, 1-0".to_owned()),
            },
            Action::Set {
                tag: "White".to_owned(),
                from: None,
                to: String::new(),
            },
            Action::Set {
                tag: "White\\".to_owned(),
                from: Some(String::new()),
                to: "\ttab\r\nline \\e".to_owned(),
            },
            Action::Set {
                tag: "Event".to_owned(),
                from: Some("\"Memorial\"".to_owned()),
                to: "the \"Memorial\", 2nd".to_owned(),
            },
            Action::Remove {
                tag: "ECO".to_owned(),
                from: String::new(),
                place: 7,
                next: None,
            },
            Action::Remove {
                tag: "ECO".to_owned(),
                from: "B90".to_owned(),
                place: 0,
                next: Some("a,\tb".to_owned()),
            },
        ];
        let step = |(group, action)| Step {
            group,
            database: PathBuf::from("# my\tgames.tabiya"),
            games: [3, 7, 8, 9].into_iter().collect(),
            action,
            which: (group > 0).then(|| "4 games, a\tsum".to_owned()),
            reason: "a\treason \\".to_owned(),
        };
        Plan {
            steps: (0..).zip(actions).map(step).collect(),
        }
    }

    #[test]
    fn a_plan_comes_back_as_it_was() {
        for format in [PlanFormat::Tsv, PlanFormat::Json] {
            for plan in [odd(), Plan::default()] {
                let mut text = Vec::new();
                plan.write(&mut text, format).unwrap();
                let text = String::from_utf8(text).unwrap();
                assert_eq!(Plan::parse(&text).unwrap(), plan, "{text}");
            }
        }
    }

    #[test]
    fn a_spreadsheet_may_put_cells_into_quotation_marks() {
        let mut text = Vec::new();
        odd().write(&mut text, PlanFormat::Tsv).unwrap();
        let text = String::from_utf8(text).unwrap();
        let quoted = |cell: &str| match cell.contains([',', '"']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.to_owned(),
        };
        let line = |line: &str| line.split('\t').map(quoted).collect::<Vec<_>>().join("\t");
        let saved: Vec<String> = text.lines().map(line).collect();
        assert!(saved[1].contains("\"3,7..9\""), "{saved:?}");
        assert_eq!(Plan::parse(&saved.join("\r\n")).unwrap(), odd());
    }

    #[test]
    fn comments_empty_lines_and_other_line_ends_are_allowed() {
        let mut text = Vec::new();
        odd().write(&mut text, PlanFormat::Tsv).unwrap();
        let text = String::from_utf8(text)
            .unwrap()
            .replace('\n', "\r\n\n# why\n");
        assert_eq!(Plan::parse(&format!("\u{feff}{text}")).unwrap(), odd());
    }

    #[test]
    fn what_is_no_plan_is_refused_with_its_line() {
        let heading = CELLS.join("\t");
        for (line, words) in [
            ("1\ta\t1\tkeep", "line 2: expected 9 cells"),
            ("x\ta\t1\tkeep\t\t\t\t", "line 2: group: expected a number"),
            ("1\ta\t9..\tkeep\t\t\t\t", "line 2: games"),
            ("1\ta\t1\tburn\t\t\t\t", "line 2: action: expected keep"),
            ("1\ta\t1\tkeep\tWhite\t\t\t", "line 2: keep has neither"),
            ("1\ta\t1\tset\tWhite\t\\\t\t", "line 2: \"\\\\\" has a"),
            (
                "1\ta\t1\tremove\tWhite\tx\ty\t",
                "line 2: to: expected a number",
            ),
        ] {
            let error = Plan::parse(&format!("{heading}\n{line}\n")).unwrap_err();
            assert!(error.to_string().contains(words), "{line}: {error}");
        }
        for text in ["", "1. e4 e5 *", "{", "{\"steps\": [{}]}", "{\"steps\": 1}"] {
            assert!(Plan::parse(text).is_err(), "{text}");
        }
    }
}
