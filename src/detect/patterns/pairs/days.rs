//! Whether two numbers are a day and a month, or a share, a score, a span: `seen 7/21`, `took 1/2`, `for 6/12`.
//!
//! ```text
//! no day whatever stands beside it ─▶ a day whatever else it could be ─▶ what the words beside it say ─▶ what the numbers themselves say
//!   BiPAP 14/6, 9/12 (75%), 6/12 ago     5/6 - 5/9, 3/4/19              on 3/4, strength 4/5             7/21, 08/03
//! ```

use super::BEFORE_DATES;
use super::scores::{self, FRACTION_WORDS, fraction_word_near};
use crate::detect::listed::listed;
use crate::detect::patterns::context::{byte_at, byte_before, is_one_of, offset_in, word_after, word_before};
use crate::detect::patterns::dates::{day_and_month, value};
use crate::detect::patterns::survey::{Chain, Survey};
use crate::detect::patterns::years::NOT_BEFORE_YEARS;
use crate::detect::patterns::{lab_dates, occasions};

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
/// Tests and events with their day right behind them: `EGD 2/10 - gastritis`, `s/p NSTEMI 4/9`.
const TESTS_AND_EVENTS: &str = "cth ctap cta mra mrv mrcp kub tee emg ruqus ruq-us colo lhc rhc doppler dopplers duplex lp bmbx ecg hida dexa ercp \
                                bronch bronchoscopy bal pft pfts spirometry mbs mbss fees voiding vcug ivc-filter lipids troponin procal dialysis vt svt \
                                vf af afib aflutter shock shocks stemi nstemi mi cva tia pe dvt ugib gib sbo arrest rosc syncope seizure sz \
                                fx fracture appy thoracentesis paracentesis thora cysto cystoscopy eus arthrogram myelogram angiogram angio \
                                arthroscopy laparoscopy intubation extubation transfusion cardioverted coded expired eloped ivig";
/// What is found or not on a day: `HIV neg 7/10`.
const TESTED: &str = "hiv covid covid-19 sars rpr ppd mrsa flu rsv strep hcv hbv hbsag uds cx cxs bcx bcxs ucx culture cultures cdiff c-diff mono \
                      upt hcg qft quantiferon pcr vre gbs tst ana afb afbs influenza swab rvp";
/// What is behind a share of what an operation was done to: `lymphadenectomy 2/14 positive`.
const SHARED: &str = "positive pos negative neg involved complete completed nodes node ln lns levels vessels lesions lesion margins toes digits \
                      specimens cores sites wounds polyps attempts passes veins";
/// What is done once and whose word tells it by no ending, and devices that do it: `resection 1/10`, `AngioVac 7/8`.
const OPERATIONS: &str = "resection amputation debridement washout explant explantation implantation ablation cardioversion dccv pci \
                          embolization tavr tavi evar tevar watchman mitraclip angiovac vats tipss thrombolysis myomectomy";
/// Before one of several, or a grade, that a clock time follows: `bag 1/2 10:00`, `TOF 2/4 14:30`.
const COUNTED: &str = "restraint restraints tof four twitch twitches cpot cpap vent braden morse e ratio bag bags unit units liter liters \
                       litre litres attempt attempts step cycle day week fraction fx bottle";
/// What was done on a day heads a line of a log: `1/8 spoke w/ daughter`.
const HEADED_BY_A_DAY: &str = "spoke called left saw seen met emailed sent faxed received denied rec'd rcvd visited paged texted f/u fu appt consult visit \
                               colonoscopy egd mammo biopsy bx surgery mailed filed approved echo cta mra cxr eeg labs labwork mtg meeting email \
                               letter er admitted discharged scheduled cancelled canceled notified requested lm lvm";

/// How sure it is that two numbers with a slash or dash between them are a day and a month; none if they are not.
pub(in crate::detect::patterns) fn score(
    sentence: &str,
    survey: &Survey,
    chain: &Chain,
    numbers: (u32, u32),
) -> Option<f32> {
    Pair::new(sentence, survey, chain, numbers).score()
}

/// Two numbers of at most two digits, and what stands around them.
struct Pair<'a> {
    sentence: &'a str,
    survey: &'a Survey,
    chain: &'a Chain,
    /// The words beside them; empty where there is none.
    before: &'a str,
    after: &'a str,
    first: u32,
    second: u32,
    /// Whether a slash stands between them, and no dash.
    slash: bool,
    /// Whether both are written with two digits and one with a zero: `08/03`.
    padded: bool,
    /// Whether they are a common part of a whole: `1/2`, `3/4`.
    share: bool,
}

impl<'a> Pair<'a> {
    fn new(sentence: &'a str, survey: &'a Survey, chain: &'a Chain, (first, second): (u32, u32)) -> Self {
        let two_digits = chain.numbers().iter().all(|(start, end)| end - start == 2);
        Self {
            sentence,
            survey,
            chain,
            before: word_before(sentence, chain.start),
            after: word_after(sentence, chain.end),
            first,
            second,
            slash: chain.separators()[0] == b'/',
            padded: two_digits && (first < 10 || second < 10),
            share: matches!((first, second), (1, 2..=4) | (2, 3) | (3, 4)),
        }
    }

    fn score(&self) -> Option<f32> {
        let (sentence, chain) = (self.sentence, self.chain);
        // `Panama '44-45`
        let years = byte_before(sentence, chain.start) == b'\'' || sentence[..chain.start].ends_with('’');
        if years && !self.slash && self.first > 12 && self.second > self.first {
            return Some(0.85);
        }
        if scores::is_scored(sentence, chain, (self.first, self.second)) {
            return None;
        }
        if self.slash && lab_dates::is_of_result(sentence, chain, self.before) {
            return Some(0.8);
        }
        let told = self.is_told();
        // `over 4/26 weekend`
        let weekend = listed!(self.after, "weekend wknd") && self.first <= 12 && !self.share;
        let amount = !told && !weekend && listed!(self.before, NOT_BEFORE_YEARS);
        if amount || scores::is_counted(sentence, self.survey, chain, (self.first, self.second)) {
            return None;
        }
        if self.slash && self.is_in_a_range() {
            return Some(0.7);
        }
        // `5/5 LUE` is a strength, `3/14 LUE swelling` is none; and a pressure or a rate has its number behind it.
        let limb = listed!(self.after, "lue rue lle rle ue le bue ble") && self.second > 5;
        let measured = listed!(self.after, FRACTION_WORDS) && !limb && !listed!(self.after, "bp hr sbp");
        if self.share && self.after.eq_ignore_ascii_case("of") {
            return None;
        }
        if self.slash && !measured && occasions::is_at_a_date_s_place(sentence, chain) {
            return Some(0.8);
        }
        let fraction = measured || fraction_word_near(sentence, chain.start);
        if !self.slash {
            return self.score_with_dash(told, fraction);
        }
        match () {
            // A row of a table by dates: `12/4  vision:`.
            () if self.begins_row() && !self.is_common_fraction() && sentence[chain.end..].starts_with("  ") => {
                Some(0.7)
            }
            () if measured => None,
            () if weekend => Some(0.8),
            () if told && !(fraction && self.is_ambiguously_told()) => Some(0.95),
            // `Beyfortus 50 mg 10/7 at the clinic`: no share is more than the whole.
            () if self.first > self.second
                && self.first <= 12
                && listed!(self.before, "mg mcg ml units")
                && listed!(self.after, "at by given") =>
            {
                Some(0.7)
            }
            () if fraction => None,
            () if self.has_time() => Some(0.8),
            () => self.score_alone(),
        }
    }

    /// Whether the words before tell of a time.
    fn is_told(&self) -> bool {
        let operated =
            self.slash && !self.share && is_on_day_of_operation(self.sentence, self.chain, (self.first, self.second));
        operated
            || self.slash && is_told_by_a_line(self.before, self.after)
            || self.slash && follows_counted_day(self.sentence, self.chain.start)
            || is_told(self.sentence, self.chain.start, self.before)
            || self.slash && self.is_of_test()
            || self.before.eq_ignore_ascii_case("of") && !self.share
    }

    /// `HIV neg 7/10`, `COVID+ 2/5`, `R IJ TLC (2/8, placed outside)`.
    fn is_of_test(&self) -> bool {
        let (sentence, start) = (self.sentence, self.chain.start);
        let head = sentence[..start].trim_end_matches([' ', '(']);
        let test = match head.strip_suffix(['+', '-']) {
            Some(test) => test.rsplit([' ', '\n', ',', ';', '(']).next().unwrap_or_default(),
            None if listed!(self.before, "neg negative pos positive nonreactive reactive undetectable detected") => {
                word_before(sentence, offset_in(sentence, self.before))
            }
            None => "",
        };
        let placed = byte_before(sentence, start) == b'('
            && sentence[self.chain.end..].starts_with(", ")
            && listed!(self.after, "placed inserted removed changed exchanged drawn repeat started pulled");
        placed || listed!(test, TESTED)
    }

    /// Whether the word before tells of times, and of scores as often.
    fn is_ambiguously_told(&self) -> bool {
        is_one_of(self.before, &["from", "by", "to", "last"])
            || is_one_of(self.before, &["between"]) && self.second == 10
    }

    /// `5/6 - 5/9`: whether it is one of two days with a range between them.
    fn is_in_a_range(&self) -> bool {
        let (sentence, survey, chain) = (self.sentence, self.survey, self.chain);
        let closes = |first: &&Chain| {
            first.end < chain.start
                && first.count == 2
                && first.separators()[0] == b'/'
                && is_between_days(&sentence[first.end..chain.start])
        };
        opens_a_range(sentence, survey, chain)
            || survey.chains.iter().find(closes).is_some_and(|first| opens_a_range(sentence, survey, first))
    }

    /// `on 3-15`, `clinic 03-15 at 10:30`: with a dash, which a range has as well.
    fn score_with_dash(&self, told: bool, fraction: bool) -> Option<f32> {
        let beyond_hours = self.first > 12 || self.second > 12;
        let timed = occasions::has_clock_time(self.sentence, self.chain.end)
            && !fraction
            && (self.padded || self.first > 9 || self.second > 12);
        // `auth runs out 4-30`: such words stand before fractions too, but none is so written.
        let runs_out = self.before.eq_ignore_ascii_case("out");
        let dash = told && (!fraction || runs_out) && !listed!(self.before, "by from between visit week wk given");
        let sure = self.padded || beyond_hours || is_one_of(self.before, &["on", "dated", "dob"]);
        (timed || dash && sure).then_some(0.7)
    }

    /// Whether a clock time or an hour stands right behind.
    fn has_time(&self) -> bool {
        let (sentence, end) = (self.sentence, self.chain.end);
        !self.share && self.second != 10 && occasions::has_hour(sentence, end)
            || occasions::has_clock_time(sentence, end)
                && (self.second != 10 || self.begins_row())
                && !listed!(self.before, COUNTED)
                && !scores::is_of_checks(sentence, self.before)
    }

    /// What the numbers and their place say by themselves.
    fn score_alone(&self) -> Option<f32> {
        let largest = self.first.max(self.second);
        let begins = self.chain.start == 0;
        let after = byte_at(self.sentence, self.chain.end);
        match () {
            () if self.padded || (self.first, self.second) == (11, 11) => Some(0.9),
            () if largest > 12 => Some(if matches!(self.second, 15 | 20 | 30) { 0.6 } else { 0.8 }),
            // A row of a table by dates.
            () if self.begins_row() && self.sentence[self.chain.end..].starts_with("  ") => Some(0.7),
            // A heading of a log line: `7/8: WBC 12`, `3/4 - called patient`.
            () if begins && self.second >= 1 && !self.is_common_fraction() => Some(0.7),
            () if begins && matches!(after, b':' | b')') => Some(0.6),
            () if self.begins_row() && listed!(self.after, HEADED_BY_A_DAY) => Some(0.7),
            () if self.is_common_fraction() => None,
            () if self.is_beside_a_date() => Some(0.7),
            () => Some(0.5),
        }
    }

    fn is_common_fraction(&self) -> bool {
        self.first < self.second && matches!(self.second, 2..=6 | 8 | 10) || self.first == self.second
    }

    /// Whether a line, or a row of a table, begins there.
    fn begins_row(&self) -> bool {
        let head = self.sentence[..self.chain.start].trim_end_matches([' ', '|']);
        head.is_empty() || head.ends_with('\n')
    }

    fn is_beside_a_date(&self) -> bool {
        let chain = self.chain;
        self.survey.chains.iter().any(|other| {
            other.start != chain.start
                && other.count >= 2
                && other.separators()[0] == b'/'
                && other.start.abs_diff(chain.end).min(chain.start.abs_diff(other.end)) <= 5
        })
    }
}

/// Whether a word is an operation, by its short name or its ending.
pub(in crate::detect::patterns) fn ends_in_procedure(word: &str) -> bool {
    const ENDINGS: [&str; 6] = ["ectomy", "otomy", "ostomy", "plasty", "pexy", "graphy"];
    let small = word.to_ascii_lowercase();
    listed!(
        word,
        "hyst tah tah/bso bso chole appy cabg turp tka tha orif btl bka aka fusion lami tonsils t&a c/s csection cesarean stent pacer"
    ) || ENDINGS.iter().any(|ending| small.ends_with(ending))
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

/// `PICC 3/4, ETT 3/2`: whether the word before is a line or a tube, which stands with the day on which it was placed.
fn is_told_by_a_line(before: &str, after: &str) -> bool {
    listed!(before, "picc midline cvc permcath permacath vascath trialysis ett trach peg subclavian")
        && !listed!(after, "lumen lumens port ports out cuff patent clotted")
}

/// `POD 3 (3/4)`: whether a bracket opens right before, behind so many days of a stay.
fn follows_counted_day(sentence: &str, at: usize) -> bool {
    let Some(head) = sentence[..at].strip_suffix('(') else { return false };
    let head = head.trim_end_matches(' ');
    let bare = head.trim_end_matches(|c: char| c.is_ascii_digit());
    let lead = bare.trim_end_matches('#');
    bare.len() < head.len() && listed!(word_before(lead, lead.len()), "pod hd ppd dol day week cycle visit")
}

/// Whether what stands between two days makes a range of them.
fn is_between_days(between: &str) -> bool {
    is_one_of(between.trim(), &["-", "–", "to", "thru", "->", "-->", "→"])
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
    if listed!(before, BEFORE_DATES) || listed!(before, ON_A_DAY) || is_of_test(sentence, at, before) {
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

/// Whether a day stands right behind a test or an event; a fraction of a radiation is `fx 2/10`, too, and of a bone only `hip fx 2/10`.
fn is_of_test(sentence: &str, at: usize, before: &str) -> bool {
    const BONES: &str = "hip femur rib ribs ankle wrist tibia fibula humerus radius pelvic pelvis vertebral compression skull nasal clavicle";
    let lead = || word_before(sentence, offset_in(sentence, before));
    byte_before(sentence, at) == b' '
        && listed!(before, TESTS_AND_EVENTS)
        && (!listed!(before, "fx fracture") || listed!(lead(), BONES))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn dates(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Date])
    }

    #[test]
    fn days_that_are_told() {
        for (sentence, day) in [
            ("last dose 3/4", "3/4"),
            ("line out 3/4", "3/4"),
            ("CT A/P 3/4", "3/4"),
            ("over 4/26 weekend", "4/26"),
            ("partial resection 1/10", "1/10"),
            ("auth runs out 4-30", "4-30"),
            ("3/14 LUE swelling", "3/14"),
            ("Beyfortus 50 mg 10/7 at the clinic", "10/7"),
            ("INR check 3/5 9:30", "3/5"),
            ("1/8 spoke w/ daughter", "1/8"),
            ("CTH 2/10 - stable blood", "2/10"),
            ("L hip fx 2/11 after a fall", "2/11"),
            ("2 VT 12/31 (9 bts)", "12/31"),
        ] {
            assert_eq!(dates(sentence), [day], "{sentence}");
        }
        assert_eq!(dates("s/p NSTEMI 4/9, LHC 4/10"), ["4/9", "4/10"]);
        assert_eq!(dates("off work 5/6 - 5/9"), ["5/6", "5/9"]);
        assert_eq!(dates("Vanc 3/4 -> 3/9"), ["3/4", "3/9"]);
        assert_eq!(dates("Lines: PICC 3/4, ETT 2/3"), ["3/4", "2/3"]);
        assert_eq!(dates("POD 3 (3/4) s/p hemicolectomy"), ["3/4"]);
        assert_eq!(dates("Seen 3/14, 15, 16 and discharged"), ["3/14, 15, 16"]);
        assert_eq!(dates("cultures 3/14,15,16."), ["3/14,15,16"]);
    }

    #[test]
    fn shares_scores_and_spans() {
        for sentence in [
            "took 1/2 tab",
            "3/4 of the plate",
            "5/5 LUE",
            "strength 4/5",
            "range 10-12 daily",
            "nodes 2/14 positive",
            "PICC 1/2 lumens patent",
            "strength 3/5 -> 4/5",
            "took 1/2, 1 and 2 tabs",
            "Day 10/14 of cefepime",
            "cough 5/7, r/v 6/52",
            "with 4/12 of symmetric swelling",
            "TCU 3/12 c FBG",
            "restraint check 3/5 09:30",
            "SiPAP 10/6 -> NCPAP 6",
            "BORN at 27 3/7, BW 940 g",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
