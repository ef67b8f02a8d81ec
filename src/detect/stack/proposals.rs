//! Trained members that propose words one by one, each with its own probability, from a low one on.
//!
//! ```text
//! in the ensemble   [Rose Okafor] .71                 one span, the mean of its words
//! as proposals      [by] .06 [Rose] .44 [Okafor] .98  what a stack decides over
//! ```

use crate::detect::crf::CrfDetector;
use crate::detect::neural::{JudgedWord, NeuralDetector, UNITS};
use crate::detect::{DetectError, LearnedDetector};
use crate::phi::{Detector, Span};

/// A trained member that proposes every word that it takes for an identifier, of whatever class, at least so likely.
#[derive(Debug)]
pub(in crate::detect) struct WordByWord<M> {
    pub(in crate::detect) member: M,
    /// The least probability, in (0, 1).
    pub(in crate::detect) least: f32,
}

impl LearnedDetector for WordByWord<NeuralDetector> {
    fn detector(&self) -> Detector {
        self.member.detector()
    }

    fn description(&self) -> String {
        self.member.description()
    }

    fn model(&self) -> String {
        self.member.model()
    }

    fn advice(&self) -> Option<&'static str> {
        self.member.advice()
    }

    fn fingerprint(&self) -> String {
        format!("{} word by word from {}", self.member.fingerprint(), self.least)
    }

    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
        let proposed = |words: Vec<JudgedWord>| {
            let score = |of_any: u16| f32::from(of_any) / f32::from(UNITS);
            let likely = words.into_iter().filter(|word| word.of_any > 0 && score(word.of_any) >= self.least);
            likely
                .map(|word| Span::new(word.start, word.end, word.class, self.detector(), score(word.of_any)))
                .collect()
        };
        Ok(self.member.judge_all(sentences)?.into_iter().map(proposed).collect())
    }
}

impl LearnedDetector for WordByWord<CrfDetector> {
    fn detector(&self) -> Detector {
        Detector::Crf
    }

    fn description(&self) -> String {
        LearnedDetector::description(&self.member)
    }

    fn model(&self) -> String {
        LearnedDetector::model(&self.member)
    }

    fn fingerprint(&self) -> String {
        format!("{} word by word from {}", self.member.fingerprint(), self.least)
    }

    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
        Ok(sentences.iter().map(|sentence| self.member.words(sentence, self.least)).collect())
    }
}
