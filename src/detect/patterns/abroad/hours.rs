//! Times of day and days of the week of other languages.
//!
//! ```text
//! 10h15 · 14h · kl 14.20 · godz. 21.40 · alle 13.02 · um 9:20 Uhr · a las 7        times
//! martedì 23 · jue 14/3 · Do., 28.03. · vr. 2 aug.                                days
//! ```

use std::sync::LazyLock;

use super::{Expression, expression};
use crate::detect::listed::listed;
use crate::detect::patterns::findings::{Findings, date};
use crate::phi::{Kind, Label};

const HOUR: &str = "(?:[01]?[0-9]|2[0-3])";
/// Words before an hour.
const LEADS: &str = "a las|las|às|as|alle ore|alle|dalle|ore|vers|à|dès|um|gegen|ab|om|rond|kl\\.?|klo|klokken|godz\\.?|saat|pukul|jam|h\\.?";

/// `14h12`, `7 h 30`, `6u50`.
static WITH_LETTER: LazyLock<Expression> = LazyLock::new(|| expression(&format!(r"\b({HOUR}\s?[hu]\s?[0-5][0-9])\b")));
/// `kl 14.20`, `alle 13.02`, `h 17,20`, `um 9:20`.
static TOLD: LazyLock<Expression> =
    LazyLock::new(|| expression(&format!(r"(?:^|[\s(,;])(?:{LEADS})\s?({HOUR}[.:,][0-5][0-9])\b")));
/// `22.45 h`, `9.20 Uhr`.
static NAMED: LazyLock<Expression> =
    LazyLock::new(|| expression(&format!(r"\b({HOUR}[.:][0-5][0-9])\s?(?:uhr|hs|hrs|h|u)\b")));
/// `a las 7`, `alle 4`, `kl 12`, `à 14h`, `um 8 Uhr`: of whole hours only behind a word that is hardly said of anything else.
static WHOLE: LazyLock<Expression> = LazyLock::new(|| {
    expression(&format!(
        r"(?:^|[\s(,;])(?:(?:a las|alle ore|ore|kl\.?|klokken|godz\.?|saat|pukul)\s({HOUR})|(?:às|as|las|alle|dalle|vers|à|dès|um|gegen|ab|om|rond|hasta|até)\s({HOUR})\s?(?:h|hs|hrs|horas|heures|uhr|u))\b"
    ))
});
/// A weekday, in full or short, before a day and a month or before a day alone.
static WEEKDAY: LazyLock<Expression> = LazyLock::new(|| {
    let full = "lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|montag|dienstag|\
        mittwoch|donnerstag|freitag|samstag|sonntag|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|\
        donderdag|vrijdag|zaterdag|zondag|segunda|terça|quarta|quinta|sexta|torsdag|fredag|lördag|söndag|mandag|tirsdag";
    let short = "lun|mar|mart|mié|mie|mier|jue|vie|vier|sáb|dom|mer|gio|ven|sab|jeu|sam|dim|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo|seg|ter|\
        qua|qui|sex|tors|tirs|ons|tis|mån|lör|lør|sön|søn|pon|wt|śr|czw|pt|sob|niedz";
    let partial = r"(?:0?[1-9]|[12][0-9]|3[01])[./-](?:0?[1-9]|1[0-2])(?:[./-](?:[0-9]{4}|[0-9]{2}))?";
    expression(&format!(
        r"\b((?:(?:{full})[.,]?|(?:{short})\.?,?)\s(?:día\s|den\s|le\s)?{partial}|(?:{full})\s(?:día\s)?(?:0?[1-9]|[12][0-9]|3[01]))\b"
    ))
});

/// Adds the times, and the days that a weekday stands before.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    for found in WEEKDAY.captures_iter(sentence).filter_map(|found| found.get(1)) {
        if !is_amount(&sentence[found.end()..]) {
            findings.add(found.range(), date(Kind::DatePartial), 0.85);
        }
    }
    for expression in [&*WITH_LETTER, &*TOLD, &*NAMED, &*WHOLE] {
        for found in expression.captures_iter(sentence).filter_map(|found| found.get(1).or_else(|| found.get(2))) {
            if !is_amount(&sentence[found.end()..]) && !findings.covers(&found.range()) {
                findings.add(found.range(), Label::Time, 0.8);
            }
        }
    }
}

/// Whether what follows makes a number an amount, or goes on with it: `a las 2 semanas`, `à 12.50 mg`, `om 8/10`.
fn is_amount(rest: &str) -> bool {
    static UNITS: LazyLock<Expression> = LazyLock::new(|| {
        expression(
            r"^(?:[.,:][0-9]|\s?[%‰°ºª/]|\s?(?:mg|ml|g|kg|µg|mcg|ui|ie|cm|mm|l|mmol|x|meses|mois|monaten?|mesi|maanden|años|anos|ans|jahren?|anni|jaar|år|lat|comp|cp|gotas)\b)",
        )
    });
    UNITS.is_match(rest) || is_lasting(rest.trim_start()) && !is_hour(rest.trim_start())
}

/// `h`, `horas`, `heures`: behind a time as well as behind a while.
fn is_hour(rest: &str) -> bool {
    let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    listed!(word, "h horas heures ore uur")
}

/// Whether a text begins with a unit of time shorter than a month, or of something else: `días`, `minutos`, `Wochen`.
pub(super) fn is_lasting(rest: &str) -> bool {
    static SHORTER: LazyLock<Expression> = LazyLock::new(|| {
        expression(
            r"^(?:días|dias|jours|tagen?|giorni|dagen|dagar|dni|semanas|semaines|wochen|settimane|weken|veckor|uker|min|minutos|minutes|minuten|minuti|horas|heures|stunden|ore|uur|h|sem|mg|ml|cm|mm|puntos|pts)\b",
        )
    });
    SHORTER.is_match(rest)
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn times_of_other_languages() {
        for (sentence, times) in [
            ("contrôle le 9 avril à 10h15 chez le docteur", &["10h15"] as &[&str]),
            ("przyjęta godz. 21.40 do szpitala", &["21.40"]),
            ("patienten informerad kl 14.20 på avd", &["14.20"]),
            ("la paciente viene a las 7 de la tarde", &["7"]),
            ("Ambulanz um 9.20 Uhr für die Patientin", &["9.20"]),
            ("paciente a las 2 semanas de la cirugía", &[]),
            ("la fièvre à 38.5 pour la patiente", &[]),
            ("Ménière: BP 120/80 × 3, ROM 0-120, seen by 3 staff", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Time]), times, "{sentence}");
        }
    }

    #[test]
    fn days_behind_a_weekday() {
        for (sentence, dates) in [
            ("Controllo martedì 23 dalla dottoressa", &["martedì 23"] as &[&str]),
            ("tenés turno el jue 14/3 para la paciente", &["jue 14/3"]),
            ("Controle di 26-3 voor de patiënt", &["di 26-3"]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), dates, "{sentence}");
        }
    }
}
