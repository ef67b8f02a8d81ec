//! Names in lines without any capital: `jane doering called`, `pt john was seen`, `thx kayla`, `nwosu's here for c4`.

use super::found::Found;
use super::markers::Marker;
use super::people::{add, label_near};
use super::plausible::{Likeness, likeness};
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::{WordFlags, WordInfo};
use crate::phi::Label;

/// Short forms of other words that are names too: `lang line`, `etco2 max`.
pub(super) const SHORT_FORMS: &[&str] =
    &["max", "lang", "eng", "ana", "ada", "cam", "val", "sol", "art", "mel", "dia", "rod", "bud", "sid"];

/// So many bearers make a given name of a word in small letters that is nothing else.
const COMMON: u32 = 2_500;
/// Words of English that only lists of this size have (SCOWL) hardly ever stand in a note.
const RARE_WORD: u8 = 70;
/// And so many a name where the words beside it speak of somebody.
const KNOWN: u32 = 200;

/// Adds the people of a line that has no word with a capital first.
pub(super) fn detect(words: &Words, found: &mut Found) {
    if words.shouted || words.list.iter().any(|word| word.shape == Shape::Capital) {
        return;
    }
    let mut index = 0;
    while index < words.list.len() {
        let info = info_at(words, index);
        index = match name_end(words, index, info).or_else(|| initialled(words, index)) {
            Some(last) => {
                add(words, index, last, label(words, index), if last > index { 0.8 } else { 0.6 }, found);
                last + 1
            }
            None => index + 1,
        };
    }
}

fn info_at(words: &Words, index: usize) -> WordInfo {
    let word = &words.list[index];
    if word.shape == Shape::Lower && word.marker.is_none() && word.end - word.start >= 3 {
        words.look_up(index, index)
    } else {
        WordInfo::UNKNOWN
    }
}

fn label(words: &Words, index: usize) -> Label {
    if is_led(words, index) { Label::Patient } else { label_near(words, index) }
}

/// `per s. kaur-whitfield`: an initial with its stop before a word that is nothing but a surname.
fn initialled(words: &Words, index: usize) -> Option<usize> {
    let word = &words.list[index];
    let next = words.get(index + 1)?;
    if word.end - word.start != 1 || next.gap != Gap::Stop || next.shape != Shape::Lower {
        return None;
    }
    let led = index == 0
        || matches!(
            words.list[index - 1].marker,
            Some(Marker::By | Marker::With | Marker::PeopleVerb | Marker::DoctorTitle | Marker::CareRole)
        );
    let info = info_at(words, index + 1);
    let surname = info.surname_count >= 500 && info.english_size().is_none() && likeness(info) == Likeness::Name;
    let half = words.get(index + 2).is_some_and(|half| half.gap == Gap::Hyphen && half.shape == Shape::Lower);
    (led && surname).then_some(index + 1 + usize::from(half))
}

fn is_led(words: &Words, index: usize) -> bool {
    index > 0
        && words.list[index].gap == Gap::Space
        && matches!(
            words.list[index - 1].marker,
            Some(Marker::PersonField | Marker::Kin | Marker::PeopleVerb | Marker::Named)
        )
}

/// The end of the name that begins at `index`, if any does.
fn name_end(words: &Words, index: usize, info: WordInfo) -> Option<usize> {
    const MONTHS: &[&str] = &["april", "june", "august", "may", "march"];
    let measured =
        words.between_after(index).strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let other = measured
        || SHORT_FORMS.contains(&words.text(index))
        || info.is_any(MEDICAL.union(WordFlags::COUNTRY).union(WordFlags::STATE))
        || MONTHS.contains(&words.text(index));
    if info.surname_count.max(info.given_count) == 0 || other {
        return None;
    }
    let size = info.english_size();
    let plain = size.is_some_and(|size| size <= 60) && !(info.given_count > 1_000_000 && size > Some(20));
    let given = info.given_count >= COMMON && !plain;
    let namesake = info.given_count >= 50_000 && size.is_some_and(|size| size > 10);
    // `hope n., not me`, `hyun-ju herself`
    let next = words.get(index + 1);
    let initial = next.is_some_and(|next| {
        next.gap == Gap::Space
            && next.end - next.start == 1
            && next.shape == Shape::Lower
            && (words.between_after(index + 1).starts_with(['.', ':'])
                || size.is_none() && super::leads::small_initial(words, index + 1))
    });
    if initial && info.given_count >= 10_000 && likeness(info) >= Likeness::Namesake {
        return Some(index + 1);
    }
    let half =
        next.is_some_and(|next| next.gap == Gap::Hyphen && next.shape == Shape::Lower && next.end - next.start <= 5);
    if half && size.is_none() && info.given_count >= 100 && likeness(info) == Likeness::Name {
        return Some(index + 1);
    }
    let surname = surname_after(words, index);
    if (given || namesake || info.given_count >= 500 && size.is_none()) && surname {
        return Some(index + 1);
    }
    // `rosas, edgar`: the surname first.
    if info.surname_count >= 500 && size.is_none() && words.get(index + 1).is_some_and(|next| next.gap == Gap::Comma) {
        let second = info_at(words, index + 1);
        if second.given_count >= 2_000 && second.english_size().is_none_or(|size| size > 50) && is_led(words, index) {
            return Some(index + 1);
        }
    }
    let bare = (words.list[index].end - words.list[index].start >= 4 || info.given_count >= 9_000)
        && size.is_none()
        && likeness(info) == Likeness::Name
        && info.population < 100_000;
    let owns = words.between_after(index).starts_with("'s")
        && size.is_none()
        && info.surname_count >= 500
        && likeness(info) == Likeness::Name;
    // `hakim` is a word, and one that nobody uses.
    let unused = info.surname_count >= 1_000 && size.is_some_and(|size| size >= RARE_WORD);
    let told = (bare || unused)
        && info.surname_count.max(info.given_count) >= KNOWN
        && (is_addressed(words, index) || acts(words, index));
    (given && (bare || is_led(words, index)) || owns || told || is_led(words, index) && bare && info.given_count >= 300)
        .then_some(index)
}

/// Whether somebody is asked or named by a role right before a word: `called np okafor`, `tell hakim`.
fn is_addressed(words: &Words, index: usize) -> bool {
    index > 0
        && words.list[index].gap == Gap::Space
        && listed!(
            words.text(index - 1),
            "np rn md pa cm sw rt rph pca cna lpn tech tell told ask asked paged texted text called per covering thx thanks"
        )
}

/// Whether a word does what only people do: `hakim called`, `okafor aware`.
fn acts(words: &Words, index: usize) -> bool {
    words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Space
            && listed!(
                words.text(index + 1),
                "called calls says said aware notified paged agrees agreed asked asks wants covering updated texted ok'd refuses refused cell"
            )
    })
}

fn surname_after(words: &Words, index: usize) -> bool {
    words.get(index + 1).is_some_and(|next| next.gap == Gap::Space) && {
        let second = info_at(words, index + 1);
        second.surname_count >= 500
            && second.english_size().is_none_or(|size| size > 35 || second.surname_count > 10_000 && size > 20)
            && !second.is_any(MEDICAL)
            || second.surname_count >= 10_000 && second.english_size() == Some(10) && second.given_count >= 1_000
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn names_in_small_letters() {
        assert_eq!(people("yolanda can go home now"), ["yolanda"]);
        assert_eq!(people("pt john weaver was seen"), ["john weaver"]);
        assert_eq!(people("called np okafor, tell hakim i will call"), ["okafor", "hakim"]);
        assert_eq!(people("bp 88/50, hakim aware"), ["hakim"]);
        assert_eq!(people("agoraphobia, max 40 mg, lang line used"), [] as [&str; 0]);
    }
}
