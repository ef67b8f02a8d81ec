//! What a sentence is judged with: short ones say little by themselves.
//!
//! ```text
//! "RE: Consumer/⏎Pat⏎Seen today with her mother, who says that she is well."
//!  └────┬──────┘ └┬┘ └───────────────────────────┬─────────────────────────┘
//!    context    fragment                a sentence speaks for itself: no context
//! ```
//!
//! A fragment's key holds its context, so that `Pat` after `RE: Consumer/` and `Pat` after `Skin:` are two, counted, listed and
//! judged apart (the future work of Murugadoss et al. 2021). What that costs in distinct sentences is told by every run.

use std::ops::Range;

use super::segment::without_written;
use super::tokens;

/// A sentence with more tokens than this speaks for itself.
const FRAGMENT_TOKENS: usize = 4;
/// A neighbour longer than this, in bytes, is no header and no field, and is no context.
const LONGEST_CONTEXT: usize = 60;
/// What ends a sentence that is about itself; a header, a label or a line of a list has none of these.
const STOPS: [char; 3] = ['.', '!', '?'];
/// How far apart, in bytes of white space, a sentence and its context may stand: paragraphs are further.
const WIDEST_GAP: usize = 16;

/// How much of its surroundings joins a sentence's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ContextMode {
    /// Nothing: equal sentences are one, wherever they stand.
    None,
    /// For fragments the line or header before them.
    #[default]
    Short,
    /// For fragments the line or header before them, and the line after them.
    Around,
}

impl ContextMode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::None, Self::Short, Self::Around];

    /// The name used on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Short => "short",
            Self::Around => "around",
        }
    }

    /// The sentence number `at` of a text, whose sentences are `ranges`, with what it is judged with.
    pub fn sentence<'t>(self, text: &'t str, ranges: &[Range<usize>], at: usize) -> InContext<'t> {
        let sentence = InContext::alone(&text[ranges[at].clone()]);
        if self == Self::None || !is_fragment(sentence.text) {
            return sentence;
        }
        let near = |one: &Range<usize>, other: &Range<usize>| other.start - one.end <= WIDEST_GAP;
        let words = |range: &Range<usize>| without_written(&text[range.clone()]).0;
        let tells = |range: &Range<usize>| range.len() <= LONGEST_CONTEXT && !words(range).ends_with(STOPS);
        let before = at.checked_sub(1).map(|before| &ranges[before]);
        let before = before.filter(|before| tells(before) && near(before, &ranges[at]));
        let after = ranges.get(at + 1).filter(|_| self == Self::Around);
        let after = after.filter(|after| tells(after) && near(&ranges[at], after));
        InContext { before: before.map_or("", words), after: after.map_or("", words), ..sentence }
    }

    /// The sentences of a text with what each is judged with; `ranges` are its sentences.
    pub fn sentences<'t>(self, text: &'t str, ranges: &[Range<usize>]) -> impl Iterator<Item = InContext<'t>> {
        (0..ranges.len()).map(move |at| self.sentence(text, ranges, at))
    }
}

impl std::str::FromStr for ContextMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|mode| mode.name() == name);
        found.ok_or_else(|| "it is none, short or around".to_owned())
    }
}

/// A sentence and what it is judged with: what is equal in all of it has one key and one answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct InContext<'t> {
    /// The line or header before it; empty where it is judged alone.
    pub before: &'t str,
    /// The sentence.
    pub text: &'t str,
    /// The line after it; empty where it is judged without.
    pub after: &'t str,
}

impl<'t> InContext<'t> {
    /// A sentence that is judged alone.
    pub const fn alone(text: &'t str) -> Self {
        Self { before: "", text, after: "" }
    }

    /// Whether it is judged alone.
    pub const fn is_alone(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// Never the text: it may be an identifier.
impl std::fmt::Debug for InContext<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [before, text, after] = [self.before, self.text, self.after].map(str::len);
        write!(formatter, "InContext of {before}, {text} and {after} bytes")
    }
}

/// Whether a sentence says too little to be judged alone. One that announces others (`Plan:`) is context itself.
fn is_fragment(sentence: &str) -> bool {
    let words = without_written(sentence).0;
    !words.ends_with(':') && tokens(words).take(FRAGMENT_TOKENS + 1).count() <= FRAGMENT_TOKENS
}

#[cfg(test)]
mod tests {
    use super::super::sentences;
    use super::*;

    /// The sentences of a text as `before|sentence|after`.
    fn judged(mode: ContextMode, text: &str) -> Vec<String> {
        let cut: Vec<_> = sentences(text).collect();
        mode.sentences(text, &cut)
            .map(|sentence| format!("{}|{}|{}", sentence.before, sentence.text, sentence.after))
            .collect()
    }

    #[test]
    fn fragments_are_judged_with_the_line_before() {
        let text = "RE: Consumer/\nPat\nSeen today with her mother, who says that she is well.\nWell.\nPlan:\n\nRest";
        let long = "|Seen today with her mother, who says that she is well.|";
        assert_eq!(
            judged(ContextMode::Short, text),
            ["|RE: Consumer/|", "RE: Consumer/|Pat|", long, "|Well.|", "|Plan:|", "Plan:|Rest|"]
        );
        assert!(judged(ContextMode::None, text).iter().all(|shown| shown.starts_with('|') && shown.ends_with('|')));
        assert_eq!(judged(ContextMode::Around, "Pat\nMRN 12")[0], "|Pat|MRN 12");
    }

    #[test]
    fn a_line_break_that_is_written_out_is_no_part_of_a_context() {
        let shown = judged(ContextMode::Short, "RE: Consumer/\\nPat\\nWell.\\nRest");
        assert_eq!(shown, ["|RE: Consumer/\\n|", "RE: Consumer/|Pat\\n|", "Pat|Well.\\n|", "|Rest|"]);
    }

    #[test]
    fn what_is_far_or_long_is_no_context() {
        let long = format!("{}words:", "other ".repeat(12));
        assert_eq!(judged(ContextMode::Short, &format!("{long}\nPat")).last().unwrap(), "|Pat|");
        assert_eq!(judged(ContextMode::Short, &format!("Skin:{}Pat", "\n".repeat(40))).last().unwrap(), "|Pat|");
    }

    #[test]
    fn a_text_stays_out_of_logs() {
        let shown = format!("{:?}", InContext { before: "RE:", text: "Okafor", after: "" });
        assert_eq!(shown, "InContext of 3, 6 and 0 bytes");
    }
}
