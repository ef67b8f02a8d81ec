//! The members together: which way a sentence goes, and the union of what is claimed on it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::combination::TOGETHER;
use super::dictionary::DictionaryDetector;
use super::learned::LearnedDetector;
use super::patterns::PatternDetector;
use super::reading::Reading;
use super::vote::Combine;
use super::{
    DetectError, Fresh, InclusionList, Memory, PROGRAM, SentenceDetector, SiteDictionary, Templates, addressed,
    boundaries, closing, continued, daily, days, neighbours, repeated, seam, tables, veto,
};
use crate::phi::{Span, unite};
use crate::text::{ContextMode, InContext};

/// Which way a sentence goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Route {
    /// On the inclusion list: no sentence detector sees it.
    Listed,
    /// Tagged by a template.
    Template,
    /// Left over: the whole ensemble sees it.
    Remainder,
}

impl Route {
    /// The name used in data sets and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Template => "template",
            Self::Remainder => "remainder",
        }
    }
}

/// The inclusion list, the templates and the detectors of a run.
#[derive(Clone)]
pub struct Ensemble {
    inclusion: Arc<InclusionList>,
    templates: Arc<Templates>,
    members: Arc<[Arc<dyn SentenceDetector>]>,
    /// Whether patterns and dictionaries of the program are among the members: a site's own do not stand for them.
    knowledge: bool,
    /// Those of the members that are dictionaries of a site, whose terms go over the ends of lines.
    site: Arc<[Arc<SiteDictionary>]>,
    /// Trained members with the weight of their vote.
    pub(super) learned: Arc<[(Arc<dyn LearnedDetector>, f32)]>,
    pub(super) combine: Combine,
    /// The weight of the vote of patterns and dictionaries together.
    pub(super) knowledge_weight: f32,
    /// Whether trained members see only sentences with a word that nothing explains.
    pub(super) gated: bool,
}

impl Ensemble {
    /// The knowledge detectors behind a site's inclusion list and templates.
    pub fn knowledge(inclusion: InclusionList, templates: Templates) -> Self {
        let members: [Arc<dyn SentenceDetector>; 2] =
            [Arc::new(PatternDetector::new()), Arc::new(DictionaryDetector::new())];
        Self {
            inclusion: inclusion.into(),
            templates: templates.into(),
            members: members.into(),
            knowledge: true,
            site: [].into(),
            learned: [].into(),
            combine: Combine::Union,
            knowledge_weight: 1.0,
            gated: false,
        }
    }

    /// With one member more, which counts as knowledge.
    #[must_use]
    pub fn with_member(self, member: Arc<dyn SentenceDetector>) -> Self {
        Self { members: self.members.iter().cloned().chain([member]).collect(), knowledge: true, ..self }
    }

    /// With a site's dictionary.
    #[must_use]
    pub fn with_site_dictionary(self, dictionary: Arc<SiteDictionary>) -> Self {
        let site = self.site.iter().cloned().chain([Arc::clone(&dictionary)]).collect();
        let knowledge = self.knowledge;
        Self { knowledge, ..Self { site, ..self }.with_member(dictionary) }
    }

    /// With one trained member more; `weight` counts where members vote.
    #[must_use]
    pub fn with_learned(self, member: Arc<dyn LearnedDetector>, weight: f32) -> Self {
        Self { learned: self.learned.iter().cloned().chain([(member, weight)]).collect(), ..self }
    }

    /// With another way to combine claims; `knowledge_weight` is the vote of patterns and dictionaries together.
    #[must_use]
    pub fn with_combination(self, combine: Combine, knowledge_weight: f32) -> Self {
        Self { combine, knowledge_weight, ..self }
    }

    /// With another way to combine claims, and the same weights.
    #[must_use]
    pub(super) fn combining(self, combine: Combine) -> Self {
        Self { combine, ..self }
    }

    /// With trained members that are asked only about sentences with a word that is neither claimed nor explained by vocabulary.
    #[must_use]
    pub fn gated(self, gated: bool) -> Self {
        Self { gated, ..self }
    }

    /// Whether patterns and dictionaries take part. Where they do not, members speak for themselves: for another language or label set,
    /// English vocabulary has no say in what they claim, and how they draw boundaries stands.
    pub fn has_knowledge(&self) -> bool {
        self.knowledge
    }

    /// Whether there are templates, which are chosen for one policy: see [`Templates::usable_where`].
    pub fn has_templates(&self) -> bool {
        !self.templates.is_empty()
    }

    /// Moves the ends of spans to where the guideline of this project has them, if the ensemble follows it.
    pub fn adjust(&self, text: &str, spans: &mut Vec<Span>) {
        if self.has_knowledge() {
            boundaries::adjust(text, spans);
        }
    }

    /// Without patterns and dictionaries: what trained members find is all there is.
    #[must_use]
    pub fn without_knowledge(self) -> Self {
        Self { members: [].into(), knowledge: false, site: [].into(), ..self }
    }

    /// What decides over the answers of members, as text: thresholds, weights, the gate, and the site's lists and dictionaries.
    pub fn settings(&self) -> String {
        let dials: Vec<_> = self.learned.iter().map(|(member, weight)| (member.dial(), weight)).collect();
        let lists = (self.inclusion.digest(), self.templates.digest());
        let sites: Vec<_> = self.site.iter().map(|site| site.fingerprint()).collect();
        format!("{dials:?} {} {:?} {} {lists:?} {sites:?}", self.knowledge_weight, self.combine, self.gated)
    }

    /// Who looks for identifiers, for people: detectors in order, trained ones with what they are and what computes them.
    pub fn members(&self) -> Vec<String> {
        let knowledge = self.members.iter().map(|member| member.detector().name().to_owned());
        let learned =
            self.learned.iter().map(|(member, _)| format!("{}: {}", member.detector().name(), member.description()));
        knowledge.chain(learned).collect()
    }

    /// How trained members could be made faster on this machine, for people, each advice once.
    pub fn advice(&self) -> Vec<&'static str> {
        let mut advice: Vec<_> = self.learned.iter().filter_map(|(member, _)| member.advice()).collect();
        advice.dedup();
        advice
    }

    /// Which way a sentence goes.
    pub fn route(&self, sentence: InContext<'_>) -> Route {
        if self.inclusion.contains(sentence) {
            Route::Listed
        } else if self.templates.is_match(sentence.text) {
            Route::Template
        } else {
            Route::Remainder
        }
    }

    /// What the members that are no trained ones claim on a sentence, as byte ranges of it that do not overlap, in order.
    pub fn detect_by_knowledge(&self, sentence: &str) -> Vec<Span> {
        match self.settled(InContext::alone(sentence)) {
            Some((_, spans)) => spans,
            None => match self.knowledge.then(|| Reading::of(sentence)).flatten() {
                Some(reading) => {
                    let spans = self.claimed_by_knowledge(reading.text(), &mut |_| {});
                    spans.into_iter().map(|span| reading.led_back(span)).collect()
                }
                None => self.claimed_by_knowledge(sentence, &mut |_| {}),
            },
        }
    }

    /// The way and the spans of a sentence that no detector needs to see.
    pub(super) fn settled(&self, sentence: InContext<'_>) -> Option<(Route, Vec<Span>)> {
        if self.inclusion.contains(sentence) {
            return Some((Route::Listed, Vec::new()));
        }
        self.templates.tag(sentence.text).map(|spans| (Route::Template, unite(spans)))
    }

    /// What patterns and dictionaries claim on a sentence of the remainder.
    pub(super) fn claimed_by_knowledge(&self, sentence: &str, vetoed: &mut impl FnMut(&'static str)) -> Vec<Span> {
        let mut spans = Vec::new();
        for member in self.members.iter() {
            member.detect(sentence, &mut spans);
        }
        if self.has_knowledge() {
            veto::apply(sentence, &mut spans, vetoed);
            days::outrank_persons(sentence, &mut spans);
            addressed::outrank_persons(sentence, &mut spans);
        }
        let mut spans = unite(spans);
        self.adjust(sentence, &mut spans);
        spans
    }

    /// What each member's answers depend on, thresholds left out: a digest for patterns and dictionaries together, where they take part,
    /// and one for each trained member. What was remembered under another digest is void.
    pub fn fingerprints(&self) -> Vec<String> {
        let members =
            self.members.iter().map(|member| format!("{}:{} ", member.detector().name(), member.fingerprint()));
        let knowledge = self.has_knowledge().then(|| format!("knowledge {PROGRAM} {}", members.collect::<String>()));
        knowledge.into_iter().chain(self.learned.iter().map(|(member, _)| member.fingerprint())).collect()
    }

    /// What is claimed on each sentence, as byte ranges of it that do not overlap, in order. `vetoed` is called with the medical
    /// term, never the text, for each claim that vocabulary took back.
    ///
    /// # Errors
    /// Where a trained member fails, so that no sentence passes with fewer detectors than were asked for.
    pub fn detect_all(
        &self,
        sentences: &[InContext<'_>],
        vetoed: &mut impl FnMut(&'static str),
    ) -> Result<Vec<Vec<Span>>, DetectError> {
        let found = self.detect_again(sentences, None, vetoed)?;
        Ok(found.into_iter().map(|(spans, _)| spans).collect())
    }

    /// The same, where some answers are remembered from earlier; with the answers that were not, by member as in
    /// [`Ensemble::fingerprints`].
    ///
    /// # Errors
    /// As [`Ensemble::detect_all`].
    pub fn detect_again(
        &self,
        sentences: &[InContext<'_>],
        memory: Option<&dyn Memory>,
        vetoed: &mut impl FnMut(&'static str),
    ) -> Result<Vec<(Vec<Span>, Fresh)>, DetectError> {
        let readings = sentences.par_iter().with_min_len(TOGETHER).map(|sentence| self.reading(*sentence));
        let readings: Vec<_> = readings.collect();
        let read: Vec<_> =
            sentences.iter().zip(&readings).map(|(sentence, reading)| read(*sentence, reading.as_ref())).collect();
        let (said, fresh) = self.ask_again(&read, memory, vetoed)?;
        let made =
            read.par_iter().zip(&readings).zip(said).with_min_len(TOGETHER).map(|((sentence, reading), said)| {
                let mut terms = Vec::new();
                let mut spans = self.combined(sentence.text, said, &self.combine, &mut |term| terms.push(term));
                if let Some(reading) = reading {
                    spans = spans.into_iter().map(|span| reading.led_back(span)).collect();
                }
                (spans, terms)
            });
        let made: Vec<_> = made.collect();
        let found = made.into_iter().zip(fresh).map(|((spans, terms), fresh)| {
            terms.into_iter().for_each(&mut *vetoed);
            (spans, fresh)
        });
        Ok(found.collect())
    }

    /// How a sentence is read, where that is another way than it is written; what is listed is listed as it is written.
    fn reading(&self, sentence: InContext<'_>) -> Option<Reading> {
        let reading = self.has_knowledge().then(|| Reading::of(sentence.text)).flatten()?;
        self.settled(sentence).is_none().then_some(reading)
    }

    /// What is claimed on whole texts, sentence by sentence and across their boundaries, as byte ranges of each text that do not
    /// overlap, in order. A sentence that several of the texts have in the same context is judged once.
    ///
    /// # Errors
    /// As [`Ensemble::detect_all`].
    pub fn detect_texts(&self, texts: &[&str], context: ContextMode) -> Result<Vec<Vec<Span>>, DetectError> {
        let cut: Vec<Vec<Range<usize>>> = texts.iter().map(|text| crate::text::sentences(text).collect()).collect();
        let mut places: HashMap<InContext<'_>, usize> = HashMap::new();
        let mut distinct = Vec::new();
        for (ranges, text) in cut.iter().zip(texts) {
            for sentence in context.sentences(text, ranges) {
                places.entry(sentence).or_insert_with(|| {
                    distinct.push(sentence);
                    distinct.len() - 1
                });
            }
        }
        let found = self.detect_all(&distinct, &mut |_| {})?;
        let judged = cut.iter().zip(texts).map(|(ranges, text)| {
            let in_text = |(range, sentence): (&Range<usize>, InContext<'_>)| {
                let spans = found[places[&sentence]].iter().cloned();
                spans.map(|span| span.shifted(range.start)).collect::<Vec<_>>()
            };
            let sentences = ranges.iter().zip(context.sentences(text, ranges));
            let mut spans: Vec<Span> = sentences.flat_map(in_text).collect();
            self.detect_seams(text, ranges, &mut spans);
            unite(spans)
        });
        Ok(judged.collect())
    }

    /// What is claimed on one text.
    ///
    /// # Errors
    /// As [`Ensemble::detect_all`].
    pub fn detect_text(&self, text: &str) -> Result<Vec<Span>, DetectError> {
        Ok(self.detect_texts(&[text], ContextMode::default())?.pop().unwrap_or_default())
    }

    /// Adds what crosses the boundaries of a text's sentences to what was found in each of them, which it may overlap, and what that tells
    /// of the rest of the text. Trained members are not asked: this is done in every note.
    pub fn detect_seams(&self, text: &str, sentences: &[Range<usize>], spans: &mut Vec<Span>) {
        if !self.learned.is_empty() {
            seam::join(text, sentences, spans);
        }
        seam::across(self, text, sentences, spans);
        for dictionary in self.site.iter() {
            seam::terms_across(dictionary, text, sentences, spans);
        }
        if self.has_knowledge() {
            continued::find(text, spans);
            tables::find(self, text, spans);
            closing::find(text, spans);
            daily::find(text, spans);
            neighbours::find(text, spans);
            repeated::find(text, spans);
        }
    }
}

/// A sentence as it is read.
fn read<'t>(sentence: InContext<'t>, reading: Option<&'t Reading>) -> InContext<'t> {
    reading.map_or(sentence, |reading| InContext { text: reading.text(), ..sentence })
}

impl std::fmt::Debug for Ensemble {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Ensemble")
            .field("listed", &self.inclusion.len())
            .field("templates", &self.templates.len())
            .field("members", &self.members())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phi::{Detector, Label};

    fn ensemble() -> Ensemble {
        Ensemble::knowledge(InclusionList::default(), Templates::default())
    }

    fn shown(text: &str) -> Vec<String> {
        let spans = ensemble().detect_by_knowledge(text);
        spans.iter().map(|span| format!("{}:{}", span.leading().class.label, &text[span.start..span.end])).collect()
    }

    #[test]
    fn what_vocabulary_takes_back_is_told() {
        let mut told = Vec::new();
        let sentences = [InContext::alone("Grip by Jamar 40 lb, Hawkins negative.")];
        let spans = ensemble().detect_all(&sentences, &mut |term| told.push(term)).unwrap();
        assert_eq!(spans, [[]]);
        assert!(!told.is_empty());
        assert_eq!(shown("Seen by Dr. Hawkins, MD for the cuff."), ["DOCTOR:Hawkins"]);
    }

    /// What every caller may rely on.
    fn is_sound(text: &str, spans: &[Span]) -> bool {
        spans.iter().all(|span| {
            span.start < span.end
                && text.get(span.start..span.end).is_some()
                && !span.claims.is_empty()
                && span.claims.iter().all(|claim| claim.score > 0.0 && claim.score <= 1.0)
        }) && spans.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn detection_never_panics_and_gives_sound_spans(
            text in "\\PC{0,80}|[A-Za-z0-9 .,:;#/'’–()@\\[\\]\n-]{0,80}|\
                     (Dr\\.|Smith|Hawkins|MD|,| |3/4|-|March|2019|Jr|age|92|é|İ|ß|’s|\n|5|:|#|MRN|J\\.|the|\\(|x|@|Zenobia|at|A|/l|4294967296123456789|/|l|O|-|\"|RN|bed|y/o|th|st|ave|not|to){0,18}"
        ) {
            let ensemble = ensemble();
            let spans = ensemble.detect_by_knowledge(&text);
            prop_assert!(is_sound(&text, &spans), "{:?}", spans);
            prop_assert!(is_sound(&text, &ensemble.detect_text(&text).unwrap()));
        }

        #[test]
        fn adjustment_is_safe_on_any_ranges(
            text in "\\PC{0,40}|[A-Za-z .,'()]{0,40}",
            ranges in prop::collection::vec((0_usize..60, 0_usize..60), 0..6)
        ) {
            let mut spans: Vec<Span> = ranges
                .into_iter()
                .map(|(start, end)| Span::new(start, end.max(start), Label::Doctor, Detector::Record, 1.0))
                .collect();
            boundaries::adjust(&text, &mut spans);
            prop_assert!(is_sound(&text, &spans), "{:?}", spans);
            let once = spans.clone();
            boundaries::adjust(&text, &mut spans);
            prop_assert!(is_sound(&text, &spans));
            prop_assert!(spans.len() <= once.len());
        }
    }
}
