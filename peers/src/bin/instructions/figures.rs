//! Figures kept from an earlier run, and what new ones mean beside them.

use std::{fmt, fs, path::Path};

/// By how much a loop may grow.
const TOLERANCE: f64 = 0.05;

/// Instructions a ply, loop by loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// Which compiler made the code.
    pub compiler: String,
    /// The names of the loops, and what they take.
    pub loops: Vec<(String, f64)>,
}

/// What new figures mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing has grown by more than it may.
    Fine,
    /// The figures kept are of another compiler.
    OtherCompiler,
    /// Something has.
    Slower,
    /// A loop took nothing at all, or is not there any more: nothing was counted.
    Nothing,
}

impl Figures {
    /// Reads them from a file.
    ///
    /// # Panics
    /// If they are not there, or not figures.
    pub fn load(path: &Path) -> Figures {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Figures::parse(&text).unwrap_or_else(|| panic!("{}: no figures", path.display()))
    }

    /// Writes them to a file.
    ///
    /// # Panics
    /// If that fails.
    pub fn store(&self, path: &Path) {
        fs::write(path, self.to_string()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    /// The compiler, then a line for each loop: its figure and its name.
    fn parse(text: &str) -> Option<Figures> {
        let mut lines = text.lines();
        let compiler = lines.next()?.to_owned();
        let loops = lines.map(|line| {
            let (figure, name) = line.trim_start().split_once(' ')?;
            Some((name.trim().to_owned(), figure.parse().ok()?))
        });
        Some(Figures {
            compiler,
            loops: loops.collect::<Option<_>>()?,
        })
    }

    fn of(&self, name: &str) -> Option<f64> {
        let found = self.loops.iter().find(|(known, _)| known == name)?;
        Some(found.1)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.compiler)?;
        self.loops
            .iter()
            .try_for_each(|(name, figure)| writeln!(f, "{figure:8.1}  {name}"))
    }
}

/// Tells each loop beside what it was, and judges. That nothing was counted is judged whatever
/// the compiler: figures of another one only cannot be compared.
pub fn compare(kept: &Figures, counted: &Figures, mut tell: impl FnMut(String)) -> Verdict {
    let mut slower = false;
    let mut nothing = counted.loops.is_empty();
    for (name, before) in &kept.loops {
        if counted.of(name).is_none() {
            nothing = true;
            tell(format!("    GONE               {name}, was {before:.1}"));
        }
    }
    for (name, now) in &counted.loops {
        // Nor is a figure that is none, as of no plies, more than another.
        if now.is_nan() || *now <= 0.0 {
            nothing = true;
            tell(format!("{now:8.1}               {name}, NOTHING COUNTED"));
            continue;
        }
        let Some(before) = kept.of(name) else {
            tell(format!("{now:8.1}               {name}, new"));
            continue;
        };
        let growth = now / before - 1.0;
        let grown = growth > TOLERANCE;
        slower |= grown;
        let mark = if grown { ", TOO MANY" } else { "" };
        tell(format!(
            "{now:8.1} {:+6.1} %      {name}, was {before:.1}{mark}",
            growth * 100.0
        ));
    }
    match slower {
        _ if nothing => Verdict::Nothing,
        _ if kept.compiler != counted.compiler => Verdict::OtherCompiler,
        true => Verdict::Slower,
        false => Verdict::Fine,
    }
}

/// The sum of a file of callgrind.
pub fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals:"))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(compiler: &str, loops: &[(&str, f64)]) -> Figures {
        Figures {
            compiler: compiler.to_owned(),
            loops: loops
                .iter()
                .map(|(name, n)| ((*name).to_owned(), *n))
                .collect(),
        }
    }

    #[test]
    fn figures_are_read_as_they_are_written() {
        let kept = figures("rustc 1", &[("PGN to PGN", 750.5), ("replay", 61.0)]);
        assert_eq!(Figures::parse(&kept.to_string()), Some(kept));
        assert_eq!(Figures::parse("rustc 1\nmany  replay\n"), None);
    }

    #[test]
    fn only_growth_under_the_same_compiler_fails() {
        let judge = |compiler, now| {
            let kept = figures("rustc 1", &[("replay", 100.0)]);
            let counted = figures(compiler, &[("replay", now), ("new one", 1.0)]);
            let mut lines = Vec::new();
            let verdict = compare(&kept, &counted, |line| lines.push(line));
            assert_eq!(lines.len(), 2);
            (verdict, lines[0].ends_with("TOO MANY"))
        };
        assert_eq!(judge("rustc 1", 50.0), (Verdict::Fine, false));
        assert_eq!(judge("rustc 1", 104.9), (Verdict::Fine, false));
        assert_eq!(judge("rustc 1", 105.1), (Verdict::Slower, true));
        assert_eq!(judge("rustc 2", 105.1), (Verdict::OtherCompiler, true));
    }

    #[test]
    fn a_loop_without_instructions_or_one_that_is_gone_fails_under_any_compiler() {
        let judge = |compiler, loops: &[(&str, f64)]| {
            let kept = figures("rustc 1", &[("PGN", 100.0), ("replay", 50.0)]);
            let mut told = String::new();
            let verdict = compare(&kept, &figures(compiler, loops), |line| told += &line);
            (verdict, told)
        };
        for compiler in ["rustc 1", "rustc 2"] {
            for none in [0.0, f64::NAN] {
                let (verdict, told) = judge(compiler, &[("PGN", none), ("replay", 50.0)]);
                assert_eq!(verdict, Verdict::Nothing);
                assert!(told.contains("PGN, NOTHING COUNTED"), "{told}");
            }
            let (verdict, told) = judge(compiler, &[("PGN", 100.0)]);
            assert_eq!(verdict, Verdict::Nothing);
            assert!(told.contains("GONE               replay"), "{told}");
            assert_eq!(judge(compiler, &[]).0, Verdict::Nothing);
        }
        let renamed = [("PGN", 100.0), ("replay", 50.0), ("other", 1.0)];
        assert_eq!(judge("rustc 1", &renamed).0, Verdict::Fine);
    }

    #[test]
    fn the_total_stands_behind_its_name() {
        assert_eq!(
            total("events: Ir\nfn=(1)\n5 12\ntotals: 4711\n"),
            Some(4711)
        );
        assert_eq!(total("events: Ir\n"), None);
    }
}
