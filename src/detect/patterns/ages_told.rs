//! Ages that no unit tells: `wife Ana (58)`, `sister d. 71`, `first seizure at 19`, `DOE, JANE  63F`, `born when he was six`.
//!
//! A number is an age where a relative, an event of life or a name stands before it and nothing makes it an amount.

use crate::detect::listed::listed;
use std::ops::Range;

use super::ages::{class, number_words};
use super::ages_brief;
use super::ages_lived;
use super::ages_named;
use super::ages_noted;
use super::ages_oldest;
use super::ages_said;
use super::context::{Cursor, byte_at, byte_before, first_run, is_one_of, word_before};
use super::cues::WordTable;
use super::findings::Findings;
use super::survey::{Chain, Hit};
use crate::lexicon::{Lexicon, WordFlags};
use std::sync::LazyLock;

/// What a word near a number says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hint {
    /// A relative or child.
    Kin,
    /// A thing that happens once in a life.
    Event,
    /// Words that may stand between a relative and the age.
    Filler,
    /// What is measured, counted or scored.
    Measure,
}

static HINTS: LazyLock<WordTable<Hint>> = LazyLock::new(|| {
    WordTable::of([
        (
            Hint::Kin,
            "mother father mom mum dad mama papa sister brother sis bro sib sibling siblings sisters brothers twin \
             twins son daughter sons daughters dtr dtrs dau daus grandson granddaughter granddtr grandsons grandchild \
             grandmother grandfather grandma grandpa grandmom gma gpa aunt uncle niece nephew cousin wife husband \
             spouse partner fiance fiancee boyfriend girlfriend boy girl boys girls child children kids baby infant toddler mgm \
             mgf pgm pgf stepson stepdaughter stepmother stepfather parent parents halfbrother halfsister roommate \
             caregiver proband fa mo bro's",
        ),
        (
            Hint::Event,
            "coitarche thelarche pubarche breast ovaries ovary ovarian uterus endometrial prostate pancreatic melanoma lymphoma leukemia accident died death dead born onset diagnosed dx dx'd diagnosis stopped quit break began menarche menopause \
             married divorced retired widowed orphaned emigrated immigrated sober killed passed fracture fx fractured \
             seizure stroke mi cva clot dvt scd als dementia t1dm lupus cirrhosis overdose cancer ca hysterectomy oophorectomy mastectomy vasectomy cabg surgery menses \
             smoking drinking deceased adopted enlisted graduated left lost raped assaulted abused hip pregnant \
             pregnancy delivered miscarriage suicide episode psychotic hospitalized hospitalization started \
             transitioned leukaemia blind blindness glaucoma aneurysm sarcoma alzheimer's parkinson's polio sea mines school dec'd snapshot photo photograph crisis joined raised navy army incarcerated disabled infarct bypass transplant colectomy appendectomy tonsillectomy",
        ),
        (
            Hint::Filler,
            "d are were died deceased living alive well healthy age aged now is was at only just old about approx dead \
             passed away older younger eldest oldest youngest elder maternal paternal half the who turned a w step in law inlaw \
             dec",
        ),
        (
            Hint::Measure,
            "temp tmax t tm index heat edinburgh epds temperature foley size chest rate hr bp pulse sats sat spo2 rr glucose bg fsbg weight wt \
             height ht bmi score ef inr wbc hgb hct plt plts na k cl bun cr cre ph pco2 po2 gcs french fr catheter \
             sheath tube ett blade needle gauge level dose mg units page room bed grade stage type day days week \
             weeks month months episode cycle session visit at to from than by least c f phq gad moca mmse total \
             approximately about over under every x q count mci apgar apgars tv peep fio2 rate min max lot case \
             unit ward floor box ext line section item no number step level lvl",
        ),
    ])
});

/// Judges a number that stands alone.
pub(super) fn number(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let length = chain.end - chain.start;
    let range = chain.range();
    if chain.count != 1 || length > 3 || byte_before(sentence, range.start).is_ascii_alphanumeric() {
        return;
    }
    let Ok(value) = sentence[range.clone()].parse::<u32>() else { return };
    if value > 115 || findings.covers(&range) {
        return;
    }
    if is_ounces(sentence, range.start) || ages_brief::is_maker(sentence, &range) {
        return;
    }
    let mark = byte_before(sentence, range.start);
    if matches!(mark, b'.' | b'/' | b'#' | b'$' | b'-' | b'+' | b'<' | b'>') {
        let dead = mark == b'.' && byte_before(sentence, range.start - 1) == b'd';
        // `MGM-99`, `PGF-88`
        let kin = mark == b'-' && listed!(word_before(sentence, range.start), "mgm mgf pgm pgf mggm mggf");
        if kin && value > 12 && !is_amount(sentence, range.end) {
            findings.add(range, class(value), 0.8);
            return;
        }
        if !(dead
            || mark == b'/' && (sex_before(sentence, &range, value) || ages_brief::tells(sentence, &range, value)))
        {
            return;
        }
    }
    let score = match () {
        () if sex_after(sentence, &range, value) || sex_before(sentence, &range, value) => 0.8,
        () if ages_noted::tells(sentence, &range, value)
            || ages_brief::tells(sentence, &range, value)
            || ages_named::tells(sentence, &range, value) =>
        {
            0.7
        }
        () if ages_said::tells(sentence, &range, value)
            && (is_one_of(word_after_blank(sentence, range.end), &["in"]) || !is_amount(sentence, range.end)) =>
        {
            0.7
        }
        () if ages_oldest::in_years(sentence, &range, value) => 0.6,
        () if is_amount(sentence, range.end) => return,
        () if of_kin(sentence, range.start) => 0.8,
        () if at_event(sentence, &range, value, false) => 0.7,
        () if ages_named::tells_uncounted(sentence, &range, value) => 0.6,
        () if when_one_was(sentence, range.start) || is_addressed(sentence, range.start, value) => 0.7,
        () if ages_lived::tells(sentence, &range, value) => 0.7,
        () if ages_oldest::tells(sentence, &range, value) => 0.5,
        () => return,
    };
    findings.add(range, class(value), score);
}

/// So far things are counted in words.
const LONGEST_COUNT: u32 = 12;

/// Judges a number in words.
pub(super) fn spelled(sentence: &str, hit: Hit, findings: &mut Findings) {
    let mut cursor = Cursor::new(sentence, hit.start);
    let before = byte_before(sentence, hit.start);
    let Some(value) = number_words(&mut cursor) else { return };
    let hundred = sentence[..hit.start].strip_suffix("a ");
    let hundred =
        hundred.filter(|head| (100..120).contains(&value) && !head.ends_with(char::is_alphanumeric)).map(str::len);
    let range = hundred.unwrap_or(hit.start)..cursor.at;
    let noted = ages_oldest::tells(sentence, &range, value)
        || is_the_big(sentence, range.start)
        || value >= 100 && ages_oldest::is_said_in_words(sentence, &range)
        || ages_noted::tells_in_words(sentence, &range, value)
        || ages_said::tells_in_words(sentence, &range, value);
    let amount = !noted && is_amount(sentence, range.end) && !is_one_of(word_after_blank(sentence, range.end), &["in"]);
    if before.is_ascii_alphanumeric() || before == b'-' || findings.covers(&range) || amount {
        return;
    }
    if noted
        || of_kin(sentence, range.start) && follows_closely(sentence, range.start)
        || when_one_was(sentence, range.start)
        || at_event(sentence, &range, value, true)
        || value > LONGEST_COUNT
            && (ages_lived::tells(sentence, &range, value)
                || ages_named::tells(sentence, &range, value)
                || ages_named::tells_uncounted(sentence, &range, value))
    {
        findings.add(range, class(value), 0.7);
    }
}

/// `turned the big one-oh-two`, `for the big five-oh`: a birthday.
fn is_the_big(sentence: &str, at: usize) -> bool {
    sentence[..at].ends_with("the big ")
        && listed!(
            word_before(sentence, at - "the big ".len()),
            "turned turn turns turning hit hits hitting for reached"
        )
}

/// A word for a number is an age of a relative only right after a comma or bracket: `(brother, ninety-one)`.
fn follows_closely(sentence: &str, at: usize) -> bool {
    matches!(sentence[..at].trim_end().as_bytes().last(), Some(b',' | b'('))
}

/// Judges `80th birthday`, `her 16th b-day`.
pub(super) fn birthday(sentence: &str, hit: Hit, findings: &mut Findings) {
    let lead = sentence[..hit.start].trim_end();
    if let Some((range, value)) = ages_noted::ordinal_ending(sentence, lead.len()) {
        if !findings.covers(&range) {
            findings.add(range, class(value), 0.9);
        }
        return;
    }
    let Some(number) = ["st", "nd", "rd", "th"].iter().find_map(|suffix| lead.strip_suffix(suffix)) else { return };
    let digits = number.bytes().rev().take_while(u8::is_ascii_digit).count();
    let start = number.len() - digits;
    if (1..=3).contains(&digits) && lead.len() > start {
        let value = number[start..].parse().unwrap_or(0);
        if !findings.covers(&(start..lead.len())) {
            findings.add(start..lead.len(), class(value), 0.9);
        }
    }
}

/// `Twin A 6# 1`: ounces behind pounds.
fn is_ounces(sentence: &str, at: usize) -> bool {
    let pounds = sentence[..at].strip_suffix("# ").or_else(|| sentence[..at].strip_suffix('#'));
    pounds.is_some_and(|pounds| pounds.ends_with(|c: char| c.is_ascii_digit()))
}

/// Whether what follows makes the number an amount, a time, a date or a share.
fn is_amount(sentence: &str, at: usize) -> bool {
    const UNITS: &str = "mg mcg ml cc g gm kg lb lbs oz cm mm in inch inches units unit meq mmol mmhg percent hours \
                         hrs hour hr h minutes min mins sec seconds days day d weeks week wks wk months month mo mos \
                         am pm times x per oclock o'clock tabs tablets tablet pills capsules drops puffs \
                         siblings sister sisters brother brothers son sons daughter daughters child children kids dtrs people bpm degrees deg c l \
                         liters liter drinks beers cigarettes packs pack ppd miles blocks feet ft french fr gauge ga \
                         cycles sessions visits doses dose patients stairs steps lesions nodes yrs years year yr y \
                         grandchildren cats dogs units/hr ml/hr ml/h l/min mg/dl bottles cups grams pounds other more \
                         mph kph ago later tonight tomorrow daily gy cgy k more-or-less midnight noon stitches sutures";
    let bytes = sentence.as_bytes();
    let after = byte_at(sentence, at);
    let next = byte_at(sentence, at + 1);
    // `1 can/d`, `2 packs/wk`: so much of anything within a time.
    let rate = after == b' '
        && word_after_blank(sentence, at)
            .rsplit_once('/')
            .is_some_and(|(thing, time)| !thing.is_empty() && listed!(time, "d day wk week mo month hr h night"));
    rate || matches!(after, b'%' | b':' | b'/' | b'+' | b'@' | b'\'' | b'"' | b'=' | b'&' | b'#')
        || matches!(after, b'.' | b',' | b'-') && next.is_ascii_digit()
        || after == b'-' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
        || after.is_ascii_alphabetic()
        || after == b' ' && listed!(word_after_blank(sentence, at), UNITS)
        || after == b' ' && next.is_ascii_digit()
}

/// The word after blanks and line breaks, not over other marks; it may be joined by apostrophes and strokes: `o'clock`, `ml/h`.
fn word_after_blank(sentence: &str, at: usize) -> &str {
    let rest = sentence[at..].trim_start_matches([' ', '\n', '\r']);
    first_run(rest, |byte| byte.is_ascii_alphabetic() || matches!(byte, b'\'' | b'/')).trim_end_matches('\'')
}

/// `63F`, `63 F,`, `(63 F)`, `63M with`: in capitals, after a name, a comma or the beginning of a line.
fn sex_after(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let next = sentence.as_bytes()[range.end..].iter().find(|byte| !matches!(byte, b' ' | b'/' | b','));
    if !matches!(next, Some(b'M' | b'F')) {
        return false;
    }
    if slashed_sex(sentence, range, value) {
        return true;
    }
    let comma = usize::from(sentence[range.end..].starts_with(", "));
    let gap = sentence[range.end + comma..].bytes().take(4).take_while(|byte| *byte == b' ').count();
    let at = range.end + comma + gap;
    if comma > 0 && byte_before(sentence, range.start) != b'(' {
        return false;
    }
    let sex = byte_at(sentence, at);
    let free = !byte_at(sentence, at + 1).is_ascii_alphanumeric()
        && !matches!(byte_at(sentence, at + 1), b'/' | b'-' | b'\'' | b'.' | b'*' | b'^');
    if !matches!(sex, b'M' | b'F') || !free || gap > 3 || value == 0 {
        return false;
    }
    let before = word_before(sentence, range.start);
    let measured = HINTS.get(before.as_bytes()) == Some(Hint::Measure)
        && !(sentence[..range.start].ends_with("  ") && value > 12 && !before.eq_ignore_ascii_case("temp"));
    if measured || is_one_of(before, &["or", "and"]) {
        return false;
    }
    let line_start = matches!(byte_before(sentence, range.start), b'\n') || range.start == 0;
    let comma = matches!(byte_before(sentence, range.start), b'(') || sentence[..range.start].trim_end().ends_with(',');
    // `"fell off a ladder" 61 M`: behind what somebody said.
    let quoted = sentence[..range.start].ends_with("\" ");
    let column = sentence[..range.start].ends_with("  ");
    let named = before.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase()) && before.len() > 1;
    let fever = sex == b'F' && (94..=107).contains(&value) && !column && !named;
    !fever
        && (line_start
            || comma
            || column
            || quoted
            || named
            || is_one_of(before, &["age", "sex", "a", "is", "an", "pt", "this"]))
        && !(sex == b'F' && ages_brief::is_size(sentence, range))
        && (gap == 0 || (column || quoted || comma || named || line_start) && value > 9)
}

/// `33/M`, `61 / F` in a field of its own.
fn slashed_sex(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let rest = sentence[range.end..].trim_start_matches(' ');
    let Some(sex) = rest.strip_prefix('/').map(|rest| rest.trim_start_matches(' ')) else { return false };
    let before = word_before(sentence, range.start);
    value > 0
        && sex.starts_with(['M', 'F'])
        && !byte_at(sex, 1).is_ascii_alphanumeric()
        && byte_at(sex, 1) != b'-'
        && (byte_at(sex, 1) != b'/' || byte_at(sex, 2).is_ascii_alphabetic() && byte_at(sex, 3).is_ascii_alphabetic())
        && HINTS.get(before.as_bytes()) != Some(Hint::Measure)
}

/// `M  66`, `F/42`, `Male 55`.
fn sex_before(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let head = sentence[..range.start].trim_end_matches([' ', '/', ',', '-']);
    let gap = range.start - head.len();
    let letters = head.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    let sex = &head[head.len() - letters..];
    let after = byte_at(sentence, range.end);
    if !(1..=4).contains(&gap)
        || value < 5
        || !matches!(sex, "M" | "F")
        || after.is_ascii_digit()
        || matches!(after, b'/' | b'.' | b'%')
    {
        return false;
    }
    let alone = matches!(byte_before(head, head.len() - 1), b' ' | b'(' | b'\n' | b',');
    alone
        && (listed!(word_after_blank(sentence, range.end), "y yo yr yrs year")
            || matches!(after, b')')
            || sentence[range.start - 1..].starts_with('/') && matches!(after, b' ' | b',' | b'.'))
}

/// The words before a place in its clause, nearest first, with where each begins.
fn words_back(sentence: &str, at: usize) -> impl Iterator<Item = (usize, &str)> {
    let clause = sentence[..at].rfind(['.', ';', '\n', '|', '>']).filter(|&stop| {
        byte_at(sentence, stop) != b'.'
            || stop > 1
                && byte_before(sentence, stop - 1) != b' '
                && stop + 1 < at
                && byte_at(sentence, stop + 1) == b' '
                && !sentence[..stop].ends_with(" d")
                && !sentence[..stop].ends_with("(d")
    });
    let start = clause.map_or(0, |stop| stop + 1).max(at.saturating_sub(70));
    let start = (start..=at).find(|&place| sentence.is_char_boundary(place)).unwrap_or(at);
    let text = &sentence[start..at];
    text.rsplit(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(move |word| (super::context::offset_in(sentence, word), word))
}

/// A relative up to a few names and fillers before: `brother Ivo, 54`, `mother d. 81`, `sons (12`, `son, 14, daughter, 9`.
fn of_kin(sentence: &str, at: usize) -> bool {
    if !matches!(byte_before(sentence, at), b' ' | b'(' | b'.' | b'\n' | b'@' | b'~') {
        return false;
    }
    for (start, word) in words_back(sentence, at).take(8) {
        match HINTS.get(word.as_bytes()) {
            Some(Hint::Kin) => {
                let count = word_before(sentence, start);
                return !listed!(count, "no per each");
            }
            Some(Hint::Filler) => {}
            // Further ages of a list: `sons 12, 9 and 4`.
            _ if word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            _ if word == "and" && sentence[..start].trim_end().ends_with(|c: char| c.is_ascii_digit()) => {}
            Some(_) => return false,
            None => {
                let info = Lexicon::shared().word(word);
                let known = info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME)) || info.flags.is_empty();
                let name =
                    word.starts_with(char::is_uppercase) && (word.chars().skip(1).any(char::is_lowercase) || known);
                if !name || info.is(WordFlags::MEDICAL) && !info.is(WordFlags::GIVEN_NAME) {
                    return false;
                }
            }
        }
    }
    false
}

/// `died at 71`, `dx 60`, `d. 81`, `menarche 12`, `first break at 22`.
fn at_event(sentence: &str, range: &Range<usize>, value: u32, in_words: bool) -> bool {
    let head = sentence[..range.start].trim_end();
    let gap = range.start - head.len();
    if gap > 2 {
        return false;
    }
    // `x 10 d. One fall`: so many days; but `12 d. Fourteen now`.
    let digits = |head: &str| head.bytes().rev().take_while(u8::is_ascii_digit).count();
    let counted = |head: &str| matches!(digits(head), 1 | 2) && !sentence[range.end..].starts_with(" now");
    let dead =
        head.strip_suffix(" d.").is_some_and(|head| !counted(head)) || head.ends_with("(d.") || head.ends_with(",d.");
    if dead {
        return gap <= 1;
    }
    let before = word_before(sentence, range.start);
    if matches!(HINTS.get(before.as_bytes()), Some(Hint::Event)) && gap == 1 && !in_words {
        return listed!(before, "menarche coitarche thelarche dx dx'd menopause died deceased pronounced onset")
            && value >= 8
            && matches!(byte_at(sentence, range.end), b',' | b' ' | b')' | b'.' | b';' | b'\n');
    }
    let least =
        if listed!(word_before(sentence, head.len().saturating_sub(2)), "menarche menses adrenarche") { 8 } else { 13 };
    let at = before.eq_ignore_ascii_case("at") || head.ends_with(" @");
    if !at || !in_words && value < least || value < 3 {
        return false;
    }
    if listed!(word_after_blank(sentence, range.end), "bedtime night am pm tonight sharp") && in_words {
        return false;
    }
    if value > 17 && begins_screening(sentence, range.start) {
        return true;
    }
    let mut person = false;
    let skipped = usize::from(before.eq_ignore_ascii_case("at"));
    let reach = if in_words { 10 } else { 6 };
    for (step, (start, word)) in words_back(sentence, range.start).skip(skipped).take(reach).enumerate() {
        match HINTS.get(word.as_bytes()) {
            Some(Hint::Event) if is_side(sentence, start, word) => {}
            Some(Hint::Event) => {
                return !(listed!(word, "started began stopped left lost") && (in_words && value < 13 || person));
            }
            Some(Hint::Measure) => return false,
            // `first used heroin at 17`
            _ if listed!(
                word,
                "used use using tried drink drank smoked arrest arrested intercourse drug drugs beer pill pills oxy oxycodone heroin meth cannabis weed marijuana alcohol cocaine thc vaped cigarette cigarettes"
            ) && listed!(word_before(sentence, start), "first") =>
            {
                return true;
            }
            _ => {}
        }
        person |= step == 0 && listed!(word, "her him me them himself herself");
    }
    person && value > 12
}

/// `leg raise positive left at thirty`: a side of the body that was examined, and no leaving.
fn is_side(sentence: &str, start: usize, word: &str) -> bool {
    word.eq_ignore_ascii_case("left")
        && listed!(
            word_before(sentence, start),
            "positive negative pos neg raise raises raised flexion extension abduction rotation elevation on right"
        )
}

/// `colonoscopy q5y, start at 40`: the age from which somebody is screened.
fn begins_screening(sentence: &str, at: usize) -> bool {
    let mut words = words_back(sentence, at).map(|(_, word)| word).filter(|word| !word.eq_ignore_ascii_case("at"));
    words.next().is_some_and(|word| listed!(word, "start starts starting begin begins beginning"))
        && words.take(8).any(|word| {
            listed!(word, "colonoscopy colonoscopies mammogram mammograms mammography screening screen screens surveillance pap dexa")
        })
}

/// `You are 78 and live alone`: in a letter to a patient.
fn is_addressed(sentence: &str, at: usize, value: u32) -> bool {
    let mut back = words_back(sentence, at).map(|(_, word)| word);
    value > 17 && back.next().is_some_and(|verb| verb == "are") && back.next().is_some_and(|you| listed!(you, "you"))
}

/// `when she was six`, `until he was 71`.
fn when_one_was(sentence: &str, at: usize) -> bool {
    let mut back = words_back(sentence, at).map(|(_, word)| word);
    let adverb = |word: &&str| listed!(word, "now only already almost nearly himself herself just");
    let Some(verb) = back.find(|word| !adverb(word)) else { return false };
    let Some(person) = back.next() else { return false };
    let lead = back.next().unwrap_or_default();
    let said = is_one_of(verb, &["was", "is"]) && listed!(person, "he she") && ends_after_words(sentence, at);
    said || is_one_of(verb, &["was", "were", "is", "turned", "turns"])
        && (listed!(person, "she he i they we it") || is_called(person))
        && (listed!(lead, "when since until till while before after that as") || is_one_of(verb, &["turned", "turns"]))
}

/// Whether a word in the middle of what is said is somebody's given name and no value of a laboratory: `when Bub was eight`.
fn is_called(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    let written = word.starts_with(char::is_uppercase) && word.chars().skip(1).any(char::is_lowercase);
    let other = WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::ABBREVIATION);
    written && info.is_any(WordFlags::GIVEN_NAME.union(WordFlags::NICKNAME)) && !info.is_any(other)
}

/// Whether a spelled number at a place ends what is said: `she is ninety-one, a widow`.
fn ends_after_words(sentence: &str, at: usize) -> bool {
    let mut cursor = Cursor::new(sentence, at);
    // `He is nine, clever`; of what was, fewer words tell an age.
    let least = if listed!(word_before(sentence, at), "is") { 4 } else { 12 };
    number_words(&mut cursor).is_some_and(|value| value > least) && matches!(cursor.peek(), b',' | b'.' | b';')
}
