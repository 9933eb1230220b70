//! Files of records to records in the order of their keys.

use std::io;

use super::{
    ply,
    spill::{Run, Spill},
};

/// A file that is too large for the memory becomes so many.
const SPLIT: usize = 16;

/// Tells the records of a file by their keys; those of one key as they came. The file is gone
/// afterwards.
pub(super) fn sorted(
    run: Run,
    memory: u64,
    tell: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let in_memory = run.bytes + run.rows * size_of::<(i64, u32)>() as u64;
    if run.least == run.most {
        run.for_each(tell)?;
    } else if in_memory <= memory && run.bytes <= u32::MAX.into() {
        sort(&run, tell)?;
    } else {
        // Ranges become narrower each time: the least and the greatest key part.
        let mut spill = Spill::new(run.path().to_owned(), run.least, run.most, SPLIT);
        run.for_each(|record| spill.add(record))?;
        run.remove()?;
        for (_, part) in spill.finish()? {
            sorted(part, memory, tell)?;
        }
        return Ok(());
    }
    run.remove()
}

fn sort(run: &Run, tell: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let bytes = run.contents()?;
    let torn = || io::Error::other("a file of positions is not as it was written");
    let record = |at: u32| {
        let (&len, rest) = bytes.get(at as usize..)?.split_first()?;
        rest.get(..len.into())
    };
    let mut places = Vec::with_capacity(run.rows as usize);
    let mut at = 0;
    for _ in 0..run.rows {
        let found = record(at).ok_or_else(torn)?;
        places.push((ply::key(found).ok_or_else(torn)?, at));
        at += 1 + found.len() as u32;
    }
    // Those of one key stay as they came: their places grow.
    places.sort_unstable();
    for (_, at) in places {
        tell(record(at).ok_or_else(torn)?)?;
    }
    Ok(())
}
