//! Tells the program what its detectors, and all that writes outputs, were built from: digests of their source and of what they read. What
//! a cache remembers of other detectors is void, and so is what another build has left unfinished.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// The folders on which the answers of patterns, dictionaries and the CRF's features depend.
const FOLDERS: [&str; 4] = ["src/phi", "src/text", "src/lexicon", "src/detect"];

fn main() -> std::io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for folder in FOLDERS {
        println!("cargo:rerun-if-changed={folder}");
        add(Path::new(folder), &mut hasher)?;
    }
    // What the libraries underneath take for a letter is theirs to change.
    println!("cargo:rerun-if-changed=Cargo.lock");
    add(Path::new("Cargo.lock"), &mut hasher)?;
    compiler()?.hash(&mut hasher);
    let detectors = hasher.finish();
    // Worked queries, in a folder of their own, are for people.
    let statements = std::fs::read_dir("sql")?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    let mut statements: Vec<_> = statements.into_iter().filter(|path| !path.ends_with("queries")).collect();
    statements.sort();
    println!("cargo:rerun-if-changed=sql");
    statements.iter().try_for_each(|path| add(path, &mut hasher))?;
    for folder in ["src/surrogate", "src/evaluate", "src/corpus"] {
        println!("cargo:rerun-if-changed={folder}");
        add(Path::new(folder), &mut hasher)?;
    }
    println!("cargo:rustc-env=DIGEST_OF_PROGRAM={:016x}", hasher.finish());
    // Cargo hands it on to what it runs, where PLAINSIGHT_DETECTORS would be the flag --detectors.
    println!("cargo:rustc-env=DIGEST_OF_DETECTORS={detectors:016x}");
    Ok(())
}

/// The version of the compiler, whose tables say what counts as a letter; wherever it lies.
fn compiler() -> std::io::Result<Vec<u8>> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(std::process::Command::new(compiler).arg("-vV").output()?.stdout)
}

fn add(path: &Path, hasher: &mut DefaultHasher) -> std::io::Result<()> {
    if !path.is_dir() {
        path.hash(hasher);
        std::fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let mut entries = std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| add(entry, hasher))
}
