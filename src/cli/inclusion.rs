//! `plainsight inclusion`: sentences that people have read and found free of identifiers.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use clap::{Args, Subcommand, ValueEnum};

use super::arguments::{read, read_bytes};
use super::inclusion_build::{BuildArguments, build};
use super::progress::LogFormat;
use super::whole_file::{self, Alone};
use crate::corpus::{CorpusError, PRIVATE, Result, put_whole, review_table};
use crate::detect::inclusion::{
    Approval, Counting, Difference, InclusionError, MergeOptions, Preference, ReviewError, ReviewFile, Session,
    Statistics, merge as merge_files, review as review_at,
};

#[derive(Debug, Args)]
pub(super) struct InclusionArguments {
    #[command(subcommand)]
    command: InclusionCommand,
}

#[derive(Debug, Subcommand)]
enum InclusionCommand {
    /// Gather candidates: the most prevalent sentences of notes, with what detectors claim in them
    Build(Box<BuildArguments>),
    #[command(flatten)]
    Decide(DecideCommand),
}

#[derive(Debug, Subcommand)]
enum DecideCommand {
    /// Read candidates one by one at the terminal and decide on them; goes on where the last review ended
    Review(ReviewArguments),
    /// Approve many candidates at once
    Approve(ApproveArguments),
    /// Make one list of several
    Merge(MergeArguments),
    /// Tell what has changed from one list to another. Confidential: it quotes the notes
    Diff {
        /// The earlier list
        before: PathBuf,
        /// The later list
        after: PathBuf,
        /// Tables for people, or JSON
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Count what a list holds
    Stats {
        /// A review file
        file: PathBuf,
        /// How many sentences the corpus has, each as often as it occurs: tells which share of them is approved
        #[arg(long, value_name = "N")]
        sentences: Option<u64>,
        /// Tables for people, or JSON
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

#[derive(Debug, Args)]
struct ReviewArguments {
    /// A review file; every decision is saved in it at once
    file: PathBuf,
    /// Your name, which goes with every decision
    #[arg(long, value_name = "NAME")]
    reviewer: String,
    /// The reason of an approval, where none is typed
    #[arg(long, value_name = "TEXT", default_value = "read, names nobody")]
    reason: String,
}

#[derive(Debug, Args)]
struct ApproveArguments {
    /// A review file
    file: PathBuf,
    /// The name of who answers for the decision
    #[arg(long, value_name = "NAME")]
    reviewer: String,
    /// Why they can be approved together
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Approve whatever no detector claims anything in
    #[arg(long, required_unless_present_any = ["patients_at_least", "including_claimed"])]
    all_unclaimed: bool,
    /// Approve only what so many patients have
    #[arg(long, value_name = "N")]
    patients_at_least: Option<u64>,
    /// Approve also where a detector claims something, which --patients-at-least must bound; --reason says why it errs
    #[arg(long, conflicts_with = "all_unclaimed", requires = "patients_at_least")]
    including_claimed: bool,
}

#[derive(Debug, Args)]
struct MergeArguments {
    /// Review files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The merged list, a file that does not exist yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What counts where one list approves and another rejects; without it such entries are undecided and reported
    #[arg(long, value_enum)]
    prefer: Option<Prefer>,
    /// What becomes of the counts of an entry of several lists: `largest` is right for lists of one corpus, `sum` for corpora
    /// without patients in common
    #[arg(long, value_enum, default_value_t)]
    counts: Counts,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Prefer {
    /// The rejection
    Rejected,
    /// The later decision
    Newest,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Counts {
    #[default]
    Largest,
    Sum,
}

pub(super) async fn inclusion(arguments: InclusionArguments, log_format: LogFormat) -> Result<()> {
    // Lists quote notes.
    super::keep_files_private();
    match arguments.command {
        InclusionCommand::Build(arguments) => build(*arguments, log_format).await,
        InclusionCommand::Decide(command) => super::waiting(move || decide(command)).await,
    }
}

fn decide(command: DecideCommand) -> Result<()> {
    match command {
        DecideCommand::Review(arguments) => review(&arguments),
        DecideCommand::Approve(arguments) => approve(&arguments),
        DecideCommand::Merge(arguments) => merge(&arguments),
        DecideCommand::Diff { before, after, format } => {
            report(&Difference::between(&open(&before)?, &open(&after)?), format)
        }
        DecideCommand::Stats { file, sentences, format } => {
            let statistics = Statistics::of(&open(&file)?, sentences);
            if statistics.approved_of_corpus.is_some_and(|share| share > 1.0) {
                return Err(CorpusError::configuration(
                    "--sentences is less than what the approved sentences occur in the list's counts",
                    "give how many sentences the whole corpus has, each as often as it occurs: `plainsight count` tells",
                ));
            }
            report(&statistics, format)
        }
    }
}

fn review(arguments: &ReviewArguments) -> Result<()> {
    let mut file = open(&arguments.file)?;
    let mut on_disk = file.clone();
    let session = Session {
        reviewer: &arguments.reviewer,
        approval: &arguments.reason,
        rejection: "read, may name someone",
        clear: std::io::stdout().is_terminal(),
    };
    let save = |file: &ReviewFile| {
        let _alone = Alone::with(&arguments.file)?;
        unchanged(&arguments.file, &on_disk)?;
        on_disk.clone_from(file);
        rewrite(&arguments.file, file)
    };
    let reviewed = review_at(&mut file, session, std::io::stdin().lock(), std::io::stdout(), now, save);
    let reviewed = reviewed.map_err(|error| match error {
        ReviewError::Verdict(error) => usage(&error),
        ReviewError::Terminal(error) => CorpusError::output("the terminal", error),
        error @ ReviewError::Save(_) => CorpusError::output(arguments.file.display().to_string(), error),
    })?;
    super::print(reviewed)
}

fn approve(arguments: &ApproveArguments) -> Result<()> {
    let fail = |error| CorpusError::output(arguments.file.display().to_string(), error);
    // So that two commands at once do not undo what the other has decided.
    let _alone = Alone::with(&arguments.file).map_err(fail)?;
    let mut file = open(&arguments.file)?;
    let approval = Approval {
        patients_at_least: arguments.patients_at_least.unwrap_or_default(),
        including_claimed: arguments.including_claimed,
    };
    let counts =
        file.approve(approval, &arguments.reviewer, &arguments.reason, now()).map_err(|error| usage(&error))?;
    if counts.approved > 0 {
        rewrite(&arguments.file, &file).map_err(fail)?;
    }
    super::print(counts)
}

fn merge(arguments: &MergeArguments) -> Result<()> {
    whole_file::check_new(&[&arguments.out])?;
    let files = arguments.files.iter().map(|file| open(file)).collect::<Result<Vec<_>>>()?;
    let preference = match arguments.prefer {
        None => Preference::Neither,
        Some(Prefer::Rejected) => Preference::Rejected,
        Some(Prefer::Newest) => Preference::Newest,
    };
    let counting = match arguments.counts {
        Counts::Largest => Counting::Largest,
        Counts::Sum => Counting::Sum,
    };
    let merged = merge_files(files, MergeOptions { preference, counting }).map_err(|error| usage(&error))?;
    save_new(&arguments.out, &merged.file)?;
    super::print(merged)
}

fn usage(error: &InclusionError) -> CorpusError {
    CorpusError::configuration(error.to_string(), "see `plainsight inclusion --help`")
}

fn now() -> DateTime<Utc> {
    SystemTime::now().into()
}

/// Reads a review file: a Parquet table where its name ends so, else a CSV.
pub(super) fn open(file: &Path) -> Result<ReviewFile> {
    let fail = |error: &dyn std::fmt::Display| {
        CorpusError::configuration(
            format!("the list `{}` cannot be used: {error}", file.display()),
            "mend it, or take the one that it was made from",
        )
    };
    if is_parquet(file) {
        return review_table::of_parquet(read_bytes(file, "the review file")?).map_err(|error| fail(&error));
    }
    ReviewFile::parse(&read(file, "the review file")?).map_err(|error| fail(&error))
}

pub(super) fn is_parquet(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

/// A review file as the bytes of a file of that name.
fn written(path: &Path, file: &ReviewFile) -> Result<Vec<u8>, String> {
    if is_parquet(path) { review_table::to_parquet(file) } else { Ok(file.to_csv().into_bytes()) }
}

/// Writes a list in the place of what it was before a decision.
fn rewrite(path: &Path, file: &ReviewFile) -> std::io::Result<()> {
    put_whole(path, &written(path, file).map_err(std::io::Error::other)?, PRIVATE)
}

/// Writes a list to a file that is not there yet.
pub(super) fn save_new(path: &Path, file: &ReviewFile) -> Result<()> {
    let fail = |error: &dyn std::fmt::Display| CorpusError::output(path.display().to_string(), error);
    let bytes = written(path, file).map_err(|error| fail(&error))?;
    whole_file::put_new(path, &bytes).map_err(|error| fail(&error))
}

/// Stops a review whose file somebody else has decided in meanwhile: neither may undo what the other did.
fn unchanged(path: &Path, on_disk: &ReviewFile) -> std::io::Result<()> {
    if open(path).is_ok_and(|file| file == *on_disk) {
        return Ok(());
    }
    Err(std::io::Error::other("the file was changed meanwhile, by another review or command; begin again"))
}

fn report(report: &(impl std::fmt::Display + serde::Serialize), format: Format) -> Result<()> {
    match format {
        Format::Text => super::print(report),
        Format::Json => {
            let text = serde_json::to_string_pretty(report);
            super::print(text.map_err(|error| CorpusError::output("standard output", error))? + "\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::detect::inclusion::{Candidate, ClaimedRange, Context, Why};
    use crate::text::ContextMode;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: InclusionArguments,
    }

    fn run(line: &[&str]) -> Result<()> {
        let line = std::iter::once("inclusion").chain(line.iter().copied());
        let line = Line::try_parse_from(line).map_err(|error| CorpusError::configuration(error.to_string(), ""))?;
        match line.arguments.command {
            InclusionCommand::Decide(command) => decide(command),
            InclusionCommand::Build(_) => panic!("a list is built from a corpus"),
        }
    }

    fn candidate(sentence: &str, claims: Vec<ClaimedRange>) -> Candidate {
        Candidate {
            context: Context::ALONE,
            sentence: sentence.to_owned(),
            occurrences: 20,
            notes: 20,
            patients: 20,
            why: Why::Prevalent,
            claims,
        }
    }

    /// A folder with a list of two candidates, one of them claimed.
    fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        let path = move |name: &str| root.join(name).display().to_string();
        let claims = vec![ClaimedRange { start: 0, end: 3, label: "DOCTOR".to_owned() }];
        let candidates = [candidate("Lee sign.", claims), candidate("Ok.", Vec::new())];
        let file = ReviewFile::new(ContextMode::Short, candidates).unwrap();
        save_new(Path::new(&path("a.csv")), &file).unwrap();
        (folder, path)
    }

    #[test]
    fn bulk_approval_says_what_it_means() {
        let (_folder, path) = folder();
        let approve = ["approve", &path("a.csv"), "--reviewer", "M", "--reason", "common"];
        assert!(run(&approve).is_err());
        assert!(run(&[&approve[..], &["--all-unclaimed", "--including-claimed"]].concat()).is_err());
        run(&[&approve[..], &["--all-unclaimed", "--patients-at-least", "21"]].concat()).unwrap();
        let list = || open(Path::new(&path("a.csv"))).unwrap();
        let decided = |list: &ReviewFile| list.entries().iter().filter(|entry| entry.verdict.is_some()).count();
        assert_eq!((list().version(), decided(&list())), (1, 0));
        run(&[&approve[..], &["--all-unclaimed"]].concat()).unwrap();
        assert_eq!((list().version(), decided(&list())), (2, 1));
        run(&[&approve[..], &["--patients-at-least", "20", "--including-claimed"]].concat()).unwrap();
        assert_eq!((list().version(), decided(&list())), (3, 2));
    }

    #[test]
    fn merging_writes_a_new_file_only() {
        let (_folder, path) = folder();
        let merge = ["merge", &path("a.csv"), &path("a.csv"), "--out", &path("all.csv"), "--prefer", "newest"];
        run(&merge).unwrap();
        assert_eq!(open(Path::new(&path("all.csv"))).unwrap().entries().len(), 2);
        assert!(run(&merge).unwrap_err().to_string().contains("all.csv"));
        run(&["diff", &path("a.csv"), &path("all.csv"), "--format", "json"]).unwrap();
        run(&["stats", &path("all.csv"), "--sentences", "100"]).unwrap();
        std::fs::write(path("bad.csv"), "sentence,decision\nLee,approved\n").unwrap();
        let message = run(&["stats", &path("bad.csv")]).unwrap_err().to_string();
        assert!(message.contains("bad.csv") && message.contains("line 1") && !message.contains("Lee"), "{message}");
    }

    #[test]
    fn a_list_may_be_a_parquet_table() {
        let (_folder, path) = folder();
        run(&["merge", &path("a.csv"), "--out", &path("a.Parquet")]).unwrap();
        let decide = |file: &str| {
            run(&["approve", &path(file), "--reviewer", "M", "--reason", "common", "--all-unclaimed"]).unwrap();
            run(&["stats", &path(file)]).unwrap();
        };
        decide("a.Parquet");
        let approved = open(Path::new(&path("a.Parquet"))).unwrap();
        assert_eq!(approved.entries().iter().filter(|entry| entry.verdict.is_some()).count(), 1);
        run(&["merge", &path("a.Parquet"), "--out", &path("back.csv")]).unwrap();
        assert_eq!(open(Path::new(&path("back.csv"))).unwrap().entries(), approved.entries());
        std::fs::copy(path("a.csv"), path("bad.parquet")).unwrap();
        let message = run(&["stats", &path("bad.parquet")]).unwrap_err().to_string();
        assert!(message.contains("bad.parquet") && message.contains("Parquet"), "{message}");
    }

    #[test]
    fn two_reviews_of_one_file_do_not_undo_each_other() {
        let (_folder, path) = folder();
        let file = PathBuf::from(path("a.csv"));
        let mine = open(&file).unwrap();
        unchanged(&file, &mine).unwrap();
        run(&["approve", &path("a.csv"), "--reviewer", "M", "--reason", "common", "--all-unclaimed"]).unwrap();
        assert!(unchanged(&file, &mine).is_err());
    }
}
