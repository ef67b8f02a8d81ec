//! Logins: who has a password or token that counts, and who has logged in.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::Semaphore;
use zeroize::Zeroizing;

use super::attempts::{Attempts, Whose};
use super::file::UsersFile;
use super::{Caller, secrets};
use crate::corpus::Result;

/// How many passwords are checked at once: each check takes 19 MiB and tens of milliseconds.
const CHECKS_AT_ONCE: usize = 2;
/// How many logins may wait for their check or be checked.
const MOST_WAITING: usize = 64;
/// How many logins a user may have at once; the oldest gives way.
const MOST_SESSIONS: usize = 64;

/// Why somebody is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(in crate::serve) enum Refused {
    /// There is no such user, or this is not the password; which of both is not told.
    #[error("the name or the password is wrong")]
    Wrong,
    /// Too many have failed.
    #[error("too many logins have failed; try again in some minutes")]
    TooMany,
    /// Too many wait already.
    #[error("too many log in at once; try again in a moment")]
    Busy,
    /// The token is unknown, has ended, or belongs to a login that has ended.
    #[error("the token is not known or has ended; log in again")]
    Token,
    /// The server has a fault.
    #[error("the login cannot be checked")]
    Fault,
}

/// The users, the tokens, and the logins under way.
pub(in crate::serve) struct Logins {
    users: HashMap<String, (Caller, String)>,
    /// Checked where there is no such user, so that it takes as long.
    nobody: String,
    tokens: Vec<([u8; 32], SystemTime, Caller)>,
    lasting: Duration,
    sessions: Mutex<HashMap<[u8; 32], (Instant, Caller)>>,
    attempts: Mutex<Attempts>,
    /// Calls without a token that counts.
    strangers: Mutex<Attempts>,
    places: Semaphore,
    checks: Arc<Semaphore>,
}

impl Logins {
    /// Reads the file of users. Logins last for `lasting`.
    ///
    /// # Errors
    /// Those of the file.
    pub(in crate::serve) fn open(path: &Path, lasting: Duration) -> Result<Self> {
        let file = UsersFile::read(path)?;
        let caller = |name: &str, role| Caller { name: name.into(), role };
        let users =
            file.users.into_iter().map(|user| (user.name.clone(), (caller(&user.name, user.role), user.password)));
        let tokens = file.tokens.iter().filter_map(|token| {
            let (digest, expires) = token.read()?;
            Some((digest, expires, caller(&token.name, token.role)))
        });
        Ok(Self {
            users: users.collect(),
            nobody: secrets::hash(secrets::random::<16>()?.as_ref())?,
            tokens: tokens.collect(),
            lasting,
            sessions: Mutex::default(),
            attempts: Mutex::default(),
            strangers: Mutex::default(),
            places: Semaphore::new(MOST_WAITING),
            checks: Arc::new(Semaphore::new(CHECKS_AT_ONCE)),
        })
    }

    /// Checks a name and password that came from an address; gives a token, and whose it is. Who lets go of this early is not counted among the
    /// failures: it belongs in a task of its own.
    ///
    /// # Errors
    /// [`Refused`], the same for an unknown name and a wrong password.
    pub(in crate::serve) async fn login(
        &self,
        name: &str,
        password: Zeroizing<Vec<u8>>,
        from: Option<IpAddr>,
    ) -> std::result::Result<(Zeroizing<String>, Caller), Refused> {
        let whose = [Whose::at(from), Whose::Name(secrets::digest(name))];
        self.may(&whose)?;
        let _place = self.places.try_acquire().map_err(|_| Refused::Busy)?;
        let turn = Arc::clone(&self.checks).acquire_owned().await.map_err(|_| Refused::Fault)?;
        // Others of the same may have failed while this one waited.
        self.may(&whose)?;
        let known = self.users.get(name);
        let hash = known.map_or(&self.nobody, |(_, hash)| hash).clone();
        // The turn lasts as long as the check, whoever waits for it, and until its failure is counted.
        let checked = tokio::task::spawn_blocking(move || (secrets::is_password(&password, &hash), turn)).await;
        let (right, _turn) = checked.map_err(|_| Refused::Fault)?;
        match known {
            Some((caller, _)) if right => Ok((self.begin(caller).map_err(|_| Refused::Fault)?, caller.clone())),
            _ => {
                let (mut attempts, now) = (self.attempts(), Instant::now());
                whose.into_iter().for_each(|whose| attempts.failed(whose, now));
                Err(Refused::Wrong)
            }
        }
    }

    /// Whether all of these may try a login.
    fn may(&self, whose: &[Whose]) -> std::result::Result<(), Refused> {
        let (attempts, now) = (self.attempts(), Instant::now());
        if whose.iter().all(|whose| attempts.may(whose, now)) { Ok(()) } else { Err(Refused::TooMany) }
    }

    /// Counts a call without a token that counts, by where it came from; whether so few came from there that it is worth telling: a log is not to be
    /// filled by strangers.
    pub(in crate::serve) fn is_news(&self, from: Option<IpAddr>) -> bool {
        let (mut strangers, now) = (self.strangers.lock().unwrap_or_else(PoisonError::into_inner), Instant::now());
        let whose = Whose::at(from);
        let is_news = strangers.may(&whose, now);
        strangers.failed(whose, now);
        is_news
    }

    fn attempts(&self) -> MutexGuard<'_, Attempts> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a login; gives its token, of which only the digest is kept.
    fn begin(&self, caller: &Caller) -> Result<Zeroizing<String>> {
        let token = secrets::new_token()?;
        let now = Instant::now();
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, (until, _)| *until > now);
        let own = sessions.iter().filter(|(_, (_, other))| other == caller);
        if own.clone().count() >= MOST_SESSIONS {
            let oldest = own.min_by_key(|(_, (until, _))| *until).map(|(digest, _)| *digest);
            oldest.and_then(|oldest| sessions.remove(&oldest));
        }
        sessions.insert(secrets::digest(&token), (now + self.lasting, caller.clone()));
        Ok(token)
    }

    /// Whose a token is.
    ///
    /// # Errors
    /// [`Refused::Token`].
    pub(in crate::serve) fn bearer(&self, token: &str) -> std::result::Result<Caller, Refused> {
        // Both are looked up by the digest: where a look-up stops tells nothing of a token.
        let digest = secrets::digest(token);
        let session = {
            let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            sessions.get(&digest).filter(|(until, _)| *until > Instant::now()).map(|(_, caller)| caller.clone())
        };
        let mut found = None;
        for (known, expires, caller) in &self.tokens {
            if secrets::is_same(known, &digest) && *expires > SystemTime::now() {
                found = Some(caller);
            }
        }
        session.or_else(|| found.cloned()).ok_or(Refused::Token)
    }

    /// The name as the audit log may have it: that of a user, and none of what else was typed.
    pub(in crate::serve) fn known_name(&self, name: &str) -> Option<&str> {
        self.users.get_key_value(name).map(|(name, _)| name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::super::{Role, TokenEntry, UserEntry};
    use super::*;

    const PASSWORD: &[u8] = b"correct horse battery";

    fn logins(lasting: Duration) -> Logins {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users");
        let mut ended = TokenEntry::new("old", Role::Confidential, "plainsight_old", 1);
        ended.expires = "2001-01-01T00:00:00Z".to_owned();
        let file = UsersFile {
            users: vec![UserEntry {
                name: "ann".to_owned(),
                role: Role::Deidentified,
                password: secrets::hash(PASSWORD).unwrap(),
            }],
            tokens: vec![TokenEntry::new("board", Role::Deidentified, "plainsight_board", 1), ended],
        };
        file.write(&path).unwrap();
        Logins::open(&path, lasting).unwrap()
    }

    fn password(text: &[u8]) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(text.to_vec())
    }

    #[tokio::test]
    async fn a_login_lasts_as_long_as_it_says() {
        let logins = logins(Duration::from_secs(3600));
        let (token, caller) = logins.login("ann", password(PASSWORD), None).await.unwrap();
        assert_eq!((&*caller.name, caller.role), ("ann", Role::Deidentified));
        assert_eq!(logins.bearer(&token), Ok(caller));
        let ended = super::Logins { lasting: Duration::ZERO, ..logins };
        let (token, _) = ended.login("ann", password(PASSWORD), None).await.unwrap();
        assert_eq!(ended.bearer(&token), Err(Refused::Token));
    }

    #[tokio::test]
    async fn the_unknown_and_the_wrong_are_told_alike() {
        let logins = logins(Duration::from_secs(3600));
        for (name, text) in [("ann", &b"wrong"[..]), ("bob", PASSWORD), ("", b""), ("board", b"plainsight_board")] {
            assert_eq!(logins.login(name, password(text), None).await.unwrap_err(), Refused::Wrong);
        }
        assert_eq!((logins.known_name("ann"), logins.known_name("bob")), (Some("ann"), None));
    }

    /// However many come at once, few are checked, and no more are than may fail; who comes from elsewhere is let in.
    #[tokio::test]
    async fn wrong_passwords_at_once_are_not_all_checked() {
        let logins = logins(Duration::from_secs(3600));
        let from = |last| Some(IpAddr::from([10, 0, 0, last]));
        let tried = (0..MOST_WAITING + 16).map(|_| logins.login("ann", password(b"wrong"), from(1)));
        let told: Vec<_> = futures::future::join_all(tried).await.into_iter().map(|told| told.unwrap_err()).collect();
        let count = |what: Refused| told.iter().filter(|told| **told == what).count();
        assert!((10..10 + CHECKS_AT_ONCE).contains(&count(Refused::Wrong)), "{told:?}");
        assert!(count(Refused::Busy) > 0 && count(Refused::TooMany) > 0, "{told:?}");
        assert_eq!(logins.login("ann", password(PASSWORD), from(1)).await.unwrap_err(), Refused::TooMany);
        assert!(logins.login("ann", password(PASSWORD), from(2)).await.is_ok());
        assert_eq!((logins.places.available_permits(), logins.checks.available_permits()), (MOST_WAITING, 2));
    }

    /// A check goes on when nobody waits for it any more, and none begins in its place before it has ended.
    #[tokio::test]
    async fn a_check_that_is_given_up_keeps_its_turn() {
        let logins = logins(Duration::from_secs(3600));
        // On a busy machine one may have ended before the next begins.
        let given_up = || {
            for _ in 0..CHECKS_AT_ONCE {
                assert!(logins.login("ann", password(b"wrong"), None).now_or_never().is_none());
            }
            logins.checks.available_permits() == 0
        };
        assert!((0..20).any(|_| given_up()));
        assert!(logins.login("ann", password(PASSWORD), None).await.is_ok());
        while logins.checks.available_permits() < CHECKS_AT_ONCE {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[test]
    fn tokens_count_until_they_end() {
        let logins = logins(Duration::from_secs(3600));
        assert_eq!(&*logins.bearer("plainsight_board").unwrap().name, "board");
        for wrong in ["plainsight_old", "plainsight_boar", "", "board"] {
            assert_eq!(logins.bearer(wrong), Err(Refused::Token), "{wrong}");
        }
    }
}
