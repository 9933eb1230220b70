//! The openings that were found, as tags of the games.

use std::{
    borrow::Cow,
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::{anyhow, bail};
use tabiya::{
    ErrorKind, GameTree,
    openings::{Classifier, Openings},
};

use super::Args;
use crate::{
    commands::convert,
    exit::Outcome,
    message,
    output::Output,
    text::{games, grouped},
};

/// Sets the tags, in a copy or in place.
pub fn run(args: Args, table: Cow<'static, Openings>) -> anyhow::Result<Outcome> {
    match &args.output {
        Some(_) => copy(args, table),
        None => in_place(&args, &table),
    }
}

/// Sets the tags of a game; whether that has changed it. A game without a named position keeps
/// what it has.
fn set(game: &mut GameTree, table: &Openings, names: bool) -> bool {
    let mut classifier = Classifier::new(table);
    game.tell(&mut classifier);
    let Some((opening, _)) = classifier.found() else {
        return false;
    };
    let mut changed = false;
    let tags = [("ECO", &opening.eco), ("Opening", &opening.name)];
    for (name, value) in tags.into_iter().take(1 + usize::from(names)) {
        if game.tags.get(name) != Some(value) {
            game.tags.set(name, value);
            changed = true;
        }
    }
    changed
}

fn copy(args: Args, table: Cow<'static, Openings>) -> anyhow::Result<Outcome> {
    let (count, names) = (Arc::new(AtomicU64::new(0)), args.names);
    let changed = Arc::clone(&count);
    let edit = move |game: &mut GameTree| {
        let is_changed = set(game, &table, names);
        changed.fetch_add(is_changed.into(), Ordering::Relaxed);
    };
    let outcome = convert::run(convert::Args {
        inputs: args.inputs,
        output: args.output,
        to: args.to,
        edit: Some(Arc::new(edit)),
        read: args.read,
        ..convert::Args::default()
    })?;
    let changed = games(count.load(Ordering::Relaxed));
    message::note(format_args!("{changed} with new tags"));
    Ok(outcome)
}

fn in_place(args: &Args, table: &Openings) -> anyhow::Result<Outcome> {
    let [path] = args.inputs.as_slice() else {
        bail!("several inputs need an output: say where with -o OUT");
    };
    if path == "-" {
        bail!("what comes from standard input needs an output: say where with -o OUT");
    }
    let filter = args.read.filter();
    let mut heard = 0u64;
    let changed = args.read.how().edit(path, |_, game| {
        if !filter.accepts(game) {
            return false;
        }
        heard += 1;
        set(game, table, args.names)
    });
    let changed = changed.map_err(|error| match error.kind() {
        ErrorKind::Unsupported => anyhow!("{error}: say with -o OUT where the games go"),
        _ => error.into(),
    })?;
    let mut output = Output::stdout();
    let (heard, changed) = (games(heard), grouped(changed));
    writeln!(output, "{heard} classified, {changed} with new tags")?;
    output.finish()?;
    Ok(Outcome::Fine)
}
