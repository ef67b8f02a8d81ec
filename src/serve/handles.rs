//! Statements between two calls: those that are about to be fetched, and prepared ones. A handle is random, belongs to who made it, and ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// How many bytes the values may have that a user's prepared statements were given, each as often as it is mentioned.
pub(super) const MOST_BYTES: usize = 64 << 20;

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

/// Why a statement's parameters get no values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotBound {
    /// It is not there, or not the caller's own.
    Gone,
    /// The caller's statements would have more than [`MOST_BYTES`] of them.
    TooMuch,
}

struct Held {
    owner: Caller,
    purpose: Use,
    statement: Arc<Statement>,
    /// The same with the values that its parameters were given last, and their bytes.
    bound: Option<(Arc<Statement>, usize)>,
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
        let mut held = self.held();
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
        own(&mut self.held(), caller, purpose, handle).map(|found| match &found.bound {
            Some((bound, _)) => Arc::clone(bound),
            None => Arc::clone(&found.statement),
        })
    }

    /// A prepared statement as it was before its parameters had values, if it is the caller's own.
    pub(super) fn unbound(&self, caller: &Caller, handle: &[u8]) -> Option<Arc<Statement>> {
        own(&mut self.held(), caller, Use::Prepared, handle).map(|found| Arc::clone(&found.statement))
    }

    /// Gives the parameters of a prepared statement values of so many bytes.
    ///
    /// # Errors
    /// [`NotBound`].
    pub(super) fn bind(
        &self,
        caller: &Caller,
        handle: &[u8],
        bound: Arc<Statement>,
        bytes: usize,
    ) -> std::result::Result<(), NotBound> {
        let mut held = self.held();
        let now = Instant::now();
        let is_others = |other: &Handle, held: &Held| held.owner == *caller && other[..] != *handle && held.until > now;
        let others = held.iter().filter(|(other, held)| is_others(other, held));
        let others: usize = others.filter_map(|(_, held)| Some(held.bound.as_ref()?.1)).sum();
        if others.saturating_add(bytes) > MOST_BYTES {
            return Err(NotBound::TooMuch);
        }
        let found = own(&mut held, caller, Use::Prepared, handle).ok_or(NotBound::Gone)?;
        found.bound = Some((bound, bytes));
        Ok(())
    }

    /// Lets go of a statement, if it is the caller's own; tells whether it was.
    pub(super) fn release(&self, caller: &Caller, handle: &[u8]) -> bool {
        let mut held = self.held();
        let own = held.get(handle).is_some_and(|found| found.owner == *caller);
        own && held.remove(handle).is_some()
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Handle, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A held statement that is the caller's own, of that purpose and not ended. A prepared one lasts on.
fn own<'h>(held: &'h mut HashMap<Handle, Held>, caller: &Caller, purpose: Use, handle: &[u8]) -> Option<&'h mut Held> {
    let now = Instant::now();
    let found = held.get_mut(handle)?;
    if found.owner != *caller || found.purpose != purpose || found.until <= now {
        return None;
    }
    if purpose == Use::Prepared {
        found.until = now + purpose.lasts();
    }
    Some(found)
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
        assert_eq!(handles.bind(&caller("bob", Role::Deidentified), &handle, statement(), 1), Err(NotBound::Gone));
        assert_eq!(handles.bind(&ann, &handle, Arc::clone(&with_values), 1), Ok(()));
        assert!(Arc::ptr_eq(&handles.get(&ann, Use::Prepared, &handle).unwrap(), &with_values));
        assert!(!Arc::ptr_eq(&handles.unbound(&ann, &handle).unwrap(), &with_values));
        assert!(handles.release(&ann, &handle) && handles.get(&ann, Use::Prepared, &handle).is_none());
    }

    #[test]
    fn the_values_of_a_users_statements_have_so_many_bytes_together() {
        let (handles, ann, bob) =
            (Handles::default(), caller("ann", Role::Deidentified), caller("bob", Role::Deidentified));
        let [one, other] = [0, 1].map(|_| handles.hold(&ann, Use::Prepared, statement()).unwrap());
        let of_bob = handles.hold(&bob, Use::Prepared, statement()).unwrap();
        assert_eq!(handles.bind(&ann, &one, statement(), MOST_BYTES), Ok(()));
        assert_eq!(handles.bind(&ann, &other, statement(), 1), Err(NotBound::TooMuch));
        // New values are in the place of the ones before; those of others are their own.
        assert_eq!(handles.bind(&ann, &one, statement(), MOST_BYTES - 1), Ok(()));
        assert_eq!(handles.bind(&ann, &other, statement(), 1), Ok(()));
        assert_eq!(handles.bind(&bob, &of_bob, statement(), MOST_BYTES), Ok(()));
    }

    #[test]
    fn the_oldest_of_too_many_gives_way() {
        let (handles, ann) = (Handles::default(), caller("ann", Role::Deidentified));
        let mine: Vec<_> = (0..=MOST).map(|_| handles.hold(&ann, Use::Ticket, statement()).unwrap()).collect();
        assert_eq!(handles.held.lock().unwrap().len(), MOST);
        assert!(handles.get(&ann, Use::Ticket, &mine[MOST]).is_some());
    }
}
