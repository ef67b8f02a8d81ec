//! What a field for somebody's job holds, whatever it is: `Occ:DEBONER DOI:…`, `Occupation: hula teacher / farm wife`.

use super::agents::is_of_medicine;
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::words::Words;
use crate::detect::listed::listed;
use crate::phi::Label;

/// What such a field is called.
const FIELDS: &str = "occ occup occupation occupations profession";
/// What it holds where no job is told.
const NO_JOBS: &str = "marital employer education religion race language phone address email none n na unknown unemployed retired former disabled student unable not no per see deferred denies pending declined refused \
                       other yes on off same never currently stable hx exposure exposures therapy history status of and or the";
/// What goes on behind a job.
const BEHIND: &str = "at for in from with x since until who employer phone marital education address name dob sex";
/// A job has so many words at most.
const LONGEST: usize = 4;

/// Adds the job in the field that a word is the name of.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    if !listed!(words.text(index), FIELDS) || words.list.len() < index + 2 {
        return;
    }
    let between = words.between(index + 1);
    if !between.starts_with(':') || !between[1..].trim_matches(' ').is_empty() {
        return;
    }
    let mut first = index + 1;
    while listed!(words.text(first), "retired former")
        && words.between_after(first).starts_with(' ')
        && words.get(first + 1).is_some()
    {
        first += 1;
    }
    let mut last = first;
    while last - first + 1 < LONGEST && words.get(last + 1).is_some() && goes_on(words, last + 1) {
        last += 1;
    }
    // `Occ:DEBONER DOI:081919`: which of the words belong to the next label nobody knows.
    if words.between_after(last).starts_with(':') {
        last = first;
    }
    let range = words.list[first].start..words.list[last].end;
    let is_job = range.len() > 3
        && !words.between_after(last).starts_with(':')
        && !listed!(words.text(first), NO_JOBS)
        && !is_of_medicine(words.list[first].known);
    if is_job && !found.covers(range.clone()) {
        found.add(range, Label::Profession, 0.6);
    }
}

fn goes_on(words: &Words, next: usize) -> bool {
    matches!(words.between(next), " " | "-" | "/" | " / " | " & ") && !listed!(words.text(next), BEHIND)
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::professions::tests::jobs;

    #[test]
    fn jobs_of_fields() {
        for (sentence, job) in [
            ("Employer:TYSON Occ:DEBONER DOI:081919", "DEBONER"),
            ("Occupation: rope walker", "rope walker"),
            ("Occupation: retired feather sorter at a mill", "feather sorter"),
        ] {
            assert!(jobs(sentence).contains(&job), "{sentence}: {:?}", jobs(sentence));
        }
        for sentence in ["Occupation: none", "Occupation: unemployed since 2019", "Occupation: Marital status: M"] {
            assert_eq!(jobs(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
