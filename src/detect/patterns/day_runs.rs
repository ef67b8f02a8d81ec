//! Days without a year beside another one, which by themselves may be scores: `stent 3/4, 3/5`, `Admitted 5/2 - 5/5.`, `seen 7/4 and 7/7`.
//!
//! ```text
//! "Hep B series 1/5, 2/5, 7/5"       [7/5] is a day, so the two before it are, each earlier than the next
//! "PT 7/4, strength 5/5"             something else stands between
//! ```

use super::context::{byte_at, byte_before};
use super::dates::{day_and_month, value};
use super::findings::{Findings, date};
use super::pairs::{FRACTION_WORDS, fraction_word_near};
use super::survey::{Chain, Survey};
use crate::detect::listed::listed;
use crate::phi::Kind;

/// What is told in shares and scores besides.
const COUNTED: &str = "bilaterally bilateral bilat deltoid deltoids biceps triceps grip hip hips knee knees pulse pulses dp pt cultures culture bottles \
                       cycles cycle doses dose murmur sem hsm r l rt lt right left";

/// How sure such a day is.
const SCORE: f32 = 0.7;

/// Adds the days beside others, behind them and before them.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let pairs: Vec<&Chain> = survey.chains.iter().filter(|chain| is_pair(sentence, chain)).collect();
    for (one, next) in pairs.iter().zip(pairs.iter().skip(1)) {
        if findings.is_day(&one.range()) && goes_on(sentence, one, next, next) {
            add(next, findings);
        }
    }
    for (one, next) in pairs.iter().zip(pairs.iter().skip(1)).rev() {
        if findings.is_day(&next.range()) && goes_on(sentence, one, next, one) {
            add(one, findings);
        }
    }
}

fn add(pair: &Chain, findings: &mut Findings) {
    if !findings.covers(&pair.range()) {
        findings.add(pair.range(), date(Kind::DatePartial), SCORE);
    }
}

/// Whether two pairs of which one is a day go on from each other as days do, and nothing makes a score of `told`, the other one.
fn goes_on(sentence: &str, one: &Chain, next: &Chain, told: &Chain) -> bool {
    let in_order = [false, true].iter().any(|&day_first| {
        let days = (day(sentence, one, day_first), day(sentence, next, day_first));
        matches!(days, (Some(earlier), Some(later)) if earlier < later)
    });
    // `seen 3/4, 4/5 strength`, `d/c 2/3, 2/4 DP pulses`
    let mut behind = sentence[next.end..].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(3);
    let scored = fraction_word_near(sentence, told.start)
        || behind.any(|word| listed!(word, FRACTION_WORDS) || listed!(word, COUNTED));
    is_joint(&sentence[one.end..next.start]) && in_order && !scored
}

/// Whether a chain is of two numbers with a stroke between them, which can be a day and a month, and stands free.
fn is_pair(sentence: &str, chain: &Chain) -> bool {
    let [first, second] = chain.numbers() else { return false };
    let ((first, one), (second, other)) = (value(sentence, *first), value(sentence, *second));
    let after = byte_at(sentence, chain.end);
    chain.separators() == b"/"
        && one <= 2
        && other <= 2
        && day_and_month(first, second)
        && !byte_before(sentence, chain.start).is_ascii_alphanumeric()
        && !(after.is_ascii_alphanumeric() || matches!(after, b'%' | b'\'' | b'"'))
}

/// The month and the day of a pair.
fn day(sentence: &str, pair: &Chain, day_first: bool) -> Option<(u32, u32)> {
    let [first, second] = pair.numbers() else { return None };
    let (first, second) = (value(sentence, *first).0, value(sentence, *second).0);
    let (month, day) = if day_first { (second, first) } else { (first, second) };
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some((month, day))
}

/// Whether nothing but what joins two days stands between them.
fn is_joint(gap: &str) -> bool {
    matches!(
        gap.trim_matches(' '),
        "," | ";" | "-" | "–" | "&" | "+" | "and" | ", and" | "to" | "through" | "thru" | "or" | "until"
    )
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn days_beside_days() {
        for (sentence, days) in [
            ("stent 3/4, 3/5, no CP since", &["3/4", "3/5"] as &[&str]),
            ("Hep B series 1/5, 2/5, 7/5", &["1/5", "2/5", "7/5"]),
            ("Admitted 5/2 - 5/5.", &["5/2", "5/5"]),
            ("Seen on 10/07 - 10/10 for cough.", &["10/07", "10/10"]),
            ("Seen 7/4 and 7/7.", &["7/4", "7/7"]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), days, "{sentence}");
        }
    }

    #[test]
    fn scores_beside_days() {
        for (sentence, days) in [
            ("Seen 7/4, 5/5 strength", &["7/4"] as &[&str]),
            ("Seen 3/4; 4/5 R deltoid", &["3/4"]),
            ("Seen 7/4 with strength 5/5 and 4/5", &["7/4"]),
            ("strength 4/5, 5/5 throughout", &[]),
            ("Seen on 10/20, 2/6 murmur", &["10/20"]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), days, "{sentence}");
        }
    }
}
