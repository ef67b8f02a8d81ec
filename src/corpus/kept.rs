//! What is made for a patient when one of the patient's notes is met, and kept for the next.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many are kept at once, some twenty kilobytes each; the notes of a patient often lie together, but need not.
const KEPT: usize = 8_192;

/// Values by patient, made when first asked for.
#[derive(Debug)]
pub(super) struct Kept<T: ?Sized> {
    values: Mutex<HashMap<String, Arc<T>>>,
}

impl<T: ?Sized> Default for Kept<T> {
    fn default() -> Self {
        Self { values: Mutex::default() }
    }
}

impl<T: ?Sized> Kept<T> {
    /// The value of a patient; `make` is called without a lock, so that workers do not wait for one another.
    pub(super) fn get(&self, patient: &str, make: impl FnOnce() -> Arc<T>) -> Arc<T> {
        if let Some(value) = self.values.lock().unwrap_or_else(PoisonError::into_inner).get(patient) {
            return Arc::clone(value);
        }
        let value = make();
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= KEPT {
            values.clear();
        }
        values.insert(patient.to_owned(), Arc::clone(&value));
        value
    }
}
