//! Sentences longer than the model reads, in windows that overlap; every piece is judged where it has most context.
//!
//! ```text
//! pieces    0 1 2 3 4 5 6 7 8 9      capacity 6, overlap 3
//! window 1  └────┬────┘                keeps 0..5
//! window 2        └────┬────┘          keeps 5..7
//! window 3          └────┬────┘        keeps 7..10, and ends with the sentence, so that all are of one length
//! ```

use std::ops::Range;

/// A stretch of a sentence's pieces that the model sees at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Window {
    /// What the model sees.
    pub(super) seen: Range<usize>,
    /// The part of it whose scores count.
    pub(super) kept: Range<usize>,
}

/// The windows over a sentence of so many pieces. Their kept parts follow on each other and are the whole sentence; a piece
/// is kept in the window in which it is farthest from an edge, in the earlier of two. `overlap` is less than `capacity`.
pub(super) fn windows(pieces: usize, capacity: usize, overlap: usize) -> Vec<Window> {
    if pieces == 0 {
        return Vec::new();
    }
    if pieces <= capacity {
        return vec![Window { seen: 0..pieces, kept: 0..pieces }];
    }
    let last = pieces - capacity;
    let step = capacity.saturating_sub(overlap).max(1);
    let starts: Vec<usize> = (0..last).step_by(step).chain([last]).collect();
    let mut kept_from = 0;
    let mut windows: Vec<Window> = Vec::with_capacity(starts.len());
    for (at, &start) in starts.iter().enumerate() {
        let seen = start..start + capacity;
        // All windows are of one length, so a piece is deepest in the one whose middle is nearest.
        let kept_to = starts.get(at + 1).map_or(pieces, |next| (seen.end + next).div_ceil(2));
        windows.push(Window { kept: kept_from..kept_to, seen });
        kept_from = kept_to;
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_sentences_are_one_window() {
        assert_eq!(windows(0, 6, 3), []);
        assert_eq!(windows(6, 6, 3), [Window { seen: 0..6, kept: 0..6 }]);
        let three = windows(10, 6, 3);
        assert_eq!(three.iter().map(|window| window.seen.start).collect::<Vec<_>>(), [0, 3, 4]);
        assert_eq!(three.iter().map(|window| window.kept.clone()).collect::<Vec<_>>(), [0..5, 5..7, 7..10]);
    }

    proptest! {
        #[test]
        fn every_piece_is_kept_once_and_where_it_is_deepest(pieces in 1..300usize, capacity in 2..40usize, overlap in 0..39usize) {
            let overlap = overlap.min(capacity - 1);
            let windows = windows(pieces, capacity, overlap);
            prop_assert_eq!(windows.iter().flat_map(|window| window.kept.clone()).collect::<Vec<_>>(), (0..pieces).collect::<Vec<_>>());
            let depth = |window: &Window, piece: usize| {
                if !window.seen.contains(&piece) {
                    return None;
                }
                let left = if window.seen.start == 0 { usize::MAX } else { piece - window.seen.start };
                let right = if window.seen.end == pieces { usize::MAX } else { window.seen.end - 1 - piece };
                Some(left.min(right))
            };
            for window in &windows {
                prop_assert_eq!(window.seen.len(), capacity.min(pieces));
                for piece in window.kept.clone() {
                    let kept = depth(window, piece);
                    prop_assert!(kept.is_some());
                    let best = windows.iter().filter_map(|other| depth(other, piece)).max();
                    prop_assert!(kept == best || window.seen.start == 0 || window.seen.end == pieces);
                }
            }
        }
    }
}
