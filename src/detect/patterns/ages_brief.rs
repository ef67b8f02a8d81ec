//! Ages as briefly as they can be written: `62M stagehand`, `| 64F |`, `MELANIE/26F/11 North`, `mother alive 101`.
//!
//! A size of a catheter, a temperature and a number of months look the same, so each asks for what stands around it.

use std::ops::Range;

use super::context::{byte_at, byte_before, first_run, word_after, word_before};
use crate::detect::listed::listed;

/// What has a size in French, whose sign is an `F` right before or behind it.
const SIZED: &str = "foley foleys coude coudé catheter catheters sheath sheaths tube tubes pigtail ng ngt og ogt dobhoff introducer balloon french \
                     dilator robinson malecot quinton ij rij lij rfv lfv cfa sfa cannula cannulas cannulae cystoscope resectoscope ureteroscope angioseal angio-seal jr4 jl4 fr";
/// The first words of two that have one: `18F chest tube`, `16F red rubber`.
const SIZED_PAIRS: &str = "chest-tube red-rubber straight-cath straight-catheter double-lumen triple-lumen double-pigtail feeding-tube \
                           suction-catheter nephrostomy-tube trach-tube";
/// How the names of what has a size end: `Glidesheath`, `aScope`.
const SIZED_ENDINGS: [&str; 4] = ["sheath", "scope", "guide", "catheter"];
/// The largest size in French of a tool whose name ends so; an age is higher more often.
const LARGEST: u32 = 24;
/// What somebody is called by instead of a name.
const PRONOUNS: &str = "they/them she/her he/him she/they he/they they/she they/he she/her/hers he/him/his they/them/theirs \
                        she/her/ella he/him/el";
/// What tells that an `F` is of a thermometer.
const FEVERISH: &str =
    "temp temps tmax temperature fever fevers febrile afebrile degrees t oral rectal axillary tympanic warm";
/// What stands before a number of months, whose sign may be an `M`.
const MONTHS_BEFORE: &str = "q every in x at for last next past after f/u fu over within another since the by than";

/// Whether the number at `range` is briefly told as an age.
pub(super) fn tells(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    value > 0
        && (before_sex(sentence, range, value)
            || behind_sex(sentence, range)
            || in_columns(sentence, range, value)
            || of_a_patient(sentence, range, value)
            || before_race(sentence, range, value)
            || beside_pronouns(sentence, range, value)
            || before_pregnancies(sentence, range, value)
            || of_the_living(sentence, range, value))
}

/// `| 76 M | Acct`, `DOC# 00591837   46/M/W`, `DOB 1983-05-02   F   41`: a sex in the column beside.
fn in_columns(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let (head, rest) = (&sentence[..range.start], &sentence[range.end..]);
    let opens =
        |text: &str| text.is_empty() || text.ends_with("  ") || text.ends_with(['\n', '\t']) || text.ends_with("| ");
    let closes = |text: &str| {
        text.is_empty() || text.starts_with("  ") || text.starts_with(['\n', '\t']) || text.starts_with(" |")
    };
    let sexes = [" M", " F", "/M/W", "/M/B", "/M/H", "/F/W", "/F/B", "/F/H"];
    let behind = opens(head) && sexes.iter().filter_map(|sex| rest.strip_prefix(sex)).any(closes);
    let bare = head.trim_end_matches([' ', '\t']);
    let before = head.len() - bare.len() > 1
        && bare.strip_suffix(['M', 'F']).is_some_and(|text| text.ends_with("  ") || text.ends_with("| "))
        && closes(rest);
    (13..=110).contains(&value) && (behind || before)
}

/// `Pt 74, still ranches`: the patient, an age and a comma.
fn of_a_patient(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let next = &sentence[range.end..];
    (18..=110).contains(&value)
        && listed!(word_before(sentence, range.start), "pt patient")
        && byte_before(sentence, range.start) == b' '
        && next.strip_prefix(", ").is_some_and(|next| next.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// `lovejoy, merry (f, 52)`, `(M; 71)`: all that stands between brackets.
fn behind_sex(sentence: &str, range: &Range<usize>) -> bool {
    let head = sentence[..range.start].trim_end_matches([' ', ',', ';', '/']);
    let sexed = ["(f", "(F", "(m", "(M"].iter().any(|sex| head.ends_with(sex));
    sexed && head.len() < range.start && byte_at(sentence, range.end) == b')'
}

/// `62M stagehand`, `-- 34F, ambulatory`, `| 64F |`, `MELANIE/26F/11 North`: a sex in capitals right behind the number.
fn before_sex(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let sex = byte_at(sentence, range.end);
    let after = byte_at(sentence, range.end + 1);
    let ends = matches!(after, b' ' | b',' | b';' | b')' | b'|' | b'\n')
        || after == b'.' && !byte_at(sentence, range.end + 2).is_ascii_alphanumeric()
        || after == b'/' && byte_at(sentence, range.end + 2).is_ascii_alphabetic();
    let marked = matches!(byte_before(sentence, range.start), b' ' | b'(' | b'|' | b':' | b'\n' | b'/' | b'>' | b',');
    let lead = word_before(sentence, range.start);
    (13..=110).contains(&value)
        && ends
        && marked
        && match sex {
            b'F' => {
                !is_size(sentence, range)
                    && !listed!(lead, "temp temps temperature tmax")
                    && (value < 94 || !is_feverish(sentence))
            }
            b'M' => {
                !listed!(lead, MONTHS_BEFORE) && !listed!(word_after(sentence, range.end + 1), "ago old later cells")
            }
            _ => false,
        }
}

/// `92 WM found down`, `95 BF s/p fall`, `61AAF`: a race and a sex in capitals; `BM` alone is a matter of the bowels as well.
fn before_race(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let rest = &sentence[range.end..];
    let word = rest.strip_prefix(' ').unwrap_or(rest);
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (race, behind) = word.split_at(letters);
    let marked = matches!(byte_before(sentence, range.start), 0 | b' ' | b'(' | b'|' | b'\n' | b',');
    let after = word_after(sentence, range.end + rest.len() - behind.len());
    let bowels = race == "BM" && (value < 18 || listed!(after, "today yesterday per daily loose x this since"));
    marked
        && matches!(race, "WM" | "WF" | "BF" | "AAM" | "AAF" | "BM")
        && !bowels
        && (13..=115).contains(&value)
        && behind.starts_with([' ', ',', '.', ';', '\n', ')'])
}

/// `they/them   22`, `19 they/them, goes by`: beside pronouns.
fn beside_pronouns(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let rest = &sentence[range.end..];
    let ends = rest.trim_start_matches(' ').is_empty()
        || rest.starts_with([',', ';', ')', '\n', '|'])
        || rest.starts_with("  ")
        || rest.starts_with(". ");
    let next = rest.strip_prefix(' ').unwrap_or_default();
    let behind = first_run(next, |byte| byte.is_ascii_alphabetic() || *byte == b'/');
    // `room 22 she/her`: the bed.
    (4..=115).contains(&value)
        && !listed!(word_before(sentence, range.start), "room rm bed x")
        && (ends && listed!(word_before(sentence, range.start), PRONOUNS) || listed!(behind, PRONOUNS))
}

/// `Mat: 31 G1, O neg`, `22 - G1 w/ LMP`, `28 G2P1`: of a mother, before how often she was pregnant; a grade has no such number before it.
/// Behind `at` and the like it is the week of the pregnancy, behind another number a share of a tumor's cells.
fn before_pregnancies(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let rest = &sentence[range.end..];
    let gravida = rest.trim_start_matches([' ', '-', ',']).strip_prefix('G').unwrap_or_default();
    let times = first_run(gravida, u8::is_ascii_digit);
    let behind = &gravida[times.len()..];
    let apart = rest.starts_with([' ', ',']) && rest.len() - gravida.len() <= 4;
    (12..=55).contains(&value)
        && apart
        && matches!(times.len(), 1 | 2)
        && (behind.is_empty() || behind.starts_with([' ', ',', ';', '.', '\n', 'P', 'p', ')', '/', 'T']))
        && matches!(byte_before(sentence, range.start), b' ' | b'(' | b'\n' | b':' | b',')
        && !sentence[..range.start].trim_end_matches([' ', ':']).ends_with(|c: char| c.is_ascii_digit() || c == '@')
        && !listed!(
            word_before(sentence, range.start),
            "needle gauge grade stage size ki nec net who x at ga ega eg gestation er pr"
        )
}

/// Whether a number before an `F` is a size: `16F Foley`, `18F chest tube`, `sheath 6F`; of a patient other words stand beside it.
pub(in crate::detect) fn is_size(sentence: &str, range: &Range<usize>) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '-';
    let word = |text: &str| text.find(|letter: char| !is_word(letter)).unwrap_or(text.len());
    let behind = sentence[range.end + 1..].strip_prefix(' ').unwrap_or_default();
    let (first, rest) = behind.split_at(word(behind));
    let second = rest.strip_prefix(' ').map_or("", |rest| &rest[..word(rest)]);
    let before = sentence[..range.start].strip_suffix(' ').unwrap_or_default();
    let last = before.rsplit(|letter: char| !is_word(letter)).next().unwrap_or_default();
    let size = sentence[range.clone()].parse().is_ok_and(|size: u32| size <= LARGEST);
    let words = behind.split(' ').take(3).take_while(|word| !listed!(word, "w/ w with for s/p c/o who here p/w and"));
    // `22F scope today`: what is done to somebody.
    let tool = |text: &str| {
        let small = text.to_ascii_lowercase();
        small != "scope" && SIZED_ENDINGS.iter().any(|ending| small.ends_with(ending))
    };
    size && words.map(|word| word.trim_end_matches(['.', ',', ';'])).any(tool)
        || listed!(first, SIZED)
        || listed!(last, SIZED)
        || !second.is_empty() && listed!(&format!("{first}-{second}"), SIZED_PAIRS)
}

fn is_feverish(sentence: &str) -> bool {
    sentence.split(|c: char| !c.is_alphabetic()).any(|word| listed!(word, FEVERISH))
}

/// `mother Concetta alive 101 in Providence`, `M alive 91,`.
fn of_the_living(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    value > 29
        && byte_before(sentence, range.start) == b' '
        && listed!(word_before(sentence, range.start), "alive living")
        && !byte_at(sentence, range.end).is_ascii_alphanumeric()
        && listed!(word_after(sentence, range.end), "in and w/ with brother sister mother father m f sibs")
            | matches!(byte_at(sentence, range.end), b',' | b';' | b')')
}

/// `3M 1860S`, `3M Tegaderm`: who makes it.
pub(super) fn is_maker(sentence: &str, range: &Range<usize>) -> bool {
    let Some(made) = sentence[range.end..].strip_prefix("M ").filter(|_| &sentence[range.clone()] == "3") else {
        return false;
    };
    let model = made.bytes().take_while(u8::is_ascii_digit).count();
    matches!(model, 3 | 4) && !made[model..].starts_with(['/', ':', '-'])
        || listed!(
            first_run(made, |byte| byte.is_ascii_alphabetic()),
            "tegaderm cavilon coban littmann medipore micropore transpore"
        )
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn ages_in_brief() {
        for (sentence, ages) in [
            ("lovejoy, merry (f, 52) chart", &["52"] as &[&str]),
            ("|Pt| BENAVIDEZ, TRANQUILINO | 76 M | Acct", &["76"]),
            ("Inmate TOBY RAY   DOC# 00591837   46/M/W", &["46"]),
            ("DOB 1983-05-02   F   41\n", &["41"]),
            ("in Hamilton tonight. Pt 74, still ranches", &["74"]),
            ("psych: 62M stagehand hears voices", &["62"] as &[&str]),
            ("ED TRIAGE 2130h -- 34F, ambulatory, c/o RLQ pain", &["34"]),
            ("Xu | 64F | GIB | EGD am", &["64"]),
            ("BIENVENU,MELANIE/26F/North", &["26"]),
            ("ROCCA, F - 78M - CHOLE", &["78"]),
            ("mother Concetta alive 101 in Providence", &["101"]),
            ("45F chest pain since noon", &["45"]),
            ("71F s/p cath yesterday", &["71"]),
            ("67F on dialysis, missed one", &["67"]),
            ("92 WM found down at home", &["92"]),
            ("95 BF s/p fall", &["95"]),
            ("61AAF, htn", &["61"]),
            ("Alex Doe  pronouns they/them   22\nPHQ-9 21", &["22"]),
            ("19 they/them, goes by Sky", &["19"]),
            ("pt 34 she/her here for refill", &["34"]),
            ("Mat: 31 G1, O neg, RhoGAM x1", &["31"]),
            ("mother 28 G2P1 at 30w2d", &["28"]),
            ("Ana Doe 22 - G1 w/ fundal height 32", &["22"]),
            ("cc \"cannot breathe\" 61 M roofer", &["61"]),
            ("35F w/ trauma from a telescope", &["35"]),
            ("3M with fever for two days", &["3"]),
            ("38F scope today, no polyps", &["38"]),
            ("22F scope tomorrow", &["22"]),
            ("33F colonoscope advanced to cecum", &["33"]),
        ] {
            assert_eq!(found(sentence, &[Label::Age]), ages, "{sentence}");
        }
    }

    #[test]
    fn sizes_temperatures_and_months() {
        for sentence in [
            "16F Foley placed without trouble",
            "3M 1860S fit-tested, pass",
            "Fit: 3M 6502 med, no leak",
            "20F coude passed at last",
            "18F chest tube to suction",
            "chest tube 28F, to suction",
            "Temp 101F, HR 90",
            "febrile to 102F, cultures sent",
            "scan q 18M, then yearly",
            "PET in 24M, sooner if symptoms",
            "18 BM today, loose",
            "R radial access, 6F Glidesheath, verapamil",
            "16F flex Ambu aScope 4 passed",
            "right femoral 7F sheath, 8F guide",
            "dose given by they/them 22 times",
            "room 22 she/her",
            "3 G1 nodules, NEC 20 G3",
            "Ki-67 30 G3 NET of the pancreas",
            "ER 90, PR 20 G2 invasive ductal",
            "pt is at 38 G2P1, contracting",
            "@ 32 G3P2 w/ PIH",
            "needle 22 G 1 inch",
            "Twin A 6# 1, Twin B 5# 9 oz",
            "kids 3 mg and chew 1 can/d",
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [] as [&str; 0], "{sentence}");
        }
    }
}
