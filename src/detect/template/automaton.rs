//! Which of thousands of templates a sentence matches, in one pass from the left.
//!
//! ```text
//!        ┌─"Signed by "─ W ─┬─" on "─ N ─"/"─ N ──────── template 0
//! root ──┤                  └─" RN" ──────────────────── template 7
//!        └─"Seen "─┬─"by "─ W ──────────────────────────
//!                  └─"at "─ A ─"."──────────────────────      texts are shared as far as they are the same
//! ```
//!
//! Most sentences are turned away at the root or one node below it, by a comparison of a few bytes. A template reads a sentence in
//! one way only ([`Form`]) and a node is reached in one way only: so a node is visited at most once for a sentence.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::form::{Form, Part};
use super::run::Run;

/// Marks that there is no node or template.
const NONE: u32 = u32::MAX;

/// A tree over the texts and runs of templates.
#[derive(Debug, Clone)]
pub(super) struct Automaton {
    nodes: Vec<Node>,
    /// The texts of all nodes, end to end.
    texts: Vec<u8>,
    /// The first bytes of the texts of each node's children, and the children.
    first_bytes: Vec<u8>,
    children: Vec<u32>,
    runs: Vec<(Run, u32)>,
    /// The root's child by the first byte.
    from_root: Box<[u32; 256]>,
}

/// What leads to a node, and what is behind it.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The text that is read on entering it: where in `texts`, and how long.
    text: (u32, u32),
    /// Its children: where in `children`, and how many.
    children: (u32, u32),
    /// The runs that can follow: where in `runs`, and how many.
    runs: (u32, u32),
    /// The first template that ends here.
    ends: u32,
    /// The first template that ends here or behind it.
    least: u32,
}

impl Automaton {
    /// The automaton of numbered templates; the first number stands for templates of the same form.
    pub fn new<'f>(forms: impl IntoIterator<Item = (u32, &'f Form)>) -> Self {
        let mut tree = Tree { branches: vec![Branch::default()] };
        for (number, form) in forms {
            tree.add(number, form);
        }
        tree.laid_out()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The first template that the whole sentence matches.
    pub fn first(&self, sentence: &str) -> Option<u32> {
        let first = Cell::new(NONE);
        self.walk(sentence, |least| least < first.get(), |template| first.set(first.get().min(template)));
        Some(first.get()).filter(|&first| first != NONE)
    }

    /// Every form that the whole sentence matches, by its first template, in no order.
    pub fn all(&self, sentence: &str) -> Vec<u32> {
        let mut found = Vec::new();
        self.walk(sentence, |_| true, |template| found.push(template));
        found
    }

    /// Visits the nodes that the sentence leads to, where the first template behind them is worth it.
    fn walk(&self, sentence: &str, is_worth: impl Fn(u32) -> bool, mut found: impl FnMut(u32)) {
        let bytes = sentence.as_bytes();
        let mut waiting = Waiting::default();
        let mut next = Some((0, 0));
        while let Some((number, entered)) = next.take().or_else(|| waiting.pop()) {
            let node = &self.nodes[number as usize];
            let text = &self.texts[node.text.0 as usize..][..node.text.1 as usize];
            if !is_worth(node.least) || !bytes[entered..].starts_with(text) {
                continue;
            }
            let at = entered + text.len();
            let Some(&byte) = bytes.get(at) else {
                if node.ends != NONE {
                    found(node.ends);
                }
                continue;
            };
            next = self.child(number, node, byte).map(|child| (child, at));
            for &(run, child) in &self.runs[node.runs.0 as usize..][..node.runs.1 as usize] {
                if let Some(end) = run.end(sentence, at) {
                    waiting.push((child, end));
                }
            }
        }
    }

    fn child(&self, number: u32, node: &Node, byte: u8) -> Option<u32> {
        if number == 0 {
            return Some(self.from_root[usize::from(byte)]).filter(|&child| child != NONE);
        }
        let (start, count) = (node.children.0 as usize, node.children.1 as usize);
        memchr::memchr(byte, &self.first_bytes[start..start + count]).map(|place| self.children[start + place])
    }
}

impl Default for Automaton {
    fn default() -> Self {
        Self::new([])
    }
}

/// Nodes still to be visited: a few, so that a sentence that is turned away costs no allocation.
#[derive(Default)]
struct Waiting {
    near: [(u32, usize); 8],
    count: usize,
    far: Vec<(u32, usize)>,
}

impl Waiting {
    #[inline]
    fn push(&mut self, visit: (u32, usize)) {
        match self.near.get_mut(self.count) {
            Some(free) => {
                *free = visit;
                self.count += 1;
            }
            None => self.far.push(visit),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, usize)> {
        self.far.pop().or_else(|| {
            self.count = self.count.checked_sub(1)?;
            Some(self.near[self.count])
        })
    }
}

/// The automaton while it grows.
struct Tree {
    branches: Vec<Branch>,
}

#[derive(Default)]
struct Branch {
    text: Vec<u8>,
    children: BTreeMap<u8, usize>,
    runs: BTreeMap<Run, usize>,
    ends: Option<u32>,
}

impl Tree {
    fn add(&mut self, number: u32, form: &Form) {
        let mut at = 0;
        let mut text = Vec::new();
        for part in form.parts() {
            match part {
                // Groups part texts that are one text to the sentence.
                Part::Text(more) => text.extend_from_slice(more.as_bytes()),
                Part::Run(run) => {
                    at = self.after_text(at, &std::mem::take(&mut text));
                    at = match self.branches[at].runs.get(run) {
                        Some(&known) => known,
                        None => {
                            let grown = self.grow(Branch::default());
                            self.branches[at].runs.insert(*run, grown);
                            grown
                        }
                    };
                }
                Part::Open(_) | Part::Close => (),
            }
        }
        let at = self.after_text(at, &text);
        let ends = &mut self.branches[at].ends;
        *ends = Some(ends.map_or(number, |known| known.min(number)));
    }

    fn grow(&mut self, branch: Branch) -> usize {
        self.branches.push(branch);
        self.branches.len() - 1
    }

    /// The branch behind a text, grown or split off where there is none.
    fn after_text(&mut self, mut at: usize, mut text: &[u8]) -> usize {
        while let Some(first) = text.first() {
            let Some(&child) = self.branches[at].children.get(first) else {
                let grown = self.grow(Branch { text: text.to_vec(), ..Branch::default() });
                self.branches[at].children.insert(*first, grown);
                return grown;
            };
            let known = &self.branches[child].text;
            let shared = known.iter().zip(text).take_while(|(one, other)| one == other).count();
            if shared < known.len() {
                self.split(child, shared);
            }
            (at, text) = (child, &text[shared..]);
        }
        at
    }

    /// Leaves the first bytes of a branch's text to it and gives the rest, with all that is behind it, to a new one.
    fn split(&mut self, branch: usize, shared: usize) {
        let rest = self.branches[branch].text.split_off(shared);
        let mut behind = std::mem::take(&mut self.branches[branch]);
        let text = std::mem::replace(&mut behind.text, rest);
        let first = behind.text[0];
        let behind = self.grow(behind);
        self.branches[branch] = Branch { text, children: BTreeMap::from([(first, behind)]), ..Branch::default() };
    }

    fn laid_out(self) -> Automaton {
        let least = self.least();
        let mut automaton = Automaton {
            nodes: Vec::with_capacity(self.branches.len()),
            texts: Vec::new(),
            first_bytes: Vec::new(),
            children: Vec::new(),
            runs: Vec::new(),
            from_root: Box::new([NONE; 256]),
        };
        for (branch, least) in self.branches.iter().zip(least) {
            automaton.nodes.push(Node {
                text: (automaton.texts.len() as u32, branch.text.len() as u32),
                children: (automaton.children.len() as u32, branch.children.len() as u32),
                runs: (automaton.runs.len() as u32, branch.runs.len() as u32),
                ends: branch.ends.unwrap_or(NONE),
                least,
            });
            automaton.texts.extend_from_slice(&branch.text);
            automaton.first_bytes.extend(branch.children.keys());
            automaton.children.extend(branch.children.values().map(|&child| child as u32));
            automaton.runs.extend(branch.runs.iter().map(|(&run, &child)| (run, child as u32)));
        }
        for (&byte, &child) in &self.branches[0].children {
            automaton.from_root[usize::from(byte)] = child as u32;
        }
        automaton
    }

    /// The first template that ends at each branch or behind it.
    fn least(&self) -> Vec<u32> {
        let mut least: Vec<u32> = self.branches.iter().map(|branch| branch.ends.unwrap_or(NONE)).collect();
        // A child may have a smaller number than its parent, where a text was split: so children are gathered along the tree.
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&branch) = order.get(next) {
            let branch: &Branch = &self.branches[branch];
            order.extend(branch.children.values().chain(branch.runs.values()));
            next += 1;
        }
        for &at in order.iter().rev() {
            let branch = &self.branches[at];
            let behind = branch.children.values().chain(branch.runs.values()).map(|&child| least[child]).min();
            least[at] = least[at].min(behind.unwrap_or(NONE));
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;
    use crate::detect::template::filling::{Random, fill};

    fn automaton(patterns: &[&str]) -> Automaton {
        let forms: Vec<Form> = patterns.iter().map(|pattern| Form::parse(pattern).unwrap()).collect();
        Automaton::new((0..).zip(&forms))
    }

    #[test]
    fn the_first_in_order_wins() {
        let automaton = automaton(&[r"Seen by \p{Alphabetic}+", "Seen by Rose", "Seen at [0-9]+", "Seen by Rose"]);
        assert_eq!(automaton.first("Seen by Rose"), Some(0));
        assert_eq!(automaton.first("Seen at 7"), Some(2));
        let mut all = automaton.all("Seen by Rose");
        all.sort_unstable();
        assert_eq!(all, [0, 1]);
        for sentence in ["Seen by", "Seen by ", "Seen by Rose.", "seen by Rose", "", "Seen at 7a"] {
            assert_eq!(automaton.first(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn characters_may_share_their_first_bytes() {
        let automaton = automaton(&["né", r"nè\p{Alphabetic}+", r"nê", r"\p{Alphabetic}+!"]);
        let found = ["né", "nèx", "nê", "né!", "nè", "n"].map(|sentence| automaton.first(sentence));
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(3), None, None]);
    }

    /// Patterns of the subset: texts with runs between them, many of which share how they begin.
    fn patterns() -> impl Strategy<Value = Vec<String>> {
        let text = prop::sample::select(vec![
            "", "", " ", " ", ", ", "/", "a", "ab", "é", "è ", "7", r"\.", r"\n", r"\x{A0}", "٣", "Seen by ", "Seen ",
            "’",
        ]);
        let run = prop::sample::select(Run::ALL.to_vec()).prop_map(|(_, expression)| expression);
        let step = (text.clone(), run, any::<bool>());
        let pattern = (prop::collection::vec(step, 0..4), text).prop_map(|(steps, end)| {
            let steps = steps.iter().enumerate().map(|(number, (text, run, is_group))| match is_group {
                true => format!("{text}(?<DOCTOR{number}>{run})"),
                false => format!("{text}{run}"),
            });
            steps.collect::<String>() + end
        });
        prop::collection::vec(pattern.prop_filter("of the subset", |pattern| Form::parse(pattern).is_some()), 1..7)
    }

    /// The sentence with a character put in, left out or exchanged.
    fn mutated(sentence: &str, place: usize, way: usize, character: char) -> String {
        let mut characters: Vec<char> = sentence.chars().collect();
        let place = place % (characters.len() + 1);
        let replaced = (place + way.min(1)).min(characters.len());
        characters.splice(place..replaced, (way != 1).then_some(character));
        characters.into_iter().collect()
    }

    fn check_equality(forms: &[Form], expressions: &[Regex], sentence: &str) -> Result<(), TestCaseError> {
        let automaton = Automaton::new((0..).zip(forms));
        let expected = expressions.iter().position(|expression| expression.is_match(sentence));
        prop_assert_eq!(automaton.first(sentence).map(|first| first as usize), expected, "{:?}", sentence);
        for (form, expression) in forms.iter().zip(expressions) {
            let groups = form.read(sentence).map(|groups| groups.iter().map(|group| (group.0, group.1)).collect());
            let expected: Option<Vec<_>> = expression
                .captures(sentence)
                .map(|groups| groups.iter().skip(1).flatten().map(|group| (group.start(), group.end())).collect());
            prop_assert_eq!(groups, expected, "{:?}", sentence);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { max_local_rejects: 1_000_000, ..ProptestConfig::with_cases(128) })]

        /// The regular expressions are the specification: of any sentence, of those made from the patterns, and of those that are
        /// nearly so.
        #[test]
        fn automaton_and_regular_expressions_are_equal(
            patterns in patterns(),
            sentences in prop::collection::vec(
                "(Ab|ab|A|é|è|7|12345|٣|a1|1é| |, |/|\\.|\n|\u{a0}|e\u{301}|ⅷ|²|ß|Seen ){0,9}|\\PC{0,6}", 8),
            changes in prop::collection::vec(
                (any::<u64>(), 0_usize..60, 0_usize..3, prop::sample::select("aZé٣7 ,/.’²\u{301}\u{a0}ⅷß".chars().collect::<Vec<_>>())), 8)
        ) {
            let forms: Vec<Form> = patterns.iter().map(|pattern| Form::parse(pattern).unwrap()).collect();
            let expressions: Vec<Regex> =
                patterns.iter().map(|pattern| Regex::new(&format!("^(?:{pattern})$")).unwrap()).collect();
            for sentence in &sentences {
                check_equality(&forms, &expressions, sentence)?;
            }
            for form in &forms {
                prop_assert_eq!(Form::parse(&form.pattern().unwrap()), Some(form.clone()));
                for &(seed, place, way, character) in &changes {
                    let (sentence, _) = fill(form, seed % 2 == 0, &mut Random(seed));
                    prop_assert!(form.read(&sentence).is_some());
                    check_equality(&forms, &expressions, &sentence)?;
                    check_equality(&forms, &expressions, &mutated(&sentence, place, way, character))?;
                }
            }
        }

        #[test]
        fn any_pattern_is_safe(pattern in "(\\(\\?<DOCTOR>|\\)|\\\\|x\\{|\\}|4|\\[0-9\\]\\+|\\p{L}|\\+|a){0,12}|\\PC{0,12}") {
            if let Some(form) = Form::parse(&pattern) {
                prop_assert!(Regex::new(&pattern).is_ok(), "{}", pattern);
                let _ = Automaton::new([(0, &form)]).first(&pattern);
            }
        }
    }
}
