//! Staff as forms and logs name them: `Surgeon A Brzezińska`, `Crew: S. Hardcastle (para) / Bex (ECA)`, `runner Tom O.`,
//! `PRIMARY SURG BURNS, H`, `S/N Joy`, `phoned by lab (Will)`, `RT Oyelaran today`.
//!
//! ```text
//! Anaes O Case + CT1 Nwosu          a role, an initial and any word with a capital; more of them after `+` and `/`
//! └role └─name   └grade └─name
//! ```

use super::found::Found;
use super::markers::Marker;
use super::people::add;
use super::plausible::{Likeness, likeness};
use super::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// Words that name a part in an operation, a shift or a crew.
const ROLES: &str = "surgeon surg asst assistant cons consultant anaes anaesthetist anes anesthesia anaesthesia crew attending fellow reg \
     registrar sho scrub scrubbed runner circ circulator odp driver medic para emt managing report hca hcsw sn midwife \
     sonographer perfusionist supervising coord rt";
/// Capitals for who they are, before a name that is no other word: `SLP Okonjo`.
const SHORTHAND: &str = "RT CM SLP OT LC SW CCM NCM CNA CRNA PGY RN NP";

/// What stands behind somebody of the staff, and not behind things.
const BEHIND_STAFF: &str =
    "today tonight here at recommends recommended saw sees notified aware came called says said bedside";

/// Adds the staff that roles name.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for (index, word) in words.list.iter().enumerate() {
        if word.gap == Gap::Bracket || word.gap == Gap::Other || word.gap == Gap::Colon {
            in_bracket(words, index, found);
        }
        // What follows tells first: most words stand before others in small letters, or before `I`.
        let Some(next) = words.get(index + 1) else { break };
        let named = next.shape != Shape::Lower || next.is(Marker::Particle);
        let self_told = word.shape == Shape::Lower && words.sentence.as_bytes()[next.start] == b'I';
        if !named || self_told && next.shape == Shape::Initial || next.gap == Gap::Stop || next.gap == Gap::Comma {
            continue;
        }
        let text = words.text(index);
        match text.len() {
            1 if text == "N" => slashed_role(words, index, found),
            1 if text == "W" => spoken_to(words, index, found),
            5 if text.eq_ignore_ascii_case("paged") => paged(words, index, found),
            2..=13 if listed!(text, ROLES) => after_role(words, index, found),
            _ => {}
        }
        if text == "R" || SHORTHAND.split(' ').any(|role| role == text) {
            strange_surname(words, index, found);
        }
    }
}

/// `S/N Joy`: the second letter of a role that is written with a slash.
fn slashed_role(words: &Words, index: usize, found: &mut Found) {
    if index > 0 && words.text(index - 1) == "S" && words.between(index) == "/" {
        after_role(words, index, found);
    }
}

/// The name after a role, over a colon and over a bracket: `cons (scrubbed) T Rahman`.
fn after_role(words: &Words, role: usize, found: &mut Found) {
    let first = role + 1;
    if first >= words.list.len() {
        return;
    }
    let between = words.between(first).trim();
    if !matches!(between, "" | ":" | ")") || words.between(first).contains('\n') || words.between(first).len() > 4 {
        return;
    }
    if let Some(last) = initial_and_surname(words, first)
        .or_else(|| surname_and_initial(words, role, first))
        .or_else(|| given_and_initial(words, first))
        .or_else(|| with_particles(words, first))
        .or_else(|| single_given(words, role, first))
    {
        if !found.covers(words.list[first].start..words.list[last].end) {
            add(words, first, last, Label::Doctor, 0.8, found);
        }
        companions(words, last, found);
    } else if is_initials(words, first) {
        add(words, first, first, Label::Doctor, 0.6, found);
    }
}

/// Whether a word with a capital can be a surname after an initial: anything but a medical word, a role or a credential.
fn is_surname(words: &Words, index: usize) -> bool {
    words.get(index).is_some_and(|word| {
        word.shape == Shape::Capital
            && word.end - word.start > 2
            && word.marker.is_none_or(|marker| marker == Marker::Particle)
            && (!word.info.is_any(MEDICAL) || word.info.surname_count >= 500)
    })
}

/// `A Brzezińska`, `S. Hardcastle-Lowe`.
fn initial_and_surname(words: &Words, first: usize) -> Option<usize> {
    let surname = words.get(first + 1)?;
    let fits = words.list[first].shape == Shape::Initial
        && matches!(surname.gap, Gap::Space | Gap::Stop)
        && is_surname(words, first + 1);
    let half = words.get(first + 2).is_some_and(|half| half.gap == Gap::Hyphen && half.shape == Shape::Capital);
    // `A Consultant`: an article before a word of English that few bear.
    let info = surname.info;
    let article =
        words.text(first) == "A" && info.english_size().is_some_and(|size| size <= 50) && info.surname_count < 5_000;
    (fits && !article).then_some(first + 1 + usize::from(half))
}

/// `PRIMARY SURG BURNS, H`, `MANAGING DAO T` at the end of a column.
fn surname_and_initial(words: &Words, role: usize, first: usize) -> Option<usize> {
    let initial = words.get(first + 1)?;
    let surname = &words.list[first];
    let shouted = words.list[role].shape == Shape::Upper && surname.shape == Shape::Upper;
    let after = words.between_after(first + 1);
    let closed = after.trim().is_empty() || after.starts_with("  ") || after.starts_with('\n');
    (shouted
        && initial.shape == Shape::Initial
        && matches!(initial.gap, Gap::Space | Gap::Comma)
        && closed
        && surname.marker.is_none()
        && surname.info.surname_count >= 300)
        .then_some(first + 1)
}

/// `runner Tom O.`, `report: Grace L. rn`.
fn given_and_initial(words: &Words, first: usize) -> Option<usize> {
    let initial = words.get(first + 1)?;
    let given = &words.list[first];
    let after = words.between_after(first + 1);
    (given.shape == Shape::Capital
        && given.info.given_count >= 1_000
        && initial.shape == Shape::Initial
        && initial.gap == Gap::Space
        && (after.starts_with(['.', ',', ')', ';', '\n'])
            || after.trim().is_empty()
            || is_credential(words, first + 2)))
    .then_some(first + 1)
}

fn is_credential(words: &Words, index: usize) -> bool {
    words
        .get(index)
        .is_some_and(|word| word.is(Marker::Credential) && matches!(word.gap, Gap::Space | Gap::Comma | Gap::Stop))
}

/// `fellow van der Berg`.
fn with_particles(words: &Words, first: usize) -> Option<usize> {
    let particles = (first..words.list.len())
        .take_while(|&index| {
            let word = &words.list[index];
            word.is(Marker::Particle) && word.shape == Shape::Lower && word.gap == Gap::Space
        })
        .count();
    let surname = first + particles;
    (particles > 0 && words.get(surname).is_some_and(|word| word.gap == Gap::Space) && is_surname(words, surname))
        .then_some(surname)
}

/// `S/N Joy`, `HCA Will`: one name, be it a word too, after a role that is nothing else.
fn single_given(words: &Words, role: usize, first: usize) -> Option<usize> {
    let word = &words.list[first];
    let alone = words.get(first + 1).is_none_or(|next| !(next.gap == Gap::Space && next.is_capital()));
    (listed!(words.text(role), "n hca hcsw odp runner")
        && word.shape == Shape::Capital
        && word.marker.is_none()
        && word.info.given_count >= 5_000
        && alone)
        .then_some(first)
}

/// `RT Oyelaran today`, `R2 Okonjo`: one word with a capital behind shorthand for who somebody is, a surname or in no list at all.
fn strange_surname(words: &Words, role: usize, found: &mut Found) {
    let name = role + 1;
    let between = words.between(name);
    let year = || between.len() == 2 && matches!(between.as_bytes()[0], b'1'..=b'6') && between.ends_with(' ');
    let joined = match words.text(role) {
        "R" => year(),
        "PGY" => year() || between.strip_prefix('-').is_some_and(|rest| rest.len() == 2 && rest.ends_with(' ')),
        _ => between == " ",
    };
    let is_name = |index: usize| {
        words.get(index).is_some_and(|word| {
            let likeness = words.likeness_at(index);
            word.shape == Shape::Capital
                && word.end - word.start > 3
                && word.marker.is_none()
                && (likeness == Likeness::Unknown
                    && word.end - word.start > 4
                    && words.get(index + 1).is_some_and(|_| listed!(words.text(index + 1), BEHIND_STAFF))
                    || likeness == Likeness::Name && word.info.surname_count.max(word.info.given_count) >= 100)
        })
    };
    if !joined || words.shouted || !is_name(name) {
        return;
    }
    let last = name + usize::from(words.between_after(name) == " " && is_name(name + 1));
    let ends = words.get(last + 1).is_none_or(|next| next.gap != Gap::Space || next.shape != Shape::Capital);
    if ends && !found.covers(words.list[name].start..words.list[last].end) {
        add(words, name, last, Label::Doctor, 0.7, found);
    }
}

/// Two or three capitals that fill a column after a role: `Asst LPW`.
fn is_initials(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    let after = words.between_after(index);
    word.shape == Shape::Upper
        && (2..=3).contains(&(word.end - word.start))
        && word.marker.is_none()
        && !words.shouted
        && !word.info.is_any(MEDICAL.union(WordFlags::STATE_ABBREVIATION))
        && word.info.english_size().is_none()
        && (after.trim().is_empty() || after.starts_with("  ") || after.starts_with([',', ';', '\n', ')']))
}

/// Who else is named after the first: `+ CT1 Nwosu`, `/ Bex (ECA)`.
fn companions(words: &Words, mut last: usize, found: &mut Found) {
    for _ in 0..4 {
        // Over the bracket and the grade of the one before: `(para, HCPC PA049917) / Bex`.
        let Some(first) = (last + 1..words.list.len().min(last + 6)).find(|&index| {
            let between = words.between(index);
            !between.contains('\n') && between.trim_end().ends_with(['+', '/', '&']) && between.ends_with(' ')
        }) else {
            return;
        };
        let grade = listed!(words.text(first), "ct st fy sho spr reg dr cst")
            || words.get(first + 1).is_some_and(|next| next.gap == Gap::Other && words.text(first).len() <= 3);
        let name = first + usize::from(grade);
        let bracketed = words.between_after(name.min(words.list.len() - 1)).starts_with(" (");
        let told = words.get(name).is_some_and(|word| {
            is_surname(words, name)
                && (grade && word.info.english_size().is_none_or(|size| size > 35)
                    || bracketed && word.info.given_count.max(word.info.surname_count) > 0
                    || bracketed && likeness(word.info) == Likeness::Unknown)
        });
        let end = initial_and_surname(words, name.min(words.list.len() - 1)).or(told.then_some(name));
        let Some(end) = end else { return };
        add(words, name, end, Label::Doctor, 0.7, found);
        last = end;
    }
}

/// `SPOKE W/ DESTINY SAYS`: in capitals, a name that is a word too, who says something.
fn spoken_to(words: &Words, index: usize, found: &mut Found) {
    let spoke = index > 0 && listed!(words.text(index - 1), "spoke talked spoken speak sw");
    let Some(next) = words.get(index + 1) else { return };
    let says = words.get(index + 2).is_some_and(|_| {
        listed!(words.text(index + 2), "says said states stated who advised confirmed at in re regarding from will")
    });
    if spoke && says && words.between(index + 1) == "/ " && next.shape == Shape::Upper && next.info.given_count >= 5_000
    {
        add(words, index + 1, index + 1, Label::Doctor, 0.7, found);
    }
}

/// `phoned by lab (Will)`, `Contact : Mark (referrals)`: one given name in or before a bracket after a department.
fn in_bracket(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if word.shape != Shape::Capital || index == 0 || word.info.given_count < 5_000 || word.marker.is_some() {
        return;
    }
    let rest = words.between_after(index);
    let department = word.gap == Gap::Bracket
        && rest.starts_with(')')
        && listed!(
            words.text(index - 1),
            "lab labs pharmacy ward desk reception front imaging micro office triage radiology switchboard theatre bank dietitian \
             physio interpreter registrar clerk icu"
        );
    let contact = listed!(words.text(index - 1), "contact")
        && words.between(index).trim() == ":"
        && rest.trim_start().starts_with('(');
    if department || contact {
        add(words, index, index, Label::Doctor, 0.7, found);
    }
}

/// `Paged TN 808-555-0139`, `paged DT x2`: initials of no department before a number or a count.
fn paged(words: &Words, index: usize, found: &mut Found) {
    let Some(next) = words.get(index + 1) else { return };
    let after = words.between_after(index + 1);
    let counted = after.strip_prefix(' ').is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            || rest.strip_prefix('x').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    if counted
        && next.gap == Gap::Space
        && next.shape == Shape::Upper
        && next.end - next.start == 2
        && !listed!(
            words.text(index + 1),
            "md do np pa rn rt pt ot sw cm gi gu id ir ct us ed er or ob im fm cv ep ms vs hs oc tr ns rd ho mo hm pm am np mt",
        )
    {
        add(words, index + 1, index + 1, Label::Doctor, 0.6, found);
    }
    // `paged Sivaramakrishnan 04:58`: a word that is nothing else.
    let name =
        next.gap == Gap::Space && next.shape == Shape::Capital && next.end - next.start > 3 && next.marker.is_none();
    let range = next.start..next.end;
    let borne = next.info.flags.is_empty() || next.info.surname_count >= 100;
    if name && borne && next.info.english_size().is_none() && !next.info.is_any(MEDICAL) && !found.covers(range) {
        add(words, index + 1, index + 1, Label::Doctor, 0.7, found);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn staff_by_their_part() {
        assert_eq!(people("Surgeon A Halvorsen (ST7)   Asst RPQ"), ["A Halvorsen", "RPQ"]);
        assert_eq!(people("Supervising cons (scrubbed) T Osei"), ["T Osei"]);
        assert_eq!(people("Anaes J Field + CT2 Okoro: spinal"), ["J Field", "Okoro"]);
        assert_eq!(people("Crew: P. Lockwood (para) / Tess (ECA)"), ["P. Lockwood", "Tess"]);
        assert_eq!(people("took report: Grace L. rn 0715"), ["Grace L"]);
        assert_eq!(people("MANAGING LIM K   PRIMARY SURG FIELDS, J"), ["LIM K", "FIELDS, J"]);
        assert_eq!(people("paged Sivaramakrishnan 04:58, rb Y"), ["Sivaramakrishnan"]);
        assert_eq!(people("paged heme fellow van der Osei pgr 0417"), ["van der Osei"]);
        assert_eq!(people("Handed over to S/N Faith in bay 3"), ["Faith"]);
    }

    #[test]
    fn staff_by_shorthand_for_what_they_are() {
        assert_eq!(people("RT Oyelaran today, vent weaned"), ["Oyelaran"]);
        assert_eq!(people("RT A Quorlin   Asst RPQ"), ["A Quorlin", "RPQ"]);
        assert_eq!(people("blocks by me w/ R2 Okonjo, 10 cc"), ["Okonjo"]);
        assert_eq!(people("SLP Kowalczyk-Reed recommends thickened"), ["Kowalczyk-Reed"]);
        for line in
            ["RT Albuterol given", "OT Evaluation done", "SW Consult placed", "NP Oxygen", "R2 Lesion", "RT Upper Lobe"]
        {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }

    #[test]
    fn staff_who_are_called() {
        assert_eq!(people("Paged KM 555-0139, no answer"), ["KM"]);
        assert_eq!(people("Paged RT x2"), [] as [&str; 0]);
        assert_eq!(people("phoned by lab (Grace), repeat sent"), ["Grace"]);
        assert_eq!(people("SPOKE W/ CRYSTAL SAYS CLOSED"), ["CRYSTAL"]);
    }

    #[test]
    fn roles_without_a_name() {
        for line in
            ["Surgeon A Consultant", "Report: Normal", "P.O.", "Assistant to the surgeon", "Fellow to see", "Vitamin K"]
        {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
