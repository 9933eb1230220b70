//! The files of real databases, made again from what was read of them.

use std::fs;

use super::*;
use crate::{
    data,
    scid::{
        index,
        names::{KINDS, sn4, sn5},
    },
};

const SI4: [&str; 6] = [
    "generated/annotated4",
    "generated/twic_small4",
    "scid-gtest/res_database",
    "scidvspc/matein1",
    "scidvspc/matein3",
    "scidvspc/tactics",
];

const SI5: [&str; 3] = [
    "generated/annotated5",
    "generated/tcec_frc5",
    "generated/twic_small",
];

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn sorted_name_files_are_written_as_they_were() {
    let Some(data) = data::find("scid") else {
        return;
    };
    for name in SI4 {
        let bytes = fs::read(data.join(format!("{name}.sn4"))).unwrap();
        let (names, uses) = sn4::read(&bytes).unwrap();
        assert!(sn4::write(&names, &uses) == bytes, "{name}");
        let scid = open(&data.join(format!("{name}.si4")));
        let mut counted = sn4::Uses::default();
        for number in 1..=scid.games() {
            counted.count_all(&scid.entry(number).unwrap());
        }
        counted.fit(&names);
        assert!(counted.each == uses.each, "{name}");
        let too_high = (0..KINDS).all(|kind| uses.highest[kind] >= counted.highest[kind]);
        assert!(too_high, "{name}");
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn streams_of_names_are_written_as_they_were() {
    let Some(data) = data::find("scid") else {
        return;
    };
    for name in SI5 {
        let bytes = fs::read(data.join(format!("{name}.sn5"))).unwrap();
        let (names, _) = sn5::read(&bytes).unwrap();
        // Names of different kinds are mixed as games first used them.
        let scid = open(&data.join(format!("{name}.si5")));
        let mut register = crate::scid::names::Register::default();
        let mut out = Vec::new();
        for number in 1..=scid.games() {
            let entry = scid.entry(number).unwrap();
            for (kind, id) in crate::scid::names::KIND_OF.into_iter().zip(entry.names) {
                let name = names.get(kind, id).unwrap();
                if register.id(kind, name).1 {
                    sn5::put(kind, name, &mut out);
                }
            }
        }
        assert!(out == bytes, "{name}");
    }
}

/// Where both dates are not known, or that of the event is too far away from none, the bits of the
/// latter may be 0 or say "the same year". Which it was is not kept, for it means the same.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn records_of_the_index_are_written_as_they_were() {
    let Some(data) = data::find("scid") else {
        return;
    };
    let mut differ = Vec::new();
    let all = SI4.iter().map(|name| format!("{name}.si4"));
    for name in all.chain(SI5.iter().map(|name| format!("{name}.si5"))) {
        let scid = open(&data.join(&name));
        let mut count = 0;
        for number in 0..scid.games() {
            let (_, bytes) = scid.base().index_record(number).unwrap();
            let entry = scid.entry(number + 1).unwrap();
            let mut out = Vec::new();
            index::write(scid.version(), &entry, &mut out);
            if out != bytes {
                count += 1;
                assert!(entry.event_date.is_unknown() && entry.date.year() == 0);
                assert_eq!((out[25], bytes[25]), (0x80, 0), "{name} {number}");
                out[25] = 0;
                assert_eq!(out, bytes, "{name} {number}");
            }
        }
        if count > 0 {
            differ.push((name, count));
        }
    }
    let expected = [
        ("generated/annotated4.si4", 11),
        ("scid-gtest/res_database.si4", 1),
        ("scidvspc/matein1.si4", 1_212),
        ("scidvspc/matein3.si4", 7_862),
        ("scidvspc/tactics.si4", 48),
    ];
    assert_eq!(
        differ,
        expected.map(|(name, count)| (name.to_owned(), count))
    );
}
