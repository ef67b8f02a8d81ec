//! How many letters and digits the classes of an expression take in: in each slot, and outside them, where what they take in passes.
//!
//! ```text
//! Seen by .*                                 letters without end outside the slots: anybody's name would pass
//! Seen by (?<DOCTOR>[A-Z][a-z]+) at \d+      none outside, and without end in the slot
//! (?<TIME>\d{1,2}:\d\d [AP]M)                one letter, and two digits at once
//! ```
//!
//! What stands for itself does not count: its author has read it.

use std::sync::LazyLock;

use regex::Regex;

use super::run::Run;

/// So many letters may classes take in where they pass: a weekday or a time zone in short, and no name of more letters.
const MOST_OUTSIDE: u32 = 4;
/// So many may a slot that is kept: `[AaPp][Mm]`.
const MOST_KEPT: u32 = 2;
/// So many digits in a row may a slot that is kept, as in [`Run::ShortDigits`].
const MOST_DIGITS: u32 = 4;
/// No end.
const ENDLESS: u32 = u32::MAX;

const UNREAD: &str = "its groups cannot be told apart";
const VERBOSE: &str = "write it without the flag x";
const REPEATED: &str = "a slot is repeated, and of what it takes in only the last would be tagged";
/// What is said of a template that lets names pass.
pub(super) const OPEN: &str =
    "outside its slots any word would pass untouched; name a label for what takes in words, or write the words out";

/// How many letters and digits classes take in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Reach {
    /// Letters, all together.
    letters: u32,
    /// Letters by one repetition.
    letters_at_once: u32,
    /// Digits by one repetition.
    digits_at_once: u32,
}

impl Reach {
    /// Whether words or long numbers fit that nobody has read.
    pub const fn takes_in_any_word(self) -> bool {
        self.letters > MOST_KEPT || self.letters_at_once > 1 || self.digits_at_once > MOST_DIGITS
    }

    /// Whether names fit where nothing is a slot.
    pub const fn is_open(self) -> bool {
        self.letters_at_once > MOST_OUTSIDE
    }

    /// What one character does of a class or escape.
    fn of(unit: &str) -> Self {
        static LETTERS: LazyLock<String> =
            LazyLock::new(|| ('\0'..='\u{ffff}').filter(|&character| Run::Letters.contains(character)).collect());
        let unit = Regex::new(&format!("(?s:{unit})")).ok();
        let takes_in = |text: &str| {
            // Places between characters are found empty.
            unit.as_ref().is_none_or(|unit| unit.find_iter(text).any(|found| !found.is_empty()))
        };
        let (letters, digits) = (u32::from(takes_in(LETTERS.as_str())), u32::from(takes_in("0123456789٠٣۷९")));
        Self { letters, letters_at_once: letters, digits_at_once: digits }
    }

    const fn times(self, times: u32) -> Self {
        Self {
            letters: self.letters.saturating_mul(times),
            letters_at_once: self.letters_at_once.saturating_mul(times),
            digits_at_once: self.digits_at_once.saturating_mul(times),
        }
    }

    fn add(&mut self, other: Self) {
        self.letters = self.letters.saturating_add(other.letters);
        self.letters_at_once = self.letters_at_once.max(other.letters_at_once);
        self.digits_at_once = self.digits_at_once.max(other.digits_at_once);
    }
}

/// How far an expression reaches.
#[derive(Debug, Default)]
pub(super) struct Extent {
    /// Outside named groups.
    pub outside: Reach,
    /// In each named group, by its number among all groups.
    pub slots: Vec<(usize, Reach)>,
}

impl Extent {
    /// Reads a regular expression that is valid.
    ///
    /// # Errors
    /// Why no template may be so: a slot in it is repeated, or it cannot be read.
    pub fn of(pattern: &str) -> Result<Self, &'static str> {
        let mut reader = Reader { open: vec![Group::default()], groups: 0, slots: Vec::new() };
        let mut rest = pattern;
        while let Some(next) = rest.chars().next() {
            let length = match next {
                '(' => reader.open(rest)?,
                ')' => reader.close(rest)?,
                _ => reader.unit(rest, next),
            };
            rest = rest.get(length..).ok_or(UNREAD)?;
        }
        match reader.open.as_slice() {
            [whole] => Ok(Self { outside: whole.outside, slots: reader.slots }),
            _ => Err(UNREAD),
        }
    }
}

/// A group while it is read.
#[derive(Default)]
struct Group {
    /// Its number, where it is named.
    slot: Option<usize>,
    /// Whether a named one is in it.
    has_slot: bool,
    all: Reach,
    outside: Reach,
}

struct Reader {
    open: Vec<Group>,
    groups: usize,
    slots: Vec<(usize, Reach)>,
}

/// Each reads what the rest of a pattern begins with, and gives its length.
impl Reader {
    fn open(&mut self, rest: &str) -> Result<usize, &'static str> {
        let inside = rest.strip_prefix('(').ok_or(UNREAD)?;
        let name = inside.strip_prefix("?P<").or_else(|| inside.strip_prefix("?<"));
        if let Some((_, after)) = name.and_then(|name| name.split_once('>')) {
            self.groups += 1;
            self.open.push(Group { slot: Some(self.groups), ..Group::default() });
            return Ok(rest.len() - after.len());
        }
        let Some(flags) = inside.strip_prefix('?') else {
            self.groups += 1;
            self.open.push(Group::default());
            return Ok(1);
        };
        let (flags, after) = flags.split_at(flags.find([':', ')']).ok_or(UNREAD)?);
        if flags.contains('x') {
            return Err(VERBOSE);
        }
        if after.starts_with(':') {
            self.open.push(Group::default());
        }
        Ok(rest.len() - after.len() + 1)
    }

    fn close(&mut self, rest: &str) -> Result<usize, &'static str> {
        let (times, length) = repetition(rest.strip_prefix(')').ok_or(UNREAD)?);
        let group = self.open.pop().ok_or(UNREAD)?;
        let around = self.open.last_mut().ok_or(UNREAD)?;
        let has_slot = group.has_slot || group.slot.is_some();
        if has_slot && times > 1 {
            return Err(REPEATED);
        }
        around.has_slot |= has_slot;
        around.all.add(group.all.times(times));
        match group.slot {
            Some(number) => self.slots.push((number, group.all)),
            None => around.outside.add(group.outside.times(times)),
        }
        Ok(1 + length)
    }

    fn unit(&mut self, rest: &str, next: char) -> usize {
        let class = match next {
            '[' | '\\' => Some(class(rest)),
            '.' => Some("."),
            _ => None,
        };
        let unit = class.map_or(next.len_utf8(), str::len);
        let (times, length) = repetition(rest.get(unit..).unwrap_or_default());
        if let (Some(class), Some(group)) = (class, self.open.last_mut()) {
            let reach = Reach::of(class).times(times);
            group.all.add(reach);
            group.outside.add(reach);
        }
        unit + length
    }
}

/// The class or escape that a text begins with: the shortest beginning that is an expression by itself.
fn class(text: &str) -> &str {
    let ends = text.char_indices().skip(1).map(|(at, last)| (at + last.len_utf8(), last));
    let ends = ends.filter(|&(_, last)| last == ']' || !text.starts_with('['));
    ends.filter_map(|(end, _)| text.get(..end)).find(|class| Regex::new(class).is_ok()).unwrap_or(text)
}

/// How often what stands before a text may come at most, and how much of the text says so.
fn repetition(text: &str) -> (u32, usize) {
    let (mut times, mut rest) = (1_u32, text);
    loop {
        let (factor, after) = match rest.chars().next() {
            Some('*' | '+') => (ENDLESS, rest.get(1..)),
            Some('?') => (1, rest.get(1..)),
            Some('{') => {
                let (range, after) = rest.split_once('}').unwrap_or((rest, ""));
                let most = range.rsplit(['{', ',']).next().unwrap_or_default().trim();
                (most.parse().unwrap_or(ENDLESS), Some(after))
            }
            _ => return (times, text.len() - rest.len()),
        };
        times = times.saturating_mul(factor);
        rest = after.unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(pattern: &str) -> Reach {
        assert!(Regex::new(pattern).is_ok(), "{pattern}");
        Extent::of(pattern).unwrap().outside
    }

    #[test]
    fn what_takes_in_letters_without_end_is_open() {
        for pattern in [
            "Seen by .*",
            r"Seen by \w+",
            r"Seen by \S+ on \d+",
            "Seen by [^,]{2,}",
            "Seen by []A-Z]+?",
            r"Seen by [!-[\p{Lu}]+",
            r"Seen by \p{L}{1,20}",
            r"Seen by \pL*",
            "Seen by (?:[A-Z][.-]?)+",
            "Seen by ((?i:[a-z]){3}){2}",
            "Seen by [[:alpha:] ]+",
            "Seen by (?<DOCTOR>[A-Z]+), (?s:.)+",
            "Seen by [一-龥]+",
        ] {
            assert!(outside(pattern).is_open(), "{pattern}");
        }
    }

    #[test]
    fn what_an_author_has_read_and_numbers_are_not() {
        for pattern in [
            "Seen by the attending( physician)*",
            r"Seen at \d+:\d+ [AP]M [A-Z]{3,4}",
            r"\b[Ss]een by (?P<DOCTOR>\p{L}+(?: [A-Z]\.)?)\.?",
            r"-+ Page \d+ of [0-9]+\s*\W*",
            r"Seen\x20\u{62}y [^\p{Alphabetic}]+[[0-9]&&[^5]]+",
            "",
        ] {
            assert!(!outside(pattern).is_open(), "{pattern}");
        }
    }

    #[test]
    fn slots_are_told_by_their_numbers() {
        let extent =
            Extent::of(r"(Seen|Read) by (?:Dr )?(?<DOCTOR>[A-Z]+) (?<TIME>\d{1,2}:\d\d ?[AP]M) (?<IDNUM>\d+)").unwrap();
        let told: Vec<_> = extent.slots.iter().map(|(number, reach)| (*number, reach.takes_in_any_word())).collect();
        assert_eq!(told, [(2, true), (3, false), (4, true)]);
        let is_word = |pattern: &str| Extent::of(pattern).unwrap().slots[0].1.takes_in_any_word();
        assert!(is_word("(?<PROFESSION>[A-Z][a-z][a-z])") && is_word("(?<PROFESSION>[a-z]{2})"));
        assert!(!is_word("(?<PROFESSION>roofer|nurse)") && !is_word("(?<TIME>[0-9]{4} [Hh][Rr]s)"));
    }

    #[test]
    fn what_cannot_be_judged_is_refused() {
        for pattern in
            ["Seen by (?:(?<DOCTOR>[A-Z]+) ?)+", "Seen by (?<DOCTOR>[A-Z])+", "(?x) Seen by [A-Z] +", "(?ix:Seen)"]
        {
            assert!(Regex::new(pattern).is_ok() && Extent::of(pattern).is_err(), "{pattern}");
        }
        assert!(Extent::of("Seen by (?<DOCTOR>[A-Z]+)?").is_ok());
    }
}
