//! What joins the label of a field to its value where that is no colon: rows of dots, and the quotation marks of JSON.
//!
//! ```text
//! Patient .............. Haukur Quorlin      Patient : Haukur Quorlin
//! "city": "Milwaukee", "state": "WI"         city: Milwaukee;, state: WI;
//! "given": ["Rain", "A"]                     given:  Rain, A;]
//! ```

/// So many dots lead to a value, and so many where no blank is before them.
const FEWEST_DOTS: usize = 3;
const FEWEST_CLOSE_DOTS: usize = 10;
/// The longest label, in bytes.
const LONGEST_LABEL: usize = 32;
/// The longest list that is a value, in bytes: names and the lines of an address.
const LONGEST_LIST: usize = 200;

/// Whether a sentence may have such a mark.
pub(super) fn has_one(sentence: &str) -> bool {
    let bytes = sentence.as_bytes();
    memchr::memmem::find(bytes, b"...").is_some() || memchr::memmem::find(bytes, b"\":").is_some()
}

/// How long the row of dots is that leads from a label, which `before` ends with, to a value.
pub(super) fn leader(before: &str, dots: &str) -> Option<usize> {
    let count = dots.bytes().take_while(|byte| *byte == b'.').count();
    let fewest = if before.ends_with(' ') { FEWEST_DOTS } else { FEWEST_CLOSE_DOTS };
    if count < fewest {
        return None;
    }
    let label = before.rsplit(['\n', '\t']).next().unwrap_or(before);
    let label = label.rsplit("  ").find(|part| !part.trim().is_empty()).unwrap_or(label).trim();
    let is_label = (2..=LONGEST_LABEL).contains(&label.len())
        && !label.contains('.')
        && label.starts_with(|c: char| c.is_uppercase())
        && label.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '#' | ')'));
    let leads = dots[count..].trim_start_matches([' ', '\t']).starts_with(|c: char| c.is_alphanumeric() || c == '(');
    (is_label && leads).then_some(count)
}

/// What a quotation mark between two texts is read as, where it stands around a key or a value of JSON: none, or the end of the field.
pub(super) fn quotation(before: &str, rest: &str) -> Option<Option<char>> {
    let is_key = |key: &str| {
        (1..=LONGEST_LABEL).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let opens_key =
        || rest.split_once('"').is_some_and(|(key, after)| is_key(key) && after.trim_start().starts_with(':'));
    let closes_key =
        || rest.trim_start().starts_with(':') && before.rsplit_once('"').is_some_and(|(_, key)| is_key(key));
    let opens_value = || {
        let head = before.trim_end();
        is_behind_key(head) || is_in_list(before) && head.ends_with(['[', ','])
    };
    let next = rest.trim_start().chars().next();
    let closes_value = || {
        let inside = before.rsplit_once('"').is_some_and(|(head, _)| head.trim_end().ends_with(':'));
        inside && next.is_none_or(|next| matches!(next, ',' | '}' | ']'))
    };
    let in_list = || is_in_list(before) && before.ends_with(|c: char| c.is_alphanumeric() || c == '.');
    if opens_key() || closes_key() || opens_value() || in_list() && next == Some(',') {
        Some(None)
    } else {
        (closes_value() || in_list() && next == Some(']')).then_some(Some(';'))
    }
}

/// Whether a bracket opens a list of texts that is a key's value.
pub(super) fn opens_list(before: &str, rest: &str) -> bool {
    rest.trim_start().starts_with('"') && is_behind_key(before)
}

/// Whether a text ends in a key and its colon.
fn is_behind_key(head: &str) -> bool {
    head.trim_end().strip_suffix(':').is_some_and(|key| key.trim_end().ends_with('"'))
}

/// Whether the text before is inside the list that is a key's value: nothing but words, commas and quotation marks since its bracket.
fn is_in_list(before: &str) -> bool {
    let start = before.len().saturating_sub(LONGEST_LIST);
    let bracket = memchr::memrchr(b'[', &before.as_bytes()[start..]).map(|at| start + at);
    bracket.is_some_and(|at| {
        !before.as_bytes()[at + 1..].iter().any(|byte| b"]{}:\n".contains(byte)) && is_behind_key(&before[..at])
    })
}

#[cfg(test)]
mod tests {
    use crate::detect::reading::plainly;

    #[test]
    fn lists_of_json_are_values_of_their_key() {
        for (written, read) in [
            (r#""given":["Rain","A"] }"#, "given: Rain,A;] }"),
            (r#""line": [ "12 Oak St", "Apt 4" ], "city":"Troy","x":1"#, "line:   12 Oak St, Apt 4; ], city:Troy;,x:1"),
            (r#"[ "said so" ] and "no""#, r#"[ "said so" ] and "no""#),
        ] {
            assert_eq!(plainly(written), read);
        }
    }
}
