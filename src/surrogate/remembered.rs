//! What a patient's surrogates were lately asked for, so that the same value is not worked out again.
//!
//! ```text
//! PATIENT "Smith" ─ hash ─▶ slot ─ same value? ─▶ "Hughes"
//! ```
//!
//! It changes how fast an answer comes and never which: a slot is taken over by the next value that falls into it.

use std::sync::{Mutex, PoisonError};

use chrono::NaiveDate;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::phi::{Class, Label};

/// Slots; notes of one patient seldom hold more values that come again.
const SLOTS: usize = 256;
/// Longer values are not worth remembering.
const LONGEST: usize = 64;

/// Surrogates by what they stand for.
#[derive(Default)]
pub(super) struct Remembered {
    slots: Mutex<Vec<Option<Slot>>>,
}

struct Slot {
    class: Class,
    anchor: Option<NaiveDate>,
    /// The value, and from `split` on its surrogate.
    texts: Box<str>,
    split: usize,
}

impl Slot {
    fn answers(&self, class: Class, anchor: Option<NaiveDate>, value: &str) -> bool {
        self.class == class && self.anchor == anchor && self.texts[..self.split] == *value
    }
}

impl Remembered {
    /// The surrogate that was made for a value, or the one that is made now. Nothing is held while it is made.
    pub(super) fn or_make(
        &self,
        class: Class,
        anchor: Option<NaiveDate>,
        value: &str,
        make: impl FnOnce() -> String,
    ) -> String {
        if value.len() > LONGEST {
            return make();
        }
        let slot = slot(class, value);
        if let Some(Some(known)) = self.slots().get(slot)
            && known.answers(class, anchor, value)
        {
            return known.texts[known.split..].to_owned();
        }
        let surrogate = make();
        let mut slots = self.slots();
        if slots.is_empty() {
            slots.resize_with(SLOTS, || None);
        }
        let texts = [value, &surrogate].concat().into_boxed_str();
        slots[slot] = Some(Slot { class, anchor, texts, split: value.len() });
        surrogate
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, Vec<Option<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn slot(class: Class, value: &str) -> usize {
    let label = match class.label {
        Label::Site(label) => label.name().len() as u64,
        label => label.name().as_ptr() as u64,
    };
    xxh3_64_with_seed(value.as_bytes(), label ^ (class.kind as u64) << 56) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_and_never_taken_for_another() {
        let remembered = Remembered::default();
        let mut made = 0;
        for round in 0..2 {
            for number in 0..20_000_u32 {
                let value = number.to_string();
                let answer = remembered.or_make(Label::Patient.into(), None, &value, || {
                    made += 1;
                    format!("s{number}")
                });
                assert_eq!(answer, format!("s{number}"), "{round}");
            }
        }
        let before = made;
        for _ in 0..3 {
            remembered.or_make(Label::Patient.into(), None, "19999", || unreachable!("it was the last one"));
        }
        assert_eq!(made, before);
        assert_eq!(remembered.or_make(Label::Doctor.into(), None, "19999", || String::from("other")), "other");
        let day = NaiveDate::from_ymd_opt(2019, 3, 4);
        assert_eq!(remembered.or_make(Label::Patient.into(), day, "19999", || String::from("that day")), "that day");
    }
}
