use std::{
    fs,
    io::{self, Cursor, Read, Write},
    path::Path,
};

use super::*;

/// A few games of different moves: long enough for several blocks, not too regular.
fn games(count: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let mut text = Vec::new();
    for number in 0..count {
        write!(text, "[Event \"Game {number}\"]\n\n").expect("a vector takes everything");
        for ply in 0..40 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (file, rank) = (b'a' + (state >> 29) as u8, 1 + (state >> 20) % 8);
            write!(text, "{ply}. {}{rank} ", file as char).expect("a vector takes everything");
        }
        text.extend(b"*\n\n");
    }
    text
}

fn packed(content: &[u8], compression: Compression) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut output = Output::create(&path, compression).unwrap();
    output.write_all(content).unwrap();
    output.finish().unwrap();
    fs::read(&path).unwrap()
}

/// A pipe that brings a few bytes at a time and is interrupted now and then.
struct Pipe {
    bytes: Cursor<Vec<u8>>,
    calls: usize,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let wanted = buffer.len().min(1 + self.calls * 7 % 1000);
        self.bytes.read(&mut buffer[..wanted])
    }
}

fn pipe(bytes: Vec<u8>) -> Result<Input, IoError> {
    let pipe = Pipe {
        bytes: Cursor::new(bytes),
        calls: 0,
    };
    Input::from_reader("a pipe", pipe, InputLimits::default())
}

fn input(bytes: &[u8]) -> Input {
    input_with(bytes, InputLimits::default())
}

fn input_with(bytes: &[u8], limits: InputLimits) -> Input {
    Input::from_reader("memory", Cursor::new(bytes.to_vec()), limits).unwrap()
}

fn content(mut input: Input) -> Vec<u8> {
    let mut content = Vec::new();
    input.read_to_end(&mut content).unwrap();
    content
}

/// What comes out before the error, and the error.
fn failure(mut input: Input) -> (u64, IoError) {
    let mut count = 0;
    let mut buffer = vec![0; 64 << 10];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => panic!("there should be an error"),
            Ok(more) => count += more as u64,
            Err(error) => {
                let again = input
                    .read(&mut buffer)
                    .expect_err("an error is not the end");
                assert!(matches!(
                    IoError::find(&again).unwrap().kind(),
                    IoErrorKind::Stopped
                ));
                return (count, error.downcast().expect("an error of ours"));
            }
        }
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn inputs_and_outputs_can_go_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Input>();
    is_send::<Output>();
}

#[test]
fn every_compression_comes_back_from_a_file() {
    let games = games(500);
    let folder = tempfile::tempdir().unwrap();
    for compression in Compression::ALL {
        let name = match compression.extension() {
            Some(extension) => format!("games.pgn.{}", extension.to_uppercase()),
            None => "games.pgn".to_string(),
        };
        let path = folder.path().join(name);
        let mut output = Output::create(&path, Compression::of_path(&path)).unwrap();
        for line in games.split_inclusive(|byte| *byte == b'\n') {
            output.write_all(line).unwrap();
        }
        output.finish().unwrap();

        let input = Input::open(&path).unwrap();
        assert_eq!(input.compression(), compression);
        assert_eq!(input.name(), path.display().to_string());
        assert_eq!(input.raw_len(), Some(fs::metadata(&path).unwrap().len()));
        assert_eq!(input.file().is_some(), compression == Compression::None);
        let progress = input.progress();
        assert_eq!(content(input), games, "{compression}");
        if compression != Compression::Zip {
            assert_eq!(Some(progress.read()), progress.total(), "{compression}");
        }
        if compression != Compression::None {
            assert!(progress.total().unwrap() < games.len() as u64 / 2);
        }
    }
    assert_eq!(names_in(folder.path()).len(), Compression::ALL.len());
}

#[test]
fn every_compression_comes_back_from_a_pipe() {
    let games = games(200);
    for compression in Compression::ALL {
        let input = pipe(packed(&games, compression)).unwrap();
        assert_eq!(input.compression(), compression);
        assert!(input.file().is_none());
        assert_eq!(content(input), games, "{compression}");
    }
}

#[test]
fn nothing_packed_is_nothing_again() {
    for compression in Compression::ALL {
        let empty = packed(b"", compression);
        assert_eq!(content(input(&empty)), b"", "{compression}");
    }
}

#[test]
fn empty_file_is_empty_content_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for compression in Compression::ALL {
        let path = folder
            .path()
            .join(format!("x.{}", compression.extension().unwrap_or("pgn")));
        fs::write(&path, b"").unwrap();
        assert_eq!(content(Input::open(&path).unwrap()), b"");
    }
}

#[test]
fn several_parts_are_one_content() {
    let games = games(50);
    for compression in [
        Compression::Zstd,
        Compression::Gzip,
        Compression::Bzip2,
        Compression::Xz,
    ] {
        let part = packed(&games, compression);
        let empty = packed(b"", compression);
        let file = [&part[..], &empty, &part, &part].concat();
        assert_eq!(content(input(&file)), games.repeat(3), "{compression}");
        assert_eq!(
            content(pipe(file).unwrap()),
            games.repeat(3),
            "{compression}"
        );
    }
}

fn skippable_frame(kind: u32, bytes: &[u8]) -> Vec<u8> {
    let mut frame = (0x184D_2A50 + kind).to_le_bytes().to_vec();
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(bytes);
    frame
}

#[test]
fn skippable_zstd_frames_are_skipped_before_between_and_after() {
    let games = games(50);
    let frame = packed(&games, Compression::Zstd);
    for kind in 0..16 {
        // `pzstd` writes the length of the next frame into one, as Lichess ships them.
        let skippable = skippable_frame(kind, &(frame.len() as u32).to_le_bytes());
        let long = skippable_frame(kind, &[0xAA; 300_000]);
        let file = [
            &skippable[..],
            &frame,
            &long,
            &skippable,
            &frame,
            &skippable_frame(kind, b""),
        ]
        .concat();
        let input = input(&file);
        assert_eq!(input.compression(), Compression::Zstd);
        assert_eq!(content(input), games.repeat(2));
    }
}

#[test]
fn content_decides_and_not_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain.pgn.gz");
    fs::write(&plain, b"[Event \"?\"]\n\n*\n").unwrap();
    let input = Input::open(&plain).unwrap();
    assert_eq!(input.compression(), Compression::None);
    assert_eq!(content(input), b"[Event \"?\"]\n\n*\n");

    let hidden = folder.path().join("hidden.pgn");
    fs::write(&hidden, packed(b"1. e4 *", Compression::Bzip2)).unwrap();
    assert_eq!(content(Input::open(&hidden).unwrap()), b"1. e4 *");
}

#[test]
fn text_that_only_begins_like_a_mark_is_text() {
    for text in [&b"BZh9 is a level"[..], b"PK", b"(", b"P*M", b"\x1F\x8B"] {
        let input = input(text);
        assert_eq!(input.compression(), Compression::None);
        assert_eq!(content(input), text);
    }
}

#[test]
fn what_is_inside_is_not_unpacked_again() {
    let inner = packed(b"1. d4 *", Compression::Gzip);
    let outer = packed(&inner, Compression::Zstd);
    assert_eq!(content(input(&outer)), inner);
}

#[test]
fn cut_file_delivers_what_there_is_and_says_where_it_ends() {
    let games = games(2000);
    for compression in [
        Compression::Zstd,
        Compression::Gzip,
        Compression::Bzip2,
        Compression::Xz,
    ] {
        let file = packed(&games, compression);
        let lengths = (10..60).chain((60..file.len()).step_by(file.len() / 40));
        let mut most = 0;
        for length in lengths.chain(file.len() - 20..file.len()) {
            let mut delivered = Vec::new();
            let error = input(&file[..length])
                .read_to_end(&mut delivered)
                .expect_err("something is missing");
            assert!(games.starts_with(&delivered), "{compression} {length}");
            most = most.max(delivered.len());
            match IoError::find(&error).unwrap().kind() {
                IoErrorKind::Truncated {
                    compression: named,
                    offset,
                } => {
                    assert_eq!(*named, compression);
                    assert_eq!(*offset, length as u64);
                }
                other => panic!("{compression} {length}: {other:?}"),
            }
        }
        assert_eq!(most, games.len(), "{compression}: only the end was missing");
    }
}

#[test]
fn file_cut_within_its_mark_is_not_taken_for_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut files: Vec<_> = Compression::ALL[1..]
        .iter()
        .map(|compression| (*compression, packed(b"1. c4 *", *compression)))
        .collect();
    files.push((Compression::Zstd, skippable_frame(7, b"")));
    files.push((Compression::Bzip2, packed(b"", Compression::Bzip2)));
    files.push((Compression::Zip, b"PK\x05\x06".to_vec()));
    for (compression, file) in files {
        let path = folder
            .path()
            .join(format!("x.{}", compression.extension().unwrap()));
        for length in 1..file.len().min(9) {
            fs::write(&path, &file[..length]).unwrap();
            let error = match Input::open(&path) {
                Err(error) => error,
                Ok(input) => failure(input).1,
            };
            assert!(
                matches!(
                    error.kind(),
                    IoErrorKind::Truncated { .. } | IoErrorKind::NoDirectory { .. }
                ),
                "{compression} {length}: {error}"
            );
        }
    }
}

#[test]
fn cut_zip_archive_cannot_be_opened() {
    let file = packed(&games(20), Compression::Zip);
    for length in (4..file.len()).step_by(7) {
        let error = Input::from_reader(
            "games.zip",
            Cursor::new(file[..length].to_vec()),
            InputLimits::default(),
        )
        .err()
        .expect("there is no directory");
        match error.kind() {
            IoErrorKind::NoDirectory { len, .. } => assert_eq!(*len, length as u64),
            other => panic!("{length}: {other:?}"),
        }
    }
}

#[test]
fn changed_bytes_never_pass_unnoticed_nor_panic() {
    let games = games(100);
    for compression in &Compression::ALL[1..] {
        let file = packed(&games, *compression);
        for place in (0..file.len()).step_by(file.len() / 97) {
            let mut changed = file.clone();
            changed[place] ^= 0x10;
            // Names, dates and unused flags may change; games may not.
            if let Ok(mut input) = pipe(changed)
                && input.compression() == *compression
            {
                let mut delivered = Vec::new();
                match input.read_to_end(&mut delivered) {
                    Ok(_) => assert_eq!(delivered, games, "{compression} {place}"),
                    Err(error) => assert!(IoError::find(&error).is_some()),
                }
            }
        }
    }
}

#[test]
fn rubbish_behind_the_data_is_an_error_after_all_of_it() {
    for compression in [Compression::Zstd, Compression::Gzip, Compression::Bzip2] {
        let mut file = packed(b"1. e4 e5 *", compression);
        file.extend(b"this is not packed at all");
        let (delivered, error) = failure(input(&file));
        assert_eq!(delivered, 10, "{compression}");
        assert!(
            matches!(error.kind(), IoErrorKind::Damaged { .. }),
            "{error}"
        );
    }
}

/// Zeros for ever, made as they are read.
fn bomb(compression: Compression, size: u64) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb");
    let mut output = Output::create(&path, compression).unwrap();
    io::copy(&mut io::repeat(0).take(size), &mut output).unwrap();
    output.finish().unwrap();
    fs::read(&path).unwrap()
}

#[test]
fn zeros_without_end_reach_the_ratio() {
    for (compression, size) in [
        (Compression::Zstd, 1 << 30),
        (Compression::Bzip2, RATIO_GRACE + 1),
        (Compression::Xz, RATIO_GRACE + 1),
    ] {
        let (delivered, error) = failure(input(&bomb(compression, size)));
        assert!(
            matches!(
                error.kind(),
                IoErrorKind::Limit(LimitReached::Ratio(DEFAULT_MAX_RATIO))
            ),
            "{error}"
        );
        assert!(delivered <= RATIO_GRACE);
    }
}

#[test]
fn a_little_of_much_the_same_is_no_bomb() {
    let zeros = bomb(Compression::Zstd, RATIO_GRACE);
    assert_eq!(content(input(&zeros)).len() as u64, RATIO_GRACE);
}

#[test]
fn output_limit_is_exact() {
    let games = games(100);
    let limits = |max_output| InputLimits {
        max_output,
        ..InputLimits::default()
    };
    let size = games.len() as u64;
    for compression in &Compression::ALL[1..] {
        let file = packed(&games, *compression);
        assert_eq!(content(input_with(&file, limits(size))), games);
        let (delivered, error) = failure(input_with(&file, limits(size - 1)));
        assert_eq!(delivered, size - 1);
        assert!(
            matches!(error.kind(), IoErrorKind::Limit(LimitReached::Output(max)) if *max == size - 1)
        );
    }
    // A plain file is as large as it is.
    assert_eq!(content(input_with(&games, limits(1))), games);
}

#[test]
fn memory_limit_stops_large_windows() {
    let limits = InputLimits {
        max_memory: 1 << 20,
        ..InputLimits::default()
    };
    // Too large to fit into a window of a megabyte, whose size the encoders then write down.
    for compression in [Compression::Zstd, Compression::Xz] {
        let (_, error) = failure(input_with(&bomb(compression, 4 << 20), limits));
        assert!(
            matches!(
                error.kind(),
                IoErrorKind::Limit(LimitReached::Memory(1_048_576))
            ),
            "{error}"
        );
    }
}

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        let options = zip::write::SimpleFileOptions::default();
        if name.ends_with('/') {
            archive.add_directory(*name, options).unwrap();
        } else {
            archive.start_file(*name, options).unwrap();
            archive.write_all(content).unwrap();
        }
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn zip_members_come_in_order_with_a_newline_between() {
    let file = archive(&[
        ("b/", b""),
        ("b/two.pgn", b"1. d4 *"),
        ("__MACOSX/b/._two.pgn", b"\0\x05\x16\x07"),
        ("empty.pgn", b""),
        ("a.pgn", b"1. e4 *\n"),
    ]);
    for input in [input(&file), pipe(file.clone()).unwrap()] {
        assert_eq!(input.members(), ["b/two.pgn", "empty.pgn", "a.pgn"]);
        assert_eq!(content(input), b"1. d4 *\n\n1. e4 *\n");
    }
}

#[test]
fn zip_archive_of_nothing_is_empty() {
    let file = archive(&[]);
    assert_eq!(file[..4], *b"PK\x05\x06");
    assert_eq!(content(input(&file)), b"");
}

#[test]
fn encrypted_zip_member_is_named() {
    let mut file = archive(&[("open.pgn", b"*"), ("secret.pgn", b"1. e4 *")]);
    // Bit 0 of the flags, 6 bytes into the local header and 8 into that of the directory.
    for (mark, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let place = file.windows(4).rposition(|window| window == mark).unwrap();
        file[place + flags] |= 1;
    }
    let error = pipe(file).err().expect("it is encrypted");
    assert!(
        matches!(error.kind(), IoErrorKind::Encrypted { member } if member == "secret.pgn"),
        "{error}"
    );
}

#[test]
fn control_characters_in_the_name_of_a_zip_member_are_shown_and_not_obeyed() {
    let name = "a\0\u{1b}[2J\n.pgn";
    let mut file = archive(&[(name, b"1. d4 d5 *")]);
    let content = 30 + name.len();
    file[content] ^= 0xff;
    let error = input(&file).read_to_end(&mut Vec::new()).unwrap_err();
    let words = error.to_string();
    assert!(!words.contains(char::is_control), "{words:?}");
    let shown = r"a\u{0}\u{1b}[2J\n.pgn in the zip archive is damaged";
    assert!(words.contains(shown), "{words}");
}

#[test]
fn a_damaged_zip_member_does_not_hide_the_others_from_who_asks_for_what_is_left() {
    let mut file = archive(&[("a.pgn", b"1. d4 d5 *"), ("b.pgn", b"b"), ("c.pgn", b"c")]);
    let content = 30 + "a.pgn".len();
    file[content] ^= 0xff;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.zip");
    fs::write(&path, &file).unwrap();
    let mut text = Vec::new();
    let mut input = Input::open_cut(&path).unwrap();
    let error = input.read_to_end(&mut text).unwrap_err();
    assert!(text.ends_with(b"\nb\nc"), "{text:?}");
    let kind = IoError::find(&error).map(IoError::kind);
    assert!(
        matches!(kind, Some(IoErrorKind::DamagedMember { member, .. }) if member == "a.pgn"),
        "{error}"
    );
    // Who wants all of it gets nothing behind the damage.
    let mut text = Vec::new();
    Input::open(&path)
        .unwrap()
        .read_to_end(&mut text)
        .unwrap_err();
    assert!(!text.ends_with(b"c"), "{text:?}");
}

#[test]
fn zip_method_we_do_not_know_is_named() {
    let mut file = archive(&[("old.pgn", b"1. e4 *")]);
    for (mark, method) in [(b"PK\x03\x04", 8), (b"PK\x01\x02", 10)] {
        let place = file.windows(4).rposition(|window| window == mark).unwrap();
        file[place + method] = 98;
    }
    let error = pipe(file).err().expect("nobody knows it");
    assert!(
        matches!(error.kind(), IoErrorKind::UnknownMethod { member, .. } if member == "old.pgn"),
        "{error}"
    );
}

#[test]
fn zip_members_may_be_packed_in_many_ways() {
    let games = &games(3)[..];
    // A stored block is the same in deflate and in deflate64.
    let length = games.len() as u16;
    let deflate64 = [
        &[1],
        &length.to_le_bytes()[..],
        &(!length).to_le_bytes(),
        games,
    ]
    .concat();
    let mut crc = flate2::Crc::new();
    crc.update(games);
    for (method, member) in [
        (9_u16, deflate64),
        (12, packed(games, Compression::Bzip2)),
        (93, packed(games, Compression::Zstd)),
        (95, packed(games, Compression::Xz)),
    ] {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::STORE);
        archive.start_file("games.pgn", options).unwrap();
        archive.write_all(&member).unwrap();
        let mut file = archive.finish().unwrap().into_inner();
        let directory = file
            .windows(4)
            .rposition(|window| window == b"PK\x01\x02")
            .unwrap();
        let entry = &mut file[directory..];
        entry[10..12].copy_from_slice(&method.to_le_bytes());
        entry[16..20].copy_from_slice(&crc.sum().to_le_bytes());
        entry[24..28].copy_from_slice(&(games.len() as u32).to_le_bytes());
        assert_eq!(content(input(&file)), games, "method {method}");

        file[directory + 16] ^= 1;
        let (delivered, error) = failure(input(&file));
        assert_eq!(delivered, games.len() as u64);
        assert!(
            matches!(error.kind(), IoErrorKind::DamagedMember { member, .. } if member == "games.pgn"),
            "{error}"
        );
    }
}

/// The same deflated bytes, listed under many names.
#[test]
fn zip_members_that_share_their_bytes_count_once() {
    const COPIES: usize = 80;
    let member = packed(&[b' '; 1 << 20], Compression::Zip);
    let directory = member
        .windows(4)
        .rposition(|window| window == b"PK\x01\x02")
        .unwrap();
    let end = member
        .windows(4)
        .rposition(|window| window == b"PK\x05\x06")
        .unwrap();
    let entry = &member[directory..end];
    let mut file = member[..directory].to_vec();
    for copy in 0..COPIES {
        let mut entry = entry.to_vec();
        // The name, which was `games.pgn`.
        entry[46..55].copy_from_slice(format!("game{copy:05}").as_bytes());
        file.extend(entry);
    }
    let size = file.len() - directory;
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend((COPIES as u16).to_le_bytes());
    file.extend((COPIES as u16).to_le_bytes());
    file.extend((size as u32).to_le_bytes());
    file.extend((directory as u32).to_le_bytes());
    file.extend(b"\0\0");
    let limits = InputLimits {
        max_ratio: 100,
        ..InputLimits::default()
    };
    let (_, error) = failure(input_with(&file, limits));
    assert!(
        matches!(error.kind(), IoErrorKind::Limit(LimitReached::Ratio(100))),
        "{error}"
    );
}

#[test]
fn reading_ahead_brings_the_same_in_the_same_order() {
    let games = games(20_000);
    assert!(games.len() > 4 << 20, "several pieces");
    let file = packed(&games, Compression::Zstd);
    let mut ahead = input(&file).read_ahead().unwrap();
    let mut delivered = Vec::new();
    ahead.read_to_end(&mut delivered).unwrap();
    assert!(delivered == games);
    assert_eq!(ahead.read(&mut [0]).unwrap(), 0);
}

#[test]
fn reading_ahead_brings_the_error_after_the_data() {
    let games = games(2000);
    let mut file = packed(&games, Compression::Gzip);
    file.truncate(file.len() - 1);
    let mut delivered = Vec::new();
    let mut ahead = input(&file).read_ahead().unwrap();
    let error = ahead.read_to_end(&mut delivered).expect_err("it is cut");
    assert_eq!(delivered, games);
    assert!(matches!(
        IoError::find(&error).unwrap().kind(),
        IoErrorKind::Truncated { .. }
    ));
    let again = ahead.read(&mut [0]).expect_err("an error is not the end");
    assert!(matches!(
        IoError::find(&again).unwrap().kind(),
        IoErrorKind::Stopped
    ));
}

#[test]
fn missing_file_is_named() {
    let error = Input::open("no/such/games.pgn").err().expect("not there");
    assert!(matches!(error.kind(), IoErrorKind::Open(_)));
    assert!(error.to_string().starts_with("no/such/games.pgn: "));
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
}

#[test]
fn disk_errors_are_not_taken_for_damage() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    for compression in &Compression::ALL[..5] {
        let mut file = packed(&games(10), *compression);
        file.truncate(file.len() / 2);
        let input = Input::from_reader(
            "disk",
            Cursor::new(file).chain(Broken),
            InputLimits::default(),
        )
        .unwrap();
        let (_, error) = failure(input);
        assert!(matches!(error.kind(), IoErrorKind::Read(_)), "{error}");
    }
}

#[test]
fn unfinished_output_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    for compression in Compression::ALL {
        let path = folder.path().join("games.pgn");
        fs::write(&path, b"old").unwrap();
        let mut output = Output::create(&path, compression).unwrap();
        output.write_all(&games(100)).unwrap();
        output.flush().unwrap();
        assert_eq!(names_in(folder.path()).len(), 2);
        drop(output);
        assert_eq!(names_in(folder.path()), ["games.pgn"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
}

#[test]
fn finished_output_replaces_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, b"old").unwrap();
    let mut output = Output::create(&path, Compression::None).unwrap();
    output.write_all(b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    output.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names_in(folder.path()), ["games.pgn"]);
}

#[test]
fn zip_member_is_named_after_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn.zip");
    Output::create(&path, Compression::Zip)
        .unwrap()
        .finish()
        .unwrap();
    assert_eq!(Input::open(&path).unwrap().members(), ["games.pgn"]);
}

#[test]
fn output_in_no_folder_is_refused_and_named() {
    let error = Output::create("no/such/games.pgn", Compression::None)
        .err()
        .expect("there is no folder");
    assert!(matches!(error.kind(), IoErrorKind::Create(_)));
    assert!(error.to_string().starts_with("no/such/games.pgn: "));
}

#[test]
fn read_only_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, b"old").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let error = Output::create(&path, Compression::None)
        .err()
        .expect("it is read-only");
    assert!(matches!(error.kind(), IoErrorKind::ReadOnly));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn write(path: &Path) {
        Output::create(path, Compression::None)
            .unwrap()
            .finish()
            .unwrap();
    }

    #[test]
    fn new_file_has_the_permissions_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
        write(&ours);
        fs::write(&theirs, b"").unwrap();
        assert_eq!(mode(&ours), mode(&theirs));
    }

    #[test]
    fn replaced_file_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, b"").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path);
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn link_stays_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        symlink(&file, &link).unwrap();
        write(&link);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"");
    }

    #[test]
    fn full_device_is_an_error_and_stays_one() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        for compression in Compression::ALL {
            let mut output = match Output::create("/dev/full", compression) {
                Ok(output) => output,
                // An archive begins with the name of its member.
                Err(error) => {
                    assert!(compression == Compression::Zip, "{error}");
                    continue;
                }
            };
            let written = output.write_all(&games(100)).and_then(|()| output.flush());
            let error = written.expect_err("there is no room");
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            assert!(error.to_string().starts_with("/dev/full: "));
            assert!(output.write_all(b"more").is_err());
            assert!(output.finish().is_err());
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn half_a_stream_does_not_look_like_a_whole_one() {
        use std::os::fd::AsRawFd;

        for compression in &Compression::ALL[1..] {
            let (reader, writer) = io::pipe().unwrap();
            let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
            let mut output = Output::create(path, *compression).unwrap();
            drop(writer);
            output.write_all(&games(10)).unwrap();
            drop(output);
            let error = match Input::from_reader("a pipe", reader, InputLimits::default()) {
                Err(error) => error,
                Ok(input) => failure(input).1,
            };
            assert!(
                matches!(
                    error.kind(),
                    IoErrorKind::Truncated { .. } | IoErrorKind::NoDirectory { .. }
                ),
                "{error}"
            );
        }
    }
}
