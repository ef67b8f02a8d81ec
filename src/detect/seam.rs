//! What crosses the boundary between two sentences, which a detector of single sentences cannot see.
//!
//! ```text
//! "Attending:⏎ B. Osei"        the label stands in one sentence, its value in the next: read as `Attending: B. Osei`
//! "… with her son John⏎Smith"  a name is broken over two lines:                        read as `son John Smith`
//! ```
//!
//! Only the last words before a boundary and the first ones after it are read again, and only where the boundary looks as if
//! something crosses it; so this costs little, though it is done in every note and not once a distinct sentence.

use std::ops::Range;

use super::Ensemble;
use super::listed::listed;
use crate::phi::{Detector, Label, Span};

/// How many bytes around a boundary are read again.
const REACH: usize = 60;
/// How far apart two parts of one value may stand, in bytes.
const WIDEST_GAP: usize = 3;
/// A field's label is no longer than this.
const LONGEST_LABEL: usize = 40;

/// How two sentences are joined to be read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// A label and its value.
    Field,
    /// One phrase, broken.
    Phrase,
}

impl Joint {
    const fn text(self) -> &'static str {
        match self {
            Self::Field => ": ",
            Self::Phrase => " ",
        }
    }
}

/// Adds what `ensemble` finds across the boundaries of a text's sentences to `spans`, as byte ranges of the text.
pub(super) fn across(ensemble: &Ensemble, text: &str, sentences: &[Range<usize>], spans: &mut Vec<Span>) {
    let mut joined = String::new();
    for pair in sentences.windows(2) {
        let gap = &text[pair[0].end..pair[1].start];
        if memchr::memchr_iter(b'\n', gap.as_bytes()).count() != 1 {
            continue;
        }
        let after = head(text, &pair[1]);
        let Some(joint) = joint(&text[pair[0].clone()], &text[after.clone()]) else {
            continue;
        };
        let before = tail(text, &pair[0]);
        let label = text[before.clone()].trim_end_matches([':', ' ', '#', '=', '-']);
        joined.clear();
        joined.push_str(label);
        joined.push_str(joint.text());
        let seam = joined.len();
        joined.push_str(&text[after.clone()]);
        for mut span in ensemble.detect_by_knowledge(&joined) {
            let crosses = span.start < label.len() && span.end > seam;
            let follows = span.start >= seam;
            if !(follows || crosses && joint == Joint::Phrase) || is_time(&span) {
                continue;
            }
            // What reaches the end of what was read may go on: the whole sentence has said what it is.
            if span.end == joined.len() && after.end < pair[1].end && follows && joint == Joint::Phrase {
                continue;
            }
            span.start = if follows { after.start + span.start - seam } else { before.start + span.start };
            span.end = after.start + span.end - seam;
            spans.push(span);
        }
    }
}

/// Joins what trained members claim at the end of one sentence and at the beginning of the next, of one label and in one line: an
/// address cut after an abbreviation. `spans` are in order and do not overlap; a span over both is added, which overlaps the two.
pub(super) fn join(text: &str, sentences: &[Range<usize>], spans: &mut Vec<Span>) {
    let mut joined = Vec::new();
    for pair in sentences.windows(2) {
        let gap = &text[pair[0].end..pair[1].start];
        if gap.len() > WIDEST_GAP || gap.contains('\n') {
            continue;
        }
        // The full stop that the sentence was cut at may be outside.
        let from = spans.partition_point(|span| span.end < pair[0].end.saturating_sub(1));
        let to = spans.partition_point(|span| span.start <= pair[1].start);
        let around = &spans[from.min(to)..to];
        let Some(before) = around.iter().find(|span| is_learned(span) && span.end <= pair[0].end) else { continue };
        let label = before.leading().class.label;
        let goes_on =
            |span: &&Span| span.start == pair[1].start && is_learned(span) && span.leading().class.label == label;
        if let Some(after) = around.iter().find(goes_on) {
            joined.push(Span { start: before.start, end: after.end, claims: before.claims.clone() });
        }
    }
    spans.extend(joined);
}

fn is_learned(span: &Span) -> bool {
    span.claims.iter().all(|claim| matches!(claim.detector, Detector::Crf | Detector::Transformer))
}

fn is_time(span: &Span) -> bool {
    span.claims.iter().all(|claim| claim.class.label == Label::Time)
}

/// The last words of a sentence.
fn tail(text: &str, sentence: &Range<usize>) -> Range<usize> {
    if sentence.len() <= REACH {
        return sentence.clone();
    }
    let from = sentence.end - REACH;
    let space = text.as_bytes()[from..sentence.end].iter().position(u8::is_ascii_whitespace);
    space.map_or(sentence.end..sentence.end, |space| from + space + 1..sentence.end)
}

/// The first words of a sentence.
fn head(text: &str, sentence: &Range<usize>) -> Range<usize> {
    if sentence.len() <= REACH {
        return sentence.clone();
    }
    let to = sentence.start + REACH;
    let space = text.as_bytes()[sentence.start..to].iter().rposition(u8::is_ascii_whitespace);
    sentence.start..space.map_or(sentence.start, |space| sentence.start + space)
}

/// Whether something may cross the boundary between two lines.
fn joint(before: &str, after: &str) -> Option<Joint> {
    if before.is_empty() || after.is_empty() {
        return None;
    }
    if before.ends_with([':', '#', '=']) && is_label(before) && !after.contains(':') {
        return Some(Joint::Field);
    }
    let letter = |character: Option<char>| character.is_some_and(char::is_alphabetic);
    // A label in a line of its own: a few words, none of them a sentence's.
    let few = before.len() <= LONGEST_LABEL && before.split_whitespace().count() <= 4;
    if few && letter(before.chars().next_back()) && is_label(before) && after.len() <= REACH && !after.contains(':') {
        return Some(Joint::Field);
    }
    let last = before.rsplit(|character: char| character.is_whitespace()).next().unwrap_or_default();
    let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let titled = matches!(last, "Dr." | "Mr." | "Mrs." | "Ms." | "Drs." | "Prof." | "Dr" | "Mr" | "Mrs" | "Ms");
    let broken = before.len() > LONGEST_LABEL && letter(last.chars().next_back()) && capital(last);
    ((titled || broken) && capital(after)).then_some(Joint::Phrase)
}

/// Whether a line ends in a word that labels a value of the next line; headings such as `Plan:` are none.
fn is_label(line: &str) -> bool {
    const LABELS: &str = "name names patient mrn dob birth age physician provider attending surgeon surgeons assistant assistants \
        anesthesiologist anesthetist resident fellow nurse rn md np pa pcp author dictator recipient sender to from by with cc re \
        phone tel telephone fax cell mobile pager extension email address street city town state zip county country facility \
        hospital clinic site location unit ward room bed employer occupation job school insurance insurer payer plan member \
        subscriber policy group contact contacts account number no id ids ssn npi dea license licence pharmacy guardian guarantor \
        nok kin proxy hcpoa poa spouse wife husband mother father mom dad daughter son sister brother partner caregiver referred \
        referring requested requesting ordered ordering signed verified authenticated scribe technician technologist tech \
        supervisor witness interpreter therapist driver crew staff team consultant consultants date accession specimen case order \
        visit encounter serial lot device";
    let last =
        line.rsplit(|character: char| !character.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
    listed!(last, LABELS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{InclusionList, Templates};
    use crate::text::sentences;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<(String, Label)> {
        let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
        let ranges: Vec<_> = sentences(text).collect();
        let mut spans = Vec::new();
        across(&ensemble, text, &ranges, &mut spans);
        spans.iter().map(|span| (text[span.start..span.end].to_owned(), span.leading().class.label)).collect()
    }

    #[test]
    fn parts_of_one_value_are_joined_over_a_full_stop() {
        let text = "Domicilio: Av. Pedro Rubio, 36.\nMadrid";
        let cut = [0..14, 15..31, 32..38];
        let claim = |start, end| Span::new(start, end, Label::Street, Detector::Crf, 0.9);
        let mut spans = vec![claim(11, 14), claim(15, 30), claim(32, 38)];
        join(text, &cut, &mut spans);
        let ends: Vec<_> = crate::phi::unite(spans).iter().map(|span| (span.start, span.end)).collect();
        assert_eq!(ends, [(11, 30), (32, 38)]);
    }

    #[test]
    fn a_value_under_its_label() {
        assert_eq!(found("Attending:\n  Strong, April\nPlan: rest"), [("Strong, April".into(), Label::Doctor)]);
        assert_eq!(found("MRN:\n4417093\n"), [("4417093".into(), Label::MedicalRecord)]);
        assert!(found("Patient Name\nSTRONG, APRIL").contains(&("STRONG, APRIL".into(), Label::Patient)));
    }

    #[test]
    fn a_name_broken_over_lines() {
        let text = "SEEN TODAY IN CLINIC WITH THE FAMILY AND dr.\nx\nShe was told to call the office of Dr.\nStrong.";
        assert!(
            found(text).iter().any(|(value, label)| value == "Strong" && *label == Label::Doctor),
            "{:?}",
            found(text)
        );
    }

    #[test]
    fn paragraphs_and_sentences_stay_apart() {
        assert_eq!(found("Plan:\n\nStrong pulses."), []);
        assert_eq!(found("Feels well.\nStrong pulses."), []);
    }

    proptest! {
        #[test]
        fn any_text_gives_sound_spans(text in "(Dr\\.|Name:?|Rose|Strong|MRN:|12345678|é|\\n| |\\.|,|\\PC){0,24}") {
            let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
            let ranges: Vec<_> = sentences(&text).collect();
            let mut spans = Vec::new();
            across(&ensemble, &text, &ranges, &mut spans);
            for span in spans {
                prop_assert!(text.get(span.start..span.end).is_some_and(|part| !part.is_empty()));
            }
        }
    }
}
