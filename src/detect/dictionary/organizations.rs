//! Hospitals and other organizations: names that end in what they are (`Hospital`, `Pharmacy`, `LLP`), names that
//! everyone knows (`Walgreens`, `Mayo Clinic`), and names that only the words before them tell.
//!
//! ```text
//! "Transferred from Cedar Hollow to Birch Unit; works at Harlan & Voss LLP"
//!                   └ sites         └ units              └ named
//! "Transferred to MGB for a stent"
//!                  └ transfers
//! ```

mod fronts;
mod named;
mod naming;
mod practices;
mod services;
mod short_names;
mod sites;
mod small;
mod transfers;
mod units;

pub(super) use self::fronts::is_front;
pub(super) use self::named::is_head;
pub(super) use self::sites::{is_field, is_lead, is_work};
pub(super) use self::small::is_small_head;
pub(super) use self::transfers::is_kind_of_house;
pub(super) use self::units::is_unit;

use super::found::Found;
use super::markers::Marker;
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::detect::patterns::context::first_word;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// Every word that sets off a rule of organizations, blank-separated.
pub(super) fn cue_words() -> impl Iterator<Item = &'static str> {
    let others = [units::NUMBERED, units::NAMED, named::POSSESSIVES, fronts::OTHERS, sites::LEADS];
    naming::words().chain(small::words()).chain(sites::deeds()).chain(others)
}

/// Adds every hospital and organization of a sentence.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for index in 0..words.list.len() {
        let word = &words.list[index];
        units::detect(words, index, found);
        services::detect(words, index, found);
        short_names::detect(words, index, found);
        if word.shape == Shape::Lower {
            small::detect(words, index, found);
            known_in_small(words, index, found);
        } else if known(words, index, found).is_none() && sites::saint(words, index, found).is_none() {
            sites::abbreviated(words, index, found);
            transfers::detect(words, index, found);
            named::by_head(words, index, found);
            fronts::by_front(words, index, found);
            fronts::partners(words, index, found);
            fronts::forces(words, index, found);
            practices::detect(words, index, found);
        }
    }
    // What has a head is found first: its words are no names without one.
    for index in 0..words.list.len() {
        sites::announced(words, index, found);
    }
}

/// Names that the lists hold, longest first.
fn known(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    let word = &words.list[first];
    if found.covers(word.start..word.end) {
        return None;
    }
    let flags = WordFlags::HOSPITAL.union(WordFlags::ORGANIZATION);
    if !(word.info.is_any(flags) || words.may_be_phrase(first)) {
        return None;
    }
    let end = (first + 5).min(words.list.len());
    let last = (first..end).rev().find(|&last| {
        words.joined(first, last) && words.list[last].shape != Shape::Lower && words.look_up(first, last).is_any(flags)
    })?;
    let info = words.look_up(first, last);
    let single = first == last;
    if words.is_eponymous(first, last) {
        return Some(last);
    }
    let ordinary = single
        && (info.english_size().is_some_and(|size| size <= 60)
            || info.is_any(MEDICAL)
            || info.given_count.max(info.surname_count) > 5_000);
    let led = first > 0
        && (words.list[first - 1].is(Marker::PlaceLead)
            || matches!(words.text(first - 1), "at" | "from" | "to" | "by" | "with" | "for"));
    let code = single && word.shape == Shape::Upper && words.shouted;
    // An abbreviation is written in capitals: `HSS`, not `Hss`.
    if single && word.shape == Shape::Capital && word.end - word.start <= 3 && !led {
        return None;
    }
    // `St. Jude` is a valve more often than a hospital.
    if matches!(words.text(first), "St" | "ST" | "Saint") && last == first + 1 && !led {
        return Some(last);
    }
    let initials = single && led && word.shape == Shape::Upper && !words.shouted && info.is(WordFlags::ORGANIZATION);
    if ordinary && !initials && !(led && word.shape == Shape::Capital && !info.is_any(MEDICAL)) || code && ordinary {
        return None;
    }
    if is_machine(words, first, last) {
        return Some(last);
    }
    let label = if info.is(WordFlags::HOSPITAL) { Label::Hospital } else { Label::Organization };
    let last = short_names::branch(words, named::tail(words, last));
    let shop = if label == Label::Organization { shop_number(words, last) } else { None };
    found.add(word.start..shop.unwrap_or(words.list[last].end), label, if ordinary { 0.6 } else { 0.9 });
    Some(last)
}

/// `send it to walgreens`, `works at waffle house`: well-known names in small letters, where they are no ordinary words or something leads to them.
fn known_in_small(words: &Words, first: usize, found: &mut Found) {
    const OTHER: WordFlags = MEDICAL.union(WordFlags::ABBREVIATION).union(WordFlags::CITY).union(WordFlags::EPONYM);
    let flags = WordFlags::HOSPITAL.union(WordFlags::ORGANIZATION);
    let word = &words.list[first];
    if words.shouted || !(words.look_up(first, first).is_any(flags) || words.may_be_phrase(first)) {
        return;
    }
    let end = (first + 4).min(words.list.len());
    let is_small = |last: usize| (first..=last).all(|at| words.list[at].shape == Shape::Lower);
    let is_known =
        |&last: &usize| words.joined(first, last) && is_small(last) && words.look_up(first, last).is_any(flags);
    let Some(last) = (first..end).rev().find(is_known) else { return };
    let info = words.look_up(first, last);
    let is_plain = |at: usize| words.look_up(at, at).english_size().is_some_and(|size| size <= 60);
    let led = first > 0
        && words.list[first].gap == Gap::Space
        && listed!(
            words.text(first - 1),
            "at from to by with for via called thru through works work job insurance ins payer plan"
        );
    let named = match last == first {
        true => {
            word.end - word.start > 3
                && info.english_size().is_none()
                && !info.is_any(OTHER)
                && info.given_count.max(info.surname_count) < 1_000
        }
        false => led || !(first..=last).all(is_plain),
    };
    // `s/p st jude`: a valve more often; `machine: fresenius 2008t`
    let device = listed!(words.text(first), "st saint") && last == first + 1 && !led || is_machine(words, first, last);
    if named && !device && !words.is_eponymous(first, last) && !found.covers(word.start..words.list[last].end) {
        let label = if info.is(WordFlags::HOSPITAL) { Label::Hospital } else { Label::Organization };
        found.add(word.start..words.list[last].end, label, 0.8);
    }
}

/// Whether a maker stands before the model of its machine: `Machine: Fresenius 2008T`.
fn is_machine(words: &Words, first: usize, last: usize) -> bool {
    let told = first > 0
        && words.list[first].gap == Gap::Colon
        && listed!(words.text(first - 1), "machine device model make brand manufacturer mfr dialyzer monitor pump");
    let model = words.between_after(last).strip_prefix(' ').unwrap_or_default();
    let digits = model.bytes().take_while(u8::is_ascii_digit).count();
    let mut letters = model[digits..].chars();
    // `0730A` is a time of day.
    let lettered = letters.next().is_some_and(|letter| letter.is_ascii_uppercase() && !"AHP".contains(letter))
        && !letters.next().is_some_and(char::is_alphanumeric);
    told || digits == 4 && lettered
}

/// The end of the number of a shop behind its name: `CVS #4417`, `Walgreens store 08812`.
fn shop_number(words: &Words, last: usize) -> Option<usize> {
    let rest = words.between_after(last);
    let number = [" # ", " #", " store #", " store ", " Store #"].iter().find_map(|lead| rest.strip_prefix(lead))?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &number[digits..];
    // `CVS # 120 tabs`
    let next = first_word(behind.trim_start_matches(' '));
    let counted = listed!(next, "tab tabs tablet tablets cap caps capsule capsules pills ml refills strips");
    let free = !counted && !behind.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '-' | '/'));
    ((3..=6).contains(&digits) && free).then(|| words.list[last].end + rest.len() - number.len() + digits)
}

#[cfg(test)]
mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::dictionary::DictionaryDetector;
    use crate::phi::{Label, unite};

    /// What is found of the given labels, in text order.
    fn found(sentence: &str, labels: &[Label]) -> Vec<String> {
        let mut spans = Vec::new();
        DictionaryDetector::new().detect(sentence, &mut spans);
        spans.retain(|span| labels.contains(&span.leading().class.label));
        unite(spans).iter().map(|span| sentence[span.start..span.end].to_owned()).collect()
    }

    const HERE: &[Label] = &[Label::Hospital, Label::Organization];

    #[test]
    fn heads_make_names_of_plain_words() {
        for (sentence, name) in [
            ("She goes to Amber Hollow Pediatrics for her shots.", "Amber Hollow Pediatrics"),
            ("Sent to Silver Creek Imaging for an ultrasound.", "Silver Creek Imaging"),
            ("CEDAR POINT SURGERY CENTER", "CEDAR POINT SURGERY CENTER"),
            ("Mail it to Turner & Ashby LLP by Friday.", "Turner & Ashby LLP"),
            ("His mother is at Willow Bend Memory Care now.", "Willow Bend Memory Care"),
            ("Attends Shepherd Valley Lutheran with her aunt.", "Shepherd Valley Lutheran"),
            ("The union is United Dockhands Local 316.", "United Dockhands Local 316"),
            ("Prescription went to Farmacia San Telmo.", "Farmacia San Telmo"),
            ("He reads at Our Lady of Lourdes on Sundays.", "Our Lady of Lourdes"),
        ] {
            assert_eq!(found(sentence, HERE), [name], "{sentence}");
        }
    }

    #[test]
    fn what_stands_before_tells_of_names_without_a_head() {
        for (sentence, name) in [
            ("Transferred from Quiet Meadow this morning.", "Quiet Meadow"),
            ("Payer: Northern Basin", "Northern Basin"),
            ("She works at Ridgemont and walks there.", "Ridgemont"),
            ("Seen at St. Blaise's yesterday.", "St. Blaise's"),
            ("transferred from KVMC for a stent", "KVMC"),
            ("He is a student at QUVX this fall", "QUVX"),
            ("Refill called to CVS #4417 today", "CVS #4417"),
            ("Refill called to CVS # 120 tabs", "CVS"),
            ("Seen at Gallup Indian Medical Center today.", "Gallup Indian Medical Center"),
            ("Seen at Korean Medical Center today.", "Korean Medical Center"),
            ("Transferred from QKMC-3 overnight", "QKMC"),
            ("send the refill to walgreens not the other", "walgreens"),
            ("drives for a wegmans warehouse", "wegmans"),
            ("outpt chair at davita tomorrow", "davita"),
            ("he works at home depot nights", "home depot"),
        ] {
            assert_eq!(found(sentence, HERE), [name], "{sentence}");
        }
    }

    #[test]
    fn units_have_names_and_numbers() {
        for (sentence, name) in [
            ("Moved to the Harlow Unit today.", "Harlow Unit"),
            ("Patient is in 7W-14 now.", "7W-14"),
            ("Done in Theatre 4 without trouble.", "Theatre 4"),
            ("Procedure in EP Lab 3 today.", "EP Lab 3"),
            ("Arrive at 5:45, Pavilion C, with a driver.", "Pavilion C"),
        ] {
            assert_eq!(found(sentence, HERE), [name], "{sentence}");
        }
    }

    #[test]
    fn kinds_of_places_are_no_names() {
        for sentence in [
            "Seen in the Wound Care Clinic today.",
            "Referred to Outpatient Physical Therapy.",
            "ANTICOAGULATION CLINIC",
            "Brain Imaging was normal and Chest Imaging is pending.",
            "Department: Internal Medicine",
            "Mechanical aortic valve (St. Jude, 2009).",
            "Admitted to the Intensive Care Unit.",
            "Employer: Retired",
            "Insurance: Medicare",
            "Transferred to ICU at Baseline.",
            "The L4-05 level and S1-2 were fused.",
            "MAHC-10 = 6, Braden 17.",
            "BPMH by the pharmacist is done.",
            "RURAL HLTH CLINIC",
            "Referred to Spanish Interpreter Services.",
            "Per American College of Surgeons criteria.",
            "Log the IP of the server for biomed.",
            "Indian Health Service",
        ] {
            assert_eq!(found(sentence, HERE), Vec::<String>::new(), "{sentence}");
        }
    }

    #[test]
    fn places_by_what_follows_or_heads_them() {
        let places = &[Label::City, Label::State, Label::Country, Label::LocationOther];
        for (sentence, names) in [
            ("Flew in from Aveiro, Portugal on Monday.", &["Aveiro", "Portugal"][..]),
            ("They live in Bakersfield 93301 now.", &["Bakersfield"]),
            ("Fell on the Miller Creek Bridge last night.", &["Miller Creek Bridge"]),
            ("Swims in Lake Ontario in summer.", &["Lake Ontario"]),
            ("Crashed under the I-84 overpass.", &["I-84 overpass"]),
            ("Comfort Gloucester 3, NYHA (New York) II.", &[]),
        ] {
            assert_eq!(found(sentence, places), names, "{sentence}");
        }
    }

    #[test]
    fn jobs_with_and_without_a_trade() {
        let jobs = &[Label::Profession];
        for (sentence, names) in [
            ("SH: school bus driver, two kids.", &["school bus driver"][..]),
            ("Her brother, a roofer, drove her.", &["roofer"]),
            ("He is a retired tugboat pilot.", &["tugboat pilot"]),
            ("Call your lawyer about the form.", &["lawyer"]),
            ("Seen with the case manager and the unit clerk.", &[]),
            ("Durable power of attorney is on file.", &[]),
            ("Farmer's lung was ruled out.", &[]),
        ] {
            assert_eq!(found(sentence, jobs), names, "{sentence}");
        }
    }
}
