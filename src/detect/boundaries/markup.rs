//! What documents are made of, and nobody is called: tags of HTML, control words of RTF, what a file's name ends with.
//!
//! ```text
//! <p>Dictated by:<[br]>Amma           no initials            [Whitlock_June.pdf]     [Whitlock_June].pdf
//! Patient: [Grayson Webb\par]         [Grayson Webb]\par
//! ```

use crate::detect::listed::listed;
use crate::detect::reading::controls;

/// Tags that stand in notes.
const TAGS: &str = "a b body br center code col dd div dl dt em font form h1 h2 h3 h4 h5 h6 head hr html i img input label li link meta ol \
                    option p pre s script section select small span strong style sub sup table tbody td tfoot th thead title tr tt u ul";
/// Those of them that stand inside words and lines.
const INLINE: &str = "a b code em font i label s small span strong sub sup u";
/// A tag has no more bytes, its attributes with it.
const LONGEST_TAG: usize = 200;
/// Attributes that say how something looks or what it is, and nothing of anybody.
const OF_LAYOUT: &str = "class style width height border bordercolor cellpadding cellspacing align valign color face size colspan rowspan \
                         bgcolor lang dir type rel target charset nowrap clear span start scope";
/// Endings of files that notes name.
const EXTENSIONS: &str = "pdf tif tiff jpg jpeg png gif bmp doc docx xls xlsx ppt pptx csv txt dcm rtf xml json html htm zip mp3 mp4 wav msg eml hl7";

/// The tag of HTML that a text begins with: its length, and whether it stands inside a line, `<b>`, and not around one, `<td>`. Of a tag
/// whose attributes may tell something of somebody, `<a href="…?mrn=88120">`, only the name is one: what is behind is text.
pub(in crate::detect) fn tag_at(text: &str) -> Option<(usize, bool)> {
    let rest = text.strip_prefix('<')?;
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let length = rest.bytes().take(LONGEST_TAG).take_while(u8::is_ascii_alphanumeric).count();
    let (name, behind) = rest.split_at(length);
    // Not `<Strong>`, nor `<STRONG>`, who is somebody.
    let is_written_so = !name.contains(|c: char| c.is_ascii_uppercase())
        || name.len() <= 3 && !name.contains(|c: char| c.is_ascii_lowercase());
    if !behind.starts_with(['>', '/', ' ']) || !is_written_so || !listed!(name, TAGS) {
        return None;
    }
    let end = behind.bytes().take(LONGEST_TAG).position(|byte| matches!(byte, b'>' | b'<' | b'\n'))?;
    // `x<b and b>a`
    let attributes = behind[..end].trim_matches([' ', '/']);
    if !attributes.is_empty() && !attributes.contains('=') {
        return None;
    }
    let length = if is_layout(attributes) { end + 1 } else { 0 };
    (behind.as_bytes()[end] == b'>').then(|| (text.len() - behind.len() + length, listed!(name, INLINE)))
}

/// Whether all attributes are of the layout: `class="note" width=40`.
fn is_layout(attributes: &str) -> bool {
    let mut rest = attributes;
    while !rest.is_empty() {
        let Some((name, value)) = rest.split_once('=') else { return false };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (inside, mark) = quote.map_or((value, ' '), |quote| (&value[1..], quote));
        let end = inside.find(mark).unwrap_or(inside.len());
        if !listed!(name.trim(), OF_LAYOUT) {
            return false;
        }
        rest = inside[end..].trim_start_matches(mark).trim_start();
    }
    true
}

/// Whether there is nothing in a text but tags.
pub(in crate::detect) fn is_bare_markup(text: &str) -> bool {
    let mut rest = text.trim();
    let is_markup = rest.starts_with('<');
    while let Some((length, _)) = tag_at(rest) {
        rest = rest[length..].trim_start();
    }
    is_markup && rest.is_empty()
}

/// A span without the name of a tag, the control words around it, and the ending of a file.
pub(super) fn without_markup(text: &str, range: (usize, usize)) -> (usize, usize) {
    let (start, end) = without_control_words(text, range);
    let inside = &text[start..end];
    let (head, rest) = (&text[..start], &text[end..]);
    let tag = inside.trim_end_matches(['/', '>', ' ']);
    let closed = tag.len() < inside.len() || rest.starts_with(['>', '/', ' ']);
    if closed && (head.ends_with('<') || head.ends_with("</")) && listed!(tag, TAGS) {
        return (start, start);
    }
    let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '@');
    let (name, ending) = inside.rsplit_once('.').unwrap_or((if head.ends_with('.') { "" } else { inside }, inside));
    let is_file = inside.contains('.') || head.ends_with('.') && head[..start - 1].ends_with(char::is_alphanumeric);
    if is_file && !goes_on && listed!(ending, EXTENSIONS) { (start, start + name.len()) } else { (start, end) }
}

/// How far around a span is looked for what shows that its text is of RTF, in bytes.
const NEAR: usize = 1000;

/// What is inside a span goes on to belong to it: a street and its city, with a new line between them. A backslash parts other things, too
/// (`ADAM\PAGE`, `CORP\page`), and so only text of RTF has its control words.
pub(super) fn without_control_words(text: &str, (mut start, mut end): (usize, usize)) -> (usize, usize) {
    let is_near = text[start..end].contains('\\') || text[..start].ends_with('\\');
    if !is_near || !is_rtf_around(text, start, end) {
        return (start, end);
    }
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '{' | '}');
    // A letter that is written out is one of the name.
    let behind = |at: usize| {
        let (meant, length) = controls::control_at(text, at, true)?;
        (!meant.is_some_and(char::is_alphanumeric)).then_some(at + length)
    };
    while let Some(begun) = text[start..end].trim_end_matches(is_blank).rfind('\\').map(|at| start + at) {
        // The last of its bytes is the blank that ends it, or the first of what follows the span.
        if behind(begun).is_none_or(|behind| behind < start + text[start..end].trim_end_matches(is_blank).len()) {
            break;
        }
        end = start + text[start..begun].trim_end_matches(is_blank).len();
    }
    while start < end && (text[..start].ends_with('\\') || text[start..end].starts_with('\\')) {
        let begun = start - usize::from(text[..start].ends_with('\\'));
        let Some(behind) = behind(begun).filter(|&behind| behind > start) else { break };
        start = behind.min(end);
        start = end - text[start..end].trim_start_matches(is_blank).len();
    }
    (start, end.max(start))
}

/// Whether the lines that a span is in are of RTF.
fn is_rtf_around(text: &str, start: usize, end: usize) -> bool {
    let before = text.floor_char_boundary(start.saturating_sub(NEAR));
    let before = text[before..start].rfind('\n').map_or(before, |at| before + at);
    let after = text.ceil_char_boundary((end + NEAR).min(text.len()));
    let after = text[end..after].find('\n').map_or(after, |at| end + at);
    controls::is_rtf(&text[before..after])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_attributes_tell_is_text() {
        for (tag, length) in [
            ("<br>", 4),
            ("<td class=\"a\" width='40'>x", 25),
            ("<p style=\"color: red; margin: 2px\">", 35),
            ("<a href=\"https://site.example/?mrn=88120\">", 2),
            ("<td class=\"a\" title=\"Ann Webb\">", 3),
            ("<img alt='Ann Webb' width=40/>", 4),
        ] {
            assert_eq!(tag_at(tag).map(|(length, _)| length), Some(length), "{tag}");
        }
    }

    #[test]
    fn tags_and_endings_of_files_are_outside() {
        for (marked, expected) in [
            ("by:<⟦br⟧>Amma", ""),
            ("Signed:<⟦br/⟧>", ""),
            ("</⟦td⟧><td>", ""),
            ("<⟦li⟧ class=\"a\">", ""),
            ("<⟦Amma⟧>", "Amma"),
            ("by ⟦br⟧", "br"),
            ("scan ⟦Whitlock_June.pdf⟧ sent", "Whitlock_June"),
            ("scan Whitlock.⟦pdf⟧ sent", ""),
            ("see ⟦pdf⟧", "pdf"),
            ("⟦A.Doc⟧tor", "A.Doc"),
            ("Dr. J.⟦Doc⟧", ""),
            ("Patient: ⟦Grayson Webb\\par⟧ MRN", "Grayson Webb"),
            ("Patient: ⟦Grayson Webb\\b0\\par }⟧", "Grayson Webb"),
            ("\\⟦par Grayson Webb⟧", "Grayson Webb"),
            ("for ⟦\\b Grayson Webb⟧ MD\\par", "Grayson Webb"),
            ("{⟦\\b\\fs24 Grayson Webb\\b0⟧} MD", "Grayson Webb"),
            ("\\fs20 Dr. ⟦Jos\\u233?⟧ today", "Jos\\u233?"),
            ("\\fs20 ⟦\\u193?ngel Webb⟧", "\\u193?ngel Webb"),
            ("\\⟦\\par⟧ \\par", ""),
            ("⟦\\pard\\plain Grayson Webb⟧", "Grayson Webb"),
            ("⟦12 Oak St\\par Springfield⟧", "12 Oak St\\par Springfield"),
            ("⟦Webb\\par⟧k", "Webb\\par"),
            ("⟦CORP\\lparr⟧", "CORP\\lparr"),
            ("\\⟦par⟧", ""),
            ("⟦Webb\\Page⟧ came", "Webb\\Page"),
            ("LINE^ADAM\\⟦PAGE⟧^SUSAN", "PAGE"),
            ("⟦corp\\page⟧ logged in", "corp\\page"),
            ("⟦Page⟧\\par \\Seen", "Page"),
        ] {
            let (open, close) = (marked.find('⟦').unwrap(), marked.find('⟧').unwrap() - '⟦'.len_utf8());
            let text = marked.replace(['⟦', '⟧'], "");
            let (start, end) = without_markup(&text, (open, close));
            assert_eq!(&text[start..end], expected, "{marked}");
        }
    }

    proptest! {
        #[test]
        fn any_span_stays_one(text in "(\\\\|\\{|\\}|par|b0|fs24| |\n|é|'e9|u233\\?|S|8){0,14}", from: usize, to: usize) {
            let text = format!("{text} \\par");
            let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (from, to) = (places[from % places.len()], places[to % places.len()]);
            let (from, to) = (from.min(to), from.max(to));
            let (start, end) = without_control_words(&text, (from, to));
            prop_assert!(start <= end && end <= to && text.get(start..end).is_some());
        }
    }
}
