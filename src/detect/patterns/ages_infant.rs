//! Ages of infants in months, weeks and days, told by the sex or the child behind them: `6mo M`, `3 wk F`, `9mo boy`, `18m girl`.
//!
//! ```text
//! 6mo M w/ fever, 3-wk F        ages
//! x6mo, f/u 6mo M/W/F           how long, and when
//! ```
//!
//! How long something lasts is told in the same units. So a single letter must be a capital and a word by itself, and no word of a span may
//! stand before the number.

use super::ages;
use super::ages_lived::words_before;
use super::ages_named::{ends_in_named_child, last_word};
use super::context::{byte_before, first_run, first_word, word_before};
use super::findings::Findings;
use super::survey::Chain;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

/// Units of an infant's age.
const UNITS: &str = "mo mos mth mths mnth mnths month months wk wks week weeks day days dy";
/// Units of one letter, which must touch their number.
const LETTERS: &str = "m w d";
/// Words before how long something lasts, or when it is due.
const OF_SPANS: &str = "x q every last past next over within another f/u fu until till per each in after";
/// Who is of the age.
const CHILDREN: &str = "male female boy girl infant baby babyboy babygirl newborn neonate";
/// Several children, whose names and ages follow.
const OFFSPRING: &str = "children kids sons daughters siblings grandchildren grandkids twins triplets boys girls";
/// What somebody does at a child's home or elsewhere for a while.
const STAYING: &str = "with see saw visit visits visited visiting stay stayed staying by watched watching";
/// The weeks of a pregnancy after which children live.
const LEAST_PREGNANCY: u32 = 22;
/// What is made for a child or a sex: `6 week infant formula supply`.
const THINGS: &str = "formula cereal vitamins condom condoms catheter catheters urinal urinals size";

/// Judges a number that may be such an age.
pub(super) fn detect(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let begins = matches!(byte_before(sentence, chain.start), b' ' | b'(' | b'\n' | b',' | b':' | b'|' | b'>');
    let short = chain.count == 1 && chain.end - chain.start <= 2;
    if !short
        || !begins
        || !(is_of_child(&sentence[chain.end..])
            || is_in_months_old(&sentence[chain.end..])
            || is_of_named_child(sentence, chain))
        || listed!(word_before(sentence, chain.start), OF_SPANS)
        || findings.covers(&chain.range())
    {
        return;
    }
    // Ninety weeks are no ninety years.
    findings.add(chain.range(), ages::class(0), 0.85);
}

/// `5 m/o ex-33wker`: months old, by the letters.
fn is_in_months_old(rest: &str) -> bool {
    let bare = rest.strip_prefix([' ', '-']).unwrap_or(rest);
    let (unit, behind) = bare.split_at(first_run(bare, |byte| byte.is_ascii_alphabetic() || *byte == b'/').len());
    let thing = behind.strip_prefix(' ').unwrap_or_default();
    listed!(unit, "m/o mo/o mos/o")
        && !listed!(first_word(thing), "therapy treatment tx hx of history abx antibiotics steroids chemo")
}

/// `Child: Maksym, 19 mo,`, `Baby Thiago is 9 days,`, `Aspen (4) & River (18 mo)`: behind a child with a name, where nothing else follows.
fn is_of_named_child(sentence: &str, chain: &Chain) -> bool {
    let (head, rest) = (&sentence[..chain.start], &sentence[chain.end..]);
    let bare = rest.strip_prefix([' ', '-']).unwrap_or(rest);
    let (unit, behind) = bare.split_at(first_word(bare).len());
    let behind = behind.strip_prefix('.').unwrap_or(behind);
    // `Baby Girl Okafor, 34wk`: of the pregnancy.
    let weeks = sentence[chain.range()].parse::<u32>().ok().filter(|_| listed!(unit, "wk wks week weeks"));
    let of_pregnancy = weeks.is_some_and(|weeks| (LEAST_PREGNANCY..=42).contains(&weeks));
    if !listed!(unit, UNITS) || of_pregnancy || !(behind.is_empty() || behind.starts_with([',', ';', ')', '\n', ' '])) {
        return false;
    }
    if let Some(name) = head.strip_suffix(" (") {
        return behind.starts_with(')') && ends_in_child(name);
    }
    let name = head.trim_end_matches([' ', ',']);
    let name = [" is now", " is", " was"].iter().find_map(|verb| name.strip_suffix(verb)).unwrap_or(name);
    let ends = !behind.starts_with(' ') || behind.trim().is_empty();
    // `staying with son Andrew 2 weeks`: how long.
    let apart =
        || name.len() + 1 < head.len() || !words_before(name, name.len()).take(8).any(|word| listed!(word, STAYING));
    ends && ends_in_named_child(name) && apart()
}

/// Whether what begins at a place is where children are, or what they have: `sons live in Denver (2)`, `siblings have Crohn (2)`.
pub(super) fn is_placed(sentence: &str, at: usize) -> bool {
    listed!(word_before(sentence, at), "in at on from to near have has had")
}

/// Whether a text ends in the name of one of several children: `2 children in home, Aspen`.
pub(super) fn ends_in_child(head: &str) -> bool {
    let name = last_word(head);
    let info = Lexicon::shared().word(name);
    name.len() > 2
        && name.starts_with(char::is_uppercase)
        && name.chars().skip(1).all(char::is_lowercase)
        && !info.is_any(WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::EPONYM))
        && !listed!(name, OFFSPRING)
        && !is_placed(head, head.len() - name.len())
        && words_before(head, head.len()).skip(1).take(10).any(|word| listed!(word, OFFSPRING))
}

/// Whether a unit of an infant's age and a child follow a number.
fn is_of_child(rest: &str) -> bool {
    let bare = rest.strip_prefix([' ', '-']).unwrap_or(rest);
    let (unit, behind) = bare.split_at(first_word(bare).len());
    let glued = bare.len() == rest.len();
    if !(listed!(unit, UNITS) || glued && listed!(unit, LETTERS)) {
        return false;
    }
    // A stop ends a sentence behind a unit that is written out.
    let behind =
        behind.strip_prefix('.').filter(|_| !listed!(unit, "month months week weeks day days")).unwrap_or(behind);
    let Some(child) = behind.strip_prefix([' ', '-']) else { return false };
    let (child, after) = child.split_at(first_word(child).len());
    let thing = after.strip_prefix(' ').unwrap_or_default();
    (matches!(child, "M" | "F") || listed!(child, CHILDREN))
        && !listed!(first_word(thing), THINGS)
        && (after.is_empty() || after.starts_with([' ', ',', ';', ')', '\n', '|']))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn infants_by_their_sex() {
        for (sentence, age) in [
            ("6mo M w/ fever", "6"),
            ("Seen: 6 mo F, well", "6"),
            ("3wk M poor feeding", "3"),
            ("this 9mo boy with cough", "9"),
            ("18m girl here for a check", "18"),
            ("a 10-day female with jaundice", "10"),
            ("5 mo. M, fussy", "5"),
            ("5 m/o ex-33wker, RSV", "5"),
            ("seen: 7 m/o w/ cough", "7"),
            ("Child: Maksym, 19 mo, wt 11.2 kg", "19"),
            ("child Tallulah Reyes 22 mo, seen", "22"),
            ("Baby Thiago is 9 days, BW 3260 g", "9"),
            ("Twin B is now 6 wks, gaining", "6"),
            ("two children at home, one here, Keoni (18 mo)", "18"),
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [age], "{sentence}");
        }
    }

    #[test]
    fn spans_are_no_ages() {
        for sentence in [
            "PPI x 6mo, MRI then",
            "f/u 6mo M/W/F",
            "q 6 mo F up with us",
            "3m walk test done",
            "culture at 6 wk M. catarrhalis",
            "return in 6 mo. Male condoms given",
            "returns at 6 months. Female catheters ordered",
            "stent for 6mo, Metformin too",
            "every 3 mo male clinic",
            "6 week infant formula supply",
            "5 m boys race",
            "2 d M1 segment",
            "x 3 m/o cough",
            "f/u 6 m/o therapy",
            "Depo (3 mo), Prolia (6 mo)",
            "Child Protective Services, 3 days",
            "baby on Zantac 3 days, better",
            "Baby Girl Petrov, 34wk, b. 8/8",
            "Baby Thiago is 9 days post op",
            "staying with son Andrew 2 weeks.",
            "sons live in Denver (2 mo)",
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [] as [&str; 0], "{sentence}");
        }
    }
}
