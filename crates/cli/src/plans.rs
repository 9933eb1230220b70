//! Plans: how commands write them, and tell what became of them.

use std::{fs, path::Path};

use anyhow::bail;
use tabiya::plan::{Applied, Plan, PlanFormat};

use crate::{interrupt, message, output::Output, text::counted};

/// What is so at any time while a plan is applied or undone.
pub const CHANGING: &str = "each database is wholly in its old state or in its new one; undo the plan to have \
     all in the old one";

/// Writes a plan as its name says; `-` is standard output.
pub fn write(plan: &Plan, path: &Path) -> anyhow::Result<()> {
    let mut output = Output::open(Some(path), &["tsv", "json", "txt"])?;
    plan.write(&mut output, PlanFormat::of_path(path))?;
    output.finish()
}

/// Whether a plan may be written there: not over one that was applied, for it is what takes that
/// back.
pub fn check_spares(path: Option<&Path>, command: &str) -> anyhow::Result<()> {
    // What is read of a pipe is gone, or never comes.
    let is_file = |path: &&Path| fs::metadata(path).is_ok_and(|found| found.is_file());
    let Some(path) = path.filter(is_file) else {
        return Ok(());
    };
    let name = path.display();
    match Plan::read(path) {
        Ok(plan) if plan.may_be_applied() => bail!(
            "{name} may have been applied, and is what takes that back: choose another name, or undo it \
             with `tabiya {command} --undo {name}`"
        ),
        _ => Ok(()),
    }
}

/// Applies a plan of a file, and says how it is taken back.
pub fn apply(path: &Path, command: &str) -> anyhow::Result<()> {
    let (plan, name) = (Plan::read(path)?, path.display());
    if plan.steps.is_empty() {
        message::note(format_args!("{name} has no steps: nothing was changed"));
        return Ok(());
    }
    interrupt::leaves(CHANGING);
    message::note(format_args!(
        "{}; `tabiya {command} --undo {name}` takes it back",
        told(plan.apply()?)
    ));
    Ok(())
}

/// Undoes a plan of a file.
pub fn undo(path: &Path) -> anyhow::Result<()> {
    let (plan, name) = (Plan::read(path)?, path.display());
    if plan.steps.is_empty() {
        bail!("{name} has no steps: nothing was undone");
    }
    interrupt::leaves(CHANGING);
    let undone = plan.undo()?;
    if undone.databases == 0 {
        bail!("{name} has no step that changes a game: nothing was undone");
    }
    match undone.left {
        0 => message::note(format_args!("undone: {}", told(undone))),
        left => message::warning(format_args!(
            "undone in part: {}; {} that {} applied with it {} not in {name}, and `tabiya edit \
             DATABASE --undo` takes {} back",
            told(undone),
            counted(left, "step"),
            if left == 1 { "was" } else { "were" },
            if left == 1 { "is" } else { "are" },
            if left == 1 { "it" } else { "them" },
        )),
    }
    Ok(())
}

/// What has been changed, in words.
pub fn told(applied: Applied) -> String {
    let Applied {
        databases,
        edited,
        marked,
        ..
    } = applied;
    format!(
        "in {}, {} marked or unmarked as deleted, {} with other tags",
        counted(databases, "database"),
        counted(marked, "game"),
        counted(edited, "game")
    )
}
