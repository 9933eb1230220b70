//! Archives: any bytes are unpacked within the limits, or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_formats::{
    io::InputLimits,
    jose::{Files, recognise_archive},
};

fuzz_target!(|bytes: &[u8]| {
    let limits = InputLimits {
        max_memory: 1 << 20,
        ..InputLimits::default()
    };
    let _ = recognise_archive(bytes);
    let Ok(files) = Files::unpack(bytes, &limits) else {
        return;
    };
    let size = |name: &str| files.get(name).map_or(0, |file| file.len());
    let total: usize = files.names().map(size).sum();
    assert!(total <= 1 << 20);
});
