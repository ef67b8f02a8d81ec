//! Numbers read out digit by digit: `three oh four five five five oh one nine nine`, `973 five five five 0164`,
//! `record number six oh two two nine one`.

use super::context::byte_before;
use super::findings::Findings;
use super::survey::Hit;
use crate::detect::listed::listed;
use crate::phi::Label;

/// What a digit is called, by its value.
const DIGITS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/// Fewer digits make no telephone number.
const FEWEST: usize = 7;
/// Fewer make no other number that words tell.
const FEWEST_TOLD: usize = 5;
/// More make none either.
const MOST: usize = 11;

/// Judges a digit in words with which such a number may begin.
pub(super) fn detect(sentence: &str, hit: Hit, findings: &mut Findings) {
    if digit(&sentence[hit.start..hit.end]).is_none() || findings.covers(&(hit.start..hit.end)) {
        return;
    }
    let start = number_start(sentence, hit.start);
    let told = told(&sentence[..start]);
    let (mut at, mut end, mut spoken) = (start, start, 0);
    let mut digits = Vec::new();
    while digits.len() <= MOST && at < sentence.len() {
        let rest = &sentence[at..];
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let word = &rest[..length];
        match digit(word) {
            Some(value) => {
                digits.push(value);
                spoken += 1;
            }
            None if (1..=4).contains(&length) && word.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.extend(word.bytes().map(|byte| u32::from(byte - b'0')));
            }
            // `my card is one e g four`
            None if length == 1 && told == Some(Label::HealthPlan) => spoken += 1,
            None => break,
        }
        end = at + length;
        let gap = sentence[end..].bytes().take(2).take_while(|byte| matches!(byte, b' ' | b',' | b'-' | b'\n')).count();
        if gap == 0 {
            break;
        }
        at = end + gap;
    }
    // `one two three four five six seven` is counted, not dialled.
    let counted =
        digits.windows(2).all(|pair| pair[1] == pair[0] + 1) || digits.windows(2).all(|pair| pair[0] == pair[1] + 1);
    let recalled = sentence[..start].split(|c: char| !c.is_ascii_alphabetic()).any(|word| {
        listed!(
            word,
            "digit digits span score scores recall recalled backward backwards forward forwards item items serial"
        )
    });
    if spoken < 3 || counted || recalled {
        return;
    }
    if let Some(label) = told.filter(|_| digits.len() >= FEWEST_TOLD) {
        findings.add(start..end, label, 0.85);
    } else if matches!(digits.len(), FEWEST | 10 | MOST) {
        findings.add(start..end, Label::Phone, 0.85);
    }
}

/// What the words before a number say that it is: `patient number`, `MRN`, `account`, `job number is`.
fn told(before: &str) -> Option<Label> {
    let mut words = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut word = words.next()?;
    if listed!(word, "is was of") {
        word = words.next()?;
    }
    if listed!(word, "number no num code") {
        word = words.next().unwrap_or(word);
    }
    match () {
        () if listed!(word, "mrn record patient chart hospital") => Some(Label::MedicalRecord),
        () if listed!(word, "account visit encounter") => Some(Label::Account),
        () if listed!(word, "job claim id case reference ref dictation confirmation badge accession") => {
            Some(Label::IdNum)
        }
        () if listed!(word, "member policy subscriber group medicare medicaid insurance card") => {
            Some(Label::HealthPlan)
        }
        () if listed!(word, "zip zipcode") => Some(Label::Zip),
        () => None,
    }
}

/// The value of a digit in words; `oh` is zero.
fn digit(word: &str) -> Option<u32> {
    if matches!(word, "oh" | "Oh" | "OH" | "o" | "O") {
        return Some(0);
    }
    DIGITS.iter().position(|digit| digit.eq_ignore_ascii_case(word)).map(|value| value as u32)
}

/// Where the number begins of which a digit in words stands at a place: after a group of digits, or zeros, however many.
fn number_start(sentence: &str, at: usize) -> usize {
    let mut start = group_before(sentence, at);
    loop {
        let before = group_before(sentence, start);
        if before == start || digit(sentence[before..start].trim_end_matches([' ', '-'])) != Some(0) {
            return start;
        }
        start = before;
    }
}

/// Where up to four digits, `oh` or `zero` begin that stand right before a place.
fn group_before(sentence: &str, at: usize) -> usize {
    let Some(head) = sentence[..at].strip_suffix([' ', '-']) else { return at };
    let length = head.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
    let word = &head[head.len() - length..];
    let group = (1..=4).contains(&length) && word.bytes().all(|byte| byte.is_ascii_digit());
    let zero = digit(word) == Some(0);
    if (group || zero) && !byte_before(sentence, head.len() - length).is_ascii_alphanumeric() {
        head.len() - length
    } else {
        at
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn phones(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Phone])
    }

    #[test]
    fn numbers_digit_by_digit() {
        let number = "three oh four, five five five, oh one nine nine";
        assert_eq!(phones(&format!("phone {number} for now")), [number]);
        assert_eq!(phones("now 973 five five five 0164, the old one"), ["973 five five five 0164"]);
    }

    #[test]
    fn numbers_that_words_tell() {
        let told = |sentence| found(sentence, &[Label::MedicalRecord, Label::IdNum, Label::HealthPlan]);
        assert_eq!(told("on patient number six oh two two nine one today"), ["six oh two two nine one"]);
        assert_eq!(told("MRN zero zero four four one eight two."), ["zero zero four four one eight two"]);
        assert_eq!(told("job number is four four one nine two"), ["four four one nine two"]);
        assert_eq!(found("the zip is eight eight oh four six and", &[Label::Zip]), ["eight eight oh four six"]);
        assert_eq!(
            told("my card is one e g four t e five m k seven three um"),
            ["one e g four t e five m k seven three"]
        );
        assert_eq!(told("patient scored two one one two two"), [] as [&str; 0]);
    }

    #[test]
    fn digits_that_are_counted() {
        for sentence in [
            "counts one two three four five six seven",
            "backwards nine eight seven six five four three",
            "recalls five two nine",
            "two or three of four",
        ] {
            assert_eq!(phones(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
