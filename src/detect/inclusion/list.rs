//! The list that a run consults: exact sentences, from a review file or a plain list.
//!
//! ```text
//! # one sentence a line, meant in any context; \n, \t, \r, \u{…} and \\ stand for the characters in it
//! No acute distress.
//! Review of systems was negative\nexcept as noted above.
//! ```

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::candidate::Context;
use super::cell::unescaped;
use super::file::{Entry, NOT_WHOLE, ReviewFile, fail};
use super::verdict::Decision;
use crate::detect::DetectError;
use crate::text::{ContextMode, InContext, SEGMENTER_VERSION};

/// The contexts in which a sentence is exempt.
#[derive(Clone)]
enum Contexts {
    /// In any but these, in order: the lines before and after it.
    AnyBut(Vec<[Box<str>; 2]>),
    /// In these, in order.
    These(Vec<[Box<str>; 2]>),
}

/// A list of exact sentences. Membership is by text, not by hash.
#[derive(Clone, Default)]
pub struct InclusionList {
    sentences: HashMap<Box<str>, Contexts, BuildHasherDefault<TextHasher>>,
    version: Option<u32>,
    /// A digest of the text that it was read from.
    digest: String,
    context: Option<ContextMode>,
}

impl InclusionList {
    /// Reads a list. A review file (see [`ReviewFile`]) lists its approved entries, each in its context; one that is approved in any is
    /// not listed in those in which it is rejected, and one that is rejected in any in none. Any other text is a plain list, one sentence a line for any context, with `\n`,
    /// `\t`, `\r`, `\u{…}` and `\\` as escapes, where empty lines and `#` lines are comments.
    ///
    /// # Errors
    /// [`DetectError::Inclusion`] for a review file that [`ReviewFile::parse`] refuses; for an unknown escape; and for a sentence
    /// that is not a whole one as the segmenter cuts them: it could never match, and its author would not know.
    pub fn parse(text: &str) -> Result<Self, DetectError> {
        let list = if ReviewFile::is_one(text) { Self::of_review(text)? } else { Self::of_lines(text)? };
        Ok(Self { digest: blake3::hash(text.as_bytes()).to_hex().to_string(), ..list })
    }

    /// How much of their surroundings its sentences are known by; none for a plain list, which is for any context.
    pub const fn context(&self) -> Option<ContextMode> {
        self.context
    }

    /// A digest of the text that it was read from; empty for the list of nothing.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    fn of_lines(text: &str) -> Result<Self, DetectError> {
        let mut list = Self::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let fail = |reason| fail(index + 1, reason);
            let escape = "a backslash must be followed by n, t, r, u{…} or a backslash";
            let sentence = unescaped(line).ok_or_else(|| fail(escape))?;
            if !is_whole(&sentence) {
                return Err(fail(NOT_WHOLE));
            }
            list.insert(Context::Any, sentence);
        }
        Ok(list)
    }

    fn of_review(text: &str) -> Result<Self, DetectError> {
        let (file, lines) = ReviewFile::parse_with_lines(text)?;
        let is_current = file.segmenter == SEGMENTER_VERSION;
        let mut list = Self { version: Some(file.version), context: Some(file.context), ..Self::default() };
        let mut rejected = Vec::new();
        for (Entry { candidate, verdict }, line) in file.entries.into_iter().zip(lines) {
            match verdict.map(|verdict| verdict.decision()) {
                Some(Decision::Approved) => {}
                Some(Decision::Rejected) => {
                    rejected.push(candidate);
                    continue;
                }
                None => continue,
            }
            if !is_current && !is_whole(&candidate.sentence) {
                return Err(fail(
                    line,
                    "the segmenter no longer cuts this sentence so; `inclusion merge` leaves such out",
                ));
            }
            list.insert(candidate.context, candidate.sentence);
        }
        // After all approvals, in whatever order they stand in the file.
        rejected.into_iter().for_each(|candidate| list.except(candidate.context, &candidate.sentence));
        Ok(list)
    }

    fn insert(&mut self, context: Context, sentence: String) {
        let contexts = self.sentences.entry(sentence.into_boxed_str()).or_insert(Contexts::These(Vec::new()));
        match (context, contexts) {
            (Context::Any, contexts) => *contexts = Contexts::AnyBut(Vec::new()),
            (Context::This { before, after }, Contexts::These(these)) => {
                if let Err(place) = place_of([&before, &after], these) {
                    these.insert(place, [before.into_boxed_str(), after.into_boxed_str()]);
                }
            }
            (Context::This { .. }, Contexts::AnyBut(_)) => {}
        }
    }

    /// Takes a context in which a sentence is rejected out of any: whoever has read it there has seen what it says there. What is rejected
    /// in any is in none.
    fn except(&mut self, context: Context, sentence: &str) {
        let Context::This { before, after } = context else {
            self.sentences.remove(sentence);
            return;
        };
        let Some(Contexts::AnyBut(these)) = self.sentences.get_mut(sentence) else { return };
        if let Err(place) = place_of([&before, &after], these) {
            these.insert(place, [before.into_boxed_str(), after.into_boxed_str()]);
        }
    }

    /// Whether a sentence is on the list in its context, byte for byte.
    pub fn contains(&self, sentence: InContext<'_>) -> bool {
        match self.sentences.get(sentence.text) {
            Some(Contexts::AnyBut(these)) => place_of([sentence.before, sentence.after], these).is_err(),
            Some(Contexts::These(these)) => place_of([sentence.before, sentence.after], these).is_ok(),
            None => false,
        }
    }

    /// The number of sentences, each counted once for every context that it is listed in.
    pub fn len(&self) -> usize {
        let count = |contexts: &Contexts| match contexts {
            Contexts::AnyBut(_) => 1,
            Contexts::These(these) => these.len(),
        };
        self.sentences.values().map(count).sum()
    }

    /// Whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The version of the review file that it comes from; a plain list has none.
    pub const fn version(&self) -> Option<u32> {
        self.version
    }
}

/// The sentences stay out of logs.
impl std::fmt::Debug for InclusionList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("InclusionList")
            .field("sentences", &self.len())
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// Where a context stands among others, or else where it would.
fn place_of(context: [&str; 2], these: &[[Box<str>; 2]]) -> Result<usize, usize> {
    these.binary_search_by(|[before, after]| [&**before, &**after].cmp(&context))
}

/// Whether the segmenter would cut a text into itself.
pub(super) fn is_whole(sentence: &str) -> bool {
    crate::text::sentences(sentence).next() == Some(0..sentence.len())
}

/// Hashes the few bytes of a sentence at once. What is in the table was chosen by people, so that the hash need not be keyed.
#[derive(Clone, Copy, Default)]
struct TextHasher(u64);

impl Hasher for TextHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64_with_seed(bytes, self.0);
    }

    /// What marks the end of a string tells nothing here.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::ContextMode;

    fn refusal(text: &str) -> (usize, &'static str) {
        match InclusionList::parse(text) {
            Err(DetectError::Inclusion { line, reason }) => (line, reason),
            other => panic!("{other:?}"),
        }
    }

    fn contains(list: &InclusionList, before: &str, text: &str) -> bool {
        list.contains(InContext { before, ..InContext::alone(text) })
    }

    const REVIEWED: &str = "# plainsight inclusion list format=1 version=4 segmenter=SEGMENTER context=short\n\
        sentence,context,occurrences,notes,patients,why,claims,decision,reviewer,time,reason,check\n\
        Normal.,Heart sounds:,3,3,3,prevalent,,approved,Meyer,2026-11-21T16:40:00Z,names nobody,\n\
        Normal.,Lungs:,3,3,3,prevalent,,rejected,Meyer,2026-11-21T16:40:00Z,names nobody,\n\
        Well.,*,3,3,3,gold,,approved,Meyer,2026-11-21T16:40:00Z,names nobody,\n\
        No acute distress.,,3,3,3,prevalent,,,,,,\n";

    fn reviewed() -> String {
        REVIEWED.replace("SEGMENTER", &SEGMENTER_VERSION.to_string())
    }

    #[test]
    fn exact_sentences_only() {
        let list =
            InclusionList::parse("\u{feff}# reviewed\n\nNo acute distress.\r\nBack\\\\slash ok\nOne\\u{2e}").unwrap();
        assert_eq!((list.len(), list.version()), (3, None));
        for sentence in ["No acute distress.", "Back\\slash ok", "One."] {
            assert!(contains(&list, "", sentence) && contains(&list, "Plan:", sentence));
        }
        assert!(!contains(&list, "", "No acute distress") && !contains(&list, "", "# reviewed"));
    }

    #[test]
    fn only_what_is_approved_and_only_in_its_context() {
        let list = InclusionList::parse(&reviewed()).unwrap();
        assert_eq!((list.len(), list.version(), list.is_empty()), (2, Some(4), false));
        assert!(contains(&list, "Heart sounds:", "Normal."));
        for context in ["", "Lungs:", "Heart sounds", "*"] {
            assert!(!contains(&list, context, "Normal."), "{context}");
        }
        assert!(contains(&list, "", "Well.") && contains(&list, "Anything:", "Well."));
        assert!(!contains(&list, "", "No acute distress."));
        assert!(!format!("{list:?}").contains("Normal"));
    }

    #[test]
    fn the_line_after_counts_too() {
        let text = reviewed().replace("context=short", "context=around").replacen("context,", "context,after,", 1);
        let rows = text.replace(":,3", ":,Lungs:,3").replace("*,", "*,,").replace("distress.,", "distress.,,");
        let list = InclusionList::parse(&rows).unwrap();
        let stands = |after| list.contains(InContext { before: "Heart sounds:", text: "Normal.", after });
        assert!(stands("Lungs:") && !stands("") && !stands("Lungs"));
    }

    #[test]
    fn any_context_outweighs_one_and_each_counts() {
        let row = |context: &str| {
            format!("Normal.,{context},3,3,3,gold,,approved,Meyer,2026-11-21T16:40:00Z,names nobody,\n")
        };
        let head = reviewed().lines().take(2).map(|line| line.to_owned() + "\n").collect::<String>();
        let list = InclusionList::parse(&(head.clone() + &row("C") + &row("A") + &row("B"))).unwrap();
        assert_eq!(list.len(), 3);
        assert!(
            ["A", "B", "C"].iter().all(|context| contains(&list, context, "Normal."))
                && !contains(&list, "D", "Normal.")
        );
        for rows in [row("*") + &row("C"), row("C") + &row("*")] {
            let list = InclusionList::parse(&(head.clone() + &rows)).unwrap();
            assert_eq!((list.len(), contains(&list, "D", "Normal.")), (1, true));
        }
    }

    #[test]
    fn a_rejection_in_a_context_counts_more_than_an_approval_for_any() {
        let any = "Normal.,*,3,3,3,gold,,approved,Meyer,2026-11-22T16:40:00Z,names nobody,\n";
        for text in [reviewed() + any, reviewed().replacen("Normal.,H", &format!("{any}Normal.,H"), 1)] {
            let list = InclusionList::parse(&text).unwrap();
            assert_eq!(list.len(), 2);
            assert!(!contains(&list, "Lungs:", "Normal."), "{text}");
            for context in ["", "Heart sounds:", "Lungs"] {
                assert!(contains(&list, context, "Normal."), "{context}");
            }
        }
    }

    #[test]
    fn what_is_rejected_in_any_context_is_approved_in_none() {
        let any = "Normal.,*,3,3,3,gold,,rejected,Meyer,2026-11-22T16:40:00Z,a name,\n";
        for text in [reviewed() + any, reviewed().replacen("Normal.,H", &format!("{any}Normal.,H"), 1)] {
            let list = InclusionList::parse(&text).unwrap();
            assert_eq!((list.len(), contains(&list, "Heart sounds:", "Normal.")), (1, false), "{text}");
        }
    }

    #[test]
    fn lines_that_could_never_match_are_refused() {
        for (text, line) in [("Stable. Improved.", 1), ("Ok.\n indented", 2), ("a\\q", 1)] {
            assert_eq!(refusal(text).0, line);
        }
        let added = reviewed() + "Stable. Improved.,,3,3,3,prevalent,,,,,,\n";
        assert_eq!(refusal(&added), (7, "this is not one whole sentence as the segmenter cuts them"));
    }

    /// A sentence may lie in a note so that the segmenter cuts it as it would not by itself: the file that it was written to
    /// vouches for it, until the segmenter changes.
    #[test]
    fn a_written_row_vouches_for_its_sentence() {
        let candidate = super::super::candidate::tests::candidate("", "Stable. Improved.", 9);
        let mut file = ReviewFile::new(ContextMode::Short, [candidate]).unwrap();
        let verdict =
            super::super::Verdict::new(Decision::Approved, "M", chrono::DateTime::UNIX_EPOCH, "read").unwrap();
        file.entries[0].verdict = Some(verdict);
        assert!(contains(&InclusionList::parse(&file.to_csv()).unwrap(), "", "Stable. Improved."));
        file.segmenter -= 1;
        assert_eq!(refusal(&file.to_csv()).0, 3);
        file.segmenter += 2;
        assert_eq!(refusal(&file.to_csv()).0, 1, "a later one cuts otherwise");
    }

    #[test]
    fn a_table_without_its_title_is_not_taken_for_sentences() {
        let table = reviewed().split_once('\n').unwrap().1.to_owned();
        assert_eq!(refusal(&table).0, 1);
        assert_eq!(refusal(&table.replace(',', ";")).0, 1);
        assert_eq!(refusal(&format!("\n{}", reviewed())).0, 1, "nor one with a line before it");
    }
}
