//! Facts of each token, found once and then combined into attributes.
//!
//! ```text
//! context's last tokens │ line break │ the sentence's tokens
//!                                      └ first: only from here on are attributes made
//! ```

use xxhash_rust::xxh3::xxh3_64;

use super::chunks::{Chunk, trimmed};
use super::pieces::pieces;
use super::shapes::{classes, shapes};
use crate::lexicon::{Lexicon, WordFlags};
use crate::text::TokenKind;

/// How many of the context's last tokens the first tokens of a sentence see.
const CONTEXT_TOKENS: usize = 6;
/// A context longer than this is cut at its front.
const CONTEXT_BYTES: usize = 400;
/// Affixes of one up to this many characters.
pub(super) const AFFIXES: usize = 4;
/// The value that stands for what is not there.
pub(super) const NONE: u64 = 0;

/// The white space before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub(super) enum Gap {
    /// None: the token before touches it.
    #[default]
    Touching,
    /// One blank.
    Blank,
    /// More than one blank, or a tab.
    Wide,
    /// A line break, or the beginning of the text.
    Line,
}

/// What is known of one token.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Facts {
    pub start: usize,
    pub end: usize,
    pub raw: u64,
    pub lower: u64,
    pub shape: u64,
    pub collapsed: u64,
    pub classes: u32,
    pub prefixes: [u64; AFFIXES],
    pub suffixes: [u64; AFFIXES],
    /// The bits of the word's flags in the lexicon, those of the phrase that begins here, and those of the one that ends here.
    pub flags: u32,
    pub begins: u32,
    pub ends: u32,
    pub commonness: u8,
    pub usage: u16,
    pub gap: Gap,
    pub chunk: usize,
    pub is_word: bool,
    /// Brackets open here, at most 3, and whether inside double quotes.
    pub depth: u8,
    pub quoted: bool,
    /// Tokens since the line's beginning.
    pub in_line: usize,
    /// The last one and two words before the last colon, and the tokens since.
    pub header: [u64; 2],
    pub since_header: usize,
}

/// A sentence with what precedes it, as facts.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub facts: Vec<Facts>,
    pub chunks: Vec<Chunk>,
    /// Where the sentence's own tokens begin.
    pub first: usize,
    /// The first two words of the context, its last header, and whether it ends in a colon.
    pub context_opening: [u64; 2],
    pub context_header: [u64; 2],
    pub context_asks: bool,
    /// Whether there is a context at all.
    pub has_context: bool,
    small: String,
}

impl Reading {
    /// Reads a sentence and its context. The lexicon is asked only where it is given.
    pub fn read(
        &mut self,
        context: Option<&str>,
        sentence: &str,
        lexicon: Option<&Lexicon>,
        usage: impl Fn(u64) -> u16,
    ) {
        self.facts.clear();
        self.chunks.clear();
        (self.context_opening, self.context_header, self.context_asks) = ([NONE; 2], [NONE; 2], false);
        let context = context.map(|context| tail(context.trim_end(), CONTEXT_BYTES)).filter(|text| !text.is_empty());
        self.has_context = context.is_some();
        if let Some(context) = context {
            self.append(context, lexicon, &usage);
            self.keep_context_tail(context);
        }
        self.first = self.facts.len();
        self.append(sentence, lexicon, &usage);
        if self.first < self.facts.len() {
            self.facts[self.first].gap = Gap::Line;
        }
    }

    /// The facts of a token `offset` away, none beyond the ends.
    pub fn near(&self, at: usize, offset: isize) -> Option<&Facts> {
        self.facts.get(at.checked_add_signed(offset)?)
    }

    fn keep_context_tail(&mut self, context: &str) {
        let mut words = self.facts.iter().filter(|facts| facts.is_word).map(|facts| facts.lower);
        self.context_opening = [words.next().unwrap_or(NONE), words.next().unwrap_or(NONE)];
        self.context_header = self.facts.last().map_or([NONE; 2], |last| last.header);
        self.context_asks = context.ends_with(':');
        if self.context_asks {
            self.context_header = self.header_before(self.facts.len() - 1);
        }
        self.facts.drain(..self.facts.len().saturating_sub(CONTEXT_TOKENS));
        self.facts.push(Facts { raw: LINE_BREAK, lower: LINE_BREAK, chunk: self.chunks.len(), ..Facts::default() });
        self.chunks.push(Chunk::default());
    }

    fn append(&mut self, text: &str, lexicon: Option<&Lexicon>, usage: &impl Fn(u64) -> u16) {
        let begin = self.facts.len();
        let (mut end_before, mut depth, mut quoted, mut in_line) = (0, 0u8, false, 0);
        let (mut header, mut since_header) = ([NONE; 2], 0);
        for token in pieces(text) {
            let word = token.text(text);
            let mut facts = self.facts_of(word, token.kind, lexicon, usage);
            (facts.start, facts.end) = (token.start, token.end);
            facts.gap = if end_before == 0 { Gap::Line } else { gap(&text[end_before..token.start]) };
            in_line = if facts.gap == Gap::Line { 0 } else { in_line + 1 };
            if facts.gap != Gap::Touching {
                self.chunks.push(Chunk::of(trimmed(&text[token.start..])));
            }
            facts.chunk = self.chunks.len() - 1;
            match word {
                ")" | "]" => depth = depth.saturating_sub(1),
                "\"" | "“" | "”" | "«" | "»" => quoted = !quoted,
                _ => (),
            }
            (facts.depth, facts.quoted, facts.in_line) = (depth.min(3), quoted, in_line);
            (facts.header, facts.since_header) = (header, since_header);
            if matches!(word, "(" | "[") {
                depth = depth.saturating_add(1);
            }
            self.facts.push(facts);
            since_header += 1;
            if word == ":" && begin + 1 < self.facts.len() {
                (header, since_header) = (self.header_before(self.facts.len() - 1), 0);
            }
            end_before = token.end;
        }
        if let Some(lexicon) = lexicon {
            self.mark_phrases(begin, text, lexicon);
        }
    }

    /// The last word, and the last two, before the colon at `colon`.
    fn header_before(&self, colon: usize) -> [u64; 2] {
        let mut words = self.facts[..colon].iter().rev().take(5).filter(|facts| facts.is_word).map(|facts| facts.lower);
        let last = words.next().unwrap_or(NONE);
        [last, words.next().map_or(last, |before| before.rotate_left(17) ^ last)]
    }

    fn facts_of(
        &mut self,
        word: &str,
        kind: TokenKind,
        lexicon: Option<&Lexicon>,
        usage: &impl Fn(u64) -> u16,
    ) -> Facts {
        lower_into(word, &mut self.small);
        let (shape, collapsed) = shapes(word);
        let mut facts = Facts {
            raw: xxh3_64(word.as_bytes()),
            lower: xxh3_64(self.small.as_bytes()),
            shape,
            collapsed,
            classes: classes(word),
            is_word: kind == TokenKind::Word,
            ..Facts::default()
        };
        facts.usage = usage(facts.lower);
        if kind == TokenKind::Punctuation {
            return facts;
        }
        affixes(&self.small, &mut facts);
        if let (Some(lexicon), TokenKind::Word) = (lexicon, kind) {
            let info = lexicon.word(word);
            facts.flags = info.flags.bits();
            facts.commonness = info.english_size().map_or(0, |size| size / 10 + 1);
        }
        facts
    }

    /// Asks the lexicon for the pairs of words that stand side by side.
    fn mark_phrases(&mut self, begin: usize, text: &str, lexicon: &Lexicon) {
        for at in begin + 1..self.facts.len() {
            let (before, after) = (&self.facts[at - 1], &self.facts[at]);
            if before.is_word && after.is_word && after.gap == Gap::Blank {
                let flags = lexicon.word(&text[before.start..after.end]).flags;
                if flags != WordFlags::NONE {
                    self.facts[at - 1].begins = flags.bits();
                    self.facts[at].ends = flags.bits();
                }
            }
        }
    }
}

/// What stands for the line break between context and sentence.
const LINE_BREAK: u64 = 1;

/// The hash under which a word is looked up, whatever its case.
pub(crate) fn lower_hash(word: &str) -> u64 {
    let mut small = String::new();
    lower_into(word, &mut small);
    xxh3_64(small.as_bytes())
}

fn lower_into(word: &str, small: &mut String) {
    small.clear();
    small.push_str(word);
    if word.is_ascii() {
        small.make_ascii_lowercase();
    } else {
        small.clear();
        small.extend(word.chars().flat_map(char::to_lowercase));
    }
}

fn affixes(small: &str, facts: &mut Facts) {
    for (length, (at, character)) in small.char_indices().take(AFFIXES).enumerate() {
        facts.prefixes[length] = xxh3_64(&small.as_bytes()[..at + character.len_utf8()]);
    }
    for (length, (at, _)) in small.char_indices().rev().take(AFFIXES).enumerate() {
        facts.suffixes[length] = xxh3_64(&small.as_bytes()[at..]);
    }
}

fn gap(between: &str) -> Gap {
    match between {
        "" => Gap::Touching,
        " " => Gap::Blank,
        _ if between.contains('\n') => Gap::Line,
        _ => Gap::Wide,
    }
}

/// The last bytes of a text, on a character boundary.
fn tail(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
