//! Generated games as PGN: what is written comes back, and is the same everywhere.

use tabiya_formats::{
    pgn::{Parser, WriteOptions, Writer},
    signature,
};
use tabiya_game::{
    GameTree, Place,
    generate::{Generator, Options},
};

fn pgn(options: Options) -> String {
    let mut writer = whole_writer();
    let mut generator = Generator::new(options);
    while generator.tell_game(&mut writer) {}
    assert!(writer.losses().is_empty(), "{:?}", writer.losses());
    String::from_utf8(writer.take()).unwrap()
}

fn annotated(games: u64) -> Options {
    Options {
        games,
        variations: true,
        ..Options::default()
    }
}

/// FNV-1a, 64 bits.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Who changes what a seed means, or how PGN is written, writes the new numbers here.
const EXPECTED: [u64; 3] = [
    0xa979_5eca_56e7_e79d,
    0x18b6_788d_ea73_ecf4,
    0xdabe_525d_bd57_3fde,
];

#[test]
fn a_seed_makes_the_same_bytes_on_every_machine() {
    let chess960 = Options {
        chess960: true,
        ..annotated(200)
    };
    let book = Options {
        games: 200,
        book: true,
        ..Options::default()
    };
    let hashes = [annotated(200), chess960, book].map(|options| hash(&pgn(options)));
    assert_eq!(hashes, EXPECTED, "{hashes:#x?}");
}

#[test]
fn every_game_comes_back_as_it_was() {
    for (seed, chess960, book) in [(1, false, false), (2, true, false), (3, false, true)] {
        let options = Options {
            seed,
            chess960,
            book,
            ..annotated(500)
        };
        let generator = Generator::new(options.clone());
        let text = pgn(options);
        let mut parser = Parser::new(&text);
        let mut read = GameTree::default();
        for index in 0..500 {
            assert!(parser.read_game(&mut read), "game {index} is missing");
            read.place = Place::default();
            let made = generator.game(index);
            assert_eq!(read.tags, made.tags, "game {index}");
            assert_eq!(read.start, made.start, "game {index}");
            for (read, made) in read.items.iter().zip(&made.items) {
                assert_eq!(read, made, "game {index}");
            }
            assert_eq!(read, made, "game {index}");
        }
        assert!(!parser.read_game(&mut read));
    }
}

#[test]
fn what_is_written_is_written_the_same_again() {
    let text = pgn(annotated(300));
    let mut writer = whole_writer();
    let mut parser = Parser::new(&text);
    while parser.read_game(&mut writer) {}
    assert!(writer.take() == text.as_bytes());
}

#[test]
fn the_signature_is_the_one_written_down() {
    let told = signature::told();
    // Restate them in the commit that changes them, and say there why they change:
    // `tabiya generate --signature` prints them.
    let expected: [(&str, u64); 14] = [
        ("games", 0xac62_5233_8c39_9cd9),
        ("pgn", 0xac62_5233_8c39_9cd9),
        ("tabiya", 0xac62_5233_8c39_9cd9),
        ("chessbase:cbh", 0x9e92_77ac_0571_cb7a),
        ("chessbase:archive", 0x9e92_77ac_0571_cb7a),
        ("chessbase:2cbh", 0xe873_1c47_3e2a_cf44),
        ("chessbase:2cbv", 0xe873_1c47_3e2a_cf44),
        ("jose:document", 0x4162_64e3_7ae9_5ab8),
        ("scid:si5", 0x5526_b11c_c017_4e1e),
        ("scid:si4", 0x5526_b11c_c017_4e1e),
        ("ply16:document", 0xba74_27af_c1b7_a9d6),
        ("ply16:program", 0xea8e_028b_223c_2814),
        ("cmbr:program", 0xad40_16df_4ee9_ecde),
        ("cmbr:wide", 0x3fc2_9dd4_fbaf_d155),
    ];
    let expected: Vec<_> = expected
        .map(|(name, value)| (name.to_string(), format!("{value:016x}")))
        .into();
    let through = signature::through_formats(tabiya::registry()).expect("temporary files");
    let through = through
        .iter()
        .map(|(profile, value)| (profile.to_string(), format!("{value:016x}")));
    let told = ("games".to_string(), format!("{told:016x}"));
    let found: Vec<_> = std::iter::once(told).chain(through).collect();
    assert_eq!(found, expected);
}

/// A writer that keeps everything, raw annotations included.
fn whole_writer() -> Writer {
    Writer::new(WriteOptions {
        keep_raw: true,
        ..WriteOptions::default()
    })
}
