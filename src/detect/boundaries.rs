//! Where a span begins and ends, whoever claimed it.
//!
//! ```text
//! rule                                   before                      after
//! blanks and marks are outside           "[ Anna Bell, ]"            Anna Bell
//! what is written out stays whole        "by\[nBell\]n"               Bell
//! tags and endings of files are outside  "<[br]>", "[Bell.pdf]"      (nothing), Bell
//! titles are outside                     "[Dr. Anna Bell]"           Anna Bell
//! labels are outside                     "[MRN: 123456]"             123456
//! what a column is called is outside      "|  [City Cranston]"        Cranston
//! credentials are outside                "[Anna Bell, MD]"           Anna Bell
//! a possessive is outside                "[Anna's] mother"           Anna
//! a bracket closed inside stays          "[(555) 010-7788]"          (555) 010-7788
//! words are whole                        "[Ann]a", but "[Anna]Seen"  Anna
//! but for words whose blanks are lost     "wife[Maria]called"         Maria
//! dates and numbers are whole            "[10/4]/21", "[88]-417-A"   10/4/21, 88-417-A
//! initials and suffixes are inside       "A. [Bell], Jr."            A. Bell, Jr
//! a small second syllable is inside      "[Sung]-min"                Sung-min
//! particles are inside                   "van der [Bell]"            van der Bell
//! a saint is inside                      "at St. [Lukes]"            St. Lukes
//! the letter behind an age is outside    "[58M]"                     58
//! schedules and drugs are outside        "[Oak Dialysis MWF]"        Oak Dialysis
//! the next column, line or topic is too  "[Pavlenko - ETOH]"         Pavlenko
//! ```
//!
//! The rules are tried in this order, and each of them only ever moves one end. What rests on patterns and templates alone has its boundaries
//! already and loses blanks only; a term of the site's own dictionary loses titles and credentials besides.

mod columns;
pub(super) mod markup;
mod names;
mod sites;
mod titles;
mod written_out;

pub(super) use self::names::is_joined_given;
use self::titles::{without_credentials, without_titles};
use super::listed::listed;
use super::patterns::calendar::MONTHS;
use super::reading::lost_blanks;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Claim, Detector, Label, Span, unite};

/// Marks that a span of words neither begins nor ends with.
const MARKS: &[char] = &[',', ';', ':', '"', '“', '”', '‘', '`', '*', '|', '=', '<', '>', '~', '_', '!', '?', '…', '•'];
/// What fields are called in front of their value.
const FIELD_LABELS: &[&str] = &[
    "name",
    "mrn",
    "dob",
    "phone",
    "tel",
    "fax",
    "cell",
    "pager",
    "acct",
    "account",
    "ssn",
    "patient",
    "pt",
    "address",
    "attending",
    "provider",
    "physician",
    "pcp",
    "re",
    "cc",
    "id",
    "dos",
    "date",
    "email",
    "attn",
];
/// Words that a capital letter after them belongs to: `hepatitis C`.
const LETTERED: &[&str] = &[
    "vitamin",
    "hepatitis",
    "hep",
    "vit",
    "type",
    "grade",
    "stage",
    "group",
    "class",
    "category",
    "protein",
    "factor",
    "unit",
    "bed",
    "room",
    "level",
    "part",
    "plan",
    "option",
    "phase",
    "section",
    "influenza",
    "strep",
];
/// Days of a schedule, and of recovery.
const SCHEDULES: &[&str] = &["MWF", "TTS", "TTHS", "TThS", "TTh", "POD"];
/// Generational suffixes, without their full stop.
const SUFFIXES: &[&str] = &["Jr", "Sr", "II", "III", "IV", "JR", "SR"];

/// Moves the ends of spans of `text` to where they belong. What comes back is in bounds, on character boundaries, not empty,
/// in order and without overlap; a span of nothing but blanks and marks disappears.
pub fn adjust(text: &str, spans: &mut Vec<Span>) {
    for span in spans.iter_mut() {
        let (start, end) = adjusted(text, span);
        (span.start, span.end) = (start, end);
    }
    spans.retain(|span| !span.is_empty());
    let united = unite(std::mem::take(spans));
    *spans = united;
}

/// The ends of a span after all rules.
fn adjusted(text: &str, span: &Span) -> (usize, usize) {
    let start = floor(text, span.start);
    let end = ceiling(text, span.end.max(start));
    let mut blank = trimmed(text, start, end, char::is_whitespace);
    if !matches!(span.leading().class.label, Label::Url | Label::Email | Label::Username) {
        blank = markup::without_markup(text, blank);
    }
    if blank.0 >= blank.1 {
        return blank;
    }
    if span.leading().class.label == Label::Date {
        blank = with_part_of_month(text, blank);
    }
    if span.claims.iter().all(|claim| matches!(claim.detector, Detector::Pattern | Detector::Template)) {
        return blank;
    }
    let person = span.leading().class.label.is_person();
    if span.claims.iter().any(|claim| claim.detector == Detector::Site) {
        // What a site calls so is an identifier to its last word, whatever that means elsewhere.
        let bare = if person { without_credentials(text, without_titles(text, blank)) } else { blank };
        return if bare.0 < bare.1 { bare } else { blank };
    }
    let mut range = without_marks(text, written_out::with_whole(text, blank));
    range = without_label(text, range);
    // What the patient's record says is a name: `VANG, PA`, `Hon Chan`, `ANNA  BORN`.
    let of_record = person && span.claims.iter().any(|claim| claim.detector == Detector::Record);
    if !of_record {
        range = columns::without_heading(text, range, span.leading().class.label);
    }
    if person && !of_record {
        range = without_titles(text, range);
        // The `MD` of `Belhar, MD 20607` is a state, whoever takes the town for a physician.
        let other = |claim: &Claim| claim.detector == Detector::Pattern && !claim.class.label.is_person();
        if !span.claims.iter().any(other) {
            range = without_credentials(text, range);
        }
    }
    range = without_possessive(text, range, span.leading().class.label);
    match span.leading().class.label {
        Label::Age => range = without_unit_of_age(text, range),
        Label::Patient | Label::Doctor | Label::Hospital | Label::Organization | Label::City if !of_record => {
            range = columns::without_neighbours(text, without_schedule(text, range));
            if person {
                range.0 = columns::behind_heading(text, range);
            }
        }
        _ => (),
    }
    if range.0 >= range.1 {
        return range;
    }
    range = written_out::with_whole(text, whole_words(text, range));
    if range.0 >= range.1 {
        return range;
    }
    if let Some(joints) = Joints::of(span.leading().class.label) {
        range = whole_number(text, range, joints);
    }
    let range = match span.leading().class.label {
        Label::Patient | Label::Doctor => {
            let range = names::with_second_syllable(text, range);
            let range = names::with_short_given(text, names::with_particles(text, with_initials(text, range)));
            with_suffix(text, names::with_closing_initial(text, range))
        }
        label @ (Label::Hospital | Label::Organization | Label::City) => {
            let (start, end) = names::with_saint(text, range);
            sites::with_rest(text, (start, end), label)
        }
        Label::LocationOther => sites::with_rest(text, range, Label::LocationOther),
        _ => range,
    };
    // What is read on to may be one: the `b` of `\b Jonah` is no initial.
    markup::without_control_words(text, range)
}

/// The last character boundary up to `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first character boundary from `at` on.
fn ceiling(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

fn trimmed(text: &str, start: usize, end: usize, outside: impl Fn(char) -> bool) -> (usize, usize) {
    let inside = &text[start..end];
    let left = inside.trim_start_matches(&outside);
    let start = end - left.len();
    (start, start + left.trim_end_matches(&outside).len())
}

fn without_marks(text: &str, (mut start, mut end): (usize, usize)) -> (usize, usize) {
    loop {
        let before = (start, end);
        (start, end) = trimmed(text, start, end, |mark| mark.is_whitespace() || MARKS.contains(&mark));
        let inside = &text[start..end];
        for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
            if inside.starts_with(open) && !inside.contains(close) {
                start += 1;
                break;
            }
            if inside.ends_with(close) && !inside.contains(open) {
                end -= 1;
                break;
            }
        }
        if before == (start, end) {
            return before;
        }
    }
}

/// Takes `MRN:` and the like off the beginning.
fn without_label(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let inside = &text[start..end];
    let Some((label, value)) = inside.split_once([':', '#']) else { return (start, end) };
    if value.trim().is_empty() || !FIELD_LABELS.iter().any(|known| known.eq_ignore_ascii_case(label.trim())) {
        return (start, end);
    }
    without_marks(text, (end - value.len(), end))
}

fn without_possessive(text: &str, (start, end): (usize, usize), label: Label) -> (usize, usize) {
    let inside = &text[start..end];
    let owner =
        matches!(label, Label::Patient | Label::Doctor | Label::City | Label::State | Label::Country | Label::Date);
    let bare = ["'s", "’s", "'S", "’S"].iter().find_map(|mark| inside.strip_suffix(mark));
    // `New Year's`, `St. Valentine's` are called so; `Monday's`, `2019's` own something.
    let called = |bare: &str| label == Label::Date && !owns_as_day(bare);
    match bare.filter(|bare| owner && !bare.is_empty() && !called(bare)) {
        Some(bare) => (start, start + bare.len()),
        None => (start, end),
    }
}

/// Whether a date ends in a number, a weekday, a month or a season.
fn owns_as_day(date: &str) -> bool {
    let word = date.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    word.contains(|c: char| c.is_ascii_digit())
        || listed!(word, MONTHS)
        || listed!(
            word,
            "monday tuesday wednesday thursday friday saturday sunday spring summer fall autumn winter christmas easter thanksgiving day eve"
        )
}

/// Takes in which part of a month is meant: `mid-April`.
fn with_part_of_month(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let before = text[..start].strip_suffix('-').unwrap_or_default();
    let part = before.len() - before.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).len();
    let start = if listed!(&before[before.len() - part..], "mid early late") { start - part - 1 } else { start };
    (start, end)
}

/// Takes the sex and the unit off digits: `58M`, `94yo`.
fn without_unit_of_age(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let inside = &text[start..end];
    let digits = inside.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = &inside[digits.len()..];
    let glued = digits.ends_with(|digit: char| digit.is_ascii_digit())
        && listed!(unit, "m f y yo yof yom yr yrs w wf wm bf bm hf hm");
    if glued { (start, start + digits.len()) } else { (start, end) }
}

/// Takes the days of a schedule and the name of a drug off the end of a name of several words.
fn without_schedule(text: &str, (start, mut end): (usize, usize)) -> (usize, usize) {
    while let Some((name, last)) = text[start..end].rsplit_once([' ', '\n']) {
        let info = Lexicon::shared().word(last);
        let drug = info.is(WordFlags::DRUG) && !info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME));
        // `brace POD 5`
        let day = last.bytes().all(|byte| byte.is_ascii_digit());
        let name = if day { name.strip_suffix(" POD").unwrap_or_default() } else { name };
        if name.is_empty() || !drug && !day && !SCHEDULES.contains(&last) {
            break;
        }
        end = start + name.trim_end().len();
    }
    (start, end)
}

/// Takes in the letters that a word goes on with; a change from small to capital letters is the joint of words that run together.
fn whole_words(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let mut first = start;
    let mut after = text[start..].chars().next();
    for letter in text[..start].chars().rev() {
        let joint = letter.is_lowercase() && after.is_some_and(char::is_uppercase);
        if !letter.is_alphabetic() || !after.is_some_and(char::is_alphabetic) || joint {
            break;
        }
        first -= letter.len_utf8();
        after = Some(letter);
    }
    let mut last = end;
    let mut before = text[..end].chars().next_back();
    for letter in text[end..].chars() {
        let joint = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
        if !letter.is_alphabetic() || !before.is_some_and(char::is_alphabetic) || joint {
            break;
        }
        last += letter.len_utf8();
        before = Some(letter);
    }
    if (first, last) == (start, end) { (start, end) } else { up_to_lost_blanks(text, (first, last), (start, end)) }
}

/// Takes words in up to where their blanks are lost: `wife[Maria]calledaboutmeds`.
fn up_to_lost_blanks(text: &str, (first, last): (usize, usize), (start, end): (usize, usize)) -> (usize, usize) {
    let begin = text[..first].rfind(|c: char| c.is_ascii_whitespace()).map_or(0, |at| at + 1);
    let stop = text[last..].find(|c: char| c.is_ascii_whitespace()).map_or(text.len(), |at| last + at);
    let cuts: Vec<usize> = lost_blanks(&text[begin..stop]).into_iter().map(|at| begin + at).collect();
    let before = cuts.iter().copied().filter(|&cut| cut <= start).max().unwrap_or(first);
    let behind = cuts.iter().copied().filter(|&cut| cut >= end).min().unwrap_or(last);
    (first.max(before), last.min(behind))
}

/// What joins the parts of a date or of a number, and whether letters are parts too.
#[derive(Clone, Copy)]
struct Joints {
    marks: &'static [u8],
    letters: bool,
}

impl Joints {
    /// None for what is no number.
    const fn of(label: Label) -> Option<Self> {
        match label {
            Label::Date => Some(Self { marks: b"/-", letters: false }),
            Label::MedicalRecord
            | Label::IdNum
            | Label::Account
            | Label::License
            | Label::HealthPlan
            | Label::Device
            | Label::Vehicle
            | Label::Ssn => Some(Self { marks: b"-", letters: true }),
            _ => None,
        }
    }
}

/// Takes in the digits that a number goes on with, and the parts with digits that marks join to it: a trained member sees a number in
/// pieces, and what is left of one tells the rest.
fn whole_number(text: &str, (start, end): (usize, usize), joints: Joints) -> (usize, usize) {
    let bytes = text.as_bytes();
    let inside = &bytes[start..end];
    let (first, last) = (inside.first().is_some_and(u8::is_ascii_digit), inside.last().is_some_and(u8::is_ascii_digit));
    let behind = if last { joined(bytes[end..].iter(), joints) } else { 0 };
    let before = if first { joined(bytes[..start].iter().rev(), joints) } else { 0 };
    (start - before, end + behind)
}

/// How many bytes go on from a digit to the last of up to three further parts with digits.
fn joined<'b>(bytes: impl Iterator<Item = &'b u8> + Clone, joints: Joints) -> usize {
    const MOST_PARTS: usize = 3;
    let part = |byte: &&u8| byte.is_ascii_digit() || joints.letters && byte.is_ascii_alphabetic();
    let mut length = bytes.clone().take_while(part).count();
    if !bytes.clone().take(length).all(u8::is_ascii_digit) {
        return 0;
    }
    for _ in 0..MOST_PARTS {
        let mut rest = bytes.clone().skip(length);
        if !rest.next().is_some_and(|mark| joints.marks.contains(mark)) {
            break;
        }
        let further = rest.clone().take_while(part).count();
        if !rest.take(further).any(u8::is_ascii_digit) {
            break;
        }
        length += 1 + further;
    }
    length
}

/// Takes in `J.` and `J. R.` before a name.
fn with_initials(text: &str, (mut start, end): (usize, usize)) -> (usize, usize) {
    for _ in 0..2 {
        let before = text[..start].trim_end_matches(' ');
        let Some(rest) = before.strip_suffix('.').filter(|_| start - before.len() <= 1) else { break };
        let Some(initial) = rest.chars().next_back().filter(|letter| letter.is_uppercase()) else { break };
        let lead = &rest[..rest.len() - initial.len_utf8()];
        let free = lead.is_empty() || lead.ends_with([' ', '\n', '(', '/', ',', ':', '\t']) || lead.ends_with('.');
        let lettered = lead.trim_end().rsplit(' ').next().unwrap_or("");
        if !free || LETTERED.iter().any(|word| word.eq_ignore_ascii_case(lettered)) {
            break;
        }
        start = lead.len();
    }
    (start, end)
}

/// Takes in `Jr` and `III` after a name.
fn with_suffix(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let after = &text[end..];
    // `Clement A., Jr.`
    let rest = after.strip_prefix('.').filter(|rest| rest.starts_with(',')).unwrap_or(after);
    let rest = rest.strip_prefix(',').unwrap_or(rest);
    let Some(rest) = rest.strip_prefix(' ') else { return (start, end) };
    let found = SUFFIXES.iter().find(|suffix| {
        rest.strip_prefix(**suffix).is_some_and(|more| !more.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    });
    match found {
        Some(suffix) => (start, end + (after.len() - rest.len()) + suffix.len()),
        None => (start, end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_record_says_is_a_name_is_no_title_and_no_degree() {
        for (text, name) in
            [("VANG, PA came", "VANG, PA"), ("Hon Chan came", "Hon Chan"), ("ANNA  BORN came", "ANNA  BORN")]
        {
            let mut spans = vec![Span::new(0, name.len(), Label::Patient, Detector::Record, 0.95)];
            adjust(text, &mut spans);
            assert_eq!(&text[spans[0].start..spans[0].end], name);
        }
        // What belongs to a name is taken in all the same.
        for (text, core, name) in [("K. Quorlin came", 3..10, "K. Quorlin"), ("Sung-min Quorl came", 0..4, "Sung-min")]
        {
            let mut spans = vec![Span::new(core.start, core.end, Label::Patient, Detector::Record, 0.95)];
            adjust(text, &mut spans);
            assert!(text[spans[0].start..spans[0].end].starts_with(name), "{text}: {spans:?}");
        }
    }

    /// The text inside after adjustment of the part between `[` and `]`, which are no part of the text.
    fn after(marked: &str, label: Label) -> String {
        let open = marked.find('⟦').expect("an opening mark");
        let close = marked.find('⟧').expect("a closing mark") - '⟦'.len_utf8();
        let text = marked.replace(['⟦', '⟧'], "");
        let mut spans = vec![Span::new(open, close, label, Detector::Dictionary, 0.8)];
        adjust(&text, &mut spans);
        spans.first().map_or_else(String::new, |span| text[span.start..span.end].to_owned())
    }

    #[test]
    fn what_a_pattern_calls_a_state_is_no_credential() {
        let text = "at Glenham-Belhar, MD 20607";
        let mut spans = vec![Span::new(3, 21, Label::Doctor, Detector::Crf, 0.9)];
        spans.push(Span::new(19, 21, Label::State, Detector::Pattern, 0.9));
        let mut spans = unite(spans);
        adjust(text, &mut spans);
        assert_eq!(spans.iter().map(|span| &text[span.start..span.end]).collect::<Vec<_>>(), ["Glenham-Belhar, MD"]);
    }

    #[test]
    fn words_are_whole_up_to_where_their_blanks_are_lost() {
        for (marked, name) in [
            ("seen by ⟦Ann⟧a today", "Anna"),
            ("wife⟦Maria⟧calledaboutmeds", "Maria"),
            ("discussedwithsister⟦Mar⟧iaandbrother", "Maria"),
            ("⟦Maria⟧calledx", "Mariacalledx"),
        ] {
            assert_eq!(after(marked, Label::Patient), name, "{marked}");
        }
    }

    #[test]
    fn a_term_of_the_site_keeps_its_words() {
        let after = |term: &str, label, before: &str| {
            let text = format!("{before}{term} full.");
            let mut spans = vec![Span::new(before.len(), before.len() + term.len(), label, Detector::Site, 1.0)];
            adjust(&text, &mut spans);
            spans.iter().map(|span| text[span.start..span.end].to_owned()).collect::<Vec<_>>()
        };
        for term in ["Yellow  Sex", "Yellow\tRoom", "Blue\nBilling", "Red - Status", "Oak Dialysis MWF"] {
            assert_eq!(after(term, Label::Hospital, "in "), [term]);
        }
        assert_eq!(after("Dr. Anna Bell, MD", Label::Doctor, "by "), ["Anna Bell"]);
        assert_eq!(after("Doc", Label::Doctor, "by "), ["Doc"]);
    }

    #[test]
    fn each_rule_of_the_table() {
        for (marked, expected) in [
            ("by ⟦ Anna Bell, ⟧ today", "Anna Bell"),
            ("⟦Dr. Anna Bell⟧", "Anna Bell"),
            ("⟦Mrs Bell⟧", "Bell"),
            ("\"⟦Auntie Bisi⟧\" had it", "Bisi"),
            ("⟦COLONEL BELL⟧", "BELL"),
            ("⟦BELL, KOSI  M⟧  16 Y", "BELL, KOSI"),
            ("⟦Maiden BELL⟧", "BELL"),
            ("⟦APNP BELL⟧", "BELL"),
            ("⟦COTA MARIA⟧ seen", "COTA MARIA"),
            ("⟦Anna Bell APNP⟧", "Anna Bell"),
            ("G. ⟦Bell, VA-BC⟧", "G. Bell"),
            ("⟦jkw  ODS⟧", "jkw"),
            ("paging ⟦Sung⟧-min now", "Sung-min"),
            ("Mrs ⟦Kim Soon⟧-ja", "Kim Soon-ja"),
            ("⟦Bell⟧-led team", "Bell"),
            ("⟦Sung⟧-led team", "Sung"),
            ("⟦E-SIG T Bell⟧ DO", "T Bell"),
            ("/ ⟦DON Anna Bell⟧, RN", "Anna Bell"),
            ("Patient: ⟦DON BELL⟧", "DON BELL"),
            ("⟦Preparer D Bell⟧ LPN", "D Bell"),
            ("⟦ASST Kosi Bell⟧", "Kosi Bell"),
            ("⟦Last Bell⟧   First", "Bell"),
            ("atty ⟦Anna Bell, Esq⟧.", "Anna Bell"),
            ("⟦Anna Bell, MD⟧", "Anna Bell"),
            ("⟦Anna Bell, RN, BSN⟧", "Anna Bell"),
            ("⟦Anna's⟧ mother", "Anna"),
            ("⟦(Anna⟧)", "Anna"),
            ("⟦Anna (Annie)⟧", "Anna (Annie)"),
            ("seen by ⟦Ann⟧a", "Anna"),
            ("⟦Anna⟧Seen today", "Anna"),
            ("by A. ⟦Bell⟧, Jr.", "A. Bell, Jr"),
            ("J.R. ⟦Bell⟧ III came", "J.R. Bell III"),
            ("hepatitis C. ⟦Bell⟧ called", "Bell"),
            ("⟦Name: Bell, Anna⟧", "Bell, Anna"),
            ("⟦LEE DO⟧ WON", "LEE DO"),
            ("⟦Josie CCLS⟧, mom", "Josie"),
            ("Scrub ⟦Boaz ST⟧, circ", "Boaz"),
            ("⟦Anna Bell MB BCh, FRCPCH⟧", "Anna Bell"),
            ("⟦Linh BAO⟧", "Linh BAO"),
            ("⟦BELL CCLS⟧ here", "BELL CCLS"),
            ("⟦TRAN BAO⟧", "TRAN BAO"),
            ("⟦Anna KM⟧", "Anna KM"),
            ("⟦, ⟧", ""),
        ] {
            assert_eq!(after(marked, Label::Patient), expected, "{marked}");
        }
        assert_eq!(after("⟦MRN: 123456⟧", Label::MedicalRecord), "123456");
        assert_eq!(after("⟦(555) 010-7788⟧", Label::Phone), "(555) 010-7788");
        assert_eq!(after("at ⟦St. Luke's⟧", Label::Hospital), "St. Luke's");
        assert_eq!(after("a ⟦58M⟧ with pain", Label::Age), "58");
        assert_eq!(after("in her ⟦60s⟧", Label::Age), "60s");
        assert_eq!(after("HD at ⟦Oak Dialysis MWF⟧", Label::Hospital), "Oak Dialysis");
        assert_eq!(after("for ⟦Stu Pickles Adderall⟧ 20", Label::Patient), "Stu Pickles");
        for (marked, expected) in [
            ("from ⟦10/4⟧/21 on", "10/4/21"),
            ("due 11-⟦9⟧.", "11-9"),
            ("on ⟦3/4⟧-3/7/19", "3/4-3/7/19"),
            ("seen ⟦3/4⟧/x", "3/4"),
            ("until mid-⟦April⟧ at least", "mid-April"),
            ("by amid-⟦April⟧, weekends", "April"),
            ("dose ⟦3/4⟧-fold", "3/4"),
        ] {
            assert_eq!(after(marked, Label::Date), expected, "{marked}");
        }
        for (marked, expected) in [
            ("MRN ⟦4417⟧-7A.", "4417-7A"),
            ("id 88-⟦417⟧-A", "88-417"),
            ("acct ⟦44⟧17", "4417"),
            ("MRN ⟦4417⟧mg", "4417"),
        ] {
            assert_eq!(after(marked, Label::MedicalRecord), expected, "{marked}");
        }
    }

    #[test]
    fn what_patterns_say_stays() {
        let text = "see 20190304T1402: ok";
        let mut spans = vec![Span::new(4, 12, Label::Date, Detector::Pattern, 1.0)];
        adjust(text, &mut spans);
        assert_eq!((spans[0].start, spans[0].end), (4, 12));
    }
}
