//! What somebody is called: `Goes by Stush`, `uses the nickname Tank`, `Parents call them Pip + Squeak`, `a baby everyone calls Bug`,
//! `Alias Smoke`.

use std::sync::LazyLock;

use regex::Regex;

use crate::detect::listed::listed;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::topics::Topics;
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// The words that say so, and one name or two.
static CALLED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r#"\b(?:goes\sby|went\sby|answers\sto|nicknamed?|nickname\sis|alias|(?:likes|wants|asks|prefers)\sto\sbe\scalled|(?:parents?|kids|children|friends|everyone|everybody|family|staff|they|people)\s(?:all\s)?calls?\s(?:him|her|them|me)|(?:mom|mother|dad|father|husband|wife|he|she|sister|brother|who)\scalls\s(?:him|her|them|me|himself|herself)|(?:everyone|everybody)\scalls)\s?:?\s(?u:["“'])?((?-i:[A-Z][a-z]{1,14})(?:\s(?-i:[A-Z][a-z]{1,14}))?)(?u:["”'])?(?:\s?[+&/]\s?(?u:["“'])?((?-i:[A-Z][a-z]{1,14})))?"#,
    )
});
/// A name before who calls somebody so: `Cookie, as everyone on the line calls him`.
static AS_CALLED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"((?-i:[A-Z][a-z]{2,14})),?\sas\s(?:every(?:one|body)|they|we|all|his|her|the|most|friends|family|people|folks)\b[a-z' ]{0,24}?\bcalls?\s(?:him|her|them|me)\b",
    )
});

/// A nickname before who it is: `"Frenchy" aka Armand Thibodeaux`.
static ALSO: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r#"(?u:["“])((?-i:[A-Z][a-z]{1,14})(?:\s(?-i:[A-Z][a-z]{1,14}))?)(?u:["”]),?\s(?:aka|a\.k\.a\.|a/k/a)\s"#,
    )
});

/// The whole of a field: `Prefers: Bud      Age: 90`.
static PREFERRED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:prefers|preferred(?:\sname)?|preferred\sto\sbe\scalled)\s?:\s?((?-i:[A-Z][a-z]{1,14}))(?:\s\s|\s*$|\s*[\n|;,])",
    )
});

/// What behind such words is no name.
const NO_NAMES: &str = "the a an his her their our my it that this when if at on back nurse doctor dr mr mrs ms ems am pm mom dad to for ahead \
                        front day none unknown na denies cell home mobile work today tomorrow tonight asap security pharmacy daughter son wife \
                        husband rapid poison wheelchair ambulance uber lyft taxi bus car van names name transport foot";

/// Adds such names.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.colons > 0 && survey.topics.has(Topics::PREFERRED) {
        for name in captures_in(&PREFERRED, sentence).filter_map(|captures| captures.get(1)) {
            let named = WordFlags::GIVEN_NAME.union(WordFlags::NICKNAME);
            if Lexicon::shared().word(name.as_str()).is_any(named) && !findings.covers(&name.range()) {
                findings.add(name.range(), Label::Patient, 0.85);
            }
        }
    }
    if !survey.topics.has(Topics::CALLED) {
        return;
    }
    for captures in
        captures_in(&CALLED, sentence).chain(captures_in(&AS_CALLED, sentence)).chain(captures_in(&ALSO, sentence))
    {
        for name in captures.iter().skip(1).flatten() {
            let first = name.as_str().split(' ').next().unwrap_or_default();
            if !(listed!(first, NO_NAMES) || findings.covers(&name.range())) {
                findings.add(name.range(), Label::Patient, 0.8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn names(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Patient])
    }

    #[test]
    fn what_somebody_is_called_is_a_name() {
        for (sentence, called) in [
            ("Goes by Stush; the chart says another", &["Stush"] as &[&str]),
            ("Pt uses the nickname Tank, played ball", &["Tank"]),
            ("Parents call them Pip + Squeak.", &["Pip", "Squeak"]),
            ("Paisley and a baby everyone calls Bug.", &["Bug"]),
            ("Alias Smoke, in custody", &["Smoke"]),
            ("Cookie, as everyone on the line calls him, burned his arm", &["Cookie"]),
            ("\"Frenchy\" aka Armand, 59", &["Frenchy"]),
            ("Prefers: Bud      Age: 90", &["Bud"]),
            ("Likes to be called \"Miss Birdie\" here", &["Miss Birdie"]),
        ] {
            assert_eq!(names(sentence), called, "{sentence}");
        }
    }

    #[test]
    fn calls_and_terms_are_none() {
        for sentence in [
            "Prefers: Spanish    Interpreter: yes",
            "Will call her Monday",
            "call me if worse",
            "Alias: None",
            "Please call her Mobile",
            "Staff calls Security",
            "goes by Ambulance to HD",
            "Neighbor called EMS",
        ] {
            assert_eq!(names(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
