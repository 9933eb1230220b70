//! Comments by which a server judges a move: ` (0.24 → 1.00) Inaccuracy. Nf6 was best. `.
//!
//! As with the [shapes](crate::shape) of clocks and evaluations, one that is spelled otherwise is none.

use std::fmt::Write;

use tabiya_game::Score;

use crate::shape;

/// What a server says of a move.
const WORDS: [&str; 5] = [
    "Inaccuracy",
    "Mistake",
    "Blunder",
    "Checkmate is now unavoidable",
    "Lost forced checkmate sequence",
];

/// A judgement of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Judgement {
    /// Which of the words.
    pub word: u8,
    /// The evaluation before the move.
    pub before: Score,
    /// And after it.
    pub after: Score,
    pub best: San,
}

/// The move that was best, as it is spelled; no move has more characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct San {
    bytes: [u8; 8],
    len: u8,
}

impl San {
    /// A text, if it is short and has nothing that moves do not have.
    pub fn of(text: &[u8]) -> Option<San> {
        let mut bytes = [0; 8];
        let all = text.iter().all(u8::is_ascii_graphic);
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        let len = text.len() as u8;
        all.then_some(San { bytes, len })
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl Judgement {
    /// Whether there is such a word.
    pub fn is_sound(&self) -> bool {
        usize::from(self.word) < WORDS.len()
    }

    /// Takes a comment apart, if it is one and comes back as it is.
    pub fn parse(text: &str) -> Option<Judgement> {
        let (scores, rest) = text.strip_prefix(" (")?.split_once(") ")?;
        let (before, after) = scores.split_once(" → ")?;
        let (word, best) = rest.strip_suffix(" was best. ")?.rsplit_once(". ")?;
        let word = WORDS.iter().position(|it| *it == word)?;
        let judgement = Judgement {
            word: word as u8,
            before: score(before)?,
            after: score(after)?,
            best: San::of(best.as_bytes())?,
        };
        let mut spelled = String::new();
        judgement.spell(&mut spelled);
        (spelled == text).then_some(judgement)
    }

    /// Spells it.
    pub fn spell(&self, out: &mut String) {
        out.push_str(" (");
        spell_score(self.before, out);
        out.push_str(" → ");
        spell_score(self.after, out);
        let word = WORDS.get(usize::from(self.word)).unwrap_or(&"");
        let best = String::from_utf8_lossy(self.best.as_bytes());
        let _ = write!(out, ") {word}. {best} was best. ");
    }
}

/// `-0.51` or `Mate in 3`.
fn score(text: &str) -> Option<Score> {
    match text.strip_prefix("Mate in ") {
        Some(moves) => moves.parse().ok().map(Score::Mate),
        None => shape::score(text, &mut false),
    }
}

fn spell_score(score: Score, out: &mut String) {
    match score {
        Score::Mate(moves) => {
            let _ = write!(out, "Mate in {moves}");
        }
        Score::Centipawns(_) => shape::spell_score(Some(score), true, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lichess_says_comes_back() {
        for text in [
            " (-0.51 → -1.62) Inaccuracy. a4 was best. ",
            " (0.19 → -0.53) Blunder. Qh6+ was best. ",
            " (12.30 → Mate in 9) Checkmate is now unavoidable. O-O-O was best. ",
            " (Mate in 1 → 0.00) Lost forced checkmate sequence. exd8=Q# was best. ",
        ] {
            let judgement = Judgement::parse(text).expect(text);
            let mut spelled = String::new();
            judgement.spell(&mut spelled);
            assert_eq!(spelled, text);
        }
    }

    #[test]
    fn other_spellings_are_none() {
        for text in [
            "",
            " (0.1 → 0.50) Mistake. a4 was best. ",
            "(0.10 → 0.50) Mistake. a4 was best.",
            " (0.10 → 0.50) Mistake. a4 b5 was best. ",
            " (0.10 → 0.50) Mistake. Nine chars was best. ",
            " (0.10 → Mate in 03) Mistake. a4 was best. ",
            " (0.10 → Mate in +3) Mistake. a4 was best. ",
            " (-0.00 → 0.50) Mistake. a4 was best. ",
            " (0.10 → 0.50) Mistake.  was best. too ",
            " (0.10 → 0.50) mistake. a4 was best. ",
            " (0.10 → 0.50) Mistake. é was best. ",
        ] {
            assert_eq!(Judgement::parse(text), None, "{text}");
        }
    }
}
