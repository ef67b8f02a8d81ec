//! Who closes an entry with less than a name: `Joy M`, `C.B.`, `MJ  GMC 7123321  bleep 2210`, and `hope RN 12:10:` before what
//! is said.

use super::found::Found;
use super::markers::Marker;
use super::people::add;
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// Adds those who sign.
pub(super) fn detect(words: &Words, found: &mut Found) {
    lone_signature(words, found);
    registered_initials(words, found);
    credentialed_speaker(words, found);
    small_surname(words, found);
    if words.sentence.ends_with('.') || words.list.len() <= 6 {
        dotted_initials(words, found);
    }
}

fn is_credential(words: &Words, index: usize) -> bool {
    words
        .get(index)
        .is_some_and(|word| word.is(Marker::Credential) && matches!(word.gap, Gap::Space | Gap::Comma | Gap::Stop))
}

/// `MJ  GMC 7123321  bleep 2210`: initials before the number of a register or a pager, at the head of a line.
fn registered_initials(words: &Words, found: &mut Found) {
    for index in 0..words.list.len().saturating_sub(1).min(2) {
        let word = &words.list[index];
        let head = &words.sentence[..word.start];
        let told = listed!(words.text(index + 1), "gmc nmc gphc hcpc bleep pgr pager")
            && words.between(index + 1).starts_with("  ");
        if told
            && word.shape == Shape::Upper
            && (2..=3).contains(&(word.end - word.start))
            && (head.is_empty() || head.ends_with('\n'))
            && !listed!(words.text(index), "rn md np pa sho spr reg gp")
        {
            add(words, index, index, Label::Doctor, 0.7, found);
        }
    }
}

/// `post HR 102. menendez rrt`: a surname in small letters that is no word, before a credential.
fn small_surname(words: &Words, found: &mut Found) {
    const CREDENTIALS: &str =
        "rn np rrt rph pharmd lpn lvn cna md crna aprn fnp dnp pa-c dpt otr slp lcsw lmsw msw emt rdms";
    const WORD: WordFlags = MEDICAL.union(WordFlags::ENGLISH).union(WordFlags::ABBREVIATION).union(WordFlags::DRUG);
    for (index, pair) in words.list.windows(2).enumerate() {
        let [name, credential] = pair else { continue };
        let named = name.shape == Shape::Lower && name.end - name.start > 3 && name.marker.is_none();
        let signed = named
            && credential.shape == Shape::Lower
            && matches!(credential.gap, Gap::Space | Gap::Comma)
            && listed!(words.text(index + 1), CREDENTIALS);
        let info = if signed { words.look_up(index, index) } else { continue };
        if info.is(WordFlags::SURNAME) && !info.is_any(WORD) {
            add(words, index, index, Label::Doctor, 0.7, found);
        }
    }
}

/// `Joy M` and nothing else, `hold the dose. - Joy M., RN`: who signs an entry with one name and an initial.
fn lone_signature(words: &Words, found: &mut Found) {
    let last = words.list.len();
    let credentialed = last > 2 && is_signed_credential(words, last - 1);
    let Some(first) = last.checked_sub(2 + usize::from(credentialed)) else { return };
    let (Some(given), Some(initial)) = (words.get(first), words.get(first + 1)) else { return };
    let after = words.between_after(first + 1).trim_matches(['.', ' ']);
    let dashed = words.sentence[..given.start].trim_end().ends_with(['-', '–', '—', '~']) && given.gap != Gap::Hyphen;
    let alone = first == 0 && given.start == 0 && (after.is_empty() || credentialed);
    if (alone || dashed && credentialed)
        && given.shape == Shape::Capital
        && given.info.given_count >= 5_000
        && given.marker.is_none()
        && initial.shape == Shape::Initial
        && initial.gap == Gap::Space
    {
        add(words, first, first + 1, Label::Doctor, 0.7, found);
    }
}

/// Whether a credential follows an initial, with its stop and a comma or without: `M., RN`, `M RN`.
fn is_signed_credential(words: &Words, index: usize) -> bool {
    is_credential(words, index) || words.list[index].is(Marker::Credential) && words.between(index) == "., "
}

/// `hope RN 12:10: I did`: a name of any case, a credential and a time at the head of a line.
fn credentialed_speaker(words: &Words, found: &mut Found) {
    if !words.sentence.contains(':') {
        return;
    }
    for index in 1..words.list.len() {
        if !words.list[index].is(Marker::Credential) || words.between(index) != " " {
            continue;
        }
        let name = index - 1;
        let start = words.list[name].start;
        if start > 0 && !words.sentence[..start].ends_with('\n') {
            continue;
        }
        let clock = words.between_after(index).strip_prefix(' ').unwrap_or_default();
        let digits = clock.bytes().take_while(u8::is_ascii_digit).count();
        let info = words.look_up(name, name);
        if (1..=2).contains(&digits)
            && clock[digits..].starts_with(':')
            && info.given_count.max(info.surname_count) >= 500
            && !info.is_any(MEDICAL)
        {
            add(words, name, name, Label::Doctor, 0.7, found);
        }
    }
}

/// `C.B.` as an entry's last word, and `L.K.   NMC 12A3456E`.
fn dotted_initials(words: &Words, found: &mut Found) {
    let Some(first) = (0..words.list.len().saturating_sub(1)).rev().find(|&index| {
        words.list[index].shape == Shape::Initial
            && words.list[index + 1].shape == Shape::Initial
            && words.between(index + 1) == "."
    }) else {
        return;
    };
    let start = words.list[first].start;
    let head = words.sentence[..start].trim_end_matches(' ');
    let opens = head.is_empty() || head.ends_with(['.', '\n', '!', ')']) && head.len() < start;
    let end = words.list[first + 1].end;
    let after = words.sentence[end..].strip_prefix('.').unwrap_or_default();
    let closed = after.trim().is_empty() || after.starts_with('\n');
    let registered =
        words.get(first + 2).is_some_and(|_| listed!(words.text(first + 2), "gmc nmc hcpc gphc bleep pgr pager"));
    let letters = [words.text(first), words.text(first + 1)].concat();
    let other = listed!(&letters, "po iv pm am us uk to vo co np pa md do ot pt im sc od os hs dc nd sd nc rn");
    if opens && !other && (closed && (head.is_empty() || after.trim().is_empty()) || registered) {
        add(words, first, first + 1, Label::Doctor, 0.6, found);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn staff_who_sign() {
        assert_eq!(people("Joy K"), ["Joy K"]);
        assert_eq!(people("no caffeine, hold the dose. - Joy K., RN"), ["Joy K"]);
        assert_eq!(people("MJ  GMC 7123321  bleep 2210"), ["MJ"]);
        assert_eq!(people("D.R."), ["D.R"]);
        assert_eq!(people("faith RN 12:40: she is asleep"), ["faith"]);
        assert_eq!(people("post HR 102, tolerated well. menendez rrt"), ["menendez"]);
    }

    #[test]
    fn letters_that_sign_nothing() {
        for line in ["P.O.", "I.V.", "Vitamin K", "Type A", "GMC 7123321", "seen by charge rn", "per wound rn"] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
