//! A filter as questions to columns.

use std::cell::OnceCell;

use arrow_array::{Array, StringArray};
use tabiya_game::{Date, EcoSpan, Filter, GameResult, Span, TimeControl, Words};

use super::folded::Foldings;

/// Questions to the columns of a segment.
pub(super) enum Plan<'f> {
    All(Vec<Plan<'f>>),
    Any(Vec<Plan<'f>>),
    Text(TextQuestion<'f>),
    /// The date may lie between these; that of UTC counts where the other is unknown.
    Dates(Option<Date>, Option<Date>),
    /// The rating of a player lies there.
    Rating(Span<u16>),
    /// What the filter says of both ratings.
    Ratings(&'f Filter),
    /// A player has this FIDE id.
    FideId(u32),
    Result(GameResult),
    /// The main line is so long. The column leaves out plies of which nothing is known.
    Plies(Span<u64>),
}

/// A question to the text of a tag.
pub(super) struct TextQuestion<'f> {
    pub tag: &'static str,
    wanted: Wanted<'f>,
    /// What the distinct texts of the segment answered.
    keys: OnceCell<Keys>,
}

enum Wanted<'f> {
    Name(&'f Words),
    Words(&'f Words),
    Eco(&'f [EcoSpan]),
    Titles(&'f [String]),
    TimeControl(&'f TimeControl),
}

/// Which of the distinct texts are wanted.
pub(super) struct Keys {
    /// A few of them, in order.
    pub few: Option<Vec<usize>>,
    /// Whether each is; and one more, which is not.
    pub each: Vec<bool>,
}

/// More than so many are looked up, each row once; of fewer, each is compared with all rows.
const FEW: usize = 4;

impl<'f> Plan<'f> {
    /// The questions of a filter, but for those about the game ([`Filter::of_game`]) that no column
    /// answers. Every field is named here: a new one is not forgotten.
    pub fn new(filter: &'f Filter) -> Plan<'f> {
        let Filter {
            player,
            versus,
            white,
            black,
            event,
            site,
            since,
            until,
            elo,
            elo_difference,
            elo_mean,
            titles,
            fide_id,
            time_control,
            eco,
            result,
            chess960: _,
            plies,
            comment: _,
        } = filter;
        let name = |tag, words| Plan::text(tag, Wanted::Name(words));
        let words = |tag, words| Plan::text(tag, Wanted::Words(words));
        let either = |words| Plan::Any(vec![name("White", words), name("Black", words)]);
        let players = match (player, versus) {
            (Some(one), Some(other)) => Some(Plan::Any(vec![
                Plan::All(vec![name("White", one), name("Black", other)]),
                Plan::All(vec![name("Black", one), name("White", other)]),
            ])),
            (player, versus) => player.as_ref().or(versus.as_ref()).map(either),
        };
        let title = |tag| Plan::text(tag, Wanted::Titles(titles));
        let both = elo_difference.is_some() || elo_mean.is_some();
        let time_control = time_control.as_ref();
        let dates = since.is_some() || until.is_some();
        let parts = [
            players,
            white.as_ref().map(|white| name("White", white)),
            black.as_ref().map(|black| name("Black", black)),
            event.as_ref().map(|event| words("Event", event)),
            site.as_ref().map(|site| words("Site", site)),
            dates.then_some(Plan::Dates(*since, *until)),
            elo.map(Plan::Rating),
            both.then_some(Plan::Ratings(filter)),
            (!titles.is_empty()).then(|| Plan::Any(vec![title("WhiteTitle"), title("BlackTitle")])),
            fide_id.map(Plan::FideId),
            time_control.map(|wanted| Plan::text("TimeControl", Wanted::TimeControl(wanted))),
            (!eco.is_empty()).then(|| Plan::text("ECO", Wanted::Eco(eco))),
            result.map(Plan::Result),
            plies.map(Plan::Plies),
        ];
        Plan::All(parts.into_iter().flatten().collect())
    }

    fn text(tag: &'static str, wanted: Wanted<'f>) -> Plan<'f> {
        Plan::Text(TextQuestion {
            tag,
            wanted,
            keys: OnceCell::new(),
        })
    }

    /// The tags that are asked about.
    pub fn tags(&self) -> Vec<&'static str> {
        match self {
            Plan::All(parts) | Plan::Any(parts) => parts.iter().flat_map(Plan::tags).collect(),
            Plan::Text(question) => vec![question.tag],
            Plan::Dates(..) => vec!["Date", "UTCDate"],
            Plan::Rating(_) | Plan::Ratings(_) => vec!["WhiteElo", "BlackElo"],
            Plan::FideId(_) => vec!["WhiteFideId", "BlackFideId"],
            Plan::Result(_) => vec!["Result"],
            Plan::Plies(_) => Vec::new(),
        }
    }
}

impl TextQuestion<'_> {
    /// Whether a text is wanted.
    pub fn wants(&self, text: &str) -> bool {
        match self.wanted {
            Wanted::Name(words) => words.name(text),
            Wanted::Words(words) => words.occur_in(text),
            Wanted::Eco(spans) => spans.iter().any(|span| span.contains(text)),
            Wanted::Titles(titles) => Filter::has_title(titles, text),
            Wanted::TimeControl(wanted) => wanted.fits(text),
        }
    }

    /// Which of the distinct texts of a segment are wanted: they are asked once.
    pub fn keys(&self, texts: &StringArray, folded: &Foldings) -> &Keys {
        self.keys.get_or_init(|| {
            let words = match self.wanted {
                Wanted::Name(words) | Wanted::Words(words) => Some(words),
                Wanted::Eco(_) | Wanted::Titles(_) | Wanted::TimeControl(_) => None,
            };
            let is_whole = matches!(self.wanted, Wanted::Name(words) if words.is_whole());
            let perhaps = words.and_then(|words| {
                // A single part says it all.
                let perhaps = folded.of(self.tag, texts)?.perhaps(words);
                Some((perhaps, !is_whole && words.parts().count() == 1))
            });
            let (perhaps, sure) = perhaps.unwrap_or_else(|| ((0..texts.len()).collect(), false));
            let is_wanted = |key: &usize| sure || self.wants(texts.value(*key));
            Keys::new(perhaps.into_iter().filter(is_wanted), texts.len())
        })
    }
}

impl Keys {
    /// Some of so many.
    pub fn new(wanted: impl Iterator<Item = usize>, count: usize) -> Keys {
        let wanted: Vec<usize> = wanted.collect();
        let mut each = vec![false; count + 1];
        wanted.iter().for_each(|key| each[*key] = true);
        Keys {
            few: (wanted.len() <= FEW).then_some(wanted),
            each,
        }
    }
}
