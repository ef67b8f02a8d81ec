//! What an identifier tells of the number right behind it.
//!
//! ```text
//! "PCP Uyehara 7/8. Banded by Dr. Osei 9/9."    behind who or where it was, a day; by themselves 7/8 and 9/9 are scores
//! "Lindiwe, 3 wk, coarct. Araceli 61, restrained"   behind the patient, an age
//! "Zebulon Quorlin. 96. Lives alone."           so old a patient is told by the number alone
//! ```
//!
//! A detector of forms does not know who is a name, so this is asked of a whole note, when everybody has claimed.

use super::listed::listed;
use crate::phi::{Class, Detector, Kind, Label, Span};

/// How sure such a number is.
const SCORE: f32 = 0.6;
/// A claim must be so sure to tell of its neighbour.
const TELLING: f32 = 0.5;
/// Nobody is older.
const OLDEST: u32 = 115;
/// Older ones are identified by their age.
const MOST_KEPT: u32 = 89;

/// Adds the days and ages behind the identifiers of a note to them.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let told = spans.iter().filter(|span| span.leading().score >= TELLING).filter_map(|span| {
        let rest = &text[span.end..];
        let (length, class) = match span.leading().class.label {
            Label::Doctor | Label::Hospital if !is_looked_up(span) => day_behind(rest)?,
            // No scale that is called by a name goes so far.
            Label::Patient => {
                age_behind(rest).filter(|(_, class)| class.kind == Kind::AgeOver89 || !is_looked_up(span))?
            }
            _ => return None,
        };
        let start = span.end + length.start;
        Some(Span::new(start, span.end + length.end, class, Detector::Pattern, SCORE))
    });
    let mut told: Vec<_> = told.collect();
    Taken::by(spans).retain_free(&mut told);
    spans.extend(told);
}

/// What of a text is claimed, in order.
pub(super) struct Taken(Vec<(usize, usize)>);

impl Taken {
    /// By spans in any order, which may overlap.
    pub(super) fn by(spans: &[Span]) -> Self {
        let mut places: Vec<_> = spans.iter().map(|span| (span.start, span.end)).collect();
        places.sort_unstable();
        // The farthest end so far, so that what begins early and ends late is seen.
        let mut farthest = 0;
        for place in &mut places {
            farthest = farthest.max(place.1);
            place.1 = farthest;
        }
        Self(places)
    }

    /// Leaves of `found` what nothing else claims in part.
    pub(super) fn retain_free(&self, found: &mut Vec<Span>) {
        found.retain(|one| self.is_free(one.start, one.end));
    }

    /// Whether no part of a stretch is claimed.
    pub(super) fn is_free(&self, start: usize, end: usize) -> bool {
        let before = self.0.partition_point(|&(begin, _)| begin < end);
        before.checked_sub(1).and_then(|last| self.0.get(last)).is_none_or(|&(_, farthest)| farthest <= start)
    }
}

/// Whether it was found in a list only: `Hunt and Hess 1, stable`.
fn is_looked_up(span: &Span) -> bool {
    span.claims.iter().all(|claim| claim.detector == Detector::Dictionary)
}

/// ` 7/8.`, ` 9-15,`: a day and a month, and nothing that counts them.
fn day_behind(rest: &str) -> Option<(std::ops::Range<usize>, Class)> {
    let (month, more) = number(rest.strip_prefix(' ')?)?;
    let mark = more.chars().next().filter(|mark| matches!(mark, '/' | '-'))?;
    let (day, more) = number(&more[1..])?;
    let ends = more.is_empty() || more.starts_with([',', ';', ')', '\n', '.']);
    let decimal = more.starts_with('.') && more[1..].starts_with(|c: char| c.is_alphanumeric());
    let in_order = (1..=12).contains(&month) && (1..=31).contains(&day);
    let other_order = mark == '/' && (1..=31).contains(&month) && (1..=12).contains(&day);
    // `Reflexes by Dr. Bell 2/4; pain 5/5.` are scores, `maybe 2-3` is a range.
    let score = matches!(day, 3..=5) && month <= day || mark == '-' && month < 10 && day < 10;
    let fits = (in_order || other_order) && !score;
    let class = Class { label: Label::Date, kind: Kind::DatePartial };
    (fits && ends && !decimal).then(|| (1..rest.len() - more.len(), class))
}

/// `, 3 wk`, ` 61,`, `. 96.`: the age of who was named.
fn age_behind(rest: &str) -> Option<(std::ops::Range<usize>, Class)> {
    let beside = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(' '));
    let bare = beside.or_else(|| rest.strip_prefix(". "))?;
    let (age, more) = number(bare)?;
    let start = rest.len() - bare.len();
    let end = rest.len() - more.len();
    let unit = more.strip_prefix(' ').unwrap_or(more);
    let word = &unit[..unit.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let closes = unit[word.len()..].is_empty() || unit[word.len()..].starts_with([',', ';', '.', ')', '\n']);
    let young = listed!(word, "wk wks weeks mo mos month months") && age <= 104 && closes;
    let old = age > MOST_KEPT;
    // `d/w Anna 2. HTN` is the next item of a list.
    let ends = age > 9 && (more == "." || more.starts_with(". ") || more.starts_with(".\n"));
    let pause = more.starts_with(", ") || more.starts_with(['\n', ';']) || ends || old && more.is_empty();
    // `Rowe 96, 97 on air` is measured.
    let measured = more.strip_prefix(", ").is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
    let fits = match beside {
        Some(_) => young || pause && !(old && measured),
        None => old && !young && (ends || more.is_empty() || more.starts_with('\n')),
    };
    let kind = if old && !young { Kind::AgeOver89 } else { Kind::AgeUpTo89 };
    ((1..=OLDEST).contains(&age) && fits).then_some((start..end, Class { label: Label::Age, kind }))
}

/// A number of one to three digits at the start of a text, and what follows it.
fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let value = text[..digits].parse().ok().filter(|_| digits <= 3)?;
    Some((value, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a text of which the part in `⟦⟧` is claimed.
    fn found(marked: &str, label: Label) -> Vec<String> {
        let open = marked.find('⟦').expect("an opening mark");
        let close = marked.find('⟧').expect("a closing mark") - '⟦'.len_utf8();
        let text = marked.replace(['⟦', '⟧'], "");
        let mut spans = vec![Span::new(open, close, label, Detector::Transformer, 0.8)];
        find(&text, &mut spans);
        spans[1..]
            .iter()
            .map(|span| format!("{}:{}", span.leading().class.label, &text[span.start..span.end]))
            .collect()
    }

    #[test]
    fn days_behind_who_and_where() {
        assert_eq!(found("PCP ⟦Uyehara⟧ 7/8. Rep visited", Label::Doctor), ["DATE:7/8"]);
        assert_eq!(found("Dr. ⟦Pace⟧ 9-15.", Label::Doctor), ["DATE:9-15"]);
        assert_eq!(found("echo ⟦Mercy⟧ 6/10", Label::Hospital), ["DATE:6/10"]);
        for other in ["Dr. ⟦Bell⟧ 4/5 strength", "Dr. ⟦Bell⟧ 13/32.", "Dr. ⟦Bell⟧ 3/4.5", "Dr. ⟦Bell⟧ 30-2."]
        {
            assert_eq!(found(other, Label::Doctor), [] as [&str; 0], "{other}");
        }
    }

    #[test]
    fn ages_behind_the_patient() {
        assert_eq!(found("⟦Lindiwe⟧, 3 wk, coarct", Label::Patient), ["AGE:3"]);
        assert_eq!(found("Pt2 ⟦Araceli⟧ 61, restrained", Label::Patient), ["AGE:61"]);
        assert_eq!(found("⟦Prince⟧ 11 mo, w/ FP", Label::Patient), ["AGE:11"]);
        assert_eq!(found("Seen with ⟦Araceli⟧ 66.", Label::Patient), ["AGE:66"]);
        assert_eq!(found("⟦Zebulon Quorlin⟧. 96. Lives alone", Label::Patient), ["AGE:96"]);
        assert_eq!(found("⟦Zebulon Quorlin⟧. 101", Label::Patient), ["AGE:101"]);
        for other in [
            "per ⟦Anna⟧ 2. HTN",
            "⟦Rowe⟧ 2 months after surgery",
            "⟦Rowe⟧, 38 weeks gestation",
            "⟦Anna⟧ 3 mg",
            "⟦Anna⟧ 300, then",
            "⟦Anna⟧ 3.5,",
            "⟦Anna⟧. 66. HTN",
            "⟦Anna⟧. 98.6 today",
            "⟦Anna⟧ 96, 97 on air",
            "⟦Anna⟧. 95 mg",
        ] {
            assert_eq!(found(other, Label::Patient), [] as [&str; 0], "{other}");
        }
    }
}
