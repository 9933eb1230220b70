//! `matches(moves, pattern)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanBuilder},
        datatypes::DataType,
    },
    common::{Result, plan_datafusion_err},
};
use tabiya_search::Query;
use tabiya_store::movetext::Asker;

use super::{
    arguments::{Arguments, Kind},
    function::{About, Parameter},
    ply_of::MOVES,
};

/// Its name.
pub const NAME: &str = "matches";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "Whether the main line of a game answers a question, as `tabiya search --where` asks it. Null if \
            there is no game.",
    parameters: &[
        MOVES,
        Parameter {
            name: "pattern",
            kind: Kind::Text,
            about: "A question in the language of `tabiya search --where`, as docs/search.md defines it: \
                    `pattern(Bh7 kg8)`, `material(KRPKR)`, `sacrifice(10) and ends(mate)`.",
        },
    ],
    returns: DataType::Boolean,
    example: "SELECT white, black FROM games WHERE matches(moves, 'pattern(Bh7 kg8) and check')",
    run,
};

/// The question of a text.
pub(super) fn query(text: &str) -> Result<Query> {
    text.parse().map_err(|error| {
        plan_datafusion_err!(
            "{NAME}: {error}; questions are written as for `tabiya search --where`, such as pattern(Bh7 kg8)"
        )
    })
}

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let (moves, patterns) = (arguments.moves(0)?, arguments.texts(1)?);
    let mut found = BooleanBuilder::with_capacity(arguments.rows);
    for (rows, pattern) in patterns.runs() {
        let Some(pattern) = pattern else {
            found.append_nulls(rows.len());
            continue;
        };
        let query = query(pattern)?;
        let mut asker = Asker::new(&query);
        for row in rows {
            found.append_option(match moves.game(row)? {
                Some(game) => {
                    let ply = asker.first_ply(game);
                    Some(ply.map_err(|error| moves.damaged(&error))?.is_some())
                }
                None => None,
            });
        }
    }
    Ok(Arc::new(found.finish()))
}
