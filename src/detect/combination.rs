//! What members say of sentences, and what an ensemble makes of it.
//!
//! ```text
//! sentences ─ ask ─▶ Said { known, learned by member } ─ combined (union, vote or stacking) ─▶ spans
//! ```
//!
//! Asking is dear and combining is cheap: training asks once and combines in many ways.

use rayon::prelude::*;

use super::doubts::without_doubts;
use super::ensemble::{Ensemble, Route};
use super::judged::{Answer, Judged};
use super::learned::{LearnedDetector, take_in};
use super::stack::{Stack, Words, elect};
use super::view::View;
use super::vote::{Combine, Voter, by_weight};
use super::{DetectError, bare, gate, veto};
use crate::phi::{Span, unite};
use crate::text::InContext;

/// What members say of one sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Which way the sentence goes.
    pub route: Route,
    /// What the template or the members that are no trained ones claim, united.
    pub known: Vec<Span>,
    /// What each trained member claims, in their order; none where they were not asked.
    pub learned: Option<Vec<Vec<Span>>>,
    /// The words that a transformer gives a thought, with how likely they are any identifier; none where none was asked.
    pub considered: Option<Vec<Span>>,
}

/// What members answered, by member; none where the answer was remembered, or nobody asked.
pub type Fresh = Vec<Option<Answer>>;

/// So many sentences are not divided among threads: patterns and dictionaries, or a CRF, take a millisecond for them.
pub(super) const TOGETHER: usize = 64;

/// Remembers what members said earlier.
pub trait Memory: Sync {
    /// What member number `member` said of sentence number `sentence` of those that are asked about, when it was shown what has the
    /// digest `shown`.
    fn recall(&self, sentence: usize, member: usize, shown: u64) -> Option<Vec<Judged>>;

    /// The digest of what a member is shown. It is kept, so it must be keyed.
    fn digest(&self, shown: &str) -> u64;
}

/// Whether what was judged can be of this text: what cannot is void, and asked again.
fn fits(judged: &[Judged], text: &str) -> bool {
    judged.iter().all(|one| one.start < one.end && text.get(one.start as usize..one.end as usize).is_some())
}

/// What a trained member judges of what it is `shown`, of the sentences number `asked`: what is remembered is not asked again, the rest
/// goes into `fresh`.
fn judge(
    member: &dyn LearnedDetector,
    place: usize,
    shown: &[&str],
    asked: &[usize],
    memory: Option<&dyn Memory>,
    fresh: &mut [Fresh],
) -> Result<Vec<Vec<Judged>>, DetectError> {
    let Some(memory) = memory else { return member.judge_all(shown) };
    let digests: Vec<u64> = shown.iter().map(|shown| memory.digest(shown)).collect();
    let remembered = |at: usize| memory.recall(asked[at], place, digests[at]).filter(|judged| fits(judged, shown[at]));
    let mut judged: Vec<Option<Vec<Judged>>> = (0..shown.len()).map(remembered).collect();
    let unknown: Vec<usize> = (0..shown.len()).filter(|&at| judged[at].is_none()).collect();
    let texts: Vec<&str> = unknown.iter().map(|&at| shown[at]).collect();
    for (at, answer) in unknown.into_iter().zip(member.judge_all(&texts)?) {
        fresh[asked[at]][place] = Some(Answer { shown: digests[at], judged: answer.clone() });
        judged[at] = Some(answer);
    }
    Ok(judged.into_iter().map(Option::unwrap_or_default).collect())
}

impl Ensemble {
    /// Asks all members about sentences. `vetoed` is called with the medical term for each claim that vocabulary took back.
    ///
    /// # Errors
    /// Where a trained member fails.
    pub fn ask(
        &self,
        sentences: &[InContext<'_>],
        vetoed: &mut impl FnMut(&'static str),
    ) -> Result<Vec<Said>, DetectError> {
        Ok(self.ask_again(sentences, None, vetoed)?.0)
    }

    /// The same, where some answers are remembered from earlier. Gives what is said, and by sentence the answers that were not
    /// remembered, by member as in [`Ensemble::fingerprints`]: none where there is nobody to remember them.
    ///
    /// # Errors
    /// As [`Ensemble::ask`].
    pub fn ask_again(
        &self,
        sentences: &[InContext<'_>],
        memory: Option<&dyn Memory>,
        vetoed: &mut impl FnMut(&'static str),
    ) -> Result<(Vec<Said>, Vec<Fresh>), DetectError> {
        let members = memory.map_or(0, |_| usize::from(self.has_knowledge()) + self.learned.len());
        let mut fresh: Vec<Fresh> = vec![vec![None; members]; sentences.len()];
        let mut said = Vec::with_capacity(sentences.len());
        for (at, (heard, answer, terms)) in self.hear_knowledge(sentences, memory).into_iter().enumerate() {
            if let (Some(answer), Some(place)) = (answer, fresh[at].first_mut()) {
                *place = Some(answer);
            }
            terms.into_iter().for_each(&mut *vetoed);
            said.push(heard);
        }
        let asked: Vec<usize> = (0..said.len()).filter(|&at| said[at].learned.is_some()).collect();
        let takes_views = self.learned.iter().any(|(member, _)| member.takes_views());
        // Each member sees what knowledge claims, and not what the others do: its vote is its own.
        let views: Vec<View> = match takes_views {
            true => {
                let view = |&at: &usize| View::of(sentences[at], &said[at].known);
                asked.par_iter().with_min_len(TOGETHER).map(view).collect()
            }
            false => Vec::new(),
        };
        for (number, (member, _)) in self.learned.iter().enumerate() {
            let takes_views = member.takes_views();
            let shown: Vec<&str> = match takes_views {
                true => views.iter().map(|view| view.text.as_str()).collect(),
                false => asked.iter().map(|&at| sentences[at].text).collect(),
            };
            let place = number + usize::from(self.has_knowledge());
            let judged = judge(member.as_ref(), place, &shown, &asked, memory, &mut fresh)?;
            for (at, judged) in judged.iter().enumerate() {
                let mut claimed = member.decide(judged);
                if takes_views {
                    claimed = claimed.into_iter().filter_map(|span| views[at].led_back(span)).collect();
                    let considered = said[asked[at]].considered.get_or_insert_default();
                    considered.extend(judged.iter().filter_map(|word| views[at].led_back(word.considered())));
                }
                said[asked[at]].learned.get_or_insert_default().push(claimed);
            }
        }
        Ok((said, fresh))
    }

    /// What is said of each sentence before trained members are asked, the answer of patterns and dictionaries where it is to be remembered,
    /// and the terms that took claims back.
    ///
    /// It is worked out on the few threads that do nothing else: what a thread keeps of words and expressions is megabytes, and of use while
    /// the thread goes on.
    fn hear_knowledge(
        &self,
        sentences: &[InContext<'_>],
        memory: Option<&dyn Memory>,
    ) -> Vec<(Said, Option<Answer>, Vec<&'static str>)> {
        let memory = memory.filter(|_| self.has_knowledge());
        let hear = |(at, sentence): (usize, &InContext<'_>)| {
            let remembered = || {
                let judged = memory?.recall(at, 0, memory?.digest(sentence.text))?;
                fits(&judged, sentence.text).then_some(judged)
            };
            let mut terms = Vec::new();
            let (heard, judged) = self.heard_of_knowledge(*sentence, remembered, &mut |term| terms.push(term));
            let answer = memory.zip(judged);
            let answer = answer.map(|(memory, judged)| Answer { shown: memory.digest(sentence.text), judged });
            (heard, answer, terms)
        };
        sentences.par_iter().enumerate().with_min_len(TOGETHER).map(hear).collect()
    }

    /// What is said of a sentence before trained members are asked; whether they will be.
    pub(super) fn said_by_knowledge(&self, sentence: InContext<'_>, vetoed: &mut impl FnMut(&'static str)) -> Said {
        self.heard_of_knowledge(sentence, || None, vetoed).0
    }

    /// The same, and the answer of patterns and dictionaries where it is not remembered.
    fn heard_of_knowledge(
        &self,
        sentence: InContext<'_>,
        remembered: impl FnOnce() -> Option<Vec<Judged>>,
        vetoed: &mut impl FnMut(&'static str),
    ) -> (Said, Option<Vec<Judged>>) {
        if let Some((route, known)) = self.settled(sentence) {
            return (Said { route, known, learned: None, considered: None }, None);
        }
        let (known, judged) = match remembered() {
            Some(judged) => (Judged::spans(&judged), None),
            None => {
                let known = self.claimed_by_knowledge(sentence.text, vetoed);
                let judged = Judged::of_spans(&known);
                (known, Some(judged))
            }
        };
        let asked = !self.learned.is_empty() && (!self.gated || gate::asks(sentence.text, &known));
        (Said { route: Route::Remainder, known, learned: asked.then(Vec::new), considered: None }, judged)
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
        let Said { route, mut known, learned, considered } = said;
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
        if let (None, Some(considered)) = (stack, considered) {
            let knows = |label| self.learned.iter().any(|(member, _)| member.knows(label));
            bare::take_back(sentence, &mut known, &considered, &learned, knows);
        }
        known = match (stack, combine) {
            (Some(stack), _) => self.stacked(sentence, known, learned, asked, stack),
            (None, Combine::Vote { need }) => {
                let weight = if self.has_knowledge() { self.knowledge_weight } else { 0.0 };
                let knowledge = Voter { spans: known.clone(), weight, member: None };
                let trained = learned.iter().cloned().zip(self.learned.iter());
                let trained = trained.map(|(spans, (member, weight))| Voter {
                    spans,
                    weight: *weight,
                    member: Some(member.as_ref()),
                });
                let voters: Vec<_> = [knowledge].into_iter().chain(trained).collect();
                by_weight(sentence, self.united(sentence, known, learned), &voters, *need)
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
