//! Text as the detectors and the corpus jobs see it.
//!
//! ```text
//! note ──sentences──▶ 0..24 | 25..61 | …   (sentences and the white space between them are the note, byte for byte)
//!                        │
//!                        ├─ hash ──▶ 16 bytes, keyed: equal sentences of a corpus meet
//!                        └─ tokens ─▶ Word 0..4, Number 5..9, Punctuation 9..10 …
//! ```
//!
//! Offsets are bytes; [`CodePoints`] turns them into the code points that users see.

mod context;
mod entities;
mod hash;
mod latin;
pub(crate) mod numbers;
mod odd;
mod offsets;
mod segment;
mod token;

pub use context::{ContextMode, InContext};
pub(crate) use entities::{entity_after, letter_written_out, mark_written_out};
pub use hash::{SentenceHash, SentenceHasher};
pub(crate) use latin::latin_base;
pub(crate) use odd::plain;
pub use offsets::CodePoints;
pub(crate) use segment::end_of_written;
pub use segment::{Boundary, SEGMENTER_VERSION, Sentences, sentences};
pub use token::{Token, TokenKind, Tokens, tokens};
