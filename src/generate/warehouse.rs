//! The warehouse: any patient, any note.
//!
//! ```text
//! note ──▶ place (patient, ordinal) ──▶ record + moment ──▶ scene ──▶ template ──▶ text + gold ──▶ laid out
//! ```

use chrono::{Days, NaiveDateTime, TimeDelta};

use super::ownership::{Place, place};
use super::patient::Patient;
use super::random::{Random, permute};
use super::record::Record;
use super::scene::{Cast, Scene};
use super::style::Style;
use super::types;
use super::writer::{GoldSpan, Writer};

const NOTE: u64 = 0x4e54;
const NOISE: u64 = 0x4e5a;
/// For how many of the patient's notes a copied paragraph stays as it is.
const COPIES: u64 = 8;

/// How large the warehouse is, and which one of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GenerateOptions {
    /// How many notes.
    pub notes: u64,
    /// How many patients; at least one.
    pub patients: u64,
    /// The same seed and sizes give the same warehouse, byte for byte.
    pub seed: u64,
    /// Whether names and ids are invented ones that occur nowhere else, so that a leak can be searched for.
    pub canary: bool,
}

/// A synthetic warehouse of notes. Making one costs nothing: notes are written when they are asked for.
#[derive(Debug, Clone)]
pub struct Warehouse {
    options: GenerateOptions,
}

/// One note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Unique: `NT` and ten digits.
    pub note_id: String,
    /// The patient's.
    pub patient_id: String,
    /// `EN` and ten digits; two notes may be of one encounter.
    pub encounter_id: String,
    /// The kind of note, one of [`note_types`](super::note_types).
    pub note_type: &'static str,
    /// When it was written; later for later notes of a patient.
    pub note_datetime: NaiveDateTime,
    /// The note.
    pub text: String,
    /// What is protected in the text, in order, without overlap.
    pub gold: Vec<GoldSpan>,
}

impl Warehouse {
    /// The warehouse of these options.
    pub fn new(options: GenerateOptions) -> Self {
        Self { options: GenerateOptions { patients: options.patients.max(1), ..options } }
    }

    /// The options, with at least one patient.
    pub fn options(&self) -> GenerateOptions {
        self.options
    }

    /// The structured record of the patient of this index, below [`GenerateOptions::patients`].
    pub fn patient(&self, index: u64) -> Patient {
        self.record(index).patient()
    }

    /// The invented names, ids and addresses that stand for this patient and nobody else, save the staff's names;
    /// empty unless [`GenerateOptions::canary`].
    pub fn canary_tokens(&self, patient: u64) -> Vec<String> {
        self.record(patient).canary_tokens()
    }

    /// The note of this index, below [`GenerateOptions::notes`].
    pub fn note(&self, index: u64) -> Note {
        let GenerateOptions { notes, patients, seed, .. } = self.options;
        let place = place(index, notes, patients, seed);
        let record = self.record(place.patient);
        let moment = self.moment(&record, place, place.ordinal);
        let patient_id = record.patient_id.clone();
        let scene = self.scene(record, moment, place);
        let mut random = Random::of(&[seed, NOTE, index]);
        let kind = types::draw(scene.record.person.female, scene.own.age(&scene.record), &mut random);
        let style = Style::draw(kind.map_or(0, |kind| kind.capitals), &mut random);
        let noise = Random::of(&[seed, NOISE, index]);
        let mut writer = Writer::new(&scene, style, random, noise);
        if let Some(kind) = kind {
            writer.rule(kind.rule);
        }
        let (text, mut gold) = writer.finish();
        let text = style.lay_out(text, &mut gold);
        let encounter = place.before + place.ordinal - place.ordinal % 2;
        Note {
            note_id: format!("NT{:010}", permute(index, 10_000_000_000, seed ^ NOTE)),
            patient_id,
            encounter_id: format!("EN{:010}", permute(encounter, 10_000_000_000, seed ^ 0x454e)),
            note_type: kind.map_or("Note", |kind| kind.name),
            note_datetime: moment,
            text,
            gold,
        }
    }

    /// The index of the patient that a note belongs to.
    pub fn patient_of(&self, note: u64) -> u64 {
        place(note, self.options.notes, self.options.patients, self.options.seed).patient
    }

    fn scene(&self, record: Record, moment: NaiveDateTime, place: Place) -> Scene {
        let GenerateOptions { seed, canary: invented, .. } = self.options;
        let own = Cast::draw(&record, moment, [place.patient, place.ordinal], seed, invented);
        let source = place.ordinal - place.ordinal % COPIES;
        let copied_keys = [place.patient, source];
        let copied = match source == place.ordinal {
            true => own.clone(),
            false => Cast::draw(&record, self.moment(&record, place, source), copied_keys, seed, invented),
        };
        let prefix = if invented { "ZQX" } else { "" };
        let account = Random::of(&[seed, NOTE, place.patient, place.ordinal]).below(10_000_000_000);
        Scene { account: format!("{prefix}{account:010}"), record, own, copied, copied_keys, seed, invented }
    }

    fn record(&self, index: u64) -> Record {
        Record::draw(self.options.seed, index, self.options.canary)
    }

    /// When the patient's note of this ordinal is written: each has its own part of the patient's time in care.
    fn moment(&self, record: &Record, place: Place, ordinal: u64) -> NaiveDateTime {
        let mut random = Random::of(&[self.options.seed, 0x4d4f, place.patient, ordinal]);
        // A month or so between notes, but no more than about six years in all.
        let minutes_of_care = (place.of * 30 * 24 * 60).min(6 * 365 * 24 * 60);
        let part = minutes_of_care / place.of.max(1);
        let minutes = ordinal * part + random.below(part * 9 / 10 + 1);
        let start = record.since.and_hms_opt(7, 0, 0).unwrap_or_default();
        let start = start.checked_add_days(Days::new(1)).unwrap_or(start);
        start.checked_add_signed(TimeDelta::minutes(minutes as i64)).unwrap_or(start)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap, HashSet};

    use super::*;
    use crate::phi::Label;

    fn warehouse(notes: u64) -> Warehouse {
        Warehouse::new(GenerateOptions { notes, patients: notes / 10, seed: 11, canary: false })
    }

    fn span_text(note: &Note, span: &GoldSpan) -> String {
        note.text.chars().skip(span.start as usize).take((span.end - span.start) as usize).collect()
    }

    /// Lines, cut after a full stop, question mark or exclamation mark before a capital.
    fn sentences(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        for line in text.lines() {
            let mut start = 0;
            for (at, window) in line.as_bytes().windows(3).enumerate() {
                if matches!(window, [b'.' | b'?' | b'!', b' ', b'A'..=b'Z']) {
                    found.push(line[start..at + 1].trim());
                    start = at + 2;
                }
            }
            found.push(line[start..].trim());
        }
        found.retain(|sentence| !sentence.is_empty());
        found
    }

    #[test]
    fn notes_are_the_same_in_any_order() {
        let (one, other) = (warehouse(500), warehouse(500));
        let forward: Vec<Note> = (0..200).map(|index| one.note(index)).collect();
        for index in (0..200).rev() {
            assert_eq!(forward[index as usize], other.note(index));
        }
        let seeded = Warehouse::new(GenerateOptions { seed: 12, ..one.options() });
        assert!((0..50).all(|index| seeded.note(index) != forward[index as usize]));
    }

    #[test]
    fn gold_is_in_bounds_in_order_and_trimmed() {
        let warehouse = warehouse(4000);
        for index in 0..4000 {
            let note = warehouse.note(index);
            let length = note.text.chars().count() as u32;
            let mut end = 0;
            for span in &note.gold {
                assert!(span.start >= end && span.start < span.end && span.end <= length, "{} {span:?}", note.note_id);
                let text = span_text(&note, span);
                assert_eq!(text.trim(), text, "{} {span:?}", note.note_id);
                end = span.end;
            }
        }
    }

    #[test]
    fn every_label_and_every_kind_of_note_occurs() {
        let warehouse = warehouse(5000);
        let (mut labels, mut kinds) = (BTreeSet::new(), BTreeSet::new());
        for index in 0..5000 {
            let note = warehouse.note(index);
            labels.extend(note.gold.iter().map(|span| span.label));
            kinds.insert(note.note_type);
        }
        let missing: Vec<_> = Label::ALL.iter().filter(|label| !labels.contains(label)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(kinds.len() >= 25, "{}", kinds.len());
    }

    #[test]
    fn gold_holds_what_the_record_says() {
        let warehouse = warehouse(2000);
        let mut found = 0;
        for index in 0..2000 {
            let note = warehouse.note(index);
            let patient = warehouse.patient(warehouse.patient_of(index));
            assert_eq!(note.patient_id, patient.patient_id);
            for span in &note.gold {
                let text = span_text(&note, span).replace(['\n', '\r'], " ").to_lowercase();
                match span.label {
                    Label::MedicalRecord => assert_eq!(text, patient.mrn.to_lowercase()),
                    Label::Ssn => assert!(patient.ssn.ends_with(text.as_str())),
                    Label::Patient if text.contains(&patient.family_name.to_lowercase()) => found += 1,
                    _ => {}
                }
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn record_values_never_stand_outside_gold() {
        let warehouse = Warehouse::new(GenerateOptions { notes: 1500, patients: 150, seed: 5, canary: true });
        for index in 0..1500 {
            let note = warehouse.note(index);
            let mut rest: Vec<char> = note.text.chars().collect();
            for span in &note.gold {
                rest[span.start as usize..span.end as usize].fill('\u{1}');
            }
            let rest: String = rest.into_iter().collect::<String>().to_lowercase();
            for mark in ["zq", "xyorval", "vjorval"] {
                assert!(!rest.contains(mark), "{} {}", note.note_id, note.note_type);
            }
        }
    }

    #[test]
    fn look_alikes_occur_and_are_not_gold() {
        const LOOK_ALIKES: &[&str] = &[
            "Glasgow Coma Scale",
            "Foley catheter",
            "Bruce protocol",
            "Braden score",
            "St. Jude valve",
            "Bankart repair",
            "Whipple procedure",
            "Denver II",
            "Parkinson disease",
            "Crohn disease",
            "Montreal Cognitive Assessment",
            "Boston naming test",
            "Rose Bengal",
            "M/W/F",
            "POD#",
            "Allegra",
            "NKDA",
        ];
        let warehouse = warehouse(6000);
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for index in 0..6000 {
            let note = warehouse.note(index);
            let offsets: Vec<usize> = note.text.char_indices().map(|(at, _)| at).chain([note.text.len()]).collect();
            let marked: Vec<(usize, usize)> =
                note.gold.iter().map(|span| (offsets[span.start as usize], offsets[span.end as usize])).collect();
            for &word in LOOK_ALIKES {
                for (at, _) in note.text.match_indices(word) {
                    *counts.entry(word).or_default() += 1;
                    assert!(
                        marked.iter().all(|&(start, end)| end <= at || start >= at + word.len()),
                        "{word} in {}",
                        note.note_id
                    );
                }
            }
        }
        let missing: Vec<_> = LOOK_ALIKES.iter().filter(|word| !counts.contains_key(**word)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn ids_are_unique_and_dates_go_forward() {
        let warehouse = warehouse(3000);
        let mut ids = HashSet::new();
        let mut moments: HashMap<u64, Vec<(u64, NaiveDateTime)>> = HashMap::new();
        for index in 0..3000 {
            let note = warehouse.note(index);
            let place = place(index, 3000, 300, 11);
            assert!(ids.insert(note.note_id));
            moments.entry(place.patient).or_default().push((place.ordinal, note.note_datetime));
        }
        for mut notes in moments.into_values() {
            notes.sort_unstable();
            assert!(notes.windows(2).all(|pair| pair[0].1 < pair[1].1));
        }
    }

    #[test]
    fn paragraphs_are_copied_forward() {
        let warehouse = warehouse(3000);
        let mut seen: HashMap<(u64, String), u64> = HashMap::new();
        let mut copied = 0;
        for index in 0..3000 {
            let patient = warehouse.patient_of(index);
            let note = warehouse.note(index);
            for line in note.text.lines().filter(|line| line.len() > 120) {
                copied += u64::from(*seen.entry((patient, line.to_owned())).or_insert(index) != index);
            }
        }
        assert!(copied > 30, "{copied}");
    }

    #[test]
    fn canary_tokens_are_the_patients_own_and_in_the_notes() {
        let warehouse = Warehouse::new(GenerateOptions { notes: 400, patients: 40, seed: 3, canary: true });
        let all: Vec<Vec<String>> = (0..40).map(|index| warehouse.canary_tokens(index)).collect();
        let mut hits = 0;
        for index in 0..400 {
            let patient = warehouse.patient_of(index);
            let text = warehouse.note(index).text.to_lowercase();
            hits += u64::from(all[patient as usize].iter().any(|token| text.contains(&token.to_lowercase())));
        }
        assert!(hits > 300, "{hits}");
        let given: HashSet<String> = (0..40).map(|index| warehouse.patient(index).given_name).collect();
        assert_eq!(given.len(), 40);
        assert!(
            super::Warehouse::new(GenerateOptions { canary: false, ..warehouse.options() }).canary_tokens(3).is_empty()
        );
    }

    #[test]
    fn sentences_repeat_as_in_a_real_corpus() {
        let warehouse = warehouse(10_000);
        let mut counts: HashMap<String, u64> = HashMap::new();
        let (mut total, mut distinct_at_a_tenth) = (0u64, (0.0, 0.0));
        for index in 0..10_000 {
            for sentence in sentences(&warehouse.note(index).text) {
                *counts.entry(sentence.to_owned()).or_default() += 1;
                total += 1;
            }
            if index == 999 {
                distinct_at_a_tenth = (counts.len() as f64, total as f64);
            }
        }
        let mut sorted: Vec<u64> = counts.values().copied().collect();
        sorted.sort_unstable_by(|one, other| other.cmp(one));
        let common = sorted.iter().take(1600).sum::<u64>() as f64 / total as f64;
        let distinct = counts.len() as f64 / total as f64;
        let exponent = (counts.len() as f64 / distinct_at_a_tenth.0).ln() / (total as f64 / distinct_at_a_tenth.1).ln();
        assert!((24.0..36.0).contains(&(total as f64 / 10_000.0)), "{total} sentences");
        assert!((0.28..0.42).contains(&common), "the commonest hold {common}");
        assert!((0.42..0.60).contains(&distinct), "distinct {distinct}");
        assert!((0.85..0.97).contains(&exponent), "exponent {exponent}");
    }
}
