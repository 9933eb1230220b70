//! FIDE's list of players, as a table and as XML: any bytes are read or refused, and what they say of
//! a few names does not change from one time to the next.

#![no_main]

mod names;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| names::propose(bytes, |names, path| names.fide(path)));
