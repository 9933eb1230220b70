//! Texts with several statements.

use datafusion::sql::sqlparser::{
    dialect::GenericDialect,
    keywords::Keyword,
    tokenizer::{Location, Token, TokenWithSpan, Tokenizer},
};

use crate::{Error, ErrorKind};

/// The statements of a text, one by one and to the letter; comments stay with what they stand beside.
///
/// ```
/// let statements = tabiya_sql::statements("SELECT 1; -- the second\nSELECT 'it''s; ok'")?;
/// assert_eq!(statements, ["SELECT 1", "-- the second\nSELECT 'it''s; ok'"]);
/// # Ok::<(), tabiya_sql::Error>(())
/// ```
///
/// # Errors
/// If a text or a comment in it does not end.
pub fn statements(text: &str) -> Result<Vec<String>, Error> {
    let tokens = tokens(text)?;
    let mut places = Places::new(text);
    // Behind the last one there may be no semicolon.
    let ends = tokens.iter().enumerate().filter_map(|(index, token)| {
        let ends = token.token == Token::SemiColon;
        ends.then(|| (index, places.offset(token.span.start)))
    });
    let ends: Vec<(usize, usize)> = ends.collect();
    let mut statements = Vec::new();
    let (mut first, mut start) = (0, 0);
    for (last, end) in ends.into_iter().chain([(tokens.len(), text.len())]) {
        if !tokens[first..last].iter().all(is_blank) {
            statements.push(text[start..end].trim().to_owned());
        }
        (first, start) = (last + 1, end + 1);
    }
    Ok(statements)
}

/// Where places of a text are that are told by lines and columns, one behind the other.
struct Places<'a> {
    rest: std::str::Chars<'a>,
    text: &'a str,
    at: Location,
}

impl<'a> Places<'a> {
    fn new(text: &'a str) -> Places<'a> {
        Places {
            rest: text.chars(),
            text,
            at: Location::new(1, 1),
        }
    }

    fn offset(&mut self, place: Location) -> usize {
        while self.at < place
            && let Some(letter) = self.rest.next()
        {
            self.at = match letter {
                '\n' => Location::new(self.at.line + 1, 1),
                _ => Location::new(self.at.line, self.at.column + 1),
            };
        }
        self.text.len() - self.rest.as_str().len()
    }
}

/// So deep an expression may be: DataFusion goes down into it, and the stack is only so long.
pub(crate) const DEEPEST: usize = 500;

/// Refuses statements whose expressions are so deep that nobody can plan them.
pub(crate) fn check_depth(statement: &str) -> Result<(), Error> {
    let mut levels = vec![Level::default()];
    let mut before = Before::Nothing;
    for token in tokens(statement)? {
        if is_blank(&token) {
            continue;
        }
        let is_inner = levels.len() > 1;
        let last = levels.last_mut().expect("the outermost level stays");
        let kind = last.kind_of(&token.token, before);
        if kind == Kind::Interval && before == Before::Interval {
            // Nobody means it, and each would be looked at twice for each before it.
            return Err(Error::new(ErrorKind::Syntax, "INTERVAL behind INTERVAL"));
        }
        match kind {
            Kind::Opens => {
                // It may stand behind another one, as in `a[1][2]`.
                last.tight += usize::from(before == Before::Operand);
                levels.push(Level::default());
            }
            Kind::Closes if is_inner => {
                let inner = levels.pop().map_or(0, |level| level.depth());
                if let Some(outer) = levels.last_mut() {
                    outer.inner = outer.inner.max(inner + 1);
                }
            }
            Kind::Separates => last.end_part(),
            Kind::Chains => {
                last.end_part();
                last.chained += 1;
            }
            Kind::JoinsConditions => {
                last.end_condition();
                last.loose += 1;
            }
            Kind::Operates | Kind::Interval => last.tight += 1,
            Kind::Closes | Kind::Operand | Kind::EndsRange => {}
        }
        before = match kind {
            Kind::Operand if is_word(&token.token, Keyword::DISTINCT) => Before::Distinct,
            Kind::Operand | Kind::Closes => Before::Operand,
            Kind::Interval => Before::Interval,
            _ => Before::Operator,
        };
    }
    let depth = levels.iter().map(|level| level.depth() + 1).sum::<usize>();
    if depth <= DEEPEST {
        return Ok(());
    }
    let words = format!(
        "more than {DEEPEST} conditions, operators or brackets in each other: put values into a list, as \
         id IN (1, 2, 3), or join with (VALUES (1), (2)) AS wanted (id)"
    );
    Err(Error::new(ErrorKind::Meaning, words))
}

/// What stands between two brackets, or outside of all: how deep it can be at most. Operators of one kind
/// go down one by one, whatever their order.
#[derive(Default)]
struct Level {
    /// Operators of this condition but AND and OR, and the deepest brackets in it.
    tight: usize,
    inner: usize,
    /// Conditions of this part that are joined by AND and OR, and the deepest of them.
    loose: usize,
    condition: usize,
    /// The deepest part between commas or words such as WHERE.
    part: usize,
    /// Queries and tables that are joined.
    chained: usize,
    /// Tables or queries stand between commas, each of which may be built upon those before it.
    lists_tables: bool,
    /// Ranges of BETWEEN, whose AND is still to come.
    ranges: usize,
}

impl Level {
    fn end_condition(&mut self) {
        let depth = std::mem::take(&mut self.tight) + std::mem::take(&mut self.inner);
        self.condition = self.condition.max(depth);
    }

    fn end_part(&mut self) {
        self.end_condition();
        let depth = std::mem::take(&mut self.loose) + std::mem::take(&mut self.condition);
        self.part = self.part.max(depth);
    }

    fn depth(&self) -> usize {
        let condition = self.condition.max(self.tight + self.inner);
        self.chained + self.part.max(self.loose + condition)
    }

    /// What a token of it does.
    fn kind_of(&mut self, token: &Token, before: Before) -> Kind {
        let kind = Kind::of(token, before);
        match (kind, token) {
            (Kind::Separates, Token::Comma) if self.lists_tables => Kind::Chains,
            // IS DISTINCT FROM
            (Kind::Separates, token)
                if before == Before::Distinct && is_word(token, Keyword::FROM) =>
            {
                Kind::Operates
            }
            (Kind::Separates, Token::Word(word)) => {
                self.lists_tables = matches!(word.keyword, Keyword::FROM | Keyword::WITH);
                kind
            }
            (Kind::Operates, token) if is_word(token, Keyword::BETWEEN) => {
                self.ranges += 1;
                kind
            }
            (Kind::JoinsConditions, token) if self.ranges > 0 && is_word(token, Keyword::AND) => {
                self.ranges -= 1;
                Kind::EndsRange
            }
            _ => kind,
        }
    }
}

/// What stands before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Operand,
    Operator,
    Interval,
    Distinct,
}

/// What a token does to the depth of what it stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Opens,
    Closes,
    Separates,
    Chains,
    JoinsConditions,
    /// The AND of a BETWEEN.
    EndsRange,
    Operates,
    Interval,
    Operand,
}

impl Kind {
    fn of(token: &Token, before: Before) -> Kind {
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => Kind::Opens,
            Token::RParen | Token::RBracket | Token::RBrace => Kind::Closes,
            Token::Comma => Kind::Separates,
            Token::Placeholder(_) => Kind::Operand,
            // All columns.
            Token::Mul if before != Before::Operand => Kind::Operand,
            Token::Word(word) => match word.keyword {
                Keyword::CASE => Kind::Opens,
                Keyword::END => Kind::Closes,
                Keyword::NOT | Keyword::EXPLAIN => Kind::Operates,
                Keyword::INTERVAL => Kind::Interval,
                Keyword::SELECT | Keyword::VALUES | Keyword::FROM | Keyword::WITH => {
                    Kind::Separates
                }
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::MINUS => {
                    Kind::Chains
                }
                // Where an operand is due, even a word such as ON is one.
                _ if before == Before::Operator => Kind::Operand,
                keyword => Kind::of_keyword(keyword),
            },
            token if is_operator(token) => Kind::Operates,
            _ => Kind::Operand,
        }
    }

    fn of_keyword(keyword: Keyword) -> Kind {
        match keyword {
            Keyword::AND | Keyword::OR => Kind::JoinsConditions,
            Keyword::JOIN => Kind::Chains,
            Keyword::WHERE
            | Keyword::GROUP
            | Keyword::HAVING
            | Keyword::QUALIFY
            | Keyword::ORDER
            | Keyword::ON
            | Keyword::WHEN
            | Keyword::THEN
            | Keyword::ELSE => Kind::Separates,
            Keyword::IS
            | Keyword::IN
            | Keyword::LIKE
            | Keyword::ILIKE
            | Keyword::RLIKE
            | Keyword::REGEXP
            | Keyword::SIMILAR
            | Keyword::BETWEEN
            | Keyword::AT
            | Keyword::COLLATE
            | Keyword::DIV
            | Keyword::XOR
            | Keyword::OVERLAPS
            | Keyword::NOTNULL => Kind::Operates,
            _ => Kind::Operand,
        }
    }
}

fn is_word(token: &Token, keyword: Keyword) -> bool {
    matches!(token, Token::Word(word) if word.keyword == keyword)
}

/// Whether a token is a sign that joins or changes operands: `+`, `::`, `->>` and so on. A text such as `'*'`
/// is none, whatever is in it.
fn is_operator(token: &Token) -> bool {
    let text = token.to_string();
    let is_sign = text.bytes().all(|byte| byte.is_ascii_punctuation());
    is_sign && !text.starts_with(['\'', '"', '$']) && !matches!(text.as_str(), "." | ";")
}

/// Whether a text ends with a semicolon that ends a statement: not one in a text or a comment.
///
/// ```
/// assert!(tabiya_sql::ends_statement("SELECT 1; -- the first"));
/// assert!(!tabiya_sql::ends_statement("SELECT 'it is;"));
/// ```
#[must_use]
pub fn ends_statement(text: &str) -> bool {
    let tokens = tokens(text).unwrap_or_default();
    let last = tokens.iter().rfind(|token| !is_blank(token));
    last.is_some_and(|last| last.token == Token::SemiColon)
}

/// Whether a statement is answered with rows: one that makes a view or sets something is not.
///
/// ```
/// assert!(tabiya_sql::has_answer("SELECT 1"));
/// assert!(!tabiya_sql::has_answer("-- short\nCREATE VIEW v AS SELECT 1"));
/// ```
#[must_use]
pub fn has_answer(statement: &str) -> bool {
    let tokens = tokens(statement).unwrap_or_default();
    let first = tokens.iter().find(|token| !is_blank(token));
    let word = first.map(|first| first.token.to_string());
    let word = word.unwrap_or_default();
    !["CREATE", "DROP", "SET", "PREPARE", "DEALLOCATE"]
        .iter()
        .any(|silent| word.eq_ignore_ascii_case(silent))
}

fn tokens(text: &str) -> Result<Vec<TokenWithSpan>, Error> {
    Tokenizer::new(&GenericDialect {}, text)
        .tokenize_with_location()
        .map_err(|error| Error::new(ErrorKind::Syntax, format!("this is no SQL: {error}")))
}

fn is_blank(token: &TokenWithSpan) -> bool {
    matches!(token.token, Token::Whitespace(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_taken_to_the_letter() {
        let text = "SELECT E'O''Kelly', E'a\\tb';\n  SELECT U&'\\0041', 'é;' ; ;-- nothing\n";
        assert_eq!(
            statements(text).unwrap(),
            ["SELECT E'O''Kelly', E'a\\tb'", "SELECT U&'\\0041', 'é;'"]
        );
    }

    #[test]
    fn what_is_too_deep_is_refused_and_what_is_only_long_is_not() {
        let joined = |word: &str, count: usize| {
            let parts = (0..count).map(|number| format!("id = {number}"));
            parts.collect::<Vec<_>>().join(word)
        };
        let ask =
            |condition: String| check_depth(&format!("SELECT 1 FROM games WHERE {condition}"));
        assert!(ask(joined(" or ", 300)).is_ok());
        assert!(ask(joined(" or ", 600)).is_err());
        assert!(ask("(".repeat(600) + "1" + &")".repeat(600)).is_err());
        let list: Vec<String> = (0..5_000).map(|number| format!("-{number}")).collect();
        assert!(ask(format!("id in ({})", list.join(", "))).is_ok());
        let rows: Vec<String> = (0..5_000).map(|number| format!("({number} + 1)")).collect();
        assert!(check_depth(&format!("VALUES {}", rows.join(", "))).is_ok());
        assert!(ask(joined(" or ", 300) + " and (" + &joined(" or ", 300) + ")").is_err());
    }

    #[test]
    fn chains_of_all_kinds_are_deep() {
        for (head, link) in [
            ("1", " | 1"),
            ("1", " & 1"),
            ("1", " = 1"),
            ("1", "::int"),
            ("1", " IS NULL"),
            ("a", "[1]"),
            ("1", " LIKE 'x'"),
            ("1", " || on"),
            ("a", " COLLATE b"),
        ] {
            let chain = |count| format!("SELECT {head}{}", link.repeat(count));
            assert!(check_depth(&chain(200)).is_ok(), "{link}");
            assert!(check_depth(&chain(600)).is_err(), "{link}");
        }
        for (select, link) in [
            ("SELECT 1", " UNION ALL "),
            ("SELECT 1", " EXCEPT "),
            ("SELECT 1", " MINUS "),
            ("SELECT *", " UNION ALL "),
            ("SELECT ?", " UNION ALL "),
            ("FROM games SELECT *", " UNION ALL "),
            ("SELECT * FROM games", " UNION ALL "),
            // What is within a text is no operator, and the word behind it is one.
            ("SELECT '*'", " UNION ALL "),
            ("SELECT $$+$$", " UNION ALL "),
        ] {
            let chain = |count| vec![select; count].join(link);
            assert!(check_depth(&chain(300)).is_ok(), "{link}");
            assert!(check_depth(&chain(600)).is_err(), "{link}");
        }
        let joins = |count| "SELECT 1 FROM games".to_owned() + &" CROSS JOIN games".repeat(count);
        assert!(check_depth(&joins(100)).is_ok());
        assert!(check_depth(&joins(600)).is_err());
        for (statement, word, rest) in [
            ("", "explain ", "select 1"),
            ("SELECT ", "NOT ", "true"),
            ("SELECT 1 FROM ", "(select 1) a, ", "games"),
            (
                "WITH a AS (SELECT 1)",
                ", a AS (SELECT x + 1 AS x FROM a)",
                " SELECT 1",
            ),
            ("SELECT 1", " IS DISTINCT FROM 1", ""),
        ] {
            let chain = |count| format!("{statement}{}{rest}", word.repeat(count));
            assert!(check_depth(&chain(200)).is_ok(), "{word}");
            assert!(check_depth(&chain(600)).is_err(), "{word}");
        }
        assert!(check_depth("SELECT interval '1 day', interval '2 days'").is_ok());
        assert!(check_depth("SELECT interval interval '1 day'").is_err());
        // What is before a bracket is as deep as what is behind it.
        let nested = format!("SELECT (((1{0}){0}){0})", " + 1".repeat(200));
        assert!(check_depth(&nested).is_err());
        let cases = "CASE WHEN a THEN ".repeat(600) + "1" + &" END".repeat(600);
        assert!(check_depth(&format!("SELECT {cases}")).is_err());
    }

    #[test]
    fn conditions_that_stand_beside_each_other_are_not_deep() {
        let select = "SELECT id FROM games WHERE white = 'a' AND black = 'b'";
        assert!(check_depth(&vec![select; 260].join(" UNION ALL ")).is_ok());
        let results = vec!["result = '*' AND white <> ''"; 200].join(" OR ");
        assert!(check_depth(&format!("SELECT id FROM games WHERE {results}")).is_ok());
        let ranges = vec!["id BETWEEN 1 AND 5"; 450].join(" OR ");
        assert!(check_depth(&format!("SELECT id FROM games WHERE {ranges}")).is_ok());
        let differ = vec!["a IS DISTINCT FROM b"; 600].join(", ");
        assert!(check_depth(&format!("SELECT {differ} FROM games")).is_ok());
        let rows = "SELECT sum(id) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), a FROM b, c";
        assert!(check_depth(rows).is_ok());
        let cases = " WHEN white = 'a' AND black = 'b' THEN 1".repeat(600);
        assert!(check_depth(&format!("SELECT CASE{cases} ELSE 0 END FROM games")).is_ok());
        let items = vec!["a * b + c AS d"; 600].join(", ");
        assert!(check_depth(&format!("SELECT {items} FROM games")).is_ok());
    }
}
