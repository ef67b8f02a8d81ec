//! Zstandard as a stream: what is packed goes in as it comes, what is unpacked comes out in pieces of bounded size.
//!
//! ```text
//! [frame 1][fra│me 2][fra      ─▶  text, text, …, "it ends in the middle of a frame"
//! ```
//!
//! Files are often several compressed ones put together, so one frame after another is read: a decoder that stops at the first
//! would lose the rest without a word. So would one that takes the end of a file for the end of a frame. And a few bytes may unpack to
//! gigabytes, so that not even what one chunk holds is unpacked at once.

use std::io::ErrorKind;

use bytes::{Buf, Bytes};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use crate::corpus::error::{CorpusError, Result};

/// How much is unpacked before it is handed on, at most.
const PIECE: usize = 256 << 10;
/// What is said of a file that has lost its end.
const CUT_SHORT: &str = "it ends in the middle of a Zstandard frame: a part of the file is missing";

/// What is packed in chunks of a file, in pieces. `failed` makes the error that names the file.
pub(super) fn unpacked<F>(chunks: BoxStream<'static, Result<Bytes>>, failed: F) -> BoxStream<'static, Result<Bytes>>
where
    F: Fn(&(dyn std::error::Error + 'static)) -> CorpusError + Send + 'static,
{
    let decoder = match Decoder::new() {
        Ok(decoder) => decoder,
        Err(error) => return futures::stream::once(async move { Err(failed(&error)) }).boxed(),
    };
    let unpacking = Unpacking { decoder, packed: Bytes::new(), is_in_frame: false, has_more: false };
    futures::stream::try_unfold((chunks, unpacking, failed), |(mut chunks, mut unpacking, failed)| async move {
        loop {
            while unpacking.wants_more() {
                match chunks.try_next().await? {
                    Some(chunk) => unpacking.packed = chunk,
                    None if unpacking.is_in_frame => {
                        return Err(failed(&std::io::Error::new(ErrorKind::UnexpectedEof, CUT_SHORT)));
                    }
                    None => return Ok(None),
                }
            }
            let piece = unpacking.piece().map_err(|error| failed(&error))?;
            if !piece.is_empty() {
                return Ok(Some((piece, (chunks, unpacking, failed))));
            }
        }
    })
    .boxed()
}

/// The decoder between two pieces.
struct Unpacking {
    decoder: Decoder<'static>,
    /// What of a chunk it has not taken yet.
    packed: Bytes,
    /// Whether a frame has begun and not ended.
    is_in_frame: bool,
    /// Whether it holds text for which the last piece had no room.
    has_more: bool,
}

impl Unpacking {
    fn wants_more(&self) -> bool {
        self.packed.is_empty() && !self.has_more
    }

    /// One more piece; empty where the decoder needs more before it can give anything.
    fn piece(&mut self) -> std::io::Result<Bytes> {
        if !self.is_in_frame {
            self.decoder.reinit()?;
        }
        let mut text = Vec::with_capacity(PIECE);
        let room = text.capacity();
        let (mut from, mut to) = (InBuffer::around(&self.packed), OutBuffer::around(&mut text));
        let wanted = self.decoder.run(&mut from, &mut to)?;
        let taken = from.pos();
        self.packed.advance(taken);
        // It wants nothing more exactly where a frame has ended and all of it has been given.
        self.is_in_frame = wanted != 0;
        self.has_more = self.is_in_frame && text.len() == room;
        Ok(Bytes::from(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What chunks of `size` bytes unpack to, and the longest piece; none where that fails.
    fn unpack(packed: &[u8], size: usize) -> Option<(Vec<u8>, usize)> {
        let chunks: Vec<Result<Bytes>> = packed.chunks(size).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
        let failed = |error: &(dyn std::error::Error + 'static)| CorpusError::input("a.zst", error.to_string());
        let pieces = unpacked(futures::stream::iter(chunks).boxed(), failed).try_collect::<Vec<_>>();
        let pieces = futures::executor::block_on(pieces).ok()?;
        Some((pieces.concat(), pieces.iter().map(Bytes::len).max().unwrap_or(0)))
    }

    fn pack(text: &[u8]) -> Vec<u8> {
        zstd::encode_all(text, 1).unwrap()
    }

    #[test]
    fn a_piece_is_never_large() {
        let text = vec![b'a'; 50 << 20];
        let packed = pack(&text);
        assert!(packed.len() < 10_000);
        let (unpacked, longest) = unpack(&packed, usize::MAX).unwrap();
        assert!(unpacked == text && longest <= PIECE, "{longest}");
    }

    proptest! {
        #[test]
        fn frames_come_back_whole_or_not_at_all(
            texts in prop::collection::vec(("[a-c]{0,40}", 0..40_000_usize), 0..4), size in 1..5_000_usize, cut in any::<usize>(),
        ) {
            let texts: Vec<Vec<u8>> = texts.iter().map(|(text, times)| text.repeat(*times).into_bytes()).collect();
            let frames: Vec<Vec<u8>> = texts.iter().map(|text| pack(text)).collect();
            let packed = frames.concat();
            prop_assert_eq!(unpack(&packed, size).unwrap().0, texts.concat());
            let cut = cut % (packed.len() + 1);
            let mut at = 0;
            let ends: Vec<usize> = frames.iter().map(|frame| { at += frame.len(); at }).collect();
            let is_between = cut == 0 || ends.contains(&cut);
            prop_assert_eq!(unpack(&packed[..cut], size).is_some(), is_between);
        }
    }
}
