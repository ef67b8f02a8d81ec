//! Jobs outside care: `works as a truck driver`, `retired teacher`, `Occupation: welder`, `his lawyer`.
//!
//! ```text
//! "a retired school bus driver; her sister, a welder"       "case manager", "charge nurse": care, no one's job
//!            └ trade ─┘ └ told               └ alone
//! ```

mod agents;
mod fielded;
mod titled;
mod trades;

use crate::detect::listed::listed;
use std::sync::LazyLock;

use super::found::Found;
use super::markers::Marker;
use super::words::{Cues, Gap, Shape, Words};
use crate::detect::patterns::cues::WordTable;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// At most so many words make a job.
const LONGEST_JOB: usize = 4;
const WRITTEN: &str = include_str!("professions/jobs.txt");

/// What a word is to the name of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A job by itself.
    Alone,
    /// A job where a trade, a person or an employer stands beside it.
    Told,
    /// Says which job the next word is.
    Trade,
}

/// The written jobs, and the last two letters that they end in.
struct Vocabulary {
    parts: WordTable<Part>,
    /// By the last letter but one, a bit for each last letter.
    endings: [u32; 26],
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let section = |name: &str| {
        let body = WRITTEN.split_once(name).map_or("", |(_, after)| after);
        body.split_once("\n[").map_or(body, |(section, _)| section)
    };
    let (alone, told) = (section("\n[alone]"), section("\n[told]"));
    let mut endings = [0_u32; 26];
    for word in alone.split_ascii_whitespace().chain(told.split_ascii_whitespace()) {
        if let [.., before @ b'a'..=b'z', last @ b'a'..=b'z'] = word.as_bytes() {
            endings[usize::from(before - b'a')] |= 1 << (last - b'a');
        }
    }
    let parts = WordTable::of([(Part::Alone, alone), (Part::Told, told), (Part::Trade, section("\n[trade]"))]);
    Vocabulary { parts, endings }
});

fn part(word: &str) -> Option<Part> {
    VOCABULARY.parts.get(word.as_bytes())
}

/// Every word that may be a job or say which, blank-separated; headings too.
pub(super) const fn cue_words() -> &'static str {
    WRITTEN
}

/// Adds every job of a sentence.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for index in 0..words.list.len() {
        if words.list[index].is(Marker::JobLead) {
            introduced(words, index, found);
        }
        if words.list[index].cues.has(Cues::JOB) {
            by_itself(words, index, found);
        }
        titled::detect(words, index, found);
        trades::detect(words, index, found);
        agents::detect(words, index, found);
        fielded::detect(words, index, found);
    }
}

/// Whether a word is a job by itself: `bartender`, not `driver`.
pub(super) fn is_job(text: &str) -> bool {
    may_end_job(text.as_bytes()) && matches!(part(text), Some(Part::Alone | Part::Told))
}

/// Whether a word ends as the words for jobs do: a cheap sieve before any table.
fn may_end_job(word: &[u8]) -> bool {
    let [_, .., before, last] = word else { return false };
    let letter = |byte: &u8| usize::from((byte | 0x20).wrapping_sub(b'a'));
    let (before, last) = (letter(before), letter(last));
    before < 26 && last < 26 && VOCABULARY.endings[before] >> last & 1 == 1
}

/// A job where it stands.
fn by_itself(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let kind = match part(words.text(index)) {
        Some(kind @ (Part::Alone | Part::Told)) => kind,
        _ => return,
    };
    let possessive =
        words.get(index + 1).is_some_and(|next| next.gap == Gap::Other && matches!(words.text(index + 1), "s" | "S"));
    if found.covers(word.start..word.end) || is_title(words, index) || possessive && kind == Part::Told {
        return;
    }
    let mut first = first_of(words, index);
    let mut told = match kind {
        Part::Alone => is_free(words, first, index),
        _ => first < index && is_trade_of(words, first, index) || is_told(words, first, index),
    };
    if !told && kind == Part::Told && first == index && names_its_work(words, index) {
        (first, told) = (index - 1, true);
    }
    let lung = words.get(index + 1).is_some() && listed!(words.text(index + 1), "pneumoconiosis pneumoconioses");
    if !told || lung || cares(words, first, index) || possessive && is_disease(words, index + 2) {
        return;
    }
    let score = if kind == Part::Alone || first < index { 0.7 } else { 0.6 };
    let first = agents::with_matter(words, first);
    found.add(words.list[first].start..word.end, Label::Profession, score);
}

/// Whether any word before a job tells which one it is, where the sentence says that someone is or was that: `was a ukulele maker`.
fn names_its_work(words: &Words, index: usize) -> bool {
    const MANNER: &str = "good great poor bad heavy light daily current lead main sole primary only first second new old young own other \
                          blood insulin pain stress fast slow home time full part social family team care bone skin food decision";
    let Some(before) = index.checked_sub(1) else { return false };
    let word = &words.list[before];
    word.shape == Shape::Lower
        && word.marker.is_none()
        && words.between(index) == " "
        && words.text(before).len() > 2
        && !words.text(before).ends_with("ly")
        && !listed!(words.text(before), MANNER)
        && !is_vague(words, index)
        && is_told(words, before, index)
}

/// Whether a title or name is meant: `Pastor Dallas`, `Mr. Carpenter`.
fn is_title(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    if word.shape == Shape::Lower {
        return false;
    }
    let named = words
        .get(index + 1)
        .is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Capital && words.between(index + 1) == " ");
    let after_name =
        index > 0 && words.list[index - 1].is_capital() && matches!(word.gap, Gap::Space | Gap::Stop | Gap::Hyphen);
    let surname = word.info.surname_count > 3_000 && !matches!(word.gap, Gap::Colon) && !words.shouted;
    let told = index > 0 && words.list[index - 1].is(Marker::JobLead) || part_before(words, index) == Some(Part::Trade);
    words.shouted && !told && !word_is_listed_job(words, index)
        || !words.shouted && (named || surname || after_name && part_before(words, index).is_none())
}

/// Whether capitals throughout still tell a job: after a field or as the subject.
fn word_is_listed_job(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    word.info.surname_count < 3_000 && matches!(word.gap, Gap::Colon | Gap::Start | Gap::Space | Gap::Comma)
}

fn part_before(words: &Words, index: usize) -> Option<Part> {
    index.checked_sub(1).and_then(|before| part(words.text(before)))
}

/// The first word of a job that ends at `last`: the words of its trade, at most three.
fn first_of(words: &Words, last: usize) -> usize {
    let mut first = last;
    while first > 0 && last - first < 3 {
        let gap = words.list[first].gap;
        // `long-haul trucker`: the two words of a trade.
        if first > 1
            && words.between(first) == " "
            && words.between(first - 1) == "-"
            && part(words.phrase(first - 2, first - 1)) == Some(Part::Trade)
        {
            first -= 2;
            continue;
        }
        let before = &words.list[first - 1];
        let hyphen_and = words.text(first - 1).eq_ignore_ascii_case("and") && gap == Gap::Hyphen;
        let trade = matches!(part(words.text(first - 1)), Some(Part::Trade)) || hyphen_and;
        let capital =
            listed!(words.text(first - 1), "latin french spanish german greek italian english navy army marine coast");
        let case = before.shape == words.list[last].shape || before.gap == Gap::Start || capital;
        let real =
            words.text(first - 1).eq_ignore_ascii_case("real") && !words.text(first).eq_ignore_ascii_case("estate");
        if real || !(matches!(gap, Gap::Space | Gap::Hyphen) && trade && case) || words.between(first).len() > 2 {
            break;
        }
        first -= 1;
    }
    first
}

/// Whether a word that is a job by itself is used as one here.
fn is_free(words: &Words, first: usize, last: usize) -> bool {
    if first < last {
        return true;
    }
    let text = words.text(last);
    let before = last.checked_sub(1).map_or("", |at| words.text(at));
    let joined = matches!(words.list[last].gap, Gap::Hyphen) && !before.eq_ignore_ascii_case("ex");
    let attorney = text.eq_ignore_ascii_case("attorney") && listed!(before, "of durable");
    // Words that are verbs or things more often than jobs need someone beside them.
    let weak = listed!(
        text,
        "clerk pilot minister controller inspector builder fitter fisher dean developer commissioner \
                                warden broker editor merchant instructor designer steward printer coach tiler principal \
                                framer boxer gunner installer investigator estimator decorator planter sorter smelter cooper governor",
    );
    let trainer = text.eq_ignore_ascii_case("coach") && !listed!(before, "to can could will would may might");
    let weak = weak && !trainer && !is_told(words, first, last);
    let named = text.eq_ignore_ascii_case("coach")
        && words.get(last + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Capital);
    let other = joined || attorney || weak || named;
    !other
}

/// Whether the words before make a job of one that needs its trade.
fn is_trade_of(words: &Words, first: usize, last: usize) -> bool {
    let text = words.text(last);
    let trade = words.text(last - 1);
    // `call center`, `floor nurse`: trades that are other things in a hospital.
    let house = listed!(
        trade,
        "front desk floor head second third first night day plant research quality general \
                                  personal service area program line assistant chief public community water power",
    );
    let vague = listed!(
        text,
        "aide assistant associate attendant crew specialist technician tech technologist therapist \
                                 coordinator examiner expert helper leader student partner counselor hand hands rep \
                                 representative monitor walker runner layer mover model girl man woman lady",
    );
    let ship = trade.eq_ignore_ascii_case("chief") && listed!(text, "engineer officer mate cook steward");
    let cook = listed!(text, "cook cooks");
    if (house || vague) && !ship && !cook {
        let phrase = words.phrase(first, last);
        let info = Lexicon::shared().word(phrase);
        return info.is(WordFlags::PROFESSION) && !info.is(WordFlags::CARE_ROLE)
            || last - first > 1
            || is_told(words, first, last)
            || vague && !house && listed!(text, "man woman hand hands lady student");
    }
    true
}

/// Whether a person, a verb of work or an employer stands beside a job.
fn is_told(words: &Words, first: usize, last: usize) -> bool {
    let employer = words.get(last + 1).is_some_and(|next| {
        next.gap == Gap::Space
            && listed!(words.text(last + 1), "at for")
            && words.get(last + 2).is_some_and(|name| name.shape == Shape::Capital && name.gap == Gap::Space)
    });
    let Some(before) = first.checked_sub(1) else { return employer };
    let gap = words.list[first].gap;
    let lead = words.text(before);
    let whose = gap == Gap::Space
        && listed!(lead, "his her my their your ex former retired s client's")
        && !listed!(
            words.text(last),
            "hand hands lady girl man woman partner student monitor therapist tech technician crew counselor \
                     specialist assistant aide model rep representative helper walker",
        );
    let possessor = lead == "s" && before > 0 && words.list[before].gap == Gap::Other;
    let apposed = listed!(lead, "a an")
        && before > 0
        && (words.list[before - 1].is(Marker::Kin) || listed!(words.text(before - 1), "is was as"))
        && words.list[before].gap != Gap::Other;
    let kin = words.list[before].is(Marker::Kin) && matches!(gap, Gap::Comma | Gap::Bracket);
    // `Dad diamond cutter`, `pt hair braider`
    let stated = gap == Gap::Space
        && first < last
        && (words.list[before].is(Marker::Kin) || listed!(lead, "pt patient occ job sh soc"));
    employer && first < last
        || whose && !possessor
        || possessor && !listed!(words.text(last), "hand hands")
        || apposed && !is_vague(words, last)
        || kin
        || stated && !is_vague(words, last)
}

fn is_vague(words: &Words, last: usize) -> bool {
    listed!(
        words.text(last),
        "hand hands lady girl man woman partner student monitor walker model runner host leader carrier historian guy guys gal",
    )
}

/// Whether a job belongs to the care of the patient: `case manager`, `unit clerk`.
fn cares(words: &Words, first: usize, last: usize) -> bool {
    const CARE: &str = "case nurse nursing care unit ward charge clinical medical health patient office risk bed therapy \
                        research rehab surgical hospital discharge practice lab pharmacy radiology ultrasound surgery \
                        procedure dental social intake triage admissions records icu ed or scrub physician staff \
                        court-appointed needle biopsy pain stem radiation";
    let Some(before) = first.checked_sub(1) else { return false };
    matches!(words.list[first].gap, Gap::Space | Gap::Hyphen) && listed!(words.text(before), CARE) && {
        let info = Lexicon::shared().word(words.phrase(before, last));
        !info.is(WordFlags::PROFESSION)
    }
}

/// `farmer's lung`, `fisherman's wrap`: named after a job.
fn is_disease(words: &Words, index: usize) -> bool {
    words.get(index).is_some()
        && listed!(
            words.text(index),
            "bunion lung knee elbow foot rash palsy thumb disease wart nodules contracture canal assistant bench ear view position grip",
        )
}

/// A job after `works as`, `retired`, `Occupation:`.
fn introduced(words: &Words, index: usize, found: &mut Found) {
    let mut first = index + 1;
    while words.get(first).is_some_and(|next| next.is(Marker::JobLead) && next.gap != Gap::Comma) {
        first += 1;
    }
    // One or two words may qualify the job: `a very successful lawyer`, `a part-time bartender`.
    for skipped in 0..3 {
        let at = first + skipped;
        let Some(next) = words.get(at) else { break };
        let column = next.gap == Gap::Space && words.between(at).len() > 2;
        if !matches!(next.gap, Gap::Space | Gap::Colon | Gap::Hyphen | Gap::Other)
            || next.is(Marker::With)
            || next.is(Marker::Connector)
            || column && skipped > 0
        {
            break;
        }
        if let Some(last) = longest(words, at) {
            add(words, index, at, last, skipped, found);
            break;
        }
    }
}

fn longest(words: &Words, first: usize) -> Option<usize> {
    let end = (first + LONGEST_JOB).min(words.list.len());
    (first..end).rev().find(|&last| {
        words.joined(first, last) && {
            let info = words.exactly(first, last);
            info.is(WordFlags::PROFESSION) && !info.is(WordFlags::CARE_ROLE)
        }
    })
}

fn add(words: &Words, lead: usize, first: usize, last: usize, skipped: usize, found: &mut Found) {
    let lead_text = words.text(lead);
    let article = matches!(lead_text, "a" | "an" | "A" | "An");
    let told = !article
        || words.marked_before(lead, 3, Marker::JobLead)
        || matches!(lead.checked_sub(1).map(|at| words.text(at)), Some("is" | "was" | "being" | "became" | "been"));
    let capital = words.list[first].shape != Shape::Lower
        && !words.shouted
        && words.list[first].gap != Gap::Colon
        && !matches!(lead_text, "Occupation" | "Profession" | "Job" | "OCCUPATION");
    const NO_JOBS: &str =
        "poor good fair reliable unreliable limited vague drunk designated german excellent difficult";
    let previous = words.text(first - 1);
    if told && !(capital && skipped > 0) && !listed!(previous, NO_JOBS) {
        let first = if skipped > 0 && qualifies(words, first - 1) { first - 1 } else { first };
        found.add(words.list[first].start..words.list[last].end, Label::Profession, if article { 0.7 } else { 0.9 });
    }
}

/// Whether the word before a job says which: `bus dispatcher`, not `full-time student`.
fn qualifies(words: &Words, index: usize) -> bool {
    const MANNER: &str = "full time part very former retired self employed successful local small busy new \
                          current now also long semi disabled unemployed previously currently single married \
                          pleasant healthy young old older year male female professional freelance independent \
                          professed highly fellow volunteer the this his her their first second grade";
    let word = &words.list[index];
    word.shape == Shape::Lower
        && word.marker.is_none()
        && words.list[index + 1].gap == Gap::Space
        && !words.text(index).ends_with("ly")
        && !listed!(words.text(index), MANNER)
}

#[cfg(test)]
mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::dictionary::DictionaryDetector;
    use crate::phi::{Label, unite};

    /// The jobs that are found in a sentence.
    pub(super) fn jobs(sentence: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        DictionaryDetector::new().detect(sentence, &mut spans);
        spans.retain(|span| span.leading().class.label == Label::Profession);
        unite(spans).iter().map(|span| &sentence[span.start..span.end]).collect()
    }
}
