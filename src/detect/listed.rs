//! Whether a word is one of a short list that stands in the code.
//!
//! ```text
//! listed!(word, "mg ml mcg units")    any case; most words are refused by one bit of a mask made by the compiler
//! ```

/// Whether `word` is one of the blank-separated words of a constant list, in any case.
macro_rules! listed {
    ($word:expr, $list:expr $(,)?) => {{
        const LISTED_WORDS: &str = $list;
        const LISTED_MASK: u128 = $crate::detect::listed::mask(LISTED_WORDS);
        $crate::detect::listed::is_in($word, LISTED_WORDS, LISTED_MASK)
    }};
}
pub(crate) use listed;

/// The bit of a word: told by its length and first two letters, small and capital ones being the same.
const fn bit(word: &[u8]) -> u32 {
    let second = if word.len() > 1 { word[1] | 0x20 } else { 0 };
    ((word[0] | 0x20) as u32 * 31 + second as u32 * 7 + word.len() as u32) % 128
}

/// The bits of all words of a list.
pub(crate) const fn mask(list: &str) -> u128 {
    let bytes = list.as_bytes();
    let (mut mask, mut at) = (0, 0);
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        if at > start {
            let (_, from) = bytes.split_at(start);
            let (word, _) = from.split_at(at - start);
            mask |= 1 << bit(word);
        }
        at += 1;
    }
    mask
}

/// Whether `word` is in `list`, whose mask is `mask`.
#[inline]
pub(crate) fn is_in(word: &str, list: &str, mask: u128) -> bool {
    let bytes = word.as_bytes();
    !bytes.is_empty()
        && mask & (1 << bit(bytes)) != 0
        && list.split_ascii_whitespace().any(|candidate| candidate.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    const LIST: &str = "mg ml q é mcg units  under\n over it's";

    #[test]
    fn words_of_the_list_and_no_others() {
        for word in ["mg", "ML", "Q", "é", "Units", "OVER", "it's"] {
            assert!(super::listed!(word, LIST), "{word}");
        }
        for word in ["", " ", "m", "unit", "unitss", "mg ml", "è"] {
            assert!(!super::listed!(word, LIST), "{word}");
        }
    }

    proptest! {
        #[test]
        fn the_mask_refuses_no_word_of_the_list(word in "[a-zA-Z']{1,4}|mg|Ml|UNDER|\\PC{0,3}") {
            let plain = !word.is_empty() && LIST.split_ascii_whitespace().any(|other| other.eq_ignore_ascii_case(&word));
            prop_assert_eq!(super::listed!(&word, LIST), plain);
        }
    }
}
