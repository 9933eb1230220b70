//! ChessBase's own archives: what is inside is what lies beside them, and packed again it comes
//! back.

use std::{
    collections::BTreeMap,
    fs,
    io::{Cursor, Read, Seek},
    path::Path,
};

use tabiya_chessbase::archive::{
    Archive, ArchiveErrorKind, Existing, Modified, database_files, pack, unpack, unpack_temporary,
};

use crate::data;

type Files = BTreeMap<String, Vec<u8>>;

fn files_in(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), fs::read(&path).expect("a file"))
        })
        .collect()
}

fn files_of<R: Read + Seek>(archive: &mut Archive<R>) -> Files {
    let mut files = Files::new();
    for index in 0..archive.members().len() {
        let member = archive.members()[index].clone();
        let mut bytes = Vec::new();
        archive
            .read(index)
            .read_to_end(&mut bytes)
            .expect("a member");
        assert_eq!(bytes.len() as u64, member.size());
        files.insert(member.name().to_string(), bytes);
    }
    files
}

/// Only names are printed if they differ: there is no use in megabytes.
fn assert_same(found: &Files, expected: &Files) {
    assert!(found.keys().eq(expected.keys()));
    for (name, bytes) in found {
        assert!(*bytes == expected[name], "{name}");
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn archives_hold_what_lies_beside_them() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    for (archive, members) in [("twic1134", 13), ("small", 12)] {
        let path = folder.join(archive).with_extension("cbv");
        let mut opened = Archive::open_path(path, None).expect("an archive");
        assert!(!opened.is_encrypted());
        assert_eq!(opened.members().len(), members);
        assert_same(&files_of(&mut opened), &files_in(&folder.join(archive)));
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn passwords_open_encrypted_archives() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    let expected = files_in(&folder.join("small"));
    for (archive, password) in [
        ("small.cbz", "password"),
        ("small3.cbz", "my long password"),
    ] {
        let path = folder.join(archive);
        let mut opened = Archive::open_path(&path, Some(password)).expect("an archive");
        assert!(opened.is_encrypted());
        assert_same(&files_of(&mut opened), &expected);
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn zeros_after_the_last_member_do_no_harm() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    let path = folder.join("decrypted_small.cbv");
    let mut opened = Archive::open_path(path, None).expect("an archive");
    assert_same(&files_of(&mut opened), &files_in(&folder.join("small")));
}

/// The password of `small2.cbz` is not known: it can only be refused.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn other_passwords_do_not() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    for archive in ["small.cbz", "small2.cbz", "small3.cbz"] {
        let path = folder.join(archive);
        let opened = Archive::open_path(&path, None).err().expect("no password");
        assert!(matches!(opened.kind(), ArchiveErrorKind::NeedsPassword));
        let opened = Archive::open_path(&path, Some("Password")).err();
        let opened = opened.expect("another password");
        assert!(matches!(opened.kind(), ArchiveErrorKind::WrongPassword));
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn dates_are_those_of_the_files() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    let opened = Archive::open_path(folder.join("small.cbv"), None).expect("an archive");
    let modified = opened.members()[0].modified();
    let expected = Modified {
        date: 20_160_806,
        time: 15_180_712,
    };
    assert_eq!(modified, Some(expected));
    assert_eq!(expected.to_string(), "2016-08-06 15:18:07");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn unpacking_makes_the_same_files() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    let mut opened = Archive::open_path(folder.join("twic1134.cbv"), None).expect("an archive");
    let target = tempfile::tempdir().expect("a folder");
    let paths = unpack(&mut opened, target.path(), Existing::Keep).expect("unpacked");
    assert_eq!(paths.len(), 13);
    let expected = files_in(&folder.join("twic1134"));
    assert_same(&files_in(target.path()), &expected);

    let unpacked = unpack_temporary(&mut opened).expect("unpacked");
    assert!(unpacked.database().ends_with("twic1134.cbh"));
    assert_same(&files_in(unpacked.folder()), &expected);
    let gone = unpacked.folder().to_path_buf();
    drop(unpacked);
    assert!(!gone.exists());
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn packed_again_they_are_smaller_and_come_back() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    let files = database_files(folder.join("twic1134/twic1134.cbh")).expect("a folder");
    let theirs = fs::metadata(folder.join("twic1134.cbv"))
        .expect("a file")
        .len();
    for password in [None, Some("a password")] {
        let mut ours = Vec::new();
        let packed = pack(&files, &mut ours, password).expect("packed");
        assert_eq!(
            packed.packed.next_multiple_of(8),
            (ours.len() as u64).next_multiple_of(8)
        );
        assert!(
            (ours.len() as u64) < theirs,
            "{} bytes, {theirs}",
            ours.len()
        );
        let mut opened = Archive::open(Cursor::new(ours), password).expect("an archive");
        assert_same(&files_of(&mut opened), &files_in(&folder.join("twic1134")));
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn members_come_in_the_order_of_chessbase() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    let opened = Archive::open_path(folder.join("twic1134.cbv"), None).expect("an archive");
    let theirs: Vec<&str> = opened
        .members()
        .iter()
        .map(|member| member.name())
        .collect();
    let files = database_files(folder.join("twic1134/twic1134.cbh")).expect("a folder");
    let ours: Vec<String> = files
        .iter()
        .map(|path| path.file_name().expect("a name").to_string_lossy().into())
        .collect();
    assert_eq!(ours, theirs);
}

/// The last byte of a payload of odd length is not in the checksum.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_flipped_bit_is_noticed_but_in_odd_last_bytes() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    let bytes = fs::read(folder.join("small.cbv")).expect("a file");
    let opened = Archive::open(Cursor::new(&bytes), None).expect("an archive");
    let members = opened.members();
    let data = bytes.len() - members.iter().map(|m| m.packed() as usize).sum::<usize>();
    let mut end = data;
    let mut odd_last_bytes = Vec::new();
    for member in members {
        // One block each, and its frame is even.
        end += member.packed() as usize;
        if member.packed() % 2 == 1 {
            odd_last_bytes.push(end - 1);
        }
    }
    for bit in data * 8..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let mut opened = Archive::open(Cursor::new(damaged), None).expect("a list of members");
        let noticed = (0..opened.members().len())
            .any(|index| opened.read(index).read_to_end(&mut Vec::new()).is_err());
        assert!(noticed || odd_last_bytes.contains(&(bit / 8)), "{bit}");
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_cut_archive_is_refused_at_once() {
    let Some(folder) = data::find("chessbase/uncbv") else {
        return;
    };
    let bytes = fs::read(folder.join("small.cbv")).expect("a file");
    for len in 0..bytes.len() {
        assert!(Archive::open(Cursor::new(&bytes[..len]), None).is_err());
    }
}
