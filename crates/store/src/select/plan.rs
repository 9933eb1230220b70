//! A filter as questions to columns.

use std::cell::OnceCell;

use arrow_array::{Array, StringArray};
use tabiya_game::{Date, EcoSpan, Filter, GameResult, Span, Words};

use super::folded::Foldings;

/// Questions to the columns of a segment.
pub(super) enum Plan<'f> {
    All(Vec<Plan<'f>>),
    Any(Vec<Plan<'f>>),
    Text(TextQuestion<'f>),
    /// The date may lie between these; that of UTC counts where the other is unknown.
    Dates(Option<Date>, Option<Date>),
    /// The rating of a player lies there.
    Ratings(Span<u16>),
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
    /// The questions of a filter. Every field is named here: a new one is not forgotten.
    pub fn new(filter: &'f Filter) -> Plan<'f> {
        let Filter {
            player,
            white,
            black,
            event,
            site,
            since,
            until,
            elo,
            eco,
            result,
            plies,
        } = filter;
        let name = |tag, words| Plan::text(tag, Wanted::Name(words));
        let words = |tag, words| Plan::text(tag, Wanted::Words(words));
        let either = |words| Plan::Any(vec![name("White", words), name("Black", words)]);
        let dates = since.is_some() || until.is_some();
        let parts = [
            player.as_ref().map(either),
            white.as_ref().map(|white| name("White", white)),
            black.as_ref().map(|black| name("Black", black)),
            event.as_ref().map(|event| words("Event", event)),
            site.as_ref().map(|site| words("Site", site)),
            dates.then_some(Plan::Dates(*since, *until)),
            elo.map(Plan::Ratings),
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
            Plan::Ratings(_) => vec!["WhiteElo", "BlackElo"],
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
        }
    }

    /// Which of the distinct texts of a segment are wanted: they are asked once.
    pub fn keys(&self, texts: &StringArray, folded: &Foldings) -> &Keys {
        self.keys.get_or_init(|| {
            let words = match self.wanted {
                Wanted::Name(words) | Wanted::Words(words) => Some(words),
                Wanted::Eco(_) => None,
            };
            let perhaps = words.and_then(|words| {
                // A single part says it all.
                let perhaps = folded.of(self.tag, texts)?.perhaps(words);
                Some((perhaps, words.parts().count() == 1))
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
