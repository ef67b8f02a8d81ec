//! The most memory that this process may take: it ends with an error before the system ends it without one.
//!
//! ```text
//! every 100 ms   /proc/self/statm ─▶ 23.1 GiB held, 21.6 GiB allowed ─▶ error, exit code 1
//! ```
//!
//! What the engine holds is limited by `--memory`. This is for what nobody can limit beforehand: a graph of a model may compute values of any
//! size, and a system that runs out of memory ends processes without a word.

use std::io::Write;
use std::time::Duration;

use super::signals::end_at_once;
use crate::corpus::{clear_abandoned, upkeep};

/// How often the process looks at itself.
const EVERY: Duration = Duration::from_millis(100);

/// Watches this process from now on, where the system tells what it holds: `most` bytes, or nine tenths of what there is.
pub(super) fn watch(most: Option<u64>) {
    let Some(most) = most.or_else(|| Some(there_is()? / 10 * 9)) else { return };
    upkeep().spawn(async move {
        while let Some(held) = held() {
            if held > most {
                end(held, most);
            }
            tokio::time::sleep(EVERY).await;
        }
    });
}

fn end(held: u64, most: u64) -> ! {
    let size = |bytes: u64| match bytes {
        0..0x1_0000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    };
    // Standard error may be closed; the exit code says it all the same.
    let _ = writeln!(
        std::io::stderr(),
        "error: the process holds {} of memory, and {} is the most that it may (--most-memory)\n  give it more, or let it need less: \
         --memory for the engine, fewer --partitions; a model file that was tampered with can ask for any amount",
        size(held),
        size(most)
    );
    clear_abandoned();
    end_at_once(1)
}

/// The bytes of memory that this process holds, files that are mapped left out; none where the system does not tell.
fn held() -> Option<u64> {
    let pages = held_pages(&std::fs::read_to_string("/proc/self/statm").ok()?)?;
    #[cfg(unix)]
    // SAFETY: `sysconf` has no conditions.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    #[cfg(not(unix))]
    let page = 4096;
    Some(pages * page)
}

/// Resident pages without those shared with files.
fn held_pages(statm: &str) -> Option<u64> {
    let mut numbers = statm.split_whitespace().skip(1).map(|number| number.parse::<u64>().ok());
    Some(numbers.next()??.saturating_sub(numbers.next()??))
}

/// The bytes of memory of the container, or of the machine.
fn there_is() -> Option<u64> {
    let read = |file: &str| std::fs::read_to_string(file).ok();
    let container = read("/sys/fs/cgroup/memory.max").and_then(|most| most.trim().parse().ok());
    let machine = read("/proc/meminfo").and_then(|told| machine_has(&told));
    container.into_iter().chain(machine).min()
}

fn machine_has(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_understood() {
        assert_eq!(held_pages("765 419 390 5 0 123 0\n"), Some(29));
        assert_eq!(held_pages("765"), None);
        assert_eq!(machine_has("MemTotal:       24630204 kB\nMemFree: 1 kB\n"), Some(24_630_204 << 10));
        assert_eq!(machine_has(""), None);
        if cfg!(target_os = "linux") {
            // Other tests of the process may let go of as much in the same moment, but not each time.
            let grows = || {
                let before = held().unwrap();
                let held_by_us = std::hint::black_box(vec![1_u8; 64 << 20]);
                let after = held().unwrap();
                drop(held_by_us);
                after > before + (32 << 20) && there_is().unwrap() > after
            };
            assert!((0..20).any(|_| grows()));
        }
    }
}
