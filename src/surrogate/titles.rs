//! What stands beside names and is none: titles, suffixes, particles, degrees.
//!
//! ```text
//! Dr. Ludwig van Smith, Jr., M.D.          stays: Dr. van Jr. M.D.
//! ```

use super::special_words::{
    BIRTH, DEGREE, DEGREES, PARTICLE, SAINT, SHORT_DEGREE, SHORT_DEGREES, SUFFIX, TITLE, lists_of_written,
};
use super::words::{Word, words};

/// Short degrees that are names as well: degrees only behind a given name and a surname.
const NAMES_OR_DEGREES: &[&str] = &["do", "ma", "ms", "np", "pa"];
/// Titles wherever they stand: nobody is called so.
const SURE_TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof"];
/// Titles that thousands are called by. Those who find names leave titles outside, so where one of these leads a name it is most likely a part of it.
const NAMES_OR_TITLES: &[&str] = &["deacon", "lady", "major", "sir"];
/// Particles that are names of many: with a capital they are none, unless what stands beside them says so.
const NAMES_OR_PARTICLES: &[&str] =
    &["abu", "al", "bin", "da", "das", "della", "di", "do", "du", "e", "la", "le", "ten", "van", "y"];
/// Particles that are given names where they come first.
const GIVEN_OR_PARTICLES: &[&str] = &["del", "den", "el", "ibn", "vander", "von"];
/// Words that join two names; `comma` is one that somebody dictated.
const CONNECTORS: &[&str] = &["aka", "and", "comma", "nee", "née", "of", "or", "the"];

/// What parts a surname from what comes after it.
const PARTING: [char; 6] = [',', ';', '^', '_', '|', '~'];

/// Whether a word among others is no name: title, suffix, particle, degree.
///
/// Most of these words are names of some as well, and a name that stays is a leak. So what stands beside them must say it: before a comma
/// is a surname, after it a given name.
pub(super) fn kept(value: &str, words: &[Word], index: usize) -> bool {
    let Some(word) = words.get(index) else { return false };
    let lists = lists_of_written(word.text);
    if lists == 0 && word.text.len() > 1 {
        return false;
    }
    let place = Place { value, words, index, folded: word.text.to_lowercase(), lists };
    place.is_twin_letter()
        || place.is_suffix()
        || place.is_title()
        || place.is_birth()
        || place.is_saint()
        || place.is_particle()
        || place.is_degree()
}

/// A word with what stands beside it.
struct Place<'a> {
    value: &'a str,
    words: &'a [Word<'a>],
    index: usize,
    folded: String,
    lists: u8,
}

impl<'a> Place<'a> {
    fn of(&self, lists: u8) -> bool {
        self.lists & lists != 0
    }

    fn is_in(&self, list: &[&str]) -> bool {
        list.contains(&self.folded.as_str())
    }

    fn text(&self) -> &'a str {
        self.words.get(self.index).map_or("", |word| word.text)
    }

    /// A word before this one, or after it, with its distance; empty where there is none.
    fn beside(&self, distance: isize) -> &'a str {
        let index = self.index.checked_add_signed(distance);
        index.and_then(|index| self.words.get(index)).map_or("", |word| word.text)
    }

    fn is_last(&self) -> bool {
        self.index + 1 == self.words.len()
    }

    /// All of the value before the word.
    fn before(&self) -> &'a str {
        self.words.get(self.index).and_then(|word| self.value.get(..word.start)).unwrap_or("")
    }

    /// What stands between the word and the next one.
    fn after(&self) -> &'a str {
        let end = self.words.get(self.index + 1).map_or(self.value.len(), |next| next.start);
        self.words.get(self.index).and_then(|word| self.value.get(word.end()..end)).unwrap_or("")
    }

    /// Whether it ends a surname, as what stands before a comma does.
    fn ends_surname(&self) -> bool {
        self.after().contains(PARTING)
    }

    /// Whether it is the first word after `SURNAME,`: a given name.
    fn begins_given(&self) -> bool {
        self.before().trim_end().ends_with(PARTING)
    }

    fn earlier(&self) -> &'a [Word<'a>] {
        self.words.get(..self.index).unwrap_or(&[])
    }

    /// Whether nothing but degrees and suffixes comes after it: `Anil De MD`.
    fn ends_name(&self) -> bool {
        let later = self.words.get(self.index + 1..).unwrap_or(&[]);
        later.iter().all(|word| lists_of_written(word.text) & (DEGREE | SUFFIX) != 0)
    }

    fn is_suffix(&self) -> bool {
        // Some are called `Junior`.
        let ends =
            || names_among(self.earlier()) > 0 && !self.begins_given() && (self.ends_name() || self.ends_surname());
        self.of(SUFFIX) && self.index > 0 && (!self.is_in(&["junior"]) || ends())
    }

    fn is_title(&self) -> bool {
        let leads = || !self.before().contains(PARTING) && self.only_before(TITLE | BIRTH);
        let given = || self.is_in(NAMES_OR_TITLES) && !self.after().starts_with('.');
        self.of(TITLE) && !self.is_last() && !self.ends_surname() && (self.is_in(SURE_TITLES) || leads() && !given())
    }

    fn only_before(&self, lists: u8) -> bool {
        self.earlier().iter().all(|word| lists_of_written(word.text) & lists != 0)
    }

    /// `Newborn Smith`, `SMITH, BABY BOY`, `SMITH BABY BOY`.
    fn is_birth(&self) -> bool {
        if !self.of(BIRTH) {
            return false;
        }
        let is = |word: &str, all: &[&str]| all.iter().any(|known| word.eq_ignore_ascii_case(known));
        let pair = is(self.text(), &["baby"]) && is(self.beside(1), &["boy", "girl"])
            || is(self.text(), &["boy", "girl"]) && is(self.beside(-1), &["baby", "infant", "newborn", "twin"]);
        let given = || {
            let parted = self.before().rfind(PARTING).filter(|_| self.index > 0);
            parted.is_some_and(|parted| {
                let mut since = self.earlier().iter().filter(|word| word.start > parted);
                since.all(|word| lists_of_written(word.text) & BIRTH != 0)
            })
        };
        let leads = || !self.is_last() && self.only_before(TITLE | BIRTH);
        pair || !self.ends_surname() && (given() || leads())
    }

    /// The letter of `TWIN A`.
    fn is_twin_letter(&self) -> bool {
        let twin = lists_of_written(self.beside(-1)) & BIRTH != 0 && self.beside(-1).to_lowercase().starts_with('t');
        twin && matches!(self.folded.as_str(), "a" | "b" | "c" | "d")
            && self.index.checked_sub(1).is_some_and(|before| kept(self.value, self.words, before))
    }

    fn is_saint(&self) -> bool {
        let (next, after) = (self.beside(1), self.after());
        let written_so = after.starts_with('.') || self.folded == "st" && after.chars().all(char::is_whitespace);
        self.of(SAINT) && written_so && !self.ends_surname() && next.len() > 1 && next.starts_with(char::is_alphabetic)
    }

    fn is_particle(&self) -> bool {
        if !self.of(PARTICLE) || self.ends_name() || self.ends_surname() {
            return false;
        }
        let small = !self.text().contains(char::is_uppercase);
        if self.is_in(CONNECTORS) {
            let capitals = !self.text().contains(char::is_lowercase);
            let sure = small || self.is_in(&["aka", "and", "née"]) || capitals && !self.begins_given();
            return sure && (self.index > 0 || self.folded == "the");
        }
        let after = self.after();
        let beside = after == "-" || after.chars().all(char::is_whitespace);
        if self.begins_given() || !beside {
            return false;
        }
        if small && self.precedes_capital() {
            return true;
        }
        if self.is_in(NAMES_OR_PARTICLES) {
            return self.is_particle_by_form();
        }
        if self.index == 0 && self.is_in(GIVEN_OR_PARTICLES) {
            // `DEL TORO, JUAN`, `El-Sayed`; but not `Del Smith`.
            return after == "-" || self.value[..before_degrees(self.value)].contains(PARTING);
        }
        true
    }

    /// Whether the name that particles stand before begins with a capital.
    fn precedes_capital(&self) -> bool {
        let later = self.words.get(self.index + 1..).unwrap_or(&[]);
        let named = later.iter().find(|word| lists_of_written(word.text) & PARTICLE == 0);
        named.is_some_and(|word| word.text.starts_with(char::is_uppercase))
    }

    /// `Van Der Berg`, `De La Cruz`, `Al-Sayed`.
    fn is_particle_by_form(&self) -> bool {
        let is = |word: &str, all: &[&str]| all.iter().any(|known| word.eq_ignore_ascii_case(known));
        match self.folded.as_str() {
            "van" => is(self.beside(1), &["de", "den", "der"]) && !self.beside(2).is_empty(),
            "la" => is(self.beside(-1), &["de"]),
            "abu" | "al" => self.after() == "-",
            _ => false,
        }
    }

    fn is_degree(&self) -> bool {
        let after_comma = self.before().trim_end().ends_with(',');
        let capitals = self.text().bytes().all(|byte| byte.is_ascii_uppercase());
        let degree = self.of(DEGREE) && (after_comma || capitals || self.folded == "phd");
        let short = || {
            let named = !self.is_in(NAMES_OR_DEGREES) || names_among(self.earlier()) > 1;
            after_comma && capitals && self.of(SHORT_DEGREE) && named
        };
        self.index > 0 && (degree || short())
    }
}

/// How many words are names, whatever else some of them may be.
fn names_among(words: &[Word]) -> usize {
    words.iter().filter(|word| lists_of_written(word.text) & (TITLE | SUFFIX | DEGREE) == 0).count()
}

/// Where the name ends and degrees after commas begin: `K. Nguyen, M.D., Ph.D.`
pub(super) fn before_degrees(value: &str) -> usize {
    let mut end = value.len();
    while let Some(comma) = value[..end].rfind(',') {
        // Whatever else stands there is no degree: `JONES, KAREN, MD 1234567890`.
        if value[comma..end].chars().any(|other| other.is_alphanumeric() && !other.is_ascii_alphabetic()) {
            break;
        }
        let degree: String = value[comma..end]
            .chars()
            .filter(char::is_ascii_alphabetic)
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        let dotted = value[comma..end].contains('.');
        // `SMITH, J.D.` may be John David.
        let named = || names_among(&words(&value[..comma])) > 1;
        let short = dotted && degree.len() > 1 && SHORT_DEGREES.contains(&degree.as_str()) && named();
        if !(DEGREES.contains(&degree.as_str()) || short) {
            break;
        }
        end = comma;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(value: &str) -> Vec<&str> {
        let words = words(value);
        let end = before_degrees(value);
        (0..words.len())
            .filter(|&index| words[index].start < end && !kept(value, &words, index))
            .map(|index| words[index].text)
            .collect()
    }

    #[test]
    fn names_are_left() {
        for (value, names) in [
            ("Dr. Ludwig van Smith, Jr., M.D.", vec!["Ludwig", "Smith"]),
            ("María de la Cruz", vec!["María", "Cruz"]),
            ("Baby Boy Smith", vec!["Smith"]),
            ("Infant of Mary Smith", vec!["Mary", "Smith"]),
            ("the Smith family", vec!["Smith"]),
            ("Al Green", vec!["Al", "Green"]),
            ("Van Nguyen", vec!["Van", "Nguyen"]),
            ("Le, Do", vec!["Le", "Do"]),
            ("Smith, Jones DO", vec!["Smith", "Jones", "DO"]),
            ("Sarah Connor, PA-C", vec!["Sarah", "Connor", "C"]),
            ("John Smith, DO", vec!["John", "Smith"]),
            ("Nguyen, Minh, D.O.", vec!["Nguyen", "Minh"]),
            ("SMITH, M.A.", vec!["SMITH", "M", "A"]),
            ("Judge Smith", vec!["Smith"]),
            ("Major Smith", vec!["Major", "Smith"]),
            ("MAJOR Q. SMITH", vec!["MAJOR", "Q", "SMITH"]),
            ("Maj. Smith", vec!["Smith"]),
            ("Dr. Anil De MD", vec!["Anil", "De"]),
            ("ANIL DE JR", vec!["ANIL", "DE"]),
            ("SMITH, DR JOHN", vec!["SMITH", "JOHN"]),
            ("Mr. and Mrs. Smith", vec!["Smith"]),
        ] {
            assert_eq!(left(value), names, "{value}");
        }
    }

    #[test]
    fn a_word_before_a_comma_or_after_it_is_a_name_whatever_else_it_may_be() {
        for value in [
            "DAS, ANIL",
            "DU, WEI",
            "JUDGE, MARY",
            "PASTOR, MARIA",
            "PASTOR, MAJOR JOHN",
            "MAJOR, JOHN",
            "NGUYEN, LE THI",
            "VANG, PA HOUA",
            "VANG, PA",
            "Nguyen, Van Minh",
            "XIONG, MA",
            "NGUYEN, DO",
            "DI, WEI",
            "LA, MINH",
            "ABU, JOHN",
            "HERR, MARY",
            "DEL, MARIA",
            "EL, AMIR",
            "SMITH, DEL",
            "DAS^ANIL",
            "SMITH, AL J",
            "Smith, Judge",
            "DAS_ANIL",
        ] {
            let all: Vec<&str> = words(value).iter().map(|word| word.text).collect();
            assert_eq!(left(value), all, "{value}");
        }
    }

    #[test]
    fn a_particle_is_told_by_its_form() {
        for (value, names) in [
            ("Mr. Bin Wang", vec!["Bin", "Wang"]),
            ("mr. bin wang", vec!["bin", "wang"]),
            ("Xiao Bin Li", vec!["Xiao", "Bin", "Li"]),
            ("Osama bin Khalid", vec!["Osama", "Khalid"]),
            ("John Van Smith", vec!["John", "Van", "Smith"]),
            ("VAN DER BERG, JAN", vec!["BERG", "JAN"]),
            ("Van Der Berg", vec!["Berg"]),
            ("Mr. van der Berg", vec!["Berg"]),
            ("DE LA CRUZ, MARIA", vec!["CRUZ", "MARIA"]),
            ("maria de la cruz", vec!["maria", "cruz"]),
            ("Da Silva", vec!["Da", "Silva"]),
            ("Ana da Silva", vec!["Ana", "Silva"]),
            ("Della Reese", vec!["Della", "Reese"]),
            ("Del Smith", vec!["Del", "Smith"]),
            ("DEL TORO, JUAN", vec!["TORO", "JUAN"]),
            ("Amir Al-Sayed", vec!["Amir", "Sayed"]),
            ("AL-SAYED, AMIR", vec!["SAYED", "AMIR"]),
            ("Dr. St. John", vec!["John"]),
            ("ST. JOHN, MARY", vec!["JOHN", "MARY"]),
            ("Jones, nee Smith", vec!["Jones", "Smith"]),
        ] {
            assert_eq!(left(value), names, "{value}");
        }
    }

    #[test]
    fn a_child_without_a_name_stays_one() {
        for value in [
            "SMITH, BABY BOY",
            "SMITH, TWIN A",
            "SMITH, INFANT GIRL",
            "SMITH, NEWBORN",
            "SMITH,GIRL",
            "Baby Girl SMITH",
            "Newborn SMITH",
            "SMITH BABY BOY",
        ] {
            assert_eq!(left(value), ["SMITH"], "{value}");
        }
        assert_eq!(left("SMITH, BABY BOY A"), ["SMITH", "A"]);
        assert_eq!(left("Newborn, John"), ["Newborn", "John"]);
        assert_eq!(left("Boy, George"), ["Boy", "George"]);
    }
}
