//! What of the surrogates a site may choose.
//!
//! ```toml
//! [surrogate]
//! date_shift = { shortest = 8, longest = 52, unit = "weeks" }
//! date_order = "month-first"    # 3/4/2019 is 4 March; or "day-first": 3 April
//! ages_over_89 = "89+"          # or "90+"
//! oldest_year = 1937            # dates of earlier years tell an age over 89: they are taken to be in this one; 0: they are not
//! area_codes = "changed"        # or "state", "kept"
//! reserved_numbers = false      # telephone numbers from 555-0100 to 555-0199 only
//! keep_states = false
//! ```
//!
//! Options belong to a release as its key does: other ones give other surrogates.

use serde::{Deserialize, Serialize};

/// Choices for all patients of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SurrogateOptions {
    /// How far a patient's dates move.
    pub date_shift: DateShift,
    /// What the first number of a date is where it may be the month or the day.
    pub date_order: DateOrder,
    /// What stands for an age over 89.
    pub ages_over_89: AgesOver89,
    /// The first year whose dates tell no age over 89: that of the newest notes less 89. A birth date of an earlier year tells as much as such
    /// an age does (45 CFR 164.514(b)(2)(i)(C)), so dates of all earlier years are taken to be of this one before they are shifted. Zero
    /// leaves them in theirs.
    pub oldest_year: u16,
    /// What becomes of the area codes of telephone numbers.
    pub area_codes: AreaCodes,
    /// Whether telephone numbers become ones that nobody has, 555-0100 to 555-0199. As there are only a hundred in each area, two
    /// numbers of a patient may become one, and there is no way back.
    pub reserved_numbers: bool,
    /// Whether states stay. Cities, counties and zip codes then move within their state; a state with one such place keeps it in form
    /// only.
    pub keep_states: bool,
}

/// The range of the shift: never zero, in either direction, the same for all dates of a patient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DateShift {
    /// The shortest shift.
    pub shortest: u16,
    /// The longest shift.
    pub longest: u16,
    /// What they count.
    #[serde(default)]
    pub unit: ShiftUnit,
}

/// What a shift is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShiftUnit {
    /// Whole weeks: weekdays stay true. Where weekdays are kept beside shifted dates, any other shift could be told modulo seven.
    #[default]
    Weeks,
    /// Days: weekdays that stand beside a date move with it.
    Days,
}

/// What the first number of a date such as `3/4/2019` or `3.4.2019` is. Where only one of the two can be the month, that one is; and behind a
/// year comes the month.
///
/// A date that is read the other way round moves as another day: away from the patient's dates that name their month, and perhaps to
/// one that the country does not write, as `6/17/2019`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateOrder {
    /// The month, as in the United States.
    #[default]
    MonthFirst,
    /// The day, as in most other countries.
    DayFirst,
}

/// How an age over 89 is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AgesOver89 {
    /// `89+`, in words `over 89`.
    #[default]
    #[serde(rename = "89+")]
    Over89,
    /// `90+`, in words `ninety or over`.
    #[serde(rename = "90+")]
    From90,
}

/// What becomes of area codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AreaCodes {
    /// They change with the rest of the number.
    #[default]
    Changed,
    /// They become others of the same state, where it has several; toll-free ones become toll-free ones, and unknown ones stay. The
    /// state is told by it, as it is by [`SurrogateOptions::keep_states`].
    State,
    /// They stay, and the rest of the number changes. An area code tells a region.
    Kept,
}

/// What is wrong with options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// The text is no such file.
    #[error("the options of surrogates cannot be read: {reason}")]
    Syntax {
        /// Where and why.
        reason: String,
    },
    /// The oldest year is none.
    #[error("oldest_year is the year of the newest notes less 89, from {} to {}, or 0", YEARS.start(), YEARS.end())]
    OldestYear,
    /// The range of the shift is empty, or holds zero, or is longer than ten years.
    #[error("a date shift goes from 1 or more to at most 10 years, and not backwards")]
    Shift,
}

/// What the oldest year may be.
const YEARS: std::ops::RangeInclusive<u16> = 1850..=2150;
/// The oldest year unless options say otherwise: for notes up to 2026.
const OLDEST_YEAR: u16 = 1937;
/// The longest shift in days.
const LONGEST_DAYS: u32 = 3_650;

/// Nothing is passed over: a name that is mistyped would leave the defaults, and nobody would know.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionsFile {
    surrogate: SurrogateOptions,
}

impl SurrogateOptions {
    /// Options from a TOML text, which is the table `[surrogate]`; what is not in it is as by default.
    ///
    /// # Errors
    /// [`OptionsError`] where there is no such table, or something beside it, where it holds something else, or a range is none.
    pub fn from_toml(text: &str) -> Result<Self, OptionsError> {
        let file: OptionsFile =
            toml::from_str(text).map_err(|error| OptionsError::Syntax { reason: error.message().to_owned() })?;
        file.surrogate.checked()
    }

    /// The options themselves, where they can be followed.
    ///
    /// # Errors
    /// [`OptionsError`] where the range of the shift, or the oldest year, is none.
    pub fn checked(self) -> Result<Self, OptionsError> {
        let DateShift { shortest, longest, .. } = self.date_shift;
        let days = u32::from(longest) * self.date_shift.unit.days() as u32;
        if self.oldest_year != 0 && !YEARS.contains(&self.oldest_year) {
            return Err(OptionsError::OldestYear);
        }
        if shortest == 0 || shortest > longest || days > LONGEST_DAYS { Err(OptionsError::Shift) } else { Ok(self) }
    }
}

impl Default for SurrogateOptions {
    fn default() -> Self {
        Self {
            date_shift: DateShift::default(),
            date_order: DateOrder::default(),
            ages_over_89: AgesOver89::default(),
            oldest_year: OLDEST_YEAR,
            area_codes: AreaCodes::default(),
            reserved_numbers: false,
            keep_states: false,
        }
    }
}

impl Default for DateShift {
    /// From 8 to 52 weeks.
    fn default() -> Self {
        Self { shortest: 8, longest: 52, unit: ShiftUnit::Weeks }
    }
}

impl DateShift {
    /// The shift of this number, counted from the shortest forwards and then from the shortest backwards, in days.
    pub(super) fn days(self, number: usize) -> i64 {
        let (choices, unit) = (self.choices() as i64 / 2, self.unit.days());
        let (number, sign) = if (number as i64) < choices { (number as i64, 1) } else { (number as i64 - choices, -1) };
        sign * unit * (i64::from(self.shortest.max(1)) + number)
    }

    /// How many shifts there are.
    pub(super) fn choices(self) -> usize {
        2 * (usize::from(self.longest).saturating_sub(usize::from(self.shortest.max(1))) + 1)
    }
}

impl ShiftUnit {
    const fn days(self) -> i64 {
        match self {
            Self::Weeks => 7,
            Self::Days => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_what_it_names_and_defaults_for_the_rest() {
        assert_eq!(SurrogateOptions::from_toml("[surrogate]"), Ok(SurrogateOptions::default()));
        let text = "[surrogate]\nages_over_89 = '90+'\ndate_shift = { shortest = 1, longest = 30, unit = 'days' }";
        let options = SurrogateOptions::from_toml(text).unwrap();
        assert_eq!(options.ages_over_89, AgesOver89::From90);
        assert_eq!(options.date_shift, DateShift { shortest: 1, longest: 30, unit: ShiftUnit::Days });
        assert_eq!(options.area_codes, AreaCodes::Changed);
        assert_eq!(options.date_order, DateOrder::MonthFirst);
        let day_first = SurrogateOptions::from_toml("[surrogate]\ndate_order = 'day-first'").unwrap();
        assert_eq!(day_first.date_order, DateOrder::DayFirst);
        let written = format!(
            "[surrogate]\n{}",
            toml::to_string(&options).unwrap().replace("[date_shift]", "[surrogate.date_shift]")
        );
        assert_eq!(SurrogateOptions::from_toml(&written), Ok(options));
    }

    #[test]
    fn what_would_be_passed_over_is_refused() {
        for text in [
            "",
            "date_order = 'day-first'",
            "[surrogates]\ndate_order = 'day-first'",
            "base = 'C'\n[surrogate]\nkeep_states = true",
            "[surrogate]\nkeep_states = true\n[more]",
        ] {
            assert!(matches!(SurrogateOptions::from_toml(text), Err(OptionsError::Syntax { .. })), "{text}");
        }
    }

    #[test]
    fn ranges_that_are_none_are_refused() {
        for shift in
            ["{ shortest = 0, longest = 4 }", "{ shortest = 5, longest = 4 }", "{ shortest = 1, longest = 600 }"]
        {
            let text = format!("[surrogate]\ndate_shift = {shift}");
            assert_eq!(SurrogateOptions::from_toml(&text), Err(OptionsError::Shift), "{shift}");
        }
        assert_eq!(SurrogateOptions::from_toml("[surrogate]\noldest_year = 89"), Err(OptionsError::OldestYear));
        assert_eq!(SurrogateOptions::from_toml("[surrogate]\noldest_year = 0").unwrap().oldest_year, 0);
        assert!(matches!(SurrogateOptions::from_toml("[surrogate]\nshift = 1"), Err(OptionsError::Syntax { .. })));
    }

    #[test]
    fn every_shift_of_a_range_is_one_of_its_numbers() {
        let shift = DateShift { shortest: 2, longest: 4, unit: ShiftUnit::Weeks };
        let days: Vec<i64> = (0..shift.choices()).map(|number| shift.days(number)).collect();
        assert_eq!(days, [14, 21, 28, -14, -21, -28]);
        let default = DateShift::default();
        assert!((0..default.choices()).all(|number| (56..=364).contains(&default.days(number).abs())));
        assert_eq!(default.choices(), 90);
    }
}
