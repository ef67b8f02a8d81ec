//! From a model of other sites' notes to one's own: the scenarios of Hartman et al. (2020).
//!
//! ```text
//! off the shelf   A alone, which needs no training here
//! only B          the site's own examples: from some 500 on, enough by themselves
//! A then B        A's weights, moved by the site's examples as far as these have something to say
//! A mix B         both together, from the beginning
//! ```

use super::crf::{Progress, Settings, train_observed};
use super::{Example, TrainError};
use crate::detect::crf::CrfModel;

/// What a customized model learns from.
#[derive(Debug, Clone, Copy)]
pub enum Scenario<'a> {
    /// The site's examples alone.
    OnlyB,
    /// A base model, then the site's examples.
    AThenB(&'a CrfModel),
    /// The base model's examples and the site's together.
    AMixB(&'a [Example]),
}

/// Trains a model for a site, `site` being its own examples, and tells of each step. "A then B" takes scheme and families from the
/// base model.
///
/// # Errors
/// See [`TrainError`].
pub fn customize(
    site: &[Example],
    scenario: Scenario<'_>,
    settings: &Settings,
    observe: impl FnMut(Progress),
) -> Result<CrfModel, TrainError> {
    match scenario {
        Scenario::OnlyB => train_observed(site, settings, None, observe),
        Scenario::AThenB(base) => {
            let settings = Settings { families: base.families(), scheme: base.tags().scheme(), ..settings.clone() };
            train_observed(site, &settings, Some(base), observe)
        }
        Scenario::AMixB(others) => {
            let both: Vec<Example> = others.iter().chain(site).cloned().collect();
            train_observed(&both, settings, None, observe)
        }
    }
}
