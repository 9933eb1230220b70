//! The stored boards: any bytes are read or refused; what is read survives its set-up.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::mailbox::{Cell, Mailbox, Plain, Snapshot};

/// A frame of FF round any cells, with any trailer: chance alone would never find the frame.
fn framed(data: &[u8]) -> [u8; 128] {
    let mut bytes = [0xff; 128];
    let places = Cell::all().map(Cell::index).chain(120..128);
    for (place, byte) in places.zip(data) {
        bytes[place] = *byte;
    }
    bytes
}

fuzz_target!(|data: &[u8]| {
    read(data);
    let bytes = framed(data);
    read(&bytes);
    read(&bytes[..120]);
});

fn read(bytes: &[u8]) {
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
}
