//! What is settled for one note before its text is written: who writes, about whom, when, with whom around.
//!
//! ```text
//! note 4711 ──▶ patient 17's record
//!           ├─▶ its own cast: author, nurse, relative, friend, day of the note, of admission, of the operation
//!           └─▶ the cast of the earlier note whose paragraphs are copied forward
//! ```

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime};

use super::person::Person;
use super::random::Random;
use super::record::{Record, Relative, staff_member};
use super::slot::{When, Who};

/// The patient of a note, with two casts.
#[derive(Debug)]
pub(super) struct Scene {
    pub record: Record,
    pub account: String,
    /// Those of the note itself.
    pub own: Cast,
    /// Those of the earlier note that copied paragraphs come from.
    pub copied: Cast,
    /// Tells the copied paragraphs of one patient's time from those of another.
    pub copied_keys: [u64; 2],
    pub seed: u64,
    pub invented: bool,
}

/// The people and days of one note.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    pub moment: NaiveDateTime,
    admission: NaiveDate,
    procedure: NaiveDate,
    friend: Person,
    nurse: Person,
    author: usize,
    relative: usize,
}

impl Cast {
    /// The cast of the note that these keys stand for.
    pub fn draw(record: &Record, moment: NaiveDateTime, keys: [u64; 2], seed: u64, invented: bool) -> Self {
        let mut random = Random::of(&[seed, 0x5343, keys[0], keys[1]]);
        let before = |days: u64| moment.date().checked_sub_days(Days::new(days)).unwrap_or(moment.date());
        Self {
            moment,
            admission: before(random.below(8)),
            procedure: before(random.below(15)),
            friend: Person::draw(random.chance(500), invented, &mut random),
            nurse: staff_member(seed, invented, &mut random),
            author: random.below(record.providers.len() as u64) as usize,
            relative: random.below(record.kin.len() as u64) as usize,
        }
    }

    /// A day.
    pub fn day(&self, when: When, record: &Record, random: &mut Random) -> NaiveDate {
        let today = self.moment.date();
        let ago = |days: i64| today.checked_sub_days(Days::new(days.unsigned_abs())).unwrap_or(today);
        match when {
            When::Note => today,
            When::Recent => ago(random.between(1, 60)),
            When::Past => ago(random.between(365, 15 * 365)),
            When::Future => today.checked_add_days(Days::new(random.between(3, 180).unsigned_abs())).unwrap_or(today),
            When::Birth => record.birth_date,
            When::Admission => self.admission,
            When::Procedure => self.procedure,
        }
    }

    /// The patient's age in completed years on the day of the note.
    pub fn age(&self, record: &Record) -> i64 {
        let (today, birth) = (self.moment.date(), record.birth_date);
        let had_birthday = (today.month(), today.day()) >= (birth.month(), birth.day());
        (i64::from(today.year() - birth.year()) - i64::from(!had_birthday)).max(0)
    }
}

impl Scene {
    /// The person that a slot speaks of; none where it is to be drawn afresh.
    pub fn person<'a>(&'a self, cast: &'a Cast, who: Who) -> Option<&'a Person> {
        let provider = |place: usize| self.record.providers.get(place % self.record.providers.len().max(1));
        match who {
            Who::Patient => Some(&self.record.person),
            Who::Kin | Who::OtherKin => self.relative(cast, who).map(|relative| &relative.person),
            Who::Friend => Some(&cast.friend),
            Who::Doctor => provider(cast.author),
            Who::Consultant => provider(cast.author + 1),
            Who::Primary => provider(0),
            Who::Nurse => Some(&cast.nurse),
            Who::Stranger | Who::Staff => None,
        }
    }

    /// The member of the family that a slot speaks of.
    pub fn relative(&self, cast: &Cast, who: Who) -> Option<&Relative> {
        let place = cast.relative + usize::from(who == Who::OtherKin);
        self.record.kin.get(place % self.record.kin.len().max(1))
    }
}
