//! Abbreviated names of institutions, in step with their long forms.
//!
//! ```text
//! Massachusetts General Hospital → Dalloway General Hospital        MGH → DGH
//! St. Mary's Hospital            → St. David's Hospital             SMH → SDH
//! ──────── letters of general words stay; the others become what initials of names become
//! ```
//!
//! Which letters are of general words is told from the abbreviation alone: from how it ends, and from an `S` or `U` that it begins with. So the two
//! forms agree where it is read aright, and one has a surrogate without the other.

/// What abbreviations end in, the longest first: Hospital, Medical Center, Clinic, Health System, University, Primary Care, Cancer Institute, with
/// what often stands before.
const ENDINGS: [&[u8]; 24] = [
    b"UMC", b"RMC", b"CMC", b"GMC", b"VMC", b"VRH", b"VCH", b"PC", b"CI", b"CH", b"CC", b"GH", b"HC", b"HS", b"MC",
    b"MG", b"MH", b"RH", b"UH", b"WH", b"VH", b"H", b"C", b"U",
];

/// Whether each letter of an abbreviation stands for a general word. At least one does not.
pub(super) fn general_letters(abbreviation: &[u8]) -> Vec<bool> {
    let len = abbreviation.len();
    let mut general = vec![false; len];
    let saint = len == 3 && abbreviation.starts_with(b"S") && abbreviation.ends_with(b"H");
    let fits = |ending: &&[u8]| len > ending.len() && abbreviation.ends_with(ending) && !(saint && ending.len() > 1);
    let named = len - ENDINGS.into_iter().find(fits).map_or(0, <[u8]>::len);
    general[named..].fill(true);
    // Saint Mary's, University of Iowa: where a name is still to come.
    if named > 1 && len > 2 && matches!(abbreviation[0], b'S' | b'U') {
        general[0] = true;
    }
    general
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_general_words_are_told() {
        for (abbreviation, general) in [
            ("MGH", "mGH"),
            ("BIDMC", "bidMC"),
            ("SMH", "SmH"),
            ("SJMC", "SjMC"),
            ("UIHC", "UiHC"),
            ("UMC", "uMC"),
            ("GH", "gH"),
            ("MC", "mC"),
            ("BWH", "bWH"),
            ("NYU", "nyU"),
            ("JHH", "jhH"),
            ("XYZ", "xyz"),
            ("H", "h"),
            ("", ""),
        ] {
            let told: String = general_letters(abbreviation.as_bytes())
                .into_iter()
                .zip(abbreviation.chars())
                .map(|(general, letter)| if general { letter } else { letter.to_ascii_lowercase() })
                .collect();
            assert_eq!(told, general);
        }
    }
}
