//! How many identifiers are replaced a second on one core: on the mix of labels that the generator writes, by label, and the rate
//! of the format-preserving encryption by itself.
//!
//! ```text
//! cargo bench --no-default-features --bench surrogates
//! ```
//!
//! Without the engine, which it does not need, it is built in minutes.
//!
//! The values are the gold spans of generated notes, patient by patient as a job reads them: a patient's surrogates are made once
//! for the patient's notes, and what that costs is in the rate.

use std::collections::{BTreeMap, HashSet};
use std::hint::black_box;
use std::ops::Range;
use std::time::Instant;

use plainsight::generate::{GenerateOptions, Warehouse};
use plainsight::phi::{Class, Label};
use plainsight::surrogate::{Key, Pseudonyms, Surrogates};

/// Notes that are written for their values.
const NOTES: u64 = 4_000;
/// Patients whose notes they are.
const PATIENTS: u64 = 200;
/// How long each measurement takes at least.
const LEAST_SECONDS: f64 = 0.6;

/// The values of one patient, one behind the other: as in a run, which has just read the note of which they are, they are at hand.
#[derive(Default)]
struct Patient {
    id: String,
    text: String,
    values: Vec<(Label, Range<usize>)>,
}

impl Patient {
    fn push(&mut self, label: Label, value: &str) {
        let start = self.text.len();
        self.text.push_str(value);
        self.values.push((label, start..self.text.len()));
    }

    fn values(&self) -> impl Iterator<Item = (Label, &str)> {
        self.values.iter().map(|(label, range)| (*label, &self.text[range.clone()]))
    }

    /// The same without values that were there before.
    fn distinct(&self) -> Self {
        let mut seen = HashSet::new();
        let mut distinct = Self { id: self.id.clone(), ..Self::default() };
        self.values().filter(|value| seen.insert(*value)).for_each(|(label, value)| distinct.push(label, value));
        distinct
    }
}

fn main() {
    let key = Key::from_hex(&"5c".repeat(32)).expect("64 hexadecimal digits");
    let patients = patients();
    let begun = Instant::now();
    black_box(Surrogates::new(&key, "nobody").replace(Label::Patient.into(), "Ann Lee"));
    println!("tables arranged in {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);

    let count: usize = patients.iter().map(|patient| patient.values.len()).sum();
    println!("{count} values of {} patients in {NOTES} generated notes\n", patients.len());
    let speed = rate(count, || replace_all(&key, &patients, |_| true));
    println!("  {:<32}{speed:>12.0} a second", "as they come");
    let distinct: Vec<Patient> = patients.iter().map(Patient::distinct).collect();
    let rare: usize = distinct.iter().map(|patient| patient.values.len()).sum();
    let speed = rate(rare, || replace_all(&key, &distinct, |_| true));
    println!(
        "  {:<32}{speed:>12.0} a second ({rare} values: nothing is there to be remembered)\n",
        "each value of a patient once"
    );

    let mut labels: BTreeMap<&str, (Label, usize)> = BTreeMap::new();
    for (label, _) in distinct.iter().flat_map(Patient::values) {
        labels.entry(label.name()).or_insert((label, 0)).1 += 1;
    }
    for (name, (label, count)) in labels {
        let speed = rate(count, || replace_all(&key, &distinct, |other| other == label));
        println!("    {name:<16}{count:>9} distinct values{speed:>14.0} a second");
    }

    let pseudonyms = Pseudonyms::new(&key, "bench");
    let numbers = 200_000;
    let speed = rate(numbers, || {
        (0..numbers as i64).map(|number| pseudonyms.integer(number)).fold(0, |sum, image| sum ^ image)
    });
    println!("\n  {:<32}{speed:>12.0} a second (FF1 there and back: 20 blocks of AES and more)", "integers of 63 bits");
}

/// The gold values of generated notes, by patient.
fn patients() -> Vec<Patient> {
    let warehouse = Warehouse::new(GenerateOptions { notes: NOTES, patients: PATIENTS, seed: 11, canary: false });
    let mut patients: BTreeMap<u64, Patient> = BTreeMap::new();
    for index in 0..NOTES {
        let (note, id) = (warehouse.note(index), warehouse.patient_of(index));
        let patient = patients.entry(id).or_insert_with(|| Patient { id: format!("PT{id:08}"), ..Patient::default() });
        let characters: Vec<char> = note.text.chars().collect();
        for span in &note.gold {
            let value: String = characters[span.start as usize..span.end as usize].iter().collect();
            patient.push(span.label, &value);
        }
    }
    patients.into_values().collect()
}

/// The number of bytes of all surrogates, so that none is left out.
fn replace_all(key: &Key, patients: &[Patient], wanted: impl Fn(Label) -> bool) -> i64 {
    let mut bytes = 0;
    for patient in patients {
        let surrogates = Surrogates::new(key, &patient.id);
        for (label, value) in patient.values().filter(|(label, _)| wanted(*label)) {
            bytes += surrogates.replace(Class::of(label), value).len();
        }
    }
    bytes as i64
}

/// The time that this thread has had a core, where the system tells: the machine may be shared.
fn processor_seconds() -> Option<f64> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(statistics.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

/// How many of `count` things are done in a second. They are done again for a while, as the clock of a core ticks slowly.
fn rate(count: usize, mut work: impl FnMut() -> i64) -> f64 {
    let (begun, processor) = (Instant::now(), processor_seconds());
    let mut done = 0;
    while done < count || begun.elapsed().as_secs_f64() < LEAST_SECONDS {
        black_box(work());
        done += count;
    }
    let seconds = match (processor, processor_seconds()) {
        (Some(from), Some(to)) => to - from,
        _ => begun.elapsed().as_secs_f64(),
    };
    done as f64 / seconds
}
