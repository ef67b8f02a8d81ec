//! HL7 messages (version 2): fields between strokes, and their components between carets.
//!
//! ```text
//! MSH|^~\&|LABLINK|[OZARK_RMC]|CDR|[RIVER_CLN]|20250606142233||ORU^R01|[Q7714402918]|P|2.5.1
//! PID|1||[GB104426]^^^[GPC]^MR||[GARLOCK^TESSA^M]||…|[88 Kates Mtn Rd]^^[White Sulphur Springs]^[WV]^[24986]
//! PV1|1|O|[GPC]^[EX2]||||[1487720036]^[PRUITT^HOLLIS^B]^^^DO
//! OBX|1|NM|2345-7^GLUCOSE^LN||110                              a code: nobody's
//! ```
//!
//! What a component is follows from its place and its fellows: the types XPN and XCN hold names, XAD addresses, CX numbers with what they
//! are, PL places (HL7 v2.5.1, chapter 2A); what a whole field is, from the definition of its segment (chapters 2 to 4, 6).

use std::ops::Range;

use super::findings::Findings;
use super::survey::Survey;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// A component with its place.
type Component<'s> = (&'s str, usize);

/// Fields that are identifiers by their place, whatever they look like: segment, number of the field, label. In MSH the separator itself is the
/// first field, so the fourth stands third.
const FIELDS: [(&str, usize, Label); 19] = [
    ("MSH", 3, Label::Hospital),
    ("MSH", 5, Label::Hospital),
    ("MSH", 9, Label::IdNum),
    ("PID", 2, Label::MedicalRecord),
    ("PID", 3, Label::MedicalRecord),
    ("PID", 4, Label::MedicalRecord),
    ("PID", 18, Label::Account),
    ("PID", 19, Label::Ssn),
    ("PID", 20, Label::License),
    ("PV1", 19, Label::Account),
    ("ORC", 2, Label::IdNum),
    ("ORC", 3, Label::IdNum),
    ("OBR", 2, Label::IdNum),
    ("OBR", 3, Label::IdNum),
    // Of an insurer its number, its name; of an insurance the group, its name, the policy.
    ("IN1", 3, Label::Organization),
    ("IN1", 4, Label::Organization),
    ("IN1", 8, Label::HealthPlan),
    ("IN1", 9, Label::Organization),
    ("IN1", 36, Label::HealthPlan),
];

/// Adds what the fields and components of every segment hold.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let has_fields = || FIELDS.iter().any(|(name, ..)| sentence.contains(name));
    if !(survey.has_mark(b'|') && (survey.has_mark(b'^') || has_fields())) {
        return;
    }
    for (start, line) in survey.lines(sentence) {
        segment(line, start, findings);
    }
}

fn segment(line: &str, start: usize, findings: &mut Findings) {
    let name = line.split('|').next().unwrap_or_default().trim();
    let private = listed!(name, "pid nk1 gt1 in1 in2 mrg");
    let mut at = start;
    for (number, field) in line.split('|').enumerate() {
        let mut repeated = at;
        for one in field.split('~') {
            match (name, number) {
                // The separators themselves.
                ("MSH", 1) => (),
                ("PV1", 3) => place(&components(one, repeated), findings),
                // An answer of a laboratory is no name, whoever gave it has a number.
                ("OBX", _) if !one.starts_with(|c: char| c.is_ascii_digit()) => (),
                _ => judge(&components(one, repeated), private, findings),
            }
            whole(name, number, &components(one, repeated), findings);
            repeated += one.len() + 1;
        }
        at += field.len() + 1;
    }
}

fn components(field: &str, start: usize) -> Vec<Component<'_>> {
    let mut at = start;
    let place = |component| {
        let here = (component, at);
        at += str::len(component) + 1;
        here
    };
    field.split('^').map(place).collect()
}

/// A field that is an identifier by its place. Numbers have digits, and names letters.
fn whole(segment: &str, number: usize, components: &[Component<'_>], findings: &mut Findings) {
    let Some((.., label)) = FIELDS.iter().find(|(name, field, _)| *name == segment && *field == number) else { return };
    let value = components[0].0.trim_end();
    let is_one = match label {
        Label::Hospital | Label::Organization => value.bytes().filter(u8::is_ascii_alphabetic).count() > 1,
        _ => value.len() > 2 && value.bytes().any(|byte| byte.is_ascii_digit()) && !value.contains(' '),
    };
    if is_one {
        let (start, end) = (components[0].1, components[0].1 + value.len());
        // Some may have found a part of it.
        findings.add(start..end, *label, 0.9);
    }
}

/// A field of any segment.
fn judge(components: &[Component<'_>], private: bool, findings: &mut Findings) {
    if components.len() < 2 {
        return;
    }
    if is_address(components) {
        let labels = [(0, Label::Street), (2, Label::City), (3, Label::State), (4, Label::Zip)];
        labels.into_iter().for_each(|(at, label)| add(components[at], label, findings));
        let country = components.get(5).filter(|(text, _)| text.len() > 1 && text.chars().all(char::is_alphabetic));
        country.into_iter().for_each(|country| add(*country, Label::Country, findings));
    } else if let Some(label) = label_of_number(components) {
        add(components[0], label, findings);
        if components[3].0.contains(char::is_alphabetic) {
            add(components[3], Label::Hospital, findings);
        }
    } else if let Some(range) = name(components) {
        let label = if private { Label::Patient } else { Label::Doctor };
        put(range, label, findings);
        // The number of whom is named stands before the name.
        if components[0].0.bytes().any(|byte| byte.is_ascii_digit()) {
            add(components[0], Label::IdNum, findings);
        }
    }
}

/// The point of care, the room, the bed and the facility of a patient.
fn place(components: &[Component<'_>], findings: &mut Findings) {
    let named = components.iter().take(4).filter(|(text, _)| !listed!(text, "er ed icu or pacu nicu picu"));
    named.for_each(|component| add(*component, Label::Hospital, findings));
}

fn add((text, start): Component<'_>, label: Label, findings: &mut Findings) {
    let lead = text.len() - text.trim_start().len();
    put(start + lead..start + lead + text.trim().len(), label, findings);
}

fn put(range: Range<usize>, label: Label, findings: &mut Findings) {
    if !findings.covers(&range) {
        findings.add(range, label, 0.9);
    }
}

/// Street, other line, city, state and postal code.
fn is_address(components: &[Component<'_>]) -> bool {
    let part = |at: usize| components.get(at).map_or("", |component| component.0.trim());
    let zip = part(4).as_bytes();
    part(2).starts_with(|c: char| c.is_ascii_alphabetic())
        && Lexicon::shared().word(part(3)).is(WordFlags::STATE_ABBREVIATION)
        && zip.len() >= 5
        && zip[..5].iter().all(u8::is_ascii_digit)
}

/// What a number is, by its type in the fifth component (table 0203).
fn label_of_number(components: &[Component<'_>]) -> Option<Label> {
    let kind = components.get(4)?.0.trim();
    let number = components[0].0.trim();
    if !number.bytes().any(|byte| byte.is_ascii_digit()) || number.contains(' ') {
        return None;
    }
    match kind {
        "MR" | "PI" | "PT" | "PE" | "MRT" => Some(Label::MedicalRecord),
        "AN" | "VN" | "ANC" => Some(Label::Account),
        "SS" => Some(Label::Ssn),
        "DL" | "NPI" | "LN" | "MD" | "DEA" => Some(Label::License),
        "MC" | "MA" | "HC" | "NH" | "PN" => Some(Label::HealthPlan),
        "PPN" | "EI" | "EN" | "DN" => Some(Label::IdNum),
        _ => None,
    }
}

/// A surname and a given name, with a middle one, at the beginning or behind somebody's number.
fn name(components: &[Component<'_>]) -> Option<Range<usize>> {
    let number = components[0].0.is_empty() || components[0].0.bytes().any(|byte| byte.is_ascii_digit());
    let [(surname, start), (given, at), rest @ ..] = &components[usize::from(number)..] else { return None };
    let is_coded = listed!(
        components.last().map_or("", |component| component.0),
        "ln l loinc sct icd icd9 icd10 i9 i9c i10 c4 cpt hcpcs ndc ucum"
    );
    if is_coded || !is_name(surname) || !is_name(given) || !(is_borne(surname) || is_borne(given)) {
        return None;
    }
    // One of them may be of the lexicon's unknown; a word of medicine or of every day is neither.
    let strange = |name: &str| {
        Lexicon::shared().word(name).is_any(WordFlags::MEDICAL.union(WordFlags::ENGLISH)) && !is_borne(name)
    };
    if strange(surname) || strange(given) {
        return None;
    }
    let middle =
        rest.first().filter(|(middle, _)| !middle.is_empty() && middle.chars().all(|c| c.is_alphabetic() || c == '.'));
    let end = middle.map_or(at + given.len(), |(middle, at)| at + middle.len());
    Some(*start..end)
}

fn is_name(text: &str) -> bool {
    let words = text.split([' ', '-']).count();
    text.chars().filter(|c| c.is_alphabetic()).count() > 1
        && words <= 3
        && text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '’' | '.'))
}

/// Whether any of its words is somebody's name.
fn is_borne(text: &str) -> bool {
    text.split([' ', '-']).any(|word| {
        let info = Lexicon::shared().word(word);
        info.surname_count.max(info.given_count) > 0
    })
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn all(sentence: &str) -> Vec<&str> {
        let labels = [
            Label::Patient,
            Label::Doctor,
            Label::Hospital,
            Label::MedicalRecord,
            Label::Street,
            Label::City,
            Label::State,
            Label::Zip,
        ];
        found(sentence, &labels)
    }

    #[test]
    fn components_are_told_by_their_place() {
        assert_eq!(
            all(
                "PID|1||GB104426^^^GPC^MR||GARLOCK^TESSA^M||19710923|F|||88 Kates Mtn Rd^^White Sulphur Springs^WV^24986||3045550188"
            ),
            ["GB104426", "GPC", "GARLOCK^TESSA^M", "88 Kates Mtn Rd", "White Sulphur Springs", "WV", "24986"]
        );
        assert_eq!(all("PV1|1|O|GPC^EX2||||1487720036^PRUITT^HOLLIS^B^^^DO"), ["GPC", "EX2", "PRUITT^HOLLIS^B"]);
        assert_eq!(all("NK1|1|OKONKWO^CHIDI|SPO^SPOUSE|"), ["OKONKWO^CHIDI"]);
    }

    #[test]
    fn fields_are_told_by_their_segment() {
        let labels = [
            Label::Hospital,
            Label::IdNum,
            Label::Organization,
            Label::HealthPlan,
            Label::Account,
            Label::MedicalRecord,
        ];
        for (segment, fields) in [
            (
                "MSH|^~\\&|LABLINK|OZARK_RMC|CDR|RIVER_CLN^1.2.3^ISO|20250606142233||ORU^R01|Q7714402918|P|2.5.1",
                &["OZARK_RMC", "RIVER_CLN", "Q7714402918"] as &[&str],
            ),
            (
                "IN1|1||4417|NATURAL STATE ADVANTAGE||||NSA-GRP-0417|PINE SLOUGH PAPER",
                &["NATURAL STATE ADVANTAGE", "NSA-GRP-0417", "PINE SLOUGH PAPER"],
            ),
            ("IN1|1||NATURAL STATE ADVANTAGE|||||NSA-GRP-0417", &["NATURAL STATE ADVANTAGE", "NSA-GRP-0417"]),
            ("ORC|RE|ORD5510927|25-157-04418", &["ORD5510927", "25-157-04418"]),
            ("OBR|1|ORD5510927^LAB||24331-1^LIPID PANEL^LN|||202506060610", &["ORD5510927"]),
            ("ORC|NW||", &[]),
            ("PIDGIN | 4417", &[]),
        ] {
            assert_eq!(found(segment, &labels), fields, "{segment}");
        }
        let address = "PID|1||||||||||118 Possum Trot Ln^^Calico Rock^AR^72519-0044^USA";
        assert_eq!(found(address, &[Label::Country]), ["USA"]);
    }

    #[test]
    fn codes_are_nobody() {
        for sentence in [
            "OBX|1|NM|2345-7^GLUCOSE^LN||110|mg/dL",
            "DG1|1|I10|G43.909^MIGRAINE UNSPECIFIED^I10",
            "PID|||||||||2106-3^WHITE^HL70005",
            "AL1|1|DA|70618^PENICILLIN^RXNORM",
            "OBX|2|CE|600-7^BLOOD CULTURE^LN||NG^NO GROWTH",
            "PV1|1|E|ER",
            "2^3 is eight | yes",
        ] {
            assert_eq!(all(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
