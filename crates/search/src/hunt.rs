//! How far a query has been answered in a game.

use tabiya_game::GameResult;

use crate::{
    Castled, Moment, Path, Query, Scene, Streak, Test,
    material::balance,
    path::Progress,
    sacrifice::{Offers, Weighed},
};

/// What is known about a query so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It is answered, after so many plies.
    Yes(u32),
    /// It cannot be answered any more.
    No,
    /// Who knows.
    Open,
}

/// A query and what it has seen of a game.
#[derive(Debug)]
pub(crate) struct Hunt<'q> {
    shape: Shape,
    leaves: Vec<Leaf<'q>>,
    line: Line,
    /// Somebody asks for the balance of material.
    weighs: bool,
    /// Variations come, too: lines are kept for them.
    pub(crate) variations: bool,
    /// As it was before the last ply, if variations come.
    before: Line,
    /// The lines that wait for a variation to end.
    waiting: Vec<(Line, Line)>,
}

/// How the answers of the leaves are put together.
#[derive(Debug)]
enum Shape {
    Leaf(usize),
    All(Vec<Shape>),
    Any(Vec<Shape>),
    Not(Box<Shape>),
}

/// A part of a query that is answered by itself.
#[derive(Debug)]
struct Leaf<'q> {
    question: Question<'q>,
    found: Option<u32>,
    /// It will not be found in the main line any more.
    hopeless: bool,
}

#[derive(Clone, Copy, Debug)]
enum Question<'q> {
    Somewhere(&'q Test),
    Held(u32, &'q Test),
    Sequence(&'q [Streak]),
    Ends(&'q Test),
    Result(&'q [GameResult]),
    Manoeuvre(&'q Path),
    Sacrifice(u32),
}

/// What a line has come to.
#[derive(Clone, Debug, Default)]
struct Line {
    /// The start has come.
    begun: bool,
    ply: u32,
    castled: Castled,
    /// The balances now, a ply ago and two plies ago; as far as there were any, and somebody asks.
    balances: [Option<i32>; 3],
    /// One for each leaf.
    steps: Vec<Step>,
}

/// How far a leaf has come in a line.
#[derive(Clone, Debug)]
enum Step {
    /// It remembers nothing.
    None,
    /// Positions in a row.
    Count(u32),
    Sequence(Row),
    /// Whether the last position passed, and where it was.
    Last(bool, u32),
    Path(Progress),
    Offers(Offers),
}

/// How far a sequence has come.
#[derive(Clone, Debug, Default)]
struct Row {
    /// Streaks that have been found.
    done: usize,
    /// For each test of the next one, whether the last position answers it, and the positions
    /// before that the tests before it.
    answered: Vec<bool>,
}

impl<'q> Hunt<'q> {
    pub(crate) fn new(query: &'q Query) -> Hunt<'q> {
        let mut leaves = Vec::new();
        let shape = Shape::of(query, &mut leaves);
        let weighs = |leaf: &Leaf<'_>| matches!(leaf.question, Question::Sacrifice(_));
        let mut hunt = Hunt {
            weighs: leaves.iter().any(weighs),
            variations: false,
            shape,
            leaves,
            line: Line::default(),
            before: Line::default(),
            waiting: Vec::new(),
        };
        hunt.clear();
        hunt
    }

    /// A game begins.
    pub(crate) fn clear(&mut self) {
        let mut steps = std::mem::take(&mut self.line.steps);
        steps.clear();
        steps.extend(self.leaves.iter().map(|leaf| leaf.question.step()));
        self.line = Line {
            steps,
            ..Line::default()
        };
        self.keep_line();
        self.waiting.clear();
        for leaf in &mut self.leaves {
            leaf.found = None;
            leaf.hopeless = false;
        }
    }

    /// What comes next. The first of a game is its start.
    pub(crate) fn step(&mut self, scene: &Scene<'_>) {
        self.keep_line();
        let line = &mut self.line;
        if line.begun {
            line.ply += 1;
        }
        line.begun = true;
        line.castled.follow(scene);
        if self.weighs {
            line.balances.rotate_right(1);
            line.balances[0] = Some(balance(scene.board()));
        }
        let moment = Moment {
            scene: *scene,
            ply: line.ply,
            castled: line.castled,
        };
        for (leaf, step) in self.leaves.iter_mut().zip(&mut line.steps) {
            if leaf.found.is_none() {
                leaf.found = leaf.question.ask(step, &moment, &line.balances);
            }
            if let (Question::Somewhere(test), true) = (leaf.question, self.waiting.is_empty()) {
                leaf.hopeless |= !test.is_ahead(&moment);
            }
        }
    }

    /// A variation may take the place of what comes next.
    fn keep_line(&mut self) {
        if self.variations {
            self.before.clone_from(&self.line);
        }
    }

    /// A ply was left out: nobody knows what it did.
    pub(crate) fn miss(&mut self) {
        self.line.ply += 1;
    }

    /// A variation begins: what follows takes the place of the last ply.
    pub(crate) fn open(&mut self) {
        let line = self.before.clone();
        let left = std::mem::replace(&mut self.line, line.clone());
        let before = std::mem::replace(&mut self.before, line);
        self.waiting.push((left, before));
    }

    /// It ends.
    pub(crate) fn close(&mut self) {
        self.settle();
        if let Some((line, before)) = self.waiting.pop() {
            (self.line, self.before) = (line, before);
        }
    }

    /// The game ends: the ply at which it answers.
    pub(crate) fn end(&mut self, result: GameResult) -> Option<u32> {
        self.settle();
        for (leaf, step) in self.leaves.iter_mut().zip(&self.line.steps) {
            match (leaf.question, step) {
                (Question::Ends(_), Step::Last(true, ply)) => leaf.found = Some(*ply),
                (Question::Result(results), _) => {
                    let is_it = |wanted: &GameResult| wanted.token() == result.token();
                    leaf.found = results.iter().any(is_it).then_some(0);
                }
                _ => {}
            }
        }
        match self.shape.verdict(&self.leaves, &|leaf| match leaf.found {
            Some(ply) => Verdict::Yes(ply),
            None => Verdict::No,
        }) {
            Verdict::Yes(ply) => Some(ply),
            Verdict::No | Verdict::Open => None,
        }
    }

    /// What is known by now; `final_line` if nothing but this line counts.
    pub(crate) fn verdict(&self, final_line: bool) -> Verdict {
        self.shape.verdict(&self.leaves, &|leaf| match leaf.found {
            Some(ply) => Verdict::Yes(ply),
            None if leaf.hopeless && final_line => Verdict::No,
            None => Verdict::Open,
        })
    }

    /// Nothing comes back after the end of a line.
    fn settle(&mut self) {
        for (leaf, step) in self.leaves.iter_mut().zip(&mut self.line.steps) {
            if let Step::Offers(offers) = step {
                let first = offers.settle();
                leaf.found = leaf.found.or(first);
            }
        }
    }
}

impl Shape {
    fn of<'q>(query: &'q Query, leaves: &mut Vec<Leaf<'q>>) -> Shape {
        let question = match query {
            Query::All(queries) => {
                return Shape::All(queries.iter().map(|part| Shape::of(part, leaves)).collect());
            }
            Query::Any(queries) => {
                return Shape::Any(queries.iter().map(|part| Shape::of(part, leaves)).collect());
            }
            Query::Not(query) => return Shape::Not(Box::new(Shape::of(query, leaves))),
            Query::Somewhere(test) => Question::Somewhere(test),
            Query::Held(plies, test) => Question::Held(*plies, test),
            Query::Sequence(streaks) => Question::Sequence(streaks),
            Query::Ends(test) => Question::Ends(test),
            Query::Result(results) => Question::Result(results),
            Query::Manoeuvre(path) => Question::Manoeuvre(path),
            Query::Sacrifice(plies) => Question::Sacrifice(*plies),
        };
        leaves.push(Leaf {
            question,
            found: None,
            hopeless: false,
        });
        Shape::Leaf(leaves.len() - 1)
    }

    fn verdict(&self, leaves: &[Leaf<'_>], ask: &impl Fn(&Leaf<'_>) -> Verdict) -> Verdict {
        match self {
            Shape::Leaf(leaf) => ask(&leaves[*leaf]),
            Shape::All(parts) => {
                let mut all = Verdict::Yes(0);
                for part in parts {
                    all = match (all, part.verdict(leaves, ask)) {
                        (Verdict::No, _) | (_, Verdict::No) => Verdict::No,
                        (Verdict::Open, _) | (_, Verdict::Open) => Verdict::Open,
                        // Where the last of them holds, all do.
                        (Verdict::Yes(one), Verdict::Yes(other)) => Verdict::Yes(one.max(other)),
                    };
                }
                all
            }
            Shape::Any(parts) => {
                let (mut first, mut open, mut may_come_first) = (None::<u32>, false, false);
                for part in parts {
                    match part.verdict(leaves, ask) {
                        Verdict::Yes(ply) => first = Some(first.map_or(ply, |one| one.min(ply))),
                        Verdict::Open => {
                            open = true;
                            may_come_first |= part.may_hold_from_the_start(leaves);
                        }
                        Verdict::No => {}
                    }
                }
                match first {
                    Some(ply) if ply == 0 || !may_come_first => Verdict::Yes(ply),
                    Some(_) => Verdict::Open,
                    None if open => Verdict::Open,
                    None => Verdict::No,
                }
            }
            Shape::Not(part) => match part.verdict(leaves, ask) {
                Verdict::Yes(_) => Verdict::No,
                Verdict::No => Verdict::Yes(0),
                Verdict::Open => Verdict::Open,
            },
        }
    }

    /// Whether a part of it that is known only at the end holds for the whole game, and so before
    /// everything that has been found.
    fn may_hold_from_the_start(&self, leaves: &[Leaf<'_>]) -> bool {
        match self {
            Shape::Leaf(leaf) => matches!(leaves[*leaf].question, Question::Result(_)),
            Shape::All(parts) | Shape::Any(parts) => parts
                .iter()
                .any(|part| part.may_hold_from_the_start(leaves)),
            Shape::Not(_) => true,
        }
    }
}

impl Question<'_> {
    fn step(&self) -> Step {
        match self {
            Question::Somewhere(_) | Question::Result(_) => Step::None,
            Question::Held(..) => Step::Count(0),
            Question::Sequence(_) => Step::Sequence(Row::default()),
            Question::Ends(_) => Step::Last(false, 0),
            Question::Manoeuvre(_) => Step::Path(Progress::default()),
            Question::Sacrifice(_) => Step::Offers(Offers::default()),
        }
    }

    /// Where it is answered, if this moment answers it.
    fn ask(
        &self,
        step: &mut Step,
        moment: &Moment<'_>,
        balances: &[Option<i32>; 3],
    ) -> Option<u32> {
        let found = match (self, step) {
            (Question::Somewhere(test), _) => test.holds(moment),
            (Question::Held(plies, test), Step::Count(count)) => {
                *count = if test.holds(moment) { *count + 1 } else { 0 };
                *count >= *plies && *count > 0
            }
            (Question::Sequence(streaks), Step::Sequence(row)) => row.follow(streaks, moment),
            (Question::Ends(test), Step::Last(passed, ply)) => {
                (*passed, *ply) = (test.holds(moment), moment.ply);
                false
            }
            (Question::Manoeuvre(path), Step::Path(progress)) => {
                let made = moment.scene.step();
                made.is_some_and(|made| path.follow(progress, &made))
            }
            (Question::Sacrifice(plies), Step::Offers(offers)) => {
                let [Some(now), _, earlier] = *balances else {
                    return None;
                };
                let capture = moment.scene.step().filter(|step| step.taken.is_some());
                let weighed = Weighed {
                    ply: moment.ply,
                    now,
                    earlier,
                    captured_by: capture.map(|step| step.piece.color),
                };
                return offers.follow(*plies, &weighed);
            }
            _ => false,
        };
        found.then_some(moment.ply)
    }
}

impl Row {
    /// Whether the last streak is complete.
    fn follow(&mut self, streaks: &[Streak], moment: &Moment<'_>) -> bool {
        let Some(streak) = streaks.get(self.done) else {
            return true;
        };
        self.answered.resize(streak.len(), false);
        for place in (0..streak.len()).rev() {
            let so_far = place == 0 || self.answered[place - 1];
            self.answered[place] = so_far && streak[place].holds(moment);
        }
        if self.answered.last().is_none_or(|last| *last) {
            self.done += 1;
            self.answered.clear();
        }
        self.done == streaks.len()
    }
}
