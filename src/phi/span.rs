//! Where an identifier stands, and who says so.
//!
//! ```text
//! "Seen by Dr. Rose Brown on 3/4."
//!              └────┬───┘    └┬┘
//!   Span 12..22  DOCTOR (dictionary .7), PATIENT (record 1.0)
//!                           Span 26..29  DATE:partial (pattern 1.0)
//! ```

use super::label::{Class, Kind, Label};

macro_rules! detectors {
    ($($variant:ident = $name:literal, $doc:literal;)+) => {
        /// The member of the ensemble that made a claim.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Detector { $(#[doc = $doc] $variant,)+ }

        impl Detector {
            /// Every detector; `Detector::ALL[detector as usize] == detector`.
            pub const ALL: &'static [Detector] = &[$(Detector::$variant,)+];

            /// The name used in data sets and reports.
            pub const fn name(self) -> &'static str {
                match self { $(Detector::$variant => $name,)+ }
            }
        }
    };
}

detectors! {
    Pattern = "pattern", "A deterministic pattern.";
    Dictionary = "dictionary", "A lexicon entry in a fitting context.";
    Template = "template", "A sentence template.";
    Record = "record", "The patient's structured record.";
    SecondPass = "second-pass", "What was found with confidence in another note of the patient.";
    Crf = "crf", "The conditional random field.";
    Transformer = "transformer", "A transformer model.";
    Site = "site-dictionary", "A term of the site's own dictionary.";
}

/// One detector's statement that a stretch of text is an identifier of one class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    /// What it is said to be.
    pub class: Class,
    /// Who says so.
    pub detector: Detector,
    /// How sure it is, in (0, 1].
    pub score: f32,
}

/// A half-open byte range of a text with every claim made on it.
///
/// Ranges are bytes inside the program; results for users are converted to code points by [`crate::text::CodePoints`].
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// At least one claim.
    pub claims: Vec<Claim>,
}

impl Span {
    /// A span with a single claim.
    pub fn new(start: usize, end: usize, class: impl Into<Class>, detector: Detector, score: f32) -> Self {
        Self { start, end, claims: vec![Claim { class: class.into(), detector, score }] }
    }

    /// Length in bytes.
    pub const fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether the range is empty, which no detector may return.
    pub const fn is_empty(&self) -> bool {
        self.end == self.start
    }

    /// The same span, `offset` bytes further on.
    pub fn shifted(mut self, offset: usize) -> Self {
        self.start += offset;
        self.end += offset;
        self
    }

    /// The claim that gives the span its class: the first by [`PRIORITY`], then by score, of those that are nearly as sure as the
    /// surest. A guess so cannot turn a hospital into a person.
    ///
    /// Three things a trained member is asked otherwise: it calls every number a number, so where others say which, that names the span; what a
    /// pattern is certain of as a day with its year is no number; and it has read whether a person is of the staff, so where it is sure, only a
    /// title, a record or a pattern speaks against it.
    pub fn leading(&self) -> &Claim {
        let tells_number = |claim: &Claim| claim.class.label.is_number() && !claim.is_any_number();
        let number_is_told = self.claims.iter().any(tells_number);
        let day_is_told = self.claims.iter().any(Claim::is_certain_day);
        let is_overruled = |claim: &Claim| {
            number_is_told && claim.is_any_number()
                || day_is_told
                    && claim.is_trained()
                    && (claim.class.label.is_number() || matches!(claim.class.label, Label::Phone | Label::Fax))
        };
        let heard = || self.claims.iter().filter(|claim| !is_overruled(claim));
        let surest = heard().map(|claim| claim.score).fold(0.0, f32::max);
        let leading = heard()
            .filter(|claim| claim.score >= surest - NEARLY)
            .min_by(|left, right| {
                priority(left.class.label)
                    .cmp(&priority(right.class.label))
                    .then(right.score.total_cmp(&left.score))
                    .then(left.detector.cmp(&right.detector))
            })
            .expect("a span is made with a claim and never loses its last one");
        let read =
            || heard().filter(|claim| claim.has_read_who()).max_by(|left, right| left.score.total_cmp(&right.score));
        let is_open = leading.class.label.is_person() && !heard().any(Claim::knows_who);
        if is_open { read().unwrap_or(leading) } else { leading }
    }

    /// How sure the surest is of those who claim what the leading claim does: a person, a number, or just its label.
    pub fn sureness(&self) -> f32 {
        let leading = self.leading().class.label;
        let is_akin = |label: Label| {
            label == leading || label.is_person() && leading.is_person() || label.is_number() && leading.is_number()
        };
        self.claims.iter().filter(|claim| is_akin(claim.class.label)).map(|claim| claim.score).fold(0.0, f32::max)
    }
}

impl Claim {
    /// Whether it is what trained members say of any number.
    fn is_any_number(&self) -> bool {
        self.class.label == Label::IdNum && self.is_trained()
    }

    fn is_trained(&self) -> bool {
        matches!(self.detector, Detector::Crf | Detector::Transformer)
    }

    /// Whether a pattern is certain of a day with its year.
    fn is_certain_day(&self) -> bool {
        self.class.kind == Kind::DateFull && self.detector == Detector::Pattern && self.score >= CERTAIN
    }

    /// Whether a transformer is sure which person this is.
    fn has_read_who(&self) -> bool {
        self.class.label.is_person() && self.detector == Detector::Transformer && self.score >= SURE_OF_PERSON
    }

    /// Whether more than a guess tells which person this is: a title, the record, a pattern.
    fn knows_who(&self) -> bool {
        let guesses = matches!(self.detector, Detector::Crf | Detector::Transformer | Detector::SecondPass)
            || self.detector == Detector::Dictionary && self.score < 1.0;
        self.class.label.is_person() && !guesses
    }
}

/// How sure a transformer is of a person whose kind it names. Chosen on notes that rules were made of.
const SURE_OF_PERSON: f32 = 0.7;

/// So sure is a pattern of a day that its form alone tells.
const CERTAIN: f32 = 1.0;

/// How much less sure than the surest a claim may be and still name the span.
const NEARLY: f32 = 0.25;

/// Which label names a span that several detectors claim: earlier wins (Dehghan et al. 2015, integration by priority).
///
/// Numbers of known form come first, for they are the surest; then people (staff before patients, as titles tell
/// staff apart), places from the most to the least specific, and the loosest labels last. It decides the class of the
/// surrogate only: whether the span is removed is asked of every claim.
pub const PRIORITY: &[Label] = &[
    Label::Email,
    Label::Url,
    Label::IpAddr,
    Label::Ssn,
    Label::MedicalRecord,
    Label::HealthPlan,
    Label::Account,
    Label::License,
    Label::Vehicle,
    Label::Device,
    Label::BioId,
    Label::Fax,
    Label::Phone,
    Label::Street,
    Label::Zip,
    Label::Username,
    Label::Doctor,
    Label::Patient,
    Label::Age,
    Label::Date,
    Label::Hospital,
    Label::Organization,
    Label::City,
    Label::State,
    Label::Country,
    Label::LocationOther,
    Label::Profession,
    Label::IdNum,
    Label::Time,
];

fn priority(label: Label) -> usize {
    PRIORITY.iter().position(|&other| other == label).unwrap_or(PRIORITY.len())
}

/// Unites overlapping claims into spans that do not overlap, in text order.
///
/// A union loses nothing: overlapping spans become one that covers both and keeps every claim, so that no byte claimed by
/// anyone is left out. An auxiliary [`Label::Time`] claim never widens an identifier: a time inside or across one is dropped,
/// and a time keeps only its own place.
pub fn unite(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    if spans.len() < 2 {
        return spans;
    }
    let (times, mut identifiers): (Vec<_>, Vec<_>) =
        spans.into_iter().partition(|span| span.claims.iter().all(|claim| claim.class.label == Label::Time));
    identifiers.sort_by_key(|span| (span.start, span.end));
    let mut united: Vec<Span> = Vec::with_capacity(identifiers.len());
    for span in identifiers {
        match united.last_mut() {
            Some(last) if span.start < last.end => last.absorb(span),
            _ => united.push(span),
        }
    }
    with_times(united, times)
}

/// The times that overlap nothing, between the others; of times that overlap one another the first stays.
fn with_times(identifiers: Vec<Span>, mut times: Vec<Span>) -> Vec<Span> {
    if times.is_empty() {
        return identifiers;
    }
    times.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut all: Vec<Span> = Vec::with_capacity(identifiers.len() + times.len());
    let mut times = times.into_iter().peekable();
    for next in identifiers.into_iter().map(Some).chain([None]) {
        let begins = next.as_ref().map_or(usize::MAX, |next| next.start);
        while let Some(time) = times.next_if(|time| time.start < begins) {
            if time.end <= begins && all.last().is_none_or(|last| last.end <= time.start) {
                all.push(time);
            }
        }
        all.extend(next);
    }
    all
}

impl Span {
    fn absorb(&mut self, other: Span) {
        self.end = self.end.max(other.end);
        for claim in other.claims {
            let known =
                self.claims.iter_mut().find(|known| known.class == claim.class && known.detector == claim.detector);
            match known {
                Some(known) => known.score = known.score.max(claim.score),
                None => self.claims.push(claim),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leading(claims: &[(Label, Detector, f32)]) -> Label {
        let claim = |&(label, detector, score): &(Label, Detector, f32)| Claim { class: label.into(), detector, score };
        Span { start: 0, end: 5, claims: claims.iter().map(claim).collect() }.leading().class.label
    }

    #[test]
    fn earlier_labels_name_a_span_unless_they_are_guesses() {
        use Detector::{Dictionary, Pattern};
        assert_eq!(leading(&[(Label::Doctor, Dictionary, 0.8), (Label::Hospital, Pattern, 0.9)]), Label::Doctor);
        assert_eq!(leading(&[(Label::Doctor, Dictionary, 0.5), (Label::Hospital, Pattern, 0.9)]), Label::Hospital);
    }

    #[test]
    fn a_number_is_what_somebody_calls_it() {
        use Detector::{Crf, Pattern, Transformer};
        assert_eq!(leading(&[(Label::Vehicle, Pattern, 0.6), (Label::IdNum, Transformer, 1.0)]), Label::Vehicle);
        assert_eq!(leading(&[(Label::IdNum, Pattern, 0.95), (Label::IdNum, Crf, 1.0)]), Label::IdNum);
        assert_eq!(leading(&[(Label::Vehicle, Pattern, 0.6), (Label::IdNum, Pattern, 0.95)]), Label::IdNum);
        let claims = [(Label::Vehicle, Pattern, 0.6), (Label::IdNum, Transformer, 1.0)];
        let claims = claims.map(|(label, detector, score)| Claim { class: label.into(), detector, score });
        assert!(Span { start: 0, end: 5, claims: claims.to_vec() }.sureness() > 0.9);
        assert_eq!(leading(&[(Label::Phone, Pattern, 0.6), (Label::IdNum, Transformer, 1.0)]), Label::IdNum);
    }

    #[test]
    fn a_day_by_its_form_is_no_number() {
        use Detector::{Pattern, Transformer};
        let of_day = |score, other: (Label, Detector, f32)| {
            let day = Class { label: Label::Date, kind: Kind::DateFull };
            let claims = [(day, Pattern, score), (other.0.into(), other.1, other.2)];
            let claims = claims.map(|(class, detector, score)| Claim { class, detector, score });
            Span { start: 0, end: 14, claims: claims.to_vec() }.leading().class.label
        };
        assert_eq!(of_day(1.0, (Label::Phone, Transformer, 1.0)), Label::Date);
        assert_eq!(of_day(0.8, (Label::Phone, Transformer, 1.0)), Label::Phone);
        assert_eq!(of_day(1.0, (Label::MedicalRecord, Pattern, 1.0)), Label::MedicalRecord);
    }

    #[test]
    fn who_has_read_the_sentence_says_which_person_it_is() {
        use Detector::{Crf, Dictionary, Record, Transformer};
        let guess = (Label::Doctor, Dictionary, 0.8);
        assert_eq!(leading(&[guess, (Label::Patient, Transformer, 0.98), (Label::Doctor, Crf, 1.0)]), Label::Patient);
        assert_eq!(leading(&[guess, (Label::Patient, Transformer, 0.6)]), Label::Doctor);
        assert_eq!(leading(&[(Label::Doctor, Dictionary, 1.0), (Label::Patient, Transformer, 0.98)]), Label::Doctor);
        assert_eq!(leading(&[(Label::Patient, Record, 1.0), (Label::Doctor, Transformer, 0.98)]), Label::Doctor);
        assert_eq!(
            leading(&[(Label::Hospital, Dictionary, 1.0), (Label::Patient, Transformer, 0.72)]),
            Label::Hospital
        );
    }
}
