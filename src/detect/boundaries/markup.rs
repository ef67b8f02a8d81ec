//! What documents are made of, and nobody is called: tags of HTML, what a file's name ends with.
//!
//! ```text
//! <p>Dictated by:<[br]>Amma           no initials            [Whitlock_June.pdf]     [Whitlock_June].pdf
//! ```

use crate::detect::listed::listed;

/// Tags that stand in notes.
const TAGS: &str = "a b body br center code col dd div dl dt em font form h1 h2 h3 h4 h5 h6 head hr html i img input label li link meta ol \
                    option p pre s script section select small span strong style sub sup table tbody td tfoot th thead title tr tt u ul";
/// Endings of files that notes name.
const EXTENSIONS: &str = "pdf tif tiff jpg jpeg png gif bmp doc docx xls xlsx ppt pptx csv txt dcm rtf xml json html htm zip mp3 mp4 wav msg eml hl7";

/// A span without the name of a tag and without the ending of a file.
pub(super) fn without_markup(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
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

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            let (open, close) = (marked.find('⟦').unwrap(), marked.find('⟧').unwrap() - '⟦'.len_utf8());
            let text = marked.replace(['⟦', '⟧'], "");
            let (start, end) = without_markup(&text, (open, close));
            assert_eq!(&text[start..end], expected, "{marked}");
        }
    }
}
