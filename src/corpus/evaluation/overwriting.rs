//! Outputs in the place of inputs: refused before anything is read, for what is written over is lost.

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::managed::refuse_released_here;
use crate::corpus::store::Location;
use crate::surrogate::Key;

/// Endings of files that notes and annotations are read from. One more of them in a folder of such would be read as one the next time.
const DATA: [&str; 13] = [
    ".parquet", ".jsonl", ".ndjson", ".json", ".gz", ".zst", ".txt", ".ann", ".xml", ".conll", ".bio", ".iob", ".iob2",
];

/// Refuses outputs that would overwrite an input or one another, lie among the files of an input or in what `run` has released on this machine,
/// or lie at all in a place that is `closed`: one where files of any kind are read, or where a job writes. All come with what they are called: their flags.
///
/// # Errors
/// [`CorpusError::Configuration`] with the two.
pub(crate) fn refuse_overwriting(
    outputs: &[(&str, Location)],
    inputs: &[(&str, Location)],
    closed: &[(&str, Location)],
) -> Result<()> {
    for (at, (flag, output)) in outputs.iter().enumerate() {
        if is_key(output) {
            return Err(CorpusError::configuration(
                format!("{flag} would write over `{}`, which holds a key", output.uri()),
                format!("let {flag} name a file elsewhere"),
            ));
        }
        let name = output.path().as_ref().to_lowercase();
        let is_data = DATA.iter().any(|ending| name.ends_with(ending));
        let lost = |(_, other): &&(&str, Location)| output.is_within(other) && (is_data || other.is_within(output));
        let others = outputs[..at].iter().filter(|(_, other)| other.is_within(output));
        let lies_in = |(_, place): &&(&str, Location)| output.is_within(place);
        let found = inputs.iter().chain(others).find(lost).or_else(|| closed.iter().find(lies_in));
        if let Some((other, _)) = found {
            return Err(CorpusError::configuration(
                format!("{flag} would write `{}` over what {other} names, or into it", output.uri()),
                format!("let {flag} name a file elsewhere"),
            ));
        }
        // Asked last: where a flag of the same command names the released notes, it is the clearer thing to tell.
        refuse_released_here(output)?;
    }
    Ok(())
}

/// Whether a local file is there and holds a key: what was written over it could never be had again, nor what was replaced with it.
fn is_key(place: &Location) -> bool {
    let file = place.local_path().and_then(|path| std::fs::File::open(path).ok());
    file.is_some_and(|file| file.metadata().is_ok_and(|told| told.is_file()) && Key::read(file).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> Location {
        Location::parse(path).unwrap()
    }

    fn is_refused(output: &str, input: &str) -> bool {
        refuse_overwriting(&[("--out", at(output))], &[("--gold", at(input))], &[]).is_err()
    }

    #[test]
    fn closed_places_take_nothing() {
        let refused = |output: &str| {
            refuse_overwriting(
                &[("--plot", at(output))],
                &[],
                &[("--notes", at("/d/notes")), ("--work", at("/d/work"))],
            )
        };
        for output in ["/d/notes/plot.svg", "/d/notes", "/d/work/a/b.jsonl"] {
            let told = refused(output).unwrap_err().to_string();
            assert!(told.contains("--plot name a file elsewhere"), "{told}");
        }
        assert!(refused("/d/plot.svg").is_ok() && refused("/d/notes.svg").is_ok() && refused("/d").is_ok());
    }

    #[test]
    fn keys_are_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |content: &str| {
            let file = folder.path().join("file");
            std::fs::write(&file, content).unwrap();
            refuse_overwriting(&[("--findings", at(&file.to_string_lossy()))], &[], &[]).is_err()
        };
        assert!(refused(&"0a".repeat(32)) && refused(&format!("{}\n", "0a".repeat(32))));
        assert!(!refused("{\"a\":1}\n") && !refused(""));
    }

    #[test]
    fn outputs_lie_elsewhere() {
        assert!(is_refused("/d/gold.jsonl", "/d/gold.jsonl") && is_refused("/d/x/../gold", "/d/gold"));
        assert!(is_refused("/d/gold/errors.JSONL", "/d/gold") && is_refused("/d/gold/n1.ann", "/d/gold"));
        assert!(!is_refused("/d/gold/site.crf", "/d/gold") && !is_refused("/d/gold2.jsonl", "/d/gold"));
        assert!(!is_refused("/d", "/d/gold.jsonl"), "an output that cannot be written is told of by whoever writes it");
    }

    #[test]
    fn outputs_are_two() {
        let outputs =
            |one: &str, other: &str| refuse_overwriting(&[("--errors", at(one)), ("--html", at(other))], &[], &[]);
        let refused = outputs("/d/report", "/d/report").unwrap_err();
        assert!(refused.is_usage() && refused.to_string().contains("--errors"), "{refused}");
        assert!(outputs("/d/errors.jsonl", "/d/page.html").is_ok() && outputs("/d", "/d/errors.jsonl").is_ok());
    }
}
