//! What kind of rating a number is.

use super::{
    Field,
    bytes::{Fields, Record},
    nations::Nation,
};

/// What kind of rating stands in the header: whose, and for which kind of game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RatingType {
    /// 0.
    pub unknown_0: u8,
    /// 1 international, 2 national; 0 where there is no rating.
    pub kind: u8,
    /// The kind of game a national rating is for.
    pub national_games: u8,
    /// One more than the kind of game an international rating is for; 100 for a national one.
    pub international_games: u8,
    /// The nation of a national rating.
    pub nation: Nation,
    /// What the rating is called.
    pub name: Field<11>,
}

impl RatingType {
    /// Bytes of it.
    pub const SIZE: usize = 16;

    /// A rating of FIDE, which is what programs write for every rating unless they are told.
    #[must_use]
    pub fn fide() -> RatingType {
        RatingType {
            kind: 1,
            international_games: 1,
            name: Field::new(b"FIDE"),
            ..RatingType::default()
        }
    }

    /// Reads it.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; RatingType::SIZE]) -> RatingType {
        let mut fields = Fields::new(bytes);
        RatingType {
            unknown_0: fields.u8(),
            kind: fields.u8(),
            national_games: fields.u8(),
            international_games: fields.u8(),
            nation: Nation(fields.u8()),
            name: Field::from_bytes(fields.array()),
        }
    }

    /// Writes it.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; RatingType::SIZE] {
        Record::new()
            .u8(self.unknown_0)
            .u8(self.kind)
            .u8(self.national_games)
            .u8(self.international_games)
            .u8(self.nation.0)
            .put(self.name.as_bytes())
            .done()
    }
}
