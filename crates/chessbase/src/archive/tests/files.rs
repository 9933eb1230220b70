//! Archives and folders.

use std::{fs, path::Path};

use super::{FILES, Kind, opened, packed};
use crate::archive::{Existing, database_files, pack, unpack, unpack_temporary};

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn members_are_unpacked_into_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("new/folder");
    let mut archive = opened(&packed(FILES, None), None).expect("an archive");
    let paths = unpack(&mut archive, &target, Existing::Keep).expect("unpacked");
    assert_eq!(paths[2], target.join("Games.html/1.gif"));
    for (path, (_, contents)) in paths.iter().zip(FILES) {
        assert_eq!(fs::read(path).expect("a file"), *contents);
    }
    assert_eq!(names_in(&target), ["Games.cbg", "Games.cbh", "Games.html"]);
}

#[test]
fn files_are_replaced_only_if_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Games.cbg");
    fs::write(&file, "mine").expect("written");
    let mut archive = opened(&packed(FILES, None), None).expect("an archive");
    let refused = unpack(&mut archive, &folder, Existing::Keep).expect_err("it is there");
    assert!(matches!(refused.kind(), Kind::AlreadyExists(path) if *path == file));
    assert_eq!(names_in(folder.path()), ["Games.cbg"]);
    assert_eq!(fs::read(&file).expect("a file"), b"mine");

    let mut permissions = fs::metadata(&file).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions.clone()).expect("read-only");
    let refused = unpack(&mut archive, &folder, Existing::Replace).expect_err("read-only");
    assert!(matches!(refused.kind(), Kind::ReadOnly(path) if *path == file));

    fs::remove_file(&file).expect("removed");
    fs::write(&file, "mine").expect("written");
    unpack(&mut archive, &folder, Existing::Replace).expect("replaced");
    assert_eq!(fs::read(&file).expect("a file"), FILES[1].1);
}

#[test]
fn of_a_damaged_archive_nothing_appears() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = packed(&FILES[..2], None);
    *bytes.last_mut().expect("a byte") ^= 1;
    let len = bytes.len();
    bytes[len - 2] ^= 1;
    let mut archive = opened(&bytes, None).expect("the list is good");
    let error = unpack(&mut archive, &folder, Existing::Keep).expect_err("damaged");
    assert_eq!(error.member(), Some("Games.cbg"));
    assert!(names_in(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("Games.html");
    std::os::unix::fs::symlink(elsewhere.path(), &link).expect("a link");
    let mut archive = opened(&packed(FILES, None), None).expect("an archive");
    let refused = unpack(&mut archive, &folder, Existing::Replace).expect_err("a link");
    assert!(matches!(refused.kind(), Kind::NotAFolder(path) if *path == link));
    assert!(names_in(elsewhere.path()).is_empty());
}

#[test]
fn a_temporary_folder_goes_when_nobody_needs_it() {
    let mut archive = opened(&packed(FILES, None), None).expect("an archive");
    let unpacked = unpack_temporary(&mut archive).expect("unpacked");
    assert_eq!(fs::read(unpacked.database()).expect("a file"), b"heads");
    let folder = unpacked.folder().to_path_buf();
    assert_eq!(names_in(&folder).len(), 3);
    drop(unpacked);
    assert!(!folder.exists());
}

#[test]
fn readers_want_exactly_one_database() {
    let refused = |files| {
        let mut archive = opened(&packed(files, None), None).expect("an archive");
        unpack_temporary(&mut archive)
            .err()
            .expect("refused")
            .into_kind()
    };
    assert!(matches!(refused(&[("a.pgn", b"")]), Kind::NoDatabase(_)));
    let two = &[("a.CBH", &b""[..]), ("b.cbh", b"")];
    assert!(matches!(refused(two), Kind::SeveralDatabases(2)));
}

#[test]
fn a_database_is_packed_with_what_belongs_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = |name: &str| folder.path().join(name);
    fs::create_dir(inside("Games.html")).expect("a folder");
    for name in [
        "Games.cbg",
        "games.CBH",
        "Games.html/1.gif",
        "Games.pgn",
        "Other.cbh",
    ] {
        fs::write(inside(name), name).expect("written");
    }
    for name in ["Games.cit", "Games.cbv"] {
        fs::write(inside(name), name).expect("written");
    }
    let files = database_files(inside("Games.cbh")).expect("a folder");
    assert_eq!(files, ["games.CBH", "Games.cbg", "Games.html"].map(inside));
    let mut bytes = Vec::new();
    let report = pack(&files, &mut bytes, None).expect("packed");
    assert_eq!((report.members, report.packed), (3, bytes.len() as u64));
    let archive = opened(&bytes, None).expect("an archive");
    let names: Vec<&str> = archive.members().iter().map(|m| m.name()).collect();
    assert_eq!(names, ["games.CBH", "Games.cbg", "Games.html/1.gif"]);
    assert!(archive.members()[0].modified().is_some());
}
