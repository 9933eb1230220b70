//! What is written is read back; what is damaged is refused or read, and never a reason to panic.

use std::{borrow::Cow, cmp::Ordering, fs};

use proptest::prelude::*;

use super::{
    annotators::Annotator,
    avl::{Node, check},
    entity::{Entities, Entity, Record, Table},
    extended::{self, Extended, ExtendedRecord, Material},
    flags_file::Flags,
    game_tags::GameTag,
    header::{self, Entry, EntryKind, GameRecord, Headers, TextRecord},
    ini::Ini,
    players::Player,
    set::{FileSet, SetError, Tables},
    sources::Source,
    stores::StoreHeader,
    tags::{WarningKind, look_up, look_up_text, text_tags},
    teams::Team,
    tournament_extra::{self, TournamentExtra, TournamentExtras},
    tournaments::Tournament,
    *,
};

fn decode(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn empty_files_are_those_of_the_program() {
    let header = "00002c002e010000000100000000000000000000000000".to_string();
    let header = header + &"00".repeat(17) + "000000010000";
    assert_eq!(hex(&header::FileHeader::new(0).to_bytes()), header);
    let store = "001a0000001a00000000000000000000001a0000000000000000";
    assert_eq!(hex(&StoreHeader::default().to_bytes()), store);
    let names =
        |size: &str| format!("0000000000000000d2029649{size}0000ffffffff000000000400000000000000");
    assert_eq!(hex(&Table::<Player>::new().to_bytes()), names("3a00"));
    assert_eq!(hex(&Table::<Tournament>::new().to_bytes()), names("5a00"));
    assert_eq!(hex(&Table::<Annotator>::new().to_bytes()), names("3500"));
    assert_eq!(hex(&Table::<Source>::new().to_bytes()), names("3b00"));
    assert_eq!(hex(&Table::<Team>::new().to_bytes()), names("3f00"));
    assert_eq!(hex(&Table::<GameTag>::new().to_bytes()), names("4806"));
    let extra = tournament_extra::FileHeader::default().to_bytes();
    assert_eq!(
        hex(&extra),
        "0300000041000000".to_string() + &"00".repeat(24)
    );
    let extended = extended::FileHeader::default().to_bytes(0);
    assert_eq!(
        hex(&extended),
        "0b00000078000000".to_string() + &"00".repeat(24)
    );
}

#[test]
fn a_default_extended_header_is_that_of_a_new_game() {
    let bytes = ExtendedRecord::default().to_bytes();
    let begin = "ff".repeat(12) + &"00".repeat(16) + "fffe";
    assert!(hex(&bytes).starts_with(&begin), "{}", hex(&bytes));
    let fide = RatingType::fide().to_bytes();
    assert_eq!(hex(&fide), "00010001004649444500000000000000");
}

#[test]
fn shorter_extended_headers_leave_the_rest_to_the_default() {
    let full = ExtendedRecord {
        teams: [1, 2],
        media: 40,
        annotations: 26,
        material: [Material::new(1, 2, 2, 2, 8); 2],
        moves: 99,
        saves: 7,
        tag: 3,
        ..ExtendedRecord::default()
    };
    for (size, known) in [
        (8, 1),
        (20, 3),
        (30, 4),
        (38, 5),
        (74, 5),
        (78, 5),
        (120, 7),
    ] {
        let read = ExtendedRecord::from_bytes(&full.to_bytes()[..size]);
        let default = ExtendedRecord::default();
        let checks = [
            read.teams == full.teams,
            read.media == full.media,
            read.annotations == full.annotations,
            read.material == full.material,
            read.moves == full.moves,
            read.saves == full.saves,
            read.tag == full.tag,
        ];
        assert_eq!(checks.iter().filter(|same| **same).count(), known, "{size}");
        assert!(size > 78 || (read.saves, read.tag) == (default.saves, default.tag));
    }
}

#[test]
fn the_checksum_covers_offsets_and_material_but_no_teams() {
    let mut record = ExtendedRecord {
        annotations: 0x1_0002_0026,
        material: [Material(0x8292), Material(0x5209)],
        ..ExtendedRecord::default()
    };
    record.seal();
    let sum = 0xfffe_u32 + 0x29 + 0x8292 + 0x5209;
    assert_eq!(u32::from(record.checksum), sum & 0xffff);
    record.teams = [5, 6];
    assert_eq!(record.sum(), record.checksum);
}

#[test]
fn material_is_counted_by_pieces() {
    let all = Material::new(1, 2, 2, 2, 8);
    assert_eq!(all.0, 0x8292);
    assert_eq!((all.queens(), all.rooks(), all.bishops()), (1, 2, 2));
    assert_eq!((all.knights(), all.pawns()), (2, 8));
}

#[test]
fn moves_are_counted_from_white() {
    for (plies, black_begins, count) in [(0, false, 0), (7, false, 4), (8, false, 4), (8, true, 5)]
    {
        assert_eq!(GameRecord::count_moves(plies, black_begins), count);
    }
    assert_eq!(GameRecord::count_moves(1000, false), 255);
}

#[test]
fn empty_records_at_the_end_are_none() {
    let game = GameRecord::default().to_bytes();
    let empty = [0; header::RECORD];
    let file = [
        header::FileHeader::new(9).to_bytes(),
        empty,
        game,
        empty,
        empty,
    ]
    .concat();
    let headers = Headers::new(&file).unwrap();
    assert_eq!(headers.len(), 2);
    assert_eq!(headers.get(1), Some(Entry::Empty));
    assert!(headers.get(0).is_none() && headers.get(3).is_none());
    let error = headers.entry(3).unwrap_err();
    assert_eq!(
        error.to_string(),
        ".cbh, byte 138: no record 3: the file has 2"
    );
}

#[test]
fn files_of_names_of_another_kind_are_refused() {
    let players = Table::<Player>::new().to_bytes();
    assert!(Entities::<Player>::new(&players).is_ok());
    let error = Entities::<Team>::new(&players).unwrap_err();
    assert_eq!(
        error.to_string(),
        ".cbe, byte 12: not a file of names: records have another size"
    );
    for place in [8, 24] {
        let mut spoilt = players.clone();
        spoilt[place] ^= 1;
        assert!(Entities::<Player>::new(&spoilt).is_err());
    }
}

#[test]
fn references_that_lead_nowhere_are_warnings() {
    let header = header::FileHeader::new(1).to_bytes();
    let mut players = Table::new();
    players.add(&Player::new(b"Reti", b"Richard"), 1);
    let mut players = players.to_bytes();
    let game = GameRecord {
        black: 7,
        ..GameRecord::default()
    };
    for (left, kinds) in [
        (-1_i32, &[WarningKind::Missing][..]),
        (-999, &[WarningKind::Deleted, WarningKind::Missing][..]),
    ] {
        players[32..36].copy_from_slice(&left.to_le_bytes());
        let tables = Tables::new(|kind| match kind {
            FileKind::Headers => Some(&header[..]),
            FileKind::Players => Some(&players[..]),
            _ => None,
        })
        .unwrap();
        let mut warnings = Vec::new();
        let details = look_up(&tables, &game, &ExtendedRecord::default(), &mut warnings);
        assert_eq!(details.white, Player::new(b"Reti", b"Richard"));
        assert_eq!(details.black, Player::default());
        assert_eq!(warnings.iter().map(|w| w.kind).collect::<Vec<_>>(), kinds);
    }
}

#[test]
fn companions_are_found_whatever_their_case() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let header = header::FileHeader::new(0).to_bytes();
    fs::write(path("My Base.cbh"), header).unwrap();
    fs::write(path("MY BASE.CBG"), StoreHeader::default().to_bytes()).unwrap();
    fs::write(path("my base.CbP"), Table::<Player>::new().to_bytes()).unwrap();
    fs::write(path("My Base.cbp"), b"the one that is spelt the same").unwrap();
    fs::write(path("other.cbt"), b"").unwrap();
    fs::create_dir(path("My Base.cbc")).unwrap();
    let missing = [
        FileKind::Annotations,
        FileKind::Tournaments,
        FileKind::Annotators,
    ];
    let missing = [&missing[..], &[FileKind::Sources]].concat();
    for name in ["My Base.cbh", "MY BASE.CBG"] {
        let files = FileSet::open(path(name)).unwrap();
        assert_eq!(files.missing().collect::<Vec<_>>(), missing);
        assert!(files.get(FileKind::Moves).is_some());
        let tables = files.tables().unwrap();
        assert_eq!(tables.errors.len(), 1, "{:?}", tables.errors);
    }
    let open = |name: &str| FileSet::open(path(name)).err().unwrap();
    assert!(matches!(open("other.cbt"), SetError::NoHeaders(_)));
    assert!(matches!(open("games.pgn"), SetError::NotInFamily(_)));
    assert!(matches!(open("nowhere/x.cbh"), SetError::Folder(..)));
}

/// Any bytes as the data of a record.
fn any_bytes(size: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), size)
}

fn data_survives<T: Entity>(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut written = Vec::new();
    T::read(&bytes[..T::SIZE]).write(&mut written);
    prop_assert_eq!(&written, &bytes[..T::SIZE]);
    Ok(())
}

/// The file of a table: names are found by their numbers, the tree is sound, counts are right.
fn table_is_sound<T: Entity>(names: &[T]) -> Result<(), TestCaseError> {
    let mut table = Table::new();
    let ids: Vec<u32> = (10..)
        .zip(names)
        .map(|(game, name)| table.add(name, game).expect("few names"))
        .collect();
    let bytes = table.to_bytes();
    let read = Entities::<T>::new(&bytes).unwrap();
    prop_assert_eq!(read.len(), table.len());
    for (id, name) in ids.iter().zip(names) {
        prop_assert_eq!(&read.get(*id).unwrap().data, name);
    }
    let records: Vec<Record<T>> = read.iter().collect();
    let nodes: Vec<Node> = records.iter().map(|record| record.node).collect();
    let at = |id: i32| &records[id as usize].data;
    let order = check(&nodes, read.header().root, |a, b| at(a).compare(at(b)));
    prop_assert_eq!(order.unwrap().len(), records.len());
    for (id, record) in (0..).zip(&records) {
        let uses = ids.iter().filter(|other| **other == id).count();
        let first = ids.iter().position(|other| *other == id).unwrap() as i32 + 10;
        prop_assert_eq!((record.references, record.first_game), (uses as i32, first));
    }
    Ok(())
}

fn any_player() -> impl Strategy<Value = Player> {
    let name = || prop::collection::vec(prop::sample::select(b"ab\xe9\xff ".to_vec()), 0..4);
    (name(), name()).prop_map(|(last, first)| Player::new(&last, &first))
}

fn any_tournament() -> impl Strategy<Value = Tournament> {
    (0_u32..1 << 12, 0_u8..3, "[a-c]{0,2}").prop_map(|(date, form, title)| Tournament {
        title: Field::new(title.as_bytes()),
        date: PackedDate(date),
        kind: tournaments::TournamentKind {
            form_and_time: form,
            team: 0,
        },
        ..Tournament::default()
    })
}

proptest! {
    #[test]
    fn any_headers_are_written_as_they_were_read(bytes in any_bytes(46)) {
        let bytes: [u8; 46] = bytes.try_into().unwrap();
        prop_assert_eq!(GameRecord::from_bytes(&bytes).to_bytes(), bytes);
        prop_assert_eq!(TextRecord::from_bytes(&bytes).to_bytes(), bytes);
        prop_assert_eq!(Entry::from_bytes(&bytes).to_bytes(), bytes);
        prop_assert_eq!(header::FileHeader::from_bytes(&bytes).to_bytes(), bytes);
        let kind = EntryKind(bytes[0]);
        prop_assert!(kind.deleted(true).is_deleted() && !kind.deleted(false).is_deleted());
    }

    #[test]
    fn any_extended_headers_are_written_as_they_were_read(
        bytes in any_bytes(120),
        size in 8_usize..=120,
    ) {
        let record = ExtendedRecord::from_bytes(&bytes[..size]);
        prop_assert_eq!(&record.to_bytes()[..size], &bytes[..size]);
        let _ = (record.created.moment(), record.saved.moment());
    }

    #[test]
    fn any_names_are_written_as_they_were_read(bytes in any_bytes(1600)) {
        data_survives::<Player>(&bytes)?;
        data_survives::<Tournament>(&bytes)?;
        data_survives::<Annotator>(&bytes)?;
        data_survives::<Source>(&bytes)?;
        data_survives::<Team>(&bytes)?;
        data_survives::<GameTag>(&bytes)?;
    }

    #[test]
    fn any_extras_are_written_as_they_were_read(bytes in any_bytes(120), size in 61_usize..120) {
        // No version has records that end within the last date.
        let size = if size < 65 { 61 } else { size };
        let extra = TournamentExtra::from_bytes(&bytes[..size]).unwrap();
        prop_assert_eq!(extra.to_bytes(size), &bytes[..size]);
        let _ = (extra.tie_breaks(), extra.coordinates());
        prop_assert_eq!(TournamentExtra::from_bytes(&bytes[..60]), None);
    }

    #[test]
    fn tables_are_sound(
        players in prop::collection::vec(any_player(), 0..80),
        tournaments in prop::collection::vec(any_tournament(), 0..80),
    ) {
        table_is_sound(&players)?;
        table_is_sound(&tournaments)?;
    }

    #[test]
    fn orders_are_orders(
        players in prop::array::uniform3(any_player()),
        tournaments in prop::array::uniform3(any_tournament()),
    ) {
        fn check<T: Entity>([a, b, c]: &[T; 3]) -> bool {
            a.compare(b) == b.compare(a).reverse()
                && a.compare(a) == Ordering::Equal
                && !(a.compare(b).is_le() && b.compare(c).is_le() && a.compare(c).is_gt())
        }
        prop_assert!(check(&players) && check(&tournaments));
        let [one, other, _] = &tournaments;
        prop_assert_eq!(one.compare(other).is_eq(), one.key() == other.key());
        let signed = players.map(|player| player.last);
        prop_assert_eq!(
            signed[0].compare_signed(&signed[1]),
            signed[1].compare_signed(&signed[0]).reverse()
        );
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(flags) = Flags::from_bytes(&bytes) {
            prop_assert_eq!(flags.to_bytes(), bytes.clone());
        }
        prop_assert_eq!(Ini::from_bytes(&bytes).to_bytes(), bytes.clone());
        let _ = StoreHeader::from_bytes(&bytes);
        let _ = Extended::new(&bytes).map(|extended| extended.get(1));
        let _ = TournamentExtras::new(&bytes).map(|extras| extras.get(0));
        let _ = Entities::<Player>::new(&bytes).map(|players| players.get(0));
        if let Ok(tables) = Tables::new(|_| Some(&bytes)) {
            for (_, entry) in tables.headers.iter() {
                let mut warnings = Vec::new();
                match entry {
                    Entry::Game(game) => {
                        look_up(&tables, &game, &ExtendedRecord::default(), &mut warnings);
                    }
                    Entry::Text(text) => {
                        let details = look_up_text(&tables, &text, &mut warnings);
                        let _ = text_tags(&text, &details, &decode);
                    }
                    Entry::Empty => {}
                }
            }
        }
    }
}
