//! Events to words.

use tabiya_chess::{Move, Position};
use tabiya_game::{Event, Flow, GameSink, LossKind, Needs};

use super::{
    code::{Profile, Word, encode_ply},
    error::ErrorKind,
};
use crate::writing::Ledger;

/// The words of a main line.
#[derive(Debug)]
pub(super) struct Line {
    profile: Profile,
    /// How many plies there is room for.
    most: usize,
    words: Vec<u8>,
    /// Why the line ends before the game does.
    failure: Option<Failure>,
}

/// A ply that cannot be written. Those behind it cannot be, either.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    /// Which, from 1.
    pub(super) ply: u64,
    /// Why.
    pub(super) kind: ErrorKind,
    loss: LossKind,
}

impl Line {
    pub(super) fn new(profile: Profile, most: usize) -> Line {
        Line {
            profile,
            most,
            words: Vec::new(),
            failure: None,
        }
    }

    /// What has been written, as it is stored.
    pub(super) fn words(&self) -> &[u8] {
        &self.words
    }

    /// Why the line ends before the game does.
    pub(super) fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.failure = None;
    }

    /// Writes a word without asking whether there is room.
    #[inline]
    pub(super) fn push(&mut self, word: Word) {
        self.words.extend_from_slice(&word.to_bytes(self.profile));
    }

    fn plies(&self) -> usize {
        self.words.len() / 2
    }

    #[inline]
    fn add(&mut self, word: Result<Word, ErrorKind>, loss: LossKind) {
        let most = self.most;
        let word = match self.plies() < most {
            true => word,
            false => Err(ErrorKind::TooManyPlies { most }),
        };
        match word {
            Ok(word) => self.push(word),
            Err(kind) => {
                self.failure = Some(Failure {
                    ply: self.plies() as u64 + 1,
                    kind,
                    loss,
                });
            }
        }
    }

    #[inline]
    fn play(&mut self, before: &Position, play: Move) {
        self.add(encode_ply(before, play, self.profile), LossKind::Move);
    }

    /// Takes an event of the movetext. What has no word is entered as a loss; so is a ply that
    /// cannot be written, with all that follow it.
    #[inline]
    pub(super) fn event(&mut self, event: Event<'_>, ledger: &mut Ledger) -> Flow {
        // The first ply that is lost has been told with the reason: those behind it only count.
        let ended = self.failure.as_ref().map(|failure| failure.loss);
        match (event, ended) {
            (Event::Move { .. } | Event::Null { .. } | Event::Missing, Some(loss)) => {
                ledger.lose(loss, || "moves behind one that is lost".to_owned());
                return Flow::Continue;
            }
            (Event::Move { before, play, .. }, _) => self.play(before, play),
            (Event::Missing, _) => self.add(Ok(Word::MISSING), LossKind::Move),
            (Event::Null { .. }, _) => {
                let what = "a null move";
                let null = ErrorKind::NotRepresentable { what };
                self.add(Err(null), LossKind::NullMove);
            }
            (other, _) => return ledger.enter_and_hear(other),
        }
        if let Some(failure) = &self.failure {
            ledger.lose(failure.loss, || {
                format!("the moves from ply {}: {}", failure.ply, failure.kind)
            });
        }
        Flow::Continue
    }
}

/// The words of a game without a file around them.
pub(super) struct Bare {
    pub(super) line: Line,
    pub(super) ledger: Ledger,
    /// Where the moves lead.
    pub(super) end: Position,
}

impl Bare {
    pub(super) fn new(profile: Profile) -> Bare {
        Bare {
            line: Line::new(profile, usize::MAX),
            ledger: Ledger::default(),
            end: Position::initial(),
        }
    }
}

impl GameSink for Bare {
    fn needs(&mut self) -> Needs {
        self.ledger.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if self.ledger.takes(&event) {
            return Flow::Continue;
        }
        match event {
            Event::GameStart(_) => self.ledger.start_game(),
            // Nobody expects them in a stream.
            Event::Tag { .. } => return Flow::Continue,
            Event::Start(position) => self.end = *position,
            Event::Move { before, play, .. } => {
                self.end = *before;
                self.end.play_unchecked(play);
            }
            Event::Missing => self.end.play_null(),
            _ => {}
        }
        self.line.event(event, &mut self.ledger)
    }
}
