//! `plainsight key`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use rand::TryRngCore;
use rand::rngs::OsRng;

use super::arguments::key_of;
use super::whole_file::refuse_released_place;
use crate::corpus::{CorpusError, Result, private_file};

#[derive(Debug, Args)]
pub(super) struct KeyArguments {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Write a new random key to a file that only its owner can read
    New {
        /// A file that does not exist yet
        file: PathBuf,
    },
    /// Print the id of a key
    Check {
        /// A file with 64 hex digits, or - for standard input
        file: PathBuf,
    },
}

pub(super) fn key(arguments: KeyArguments) -> Result<()> {
    let file = match arguments.command {
        KeyCommand::New { file } => {
            if file.symlink_metadata().is_err() {
                refuse_released_place(&file)?;
            }
            write_new(&file)?;
            file
        }
        KeyCommand::Check { file } => file,
    };
    super::print(format!("{}\n", key_of(&file, "the key file")?.id()))
}

fn write_new(file: &std::path::Path) -> Result<()> {
    use std::io::Write;
    let fail = |error: &dyn std::fmt::Display| CorpusError::output(file.display().to_string(), error);
    let mut bytes = zeroize::Zeroizing::new([0_u8; 32]);
    OsRng.try_fill_bytes(bytes.as_mut()).map_err(|error| fail(&error))?;
    let text: zeroize::Zeroizing<String> =
        zeroize::Zeroizing::new(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
    let mut options = private_file();
    options.write(true).create_new(true);
    let mut target = options.open(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => fail(&"there is a file already, and a key is never written over"),
        _ => fail(&error),
    })?;
    writeln!(target, "{}", text.as_str()).map_err(|error| fail(&error))
}
