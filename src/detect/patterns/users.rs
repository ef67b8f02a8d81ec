//! Sign-on codes of the staff: `User: jsmith2`, `entered by abc4512`, `Reviewed (JKL23)`, and initials after `verified`.
//!
//! A code has letters and digits; what only names a vaccine, a virus or a vertebra (`PCV13`, `HPV16`, `L45`) is none.

use crate::detect::listed::listed;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::Regex;

use super::anchored;
use super::context::{byte_at, byte_before, first_run, word_after};
use super::findings::Findings;
use super::identifiers::is_other_quantity;
use super::survey::{Hit, Survey};
use super::topics::Topics;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

static USER: LazyLock<Regex> = LazyLock::new(|| {
    anchored(r"(?:\s*(?:names?|ids?))?\s*(?:[:=#]|\bis\b)\s*(?:\x22)?([a-z][a-z0-9._\\-]{1,30}[a-z0-9])")
});
/// Without a colon only letters and digits together are a user id: `Login ID mgarza7`, `user 31QTB`.
static USER_CODE: LazyLock<Regex> = LazyLock::new(|| {
    anchored(r"(?:\s*(?:names?|ids?))?\s+([a-z]{2,12}[._-]?[a-z]{0,8}[0-9]{1,6}|(?-i:[0-9]{2,4}[A-Z]{2,4}))\b")
});
static SIGNER: LazyLock<Regex> = LazyLock::new(|| {
    anchored(
        r"(?:\s+by)?\s*[:(]?\s*([a-z]{1,8}[0-9]{2,7}|[a-z]{4,12}[0-9]|[a-z]{2,}[_][a-z0-9_]+|[0-9]{4,8}|[a-z][0-9]{3,7}|(?-i:[a-z]{2,4}/[a-z]{2,6}))\b",
    )
});
/// `(JKL23)` and `DKM88` at the end of what was signed.
static CLOSING_CODE: LazyLock<Regex> = LazyLock::new(|| {
    anchored(r"\s*(?:\((?-i:([A-Z]{2,4}[0-9]{2,5}))\)|:?\s+(?-i:([A-Z]{2,4}[0-9]{2,5})))\s*[.;]?\s*$")
});
static SIGNER_INITIALS: LazyLock<Regex> =
    LazyLock::new(|| anchored(r"(?:\s+by)?\s*[:/-]?\s*((?-i:[a-z]{2,3}|[A-Z]{2,3}))(?:[\s.,;)]|$)"));

/// Judges `user:`, `login`.
pub(super) fn user(sentence: &str, hit: Hit, findings: &mut Findings) {
    let rest = &sentence[hit.end..];
    let name = USER.captures(rest).or_else(|| USER_CODE.captures(rest)).and_then(|captures| captures.get(1));
    let Some(name) = name.or_else(|| bare_name(rest)) else { return };
    let range = hit.end + name.start()..hit.end + name.end();
    let word = name.as_str();
    let ordinary = listed!(word, "none unknown yes no former current never denies tobacco self system admin patient");
    if !ordinary && !findings.covers(&range) && byte_at(sentence, range.end) != b'@' {
        findings.add(range, Label::Username, 0.9);
    }
}

/// `login kdoyle from 10.0.0.4`: a word in small letters that is none.
fn bare_name(rest: &str) -> Option<regex::Match<'_>> {
    static NAME: LazyLock<Regex> =
        LazyLock::new(|| anchored(r"\s+((?-i:[a-z][a-z0-9]{3,14}(?:[._][a-z0-9]{2,10})?))(?:[\s,;)]|$)"));
    let name = NAME.captures(rest)?.get(1)?;
    let first = name.as_str().split(['.', '_']).next().unwrap_or_default();
    is_no_word(first).then_some(name)
}

/// Adds sign-on names that only their form tells: `bhalim02`, `tx_kdoyle`, `jkim4  08:09` at the head of a message.
pub(super) fn names(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in &survey.chains {
        let letters = sentence[..chain.start].bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        let start = chain.start - letters;
        let digits = chain.end - chain.start;
        let word = &sentence[start..chain.start];
        let small = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let capital = word.bytes().all(|byte| byte.is_ascii_uppercase());
        let apart = matches!(byte_before(sentence, start), b' ' | b'(' | b'/' | b'\n' | b'[' | b'\t' | b':' | b'>')
            && !matches!(byte_at(sentence, chain.end), b'@' | b'/' | b'-' | b'%' | b'.' if byte_at(sentence, chain.end + 1).is_ascii_alphanumeric())
            && !byte_at(sentence, chain.end).is_ascii_alphanumeric();
        if chain.count == 1
            && (1..=4).contains(&digits)
            && (small && (4..=14).contains(&letters) || capital && (5..=14).contains(&letters))
            && apart
            && is_no_word(word)
            && !(capital && (is_of_gene(sentence, chain.end) || is_taken(sentence, chain.end)))
            && !is_misread(word, &sentence[chain.start..chain.end])
            && !findings.covers(&(start..chain.end))
        {
            findings.add(start..chain.end, Label::Username, 0.6);
        }
    }
    if survey.colons > 0 {
        message_heads(sentence, survey, findings);
    }
    printed(sentence, findings);
    after_clock(sentence, survey, findings);
    after_role(sentence, survey, findings);
    typist(sentence, survey, findings);
}

/// `Printed by kdoyle for the front office`: a word in small letters that is none.
fn printed(sentence: &str, findings: &mut Findings) {
    static PRINTED: LazyLock<Finder> = LazyLock::new(|| Finder::new("rinted by "));
    for at in PRINTED.find_iter(sentence.as_bytes()).map(|at| at + "rinted by ".len()) {
        let name = first_run(&sentence[at..], |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'));
        let name = name.trim_end_matches('.');
        let range = at..at + name.len();
        let small = name.bytes().all(|byte| !byte.is_ascii_uppercase());
        if (5..=16).contains(&name.len()) && small && is_sign_on(name) && !findings.covers(&range) {
            findings.add(range, Label::Username, 0.8);
        }
    }
}

/// `AREDS2 bid`: whether a name in capitals is of what is taken.
fn is_taken(sentence: &str, end: usize) -> bool {
    listed!(word_after(sentence, end), "bid tid qid qd daily po qhs prn caps tabs softgels gummies")
}

/// `RN88TWADE`: a role, a number and somebody's name in one word.
fn after_role(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in survey.chains.iter().filter(|chain| chain.count == 1 && chain.end - chain.start <= 4) {
        let role = sentence[..chain.start].bytes().rev().take_while(u8::is_ascii_uppercase).count();
        let start = chain.start - role;
        let name = first_run(&sentence[chain.end..], u8::is_ascii_uppercase);
        let range = start..chain.end + name.len();
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let free = !inner(byte_before(sentence, start)) && !inner(byte_at(sentence, range.end));
        let surname = (0..=2)
            .filter_map(|initials| name.get(initials..))
            .any(|surname| surname.len() >= 3 && Lexicon::shared().word(surname).is(WordFlags::SURNAME));
        if (4..=14).contains(&name.len())
            && listed!(&sentence[start..chain.start], "rn lpn lvn np pa md do rt rrt rph cna ma crna")
            && free
            && surname
            && is_no_word(name)
            && !findings.covers(&range)
        {
            findings.add(range, Label::Username, 0.8);
        }
    }
}

/// `D: 3/11 T: 3/12 mt klb44`: who has typed what was dictated.
fn typist(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in survey.chains.iter().filter(|chain| chain.count == 1 && matches!(chain.end - chain.start, 2 | 3)) {
        let letters = sentence[..chain.start].bytes().rev().take_while(u8::is_ascii_lowercase).count();
        let range = chain.start - letters..chain.end;
        let head = sentence[..range.start].trim_end_matches([' ', ':', '/']);
        let mut words = head.rsplit(|c: char| !c.is_ascii_alphabetic());
        let typed = head.len() < range.start
            && words.next().is_some_and(|word| listed!(word, "mt tr trans typist"))
            && words.any(|word| listed!(word, "d t dd dt job dictated transcribed dictation"));
        if (2..=4).contains(&letters)
            && typed
            && !byte_at(sentence, chain.end).is_ascii_alphanumeric()
            && !is_known_code(&sentence[range.clone()])
            && !findings.covers(&range)
        {
            findings.add(range, Label::Username, 0.7);
        }
    }
}

/// Whether a sentence tells of genes, mutations or supplements where a name in capitals ends in a digit or two, as genes are written.
fn is_of_gene(sentence: &str, end: usize) -> bool {
    const GENES: &str = "mutation mutations mutated gene genes variant variants deletion deletions duplication deficient deficiency loss \
                         amplification fusion expression positive negative pathogenic carrier heterozygous homozygous wildtype ihc staining \
                         stain allele alleles vus germline somatic exon vitamin vitamins supplement formula trial study protocol cohort \
                         iol iols lens lenses";
    let digits = sentence[..end].bytes().rev().take_while(u8::is_ascii_digit).count();
    digits <= 2 && sentence.split(|c: char| !c.is_alphabetic()).any(|word| listed!(word, GENES))
}

/// `acknowledged 1122 HUYNHTR`: behind a clock time, a surname with an initial or two, in capitals.
fn after_clock(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in &survey.chains {
        let clock = matches!(chain.end - chain.start, 4 | 5) && matches!(chain.separators(), b"" | b":");
        let start = chain.end + 1;
        let length = sentence.get(start..).map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_uppercase).count());
        if !clock || byte_at(sentence, chain.end) != b' ' || !(6..=14).contains(&length) {
            continue;
        }
        let word = &sentence[start..start + length];
        let named = (1..=2).any(|initials| {
            let surname = Lexicon::shared().word(&word[..length - initials]);
            surname.is(WordFlags::SURNAME) && !surname.is(WordFlags::ENGLISH)
        });
        let free = !byte_at(sentence, start + length).is_ascii_alphanumeric();
        let range = start..start + length;
        let new = is_no_word(word) && !Lexicon::shared().word(word).is(WordFlags::SURNAME);
        if named && free && new && !findings.covers(&range) {
            findings.add(range, Label::Username, 0.6);
        }
    }
}

/// Adds sign-on names in sentences that may have neither a digit nor a cue: `tx_kdoyle`, `KD RN kdoyle`.
pub(super) fn bare(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.has_mark(b'_') {
        underscored(sentence, findings);
    }
    if survey.wide_blank || survey.topics.has(Topics::OPERATORS) {
        signed_in(sentence, findings);
    }
    after_credential(sentence, survey, findings);
}

/// `PA-C kdoyle`, `KD RN kdoyle`: a word of no language that closes a line after a credential.
fn after_credential(sentence: &str, survey: &Survey, findings: &mut Findings) {
    const CREDENTIALS: &str = "rn lpn lvn cna md do np pa pa-c fnp dnp aprn crna rrt rt pt dpt ot otr slp lcsw lmsw msw rd \
                               pharmd rph ma cma emt rdms phd psyd dds dmd cnm cnp ccc-slp ot/l otr/l acnp";
    for (start, line) in survey.lines(sentence) {
        let text = line.trim_end();
        let letters = text.bytes().rev().take(16).take_while(u8::is_ascii_lowercase).count();
        if (5..=14).contains(&letters) && text.len() > letters + 2 {
            let (head, word) = text.split_at(text.len() - letters);
            let lead = head.trim_end_matches(' ').rsplit([' ', ',']).next().unwrap_or_default();
            let range = start + head.len()..start + text.len();
            if head.ends_with(' ')
                && lead.starts_with(|c: char| c.is_ascii_uppercase())
                && listed!(lead, CREDENTIALS)
                && is_sign_on(word)
                && !findings.covers(&range)
            {
                findings.add(range, Label::Username, 0.7);
            }
        }
    }
}

/// Whether letters are unknown to every list, or an initial with a surname that is no word.
fn is_sign_on(word: &str) -> bool {
    Lexicon::shared().word(word).flags.is_empty() && is_no_word(word)
        || word.len() > 5 && is_no_word(word) && Lexicon::shared().word(&word[1..]).is(WordFlags::SURNAME)
}

/// Whether letters are neither a word, a name of an organization nor an abbreviation, so that they can be a sign-on name.
pub(super) fn is_no_word(letters: &str) -> bool {
    let known = WordFlags::ABBREVIATION.union(WordFlags::MEDICAL).union(WordFlags::DRUG).union(WordFlags::ENGLISH);
    !Lexicon::shared().word(letters).is_any(known)
        && !listed!(letters, "covid folfox mfolfox xeloda hemob phgb fvcpred")
}

/// `refi11`, `tria1`: an ordinary or medical word of which a scanner has read the last letters as digits.
fn is_misread(letters: &str, digits: &str) -> bool {
    let read = |byte: u8| {
        matches!(byte, b'0' | b'1' | b'5').then_some(if byte == b'0' {
            'o'
        } else if byte == b'1' {
            'l'
        } else {
            's'
        })
    };
    let Some(end) = digits.bytes().map(read).collect::<Option<String>>() else { return false };
    let word = format!("{letters}{end}");
    let info = Lexicon::shared().word(&word);
    info.is_any(WordFlags::MEDICAL.union(WordFlags::DRUG)) || info.english_size().is_some_and(|size| size <= 50)
}

/// `Kay Doyle, RN   kdoyle`: an initial and a surname in small letters, in a column of its own or after `op`.
fn signed_in(sentence: &str, findings: &mut Findings) {
    static WIDE: LazyLock<Finder> = LazyLock::new(|| Finder::new("  "));
    static OPERATOR: LazyLock<Finder> = LazyLock::new(|| Finder::new(" op "));
    let bytes = sentence.as_bytes();
    for at in WIDE.find_iter(bytes).map(|at| at + 2).chain(OPERATOR.find_iter(bytes).map(|at| at + 4)) {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let ends = matches!(byte_at(sentence, at + length), b' ' | b'\n' | b')' | b'\t');
        if !(5..=12).contains(&length) || !ends || byte_before(sentence, at) != b' ' {
            continue;
        }
        let word = &sentence[at..at + length];
        let surname = Lexicon::shared().word(&word[1..]);
        let new = Lexicon::shared().word(word).flags.is_empty();
        if new
            && surname.is(WordFlags::SURNAME)
            && !surname.is(WordFlags::ENGLISH)
            && !findings.covers(&(at..at + length))
        {
            findings.add(at..at + length, Label::Username, 0.6);
        }
    }
}

/// `tx_kdoyle`: letters on both sides of a low line.
fn underscored(sentence: &str, findings: &mut Findings) {
    for token in sentence.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let at = super::context::offset_in(sentence, token);
        let fits = (5..=20).contains(&token.len())
            && token.split_once('_').is_some_and(|(left, right)| {
                let shouted = token.bytes().all(|byte| !byte.is_ascii_lowercase());
                let small = token.bytes().all(|byte| !byte.is_ascii_uppercase());
                // `NM_000059` is a sequence of a gene.
                left.len() >= 2
                    && !(matches!(left, "NM" | "NP" | "NC" | "NR" | "NG" | "XM" | "XP")
                        && right.bytes().all(|byte| byte.is_ascii_digit()))
                    && right.len() >= 3
                    && (small || shouted)
                    && left.bytes().all(|byte| byte.is_ascii_alphabetic())
                    && right.bytes().all(|byte| byte.is_ascii_alphanumeric())
                    && (is_no_word(right) || Lexicon::shared().word(right).is(WordFlags::SURNAME) && small)
            });
        if fits && !findings.covers(&(at..at + token.len())) && !is_key(sentence, &(at..at + token.len())) {
            findings.add(at..at + token.len(), Label::Username, 0.6);
        }
    }
}

/// `heart_rate: 88`, `"birth_day":`: what programs call a field, all its words ordinary ones.
pub(in crate::detect) fn is_key(sentence: &str, range: &Range<usize>) -> bool {
    let (words, rest) = (&sentence[range.clone()], sentence[range.end..].trim_start_matches(['"', '\'', ' ']));
    words.contains('_')
        && rest.starts_with([':', '='])
        && words
            .split('_')
            .all(|word| Lexicon::shared().word(word).is_any(WordFlags::ENGLISH.union(WordFlags::MEDICAL)))
}

/// `kdoyle  08:31` alone on a line: who wrote a message, and when.
fn message_heads(sentence: &str, survey: &Survey, findings: &mut Findings) {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        anchored(r"\s*((?-i:[a-z][a-z0-9._]{3,15}))\s+(?:[0-9/]{3,10}\s+)?[0-2]?[0-9]:[0-5][0-9](?:\s?[ap]m)?\s*$")
    });
    for (start, line) in survey.lines(sentence) {
        let gate =
            line.len() <= 40 && line.as_bytes().last().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'm');
        if gate && let Some(name) = HEAD.captures(line).and_then(|captures| captures.get(1)) {
            let range = start + name.start()..start + name.end();
            if is_no_word(name.as_str().trim_end_matches(|c: char| c.is_ascii_digit())) && !findings.covers(&range) {
                findings.add(range, Label::Username, 0.8);
            }
        }
    }
}

/// How far after a word its code is looked for, in bytes.
const LONGEST_CODE: usize = 40;
/// What signs a note and nothing else, so that a colon is enough: `Operator: wjones4`.
const SIGNATURES: &str = "signed esigned entered verified authenticated transcribed dictated typed edited modified \
                          resulted cosigned attested transcriptionist operator technologist tech scribe author \
                          initials signature addended filed";

/// Whether the letters of a code are a medical abbreviation: `HPV16`, `PCV13`.
fn is_known_code(code: &str) -> bool {
    let letters = code.trim_end_matches(|c: char| c.is_ascii_digit());
    let abbreviation = WordFlags::ABBREVIATION.union(WordFlags::MEDICAL).union(WordFlags::DRUG);
    letters.len() < 2
        || Lexicon::shared().word(letters).is_any(abbreviation)
        || listed!(letters, "pcv ppsv hpv tkr tha")
}

/// Judges `signed by xyz123`, `verified tp`.
pub(super) fn sign_off(sentence: &str, hit: Hit, findings: &mut Findings) {
    let rest = &sentence[hit.end..];
    // A look at the next bytes is cheaper than an expression: every code has a digit, a slash or a low line.
    let coded = rest.bytes().take(LONGEST_CODE).any(|byte| byte.is_ascii_digit() || matches!(byte, b'/' | b'_'));
    if coded && let Some(code) = SIGNER.captures(rest).and_then(|captures| captures.get(1)) {
        let range = hit.end + code.start()..hit.end + code.end();
        let by = rest.trim_start().get(..2).is_some_and(|word| word.eq_ignore_ascii_case("by"));
        let mixed = !code.as_str().bytes().all(|byte| byte.is_ascii_digit());
        let cue = &sentence[hit.start..hit.end];
        // `by dk4471` says no more than that somebody did it, so that the code must look like a name with a number.
        let by = by
            || listed!(cue, "by edited")
                && code.as_str().bytes().take_while(u8::is_ascii_lowercase).count() >= 2
                && code.as_str().bytes().filter(u8::is_ascii_digit).count() >= 2
                && !code.as_str().contains('/')
                && !is_known_code(code.as_str());
        let colon = mixed && rest[..code.start()].contains(':') && listed!(cue, SIGNATURES);
        let closing = mixed
            && CLOSING_CODE.is_match(rest)
            && (listed!(cue, SIGNATURES) || rest.trim_start().starts_with('('))
            && !is_known_code(code.as_str());
        let roles = code.as_str().split('/').any(|part| listed!(part, "md np pa rn do and or pt"));
        let amount = listed!(word_after(sentence, range.end), "mg ml units cc mcg hours");
        if (by || colon || closing)
            && !(roles && code.as_str().contains('/'))
            && !findings.covers(&range)
            && !amount
            && (mixed || !is_other_quantity(sentence, range.start, range.end, false))
        {
            findings.add(range, Label::Username, 0.85);
        }
        return;
    }
    let verified = listed!(
        &sentence[hit.start..hit.end],
        "verified typed transcribed dictated reviewed entered signed edited scribed",
    );
    if !verified {
        return;
    }
    let Some(initials) = SIGNER_INITIALS.captures(rest).and_then(|captures| captures.get(1)) else {
        return;
    };
    const NO_INITIALS: &str = "by in on at to as and the for out off of up no yes but it pt rn md np pa do ct mri \
                               us all or is was w lab labs med meds ekg ecg old er ed icu or via per her his him \
                               she he an who not use via my our xr we so if new two be id iv po dob mrn ssn";
    let range = hit.end + initials.start()..hit.end + initials.end();
    let colon =
        rest[..initials.start()].contains(':') && initials.as_str().bytes().all(|byte| byte.is_ascii_lowercase());
    let last = colon || sentence[range.end..].trim().trim_end_matches('.').len() <= 12;
    if last && !listed!(initials.as_str(), NO_INITIALS) && !findings.covers(&range) {
        findings.add(range, Label::Doctor, 0.7);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn users(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Username])
    }

    #[test]
    fn roles_and_typists() {
        assert_eq!(users("limit was overridden by RN88TWADE at 19:06"), ["RN88TWADE"]);
        assert_eq!(users("D: 03/11/2026 T: 03/12/2026 mt klb44"), ["klb44"]);
        assert_eq!(users("dd: 4/2 dt: 4/3 mt/klb44"), ["klb44"]);
    }

    #[test]
    fn codes_that_sign_nothing() {
        for sentence in ["AREDS2 bid; smoker?", "DO20UNITS now", "PA40MMHG", "mt klb44", "D: 3/11 mt hpv16"] {
            assert_eq!(users(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
