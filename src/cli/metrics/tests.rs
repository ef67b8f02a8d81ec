use std::collections::HashMap;

use super::*;
use crate::corpus::progress::Unobserved;

/// The series of a file by what stands before their value; every line must be one of the format's.
fn series(text: &str) -> HashMap<String, f64> {
    let mut found = HashMap::new();
    let mut described = "";
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            assert!(["counter", "gauge"].contains(&kind.split(' ').nth(1).unwrap()), "{line}");
            described = kind.split(' ').next().unwrap();
            assert_eq!(text.matches(&format!("# TYPE {described} ")).count(), 1, "{described} is in two places");
            assert_eq!(kind.ends_with(" counter"), described.ends_with("_total"), "{line}");
        } else if !line.starts_with("# HELP ") {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert_eq!(name.split('{').next(), Some(described), "{line}");
            assert!(found.insert(name.to_owned(), value.parse().unwrap()).is_none(), "{line} is there twice");
        }
    }
    found
}

fn report() -> RunReport {
    let mut report = RunReport { notes_read: 12, notes_written: 11, parts_kept: 1, ..RunReport::default() };
    report.quarantined.insert("not \"UTF-8\"\\\n".to_owned(), 1);
    report.spans_found.insert("DATE".to_owned(), 5);
    report.spans_replaced.insert("DATE".to_owned(), 4);
    report
}

fn read(file: &Path) -> HashMap<String, f64> {
    series(&std::fs::read_to_string(file).unwrap())
}

#[tokio::test]
async fn a_job_is_told_from_its_start_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plainsight.prom");
    let metrics = Metrics::start(Some(file.clone()), "nightly".to_owned()).unwrap();
    assert_eq!(read(&file)["plainsight_state{job=\"nightly\",state=\"running\"}"], 1.0);
    assert!(!read(&file).contains_key("plainsight_exit_code{job=\"nightly\"}"));
    let observer = metrics.observing(&Unobserved);
    let meter = Meter::default();
    for (rows, bytes) in [(5, 100), (7, 11)] {
        let meter = Meter::default();
        observer.begin("count", Some(rows), &meter);
        meter.add(rows, bytes);
        observer.end("count");
    }
    observer.begin("replace", None, &meter);
    observer.part(true);
    observer.part(false);
    observer.part(false);
    metrics.0.as_ref().unwrap().shared.write().unwrap();
    let running = read(&file);
    assert_eq!(running["plainsight_stage_running{job=\"nightly\",stage=\"replace\"}"], 1.0);
    assert_eq!(running["plainsight_stage_running{job=\"nightly\",stage=\"count\"}"], 0.0);
    metrics.report(&report());
    metrics.end(143).unwrap();
    let ended = read(&file);
    for (name, value) in [
        ("stage_rows_total{job=\"nightly\",stage=\"count\"}", 12.0),
        ("stage_text_bytes_total{job=\"nightly\",stage=\"count\"}", 111.0),
        ("stage_expected_rows{job=\"nightly\",stage=\"count\"}", 12.0),
        ("stage_running{job=\"nightly\",stage=\"replace\"}", 0.0),
        ("parts_total{job=\"nightly\",outcome=\"written\"}", 2.0),
        ("parts_total{job=\"nightly\",outcome=\"kept\"}", 1.0),
        ("notes_read_total{job=\"nightly\"}", 12.0),
        ("notes_refused_total{job=\"nightly\",reason=\"not \\\"UTF-8\\\"\\\\\\n\"}", 1.0),
        ("spans_found_total{job=\"nightly\",label=\"DATE\"}", 5.0),
        ("spans_replaced_total{job=\"nightly\",label=\"DATE\"}", 4.0),
        ("exit_code{job=\"nightly\"}", 143.0),
        ("state{job=\"nightly\",state=\"interrupted\"}", 1.0),
        ("state{job=\"nightly\",state=\"running\"}", 0.0),
    ] {
        assert_eq!(ended.get(&format!("plainsight_{name}")), Some(&value), "{name}");
    }
    assert!(
        ended["plainsight_end_time_seconds{job=\"nightly\"}"]
            >= ended["plainsight_start_time_seconds{job=\"nightly\"}"]
    );
}

#[tokio::test]
async fn the_file_is_written_again_and_again_and_is_alone_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plainsight.prom");
    let every = Duration::from_millis(20);
    let metrics = Metrics::start_writing(Some(file.clone()), "j".to_owned(), every).unwrap();
    for _ in 0..2 {
        std::fs::write(&file, "old").unwrap();
        while std::fs::read_to_string(&file).unwrap() == "old" {
            tokio::time::sleep(every).await;
        }
        assert!(!read(&file).is_empty());
    }
    metrics.end(0).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o644);
    }
}

#[tokio::test]
async fn without_a_file_nothing_is_written_and_a_wrong_one_is_told_at_once() {
    let none = Metrics::start(None, "j".to_owned()).unwrap();
    none.observing(&Unobserved).begin("count", None, &Meter::default());
    none.report(&report());
    none.end(0).unwrap();
    let missing = PathBuf::from("/nonexistent/folder/x.prom");
    let error = Metrics::start(Some(missing), "j".to_owned()).unwrap_err();
    assert!(error.to_string().contains("/nonexistent/folder/x.prom"), "{error}");
}

#[test]
fn names_of_jobs_are_plain() {
    assert!(job_name("nightly-2.b_c").is_ok());
    for name in ["", "a b", "a\"", "é", &"x".repeat(65)] {
        assert!(job_name(name).is_err(), "{name}");
    }
}
