//! Words that stand beside numbers and are no part of them.
//!
//! ```text
//! MRN 1-12435, RX# 0012345, 555-0101 ext 4: they stay     MRN, JOB-123 as a plate, AB12MRN: letters as others
//! ```

/// Words that stand beside a number and are no part of it.
const MARKERS: &[&str] = &[
    "acc",
    "account",
    "accession",
    "acct",
    "badge",
    "beeper",
    "case",
    "cell",
    "claim",
    "clia",
    "csn",
    "dea",
    "dl",
    "ein",
    "enc",
    "encounter",
    "ext",
    "extension",
    "fax",
    "fin",
    "group",
    "grp",
    "har",
    "hic",
    "hicn",
    "home",
    "id",
    "invoice",
    "job",
    "lic",
    "license",
    "lot",
    "mbi",
    "mbr",
    "medicaid",
    "medicare",
    "member",
    "mobile",
    "mrn",
    "nhs",
    "no",
    "npi",
    "num",
    "number",
    "office",
    "order",
    "pager",
    "passport",
    "ph",
    "phone",
    "pin",
    "plate",
    "policy",
    "record",
    "ref",
    "rx",
    "serial",
    "sn",
    "ssn",
    "tel",
    "telephone",
    "udi",
    "vin",
    "visit",
    "work",
    "x",
];

/// Those beside plates: any other three letters may be half of one.
pub(super) const VEHICLE_MARKERS: &[&str] = &["no", "number", "plate", "vin"];

/// Bytes of the longest marker.
const LONGEST_MARKER: usize = 9;

/// Where the letters and digits of a code are, without words that stand beside it.
pub(super) fn letters_and_digits(bytes: &[u8]) -> Vec<usize> {
    without_markers(bytes, MARKERS)
}

/// The same without these words.
pub(super) fn without_markers(bytes: &[u8], markers: &[&str]) -> Vec<usize> {
    let digits = bytes.iter().any(u8::is_ascii_digit);
    let mut all = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if end > at {
            if !(digits && is_marker(bytes, at, end, markers)) {
                all.extend(at..end);
            }
            at = end;
        } else {
            if bytes[at].is_ascii_digit() {
                all.push(at);
            }
            at += 1;
        }
    }
    all
}

fn is_marker(bytes: &[u8], start: usize, end: usize, markers: &[&str]) -> bool {
    let length = end - start;
    let Some(word) = bytes.get(start..end).filter(|_| length <= LONGEST_MARKER) else {
        return false;
    };
    let attached = bytes.get(end).is_some_and(u8::is_ascii_digit) || (start > 0 && bytes[start - 1].is_ascii_digit());
    let extension = word.eq_ignore_ascii_case(b"x") || word.eq_ignore_ascii_case(b"ext");
    (extension || !attached) && markers.iter().any(|marker| word.eq_ignore_ascii_case(marker.as_bytes()))
}
