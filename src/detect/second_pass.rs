//! The second pass: what was found with confidence in one note of a patient, found again in all of that patient's notes.
//!
//! ```text
//! note 1   "Seen by Dr. Ngozi Okafor at Lakeview Clinic."   ─ confident ─▶ DOCTOR "Ngozi Okafor", HOSPITAL "Lakeview Clinic"
//! note 2   "d/w okafor, f/u lakeview clinic"                ─ find ──────▶      └─ DOCTOR           └─ HOSPITAL
//! ```
//!
//! Dehghan et al. 2015, §2.4: results of high confidence, filtered of ambiguous terms, become a dictionary of the patient at
//! run time, matched longest first. A clear form in one note so leads to the unclear ones in the others; dates, ages and
//! whatever else says nothing about a person stay out of it.

use std::collections::HashSet;

use super::reading::plainly;
use super::record::{NoteWords, PatientRecord, RecordMatcher, is_around_name};
use super::veto;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Detector, Label, Span};

/// The least score of a claim on a name, on the name of a body in several words, and on anything else, that goes into the
/// dictionary. Several words together hardly ever mean another thing in another note.
const CONFIDENT_NAME: f32 = 0.8;
const CONFIDENT_PHRASE: f32 = 0.6;
const CONFIDENT_VALUE: f32 = 0.9;

/// What is left of a claim's score in another place than that it was made in: what is claimed there itself names the span.
const HEARSAY: f32 = 0.6;

/// A longer value, in bytes, is a line that was taken for one: another note has no such line.
const LONGEST: usize = 160;

/// So many bear a given name that goes into the dictionary by itself although it is a word of English, and the smallest SCOWL list that has the
/// word is this one or a larger.
const GIVEN_TO: u32 = 5_000;
const UNCOMMON: u8 = 35;

/// Letters and digits that a number must have, and digits among them: shorter ones are doses and rooms as well.
const CODE_LENGTH: usize = 5;
const CODE_DIGITS: usize = 4;

/// The values of one note that are sure and telling enough to be looked for in the patient's other notes.
pub fn confident(text: &str, spans: &[Span]) -> Vec<(Label, String)> {
    let (mut values, mut known) = (Vec::new(), HashSet::new());
    for span in spans {
        let claim = span.leading();
        let Some(form) = Form::of(claim.class.label) else { continue };
        // As it is read, not as it is written: the letters of an entity are in no other note.
        let value = plainly(&text[span.start..span.end]).split_whitespace().collect::<Vec<_>>().join(" ");
        let least = match (form, claim.class.label) {
            (Form::Name, _) => CONFIDENT_NAME,
            (Form::Words, Label::Hospital | Label::Organization) if value.contains(' ') => CONFIDENT_PHRASE,
            _ => CONFIDENT_VALUE,
        };
        if value.len() <= LONGEST && span.sureness() >= least && form.is_telling(&value) && known.insert(value.clone())
        {
            values.push((claim.class.label, value));
        }
    }
    values
}

/// What makes a value worth looking for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Name,
    Code,
    Words,
}

impl Form {
    fn of(label: Label) -> Option<Self> {
        match label {
            Label::Patient | Label::Doctor => Some(Self::Name),
            Label::Hospital
            | Label::Organization
            | Label::Profession
            | Label::City
            | Label::LocationOther
            | Label::Street => Some(Self::Words),
            Label::Date | Label::Age | Label::Time | Label::State | Label::Country | Label::Url | Label::BioId => None,
            _ => Some(Self::Code),
        }
    }

    fn is_telling(self, value: &str) -> bool {
        let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
        let all = || value.split([' ', '-', ',', '.']).filter(|word| !has_digit(word));
        let words = || all().filter(|word| word.chars().count() > 2);
        match self {
            // Of ordinary words only a given and a family name together are sure; the matcher asks for more where one is alone.
            // Two letters, or one, are a part of a name beside another: `Bo Lee`, `J. Public`.
            Self::Name => {
                let is_part = |word: &&str| word.chars().count() > 2 || word.starts_with(char::is_uppercase);
                let parts = all().filter(is_part).filter(|word| !is_around_name(word));
                !has_digit(value)
                    && (parts.count() > 1 || words().any(|word| !is_ordinary(word) || is_given_above_all(word)))
            }
            Self::Code => {
                let digits = value.bytes().filter(u8::is_ascii_digit).count();
                digits >= CODE_DIGITS && value.chars().filter(|c| c.is_alphanumeric()).count() >= CODE_LENGTH
            }
            // Of several words only the combination tells, so they may be ordinary ones.
            Self::Words if Lexicon::shared().eponym(value).is_some() => false,
            Self::Words => words().count() > 1 || value.chars().count() > 3 && words().any(|word| !is_ordinary(word)),
        }
    }
}

/// Whether a word is also one of English or medicine.
fn is_ordinary(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    info.english_band().is_some() || info.is_any(WordFlags::MEDICAL.union(WordFlags::CARE_ROLE))
}

/// Whether a word of English is a name of many and not among the commoner words: `Fern`, `Opal`, `Penny`.
fn is_given_above_all(word: &str) -> bool {
    const OTHER: WordFlags = WordFlags::MEDICAL.union(WordFlags::CARE_ROLE).union(WordFlags::DRUG);
    let info = Lexicon::shared().word(word);
    info.given_count >= GIVEN_TO && info.english_size().is_some_and(|size| size >= UNCOMMON) && !info.is_any(OTHER)
}

/// What a body of three to six words is called for short, where that is no other word: `HRCI` of `Hudson-Ramapo Cancer Institute`.
fn abbreviation(name: &str) -> Option<String> {
    let words = name.split([' ', '-', '/', ',']).filter(|word| !word.is_empty());
    let mut telling =
        words.filter(|word| !matches!(*word, "of" | "the" | "and" | "for" | "at" | "in" | "&")).peekable();
    telling.peek()?;
    let initials = telling.map(|word| word.chars().next().filter(|letter| letter.is_ascii_uppercase()));
    let short: String = initials.collect::<Option<_>>()?;
    const OTHER: WordFlags = WordFlags::ENGLISH
        .union(WordFlags::MEDICAL)
        .union(WordFlags::ABBREVIATION)
        .union(WordFlags::DRUG)
        .union(WordFlags::CARE_ROLE);
    ((3..=6).contains(&short.len()) && !Lexicon::shared().word(&short).is_any(OTHER)).then_some(short)
}

/// What a dictionary is made from: the values of a patient in the order in which they are taken in, each once, and what bodies are called for
/// short. It is the same for every note, so it is done once for a patient.
pub fn prepared<'v>(values: impl IntoIterator<Item = (Label, &'v str)>) -> Vec<(Label, String)> {
    let mut values: Vec<_> = values.into_iter().collect();
    // The longest form of a name leads: shorter ones join to it.
    values.sort_by_key(|&(label, value)| (std::cmp::Reverse(value.len()), value, label));
    values.dedup();
    let bodies = values.iter().filter(|(label, _)| matches!(label, Label::Hospital | Label::Organization));
    let short = bodies.filter_map(|&(label, value)| Some((label, abbreviation(value)?)));
    let whole = values.iter().map(|&(label, value)| (label, value.to_owned()));
    short.chain(whole).collect()
}

/// Finds the confident values of one patient in texts.
#[derive(Debug, Default)]
pub struct PatientDictionary {
    matcher: RecordMatcher,
}

impl PatientDictionary {
    /// A dictionary of values as [`confident`] gives them, in any order, the same ones as often as they come.
    pub fn new<'v>(values: impl IntoIterator<Item = (Label, &'v str)>) -> Self {
        let values = prepared(values);
        Self::of_prepared(values.iter().map(|(label, value)| (*label, value.as_str())))
    }

    /// The same of values as [`prepared`] gives them.
    pub fn of_prepared<'v>(values: impl IntoIterator<Item = (Label, &'v str)>) -> Self {
        let mut dictionary = Self::default();
        dictionary.refill(values);
        dictionary
    }

    /// Makes it one of other values, as [`prepared`] gives them, in the memory that it has.
    pub fn refill<'v>(&mut self, values: impl IntoIterator<Item = (Label, &'v str)>) {
        let mut known = PatientRecord::default();
        for (label, value) in values {
            match Form::of(label) {
                Some(Form::Name) => known.related.push((label, value.into())),
                // Without its area code, too.
                Some(Form::Code) if label == Label::Phone => known.phones.push(value.into()),
                Some(_) => known.identifiers.push((label, value.into())),
                None => {}
            }
        }
        self.matcher.refill_of_found(&known);
    }

    /// How many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.matcher.heap_bytes()
    }

    /// Adds what is found in `text`, a whole note, to `spans`, as byte ranges on character boundaries; they may overlap.
    pub fn find(&self, text: &str, spans: &mut Vec<Span>) {
        self.find_in(&NoteWords::of(text), spans);
    }

    /// The same in a note whose words have been read.
    pub fn find_in(&self, note: &NoteWords<'_>, spans: &mut Vec<Span>) {
        let before = spans.len();
        self.matcher.find_in(note, spans);
        for span in spans.split_off(before) {
            // What another note has found is no title: a name that is a term of medicine here names nobody.
            if Form::of(span.claims[0].class.label) == Some(Form::Name) && veto::is_term(note.text(), &span) {
                continue;
            }
            spans.push(span);
        }
        for claim in spans[before..].iter_mut().flat_map(|span| &mut span.claims) {
            claim.detector = Detector::SecondPass;
            claim.score *= HEARSAY;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Ensemble, InclusionList, Templates};
    use crate::phi::unite;
    use proptest::prelude::*;

    fn values(text: &str) -> Vec<(Label, String)> {
        let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
        confident(text, &ensemble.detect_text(text).unwrap())
    }

    fn found(known: &str, text: &str) -> Vec<String> {
        let values = values(known);
        let mut spans = Vec::new();
        PatientDictionary::new(values.iter().map(|(label, value)| (*label, value.as_str()))).find(text, &mut spans);
        assert!(spans.iter().flat_map(|span| &span.claims).all(|claim| claim.detector == Detector::SecondPass));
        unite(spans).iter().map(|span| text[span.start..span.end].to_owned()).collect()
    }

    #[test]
    fn a_clear_form_leads_to_the_unclear_ones() {
        let note = "Seen by Dr. Ngozi Okafor at Lakeview Regional Medical Center. MRN: 4417093.";
        assert_eq!(found(note, "d/w okafor this am"), ["okafor"]);
        assert_eq!(found(note, "back to lakeview regional medical center"), ["lakeview regional medical center"]);
        assert_eq!(found(note, "pt 4417093 here"), ["4417093"]);
        assert_eq!(found("Phone: (806) 716-3134.", "left a message at 716 3134 again"), ["716 3134"]);
    }

    #[test]
    fn entities_are_read_as_what_they_stand_for() {
        for (written, plain) in [
            ("Zebulon&nbsp;Quorlin", "Zebulon Quorlin"),
            ("Zebulon Vandermolen&ndash;Ruiz", "Zebulon Vandermolen-Ruiz"),
            ("Zebulon O&#39;Branagan", "Zebulon O'Branagan"),
        ] {
            let note = format!("Seen by Dr. {written}, MD on 3/4/2019.");
            assert_eq!(values(&note), [(Label::Doctor, plain.to_owned())]);
            assert_eq!(found(&note, &format!("Labs were gone over with {plain} and sent on.")), [plain]);
            assert_eq!(found(&note, "The export has nbsp, ndash and 39 in its lines."), [] as [&str; 0]);
        }
    }

    #[test]
    fn a_line_that_was_taken_for_a_value_is_none() {
        let sites = "Berkeley Memorial Hospital ".repeat(40);
        let spans = [Span::new(0, sites.len() - 1, Label::Hospital, Detector::Pattern, 1.0)];
        assert_eq!(confident(&sites, &spans), []);
        assert_eq!(confident(&sites, &[Span { end: 26, ..spans[0].clone() }]).len(), 1);
    }

    #[test]
    fn a_site_is_found_by_its_initials() {
        let note = "Seen at Hudson-Ramapo Cancer Institute on 3/4/2019.";
        assert_eq!(found(note, "slides from HRCI path"), ["HRCI"]);
        assert_eq!(abbreviation("Tug Fork Memorial Hospital").as_deref(), Some("TFMH"));
        assert_eq!(abbreviation("Akron Regional Medical"), None, "arm");
        assert_eq!(abbreviation("lakeview general hospital"), None);
        assert_eq!(abbreviation("Lakeview Clinic"), None);
    }

    #[test]
    fn ambiguous_terms_stay_out() {
        assert_eq!(values("Seen by Dr. Strong on 3/4/2019 at 10:30, age 67."), []);
        assert_eq!(found("Dr. Hope Strong came.", "strong pulses, no hope"), [] as [&str; 0]);
        assert_eq!(values("Room 412. Call x4410."), []);
        assert_eq!(
            found("Seen by Dr. Hope Strong today.", "Good evening Doctor, Hope you are well. Strong cough."),
            [] as [&str; 0]
        );
    }

    #[test]
    fn ordinary_words_are_found_where_they_are_names() {
        let note = "Seen by Dr. Hope Strong on 3/4/2019.";
        assert_eq!(found(note, "Case d/w Hope at noon; will ask Dr Strong."), ["Hope", "Strong"]);
        assert_eq!(found(note, "HOPE STRONG, MD"), ["HOPE STRONG"]);
        let note = "Spouse Fern asked for pain medicine. Her friend Opal came.";
        assert_eq!(found(note, "Letter to Fern by post."), ["Fern"]);
        assert_eq!(found(note, "fell over a fern in a pot, opal ring kept"), [] as [&str; 0]);
        let note = "Spouse Amber asked for pain medicine. Her friend Ginger came.";
        for line in ["Amber urine noted.", "AMBER URINE, GINGER TEA", "Ginger ale given, amber fluid"] {
            assert_eq!(found(note, line), [] as [&str; 0], "{line}");
        }
    }

    #[test]
    fn short_words_and_initials_are_parts_of_a_name() {
        for name in ["Bo Lee", "Al Green", "Ed King", "Wu Fang", "J. Q. Public"] {
            let text = format!("Labs were gone over with {name} and sent on.");
            assert_eq!(found(&format!("Seen by Dr. {name} on 3/4/2019."), &text), [name]);
        }
        assert_eq!(found("Seen by Dr. John Smith Jr. on 3/4/2019.", "| Smith, John |"), ["Smith, John"]);
        assert_eq!(values("Seen by Dr. Strong Jr. on 3/4/2019."), []);
    }

    #[test]
    fn a_name_beside_its_medical_company_is_a_term() {
        let note = "Seen by Dr. Neil Hawkins on 3/4/2019.";
        assert_eq!(found(note, "Neer and Hawkins signs positive at the shoulder."), [] as [&str; 0]);
        assert_eq!(found(note, "Dr. Hawkins sign-off 3/4"), ["Hawkins"]);
    }

    #[test]
    fn a_misspelt_name_needs_more_than_itself() {
        let note = "Seen by Dr. Ngozi Okafor on 3/4/2019.";
        assert_eq!(found(note, "Okafar was paged"), [] as [&str; 0]);
        assert_eq!(found(note, "Dr. Okafar was paged, Ngozi Okafar came"), ["Okafar", "Ngozi Okafar"]);
    }

    proptest! {
        #[test]
        fn any_values_and_text_give_sound_spans(value in "\\PC{0,20}", text in "\\PC{0,60}") {
            for &label in Label::ALL {
                let mut spans = Vec::new();
                PatientDictionary::new([(label, value.as_str())]).find(&text, &mut spans);
                for span in spans {
                    prop_assert!(text.get(span.start..span.end).is_some_and(|part| !part.is_empty()));
                }
            }
        }
    }
}
