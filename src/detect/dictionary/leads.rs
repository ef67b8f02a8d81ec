//! People told by a small word before them: `cut by Arun`, `seen w/ Okpara`, `tell Roy to`, `cc Lindqvist`, `per VR`.

use super::found::Found;
use super::markers::Marker;
use super::people::add;
use super::plausible::{Lead, Likeness, likeness};
use super::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// What stands after initials in small letters and no one's name.
const NO_INITIALS: WordFlags = MEDICAL.union(WordFlags::ENGLISH).union(WordFlags::STATE_ABBREVIATION);

/// Words that may announce a person.
pub(super) const LEADS: &str = "born by per w with tell told text texted thx thanks ty ask asked and to from cc ref call him her its is oh hi hey hello dear";

/// Whether a word may announce a person.
pub(super) fn is_lead(word: &str) -> bool {
    listed!(word, LEADS)
}

/// Adds whoever a lead at `index` announces.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    if !words.list[index].cues.has(Cues::LEAD) {
        return;
    }
    let text = words.text(index);
    let Some((lead, label)) = lead_of(words, index, text) else { return };
    let Some(next) = words.get(index + 1).filter(|_| !is_register(words, index + 1)) else { return };
    let slash = next.gap == Gap::Other && words.between(index + 1).trim() == "/";
    if !(matches!(next.gap, Gap::Space | Gap::Colon) || slash || next.gap == Gap::Stop && text.len() <= 3)
        || found.covers(next.start..next.end)
    {
        return;
    }
    if matches!(next.marker, Some(Marker::DoctorTitle | Marker::PersonTitle)) {
        return;
    }
    let done = is_done(words, index);
    let lead = if done && next.info.surname_count >= 10_000 { Lead::Strong } else { lead };
    if let Some(last) = words.person_from(index + 1, lead, next.gap == Gap::Colon)
        && (known(words, index + 1, last) || lead == Lead::Strong || done || words.is_descriptive(index + 1, last))
    {
        add(words, index + 1, last, label, 0.7, found);
    } else if text.eq_ignore_ascii_case("w")
        && next.shape == Shape::Capital
        && next.info.given_count >= 50_000
        && !words.shouted
        && words.get(index + 2).is_none_or(|after| !(after.gap == Gap::Space && after.is_capital()))
    {
        add(words, index + 1, index + 1, label, 0.6, found);
    } else if next.shape == Shape::Lower && next.marker.is_none() {
        match lead {
            Lead::Strong if next.gap == Gap::Colon => small_in_field(words, index + 1, label, found),
            Lead::Strong => small(words, index + 1, label, found),
            Lead::Weak => small_surname(words, index, label, found),
        }
    }
}

/// Whether a word announces a person, how surely, and of which kind.
fn lead_of(words: &Words, index: usize, text: &str) -> Option<(Lead, Label)> {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    match text.as_bytes()[0].to_ascii_lowercase() {
        b'b' if is("born") => Some((Lead::Weak, Label::Patient)),
        b'b' if is("by") => Some((Lead::Weak, Label::Doctor)),
        b'p' if is("per") => Some((Lead::Weak, Label::Doctor)),
        b'w' if is("w") && words.between_after(index).starts_with('/') => {
            let met = index > 0
                && listed!(
                    words.text(index - 1),
                    "d seen booked appt visit f u staffed rounds spoke therapy pt session came here lives stays home in went",
                );
            Some((if met { Lead::Strong } else { Lead::Weak }, Label::Doctor))
        }
        b'w' if is("w") => {
            let met = index > 0
                && listed!(
                    words.text(index - 1),
                    "agree spoke talked d discussed seen met came spoken reviewed u staffed appt"
                );
            met.then_some((Lead::Strong, Label::Doctor))
        }
        b'w' if is("with") => Some((if is_spoken_to(words, index) { Lead::Strong } else { Lead::Weak }, Label::Doctor)),
        b't' if is("tell") || is("told") || is("text") || is("texted") || is("thx") || is("thanks") || is("ty") => {
            Some((Lead::Strong, Label::Patient))
        }
        b'a' if is("ask") || is("asked") => Some((Lead::Strong, Label::Patient)),
        b'a' if is("and") && index > 0 && words.list[index - 1].is(Marker::Kin) => Some((Lead::Weak, Label::Patient)),
        b't' if is("to") => {
            let handed = index > 0
                && matches!(
                    words.text(index - 1).to_ascii_lowercase().as_str(),
                    "questions"
                        | "report"
                        | "spoke"
                        | "spoken"
                        | "speak"
                        | "talk"
                        | "talked"
                        | "talking"
                        | "attending"
                        | "went"
                        | "handoff"
                        | "signout"
                        | "refer"
                        | "referred"
                        | "given"
                        | "paged"
                        | "handed"
                        | "forwarded"
                        | "routed"
                        | "called"
                );
            let field = words.get(index + 1).is_some_and(|next| next.gap == Gap::Colon);
            (handed || field).then_some((Lead::Strong, Label::Doctor))
        }
        b'f' if is("from") => {
            words.get(index + 1).is_some_and(|next| next.gap == Gap::Colon).then_some((Lead::Strong, Label::Patient))
        }
        b'c' if is("cc") && !words.between(index).trim_end().ends_with(|c: char| c.is_ascii_digit()) => {
            Some((Lead::Weak, Label::Doctor))
        }
        b'r' if is("ref") => Some((Lead::Weak, Label::Doctor)),
        b'c' if is("call") && words.get(index + 1).is_some_and(|next| next.is_capital()) => {
            Some((Lead::Weak, Label::Patient))
        }
        b'h' if (is("him") || is("her"))
            && index > 0
            && listed!(words.text(index - 1), "calls call called calling nicknamed named") =>
        {
            Some((Lead::Strong, Label::Patient))
        }
        b'i' if is("its") || is("is") => {
            let opens = is("its")
                && words.get(index + 2).is_none_or(|_| {
                    listed!(words.text(index + 2), "from again his her mom dad mum sister brother with calling")
                });
            let says = is("is") && index > 0 && matches!(words.text(index - 1), "this" | "name");
            (opens || says).then_some((Lead::Strong, Label::Patient))
        }
        b'o' if is("oh") => Some((Lead::Strong, Label::Patient)),
        b'h' if is("hi") || is("hey") || is("hello") => Some((Lead::Strong, Label::Patient)),
        b'd' if is("dear") => Some((Lead::Strong, Label::Patient)),
        _ => None,
    }
}

/// Whether a word that no list holds follows `spoke with`: `Spoke with Forsund re: bed`.
fn is_spoken_to(words: &Words, index: usize) -> bool {
    index > 0
        && listed!(words.text(index - 1), "spoke spoken speaking talked talking")
        && !words.shouted
        && words.get(index + 1).is_some_and(|next| {
            next.shape == Shape::Capital && next.info.flags.is_empty() && next.end - next.start >= 5
        })
}

/// Whether a word in capitals is a register of prescriptions that is somebody's name too: `per KASPER, last fill 3/4`.
pub(super) fn is_register(words: &Words, index: usize) -> bool {
    !words.shouted
        && words.get(index).is_some_and(|word| word.shape == Shape::Upper)
        && listed!(words.text(index), "kasper cures oarrs maps crisp inspect pmp pdmp narxcare awarxe")
}

/// Whether some list holds a word of the name: brands and instruments, which none does, follow `with` and `by` too.
fn known(words: &Words, first: usize, last: usize) -> bool {
    (first..=last).any(|part| words.likeness_at(part) == Likeness::Name)
}

/// Whether a verb stands before `by` or `per`: `started by`, `cut by`.
fn is_done(words: &Words, index: usize) -> bool {
    index > 0
        && words.text(index).eq_ignore_ascii_case("by")
        && (words.list[index - 1].is(Marker::StaffVerb)
            || words.text(index - 1).ends_with("ed")
            || listed!(words.text(index - 1), "read cut done taken led given drawn held run sent told brought put"))
}

/// A name in small letters where one must stand: `tell roy to`, `thx kayla`.
pub(super) fn small(words: &Words, first: usize, label: Label, found: &mut Found) {
    let word = &words.list[first];
    // `so mama don't`
    let verb = words.between_after(first).starts_with("'t") || words.between_after(first).starts_with("’t");
    if word.end - word.start < 3 || verb || super::chat::SHORT_FORMS.contains(&words.text(first)) {
        return;
    }
    let info = words.look_up(first, first);
    let namesake = likeness(info) == Likeness::Namesake && info.given_count >= 50_000 && info.english_size() > Some(10)
        || info.given_count >= 100_000 && !info.is_any(MEDICAL)
        || info.given_count >= 30_000 && first > 0 && matches!(words.text(first - 1), "tell" | "told" | "ask" | "thx");
    if likeness(info) == Likeness::Name && info.given_count >= 300 || namesake {
        // `daughter mai anh`
        let second = words.get(first + 1).is_some_and(|next| {
            next.gap == Gap::Space && next.shape == Shape::Lower && next.marker.is_none() && next.end - next.start >= 3
        }) && {
            let info = words.look_up(first + 1, first + 1);
            info.english_size().is_none() && info.given_count >= 300 && likeness(info) == Likeness::Name
        };
        let last = first + usize::from(second || small_initial(words, first + 1));
        add(words, first, last, label, 0.7, found);
    } else if first > 0 && words.list[first - 1].is(Marker::Kin) && is_stranger(words, first) {
        add(words, first, first, label, 0.6, found);
    }
}

/// `denise h`: one letter behind a given name, with nothing after it.
pub(super) fn small_initial(words: &Words, index: usize) -> bool {
    words
        .get(index)
        .is_some_and(|next| next.gap == Gap::Space && next.end - next.start == 1 && next.shape == Shape::Lower)
        && !matches!(words.text(index), "a" | "i" | "u" | "w" | "c" | "y" | "r" | "x")
        && words
            .between_after(index)
            .trim_start_matches(' ')
            .bytes()
            .next()
            .is_none_or(|byte| matches!(byte, b'.' | b',' | b';' | b')' | b'\n' | b'@' | b':'))
}

/// `uncle sefo called`, `wife lieu wants`: a word that is no ordinary one between kin and what they do.
fn is_stranger(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    let info = words.look_up(index, index);
    word.marker.is_none()
        && word.end - word.start >= 3
        && !info.is_any(MEDICAL)
        && info.english_size().is_none_or(|size| size > 40)
        && (info.given_count >= 50
            || info.surname_count >= 100
            || info.flags.is_empty()
            || info.english_size().is_none())
        && super::names_alone::speaks(words, index)
}

/// `From: lei`: who writes, in small letters.
fn small_in_field(words: &Words, first: usize, label: Label, found: &mut Found) {
    let info = words.look_up(first, first);
    if info.given_count >= 2_000
        && likeness(info) >= Likeness::Namesake
        && info.english_size().is_none_or(|size| size > 10)
    {
        add(words, first, first, label, 0.6, found);
    }
}

/// `can we do noon with kealoha`: a word that is nothing but a surname, in a line in small letters.
fn small_surname(words: &Words, index: usize, label: Label, found: &mut Found) {
    let next = &words.list[index + 1];
    if next.end - next.start < 5 || words.list.iter().any(|word| word.shape == Shape::Capital) {
        return;
    }
    let info = words.look_up(index + 1, index + 1);
    if info.english_size().is_none()
        && likeness(info) == Likeness::Name
        && info.surname_count.max(info.given_count) >= 500
    {
        add(words, index + 1, index + 1, label, 0.6, found);
    }
}

/// `my initials, TW`, `a-line CY, 1 pass`, `faxed at 1410 jw.`: initials told by what stands around them.
pub(super) fn cued_initials(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if !(2..=3).contains(&(word.end - word.start)) || index == 0 {
        return;
    }
    let after = words.between_after(index);
    // In small letters only behind a time and a blank.
    let may_be = word.shape == Shape::Upper || word.shape == Shape::Lower && words.between(index).len() > 4;
    if !may_be {
        return;
    }
    let announced = words.text(index - 1).eq_ignore_ascii_case("initials") && word.shape == Shape::Upper;
    let placed = word.shape == Shape::Upper
        && word.gap == Gap::Space
        && word.marker.is_none()
        && !listed!(
            words.text(index),
            "ac fa la ra ue le ej ij sc fv piv picc cvc rfa lfa rac lac us iv art r l bp ga lma ett",
        )
        && after.strip_prefix([',', ';']).is_some_and(|rest| {
            let rest = rest.trim_start();
            let tries = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
            rest.len() > tries.len()
                && ["try", "tries", "pass", "stick", "attempt", "x"].iter().any(|word| tries.starts_with(word))
        });
    if announced || placed || is_timed(words, index) {
        found.add(word.start..word.end, Label::Doctor, 0.6);
    }
}

/// `faxed at 1410 jw.`: two letters behind the time at which something was sent or told.
fn is_timed(words: &Words, index: usize) -> bool {
    const MEASURES: &str = "am pm hr hrs po iv im sc sq pr sl ax mg ml kg cm mm on to by in at as is it he we if so no or an and for pt prn bid tid qd qhs ok per ng gt neb est cst pst edt";
    let word = &words.list[index];
    let between = words.between(index).trim_end();
    let hour = between.len() >= 4
        && between.bytes().rev().take_while(|byte| byte.is_ascii_digit() || *byte == b':').count() >= 4
        && words.between(index).ends_with(' ');
    let closes = words
        .between_after(index)
        .trim_start()
        .bytes()
        .next()
        .is_none_or(|byte| matches!(byte, b'.' | b')' | b'\n' | b';'));
    word.shape == Shape::Lower
        && hour
        && closes
        && word.marker.is_none()
        && !listed!(words.text(index), MEASURES)
        && words.list[index.saturating_sub(8)..index].iter().any(|before| {
            listed!(&words.sentence[before.start..before.end], "faxed sent called given signed notified left mailed paged told emailed read done checked reviewed hung changed")
        })
}

/// `given by KMS`, `per VR`, `stick by jd`: initials of staff.
pub(super) fn initials(words: &Words, index: usize, found: &mut Found) {
    let Some(next) = words.get(index + 1) else { return };
    let short = (2..=3).contains(&(next.end - next.start)) && matches!(next.gap, Gap::Space | Gap::Colon);
    if !short || words.shouted || next.marker.is_some() || found.covers(next.start..next.end) {
        return;
    }
    let closes = words.get(index + 2).is_none_or(|after| !matches!(after.gap, Gap::Space | Gap::Hyphen))
        && words.sentence.as_bytes().get(next.end).is_none_or(|&byte| !matches!(byte, b'-' | b'/' | b'0'..=b'9'));
    let info = words.look_up(index + 1, index + 1);
    let role = words.get(index + 2).is_some_and(|after| {
        after.gap == Gap::Space && matches!(after.marker, Some(Marker::CareRole | Marker::DoctorTitle))
    });
    let fits = !role
        && match next.shape {
            Shape::Upper => !info.is_any(NO_INITIALS.union(WordFlags::ORGANIZATION).union(WordFlags::HOSPITAL)),
            Shape::Lower => {
                closes
                    && (words.text(index).eq_ignore_ascii_case("by") || next.gap == Gap::Colon)
                    && !info.is_any(NO_INITIALS)
            }
            _ => false,
        };
    if fits {
        add(words, index + 1, index + 1, Label::Doctor, 0.6, found);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn small_words_announce_people() {
        assert_eq!(people("Cord was cut by Anselm."), ["Anselm"]);
        assert_eq!(people("Booked next week w/ Marisela"), ["Marisela"]);
        assert_eq!(people("ok thx beto"), ["beto"]);
        assert_eq!(people("tell yolanda we are late"), ["yolanda"]);
        assert_eq!(people("hold dose per QJX today"), ["QJX"]);
        assert_eq!(people("wife calls him Buddy"), ["Buddy"]);
        assert_eq!(people("f/u w Farrow in two weeks"), ["Farrow"]);
        assert_eq!(people("plan d/w JB, will hold"), ["JB"]);
        assert_eq!(people("s/b TK this morning"), ["TK"]);
        assert_eq!(people("Spoke with Forsund re: auth"), ["Forsund"]);
        // Names of those whose scores and models have terms of their own.
        assert_eq!(people("Discussed with Grobman"), ["Grobman"]);
        assert_eq!(people("Wilson reading quietly in bed"), ["Wilson"]);
    }

    #[test]
    fn instruments_and_brands_follow_them_too() {
        for line in [
            "treated with CyberKnife therapy",
            "1.0 cc of Celestone",
            "passed with Ethibond sutures",
            "Skin per WOC nurse",
            "plan d/w ID and IR",
            "d/w PT, OT",
            "d/w ED staff",
            "Spoke with Pharmacy re: auth",
            "90 tabs per KASPER, UDS ok",
        ] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
