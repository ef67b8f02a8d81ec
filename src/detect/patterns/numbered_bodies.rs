//! Bodies that are told by a number: of armies (`1st Cav`, `the 55th Wing`, `3rd/172nd Mountain`, `1/8 Infantry`) of churches
//! (`First Nazarene`, `the Tongan 3rd Ward`), of unions (`Local 103`), of the police (`12th Precinct`) and of New York's schools (`P.S. 212`).

use std::sync::LazyLock;

use regex::Regex;

use super::findings::Findings;
use super::survey::Survey;
use super::topics::Topics;
use super::years::unit_follows;
use super::{captures_in, expression};
use crate::detect::listed::listed;
use crate::phi::Label;

/// `2/6 Inf`: a murmur as well, so that behind a stroke the word is written in full.
static FORCES: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b((?:[0-9]{1,3}(?:st|nd|rd|th)(?:/[0-9]{1,3}(?:st|nd|rd|th))?\s(?-i:Inf|Abn|FA|Bn|Bde|Wing|Mountain|Fleet|Engineers?|Signal|Fighter|Bomb|Transportation|Aviation|Armor)|(?:[0-9]{1,3}(?:st|nd|rd|th)(?:/[0-9]{1,3}(?:st|nd|rd|th))?|[0-9]{1,2}/[0-9]{1,3})\s(?-i:Infantry|Cav|Cavalry|Airborne|Marines|MarDiv|Armored|Artillery|Field\sArtillery|Battalion|Brigade|Squadron|Regiment|Rangers?|SFG|Special\sForces))(?:\s(?-i:Division|Div|Regiment|Rgt|Battalion|Bn|Brigade|Bde|Company|Co|Wing|Squadron|Group|Guard|Infantry))?)\b",
    )
});
/// A church by its place among those of its confession.
static FIRST: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b((?-i:First|FIRST|Second|SECOND|1st|2nd)\s(?:(?:united|southern|free|missionary)\s)?(?-i:[A-Z][A-Za-z]+)(?:\schurch)?)\b",
    )
});
/// A ward of the Latter-day Saints, which has a bishop.
static WARD: LazyLock<Regex> =
    LazyLock::new(|| expression(r"((?:(?-i:[A-Z][a-z]+)\s)?\b[0-9]{1,2}(?:st|nd|rd|th)\s(?-i:Ward))\b"));
/// A local of a union.
static LOCAL: LazyLock<Regex> =
    LazyLock::new(|| expression(r"((?:\b(?-i:[A-Z]{3,6})\s)?\b(?-i:Local)\s(?:#|no\.?\s)?[0-9]{1,4})\b"));
/// A precinct of the police.
static PRECINCT: LazyLock<Regex> = LazyLock::new(|| expression(r"\b([0-9]{1,3}(?:st|nd|rd|th)\s(?-i:Precinct))\b"));
/// A primary, intermediate, middle or junior high school by its number. Without its stops it is the support of a ventilator, or morphine.
static SCHOOL: LazyLock<Regex> = LazyLock::new(|| expression(r"\b((?-i:P|I|M|J\.H)\.\s?(?-i:S)\.\s?[0-9]{1,3})\b"));
const CONFESSIONS: &str = "nazarene umc baptist methodist presbyterian lutheran christian congregational ame unitarian covenant reformed alliance \
                           pentecostal foursquare assembly";

/// Adds such bodies.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.topics.has(Topics::FORCES) && survey.digits > 0 {
        add(&FORCES, sentence, findings);
    }
    if survey.topics.has(Topics::CONFESSIONS) {
        for found in captures_in(&FIRST, sentence).filter_map(|captures| captures.get(1)) {
            let mut words = found.as_str().rsplit(' ');
            let last = words.find(|word| !word.eq_ignore_ascii_case("church")).unwrap_or_default();
            if listed!(last, CONFESSIONS) && !findings.covers(&found.range()) {
                findings.add(found.range(), Label::Organization, 0.85);
            }
        }
    }
    if survey.digits > 0 && memchr::memmem::find(sentence.as_bytes(), b"ocal ").is_some() {
        for found in captures_in(&LOCAL, sentence).filter_map(|captures| captures.get(1)) {
            if !unit_follows(sentence, found.end()) && !findings.covers(&found.range()) {
                findings.add(found.range(), Label::Organization, 0.85);
            }
        }
    }
    if survey.topics.has(Topics::BISHOPS) && survey.digits > 0 {
        add(&WARD, sentence, findings);
    }
    if survey.digits > 0 && memchr::memmem::find(sentence.as_bytes(), b"S.").is_some() {
        add(&SCHOOL, sentence, findings);
    }
    if survey.digits > 0 && memchr::memmem::find(sentence.as_bytes(), b" Precinct").is_some() {
        add(&PRECINCT, sentence, findings);
    }
}

fn add(expression: &Regex, sentence: &str, findings: &mut Findings) {
    for found in captures_in(expression, sentence).filter_map(|captures| captures.get(1)) {
        if !findings.covers(&found.range()) {
            findings.add(found.range(), Label::Organization, 0.85);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn bodies_with_a_number() {
        for (sentence, named) in [
            ("served w/ the 1st Cav and 1/8 Infantry in Iraq", &["1st Cav", "1/8 Infantry"] as &[&str]),
            ("brother in the 55th Wing; 3rd/172nd Mountain before", &["55th Wing", "3rd/172nd Mountain"]),
            ("mass at First Nazarene, sings at First UMC", &["First Nazarene", "First UMC"]),
            ("MOM FELL AT FIRST BAPTIST CHURCH", &["FIRST BAPTIST CHURCH"]),
            ("asked for Bishop Langi from the Tongan 3rd Ward", &["Tongan 3rd Ward"]),
            ("everybody from the Local 103 hall; IBEW Local 26", &["Local 103", "IBEW Local 26"]),
            ("custodian at P.S. 212, her son in I.S.44", &["P.S. 212", "I.S.44"]),
            ("ask Officer Delacroix, 12th Precinct, about the van", &["12th Precinct"]),
            ("PS 10 over PEEP 5; P.S. she is doing well", &[]),
            ("murmur 2/6 Inf border; strength 4/5 Wing", &[]),
            ("First Christian name; moved to the 3rd Ward", &["First Christian"]),
            ("First Aid given, First Assembly of God", &["First Assembly"]),
        ] {
            assert_eq!(found(sentence, &[Label::Organization]), named, "{sentence}");
        }
    }
}
