//! Contents of `.2cbg` and `.2cba`: any bytes are a game, notes or an error; the shape of a game can
//! be told without a board, and what is read is written back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::cbh2::{
    annotations::{items, write},
    decode::Words,
    frame::{Frame, checksum, fresh_spare, tag},
    text::Pages,
};

fuzz_target!(|data: &[u8]| {
    let [kind, content @ ..] = data else { return };
    let tag = [tag::CHESS, tag::CHESS960, tag::NO_KINGS][usize::from(*kind) % 3];
    if let Ok(words) = Words::new(tag, content) {
        let moves = words.order().len();
        assert!(words.main_plies() <= content.len() && moves <= content.len());
        let _ = words.position();
    }
    let found: Vec<_> = items(content).map_while(Result::ok).collect();
    let again = write(found.iter().copied());
    let read: Result<Vec<_>, _> = items(&again).collect();
    // Positions that are there twice, or empty, come back as one.
    assert_eq!(read.expect("it was written").len(), found.len());
    if let Some(pages) = Pages::read(content) {
        assert_eq!(pages.to_bytes(), content);
    }
    let _ = Frame::at(content, i64::from(*kind));
    let mut file = vec![0; 12];
    let spare = fresh_spare(tag, file.len() as u64, content.len());
    Frame::write(&mut file, tag, content, spare);
    let frame = Frame::at(&file, 12).expect("it was written");
    assert_eq!(
        (frame.content, frame.checksum),
        (content, checksum(content))
    );
});
