//! Days between what is measured in blood and its value, which look like fractions: `WBC 1/5 9.2`, `3/4 Hgb 9.2`.

use super::context::{offset_in, word_after};
use super::survey::Chain;
use crate::detect::listed::listed;

/// `WBC 1/5 9.2`, `Na 2/8: 132`, `3/4 Hgb 9.2` of a row: between what was measured in blood and its value.
pub(super) fn is_of_result(sentence: &str, chain: &Chain, before: &str) -> bool {
    const MEASURED: &str = "wbc hgb hb hct plt plts platelets na k cl co2 bicarb hco3 bun cr creat creatinine inr ptt trop troponin bnp probnp \
                            lactate crp esr procal glucose glu bg ast alt alp tbili bili alb albumin mg phos ca a1c hba1c tsh psa cea ferritin ggt \
                            lipase ammonia anc ck ldh uop vanc tacro";
    let value = |text: &str| {
        let text = text.strip_prefix(" was").unwrap_or(text).trim_start_matches([':', ',', '=']);
        let number = text.trim_start_matches(' ');
        let figures = number.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let rest = &number[figures..];
        figures > 0
            && number.len() < text.len()
            && number.starts_with(|c: char| c.is_ascii_digit())
            && !rest.starts_with(['/', '-', '%'])
    };
    let rest = &sentence[chain.end..];
    let head = sentence[..chain.start].trim_end_matches([' ', '(', ',']);
    let row = head.is_empty() || head.ends_with('\n');
    let after = word_after(sentence, chain.end);
    let behind = || offset_in(sentence, after) + after.len();
    listed!(before, MEASURED) && !head.ends_with(':') && value(rest)
        || row && listed!(after, MEASURED) && value(&sentence[behind()..])
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn days_of_results() {
        for (sentence, days) in [
            ("WBC 1/5 9.2, Na 2/8 132", &["1/5", "2/8"] as &[&str]),
            ("Plt 6/6 9.2", &["6/6"]),
            ("WBC 3/4: 9.2", &["3/4"]),
            ("3/4 WBC 9.2", &["3/4"]),
            ("UOP 3/10 800", &["3/10"]),
            ("ANC 10/31 was 0.9", &["10/31"]),
            ("K 3/4 was strong", &[]),
            ("bili 1/2 normal", &[]),
            ("CK 2/2 neg", &[]),
            ("strength 4/5 5/5", &[]),
            ("pain 3/10 0900", &[]),
            ("K 3/4 5/5 strength", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), days, "{sentence}");
        }
    }
}
