//! Games as gigachess keeps them: a 16-bit word a move.

/// The words of moves in UCI, castling written as king takes rook.
pub fn of_ucis(ucis: &[String]) -> Vec<u16> {
    let mut board = gigachess::Board::startpos();
    let word = |uci: &String| {
        let moves = board.legal_moves();
        let named = |text: &str| moves.iter().copied().find(|play| play.to_string() == text);
        // It writes castling as the king's two squares.
        let castling = match uci.as_str() {
            "e1h1" => "e1g1",
            "e1a1" => "e1c1",
            "e8h8" => "e8g8",
            "e8a8" => "e8c8",
            other => other,
        };
        let play = named(uci)
            .or_else(|| named(castling))
            .expect("a legal move");
        board.make_move_unchecked(play);
        play.word()
    };
    ucis.iter().map(word).collect()
}
