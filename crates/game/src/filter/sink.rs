//! A sink that lets wanted games through.

use super::{
    Filter,
    judge::{Judge, result_fits},
};
use crate::{Event, Flow, GameSink, GameTree, Listener, Needs, Place};

/// Forwards the games that a filter wants to another sink, whole, and drops the others.
///
/// The other sink hears nothing of a dropped game. A game is decided before its first move where
/// the tags suffice; otherwise it is kept as a [`GameTree`] until it ends.
///
/// ```
/// use tabiya_game::{Filter, Filtered, GameTree};
///
/// let filter = Filter { plies: Some("1..".parse()?), ..Filter::default() };
/// let mut filtered = Filtered::new(&filter, GameTree::default());
/// GameTree::default().tell(&mut filtered);
/// assert_eq!((filtered.passed(), filtered.dropped()), (0, 1));
/// # Ok::<(), tabiya_game::ParseSpanError>(())
/// ```
pub struct Filtered<'f, S> {
    filter: &'f Filter,
    sink: S,
    /// What the sink needs of this entry.
    needs: Needs,
    stage: Stage,
    judge: Judge,
    place: Place,
    tags: TagBuffer,
    tree: GameTree,
    depth: usize,
    plies: u64,
    /// A comment has the text that is asked for.
    commented: bool,
    passed: u64,
    dropped: u64,
    /// The number of the last entry that is no game.
    last_other: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Tags are coming.
    Tags,
    /// The game is wanted.
    Forward,
    /// It depends on the rest of the game.
    Wait,
    /// The game is not wanted.
    Drop,
}

impl<'f, S: GameSink> Filtered<'f, S> {
    /// Lets games through to a sink.
    pub fn new(filter: &'f Filter, sink: S) -> Filtered<'f, S> {
        Filtered {
            filter,
            sink,
            needs: Needs::ALL,
            stage: Stage::Tags,
            judge: Judge::default(),
            place: Place::default(),
            tags: TagBuffer::default(),
            tree: GameTree::default(),
            depth: 0,
            plies: 0,
            commented: false,
            passed: 0,
            dropped: 0,
            last_other: 0,
        }
    }

    /// The sink behind it.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// The sink behind it, to take something out.
    pub fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Gives the sink back.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// How many entries went through.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// How many entries were not wanted.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    fn start_game(&mut self, place: Place) {
        self.stage = Stage::Tags;
        self.judge = Judge::default();
        self.place = place;
        self.tags.clear();
        self.depth = 0;
        self.plies = 0;
        self.commented = false;
    }

    /// All tags are there, and the start, if it is asked for.
    fn decide(&mut self) -> Flow {
        if !self.judge.accepts(self.filter) || !self.judge.accepts_start(self.filter) {
            self.stage = Stage::Drop;
            return Flow::SkipGame;
        }
        let asks_rest = self.filter.plies.is_some() || self.filter.comment.is_some();
        if asks_rest || self.judge.lacks_result(self.filter) {
            self.stage = Stage::Wait;
            self.tree.event(Event::GameStart(self.place));
            self.tags.tell(&mut self.tree);
            return Flow::Continue;
        }
        self.stage = Stage::Forward;
        self.passed += 1;
        match self.sink.event(Event::GameStart(self.place)) {
            Flow::Continue if self.needs.tags => self.tags.tell(&mut self.sink),
            flow => flow,
        }
    }

    fn keep(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            Event::Move { .. } | Event::Null { .. } | Event::Missing if self.depth == 0 => {
                self.plies += 1;
            }
            Event::Comment(comment) if !self.commented => {
                let wanted = self.filter.comment.as_ref();
                self.commented = wanted.is_some_and(|words| words.occur_in(comment.text));
            }
            _ => {}
        }
        let most = self.filter.plies.and_then(|plies| plies.most);
        if most.is_some_and(|most| self.plies > most) {
            self.stage = Stage::Drop;
            return Flow::SkipGame;
        }
        self.tree.event(event)
    }

    fn end_game(&mut self, event: Event<'_>) -> Flow {
        // No moves were needed.
        let decided = match self.stage {
            Stage::Tags => self.decide(),
            _ => Flow::Continue,
        };
        match self.stage {
            Stage::Forward => {
                let flow = self.sink.event(event);
                return if decided == Flow::Stop {
                    Flow::Stop
                } else {
                    flow
                };
            }
            Stage::Wait if self.whole_game_fits(event) => {
                self.passed += 1;
                self.tree.event(event);
                let mut listener = Listener::settled(self.needs, &mut self.sink);
                self.tree.tell_to(&mut listener);
                return listener.finish();
            }
            _ => self.dropped += 1,
        }
        Flow::Continue
    }

    /// An entry that is no game, or another piece of the one before: a text in several languages is
    /// one.
    fn other(&mut self, place: Place, event: Event<'_>) -> Flow {
        let is_next = place.number == 0 || place.number != self.last_other;
        self.last_other = place.number;
        if self.filter.is_empty() {
            self.passed += u64::from(is_next);
            return self.sink.event(event);
        }
        self.dropped += u64::from(is_next);
        Flow::Continue
    }

    fn whole_game_fits(&self, end: Event<'_>) -> bool {
        let plies = self.filter.plies;
        let result = match end {
            Event::GameEnd { result, .. } => result,
            _ => return false,
        };
        plies.is_none_or(|span| span.contains(&self.plies))
            && (self.commented || self.filter.comment.is_none())
            && (!self.judge.lacks_result(self.filter) || result_fits(self.filter, result))
    }
}

impl<S: GameSink> GameSink for Filtered<'_, S> {
    fn needs(&mut self) -> Needs {
        let needs = self.sink.needs();
        self.needs = needs;
        let filter = self.filter;
        let comment = filter.comment.is_some();
        let moves = comment || filter.plies.is_some() || filter.chess960.is_some();
        needs
            .tags(needs.tags || !filter.is_empty())
            .moves(needs.moves || moves)
            .variations(needs.variations || comment)
            .notes(needs.notes || comment)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.start_game(place);
                Flow::Continue
            }
            Event::Tag { name, value } if self.stage == Stage::Tags => {
                self.judge.tag(self.filter, name, value);
                self.tags.push(name, value);
                Flow::Continue
            }
            Event::GameEnd { .. } => self.end_game(event),
            // An entry that is no game answers no question.
            Event::Text { place, .. } | Event::Opaque { place, .. } => self.other(place, event),
            _ => {
                if self.stage == Stage::Tags {
                    if let Event::Start(position) = event {
                        self.judge.start(self.filter, position);
                    }
                    let flow = self.decide();
                    if flow != Flow::Continue {
                        return flow;
                    }
                }
                match self.stage {
                    // The start was asked for by the filter alone.
                    Stage::Forward if !self.needs.moves => Flow::SkipGame,
                    Stage::Forward => self.sink.event(event),
                    Stage::Wait => self.keep(event),
                    Stage::Tags | Stage::Drop => Flow::SkipGame,
                }
            }
        }
    }
}

/// The tags of a game, one after the other in one text, so that its memory serves for all games.
#[derive(Default)]
struct TagBuffer {
    text: String,
    /// Where each name and each value ends.
    ends: Vec<(usize, usize)>,
}

impl TagBuffer {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value);
        self.ends.push((name_end, self.text.len()));
    }

    /// Tells them until the sink has heard enough.
    fn tell(&self, sink: &mut impl GameSink) -> Flow {
        let mut start = 0;
        for &(name_end, end) in &self.ends {
            let (name, value) = (&self.text[start..name_end], &self.text[name_end..end]);
            let flow = sink.event(Event::Tag { name, value });
            if flow != Flow::Continue {
                return flow;
            }
            start = end;
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::{Move, Position, Square, Variant, chess960};

    use super::*;
    use crate::{CommentPlace, Date, GameResult, Item, Tags, Words};

    fn game(tags: &[(&str, &str)], plies: usize) -> GameTree {
        let knights = [
            (Square::G1, Square::F3),
            (Square::G8, Square::F6),
            (Square::F3, Square::G1),
            (Square::F6, Square::G8),
        ];
        let moves = knights.into_iter().cycle().take(plies);
        let mut items: Vec<_> = moves.map(|(a, b)| Item::Move(Move::new(a, b))).collect();
        if plies > 0 {
            // A variation is no part of the main line.
            items.extend([Item::VariationStart, Item::Null, Item::VariationEnd]);
        }
        GameTree {
            tags: tags.iter().copied().collect::<Tags>(),
            items,
            result: GameResult::Draw,
            ..GameTree::default()
        }
    }

    /// Hears nothing but tags.
    struct TagsOnly;
    impl GameSink for TagsOnly {
        fn needs(&mut self) -> Needs {
            Needs::TAGS
        }
        fn event(&mut self, event: Event<'_>) -> Flow {
            assert!(!matches!(event, Event::Start(_) | Event::Move { .. }));
            Flow::Continue
        }
    }

    #[track_caller]
    fn passes(filter: &Filter, game: &GameTree) -> bool {
        let mut filtered = Filtered::new(filter, Vec::new());
        game.tell(&mut filtered);
        assert_eq!(filtered.passed() + filtered.dropped(), 1);
        let passed = filtered.passed() == 1;
        let games = filtered.into_sink();
        assert_eq!(games.len(), usize::from(passed));
        // What passes is whole.
        assert!(games.iter().all(|passed| passed == game));
        passed
    }

    #[test]
    fn every_question_lets_games_through_and_drops_them() {
        let game = game(
            &[
                ("Event", "Candidates Tournament"),
                ("Site", "Zurich SUI"),
                ("Date", "1953.08.??"),
                ("White", "Smyslov, Vassily"),
                ("Black", "Reshevsky, Samuel"),
                ("Result", "1/2-1/2"),
                ("WhiteElo", "2750"),
                ("BlackElo", "?"),
                ("ECO", "B95"),
                ("White", "Nobody"),
            ],
            20,
        );
        let day = |text: &str| Some(text.parse::<Date>().unwrap());
        let none = Filter::default;
        let table: [(Filter, bool); 26] = [
            (none(), true),
            (
                Filter {
                    player: Some("smyslov".into()),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    player: Some("reshevsky, s".into()),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    player: Some("nobody".into()),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    white: Some("smys".into()),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    white: Some("resh".into()),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    black: Some("resh".into()),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    black: Some("smys".into()),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    event: Some("candidates".into()),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    event: Some("open".into()),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    site: Some("SUI".into()),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    site: Some("GER".into()),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    since: day("1953.08.15"),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    since: day("1953.09"),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    until: day("1953.08.15"),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    until: day("1953.07"),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    since: day("1953"),
                    until: day("1953"),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    elo: "2700..".parse().ok(),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    elo: "..2700".parse().ok(),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    eco: vec!["B9".parse().unwrap()],
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    eco: vec!["A".parse().unwrap()],
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    result: Some(GameResult::Draw),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    result: Some(GameResult::WhiteWins),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    plies: "20".parse().ok(),
                    ..none()
                },
                true,
            ),
            (
                Filter {
                    plies: "21..".parse().ok(),
                    ..none()
                },
                false,
            ),
            (
                Filter {
                    plies: "..19".parse().ok(),
                    ..none()
                },
                false,
            ),
        ];
        for (filter, expected) in table {
            assert_eq!(passes(&filter, &game), expected, "{filter:?}");
        }
    }

    #[test]
    fn two_players_may_have_either_colour() {
        let tags = [("White", "Tal, Mikhail"), ("Black", "Botvinnik, Mikhail")];
        let game = game(&tags, 2);
        let between = |player: Option<&str>, versus: &str| Filter {
            player: player.map(Words::from),
            versus: Some(versus.into()),
            ..Filter::default()
        };
        assert!(passes(&between(Some("tal"), "botvinnik"), &game));
        assert!(passes(&between(Some("Botvinnik"), "Mikhail Tal"), &game));
        assert!(passes(&between(Some("mikhail"), "mikhail"), &game));
        assert!(
            !passes(&between(Some("tal"), "tal"), &game),
            "nobody plays himself"
        );
        assert!(!passes(&between(Some("tal"), "smyslov"), &game));
        assert!(passes(&between(None, "tal"), &game));
    }

    #[test]
    fn ratings_are_compared_and_averaged_if_both_are_known() {
        let rated = |white, black| game(&[("WhiteElo", white), ("BlackElo", black)], 0);
        let difference = |span: &str| Filter {
            elo_difference: span.parse().ok(),
            ..Filter::default()
        };
        let mean = |span: &str| Filter {
            elo_mean: span.parse().ok(),
            ..Filter::default()
        };
        let game = rated("2500", "2701");
        assert!(passes(&difference("-201"), &game));
        assert!(passes(&difference("-300..-200"), &game));
        assert!(!passes(&difference("-200.."), &game));
        assert!(passes(&mean("2600..2601"), &game));
        assert!(!passes(&mean("..2600"), &game), "it is half a point more");
        assert!(!passes(&mean("2601.."), &game), "it is half a point less");
        for unknown in [rated("2500", "?"), rated("0", "2700")] {
            assert!(!passes(&difference("-9999..9999"), &unknown));
            assert!(!passes(&mean("0.."), &unknown));
        }
    }

    #[test]
    fn titles_ids_and_time_controls_are_those_of_the_tags() {
        let game = game(
            &[
                ("WhiteTitle", "WGM"),
                ("BlackTitle", "im"),
                ("BlackFideId", " 2012345"),
                ("TimeControl", "180+2"),
            ],
            1,
        );
        let titled = |titles: &[&str]| Filter {
            titles: titles.iter().map(|title| (*title).to_string()).collect(),
            ..Filter::default()
        };
        assert!(passes(&titled(&["IM"]), &game));
        assert!(passes(&titled(&["FM", "WGM"]), &game));
        assert!(!passes(&titled(&["GM"]), &game));
        let numbered = |id| Filter {
            fide_id: Some(id),
            ..Filter::default()
        };
        assert!(passes(&numbered(2_012_345), &game));
        assert!(!passes(&numbered(12_345), &game));
        let timed = |control: &str| Filter {
            time_control: control.parse().ok(),
            ..Filter::default()
        };
        assert!(passes(&timed("blitz"), &game) && passes(&timed("180+2"), &game));
        assert!(!passes(&timed("rapid"), &game));
    }

    #[test]
    fn comments_are_looked_through_wherever_they_stand() {
        let mut game = game(&[], 4);
        let end = game.items.len() - 1;
        let comment = Item::Comment {
            place: CommentPlace::After,
            language: None,
            text: "Une idée de Réti".into(),
        };
        game.items.insert(end, comment);
        let commented = |words: &str| Filter {
            comment: Some(words.into()),
            ..Filter::default()
        };
        assert!(passes(&commented("idee de reti"), &game), "in a variation");
        assert!(!passes(&commented("tal"), &game));
    }

    #[test]
    fn a_chess960_start_has_its_number() {
        let numbered = |number| Filter {
            chess960: Some(number),
            ..Filter::default()
        };
        assert!(passes(&numbered(518), &game(&[], 2)), "the usual one");
        assert!(!passes(&numbered(0), &game(&[], 2)));
        let setup = chess960::setup(342, 342).unwrap();
        let other = GameTree {
            start: Position::from_setup(&setup, Variant::Chess960).unwrap(),
            ..GameTree::default()
        };
        assert!(passes(&numbered(342), &other));
        assert!(!passes(&numbered(518), &other));
        // Nobody hears of the start who has not asked for it.
        let filter = numbered(342);
        let mut filtered = Filtered::new(&filter, TagsOnly);
        other.tell(&mut filtered);
        assert_eq!(filtered.passed(), 1);
    }

    #[test]
    fn an_unknown_date_or_rating_lies_in_no_range() {
        let unknown = game(&[("Date", "????.??.??"), ("WhiteElo", "-")], 0);
        for game in [&unknown, &game(&[], 0)] {
            let since = "0001".parse().ok();
            assert!(!passes(
                &Filter {
                    since,
                    ..Filter::default()
                },
                game
            ));
            let elo = "0..".parse().ok();
            assert!(!passes(
                &Filter {
                    elo,
                    ..Filter::default()
                },
                game
            ));
        }
    }

    #[test]
    fn without_a_result_tag_the_end_of_the_game_counts() {
        let draw = Filter {
            result: Some(GameResult::Draw),
            ..Filter::default()
        };
        assert!(passes(&draw, &game(&[], 4)));
        let win = Filter {
            result: Some(GameResult::WhiteWins),
            ..Filter::default()
        };
        assert!(!passes(&win, &game(&[], 4)));
    }

    #[test]
    fn a_win_by_forfeit_is_a_win() {
        let win = Filter {
            result: Some(GameResult::WhiteWins),
            ..Filter::default()
        };
        assert!(passes(&win, &game(&[("Result", "+:-")], 0)));
    }

    #[test]
    fn no_move_is_played_for_tags_alone() {
        let white = Filter {
            white: Some("x".into()),
            ..Filter::default()
        };
        assert!(!Filtered::new(&white, TagsOnly).needs().moves);
        let plies = Filter {
            plies: "1..".parse().ok(),
            ..Filter::default()
        };
        let mut filtered = Filtered::new(&plies, TagsOnly);
        assert!(filtered.needs().moves);
        game(&[("White", "x")], 3).tell(&mut filtered);
        assert_eq!(filtered.passed(), 1);
    }

    #[test]
    fn a_sink_may_change_its_mind_after_each_game() {
        /// Wants the first game that it hears of, and nothing of any other.
        #[derive(Default)]
        struct First(Option<GameTree>);
        impl GameSink for First {
            fn needs(&mut self) -> Needs {
                match self.0 {
                    None => Needs::ALL,
                    Some(_) => Needs::TAGS,
                }
            }
            fn event(&mut self, event: Event<'_>) -> Flow {
                self.0.get_or_insert_default().event(event)
            }
        }
        // The game has a variation, and the filter has to wait for its end.
        let game = game(&[("White", "x")], 3);
        let plies = Filter {
            plies: "1..".parse().ok(),
            ..Filter::default()
        };
        let mut filtered = Filtered::new(&plies, First::default());
        game.tell(&mut filtered);
        assert_eq!(filtered.into_sink().0, Some(game));
    }

    #[test]
    fn other_entries_pass_only_without_questions() {
        let text = Event::Text {
            place: Place::default(),
            title: "Preface",
            language: None,
            text: "…",
        };
        let (all, some) = (
            Filter::default(),
            Filter {
                eco: vec!["A".parse().unwrap()],
                ..Filter::default()
            },
        );
        for (filter, passed) in [(&all, 1), (&some, 0)] {
            let mut tree = GameTree::default();
            let mut filtered = Filtered::new(filter, &mut tree);
            filtered.event(text);
            assert_eq!(
                (filtered.passed(), filtered.dropped()),
                (passed, 1 - passed)
            );
        }
    }
}
