//! Words of templates that the ensemble claims elsewhere in the sample.
//!
//! ```text
//! Called zorbleekton at ext {N}     `zorbleekton` is on no list, so nothing speaks against it here …
//! [DOCTOR Zorbleekton] saw her      … but it is somebody's name: the template is refused
//! ```
//!
//! A word that is on no list may be one of a site's own making or a name that no list has. The sample is asked which.

use std::collections::HashMap;

use super::form::{Form, Part};
use super::refusal::is_unknown;
use crate::phi::{Label, Span};
use crate::text::{TokenKind, tokens};

/// The words of templates to be that are on no list, in small letters, with the numbers of the templates that hold them.
#[derive(Debug, Clone, Default)]
pub(super) struct ClaimedWords {
    templates: HashMap<String, Vec<usize>>,
}

impl ClaimedWords {
    /// The unknown words of forms, which are numbered as they come.
    pub fn new<'f>(forms: impl IntoIterator<Item = &'f Form>) -> Self {
        let mut templates: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, form) in forms.into_iter().enumerate() {
            let texts = form.parts().iter().filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                _ => None,
            });
            for word in texts.flat_map(words).filter(|word| is_unknown(word)) {
                templates.entry(word.to_lowercase()).or_default().push(number);
            }
        }
        Self { templates }
    }

    /// The templates that hold a word which one of these spans claims. Times of day tell of nobody.
    pub fn held_by<'a>(&'a self, sentence: &'a str, spans: &'a [Span]) -> impl Iterator<Item = usize> + 'a {
        // Most samples have no such word, and then nothing is read.
        let spans = spans.iter().filter(|span| !self.templates.is_empty() && span.leading().class.label != Label::Time);
        let claimed = spans.filter_map(|span| sentence.get(span.start..span.end)).flat_map(words);
        claimed.filter_map(|word| self.templates.get(&word.to_lowercase())).flatten().copied()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).filter(|token| token.kind == TokenKind::Word).map(|token| token.text(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Detector;

    #[test]
    fn only_unknown_words_that_are_claimed_are_told() {
        let form = |text: &str| Form::parse(&format!(r"{text} (?<PHONE>[0-9]{{1,4}})")).unwrap();
        let forms = [form("Called zorbleekton at"), form("Foley catheter of"), form("Pager of QWANDOR")];
        let words = ClaimedWords::new(&forms);
        let told = |sentence: &str, claimed: &str, label: Label| {
            let start = sentence.find(claimed).unwrap();
            let span = Span::new(start, start + claimed.len(), label, Detector::Crf, 0.9);
            words.held_by(sentence, &[span]).collect::<Vec<_>>()
        };
        assert_eq!(told("Dr. Zorbleekton called", "Zorbleekton", Label::Doctor), [0]);
        assert_eq!(told("Moved to Qwandor-Called", "Qwandor-Called", Label::City), [2]);
        assert_eq!(told("Dr. Foley called", "Foley", Label::Doctor), Vec::<usize>::new());
        assert_eq!(told("at 3 zorbleekton", "3 zorbleekton", Label::Time), Vec::<usize>::new());
    }
}
