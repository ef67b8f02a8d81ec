//! Joins the words of a note to names, left to right, and judges each.
//!
//! ```text
//! STRONG, ROBERT J        family, given, initial   a full name, in any case
//! called Strong today     family                   alone, an ordinary word: its surroundings must tell
//! seen by ramaswamy       family                   alone, no other word: in any case
//! ```

use super::context::{Context, Shape};
use super::fold::Word;
use super::glued::{self, Glued};
use super::name_word::{NameWord, People, Usual};
use super::names::{Likeness, NameSet};
use super::plain::{is_invisible, plain};
use crate::phi::{Detector, Label, Span};

/// A name that is being read.
#[derive(Debug, Clone, Copy)]
struct Run {
    start: usize,
    end: usize,
    /// Whose name it can be.
    people: People,
    given: bool,
    family: bool,
    initial: bool,
    given_first: bool,
    words: u32,
    /// The least usual of its words, and the best likeness.
    usual: Usual,
    likeness: Likeness,
    /// Whether one of them is a word of grammar, in small letters: `will short`.
    grammar: bool,
    calendar: bool,
    medical: bool,
    particle: bool,
    lone: bool,
    letters: usize,
}

/// A name that nothing but another one right beside it can tell: `Joy` in `Joy/Zwalenberg`.
#[derive(Debug, Clone, Copy)]
struct Untold {
    start: usize,
    end: usize,
    people: People,
}

/// Whether one mark that parts columns and fields stands between two words: `STRONG^ROBERT`, `Strong | Robert`. Only what can be one
/// person's is joined, so nothing else is asked.
fn is_column(between: &str) -> bool {
    let bare = between.strip_prefix(' ').unwrap_or(between);
    matches!(bare.strip_suffix(' ').unwrap_or(bare), "^" | "|" | "/" | ";" | ":" | "&" | "=" | "+" | "~" | "\t")
}

/// Single letters, or a few capitals together, that may be somebody's initials.
#[derive(Debug, Clone, Copy)]
struct Letters {
    start: usize,
    end: usize,
    people: People,
    /// Written large, and with a stop or more than one.
    sure: bool,
}

/// The most initials before a name.
const MOST_LETTERS: usize = 3;

/// Joins the words of a text to names.
pub(super) struct Runs<'m, 't> {
    names: &'m NameSet,
    text: &'t str,
    run: Option<Run>,
    letters: [Option<Letters>; MOST_LETTERS],
    /// Words before this place are part of a name already read.
    read_to: usize,
    untold: Vec<Untold>,
}

impl<'m, 't> Runs<'m, 't> {
    /// No name as yet.
    pub(super) const fn new(names: &'m NameSet, text: &'t str) -> Self {
        Self { names, text, run: None, letters: [None; MOST_LETTERS], read_to: 0, untold: Vec::new() }
    }

    /// Takes the next word of the text; `next` is the one after it.
    pub(super) fn word(&mut self, word: &Word<'t>, next: Option<&Word<'t>>, spans: &mut Vec<Span>) {
        if word.start < self.read_to {
            return;
        }
        if word.key.as_bytes().len() == 1 && word.letters {
            self.letter(word, spans);
            return;
        }
        let like = self.names.like(word);
        if let Some((name, likeness @ (Likeness::Same | Likeness::Garbled))) = like {
            self.name_word(name, likeness, (word.start, word.end), next, spans);
            return;
        }
        if let Some((name, end)) = glued::plural(self.names, word) {
            self.plural(name, word.start, end, spans);
            return;
        }
        if self.capitals(word) {
            return;
        }
        if word.joint && word.written().contains(is_invisible) {
            self.joints(word, spans);
            return;
        }
        match glued::read(self.names, word, next) {
            Some(Glued::Name { name, start, end }) => self.name_word(name, Likeness::Same, (start, end), None, spans),
            Some(Glued::Full { people, start, end }) => {
                self.stop(spans);
                let label = self.names.label(people);
                spans.push(Span::new(start, end, label, Detector::Record, 0.95));
                self.read_to = end;
            }
            Some(Glued::User { end }) => {
                self.stop(spans);
                spans.push(Span::new(word.start, end, Label::Username, Detector::Record, 0.9));
                self.read_to = end;
            }
            None => match like {
                Some((name, likeness)) => self.name_word(name, likeness, (word.start, word.end), next, spans),
                None if word.joint => self.joints(word, spans),
                None => self.stop(spans),
            },
        }
    }

    /// The words of `withGraceYoung`, each by itself; or those that something parts which nobody sees.
    fn joints(&mut self, word: &Word<'t>, spans: &mut Vec<Span>) {
        let mut found = false;
        for (start, end) in glued::joints(word) {
            let part = word.part(start, end);
            match self.names.same(&part.key).filter(|name| name.is_lone()) {
                Some(name) => {
                    // Two ordinary words that are written together are a product or a file more often than a name.
                    found |= name.usual() <= Usual::Sometimes;
                    self.name_word(name, Likeness::Same, (start, end), None, spans);
                }
                None => self.stop(spans),
            }
        }
        if !found && self.run.is_some_and(|run| !(run.given && run.family)) {
            self.run = None;
        }
        self.read_to = word.end;
    }

    /// `two youngs`, `marcos lad`: an `s` that makes no word of English.
    fn plural(&mut self, name: &NameWord, start: usize, end: usize, spans: &mut Vec<Span>) {
        self.stop(spans);
        let label = self.names.label(name.people());
        spans.push(Span::new(start, end, label, Detector::Record, 0.7));
        self.read_to = end;
    }

    /// Takes a word that is a name; `next` is the word after it.
    fn name_word(
        &mut self,
        name: &NameWord,
        likeness: Likeness,
        (start, end): (usize, usize),
        next: Option<&Word<'t>>,
        spans: &mut Vec<Span>,
    ) {
        let small = self.text[start..end].starts_with(char::is_lowercase);
        if name.usual() == Usual::Grammar && small && !self.family_follows(name, end, next) {
            self.stop(spans);
            let context = Context::new(self.text, start, end);
            if let Some(score) = context.ordinary(name.usual(), name.is_calendar()) {
                spans.push(Span::new(start, end, self.names.label(name.people()), Detector::Record, score));
            }
            return;
        }
        // A whole name in one cell, and one in the next, are two.
        let is_next = |run: &Run| run.given && run.family && is_column(&self.text[run.end..start]);
        // `Dr. Stack; stack of pillows`: nothing more of the name is in the next column.
        let is_again = |run: &Run| {
            is_column(&self.text[run.end..start])
                && self.text[run.start..run.end].eq_ignore_ascii_case(&self.text[start..end])
        };
        let is_same = |run: &Run| run.people & name.people() != 0 && self.joined(run.end, start) && !is_again(run);
        let joined = self.run.filter(|run| is_same(run) && !is_next(run));
        if joined.is_none() {
            self.flush(spans);
        }
        let mut run = joined.unwrap_or_else(|| self.begin(name, start, end));
        let given = (name.given | name.middle) & run.people != 0;
        let family = name.family & run.people != 0;
        // A word that can be either is what the name still lacks.
        let as_family = family && (!given || run.given && !run.family);
        if run.words == 0 {
            run.given_first = !as_family;
        }
        run.given |= !as_family;
        run.family |= as_family;
        run.people &= name.people();
        run.end = end;
        run.words += 1;
        // No English word has an accent: `Müller`.
        let written = &self.text[start..end];
        let is_odd = !written.is_ascii() || written.contains(['&', '\\']);
        let accented = likeness == Likeness::Same && is_odd && name.key.as_str().is_ascii();
        run.usual = run.usual.min(if accented { Usual::No } else { name.usual() });
        run.likeness = run.likeness.min(likeness);
        run.grammar |= small && name.usual() == Usual::Grammar;
        run.calendar |= name.is_calendar();
        run.medical |= name.is_medical();
        run.particle |= name.is_particle();
        run.lone |= name.is_lone();
        run.letters = run.letters.max(name.key.as_bytes().len());
        self.letters = [None; MOST_LETTERS];
        self.run = Some(run);
        self.read_to = end;
    }

    /// Whether the family name of its bearer stands right behind a given name: `will short`, so that it may be no auxiliary verb.
    fn family_follows(&self, name: &NameWord, end: usize, next: Option<&Word<'t>>) -> bool {
        next.filter(|next| self.names.is_tolerant() && self.text.get(end..next.start) == Some(" "))
            .filter(|next| next.written().starts_with(char::is_lowercase))
            .and_then(|next| self.names.same(&next.key))
            .is_some_and(|family| family.usual() < Usual::Grammar && name.given & family.family != 0)
    }

    /// A new name, with the initials right before it that are its person's: `R. J. Strong`, `RJ Strong`.
    fn begin(&self, name: &NameWord, start: usize, end: usize) -> Run {
        let mut run = Run {
            start,
            end,
            people: name.people(),
            given: false,
            family: false,
            initial: false,
            given_first: true,
            words: 0,
            usual: name.usual(),
            likeness: Likeness::Slight,
            grammar: false,
            calendar: false,
            medical: false,
            particle: false,
            lone: false,
            letters: 0,
        };
        let capital = self.text[start..].starts_with(char::is_uppercase);
        for letters in self.letters.iter().flatten() {
            let fits = letters.people & name.family & run.people;
            // `A strong cough`: a capital alone begins a sentence as well.
            let sure = letters.sure
                || capital && (name.usual() == Usual::No || Shape::of(&self.text[start..end]) == Shape::Capital);
            if fits == 0 || !sure || !self.joined(letters.end, run.start) {
                break;
            }
            run.start = letters.start;
            run.people &= letters.people;
            run.initial = true;
        }
        run
    }

    fn letter(&mut self, word: &Word<'t>, spans: &mut Vec<Span>) {
        // `mark t:`, as chats name who writes
        let speaker = self.text[word.end..].starts_with(':');
        let large = word.written().chars().all(char::is_uppercase) || speaker && self.run.is_some_and(|run| run.given);
        let stop = self.text[word.end..].starts_with('.');
        let letter = word.key.as_bytes()[0];
        let (given, family) = (self.names.with_initial(letter), self.names.with_family_initial(letter));
        if let Some(run) = self.run
            && self.joined(run.end, word.start)
            && word.start - run.end <= 2
            && large
        {
            let people = run.people & if run.family { given } else { given | family };
            if people != 0 {
                self.run = Some(Run { end: word.end, people, initial: true, ..run });
                return;
            }
        }
        self.flush(spans);
        let context = Context::new(self.text, word.start, word.end);
        // `Dr. K`, `dr k`; but `miss a dose`.
        let titled = context.after_title() && (large || !matches!(letter, b'a' | b'i'));
        if (given | family) != 0 && titled && !self.text[word.end..].starts_with(['/', '-', '\'']) {
            spans.push(Span::new(word.start, word.end, self.names.label(given | family), Detector::Record, 0.7));
        }
        if given != 0 && (large || stop) {
            self.push_letters(Letters { start: word.start, end: word.end, people: given, sure: stop });
        } else {
            self.letters = [None; MOST_LETTERS];
        }
    }

    /// `HK` before or after a name of H. K.: whether the word is such letters.
    fn capitals(&mut self, word: &Word<'t>) -> bool {
        let key = word.key.as_bytes();
        if !(2..=3).contains(&key.len()) || !word.written().bytes().all(|byte| byte.is_ascii_uppercase()) {
            return false;
        }
        let people = key.iter().fold(People::MAX, |people, &letter| people & self.names.with_initial(letter));
        if people == 0 {
            return false;
        }
        if let Some(run) = self.run
            && run.family
            && !run.given
            && run.people & people != 0
            && self.joined(run.end, word.start)
        {
            self.run = Some(Run { end: word.end, people: run.people & people, initial: true, ..run });
            return true;
        }
        if self.run.is_some() {
            return false;
        }
        self.push_letters(Letters { start: word.start, end: word.end, people, sure: true });
        true
    }

    fn push_letters(&mut self, letters: Letters) {
        let adjoins = self.letters[0].is_some_and(|last| self.joined(last.end, letters.start));
        self.letters =
            if adjoins { [Some(letters), self.letters[0], self.letters[1]] } else { [Some(letters), None, None] };
    }

    /// Whether only blanks, a comma, dots or hyphens stand between two places.
    fn joined(&self, from: usize, to: usize) -> bool {
        let Some(between) = self.text.get(from..to) else { return false };
        let bytes = between.as_bytes();
        if bytes.len() > 6 {
            return false;
        }
        if matches!(bytes, b"." | b"_") {
            // `grace.young` and `J.Young`
            return true;
        }
        if is_column(between) {
            return true;
        }
        let marks = between.chars().all(|c| {
            c.is_whitespace()
                || is_invisible(c)
                || matches!(plain(c), ',' | '.' | '-' | '\'' | '’' | '(' | '"' | ')' | '“' | '”')
        });
        // The stop of an initial joins, that of a sentence does not.
        let sentence =
            between.contains('.') && self.text[..from].chars().rev().nth(1).is_some_and(char::is_alphanumeric);
        marks && between.matches('\n').count() <= 1 && !sentence && !between.contains("\t\t")
    }

    /// Ends what is being read.
    fn stop(&mut self, spans: &mut Vec<Span>) {
        self.flush(spans);
        self.letters = [None; MOST_LETTERS];
    }

    fn flush(&mut self, spans: &mut Vec<Span>) {
        let Some(run) = self.run.take() else { return };
        let context = Context::new(self.text, run.start, run.end);
        let full = run.family && run.given || run.initial && (run.family || run.given && self.is_before_initial(&run));
        let score = if full { self.full(&run, &context) } else { self.alone(&run, &context) };
        if let Some(score) = score {
            spans.push(Span::new(run.start, run.end, self.names.label(run.people), Detector::Record, score));
        } else if self.names.is_tolerant()
            && run.lone
            && run.usual < Usual::Grammar
            && context.shape() != Shape::Small
            && !context.is_eponym()
        {
            self.untold.push(Untold { start: run.start, end: run.end, people: run.people });
        }
    }

    /// Whether the initial of a family name stands behind a given name: `Frank M.`, but not `Hope I`.
    fn is_before_initial(&self, run: &Run) -> bool {
        let written = &self.text[run.start..run.end];
        let is_word = written.ends_with([' ', 'I', 'A']) && !self.text[run.end..].starts_with('.');
        run.usual == Usual::No
            || self.names.is_tolerant()
                && run.usual < Usual::Grammar
                && written.starts_with(char::is_uppercase)
                && !is_word
    }

    /// Adds what stands right beside a name of the record, as one of several: `Joy/Jay`, `Ed and Deb`.
    fn told_by_neighbours(&self, spans: &mut Vec<Span>) {
        if self.untold.is_empty() {
            return;
        }
        let is_name =
            |span: &&Span| span.leading().detector == Detector::Record && span.leading().class.label.is_person();
        let names = spans.iter().filter(is_name).map(|span| (span.start, span.end, None));
        let untold = self.untold.iter().map(|untold| (untold.start, untold.end, Some(untold.people)));
        let mut row: Vec<(usize, usize, Option<People>)> = names.chain(untold).collect();
        row.sort_unstable_by_key(|&(start, end, people)| (start, end, people.is_some()));
        let is_joint = |from: usize, to: usize| {
            let between = self.text.get(from..to).map(str::trim);
            between.is_some_and(|between| matches!(between, "/" | "&" | "+" | "and" | "," | "AND"))
        };
        // To the right and back: what is told tells its neighbour.
        let mut told: Vec<bool> = row.iter().map(|(.., people)| people.is_none()).collect();
        for at in 1..row.len() {
            told[at] |= told[at - 1] && is_joint(row[at - 1].1, row[at].0);
        }
        for at in (1..row.len()).rev() {
            told[at - 1] |= told[at] && is_joint(row[at - 1].1, row[at].0);
        }
        let found = row.into_iter().zip(told).filter(|(_, told)| *told);
        spans.extend(found.filter_map(|((start, end, people), _)| {
            Some(Span::new(start, end, self.names.label(people?), Detector::Record, 0.7))
        }));
    }

    /// How sure a name of several parts is: of ordinary words only, the way they are written must tell.
    fn full(&self, run: &Run, context: &Context<'_>) -> Option<f32> {
        if run.likeness >= Likeness::Slight && run.words < 2 && !run.initial {
            return None;
        }
        let sure = match (run.usual, context.shape()) {
            (Usual::No, _) => Some(if run.likeness <= Likeness::Garbled { 1.0 } else { 0.9 }),
            (_, Shape::Capital) => Some(1.0),
            (_, Shape::Large) => Some(0.95),
            (Usual::Sometimes, Shape::Small) if run.given_first && !run.grammar => Some(0.9),
            (Usual::Often, Shape::Small) if run.given_first && context.goes_on_as_person() => Some(0.7),
            // Both names of one person side by side are hardly chance, unless medicine has one of the words.
            (Usual::Sometimes, Shape::Small) if self.names.is_tolerant() && !run.grammar => Some(0.8),
            (Usual::Sometimes, Shape::Small) if context.goes_on_as_person() => Some(0.7),
            (Usual::Often, Shape::Small)
                if self.names.is_tolerant() && run.given_first && (!run.medical || context.persons_too()) =>
            {
                Some(0.7)
            }
            _ => None,
        };
        sure.or_else(|| self.ordinary(run, context))
    }

    /// How sure a name without its other part is.
    fn alone(&self, run: &Run, context: &Context<'_>) -> Option<f32> {
        let titled = context.after_title();
        if titled || run.lone && run.usual < Usual::Grammar && context.before_role() {
            return (run.likeness <= Likeness::Near || run.letters >= 4).then_some(1.0);
        }
        // `Ty`, `Xi`: a given name of two letters, with its capital.
        let short = run.letters == 2 && self.names.is_tolerant() && !run.particle && context.shape() == Shape::Capital;
        if short && !run.lone {
            // `Na 138` is none.
            let is_amount = self.text[run.end..].trim_start_matches(' ').starts_with(|c: char| c.is_ascii_digit());
            let plain = run.usual == Usual::No && !is_amount && !context.is_eponym();
            return if plain { Some(0.8) } else { context.of_record(run.usual, run.calendar, run.medical) };
        }
        if !run.lone
            || run.given && context.is_part_of_other()
            || context.is_eponym()
            || context.before_place_head() && context.shape() != Shape::Small
        {
            return None;
        }
        if run.usual != Usual::No {
            return if run.likeness == Likeness::Same { self.ordinary(run, context) } else { None };
        }
        let small = context.shape() == Shape::Small;
        match run.likeness {
            // A name that was found, and is that of a sign or a test, may have been found wrongly.
            Likeness::Same if !self.names.is_tolerant() && context.is_medical_name() => None,
            Likeness::Same if small && run.letters < 4 => {
                self.ordinary(&Run { usual: Usual::Sometimes, ..*run }, context)
            }
            Likeness::Same => Some(if small { 0.8 } else { 0.9 }),
            Likeness::Garbled => (self.names.is_tolerant() || run.letters >= 5).then_some(0.8),
            Likeness::Near => (self.names.is_tolerant() && (!small || run.letters >= 6)).then_some(0.7),
            Likeness::Slight => None,
        }
    }

    /// How sure a name is that is an ordinary word besides.
    fn ordinary(&self, run: &Run, context: &Context<'_>) -> Option<f32> {
        let of_record = || context.of_record(run.usual, run.calendar, run.medical);
        let told = context.ordinary(run.usual, run.calendar);
        told.or_else(|| self.names.is_tolerant().then(of_record).flatten())
    }

    /// Ends the last name.
    pub(super) fn finish(mut self, spans: &mut Vec<Span>) {
        self.flush(spans);
        self.told_by_neighbours(spans);
    }
}
