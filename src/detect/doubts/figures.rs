//! What the signs around a figure say against models' claims on it.
//!
//! ```text
//! stopped [6/12] ago · Review in [10-14d]     how long, as Britons write it, or a span of days: no date, no bed
//! given [10 units] · Percocet [5/325]         a dose, a strength
//! walked [40] ft · P.[01/03]                   a measure, a page
//! note [0715] · 9/6/23 [2314] · out [POD 3]    a clock time, a day after an operation
//! ```

use super::codes;
use super::context::{joined, last_word};
use crate::detect::listed::listed;
use crate::detect::patterns::ages_brief;
use crate::detect::patterns::context::first_word;
use crate::detect::patterns::pairs::{is_scored_pair, is_share};
use crate::detect::patterns::wheals;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Label, Span};

/// Whether a claim is on a figure that is no identifier.
pub(super) fn is_common(sentence: &str, span: &Span) -> bool {
    let words = sentence[span.start..span.end].trim();
    if is_decreased(sentence, span) {
        return true;
    }
    if !words.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    if is_emergency_call(sentence, span) || codes::is_tag(sentence, span) || is_element(&sentence[..span.start], words)
    {
        return true;
    }
    match span.claims[0].class.label {
        Label::Age => {
            is_measure(&sentence[span.end..])
                || is_part_of_value(sentence, span)
                || is_waited(sentence, span)
                || is_course(sentence, span)
                || is_degrees(sentence, span)
                || is_no_age(sentence, span)
                || is_size(sentence, span)
        }
        Label::Date => {
            is_fraction_of_time(sentence, span)
                || is_no_day(sentence, span)
                || is_spine(words)
                || is_strain(&sentence[..span.start])
                || is_page(&sentence[..span.start], words)
                || is_score(words)
                || is_wheal(sentence, span)
                || is_scored(sentence, span)
                || is_secondary(sentence, span)
                || is_result(sentence, span)
                || codes::is_diagnosis(sentence, span)
        }
        Label::Hospital | Label::LocationOther => {
            is_duration(&sentence[..span.start], words)
                || is_dose(words, &sentence[span.end..])
                || is_day_of_stay(words)
                || is_reading(words)
                || is_count(sentence, span)
                || codes::is_procedure(sentence, span)
                || is_clock(sentence, span)
                || is_money(sentence, span)
        }
        Label::Zip => is_clock(sentence, span),
        label if label.is_number() || matches!(label, Label::Username | Label::Phone) => {
            is_section(words, &sentence[span.end..])
                || is_limit(&sentence[..span.start], words)
                || is_row(words)
                || is_short(sentence, span)
                || is_strain(&sentence[..span.start])
                || codes::is_shared(sentence, span)
                || is_clock(sentence, span)
                || is_money(sentence, span)
        }
        _ => false,
    }
}

/// `Dec BS at bases`, `Dec UOP overnight`: less than it was, where what is said begins.
fn is_decreased(sentence: &str, span: &Span) -> bool {
    let (before, after) = (&sentence[..span.start], &sentence[span.end..]);
    let begins = before.is_empty()
        || before.ends_with(['\n', ',', ';', ':'])
        || before.ends_with(". ")
        || before.ends_with(", ");
    let next = after.strip_prefix(' ').map_or("", first_word);
    sentence[span.start..span.end] == *"Dec"
        && span.claims[0].class.label == Label::Date
        && begins
        && listed!(
            next,
            "bs breath uop urine output po intake appetite sensation rom strength sat sats energy lung air movement activity bowel tone \
             reflexes hearing vision balance mobility loc responsiveness pulses perfusion aeration turgor"
        )
}

/// `504 coordinator`, `a 504 plan`: a section of a law by which schools help.
fn is_section(words: &str, after: &str) -> bool {
    matches!(words, "5150" | "5250") && listed!(first_word(after.trim_start()), "hold legal until expires expired")
        || words == "504"
            && listed!(
                first_word(after.trim_start()),
                "plan plans coordinator accommodation accommodations meeting team"
            )
}

/// `40 ft`, `71 mi`: a number with a unit that no age has.
fn is_measure(after: &str) -> bool {
    let unit: &str = after.trim_start_matches([' ', '\u{a0}']);
    let unit = &unit[..unit.find(|c: char| !(c.is_alphabetic() || c == '%')).unwrap_or(unit.len())];
    after.len() - after.trim_start().len() <= 1
        && (unit == "%" || listed!(unit, "cm mm kg lb lbs mi km mg mcg ml mph bpm mmhg ft"))
}

/// `91.2 kg`, `T=61`: a part of a number, or what a value is said to be; but `Age 13.2`, `age at dx = 61`, `1.94yo`.
fn is_part_of_value(sentence: &str, span: &Span) -> bool {
    let (before, after) = (&sentence[..span.start], &sentence[span.end..]);
    let is_digit = |c: char| c.is_ascii_digit();
    let decimal = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_digit))
        || before.strip_suffix('.').is_some_and(|head| head.ends_with(is_digit));
    let head = before.trim_end_matches(|c: char| is_digit(c) || matches!(c, '.' | ' ' | ':'));
    let equal = head.strip_suffix('=');
    let aged = |word: &str| listed!(word, "age aged ages yo");
    let lead = equal.unwrap_or(head).rsplit(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let unit = first_word(after.trim_start_matches([' ', '-']));
    (decimal || equal.is_some()) && !lead.take(3).any(aged) && !listed!(unit, "y yo yof yom yr yrs year years")
}

/// `504 plan`, `death in fam < 50`, `gr 11`, `(7) Cardiac rehab`, `bone age 10y`: more years than anybody lives, a limit, the form of a
/// school, an item of a form, how old a part of somebody looks.
fn is_no_age(sentence: &str, span: &Span) -> bool {
    const OLDEST: u32 = 125;
    let (before, words, after) = (&sentence[..span.start], &sentence[span.start..span.end], &sentence[span.end..]);
    let number: u32 = words.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
    let head = before.trim_end_matches([' ', ':', '.']);
    let aged = || {
        before
            .rsplit(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
            .take(4)
            .any(|word| listed!(word, "age aged ages"))
    };
    let item = before.strip_suffix('(').is_some_and(|lead| lead.is_empty() || lead.ends_with('\n'))
        && after.strip_prefix(") ").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    // What ends there may be the number of a room, whatever it was taken for: `pt: Mrs Church, 427`.
    let goes_on = after.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    number > OLDEST && goes_on
        || item
        || head.ends_with(['<', '>']) && !aged()
        || listed!(last_word(head), "gr grade grades")
        || head
            .strip_suffix("age")
            .is_some_and(|part| listed!(last_word(part), "bone mental developmental lung heart reading gestational"))
}

/// `eTimes.03 19:58`: the number of an element, behind its group.
fn is_element(before: &str, words: &str) -> bool {
    let Some(group) = before.strip_suffix('.') else { return false };
    let letters = group.len() - group.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
    words.len() == 2
        && words.bytes().all(|byte| byte.is_ascii_digit())
        && letters > 3
        && group.as_bytes()[group.len() - letters..].iter().skip(1).any(u8::is_ascii_uppercase)
}

/// `2/2 Charcot`, `2/2 to fall`: secondary to; but `on 2/2 fell`.
fn is_secondary(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, is_of_fraction);
    let behind = sentence[range.end..].strip_prefix(' ').unwrap_or_default();
    &sentence[range.clone()] == "2/2"
        && behind.starts_with(char::is_alphabetic)
        && sentence[..range.start].ends_with(' ')
        && !listed!(
            last_word(&sentence[..range.start]),
            "on since by from until till for of dated date dos seen f u appt and to before after last next through thru \
             mon tue tues wed weds thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday"
        )
}

/// `QFT 4.12`, `A1c 9.1`: what a test tells, behind its letters; but `DOB 4.12`.
fn is_result(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, |c| c.is_ascii_digit() || c == '.');
    let test = last_word(&sentence[..range.start]);
    let parts = sentence[range.clone()].trim_end_matches('.').split_once('.');
    let decimal = parts.is_some_and(|(whole, rest)| !whole.is_empty() && !rest.is_empty() && !rest.contains('.'));
    let capitals = test.bytes().filter(u8::is_ascii_uppercase).count();
    const TESTS: WordFlags = WordFlags::ABBREVIATION.union(WordFlags::MEDICAL);
    decimal
        && sentence[..range.start].ends_with(' ')
        && capitals > 1
        && Lexicon::shared().word(test).is_any(TESTS)
        && !listed!(test, "dob dos doa dod dc fu rtc appt lmp edd edc est adm admit surgery sx since on")
}

/// `-664.64`, `212.00`, `1,842.00` in a bill: an amount to the cent.
fn is_money(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, |c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '$'));
    let amount = sentence[range.clone()].trim_start_matches(['-', '$']).trim_end_matches([',', '.']);
    let Some((whole, cents)) = amount.split_once('.') else { return false };
    let free = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let thousands = whole.split(',').skip(1).all(|group| group.len() == 3);
    cents.len() == 2
        && cents.bytes().all(|byte| byte.is_ascii_digit())
        && (1..=3).contains(&whole.split(',').next().map_or(0, str::len))
        && whole.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
        && thousands
        && free(sentence[..range.start].chars().next_back())
        && free(sentence[range.end..].chars().next())
}

/// `RTC 18mo`, `f/u 6 mo`: after how long somebody comes again; but `for 4 month WCC`.
fn is_waited(sentence: &str, span: &Span) -> bool {
    let behind = sentence[span.start..].trim_start_matches(|c: char| c.is_ascii_digit());
    let unit = behind.trim_start_matches([' ', '-']);
    let word = first_word(unit);
    let next = first_word(unit[word.len()..].trim_start_matches([' ', '-']));
    listed!(word, "d day days w wk wks week weeks mo mos month months")
        && !listed!(next, "old of wcc well check checkup visit infant baby boy girl male female m f")
        && is_before_wait(&sentence[..span.start])
}

/// `6 wk dapto`, `10-14 d course`: days or weeks of what is given or done; but `3 d/o M`, `a 6 wk old`, `8 wk hispanic boy`.
fn is_course(sentence: &str, span: &Span) -> bool {
    const GIVEN: WordFlags = WordFlags::DRUG.union(WordFlags::MEDICAL);
    let range = joined(sentence, span, |c| c.is_ascii_digit() || matches!(c, '-' | '–'));
    let unit = sentence[range.end..].trim_start_matches([' ', '-']);
    let word = first_word(unit);
    let rest = &unit[word.len()..];
    let next = first_word(rest.trim_start_matches([' ', '-']));
    let infant = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(4).any(|word| {
        listed!(
            word,
            "old o age infant baby boy girl male female m f newborn neonate premie preemie preterm term aga sga lga twin wcc well check ex"
        )
    });
    listed!(word, "d day days w wk wks week weeks h hr hrs hour hours")
        && !rest.starts_with('/')
        && !infant
        && (listed!(next, "course abx iv po taper supply trial then")
            || Lexicon::shared().word(next).is_any(GIVEN)
            || listed!(last_word(&sentence[..range.start]), "los"))
}

/// `called 911`: for help; a room, a box and a record may be numbered so.
fn is_emergency_call(sentence: &str, span: &Span) -> bool {
    let numbered = matches!(
        span.claims[0].class.label,
        Label::MedicalRecord | Label::Account | Label::HealthPlan | Label::License | Label::Device | Label::Vehicle
    );
    sentence[span.start..span.end].trim() == "911"
        && !numbered
        && !listed!(
            last_word(sentence[..span.start].trim_end_matches(['#', ' ', ':'])),
            "room rm bed bay apt apartment unit suite ste box no x ext pager pgr mrn acct account case locker lot code engine medic"
        )
}

/// `25F RFV`, `200J`: the size of a tube in French, the strength of a shock.
fn is_size(sentence: &str, span: &Span) -> bool {
    let words = &sentence[span.start..span.end];
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let range = span.start..span.start + digits;
    match &sentence[range.end..] {
        rest if rest.starts_with('F') => digits > 0 && ages_brief::is_size(sentence, &range),
        rest => digits == 3 && rest.strip_prefix('J').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)),
    }
}

/// Whether a text ends in what a time is waited for or counted from: `RTC`, `f/u in`, `every`.
fn is_before_wait(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '~']);
    before.ends_with("f/u")
        || before.ends_with("F/U")
        || listed!(
            last_word(before),
            "in within for after every q over past last next rtc rto fu followup recheck repeat return"
        )
}

/// `5/325`, `14/14`, `20/200`: two numbers of which no day and month and no month and year can be made; `9/12 (75%)`: a share.
fn is_no_day(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, is_of_fraction);
    let (token, after) = (&sentence[range.clone()], &sentence[range.end..]);
    let is_month = |number: u32| (1..=12).contains(&number);
    if let Some((first, second)) = token.split_once('/').filter(|(_, rest)| rest.contains('/')) {
        let small = |part: &str| part.len() <= 2 && part.parse().is_ok_and(|number| !is_month(number));
        return small(first) && second.split('/').all(small);
    }
    let Some((first, second)) = token.split_once('/') else { return false };
    let (Ok(one), Ok(other)) = (first.parse::<u32>(), second.parse::<u32>()) else { return false };
    first.len() == 3
        || second.len() == 3
        || first.len() <= 2 && second.len() <= 2 && !is_month(one) && !is_month(other)
        || is_share((one, other), after)
}

/// Whether a character is part of a fraction: `14/14`.
const fn is_of_fraction(c: char) -> bool {
    c.is_ascii_digit() || c == '/'
}

/// `oak 4/11 birch 8/28`: how large skin tests were.
fn is_wheal(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, is_of_fraction);
    let parts = sentence[range.clone()].split('/');
    parts.clone().count() == 2
        && parts.into_iter().all(|part| matches!(part.len(), 1 | 2))
        && wheals::is_wheal(sentence, last_word(&sentence[..range.start]))
}

/// `Pupils 4/2`, `blood cx 2/4`, `NIPPV 20/6`: what patterns leave alone for the words around it.
fn is_scored(sentence: &str, span: &Span) -> bool {
    is_scored_pair(sentence, &joined(sentence, span, is_of_fraction))
}

/// `L3-4`, `C5/6`: between which bones of the spine.
fn is_spine(words: &str) -> bool {
    let Some(rest) = words.strip_prefix(['C', 'T', 'L', 'S']) else { return false };
    let bones = rest.split(['-', '/', '–']).map(|bone| bone.trim_start_matches(['C', 'T', 'L', 'S']));
    let is_bone = |bone: &str| bone.parse().is_ok_and(|bone: u32| (1..=12).contains(&bone));
    rest.len() <= 6 && bones.clone().count() > 1 && bones.clone().all(is_bone)
}

/// `A/Victoria/4897/2022`: a strain of a virus.
fn is_strain(before: &str) -> bool {
    let place = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '/');
    let strain = place.trim_end_matches(|c: char| c.is_alphabetic() || c == ' ');
    before.ends_with('/')
        && place.len() > strain.len() + 2
        && strain
            .strip_suffix('/')
            .and_then(|head| head.strip_suffix(['A', 'B']))
            .is_some_and(|head| !head.ends_with(char::is_alphanumeric))
}

/// `Temp was 29 F`, `19 F, wind chill`: so warm. What is said farther off is said of a patient of so many years, `62 F w/ temp 101`.
fn is_degrees(sentence: &str, span: &Span) -> bool {
    let after = sentence[span.end..].strip_prefix(' ').unwrap_or(&sentence[span.end..]);
    let Some(rest) = after.strip_prefix(['F', 'C']) else { return false };
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == '/') {
        return false;
    }
    let is_cue = |word: &str| listed!(word, "temp temperature tmax chill index fridge freezer");
    let mut before = sentence[..span.start].rsplit(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let lead = before.next().unwrap_or_default();
    let behind = rest.trim_start_matches([',', ' ']);
    let (next, more) = behind.split_at(first_word(behind).len());
    is_cue(lead)
        || listed!(lead, "was is of at") && before.next().is_some_and(is_cue)
        || listed!(next, "wind heat") && is_cue(first_word(more.trim_start_matches(' ')))
}

/// A digit by itself, where nothing beside it tells of a room: `bed 4` and `4 West` are some, `Old 2s` and `4 physio bd` are none.
fn is_count(sentence: &str, span: &Span) -> bool {
    let (before, words) = (&sentence[..span.start], &sentence[span.start..span.end]);
    let next = first_word(sentence[span.end..].trim_start_matches([' ', '-']));
    words.len() == 1
        && words.bytes().all(|byte| byte.is_ascii_digit())
        && !listed!(
            next,
            "west east north south tower floor flr fl center main icu micu sicu ccu tele medsurg ortho onc cardiac peds"
        )
        && !listed!(
            last_word(before.trim_end_matches(['#', ' ', '.', ':', '-', '('])),
            "room rm bed bay bays suite unit pod floor flr fl level ward wing station stn door slot chair or ot theatre icu tower building \
             bldg hall cottage lodge team module side zone apt clinic site desk to on from in lab pacu nicu picu micu sicu ccu er ed trauma \
             resus endo pavilion pav exam cubicle cot crib cell box dorm ste op mri ct triage tele"
        )
}

/// `20    310   310`: the cells of a row of measurements.
fn is_row(words: &str) -> bool {
    let mut cells = words.split_whitespace();
    words.contains("  ") && cells.all(|cell| cell.len() <= 3 && cell.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `1 MG #240`, `Tdap     115     6/14/24`: tablets, or a cell of a table with too few digits for a number of somebody.
fn is_short(sentence: &str, span: &Span) -> bool {
    let (before, after, words) = (&sentence[..span.start], &sentence[span.end..], &sentence[span.start..span.end]);
    let tablets = before
        .strip_suffix('#')
        .is_some_and(|head| listed!(last_word(head), "mg mcg ml tabs tab caps cap disp qid tid bid daily qd qhs"));
    let cue = last_word(before.trim_end_matches([' ', '#', ':', '.', '(']));
    let cell = before.ends_with("  ")
        && after.starts_with("  ")
        && !listed!(
            cue,
            "x ext extension p pgr pager page beeper bleep id no num number badge case locker box code pin mrn acct account claim sn lot \
             serial plate unit crew phone tel vocera spectralink desk ssn tag specimen job route chart subject participant"
        );
    words.len() <= 3 && words.bytes().all(|byte| byte.is_ascii_digit()) && (tablets || cell)
}

/// `call if >147`: a limit, and no number of anybody; but `<MRN>447`, `Ann <5550147>`.
fn is_limit(before: &str, words: &str) -> bool {
    let Some(head) = before.trim_end_matches(' ').strip_suffix(['<', '>', '≤', '≥']) else { return false };
    words.len() <= 3 && head.ends_with([' ', '(']) && head.trim_end_matches([' ', '(']).ends_with(char::is_alphabetic)
}

/// `4/7 ago`, `last 2/12`, `3/52 hx`: days, weeks or months by their number.
fn is_fraction_of_time(sentence: &str, span: &Span) -> bool {
    let range = joined(sentence, span, is_of_fraction);
    let (before, after) = (&sentence[..range.start], &sentence[range.end..]);
    let Some((_, unit)) = sentence[range].split_once('/') else { return false };
    matches!(unit, "7" | "12" | "52")
        && (listed!(first_word(after.trim_start()), "ago hx history")
            || listed!(last_word(before), "past last every another bd tds qds nocte mane"))
}

/// `Review in 10-14d`, `for 6 weeks`.
fn is_duration(before: &str, words: &str) -> bool {
    let unit = words.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | ' ' | '/'));
    listed!(unit, "d day days w wk wks week weeks mo mos month months h hr hrs hours y yr yrs min mins")
        && (is_before_wait(before) || listed!(last_word(before), "to x about"))
}

/// `10 units`, `2.5mg`, `40` before ` mcg`: an amount in a unit that no room is called by.
fn is_dose(words: &str, after: &str) -> bool {
    let inside = words.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '/'));
    let behind = after.strip_prefix(' ').unwrap_or(after);
    let behind = &behind[..behind.find(|c: char| !(c.is_alphabetic() || c == '/')).unwrap_or(behind.len())];
    let unit = if inside.is_empty() { behind } else { inside.trim_start_matches(' ') };
    inside.len() < words.len()
        && listed!(unit, "mg mcg ml units iu meq mmol cc kg lbs mmhg bpm mg/dl ml/hr mcg/hr mg/kg mcg/kg units/hr")
}

/// `POD 3`, `DOL#2`: a day after an operation or a birth.
fn is_day_of_stay(words: &str) -> bool {
    let digits = words.trim_end_matches(|c: char| c.is_ascii_digit());
    digits.len() < words.len() && listed!(digits.trim_end_matches([' ', '#']), "pod dol")
}

/// `0715`, `0510 0455 0520`: times of day, where no word before them tells of a number, of a telephone or of a room.
fn is_clock(sentence: &str, span: &Span) -> bool {
    let words = sentence[span.start..span.end].trim();
    let (before, after) = (&sentence[..span.start], &sentence[span.end..]);
    let clock = |group: &str| {
        let number = group.parse::<u32>().ok().filter(|_| group.len() == 4);
        number.is_some_and(|number| number < 2400 && number % 100 < 60)
    };
    let joined = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '.' | '#' | '(' | '+'))
        || after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '#' | ')'));
    let cued = listed!(
        last_word(before),
        "ext extension x pager pgr page beeper bpr ph phone tel telephone cell call dial fax room rm bed suite apt unit icu bldg code pin \
         last ending id mrn acct account case box badge door gate lot sn serial no number nr po line desk vm voicemail at is flr floor pod \
         bay or station"
    );
    // `1900-0700` is a shift.
    let shift = words.split_once('-').is_some_and(|(from, until)| clock(from) && clock(until));
    (shift || words.split(' ').all(clock)) && !joined && (!cued || words.contains(' '))
}

/// `CPAP 12`, `MIC 3`, `RR 48`: what a machine is set to or a test tells; no ward is called so.
fn is_reading(words: &str) -> bool {
    let number = words.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let measured = &words[..words.len() - number.len()];
    number.starts_with([' ', ':', '='])
        && {
            let number = number.trim_start_matches([' ', ':', '=']);
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'/' | b'-'))
        }
        && listed!(
            measured,
            "cpap bipap bpap avaps epap ipap peep hfnc mic rr hr bp sbp dbp map sat sats spo2 temp tmax wt bmi ef lvef inr ptt hgb hct wbc \
         plt plts egfr gfr crp esr tsh bnp psa anc ast alt bun bg fsbg bs glu trop ldl hdl cd4 ph pco2 po2 ebl uop"
        )
}

/// `THI 46`, `PHQ-9 12`: the points of a scale.
fn is_score(words: &str) -> bool {
    let points = words.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let scale = &words[..words.len() - points.len()];
    points.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b':' | b'/' | b'-'))
        && listed!(
            scale,
            "thi tfi hhie phq gad moca mmse slums gds bdi epds isi bims aims cows ciwa asrs mdq nihss gcs kps ecog odi ndi womac \
             lefs fga dgi edss"
        )
}

/// `P.01/03`, `page 2/7`.
fn is_page(before: &str, words: &str) -> bool {
    let lead = before.trim_end_matches([' ', '.']);
    words.len() <= 7 && words.contains('/') && listed!(last_word(lead), "p pg page pp")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Detector;
    use proptest::prelude::*;

    fn common(marked: &str, label: Label) -> bool {
        let (start, end) = (marked.find('[').unwrap(), marked.find(']').unwrap());
        let sentence = marked.replacen(['['], "", 1).replacen([']'], "", 1);
        is_common(&sentence, &Span::new(start, end - 1, label, Detector::Transformer, 0.9))
    }

    #[test]
    fn durations_measures_and_pages_are_no_identifiers() {
        for marked in ["Pupils [4/2] sluggish", "Pos blood cx [2/4], bottles", "Attendance ([6/8]): Ann"] {
            assert!(common(marked, Label::Date), "{marked}");
        }
        assert!(!common("seen [4/2] in clinic", Label::Date));
        assert!(common("Percocet [5/325] q6", Label::Date));
        assert!(common("Grip [31/29/30] left", Label::Date));
        assert!(common("epidural at [L3-4] 0140", Label::Date));
        assert!(common("flu: A/Thailand/[8/2022], mild", Label::Date));
        assert!(common("Temp was [29] F", Label::Age));
        assert!(common("[504] plan on file", Label::Age));
        assert!(common("sudden death in fam < [50]: Y", Label::Age));
        assert!(common("sex M  gr [11]  school", Label::Age));
        assert!(common("____\n([7]) Cardiac rehab", Label::Age));
        assert!(common("speech delay, bone age [10]y6m", Label::Age));
        assert!(common("eTimes.[03] 19:58:40", Label::Date));
        assert!(common("L TTA 1/2024 [2/2] Charcot", Label::Date));
        assert!(common("weak, QFT [4.12]. LFT", Label::Date));
        assert!(common("-1,011.20  -[664].64    166.16", Label::IdNum));
        assert!(common("visit   212.[00]    -118.40", Label::Phone));
        assert!(common("Old [2]s thrown out", Label::Hospital));
        assert!(common("00 [240   240   151]", Label::IdNum));
        assert!(common("1 MG #[240] RX", Label::IdNum));
        assert!(common("narc count [14/14] ok", Label::Date));
        assert!(common("oak 4/11, dust mite [8]/22, saline 0/2", Label::Date));
        assert!(!common("cat bite on [8/22], dog 3/4", Label::Date));
        assert!(common("(0018,[0087]) DS [3]", Label::Phone));
        assert!(!common("(call 0018,[0087])", Label::Phone));
        assert!(common("bundle met [9/12] (75%)", Label::Date));
        assert!(common("44 M / [91].2 kg", Label::Age));
        assert!(common("Conners T=[61] (teacher)", Label::Age));
        assert!(common("records; RTC [18]mo or new", Label::Age));
        assert!(common("f/u [4w]. crisis", Label::Hospital));
        assert!(common("Call if >[147].", Label::Phone));

        assert!(common("stopped [6/12] ago", Label::Date));
        assert!(common("regular partner last 2/[12].", Label::Date));
        assert!(common("Review in [10-14d] if no better", Label::Hospital));
        assert!(common("faxed P.[01/03]", Label::Date));
        assert!(common("MRI IAC. [THI 46].", Label::Date));
        assert!(common("OSA on [CPAP 12], own machine", Label::Hospital));
        assert!(common("dapto [MIC 3] is SDD", Label::Hospital));
        assert!(common("screens: [PHQ-9 12], GAD", Label::Date));
        assert!(common("says [40] ft with frame", Label::Age));
        assert!(common("9/6/23 [2314]", Label::Phone));
        assert!(common("NURSING NOTE [0715] pt awake", Label::IdNum));
        assert!(common("sitter Osei [1900-0700] here", Label::Phone));
        assert!(common("cannulated, [25F] RFV", Label::Age));
        assert!(common("VF [200J], epi", Label::Age));
        assert!(!common("seen, [25F] here with mother", Label::Age));
        assert!(common("Foley out [POD 3], TOV", Label::Hospital));
        assert!(common("glargine [10 units] at night", Label::Hospital));
        assert!(common("lasix [40] mg at noon", Label::Hospital));
    }

    #[test]
    fn dates_beds_ages_and_numbers_of_one_stay() {
        assert!(!common("seen [14/3] in clinic", Label::Date));
        assert!(!common("seen [14/3/30] in clinic", Label::Date));
        assert!(!common("a [29] F with pain", Label::Age));
        assert!(!common("moved to bed [4]", Label::Hospital));
        assert!(!common("call x[147]", Label::Phone));
        assert!(!common("Bartell Drugs #[47], ready", Label::IdNum));
        assert!(!common("desk (218) [555]-0147", Label::Phone));
        assert!(!common("since [3/98] well", Label::Date));
        assert!(!common("seen on [2/2] fell again", Label::Date));
        assert!(!common("DOB [4.12] or so", Label::Date));
        assert!(!common("ages > [90] only", Label::Age));
        assert!(!common("pt: Mrs Church, [427]\nAsked", Label::Age));
        assert!(!common("call 218.555.[0147]", Label::Phone));
        assert!(!common("10.0.[12].77", Label::IpAddr));
        assert!(!common("mom ([41]) Works nights", Label::Age));
        assert!(!common("moved -> [4471] now", Label::Phone));
        assert!(!common("Age [13].2 Chart", Label::Age));
        assert!(!common("1.[94]yo M found down", Label::Age));
        assert!(!common("here for [4] month WCC", Label::Age));
        assert!(!common("[62] F with temp 101", Label::Age));
        assert!(!common("cath on [9/12] (80% LAD)", Label::Date));
        assert!(!common("MRSA swab/[3/14] neg", Label::Date));
        assert!(!common("<MRN>[447]</MRN>", Label::MedicalRecord));
        assert!(!common("Bed: [4], stable", Label::Hospital));
        assert!(!common("moved to [4] West", Label::Hospital));
        assert!(!common("badge [412], called", Label::IdNum));
        assert!(!common("age=[61], well", Label::Age));
        assert!(!common("sister [4] mo old", Label::Age));

        assert!(!common("seen [6/12] in clinic", Label::Date));
        assert!(!common("appt is for [6/12]", Label::Date));
        assert!(!common("seen [Mar 12] in clinic", Label::Date));
        assert!(!common("due [FY 22]", Label::Date));
        assert!(!common("moved to [5W-18] last night", Label::Hospital));
        assert!(!common("moved to [MICU 12] last night", Label::Hospital));
        assert!(!common("mother [40] m. 2001", Label::Age));
        assert!(!common("Grp [0058813]", Label::HealthPlan));
        assert!(!common("case [4471-88]", Label::IdNum));
        assert!(!common("account number [4471880]", Label::IdNum));
        assert!(!common("moved to [Unit 4] last night", Label::Hospital));
        assert!(!common("moved to [12U] last night", Label::Hospital));
        assert!(!common("in bed [12], 40 mg given", Label::Hospital));
        assert!(!common("a [43] M", Label::Age));
        assert!(!common("call RN at [2314]", Label::Phone));
        assert!(!common("desk x[2314]", Label::Phone));
        assert!(!common("to room [1142]", Label::Hospital));
        assert!(!common("lives in [0290]", Label::Zip));
    }

    proptest! {
        #[test]
        fn any_claim_is_judged(text in "\\PC{1,30}|[0-9/ .a-z-]{1,30}", from in 0_usize..30, length in 1_usize..12, label in 0_usize..28) {
            let on = |mut at: usize| { at = at.min(text.len()); while !text.is_char_boundary(at) { at -= 1; } at };
            let span = Span::new(on(from), on(from + length), Label::ALL[label], Detector::Transformer, 0.9);
            if !span.is_empty() {
                is_common(&text, &span);
            }
        }
    }
}
