//! E-mail and web addresses: composed, with the names in them replaced as names are.
//!
//! ```text
//! john.smith42@mayo.edu → kevin.hughes87@lakepost.edu     https://www.mayo.edu/a/17 → https://www.briarlane.edu/u/52
//! ```

use super::casing::fold;
use super::ids;
use super::names::Names;
use super::permutation::Randomness;
use super::tables::Tables;

const FIRST_PARTS: [&str; 32] = [
    "alder", "amber", "aspen", "birch", "blue", "briar", "bright", "cedar", "clear", "copper", "crest", "elm", "fern",
    "garnet", "golden", "green", "harbor", "hazel", "iron", "lake", "laurel", "maple", "meadow", "north", "oak",
    "pine", "prairie", "river", "silver", "stone", "summit", "willow",
];
const SECOND_PARTS: [&str; 32] = [
    "bank", "bridge", "brook", "field", "ford", "gate", "grove", "haven", "hill", "hollow", "house", "lane", "light",
    "line", "link", "mail", "mark", "mill", "net", "path", "point", "port", "post", "ridge", "road", "shore", "side",
    "trail", "vale", "view", "way", "works",
];
/// What a web page is told by; everything else in a path is replaced.
const PAGES: &[&str] = &["asp", "aspx", "cgi", "htm", "html", "index", "jsp", "pdf", "php", "www"];

/// The addresses of one patient.
pub(super) struct Contacts<'a> {
    pub names: Names<'a>,
}

impl Contacts<'_> {
    /// An e-mail address; nothing where the text is none.
    pub(super) fn email(&self, value: &str) -> Option<String> {
        let (local, domain) = value.rsplit_once('@')?;
        if local.is_empty() || domain.is_empty() {
            return None;
        }
        let (scheme, local) = match local.get(..7) {
            Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => local.split_at(7),
            _ => ("", local),
        };
        Some(format!("{scheme}{}@{}", self.tokens(local), self.domain(domain)))
    }

    /// A web address.
    pub(super) fn url(&self, value: &str) -> String {
        let (scheme, rest) = match value.find("://") {
            Some(at) => value.split_at(at + 3),
            None => ("", value),
        };
        let host_end = rest.find(['/', '?', '#', ':']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(host_end);
        let (user, host) = match host.rsplit_once('@') {
            Some((user, host)) => (self.tokens(user) + "@", host),
            None => (String::new(), host),
        };
        let (www, host) = match host.get(..4) {
            Some(www) if www.eq_ignore_ascii_case("www.") => host.split_at(4),
            _ => ("", host),
        };
        format!("{scheme}{user}{www}{}{}", self.domain(host), self.tokens(path))
    }

    /// Another domain under the same top level.
    fn domain(&self, domain: &str) -> String {
        let folded = domain.to_lowercase();
        let labels: Vec<&str> = folded.split('.').collect();
        let kept = match labels.as_slice() {
            [_] => 0,
            [.., second, top]
                if labels.len() > 2
                    && top.len() == 2
                    && matches!(*second, "co" | "ac" | "org" | "gov" | "com" | "edu" | "nhs") =>
            {
                2
            }
            _ => 1,
        };
        let draw = self.randomness().draw("domain", folded.as_bytes());
        let (first, second) =
            (FIRST_PARTS[usize::from(draw.bytes()[0] & 31)], SECOND_PARTS[usize::from(draw.bytes()[1] & 31)]);
        let mut name = format!("{first}{second}");
        if labels.first().is_some_and(|label| *label == name) {
            name.push_str("online");
        }
        if folded.is_empty() {
            return name;
        }
        let top = &labels[labels.len() - kept..];
        let written = std::iter::once(name.as_str()).chain(top.iter().copied()).collect::<Vec<_>>().join(".");
        if domain.chars().any(char::is_lowercase) { written } else { written.to_uppercase() }
    }

    const fn randomness(&self) -> &Randomness {
        self.names.randomness
    }

    /// Words and numbers of an address, with what is between them.
    fn tokens(&self, text: &str) -> String {
        let mut written = String::with_capacity(text.len() + 8);
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let same = |character: char| {
                if first.is_ascii_digit() {
                    character.is_ascii_digit()
                } else if first.is_alphabetic() {
                    character.is_alphabetic()
                } else {
                    !character.is_ascii_digit() && !character.is_alphabetic()
                }
            };
            let (token, later) = rest.split_at(rest.find(|character| !same(character)).unwrap_or(rest.len()));
            rest = later;
            if first.is_ascii_digit() {
                written.push_str(&ids::replace_digits(self.randomness(), "number in an address", token));
            } else if first.is_alphabetic() {
                written.push_str(&self.word(token));
            } else {
                written
                    .extend(token.chars().map(|character| if character.is_alphanumeric() { '0' } else { character }));
            }
        }
        written
    }

    /// A word of an address: a name, an initial, or several run together.
    fn word(&self, token: &str) -> String {
        let folded = fold(token);
        if PAGES.contains(&folded.as_str()) {
            return token.to_owned();
        }
        let mut letters = token.chars();
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            return self.names.initial(letter).to_string();
        }
        let tables = Tables::shared();
        if tables.name(&folded).is_some() || !token.is_ascii() {
            return self.names.word(token);
        }
        // `jsmith`, `smithj`, `johnsmith`: the cut whose parts are known names or a single letter.
        let known = |part: &str| part.len() == 1 || (part.len() > 2 && tables.name(part).is_some());
        let cut = (1..folded.len().min(24)).find(|&at| {
            folded.len() == token.len()
                && folded.len() - at + at.min(1) > 2
                && known(&folded[..at])
                && known(&folded[at..])
        });
        match cut {
            Some(at) => [&token[..at], &token[at..]].map(|part| self.part(part)).concat(),
            None => self.names.word(token),
        }
    }

    fn part(&self, part: &str) -> String {
        match part.chars().next() {
            Some(letter) if part.len() == 1 => self.names.initial(letter).to_string(),
            _ => self.names.word(part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::names::exchange_letters;

    fn with<T>(seed: u8, test: impl FnOnce(Contacts<'_>) -> T) -> T {
        let randomness = Randomness::new([seed; 32]);
        let letters = exchange_letters(&randomness);
        test(Contacts { names: Names { randomness: &randomness, letters: &letters, remembered: &Default::default() } })
    }

    #[test]
    fn names_in_addresses_are_replaced_as_names() {
        with(6, |contacts| {
            let (john, smith) = (contacts.names.word("john"), contacts.names.word("smith"));
            let email = contacts.email("john.smith42@mayo.edu").unwrap();
            assert!(
                email.starts_with(&format!("{john}.{smith}")) && email.ends_with(".edu") && !email.contains("mayo"),
                "{email}"
            );
            let short = contacts.email("jsmith@example.co.uk").unwrap();
            assert!(
                short.starts_with(&format!("{}{smith}@", contacts.names.initial('j'))) && short.ends_with(".co.uk"),
                "{short}"
            );
            assert!(contacts.email("nobody").is_none());
        });
    }

    #[test]
    fn web_addresses_keep_their_form() {
        with(6, |contacts| {
            let url = contacts.url("https://www.mayoclinic.org/staff/smith-john/bio-20053?id=17.html");
            assert!(url.starts_with("https://www.") && url.contains(".org/") && url.ends_with(".html"), "{url}");
            assert!(!url.contains("smith") && !url.contains("20053") && !url.contains("mayo"));
            for value in ["facebook.com/jsmith", "WWW.MAYO.EDU", "x", "", "http://"] {
                assert_ne!(contacts.url(value), value);
            }
        });
    }
}
