//! The members together: which way a sentence goes, and the union of what is claimed on it.

use std::sync::Arc;

use super::dictionary::DictionaryDetector;
use super::patterns::PatternDetector;
use super::{InclusionList, SentenceDetector, Templates, seam};
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
        if self.inclusion.contains(sentence) {
            return Vec::new();
        }
        let spans = self.templates.tag(sentence).unwrap_or_else(|| {
            let mut spans = Vec::new();
            for member in self.members.iter() {
                member.detect(sentence, &mut spans);
            }
            spans
        });
        unite(spans)
    }

    /// What is claimed on a whole text, sentence by sentence and across their boundaries, as byte ranges of the text; those of
    /// the boundaries may overlap others.
    pub fn detect_text(&self, text: &str) -> Vec<Span> {
        let sentences: Vec<_> = crate::text::sentences(text).collect();
        let mut spans = Vec::new();
        for range in &sentences {
            spans.extend(self.detect(&text[range.clone()]).into_iter().map(|span| span.shifted(range.start)));
        }
        seam::across(self, text, &sentences, &mut spans);
        spans
    }

    /// Adds what crosses the boundaries of a text's sentences to what was found in each of them.
    pub fn detect_seams(&self, text: &str, spans: &mut Vec<Span>) {
        let sentences: Vec<_> = crate::text::sentences(text).collect();
        seam::across(self, text, &sentences, spans);
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
