//! One text through the whole way: find, match the patient's record, apply the policy, replace.
//!
//! ```text
//! "Ann Lee came 3/4/2019." ─ spans ─▶ 0..7 PATIENT, 13..21 DATE ─ policy, surrogates ─▶ "Eve Orr came 2/18/2019."
//! ```
//!
//! Everything a job takes that is not a row: the ensemble, the key, the policy, the mode of replacement, the options of
//! surrogates, the patients' records.
//! Functions of the session and stages of a run share one, so that they cannot disagree.

use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDate;

use super::error::{CorpusError, Result};
use super::index::PatientDictionaries;
use super::opening::Opening;
use super::records::PatientRecords;
use crate::detect::record::{NoteWords, RecordMatcher};
use crate::detect::second_pass::PatientDictionary;
use crate::detect::{Ensemble, InclusionList, Templates};
use crate::phi::{Class, Kind, Label, Policy, Span, unite};
use crate::surrogate::{DateStyle, Key, Replacement, SurrogateOptions, Surrogates};
use crate::text::{ContextMode, SentenceHasher};

/// Finds and replaces identifiers.
#[derive(Debug)]
pub struct Deidentifier {
    ensemble: Opening,
    key: Option<Key>,
    hasher: Option<SentenceHasher>,
    context: ContextMode,
    policy: Policy,
    replacement: Replacement,
    surrogate_options: SurrogateOptions,
    records: PatientRecords,
}

impl Deidentifier {
    /// One with the knowledge detectors, default policy and surrogates, without key, records and lists.
    pub fn new() -> Self {
        Self {
            ensemble: Ensemble::knowledge(InclusionList::default(), Templates::default()).into(),
            key: None,
            hasher: None,
            context: ContextMode::default(),
            policy: Policy::default(),
            replacement: Replacement::default(),
            surrogate_options: SurrogateOptions::default(),
            records: PatientRecords::default(),
        }
    }

    /// With a key: what surrogates, pseudonyms and sentence hashes are made from.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        self.hasher = Some(SentenceHasher::new(&key.derive("sentence hash")));
        self.key = Some(key);
        self
    }

    /// With an ensemble that is opened when it is first needed.
    #[must_use]
    pub fn with_ensemble(mut self, open: impl Fn() -> Result<Ensemble> + Send + Sync + 'static) -> Self {
        self.ensemble = Opening::later(open);
        self
    }

    /// With sentences keyed and judged in another context.
    #[must_use]
    pub fn with_context(mut self, context: ContextMode) -> Self {
        self.context = context;
        self
    }

    /// With another policy and mode.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy, replacement: Replacement) -> Self {
        (self.policy, self.replacement) = (policy, replacement);
        self
    }

    /// With other options of the surrogates.
    #[must_use]
    pub fn with_surrogate_options(mut self, options: SurrogateOptions) -> Self {
        self.surrogate_options = options;
        self
    }

    /// With the patients' structured records.
    #[must_use]
    pub fn with_records(mut self, records: PatientRecords) -> Self {
        self.records = records;
        self
    }

    /// The ensemble.
    ///
    /// # Errors
    /// What opening it fails with.
    pub fn ensemble(&self) -> Result<&Ensemble> {
        self.ensemble.ensemble()
    }

    /// What sentences are keyed and judged with.
    pub fn context(&self) -> ContextMode {
        self.context
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The mode of replacement.
    pub fn replacement(&self) -> Replacement {
        self.replacement
    }

    /// The options of the surrogates.
    pub fn surrogate_options(&self) -> SurrogateOptions {
        self.surrogate_options
    }

    /// The patients' records.
    pub fn records(&self) -> &PatientRecords {
        &self.records
    }

    /// The key.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where none was given.
    pub fn key(&self) -> Result<&Key> {
        self.key.as_ref().ok_or_else(no_key)
    }

    /// The keyed hash of sentences.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where no key was given.
    pub fn hasher(&self) -> Result<&SentenceHasher> {
        self.hasher.as_ref().ok_or_else(no_key)
    }

    /// What it finds by, and what it replaces and by what, as text: the key and the patients' records left out.
    ///
    /// # Errors
    /// What opening the ensemble fails with.
    pub(super) fn described(&self) -> Result<(String, String)> {
        let ensemble = self.ensemble()?;
        let (fingerprints, settings) = (ensemble.fingerprints(), ensemble.settings());
        let detection = format!("{} {:?} {fingerprints:?} {settings:?}", env!("DIGEST_OF_PROGRAM"), self.context);
        let replacement = format!("{:?} {} {:?}", self.policy, self.replacement.name(), self.surrogate_options);
        Ok((detection, replacement))
    }

    /// What two of them must have alike to give the same answers: program, detectors, lists, context, policy, surrogates, records and key. It
    /// tells nothing of them.
    ///
    /// # Errors
    /// What opening the ensemble fails with.
    pub fn fingerprint(&self) -> Result<String> {
        let (detection, replacement) = self.described()?;
        let key = self.key.as_ref().map_or([0; 32], |key| *key.derive("fingerprint"));
        let mut hasher = blake3::Hasher::new_keyed(&key);
        for part in [detection, replacement, self.records.digest()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Ok(hasher.finalize().to_hex()[..32].to_owned())
    }

    /// What the ensemble finds in texts, in those that are not null.
    pub(super) fn found_in<'t>(&self, texts: impl IntoIterator<Item = Option<&'t str>>) -> Result<Vec<Vec<Span>>> {
        let texts: Vec<&str> = texts.into_iter().flatten().collect();
        Ok(self.ensemble()?.detect_texts(&texts, self.context)?)
    }

    /// Sees one text after another, and makes what belongs to a patient only when the patient changes.
    pub fn reader(&self) -> Reader<'_> {
        Reader { deidentifier: self, dictionaries: None, known: Known::default(), surrogates: None }
    }

    /// The same, with what a first pass over all notes has found.
    pub(super) fn reader_of<'d>(&'d self, dictionaries: Option<&'d PatientDictionaries>) -> Reader<'d> {
        Reader { dictionaries, ..self.reader() }
    }
}

impl Default for Deidentifier {
    fn default() -> Self {
        Self::new()
    }
}

/// What is said where a key is needed and none was given.
pub fn no_key() -> CorpusError {
    CorpusError::configuration(
        "there is no key",
        "give --key-file FILE or set PLAINSIGHT_KEY to 64 hex digits; `plainsight key new` makes one",
    )
}

/// How the spans of a text are replaced.
#[derive(Debug, Clone, Copy)]
pub struct Way<'p> {
    /// What is replaced.
    pub policy: &'p Policy,
    /// By what.
    pub replacement: Replacement,
    /// The day of the note, where dates without a year follow it.
    pub anchor: Option<NaiveDate>,
}

/// A [`Deidentifier`] at work on the texts of one batch.
pub struct Reader<'d> {
    deidentifier: &'d Deidentifier,
    dictionaries: Option<&'d PatientDictionaries>,
    known: Known,
    surrogates: Option<(String, Surrogates)>,
}

/// What finds what is known of a patient. The next patient's takes its memory: there may be as many patients as notes.
#[derive(Default)]
struct Known {
    patient: Option<String>,
    matchers: Vec<RecordMatcher>,
    dictionary: Option<Arc<PatientDictionary>>,
}

impl Known {
    fn find_in(&self, words: &NoteWords<'_>, found: &mut Vec<Span>) {
        self.matchers.iter().for_each(|matcher| matcher.find_in(words, found));
        if let Some(dictionary) = &self.dictionary {
            dictionary.find_in(words, found);
        }
    }
}

impl Reader<'_> {
    fn known(&mut self, patient: &str) -> &Known {
        let known = &mut self.known;
        if known.patient.as_deref() != Some(patient) {
            let records = self.deidentifier.records.of(patient);
            known.matchers.resize_with(records.len(), RecordMatcher::default);
            known.matchers.iter_mut().zip(&records).for_each(|(matcher, record)| matcher.refill(record));
            known.dictionary = self.dictionaries.and_then(|all| all.dictionary(patient));
            known.patient = Some(patient.to_owned());
        }
        known
    }

    /// Adds what is known of the patient to the spans that the ensemble found in a text, and unites them.
    ///
    /// # Errors
    /// What opening the ensemble fails with.
    pub fn with_known(&mut self, text: &str, patient: Option<&str>, mut found: Vec<Span>) -> Result<Vec<Span>> {
        if let Some(patient) = patient {
            self.known(patient).find_in(&NoteWords::of(text), &mut found);
        }
        let mut spans = unite(found);
        self.deidentifier.ensemble()?.adjust(text, &mut spans);
        Ok(spans)
    }

    /// The text with every span that a policy removes replaced; every byte outside them as it was.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where surrogates are asked for without a key.
    pub fn replace(&mut self, way: Way<'_>, text: &str, patient: &str, spans: &[Span]) -> Result<String> {
        self.replace_and_tell(way, text, patient, spans, |_, _, _| ())
    }

    /// The same, telling of each span that is replaced its class, where it stood, and where what stands for it does, in bytes.
    ///
    /// # Errors
    /// As [`Reader::replace`].
    pub fn replace_and_tell(
        &mut self,
        way: Way<'_>,
        text: &str,
        patient: &str,
        spans: &[Span],
        mut tell: impl FnMut(Class, Range<usize>, Range<usize>),
    ) -> Result<String> {
        let mut replaced = String::with_capacity(text.len() + text.len() / 16);
        let mut at = 0;
        let is_date = |span: &&Span| span.leading().class.label == Label::Date;
        let dates = spans.iter().filter(is_date).map(|span| &text[span.start..span.end]);
        let style = if way.replacement == Replacement::Surrogate { DateStyle::of(dates) } else { DateStyle::default() };
        for (range, class) in replaceable(way, text, spans) {
            replaced.push_str(&text[at..range.start]);
            let (value, begun) = (&text[range.clone()], replaced.len());
            let written = self.value(way, class, value, patient)?;
            replaced.push_str(&if class.label == Label::Date { style.write(value, written) } else { written });
            at = range.end;
            tell(class, range, begun..replaced.len());
        }
        replaced.push_str(&text[at..]);
        Ok(replaced)
    }

    /// What stands for a value of a patient.
    ///
    /// # Errors
    /// As [`Reader::replace`].
    pub fn value(&mut self, way: Way<'_>, class: Class, value: &str, patient: &str) -> Result<String> {
        match way.replacement.without_key(class, value) {
            Some(written) => Ok(written),
            None => Ok(self.surrogates(patient)?.write(way.replacement, class, value, way.anchor)),
        }
    }

    /// The surrogates of a patient.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] where there is no key.
    pub fn surrogates(&mut self, patient: &str) -> Result<&Surrogates> {
        let (key, options) = (self.deidentifier.key()?, self.deidentifier.surrogate_options);
        let of_patient = self.surrogates.take().filter(|(known, _)| known == patient);
        let made = || (patient.to_owned(), Surrogates::with_options(key, patient, options));
        Ok(&self.surrogates.insert(of_patient.unwrap_or_else(made)).1)
    }
}

/// What is replaced, and as what. The weekday or the holiday beside a date moves with it, though the policy keeps those that stand alone: beside
/// the surrogate it would tell the day that was there, and with it how far the patient's dates are moved.
fn replaceable(way: Way<'_>, text: &str, spans: &[Span]) -> Vec<(Range<usize>, Class)> {
    let mut found: Vec<(Range<usize>, Class)> = Vec::with_capacity(spans.len());
    let is_beside = |gap: Range<usize>| is_beside(text.get(gap).unwrap_or_default());
    // Up to where named days have moved with the date before them.
    let mut covered = 0;
    for (at, span) in spans.iter().enumerate().filter(|(_, span)| way.policy.removes_span(span)) {
        if span.end <= covered {
            continue;
        }
        let (mut range, class) = (span.start..span.end, leading_removed(span, way.policy));
        if way.replacement == Replacement::Surrogate && class.label == Label::Date && !is_named_day(class) {
            let is_named_day = |day: &&Span| is_named_day(day.leading().class);
            for day in spans[..at].iter().rev().take_while(is_named_day).take_while(|day| day.start >= covered) {
                if !is_beside(day.end..range.start) {
                    break;
                }
                range.start = day.start;
            }
            for day in spans[at + 1..].iter().take_while(is_named_day) {
                if !is_beside(range.end..day.start) {
                    break;
                }
                range.end = day.end;
                covered = range.end;
            }
            found.truncate(found.partition_point(|(before, _)| before.end <= range.start));
        }
        found.push((range, class));
    }
    found
}

/// Whether no more stands between a named day and a date than what joins them: `Monday, (`, `Christmas Day on `, `: `.
fn is_beside(gap: &str) -> bool {
    let joint = gap.trim_matches([' ', ',', '.', ':', '(', ')', '[', ']', '-', '–', '—', '/', '|', '=']);
    gap.len() <= WIDEST_GAP
        && (joint.is_empty() || ["on", "is", "was"].iter().any(|word| joint.eq_ignore_ascii_case(word)))
}

/// Between a named day and its date, in bytes.
const WIDEST_GAP: usize = 8;

fn is_named_day(class: Class) -> bool {
    matches!(class.kind, Kind::DateWeekday | Kind::DateHoliday)
}

/// The class that the surrogate is made for: the leading one of those that are removed.
fn leading_removed(span: &Span, policy: &Policy) -> Class {
    let leading = span.leading().class;
    if policy.removes(leading) {
        return leading;
    }
    let removed = span.claims.iter().filter(|claim| policy.removes(claim.class)).copied().collect::<Vec<_>>();
    if removed.is_empty() { leading } else { Span { claims: removed, ..*span }.leading().class }
}
