//! The words that names of organizations are made of.
//!
//! ```text
//! Cedar Hollow Pediatrics     St. Anne's     Iglesia Luz del Valle     Employer: Harlan & Voss
//! └ name ────┘ └ Care         └ saint        └ Front, then the name    └ Field └ name ──────┘
//! ```

use std::sync::LazyLock;

use crate::detect::dictionary::words::{Gap, Shape, Words};
use crate::detect::listed::listed;
use crate::detect::patterns::cues::WordTable;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// What a word is to the name beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Ends the name of a place of care, and says nothing else: `Hospital`, `Hospice`, `Infirmary`.
    CareSure,
    /// Ends the name of a place of care, or heads a section: `Imaging`, `Pediatrics`.
    Care,
    /// Ends the name of an organization, and says nothing else: `Pharmacy`, `Elementary`, `LLP`.
    Sure,
    /// Ends the name of an organization, or is an ordinary word: `Logistics`, `Market`.
    Trade,
    /// Begins the name of an organization: `Iglesia`, `Masjid`, `Farmacia`.
    Front,
    /// Begins the name of a place of care: `Clinica`.
    CareFront,
}

const ROLES: &[(Role, &str)] = &[
    (
        Role::CareSure,
        "hospital hospitals hosp clinic clinics polyclinic infirmary hospice vamc healthcare sanatorium \
         sanitarium cboc cbocs surgicenter childrens medcenter healthplex chc fqhc klinik krankenhaus sickbay dispensary",
    ),
    (
        Role::Care,
        "peds pediatrics paediatrics imaging radiology dialysis nephrology cardiology orthopedics orthopaedics \
         ortho orthopaedic dermatology neurology urology oncology gastroenterology rheumatology obstetrics obgyn \
         gynecology ophthalmology dentistry dental orthodontics endodontics podiatry optometry chiropractic \
         rehab rehabilitation physiotherapy physio therapy birthplace maternity midwifery surgery medicine \
         health hlth wellness psychiatry psychology counseling counselling behavioral homecare nurses \
         nursing manor pavilion institute center centre ctr memorial general regional va home homes \
         care villa commons gardens village estates place ltach ltac snf rehabcare physicians associates \
         specialists pathologists radiologists partners diagnostics endoscopy hearing optical vision audiology acute \
         post-acute sub-acute fertility nhs allergy anticoag anticoagulation cardiovascular endocrine \
         endocrinology geriatrics pulmonary pulmonology respiratory transplant residency infusion hematology eyecare spine joint",
    ),
    (
        Role::Sure,
        "pharmacy pharmacies apothecary chemists drugs drugstore rx school schools elementary elem academy \
         preschool kindergarten montessori daycare prep isd usd church parish chapel temple synagogue shul mosque \
         masjid gurdwara mandir cathedral basilica tabernacle ministries monastery convent abbey seminary \
         lutheran baptist methodist presbyterian episcopal pentecostal adventist nazarene fellowship \
         unified university univ college polytechnic assoc assocs inc llc llp pllc ltd corp corporation co plc gmbh pty \
         insurance assurance mutual hmo ppo indemnity casualty bank bancorp ems ambulance mortuary crematory \
         crematorium funeral police pd sheriff's masonic kiwanis rotary lodge ymca ywca dept department \
         bureau foundation trust federation brotherhood sisterhood cooperative coop co-op collective \
         consortium guild brigade squad fire rescue fd lawfirm chambers solicitors attorneys barristers",
    ),
    (
        Role::Trade,
        "labs lab laboratory laboratories genomics genetics biosciences pathology diagnostic biotech pharma \
         logistics freight trucking transport transit transportation haulage hauling couriers buses coaches cab cabs \
         taxis rentals rental wheels motors auto automotive tire tires towing garage mobility airlines airways \
         aviation aerospace railway railroad shipping shipyard marine shipfitting shopfitting joinery carpentry \
         cabinets cabinetry millwork lumber timber truss sawmill mill mills foundry forge steel metals plastics \
         chemicals fabrication machining machine tooling tool vacuum manufacturing mfg industries enterprises \
         holdings partners group brothers bros sons associates consulting consultants consultancy \
         solutions systems technologies technology tech software robotics electronics semiconductor network networks \
         telecom wireless media news times herald tribune gazette chronicle press publishing books printing \
         studios studio records theatre theater orchestra symphony philharmonic quartet choir opera ballet band \
         construction contractors contracting builders roofing plumbing heating hvac electric electrical \
         drywall masonry restoration remodeling renovation upholstery fabrics movers relocation paving concrete excavating landscaping nurseries nursery farms farm dairy creamery \
         orchards ranch vineyards winery brewery brewing distillery foods meats poultry produce seafood \
         bakery bakehouse patisserie deli delicatessen diner cafe café coffee roasters restaurant grill \
         grille bistro pizzeria pizza taqueria steakhouse tavern saloon pub brewpub catering kitchen cantina \
         market mart supermarket grocery groceries grocers hardware furniture flooring carpets jewelers \
         boutique salon barbers spa fitness gym crossfit athletics warehouse packing packaging cannery textiles \
         apparel cleaners laundry linen janitorial staffing security securities capital financial advisors \
         investments realty properties leasing credit union local council society association league club \
         post legion auxiliary troop shelter pantry kitchens mission outreach services agency authority \
         commission district court courthouse herbs herbals supply supplies equipment oxygen prosthetics \
         orthotics energy power petroleum oil gas mining coal drilling pipeline utilities waterworks \
         casino resort motel inn hotel suites stadium arena speedway museum library cemetery memorials \
         monuments florist florists travel tours assist benefits healthplan preferred hs jhs highschool high \
         middle primary secondary comprehensive grammar junior parochial nursery",
    ),
    (
        Role::Front,
        "iglesia masjid farmacia apteka apotheke pharmacie escuela colegio universidad universität église eglise \
         parroquia templo mezquita banco supermercado panaderia taqueria",
    ),
    (Role::CareFront, "clinica clínica consultorio clinique chateau château"),
];

/// Every word with a role and every field, blank-separated.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    ROLES.iter().map(|(_, words)| *words).chain(FIELDS.iter().map(|(_, words)| *words))
}

/// The role of a word in names of organizations.
pub(super) fn role(word: &str) -> Option<Role> {
    static TABLE: LazyLock<WordTable<Role>> = LazyLock::new(|| WordTable::of(ROLES.iter().copied()));
    TABLE.get(word.as_bytes())
}

/// Words that say what kind of place it is, not which one: `Pain Clinic` names no one's clinic.
const GENERIC: &str = "the a an this our local primary care pain wound sleep emergency urgent walk outpatient \
     inpatient community general skilled nursing specialty outside area acute long term rehab post after hours \
     rehabilitation physical mental health day home women women's children children's family same high \
     middle elementary new medical surgery surgical clinic hospital center retail preferred neonatal \
     infusion dialysis coumadin anticoagulation anticoag heart failure stroke cancer diabetes memory \
     travel eye dental imaging birth birthing trauma burn transplant and of for referring in at \
     to from teaching state county city regional referral tertiary private public law nursery \
     my his her their grade college university fire police department behavioral resource \
     treatment recovery church school pharmacy mail order laboratory reference life auto car \
     insurance company patient patients services service group senior adult living assisted \
     independent immunization vaccine vaccination injection allergy asthma epilepsy seizure headache hernia breast \
     prostate liver kidney bone joint spine hand foot vein lipid lung weight bariatric gender fertility \
     prenatal antenatal postnatal perinatal maternal fetal lactation newborn well infant child adolescent teen \
     student employee occupational work workers geriatric palliative hospice respite convalescent nurse triage \
     preop pre-op postop post-op preoperative postoperative perioperative admission discharge transfer \
     daily weekly monthly annual routine stat repeat prior previous recent outpt inpt ambulatory mobile remote \
     virtual telehealth video phone walk-in drop-in follow up follow-up followup initial final interim \
     continue start stop see seen call consult consults consultation consultant refer referral referred \
     schedule scheduled ordered order orders obtain obtained review reviewed pending needs need \
     lower upper left right bilateral anterior posterior lateral medial chest abdominal abdomen pelvic cervical \
     thoracic lumbar neck back brain cardiac vascular pulmonary renal hepatic gi gu ent ob gyn ob/gyn hem onc \
     oncology hematology speech occupational respiratory nutrition physical social spiritual pastoral \
     case risk quality patient's integrated complementary alternative holistic internal sports wilderness \
     intensive critical step telemetry tele observation operating recovery procedure minor major day-surgery \
     blood gas point main central satellite campus online digital national federal \
     government military army navy force veterans veteran affairs usual regular old former current \
     nearby neighborhood neighbourhood small big large busy good better best own another other different \
     second first third elderly disabled homeless women's men men's youth kids girls boys junior early \
     night weekend morning evening afternoon monday tuesday wednesday thursday friday saturday sunday \
     january february march april may june july august september october november december \
     past present personal history chief complaint assessment plan impression findings lab labs results result \
     test testing tests screening screen diagnostic diagnosis genetic genetics molecular clinical research trial \
     drug drugs known month alcohol tobacco substance use abuse detox methadone opioid addiction sober crisis suicide \
     poison control infection infectious disease diseases tropical hiv std sti aids tb covid flu shot \
     food nutritionist financial legal billing customer human resources information technology records \
     support aid assistance protective adult child protection foster welfare benefits disability \
     power attorney durable advance directive directives living will hotel motel bed breakfast gas grocery \
     liquor convenience department dollar thrift book pet nail hair barber beauty tanning massage fast \
     sports bar night wine coffee ice cream post office water electric power phone credit debit \
     labor delivery l&d mother baby postpartum conscious moderate anesthesia anaesthesia pacu icu nicu picu \
     extended short stay stepdown intermediate progressive wards ward floor unit units room rooms level \
     bone marrow solid organ cord stem cell blood donor red cross blue shield medicare medicaid supplemental \
     managed value based self pay cash private commercial dual third party single payer \
     roman catholic protestant christian jewish muslim hindu buddhist orthodox non-denominational \
     resident attending fellow intern staff provider providers team teams clinician \
     the these those your mr mrs ms dr de la del da do x ct mri us xr ekg ecg echo pet vs ed er or iv po \
     reason source note notes date time signed electronically title subject re attn fax tel cc per via \
     transcription dictation document scanned received sent faxed print printed page form forms sheet \
     minimally invasive robotic laparoscopic open elective urgent emergent plastic reconstructive maxillofacial \
     colorectal orthopedic orthopaedic neuro thoracic general oral endocrine pediatric paediatric \
     moh mohs eating disorders disorder mood anxiety depression autism adhd developmental movement balance \
     concussion voice swallow dysphagia continence incontinence ostomy stoma pressure injury lymphedema \
     hepatitis cystic fibrosis sickle hemophilia thrombosis warfarin device pacemaker arrhythmia valve \
     hypertension bp cholesterol thyroid osteoporosis menopause contraception abortion ivf \
     multidisciplinary interdisciplinary combined joint shared one-stop rapid access fracture preadmission \
     pre-admission dietary environmental supply sterile processing engineering admissions admitting registration \
     eligibility utilization discharge complex chronic functional restorative integrative preventive preventative \
     aerospace hyperbaric nuclear interventional forensic population global rural urban \
     skin eye eyes ear nose throat teeth tooth tongue lip mouth jaw head face shoulder arm elbow wrist finger leg knee \
     ankle toe hip muscle nerve brain vein artery stomach bowel colon bladder spleen blood ulcer migraine arthritis gout \
     stress fatigue fever rash cough illicit recreational prescription study return continuity access teaching faculty \
     new-patient resident routine normal abnormal head-to-toe visit visits sick wellness healthy age height weight \
     oral pelvic nasal dental renal tumor tumour mass lump growth sleep smoking cessation quit diet exercise \
     implant donor recipient living-donor cadaver deceased contrast plain portable bedside serial \
     hlth svc svcs mgmt behav fam biomed helpdesk \
     left-sided right-sided total partial complete limited full stat asap good poor high low";

/// Whether a word says what kind of place it is and not which one.
pub(super) fn is_kind(word: &str) -> bool {
    static TABLE: LazyLock<WordTable<()>> = LazyLock::new(|| WordTable::of([((), GENERIC)]));
    TABLE.get(word.as_bytes()).is_some()
}

/// Whether a word says whose house it is: `Asian Health Services`, `Sioux Funeral Home`; no language before its interpreter, and not the
/// programme of the `Indian Health Service`.
pub(super) fn is_of_a_people(words: &Words, index: usize, head: usize) -> bool {
    const OTHER: &str = "american canadian british european english spanish french german latin";
    const SPOKEN: &str = "interpreter interpreting language translation speaking lipid";
    let word = &words.list[index];
    let text = words.text(index);
    // `Indian Health Service` is a programme.
    let programme = text.eq_ignore_ascii_case("indian")
        && words.get(index + 1).is_some_and(|_| words.text(index + 1).eq_ignore_ascii_case("health"));
    let named = word.info.is(WordFlags::NATIONALITY) && word.shape == Shape::Capital && !programme;
    named && !is_kind(text) && !listed!(text, OTHER) && !(index..head).any(|at| listed!(words.text(at), SPOKEN))
}

/// Fields that hold a name.
const FIELDS: &[(Label, &str)] = &[
    (
        Label::Organization,
        "employer emplr emp opo payer payor insurer insurance ins carrier pharmacy pharm rx school church parish \
         congregation union bank lab laboratory agency company workplace employment ambulance ems crew insured-by supplier \
         vendor dme underwriter coverage cover primary secondary",
    ),
    (Label::Hospital, "facility hospital hosp site location loc clinic snf campus practice surgery"),
];

/// A word that a name follows, and what that name is of: `Employer: …`, `payer …`.
pub(super) fn field(word: &str) -> Option<Label> {
    static TABLE: LazyLock<WordTable<Label>> = LazyLock::new(|| WordTable::of(FIELDS.iter().copied()));
    TABLE.get(word.as_bytes())
}

/// Whether more than two blanks, a tab or an empty line stand before a word: another column or field begins.
pub(super) fn is_column(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    if word.gap != Gap::Space || !(word.blank.wide || word.blank.tab || word.blank.line) {
        return false;
    }
    let between = words.between(index);
    between.len() > 2 && (between.contains("   ") || between.contains('\t') || between.matches('\n').count() > 1)
        || between == "\t"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;

    #[test]
    fn words_have_roles() {
        assert_eq!(role("HOSPICE"), Some(Role::CareSure));
        assert_eq!(role("Joinery"), Some(Role::Trade));
        assert_eq!(role("table"), None);
        assert!(is_kind("Wound") && is_kind("PAIN") && !is_kind("Cedar"));
        assert_eq!(field("Payer"), Some(Label::Organization));
        assert_eq!(field("Emplr"), Some(Label::Organization));
    }

    #[test]
    fn columns_are_wide_gaps() {
        let words = Words::of("Alpha Beta   Gamma\tDelta\nEcho", Lexicon::shared());
        let columns: Vec<bool> = (0..words.list.len()).map(|index| is_column(&words, index)).collect();
        assert_eq!(columns, [false, false, true, true, false]);
    }
}
