//! Two numbers that no words make a day: points of a scale, pressures of a machine, spans and parts.

use crate::detect::listed::listed;
use crate::detect::patterns::context::{byte_at, offset_in, word_after, word_before};
use crate::detect::patterns::dates::value;
use crate::detect::patterns::survey::{Chain, Survey};
use crate::detect::patterns::wheals;
use crate::detect::patterns::years::unit_follows;

/// Before two numbers with a slash: pressures of a ventilator, parts of a combined drug, results of an examination.
const NEVER_BEFORE_DATES: &str = "ps psv peep pip/peep peep/pip aprv suboxone zubsolv bunavail lotrel exforge azor twynsta norco \
                        lortab vicodin percocet symbicort dulera breo vytorin caduet edinburgh geneva dgi am-pac nips crs-r \
                        pupils attendance inattention inattentive hyperactive naming fluency repetition erefs wmsi stereo stereopsis ishihara gracey orapred seq sequence";
/// Machines that breathe, behind which the higher of two pressures comes first: `BPAP 18/12`.
const BREATHING: &str = "bipap sipap bpap bilevel vpap avaps ipap nimv nippv snippv nipv niv s/t";
/// So many bytes before a pair at most are looked through for the word before further ones, so that a long row takes no longer a number.
const LONGEST_ROW: usize = 120;
/// Scales with their most points, of which a share looks like a day: `GDS 4/15`.
const SCALES: &str = "nottingham/9 gds/15 gds/30 bims/15 slums/30 moca/30 mna/14 bbps/9 bpp/8 westley/17 pram/12 lace/19 mackay/24 \
                      uceis/8 rockall/11 blatchford/23 poma/28 fga/30 ranson/11 four/16 epds/30 sofa/24 pugh/15 child-pugh/15 \
                      norton/20 dlqi/30 gad7/21 gad-7/21 phq9/27 phq-9/27 phq2/6 phq-2/6 news/20 news2/20 cfs/9 4at/12 6cit/28 \
                      mews/14 act/25 sppb/12 gds-15/15 gds-30/30 audit-c/12 dast-10/10 mst/5";
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

/// Whether two numbers are a score, doses or pressures by what is scored, given or set: `BiPAP 14/6`, `Nottingham 7/9`, `N1a(2/14)`.
pub(super) fn is_scored(sentence: &str, chain: &Chain, (first, second): (u32, u32)) -> bool {
    let slash = chain.separators()[0] == b'/';
    let (before, after) = (word_before(sentence, chain.start), word_after(sentence, chain.end));
    let lead = || word_before(sentence, offset_in(sentence, before));
    slash && is_of_treatment(sentence, chain, before) && first <= second && second <= 14
        // `off NIV 12/6`
        || listed!(before, BREATHING) && first > second && !listed!(lead(), "off stopped")
        || before_pairs(&sentence[..chain.start]).is_some_and(|before| listed!(before, BREATHING))
        || is_of_scale(sentence, before, first, second)
        // Doses of the morning and of the evening; but `started NPH 5/12`.
        || listed!(before, "nph humulin novolin") && second > 3 && (first > 12 || listed!(after, "daily units u bid"))
        || listed!(before, NEVER_BEFORE_DATES)
        || listed!(before, BOTTLES) && first <= second && second <= 4
        || listed!(before, "from on to") && is_weaned(sentence, chain.start, before)
        || second == 10 && first < 10 && listed!(after, "after post with at now s/p")
        || slash && wheals::is_wheal(sentence, before)
        || is_of_stage(sentence, chain.start)
}

/// `abx day 5/7`: whether it is told which of so many days of a treatment.
fn is_of_treatment(sentence: &str, chain: &Chain, before: &str) -> bool {
    const GIVEN: &str = "abx antibiotic antibiotics course steroids prednisone azithro azithromycin vanc ceftriaxone zosyn treatment therapy";
    let after = word_after(sentence, chain.end);
    before.eq_ignore_ascii_case("day")
        && (listed!(word_before(sentence, offset_in(sentence, before)), GIVEN)
            || after.eq_ignore_ascii_case("of")
            || listed!(after, GIVEN))
}

/// Whether two numbers are counted: a unit or a percentage follows, or they are a span of time.
///
/// British durations: `3/7 hx of cough`, `for 6/12`, `2/52 ago` are days, weeks and months; `29 4/7` are weeks and days.
pub(super) fn is_counted(sentence: &str, survey: &Survey, chain: &Chain, (first, second): (u32, u32)) -> bool {
    let (before, after) = (word_before(sentence, chain.start), word_after(sentence, chain.end));
    // `wt loss 6/12`
    let weight =
        || listed!(before, "loss gain") && listed!(word_before(sentence, offset_in(sentence, before)), "wt weight");
    let lasting = listed!(after, "hx ago history course previously duration h/o back old only overdue")
        || listed!(
            before,
            "for past over in x previous next within review rv r/v ~ bd tds qds nocte mane tcu ros approx lie"
        )
        || listed!(after, "of") && !listed!(before, "on from by since till until")
        || weight()
        || is_beside_weeks(sentence, survey, chain);
    let weeks = sentence[..chain.start].trim_end_matches(' ');
    let of_weeks = weeks.len() < chain.start && weeks.ends_with(|c: char| c.is_ascii_digit());
    let gestation = second == 7
        && (of_weeks && first < 7 && (is_of_gestation(weeks) || is_of_birth(weeks))
            || listed!(after, "weeks week wks wk"));
    matches!(second, 7 | 12 | 24 | 52) && chain.separators()[0] == b'/' && lasting
        || gestation
        || unit_follows(sentence, chain.end)
        || byte_at(sentence, chain.end) == b'%'
        // `bundle met 9/12 (75%)`: a share, and what it comes to.
        || is_share((first, second), &sentence[chain.end..])
}

/// Whether another pair of the sentence is so many weeks in the British way, `6/52`, so that this one is a span of time as well.
fn is_beside_weeks(sentence: &str, survey: &Survey, chain: &Chain) -> bool {
    survey.chains.iter().any(|other| {
        other.start != chain.start
            && other.count == 2
            && other.separators()[0] == b'/'
            && value(sentence, other.numbers()[1]).0 == 52
    })
}

/// `9/12` before ` (75%)`: a share, and what it comes to; but `cath 9/12 (80% LAD)`.
pub(in crate::detect) fn is_share((first, second): (u32, u32), after: &str) -> bool {
    let told = after.strip_prefix(" (").and_then(|rest| rest.split_once('%')).and_then(|(told, _)| told.parse().ok());
    told.is_some_and(|told: f64| second > 0 && (100.0 * f64::from(first) / f64::from(second) - told).abs() < 1.0)
}

/// Whether checks of one in restraints are counted, where `INR check 3/5 9:30` is a day.
pub(super) fn is_of_checks(sentence: &str, before: &str) -> bool {
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

/// `BiPAP` of `BiPAP 8/4, 9/5, `: the word before further pairs; none where there are none.
fn before_pairs(head: &str) -> Option<&str> {
    let head = &head[head.ceil_char_boundary(head.len().saturating_sub(LONGEST_ROW))..];
    let bare = head.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '/' | ',' | ' '));
    head[bare.len()..].contains('/').then(|| word_before(bare, bare.len()))
}

/// Whether the word before pairs says that they are pressures or doses: `BiPAP 8/4, 9/5`.
pub(in crate::detect::patterns) fn is_of_machine(before: &str) -> bool {
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

/// Whether a text ends in weeks at which somebody was born: `BORN 10/27 at 27`.
fn is_of_birth(text: &str) -> bool {
    let mut words = text.rsplit(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.next().and_then(|weeks| weeks.parse::<u32>().ok()).is_some_and(|weeks| (22..=44).contains(&weeks))
        && words.next().is_some_and(|word| word.eq_ignore_ascii_case("at"))
        && words.take(3).any(|word| listed!(word, "born delivered del birth svd nsvd lscs"))
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

/// Whether one of the six words before is one that goes with fractions.
pub(in crate::detect::patterns) fn fraction_word_near(sentence: &str, at: usize) -> bool {
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

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn scores_pressures_and_spans() {
        for sentence in [
            "BiPAP 14/6",
            "BiPAP 8/4, 9/5, 10/7",
            "Nottingham 7/9",
            "N1a(2/14)",
            "abx day 5/7",
            "cough for 6/12",
            "2/52 ago",
            "wt loss 6/12",
            "PMA 29 4/7",
            "BCx 2/4 GNR",
            "weaned from 12/6",
            "bundle met 9/12 (75%)",
            "NPH 14/8 units",
        ] {
            assert_eq!(found(sentence, &[Label::Date]), [] as [&str; 0], "{sentence}");
        }
        assert_eq!(found("off NIV 12/6, well", &[Label::Date]), ["12/6"]);
        assert_eq!(found("cath 9/12 (80% LAD)", &[Label::Date]), ["9/12"]);
    }
}
