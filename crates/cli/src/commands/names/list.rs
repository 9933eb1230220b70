//! Proposals for people.

use std::io::Write;

use tabiya::names::{Group, Kind, Proposals};

use crate::{
    output::Output,
    style::Palette,
    text::{clean, counted, grouped, pad},
};

/// Prints each group with its spellings and why they belong to it, and how many there are.
pub fn write(
    mut output: Output,
    proposals: &Proposals,
    kinds: &[Kind],
    apart: bool,
) -> anyhow::Result<()> {
    let palette = Palette::of(&output);
    for group in &proposals.groups {
        write_group(&mut output, palette, group)?;
    }
    if apart {
        for pair in &proposals.apart {
            let names: Vec<_> = pair.names.iter().map(|name| clean(name)).collect();
            let (kind, names) = (pair.kind.name(), names.join(" | "));
            let reason = clean(&pair.reason);
            writeln!(output, "{kind} {names}\n  apart: {reason}")?;
        }
    }
    if !proposals.groups.is_empty() || apart && !proposals.apart.is_empty() {
        writeln!(output)?;
    }
    write_summary(output, proposals, kinds)
}

fn write_group(output: &mut Output, palette: Palette, group: &Group) -> anyhow::Result<()> {
    let strong = palette.strong;
    let known = match group.known.as_str() {
        "" => String::new(),
        known => format!(", {known}"),
    };
    let (kind, name) = (group.kind.name(), clean(&group.name));
    writeln!(output, "{kind} {strong}{name}{strong:#}{known}")?;
    let names: Vec<_> = group.spellings.iter().map(|it| clean(&it.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    for (spelling, name) in group.spellings.iter().zip(&names) {
        let name = pad(name, width.unwrap_or_default());
        writeln!(output, "  {name}  {}", clean(&spelling.reason))?;
    }
    Ok(())
}

/// Prints how many there are.
pub fn write_summary(
    mut output: Output,
    proposals: &Proposals,
    kinds: &[Kind],
) -> anyhow::Result<()> {
    writeln!(output, "{}", counted(proposals.games(), "game"))?;
    for &kind in kinds {
        let groups = proposals.groups.iter().filter(|group| group.kind == kind);
        let (count, spellings) = groups.fold((0, 0), |(count, spellings), group| {
            (count + 1, spellings + group.spellings.len() as u64)
        });
        let label = format!("{}s", kind.name());
        writeln!(
            output,
            "{label:<8} {}, {} to replace by {}",
            counted(proposals.names(kind), "name"),
            grouped(spellings),
            counted(count, "other"),
        )?;
    }
    if proposals.perhaps > 0 {
        let pairs = match proposals.perhaps {
            1 => "1 more pair is perhaps one: --all proposes it".to_owned(),
            pairs => {
                let pairs = grouped(pairs as u64);
                format!("{pairs} more pairs are perhaps one: --all proposes them")
            }
        };
        writeln!(output, "{pairs}")?;
    }
    if !proposals.apart.is_empty() {
        let apart = match proposals.apart.len() {
            1 => "1 looks alike and stays apart: --apart lists it".to_owned(),
            count => {
                let count = grouped(count as u64);
                format!("{count} look alike and stay apart: --apart lists them")
            }
        };
        writeln!(output, "{apart}")?;
    }
    output.finish()
}
