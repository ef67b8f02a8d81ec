//! What is known of a word wherever it stands, found out once for each word of a vocabulary that repeats itself.
//!
//! ```text
//! "Foley" ─▶ Capital · no marker · SURNAME CITY EPONYM … · cues EPONYM PHRASE
//! ```
//!
//! Few distinct words make most of a text, so each thread keeps the facts of those that it met last, in two million bytes.

use std::cell::RefCell;

use super::cues::{Cues, Listing};
use super::cut::{self, Cut};
use super::{MEDICAL, Shape};
use crate::detect::short_word::{hash_of, number_of};
use crate::lexicon::{Lexicon, PhrasePart, WordFlags, WordInfo};

/// What a word says by its letters alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    pub(super) shape: Shape,
    pub(super) known: WordInfo,
    pub(super) part: PhrasePart,
    pub(super) listing: Listing,
}

impl Facts {
    fn of(text: &str, lexicon: &Lexicon) -> Self {
        let (info, part) = lexicon.word_and_part(text);
        let (shape, known) = match shape_of(text) {
            Shape::Lower => match lost_capital(text, lexicon) {
                Some(lost) => (Shape::Capital, lost),
                None => (Shape::Lower, info),
            },
            shape => (shape, written(text, info, shape, lexicon)),
        };
        let mut listing = Listing::of(text);
        if part.begins {
            listing.cues |= Cues::PHRASE;
        }
        if (info.is(WordFlags::EPONYM) || text.contains(['\'', '’'])) && lexicon.eponym(text).is_some() {
            listing.cues |= Cues::EPONYM;
        }
        Self { shape, known, part, listing }
    }
}

/// As many words as are kept; a power of two.
const KEPT: usize = 1 << 15;

/// A word and its facts, in one line of the cache.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Place(Option<(u128, Facts)>);

/// The facts of the words that were met last, each at one of two places that its letters say.
pub(super) struct Memory {
    places: Vec<Place>,
    /// Room for the words of a sentence, kept from one to the next.
    cuts: Vec<Cut>,
}

impl Memory {
    const fn new() -> Self {
        Self { places: Vec::new(), cuts: Vec::new() }
    }

    /// The words of a sentence, whose places are looked at all at once: a processor waits for several lines of memory no longer
    /// than for one.
    pub(super) fn cut(&mut self, sentence: &str) -> Vec<Cut> {
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.clear();
        cut::cut(sentence, &mut cuts);
        if !self.places.is_empty() {
            let taken = cuts.iter().filter_map(|cut| number_of(&sentence.as_bytes()[cut.start..cut.end]));
            std::hint::black_box(taken.filter(|&key| self.places[place_of(key)].0.is_some()).count());
        }
        cuts
    }

    /// Takes the room for words back.
    pub(super) fn give_back(&mut self, cuts: Vec<Cut>) {
        self.cuts = cuts;
    }

    /// The facts of a word.
    pub(super) fn facts(&mut self, text: &str, lexicon: &Lexicon) -> Facts {
        // Longer words are rare, and looked up each time.
        let Some(key) = number_of(text.as_bytes()) else { return Facts::of(text, lexicon) };
        if self.places.is_empty() {
            self.places.resize(KEPT, Place::default());
        }
        let first = place_of(key);
        let second = first ^ 1;
        for place in [first, second] {
            if let Some((known, facts)) = &self.places[place].0
                && *known == key
            {
                return *facts;
            }
        }
        let facts = Facts::of(text, lexicon);
        if let Some(before) = self.places[first].0.replace((key, facts)) {
            self.places[second].0 = Some(before);
        }
        facts
    }
}

/// The first of the two places of a word.
fn place_of(key: u128) -> usize {
    (hash_of(key) >> 40) as usize % KEPT
}

thread_local! {
    static MEMORY: RefCell<Memory> = const { RefCell::new(Memory::new()) };
}

/// Calls `task` with the memory of this thread, which `task` must not ask for again.
pub(super) fn with_memory<T>(task: impl FnOnce(&mut Memory) -> T) -> T {
    MEMORY.with_borrow_mut(task)
}

/// What is known of a word with a capital: of the whole, or of the halves of a double name (`Baptiste-Lowe`), or of what
/// a scanner misread (`L0WELL`).
fn written(text: &str, info: WordInfo, shape: Shape, lexicon: &Lexicon) -> WordInfo {
    if info != WordInfo::UNKNOWN || shape == Shape::Initial {
        return info;
    }
    if let Some((left, right)) = text.split_once(['-', '‑']) {
        let (left, right) = (lexicon.word(left), lexicon.word(right));
        let bearers = |info: &WordInfo| info.surname_count.max(info.given_count);
        let other = |info: &WordInfo| {
            info.is(WordFlags::EPONYM) && bearers(info) < 100_000
                || bearers(info) < 500 && (info.is_any(MEDICAL) || info.english_size().is_some_and(|size| size <= 60))
        };
        if other(&left) || other(&right) {
            let mut eponym = WordInfo::UNKNOWN;
            eponym.flags = WordFlags::EPONYM;
            return eponym;
        }
        // The half that is nothing but a name tells most.
        let rank = |info: &WordInfo| (bearers(info) > 0 && info.english_size().is_none(), bearers(info));
        return if rank(&left) > rank(&right) { left } else { right };
    }
    if text.bytes().any(|byte| byte.is_ascii_digit()) { misread(text, lexicon) } else { info }
}

/// What is known of a word with digits in the place of letters, read with whichever letters make a name.
pub(super) fn misread(text: &str, lexicon: &Lexicon) -> WordInfo {
    let first = lexicon.word(&as_letters(text, 'I'));
    let second = lexicon.word(&as_letters(text, 'L'));
    let bearers = |info: &WordInfo| info.surname_count.max(info.given_count);
    if bearers(&second) > bearers(&first) { second } else { first }
}

/// The letters that a scanner took for digits; `one` is what stands for `1`.
fn as_letters(text: &str, one: char) -> String {
    text.chars()
        .map(|character| match character {
            '0' => 'O',
            '1' => one,
            '5' => 'S',
            other => other,
        })
        .collect()
}

/// What is known of a name whose capital `I` was read as `l`: `lvan`, `lsabel`.
fn lost_capital(text: &str, lexicon: &Lexicon) -> Option<WordInfo> {
    let second = *text.as_bytes().get(1)?;
    // Next to no word begins with `l` and one of these.
    if text.len() < 4
        || !text.starts_with('l')
        || !matches!(second, b'v' | b's' | b'r' | b'm' | b'n' | b'b' | b'g' | b'd')
    {
        return None;
    }
    let info = lexicon.word(&["I", &text[1..]].concat());
    (info.given_count >= 500 && !info.is_any(MEDICAL) && info.english_size().is_none()).then_some(info)
}

/// How a word is written.
fn shape_of(text: &str) -> Shape {
    let mut characters = text.chars();
    let first_upper = characters.next().is_some_and(char::is_uppercase);
    let mut others = characters.filter(|character| character.is_alphabetic()).peekable();
    match (first_upper, others.peek().is_some()) {
        (false, _) => Shape::Lower,
        (true, false) => Shape::Initial,
        (true, true) if others.all(char::is_uppercase) => Shape::Upper,
        (true, true) => Shape::Capital,
    }
}
