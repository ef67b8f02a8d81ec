//! Children and kin with their ages: `2 kids (Kaylee 13, Colt 10)`, `2 kids, Aspen (4) & River (2)`, `sibs: Micah 20, at`,
//! `Errol 51 (fa)`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::is_term;
use crate::detect::listed::listed;
use crate::detect::patterns::ages::class;
use crate::detect::patterns::ages_infant::is_placed;
use crate::detect::patterns::cues::Cue;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::topics::Topics;
use crate::detect::patterns::{captures_in, expression};
use crate::phi::Label;

/// A name with its age, in brackets or behind a blank: `Kaylee 13`, `Gift, age 6`, `River (18 mo)`.
const CHILD: &str = r"((?u-i:\p{Lu}\p{Ll}[\p{L}'’-]*))(?:\s?(\()([0-9]{1,2})\s?(?:mos?|months?|yo?|yrs?|m|wks?|weeks)?\)|[ ,]{1,2}(?:age )?([0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: ?(?:mos?|yo?|yrs?|m|wks?))?\b)";
/// The word that begins a list, what it opens with, and the first of those who are listed.
static FIRST: LazyLock<Regex> = LazyLock::new(|| {
    expression(&format!(
        r"\b(?:children|kids|kiddos|sons|daughters|siblings|sibs|brothers|sisters|grandchildren|grandkids|grandsons|granddaughters|twins)\b[a-z0-9 ,:/=-]{{0,30}}?([:(=-]? ?)(?-i:\b){CHILD}"
    ))
});
/// Each further one.
static FURTHER: LazyLock<Regex> =
    LazyLock::new(|| expression(&format!(r"^\s?(?:[,;&+/]|and\b)?(?:\s?and\b|\s?&)?\s?{CHILD}")));
/// One of them, whatever the name means besides: `Brother Finch 17.`
static ONE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:brother|sister|bro|sis|son|daughter|dtr|cousin|nephew|niece|grandson|granddaughter|stepson|stepdaughter|twin|child|baby)\s((?u-i:\p{Lu}\p{Ll}[\p{L}'’-]*))(?:[ ,]{1,2}(?:age )?([0-9]{1,2})(?: ?(?:yo?|yrs?))?(?:[,;.)\n]|$)| ?\(([0-9]{1,2}) ?(?:mos?|months?|yo?|yrs?|wks?)\))",
    )
});
/// Who somebody is, in brackets behind the age.
const KIN: &str = "mo fa mom dad mother father mum sis bro sister brother son dtr daughter wife husband aunt uncle gm gf gma gpa grandma grandpa \
                   grandmother grandfather mgm mgf pgm pgf cousin niece nephew partner spouse stepdad stepmom stepfather stepmother";
/// What stands in such a place and is nobody.
const NOBODY: &str = "age ages room bed grade unit visit type stage level apt floor day week month hep may march april june july august \
                      january february september october november december since until";

/// Adds the names and ages of such lists.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits == 0 {
        return;
    }
    if survey.topics.has(Topics::CHILDREN) {
        listed_children(sentence, findings);
    }
    if survey.hits.iter().any(|hit| matches!(hit.cue, Cue::Kin)) {
        for one in captures_in(&ONE, sentence) {
            let (Some(name), Some(age)) = (one.get(1), one.get(2).or(one.get(3))) else { continue };
            if !is_nobody(name.as_str()) {
                add(sentence, name.range(), age.range(), findings);
            }
        }
    }
    if survey.has_mark(b'(') {
        before_kin(sentence, findings);
    }
}

fn listed_children(sentence: &str, findings: &mut Findings) {
    let mut from = 0;
    while let Some(first) = FIRST.captures_at(sentence, from) {
        let (Some(whole), Some(mark)) = (first.get(0), first.get(1)) else { return };
        let (mut people, mut at) = (Vec::new(), whole.end());
        let is_bracketed = first.get(3).is_some();
        people.extend(child(&first, 2, 0));
        while let Some(next) = FURTHER.captures(&sentence[at..]) {
            people.extend(child(&next, 1, at));
            at += next.get(0).map_or(0, |whole| whole.end());
        }
        from = at;
        let known = people.iter().take_while(|(name, _)| !is_nobody(&sentence[name.clone()])).count();
        people.truncate(known);
        let is_list = known > 1 || is_bracketed || mark.as_str().starts_with([':', '(', '=']);
        if is_list && people.first().is_some_and(|(name, _)| !is_placed(sentence, name.start)) {
            people.into_iter().for_each(|(name, age)| add(sentence, name, age, findings));
        }
    }
}

/// The name and the age that [`CHILD`] captures from a group on, in an expression that was looked for from a place on.
fn child(captures: &Captures<'_>, group: usize, from: usize) -> Option<(Range<usize>, Range<usize>)> {
    let range = |group: usize| captures.get(group).map(|found| from + found.start()..from + found.end());
    Some((range(group)?, range(group + 2).or_else(|| range(group + 3))?))
}

/// `Denise 49 (mo), claims adjuster`.
fn before_kin(sentence: &str, findings: &mut Findings) {
    for bracket in memchr::memchr_iter(b'(', sentence.as_bytes()) {
        let Some((who, _)) = sentence[bracket + 1..].split_once(')') else { continue };
        let head = sentence[..bracket].strip_suffix(' ').unwrap_or_default();
        let digits = head.bytes().rev().take_while(u8::is_ascii_digit).count();
        let age = head.len() - digits..head.len();
        let Some(before) = head[..age.start].strip_suffix(' ') else { continue };
        let before = before.trim_end_matches(',');
        let length = before
            .chars()
            .rev()
            .take_while(|c| c.is_alphabetic() || matches!(c, '\'' | '-'))
            .map(char::len_utf8)
            .sum::<usize>();
        let name = before.len() - length..before.len();
        let word = &sentence[name.clone()];
        let is_written = word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some_and(char::is_lowercase);
        if (1..=2).contains(&digits) && listed!(who, KIN) && is_written && !is_nobody(word) {
            add(sentence, name, age, findings);
        }
    }
}

fn is_nobody(word: &str) -> bool {
    listed!(word, NOBODY) || listed!(word, KIN) || is_term(word)
}

fn add(sentence: &str, name: Range<usize>, age: Range<usize>, findings: &mut Findings) {
    let years = class(sentence[age.clone()].parse().unwrap_or(0));
    for (range, class) in [(name, Label::Patient.into()), (age, years)] {
        if !findings.covers(&range) {
            findings.add(range, class, 0.75);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn children_and_kin_with_their_ages() {
        for (sentence, told) in [
            ("on/off, 2 kids (Kaylee 13, Colt 10) living w/ her mom", &["Kaylee", "13", "Colt", "10"] as &[&str]),
            ("Kids: Espérance 12, Gift 6 and Blessing 2. Born", &["Espérance", "12", "Gift", "6", "Blessing", "2"]),
            ("sibs: Micah 20, at college", &["Micah", "20"]),
            ("Errol 51 (fa), pastry chef", &["Errol", "51"]),
            ("Aunt in her 50s. Brother Finch 17.", &["50s", "Finch", "17"]),
            ("mother Stroke 70, brother Melanoma 44.", &["70", "44"]),
            ("siblings Room 12, Bed 4", &[]),
            ("kids on Medicaid 4, Tylenol 2", &[]),
            ("Pain 4 (mo)", &[]),
            ("2 children in home, Aspen (4) & River (18 mo)", &["Aspen", "4", "River", "18"]),
            ("Kids: Gift 6, Tylenol 2", &["Gift", "6"]),
            ("and children Lucero, 9, and Inti, four.", &["Lucero", "9", "Inti", "four"]),
            ("and little brother Huck (14 mo).", &["Huck", "14"]),
        ] {
            assert_eq!(found(sentence, &[Label::Patient, Label::Age]), told, "{sentence}");
        }
    }
}
