//! Who says a line of a chat, before the time at which it was said or, with a role, behind it: `Tovah G. 7:52a: who moved it`,
//! `Rob (infusion pharm) 9:04 AM: no`, `07:01 Bo (unit clerk): no`.

use super::found::Found;
use super::people::{add, label_near};
use super::plausible::Likeness;
use super::runs::Trust;
use super::words::{Gap, Shape, Words};

/// A given name that is another word too has so many bearers.
const COMMON: u32 = 5_000;
/// A role in brackets behind a name is so long at most, in bytes.
const LONGEST_ROLE: usize = 24;

/// Adds the name that begins a line and has a clock time behind it, or that stands between a time and a role.
pub(super) fn detect(words: &Words, found: &mut Found) {
    if !words.digits {
        return;
    }
    for index in 0..words.list.len() {
        let before = &words.sentence[..words.list[index].start];
        let line = before.rsplit('\n').next().unwrap_or_default();
        let (begins, timed) = (line.trim().is_empty(), is_time(line));
        if !(begins || timed) || words.likeness_at(index) == Likeness::Never {
            continue;
        }
        let told = words.name_from(index, Trust::Told, false);
        let ends = told.into_iter().chain(with_next(words, told.unwrap_or(index)));
        let behind = |last: usize| &words.sentence[words.list[last].end..];
        // `Given 9:15 AM: 4 mg`: a lone word is a name that many are called, or nothing else.
        let given = words.list[index].info.given_count >= COMMON || words.likeness_at(index) != Likeness::Namesake;
        let says = |last: usize| if begins { is_said_at(behind(last)) } else { is_of_role(behind(last)) };
        if let Some(last) = ends.into_iter().find(|&last| says(last) && (given || last > index))
            && !found.covers(words.list[index].start..words.list[index].end)
        {
            add(words, index, last, label_near(words, index), 0.8, found);
        }
    }
}

/// The word behind one that may be a name, where it is a name or an initial: `Adaeze N`, `Iluminada Ramos`.
fn with_next(words: &Words, index: usize) -> Option<usize> {
    let next = words.get(index + 1)?;
    let named = next.shape == Shape::Initial || words.is_name_word(index + 1, Trust::Told);
    (words.list[index].is_capital() && next.gap == Gap::Space && named).then_some(index + 1)
}

/// What stands behind a role in brackets that a text begins with.
fn behind_role(text: &str) -> Option<&str> {
    let (role, rest) = text.strip_prefix(" (")?.split_once(')')?;
    (role.len() <= LONGEST_ROLE && !role.contains('\n')).then_some(rest)
}

/// Whether a text begins with a role of words that ends a speaker's part: ` (unit clerk):`.
fn is_of_role(text: &str) -> bool {
    let Some(rest) = behind_role(text) else { return false };
    let role = &text[2..text.len() - rest.len() - 1];
    rest.starts_with(':') && role.chars().all(|letter| letter.is_alphabetic() || matches!(letter, ' ' | '-' | '/'))
}

/// Whether all of a line so far is a time: `07:01 `, `[9:15 am] `.
fn is_time(line: &str) -> bool {
    let time = line.trim_matches(|mark| matches!(mark, ' ' | '[' | ']' | '(' | ')' | '-'));
    line.ends_with(' ') && behind_clock(time).is_some_and(|(end, _)| end.is_empty())
}

/// Whether a text begins with a time that ends a speaker's part: ` 9:02 AM:`, `. 7:52a:`, ` (pharm) 9:04 AM:`.
fn is_said_at(text: &str) -> bool {
    let text = text.strip_prefix('.').unwrap_or(text);
    let text = behind_role(text).unwrap_or(text);
    let Some((end, halved)) = text.strip_prefix(' ').and_then(behind_clock) else { return false };
    end.starts_with(':') || halved && (end.is_empty() || end.starts_with('\n'))
}

/// What stands behind the hour and the minutes that a text begins with, and whether they tell which half of the day.
fn behind_clock(text: &str) -> Option<(&str, bool)> {
    let (hour, rest) = text.split_once(':')?;
    let half = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let minutes = rest.len() - half.len();
    let half = half.trim_start_matches(' ');
    let end = half.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &half[..half.len() - end.len()];
    let halved = ["a", "p", "am", "pm"].iter().any(|known| known.eq_ignore_ascii_case(letters));
    let is_clock = matches!(hour.len(), 1 | 2)
        && hour.parse::<u32>().is_ok_and(|hour| hour < 24)
        && minutes == 2
        && (letters.is_empty() || halved);
    is_clock.then_some((end, halved))
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn whoever_speaks_at_a_time() {
        for (line, name) in [
            ("Adaeze N 9:02 AM: at his place now", "Adaeze N"),
            ("Tovah G. 7:52a: who moved the light", "Tovah G"),
            ("Iluminada Ramos 9:15 AM: calling now", "Iluminada Ramos"),
            ("Rob (infusion pharm) 9:04 AM: dont flush", "Rob"),
            ("Kalani Sepulveda 14:20:", "Kalani Sepulveda"),
            ("07:01 Bo (unit clerk): needs a new armband", "Bo"),
            ("[9:15 am] Adaeze N (charge): who has the key", "Adaeze N"),
        ] {
            assert_eq!(people(line), [name], "{line}");
        }
        for line in [
            "Today 9:02 AM: pain 4",
            "Vitals 10:15: stable",
            "Given 9:15 AM: ondansetron",
            "Foley 9:15 out",
            "07:01 Pain (resting): 4",
            "08:00 Foley (16 Fr): in",
            "10:00 Given (late): 4 mg",
        ] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
