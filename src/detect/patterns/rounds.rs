//! Initials of those who went their rounds, beside the clock: `2000 rp 2015 rp 2030 bz asleep`, `BG 142 0730 CJ | BG 201 1130 CJ`,
//! `turned q2h: 00 DM 02 DM 04 LT`.
//!
//! One pair of a number and two letters may be an amount; three clock times with letters behind each are a round.

use super::context::{byte_at, byte_before};
use super::findings::Findings;
use super::sign_off::are_initials;
use super::survey::{Chain, Survey};
use crate::detect::listed::listed;
use crate::phi::Label;

/// Fewer entries are no round.
const FEWEST: usize = 3;

/// Letters behind numbers that are never anybody's.
const NOBODY: &str = "mg ml cc mcg kg cm mm iu am pm hr hrs min po iv im sq sc prn pt pts bp rr hs ac pc qd no ok np ng wnl nad na gm \
                      yo yr yrs wk wks mo mos day the for and to at in on of it he she per was via or ft lb lbs oz pe ra la x bg bs bm abx nph tf uo ns lr neb inh";

/// A clock time and the letters behind it.
struct Entry {
    clock: std::ops::Range<usize>,
    letters: std::ops::Range<usize>,
}

/// Adds the initials of a round, and its clock times.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.chains.len() < FEWEST {
        return;
    }
    for digits in [4, 2] {
        let entries: Vec<Entry> = survey.chains.iter().filter_map(|chain| entry(sentence, chain, digits)).collect();
        if entries.len() < FEWEST || digits == 2 && !are_in_a_row(sentence, &entries) {
            continue;
        }
        let known = entries.iter().filter(|entry| are_initials(&sentence[entry.letters.clone()])).count();
        // Where two or more take turns and nothing stands between, even `DM` and `LT` are who went.
        let text = |entry: &Entry| sentence[entry.letters.clone()].to_owned();
        let turns = entries.windows(2).any(|pair| text(&pair[0]) != text(&pair[1]));
        if known * 2 < entries.len() && !(turns && are_in_a_row(sentence, &entries)) {
            continue;
        }
        for Entry { clock, letters } in entries {
            if !findings.covers(&letters) {
                findings.add(letters, Label::Doctor, 0.7);
                findings.add(clock, Label::Time, 0.9);
            }
        }
    }
}

/// A clock time of so many digits, with two or three letters of one case behind it.
fn entry(sentence: &str, chain: &Chain, digits: usize) -> Option<Entry> {
    let clock = chain.range();
    if chain.count != 1 || clock.len() != digits || byte_at(sentence, clock.end) != b' ' {
        return None;
    }
    let value: u32 = sentence[clock.clone()].parse().ok()?;
    let time = if digits == 4 { value <= 2400 && value % 100 < 60 } else { value <= 24 };
    let start = clock.end + 1;
    let length = sentence.get(start..)?.bytes().take_while(u8::is_ascii_alphabetic).count();
    let letters = &sentence[start..start + length];
    let one_case =
        letters.bytes().all(|byte| byte.is_ascii_lowercase()) || letters.bytes().all(|byte| byte.is_ascii_uppercase());
    let free = !byte_before(sentence, clock.start).is_ascii_alphanumeric()
        && !matches!(byte_at(sentence, start + length), b'\'' | b'/' | b'-' | b'0'..=b'9');
    (time && free && one_case && (2..=3).contains(&length) && !listed!(letters, NOBODY))
        .then_some(Entry { clock, letters: start..start + length })
}

/// Whether nothing but blanks and light marks stands between all entries.
fn are_in_a_row(sentence: &str, entries: &[Entry]) -> bool {
    entries.windows(2).all(|pair| {
        sentence
            .get(pair[0].letters.end..pair[1].clock.start)
            .is_some_and(|gap| gap.bytes().all(|byte| matches!(byte, b' ' | b',' | b';' | b'|' | b'\n')))
    })
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn initials_of_rounds() {
        let staff = |sentence| found(sentence, &[Label::Doctor]);
        assert_eq!(staff("q15 checks: 2100 kv 2115 kv 2130 tz calm"), ["kv", "kv", "tz"]);
        assert_eq!(staff("BG 142 0730 CJ | BG 201 1130 CJ | BG 187 1645 hw"), ["CJ", "CJ", "hw"]);
        assert_eq!(staff("turned q2h: 00 DM 02 DM 04 LT 06 LT"), ["DM", "DM", "LT", "LT"]);
    }

    #[test]
    fn a_round_s_clock_is_no_year() {
        assert_eq!(found("checks 2000 kv 2015 kv 2030 tz", &[Label::Date]), [] as [&str; 0]);
    }

    #[test]
    fn amounts_are_no_rounds() {
        for sentence in [
            "0800 pt up 1000 pt asleep 1200 pt ate",
            "10 mg 20 mg 40 mg tablets",
            "1000 ml in, 1200 ml out, 0900 ml left",
            "fed 10 cc 12 cc 14 cc",
            "UO 1100 cc 1300 cc 1500 cc",
            "0800 ab 1000 ab 1200",
            "0600 BG 1100 BG 1600 BG",
            "0800 DVT 1200 DVT 1600 DVT",
        ] {
            assert_eq!(found(sentence, &[Label::Doctor]), [] as [&str; 0], "{sentence}");
        }
    }
}
