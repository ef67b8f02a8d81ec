//! How a note is typed: capitals, curly quotes, slips of the keyboard, hard wraps, line ends.
//!
//! ```text
//! "the patient's knee"  ──▶  "THE PATIENT'S KNEE"   "the patient’s knee"   "the pateint's knee"   "the patient's⏎knee"
//! ```

use super::random::Random;
use super::writer::GoldSpan;

/// The habits of one note.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Style {
    /// Everything in capitals.
    pub capitals: bool,
    /// Curly apostrophes.
    pub curly: bool,
    /// Slips of the keyboard.
    pub typos: bool,
    /// Hard line breaks at about this many columns.
    pub wrap: Option<usize>,
    /// Lines end as on Windows.
    pub crlf: bool,
}

impl Style {
    /// The habits of a note; `capitals` is how many of a thousand such notes are in capitals.
    pub fn draw(capitals: u64, random: &mut Random) -> Self {
        Self {
            capitals: random.chance(capitals),
            curly: random.chance(30),
            typos: random.chance(300),
            wrap: random.chance(60).then(|| random.between(70, 80).unsigned_abs() as usize),
            crlf: random.chance(60),
        }
    }

    /// Appends text as this note has it.
    pub fn append(&self, text: &str, to: &mut String) {
        if self.capitals {
            to.extend(text.chars().flat_map(char::to_uppercase));
        } else if self.curly && text.contains('\'') {
            to.extend(text.chars().map(|character| if character == '\'' { '’' } else { character }));
        } else {
            to.push_str(text);
        }
    }

    /// The text with one slip: two letters swapped, one lost or doubled, or a space left out.
    pub fn slip(&self, text: &str, random: &mut Random) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        let at = 1 + random.below(characters.len().saturating_sub(3) as u64) as usize;
        let letters = |characters: &[char], at: usize| {
            characters[at].is_ascii_lowercase() && characters[at + 1].is_ascii_lowercase()
        };
        if at + 1 >= characters.len() {
            return text.to_owned();
        }
        match random.below(4) {
            0 if letters(&characters, at) => characters.swap(at, at + 1),
            1 if letters(&characters, at) => drop(characters.remove(at)),
            2 if letters(&characters, at) => characters.insert(at, characters[at]),
            _ => {
                if let Some(space) = characters.iter().skip(at).position(|character| *character == ' ') {
                    characters.remove(at + space);
                }
            }
        }
        characters.into_iter().collect()
    }

    /// Wraps long lines and sets line ends; gold keeps its place.
    pub fn lay_out(&self, text: String, gold: &mut [GoldSpan]) -> String {
        let text = match self.wrap {
            Some(columns) => wrap(text, columns),
            None => text,
        };
        if self.crlf { with_crlf(&text, gold) } else { text }
    }
}

/// Turns the space at which a line gets too long into a line break: code point for code point.
fn wrap(text: String, columns: usize) -> String {
    let mut bytes = text.into_bytes();
    let (mut line, mut space) = (0, None);
    for at in 0..bytes.len() {
        match bytes[at] {
            b'\n' => (line, space) = (at + 1, None),
            b' ' if at > line => space = Some(at),
            _ => {}
        }
        if at >= line + columns
            && let Some(break_at) = space.take()
        {
            bytes[break_at] = b'\n';
            line = break_at + 1;
        }
    }
    // One ASCII byte took the place of another, so this is still UTF-8.
    String::from_utf8(bytes).unwrap_or_default()
}

fn with_crlf(text: &str, gold: &mut [GoldSpan]) -> String {
    let breaks: Vec<u32> =
        text.chars().zip(0u32..).filter(|(character, _)| *character == '\n').map(|(_, at)| at).collect();
    for span in gold {
        span.start += breaks.partition_point(|at| *at < span.start) as u32;
        span.end += breaks.partition_point(|at| *at < span.end) as u32;
    }
    text.replace('\n', "\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;

    #[test]
    fn wrapping_keeps_every_code_point_in_place() {
        let text = "Seen by Dr. José García in the clinic on Monday, doing well. ".repeat(5);
        let wrapped = wrap(text.clone(), 40);
        assert_eq!(wrapped.replace('\n', " "), text);
        assert!(wrapped.lines().all(|line| line.len() <= 41) && wrapped.lines().count() > 5);
    }

    #[test]
    fn crlf_moves_gold() {
        let mut gold = [
            GoldSpan { start: 3, end: 6, label: Label::Patient },
            GoldSpan { start: 4, end: 10, label: Label::Patient },
        ];
        assert_eq!(with_crlf("a\nbJoé\nSmith", &mut gold), "a\r\nbJoé\r\nSmith");
        assert_eq!((gold[0].start, gold[0].end, gold[1].start, gold[1].end), (4, 7, 5, 12));
    }

    #[test]
    fn a_slip_never_panics() {
        for seed in 0..2000 {
            let mut random = Random::of(&[seed]);
            let slipped = Style::default().slip("the patient denies µ° pain", &mut random);
            assert!(!slipped.is_empty());
        }
    }
}
