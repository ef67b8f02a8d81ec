//! Names of a record in one word with an initial, as logins and names of mailboxes are made.
//!
//! ```text
//! record   John Quincy Smith
//! text     "JSmith … SmithJ … jqsmith … smithj@ … jsmith2"      | jsmithson · smiths
//! ```
//!
//! Such a word is told by its capitals, or by what it is not: no word of any list. Where the name is an ordinary word as well, letters
//! behind it may be an ending, and `a` or `i` before it a blank that somebody left out: then digits, `@` or a low line must follow.

use super::capitals::parts;
use super::people::is_ordinary;
use super::words::{Word, keys};
use crate::lexicon::Lexicon;

/// The fewest letters of a name that is told with one letter more.
pub(super) const SHORTEST: usize = 5;
/// Words of one letter that a name may be written together with by mistake.
const SHORT_WORDS: [&str; 2] = ["a", "i"];

/// A name and initials in one word.
#[derive(Debug)]
pub(super) struct Login {
    /// That of the word.
    pub key: u64,
    /// Whether nothing need follow that tells it.
    is_sure: bool,
}

impl Login {
    fn of(before: &str, name: &str, behind: &str, is_ordinary: bool) -> Option<Self> {
        let is_slip = before.is_empty() || SHORT_WORDS.iter().any(|word| before.eq_ignore_ascii_case(word));
        let keys = keys(&format!("{before}{name}{behind}"));
        let [key] = keys[..] else { return None };
        Some(Self { key, is_sure: !is_ordinary || !is_slip })
    }

    /// Whether a word of a text is this one, and nothing else.
    pub fn is_at(&self, text: &str, word: &Word) -> bool {
        let written = &text[word.range.clone()];
        let is_followed =
            || text[word.range.end..].starts_with(|next: char| next.is_ascii_digit() || "@_".contains(next));
        let is_known = || !Lexicon::shared().word(written).flags.is_empty();
        self.key == word.key
            && (parts(written).len() > 1 || self.is_sure && !is_known() || is_followed() && !is_ordinary(written))
    }
}

/// The logins of a person: the family name with the initials of the given ones, and a given name with that of the family.
pub(super) fn logins(given: &[&str], middle: &[&str], family: &[&str]) -> Vec<Login> {
    let (first, second, last) = (initials(given), initials(middle), initials(family));
    let both = first.iter().flat_map(|one| second.iter().map(move |other| format!("{one}{other}")));
    let before: Vec<String> = both.chain(first.iter().cloned()).collect();
    let mut found: Vec<Login> = Vec::new();
    for (names, initials) in [(family, &before), (given, &last)] {
        for name in names.iter().flat_map(|name| long_words(name)) {
            let is_ordinary = is_ordinary(&name);
            for initials in initials {
                found.extend(Login::of(initials, &name, "", is_ordinary));
                found.extend(Login::of("", &name, initials, is_ordinary));
            }
        }
    }
    found.sort_unstable_by_key(|login| (login.key, !login.is_sure));
    found.dedup_by_key(|login| login.key);
    found
}

fn initials(names: &[&str]) -> Vec<String> {
    names.iter().filter_map(|name| name.chars().find(|letter| letter.is_alphabetic())).map(String::from).collect()
}

/// A name without what separates its words, and each of its words, where they are long enough.
fn long_words(name: &str) -> Vec<String> {
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphabetic()).collect::<String>();
    let mut words = vec![letters(name)];
    words.extend(name.split([' ', '-']).map(letters));
    words.retain(|word| word.chars().count() >= SHORTEST);
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::words::words;

    /// Every word of a text that is a login of a person.
    fn found<'t>(names: [&str; 3], text: &'t str) -> Vec<&'t str> {
        let [given, middle, family] = names;
        let logins = logins(&[given], &[middle], &[family]);
        let mut cut = Vec::new();
        words(text, &mut cut);
        let is_one = |word: &&Word| logins.iter().any(|login| login.is_at(text, word));
        cut.iter().filter(is_one).map(|word| &text[word.range.clone()]).collect()
    }

    #[test]
    fn names_with_an_initial_are_told() {
        for (names, text) in [
            (["John", "Quincy", "Smith"], "JSmith SmithJ SmithJQ JQSmith jsmith JSMITH jqsmith Jsmith"),
            (["Jan", "", "Kowalski"], "jkowalski kowalskij KOWALSKIJ"),
            (["Adam", "", "Kowalski"], "akowalski"),
            (["Zuzana", "", "Lopez-Strong"], "zlopez zlopezstrong lopezstrongz zuzanal LZuzana"),
            (["José", "", "Muñoz"], "jmunoz MuñozJ"),
            (["Sam", "", "Marshall"], "MarshallS"),
        ] {
            assert_eq!(found(names, text), text.split(' ').collect::<Vec<_>>(), "{text}");
        }
        assert_eq!(found(["John", "", "Smith"], "by smithj@sample.example"), ["smithj"]);
        assert_eq!(found(["Anna", "", "Smith"], "asmith@sample.example smitha_2"), ["asmith", "smitha"]);
    }

    #[test]
    fn other_words_are_not() {
        for (names, text) in [
            (
                ["John", "Quincy", "Smith"],
                "Smith smiths smithers jsmithson Smithson KSmith smithk jqksmith smithj quincys",
            ),
            (["Anna", "", "Child"], "achild with asthma"),
            (["Sam", "", "Marshall"], "marshalls marshalling Marshall"),
            (["Mark", "", "Lee"], "markl mlee leem"),
            (["", "", "Kowalski"], "kowalski kowalskij"),
            (["Maria", "", "Novak"], "Marian marian"),
        ] {
            assert_eq!(found(names, text), [""; 0], "{text}");
        }
    }
}
