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
const DEEPEST: usize = 500;

/// Refuses statements whose expressions are so deep that nobody can plan them.
pub(crate) fn check_depth(statement: &str) -> Result<(), Error> {
    // By open brackets: how many operators there are in what they hold, since the last comma.
    let mut open = vec![0];
    let mut depth = 0;
    for token in tokens(statement)? {
        match token.token {
            Token::LParen | Token::LBracket => open.push(0),
            Token::RParen | Token::RBracket if open.len() > 1 => depth -= open.pop().unwrap_or(0),
            Token::Comma => depth -= open.last_mut().map_or(0, std::mem::take),
            token if is_operator(&token) => {
                depth += 1;
                if let Some(last) = open.last_mut() {
                    *last += 1;
                }
            }
            _ => {}
        }
        if depth + open.len() > DEEPEST {
            let words = format!(
                "more than {DEEPEST} conditions, operators or brackets in each other: put values \
                 into a list, as id IN (1, 2, 3), or join with (VALUES (1), (2)) AS wanted (id)"
            );
            return Err(Error::new(ErrorKind::Meaning, words));
        }
    }
    Ok(())
}

fn is_operator(token: &Token) -> bool {
    match token {
        Token::Word(word) => matches!(word.keyword, Keyword::AND | Keyword::OR | Keyword::NOT),
        Token::Plus | Token::Minus | Token::Mul | Token::Div | Token::Mod | Token::StringConcat => {
            true
        }
        _ => false,
    }
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
    }
}
