//! Ages over 89 that hardly anything tells: `widowed, now 93, lives alone`, `At 103, she still drives`, `Loretta 96.`, `Loretta is 97.`
//!
//! Of these alone the number identifies somebody, so less is asked here than of younger ages: that a person is spoken of, and that nothing
//! which is measured, scored or counted stands beside the number. A pulse, a pressure and a saturation are as large.

use std::ops::{Range, RangeInclusive};

use super::ages_lived::{ends_here, words_before};
use super::ages_named::{ends_in_full_name, ends_in_given_name};
use super::context::{byte_at, first_run, first_word, word_before};
use crate::detect::listed::listed;

/// The ages that are judged; nobody is older.
const AGES: RangeInclusive<u32> = 90..=115;
/// So many bear a given name that tells a person.
const BEARERS: u32 = 500;
/// Who may be so old.
const PERSONS: &str = "she he pt patient resident client woman man lady gentleman widow widower widowed mother father mom mum dad \
                       grandmother grandfather grandma grandpa wife husband spouse sister brother aunt uncle neighbor neighbour \
                       veteran mr mrs ms miss who she's he's i'm born birthday retired retiree";
/// What is measured, scored or counted in numbers as large.
const MEASURED: &str = "temp temps tmax temperature fever fevers febrile afebrile degrees t hr pulse pulses rate rates rr bp sbp dbp map \
                        pressure pressures systolic diastolic sat sats satting sating saturation saturations saturating desat desats \
                        desatted desaturated spo2 sao2 o2 oxygen ox ra air nc pulsox po2 pco2 pao2 glucose sugar sugars bg bgs fsbg bs \
                        accucheck accuchecks fingerstick fingersticks weight wt wts weighs weighed weighing lb lbs kg pounds bmi height ht \
                        ef lvef egfr gfr cr creatinine na sodium k cl chloride bun wbc hgb hct plt plts platelet platelets mcv ferritin ldl \
                        hdl chol cholesterol tg trig inr alt ast alk bili troponin score scores scored scoring scale gcs moca mmse kps \
                        braden morse phq percent percentile rom arom prom flexion extension abduction angle cobb goal target dose doses \
                        units mg mcg ml drip level levels reading readings value values count counts setting settings peep fio2 vent tv \
                        cpap bipap flow peak fev1 fvc iop tachy tachycardic tachycardia bradycardic bradycardia hypotensive hypertensive \
                        vitals vs vss lactate bnp psa a1c cea afp tsh page room rm bed suite apt unit floor station highway route exit \
                        step steps feet ft meters miles mph db hz questions items points watts mets pack packs channel line lot box \
                        sinus rhythm nsr afib rvr paced lowest highest nadir trough max min output outputs drain drained";

/// Whether the number at `range` is the age of somebody very old.
pub(super) fn tells(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    AGES.contains(&value)
        && (by_now(sentence, range)
            || at(sentence, range)
            || behind_name(sentence, range)
            || is_said(sentence, range)
            || is_lived(sentence, range)
            || before_person(sentence, range))
        && !is_measured(sentence, range)
}

/// `widowed, now 93, lives alone`, `Her sister is well, now 97.`: somebody is spoken of, or the age stands between commas by itself.
fn by_now(sentence: &str, range: &Range<usize>) -> bool {
    let lead = [" now ", " Now ", "(now "].iter().find_map(|now| sentence[..range.start].strip_suffix(now));
    let begins = range.start == "Now ".len() && sentence.starts_with("Now ");
    let Some(lead) = lead.or(begins.then_some("")) else { return false };
    let apart = lead.ends_with(',') && byte_at(sentence, range.end) == b',';
    let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let counted = || words_before(sentence, range.start).take(6).any(has_digit);
    goes_on(sentence, range.end) && (is_of_somebody(sentence, range) || apart && !counted())
}

/// `At 103, she still drives`, `but at 97 he is frail`: at the beginning of what is said.
fn at(sentence: &str, range: &Range<usize>) -> bool {
    let Some(lead) = ["at ", "At "].iter().find_map(|at| sentence[..range.start].strip_suffix(at)) else {
        return false;
    };
    let bare = lead.trim_end_matches(' ');
    let opens = bare.is_empty()
        || bare.ends_with([',', ';', '.', '(', '–', '—', '\n', '"'])
        || bare.len() < lead.len() && listed!(word_before(sentence, lead.len()), "and but even still so because that");
    let rest = &sentence[range.end..];
    let Some(rest) = rest.strip_prefix(',').unwrap_or(rest).strip_prefix(' ') else { return false };
    let next = first_run(rest, |byte| byte.is_ascii_alphabetic() || *byte == b'\'');
    opens
        && listed!(
            next,
            "she he she's he's i mom mum dad mother father grandma grandpa grandmother grandfather pt patient"
        )
}

/// `Loretta 96.`, `Olga Petrov 101, lives alone`, `Wilma Stoltz, a hundred and three.`
fn behind_name(sentence: &str, range: &Range<usize>) -> bool {
    let Some(head) = sentence[..range.start].strip_suffix(' ').filter(|head| !head.ends_with(' ')) else {
        return false;
    };
    let head = head.strip_suffix(',').unwrap_or(head);
    let name = head.rsplit(' ').next().unwrap_or_default();
    let treats = listed!(word_before(sentence, head.len() - name.len()), "dr drs doctor prof rn md np pa");
    !treats && ends_here(sentence, range.end) && (ends_in_given_name(head, BEARERS, true) || ends_in_full_name(head))
}

/// `Loretta is 97.`, `lives with a sister who is 95.`
fn is_said(sentence: &str, range: &Range<usize>) -> bool {
    let Some(head) = sentence[..range.start].strip_suffix(' ') else { return false };
    let mut words = words_before(head, head.len()).peekable();
    while words.next_if(|word| listed!(word, "now only just already almost nearly still")).is_some() {}
    let says = words.next().is_some_and(|verb| listed!(verb, "is was turned turns"));
    says && goes_on(sentence, range.end) && words.next().is_some_and(is_somebody)
}

/// `"I'm a hundred and two and I still drive"`, `a tough old bird of a hundred and three`: hardly anything but years is told so, where it
/// is no fever.
pub(super) fn is_said_in_words(sentence: &str, range: &Range<usize>) -> bool {
    let lead = words_before(sentence, range.start).next().unwrap_or_default();
    goes_on(sentence, range.end)
        && !is_measured(sentence, range)
        && (listed!(lead, "i'm i am is was she's he's of turned turns now almost nearly") || is_somebody(lead))
}

/// `Age at death: 96`, `lived to be 94`, `died aged 93`, `She is nearly 95.`
fn is_lived(sentence: &str, range: &Range<usize>) -> bool {
    let lead = sentence[..range.start].trim_end_matches([' ', ':', '\n']);
    let mut words = words_before(lead, lead.len());
    let [last, before, first] = [(); 3].map(|()| words.next().unwrap_or_default());
    let death = listed!(last, "death demise passing") && listed!(before, "at") && listed!(first, "age aged");
    let lived = listed!(last, "be") && listed!(before, "to") && listed!(first, "lived living live lives")
        || listed!(last, "to age") && listed!(before, "lived to at")
        || listed!(last, "aged age at") && listed!(before, "died passed deceased death d expired");
    let nearly = listed!(last, "nearly almost")
        && (listed!(before, "she's he's") || is_somebody(before) || listed!(before, "is was") && is_somebody(first));
    death || lived || nearly && ends_here(sentence, range.end)
}

/// `94 yrs, lives alone`: a line that begins with the years by themselves.
pub(super) fn in_years(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let Some(rest) = sentence[range.end..].strip_prefix(' ') else { return false };
    let unit = first_word(rest);
    let behind = rest[unit.len()..].trim_start_matches(' ');
    AGES.contains(&value)
        && sentence[..range.start].trim_end_matches([' ', '-']).is_empty()
        && listed!(unit, "yrs years yr")
        && (behind.is_empty() || behind.starts_with([',', ';', '.', '\n']))
}

/// `this 101 gentleman`, `a 94 wm w/ CHF`: before who is so old.
fn before_person(sentence: &str, range: &Range<usize>) -> bool {
    let rest = &sentence[range.end..];
    let next = rest.strip_prefix(' ').map_or("", first_word);
    let lead = word_before(sentence, range.start);
    let begins = sentence[..range.start].trim_end_matches(' ').is_empty() || sentence[..range.start].ends_with(": ");
    let article = listed!(lead, "a an this that");
    article && listed!(next, "gentleman lady man woman male female")
        || (article || begins) && listed!(next, "wm wf bm bf hm hf aam aaf")
}

/// Whether nothing behind the number is counted by it.
fn goes_on(sentence: &str, at: usize) -> bool {
    let next = first_word(sentence[at..].strip_prefix(' ').unwrap_or_default());
    ends_here(sentence, at) || listed!(next, "and but she he who lives living still widowed widow yet")
}

/// Whether a word is of a person: who may be so old, or a given name.
fn is_somebody(word: &str) -> bool {
    listed!(word, PERSONS) || ends_in_given_name(word, BEARERS, true)
}

/// Whether somebody is spoken of before the number or right behind it.
fn is_of_somebody(sentence: &str, range: &Range<usize>) -> bool {
    words_before(sentence, range.start).take(8).any(is_somebody)
        || words_after(sentence, range.end).take(4).any(|word| listed!(word, PERSONS))
}

/// Whether something that is measured, scored or counted is spoken of beside the number.
fn is_measured(sentence: &str, range: &Range<usize>) -> bool {
    words_before(sentence, range.start).take(10).any(|word| listed!(word, MEASURED))
        || words_after(sentence, range.end).take(3).any(|word| listed!(word, MEASURED))
}

/// The words behind a place, up to the end of what is said.
fn words_after(sentence: &str, at: usize) -> impl Iterator<Item = &str> {
    let rest = &sentence[at..];
    let end = rest.find(['.', ';', '|', '!', '?', '\n']).unwrap_or(rest.len());
    rest[..end].split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn ages_of_the_very_old() {
        for (sentence, age) in [
            ("She was widowed early, now 93, lives alone", "93"),
            ("Retired weaver, now 93.", "93"),
            ("Now 94 and she still cooks", "94"),
            ("At 103, she still drives", "103"),
            ("She has no pain, but at 97 he is frail", "97"),
            ("Loretta 96.", "96"),
            ("Loretta is 97.", "97"),
            ("lives with a cousin who is 95.", "95"),
            ("\"I'm a hundred and two and I still drive,\" she said", "a hundred and two"),
            ("Grandfather, a tough old bird of a hundred and three, asks", "a hundred and three"),
            ("Wilma Stoltz, a hundred and three", "a hundred and three"),
            ("turned the big one-oh-two on Sunday", "one-oh-two"),
            ("Age at death: 96", "96"),
            ("Mother lived to be 94", "94"),
            ("father died aged 93", "93"),
            ("She is nearly 95.", "95"),
            ("Saw this 101 gentleman in clinic", "101"),
            ("a 94 wm w/ CHF", "94"),
            ("HPI: 94 wf from home", "94"),
            ("94 yrs, lives alone", "94"),
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [age], "{sentence}");
        }
    }

    #[test]
    fn measures_of_the_very_old() {
        for sentence in [
            "He was 88 on arrival, sats now 93.",
            "Pt desatted to 85, now 93.",
            "BP now 93, was 110",
            "his rate was 120, now 96, and he is well",
            "Fever: at 103, she was given ice",
            "HR at 103, he was given fluids",
            "Glucose now 101 and she ate",
            "Braden 96.",
            "Dr. Loretta 96.",
            "Patient in sinus at 120, now 96.",
            "I/O even, now 96.",
            "I know 93.",
            "walked to room 96, now 97.",
            "spiked to a hundred and two, given Tylenol",
            "Her temp was a hundred and one.",
            "weighs a hundred and ten pounds",
            "a hundred and two reasons",
            "nearly 95 units",
            "ANC is nearly 100.",
            "pain free and nearly 100.",
            "SBP nearly 95.",
            "a 94 percent stenosis",
            "94 yrs of data were read",
            "The table was moved to 94",
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [] as [&str; 0], "{sentence}");
        }
    }
}
