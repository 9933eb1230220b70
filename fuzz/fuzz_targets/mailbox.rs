//! The stored boards: any bytes are read or refused; what is read survives its set-up.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::mailbox::{Mailbox, Plain, Snapshot};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(plain) = Plain::from_bytes(bytes) {
        let (again, _) = Plain::from_setup_lossy(&plain.to_setup());
        assert_eq!(again.as_bytes(), plain.as_bytes());
    }
    let Ok(snapshot) = Snapshot::from_bytes(bytes) else {
        return;
    };
    let setup = snapshot.to_setup();
    let canonical = Snapshot::from_setup(&setup).expect("what a snapshot held");
    assert_eq!(canonical, snapshot.canonical());
    assert_eq!(canonical.to_setup(), setup);
    let Ok(board) = Mailbox::from_setup(&setup) else {
        return;
    };
    for &play in &board.legal_moves() {
        let mut next = board.clone();
        next.play(play);
        let full = Mailbox::from_setup(&next.to_setup()).expect("a legal move");
        assert_eq!(next.key(), full.key(), "{play} in {setup}");
    }
});
