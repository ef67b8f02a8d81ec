//! What the tests have in common: the program, small data sets, and reading what came out.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempDir;

pub const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// The program, or what stands in its place and keeps what it tells.
pub fn program() -> Command {
    Command::new(std::env::var_os("PLAINSIGHT_TEST_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_plainsight").into()))
}

/// Sends a signal to a process that has not been waited for: at once, while a command that does so would have to be started first.
#[cfg(unix)]
pub fn signal(child: &Child, signal: i32) {
    // SAFETY: the process is ours, and it has not been waited for.
    assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
}

/// A folder of a test's own, with a key in it.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("key");
        std::fs::write(&key, KEY).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program in the folder, without trained models unless the arguments name an ensemble: loading them takes a second.
    pub fn plainsight(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Starts the program and goes on; what it says is lost.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The program in the folder, ready to be run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command
            .current_dir(self.folder.path())
            .env_remove("PLAINSIGHT_KEY")
            .env("PLAINSIGHT_ENSEMBLE", "knowledge")
            .args(arguments);
        command
    }

    /// Runs the program, which must succeed; gives its standard output.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.plainsight(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the program, which must fail with `code`; gives its last lines on standard error that are not progress.
    pub fn fail(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.plainsight(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        // As lines, or as JSON where the environment says so.
        let states = [": running, ", ": done, ", ": failed, "];
        let is_progress = |line: &&str| states.iter().any(|state| line.contains(state)) || line.starts_with('{');
        message.lines().filter(|line| !is_progress(line)).collect::<Vec<_>>().join("\n")
    }

    /// `run --notes NOTES --out out --key-file key` and further arguments, which must succeed.
    pub fn run(&self, notes: &str, further: &[&str]) -> String {
        self.succeed(&[&["run", "--notes", notes, "--out", "out", "--key-file", "key"], further].concat())
    }

    pub fn report(&self) -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(self.path("out/_plainsight/run.json")).unwrap()).unwrap()
    }

    pub fn write_lines(&self, name: &str, lines: &[serde_json::Value]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn write_parquet(&self, name: &str, columns: Vec<(&str, ArrayRef)>) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut writer =
            ArrowWriter::try_new(std::fs::File::create(self.path(name)).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    /// The column of all Parquet files below a folder, in file order, as text; null is `None`.
    pub fn column(&self, folder: &str, name: &str) -> Vec<Option<String>> {
        let mut values = Vec::new();
        for file in files_below(&self.path(folder))
            .iter()
            .filter(|file| file.extension().is_some_and(|ending| ending == "parquet"))
        {
            for batch in read_parquet(file) {
                let column = cast(batch.column_by_name(name).unwrap(), &DataType::Utf8).unwrap();
                values.extend(column.as_string::<i32>().iter().map(|value| value.map(str::to_owned)));
            }
        }
        values
    }

    /// The same column where nothing is null.
    pub fn values(&self, folder: &str, name: &str) -> Vec<String> {
        self.column(folder, name).into_iter().map(Option::unwrap).collect()
    }
}

pub fn read_parquet(file: &Path) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(file).unwrap()).unwrap().build().unwrap();
    reader.map(Result::unwrap).collect()
}

/// Every file below a folder, in order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

pub fn strings(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

pub fn note(id: usize, patient: &str, text: &str) -> serde_json::Value {
    serde_json::json!({"note_id": format!("N{id}"), "patient_id": patient, "text": text})
}
