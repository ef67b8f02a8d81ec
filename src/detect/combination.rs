//! What members say of sentences, and what an ensemble makes of it.
//!
//! ```text
//! sentences ─ ask ─▶ Said { known, learned by member } ─ combined (union, vote or stacking) ─▶ spans
//! ```
//!
//! Asking is dear and combining is cheap: training asks once and combines in many ways.

use super::ensemble::{Ensemble, Route};
use super::learned::{take_in, without_doubts};
use super::stack::{Stack, Words, elect};
use super::view::View;
use super::vote::{Combine, by_weight};
use super::{DetectError, gate, veto};
use crate::phi::{Span, unite};

/// What members say of one sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Which way the sentence goes.
    pub route: Route,
    /// What the template or the members that are no trained ones claim, united.
    pub known: Vec<Span>,
    /// What each trained member claims, in their order; none where they were not asked.
    pub learned: Option<Vec<Vec<Span>>>,
}

impl Ensemble {
    /// Asks all members about sentences. `vetoed` is called with the medical term for each claim that vocabulary took back.
    ///
    /// # Errors
    /// Where a trained member fails.
    pub fn ask(&self, sentences: &[&str], vetoed: &mut impl FnMut(&'static str)) -> Result<Vec<Said>, DetectError> {
        let mut said: Vec<Said> = sentences.iter().map(|sentence| self.said_by_knowledge(sentence, vetoed)).collect();
        let asked: Vec<usize> = (0..said.len()).filter(|&at| said[at].learned.is_some()).collect();
        let takes_views = self.learned.iter().any(|(member, _)| member.takes_views());
        // Each member sees what knowledge claims, and not what the others do: its vote is its own.
        let views: Vec<View> = match takes_views {
            true => asked.iter().map(|&at| View::of(sentences[at], &said[at].known)).collect(),
            false => Vec::new(),
        };
        for (member, _) in self.learned.iter() {
            let takes_views = member.takes_views();
            let shown: Vec<&str> = match takes_views {
                true => views.iter().map(|view| view.text.as_str()).collect(),
                false => asked.iter().map(|&at| sentences[at]).collect(),
            };
            for (place, mut claimed) in member.detect_all(&shown)?.into_iter().enumerate() {
                if takes_views {
                    claimed = claimed.into_iter().map(|span| views[place].led_back(span)).collect();
                }
                said[asked[place]].learned.get_or_insert_default().push(claimed);
            }
        }
        Ok(said)
    }

    /// What is said of a sentence before trained members are asked; whether they will be.
    pub(super) fn said_by_knowledge(&self, sentence: &str, vetoed: &mut impl FnMut(&'static str)) -> Said {
        let (route, known) = self.known(sentence, vetoed);
        let asked =
            !self.learned.is_empty() && route == Route::Remainder && (!self.gated || gate::asks(sentence, &known));
        Said { route, known, learned: asked.then(Vec::new) }
    }

    /// What the ensemble makes of what was said of a sentence, combined in this or another way: byte ranges of it that do not overlap,
    /// in order. `vetoed` is as in [`Ensemble::ask`].
    pub fn combined(
        &self,
        sentence: &str,
        said: Said,
        combine: &Combine,
        vetoed: &mut impl FnMut(&'static str),
    ) -> Vec<Span> {
        let Said { route, mut known, learned } = said;
        let asked = learned.is_some();
        let stack = match combine {
            Combine::Stacking(stack) if route == Route::Remainder => Some(stack),
            _ => None,
        };
        if stack.is_none() && !asked {
            return known;
        }
        let mut learned = learned.unwrap_or_default();
        if self.has_knowledge() {
            learned.iter_mut().for_each(|claimed| veto::apply(sentence, claimed, vetoed));
        }
        known = match (stack, combine) {
            (Some(stack), _) => self.stacked(sentence, known, learned, asked, stack),
            (None, Combine::Vote { need }) => {
                let knowledge = (known.clone(), self.knowledge_weight);
                let weights = self.learned.iter().map(|(_, weight)| *weight);
                let votes: Vec<_> = [knowledge].into_iter().chain(learned.iter().cloned().zip(weights)).collect();
                by_weight(sentence, self.united(sentence, known, learned), &votes, *need)
            }
            (None, _) => self.united(sentence, known, learned),
        };
        self.adjust(sentence, &mut known);
        known
    }

    /// All that is claimed, but for doubts.
    fn united(&self, sentence: &str, mut known: Vec<Span>, learned: Vec<Vec<Span>>) -> Vec<Span> {
        for mut claimed in learned {
            if self.has_knowledge() {
                claimed = without_doubts(sentence, claimed);
            }
            take_in(sentence, &mut known, claimed);
            known = unite(known);
        }
        known
    }

    /// What a stack lets stand.
    fn stacked(
        &self,
        sentence: &str,
        known: Vec<Span>,
        mut learned: Vec<Vec<Span>>,
        asked: bool,
        stack: &Stack,
    ) -> Vec<Span> {
        learned.resize(self.learned.len(), Vec::new());
        let (mut stands, proposed) = {
            let words = self.words(sentence, &known, &learned, asked);
            elect(stack, sentence, known.clone(), &learned, &words)
        };
        take_in(sentence, &mut stands, proposed);
        unite(stands)
    }

    /// The words of a sentence with what the members say of them; `learned` has a list for every trained member.
    fn words<'s>(&self, sentence: &'s str, known: &[Span], learned: &[Vec<Span>], asked: bool) -> Words<'s> {
        let knowledge = self.has_knowledge().then_some(known);
        let members: Vec<&[Span]> = knowledge.into_iter().chain(learned.iter().map(Vec::as_slice)).collect();
        Words::new(sentence, &members, asked)
    }

    /// The words of a sentence that a stack would decide about, as byte ranges of it with their features.
    pub(crate) fn candidates(&self, sentence: &str, said: &Said) -> Vec<(std::ops::Range<usize>, Vec<f64>)> {
        if said.route != Route::Remainder {
            return Vec::new();
        }
        let mut learned = said.learned.clone().unwrap_or_default();
        if self.has_knowledge() {
            learned.iter_mut().for_each(|claimed| veto::apply(sentence, claimed, &mut |_| {}));
        }
        learned.resize(self.learned.len(), Vec::new());
        self.words(sentence, &said.known, &learned, said.learned.is_some()).candidates().collect()
    }

    /// The models that take part, as a stack knows them: `knowledge` first, then trained members in their order.
    pub fn models(&self) -> Vec<String> {
        let knowledge = self.has_knowledge().then(|| "knowledge".to_owned());
        knowledge.into_iter().chain(self.learned.iter().map(|(member, _)| member.model())).collect()
    }

    /// The vote of half of the weight, whatever the ensemble's own combination. A tie counts as found: a miss is worse than a false
    /// alarm.
    pub fn majority(&self) -> Combine {
        let knowledge = if self.has_knowledge() { self.knowledge_weight } else { 0.0 };
        let total: f32 = self.learned.iter().map(|(_, weight)| weight).sum();
        Combine::Vote { need: (knowledge + total) / 2.0 }
    }
}
