use super::*;

#[tokio::test]
async fn an_output_without_one_of_its_parts_is_not_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = Location::parse(folder.path().to_str().unwrap()).unwrap();
    let part = |number: u64, name: Option<&str>| PartRecord {
        number,
        name: name.map(str::to_owned),
        rows: 2,
        bytes: 5,
        ..PartRecord::default()
    };
    let parts = vec![part(0, Some("part-000000.jsonl")), part(1, Some("part-000001.jsonl")), part(2, None)];
    let schema = arrow::datatypes::Schema::empty();
    let manifest = Manifest::new("job".to_owned(), String::new(), String::new(), &schema, parts);
    for name in ["part-000000.jsonl", "part-000001.jsonl"] {
        out.join(name).write("whole").await.unwrap();
    }
    out.join(MANIFEST).write(manifest.to_json()).await.unwrap();
    assert_eq!(status(&out).await.unwrap().state, State::Interrupted, "nobody who waits for the mark is told");
    out.join(SUCCESS).write("").await.unwrap();
    let at = status(&out).await.unwrap();
    assert_eq!((at.state, at.parts, at.lost, at.rows), (State::Whole, 2, 0, Some(4)));

    out.join("part-000001.jsonl").write("who").await.unwrap();
    for is_shorter in [true, false] {
        let at = status(&out).await.unwrap();
        assert_eq!((at.state, at.parts, at.lost, at.rows), (State::Damaged, 1, 1, Some(2)), "{is_shorter}");
        assert!(at.to_string().contains("1 of 2 parts is missing"), "{at}");
        let refused = Output::take(&out, "job", Earlier::Keep).await.err().unwrap().to_string();
        assert!(refused.contains("is damaged: 1 of 2 parts") && refused.contains("--overwrite"), "{refused}");
        let other = Output::take(&out, "other", Earlier::Keep).await.err().unwrap().to_string();
        assert!(other.contains("already"), "{other}");
        let output = Output::take(&out, "job", Earlier::GoOn).await.unwrap();
        assert!(!output.is_whole() && output.earlier().is_some());
        output.give_back().await;
        out.join("part-000001.jsonl").remove().await.unwrap();
    }
}

#[tokio::test]
async fn what_an_interrupted_run_leaves_is_ours_and_what_others_leave_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| Location::parse(folder.path().join(name).to_str().unwrap()).unwrap();
    let out = place("out");
    // A part that is written and not recorded yet, when the run is asked to stop.
    let output = Output::take(&out, "job", Earlier::Keep).await.unwrap();
    out.join("part-000000.parquet").write("…").await.unwrap();
    output.give_back().await;
    assert_eq!(status(&out).await.unwrap().state, State::Interrupted);
    let output = Output::take(&out, "job", Earlier::Keep).await.unwrap();
    output.begin(&BTreeSet::new(), None).await.unwrap();
    assert!(out.join("part-000000.parquet").read_if_there().await.unwrap().is_none());
    output.give_back().await;
    assert_eq!(status(&out).await.unwrap().state, State::Vacant);

    let mine = place("mine");
    mine.join("part-000000.parquet").write("…").await.unwrap();
    assert!(Output::take(&mine, "job", Earlier::Overwrite).await.is_err());
    assert!(clean(&mine).await.is_err());
    assert_eq!(status(&mine).await.unwrap().state, State::Foreign);
}

#[tokio::test]
async fn a_part_that_is_renamed_late_is_ours() {
    let folder = tempfile::tempdir().unwrap();
    let out = Location::parse(folder.path().to_str().unwrap()).unwrap();
    let output = Output::take(&out, "job", Earlier::Keep).await.unwrap();
    output.begin(&BTreeSet::new(), None).await.unwrap();
    let part = folder.path().join("part-000000.parquet");
    let staged = folder.path().join("part-000000.parquet#1");
    std::fs::write(&staged, "whole").unwrap();
    let slow = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        std::fs::rename(staged, part).unwrap();
    });
    output.give_back().await;
    slow.join().unwrap();
    assert_eq!(status(&out).await.unwrap().state, State::Interrupted);
    assert!(Output::take(&out, "job", Earlier::Keep).await.is_ok());
}

#[tokio::test]
async fn a_part_that_arrives_late_is_ours() {
    for (is_begun, is_taken_over) in [(false, false), (true, false), (false, true)] {
        let out = Location::parse("memory:///out").unwrap();
        if is_taken_over {
            let killed = lease::Writer { ended: true, ..lease::Writer::here().unwrap() };
            out.join(WRITER).write(killed.to_json()).await.unwrap();
        }
        let output = Output::take(&out, "job", Earlier::Keep).await.unwrap();
        if is_begun {
            output.begin(&BTreeSet::new(), None).await.unwrap();
        }
        output.give_back().await;
        out.join("part-000000.parquet").write("sent before").await.unwrap();
        let is_ours = Output::take(&out, "job", Earlier::Keep).await.is_ok();
        assert_eq!(is_ours, is_begun || is_taken_over, "{is_begun} {is_taken_over}");
    }
}

#[tokio::test]
async fn a_second_commit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = Location::parse(folder.path().to_str().unwrap()).unwrap();
    let output = Output::take(&out, "job", Earlier::Keep).await.unwrap();
    let manifest = |job: &str| {
        Manifest::new(job.to_owned(), String::new(), String::new(), &arrow::datatypes::Schema::empty(), Vec::new())
    };
    output.commit("{}".to_owned(), &manifest("other")).await.unwrap();
    assert!(matches!(output.commit("{}".to_owned(), &manifest("job")).await, Err(CorpusError::Busy { .. })));
    assert_eq!(Manifest::read(&out).await.unwrap().unwrap().job, "other");
}

/// A writer that slept while another took over, and only now takes away what it was about to.
#[tokio::test]
async fn what_lacks_parts_is_not_declared_whole() {
    let out = Location::parse("memory:///out").unwrap();
    let output = Output::take(&out, "job", Earlier::Keep).await.unwrap();
    let part = PartRecord { name: Some("part-000000.jsonl".to_owned()), rows: 1, bytes: 5, ..PartRecord::default() };
    let schema = arrow::datatypes::Schema::empty();
    let manifest = Manifest::new("job".to_owned(), String::new(), String::new(), &schema, vec![part]);
    assert!(matches!(output.commit("{}".to_owned(), &manifest).await, Err(CorpusError::Busy { .. })));
    assert!(out.join(SUCCESS).read_if_there().await.unwrap().is_none());
    out.join("part-000000.jsonl").write("whole").await.unwrap();
    output.commit("{}".to_owned(), &manifest).await.unwrap();
}

/// One attempt at the first task is about to make way when another has done so, and others are writing, or all is done.
#[tokio::test]
async fn a_slow_attempt_leaves_what_others_have_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = Location::parse(folder.path().to_str().unwrap()).unwrap();
    let join = async || Output::join(&out, "job", 2, "x".to_owned(), Earlier::Keep).await.unwrap();
    let (slow, fast, other) = (join().await, join().await, join().await);
    fast.begin_for_all().await.unwrap();
    let part = PartRecord { name: Some("part-000000.jsonl".to_owned()), rows: 1, bytes: 5, ..PartRecord::default() };
    out.join("part-000000.jsonl").write("whole").await.unwrap();
    out.join("part-000007.jsonl").write("nobody's").await.unwrap();
    other.record(&part).await.unwrap();
    slow.begin_for_all().await.unwrap();
    assert_eq!(slow.records().await.unwrap(), std::slice::from_ref(&part));
    assert!(slow.holds(std::slice::from_ref(&part)).await.unwrap() && !slow.is_declared().await.unwrap());
    assert!(out.join("part-000007.jsonl").read_if_there().await.unwrap().is_none());

    let schema = arrow::datatypes::Schema::empty();
    let manifest = Manifest::new("job".to_owned(), String::new(), String::new(), &schema, vec![part.clone()]);
    fast.commit("{}".to_owned(), &manifest).await.unwrap();
    slow.begin_for_all().await.unwrap();
    assert!(slow.is_declared().await.unwrap());
    assert!(out.join(SUCCESS).read_if_there().await.unwrap().is_some());
    out.join("part-000000.jsonl").remove().await.unwrap();
    assert!(!slow.is_declared().await.unwrap(), "lost since");
}
