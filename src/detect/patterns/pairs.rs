//! Two numbers with a mark between them: `7/21`, `3/2014`, `2015-17`, `2/3`.
//!
//! ```text
//! seen 7/21, MI 3/2014, clinic 3-15      a day of a month, a month of a year
//! strength 4/5, BP 120/80, 1/2 tab        a score, a pressure, a part
//! cough 3/52, abx day 5/7                so many weeks, a day of so many
//! ```
//!
//! What could be a fraction, a score or a strength is a date only where the words around it say so.

use super::context::{byte_at, byte_before, is_one_of, offset_in, word_after, word_before};
use super::dates::{day_and_month, is_glued, value};
use super::findings::{Findings, date};
use super::lab_dates;
use super::occasions;
use super::survey::{Chain, Survey};
use super::wheals;
use super::years::{NOT_BEFORE_YEARS, unit_follows};
use crate::detect::listed::listed;
use crate::phi::Kind;

/// Words before which a number is told as a point in time.
pub(super) const BEFORE_DATES: &str = "stop stopping hold held finish finishing complete completed given shot vaccine booster flu rsv tdap mmr covid \
                            shingrix pneumovax restarted restart begin begun reply replied rcvd recd rec'd rcv'd faxed on since from until till til thru through dated date between before after by last \
                            seen admitted discharged scheduled lmp dob d/c d/c'd appt appointment effective \
                            beginning starting ending started stopped expires expired exp due collected drawn \
                            received performed done born dos doa dod doi edd edc updated reviewed admit placed \
                            removed w/e wk week visit f/u rtc dt expiration onset surgery procedure given friday \
                            monday tuesday wednesday thursday saturday sunday as-of eff ending inserted mon tue \
                            tues wed thu thur thurs fri sat sun cxr ct mri echo ekg cabg tte sheet intake resubmit \
                            resubmitted resume resumed resumes booked sent mailed filed called spoke signed recheck \
                            rechecked redraw bx biopsy cx ucx bcx us xr xray pet cath colonoscopy egd mammo mammogram \
                            postop preop adm disch dc'd arr arrived arrives back return returns returned hearing \
                            deadline effect note labs vaccinated given' noted stable-since transferred extubated \
                            intubated inserted consult consulted eval evaluation session reported lap op date dates";
/// Further words before a day and a month with a slash: what is done, happens or is written on a day, and is no matter of scores or shares.
const ON_A_DAY: &str = "resulted ordered cancelled canceled flown departed filled refilled dispensed administered emailed texted paged \
                        rescheduled delivered died readmitted replaced implanted exchanged flushed accessed deaccessed irrigated debrided \
                        repaired revised biopsied excised extracted scanned imaged transfused dialyzed cultured swabbed immunized amended \
                        dictated transcribed typed approved denied appealed submitted verified notified informed contacted interviewed \
                        evaluated treated referred counseled enrolled consented randomized injured crashed diagnosed relapsed recurred \
                        clinic admission discharge transfer delivery birth death injury accident fall crash relapse scan eeg cbc bmp cmp \
                        cultures ua letter fax message email call order refill meeting casted stented retrieved graduated graduation grad \
                        inr tsh qft quantiferon tst graft grafted changed pulled baptized absent skip skipped readmit hus ppd hgba1c a1c psa trough afp cea bhcg hcg ferritin crp esr hospitalized pap surg surgery \
                        stent chemo read placed retrieval written send sends resend transmission interrogation interrogated";
/// Before two numbers with a slash: pressures of a ventilator, parts of a combined drug, results of an examination.
const NEVER_BEFORE_DATES: &str = "ps psv peep pip/peep peep/pip aprv suboxone zubsolv bunavail lotrel exforge azor twynsta norco \
                        lortab vicodin percocet symbicort dulera breo vytorin caduet edinburgh geneva dgi am-pac nips crs-r \
                        naming fluency repetition erefs wmsi stereo stereopsis ishihara gracey orapred seq sequence";
/// What is behind a share of what an operation was done to: `lymphadenectomy 2/14 positive`.
const SHARED: &str = "positive pos negative neg involved complete completed nodes node ln lns levels vessels lesions lesion margins toes digits \
                      specimens cores sites wounds polyps attempts passes veins";
/// Machines that breathe, behind which the higher of two pressures comes first: `BPAP 18/12`.
const BREATHING: &str = "bipap bpap bilevel vpap avaps ipap nimv nippv snippv nipv niv s/t";
/// Scales with their most points, of which a share looks like a day: `GDS 4/15`.
const SCALES: &str = "nottingham/9 gds/15 gds/30 bims/15 slums/30 moca/30 mna/14 bbps/9 bpp/8 westley/17 pram/12 lace/19 mackay/24 \
                      uceis/8 rockall/11 blatchford/23 poma/28 fga/30 ranson/11 four/16";
/// What is done once and whose word tells it by no ending, and devices that do it: `resection 1/10`, `AngioVac 7/8`.
const OPERATIONS: &str = "resection amputation debridement washout explant explantation implantation ablation cardioversion dccv pci \
                          embolization tavr tavi evar tevar watchman mitraclip angiovac vats tipss thrombolysis myomectomy";
/// Before one of several, or a grade, that a clock time follows: `bag 1/2 10:00`, `TOF 2/4 14:30`.
const COUNTED: &str = "restraint restraints tof four twitch twitches cpot cpap vent braden morse e ratio bag bags unit units liter liters \
                       litre litres attempt attempts step cycle day week fraction fx bottle";
/// Cultures, of whose bottles so many grew something.
const BOTTLES: &str = "cx bcx ucx culture cultures bottle bottles bctx";
/// Words that make a short fraction anything but a date, wherever they stand within reach.
pub(in crate::detect) const FRACTION_WORDS: &str = "strength motor power murmur systolic sem pain vision acuity va score scale reflex \
                              reflexes dtr dtrs pulse pulses grade rated apgar apgars gcs phq gad moca mmse mme \
                              severity intensity bp sbp hr nyha asa mallampati tablet tablets tab tabs cup cups \
                              pack ppd dose doses strip inch inches bottle cc mg mcg ml oriented aox kyphosis hr/wk \
                              hours hour sessions visits trials treatments attempts auth out times way third muscle mrc gait nih nihss aims questions criteria \
                              points recall words nodes ln lns cores biceps deltoid flexion extension grip quads \
                              quad iliopsoas vi/vi teaspoon tsp drink drinks beers ratio sx symptoms fr french \
                              thickness lead leads sets reps rpe borg nrs vas ue le rue lue rle lle bue ble \
                              plantar dorsiflexion ehl triceps fluticasone ns gtt peep d/c'd/7 audit cage ciwa \
                              cows ecog kps bishop aldrete stool bristol shot epworth ess isi beck bdi psqi beighton iddsi assessment eds ishihara katz barthel fim berg tinetti barc pasi";

/// Judges two numbers.
pub(super) fn detect(sentence: &str, survey: &Survey, chain: &Chain, findings: &mut Findings) {
    let numbers = chain.numbers();
    let (first, first_digits) = value(sentence, numbers[0]);
    let (second, second_digits) = value(sentence, numbers[1]);
    let separator = chain.separators()[0];
    if is_glued(sentence, chain) || is_page_or_strain(sentence, chain.start) {
        return;
    }
    let before = word_before(sentence, chain.start);
    if separator == b'.' {
        // `09.1921`, `since 9.1921`: a month of a year, no value with four decimals.
        let year = second_digits == 4 && (1900..=2060).contains(&second) && (1..=12).contains(&first);
        let padded = first_digits == 2;
        let told = listed!(before, BEFORE_DATES) || is_one_of(before, &["in"]);
        if year && (padded || told) && !unit_follows(sentence, chain.end) && !listed!(before, NOT_BEFORE_YEARS) {
            findings.add(chain.range(), date(Kind::DatePartial), 0.85);
        }
        return;
    }
    if first_digits == 4 && second_digits == 4 && first <= second {
        year_range(sentence, chain, before, first, second, findings);
    } else if first_digits == 4 && second_digits == 2 && (1900..=2100).contains(&first) {
        // `2019-03` or `2015-17`: a month of a year, or years.
        let month = (1..=12).contains(&second);
        if separator == b'/'
            || month
            || second > first % 100
            || listed!(before, BEFORE_DATES)
            || is_one_of(before, &["in"])
        {
            findings.add(chain.range(), date(Kind::DatePartial), 0.8);
        }
    } else if first_digits == 4 && second_digits == 1 && separator == b'/' && (1900..=2100).contains(&first) {
        // `1921/3`
        if second > 0 && (listed!(before, BEFORE_DATES) || is_one_of(before, &["in"])) {
            findings.add(chain.range(), date(Kind::DatePartial), 0.8);
        }
    } else if second_digits == 4 && first_digits <= 2 && (1..=12).contains(&first) && (1900..=2100).contains(&second) {
        // `ICD 3-2012.`: with one digit it must stand apart from further numbers.
        let apart = matches!(byte_at(sentence, chain.end), b' ' | b',' | b';' | b'.' | b')' | b'\n')
            && (1940..=2060).contains(&second)
            && byte_before(sentence, chain.start) == b' ';
        if separator == b'/'
            || apart
            || listed!(before, BEFORE_DATES)
            || is_one_of(before, &["in"])
            || first_digits == 2
        {
            findings.add(chain.range(), date(Kind::DatePartial), 0.95);
        }
    } else if second_digits == 2 && second > 31 && second != 52 && (1..=12).contains(&first) && separator == b'/' {
        // `MI in 3/98`, `lap chole 11/94`: a month of a year of the last century.
        let operated = second > 60
            && ends_in_procedure(before)
            && !fraction_word_near(sentence, chain.start)
            && !unit_follows(sentence, chain.end);
        if operated || listed!(before, BEFORE_DATES) || is_one_of(before, &["in"]) {
            findings.add(chain.range(), date(Kind::DatePartial), 0.8);
        }
    } else if first_digits <= 2 && second_digits <= 2 && day_and_month(first, second) {
        let padded = first_digits == 2 && second_digits == 2 && (first < 10 || second < 10);
        if let Some(score) = partial_score(sentence, survey, chain, padded, (first, second)) {
            findings.add(with_weekday(sentence, chain.start)..chain.end, date(Kind::DatePartial), score);
        }
    }
}

/// Whether a word is an operation, by its short name or its ending.
fn ends_in_procedure(word: &str) -> bool {
    const ENDINGS: [&str; 6] = ["ectomy", "otomy", "ostomy", "plasty", "pexy", "graphy"];
    let small = word.to_ascii_lowercase();
    listed!(
        word,
        "hyst tah tah/bso bso chole appy cabg turp tka tha orif btl bka aka fusion lami tonsils t&a c/s csection cesarean stent pacer"
    ) || ENDINGS.iter().any(|ending| small.ends_with(ending))
}

/// Where a day begins whose weekday is one or two letters before it: `M 9/4`, `Th 9/7`.
fn with_weekday(sentence: &str, at: usize) -> usize {
    let Some(head) = sentence[..at].strip_suffix(' ') else { return at };
    let letters = head.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    let start = head.len() - letters;
    let day = matches!(&head[start..], "M" | "Tu" | "W" | "Th" | "Sa" | "Su")
        // `T 9/5` may be a temperature, `F 9/8` a sex: only in a row of days.
        || matches!(&head[start..], "T" | "F") && head[..start].contains("/") && head[..start].contains("M ");
    if day && matches!(byte_before(sentence, start), b' ' | b'\n' | b'(' | b',') { start } else { at }
}

/// `P.01/03` is a page, `A/Perth/8/2022` a strain.
fn is_page_or_strain(sentence: &str, at: usize) -> bool {
    let before = byte_before(sentence, at);
    before == b'/' && byte_before(sentence, at - 1).is_ascii_alphabetic()
        || listed!(word_before(sentence, at), "p pg page pages pp")
}

fn year_range(sentence: &str, chain: &Chain, before: &str, first: u32, second: u32, findings: &mut Findings) {
    if (1900..=2100).contains(&first)
        && second <= 2100
        && !listed!(before, NOT_BEFORE_YEARS)
        && !unit_follows(sentence, chain.end)
    {
        chain.numbers().iter().for_each(|&(start, end)| findings.add(start..end, date(Kind::DateYear), 0.9));
    }
}

/// How sure it is that two numbers with a slash or dash between them are a day and a month; none if they are not.
pub(super) fn partial_score(
    sentence: &str,
    survey: &Survey,
    chain: &Chain,
    padded: bool,
    (first, second): (u32, u32),
) -> Option<f32> {
    let before = word_before(sentence, chain.start);
    let after = word_after(sentence, chain.end);
    // `N1a(2/14)`: nodes; `BiPAP 14/6`: pressures; `Nottingham 7/9`: a score.
    // `abx day 5/7`: so many days of so many.
    let treated = || {
        let day = offset_in(sentence, before);
        listed!(
            word_before(sentence, day),
            "abx antibiotic antibiotics course steroids prednisone azithro azithromycin vanc ceftriaxone zosyn treatment therapy"
        )
    };
    // `off NIV 12/6`
    let is_stopped = || listed!(word_before(sentence, offset_in(sentence, before)), "off stopped");
    let counted_day = before == "day" && first <= second && second <= 14 && chain.separators()[0] == b'/' && treated();
    let scored = counted_day
        || listed!(before, BREATHING) && first > second && !is_stopped()
        || before_pairs(&sentence[..chain.start]).is_some_and(|before| listed!(before, BREATHING))
        || is_of_scale(sentence, before, first, second)
        // Doses of the morning and of the evening; but `started NPH 5/12`.
        || listed!(before, "nph humulin novolin") && second > 3 && (first > 12 || listed!(after, "daily units u bid"))
        || listed!(before, NEVER_BEFORE_DATES)
        || listed!(before, BOTTLES) && first <= second && second <= 4
        || listed!(before, "from on to") && is_weaned(sentence, chain.start, before)
        || second == 10 && first < 10 && listed!(after, "after post with at now s/p");
    let wheal = chain.separators()[0] == b'/' && wheals::is_wheal(sentence, before);
    if scored || wheal || is_of_stage(sentence, chain.start) {
        return None;
    }
    if chain.separators()[0] == b'/' && lab_dates::is_of_result(sentence, chain, before) {
        return Some(0.8);
    }
    let share = matches!((first, second), (1, 2..=4) | (2, 3) | (3, 4));
    let operated = chain.separators()[0] == b'/' && !share && is_on_day_of_operation(sentence, chain, (first, second));
    let told = operated || is_told(sentence, chain.start, before) || before.eq_ignore_ascii_case("of") && !share;
    // `over 4/26 weekend`
    let days = listed!(after, "weekend wknd") && first <= 12 && !share;
    let amount = !told && !days && listed!(before, NOT_BEFORE_YEARS);
    // `bundle met 9/12 (75%)`: a share, and what it comes to.
    let percent = is_share((first, second), &sentence[chain.end..]);
    if unit_follows(sentence, chain.end) || amount || percent || byte_at(sentence, chain.end) == b'%' {
        return None;
    }
    // British durations: `3/7 hx of cough`, `for 6/12`, `2/52 ago` are days, weeks and months.
    let span = matches!(second, 7 | 12 | 52) && chain.separators()[0] == b'/';
    let lasting = listed!(after, "hx ago history course previously duration h/o back old only")
        || listed!(before, "for past over in x previous next within review rv r/v ~ bd tds qds nocte mane");
    // `29 4/7`: weeks and days.
    let weeks = sentence[..chain.start].trim_end_matches(' ');
    let counted = weeks.len() < chain.start && weeks.ends_with(|c: char| c.is_ascii_digit());
    let gestation =
        second == 7 && (counted && first < 7 && is_of_gestation(weeks) || listed!(after, "weeks week wks wk"));
    // `wt loss 6/12`
    let weight =
        listed!(before, "loss gain") && listed!(word_before(sentence, offset_in(sentence, before)), "wt weight");
    if span && (lasting || weight) || gestation {
        return None;
    }
    let closes = |first: &&Chain| {
        first.end < chain.start
            && first.count == 2
            && first.separators()[0] == b'/'
            && is_between_days(&sentence[first.end..chain.start])
    };
    let in_range = opens_a_range(sentence, survey, chain)
        || survey.chains.iter().find(closes).is_some_and(|first| opens_a_range(sentence, survey, first));
    if chain.separators()[0] == b'/' && in_range {
        return Some(0.7);
    }
    // `5/5 LUE` is a strength, `3/14 LUE swelling` is none; and a pressure or a rate has its number behind it.
    let limb = listed!(after, "lue rue lle rle ue le bue ble") && second > 5;
    let measured = listed!(after, FRACTION_WORDS) && !limb && !listed!(after, "bp hr sbp");
    if share && after.eq_ignore_ascii_case("of") {
        return None;
    }
    if chain.separators()[0] == b'/' && !measured && occasions::is_at_a_date_s_place(sentence, chain) {
        return Some(0.8);
    }
    let fraction = measured || fraction_word_near(sentence, chain.start);
    if chain.separators()[0] == b'-' {
        // `auth runs out 4-30`: such words stand before fractions too, but none is so written.
        let runs_out = before.eq_ignore_ascii_case("out");
        let timed = occasions::has_clock_time(sentence, chain.end) && !fraction && (padded || first > 9 || second > 12);
        if timed {
            return Some(0.7);
        }
        let dash = told && (!fraction || runs_out) && !listed!(before, "by from between visit week wk given");
        return (dash && (padded || first > 12 || second > 12 || is_one_of(before, &["on", "dated", "dob"])))
            .then_some(0.7);
    }
    let common_fraction = first < second && matches!(second, 2..=6 | 8 | 10) || first == second;
    let row = sentence[..chain.start].trim_end_matches([' ', '|']).bytes().next_back().is_none_or(|byte| byte == b'\n');
    // A row of a table by dates: `12/4  vision:`.
    if row && !common_fraction && sentence[chain.end..].starts_with("  ") {
        return Some(0.7);
    }
    if measured {
        return None;
    }
    if days {
        return Some(0.8);
    }
    if told
        && !(fraction
            && (is_one_of(before, &["from", "by", "to", "last"]) || is_one_of(before, &["between"]) && second == 10))
    {
        return Some(0.95);
    }
    // `Beyfortus 50 mg 10/7 at the clinic`: no share is more than the whole.
    if first > second && first <= 12 && listed!(before, "mg mcg ml units") && listed!(after, "at by given") {
        return Some(0.7);
    }
    if fraction {
        return None;
    }
    if chain.separators()[0] == b'/' && !share && second != 10 && occasions::has_hour(sentence, chain.end)
        || occasions::has_clock_time(sentence, chain.end)
            && (second != 10 || row)
            && !listed!(before, COUNTED)
            && !is_of_checks(sentence, before)
    {
        return Some(0.8);
    }
    let beside_a_date = survey.chains.iter().any(|other| {
        other.start != chain.start
            && other.count >= 2
            && other.separators()[0] == b'/'
            && other.start.abs_diff(chain.end).min(chain.start.abs_diff(other.end)) <= 5
    });
    match () {
        () if padded || (first, second) == (11, 11) => Some(0.9),
        () if first.max(second) > 12 && !matches!((first, second), (_, 20 | 30 | 15)) => Some(0.8),
        () if first.max(second) > 12 => Some(0.6),
        // A row of a table by dates.
        () if row && sentence[chain.end..].starts_with("  ") => Some(0.7),
        // A heading of a log line: `7/8: WBC 12`, `3/4 - called patient`.
        () if chain.start == 0 && second >= 1 && !common_fraction => Some(0.7),
        () if chain.start == 0 && matches!(byte_at(sentence, chain.end), b':' | b')') => Some(0.6),
        // What was done on a day heads a line of a log: `1/8 spoke w/ daughter`.
        () if row
            && listed!(
                after,
                "spoke called left saw seen met emailed sent faxed received denied rec'd rcvd visited paged texted f/u fu appt consult visit \
                 colonoscopy egd mammo biopsy bx surgery \
                 mailed filed approved echo cta mra cxr eeg labs labwork mtg meeting email letter er admitted discharged scheduled cancelled canceled notified requested lm lvm",
            ) =>
        {
            Some(0.7)
        }
        () if beside_a_date && !common_fraction => Some(0.7),
        () if common_fraction => None,
        () => Some(0.5),
    }
}

/// `9/12` before ` (75%)`: a share, and what it comes to; but `cath 9/12 (80% LAD)`.
pub(in crate::detect) fn is_share((first, second): (u32, u32), after: &str) -> bool {
    let told = after.strip_prefix(" (").and_then(|rest| rest.split_once('%')).and_then(|(told, _)| told.parse().ok());
    told.is_some_and(|told: f64| second > 0 && (100.0 * f64::from(first) / f64::from(second) - told).abs() < 1.0)
}

/// Whether checks of one in restraints are counted, where `INR check 3/5 9:30` is a day.
fn is_of_checks(sentence: &str, before: &str) -> bool {
    let lead = || word_before(sentence, offset_in(sentence, before));
    listed!(before, "check checks") && listed!(lead(), "restraint restraints safety")
}

/// Whether the word before is a scale with so many points: `GDS 4/15`; `CAS` is of the orbits, and of an artery elsewhere.
fn is_of_scale(sentence: &str, before: &str, first: u32, second: u32) -> bool {
    let eyes = |word: &str| listed!(word, "graves orbitopathy ophthalmopathy ted thyroid proptosis hertel orbit");
    first <= second
        && (listed!(&format!("{before}/{second}"), SCALES)
            || before == "CAS"
                && matches!(second, 7 | 10)
                && sentence.split(|c: char| !c.is_ascii_alphabetic()).any(eyes))
}

/// Whether a day stands right behind what was done on it: `partial resection 1/10`, `AngioVac 7/8`. Of nodes so many are positive, and
/// `2/2` says what something is due to.
fn is_on_day_of_operation(sentence: &str, chain: &Chain, (first, second): (u32, u32)) -> bool {
    let word = word_before(sentence, chain.start);
    let done = listed!(word, OPERATIONS)
        || ends_in_procedure(word) && !listed!(word, "tonsils t&a fusion stent pacer aka bka");
    done && byte_before(sentence, chain.start) == b' '
        && (first, second) != (2, 2)
        && !listed!(word_after(sentence, chain.end), SHARED)
}

/// `BiPAP` of `BiPAP 8/4, 9/5, `: the word before further pairs; none where there are none.
fn before_pairs(head: &str) -> Option<&str> {
    let bare = head.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '/' | ',' | ' '));
    head[bare.len()..].contains('/').then(|| word_before(bare, bare.len()))
}

/// Whether the word before pairs says that they are pressures or doses: `BiPAP 8/4, 9/5`.
pub(super) fn is_of_machine(before: &str) -> bool {
    listed!(before, BREATHING) || listed!(before, NEVER_BEFORE_DATES)
}

/// Whether it is a ventilator that is turned down: `weaned from 12/6`, `SBT on 5/5`.
fn is_weaned(sentence: &str, at: usize, before: &str) -> bool {
    let lead = word_before(sentence, offset_in(sentence, before));
    at > before.len() && listed!(lead, "weaned wean weaning sbt bipap cpap psv")
}

/// Whether a text ends in weeks of a pregnancy: `PMA 29`, `GA of 34`.
fn is_of_gestation(text: &str) -> bool {
    let mut words = text.rsplit(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.next().and_then(|weeks| weeks.parse::<u32>().ok()).is_some_and(|weeks| (20..=44).contains(&weeks))
        && words
            .take(4)
            .any(|word| listed!(word, "ga pma ega cga wk wks week weeks gestation gestational iup iugr edc"))
}

/// Whether a bracket after the stage of a tumour's nodes opens right before a place.
fn is_of_stage(sentence: &str, at: usize) -> bool {
    let Some(head) = sentence[..at].strip_suffix('(') else { return false };
    let token = head.rsplit(' ').next().unwrap_or_default().trim_end_matches(['a', 'b', 'c']);
    let Some(stage) = token.strip_suffix(['1', '2', '3']).and_then(|token| token.strip_suffix('N')) else {
        return false;
    };
    stage.bytes().all(|byte| byte.is_ascii_digit() || b"ycpTaisx".contains(&byte))
}

/// Whether what stands between two days makes a range of them.
fn is_between_days(between: &str) -> bool {
    is_one_of(between.trim(), &["-", "–", "to", "thru"])
}

/// `5/6 - 5/9`: a day and a month that a second one follows, beyond all scores.
fn opens_a_range(sentence: &str, survey: &Survey, chain: &Chain) -> bool {
    survey.chains.iter().any(|next| {
        next.start > chain.end
            && next.count == 2
            && next.separators()[0] == b'/'
            && is_between_days(&sentence[chain.end..next.start])
            && {
                let (first, second) = (value(sentence, next.numbers()[0]).0, value(sentence, next.numbers()[1]).0);
                let off = listed!(
                    word_before(sentence, chain.start),
                    "off work conf hosp hospital admit adm away out vacation leave trip dates"
                );
                day_and_month(first, second) && (off || second > 6 && !matches!(second, 10 | 12))
            }
            && !fraction_word_near(sentence, chain.start)
            && !listed!(word_after(sentence, next.end), FRACTION_WORDS)
    })
}

/// Whether the word before tells of a time: `on 3/4`, `last dose 3/4`, `line out 3/4`, `CT A/P 3/4`.
fn is_told(sentence: &str, at: usize, before: &str) -> bool {
    if listed!(before, BEFORE_DATES) || listed!(before, ON_A_DAY) {
        return true;
    }
    let words = || sentence[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '/').filter(|word| !word.is_empty());
    let mut reversed = words().take(6).skip_while(|word| !word.eq_ignore_ascii_case("dose")).skip(1);
    match () {
        () if reversed.next().is_some_and(|word| word.eq_ignore_ascii_case("last")) => true,
        () if listed!(before, "dose first next second third") => {
            is_one_of(before, &["first", "next"]) || words().nth(1).is_some_and(|word| listed!(word, "last first next"))
        }
        () if listed!(before, "out dc'd in") => words().nth(1).is_some_and(|word| {
            before.eq_ignore_ascii_case("out") && listed!(word, "runs run ran")
                || listed!(word, "line cordis drain foley catheter tube chest picc cvc swan a-line pigtail stitches sutures staples jp ivc central")
        }),
        () if listed!(before, "a/p abd/pelvis c/a/p abd pelvis head chest") => {
            words().nth(1).is_some_and(|word| listed!(word, "ct mri cta us mr"))
        }
        () if listed!(before, "pt ot abx tx chemo xrt rt hd dialysis work school meds coumadin warfarin driving") => {
            words().nth(1).is_some_and(|word| listed!(word, "resume resumes resumed start starts restart begin begins stop hold back"))
        }
        () if listed!(before, "him her them pt") => {
            words().nth(1).is_some_and(|word| listed!(word, "see sees saw seen called"))
        }
        () if is_one_of(before, &["me", "us"]) => words().nth(1).is_some_and(|word| listed!(word, "w/ with")),
        () => false,
    }
}

/// Whether one of the six words before is one that goes with fractions.
pub(super) fn fraction_word_near(sentence: &str, at: usize) -> bool {
    let mut words = sentence[..at]
        .rsplit(|character: char| !character.is_alphanumeric() && character != '/')
        .filter(|word| !word.is_empty())
        .take(6)
        .peekable();
    // `signed out` is of people.
    let signed = |word: &str, lead: Option<&&str>| {
        word.eq_ignore_ascii_case("out") && lead.is_some_and(|lead| listed!(lead, "signed sign signing checked"))
    };
    while let Some(word) = words.next() {
        if listed!(word, FRACTION_WORDS) && !signed(word, words.peek()) {
            return true;
        }
    }
    false
}
