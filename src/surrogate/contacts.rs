//! E-mail and web addresses: composed, with the names in them replaced as names are.
//!
//! ```text
//! john.smith42@mayo.edu → kevin.hughes87@lakepost.edu     https://www.mayo.edu/a/17 → https://www.briarlane.edu/u/52
//! http://10.1.2.3/chart → http://84.3.5.1/noral            https://emr.stmarys/     → https://lakepost.elmgate/
//! ```
//!
//! Of a host only a known top-level domain stays; one that is an Internet address becomes what the address becomes elsewhere.

use std::sync::LazyLock;

use super::casing::fold;
use super::ids::{self, Family};
use super::lists::{ByHash, key};
use super::names::Names;
use super::permutation::Randomness;
use super::tables::Tables;
use crate::lexicon::Lexicon;

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

/// Domains that stay; what else stands at the end of a host may name it.
const TOP_DOMAINS: &str = include_str!("data/top_domains.txt");
/// Second-level domains that stay before the domain of a country.
const SECOND_LEVEL: &[&str] = &["co", "ac", "org", "gov", "com", "edu", "nhs"];

/// A listed name is a commoner one and an initial where that one has more than this many times its bearers.
const TIMES_COMMONER: u32 = 2_000;

fn is_top_domain(label: &str) -> bool {
    static KNOWN: LazyLock<ByHash<()>> = LazyLock::new(|| {
        let lines = TOP_DOMAINS.lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(str::split_whitespace).map(|label| (key(label), ())).collect()
    });
    KNOWN.contains_key(&key(label))
}

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
        let (host, path) = rest.split_at(host_end(rest));
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

    /// Another domain under the same top level, or another Internet address.
    fn domain(&self, domain: &str) -> String {
        if let Some(address) = self.address(domain) {
            return address;
        }
        let folded = domain.to_lowercase();
        let labels: Vec<&str> = folded.split('.').collect();
        let name = self.label(&folded, labels.first().copied());
        let top = match labels.as_slice() {
            [_] => String::new(),
            [.., second, top] if labels.len() > 2 && top.len() == 2 && SECOND_LEVEL.contains(second) => {
                format!(".{second}.{}", self.top_domain(top))
            }
            [.., top] => format!(".{}", self.top_domain(top)),
            [] => String::new(),
        };
        let written = name + &top;
        let capitals = domain.chars().any(char::is_uppercase) && !domain.chars().any(char::is_lowercase);
        if capitals { written.to_uppercase() } else { written }
    }

    /// A known top-level domain, or nothing after a full stop at the end, as it is; else another label.
    fn top_domain(&self, label: &str) -> String {
        if label.is_empty() || is_top_domain(label) { label.to_owned() } else { self.label(label, Some(label)) }
    }

    /// A made-up label for what stands in a host, other than one that stands there.
    fn label(&self, key: &str, other_than: Option<&str>) -> String {
        let draw = self.randomness().draw("domain", key.as_bytes());
        let (first, second) =
            (FIRST_PARTS[usize::from(draw.bytes()[0] & 31)], SECOND_PARTS[usize::from(draw.bytes()[1] & 31)]);
        let mut name = format!("{first}{second}");
        if other_than == Some(name.as_str()) {
            name.push_str("online");
        }
        name
    }

    /// A host that is an Internet address, `10.1.2.3`, `[10.1.2.3]`, `[IPv6:fe80::1]`.
    fn address(&self, host: &str) -> Option<String> {
        let other = |address: &str| ids::replace(self.randomness(), Family::InternetAddress, address);
        if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            let (scheme, address) = match address.get(..5) {
                Some(scheme) if scheme.eq_ignore_ascii_case("ipv6:") => address.split_at(5),
                _ => ("", address),
            };
            return Some(format!("[{scheme}{}]", other(address)));
        }
        let numeric = host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        (numeric && host.bytes().any(|byte| byte.is_ascii_digit())).then(|| other(host))
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
        let initial_last = ends_in_initial(&folded);
        if tables.is_name(&folded) && !initial_last || !token.is_ascii() {
            return self.names.word(token);
        }
        // `jsmith`, `smithj`, `johnsmith`: the cut whose parts are known names or a single letter.
        let known = |part: &str| part.len() == 1 || (part.len() > 2 && tables.is_name(part));
        let first = if initial_last { folded.len() - 1 } else { 1 };
        let cut = (first..folded.len().min(24)).find(|&at| {
            folded.len() == token.len() && folded.len() > 2 && known(&folded[..at]) && known(&folded[at..])
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

/// Whether a common name ends one letter before: lists of names know `Smithj` too, from fields in which an initial was left.
fn ends_in_initial(folded: &str) -> bool {
    let Some((last, _)) = folded.char_indices().next_back() else { return false };
    let lexicon = Lexicon::shared();
    let bearers = |name: &str| {
        let entries = lexicon.surname(name).into_iter().chain(lexicon.given_name(name));
        entries.map(|entry| entry.count).max().unwrap_or(0)
    };
    folded.is_ascii() && bearers(&folded[..last]) / TIMES_COMMONER > bearers(folded)
}

/// Where the host of a web address without its scheme ends; colons in brackets are of an Internet address.
fn host_end(rest: &str) -> usize {
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (open, close) = (rest[..end].find('['), rest[..end].rfind(']'));
    let from = close.filter(|_| open.is_some()).unwrap_or(0);
    rest[from..end].find(':').map_or(end, |colon| from + colon)
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
            // The initial may come last.
            let last = contacts.email("smithj@mayo.edu").unwrap();
            assert!(last.starts_with(&format!("{smith}{}@", contacts.names.initial('j'))), "{last}");
            assert!(contacts.email("nobody").is_none());
        });
    }

    #[test]
    fn only_a_known_top_level_domain_stays() {
        with(6, |contacts| {
            for value in ["https://emr.stmarys/chart/12", "EMR.STMARYS", "stmarys.mayo.stmarys:8080/x"] {
                let url = contacts.url(value);
                assert!(!url.to_lowercase().contains("stmarys") && !url.contains("emr"), "{url}");
            }
            let email = contacts.email("john.smith@mail.stmarys").unwrap();
            assert!(!email.contains("stmarys") && email.matches('.').count() == 2, "{email}");
            for top in [".local", ".org", ".clinic", ".de"] {
                assert!(contacts.url(&format!("https://mayo{top}/x")).contains(&format!("{top}/")), "{top}");
            }
        });
    }

    #[test]
    fn a_host_that_is_an_internet_address_becomes_what_it_becomes_elsewhere() {
        with(6, |contacts| {
            let other = |address| ids::replace(contacts.randomness(), Family::InternetAddress, address);
            let (four, six) = (other("10.1.2.3"), other("fe80::1"));
            assert!(contacts.url("http://10.1.2.3/patient/7123456").starts_with(&format!("http://{four}/")));
            assert!(contacts.url("http://10.1.2.3:8080/x").starts_with(&format!("http://{four}:")));
            assert!(contacts.url("http://[fe80::1]:80/x").starts_with(&format!("http://[{six}]:")));
            assert!(contacts.email("j.smith@[10.1.2.3]").unwrap().ends_with(&format!("@[{four}]")));
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
