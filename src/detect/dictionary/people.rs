//! People: by title, credential, field, kinship and by their names alone.
//!
//! ```text
//! Dr. Foley   SMITH, JOHN C, MD   Attending: R. Patel   his wife Mary   Maria Gonzalez called
//! DOCTOR      DOCTOR              DOCTOR                PATIENT         PATIENT
//! ```

use super::found::Found;
use super::leads;
use super::markers::Marker;
use super::plausible::{Lead, Likeness, likeness};
use super::relations;
use super::runs::{Trust, is_clean_name};
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Adds every person of a sentence.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for index in 0..words.list.len() {
        let word = &words.list[index];
        leads::detect(words, index, found);
        leads::cued_initials(words, index, found);
        match word.marker {
            _ if is_brother(words, index) => titled(words, index, Label::Patient, found),
            Some(Marker::DoctorTitle) => titled(words, index, Label::Doctor, found),
            Some(Marker::PersonTitle) => titled(words, index, Label::Patient, found),
            Some(Marker::Credential) => credential(words, index, found),
            Some(Marker::Kin) => relations::kin(words, index, found),
            Some(Marker::CareRole) => {
                relations::field(words, index, Label::Doctor, found);
                if words.get(index + 1).is_some_and(|next| next.gap == Gap::Colon && next.shape == Shape::Lower) {
                    leads::initials(words, index, found);
                }
            }
            Some(Marker::PersonField) => relations::field(words, index, Label::Patient, found),
            Some(Marker::StaffVerb) => {
                relations::staff_verb(words, index, found);
                relations::wants_to_be_called(words, index, found);
            }
            Some(Marker::PeopleVerb) => {
                if words.text(index).eq_ignore_ascii_case("per") {
                    leads::initials(words, index, found);
                }
                relations::people_verb(words, index, found);
                relations::closing(words, index, found);
            }
            Some(Marker::Named) => relations::named(words, index, found),
            Some(Marker::By) if index > 0 && matches!(words.text(index - 1), "goes" | "go" | "going") => {
                relations::named(words, index, found);
            }
            Some(Marker::By) => leads::initials(words, index, found),
            Some(Marker::With) => relations::handed_to(words, index, found),
            Some(Marker::NoName) => relations::closing(words, index, found),
            _ if matches!(words.text(index), "w" | "W")
                && index > 0
                && words.text(index - 1).eq_ignore_ascii_case("d") =>
            {
                initials_of_two(words, index, found);
                relations::people_verb(words, index, found);
            }
            _ if words.text(index) == "b"
                && index > 0
                && words.text(index - 1) == "s"
                && words.between(index) == "/" =>
            {
                initials_of_two(words, index, found);
            }
            _ => relations::closing(words, index, found),
        }
    }
}

/// `Bro. Love`, `Br. Anselm`, `Ptl. Gaudreau`: a title cut short, with its stop.
fn is_brother(words: &Words, index: usize) -> bool {
    matches!(words.text(index), "Bro" | "Br" | "Ptl")
        && words.get(index + 1).is_some_and(|next| next.gap == Gap::Stop && next.is_capital())
}

/// `d/w JB`, `s/b TK`: two capitals, which the services that are spoken with have as well, so that none of those is meant.
fn initials_of_two(words: &Words, index: usize, found: &mut Found) {
    if words.get(index + 1).is_some_and(|next| next.shape == Shape::Upper && next.end - next.start == 2) {
        leads::initials(words, index, found);
    }
}

pub(super) fn add(words: &Words, first: usize, last: usize, label: Label, score: f32, found: &mut Found) {
    let first = first - usize::from(is_short_given(words, first));
    found.add(words.list[first].start..words.list[last].end, label, score);
}

/// Whether a given name of two letters stands before a name, which in capitals is an abbreviation: `Pa Houa Vang`.
fn is_short_given(words: &Words, first: usize) -> bool {
    first.checked_sub(1).is_some_and(|before| {
        words.list[before].shape == Shape::Capital
            && words.list[first].shape == Shape::Capital
            && words.between(first) == " "
            && listed!(words.text(before), "pa ma la do le ha ba my na ya yi xi bo")
            && !matches!(words.text(before), "My" | "Do" if words.list[before].gap == Gap::Start)
    })
}

/// `Dr. X Y`, `dr smith`, `Drs. Lee and Park`.
fn titled(words: &Words, index: usize, label: Label, found: &mut Found) {
    let title = words.text(index);
    // `19 Fr Blake drain`: a size, and no father.
    if title.eq_ignore_ascii_case("fr")
        && words.sentence[..words.list[index].start].trim_end().ends_with(|c: char| c.is_ascii_digit())
    {
        return;
    }
    let spelled = title.len() > 4 || matches!(title, "doc" | "miss" | "sir" | "det" | "Det" | "DET" | "hon" | "mx");
    let mut first = index + 1;
    while words.get(first).is_some_and(|word| {
        matches!(word.marker, Some(Marker::DoctorTitle | Marker::PersonTitle))
            && matches!(word.gap, Gap::Space | Gap::Stop)
    }) {
        first += 1;
    }
    if let Some(name) = title_as_name(words, index, first) {
        add(words, name, name, label, 0.9, found);
        return;
    }
    let Some(next) = words.get(first) else { return };
    // `lt green top tube`: light, and no lieutenant.
    if title == "lt" && listed!(words.text(first), "blue green grey gray purple brown yellow red pink orange tan touch")
    {
        return;
    }
    // `MR BRAIN W/O CONTRAST`, `MR Knee`: a scan of what is named.
    if title == "MR"
        && next.gap == Gap::Space
        && listed!(words.text(first), SCANNED)
        && !words.get(first + 1).is_some_and(|next| {
            listed!(words.text(first + 1), "was is has had states reports denies") && next.gap == Gap::Space
        })
    {
        return;
    }
    // `NURSE LINE REPORT`: where nurses answer.
    if title.eq_ignore_ascii_case("nurse") && listed!(words.text(first), "line hotline triage call") {
        return;
    }
    if !(matches!(next.gap, Gap::Space | Gap::Stop | Gap::Other) || next.gap == Gap::Colon && title.len() > 2) {
        return;
    }
    if next.gap == Gap::Other && !words.sentence[words.list[first - 1].end..next.start].trim().starts_with('.') {
        return;
    }
    if next.gap == Gap::Stop && spelled && title.len() > 5 {
        return;
    }
    if let Some(mut last) = whatever_word(words, index, first) {
        let surname = words.get(last + 1).is_some_and(|next| {
            next.gap == Gap::Space
                && next.shape == Shape::Capital
                && next.info.surname_count >= 1_000
                && words.is_name_word(last + 1, Trust::Told)
        });
        last += usize::from(surname);
        add(words, first, last, label, 0.9, found);
        return;
    }
    if let Some(last) = words.name_from(first, Trust::Told, next.shape == Shape::Upper) {
        // `Miss Independent doses`: a spelled title in small letters wants a name that is one.
        let known = !spelled
            || words.list[index].shape != Shape::Lower
            || is_clean_name(&words.list[last])
            || next.shape == Shape::Capital && next.info.surname_count.max(next.info.given_count) > 20_000
            || next.shape == Shape::Capital
                && words.likeness_at(first) == Likeness::Unknown
                && words.text(first).len() >= 5;
        if known {
            add(words, first, last, label, 1.0, found);
            conjoined(words, last, label, found);
        }
    } else if next.shape == Shape::Initial
        && matches!(next.gap, Gap::Space | Gap::Stop)
        && !spelled
        && !matches!(words.text(first), "I" | "A")
    {
        add(words, first, first, label, 0.8, found);
    } else if next.shape == Shape::Lower && !spelled {
        small_name(words, first, label, found);
        if is_small_surname(words, index, first) && !found.covers(next.start..next.end) {
            add(words, first, first, label, 0.7, found);
        }
    } else if next.shape == Shape::Lower && next.gap == Gap::Space && !words.shouted {
        let coach = title == "coach" && words.text(first) == "case";
        let info = words.look_up(first, first);
        if coach || next.marker.is_none() && likeness(info) == Likeness::Name && info.surname_count >= 500 {
            add(words, first, first, label, 0.7, found);
        }
    } else if next.shape == Shape::Upper
        && matches!(title, "Dr" | "Mr" | "Mrs" | "Ms")
        && !words.shouted
        && (2..=3).contains(&(next.end - next.start))
    {
        add(words, first, first, label, 0.6, found);
    }
}

/// What magnetic resonance is made of that somebody is called, too.
const SCANNED: &str = "brain head neck face orbit orbits chest breast breasts heart hip hips knee knees leg legs foot feet hand hands wrist elbow \
    shoulder ankle thigh arm forearm finger toe spine back bone pelvis abdomen liver prostate rectum";

/// `Mr. Bishop was`, `MRS. SISTER`: behind these titles another one is the name, where no name follows it.
fn title_as_name(words: &Words, index: usize, first: usize) -> Option<usize> {
    let name = first.checked_sub(1).filter(|&name| name > index && listed!(words.text(index), "dr mr mrs ms"))?;
    let goes_on = words.get(first).is_some_and(|next| {
        matches!(next.gap, Gap::Space | Gap::Stop)
            && (next.is_capital()
                && (!words.shouted || next.info.surname_count > 0 && next.info.english_size().is_none()))
    });
    let word = &words.list[name];
    (!goes_on && word.is_capital() && word.info.surname_count >= FEWEST_BEARERS).then_some(name)
}

/// So many are called by a word that a title before it tells of.
const FEWEST_BEARERS: u32 = 50;

/// `Dr. Her`, `Mr. Plenty Hawk`: after a short title with a capital any word with one is a name, whatever else it means.
fn whatever_word(words: &Words, index: usize, first: usize) -> Option<usize> {
    let word = words.get(first)?;
    // `DR. WARD`, `MR. BISHOP`
    let shouted = listed!(words.text(index), "dr mr mrs ms") && word.shape == Shape::Upper && first == index + 1;
    if shouted && word.marker.is_some() && super::runs::is_large_namesake(word, words.text(first)) {
        return Some(first);
    }
    // `Mr. STREET`: `MR` may be a scan, and what comes behind it in capitals anything.
    let written = shouted && words.list[index].shape == Shape::Capital && word.end - word.start > 3;
    if written && word.info.surname_count >= FEWEST_BEARERS && !word.info.is(WordFlags::ABBREVIATION) {
        return Some(first);
    }
    let title = matches!(words.text(index), "Dr" | "Mr" | "Mrs" | "Ms");
    if !title || first != index + 1 || words.shouted || word.shape != Shape::Capital {
        return None;
    }
    if let Some(last) = words.descriptive_surname(first) {
        return Some(last);
    }
    let info = word.info;
    let grammar = matches!(
        words.text(first),
        "He" | "She" | "They" | "The" | "It" | "This" | "We" | "No" | "Patient" | "Pt" | "Will"
    );
    // `Mr Kin's son`: a word for persons behind the title of one.
    let of_persons =
        matches!(word.marker, Some(Marker::PersonField | Marker::Kin | Marker::CareRole)) && words.text(index) != "Dr";
    let surname = info.surname_count >= FEWEST_BEARERS
        && (of_persons
            || word.marker == Some(Marker::NoName)
            || word.marker.is_none() && info.english_size().is_some());
    (surname && !grammar && !words.is_name_word(first, Trust::Told) && !info.is_any(super::runs::CUES)).then_some(first)
}

/// `dr fields`, `mrs peach gave`: behind such a title a word that many are called, unless it is what is done or had there.
fn is_small_surname(words: &Words, index: usize, first: usize) -> bool {
    const OTHER: &str = "will may can see order note visit office orders notes said says saw aware call calls told wants want has had was is \
        new old still home best long good read done page case mark head neck hand heart back foot knee hall line list letter day days bill \
        money short love self felt rounds speaks orders reads works may must might ask asks give gave go went come came say do did";
    let word = &words.list[first];
    let title = words.text(index);
    let info = Lexicon::shared().word(words.text(first));
    let least = if title.eq_ignore_ascii_case("mrs") { 300 } else { 1_000 };
    listed!(title, "mrs dr")
        && first == index + 1
        && matches!(word.gap, Gap::Space | Gap::Stop)
        && word.marker.is_none()
        && word.end - word.start > 2
        && info.surname_count >= least
        && info.english_size().is_some()
        && !info.is_any(MEDICAL)
        && !listed!(words.text(first), OTHER)
}

/// Another surname after `and`: `Drs. Lee and Park`.
fn conjoined(words: &Words, last: usize, label: Label, found: &mut Found) {
    if let Some(next) = words.get(last + 1)
        && next.is_capital()
        && words.sentence[words.list[last].end..next.start].trim() == "&"
        && let Some(end) = words.name_from(last + 1, Trust::Told, false)
    {
        add(words, last + 1, end, label, 0.8, found);
        return;
    }
    let joint = words
        .get(last + 1)
        .is_some_and(|word| word.is(Marker::Connector) && matches!(words.text(last + 1), "and" | "AND"));
    if joint
        && words.get(last + 2).is_some_and(|word| word.gap == Gap::Space && word.info.is(WordFlags::SURNAME))
        && words.is_name_word(last + 2, Trust::Told)
        && let Some(end) = words.name_from(last + 2, Trust::Told, false)
    {
        add(words, last + 2, end, label, 0.8, found);
    }
}

/// `dr smith`, `dr al masri`, `dr k`: names in small letters after a title.
pub(super) fn small_name(words: &Words, first: usize, label: Label, found: &mut Found) {
    const NO_SURNAMES: &[&str] =
        &["order", "note", "visit", "said", "see", "may", "will", "office", "notes", "orders", "aware"];
    let fits = |index: usize, only: bool| {
        let Some(word) = words.get(index) else { return false };
        let text = words.text(index);
        let case = text == "case" && !words.get(index + 1).is_some_and(|next| next.is(Marker::CareRole));
        if word.shape != Shape::Lower || word.marker.is_some() && !case || text.len() < 2 {
            return false;
        }
        let info = Lexicon::shared().word(text);
        let named = info.surname_count > 0 || info.given_count > 0;
        let ordinary = info.english_size().is_some();
        let common = info.surname_count > 10_000 && !NO_SURNAMES.contains(&text);
        let name = named && !ordinary || only && (common || info.flags.is_empty() && text.len() > 2);
        name && (!info.is_any(MEDICAL) || only && common)
    };
    let particle = words.get(first).is_some_and(|word| word.is(Marker::Particle))
        && words.get(first + 1).is_some_and(|next| next.gap == Gap::Space);
    if particle && fits(first + 1, true) {
        add(words, first, first + 1, label, 0.9, found);
    } else if fits(first, true) {
        let second = match words.get(first + 1).map(|word| word.gap) {
            Some(Gap::Space) => fits(first + 1, false),
            Some(Gap::Hyphen) => words.list[first + 1].shape == Shape::Lower,
            _ => false,
        };
        add(words, first, first + usize::from(second), label, 0.9, found);
    } else if words.get(first).is_some_and(|word| word.end - word.start == 1)
        && label == Label::Doctor
        && !matches!(words.text(first), "a" | "i" | "s" | "x")
        && (matches!(words.gap_after(first), Gap::Space | Gap::Comma | Gap::Stop)
            || words.between_after(first).starts_with("'s"))
    {
        add(words, first, first, label, 0.7, found);
    }
}

/// `X Y, MD`, `SMITH, JOHN C, RN`.
fn credential(words: &Words, index: usize, found: &mut Found) {
    before_name(words, index, found);
    let word = &words.list[index];
    let text = words.text(index);
    let written = word.shape == Shape::Upper
        || text.contains(['.', 'h', 'D', 'P']) && word.shape == Shape::Capital && text.len() > 2;
    if index == 0 || !written || !matches!(word.gap, Gap::Comma | Gap::Space | Gap::Bracket) {
        return;
    }
    if words.list[index - 1].is(Marker::Credential) {
        return;
    }
    let Some(first) = words.name_to(index - 1) else { return };
    let single = first == index - 1;
    let last_word = &words.list[index - 1];
    let place = word.gap == Gap::Comma
        && matches!(text, "MD" | "PA" | "DC" | "DE")
        && Lexicon::shared().city_in_state(words.phrase(first, index - 1), text);
    let ambiguous = matches!(
        text,
        "DO" | "PA"
            | "MS"
            | "OD"
            | "MB"
            | "CDE"
            | "CNS"
            | "DC"
            | "SW"
            | "LAC"
            | "MA"
            | "PT"
            | "OT"
            | "RD"
            | "CNP"
            | "EMT"
            | "COA"
            | "ODS"
            | "PHN"
            | "CPO"
            | "APN"
    );
    let weak = single
        && (ambiguous || words.shouted)
        && !last_word.info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME));
    let ordinary = single
        && word.gap == Gap::Space
        && (words.shouted || ambiguous)
        && last_word.info.english_size().is_some_and(|size| size <= 50);
    // `--MB RN`: initials that sign a line.
    let initials = single
        && last_word.shape == Shape::Upper
        && last_word.end - last_word.start <= 3
        && index + 1 == words.list.len()
        && !last_word.info.is_any(MEDICAL)
        && last_word.info.english_size().is_none_or(|size| size > 50)
        && index <= 2;
    const UNITS: &str =
        "icu ed or er cn iv picu nicu micu sicu ccu pacu cvicu hh woc pt tele ob ld ir or gi oncall on noc day";
    let coded = single
        && last_word.shape == Shape::Upper
        && last_word.end - last_word.start <= 4
        && listed!(words.text(index - 1), UNITS);
    let line = single
        && word.gap == Gap::Space
        && last_word.shape == Shape::Upper
        && (2..=3).contains(&(last_word.end - last_word.start))
        && (last_word.start == 0 || words.between(index - 1).contains('\n'))
        && last_word.marker.is_none();
    // `Call MD for UOP < 30`
    let bidden = single && listed!(words.text(index - 1), "call notify inform alert contact");
    if !place && !coded && !bidden && (!weak && !ordinary || initials || line) {
        add(words, first, index - 1, Label::Doctor, if single { 0.9 } else { 1.0 }, found);
    }
}

/// `NP Garrison`, `RN K. Kelly`, `RN joy`: a credential that stands before its holder.
fn before_name(words: &Words, index: usize, found: &mut Found) {
    let Some(next) = words.get(index + 1) else { return };
    let word = &words.list[index];
    // `Rn Osei`, as forms write it.
    let formal = matches!(words.text(index), "Rn" | "Lpn" | "Lvn" | "Cna" | "Crna");
    if next.gap != Gap::Space || word.shape == Shape::Capital && !formal || found.covers(word.start..word.end) {
        return;
    }
    let several = matches!(words.text(index), "PT" | "OT" | "MS" | "DO" | "PA" | "MA" | "MD" | "DC" | "SW" | "RD");
    if word.shape == Shape::Upper || formal && next.shape == Shape::Capital {
        let lead = if words.shouted || several { Lead::Weak } else { Lead::Strong };
        if let Some(last) = words.person_from(index + 1, lead, next.shape == Shape::Upper)
            && !(words.likeness_at(last) == Likeness::Namesake && is_followed_by_role(words, last))
        {
            add(words, index + 1, last, Label::Doctor, 0.7, found);
            return;
        }
    }
    // `CRNA YOUNG, CHRISTIAN`
    let reversed = next.shape == Shape::Upper
        && !several
        && next.info.surname_count >= 10_000
        && words.get(index + 2).is_some_and(|given| given.gap == Gap::Comma && given.info.given_count >= 20_000);
    if reversed {
        add(words, index + 1, index + 2, Label::Doctor, 0.7, found);
        return;
    }
    if next.shape == Shape::Lower && next.marker.is_none() && !several && !words.shouted {
        leads::small(words, index + 1, Label::Doctor, found);
    }
}

/// `RN Case Manager`: the words of a role.
fn is_followed_by_role(words: &Words, last: usize) -> bool {
    words.get(last + 1).is_some_and(|next| next.gap == Gap::Space && next.is(Marker::CareRole))
}

/// Whether a word with another meaning is a name here: `Will`, `May`, written with a capital inside a sentence.
pub(super) fn names_someone(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    !words.shouted && word.shape == Shape::Capital && word.info.given_count >= 10_000
}

/// Staff where a role or credential is near, else a private person.
pub(super) fn label_near(words: &Words, index: usize) -> Label {
    let near = &words.list[index.saturating_sub(4)..(index + 5).min(words.list.len())];
    let staff = near.iter().any(|word| {
        word.is(Marker::CareRole)
            || word.is(Marker::DoctorTitle)
            || word.is(Marker::Credential) && word.shape != Shape::Lower
    });
    if staff { Label::Doctor } else { Label::Patient }
}

#[cfg(test)]
pub(super) mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::dictionary::DictionaryDetector;
    use crate::phi::unite;

    /// The people that the dictionary finds in a sentence, in order.
    pub(in crate::detect::dictionary) fn people(sentence: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        DictionaryDetector::new().detect(sentence, &mut spans);
        unite(spans)
            .iter()
            .filter(|span| span.leading().class.label.is_person())
            .map(|span| &sentence[span.start..span.end])
            .collect()
    }

    #[test]
    fn titles_make_names_of_any_word() {
        assert_eq!(people("Dr. Her will call."), ["Her"]);
        assert_eq!(people("his friend Mr. Running Elk drove"), ["Running Elk"]);
        assert_eq!(people("plan per DrBridgewater today"), ["Bridgewater"]);
        assert_eq!(people("dr el hassan aware, dr p too"), ["el hassan", "p"]);
        assert_eq!(people("urgent review booked with Dr. To get in touch"), [] as [&str; 0]);
        for name in ["BISHOP", "STREET", "JUDGE", "COLONEL", "Bishop", "Judge"] {
            assert_eq!(people(&format!("Mr. {name} was seen")), [name]);
        }
        assert_eq!(people("MR. BISHOP WAS SEEN"), ["BISHOP"]);
        assert_eq!(people("Mr. Judge Okonkwo was seen"), ["Okonkwo"]);
        assert_eq!(people("MR SPINE AND MR BRAIN DONE, MR Knee too"), [] as [&str; 0]);
        assert_eq!(people("MR. HEAD WAS SEEN"), ["HEAD"]);
        assert_eq!(people("Seen by dr grace okafor today."), ["grace okafor"]);
        assert_eq!(people("form signed by dr fields, landlady mrs peach gave til then"), ["fields", "peach"]);
        assert_eq!(people("dr will call, dr note given, dr wants labs, dr felt mass benign"), [] as [&str; 0]);
        assert_eq!(people("at Mr Kin's now"), ["Kin"]);
        assert_eq!(people("Mr. was left blank, MS CONTIN given"), [] as [&str; 0]);
    }

    #[test]
    fn credentials_stand_on_either_side() {
        assert_eq!(people("Handoff to noc RN Petrosyan at 1900"), ["Petrosyan"]);
        assert_eq!(people("Seen by RN T. Oyelowo"), ["T. Oyelowo"]);
        assert_eq!(people("RN Case Manager to follow"), [] as [&str; 0]);
        assert_eq!(people("K 6.9   Rn Petrosyan   read back"), ["Petrosyan"]);
        assert_eq!(people("Time 74 min. S. Petrosyan APNP"), ["S. Petrosyan"]);
        assert_eq!(people("seen with aortic COA and PHN"), [] as [&str; 0]);
    }

    #[test]
    fn what_one_is_called_and_who_is_there() {
        assert_eq!(people("prefers to be called Skip"), ["Skip"]);
        assert_eq!(people("prefers to be called Tomorrow with results"), [] as [&str; 0]);
        assert_eq!(people("mom here (Lacey), fever for two days"), ["Lacey"]);
        assert_eq!(people("lives with grandson \"Duff\" nearby"), ["Duff"]);
        assert_eq!(people("his wife \"Worried about him\" and tearful"), [] as [&str; 0]);
        assert_eq!(people("his wife \"Upset\" and tearful"), [] as [&str; 0]);
        assert_eq!(people("signing off, thank you Marisela"), ["Marisela"]);
        assert_eq!(people("mom here (tearful), no fever"), [] as [&str; 0]);
        assert_eq!(people("mom updated (May need a ride home)"), [] as [&str; 0]);
    }
}
