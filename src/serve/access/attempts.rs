//! Logins that failed, counted by where they came from and whom they named, so that passwords cannot be tried by the thousand. A login that goes well
//! takes nothing off: else one who has a password could try those of others without end.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// For how long a failure counts.
const WINDOW: Duration = Duration::from_secs(300);
/// How many failures one address may have.
const MOST_OF_ADDRESS: u32 = 10;
/// How many failures one name may have, from wherever. More than an address has, so that one address cannot lock a user out.
const MOST_OF_NAME: u32 = 50;
/// How many are remembered at once.
const MOST_REMEMBERED: usize = 65_536;

/// Whose failures are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Whose {
    /// All that come from an address.
    Address(IpAddr),
    /// All that name a user, by a digest: what was typed as a name may be a password.
    Name([u8; 32]),
}

impl Whose {
    /// Those that come from an address; all that come from nowhere that is known are one.
    pub(super) fn at(address: Option<IpAddr>) -> Self {
        Self::Address(address.unwrap_or(IpAddr::from([0, 0, 0, 0])))
    }
}

/// The failures.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    failed: HashMap<Whose, (u32, Instant)>,
}

impl Attempts {
    /// Whether another login may be tried.
    pub(super) fn may(&self, whose: &Whose, now: Instant) -> bool {
        let most = match whose {
            Whose::Address(_) => MOST_OF_ADDRESS,
            Whose::Name(_) => MOST_OF_NAME,
        };
        self.failed.get(whose).is_none_or(|(count, since)| *count < most || now.duration_since(*since) >= WINDOW)
    }

    /// Counts a failure.
    pub(super) fn failed(&mut self, whose: Whose, now: Instant) {
        if self.failed.len() >= MOST_REMEMBERED {
            self.failed.retain(|_, (_, since)| now.duration_since(*since) < WINDOW);
        }
        // Where so many fail at once, those that are remembered already are the ones that matter.
        if self.failed.len() < MOST_REMEMBERED || self.failed.contains_key(&whose) {
            let (count, since) = self.failed.entry(whose).or_insert((0, now));
            if now.duration_since(*since) >= WINDOW {
                (*count, *since) = (0, now);
            }
            *count = count.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_fails_too_often_waits() {
        let (mut attempts, now) = (Attempts::default(), Instant::now());
        let address = Whose::Address([127, 0, 0, 1].into());
        for _ in 0..MOST_OF_ADDRESS {
            assert!(attempts.may(&address, now));
            attempts.failed(address.clone(), now);
        }
        assert!(!attempts.may(&address, now) && attempts.may(&Whose::Address([127, 0, 0, 2].into()), now));
        assert!(attempts.may(&address, now + WINDOW));
        attempts.failed(address.clone(), now + WINDOW);
        assert!(attempts.may(&address, now + WINDOW));
    }
}
