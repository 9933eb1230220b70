//! Query strings of the server: any text is read or refused, as each kind of request reads it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|query: &str| tabiya_server::read_query(query));
