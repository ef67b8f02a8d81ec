//! Bytes of the fuzzer as what targets take.
//!
//! ```text
//! "DATE:full\n%%\n3/4/2019"  ─▶  "DATE:full", "3/4/2019"
//! ```

use plainsight::phi::{Class, Kind, Label, Span};

/// The line between the parts of an input.
const BETWEEN: &str = "\n%%\n";

/// The input as text; bytes that are no UTF-8 become replacement characters, so that no input is without use.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The parts of an input; those that are missing are empty.
pub fn parts<const N: usize>(text: &str) -> [&str; N] {
    let mut parts = text.splitn(N, BETWEEN);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// The class of that name; any other text stands for some class too.
pub fn class(name: &str) -> Class {
    name.parse().unwrap_or_else(|_| {
        let number: usize = name.bytes().map(usize::from).sum();
        let kinds = Kind::ALL.iter().filter_map(|&kind| Some(Class { label: kind.label()?, kind }));
        let classes: Vec<Class> = Label::ALL.iter().map(|&label| Class::of(label)).chain(kinds).collect();
        classes[number % classes.len()]
    })
}

/// What every span of a text must be.
pub fn assert_sound(text: &str, spans: &[Span]) {
    for span in spans {
        assert!(span.start < span.end, "an empty span at {}", span.start);
        assert!(text.get(span.start..span.end).is_some(), "{}..{} is no part of the text", span.start, span.end);
        assert!(!span.claims.is_empty(), "a span without claims");
        for claim in &span.claims {
            assert!(claim.score > 0.0 && claim.score <= 1.0, "a score of {}", claim.score);
        }
    }
}

/// What the spans of a whole text must be besides: in order, and apart from each other.
pub fn assert_apart(spans: &[Span]) {
    assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "spans overlap or are out of order");
}
