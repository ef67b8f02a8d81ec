//! How often a text makes the parser try again. Of words with a syntax of their own, of brackets behind FROM, and of what stands behind a dot, the parser
//! tries one reading and, where that fails, another, and so does it again for all that stands inside: each level doubles the time, and nothing ends a
//! parser.
//!
//! ```text
//! ceil(ceil(ceil(1 2)))              three levels: the error at the bottom is looked at 8 times
//! FROM ((SELECT 1 FROM ((SELECT …    four
//! a.b.c.-1, INTERVAL INTERVAL        three, two
//! ((a + b) * c), f(g(h(x)))          none: there is one reading of them
//! ```

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

/// How many levels may be open at once: 4,096 readings of what stands inside.
pub(super) const MOST_LEVELS: usize = 12;
/// How many tokens may be read, each as often as its levels have it read: some seconds.
const MOST_READINGS: usize = 4_000_000;

/// A bracket, or a CASE, that is open.
#[derive(Clone, Copy, Default)]
struct Open {
    /// Whether it is one of several readings.
    is_level: bool,
    is_case: bool,
    /// How many NOTs stand in a row before what is being read in it.
    nots: usize,
    /// How many INTERVALs do, whose value has not come yet.
    intervals: usize,
    /// How many dots are in the chain that is being read.
    dots: usize,
}

impl Open {
    fn levels(&self) -> usize {
        usize::from(self.is_level) + self.nots + self.intervals + self.dots
    }

    /// Takes a token that opens and closes nothing.
    fn read(&mut self, token: &Token, before: Option<&Token>) {
        if is_dot(token) {
            self.dots += 1;
        } else if !before.is_some_and(is_dot) {
            self.dots = 0;
        }
        match keyword(token) {
            Some(Keyword::NOT) if !before.is_some_and(is_operand) => self.nots += 1,
            Some(Keyword::INTERVAL) => self.intervals += 1,
            Some(Keyword::AND | Keyword::OR | Keyword::WHEN | Keyword::THEN | Keyword::ELSE) => self.nots = 0,
            _ if *token == Token::Comma => self.nots = 0,
            _ => {}
        }
        let is_next = *token == Token::Comma || keyword(token).is_some_and(|keyword| keyword != Keyword::INTERVAL);
        if is_next || matches!(token, Token::Number(..) | Token::SingleQuotedString(_)) {
            self.intervals = 0;
        }
    }
}

/// Whether so many levels are open somewhere, or so much stands inside of them, that the text is not to be parsed.
pub(super) fn is_too_deep(tokens: &[TokenWithSpan]) -> bool {
    let mut open = vec![Open::default()];
    let mut before: Option<(&Token, bool)> = None;
    let mut readings = 0;
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
            token => match keyword(token) {
                Some(Keyword::CASE) => open.push(Open { is_level: true, is_case: true, ..Open::default() }),
                Some(Keyword::END) if open.len() > 1 && open.last().is_some_and(|inner| inner.is_case) => {
                    open.pop();
                }
                _ => open.last_mut().into_iter().for_each(|inner| inner.read(token, before.map(|(token, _)| token))),
            },
        }
        let levels: usize = open.iter().map(Open::levels).sum();
        readings += 1 << levels.min(MOST_LEVELS);
        if levels > MOST_LEVELS || readings > MOST_READINGS {
            return true;
        }
        before = Some((token, is_level));
    }
    false
}

/// Whether a part of what stands before a token may follow: a number may begin with its dot.
fn is_dot(token: &Token) -> bool {
    *token == Token::Period || matches!(token, Token::Number(number, _) if number.starts_with('.'))
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
        assert!(is_refused(&format!("SELECT 1 WHERE {}-1", "a.".repeat(38))));
        assert!(is_refused(&format!("SELECT 1 WHERE a{}.-1", ".f(1)".repeat(38))));
        assert!(is_refused(&format!("SELECT {}", "INTERVAL ".repeat(40))));
        assert!(is_refused(&format!("SELECT {}", "INTERVAL - ".repeat(40))));
        assert!(is_refused(&format!("SELECT {}f({})", "ceil(".repeat(10), "1,".repeat(10_000))));
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
        assert!(!is_refused(&format!("SELECT {} FROM a.b.c", vec!["a.b.c.d"; 400].join(", "))));
        assert!(!is_refused(&format!("SELECT a{}", " + INTERVAL '1 day' - INTERVAL 2 DAY".repeat(40))));
        assert!(!is_refused(&format!("SELECT a FROM t WHERE a IN ({})", "1,".repeat(100_000))));
        assert!(!is_refused("SELECT a FROM (SELECT a FROM (SELECT a FROM (SELECT a FROM t)))"));
    }
}
