//! Organizations: what their names end in, the well-known ones, and forms to compose others; professions.
//!
//! ```text
//! "Olmsted Medical Center" ── HOSPITAL_CUE     "Walgreens" ── ORGANIZATION     "{surname} Memorial Hospital" ── a form
//! ```

use super::phrases::{PhraseClass, Phrases};
use super::table::Table;
use super::{Lexicon, files};

/// A kind of organization whose name can be composed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OrganizationKind {
    /// A hospital or medical center.
    Hospital,
    /// A clinic or practice.
    Clinic,
    /// A nursing home, rehabilitation or hospice.
    CareHome,
    /// A pharmacy.
    Pharmacy,
    /// A laboratory.
    Laboratory,
    /// An insurer.
    Insurer,
    /// An employer of any trade.
    Company,
    /// A school below college.
    School,
    /// A college or university.
    University,
    /// A church or other congregation.
    Church,
    /// A funeral home, fire department, emergency service, police or club.
    Service,
}

impl OrganizationKind {
    /// Every kind; `ALL[kind as usize] == kind`.
    pub const ALL: [Self; 11] = [
        Self::Hospital,
        Self::Clinic,
        Self::CareHome,
        Self::Pharmacy,
        Self::Laboratory,
        Self::Insurer,
        Self::Company,
        Self::School,
        Self::University,
        Self::Church,
        Self::Service,
    ];

    const fn section(self) -> &'static str {
        match self {
            Self::Hospital => "form hospital",
            Self::Clinic => "form clinic",
            Self::CareHome => "form care home",
            Self::Pharmacy => "form pharmacy",
            Self::Laboratory => "form laboratory",
            Self::Insurer => "form insurer",
            Self::Company => "form company",
            Self::School => "form school",
            Self::University => "form university",
            Self::Church => "form church",
            Self::Service => "form service",
        }
    }
}

/// What this file contributes to the lexicon.
pub(super) struct Organizations {
    forms: [Vec<&'static str>; OrganizationKind::ALL.len()],
    professions: Vec<&'static str>,
}

/// The class of what a section of the written file holds; none for forms.
fn class_of(section: &str) -> Option<PhraseClass> {
    Some(match section {
        "hospital cue" => PhraseClass::HospitalCue,
        "pharmacy cue" => PhraseClass::PharmacyCue,
        "school cue" => PhraseClass::SchoolCue,
        "church cue" => PhraseClass::ChurchCue,
        "company cue" => PhraseClass::CompanyCue,
        "insurer cue" => PhraseClass::InsurerCue,
        "service cue" => PhraseClass::ServiceCue,
        "hospital" => PhraseClass::Hospital,
        "pharmacy" | "insurer" | "laboratory" | "employer" | "school" | "club" => PhraseClass::Organization,
        _ => return None,
    })
}

impl Organizations {
    pub fn load(table: &mut Table, phrases: &mut Phrases) -> Self {
        for (section, item) in files::items(files::ORGANIZATIONS_WRITTEN) {
            if let Some(class) = class_of(section) {
                phrases.add(table, item, class, 0);
            }
        }
        for [form] in files::rows(&files::unpack(files::COMPANY_FORMS)) {
            phrases.add(table, form, PhraseClass::CompanyCue, 0);
        }
        let forms = OrganizationKind::ALL.map(|kind| files::section(files::ORGANIZATIONS_WRITTEN, kind.section()));
        Self { forms, professions: load_professions(table, phrases) }
    }
}

fn load_professions(table: &mut Table, phrases: &mut Phrases) -> Vec<&'static str> {
    let written = files::section(files::PROFESSIONS_WRITTEN, "profession");
    let compiled = files::rows(files::unpack_forever(files::PROFESSIONS)).map(|[title]| title);
    let mut professions: Vec<&'static str> = written.into_iter().chain(compiled).collect();
    professions.sort_unstable();
    professions.dedup();
    for title in &professions {
        phrases.add(table, title, PhraseClass::Profession, 0);
    }
    for role in files::section(files::PROFESSIONS_WRITTEN, "care role") {
        phrases.add(table, role, PhraseClass::CareRole, 0);
    }
    professions
}

impl Lexicon {
    /// Forms of names of this kind: `{surname}`, `{place}`, `{saint}` and `{street}` stand for what is to be filled in.
    pub fn name_forms(&self, kind: OrganizationKind) -> &[&'static str] {
        &self.organizations.forms[kind as usize]
    }

    /// Jobs outside care as they are spoken of, in small letters, in alphabetical order.
    pub fn professions(&self) -> &[&'static str] {
        &self.organizations.professions
    }

    /// Saints after whom hospitals, schools and churches are called, without their `St.`.
    pub fn saints(&self) -> &[&'static str] {
        &self.saints
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::WordFlags;

    #[test]
    fn cues_and_the_well_known() {
        let lexicon = Lexicon::shared();
        for cue in ["Hospital", "MEDICAL CENTER", "clinic", "Nursing Home", "hospice", "Infirmary"] {
            assert!(lexicon.word(cue).is(WordFlags::HOSPITAL_CUE), "{cue}");
        }
        assert!(
            lexicon.word("L.L.C.").is(WordFlags::COMPANY_CUE) && lexicon.word("Pharmacy").is(WordFlags::PHARMACY_CUE)
        );
        for name in ["Walgreens", "CVS", "Aetna", "Blue Cross Blue Shield", "Walmart", "LabCorp", "AT&T", "Lowe's"] {
            assert!(lexicon.word(name).is(WordFlags::ORGANIZATION), "{name}");
        }
        assert!(lexicon.word("Cleveland Clinic").is(WordFlags::HOSPITAL));
    }

    #[test]
    fn professions_are_no_care_roles() {
        let lexicon = Lexicon::shared();
        for job in ["truck driver", "Welder", "teacher", "farmer", "attorney"] {
            assert!(lexicon.word(job).is(WordFlags::PROFESSION), "{job}");
        }
        for role in ["nurse", "physician", "surgeon", "pharmacist", "physical therapist", "midwife"] {
            let word = lexicon.word(role);
            assert!(word.is(WordFlags::CARE_ROLE) && !word.is(WordFlags::PROFESSION), "{role}");
        }
        assert!(lexicon.professions().windows(2).all(|pair| pair[0] < pair[1]));
        let care = |title: &&&str| lexicon.word(title).is(WordFlags::CARE_ROLE);
        assert_eq!(lexicon.professions().iter().filter(care).collect::<Vec<_>>(), Vec::<&&str>::new());
        assert!(files::section(files::PROFESSIONS_WRITTEN, "profession").len() >= 300);
    }

    #[test]
    fn every_kind_has_forms_that_can_be_filled_in() {
        let lexicon = Lexicon::shared();
        for (index, kind) in OrganizationKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
            assert!(lexicon.name_forms(kind).len() >= 5, "{kind:?}");
            for form in lexicon.name_forms(kind) {
                let bare = ["{surname}", "{place}", "{saint}", "{street}"]
                    .iter()
                    .fold((*form).to_owned(), |form, hole| form.replace(hole, ""));
                assert!(bare.len() < form.len() && !bare.contains(['{', '}']), "{form}");
            }
        }
        assert!(lexicon.saints().len() >= 20);
    }
}
