//! Hand-written sentences with their identifiers marked, judged by patterns alone; and what tests of the families judge by.

use super::PatternDetector;
use crate::detect::SentenceDetector;
use crate::phi::{Label, unite};

/// A sentence a line; `<<LABEL:text>>` marks an identifier; `#` begins a comment.
const GOLDEN: &str = include_str!("golden.txt");

/// The text of a line without its marks, and the marks.
fn parse(line: &str) -> (String, Vec<(usize, usize, Label)>) {
    let (mut text, mut marks, mut rest) = (String::new(), Vec::new(), line);
    while let Some((before, after)) = rest.split_once("<<") {
        text.push_str(before);
        let (inner, after) = after.split_once(">>").expect("every mark is closed");
        let (label, value) = inner.split_once(':').expect("every mark has a label");
        marks.push((text.len(), text.len() + value.len(), label.parse().expect("every label exists")));
        text.push_str(value);
        rest = after;
    }
    text.push_str(rest);
    (text, marks)
}

/// The words of a sentence that patterns find with one of `labels`.
pub(super) fn found<'s>(sentence: &'s str, labels: &[Label]) -> Vec<&'s str> {
    let mut spans = Vec::new();
    PatternDetector::new().detect(sentence, &mut spans);
    let united = unite(spans);
    let wanted = united.iter().filter(|span| labels.contains(&span.leading().class.label));
    wanted.map(|span| &sentence[span.start..span.end]).collect()
}

#[test]
fn every_sentence_is_marked_as_by_hand() {
    let mut wrong = Vec::new();
    for line in GOLDEN.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (text, marks) = parse(line);
        let mut spans = Vec::new();
        PatternDetector::new().detect(&text, &mut spans);
        let found: Vec<_> = unite(spans)
            .iter()
            .map(|span| (span.start, span.end, span.leading().class.label))
            .filter(|(.., label)| *label != Label::Time)
            .collect();
        if found != marks {
            let shown: Vec<_> =
                found.iter().map(|&(start, end, label)| format!("{label}:{}", &text[start..end])).collect();
            wrong.push(format!("{line}\n   found {}", shown.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{} sentences differ:\n{}", wrong.len(), wrong.join("\n"));
}
