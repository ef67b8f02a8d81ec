//! Short forms in capitals that no vocabulary knows: the sites and agencies of a place.
//!
//! ```text
//! "seen at RVMC ED"        "call to DCFS hotline"       "EGFR mutant, KRAS wild type"
//!          └ HOSPITAL                └ ORGANIZATION      no one: laboratories and genes
//! ```
//!
//! Medicine has more short forms than any list, so one is claimed only where what stands beside it is said of houses
//! and offices.

use super::Line;
use super::register::Register;
use super::vocabulary::{self, Use};
use super::{SCORE, is_taken};
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::organizations::is_kind_of_house;
use crate::detect::dictionary::words::{Gap, MEDICAL, Shape};
use crate::detect::listed::WordList;
use crate::lexicon::WordFlags;
use crate::phi::{Class, Detector, Label, Span};

/// What stands before a site: `transferred to`, `seen @`.
static SITE_LEADS: WordList = WordList::new("at to from into outside near via");
/// What sites consist of, after their short form.
static SITE_PARTS: WordList = WordList::new(
    "ed er icu unit room rm rms clinic clinics campus ward floor lab labs fluoro radiology pharmacy hospital \
     admission admissions records outpatient cafeteria lobby ethics transfer operator ambulance",
);
/// What offices consist of and have, after their short form.
static OFFICE_PARTS: WordList = WordList::new(
    "hotline caseworker worker case office caseload report referral investigator officer agent rep desk claim claims \
     dispatch intake liaison supervisor lawyer adjuster hearing",
);
/// Whom one calls, files with and hears from.
static OFFICE_LEADS: WordList = WordList::new("called calling notified contacted per w with by faxed emailed via");
/// Capitals of letters, chats, measures and forms that no list of medicine has.
static NO_ONE: WordList = WordList::new(
    "lol btw nb fyi asap tbd tbc na nvm omg imo imho idk ttyl brb aka eta eod cob rsvp diy ptsd todo ok okay usa est \
     edt cst cdt mst mdt pst pdt utc gmt pdf usb gps atm pin vin suv cpap bipap nka nkda hipaa covid sars aids fda cdc \
     who nih dnr dni molst polst laps rle lle rue lue none yes not and for the all now per new old see end due left \
     right day days week mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec stat name date \
     time note plan page copy draft final signed imc pcu tcu cvu dph ssa cms ltac ltach snf irf alf \
     icf asc ems pcp pmd obs dme tele onc ortho neuro cards renal peds psych heme surg anes vasc uro gyn \
     wic snap tanf vfc reca hud irs fmla dmv mgm mgf pgm pgf",
);

impl Line<'_, '_> {
    /// The claim on a short form of a site or an agency at `index`.
    pub(super) fn agency(&self, index: usize, spans: &[Span]) -> Option<Span> {
        let word = &self.words.list[index];
        let text = self.words.text(index);
        let fits = word.shape == Shape::Upper
            && (3..=5).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_uppercase())
            && word.marker.is_none()
            && matches!(self.register, Register::Prose | Register::Careless)
            && !self.is_glued(index)
            // Care units of any house end so: `SICU`, `CVICU`.
            && !text.ends_with("CU")
            && self.is_an_unknown_short_form(index);
        if !fits {
            return None;
        }
        let label = self.agency_label(index)?;
        let taken = is_taken(self.words, index, spans);
        (!taken).then(|| Span::new(word.start, word.end, Class::of(label), Detector::Dictionary, SCORE))
    }

    fn is_an_unknown_short_form(&self, index: usize) -> bool {
        let info = &self.words.list[index].info;
        let text = self.words.text(index);
        let known = MEDICAL
            .union(WordFlags::EPONYM)
            .union(WordFlags::HEADING)
            .union(WordFlags::STATE_ABBREVIATION)
            .union(WordFlags::CARE_ROLE)
            .union(WordFlags::NATIONALITY);
        !info.is_any(known)
            && info.english_size().is_none()
            && !NO_ONE.contains(text)
            && !vocabulary::is(text, Use::Ordinary)
    }

    /// What the neighbours say that the short form is of.
    fn agency_label(&self, index: usize) -> Option<Label> {
        let after = self.words.between_after(index);
        if after.starts_with([':', '=', '/', '%']) || after.starts_with(" =") || self.is_attributive(index, 0) {
            return None;
        }
        let word = &self.words.list[index];
        let before = index.checked_sub(1).filter(|before| *before >= self.first);
        let spaced = matches!(word.gap, Gap::Space) || self.words.between(index).trim() == "@";
        let lead = before.filter(|_| spaced).map(|before| (before, self.words.text(before)));
        let next = self.words.get(index + 1).filter(|next| index + 1 < self.end && next.gap == Gap::Space);
        let follows = next.map(|_| self.words.text(index + 1));
        let bracketed = self.words.between(index).ends_with('(') && after.starts_with(')');
        let heads = |list: &WordList| follows.is_some_and(|text| list.contains(text));
        if heads(&SITE_PARTS) || self.words.between(index).trim_end().ends_with('@') {
            return Some(Label::Hospital);
        }
        if heads(&OFFICE_PARTS) {
            return Some(Label::Organization);
        }
        let small = |at: usize| self.words.list[at].shape == Shape::Lower;
        match lead {
            Some((at, text)) if small(at) && SITE_LEADS.contains(text) && self.ends_a_phrase(index) => {
                (!is_kind_of_house(self.words.text(index))).then_some(Label::Hospital)
            }
            Some((at, text)) if small(at) && OFFICE_LEADS.contains(text) && self.ends_a_phrase(index) => {
                Some(Label::Organization)
            }
            Some((at, _)) if self.words.list[at].is(Marker::PeopleVerb) && self.ends_a_phrase(index) => {
                Some(Label::Organization)
            }
            _ if bracketed && self.follows_a_report(index) => Some(Label::Organization),
            _ if index == self.first && after.starts_with(", ") && self.first_is_an_office(index) => {
                Some(Label::Organization)
            }
            _ => self.acts(index).then_some(Label::Organization),
        }
    }

    /// Whether the sentence or the phrase ends behind the word, or goes on with a small word that no test has.
    fn ends_a_phrase(&self, index: usize) -> bool {
        let after = self.words.between_after(index);
        after.is_empty()
            || after.starts_with(['.', ',', ';', ')', '\n'])
            || self.stands_alone(index)
            || self.words.get(index + 1).is_some_and(|next| {
                next.gap == Gap::Space
                    && matches!(
                        self.words.text(index + 1),
                        "about" | "that" | "regarding" | "re" | "today" | "yesterday"
                    )
            })
    }

    fn follows_a_report(&self, index: usize) -> bool {
        index > self.first
            && ["report", "reported", "agency", "state", "county", "office", "department", "authority"]
                .iter()
                .any(|word| word.eq_ignore_ascii_case(self.words.text(index - 1)))
    }

    fn first_is_an_office(&self, index: usize) -> bool {
        self.words.get(index + 1).is_some_and(|next| {
            index + 1 < self.end && next.shape == Shape::Lower && OFFICE_PARTS.contains(self.words.text(index + 1))
        })
    }
}
