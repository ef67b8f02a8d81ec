//! What an identifier tells of the number right behind it.
//!
//! ```text
//! "PCP Uyehara 7/8. Banded by Dr. Osei 9/9."    behind who or where it was, a day; by themselves 7/8 and 9/9 are scores
//! "Lindiwe, 3 wk, coarct. Araceli 61, restrained"   behind the patient, an age
//! "Zebulon Quorlin. 96. Lives alone."           so old a patient is told by the number alone
//! "01A Oduya 71F POD2"                              and before an age with a sex, the patient
//! "RN Maria @ 4421. Kaylee at 52210"            behind who is called, the extension, where it is no hour
//! ```
//!
//! A detector of forms does not know who is a name, so this is asked of a whole note, when everybody has claimed.

use super::listed::listed;
use super::veto;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Detector, Kind, Label, Span};

/// How sure such a number is.
const SCORE: f32 = 0.6;
/// A claim must be so sure to tell of its neighbour.
const TELLING: f32 = 0.5;
/// So sure a list must be of a whole name.
const SURE: f32 = 0.7;
/// A surname of so many is one even where medicine has the word.
const MANY: u32 = 5_000;
/// Words of larger lists than this hardly anybody writes.
const RARE: u8 = 70;
/// The longest number of a room or of an entry, in bytes.
const LONGEST_ROOM: usize = 6;
/// Nobody is older.
const OLDEST: u32 = 115;
/// Older ones are identified by their age.
const MOST_KEPT: u32 = 89;

/// Adds the days and ages behind the identifiers of a note to them.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let told = spans.iter().filter(|span| span.leading().score >= TELLING).filter_map(|span| {
        let rest = &text[span.end..];
        let (length, class) = match span.leading().class.label {
            Label::Doctor | Label::Patient if let Some(range) = extension_behind(rest) => (range, Label::Phone.into()),
            Label::Doctor | Label::Hospital if !is_looked_up(span) => day_behind(rest)?,
            // No scale that is called by a name goes so far, and none by a whole name.
            Label::Patient => age_behind(rest).filter(|(_, class)| {
                class.kind == Kind::AgeOver89 || !is_looked_up(span) || is_whole_name(text, span)
            })?,
            _ => return None,
        };
        let start = span.end + length.start;
        Some(Span::new(start, span.end + length.end, class, Detector::Pattern, SCORE))
    });
    let mut told: Vec<_> = told.collect();
    told.extend(spans.iter().filter_map(|span| named_before(text, span)));
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

/// Whether it is a name of two words or more that a list is sure of; `Hunt Hess 3` is a scale of two surnames.
fn is_whole_name(text: &str, span: &Span) -> bool {
    let words = &text[span.start..span.end];
    span.leading().score >= SURE && words.split(' ').filter(|word| word.len() > 1).count() > 1
}

/// `Oduya 71F`, `03  Lisk 90 F`: the name before an age that a sex follows, where its line or its entry begins.
fn named_before(text: &str, age: &Span) -> Option<Span> {
    let sex = text[age.end..].strip_prefix(' ').unwrap_or(&text[age.end..]);
    let told = age.leading().class.label == Label::Age
        && sex.starts_with(['M', 'F'])
        && !sex[1..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '/'));
    let before =
        text[..age.start].strip_suffix(' ').or_else(|| text[..age.start].strip_suffix(", ")).filter(|_| told)?;
    let start = before.rfind(|c: char| !(c.is_alphabetic() || matches!(c, '-' | '\''))).map_or(0, |at| at + 1);
    let start = text.ceil_char_boundary(start);
    let name = &before[start.min(before.len())..];
    let span = || Span::new(start, start + name.len(), Label::Patient, Detector::Pattern, SCORE);
    (may_be_patient(name) && begins_entry(&text[..start])).then(span).filter(|span| !veto::is_term(text, span))
}

/// Whether a word before an age can be who is so old, and does not tell what they are: `Right-handed 54M`, `Haitian 34F`, `Undomiciled 52M`.
fn may_be_patient(word: &str) -> bool {
    const TERMS: WordFlags = WordFlags::MEDICAL
        .union(WordFlags::HEADING)
        .union(WordFlags::NATIONALITY)
        .union(WordFlags::COUNTRY)
        .union(WordFlags::STATE);
    let info = Lexicon::shared().word(word);
    let mut parts = word.split('-');
    let described = info.surname_count == 0 && ["ed", "ing", "less"].iter().any(|ending| word.ends_with(ending));
    word.chars().count() > 2
        && parts.all(|part| part.starts_with(char::is_uppercase))
        && !described
        && info.english_size().is_none_or(|size| size > RARE)
        && (!info.is_any(TERMS) || info.surname_count >= MANY)
}

/// Whether a text ends where a line begins, or behind the number of a room or of an entry at the beginning of one. Looks no farther back than that.
fn begins_entry(text: &str) -> bool {
    let is_blank = |c: char| c.is_whitespace() && c != '\n';
    let numbered = text.trim_end_matches([' ', '\t']).trim_end_matches([':', '.', ')', '-']).trim_end_matches(is_blank);
    let is_inner = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let length = numbered.bytes().rev().take(LONGEST_ROOM).take_while(|byte| is_inner(&byte)).count();
    let (before, number) = numbered.split_at(numbered.len() - length);
    let before = before.trim_end_matches([' ', '\t']);
    (before.is_empty() || before.ends_with('\n'))
        && (number.is_empty() || number.bytes().any(|byte| byte.is_ascii_digit()))
}

/// ` @ 4421`, ` at 52210`: where somebody is called, and no hour.
fn extension_behind(rest: &str) -> Option<std::ops::Range<usize>> {
    let bare = rest.strip_prefix(" @").or_else(|| rest.strip_prefix(" at "))?.trim_start_matches([' ', 'x']);
    let (value, more) = number(bare, 5)?;
    let digits = bare.len() - more.len();
    let hour = digits == 4 && value < 2400 && value % 100 < 60;
    let ends = more.is_empty()
        || more.starts_with([',', ';', ')', '\n', '\r'])
        || more.starts_with('.') && !more[1..].starts_with(|c: char| c.is_ascii_digit());
    // `per Dr. Smith at 2500 kcal`: behind `at` a word may be what is counted.
    let unit = more.strip_prefix(' ').map(|more| &more[..more.bytes().take_while(u8::is_ascii_alphabetic).count()]);
    let called = rest.starts_with(" @")
        && unit.is_some_and(|unit| {
            !listed!(unit, "units u mg mcg ml cc steps feet ft meters m miles hrs hours h am pm cgy gm g kcal calories")
        });
    let start = rest.len() - bare.len();
    (digits >= 4 && !hour && (ends || called)).then_some(start..start + digits)
}

/// ` 7/8.`, ` 9-15,`: a day and a month, and nothing that counts them.
fn day_behind(rest: &str) -> Option<(std::ops::Range<usize>, Class)> {
    let (month, more) = number(rest.strip_prefix(' ')?, 3)?;
    let mark = more.chars().next().filter(|mark| matches!(mark, '/' | '-'))?;
    let (day, more) = number(&more[1..], 3)?;
    let ends = more.is_empty() || more.starts_with([',', ';', ')', '\n', '\r', '.']);
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
    let beside = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(" is ")).or_else(|| rest.strip_prefix(' '));
    let bare = beside.or_else(|| rest.strip_prefix(". "))?;
    let (age, more) = number(bare, 3)?;
    let start = rest.len() - bare.len();
    let end = rest.len() - more.len();
    let unit = more.strip_prefix(' ').unwrap_or(more);
    let word = &unit[..unit.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let closes = unit[word.len()..].is_empty() || unit[word.len()..].starts_with([',', ';', '.', ')', '\n', '\r']);
    let young = listed!(word, "wk wks weeks mo mos month months") && age <= 104 && closes;
    let old = age > MOST_KEPT;
    // `d/w Anna 2. HTN` is the next item of a list.
    let ends = age > 9 && (more == "." || more.starts_with(". ") || more.starts_with(".\n") || more.starts_with(".\r"));
    // `Anna 10 - 15 min` is a span of time.
    let is_range = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let dashes = [" - ", " -- ", " – ", " — "].iter().find_map(|dash| more.strip_prefix(dash));
    let dashed = dashes.is_some_and(|rest| !is_range(rest)) && age > 9;
    let pause =
        more.starts_with(", ") || more.starts_with(['\n', '\r', ';']) || ends || dashed || old && more.is_empty();
    // `Trelawney 101 F at 0400` is a fever.
    let fever = word == "F" && (95..=106).contains(&age) && !closes;
    let sexed = matches!(word, "M" | "F") && (closes || unit[word.len()..].starts_with(' ')) && age > 9 && !fever;
    // `Rowe 96, 97 on air` is measured.
    let measured = more.strip_prefix(", ").is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
    let fits = match beside {
        Some(_) => young || sexed || pause && !(old && measured),
        // `Ashwini Raghunathan. 22. They/them.`
        None if more.strip_prefix(". ").is_some_and(begins_with_pronouns) => age > 9,
        None => old && !young && (ends || more.is_empty() || more.starts_with(['\n', '\r'])),
    };
    let kind = if old && !young { Kind::AgeOver89 } else { Kind::AgeUpTo89 };
    ((1..=OLDEST).contains(&age) && fits).then_some((start..end, Class { label: Label::Age, kind }))
}

/// Whether a text begins with how somebody wants to be called: `They/them`.
fn begins_with_pronouns(text: &str) -> bool {
    let (first, rest) = text.split_once('/').unwrap_or_default();
    let second = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
    listed!(first, "he she they") && listed!(second, "him her hers them they")
}

/// A number of at most so many digits at the start of a text, and what follows it.
pub(super) fn number(text: &str, most: usize) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let value = text[..digits].parse().ok().filter(|_| digits <= most)?;
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
        assert_eq!(found("PCP ⟦Uyehara⟧ 7/8\r\nRep visited", Label::Doctor), ["DATE:7/8"]);
        assert_eq!(found("⟦Zebulon Quorlin⟧. 96\r\nStable", Label::Patient), ["AGE:96"]);
        for other in ["Dr. ⟦Bell⟧ 4/5 strength", "Dr. ⟦Bell⟧ 13/32.", "Dr. ⟦Bell⟧ 3/4.5", "Dr. ⟦Bell⟧ 30-2."]
        {
            assert_eq!(found(other, Label::Doctor), [] as [&str; 0], "{other}");
        }
    }

    #[test]
    fn extensions_behind_who_is_called() {
        assert_eq!(found("RN ⟦Maria⟧ @ 4421", Label::Doctor), ["PHONE:4421"]);
        assert_eq!(found("⟦Kaylee⟧ at 52210, when ready", Label::Patient), ["PHONE:52210"]);
        assert_eq!(found("RN ⟦Maria⟧ @ 4421 when ready", Label::Doctor), ["PHONE:4421"]);
        for other in [
            "⟦Maria⟧ at 2210",
            "⟦Maria⟧ at 10000 units",
            "Dr. ⟦Lee⟧ at 5040 cGy",
            "⟦Maria⟧ at 4421 Elm St",
            "⟦Maria⟧ at 442",
        ] {
            assert_eq!(found(other, Label::Doctor), [] as [&str; 0], "{other}");
        }
    }

    #[test]
    fn patients_before_an_age_with_a_sex() {
        for (text, name) in [
            ("01A Oduya ⟦71⟧F POD2 R hemi", "Oduya"),
            ("x\n03  Lisk ⟦90⟧ F from the home", "Lisk"),
            ("Brzezinski ⟦77⟧M s/p CABG", "Brzezinski"),
        ] {
            assert_eq!(found(text, Label::Age), [format!("PATIENT:{name}")], "{text}");
        }
        for other in [
            "Pleasant ⟦71⟧F",
            "Hispanic ⟦71⟧F",
            "Haitian ⟦34⟧F",
            "African-American ⟦71⟧F",
            "Right-handed ⟦54⟧M",
            "Ex-smoker ⟦63⟧M",
            "Undomiciled ⟦52⟧M",
            "Seen by Oduya ⟦71⟧F",
            "CABG ⟦71⟧F",
            "Oduya ⟦71⟧ French",
            "HPI: ⟦71⟧F",
        ] {
            assert_eq!(found(other, Label::Age), [] as [&str; 0], "{other}");
        }
    }

    #[test]
    fn ages_behind_the_patient() {
        assert_eq!(found("⟦Lindiwe⟧, 3 wk, coarct", Label::Patient), ["AGE:3"]);
        assert_eq!(found("Pt2 ⟦Araceli⟧ 61, restrained", Label::Patient), ["AGE:61"]);
        assert_eq!(found("⟦Prince⟧ 11 mo, w/ FP", Label::Patient), ["AGE:11"]);
        assert_eq!(found("Seen with ⟦Araceli⟧ 66.", Label::Patient), ["AGE:66"]);
        assert_eq!(found("⟦Marisol⟧ is 17, junior", Label::Patient), ["AGE:17"]);
        assert_eq!(found("⟦Peanut⟧ 41 M. COWS 13", Label::Patient), ["AGE:41"]);
        assert_eq!(found("1) ⟦Mavis Trelawney⟧ 94 -- uti", Label::Patient), ["AGE:94"]);
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
            "⟦Trelawney⟧ 101 F at 0400",
            "⟦Anna⟧ 10 - 15 min",
        ] {
            assert_eq!(found(other, Label::Patient), [] as [&str; 0], "{other}");
        }
    }
}
