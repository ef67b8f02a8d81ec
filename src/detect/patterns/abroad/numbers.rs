//! Numbers that other countries give their people, and those that a word of theirs tells.
//!
//! ```text
//! CPF 412.887.030-15 · C.F. FRRBRN39T48C665K · DNI 12345678-Z · NIR 2 48 07 09 122 034 61     of persons, by form
//! NHC 88120 · Vers.-Nr. K482905517 · RPPS 10100884731 · Prontuário: 0448217-3                 by what stands before
//! ```

use std::sync::LazyLock;

use super::{Expression, expression};
use crate::detect::patterns::findings::Findings;
use crate::phi::Label;

/// Forms that hardly anything else has.
static FORMS: LazyLock<[(Label, Expression); 3]> = LazyLock::new(|| {
    [
        (
            Label::Ssn,
            // France (NIR), Switzerland (AHV).
            expression(
                r"\b((?:[12]\s?[0-9]{2}\s?(?:0[1-9]|1[0-2])\s?[0-9][0-9ab]\s?[0-9]{3}\s?[0-9]{3}(?:\s?[0-9]{2})?)|756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2})\b",
            ),
        ),
        (
            Label::IdNum,
            // Brazil (CPF), Italy (codice fiscale), Spain (DNI, NIE), Mexico (CURP), Belgium (INSZ), Sweden and Denmark (by birth date).
            expression(
                r"\b([0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|(?-i:[A-Z]{6}[0-9]{2}[A-EHLMPR-T][0-9]{2}[A-Z][0-9]{3}[A-Z])|(?-i:[0-9]{8}-[A-HJ-NP-TV-Z]|[XYZ]-?[0-9]{7}-?[A-Z])|(?-i:[A-Z]{4}[0-9]{6}[HM][A-Z]{5}[A-Z0-9][0-9])|[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}|[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])-[0-9]{4}|(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2}-[0-9]{4})\b",
            ),
        ),
        (
            Label::HealthPlan,
            // Quebec (RAMQ).
            expression(r"\b((?-i:[A-Z]{4})\s?[0-9]{4}\s?[0-9]{4})\b"),
        ),
    ]
});

/// Words before a number, by what the number is.
static TOLD: LazyLock<[(Label, Expression); 6]> = LazyLock::new(|| {
    let told = |words: &str| {
        expression(&format!(
            r"\b(?:{words})(?:\s*(?:n[.º°ro]{{1,3}}|nr\.?|num\.?|núm\.?))?\s*[.:#]*\s*((?-i:[A-Z]{{0,4}})[-./_ ]?[0-9][0-9a-zA-Z]*(?:[-./_ ](?-i:[A-Z]{{0,3}})[0-9]+(?-i:[A-Z]{{0,2}}))*(?:[-/](?-i:[A-Z0-9])\b)?)"
        ))
    };
    [
        (
            Label::MedicalRecord,
            told(
                r"nhc|n\.h\.c|historia(?: clínica| clinica)?|expediente|prontuário|prontuario|processo|ipp|pid|pat-?nr|patientennummer|cartella(?: clinica)?|cart\.|expte|ficha(?: dental)?|journalnr|journ\.?nr|patiëntnr|patiëntnummer|dossier",
            ),
        ),
        (
            Label::HealthPlan,
            told(
                r"afiliación|afiliacion|nss|póliza|poliza|vers\.?-?nr|versichertennummer|versicherungsnummer|kv-?nr|cns|sns|utente|adh|mutuelle|polis|polisnummer|tessera|carte vitale|cartão|suva|ramq|poliçe|apólice|carteirinha|obra social|osde|polise|pol\.",
            ),
        ),
        (
            Label::License,
            told(
                r"colegiad[oa]|nº col|cédula|cedula|matrícula|matricula|crm(?:-[a-z]{2})?|crm/[a-z]{2}|coren(?:-[a-z]{2})?|rpps|adeli|lanr|bsnr|big|agb|pwz|tescil|ced\. prof|cédula profesional|rpe|carteira prof",
            ),
        ),
        (
            Label::Account,
            told(
                r"episodio|ingreso nº|séjour|sejour|fall-?nr|fallnummer|aufnahmenummer|nosologico|nosol|atend|atendimento|opnamenummer|opname",
            ),
        ),
        (
            Label::Phone,
            told(
                r"tel|tél|télé|telf|tfno|tlf|tlfn|telefon|telefoon|teléfono|telefono|telefone|telem|telemóvel|móvil|movil|cel|celular|handy|natel|gsm|mobil|mobiel|portable|contato|contacto|toestel|interno|rufnummer|mob\.|móv|zap|whatsapp|sökare|calling|ankn|recados|llamen? al|llamar al",
            ),
        ),
        (
            Label::IdNum,
            told(
                r"dni|nie|nif|curp|folio|pasaporte|cpf|rg|codice fiscale|c\.f|bsn|insz|pesel|personnummer|pnr|cpr|histo|befund|auftrag|petición|peticion|muestra|lote?|ch\.-?b|charge|sacca|serie|série|seriennummer|accettazione|referto|verbale|badge|ausweis|melding|lotto|lote|targa|targato|targata|matrícula|placa|patente|pratica|sinistro|siniestro|processo|nre|c\.c|nit|rut|dpi|ine|cód|caso|guia|sócio|preparat|prov|prøve|prøvenr|carpeta|voo|rg|nik|oib|cnp|taj",
            ),
        ),
    ]
});

/// `Protokół nr 441/24`, `Ficha N.° 2207`: whatever is numbered, with four digits or a year behind a stroke.
static NUMBERED: LazyLock<Expression> = LazyLock::new(|| {
    expression(r"\b(?:n\.?\s?[º°]|nr\.?|núm\.|num\.)\s?((?-i:[A-Z]{0,3})[-./]?[0-9][0-9a-zA-Z]*(?:[-./ ][0-9]+)*)")
});
/// `076 448 19 33`, `+46 73 555 01 10`: three to five groups of two to four digits, of nine to thirteen digits in all.
static GROUPED: LazyLock<Expression> = LazyLock::new(|| {
    expression(r"(?:^|[^0-9/.,-])((?:\+[0-9]{1,3} ?)?\(?[0-9]{2,4}\)?(?:[ -][0-9]{2,4}){2,4})(?:[^0-9/-]|$)")
});

/// Adds the numbers.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    for (label, form) in FORMS.iter() {
        for found in form.captures_iter(sentence).filter_map(|found| found.get(1)) {
            if !findings.covers(&found.range()) {
                findings.add(found.range(), *label, 0.85);
            }
        }
    }
    for (label, told) in TOLD.iter() {
        for found in told.captures_iter(sentence).filter_map(|found| found.get(1)) {
            let digits = found.as_str().bytes().filter(u8::is_ascii_digit).count();
            let least = if *label == Label::Phone { 3 } else { 4 };
            if digits >= least && !findings.covers(&found.range()) {
                findings.add(found.range(), *label, 0.8);
            }
        }
    }
    for (label, form, digits) in [(Label::Phone, &*GROUPED, 9..=13), (Label::IdNum, &*NUMBERED, 4..=20)] {
        for found in form.captures_iter(sentence).filter_map(|found| found.get(1)) {
            if digits.contains(&found.as_str().bytes().filter(u8::is_ascii_digit).count())
                && !findings.covers(&found.range())
            {
                findings.add(found.range(), label, 0.7);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn numbers_of_other_countries() {
        let labels = [
            Label::IdNum,
            Label::Ssn,
            Label::HealthPlan,
            Label::Account,
            Label::License,
            Label::MedicalRecord,
            Label::Phone,
        ];
        for (sentence, number) in [
            ("paciente CPF: 412.887.030-15", "412.887.030-15"),
            ("nata a Chivasso, C.F. FRRBRN39T48C665K", "FRRBRN39T48C665K"),
            ("madame, NIR 2 48 07 09 122 034 61", "2 48 07 09 122 034 61"),
            ("Frau, Versichertennummer K482905517", "K482905517"),
            ("interne, madame RPPS 10100884731", "10100884731"),
            ("paciente NHC 88120", "88120"),
            ("Herrn, Handy 0171 5550144 und", "0171 5550144"),
        ] {
            assert_eq!(found(sentence, &labels), [number], "{sentence}");
        }
    }

    #[test]
    fn doses_are_no_numbers_of_persons() {
        let labels =
            [Label::IdNum, Label::Ssn, Label::HealthPlan, Label::Account, Label::License, Label::MedicalRecord];
        for sentence in ["paciente con 500 mg cada 8 horas", "Frau mit 40 mg 1-0-0 und RR 105/60"] {
            assert_eq!(found(sentence, &labels), [] as [&str; 0], "{sentence}");
        }
    }
}
