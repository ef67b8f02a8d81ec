//! Hand-written sentences with their identifiers marked, judged by the whole ensemble.

use proptest::prelude::*;

use super::DictionaryDetector;
use crate::detect::SentenceDetector;
use crate::detect::patterns::PatternDetector;
use crate::detect::{Ensemble, InclusionList, Templates};
use crate::phi::{Label, Span};

/// A sentence a line; `<<LABEL:text>>` marks an identifier; `#` begins a comment. One file a family of rules.
const GOLDEN: &[(&str, &str)] =
    &[("golden.txt", include_str!("golden.txt")), ("unexplained/golden.txt", include_str!("unexplained/golden.txt"))];

struct Marked {
    text: String,
    spans: Vec<(usize, usize, Label)>,
}

fn parse(line: &str) -> Marked {
    let mut marked = Marked { text: String::new(), spans: Vec::new() };
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("<<") {
        marked.text.push_str(before);
        let (inner, after) = after.split_once(">>").expect("every mark is closed");
        let (label, text) = inner.split_once(':').expect("every mark has a label");
        let start = marked.text.len();
        marked.text.push_str(text);
        marked.spans.push((start, marked.text.len(), label.parse().expect("every label exists")));
        rest = after;
    }
    marked.text.push_str(rest);
    marked
}

fn detect(text: &str) -> Vec<Span> {
    Ensemble::knowledge(InclusionList::default(), Templates::default()).detect_by_knowledge(text)
}

fn show(text: &str, spans: &[(usize, usize, Label)]) -> String {
    spans.iter().map(|&(start, end, label)| format!("{label}:{} ", &text[start..end])).collect()
}

#[test]
fn every_sentence_is_marked_as_by_hand() {
    let lines = || {
        GOLDEN.iter().flat_map(|(file, text)| {
            text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(move |line| (file, line))
        })
    };
    let negatives = lines().filter(|(_, line)| !line.contains("<<")).count();
    assert!(lines().count() >= 150 && negatives >= 60, "{} sentences, {negatives} negatives", lines().count());
    let mut wrong = Vec::new();
    for (file, line) in lines() {
        let marked = parse(line);
        let found: Vec<_> = detect(&marked.text)
            .iter()
            .filter(|span| span.leading().class.label != Label::Time)
            .map(|span| (span.start, span.end, span.leading().class.label))
            .collect();
        if found != marked.spans {
            wrong.push(format!("{file}: {line}\n   found {}", show(&marked.text, &found)));
        }
    }
    assert!(wrong.is_empty(), "{} sentences differ:\n{}", wrong.len(), wrong.join("\n"));
}

proptest! {
    #[test]
    fn any_text_gives_sound_spans(
        text in "\\PC{0,80}|[A-Za-z0-9 .,:;#/'’–()@-]{0,80}|(Dr\\.|Smith|MD|,| |3/4|-|March|2019|of|age|92|é|’|\n|5|:|#|MRN|Room|the|St\\.|x|@|\\.com|Hospital|A){0,16}"
    ) {
        let mut spans = Vec::new();
        PatternDetector::new().detect(&text, &mut spans);
        DictionaryDetector::new().detect(&text, &mut spans);
        for span in &spans {
            prop_assert!(span.start < span.end && text.get(span.start..span.end).is_some(), "{:?}", span);
            prop_assert!(span.claims.iter().all(|claim| claim.score > 0.0 && claim.score <= 1.0));
        }
    }
}
