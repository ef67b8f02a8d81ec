//! The line that a typist leaves below what was dictated, where days have no year: `d: 2/8 t: 2/9 jw   job 77120`. Without the number of the
//! job it could be the strength of a deltoid and a triceps.

use std::sync::LazyLock;

use regex::Regex;

use super::findings::{Findings, date};
use super::survey::Survey;
use super::{captures_in, expression};
use crate::phi::{Kind, Label};

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let day = r"(?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|[12][0-9]|3[01])";
    expression(&format!(
        r"\bd{{1,2}}:\s?(?P<dictated>{day})\s{{1,4}}t{{1,2}}:\s?(?P<typed>{day})(?:\s{{1,4}}(?P<typist>(?-i:[a-z]{{2,3}})))?\s{{1,4}}job\s?(?:#|no\.?|:)?\s?(?P<job>[0-9]{{3,12}})(?:\s|$)"
    ))
});

/// Adds the days, the typist and the number of the job.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.colons < 2 || survey.digits < 4 {
        return;
    }
    for captures in captures_in(&LINE, sentence) {
        let parts = [
            ("dictated", date(Kind::DatePartial)),
            ("typed", date(Kind::DatePartial)),
            ("typist", Label::Doctor.into()),
            ("job", Label::IdNum.into()),
        ];
        for (part, class) in parts {
            if let Some(found) = captures.name(part).filter(|found| !findings.covers(&found.range())) {
                findings.add(found.range(), class, 0.85);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn who_typed_and_when() {
        let line = "d: 2/8 t: 2/9 jw   job 77120";
        assert_eq!(found(line, &[Label::Date]), ["2/8", "2/9"]);
        assert_eq!(found(line, &[Label::Doctor]), ["jw"]);
        assert_eq!(found(line, &[Label::IdNum]), ["77120"]);
        assert_eq!(found("DD: 11-02 TT: 11-03 job 4417", &[Label::Date]), ["11-02", "11-03"]);
        for strength in ["D: 4/5 T: 4/5 PT", "D: 4/5  T: 5/5  IP: 5/5", "B: 2/4 T: 2/4 D: 2/4 T: 2/4"] {
            assert_eq!(found(strength, &[Label::Date, Label::Doctor]), [] as [&str; 0], "{strength}");
        }
    }
}
