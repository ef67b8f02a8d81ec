//! People behind titles, roles and fields of other languages.
//!
//! ```text
//! Sr. Nieves · Sig.ra Bruna Ferraris · Fr. Keller · mevr. de Koning        PATIENT
//! OÄ Brandt · lek. M. Wilk · Enf. Jucilene · Anestesista: D'Alò           DOCTOR
//! Paciente: Ana Pérez Gil · Pat.: Winter, Hannelore · Apellidos: …        PATIENT
//! ```

use std::sync::LazyLock;

use super::{Expression, expression};
use crate::detect::patterns::findings::Findings;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// One to five words with capitals or initials, particles between them.
const NAME: &str = r"((?-i:(?:\p{Lu}\.[ -]?){0,3}\p{Lu}[\p{L}'’]+(?:-\p{Lu}[\p{L}'’]+)*(?:,? (?:(?:de|del|della|di|da|do|dos|das|du|la|le|las|los|van|von|der|den|ten|ter|y|e|i|af|av|bin|binti|zu) ){0,3}(?:\p{Lu}\.|\p{Lu}[\p{L}'’]+(?:-\p{Lu}[\p{L}'’]+)*)){0,4}))";

static TITLED: LazyLock<[(Label, Expression); 3]> = LazyLock::new(|| {
    [
        (
            Label::Patient,
            expression(&format!(
                r"\b(?:sr|sra|srta|sres|don|doña|dña|d\.ª|dª|sig\.|sig\.ra|sig\.na|sigra|herrn?|frau|mme|mlle|mevr|mw|dhr|pani|panią|fru|frk|senhora?|bayan|bpk|(?-i:Hr|Fr|M)\.)\.? {NAME}"
            )),
        ),
        (
            Label::Doctor,
            expression(&format!(
                r"\b(?:dr|dra|dr\.ssa|dott|dott\.ssa|prof|lic|licda|enf|enfª|lek|mudr|oä|chefarzt|öl|uzm|doç|sjukskv|ssk|usk|läk|kirurg|sykepl|interne|aiosr|schwester|verpl|vpk|fisio|fisiot|oss|mmg|anest|anestesista|anestesióloga?|cirujan[oa]|operatore|aiuto|strum|1er ayud|ayud|médic[oa]|doctora?|patólog[oa]|enfermer[oa]|infirmière|infirmier|infermier[ea]|matrona|partera|ponente|solicita|rekv|lekarz|ordynator|položnik|hemşire|perawat|bidan)[.:]* {NAME}"
            )),
        ),
        (
            Label::Patient,
            expression(&format!(
                r"\b(?:pacient[ea]|pte|pcte|pac|paz|pz|pat\.|patiente?|patient:in|nombre|nombres|apellidos?|nombre y apellidos|nom|prénom|nom de naissance|nome|cognome|naam|navn|namn|imię i nazwisko|pacjent(?:ka)?|jméno|hasta|hasta adı|utente|residente|usuari[oa]|acompañante|familiar|madre|padre|anhörig|pårørende|kontakt)\.?\s?:\s*{NAME}"
            )),
        ),
    ]
});

/// Adds the people.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    for (label, titled) in TITLED.iter() {
        for name in titled.captures_iter(sentence).filter_map(|found| found.get(1)) {
            let range = name.start()..name.start() + without_words(name.as_str()).len();
            if range.len() > 1 && !findings.covers(&range) {
                findings.add(range, *label, 0.75);
            }
        }
    }
}

/// A name up to its first word that is one of medicine or of these languages; none of it where an eponym stands first.
fn without_words(name: &str) -> &str {
    let mut end = 0;
    for word in name.split(' ') {
        let at = word.as_ptr() as usize - name.as_ptr() as usize;
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let info = Lexicon::shared().word(bare);
        let other = info.is_any(WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::ABBREVIATION))
            && info.surname_count < 1_000
            && info.given_count < 1_000
            || at == 0 && info.is(WordFlags::EPONYM);
        if other && bare.chars().count() > 1 {
            break;
        }
        if word.starts_with(char::is_uppercase) {
            end = at + word.trim_end_matches([',', '.', '-', '\'', '’']).len();
        }
    }
    &name[..end]
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn people_behind_titles_and_fields() {
        for (sentence, label, person) in [
            ("la hija del Sr. Nieves llamó", Label::Patient, "Nieves"),
            ("si visita la Sig.ra Bruna Ferraris con la figlia", Label::Patient, "Bruna Ferraris"),
            ("Koloskopie mit OÄ Brandt für die Patientin", Label::Doctor, "Brandt"),
            ("Enf. Jucilene assumiu o plantão", Label::Doctor, "Jucilene"),
            ("Paciente: Zülfüye Olvera de la Torre   Edad 36", Label::Patient, "Zülfüye Olvera de la Torre"),
        ] {
            assert_eq!(found(sentence, &[label]), [person], "{sentence}");
        }
        assert_eq!(found("Akuter Schub eines M. Crohn bei der Patientin", &[Label::Patient]), [] as [&str; 0]);
    }
}
