//! Which letters follow each other in names.
//!
//! ```text
//! varga, thorstad ─▶ ar rg ga, ho or rs st ta ad: all common        aisvbbau ─▶ sv, vb: hardly in any name
//! ```

/// A pair is common that one name in so many has.
const NAMES_A_PAIR: u32 = 500;

/// The pairs of letters that are common.
pub(super) struct LetterPairs {
    /// For each first letter the second ones, a bit each.
    common: [u32; 26],
}

impl LetterPairs {
    /// The common pairs of words of small ASCII letters; others are passed over.
    pub(super) fn of<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let (mut counts, mut all) = ([[0_u32; 26]; 26], 0);
        for word in words {
            let mut seen = [0_u32; 26];
            for (first, second) in pairs(word) {
                counts[first][second] += u32::from(seen[first] >> second & 1 == 0);
                seen[first] |= 1 << second;
            }
            all += 1;
        }
        let is_common = |count: u32| count > 0 && count.saturating_mul(NAMES_A_PAIR) >= all;
        let common = counts.map(|seconds| {
            (0..).zip(seconds).filter(|(_, count)| is_common(*count)).fold(0, |bits, (second, _)| bits | 1 << second)
        });
        Self { common }
    }

    /// How many pairs of a word are not common.
    pub(super) fn rare_in(&self, word: &str) -> usize {
        pairs(word).filter(|&(first, second)| self.common[first] >> second & 1 == 0).count()
    }
}

/// The letters that follow each other, as numbers from 0.
fn pairs(word: &str) -> impl Iterator<Item = (usize, usize)> {
    let number = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
    word.as_bytes().windows(2).filter_map(move |pair| Some((number(pair[0])?, number(pair[1])?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_no_name_has_are_rare() {
        let pairs = LetterPairs::of(["varga", "thorstad", "ngo"].into_iter());
        for (word, rare) in [("garga", 0), ("thor", 0), ("ngar", 0), ("a", 0), ("", 0), ("grava", 3), ("vvv", 2)] {
            assert_eq!(pairs.rare_in(word), rare, "{word}");
        }
        // One name in a thousand makes no pair common.
        let rare = LetterPairs::of(std::iter::repeat_n("anna", 999).chain(["bxb"]));
        assert_eq!((rare.rare_in("nana"), rare.rare_in("bxa")), (0, 2));
    }
}
