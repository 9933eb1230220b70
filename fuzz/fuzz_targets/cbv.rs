//! ChessBase archives: any bytes are opened, with a password and without; what is in them is
//! packed and comes back.

#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::archive::{Archive, Packer};
use tabiya_formats::io::InputLimits;

/// A few bytes may announce much; nothing is learnt from writing it all.
const LIMITS: InputLimits = InputLimits {
    max_output: 1 << 20,
    max_ratio: 2_000,
    max_memory: 1 << 20,
};

/// The members that can be read, and their names.
fn members(bytes: &[u8], password: Option<&str>) -> Vec<(String, Vec<u8>)> {
    let Ok(mut archive) = Archive::open_with(Cursor::new(bytes), password, &LIMITS) else {
        return Vec::new();
    };
    let names: Vec<String> = archive
        .members()
        .iter()
        .map(|m| m.name().to_string())
        .collect();
    let mut members = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        let mut contents = Vec::new();
        if archive.read(index).read_to_end(&mut contents).is_ok() {
            members.push((name, contents));
        }
    }
    members
}

fuzz_target!(|bytes: &[u8]| {
    // Chance would not find passwords: what it finds is read as if it had been decrypted.
    let _ = members(bytes, Some("password"));
    let found = members(bytes, None);
    for password in [None, Some("password")] {
        let mut packer = Packer::new();
        for (name, contents) in &found {
            packer
                .add(name, None, &contents[..])
                .expect("a name that was read can be written");
        }
        let mut packed = Vec::new();
        packer
            .finish(&mut packed, password)
            .expect("memory can be written to");
        assert_eq!(members(&packed, password), found);
    }
});
