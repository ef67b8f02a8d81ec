//! Words whose blanks are lost, as hurried typing, interfaces and optical readers leave them.
//!
//! ```text
//! wifeMariacalledaboutmeds                    wife Maria called about meds
//! TransferredfromStMarysHospitaltoICU         Transferred from St Marys Hospital to ICU
//! PtnamedJohnSmithseenbyAnnaLeeRN             Pt named John Smith seen by Anna Lee RN
//! ```
//!
//! Of all ways to cut the letters the one of the commonest words is taken, and only where it holds common words enough: the names of drugs and
//! diseases are long, too, and so are what is in web addresses and what programs encode.

use std::ops::Range;

use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags, WordInfo};

/// No shorter piece of text has lost more than one blank, in bytes.
const SHORTEST: usize = 14;
/// A piece so long, in bytes, has lost its blanks, whatever single runs of letters in it may be.
const LONG: usize = 60;
/// What is no longer is one word, in letters.
const SHORTEST_RUN: usize = 3;
/// Longer runs of letters are no words.
const LONGEST: usize = 240;
/// The longest word, in letters.
const LONGEST_WORD: usize = 18;
/// So many blanks must be lost, so that no compound and no name of two words is cut.
const FEWEST_BLANKS: usize = 2;
/// So many of the words must be among the commonest.
const FEWEST_COMMON: usize = 2;
/// What the words may cost for each letter.
const MOST_COST: f32 = 0.78;
/// What a word costs that nobody knows, with its letters.
const UNKNOWN: (f32, f32) = (7.0, 0.5);
/// The shortest word that nobody knows, in letters.
const SHORTEST_UNKNOWN: usize = 4;
/// So many bear a name that is cut off where it is written small, or is common.
const BEARERS: u32 = 2_000;
/// Words of two letters; there are too many others.
const SHORT: &str =
    "at by to in on of is as he an am it no so we up pt dr mr ms md rn np pa or if my be do hx dx rx tx po iv st dc id";
/// What addresses of the web and of files hold.
const LINKED: [&str; 6] = ["://", "www.", ".com", ".org", ".edu", ".gov"];

/// Where blanks are missing in a text: before the bytes at these places, in order.
pub(in crate::detect) fn cuts(text: &str) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut start = 0;
    for piece in text.split(|c: char| c.is_ascii_whitespace()) {
        if piece.len() >= SHORTEST && is_mixed(piece) && !is_link(piece) {
            cuts.extend(cuts_of(piece).into_iter().map(|at| start + at));
        }
        start += piece.len() + 1;
    }
    cuts
}

/// Whether a piece has a long run of letters that are not all capitals, or letters beside digits.
fn is_mixed(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let lower = bytes.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    // A whole note without blanks has figures and marks besides.
    let least = if bytes.len() >= LONG { 2 * bytes.len() / 5 } else { bytes.len().div_ceil(2) };
    lower >= least && bytes.iter().all(|byte| byte.is_ascii_graphic())
}

fn is_link(piece: &str) -> bool {
    let is_mail = piece.split('@').skip(1).any(|domain| domain.starts_with(|c: char| c.is_ascii_alphabetic()));
    is_mail || piece.contains(['_', '\\', '<', '=']) || LINKED.iter().any(|part| piece.contains(part))
}

/// Where blanks are missing in a piece of text without any; nowhere where it is no words.
fn cuts_of(piece: &str) -> Vec<usize> {
    let (mut cuts, mut words, mut letters) = (Vec::new(), Vec::new(), 0);
    let mut cost = 0.0;
    for run in runs(piece) {
        letters += run.len();
        let Some(cut) = Cut::of(&piece[run.clone()]) else {
            if piece.len() < LONG {
                return Vec::new();
            }
            // One that stays as it is speaks against words, and does not keep the others from being cut.
            cost += run.len() as f32;
            words.push(run);
            continue;
        };
        cost += cut.cost;
        cuts.extend(cut.words.iter().skip(1).map(|word| run.start + word.start));
        words.extend(cut.words.iter().map(|word| run.start + word.start..run.start + word.end));
    }
    let common = words.iter().filter(|word| is_common(&piece[(*word).clone()])).count();
    // `MyChartMessage` is written so.
    let is_lost = cuts.iter().any(|&cut| piece[cut..].starts_with(|c: char| c.is_ascii_lowercase()));
    if cuts.len() < FEWEST_BLANKS || !is_lost || common < FEWEST_COMMON || cost > MOST_COST * letters as f32 {
        return Vec::new();
    }
    cuts.extend(words.windows(2).filter_map(|pair| between(piece, pair[0].end, pair[1].start)).flatten());
    cuts.extend(words.last().and_then(|last| before_number(piece, last)));
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The runs of letters of a piece.
fn runs(piece: &str) -> impl Iterator<Item = Range<usize>> {
    let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    let bytes = piece.as_bytes();
    let begins = move |&at: &usize| letter(bytes.get(at)) && !(at > 0 && letter(bytes.get(at - 1)));
    (0..bytes.len()).filter(begins).map(move |start| {
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        start..start + length
    })
}

/// Where blanks are missing around what stands between two words of different runs: `seen3/4by`, `home,denies`, `Kim.MRN`. What stands there in one
/// word stays: `daughter's`, `well-fed`, `68yo`.
fn between(piece: &str, end: usize, start: usize) -> Option<Vec<usize>> {
    let middle = &piece[end..start];
    let (first, last) = (*middle.as_bytes().first()?, *middle.as_bytes().last()?);
    let word = &piece[start..];
    let length = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let mut cuts = Vec::new();
    if first.is_ascii_digit() && end > 2 && piece[..end].bytes().rev().take_while(u8::is_ascii_alphabetic).count() > 2 {
        cuts.push(end);
    }
    let stops = matches!(last, b',' | b';' | b':' | b'.' | b')') || last.is_ascii_digit() && length > 3;
    if stops {
        cuts.push(start);
    }
    Some(cuts)
}

/// Where a blank is missing before the number behind the last word: `MRN4471902.`
fn before_number(piece: &str, word: &Range<usize>) -> Option<usize> {
    (word.len() > 2 && piece.as_bytes().get(word.end).is_some_and(u8::is_ascii_digit)).then_some(word.end)
}

fn is_common(word: &str) -> bool {
    Lexicon::shared().word(word).english_size().is_some_and(|size| size <= 10)
}

/// The best way to cut a run of letters.
struct Cut {
    words: Vec<Range<usize>>,
    cost: f32,
}

impl Cut {
    /// None where the run is too long, or no cut leads through it.
    fn of(run: &str) -> Option<Self> {
        if run.len() > LONGEST {
            return None;
        }
        // `yo`, `G` and `P` beside digits.
        if run.len() <= SHORTEST_RUN {
            return Some(Self { words: vec![Range { start: 0, end: run.len() }], cost: run.len() as f32 });
        }
        // Of each place, what the cheapest words up to it cost, and where the last of them begins.
        let mut best: Vec<Option<(f32, usize)>> = vec![None; run.len() + 1];
        best[0] = Some((0.0, 0));
        for start in 0..run.len() {
            let Some((before, _)) = best[start] else { continue };
            for end in start + 1..=run.len().min(start + LONGEST_WORD) {
                let Some(cost) = cost(&run[start..end], &run[end..]) else { continue };
                if best[end].is_none_or(|(known, _)| before + cost < known) {
                    best[end] = Some((before + cost, start));
                }
            }
        }
        let (cost, _) = best[run.len()]?;
        let (mut words, mut end) = (Vec::new(), run.len());
        while end > 0 {
            let (_, start) = best[end]?;
            words.push(start..end);
            end = start;
        }
        words.reverse();
        Some(Self { words, cost })
    }
}

/// What a word costs before what follows it in its run; none where it cannot be one.
fn cost(word: &str, rest: &str) -> Option<f32> {
    let bytes = word.as_bytes();
    let capitals = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let shouted = capitals == bytes.len();
    let titled = capitals == 1 && bytes[0].is_ascii_uppercase();
    // A row of capitals is one word, but for the last of them that begins the next: `NPLopez`.
    let row = |text: &str, count: usize| text.bytes().take(count).filter(u8::is_ascii_uppercase).count() == count;
    let splits = word.ends_with(|c: char| c.is_ascii_uppercase()) && (row(rest, 2) || row(rest, 1) && rest.len() == 1);
    if !(capitals == 0 || titled || shouted) || splits {
        return None;
    }
    let info = Lexicon::shared().word(word);
    match bytes.len() {
        // `repairL`: a side ends what is told.
        1 if matches!(word, "L" | "R") => rest.is_empty().then_some(5.0),
        1 => (word == "I" || word == "a" || matches!(word, "M" | "F")).then_some(5.0),
        2 => (listed!(word, SHORT) || shouted).then_some(if shouted { 3.0 } else { 2.0 }),
        2..=5 if shouted => Some(3.0),
        length => known(&info, titled).or_else(|| {
            let (word, letter) = UNKNOWN;
            let alone = rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_uppercase());
            (length >= SHORTEST_UNKNOWN && (titled || alone)).then_some(word + letter * length as f32)
        }),
    }
}

/// What a word of the lexicon costs: the commoner, the less.
fn known(info: &WordInfo, titled: bool) -> Option<f32> {
    const ROLES: WordFlags = WordFlags::CARE_ROLE.union(WordFlags::HEADING);
    let english = info.english_size().and_then(|size| match size {
        0..=10 => Some(1.5),
        11..=20 => Some(2.5),
        21..=35 => Some(3.5),
        36..=50 => Some(5.0),
        51..=60 => Some(7.0),
        _ => None,
    });
    let bearers = info.given_count.max(info.surname_count);
    let name = (bearers > 0).then_some(match (titled, bearers >= BEARERS) {
        (true, true) => 3.0,
        (true, false) => 4.5,
        (false, true) => 6.0,
        (false, false) => 9.0,
    });
    let role = info.is_any(ROLES).then_some(3.0);
    let medical = info.is_any(WordFlags::MEDICAL).then_some(5.0);
    let place = (titled && info.is_any(WordFlags::CITY.union(WordFlags::STATE))).then_some(3.5);
    [english, name, role, medical, place].into_iter().flatten().min_by(f32::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let cuts = cuts(text);
        let mut read = String::new();
        for (at, letter) in text.char_indices() {
            if cuts.contains(&at) {
                read.push(' ');
            }
            read.push(letter);
        }
        read
    }

    #[test]
    fn blanks_that_are_lost() {
        for (written, expected) in [
            ("wifeMariacalledaboutmeds", "wife Maria called about meds"),
            ("TransferredfromStMarysHospitaltoICUyesterday", "Transferred from St Marys Hospital to ICU yesterday"),
            (
                "Surgeries:hernia2014atBenTaubbyGoldfarb;repairL",
                "Surgeries: hernia 2014 at Ben Taub by Goldfarb; repair L",
            ),
            ("PtnamedJohnSmithseenbyAnnaLeeRN", "Pt named John Smith seen by Anna Lee RN"),
            ("discussedwithfamily(brotherKwame)andNPLopez", "discussed with family(brother Kwame) and NP Lopez"),
            // `mL`, `dpresented` and `gApgar` are no words by themselves.
            (
                "at38w2dpresentedtoElmStreetWomensPavilion,husbandKwamepresentthroughout.interpreterTadesseid50233viaphone,3120gApgar8",
                "at38w2 dpresentedto Elm Street Womens Pavilion, husband Kwame present throughout. interpreter Tadesse id 50233 via phone,3120 gApgar 8",
            ),
        ] {
            assert_eq!(read(written), expected);
        }
    }

    #[test]
    fn long_words_and_codes_stay() {
        for text in [
            "pseudohypoparathyroidism",
            "hydroxychloroquine/azithromycin",
            "esophagogastroduodenoscopy",
            "cholecystojejunostomy",
            "maryannjohnson@example.com",
            "https://portal.example.org/seenbyhim",
            "MyChartMessage",
            "counterclockwise,nevertheless",
            "well-developed/well-nourished",
            "mother-in-law's",
            "otherwise/nonetheless/straightforward",
            "Krankenhausaufenthalt",
            "U2VlbmJ5RHJTbWl0aFRvZGF5",
            "UHQgc2VlbiBieSBEciBTbWl0aCB0b2RheSBmb3IgaGVhcnQgZmFpbHVyZSBhbmQgZGlhYmV0ZXMgd2l0aCBmb290IHVsY2Vy",
            "acetaminophen/hydrocodone/pseudoephedrine/guaifenesin/dextromethorphan/chlorpheniramine",
            "D:/notes/seenbyhim_today.txt",
            "PATIENTGARZAMIGUELDOB03221967",
            "immunohistochemically",
            "Oligodendroglioma",
        ] {
            assert_eq!(read(text), text);
        }
    }
}
