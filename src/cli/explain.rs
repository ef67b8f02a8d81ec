//! `plainsight explain`: the stages of a run, as the statements that they are.

use clap::Args;

use crate::corpus::{CorpusError, Result};

#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// The stage; without it, all are named
    stage: Option<String>,
    /// Print the stage's first statement alone, to be run by hand; what stands in braces is to be filled in: plainsight sql --notes … --work … -c "$(plainsight explain count --sql)"
    #[arg(long, requires = "stage")]
    sql: bool,
}

/// A stage: its name, what it is for, and its statements by file.
struct Stage {
    name: &'static str,
    purpose: &'static str,
    statements: &'static [(&'static str, &'static str)],
}

macro_rules! statements {
    ($($file:literal),+) => { &[$(($file, include_str!(concat!("../../sql/", $file)))),+] };
}

/// In the order of a run; those behind `join` belong to other commands.
const STAGES: &[Stage] = &[
    Stage {
        name: "count",
        purpose: "how often every distinct sentence occurs, by a keyed hash",
        statements: statements!("count.sql", "count_index.sql"),
    },
    Stage {
        name: "sentences",
        purpose: "the text of every distinct sentence, and which way it goes",
        statements: statements!("sentences.sql", "funnel.sql"),
    },
    Stage {
        name: "detect",
        purpose: "what the ensemble claims on each, once; the span cache is asked first",
        statements: statements!("claims.sql"),
    },
    Stage {
        name: "remember",
        purpose: "what members said that the span cache did not know goes into it",
        statements: statements!("fresh.sql"),
    },
    Stage {
        name: "index",
        purpose: "the claims in the order of their hashes, for the way back to notes",
        statements: statements!("claim_index.sql"),
    },
    Stage {
        name: "second-pass",
        purpose: "what was found with confidence in any note of a patient",
        statements: statements!("second_pass.sql", "dictionaries.sql"),
    },
    Stage {
        name: "incremental",
        purpose: "which patients have notes in which units, to tell what `run --incremental` writes again",
        statements: statements!("patients_of_units.sql"),
    },
    Stage {
        name: "exchange",
        purpose: "what the tasks of `run --task` hand to one another, and make of it",
        statements: statements!(
            "shares/send_sentences.sql",
            "shares/sentences.sql",
            "shares/send_claims.sql",
            "shares/claim_index.sql",
            "shares/send_values.sql",
            "shares/known.sql",
            "shares/send_dictionaries.sql",
            "shares/dictionaries.sql"
        ),
    },
    Stage {
        name: "replace",
        purpose: "the notes, de-identified: the last stage of `run`",
        statements: statements!("replace.sql"),
    },
    Stage {
        name: "join",
        purpose: "the identifiers of every note: the last stage of `detect`",
        statements: statements!("detect.sql"),
    },
    Stage {
        name: "prevalence",
        purpose: "how a corpus repeats itself: what `count` prints, after the stage count",
        statements: statements!("prevalence_totals.sql", "prevalence_top.sql", "growth.sql"),
    },
    Stage {
        name: "inclusion",
        purpose: "candidates for the inclusion list: `inclusion build`, after the stage sentences",
        statements: statements!("inclusion_candidates.sql", "inclusion_claims.sql"),
    },
    Stage {
        name: "templates",
        purpose: "the shapes of sentences with claims: `templates harvest`, after the stage sentences",
        statements: statements!(
            "template_sentences.sql",
            "template_shapes.sql",
            "template_readings.sql",
            "template_patients.sql"
        ),
    },
];

pub(super) fn explain(arguments: &ExplainArguments) -> Result<()> {
    let Some(name) = &arguments.stage else {
        let lines = STAGES.iter().map(|stage| format!("  {:<14}{}\n", stage.name, stage.purpose));
        return super::print(lines.collect::<String>());
    };
    let stage = STAGES.iter().find(|stage| stage.name == name).ok_or_else(|| {
        let names: Vec<_> = STAGES.iter().map(|stage| stage.name).collect();
        CorpusError::configuration(format!("`{name}` is no stage"), format!("the stages are {}", names.join(", ")))
    })?;
    if arguments.sql {
        let (_, statement) = stage.statements[0];
        let bare = statement.lines().filter(|line| !line.starts_with("--"));
        return super::print(bare.map(|line| format!("{line}\n")).collect::<String>());
    }
    let shown = stage.statements.iter().map(|(file, statement)| format!("-- sql/{file}\n{statement}"));
    super::print(shown.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_statement_belongs_to_a_stage() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sql");
        // Folders hold statements of no stage.
        for file in std::fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|file| file.path().is_file()) {
            let name = file.file_name().into_string().unwrap();
            let explained = STAGES.iter().flat_map(|stage| stage.statements).any(|(file, _)| *file == name);
            assert!(explained, "{name} is explained nowhere");
        }
    }
}
