//! Can leaked originals be told from surrogates? The parrot attack on de-identified notes, and what the notes are still good for.
//!
//! ```text
//! cargo bench --no-default-features --bench parrot -- \
//!     [--notes 4000] [--share 0.01] [--seed 1] [--learn 500] [--keys 4] [--second-pass]
//! ```
//!
//! Generated and hand-written notes are de-identified with the knowledge ensemble; what it misses stays, and a share of what it finds
//! is left in on purpose. See `parrot/README.md` for the attacker, and for figures.

#[path = "parrot/attack.rs"]
mod attack;
#[path = "parrot/clues.rs"]
mod clues;
#[path = "parrot/concepts.rs"]
mod concepts;
#[path = "parrot/corpus.rs"]
mod corpus;
#[path = "parrot/dates.rs"]
mod dates;
#[path = "parrot/groups.rs"]
mod groups;
#[path = "parrot/index.rs"]
mod index;
#[path = "../tests/notes/markup.rs"]
#[expect(dead_code, reason = "the notes are read, not written")]
mod markup;
#[path = "parrot/measures.rs"]
mod measures;
#[path = "parrot/regression.rs"]
mod regression;
#[path = "parrot/sources.rs"]
mod sources;
#[path = "parrot/utility.rs"]
mod utility;

use std::path::Path;
use std::time::Instant;

use attack::{Attacker, Means, Suspect, suspects};
use corpus::{Leak, Leaks, Mode, Released};
use groups::{CITIES, GROUPS, HOSPITALS, PATIENTS, PROVIDERS};
use measures::{Figure, Scored, Success};
use plainsight::detect::{Ensemble, InclusionList, Templates};
use plainsight::phi::Span;
use plainsight::surrogate::Key;
use plainsight::train::scores::{Counted, Scores};
use sources::SourceNote;
use utility::{Compared, CrossValidated, Marked};

/// How many times more leaks than there are the attacker leaves in his own notes, to learn from.
const PRACTICE: f64 = 3.0;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let options = Options::read(std::env::args().skip(1).filter(|argument| argument != "--bench"))?;
    let begun = Instant::now();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notes");
    let handwritten = sources::handwritten(&tests.join("development"))?;
    if options.notes > 0 {
        attack_generated_and(&handwritten, &options)?;
        println!("\nin {:.0} s\n", begun.elapsed().as_secs_f64());
    }
    if options.keys > 0 {
        report_handwritten(&handwritten, &concepts::read(&tests)?, options.keys)?;
    }
    println!("\nin {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// The attack on generated and hand-written notes, and what the generated ones are still good for.
fn attack_generated_and(handwritten: &[SourceNote], options: &Options) -> Result<(), Failure> {
    let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
    let mut sources = sources::generated(options.notes, options.seed);
    sources.extend(handwritten.iter().cloned());
    let found = sources::found(&ensemble, &sources, options.second_pass)?;
    let leaks = Leaks::of(&sources, &found, options.share, options.seed);
    let key = Key::from_hex(&"17".repeat(32))?;
    let release = |mode| corpus::release(&sources, &found, &leaks, &key, mode);
    let released = release(Mode::Surrogates);
    describe(&leaks, &released);
    for mode in [Mode::Tags, Mode::Redaction] {
        println!("\n{mode:?}: what is no mark is a leak");
        by_class(&marked(&release(mode)));
    }
    let shadow = shadow(&ensemble, options)?;
    report_attack(&shadow, &suspects(&released, &ensemble)?);
    if options.learn > 0 {
        let key = Key::from_hex(&"5d".repeat(32))?;
        let elsewhere = corpus::release(&sources, &found, &leaks, &key, Mode::Surrogates);
        report_utility(&sources, &released, &elsewhere, options.learn)?;
    }
    Ok(())
}

fn report_attack(shadow: &[Suspect], targets: &[Suspect]) {
    let attacker = Attacker::practised(shadow, Means::Parrot);
    println!("\nSurrogates, the parrot and all clues");
    by_class(&scored(targets, &attacker, |_| true));
    println!("\nSurrogates, the same, leaks that were left in only");
    by_class(&scored(targets, &attacker, left_in));
    by_leak(targets, &attacker);
    println!("\nSurrogates, the parrot, all clues, and this program run on its own output");
    by_class(&scored(targets, &Attacker::practised(shadow, Means::SameTool), |_| true));
    by_means(targets, shadow);
    println!("\n2·(AUC − ½), points, of the best five clues by themselves: all leaks, then those that were left in");
    by_clue(targets, shadow, |_| true);
    by_clue(targets, shadow, left_in);
}

struct Options {
    notes: u64,
    share: f64,
    seed: u64,
    learn: usize,
    keys: u64,
    second_pass: bool,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { notes: 4_000, share: 0.01, seed: 1, learn: 500, keys: 4, second_pass: false };
        while let Some(argument) = arguments.next() {
            if argument == "--second-pass" {
                options.second_pass = true;
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
            let wrong = |_| format!("{argument} needs a number");
            match argument.as_str() {
                "--notes" => options.notes = value.parse().map_err(wrong)?,
                "--share" => options.share = value.parse().map_err(|_| "--share needs a number")?,
                "--seed" => options.seed = value.parse().map_err(wrong)?,
                "--learn" => options.learn = value.parse().map_err(wrong)?,
                "--keys" => options.keys = value.parse().map_err(wrong)?,
                _ => return Err(format!("there is no {argument}")),
            }
        }
        Ok(options)
    }
}

/// The attacker's own notes: as many, of other people, with a key and leaks of his own.
fn shadow(ensemble: &Ensemble, options: &Options) -> Result<Vec<Suspect>, Failure> {
    let sources: Vec<SourceNote> = sources::generated(options.notes, options.seed + 1_000);
    let found: Vec<Vec<Span>> = sources::found(ensemble, &sources, options.second_pass)?;
    let leaks = Leaks::of(&sources, &found, options.share * PRACTICE, options.seed + 1_000);
    let key = Key::from_hex(&"2b".repeat(32))?;
    Ok(suspects(&corpus::release(&sources, &found, &leaks, &key, Mode::Surrogates), ensemble)?)
}

fn describe(leaks: &Leaks, released: &[Released]) {
    let candidates = released.iter().flat_map(|note| &note.candidates);
    let replaced = candidates.clone().filter(|candidate| candidate.leak.is_none()).count();
    println!(
        "{} notes, {} gold spans, {replaced} surrogates, {} left in part",
        released.len(),
        leaks.gold,
        leaks.partial
    );
    for leak in Leak::ALL {
        let count = candidates.clone().filter(|candidate| candidate.leak == Some(leak)).count();
        println!("  {:<26}{count:>7}", leak.name());
    }
}

/// Whether it is a surrogate, or a leak that was found and left in.
fn left_in(suspect: &Suspect) -> bool {
    suspect.leak != Some(Leak::Missed)
}

/// Candidates of an output in which whatever was replaced is a mark.
fn marked(notes: &[Released]) -> Vec<(usize, Scored)> {
    let of_note = |note: &Released| -> Vec<(usize, Scored)> {
        let score = |candidate: &corpus::Candidate| {
            let is_mark = note.text[candidate.range.clone()].starts_with('[')
                && note.text[candidate.range.clone()].ends_with(']');
            let scored = Scored {
                patient: note.patient,
                leak: candidate.leak.is_some(),
                score: f64::from(u8::from(!is_mark)),
                accused: !is_mark,
            };
            (candidate.group, scored)
        };
        note.candidates.iter().map(score).collect()
    };
    notes.iter().flat_map(of_note).collect()
}

/// What an attacker makes of the suspects that count.
fn scored(targets: &[Suspect], attacker: &Attacker, counts: impl Fn(&Suspect) -> bool) -> Vec<(usize, Scored)> {
    let score = |suspect: &Suspect| {
        let score = attacker.score(suspect);
        let accused = attacker.accuses(suspect.group, score);
        (suspect.group, Scored { patient: suspect.patient, leak: suspect.leak.is_some(), score, accused })
    };
    targets.iter().filter(|suspect| counts(suspect)).map(score).collect()
}

fn of_class(scored: &[(usize, Scored)], group: usize) -> Option<Success> {
    Success::of(scored.iter().filter(|(own, _)| *own == group).map(|(_, one)| *one).collect())
}

fn by_class(scored: &[(usize, Scored)]) {
    println!(
        "  {:<16}{:>8}{:>7}  {:<24}{:<24}{:>6} {:>6}",
        "points of 100", "all", "leaks", "TPR − FPR", "2·(AUC − ½)", "top k", "share"
    );
    for (group, name) in GROUPS.iter().enumerate() {
        row(name, of_class(scored, group));
    }
    row("all", Success::of(scored.iter().map(|(_, one)| *one).collect()));
}

fn row(name: &str, success: Option<Success>) {
    let Some(success) = success else {
        println!("  {name:<16}       —");
        return;
    };
    let (share, top) = (100.0 * success.prevalence(), 100.0 * success.top);
    let (advantage, ranking) = (points(success.advantage), points(success.ranking));
    println!(
        "  {name:<16}{:>8}{:>7}  {advantage:<24}{ranking:<24}{top:>6.1} {share:>6.1}",
        success.candidates, success.leaks
    );
}

fn points(figure: Figure) -> String {
    format!("{:>5.1} ({:>5.1} to {:>5.1})", 100.0 * figure.value, 100.0 * figure.low, 100.0 * figure.high)
}

/// What each of the attacker's means is worth.
fn by_means(targets: &[Suspect], shadow: &[Suspect]) {
    const MEANS: [Means; 4] = [Means::ParrotAlone, Means::CluesAlone, Means::Parrot, Means::SameTool];
    println!("\n2·(AUC − ½), points: the parrot, the clues, both, and with this program besides");
    let of_means = MEANS.map(|means| scored(targets, &Attacker::practised(shadow, means), |_| true));
    for (group, name) in GROUPS.iter().enumerate() {
        let figures = of_means.iter().map(|scored| match of_class(scored, group) {
            Some(success) => format!("{:>8.1}", 100.0 * success.ranking.value),
            None => format!("{:>8}", "—"),
        });
        println!("  {name:<16}{}", figures.collect::<String>());
    }
}

/// The clues that tell the most by themselves.
fn by_clue(targets: &[Suspect], shadow: &[Suspect], counts: fn(&Suspect) -> bool) {
    println!();
    let of_clues: Vec<_> = attack::clue_names()
        .into_iter()
        .enumerate()
        .map(|(place, name)| (name, scored(targets, &Attacker::practised(shadow, Means::Clue(place)), counts)))
        .collect();
    for (group, class) in GROUPS.iter().enumerate() {
        let own = of_clues.iter().filter_map(|(name, scored)| Some((*name, of_class(scored, group)?.ranking.value)));
        let mut own: Vec<_> = own.collect();
        own.sort_by(|left, right| right.1.total_cmp(&left.1));
        let best = own.iter().take(5).map(|(name, worth)| format!("{name} {:.0}", 100.0 * worth));
        println!("  {class:<16}{}", best.collect::<Vec<_>>().join(", "));
    }
}

/// Which leaks give themselves away, and how it is with hand-written notes.
fn by_leak(targets: &[Suspect], attacker: &Attacker) {
    let classes = [("patients", PATIENTS), ("providers", PROVIDERS), ("hospitals", HOSPITALS), ("cities", CITIES)];
    println!("\nSurrogates, by kind of leak: 2·(AUC − ½) against the surrogates of the class");
    for leak in Leak::ALL {
        let of_kind = scored(targets, attacker, |suspect| suspect.leak.is_none_or(|own| own == leak));
        println!("  {}", leak.name());
        for (name, group) in classes {
            row(&format!("  {name}"), of_class(&of_kind, group));
        }
        row("  all", Success::of(of_kind.iter().map(|(_, one)| *one).collect()));
    }
    row("by chance", Success::of(by_chance(targets, attacker)));
    for (name, handwritten) in [("hand-written", true), ("generated", false)] {
        let own = scored(targets, attacker, |suspect| suspect.handwritten == handwritten);
        row(name, Success::of(own.iter().map(|(_, one)| *one).collect()));
    }
}

/// The control: surrogates drawn by chance in the place of leaks, which nobody can tell from the others.
fn by_chance(targets: &[Suspect], attacker: &Attacker) -> Vec<Scored> {
    let mut others = scored(targets, attacker, |suspect| suspect.leak.is_none());
    others.iter_mut().enumerate().for_each(|(place, (_, one))| one.leak = place.wrapping_mul(7_919) % 50 == 0);
    others.into_iter().map(|(_, one)| one).collect()
}

fn report_utility(
    sources: &[SourceNote],
    released: &[Released],
    elsewhere: &[Released],
    learn: usize,
) -> Result<(), Failure> {
    let percent = |part: f64| 100.0 * part;
    for Compared { tested_on, before, after } in utility::detectors(sources, released, elsewhere, learn)? {
        println!("Detector (CRF) trained on {learn} notes, tested on {tested_on}, F1:");
        for (name, before, after) in
            [("spans, strict", before.strict(), after.strict()), ("words, any label", before.tokens, after.tokens)]
        {
            let (of_before, of_after) = (percent(before.f1()), percent(after.f1()));
            let loss = of_before - of_after;
            println!("  {name:<18} originals {of_before:.2}, surrogates {of_after:.2}, loss {loss:.2}");
        }
        for (label, before) in &before.by_label {
            if let Some(after) = after.by_label.get(label).filter(|_| before.gold >= 30) {
                println!("    {label:<16}{:>7.2}{:>7.2}", percent(before.f1()), percent(after.f1()));
            }
        }
    }
    let (before, after) = utility::note_types(sources, released);
    let (before, after) = (percent(before), percent(after));
    println!(
        "Type of note (naive Bayes) told right: originals {before:.2} %, surrogates {after:.2} %, loss {:.2}",
        before - after
    );
    Ok(())
}

/// What training on surrogates loses on notes that people wrote: a detector of identifiers, and a tagger of what is clinical.
fn report_handwritten(notes: &[SourceNote], annotated: &[concepts::Annotated], keys: u64) -> Result<(), Failure> {
    let keys: Vec<Key> = (1..=keys).map(|key| Key::from_hex(&format!("{key:064x}"))).collect::<Result<_, _>>()?;
    let tagger: Vec<Marked> = annotated.iter().map(|(note, concepts)| Marked::new(note, concepts.clone())).collect();
    println!(
        "Tagger of problems, treatments and tests (CRF) cross-validated on {} hand-written notes, F1 on originals:",
        annotated.len()
    );
    report_losses(&utility::cross_validated(&tagger, &keys)?);
    let detector: Vec<Marked> = notes.iter().map(Marked::identifiers).collect();
    println!("Detector (CRF), the same on {} notes:", notes.len());
    report_losses(&utility::cross_validated(&detector, &keys)?);
    Ok(())
}

/// The mean loss over keys, and from which to which.
fn report_losses(compared: &CrossValidated) {
    let row = |name: &str, f1: &dyn Fn(&Scores) -> f64| {
        let mut losses = compared.losses(f1);
        losses.sort_by(f64::total_cmp);
        let mean = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
        let (least, most) = (losses.first().copied().unwrap_or_default(), losses.last().copied().unwrap_or_default());
        println!(
            "  {name:<18} originals {:.2}, loss {mean:.2} ({least:.2} to {most:.2})",
            100.0 * f1(&compared.before)
        );
    };
    row("spans, strict", &|scores| scores.strict().f1());
    row("words, any label", &|scores| scores.tokens.f1());
    for (label, before) in compared.before.by_label.iter().filter(|(_, before)| before.gold >= 30) {
        let after = |scores: &Scores| scores.by_label.get(label).map_or(0.0, Counted::f1);
        row(&format!("  {label} ({})", before.gold), &after);
    }
}
