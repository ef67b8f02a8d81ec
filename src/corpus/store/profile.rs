//! Profiles of Amazon's tools: `~/.aws/credentials` and `~/.aws/config`.
//!
//! ```text
//! credentials                          config
//! [research]                           [profile research]
//! aws_access_key_id = AKIA…            region = eu-central-1
//! aws_secret_access_key = …            endpoint_url = https://s3.example.org
//! ```
//!
//! Keys are taken as they stand. What would first have to be asked of another service (single sign-on, roles, programs) is refused with
//! the command that turns it into keys.

use std::path::Path;

use ini::{Ini, ParseOption};

use super::environment::Environment;
use super::settings::{Settings, is_true};
use crate::corpus::error::{CorpusError, Result};

/// What is taken over as it stands, and the setting that it is.
const TAKEN: [(&str, &str); 8] = [
    ("aws_access_key_id", "aws_access_key_id"),
    ("aws_secret_access_key", "aws_secret_access_key"),
    ("aws_session_token", "aws_session_token"),
    ("region", "aws_region"),
    ("endpoint_url", "aws_endpoint"),
    ("web_identity_token_file", "aws_web_identity_token_file"),
    ("role_arn", "aws_role_arn"),
    ("role_session_name", "aws_role_session_name"),
];
/// Ways to credentials that are not followed.
const NOT_FOLLOWED: [&str; 6] =
    ["source_profile", "credential_source", "credential_process", "sso_session", "sso_start_url", "login_session"];

/// What a profile says.
pub(super) struct Profile {
    name: String,
    /// By the settings' own names.
    pub(super) settings: Settings,
    /// The way to its credentials, where that is not followed.
    not_followed: Option<&'static str>,
}

/// A profile that the user has named.
///
/// # Errors
/// [`CorpusError::Configuration`] where there is no such profile, or its files cannot be read.
pub(super) fn read_named(name: &str, environment: &Environment) -> Result<Profile> {
    read(name, environment)?.ok_or_else(|| {
        CorpusError::configuration(
            format!("there is no profile `{name}`"),
            "add it to ~/.aws/credentials or ~/.aws/config, or name the files by AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE",
        )
    })
}

/// The profile that counts where none is named; none where there is none.
///
/// # Errors
/// [`CorpusError::Configuration`] where its files cannot be read.
pub(super) fn read_default(environment: &Environment) -> Result<Option<Profile>> {
    read("default", environment)
}

impl Profile {
    /// Fails where the profile knows a way to credentials that is not followed, and nobody else has said who asks.
    pub(super) fn check_followed(&self, says_who_asks: bool) -> Result<()> {
        let Some(way) = self.not_followed.filter(|_| !says_who_asks) else { return Ok(()) };
        let name = &self.name;
        Err(CorpusError::configuration(
            format!("profile `{name}` gets its credentials by `{way}`, which is not followed here"),
            format!(
                "turn them into variables first: eval \"$(aws configure export-credentials --profile {name} --format env)\", and \
                 name no profile"
            ),
        ))
    }
}

fn read(name: &str, environment: &Environment) -> Result<Option<Profile>> {
    let config = properties("AWS_CONFIG_FILE", "~/.aws/config", environment, |section| {
        let named = section.strip_prefix("profile").filter(|rest| rest.starts_with(char::is_whitespace));
        let named = named.map(|rest| rest.trim().trim_matches('"'));
        named == Some(name) || section == "default" && name == "default"
    })?;
    let credentials =
        properties("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials", environment, |section| section == name)?;
    if config.is_none() && credentials.is_none() {
        return Ok(None);
    }
    let said: Settings = config.into_iter().chain(credentials).flatten().collect();
    let by_role = said.contains_key("role_arn") && !said.contains_key("web_identity_token_file");
    let way = NOT_FOLLOWED.into_iter().find(|key| said.contains_key(*key)).or(by_role.then_some("role_arn"));
    let mut settings: Settings =
        TAKEN.iter().filter_map(|(key, name)| Some(((*name).to_owned(), said.get(*key)?.clone()))).collect();
    if let Some(style) = said.get(NESTED_STYLE).filter(|style| *style != "auto") {
        settings.insert("aws_virtual_hosted_style_request".to_owned(), (style == "virtual").to_string());
    }
    if said
        .get("ignore_configure_endpoint_urls")
        .or(said.get("ignore_configured_endpoint_urls"))
        .is_some_and(|value| is_true(value))
    {
        settings.remove("aws_endpoint");
    }
    if way.is_some() {
        // Its keys, if it has any, are not those of who is to ask.
        settings.retain(|name, _| !super::cloud::is_credential(name) && !name.starts_with("aws_role_"));
    }
    Ok(Some(Profile { name: name.to_owned(), settings, not_followed: way }))
}

/// How a nested property is named here.
const NESTED_STYLE: &str = "s3.addressing_style";

/// The properties of the sections of a file that are the profile's; none where there is no such section or file.
fn properties(
    variable: &str,
    usual: &str,
    environment: &Environment,
    is_profile: impl Fn(&str) -> bool,
) -> Result<Option<Settings>> {
    let file = environment.path(environment.get(variable).unwrap_or(usual));
    let content = match std::fs::read_to_string(&file) {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(&file, &error)),
    };
    // Secrets hold backslashes and quotes as they stand, and what is indented belongs to the line above.
    let option = ParseOption {
        enabled_quote: false,
        enabled_escape: false,
        enabled_preserve_key_leading_whitespace: true,
        ..ParseOption::default()
    };
    // The message may hold a part of the line.
    let ini = Ini::load_from_str_opt(&content, option)
        .map_err(|error| unreadable(&file, &format!("line {} is not of the form KEY = VALUE", error.line)))?;
    let sections = ini.iter().filter(|(section, _)| section.is_some_and(|section| is_profile(section.trim())));
    let mut found = None;
    for (_, section) in sections {
        let properties = found.get_or_insert_with(Settings::new);
        let mut above = "";
        for (key, value) in section.iter() {
            let is_nested = key.starts_with(char::is_whitespace);
            above = if is_nested { above } else { key.trim() };
            let key = if is_nested { format!("{above}.{}", key.trim()) } else { key.trim().to_lowercase() };
            properties.insert(key, value.trim().to_owned());
        }
    }
    Ok(found)
}

fn unreadable(file: &Path, reason: &dyn std::fmt::Display) -> CorpusError {
    CorpusError::configuration(
        format!("`{}` cannot be read: {reason}", file.display()),
        "mend the file, or name another by AWS_SHARED_CREDENTIALS_FILE or AWS_CONFIG_FILE",
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Home(tempfile::TempDir);

    impl Home {
        fn with(credentials: &str, config: &str) -> Self {
            let home = tempfile::tempdir().unwrap();
            std::fs::create_dir(home.path().join(".aws")).unwrap();
            std::fs::write(home.path().join(".aws/credentials"), credentials).unwrap();
            std::fs::write(home.path().join(".aws/config"), config).unwrap();
            Self(home)
        }

        fn environment(&self) -> Environment {
            Environment::of(&[], Some(self.0.path().to_owned()))
        }
    }

    #[test]
    fn both_files_make_a_profile_and_the_credentials_count_more() {
        let home = Home::with(
            "[a]\naws_access_key_id=A\naws_secret_access_key = a/b+c=d\\e\"f\nregion = of-credentials\n[b]\n",
            "# a comment\n[profile  a]\nregion = of-config\noutput = json\ns3 =\n  addressing_style = virtual\n  max_queue_size = 3\n",
        );
        let profile = read_named("a", &home.environment()).unwrap();
        let expected = [
            ("aws_access_key_id", "A"),
            ("aws_region", "of-credentials"),
            ("aws_secret_access_key", "a/b+c=d\\e\"f"),
            ("aws_virtual_hosted_style_request", "true"),
        ];
        assert_eq!(profile.settings.iter().map(|(key, value)| (&**key, &**value)).collect::<Vec<_>>(), expected);
        assert!(read_named("b", &home.environment()).unwrap().settings.is_empty());
    }

    #[test]
    fn files_may_lie_elsewhere_and_a_profile_that_is_named_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine");
        std::fs::write(&file, "[default]\naws_access_key_id=X\n").unwrap();
        let environment = Environment::of(&[("AWS_SHARED_CREDENTIALS_FILE", file.to_str().unwrap())], None);
        assert_eq!(read_default(&environment).unwrap().unwrap().settings["aws_access_key_id"], "X");
        assert!(read_named("x", &environment).err().unwrap().to_string().contains("`x`"));
        assert!(read_default(&Environment::of(&[], Some(folder.path().to_owned()))).unwrap().is_none());
    }

    #[test]
    fn what_is_not_followed_is_refused_unless_another_says_who_asks() {
        for way in ["sso_session = s", "source_profile = b\nrole_arn = r", "credential_process = p", "role_arn = r"] {
            let home = Home::with("", &format!("[profile a]\naws_access_key_id = OTHER\nregion = r-1\n{way}\n"));
            let profile = read_named("a", &home.environment()).unwrap();
            assert_eq!(profile.settings.keys().collect::<Vec<_>>(), ["aws_region"]);
            let message = profile.check_followed(false).unwrap_err().to_string();
            assert!(
                message.contains(way.split(' ').next().unwrap()) && message.contains("export-credentials"),
                "{message}"
            );
            profile.check_followed(true).unwrap();
        }
        let home = Home::with("", "[profile a]\nrole_arn = r\nweb_identity_token_file = /t\n");
        read_named("a", &home.environment()).unwrap().check_followed(false).unwrap();
    }

    #[test]
    fn a_damaged_file_is_told_by_its_line_alone() {
        let home = Home::with("[a]\naws_access_key_id = A\nsecret-without-key\n", "");
        let message = read_named("a", &home.environment()).err().unwrap().to_string();
        assert!(message.contains("credentials` cannot be read: line") && !message.contains("without-key"), "{message}");
    }

    proptest! {
        #[test]
        fn no_file_makes_it_panic(content in "([\\[\\]a-z=# \\n\\\\\"']|\\PC){0,80}") {
            let home = Home::with(&content, &content);
            let _ = read_named("a", &home.environment());
        }
    }
}
