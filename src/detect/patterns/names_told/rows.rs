//! Patients in the rows of a list, behind their room and before their age and sex: `8204 Reading 91M asp pna`, `412B Best, A 44 F`.

use std::sync::LazyLock;

use regex::Regex;

use super::is_term;
use crate::detect::listed::listed;
use crate::detect::patterns::ages::class;
use crate::detect::patterns::expression;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::lexicon::Lexicon;
use crate::phi::Label;

/// A room, one to three words that may be a name, an age and a sex.
static ROW: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"^[ \t]{0,4}((?:(?-i:[A-Z]{0,2})[0-9]{2,4}(?-i:[A-Z])?|[0-9]{1,2}(?-i:[A-Z])[0-9]{2})(?:-[0-9a-z])?)[:.)]?[ \t]{1,4}((?u:\p{L}[\p{L}'’-]+)(?:,?[ \t](?u:\p{L}[\p{L}'’-]*)\.?){0,3}),?[ \t]{1,6}([0-9]{1,3})[ \t]?(?:y/?o?[ \t]?)?[mf]\b",
    )
});
/// The row of a log of screening: the number of a subject, the initials, a day: `017-0041  L-B   12FEB58`.
static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"^[ \t]{0,4}[0-9]{2,4}-[0-9]{3,5}[ \t|,]{1,8}((?-i:[A-Z](?:-|[A-Z])[A-Z]))[ \t|,]{1,8}(?:[0-9]{1,4}[-/. ]?(?:[a-z]{3}|[0-9]{1,2})|unk)",
    )
});
/// What has a number before it and a size or a temperature behind it.
const MEASURED: &str = "temp temps tmax fever units tabs tab caps hr bp rr wt weight height foley cath catheter lumen french sheath tube temperature \
                        room bed male female white black hispanic asian caucasian pleasant patient pt today tonight noon midnight new old \
                        beds days admit admits discharge census total age ages transfer empty";

/// So many bear a name.
const BORNE: u32 = 300;

/// Adds the room, the patient and the age of such rows.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 3 {
        return;
    }
    for (start, line) in survey.lines(sentence) {
        if !line.trim_start_matches([' ', '\t']).starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase()) {
            continue;
        }
        if let Some(initials) = SUBJECT.captures(line).and_then(|row| row.get(1)) {
            let range = start + initials.start()..start + initials.end();
            if !findings.covers(&range) {
                findings.add(range, Label::Patient, 0.75);
            }
            continue;
        }
        let Some(row) = ROW.captures(line) else { continue };
        let (Some(room), Some(name), Some(age)) = (row.get(1), row.get(2), row.get(3)) else { continue };
        // Where so much tells a patient, a word that many are called is one, whatever it means besides.
        let is_borne = |word: &str| Lexicon::shared().word(word).surname_count >= BORNE;
        let is_other = |word: &str| listed!(word, MEASURED) || is_term(word) && !is_borne(word);
        let years = age.as_str().parse().unwrap_or(0);
        let mut words = name.as_str().split([' ', ',', '\t', '.']).filter(|word| !word.is_empty());
        let written = words.clone().all(|word| word.starts_with(char::is_uppercase));
        let many = words.clone().count() > 3;
        let small = || is_small_name(words.clone(), room.as_str(), &line[age.end()..]);
        if !(1..=115).contains(&years) || if written { many || words.any(is_other) } else { !small() } {
            continue;
        }
        let (room, name, age) = (room.range(), name.range(), age.range());
        for (range, class) in [(room, Label::Hospital.into()), (name, Label::Patient.into()), (age, class(years))] {
            let range = start + range.start..start + range.end;
            if !findings.covers(&range) {
                findings.add(range, class, 0.85);
            }
        }
    }
}

/// `8E07 love 91F`, `8E11-B de la torre-quispe 28M`: names in small letters, before an age with its sex right behind it.
fn is_small_name<'w>(mut words: impl Iterator<Item = &'w str>, room: &str, behind: &str) -> bool {
    let is_name = |word: &str| {
        let info = Lexicon::shared().word(word);
        let borne = info.surname_count.max(info.given_count) >= BORNE;
        !listed!(word, MEASURED)
            && (borne || info.flags.is_empty() || word.len() == 1 || listed!(word, "de la del van von da dos el al"))
    };
    // `0400 high 101F`: a time and a temperature, where no floor is told.
    room.contains(|c: char| c.is_ascii_alphabetic()) && behind.starts_with(['M', 'F']) && words.all(is_name)
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn who_lies_in_which_room() {
        for (sentence, told) in [
            ("8204 Reading 91M asp pna, DNR/DNI", &["8204", "Reading", "91"] as &[&str]),
            ("412B Best, A 44 F s/p CABG", &["412B", "Best, A", "44"]),
            ("MB07 Ocean Vandermolen 19 yo M", &["MB07", "Ocean Vandermolen", "19"]),
            ("017-0041  L-B   12FEB58    03JUN25", &["L-B"]),
            ("8E02 rice, d 66M nstemi s/p DES to LAD", &["8E02", "rice, d", "66"]),
            ("8E07 love 91F urosepsis, ecoli", &["8E07", "love", "91"]),
            ("8E11-B de la torre-quispe 28M flare", &["8E11-B", "de la torre-quispe", "28"]),
            ("0600 ng 18F placed", &[]),
            ("1430 pt given 20 mg", &[]),
            ("0815 Temp 98F oral", &[]),
            ("1200 Foley 16F placed", &[]),
            ("30 Tabs 45 mg", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Hospital, Label::Patient, Label::Age]), told, "{sentence}");
        }
    }
}
