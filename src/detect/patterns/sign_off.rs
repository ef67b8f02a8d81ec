//! Initials at the end of a note or of an entry: `/jks`, `JS:md`, `D: KLM T: jr`, `- KL`, `RS/lm`, a line that is only `TWB`.
//!
//! A line is judged from its two ends: what is dictated is signed at its end, the block of a typist begins a line.

use crate::detect::listed::listed;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, is_one_of};
use super::findings::Findings;
use super::survey::Survey;
use super::topics::Topics;
use super::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Longer lines end in words, not in initials alone.
const LONGEST_TAIL: usize = 48;

static INITIALS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:^|\s-?)((?-i:[A-Z]{2,4}))[:/]((?-i:[a-z]{2,4}))(?:[0-9/:-]*|\s*)$|(?:^|[\s.)])[-~]{1,2}\s?((?-i:[A-Z]{2,3}))\.?\s*$|[\s.)][-~]{1,2}((?-i:[a-z]{2}))\.?\s*$|(?:^|\s|[.)])/{1,2}\s?((?-i:[a-z]{2,3}|[A-Z]{2,3}))/{0,2}\s*$|(?:[0-9](?:[ap]m?)?\s|\s\s\s)\s+((?-i:[a-z]{2,3}|[A-Z]{2,3}))/((?-i:[a-z]{2,3}))\s*$|^\s*((?-i:[a-z]{2,3}))/((?-i:[a-z]{2,3}))\s*$",
    )
});
/// Who dictated and who typed, at the beginning of a line: `ABC:de`, `AB/CD   rest`, `D: AB  T: cd`.
static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"^\s*((?-i:[A-Z]{2,4}))[:/]((?-i:[a-z]{2,4}))(?:[\s/]|$)|^\s*((?-i:[A-Z]{2,3}))/((?-i:[A-Z]{2,3}))(?:\s\s|\s*$)|\bD:\s?((?-i:[A-Z]{2,4}))[\s,;]+T:\s?((?-i:[A-Za-z]{2,4}))\b|\b(?:ref|reference)\.?:?\s+((?-i:[A-Z]{2,4}))/((?-i:[a-z]{2,3}))\b|\s\s((?-i:[A-Z]{2}))/((?-i:[A-Z]{2}))(?:\s\s|\s*$)",
    )
});
/// A line of nothing but initials, with the date and time of the signature, or initials in a column of their own.
static ALONE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"^\s*[-/~(]?\s?((?-i:[A-Z]{2,3}|[a-z]{2,3}))[/).]?(?:\s+(?:[0-9]{1,2}[/.:-][0-9]{1,2}(?:[/.-][0-9]{2,4})?(?:\s+[0-9:]{4,5})?|[0-9]{6}\s[0-9]{4}))?\s*$|\s\s+[-/(]?((?-i:[A-Z]{2,3}|[a-z]{2,3}))[/)]?(?:\s+[0-9]{1,2}[/.:-][0-9]{1,2}(?:[/.-][0-9]{2,4})?(?:\s+[0-9:]{4,5})?)?\s*$|\bby:?\s((?-i:[A-Z]{2,3}|[a-z]{2,3}))\s*\.?\s*$|(?:[0-9]\.?\s(?-i:([A-Z]{2,3}))|\b[0-9]{4}\s(?-i:([a-z]{2})))\.?\s*$|\s/((?-i:[a-z]{2,3}|[A-Z]{2,3}))/(?:\s+[0-9/.:-]{4,10}){1,2}\s*$|[a-z)][.!?]\s((?-i:[a-z]{2}))\s*$|\b[ap]\.m\.\s((?-i:[a-z]{2}))\s*$|[0-9]/(?:[7-9]|[1-3][0-9]|[0-9]{1,2}/[0-9]{2,4})\s((?-i:[a-z]{2}))\s*$",
    )
});
/// Who dictated, and who typed by the name at the computer: `SR/kmt44  D: 4/22`, `APK:dx9`.
static TYPED: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?:^|[\s.])((?-i:[A-Z]{2,4}))[:/]((?-i:[a-z]{2,4}[0-9]{1,4}))(?:\s*$|\s\s|\s(?:dd?|tt?|dt|job)\b)")
});

/// Initials that a word tells: `Staff init: tmw`, `init PA/KB`, `QA rev js 4/29`.
static TOLD: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\binit(?:ials?|s)?\.?:\s?((?-i:[a-z]{2,3}|[A-Z]{2,3}))\b|\binit(?:ials?|s)?\.?:?\s+(?:(?-i:[A-Z]{2,3}))/((?-i:[A-Z]{2,3}))\b|\b(?:rev|rev'd|reviewed|checked|chk'd|ckd|verified|entered|typed|scanned|keyed|filed|logged)\s+(?:by\s+)?((?-i:[a-z]{2,3}|[A-Z]{2,3}))\s+[0-9]{1,2}/[0-9]{1,2}\b|\bcosign(?:ed)?\s(?:by\s)?((?-i:[A-Z]{2,3}))\s[0-9]{2}:?[0-9]{2}\b",
    )
});

/// Initials behind what was done to an entry, and behind thanks, that end a line: `logged swt`, `CLOSED BY GFH, CMA`, `thx DKR`.
static DONE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:logged|grossed|faxed(?: back)?|entered|typed|scanned|filed|keyed|routed|closed|charted)\s(?:by\s)?((?-i:[a-z]{2,3}|[A-Z]{2,3}))(?:,\s?(?-i:[A-Z]{2,5})\b[ -~]{0,8})?\.?\s*$|\b(?:thx|thanks|thank you|ty|regards)[,!.]?\s((?-i:[A-Z]{2,3}))\s*$",
    )
});

/// Two and three letters that are no initials.
pub(super) const NO_INITIALS: &str = "pt ot st rn md np pa ct us or er ed icu sem esm psm edm hsm ve wnl nad na nka mri bp hr iv po im sob cp ros \
                           hpi pmh all hx dx tx rx fx and ok no yes od os ou prn bid tid qid qd ac pc hs am pm do dc \
                           fu cc mg ml kg hr min day wk mo yr dl gm meq mm cm ul she he her his op co ca ii iii vs \
                           ref abd ext gu gi cv heent neuro psych msk dnr full ad a p the you for not of to in on at \
                           is it as be by if we so up my me him who was has had per via lvn lpn cna crna rpt rrt slp \
                           mph dds dmd dpm phd bsn msn lcsw facp facs faap ems usa uk qhs qam qpm stat neg pos est max \
                           low hgb hct wbc plt ekg ecg eeg lab vss aox aaa abg bmp cbc cmp lft inr ptt tsh end sig ns \
                           lr ra la lv rv rle lle rue lue ble bue mcg tab cap sl sc sq pr top out off new old yes dob \
                           ssn mrn age sex nos fyi asa eta tbd tba asap pcp ent obs ob gyn uti cad chf dm htn copd dvt \
                           pe cva tia mi af ckd esrd gerd bph ms mac pgy hem onc uro nu sr jr mr dr bs bm bms wd wf wm \
                           bf bmi vii iv vi xi xii nkda nkda pend spec exp qty amt none done see npi cpt gmc nhs fin dea glu cre alt ast bun hpc obj subj o/e oe pc sh fh dh tf sub imp rec rcis ctr cma rma rdms rvt bcba ee fmla hipaa ndc nok poa hcp dpoa dob pin iu gy fr ga no nl qbl ebl isi ess lot lic acc tel fax ext pgr bcc rcs \
                           smr iep vns pcc vus pmv mns ocb ho derm wk wks ms ste phn ods coa esi cga sba nwb pwb fwb urs hll bpm rpm rdh \
                           ltc snf alf hhc noc dot wic aba npo dni mfm ama mrr edt cst cdt mst mdt pst pdt akst akdt hst utc gmt bst cet \
                           cest hu dis eet eest aest aedt awst nzst nzdt jst ist adt dtv uf wit pea rom mbm ebm dap birp girp adm kk";

/// Credentials behind initials in small letters.
const SIGNING: &str = "rn lpn lvn cna crna np pa pa-c md do pt ot rt slp lcsw pharmd coa wocn cwocn ods rdh rd rdn cma rma pta cota otr dpt \
                       msw lmsw lsw bsn emt cpht rph rrt phn rbt bcba lmft lpc dds dmd aprn arnp fnp crnp cnm rpsgt rdms ctr";

/// Adds initials that close or begin a line.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for (start, line) in survey.lines(sentence) {
        block(line, start, findings);
        tail(line, start, findings);
        typed(line, start, findings);
        if survey.topics.has(Topics::INITIALED) {
            told(line, start, findings);
        }
        credentialed(line, start, findings);
        done(line, start, findings);
    }
}

fn done(line: &str, start: usize, findings: &mut Findings) {
    for letters in captures_in(&DONE, line).filter_map(|captures| captures.iter().skip(1).flatten().next()) {
        let range = start + letters.start()..start + letters.end();
        if are_lone_initials(letters.as_str()) && !findings.covers(&range) {
            findings.add(range, Label::Doctor, 0.6);
        }
    }
}

fn typed(line: &str, start: usize, findings: &mut Findings) {
    if !may_hold_pair(line.as_bytes()) {
        return;
    }
    for captures in captures_in(&TYPED, line) {
        let (Some(by), Some(typist)) = (captures.get(1), captures.get(2)) else { continue };
        if !listed!(typist.as_str(), "ft3 ft4 cd4 cd8 cd20 fev1 po2 pco2 spo2 fio2 sao2 hco3 b12 a1c") {
            findings.add(start + by.start()..start + by.end(), Label::Doctor, 0.7);
            findings.add(start + typist.start()..start + typist.end(), Label::Username, 0.7);
        }
    }
}

fn told(line: &str, start: usize, findings: &mut Findings) {
    for letters in captures_in(&TOLD, line).flat_map(|captures| captures.iter().skip(1).flatten().collect::<Vec<_>>()) {
        let range = start + letters.start()..start + letters.end();
        if !listed!(letters.as_str(), NO_INITIALS) && !findings.covers(&range) {
            findings.add(range, Label::Doctor, 0.7);
        }
    }
}

/// `rk/lpn`, `gap 11.   tb, RN`, `add. hk lpn`, `closed mjr RN`: small initials and a credential, that are a line or follow its last stop
/// or what was done to the entry.
fn credentialed(line: &str, start: usize, findings: &mut Findings) {
    let letters = |text: &str| text.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    let line = line.trim_end();
    let (head, credential) = line.split_at(line.len() - letters(line));
    let marked = head.strip_suffix('/').or_else(|| head.strip_suffix(", ")).or_else(|| head.strip_suffix(','));
    let head = marked.or_else(|| head.strip_suffix(' ')).unwrap_or_default();
    let signed = &head[head.len() - letters(head)..];
    let lead = head[..head.len() - signed.len()].trim_end();
    let range = start + head.len() - signed.len()..start + head.len();
    // Between blanks a unit stands before the credential as often: `noc rn`.
    let alone = || marked.is_some() || are_lone_initials(signed) && !listed!(signed, "nsg onc obs day eve peds hosp");
    let done =
        || listed!(&lead[lead.len() - letters(lead)..], "closed done signed entered charted filed completed resolved");
    if listed!(credential, SIGNING)
        && (2..=3).contains(&signed.len())
        && signed.bytes().all(|byte| byte.is_ascii_lowercase())
        && !listed!(signed, "rn lpn lvn cna np pa md do pt ot rt and per by the dr or")
        && (lead.is_empty() || lead.ends_with(['.', '!', '?']) || done())
        && alone()
        && !findings.covers(&range)
    {
        findings.add(range, Label::Doctor, 0.8);
    }
}

/// Whether two to four letters can be initials.
pub(super) fn are_initials(letters: &str) -> bool {
    let known = WordFlags::ABBREVIATION.union(WordFlags::MEDICAL).union(WordFlags::DRUG);
    !listed!(letters, NO_INITIALS) && !Lexicon::shared().word(letters).is_any(known)
}

/// The stricter test, for initials that nothing but their place marks.
pub(super) fn are_lone_initials(letters: &str) -> bool {
    let info = Lexicon::shared().word(letters);
    let other = WordFlags::STATE_ABBREVIATION
        .union(WordFlags::STREET_SUFFIX)
        .union(WordFlags::CARE_ROLE)
        .union(WordFlags::DIRECTION);
    let word = info.is(WordFlags::ENGLISH) && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    are_initials(letters) && !word && !(info.is_any(other) && letters.len() == 2)
}

fn block(line: &str, start: usize, findings: &mut Findings) {
    if !may_hold_pair(line.as_bytes()) {
        return;
    }
    let Some(captures) = captures_in(&BLOCK, line).next() else { return };
    let parts: Vec<_> = captures.iter().skip(1).flatten().collect();
    // `D: … T: …` and `ref …/…` say themselves what they are; of a bare pair one may also be an abbreviation.
    let told = captures.get(5).is_some() || captures.get(7).is_some();
    let typed = captures.get(1).is_some();
    let new = parts.iter().filter(|part| are_initials(part.as_str())).count();
    let first = parts.first().is_some_and(|part| are_initials(part.as_str()));
    let never = parts.iter().any(|part| listed!(part.as_str(), NO_INITIALS));
    if told || typed && first || new > 0 && !never {
        for part in parts {
            let range = start + part.start()..start + part.end();
            if !findings.covers(&range) {
                findings.add(range, Label::Doctor, 0.6);
            }
        }
        if let Some(typist) = captures.get(8) {
            file_after(line, typist.end(), start, findings);
        }
    }
}

/// `Our ref PA/mh/C24-77`: the number of the file, behind those who wrote.
fn file_after(line: &str, at: usize, start: usize, findings: &mut Findings) {
    let Some(file) = line[at..].strip_prefix('/') else { return };
    let length = file.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/')).count();
    let range = start + at + 1..start + at + 1 + length;
    if file[..length].bytes().filter(u8::is_ascii_digit).count() >= 2 && !findings.covers(&range) {
        findings.add(range, Label::IdNum, 0.8);
    }
}

fn tail(line: &str, line_start: usize, findings: &mut Findings) {
    let line = line.trim_end();
    let bytes = line.as_bytes();
    let mut start = bytes.len().saturating_sub(LONGEST_TAIL);
    while !line.is_char_boundary(start) {
        start += 1;
    }
    let end = &bytes[bytes.len().saturating_sub(12)..];
    if end.iter().any(|byte| matches!(byte, b'/' | b':' | b'-' | b'~')) && may_be_signed(bytes) {
        marked(&line[start..], line_start + start, findings);
    }
    if !ends_in_short_word(line) || !stands_alone(line) || start > 0 && !line.is_char_boundary(start) {
        return;
    }
    let Some(captures) =
        ALONE.captures(if start > 0 { &line[start - usize::from(line.is_char_boundary(start - 1))..] } else { line })
    else {
        return;
    };
    let offset = if start > 0 { start - usize::from(line.is_char_boundary(start - 1)) } else { 0 };
    let lone = captures.get(1).filter(|_| offset == 0);
    let Some(letters) = lone.or_else(|| captures.iter().skip(2).flatten().next()) else { return };
    let range = line_start + offset + letters.start()..line_start + offset + letters.end();
    // A table has many columns, and short words in them.
    let small = letters.as_str().bytes().all(|byte| byte.is_ascii_lowercase());
    let table = captures.get(2).is_some() && small && line.matches("  ").take(6).count() > 5;
    // `UF 0.9`: a value, where a day has two numbers that are no part of one.
    let value = line[offset + letters.end()..].trim().split_once('.').is_some_and(|(_, rest)| rest.len() == 1);
    let fits = !table
        && !value
        && match captures.get(6).or_else(|| captures.get(8)) {
            Some(_) => !listed!(letters.as_str(), NO_INITIALS),
            None => are_lone_initials(letters.as_str()) || are_of_signer(line, letters),
        };
    if fits && !findings.covers(&range) {
        findings.add(range, Label::Doctor, 0.6);
    }
}

/// `H. Swan, RN    HS`, `aware.  sa`: the initials of a name in the line, or small letters behind the stop of an entry.
fn are_of_signer(line: &str, letters: regex::Match) -> bool {
    let text = letters.as_str();
    let small = text.bytes().all(|byte| byte.is_ascii_lowercase());
    let head = line.get(..letters.start()).unwrap_or(line);
    if listed!(text, NO_INITIALS) {
        return false;
    }
    if small {
        return head.ends_with(".  ") && Lexicon::shared().word(text).english_size().is_none();
    }
    let capitals = |(at, byte): (usize, &u8)| {
        byte.is_ascii_uppercase() && !byte_at(line, at.wrapping_sub(1)).is_ascii_alphanumeric()
    };
    let bytes = text.as_bytes();
    let initials: Vec<u8> =
        head.as_bytes().iter().enumerate().filter(|&place| capitals(place)).map(|(_, byte)| *byte).collect();
    initials.windows(bytes.len()).any(|window| window == bytes)
}

/// Whether what stands before the last letters of a line lets them be initials: nothing, a wide blank, a number, `by` or a mark.
fn stands_alone(line: &str) -> bool {
    let bytes = line.as_bytes();
    let end = bytes.iter().rposition(u8::is_ascii_alphabetic).map_or(0, |at| at + 1);
    let letters = bytes[..end].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let head = &bytes[..end - letters];
    let lead = head.trim_ascii_end();
    let wide = head.len() - lead.len() > 1;
    wide || match lead {
        [.., b'0'..=b'9' | b'-' | b'/' | b'~' | b'(' | b'.' | b':' | 0x0B] | [] => true,
        [.., b'b' | b'B', b'y' | b'Y'] => true,
        // White space that is none to ASCII.
        [.., last] => !last.is_ascii(),
    }
}

/// Whether a line can end in initials, with a date and time at most after them; a look at its last bytes.
fn ends_in_short_word(line: &str) -> bool {
    let cut = line.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '/' | '.' | ':' | '-' | ')'));
    if line.len() - cut.len() > 22 {
        return false;
    }
    let letters = cut.bytes().rev().take(4).take_while(u8::is_ascii_alphabetic).count();
    (2..=3).contains(&letters)
        && !byte_at(cut, cut.len().wrapping_sub(letters + 1)).is_ascii_alphanumeric()
        && cut.as_bytes().get(cut.len().wrapping_sub(letters + 1)).is_none_or(|byte| byte.is_ascii())
}

/// Whether a colon or slash stands between a capital and a letter, or `D:`, as in every block.
fn may_hold_pair(line: &[u8]) -> bool {
    let head = &line[..line.len().min(160)];
    // The mark that lets a line be looked at may stand anywhere behind it.
    memchr::memchr2(b':', b'/', head).is_some()
        && memchr::memchr2_iter(b':', b'/', line).any(|at| {
            let before = at.checked_sub(1).map_or(b' ', |at| line[at]);
            let after = line.get(at + 1).copied().unwrap_or(b' ');
            before.is_ascii_uppercase() && after.is_ascii_alphabetic()
                || line[at] == b':' && matches!(before, b'D' | b'd')
        })
}

/// Whether a line ends in two to four letters behind a slash, colon or dash, as signed ones do.
fn may_be_signed(line: &[u8]) -> bool {
    let is_tail = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'/' | b':' | b'-' | b'.');
    let end = line.iter().rposition(|byte| !is_tail(byte)).map_or(0, |at| at + 1);
    let letters = line[..end].iter().rev().take(5).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let head = &line[..end - letters];
    let blank = usize::from(head.last().is_some_and(|byte| matches!(byte, b' ' | b'\t'..=b'\r')));
    let mark = head[..head.len() - blank].last();
    (2..=4).contains(&letters) && mark.is_some_and(|mark| matches!(mark, b'/' | b':' | b'-' | b'~'))
}

/// Initials after a slash, dash or colon at the end of a line.
fn marked(tail: &str, start: usize, findings: &mut Findings) {
    let Some(captures) = INITIALS.captures(tail) else {
        return;
    };
    let parts: Vec<_> = captures.iter().skip(1).flatten().collect();
    // `-TO/ak`: behind a dash a pair is a pair of initials, whatever one of them means elsewhere.
    let dashed = parts.len() == 2 && tail[..parts[0].start()].ends_with('-') && are_initials(parts[1].as_str());
    let other = parts.iter().any(|part| listed!(part.as_str(), NO_INITIALS));
    if other && !dashed && !(parts.len() == 2 && parts[1].as_str() == "md") {
        return;
    }
    // `well -jk`: small letters behind a dash may be a word or a sign, `-ve`.
    let small = |part: &regex::Match| part.as_str().starts_with(|c: char| c.is_ascii_lowercase());
    let marked_small = parts.len() == 1 && small(&parts[0]) && tail[..parts[0].start()].ends_with(['-', '~']);
    if marked_small && !are_lone_initials(parts[0].as_str()) {
        return;
    }
    for part in parts.iter().filter(|part| !is_one_of(part.as_str(), &["md"])) {
        let range = start + part.start()..start + part.end();
        if !findings.covers(&range) {
            findings.add(range, Label::Doctor, 0.6);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn signed(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Doctor])
    }

    #[test]
    fn small_initials_at_the_end_of_an_entry() {
        assert_eq!(signed("goes to Ohio for a week. kt"), ["kt"]);
        assert_eq!(signed("addend at 5:02 p.m. jc"), ["jc"]);
        assert_eq!(signed("rk/lpn"), ["rk"]);
        assert_eq!(signed("Tolerated well -jk"), ["jk"]);
        assert_eq!(signed("gap 11.   tb, RN"), ["tb"]);
        assert_eq!(signed("ktl, COA"), ["ktl"]);
        assert_eq!(signed("report filed. ljc,RN"), ["ljc"]);
        assert_eq!(signed("told him to bring the shoe. mq/wocn"), ["mq"]);
        assert_eq!(signed("will ask about the dose. qj lpn"), ["qj"]);
        assert_eq!(signed("no PCV, closed mjr RN"), ["mjr"]);
        assert_eq!(signed("fistula clotted.\nlogged swt"), ["swt"]);
        assert_eq!(signed("5/29      faxed back dg"), ["dg"]);
        assert_eq!(signed("CLOSED BY GFH, CMA."), ["GFH"]);
        assert_eq!(signed("he is getting angry, thx DKR"), ["DKR"]);
        for pair in ["Dictated but not read. SR/kmt44  D: 04/22/2018", "Job 7741082  SR/esc44", "SR:dx9"] {
            assert_eq!(found(pair, &[Label::Doctor, Label::Username]).len(), 2, "{pair}");
        }
        assert_eq!(found("TSH/ft4  normal", &[Label::Doctor, Label::Username]), [] as [&str; 0]);
    }

    #[test]
    fn words_at_the_end_of_an_entry() {
        for sentence in [
            "he is fine. ok",
            "stop the drip. iv",
            "see the nurse, RN",
            "turn q2. rn",
            "culture -ve",
            "better -so",
            "home has 4 STE",
            "noc rn",
            "stable. per md",
            "called the rn",
            "seen, done by md",
            "chart closed OK",
            "thank you ED",
            "labs routed to PCP",
            "faxed it",
        ] {
            assert_eq!(signed(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
