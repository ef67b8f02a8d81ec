//! What the process was given: its variables, and the home of its user. Tests give their own.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Variables by name, and where profiles are looked for.
#[derive(Default)]
pub(super) struct Environment {
    variables: BTreeMap<String, String>,
    home: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process. What is not Unicode is left out: no setting of a store is.
    pub(super) fn of_process() -> Self {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Self { variables, home: std::env::home_dir() }
    }

    #[cfg(test)]
    pub(super) fn of(variables: &[(&str, &str)], home: Option<PathBuf>) -> Self {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self { variables, home }
    }

    /// A variable as it is named, else in any case. One that is empty counts as not set.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let in_any_case =
            || self.variables().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        let exact = self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty());
        exact.or_else(in_any_case)
    }

    /// All variables that are not empty, by name.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.filter(|(_, value)| !value.is_empty())
    }

    /// A path in which `~/` stands for the user's home.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), &self.home) {
            (Some(below), Some(home)) => home.join(below),
            _ => PathBuf::from(path),
        }
    }
}
