//! Ids of entries, in order.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Ids in order, each once. Those that follow each other are kept together, so that a change of a
/// whole store is as short as that of one entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct IdList {
    runs: Vec<Run>,
}

/// Ids that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    first: u64,
    last: u64,
    /// How many ids come before them.
    before: usize,
}

impl Run {
    /// Behind the last of them.
    fn end(&self) -> Option<usize> {
        let more = usize::try_from(self.last - self.first).ok()?;
        self.before.checked_add(more)?.checked_add(1)
    }
}

impl IdList {
    /// Adds an id behind the others; `None` if it is not behind them.
    pub fn push(&mut self, id: u64) -> Option<()> {
        self.push_run(id, id)
    }

    /// Adds ids behind the others; `None` if they are not behind them, or too many to be counted.
    fn push_run(&mut self, first: u64, last: u64) -> Option<()> {
        let before = self.runs.last().map_or(Some(0), Run::end)?;
        let mut run = Run {
            first,
            last,
            before,
        };
        if let Some(there) = self.runs.last().copied() {
            if first <= there.last {
                return None;
            }
            if first - 1 == there.last {
                self.runs.pop();
                (run.first, run.before) = (there.first, there.before);
            }
        }
        let is_counted = first <= last && run.end().is_some();
        is_counted.then(|| self.runs.push(run))
    }

    pub fn len(&self) -> usize {
        self.runs.last().and_then(Run::end).unwrap_or(0)
    }

    /// The last of them.
    pub fn last(&self) -> Option<u64> {
        self.runs.last().map(|run| run.last)
    }

    /// The id of a row, which is there.
    pub fn get(&self, row: usize) -> u64 {
        let run = self.runs.partition_point(|run| run.before <= row) - 1;
        self.runs[run].first + (row - self.runs[run].before) as u64
    }

    /// The row of an id.
    pub fn row_of(&self, id: u64) -> Option<usize> {
        let behind = self.runs.partition_point(|run| run.first <= id);
        let run = self.runs[..behind].last().filter(|run| id <= run.last)?;
        Some(run.before + (id - run.first) as usize)
    }

    pub fn contains(&self, id: u64) -> bool {
        self.row_of(id).is_some()
    }

    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.runs.iter().flat_map(|run| run.first..=run.last)
    }

    /// Those of them that are in a range.
    pub fn within(&self, ids: std::ops::Range<u64>) -> impl Iterator<Item = u64> + '_ {
        let start = self.runs.partition_point(|run| run.last < ids.start);
        let runs = self.runs[start..].iter();
        let runs = runs.take_while(move |run| run.first < ids.end);
        runs.flat_map(move |run| run.first.max(ids.start)..=run.last.min(ids.end - 1))
    }
}

/// From ids in any order.
impl FromIterator<u64> for IdList {
    fn from_iter<I: IntoIterator<Item = u64>>(ids: I) -> IdList {
        let mut ids: Vec<u64> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut list = IdList::default();
        for id in ids {
            list.push(id).expect("they are in order and were in memory");
        }
        list
    }
}

/// A number for an id, two for the first and the last of those that follow each other.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Item {
    One(u64),
    Several(u64, u64),
}

impl Serialize for IdList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.runs.iter().map(|run| match run.last - run.first {
            0 => Item::One(run.first),
            _ => Item::Several(run.first, run.last),
        }))
    }
}

impl<'de> Deserialize<'de> for IdList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<IdList, D::Error> {
        let mut list = IdList::default();
        for item in Vec::<Item>::deserialize(deserializer)? {
            let (first, last) = match item {
                Item::One(id) => (id, id),
                Item::Several(first, last) => (first, last),
            };
            let pushed = list.push_run(first, last);
            pushed.ok_or_else(|| de::Error::custom("ids are not in order"))?;
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ids_come_back(ids in prop::collection::btree_set(0u64..200, 0..100)) {
            let list: IdList = ids.iter().copied().collect();
            let sorted: Vec<u64> = ids.iter().copied().collect();
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), sorted.clone());
            prop_assert_eq!((list.len(), list.last()), (sorted.len(), sorted.last().copied()));
            for (row, id) in sorted.iter().enumerate() {
                prop_assert_eq!((list.get(row), list.row_of(*id)), (*id, Some(row)));
            }
            for id in 0..200 {
                prop_assert_eq!(list.contains(id), ids.contains(&id));
            }
            let within: Vec<u64> = list.within(50..120).collect();
            prop_assert_eq!(within, ids.range(50..120).copied().collect::<Vec<_>>());
            let text = serde_json::to_string(&list).unwrap();
            prop_assert_eq!(serde_json::from_str::<IdList>(&text).unwrap(), list);
        }
    }

    #[test]
    fn many_in_a_row_are_short_and_one_by_one_is_understood() {
        let list: IdList = (0..1_000_000).chain([2_000_000]).collect();
        let text = serde_json::to_string(&list).unwrap();
        assert_eq!(text, "[[0,999999],2000000]");
        let old: IdList = serde_json::from_str("[3,4,5,9]").unwrap();
        assert_eq!(serde_json::to_string(&old).unwrap(), "[[3,5],9]");
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let whole = format!("[[0,{}]]", u64::MAX);
        let twice = format!("[[0,{0}],{0}]", u64::MAX);
        for text in [
            "[3,3]",
            "[4,3]",
            "[[5,4]]",
            "[[0,9],9]",
            "[-1]",
            &whole,
            &twice,
        ] {
            assert!(serde_json::from_str::<IdList>(text).is_err(), "{text}");
        }
        let list: IdList = serde_json::from_str("[]").unwrap();
        assert_eq!((list.len(), list.last(), list.row_of(0)), (0, None, None));
        assert_eq!(list.within(0..9).count(), 0);
    }
}
