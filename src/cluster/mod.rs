//! One session over many machines, on Ballista: a scheduler plans, executors compute.
//!
//! ```text
//! sql, serve, run ────── plan ──────▶ scheduler ── stages ─▶ executors: functions, models, key and records of their own
//!       ▲                            no key, no models             │  what stages hand on: files below --work
//!       └──────────────────────────── rows ────────────────────────┘
//! ```
//!
//! Functions travel by name, so those who compute must be the same: a session tells the [fingerprint](crate::corpus::Deidentifier::fingerprint) of
//! its detectors, policy, surrogates, records and key, and an executor that has another one refuses its work. A run is cut into
//! [tasks](crate::corpus::TaskOptions), which the executors do one by one; whatever becomes of an executor, its tasks are done again elsewhere.
//!
//! Whoever may speak to a scheduler may have files read and written in the name of the executors. So scheduler, executors and clients show one
//! another certificates of the cluster's own authority; without them all must be on one machine.

mod attended;
mod client;
mod codec;
mod executor;
mod identity;
mod planner;
mod scheduler;
mod tasks;
mod written_times;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use datafusion::common::config::{ConfigEntry, ConfigExtension, ExtensionOptions};
use datafusion::common::config_err;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::prelude::SessionConfig;

pub use client::Cluster;
pub use executor::{ExecutorOptions, execute};
pub use identity::Identity;
pub use scheduler::{SchedulerOptions, schedule};
pub use tasks::ClusterRun;

use crate::corpus::{Deidentifier, state_of_others};

/// The largest message between them, in bytes: a plan with tables that were typed in, a batch of rows.
const LARGEST_MESSAGE: u32 = 256 << 20;

/// What a session tells the executors of itself: the fingerprint of what finds and replaces in it.
#[derive(Debug, Clone, Default)]
struct SessionIdentity {
    fingerprint: String,
}

impl ConfigExtension for SessionIdentity {
    const PREFIX: &'static str = "plainsight_cluster";
}

// By hand: what the engine's macro writes leaves out the prefix where settings are listed, and so they do not arrive.
impl ExtensionOptions for SessionIdentity {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn ExtensionOptions> {
        Box::new(self.clone())
    }

    fn set(&mut self, key: &str, value: &str) -> datafusion::error::Result<()> {
        match key {
            "fingerprint" => value.clone_into(&mut self.fingerprint),
            _ => return config_err!("there is no setting `{}.{key}`", Self::PREFIX),
        }
        Ok(())
    }

    fn entries(&self) -> Vec<ConfigEntry> {
        vec![ConfigEntry {
            key: format!("{}.fingerprint", Self::PREFIX),
            value: Some(self.fingerprint.clone()),
            description: "The fingerprint of what finds and replaces in this session; an executor with another one refuses its work",
        }]
    }
}

/// The state of a session that runs the plans of clients in the name of a deidentifier; tasks of runs work below the folder `work`.
fn state(
    deidentifier: &Arc<Deidentifier>,
    config: SessionConfig,
    work: &Path,
) -> datafusion::error::Result<SessionState> {
    let mut state = state_of_others(deidentifier, config)?;
    state.register_udf(Arc::new(tasks::run_task(deidentifier, work)))?;
    Ok(state)
}

/// Settings that know those that come from clients.
fn with_options(config: SessionConfig) -> SessionConfig {
    config.with_option_extension(SessionIdentity::default())
}
