//! The members together: which way a sentence goes, and the union of what is claimed on it.

use std::ops::Range;
use std::sync::Arc;

use super::dictionary::DictionaryDetector;
use super::patterns::PatternDetector;
use super::{InclusionList, SentenceDetector, Templates, boundaries, seam, veto};
use crate::phi::{Span, unite};

/// Which way a sentence goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Route {
    /// On the inclusion list: no sentence detector sees it.
    Listed,
    /// Tagged by a template.
    Template,
    /// Left over: the whole ensemble sees it.
    Remainder,
}

impl Route {
    /// The name used in data sets and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Template => "template",
            Self::Remainder => "remainder",
        }
    }
}

/// The inclusion list, the templates and the detectors of a run.
#[derive(Clone)]
pub struct Ensemble {
    inclusion: Arc<InclusionList>,
    templates: Arc<Templates>,
    members: Arc<[Arc<dyn SentenceDetector>]>,
}

impl Ensemble {
    /// The knowledge detectors behind a site's inclusion list and templates.
    pub fn knowledge(inclusion: InclusionList, templates: Templates) -> Self {
        let members: [Arc<dyn SentenceDetector>; 2] =
            [Arc::new(PatternDetector::new()), Arc::new(DictionaryDetector::new())];
        Self { inclusion: inclusion.into(), templates: templates.into(), members: members.into() }
    }

    /// With one member more.
    #[must_use]
    pub fn with_member(self, member: impl SentenceDetector + 'static) -> Self {
        let more: Arc<dyn SentenceDetector> = Arc::new(member);
        Self { members: self.members.iter().cloned().chain([more]).collect(), ..self }
    }

    /// Which way a sentence goes.
    pub fn route(&self, sentence: &str) -> Route {
        if self.inclusion.contains(sentence) {
            Route::Listed
        } else if self.templates.is_match(sentence) {
            Route::Template
        } else {
            Route::Remainder
        }
    }

    /// What is claimed on a sentence, as byte ranges of it that do not overlap, in order.
    pub fn detect(&self, sentence: &str) -> Vec<Span> {
        self.detect_and_tell(sentence, &mut |_| {})
    }

    /// The same, and calls `vetoed` with the medical term, never the text, for each claim that vocabulary took back.
    pub fn detect_and_tell(&self, sentence: &str, vetoed: &mut impl FnMut(&'static str)) -> Vec<Span> {
        if self.inclusion.contains(sentence) {
            return Vec::new();
        }
        if let Some(spans) = self.templates.tag(sentence) {
            return unite(spans);
        }
        let mut spans = Vec::new();
        for member in self.members.iter() {
            member.detect(sentence, &mut spans);
        }
        veto::apply(sentence, &mut spans, vetoed);
        let mut spans = unite(spans);
        boundaries::adjust(sentence, &mut spans);
        spans
    }

    /// What is claimed on a whole text, sentence by sentence and across their boundaries, as byte ranges of the text that do not
    /// overlap, in order.
    pub fn detect_text(&self, text: &str) -> Vec<Span> {
        let sentences: Vec<_> = crate::text::sentences(text).collect();
        let mut spans = Vec::new();
        for range in &sentences {
            spans.extend(self.detect(&text[range.clone()]).into_iter().map(|span| span.shifted(range.start)));
        }
        self.detect_seams(text, &sentences, &mut spans);
        unite(spans)
    }

    /// Adds what crosses the boundaries of a text's sentences to what was found in each of them; it may overlap that.
    pub fn detect_seams(&self, text: &str, sentences: &[Range<usize>], spans: &mut Vec<Span>) {
        seam::across(self, text, sentences, spans);
    }
}

impl std::fmt::Debug for Ensemble {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let members: Vec<_> = self.members.iter().map(|member| member.detector().name()).collect();
        formatter
            .debug_struct("Ensemble")
            .field("listed", &self.inclusion.len())
            .field("templates", &self.templates.len())
            .field("members", &members)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phi::{Detector, Label};

    fn ensemble() -> Ensemble {
        Ensemble::knowledge(InclusionList::default(), Templates::default())
    }

    fn shown(text: &str) -> Vec<String> {
        let spans = ensemble().detect(text);
        spans.iter().map(|span| format!("{}:{}", span.leading().class.label, &text[span.start..span.end])).collect()
    }

    #[test]
    fn what_vocabulary_takes_back_is_told() {
        let mut told = Vec::new();
        let spans = ensemble().detect_and_tell("Grip by Jamar 40 lb, Hawkins negative.", &mut |term| told.push(term));
        assert!(spans.is_empty(), "{}", spans.len());
        assert_eq!(shown("Seen by Dr. Hawkins, MD for the cuff."), ["DOCTOR:Hawkins"]);
    }

    /// What every caller may rely on.
    fn is_sound(text: &str, spans: &[Span]) -> bool {
        spans.iter().all(|span| {
            span.start < span.end
                && text.get(span.start..span.end).is_some()
                && !span.claims.is_empty()
                && span.claims.iter().all(|claim| claim.score > 0.0 && claim.score <= 1.0)
        }) && spans.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn detection_never_panics_and_gives_sound_spans(
            text in "\\PC{0,80}|[A-Za-z0-9 .,:;#/'’–()@\\[\\]\n-]{0,80}|\
                     (Dr\\.|Smith|Hawkins|MD|,| |3/4|-|March|2019|Jr|age|92|é|İ|ß|’s|\n|5|:|#|MRN|J\\.|the|\\(|x|@|Zenobia|at|A){0,18}"
        ) {
            let ensemble = ensemble();
            let spans = ensemble.detect(&text);
            prop_assert!(is_sound(&text, &spans), "{:?}", spans);
            prop_assert!(is_sound(&text, &ensemble.detect_text(&text)));
        }

        #[test]
        fn adjustment_is_safe_on_any_ranges(
            text in "\\PC{0,40}|[A-Za-z .,'()]{0,40}",
            ranges in prop::collection::vec((0_usize..60, 0_usize..60), 0..6)
        ) {
            let mut spans: Vec<Span> = ranges
                .into_iter()
                .map(|(start, end)| Span::new(start, end.max(start), Label::Doctor, Detector::Record, 1.0))
                .collect();
            boundaries::adjust(&text, &mut spans);
            prop_assert!(is_sound(&text, &spans), "{:?}", spans);
            let once = spans.clone();
            boundaries::adjust(&text, &mut spans);
            prop_assert!(is_sound(&text, &spans));
            prop_assert!(spans.len() <= once.len());
        }
    }
}
