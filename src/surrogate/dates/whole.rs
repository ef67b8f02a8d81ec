//! Whole dates in a text that cannot be understood as dates all together.
//!
//! ```text
//! 3/4/5/6 and 5/6/2019 → the last one     DOB 1/2/1950 (70) → the day of birth     20140305101112^7153 → the stamp
//! ```

use super::ordinals::without_ordinal;
use super::recognise::{Core, Recogniser, Written};

impl Recogniser<'_> {
    /// The whole dates among parts that cannot be understood all together: each with its year, month and day beside each other.
    pub fn whole_dates(&self) -> Vec<Written> {
        let cores: Vec<Core> = (0..self.tokens.len()).filter_map(|index| self.core(index)).collect();
        let (mut found, mut at) = (Vec::new(), 0);
        while at < cores.len() {
            let stamp = self.packed(cores[at]).filter(|_| self.is_stamp(&cores[at..=at]));
            match stamp.or_else(|| self.whole_date(&cores, at)) {
                Some(date) => {
                    at += if date.packed.is_some() { 1 } else { 3 };
                    found.push(date);
                }
                None => at += 1,
            }
        }
        found
    }

    /// A date of the three parts from one on, which have one mark between them and no more of it around them, or a name among them.
    fn whole_date(&self, cores: &[Core], at: usize) -> Option<Written> {
        let parts = cores.get(at..at + 3)?;
        let [first, second, third] = parts else { return None };
        let marks = [self.between(*first, *second), self.between(*second, *third)];
        let goes_on = |left: Option<&Core>, right: Option<&Core>| match (left, right) {
            (Some(left), Some(right)) => self.between(*left, *right) == marks[0],
            _ => false,
        };
        let is_mark = |mark: char| matches!(mark, ' ' | ',' | '.' | '-' | '/' | '\n');
        let bare = |between: &&str| without_ordinal(between).chars().all(is_mark);
        let joined = match parts.iter().any(|part| part.month) {
            true => marks.iter().all(bare),
            false => {
                let earlier = at.checked_sub(1).and_then(|before| cores.get(before));
                marks[0] == marks[1]
                    && matches!(marks[0], "/" | "-" | "." | ":")
                    && !goes_on(earlier, Some(first))
                    && !goes_on(Some(third), cores.get(at + 3))
            }
        };
        let date = self.single(parts).filter(|_| joined)?;
        (date.year.is_some() && date.month.is_some() && date.days.len() == 1).then_some(date)
    }
}
