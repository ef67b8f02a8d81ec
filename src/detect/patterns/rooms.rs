//! Rooms by their numbers alone, told by who is in them: `lebowitz in 1107`, `mrs brown in 22 had`, `203 A Mesidor, 56`,
//! `308A  Tsosie, Delbert`, `298 B empty`, or by a move: `Room change from 208W to 115D`.

use std::ops::Range;

use super::context::{byte_at, byte_before, offset_in, word_after, word_before};
use super::findings::Findings;
use super::survey::{Chain, Survey};
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// What is counted or measured by a number behind an area's letters.
const COUNTED: &str = "day days night nights week weeks wk wks month months mo hr hrs hours min mins visits visit times x year years yr yrs views view \
                       cuts mm cm ma kv slices weeks' level levels vs of more to out prior dose doses lead leads set sets other further additional units score scores points";

/// Adds the rooms.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in &survey.chains {
        if chain.count != 1 || chain.end - chain.start > 4 || findings.covers(&chain.range()) {
            continue;
        }
        if let Some(range) = somebodys(sentence, chain)
            .or_else(|| of_row(sentence, chain))
            .or_else(|| of_move(sentence, chain))
            .or_else(|| of_prison(sentence, chain))
            .or_else(|| of_side(sentence, chain))
        {
            findings.add(range, Label::Hospital, 0.7);
        }
    }
}

/// `lebowitz in 1107 bp 84/50`, `mrs brown in 22 had`, `found in 418's doorway`: a room by its number, with somebody in it.
fn somebodys(sentence: &str, chain: &Chain) -> Option<Range<usize>> {
    let length = chain.end - chain.start;
    let end = with_letter(sentence, chain.end);
    let owned = sentence[end..].starts_with("'s ");
    let lead = word_before(sentence, chain.start);
    if length < 2
        || !lead.eq_ignore_ascii_case("in")
        || byte_before(sentence, chain.start) != b' '
        || !(owned || is_free(sentence, end))
    {
        return None;
    }
    let year = length == 4 && matches!(&sentence[chain.start..chain.start + 2], "19" | "20");
    let at = offset_in(sentence, lead);
    let who = word_before(sentence, at);
    let beside = sentence[..at].ends_with(' ') && sentence[..at].trim_end().ends_with(who);
    let info = Lexicon::shared().word(who);
    // A name that no list has: `Okonkwor in 7114`, but `Fentanil in 100`, `Decresed in 1200`.
    let round = ["00", "50"].iter().any(|end| sentence[chain.range()].ends_with(end));
    let unheard_of = length > 2
        && !round
        && !who.ends_with("ed")
        && who.len() > 3
        && info.flags.is_empty()
        && who.starts_with(char::is_uppercase)
        && who.chars().skip(1).all(char::is_lowercase);
    let person = unheard_of
        || listed!(
            who,
            "pt patient lady gentleman man woman guy girl boy mom dad sitter fall fell found code admit new"
        )
        || !info.is_any(WordFlags::ENGLISH.union(WordFlags::MEDICAL).union(WordFlags::DRUG))
            && info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME))
        || listed!(word_before(sentence, offset_in(sentence, who)), "mr mrs ms miss");
    let next = word_after(sentence, end);
    let goes_on = owned
        || sentence[end..].trim().is_empty()
        || matches!(byte_at(sentence, end), b',' | b'.' | b';' | b':' | b'?' | b'!' | b')')
        || listed!(
            next,
            "had has is was wants needs c/o bp sat sats hr k with w/ who for and still just pulled fell called calling asking says said \
             got gets getting spiked on off npo refusing rang please pls again now tonight at re vomiting confused agitated desatting",
        );
    (!year && !who.is_empty() && beside && person && goes_on).then_some(chain.start..end)
}

/// The room that begins a line of a list of patients: `203 A Mesidor, 56`, `308A  Tsosie, Delbert`, `298 B empty`, `201 Mr. B dc home`.
fn of_row(sentence: &str, chain: &Chain) -> Option<Range<usize>> {
    let opens = chain.start == 0 || byte_before(sentence, chain.start) == b'\n';
    let length = chain.end - chain.start;
    let tail = &sentence[chain.end..];
    let letter = |rest: &str| rest.starts_with(|letter: char| ('A'..='D').contains(&letter));
    let bed = if letter(tail) {
        1
    } else if tail.starts_with([' ', '-']) && letter(&tail[1..]) && byte_at(tail, 2) == b' ' {
        2
    } else {
        0
    };
    let column = tail[bed..].starts_with("  ");
    let rest = tail[bed..].strip_prefix(' ')?.trim_start_matches(['-', '|', ' ']);
    if !opens || length < 2 || bed == 0 && length != 3 {
        return None;
    }
    let word =
        &rest[..rest.bytes().take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'\'')).count()];
    let title = listed!(word, "mr mrs ms miss");
    let vacant = listed!(word, "empty vacant dirty clean blocked closed")
        && matches!(byte_at(rest, word.len()), b' ' | b',' | b'.' | b'\n' | b';');
    let info = Lexicon::shared().word(word.split('-').next().unwrap_or_default());
    let behind = &rest[word.len()..];
    let listed = length == 3
        && column
        && word.len() > 1
        && behind.strip_prefix(", ").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let lettered = bed > 0 && word.len() > 2 && behind.starts_with([',', ' ']) && !info.is(WordFlags::DRUG);
    let named = word.starts_with(char::is_uppercase)
        && (info.is(WordFlags::SURNAME) || info.flags.is_empty())
        && !info.is(WordFlags::MEDICAL);
    (title || vacant || named && (listed || lettered)).then_some(chain.start..chain.end + bed)
}

/// Words for a room.
const ROOMS: &str = "room rooms rm rms";
/// What is done to go from one to another.
const MOVES: &str =
    "change changed changes changing move moved moves moving switch switched swap swapped transfer transferred";
/// What stands between these words and the number of a room.
const BETWEEN: &str = "from to the her his their was were is be been for request bed";

/// A room that somebody leaves or moves to: `Room change from 208W to 115D`, `switched rooms from 204 to 216`.
fn of_move(sentence: &str, chain: &Chain) -> Option<Range<usize>> {
    let letter =
        byte_at(sentence, chain.end).is_ascii_uppercase() && !byte_at(sentence, chain.end + 1).is_ascii_alphanumeric();
    let end = chain.end + usize::from(letter);
    let head = &sentence[..chain.start];
    let between = listed!(word_before(sentence, chain.start), "from to") && byte_before(sentence, chain.start) == b' '
        || ends_in_arrow(head)
        || sentence[end..].trim_start().starts_with("->");
    // Nothing else stands between: `changed to room air from 40`, `Rm 4; dose changed from 25 to 50`.
    let before = || {
        let words = head.rsplit(|c: char| !c.is_ascii_alphabetic()).take(40).filter(|word| !word.is_empty());
        words.take(7).take_while(|word| {
            word.len() == 1 || listed!(word, BETWEEN) || listed!(word, ROOMS) || listed!(word, MOVES)
        })
    };
    let moved = || before().any(|word| listed!(word, ROOMS)) && before().any(|word| listed!(word, MOVES));
    let after = byte_at(sentence, end);
    let measured = after.is_ascii_alphanumeric()
        || matches!(after, b'%' | b'/' | b'+')
        || after == b'.' && byte_at(sentence, end + 1).is_ascii_digit()
        || unit_follows(sentence, end);
    (chain.end - chain.start >= 2 && between && !measured && moved()).then_some(chain.start..end)
}

/// `W. Frost / 14-door`: a room of two beds, by the side where the bed stands.
fn of_side(sentence: &str, chain: &Chain) -> Option<Range<usize>> {
    let rest = sentence[chain.end..].strip_prefix('-')?;
    let side = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let free = !byte_before(sentence, chain.start).is_ascii_alphanumeric();
    // A car has 4.
    (free && chain.end - chain.start > 1 && listed!(side, "door window win"))
        .then_some(chain.start..chain.end + 1 + side.len())
}

/// `cell 04  Okeke T.`, `F pod cell 4`: the cell of a prison; but `her cell 914 555 0147`, `5 cells per field`.
fn of_prison(sentence: &str, chain: &Chain) -> Option<Range<usize>> {
    let word = word_before(sentence, chain.start);
    let start = offset_in(sentence, word);
    let lead = word_before(sentence, start);
    let opens = sentence[..start].trim_end_matches(' ').is_empty() || byte_before(sentence, start) == b'\n';
    let behind = sentence[chain.end..].trim_start_matches([' ', '-', '.']);
    (listed!(word, "cell")
        && chain.end - chain.start < 4
        && byte_before(sentence, chain.start) == b' '
        && (opens || listed!(lead, "pod block tier unit in to from bunk wing dorm"))
        && !behind.starts_with(|c: char| c.is_ascii_digit())
        && is_free(sentence, chain.end))
    .then_some(start..chain.end)
}

/// The end of a number with the letter of a bed behind it.
pub(super) fn with_letter(sentence: &str, end: usize) -> usize {
    let letter = matches!(byte_at(sentence, end), b'A'..=b'H' | b'a'..=b'd')
        && !byte_at(sentence, end + 1).is_ascii_alphanumeric();
    end + usize::from(letter)
}

/// Whether nothing makes an amount of the number that ends here.
pub(super) fn is_free(sentence: &str, end: usize) -> bool {
    let after = byte_at(sentence, end);
    let decimal = matches!(after, b'.' | b':' | b',') && byte_at(sentence, end + 1).is_ascii_digit();
    let goes_on = after.is_ascii_alphanumeric()
        || matches!(after, b'%' | b'+' | b'/' | b'\'' | b'"' | b'=' | b'*') && !sentence[end..].starts_with("'s")
        || after == b'-' && byte_at(sentence, end + 1).is_ascii_alphanumeric();
    let counted = unit_follows(sentence, end) || listed!(word_after(sentence, end), COUNTED);
    !(decimal || goes_on || counted)
}

/// Whether an arrow ends a text: no `>` of a comparison.
pub(super) fn ends_in_arrow(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with("->") || text.ends_with("=>") || text.ends_with('→')
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn rooms_with_somebody_in_them() {
        for (sentence, room) in [
            ("mrs brown in 22 had 650 again", "22"),
            ("found in 418's doorway", "418"),
            ("203 A Mesidor, 56, POD#2", "203 A"),
            ("298 B empty, clean", "298 B"),
            ("211B  Okafor, Grace  77F  CHF", "211B"),
            ("201 Mr. B dc home", "201"),
            ("W. Frost / 14-door / POD2", "14-door"),
        ] {
            assert_eq!(found(sentence, &[Label::Hospital]), [room], "{sentence}");
        }
    }

    #[test]
    fn cells_of_a_prison() {
        for (sentence, rooms) in [
            ("cell 04  Okeke T. at door", &["cell 04"] as &[&str]),
            ("DISPO: GP, bottom bunk, F pod cell 4. Verify", &["cell 4"]),
            ("cell 914 555 0147, on her way", &[]),
            ("white cell 12, red cell 4", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Hospital]), rooms, "{sentence}");
        }
    }

    #[test]
    fn rooms_of_a_move() {
        for (sentence, rooms) in [
            ("Room change from 208W to 115D after a row over TV", &["208W", "115D"] as &[&str]),
            ("switched rooms from 204 to 216", &["204", "216"]),
            ("rm transfer to 412B done", &["412B"]),
            ("asked to move from room air to 2 L", &[]),
            ("changed to room air from 40 percent", &[]),
            ("dose change from 20 to 40 in the waiting area", &[]),
            ("moved rooms, BP from 140 to 120", &[]),
            ("exam room; weight changed from 180 to 176", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Hospital]), rooms, "{sentence}");
        }
        assert_eq!(found("Okonkwor in 7114, potassium low", &[Label::Hospital]), ["7114"]);
        assert_eq!(found("Fentanil in 100", &[Label::Hospital]), [] as [&str; 0]);
    }

    #[test]
    fn years_results_and_shares() {
        for sentence in [
            "MI in 1998 and 2004",
            "decreased in 22 of 30",
            "change in 10 mg steps",
            "118 Glucose, random",
            "118  Glucose, Random",
        ] {
            assert_eq!(found(sentence, &[Label::Hospital]), [] as [&str; 0], "{sentence}");
        }
    }
}
