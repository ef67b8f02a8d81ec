//! What stands around names in records and is no part of them: titles, suffixes, credentials.
//!
//! ```text
//! Dr. Penny Early, RN     title  name  name  credential
//! ```

use std::sync::LazyLock;

use crate::detect::listed::{Sieve, listed};
use crate::lexicon::{Lexicon, WordFlags};

/// A word of a list of names without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(['.', ',', '(', ')'])
}

fn is_title(word: &str) -> bool {
    listed!(bare(word), "mr mrs ms miss dr mx prof rev sir")
}

/// The particles of the lexicon: a few dozen words, so nearly every other is turned away without a look at the lexicon itself.
static PARTICLES: LazyLock<Sieve> = LazyLock::new(|| {
    let mut sieve = Sieve::new();
    let particles = Lexicon::shared().entries().filter(|(_, info)| info.is(WordFlags::PARTICLE));
    particles.for_each(|(word, _)| sieve.add(word));
    sieve
});

/// Whether a word is a particle inside family names: `de`, `van`.
pub(crate) fn is_particle(word: &str) -> bool {
    let plain = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    (!plain || PARTICLES.may_hold(word.as_bytes())) && Lexicon::shared().word(word).is(WordFlags::PARTICLE)
}

pub(crate) fn is_suffix(word: &str) -> bool {
    listed!(bare(word), "jr sr ii iii iv")
}

/// Whether a word of the record is letters after a name, written large: `MD`, `RN`, `PA-C`, `Ph.D.`.
pub(crate) fn is_credential(word: &str) -> bool {
    const CREDENTIALS: &str = "MD M.D DO D.O RN NP PA PA-C PHD PH.D LCSW LMSW MSW FNP DNP APRN BSN MSN MBBS PHARMD DPM DDS \
        DMD PSYD CRNA CNM OTR OTR/L PT DPT RD FACP FACS LPN CNA EMT RT CCC-SLP MPH FNP-C FNP-BC";
    let capital = word.starts_with(char::is_uppercase);
    capital && listed!(bare(word), CREDENTIALS) && (word.len() > 2 || word.chars().all(char::is_uppercase))
}

/// Whether words are what follows a whole name and nothing else: `MD`, `Jr.`, `III, RN`.
pub(crate) fn is_behind_name(words: &str) -> bool {
    words.split([' ', ',']).filter(|word| !word.is_empty()).all(|word| is_credential(word) || is_suffix(word))
}

/// Whether a word stands beside a name and is no part of it.
pub(crate) fn is_around_name(word: &str) -> bool {
    is_title(word) || is_suffix(word) || is_credential(word)
}
