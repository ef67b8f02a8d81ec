//! What the model is told of each token: attributes, hashed.
//!
//! ```text
//! context   "Datos del paciente."           sentence  "Médico: Rosa Díaz NºCol: 28 70973"
//! token Rosa ─▶ word rosa · before ":" "médico" · suffix sa · InitCaps · shape Xxxx · header médico +1 · GIVEN_NAME …
//!            ─▶ 0x3f…, 0x91…, …             one 64-bit hash each: XXH3 of the template's number and its values
//! ```
//!
//! Families can be switched on and off by name, as Gardner et al. (2010) and Dehghan et al. (2015) did to see what each is
//! worth. Attributes depend on the sentence and the short context that precedes it, and on nothing else.

mod chunks;
mod emit;
mod families;
mod pieces;
mod shapes;
mod tokens;

pub use families::{Families, Family, UnknownFamily};
pub(crate) use pieces::pieces;
pub(crate) use tokens::lower_hash;

use std::ops::Range;

use crate::lexicon::Lexicon;
use tokens::Reading;

/// The attributes of a sentence's tokens, end to end. Reused from sentence to sentence, it allocates no more.
#[derive(Debug, Default)]
pub struct Attributes {
    ranges: Vec<Range<usize>>,
    hashes: Vec<u64>,
    ends: Vec<usize>,
    reading: Reading,
}

impl Attributes {
    /// The tokens' byte ranges in the sentence, in order.
    pub fn tokens(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// The attributes of a token; empty past the last one.
    pub fn of(&self, token: usize) -> &[u64] {
        let start =
            token.checked_sub(1).map_or(0, |before| self.ends.get(before).copied().unwrap_or(self.hashes.len()));
        let end = self.ends.get(token).copied().unwrap_or(self.hashes.len());
        &self.hashes[start..end]
    }
}

/// Makes attributes of sentences.
#[derive(Clone, Copy)]
pub struct FeatureExtractor {
    families: Families,
    lexicon: &'static Lexicon,
}

impl FeatureExtractor {
    /// An extractor of some families.
    pub fn new(families: Families) -> Self {
        Self { families, lexicon: Lexicon::shared() }
    }

    /// The families in use.
    pub const fn families(&self) -> Families {
        self.families
    }

    /// Writes the attributes of a sentence's tokens. `usage` tells what a word, given by its the hash of its small letters, was in the training
    /// data, 0 where nothing is known.
    pub fn extract(
        &self,
        context: Option<&str>,
        sentence: &str,
        usage: impl Fn(u64) -> u16,
        attributes: &mut Attributes,
    ) {
        let Attributes { ranges, hashes, ends, reading } = attributes;
        let lexicon = self.families.has(Family::Lexicon).then_some(self.lexicon);
        reading.read(context, sentence, lexicon, usage);
        ranges.clear();
        hashes.clear();
        ends.clear();
        for at in reading.first..reading.facts.len() {
            let facts = &reading.facts[at];
            ranges.push(facts.start..facts.end);
            emit::emit(self.families, reading, at, hashes);
            ends.push(hashes.len());
        }
    }
}

impl std::fmt::Debug for FeatureExtractor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("FeatureExtractor").field(&self.families).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hashes(families: Families, context: Option<&str>, sentence: &str) -> Vec<Vec<u64>> {
        let mut attributes = Attributes::default();
        FeatureExtractor::new(families).extract(context, sentence, |_| 0, &mut attributes);
        (0..attributes.tokens().len()).map(|token| attributes.of(token).to_vec()).collect()
    }

    #[test]
    fn the_context_reaches_the_first_tokens_only() {
        let sentence = "Rosa Díaz was seen in the clinic today and is well again";
        let with = hashes(Families::ALL.without(Family::Preceding).without(Family::Header), Some("Doctor:"), sentence);
        let without = hashes(Families::ALL.without(Family::Preceding).without(Family::Header), None, sentence);
        assert_ne!(with[0], without[0]);
        assert_eq!(with[6..], without[6..]);
    }

    #[test]
    fn a_family_off_takes_its_attributes_away_and_no_others() {
        let sentence = "Dr. Rosa Díaz (tel. 555-0199), aged 44";
        let all = hashes(Families::ALL, None, sentence);
        let mut sum = vec![0; all.len()];
        for family in Family::ALL {
            for (token, alone) in hashes(Families::NONE.with(*family), None, sentence).into_iter().enumerate() {
                sum[token] += alone.len();
                assert!(alone.iter().all(|hash| all[token].contains(hash)), "{family:?}");
            }
        }
        assert_eq!(sum, all.iter().map(Vec::len).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn any_text_has_attributes_and_buffers_leave_no_trace(
            context in proptest::option::of("\\PC{0,40}"), sentence in "\\PC{0,60}|[A-Za-z0-9 .:()\"@/\\n-]{0,80}",
        ) {
            let mut used = Attributes::default();
            let extractor = FeatureExtractor::new(Families::ALL);
            extractor.extract(Some("a (b: c"), "Some \"other: text", |_| 1, &mut used);
            extractor.extract(context.as_deref(), &sentence, |_| 0, &mut used);
            let fresh = hashes(Families::ALL, context.as_deref(), &sentence);
            prop_assert_eq!(used.tokens().len(), fresh.len());
            for (token, of_token) in fresh.iter().enumerate() {
                prop_assert_eq!(used.of(token), of_token.as_slice());
                let range = used.tokens()[token].clone();
                prop_assert!(sentence.get(range).is_some_and(|text| !text.is_empty()));
            }
        }
    }
}
