//! Who signs: `GY` alone on its line, `… Booked. FN`, `KLB:mt`, `Pao Her, MD`, `W Kamakea pgy1`, `penny sw 1419`.

use super::found::Found;
use super::markers::Marker;
use super::people::add;
use super::plausible::{Likeness, likeness};
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::WordList;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// What two or three letters mean besides someone's initials.
const CODES: WordFlags = MEDICAL
    .union(WordFlags::ENGLISH)
    .union(WordFlags::ORGANIZATION)
    .union(WordFlags::HOSPITAL)
    .union(WordFlags::STATE_ABBREVIATION)
    .union(WordFlags::COUNTRY)
    .union(WordFlags::STREET_SUFFIX)
    .union(WordFlags::COMPANY_CUE);

/// A name in brackets that is not written as one, in small letters or in capitals, must be borne by so many.
const FEW: u32 = 100;

/// Adds the signers of a sentence.
pub(super) fn detect(words: &Words, found: &mut Found) {
    with_credential(words, found);
    if words.sentence.as_bytes().contains(&b'\n') || words.list.len() <= 4 {
        chat_authors(words, found);
    }
    if words.sentence.as_bytes().contains(&b':') {
        let begins = |&index: &usize| index <= 2 || words.list[index].blank.line || is_timed(words, index);
        (0..words.list.len()).filter(begins).for_each(|index| speaker(words, index, found));
    }
    opening_initials(words, found);
    closing_initials(words, found);
    in_brackets(words, found);
}

/// Headings and registers that no list of abbreviations holds.
static HEADINGS: WordList = WordList::new(
    "csn npi gmc nmc hpc obj sub subj soc dhx fhx shx pmhx dx gen lab labs fin har pin udi otc adl rom imp \
                        ecf cbg wob vss aaox perrla nkda rte oob tsp qty sig ndc mfr exp inj imm mod min max avg tot smr ste ods phn \
                        cga sba wbat nwb esi",
);

fn are_initials(words: &Words, index: usize, shape: Shape) -> bool {
    let word = &words.list[index];
    word.shape == shape
        && (2..=3).contains(&(word.end - word.start))
        && word.marker.is_none()
        && !words.look_up(index, index).is_any(CODES)
        && !HEADINGS.contains(words.text(index))
        && words.text(index).bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// `Pao Her, MD MPH` or `W Kamakea pgy1` at the start of a line: whatever its words mean elsewhere.
fn with_credential(words: &Words, found: &mut Found) {
    let Some(at) = (1..words.list.len().min(5)).find(|&index| words.list[index].is(Marker::Credential)) else {
        return;
    };
    let credential = &words.list[at];
    let text = words.text(at);
    let sure = matches!(credential.gap, Gap::Comma)
        && (credential.shape == Shape::Upper && text.len() > 1
            || text.contains('.')
            || text.eq_ignore_ascii_case("phd"))
        || credential.gap == Gap::Space
            && matches!(text, "MD" | "RN" | "DO" | "NP" | "LPN" | "LCSW" | "pgy" | "PGY" | "FNP" | "RPSGT" | "IBCLC");
    let last = at - 1;
    let named = (0..=last).all(|index| {
        let word = &words.list[index];
        let joined =
            index == 0 || words.between(index) == " " || words.between(index) == ". " || word.gap == Gap::Hyphen;
        let medical = word.info.is_any(MEDICAL) && word.info.surname_count.max(word.info.given_count) < 500;
        let shaped = word.shape == Shape::Capital || word.shape == Shape::Initial || word.is(Marker::Particle);
        let ordinary = index == 0
            && word.info.english_size().is_some_and(|size| size <= 50)
            && word.info.surname_count.max(word.info.given_count) < 1_000;
        joined
            && shaped
            && !medical
            && !ordinary
            && !matches!(word.marker, Some(Marker::DoctorTitle | Marker::CareRole | Marker::StaffVerb | Marker::By))
    });
    let tells = (0..=last).any(|index| {
        words.list[index].shape == Shape::Capital
            && words.list[index].info.surname_count.max(words.list[index].info.given_count) >= 300
            || likeness(words.list[index].info) == Likeness::Unknown
    });
    if sure && named && tells && last > 0 {
        add(words, 0, last, Label::Doctor, 0.9, found);
    }
}

/// `penny sw 1419`, `h almasri 1421`: who wrote the message below, with its time.
fn chat_authors(words: &Words, found: &mut Found) {
    let mut first = 0;
    for next in 1..=words.list.len() {
        if next == words.list.len() || words.list[next].blank.line {
            if next - first <= 4 {
                chat_author(words, first, next - 1, found);
            }
            first = next;
        }
    }
}

/// The line of the words `first..=end`, if it holds a name and a time of day only.
fn chat_author(words: &Words, first: usize, end: usize, found: &mut Found) {
    let after = words.between_after(end);
    let line = after.split('\n').next().unwrap_or_default();
    let time = line.trim_matches([' ', '[', ']', '(', ')', '-', ',']);
    let clock = (3..=5).contains(&time.len())
        && line.starts_with(' ')
        && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
        && time.bytes().filter(u8::is_ascii_digit).count() >= 3;
    let start = words.list[first].start;
    if !clock || !(start == 0 || words.sentence[..start].ends_with('\n')) {
        return;
    }
    let is_name = |index: usize| {
        let word = &words.list[index];
        let info = words.look_up(index, index);
        let person = match likeness(info) {
            Likeness::Name => true,
            Likeness::Unknown => index > first,
            Likeness::Namesake => info.given_count >= 10_000 || index > first,
            _ => false,
        };
        (word.marker.is_none() || word.is(Marker::Particle)) && (word.end - word.start == 1 && index == first || person)
    };
    let names = (first..=end).take_while(|&index| is_name(index)).count();
    let rest = (first + names..=end).all(|index| {
        matches!(words.list[index].marker, Some(Marker::Credential | Marker::CareRole)) || words.text(index).len() <= 3
    });
    if names > 0 && rest && words.list[first + names - 1].end - start > 2 {
        add(words, first, first + names - 1, Label::Doctor, 0.75, found);
    }
}

/// `GY` alone, `KLB:mt`, `D: KG   T: mw`.
fn opening_initials(words: &Words, found: &mut Found) {
    let Some(first) = words.list.first() else { return };
    let alone = words.list.len() == 1
        && first.gap == Gap::Start
        && words.sentence[..first.start].trim_matches(['-', '~', '—', '–', ' ', '*', '/']).is_empty()
        && words.sentence[first.end..].trim_matches(['.', ' ', '/', ')']).is_empty();
    let dashed = words.sentence[..first.start].ends_with(['-', '—', '–', '~']);
    if alone && (are_initials(words, 0, Shape::Upper) || dashed && is_signed_small(words)) {
        add(words, 0, 0, Label::Doctor, 0.6, found);
    }
    for index in 0..words.list.len().saturating_sub(1) {
        let blank = words.list[index].blank;
        let column = index == 0 && words.list[0].start == 0 || blank.wide || blank.line;
        if column {
            dictated(words, index, found);
        }
    }
    for index in 1..words.list.len().min(8) {
        let led = matches!(words.text(index - 1), "D" | "T" | "DT" | "TR") && words.between(index).trim_end() == ":";
        let shape = words.list[index].shape;
        if led && matches!(shape, Shape::Upper | Shape::Lower) && are_initials(words, index, shape) {
            add(words, index, index, Label::Doctor, 0.6, found);
        }
    }
}

/// `-bt`: a dash before two or three small letters that are no word.
fn is_signed_small(words: &Words) -> bool {
    let word = &words.list[0];
    word.shape == Shape::Lower
        && (2..=3).contains(&(word.end - word.start))
        && word.marker.is_none()
        && words.look_up(0, 0).english_size().is_none()
        && !HEADINGS.contains(words.text(0))
}

/// `KLB:mt`, `AN/klf`: who dictated and who typed.
fn dictated(words: &Words, index: usize, found: &mut Found) {
    let (first, second) = (&words.list[index], &words.list[index + 1]);
    // Alone in its line or column, even letters that mean something else are initials: `SR/pbt   Job 11`.
    let after = words.between_after(index + 1);
    let apart = words.between(index + 1) == "/"
        && (after.is_empty() || after.starts_with('\n') || after.starts_with("  "))
        && words.look_up(index + 1, index + 1).english_size().is_none();
    let short =
        |word: &super::words::Word| (2..=3).contains(&(word.end - word.start)) && (word.marker.is_none() || apart);
    if matches!(words.between(index + 1), ":" | "/")
        && (first.shape, second.shape) == (Shape::Upper, Shape::Lower)
        && short(first)
        && (2..=3).contains(&(second.end - second.start))
        && (apart || are_initials(words, index, Shape::Upper) || are_initials(words, index + 1, Shape::Lower))
        && words.sentence[second.end..].chars().next().is_none_or(|after| after.is_whitespace() || after == '/')
    {
        add(words, index, index, Label::Doctor, 0.6, found);
        add(words, index + 1, index + 1, Label::Doctor, 0.6, found);
    }
}

/// Whether nothing but a clock time stands before a word in its line: `7:04a tam: ok`, `[09:12] priya: yes`.
fn is_timed(words: &Words, index: usize) -> bool {
    let start = words.list[index].start;
    let bytes = words.sentence.as_bytes();
    // Cheap first: a blank, and behind it the end of a time.
    let gate = start >= 4
        && bytes[start - 1].is_ascii_whitespace()
        && (bytes[start - 2].is_ascii_digit() || b"apmAPM])-".contains(&bytes[start - 2]));
    if !gate {
        return false;
    }
    let line = words.sentence[..start].rsplit('\n').next().unwrap_or_default();
    (4..=14).contains(&line.len())
        && line.ends_with([' ', '\t'])
        && line.bytes().filter(u8::is_ascii_digit).count() >= 3
        && line.contains(':')
        && line.bytes().all(|byte| byte.is_ascii_digit() || b" :apmAPM[]().,-\t".contains(&byte))
}

/// What stands behind the role and the time of a speaker, and whether there is a time: `: yes` of ` (pharm) 10:17: yes`.
fn behind_stamp(after: &str) -> (&str, bool) {
    let role = after.strip_prefix(" (").and_then(|inner| inner.split_once(')'));
    let rest = role.filter(|(role, _)| role.len() <= 12 && !role.contains('\n')).map_or(after, |(_, rest)| rest);
    let Some(clock) = rest.strip_prefix(' ') else { return (after, false) };
    let length = clock.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b':').count();
    let time = clock[..length].trim_end_matches(':');
    if time.len() < 4 || !time.contains(':') {
        return (after, false);
    }
    let rest = &clock[time.len()..];
    (["am", "pm", "a", "p"].iter().find_map(|half| rest.strip_prefix(*half)).unwrap_or(rest), true)
}

/// `lourdes q: morning`, `deshpande: agree`, `Priya S 10:41: given`, `Young: no role for it`: who says a line of a conversation.
fn speaker(words: &Words, index: usize, found: &mut Found) {
    let start = words.list[index].start;
    let opens = words.sentence[..start].trim_end_matches([' ', '>', '*', '-']);
    let timed = is_timed(words, index);
    if !(opens.is_empty() || opens.ends_with('\n') || timed) || words.list[index].marker.is_some() {
        return;
    }
    let initial = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.end - next.start == 1);
    let last = index + usize::from(initial);
    let (after, stamped) = behind_stamp(words.between_after(last));
    let says = after.trim_start_matches('.').strip_prefix(": ").map(str::trim_start);
    let Some(line) = says else { return };
    let info = words.look_up(index, index);
    let small = words.list[index].shape == Shape::Lower;
    let talks = line.starts_with(|c: char| c.is_lowercase());
    let person = match likeness(info) {
        Likeness::Name => {
            let bearers = info.surname_count.max(info.given_count);
            bearers >= 500 && info.english_size().is_none() && (small || talks || stamped)
                || initial && (talks || stamped)
        }
        Likeness::Namesake => initial && info.given_count >= 10_000,
        _ => false,
    };
    let ordinary = info.english_size().is_some_and(|size| size <= 35) && info.given_count < 10_000;
    let bearers = info.given_count >= 50 || info.surname_count >= 300 || likeness(info) == Likeness::Unknown;
    let person = person || timed && !ordinary && bearers;
    if person && !words.shouted && words.list[index].end - start > 2 {
        add(words, index, last, Label::Doctor, 0.7, found);
    }
}

/// `O. Lund MD / mb / wc`: everyone who wrote a part, behind the one who signs.
fn typists(words: &Words, found: &mut Found) {
    let signs = |index: usize| {
        let word = &words.list[index];
        word.shape == Shape::Lower && word.end - word.start == 2 && words.between(index).trim() == "/"
    };
    let mut first = words.list.len();
    while first > 1 && signs(first - 1) {
        first -= 1;
    }
    let closed = words.list.last().is_some_and(|last| words.sentence[last.end..].trim().is_empty());
    if closed && first > 0 && words.list.len() - first >= 2 && words.list[first - 1].is(Marker::Credential) {
        (first..words.list.len()).for_each(|index| add(words, index, index, Label::Doctor, 0.6, found));
    }
}

/// `… Booked for Monday. FN`, `… as planned.   VR  6/16 0731`: after a stop or a wide blank, at the end.
fn closing_initials(words: &Words, found: &mut Found) {
    typists(words, found);
    let Some(last) = words.list.len().checked_sub(1) else { return };
    if last < 1 {
        return;
    }
    let word = &words.list[last];
    let tail = words.sentence[word.end..].trim();
    let number = tail.len() > 5 && !tail.contains(['/', ':']);
    let dated =
        !number && tail.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'/' | b':' | b' ' | b'.' | b'-'));
    let between = words.between(last);
    let apart =
        between.contains("   ") || between.trim_end().ends_with('.') && between.ends_with(' ') && !words.shouted;
    if !(dated && apart) || found.covers(word.start..word.end) {
        return;
    }
    let signed = are_initials(words, last, Shape::Upper) && !words.shouted
        || are_initials(words, last, Shape::Lower)
            && words.list[last - 1].is(Marker::Credential)
            && likeness(words.look_up(last, last)) >= Likeness::Unknown;
    if signed {
        add(words, last, last, Label::Doctor, 0.6, found);
    }
}

/// `port out per IR (szczepanik)`, `note to follow (LANGFELD)`: who did it, alone in brackets at the end of what is said.
fn in_brackets(words: &Words, found: &mut Found) {
    for (index, word) in words.list.iter().enumerate().skip(1).filter(|(_, word)| word.gap == Gap::Bracket) {
        let rest = &words.sentence[word.end..];
        let closed = words.between(index).ends_with('(')
            && rest.strip_prefix(')').is_some_and(|rest| {
                let rest = rest.trim_start_matches(' ');
                rest.trim_end().is_empty() || rest.starts_with(['\n', '.', '/', '-'])
            });
        if !closed || word.end - word.start < 4 || word.marker.is_some() || found.covers(word.start..word.end) {
            continue;
        }
        let info = words.look_up(index, index);
        let is_name = match (likeness(info), word.shape) {
            (Likeness::Name, Shape::Lower | Shape::Upper) => {
                info.english_size().is_none() && info.surname_count.max(info.given_count) >= FEW && !words.shouted
            }
            (Likeness::Name, Shape::Capital) => info.english_size().is_none(),
            _ => false,
        };
        if is_name && !words.is_eponym(index) {
            add(words, index, index, Label::Doctor, 0.6, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn signers_close_and_open_lines() {
        assert_eq!(people("Will recheck Monday. QJ"), ["QJ"]);
        assert_eq!(people("XKD:wq"), ["XKD", "wq"]);
        assert_eq!(people("R Halvorsen pgy2 pager 4410"), ["R Halvorsen"]);
        assert_eq!(people("ok will do\nh okonkwo 1421\nthanks"), ["h okonkwo"]);
        assert_eq!(people("marisela q: morning all"), ["marisela q"]);
        assert_eq!(people("Marisela Q (pharm) 10:17: 26.4 on rm 6"), ["Marisela Q"]);
    }

    #[test]
    fn names_in_brackets() {
        for (sentence, name) in [
            ("attg note to follow (HALVORSEN)", "HALVORSEN"),
            ("md aware of the refusal (Lindqvist) /ow", "Lindqvist"),
            ("speech valve w/ speech (gretel)", "gretel"),
        ] {
            assert_eq!(people(sentence), [name], "{sentence}");
        }
        for sentence in ["dressing changed (santyl)", "seen today (improved)", "no news (morning)"] {
            assert_eq!(people(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn headings_are_no_signers() {
        for line in ["GU", "HPC", "CV:nl", "Pulm: clear bilat", "OBJ", "SMR", "Vitals 10:17: 99/60"] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
