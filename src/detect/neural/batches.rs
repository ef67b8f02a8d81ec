//! Batches of sequences of exactly one length: without padding, no sequence can touch another's scores.
//!
//! ```text
//! lengths 5 3 5 5 3, at most 10 pieces  ──▶  [1, 4]  [0, 2]  [3]
//! ```

/// The indices of `lengths` in batches: of one length each, at most `pieces` long together (or a single one), the shortest first.
pub(super) fn batches(lengths: &[usize], pieces: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&index| (lengths[index], index));
    order
        .chunk_by(|&left, &right| lengths[left] == lengths[right])
        .flat_map(|equal| equal.chunks((pieces / lengths[equal[0]].max(1)).max(1)).map(<[usize]>::to_vec))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_picture() {
        assert_eq!(batches(&[5, 3, 5, 5, 3], 10), [vec![1, 4], vec![0, 2], vec![3]]);
        assert!(batches(&[], 10).is_empty());
    }

    proptest! {
        #[test]
        fn all_are_in_one_batch_of_their_length(lengths in prop::collection::vec(1..9usize, 0..60), pieces in 1..40usize) {
            let batches = batches(&lengths, pieces);
            let mut seen: Vec<usize> = batches.iter().flatten().copied().collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
            for batch in &batches {
                prop_assert!(batch.iter().all(|&index| lengths[index] == lengths[batch[0]]));
                prop_assert!(batch.len() == 1 || batch.len() * lengths[batch[0]] <= pieces);
            }
        }
    }
}
