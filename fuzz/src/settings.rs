//! Small files that people write: policies, options, label maps, stacks, ensembles, keys.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use plainsight::detect::EnsembleDescription;
use plainsight::detect::crf::Families;
use plainsight::detect::stack::Stack;
use plainsight::evaluate::LabelMap;
use plainsight::evaluate::gold::Annotation;
use plainsight::phi::{Class, Label, Policy};
use plainsight::surrogate::{Key, SurrogateOptions, Surrogates};

use crate::input::{self, parts};

/// A file of this process alone, as ensembles are read from files.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("plainsight-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written to");
    folder.join("ensemble.toml")
});

/// The kind of file, and its text.
pub fn settings(bytes: &[u8]) {
    let text = input::text(bytes);
    let [kind, file] = parts(&text);
    match kind {
        "policy" => policy(file),
        "surrogates" => options(file),
        "labels" => labels(file),
        "stack" => stack(file),
        "ensemble" => ensemble(file),
        "key" => key(file),
        _ => drop(file.parse::<Families>()),
    }
}

fn policy(file: &str) {
    let Ok(policy) = Policy::from_toml(file) else { return };
    assert!(policy.name().starts_with("custom on "));
    let written: toml::Table = file.parse().expect("the library read the file as TOML");
    let base = Policy::named(written["base"].as_str().unwrap_or_default()).expect("the library took the base");
    let names = ["remove", "keep"].into_iter().filter_map(|key| written.get(key)?.as_array());
    let named: Vec<Class> = names.flatten().filter_map(|name| name.as_str()?.parse().ok()).collect();
    for &label in Label::ALL.iter().filter(|label| named.iter().all(|class| class.label != **label)) {
        assert_eq!(policy.removes(Class::of(label)), base.removes(Class::of(label)), "{label} is named nowhere");
    }
}

fn options(file: &str) {
    let Ok(options) = SurrogateOptions::from_toml(file) else { return };
    let key = Key::from_hex(&"a7".repeat(32)).expect("64 digits");
    let days = Surrogates::with_options(&key, "1", options).date_shift_days();
    assert!(days != 0 && days.abs() <= 3_650);
}

fn labels(file: &str) {
    let Ok(map) = LabelMap::from_toml("fuzzed", file) else { return };
    for label in file.split(['"', '\'', '\n', ' ', '=']) {
        let annotation = Annotation { start: 0, end: 1, label: label.to_owned() };
        let _ = (map.gold(std::slice::from_ref(&annotation)), map.predicted(&[annotation]));
    }
}

fn stack(file: &str) {
    let Ok(stack) = Stack::parse(file) else { return };
    assert_eq!(Stack::parse(&stack.to_toml()).as_ref(), Ok(&stack));
}

fn ensemble(file: &str) {
    std::fs::write(&*FILE, file).expect("the temporary folder can be written to");
    let Ok(described) = EnsembleDescription::read(&FILE) else { return };
    let folder = FILE.parent().unwrap_or(Path::new("/"));
    std::fs::write(&*FILE, described.to_toml(folder)).expect("the temporary folder can be written to");
    let again = EnsembleDescription::read(&FILE).expect("what a description writes can be read");
    assert_eq!(again.is_stacked(), described.is_stacked());
    assert_eq!(again.to_toml(folder), described.to_toml(folder));
}

fn key(file: &str) {
    let (parsed, read) = (Key::from_hex(file), Key::read(file.as_bytes()));
    if let Ok(key) = &read {
        assert!(parsed.is_ok_and(|parsed| parsed.id() == key.id()));
        assert!(key.id().len() == 16 && !file.contains(&key.id()));
    }
}
