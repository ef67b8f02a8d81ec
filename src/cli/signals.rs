//! The signals that ask the program to end: heard on a thread apart, for those that compute may be busy for long.
//!
//! ```text
//! signal ─▶ runs are told ─ 8 s ─▶ what they still have in hand is dropped ─ 1 s ─▶ the process ends, come what may
//! ```

use std::time::Duration;

use crate::corpus::{clear_abandoned, stop, upkeep};

/// How long a run may take to put down what it has in hand after a signal.
pub(super) const GRACE: Duration = Duration::from_secs(8);
/// When the process ends that could not do so by itself.
const LAST: Duration = Duration::from_secs(9);

/// Waits for a signal, and tells every run of it; gives the exit code that says so.
pub(super) async fn asked_to_end() -> u8 {
    let (tell, told) = tokio::sync::oneshot::channel();
    upkeep().spawn(async move {
        let code = signalled().await;
        // Before the runs are: one that puts all down at once must not look as if it had failed. Who waited may be gone: then the process is
        // ending already.
        let _ = tell.send(code);
        stop();
        tokio::time::sleep(LAST).await;
        clear_abandoned();
        end_at_once(code);
    });
    match told.await {
        Ok(code) => code,
        // Nothing hears signals here, so none comes.
        Err(_) => std::future::pending().await,
    }
}

/// Ends the process although its threads are busy. Destructors of libraries do not run: they would wait for those threads, or pull the
/// ground from under them.
fn end_at_once(code: u8) -> ! {
    #[cfg(unix)]
    // SAFETY: `_exit` has no conditions.
    unsafe {
        libc::_exit(code.into())
    }
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

/// Waits for the signals that ask a process to end; gives the exit code that says so.
async fn signalled() -> u8 {
    const INTERRUPTED: u8 = 130;
    const TERMINATED: u8 = 143;
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        return tokio::select! {
            _ = terminate.recv() => TERMINATED,
            _ = tokio::signal::ctrl_c() => INTERRUPTED,
        };
    }
    let _ = tokio::signal::ctrl_c().await;
    INTERRUPTED
}
