//! A position a line.

use std::io::Write;

use tabiya_chess::{Action, Position, Variant};
use tabiya_game::{Event, Flow, GameSink, LossKind, Losses, Needs, ROSTER};

use super::operations;
use crate::{
    GameWriter, Records,
    writing::{Ledger, Wishes, says_nothing},
};

/// Writes every position of each main line in a line, the start included; see the
/// [module](super).
#[derive(Debug)]
pub struct PositionWriter {
    notation: Notation,
    out: Vec<u8>,
    /// Where the game begins.
    game_start: usize,
    white: String,
    black: String,
    /// The operations that tags hold, each with a space before it.
    operations: String,
    /// One of them is an `id`.
    has_id: bool,
    /// The players whose names are to be written as they are.
    owed: Vec<&'static str>,
    ply: u64,
    ledger: Ledger,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Notation {
    Fen,
    Epd,
}

impl PositionWriter {
    fn new(notation: Notation) -> PositionWriter {
        PositionWriter {
            notation,
            out: Vec::new(),
            game_start: 0,
            white: String::new(),
            black: String::new(),
            operations: String::new(),
            has_id: false,
            owed: Vec::new(),
            ply: 0,
            ledger: Ledger::default(),
        }
    }

    /// Six fields, X-FEN where Chess960 needs it.
    #[must_use]
    pub fn fen() -> PositionWriter {
        PositionWriter::new(Notation::Fen)
    }

    /// Four fields, the clocks as `hmvc` and `fmvn`, and as `id` the players and the ply.
    #[must_use]
    pub fn epd() -> PositionWriter {
        PositionWriter::new(Notation::Epd)
    }

    /// Says what is wanted of games, besides their moves.
    #[must_use]
    pub fn with_wishes(mut self, wishes: Wishes) -> PositionWriter {
        self.ledger.wishes = wishes;
        self
    }

    /// The lines that have been written since they were last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        self.game_start = 0;
        std::mem::take(&mut self.out)
    }

    fn line(&mut self, position: &Position) {
        let fen = position.to_setup().to_string();
        let written = match self.notation {
            Notation::Fen => writeln!(self.out, "{fen}"),
            Notation::Epd => {
                // The clocks are the last two of the six fields.
                let four = fen.rsplitn(3, ' ').last().unwrap_or(&fen);
                let (clock, number) = (position.halfmove_clock(), position.fullmove_number());
                let said = self.said();
                writeln!(self.out, "{four} hmvc {clock}; fmvn {number};{said}")
            }
        };
        debug_assert!(written.is_ok(), "a Vec takes any bytes");
    }

    /// What is said about a position: what tags say about the start, and where it comes from.
    fn said(&mut self) -> String {
        let start = match self.ply {
            0 => self.operations.as_str(),
            _ => "",
        };
        // An EPD without an `id` gets none that says nothing.
        let nobody = says_nothing(&self.white) && says_nothing(&self.black);
        if self.ply == 0 && (self.has_id || nobody) {
            return start.to_string();
        }
        self.owed.clear();
        let (white, black) = (known(&self.white), known(&self.black));
        format!("{start} id \"{white} - {black}, ply {}\";", self.ply)
    }

    fn respell(&mut self, name: &str, value: &str) {
        let what = || format!("{name} {value:?} is left out, it says nothing");
        self.ledger.respell(what);
    }

    /// Enters the players that no line has named: none has an `id` of theirs.
    fn enter_owed(&mut self) {
        for name in std::mem::take(&mut self.owed) {
            let player = match name {
                "White" => self.white.clone(),
                _ => self.black.clone(),
            };
            if says_nothing(&player) {
                self.respell(name, &player);
            } else {
                let value = &player;
                self.ledger.enter(Event::Tag { name, value });
            }
        }
    }

    fn play(&mut self, before: &Position, action: Action) {
        let mut after = *before;
        after.act(action);
        self.ply += 1;
        self.line(&after);
    }

    fn tag(&mut self, event: Event<'_>, name: &str, value: &str) -> Flow {
        match name {
            "FEN" | "SetUp" | "Result" => return Flow::Continue,
            "White" | "Black" if self.notation == Notation::Epd => {
                let (name, player) = match name {
                    "White" => ("White", &mut self.white),
                    _ => ("Black", &mut self.black),
                };
                if player.is_empty() {
                    // EPD has no way to write a quotation mark within a text.
                    let plain = |c: char| if c.is_control() { ' ' } else { c };
                    player.extend(
                        value
                            .chars()
                            .map(|c| if c == '"' { '\'' } else { plain(c) }),
                    );
                    if player == value {
                        match value {
                            // No line tells it from one that is not there.
                            "" => self.respell(name, value),
                            _ => self.owed.push(name),
                        }
                        return Flow::Continue;
                    }
                }
            }
            _ if self.notation == Notation::Epd => {
                if let Some(opcode) = operations::opcode(name)
                    && operations::write(opcode, value, &mut self.operations)
                {
                    self.has_id |= opcode == "id";
                    return Flow::Continue;
                }
            }
            _ => {}
        }
        if ROSTER.contains(&name) && says_nothing(value) {
            // Whoever writes PGN fills these in.
            self.respell(name, value);
            return Flow::Continue;
        }
        self.ledger.enter(event)
    }
}

fn known(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

impl GameSink for PositionWriter {
    fn needs(&mut self) -> Needs {
        self.ledger.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if self.ledger.takes(&event) {
            return Flow::Continue;
        }
        match event {
            Event::GameStart(_) => {
                self.ledger.start_game();
                self.game_start = self.out.len();
                self.white.clear();
                self.black.clear();
                self.operations.clear();
                self.has_id = false;
                self.owed.clear();
                self.ply = 0;
            }
            Event::Tag { name, value } => return self.tag(event, name, value),
            Event::Start(position) => {
                if position.variant() == Variant::Antichess {
                    self.ledger
                        .lose(LossKind::Start, || "the variant, antichess".to_string());
                }
                self.line(position);
            }
            Event::Move { before, play, .. } if !self.ledger.ended => {
                self.play(before, Action::Move(play));
            }
            Event::Null { before, .. } if !self.ledger.ended => self.play(before, Action::Null),
            Event::GameEnd { result, .. } => {
                if self.ledger.refused {
                    self.out.truncate(self.game_start);
                } else {
                    self.enter_owed();
                    self.ledger.lose_result(result);
                }
            }
            other => return self.ledger.enter_and_hear(other),
        }
        Flow::Continue
    }
}

impl GameWriter for PositionWriter {
    fn len(&self) -> usize {
        self.out.len()
    }

    fn take(&mut self) -> Records {
        let name = match self.notation {
            Notation::Fen => "fen",
            Notation::Epd => "epd",
        };
        Records::new(name, PositionWriter::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.ledger.losses)
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::{Epd, Setup};

    use super::*;
    use crate::pgn::Parser;

    const PGN: &str = "[White \"A \\\"Al\\\" B\"]\n[Black \"Réti\"]\n\n1. e4 (1. d4 d5) e5 2. Nf3 1-0\n\n[FEN \"x\"]\n\n*\n\n1. c4 *";

    fn write(mut writer: PositionWriter) -> (Vec<String>, Vec<(LossKind, u64)>) {
        let mut parser = Parser::new(PGN);
        while parser.read_game(&mut writer) {}
        let losses = writer.take_losses();
        let losses = losses
            .iter()
            .map(|(kind, count, _)| (kind, count))
            .collect();
        let text = String::from_utf8(writer.take()).unwrap();
        (text.lines().map(str::to_owned).collect(), losses)
    }

    #[test]
    fn every_position_of_the_main_line_is_a_fen() {
        let (lines, losses) = write(PositionWriter::fen());
        assert_eq!(lines.len(), 4 + 2);
        assert_eq!(lines[0], Setup::INITIAL.to_string());
        assert_eq!(
            lines[3],
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
        );
        assert_eq!(
            losses,
            [
                (LossKind::Tag, 2),
                (LossKind::Variation, 1),
                (LossKind::Start, 1),
                (LossKind::Result, 1)
            ]
        );
    }

    #[test]
    fn an_epd_says_where_it_comes_from() {
        let (lines, losses) = write(PositionWriter::epd());
        assert_eq!(
            lines[3],
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - hmvc 1; fmvn 2; \
             id \"A 'Al' B - Réti, ply 3\";"
        );
        assert!(lines[5].ends_with("id \"? - ?, ply 1\";"));
        let (fens, _) = write(PositionWriter::fen());
        for (line, fen) in lines.iter().zip(fens) {
            assert_eq!(line.parse::<Epd>().unwrap().setup.to_string(), fen);
        }
        // The name with quotation marks is not whole.
        assert_eq!(losses[0], (LossKind::Tag, 1));
    }

    #[test]
    fn a_player_is_left_out_of_an_epd_only_if_no_line_names_him() {
        let unknown = "[White \"?\"]\n[Black \"Carlsen\"]\n\n*";
        let moves = "[White \"?\"]\n[Black \"?\"]\n\n1. e4 *";
        let nobody = "[White \"?\"]\n[Black \"?\"]\n\n*";
        let own_id = "[White \"?\"]\n[Black \"Carlsen\"]\n[EPD_id \"mine\"]\n\n*";
        let cases = [
            (unknown, 0, 0),
            (moves, 0, 0),
            (nobody, 2, 0),
            (own_id, 1, 1),
        ];
        for (pgn, left_out, lost) in cases {
            let mut writer = PositionWriter::epd();
            Parser::new(pgn).read_game(&mut writer);
            let losses = writer.take_losses();
            let respelled = losses.respelled().map_or(0, |respelled| respelled.count);
            assert_eq!((respelled, losses.count()), (left_out, lost), "{pgn}");
        }
    }
}
