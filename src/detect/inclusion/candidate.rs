//! A sentence that may come to pass untouched, with what speaks for and against it.
//!
//! ```text
//! "No acute distress."                          988 patients   prevalent   no claims
//! "Normal."             after "Heart sounds:"   412 patients   prevalent   no claims
//! "Seen by Dr. Lee."                             97 patients   prevalent   DOCTOR 12..15
//! ```

use std::str::FromStr;

use serde::Serialize;

use super::error::InclusionError;
use crate::text::InContext;

/// Why a sentence is a candidate. Where several reasons hold, the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// Among the most prevalent of all.
    Prevalent,
    /// Among the most prevalent that hold a disease, drug or procedure term; see [`is_medical`](super::is_medical).
    Medical,
    /// Found free of identifiers when a sample was validated.
    Gold,
}

impl Why {
    /// Every reason, in order.
    pub const ALL: [Self; 3] = [Self::Prevalent, Self::Medical, Self::Gold];

    /// The name used in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prevalent => "prevalent",
            Self::Medical => "medical",
            Self::Gold => "gold",
        }
    }
}

impl FromStr for Why {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|why| why.name().eq_ignore_ascii_case(name)).ok_or(())
    }
}

/// Where a sentence is meant: a fragment of few tokens says something else after every line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Context {
    /// Wherever it stands. In review files `*`, in JSON nothing.
    Any,
    /// Between these lines, byte for byte; a sentence that is judged alone has two empty ones. See [`InContext`].
    This {
        /// The line or header before it.
        before: String,
        /// The line after it.
        after: String,
    },
}

impl Context {
    /// The context of a sentence that is judged alone.
    pub const ALONE: Self = Self::This { before: String::new(), after: String::new() };

    /// The context in which a sentence stands.
    pub fn of(sentence: InContext<'_>) -> Self {
        Self::This { before: sentence.before.to_owned(), after: sentence.after.to_owned() }
    }

    /// For people: what stands there and which way, lines that are empty left out.
    pub(super) fn remarks(&self) -> Vec<(&'static str, &str)> {
        match self {
            Self::Any => vec![("in", "any context")],
            Self::This { before, after } => {
                let lines = [("after", before.as_str()), ("before", after.as_str())];
                lines.into_iter().filter(|(_, line)| !line.is_empty()).collect()
            }
        }
    }
}

/// What a detector claims in a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct ClaimedRange {
    /// First byte of the sentence. In review files, as everywhere that users read, offsets are code points.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is said to be: `DOCTOR`, `DATE:full`.
    pub label: String,
}

/// A sentence of a corpus that may become an entry of an inclusion list.
#[derive(Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What stands around it, where it is a fragment.
    pub context: Context,
    /// The sentence, as the segmenter cut it.
    pub sentence: String,
    /// How often it occurs.
    pub occurrences: u64,
    /// In how many notes.
    pub notes: u64,
    /// In the notes of how many patients.
    pub patients: u64,
    /// Why it is a candidate.
    pub why: Why,
    /// What any detector claims in it; a sentence with claims is set apart.
    pub claims: Vec<ClaimedRange>,
}

/// The text stays out of logs.
impl std::fmt::Debug for Candidate {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Candidate")
            .field("bytes", &self.sentence.len())
            .field("occurrences", &self.occurrences)
            .field("patients", &self.patients)
            .field("why", &self.why)
            .field("claims", &self.claims.len())
            .finish_non_exhaustive()
    }
}

impl Candidate {
    /// Whether a detector claims anything in it.
    pub fn is_claimed(&self) -> bool {
        !self.claims.is_empty()
    }

    /// Context and sentence: what an entry is known by.
    pub fn key(&self) -> (&Context, &str) {
        (&self.context, &self.sentence)
    }

    /// What keeps it out of every review file, if anything does.
    fn fault(&self) -> Option<&'static str> {
        let is_label = |label: &str| {
            !label.is_empty() && label.chars().all(|letter| letter.is_alphanumeric() || "-_.:".contains(letter))
        };
        let is_range =
            |claim: &ClaimedRange| claim.start < claim.end && self.sentence.get(claim.start..claim.end).is_some();
        if self.sentence.trim().is_empty() {
            Some("there is no sentence")
        } else if !self.claims.iter().all(|claim| is_label(&claim.label)) {
            Some("a claim's label is not of letters, digits and -_.:")
        } else if !self.claims.iter().all(is_range) {
            Some("a claim is no range of the sentence on character boundaries")
        } else {
            None
        }
    }

    /// Puts its claims in order, once each.
    ///
    /// # Errors
    /// [`InclusionError::Candidate`] for an empty sentence, and a claim that has no label or does not lie in the sentence.
    pub(super) fn checked(mut self, number: usize) -> Result<Self, InclusionError> {
        self.claims.sort();
        self.claims.dedup();
        match self.fault() {
            Some(reason) => Err(InclusionError::Candidate { number, reason }),
            None => Ok(self),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub fn after(line: &str) -> Context {
        Context::of(InContext { before: line, ..InContext::alone("") })
    }

    /// A candidate that occurs once for each patient; `*` is any context.
    pub fn candidate(context: &str, sentence: &str, patients: u64) -> Candidate {
        Candidate {
            context: if context == "*" { Context::Any } else { after(context) },
            sentence: sentence.to_owned(),
            occurrences: patients,
            notes: patients,
            patients,
            why: Why::Prevalent,
            claims: Vec::new(),
        }
    }

    /// Text of the kind that breaks tables, spreadsheets and terminals.
    pub fn awkward() -> impl Strategy<Value = String> {
        let pieces = "(,|;|\"|\"\"|'|=|\\+|-|@|\\\\|\\*|#| |\r|\n|\r\n|\t|\u{0}|\u{1b}\\[2J|\u{feff}|\u{202e}|\u{2028}|\\\\n|\
                      \\\\u\\{41\\}|TRUE|3/4|1E5|007|µg|é|Normal|a b){0,8}";
        prop_oneof![any::<String>(), pieces.prop_map(String::from), Just("*".to_owned())]
    }

    fn claims(sentence: &str, places: &[(usize, usize)]) -> Vec<ClaimedRange> {
        let ends: Vec<usize> = sentence.char_indices().map(|(at, _)| at).chain([sentence.len()]).collect();
        let range = |(first, second): &(usize, usize)| {
            let (first, second) = (ends[first % ends.len()], ends[second % ends.len()]);
            ClaimedRange { start: first.min(second), end: first.max(second), label: "DATE:full".to_owned() }
        };
        let mut claims: Vec<_> = places.iter().map(range).filter(|claim| claim.start < claim.end).collect();
        claims.sort();
        claims.dedup();
        claims
    }

    prop_compose! {
        /// Any candidate that a review file takes.
        pub fn candidates()(
            sentence in awkward().prop_filter("blank", |text| !text.trim().is_empty()),
            context in prop::option::weighted(0.8, (awkward(), prop_oneof![Just(String::new()), awkward()])),
            counts in (0..50_u64, any::<u64>(), 0..50_u64),
            why in 0..3_usize,
            places in prop::collection::vec((0..60_usize, 0..60_usize), 0..3)
        ) -> Candidate {
            Candidate {
                context: context.map_or(Context::Any, |(before, after)| Context::This { before, after }),
                claims: claims(&sentence, &places),
                sentence,
                occurrences: counts.0,
                notes: counts.1,
                patients: counts.2,
                why: Why::ALL[why],
            }
        }
    }

    #[test]
    fn impossible_candidates_are_refused() {
        let claimed = |start, end, label: &str| {
            let claims = vec![ClaimedRange { start, end, label: label.to_owned() }];
            Candidate { claims, ..candidate("", "é seen", 1) }.checked(7)
        };
        assert!(claimed(0, 2, "DOCTOR").is_ok());
        for (start, end, label) in [(0, 1, "DOCTOR"), (2, 2, "DOCTOR"), (0, 99, "DOCTOR"), (0, 2, ""), (0, 2, "A B")] {
            assert!(matches!(claimed(start, end, label), Err(InclusionError::Candidate { number: 7, .. })));
        }
        assert!(candidate("", " \n", 1).checked(1).is_err());
        assert!(!format!("{:?}", candidate("Lee", "Lee", 1)).contains("Lee"));
    }
}
