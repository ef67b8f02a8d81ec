//! Streets, postal codes with their towns, hospitals and rooms of other countries.
//!
//! ```text
//! C/ Mayor, 14 2ºB · 14 bis rue des Lilas · Lindenstraße 3a · Via Roma 5 · Kapelstraat 3 bus 2        streets
//! 28013 Madrid · 13045-210 · 9017 XB Tilburg                                                          codes and towns
//! CHU de Rangueil · Klinikum Weserbogen · Ospedale San Damiano                                       hospitals
//! habitación 214 · Station 5A · letto 18 · chambre 12                                                 rooms
//! ```

use std::sync::LazyLock;

use super::{Expression, expression};
use crate::detect::patterns::findings::Findings;
use crate::phi::Label;

/// A word with a capital, or a small word inside a name.
const NAME: &str = r"(?:(?-i:\p{Lu}|\b[0-9]{1,2}\sde\s\p{L})[\p{L}'’.-]*|(?:de la|de los|de las|de|del|della|delle|dei|degli|do|da|dos|das|du|des|di|la|le|les|el|los|der|dem|den|am|im|an|zum|zur|van|von|y|e|und|et)\b|d['’]|l['’])";
/// A house number and what belongs to it.
const NUMBER: &str = r"(?:,?\s*(?:n[.º°ro]{1,3}\s*|núm\.?\s*|no\.?\s*|nr\.?\s*|#\s*)?[0-9]{1,5}(?:\s?(?:bis|ter)\b|\s?[a-z]\b)?(?:[,\s]+(?:int|piso|pta|apto|apt|dto|depto|casa|bus|lgh|bloco|esc|r/c|[0-9]{1,2}\s?[ºª°]\s?[a-z]?)\.?\s?[0-9a-z]{0,4}\b)*)";

static ROMANCE: LazyLock<Expression> = LazyLock::new(|| {
    let road = r"(?:c/|calle|cl\.|av\.|avda\.?|avenida|paseo|p\.?º|plaza|pza\.?|ronda|carrera|camino|calz\.?|calzada|rua|r\.|travessa|(?-i:Largo)|praça|praca|pça\.?|estrada|alameda|(?-i:Via|VIA|Piazza|Corso|Strada)|viale|v\.le|p\.zza|c\.so|vicolo|ul\.|os\.|pl\.|aleja|fraz\.|urb\.|privada|cerrada|cuesta|tv\.|quinta d[aoe]|cra\.?|jl\.|jalan|đường|str\.|strada|bulevardul)";
    expression(&format!(r"(?:^|[\s(:,–-])({road}\s*(?:{NAME}\s*){{1,7}}{NUMBER})"))
});
static FRENCH: LazyLock<Expression> = LazyLock::new(|| {
    let road = r"(?:rue|av\.|avenue|boulevard|bd|bld|place|chemin|allée|impasse|quai|cours|route|square|rang|côte)";
    expression(&format!(
        r"\b([0-9]{{1,5}}(?:\s?(?:bis|ter|[a-d]))?,?\s+{road}\s+(?:{NAME}\s*){{1,6}})|\b((?:rue|boulevard|chemin|allée|impasse)\s+(?:{NAME}\s*){{1,6}}(?:,?\s*[0-9]{{1,4}}\b)?)"
    ))
});
static GERMANIC: LazyLock<Expression> = LazyLock::new(|| {
    expression(
        r"\b((?-i:\p{Lu})[\p{L}-]*(?:straße|strasse|str\.|gasse|platz|allee|weg|ring|damm|ufer|laan|straat|plein|kade|gracht|dreef|gade|vej|gatan|gata|vägen|väg|gränd|vei|veien|gaten|stien|torget|katu|utca|caddesi|sokak)\s+[0-9]{1,4}(?:\s?[a-z]\b)?(?:,?\s+(?:bus|lgh)\s+[0-9]{1,4})?|(?-i:(?:\p{Lu}\p{L}+\s){1,3})(?:vei|gate|vej|väg|utca|út|laan|plein)\s[0-9]{1,4}(?:\s?[a-z]\b)?|(?:postbus|postfach|boîte postale|apartado(?: de correos)?|casella postale|caixa postal)\s[0-9]{1,6}|(?-i:Am|An der|Im|Zum|Auf dem)\s+(?-i:\p{Lu})[\p{L}-]+\s+[0-9]{1,3}(?:\s?[a-z]\b)?)",
    )
});
/// The code, and the town behind it.
static TOWN: LazyLock<Expression> = LazyLock::new(|| {
    let code = r"(?:[A-Z]{1,2}-)?(?:[0-9]{5}-[0-9]{3}|[0-9]{4}-[0-9]{3}|[0-9]{2}-[0-9]{3}|[0-9]{4}\s?(?-i:[A-Z]{2})\b|[0-9]{5}|[0-9]{4}|[0-9]{3}\s[0-9]{2})";
    let town = r"((?-i:\p{Lu})[\p{L}'’-]+(?:[ -](?:de|del|la|las|los|el|le|les|sur|sous|am|an der|im|di|do|da|den|(?-i:\p{Lu})[\p{L}'’-]+)){0,3})";
    expression(&format!(r"(?:^|[,;–\n(-]\s*|\b(?:c\.?p\.?|cep|plz|cap)\s*:?\s*|\s)({code})(?:[\s,]+{town})?"))
});
static HOSPITAL: LazyLock<Expression> = LazyLock::new(|| {
    let site = r"(?:hospital|hosp\.|hôpital|hôp\.|chu|chru|clinique|clínica|centre hospitalier|centro de salud|centro médico|sanatorio|klinikum|krankenhaus|universitätsklinikum|uniklinik|kantonsspital|spital|ospedale|policlinico|casa di cura|ziekenhuis|umc|uz|sjukhuset|sygehus|szpital|upa|ubs|usf|ehpad|wzc|rsa|imss|hgz|umf|a\.o\.|csm|consultorio di|puesto de salud|fundación|clinica|hospice|legevakt|vårdcentralen|jourcentralen|przychodnia|poradnia|nemocnice|spitalul|kórház|rumah sakit|rsud|puskesmas|bệnh viện|plejecenter|sykehjem|residencia|residenza|lar|ehpad)";
    expression(&format!(r"\b({site}\s+(?:{NAME}\s?){{1,7}}(?:[0-9]{{1,3}}\b)?)"))
});
static ROOM: LazyLock<Expression> = LazyLock::new(|| {
    expression(
        r"\b((?:habitación|habitacion|hab\.|cama|chambre|lit|zimmer|zi\.?|zi-nr\.|bett|station|letto|camera|stanza|leito|enf\.|enfermaria|kamer|eenheid|afd\.|unité|unidad|sala|oda|avd\.?|box|boks|cuarto|cuna|camilla|choque|seng|säng|stue|lóżko|łóżko|pokój|pok\.|consultorio|cons\.|gabinete|ambulatorio|amb\.|módulo|planta|stanza|pabellón|aula|quarto|bloco|kamar|ruang|phòng|giường):?\s+(?:n\.?\s?[º°]\s?)?(?-i:[A-Z]{0,2}[0-9]{1,4}[A-Z]?)\b(?:\s+(?:cama|lit|bett|letto|leito|bed|yatak)\s+[0-9]{1,2}\b)?)",
    )
});

/// `Karşıyaka Devlet Hastanesi`, `Länssjukhuset Ryhov`, `Sørlandet sykehus Arendal`: where the word for it is the last part.
static SITE_BEHIND: LazyLock<Expression> = LazyLock::new(|| {
    expression(
        r"((?-i:(?:\p{Lu}[\p{L}.-]+\s(?:ve\s)?){1,6})(?:hastanesi|tıp fakültesi|sykehus|sykehjem|sygehus|sjukhus|ziekenhuis|krankenhaus|klinikum|klinik|kórház|szpital)\b(?:\s(?-i:\p{Lu}\p{L}+))?|\b(?-i:\p{Lu})\p{L}+(?:sjukhuset|sykehuset|sygehuset|hospitalet|spital|krankenhaus|klinikum)\b(?:\s(?-i:\p{Lu}\p{L}+))?)",
    )
});

/// Adds streets, codes with towns, hospitals and rooms.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    let mut streets = Vec::new();
    for expression in [&*ROMANCE, &*FRENCH, &*GERMANIC] {
        for found in expression.captures_iter(sentence) {
            let Some(street) = found.get(1).or_else(|| found.get(2)) else { continue };
            let end = street.start() + without_small_end(street.as_str()).len();
            findings.add(street.start()..end, Label::Street, 0.85);
            streets.push(end);
        }
    }
    towns(sentence, &streets, findings);
    for expression in [&*HOSPITAL, &*SITE_BEHIND, &*ROOM] {
        for found in expression.captures_iter(sentence).filter_map(|found| found.get(1)) {
            let range = found.start()..found.start() + without_small_end(found.as_str()).len();
            if !findings.covers(&range) && sentence[range.clone()].contains(' ') {
                findings.add(range, Label::Hospital, 0.75);
            }
        }
    }
}

/// Codes with a town behind them, right after a street or at the beginning of a line; and codes that a mark tells.
fn towns(sentence: &str, streets: &[usize], findings: &mut Findings) {
    for found in TOWN.captures_iter(sentence) {
        let Some(code) = found.get(1) else { continue };
        let lead = &sentence[..code.start()];
        let after_street = streets.iter().any(|&end| {
            end <= code.start()
                && sentence[end..code.start()].chars().all(|c| !c.is_alphanumeric())
                && code.start() - end < 6
        });
        let told = ["cp", "c.p.", "cep", "plz", "cap", "cp:", "cep:"]
            .iter()
            .any(|mark| lead.trim_end().to_lowercase().ends_with(mark));
        let hyphened = code.as_str().contains('-') && found.get(2).is_some();
        let begins = lead.trim_end_matches(' ').is_empty() || lead.trim_end_matches(' ').ends_with('\n');
        let five = code.as_str().len() >= 5 && found.get(2).is_some();
        if !(after_street || told || hyphened || begins && five) {
            continue;
        }
        if !findings.covers(&code.range()) {
            findings.add(code.range(), Label::Zip, 0.85);
        }
        if let Some(town) = found.get(2).filter(|_| after_street || hyphened || five) {
            let end = town.start() + without_small_end(town.as_str()).len();
            findings.add(town.start()..end, Label::City, 0.75);
        }
    }
}

/// A name without the small words and marks that it ends in.
fn without_small_end(name: &str) -> &str {
    let mut rest = name;
    loop {
        let trimmed = rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        let last = trimmed.rsplit(|c: char| c.is_whitespace()).next().unwrap_or("");
        let small = last.chars().next().is_some_and(char::is_lowercase)
            && last.len() <= 5
            && !last.contains(|c: char| c.is_ascii_digit())
            && last.len() < trimmed.len()
            && last.len() > 1;
        if !small {
            return trimmed;
        }
        rest = &trimmed[..trimmed.len() - last.len()];
    }
}

#[cfg(test)]
mod tests {
    use super::without_small_end;
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn streets_of_other_countries() {
        for (sentence, street) in [
            ("domicilio: Calle Mayor, 14", "Calle Mayor, 14"),
            ("adresse: 14 bis rue des Lilas, chez sa fille", "14 bis rue des Lilas"),
            ("Herrn Klaus, Lindenstraße 3a und", "Lindenstraße 3a"),
            ("residente in Via Roma 5, paziente", "Via Roma 5"),
            ("mevrouw, Kapelstraat 3 bus 2 niet", "Kapelstraat 3 bus 2"),
            ("End.: Rua Sete de Abril, 155 casa 2", "Rua Sete de Abril, 155 casa 2"),
        ] {
            assert_eq!(found(sentence, &[Label::Street]), [street], "{sentence}");
        }
    }

    #[test]
    fn codes_with_their_towns() {
        let labels = [Label::Zip, Label::City];
        assert_eq!(found("1 rue du Bac, 31059 TOULOUSE, madame", &labels), ["31059", "TOULOUSE"]);
        assert_eq!(found("Lindenstraße 3, 31785 Hameln und", &labels), ["31785", "Hameln"]);
        assert_eq!(found("wdowa, ul. Lipowa 14, 63-100 Śrem", &labels), ["63-100", "Śrem"]);
        assert_eq!(found("Herrn 2000 Einheiten und 1500 Kalorien", &labels), [] as [&str; 0]);
    }

    #[test]
    fn hospitals_and_rooms() {
        let hospital = |sentence| found(sentence, &[Label::Hospital]);
        assert_eq!(hospital("hospitalisée au CHU de Rangueil, chambre 12"), ["CHU de Rangueil", "chambre 12"]);
        assert_eq!(
            hospital("paciente del Hospital Universitario La Paz en la habitación 214"),
            ["Hospital Universitario La Paz", "habitación 214"]
        );
        assert_eq!(hospital("Frau auf Station 5A und Zimmer 12"), ["Station 5A", "Zimmer 12"]);
    }

    #[test]
    fn english_lines_with_an_accent_have_no_places() {
        for sentence in
            ["Ménière: BP 120/80 × 3, ROM 120", "Sjögren, OA knees, box 3 checked no", "Katie 5 yo, café au lait spots"]
        {
            assert_eq!(found(sentence, &[Label::Street]), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn small_words_at_the_end_are_outside() {
        assert_eq!(without_small_end("Hospital San Juan de "), "Hospital San Juan");
        assert_eq!(without_small_end("Via Roma 5 "), "Via Roma 5");
        assert_eq!(without_small_end("de"), "de");
        assert_eq!(without_small_end(""), "");
    }
}
