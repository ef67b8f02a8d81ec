//! Where a name of the record that is an ordinary word is its bearer, although in other notes the word would be taken for one.
//!
//! ```text
//! "Rivers was admitted"   "Overnight Fox was stable"   "RM 12 RIVERS - NPO"   "Frank's wound"   "pt smith seen"
//! "Stone was removed"     "a fox"                      "the young patient"                                       : none
//! ```
//!
//! A record tells whom its notes speak of, so a capital, and what is said of persons, are enough. A word that medicine has, too, asks for
//! what is said of persons alone.

use super::context::{Context, Shape, among};
use super::cues::{ACTS, DETERMINERS, KIN, STATES};
use super::name_word::Usual;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

/// Words of grammar that stand in every note; the others of their kind, `Long` and `Best`, are names as soon as a person must stand there.
const FUNCTION_WORDS: &str = "may her so an can do no to he she you see in on at be or as is my we me such go more still \
    well much many some any than then the son";

/// What also is a colour or a race, so that a stroke or a colon behind it tells nothing: `White/Caucasian`, `Brown: formed`.
const COLOURS: &str = "white black brown green red yellow pink gray grey blue gold silver";

/// What else is said of persons than what they do, and of other things as well.
const STATES_OF_ANY: &str = "seen ok okay stable here present following improved improving better worse fine";

impl Context<'_> {
    /// How sure a name of the record is its bearer; `medical` where medicine has the word, too.
    pub(super) fn of_record(&self, usual: Usual, calendar: bool, medical: bool) -> Option<f32> {
        let name = &self.text[self.start..self.end];
        let is_function_word = usual == Usual::Grammar && listed!(name, FUNCTION_WORDS);
        let other = calendar && self.is_date() || self.is_eponym() || self.is_hyphenated();
        if other || is_function_word || self.gap_before == " " && among(self.before, DETERMINERS) {
            return None;
        }
        // `healthy young 30 yo man`
        if self.before_age_and_sex() && usual < Usual::Grammar && (self.shape() != Shape::Small || self.begins_row()) {
            return Some(0.9);
        }
        let asks_for_more = medical || usual == Usual::Grammar;
        let found = match self.shape() {
            Shape::Small => self.small_of_record(asks_for_more),
            Shape::Capital => self.capital_of_record(asks_for_more),
            Shape::Large => self.large_of_record(asks_for_more),
        };
        found.then_some(0.7)
    }

    fn small_of_record(&self, asks_for_more: bool) -> bool {
        // `per frank, no pain`
        let is_told_of = self.gap_before == " " && among(self.before, &["per"]);
        let ends = self.gap_after.starts_with([',', '.', ';']) || self.after.is_empty();
        if is_told_of && ends {
            return true;
        }
        let is_called = self.gap_before == " " && among(self.before, &["pt", "patient"]);
        is_called && (self.only_persons() || !asks_for_more && (self.persons_too() || ends))
            || !asks_for_more && self.is_beside_bed()
    }

    fn capital_of_record(&self, asks_for_more: bool) -> bool {
        if self.is_possessive() || self.only_persons() || self.is_behind_room() || self.heads_patient() {
            return true;
        }
        if asks_for_more {
            return false;
        }
        let is_quoted = self.gap_before.ends_with('"') && self.gap_after.starts_with('"');
        is_quoted
            || self.is_behind_first_word() && self.persons_too()
            || self.begins_row() && (self.persons_too() || self.heads_line())
    }

    fn large_of_record(&self, asks_for_more: bool) -> bool {
        self.only_persons()
            || self.is_behind_room()
            || self.heads_patient()
            || !asks_for_more && self.begins_row() && (self.persons_too() || self.heads_line())
    }

    /// `Overnight Fox`, but not `Kidney Stone`: whether the word before has its capital from the beginning of the sentence.
    fn is_behind_first_word(&self) -> bool {
        let info = Lexicon::shared().word(self.before);
        self.gap_before == " "
            && !self.next_is_capital()
            && info.english_size().is_some()
            && info.given_count < 1_000
            && !info.is_any(WordFlags::MEDICAL.union(WordFlags::CARE_ROLE))
            && self.follows_first_word()
    }

    /// `RM 12 Fox`, `bed 3A STONE`.
    fn is_behind_room(&self) -> bool {
        if self.gap_before != " " || !self.before.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            return false;
        }
        let head = self.text[..self.start].trim_end_matches(' ');
        let mut words = head.rsplit([' ', '\n', '\t']);
        let (number, room) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        number.starts_with(|c: char| c.is_ascii_digit())
            && listed!(room.trim_end_matches(['.', '#', ':']), "rm room bed bay")
    }

    /// `Stone: d/c tomorrow`, `STONE - NPO`, `Stone / DNR`: the first cell of a row of patients.
    fn heads_patient(&self) -> bool {
        const OF_PATIENTS: [&str; 10] = ["d/c", "dc", "npo", "full code", "dnr", "dni", "s/p", "pod", "home", "admit"];
        let behind = self.text[self.end..].trim_start_matches([' ', ':', '/', '-', '–', '—', '|']);
        let is_begun = |word: &str| behind.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
        self.begins_row() && self.is_cell() && OF_PATIENTS.into_iter().any(is_begun)
    }

    /// `66M`, `, 66 yo`, ` (66 y/o F)` right behind.
    fn before_age_and_sex(&self) -> bool {
        let rest = self.text[self.end..].trim_start_matches([' ', ',', '(']);
        let gap = self.text[self.end..].len() - rest.len();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=3).contains(&gap) || !(1..=3).contains(&digits) {
            return false;
        }
        let unit = &rest[digits..];
        let begins =
            |unit: &str, with: &str| unit.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
        let sex = unit.starts_with(['M', 'F', 'm', 'f']) && !unit[1..].starts_with(|c: char| c.is_alphanumeric());
        let years = unit.trim_start_matches([' ', '-']);
        // `3 years ago` is no age.
        let old = ["yr", "yrs", "year", "years"]
            .iter()
            .any(|word| begins(years, word) && begins(years[word.len()..].trim_start_matches([' ', '-']), "old"));
        sex || old || ["yo", "y/o", "y.o"].iter().any(|word| begins(years, word))
    }

    /// Whether what follows is said of persons alone.
    fn only_persons(&self) -> bool {
        const BROUGHT_ABOUT: &str = "admitted intubated extubated discharged sedated updated notified asleep awake alert afebrile comfortable \
            tearful npo consented counseled counselled informed hospitalized readmitted unresponsive confused agitated drowsy oriented";
        const DOES: &str = "resting doing feeling sitting walking ambulating tolerating sleeping eating complaining asking refusing crying";
        const IS: &str = "retired former pleasant widowed married single divorced known healthy";
        const HAD: &str = "history hx questions concerns complaints denied been capacity";
        const DONE_NEXT: &str =
            "see bedside follow call visit bring drive sign pick come scope return discuss speak talk ask decide stay";
        let kin = |word: &str| among(word, KIN) || listed!(word, "family parents kids children spouse");
        if self.is_possessive() && kin(self.after) {
            return true;
        }
        if self.is_beside_bed() {
            return true;
        }
        if !self.is_followed() {
            return false;
        }
        let [second, third] = self.words_behind();
        match self.after.to_ascii_lowercase().as_str() {
            "is" | "was" => {
                listed!(second, BROUGHT_ABOUT)
                    || listed!(second, DOES)
                    || listed!(second, "a an now") && listed!(third, IS)
                    || listed!(second, "a an now") && third.starts_with(|c: char| c.is_ascii_digit())
            }
            "remains" | "remained" => listed!(second, BROUGHT_ABOUT),
            "has" | "had" => listed!(second, HAD) || listed!(second, "a no") && listed!(third, HAD),
            "and" => kin(second) || listed!(second, "his her their the") && kin(third),
            "to" | "will" => listed!(second, DONE_NEXT),
            "aware" | "visiting" | "consulted" | "updated" | "notified" => true,
            _ => among(self.after, ACTS),
        }
    }

    /// Whether a word follows behind a blank; marks that make the name bold or close a bracket do not count.
    fn is_followed(&self) -> bool {
        self.gap_after.trim_start_matches(['*', '_', ')', '"']) == " "
    }

    /// Whether what follows is said of persons, and of other things as well.
    pub(super) fn persons_too(&self) -> bool {
        let and = self.after.eq_ignore_ascii_case("and");
        self.only_persons()
            || self.is_followed()
                && (among(self.after, STATES) && !and
                    || listed!(self.after, STATES_OF_ANY)
                    || self.goes_on_in_past()
                    || self.goes_on())
    }

    /// `at bedside`, `@ bedside`, `to bedside`.
    fn is_beside_bed(&self) -> bool {
        let behind = self.text[self.end..].trim_start_matches(' ');
        ["at ", "@ ", "@", "to ", "by "].iter().any(|place| {
            let rest = behind
                .get(..place.len())
                .filter(|begin| begin.eq_ignore_ascii_case(place))
                .map(|_| &behind[place.len()..]);
            rest.is_some_and(|rest| rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("bedside")))
        })
    }

    /// `Rivers: d/c tmrw`, `RIVERS - NPO`, `Fox / COPD / full code`: the first cell of a row of a list.
    fn heads_line(&self) -> bool {
        self.is_cell()
            && match self.gap_after.trim() {
                "/" => self.after.starts_with(char::is_uppercase) && !self.is_colour(),
                ":" => !self.is_colour(),
                _ => true,
            }
    }

    fn is_cell(&self) -> bool {
        matches!(self.gap_after, " / " | "/" | ": " | ":" | " - " | " – " | " — " | " | ")
    }

    fn begins_row(&self) -> bool {
        self.begins_sentence() || self.begins_line()
    }

    fn is_colour(&self) -> bool {
        listed!(&self.text[self.start..self.end], COLOURS)
    }

    /// The two words behind the one that follows, on its line.
    fn words_behind(&self) -> [&str; 2] {
        const LONGEST: usize = 80;
        let at = self.after.as_ptr() as usize - self.text.as_ptr() as usize + self.after.len();
        let rest = self.text.get(at..).unwrap_or_default();
        let rest = &rest[..rest.floor_char_boundary(LONGEST)];
        let line = rest.split('\n').next().unwrap_or_default();
        let mut words = line.split([' ', ',', '.', ';']).filter(|word| !word.is_empty());
        [words.next().unwrap_or_default(), words.next().unwrap_or_default()]
    }
}
