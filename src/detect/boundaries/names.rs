//! What else belongs to a name that was found in part: `van [Rubner]`, `[Ngozi] A.`, `St. [Lukes]`.

use crate::detect::listed::listed;

/// Particles that are hardly anything else before a name; `belongs` tells where some are.
const GERMANIC: &str = "van von der den ter ten op bin binti bint ibn al el abu vander";
/// Particles that are also prepositions or articles of other languages.
const ROMANCE: &str = "de da di del della dos das du la le las los";
/// Words after which those are particles all the same.
const BEFORE_SURNAMES: &str =
    "called signed per by with for w dr drs and told paged pgd d from mr mrs ms miss prof seen cc re attn await see";
/// How many particles a surname has.
const MOST_PARTICLES: usize = 3;

/// Given names cut short with a full stop: `Wm. Hargreave`.
const CUT_SHORT: &str = "wm chas geo jas jos thos robt benj edw saml danl fredk richd alexr jno";

/// Takes in `Wm.`, `Chas.` before a name.
pub(super) fn with_short_given(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let Some(head) = text[..start].strip_suffix(". ") else { return (start, end) };
    let given = last_word(head);
    let free = !head[..head.len() - given.len()].ends_with(char::is_alphanumeric);
    let taken = free && given.starts_with(char::is_uppercase) && listed!(given, CUT_SHORT);
    if taken { (head.len() - given.len(), end) } else { (start, end) }
}

/// Takes in `van der`, `de la`, `bin` before a surname, written as it or in small letters.
pub(super) fn with_particles(text: &str, (mut start, end): (usize, usize)) -> (usize, usize) {
    for _ in 0..MOST_PARTICLES {
        let Some(head) = text[..start].strip_suffix(' ') else { break };
        let particle = last_word(head);
        let lead = &head[..head.len() - particle.len()];
        let inside = &text[start..end];
        let shouted = particle.chars().all(char::is_uppercase);
        let fits = lead.is_empty()
            || lead.ends_with([' ', '\n', '\t', '(', '/', ',', ':', '&', '>', '→', '|', '"', '-', '–', '+']);
        let cased = !shouted || inside.chars().all(|letter| !letter.is_lowercase());
        let before = last_word(lead.trim_end_matches([' ', '.']));
        if !fits || !cased || !belongs(particle, before, lead) {
            break;
        }
        start -= particle.len() + 1;
    }
    (start, end)
}

/// Whether a word is a particle, told by the word before it and what stands between them.
fn belongs(particle: &str, before: &str, lead: &str) -> bool {
    let vehicle = listed!(particle, "van") && listed!(before, "the a by his her their my transport medical mini in");
    let others = listed!(particle, "al") && listed!(before, "et");
    // `bed ten Smith`, `the den Smith`, `sharps bin Smith`: English words, but behind another particle or a name.
    let english = listed!(particle, "ten den op") && !listed!(before, "van von op")
        || listed!(particle, "bin") && before.starts_with(char::is_lowercase);
    if listed!(particle, GERMANIC) {
        return !(vehicle || others || english);
    }
    let small = particle.starts_with(char::is_lowercase);
    listed!(particle, ROMANCE)
        && (!small
            || !lead.ends_with(' ')
            || lead.trim_end().ends_with(['(', ')', '/', ':', '&', '>', '→', '|', '+'])
            || listed!(before, BEFORE_SURNAMES)
            || listed!(before, ROMANCE))
}

/// Takes in the initial that closes a name: `Ngozi A.`, `RENBERG J|`, `Lozano R, RN`; no side, sex or type.
pub(super) fn with_closing_initial(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let inside = &text[start..end];
    let stays = || (start, end);
    let Some(rest) = text[end..].strip_prefix(' ') else { return stays() };
    let Some(letter) = rest.chars().next().filter(char::is_ascii_uppercase) else { return stays() };
    let word = inside.rsplit([' ', '-', ',']).next().unwrap_or(inside);
    if word.len() < 3 || !word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '’')) {
        return stays();
    }
    let after = &rest[1..];
    // `Smith E. coli grew`: a small word goes on.
    let closes = |mark: &str| {
        let goes_on = mark.trim_start_matches(' ').starts_with(char::is_lowercase);
        mark.is_empty() || mark.starts_with([' ', ',', ')', ';', '\n', '|', '-', '/']) && !goes_on
    };
    let dotted = after.strip_prefix('.').is_some_and(closes) && !matches!(letter, 'I');
    let plain = !matches!(letter, 'A' | 'F' | 'I' | 'L' | 'M' | 'R' | 'X')
        && (after.trim_start_matches(' ').is_empty()
            || after.starts_with([',', ')', ';', '|', '\n'])
            || after.starts_with("  "));
    if dotted || plain { (start, end + 2) } else { stays() }
}

/// Takes in `St.`, `Mt`, `Fort` before the name of a site or town.
pub(super) fn with_saint(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let Some(head) = text[..start].strip_suffix(' ') else { return (start, end) };
    let bare = head.strip_suffix('.').unwrap_or(head);
    let word = last_word(bare);
    let lead = &bare[..bare.len() - word.len()];
    let small = text[start..end].chars().all(|letter| !letter.is_uppercase());
    let written = match word {
        "St" | "Saint" | "Ste" | "Mt" | "Ft" => !small,
        "ST" | "MT" | "FT" => text[start..end].chars().all(|letter| !letter.is_lowercase()),
        "st" => small,
        _ => false,
    };
    // `Oak St Boston`, `14 North Main St Boston`: a street ends there.
    let street = lead.strip_suffix(' ').is_some_and(|lead| last_word(lead).starts_with(char::is_uppercase));
    let free = lead.is_empty() || lead.ends_with([' ', '\n', '(', ',', ':', '/', '@', '"']);
    if written && free && !street { (lead.len(), end) } else { (start, end) }
}

fn last_word(text: &str) -> &str {
    text.rsplit(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a rule makes of the part between the marks.
    fn after(marked: &str, rule: fn(&str, (usize, usize)) -> (usize, usize)) -> String {
        let open = marked.find('⟦').expect("an opening mark");
        let close = marked.find('⟧').expect("a closing mark") - '⟦'.len_utf8();
        let text = marked.replace(['⟦', '⟧'], "");
        let (start, end) = rule(&text, (open, close));
        text[start..end].to_owned()
    }

    #[test]
    fn particles() {
        for (marked, expected) in [
            ("ACCEPT: VAN ⟦RUBNER⟧ BED", "VAN RUBNER"),
            ("offered van ⟦stralen⟧ or", "van stralen"),
            ("intern van der ⟦Westhuizen⟧", "van der Westhuizen"),
            ("no copy & de ⟦Souza⟧ leaves", "de Souza"),
            ("FOLLOW-UP 1) de la ⟦Dogan⟧", "de la Dogan"),
            ("DOT PHYS: DE LA ⟦KAMP⟧", "DE LA KAMP"),
            ("in the van ⟦Jones⟧ said", "Jones"),
            ("paciente hija de ⟦Marta⟧", "Marta"),
            ("Nakagawa et al ⟦Smith⟧", "Smith"),
            ("sharps bin ⟦Smith⟧", "Smith"),
            ("RN to do ⟦Smith⟧", "Smith"),
        ] {
            assert_eq!(after(marked, with_particles), expected, "{marked}");
        }
    }

    #[test]
    fn closing_initials() {
        for (marked, expected) in [
            ("⟦Ngozi⟧ A., PharmD", "Ngozi A"),
            ("|⟦RENBERG⟧ J|", "RENBERG J"),
            ("⟦Jones⟧ M 45", "Jones"),
            ("⟦Smith⟧ L arm", "Smith"),
            ("⟦Brown⟧ C diff neg", "Brown"),
            ("⟦Lee⟧ I was told", "Lee"),
            ("d/w ⟦Smith⟧ E. coli grew", "Smith"),
        ] {
            assert_eq!(after(marked, with_closing_initial), expected, "{marked}");
        }
    }

    #[test]
    fn given_names_cut_short() {
        assert_eq!(after("seen by Wm. T. ⟦Hargreave⟧", with_short_given), "Hargreave");
        assert_eq!(after("Wm. ⟦T. Hargreave⟧ III", with_short_given), "Wm. T. Hargreave");
        assert_eq!(after("hgeo. ⟦Bell⟧", with_short_given), "Bell");
    }

    #[test]
    fn saints() {
        for (marked, expected) in [
            ("Dr Fron, St ⟦Lukes⟧, SN", "St Lukes"),
            ("likes st ⟦anne's⟧ bc", "st anne's"),
            ("at St. ⟦Jude⟧", "St. Jude"),
            ("14 Main St ⟦Lukes⟧", "Lukes"),
            ("lives on Oak St ⟦Boston⟧", "Boston"),
            ("ST ⟦Depression⟧", "Depression"),
        ] {
            assert_eq!(after(marked, with_saint), expected, "{marked}");
        }
    }
}
