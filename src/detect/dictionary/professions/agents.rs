//! Jobs that no list has, by the form of their word, where it is said that somebody is or was one.
//!
//! ```text
//! "is a cotton ginner in Tahoka"  "retired roof bolter"  "52 y/o nail tech from"      whoever does it ends so
//! "is a heavy smoker"  "is a blood thinner"                                        so does what is no job
//! ```

use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordInfo;
use crate::phi::Label;

/// How the words of those end who do something.
const ENDINGS: [&str; 7] = ["er", "or", "ist", "man", "woman", "smith", "wright"];
/// Whole words that end a job and are told only by the trade before them.
const BARE: &str = "tech hand lead operator specialist";
/// Commoner words of English are listed, or no jobs.
const COMMON: u8 = 35;
/// Who does that for no pay.
const NO_JOBS: &str = "smoker nonsmoker non-smoker drinker walker sleeper eater abuser teenager survivor responder snorer vaper dipper chewer \
                       bleeder breather gambler loner sufferer swimmer hiker biker jogger runner faster sitter snacker overeater napper taker \
                       hoarder cutter nonresponder non-responder historian newcomer foreigner amputee minor preemie transfer thinner softener \
                       blocker killer reliever stander riser worrier talker latter former widower gentlewoman noblewoman sucker biter wetter \
                       preschooler grader teetotaler metabolizer rottweiler stutterer rollover takeover hangover layover stammerer grinder \
                       clencher picker puller snorter injector shooter kindergartner kindergartener toddler freshman firstborn newborn \
                       homebody loudmouth nonresident coper ruminator secretor twitcher fidgeter crier";
/// What stands before a noun and is no part of it.
const FUNCTION_WORDS: &str = "after before during with without from since until till over under of for at by on in into about around between per via \
                              his her their my our your its this that these those some any no another each every and or but";
/// What is said of those who were something.
const OUT_OF_WORK: &str = "retired former ex disabled unemployed";
/// What may stand before such a word and tells of no trade.
const NO_TRADES: &str = "heavy light social daily current former lifelong poor good bad fast slow deep mouth early never ever binge chronic \
                         blood stool pain very small big old young new second first cancer stroke picky restless";
/// What is said of people, whatever they do.
const PRAISE: &str = "pleasant elderly healthy lifelong local part-time full-time part time full busy prominent famous hardworking proud avid keen \
                      amateur obese thin tall anxious pregnant right-handed left-handed nice lovely kind friendly fellow talented seasoned \
                      aspiring single great lead senior junior veteran competent working professional real current good quiet happy stay-at-home off-duty on-duty off duty";
/// What a job is about has so many words at most.
const LONGEST_MATTER: usize = 3;
/// What goes on behind a job.
const AFTER: &str =
    "at for in from with w and who since x by until full part on out of near via but now is was has had retired here";

/// Adds the job that ends at `index`.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if word.shape != Shape::Lower
        || word.end - word.start < 4
        || !ends_so(words, index)
        || found.covers(word.start..word.end)
    {
        return;
    }
    let Some(first) = first_of(words, index) else { return };
    let bare = listed!(words.text(index), BARE);
    if (first < index || !bare) && goes_on(words, index) && is_of_somebody(words, first) {
        found.add(words.list[first].start..word.end, Label::Profession, 0.6);
    }
}

/// Whether a word has the form of one who does something, and is no common word.
fn ends_so(words: &Words, index: usize) -> bool {
    let text = words.text(index);
    if listed!(text, BARE) {
        return true;
    }
    let agent = ENDINGS.iter().any(|ending| text.len() > ending.len() + 3 && text.ends_with(ending));
    agent && !listed!(text, NO_JOBS) && {
        let info = words.look_up(index, index);
        info.english_size().is_none_or(|size| size >= COMMON) && !info.is_any(MEDICAL)
    }
}

/// The first word of the job: at most two words in small letters tell its trade.
fn first_of(words: &Words, last: usize) -> Option<usize> {
    let mut first = last;
    while first > 0 && last - first < 2 {
        let before = &words.list[first - 1];
        let joined = matches!(words.between(first), " " | "-") && before.shape == Shape::Lower;
        let text = words.text(first - 1);
        let trade = before.marker.is_none()
            && text.len() > 2
            && !text.ends_with("ly")
            && !listed!(text, NO_TRADES)
            && !listed!(text, FUNCTION_WORDS)
            && !listed!(text, OUT_OF_WORK);
        if !joined || !trade || is_age(words, first - 1) {
            break;
        }
        first -= 1;
    }
    // `a heavy smoker` is told by the word that tells no trade.
    let lead = first.checked_sub(1)?;
    (!listed!(words.text(lead), NO_TRADES)).then_some(first)
}

/// The first word of what a job is about, where an article tells where that begins: `a blues guitarist`, `a corn and hog farmer`.
pub(super) fn with_matter(words: &Words, first: usize) -> usize {
    let mut from = first;
    while first - from <= LONGEST_MATTER {
        let Some(before) = from.checked_sub(1) else { break };
        let text = words.text(before);
        if listed!(text, "a an") {
            return from;
        }
        // `corn and hog farmer`, but `a smoker and farmer`
        let joins =
            listed!(text, "and") && before > 0 && super::part(words.text(before - 1)) == Some(super::Part::Trade);
        if !matches!(words.between(from), " " | "-") || !(joins || is_matter(words, before)) {
            break;
        }
        from = before;
    }
    first
}

/// Whether a word before a job can tell what it is about, and does not tell of who does it: `a tired teacher`.
fn is_matter(words: &Words, index: usize) -> bool {
    const OF_WHO: [&str; 9] = ["ed", "ful", "ous", "ive", "able", "ible", "ish", "less", "ic"];
    let (word, text) = (&words.list[index], words.text(index));
    word.shape == Shape::Lower
        && word.marker.is_none()
        && text.len() > 2
        && !text.ends_with("ly")
        && !OF_WHO.iter().any(|ending| text.ends_with(ending))
        && !(listed!(text, NO_TRADES)
            || listed!(text, FUNCTION_WORDS)
            || listed!(text, OUT_OF_WORK)
            || listed!(text, PRAISE))
        && !is_of_medicine(words.look_up(index, index))
}

/// Whether a word is one of medicine, and no common one of English besides, as `mine` is.
pub(super) fn is_of_medicine(info: WordInfo) -> bool {
    info.is_any(MEDICAL) && info.english_size().is_none_or(|size| size > COMMON)
}

/// Whether nothing behind a word makes another thing of it.
fn goes_on(words: &Words, last: usize) -> bool {
    let rest = words.between_after(last);
    rest.trim_start().is_empty()
        || rest.starts_with([',', '.', ';', ')', '\n', '('])
        || rest.starts_with(" (")
        || rest.starts_with(' ')
            && words.get(last + 1).is_some_and(|next| next.gap == Gap::Space && listed!(words.text(last + 1), AFTER))
}

/// Whether the words before a job say that somebody is, was or has been one.
fn is_of_somebody(words: &Words, first: usize) -> bool {
    let Some(lead) = first.checked_sub(1) else { return false };
    let text = words.text(lead);
    let article = listed!(text, "a an")
        && lead
            .checked_sub(1)
            .is_some_and(|before| listed!(words.text(before), "is was be been being became as am i'm he's she's"));
    let retired = listed!(text, OUT_OF_WORK)
        && (words.between(first) == " " || listed!(text, "ex") && words.between(first) == "-");
    let field = words.list[lead].is(Marker::JobLead) && !listed!(text, "a an") && words.list[first].gap == Gap::Colon;
    let works = listed!(text, "as")
        && lead.checked_sub(1).is_some_and(|before| listed!(words.text(before), "works worked job employed working"));
    article || retired || field || works || words.between(first) == " " && is_age(words, lead)
}

/// `52 y/o`, `yo`, `year-old`: whether a word ends an age.
fn is_age(words: &Words, index: usize) -> bool {
    listed!(words.text(index), "yo yof yom yow")
        || matches!(words.text(index), "o" | "old")
            && index > 0
            && listed!(words.text(index - 1), "y yr year years yrs")
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::professions::tests::jobs;

    #[test]
    fn jobs_by_their_form() {
        for (sentence, job) in [
            ("Father a mine electrician, d. at 58", "mine electrician"),
            ("son Rey, a long-haul trucker for Crossland", "long-haul trucker"),
            ("was a corn and hog farmer", "corn and hog farmer"),
            ("ex-winemaker from the coast", "winemaker"),
            ("The father is a cotton ginner in the valley", "cotton ginner"),
            ("She is a deboner and cannot have her phone", "deboner"),
            ("46, disabled roof bolter (second fusion)", "roof bolter"),
            ("a 52 y/o nail tech from the coast", "nail tech"),
            ("He works as a dowel turner.", "dowel turner"),
        ] {
            assert_eq!(jobs(sentence), [job], "{sentence}");
        }
    }

    #[test]
    fn other_words_of_that_form() {
        for sentence in [
            "He is a heavy smoker and a light drinker.",
            "This is a blood thinner.",
            "She was a poor sleeper.",
            "He is a slow responder.",
            "It was a disaster.",
            "Retired earlier this year.",
            "is a good transfer candidate",
            "There was a further blister.",
            "He is an early riser.",
            "He is a widower.",
            "She is a thumb sucker and a nail biter.",
            "He is a bed wetter.",
            "is a rapid metabolizer",
            "was a rottweiler",
            "19 yo after rollover",
        ] {
            assert_eq!(jobs(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
