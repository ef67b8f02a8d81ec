//! The ensemble, opened when it is first needed: models take a second to load, and many a SQL statement finds nothing.
//!
//! ```text
//! run, detect ── ensemble()? before the first note ─▶ opened, or the run stops
//! sql         ── a function that finds asks ────────▶ opened then, or the statement stops
//! ```

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::error::Result;
use crate::detect::Ensemble;

type Open = Box<dyn Fn() -> Result<Ensemble> + Send + Sync>;

/// An ensemble, or how to come by it.
pub(super) struct Opening {
    opened: OnceLock<Ensemble>,
    /// Held while it is opened, so that no two threads load the same models.
    open: Mutex<Open>,
}

impl Opening {
    /// One that is opened when it is first asked for.
    pub(super) fn later(open: impl Fn() -> Result<Ensemble> + Send + Sync + 'static) -> Self {
        Self { opened: OnceLock::new(), open: Mutex::new(Box::new(open)) }
    }

    /// The ensemble.
    ///
    /// # Errors
    /// What opening it fails with; the next one who asks tries again.
    pub(super) fn ensemble(&self) -> Result<&Ensemble> {
        if let Some(ensemble) = self.opened.get() {
            return Ok(ensemble);
        }
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ensemble) = self.opened.get() {
            return Ok(ensemble);
        }
        let ensemble = open()?;
        Ok(self.opened.get_or_init(|| ensemble))
    }
}

impl From<Ensemble> for Opening {
    fn from(ensemble: Ensemble) -> Self {
        Self::later(move || Ok(ensemble.clone()))
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.opened.get() {
            Some(ensemble) => ensemble.fmt(formatter),
            None => formatter.write_str("Ensemble (not opened yet)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::corpus::CorpusError;
    use crate::detect::{InclusionList, Templates};

    #[test]
    fn it_is_opened_once_whoever_asks_and_again_after_a_failure() {
        let tries = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&tries);
        let opening = Opening::later(move || match counted.fetch_add(1, Ordering::SeqCst) {
            0 => Err(CorpusError::configuration("not yet", "try again")),
            _ => Ok(Ensemble::knowledge(InclusionList::default(), Templates::default())),
        });
        assert_eq!(tries.load(Ordering::SeqCst), 0);
        assert!(opening.ensemble().is_err());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| opening.ensemble().unwrap());
            }
        });
        assert_eq!(tries.load(Ordering::SeqCst), 2);
    }
}
