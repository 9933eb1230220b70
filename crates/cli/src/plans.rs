//! Plans: how commands write them, and tell what became of them.

use std::path::{Path, PathBuf};

use tabiya::plan::{Applied, Plan, PlanFormat};

use crate::{message, output::Output, text::grouped};

/// Writes a plan as its name says; `-` is standard output.
pub fn write(plan: &Plan, path: &Path) -> anyhow::Result<()> {
    let mut output = Output::open(Some(path), &["tsv", "json", "txt"])?;
    plan.write(&mut output, PlanFormat::of_path(path))?;
    output.finish()
}

/// Applies a plan of a file, and says how it is taken back.
pub fn apply(path: &PathBuf, command: &str) -> anyhow::Result<()> {
    let applied = Plan::read(path)?.apply()?;
    message::note(format_args!(
        "{}; `tabiya {command} --undo {}` takes it back",
        told(applied),
        path.display()
    ));
    Ok(())
}

/// Undoes a plan of a file.
pub fn undo(path: &PathBuf) -> anyhow::Result<()> {
    let undone = Plan::read(path)?.undo()?;
    message::note(format_args!("undone: {}", told(undone)));
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
    let games = |count: u64| match count {
        1 => "1 game".to_owned(),
        count => format!("{} games", grouped(count)),
    };
    let databases = match databases {
        1 => "1 database".to_owned(),
        count => format!("{} databases", grouped(count)),
    };
    format!(
        "in {databases}, {} marked or unmarked as deleted, {} with other tags",
        games(marked),
        games(edited)
    )
}
