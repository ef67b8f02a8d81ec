//! The terminal as it was before the shell began.
//!
//! While a line is read, the terminal shows nothing of itself: the editor draws all. A signal that ends the process then would leave it so,
//! blind, for whatever comes next. So its settings are remembered, and given back before the process ends.

#[cfg(unix)]
use std::sync::OnceLock;

#[cfg(unix)]
static BEFORE: OnceLock<libc::termios> = OnceLock::new();

/// Remembers the settings of the terminal on standard input, if there is one.
pub(super) fn remember_terminal() {
    #[cfg(unix)]
    {
        let mut settings = std::mem::MaybeUninit::uninit();
        // SAFETY: the pointer is valid for a write; what was written is read only after success.
        if unsafe { libc::tcgetattr(libc::STDIN_FILENO, settings.as_mut_ptr()) } == 0 {
            // SAFETY: the call above has succeeded, so it has written all of it.
            let _ = BEFORE.set(unsafe { settings.assume_init() });
        }
    }
}

/// Gives the terminal the settings back that it had before the shell began; nothing where none did. Safe at any time, from any
/// thread; for ends by a signal only, for the shell cleans up after itself.
pub(in crate::cli) fn restore_terminal() {
    #[cfg(unix)]
    if let Some(settings) = BEFORE.get() {
        /// Ends what the editor asks of terminals: marks around what is pasted.
        const PLAIN_PASTE: &[u8] = b"\x1b[?2004l\n";
        // SAFETY: the pointers are valid for reads of what they are said to hold. A terminal that is gone refuses, which is no harm.
        unsafe {
            libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, settings);
            if libc::isatty(libc::STDOUT_FILENO) == 1 {
                libc::write(libc::STDOUT_FILENO, PLAIN_PASTE.as_ptr().cast(), PLAIN_PASTE.len());
            }
        }
    }
}
