//! A game a line.

use std::io::Write;

use tabiya_chess::{Move, Position, Role, Setup, Variant};
use tabiya_game::{Event, Flow, GameSink, LossKind, Losses, Needs};

use crate::{
    GameWriter, Records,
    writing::{Ledger, Wishes},
};

/// Writes the moves of each main line in a line; see the [module](super).
#[derive(Debug)]
pub struct MoveWriter {
    notation: Notation,
    out: Vec<u8>,
    /// Where the game begins.
    game_start: usize,
    /// Something stands in the line.
    begun: bool,
    ledger: Ledger,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Notation {
    Uci,
    UciPosition,
    Long,
}

impl MoveWriter {
    fn new(notation: Notation) -> MoveWriter {
        MoveWriter {
            notation,
            out: Vec::new(),
            game_start: 0,
            begun: false,
            ledger: Ledger::default(),
        }
    }

    /// Moves as engines write them: `e2e4 e7e8q`.
    #[must_use]
    pub fn uci() -> MoveWriter {
        MoveWriter::new(Notation::Uci)
    }

    /// Commands that put an engine at the end of each game: `position startpos moves e2e4`.
    #[must_use]
    pub fn uci_position() -> MoveWriter {
        MoveWriter::new(Notation::UciPosition)
    }

    /// Long algebraic notation: `e2-e4 Ng1-f3 e4xd5 e7-e8=Q+ O-O`.
    #[must_use]
    pub fn lan() -> MoveWriter {
        MoveWriter::new(Notation::Long)
    }

    /// Says what is wanted of games, besides their moves.
    #[must_use]
    pub fn with_wishes(mut self, wishes: Wishes) -> MoveWriter {
        self.ledger.wishes = wishes;
        self
    }

    /// The lines that have been written since they were last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        self.game_start = 0;
        std::mem::take(&mut self.out)
    }

    fn start(&mut self, position: &Position) {
        let setup = position.to_setup();
        if position.variant() == Variant::Antichess {
            self.ledger
                .lose(LossKind::Start, || "the variant, antichess".to_string());
        }
        // `moves` follows with the first of them.
        if setup != Setup::INITIAL {
            self.text(format_args!("position fen {setup}"));
        } else if self.notation == Notation::UciPosition {
            self.text(format_args!("position startpos"));
        }
    }

    fn text(&mut self, text: std::fmt::Arguments<'_>) {
        let written = self.out.write_fmt(text);
        debug_assert!(written.is_ok(), "a Vec takes any bytes");
    }

    fn word(&mut self, word: std::fmt::Arguments<'_>) {
        if !self.begun {
            self.begun = true;
            if self.out.len() > self.game_start {
                self.out.extend_from_slice(b" moves ");
            }
        } else {
            self.out.push(b' ');
        }
        self.text(word);
    }

    fn play(&mut self, before: &Position, play: Move) {
        match self.notation {
            Notation::Uci | Notation::UciPosition => {
                self.word(format_args!("{}", before.uci(play)));
            }
            Notation::Long => self.long(before, play),
        }
    }

    fn long(&mut self, before: &Position, play: Move) {
        let san = before.san(play);
        if before.is_castling(play) {
            return self.word(format_args!("{san}"));
        }
        let piece = before
            .board()
            .role_at(play.from())
            .filter(|&role| role != Role::Pawn);
        let piece = piece.map_or(String::new(), |role| {
            role.letter().to_ascii_uppercase().into()
        });
        let dash = if before.is_capture(play) { 'x' } else { '-' };
        let promoted = play.promoted().map_or(String::new(), |role| {
            format!("={}", role.letter().to_ascii_uppercase())
        });
        let check = match san.as_bytes().last() {
            Some(b'+') => "+",
            Some(b'#') => "#",
            _ => "",
        };
        let (from, to) = (play.from(), play.to());
        self.word(format_args!("{piece}{from}{dash}{to}{promoted}{check}"));
    }

    fn tag(&mut self, event: Event<'_>, name: &str) -> Flow {
        match name {
            // The start says the same; the result is counted at the end.
            "FEN" | "SetUp" | "Result" => Flow::Continue,
            _ => self.ledger.enter(event),
        }
    }
}

impl GameSink for MoveWriter {
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
                self.begun = false;
            }
            Event::Start(position) => self.start(position),
            Event::Tag { name, .. } => return self.tag(event, name),
            Event::Move { before, play, .. } if !self.ledger.ended => self.play(before, play),
            Event::Null { .. } if !self.ledger.ended => {
                let null = if self.notation == Notation::Long {
                    "--"
                } else {
                    "0000"
                };
                self.word(format_args!("{null}"));
            }
            Event::GameEnd { result, .. } => {
                if self.ledger.refused {
                    self.out.truncate(self.game_start);
                } else {
                    self.ledger.lose_result(result);
                    self.out.push(b'\n');
                }
            }
            other => return self.ledger.enter_and_hear(other),
        }
        Flow::Continue
    }
}

impl GameWriter for MoveWriter {
    fn len(&self) -> usize {
        self.out.len()
    }

    fn take(&mut self) -> Records {
        let name = match self.notation {
            Notation::Uci => "uci:moves",
            Notation::UciPosition => "uci:position",
            Notation::Long => "lan",
        };
        Records::new(name, MoveWriter::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.ledger.losses)
    }
}

#[cfg(test)]
mod tests {
    use tabiya_game::GameTree;

    use super::*;
    use crate::pgn::Parser;

    #[test]
    fn a_game_that_ends_in_a_variation_takes_no_other_along() {
        let mut writer = MoveWriter::uci();
        let mut unclosed = GameTree::default();
        assert!(Parser::new("1. e4 (1. d4 {lost}) *").read_game(&mut unclosed));
        unclosed.items.pop();
        unclosed.tell(&mut writer);
        Parser::new("1. c4 (1. b3) e5 *").read_game(&mut writer);
        assert_eq!(writer.take(), b"e2e4\nc2c4 e7e5\n");
        let losses = writer.take_losses();
        let counts: Vec<_> = losses
            .iter()
            .map(|(kind, count, _)| (kind, count))
            .collect();
        assert_eq!(counts, [(LossKind::Variation, 2), (LossKind::Comment, 1)]);
    }

    #[track_caller]
    fn write(mut writer: MoveWriter, pgn: &str) -> (String, Vec<(LossKind, u64)>) {
        let mut parser = Parser::new(pgn);
        while parser.read_game(&mut writer) {}
        let losses = writer.take_losses();
        let losses = losses
            .iter()
            .map(|(kind, count, _)| (kind, count))
            .collect();
        (String::from_utf8(writer.take()).unwrap(), losses)
    }

    #[test]
    fn a_game_is_a_line() {
        let pgn = "1. e4 d5 2. exd5 Nf6 3. Nf3 Nxd5 4. Bc4 e6 5. O-O *\n\n1. d4 *\n\n[White \"?\"]\n\n*\n";
        let tag = vec![(LossKind::Tag, 1)];
        assert_eq!(
            write(MoveWriter::uci(), pgn),
            (
                "e2e4 d7d5 e4d5 g8f6 g1f3 f6d5 f1c4 e7e6 e1g1\nd2d4\n\n".into(),
                tag.clone()
            )
        );
        assert_eq!(
            write(MoveWriter::lan(), pgn),
            (
                "e2-e4 d7-d5 e4xd5 Ng8-f6 Ng1-f3 Nf6xd5 Bf1-c4 e7-e6 O-O\nd2-d4\n\n".into(),
                tag.clone()
            )
        );
        let commands = write(MoveWriter::uci_position(), pgn).0;
        assert!(commands.starts_with("position startpos moves e2e4 d7d5"));
        assert!(commands.ends_with("\nposition startpos moves d2d4\nposition startpos\n"));
    }

    #[test]
    fn another_start_stands_before_the_moves() {
        let fen = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1";
        let pgn = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. a8=Q+ Ke7 2. O-O -- *");
        let expected = format!("position fen {fen} moves a7a8q e8e7 e1g1 0000\n");
        assert_eq!(write(MoveWriter::uci(), &pgn), (expected, vec![]));
        let expected = format!("position fen {fen} moves a7-a8=Q+ Ke8-e7 O-O --\n");
        assert_eq!(write(MoveWriter::lan(), &pgn), (expected, vec![]));
        let bare = format!("[FEN \"{fen}\"]\n\n*");
        assert_eq!(
            write(MoveWriter::uci(), &bare).0,
            format!("position fen {fen}\n")
        );
    }

    #[test]
    fn chess960_castles_onto_the_rook() {
        let pgn = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *";
        assert!(write(MoveWriter::uci(), pgn).0.ends_with(" moves e1h1\n"));
    }

    #[test]
    fn what_a_line_cannot_hold_is_counted() {
        let pgn = "[Event \"x\"]\n[Result \"1-0\"]\n\n{a} 1. e4! $10 {[%clk 0:01:00]} {b} (1. d4 (1. c4) {c} $1) 1... e5 1-0";
        let (text, losses) = write(MoveWriter::uci(), pgn);
        assert_eq!(text, "e2e4 e7e5\n");
        assert_eq!(losses[0], (LossKind::Tag, 1));
        assert_eq!(losses[1], (LossKind::Variation, 1));
        // What is said in a variation that is lost is lost too.
        assert!(losses.contains(&(LossKind::Nag, 3)));
        assert!(losses.contains(&(LossKind::Comment, 3)), "{losses:?}");
        assert!(losses.contains(&(LossKind::Annotation, 1)), "{losses:?}");
        assert_eq!(losses.last(), Some(&(LossKind::Result, 1)));
        let wishes = Wishes {
            comments: false,
            variations: false,
            nags: false,
        };
        let (text, losses) = write(MoveWriter::uci().with_wishes(wishes), pgn);
        assert_eq!(text, "e2e4 e7e5\n");
        assert_eq!(losses, [(LossKind::Tag, 1), (LossKind::Result, 1)]);
    }

    #[test]
    fn a_broken_game_is_written_as_far_as_it_goes() {
        let (text, losses) = write(MoveWriter::uci(), "1. e4 e5 2. Ke3 Nf6 *");
        assert_eq!(
            (text.as_str(), losses),
            ("e2e4 e7e5\n", vec![(LossKind::Error, 1)])
        );
    }

    #[test]
    fn a_game_without_a_start_is_refused() {
        let pgn = "[FEN \"nonsense\"]\n\n1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n\n1. c4 *";
        let (text, losses) = write(MoveWriter::uci(), pgn);
        assert_eq!(text, "c2c4\n");
        assert_eq!(losses, [(LossKind::Tag, 1), (LossKind::Start, 2)]);
    }
}
