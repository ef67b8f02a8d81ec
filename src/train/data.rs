//! Examples as the numbers that training counts with.
//!
//! ```text
//! examples ─ usage of words, each file's own left out ─▶ hashed attributes ─ rare ones left out ─▶ numbered from 0
//!                                                   tags of tokens ─ with attributes ─▶ the features that were seen
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::crf::Settings;
use super::{Example, TrainError};
use crate::detect::crf::{
    Attributes, Counts, CrfModel, Family, FeatureExtractor, Tags, Usage, code, lower_hash, pieces,
};

/// Training data.
pub(super) struct Data {
    pub tags: Tags,
    pub usage: Usage,
    /// The hashes of attributes, ascending; an attribute's number is its place.
    pub attributes: Vec<u64>,
    /// Attribute numbers of all tokens, end to end, and where each token's end.
    numbers: Vec<u32>,
    ends: Vec<usize>,
    /// The right tag of each token.
    pub gold: Vec<u16>,
    /// The tokens of each stretch to learn from.
    pub stretches: Vec<Range<usize>>,
}

impl Data {
    /// Prepares examples; the labels and attributes of `base` come along.
    pub fn new(examples: &[Example], settings: &Settings, base: Option<&CrfModel>) -> Result<Self, TrainError> {
        check(examples)?;
        let tags = Tags::new(settings.scheme, labels(examples, base));
        let counts = WordCounts::of(examples, tags.labels());
        let mut data = Self {
            tags,
            usage: if settings.families.has(Family::Usage) { counts.usage(base) } else { Usage::default() },
            attributes: Vec::new(),
            numbers: Vec::new(),
            ends: Vec::new(),
            gold: Vec::new(),
            stretches: Vec::new(),
        };
        let hashes = data.read(examples, settings, (&counts, base));
        data.number(hashes, settings.min_count, base)?;
        if data.gold.iter().all(|tag| *tag == 0) { Err(TrainError::Empty) } else { Ok(data) }
    }

    /// The attributes of a token.
    pub fn of(&self, token: usize) -> &[u32] {
        let start = token.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[start..self.ends[token]]
    }

    /// Reads tokens and tags; returns the hashes of all attributes, end to end.
    fn read(
        &mut self,
        examples: &[Example],
        settings: &Settings,
        (counts, base): (&WordCounts, Option<&CrfModel>),
    ) -> Vec<u64> {
        let extractor = FeatureExtractor::new(settings.families);
        let mut attributes = Attributes::default();
        let mut hashes = Vec::new();
        let mut group = ("", Usage::default());
        for at in settings.negatives.kept(examples, settings.seed) {
            let example = &examples[at];
            if group.0 != example.group || at == 0 {
                group = (&example.group, counts.without(&example.group, base));
            }
            extractor.extract(example.context.as_deref(), &example.sentence, |word| group.1.of(word), &mut attributes);
            let spans: Vec<_> = example
                .spans
                .iter()
                .map(|(range, label)| (range.clone(), number_of(self.tags.labels(), label)))
                .collect();
            let gold = self.tags.encode(attributes.tokens(), &spans, example.goes_on);
            let inside: Vec<bool> = gold.iter().map(|tag| *tag != 0).collect();
            for stretch in settings.sampling.stretches(&inside, at, settings.seed) {
                let begin = self.gold.len();
                for token in stretch {
                    hashes.extend(attributes.of(token));
                    self.ends.push(hashes.len());
                    self.gold.push(gold[token]);
                }
                self.stretches.push(begin..self.gold.len());
            }
        }
        hashes
    }

    /// Numbers the attributes that occur often enough, or that the base model has, and forgets the others.
    fn number(&mut self, hashes: Vec<u64>, min_count: usize, base: Option<&CrfModel>) -> Result<(), TrainError> {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for hash in &hashes {
            *counts.entry(*hash).or_default() += 1;
        }
        let mut kept: BTreeSet<u64> =
            counts.into_iter().filter(|(_, count)| *count as usize >= min_count).map(|(hash, _)| hash).collect();
        kept.extend(base.into_iter().flat_map(|base| base.weights().iter().map(|(hash, _)| hash)));
        self.attributes = kept.into_iter().collect();
        if self.attributes.len() >= u32::MAX as usize || self.tags.len() > 1 << 12 {
            return Err(TrainError::TooLarge);
        }
        let numbers: HashMap<u64, u32> =
            self.attributes.iter().zip(0..).map(|(hash, number)| (*hash, number)).collect();
        let mut start = 0;
        for end in &mut self.ends {
            self.numbers.extend(hashes[start..*end].iter().filter_map(|hash| numbers.get(hash)));
            start = std::mem::replace(end, self.numbers.len());
        }
        Ok(())
    }
}

/// Refuses spans that do not fit their sentences.
pub(super) fn check(examples: &[Example]) -> Result<(), TrainError> {
    for (at, example) in examples.iter().enumerate() {
        let mut end = 0;
        for (range, _) in &example.spans {
            if range.start < end || range.is_empty() || example.sentence.get(range.clone()).is_none() {
                return Err(TrainError::Span { example: at });
            }
            end = range.end;
        }
    }
    Ok(())
}

/// The labels: those of the base model in its order, then new ones in alphabetical order.
fn labels(examples: &[Example], base: Option<&CrfModel>) -> Vec<String> {
    let mut labels = base.map_or_else(Vec::new, |base| base.labels().to_vec());
    let seen: BTreeSet<&String> = examples.iter().flat_map(|example| &example.spans).map(|(_, label)| label).collect();
    let new: Vec<String> = seen.into_iter().filter(|label| !labels.contains(label)).cloned().collect();
    labels.extend(new);
    labels
}

fn number_of(labels: &[String], label: &str) -> u16 {
    labels.iter().position(|other| other == label).unwrap_or(0) as u16
}

/// How often each word was seen with each label, in all and by group.
#[derive(Default)]
struct WordCounts {
    all: BTreeMap<u64, Counts>,
    by_group: HashMap<String, BTreeMap<u64, Counts>>,
}

impl WordCounts {
    fn of(examples: &[Example], labels: &[String]) -> Self {
        let mut counts = Self::default();
        for example in examples {
            let of_group = counts.by_group.entry(example.group.clone()).or_default();
            for token in pieces(&example.sentence) {
                let span = example.spans.iter().find(|(range, _)| range.start < token.end && token.start < range.end);
                let label = span.map_or(0, |(_, label)| number_of(labels, label) + 1);
                let word = lower_hash(token.text(&example.sentence));
                for counts in [&mut counts.all, of_group] {
                    *counts.entry(word).or_default().entry(label).or_default() += 1;
                }
            }
        }
        counts
    }

    /// What is known from all groups; where nothing is, what the base model knows.
    fn usage(&self, base: Option<&CrfModel>) -> Usage {
        let known = base.into_iter().flat_map(|base| base.usage().sorted());
        let new = self.all.iter().map(|(word, counts)| (*word, code(counts))).filter(|(_, code)| *code != 0);
        known.chain(new).collect()
    }

    /// What the other groups know; where they know nothing, what the base model does, as for whoever asks the trained one.
    fn without(&self, group: &str, base: Option<&CrfModel>) -> Usage {
        let own = self.by_group.get(group);
        let rest = |(word, counts): (&u64, &Counts)| {
            let own = own.and_then(|own| own.get(word));
            let left = |(label, count): (&u16, &u32)| {
                (*label, count - own.and_then(|own| own.get(label)).copied().unwrap_or(0))
            };
            let of_others = code(&counts.iter().map(left).filter(|(_, count)| *count > 0).collect());
            let of_base = || base.map_or(0, |base| base.usage().of(*word));
            (*word, if of_others == 0 { of_base() } else { of_others })
        };
        // Of the words that the group does not have, none is asked for.
        let words = own.into_iter().flatten().filter_map(|(word, _)| self.all.get_key_value(word));
        words.map(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::crf::train;
    use crate::train::examples;

    /// Who trains on from a model must see of a word what whoever asks the new one sees.
    #[test]
    fn what_only_one_patient_tells_of_a_word_the_base_model_tells() {
        let note =
            |at: usize| examples("Seen by Dr. Okafor today.", &[(12..18, "DOCTOR".to_owned())], &format!("p{at}"));
        let settings = Settings { iterations: 5, ..Settings::default() };
        let base = train(&(0..6).flat_map(note).collect::<Vec<_>>(), &settings).unwrap();
        let word = lower_hash("Okafor");
        assert_ne!(base.usage().of(word), 0);
        let site: Vec<Example> = note(7).into_iter().chain(examples("No pain.", &[], "p8")).collect();
        let counts = WordCounts::of(&site, &["DOCTOR".to_owned()]);
        assert_eq!(counts.without("p7", None).of(word), 0);
        assert_eq!(counts.without("p7", Some(&base)).of(word), base.usage().of(word));
        assert_eq!(counts.usage(Some(&base)).of(word), base.usage().of(word));
    }
}
