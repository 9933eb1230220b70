//! Signatures that a query rules out, told in a few instructions.

use tabiya_search::Query;

use crate::signature::{Limits, Signature};

/// What signatures must not have more of, for each of the flags that they may have.
///
/// A query takes some fifty nanoseconds to think about a signature, and there may be millions. But the
/// more there is left at the end of a game, the less can have been on the way: what is ruled out by a
/// count is ruled out by a higher one. So it is asked once how much of each thing it bears alone.
pub(super) struct Sieve([Limits; Signature::FLAGS]);

impl Sieve {
    pub(super) fn new(query: &Query) -> Sieve {
        Sieve(std::array::from_fn(|flags| {
            Limits::of(flags, |signature| query.may_hold(&signature))
        }))
    }

    /// Whether a query may think otherwise of a signature that is not silent.
    #[inline(always)]
    pub(super) fn passes(&self, signature: Signature) -> bool {
        self.0[signature.flags()].allow(signature)
    }
}

#[cfg(test)]
mod tests {
    use tabiya_game::generate::number;
    use tabiya_search::Facts as _;

    use super::*;

    /// Signatures of all kinds, of which many have little left.
    fn signatures() -> impl Iterator<Item = Signature> {
        (0..20_000).map(|index| {
            let random = |stream| number(stream, index);
            let few = if index % 2 == 0 {
                random(2) & random(3)
            } else {
                u64::MAX
            };
            Signature::from_column((random(1) & few).cast_signed())
        })
    }

    #[test]
    fn what_a_query_lets_pass_falls_through() {
        for text in [
            "material(KRPKR)",
            "material(Q=1 q=0..1 P-p=2)",
            "material(balance=3..)",
            "material(opposite-bishops)",
            "pattern(2R7 0q)",
            "pattern(Nd5 Pe4 pd6)",
            "pattern(=1Pe2 2Q)",
            "pawns(white=a2,b3)",
            "pawns(black-files=abffgh)",
            "fen(8/8/8/8/3k4/8/1P6/K7 w - - 0 1)",
            "manoeuvre(Pe2-e4)",
            "check",
            "mate",
            "stalemate",
            "underpromotion",
            "never(check)",
            "not never(mate and pattern(Pe4))",
            "never(underpromotion or material(KQK))",
            "material(KQK) or pattern(Pd4)",
            "sequence(pattern(Pe4); material(Q=0))",
            "sacrifice(3) and result(1-0)",
        ] {
            let query: Query = text.parse().unwrap();
            let sieve = Sieve::new(&query);
            for signature in signatures().filter(|signature| !sieve.passes(*signature)) {
                assert!(!query.may_hold(&signature), "{text} {signature:?}");
            }
        }
    }

    #[test]
    fn of_exact_material_a_sieve_knows_all_that_a_query_knows() {
        let query: Query = "material(KBNK)".parse().unwrap();
        let sieve = Sieve::new(&query);
        // By promotions a side has as many in all, and others.
        for signature in signatures().filter(|signature| !signature.has_promotion()) {
            assert_eq!(sieve.passes(signature), query.may_hold(&signature));
        }
        assert!(signatures().any(|signature| sieve.passes(signature)));
    }
}
