//! The model as a member of the ensemble.
//!
//! ```text
//! "Seen by Rosa Díaz today."  ─▶  8..18 DOCTOR, by the CRF, score .98
//! ```

use std::cell::RefCell;

use super::CrfError;
use super::model::{CrfModel, JudgedToken, Prediction, Workspace};
use crate::detect::{Judged, SentenceDetector};
use crate::phi::{Class, Detector, Label, Span};

thread_local! {
    /// Buffers of this thread.
    static BUFFERS: RefCell<(Workspace, Vec<Prediction>)> = RefCell::default();
}

/// Finds identifiers with a trained model.
#[derive(Debug, Clone)]
pub struct CrfDetector {
    model: CrfModel,
    /// The class of each label, by number.
    classes: Vec<Class>,
}

impl CrfDetector {
    /// A detector that uses a model. Labels that are none of the program's become a site's own.
    ///
    /// # Errors
    /// [`CrfError::Label`] where the model has a label that can be no label.
    pub fn new(model: CrfModel) -> Result<Self, CrfError> {
        let class = |label: &String| {
            let own = || Label::or_site(label).map(Class::of);
            label.parse().or_else(|_| own()).map_err(|_| CrfError::Label { label: label.clone() })
        };
        let classes = model.labels().iter().map(class).collect::<Result<_, _>>()?;
        Ok(Self { model, classes })
    }

    /// The class of each label, by number.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The model.
    pub const fn model(&self) -> &CrfModel {
        &self.model
    }

    /// Adds what is found in a sentence, given the line or sentence before it where there is one.
    pub fn detect_in_context(&self, context: Option<&str>, sentence: &str, spans: &mut Vec<Span>) {
        BUFFERS.with_borrow_mut(|(workspace, predictions)| {
            self.model.predict(context, sentence, workspace, predictions);
            spans.extend(predictions.iter().map(|found| self.span(found)));
        });
    }

    fn span(&self, found: &Prediction) -> Span {
        let (class, score) = (self.classes[found.label as usize], found.score.max(f32::MIN_POSITIVE));
        Span::new(found.range.start, found.range.end, class, Detector::Crf, score)
    }

    /// What is found in a sentence, however unlikely it is.
    pub fn judge(&self, sentence: &str) -> Vec<Judged> {
        BUFFERS.with_borrow_mut(|(workspace, predictions)| {
            self.model.decode(None, sentence, workspace, predictions);
            Judged::of_spans(&predictions.iter().map(|found| self.span(found)).collect::<Vec<_>>())
        })
    }

    /// What is found by the model's thresholds in a sentence of which this was judged.
    pub fn decide(&self, judged: &[Judged]) -> Vec<Span> {
        let label = |class: Class| self.classes.iter().position(|own| *own == class).unwrap_or(usize::MAX);
        let likely = |judged: &&Judged| self.model.is_likely(label(judged.class) as u16, judged.score);
        Judged::spans(&judged.iter().filter(likely).copied().collect::<Vec<_>>())
    }

    /// What it may claim.
    pub fn labels(&self) -> impl Iterator<Item = Label> {
        self.classes.iter().map(|class| class.label)
    }

    /// Each word by itself that is part of an identifier at least so likely, as a span of its likeliest class.
    pub fn words(&self, sentence: &str, least: f32) -> Vec<Span> {
        let judged = BUFFERS.with_borrow_mut(|(workspace, _)| self.model.judge(None, sentence, workspace));
        let likely = judged.into_iter().filter(|token| token.of_any > 0.0 && token.of_any >= least);
        let span = |token: JudgedToken| {
            let class = self.classes[token.label as usize];
            Span::new(token.range.start, token.range.end, class, self.detector(), token.of_any)
        };
        likely.map(span).collect()
    }

    /// The highest probability, over the sentence's tokens, that it is part of an identifier; see [`CrfModel::highest_inside`].
    pub fn highest_inside(&self, context: Option<&str>, sentence: &str) -> f32 {
        BUFFERS.with_borrow_mut(|(workspace, _)| self.model.highest_inside(context, sentence, workspace))
    }
}

impl SentenceDetector for CrfDetector {
    fn detector(&self) -> Detector {
        Detector::Crf
    }

    fn detect(&self, sentence: &str, spans: &mut Vec<Span>) {
        self.detect_in_context(None, sentence, spans);
    }
}
