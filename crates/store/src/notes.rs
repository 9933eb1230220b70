//! Clocks and evaluations of a game's main line as columns.
//!
//! Of each ply it is kept which [shape](Shape) its comment or annotation has, as runs of equal ones, and the
//! numbers as differences: a clock to the last one of the same side, an evaluation to the last
//! one. A Lichess game with both costs about two bytes a ply; what a server says of bad moves comes with it.

use tabiya_game::Score;

use crate::{
    judgement::{Judgement, San},
    number::{put, put_bytes, take, take_bytes, unzigzag, zigzag},
    shape::{Before, Numbers, Shape, has},
};

/// The columns of a game, each a cell of bytes; all empty for a game without such comments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Notes {
    /// Runs of plies: their number, and the code of their shape or 0.
    pub shapes: Vec<u8>,
    /// Time left.
    pub clocks: Vec<u8>,
    /// Time spent.
    pub spent: Vec<u8>,
    /// Evaluations.
    pub scores: Vec<u8>,
    /// Judgements.
    pub judgements: Vec<u8>,
}

impl Notes {
    pub fn clear(&mut self) {
        for column in [
            &mut self.shapes,
            &mut self.clocks,
            &mut self.spent,
            &mut self.scores,
            &mut self.judgements,
        ] {
            column.clear();
        }
    }

    /// Puts the comments of a main line into columns; a place for each ply.
    pub fn fill(&mut self, plies: &[Option<(Shape, Numbers)>]) {
        self.clear();
        let used = plies
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        let mut last = Last::default();
        let code = |ply: &Option<(Shape, Numbers)>| ply.map_or(0, |(shape, _)| shape.code());
        for run in plies[..used].chunk_by(|one, other| code(one) == code(other)) {
            put(run.len() as u64, &mut self.shapes);
            self.shapes.push(code(&run[0]));
        }
        for (ply, comment) in plies[..used].iter().enumerate() {
            let Some((_, numbers)) = comment else {
                continue;
            };
            if let Some(clock) = numbers.clock {
                put(zigzag(last.clock(ply, clock)), &mut self.clocks);
            }
            if let Some(spent) = numbers.spent {
                put(u64::from(spent), &mut self.spent);
            }
            let before = last.score;
            match numbers.score {
                Some(Score::Mate(moves)) => put(zigzag(moves.into()) << 1 | 1, &mut self.scores),
                Some(Score::Centipawns(value)) => {
                    let difference = i64::from(value) - last.score;
                    last.score = value.into();
                    put(zigzag(difference) << 1, &mut self.scores);
                }
                None => {}
            }
            if let Some(judgement) = &numbers.judgement {
                put_judgement(judgement, before, last.score, &mut self.judgements);
            }
        }
    }
}

/// The evaluations of a judgement are those of the plies, as a rule: differences are zero.
fn put_judgement(judgement: &Judgement, before: i64, after: i64, out: &mut Vec<u8>) {
    let put_score = |score: Score, known: i64, out: &mut Vec<u8>| match score {
        Score::Mate(moves) => put(zigzag(moves.into()) << 1 | 1, out),
        Score::Centipawns(value) => put(zigzag(i64::from(value) - known) << 1, out),
    };
    out.push(judgement.word);
    put_score(judgement.before, before, out);
    put_score(judgement.after, after, out);
    put_bytes(judgement.best.as_bytes(), out);
}

fn take_judgement(bytes: &mut &[u8], before: i64, after: i64) -> Option<Judgement> {
    let take_score = |known: i64, bytes: &mut &[u8]| {
        let code = take(bytes)?;
        let value = unzigzag(code >> 1);
        Some(match code & 1 {
            1 => Score::Mate(value.try_into().ok()?),
            _ => Score::Centipawns(known.checked_add(value)?.try_into().ok()?),
        })
    };
    let (&word, rest) = bytes.split_first()?;
    *bytes = rest;
    let judgement = Judgement {
        word,
        before: take_score(before, bytes)?,
        after: take_score(after, bytes)?,
        best: San::of(take_bytes(bytes)?)?,
    };
    judgement.is_sound().then_some(judgement)
}

/// The numbers that others are told from.
#[derive(Default)]
struct Last {
    clocks: [i64; 2],
    score: i64,
}

impl Last {
    /// The difference of a clock to the last one of the same side, which it then is.
    fn clock(&mut self, ply: usize, clock: u32) -> i64 {
        let last = std::mem::replace(&mut self.clocks[ply % 2], clock.into());
        i64::from(clock) - last
    }
}

/// Borrowed columns, as they lie in a segment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoteCells<'a> {
    pub shapes: &'a [u8],
    pub clocks: &'a [u8],
    pub spent: &'a [u8],
    pub scores: &'a [u8],
    pub judgements: &'a [u8],
}

impl<'a> From<&'a Notes> for NoteCells<'a> {
    fn from(notes: &'a Notes) -> NoteCells<'a> {
        NoteCells {
            shapes: &notes.shapes,
            clocks: &notes.clocks,
            spent: &notes.spent,
            scores: &notes.scores,
            judgements: &notes.judgements,
        }
    }
}

/// Tells the comments of a main line ply by ply.
pub(crate) struct NoteReader<'a> {
    cells: NoteCells<'a>,
    ply: usize,
    /// The run that is being told.
    left: u64,
    code: u8,
    last: Last,
}

impl<'a> NoteReader<'a> {
    pub fn new(cells: NoteCells<'a>) -> NoteReader<'a> {
        NoteReader {
            cells,
            ply: 0,
            left: 0,
            code: 0,
            last: Last::default(),
        }
    }

    /// The comment of the next ply. What is damaged is told as far as it goes.
    pub fn next_ply(&mut self) -> Option<(Shape, Numbers)> {
        while self.left == 0 {
            self.left = take(&mut self.cells.shapes)?;
            let (&code, rest) = self.cells.shapes.split_first()?;
            self.cells.shapes = rest;
            self.code = code;
        }
        self.left -= 1;
        let ply = self.ply;
        self.ply += 1;
        let shape = Shape::of_code(self.code)?;
        let (clock, spent, score) = has(shape);
        let before = self.last.score;
        let mut numbers = Numbers {
            judgement: None,
            clock: if clock { Some(self.clock(ply)?) } else { None },
            spent: if spent {
                Some(take(&mut self.cells.spent)?.try_into().ok()?)
            } else {
                None
            },
            score: if score { Some(self.score()?) } else { None },
        };
        if shape.before == Before::Judgement {
            let judgement = take_judgement(&mut self.cells.judgements, before, self.last.score);
            numbers.judgement = Some(judgement?);
        }
        Some((shape, numbers))
    }

    fn clock(&mut self, ply: usize) -> Option<u32> {
        let difference = unzigzag(take(&mut self.cells.clocks)?);
        let last = &mut self.last.clocks[ply % 2];
        *last = last.checked_add(difference)?;
        u32::try_from(*last).ok()
    }

    fn score(&mut self) -> Option<Score> {
        let code = take(&mut self.cells.scores)?;
        let value = unzigzag(code >> 1);
        if code & 1 == 1 {
            return i32::try_from(value).ok().map(Score::Mate);
        }
        self.last.score = self.last.score.checked_add(value)?;
        i32::try_from(self.last.score).ok().map(Score::Centipawns)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shape::parse;

    fn come_back(plies: &[Option<(Shape, Numbers)>]) -> Notes {
        let mut notes = Notes::default();
        notes.fill(plies);
        let mut reader = NoteReader::new((&notes).into());
        for ply in plies {
            assert_eq!(reader.next_ply(), *ply);
        }
        assert_eq!(reader.next_ply(), None);
        notes
    }

    #[test]
    fn a_game_of_a_server_takes_few_bytes() {
        let plies: Vec<_> = (0..80u32)
            .map(|ply| {
                let (clock, score) = (180 - ply, ply % 7);
                parse(&format!(
                    " [%eval 0.{score}3] [%clk 0:0{}:{:02}] ",
                    clock / 60,
                    clock % 60
                ))
            })
            .collect();
        assert!(plies.iter().all(Option::is_some));
        let notes = come_back(&plies);
        assert_eq!(notes.shapes.len(), 2);
        assert!(notes.clocks.len() <= 82, "{}", notes.clocks.len());
        assert!(notes.scores.len() <= 160, "{}", notes.scores.len());
    }

    proptest! {
        #[test]
        fn comments_of_any_shapes_come_back(
            plies in proptest::collection::vec(
                (0u8..=240, any::<u32>(), any::<u32>(), any::<i32>(), any::<bool>()),
                0..60,
            )
        ) {
            let plies: Vec<_> = plies
                .into_iter()
                .map(|(code, clock, spent, score, mate)| {
                    let shape = Shape::of_code(code)?;
                    let (has_clock, has_spent, has_score) = has(shape);
                    let score = match mate {
                        true => Score::Mate(score),
                        false => Score::Centipawns(score),
                    };
                    Some((shape, Numbers {
                        clock: has_clock.then_some(clock),
                        spent: has_spent.then_some(spent),
                        score: has_score.then_some(score),
                        judgement: (shape.before == Before::Judgement).then_some(Judgement {
                            word: code % 5,
                            before: score,
                            after: Score::Mate(7),
                            best: San::of(b"exd8=Q+").unwrap(),
                        }),
                    }))
                })
                .collect();
            come_back(&plies);
        }

        #[test]
        fn any_bytes_are_told(
            shapes: Vec<u8>,
            clocks: Vec<u8>,
            spent: Vec<u8>,
            scores: Vec<u8>,
            judgements: Vec<u8>,
        ) {
            let notes = Notes { shapes, clocks, spent, scores, judgements };
            let mut reader = NoteReader::new((&notes).into());
            for _ in 0..1_000 {
                reader.next_ply();
            }
        }
    }
}
