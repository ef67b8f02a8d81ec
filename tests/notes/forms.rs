//! The same notes as other programs hand them on, with their gold: what a form of text adds is nobody's, and what stood there stands there still.
//!
//! ```text
//! plain    Seen by Dr. Muñoz⏎Stable            rtf   {\rtf1… Seen by Dr. Mu\'f1oz\par⏎Stable\par⏎}
//! json     Seen by Dr. Mu\u00f1oz\nStable      hl7   Seen by Dr. Muñoz\.br\Stable
//! html     <p>Seen by Dr. Muñoz<br>Stable</p>  mail  > Seen by Dr. Muñoz⏎> Stable
//! ```

use super::markup::NoteSet;

/// A form that text comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A document of RTF, some of its words bold.
    Rtf,
    /// A field of HL7 version 2.
    Hl7,
    /// A page of HTML, some of its words bold.
    Html,
    /// A string of JSON.
    Json,
    /// Quoted in an answer by mail.
    Mail,
    /// Lines of at most sixty characters.
    Wrapped,
    /// Everything in capitals.
    Capitals,
    /// Everything in small letters.
    Small,
}

impl Form {
    /// Every form, and what it is called.
    pub const ALL: [(&'static str, Self); 8] = [
        ("rtf", Self::Rtf),
        ("hl7", Self::Hl7),
        ("html", Self::Html),
        ("json", Self::Json),
        ("mail", Self::Mail),
        ("wrapped", Self::Wrapped),
        ("capitals", Self::Capitals),
        ("small", Self::Small),
    ];

    /// A set in this form.
    pub fn of(self, set: &NoteSet) -> NoteSet {
        let mut formed = NoteSet { notes: set.notes.clone(), gold: Vec::new(), patients: set.patients.clone() };
        for note in &mut formed.notes {
            let (text, places) = self.text(note["text"].as_str().unwrap_or_default());
            for span in set.gold.iter().filter(|span| span["note_id"] == note["note_id"]) {
                let place =
                    |name: &str| span[name].as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or_default();
                let mut span = span.clone();
                // The end of the last character, and not the beginning of the next.
                (span["start"], span["end"]) = (places[place("start")].0.into(), places[place("end") - 1].1.into());
                formed.gold.push(span);
            }
            note["text"] = text.into();
        }
        formed
    }

    /// A text in this form, and where each of its characters begins and ends there, in code points.
    fn text(self, plain: &str) -> (String, Vec<(usize, usize)>) {
        let characters: Vec<char> = plain.chars().collect();
        let (mut text, mut places) = (String::from(self.head()), Vec::with_capacity(characters.len()));
        let (mut words, mut line) = (0, 0);
        for (at, &character) in characters.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| characters[before]);
            let begins_word = character.is_alphabetic() && before.is_none_or(char::is_whitespace);
            words += usize::from(begins_word);
            // Every fifteenth word is bold, to the end of the next but six.
            if begins_word && matches!((self, words % 15), (Self::Rtf | Self::Html, 1 | 8)) {
                text.push_str(match (self, words % 15) {
                    (Self::Rtf, 1) => "\\b ",
                    (Self::Rtf, _) => "\\b0 ",
                    (_, 1) => "<b>",
                    _ => "</b>",
                });
            }
            if self == Self::Mail && before.is_none_or(|before| before == '\n') {
                text.push_str("> ");
            }
            let rest = &characters[at + 1..];
            let word = rest.iter().take_while(|next| !next.is_whitespace()).count();
            let breaks =
                self == Self::Wrapped && character == ' ' && rest.first() != Some(&' ') && line + 1 + word > 60;
            let begin = text.chars().count();
            match breaks {
                true => text.push('\n'),
                false => self.push(character, &mut text),
            }
            places.push((begin, text.chars().count()));
            line = if text.ends_with('\n') { 0 } else { line + 1 };
        }
        text.push_str(self.end());
        (text, places)
    }

    fn head(self) -> &'static str {
        match self {
            Self::Rtf => {
                "{\\rtf1\\ansi\\ansicpg1252\\deff0\\nouicompat{\\fonttbl{\\f0\\fnil\\fcharset0 Times New Roman;}{\\f1\\fswiss Segoe UI;}}\n\
                 {\\*\\generator Riched20 10.0.19041}\\viewkind4\\uc1 \n\\pard\\sa200\\sl276\\slmult1\\f0\\fs22 "
            }
            Self::Html => "<html><body><div style=\"font-family:Calibri\">",
            _ => "",
        }
    }

    fn end(self) -> &'static str {
        match self {
            Self::Rtf => "\\par\n}\n",
            Self::Html => "</div></body></html>",
            _ => "",
        }
    }

    fn push(self, character: char, text: &mut String) {
        match (self, character) {
            (Self::Rtf, '\n') => text.push_str("\\par\n"),
            (Self::Rtf, '\t') => text.push_str("\\tab "),
            (Self::Rtf, '\\' | '{' | '}') => text.extend(['\\', character]),
            (Self::Rtf, '\u{a0}'..='\u{ff}') => text.push_str(&format!("\\'{:02x}", u32::from(character))),
            (Self::Rtf, _) if !character.is_ascii() => text.push_str(&format!("\\u{}?", u32::from(character))),
            (Self::Hl7, '\n') => text.push_str("\\.br\\"),
            (Self::Hl7, '|') => text.push_str("\\F\\"),
            (Self::Hl7, '^') => text.push_str("\\S\\"),
            (Self::Hl7, '&') => text.push_str("\\T\\"),
            (Self::Hl7, '~') => text.push_str("\\R\\"),
            (Self::Hl7, '\\') => text.push_str("\\E\\"),
            (Self::Html, '\n') => text.push_str("<br>"),
            (Self::Html, '&') => text.push_str("&amp;"),
            (Self::Html, '<') => text.push_str("&lt;"),
            (Self::Html, '>') => text.push_str("&gt;"),
            (Self::Html, '"') => text.push_str("&quot;"),
            (Self::Html, '\'') => text.push_str("&#39;"),
            (Self::Json, _) if character.is_ascii() => {
                let written = serde_json::Value::from(character.to_string()).to_string();
                text.push_str(&written[1..written.len() - 1]);
            }
            (Self::Json, _) => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    text.push_str(&format!("\\u{unit:04x}"));
                }
            }
            (Self::Capitals, _) => text.extend(character.to_uppercase()),
            (Self::Small, _) => text.extend(character.to_lowercase()),
            _ => text.push(character),
        }
    }
}
