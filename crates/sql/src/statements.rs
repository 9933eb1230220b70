//! Texts with several statements.

use datafusion::sql::sqlparser::{
    dialect::GenericDialect,
    tokenizer::{Token, Tokenizer},
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
    let statements = tokens.split(|token| *token == Token::SemiColon);
    let says_something = |tokens: &&[Token]| !tokens.iter().all(is_blank);
    let text = |tokens: &[Token]| {
        let text: String = tokens.iter().map(Token::to_string).collect();
        text.trim().to_owned()
    };
    Ok(statements.filter(says_something).map(text).collect())
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
    last == Some(&Token::SemiColon)
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
    let word = first.map(Token::to_string).unwrap_or_default();
    !["CREATE", "DROP", "SET", "PREPARE", "DEALLOCATE"]
        .iter()
        .any(|silent| word.eq_ignore_ascii_case(silent))
}

fn tokens(text: &str) -> Result<Vec<Token>, Error> {
    Tokenizer::new(&GenericDialect {}, text)
        .with_unescape(false)
        .tokenize()
        .map_err(|error| Error::new(ErrorKind::Syntax, format!("this is no SQL: {error}")))
}

fn is_blank(token: &Token) -> bool {
    matches!(token, Token::Whitespace(_))
}
