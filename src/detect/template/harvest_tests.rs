//! Harvests of small samples, by a made-up ensemble and by the real one.

use crate::text::InContext;
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::detect::template::file::marked_up;
use crate::detect::template::{Templates, ner_template, syntax_template};
use crate::detect::{Ensemble, InclusionList};
use crate::lexicon::Lexicon;
use crate::phi::{Class, Detector, Label};

type Sample = Vec<(String, Vec<Span>)>;

/// Sentences in the mark-up of template files.
fn sample<S: AsRef<str>>(sentences: impl IntoIterator<Item = S>) -> Sample {
    let read = |example: S| {
        let (sentence, slots) = marked_up(example.as_ref()).unwrap();
        let span = |(start, end, class)| Span::new(start, end, class, Detector::Crf, 0.9);
        (sentence, slots.into_iter().map(span).collect())
    };
    sentences.into_iter().map(read).collect()
}

/// What SQL does: sentences grouped by their templates, each seen thrice, with ten patients a shape.
fn shapes(sample: &Sample) -> Vec<SyntaxShape> {
    let mut groups: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for (sentence, spans) in sample {
        if let (Some(syntax), Some(ner)) = (syntax_template(sentence, spans), ner_template(sentence, spans)) {
            *groups.entry(syntax).or_default().entry(ner).or_default() += 1;
        }
    }
    let reading = |(ner, sentences): (String, u64)| Reading { ner, sentences, occurrences: 3 * sentences };
    groups
        .into_iter()
        .map(|(syntax, readings)| SyntaxShape {
            syntax,
            readings: readings.into_iter().map(reading).collect(),
            patients: 10,
        })
        .collect()
}

const SETTINGS: Settings = Settings {
    least_sentences: 2,
    least_patients: 10,
    least_purity: 1.0,
    most_lost: 0.0,
    most_completed: 0.4,
    fillings: 20,
    examples: 2,
    seed: 0,
};

fn silent(sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
    Ok(vec![Vec::new(); sentences.len()])
}

fn harvest(sample: &Sample, shapes: Vec<SyntaxShape>) -> Harvest {
    harvest_with(SETTINGS, sample, shapes)
}

fn harvest_with(settings: Settings, sample: &Sample, shapes: Vec<SyntaxShape>) -> Harvest {
    let mut harvester = Harvester::new(shapes, settings);
    sample.iter().for_each(|(sentence, spans)| harvester.see(sentence, spans));
    harvester.finish(silent).unwrap()
}

const SEEN: [&str; 4] = [
    "Seen by [DOCTOR Rose Lee] on [DATE:partial 3/4].",
    "Seen by [DOCTOR Ann Okafor] on [DATE:partial 12/30].",
    "Seen by [DOCTOR Zsófia Muñoz] on [DATE:partial 5/6].",
    "Stable, no acute distress.",
];

#[test]
fn a_rule_catches_what_the_ensemble_misses() {
    let mut sample = sample(SEEN);
    sample.extend(self::sample(["Seen by Zzyzx [DOCTOR Qarp] on [DATE:partial 1/2]."]));
    let harvest = harvest(&sample, shapes(&sample));
    let [rule] = &harvest.rules[..] else { panic!("{harvest:?}") };
    assert_eq!(rule.pattern, r"Seen by (?<DOCTOR>\p{Alphabetic}+ \p{Alphabetic}+) on (?<DATE_partial>[0-9]+/[0-9]+)\.");
    assert_eq!(rule.support, Support { sentences: 3, occurrences: 9, patients: 10 });
    assert_eq!(rule.tally, Tally { agreeing: 3, completing: 1, contradicting: 0, losing: 0 });
    let templates = Templates::parse(&harvest.to_toml()).unwrap();
    let spans = templates.tag("Seen by Zzyzx Qarp on 1/2.").unwrap();
    assert_eq!(spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(8, 18), (22, 25)]);
    assert!(harvest.to_toml().contains("purity = 1.0") && harvest.to_toml().contains("patients = 10"));
    // The sentence with a name missed has a syntax template of its own, with too few sentences.
    assert_eq!(harvest.refusals.iter().map(|refusal| refusal.reason).collect::<Vec<_>>(), [Reason::FewSentences]);
}

#[test]
fn what_the_ensemble_is_not_of_one_mind_about_is_reported() {
    for (more, conflict) in [
        // Another reading of the same shape.
        ("Seen by [PATIENT Rose Li] on [DATE:partial 3/4].", "2 readings: 4 sentences, 12 occurrences, 10 patients"),
        // A claim elsewhere, and one of another class, in sentences of other shapes.
        (
            "Seen by [DOCTOR Rose Li] [DATE:partial on 3/4].",
            "3 sentences agree, 0 have less, 1 other claims, 1 elsewhere: 3 sentences",
        ),
        (
            "Seen by [HOSPITAL Rose] Clinic on 3/4.",
            "3 sentences agree, 0 have less, 1 other claims, 0 elsewhere: 3 sentences",
        ),
    ] {
        let sample = sample(SEEN.into_iter().chain([more]));
        let harvest = harvest(&sample, shapes(&sample));
        assert_eq!(harvest.rules, []);
        assert!(harvest.conflicts[0].to_string().starts_with(conflict), "{}", harvest.conflicts[0]);
    }
    // A reading as rare as purity allows is overruled.
    let odd = sample(SEEN.into_iter().chain(["Seen by [PATIENT Rose Li] on [DATE:partial 3/4]."]));
    let settings = Settings { least_purity: 0.7, ..SETTINGS };
    let lenient = harvest_with(settings, &odd, shapes(&odd));
    assert_eq!((lenient.rules.len(), lenient.rules[0].tally.purity()), (1, 0.75));
    // Mostly the shape is no identifier: the slot would take in words of any kind.
    let plain = ["Seen by the nurse on 3/4.", "Seen by a friend on 5/6.", "Seen by no doctor on 7/8."];
    let sample = sample(SEEN.into_iter().chain(plain));
    let harvest = harvest(&sample, shapes(&sample));
    assert_eq!((harvest.rules.len(), harvest.conflicts.len()), (0, 1));
}

#[test]
fn kinds_that_depend_on_the_value_are_one() {
    let sample = sample(["Now [AGE:up-to-89 65]yo.", "Now [AGE:up-to-89 7]yo.", "Now [AGE:over-89 91]yo."]);
    let harvest = harvest(&sample, shapes(&sample));
    assert_eq!(harvest.rules.iter().map(|rule| rule.pattern.as_str()).collect::<Vec<_>>(), [r"Now (?<AGE>[0-9]+)yo\."]);
    assert_eq!(harvest.rules[0].tally.agreeing, 3);
}

#[test]
fn each_reason_refuses() {
    let shape = |syntax: &str, ner: &str, sentences: u64, patients: u64| SyntaxShape {
        syntax: syntax.to_owned(),
        readings: vec![Reading { ner: ner.to_owned(), sentences, occurrences: sentences }],
        patients,
    };
    let reason = |shape: SyntaxShape, seen: &str| {
        let mut harvester = Harvester::new([shape], SETTINGS);
        sample([seen]).iter().for_each(|(sentence, spans)| harvester.see(sentence, spans));
        let claims_will = |sentences: &[&str]| {
            let span = |sentence: &&str| match sentence.starts_with("Will ") {
                true => vec![Span::new(0, sentence.len(), Label::Patient, Detector::Crf, 0.5)],
                false => Vec::new(),
            };
            Ok(sentences.iter().map(span).collect())
        };
        let harvest = harvester.finish(claims_will).unwrap();
        assert_eq!(harvest.rules.len() + harvest.refusals.len(), 1);
        harvest.refusals.first().map(|refusal| refusal.reason)
    };
    let (call, calls) = ("Call {W} now", "Call {B-PATIENT} now");
    assert_eq!(reason(shape(call, calls, 2, 10), "Call [PATIENT Rose] now"), None);
    assert_eq!(reason(shape(call, calls, 2, 9), "Call [PATIENT Rose] now"), Some(Reason::FewPatients));
    assert_eq!(reason(shape(call, calls, 1, 10), "Call [PATIENT Rose] now"), Some(Reason::FewSentences));
    assert_eq!(reason(shape(call, calls, 2, 10), "Call later"), Some(Reason::Unseen));
    assert_eq!(reason(shape(call, "Call {B-PATIENT} then", 2, 10), "Call [PATIENT Rose] now"), Some(Reason::NoForm));
    assert_eq!(reason(shape("Call {W}x", "Call {B-PATIENT}x", 2, 10), "Call x"), Some(Reason::NoForm));
    let with = |text: &str| shape(&format!("{text} {{W}}"), &format!("{text} {{B-PATIENT}}"), 2, 10);
    assert_eq!(reason(with("Okafor saw"), "Okafor saw [PATIENT Rose]"), Some(Reason::Name));
    assert_eq!(reason(with("Case 20417 of"), "Case 20417 of [PATIENT Rose]"), Some(Reason::Digits));
    assert_eq!(reason(with("Will"), "Will [PATIENT Rose]"), Some(Reason::Claimed));
    // A mark-up ends a slot at the first `]`.
    let brackets = shape("Room {W}]{N}", "Room {B-HOSPITAL}{I-HOSPITAL}{I-HOSPITAL}", 2, 10);
    let mut harvester = Harvester::new([brackets], SETTINGS);
    harvester.see("Room A]7", &[Span::new(5, 8, Label::Hospital, Detector::Crf, 0.9)]);
    let reasons: Vec<_> = harvester.finish(silent).unwrap().refusals.iter().map(|refusal| refusal.reason).collect();
    assert_eq!(reasons, [Reason::Unwritable]);
}

#[test]
fn a_word_on_no_list_that_is_claimed_elsewhere_is_no_text() {
    let seen = ["Called zorbleekton at ext [PHONE 41]", "Called zorbleekton at ext [PHONE 42]"];
    let reasons = |more: &str| {
        let sample = sample(seen.into_iter().chain([more]));
        let harvest = harvest(&sample, shapes(&sample));
        let reasons: Vec<_> = harvest.refusals.iter().map(|refusal| refusal.reason).collect();
        (harvest.rules.len(), reasons)
    };
    assert_eq!(reasons("Zorbleekton called."), (1, vec![]));
    let (rules, refused) = reasons("[DOCTOR A. Zorbleekton] called.");
    assert_eq!(rules, 0);
    assert!(refused.contains(&Reason::Name), "{refused:?}");
}

#[test]
fn what_is_told_of_a_refusal_or_conflict_holds_no_text() {
    let sample = sample(["Okafor saw [PATIENT Ann]", "Okafor saw [PATIENT Lee]", "Okafor saw [DOCTOR Lee]"]);
    let harvest = harvest(&sample, shapes(&sample));
    let conflict = &harvest.conflicts[0];
    assert!(conflict.syntax.contains("Okafor"));
    assert!(!format!("{conflict} {conflict:?} {harvest:?}").contains("Okafor"));
}

/// The method of the paper, by the knowledge detectors: signatures with names of the lexicon in, a rule that knows any name out.
#[test]
fn the_knowledge_detectors_teach_a_signature() {
    let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
    let lexicon = Lexicon::shared();
    let names: Vec<_> = lexicon.surnames().iter().zip(lexicon.given_names()).skip(100).step_by(7).take(60).collect();
    let sentences: BTreeSet<String> = names
        .iter()
        .enumerate()
        .map(|(number, (surname, given))| {
            let (surname, given) = (surname.name.to_uppercase(), given.name.to_uppercase());
            let (day, hour) = (number % 28 + 1, number % 12 + 1);
            format!("Electronically signed by: {surname}, {given} on 3/{day}/2019 at {hour}:02 PM CST")
        })
        .collect();
    let spans = |sentence: &String| (sentence.clone(), ensemble.detect_by_knowledge(sentence));
    let sample: Sample = sentences.iter().map(spans).collect();
    // `MAY, JOHNNY` is taken for a date.
    let settings = Settings { least_purity: 0.95, ..SETTINGS };
    let mut harvester = Harvester::new(shapes(&sample), settings);
    sample.iter().for_each(|(sentence, spans)| harvester.see(sentence, spans));
    let detect = |sentences: &[&str]| {
        let alone: Vec<_> = sentences.iter().map(|sentence| InContext::alone(sentence)).collect();
        ensemble.detect_all(&alone, &mut |_| {})
    };
    let harvest = harvester.finish(detect).unwrap();
    let templates = Templates::parse(&harvest.to_toml()).unwrap();
    let unseen = "Electronically signed by: QWYRTZ, XERXAN on 4/5/2021 at 11:59 PM CST";
    let spans = templates.tag(unseen).unwrap_or_else(|| panic!("{harvest:?}"));
    let texts: Vec<_> = spans.iter().map(|span| &unseen[span.start..span.end]).collect();
    assert_eq!(texts[..2], ["QWYRTZ, XERXAN", "4/5/2021"], "{}", harvest.to_toml());
}

fn samples() -> impl Strategy<Value = Sample> {
    let word = "(Rose|Ann|é|will|seen|by|on|the|K7|65yo|O'Brien|3/4|2:02 PM|12345|[.,{}\\[]|\n)";
    let sentence = prop::collection::vec((word, 0_usize..6), 1..6);
    prop::collection::vec(sentence, 1..24).prop_map(|sentences| {
        let classes = ["DOCTOR", "PATIENT", "DATE:full", "AGE:over-89", "TIME", "DATE:year"];
        let made = sentences.into_iter().map(|words| {
            let (mut sentence, mut spans) = (String::new(), Vec::new());
            for (word, class) in words {
                sentence.push_str(if sentence.is_empty() { "" } else { " " });
                let start = sentence.len();
                sentence.push_str(&word);
                if class < 3 || word.contains(':') {
                    let class: Class = classes[class % classes.len()].parse().unwrap();
                    spans.push(Span::new(start, sentence.len(), class, Detector::Pattern, 1.0));
                }
            }
            (sentence, spans)
        });
        // Each distinct sentence has one answer.
        made.collect::<BTreeMap<_, _>>().into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Where a harvested template tags a sentence of the sample, nothing that the ensemble claims there is lost, however pure it is.
    #[test]
    fn no_sentence_of_the_sample_loses_a_claim(sample in samples(), is_strict in any::<bool>()) {
        let settings = Settings { least_purity: f64::from(u8::from(is_strict)), ..SETTINGS };
        let mut reversed = shapes(&sample);
        reversed.reverse();
        let harvest = harvest_with(settings, &sample, shapes(&sample));
        let file = harvest.to_toml();
        prop_assert_eq!(&harvest_with(settings, &sample, reversed).to_toml(), &file);
        let templates = Templates::parse(&file).unwrap();
        prop_assert_eq!((templates.len(), templates.statistics().in_automaton), (harvest.rules.len(), harvest.rules.len()));
        for (sentence, spans) in &sample {
            let Some(slots) = templates.tag(sentence) else { continue };
            for span in spans {
                let label = span.leading().class.label;
                let is_kept = slots.iter().any(|slot| {
                    let is_alike = !is_strict || slot.leading().class.label == label;
                    slot.start <= span.start && span.end <= slot.end && is_alike
                });
                // A clock time is no identifier.
                let is_kept = is_kept || (!is_strict && label == Label::Time);
                prop_assert!(is_kept, "{:?} {}", sentence, file);
            }
        }
    }
}
