//! What is found of one record in notes as they are written, and what is not; values are marked `[so]`.

use super::{PatientRecord, RecordMatcher};
use crate::phi::{Label, unite};

fn record() -> PatientRecord<'static> {
    PatientRecord {
        given_names: vec!["Oluwaseun".into(), "Will".into()],
        middle_names: vec!["Tobias".into()],
        family_names: vec!["Strong".into(), "Marchetti-Voss".into()],
        related: vec![
            (Label::Patient, "Strong, Grant".into()),
            (Label::Patient, "Trần, Hiền Mỹ".into()),
            (Label::Patient, "Weiß, Jörg".into()),
            (Label::Doctor, "Kowalczyk, Bronisław MD".into()),
            (Label::Doctor, "Penny Early, RN".into()),
            (Label::Doctor, "Kaʻahumanu, Noelani".into()),
            (Label::Doctor, "Abdi, Hawa".into()),
        ],
        street: "4417 W Larkmoor Ave Apt 3C".into(),
        city: "Tahlequah".into(),
        state: "OK".into(),
        county: "Cherokee".into(),
        zip: "74464".into(),
        phones: vec!["(918) 555-0147".into(), "+44 7700 900823".into()],
        identifiers: vec![
            (Label::MedicalRecord, "00561829".into()),
            (Label::Ssn, "412-55-9036".into()),
            (Label::HealthPlan, "QRX8810274".into()),
        ],
        birth_date: "1961-10-06".into(),
        employer: "Brackenridge & Sons LLC".into(),
        ..PatientRecord::default()
    }
}

/// Notes with everything that must be found in brackets.
const NOTES: &[&str] = &[
    // Scans.
    "PT: [STR0NG, 0LUWASEUN]",
    "seen by [Kowa1czyk]",
    "D.O.B. [1O/O6/196l] SEX M",
    "MR# [0056 l829] x",
    "Ph [9I8-555-O147] home",
    "[KOWAL CZYK] read the film",
    // One edit, other spellings, other scripts.
    "Dr. [Kowalczik] and Dr [Kovalczyk]",
    "[Oluwasuen] was here; [Oluwaseunn] too",
    "[Hien My Tran] and [Trần Mỹ Hiền]",
    "daughter [Noelani Kaahumanu]",
    "[Joerg Weiss] and [Jörg Weiß]",
    // Ordinary words that are names.
    "told [Grant] to come",
    "[Grant] said he would",
    "Spoke with [Grant] about rehab.",
    "NEXT OF KIN: [GRANT].",
    "SON [GRANT] AT BEDSIDE",
    "tell [grant] i called",
    "dr [early] aware",
    "[Penny Early], RN",
    "to: [Strong] / x-cover",
    "Mr. [Will] came",
    "[Strong, Oluwaseun T]",
    "[O. T. Strong] signed",
    // Marks of footnotes.
    "[Kowalczyk]², [KOWALCZYK]① and ½[Kowalczyk]",
    // Run together.
    "CC:[OLUWASEUNSTRONG],",
    "per Dr[NoelaniKaahumanu]:",
    "cc [KOWALCZYK]MD",
    "with[Kowalczyk] at noon",
    // Without apostrophe, user ids.
    "[kowalczyk]s office, two [strong]s",
    "e-signed [HABDI2] 10:22",
    "msg from [bkowalczyk.ok]",
    // Numbers.
    "MRN[00561829]",
    "MRN [561829].",
    "last 4 of social [9036], ok",
    "call [555-0147] or [+1 918 555 0147] or [918.555.0147]",
    "son on [07700 900823] / [+44 7700 900823]",
    "member [QRX 8810274] or [8810274]",
    // Places.
    "lives at [4417 Larkmoor]; alone",
    "lives at [4417 W. Larkmoor Avenue #3C] now",
    "works at [brackenridge & sons], ex [Brackenridge]",
    "from [tahlequah]",
    "[Cherokee County]",
];

/// Notes in which the record's words mean other things.
const WORDS: &[&str] = &[
    "Strong pulses bilaterally. STRONG GRIP.",
    "A strong cough; pt will follow. Will follow up.",
    "Early satiety, early ambulation. Early discharge planned.",
    "will grant access to the grant",
    "Penny-sized lesion; a penny for scale",
    "Grant County and Grant Hospital",
    "the strong will to live",
    "Strength: Strong",
    "hx of grand mal, no tram track sign",
    "she did miss a dose; see Dr. note",
    "1-918 mg, 56-18 units, 9036 steps, K 4.4, 17 W",
    "10/06/1962 and 11/06/1961",
];

fn marked(text: &str) -> String {
    let mut spans = Vec::new();
    RecordMatcher::new(&record()).find(text, &mut spans);
    let mut out = String::new();
    let mut at = 0;
    for span in unite(spans) {
        out += &text[at..span.start];
        out += "[";
        out += &text[span.start..span.end];
        out += "]";
        at = span.end;
    }
    out + &text[at..]
}

#[test]
fn what_the_record_knows_is_found_however_it_is_written() {
    let wrong: Vec<(String, &str)> = NOTES
        .iter()
        .map(|&note| (marked(&note.replace(['[', ']'], "")), note))
        .filter(|(found, note)| found != note)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ordinary_words_stay() {
    let wrong: Vec<String> = WORDS.iter().map(|note| marked(note)).filter(|found| found.contains('[')).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
