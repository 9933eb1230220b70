//! Forged and damaged archives.

use std::io::{Cursor, Read};

use super::{FILES, Kind, contents, forged, opened, packed, refusal, stream};
use crate::archive::{
    Archive, ArchiveError, BlockFault, NameFault, Packer,
    block::Unpacker,
    header::{HEADER, RECORD},
};
use tabiya_formats::io::{InputLimits, LimitReached};

fn block_fault(payload: &[u8]) -> BlockFault {
    match refusal(&forged(&[(b"a", &stream(payload), 10)])) {
        Kind::BadBlock(fault) => fault,
        kind => panic!("{kind}"),
    }
}

#[test]
fn a_wrong_password_is_told_from_none() {
    let bytes = packed(FILES, Some("password"));
    let kind = |password| opened(&bytes, password).err().expect("refused").into_kind();
    assert!(matches!(kind(None), Kind::BadHeader));
    assert!(matches!(kind(Some("passwort")), Kind::WrongPassword));
    assert!(matches!(kind(Some("")), Kind::BadPassword));
    assert!(matches!(kind(Some("пароль")), Kind::BadPassword));
}

#[test]
fn unsafe_names_are_refused() {
    let cases: [(&[u8], NameFault); 25] = [
        (b"", NameFault::Empty),
        (b"a\\\\b", NameFault::Empty),
        (b"a\\", NameFault::Empty),
        (b"\\a", NameFault::Absolute),
        (b"/etc/passwd", NameFault::Absolute),
        (b"\\\\server\\share\\a", NameFault::Absolute),
        (b"C:\\a", NameFault::Absolute),
        (b"c:a", NameFault::Absolute),
        (b"..", NameFault::Traversal),
        (b"..\\a", NameFault::Traversal),
        (b"a/../../b", NameFault::Traversal),
        (b".\\a", NameFault::Traversal),
        (b".. \\a", NameFault::Ending),
        (b"a.", NameFault::Ending),
        (b"NUL", NameFault::Device),
        (b"a\\con.cbh", NameFault::Device),
        (b"Com1.txt", NameFault::Device),
        (b"lpt\xB9", NameFault::Device),
        (b"aux .ini", NameFault::Device),
        (b"a.cbh:stream", NameFault::Character),
        (b"a\nb", NameFault::Character),
        (b"a\x7F", NameFault::Character),
        (b"a?", NameFault::Character),
        (b"\"a\"", NameFault::Character),
        (&[b'a'; 128], NameFault::TooLong),
    ];
    for (name, expected) in cases {
        match refusal(&forged(&[(name, &[], 0)])) {
            Kind::BadName { fault, .. } => assert_eq!(fault, expected, "{name:?}"),
            kind => panic!("{kind}"),
        }
    }
}

#[test]
fn names_that_do_not_fit_are_not_packed() {
    let fault = |name: &str| match Packer::new()
        .add(name, None, &b""[..])
        .map_err(ArchiveError::into_kind)
    {
        Err(Kind::BadName { fault, .. }) => Some(fault),
        _ => None,
    };
    assert_eq!(fault(&"a".repeat(127)), None);
    assert_eq!(fault(&"a".repeat(128)), Some(NameFault::TooLong));
    assert_eq!(fault("шахматы.cbh"), Some(NameFault::Encoding));
    assert_eq!(fault("../a"), Some(NameFault::Traversal));
}

#[test]
fn names_are_taken_once_whatever_their_case() {
    let clashes: [[&[u8]; 2]; 4] = [
        [b"a.cbh", b"a.cbh"],
        [b"a.cbh", b"A.CBH"],
        [b"\xE4", b"\xC4"],
        [b"a\\b", b"a/b"],
    ];
    let folders: [[&[u8]; 2]; 2] = [[b"a", b"a\\b"], [b"A\\b\\c", b"a\\B"]];
    for [first, second] in clashes.into_iter().chain(folders) {
        let bytes = forged(&[(first, &[], 0), (second, &[], 0)]);
        assert!(
            matches!(refusal(&bytes), Kind::DuplicateName { .. }),
            "{first:?}"
        );
    }
    let mut packer = Packer::new();
    packer.add("a", None, &b""[..]).expect("packed");
    let twice = packer.add("A", None, &b""[..]).expect_err("the same name");
    assert!(matches!(twice.kind(), Kind::DuplicateName { .. }));
}

#[test]
fn data_outside_the_archive_is_refused() {
    let good = forged(&[(b"a", &stream(b"\0hello"), 5)]);
    let start = HEADER + 128;
    for offset in [0, HEADER as u32, (HEADER + RECORD) as u32 + 1, u32::MAX] {
        let mut bytes = good.clone();
        bytes[start..start + 4].copy_from_slice(&offset.to_le_bytes());
        bytes[start + 21..start + 25].copy_from_slice(&offset.to_le_bytes());
        assert!(
            matches!(refusal(&bytes), Kind::RecordOutOfRange { .. }),
            "{offset}"
        );
    }
    let mut huge = good;
    huge[start + 21..start + 37].fill(0xFF);
    assert!(matches!(refusal(&huge), Kind::RecordOutOfRange { .. }));
}

#[test]
fn data_shared_by_two_members_is_refused() {
    let mut bytes = forged(&[
        (b"a", &stream(b"\0hello"), 5),
        (b"b", &stream(b"\0world"), 5),
    ]);
    let (first, second) = (HEADER + 128, HEADER + RECORD + 128);
    for field in [0, 21] {
        bytes.copy_within(first + field..first + field + 4, second + field);
    }
    let error = opened(&bytes, None).err().expect("refused");
    assert!(matches!(error.kind(), Kind::Overlap { other } if other == "a"));
    assert_eq!(error.member(), Some("b"));
}

#[test]
fn damaged_blocks_are_refused() {
    assert_eq!(block_fault(&[]), BlockFault::Empty);
    assert_eq!(block_fault(&[4]), BlockFault::UnknownStages(4));
    assert_eq!(block_fault(&[2, 0]), BlockFault::CodesCutOff);
    assert_eq!(block_fault(&[1, 0, 0x80, 0]), BlockFault::TokenCutOff);
    let missing = BlockFault::DistanceTooFar {
        distance: 3,
        available: 0,
    };
    assert_eq!(block_fault(&[1, 0, 0x80, 0x30, 0]), missing);
    for stream in [&[1, 0, 0][..], &[2, 0, 0, 0, 0]] {
        let refused = refusal(&forged(&[(b"a", stream, 10)]));
        assert!(matches!(refused, Kind::BadBlock(BlockFault::Overrun)));
    }
}

#[test]
fn sizes_must_be_true() {
    for size in [4, 6] {
        let bytes = forged(&[(b"a", &stream(b"\0hello"), size)]);
        let error = contents(&bytes, None).expect_err("another size");
        assert!(
            matches!(error.kind(), Kind::SizeMismatch { declared, found: 5 } if *declared == size)
        );
        assert_eq!(error.member(), Some("a"));
    }
}

#[test]
fn after_an_error_nothing_more_comes() {
    let good = stream(b"\0hello world");
    let cut_off = [1, 0, 0x40, b'x', 0x30];
    for (damaged, size) in [
        (stream(&cut_off), 100),
        (stream(b"\0!"), 11),
        (vec![9], 100),
    ] {
        let bytes = forged(&[(b"a", &[good.clone(), damaged].concat(), size)]);
        let mut archive = opened(&bytes, None).expect("an archive");
        let mut member = archive.read(0);
        let mut buffer = [0; 100];
        assert_eq!(member.read(&mut buffer).expect("the first block"), 11);
        for _ in 0..3 {
            let error = member.read(&mut buffer).expect_err("the second block");
            assert!(ArchiveError::find(&error).is_some());
        }
    }
}

#[test]
fn a_block_that_explodes_is_stopped() {
    let mut payload = vec![1];
    for _ in 0..1000 {
        payload.extend([0xFF, 0xFF]);
        payload.extend([0x1F, 0xFF, 0].repeat(16));
    }
    let bytes = forged(&[(b"a", &stream(&payload), 65_824_000)]);
    assert!(matches!(
        refusal(&bytes),
        Kind::BadBlock(BlockFault::TooLarge)
    ));
}

#[test]
fn an_archive_that_announces_too_much_is_refused_at_once() {
    let bytes = forged(&[(b"a", &stream(b"\0hello"), 1 << 40)]);
    assert!(matches!(
        refusal(&bytes),
        Kind::Limit(LimitReached::Ratio(2_000))
    ));
    let sum = forged(&[(b"a", &[], u64::MAX), (b"b", &[], u64::MAX)]);
    assert!(matches!(
        refusal(&sum),
        Kind::Limit(LimitReached::Output(_))
    ));
    let limits = InputLimits {
        max_output: 50,
        ..InputLimits::default()
    };
    let opened = Archive::open_with(Cursor::new(packed(FILES, None)), None, &limits);
    let refused = opened.err().expect("52 bytes");
    assert!(matches!(
        refused.kind(),
        Kind::Limit(LimitReached::Output(50))
    ));
}

#[test]
fn a_cut_archive_is_refused_at_once() {
    let plain = packed(&FILES[..2], None);
    for len in 0..plain.len() {
        assert!(opened(&plain[..len], None).is_err(), "{len}");
    }
    let encrypted = packed(&FILES[..2], Some("password"));
    let padding = encrypted.len() - plain.len();
    for len in 0..encrypted.len() - padding {
        assert!(
            opened(&encrypted[..len], Some("password")).is_err(),
            "{len}"
        );
    }
}

#[test]
fn memory_does_not_grow_with_the_file() {
    let mut unpacker = Unpacker::new();
    for _ in 0..100 {
        unpacker.unpack(&[0; 60_001]).expect("a block");
        assert_eq!(unpacker.output().len(), 60_000);
        assert!(unpacker.memory() <= 200_000);
    }
}

#[test]
fn errors_say_where() {
    let bytes = forged(&[(b"a.cbh", &stream(b"\x04"), 1)]);
    let error = contents(&bytes, None).expect_err("an unknown stage");
    let expected = "a.cbh: a block is damaged: it is packed in an unknown way, 0x04 (at byte 181)";
    assert_eq!(error.to_string(), expected);
    let mut archive = opened(&bytes, None).expect("an archive");
    let wrapped = archive.read(0).read(&mut [0]).expect_err("the same");
    let found = ArchiveError::find(&wrapped).expect("ours");
    assert_eq!(found.offset(), Some(181));
}
