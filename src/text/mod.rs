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
mod hash;
pub(crate) mod numbers;
mod offsets;
mod segment;
mod token;

pub use context::{ContextMode, InContext};
pub use hash::{SentenceHash, SentenceHasher};
pub use offsets::CodePoints;
pub use segment::{SEGMENTER_VERSION, Sentences, sentences};
pub use token::{Token, TokenKind, Tokens, tokens};
