//! The settings of one store, by precedence.
//!
//! ```text
//! options > profile named in the options > environment > profile named there, or `default` where nobody else says who asks
//! ```
//!
//! Credentials go together: whoever gives a part of them gives all, so that no key of one source meets a token of another.

use std::collections::BTreeMap;

use super::cloud::{Cloud, is_credential};
use super::environment::Environment;
use super::options::StoreOptions;
use super::profile;
use crate::corpus::error::{CorpusError, Result};

/// Values by the settings' own names.
pub(super) type Settings = BTreeMap<String, String>;

/// All that is said of a store.
///
/// # Errors
/// [`CorpusError::Configuration`] for options that this kind of store does not know, and for profiles that cannot be used.
pub(super) fn settings_of(cloud: Cloud, options: &StoreOptions, environment: &Environment) -> Result<Settings> {
    let mut settings = Settings::new();
    lay_below(&mut settings, of_options(cloud, options)?);
    let named = match (cloud, options.profile()) {
        (Cloud::Amazon, Some(name)) => Some(profile::read_named(name, environment)?),
        (_, Some(_)) => return Err(unknown("profile", cloud)),
        (_, None) => None,
    };
    if let Some(profile) = &named {
        lay_below(&mut settings, profile.settings.clone());
        profile.check_followed(says_who_asks(&settings))?;
    }
    lay_below(&mut settings, of_environment(cloud, environment));
    if cloud == Cloud::Amazon && named.is_none() {
        let profile = match environment.get("AWS_PROFILE") {
            Some(name) => Some(profile::read_named(name, environment)?),
            None if says_who_asks(&settings) => None,
            None => profile::read_default(environment)?,
        };
        if let Some(profile) = profile {
            lay_below(&mut settings, profile.settings.clone());
            profile.check_followed(says_who_asks(&settings))?;
        }
    }
    Ok(settings)
}

/// Adds what is not yet said.
fn lay_below(settings: &mut Settings, mut lower: Settings) {
    // One setting under two names; the more exact one counts.
    if let Some(region) = lower.remove("aws_default_region") {
        lower.entry("aws_region".to_owned()).or_insert(region);
    }
    if let Some(endpoint) = lower.remove("aws_endpoint_url_s3") {
        lower.insert("aws_endpoint".to_owned(), endpoint);
    }
    if says_who_asks(settings) {
        lower.retain(|name, _| !is_credential(name));
    }
    for (name, value) in lower {
        settings.entry(name).or_insert(value);
    }
}

/// Whether there are credentials among settings, or the word that none are wanted.
fn says_who_asks(settings: &Settings) -> bool {
    let is_switch = |name: &str| name.ends_with("_skip_signature") || name.ends_with("_use_azure_cli");
    settings.iter().any(|(name, value)| is_credential(name) && (!is_switch(name) || is_true(value)))
}

/// Whether a value means yes, as stores read it.
pub(super) fn is_true(value: &str) -> bool {
    ["1", "true", "on", "yes", "y"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
}

fn of_options(cloud: Cloud, options: &StoreOptions) -> Result<Settings> {
    let mut settings = Settings::new();
    for (key, value) in options.settings() {
        let name = cloud.canonical(key).ok_or_else(|| unknown(key, cloud))?;
        if settings.insert(name, value.to_owned()).is_some() {
            return Err(CorpusError::configuration(
                format!("store option `{key}` is given twice, under two names"),
                "give it once",
            ));
        }
    }
    Ok(settings)
}

fn unknown(key: &str, cloud: Cloud) -> CorpusError {
    CorpusError::configuration(
        format!("{} has no option `{key}`", cloud.name()),
        "options of the source are for every source in a store, options of the target for the output",
    )
}

fn of_environment(cloud: Cloud, environment: &Environment) -> Settings {
    let named = |(name, value): (&str, &str)| Some((cloud.of_variable(name)?, value.to_owned()));
    environment.variables().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(
        pairs: &[&str],
        variables: &[(&str, &str)],
        home: Option<&std::path::Path>,
    ) -> Result<BTreeMap<String, String>> {
        let environment = Environment::of(variables, home.map(Into::into));
        let pairs: Vec<_> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
        settings_of(Cloud::Amazon, &StoreOptions::parse_in(&pairs, &environment)?, &environment)
    }

    fn home() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join(".aws")).unwrap();
        let credentials = "[default]\naws_access_key_id = D\naws_secret_access_key = Ds\nregion = d-1\n\
                           [reader]\naws_access_key_id = R\naws_secret_access_key = Rs\naws_session_token = Rt\n";
        std::fs::write(home.path().join(".aws/credentials"), credentials).unwrap();
        let config = "[profile reader]\nregion = r-1\nendpoint_url = https://reader.example\n";
        std::fs::write(home.path().join(".aws/config"), config).unwrap();
        home
    }

    #[test]
    fn options_go_before_the_environment_and_that_before_a_profile() {
        let home = home();
        let home = Some(home.path());
        let named = |pairs: &[&str], variables: &[(&str, &str)]| settings(pairs, variables, home).unwrap();
        let region = |pairs: &[&str], variables: &[(&str, &str)]| named(pairs, variables)["aws_region"].clone();
        let variables = [("AWS_PROFILE", "reader"), ("aws_default_region", "e-1")];
        assert_eq!(region(&["default_region=o-1"], &variables), "o-1");
        assert_eq!(region(&[], &variables), "e-1");
        assert_eq!(region(&[], &variables[..1]), "r-1");
        assert_eq!(region(&[], &[]), "d-1");
        // A profile in the options is an option.
        assert_eq!(region(&["profile=reader"], &[("AWS_REGION", "e-1")]), "r-1");
        // An endpoint for S3 alone is more exact than one for everything, but not than an option.
        let endpoints = [("AWS_ENDPOINT_URL", "https://all"), ("AWS_ENDPOINT_URL_S3", "https://s3")];
        assert_eq!(named(&[], &endpoints)["aws_endpoint"], "https://s3");
        assert_eq!(named(&["endpoint=https://mine"], &endpoints)["aws_endpoint"], "https://mine");
    }

    #[test]
    fn credentials_of_two_sources_never_mix() {
        let home = home();
        let variables = [("AWS_ACCESS_KEY_ID", "E"), ("AWS_SECRET_ACCESS_KEY", "Es"), ("MINE", "Os")];
        let with = |pairs: &[&str], variables: &[(&str, &str)]| settings(pairs, variables, Some(home.path())).unwrap();
        // The profile has a token, which is not the environment's.
        let mixed = with(&[], &[&variables[..], &[("AWS_PROFILE", "reader")]].concat());
        assert_eq!((mixed["aws_access_key_id"].as_str(), mixed.get("aws_session_token")), ("E", None));
        let mixed = with(
            &["access_key_id=O", "secret_access_key=env:MINE"],
            &[&variables[..], &[("AWS_SESSION_TOKEN", "Et")]].concat(),
        );
        assert_eq!((mixed["aws_secret_access_key"].as_str(), mixed.get("aws_session_token")), ("Os", None));
        let reader = with(&["profile=reader"], &variables);
        assert_eq!((reader["aws_access_key_id"].as_str(), reader["aws_session_token"].as_str()), ("R", "Rt"));
    }

    #[test]
    fn the_default_profile_stands_in_for_nobody() {
        let home = home();
        let key = |variables: &[(&str, &str)]| {
            settings(&[], variables, Some(home.path())).unwrap().remove("aws_access_key_id")
        };
        assert_eq!(key(&[]).as_deref(), Some("D"));
        assert_eq!(key(&[("AWS_WEB_IDENTITY_TOKEN_FILE", "/t")]), None);
        assert_eq!(key(&[("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/c")]), None);
        assert_eq!(key(&[("AWS_SKIP_SIGNATURE", "true")]), None);
        assert_eq!(key(&[("AWS_SKIP_SIGNATURE", "false")]).as_deref(), Some("D"));
        assert_eq!(settings(&[], &[], None).unwrap(), Settings::new());
    }

    #[test]
    fn options_of_another_store_are_refused() {
        let environment = Environment::default();
        for (pair, cloud) in
            [("region=x", Cloud::Azure), ("account_name=x", Cloud::Amazon), ("profile=x", Cloud::Google)]
        {
            let options = StoreOptions::parse_in(&[pair.to_owned()], &environment).unwrap();
            assert!(settings_of(cloud, &options, &environment).unwrap_err().to_string().contains(cloud.name()));
        }
        let twice = StoreOptions::parse_in(&["region=a".to_owned(), "aws_region=b".to_owned()], &environment).unwrap();
        assert!(settings_of(Cloud::Amazon, &twice, &environment).is_err());
    }
}
