//! Lists and objects in JSON Lines: kept as they are written.
//!
//! ```text
//! {"note_id": 7, "meta": {"b": 1.50, "a": []}}      of another line: {"meta": "none"}
//!                        └─ text of the column ─┘                            └────┘
//! ```
//!
//! A table has one type for a column, with the keys of all lines; written again, each object would have the keys of all others, and 1.50 would be
//! 1.5. So a column in which a line has a list or an object is one of JSON text, which goes into the output letter for letter.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::array::{Array, AsArray, StringArray};
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::json::writer::{Encoder, EncoderFactory, EncoderOptions, NullableEncoder};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::keys::{as_meant, end_of_string};

/// Marks a field as one of JSON text, in its metadata.
const MARK: &str = "plainsight:json";

/// A column of JSON text.
pub(super) fn json_field(name: &str, data_type: DataType) -> Field {
    Field::new(name, data_type, true).with_metadata([(MARK.to_owned(), String::new())].into())
}

/// Whether a column holds JSON text, which is a list or an object somewhere.
pub(in crate::corpus) fn is_json(field: &Field) -> bool {
    field.metadata().contains_key(MARK)
}

/// The same columns, none of which counts as one of JSON text.
pub(super) fn without_mark(schema: &SchemaRef) -> SchemaRef {
    if !schema.fields().iter().any(|field| is_json(field)) {
        return Arc::clone(schema);
    }
    let unmarked = |field: &FieldRef| {
        let mut metadata = field.metadata().clone();
        metadata.remove(MARK);
        field.as_ref().clone().with_metadata(metadata)
    };
    Arc::new(Schema::new(schema.fields().iter().map(unmarked).collect::<Vec<_>>()))
}

/// Takes lists and objects out of a line, so that its other columns can be told from what is left. Their names go to `nested`.
pub(super) fn take_nested(line: &mut Value, nested: &mut BTreeSet<String>) {
    for (name, value) in line.as_object_mut().into_iter().flatten() {
        if value.is_array() || value.is_object() {
            nested.insert(name.clone());
            *value = Value::Null;
        }
    }
}

/// A line with the values of some columns as strings, in which stands what is written; null stays null. None for what is no JSON.
pub(super) fn quoted<'l>(line: &'l [u8], columns: &[&str]) -> Option<Cow<'l, [u8]>> {
    if columns.is_empty() {
        return Some(Cow::Borrowed(line));
    }
    serde_json::from_slice::<IgnoredAny>(line).ok()?;
    let mut written = Vec::with_capacity(line.len() * 2);
    let mut from = 0;
    each_value(line, |key, value| {
        let text = line.get(value.clone()).unwrap_or_default();
        if columns.iter().any(|column| column.as_bytes() == key) && text != b"null" {
            written.extend_from_slice(line.get(from..value.start).unwrap_or_default());
            let quoted = serde_json::to_vec(&String::from_utf8_lossy(text)).unwrap_or_default();
            written.extend_from_slice(&quoted);
            from = value.end;
        }
    });
    written.extend_from_slice(line.get(from..).unwrap_or_default());
    Some(Cow::Owned(written))
}

/// Gives every key of the object that a line of JSON is, and where its value stands.
pub(super) fn each_value(line: &[u8], mut value: impl FnMut(&[u8], std::ops::Range<usize>)) {
    let (mut at, mut depth) = (0, 0_usize);
    // The key whose value is being read, and where that begins.
    let mut open: Option<(Cow<'_, [u8]>, usize)> = None;
    let mut last_string = 0..0;
    while let Some(byte) = line.get(at) {
        match byte {
            b'"' => {
                let Some(end) = end_of_string(line, at + 1) else { return };
                last_string = at + 1..end;
                at = end;
            }
            b':' if depth == 1 && open.is_none() => {
                open = Some((as_meant(line.get(last_string.clone()).unwrap_or_default()), at + 1));
            }
            b'{' | b'[' => depth += 1,
            b',' | b'}' if depth == 1 => {
                if let Some((key, start)) = open.take() {
                    let written = line.get(start..at).unwrap_or_default();
                    let start = start + (written.len() - written.trim_ascii_start().len());
                    value(&key, start..start + written.trim_ascii().len());
                }
                depth -= usize::from(*byte == b'}');
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
}

/// Writes columns of JSON text as they are, and all others as they would be.
#[derive(Debug)]
pub(in crate::corpus) struct AsWritten;

impl EncoderFactory for AsWritten {
    fn make_default_encoder<'a>(
        &self,
        field: &'a FieldRef,
        array: &'a dyn Array,
        _options: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        if !is_json(field) {
            return Ok(None);
        }
        let texts = arrow::compute::cast(array, &DataType::Utf8)?;
        let nulls = texts.nulls().cloned();
        Ok(Some(NullableEncoder::new(Box::new(Texts(texts.as_string::<i32>().clone())), nulls)))
    }
}

struct Texts(StringArray);

impl Encoder for Texts {
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(self.0.value(row).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(line: &str, columns: &[&str]) -> String {
        String::from_utf8(quoted(line.as_bytes(), columns).unwrap().into_owned()).unwrap()
    }

    #[test]
    fn values_become_strings_of_what_is_written() {
        let line = r#"{ "a" : {"b": [1.50, "x, }"], "a": 3} , "c":"d:\"e\"","f":null ,"\u0067":[ ] }"#;
        let all = text(line, &["a", "c", "f", "g"]);
        let read: Value = serde_json::from_str(&all).unwrap();
        assert_eq!(read["a"], r#"{"b": [1.50, "x, }"], "a": 3}"#);
        assert_eq!(read["c"], r#""d:\"e\"""#);
        assert_eq!((&read["f"], &read["g"]), (&Value::Null, &Value::from("[ ]")));
        assert_eq!(text(line, &["b", "e"]), line);
        assert_eq!(text("{}", &["a"]), "{}");
        assert!(quoted(br#"{"a": {"b": }}"#, &["a"]).is_none());
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a-c:,{}\"\\\\\\[\\]é ]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-c:,\"]{0,2}", inner, 0..4)
                    .prop_map(|object| Value::Object(object.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_is_quoted_reads_back(object in prop::collection::btree_map("[a-c:,\"]{0,2}", json(), 0..5)) {
            let line = serde_json::to_string(&object).unwrap();
            let names: Vec<&str> = object.keys().map(String::as_str).step_by(2).collect();
            let read: Value = serde_json::from_str(&text(&line, &names)).unwrap();
            for (name, value) in &object {
                let expected = match names.contains(&name.as_str()) && !value.is_null() {
                    true => Value::from(value.to_string()),
                    false => value.clone(),
                };
                prop_assert_eq!(&read[name], &expected);
            }
        }
    }
}
