//! One engine for all who ask: sentences of several callers are judged together.
//!
//! ```text
//! partition 1 ─ 8,192 sentences ─┐
//! partition 2 ─ 8,192 sentences ─┼─▶ gathered ─▶ one model, one device ─▶ each its own answers
//! a query     ─     3 sentences ─┘
//! ```
//!
//! Two partitions that each ran the model would fight for the same cores, or for one GPU, with batches half as full. So one thread
//! runs it, and takes whatever has come in since it last looked. What a sentence gets does not depend on what it was gathered with,
//! and what was judged lately is not judged again: sentences come as views, and many have the same one.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use xxhash_rust::xxh3::xxh3_128;

use super::{DetectError, Judged, LearnedDetector};
use crate::phi::{Detector, Label, Span};

/// Sentences that are judged together at most, but for those of one caller.
const MOST: usize = 32_768;
/// Judgements that are remembered: some hundred megabytes at most. When there are more, all are forgotten.
const REMEMBERED: usize = 1 << 20;

type Judgement = Result<Vec<Vec<Judged>>, DetectError>;

/// What one caller asks.
struct Question {
    sentences: Vec<String>,
    answer: SyncSender<Judgement>,
}

/// A trained member that runs on a thread of its own and gathers what several callers ask.
pub(super) struct Gathering {
    member: Arc<dyn LearnedDetector>,
    questions: Mutex<Sender<Question>>,
}

impl Gathering {
    /// Starts the thread; it ends when this is dropped.
    ///
    /// # Errors
    /// [`DetectError::Stopped`] where the system gives no thread.
    pub(super) fn start(member: impl LearnedDetector + 'static) -> Result<Self, DetectError> {
        let (questions, asked) = channel();
        let member: Arc<dyn LearnedDetector> = Arc::new(member);
        let (detector, served) = (member.detector(), Arc::clone(&member));
        let thread = thread::Builder::new().name(detector.name().to_owned());
        let started = thread.spawn(move || serve(served.as_ref(), &asked));
        started.map_err(|_| DetectError::Stopped { detector })?;
        Ok(Self { member, questions: Mutex::new(questions) })
    }
}

impl LearnedDetector for Gathering {
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

    fn takes_views(&self) -> bool {
        true
    }

    fn speaks_of(&self, label: Label) -> bool {
        self.member.speaks_of(label)
    }

    fn knows(&self, label: Label) -> bool {
        self.member.knows(label)
    }

    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
        Ok(self.judge_all(sentences)?.iter().map(|judged| self.decide(judged)).collect())
    }

    fn decide(&self, judged: &[Judged]) -> Vec<Span> {
        self.member.decide(judged)
    }

    fn fingerprint(&self) -> String {
        self.member.fingerprint()
    }

    fn dial(&self) -> String {
        self.member.dial()
    }

    fn judge_all(&self, sentences: &[&str]) -> Judgement {
        let (answer, answered) = sync_channel(1);
        let question = Question { sentences: sentences.iter().map(|&sentence| sentence.to_owned()).collect(), answer };
        let stopped = DetectError::Stopped { detector: self.detector() };
        let sent = self.questions.lock().unwrap_or_else(PoisonError::into_inner).send(question);
        sent.map_err(|_| stopped.clone())?;
        answered.recv().map_err(|_| stopped)?
    }
}

/// Answers until nobody can ask any more.
fn serve(member: &dyn LearnedDetector, asked: &Receiver<Question>) {
    let mut memory = Memory::default();
    while let Ok(first) = asked.recv() {
        let mut count = first.sentences.len();
        let mut questions = vec![first];
        while count < MOST
            && let Ok(next) = asked.try_recv()
        {
            count += next.sentences.len();
            questions.push(next);
        }
        let together = memory.learn(member, &questions);
        for question in &questions {
            // What fails for one caller's sentence is no failure of those that it was gathered with.
            let again = together.is_err() && questions.len() > 1;
            let learned = if again { memory.learn(member, slice::from_ref(question)) } else { together.clone() };
            let recalled = || question.sentences.iter().map(|sentence| memory.recall(sentence)).collect();
            let own = learned.and_then(|()| {
                Option::<Vec<_>>::ok_or(recalled(), DetectError::Stopped { detector: member.detector() })
            });
            // Who has gone away needs no answer.
            let _ = question.answer.send(own);
        }
    }
}

/// What was judged lately, by a hash of the sentence: 128 bits, so that two sentences never meet.
#[derive(Default)]
struct Memory {
    answers: HashMap<u128, Arc<[Judged]>>,
}

impl Memory {
    /// Has the member judge what is not remembered of the questions.
    fn learn(&mut self, member: &dyn LearnedDetector, questions: &[Question]) -> Result<(), DetectError> {
        if self.answers.len() > REMEMBERED {
            self.answers.clear();
        }
        let (mut asked, mut hashes, mut sentences) = (HashSet::new(), Vec::new(), Vec::new());
        for sentence in questions.iter().flat_map(|question| &question.sentences) {
            let hash = xxh3_128(sentence.as_bytes());
            if !self.answers.contains_key(&hash) && asked.insert(hash) {
                hashes.push(hash);
                sentences.push(sentence.as_str());
            }
        }
        // A panic would end the thread, and with it all later questions of a server.
        let found = catch_unwind(AssertUnwindSafe(|| member.judge_all(&sentences)))
            .unwrap_or_else(|_| Err(DetectError::Stopped { detector: member.detector() }))?;
        self.answers.extend(hashes.into_iter().zip(found.into_iter().map(Arc::from)));
        Ok(())
    }

    fn recall(&self, sentence: &str) -> Option<Vec<Judged>> {
        self.answers.get(&xxh3_128(sentence.as_bytes())).map(|judged| judged.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds the first character of every sentence; fails on "fail", panics on "panic".
    struct First;

    impl LearnedDetector for First {
        fn detector(&self) -> Detector {
            Detector::Crf
        }

        fn description(&self) -> String {
            "the first character".to_owned()
        }

        fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
            assert!(!sentences.contains(&"panic"), "as asked");
            if sentences.contains(&"fail") {
                return Err(DetectError::Stopped { detector: Detector::Crf });
            }
            let length = |sentence: &&str| sentence.len();
            Ok(sentences.iter().map(|s| vec![Span::new(0, length(s), Label::City, Detector::Crf, 0.5)]).collect())
        }
    }

    #[test]
    fn everyone_gets_the_answers_to_their_own_question() {
        let gathering = Gathering::start(First).unwrap();
        thread::scope(|scope| {
            for caller in 1..20_usize {
                let gathering = &gathering;
                scope.spawn(move || {
                    let sentences: Vec<String> = (1..50).map(|number| "x".repeat(number * caller)).collect();
                    let asked: Vec<&str> = sentences.iter().map(String::as_str).collect();
                    let found = gathering.detect_all(&asked).unwrap();
                    let lengths: Vec<usize> = found.iter().map(|spans| spans[0].end).collect();
                    assert_eq!(lengths, asked.iter().map(|sentence| sentence.len()).collect::<Vec<_>>());
                });
            }
        });
        assert_eq!(gathering.detect_all(&[]).unwrap(), Vec::<Vec<Span>>::new());
    }

    #[test]
    fn a_failure_and_a_panic_are_told_and_nobody_else_feels_them() {
        let gathering = Gathering::start(First).unwrap();
        for cause in ["fail", "panic"] {
            assert!(matches!(gathering.detect_all(&[cause]), Err(DetectError::Stopped { detector: Detector::Crf })));
            assert!(gathering.detect_all(&["fine"]).is_ok());
        }
    }

    #[test]
    fn a_failure_is_told_to_who_asked_for_it_and_not_to_those_gathered_with_them() {
        let (asking, asked) = channel();
        let mut answers = Vec::new();
        for sentences in [vec!["fine"], vec!["fail", "good"], vec!["panic"], vec!["good"]] {
            let (answer, answered) = sync_channel(1);
            asking.send(Question { sentences: sentences.into_iter().map(str::to_owned).collect(), answer }).unwrap();
            answers.push(answered);
        }
        drop(asking);
        serve(&First, &asked);
        let told: Vec<bool> = answers.iter().map(|answered| answered.recv().unwrap().is_ok()).collect();
        assert_eq!(told, [true, false, false, true]);
    }
}
