//! Sites by their short form behind a transfer: `transferred to MGB for a stent`, `tx from NWH`, `d/c to WRHS`.
//!
//! Medicine has more short forms than any list. So the words before must say that a patient is moved to or from a house, and the short
//! form must be of none of the kinds that houses, units, services and treatments are. Two letters, `MH`, `SJ ED`, mean so much else that
//! they are a site's only behind a move from one house to another.

use super::sites::NO_HOSPITALS;
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// What is done with patients only.
const MOVES: &str = "transferred transfer transfers transferring txfer txfr txf xfer xferred xfers xfr tsf tsfr trsf airlifted lifeflighted \
                     medflighted flown transported admitted readmitted discharged d/c d/c'd d/c'ed dc'd dc'ed";
/// Among them, those whose other end is a service or a home as often as another house.
const WITHIN: &str = "admitted readmitted discharged d/c d/c'd d/c'ed dc'd dc'ed transported";
/// What is done with all things, and with patients where `over` follows: `sent over from`.
const SENT: &str = "sent shipped came comes coming brought";
/// What may stand between the deed and its preposition.
const WAYS: &str = "over back here out directly";
/// Short for a transfer and for a treatment.
const BRIEF: &str = "tx tx'd txd";
/// Beside them a treatment is meant: `XRT tx to PTV`.
const TREATED: &str = "radiation xrt rt sbrt imrt srs photon photons electron electrons proton protons boost chemo gy";
/// Houses, units, services, programmes and targets by their kind. What some known house is called, such as `OSU`, is not among them.
const KINDS: &str = "afc bhu cbrf tcc tcf slf mhu aru tru eou essu clc snu pch icf imu sdu dou asu dsu sds apu ppu gim ltc aa dbt \
                     irts rtf rtp ctv ptv gtv pcf ssu nsu ipr ipu crf csb cbh rcf rcfe rcac ccrc pos phu jdc opat tpn lvad ecmo \
                     crrt acs acute ems amb aicu acu bicu bsu cdcr dcf epcu gpu gsu ibh itp msicu nsicu occ oou peds pmu rcu rehab \
                     resp rhu sbu scu sru ssp stcu sud tbi thc tics tsicu vsu wbn";
/// Two letters behind a transfer that are no house's: units, services, homes, ways of giving, parts of the body, rhythms, seats.
const OTHERS_OF_TWO: &str = "ed er or nh uc pt ot ir gi rt ob gu gy gs ns os cv ct mr us pp mb nn nb al sw pc rr bh ep hd ip op ap ms mt tc dc \
                             dr lr ld sr ic cc ec ew st ss su wc br bb sb hh ar rh im iv po sq sc sl io pr nc ra gt ng tf tv ho hm hb hr id \
                             pd pe px rm fl ft cl lt lb bl le ue re ll rl la rv lv af bc ac bp ps sn rn md np pa pm am cr cs tr ts kt \
                             ta fm fp gm bs bm cp vs eb ga ou tu rw ww fw";
/// What follows the short form of a service or a state of care.
const OF_SERVICES: &str =
    "service services team status criteria program protocol level precautions mode settings rate dose";

/// Adds the short form at `index`, if a patient is moved to or from it.
pub(super) fn detect(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let text = words.text(index);
    let short = word.shape == Shape::Upper
        && (2..=5).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_uppercase())
        && word.gap == Gap::Space
        && word.marker.is_none();
    let Some(lead) = index.checked_sub(1).filter(|_| short && !words.shouted) else { return };
    let fits = match text.len() {
        2 => listed!(words.text(lead), "to from") && is_move(words, lead, true) && may_be_site_of_two(words, index),
        _ => listed!(words.text(lead), "to from at") && is_move(words, lead, false) && is_unheard_of(words, index),
    };
    if !fits {
        return;
    }
    if !is_glued(words, index) && !found.covers(word.start..word.end) {
        found.add(word.start..word.end, Label::Hospital, if text.len() > 2 { 0.7 } else { 0.65 });
    }
}

/// Whether a short form is of a kind of house, unit, service or treatment: `LTC`, `BHU`.
pub(in crate::detect::dictionary) fn is_kind_of_house(text: &str) -> bool {
    listed!(text, KINDS)
}

/// Whether a patient is moved by what stands before the preposition at `lead`; `between` houses, where that must be sure.
fn is_move(words: &Words, lead: usize, between: bool) -> bool {
    let head = words.sentence[..words.list[lead].start].trim_end();
    let mut before = head.rsplit([' ', '\n', '\t', '(', ',', ';', ':']).filter(|word| !word.is_empty()).peekable();
    let way = before.next_if(|way| listed!(way, WAYS)).unwrap_or_default();
    let Some(deed) = before.next() else { return false };
    let sent = way.eq_ignore_ascii_case("over") && listed!(deed, SENT) && words.text(lead).eq_ignore_ascii_case("from");
    let brief = !between && listed!(deed, BRIEF) && !before.take(3).any(|word| listed!(word, TREATED));
    sent || listed!(deed, MOVES) && !(between && listed!(deed, WITHIN)) || brief
}

/// Whether two letters may be a house's, or are by the unit behind them: `SJ ED`.
fn may_be_site_of_two(words: &Words, index: usize) -> bool {
    let (info, text) = (words.list[index].info, words.text(index));
    let unit = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space)
        && matches!(words.text(index + 1), "ED" | "ER" | "ICU" | "Hospital" | "hospital");
    let state = info.is(WordFlags::STATE_ABBREVIATION);
    // Nobody is moved to `uh`.
    let word = info.english_size().is_some_and(|size| size <= 60) && !listed!(text, "uh ah eh");
    !listed!(text, OTHERS_OF_TWO) && (unit || !word && !state)
}

/// Whether no vocabulary has the short form.
fn is_unheard_of(words: &Words, index: usize) -> bool {
    const KNOWN: WordFlags = MEDICAL
        .union(WordFlags::EPONYM)
        .union(WordFlags::HEADING)
        .union(WordFlags::STATE)
        .union(WordFlags::STATE_ABBREVIATION)
        .union(WordFlags::COUNTRY);
    let (info, text) = (words.list[index].info, words.text(index));
    // Care units of any house end so.
    !info.is_any(KNOWN)
        && info.english_size().is_none()
        && !text.ends_with("CU")
        && !listed!(text, NO_HOSPITALS)
        && !is_kind_of_house(text)
}

/// Whether the short form goes on, or is of something that follows it.
fn is_glued(words: &Words, index: usize) -> bool {
    let after = words.between_after(index);
    let next = words.get(index + 1).filter(|next| next.gap == Gap::Space);
    after.starts_with(['-', '/', ':', '=', '%', '+', '_', '\\', '&'])
        || after.trim_start_matches(' ').starts_with(|c: char| c.is_ascii_digit())
        || next.is_some_and(|_| listed!(words.text(index + 1), OF_SERVICES))
}

#[cfg(test)]
pub(super) mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::dictionary::DictionaryDetector;
    use crate::phi::{Label, unite};

    /// The hospitals that are found in a sentence.
    pub(in crate::detect::dictionary::organizations) fn sites(sentence: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        DictionaryDetector::new().detect(sentence, &mut spans);
        spans.retain(|span| span.leading().class.label == Label::Hospital);
        unite(spans).iter().map(|span| &sentence[span.start..span.end]).collect()
    }

    #[test]
    fn short_forms_behind_a_transfer() {
        for (sentence, site) in [
            ("She was transferred to MGB for a stent.", "MGB"),
            ("Pt tx from NWH overnight with a bleed", "NWH"),
            ("Ready for d/c to WRHS once stable", "WRHS"),
            ("He was airlifted from QVB with burns", "QVB"),
            ("was admitted to QHX for two nights", "QHX"),
            ("(xfer from QVBT last night)", "QVBT"),
            ("Transferred to PSU for a stent.", "PSU"),
            ("Transferred back to MGB this morning", "MGB"),
            ("sent over from QVBT for a scan", "QVBT"),
            ("txf from MH overnight with a bleed", "MH"),
            ("transferred from SJ ED for cath", "SJ"),
            ("Sent over from QV for embolization", "QV"),
            ("She was transferred back to MH today", "MH"),
            ("Xfer from OH ED with a stroke", "OH"),
        ] {
            assert_eq!(sites(sentence), [site], "{sentence}");
        }
    }

    #[test]
    fn kinds_of_houses_and_treatments() {
        for sentence in [
            "She was transferred to ICU for pressors.",
            "Plan d/c to SNF or LTAC on Monday",
            "transferred to PACU in good condition",
            "admitted to IMCU for tele",
            "tx from OR to ED boarding",
            "discharged to LTC with home meds",
            "radiation tx to PTV was well borne",
            "transferred to QVB service overnight",
            "transferred to BHU once clear",
            "switched to QVB cream for the rash",
            "d/c to MA with family",
            "back to NH tomorrow",
            "transferred to NH in stable condition",
            "txf from OR to PACU",
            "transferred from OH by ground",
            "transferred to GM service",
            "transferred to OU in good spirits",
            "transfer from WC to mat with help",
            "transferred from PP to the ward",
            "admitted to KT for the graft",
            "discharged to SJ with family",
            "tx to MH in six fractions",
            "sent from MH in a tube",
            "came over from CT without trouble",
            "Patient came back to SJ today",
        ] {
            assert_eq!(sites(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
