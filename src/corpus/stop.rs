//! The wish to end: told once, heard by every run under way, which then puts down what it has in hand.

use std::sync::LazyLock;

use tokio::sync::watch;

static WISH: LazyLock<watch::Sender<bool>> = LazyLock::new(|| watch::Sender::new(false));

/// Asks every run of this process to end: files that are not finished are given up, leases given back; what is finished stays for the next try.
pub fn stop() {
    WISH.send_replace(true);
}

/// Whether there is a run that would hear the wish.
pub fn is_awaited() -> bool {
    WISH.receiver_count() > 0
}

/// Waits for the wish to end.
pub(super) async fn stopped() {
    let mut wish = WISH.subscribe();
    // The sender lives as long as the process, so the wait ends with the wish alone.
    let _ = wish.wait_for(|stop| *stop).await;
}
