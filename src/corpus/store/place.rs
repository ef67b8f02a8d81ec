//! A location as other machines find it.

use serde::{Deserialize, Serialize};

use super::{Location, StoreOptions};
use crate::corpus::error::Result;

/// A location as other machines find it: credentials are named, not told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// A URL; one of a file is the same for all of them.
    pub uri: String,
    /// Options of the store, `KEY=VALUE`; secrets as `KEY=env:NAME` or `KEY=file:PATH`, to be found by whoever goes there.
    pub options: Vec<String>,
}

impl Place {
    /// A location that was understood with options of its store.
    pub fn of(location: &Location, options: &[String]) -> Self {
        let options = if location.local_path().is_some() { Vec::new() } else { options.to_vec() };
        Self { uri: location.url().to_string(), options }
    }

    /// The location, as this machine finds it.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`](crate::corpus::CorpusError::Configuration) for what is no location, or options that cannot be followed here.
    pub fn location(&self) -> Result<Location> {
        Location::parse_with(&self.uri, &StoreOptions::parse(&self.options)?)
    }
}
