//! Initials at the end of a note: `/jks`, `JS:md`, `D: KLM T: jr`, `-KL`.

use std::sync::LazyLock;

use regex::Regex;

use super::context::{is_listed, is_one_of};
use super::expression;
use super::findings::Findings;
use crate::phi::Label;

/// Longer lines end in words, not in initials alone.
const LONGEST_TAIL: usize = 48;

static INITIALS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:^|\s)((?-i:[A-Z]{2,4}))[:/]((?-i:[a-z]{2,4}))(?:[0-9/:-]*|\s*)$|(?:^|[\s.)])[-~]{1,2}((?-i:[A-Z]{2,3}))\.?\s*$|(?:^|\s|[.)])/{1,2}\s?((?-i:[a-z]{2,3}|[A-Z]{2,3}))/{0,2}\s*$|^\s*((?-i:[a-z]{2,3}))/((?-i:[a-z]{2,3}))\s*$",
    )
});

const NO_INITIALS: &str = "pt ot st rn md np pa ct us or er ed icu ve wnl nad na nka mri bp hr iv po im sob cp \
                           ros hpi pmh all hx dx tx rx fx and ok no yes od os ou prn bid tid qid qd ac pc hs am \
                           pm do dc fu cc mg ml kg hr min day wk mo yr dl gm meq mm cm ul she he her his op co ca \
                           ii iii vs ref abd ext gu gi cv heent neuro psych msk dnr full ad";

/// Adds initials that close a line.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    let bytes = sentence.as_bytes();
    let tail = bytes.len().saturating_sub(12);
    if !bytes[tail..].iter().any(|byte| matches!(byte, b'/' | b':' | b'-' | b'~')) {
        return;
    }
    let mut start = bytes.len().saturating_sub(LONGEST_TAIL);
    while !sentence.is_char_boundary(start) {
        start += 1;
    }
    let Some(captures) = INITIALS.captures(&sentence[start..]) else {
        return;
    };
    let parts: Vec<_> = captures.iter().skip(1).flatten().collect();
    if parts.iter().any(|part| is_listed(part.as_str(), NO_INITIALS))
        && !(parts.len() == 2 && parts[1].as_str() == "md")
    {
        return;
    }
    for part in parts.iter().filter(|part| !is_one_of(part.as_str(), &["md"])) {
        findings.add(start + part.start()..start + part.end(), Label::Doctor, 0.6);
    }
}
