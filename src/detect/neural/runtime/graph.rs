//! Whether a file can be read as ONNX at all, told before a runtime reads it.
//!
//! ```text
//! model 7 ▶ graph 1 ▶ node 5 ▶ attribute 5 ▶ tensor 7 ▶ numbers      a field, and what is inside it
//! 3A 9C 04 │ 0A 51 │ 2A 2F   │ 2A 0B       │ 3A 08    │ FF 01 …
//! ```
//!
//! rten 0.27 reads a number of ten bytes that all say "one more follows" for ever, and takes lengths as they are written: a file that
//! was damaged, or made to harm, would keep a job from ever ending. So every length, and every number where the runtime
//! will read one, is looked at first. Nothing is kept, and weights are stepped over.
//!
//! The format is that of protocol buffers, <https://protobuf.dev/programming-guides/encoding/>; the fields are those of `onnx.proto`.

/// Values inside values that deep are in no model; a runtime would run out of its stack.
const DEEPEST: usize = 64;
/// The most bytes of a number, and the greatest last one of so many.
const LONGEST_NUMBER: usize = 10;
const GREATEST_LAST: u8 = 1;

/// What is inside a field that has a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    Value,
    Type,
    TensorType,
    SequenceType,
    Shape,
    /// A message with no other one inside.
    Flat,
    /// Numbers, one after another.
    Numbers,
    /// Text or weights.
    Bytes,
}

impl Inside {
    /// What is inside a field of a message.
    const fn field(self, number: u64) -> Self {
        match (self, number) {
            (Self::Model, 7) | (Self::Attribute, 6) => Self::Graph,
            (Self::Graph, 1) => Self::Node,
            (Self::Node, 5) => Self::Attribute,
            (Self::Graph, 5) | (Self::Attribute, 5) => Self::Tensor,
            (Self::Graph, 11..=13) => Self::Value,
            (Self::Value, 2) | (Self::SequenceType, 1) => Self::Type,
            (Self::Type, 1) => Self::TensorType,
            (Self::Type, 4) => Self::SequenceType,
            (Self::TensorType, 2) => Self::Shape,
            (Self::Model, 8 | 14) | (Self::Tensor, 13) | (Self::Shape, 1) => Self::Flat,
            (Self::Attribute, 8) | (Self::Tensor, 1 | 5 | 7) => Self::Numbers,
            _ => Self::Bytes,
        }
    }
}

/// Looks through a graph; the error says what is wrong with it.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    look(bytes, Inside::Model, DEEPEST).ok_or_else(|| "it is damaged, or no ONNX file".to_owned())
}

/// None where the content is not as protocol buffers have it.
fn look(mut rest: &[u8], inside: Inside, deep: usize) -> Option<()> {
    if inside == Inside::Bytes {
        return Some(());
    }
    while !rest.is_empty() {
        let first = number(&mut rest)?;
        if inside == Inside::Numbers {
            continue;
        }
        match first & 7 {
            0 => drop(number(&mut rest)?),
            1 => rest = rest.get(8..)?,
            5 => rest = rest.get(4..)?,
            2 => {
                let length = usize::try_from(number(&mut rest)?).ok()?;
                let (content, after) = rest.split_at_checked(length)?;
                look(content, inside.field(first >> 3), deep.checked_sub(1)?)?;
                rest = after;
            }
            _ => return None,
        }
    }
    Some(())
}

/// Takes a number of seven bits a byte, the last of which is below 128.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let length = rest.iter().take(LONGEST_NUMBER).position(|byte| *byte < 0x80)? + 1;
    let (bytes, after) = rest.split_at_checked(length)?;
    if length == LONGEST_NUMBER && bytes[length - 1] > GREATEST_LAST {
        return None;
    }
    *rest = after;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN: &[u8] = include_bytes!("../fixtures/plain/model.onnx");
    const SHAPED: &[u8] = include_bytes!("../fixtures/shaped/model.onnx");

    /// A field with a length, and the fields around it, the innermost first.
    fn wrapped(content: &[u8], fields: &[u8]) -> Vec<u8> {
        fields.iter().fold(content.to_vec(), |content, field| {
            let length = content.len();
            assert!(length < 1 << 14);
            [&[field << 3 | 2, length as u8 | 0x80, (length >> 7) as u8], &content[..]].concat()
        })
    }

    #[test]
    fn whole_graphs_pass() {
        assert_eq!((check(PLAIN), check(SHAPED)), (Ok(()), Ok(())));
    }

    /// Found by fuzzing: rten 0.27 never ends on these.
    #[test]
    fn a_number_without_end_is_refused_wherever_a_runtime_reads_one() {
        let endless = [0xff; 10];
        let last_too_great = [&[0xff; 9][..], &[2]].concat();
        // A field of the model; the dimensions and the data of a tensor; the list, the tensor and the graph of an attribute; the
        // shape of an input.
        for fields in
            [&[][..], &[1, 5, 7], &[7, 5, 7], &[8, 5, 1, 7], &[7, 5, 5, 1, 7], &[6, 5, 1, 7], &[1, 2, 1, 2, 11, 7]]
        {
            assert!(check(&wrapped(&endless, fields)).is_err(), "{fields:?}");
            assert!(check(&wrapped(&last_too_great, fields)).is_err(), "{fields:?}");
            assert!(check(&wrapped(&[], fields)).is_ok(), "{fields:?}");
        }
        // Weights and names are any bytes.
        assert!(check(&wrapped(&endless, &[9, 5, 7])).is_ok());
    }

    #[test]
    fn lengths_beyond_the_end_and_deep_graphs_are_refused() {
        assert!(check(&PLAIN[..PLAIN.len() - 1]).is_err());
        assert!(check(&[0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]).is_err());
        let graphs = |times: usize| wrapped(&[], &[&[6, 5, 1].repeat(times)[..], &[7]].concat());
        assert!(check(&graphs(10)).is_ok() && check(&graphs(100)).is_err());
    }

    proptest! {
        #[test]
        fn damage_does_not_panic(places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..9)) {
            let mut bytes = PLAIN.to_vec();
            for (place, byte) in places {
                let at = place.index(bytes.len());
                bytes[at] = byte;
            }
            let _ = check(&bytes);
        }
    }
}
