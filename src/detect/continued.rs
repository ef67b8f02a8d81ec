//! Numbers that go on behind what was found of them.
//!
//! ```text
//! "Claim WC/ 77-⏎410 / 0 5 5"       a number is broken over two lines where a mark joins its groups
//! "Alien no. A 2 1 5⏎- 5 5 0"       or where its digits stand one by one
//! "visit # 3300 8174 2, seen"       and its last group may be a digit alone
//! ```
//!
//! What comes behind a number in groups is often another number, so in one line only a group that closes a phrase is taken. A detector of
//! sentences does not see the next line; so this is asked of a whole note, when everybody has claimed.

use super::neighbours::Taken;
use crate::phi::{Label, Span};

/// The longest group of a number, in bytes.
const LONGEST_GROUP: usize = 5;
/// So many groups go on at most.
const MOST_GROUPS: usize = 8;

/// Adds to numbers what goes on behind them, as spans that overlap theirs.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let is_number = |span: &&Span| {
        let label = span.leading().class.label;
        label.is_number() || matches!(label, Label::Phone | Label::Fax)
    };
    let mut whole: Vec<_> = spans.iter().filter(is_number).filter_map(|span| goes_on(text, span)).collect();
    let taken = Taken::by(spans);
    whole.retain(|span| taken.is_free(span.end - 1, span.end));
    spans.extend(whole);
}

/// The number with what goes on behind it.
fn goes_on(text: &str, span: &Span) -> Option<Span> {
    let value = &text[span.start..span.end];
    let last = value.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    if !last.ends_with(|c: char| c.is_ascii_digit()) || last.len() > LONGEST_GROUP {
        return None;
    }
    let rest = &text[span.end..];
    let marks = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'-' | b'/')).count();
    let line_break = if rest[marks..].starts_with("\r\n") { 2 } else { 1 };
    let end = match rest[marks..].strip_prefix("\r\n").or_else(|| rest[marks..].strip_prefix('\n')) {
        Some(line) => {
            let is_marked = rest[..marks].contains(['-', '/']) || line.trim_start().starts_with(['-', '/']);
            (is_marked || is_one_by_one(value)).then(|| groups_end(line, is_one_by_one(value)))?? + marks + line_break
        }
        None => {
            let group = rest.strip_prefix(' ')?;
            match value.contains(' ') {
                true => digits_end(group, 1)? + 1,
                // `SE-2025-0 6 61`: what began to stand apart.
                false => (last.len() == 1 && value.len() > 6).then(|| digits_end(group, 2))?? + 1,
            }
        }
    };
    Some(Span { end: span.end + end, ..span.clone() })
}

/// Whether the digits of a number stand one by one: `A 2 1 5`.
fn is_one_by_one(value: &str) -> bool {
    let groups: Vec<_> = value.split([' ', '-', '/']).filter(|group| !group.is_empty()).collect();
    groups.len() > 2 && groups.iter().filter(|group| group.len() == 1).count() + 1 >= groups.len()
}

/// The end of the groups that a line begins with: of digits, joined by marks and blanks; none where they are something else, the number of an
/// item or an amount.
fn groups_end(line: &str, one_by_one: bool) -> Option<usize> {
    let (mut at, mut end, mut alone) = (0, None, one_by_one);
    for _ in 0..MOST_GROUPS {
        let gap = line[at..].bytes().take_while(|byte| matches!(byte, b' ' | b'-' | b'/')).count();
        let marked = line[at..at + gap].contains(['-', '/']);
        let group = line[at + gap..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        let word = &line[at + gap..at + gap + group];
        let fits = group > 0
            && group <= LONGEST_GROUP
            && word.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
            && word.starts_with(|c: char| c.is_ascii_digit());
        // Behind the first group one goes on that a mark joins, or a digit alone.
        if !fits || end.is_some() && !marked && !(alone && group == 1) {
            break;
        }
        at += gap + group;
        alone = one_by_one || group == 1;
        end = Some(at);
    }
    end.filter(|&end| closes(&line[end..]) || line[end..].starts_with("  "))
}

/// The end of so many groups of digits or more, of four at most, with blanks between them, of which the last closes a phrase.
fn digits_end(rest: &str, fewest: usize) -> Option<usize> {
    let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b' ').count();
    let groups = rest[..length].trim_end();
    let fits = |group: &str| (1..=4).contains(&group.len());
    let count = groups.split(' ').count();
    ((fewest..=4).contains(&count) && groups.split(' ').all(fits) && closes(&rest[groups.len()..]))
        .then_some(groups.len())
}

/// Whether a phrase ends where a text begins: `3.` before a letter is the number of an item, `3.5` an amount.
fn closes(rest: &str) -> bool {
    let stop = rest.starts_with([',', ';', ')', '\n', '\r'])
        || rest.starts_with('.') && !rest[1..].starts_with(|c: char| c.is_ascii_digit());
    let counts = rest.starts_with(',') && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    rest.is_empty() || stop && !counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::{Detector, unite};

    /// The whole of what is claimed in `⟦⟧`.
    fn found(marked: &str, label: Label) -> String {
        let open = marked.find('⟦').expect("an opening mark");
        let close = marked.find('⟧').expect("a closing mark") - '⟦'.len_utf8();
        let text = marked.replace(['⟦', '⟧'], "");
        let mut spans = vec![Span::new(open, close, label, Detector::Pattern, 0.9)];
        find(&text, &mut spans);
        let spans = unite(spans);
        text[spans[0].start..spans[0].end].to_owned()
    }

    #[test]
    fn numbers_go_on_over_the_end_of_a_line() {
        for (text, number) in [
            ("Claim ⟦WC/ 77⟧-\n410 / 0 5 5   Adjuster", "WC/ 77-\n410 / 0 5 5"),
            ("Alien no. ⟦A 2 1 5⟧\n- 5 5 0 - 9 1 8. Travel", "A 2 1 5\n- 5 5 0 - 9 1 8"),
            ("cell ⟦4 1 4 - 5 5 5⟧ -\n0 1 9 9", "4 1 4 - 5 5 5 -\n0 1 9 9"),
            ("H# ⟦00-71⟧-\n33, seen", "00-71-\n33"),
            ("visit # ⟦3300 8174⟧ 2, seen", "3300 8174 2"),
        ] {
            assert_eq!(found(text, Label::IdNum), number, "{text}");
        }
    }

    #[test]
    fn what_stands_behind_a_number_is_often_another() {
        for text in [
            "MRN ⟦4471902⟧\n2. Seen today",
            "MRN ⟦4471⟧\n902 mL out",
            "MRN ⟦44 71⟧ 2 days ago",
            "Acct ⟦4471⟧ 12, 14",
            "claim ⟦44-71⟧ -\n2 tablets daily",
            "call ⟦414 555 0199⟧ 3 times",
            "order ⟦88 120⟧ 4,500 units",
        ] {
            let open = text.find('⟦').unwrap() + '⟦'.len_utf8();
            assert_eq!(found(text, Label::IdNum), &text[open..text.find('⟧').unwrap()], "{text}");
        }
    }
}
