//! ChessBase records: any bytes are a game or an error; what is read is written and read back the
//! same, and explained.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::moves::{Recorder, Scope, StoredGame, explain};
use tabiya_game::{Event, GameSink as _, Listener};

fuzz_target!(|bytes: &[u8]| {
    let mut game = StoredGame::default();
    let read = game.read(bytes, Scope::All);
    assert_eq!(read.err(), game.error());
    let _ = explain(bytes, 0);
    let mut main_line = StoredGame::default();
    if main_line.read(bytes, Scope::MainLine).is_ok() && game.error().is_none() {
        assert!(main_line.main_line().eq(game.main_line()));
    }

    let mut recorder = game
        .mode()
        .map_or_else(Recorder::default, Recorder::in_mode);
    recorder.event(Event::Start(game.start()));
    game.tell(&mut Listener::new(&mut recorder), 0, &mut ());
    let mut record = Vec::new();
    recorder.write(&mut record).expect("a game that was read");
    let mut again = StoredGame::default();
    assert_eq!(again.read(&record, Scope::All), Ok(()));
    assert_eq!(again.stored_moves(), game.stored_moves());
    assert!(again.main_line().eq(game.main_line()));
});
