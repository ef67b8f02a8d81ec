//! What templates say of sentences, against what the ensemble says of them.
//!
//! ```text
//! template   Signed by [DOCTOR DEWEY, JONES K]
//! ensemble   Signed by [DOCTOR DEWEY, JONES K]     agrees
//!            Signed by DEWEY, [DOCTOR JONES] K     is completed: all that it found lies in the slots
//!            Signed by [HOSPITAL DEWEY], JONES K   is contradicted
//!            [DOCTOR Signed by DEWEY], JONES K     is contradicted, and loses a claim
//!
//! template   SSN: [TIME 123-45-6789]
//! ensemble   SSN: [SSN 123-45-6789]                is contradicted, and loses a claim: clock times stay
//! ```

use std::sync::LazyLock;

use super::Templates;
use super::syntax::class_in_template;
use crate::detect::learned::with_kind;
use crate::phi::{Class, Label, Policy, Span};

/// How a template's slots stand to the spans of an ensemble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// They are the same.
    Agrees,
    /// Each span lies in a slot of its label, and something is missing.
    Completes,
    /// A span is of another class or lies elsewhere.
    Contradicts {
        /// Whether some of an identifier lies outside the slots, or in one of a class that the default policy keeps, so that the template would
        /// let it pass. Clock times are none.
        loses: bool,
    },
}

impl Agreement {
    /// Compares slots of a sentence, in order, with spans that do not overlap, in order.
    pub(super) fn of(sentence: &str, slots: &[(usize, usize, Class)], spans: &[Span]) -> Self {
        let is_same = |(slot, span): (&(usize, usize, Class), &Span)| {
            (slot.0, slot.1) == (span.start, span.end) && Some(slot.2) == class_in_template(span)
        };
        if slots.len() == spans.len() && slots.iter().zip(spans).all(is_same) {
            return Self::Agrees;
        }
        // A slot of a class that stays holds what is of that class, and lets anything else pass.
        static USUAL: LazyLock<Policy> = LazyLock::new(Policy::default);
        let holds = |slot: &(usize, usize, Class), span: &Span| {
            let class = with_kind(slot.2, &sentence[slot.0..slot.1]);
            USUAL.removes(class) || class_in_template(span) == Some(slot.2) || !USUAL.removes_span(span)
        };
        let is_in_slot = |span: &Span| {
            slots.iter().any(|slot| {
                let is_inside = slot.0 <= span.start && span.end <= slot.1;
                is_inside
                    && match (slot.0, slot.1) == (span.start, span.end) {
                        true => Some(slot.2) == class_in_template(span),
                        false => {
                            class_in_template(span).is_some_and(|class| class.label == slot.2.label)
                                && holds(slot, span)
                        }
                    }
            })
        };
        if spans.iter().all(is_in_slot) {
            return Self::Completes;
        }
        let identifiers = |span: &&Span| span.claims.iter().any(|claim| claim.class.label != Label::Time);
        let is_covered =
            |span: &Span| slots.iter().any(|slot| slot.0 <= span.start && span.end <= slot.1 && holds(slot, span));
        Self::Contradicts { loses: !spans.iter().filter(identifiers).all(is_covered) }
    }
}

/// On how many distinct sentences a template stands how to the ensemble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Sentences that agree.
    pub agreeing: u64,
    /// Sentences that the template completes.
    pub completing: u64,
    /// Sentences that it contradicts.
    pub contradicting: u64,
    /// Those of them in which it would let some of an identifier pass.
    pub losing: u64,
}

impl Tally {
    /// Counts one sentence more.
    pub const fn count(&mut self, agreement: Agreement) {
        match agreement {
            Agreement::Agrees => self.agreeing += 1,
            Agreement::Completes => self.completing += 1,
            Agreement::Contradicts { loses } => {
                self.contradicting += 1;
                self.losing += loses as u64;
            }
        }
    }

    /// Sentences that match.
    pub const fn matched(&self) -> u64 {
        self.agreeing + self.completing + self.contradicting
    }

    /// The share of the matching sentences on which the ensemble does not say otherwise, from 0 to 1; 0 where none matches.
    pub fn purity(&self) -> f64 {
        share(self.agreeing + self.completing, self.matched())
    }

    /// The share of the matching sentences in which the template would let some of an identifier pass, from 0 to 1.
    pub fn lost(&self) -> f64 {
        share(self.losing, self.matched())
    }

    /// The share of the matching sentences that the template completes, from 0 to 1.
    pub fn completed(&self) -> f64 {
        share(self.completing, self.matched())
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// How a template of a set fares on a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The template's name.
    pub name: String,
    /// The sentences that it tags: those that match it and none before it.
    pub tally: Tally,
}

/// Templates against an ensemble that does not have them, sentence by sentence.
#[derive(Debug)]
pub struct Comparison<'t> {
    templates: &'t Templates,
    tallies: Vec<Tally>,
}

impl<'t> Comparison<'t> {
    /// Nothing has been compared yet.
    pub fn new(templates: &'t Templates) -> Self {
        Self { templates, tallies: vec![Tally::default(); templates.len()] }
    }

    /// Compares what they say of one sentence more; `spans` are the ensemble's, in order and not overlapping.
    pub fn see(&mut self, sentence: &str, spans: &[Span]) {
        if let Some((template, slots)) = self.templates.read(sentence) {
            self.tallies[template].count(Agreement::of(sentence, &slots, spans));
        }
    }

    /// A result for each template, in file order. A contradiction says that the two differ, not which of them is right.
    pub fn finish(self) -> Vec<Checked> {
        let named = self.templates.names().zip(self.tallies);
        named.map(|(name, tally)| Checked { name: name.to_owned(), tally }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::template::file::marked_up;
    use crate::phi::Detector;

    fn sentence(example: &str) -> (String, Vec<Span>) {
        let (sentence, slots) = marked_up(example).unwrap();
        let span = |(start, end, class)| Span::new(start, end, class, Detector::Pattern, 1.0);
        (sentence, slots.into_iter().map(span).collect())
    }

    fn check<const N: usize>(templates: &Templates, sample: [(String, Vec<Span>); N]) -> Vec<Checked> {
        let mut comparison = Comparison::new(templates);
        sample.iter().for_each(|(sentence, spans)| comparison.see(sentence, spans));
        comparison.finish()
    }

    #[test]
    fn each_template_is_held_against_the_ensemble() {
        let text = r#"
            [[template]]
            name = "signed"
            pattern = 'Signed by (?<DOCTOR>[A-Z]+, [A-Z]+) on (?<DATE_full>[0-9]+/[0-9]+/[0-9]+)'
            matches = ["Signed by [DOCTOR DEWEY, JONES] on [DATE:full 3/4/19]"]
            [[template]]
            name = "seen"
            pattern = 'Seen on (?<DATE>\p{Alphabetic}+)'
            matches = ["Seen on [DATE Monday]"]
        "#;
        let sample = [
            "Signed by [DOCTOR DEWEY, JONES] on [DATE:full 3/4/19]",
            "Signed by [DOCTOR LEE, ANN] on 3/4/19",
            "Signed by [DOCTOR LEE], ROSE on [DATE:full 3/4/19]",
            "Signed by LEE, ANN on [DATE:partial 3/4]/19",
            "Signed by LEE, ANN on 3/4/19",
            "Signed by [DOCTOR LEE, ROSE] on [DATE:partial 3/4/19]",
            "[DOCTOR Signed] by LEE, ANN on 3/4/20",
            "Signed by [PATIENT LEE, ANN] on [DATE:full 3/4/20]",
            "Seen on [DATE:weekday Monday]",
            "Seen [TIME on] [DATE Friday]",
            "Seen by Monday",
        ];
        let checked = check(&Templates::parse(text).unwrap(), sample.map(sentence));
        let tally = |agreeing, completing, contradicting, losing| Tally { agreeing, completing, contradicting, losing };
        assert_eq!(checked[0], Checked { name: "signed".to_owned(), tally: tally(1, 4, 3, 1) });
        assert_eq!(checked[1], Checked { name: "seen".to_owned(), tally: tally(1, 0, 1, 0) });
        let aged = r#"
            [[template]]
            name = "aged"
            pattern = 'She is (?<AGE>[0-9]+) now'
            matches = ["She is [AGE 45] now"]
        "#;
        let checked_aged = check(&Templates::parse(aged).unwrap(), ["She is [IDNUM 45] now"].map(sentence));
        assert_eq!(
            checked_aged[0].tally,
            tally(0, 0, 1, 1),
            "an age of up to 89 stays as it is, and so would the number"
        );
        let kept = r#"
            [[template]]
            name = "number"
            pattern = 'SSN: (?<TIME>[0-9]{1,4}-[0-9]{1,4}-[0-9]{1,4})'
            matches = ["SSN: [TIME 123-45-6789]"]
            [[template]]
            name = "day"
            pattern = 'Seen on (?<DATE_weekday>Mon 3/4|Tuesday)'
            matches = ["Seen on [DATE:weekday Tuesday]"]
        "#;
        let sample = ["SSN: [SSN 123-45-6789]", "Seen on Mon [DATE:partial 3/4]", "Seen on [DATE:weekday Tuesday]"];
        let checked_kept = check(&Templates::parse(kept).unwrap(), sample.map(sentence));
        assert_eq!(checked_kept[0].tally, tally(0, 0, 1, 1), "a clock time stays as it is, and so would the number");
        assert_eq!(checked_kept[1].tally, tally(0, 0, 2, 1));
        assert_eq!((checked[0].tally.purity(), checked[0].tally.completed()), (0.625, 0.5));
        assert_eq!(Tally::default().purity(), 0.0);
    }
}
