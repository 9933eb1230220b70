//! Archives of our own making: good ones come back, forged ones are refused.

mod files;
mod hostile;

use std::{
    io::{Cursor, Read},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use proptest::prelude::*;

use super::{
    Archive, ArchiveError, ArchiveErrorKind as Kind, BlockFault, Modified, Packer,
    block::{self, BLOCK_INPUT, Frame, Unpacker},
    header::{HEADER, RECORD},
    recognise,
};

type Files<'a> = &'a [(&'a str, &'a [u8])];

const FILES: Files = &[
    ("Games.cbh", b"heads"),
    (
        "Games.cbg",
        b"moves, moves, moves, moves, moves, moves, moves",
    ),
    ("Games.html/1.gif", b""),
];

fn packed(files: Files, password: Option<&str>) -> Vec<u8> {
    let mut packer = Packer::new();
    for (name, contents) in files {
        packer.add(name, None, *contents).expect("packed");
    }
    let mut bytes = Vec::new();
    packer.finish(&mut bytes, password).expect("written");
    bytes
}

fn opened(bytes: &[u8], password: Option<&str>) -> Result<Archive<Cursor<Vec<u8>>>, ArchiveError> {
    Archive::open(Cursor::new(bytes.to_vec()), password)
}

fn contents(bytes: &[u8], password: Option<&str>) -> Result<Vec<Vec<u8>>, ArchiveError> {
    let mut archive = opened(bytes, password)?;
    (0..archive.members().len())
        .map(|index| {
            let mut contents = Vec::new();
            let mut member = archive.read(index);
            while let Some(block) = member.next_block()? {
                contents.extend_from_slice(block);
            }
            Ok(contents)
        })
        .collect()
}

/// An archive by hand: streams as given, behind an honest list.
fn forged(members: &[(&[u8], &[u8], u64)]) -> Vec<u8> {
    let mut bytes = super::header::header(members.len() as u16).to_vec();
    let mut start = HEADER + members.len() * RECORD;
    for (name, stream, size) in members {
        let mut record = name.to_vec();
        record.resize(128, 0);
        let numbers = [start as u64, stream.len() as u64, *size];
        record.extend(numbers.iter().flat_map(|&n| (n as u32).to_le_bytes()));
        record.extend([1, 0, 0, 0, 0, 0, 0, 0, 0]);
        record.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(record);
        start += stream.len();
    }
    for (_, stream, _) in members {
        bytes.extend_from_slice(stream);
    }
    bytes
}

fn stream(payload: &[u8]) -> Vec<u8> {
    let frame = Frame::of(payload).expect("a short payload");
    [&frame.to_bytes(), payload].concat()
}

fn refusal(bytes: &[u8]) -> Kind {
    let error = contents(bytes, None).expect_err("it should be refused");
    error.into_kind()
}

#[test]
fn files_come_back_with_and_without_a_password() {
    for password in [
        None,
        Some("x"),
        Some("12345678"),
        Some("a rather long password"),
    ] {
        let bytes = packed(FILES, password);
        let archive = opened(&bytes, password).expect("an archive");
        assert_eq!(archive.is_encrypted(), password.is_some());
        for (member, (name, contents)) in archive.members().iter().zip(FILES) {
            assert_eq!(member.name(), *name);
            assert_eq!(member.size(), contents.len() as u64);
        }
        let expected: Vec<&[u8]> = FILES.iter().map(|(_, contents)| *contents).collect();
        assert_eq!(contents(&bytes, password).expect("members"), expected);
    }
}

#[test]
fn an_archive_may_be_empty() {
    let bytes = packed(&[], None);
    assert_eq!(bytes, [8, 0, 0, 0, 173, 0, 3, 0]);
    assert!(
        opened(&bytes, None)
            .expect("an archive")
            .members()
            .is_empty()
    );
}

#[test]
fn archives_are_recognised_by_their_first_bytes() {
    assert!(recognise(&packed(FILES, None)));
    assert!(!recognise(&packed(FILES, Some("password"))));
    assert!(!recognise(b"[Event \"\"]"));
    assert!(!recognise(b"\x08\x00"));
}

#[test]
fn an_encrypted_archive_is_padded_to_whole_units() {
    let plain = packed(FILES, None);
    let encrypted = packed(FILES, Some("password"));
    assert_eq!(encrypted.len(), plain.len().next_multiple_of(8));
}

#[test]
fn a_password_that_is_not_needed_does_no_harm() {
    assert!(opened(&packed(FILES, None), Some("password")).is_ok());
}

#[test]
fn members_are_read_in_any_order_and_more_than_once() {
    let bytes = packed(FILES, Some("password"));
    let mut archive = opened(&bytes, Some("password")).expect("an archive");
    for index in [1, 0, 1] {
        let mut contents = Vec::new();
        archive
            .read(index)
            .read_to_end(&mut contents)
            .expect("a member");
        assert_eq!(contents, FILES[index].1);
    }
}

#[test]
fn large_files_take_several_blocks() {
    let text = b"0123456789 and so on, ".repeat(10_000);
    let bytes = packed(&[("a", &text)], None);
    let mut archive = opened(&bytes, None).expect("an archive");
    let mut member = archive.read(0);
    let mut sizes = Vec::new();
    while let Some(block) = member.next_block().expect("a block") {
        sizes.push(block.len());
    }
    assert_eq!(sizes, [BLOCK_INPUT, BLOCK_INPUT, BLOCK_INPUT, 35_680]);
    assert!(bytes.len() < 5_000);
}

#[test]
fn each_block_is_packed_in_the_way_that_suits_it() {
    let stages = |input: &[u8]| block::Packer::new().pack(input)[0];
    assert_eq!(stages(b"abc"), 0);
    assert_eq!(stages(&[b'a'; 1000]), 1);
    let mut random = 1_u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        random >> 24
    };
    let digits: Vec<u8> = (0..5000).map(|_| b'0' + (next() % 10) as u8).collect();
    assert_eq!(stages(&digits), 2);
    let words: Vec<u8> = (0..5000)
        .flat_map(|n| match n % 8 {
            0 => b"and then ".to_vec(),
            _ => vec![b'0' + (next() % 64) as u8],
        })
        .collect();
    assert_eq!(stages(&words), 3);
}

#[test]
fn copies_may_reach_into_the_block_before() {
    let first = stream(b"\0hello world");
    let second = stream(&[1, 0, 0x80, 0xB8, 0]);
    let bytes = forged(&[(b"a", &[first, second].concat(), 22)]);
    let expected = b"hello worldhello world".to_vec();
    assert_eq!(contents(&bytes, None).expect("a member"), [expected]);
}

#[test]
fn a_checksum_of_zero_is_none() {
    let mut unchecked = stream(b"\0hello");
    unchecked[2..4].fill(0);
    assert_eq!(
        contents(&forged(&[(b"a", &unchecked, 5)]), None).expect("a member"),
        [b"hello"]
    );
    unchecked[2] = 1;
    let refused = refusal(&forged(&[(b"a", &unchecked, 5)]));
    let fault = |kind| {
        matches!(
            kind,
            Kind::BadBlock(BlockFault::BadChecksum { stored: 1, .. })
        )
    };
    assert!(fault(refused));
}

#[test]
fn numbers_may_be_given_in_32_bits_or_in_64() {
    let both = forged(&[(b"a", &stream(b"\0hello"), 5)]);
    let short = HEADER + 128..HEADER + 140;
    let long = HEADER + 149..HEADER + RECORD;
    for missing in [short, long.clone()] {
        let mut one = both.clone();
        one[missing].fill(0);
        assert_eq!(contents(&one, None).expect("a member"), [b"hello"]);
    }
    let mut contrary = both;
    contrary[long.start] += 1;
    let refused = refusal(&contrary);
    assert!(matches!(refused, Kind::Contradiction { field, .. } if field == "offset"));
}

/// Archives say how long the records of their list are. Shorter ones end before the numbers of 64
/// bits, or before the date.
#[test]
fn records_may_be_of_other_lengths() {
    let usual = forged(&[(b"a", &stream(b"\0hello"), 5)]);
    for length in [140, 149, 173, 181] {
        let mut bytes = [8, 0, 1, 0, length, 0, 2, 0].to_vec();
        bytes.extend(&usual[HEADER..HEADER + RECORD]);
        bytes.resize(HEADER + usize::from(length), 0);
        let start = bytes.len() as u32;
        bytes[HEADER + 128..][..4].copy_from_slice(&start.to_le_bytes());
        if length >= 173 {
            bytes[HEADER + 149..][..4].copy_from_slice(&start.to_le_bytes());
        }
        bytes.extend(stream(b"\0hello"));
        assert_eq!(contents(&bytes, None).expect("a member"), [b"hello"]);
        assert!(!recognise(&bytes), "it is one by its name alone");
    }
    let short = [8, 0, 1, 0, 139, 0, 3, 0];
    assert!(matches!(refusal(&short), Kind::BadHeader));
}

#[test]
fn harmless_names_are_kept() {
    let names: [(&[u8], &str); 5] = [
        (b"Stra\xDFe \x80.cbh", "Straße €.cbh"),
        (b"Games.html\\pictures\\1.gif", "Games.html/pictures/1.gif"),
        (b"a..b", "a..b"),
        (b".hidden", ".hidden"),
        (b"console.com10", "console.com10"),
    ];
    for (stored, name) in names {
        let archive = opened(&forged(&[(stored, &[], 0)]), None).expect("an archive");
        assert_eq!(archive.members()[0].name(), name);
        let again = opened(&packed(&[(name, b"")], None), None).expect("an archive");
        assert_eq!(again.members()[0].name(), name);
    }
}

#[test]
fn dates_are_written_as_they_are_read() {
    let at = |seconds, millis: u32| UNIX_EPOCH + Duration::new(seconds, millis * 1_000_000);
    let modified = |time: SystemTime| Modified::from_system_time(time).expect("a date");
    let epoch = Modified {
        date: 19_700_101,
        time: 0,
    };
    assert_eq!(modified(UNIX_EPOCH), epoch);
    let leap_day = modified(at(1_709_251_199, 999));
    assert_eq!((leap_day.date, leap_day.time), (20_240_229, 23_595_999));
    assert_eq!(leap_day.to_string(), "2024-02-29 23:59:59");
    assert_eq!(modified(at(4_107_542_400, 0)).date, 21_000_301);
    assert_eq!(Modified::from_system_time(at(1 << 40, 0)), None);
    let mut packer = Packer::new();
    packer.add("a", Some(leap_day), &b""[..]).expect("packed");
    let mut bytes = Vec::new();
    packer.finish(&mut bytes, None).expect("written");
    let archive = opened(&bytes, None).expect("an archive");
    assert_eq!(archive.members()[0].modified(), Some(leap_day));
}

/// Bytes as files have them: noise, runs and repetitions.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        (any::<u8>(), 1..6000_usize).prop_map(|(byte, count)| vec![byte; count]),
        (proptest::collection::vec(0..4_u8, 1..40), 1..200_usize)
            .prop_map(|(piece, count)| piece.repeat(count)),
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn blocks_survive(mut input in file()) {
        input.truncate(BLOCK_INPUT);
        let payload = block::Packer::new().pack(&input);
        prop_assert!(payload.len() <= input.len() + 1);
        let mut unpacker = Unpacker::new();
        prop_assert_eq!(unpacker.unpack(&payload), Ok(()));
        prop_assert!(unpacker.output() == input);
    }

    #[test]
    fn archives_survive(
        files in proptest::collection::vec(file(), 0..5),
        password in proptest::option::of("[ -~]{1,20}"),
    ) {
        let names: Vec<String> = (0..files.len()).map(|n| format!("file{n}")).collect();
        let named: Vec<(&str, &[u8])> = names
            .iter()
            .zip(&files)
            .map(|(name, contents)| (name.as_str(), contents.as_slice()))
            .collect();
        let bytes = packed(&named, password.as_deref());
        prop_assert!(contents(&bytes, password.as_deref()).expect("members") == files);
    }

    #[test]
    fn arbitrary_blocks_do_not_panic(payload: Vec<u8>, stages in 0..4_u8) {
        let mut unpacker = Unpacker::new();
        let _ = unpacker.unpack(&[&[stages], &payload[..]].concat());
        prop_assert!(unpacker.output().len() <= block::MAX_BLOCK_OUTPUT);
    }

    #[test]
    fn damaged_archives_do_not_panic(
        files in proptest::collection::vec(file(), 1..3),
        flips in proptest::collection::vec((any::<proptest::sample::Index>(), 0..8_u8), 1..4),
    ) {
        let names = ["a.cbh", "b\\c", "d"];
        let named: Vec<(&str, &[u8])> = names
            .iter()
            .zip(&files)
            .map(|(name, contents)| (*name, contents.as_slice()))
            .collect();
        let mut bytes = packed(&named, None);
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        let _ = contents(&bytes, None);
        let _ = contents(&bytes, Some("password"));
    }
}
