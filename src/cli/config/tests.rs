use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use proptest::prelude::*;

use super::*;

/// A program with what ours has: global flags, flattened arguments, nested subcommands, flags that need or exclude others.
#[derive(Debug, Parser)]
#[command(name = "plainsight")]
struct Program {
    #[arg(long, global = true, value_enum, default_value_t)]
    log_format: LogFormat,
    #[arg(long, global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Chosen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum LogFormat {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
enum Chosen {
    Run(Box<RunArguments>),
    Generate(GenerateArguments),
    Inclusion {
        #[command(subcommand)]
        command: Below,
    },
    Config(show::ConfigArguments),
}

#[derive(Debug, Subcommand)]
enum Below {
    Build {
        #[arg(long, default_value_t = 25_000)]
        prevalent: usize,
        #[command(flatten)]
        columns: ColumnArguments,
    },
    Approve {
        file: PathBuf,
        #[arg(long, required_unless_present = "patients_at_least")]
        all_unclaimed: bool,
        #[arg(long)]
        patients_at_least: Option<u64>,
    },
}

#[derive(Debug, Args)]
struct GenerateArguments {
    #[arg(long)]
    notes: usize,
}

#[derive(Debug, Args)]
struct RunArguments {
    #[arg(long, value_name = "URI")]
    notes: String,
    #[command(flatten)]
    columns: ColumnArguments,
    #[arg(long, value_name = "FILE")]
    dictionary: Vec<PathBuf>,
    #[arg(long, env = "PLAINSIGHT_ENSEMBLE", default_value = "shipped")]
    ensemble: String,
    #[arg(long)]
    partitions: Option<usize>,
    #[arg(long, default_value_t = 0.5)]
    share: f64,
    #[arg(long)]
    cache: Option<String>,
    #[arg(long, requires = "cache")]
    incremental: bool,
    #[arg(long, conflicts_with = "cache")]
    no_dedupe: bool,
    #[arg(long)]
    source_option: Vec<String>,
}

#[derive(Debug, Args)]
struct ColumnArguments {
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
}

/// What the program makes of a file, variables and a command line, or why it does not run.
struct Case {
    file: String,
    variables: BTreeMap<String, String>,
}

fn file(text: &str) -> Case {
    Case { file: text.to_owned(), variables: BTreeMap::new() }
}

impl Case {
    fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    fn layered(&self, line: &str) -> Result<Layered, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.toml");
        std::fs::write(&path, &self.file).unwrap();
        let environment = |name: &str| match name {
            "PLAINSIGHT_CONFIG" => Some(path.clone().into_os_string()),
            _ => self.variables.get(name).map(OsString::from),
        };
        let words = line.split_whitespace().map(OsString::from);
        let given = std::iter::once("plainsight".into()).chain(words).collect();
        let name = format!("{}", path.display());
        layered(Program::command(), given, &environment).map_err(|refused| match refused {
            Refused::CommandLine(error) => format!("clap: {error}"),
            Refused::Configuration(error) => error.to_string().replace(&name, "p.toml"),
        })
    }

    fn program(&self, line: &str) -> Program {
        let layered = self.layered(line).unwrap();
        assert!(layered.set_aside.is_empty(), "{:?}", layered.set_aside);
        Program::from_arg_matches(&layered.matches).unwrap()
    }

    fn run(&self, line: &str) -> RunArguments {
        match self.program(&format!("run {line}")).command {
            Chosen::Run(arguments) => *arguments,
            other => panic!("{other:?}"),
        }
    }

    fn refusal(&self, line: &str) -> String {
        self.layered(line).map(|layered| layered.matches).unwrap_err()
    }

    fn shown(&self, names: &[&str]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.toml");
        std::fs::write(&path, &self.file).unwrap();
        let environment = |name: &str| self.variables.get(name).map(OsString::from);
        let words = ["plainsight", "config", "show"].iter().chain(names).map(OsString::from).collect();
        let matches = layered(Program::command(), words, &environment).unwrap().matches;
        let Chosen::Config(arguments) = Program::from_arg_matches(&matches).unwrap().command else { panic!() };
        let shown = show::config(arguments, Program::command(), Some(path.clone()), &environment).unwrap();
        shown.replace(&path.display().to_string(), "p.toml")
    }
}

#[test]
fn each_place_wins_over_those_after_it() {
    let both = "[defaults]\npartitions = 1\nnotes = 'd'\n[run]\npartitions = 2\n";
    let case = file(both).with("PLAINSIGHT_PARTITIONS", "3");
    assert_eq!(case.run("--partitions 4").partitions, Some(4));
    assert_eq!(case.run("").partitions, Some(3));
    assert_eq!(file(both).with("PLAINSIGHT_PARTITIONS", "").run("").partitions, Some(2));
    assert_eq!(file("[defaults]\npartitions = 1\nnotes = 'd'").run("").partitions, Some(1));
    assert_eq!(file("[run]\nnotes = 'd'").run("").partitions, None);
    assert_eq!(case.run("").notes, "d");
    assert_eq!(case.run("--notes typed").notes, "typed");
}

#[test]
fn every_kind_of_value_comes_through() {
    let case = file(
        "log-format = 'json'\n[run]\nnotes = '-x y=z'\nshare = 0.25\npartitions = 0x10\nincremental = true\ncache = 'c'\n\
         dictionary = ['a b', '--c']\ncolumns = ['text=a,note=b', 'id=c']\nno_dedupe = false\n[inclusion.build]\nprevalent = 10_000",
    );
    let run = case.run("");
    assert_eq!((run.notes.as_str(), run.share, run.partitions), ("-x y=z", 0.25, Some(16)));
    assert!(run.incremental && !run.no_dedupe);
    assert_eq!(run.dictionary, [PathBuf::from("a b"), PathBuf::from("--c")]);
    assert_eq!(run.columns.columns, ["text=a", "note=b", "id=c"]);
    assert_eq!(case.program("run").log_format, LogFormat::Json);
    assert_eq!(case.program("run --log-format text").log_format, LogFormat::Text);
    assert_eq!(case.program("--log-format text run").log_format, LogFormat::Text);
    let Chosen::Inclusion { command: Below::Build { prevalent, .. } } = case.program("inclusion build").command else {
        panic!()
    };
    assert_eq!(prevalent, 10_000);
}

#[test]
fn variables_give_switches_lists_and_flags_with_names_of_their_own() {
    let case = file("[run]\nnotes = 'n'\nincremental = true\ncache = 'c'")
        .with("PLAINSIGHT_INCREMENTAL", "False")
        .with("PLAINSIGHT_DICTIONARY", "a:b\nc")
        .with("PLAINSIGHT_COLUMNS", "text=a,note=b")
        .with("PLAINSIGHT_ENSEMBLE", "fast")
        .with("PLAINSIGHT_LOG_FORMAT", "json");
    let run = case.run("");
    assert!(!run.incremental);
    assert_eq!(run.dictionary, [PathBuf::from("a:b"), PathBuf::from("c")]);
    assert_eq!(run.columns.columns, ["text=a", "note=b"]);
    assert_eq!(run.ensemble, "fast");
    assert_eq!(case.program("run").log_format, LogFormat::Json);
    let refusal = file("").with("PLAINSIGHT_INCREMENTAL", "maybe").refusal("run --notes n");
    assert!(refusal.starts_with("the variable PLAINSIGHT_INCREMENTAL: it is true or false"), "{refusal}");
    let refusal = file("").with("PLAINSIGHT_PARTITIONS", "many").refusal("run --notes n");
    assert!(refusal.contains("the variable PLAINSIGHT_PARTITIONS") && refusal.contains("invalid digit"), "{refusal}");
    assert_eq!(file("").with("PLAINSIGHT_PARTITIONS", "many").run("--notes n --partitions 2").partitions, Some(2));
}

#[test]
fn what_excludes_another_gives_way_or_is_refused() {
    let cache = "[defaults]\ncache = 'c'\n[run]\nnotes = 'n'\n";
    let layered = file(cache).layered("run --no-dedupe").unwrap();
    assert_eq!(layered.set_aside.len(), 1);
    assert!(layered.set_aside[0].ends_with("p.toml:2 is set aside for --no-dedupe"), "{:?}", layered.set_aside);
    let layered = file(cache).with("PLAINSIGHT_NO_DEDUPE", "true").layered("run").unwrap();
    assert!(layered.set_aside[0].ends_with("is set aside for --no-dedupe of PLAINSIGHT_NO_DEDUPE"));
    assert!(file(&format!("{cache}no-dedupe = true")).layered("run").unwrap().set_aside.len() == 1);
    // A switch that is off excludes nothing.
    let off = file("[run]\nnotes = 'n'\ncache = 'c'\nno-dedupe = false\n").with("PLAINSIGHT_NO_DEDUPE", "0");
    assert_eq!(off.run("").cache.as_deref(), Some("c"));
    let refusal = file("[run]\nnotes = 'n'\ncache = 'c'\nno-dedupe = true").refusal("run");
    assert!(refusal.starts_with("`no-dedupe` (p.toml:4) cannot be used with `cache` (p.toml:3)"), "{refusal}");
    assert!(file("").refusal("run --notes n --cache c --no-dedupe").starts_with("clap: error: the argument"));
}

#[test]
fn flags_that_need_others_are_satisfied_or_refused() {
    assert!(file("[run]\ncache = 'c'").run("--notes n --incremental").incremental);
    let refusal = file("[run]\nincremental = true").refusal("run --notes n");
    assert!(refusal.contains("--cache <CACHE>") && refusal.contains("config show run"), "{refusal}");
    assert!(file("").refusal("run").starts_with("clap: error: the following required"));
    assert!(file("").refusal("inclusion approve f").starts_with("clap: error: the following required"));
    file("[inclusion.approve]\npatients-at-least = 3").program("inclusion approve f");
    file("").with("PLAINSIGHT_ALL_UNCLAIMED", "true").program("inclusion approve -- f");
}

/// `--notes` is a place for `run` and a number for `generate`.
#[test]
fn a_shared_value_goes_only_to_flags_that_take_it() {
    let shared = file("[defaults]\nnotes = 's3://a'");
    assert_eq!(shared.run("").notes, "s3://a");
    assert!(shared.refusal("generate").starts_with("clap: error: the following required"));
    let variable = file("").with("PLAINSIGHT_NOTES", "s3://a");
    assert_eq!(variable.run("").notes, "s3://a");
    assert!(variable.refusal("generate").starts_with("clap: error: the following required"));
    assert!(file("[defaults]\npartitions = 'many'").refusal("generate --notes 3").contains("p.toml:2: `partitions`"));
}

#[test]
fn what_no_flag_answers_to_is_refused_with_its_line() {
    for (text, said) in [
        ("\n[run]\nnots = 'x'", "p.toml:3: there is no `nots` in [run]\n  hint: is it `notes`? Known there: "),
        (
            "[runs]\n",
            "p.toml:1: there is no `runs` above the tables\n  hint: is it `run`? Known there: log-format, run",
        ),
        (
            "[inclusion]\nprevalent = 3",
            "p.toml:2: there is no `prevalent` in [inclusion]\n  hint: known there: build, approve",
        ),
        (
            "notes = 'x'",
            "p.toml:1: `notes` is a flag of some subcommands and stands above the tables\n  hint: write it below [defaults], [run], [generate]",
        ),
        ("run = 3", "p.toml:1: `run` is a subcommand, not a flag\n  hint: write a table: [run]"),
        ("[run]\ncache = true", "p.toml:2: `cache`: it takes a string or a number, not a TOML boolean"),
        ("[run]\ncache = ['a']", "p.toml:2: `cache`: it takes one value, not an array"),
        ("[run]\nincremental = 'yes'", "p.toml:2: `incremental`: it is true or false, not a TOML string"),
        (
            "[run]\npartitions = 1.5",
            "p.toml:2: `partitions`: invalid value '1.5' for '--partitions <PARTITIONS>': invalid digit",
        ),
        ("log-format = 'xml'", "p.toml:1: `log-format`: invalid value 'xml'"),
        ("[run]\nno-dedupe = true\nno_dedupe = true", "p.toml:3: `no-dedupe` is given twice"),
        ("[run]\nkey = 'SECRET'", "a key stands in no configuration file; name its file with `key-file`"),
        ("config = 'other.toml'", "a configuration file names no other one"),
        (
            "[run]\nsource-option = ['region=x', 'aws_secret_access_key=SECRET']",
            "p.toml:2: `source-option` holds a secret",
        ),
        ("[run]\ncache = SECRET", "p.toml:2: this is no TOML: "),
    ] {
        // Whatever subcommand is asked for: a file is right as a whole.
        let refusal = file(text).refusal("generate --notes 3");
        assert!(refusal.contains(said), "{refusal}\n  instead of {said}");
        assert!(!refusal.contains("SECRET"), "{refusal}");
    }
}

#[test]
fn secrets_are_told_by_their_names() {
    for option in ["aws_secret_access_key=x", "AWS_SESSION_TOKEN=x", "azure_storage_account_key=env", "sas_key=a=b"] {
        assert!(is_secret("source-option", option), "{option}");
    }
    for option in
        ["aws_secret_access_key=env:X", "azure_client_secret=file:/x", "aws_region=token", "token_file=/x", "x"]
    {
        assert!(!is_secret("target-option", option), "{option}");
    }
    assert!(!is_secret("columns", "key=token"));
}

#[test]
fn help_is_shown_whatever_the_file_says() {
    let help = file("[").refusal("run --help");
    assert!(help.contains("Usage: plainsight run [OPTIONS] --notes <URI>"), "{help}");
    assert!(!help.contains("PLAINSIGHT_NOTES"), "{help}");
}

#[test]
fn what_is_shown_tells_where_it_comes_from() {
    let case = file("[defaults]\ncache = 'c'\n[run]\nsource-option = ['region=\"x\"']\nno-dedupe = true\n")
        .with("PLAINSIGHT_PARTITIONS", "3")
        .with("PLAINSIGHT_NOTES", "the \"notes\"");
    let shown = case.shown(&["run"]);
    let expected = "log-format = \"text\"  # default\n\n[run]\nnotes = 'the \"notes\"'  # PLAINSIGHT_NOTES\n\
        # columns is not set\n# dictionary is not set\nensemble = \"shipped\"  # default\n\
        partitions = 3  # PLAINSIGHT_PARTITIONS\nshare = 0.5  # default\n# cache is not set\n\
        incremental = false  # default\nno-dedupe = true  # p.toml:5\nsource-option = ['region=\"x\"']  # p.toml:4\n\
        # --cache of p.toml:2 is set aside for --no-dedupe of p.toml:5\n";
    assert_eq!(shown, expected);
    assert!(case.shown(&[]).contains("[inclusion.build]\nprevalent = 25000  # default\n"));
    assert!(file("").shown(&["run"]).contains("# notes is not set, and is required\n"));
    let secret = file("").with("PLAINSIGHT_SOURCE_OPTION", "aws_session_token=SECRET").shown(&["run"]);
    assert!(secret.contains("# source-option is set by PLAINSIGHT_SOURCE_OPTION; it holds a secret"), "{secret}");
    assert!(!secret.contains("SECRET"));
}

proptest! {
    // Each case parses six times, with all that clap asserts of a command in a debug build.
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// What is shown says the same when it is the file: shown again, it is the same but for where it comes from.
    #[test]
    fn what_is_shown_is_a_file_that_says_the_same(
        notes in "\\PC{0,12}",
        dictionary in proptest::collection::vec("[^\\x00\\n\\r]{1,8}", 0..3),
        partitions in proptest::option::of(any::<usize>()),
        share in -1e9..1e9_f64,
        dedupe in any::<bool>(),
        json in any::<bool>(),
    ) {
        let quoted = |text: &String| toml::Value::String(text.clone()).to_string();
        let list = dictionary.iter().map(quoted).collect::<Vec<_>>().join(", ");
        let mut text = if json { "log-format = 'json'\n".to_owned() } else { String::new() };
        text += &format!("[defaults]\nshare = {share:?}\n[run]\nnotes = {}\ndictionary = [{list}]\n", quoted(&notes));
        text += &format!("no-dedupe = {dedupe}\n");
        if let Some(partitions) = partitions {
            text += &format!("partitions = '{partitions}'\n");
        }
        let values = |shown: &str| shown.parse::<toml::Table>().unwrap();
        let shown = file(&text).shown(&[]);
        prop_assert_eq!(values(&shown), values(&file(&shown).shown(&[])));
        let (first, second) = (file(&text).run(""), file(&shown).run(""));
        prop_assert_eq!(format!("{first:?}"), format!("{second:?}"));
        prop_assert_eq!((first.notes, first.partitions, first.no_dedupe), (notes, partitions, dedupe));
    }

    /// No file and no variable makes it panic.
    #[test]
    fn nothing_panics(text in "(\\[|\\]|run|defaults|notes|cache|=|'|\"|\\.|\n|true|3| ){0,20}", variable in "\\PC{0,8}") {
        let case = file(&text).with("PLAINSIGHT_NO_DEDUPE", &variable).with("PLAINSIGHT_COLUMNS", &variable);
        let _ = case.layered("run --notes n");
        let _ = case.layered("generate");
    }
}
