//! The wish to end: told once, heard by every run under way, which then puts down what it has in hand.

use std::sync::LazyLock;

use tokio::sync::watch;

use super::error::{CorpusError, Result};

static WISH: LazyLock<watch::Sender<bool>> = LazyLock::new(|| watch::Sender::new(false));

/// Asks every run of this process to end: files that are not finished are given up, leases given back; what is finished stays for the next try.
pub fn stop() {
    WISH.send_replace(true);
}

/// Whether runs were asked to end.
pub fn is_stopped() -> bool {
    *WISH.borrow()
}

/// Whether there is a run that would hear the wish.
pub fn is_awaited() -> bool {
    WISH.receiver_count() > 0
}

/// Waits until runs are asked to end. The wish is heard from the call on, not from the first poll: whoever takes what it must give back calls first.
pub fn stopped() -> impl Future<Output = ()> + Send + 'static {
    let mut wish = listen();
    async move {
        // The sender lives as long as the process, so the wait ends with the wish alone.
        let _ = wish.wait_for(|stop| *stop).await;
    }
}

/// Hears the wish to end for as long as it is held; see [`is_awaited`]. Who has something to do when it comes holds it until that is done, or the process
/// ends under it.
pub fn listen() -> watch::Receiver<bool> {
    WISH.subscribe()
}

/// What a piece of work comes to, unless the process is asked to end meanwhile: then it is dropped.
///
/// # Errors
/// Those of the work, and [`CorpusError::Stopped`].
pub(super) async fn until_stopped<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::select! {
        done = work => done,
        () = stopped() => Err(CorpusError::Stopped),
    }
}
