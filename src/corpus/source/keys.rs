//! Lines of JSON that are not read as they are meant. Where a key stands in an object twice a decoder would keep the last value alone, and nobody
//! would miss the others.

use std::borrow::Cow;

use futures::TryStreamExt;
use serde::de::IgnoredAny;

use super::Format;
use super::discover::{file_uri, format_of, is_hidden};
use super::json::lines;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// Refuses JSON Lines at a location, if there are any, of which a line is no object or has a key twice. For tables that the engine reads: it
/// does not tell the line, and of two values it keeps the last alone. What cannot be listed, such as a pattern, is left to who reads it.
///
/// # Errors
/// [`CorpusError::Input`] with the file and the line, counted from 1, and where a file cannot be read.
pub async fn refuse_broken_lines(location: &Location) -> Result<()> {
    let Ok(files) = location.list().await else { return Ok(()) };
    for file in files.iter().filter(|file| !is_hidden(location, &file.location)) {
        let Some(Format::JsonLines(compression)) = format_of(&file.location) else { continue };
        let mut lines = lines(location, file.location.clone(), compression);
        while let Some(batch) = lines.try_next().await? {
            if let Some((number, fault)) = batch.iter().find_map(|(number, line)| Some((number, fault_of(line)?))) {
                let reason = format!("line {} {fault}", number + 1);
                return Err(CorpusError::input(file_uri(location, file), reason));
            }
        }
    }
    Ok(())
}

/// Why a line is not read, in words that go on after its number.
fn fault_of(line: &[u8]) -> Option<&'static str> {
    let is_object = line.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(line).is_ok();
    match std::str::from_utf8(line) {
        Err(_) => Some("is not UTF-8"),
        Ok(_) if !is_object => Some("is not a JSON object"),
        Ok(_) => has_key_twice(line).then_some("has a key twice"),
    }
}

/// Whether an object of a line, or one in it, has a key twice. Of what is no JSON the answer means nothing.
pub(super) fn has_key_twice(line: &[u8]) -> bool {
    // The keys of the objects and arrays that are open; arrays have none.
    let mut open: Vec<Vec<Cow<'_, [u8]>>> = Vec::new();
    let (mut at, mut is_twice) = (0, false);
    while let Some(byte) = line.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => open.push(Vec::new()),
            b'}' | b']' => is_twice |= open.pop().is_some_and(are_some_equal),
            b'"' => {
                let (Some(end), Some(keys)) = (end_of_string(line, at), open.last_mut()) else { break };
                let string = at..end;
                at = end + 1;
                let after = line.get(at..).unwrap_or_default().trim_ascii_start();
                if after.first() == Some(&b':') {
                    keys.push(as_meant(line.get(string).unwrap_or_default()));
                }
            }
            _ => {}
        }
    }
    is_twice
}

/// Where the string ends that begins here, after its quote.
pub(super) fn end_of_string(line: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr::memchr2(b'"', b'\\', line.get(at..)?)?;
        match line.get(at)? {
            b'"' => return Some(at),
            // Whatever is escaped ends nothing.
            _ => at += 2,
        }
    }
}

/// A key without escapes: `te\u0078t` is `text`.
pub(super) fn as_meant(written: &[u8]) -> Cow<'_, [u8]> {
    if !written.contains(&b'\\') {
        return Cow::Borrowed(written);
    }
    let quoted = [&b"\""[..], written, b"\""].concat();
    serde_json::from_slice::<String>(&quoted).map_or(Cow::Borrowed(written), |key| Cow::Owned(key.into_bytes()))
}

fn are_some_equal(mut keys: Vec<Cow<'_, [u8]>>) -> bool {
    keys.sort_unstable();
    !keys.is_sorted_by(|one, next| one < next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_one_object_that_are_equal() {
        for line in [
            r#"{"text":"Dr. Smith","text":"Dr. Jones"}"#,
            r#"{"text" : "a", "id": 1, "text" : null}"#,
            r#"{"te\u0078t":"a","text":"b"}"#,
            r#"{"a\"":1,"a\u0022":2}"#,
            r#"{"id":1,"more":{"a":[{"b":1,"b":2}]}}"#,
            r#"{"":1,"":2}"#,
        ] {
            assert!(has_key_twice(line.as_bytes()), "{line}");
        }
    }

    #[tokio::test]
    async fn files_are_refused_by_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let place = |name: &str| Location::parse(folder.path().join(name).to_str().unwrap()).unwrap();
        let twice = "{\"id\":1}\n\n{\"id\":2,\"aliases\":\"Quagga\",\"aliases\":null}\n";
        write("a.jsonl", "{\"id\":1,\"aliases\":[\"id\",\"id\"]}\n");
        write("_b.jsonl", twice);
        write("c.csv", twice);
        for whole in ["", "a.jsonl", "none"] {
            refuse_broken_lines(&place(whole)).await.unwrap();
        }
        for (broken, fault) in [
            (twice.as_bytes(), "line 3 has a key twice"),
            (b"{\"id\":1}\n{\"id\":2,\"aliases\":Quagga}\n", "line 2 is not a JSON object"),
            (b"{\"id\":\"Quagga\"}\n[\"Quagga\"]\n", "line 2 is not a JSON object"),
            (b"{\"id\":\"Quagga\xe9\"}\n", "line 1 is not UTF-8"),
        ] {
            std::fs::write(folder.path().join("d.ndjson"), broken).unwrap();
            for name in ["", "d.ndjson"] {
                let refused = refuse_broken_lines(&place(name)).await.unwrap_err().to_string();
                assert!(refused.contains("d.ndjson") && refused.contains(fault), "{refused}");
                assert!(!refused.contains("Quagga"), "{refused}");
            }
        }
    }

    #[test]
    fn other_strings_that_are_equal() {
        for line in [
            r#"{"text":"text","id":"text"}"#,
            r#"{"text":"\"text\":\"text\":","id":["a","a"]}"#,
            r#"{"a":{"a":1},"b":[{"a":1},{"a":2}],"Text":1,"text":2}"#,
            r#"{"text":"ends in \\","id":"\\"}"#,
            "[]",
            r#"{"text":"#,
            r#"{"text":"half \"#,
            r#""text":1,"text":2"#,
            "}}]{",
            "",
        ] {
            assert!(!has_key_twice(line.as_bytes()), "{line}");
        }
    }
}
