//! Dates and ages of other languages.
//!
//! ```text
//! 3 de marzo de 2021 · le 1er mai · 12. März · vom 29.02. bis 08.03. · 2 febbraio 2024 · vr 2 aug. '19      dates
//! de 54 años · 76 ans · 61-jährige · di 84 aa. · 72-jarige                                                   ages
//! hace 3 años · seit 10 Jahren · depuis 2 ans                                                                how long
//! ```

use std::sync::LazyLock;

use super::{Expression, expression, hours};
use crate::detect::listed::listed;
use crate::detect::patterns::findings::{Findings, date};
use crate::phi::{Class, Kind, Label};

/// Nobody is older.
const OLDEST: u32 = 115;
/// Months in full, which name nothing else beside a number.
const MONTHS: &str = "enero|febrero|marzo|abril|mayo|junio|julio|agosto|sept?iembre|octubre|noviembre|diciembre|\
    janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre|octobre|novembre|d[ée]cembre|\
    januar|jänner|februar|märz|maerz|april|juni|juli|august|september|oktober|november|dezember|\
    janeiro|fevereiro|mar[çc]o|maio|junho|julho|setembro|outubro|novembro|dezembro|\
    gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|\
    januari|februari|maart|mei|augustus|december|marts|maj|augusti|desember|\
    stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|\
    ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince|\
    ianuarie|februarie|martie|aprilie|iunie|iulie|septembrie|octombrie|noiembrie|decembrie|\
    január|február|március|április|május|június|július|augusztus|szeptember|október|\
    tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta|\
    ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık|\
    января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|\
    січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня";
/// Short forms, between a day and a year or behind a day and before a full stop.
const SHORT: &str = "ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic|janv|févr|avr|juil|déc|jän|mrz|apr|aug|okt|dez|\
    fev|out|gen|mag|giu|lug|set|ott|mrt|jan";
/// Holidays by which notes of these languages date things.
const HOLIDAYS: &str = "navidad|nochebuena|nochevieja|semana santa|noël|pâques|toussaint|weihnachten|heiligabend|ostern|pfingsten|\
    silvester|natale|pasqua|ferragosto|páscoa|natal|carnaval|kerst(?:mis)?|pasen|pinksteren|midsommar|påsk|wielkanoc|ramazan|bayram";
/// Weekdays in full.
const WEEKDAYS: &str = "lunes|martes|miércoles|miercoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|\
    dimanche|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|segunda-feira|terça-feira|quarta-feira|quinta-feira|\
    sexta-feira|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|\
    måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag|poniedziałek|wtorek|środa|czwartek|piątek|\
    niedziela|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar";

static DATE: LazyLock<Expression> = LazyLock::new(|| {
    let day = r"(?:0?[1-9]|[12][0-9]|3[01])(?:\.|\s?[º°ª]|er\b|e\b)?";
    let joint = r"\s*(?:au|al|a|y|e|et|und|bis|tot|t/m|–|-|/)\s*";
    let link = r"(?:\s*(?:de\s+|di\s+|d['’]\s?)?|-)";
    let year = r"(?:(?:\s*(?:del?\s+|di\s+)?|-)(?:[12][0-9]{3}|['’][0-9]{2})\b)";
    expression(&format!(
        r"\b(?P<day>{day}(?:{joint}{day})?){link}(?:(?P<full>{MONTHS})\b{year}?|(?P<short>{SHORT})\b(?:{year}|\.{year}|\.))|\b(?P<alone>{MONTHS})\b(?P<year>{year})"
    ))
});
/// A month alone after a word of time: `en marzo`, `im Oktober`, `seit Juni`.
static MONTH: LazyLock<Expression> = LazyLock::new(|| {
    expression(&format!(
        r"\b(?:en|desde|hasta|seit|im|ende|anfang|mitte|depuis|début|fin|em|desde|fins de|in|a|da|sinds|eind|begin|i|sedan|w|od)\s+({MONTHS})\b"
    ))
});
static DAY: LazyLock<Expression> =
    LazyLock::new(|| expression(&format!(r"\b(?:({HOLIDAYS})|({WEEKDAYS}))(?:en|n|s)?\b")));
/// `vom 29.02.`, `le 21/07`, `il 30.1`: day and month behind a word that dates have before them.
static PARTIAL: LazyLock<Expression> = LazyLock::new(|| {
    expression(
        r"\b(?:(?:am|vom|bis|seit|ab|zum|den|le|du|au|il|dal|al|el|del|dia|día|op|van|tot|til|fra|dnia|od)|(?:mo|di|mi|do|fr|sa|so)[.,]+)\s+((?:0?[1-9]|[12][0-9]|3[01])[./-](?:0?[1-9]|1[0-2])\b\.?)",
    )
});
/// `29.02.`: as Germans write it, with a second full stop; `4.5.` may be a value that ends a sentence.
static DOTTED: LazyLock<Expression> = LazyLock::new(|| {
    expression(r"(?:^|[\s(,;–-])((?:0[1-9]|[12][0-9]|3[01])\.\s?(?:0[1-9]|1[0-2])\.)(?:[\s),;:–-]|$)")
});
/// `3-IX-1953`, `12.II.2024`, `19/XI`, `30/dic`, `ene-2022`.
static ROMAN: LazyLock<Expression> = LazyLock::new(|| {
    expression(&format!(
        r"\b((?:0?[1-9]|[12][0-9]|3[01])([-/.])(?:(?-i:I{{1,3}}|IV|VI{{0,3}}|IX|XI{{0,2}})|{SHORT})(?:[-/.](?:[0-9]{{4}}|[0-9]{{2}}))?|(?:{SHORT})[-/][0-9]{{4}})\b"
    ))
});
static AGE: LazyLock<Expression> = LazyLock::new(|| {
    expression(
        r"\b([0-9]{1,3})(?:\s?(?:años?|anos|ans|aa\.|anni|jahren?|jaar|år|lat|yaşında\w*|yaş)|\s?-?\s?(?:jährig\w*|jarige?n?|årig\w*|letni\w*))(?:\W|$)",
    )
});
/// `: 84 a`, `, 88j,`: so short a unit needs an age's place, between marks.
static SHORT_AGE: LazyLock<Expression> = LazyLock::new(|| {
    expression(
        r"[,:;()]\s*([0-9]{1,3})\s?(?:[aáj]|aa)\b\.?(?:[,;).\n/]|\s{2}|\s*$)|\s([0-9]{1,2})(?-i:a)(?:[,;).\n ]|\s*$)",
    )
});
/// `lat 67`, `anni 63`, `Yaş: 52`, `Edad aparente 35`, `murió a los 19`, `falecido aos 52`.
static LED_AGE: LazyLock<Expression> = LazyLock::new(|| {
    expression(
        r"\b(?:(?:lat|anni|yaş|yaşı|edad(?: aparente)?|età|idade|âge|alter|leeftijd|wiek|alder|ålder|usia|umur|tuổi|věk|vârsta|életkor)\s?[:.]?\s|(?:a los|aos|à l'âge de|im alter von|met)\s)([0-9]{1,3})\b",
    )
});
/// `ochenta y seis años`, `vent'anni`, `dix-sept ans`.
static SPELLED_AGE: LazyLock<Expression> = LazyLock::new(|| {
    expression(
        r"\b((?:(?:once|doce|trece|catorce|quince|dieci\w+|veint\w+|(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)(?: y \w+)?|dez\w{4,}|(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)(?: e \w+)?|(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)\w*|(?:quatre-)?vingt\S*|trente\S*|quarante\S*|cinquante\S*|soixante\S*|dix-\S+))(?:['’]|\s))(?:años|anos|anni|ans)\b",
    )
});

/// Adds dates and ages.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    dates(sentence, findings);
    days(sentence, findings);
    ages(sentence, findings);
}

fn dates(sentence: &str, findings: &mut Findings) {
    for found in DATE.captures_iter(sentence) {
        let Some(whole) = found.get(0) else { continue };
        let range = whole.start()..whole.start() + whole.as_str().trim_end_matches('.').len();
        let has_year = whole.as_str().bytes().rev().take(2).all(|byte| byte.is_ascii_digit());
        let kind = if found.name("day").is_some() && has_year { Kind::DateFull } else { Kind::DatePartial };
        findings.add(range, date(kind), 0.9);
    }
    for expression in [&*ROMAN, &*MONTH, &*PARTIAL, &*DOTTED] {
        for found in expression.captures_iter(sentence).filter_map(|found| found.get(1)) {
            let range = found.start()..found.start() + found.as_str().trim_end_matches('.').len();
            if !findings.covers(&range) {
                findings.add(range, date(Kind::DatePartial), 0.7);
            }
        }
    }
}

fn days(sentence: &str, findings: &mut Findings) {
    for found in DAY.captures_iter(sentence) {
        let kind = if found.get(1).is_some() { Kind::DateHoliday } else { Kind::DateWeekday };
        let Some(word) = found.get(1).or_else(|| found.get(2)) else { continue };
        if !findings.covers(&word.range()) {
            findings.add(word.range(), date(kind), 0.8);
        }
    }
}

fn ages(sentence: &str, findings: &mut Findings) {
    let found = [&*AGE, &*SHORT_AGE, &*LED_AGE, &*SPELLED_AGE].into_iter().flat_map(|age| age.captures_iter(sentence));
    for number in found.filter_map(|found| found.get(1).or_else(|| found.get(2))) {
        let spelled = !number.as_str().starts_with(|c: char| c.is_ascii_digit());
        let range = number.start()..number.start() + number.as_str().trim_end_matches([' ', '\'', '’']).len();
        let years: u32 = match number.as_str().to_lowercase() {
            // What `noventa y tres` is exactly does not matter: it is over 89, and what is not is kept as it is.
            word if ["noventa", "novant", "quatre-vingt-d"].iter().any(|ninety| word.starts_with(ninety)) => 90,
            _ if spelled => 0,
            digits => digits.parse().unwrap_or(u32::MAX),
        };
        let rest = sentence[number.end()..].trim_start();
        // `a los 10 minutos`, `anni 70 %`: an amount.
        if rest.starts_with(['%', '/']) || hours::is_lasting(rest) {
            continue;
        }
        let before = sentence[..number.start()].trim_end().rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("");
        let lasting = listed!(
            before,
            "hace desde seit vor depuis il y durante por pendant sinds gedurende sedan od przez für ha há cada tras nach dopo \
             entro dans voor over alle every x da dal från fra last since als um a"
        );
        // Of Italians `a 9 anni` tells an age.
        let lasting = lasting && !(before.eq_ignore_ascii_case("a") && rest.starts_with("anni"));
        if years <= OLDEST && !lasting && !findings.covers(&range) {
            let kind = if years > 89 { Kind::AgeOver89 } else { Kind::AgeUpTo89 };
            findings.add(range, Class { label: Label::Age, kind }, 0.8);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn dates_of_other_languages() {
        for (sentence, dates) in [
            ("ingresó el 3 de marzo de 2021 por dolor", &["3 de marzo de 2021"] as &[&str]),
            ("Toulouse, le 12 mars 2024, hospitalisée du 4 au 11 mars", &["12 mars 2024", "4 au 11 mars"]),
            ("vom 29.02. bis 08.03.24 stationär und am 4.3. Koloskopie", &["29.02", "08.03.24", "4.3"]),
            ("Internação: 1º de abril de 2023 pela neta", &["1º de abril de 2023"]),
            ("Dimissione 2 febbraio 2024, ricovero in ottobre", &["2 febbraio 2024", "ottobre"]),
            ("opgenomen vrijdag 5 mrt. voor controle, niet nuchter", &["vrijdag 5 mrt"]),
            ("przyjęta 27 września z bólem, pacjent kobieta", &["27 września"]),
            ("Termin am 3. Okt. 2019, vorher 12. Dez. und 4.Okt.2018", &["3. Okt. 2019", "12. Dez", "4.Okt.2018"]),
            ("kontrola 3. ledna 2019", &["3. ledna 2019"]),
            ("vyšetřen 12. října, kontrola 3. dubna 2019", &["12. října", "3. dubna 2019"]),
            ("leikattu 3. lokakuuta 2019 klo 9", &["3. lokakuuta 2019"]),
            ("seit Weihnachten und am Dienstag nicht gut", &["Weihnachten", "Dienstag"]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), dates, "{sentence}");
        }
    }

    #[test]
    fn ages_of_other_languages() {
        for (sentence, ages) in [
            ("paciente de 54 años con dolor, fuma desde hace 20 años", &["54"] as &[&str]),
            ("Mme, 76 ans, traitée depuis 10 ans", &["76"]),
            ("die 61-jährige Patientin und seit 3 Jahren", &["61"]),
            ("la Sua assistita di 84 anni, sposata da 50 anni", &["84"]),
            ("72-jarige man, rookt sinds 40 jaar niet", &["72"]),
            ("señora de noventa y tres años de edad", &["noventa y tres"]),
        ] {
            assert_eq!(found(sentence, &[Label::Age]), ages, "{sentence}");
        }
    }

    #[test]
    fn english_stays_as_it_was() {
        for sentence in ["2 mai tais per night", "mars bar, 3 may help", "Abril called", "do 4/5 strength"] {
            assert_eq!(found(sentence, &[Label::Age]), [] as [&str; 0], "{sentence}");
        }
    }
}
