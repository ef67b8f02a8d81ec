//! Notes before and after: what was replaced, what detection missed, and what was left in on purpose.
//!
//! ```text
//! Seen by Dr. Ann Lee on 3/4/2019. Ring Bo.       gold: DOCTOR, DATE, PATIENT; found: DOCTOR, DATE
//! Seen by Dr. Eve Orr on 2/18/2019. Ring Bo.      candidates: Eve Orr, 2/18/2019, and Bo, which is a leak
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use plainsight::evaluate::derived_kind;
use plainsight::lexicon::{Lexicon, WordFlags};
use plainsight::phi::{Class, Label, Policy, Span};
use plainsight::surrogate::{Key, Surrogates};
use plainsight::text::{TokenKind, tokens};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::groups::{Group, HOSPITALS, PROVIDERS, group};
use crate::sources::SourceNote;

/// What stands in the place of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Surrogates,
    Tags,
    Redaction,
}

/// Why an original still stands in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leak {
    /// No detector found it.
    Missed,
    /// Left in: every word of it is common, as a name or place.
    Common,
    /// Left in: a word of it is rare.
    Rare,
    /// Left in: a word of it is in no lexicon.
    Outside,
    /// Left in: a number, code or date.
    Number,
    /// Left in wherever it occurs: a provider or hospital of several patients.
    Everywhere,
}

impl Leak {
    pub const ALL: [Self; 6] = [Self::Missed, Self::Common, Self::Rare, Self::Outside, Self::Number, Self::Everywhere];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Missed => "missed by the ensemble",
            Self::Common => "left in, common words",
            Self::Rare => "left in, a rare word",
            Self::Outside => "left in, out of lexicon",
            Self::Number => "left in, numbers",
            Self::Everywhere => "left in for all patients",
        }
    }
}

/// Something in the output that looks like an identifier: a surrogate, or a leak.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub range: Range<usize>,
    pub group: Group,
    pub leak: Option<Leak>,
}

/// A note as it leaves.
pub struct Released {
    /// The number of the patient.
    pub patient: usize,
    pub note_type: String,
    /// The day in the structured column, shifted like the dates of the text.
    pub day: Option<i64>,
    pub text: String,
    /// In the order of the text.
    pub candidates: Vec<Candidate>,
    /// The gold, carried over.
    pub gold: Vec<(Range<usize>, String)>,
    pub handwritten: bool,
}

/// The number of a note, and the place in its gold.
type Mention = (usize, usize);
/// Mentions by class and rarity, each with what chance says of it.
type Strata = BTreeMap<(Group, Leak), Vec<(u64, Mention)>>;
/// Who has each value of a class, and where it stands.
type Values<'n> = BTreeMap<(Group, String), (HashSet<&'n str>, Vec<Mention>)>;

/// Which gold spans stay in the output: by note and place in its gold.
pub struct Leaks {
    leaks: HashMap<Mention, Leak>,
    /// Gold spans of which a part was found and another part, with letters or digits, was not. They stay as they are, and count neither
    /// as surrogates nor as leaks.
    pub partial: usize,
    /// Gold spans that the policy removes.
    pub gold: usize,
}

impl Leaks {
    /// The misses, and `share` of what was found: of the mentions by class and rarity, and of the providers and hospitals of three
    /// patients or more wherever they stand.
    pub fn of(notes: &[SourceNote], found: &[Vec<Span>], share: f64, seed: u64) -> Self {
        let mut all = Self { leaks: HashMap::new(), partial: 0, gold: 0 };
        let (mut strata, mut values) = (Strata::new(), Values::new());
        for (at, (note, spans)) in notes.iter().zip(found).enumerate() {
            for (place, gold) in note.gold.iter().enumerate().filter(|(_, gold)| is_removed(note, gold)) {
                if !all.could_be_left(note, spans, (at, place)) {
                    continue;
                }
                let (value, group) = (&note.text[gold.0.clone()], group(gold.1));
                let draw = xxh3_64_with_seed(&[at.to_le_bytes(), place.to_le_bytes()].concat(), seed);
                strata.entry((group, rarity(value))).or_default().push((draw, (at, place)));
                let (patients, mentions) = values.entry((group, value.to_lowercase())).or_default();
                patients.insert(&note.patient);
                mentions.push((at, place));
            }
        }
        for ((_, rarity), mut mentions) in strata {
            mentions.sort_unstable();
            let count = (mentions.len() as f64 * share).ceil() as usize;
            all.leaks.extend(mentions.into_iter().take(count).map(|(_, mention)| (mention, rarity)));
        }
        all.leave_everywhere(values, share, seed);
        all
    }

    /// Counts a gold span, and notes a miss; whether it was found whole and by itself, so that it alone can be left in.
    fn could_be_left(&mut self, note: &SourceNote, spans: &[Span], mention: Mention) -> bool {
        self.gold += 1;
        let range = &note.gold[mention.1].0;
        let over: Vec<&Span> = spans.iter().filter(|span| touches(span, range)).collect();
        if over.is_empty() {
            self.leaks.insert(mention, Leak::Missed);
            return false;
        }
        if !is_covered(&note.text, range, &over) {
            self.partial += 1;
            return false;
        }
        note.gold.iter().filter(|gold| over.iter().any(|span| touches(span, &gold.0))).count() == 1
    }

    fn leave_everywhere(&mut self, values: Values<'_>, share: f64, seed: u64) {
        for wanted in [PROVIDERS, HOSPITALS] {
            let shared = values.iter().filter(|((group, _), (patients, _))| *group == wanted && patients.len() >= 3);
            let mut shared: Vec<_> = shared
                .map(|((_, value), (_, mentions))| (xxh3_64_with_seed(value.as_bytes(), seed), mentions))
                .collect();
            shared.sort_unstable_by_key(|(draw, _)| *draw);
            let count = (shared.len() as f64 * share).ceil() as usize;
            let mentions = shared.into_iter().take(count).flat_map(|(_, mentions)| mentions);
            self.leaks.extend(mentions.map(|mention| (*mention, Leak::Everywhere)));
        }
    }
}

fn is_removed(note: &SourceNote, (range, label): &(Range<usize>, Label)) -> bool {
    Policy::default().removes(Class { label: *label, kind: derived_kind(*label, &note.text[range.clone()]) })
}

fn touches(span: &Span, range: &Range<usize>) -> bool {
    span.start < range.end && range.start < span.end
}

/// Whether every letter and digit of a range is within the spans.
fn is_covered(text: &str, range: &Range<usize>, spans: &[&Span]) -> bool {
    let letters = text[range.clone()].char_indices().filter(|(_, character)| character.is_alphanumeric());
    letters.map(|(at, _)| range.start + at).all(|at| spans.iter().any(|span| (span.start..span.end).contains(&at)))
}

/// How rare the rarest word of a value is.
fn rarity(value: &str) -> Leak {
    let lexicon = Lexicon::shared();
    let mut rarest = Leak::Number;
    for token in tokens(value).filter(|token| token.kind == TokenKind::Word && token.end - token.start > 1) {
        let info = lexicon.word(token.text(value));
        let bearers = info.surname_count.max(info.given_count).max(info.population);
        let of_word = match bearers {
            _ if info.flags == WordFlags::NONE => Leak::Outside,
            1..20_000 => Leak::Rare,
            _ => Leak::Common,
        };
        rarest = if rarest == Leak::Number { of_word } else { rarest.max(of_word) };
    }
    rarest
}

/// The notes as they leave in a mode. Patients are numbered in the order in which they come first.
pub fn release(notes: &[SourceNote], found: &[Vec<Span>], leaks: &Leaks, key: &Key, mode: Mode) -> Vec<Released> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut surrogates: Vec<Surrogates> = Vec::new();
    let mut released = Vec::with_capacity(notes.len());
    for (at, (note, spans)) in notes.iter().zip(found).enumerate() {
        let patient = *numbers.entry(&note.patient).or_insert_with(|| {
            surrogates.push(Surrogates::new(key, &note.patient));
            surrogates.len() - 1
        });
        let leak = |place: usize| leaks.leaks.get(&(at, place)).copied();
        released.push(release_note(note, spans, &leak, &surrogates[patient], patient, mode));
    }
    released
}

fn release_note(
    note: &SourceNote,
    spans: &[Span],
    leak: &dyn Fn(usize) -> Option<Leak>,
    surrogates: &Surrogates,
    patient: usize,
    mode: Mode,
) -> Released {
    let left: Vec<(&Range<usize>, Group, Leak)> = note
        .gold
        .iter()
        .enumerate()
        .filter_map(|(place, (range, label))| Some((range, group(*label), leak(place)?)))
        .collect();
    let (mut text, mut candidates, mut moved, mut at) = (String::new(), Vec::new(), Moved::default(), 0);
    for span in spans.iter().filter(|span| !left.iter().any(|(range, ..)| touches(span, range))) {
        text.push_str(&note.text[at..span.start]);
        let (start, class) = (text.len(), span.leading().class);
        match mode {
            Mode::Surrogates => text.push_str(&surrogates.replace(class, &note.text[span.start..span.end])),
            Mode::Tags => text.push_str(&format!("[{}]", class.label)),
            Mode::Redaction => text.push_str("[REDACTED]"),
        }
        let overlap = |range: &Range<usize>| span.end.min(range.end) - span.start.max(range.start);
        let gold = note.gold.iter().filter(|gold| touches(span, &gold.0)).max_by_key(|gold| overlap(&gold.0));
        let group = group(gold.map_or(class.label, |gold| gold.1));
        candidates.push(Candidate { range: start..text.len(), group, leak: None });
        moved.push(span.start..span.end, start..text.len());
        at = span.end;
    }
    text.push_str(&note.text[at..]);
    for (range, group, leak) in left {
        candidates.push(Candidate { range: moved.range(range), group, leak: Some(leak) });
    }
    candidates.sort_by_key(|candidate| candidate.range.start);
    let gold = note.gold.iter().map(|(range, label)| (moved.range(range), label.name().to_owned())).collect();
    let day = note.day.map(|day| day + surrogates.date_shift_days());
    let (note_type, handwritten) = (note.note_type.clone(), note.handwritten);
    Released { patient, note_type, day, text, candidates, gold, handwritten }
}

/// Replaced ranges, before and after, in order.
#[derive(Default)]
pub struct Moved(Vec<(Range<usize>, Range<usize>)>);

impl Moved {
    /// Adds a range behind the others.
    pub fn push(&mut self, before: Range<usize>, after: Range<usize>) {
        self.0.push((before, after));
    }

    /// Where a range is now; an end inside of something replaced goes to that end of it.
    pub fn range(&self, range: &Range<usize>) -> Range<usize> {
        let place = |at: usize, is_end: bool| {
            let Some((old, new)) = self.0.iter().take_while(|(old, _)| old.start < at).last() else { return at };
            match () {
                () if at >= old.end => new.end + (at - old.end),
                () if is_end => new.end,
                () => new.start,
            }
        };
        place(range.start, false)..place(range.end, true)
    }
}
