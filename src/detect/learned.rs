//! What models claim, taken in beside what is known.
//!
//! ```text
//! known     Seen [3/4/2019] by Dr. [Okafor]            known, and sure
//! a model   Seen [3/4/2019 14:20] by [Dr. Okafor-Bell]
//! taken in  Seen [3/4/2019] 14:20 by Dr. [Okafor-Bell]
//! ```
//!
//! A model is trained to see what rules miss, and its boundaries are less sure than theirs. So a claim of another kind than the
//! known span that it overlaps names that span too, but does not widen it: what it covers besides becomes a span of its own, where
//! that holds a letter or digit. A claim of the same kind is united with it, for a name's other half belongs to the name.
//! Sub-kinds, which models are not taught, come from the claimed words.

use std::net::{IpAddr, Ipv4Addr};

use super::doubts::possessive;
use super::listed::listed;
use super::patterns::PatternDetector;
use super::{DetectError, Judged, SentenceDetector, days};
use crate::phi::{Claim, Class, Detector, Kind, Label, Span};

/// A member of the ensemble that was trained, and judges many sentences at a time.
///
/// What it finds in a sentence follows from the sentence and the model alone, never from its neighbours in the slice.
pub trait LearnedDetector: Send + Sync {
    /// Who makes the claims.
    fn detector(&self) -> Detector;

    /// What it is, for people: model, version, what computes it.
    fn description(&self) -> String;

    /// Which model it is, whatever computes it: what is trained over its claims is for this model only.
    fn model(&self) -> String {
        self.description()
    }

    /// How it could be made faster on this machine, for people; none where nothing would.
    fn advice(&self) -> Option<&'static str> {
        None
    }

    /// Whether it is shown views of sentences, known values and long numbers replaced by fixed ones: for members so dear that it pays.
    fn takes_views(&self) -> bool {
        false
    }

    /// Whether it may claim a label, or one that is often taken for it: who may not has no vote on it.
    fn speaks_of(&self, _label: Label) -> bool {
        true
    }

    /// Whether it was taught a label, so that where it finds none there likely is none.
    fn knows(&self, _label: Label) -> bool {
        false
    }

    /// What is found in each sentence, as byte ranges of it on character boundaries.
    ///
    /// # Errors
    /// Where a model's runtime fails: a run must stop then, for going on would mean fewer detectors than were asked for.
    fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError>;

    /// What is said of each sentence before thresholds: from it [`LearnedDetector::decide`] makes what `detect_all` finds.
    ///
    /// # Errors
    /// As `detect_all`.
    fn judge_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Judged>>, DetectError> {
        Ok(self.detect_all(sentences)?.iter().map(|spans| Judged::of_spans(spans)).collect())
    }

    /// What is found by today's thresholds in a sentence of which this was judged.
    fn decide(&self, judged: &[Judged]) -> Vec<Span> {
        Judged::spans(judged)
    }

    /// What `decide` depends on besides: thresholds and the like.
    fn dial(&self) -> String {
        String::new()
    }

    /// A digest of all that `judge_all` depends on: the model, what computes it, and this code's version; no threshold.
    fn fingerprint(&self) -> String {
        self.description()
    }
}

/// Labels that are so alike that overlapping claims of them are one identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Person,
    Site,
    Place,
    Time,
    Number,
    Other(Label),
}

impl Family {
    pub(super) const fn of(label: Label) -> Self {
        match label {
            Label::Patient | Label::Doctor => Self::Person,
            Label::Hospital | Label::Organization => Self::Site,
            Label::City | Label::State | Label::Country | Label::LocationOther => Self::Place,
            Label::Date | Label::Time => Self::Time,
            number if number.is_number() => Self::Number,
            other => Self::Other(other),
        }
    }
}

/// Adds `claimed`, what models found in `sentence`, to `known`, united spans in order; the result may overlap.
pub(super) fn take_in(sentence: &str, known: &mut Vec<Span>, claimed: Vec<Span>) {
    let before = known.len();
    // Clock times are in no policy; the patterns find those that templates need.
    for mut span in claimed.into_iter().filter(|span| span.claims[0].class.label != Label::Time) {
        span.claims.iter_mut().for_each(|claim| claim.class = with_kind(claim.class, &sentence[span.start..span.end]));
        let label = span.claims[0].class.label;
        let overlapped: Vec<usize> =
            (0..before).filter(|&index| known[index].start < span.end && span.start < known[index].end).collect();
        let akin = |index: &usize| {
            known[*index].claims.iter().any(|claim| Family::of(claim.class.label) == Family::of(label))
                && label != Label::Date
        };
        if overlapped.iter().all(akin) {
            known.push(span);
            continue;
        }
        let mut at = span.start;
        let mut outside = Vec::new();
        for index in overlapped {
            outside.push((at, known[index].start));
            at = at.max(known[index].end);
            // `Jan 28` of `V Lamb, MD Jan 28`
            let is_day = days::is_person(&span) && days::is_day(sentence, &known[index]);
            let mut days = known[index].claims.iter().filter(|claim| claim.class.label == Label::Date).peekable();
            let weekday = days.peek().is_some() && days.all(|claim| claim.class.kind == Kind::DateWeekday);
            known[index].claims.extend(span.claims.iter().map(|claim| match weekday {
                // `Wed` of `Wed Jan 7`: what is claimed as one has a part that the policy may keep.
                true if label == Label::Date => Claim { class: WEEKDAY, ..*claim },
                _ if is_day => days::guessed(claim),
                _ => *claim,
            }));
        }
        outside.push((at, span.end));
        for (start, end) in outside {
            // What is left of a possessive is no part of anything.
            let start = start + possessive(&sentence[..start], &sentence[start..end.max(start)]);
            if start < end && sentence[start..end].contains(char::is_alphanumeric) {
                let is_weekday = label == Label::Date && is_weekday(&sentence[start..end]);
                let claims = span
                    .claims
                    .iter()
                    .map(|claim| if is_weekday { Claim { class: WEEKDAY, ..*claim } } else { *claim });
                known.push(Span { start, end, claims: claims.collect() });
            }
        }
    }
}

/// What a weekday is, also beside its date.
const WEEKDAY: Class = Class { label: Label::Date, kind: Kind::DateWeekday };

/// Whether words are the name of a weekday alone: of a short one, `Sun`, patterns are not sure.
fn is_weekday(words: &str) -> bool {
    listed!(
        words.trim_matches(|c: char| !c.is_alphanumeric()),
        "mon tue tues wed weds thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday"
    )
}

/// The class with the sub-kind that all of the claimed words tell: a policy may keep years, or ages of up to 89, but not a name beside one.
/// What a model takes for a web address may be that of a computer.
pub(super) fn with_kind(class: Class, words: &str) -> Class {
    if class.kind != Kind::Unknown {
        return class;
    }
    match class.label {
        Label::Date if is_weekday(words) => WEEKDAY,
        Label::Date => kind_of(class, words, BESIDE_DATES),
        Label::Age => match kind_of(class, &format!("aged {words}"), BESIDE_AGES) {
            // `ninetyone`, `ninty two`: however it is spelt, it is told by its beginning.
            Class { kind: Kind::Unknown, .. } if begins_as_ninety(words) => Class { kind: Kind::AgeOver89, ..class },
            Class { kind: Kind::Unknown, .. } => by_digits(class, words),
            told => told,
        },
        Label::Url if is_of_a_computer(words) => Class::of(Label::IpAddr),
        _ => class,
    }
}

fn begins_as_ninety(words: &str) -> bool {
    let small = words.to_lowercase();
    small
        .split(|letter: char| !letter.is_alphabetic())
        .any(|word| word.starts_with("ninet") && !word.starts_with("nineteen") || word.starts_with("ninty"))
}

/// `10.20.4.17`, `10.20.4.0/24`, `10.20.4.17:8080`, `fe80::1`.
fn is_of_a_computer(words: &str) -> bool {
    let host = words.split_once('/').map_or(words, |(host, _)| host);
    let bare = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host.parse::<IpAddr>().is_ok() || bare.parse::<Ipv4Addr>().is_ok()
}

/// Words beside a date that tell nobody anything.
const BESIDE_DATES: &str = "the of on at in last next this past since from until till by to and or early late mid middle end beginning start \
    around about approximately circa ca year years month week morning afternoon evening night am pm";
/// And beside an age.
const BESIDE_AGES: &str = "age aged ages year years yr yrs y yo yom yof yow ym yf old o m f w month months mo mos week weeks wk wks day days d s ies \
    male female man woman boy girl lady gentleman child infant baby toddler young early late mid middle to or and of in at the a her his their \
    yoaam yoaaf yowm yowf yobm yobf yohm yohf aam aaf wm wf bm bf hm hf something ish \
    about approximately approx almost nearly over under around roughly just turning turned now half th st nd rd ans an años anos año ano jahre jahr \
    jaar anni lat";

/// What the patterns say of the words by themselves, where nothing is beside it but some others.
fn kind_of(class: Class, words: &str, beside: &str) -> Class {
    let mut spans = Vec::new();
    PatternDetector::new().detect(words, &mut spans);
    let claims = spans.iter().flat_map(|span| &span.claims);
    let told = || claims.clone().map(|claim| claim.class).filter(|told| told.label == class.label);
    // `Tues 14`, `Friday the fourteenth`: a weekday is the least of it.
    let is_named_day = |told: &Class| matches!(told.kind, Kind::DateWeekday | Kind::DateHoliday);
    let Some(kind) = told().find(|told| !is_named_day(told)).or_else(|| told().next()) else { return class };
    let is_part =
        |span: &Span| matches!(span.leading().class.label, Label::Time) || span.leading().class.label == class.label;
    let is_covered = |at: usize| spans.iter().any(|span| is_part(span) && (span.start..span.end).contains(&at));
    let rest = words.char_indices().map(|(at, letter)| if is_covered(at) { ' ' } else { letter });
    if is_of_words(&rest.collect::<String>(), beside) { kind } else { class }
}

/// Whether a text has no words but these.
fn is_of_words(text: &str, words: &str) -> bool {
    let mut found = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    found.all(|word| words.split_ascii_whitespace().any(|other| other == word.to_lowercase()))
}

fn by_digits(class: Class, words: &str) -> Class {
    if !is_of_words(&words.replace(|character: char| character.is_ascii_digit(), " "), BESIDE_AGES) {
        return class;
    }
    let numbers = words.split(|character: char| !character.is_ascii_digit()).filter(|digits| !digits.is_empty());
    // More digits than an age has are still more than 89.
    match numbers.map(|digits| digits.parse().unwrap_or(u32::MAX)).max() {
        Some(0..=89) => Class { kind: Kind::AgeUpTo89, ..class },
        Some(_) => Class { kind: Kind::AgeOver89, ..class },
        None => class,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phi::unite;

    fn span(sentence: &str, words: &str, label: Label, detector: Detector) -> Span {
        let start = sentence.find(words).expect("the words are in the sentence");
        Span::new(start, start + words.len(), label, detector, 0.9)
    }

    fn taken_in(sentence: &str, known: &[(&str, Label)], claimed: &[(&str, Label)]) -> Vec<String> {
        let spans = |list: &[(&str, Label)], detector| {
            list.iter().map(|(words, label)| span(sentence, words, *label, detector)).collect::<Vec<_>>()
        };
        let mut known = spans(known, Detector::Pattern);
        take_in(sentence, &mut known, spans(claimed, Detector::Transformer));
        unite(known).iter().map(|span| sentence[span.start..span.end].to_owned()).collect()
    }

    #[test]
    fn a_person_that_goes_on_into_a_day_ends_before_it() {
        let sentence = "cosigned V Lamb, MD Jan 28 at noon";
        let mut known = vec![span(sentence, "Jan 28", Label::Date, Detector::Pattern)];
        take_in(sentence, &mut known, vec![span(sentence, "V Lamb, MD Jan 28", Label::Doctor, Detector::Transformer)]);
        let spans = unite(known);
        let labels: Vec<_> =
            spans.iter().map(|span| (span.leading().class.label, &sentence[span.start..span.end])).collect();
        assert_eq!(labels, [(Label::Doctor, "V Lamb, MD "), (Label::Date, "Jan 28")]);
    }

    #[test]
    fn the_address_of_a_computer_is_no_url() {
        let label = |words: &str| with_kind(Class::of(Label::Url), words).label;
        for words in ["10.20.4.17", "10.20.4.0/24", "10.20.4.17:8080", "fe80::1"] {
            assert_eq!(label(words), Label::IpAddr, "{words}");
        }
        for words in ["www.example.org", "example.org/10.20.4.17", "10.20.4.17.example.org"] {
            assert_eq!(label(words), Label::Url, "{words}");
        }
    }

    #[test]
    fn a_weekday_with_a_number_is_no_weekday_alone() {
        let kind = |words: &str| with_kind(Class::of(Label::Date), words).kind;
        for words in ["Tues 14", "Friday the fourteenth", "Monday 14."] {
            assert_eq!(kind(words), Kind::Unknown, "{words}");
        }
        for words in ["Tuesday", "Monday morning", "on Friday"] {
            assert_eq!(kind(words), Kind::DateWeekday, "{words}");
        }
        assert_eq!(kind("Tuesday 3/4/2019"), Kind::DateFull);
    }

    #[test]
    fn a_claim_of_another_kind_does_not_widen_what_is_known() {
        let sentence = "Seen 3/4/2019 14:20 by Okafor-Bell";
        let found = taken_in(sentence, &[("3/4/2019", Label::Date)], &[("Seen 3/4/2019", Label::Patient)]);
        assert_eq!(found, ["Seen ", "3/4/2019"]);
        let found = taken_in(sentence, &[("Okafor", Label::Doctor)], &[("Okafor-Bell", Label::Patient)]);
        assert_eq!(found, ["Okafor-Bell"]);
        let found = taken_in(sentence, &[("3/4/2019", Label::Date)], &[("3/4/2019 14:20", Label::Date)]);
        assert_eq!(found, ["3/4/2019", " 14:20"]);
    }

    #[test]
    fn sub_kinds_are_told_by_the_words() {
        let kind = |label, words| with_kind(Class::of(label), words).kind;
        assert_eq!(kind(Label::Age, "57"), Kind::AgeUpTo89);
        assert_eq!(kind(Label::Age, "94"), Kind::AgeOver89);
        assert_eq!(kind(Label::Age, "late 30s"), Kind::AgeUpTo89);
        assert_eq!(kind(Label::Age, "ninety-two"), Kind::AgeOver89);
        assert_eq!(kind(Label::Age, "of a certain age"), Kind::Unknown);
        assert_eq!(kind(Label::Date, "3/4/2019"), Kind::DateFull);
        assert_eq!(kind(Label::Date, "Tuesday"), Kind::DateWeekday);
        assert_eq!(kind(Label::City, "57"), Kind::Unknown);
        assert_eq!(kind(Label::Age, "45 y/o man"), Kind::AgeUpTo89);
        assert_eq!(kind(Label::Date, "the summer of 2019"), Kind::DateSeason);
    }

    #[test]
    fn what_stands_beside_a_year_or_an_age_is_not_kept_with_it() {
        let kind = |label, words| with_kind(Class::of(label), words).kind;
        for words in ["Kowalski 1942", "1942 Kowalski", "Kowalski, summer", "Monday Kowalski", "555-0134 2019"] {
            assert_eq!(kind(Label::Date, words), Kind::Unknown, "{words}");
        }
        for words in ["45 Kowalski", "Kowalski 45", "forty Kowalski"] {
            assert_eq!(kind(Label::Age, words), Kind::Unknown, "{words}");
        }
    }

    proptest! {
        #[test]
        fn no_claimed_letter_is_lost_and_nothing_else_is_claimed(
            text in "[B-HJ-Z0-9 ,.É]{1,40}",
            known in prop::collection::vec((0_usize..40, 1_usize..9, 0_usize..28), 0..4),
            claimed in prop::collection::vec((0_usize..40, 1_usize..15, 0_usize..28), 0..4)
        ) {
            let spans = |list: &[(usize, usize, usize)], detector| -> Vec<Span> {
                let placed = list.iter().map(|&(start, length, label)| {
                    let on = |mut at: usize| { at = at.min(text.len()); while !text.is_char_boundary(at) { at -= 1; } at };
                    Span::new(on(start), on(start + length), Label::ALL[label], detector, 0.9)
                });
                placed.filter(|span| !span.is_empty()).collect()
            };
            let mut found = unite(spans(&known, Detector::Pattern));
            let mut claimed = spans(&claimed, Detector::Transformer);
            claimed.retain(|span| span.claims[0].class.label != Label::Time);
            let mut expected = vec![false; text.len()];
            for span in found.iter().chain(&claimed) {
                expected[span.start..span.end].fill(true);
            }
            take_in(&text, &mut found, claimed);
            let covered = |at: usize| found.iter().any(|span| span.start <= at && at < span.end);
            for (at, character) in text.char_indices().filter(|(_, character)| character.is_alphanumeric()) {
                prop_assert_eq!(covered(at), expected[at], "{} at {}", character, at);
            }
        }
    }

    #[test]
    fn a_weekday_stays_one_where_its_date_is_claimed_with_it() {
        let weekday = Span::new(0, 3, WEEKDAY, Detector::Pattern, 0.85);
        let date = Span::new(4, 15, Class { label: Label::Date, kind: Kind::DateFull }, Detector::Pattern, 1.0);
        let mut known = vec![weekday, date];
        take_in("Wed Jan 07 2015", &mut known, vec![Span::new(0, 15, Label::Date, Detector::Transformer, 0.9)]);
        let kinds: Vec<Vec<Kind>> =
            known.iter().map(|span| span.claims.iter().map(|claim| claim.class.kind).collect()).collect();
        assert_eq!(kinds, [[Kind::DateWeekday; 2], [Kind::DateFull; 2]]);
    }
}
