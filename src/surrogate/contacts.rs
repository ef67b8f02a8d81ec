//! E-mail and web addresses: composed, with the names in them replaced as names are.
//!
//! ```text
//! john.smith42@mayo.edu → kevin.hughes87@lakepost.edu     https://www.mayo.edu/a/17 → https://www.briarlane.edu/u/52
//! http://10.1.2.3/chart → http://84.3.5.1/noral            https://emr.stmarys/     → https://lakepost.elmgate/
//! ```
//!
//! What stands around an address stays: `<john.smith@mayo.edu>`, `a@b.org; c@d.org`, `[www.mayo.edu]`, `John%20Smith`.
//!
//! Of a host only a known top-level domain stays; one that is an Internet address becomes what the address becomes elsewhere.

use super::casing::fold;
use super::hosts::is_top_domain;
use super::ids;
use super::names::Names;
use super::permutation::Randomness;
use super::tables::Tables;
use crate::lexicon::Lexicon;

/// What a web page is told by; everything else in a path is replaced.
const PAGES: &[&str] = &["asp", "aspx", "cgi", "htm", "html", "index", "jsp", "pdf", "php", "www"];

/// What parts addresses from each other and from the names of their owners.
const PARTING: [char; 12] = [' ', '\t', '\n', '\r', ',', ';', '|', '<', '>', '(', ')', '"'];

/// What a link to an e-mail address begins with.
const MAIL_LINK: &str = "mailto:";

/// A listed name is a commoner one and an initial where that one has more than this many times its bearers.
const TIMES_COMMONER: u32 = 2_000;

/// The addresses of one patient.
pub(super) struct Contacts<'a> {
    pub names: Names<'a>,
}

impl Contacts<'_> {
    /// E-mail addresses, with what stands before, between and behind them; nothing where there is none.
    pub(super) fn email(&self, value: &str) -> Option<String> {
        let mut found = false;
        let written = self.in_pieces(value, |piece| {
            let email = self.one_email(piece);
            found |= email.is_some();
            email
        });
        found.then_some(written)
    }

    /// A value with each piece written anew; what is no address changes word by word.
    fn in_pieces(&self, value: &str, mut address: impl FnMut(&str) -> Option<String>) -> String {
        let mut written = String::with_capacity(value.len() + 8);
        for piece in value.split_inclusive(PARTING) {
            let (text, mark) = piece.split_at(piece.trim_end_matches(PARTING).len());
            let other = match text {
                "" => None,
                link if link.eq_ignore_ascii_case(MAIL_LINK) => Some(link.to_owned()),
                _ => address(text),
            };
            written.push_str(&other.unwrap_or_else(|| self.tokens(text)));
            written.push_str(mark);
        }
        written
    }

    /// An address that nothing stands before but marks and `mailto:`; what a domain cannot hold may follow.
    fn one_email(&self, text: &str) -> Option<String> {
        let open = text.find(|character: char| character.is_alphanumeric() || character == '@')?;
        let (marks, text) = text.split_at(open);
        let mark = text.find('@')?;
        let inside = |character: char| character.is_alphanumeric() || ".-_@".contains(character);
        let domain = &text[mark..];
        // `j.smith@[10.1.2.3]`
        let literal = if domain.starts_with("@[") { domain.find(']').map(|close| close + 1) } else { None };
        let end = literal.or_else(|| domain.find(|character| !inside(character))).unwrap_or(domain.len());
        let (address, rest) = text.split_at(mark + end);
        let (local, domain) = address.rsplit_once('@')?;
        if local.is_empty() || domain.is_empty() {
            return None;
        }
        let (scheme, local) = if is_mail_link(local) { local.split_at(MAIL_LINK.len()) } else { ("", local) };
        let rest = self.one_email(rest).unwrap_or_else(|| self.tokens(rest));
        Some(format!("{marks}{scheme}{}@{}{rest}", self.tokens(local), self.domain(domain)))
    }

    /// Web addresses, with what stands before, between and behind them. Where no piece of a value is one for sure, those with a full
    /// stop inside are taken for some, or all.
    pub(super) fn url(&self, value: &str) -> String {
        let pieces = || value.split(PARTING).filter(|piece| !piece.is_empty());
        let is_address: fn(&str) -> bool = if pieces().any(is_web_address) {
            is_web_address
        } else if pieces().any(has_labels) {
            has_labels
        } else {
            |_| true
        };
        match pieces().next() {
            Some(_) => self.in_pieces(value, |piece| is_address(piece).then(|| self.one_url(piece))),
            None => self.one_url(value),
        }
    }

    fn one_url(&self, value: &str) -> String {
        if is_mail_link(trimmed(value))
            && let Some(email) = self.one_email(value)
        {
            return email;
        }
        let (scheme, rest) = match value.find("://") {
            Some(at) => value.split_at(at + 3),
            None => ("", value),
        };
        let (before, scheme) = scheme.split_at(scheme_start(scheme));
        let (open, rest) = rest.split_at(opened_end(rest));
        let (rest, close) = rest.split_at(closed_end(rest));
        let (host, path) = rest.split_at(host_end(rest));
        let (user, host) = match host.rsplit_once('@') {
            Some((user, host)) => (self.tokens(user) + "@", host),
            None => (String::new(), host),
        };
        let (www, host) = match host.get(..4) {
            Some(www) if www.eq_ignore_ascii_case("www.") => host.split_at(4),
            _ => ("", host),
        };
        let (before, path) = (self.tokens(before), self.tokens(path));
        format!("{before}{scheme}{open}{user}{www}{}{path}{close}", self.domain(host))
    }

    pub(super) const fn randomness(&self) -> &Randomness {
        self.names.randomness
    }

    /// Words and numbers of an address, with what is between them. Percent escapes of marks stay; those of letters and digits are read.
    fn tokens(&self, text: &str) -> String {
        if !text.contains('%') {
            return self.plain_tokens(text);
        }
        let mut written = String::with_capacity(text.len() + 8);
        let mut word = Escaped::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let escape = escaped(rest);
            let (character, length) = escape.unwrap_or((first, first.len_utf8()));
            let (read, later) = rest.split_at(length);
            rest = later;
            if escape.is_some() && !character.is_alphanumeric() {
                written.push_str(&std::mem::take(&mut word).write(self));
                written.push_str(read);
            } else {
                word.escaped |= escape.is_some();
                word.text.push(character);
            }
        }
        written.push_str(&word.write(self));
        written
    }

    fn plain_tokens(&self, text: &str) -> String {
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

/// Words of an address whose percent escapes were read.
#[derive(Default)]
struct Escaped {
    text: String,
    /// Whether any letter was escaped.
    escaped: bool,
}

impl Escaped {
    /// Their surrogate; letters outside ASCII are escaped again.
    fn write(self, contacts: &Contacts) -> String {
        let tokens = contacts.plain_tokens(&self.text);
        if !self.escaped || tokens.is_ascii() {
            return tokens;
        }
        let mut written = String::with_capacity(tokens.len() * 3);
        for character in tokens.chars() {
            if character.is_ascii() {
                written.push(character);
                continue;
            }
            written.extend(character.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")));
        }
        written
    }
}

/// The character that a text begins with in percent escapes, of UTF-8 or else of Latin-1, and the bytes that it takes.
fn escaped(text: &str) -> Option<(char, usize)> {
    let escapes = text.as_bytes().as_chunks::<3>().0.iter().take(4);
    let bytes: Vec<u8> = escapes.map_while(|escape| of_escape(*escape)).collect();
    let read = |length: &usize| {
        let mut characters = std::str::from_utf8(bytes.get(..*length)?).ok()?.chars();
        characters.next().filter(|_| characters.next().is_none()).map(|character| (character, 3 * length))
    };
    let utf_8 = [1, 2, 3, 4].iter().find_map(read);
    utf_8.or_else(|| bytes.first().map(|byte| (char::from(*byte), 3)))
}

fn of_escape([mark, high, low]: [u8; 3]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    (mark == b'%').then_some(digit(high)? << 4 | digit(low)?)
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

/// Where a scheme with its `://` begins in a text that ends in it.
fn scheme_start(text: &str) -> usize {
    let name = text.strip_suffix("://").unwrap_or(text);
    let is_of_one = |character: char| character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.');
    name.trim_end_matches(is_of_one).len()
}

/// Whether a text begins as a link to an e-mail address does: `mailto:john.smith@mayo.edu`.
fn is_mail_link(text: &str) -> bool {
    text.get(..MAIL_LINK.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(MAIL_LINK))
}

/// Whether a piece of a value is a web address for sure: it has a scheme, or its host begins with `www` or ends in a known domain.
fn is_web_address(piece: &str) -> bool {
    let bare = trimmed(piece);
    let www = bare.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    let host = trimmed(bare.split(['/', '?', '#', ':']).next().unwrap_or_default());
    let ends_so = host.rsplit_once('.').is_some_and(|(_, top)| is_top_domain(&top.to_lowercase()));
    www || ends_so || is_mail_link(bare) || piece.contains("://")
}

/// Whether a piece of a value may be one, for a full stop parts its words.
fn has_labels(piece: &str) -> bool {
    trimmed(piece).contains('.')
}

/// A text without the marks around it.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|mark: char| !mark.is_alphanumeric())
}

/// Where a web address begins behind what opens around it: `[www.mayo.edu]`. The brackets of an Internet address are its own.
fn opened_end(rest: &str) -> usize {
    let opens = |mark: char| matches!(mark, '(' | '<' | '{' | '[' | '"' | '\'' | '“' | '‘');
    let is_own = |at: usize| rest.get(at..).is_some_and(begins_with_address);
    rest.char_indices().find(|&(at, mark)| !opens(mark) || is_own(at)).map_or(rest.len(), |(at, _)| at)
}

/// Whether a text begins with an Internet address in brackets: `[fe80::1]:80`.
fn begins_with_address(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|text| text.split_once(']')).map_or("", |(inside, _)| inside);
    let address = match inside.get(..5) {
        Some(scheme) if scheme.eq_ignore_ascii_case("ipv6:") => inside.get(5..).unwrap_or_default(),
        _ => inside.split('%').next().unwrap_or_default(),
    };
    address.parse::<std::net::IpAddr>().is_ok()
}

/// Where a web address ends that quotation marks, brackets or the end of a sentence may close; a bracket that is opened in it is its
/// own.
fn closed_end(rest: &str) -> usize {
    let own = rest.contains('[');
    let closes = |mark: char| {
        matches!(mark, ')' | '>' | '}' | '"' | '\'' | '”' | '’' | ',' | ';' | '.' | '!') || mark == ']' && !own
    };
    rest.trim_end_matches(closes).len()
}

/// Where the host of a web address without its scheme ends, behind the name of a user; colons in brackets are of an Internet address.
fn host_end(rest: &str) -> usize {
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let user = rest[..end].rfind('@').map_or(0, |at| at + 1);
    let host = &rest[user..end];
    let in_brackets = if host.starts_with('[') { host.find(']').map(|close| close + 1) } else { None };
    // `[mayo.edu]/chart`: no bracket but those of an Internet address is part of a host.
    let is_end = |&(at, mark): &(usize, char)| matches!(mark, ':' | ']') || mark == '[' && at > 0;
    in_brackets.or_else(|| host.char_indices().find(is_end).map(|(at, _)| at)).map_or(end, |length| user + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::ids::Family;
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
    fn what_stands_around_an_address_stays_and_changes_nothing() {
        with(6, |contacts| {
            let email = |value: &str| contacts.email(value).unwrap();
            let (one, other) = (email("john.smith@mayo.edu"), email("c@d.org"));
            let names = [contacts.names.word("John"), contacts.names.word("Smith")].join(" ");
            for (value, image) in [
                ("<john.smith@mayo.edu>", format!("<{one}>")),
                ("mailto:john.smith@mayo.edu", format!("mailto:{one}")),
                ("<mailto:john.smith@mayo.edu>", format!("<mailto:{one}>")),
                ("John Smith <john.smith@mayo.edu>", format!("{names} <{one}>")),
                ("john.smith@mayo.edu;c@d.org", format!("{one};{other}")),
                ("john.smith@mayo.edu, c@d.org", format!("{one}, {other}")),
                ("john.smith@mayo.edu/c@d.org", format!("{one}/{other}")),
                ("john.smith@mayo.edu.", format!("{one}.")),
                ("[john.smith@mayo.edu]", format!("[{one}]")),
                ("[mailto:john.smith@mayo.edu];{c@d.org}", format!("[mailto:{one}];{{{other}}}")),
                ("'john.smith@mayo.edu'", format!("'{one}'")),
                ("[[c@d.org],", format!("[[{other}],")),
            ] {
                assert_eq!(email(value), image, "{value}");
            }
            assert!(contacts.email("@mayo.edu").is_none() && contacts.email("john@").is_none());
            assert_eq!(email("mailto: john.smith@mayo.edu"), format!("mailto: {one}"));
            assert_eq!(email("MAILTO:c@d.org"), format!("MAILTO:{other}"));
            // So it is where a link is taken for a web address.
            assert_eq!(contacts.url("mailto:john.smith@mayo.edu"), format!("mailto:{one}"));
            let site = contacts.url("www.mayo.edu");
            assert_eq!(contacts.url("www.mayo.edu, <mailto:c@d.org>"), format!("{site}, <mailto:{other}>"));
        });
    }

    #[test]
    fn percent_escapes_stay_and_hide_no_letters() {
        with(6, |contacts| {
            let (john, smith) = (contacts.names.word("John"), contacts.names.word("Smith"));
            let url = |query: &str| contacts.url(&format!("https://mayo.edu/?{query}"));
            let plain = url("John&Smith");
            assert!(plain.ends_with(&format!("?{john}&{smith}")), "{plain}");
            for mark in ["%20", "%2C%20", "%2f", "%26"] {
                assert_eq!(url(&format!("John{mark}Smith")), plain.replace('&', mark));
            }
            assert_eq!(url("%4a%6F%68%6E&Smith"), plain);
            assert_eq!(url("Jos%C3%A9"), url("José"));
            assert_eq!(url("Jos%E9"), url("José"));
            let foreign = url("%D0%98%D0%B2%D0%B0%D0%BD");
            assert!(foreign.is_ascii() && foreign.contains("%D0%") && !foreign.contains("%D0%98"), "{foreign}");
            assert!(!url("12%").contains("12"));
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
    fn what_stands_around_a_web_address_is_none_of_it() {
        with(6, |contacts| {
            let (url, john) = (contacts.url("https://mayo.edu"), contacts.names.word("John"));
            for (value, image) in [
                ("<https://mayo.edu>", format!("<{url}>")),
                ("[https://mayo.edu];", format!("[{url}];")),
                ("John (https://mayo.edu)", format!("{john} ({url})")),
            ] {
                assert_eq!(contacts.url(value), image);
            }
            let (www, bare, page) =
                (contacts.url("www.mayo.edu"), contacts.url("mayo.edu"), contacts.url("https://mayo.edu/a"));
            assert_eq!((&www[4..], &url[8..]), (bare.as_str(), bare.as_str()));
            for (value, image) in [
                ("[www.mayo.edu]", format!("[{www}]")),
                ("<https://mayo.edu/a>", format!("<{page}>")),
                ("(mayo.edu)", format!("({bare})")),
                ("\"mayo.edu\"", format!("\"{bare}\"")),
                ("'mayo.edu'.", format!("'{bare}'.")),
                ("[[www.mayo.edu]].", format!("[[{www}]].")),
                ("{www.mayo.edu}", format!("{{{www}}}")),
                ("“mayo.edu”", format!("“{bare}”")),
                ("www.mayo.edu.", format!("{www}.")),
                ("www.mayo.edu, mayo.edu", format!("{www}, {bare}")),
                ("www.mayo.edu; <https://mayo.edu/a>", format!("{www}; <{page}>")),
                ("John: www.mayo.edu", format!("{john}: {www}")),
                ("www.mayo.edu (John)", format!("{www} ({john})")),
                ("[mayo.edu]/a", format!("[{bare}]{}", &page["https://".len() + bare.len()..])),
                ("[www.mayo.edu]:", format!("[{www}]:")),
            ] {
                assert_eq!(contacts.url(value), image, "{value}");
            }
            // Brackets that are opened in an address, and those of an Internet address, are its own.
            for (value, end) in [("mayo.edu/a[1]", "]"), ("[fe80::1]:80", ""), ("[[fe80::1]:80]", "]")] {
                let image = contacts.url(value);
                let marks = |text: &str| text.matches(['[', ']']).collect::<String>();
                assert!(marks(&image) == marks(value) && image.ends_with(end) && image != value, "{value} {image}");
            }
            let (address, user) = (contacts.url("[fe80::1]"), contacts.url("https://john:x@mayo.edu/a"));
            assert_eq!(contacts.url("[[fe80::1]]"), format!("[{address}]"));
            assert!(user.ends_with(&page[8..]), "{user} {page}");
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
