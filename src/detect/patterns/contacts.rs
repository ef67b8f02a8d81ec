//! Addresses on the internet: `j.doe@site.org`, `https://…`, `portal.site.org/chart`, `10.0.4.17`, `fe80::1`.

use crate::detect::listed::listed;
use std::net::Ipv6Addr;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, word_before};
use super::cues::Cue;
use super::expression;
use super::findings::Findings;
use super::survey::{Chain, Survey};
use crate::phi::Label;

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?u:[\p{Latin}0-9][\p{Latin}\p{M}0-9._%+'-]*)\s?@\s?(?u:(?:[\p{Latin}0-9](?:[\p{Latin}\p{M}0-9-]*[\p{Latin}\p{M}0-9])?\.)+\p{Latin}{2,})",
    )
});
/// An address as it is said: `shoshana at gene-line dot example dot org`.
static SAID: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b[a-z0-9][a-z0-9_.-]*(?:\s(?:dot|underscore|dash|hyphen)\s[a-z0-9][a-z0-9_.-]*)*\sat\s[a-z0-9-]+(?:\sdot\s[a-z0-9-]+)*\sdot\s(?:com|org|net|edu|gov|mil)\b",
    )
});
/// The same with its full stops written: `email: shoshana.levi at example.org`.
static SAID_BEHIND_LABEL: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\be-?mail(?:s|ed)?(?:\s(?:address|is|at|to|her|him|them|me|us))*\s?[:=]?\s*([a-z0-9][a-z0-9_.-]*\s?[(\[]?at[)\]]?\s?(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|mil))\b",
    )
});
/// The same with `at` in brackets, which no text has otherwise: `m_abara (at) evergreen.example`.
static BRACKETED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b[a-z0-9][a-z0-9_.+-]*\s?[(\[{]\s?at\s?[)\]}]\s?(?:[a-z0-9-]+(?:\.|\s?[(\[{]\s?dot\s?[)\]}]\s?))+[a-z]{2,}\b",
    )
});
static URL: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r#"\b(?:(?:https?|ftp)://(?u:[^\s<>()"]|\([^\s<>()"]*\))+|www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/[a-z0-9_./?=&%#~+:@-]*)?|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|org|net|edu|gov|mil|info|io|health|care|biz|co\.uk|nhs\.uk|org\.uk|ac\.uk|us|ca|app|med|example)(?::[0-9]{2,5})?(?:/[a-z0-9_./?=&%#~+:@-]*)?)"#,
    )
});
static IPV6: LazyLock<Regex> = LazyLock::new(|| expression(r"[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}"));

/// Whether a full stop joins two letters or digits, or `://` stands somewhere, as in every address.
fn may_hold_address(bytes: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let joins = |at: usize| bytes[..at].last().is_some_and(is_part) && bytes.get(at + 1).is_some_and(is_part);
    memchr::memchr_iter(b'.', bytes).any(joins)
        || memchr::memchr_iter(b':', bytes).any(|at| bytes[at..].starts_with(b"://"))
}

/// Whether `at` stands in brackets.
fn may_be_bracketed(bytes: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, b"at").any(|at| {
        let before = bytes[..at].iter().rev().find(|byte| **byte != b' ');
        matches!(before, Some(b'(' | b'[' | b'{'))
    })
}

/// Whether two colons stand with nothing but up to four hexadecimal digits between them.
fn may_hold_groups(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b':', bytes).any(|at| {
        let rest = &bytes[at + 1..];
        let digits = rest.iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
        rest.get(digits) == Some(&b':')
    })
}

/// Adds e-mail addresses, URLs and IPv6 addresses.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.has_mark(b'@') {
        for found in EMAIL.find_iter(sentence) {
            findings.add(found.range(), Label::Email, 1.0);
        }
    }
    if survey.has(Cue::Web) && sentence.contains(" dot ") {
        for found in SAID.find_iter(sentence) {
            findings.add(found.range(), Label::Email, 0.95);
        }
    }
    if survey.has(Cue::Web) && memchr::memmem::find(sentence.as_bytes(), b"mail").is_some() {
        for said in SAID_BEHIND_LABEL.captures_iter(sentence).filter_map(|found| found.get(1)) {
            findings.add(said.range(), Label::Email, 0.95);
        }
    }
    if [b'(', b'[', b'{'].iter().any(|&mark| survey.has_mark(mark)) && may_be_bracketed(sentence.as_bytes()) {
        for found in BRACKETED.find_iter(sentence) {
            if !findings.covers(&found.range()) {
                findings.add(found.range(), Label::Email, 0.95);
            }
        }
    }
    if survey.has(Cue::Web) && may_hold_address(sentence.as_bytes()) {
        for found in URL.find_iter(sentence) {
            let end = found.start() + found.as_str().trim_end_matches(['.', ',', ';', ':', '?', '!', '\'']).len();
            if !findings.covers(&(found.start()..end)) && byte_at(sentence, end) != b'@' {
                findings.add(found.start()..end, Label::Url, 1.0);
            }
        }
    }
    if survey.colons >= 2 && may_hold_groups(sentence.as_bytes()) {
        for found in
            IPV6.find_iter(sentence).filter(|found| is_ipv6(sentence, found.as_str(), found.start(), found.end()))
        {
            findings.add(found.range(), Label::IpAddr, 0.95);
        }
    }
}

/// Clock times and `::` alone are no addresses: a hexadecimal letter or eight groups are asked for.
fn is_ipv6(sentence: &str, text: &str, start: usize, end: usize) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
        && text.len() > 5
        && (text.bytes().any(|byte| byte.is_ascii_alphabetic()) && text.bytes().any(|byte| byte.is_ascii_digit())
            || text.matches(':').count() == 7)
        && !byte_before(sentence, start).is_ascii_alphanumeric()
        && !byte_at(sentence, end).is_ascii_alphanumeric()
}

/// Four numbers up to 255 with dots between them; two such with a dash between them, or one with the bits of its network behind it.
pub(super) fn internet_protocol(sentence: &str, chain: &Chain, findings: &mut Findings) {
    match chain.separators() {
        b"..." => address(sentence, chain, false, findings),
        // The bits of its network tell what it is.
        b".../" => {
            let bits = &sentence[chain.numbers()[4].0..chain.end];
            address(
                sentence,
                &chain.part(0, 4),
                bits.parse::<u8>().is_ok_and(|bits| (8..=32).contains(&bits)),
                findings,
            );
        }
        b"...-..." => {
            [chain.part(0, 4), chain.part(4, 8)].iter().for_each(|part| address(sentence, part, false, findings))
        }
        _ => {}
    }
}

fn address(sentence: &str, chain: &Chain, is_told: bool, findings: &mut Findings) {
    if findings.covers(&chain.range()) {
        return;
    }
    let fits = chain
        .numbers()
        .iter()
        .all(|&(start, end)| sentence[start..end].parse::<u16>().is_ok_and(|number| number <= 255));
    let long = chain.end - chain.start >= 9;
    // Shorter ones are sections of documents as well, but hardly those that most private networks begin with (RFC 1918).
    let private = sentence[chain.start..].starts_with("10.0.");
    let before = word_before(sentence, chain.start);
    let version = listed!(
        before,
        "v ver version build rev software firmware release update patch section windows ios android macos os"
    );
    let told =
        || is_told || listed!(before, "ip address ipv host gateway router printer workstation server subnet from at");
    if fits && !version && (long || private || told()) {
        findings.add(chain.range(), Label::IpAddr, 0.95);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn short_addresses_are_told_by_the_bits_of_their_network() {
        for (sentence, address) in [("seen on 10.2.3.4/24", "10.2.3.4"), ("server 10.2.3.4 is down", "10.2.3.4")] {
            assert_eq!(found(sentence, &[Label::IpAddr]), [address], "{sentence}");
        }
        for sentence in ["see 10.2.3.4 of the manual", "ratio 1.2.3.4/5"] {
            assert_eq!(found(sentence, &[Label::IpAddr]), [] as [&str; 0], "{sentence}");
        }
    }
}
