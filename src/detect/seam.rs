//! What crosses the boundary between two sentences, which a detector of single sentences cannot see.
//!
//! ```text
//! "Attending:⏎ B. Osei"        the label stands in one sentence, its value in the next: read as `Attending: B. Osei`
//! "… with her son John⏎Smith"  a name is broken over two lines:                        read as `son John Smith`
//! "… call 617-555-⏎0134"       so is a number, a date, an address:                      read as `call 617-555-0134`
//! "… CALL 806 716┊3134 …"      a line was too long for one sentence:                   read as `CALL 806 716 3134`
//! ```
//!
//! Only the last words before a boundary and the first ones after it are read again, and only where the boundary looks as if
//! something crosses it; so this costs little, though it is done in every note and not once a distinct sentence.

mod broken;

use std::borrow::Cow;
use std::ops::Range;

use super::boundaries::markup::is_bare_markup;
use super::listed::listed;
use super::reading::plainly;
use super::{Ensemble, SentenceDetector, SiteDictionary};
use crate::phi::{Detector, Label, Span};
use crate::text::Boundary;

/// How many bytes around a boundary are read again, and for terms of a site's dictionary.
const REACH: usize = 60;
const TERM_REACH: usize = 120;
/// How far apart two parts of one value may stand, in bytes.
const WIDEST_GAP: usize = 3;
/// How many lines end where an empty one is between two sentences.
const EMPTY_LINE: usize = 2;
/// A field's label is no longer than this.
const LONGEST_LABEL: usize = 40;

/// How two sentences are joined to be read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// A label and its value.
    Field,
    /// One phrase, broken.
    Phrase,
    /// One word, cut where a text has no blanks.
    Word,
}

impl Joint {
    const fn text(self) -> &'static str {
        match self {
            Self::Field => ": ",
            Self::Phrase => " ",
            Self::Word => "",
        }
    }
}

/// Adds what `ensemble` finds across the boundaries of a text's sentences to `spans`, as byte ranges of the text.
pub(super) fn across(ensemble: &Ensemble, text: &str, sentences: &[Range<usize>], spans: &mut Vec<Span>) {
    let mut joined = String::new();
    // A value of a page may stand below its label with lines of tags between them.
    let mut words = (0..sentences.len()).filter(|&at| !is_bare_markup(&text[sentences[at].clone()]));
    let Some(mut last) = words.next() else { return };
    for next in words {
        let pair = [&sentences[last], &sentences[next]];
        let mut boundary = Boundary::between(text, pair[0], pair[1]);
        if next > last + 1 {
            boundary.breaks = EMPTY_LINE;
        }
        last = next;
        let Some(joint) = joint_at(text, &boundary) else { continue };
        let before = tail(text, &boundary.before, joint);
        let after = unquoted(text, head(text, &boundary.after, joint));
        let label = match joint {
            Joint::Field => without_tags(&text[before.clone()]),
            Joint::Phrase | Joint::Word => Cow::Borrowed(&text[before.clone()]),
        };
        let label = match joint {
            Joint::Field => label.trim_end_matches([':', ' ', '#', '=', '-']),
            Joint::Phrase | Joint::Word => &label,
        };
        joined.clear();
        joined.push_str(label);
        joined.push_str(joint.text());
        let seam = joined.len();
        joined.push_str(&text[after.clone()]);
        for mut span in ensemble.detect_by_knowledge(&joined) {
            let crosses = span.start < label.len() && span.end > seam;
            let follows = span.start >= seam;
            // `a 91⏎year old man`: the number alone is the age.
            let is_age = span.leading().class.label == Label::Age && span.end == label.len() && joint == Joint::Phrase;
            if is_age {
                spans.push(Span { start: before.start + span.start, end: before.start + span.end, ..span });
                continue;
            }
            if !(follows || crosses && joint != Joint::Field) || is_time(&span) {
                continue;
            }
            // What reaches the end of what was read may go on: the whole sentence has said what it is.
            if span.end == joined.len() && after.end < boundary.after.end && follows && joint != Joint::Field {
                continue;
            }
            span.end = after.start + span.end - seam;
            if follows {
                span.start = after.start + span.start - seam;
            } else {
                span.start += before.start;
                // A line break that is written out is no part of what it breaks.
                if boundary.before.end < pair[0].end {
                    spans.push(Span { end: boundary.before.end, ..span.clone() });
                    span.start = after.start;
                }
            }
            spans.push(span);
        }
    }
}

/// Adds the terms of a site's dictionary that go over the end of a sentence, wherever that is: what is in the list needs no sign that it goes on.
pub(super) fn terms_across(dictionary: &SiteDictionary, text: &str, sentences: &[Range<usize>], spans: &mut Vec<Span>) {
    let mut found = Vec::new();
    for pair in sentences.windows(2) {
        let (before, after) = (pair[0].end, pair[1].start);
        let from = text.ceil_char_boundary(before.saturating_sub(TERM_REACH));
        let to = text.floor_char_boundary((after + TERM_REACH).min(text.len()));
        // Whole words alone.
        let from =
            if from == 0 { 0 } else { from + text[from..before].find(char::is_whitespace).unwrap_or(before - from) };
        let to =
            if to == text.len() { to } else { after + text[after..to].rfind(char::is_whitespace).unwrap_or_default() };
        found.clear();
        dictionary.detect(&text[from..to], &mut found);
        let crossing = found.drain(..).map(|span| Span { start: from + span.start, end: from + span.end, ..span });
        spans.extend(crossing.filter(|span| span.start < before && span.end > after));
    }
}

/// Joins what trained members claim at the end of one sentence and at the beginning of the next, of one label and in one line: an
/// address cut after an abbreviation. `spans` are in order and do not overlap; a span over both is added, which overlaps the two.
pub(super) fn join(text: &str, sentences: &[Range<usize>], spans: &mut Vec<Span>) {
    let mut joined = Vec::new();
    for pair in sentences.windows(2) {
        let is_near = pair[1].start - pair[0].end <= WIDEST_GAP;
        if !is_near || Boundary::between(text, &pair[0], &pair[1]).breaks > 0 {
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

/// A part of a page as it is read.
fn without_tags(part: &str) -> Cow<'_, str> {
    match part.contains('<').then(|| plainly(part)) {
        Some(Cow::Owned(text)) => Cow::Owned(text.trim().to_owned()),
        _ => Cow::Borrowed(part),
    }
}

fn is_learned(span: &Span) -> bool {
    span.claims.iter().all(|claim| matches!(claim.detector, Detector::Crf | Detector::Transformer))
}

fn is_time(span: &Span) -> bool {
    span.claims.iter().all(|claim| claim.class.label == Label::Time)
}

/// The last words of a sentence; of one that is cut in a word, its end.
fn tail(text: &str, sentence: &Range<usize>, joint: Joint) -> Range<usize> {
    if sentence.len() <= REACH {
        return sentence.clone();
    }
    let from = text.ceil_char_boundary(sentence.end - REACH);
    let words = text[from..sentence.end].split_once(char::is_whitespace).map(|(_, words)| words.len());
    let length = words.unwrap_or(if joint == Joint::Word { sentence.end - from } else { 0 });
    sentence.end - length..sentence.end
}

/// The first words of a sentence; of one whose first word is cut, its beginning.
fn head(text: &str, sentence: &Range<usize>, joint: Joint) -> Range<usize> {
    if sentence.len() <= REACH {
        return sentence.clone();
    }
    let to = text.floor_char_boundary(sentence.start + REACH);
    let length = text[sentence.start..to].rfind(char::is_whitespace);
    let length = length.unwrap_or(if joint == Joint::Word { to - sentence.start } else { 0 });
    sentence.start..sentence.start + length
}

/// The first words of a line without the marks of a quotation before them: `> 8, 2014`.
fn unquoted(text: &str, words: Range<usize>) -> Range<usize> {
    let bare = text[words.clone()].trim_start_matches(['>', ' ', '\t']);
    words.end - bare.len()..words.end
}

/// How what stands at a boundary is joined, if something may cross it.
fn joint_at(text: &str, boundary: &Boundary) -> Option<Joint> {
    let Boundary { before, after, .. } = boundary;
    match boundary.breaks {
        0 if boundary.by_length && before.end == after.start => Some(Joint::Word),
        0 if boundary.by_length => Some(Joint::Phrase),
        1 => {
            let after = head(text, after, Joint::Phrase);
            joint(&without_tags(&text[before.clone()]), &without_tags(&text[after]))
        }
        // A field whose value stands below an empty line.
        EMPTY_LINE if after.len() <= REACH => {
            field(&without_tags(&text[before.clone()]), &without_tags(&text[after.clone()]))
        }
        _ => None,
    }
}

/// Whether something may cross the boundary between two lines.
fn joint(before: &str, after: &str) -> Option<Joint> {
    if before.is_empty() || after.is_empty() {
        return None;
    }
    if let Some(joint) = field(before, after) {
        return Some(joint);
    }
    if let Some(joint) = broken::joint(before, after) {
        return Some(joint);
    }
    let letter = |character: Option<char>| character.is_some_and(char::is_alphabetic);
    // A label in a line of its own: a few words, none of them a sentence's.
    let few = before.len() <= LONGEST_LABEL && before.split_whitespace().count() <= 4;
    if few
        && letter(before.chars().next_back())
        && is_label(before)
        && after.len() <= REACH
        && !begins_with_label(after)
    {
        return Some(Joint::Field);
    }
    let last = before.rsplit(|character: char| character.is_whitespace()).next().unwrap_or_default();
    let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let titled = matches!(last, "Dr." | "Mr." | "Mrs." | "Ms." | "Drs." | "Prof." | "Dr" | "Mr" | "Mrs" | "Ms");
    let broken = before.len() > LONGEST_LABEL && letter(last.chars().next_back()) && capital(last);
    ((titled || broken) && capital(after)).then_some(Joint::Phrase)
}

/// A label that ends in its mark, above a line that has none of its own.
fn field(before: &str, after: &str) -> Option<Joint> {
    // What is bracketed tells of the label: `Surgeon(s):`, `Emergency Contact (name):`.
    let label = before.trim_end_matches([':', '#', '=', ' ']);
    let bare = label.strip_suffix(')').and_then(|inside| Some(inside.rsplit_once('(')?.0)).unwrap_or(label);
    let is_marked = before.ends_with([':', '#', '=']);
    let is_field = is_marked && (is_label(bare) || is_marked_label(bare)) && !begins_with_label(after);
    is_field.then_some(Joint::Field)
}

/// Whether a line begins with a label of its own, so that it is no value of the one above: `Plan: rest`, but not `Strong, April 10:30 AM` nor
/// `44170   Acct: 88123`.
fn begins_with_label(line: &str) -> bool {
    let is_time = |at: usize| {
        let digit = |text: Option<&u8>| text.is_some_and(u8::is_ascii_digit);
        at > 0 && digit(line.as_bytes().get(at - 1)) && digit(line.as_bytes().get(at + 1))
    };
    let Some((at, _)) = line.match_indices(':').find(|(at, _)| !is_time(*at)) else { return false };
    let label = line[..at].trim();
    let is_plain =
        !label.contains([',', '(', '\t']) && !label.contains("  ") && !label.contains(|c: char| c.is_ascii_digit());
    is_plain && label.split_whitespace().count() <= 4
}

/// Whether a line ends in a word that labels a value where a colon follows; without one it says as much of anything else.
fn is_marked_label(line: &str) -> bool {
    const LABELS: &str = "acct csn fin har mr chart record subscr mbr radiologist pathologist cardiologist endoscopist proceduralist hospitalist \
        pharmacist midwife manager worker coordinator claim badge passport postcode zipcode informant historian caller grandmother \
        grandfather friend aunt uncle cousin niece nephew granddaughter grandson fiance fiancee boyfriend girlfriend neighbor neighbour \
        law roommate landlord teacher coach pastor";
    listed!(last_word(line), LABELS)
}

fn last_word(line: &str) -> &str {
    line.rsplit(|character: char| !character.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default()
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
    listed!(last_word(line), LABELS)
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
        for (text, value) in [
            ("Attending:\nStrong, April 03/04/2019 10:30 AM", "Strong, April"),
            ("Attending:\nStrong, April (pager: 4410)", "Strong, April"),
            ("Surgeon(s):\nApril Strong   Assistant: Hope Bishop", "April Strong"),
            ("MRN:\n44170   Acct: 88123", "44170"),
            ("Acct #:\n88123", "88123"),
            ("Radiologist:\nStrong, April", "Strong, April"),
            ("MRN:\n\n44170\n", "44170"),
            ("<td>Attending:</td>\n<td>Strong, April</td>", "Strong, April"),
            ("<tr>\n<td>\nAttending:\n</td>\n<td>\nStrong, April\n</td>", "Strong, April"),
            ("MRN:\n<br/>\n44170\n", "44170"),
        ] {
            assert!(found(text).iter().any(|(found, _)| found == value), "{text}: {:?}", found(text));
        }
        for text in [
            "Attending:\nPlan: Strong pulses",
            "MRN:\nDiet and activity: Strong",
            "MRN:\n\n\n44170",
            "Plan:\n\nStrong pulses.",
            "<td>Plan:</td>\n<td>Strong pulses.</td>",
            "<td>Attending:</td>\n</tr>\n<tr>\n<td>Plan: Strong pulses</td>",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    /// Terms that a site has listed need nothing around them that tells that they go on.
    #[test]
    fn terms_of_a_site_go_over_the_ends_of_lines() {
        let terms = "HOSPITAL\tZebra Room\nHOSPITAL\tBlue Harbor Team\nIDNUM\tQX 7781\nDOCTOR\tOkonkwo-Bright";
        let dictionary = SiteDictionary::parse(terms).unwrap();
        let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
        let ensemble = ensemble.with_site_dictionary(dictionary.into());
        let long = "After the procedure the patient was taken up with all belongings and her chart and the family";
        for (text, term) in [
            ("Seen in Zebra\nRoom by the team.", "Zebra\nRoom"),
            ("Blue\nHarbor Team", "Blue\nHarbor Team"),
            ("Blue Harbor\n  Team", "Blue Harbor\n  Team"),
            ("moved to QX\n7781 for care", "QX\n7781"),
            (&format!("{long} to QX\n7781 {long}"), "QX\n7781"),
            (&format!("{long}\nto Okonkwo-\nBright\n{long}"), "Okonkwo-\nBright"),
            ("é Zebra\r\nRoom", "Zebra\r\nRoom"),
        ] {
            let spans = ensemble.detect_text(text).unwrap();
            let all: Vec<_> = spans.iter().map(|span| &text[span.start..span.end]).collect();
            assert!(all.contains(&term), "{text}: {all:?}");
        }
        for text in ["Seen in Zebra\n\nRoom", "a Zebra\nRoommate", "Mushzebra\nRoom"] {
            let spans = ensemble.detect_text(text).unwrap();
            assert!(spans.iter().all(|span| span.end - span.start < 10), "{text}: {spans:?}");
        }
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
    fn an_age_whose_unit_is_in_the_next_line() {
        assert_eq!(found("This is a 91\nyear old man."), [("91".into(), Label::Age)]);
        assert_eq!(found("Her father died aged\n93."), [("93".into(), Label::Age)]);
        assert_eq!(found("We gave 91\nof them away."), []);
    }

    #[test]
    fn a_day_broken_over_lines() {
        for (text, day) in [
            ("Last colonoscopy (January\n8, 2014) was normal.", "January\n8, 2014"),
            ("Seen (July 27,\n2020) in clinic.", "July 27,\n2020"),
            ("scope [8\nJanuary 2014] was normal", "8\nJanuary 2014"),
            ("> she came on January\n> 8, 2014 and was well", "January\n> 8, 2014"),
            ("seen \"July 27,\r\n2020\" in clinic", "July 27,\r\n2020"),
        ] {
            assert!(found(text).iter().any(|(found, _)| found == day), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn any_line_break_is_one() {
        for line_break in ["\r", "\r\n", "\u{2028}", "\u{85}", "\\n", "\\r\\n", "\\.br\\", "<br>\n", "</p><p>"] {
            let text = ["Attending", "Strong, April", "Plan: rest"].join(line_break);
            assert_eq!(found(&text), [("Strong, April".into(), Label::Doctor)], "{line_break:?}");
        }
        let name = "She came again to the clinic today with her son John\\nStrong who is well";
        let parts: Vec<_> = found(name).into_iter().map(|(value, _)| value).collect();
        assert_eq!(parts, ["John", "Strong"]);
        assert_eq!(found("Attending\\n\\nStrong, April"), []);
    }

    #[test]
    fn what_a_cut_by_length_parts_is_read_again() {
        let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
        let long = "WORK ".repeat(320);
        for (before, after, value) in [
            ("PHONE 806 ", "716 3134 AND WELL", "806 716 3134"),
            ("PHONE ", "806 716 3134 AND WELL", "806 716 3134"),
            ("SSN 123 45", " 6789 AND WELL", "123 45 6789"),
            ("PHONE 806-716-3", "134 AND WELL", "806-716-3134"),
        ] {
            let text = format!("{long}{before}{after}");
            let ends = long.len() + before.trim_end().len();
            let cut = [0..ends, text.len() - after.trim_start().len()..text.len()];
            let mut spans = Vec::new();
            across(&ensemble, &text, &cut, &mut spans);
            assert!(spans.iter().any(|span| &text[span.start..span.end] == value), "{before}|{after}");
        }
    }

    #[test]
    fn paragraphs_and_sentences_stay_apart() {
        assert_eq!(found("Plan:\n\nStrong pulses."), []);
        assert_eq!(found("Feels well.\nStrong pulses."), []);
    }

    proptest! {
        #[test]
        fn any_text_gives_sound_spans(text in "(Dr\\.|Name:?|Rose|Strong|MRN:|12345678|é|\\n|\\\\n|<br>|\u{2028}| |\\.|,|\\PC){0,24}") {
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
