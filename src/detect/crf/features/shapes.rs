//! The shape of a word: `Díaz` is `Xxxx`, collapsed `Xx`; `3/4/2020` is `0/0/0000`, collapsed `0/0/0`.

use xxhash_rust::xxh3::xxh3_64;

/// A shape longer than this is cut: what follows says little.
const LONGEST: usize = 24;

/// The hash of the full shape, and of the one in which a run of equal kinds stands once.
pub(super) fn shapes(text: &str) -> (u64, u64) {
    let (mut full, mut collapsed) = ([0; LONGEST], [0; LONGEST]);
    let (mut full_length, mut collapsed_length) = (0, 0);
    for character in text.chars() {
        let mark = mark(character);
        if full_length < LONGEST {
            full[full_length] = mark;
            full_length += 1;
        }
        if collapsed_length < LONGEST && (collapsed_length == 0 || collapsed[collapsed_length - 1] != mark) {
            collapsed[collapsed_length] = mark;
            collapsed_length += 1;
        }
        if full_length == LONGEST && collapsed_length == LONGEST {
            break;
        }
    }
    (xxh3_64(&full[..full_length]), xxh3_64(&collapsed[..collapsed_length]))
}

fn mark(character: char) -> u8 {
    match character {
        'a'..='z' => b'x',
        'A'..='Z' => b'X',
        '0'..='9' => b'0',
        _ if character.is_ascii() => character as u8,
        _ if character.is_uppercase() => b'X',
        _ if character.is_alphabetic() => b'x',
        _ if character.is_numeric() => b'0',
        _ => b'?',
    }
}

/// The regular-expression classes that a token belongs to, a bit each (Gardner et al. 2010, table 2, by its meaning: the printed
/// numbers of digits are one off). `ISSPACE` has no token here.
pub(super) mod class {
    macro_rules! classes {
        ($($name:ident)+) => { classes!(@ 0u32; $($name)+); };
        (@ $bit:expr; $name:ident $($rest:ident)*) => {
            pub const $name: u32 = 1 << ($bit);
            classes!(@ $bit + 1; $($rest)*);
        };
        (@ $bit:expr;) => {};
    }
    classes! {
        ALPHA INITIAL_CAPITAL UPPER_LOWER ALL_CAPITALS MIXED_CASE SINGLE_CHARACTER
        ONE_DIGIT TWO_DIGITS THREE_DIGITS FOUR_DIGITS NUMBER HAS_DIGIT LETTERS_DIGITS DIGITS_LETTERS
        NUMBERS_DOT_LETTERS LETTERS_DOT_NUMBERS HAS_DASH HAS_QUOTE HAS_SLASH PUNCTUATION REAL_NUMBER
        STARTS_MINUS STARTS_PLUS ENDS_PERCENT ROMAN HAS_AT HAS_DOT HAS_COLON
    }
}

/// What a text is made of, counted once for all classes.
#[derive(Default)]
struct Census {
    characters: usize,
    upper: usize,
    lower: usize,
    digits: usize,
    letters: usize,
    dots: usize,
    roman: usize,
    first_upper: bool,
    marks: u32,
}

impl Census {
    fn of(text: &str) -> Self {
        let mut census = Self::default();
        for character in text.chars() {
            census.characters += 1;
            match character {
                'I' | 'V' | 'X' | 'L' | 'C' | 'D' | 'M' => census.roman += 1,
                '-' | '–' => census.marks |= class::HAS_DASH,
                '\'' | '’' | '"' => census.marks |= class::HAS_QUOTE,
                '/' => census.marks |= class::HAS_SLASH,
                '@' => census.marks |= class::HAS_AT,
                ':' => census.marks |= class::HAS_COLON,
                '.' => census.dots += 1,
                _ => (),
            }
            if character.is_alphabetic() {
                census.letters += 1;
                if character.is_uppercase() {
                    census.upper += 1;
                    census.first_upper |= census.characters == 1;
                } else {
                    census.lower += 1;
                }
            } else if character.is_numeric() {
                census.digits += 1;
            }
        }
        census
    }
}

/// The classes of a text, as bits of [`class`].
pub(super) fn classes(text: &str) -> u32 {
    let census = Census::of(text);
    let all = |count: usize| count > 0 && count == census.characters;
    let mut classes = census.marks;
    let mut set = |class: u32, holds: bool| classes |= if holds { class } else { 0 };
    set(class::ALPHA, all(census.letters));
    set(class::INITIAL_CAPITAL, census.first_upper);
    set(class::UPPER_LOWER, census.first_upper && census.upper == 1 && census.lower > 0 && all(census.letters));
    set(class::ALL_CAPITALS, all(census.upper) && census.upper > 1);
    set(class::MIXED_CASE, census.upper > 0 && census.lower > 0 && !(census.first_upper && census.upper == 1));
    set(class::SINGLE_CHARACTER, census.characters == 1);
    set(class::NUMBER, all(census.digits));
    match (all(census.digits), census.digits) {
        (true, 1) => set(class::ONE_DIGIT, true),
        (true, 2) => set(class::TWO_DIGITS, true),
        (true, 3) => set(class::THREE_DIGITS, true),
        (true, 4) => set(class::FOUR_DIGITS, true),
        _ => (),
    }
    set(class::HAS_DIGIT, census.digits > 0);
    set(class::HAS_DOT, census.dots > 0);
    set(class::PUNCTUATION, census.letters + census.digits == 0);
    set(class::ROMAN, all(census.roman));
    let one_dot = census.dots == 1 && census.characters > 1;
    set(class::REAL_NUMBER, one_dot && census.digits > 0 && census.digits + 1 == census.characters);
    if census.letters > 0 && census.digits > 0 {
        let digits_first = text.starts_with(char::is_numeric);
        let mixed = census.letters + census.digits == census.characters;
        set(class::DIGITS_LETTERS, mixed && digits_first);
        set(class::LETTERS_DIGITS, mixed && !digits_first);
        let dotted = one_dot && census.letters + census.digits + 1 == census.characters;
        set(class::NUMBERS_DOT_LETTERS, dotted && digits_first);
        set(class::LETTERS_DOT_NUMBERS, dotted && !digits_first);
    }
    set(class::STARTS_MINUS, text.starts_with('-') && census.digits > 0);
    set(class::STARTS_PLUS, text.starts_with('+') && census.digits > 0);
    set(class::ENDS_PERCENT, text.ends_with('%'));
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_meet_where_words_look_alike() {
        assert_eq!(shapes("Díaz"), shapes("Lima"));
        assert_eq!(shapes("Díaz").1, shapes("Gutiérrez").1);
        assert_ne!(shapes("Díaz").0, shapes("Gutiérrez").0);
        assert_eq!(shapes("3/4/2020").1, shapes("13/04/20").1);
        assert_ne!(shapes("3/4/2020").1, shapes("3-4-2020").1);
    }

    #[test]
    fn classes_of_words_and_numbers() {
        let has = |text: &str, class: u32| classes(text) & class != 0;
        assert!(
            has("Rosa", class::UPPER_LOWER) && has("Rosa", class::INITIAL_CAPITAL) && !has("Rosa", class::MIXED_CASE)
        );
        assert!(has("McCoy", class::MIXED_CASE) && has("IV", class::ROMAN) && has("IV", class::ALL_CAPITALS));
        assert!(has("1984", class::FOUR_DIGITS) && has("1984", class::NUMBER) && !has("1984", class::TWO_DIGITS));
        assert!(has("7A", class::DIGITS_LETTERS) && has("A7", class::LETTERS_DIGITS) && has("3.5", class::REAL_NUMBER));
        assert!(has("5.mg", class::NUMBERS_DOT_LETTERS) && has("no.5", class::LETTERS_DOT_NUMBERS));
        assert!(has("-5%", class::STARTS_MINUS) && has("-5%", class::ENDS_PERCENT) && has("+5", class::STARTS_PLUS));
        assert!(has("ann@b.org", class::HAS_AT) && has("O'Neil", class::HAS_QUOTE) && has("3/4", class::HAS_SLASH));
        assert!(has(";", class::PUNCTUATION));
    }
}
