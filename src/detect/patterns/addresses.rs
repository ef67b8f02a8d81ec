//! Street lines and postal codes: `12 Oak Hill Rd Apt 4B`, `500 State Highway 72`, `PO Box 19`, `Springfield, IL
//! 62704`.

use crate::detect::listed::listed;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{Cursor, byte_at, byte_before, is_one_of, offset_in, word_after, word_before};
use super::findings::Findings;
use super::survey::{Hit, Survey};
use super::{abodes, towns};
use super::{anchored, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Suffixes that nothing else is called: enough for a street line in lower case.
const SURE_SUFFIXES: &str = "street avenue ave av road rd boulevard blvd lane ln parkway pkwy highway hwy \
                             turnpike terrace broadway expressway freeway causeway tpke";
/// Words that stand in no street name.
const NO_STREET_WORDS: &str = "mg mcg ml cm mm kg day days week weeks month months year years hour hours minutes \
                               by with at and or in on to for from is was were has had tablet tablets tab tabs of \
                               po bid tid daily yo old male female pt patient who that times units per after \
                               before pm am then ago as his her she he any x am seen follow call mr mrs ms dr \
                               later more left right blood lumbar level vs no not did does via feet block blocks \
                               miles off near found behind steps stairs flight flights";

static APARTMENT: LazyLock<Regex> = LazyLock::new(|| {
    anchored(
        r"[,.]?\s*(?:(?:apartment|apt|suite|ste|spc|space|sp|flat|unit|building|bldg|floor|fl|lot|trailer|trlr|rm|room)\.?\s*#?\s*[a-z]?-?[0-9]{1,5}[a-z]?(?:-[0-9]{1,4}[a-z]?|-[a-z])?|(?:apartment|apt|unit|suite|ste|bldg)\.?\s*#?\s*[a-z]|#\s?[0-9]{1,5}[a-z]?|#\s?[a-z]|(?-i:[0-9]{1,2}[A-Z])|[0-9]{1,2}(?:st|nd|rd|th)\s+floor)\b",
    )
});
static ROAD: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:p\.?\s?o\.?\s?box|post\s+office\s+box|pob)\s*#?\s*[0-9]{1,6}\b|\b[0-9]{1,5}(?:\s?(?:bis|ter)|\s[13]/[24])?,?\s+(?:rue|calle|avenida|paseo|camino|impasse|chemin|viale|corso|rua|jalan)\s+(?:(?:de|la|le|du|des|del|los|las)\s+|l'){0,3}(?u:\p{Lu}[\p{L}'-]+)(?:\s(?u:\p{Lu}[\p{L}'-]+))?|\b(?:rural\s+route|rr|hcr|star\s+route)\s*#?\s*[0-9]{1,3}(?:,?\s+box\s+[0-9]{1,5}(?:-?[a-z])?)?\b|\b(?:rt|rte|route)\.?\s*#?\s*[0-9]{1,3},?\s+box\s+[0-9]{1,5}(?:-?[a-z])?\b|\bhc\s*#?\s*[0-9]{1,3},?\s+box\s+[0-9]{1,5}[a-z]?\b|\b[0-9]{1,6}\s+(?:[nsew]\.?\s+)?(?:(?:state|us|u\.s\.|county|old|interstate|farm\s+to\s+market|ranch)\s+)*(?:highway|hwy|route|rte|rt|road|rd|sr|cr|fm)\s+(?:[0-9]{1,4}[a-z]?|(?-i:[A-Z]{1,2}))(?:\s+(?:north|south|east|west|n|s|e|w)\b)?|\b[0-9]{1,6}\s+ave(?:nue)?\s+(?-i:[A-Z])\b|\b(?:(?:state|us|county|interstate)\s+(?:highway|hwy|route|rte|rt|road)|i-|route|hwy|highway)\s?[0-9]{1,4}[a-z]?\b",
    )
});
/// Two streets that meet, and a house on a street named without its suffix: `5th & Main`, `1880 E. Maple,`, `Flat 2,
/// 14 Bank Rd`.
static CORNER: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?-i:[A-Z][a-z]{2,15}) & (?-i:[0-9]{1,3}(?:st|nd|rd|th))|\b(?-i:[0-9]{1,3}(?:st|nd|rd|th)|(?:corner of|at|near|on) ([A-Z][a-z]{2,15}|[0-9]{1,3}(?:st|nd|rd|th))) (?:&|and|/) (?-i:[A-Z][a-z]{2,15}|[0-9]{1,3}(?:st|nd|rd|th))(?:\s(?:st|ave|rd|blvd|streets?)\b\.?)?",
    )
});
static COMPASS_LINE: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"\b[0-9]{3,5} (?-i:[NSEW]|North|South|East|West)\.? (?-i:[A-Z][a-z]{2,15})(?: (?-i:[A-Z][a-z]{2,15}))?")
});
static CITY_STATE_ZIP: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:((?-i:[A-Z])[a-z.'-]*(?:[ \t]+(?-i:[A-Z])[a-z.'-]*|[ \t]+(?:of|de|la|du|the|by)){0,3})[,.]?\s+)?\b(A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[TAI]|W[AVIY]|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New\s+Hampshire|New\s+Jersey|New\s+Mexico|New\s+York|North\s+Carolina|North\s+Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Puerto\s+Rico|Rhode\s+Island|South\s+Carolina|South\s+Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West\s+Virginia|Wisconsin|Wyoming|District\s+of\s+Columbia|(?-i:Calif|Oreg|Penna|Minn|Tenn|Ariz|Fla|Mich|Conn|Colo|Okla|Nebr|Wisc|Kans))\.?,?\s+([0-9]{5}(?:-[0-9]{4}| - [0-9]{4})?)\b",
    )
});
static ZIP: LazyLock<Regex> =
    LazyLock::new(|| anchored(r"\s*(?:code)?s?\s*(?:is)?\s*[:#=]?\s*([0-9]{5}(?:-[0-9]{4})?)\b"));
static POSTCODE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?-i:[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][ABD-HJLNP-UW-Z]{2}|[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] ?[0-9][ABCEGHJ-NPRSTV-Z][0-9]|(?:[AC-FHKNPRTV-Y][0-9]{2}|D6W) (?:[0-9][0-9AC-FHKNPRTV-Y]{2}[AC-FHKNPRTV-Y]|[AC-FHKNPRTV-Y][0-9AC-FHKNPRTV-Y]{2}[0-9]|[AC-FHKNPRTV-Y][0-9][0-9AC-FHKNPRTV-Y][AC-FHKNPRTV-Y]))\b",
    )
});

/// Judges a street suffix: a house number within six words before it makes a street line.
pub(super) fn street(sentence: &str, hit: Hit, survey: &Survey, findings: &mut Findings) {
    if findings.covers(&(hit.start..hit.end)) {
        return;
    }
    let suffix = &sentence[hit.start..hit.end];
    let sure = listed!(suffix, SURE_SUFFIXES);
    let house = if survey.digits > 0 { house_number_before(sentence, hit.start, sure) } else { None };
    let house = house.filter(|_| !is_of_a_measure(sentence, hit.start, suffix));
    let Some(start) = house.or_else(|| named_street(sentence, hit, sure)) else {
        return;
    };
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b".", 1);
    let mut end = if cursor.at > hit.end && is_one_of(suffix, &["street", "road", "lane", "drive"]) {
        hit.end
    } else {
        cursor.at
    };
    // A full stop that ends the sentence is no part of the abbreviation.
    if cursor.at == sentence.trim_end().len() {
        end = hit.end;
    }
    let mut compass = Cursor::new(sentence, cursor.at);
    compass.skip(b" ", 1);
    if compass.one_of("n s e w ne nw se sw north south east west") {
        end = compass.at;
    }
    // `lives at 14 Elm St. Wife is proxy.`: the stop ends the sentence.
    let before_name = !sure && after_is_a_name(sentence, hit.end, suffix);
    let is_abode = house.is_some() && is_lived_at(sentence, start);
    if before_name && is_abode {
        end = hit.end;
    }
    if is_one_of(suffix, &["hwy", "highway", "route"])
        || before_name && !is_abode && !abodes::city_and_state_follow(sentence, hit.end)
    {
        return;
    }
    if let Some(apartment) = APARTMENT.find(&sentence[end..]) {
        end += apartment.end();
    }
    let start = flat_before(sentence, start);
    findings.add(start..end, Label::Street, if sure { 0.95 } else { 0.85 });
}

/// `5000 U SQ`, `20 G AV fistula`, `10 N CT`: a letter that stands for a unit or a side before two that stand for more than a road.
fn is_of_a_measure(sentence: &str, suffix_at: usize, suffix: &str) -> bool {
    let letter = word_before(sentence, suffix_at);
    letter.len() == 1
        && letter.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (is_one_of(suffix, &["sq", "av", "ct", "dr", "pt"])
            || suffix == "ST" && !abodes::city_and_state_follow(sentence, suffix_at + suffix.len()))
}

/// Where `Flat 2, ` or `Apt 4B ` begins before a house number.
fn flat_before(sentence: &str, house: usize) -> usize {
    let head = sentence[..house].trim_end_matches([' ', ',']);
    let number = head.bytes().rev().take(4).take_while(u8::is_ascii_alphanumeric).count();
    let word = head[..head.len() - number].trim_end_matches([' ', '#', '.']);
    let letters = word.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    let start = word.len() - letters;
    let numbered = head[head.len() - number..].bytes().any(|byte| byte.is_ascii_digit()) || number == 1;
    if numbered && listed!(&word[start..], "flat apt apartment unit suite ste") { start } else { house }
}

/// `lives at 14 Elm St. Wife is proxy.`: whether what stands before a house number says that somebody is there.
fn is_lived_at(sentence: &str, house: usize) -> bool {
    listed!(word_before(sentence, house), "at address addr lives live lived living resides resided residing home")
}

/// `Dr` before a capital is a doctor: `saw 3 Times Dr. Lee`.
fn after_is_a_name(sentence: &str, at: usize, suffix: &str) -> bool {
    let mut cursor = Cursor::new(sentence, at);
    cursor.skip(b".", 1);
    let blank = cursor.skip(b" ", 2) > 0;
    is_one_of(suffix, &["dr", "st"])
        && blank
        && cursor.peek().is_ascii_uppercase()
        && !listed!(cursor.word(), "apt suite ste unit n s e w ne nw se sw")
}

/// Walks back over the words of a street name to its house number.
fn house_number_before(sentence: &str, suffix: usize, sure: bool) -> Option<usize> {
    let bytes = sentence.as_bytes();
    let mut at = suffix;
    let mut words = 0;
    let mut capitals = true;
    loop {
        let blank = bytes[..at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        if blank == 0 || blank > 3 {
            return None;
        }
        let dot = usize::from(byte_before(sentence, at - blank) == b'.');
        let end = at - blank - dot;
        let length = bytes[..end]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80 || matches!(byte, b'\'' | b'-'))
            .count();
        let word = sentence.get(end - length..end)?;
        let first = *word.as_bytes().first()?;
        // `N4418 Hill Rd`: a grid of a county.
        let grid = matches!(first, b'N' | b'S' | b'E' | b'W')
            && word.len() >= 4
            && word.bytes().skip(1).all(|byte| byte.is_ascii_digit());
        // `W018836   RA SQ`: a lot in another column.
        if grid && words > 0 && capitals && blank < 3 {
            return Some(end - length);
        }
        let house = first.is_ascii_digit()
            && !is_one_of(word.trim_start_matches(|c: char| c.is_ascii_digit()), &["st", "nd", "rd", "th"]);
        if house {
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            let plain = word.len() - digits <= 5 && digits <= 6 && dot == 0;
            let before = byte_before(sentence, end - length);
            // `ADDR:1837 Fulton St`, but `10:30 Fulton St`.
            let field = before == b':' && byte_before(sentence, end - length - 1).is_ascii_alphabetic();
            let free = field || !matches!(before, b'/' | b'.' | b'$' | b'#' | b'-' | b':') || before == b'#' && sure;
            // `1423 1/2 Maple Ave`
            let fraction = sentence[..end - length].strip_suffix('/').filter(|_| word.len() == 1 && words > 0);
            let fraction = fraction.and_then(|head| head.strip_suffix(|c: char| c.is_ascii_digit())?.strip_suffix(' '));
            if let Some(head) = fraction {
                let house = head.bytes().rev().take_while(u8::is_ascii_digit).count();
                let is_free = !matches!(byte_before(sentence, head.len() - house), b'/' | b'.' | b'$' | b'-' | b':');
                return ((1..=6).contains(&house) && is_free && (capitals || sure)).then_some(head.len() - house);
            }
            // `16   Menquadfi RD`: an age in another column before a vaccine and the arm; but `12   Oakwood Rd`.
            let arm = length < 3 && sentence.get(suffix..).is_some_and(|suffix| suffix.starts_with("RD"));
            let mixed = || sentence.get(at..suffix).is_some_and(|name| name.contains(char::is_lowercase));
            let apart = arm && blank == 3 && sentence[..at].ends_with("   ") && mixed();
            // `88305   Surg path`: what was billed, in another column.
            let apart = apart || blank == 3 && !sure;
            return (plain && free && !apart && words > 0 && (capitals || sure)).then_some(end - length);
        }
        // `PEG 20 Fr.   HD TTS Biscayne Kidney Ctr`: the words of a name stand together.
        let parted = blank == 3 && words > 0;
        if parted
            || listed!(word, NO_STREET_WORDS) && word != "Old" && word != "OLD"
            || words == 5
            || dot == 1 && length > 4
        {
            return None;
        }
        capitals &= first.is_ascii_uppercase() || first.is_ascii_digit() || listed!(word, "de la of the del los las");
        words += 1;
        at = end - length;
    }
}

/// `on Elm St`: one to three capitals between a preposition and the suffix.
fn named_street(sentence: &str, hit: Hit, sure: bool) -> Option<usize> {
    let street = matches!(
        &sentence[hit.start..hit.end],
        "St" | "Street" | "Drive" | "Ave" | "Avenue" | "Road" | "Rd" | "Blvd" | "Boulevard" | "Lane"
    );
    if !(street || sure && sentence.as_bytes()[hit.start].is_ascii_uppercase()) {
        return None;
    }
    // In a note in capitals the preposition is in capitals too: `OFF HILLCREST AVE`.
    let shouted = sure && sentence[hit.start..hit.end].bytes().all(|byte| byte.is_ascii_uppercase());
    let mut start = hit.start;
    for words in 0..4 {
        // A line of an address: `Mill Road, Leeds`.
        let line_start = start == 0 || byte_before(sentence, start) == b'\n';
        if words > 0 && words < 3 && line_start && byte_at(sentence, hit.end) == b',' {
            return Some(start);
        }
        let before = sentence[..start].strip_suffix(' ')?;
        let length = before.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'\'').count();
        let word = &before[before.len() - length..];
        if words > 0
            && listed!(word, "on at off near along from down of and to across")
            && (word.as_bytes()[0].is_ascii_lowercase() || shouted)
        {
            return Some(start);
        }
        if !word.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
            || is_one_of(word, &["the", "dr", "mr", "mrs"])
        {
            return None;
        }
        start = before.len() - length;
    }
    None
}

/// Adds post office boxes, rural routes and numbered highways.
pub(super) fn road(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits == 0 {
        return;
    }
    for found in ROAD.find_iter(sentence) {
        let head = found.as_str().as_bytes()[0];
        let rate = found.as_str().get(..2).is_some_and(|head| head.eq_ignore_ascii_case("rr"))
            && !found.as_str().to_ascii_lowercase().contains("box");
        let decimal = byte_at(sentence, found.end()) == b'.' && byte_at(sentence, found.end() + 1).is_ascii_digit();
        let amount =
            decimal || is_one_of(word_after(sentence, found.end()), &["mg", "ml"]) || found.as_str().contains(" Cr ");
        if !rate
            && !amount
            && !findings.covers(&found.range())
            && (head.is_ascii_digit()
                || head.is_ascii_uppercase()
                || found.as_str().to_ascii_lowercase().contains("box"))
        {
            let end = found.end() + APARTMENT.find(&sentence[found.end()..]).map_or(0, |apartment| apartment.end());
            findings.add(route_start(sentence, found.start())..end, Label::Street, 0.9);
        }
    }
}

/// Where a numbered road begins that has its nation or kind before it: `Indian Route 12`, `Forest Road 7`.
fn route_start(sentence: &str, start: usize) -> usize {
    let kind = word_before(sentence, start);
    let at = offset_in(sentence, kind);
    let beside = sentence.get(at + kind.len()..start) == Some(" ");
    let named = listed!(kind, "indian navajo tribal bia forest township");
    if beside && named && kind.starts_with(|letter: char| letter.is_ascii_uppercase()) { at } else { start }
}

/// Adds corners and houses on streets that are named without a suffix.
pub(super) fn bare_streets(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let bytes = sentence.as_bytes();
    if memchr::memchr(b'&', bytes).is_some() {
        for captures in CORNER.captures_iter(sentence) {
            let Some(found) = captures.get(0) else { continue };
            let named = captures.get(1);
            let range = named.map_or(found.start(), |name| name.start())..found.end();
            let corner = named.is_none() || is_corner(&sentence[range.clone()]);
            if found.as_str().contains('&') && corner && !findings.covers(&range) {
                findings.add(range, Label::Street, 0.7);
            }
        }
    }
    let house = survey.chains.iter().any(|chain| {
        (3..=5).contains(&(chain.end - chain.start))
            && bytes.get(chain.end) == Some(&b' ')
            && matches!(byte_at(sentence, chain.end + 1), b'N' | b'S' | b'E' | b'W')
    });
    if !house {
        return;
    }
    for found in COMPASS_LINE.find_iter(sentence) {
        let end = byte_at(sentence, found.end());
        if !findings.covers(&found.range())
            && (matches!(end, b',' | b'.' | b';' | b')' | b'\n') || found.end() == sentence.len())
        {
            findings.add(found.range(), Label::Street, 0.7);
        }
    }
}

/// Whether both sides of `Park & Main` are usual names of streets, or one side has a number: `5th & Alder`.
fn is_corner(text: &str) -> bool {
    let numbered = text.split(" & ").filter(|side| side.starts_with(|c: char| c.is_ascii_digit())).count();
    text.split(" & ").all(|side| {
        let name = side.split(' ').next().unwrap_or_default();
        name.starts_with(|c: char| c.is_ascii_digit())
            || numbered == 1 && !Lexicon::shared().word(name).is(WordFlags::MEDICAL)
            || listed!(
                name,
                "main park oak elm maple pine cedar washington lincoln jefferson madison jackson franklin adams monroe \
                 broadway church market center high mill lake hill state water front river union spring chestnut walnut \
                 spruce division grand central locust cherry grant college first second third fourth fifth sixth seventh \
                 eighth ninth tenth king queen bay bloor yonge",
            )
    })
}

/// Adds a postal code after the city that it belongs to, or after a street line: `Nampa 83686`, `Troy Mich 48084`.
pub(super) fn lone_zip(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in &survey.chains {
        let (start, end) = chain.numbers()[0];
        let plus = chain.count == 2 && chain.numbers()[1].1 - chain.numbers()[1].0 == 4;
        if end - start != 5
            || chain.count > 1 && !plus
            || findings.covers(&chain.range())
            || byte_before(sentence, start) != b' '
        {
            continue;
        }
        let Some(place) = Lexicon::shared().zip(&sentence[start..end]) else { continue };
        let lead = sentence[..start].trim_end_matches([' ', ',', '.']);
        let city = |lead: &str| {
            lead.len()
                .checked_sub(place.city.len())
                .and_then(|at| lead.get(at..))
                .is_some_and(|tail| tail.eq_ignore_ascii_case(place.city))
        };
        let without_state = lead.rfind(' ').map_or("", |blank| lead[..blank].trim_end_matches([' ', ',']));
        let street = findings.ending_near(start, 24).is_some_and(|(_, label)| label == Label::Street);
        if city(lead) || city(without_state) || street && byte_before(lead, lead.len()).is_ascii_alphabetic() {
            findings.add(chain.range(), Label::Zip, 0.9);
        }
    }
}

/// Adds `City, ST 12345` and other postal codes.
pub(super) fn postal(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.chains.iter().any(|chain| chain.numbers()[0].1 - chain.numbers()[0].0 == 5) {
        for captures in CITY_STATE_ZIP.captures_iter(sentence) {
            let (Some(state), Some(zip)) = (captures.get(2), captures.get(3)) else {
                continue;
            };
            if !is_state_of(sentence, state.range(), zip.as_str()) {
                continue;
            }
            findings.add(zip.range(), Label::Zip, 1.0);
            findings.add(state.range(), Label::State, 1.0);
            if let Some(city) = captures.get(1) {
                let start = city_start(sentence, city.range(), findings);
                findings.add(start..city.end(), Label::City, 0.95);
            } else if let Some(city) = small_city(sentence, state.start(), state.as_str()) {
                findings.add(city, Label::City, 0.9);
            }
        }
    }
    if survey.digits >= 2 && survey.lettered {
        for found in POSTCODE.find_iter(sentence) {
            let range = found.range();
            let spaced = found.as_str().contains(' ');
            if spaced && !findings.covers(&range) && byte_before(sentence, range.start) == b' ' {
                findings.add(range.clone(), Label::Zip, 0.7);
                abodes::corrected_postcode(sentence, range.end, findings);
                towns::before_postcode(sentence, range.start, findings);
            }
        }
    }
}

/// Whether a code before five digits is a state: `IL` is; `ID`, `or` and their like only before one of its own
/// postal codes.
fn is_state_of(sentence: &str, state: Range<usize>, zip: &str) -> bool {
    let code = &sentence[state.clone()];
    let lexicon = Lexicon::shared();
    let own = zip.get(..5).and_then(|zip| lexicon.zip(zip)).is_some_and(|place| {
        lexicon.state(code).is_some_and(|state| [state.abbreviation, state.name].contains(&place.state))
    });
    let word = listed!(code, "id in or me ok hi oh pa md ma co de la al ms pr dc");
    let capital =
        code.bytes().all(|byte| byte.is_ascii_uppercase()) || code.len() > 2 && code.as_bytes()[0].is_ascii_uppercase();
    let comma = sentence[..state.start].trim_end().ends_with(',');
    own || capital && (!word || comma) || comma && !word
}

/// One to three words in small letters before a state that has a city of that name.
fn small_city(sentence: &str, state: usize, code: &str) -> Option<Range<usize>> {
    let end = sentence[..state].trim_end_matches([' ', ',', '\n']).len();
    let mut best = None;
    let mut start = end;
    for _ in 0..3 {
        let length = sentence[..start].bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        if length == 0 {
            break;
        }
        start -= length;
        if Lexicon::shared().city_in_state(&sentence[start..end], code) {
            best = Some(start..end);
        }
        if !sentence[..start].ends_with(' ') {
            break;
        }
        start -= 1;
    }
    best
}

/// A city begins after the street line that the expression may have taken in.
fn city_start(sentence: &str, city: Range<usize>, findings: &Findings) -> usize {
    let mut start = city.start;
    while findings.covers(&(start..start + 1)) {
        match sentence[start..city.end].find([' ', '\t']) {
            Some(blank) => start += blank + 1,
            None => return city.end,
        }
    }
    start
}

/// Judges `zip`.
pub(super) fn zip(sentence: &str, hit: Hit, findings: &mut Findings) {
    if let Some(code) = ZIP.captures(&sentence[hit.end..]).and_then(|captures| captures.get(1)) {
        let range = hit.end + code.start()..hit.end + code.end();
        if !findings.covers(&range) && !byte_at(sentence, range.end).is_ascii_digit() {
            findings.add(range, Label::Zip, 1.0);
        }
    }
}
