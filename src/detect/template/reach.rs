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
use regex_syntax::ast::{self, Ast, Flag, Flags, GroupKind, RepetitionKind, RepetitionRange};

use super::run::Run;

/// So many letters in a row may classes take in where they pass: a weekday or a time zone in short, and no name of more letters.
const MOST_OUTSIDE: u32 = 4;
/// So many may a slot that is kept, none beside another: `[AP]M`, `[Hh]rs`.
const MOST_KEPT: u32 = 2;
/// So many digits in a row may a slot that is kept, as in [`Run::ShortDigits`], and so many together: `23:59:59`.
pub(super) const MOST_DIGITS: u32 = 4;
pub(super) const MOST_DIGITS_TOGETHER: u32 = 6;
/// No end.
const ENDLESS: u32 = u32::MAX;

const UNREAD: &str = "it cannot be read";
const VERBOSE: &str = "write it without the flag x";
const REPEATED: &str = "a slot is repeated, and of what it takes in only the last would be tagged";
/// What is said of a template that lets names pass.
pub(super) const OPEN: &str =
    "outside its slots any word would pass untouched; name a label for what takes in words, or write the words out";

/// How many letters and digits classes take in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    letters: Taken,
    digits: Taken,
}

impl Reach {
    /// Whether words or long numbers fit that nobody has read.
    pub const fn takes_in_any_word(self) -> bool {
        self.letters.together > MOST_KEPT
            || self.letters.row.most > 1
            || self.digits.row.most > MOST_DIGITS
            || self.digits.together > MOST_DIGITS_TOGETHER
    }

    /// Whether names fit where nothing is a slot.
    pub const fn is_open(self) -> bool {
        self.letters.row.most > MOST_OUTSIDE
    }

    /// Of nothing at all.
    const NOTHING: Self = Self { letters: Taken::NOTHING, digits: Taken::NOTHING };

    /// What stands for itself, or a slot, and so parts what classes take in before and behind it.
    const BREAK: Self = Self { letters: Taken::BREAK, digits: Taken::BREAK };

    /// What one character does of a class or escape.
    fn of(unit: &str) -> Self {
        static LETTERS: LazyLock<String> =
            LazyLock::new(|| ('\0'..='\u{ffff}').filter(|&character| Run::Letters.contains(character)).collect());
        let unit = Regex::new(&format!("(?s:{unit})")).ok();
        let takes_in = |text: &str| {
            let Some(unit) = &unit else { return true };
            // Places between characters are found empty. One letter, large or small, has been read by whoever wrote it.
            let mut found =
                unit.find_iter(text).filter(|found| !found.is_empty()).map(|found| found.as_str().to_lowercase());
            found.next().is_some_and(|first| found.any(|other| other != first))
        };
        let (letters, digits) = (takes_in(LETTERS.as_str()), takes_in("0123456789٠٣۷९"));
        Self { letters: Taken::one(letters), digits: Taken::one(digits) }
    }

    fn both(self, other: Self, join: impl Fn(Taken, Taken) -> Taken) -> Self {
        Self { letters: join(self.letters, other.letters), digits: join(self.digits, other.digits) }
    }

    fn then(self, next: Self) -> Self {
        self.both(next, Taken::then)
    }

    fn or(self, other: Self) -> Self {
        self.both(other, Taken::or)
    }

    fn times(self, most: u32) -> Self {
        Self { letters: self.letters.times(most), digits: self.digits.times(most) }
    }
}

/// How many characters of a kind classes take in at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Taken {
    together: u32,
    row: Row,
}

impl Taken {
    const NOTHING: Self = Self { together: 0, row: Row { begin: 0, end: 0, most: 0, whole: Some(0) } };
    const BREAK: Self = Self { together: 0, row: Row { begin: 0, end: 0, most: 0, whole: None } };

    /// By one class.
    const fn one(is_taken: bool) -> Self {
        let row = Row { begin: 1, end: 1, most: 1, whole: Some(1) };
        if is_taken { Self { together: 1, row } } else { Self::BREAK }
    }

    fn then(self, next: Self) -> Self {
        Self { together: self.together.saturating_add(next.together), row: self.row.then(next.row) }
    }

    fn or(self, other: Self) -> Self {
        Self { together: self.together.max(other.together), row: self.row.or(other.row) }
    }

    fn times(self, most: u32) -> Self {
        Self { together: self.together.saturating_mul(most), row: self.row.times(most) }
    }
}

/// How many stand in a row at most: at the beginning, at the end, anywhere, and where nothing else stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    begin: u32,
    end: u32,
    most: u32,
    /// None where something else always does.
    whole: Option<u32>,
}

impl Row {
    fn then(self, next: Self) -> Self {
        Self {
            begin: self.begin.max(self.whole.map_or(0, |whole| whole.saturating_add(next.begin))),
            end: next.end.max(next.whole.map_or(0, |whole| whole.saturating_add(self.end))),
            most: self.most.max(next.most).max(self.end.saturating_add(next.begin)),
            whole: self.whole.zip(next.whole).map(|(one, other)| one.saturating_add(other)),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            begin: self.begin.max(other.begin),
            end: self.end.max(other.end),
            most: self.most.max(other.most),
            whole: self.whole.max(other.whole),
        }
    }

    /// So often at most.
    fn times(self, most: u32) -> Self {
        match (most, self.whole) {
            (0, _) => Taken::NOTHING.row,
            (1, _) => self,
            // Where nothing need part them, all of them stand in a row.
            (_, Some(whole)) if whole > 0 => {
                let (others, between) = (whole.saturating_mul(most - 1), whole.saturating_mul(most - 2));
                Self {
                    begin: self.begin.saturating_add(others),
                    end: self.end.saturating_add(others),
                    most: self.most.max(self.end.saturating_add(between).saturating_add(self.begin)),
                    whole: Some(whole.saturating_mul(most)),
                }
            }
            _ => self.then(self),
        }
    }
}

/// How far an expression reaches.
#[derive(Debug)]
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
        let ast = ast::parse::Parser::new().parse(pattern).map_err(|_| UNREAD)?;
        let mut reader = Reader { pattern, slots: Vec::new() };
        let outside = reader.read(&ast)?.outside;
        Ok(Self { outside, slots: reader.slots })
    }
}

/// What a part of an expression takes in.
#[derive(Clone, Copy)]
struct Part {
    all: Reach,
    outside: Reach,
    /// Whether a named group is in it.
    has_slot: bool,
    /// Whether nothing at all fits.
    may_be_empty: bool,
}

struct Reader<'p> {
    pattern: &'p str,
    slots: Vec<(usize, Reach)>,
}

impl<'p> Reader<'p> {
    fn text(&self, ast: &Ast) -> Result<&'p str, &'static str> {
        let span = ast.span();
        self.pattern.get(span.start.offset..span.end.offset).ok_or(UNREAD)
    }

    fn read(&mut self, ast: &Ast) -> Result<Part, &'static str> {
        let alike = |reach| Part { all: reach, outside: reach, has_slot: false, may_be_empty: false };
        Ok(match ast {
            Ast::Flags(set) if is_verbose(&set.flags) => return Err(VERBOSE),
            Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => Part::NOTHING,
            Ast::Literal(_) => alike(Reach::BREAK),
            Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => {
                alike(Reach::of(self.text(ast)?))
            }
            Ast::Repetition(repetition) => {
                let (least, most) = times(&repetition.op.kind);
                let part = self.read(&repetition.ast)?;
                if part.has_slot && most > 1 {
                    return Err(REPEATED);
                }
                let often = |reach: Reach| match least {
                    0 => reach.times(most).or(Reach::NOTHING),
                    _ => reach.times(most),
                };
                let may_be_empty = part.may_be_empty || least == 0;
                Part { all: often(part.all), outside: often(part.outside), may_be_empty, ..part }
            }
            Ast::Group(group) => {
                if matches!(&group.kind, GroupKind::NonCapturing(flags) if is_verbose(flags)) {
                    return Err(VERBOSE);
                }
                let part = self.read(&group.ast)?;
                let GroupKind::CaptureName { name, .. } = &group.kind else { return Ok(part) };
                self.slots.push((name.index as usize, part.all));
                // A slot that may take in nothing parts nothing.
                let outside = if part.may_be_empty { Reach::BREAK.or(Reach::NOTHING) } else { Reach::BREAK };
                Part { outside, has_slot: true, ..part }
            }
            Ast::Alternation(alternation) => {
                // `a|b|c` is `[abc]`, and so are those of `a|(?:b)|c?|word`.
                let ones = alternation
                    .asts
                    .iter()
                    .filter_map(of_one)
                    .map(|one| self.text(one))
                    .collect::<Result<Vec<_>, _>>()?;
                let class = (ones.len() > 1).then(|| alike(Reach::of(&format!("(?:{})", ones.join("|")))));
                let mut parts = alternation.asts.iter().map(|one| match class {
                    Some(class) if of_one(one).is_some() => {
                        self.read(one).map(|part| Part { may_be_empty: part.may_be_empty, ..class })
                    }
                    _ => self.read(one),
                });
                let first = parts.next().unwrap_or(Ok(Part::NOTHING))?;
                parts.try_fold(first, |part, other| {
                    let other = other?;
                    let may_be_empty = part.may_be_empty || other.may_be_empty;
                    Ok::<_, &str>(Part { may_be_empty, ..part.join(other, Reach::or) })
                })?
            }
            Ast::Concat(concat) => concat
                .asts
                .iter()
                .try_fold(Part::NOTHING, |part, ast| self.read(ast).map(|next| part.join(next, Reach::then)))?,
        })
    }
}

impl Part {
    const NOTHING: Self = Self { all: Reach::NOTHING, outside: Reach::NOTHING, has_slot: false, may_be_empty: true };

    fn join(self, other: Self, join: impl Fn(Reach, Reach) -> Reach) -> Self {
        Self {
            all: join(self.all, other.all),
            outside: join(self.outside, other.outside),
            has_slot: self.has_slot || other.has_slot,
            may_be_empty: self.may_be_empty && other.may_be_empty,
        }
    }
}

/// What fits one character, within groups without a name and where it may be left out.
fn of_one(ast: &Ast) -> Option<&Ast> {
    match ast {
        Ast::Literal(_) | Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => Some(ast),
        Ast::Group(group) if !matches!(group.kind, GroupKind::CaptureName { .. }) => of_one(&group.ast),
        Ast::Repetition(repetition) if times(&repetition.op.kind).1 == 1 => of_one(&repetition.ast),
        _ => None,
    }
}

/// Whether flags let blanks and remarks stand in an expression that mean nothing: what a class by itself takes in would be another thing.
fn is_verbose(flags: &Flags) -> bool {
    flags.flag_state(Flag::IgnoreWhitespace) == Some(true)
}

/// How often at least and at most.
const fn times(kind: &RepetitionKind) -> (u32, u32) {
    match kind {
        RepetitionKind::ZeroOrOne => (0, 1),
        RepetitionKind::ZeroOrMore => (0, ENDLESS),
        RepetitionKind::OneOrMore => (1, ENDLESS),
        RepetitionKind::Range(RepetitionRange::Exactly(times)) => (*times, *times),
        RepetitionKind::Range(RepetitionRange::AtLeast(least)) => (*least, ENDLESS),
        RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => (*least, *most),
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
            "Seen by [A-Z][a-z]{3}[a-z]{3}[a-z]{3}",
            r"Seen by \w?\w?\w?\w?-?\w?\w?\w?\w?",
            r"Seen by (?:\w\w?\w?)(?:\w\w?\w?)",
            "Seen by (?:[A-Z]{2} ?)+",
            r"Seen by [A-Z]{3}(?<TIME>\d*)[a-z]{3}",
            "Seen by (?:MD|[A-Z]{5}|RN)",
            "Seen by (?:a|b|c|d|n|o|t| )+",
            "Seen by (?:a|e|i|[nst]){3,9}",
            "Seen by (?:a|b|c|d|zz)+",
            "Seen by (?:(?:a)|(b)|c?)+",
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
            "[Ss][Ee][Ee][Nn] [Bb][Yy]",
            "Seen by (?:[A-Z]{2}, )+[A-Z]{2}",
            "Seen by (?:MD|[A-Z]{2}|RN) on [A-Z]{3}",
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
        assert!(!is_word(r"(?<TIME>\d\d?:\d\d(?::\d\d)? ?[AaPp][Mm])"));
        for number in
            ["(?<TIME>[0-9]{3}[0-9]{3}[0-9]{4})", "(?<TIME>[0-9][0-9][0-9][0-9]?[0-9]?)", r"(?<TIME>\d{3}-\d\d-\d{4})"]
        {
            assert!(is_word(number), "{number}");
        }
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
