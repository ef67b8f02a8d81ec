//! The signals that ask the program to end: heard on a thread apart, for those that compute may be busy for long.
//!
//! ```text
//! signal ─▶ runs are told ─ 8 s ─▶ what they still have in hand is dropped ─ 1 s ─▶ the process ends, come what may
//!        └▶ nobody is to be told ─────────────────────────────────────────── 2 s ─┘
//! ```

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::sql::restore_terminal;
use crate::corpus::{Result, clear_abandoned, is_awaited, stop, upkeep};

/// How long a run may take to put down what it has in hand after a signal.
pub(super) const GRACE: Duration = Duration::from_secs(8);
/// When the process ends that could not do so by itself; and when it ends where no run hears of it, as in training.
const LAST: Duration = Duration::from_secs(9);
const SOON: Duration = Duration::from_secs(2);

/// Waits for a signal, and tells every run of it; gives the exit code that says so. Signals are heard from the call on, not from the first poll.
pub(super) fn asked_to_end() -> impl Future<Output = u8> {
    let (tell, told) = tokio::sync::oneshot::channel();
    let signals = Signals::heard();
    upkeep().spawn(async move {
        let code = signals.next().await;
        // Before the runs are: one that puts all down at once must not look as if it had failed. Who waited may be gone: then the process is
        // ending already.
        let _ = tell.send(code);
        let patience = if is_awaited() { LAST } else { SOON };
        stop();
        restore_terminal();
        tokio::time::sleep(patience).await;
        clear_abandoned();
        end_at_once(code);
    });
    async {
        match told.await {
            Ok(code) => code,
            // Nothing hears signals here, so none comes.
            Err(_) => std::future::pending().await,
        }
    }
}

/// Gives the end of what ran until it was asked to end. Whoever has asked gives the exit code, and is asked first.
pub(super) async fn unless_asked_to_end(ended: Result<()>) -> Result<()> {
    tokio::task::yield_now().await;
    ended
}

/// Ends the process although its threads are busy. Destructors of libraries do not run: they would wait for those threads, or pull the
/// ground from under them.
pub(super) fn end_at_once(code: u8) -> ! {
    #[cfg(unix)]
    // SAFETY: `_exit` has no conditions.
    unsafe {
        libc::_exit(code.into())
    }
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

/// Has a file that grows beyond what the process may write (`ulimit -f`) told as any full disk is, not by the end of the process.
pub(super) fn outlive_limits_of_files() {
    #[cfg(unix)]
    // SAFETY: no handler is set, and no other thread sets one for this signal.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Whether somebody types: then SIGINT ends a statement, not the process.
static IS_TYPING: AtomicBool = AtomicBool::new(false);

/// For as long as it is held, SIGINT is left to who else waits for it.
pub(super) struct LeftInterrupts;

impl LeftInterrupts {
    pub(super) fn leave() -> Self {
        IS_TYPING.store(true, Ordering::SeqCst);
        Self
    }
}

impl Drop for LeftInterrupts {
    fn drop(&mut self) {
        IS_TYPING.store(false, Ordering::SeqCst);
    }
}

/// The signals that ask a process to end.
struct Signals {
    #[cfg(unix)]
    terminate: Option<tokio::signal::unix::Signal>,
    #[cfg(unix)]
    interrupt: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    /// Has them heard from now on; one that cannot be heard ends the process by itself.
    fn heard() -> Self {
        use tokio::signal::unix::{SignalKind, signal};

        let upkeep = upkeep();
        let _within = upkeep.enter();
        Self { terminate: signal(SignalKind::terminate()).ok(), interrupt: signal(SignalKind::interrupt()).ok() }
    }

    /// Waits for the next; gives the exit code that says so.
    async fn next(mut self) -> u8 {
        tokio::select! {
            () = received(&mut self.terminate) => 143,
            () = interrupted(&mut self.interrupt) => 130,
        }
    }
}

#[cfg(unix)]
async fn interrupted(signal: &mut Option<tokio::signal::unix::Signal>) {
    loop {
        received(signal).await;
        if !IS_TYPING.load(Ordering::SeqCst) {
            return;
        }
    }
}

#[cfg(unix)]
async fn received(signal: &mut Option<tokio::signal::unix::Signal>) {
    let received = match signal {
        Some(signal) => signal.recv().await,
        None => None,
    };
    if received.is_none() {
        std::future::pending().await
    }
}

#[cfg(not(unix))]
impl Signals {
    fn heard() -> Self {
        Self {}
    }

    async fn next(self) -> u8 {
        loop {
            let heard = tokio::signal::ctrl_c().await;
            if heard.is_ok() && !IS_TYPING.load(Ordering::SeqCst) {
                return 130;
            }
        }
    }
}
