//! Statements between two calls: those that are about to be fetched, and prepared ones. A handle is random, belongs to who made it, and ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use datafusion::logical_expr::LogicalPlan;

use arrow::datatypes::SchemaRef;

use super::access::{Caller, random};
use crate::corpus::Result;

/// How long a statement waits to be fetched.
const TICKET_LASTS: Duration = Duration::from_secs(600);
/// How long a prepared statement lasts that is not used.
const PREPARED_LASTS: Duration = Duration::from_secs(3600);
/// How many of each a user may have; the oldest gives way.
const MOST: usize = 64;

/// A handle, as clients hold it.
pub(super) type Handle = [u8; 16];

/// Whether a handle is used once or often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// The ticket of one statement.
    Ticket,
    /// A prepared statement.
    Prepared,
}

/// A statement that may be run.
pub(super) struct Statement {
    /// Its plan, not yet optimized.
    pub(super) plan: LogicalPlan,
    /// The columns of its rows, as they are sent.
    pub(super) schema: SchemaRef,
    /// Its kind, for the audit log.
    pub(super) kind: &'static str,
    /// The keyed digest of its text.
    pub(super) digest: String,
    /// The parameters that have no values yet.
    pub(super) parameters: SchemaRef,
}

struct Held {
    owner: Caller,
    purpose: Use,
    statement: Arc<Statement>,
    /// The same with the values that its parameters were given last.
    bound: Option<Arc<Statement>>,
    until: Instant,
}

/// All that are held.
#[derive(Default)]
pub(super) struct Handles {
    held: Mutex<HashMap<Handle, Held>>,
}

impl Handles {
    /// Holds a statement; gives its handle.
    ///
    /// # Errors
    /// [`CorpusError::Internal`](crate::corpus::CorpusError::Internal) where the system gives no random bytes.
    pub(super) fn hold(&self, owner: &Caller, purpose: Use, statement: Arc<Statement>) -> Result<Handle> {
        let handle = *random::<16>()?;
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        held.retain(|_, other| other.until > now);
        let own = held.iter().filter(|(_, other)| other.owner == *owner && other.purpose == purpose);
        if own.clone().count() >= MOST {
            let oldest = own.min_by_key(|(_, other)| other.until).map(|(handle, _)| *handle);
            oldest.and_then(|oldest| held.remove(&oldest));
        }
        held.insert(
            handle,
            Held { owner: owner.clone(), purpose, statement, bound: None, until: now + purpose.lasts() },
        );
        Ok(handle)
    }

    /// The statement of a handle, if it is the caller's own; with the values that its parameters were given last.
    pub(super) fn get(&self, caller: &Caller, purpose: Use, handle: &[u8]) -> Option<Arc<Statement>> {
        self.own(caller, purpose, handle, |found| Arc::clone(found.bound.as_ref().unwrap_or(&found.statement)))
    }

    /// A prepared statement as it was before its parameters had values, if it is the caller's own.
    pub(super) fn unbound(&self, caller: &Caller, handle: &[u8]) -> Option<Arc<Statement>> {
        self.own(caller, Use::Prepared, handle, |found| Arc::clone(&found.statement))
    }

    /// Gives the parameters of a prepared statement values, if it is still there and the caller's own; tells whether it is.
    pub(super) fn bind(&self, caller: &Caller, handle: &[u8], bound: Arc<Statement>) -> bool {
        self.own(caller, Use::Prepared, handle, |found| found.bound = Some(bound)).is_some()
    }

    /// What is done with a held statement that is the caller's own, of that purpose and not ended. A prepared one lasts on.
    fn own<T>(&self, caller: &Caller, purpose: Use, handle: &[u8], what: impl FnOnce(&mut Held) -> T) -> Option<T> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let found = held.get_mut(handle)?;
        if found.owner != *caller || found.purpose != purpose || found.until <= now {
            return None;
        }
        if purpose == Use::Prepared {
            found.until = now + purpose.lasts();
        }
        Some(what(found))
    }

    /// Lets go of a statement, if it is the caller's own; tells whether it was.
    pub(super) fn release(&self, caller: &Caller, handle: &[u8]) -> bool {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let own = held.get(handle).is_some_and(|found| found.owner == *caller);
        own && held.remove(handle).is_some()
    }
}

impl Use {
    const fn lasts(self) -> Duration {
        match self {
            Self::Ticket => TICKET_LASTS,
            Self::Prepared => PREPARED_LASTS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::access::Role;
    use super::*;

    fn caller(name: &str, role: Role) -> Caller {
        Caller { name: name.into(), role }
    }

    fn statement() -> Arc<Statement> {
        let plan = datafusion::logical_expr::LogicalPlanBuilder::empty(false).build().unwrap();
        let schema = Arc::new(arrow::datatypes::Schema::empty());
        Arc::new(Statement { plan, parameters: Arc::clone(&schema), schema, kind: "SELECT", digest: String::new() })
    }

    #[test]
    fn a_handle_is_its_owners_alone() {
        let (handles, ann) = (Handles::default(), caller("ann", Role::Deidentified));
        let handle = handles.hold(&ann, Use::Prepared, statement()).unwrap();
        assert!(handles.get(&ann, Use::Prepared, &handle).is_some());
        assert!(handles.get(&ann, Use::Ticket, &handle).is_none());
        for other in [caller("bob", Role::Deidentified), caller("ann", Role::Confidential)] {
            assert!(handles.get(&other, Use::Prepared, &handle).is_none() && !handles.release(&other, &handle));
        }
        let with_values = statement();
        assert!(!handles.bind(&caller("bob", Role::Deidentified), &handle, statement()));
        assert!(handles.bind(&ann, &handle, Arc::clone(&with_values)));
        assert!(Arc::ptr_eq(&handles.get(&ann, Use::Prepared, &handle).unwrap(), &with_values));
        assert!(!Arc::ptr_eq(&handles.unbound(&ann, &handle).unwrap(), &with_values));
        assert!(handles.release(&ann, &handle) && handles.get(&ann, Use::Prepared, &handle).is_none());
    }

    #[test]
    fn the_oldest_of_too_many_gives_way() {
        let (handles, ann) = (Handles::default(), caller("ann", Role::Deidentified));
        let mine: Vec<_> = (0..=MOST).map(|_| handles.hold(&ann, Use::Ticket, statement()).unwrap()).collect();
        assert_eq!(handles.held.lock().unwrap().len(), MOST);
        assert!(handles.get(&ann, Use::Ticket, &mine[MOST]).is_some());
    }
}
