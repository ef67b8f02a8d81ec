//! Expands templates into text and marks what is protected as it goes, so that gold is right by construction.
//!
//! ```text
//! "Seen by Dr. " + {DOCTOR.last} + " on " + {DATE.note}  ──▶  text, [(12, 17, DOCTOR), (21, 29, DATE)]
//! ```
//! Each sentence has a stream of random numbers of its own: of the note, of the patient's paragraph that is copied
//! forward, or of an identity that all notes share.

use std::fmt::Write;

use super::grammar::Grammar;
use super::random::Random;
use super::scene::{Cast, Scene};
use super::style::Style;
use super::template::{Draw, Law, Piece};
use crate::phi::Label;

/// A span of gold: code points, half-open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoldSpan {
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// What it is.
    pub label: Label,
}

/// How heavy the tail of shared sentences is: with `u` uniform, identity `SHIFT·(u^(-1/TAIL) − 1)`.
const TAIL: f64 = 0.07;
const SHIFT: f64 = 0.6;
/// How many sentences of a rule are common property, and how much more frequent the first are.
const POOL: f64 = 90.0;
const HEAD: f64 = 5.0;
const COMMON: u64 = 0x434f;
const COPIED: u64 = 0x4350;

pub(super) struct Writer<'a> {
    pub scene: &'a Scene,
    pub cast: &'a Cast,
    grammar: &'static Grammar,
    pub random: Random,
    noise: Random,
    style: Style,
    pub text: String,
    pub code_points: u32,
    pub gold: Vec<GoldSpan>,
    marked: bool,
    scratch: String,
}

impl<'a> Writer<'a> {
    pub fn new(scene: &'a Scene, style: Style, random: Random, noise: Random) -> Self {
        let grammar = Grammar::shared();
        let (text, scratch) = (String::with_capacity(3072), String::new());
        Self {
            scene,
            cast: &scene.own,
            grammar,
            random,
            noise,
            style,
            text,
            code_points: 0,
            gold: Vec::with_capacity(48),
            marked: false,
            scratch,
        }
    }

    /// The text with its gold.
    pub fn finish(self) -> (String, Vec<GoldSpan>) {
        (self.text, self.gold)
    }

    /// Writes one of the rule's alternatives.
    pub fn rule(&mut self, index: usize) {
        let Some(rule) = self.grammar.rule(index) else { return };
        let ticket = self.random.below(rule.weight());
        self.pieces(rule.alternative(ticket));
    }

    fn pieces(&mut self, pieces: &'static [Piece]) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.literal(text),
                Piece::Rule(rule) => self.rule(*rule),
                Piece::Choice(alternatives) => {
                    if let Some(pieces) = self.random.pick(alternatives) {
                        self.pieces(pieces);
                    }
                }
                Piece::Number(low, high) => {
                    let number = self.random.between(*low, *high);
                    self.generated(|text, _| write!(text, "{number}"));
                }
                Piece::Decimal(low, high, places) => {
                    let (number, scale) = (self.random.between(*low, *high), 10i64.pow(*places));
                    self.generated(|text, _| {
                        write!(text, "{}.{:0width$}", number / scale, (number % scale).abs(), width = *places as usize)
                    });
                }
                Piece::Pattern(pattern) => self.generated(|text, random| {
                    write_pattern(pattern, random, text);
                    Ok(())
                }),
                Piece::Marked(label, pieces) => {
                    let outer = std::mem::replace(&mut self.marked, true);
                    let start = self.code_points;
                    self.pieces(pieces);
                    self.mark(start, *label);
                    self.marked = outer;
                }
                Piece::Slot(slot) => self.slot(*slot),
                Piece::Draw(draw) => self.draw(draw),
            }
        }
    }

    /// Notes that the text from `start` on is protected.
    fn mark(&mut self, start: u32, label: Label) {
        if self.code_points > start {
            self.gold.push(GoldSpan { start, end: self.code_points, label });
        }
    }

    /// Appends text that `write` makes, marked where a label is given.
    pub fn value(&mut self, label: Option<Label>, write: impl FnOnce(&mut String, &mut Random)) {
        let start = self.code_points;
        self.generated(|text, random| {
            write(text, random);
            Ok(())
        });
        if let Some(label) = label.filter(|_| !self.marked) {
            self.mark(start, label);
        }
    }

    fn generated(&mut self, write: impl FnOnce(&mut String, &mut Random) -> std::fmt::Result) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        // Writing to a string cannot fail.
        let _ = write(&mut scratch, &mut self.random);
        self.append(&scratch);
        self.scratch = scratch;
    }

    /// Text of the template itself: the only text in which people slip.
    fn literal(&mut self, text: &str) {
        if !self.marked && self.style.typos && text.len() > 12 && self.noise.chance(20) {
            let slipped = self.style.slip(text, &mut self.noise);
            self.append(&slipped);
        } else {
            self.append(text);
        }
    }

    fn append(&mut self, text: &str) {
        let before = self.text.len();
        self.style.append(text, &mut self.text);
        self.code_points += self.text[before..].bytes().filter(|byte| byte & 0xc0 != 0x80).count() as u32;
    }

    fn draw(&mut self, draw: &Draw) {
        let count = self.random.between(draw.count.0, draw.count.1);
        let mut said = Vec::new();
        for place in 0..count {
            if place > 0 {
                self.append(if draw.lines { "\n" } else { " " });
            }
            match draw.law {
                Law::Fresh => self.rule(draw.rule),
                Law::Common | Law::Tail => {
                    let identity = self.unsaid(draw.law, &mut said);
                    self.shared(draw.rule, identity);
                }
                Law::Copied => self.copied(draw.rule, place.unsigned_abs()),
            }
        }
    }

    /// An identity that is not yet said in this paragraph: people seldom write a sentence twice in a row.
    fn unsaid(&mut self, law: Law, said: &mut Vec<u64>) -> u64 {
        let mut identity = self.identity(law);
        for _ in 0..3 {
            if !said.contains(&identity) {
                break;
            }
            identity = self.identity(law);
        }
        said.push(identity);
        identity
    }

    fn identity(&mut self, law: Law) -> u64 {
        let unit = self.random.unit();
        match law {
            Law::Common => (HEAD * ((1.0 + POOL / HEAD).powf(unit) - 1.0)) as u64,
            // Beyond 2^53 whole numbers thin out, but bit patterns stay distinct.
            _ => (SHIFT * (unit.powf(-1.0 / TAIL) - 1.0)).floor().to_bits(),
        }
    }

    /// The paragraph as the earlier note has it, with that note's people and days.
    fn copied(&mut self, rule: usize, place: u64) {
        let [patient, source] = self.scene.copied_keys;
        let own = std::mem::replace(&mut self.cast, &self.scene.copied);
        self.within(Random::of(&[self.scene.seed, COPIED, patient, rule as u64, source, place]), rule);
        self.cast = own;
    }

    /// A sentence that is the same wherever its identity is drawn (for patients of one sex).
    fn shared(&mut self, rule: usize, identity: u64) {
        let sex = u64::from(self.scene.record.person.female);
        self.within(Random::of(&[COMMON, rule as u64, identity, sex]), rule);
    }

    fn within(&mut self, random: Random, rule: usize) {
        let noise = Random::of(&[random.clone().bits()]);
        let outer = (std::mem::replace(&mut self.random, random), std::mem::replace(&mut self.noise, noise));
        self.rule(rule);
        (self.random, self.noise) = outer;
    }
}

fn write_pattern(pattern: &str, random: &mut Random, text: &mut String) {
    const LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ";
    for character in pattern.chars() {
        text.push(match character {
            '#' => char::from(b'0' + random.below(10) as u8),
            'A' => char::from(random.pick(LETTERS).copied().unwrap_or(b'A')),
            other => other,
        });
    }
}
