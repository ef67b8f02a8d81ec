//! Decades of a life told by one word: `a nonagenarian`, `in her tenth decade`, `the ninth decade of life`.

use super::ages;
use super::context::{Cursor, word_before};
use super::findings::Findings;
use super::survey::Hit;
use crate::detect::listed::listed;
use crate::text::numbers::{PEOPLE, PEOPLE_FROM};

/// Ordinals of decades, from the second.
const ORDINALS: [&str; 10] =
    ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"];

/// Judges the word for a person of so many decades.
pub(super) fn person(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = sentence[hit.start..hit.end].to_ascii_lowercase();
    let word = word.trim_end_matches('s').trim_start_matches("super");
    if let Some(tens) = word.strip_suffix("ish") {
        let mut cursor = Cursor::new(tens, 0);
        if let Some(years) = ages::number_words(&mut cursor).filter(|_| cursor.at == tens.len()) {
            findings.add(hit.start..hit.end, ages::class(years), 0.9);
        }
        return;
    }
    if let Some(place) = PEOPLE.iter().position(|&person| person == word) {
        findings.add(hit.start..hit.end, ages::class(10 * (PEOPLE_FROM + place as u32)), 0.95);
    }
}

/// Judges an ordinal before `decade`: of a life, not of a century or an illness.
pub(super) fn ordinal(sentence: &str, hit: Hit, findings: &mut Findings) {
    let mut cursor = Cursor::new(sentence, hit.end);
    if cursor.skip_blanks() == 0 || !cursor.one_of("decade") || findings.covers(&(hit.start..hit.end)) {
        return;
    }
    let own = listed!(word_before(sentence, hit.start), "his her their my the patient's");
    cursor.skip_blanks();
    let of_life = cursor.one_of("of") && cursor.skip_blanks() > 0 && cursor.one_of("life");
    let word = &sentence[hit.start..hit.end];
    let place = ORDINALS.iter().position(|ordinal| ordinal.eq_ignore_ascii_case(word));
    let article = word_before(sentence, hit.start).eq_ignore_ascii_case("the");
    if let Some(place) = place.filter(|_| of_life || own && !article) {
        findings.add(hit.start..hit.end, ages::class(10 + 10 * place as u32), 0.9);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::patterns::PatternDetector;
    use crate::phi::{Kind, Label, unite};

    fn ages(sentence: &str) -> Vec<(&str, Kind)> {
        let mut spans = Vec::new();
        PatternDetector::new().detect(sentence, &mut spans);
        let united = unite(spans);
        let ages = united.iter().map(|span| (span, span.leading().class));
        ages.filter(|(_, class)| class.label == Label::Age)
            .map(|(span, class)| (&sentence[span.start..span.end], class.kind))
            .collect()
    }

    #[test]
    fn people_and_decades() {
        assert_eq!(ages("This nonagenarian lives alone."), [("nonagenarian", Kind::AgeOver89)]);
        assert_eq!(ages("both parents octogenarians"), [("octogenarians", Kind::AgeUpTo89)]);
        assert_eq!(ages("A Supercentenarian, she"), [("Supercentenarian", Kind::AgeOver89)]);
        assert_eq!(ages("sixtyish woman found"), [("sixtyish", Kind::AgeUpTo89)]);
        assert_eq!(ages("now in her tenth decade"), [("tenth", Kind::AgeOver89)]);
        assert_eq!(ages("peaks in the sixth decade of life"), [("sixth", Kind::AgeUpTo89)]);
        assert_eq!(ages("in the second decade of treatment, on the tenth"), []);
    }
}
