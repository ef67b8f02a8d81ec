//! JSON Lines files of notes: one object a line.
//!
//! Columns are told from the first lines of each file. What is a string in one line and a number in another is text, letter for letter; so is
//! a column with a fraction somewhere and a number that no float holds elsewhere, and one with a list or an object ([`nested`](super::nested)).

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::json::ReaderBuilder;
use arrow::json::reader::infer_json_schema_from_iterator;
use bytes::Bytes;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::error::DataFusionError;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::ObjectMeta;

use super::keys::has_key_twice;
use super::nested::{is_json, json_field, quoted, take_nested};
use super::numbers::Numbers;
use super::quarantine::Refused;
use super::{Compression, Format, Source, Unit, zstandard};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;
use crate::corpus::worker::in_worker;

/// Lines of each file from which its columns are told.
const SAMPLED_LINES: usize = 10_000;
/// Lines decoded at once at most, and bytes after which a batch is closed.
const BATCH_LINES: usize = 1024;
const BATCH_BYTES: usize = 16 << 20;

/// Bytes after which the sample ends, however few lines they are.
const SAMPLED_BYTES: usize = 256 << 20;
/// How many files are sampled at once.
const FILES_AT_ONCE: usize = 16;
/// A line longer than this is no note; it is refused, and nothing of it is held.
const LONGEST_LINE: usize = 64 << 20;

/// What some programs put before the first line.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Lines with their numbers in the file; one that was too long to be held is empty.
type Lines = BoxStream<'static, Result<Vec<(u64, Bytes)>>>;

/// The columns of all files, from the first lines of each.
pub(super) async fn infer_schema(location: &Location, files: &[ObjectMeta]) -> Result<SchemaRef> {
    let files = files.iter().map(|file| in_worker(Told::by_file(location.clone(), file.location.clone())));
    let mut told: BoxStream<'_, Result<Told>> = futures::stream::iter(files).buffered(FILES_AT_ONCE).boxed();
    let mut all = Told::default();
    while let Some(of_file) = told.try_next().await? {
        all.add(of_file);
    }
    // A day without notes: no line tells columns, and there is nothing to do.
    if all.lines == 0 {
        return Err(CorpusError::Empty { location: location.uri().to_owned(), is_place: true });
    }
    if all.fields.is_empty() {
        return Err(CorpusError::input(location.uri(), "no line is a JSON object"));
    }
    Ok(Arc::new(all.schema()))
}

/// What lines tell of their columns.
#[derive(Debug, Default)]
struct Told {
    lines: usize,
    /// The columns, with the type that holds their single values.
    fields: Vec<Field>,
    /// Those with a number that no float holds.
    inexact: BTreeSet<String>,
    /// Those with a list or an object.
    nested: BTreeSet<String>,
}

impl Told {
    async fn by_file(location: Location, file: object_store::path::Path) -> Result<Self> {
        let mut told = Self::default();
        let Some(Format::JsonLines(compression)) = super::discover::format_of(&file) else { return Ok(told) };
        let name = location.name_of(&file);
        let (mut lines, mut bytes) = (lines(&location, file, compression), 0);
        while told.lines < SAMPLED_LINES && bytes < SAMPLED_BYTES {
            let Some(batch) = lines.try_next().await? else { break };
            bytes += batch.iter().map(|(_, line)| line.len()).sum::<usize>();
            let few: Vec<Bytes> = batch.into_iter().take(SAMPLED_LINES - told.lines).map(|(_, line)| line).collect();
            told.add(Self::by_lines(&few).ok_or_else(|| CorpusError::input(&name, "its columns cannot be told"))?);
        }
        Ok(told)
    }

    fn by_lines(lines: &[Bytes]) -> Option<Self> {
        let mut told = Self { lines: lines.len(), ..Self::default() };
        let (mut objects, lines): (Vec<_>, Vec<_>) =
            lines.iter().filter_map(|line| Some((object(line)?, line.as_ref()))).unzip();
        objects.iter_mut().for_each(|object| take_nested(object, &mut told.nested));
        told.inexact.extend(objects.iter().flat_map(inexact_integers));
        let schema = infer_json_schema_from_iterator(objects.iter().map(Ok::<_, arrow::error::ArrowError>)).ok()?;
        let others = schema.fields().iter().filter(|field| !told.nested.contains(field.name()));
        let others = Schema::new(others.cloned().collect::<Vec<_>>());
        told.inexact.extend(inexact_columns(&others, &lines));
        merge(&mut told.fields, schema.fields());
        Some(told)
    }

    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        merge(&mut self.fields, other.fields.iter());
        self.inexact.extend(other.inexact);
        self.nested.extend(other.nested);
    }

    fn schema(self) -> Schema {
        let fields = self.fields.into_iter().map(|field| match field.data_type() {
            _ if self.nested.contains(field.name()) => json_field(field.name(), DataType::Utf8),
            DataType::Float64 if self.inexact.contains(field.name()) => field.with_data_type(DataType::Utf8),
            _ => field,
        });
        Schema::new(fields.collect::<Vec<_>>())
    }
}

/// Adds further columns: of one that both have, the type that holds the values of both.
fn merge<F: AsRef<Field>>(merged: &mut Vec<Field>, fields: impl IntoIterator<Item = F>) {
    for field in fields {
        let field = field.as_ref();
        match merged.iter_mut().find(|known| known.name() == field.name()) {
            None => merged.push(field.clone()),
            Some(known) => known.set_data_type(of_both(known.data_type(), field.data_type())),
        }
    }
}

/// The type that holds the single values of two, as if they stood in one file.
fn of_both(one: &DataType, other: &DataType) -> DataType {
    use DataType::{Float64, Int64, Null, Utf8};
    match (one, other) {
        _ if one == other => one.clone(),
        (Null, typed) | (typed, Null) => typed.clone(),
        (Int64 | Float64, Int64 | Float64) => Float64,
        _ => Utf8,
    }
}

/// The columns of a line whose integer is another one as a float.
fn inexact_integers(object: &serde_json::Value) -> Vec<String> {
    // So far every integer is a float as well.
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    let is_large =
        |value: &serde_json::Value| value.as_i64().map_or(value.is_u64(), |number| number.unsigned_abs() > EXACT);
    let is_inexact = |value: &serde_json::Value| is_large(value) && !is_exact(&value.to_string());
    let columns = object.as_object().into_iter().flatten();
    columns.filter(|(_, value)| is_inexact(value)).map(|(name, _)| name.clone()).collect()
}

/// The columns of floats in which a number of the lines is another one as a float.
fn inexact_columns(schema: &Schema, lines: &[&[u8]]) -> Vec<String> {
    let floats = schema.fields().iter().filter(|field| *field.data_type() == DataType::Float64);
    let as_text = floats.map(|field| Field::new(field.name(), DataType::Utf8View, true)).collect::<Vec<_>>();
    if as_text.is_empty() {
        return Vec::new();
    }
    let schema = Arc::new(Schema::new(as_text));
    let Some(texts) = decode_lines(&schema, lines, Others::PassedOver) else { return Vec::new() };
    let is_inexact = |column: &ArrayRef| {
        column.as_string_view_opt().is_some_and(|texts| texts.iter().flatten().any(|number| !is_exact(number)))
    };
    let fields = texts.schema_ref().fields().iter().zip(texts.columns());
    fields.filter(|(_, column)| is_inexact(column)).map(|(field, _)| field.name().clone()).collect()
}

/// Whether a number as it is written is the same number as a float is written.
fn is_exact(number: &str) -> bool {
    let Ok(float) = number.parse::<f64>() else { return false };
    digits_and_power(number) == digits_and_power(&format!("{float:e}"))
}

/// The digits of a number without zeros around them, and the power of ten of the last: one and the same for one number, however it is written.
/// Zero has neither.
fn digits_and_power(number: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole.trim_start_matches('-'), fraction].concat();
    let significant = digits.trim_end_matches('0');
    let zeros = digits.len() - significant.len();
    let power = exponent.parse::<i64>().ok()?.saturating_sub(fraction.len() as i64).saturating_add(zeros as i64);
    let significant = significant.trim_start_matches('0');
    (!significant.is_empty()).then(|| (number.starts_with('-'), significant.to_owned(), power))
}

/// Whether values lie in one another deeper than JSON is read: the decoder would follow them until its stack ends.
fn is_deep(line: &[u8]) -> bool {
    const DEEPEST: usize = 127;
    if memchr::memchr2_iter(b'[', b'{', line).count() <= DEEPEST {
        return false;
    }
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    line.iter().any(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    })
}

fn object(line: &[u8]) -> Option<serde_json::Value> {
    serde_json::from_slice::<serde_json::Value>(line).ok().filter(serde_json::Value::is_object)
}

/// The rows of a unit with their line numbers, and the lines that are refused.
pub(super) fn read(
    source: &Source,
    unit: &Unit,
    compression: Compression,
) -> impl Stream<Item = Result<(RecordBatch, Vec<u64>, Vec<Refused>)>> + use<> {
    let schema = Arc::clone(&source.schema);
    let unit_index = unit.index;
    lines(&source.location, unit.file.clone(), compression)
        .map(move |batch| batch.and_then(|batch| decode(&schema, unit_index, &batch)))
}

/// Decodes a batch of lines; where that fails, line by line, so that a bad one is refused alone.
fn decode(schema: &SchemaRef, unit: usize, lines: &[(u64, Bytes)]) -> Result<(RecordBatch, Vec<u64>, Vec<Refused>)> {
    let columns = Numbers::of(schema);
    let together: Vec<&[u8]> = lines.iter().map(|(_, line)| line.as_ref()).collect();
    let is_sound = |line: &[u8]| {
        // One that is too long is empty here, and beside one with two objects the rows would be as many as the lines.
        !line.is_empty()
            && std::str::from_utf8(line).is_ok()
            && !is_deep(line)
            && !has_key_twice(line)
            && columns.are_kept_in(line)
    };
    if together.iter().all(|line| is_sound(line))
        && let Some(batch) =
            decode_lines(schema, &together, Others::Refused).filter(|batch| batch.num_rows() == lines.len())
    {
        return Ok((batch, lines.iter().map(|(number, _)| *number).collect(), Vec::new()));
    }
    let (mut numbers, mut good, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for (number, line) in lines {
        let reason = if line.is_empty() {
            "the line is longer than 64 MiB"
        } else if std::str::from_utf8(line).is_err() {
            "the line is not UTF-8"
        } else if object(line).is_none() {
            match has_half_a_character(line) {
                true => "the line has half of a character, as `\\ud83d` without its second half",
                false => "the line is not a JSON object",
            }
        } else if has_key_twice(line) {
            "the object has a key twice"
        } else if !columns.are_kept_in(line)
            || decode_lines(schema, &[line.as_ref()], Others::Refused).is_none_or(|batch| batch.num_rows() != 1)
        {
            "the object has a column, or a type in one, that the first 10,000 lines of the files do not have"
        } else {
            numbers.push(*number);
            good.push(line.as_ref());
            continue;
        };
        refused.push(Refused { unit, row: *number, column: None, reason });
    }
    let batch = decode_lines(schema, &good, Others::Refused)
        .ok_or_else(|| CorpusError::internal("lines that decode one by one do not decode together"))?;
    Ok((batch, numbers, refused))
}

/// Whether one of a pair of escapes that make a character stands alone, as in text that was cut there.
fn has_half_a_character(line: &[u8]) -> bool {
    let half = |at: usize, first: &[u8]| {
        line.get(at..at + 4).is_some_and(|escape| {
            escape.starts_with(b"\\u")
                && escape[2].eq_ignore_ascii_case(&b'd')
                && first.contains(&escape[3].to_ascii_lowercase())
        })
    };
    let (high, low) = (b"89ab".as_slice(), b"cdef".as_slice());
    memchr::memchr_iter(b'\\', line)
        .any(|at| half(at, high) && !half(at + 6, low) || half(at, low) && !(at >= 6 && half(at - 6, high)))
}

/// What becomes of values in columns that the schema does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Others {
    Refused,
    PassedOver,
}

/// None where the lines are not objects of the schema's columns. The decoder's own message would show their content. Numbers and truth values in
/// a column of strings are text as they are written.
fn decode_lines(schema: &SchemaRef, lines: &[&[u8]], others: Others) -> Option<RecordBatch> {
    if lines.is_empty() {
        return Some(RecordBatch::new_empty(Arc::clone(schema)));
    }
    let mut decoder = ReaderBuilder::new(Arc::clone(schema))
        .with_strict_mode(others == Others::Refused)
        .with_coerce_primitive(true)
        .with_batch_size(lines.len() + 1)
        .build_decoder()
        .ok()?;
    let nested: Vec<&str> =
        schema.fields().iter().filter(|field| is_json(field)).map(|field| field.name().as_str()).collect();
    for line in lines {
        let line = quoted(line, &nested)?;
        let line = line.as_ref();
        if decoder.decode(line).ok()? != line.len() || decoder.decode(b"\n").ok()? != 1 {
            return None;
        }
    }
    decoder.flush().ok()?
}

/// The non-blank lines of a file in batches, without their ends.
pub(super) fn lines(location: &Location, path: object_store::path::Path, compression: Compression) -> Lines {
    let name = location.name_of(&path);
    let failed = move |error: &(dyn std::error::Error + 'static)| CorpusError::in_input(&name, error);
    let chunks = location.read_in_ranges(&path);
    let chunks: BoxStream<'static, Result<Bytes>> = match compression {
        Compression::None => chunks.map_err(move |error| failed(&error)).boxed(),
        Compression::Zstandard => zstandard::unpacked(
            chunks
                .map_err({
                    let failed = failed.clone();
                    move |error| failed(&error)
                })
                .boxed(),
            failed,
        ),
        Compression::Gzip => {
            let chunks = chunks.map_err(|error| DataFusionError::ObjectStore(Box::new(error))).boxed();
            match FileCompressionType::GZIP.convert_stream(chunks) {
                Ok(chunks) => chunks.map_err(move |error| failed(&error)).boxed(),
                Err(error) => futures::stream::once(async move { Err(failed(&error)) }).boxed(),
            }
        }
    };
    futures::stream::try_unfold((chunks, LineCutter::default()), |(mut chunks, mut cutter)| async move {
        loop {
            if let Some(batch) = cutter.batch() {
                return Ok(Some((batch, (chunks, cutter))));
            }
            match chunks.try_next().await? {
                Some(chunk) => cutter.push(&chunk),
                None => return Ok(cutter.rest().map(|batch| (batch, (chunks, cutter)))),
            }
        }
    })
    .boxed()
}

/// Cuts a stream of bytes into numbered lines.
#[derive(Default)]
struct LineCutter {
    partial: Vec<u8>,
    /// Whether the line has grown too long, so that nothing of it is held.
    is_too_long: bool,
    ready: Vec<(u64, Bytes)>,
    ready_bytes: usize,
    next: u64,
}

impl LineCutter {
    fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.extend(&rest[..end]);
            self.finish_line();
            rest = &rest[end + 1..];
        }
        self.extend(rest);
    }

    fn extend(&mut self, part: &[u8]) {
        if self.partial.len() + part.len() > LONGEST_LINE {
            self.is_too_long = true;
            self.partial = Vec::new();
        }
        if !self.is_too_long {
            self.partial.extend_from_slice(part);
        }
    }

    fn finish_line(&mut self) {
        let mut line = std::mem::take(&mut self.partial);
        if self.next == 0 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        if std::mem::take(&mut self.is_too_long) {
            self.ready.push((self.next, Bytes::new()));
        } else if !line.trim_ascii().is_empty() {
            self.ready_bytes += line.len();
            self.ready.push((self.next, Bytes::from(line)));
        }
        self.next += 1;
    }

    /// The lines so far, where they are enough for a batch.
    fn batch(&mut self) -> Option<Vec<(u64, Bytes)>> {
        (self.ready.len() >= BATCH_LINES || self.ready_bytes >= BATCH_BYTES).then(|| self.take())
    }

    /// Whatever is left at the end of the file.
    fn rest(&mut self) -> Option<Vec<(u64, Bytes)>> {
        if !self.partial.is_empty() || self.is_too_long {
            self.finish_line();
        }
        (!self.ready.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> Vec<(u64, Bytes)> {
        self.ready_bytes = 0;
        std::mem::take(&mut self.ready)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::FieldRef;

    fn schema() -> SchemaRef {
        Arc::new(Schema::new(vec![
            Field::new("id", DataType::Int64, true),
            Field::new("text", DataType::Utf8View, true),
        ]))
    }

    #[test]
    fn bad_lines_are_refused_alone() {
        let lines: Vec<(u64, Bytes)> = [
            "{\"id\":1,\"text\":\"a\"}",
            "{\"id\":",
            "{\"id\":2,\"text\":null}",
            "{\"id\":3,\"other\":1}",
            "[1]",
            "{\"id\":4,\"text\":\"b\"}{\"id\":5}",
            "{\"id\":5,\"text\":\"a\",\"text\":\"b\"}",
        ]
        .iter()
        .enumerate()
        .map(|(number, line)| (number as u64, Bytes::from(line.to_string())))
        .chain([(9, Bytes::from_static(b"{\"id\":6,\"text\":\"\xff\"}")), (11, Bytes::new())])
        // The decoder would take both for numbers.
        .chain([(12, Bytes::from_static(b"{\"id\":\"00017\"}")), (13, Bytes::from_static(b"{\"id\":1.5}"))])
        .collect();
        let (batch, numbers, refused) = decode(&schema(), 0, &lines).unwrap();
        assert_eq!((batch.num_rows(), numbers), (2, vec![0, 2]));
        assert_eq!(refused.iter().map(|refused| refused.row).collect::<Vec<_>>(), [1, 3, 4, 5, 6, 9, 11, 12, 13]);
        assert!(refused.iter().any(|refused| refused.row == 6 && refused.reason == "the object has a key twice"));
    }

    /// A column is told from all files as it is from all lines of one.
    #[test]
    fn files_with_different_types_are_read_together() {
        use DataType::{Boolean, Float64, Int64, Null, Utf8};
        let columns = |types: &[(&str, DataType)]| -> Vec<FieldRef> {
            types.iter().map(|(name, of)| Arc::new(Field::new(*name, of.clone(), true))).collect()
        };
        for (one, other, both) in
            [(Int64, Float64, Float64), (Int64, Utf8, Utf8), (Boolean, Int64, Utf8), (Null, Int64, Int64)]
        {
            for (first, second) in [(&one, &other), (&other, &one)] {
                let mut merged = Vec::new();
                merge(&mut merged, columns(&[("x", first.clone())]));
                merge(&mut merged, columns(&[("y", Utf8), ("x", second.clone())]));
                assert_eq!((merged[0].data_type(), merged[1].name().as_str()), (&both, "y"));
            }
        }
        let line = object_of(br#"{"a": 9007199254740992, "b": 9007199254740993, "c": -9007199254740993, "d": 1, "e": 18446744073709551615}"#);
        assert_eq!(inexact_integers(&line), ["b", "c", "e"]);
    }

    fn object_of(line: &[u8]) -> serde_json::Value {
        super::object(line).unwrap()
    }

    /// One line with a letter in its id, and one with a number that no float holds, are no reason to refuse or to change the others.
    #[test]
    fn what_is_written_is_read() {
        let lines: [&[u8]; 4] = [
            br#"{"id": 1, "score": 0.5, "of": 2.50, "is": true}"#,
            br#"{"id": "A3", "score": 9007199254740993, "of": 3, "is": "maybe"}"#,
            br#"{"id": 1.50, "score": null, "of": 1E3}"#,
            br#"{"id": false, "score": -1e2, "of": 9007199254740992}"#,
        ];
        let objects = lines.iter().map(|line| Ok::<_, arrow::error::ArrowError>(object(line).unwrap()));
        let inferred = infer_json_schema_from_iterator(objects).unwrap();
        assert_eq!(inexact_columns(&inferred, &lines), ["score"]);
        let text = |name: &str| Field::new(name, DataType::Utf8View, true);
        let fields = vec![text("id"), text("score"), Field::new("of", DataType::Float64, true), text("is")];
        let schema = Arc::new(Schema::new(fields));
        let lines: Vec<(u64, Bytes)> = (0..).zip(lines.map(Bytes::from_static)).collect();
        let (batch, _, refused) = decode(&schema, 0, &lines).unwrap();
        assert!(refused.is_empty());
        let texts = |place: usize| batch.column(place).as_string_view().iter().collect::<Vec<_>>();
        assert_eq!(texts(0), [Some("1"), Some("A3"), Some("1.50"), Some("false")]);
        assert_eq!(texts(1), [Some("0.5"), Some("9007199254740993"), None, Some("-1e2")]);
        assert_eq!(texts(3), [Some("true"), Some("maybe"), None, None]);
    }

    /// Of lines that are not told at once, and beside a column that is a list in one of them.
    #[test]
    fn columns_are_told_from_all_lines() {
        let lines: Vec<Bytes> = [
            r#"{"id": 1, "score": 0.5, "x": 1.5}"#,
            r#"{"id": 2, "score": 0.10000000000000000001, "x": [1]}"#,
            "no line of JSON",
            r#"{"id": "A3", "late": true}"#,
        ]
        .map(|line| Bytes::from_static(line.as_bytes()))
        .to_vec();
        for cut in 0..=lines.len() {
            let mut told = Told::by_lines(&lines[..cut]).unwrap();
            told.add(Told::by_lines(&lines[cut..]).unwrap());
            assert_eq!(told.lines, 4);
            let schema = told.schema();
            let types: Vec<_> = schema
                .fields()
                .iter()
                .map(|field| (field.name().as_str(), field.data_type().clone(), is_json(field)))
                .collect();
            let text = |name| (name, DataType::Utf8, false);
            assert_eq!(
                types,
                [text("id"), text("score"), ("x", DataType::Utf8, true), ("late", DataType::Boolean, false)]
            );
        }
    }

    #[test]
    fn floats_that_are_the_number() {
        for number in ["0", "-0.0", "3", "3.0", "0.1", "2.50", "1E3", "100e-2", "-12.5e+10", "9007199254740992"] {
            assert!(is_exact(number), "{number}");
        }
        for number in ["9007199254740993", "18446744073709551615", "0.10000000000000000001", "1e400", "1e-400"] {
            assert!(!is_exact(number), "{number}");
        }
    }

    #[test]
    fn lines_are_cut_wherever_chunks_end() {
        let text = b"one\r\n\ntwo\nthree";
        for size in 1..text.len() {
            let mut cutter = LineCutter::default();
            text.chunks(size).for_each(|chunk| cutter.push(chunk));
            let lines = cutter.rest().unwrap();
            assert_eq!(
                lines.iter().map(|(number, line)| (*number, line.trim_ascii())).collect::<Vec<_>>(),
                [(0, &b"one"[..]), (2, b"two"), (3, b"three")]
            );
        }
    }

    #[test]
    fn a_line_without_end_is_not_held() {
        let mut cutter = LineCutter::default();
        cutter.push(b"one\n{\"text\":\"");
        let chunk = vec![b'a'; 1 << 20];
        for _ in 0..200 {
            cutter.push(&chunk);
            assert!(cutter.partial.capacity() <= 2 * LONGEST_LINE);
        }
        assert!(cutter.partial.is_empty());
        cutter.push(b"\"}\ntwo");
        let lines = cutter.rest().unwrap();
        let expected = [(0, Bytes::from("one")), (1, Bytes::new()), (2, Bytes::from("two"))];
        assert_eq!(lines, expected);
    }

    #[test]
    fn brackets_in_text_are_not_depth() {
        let text = format!("{{\"text\": \"{} \\\" [\"}}", "[ ] {".repeat(500));
        assert!(!is_deep(text.as_bytes()) && object(text.as_bytes()).is_some());
        for (levels, deep) in [(127, false), (128, true)] {
            let nested = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
            assert_eq!(is_deep(nested.as_bytes()), deep);
            assert_eq!(serde_json::from_str::<serde_json::Value>(&nested).is_err(), deep);
        }
    }
}
