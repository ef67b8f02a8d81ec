//! How often a text makes the parser try again. Of words with a syntax of their own, and of brackets behind FROM, the parser tries one reading and, where
//! that fails, another, and so does it again for all that stands inside: each level doubles the time, and nothing ends a parser.
//!
//! ```text
//! ceil(ceil(ceil(1 2)))              three levels: the error at the bottom is looked at 8 times
//! FROM ((SELECT 1 FROM ((SELECT …    four
//! ((a + b) * c), f(g(h(x)))          none: there is one reading of them
//! ```

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

/// How many levels may be open at once: 4,096 readings of what stands inside.
pub(super) const MOST_LEVELS: usize = 12;

/// A bracket, or a CASE, that is open.
#[derive(Clone, Copy, Default)]
struct Open {
    /// Whether it is one of several readings.
    is_level: bool,
    is_case: bool,
    /// How many NOTs stand in a row before what is being read in it.
    nots: usize,
}

/// Whether so many levels are open somewhere that the text is not to be parsed.
pub(super) fn is_too_deep(tokens: &[TokenWithSpan]) -> bool {
    let mut open = vec![Open::default()];
    let mut before: Option<(&Token, bool)> = None;
    let significant = tokens.iter().map(|token| &token.token).filter(|token| !matches!(token, Token::Whitespace(_)));
    for token in significant {
        let was_level = before.is_some_and(|(token, is_level)| match token {
            Token::LParen | Token::LBracket | Token::LBrace => is_level,
            token => has_readings(token),
        });
        let mut is_level = false;
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                is_level = was_level;
                open.push(Open { is_level, ..Open::default() });
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                // A CASE without END ends with the bracket around it.
                while open.len() > 1 && open.pop().is_some_and(|closed| closed.is_case) {}
            }
            Token::Comma => open.last_mut().into_iter().for_each(|inner| inner.nots = 0),
            token => match keyword(token) {
                Some(Keyword::CASE) => open.push(Open { is_level: true, is_case: true, nots: 0 }),
                Some(Keyword::END) if open.len() > 1 && open.last().is_some_and(|inner| inner.is_case) => {
                    open.pop();
                }
                Some(Keyword::NOT) if !before.is_some_and(|(token, _)| is_operand(token)) => {
                    open.last_mut().into_iter().for_each(|inner| inner.nots += 1);
                }
                Some(Keyword::AND | Keyword::OR | Keyword::WHEN | Keyword::THEN | Keyword::ELSE) => {
                    open.last_mut().into_iter().for_each(|inner| inner.nots = 0);
                }
                _ => {}
            },
        }
        let levels: usize = open.iter().map(|inner| usize::from(inner.is_level) + inner.nots).sum();
        if levels > MOST_LEVELS {
            return true;
        }
        before = Some((token, is_level));
    }
    false
}

fn keyword(token: &Token) -> Option<Keyword> {
    match token {
        Token::Word(word) if word.quote_style.is_none() && word.keyword != Keyword::NoKeyword => Some(word.keyword),
        _ => None,
    }
}

/// Whether a bracket behind a token may be read in several ways: behind a word with a syntax of its own, which may be the name of a function as well, and
/// where a table or a query can stand.
fn has_readings(token: &Token) -> bool {
    const WORDS: [Keyword; 36] = [
        Keyword::ALL,
        Keyword::ANY,
        Keyword::ARRAY,
        Keyword::CAST,
        Keyword::CEIL,
        Keyword::CONVERT,
        Keyword::CURRENT_CATALOG,
        Keyword::CURRENT_DATE,
        Keyword::CURRENT_TIME,
        Keyword::CURRENT_TIMESTAMP,
        Keyword::CURRENT_USER,
        Keyword::EXISTS,
        Keyword::EXTRACT,
        Keyword::FLOOR,
        Keyword::FROM,
        Keyword::IN,
        Keyword::INTERVAL,
        Keyword::JOIN,
        Keyword::LAMBDA,
        Keyword::LATERAL,
        Keyword::LOCALTIME,
        Keyword::LOCALTIMESTAMP,
        Keyword::MAP,
        Keyword::MATCH,
        Keyword::NOT,
        Keyword::OVERLAY,
        Keyword::POSITION,
        Keyword::SAFE_CAST,
        Keyword::SESSION_USER,
        Keyword::SOME,
        Keyword::STRUCT,
        Keyword::SUBSTR,
        Keyword::SUBSTRING,
        Keyword::TRIM,
        Keyword::TRY_CAST,
        Keyword::TRY_CONVERT,
    ];
    matches!(token, Token::Comma) || keyword(token).is_some_and(|keyword| WORDS.contains(&keyword))
}

/// Whether a token ends a value, so that NOT behind it is of `NOT IN` or `NOT LIKE`; or is the IS of `IS NOT`.
fn is_operand(token: &Token) -> bool {
    match token {
        Token::Word(word) => {
            word.keyword == Keyword::NoKeyword || word.quote_style.is_some() || word.keyword == Keyword::IS
        }
        Token::RParen | Token::RBracket | Token::Number(..) | Token::SingleQuotedString(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::Tokenizer;

    use super::*;

    fn is_refused(text: &str) -> bool {
        is_too_deep(&Tokenizer::new(&GenericDialect {}, text).tokenize_with_location().unwrap())
    }

    #[test]
    fn what_doubles_with_each_level_is_refused() {
        for begins in [
            "ceil(",
            "cast(",
            "position(",
            "substring(",
            "overlay(",
            "not(",
            "NOT ",
            "CASE WHEN ",
            "ARRAY[",
            "NOT ceil(",
        ] {
            assert!(is_refused(&format!("SELECT {}1 2", begins.repeat(20))), "{begins}");
            assert!(!is_refused(&format!("SELECT {}1", begins.repeat(4))), "{begins}");
        }
        assert!(is_refused(&format!("SELECT 1 {}", "FROM (((SELECT 1 ".repeat(8))));
        assert!(is_refused(&format!("SELECT 1 {}", "WHERE 1 IN ((SELECT 1 ".repeat(8))));
    }

    #[test]
    fn what_is_read_in_one_way_or_beside_one_another_is_not() {
        let case = "CASE WHEN a IS NOT NULL AND NOT b THEN cast(a AS int) ELSE ceil(c) END";
        assert!(!is_refused(&format!("SELECT {}", vec![case; 40].join(", "))));
        assert!(!is_refused(&format!("SELECT {}", vec!["(NOT a)"; 40].join(" AND "))));
        assert!(!is_refused(&format!("SELECT a WHERE {}", vec!["a NOT IN (1) AND NOT b"; 40].join(" OR "))));
        for (open, close) in [("(", ")"), ("f(", ")"), ("a AND (", ")"), ("replace(", ", 'a', 'b')")] {
            assert!(!is_refused(&format!("SELECT {}a{}", open.repeat(40), close.repeat(40))), "{open}");
        }
        assert!(!is_refused("SELECT a FROM (SELECT a FROM (SELECT a FROM (SELECT a FROM t)))"));
    }
}
