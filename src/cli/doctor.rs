//! `plainsight doctor`.

use std::time::Instant;

use clap::Args;

use super::arguments::{DeidentifyArguments, available_workers};
use crate::corpus::Result;
use crate::detect::Half;
use crate::text::InContext;

/// Sentences on which the ensemble is timed: of ordinary length, none of them anybody's.
const SENTENCES: usize = 2048;

#[derive(Debug, Args)]
pub(super) struct DoctorArguments {
    #[command(flatten)]
    deidentify: DeidentifyArguments,
}

pub(super) fn doctor(arguments: &DoctorArguments) -> Result<()> {
    let ensemble = arguments.deidentify.ensemble(Half::Both)?;
    let mut told = format!("plainsight {}, {} processors\n\n", env!("CARGO_PKG_VERSION"), available_workers());
    ensemble.members().iter().for_each(|member| told.push_str(&format!("{member}\n")));
    let sentences: Vec<String> = (0..SENTENCES).map(sentence).collect();
    let sentences: Vec<_> = sentences.iter().map(|sentence| InContext::alone(sentence)).collect();
    let begun = Instant::now();
    ensemble.detect_all(&sentences, &mut |_| {})?;
    let rate = sentences.len() as f64 / begun.elapsed().as_secs_f64();
    told.push_str(&format!("\n{rate:.0} distinct sentences a second on this machine, each seen by every member\n"));
    ensemble.advice().iter().for_each(|advice| told.push_str(&format!("\n{advice}")));
    super::print(told)
}

/// A sentence that no other number gives, with a word that no vocabulary knows, so that every member sees it.
fn sentence(number: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "do", "fi", "gu", "ka", "lo", "mi", "nu", "pa", "ro", "si", "tu", "va", "wo", "xi", "zu"];
    let word: String = (0..4).map(|place| SYLLABLES[number >> (4 * place) & 15]).collect();
    format!("He came to the clinic with {word} after the fall, has pain in the left knee, and is worse at night.")
}
