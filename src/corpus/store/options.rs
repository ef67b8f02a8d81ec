//! What a user says of one store: `KEY=VALUE`, as often as needed, for the source and for the target.
//!
//! ```text
//! region=eu-central-1                 a setting of the store, named as in its environment variables
//! secret_access_key=env:TARGET_KEY    the value of a variable
//! sas_token=file:/run/secrets/sas     the content of a file
//! profile=research                    a profile of ~/.aws
//! max_requests=32  retries=10  retry_timeout=180  timeout=30
//! ```
//!
//! A secret in the clear is refused: other users of the machine see command lines, and shells keep them.

use std::collections::BTreeMap;
use std::time::Duration;

use super::cloud::{self, Cloud};
use super::environment::Environment;
use crate::corpus::error::{CorpusError, Result};

/// Settings of a store that go before those of the environment, and how it is to be asked.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct StoreOptions {
    /// By name in small letters.
    settings: BTreeMap<String, Setting>,
    profile: Option<String>,
    max_requests: Option<usize>,
    retries: Option<usize>,
    retry_timeout: Option<Duration>,
}

#[derive(Clone, PartialEq, Eq)]
struct Setting {
    value: String,
    /// Whether it stood in the clear, so that it may be shown.
    shown: bool,
}

impl StoreOptions {
    /// Understands options of the form `KEY=VALUE`; `env:NAME` and `file:PATH` as values are read at once.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for what is not of that form, for keys that no store knows or that are there twice, for secrets in the
    /// clear, and for variables and files that cannot be read.
    pub fn parse(pairs: &[String]) -> Result<Self> {
        Self::parse_in(pairs, &Environment::of_process())
    }

    pub(super) fn parse_in(pairs: &[String], environment: &Environment) -> Result<Self> {
        let mut options = Self::default();
        let mut seen = Vec::new();
        for (at, pair) in pairs.iter().enumerate() {
            // What is not of the form may be a secret, and is not shown.
            let (key, value) = pair.split_once('=').filter(|(key, _)| !key.trim().is_empty()).ok_or_else(|| {
                CorpusError::configuration(
                    format!("store option {} is not of the form KEY=VALUE", at + 1),
                    "write for example region=eu-central-1",
                )
            })?;
            let key = key.trim().to_lowercase();
            if seen.contains(&key) {
                return Err(CorpusError::configuration(format!("store option `{key}` is given twice"), "give it once"));
            }
            options.set(&key, value.trim(), environment)?;
            seen.push(key);
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, given: &str, environment: &Environment) -> Result<()> {
        let (value, shown) = resolved(key, given, environment)?;
        match key {
            "profile" => self.profile = Some(value),
            "max_requests" => self.max_requests = Some(number(key, &value, 1)?),
            "retries" => self.retries = Some(number(key, &value, 0)?),
            "retry_timeout" => self.retry_timeout = Some(Duration::from_secs(number(key, &value, 0)? as u64)),
            _ => {
                let known: Vec<_> = Cloud::ALL.iter().filter_map(|cloud| cloud.canonical(key)).collect();
                check(key, &known, &value, shown)?;
                // Durations of the client, which wants a unit.
                let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                let is_time = known.iter().any(|name| name.ends_with("timeout") || name.ends_with("_interval"));
                let value = if is_number && is_time { format!("{value}s") } else { value };
                self.settings.insert(key.to_owned(), Setting { value, shown });
            }
        }
        Ok(())
    }

    /// Whether nothing is said: then a local path needs no store.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The settings by the names the user gave them, in small letters.
    pub(super) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(key, setting)| (key.as_str(), setting.value.as_str()))
    }

    /// The profile of `~/.aws` to take settings from.
    pub(super) fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// How many requests may be under way at once; without a limit where none is given.
    pub(super) fn max_requests(&self) -> Option<usize> {
        self.max_requests
    }

    /// How often, and for how long after its beginning, a request is tried again.
    pub(super) fn retry(&self) -> object_store::RetryConfig {
        let mut retry = object_store::RetryConfig::default();
        retry.max_retries = self.retries.unwrap_or(retry.max_retries);
        retry.retry_timeout = self.retry_timeout.unwrap_or(retry.retry_timeout);
        retry
    }
}

/// Shows names, and values that stood in the clear.
impl std::fmt::Debug for StoreOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_map();
        for (key, setting) in &self.settings {
            shown.entry(key, if setting.shown { &setting.value } else { &"…" });
        }
        let numbers = [
            ("max_requests", self.max_requests),
            ("retries", self.retries),
            ("retry_timeout", self.retry_timeout.map(|time| time.as_secs() as usize)),
        ];
        shown.entries(self.profile.iter().map(|profile| ("profile", profile)));
        shown.entries(numbers.iter().filter_map(|(key, number)| Some((key, (*number)?)))).finish()
    }
}

/// A value as it is meant, and whether it may be shown.
fn resolved(key: &str, given: &str, environment: &Environment) -> Result<(String, bool)> {
    if let Some(name) = given.strip_prefix("env:") {
        let value = environment.get(name).ok_or_else(|| {
            CorpusError::configuration(
                format!("store option `{key}` wants the variable `{name}`, which is not set"),
                format!("export {name}, or write {key}=file:PATH"),
            )
        })?;
        return Ok((value.to_owned(), false));
    }
    let Some(path) = given.strip_prefix("file:") else { return Ok((given.to_owned(), true)) };
    let file = environment.path(path);
    let value = std::fs::read_to_string(&file).map_err(|error| {
        CorpusError::configuration(
            format!("store option `{key}` wants the file `{}`: {error}", file.display()),
            "give the path of a text file that holds nothing but the value",
        )
    })?;
    Ok((value.trim_end_matches(['\r', '\n']).to_owned(), false))
}

/// That a key is known, no secret stands in the clear, and the bucket is left to the URL.
fn check(key: &str, known: &[String], value: &str, shown: bool) -> Result<()> {
    if known.is_empty() {
        return Err(CorpusError::configuration(
            format!("there is no store option `{key}`"),
            "options are named as the variables of the environment (region, endpoint, sse_kms_key_id, …), or are one of profile, \
             max_requests, retries, retry_timeout, timeout",
        ));
    }
    if known.iter().any(|name| cloud::is_bucket(name)) {
        return Err(CorpusError::configuration(
            format!("store option `{key}` names what the URL names"),
            "write the bucket or container into the URL",
        ));
    }
    if shown && known.iter().any(|name| cloud::is_secret(name, value)) {
        return Err(CorpusError::configuration(
            format!("store option `{key}` is a secret, and command lines are no secret"),
            format!("write {key}=env:NAME for the value of a variable, or {key}=file:PATH for the content of a file"),
        ));
    }
    Ok(())
}

fn number(key: &str, value: &str, least: usize) -> Result<usize> {
    value.parse().ok().filter(|number| *number >= least).ok_or_else(|| {
        CorpusError::configuration(
            format!("store option `{key}` is not a number"),
            format!("give a whole number of at least {least}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(pairs: &[&str], variables: &[(&str, &str)]) -> Result<StoreOptions> {
        let pairs: Vec<_> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
        StoreOptions::parse_in(&pairs, &Environment::of(variables, None))
    }

    #[test]
    fn settings_and_numbers_are_told_apart() {
        let options =
            parse(&["Region=eu-central-1", "timeout=7", "max_requests=3", "retries=0", "retry_timeout=9"], &[])
                .unwrap();
        assert_eq!(options.settings().collect::<Vec<_>>(), [("region", "eu-central-1"), ("timeout", "7s")]);
        assert_eq!((options.max_requests(), options.retry().max_retries), (Some(3), 0));
        assert_eq!(options.retry().retry_timeout, Duration::from_secs(9));
        assert!(!options.is_empty() && StoreOptions::default().is_empty());
        // A value may hold the sign that ends the key.
        assert_eq!(parse(&["proxy_excludes=a=b"], &[]).unwrap().settings().next(), Some(("proxy_excludes", "a=b")));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_by_name() {
        for (pair, word) in [
            ("regoin=x", "`regoin`"),
            ("bucket=x", "`bucket`"),
            ("container_name=x", "`container_name`"),
            ("max_requests=0", "`max_requests`"),
            ("retries=few", "`retries`"),
            ("region=env:NOT_SET", "`NOT_SET`"),
            ("region=file:/nowhere/region", "`/nowhere/region`"),
        ] {
            let message = parse(&[pair], &[]).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
        assert!(parse(&["region=a", "REGION=b"], &[]).unwrap_err().to_string().contains("twice"));
        assert!(parse(&["=x"], &[]).is_err());
    }

    #[test]
    fn values_come_from_variables_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sas");
        std::fs::write(&file, "sv=2024&sig=a/b\n").unwrap();
        let options = parse(
            &["secret_access_key=env:MINE", &format!("sas_key=file:{}", file.display())],
            &[("MINE", "wJalr"), ("mine", "other")],
        );
        let options = options.unwrap();
        assert_eq!(
            options.settings().collect::<Vec<_>>(),
            [("sas_key", "sv=2024&sig=a/b"), ("secret_access_key", "wJalr")]
        );
        let shown = format!("{options:?}");
        assert!(shown.contains("sas_key") && !shown.contains("wJalr") && !shown.contains("sig="), "{shown}");
    }

    proptest! {
        #[test]
        fn no_secret_is_taken_in_the_clear_or_shown(value in "[a-zA-Z0-9/+]{12,40}", upper in any::<bool>()) {
            for key in [
                "secret_access_key", "aws_secret_access_key", "session_token", "token", "sse_customer_key_base64", "account_key",
                "access_key", "azure_storage_account_key", "sas_token", "client_secret", "bearer_token", "service_account_key",
            ] {
                let key = if upper { key.to_uppercase() } else { key.to_owned() };
                let message = parse(&[&format!("{key}={value}")], &[]).unwrap_err().to_string();
                prop_assert!(message.contains("=env:NAME") && !message.contains(&value), "{}", message);
                let options = parse(&[&format!("{key}=env:GIVEN")], &[("GIVEN", &value)]).unwrap();
                let shown = format!("{options:?}");
                prop_assert!(!shown.contains(&value), "{}", shown);
            }
            // Nor is what was meant as one and is no pair.
            let message = parse(&[&value], &[]).unwrap_err().to_string();
            prop_assert!(!message.contains(&value), "{}", message);
        }

        #[test]
        fn nothing_that_is_typed_makes_it_panic(pairs in proptest::collection::vec(".{0,40}", 0..4)) {
            let _ = StoreOptions::parse_in(&pairs, &Environment::default());
        }
    }
}
