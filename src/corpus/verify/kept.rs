//! What is made for a patient when one of the patient's notes is met, and kept for the next.
//!
//! ```text
//! note of P1 ─▶ made      note of P1 ─▶ kept      … 4,096 other patients …       note of P1 ─▶ perhaps made again
//! ```

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

/// How many are kept at once: the notes of a patient often lie together, but need not.
const KEPT: usize = 4_096;

/// Values by patient, made when first asked for.
#[derive(Debug)]
pub(super) struct Kept<T: ?Sized> {
    values: Mutex<Values<T>>,
}

#[derive(Debug)]
struct Values<T: ?Sized> {
    by_patient: HashMap<Arc<str>, Arc<T>>,
    /// The patients of whom something is kept, each at its place.
    places: Vec<Arc<str>>,
    /// How many had to leave.
    left: u64,
}

impl<T: ?Sized> Default for Kept<T> {
    fn default() -> Self {
        Self { values: Mutex::new(Values { by_patient: HashMap::new(), places: Vec::new(), left: 0 }) }
    }
}

impl<T: ?Sized> Kept<T> {
    /// The value of a patient; `make` is called without a lock, so that workers do not wait for one another.
    pub(super) fn get(&self, patient: &str, make: impl FnOnce() -> Arc<T>) -> Arc<T> {
        if let Some(value) = self.values.lock().unwrap_or_else(PoisonError::into_inner).by_patient.get(patient) {
            return Arc::clone(value);
        }
        let value = make();
        let leaves = self.values.lock().unwrap_or_else(PoisonError::into_inner).put(patient, &value, KEPT);
        // Freed without the lock.
        drop(leaves);
        value
    }
}

impl<T: ?Sized> Values<T> {
    /// Keeps a value; gives the one that had to leave for it.
    ///
    /// Which one leaves is as good as drawn. Where notes come in no order of patients, the oldest one would always be gone when its patient
    /// comes again; of one that is drawn, as large a share is still there as there is room for.
    fn put(&mut self, patient: &str, value: &Arc<T>, most: usize) -> Option<Arc<T>> {
        let patient: Arc<str> = patient.into();
        if let Some(known) = self.by_patient.insert(Arc::clone(&patient), Arc::clone(value)) {
            // Another worker was as fast; its place is the patient's.
            return Some(known);
        }
        if self.places.len() < most {
            self.places.push(patient);
            return None;
        }
        self.left += 1;
        let place = xxh3_64(&self.left.to_le_bytes()) as usize % self.places.len();
        let leaves = std::mem::replace(&mut self.places[place], patient);
        self.by_patient.remove(&leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded_and_of_many_patients_in_turn_some_are_still_there() {
        let mut values = Values { by_patient: HashMap::new(), places: Vec::new(), left: 0 };
        let mut kept = 0;
        for round in 0..10 {
            for patient in 0..200 {
                let patient = format!("P{patient}");
                if values.by_patient.contains_key(patient.as_str()) {
                    kept += usize::from(round > 0);
                    continue;
                }
                values.put(&patient, &Arc::new(round), 100);
                assert!(values.by_patient.len() <= 100 && values.by_patient.len() == values.places.len());
                assert!(values.by_patient.contains_key(patient.as_str()));
            }
        }
        assert!(kept > 300, "{kept} of 1,800");
    }

    #[test]
    fn a_value_is_made_once_and_is_the_patients_own() {
        let kept = Kept::default();
        let value = |patient: &str| kept.get(patient, || Arc::new(patient.to_owned()));
        let (one, other) = (value("P1"), value("P2"));
        assert_eq!((one.as_str(), other.as_str()), ("P1", "P2"));
        assert!(Arc::ptr_eq(&one, &kept.get("P1", || panic!("it is kept"))));
    }
}
