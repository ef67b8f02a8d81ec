//! The laws of segmentation, and what single rules do.

use proptest::prelude::*;

use super::lengths::LONGEST;
use super::*;

fn cut(text: &str) -> Vec<&str> {
    sentences(text).map(|range| &text[range]).collect()
}

#[test]
fn sentences_of_a_line() {
    assert_eq!(
        cut("Feels well. No pain! Why? (See below.) Ok"),
        ["Feels well.", "No pain!", "Why?", "(See below.)", "Ok"]
    );
    assert_eq!(
        cut("Seen by Dr. Lee. J. Smith came, B.P. 120/80."),
        ["Seen by Dr. Lee.", "J. Smith came, B.P. 120/80."]
    );
    assert_eq!(cut("Dose 0.5 mg p.o. b.i.d. today. 3 tabs left."), ["Dose 0.5 mg p.o. b.i.d. today.", "3 tabs left."]);
    assert_eq!(cut("Go to www.site.org. Then call."), ["Go to www.site.org.", "Then call."]);
    assert_eq!(cut("Father b. 1921, d. 1999 in Troy. Well."), ["Father b. 1921, d. 1999 in Troy.", "Well."]);
    assert_eq!(cut("Well.\u{a0} Home."), ["Well.", "Home."]);
}

#[test]
fn an_opener_ends_an_abbreviation_but_no_title() {
    assert_eq!(cut("Take it prn. The pain is less."), ["Take it prn.", "The pain is less."]);
    assert_eq!(cut("Take it prn. Smith agrees."), ["Take it prn. Smith agrees."]);
    assert_eq!(cut("R Breast Mass. 10000 units given."), ["R Breast Mass.", "10000 units given."]);
    assert_eq!(cut("Hepatitis C. She knows."), ["Hepatitis C.", "She knows."]);
    assert_eq!(cut("Smoked for 40 yrs. He quit."), ["Smoked for 40 yrs.", "He quit."]);
    for whole in [
        "Seen by Dr. The Nguyen.",
        "Mary J. He, MD",
        "12 MAIN ST. IN TROY",
        "Lab no. MCG-0077 sent.",
        "MARY J. WILL CAME",
        "Box 14 Cow Creek Rd, Scranton, Penna. 18503",
    ] {
        assert_eq!(cut(whole), [whole]);
    }
}

#[test]
fn numbers_of_lists_and_dates_stay_with_what_they_number() {
    assert_eq!(cut("Plan: 1. Rest. 2. Ice."), ["Plan: 1. Rest.", "2. Ice."]);
    assert_eq!(cut("Seen 3. 4. 2019 and 12. March 1956. Well."), ["Seen 3. 4. 2019 and 12. March 1956.", "Well."]);
    assert_eq!(cut("Score: 7. Better since 2010. Home."), ["Score: 7.", "Better since 2010.", "Home."]);
    assert_eq!(
        cut("Call 800 . 555 . 0128 on 4 . 17 . 22 ok. Well . 2 tabs."),
        ["Call 800 . 555 . 0128 on 4 . 17 . 22 ok.", "Well .", "2 tabs."]
    );
    assert_eq!(cut("Seen on Nov. 18. Tomasz called."), ["Seen on Nov. 18.", "Tomasz called."]);
}

#[test]
fn a_field_ends_before_the_next_label() {
    assert_eq!(
        cut("Name: SMITH, JOHN   MRN: 00417\tSex: M | Race: W"),
        ["Name: SMITH, JOHN", "MRN: 00417", "Sex: M |", "Race: W"]
    );
    assert_eq!(cut("MRN     : 3077218   Bay     : 3"), ["MRN     : 3077218", "Bay     : 3"]);
    for whole in [
        "Name: John   Smith  12 Main St   Troy",
        "Name:      MRN:      DOB:",
        "start 09:20  stop 11:47   out 12:01",
        "D: kg   T: mw",
        "Site: x  http://a.example/b  y:z",
        "Hct   19.4   28.8",
        "Kin: Ann Lee (w)   next door with key: Mrs Joy",
    ] {
        assert_eq!(cut(whole), [whole]);
    }
}

#[test]
fn line_breaks_end_sentences_unless_wrapped() {
    assert_eq!(
        cut("Name: Ann\r\nAge: 50\r\n\r\n 1. Aspirin\n2. Zinc\rIron\x0CEnd"),
        ["Name: Ann", "Age: 50", "1. Aspirin", "2. Zinc", "Iron", "End"]
    );
    let whole = [
        "The patient was seen in the clinic today with her daughter Mary\nSmith and has no complaints.",
        "The patient was seen in clinic today\nand is well.",
        "The patient was seen again today in the clinic by\nDr. Lee",
        "He came to the clinic on Tuesday and then again on Friday to see Dr.\nLee.",
        "PATIENT TRANSFERRED BY AMBULANCE FROM THE COMMUNITY HOSPITAL OF LAKE\nCITY IN STABLE CONDITION",
        " - furosemide 40 mg for the next two weeks\n   and then once a day",
    ];
    for whole in whole {
        assert_eq!(cut(whole), [whole.trim_start()]);
    }
    // A sentence that begins late in a wrapped line goes on, too; and the colon of a clock time makes no field.
    let late = "No fever or chills since the last visit, and eating well again. Mary\nSmith called at 10:30.";
    assert_eq!(cut(late)[1], "Mary\nSmith called at 10:30.");
    let apart = [
        "The patient was seen in the clinic today with her daughter Mary here\nPlan: rest",
        "Lisinopril 10 mg daily\nmetformin 500 mg",
        "  lisinopril 10 mg daily by mouth in the morning, for hypertension\n  metformin 500 mg",
        "Potassium             5.4        H      3.5-5.1         mmol/L\nsodium                138",
        "The patient was seen in clinic today (with Mary.)\nand is well",
        "The patient was seen in clinic by the staff of\nPlan: rest",
    ];
    for two in apart {
        assert_eq!(cut(two).len(), 2, "{two}");
    }
}

#[test]
fn long_lines_are_cut_at_safe_points() {
    let words = "word ".repeat(10_000);
    assert!(
        sentences(&words).all(|range| range.len() <= LONGEST && words[range].split(' ').all(|word| word == "word"))
    );
    for run in ["é".repeat(30_000), "!".repeat(30_000), "a\u{301}".repeat(9_000), "x:".repeat(20_000)] {
        assert_eq!(sentences(&run).map(|range| range.len()).sum::<usize>(), run.len());
        assert!(sentences(&run).all(|range| range.len() <= LONGEST));
    }
    let names = "seen SMITH, JOHN in clinic ".repeat(400);
    assert!(sentences(&names).all(|range| !names[range.clone()].ends_with("SMITH,") && range.len() <= LONGEST));
    let clauses = "one, two three; ".repeat(400);
    assert!(sentences(&clauses).all(|range| clauses[range].ends_with(';')));
}

/// Pieces that clinical lines are made of, and that rules look at.
const PIECES: &str = "(Dr\\.|Smith|the|J\\.|prn\\.|1\\.|12|2019|MRN:|Name: |Lee|10:30|x|\\.|\\?|!| |  |   |\t|\n|\n\n|\r\n|\r|, |\\)|\"|é|”|\\| |- |a\\)|The|SEEN WITH|\
                      seen in the clinic today with her daughter|ALL WERE SEEN IN THE CLINIC ON THE DAY|\u{a0}|\u{85}|\u{2028}|\u{2029}|\\\\n|\\\\r\\\\n|\
                      C:\\\\new|\\\\\\.br\\\\|<br>|</p>|<)";

/// Texts of clinical pieces, put together by a pattern in which `~` stands for one piece.
/// A cut by length may lie before a break of a wrapped line that was looked at already.
#[test]
fn long_wrapped_text_without_a_stop_is_cut_on_any_line() {
    for width in 40..120 {
        let line: String =
            "she was seen again with her sister and was then told to come back ".chars().cycle().take(width).collect();
        for text in [format!("{line}\n").repeat(80), format!("{line}\r\n").repeat(80), format!("{line}x\n").repeat(80)]
        {
            let ranges: Vec<_> = sentences(&text).collect();
            let kept: usize = ranges.iter().map(|range| text[range.clone()].split_whitespace().count()).sum();
            assert_eq!(kept, text.split_whitespace().count(), "{width}");
            assert!(ranges.iter().all(|range| range.len() <= LONGEST));
        }
    }
}

fn clinical(pattern: &str) -> impl Strategy<Value = String> {
    proptest::string::string_regex(&pattern.replace('~', PIECES)).unwrap()
}

/// The places of a text where sentences begin or end.
fn boundaries(text: &str) -> Vec<usize> {
    sentences(text).flat_map(|range| [range.start, range.end]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn nothing_is_lost(text in clinical("[A-Za-z0-9 .?!:,\r\n\té”•]{0,300}|\\PC{0,80}|~{0,60}")) {
        let mut at = 0;
        for range in sentences(&text) {
            prop_assert!(range.start >= at && range.end > range.start);
            prop_assert!(text[at..range.start].chars().all(char::is_whitespace));
            prop_assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
            at = range.end;
        }
        prop_assert!(text[at..].chars().all(char::is_whitespace));
    }

    #[test]
    fn a_long_text_costs_no_more_than_its_length_and_is_cut_soundly(piece in clinical("~"), times in 1_usize..3_000) {
        let text = piece.repeat(times);
        for range in sentences(&text) {
            prop_assert!(text.get(range.clone()).is_some() && range.len() <= LONGEST + 100);
        }
    }

    #[test]
    fn a_paragraph_is_cut_alone_as_in_a_note(before in "[A-Za-z .\\n]{0,80}", text in clinical("[A-Za-z0-9 .?!:,\n]{0,200}|~{0,40}")) {
        let note = format!("{before}\n\n{text}");
        let alone: Vec<_> = cut(&text).into_iter().map(str::to_owned).collect();
        let together: Vec<_> = cut(&note).into_iter().map(str::to_owned).collect();
        prop_assert!(together.ends_with(&alone));
    }

    /// Lines are read by their feeds here: two lines away from the one that is changed, nothing moves.
    #[test]
    fn an_edit_moves_no_far_boundary(
        text in clinical("(~{1,8}\n){1,16}"), place in 0.0..1.0_f64, other in "[a A.:?\n\r\t1|é]",
    ) {
        let at = text.floor_char_boundary((text.len() as f64 * place) as usize);
        let old = text[at..].chars().next().unwrap();
        let edited = format!("{}{other}{}", &text[..at], &text[at + old.len_utf8()..]);
        let first = text[..at].rmatch_indices('\n').nth(2).map_or(0, |(feed, _)| feed);
        let behind = text[at + old.len_utf8()..].match_indices('\n').nth(2).map_or(0, |(feed, rest)| {
            text.len() - at - old.len_utf8() - feed - rest.len()
        });
        let before = |found: &str| boundaries(found).into_iter().filter(|place| *place < first).collect::<Vec<_>>();
        let after = |found: &str| {
            let ends = boundaries(found).into_iter().map(|place| found.len() - place);
            ends.filter(|left| *left < behind).collect::<Vec<_>>()
        };
        prop_assert_eq!(before(&text), before(&edited));
        prop_assert_eq!(after(&text), after(&edited));
    }
}
