//! Names run together with each other or with what stands beside them, and user ids made of names.
//!
//! ```text
//! HOPELINDGREN   OKAFORMD   drokafor   withokafor   okafors     names, with the words they are stuck to
//! nokafor02   okaforn   rjstrong   ngozi.okafor                user ids
//! ```

use super::fold::{Key, Word};
use super::name_word::{NameWord, Usual};
use super::names::NameSet;
use super::plain::{is_invisible, line_break, plain};

/// What a word that holds a name is.
pub(super) enum Glued<'s> {
    /// A name stuck to a word that is none, or broken by a blank.
    Name {
        /// The name.
        name: &'s NameWord,
        /// Its first byte in the text.
        start: usize,
        /// One past its last byte.
        end: usize,
    },
    /// Given and family name.
    Full {
        /// Whose.
        people: u64,
        /// Its first byte in the text.
        start: usize,
        /// One past its last byte.
        end: usize,
    },
    /// A user id.
    User {
        /// One past its last byte.
        end: usize,
    },
}

/// The shortest name that is looked for inside a word.
const SHORTEST: usize = 3;

/// What may be stuck to a name: titles and small words before it, letters of degrees and small words after it.
const BEFORE: &[&str] =
    &["dr", "mr", "mrs", "ms", "with", "by", "from", "to", "and", "for", "the", "of", "per", "name", "patient"];
const AFTER: &[&str] = &[
    "md", "do", "rn", "np", "pa", "pac", "phd", "dds", "dpm", "mbbs", "was", "is", "and", "has", "mrn", "dob", "jr",
    "sr", "lcsw", "msw", "pharmd", "dnp", "aprn", "fnp",
];

/// Reads a word that is no name itself; `next` is the word after it.
pub(super) fn read<'s>(names: &'s NameSet, word: &Word<'_>, next: Option<&Word<'_>>) -> Option<Glued<'s>> {
    let key = word.key.as_bytes();
    if key.len() < 2 || !word.letters {
        return None;
    }
    if word.digits
        && let Some(found) = beside_number(names, word)
    {
        return Some(found);
    }
    let begins = names.may_begin(key);
    let follows_initials = || key.len() > SHORTEST && (names.may_begin(&key[1..]) || names.may_begin(&key[2..]));
    let sticks = || key.len() >= 6 && BEFORE.iter().any(|before| sticks(names, key, before.as_bytes()));
    if !(begins || follows_initials() || sticks()) {
        return None;
    }
    if begins && let Some(found) = broken(names, word, next) {
        return Some(found);
    }
    let stem = key.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    let has_number = stem < key.len();
    if key[..stem].iter().any(u8::is_ascii_digit) || stem < SHORTEST || word.is_known() {
        return None;
    }
    if let Some(end) = user_id(names, word, stem) {
        return Some(Glued::User { end });
    }
    if has_number { None } else { stuck(names, word) }
}

/// Whether a name can follow what a word begins with.
fn sticks(names: &NameSet, key: &[u8], before: &[u8]) -> bool {
    // The first byte spares most of the comparisons.
    key[0] == before[0] && key.strip_prefix(before).is_some_and(|rest| rest.len() >= 4 && names.may_begin(rest))
}

/// A name before or behind a long number: `5285656Thorvaldsen`.
fn beside_number<'s>(names: &'s NameSet, word: &Word<'_>) -> Option<Glued<'s>> {
    const FEWEST_DIGITS: usize = 5;
    let key = word.key.as_bytes();
    let digits = key.iter().filter(|byte| byte.is_ascii_digit()).count();
    let length = key.len() - digits;
    // Keys and text agree byte by byte only where every letter is ASCII and no mark is inside.
    if digits < FEWEST_DIGITS || length < 5 || key.len() != word.end - word.start {
        return None;
    }
    let (from, to) = if key[0].is_ascii_digit() { (digits, key.len()) } else { (0, length) };
    let name = names.of_bytes(&key[from..to]).filter(|name| name.is_lone() && name.usual() == Usual::No)?;
    Some(Glued::Name { name, start: word.start + from, end: word.start + to })
}

/// A name broken by one blank, `KOWAL CZYK`, or over two lines. Behind a hyphen at a line's end stands the rest of a word,
/// whatever word that rest is besides.
fn broken<'s>(names: &'s NameSet, word: &Word<'_>, next: Option<&Word<'_>>) -> Option<Glued<'s>> {
    let key = word.key.as_bytes();
    let longer = |name: &&NameWord| name.key.as_bytes().len() >= 5 && name.key.as_bytes().len() > key.len();
    let mut candidates = names.beginning_with(key).iter().filter(longer).peekable();
    candidates.peek()?;
    let next = next.filter(|next| next.letters)?;
    let gap = word.text.get(word.end..next.start)?;
    let line = gap.trim_start_matches(|mark: char| plain(mark) == '-' || is_invisible(mark));
    let wrapped = !line.is_empty() && line_break(line) == line.len();
    let hyphened = wrapped && line.len() < gap.len();
    // `Har⏎castle`: beside a word that is none, the other half may be one.
    if !(wrapped || matches!(gap, " " | "-")) || !hyphened && next.is_known() && word.is_known() {
        return None;
    }
    let name = candidates.find(|name| {
        name.key.as_bytes()[key.len()..] == *next.key.as_bytes() && (hyphened || name.usual() <= Usual::Sometimes)
    })?;
    Some(Glued::Name { name, start: word.start, end: next.end })
}

/// A name of at least four letters with an `s` that makes no word of English, and its end: `two earlys`, `marcos lad`.
pub(super) fn plural<'s>(names: &'s NameSet, word: &Word<'_>) -> Option<(&'s NameWord, usize)> {
    if word.key.as_bytes().last() != Some(&b's') || !names.may_begin(word.key.as_bytes()) {
        return None;
    }
    let stem = word.key.as_str().strip_suffix('s').filter(|stem| stem.len() >= 4)?;
    let name = names.same(&Key::of(stem)).filter(|name| name.is_lone())?;
    let s = word.written().ends_with(['s', 'S']);
    (s && !word.is_known()).then(|| (name, word.end - 1))
}

/// A name at the beginning or the end of a word.
fn stuck<'s>(names: &'s NameSet, word: &Word<'_>) -> Option<Glued<'s>> {
    let key = word.key.as_str();
    let first = *key.as_bytes().first()?;
    // Keys and text agree byte by byte only where every letter is ASCII and no mark is inside.
    let even = key.len() == word.end - word.start;
    for name in names.beginnings_of(key.as_bytes()) {
        let length = name.key.as_bytes().len();
        if length < SHORTEST || name.family == 0 && !name.is_lone() {
            continue;
        }
        let rest = &key[length..];
        let end = if even { word.start + key.len() - rest.len() } else { word.end };
        if length >= 4 && AFTER.contains(&rest) && name.usual() <= Usual::Sometimes {
            return Some(Glued::Name { name, start: word.start, end });
        }
        let other = names.same(&Key::of(rest)).filter(|_| rest.len() >= SHORTEST);
        if let Some(other) = other
            && name.given & other.family | name.family & other.given != 0
        {
            let people = name.given & other.family | name.family & other.given;
            return Some(Glued::Full { people, start: word.start, end: word.end });
        }
        // A degree after both: `GRACEYOUNGMD`.
        for degree in AFTER {
            let Some(middle) = rest.strip_suffix(degree).filter(|middle| middle.len() >= SHORTEST) else { continue };
            if let Some(other) = names.same(&Key::of(middle))
                && name.given & other.family | name.family & other.given != 0
                && even
            {
                let people = name.given & other.family | name.family & other.given;
                return Some(Glued::Full { people, start: word.start, end: word.end - degree.len() });
            }
        }
    }
    let behind_word = BEFORE.iter().filter(|before| before.as_bytes()[0] == first).find_map(|before| {
        let rest = key.strip_prefix(before).filter(|rest| rest.len() >= 4)?;
        let name = names.same(&Key::of(rest)).filter(|name| name.is_lone() && name.usual() <= Usual::Sometimes)?;
        let start = if even { word.start + before.len() } else { word.start };
        Some(Glued::Name { name, start, end: word.end })
    });
    behind_word.or_else(|| behind_backslash(names, word))
}

/// A name in small letters behind a line break or a tab that is written out; a path looks the same: `\nladner`.
fn behind_backslash<'s>(names: &'s NameSet, word: &Word<'_>) -> Option<Glued<'s>> {
    let escaped = word.text[..word.start].ends_with('\\') && word.written().starts_with(['n', 'r', 't']);
    let rest = word.key.as_str().get(1..).filter(|rest| escaped && rest.len() >= 4)?;
    let name = names.same(&Key::of(rest)).filter(|name| name.is_lone() && name.usual() <= Usual::Sometimes)?;
    Some(Glued::Name { name, start: word.start + 1, end: word.end })
}

/// The end of a user id that begins with a word: initials and family name, or the reverse, with a number or without.
fn user_id(names: &NameSet, word: &Word<'_>, stem: usize) -> Option<usize> {
    let key = word.key.as_bytes();
    let number = key.len() - stem;
    let stem = &key[..stem];
    let end = id_end(word)?;
    let long = |name: &NameWord| name.key.as_bytes().len() >= if number > 0 { SHORTEST } else { 4 };
    let initials_first = (1..=2).any(|initials| {
        stem.len() > initials + 2 && names.may_begin(&stem[initials..]) && {
            let people = stem[..initials].iter().fold(u64::MAX, |people, &letter| people & names.with_initial(letter));
            people != 0 && names.of_bytes(&stem[initials..]).is_some_and(|name| name.family & people != 0 && long(name))
        }
    });
    let found = initials_first
        || names.beginnings_of(stem).filter(|name| long(name)).any(|name| match &stem[name.key.as_bytes().len()..] {
            [] => {
                (1..=4).contains(&number) && name.usual() <= Usual::Sometimes && !name.is_calendar() && name.is_lone()
            }
            [letter] => name.family & names.with_initial(*letter) != 0 && (number > 0 || *letter != b's'),
            rest => {
                let mut other = Key::new();
                number > 0
                    && rest.iter().all(|&byte| other.push(byte))
                    && names.same(&other).is_some_and(|other| other.people() & name.people() != 0)
            }
        });
    found.then_some(end)
}

/// The end of a user id, with what is joined to it by a dot; none if it is the beginning of an e-mail address.
fn id_end(word: &Word<'_>) -> Option<usize> {
    let rest = &word.text[word.end..];
    let joined = rest.strip_prefix(['.', '_']).map_or(0, |after| {
        let length = after.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if length > 0 { length + 1 } else { 0 }
    });
    (!rest[joined..].starts_with('@')).then_some(word.end + joined)
}

/// The parts of a word between which a capital follows a small letter, or something stands that nobody sees, as byte ranges of the
/// text.
pub(super) fn joints<'w>(word: &'w Word<'_>) -> impl Iterator<Item = (usize, usize)> + 'w {
    let mut from = Some(word.start);
    std::iter::from_fn(move || {
        let start = from?;
        let mut small = false;
        for (offset, letter) in word.text[start..word.end].char_indices() {
            if small && letter.is_uppercase() || is_invisible(letter) {
                let next = word.text[start + offset..word.end].trim_start_matches(is_invisible);
                from = Some(word.end - next.len());
                return Some((start, start + offset));
            }
            small = letter.is_lowercase();
        }
        from = None;
        Some((start, word.end))
    })
}
