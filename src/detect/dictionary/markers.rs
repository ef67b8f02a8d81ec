//! Words that tell who or what stands beside them: titles, credentials, kin, roles, prepositions of place.

use std::sync::LazyLock;

use crate::detect::patterns::cues::WordTable;

/// What a word says of its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    /// Before a person of the care staff: `Dr`.
    DoctorTitle,
    /// Before a private person: `Mrs`.
    PersonTitle,
    /// After a person of the care staff: `MD`.
    Credential,
    /// A relative or friend.
    Kin,
    /// A role of the care staff, before its holder's name: `attending`, `nurse`.
    CareRole,
    /// A field for the patient or a private person: `patient`, `name`, `guarantor`.
    PersonField,
    /// What staff does to notes and patients, before `by`: `signed`, `seen`.
    StaffVerb,
    /// What is done with people: `spoke`, `discussed`, `contacted`, `named`.
    PeopleVerb,
    /// `by`.
    By,
    /// `with`, `to`.
    With,
    /// `named`, `nicknamed`.
    Named,
    /// A preposition before places: `in`, `from`.
    PlaceLead,
    /// `as`, `retired`, `a`: before jobs.
    JobLead,
    /// A particle inside surnames: `de`, `van`.
    Particle,
    /// A generational suffix: `Jr`.
    Suffix,
    /// Inside the names of organizations: `of`, `and`, `the`.
    Connector,
    /// Never part of a name although it may be written with a capital.
    NoName,
}

const WORDS: &[(Marker, &str)] = &[
    (
        Marker::DoctorTitle,
        "dr dra drs doctor doctora prof professor nurse doc dott dottor dottoressa doktor docteur doutor doutora",
    ),
    (
        Marker::PersonTitle,
        "mr mrs ms miss missus mister mx messrs rev reverend pastor rabbi imam deacon fr officer ofc ofcr supt atty attorney judge sgt \
         sergeant lt lieutenant capt captain cpt col colonel maj corporal cpl pvt detective det deputy sheriff constable \
         trooper hon sir madam principal coach senor senora señor señora sra srta doña dña mme mlle monsieur madame frau herr herrn fru frk signora signor mevr mevrouw dhr \
         meneer pani msgr bishop chaplain",
    ),
    (
        Marker::Credential,
        "md do rn np pa pac phd lcsw dpt otr crna cnm fnp aprn lpn cna pharmd rd dds dmd mbbs facc facs facp faan \
         dnp psyd arnp rph lmft lpc msw lvn bsn msn rrt mph frcs frcp mrcp facog faap agnp pmhnp acnp fnpc crnp \
         cnp cns lmsw licsw dpm od dc dvm ccc slp rdn cde cdces emt facep fccp fasn fhm mbchb edd lac cma rma \
         rdms ccrn bcps cgc cctc ocn ccc-slp ccc-a fnp-bc np-bc rn-bc pmhnp-bc anp-bc whnp-bc agacnp-bc pa-cs \
         lcsw-r rpsgt ibclc rcis rcs ctr nrp bcop cwocn cwon chpn cpnp lcpc lisw ladc cadc frca frcr mrcs pgy fy spr lmhc \
         nnp cnmt rvt rdcs cphon ocs scs atc otd cota pta rpt rrt-nps mpas fnp-c agnp-c pa-c acnp-bc \
         apnp aahivp aahivs lcmhc lcmhca lmhca lcgc va-bc wocn cwca cocn cccn bc-adm rbt bcba bcba-d bcaba coa \
         ods phn rdh crtt aemt emt-b emt-p emt-i emt-a nremt nremt-p cpht bcacp bcccp bcpp bcgp bcidp bcnsp \
         lmfta lpcc lpca lscsw lcsw-c lmsw-c lgsw lisw-s lisw-cp acsw aswcm acm-rn rnc rnc-ob rnc-nic rnc-mnn \
         rnc-lrn c-efm cnor crnfa rnfa cpan cfrn tcrn pccn cmsrn cvrn cvrn-bc scrn cnrn crrn cgrn chpna achpn \
         aocnp aocns bmtcn cpon cbcn cohn-s cpnp-ac cpnp-pc ppcnp-bc pmhcns-bc acns-bc agpcnp agpcnp-bc enp-bc \
         whnp nnp-bc acnpc-ag gnp-bc srna dnap aprn-cnp apn-c apn aprn-c clt-lana faaompt bocpo cpo slpa cf-slp \
         slp-ccc slpd csowm cnsc ldn cssd rces rpft cpft rrt-accs fccm facnm facmg fapa faafp fasam faaos facos \
         fapwca frcpc frcsc facr limhp lmhp lcdc lcadc cadc-ii casac ladac lisac csac cprs slt crni otr-l cota-l \
         lpta ma-c ccma cma-aama mscp lssp ncsp dacm daom ccrp ccrc hmdc",
    ),
    (
        Marker::Kin,
        "wife husband spouse partner son daughter mother father mom dad mum mommy daddy sister brother aunt uncle \
         niece nephew cousin grandson granddaughter grandnephew grandniece godson goddaughter godfather stepmum grandmother grandfather grandma grandpa granny stepson \
         stepdaughter stepmother stepfather stepbrother stepsister girlfriend boyfriend fiance fiancee fiancé \
         fiancée friend neighbor neighbour roommate caregiver guardian twin twins sibling siblings children kids \
         sons daughters brothers sisters parents child ex-wife ex-husband roomate grandchild grandchildren \
         grandparent caretaker landlord babysitter nanny teacher boss coworker sponsor widow widower son-in-law \
         daughter-in-law mother-in-law father-in-law sister-in-law brother-in-law in-law half-brother half-sister \
         godmother sib sibs mama papa amma appa mummy nana abuela abuelo teammate foreman receptionist lawyer adjuster adj \
         classmate pal playmate housemate stepkids hcp poa dpoa foster adoptive law dtr dtrs dau dght daugher husb hubby gf bf sis bro bros mthr \
         abuelita abuelito babushka dedushka halmoni nonna nonno yiayia papou kuya auntie aunty meemaw memaw mawmaw \
         papaw pawpaw grammy hija hijo esposa esposo marido hermana hermano tía tío sobrina sobrino nieta nieto suegra cuñada \
         cuñado vecina vecino fille fils épouse mère père soeur frère tochter sohn ehefrau ehemann schwester bruder enkelin figlia figlio \
         moglie marito sorella fratello nipote filha filho mãe irmã irmão neta dochter zoon echtgenote echtgenoot broer dotter hustru córka \
         żona mąż kızı oğlu eşi dil sil fil mil gma gpa grandmom granddad stepmom stepdad mum's nephews nieces cousins aunts uncles fiances \
         fob granddtr grandad grandmum gran nan nanna mamaw pappy gramps roomie bestie great-aunt great-uncle great-grandson great-granddaughter great-grandmother ex-boyfriend ex-girlfriend ex-partner hubs bff bunkmate cellmate cellie shipmate carer godparent godchild foster-mother foster-father stepsis stepbro grandbaby grandkids grandnan",
    ),
    (
        Marker::CareRole,
        "attending provider surgeon physician pcp author resident intern fellow cosigner consultant interpreter \
         scribe therapist technologist technician tech oncologist cardiologist neurologist pulmonologist \
         nephrologist urologist hospitalist intensivist dermatologist radiologist pathologist psychiatrist \
         psychologist anesthesiologist anesthetist endocrinologist gastroenterologist gynecologist obstetrician \
         orthopedist podiatrist ophthalmologist optometrist pediatrician rheumatologist hematologist internist \
         geriatrician neurosurgeon midwife doula dentist pharmacist nutritionist dietitian dietician assistant \
         practitioner clinician preceptor operator examiner performer reader dictator transcriptionist anesthesia \
         prosthetist orthotist referring dictating supervising ordering admitting cc cosigned anes crna circulator proceduralist \
         endoscopist sonographer phlebotomist coordinator manager worker counselor chiropractor audiologist \
         hygienist perfusionist aide medic paramedic scrub circ surg trainer interp sitter mgr navigator sw phleb \
         sonog student recorder leader rep representative ncm gp attg pgy1 pgy2 pgy3 pgy4",
    ),
    (
        Marker::PersonField,
        "patient pt name patient's names guarantor subscriber caller nok kin contact surname lastname firstname alias \
         aka maiden client insured beneficiary policyholder re regarding informant historian proxy agent decedent \
         baby babygirl babyboy visitors cardholder employee member witness lawyer plaintiff claimant",
    ),
    (
        Marker::StaffVerb,
        "signed seen dictated reviewed performed verified ordered transcribed evaluated examined interpreted read \
         authored entered prepared assessed attested electronically consulted followed written completed approved \
         obtained placed administered referred managed staffed precepted supervised released authenticated \
         cosigned e-signed esigned scribed assisted prescribed documented done treated recommended repaired \
         implanted collected drawn given requested called admitted operated checked",
    ),
    (
        Marker::PeopleVerb,
        "spoke spoken discussed talked d/w contacted notified informed paged accompanied lives living met saw \
         sees seeing per via brought contact visited visiting called calls texted told phoned thank thanks dear \
         hi hello reached updated consulted asked advised attn attention from",
    ),
    (Marker::By, "by"),
    (Marker::With, "with to w/"),
    (Marker::Named, "named nicknamed née nee"),
    (Marker::PlaceLead, "in near of to visited outside around toward towards through at across between leaving into"),
    (Marker::JobLead, "as a an retired former occupation occup profession job works worked formerly"),
    (
        Marker::Particle,
        "de la del da das dos di du van von der den ten ter el al bin ibn abu bint ben le los las y e st san mac mc o",
    ),
    (Marker::Suffix, "jr sr ii iii iv jnr snr"),
    (Marker::Connector, "and the for & on"),
    (
        Marker::NoName,
        "i he she it they we you his her their our my your its this that these those who what when where why how \
         is was are were be been has had have do does did will would can could may might must shall should not no \
         rns mds nps cnas lpns yes or but if then than so because while after before during since until also please today yesterday \
         tomorrow tonight now here there none unknown n/a na nil same self see unable denies denied reports \
         reported states stated presents presented notes noted complains history hx sx dx rx tx monday tuesday \
         wednesday thursday friday saturday sunday january february july september october november december feb \
         mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun am pm date time dob age sex male \
         female gender race mrn phone fax address street city state zip room bed unit floor ward clinic hospital \
         center department dept service visit admission discharge summary report note chief complaint assessment \
         plan physical exam review systems allergies medications labs vital vitals signs diagnosis diagnoses \
         impression findings procedure indication technique comparison results result normal abnormal negative \
         positive follow continue start stop give take increase decrease left right bilateral all any each every \
         some other another new old first second third next last previous prior initial final total current home \
         office emergency urgent care medical surgery surgical medicine internal family social past present \
         general well good fair poor stable alert oriented awake blood pressure heart rate temperature pulse \
         weight height pain chest abdomen lungs neck head eyes ears nose throat skin extremities neuro \
         neurological psych psychiatric cardiac cardiovascular respiratory pulmonary gastrointestinal \
         genitourinary musculoskeletal endocrine hematologic constitutional number type status level score grade \
         stage class page case order test study scan image imaging film view views ct mri xray ekg ecg echo \
         ultrasound icu er ed pacu nicu micu sicu ccu us usa uk tv covid hiv aids english spanish french german \
         chinese russian vietnamese korean japanese arabic hispanic african american asian caucasian indian \
         european christian catholic jewish muslim baptist methodist protestant medicare medicaid tricare va \
         obamacare father's subjective objective hpi pmh psh ros cc fh sh meds chart record records information \
         instructions education consent electronically signed sincerely regards copy sent received requested \
         signature title relationship marital married single divorced widowed language insurance employer \
         ethnicity religion code full dnr ongoing pending dea npi gmc nmc upin csn fin har res",
    ),
];

/// Every word that says something of its neighbours, blank-separated.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(_, words)| *words)
}

/// What a word says of its neighbours, if anything.
pub(super) fn marker(word: &str) -> Option<Marker> {
    static TABLE: LazyLock<WordTable<Marker>> = LazyLock::new(|| WordTable::of(WORDS.iter().copied()));
    TABLE.get(word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_one_meaning_in_any_case() {
        assert_eq!(marker("Dr"), Some(Marker::DoctorTitle));
        assert_eq!(marker("WIFE"), Some(Marker::Kin));
        assert_eq!(marker("PhD"), Some(Marker::Credential));
        assert_eq!(marker("Garcia"), None);
    }
}
