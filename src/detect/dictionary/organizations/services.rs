//! Ships, numbered schools and the veterans' hospital: `USS Haldane`, `PS 914`, `goes to the VA`.

use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::words::{Gap, Shape, Words};
use crate::detect::listed::listed;
use crate::phi::Label;

/// Adds what the word at `index` tells.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if word.shape != Shape::Upper || found.covers(word.start..word.end) {
        return;
    }
    match words.text(index) {
        "USS" | "USNS" | "USCGC" | "HMS" | "HMCS" | "RMS" => ship(words, index, found),
        "PS" => school(words, index, found),
        "VA" => veterans(words, index, found),
        _ => {}
    }
}

/// `served on USS Haldane`, `HMS Pine Marten`.
fn ship(words: &Words, index: usize, found: &mut Found) {
    let named = |at: usize| {
        words.get(at).is_some_and(|next| {
            next.gap == Gap::Space
                && words.between(at) == " "
                && next.shape == Shape::Capital
                && next.end - next.start > 2
        })
    };
    if !words.shouted && named(index + 1) {
        let last = index + 1 + usize::from(named(index + 2));
        found.add(words.list[index].start..words.list[last].end, Label::Organization, 0.8);
    }
}

/// `PS 914`: a school of three digits, no pressure of so much support.
fn school(words: &Words, index: usize, found: &mut Found) {
    let Some(number) = words.between_after(index).strip_prefix(' ') else { return };
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let free = !number[digits..]
        .starts_with(|next: char| next.is_alphanumeric() || matches!(next, '/' | '%' | '+' | '.'))
        || number[digits..].starts_with(". ");
    if digits == 3 && free {
        let word = &words.list[index];
        found.add(word.start..word.end + 1 + digits, Label::Organization, 0.7);
    }
}

/// `seen at the VA in Marlow`, `meds from the VA`: no acuity of the eyes, which nobody goes to.
fn veterans(words: &Words, index: usize, found: &mut Found) {
    let the = index > 1 && words.list[index].gap == Gap::Space && words.text(index - 1).eq_ignore_ascii_case("the");
    let led = the
        && listed!(
            words.text(index - 2),
            "at to from through via by thru with w outside near called per calls uses leaving"
        );
    let rest = words.between_after(index);
    let ends = rest.trim_start().is_empty() || rest.starts_with([',', '.', ';', ')', '?', '!', '\n']);
    let goes_on = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space)
        && listed!(
            words.text(index + 1),
            "in at for and says said will clinic hospital system today yesterday last next since instead because when"
        );
    if led && (ends || goes_on) {
        let word = &words.list[index];
        found.add(word.start..word.end, Label::Hospital, 0.7);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::dictionary::DictionaryDetector;
    use crate::phi::{Label, unite};

    fn found(sentence: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        DictionaryDetector::new().detect(sentence, &mut spans);
        spans.retain(|span| matches!(span.leading().class.label, Label::Hospital | Label::Organization));
        unite(spans).iter().map(|span| &sentence[span.start..span.end]).collect()
    }

    #[test]
    fn ships_schools_and_the_veterans_hospital() {
        for (sentence, name) in [
            ("served on USS Haldane, hearing loss", "USS Haldane"),
            ("PS 914 needs an asthma action plan", "PS 914"),
            ("pt seen at the VA in Marlow", "VA"),
        ] {
            assert_eq!(found(sentence), [name], "{sentence}");
        }
        for sentence in ["PS 10/5 on the vent", "PS 120% of goal", "the VA was 20/40 OD", "checked the VA in both eyes"]
        {
            assert_eq!(found(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
