//! Flags from a file and from the environment, and the metrics of a job.

use std::process::Output;

use crate::support::{Place, note, program};

/// A place with notes and a configuration file that is all a run needs.
fn place() -> Place {
    let place = Place::new();
    place.write_lines(
        "notes.jsonl",
        &[note(1, "P1", "Seen by Dr. Okonkwo on 03/04/2019. Stable."), note(2, "P1", "Stable.")],
    );
    configure(&place, "replace = 'tag'");
    place
}

fn configure(place: &Place, line: &str) {
    let text = format!(
        "log-format = 'text'\n[defaults]\nkey_file = 'key'\nnotes = 'notes.jsonl'\n[run]\nout = 'out'\noverwrite = true\n{line}\n"
    );
    std::fs::write(place.path("plainsight.toml"), text).unwrap();
}

/// Runs the program with variables besides those of `Place`.
fn with(place: &Place, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    program()
        .current_dir(place.path(""))
        .env_remove("PLAINSIGHT_KEY")
        .env("PLAINSIGHT_ENSEMBLE", "knowledge")
        .envs(variables.iter().copied())
        .args(arguments)
        .output()
        .unwrap()
}

fn replacement(place: &Place, variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let output = with(place, variables, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    place.report()["replacement"].as_str().unwrap().to_owned()
}

#[test]
fn the_command_line_wins_over_the_environment_and_that_over_the_file() {
    let place = place();
    let file = [("PLAINSIGHT_CONFIG", "plainsight.toml")];
    let both = [("PLAINSIGHT_CONFIG", "plainsight.toml"), ("PLAINSIGHT_REPLACE", "redact")];
    assert_eq!(replacement(&place, &[], &["run", "--config", "plainsight.toml"]), "tag");
    assert_eq!(replacement(&place, &file, &["run"]), "tag");
    assert_eq!(replacement(&place, &both, &["run"]), "redact");
    assert_eq!(replacement(&place, &both, &["run", "--replace", "mask"]), "mask");
    configure(&place, "");
    assert_eq!(replacement(&place, &file, &["run"]), "surrogate");
}

#[test]
fn what_the_file_cannot_mean_is_refused_with_its_line() {
    let place = place();
    let run = ["run", "--config", "plainsight.toml"];
    configure(&place, "replce = 'tag'");
    let message = place.fail(2, &run);
    assert!(message.contains("plainsight.toml:8: there is no `replce` in [run]"), "{message}");
    assert!(message.contains("is it `replace`?"), "{message}");
    configure(&place, "replace = 'nothing'");
    assert!(place.fail(2, &run).contains("plainsight.toml:8: `replace`: invalid value 'nothing'"));
    configure(&place, "cache = 'c'\nno-dedupe = true");
    assert!(
        place.fail(2, &run).contains("`no-dedupe` (plainsight.toml:9) cannot be used with `cache` (plainsight.toml:8)")
    );
    configure(&place, "key = '000102030405060708090a0b0c0d0e0f'");
    let message = place.fail(2, &run);
    assert!(message.contains("key-file") && !message.contains("0001"), "{message}");
    assert!(place.fail(2, &["run", "--config", "missing.toml"]).contains("missing.toml"));
}

/// A variable that nothing reads is told of, with the name that may be meant and never with its value.
#[test]
fn variables_that_are_not_known_are_told() {
    let place = place();
    let run = ["run", "--config", "plainsight.toml"];
    let told = |variables: &[(&str, &str)], arguments: &[&str]| {
        let output = with(&place, variables, arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let misspelt = [("PLAINSIGHT_REPLCE", "Secretname"), ("PLAINSIGHT_ENSEMBLE", "knowledge")];
    let (code, message) = told(&misspelt, &run);
    assert_eq!(code, Some(0), "{message}");
    assert!(message.contains("PLAINSIGHT_REPLCE is not known") && !message.contains("Secretname"), "{message}");
    assert!(message.contains("is it PLAINSIGHT_REPLACE?") && !message.contains("PLAINSIGHT_ENSEMBLE"), "{message}");
    // As JSON where all is; and where what is missing ends the program.
    let (_, message) = told(&misspelt, &[&["--log-format", "json"], &run[..]].concat());
    let line = message.lines().find(|line| line.contains("PLAINSIGHT_REPLCE")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["level"], "WARN", "{line}");
    let (code, message) = told(&[("PLAINSIGHT_NOTE", "Secretname")], &["run", "--out", "out"]);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("is it PLAINSIGHT_NOTES?") && !message.contains("Secretname"), "{message}");
    // What is empty says nothing, and what is run beside the program has variables of its own.
    let (_, message) = told(&[("PLAINSIGHT_REPLCE", ""), ("PLAINSIGHT_TOKEN", "x"), ("PLAINSIGHT_PORT", "x")], &run);
    assert!(!message.contains("is not known"), "{message}");
}

#[test]
fn what_holds_is_shown_and_is_a_file_that_says_the_same() {
    let place = place();
    let all = place.succeed(&["config", "show", "--config", "plainsight.toml"]);
    std::fs::write(place.path("shown.toml"), &all).unwrap();
    let again = place.succeed(&["config", "show", "--config", "shown.toml"]);
    let values = |text: &str| text.parse::<toml::Table>().unwrap();
    assert_eq!(values(&all), values(&again));
    // Variables with a meaning of their own, and so no flags' names.
    assert!(!values(&all).values().any(|table| table.get("key").or(table.get("log")).is_some()), "{all}");
    let run = place.succeed(&["config", "show", "run", "--config", "plainsight.toml"]);
    for line in [
        "notes = \"notes.jsonl\"  # plainsight.toml:4",
        "replace = \"tag\"  # plainsight.toml:8",
        "ensemble = \"knowledge\"  # PLAINSIGHT_ENSEMBLE",
        "policy = \"C\"  # default",
        "# cache is not set",
    ] {
        assert!(run.lines().any(|shown| shown == line), "{line} is not in\n{run}");
    }
    assert_eq!(replacement(&place, &[("PLAINSIGHT_CONFIG", "shown.toml")], &["run"]), "tag");
}

/// What is wrong in a file is told with its name, of which a command line may have several.
#[test]
fn files_that_flags_name_are_named_where_they_are_wrong() {
    let place = place();
    for (flag, content) in [
        ("--dictionary", "WARD\tSecretname\n"),
        ("--inclusion", "Stable.\nSecretname \\q\n"),
        ("--templates", "[[template\n"),
        ("--policy", "base = 'E'\n"),
        ("--surrogate-options", "[surrogate]\nno_such = 1\n"),
        ("--key-file", "Secretname"),
    ] {
        std::fs::write(place.path("wrong.file"), content).unwrap();
        let message = place.fail(2, &["run", "--config", "plainsight.toml", flag, "wrong.file"]);
        assert!(message.contains(&format!("{flag} `wrong.file`: ")), "{flag}: {message}");
        assert!(message.contains("hint: "), "{message}");
    }
}

#[test]
fn metrics_are_written_at_the_end_of_every_job() {
    let place = place();
    let run = ["run", "--config", "plainsight.toml", "--metrics", "job.prom", "--metrics-job", "nightly"];
    place.succeed(&run);
    let metrics = std::fs::read_to_string(place.path("job.prom")).unwrap();
    for line in [
        "plainsight_exit_code{job=\"nightly\"} 0",
        "plainsight_state{job=\"nightly\",state=\"done\"} 1",
        "plainsight_notes_read_total{job=\"nightly\"} 2",
        "plainsight_notes_written_total{job=\"nightly\"} 2",
        "plainsight_spans_found_total{job=\"nightly\",label=\"DATE\"} 1",
        "plainsight_stage_running{job=\"nightly\",stage=\"replace\"} 0",
    ] {
        assert!(metrics.lines().any(|written| written == line), "{line} is not in\n{metrics}");
    }
    assert!(!metrics.contains("Okonkwo") && !metrics.contains("notes.jsonl") && !metrics.contains("P1"), "{metrics}");
    place.fail(2, &[&run[..], &["--columns", "text=missing"]].concat());
    let metrics = std::fs::read_to_string(place.path("job.prom")).unwrap();
    assert!(metrics.contains("plainsight_state{job=\"nightly\",state=\"failed\"} 1\n"), "{metrics}");
    assert!(metrics.contains("plainsight_exit_code{job=\"nightly\"} 2\n"), "{metrics}");
    assert!(
        place.fail(1, &["key", "check", "key", "--metrics", "no/such/folder.prom"]).contains("no/such/folder.prom")
    );
    let notes = std::fs::read(place.path("notes.jsonl")).unwrap();
    let message = place.fail(2, &["run", "--config", "plainsight.toml", "--metrics", "notes.jsonl"]);
    assert!(message.contains("--metrics name a file elsewhere"), "{message}");
    for file in ["out/job.prom", "out.work/job.prom"] {
        place.fail(2, &["run", "--config", "plainsight.toml", "--metrics", file]);
    }
    std::fs::write(place.path("other.txt"), "mine").unwrap();
    let message = place.fail(2, &["run", "--config", "plainsight.toml", "--metrics", "other.txt"]);
    assert!(message.contains("holds no metrics"), "{message}");
    assert_eq!(std::fs::read(place.path("notes.jsonl")).unwrap(), notes);
    let names = std::fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!names.into_iter().any(|name| name.to_string_lossy().ends_with(".tmp")));
}
