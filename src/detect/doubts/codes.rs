//! Codes that everybody shares, against models' claims on them.
//!
//! ```text
//! RxBIN [610455] · CPT [99497] · pacer model [5076]    what a word before says
//! [99214] + 90833 · [97162] x1 · [H0015 / 90853]       procedures beside one another, or counted
//! Dx H40.[1133] · [c.5266dupC] · [DD-214]              a diagnosis, a variant of a gene, a form
//! ```

use super::context::{joined, last_word};
use crate::detect::listed::listed;
use crate::detect::patterns::shared_codes;
use crate::phi::Span;

/// How many bytes before a figure may say what it is.
const REACH: usize = 24;
/// What joins codes: `99214 + 90833`, `D8080, D8670`.
const JOINTS: &[char] = &[' ', ',', ';', '/', '+', '&'];

/// `(0018,0087)`: the tag of an element of an image's header (DICOM).
pub(super) fn is_tag(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, |c| c.is_ascii_hexdigit() || c == ',');
    let groups = sentence[range.clone()].split_once(',');
    groups.is_some_and(|(group, element)| group.len() == 4 && element.len() == 4)
        && sentence[..range.start].ends_with('(')
        && sentence[range.end..].starts_with(')')
}

/// Whether a claimed number is a code of what is done, found, used or paid for, and of nobody.
pub(super) fn is_shared(sentence: &str, span: &Span) -> bool {
    let words = &sentence[span.start..span.end];
    is_variant(sentence, span)
        || is_evaluation(sentence, span)
        || is_imaging(sentence, span)
        || is_assessed(sentence, span)
        || is_named(&sentence[..span.start], words)
        || is_procedure(sentence, span)
        || is_diagnosis(sentence, span)
        || shared_codes::is_shared(sentence, &(span.start..span.end))
}

/// `H0015 / 90853`, `99214` before ` + 90833`, `97162` before ` x1`: codes of procedures (CPT, HCPCS), of which one has a letter or all
/// are added up, or one that is counted.
pub(super) fn is_procedure(sentence: &str, span: &Span) -> bool {
    let (before, after) = (&sentence[..span.start], &sentence[span.end..]);
    let cue = last_word(before.trim_end_matches([' ', '#', ':']));
    if listed!(
        cue,
        "call called paged page pager pgr ext x id badge emp employee user specimen specimens case acct mrn"
    ) {
        return false;
    }
    let codes: Vec<&str> = sentence[span.start..span.end].split(JOINTS).filter(|code| !code.is_empty()).collect();
    if codes.is_empty() || !codes.iter().all(|code| is_procedure_code(code)) {
        return false;
    }
    let is_other = |c: char| !c.is_ascii_alphanumeric();
    let next = after.trim_start_matches(JOINTS).split(is_other).next().unwrap_or_default();
    let last = before.trim_end_matches(JOINTS).rsplit(is_other).next().unwrap_or_default();
    let fellows: Vec<&str> = codes.iter().copied().chain([last, next]).filter(|code| is_procedure_code(code)).collect();
    let lettered = fellows.iter().any(|code| code.contains(|c: char| c.is_ascii_alphabetic()));
    let added = after.trim_start().starts_with('+') || before.trim_end().ends_with('+');
    fellows.len() > 1 && (lettered || added) || is_counted(after)
}

/// `charge 99214-95`, `bill 99283`: visits (CPT, evaluation and management), which are billed more often than anything else; but `#99214`.
fn is_evaluation(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, |c| c.is_ascii_alphanumeric() || c == '-');
    let token = &sentence[range.clone()];
    let (code, modifier) = token.split_once('-').unwrap_or((token, "25"));
    let number: u32 = code.parse().unwrap_or(0);
    let before = &sentence[..range.start];
    let cue = last_word(before.trim_end_matches([' ', '#', ':']));
    code.len() == 5
        && ((99_202..=99_239).contains(&number) || (99_281..=99_499).contains(&number))
        && matches!(modifier, "24" | "25" | "57" | "95" | "GT" | "FS")
        && !before.ends_with(['#', ':', ',', '.', '/'])
        && !listed!(
            cue,
            "call called paged page pager pgr ext x id badge emp employee user specimen specimens case acct account mrn zip no number \
             num ref ticket order ak alaska wa washington auth rx lot sn serial med rec record fin csn visit encounter enc pt patient"
        )
}

/// `EXAM: CT ABDOMEN W CONTRAST (74177)`: imaging (CPT, radiology), behind what was imaged.
fn is_imaging(sentence: &str, span: &Span) -> bool {
    let code = &sentence[span.start..span.end];
    let number: u32 = code.parse().unwrap_or(0);
    let (before, after) = (&sentence[..span.start], &sentence[span.end..]);
    let mut words = before.split(|c: char| !c.is_ascii_alphabetic());
    code.len() == 5
        && (70_010..=79_999).contains(&number)
        && before.ends_with('(')
        && after.starts_with(')')
        && words.any(|word| {
            listed!(word, "ct mri xr us mra cta nm pet mammo mammogram ultrasound xray radiograph contrast")
        })
}

/// `M1400 02`, `GG0170I 04`: an item of an assessment at home (OASIS) and what was answered.
fn is_assessed(sentence: &str, span: &Span) -> bool {
    let is_item = |token: &str| {
        let digits = token.trim_start_matches(|c: char| c.is_ascii_uppercase());
        let number = digits.trim_end_matches(|c: char| c.is_ascii_uppercase());
        let group = &token[..token.len() - digits.len()];
        number.len() == 4
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && (group == "M" && number.starts_with(['0', '1', '2']) && digits.len() == 4
                || group == "GG" && digits.len() <= 6)
    };
    let is_answer =
        |token: &str| matches!(token, "no" | "yes" | "NA" | "-") || matches!(token.parse::<u8>(), Ok(0..=20));
    let behind = sentence[span.end..].split_whitespace().next().unwrap_or_default();
    let mut tokens = sentence[span.start..span.end].split_whitespace().chain([behind]);
    let mut items = 0;
    while let Some(item) = tokens.next() {
        if !is_item(item) {
            break;
        }
        items += usize::from(tokens.next().is_some_and(is_answer));
    }
    items > 0
}

/// `99214`, `J1885`, `0591T`: of medicine and therapy, which begin with a nine, or with a letter.
fn is_procedure_code(code: &str) -> bool {
    let [first, middle @ .., last] = code.as_bytes() else { return false };
    code.len() == 5
        && middle.iter().all(u8::is_ascii_digit)
        && match (first, last) {
            (b'9' | b'A'..=b'V', last) => last.is_ascii_digit(),
            (b'0', last) => matches!(last, b'T' | b'F'),
            _ => false,
        }
}

/// ` x2`: so many times.
fn is_counted(after: &str) -> bool {
    let times = after.strip_prefix(" x").or_else(|| after.strip_prefix(" ×")).map(|rest| rest.trim_start_matches(' '));
    let digits = times.map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    matches!(digits, 1 | 2) && times.is_some_and(|rest| !rest[digits..].starts_with(|c: char| c.is_alphanumeric()))
}

/// `H40.1133`, of which a model may claim a part: a diagnosis of ICD-10.
pub(super) fn is_diagnosis(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, |c| c.is_ascii_alphanumeric() || c == '.');
    let lead = last_word(&sentence[..range.start]);
    let Some((category, detail)) = sentence[range].trim_end_matches('.').split_once('.') else { return false };
    let capital_or_digit = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    matches!(category.as_bytes(), [letter, digit, last]
        if letter.is_ascii_uppercase() && digit.is_ascii_digit() && capital_or_digit(*last))
        && (1..=4).contains(&detail.len())
        && detail.starts_with(|c: char| c.is_ascii_digit())
        && !listed!(lead, "room rm bed bay pod unit ward to")
        && detail.bytes().all(capital_or_digit)
}

/// `c.5266dupC`, `c.126_129delCTTT`, `p.Arg248Gln`: how a change of a gene is written (HGVS nomenclature).
fn is_variant(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, |c| !(c.is_whitespace() || matches!(c, ',' | ';' | '"')));
    let token = sentence[range].trim_start_matches(['(', '[']);
    let change = ["del", "dup", "ins", ">"].iter().any(|change| token.contains(change));
    let coding = token.starts_with("c.") || token.starts_with("g.") || token.starts_with("p.");
    let alone = token.trim_end_matches(['A', 'C', 'G', 'T', ')', '.']);
    // `p.218.555.0147` is a telephone.
    let protein = token.strip_prefix("p.").map(|rest| rest.trim_start_matches('('));
    let residue = protein.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    coding && (change || token.contains("fs") || residue)
        || ["del", "dup", "ins"]
            .iter()
            .any(|change| alone.ends_with(change) && alone.starts_with(|c: char| c.is_ascii_digit()))
}

/// `RxBIN 610455`, `codes 99497 + 99498`, `model no. 5076`: codes of payers' networks, of what is done and of what is found, and models
/// of devices.
fn is_named(before: &str, words: &str) -> bool {
    let head = tail(before, REACH);
    let cue = |word: &str| {
        listed!(word, "bin rxbin pcn rxpcn cpt hcpcs dme icd icd9 icd10 icd10cm cpts drg ndc loinc model atc cvx")
            || listed!(word, shared_codes::CATALOGUES)
    };
    let mut near = head.rsplit(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // Between the word and the figure stand only marks and other figures: `CPT 99497 + 99498`.
    let joins = |word: &&str| {
        word.bytes().all(|byte| byte.is_ascii_digit()) || listed!(word, "code codes is and no number ct id")
    };
    words.len() <= 11 && near.find(|word| !joins(word)).is_some_and(cue)
}

/// At most so many bytes of the end of a text, and no part of a word.
fn tail(text: &str, bytes: usize) -> &str {
    let mut from = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let inside = text[..from].ends_with(|c: char| c.is_alphanumeric());
    let tail = &text[from..];
    if inside { tail.trim_start_matches(|c: char| c.is_alphanumeric()) } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::{Detector, Label};
    use proptest::prelude::*;

    fn shared(marked: &str) -> bool {
        let (start, end) = (marked.find('[').unwrap(), marked.find(']').unwrap());
        let sentence = marked.replacen('[', "", 1).replacen(']', "", 1);
        is_shared(&sentence, &Span::new(start, end - 1, Label::IdNum, Detector::Transformer, 0.9))
    }

    #[test]
    fn codes_that_everybody_shares() {
        for sentence in [
            "RxBIN [610455] PCN X",
            "EXAM: CT ABDOMEN/PELVIS W CONTRAST ([74177])   09-17-2024",
            "ACP codes CPT 99497 + [99498].",
            "called [c.5266dupC], also",
            "known as [5382insC].",
            "c.[126_129delCTTT] in trans",
            "ICD10 code [41071] on the claim",
            "pacer model no. [5076], working",
            "tele 1:22 PM  [99214] + 90833",
            "tele 1:22 PM  99214 + [90833]",
            "[H0015 / 90853]. LOC",
            "via Adapt; [L4361], E2402",
            "Units: [97162] x1, then",
            "Dx H40.[1133].",
            "served: [DD-214] on file",
            "J2777 x60   [67028-LT]",
            "charge [99214]-95",
            "tele visit, bill [99283]",
            "Lucien   [M1306] no   M1400 02",
            "no   [M1400 02   M1860 03]   GG0170I 04",
        ] {
            assert!(shared(sentence), "{sentence}");
        }
    }

    #[test]
    fn numbers_of_one_person() {
        for sentence in [
            "RxBIN 610455 Grp [0058813]",
            "pacer model 5076 SN [4471880]",
            "account number [4471880]",
            "case [99214], closed",
            "called [52217] x2 today",
            "paged [94471] x2, no answer",
            "badge [E1234] / E1235",
            "MRN [99214], seen",
            "Anchorage AK [99503]",
            "order [M1400] faxed",
            "to bed [B12].RN aware",
            "p.[218.555.0147]",
            "near the cabin [44718]",
            "Fresno 93701, [93702]",
        ] {
            assert!(!shared(sentence), "{sentence}");
        }
    }

    proptest! {
        #[test]
        fn any_claim_is_judged(text in "\\PC{1,30}|[A-Z0-9/ .+x-]{1,30}", from in 0_usize..30, length in 1_usize..12) {
            let on = |mut at: usize| { at = at.min(text.len()); while !text.is_char_boundary(at) { at -= 1; } at };
            let span = Span::new(on(from), on(from + length), Label::IdNum, Detector::Transformer, 0.9);
            if !span.is_empty() {
                is_shared(&text, &span);
            }
        }
    }
}
