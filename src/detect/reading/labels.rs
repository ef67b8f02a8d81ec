//! Labels of fields that ran together with the values around them, as screens are copied.
//!
//! ```text
//! Addr24 Tannery LnCityNew BritainZip06051CntyHartford        ⏎Addr: 24 Tannery Ln⏎City: New Britain⏎Zip: 06051⏎Cnty: Hartford
//! QUORLIN,ANNMRN:4417093Admitted:04/02/2022Unit:7W            QUORLIN,ANN⏎MRN: 4417093⏎Admitted: 04/02/2022⏎Unit: 7W
//! ```
//!
//! One such word may be a name of goods, so a text must have several.

/// So many labels must have run together with what follows them.
const FEWEST: usize = 3;
/// The labels; of two that begin alike the longer first.
const LABELS: &[&str] = &[
    "Patient Name",
    "Print Date",
    "Admit Date",
    "Admit Dt",
    "Emerg Contact",
    "Emp Phone",
    "Emp Ph",
    "Adj Ph",
    "Reg By",
    "Visit #",
    "Facility",
    "Employer",
    "Attending",
    "Referring",
    "Subscriber",
    "Guarantor",
    "Insurance",
    "Address",
    "Addr",
    "City",
    "State",
    "Zip",
    "County",
    "Cnty",
    "Country",
    "Ctry",
    "Phone",
    "Ph",
    "Cell",
    "Home",
    "Work",
    "Fax",
    "Email",
    "DOB",
    "Age",
    "Sex",
    "MRN",
    "SSN",
    "CSN",
    "Account",
    "Acct",
    "Room",
    "Rm/Bed",
    "Bed",
    "PCP",
    "Policy",
    "Pol",
    "Group",
    "Grp",
    "Auth",
    "Claim",
    "Adjuster",
    "Relation",
    "Rel",
    "Contact",
    "Occupation",
    "Occ",
    "Status",
    "Marital",
    "Lang",
    "Religion",
    "Relig",
    "Race",
    "Source",
    "Type",
    "Time",
    "Date",
    "Name",
    "Preferred",
    "Ins",
    "Eff",
    "Plan",
    "Payer",
    "Mother",
    "Father",
    "Spouse",
    "NOK",
    "ST",
];

/// What is missing in a text: before the bytes at these places, in order.
pub(super) fn cuts(text: &str) -> Vec<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let (mut cuts, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        // Most capitals begin a word behind a blank, in which no value has run into a label.
        let may_begin = bytes[at].is_ascii_uppercase() && begins(bytes, at) && runs_on(&bytes[at..]);
        let label = if may_begin { label_at(text, at) } else { None };
        let Some(label) = label else {
            at += 1;
            continue;
        };
        let end = at + label.len();
        cuts.extend([(at, "\n"), (end, ": ")]);
        at = end;
    }
    if cuts.len() < 2 * FEWEST { with_colons(text) } else { cuts }
}

/// The same, where labels have kept their colons: a word with a capital, or one of a few in capitals, right behind a value.
fn with_colons(text: &str) -> Vec<(usize, &'static str)> {
    const SHOUTED: [&str; 8] = ["MRN", "DOB", "SSN", "CSN", "PCP", "NPI", "FAX", "AGE"];
    let bytes = text.as_bytes();
    let (mut cuts, mut glued) = (Vec::new(), 0);
    for colon in memchr::memchr_iter(b':', bytes) {
        let small = bytes[..colon].iter().rev().take_while(|byte| byte.is_ascii_lowercase()).count();
        let start = match small {
            0 => SHOUTED.iter().find_map(|label| text[..colon].strip_suffix(label)).map(str::len),
            2.. => (colon - small).checked_sub(1).filter(|&at| bytes[at].is_ascii_uppercase()),
            _ => None,
        };
        let Some(start) = start.filter(|&start| start > 0 && bytes[start - 1].is_ascii_alphanumeric()) else {
            continue;
        };
        cuts.push((start, "\n"));
        if bytes.get(colon + 1).is_some_and(|next| !next.is_ascii_whitespace()) {
            cuts.push((colon + 1, " "));
            glued += 1;
        }
    }
    if glued < FEWEST { Vec::new() } else { cuts }
}

/// Whether a label may begin at a capital: behind a blank, a small letter or a digit, or where a row of capitals ends.
fn begins(bytes: &[u8], at: usize) -> bool {
    let small = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
    at.checked_sub(1).is_none_or(|before| {
        let before = bytes[before];
        before.is_ascii_whitespace()
            || before.is_ascii_lowercase()
            || before.is_ascii_digit()
            || small && before.is_ascii_uppercase()
    })
}

/// Whether a word holds, behind its first letter, a capital, a digit or a bracket, as the end of a label does where a value follows at once.
/// No label has more than two words.
fn runs_on(text: &[u8]) -> bool {
    let mut blanks = 0;
    for pair in text.windows(2) {
        blanks += usize::from(pair[1] == b' ');
        if blanks > 1 {
            return false;
        }
        if pair[0] != b' '
            && (pair[1].is_ascii_uppercase() || pair[1].is_ascii_digit() || matches!(pair[1], b'(' | b'+'))
        {
            return true;
        }
    }
    false
}

/// The label at a place that a value follows without a blank.
fn label_at(text: &str, at: usize) -> Option<&'static str> {
    let bytes = text.as_bytes();
    LABELS.iter().copied().find(|label| {
        let Some(rest) = text[at..].strip_prefix(*label) else { return false };
        let next = &rest.as_bytes()[..rest.len().min(3)];
        let capitals = label.bytes().all(|byte| byte.is_ascii_uppercase());
        match (*label, next) {
            // `STCTZip06051`
            ("ST", [first, second, rest @ ..]) => {
                first.is_ascii_uppercase()
                    && second.is_ascii_uppercase()
                    && rest.iter().all(|byte| !byte.is_ascii_lowercase())
                    && at > 0
                    && bytes[at - 1].is_ascii_lowercase()
            }
            ("ST", _) => false,
            (_, [first, ..]) if first.is_ascii_digit() || matches!(first, b'(' | b'+') => true,
            (_, [first, second, ..]) if capitals => first.is_ascii_uppercase() && second.is_ascii_lowercase(),
            (_, [first, ..]) => first.is_ascii_uppercase(),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let (mut read, mut cuts) = (String::new(), cuts(text).into_iter().peekable());
        for (at, letter) in text.char_indices() {
            while let Some((_, missing)) = cuts.next_if(|(place, _)| *place <= at) {
                read.push_str(missing);
            }
            read.push(letter);
        }
        read
    }

    #[test]
    fn labels_are_parted_from_values() {
        for (written, expected) in [
            (
                "Addr24 Tannery LnCityNew BritainSTCTZip06051CntyHartfordCtryUS",
                "\nAddr: 24 Tannery Ln\nCity: New Britain\nST: CT\nZip: 06051\nCnty: Hartford\nCtry: US",
            ),
            (
                "SUMMARYPatient:LUKASZ BRZOZAMRN:00719345Acct:V88Admitted:04/02/2022Unit: 7W",
                "SUMMARY\nPatient: LUKASZ BRZOZA\nMRN: 00719345\nAcct: V88\nAdmitted: 04/02/2022\nUnit: 7W",
            ),
            ("DOB03/03/1996Age27PCPRutherford-Nguyen, T", "\nDOB: 03/03/1996\nAge: 27\nPCP: Rutherford-Nguyen, T"),
        ] {
            assert_eq!(read(written), expected);
        }
    }

    #[test]
    fn names_and_goods_stay() {
        for text in [
            "MyChart and StatusPro, HomePod",
            "seen by McCoy: MyChart: iPhone: fine",
            "Agency Cityscape Homer Workman Datebook Timex",
            "DOB 3/3/96 Age 27 Sex F",
            "ÄCity1 Ünder",
        ] {
            assert_eq!(read(text), text);
        }
    }
}
