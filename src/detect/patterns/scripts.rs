//! Names and dates in scripts other than Latin that stand in a note: `CHEUNG Ka Yan 張嘉欣`, `Kim Min-jun (김민준)`, `1964年5月12日`.
//!
//! ```text
//! 張嘉欣   ─▶ a surname of one character, a given name of one or two
//! 馬上     ─▶ a word (at once), though it begins as a surname does
//! ```
//!
//! Only a run by itself between other characters is looked at: in running text of such a script nothing tells where a name ends.

use std::sync::LazyLock;

use regex::Regex;

use super::findings::{Findings, date};
use super::survey::Survey;
use crate::phi::{Kind, Label};

/// `1964年5月12日`, `5月12日`, `2019년 3월 4일`.
static DATES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:(?:19|20)?[0-9]{2}(?:年|년)\s?)(?:[0-9]{1,2}(?:月|월)\s?(?:[0-9]{1,2}(?:日|일)?)?)?|[0-9]{1,2}(?:月|월)\s?[0-9]{1,2}(?:日|일)",
    )
    .expect("the pattern is a literal")
});

/// The commonest surnames of Chinese, of one character, as they are written on the mainland and elsewhere.
const CHINESE: &str = "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖蕭田董袁潘于蔣蒋蔡余杜叶葉程苏蘇\
                       魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范廖贾賈夏韦韋傅邹鄒孟熊秦邱江尹薛閻阎段雷侯龙龍陶黎贺賀顾顧毛郝龚龔邵钱錢严嚴覃戴莫孔汤湯欧歐";
/// Surnames of Japanese, of two characters.
const JAPANESE: &str = "佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 山本 中村 小林 加藤 吉田 山田 松本 井上 木村 斎藤 齋藤 清水 山崎 阿部 池田 橋本 山下 石川 中島 \
                        前田 藤田 小川 岡田 後藤 長谷川 村上 近藤 石井 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 藤原 岡本 松田 中川 中野 原田 小野 田村 竹内";
/// Surnames of Korean.
const KOREAN: &str = "김이박최정강조윤장임한오서신권황안송류홍고문양손배백허유남심노하곽성차주우구민진";
/// What begins as a surname does and is said of illness or care.
const NO_NAMES: &str = "任何 江南 馬上 马上 钱包 毛病 孔径 田园 陆续 陸續 何时 何時 汤药 湯藥 雷射 周围 周圍 周三 周五 周日 周一 周二 周四 周六 余下";

/// Adds the dates.
pub(super) fn dates(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if !survey.beyond_ascii || survey.digits < 2 || !sentence.contains(['年', '月', '년', '월']) {
        return;
    }
    for found in DATES.find_iter(sentence) {
        let range = found.start()..found.start() + found.as_str().trim_end().len();
        if !findings.covers(&range) {
            findings.add(range, date(Kind::DatePartial), 0.9);
        }
    }
}

/// Adds the names.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if !survey.beyond_ascii {
        return;
    }
    let mut rest = sentence;
    while let Some(at) = rest.find(is_of_script) {
        let run = &rest[at..];
        let run = &run[..run.find(|c| !is_of_script(c)).unwrap_or(run.len())];
        let start = sentence.len() - rest.len() + at;
        if is_name(run) && !findings.covers(&(start..start + run.len())) {
            findings.add(start..start + run.len(), Label::Patient, 0.8);
        }
        rest = &rest[at + run.len()..];
    }
}

/// Han characters and Korean syllables.
fn is_of_script(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '々')
}

fn is_name(run: &str) -> bool {
    let length = run.chars().count();
    let begins = |surnames: &str| run.chars().next().is_some_and(|first| surnames.contains(first));
    let japanese = || JAPANESE.split_ascii_whitespace().any(|surname| run.starts_with(surname));
    match length {
        2 | 3 if NO_NAMES.split_ascii_whitespace().any(|word| word == run) => false,
        2 | 3 => begins(CHINESE) || begins(KOREAN) && length == 3 || japanese(),
        4 | 5 => japanese(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn names_beside_latin_text() {
        for (sentence, name) in [
            ("CHEUNG Ka Yan, Queenie 張嘉欣  F/29", "張嘉欣"),
            ("Wife (王芳) at bedside", "王芳"),
            ("Kim Min-jun 김민준 seen", "김민준"),
            ("Pt 佐藤健一 admitted", "佐藤健一"),
        ] {
            assert_eq!(found(sentence, &[Label::Patient]), [name], "{sentence}");
        }
    }

    #[test]
    fn days_and_years() {
        assert_eq!(found("born 1964年5月12日 in Osaka", &[Label::Date]), ["1964年5月12日"]);
        assert_eq!(found("seen 5月12日.", &[Label::Date]), ["5月12日"]);
    }

    #[test]
    fn words_and_running_text() {
        for sentence in
            ["takes 高血壓 tablets", "said 任何 pain", "told 李先生今天沒有來看醫生 by phone", "temp 体温 37"]
        {
            assert_eq!(found(sentence, &[Label::Patient]), [] as [&str; 0], "{sentence}");
        }
    }
}
