//! Names that are ordinary words, told by what people do and where they stand: no list of words can tell them.
//!
//! ```text
//! she worries about Grant      Rose: agree with plan      SON WILL, 29      Dawn's mother      grant will bring him
//! ```

use super::found::Found;
use super::markers::Marker;
use super::people::{add, label_near};
use super::words::{Gap, MEDICAL, Shape, Word, Words};
use crate::detect::listed::{WordList, listed};
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// Names of months and seasons, which stand where names do.
static CALENDAR: WordList = WordList::new("may april june august march summer autumn winter spring easter christmas");
/// Grammar, parts of the body and words of forms that many are called too, yet seldom in notes.
static SELDOM: WordList = WordList::new(
    "see still same self new done given order read early long well good best head neck back foot hand hands mouth \
     bone heart chest face hair arm leg skin case page room bed office home mark grant will street church day night \
     monday friday price field fields judge major white black brown green gray grey blue english french german \
     love christian doctor miles star sterling stone point key water rice baby young son unit",
);
/// What only people do, whoever they are.
static DEEDS: WordList = WordList::new(
    "says said told asked asks hoped laughed cried wrote called texted emailed thinks thought knows knew explained \
     brought brings hopes speaks spoke wants wanted agrees agreed lives lived worked works answered finds found \
     understands understood verbalized drives drove carries came comes sat slept refuses refused denies denied reports \
     reported states stated prefers visits visited helps helped prayed sings cooks bought sold knocked jumped waited \
     stays stayed phoned paid pays aware notified paged confirms confirmed declined accepted held fed walked",
);
/// What stands behind `will`, `to`, `does not` or `would` of people.
static INTENTS: WordList = WordList::new(
    "bring call come drive pick see cover sign ask tell check arrange visit want take know like have be stay help follow go \
     meet think believe feel understand agree fax email text send talk speak discuss let do try",
);
/// Words in small letters that stand before people more often than before things.
static BEFORE_PEOPLE: WordList = WordList::new(
    "about with wants suggests asks asked asking met called trusts and then when that if because but told tell tells for to \
     from only misses misses loves like likes hates thinks says said promised phoned saw sees via per let lets unless \
     both is was while where than until since by wanted see seeing needs after without between helps helped",
);

/// Adds the namesakes of a sentence that its frames tell.
pub(super) fn detect(words: &Words, found: &mut Found) {
    let small_only = !words.shouted && !words.list.iter().any(|word| word.shape == Shape::Capital);
    for index in 0..words.list.len() {
        let word = &words.list[index];
        match word.shape {
            Shape::Lower if small_only => small(words, index, found),
            Shape::Capital if !words.shouted => capital(words, index, found),
            Shape::Upper if words.shouted => shouted(words, index, found),
            _ => {}
        }
    }
}

/// `hope is on call`, `strong on for tonight`, `penny said yes`, `grant will bring him`: in lines without capitals.
fn small(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let Some(next) = words.get(index + 1).filter(|next| next.gap == Gap::Space) else { return };
    let first = matches!(word.gap, Gap::Start | Gap::Comma | Gap::Stop | Gap::Other)
        || index > 0
            && (words.list[index - 1].is(Marker::Kin)
                || listed!(words.text(index - 1), "ok and also but so if then when because"));
    if !first || word.marker.is_some() || word.end - word.start < 4 || next.shape != Shape::Lower {
        return;
    }
    let (follows, then) = (words.text(index + 1), words.get(index + 2).map_or("", |_| words.text(index + 2)));
    let duty = follows == "on" && matches!(then, "for" | "call" | "tonight")
        || follows == "is" && matches!(then, "on" | "off" | "covering" | "here")
        || follows == "covering";
    let deed = listed!(follows, "said says told texted wants asked thinks drove brought spoke called knows")
        || follows == "will" && INTENTS.contains(then)
        || follows == "is" && matches!(then, "in" | "coming" | "asking" | "calling" | "mad" | "worried" | "here");
    if !(duty || deed) || CALENDAR.contains(words.text(index)) || found.covers(word.start..word.end) {
        return;
    }
    let info = words.look_up(index, index);
    let grammar = info.english_size() == Some(10) && info.given_count < 20_000 && !duty;
    let borne = info.given_count >= 10_000 || duty && info.surname_count >= 15_000;
    if borne && !grammar && !info.is_any(MEDICAL.union(super::runs::CUES)) {
        let label = if duty { Label::Doctor } else { label_near(words, index) };
        add(words, index, index, label, 0.6, found);
        // `strong on for early`
        let relieved = index + 3;
        if then == "for"
            && words.get(relieved).is_some_and(|word| word.gap == Gap::Space && word.shape == Shape::Lower)
            && words.look_up(relieved, relieved).surname_count >= 5_000
        {
            add(words, relieved, relieved, Label::Doctor, 0.5, found);
        }
    }
}

fn bearers(word: &Word) -> u32 {
    word.info.surname_count.max(word.info.given_count)
}

/// Whether a word may be a namesake at all.
fn may_bear(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    word.end - word.start >= 3
        && bearers(word) >= 1_000
        && matches!(word.marker, None | Some(Marker::NoName))
        && !CALENDAR.contains(words.text(index))
        && (!word.info.is_any(MEDICAL) || bearers(word) >= 20_000)
        && !word.info.is_any(super::runs::CUES.union(WordFlags::COUNTRY).union(WordFlags::STATE))
}

/// `Dawn's mother`, `about Grant`, `Mark (a line cook`, `Rose: would agree`.
fn capital(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if !may_bear(words, index) || found.covers(word.start..word.end) || words.is_eponym(index) {
        return;
    }
    if says_line(words, index) || is_quoted_signer(words, index) {
        add(words, index, index, Label::Doctor, 0.6, found);
        return;
    }
    let given = word.info.given_count >= 5_000 && (word.marker.is_none() || words.is_namesake_at(index));
    let named = given || word.info.surname_count >= 5_000 && words.is_namesake_at(index);
    let beside_capital = matches!(word.gap, Gap::Space)
        && index > 0
        && words.list[index - 1].is_capital()
        && words.list[index - 1].marker.is_none()
        && (words.list[index - 1].gap != Gap::Start || bearers(&words.list[index - 1]) >= 1_000);
    let before_capital = words.get(index + 1).is_some_and(|next| {
        matches!(next.gap, Gap::Space | Gap::Hyphen) && next.is_capital() && next.end - next.start > 1
    });
    if beside_capital || before_capital {
        return;
    }
    let opens = matches!(word.gap, Gap::Start | Gap::Stop | Gap::Other);
    let nickname = word.info.is(WordFlags::NICKNAME) || word.info.given_count >= 500;
    // `Hope N aware`
    let initial = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Initial)
        && words.get(index + 2).is_some_and(|deed| deed.gap == Gap::Space)
        && DEEDS.contains(words.text(index + 2));
    if given && initial {
        add(words, index, index + 1, Label::Doctor, 0.6, found);
        return;
    }
    let asked = nickname
        && word.gap == Gap::Space
        && index > 0
        && listed!(words.text(index - 1), "wants tell told ask asked asks about misses calls promised");
    let owner = nickname
        && word.gap == Gap::Space
        && index > 0
        && words.list[index - 1].shape == Shape::Lower
        && has_kin(words, index)
        && !listed!(words.text(index - 1), "the a an of");
    let fits = asked
        || owner
        || named && (acts(words, index) || described(words, index) || has_kin(words, index))
        || given && !opens && stands_inside(words, index);
    if fits {
        add(words, index, index, label_near(words, index), 0.6, found);
    }
}

/// `> Hope`: alone in a line of an answered message.
fn is_quoted_signer(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    if word.info.given_count < 5_000 || !words.between(index).trim_end().ends_with('>') {
        return false;
    }
    let line = words.sentence[..word.start].rsplit('\n').next().unwrap_or_default();
    let after = words.between_after(index);
    line.trim() == ">" && (after.is_empty() || after.starts_with('\n'))
}

/// `, who`, `does not want`, `called`, `to bring`, `will be`.
fn acts(words: &Words, index: usize) -> bool {
    let Some(next) = words.get(index + 1).filter(|next| next.gap == Gap::Space) else { return false };
    if next.shape == Shape::Lower && DEEDS.contains(words.text(index + 1)) {
        // `Case reports`, `Will states`
        return !(SELDOM.contains(words.text(index))
            && matches!(words.text(index + 1), "reports" | "states" | "called"));
    }
    let modal = matches!(
        words.text(index + 1),
        "will" | "would" | "to" | "can" | "may" | "does" | "did" | "doesn't" | "didn't"
    );
    let not = words.get(index + 2).is_some_and(|_| words.text(index + 2) == "not");
    let verb = index + 2 + usize::from(not);
    modal
        && words.get(verb).is_some_and(|verb| verb.gap == Gap::Space)
        && INTENTS.contains(words.text(verb))
        && !words.text(index).eq_ignore_ascii_case("hope")
}

/// `Mark (a line cook, …)`, `Grant (big guy)`: a person told in brackets.
fn described(words: &Words, index: usize) -> bool {
    words.get(index + 1).is_some_and(|next| next.gap == Gap::Bracket && next.shape == Shape::Lower)
        && words.between(index + 1).trim() == "("
        && (matches!(
            words.text(index + 1),
            "a" | "an" | "his" | "her" | "who" | "would" | "big" | "from" | "old" | "retired"
        ) || words.list[index + 1].is(Marker::Kin))
        && !words.between_after(index + 1).starts_with(')')
}

/// `Dawn's mother`: kin, or whatever else belongs to a word inside a sentence.
fn has_kin(words: &Words, index: usize) -> bool {
    let owns = words.between_after(index).starts_with("'s ") || words.between_after(index).starts_with("’s ");
    owns && words.get(index + 2).is_some_and(|owned| {
        owned.is(Marker::Kin)
            || words.list[index].gap == Gap::Space && owned.shape == Shape::Lower && !owned.info.is_any(MEDICAL)
    })
}

/// A capital inside a sentence in small letters, where people stand.
fn stands_inside(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    let Some(before) = index.checked_sub(1).map(|before| &words.list[before]) else { return false };
    let frequent = word.info.given_count >= 10_000 || word.info.english_size() > Some(35);
    word.gap == Gap::Space
        && frequent
        && words.between(index) == " "
        && (before.shape == Shape::Lower || before.gap == Gap::Start)
        && BEFORE_PEOPLE.contains(words.text(index - 1))
        && !words.text(index).contains('-')
}

/// `Rose: agree`, `Young: no role for surgery`: who says a line.
fn says_line(words: &Words, index: usize) -> bool {
    static TALK: WordList = WordList::new(
        "agree agrees would will i we she he they yes no not ok okay can please could should thinks hope wants suggests \
         recommends fine sure thanks favor favors needs let in if what happy defer unlikely",
    );
    const BODY: &str = "head neck back foot hand hands mouth bone heart chest face hair arm leg skin page bed home street \
                        plan grant code order self church price";
    let word = &words.list[index];
    let line = words.between_after(index).strip_prefix(": ");
    if line.is_none() || word.info.surname_count < 3_000 {
        return false;
    }
    let opens = words.sentence[..word.start].trim_end_matches([' ', '>', '*', '-', '\t']);
    (opens.is_empty() || opens.ends_with('\n'))
        && !listed!(words.text(index), BODY)
        && line.is_some_and(|line| {
            line.starts_with(|c: char| c.is_lowercase())
                && words.get(index + 1).is_some()
                && TALK.contains(words.text(index + 1))
        })
}

/// `SON WILL, 29`, `GRANDNEPHEW MARK SAT WITH HIM`, `QUESTIONS TO PENNY, X3317`.
fn shouted(words: &Words, index: usize, found: &mut Found) {
    let Some(before) = index.checked_sub(1).map(|before| &words.list[before]) else { return };
    let word = &words.list[index];
    if word.gap != Gap::Space || word.end - word.start < 3 || found.covers(word.start..word.end) {
        return;
    }
    let given = word.info.given_count >= 5_000 && matches!(word.marker, None | Some(Marker::NoName));
    let title = before.is(Marker::PersonTitle) || before.is(Marker::DoctorTitle);
    let surname = title && word.info.surname_count >= 10_000 && matches!(word.marker, None | Some(Marker::NoName));
    // `OFFICER DALE RICH`
    let surname_after = index > 1
        && words.list[index - 2].is(Marker::PersonTitle)
        && before.info.given_count >= 5_000
        && word.info.surname_count >= 10_000
        && matches!(word.marker, None | Some(Marker::NoName))
        && words.gap_after(index) != Gap::Hyphen;
    if surname_after && found.covers(before.start..before.end) {
        add(words, index - 1, index, Label::Patient, 0.7, found);
        return;
    }
    let announced = before.is(Marker::Kin)
        || title
        || before.is(Marker::PeopleVerb) && words.text(index - 1) != "PER"
        || matches!(words.text(index - 1), "ADMINISTRATOR" | "MANAGER" | "SUPERVISOR" | "PASTOR" | "DRIVER");
    let asked = matches!(words.text(index - 1), "TO" | "WITH" | "FOR")
        && index > 1
        && matches!(
            words.text(index - 2),
            "QUESTIONS" | "CALL" | "CALLS" | "REPORT" | "SPOKE" | "TALKED" | "MET" | "HANDOFF"
        );
    if !(given || surname) || !(announced || asked) || words.is_eponym(index) {
        return;
    }
    let modal = matches!(words.text(index), "WILL" | "MAY" | "CAN" | "HAS" | "DOES" | "SEE" | "WELL" | "HER" | "HIS");
    let closed = match words.get(index + 1) {
        None => true,
        Some(next) => {
            let after = words.between_after(index).as_bytes();
            matches!(next.gap, Gap::Comma | Gap::Bracket | Gap::Stop)
                || matches!(after, [b',' | b'.' | b'"' | b';' | b')' | b'/', ..])
                || next.gap == Gap::Space
                    && next.info.surname_count >= 2_000
                    && given
                    && !modal
                    && next.marker.is_none()
                || next.gap == Gap::Space
                    && matches!(words.text(index + 1), "AND" | "AT" | "WHO" | "FROM" | "HERE" | "PRESENT")
                || !modal
                    && next.gap == Gap::Space
                    && (DEEDS.contains(words.text(index + 1))
                        || matches!(words.text(index + 1), "IS" | "WAS" | "HAS" | "IN" | "ON" | "BADGE"))
        }
    };
    if !closed {
        return;
    }
    let second = words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Space
            && next.marker.is_none()
            && next.info.surname_count >= 2_000
            && !DEEDS.contains(words.text(index + 1))
    });
    let label = if before.is(Marker::DoctorTitle) || asked { Label::Doctor } else { Label::Patient };
    add(words, index, index + usize::from(second && !modal), label, 0.7, found);
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn frames_make_people_of_words() {
        assert_eq!(people("She worries about Dale and the farm."), ["Dale"]);
        assert_eq!(people("Joy (a retired welder) moved in"), ["Joy"]);
        assert_eq!(people("then Dawn's mother called"), ["Dawn"]);
        assert_eq!(people("Rich does not want surgery"), ["Rich"]);
        assert_eq!(people("Park: would favor chemo first."), ["Park"]);
        assert_eq!(people("DAUGHTER FAITH, 34, LIVES NEARBY"), ["FAITH"]);
        assert_eq!(people("BROTHER CHASE DROVE HIM IN"), ["CHASE"]);
    }

    #[test]
    fn words_stay_words_elsewhere() {
        for line in [
            "SON WILL DRIVE HIM HOME",
            "DAUGHTER MAY VISIT TOMORROW",
            "Hope to discharge tomorrow",
            "Mark the site",
            "Early (stage I) disease",
            "Grant: pending approval",
            "Back: no tenderness",
            "Case discussed with team",
        ] {
            assert_eq!(people(line), [] as [&str; 0], "{line}");
        }
    }
}
