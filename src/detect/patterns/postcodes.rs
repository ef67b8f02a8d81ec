//! Postal codes of countries whose codes are short numbers, told by the state or town before them.
//!
//! ```text
//! Bendigo VIC 3550 · Darwin NT 0801          Australia: the state says which numbers are its own
//! Hamilton 3204 · Cape Town 8001             New Zealand, South Africa: behind their towns
//! Nashik – 422 001 · Pune-411004             India: behind a dash, or behind a large town
//! S(560123) · Singapore 560123               Singapore
//! ```

use super::context::{byte_at, byte_before, last_word};
use super::findings::Findings;
use super::survey::{Chain, Survey};
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// The states of Australia and their codes, as Australia Post gives them.
const AUSTRALIA: [(&str, &[(u32, u32)]); 8] = [
    ("nsw", &[(1000, 2599), (2619, 2899), (2921, 2999)]),
    ("act", &[(200, 299), (2600, 2618), (2900, 2920)]),
    ("vic", &[(3000, 3999), (8000, 8999)]),
    ("qld", &[(4000, 4999), (9000, 9999)]),
    ("sa", &[(5000, 5999)]),
    ("wa", &[(6000, 6999)]),
    ("tas", &[(7000, 7999)]),
    ("nt", &[(800, 999)]),
];
/// Towns of New Zealand and South Africa.
const TOWNS: &str = "auckland wellington christchurch hamilton tauranga dunedin napier hastings nelson rotorua invercargill whangarei \
                     whanganui wanganui gisborne blenheim timaru taupo masterton levin ashburton porirua queenstown \
                     papakura manukau pukekohe tokoroa oamaru johannesburg durban pretoria soweto bloemfontein gqeberha \
                     polokwane stellenbosch khayelitsha pietermaritzburg nelspruit mbombela kimberley rustenburg tembisa sandton \
                     randburg roodepoort benoni boksburg centurion";
/// Those of two words, of which the last is no town by itself.
const OF_TWO_WORDS: [(&str, &str); 5] =
    [("palmerston", "north"), ("new", "plymouth"), ("lower", "hutt"), ("upper", "hutt"), ("cape", "town")];
/// Large towns of India.
const INDIA: &str = "mumbai delhi bangalore bengaluru chennai kolkata hyderabad pune ahmedabad kochi cochin ernakulam jaipur lucknow \
                     kanpur nagpur indore bhopal patna vadodara ludhiana agra nashik meerut rajkot varanasi srinagar amritsar \
                     ranchi coimbatore jabalpur gwalior vijayawada jodhpur madurai raipur kota guwahati chandigarh mysore mysuru \
                     thiruvananthapuram trivandrum kozhikode calicut thrissur mangalore mangaluru visakhapatnam salem gurgaon \
                     gurugram noida faridabad ghaziabad thane surat dehradun pin pincode";

/// Adds the codes.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 4 {
        return;
    }
    for (place, chain) in survey.chains.iter().enumerate() {
        if chain.count > 1 || byte_at(sentence, chain.end).is_ascii_alphanumeric() || findings.covers(&chain.range()) {
            continue;
        }
        match chain.end - chain.start {
            3 if is_of_india(sentence, chain) && byte_at(sentence, chain.end) == b' ' => {
                let rest = survey.chains.get(place + 1).filter(|next| {
                    next.start == chain.end + 1 && next.count == 1 && next.end - next.start == 3 && ends(sentence, next)
                });
                if let Some(rest) = rest {
                    findings.add(chain.start..rest.end, Label::Zip, 0.85);
                }
            }
            4 => of_four_digits(sentence, chain, findings),
            6 if (is_of_india(sentence, chain) || is_of_singapore(sentence, chain)) && ends(sentence, chain) => {
                findings.add(chain.range(), Label::Zip, 0.85);
            }
            _ => {}
        }
    }
}

/// Whether a number ends there, and no amount of anything follows.
fn ends(sentence: &str, chain: &Chain) -> bool {
    !byte_at(sentence, chain.end).is_ascii_alphanumeric() && !unit_follows(sentence, chain.end)
}

fn of_four_digits(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let head = sentence[..chain.start].trim_end_matches([' ', ',', '.']);
    let word = last_word(head);
    let gap = chain.start - head.len();
    if !(1..=3).contains(&gap) || !ends(sentence, chain) || byte_at(sentence, chain.end) == b':' {
        return;
    }
    let code = sentence[chain.range()].parse().unwrap_or(0);
    let state = AUSTRALIA.iter().find(|(state, _)| state.eq_ignore_ascii_case(word)).filter(|(_, ranges)| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && ranges.iter().any(|&(first, last)| (first..=last).contains(&code))
    });
    if state.is_some() {
        let start = head.len() - word.len();
        let town = town_before(sentence, start);
        // `NSW` and `QLD` are nothing else; `WA`, `ACT`, `SA` are more.
        if listed!(word, "nsw qld") || !town.is_empty() {
            findings.add(chain.range(), Label::Zip, 0.95);
            if !findings.covers(&(start..head.len())) {
                findings.add(start..head.len(), Label::State, 0.9);
            }
            let begin = sentence[..start].trim_end_matches([' ', ',']).len() - town.len();
            if !town.is_empty() && !findings.covers(&(begin..begin + town.len())) {
                findings.add(begin..begin + town.len(), Label::City, 0.8);
            }
        }
        return;
    }
    let year = (1900..=2060).contains(&code);
    if !year && is_town(head, word) {
        findings.add(chain.range(), Label::Zip, 0.8);
    }
}

/// The one to three words in capitals before a state that name its town; empty where there are none.
fn town_before(sentence: &str, state: usize) -> &str {
    let head = sentence[..state].trim_end_matches([' ', ',']);
    let mut start = head.len();
    for _ in 0..3 {
        let lead = &head[..start];
        let lead = if start == head.len() { lead } else { lead.strip_suffix(' ').unwrap_or("") };
        let word = last_word(lead);
        let lexicon = Lexicon::shared();
        let named = word.starts_with(char::is_uppercase)
            && word.len() > 2
            && !listed!(word, "street road avenue drive lane place");
        // Further words only where they are hardly anything but a part of the name: `Brighton Le Sands`.
        let more = start == head.len() || !lexicon.word(word).is(WordFlags::MEDICAL) && !word.ends_with("ed");
        if !named || !more {
            break;
        }
        start = lead.len() - word.len();
    }
    &head[start..]
}

/// Whether the word that a text ends in is a town.
fn is_town(head: &str, word: &str) -> bool {
    if !word.starts_with(char::is_uppercase) {
        return false;
    }
    let lead = last_word(head[..head.len() - word.len()].trim_end_matches(' '));
    listed!(word, TOWNS)
        || OF_TWO_WORDS
            .iter()
            .any(|(first, second)| first.eq_ignore_ascii_case(lead) && second.eq_ignore_ascii_case(word))
}

/// Whether six digits, or three before three, stand where an Indian code does: behind a town and a dash, or behind a large town.
fn is_of_india(sentence: &str, chain: &Chain) -> bool {
    let digits = &sentence[chain.range()];
    let head = sentence[..chain.start].trim_end_matches([' ', ',', '.', ':', '-', '–']);
    let between = &sentence[head.len()..chain.start];
    let word = last_word(head);
    let near = (1..=5).contains(&between.len());
    let dashed = between.contains(['-', '–']);
    let town = word.len() > 3
        && word.starts_with(char::is_uppercase)
        && word.chars().skip(1).all(|c| c.is_lowercase())
        && !Lexicon::shared().word(word).is(WordFlags::MEDICAL)
        && !digits.ends_with("000");
    near && !digits.starts_with('0') && (dashed && town || listed!(word, INDIA))
}

/// `Singapore 560123`, `S(560123)`.
fn is_of_singapore(sentence: &str, chain: &Chain) -> bool {
    let head = &sentence[..chain.start];
    let free = |at: usize| !byte_before(sentence, at).is_ascii_alphanumeric();
    head.ends_with("S(") && free(chain.start - 2) && byte_at(sentence, chain.end) == b')'
        || last_word(head.trim_end_matches(' ')).eq_ignore_ascii_case("singapore")
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn codes_behind_states_and_towns() {
        for (sentence, code) in [
            ("210 Wattle St, Bendigo VIC 3550. Ph (03) 5550 0148", "3550"),
            ("Lives at Kogarah NSW 2207, retired", "2207"),
            ("PO Box 12, Darwin NT 0801", "0801"),
            ("Referred from Fitzroy, Vic 3065 by GP", "3065"),
            ("12 Rata St, Hamilton 3204", "3204"),
            ("14 Long St, Cape Town 8001", "8001"),
            ("M.G. Road, Nashik – 422 001", "422 001"),
            ("Shivaji Nagar, Pune-411004", "411004"),
            ("Ernakulam 682 011", "682 011"),
            ("Blk 12 Ang Mo Kio Ave 3 S(560123)", "560123"),
        ] {
            assert_eq!(found(sentence, &[Label::Zip]), [code], "{sentence}");
        }
        assert_eq!(found("Bendigo VIC 3550", &[Label::City, Label::State]), ["Bendigo", "VIC"]);
    }

    #[test]
    fn numbers_that_are_no_codes() {
        for sentence in [
            "NT 1950, NT 4500 pg/mL",
            "ACT 250 then 2610 after heparin",
            "Platelets - 150000",
            "WBC count - 345 000",
            "Hamilton 2019 relapse",
            "IV fluids QLD 250 mL",
            "moved from Perth WA 2015",
            "TAS 1200 given",
        ] {
            assert_eq!(found(sentence, &[Label::Zip]), [] as [&str; 0], "{sentence}");
        }
    }
}
