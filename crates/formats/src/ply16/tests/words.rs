//! Words and moves.

use super::*;

fn hex(word: Word, profile: Profile) -> String {
    let [first, second] = word.to_bytes(profile);
    format!("{first:02x}{second:02x}")
}

#[test]
fn every_word_of_the_vectors_is_written_and_read() {
    let rows = include_str!("../../../tests/vectors/ply16-words.tsv");
    let mut checked = 0;
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [name, _, fen, san, uci, document, program] = cells[..] else {
            panic!("{row}");
        };
        let before = position(fen);
        let play = before.parse_san(san).unwrap().to_move().unwrap();
        assert_eq!(before.uci(play).to_string(), uci, "{name}");
        for (profile, expected) in BOTH.into_iter().zip([document, program]) {
            let word = encode_ply(&before, play, profile);
            match expected.strip_prefix('!') {
                Some(error) => assert_eq!(word.unwrap_err().name(), error, "{name}"),
                None => {
                    let word = word.unwrap();
                    assert_eq!(hex(word, profile), expected, "{name}");
                    assert_eq!(decode_ply(&before, word, profile), Ok(play), "{name}");
                }
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 2 * 68);
}

#[test]
fn every_stream_of_the_vectors_is_read_and_the_good_ones_are_written_the_same() {
    let rows = include_str!("../../../tests/vectors/ply16-streams.tsv");
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [name, profile, fen, hex, expect, plies] = cells[..] else {
            panic!("{row}");
        };
        let profile = match profile {
            "document" => Profile::Document,
            _ => Profile::Program,
        };
        let streams: Streams = hex.parse().unwrap();
        let mut tree = GameTree::default();
        let codec = Codec::new(profile);
        let outcome = codec.decode(&streams, &position(fen), &mut tree);
        match outcome {
            Ok(()) => assert_eq!(expect, "ok", "{name}"),
            Err(error) => assert_eq!(error.name, expect, "{name}"),
        }
        if expect == "ok" {
            assert_eq!(spelled(&codec, &streams, &position(fen)), plies, "{name}");
            assert_eq!(tree.state, GameState::Complete, "{name}");
        } else {
            assert_eq!(tree.state, GameState::Broken, "{name}");
        }
    }
}

/// A stream as the vectors spell it, by its explanation.
fn spelled(codec: &Codec, streams: &Streams, start: &Position) -> String {
    let dump = codec.explain(streams, start);
    let lines = dump.sections[0].lines.iter();
    let words = lines.map(|line| match &line.san {
        Some(san) => san.split(' ').nth(1).unwrap_or_default().to_owned(),
        None if line.meaning.contains("left out") => "<missing>".into(),
        None if line.meaning.contains("resigns") => "<resign>".into(),
        None => "<draw>".into(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_legal_move_of_generated_games_has_a_word_of_its_own() {
    for tree in games(20, false) {
        for (before, _) in tree.main_line() {
            for profile in BOTH {
                let mut words = std::collections::HashSet::new();
                for &play in &before.legal_moves() {
                    let word = encode_ply(&before, play, profile).unwrap();
                    assert!(words.insert(word), "{play} in {before}");
                    assert_eq!(decode_ply(&before, word, profile), Ok(play), "{before}");
                }
            }
        }
    }
}

/// All words in a position: what is read is legal or refused, and is written the same again, but
/// for the flags.
#[test]
fn all_words_are_read_or_refused() {
    let positions = [
        Position::initial(),
        position("r3k2r/1P2q3/8/3pP3/3Q4/2n5/6p1/R3K2R w KQkq d6 0 1"),
        position("r3k2r/1P2q3/8/3p4/3Q4/2n5/6p1/R3K2R b KQkq - 0 1"),
        position("4k3/8/8/8/8/8/NNNNNNNN/NN2K3 w - - 0 1"),
    ];
    for before in positions {
        for profile in BOTH {
            let mut read = std::collections::HashSet::new();
            for bits in 0..=u16::MAX {
                let word = Word::from_bytes(bits.to_be_bytes(), profile);
                let Ok(play) = decode_ply(&before, word, profile) else {
                    continue;
                };
                if word.color() == Some(before.turn()) && before.is_legal(play) {
                    read.insert(play);
                    let again = encode_ply(&before, play, profile).unwrap();
                    assert_eq!(again.piece, word.piece, "{play} in {before}");
                    assert_eq!(
                        again.action & 0x1f,
                        word.action & 0x1f,
                        "{play} in {before}"
                    );
                }
            }
            let most = if profile == Profile::Document { 8 } else { 16 };
            let knights = before.board().of(before.turn(), Role::Knight);
            let named: Vec<Square> = knights.into_iter().take(most).collect();
            let expected = before.legal_moves();
            let expected = expected
                .iter()
                .filter(|play| !knights.contains(play.from()) || named.contains(&play.from()));
            assert_eq!(read.len(), expected.count(), "{before}");
        }
    }
}

#[test]
fn castling_of_chess960_has_no_word_unless_it_is_that_of_chess() {
    let start = |fen: &str| {
        let setup: Setup = fen.parse().unwrap();
        Position::from_setup(&setup, Variant::Chess960).unwrap()
    };
    let usual = start("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let long = Move::new(Square::E1, Square::A1);
    assert_eq!(
        encode_ply(&usual, long, Profile::Document),
        Ok(Word {
            piece: 5,
            action: 0x18
        })
    );
    for (fen, king, rook) in [
        ("4k3/8/8/8/8/8/8/R2K3R w HA - 0 1", Square::D1, Square::H1),
        ("4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1", Square::E1, Square::G1),
    ] {
        let before = start(fen);
        let play = Move::new(king, rook);
        assert!(before.is_legal(play));
        for profile in BOTH {
            let refused = encode_ply(&before, play, profile);
            assert_eq!(refused, Err(ErrorKind::Chess960Unsupported), "{fen}");
        }
    }
    let word = Word {
        piece: 5,
        action: 0x14,
    };
    let before = start("4k3/8/8/8/8/8/8/R2K3R w HA - 0 1");
    let refused = decode_ply(&before, word, Profile::Document);
    assert_eq!(refused, Err(ErrorKind::Chess960Unsupported));
}

#[test]
fn a_king_on_the_wrong_file_castles_in_neither_game() {
    let word = Word {
        piece: 5,
        action: 0x14,
    };
    let before = position("4k3/8/8/8/8/8/8/R2K3R w - - 0 1");
    let refused = decode_ply(&before, word, Profile::Document).unwrap_err();
    assert_eq!(refused.to_string(), "O-O is not legal here");
}

#[test]
fn a_pawn_does_not_become_a_king() {
    let setup: Setup = "8/P7/8/8/8/8/8/7k w - - 0 1".parse().unwrap();
    let before = Position::from_setup(&setup, Variant::Antichess).unwrap();
    let play = Move::promotion(Square::A7, Square::A8, Role::King);
    assert!(before.is_legal(play));
    let refused = encode_ply(&before, play, Profile::Document).unwrap_err();
    assert_eq!(refused.name(), "NotRepresentable");
}
