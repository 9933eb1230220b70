//! What files cannot hold.

use super::*;

const ODD: &str = "[Event \"x\"]\n[Annotator \"y\"]\n[Result \"1-0\"]\n\n\
    {a} 1. e4! {[%clk 0:01:00]} (1. d4 {b} (1. c4)) 1... e5 $10 {c} 2. -- Nf6 {d} 3. d4 1-0";

#[test]
fn what_words_cannot_hold_is_counted() {
    let odd = tree(ODD);
    let (bytes, losses) = write_file(std::slice::from_ref(&odd));
    let expected = [
        (LossKind::Variation, 1),
        // With that in the variation.
        (LossKind::Comment, 4),
        (LossKind::Nag, 2),
        (LossKind::Annotation, 1),
        // With those behind it.
        (LossKind::NullMove, 3),
    ];
    assert_eq!(losses_by_kind(&losses), expected);
    let back = &read_file(&bytes)[0];
    assert_eq!((&back.tags, back.result), (&odd.tags, odd.result));
    assert_eq!(moves(back), "e4 e5");

    let (bytes, losses) = write_cdb(std::slice::from_ref(&odd));
    let expected: Vec<_> = [(LossKind::Tag, 1)].into_iter().chain(expected).collect();
    assert_eq!(losses_by_kind(&losses), expected);
    let back = &read_cdb(&bytes)[0];
    let tags: Vec<_> = back.tags.iter().collect();
    assert_eq!(tags, [("Event", "x"), ("Result", "1-0")]);
    assert_eq!(moves(back), "e4 e5");
}

#[test]
fn what_is_not_wanted_is_not_lost() {
    let wishes = crate::writing::Wishes {
        comments: false,
        variations: false,
        nags: false,
    };
    let mut writer = file::RecordWriter::default().with_wishes(wishes);
    tree(ODD).tell(&mut writer);
    assert_eq!(
        losses_by_kind(&writer.take_losses()),
        [(LossKind::NullMove, 3)]
    );
}

#[test]
fn a_line_ends_before_a_castling_that_has_no_word() {
    let pgn = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/P7/R2K3R w HA - 0 1\"]\n\n\
        1. a3 Ke7 2. O-O Kd6 3. a4 *";
    let castling = [tree(pgn)];
    let (bytes, losses) = write_file(&castling);
    assert_eq!(losses_by_kind(&losses), [(LossKind::Move, 3)]);
    assert_eq!(
        losses.iter().next().unwrap().2.what,
        "the moves from ply 3: castling needs the king on the e-file and the rook in the corner"
    );
    assert_eq!(moves(&read_file(&bytes)[0]), "a3 Ke7");
    assert_eq!(read_file(&bytes)[0].start, castling[0].start);

    let (bytes, losses) = write_cdb(&castling);
    assert_eq!(
        losses_by_kind(&losses),
        [(LossKind::Tag, 1), (LossKind::Move, 3)]
    );
    assert_eq!(read_cdb(&bytes)[0].start, castling[0].start);
}

#[test]
fn a_game_without_a_start_keeps_its_tags_in_a_file_of_tabiya_and_is_refused_by_a_cdb() {
    let nonsense = [tree("[White \"x\"]\n[FEN \"nonsense\"]\n\n1. e4 e5 *")];
    let (bytes, losses) = write_file(&nonsense);
    assert_eq!(losses_by_kind(&losses), [(LossKind::Error, 1)]);
    let back = &read_file(&bytes)[0];
    assert_eq!(
        (&back.tags, back.state),
        (&nonsense[0].tags, GameState::Broken)
    );
    let [Item::Error { kind, .. }] = &back.items[..] else {
        panic!("{:?}", back.items);
    };
    assert_eq!(*kind, GameErrorKind::BadStart);

    let (bytes, losses) = write_cdb(&nonsense);
    assert_eq!(losses_by_kind(&losses), [(LossKind::Start, 1)]);
    assert!(read_cdb(&bytes).is_empty());
}

#[test]
fn a_cdb_holds_no_antichess() {
    let antichess = [tree("[Variant \"Antichess\"]\n\n1. e3 b5 2. Bxb5 *")];
    let (bytes, losses) = write_cdb(&antichess);
    assert_eq!(
        losses_by_kind(&losses),
        [(LossKind::Tag, 1), (LossKind::Start, 1)]
    );
    assert!(read_cdb(&bytes).is_empty());
    let (bytes, losses) = write_file(&antichess);
    assert!(losses.is_empty());
    assert_eq!(read_file(&bytes)[0].items, antichess[0].items);
}

#[test]
fn a_start_that_no_tag_tells_is_kept() {
    let mut game = GameTree {
        start: position("4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"),
        ..GameTree::default()
    };
    game.tags.push("White", "x");
    let (bytes, losses) = write_file(std::slice::from_ref(&game));
    assert!(losses.is_empty());
    let back = &read_file(&bytes)[0];
    assert_eq!((&back.start, &back.tags), (&game.start, &game.tags));

    let (bytes, losses) = write_cdb(std::slice::from_ref(&game));
    assert!(losses.is_empty());
    let back = &read_cdb(&bytes)[0];
    assert_eq!(back.start, game.start);
    assert_eq!(back.tags.get("SetUp"), Some("1"));
}

#[test]
fn results_and_tags_that_disagree_are_a_loss_of_the_tag() {
    let mut game = tree("[Result \"1-0\"]\n\n1. e4 1-0");
    for (result, expected) in [
        (GameResult::WhiteWins, vec![]),
        (GameResult::Draw, vec![(LossKind::Tag, 1)]),
        (GameResult::BothLose, vec![(LossKind::Tag, 1)]),
    ] {
        game.result = result;
        let (bytes, losses) = write_cdb(std::slice::from_ref(&game));
        assert_eq!(losses_by_kind(&losses), expected);
        assert_eq!(read_cdb(&bytes)[0].result, result);
        let (bytes, losses) = write_file(std::slice::from_ref(&game));
        assert!(losses.is_empty());
        let back = &read_file(&bytes)[0];
        assert_eq!(
            (back.result, back.tags.get("Result")),
            (result, Some("1-0"))
        );
    }
}

#[test]
fn a_forfeit_that_a_tag_tells_survives() {
    let game = tree("[Result \"1-0\"]\n[Termination \"forfeit\"]\n\n1-0");
    assert_eq!(game.result, GameResult::WhiteWinsByForfeit);
    let (bytes, losses) = write_cdb(std::slice::from_ref(&game));
    assert!(losses.is_empty());
    let back = &read_cdb(&bytes)[0];
    assert_eq!((back.result, &back.tags), (game.result, &game.tags));
}

#[test]
fn tags_of_a_cdb_that_change_are_losses_unless_they_say_the_same() {
    let mut game = GameTree::default();
    for (name, value) in [
        ("event", "spelled otherwise"),
        ("Site", ""),
        ("Date", "two\nlines"),
        ("White", "first"),
        ("White", "second"),
        ("SetUp", "0"),
        ("Black", "kept"),
    ] {
        game.tags.push(name, value);
    }
    let (bytes, losses) = write_cdb(std::slice::from_ref(&game));
    assert_eq!(losses_by_kind(&losses), [(LossKind::Tag, 4)]);
    assert_eq!(losses.respelled().unwrap().count, 1);
    let back = &read_cdb(&bytes)[0];
    let tags: Vec<_> = back.tags.iter().collect();
    assert_eq!(
        tags,
        [
            ("Event", "spelled otherwise"),
            ("Date", "two lines"),
            ("White", "first"),
            ("Black", "kept")
        ]
    );
}

#[test]
fn a_cdb_counts_no_more_than_65535_plies() {
    let knights = [(Square::G1, Square::F3), (Square::G8, Square::F6)];
    let back = knights.map(|(from, to)| (to, from));
    let round: Vec<Item> = knights
        .into_iter()
        .chain(back)
        .map(|(from, to)| Item::Move(Move::new(from, to)))
        .collect();
    let game = GameTree {
        items: round.into_iter().cycle().take(65_536).collect(),
        ..GameTree::default()
    };
    let (bytes, losses) = write_cdb(std::slice::from_ref(&game));
    assert_eq!(losses_by_kind(&losses), [(LossKind::Move, 1)]);
    assert_eq!(read_cdb(&bytes)[0].items.len(), 65_535);
    let (bytes, losses) = write_file(std::slice::from_ref(&game));
    assert!(losses.is_empty());
    assert_eq!(read_file(&bytes)[0].items, game.items);
}

#[test]
fn entries_that_are_no_games_are_losses() {
    let mut writer = cdb::RecordWriter::default();
    writer.event(Event::Opaque {
        place: Place::default(),
        format: "x",
        bytes: &[1],
    });
    assert_eq!(
        losses_by_kind(&writer.take_losses()),
        [(LossKind::Entry, 1)]
    );
    assert!(writer.is_empty());
}
