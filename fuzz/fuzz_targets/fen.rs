//! FEN and EPD: any text is read or refused; what is read is written and read back the same, and
//! both boards agree on its moves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::{Epd, Position, Setup, Variant, mailbox::Mailbox};

fuzz_target!(|text: &str| {
    if let Ok(epd) = text.parse::<Epd>() {
        let written = epd.to_string();
        assert_eq!(
            written.parse::<Epd>().expect("what we wrote").to_string(),
            written
        );
    }
    let Ok(setup) = text.parse::<Setup>() else {
        return;
    };
    for written in [setup.to_string(), setup.to_shredder_fen()] {
        assert_eq!(written.parse::<Setup>().as_ref(), Ok(&setup));
    }
    let _ = setup.warnings();
    if let (Ok(position), Ok(board)) = (
        Position::from_setup(&setup, Variant::Standard),
        Mailbox::from_setup(&setup),
    ) {
        let (mut ours, mut theirs) = (position.legal_moves(), board.legal_moves());
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{position}");
        assert_eq!(position.key(), board.key());
    }
    for variant in Variant::ALL {
        let Ok(position) = Position::from_setup(&setup, variant) else {
            continue;
        };
        let again = Position::from_setup(&position.to_setup(), variant);
        assert_eq!(again.as_ref(), Ok(&position));
        assert_eq!(
            position.count_legal_moves(),
            position.legal_moves().len() as u64
        );
        let _ = position.status();
        for &play in &position.legal_moves() {
            assert!(position.is_legal(play), "{play} in {position}");
            let mut next = position;
            next.play_unchecked(play);
            let full = Position::from_setup(&next.to_setup(), variant).expect("a legal move");
            assert_eq!(next.key(), full.key(), "{play} in {position}");
        }
    }
});
