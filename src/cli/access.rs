//! `plainsight access`.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use zeroize::Zeroizing;

use super::whole_file::refuse_released_place;
use crate::corpus::{CorpusError, Result};
use crate::serve::access::{Role, TokenEntry, UserEntry, UsersFile, hash_password, new_token};

#[derive(Debug, Args)]
pub(super) struct AccessArguments {
    #[command(subcommand)]
    command: AccessCommand,
}

#[derive(Debug, Subcommand)]
enum AccessCommand {
    /// Give somebody a password, read from a prompt or the first line of standard input. Takes the place of an earlier entry of the name
    Password {
        #[command(flatten)]
        entry: EntryArguments,
    },
    /// Make a token for a program, and print it once: only its digest is kept. Takes the place of an earlier entry of the name
    Token {
        #[command(flatten)]
        entry: EntryArguments,
        /// How many days the token is good for
        #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3_650))]
        days: u32,
    },
    /// Take away what somebody has, password or token
    Remove {
        /// The name
        name: String,
        /// The users and tokens of `serve`
        #[arg(long, value_name = "FILE")]
        users: PathBuf,
    },
}

#[derive(Debug, Args)]
struct EntryArguments {
    /// The name: up to 64 letters, digits and . _ - @ +
    name: String,
    /// What the holder may see: de-identified views, or the notes themselves
    #[arg(long, value_enum)]
    role: RoleArgument,
    /// The users and tokens of `serve`; made where there is no such file, readable by its owner only
    #[arg(long, value_name = "FILE")]
    users: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RoleArgument {
    /// De-identified views and released outputs
    Deidentified,
    /// The notes themselves, and plainsight's functions
    Confidential,
}

impl From<RoleArgument> for Role {
    fn from(role: RoleArgument) -> Self {
        match role {
            RoleArgument::Deidentified => Self::Deidentified,
            RoleArgument::Confidential => Self::Confidential,
        }
    }
}

pub(super) async fn access(arguments: AccessArguments) -> Result<()> {
    super::waiting(move || match arguments.command {
        AccessCommand::Password { entry } => {
            refuse_released_place(&entry.users)?;
            let mut file = existing(&entry.users)?;
            let password = hash_password(&password()?)?;
            file.remove(&entry.name);
            file.users.push(UserEntry { name: entry.name, role: entry.role.into(), password });
            file.write(&entry.users)
        }
        AccessCommand::Token { entry, days } => {
            refuse_released_place(&entry.users)?;
            let mut file = existing(&entry.users)?;
            let token = new_token()?;
            file.remove(&entry.name);
            file.tokens.push(TokenEntry::new(&entry.name, entry.role.into(), &token, days));
            file.write(&entry.users)?;
            super::print(Zeroizing::new(format!("{}\n", token.as_str())).as_str())
        }
        AccessCommand::Remove { name, users } => {
            let mut file = UsersFile::read(&users)?;
            match file.remove(&name) {
                true => file.write(&users),
                false => Err(CorpusError::configuration(
                    format!("there is no entry `{name}`"),
                    "the names stand in the file of --users",
                )),
            }
        }
    })
    .await
}

/// The entries so far.
fn existing(path: &Path) -> Result<UsersFile> {
    match path.try_exists() {
        Ok(false) => Ok(UsersFile::default()),
        _ => UsersFile::read(path),
    }
}

/// A password from a prompt that shows nothing, asked for twice, or from the first line of standard input.
fn password() -> Result<Zeroizing<String>> {
    let fail = |error: std::io::Error| CorpusError::input("the password", error);
    if !std::io::stdin().is_terminal() {
        let mut line = Zeroizing::new(String::new());
        std::io::stdin().lock().read_line(&mut line).map_err(fail)?;
        return Ok(Zeroizing::new(line.trim_end_matches(['\r', '\n']).to_owned()));
    }
    let first = Zeroizing::new(rpassword::prompt_password("password: ").map_err(fail)?);
    let again = Zeroizing::new(rpassword::prompt_password("again: ").map_err(fail)?);
    match *first == *again {
        true => Ok(first),
        false => Err(CorpusError::configuration(
            "the two passwords are not the same",
            "nothing was written; give the command again",
        )),
    }
}
