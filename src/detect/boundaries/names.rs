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

/// The syllables that Korean and Chinese given names are made of, as they are written in English.
const SYLLABLES: &str = "sung seong min soo su hyun hyeon seo yeon yun yoon eun bi soon sun ja jae jung jeong joon jun ji jin hee hui young \
                         yeong kyung gyeong mi ah woo wook ho hoon hun sook suk sub sup seok sok hwan won ki gi tae dae dong chul cheol \
                         chan chang hae hye hwa il jong kwang gwang myung myeong nam ok sang sik shik seung byung byeong bok doo hak han \
                         heon hong ku kook kyu gyu ra ran rae ri rin sol wan ye yong yoo yu yul na mei ling wei chen hsiu chin ching \
                         chia jia ying ting yi ya wen ming hua fang fen feng hsin xin xiao xiu yan yen shu shan lan lin lung long ping \
                         qing rong shen sheng tao tsai tse tung wah wai wing yee yin yuk kam kai kit kwan kwok lai lok mun pui sau shing \
                         sze tak tat fai fung hon cheuk chau chun cheng chih guo hao jian jie jing kang kuang liang mao pei shih yueh yuan \
                         zhen zhi zhong";
/// No syllable is longer.
const LONGEST_SYLLABLE: usize = 6;

/// Whether a word with a capital and the small one behind its hyphen are a given name of two syllables: `Sung-min`, no `Sun-dried`.
pub(in crate::detect) fn is_joined_given(first: &str, second: &str) -> bool {
    first.starts_with(|letter: char| letter.is_ascii_uppercase())
        && first.len() <= LONGEST_SYLLABLE
        && second.len() <= LONGEST_SYLLABLE
        && listed!(first, SYLLABLES)
        && listed!(second, SYLLABLES)
}

/// Takes in the second syllable of a given name: `[Sung]-min`.
pub(super) fn with_second_syllable(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let Some(rest) = text[end..].strip_prefix('-') else { return (start, end) };
    let length = rest.bytes().take_while(u8::is_ascii_lowercase).count();
    let closed = rest[length..].chars().next().is_none_or(|after| !after.is_alphanumeric() && after != '-');
    let taken = closed && is_joined_given(last_word(&text[start..end]), &rest[..length]);
    if taken { (start, end + 1 + length) } else { (start, end) }
}

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
    if let Some(end) = initial_in_fields(text, (start, end)) {
        return (start, end);
    }
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
    // `LEE-ROSE R  PLT`: in a column of its own, behind a surname in capitals.
    let column = matches!(letter, 'A' | 'L' | 'R')
        && after.starts_with("  ")
        && inside.chars().all(|letter| !letter.is_lowercase())
        && (text[..start].is_empty() || text[..start].ends_with(['\n', '\t']) || text[..start].ends_with("  "));
    // `GOLDFINCH, AMOS A`: behind a family and a given name, at the end of a line or column, no side; a sex stands beside an age.
    let middle =
        inside.contains(", ") && ends_field(after) && (!matches!(letter, 'F' | 'M') || after.trim_start().is_empty());
    if dotted || plain || column || middle { (start, end + 2) } else { stays() }
}

/// Whether a line, a column or a bracket ends before a text.
fn ends_field(after: &str) -> bool {
    after.is_empty() || after.starts_with(['\n', ')', '|', ';']) || after.starts_with("  ")
}

/// The end of the initial of a given name behind a family name, `IBARRA, C` at the end of a line or column, and of one that a mark of a message
/// parts from the name: `PRZYBYLSKI^HALINA^M`.
fn initial_in_fields(text: &str, (start, end): (usize, usize)) -> Option<usize> {
    let (inside, rest) = (&text[start..end], &text[end..]);
    let is_initial = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_uppercase());
    if let Some(rest) = rest.strip_prefix('^') {
        let closed = !rest.get(1..)?.starts_with(char::is_alphanumeric);
        return (is_initial(rest.chars().next()) && closed && text[..end].contains('^')).then_some(end + 2);
    }
    let rest = rest.strip_prefix(", ").filter(|_| !inside.contains([',', ' ']) && inside.len() > 2)?;
    let after = rest.get(1..)?;
    let begins = text[..start].is_empty()
        || text[..start].ends_with(['\n', '\t', '|', ':', '('])
        || text[..start].ends_with("  ")
        || text[..start].ends_with(": ");
    (is_initial(rest.chars().next()) && ends_field(after) && begins && inside.starts_with(char::is_uppercase))
        .then_some(end + 3)
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
            ("M118     ⟦LEE-ROSE⟧ R  PLT 11", "LEE-ROSE R"),
            ("at ⟦LEE⟧ R  arm", "LEE"),
            ("BY: ⟦GOLDFINCH, AMOS⟧ A\nLOCATION", "GOLDFINCH, AMOS A"),
            ("⟦HOLLOWAY, WINTER⟧ M  70Y", "HOLLOWAY, WINTER"),
            ("SHEET  ⟦IBARRA⟧, C   PCU", "IBARRA, C"),
            ("NAME: PRZYB^⟦HALINA⟧^M\n", "HALINA^M"),
            ("with ⟦Ibarra⟧, I think", "Ibarra"),
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
