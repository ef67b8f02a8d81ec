//! How fast templates are matched: MB of text a second on one core, most sentences matching none.
//!
//! The rules and the sentences are made of the same openings and words, so that many sentences begin as a rule does.

use std::time::Instant;

use plainsight::detect::Templates;

const OPENINGS: &[&str] = &[
    "Electronically signed by",
    "Electronically authenticated by",
    "Dictated by",
    "Seen by",
    "Seen and examined by Dr.",
    "Patient was seen in clinic by",
    "Discussed with",
    "Verified by",
    "Reviewed with",
    "Called and spoke with",
    "Paged",
    "Attending:",
    "Referring provider:",
    "Date of service:",
    "Follow up with",
    "Medication list reviewed by",
    "Result called to",
    "The patient",
    "She",
    "No acute",
    "Review of systems",
    "History of",
    "Plan:",
    "Assessment:",
    "Lungs are",
    "Heart",
    "Labs",
    "Continue",
    "Denies",
    "Status post",
];

const WORDS: &[&str] = &[
    "pain",
    "chest",
    "left",
    "right",
    "the",
    "on",
    "at",
    "with",
    "for",
    "and",
    "of",
    "daily",
    "clear",
    "normal",
    "was",
    "is",
    "in",
    "mg",
    "twice",
    "stable",
    "today",
    "without",
    "fever",
    "chills",
    "note",
    "record",
    "service",
    "unit",
    "provider",
    "team",
    "results",
    "the",
    "physical",
    "examination",
    "regular",
    "rate",
    "rhythm",
    "negative",
    "positive",
    "bilateral",
    "auscultation",
    "room",
    "phone",
    "visit",
];

const SLOTS: &[(&str, &str)] = &[
    (r"\p{Alphabetic}+", "DOCTOR"),
    (r"\p{Alphabetic}+, \p{Alphabetic}+ \p{Alphabetic}+", "DOCTOR"),
    ("[0-9]+/[0-9]+/[0-9]+", "DATE_full"),
    ("[0-9]+", "IDNUM"),
    (r"(?:\p{Alphabetic}+[0-9]|[0-9]+\p{Alphabetic})[\p{Alphabetic}0-9]*", "IDNUM"),
];

const FILLINGS: &[&str] = &["Olson", "DEWEY, JONES K", "3/4/2019", "4711", "K7"];

/// Prints the speed of `rules` templates over `megabytes` of sentences.
pub fn templates(rules: usize, megabytes: usize) {
    let mut random = Numbers(7);
    let (mut file, mut matching) = (String::new(), Vec::new());
    for rule in 0..rules {
        let (mut pattern, mut example, mut sentence) = (String::new(), String::new(), String::new());
        // One rule in fifty begins with its slot, as `OLSON, K MD` does.
        if rule % 50 != 0 {
            push_words(&mut random, &mut [&mut pattern, &mut example, &mut sentence]);
        }
        for group in 1..=1 + random.below(3) {
            let slot = random.below(SLOTS.len());
            let (expression, class) = SLOTS[slot];
            pattern.push_str(&format!("(?<{class}{group}>{expression})"));
            example.push_str(&format!("[{} {}]", class.replace('_', ":"), FILLINGS[slot]));
            sentence.push_str(FILLINGS[slot]);
            push_words(&mut random, &mut [&mut pattern, &mut example, &mut sentence]);
        }
        file.push_str(&format!("[[template]]\nname = \"{rule}\"\npattern = '{pattern}'\nmatches = [\"{example}\"]\n"));
        matching.push(sentence);
    }
    let begun = Instant::now();
    let templates = Templates::parse(&file).expect("the rules are made to be valid");
    println!("{} templates read in {:.0} ms", templates.len(), begun.elapsed().as_secs_f64() * 1e3);
    let (mut sentences, mut bytes) = (Vec::new(), 0);
    while bytes < megabytes * 1_000_000 {
        let mut sentence = OPENINGS[random.below(OPENINGS.len())].to_owned();
        for _ in 0..4 + random.below(16) {
            sentence.push(' ');
            sentence.push_str(WORDS[random.below(WORDS.len())]);
        }
        // One sentence in fifty matches.
        if random.below(50) == 0 {
            sentence.clone_from(&matching[random.below(matching.len())]);
        }
        bytes += sentence.len();
        sentences.push(sentence);
    }
    let mut best = f64::INFINITY;
    let mut matched = 0;
    for _ in 0..7 {
        let begun = Instant::now();
        matched = sentences.iter().filter(|sentence| templates.is_match(sentence)).count();
        best = best.min(begun.elapsed().as_secs_f64());
    }
    println!(
        "{} sentences of {:.0} bytes, {matched} match: {:.0} MB/s, {:.0} ns a sentence",
        sentences.len(),
        bytes as f64 / sentences.len() as f64,
        bytes as f64 / 1e6 / best,
        best * 1e9 / sentences.len() as f64
    );
}

fn push_words(random: &mut Numbers, texts: &mut [&mut String]) {
    let mut words = if texts[0].is_empty() { OPENINGS[random.below(OPENINGS.len())].to_owned() } else { String::new() };
    for _ in 0..1 + random.below(4) {
        words.push(' ');
        words.push_str(WORDS[random.below(WORDS.len())]);
    }
    words.push(' ');
    let words = if texts[0].is_empty() { words } else { format!(" {}", words.trim()) + " " };
    // Full stops are the only signs of the openings that a pattern must escape.
    for (place, text) in texts.iter_mut().enumerate() {
        text.push_str(&if place == 0 { words.replace('.', r"\.") } else { words.clone() });
    }
}

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) % bound as u64) as usize
    }
}
