//! The full names of a record, however they are written.
//!
//! ```text
//! record   John Smith
//! text     "John Q. Smith … SMITH^JOHN … Smith Jr., John … John (Jack) Smith … Smith           | John … JohnSmith"
//!           └─────────┘     └────────┘   └─────────────┘   └──────────────┘   └───────────────────┘   └───────┘
//! ```
//!
//! A full name is a given and a family name side by side, in either order. Blanks and marks may stand between them, and two of these:
//! a middle name, an initial, a suffix, a nickname in quotes or brackets. Or nothing stands between them, where that makes no other word.
//! A name and an initial in one word are as much: see [`super::logins`].

use super::cells;
use super::logins::{Login, logins};
use super::words::{Word, keys};
use crate::lexicon::{Lexicon, WordFlags};

/// How many middle names, initials, suffixes or nicknames may stand between the two names of a full name.
const MOST_BETWEEN: usize = 2;
/// The longest way from one word of a name to the next, in bytes: they may stand in columns of a table.
const LONGEST_GAP: usize = 40;
/// The most marks on it; more are a rule between two things.
const MOST_MARKS: usize = 6;
/// The most words of a nickname.
const LONGEST_NICKNAME: usize = 2;
const SUFFIXES: [&str; 5] = ["jr", "sr", "ii", "iii", "iv"];
/// The fewest letters of a full name in one word that is told in small letters or capitals alone.
const SHORTEST_GLUED: usize = 6;

/// A person's names, each a sequence of words.
#[derive(Debug, Default)]
pub(super) struct Person {
    given: Vec<Vec<u64>>,
    middle: Vec<Vec<u64>>,
    family: Vec<Vec<u64>>,
    glued: Vec<Glued>,
    logins: Vec<Login>,
}

/// A full name with nothing between its parts.
#[derive(Debug)]
struct Glued {
    words: Vec<u64>,
    /// Whether it is nothing else, however it is written: `AnLee` is a name, `market` none of Mark Et.
    alone: bool,
}

impl Glued {
    /// The name of its parts, if it is one.
    fn of(parts: &[&str]) -> Option<Self> {
        let written = parts.concat();
        let words = keys(&written);
        let is_long = written.chars().count() >= SHORTEST_GLUED;
        let alone = is_long && Lexicon::shared().word(&written).flags.is_empty();
        (!words.is_empty()).then_some(Self { words, alone })
    }

    /// How many words of a text are the name that begins at a word.
    fn at(&self, text: &str, words: &[Word], at: usize) -> Option<usize> {
        let rest = words.get(at..).filter(|rest| begins(rest, &self.words))?;
        let whole = &text[rest.first()?.range.start..rest.get(self.words.len() - 1)?.range.end];
        (self.alone || has_inner_capital(whole)).then_some(self.words.len())
    }
}

impl Person {
    /// A person of such names, one or several words of one an entry.
    pub fn new(given: &[String], middle: &[String], family: &[String]) -> Self {
        let (given, family) = (cells::given_names(given), cells::family_names(family));
        let (given, middle, family) = (&borrowed(&given)[..], &borrowed(middle)[..], &borrowed(&family)[..]);
        let phrases = |names: &[&str]| names.iter().map(|name| keys(name)).filter(|name| !name.is_empty()).collect();
        Self {
            given: phrases(given),
            middle: phrases(middle),
            family: phrases(family),
            glued: glued(given, middle, family),
            logins: logins(given, middle, family),
        }
    }

    /// Everybody in a cell of full names.
    pub fn all_of(cell: &str) -> impl Iterator<Item = Self> {
        cells::people(cell).map(|[given, middle, family]| Self::new(&given, &middle, &family))
    }

    /// Whether there is a full name to be found.
    pub fn has_full_name(&self) -> bool {
        !self.given.is_empty() && !self.family.is_empty()
    }

    /// The words that a full name can begin with, or that are one.
    pub fn first_words(&self) -> impl Iterator<Item = &u64> {
        let glued = self.glued.iter().map(|name| &name.words);
        let logins = self.logins.iter().map(|login| &login.key);
        self.given.iter().chain(&self.family).chain(glued).filter_map(|name| name.first()).chain(logins)
    }

    /// How many words the full name has that begins at a word, and how many there are with the middle names after it.
    pub fn at(&self, text: &str, words: &[Word], at: usize) -> Option<(usize, usize)> {
        let in_order = self.ordered(text, words, at, &self.given, &self.family).map(|count| (count, count));
        let turned = || {
            let count = self.ordered(text, words, at, &self.family, &self.given)?;
            // `Lee, Ann M.`: what follows belongs to the name.
            Some((count, count + self.middle(text, words, at + count)))
        };
        let glued = || self.glued.iter().find_map(|name| name.at(text, words, at)).map(|count| (count, count));
        let login = || {
            let word = words.get(at)?;
            self.logins.iter().any(|login| login.is_at(text, word)).then_some((1, 1))
        };
        in_order.or_else(turned).or_else(glued).or_else(login)
    }

    fn ordered(&self, text: &str, words: &[Word], at: usize, first: &[Vec<u64>], last: &[Vec<u64>]) -> Option<usize> {
        first.iter().filter(|name| begins(&words[at..], name)).find_map(|name| {
            let mut next = at + name.len();
            for passed in 0..=MOST_BETWEEN {
                if !(words.get(next).is_some_and(|word| joins(text, &words[next - 1], word))) {
                    return None;
                }
                if let Some(other) = last.iter().find(|other| begins(&words[next..], other)) {
                    return Some(next + other.len() - at);
                }
                let between = self.between(text, words, next);
                if between == 0 || passed == MOST_BETWEEN {
                    return None;
                }
                next += between;
            }
            None
        })
    }

    /// How many words stand at a word of what may stand between two names.
    fn between(&self, text: &str, words: &[Word], at: usize) -> usize {
        match self.middle(text, words, at) {
            0 if words.get(at).is_some_and(|word| is_suffix(&text[word.range.clone()])) => 1,
            0 => nickname(text, words, at),
            count => count,
        }
    }

    /// How many words of a middle name or initial stand at a word.
    fn middle(&self, text: &str, words: &[Word], at: usize) -> usize {
        let Some(word) = words.get(at).filter(|word| joins(text, &words[at - 1], word)) else { return 0 };
        if let Some(name) = self.middle.iter().find(|name| begins(&words[at..], name)) {
            return name.len();
        }
        let written = &text[word.range.clone()];
        usize::from(written.chars().count() == 1 && written.chars().all(char::is_uppercase))
    }
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// The full names of a person with nothing between their parts, in either order, with and without a middle name or its initial.
fn glued(given: &[&str], middle: &[&str], family: &[&str]) -> Vec<Glued> {
    let (given, family) = (forms(given), forms(family));
    let mut between = forms(middle);
    let initials: Vec<String> = between.iter().filter_map(|name| name.chars().next()).map(String::from).collect();
    between.extend(initials);
    between.push(String::new());
    let mut found: Vec<Glued> = Vec::new();
    for given in &given {
        for family in &family {
            for middle in &between {
                let (given, middle, family) = (given.as_str(), middle.as_str(), family.as_str());
                let both = [Glued::of(&[given, middle, family]), Glued::of(&[family, given, middle])];
                for name in both.into_iter().flatten() {
                    if found.iter().all(|other| other.words != name.words) {
                        found.push(name);
                    }
                }
            }
        }
    }
    found
}

/// Names as they are written, and with nothing inside those of several words, either.
fn forms(names: &[&str]) -> Vec<String> {
    let mut forms = Vec::new();
    for name in names {
        let written = name.trim();
        let letters: String = written.chars().filter(|character| character.is_alphabetic()).collect();
        if letters.is_empty() {
            continue;
        }
        if letters != written {
            forms.push(written.to_owned());
        }
        forms.push(letters);
    }
    forms
}

/// Whether a capital stands behind a small letter: `JohnSmith`.
fn has_inner_capital(written: &str) -> bool {
    written.chars().zip(written.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase())
}

/// Whether words begin with those of a phrase.
pub(super) fn begins(words: &[Word], phrase: &[u64]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, key)| word.key == *key)
}

/// Whether a word means something besides a name or a town.
pub(super) fn is_ordinary(word: &str) -> bool {
    const OTHER: [WordFlags; 9] = [
        WordFlags::ENGLISH,
        WordFlags::MEDICAL,
        WordFlags::ABBREVIATION,
        WordFlags::EPONYM,
        WordFlags::PROFESSION,
        WordFlags::NATIONALITY,
        WordFlags::HEADING,
        WordFlags::STATE,
        WordFlags::COUNTRY,
    ];
    let info = Lexicon::shared().word(word);
    OTHER.iter().any(|&flag| info.is_any(flag))
}

/// Whether two neighbouring words can belong to one name: blanks, a few marks or one line break between them.
fn joins(text: &str, left: &Word, right: &Word) -> bool {
    let gap = &text[left.range.end..right.range.start];
    if gap == " " {
        return true;
    }
    if gap.len() > LONGEST_GAP {
        return false;
    }
    let (mut breaks, mut marks, mut divides) = (0, 0, false);
    for character in gap.chars() {
        match character {
            '\n' => breaks += 1,
            ',' | '.' | '-' => marks += 1,
            '^' | '_' | '/' | ';' | '|' | '(' | ')' | '"' | '\'' | '“' | '”' | '‘' | '’' => {
                marks += 1;
                divides = true;
            }
            _ if character.is_whitespace() => {}
            _ => return false,
        }
    }
    // Such marks stand between any two things: `will/may` is no name.
    let is_name = |word: &Word| {
        let written = &text[word.range.clone()];
        written.starts_with(char::is_uppercase) || !is_ordinary(written)
    };
    breaks <= 1 && marks <= MOST_MARKS && (!divides || is_name(left) && is_name(right))
}

fn is_suffix(word: &str) -> bool {
    SUFFIXES.iter().any(|suffix| word.eq_ignore_ascii_case(suffix))
}

/// How many words of a nickname stand at a word, in quotes or brackets: `"Jack"`, `(Big Jack)`.
fn nickname(text: &str, words: &[Word], at: usize) -> usize {
    const OPEN: [char; 5] = ['"', '\'', '(', '“', '‘'];
    const CLOSED: [char; 5] = ['"', '\'', ')', '”', '’'];
    let opens = |word: &Word| text[..word.range.start].ends_with(OPEN);
    // The closing mark may have been taken for an apostrophe of the word.
    let closes = |word: &Word| text[word.range.end..].starts_with(CLOSED) || text[..word.range.end].ends_with('’');
    let rest = words.get(at..).unwrap_or_default();
    if !rest.first().is_some_and(opens) {
        return 0;
    }
    rest.iter().take(LONGEST_NICKNAME).position(closes).map_or(0, |place| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::words::words;

    fn person(given: &str, family: &str) -> Person {
        Person::new(&[given.to_owned()], &["Quincy".to_owned()], &[family.to_owned()])
    }

    /// The full name that begins at any word of a text.
    fn found<'t>(person: &Person, text: &'t str) -> Option<&'t str> {
        let mut cut = Vec::new();
        words(text, &mut cut);
        (0..cut.len()).find_map(|at| {
            let (count, _) = person.at(text, &cut, at)?;
            Some(&text[cut[at].range.start..cut[at + count - 1].range.end])
        })
    }

    #[test]
    fn full_names_of_every_form() {
        let john = person("John", "Smith");
        for name in [
            "SMITH^JOHN",
            "John\tSmith",
            "John\u{a0}Smith",
            "John\u{2009}\u{2009}Smith",
            "John       Smith",
            "Smith                         John",
            "Smith Jr., John",
            "Smith, Jr., John",
            "Smith III John",
            "John (Q.) Smith",
            "John Quincy \"Jack\" Smith",
            "John \"Jack\" Smith",
            "John 'Jack' Smith",
            "John ‘Jack’ Smith",
            "John “Big Jack” Smith",
            "John (Jack) Smith",
            "Smith_John",
            "Smith/John",
            "Smith; John",
            "Smith | John",
            "Smith |\r\n  John",
            "JohnSmith",
            "SMITHJOHN",
            "johnsmith",
            "SmithJohn",
            "JohnQSmith",
            "johnquincysmith",
            "SmithJohnQ",
            "SmithJ",
            "JQSmith",
            "jsmith",
        ] {
            let text = format!("Seen today: {name}, who was well.");
            assert_eq!(found(&john, &text), Some(name));
        }
    }

    #[test]
    fn two_names_apart_are_no_full_name() {
        let john = person("John", "Smith");
        for text in [
            "John saw Smith",
            "John \"the Jack of all\" Smith",
            "John\n\nSmith",
            "John: Smith",
            "John ---------- Smith",
            "John                                                  Smith",
            "John Jack Smith",
        ] {
            assert_eq!(found(&john, text), None, "{text}");
        }
        for text in ["JohnSmithson", "Johnsmiths", "a johnsonsmith", "John's"] {
            assert_eq!(found(&john, text), None, "{text}");
        }
        let will = person("Will", "May");
        assert_eq!(found(&will, "he will/may come; will (may) be; Will they? may"), None);
        assert_eq!(found(&will, "MAY^WILL"), Some("MAY^WILL"));
    }

    #[test]
    fn names_in_one_word_are_told_from_other_words() {
        for (given, family, text) in [
            ("An", "Lee", "AnLee"),
            ("Zuzana", "Lopez-Strong", "ZuzanaLopezStrong"),
            ("Zuzana", "Lopez-Strong", "LopezStrongZuzana"),
            ("Zuzana", "Lopez-Strong", "ZUZANALOPEZ-STRONG"),
            ("José", "Muñoz", "josemunoz"),
            ("Mary Beth", "Quillfeather", "MaryBethQuillfeather"),
            ("Hart", "Ford", "HartFord"),
        ] {
            assert_eq!(found(&person(given, family), text), Some(text), "{text}");
        }
        for (given, family, text) in [
            ("An", "Lee", "anlee ANLEE"),
            ("Mark", "Et", "market Market MARKET"),
            ("Hart", "Ford", "Hartford HARTFORD"),
            ("", "Smith", "smith"),
            ("John", "", "john"),
        ] {
            assert_eq!(found(&person(given, family), text), None, "{text}");
        }
    }
}
