//! What games refer to, one after the other.

use super::{
    Decode, Details, FromMoves, Warning,
    look_up::{look_up, look_up_again},
    tell::{Spelled, tell_spelled},
};
use crate::files::{extended::ExtendedRecord, header::GameRecord, set::Tables};

/// What a game refers to. Games of a tournament mostly stand together: what they have in common is
/// looked up and spelled once.
#[derive(Debug, Default)]
pub(crate) struct Occasion {
    details: Details,
    spelled: Spelled,
    /// The tournament, the annotator and the source, if all of them are there.
    known: Option<[u32; 3]>,
}

impl Occasion {
    /// Looks up what a game refers to.
    pub(crate) fn look_up(
        &mut self,
        tables: &Tables<'_>,
        record: &GameRecord,
        extended: &ExtendedRecord,
        decode: Decode<'_>,
        warnings: &mut Vec<Warning>,
    ) {
        let numbers = [record.tournament, record.annotator, record.source];
        if self.known == Some(numbers) {
            return look_up_again(tables, record, extended, &mut self.details, warnings);
        }
        let before = warnings.len();
        self.details = look_up(tables, record, extended, warnings);
        self.spelled = Spelled::new(&self.details, decode);
        // What is not as it should be has to be warned of at every game.
        self.known = (warnings.len() == before).then_some(numbers);
    }

    /// Tells the tags of the game.
    pub(crate) fn tell(
        &self,
        record: &GameRecord,
        extended: &ExtendedRecord,
        moves: &FromMoves<'_>,
        decode: Decode<'_>,
        tag: &mut dyn FnMut(&str, &str),
    ) {
        let (details, spelled) = (&self.details, &self.spelled);
        tell_spelled(record, extended, details, spelled, moves, decode, tag);
    }
}
