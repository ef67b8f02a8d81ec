//! Whether what stands around a capitalized word can only be said of a person, though the word is a term as well.
//!
//! ```text
//! Spoke with Parkinson at length             with whom somebody speaks
//! Huntington was tearful · Hodgkin called    what people do and feel
//! spoke with Parkinson clinic · Romberg was positive · Babinski tested     none of these
//! ```

use super::listed::listed;
use super::patterns::context::first_word;

/// Verbs that have nobody but a person before them.
const VERBS: &str = "called calls phoned says said agrees agreed denies denied understands understood wants wanted requests requested asks asked \
                     paged sees tells told thinks feels felt prefers declined lives consented answered texted emailed verbalized verbalizes \
                     cried smiled apologized promised worries hopes insists states stated";
/// What somebody is, who `was` it: of a sign other words are said.
const STATES: &str = "tearful upset anxious called seen notified updated informed told admitted discharged angry pleasant cooperative awake asleep \
                      sleeping agitated happy worried tired here paged asked advised counseled educated reassured crying";
/// What is done with somebody, before `with` or `to`.
const WITH: &str = "spoke spoken speak speaking talked talk talking discussed met meeting visited consulted conferred";
/// What is done to somebody.
const TO: &str = "updated notified informed paged told asked phoned texted emailed advised reassured counseled";
/// What a clinic, a disease or a scale goes on with.
const OTHER_HEADS: &str = "clinic team unit nurse patients patient disease society group specialist support ward center centre foundation hotline \
                           rep score scale sign test criteria";

/// Whether a word between two texts is told as a person.
pub(super) fn is_told(before: &str, after: &str) -> bool {
    let next = after.strip_prefix(' ').map_or("", first_word);
    if listed!(next, OTHER_HEADS) {
        return false;
    }
    does_what_people_do(after, next) || is_addressed(before)
}

fn does_what_people_do(after: &str, next: &str) -> bool {
    let behind = after.get(1 + next.len()..).unwrap_or_default();
    let small = next.starts_with(|c: char| c.is_ascii_lowercase());
    let second = behind.strip_prefix(' ').map_or("", first_word);
    small && (listed!(next, VERBS) || listed!(next, "was is") && listed!(second, STATES))
}

fn is_addressed(before: &str) -> bool {
    let Some(head) = before.strip_suffix(' ') else { return false };
    let word =
        |text: &str| text.rsplit(|c: char| !(c.is_ascii_alphabetic() || c == '/')).next().unwrap_or_default().len();
    let (lead, last) = head.split_at(head.len() - word(head));
    let verb = lead.strip_suffix(' ').map_or("", |lead| &lead[lead.len() - word(lead)..]);
    listed!(last, TO) || listed!(last, "with to w/") && listed!(verb, WITH) || last.eq_ignore_ascii_case("d/w")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_and_terms() {
        let told = |marked: &str| {
            let (before, rest) = marked.split_once('[').expect("a mark opens");
            is_told(before, rest.split_once(']').expect("a mark closes").1)
        };
        for text in [
            "Spoke with [Parkinson] at length, she understands",
            "[Huntington] was tearful this morning",
            "[Hodgkin] called back, wants a refill",
            "Discussed with [Glasgow] who agrees",
            "d/w [Pick], ok",
            "notified [Ranson] of the result",
        ] {
            assert!(told(text), "{text}");
        }
        for text in [
            "spoke with [Parkinson] clinic",
            "[Romberg] was positive",
            "[Babinski] tested, downgoing",
            "consistent with [Parkinson]",
            "[Hawkins] positive",
            "per [Ranson] criteria",
        ] {
            assert!(!told(text), "{text}");
        }
    }
}
