//! Who says a line of a chat, before the time at which it was said: `Tovah G. 7:52a: who moved it`, `Rob (infusion pharm) 9:04 AM: no`.

use super::found::Found;
use super::people::{add, label_near};
use super::plausible::Likeness;
use super::runs::Trust;
use super::words::{Gap, Shape, Words};

/// A given name that is another word too has so many bearers.
const COMMON: u32 = 5_000;
/// A role in brackets behind a name is so long at most, in bytes.
const LONGEST_ROLE: usize = 24;

/// Adds the name that begins a line and has a clock time behind it.
pub(super) fn detect(words: &Words, found: &mut Found) {
    if !words.digits {
        return;
    }
    for index in 0..words.list.len() {
        let begins = index == 0 && words.sentence[..words.list[0].start].trim().is_empty()
            || index > 0 && words.between(index).ends_with('\n');
        if !begins || words.likeness_at(index) == Likeness::Never {
            continue;
        }
        let told = words.name_from(index, Trust::Told, false);
        let ends = told.into_iter().chain(with_next(words, told.unwrap_or(index)));
        let behind = |last: usize| &words.sentence[words.list[last].end..];
        // `Given 9:15 AM: 4 mg`: a lone word is a name that many are called, or nothing else.
        let given = words.list[index].info.given_count >= COMMON || words.likeness_at(index) != Likeness::Namesake;
        if let Some(last) = ends.into_iter().find(|&last| is_said_at(behind(last)) && (given || last > index))
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

/// Whether a text begins with a time that ends a speaker's part: ` 9:02 AM:`, `. 7:52a:`, ` (pharm) 9:04 AM:`.
fn is_said_at(text: &str) -> bool {
    let text = text.strip_prefix('.').unwrap_or(text);
    let text = match text.strip_prefix(" (").and_then(|role| role.split_once(')')) {
        Some((role, rest)) if role.len() <= LONGEST_ROLE && !role.contains('\n') => rest,
        _ => text,
    };
    let Some((hour, rest)) = text.strip_prefix(' ').and_then(|text| text.split_once(':')) else { return false };
    let half = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let minutes = rest.len() - half.len();
    let half = half.trim_start_matches(' ');
    let end = half.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &half[..half.len() - end.len()];
    let halved = ["a", "p", "am", "pm"].iter().any(|known| known.eq_ignore_ascii_case(letters));
    matches!(hour.len(), 1 | 2)
        && hour.parse::<u32>().is_ok_and(|hour| hour < 24)
        && minutes == 2
        && (letters.is_empty() || halved)
        && (end.starts_with(':') || halved && (end.is_empty() || end.starts_with('\n')))
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
        ] {
            assert_eq!(people(line), [name], "{line}");
        }
        for line in ["Today 9:02 AM: pain 4", "Vitals 10:15: stable", "Given 9:15 AM: ondansetron", "Foley 9:15 out"] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
