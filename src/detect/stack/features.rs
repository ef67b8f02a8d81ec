//! What a stack knows of a word: who claims it, how, and what it looks like.
//!
//! ```text
//! of each member   claims · score · log-odds · before · after · person | site | place | time | number | other
//! of the word      members · alike · agreement · pattern · dictionary · unasked
//!                  digits · mixed · capital · capitals · short · length · first
//!                  common · english · medical · given · surname · place-name · site-word · eponym
//! ```
//!
//! Every feature lies in [−1, 1], so that one penalty suits all weights. They depend on the sentence and the claims only.

use crate::detect::gate::{COMMONEST, ORDINARY, SITE};
use crate::detect::veto::SURE;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Detector, Label, Span};
use crate::text::{Token, TokenKind, tokens};

/// What is counted of each member, in order.
pub(super) const MEMBER_FEATURES: &[&str] = &[
    "claims",   // 1 where it claims the word
    "score",    // how sure it is, in (0, 1]
    "log-odds", // the same as the logarithm of odds, cut at ±5, over 5
    "before",   // how sure it is of the word before
    "after",    // and of the one after
    "person",   // what it claims the word to be: one of six
    "site", "place", "time", "number", "other",
];
/// What is counted of the word, in order.
pub(super) const WORD_FEATURES: &[&str] = &[
    "members",   // the share of members that claim it
    "alike",     // the share of pairs of these that claim it to be the same
    "agreement", // the share of pairs of these whose claims begin and end at the same words
    "pattern",
    "dictionary",
    "unasked", // trained members were not asked about the sentence
    "digits",
    "mixed", // letters and digits
    "capital",
    "capitals", // all of them, of two letters or more
    "short",    // one letter or two
    "length",   // in characters up to twelve, over twelve
    "first",    // of the sentence
    "common",   // one of the commonest words of English
    "english",
    "medical",
    "given",
    "surname",
    "place-name",
    "site-word",
    "eponym",
];

const MEDICAL: WordFlags = WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::ABBREVIATION);
const GIVEN: WordFlags = WordFlags::GIVEN_NAME.union(WordFlags::NICKNAME);
const PLACE: WordFlags = WordFlags::CITY
    .union(WordFlags::STATE)
    .union(WordFlags::COUNTY)
    .union(WordFlags::COUNTRY)
    .union(WordFlags::LANDMARK)
    .union(WordFlags::STREET_SUFFIX);
/// Logarithms of odds are cut here.
const FARTHEST: f64 = 5.0;
/// How many groups of labels there are.
const GROUPS: usize = 6;

/// A member's claim of one word.
#[derive(Debug, Clone, Copy)]
struct Claimed {
    score: f64,
    group: usize,
    /// The first and the last of the words that it claims in a row.
    run: (usize, usize),
}

/// The words of a sentence that have a letter or digit, with what each member claims of them.
pub(crate) struct Words<'s> {
    sentence: &'s str,
    pub(super) words: Vec<Token>,
    /// By member, then by word.
    claims: Vec<Vec<Option<Claimed>>>,
    /// Whether a word stays whoever judges, and whether a pattern or a dictionary claims it.
    exempt: Vec<bool>,
    by_knowledge: Vec<(bool, bool)>,
    asked: bool,
}

/// Whether a claim stands whatever a stack says: patterns of certain form, and what a template, the record, another note or the
/// site's own dictionary tells.
pub(super) fn is_exempt(span: &Span) -> bool {
    span.claims.iter().any(|claim| match claim.detector {
        Detector::Pattern => claim.score >= SURE,
        Detector::Template | Detector::Record | Detector::SecondPass | Detector::Site => true,
        Detector::Dictionary => claim.score >= 1.0,
        Detector::Crf | Detector::Transformer => false,
    })
}

/// Whether all that is claimed is a clock time, which is no identifier.
pub(super) fn is_time(span: &Span) -> bool {
    span.claims.iter().all(|claim| claim.class.label == Label::Time)
}

impl<'s> Words<'s> {
    /// The words of a sentence; `members` are each member's spans, `asked` tells whether trained ones were asked.
    pub(crate) fn new(sentence: &'s str, members: &[&[Span]], asked: bool) -> Self {
        let words: Vec<Token> = tokens(sentence).filter(|token| token.kind != TokenKind::Punctuation).collect();
        let mut exempt = vec![false; words.len()];
        let mut by_knowledge = vec![(false, false); words.len()];
        for span in members.iter().copied().flatten().filter(|span| !is_time(span)) {
            let is_by = |detector| span.claims.iter().any(|claim| claim.detector == detector);
            for at in touched(&words, span) {
                exempt[at] |= is_exempt(span);
                by_knowledge[at].0 |= is_by(Detector::Pattern);
                by_knowledge[at].1 |= is_by(Detector::Dictionary) || is_by(Detector::Site);
            }
        }
        let claims = members.iter().map(|spans| claims(&words, spans)).collect();
        Self { sentence, words, claims, exempt, by_knowledge, asked }
    }

    /// The number of words.
    pub(super) const fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether a word stays whoever judges.
    pub(super) fn is_exempt(&self, at: usize) -> bool {
        self.exempt[at]
    }

    /// Whether any member claims a word.
    pub(super) fn is_claimed(&self, at: usize) -> bool {
        self.claims.iter().any(|member| member[at].is_some())
    }

    /// The words that a stack decides about, as byte ranges of the sentence with their features.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = (std::ops::Range<usize>, Vec<f64>)> {
        let open = (0..self.len()).filter(|&at| self.is_claimed(at) && !self.is_exempt(at));
        open.map(|at| (self.words[at].start..self.words[at].end, self.features(at)))
    }

    /// The features of a word.
    pub(super) fn features(&self, at: usize) -> Vec<f64> {
        let mut features = Vec::with_capacity(super::width(self.claims.len()));
        for member in &self.claims {
            let score = |at: Option<usize>| at.and_then(|at| *member.get(at)?).map_or(0.0, |claim| claim.score);
            let own = score(Some(at));
            features.extend([if member[at].is_some() { 1.0 } else { 0.0 }, own]);
            features.push(member[at].map_or(0.0, |_| (own / (1.0 - own)).ln().clamp(-FARTHEST, FARTHEST) / FARTHEST));
            features.extend([score(at.checked_sub(1)), score(Some(at + 1))]);
            let group = member[at].map(|claim| claim.group);
            features.extend((0..GROUPS).map(|other| if group == Some(other) { 1.0 } else { 0.0 }));
        }
        self.of_claims(at, &mut features);
        self.of_shape(at, &mut features);
        self.of_vocabulary(at, &mut features);
        features
    }

    fn of_claims(&self, at: usize, features: &mut Vec<f64>) {
        let claims: Vec<Claimed> = self.claims.iter().filter_map(|member| member[at]).collect();
        let pairs: Vec<(Claimed, Claimed)> = (1..claims.len())
            .flat_map(|later| claims[..later].iter().map(move |one| (*one, later)))
            .map(|(one, later)| (one, claims[later]))
            .collect();
        let share = |alike: fn(&(Claimed, Claimed)) -> bool| {
            pairs.iter().filter(|pair| alike(pair)).count() as f64 / pairs.len().max(1) as f64
        };
        features.push(claims.len() as f64 / self.claims.len().max(1) as f64);
        features.push(share(|(one, other)| one.group == other.group));
        features.push(share(|(one, other)| one.run == other.run));
        let (pattern, dictionary) = self.by_knowledge[at];
        features.extend([pattern, dictionary, !self.asked].map(f64::from));
    }

    fn of_shape(&self, at: usize, features: &mut Vec<f64>) {
        let word = self.words[at].text(self.sentence);
        let length = word.chars().count();
        let kind = self.words[at].kind;
        let shouted = length > 1 && kind == TokenKind::Word && !word.contains(char::is_lowercase);
        features.extend(
            [
                kind == TokenKind::Number,
                kind == TokenKind::Alphanumeric,
                word.starts_with(char::is_uppercase),
                shouted,
                length <= 2 && kind == TokenKind::Word,
            ]
            .map(f64::from),
        );
        features.push(length.min(12) as f64 / 12.0);
        features.push(f64::from(at == 0));
    }

    fn of_vocabulary(&self, at: usize, features: &mut Vec<f64>) {
        let info = Lexicon::shared().word(self.words[at].text(self.sentence));
        let ordinary = |most: u8| info.english_size().is_some_and(|size| size <= most);
        let known =
            [MEDICAL, GIVEN, WordFlags::SURNAME, PLACE, SITE, WordFlags::EPONYM].map(|flags| info.is_any(flags));
        features.extend([ordinary(COMMONEST), ordinary(ORDINARY)].into_iter().chain(known).map(f64::from));
    }
}

/// What a member claims of each word; clock times count for nothing.
fn claims(words: &[Token], spans: &[Span]) -> Vec<Option<Claimed>> {
    let mut claims: Vec<Option<Claimed>> = vec![None; words.len()];
    for span in spans.iter().filter(|span| !is_time(span)) {
        let score = span.claims.iter().map(|claim| f64::from(claim.score)).fold(0.0, f64::max);
        let group = group(span.leading().class.label);
        for at in touched(words, span) {
            if claims[at].is_none_or(|other| other.score < score) {
                claims[at] = Some(Claimed { score, group, run: (at, at) });
            }
        }
    }
    let mut first = 0;
    for run in claims.chunk_by_mut(|one, next| one.is_some() && next.is_some()) {
        let ends = (first, first + run.len() - 1);
        run.iter_mut().flatten().for_each(|claim| claim.run = ends);
        first += run.len();
    }
    claims
}

/// The words that a span touches.
pub(super) fn touched(words: &[Token], span: &Span) -> std::ops::Range<usize> {
    let first = words.partition_point(|word| word.end <= span.start);
    first..first.max(words.partition_point(|word| word.start < span.end))
}

/// Which of the groups a label is of: person, site, place, time, number, other.
const fn group(label: Label) -> usize {
    match label {
        Label::Patient | Label::Doctor | Label::Username => 0,
        Label::Hospital | Label::Organization => 1,
        Label::Street | Label::City | Label::State | Label::Country | Label::Zip | Label::LocationOther => 2,
        Label::Date | Label::Age | Label::Time => 3,
        Label::Phone | Label::Fax => 4,
        number if number.is_number() => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(names: &[&'static str], values: &[f64]) -> Vec<(&'static str, f64)> {
        names.iter().copied().zip(values.iter().copied()).filter(|(_, value)| *value != 0.0).collect()
    }

    #[test]
    fn what_is_claimed_of_a_word_and_what_it_looks_like() {
        let sentence = "Seen by Rose Okafor.";
        let knowledge = [Span::new(13, 19, Label::Doctor, Detector::Dictionary, 0.7)];
        let model = [
            Span::new(8, 12, Label::Doctor, Detector::Transformer, 0.5),
            Span::new(13, 19, Label::Patient, Detector::Transformer, 0.9),
        ];
        let words = Words::new(sentence, &[&knowledge, &model], true);
        let candidates: Vec<_> = words.candidates().collect();
        assert_eq!(
            candidates.iter().map(|(range, _)| &sentence[range.clone()]).collect::<Vec<_>>(),
            ["Rose", "Okafor"]
        );
        let (members, word) = candidates[1].1.split_at(2 * MEMBER_FEATURES.len());
        let of_model = named(MEMBER_FEATURES, &members[MEMBER_FEATURES.len()..]);
        assert_eq!(of_model[..2], [("claims", 1.0), ("score", f64::from(0.9f32))]);
        assert_eq!(of_model[3..], [("before", 0.5), ("person", 1.0)]);
        let of_word: Vec<_> = named(WORD_FEATURES, word).into_iter().map(|(name, _)| name).collect();
        assert_eq!(of_word[..5], ["members", "alike", "dictionary", "capital", "length"]);
        assert!(of_word.contains(&"surname") && !of_word.contains(&"agreement"));
    }

    #[test]
    fn sure_patterns_and_a_sites_own_terms_are_not_for_a_stack_to_judge() {
        let exempt = |detector, score| is_exempt(&Span::new(0, 4, Label::Date, detector, score));
        assert!(exempt(Detector::Pattern, 1.0) && !exempt(Detector::Pattern, 0.6));
        assert!(exempt(Detector::Dictionary, 1.0) && !exempt(Detector::Dictionary, 0.95));
        assert!(exempt(Detector::Record, 0.1) && exempt(Detector::SecondPass, 0.1) && !exempt(Detector::Crf, 1.0));
    }

    proptest! {
        #[test]
        fn features_have_their_number_and_are_bounded(
            sentence in "[A-Za-z0-9é ,.'-]{0,40}",
            spans in prop::collection::vec((0_usize..45, 1_usize..12, 0_usize..28, 0.001f32..=1.0), 0..8), asked: bool
        ) {
            let spans: Vec<Span> = spans
                .into_iter()
                .map(|(start, length, label, score)| Span::new(start, start + length, Label::ALL[label], Detector::Crf, score))
                .collect();
            let (one, other) = spans.split_at(spans.len() / 2);
            for (range, features) in Words::new(&sentence, &[one, other], asked).candidates() {
                prop_assert!(sentence.get(range).is_some());
                prop_assert_eq!(features.len(), super::super::width(2));
                prop_assert!(features.iter().all(|feature| (-1.0..=1.0).contains(feature)), "{:?}", features);
            }
        }
    }
}
