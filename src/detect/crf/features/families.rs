//! Families of attributes: `Families::ALL.without(Family::Affix)` is everything but affixes.

use std::fmt;
use std::str::FromStr;

macro_rules! families {
    ($($variant:ident = $name:literal, $doc:literal;)+) => {
        /// A family of attributes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Family { $(#[doc = $doc] $variant,)+ }

        impl Family {
            /// Every family; `Family::ALL[family as usize] == family`.
            pub const ALL: &'static [Family] = &[$(Family::$variant,)+];

            /// The name used in settings, model files and reports.
            pub const fn name(self) -> &'static str {
                match self { $(Family::$variant => $name,)+ }
            }
        }
    };
}

families! {
    Word = "word", "The token itself, as written and in small letters.";
    Context = "context", "The four words before and after, and pairs and triples of words (Gardner 2010).";
    Affix = "affix", "The first and last one to four characters (Gardner 2010 has up to three).";
    Pattern = "pattern", "The regular-expression classes of the token and its neighbours (Gardner 2010, table 2).";
    Shape = "shape", "Upper, lower, digit maps, full and collapsed, and those of the neighbours (Dehghan 2015).";
    Chunk = "chunk", "The run without white space that the token is part of: `3/4/2020`, `ann@site.org`.";
    Position = "position", "Place in sentence and line, gaps before and after, depth of brackets and quotes (Dehghan 2015).";
    Header = "header", "The words before the last colon, and how far back it is.";
    Opening = "opening", "The first words of the sentence.";
    Lexicon = "lexicon", "What the lexicon says a word can be.";
    Usage = "usage", "What the word mostly was in the training data.";
    Preceding = "preceding", "The first words and the last header of the context.";
}

/// A set of families.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Families(u32);

impl Families {
    /// No family.
    pub const NONE: Self = Self(0);
    /// Every family.
    pub const ALL: Self = Self((1 << Family::ALL.len()) - 1);

    /// The set with a family added.
    #[must_use]
    pub const fn with(self, family: Family) -> Self {
        Self(self.0 | 1 << family as u32)
    }

    /// The set with a family taken away.
    #[must_use]
    pub const fn without(self, family: Family) -> Self {
        Self(self.0 & !(1 << family as u32))
    }

    /// Whether a family is in the set.
    pub const fn has(self, family: Family) -> bool {
        self.0 >> family as u32 & 1 == 1
    }

    /// The families in the set.
    pub fn iter(self) -> impl Iterator<Item = Family> {
        Family::ALL.iter().copied().filter(move |family| self.has(*family))
    }
}

impl FromIterator<Family> for Families {
    fn from_iter<I: IntoIterator<Item = Family>>(families: I) -> Self {
        families.into_iter().fold(Self::NONE, Self::with)
    }
}

/// The names, joined by `+`; `none` for the empty set.
impl fmt::Display for Families {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return formatter.write_str("none");
        }
        for (at, family) in self.iter().enumerate() {
            write!(formatter, "{}{}", if at > 0 { "+" } else { "" }, family.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Families {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A name that is no family.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no family of features")]
pub struct UnknownFamily {
    /// The name as given.
    pub name: String,
}

impl FromStr for Families {
    type Err = UnknownFamily;

    fn from_str(text: &str) -> Result<Self, UnknownFamily> {
        match text {
            "all" => Ok(Self::ALL),
            "none" => Ok(Self::NONE),
            names => names
                .split('+')
                .map(|name| {
                    let known = Family::ALL.iter().copied().find(|family| family.name() == name.trim());
                    known.ok_or_else(|| UnknownFamily { name: name.to_owned() })
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_out_and_in() {
        for families in [Families::NONE, Families::ALL, Families::NONE.with(Family::Affix).with(Family::Usage)] {
            assert_eq!(families.to_string().parse(), Ok(families));
        }
        assert_eq!("all".parse(), Ok(Families::ALL));
        assert!("word+nothing".parse::<Families>().is_err());
        assert!(!Families::ALL.without(Family::Word).has(Family::Word));
    }
}
