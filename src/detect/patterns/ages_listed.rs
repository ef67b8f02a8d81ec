//! Ages that stand in lists without a word for years, and a hundred years in words.
//!
//! ```text
//! mother breast ca 49, brother MI 38      whoever fell ill, and at what age
//! M45, restrained driver · 23♀ G0         behind or before a letter or sign of the sex
//! a bird of a hundred and two             the whole number, where a part of it is known to be an age
//! ```

use std::sync::LazyLock;

use regex::Regex;

use super::ages::class;
use super::cues::Cue;
use super::findings::Findings;
use super::survey::Survey;
use super::topics::Topics;
use super::{anchored, expression};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Kind, Label};

/// Up to three words and a number of two digits.
static ILLNESS: LazyLock<Regex> =
    LazyLock::new(|| anchored(r"((?:\s+[a-z/-]{2,15}){1,3})\s+(?:@\s?|at\s)?([1-9][0-9])(s?)"));
/// A cancer and a number that ends what is told of it.
static CANCER: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:(?:breast|br|ovarian|ov|prostate|colon|crc|pancreatic|panc|uterine|endometrial|lung|thyroid|gastric|renal|bladder|melanoma|brain)(?: ca| cancer)?|contralat(?:eral)?|ca|bilat br) (?:@ ?|at |dx )?([2-9][0-9])(?:[,;)\n]|\.(?:\s|$)|$)",
    )
});
static SEX_FIRST: LazyLock<Regex> = LazyLock::new(|| anchored(r"\s*(?-i:[MF])([1-9][0-9])[,;]\s"));
static SIGN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([0-9]{1,3})\s?[♀♂]|[♀♂]\s?([0-9]{1,3})\b").expect("the pattern is a literal"));
static HUNDRED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:(?:a|one)\s+)?hundred(?:\s+and)?\s+(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
    )
});

/// Adds the ages.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    // `mother` and `father` have days of their own.
    for hit in survey.hits.iter().filter(|hit| matches!(hit.cue, Cue::Kin | Cue::Holiday)) {
        illness(sentence, hit.end, findings);
    }
    if survey.digits > 1 && survey.topics.has(Topics::CANCERS) {
        of_cancer(sentence, findings);
    }
    let sex = survey.digits > 1 && sentence.trim_start().starts_with(['M', 'F']);
    let first = sex.then(|| SEX_FIRST.captures(sentence)).flatten().and_then(|found| found.get(1));
    let signed = survey.beyond_ascii && sentence.contains(['♀', '♂']);
    let signs = signed.then(|| SIGN.captures_iter(sentence)).into_iter().flatten();
    let signed = signs.filter_map(|found| found.get(1).or_else(|| found.get(2)));
    for number in first.into_iter().chain(signed) {
        if !findings.covers(&number.range()) {
            findings.add(number.range(), class(number.as_str().parse().unwrap_or(0)), 0.85);
        }
    }
    if survey.hits.iter().any(|hit| hit.cue == Cue::NumberWord) && sentence.to_ascii_lowercase().contains("hundred") {
        hundred(sentence, findings);
    }
}

/// `breast ca 49,` behind a relative: a word of medicine, no vital sign, and a number that ends what is told of one.
fn illness(sentence: &str, at: usize, findings: &mut Findings) {
    let Some(found) = ILLNESS.captures(&sentence[at..]) else { return };
    let (Some(words), Some(number)) = (found.get(1), found.get(2)) else { return };
    let end = at + found.get(0).map_or(0, |whole| whole.end());
    let mut words = words.as_str().split([' ', '/', '\n']).filter(|word| !word.is_empty()).peekable();
    let ill = |word: &str| {
        let info = Lexicon::shared().word(word);
        info.is(WordFlags::MEDICAL) && !info.is(WordFlags::DRUG)
            || listed!(word, "cancer ca mi cva stroke tumor heart attack diabetes suicide overdose died passed")
    };
    let measured = words.clone().any(|word| {
        listed!(
            word,
            "temp bp hr rr sat sats spo2 a1c hba1c bmi wt weight ht inr glucose bg fsbg gcs ef score mg room bed ext pain apgar x since in \
             for no num number phq gad moca level count"
        )
    });
    let ends = sentence[end..].is_empty()
        || sentence[end..].starts_with([',', '.', ';', ')', '\n'])
        || sentence[end..].starts_with(" -> ");
    let goes_on = sentence[end..].starts_with('.') && sentence[end + 1..].starts_with(|c: char| c.is_ascii_digit());
    let range = at + number.start()..at + number.end();
    if words.any(ill) && !measured && ends && !goes_on && !findings.covers(&range) {
        findings.add(range, class(number.as_str().parse().unwrap_or(0)), 0.75);
    }
}

/// `GM br ca 81, living`, `pat aunt Fay, br 44, contralat 57`: at what age a cancer came, in a sentence on kin.
fn of_cancer(sentence: &str, findings: &mut Findings) {
    let is_kin = |word: &str| {
        listed!(word, "aunt uncle gm gf mgm mgf pgm pgf mat pat mother father sister brother cousin mgma pgma daughter")
    };
    if !sentence.split(|c: char| !c.is_ascii_alphabetic()).any(is_kin) {
        return;
    }
    for found in CANCER.captures_iter(sentence).filter_map(|captures| captures.get(1)) {
        if !findings.covers(&found.range()) {
            findings.add(found.range(), class(found.as_str().parse().unwrap_or(0)), 0.75);
        }
    }
}

/// A hundred and some, of which a part was taken for an age.
fn hundred(sentence: &str, findings: &mut Findings) {
    for found in HUNDRED.find_iter(sentence) {
        if findings.ends_of(Label::Age).iter().any(|end| (found.start() + 1..=found.end()).contains(end)) {
            findings.add(found.range(), crate::phi::Class { label: Label::Age, kind: Kind::AgeOver89 }, 0.85);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn ages(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Age])
    }

    #[test]
    fn ages_at_illness_in_lists_of_relatives() {
        assert_eq!(ages("FHx: mother breast cancer 49, brother MI 38."), ["49", "38"]);
        assert_eq!(ages("maternal aunt uterine cancer 48 -> genetics"), ["48"]);
        assert_eq!(ages("II-2 pat aunt Fay, br 44, contralat 57, d. 60"), ["44", "57", "60"]);
        assert_eq!(ages("mat GM br ca 81, well now"), ["81"]);
        assert_eq!(ages("breast 36, bladder 44"), [] as [&str; 0]);
        assert_eq!(ages("mother glucose 88 -> 104 today"), [] as [&str; 0]);
        assert_eq!(ages("mother temp 99, father BP 90, sister A1c 11"), [] as [&str; 0]);
        assert_eq!(ages("mother diabetes 10.5 a1c, father MI 40% EF"), [] as [&str; 0]);
    }

    #[test]
    fn sexes_beside_ages() {
        assert_eq!(ages("M45, restrained driver"), ["45"]);
        assert_eq!(ages("23♀ G0, partner ♂ 31"), ["23", "31"]);
        assert_eq!(ages("seen in F45, the clinic"), [] as [&str; 0]);
    }

    #[test]
    fn a_hundred_and_some() {
        assert_eq!(ages("he turned one hundred and two years old"), ["one hundred and two"]);
        assert_eq!(ages("walked a hundred and two steps"), [] as [&str; 0]);
    }
}
