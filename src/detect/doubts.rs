//! What vocabulary and grammar say against models' claims.
//!
//! ```text
//! takes [warfarin] at night       a drug that nobody is called: no person
//! [Church]/community support:     an ordinary word before a colon is the name of a field
//! [Ernail]: ann@lee.example       so is one that a scanner has mangled: email
//! (dtr [gives])                   an ordinary word in a place where nobody is named
//! ```

mod codes;
mod context;
mod figures;
mod timestamps;

use std::ops::Range;

use super::dictionary::{is_before_head, is_credential, is_title};
use super::gate;
use super::learned::Family;
use super::listed::listed;
use super::patterns::context::first_word;
use super::patterns::users::is_key;
use super::told_as_person;
use crate::lexicon::{Lexicon, WordFlags, WordInfo};
use crate::phi::{Claim, Detector, Label, Span};

/// How sure a model must be that words which vocabulary explains are an identifier.
const SURE_OF_WORDS: f32 = 0.6;
/// How sure a CRF must be that words of medicine which nobody is called are a person, or a site.
const SURE_OF_TERMS: (f32, f32) = (0.9, 0.75);
/// Likewise a transformer, which is sure more often.
const SURER_OF_TERMS: (f32, f32) = (0.97, 0.95);
/// How sure a model must be that an eponym is a person or a site.
const SURE_OF_EPONYMS: f32 = 0.97;
/// How sure it must be that the name of a field is an identifier, or a word that a scanner has mangled.
const SURE_OF_FIELDS: f32 = 0.97;
/// The longest name of a field, in bytes.
const LONGEST_FIELD: usize = 40;
/// A name that fewer bear is more often a mangled word.
const RARE: u32 = 1_000;

/// What is left of claims that vocabulary and grammar of English may speak against.
pub(super) fn without_doubts(sentence: &str, claimed: Vec<Span>) -> Vec<Span> {
    let shortened = claimed.into_iter().map(|span| {
        let day = timestamps::without_time(sentence, &span);
        let person = Family::of(span.claims[0].class.label) == Family::Person;
        let (start, end) = without_small_words(sentence, day.start, day.end, person);
        Span { start, end, ..span }
    });
    shortened.filter(|span| !span.is_empty() && !is_doubtful(sentence, span)).collect()
}

/// Whether vocabulary speaks against a claim: its words can be nobody's name, whatever its score, or it is not sure enough to overrule that
/// all its words are ordinary or medical ones, or all are eponyms, or that it is no more than a credential, the name of a field or the unit
/// of an age.
pub(super) fn is_doubtful(sentence: &str, span: &Span) -> bool {
    let claim = span.claims[0];
    let words = &sentence[span.start..span.end];
    if claim.class.label == Label::Age && is_unit_of_age(words) || figures::is_common(sentence, span) {
        return true;
    }
    let person_or_site = matches!(Family::of(claim.class.label), Family::Person | Family::Site);
    let named = person_or_site || Family::of(claim.class.label) == Family::Place || claim.class.label == Label::Street;
    let told = Family::of(claim.class.label) == Family::Person
        && words.starts_with(char::is_uppercase)
        && told_as_person::is_told(&sentence[..span.start], &sentence[span.end..]);
    let outright = named && !told && is_drug(sentence, span)
        || person_or_site
            && (is_plain_word(sentence, span)
                || is_abbreviation(sentence, span)
                || claim.detector == Detector::Transformer && is_heading(sentence, span));
    outright
        || claim.score < SURE_OF_WORDS && gate::is_ordinary(sentence, span.start, span.end)
        || person_or_site
            && claim.score < sure_of_terms(claim)
            && !told
            && is_terms(sentence, span)
            && !is_titled(sentence, span)
        || person_or_site
            && claim.score < SURE_OF_EPONYMS
            && (!told && is_eponym(sentence, span) || is_emergency(sentence, span))
        || named && claim.score < SURE_OF_FIELDS && (is_field(sentence, span) || words.split(' ').all(is_mangled))
        || Family::of(claim.class.label) == Family::Person
            && claim.score < SURE_OF_EPONYMS
            && (is_credential_or_field(words, claim.score) || is_service(words))
        || Family::of(claim.class.label) == Family::Person && is_shorthand(words) && !is_titled(sentence, span)
        || Family::of(claim.class.label) == Family::Person && timestamps::is_zone(sentence, span)
        || claim.class.label == Label::Username && is_key(sentence, &(span.start..span.end))
}

/// `cleared by ED`, `OB RN`: a service by its letters, which stand for it a thousand times as often as for somebody's names.
fn is_service(words: &str) -> bool {
    matches!(words.trim(), "ED" | "ER" | "OB" | "PT" | "OT" | "SW" | "IR")
}

/// `kk`, `Cl arrived`, `mo, fa`: short for what people say, for clients and for kin.
fn is_shorthand(words: &str) -> bool {
    listed!(words, "kk ugh lol omg hmm smh thx hyg mbr dap birp girp g'pa g'ma")
        || matches!(words, "Cl" | "cl" | "ct" | "Vet" | "vet" | "mo" | "fa" | "sib" | "sibs")
}

/// `gives`, `Moaning` at the head of a line: a word of four letters or more that vocabulary explains where it stands and that is hardly
/// anybody's name. Shorter ones may be initials, several words the name of a site, and a title tells of any word: `Pastor Jello`.
fn is_plain_word(sentence: &str, span: &Span) -> bool {
    let word = &sentence[span.start..span.end];
    let letters = word.chars().count();
    let info = Lexicon::shared().word(word);
    let claim = span.claims[0];
    // A surname with a capital is one, however rare.
    let small = !word.contains(char::is_uppercase);
    letters > 3
        && (Family::of(claim.class.label) == Family::Person || claim.score < SURE_OF_FIELDS)
        && !is_titled(sentence, span)
        && !is_credential(first_word(sentence[span.end..].trim_start_matches([' ', ','])))
        && word.chars().all(char::is_alphabetic)
        && !is_borne(&info)
        && (small || info.surname_count == 0)
        && !info.is_any(gate::SITE)
        && gate::is_ordinary(sentence, span.start, span.end)
}

/// Whether a title stands right before a claim.
fn is_titled(sentence: &str, span: &Span) -> bool {
    let head = sentence[..span.start].trim_end_matches([' ', '.']);
    head.rsplit(|c: char| !c.is_alphabetic()).next().is_some_and(is_title)
}

/// `NSTEMI` for a person, `INH` and `NH` for a site: capitals that abbreviate a term. Two or three are initials as often.
fn is_abbreviation(sentence: &str, span: &Span) -> bool {
    const TERMS: WordFlags = WordFlags::ABBREVIATION.union(WordFlags::MEDICAL).union(WordFlags::HEADING);
    const NAMES: WordFlags = WordFlags::SURNAME
        .union(WordFlags::GIVEN_NAME)
        .union(WordFlags::NICKNAME)
        .union(WordFlags::CITY)
        .union(WordFlags::STATE_ABBREVIATION)
        .union(gate::SITE);
    let (words, claim) = (&sentence[span.start..span.end], span.claims[0]);
    let led = listed!(context::last_word(&sentence[..span.start]), "at from to via in");
    let person = Family::of(claim.class.label) == Family::Person;
    let info = Lexicon::shared().word(words);
    words.len() >= if person { 4 } else { 2 }
        && words.bytes().all(|byte| byte.is_ascii_uppercase())
        && (person || claim.score < SURE_OF_FIELDS && !led)
        && info.is_any(TERMS)
        && !info.is_any(NAMES)
}

/// `HPI` on a line of its own: what a part of a note is headed by.
fn is_heading(sentence: &str, span: &Span) -> bool {
    let words = &sentence[span.start..span.end];
    let info = Lexicon::shared().word(words);
    (2..=3).contains(&words.len())
        && words.bytes().all(|byte| byte.is_ascii_uppercase())
        && words.len() == sentence.trim_matches([' ', '\n', ':', '*', '#', '-', '=']).len()
        && info.surname_count == 0
        && info.is_any(WordFlags::ABBREVIATION.union(WordFlags::HEADING))
}

/// `Colace`, `Auvi` of `Auvi-Q`: a drug that hardly anybody is called. A firm may be called like one, unless a dose stands behind it:
/// `Jadenu 720 mg`.
fn is_drug(sentence: &str, span: &Span) -> bool {
    let after = sentence[span.end..].trim_start_matches(' ');
    let unit = after.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '/')).trim_start_matches(' ');
    let dosed =
        after.starts_with(|c: char| c.is_ascii_digit()) && listed!(first_word(unit), "mg mcg g ml units iu meq");
    if is_titled(sentence, span) || Family::of(span.claims[0].class.label) == Family::Site && !dosed {
        return false;
    }
    const PLACES: WordFlags = WordFlags::CITY.union(WordFlags::STATE).union(WordFlags::LANDMARK).union(gate::SITE);
    let is_unborne = |word: &str| {
        let info = Lexicon::shared().word(word);
        let rare = info.surname_count == 0 || dosed || !word.contains(char::is_uppercase);
        word.len() > 3 && info.is(WordFlags::DRUG) && rare && !is_borne(&info) && !info.is_any(PLACES)
    };
    let words = &sentence[span.start..span.end];
    is_unborne(whole_token(sentence, span)) || words.split([' ', '/']).all(is_unborne)
}

/// The words of a claim with what is joined to them by a hyphen.
pub(super) fn whole_token<'s>(sentence: &'s str, span: &Span) -> &'s str {
    sentence[context::joined(sentence, span, |c| c.is_alphanumeric() || c == '-')].trim_matches('-')
}

fn sure_of_terms(claim: Claim) -> f32 {
    let (person, site) = if claim.detector == Detector::Transformer { SURER_OF_TERMS } else { SURE_OF_TERMS };
    if Family::of(claim.class.label) == Family::Person { person } else { site }
}

/// Whether all words are of medicine, none of them short enough to be somebody's initials or borne as a name: `sulfa`, `cavovarus`.
fn is_terms(sentence: &str, span: &Span) -> bool {
    const TERMS: WordFlags =
        WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::ABBREVIATION).union(WordFlags::HEADING);
    const NAMES: WordFlags =
        WordFlags::SURNAME.union(WordFlags::GIVEN_NAME).union(WordFlags::NICKNAME).union(gate::SITE);
    let mut words =
        sentence[span.start..span.end].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        && words.all(|word| {
            let info = Lexicon::shared().word(word);
            word.len() > 3 && info.is_any(TERMS) && !info.is_any(NAMES)
        })
}

/// `County:`, `Church/community support:`: words that nobody is called, in the name of a field at the beginning of a line or of a column.
fn is_field(sentence: &str, span: &Span) -> bool {
    let (head, rest) = (&sentence[..span.start], &sentence[span.end..]);
    let begins = head.is_empty() || head.ends_with(['\n', '\t']) || head.ends_with("  ");
    let name = rest.split_once(':').map_or(rest.len(), |(name, _)| name.len());
    begins
        && name < rest.len()
        && name + span.len() <= LONGEST_FIELD
        && !rest[..name].contains(['\n', '.', ',', ';', '"'])
        && sentence[span.start..span.end].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(
            |word| {
                let info = Lexicon::shared().word(word);
                let ordinary =
                    info.english_size().is_some_and(|size| size <= gate::ORDINARY) || info.is(WordFlags::HEADING);
                ordinary && (!is_borne(&info) || rest.starts_with('/'))
            },
        )
}

/// Whether more people are called so than mangle a word so, or any by a given name.
fn is_borne(info: &WordInfo) -> bool {
    info.surname_count.max(info.given_count) >= RARE || info.is_any(WordFlags::GIVEN_NAME.union(WordFlags::NICKNAME))
}

/// `Ernail`, `Narne`, `lnsurance`, `sh0wed`: no word and hardly anybody's name, but an ordinary word where a scanner has read other letters.
fn is_mangled(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    if word.len() < 4 || info.english_size().is_some() || is_borne(&info) {
        return false;
    }
    let is_ordinary = |info: &WordInfo| info.english_size().is_some_and(|size| size <= gate::ORDINARY);
    let meant = |letters: &str| letters != word && is_ordinary(&Lexicon::shared().word(letters));
    let first = word.strip_prefix('l').map(|rest| format!("i{rest}"));
    // `C00k` may well be somebody.
    let read = |one: &str| {
        let info = Lexicon::shared().word(&word.replace('0', "o").replace('1', one));
        word.contains(['0', '1']) && is_ordinary(&info) && !is_borne(&info)
    };
    meant(&word.replace("rn", "m"))
        || meant(&word.replace("vv", "w"))
        || first.is_some_and(|first| meant(&first))
        || read("l")
        || read("i")
}

/// `A&E`, `A & E` or a letter of it: where emergencies go in Britain, as bare as `ED`.
fn is_emergency(sentence: &str, span: &Span) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let inside = letters(&sentence[span.start..span.end]);
    let before = letters(&sentence[..span.start].chars().rev().take(4).collect::<String>());
    let after = letters(&sentence[span.end..].chars().take(4).collect::<String>());
    let goes_on = |text: &str, letter: char| {
        let mut text = text.chars();
        matches!(text.next(), Some('&' | '/')) && text.next() == Some(letter)
    };
    matches!(inside.as_str(), "A&E" | "A/E")
        || inside == "A" && goes_on(&after, 'E')
        || inside == "E" && goes_on(&before, 'A')
}

/// `yo`, `F` of `93F`, `year old`: what is said beside an age.
fn is_unit_of_age(words: &str) -> bool {
    const UNITS: &[&str] =
        &["y", "yo", "yof", "yom", "yr", "yrs", "year", "years", "old", "o", "m", "f", "male", "female", "yold"];
    let mut words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(|word| UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(word)))
}

/// `EMT`, `LPN`, `MRN`, `NPI`: capitals that are a credential or an abbreviation, and nobody's name. An abbreviation may
/// also be somebody's initials, of which a member must be less sure.
fn is_credential_or_field(words: &str, score: f32) -> bool {
    let letters: String = words.trim_matches(|c: char| !c.is_alphanumeric()).replace('.', "");
    let letters = letters.as_str();
    let info = Lexicon::shared().word(letters);
    (3..=6).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        && (is_credential(letters) || score < SURE_OF_WORDS && info.is(WordFlags::ABBREVIATION))
        && !info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME).union(WordFlags::CITY))
}

/// Whether a span is the name of a sign or test; a common surname only with that behind it.
fn is_eponym(sentence: &str, span: &Span) -> bool {
    let (lexicon, name) = (Lexicon::shared(), &sentence[span.start..span.end]);
    let mut words = name.split(|character: char| !character.is_alphabetic()).filter(|word| !word.is_empty()).peekable();
    let is_before_head = is_before_head(name.trim(), &sentence[span.end..]);
    words.peek().is_some()
        && words.all(|word| {
            let info = lexicon.word(word);
            info.is_any(WordFlags::EPONYM) && (is_before_head || !info.is_common_surname())
        })
}

/// A claim's range without the small words at its ends that are no part of any value, and without the possessive of a word before it. A
/// person may be called so: see [`is_part_of_name`].
fn without_small_words(sentence: &str, mut start: usize, mut end: usize, person: bool) -> (usize, usize) {
    const SMALL: &[&str] = &[
        "the", "a", "an", "of", "at", "in", "on", "by", "for", "with", "from", "to", "and", "or", "is", "was", "ext",
        "said",
    ];
    let is_small = |word: &str| SMALL.contains(&word);
    start += possessive(&sentence[..start], &sentence[start..end]);
    loop {
        let inside = sentence[start..end].trim();
        start += sentence[start..end].len() - sentence[start..end].trim_start().len();
        end = start + inside.len();
        let first = inside.split(' ').next().unwrap_or_default();
        let last = inside.rsplit(' ').next().unwrap_or_default();
        let of_name = |word: &str| person && word.len() < inside.len() && is_part_of_name(sentence, start..end, word);
        if !first.is_empty() && is_small(first) && !of_name(first) {
            start += first.len();
        } else if !last.is_empty() && is_small(last) && !of_name(last) {
            end -= last.len();
        } else {
            return (start, end);
        }
    }
}

/// Whether a small word at an end of a claimed person is a name: `tran an`, `wife said hassan at bedside`, `Name: ho to`. `an` stands beside
/// no name but as one; the others are names where a field, a title or a role stands before, and a value ends behind.
fn is_part_of_name(sentence: &str, range: Range<usize>, word: &str) -> bool {
    const ROLES: &str = "name patient pt wife husband son daughter mother father mom dad brother sister friend neighbor nurse mr mrs ms miss \
                         dr doctor uncle aunt cousin";
    let head = sentence[..range.start].trim_end_matches([' ', '.']);
    let led = head.ends_with(':') || listed!(context::last_word(head), ROLES);
    let leads = sentence[range.clone()].starts_with(word);
    let rest = &sentence[range.end..];
    let ends = rest.trim_start().is_empty() || rest.starts_with([',', ';', ')', '\n', '|']) || rest.starts_with("  ");
    word == "an" || matches!(word, "said" | "to" | "on" | "in") && led && (leads || ends)
}

/// The length of the `'s`, or of the `s` after a mark, that the words begin with: `[nwosu]'s`.
pub(super) fn possessive(before: &str, words: &str) -> usize {
    let mark = words.chars().next().filter(|c| matches!(c, '\'' | '’')).map_or(0, char::len_utf8);
    let owned = mark > 0 && before.ends_with(char::is_alphanumeric)
        || before.strip_suffix(['\'', '’']).is_some_and(|owner| owner.ends_with(char::is_alphanumeric));
    let rest = &words[mark..];
    let ends = rest.strip_prefix('s').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    if owned && ends { mark + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_many_are_called_is_an_eponym_before_its_sign_alone() {
        let is_eponym = |sentence: &str, name: &str| {
            let span = Span::new(0, name.len(), Label::Patient, Detector::Transformer, 0.9);
            super::is_eponym(sentence, &span)
        };
        for rest in ["at bedside, updated on plan", "tested positive", "signed consent", "stands with walker"] {
            for name in ["Smith", "Miller", "Thomas", "Lewis", "Allen", "Baker", "Murphy", "Wells", "Todd"] {
                assert!(!is_eponym(&format!("{name} {rest}"), name), "{name} {rest}");
            }
        }
        assert!(is_eponym("Murphy sign negative", "Murphy") && is_eponym("Babinski downgoing", "Babinski"));
    }

    use super::*;
    use crate::phi::Detector;

    #[test]
    fn vocabulary_speaks_against_claims_that_are_not_sure() {
        let doubtful = |sentence: &str, words: &str, score: f32| {
            let start = sentence.find(words).expect("the words are in the sentence");
            let span = Span::new(start, start + words.len(), Label::Doctor, Detector::Transformer, score);
            is_doubtful(sentence, &span)
        };
        assert!(doubtful("takes warfarin at night", "warfarin", 0.99));
        let key = |sentence: &str, words: &str| {
            let start = sentence.find(words).expect("the words are in the sentence");
            is_doubtful(sentence, &Span::new(start, start + words.len(), Label::Username, Detector::Transformer, 1.0))
        };
        assert!(key("\"heart_rate\": 88", "heart_rate") && key("phone_home: 5", "phone_home"));
        assert!(!key("login heart_rate", "heart_rate") && !key("user: jq_smithers: ok", "jq_smithers"));
        assert!(doubtful("wants an Auvi-Q at school", "Auvi", 0.99));
        assert!(doubtful("seen by SW, agrees", "SW", 0.9));
        assert!(!doubtful("takes Allegra at night", "Allegra", 0.95));
        assert!(doubtful("cefazolin (dtr gives)", "gives", 1.0));
        assert!(doubtful("Moaning with each turn", "Moaning", 1.0));
        assert!(doubtful("r/o NSTEMI, trops flat", "NSTEMI", 0.9));
        for (sentence, word) in [
            ("call rose at noon", "rose"),
            ("told mark to come", "mark"),
            ("waste witnessed, bt", "bt"),
            ("checked by AKP today", "AKP"),
        ] {
            assert!(!doubtful(sentence, word, 0.9), "{sentence}");
        }
        assert!(doubtful("no Babinski on the left", "Babinski", 0.9));
        assert!(!doubtful("Spoke with Parkinson at length", "Parkinson", 0.9));
        assert!(!doubtful("Huntington was tearful", "Huntington", 0.9));
        assert!(!doubtful("Brandvold as a child", "Brandvold", 0.5));
        assert!(doubtful("ZIP 72764     County: Washington", "County", 0.9));
        assert!(doubtful("Church/community support: Bethel", "Church", 0.9));
        assert!(!doubtful("Rose: I will be late", "Rose", 0.9));
        assert!(doubtful("Ernail: ann@lee.example", "Ernail", 0.9));
        assert!(doubtful("lnsurance: none", "lnsurance", 0.9));
        assert!(doubtful("EGD at the site sh0wed a mass", "sh0wed", 0.9));
        assert!(doubtful("he has fi1ed a claim", "fi1ed", 0.9));
        assert!(!doubtful("told Ms. C00k to come", "C00k", 0.9));
        assert!(!doubtful("support: Pastor Jello", "Jello", 0.9));
        assert!(!doubtful("Mrs. Azor takes Azor", "Azor", 0.9));
        assert!(doubtful("go to A&E if worse", "A&E", 0.9));
        assert!(doubtful("go to A & E if worse", "E", 0.9));
        assert!(doubtful("D.O.B. 1/2/1950", "D.O.B", 0.5));
        assert!(doubtful("cleared by ED, QTc 451", "ED", 0.9));
        assert!(!doubtful("cleared by EDK, QTc 451", "EDK", 0.9));
        assert!(!doubtful("seen by Horne and Burns", "Burns", 0.7));
    }

    #[test]
    fn small_words_at_the_ends_are_left_out() {
        let sentence = "the Elks of Troy and";
        assert_eq!(without_small_words(sentence, 0, sentence.len(), false), (4, 16));
        assert_eq!(without_small_words("of the", 0, 6, false).0, without_small_words("of the", 0, 6, false).1);
        assert_eq!(without_small_words("dad's union", 3, 11, true), (6, 11));
        assert_eq!(without_small_words("nwosu's here", 6, 7, true), (7, 7));
        assert_eq!(without_small_words("seen by tran an today", 8, 15, true), (8, 15));
        assert_eq!(without_small_words("wife said hassan at bedside", 5, 16, true), (5, 16));
        assert_eq!(without_small_words("name: ho to", 6, 11, true), (6, 11));
        assert_eq!(without_small_words("Hassan said today", 0, 11, true), (0, 6));
        assert_eq!(without_small_words("the 's' sign", 5, 6, true), (5, 6));
    }
}
