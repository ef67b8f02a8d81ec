//! Fuzz targets: everything that reads what others wrote, fed by libFuzzer with input that reaches new code.
//!
//! ```text
//! fuzz/run 600 segmentation        PLAINSIGHT_FUZZ_TARGET=segmentation ─▶ libFuzzer ─▶ bytes ─▶ target ─▶ promise broken? abort
//! ```
//!
//! A target turns bytes into what one parser or detector takes, calls it, and checks what it promises for every input. One
//! program holds all targets, for each would link the library again; a variable of the environment says which one runs.

#![no_main]

mod detection;
mod gold;
mod input;
mod lists;
mod models;
mod segmentation;
mod settings;
mod surrogates;
mod templates;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

/// The variable of the environment that names the target.
const VARIABLE: &str = "PLAINSIGHT_FUZZ_TARGET";

/// Every target by its name, which is that of its folder of seeds too.
const TARGETS: &[(&str, fn(&[u8]))] = &[
    ("segmentation", segmentation::segmentation),
    ("knowledge", detection::knowledge),
    ("ensemble", detection::ensemble),
    ("record", detection::record),
    ("second_pass", detection::second_pass),
    ("templates", templates::templates),
    ("lists", lists::lists),
    ("settings", settings::settings),
    ("gold", gold::gold),
    ("crf_model", models::crf_model),
    ("model_folder", models::model_folder),
    ("surrogates", surrogates::surrogates),
    ("dates", surrogates::dates),
    ("numbers", surrogates::numbers),
];

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let wanted = std::env::var(VARIABLE).unwrap_or_default();
    let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
    let found = TARGETS.iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("set {VARIABLE} to one of {}", names.join(", "))).1
});

/// Loads lexicons and compiles expressions, so that their time is not taken for that of the first input.
fn warm_up() {
    let visit = include_bytes!("../seeds/knowledge/visit");
    detection::knowledge(visit);
    for label in plainsight::phi::Label::ALL {
        surrogates::surrogates(format!("{label}\n%%\n1\n%%\nMaria Lee, 4 Oak St, Salem, MN 55101").as_bytes());
    }
}

fuzz_target!(
    init: {
        LazyLock::force(&TARGET);
        warm_up();
    },
    |bytes: &[u8]| (*TARGET)(bytes)
);
