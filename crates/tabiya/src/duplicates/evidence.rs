//! Whether two games are the same one.

use tabiya_game::GameResult;

use super::{
    facts::{Collection, Facts, Game, STEP},
    header::{Occasion, Value, rounds},
    lines::{Known, Theory, shared},
    names::Likeness,
};

/// How the players of two games are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Players {
    Same,
    /// White of one is Black of the other.
    Swapped,
    /// One is the same, and the other not known.
    Half,
    /// One is the same, and the other has another name.
    HalfOther,
    /// Nobody knows.
    Unknown,
    Others,
}

/// So many plies of the shorter game may be others than those of the longer one: its last moves, and
/// those before the next checkpoint, of which nothing is known.
const TAIL: u32 = 2 * STEP - 1;

/// The first plies are never evidence, even in a collection in which nobody else has played them.
const OPENING: u32 = 12;

/// No number of plies is enough.
const NEVER: u32 = u32::MAX;

/// Compares games.
pub(super) struct Judge<'a> {
    pub all: &'a Collection,
}

impl Judge<'_> {
    pub fn players(&self, one: &Facts, other: &Facts) -> Players {
        if (one.white, one.black) == (other.white, other.black) && self.is_known(one) {
            return Players::Same;
        }
        let names = &self.all.names;
        let likeness = |one: u32, other: u32| names.likeness(one, other);
        let straight = [
            likeness(one.white, other.white),
            likeness(one.black, other.black),
        ];
        if straight == [Likeness::Same; 2] {
            return Players::Same;
        }
        let crossed = [
            likeness(one.white, other.black),
            likeness(one.black, other.white),
        ];
        if crossed == [Likeness::Same; 2] {
            return Players::Swapped;
        }
        match straight {
            [Likeness::Same, Likeness::Unknown] | [Likeness::Unknown, Likeness::Same] => {
                Players::Half
            }
            [Likeness::Same, _] | [_, Likeness::Same] => Players::HalfOther,
            [Likeness::Kin, Likeness::Kin] => Players::HalfOther,
            [Likeness::Unknown, _] | [_, Likeness::Unknown] => Players::Unknown,
            _ => Players::Others,
        }
    }

    fn is_known(&self, game: &Facts) -> bool {
        let names = &self.all.names;
        names.get(game.white).is_known() && names.get(game.black).is_known()
    }

    /// Whether games are by other players, as far as that is known.
    pub fn are_others(&self, one: Game, other: Game) -> bool {
        let players = self.players(self.all.facts(one), self.all.facts(other));
        matches!(players, Players::HalfOther | Players::Others)
    }

    /// How many plies two games have in common, if they are the same.
    pub fn same(&self, theory: &Theory, one: Game, other: Game) -> Option<u32> {
        let (a, b) = (self.all.facts(one), self.all.facts(other));
        // Who meets again makes the same short draw again.
        let is_other_round = rounds(a.round, b.round) == Value::Different;
        if a.mark.contradicts(b.mark) || is_other_round && is_short_draw(a, b) {
            return None;
        }
        let shortest = a.plies.min(b.plies);
        let is_same_line = a.line == b.line && a.plies == b.plies;
        let common = match is_same_line {
            true => shortest,
            false => shared(self.all, one, other) * STEP,
        };
        if shortest - common > TAIL {
            return None;
        }
        if shortest == 0 {
            return self.is_same_without_moves(a, b).then_some(0);
        }
        let is_told_the_same = is_same_line && a.roster == b.roster && self.is_known(a);
        let occasion = Occasion::of(self.all, a, b);
        let (of_one, of_other) = (theory.of_game(one), theory.of_game(other));
        let known = Known {
            two: of_one.two.max(of_other.two).max(OPENING),
            three: of_one.three.max(of_other.three).max(OPENING),
        };
        // Nobody needs less than those whose players are the same, and names take most of the time.
        let most = common.saturating_sub(known.two.min(known.three));
        if !is_told_the_same && most < needed(Players::Same, is_same_line, occasion) {
            return None;
        }
        let players = self.players(a, b);
        let known = match players {
            Players::Others | Players::HalfOther => known.three,
            _ => known.two,
        };
        let own = common.saturating_sub(known);
        let occasion = match players {
            Players::Swapped if may_be_return(a, b) => Occasion::Other,
            _ => occasion,
        };
        let needed = needed(players, is_same_line, occasion);
        let is_same = is_told_the_same || own >= needed && (is_same_line || common > 0);
        is_same.then_some(common)
    }

    /// A game of which no move is known is the same as another only if everything else says so.
    fn is_same_without_moves(&self, one: &Facts, other: &Facts) -> bool {
        let is_start_same = one.plies != other.plies || one.line == other.line;
        // Names take most of the time.
        is_start_same
            && one.result == other.result
            && (one.roster == other.roster || Occasion::of(self.all, one, other) == Occasion::Same)
            && self.is_known(one)
            && self.players(one, other) == Players::Same
    }
}

/// Draws are no longer than this if they were made before the game.
const SHORT_DRAW: u32 = 40;

/// Whether two games with other colours may be one and its return: who draws by a known line does so
/// again, on the same day. Two play one game in a round.
fn may_be_return(one: &Facts, other: &Facts) -> bool {
    is_short_draw(one, other) && rounds(one.round, other.round) != Value::Same
}

/// Whether one of two games is a draw that may have been made before the game.
fn is_short_draw(one: &Facts, other: &Facts) -> bool {
    let is_draw = |game: &Facts| game.result == GameResult::Draw;
    (is_draw(one) || is_draw(other)) && one.plies.min(other.plies) <= SHORT_DRAW
}

/// How many plies that nobody else has played must be the same, so that two games are.
///
/// The less the headers say, the more the moves must say. Players who meet again repeat what they
/// know, so another occasion asks for more than a silent header does; and a game that goes on, or
/// ends in other moves, asks for more than one that is the same to its end.
fn needed(players: Players, same_line: bool, occasion: Occasion) -> u32 {
    use Occasion::{Fitting, Other, Same, Silent};

    let [whole, part] = match (players, occasion) {
        (Players::Same, Same) => [0, 0],
        (Players::Same, Fitting) => [0, 4],
        (Players::Same, Silent) => [6, 12],
        (Players::Same, Other) => [16, 24],
        (Players::Swapped | Players::Half, Same) => [0, 4],
        (Players::Swapped | Players::Half, Fitting) => [4, 12],
        (Players::Swapped | Players::Half, Silent) => [12, 20],
        (Players::Swapped | Players::Half, Other) => [24, 32],
        (Players::Unknown, Same) => [4, 12],
        (Players::Unknown, Fitting) => [12, 20],
        (Players::Unknown, Silent) => [20, 28],
        (Players::Unknown, Other) => [32, 40],
        (Players::HalfOther, Same) => [8, 16],
        (Players::HalfOther, Fitting) => [16, 24],
        (Players::HalfOther, Silent) => [24, 36],
        (Players::HalfOther, Other) => [36, 48],
        // Moves of one game under the heading of another are no reason to lose that heading.
        (Players::Others, Same) => [20, NEVER],
        (Players::Others, Fitting) => [40, NEVER],
        (Players::Others, Silent | Other) => [50, NEVER],
    };
    if same_line { whole } else { part }
}
