//! What writers do with the parts of a game that they cannot hold.

use tabiya_game::{
    Damage, Event, Flow, GameError, GameErrorKind, GameResult, LossKind, Losses, Needs,
};

use super::unknown;

/// What is wanted of a game, besides its moves. What is not wanted is not lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wishes {
    /// Comments and annotations.
    pub comments: bool,
    /// Variations.
    pub variations: bool,
    /// NAGs.
    pub nags: bool,
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            comments: true,
            variations: true,
            nags: true,
        }
    }
}

/// Counts the games and what is lost of them.
#[derive(Debug, Default)]
pub struct Ledger {
    /// What is wanted of games.
    pub wishes: Wishes,
    /// What was lost.
    pub losses: Losses,
    game: u64,
    /// The start position cannot be read, so there is nothing to write.
    pub refused: bool,
    /// A ply is missing: what follows it cannot be written.
    pub ended: bool,
    /// How many variations are open since one was lost.
    lost: usize,
}

impl Ledger {
    /// What a writer needs to hear of a game.
    #[must_use]
    pub fn needs(&self) -> Needs {
        Needs::ALL
            .variations(self.wishes.variations)
            .notes(self.wishes.comments || self.wishes.nags)
    }

    /// Enters a loss of the game.
    pub fn lose(&mut self, kind: LossKind, what: impl FnOnce() -> String) {
        self.losses.note(self.game, kind, what);
    }

    /// Enters a value that is held in another spelling.
    pub fn respell(&mut self, what: impl FnOnce() -> String) {
        self.losses.respell(self.game, what);
    }

    /// Begins the next game.
    pub fn start_game(&mut self) {
        self.game += 1;
        self.refused = false;
        self.ended = false;
        self.lost = 0;
    }

    /// Enters a variation that cannot be held. Who says so has to ask [`Ledger::takes`] from then
    /// on: what is said in the variation is lost with it, and counts.
    pub fn lose_variation(&mut self, what: impl FnOnce() -> String) {
        self.lose(LossKind::Variation, what);
        self.lost = 1;
    }

    /// Whether the game is within a variation that is lost.
    #[must_use]
    #[inline]
    pub fn is_losing(&self) -> bool {
        self.lost > 0
    }

    /// Takes an event that belongs to a variation that is lost; `false` if it is the writer's.
    #[inline]
    pub fn takes(&mut self, event: &Event<'_>) -> bool {
        if !self.is_losing() {
            return false;
        }
        // A game may end in a variation, if somebody tells it so; the next one is another.
        if let Event::GameStart(_) | Event::GameEnd { .. } = event {
            self.lost = 0;
            return false;
        }
        match event {
            // It is part of the one that is lost.
            Event::VariationStart => self.lost += 1,
            Event::VariationEnd => self.lost -= 1,
            Event::Comment(_) | Event::Annotation(_) | Event::Nag(_) | Event::Error(_) => {
                self.enter(*event);
            }
            _ => {}
        }
        true
    }

    /// Enters a result that cannot be held.
    pub fn lose_result(&mut self, result: GameResult) {
        if result != GameResult::Unknown {
            self.lose(LossKind::Result, || format!("the result {result}"));
        }
    }

    /// Enters text that could not be read, and cannot be held.
    pub fn lose_error(&mut self, error: &GameError<'_>) {
        self.lose(LossKind::Error, || {
            format!(
                "{}, {}: {:?}",
                error.kind,
                error.message,
                shortened(error.raw)
            )
        });
    }

    /// As [`Ledger::enter`], for a writer that asks [`Ledger::takes`] about every event first: what
    /// is said in a variation is heard and counts, too.
    pub fn enter_and_hear(&mut self, event: Event<'_>) -> Flow {
        let wishes = self.wishes;
        match event {
            Event::VariationStart if wishes.comments || wishes.nags => {
                self.lose_variation(|| "a variation".to_string());
                Flow::Continue
            }
            other => self.enter(other),
        }
    }

    /// Enters what cannot be held; everything that is not said otherwise. Of a variation nothing more
    /// is heard.
    pub fn enter(&mut self, event: Event<'_>) -> Flow {
        let wishes = self.wishes;
        match event {
            Event::Tag { name, .. } => self.lose(LossKind::Tag, || format!("the tag {name}")),
            Event::VariationStart => {
                self.lose(LossKind::Variation, || "a variation".to_string());
                return Flow::SkipVariation;
            }
            Event::Comment(comment) if wishes.comments => {
                self.lose(LossKind::Comment, || {
                    format!("the comment {:?}", shortened(comment.text))
                });
            }
            Event::Annotation(annotation) if wishes.comments => {
                self.lose(LossKind::Annotation, || {
                    let spelled = annotation.to_command();
                    let command = spelled.as_deref().unwrap_or("without a spelling");
                    format!("the annotation {}", shortened(command))
                });
            }
            Event::Nag(nag) if wishes.nags => self.lose(LossKind::Nag, || format!("the NAG {nag}")),
            Event::Error(error) => {
                if let GameErrorKind::BadStart | GameErrorKind::UnknownVariant = error.kind {
                    self.lose(LossKind::Start, || format!("the game: {}", error.message));
                    self.refused = true;
                    return Flow::SkipGame;
                }
                self.lose_error(&error);
            }
            Event::Missing => {
                self.lose(LossKind::Move, || "what follows a ply left out".to_string());
                self.ended = true;
            }
            Event::Text { title, .. } => {
                self.game += 1;
                self.lose(LossKind::Entry, || format!("the text {title:?}"));
            }
            Event::Opaque { format, .. } => {
                let (kind, what) = lost_entry(format);
                self.game += 1;
                self.lose(kind, || what);
            }
            // They are dealt with elsewhere, or not wished for.
            Event::GameStart(_)
            | Event::Start(_)
            | Event::Move { .. }
            | Event::Null { .. }
            | Event::VariationEnd
            | Event::GameEnd { .. }
            | Event::Comment(_)
            | Event::Annotation(_)
            | Event::Nag(_) => {}
            other => self.lose(LossKind::Unknown, || unknown(other)),
        }
        Flow::Continue
    }
}

/// What is lost with an entry that only its format understands.
pub(crate) fn lost_entry(format: &str) -> (LossKind, String) {
    match Damage::of(format) {
        Some(damage) => (LossKind::Error, damage.to_string()),
        None => {
            let what = format!("an entry that only {format} understands");
            (LossKind::Entry, what)
        }
    }
}

/// As much of a text as an example needs.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
