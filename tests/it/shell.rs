//! The shell of `plainsight sql`, on a terminal as a person has it.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::support::{Place, signal};

/// What is not shown by then is not shown at all, however busy the machine is.
const LONGEST: Duration = Duration::from_secs(180);

/// The program at one end of a terminal, a person at the other.
struct Terminal {
    program: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    /// All that was shown, up to where it was read, and up to where it was when something was typed last.
    seen: String,
    read: usize,
    typed: usize,
}

impl Terminal {
    fn open(place: &Place, arguments: &[&str]) -> Self {
        let (mut person, mut program) = (0, 0);
        let (name, settings, size) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: both pointers are valid for a write, and the others may be null.
        assert_eq!(unsafe { libc::openpty(&mut person, &mut program, name, settings, size) }, 0);
        // SAFETY: the call above has opened both, and nobody else has them.
        let (person, slave) = unsafe { (File::from_raw_fd(person), OwnedFd::from_raw_fd(program)) };
        let mut command = place.command(arguments);
        command.env("TERM", "xterm").env("XDG_STATE_HOME", place.path("state")).env_remove("PLAINSIGHT_HISTORY");
        command.stdin(slave.try_clone().unwrap()).stdout(slave.try_clone().unwrap()).stderr(slave);
        // SAFETY: both calls may be made between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        let program = command.spawn().unwrap();
        let (tell, shown) = channel();
        let mut screen = person.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = screen.read(&mut bytes) {
                if tell.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { program, keys: person, shown, seen: String::new(), read: 0, typed: 0 }
    }

    /// Waits until something is shown after what was read before; it is read then.
    fn wait_for(&mut self, text: &str) {
        self.read = self.wait_after(self.read, text);
    }

    /// Waits until something is told on standard error since something was typed. It may come to the terminal by another way than what is
    /// shown on standard output, so nothing is read by it.
    fn wait_for_message(&mut self, text: &str) {
        self.wait_after(self.typed, text);
    }

    /// Waits until something is shown after a place, and gives the place behind it.
    fn wait_after(&mut self, place: usize, text: &str) -> usize {
        let begun = Instant::now();
        loop {
            let rest = &self.seen[place..];
            if let Some(found) = rest.find(text) {
                return place + found + text.len();
            }
            assert!(begun.elapsed() < LONGEST, "`{text}` is not shown, but {rest}");
            self.look(Duration::from_millis(100));
        }
    }

    /// Takes in what is shown, if something is by then.
    fn look(&mut self, time: Duration) {
        if let Ok(bytes) = self.shown.recv_timeout(time) {
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    /// Presses Ctrl-C until the statement under way is said to be interrupted: whoever listens for it comes a little later than the statement
    /// begins. At the prompt it drops a line on which nothing stands.
    fn interrupt(&mut self) {
        let (typed, begun) = (self.seen.len(), Instant::now());
        while !self.seen[typed..].contains("interrupted") {
            assert!(begun.elapsed() < LONGEST, "it is not interrupted: {}", &self.seen[typed..]);
            self.press("\x03");
            let pressed = Instant::now();
            while pressed.elapsed() < Duration::from_secs(2) && !self.seen[typed..].contains("interrupted") {
                self.look(Duration::from_millis(100));
            }
        }
    }

    /// Waits until Ctrl-C is a key for the editor, or a signal to the program.
    fn wait_until_interrupts_are(&self, is_key: bool) {
        let begun = Instant::now();
        loop {
            let mut settings = std::mem::MaybeUninit::<libc::termios>::uninit();
            // SAFETY: the pointer is valid for a write, and what was written is read only after success.
            let signals = unsafe {
                assert_eq!(libc::tcgetattr(self.keys.as_raw_fd(), settings.as_mut_ptr()), 0);
                settings.assume_init().c_lflag & libc::ISIG != 0
            };
            if signals != is_key {
                return;
            }
            assert!(begun.elapsed() < LONGEST, "the terminal stays as it is");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Types at the prompt.
    fn enter(&mut self, keys: &str) {
        self.wait_for("plainsight> ");
        self.wait_until_interrupts_are(true);
        self.press(keys);
    }

    fn press(&mut self, keys: &str) {
        self.typed = self.seen.len();
        self.keys.write_all(keys.as_bytes()).unwrap();
    }
}

#[test]
fn statements_are_answered_and_errors_do_not_end_it() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[crate::support::note(1, "P1", "Seen by Dr. Smith.")]);
    let mut terminal = Terminal::open(&place, &["sql", "--notes", "notes.jsonl", "--key-file", "key"]);
    terminal.enter("SELECT 40 + 2\r");
    terminal.press("AS answer;\r");
    terminal.wait_for("| answer |");
    terminal.wait_for("| 42     |");
    terminal.enter("SELECT phi_spans(5);\r");
    terminal.wait_for_message("error: ");
    terminal.wait_for_message("argument `text` must be text");
    terminal.enter("\\d\r");
    terminal.wait_for("notes");
    terminal.wait_for("columns");
    terminal.enter("\\df phi_sc\r");
    terminal.wait_for("phi_score(text[, patient_id])");
    // A line that is dropped is not done.
    terminal.enter("SELECT 'never");
    terminal.press("\x03");
    terminal.enter("\\format csv\r");
    terminal.wait_for_message("rows are printed as csv");
    terminal.enter(" SELECT cardinality(phi_spans(text)) AS spans FROM notes;\r");
    terminal.wait_for("spans\r\n1");
    terminal.enter("\\q\r");
    assert_eq!(terminal.program.wait().unwrap().code(), Some(0));
    let history = place.path("state/plainsight/history");
    assert_eq!(std::fs::metadata(&history).unwrap().permissions().mode() & 0o777, 0o600);
    let kept = std::fs::read_to_string(history).unwrap();
    assert!(kept.contains("40 + 2") && !kept.contains("cardinality") && !kept.contains("never"), "{kept}");
}

#[test]
fn an_interrupt_ends_a_statement_and_a_signal_the_shell() {
    let place = Place::new();
    let mut terminal = Terminal::open(&place, &["sql", "--history", ""]);
    terminal.enter("SELECT count(*) FROM generate_series(1, 1000000000000) WHERE value % 7 = 8;\r");
    terminal.wait_until_interrupts_are(false);
    terminal.interrupt();
    terminal.enter("SELECT 'still here' AS shell;\r");
    terminal.wait_for("| still here |");
    signal(&terminal.program, libc::SIGTERM);
    assert_eq!(terminal.program.wait().unwrap().code(), Some(143));
    assert!(!place.path("state").exists(), "what was typed is kept");
}
