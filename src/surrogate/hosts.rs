//! Hosts of e-mail and web addresses: made-up ones, of which only a known top-level domain stays.
//!
//! ```text
//! mayo.edu → lakepost.edu     emr.stmarys → lakepost.elmgate     mayo.nhs.uk → lakepost.nhs.uk     [10.1.2.3] → [84.3.5.1]
//! ```

use std::sync::LazyLock;

use super::contacts::Contacts;
use super::ids::{self, Family};
use super::lists::{ByHash, key};

/// Parts of made-up labels.
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

/// Domains that stay; what else stands at the end of a host may name it.
const TOP_DOMAINS: &str = include_str!("data/top_domains.txt");
/// Second-level domains that stay before the domain of a country.
const SECOND_LEVEL: &[&str] = &["co", "ac", "org", "gov", "com", "edu", "nhs"];

/// Whether a label in small letters is a domain that stays.
pub(super) fn is_top_domain(label: &str) -> bool {
    static KNOWN: LazyLock<ByHash<()>> = LazyLock::new(|| {
        let lines = TOP_DOMAINS.lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(str::split_whitespace).map(|label| (key(label), ())).collect()
    });
    KNOWN.contains_key(&key(label))
}

impl Contacts<'_> {
    /// Another domain under the same top level, or another Internet address. Full stops at its end stay.
    pub(super) fn domain(&self, written: &str) -> String {
        let domain = written.trim_end_matches('.');
        let full_stops = &written[domain.len()..];
        self.another_domain(domain) + full_stops
    }

    fn another_domain(&self, domain: &str) -> String {
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
}
