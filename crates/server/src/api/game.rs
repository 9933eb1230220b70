//! `GET /api/games/{id}`: a game with all that is said about its moves.

use axum::{
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tabiya::{
    Annotation, CommentPlace, Event, Flow, GameErrorKind, GameResult, GameSink, GameTree,
};
use tabiya_chess::{Action, Color, Position};
use tabiya_formats::pgn;
use tabiya_game::{Comment, MarkColor, Profile, Score, command};
use utoipa::ToSchema;

use crate::{
    app::Shared,
    failure::{ErrorAnswer, Failure},
    position::{MoveName, fen},
    work::Work,
};

/// A game, as it is told. It is never put together: its head and its lines are written one behind
/// the other, since variations may be nested deeply.
#[derive(Serialize, ToSchema)]
pub struct GameBody {
    #[serde(flatten)]
    head: GameHead,
    /// The main line.
    line: Vec<LineMove>,
}

/// A game without its moves.
#[derive(Serialize, ToSchema)]
pub struct GameHead {
    id: u64,
    /// Names and values in their order, two texts each.
    #[schema(value_type = Vec<Vec<String>>)]
    tags: Vec<(String, String)>,
    /// Where it starts.
    fen: String,
    result: &'static str,
    deleted: bool,
    /// What could not be read, in words for people.
    errors: Vec<String>,
    /// What is said before the first move.
    comment: String,
    #[serde(flatten)]
    marks: Marks,
}

/// What is drawn on the board.
#[derive(Default, Serialize, ToSchema)]
pub struct Marks {
    arrows: Vec<ArrowBody>,
    squares: Vec<SquareBody>,
}

/// A move of a game, with what is said about it and the lines that may replace it.
#[derive(Serialize, ToSchema)]
pub struct LineMove {
    #[serde(flatten)]
    node: Node,
    #[schema(no_recursion)]
    variations: Vec<Vec<LineMove>>,
}

/// A move, and what is said about it.
#[derive(Serialize, ToSchema)]
pub struct Node {
    /// Which ply of the game it is, from 1.
    ply: usize,
    #[serde(flatten)]
    name: MoveName,
    /// The position after it.
    fen: String,
    nags: Vec<u16>,
    /// What is said before it.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    before: String,
    /// What is said behind it.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    comment: String,
    /// Seconds on the mover's clock after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    evaluation: Option<EvaluationBody>,
    #[serde(flatten)]
    marks: Marks,
    #[serde(skip)]
    variations: Vec<usize>,
    #[serde(skip)]
    mover: Mover,
}

/// Who has moved.
#[derive(Clone, Copy)]
struct Mover(Color);

/// What an engine thinks, for White.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EvaluationBody {
    /// In hundredths of a pawn.
    Cp(i32),
    /// Mate in so many moves, negative if Black mates.
    Mate(i32),
}

impl From<Score> for EvaluationBody {
    fn from(score: Score) -> EvaluationBody {
        match score {
            Score::Centipawns(value) => EvaluationBody::Cp(value),
            Score::Mate(moves) => EvaluationBody::Mate(moves),
        }
    }
}

/// An arrow.
#[derive(Serialize, ToSchema)]
pub struct ArrowBody {
    from: String,
    to: String,
    colour: Colour,
}

/// A coloured square.
#[derive(Serialize, ToSchema)]
pub struct SquareBody {
    square: String,
    colour: Colour,
}

/// The colour of a mark; rarer ones are shown as yellow.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    Green,
    Red,
    Yellow,
    Blue,
}

impl From<MarkColor> for Colour {
    fn from(color: MarkColor) -> Colour {
        match color {
            MarkColor::GREEN => Colour::Green,
            MarkColor::RED => Colour::Red,
            MarkColor::BLUE => Colour::Blue,
            _ => Colour::Yellow,
        }
    }
}

/// A game with its variations, comments, clocks and marks.
#[utoipa::path(
    get,
    path = "/api/games/{id}",
    params(("id" = u64, Path, description = "its number in the database", minimum = 1)),
    responses(
        (status = 200, body = GameBody),
        (status = 400, description = "no number", body = ErrorAnswer),
        (status = 404, description = "no such game", body = ErrorAnswer),
        (status = 413, description = "more moves than are told as JSON", body = ErrorAnswer),
        (status = 503, description = "too many questions", body = ErrorAnswer),
    )
)]
pub async fn game(State(app): State<Shared>, Path(id): Path<String>) -> Result<Response, Failure> {
    if let Some(id) = id.strip_suffix(".pgn") {
        return pgn(app, id).await;
    }
    let id = number(&id)?;
    let most = app.options.limits.moves;
    let body = app.ask(move |work| {
        let game = read(work, id)?;
        let mut listener = Listener::new(most);
        game.tell(&mut listener);
        if listener.nodes.len() > most {
            let words =
                format!("the game has more than {most} moves: /api/games/{id}.pgn has them");
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, words));
        }
        let is_deleted = work.opened.store.is_deleted(id);
        listener.finish(id, &game, is_deleted)
    });
    Ok(json(body.await?))
}

/// A game as PGN.
#[utoipa::path(
    get,
    path = "/api/games/{id}.pgn",
    params(("id" = u64, Path, description = "its number in the database", minimum = 1)),
    responses(
        (status = 200, description = "the game", content_type = "application/x-chess-pgn", body = String),
        (status = 400, description = "no number", body = ErrorAnswer),
        (status = 404, description = "no such game", body = ErrorAnswer),
        (status = 503, description = "too many questions", body = ErrorAnswer),
    )
)]
pub async fn pgn(app: Shared, id: &str) -> Result<Response, Failure> {
    let id = number(id)?;
    let text = app.ask(move |work| {
        let mut writer = pgn::Writer::default();
        read(work, id)?.tell(&mut writer);
        Ok(writer.take())
    });
    let content_type = (
        header::CONTENT_TYPE,
        "application/x-chess-pgn; charset=utf-8",
    );
    Ok(([content_type], text.await?).into_response())
}

fn number(text: &str) -> Result<u64, Failure> {
    let number = text.parse();
    number.map_err(|_| Failure::wrong("expected the number of a game, such as 7"))
}

fn read(work: &Work, id: u64) -> Result<GameTree, Failure> {
    let mut games: Vec<GameTree> = Vec::new();
    work.opened.store.tell(id, &mut games)?;
    let words = || format!("entry {id} is no game");
    games.pop().ok_or_else(|| Failure::not_found(words()))
}

fn json(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Hears a game. Lines know their moves and moves their variations by numbers: nothing is nested, so
/// that no game is too deep.
struct Listener {
    /// After so many moves it hears no more.
    most: usize,
    nodes: Vec<Node>,
    /// The main line is the first.
    lines: Vec<Vec<usize>>,
    /// Lines that are open, the innermost last, each with the ply before its first move.
    open: Vec<(usize, usize)>,
    /// What stands before the next move.
    before: String,
    comment: String,
    /// What is drawn before the first move.
    marks: Marks,
    errors: Vec<String>,
    /// The evaluations of the main line, where they stand together.
    profile: Option<Profile>,
}

impl Listener {
    fn new(most: usize) -> Listener {
        Listener {
            most,
            nodes: Vec::new(),
            lines: vec![Vec::new()],
            open: vec![(0, 0)],
            before: String::new(),
            comment: String::new(),
            marks: Marks::default(),
            errors: Vec::new(),
            profile: None,
        }
    }

    fn current(&self) -> (usize, usize) {
        self.open.last().copied().unwrap_or_default()
    }

    /// The last move of the line that is open.
    fn last(&mut self) -> Option<&mut Node> {
        let place = *self.lines[self.current().0].last()?;
        self.nodes.get_mut(place)
    }

    fn play(&mut self, before: &Position, action: Action) {
        let mut after = *before;
        after.act(action);
        let (line, start) = self.current();
        let node = Node {
            ply: start + self.lines[line].len() + 1,
            name: match action {
                Action::Move(play) => MoveName::of(before, play),
                Action::Null => MoveName {
                    uci: "0000".to_owned(),
                    san: "--".to_owned(),
                },
            },
            fen: fen(&after),
            nags: Vec::new(),
            before: std::mem::take(&mut self.before),
            comment: String::new(),
            clock: None,
            evaluation: None,
            marks: Marks::default(),
            variations: Vec::new(),
            mover: Mover(before.turn()),
        };
        self.lines[line].push(self.nodes.len());
        self.nodes.push(node);
    }

    fn begin_variation(&mut self) {
        let (line, start) = self.current();
        let before = start + self.lines[line].len().saturating_sub(1);
        let variation = self.lines.len();
        self.lines.push(Vec::new());
        if let Some(node) = self.last() {
            node.variations.push(variation);
        }
        self.open.push((variation, before));
    }

    fn end_variation(&mut self) {
        self.settle();
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// What stands before a move that never came is said behind the last one.
    fn settle(&mut self) {
        let left = std::mem::take(&mut self.before);
        self.say(&left);
    }

    /// Says something behind the last move, or before the first.
    fn say(&mut self, text: &str) {
        let is_main = self.open.len() == 1;
        match self.last() {
            Some(node) => append(&mut node.comment, text),
            None if is_main => append(&mut self.comment, text),
            None => append(&mut self.before, text),
        }
    }

    /// A comment: words for people, and commands, which are shown in other ways.
    fn comment(&mut self, comment: &Comment<'_>) {
        let mut words = String::new();
        for part in command::parts(comment.text) {
            let shown = match part {
                command::Part::Command(command) => command.annotation(),
                command::Part::Text(_) => None,
            };
            match shown {
                Some(annotation) if self.annotate(&annotation) => {}
                _ => words.push_str(part.raw()),
            }
        }
        // What engines write in their own ways stays, and is understood.
        let mover = self.last().map_or(Color::White, |node| node.mover.0);
        for annotation in command::annotations(&words, mover) {
            self.annotate(&annotation);
        }
        match comment.place {
            CommentPlace::Before => append(&mut self.before, words.trim()),
            CommentPlace::After => self.say(words.trim()),
        }
    }

    /// What is drawn at the last move, or before the first one of the game.
    fn marks(&mut self, is_start: bool) -> Option<&mut Marks> {
        match is_start {
            true => Some(&mut self.marks),
            false => self.last().map(|node| &mut node.marks),
        }
    }

    /// Shows an annotation at the last move; whether there is a way to show it.
    fn annotate(&mut self, annotation: &Annotation) -> bool {
        if let Annotation::EvaluationProfile(profile) = annotation {
            self.profile = Some(profile.clone());
            return true;
        }
        let is_start = self.lines[0].is_empty();
        match annotation {
            Annotation::Clock(time) => match self.last() {
                Some(node) => node.clock = Some(time.as_secs_f64()),
                None => return false,
            },
            Annotation::Evaluation(evaluation) => match self.last() {
                Some(node) => node.evaluation = Some(evaluation.score.into()),
                None => return false,
            },
            Annotation::Arrows(arrows) => {
                let arrows = arrows.iter().map(|arrow| ArrowBody {
                    from: arrow.from.to_string(),
                    to: arrow.to.to_string(),
                    colour: arrow.color.into(),
                });
                match self.marks(is_start) {
                    Some(marks) => marks.arrows.extend(arrows),
                    None => return false,
                }
            }
            Annotation::Squares(squares) => {
                let squares = squares.iter().map(|mark| SquareBody {
                    square: mark.square.to_string(),
                    colour: mark.color.into(),
                });
                match self.marks(is_start) {
                    Some(marks) => marks.squares.extend(squares),
                    None => return false,
                }
            }
            _ => return false,
        }
        true
    }

    /// Gives moves of the main line the evaluations that stand together.
    fn spread_profile(&mut self) {
        let Some(profile) = self.profile.take() else {
            return;
        };
        let scores = (usize::from(profile.first)..).zip(profile.scores());
        for (ply, score) in scores {
            let place = ply
                .checked_sub(1)
                .and_then(|place| self.lines[0].get(place));
            if let (Some(&place), Some(score)) = (place, score) {
                let evaluation = &mut self.nodes[place].evaluation;
                evaluation.get_or_insert(score.into());
            }
        }
    }

    fn error(&mut self, kind: GameErrorKind, message: &str, raw: &str) {
        let ply = self.last().map_or(0, |node| node.ply);
        let words = format!("after ply {ply}: {}: {message}: {raw}", kind.name());
        self.errors.push(words);
    }

    /// The whole answer, written without going deeper for each variation.
    fn finish(mut self, id: u64, game: &GameTree, deleted: bool) -> Result<Vec<u8>, Failure> {
        self.settle();
        self.spread_profile();
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let head = GameHead {
            id,
            tags: game.tags.iter().map(owned).collect(),
            fen: fen(&game.start),
            result: GameResult::tag(game.result),
            deleted,
            errors: std::mem::take(&mut self.errors),
            comment: std::mem::take(&mut self.comment),
            marks: std::mem::take(&mut self.marks),
        };
        let mut out = open_object(&head)?;
        out.extend_from_slice(b",\"line\":");
        self.write_lines(&mut out)?;
        out.push(b'}');
        Ok(out)
    }

    fn write_lines(&self, out: &mut Vec<u8>) -> Result<(), Failure> {
        /// What is still to be written.
        enum Step {
            Line(usize),
            Move(usize),
            Text(&'static [u8]),
        }
        let mut steps = vec![Step::Line(0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Text(text) => out.extend_from_slice(text),
                Step::Line(line) => {
                    out.push(b'[');
                    steps.push(Step::Text(b"]"));
                    push_list(&mut steps, &self.lines[line], Step::Move, || {
                        Step::Text(b",")
                    });
                }
                Step::Move(place) => {
                    let node = &self.nodes[place];
                    out.extend(open_object(node)?);
                    out.extend_from_slice(b",\"variations\":[");
                    steps.push(Step::Text(b"]}"));
                    push_list(&mut steps, &node.variations, Step::Line, || {
                        Step::Text(b",")
                    });
                }
            }
        }
        Ok(())
    }
}

/// Puts items on a stack so that they come off in their order, with something between them.
fn push_list<S>(
    steps: &mut Vec<S>,
    items: &[usize],
    step: impl Fn(usize) -> S,
    between: impl Fn() -> S,
) {
    for (place, &item) in items.iter().enumerate().rev() {
        steps.push(step(item));
        if place > 0 {
            steps.push(between());
        }
    }
}

/// An object as JSON, without the brace at its end.
fn open_object(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut text =
        serde_json::to_vec(value).map_err(|error| Failure::internal(error.to_string()))?;
    text.pop();
    Ok(text)
}

fn append(to: &mut String, text: &str) {
    if text.is_empty() {
        return;
    }
    if !to.is_empty() {
        to.push('\n');
    }
    to.push_str(text);
}

impl GameSink for Listener {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Move { before, play, .. } => self.play(before, Action::Move(play)),
            Event::Null { before, .. } => self.play(before, Action::Null),
            Event::Missing => {
                let ply = self.last().map_or(0, |node| node.ply);
                self.errors
                    .push(format!("after ply {ply}: a ply was left out"));
            }
            Event::Nag(nag) => match self.last() {
                Some(node) => node.nags.push(nag.0),
                None => self.say(&format!("${}", nag.0)),
            },
            Event::Comment(comment) => self.comment(&comment),
            Event::Annotation(annotation) => {
                if !self.annotate(annotation)
                    && let Some(command) = annotation.to_command()
                {
                    self.say(&command);
                }
            }
            Event::Error(error) => self.error(error.kind, error.message, error.raw),
            Event::VariationStart => self.begin_variation(),
            Event::VariationEnd => self.end_variation(),
            _ => {}
        }
        match self.nodes.len() > self.most {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }
}
