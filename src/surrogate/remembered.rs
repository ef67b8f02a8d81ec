//! What a patient's surrogates were lately asked for, so that the same value is not worked out again.
//!
//! ```text
//! PATIENT "Smith" ─ hash ─▶ slot ─ same value? ─▶ "Hughes"
//! ```
//!
//! It changes how fast an answer comes and never which: a slot is taken over by the next value that falls into it.

use std::cell::RefCell;

use chrono::NaiveDate;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::phi::{Class, Label};

/// Slots at first, enough for one note, and at most; notes of one patient seldom hold more values that come again.
const FEWEST: usize = 32;
const MOST: usize = 256;
/// Longer values are not worth remembering.
const LONGEST: usize = 64;

/// Surrogates by what they stand for.
#[derive(Default)]
pub(super) struct Remembered {
    slots: RefCell<Slots>,
}

/// A power of two of slots, or none as yet.
#[derive(Default)]
struct Slots {
    places: Vec<Option<Slot>>,
    taken: usize,
}

impl Slots {
    fn get(&self, hash: usize) -> Option<&Slot> {
        self.places.get(hash & self.places.len().wrapping_sub(1))?.as_ref()
    }

    /// Puts a value where another one may be.
    fn put(&mut self, slot: Slot) {
        if self.taken * 2 >= self.places.len() && self.places.len() < MOST {
            self.grow();
        }
        let at = slot.hash & (self.places.len() - 1);
        self.taken += usize::from(self.places[at].is_none());
        self.places[at] = Some(slot);
    }

    fn grow(&mut self) {
        let more = (self.places.len() * 4).clamp(FEWEST, MOST);
        let before = std::mem::take(&mut self.places);
        self.places.resize_with(more, || None);
        self.taken = 0;
        for slot in before.into_iter().flatten() {
            let at = slot.hash & (more - 1);
            self.taken += usize::from(self.places[at].is_none());
            self.places[at] = Some(slot);
        }
    }
}

struct Slot {
    class: Class,
    anchor: Option<NaiveDate>,
    /// The value, and from `split` on its surrogate.
    texts: Box<str>,
    split: usize,
    hash: usize,
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
        let hash = hash_of(class, value);
        if let Some(known) = self.slots.borrow().get(hash)
            && known.answers(class, anchor, value)
        {
            return known.texts[known.split..].to_owned();
        }
        let surrogate = make();
        let texts = [value, &surrogate].concat().into_boxed_str();
        self.slots.borrow_mut().put(Slot { class, anchor, texts, split: value.len(), hash });
        surrogate
    }
}

fn hash_of(class: Class, value: &str) -> usize {
    let label = match class.label {
        Label::Site(label) => label.name().len() as u64,
        label => label.name().as_ptr() as u64,
    };
    xxh3_64_with_seed(value.as_bytes(), label ^ (class.kind as u64) << 56) as usize
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
