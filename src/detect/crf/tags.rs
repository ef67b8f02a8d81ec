//! Labels of spans as tags of tokens, and back.
//!
//! ```text
//!        Dr .  Rosa      Díaz      of Troy
//! BIO    O  O  B-DOCTOR  I-DOCTOR  O  B-CITY
//! BIOES  O  O  B-DOCTOR  E-DOCTOR  O  S-CITY
//! ```

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// How the place of a token in its span is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Scheme {
    /// The first token begins, the others are inside.
    #[default]
    #[serde(rename = "BIO")]
    Bio,
    /// The last of several ends, an only one stands single.
    #[serde(rename = "BIOES")]
    Bioes,
}

/// A token's place in its span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    /// The first token.
    #[serde(rename = "B")]
    Begin,
    /// A token that is not the first; nor, in BIOES, the last.
    #[serde(rename = "I")]
    Inside,
    /// The last token of several (BIOES).
    #[serde(rename = "E")]
    End,
    /// The only token (BIOES).
    #[serde(rename = "S")]
    Single,
}

/// What a token is: a place in a span with a label, given by its number; or, where there is none, outside of all spans.
pub type Tag = Option<(Place, u16)>;

/// The number of the tag of tokens outside of all spans.
pub const OUTSIDE: usize = 0;

/// The tags of a model, numbered; [`OUTSIDE`] is the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags {
    scheme: Scheme,
    labels: Vec<String>,
    tags: Vec<Tag>,
}

impl Tags {
    /// All tags of these labels.
    pub fn new(scheme: Scheme, labels: Vec<String>) -> Self {
        let places: &[Place] = match scheme {
            Scheme::Bio => &[Place::Begin, Place::Inside],
            Scheme::Bioes => &[Place::Begin, Place::Inside, Place::End, Place::Single],
        };
        let of_label = |label: usize| places.iter().map(move |place| Some((*place, label as u16)));
        let tags = std::iter::once(None).chain((0..labels.len()).flat_map(of_label)).collect();
        Self { scheme, labels, tags }
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The labels, in the order of their numbers.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The number of tags, at least one.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether there is no tag, which is never so.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// The tag of a number.
    pub fn tag(&self, number: usize) -> Tag {
        self.tags.get(number).copied().flatten()
    }

    fn number(&self, tag: Tag) -> usize {
        let Some((place, label)) = tag else { return OUTSIDE };
        let per_label = if self.scheme == Scheme::Bio { 2 } else { 4 };
        1 + label as usize * per_label + place as usize
    }

    /// Whether the tag numbered `after` may follow the one numbered `before`.
    pub fn may_follow(&self, before: usize, after: usize) -> bool {
        let before = self.tag(before);
        match self.tag(after) {
            Some((Place::Inside | Place::End, label)) => {
                matches!(before, Some((Place::Begin | Place::Inside, same)) if same == label)
            }
            _ => !self.is_open(before),
        }
    }

    /// Whether a sentence may begin with this tag. Any tag may: a span can go on from the sentence before.
    pub fn may_begin(&self, tag: usize) -> bool {
        tag < self.len()
    }

    /// Whether a tag continues a span.
    pub fn continues(&self, tag: usize) -> bool {
        matches!(self.tag(tag), Some((Place::Inside | Place::End, _)))
    }

    /// Whether a sentence may end with this tag.
    pub fn may_end(&self, tag: usize) -> bool {
        !self.is_open(self.tag(tag))
    }

    /// Whether a span cannot stop here.
    fn is_open(&self, tag: Tag) -> bool {
        self.scheme == Scheme::Bioes && matches!(tag, Some((Place::Begin | Place::Inside, _)))
    }

    /// The tags of tokens for spans in order that do not overlap; a token that a span touches belongs to it. `goes_on` says
    /// that the first span goes on from the sentence before.
    pub fn encode(&self, tokens: &[Range<usize>], spans: &[(Range<usize>, u16)], goes_on: bool) -> Vec<u16> {
        let mut tags = vec![OUTSIDE as u16; tokens.len()];
        let mut free = 0;
        for (span, label) in spans {
            let first = free + tokens[free..].partition_point(|token| token.end <= span.start);
            let last = first + tokens[first..].partition_point(|token| token.start < span.end);
            for (at, tag) in tags.iter_mut().enumerate().take(last).skip(first) {
                let begins = at == first && !(goes_on && at == 0);
                let place = match (begins, at + 1 == last, self.scheme) {
                    (true, true, Scheme::Bioes) => Place::Single,
                    (false, true, Scheme::Bioes) => Place::End,
                    (true, _, _) => Place::Begin,
                    (false, _, _) => Place::Inside,
                };
                *tag = self.number(Some((place, *label))) as u16;
            }
            free = last;
        }
        tags
    }

    /// The spans of a sequence of tags, as ranges of tokens with their labels. A tag that continues nothing begins a span.
    pub fn decode(&self, tags: &[u16]) -> Vec<(Range<usize>, u16)> {
        let mut spans: Vec<(Range<usize>, u16)> = Vec::new();
        let mut open = false;
        for (at, tag) in tags.iter().enumerate() {
            let Some((place, label)) = self.tag(*tag as usize) else {
                open = false;
                continue;
            };
            match spans.last_mut() {
                Some((range, same)) if open && *same == label && matches!(place, Place::Inside | Place::End) => {
                    range.end = at + 1;
                }
                _ => spans.push((at..at + 1, label)),
            }
            open = !matches!(place, Place::End | Place::Single);
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tags(scheme: Scheme) -> Tags {
        Tags::new(scheme, vec!["DOCTOR".to_owned(), "CITY".to_owned()])
    }

    #[test]
    fn a_token_touched_belongs_to_the_span() {
        let tokens = [0..2, 3..7, 8..12, 12..13];
        let spans = [(4..12, 1)];
        let tags = tags(Scheme::Bio);
        assert_eq!(tags.decode(&tags.encode(&tokens, &spans, false)), [(1..3, 1)]);
    }

    proptest! {
        #[test]
        fn spans_go_through_tags_unchanged_and_their_tags_may_follow_each_other(
            lengths in prop::collection::vec((0usize..3, 1usize..4, 0u16..2), 0..8), bioes: bool, goes_on: bool,
        ) {
            let tags = tags(if bioes { Scheme::Bioes } else { Scheme::Bio });
            let mut at = 0;
            let mut spans = Vec::new();
            for (gap, length, label) in lengths {
                spans.push((at + gap..at + gap + length, label));
                at += gap + length;
            }
            let tokens: Vec<_> = (0..at).map(|token| token * 2..token * 2 + 1).collect();
            let bytes: Vec<_> = spans.iter().map(|(range, label)| (range.start * 2..range.end * 2 - 1, *label)).collect();
            let numbers = tags.encode(&tokens, &bytes, goes_on);
            prop_assert_eq!(tags.decode(&numbers), spans);
            prop_assert!(numbers.windows(2).all(|pair| tags.may_follow(pair[0] as usize, pair[1] as usize)));
            prop_assert!(numbers.first().is_none_or(|first| tags.may_begin(*first as usize)));
            prop_assert!(numbers.last().is_none_or(|last| tags.may_end(*last as usize)));
        }
    }
}
