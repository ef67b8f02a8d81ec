//! Jobs.
//!
//! ```text
//! truck driver → beekeeper     Welders → Bakers     retired teacher → retired roofer     (an) usher → (an) actor
//! ```

use super::casing::{Casing, fold};
use super::organizations::Institutions;
use super::places::from_list;
use super::tables::Tables;

impl Institutions<'_> {
    /// A job; a plural stays one.
    pub(super) fn profession(&self, value: &str) -> String {
        if let Some((adjective, job)) = value.split_once(' ')
            && ["retired", "former", "unemployed", "ex"].iter().any(|known| adjective.eq_ignore_ascii_case(known))
            && !job.trim().is_empty()
        {
            return format!("{adjective} {}", self.profession(job));
        }
        let (randomness, list) = (self.places.randomness, Tables::shared().jobs_like(value));
        let is_listed = |job: &str| Tables::shared().jobs_like(job).position(&fold(job)).is_some();
        // `line cooks` are cooks.
        let is_one = |job: &str| is_listed(job) || job.rsplit(' ').next().is_some_and(is_listed);
        let singular = value.strip_suffix(['s', 'S']).filter(|singular| is_one(singular));
        let image = match singular.filter(|_| !is_listed(value)) {
            Some(singular) => from_list(randomness, "professions", list, singular)
                .map(|image| image + if Casing::of(value) == Casing::Upper { "S" } else { "s" }),
            None => from_list(randomness, "professions", list, value),
        };
        match image {
            Some(image) if Casing::of(value) == Casing::Title => first_capital(&image),
            Some(image) => image,
            None => String::from("shopkeeper"),
        }
    }
}

/// A job at the beginning of a sentence has one capital, a title as `Truck Driver` would have more: both read well so.
fn first_capital(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut characters = lower.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::organizations::tests::with;
    use crate::surrogate::tables::is_behind_an;

    #[test]
    fn jobs_become_jobs() {
        with(1, |institutions| {
            for value in
                ["truck driver", "Teacher", "FARMER", "welders", "quidditch referee", "retired", "retired teacher"]
            {
                let image = institutions.profession(value);
                assert!(!image.eq_ignore_ascii_case(value) && !image.is_empty());
                assert_eq!(Casing::of(&image), Casing::of(value), "{value} {image}");
            }
            for (job, behind_an) in [("engineer", true), ("usher", true), ("union organizer", false), ("welder", false)]
            {
                assert_eq!(is_behind_an(job), behind_an);
                assert_eq!(is_behind_an(&institutions.profession(job)), behind_an, "{job}");
            }
            assert!(institutions.profession("welders").ends_with('s'));
            assert!(institutions.profession("night-shift welders").ends_with('s'));
        });
    }
}
