//! Opens the store of a URL.
//!
//! ```text
//! settings ─▶ builder of the store, with retries ─▶ limit of requests at once, where one is given ─▶ nothing but whole answers
//! ```

use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::SpawnedReqwestConnector;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::limit::LimitStore;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreScheme};
use url::Url;

use super::cloud::{self, Cloud};
use super::environment::Environment;
use super::options::StoreOptions;
use super::settings::{Settings, is_true, settings_of};
use super::whole_answers::WholeAnswers;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::upkeep::upkeep;

/// The store of a URL and the path in it; `uri` is what the user wrote.
///
/// # Errors
/// [`CorpusError::Configuration`] for an unknown scheme, for options that the store does not know, and for settings that it cannot use.
pub(super) fn open(
    uri: &str,
    url: &Url,
    options: &StoreOptions,
    environment: &Environment,
) -> Result<(Arc<dyn ObjectStore>, ObjectPath)> {
    let fail = |reason: &dyn std::fmt::Display, hint: &str| {
        CorpusError::configuration(format!("`{uri}` is no usable location: {reason}"), hint)
    };
    const SCHEMES: &str = "give a local path or an s3://, gs:// or az:// URL";
    let (scheme, path) = ObjectStoreScheme::parse(url).map_err(|error| fail(&error, SCHEMES))?;
    let Some(cloud) = Cloud::of(&scheme) else {
        if !options.is_empty() {
            return Err(fail(&"store options are for object stores", "leave the options away, or give a URL"));
        }
        return match scheme {
            ObjectStoreScheme::Local => Ok((Arc::new(LocalFileSystem::new()), path)),
            ObjectStoreScheme::Memory => Ok((Arc::new(InMemory::new()), path)),
            _ => Err(fail(&"what answers there is no object store that is known", SCHEMES)),
        };
    };
    if !url.username().is_empty() && cloud != Cloud::Azure {
        return Err(fail(
            &"credentials are no part of a URL",
            "give them by the environment, a profile or store options",
        ));
    }
    let mut settings = settings_of(cloud, options, environment)?;
    check_endpoint(&settings).map_err(|reason| {
        fail(
            &reason,
            "an endpoint is https://HOST[:PORT], for Ceph, MinIO and their like; credentials are settings of their own",
        )
    })?;
    check_encrypted(&settings).map_err(|endpoint| {
        fail(
            &format!("`{endpoint}` would be asked without encryption"),
            "set AWS_ALLOW_HTTP=true (GOOGLE_…, AZURE_…), or the option allow_http=true, if that is meant",
        )
    })?;
    name_bucket_in_host(url, &mut settings);
    let store = build(cloud, url, &settings, options).map_err(|error| {
        fail(
            &shown(&error, &settings),
            "settings of a store come from --source-option and --target-option, the environment and profiles",
        )
    })?;
    Ok((store, path))
}

fn build(
    cloud: Cloud,
    url: &Url,
    settings: &Settings,
    options: &StoreOptions,
) -> object_store::Result<Arc<dyn ObjectStore>> {
    // The builders are alike and have no trait in common.
    macro_rules! built {
        ($builder:ty) => {{
            let mut builder = <$builder>::new().with_url(url.as_str()).with_retry(options.retry());
            builder = builder.with_http_connector(SpawnedReqwestConnector::new(upkeep()));
            for (name, value) in settings {
                builder = builder.with_config(name.parse()?, value);
            }
            Ok(guarded(builder.build()?, options.max_requests()))
        }};
    }
    match cloud {
        Cloud::Amazon => built!(AmazonS3Builder),
        Cloud::Google => built!(GoogleCloudStorageBuilder),
        Cloud::Azure => built!(MicrosoftAzureBuilder),
    }
}

fn guarded(store: impl ObjectStore, max_requests: Option<usize>) -> Arc<dyn ObjectStore> {
    match max_requests {
        Some(limit) => Arc::new(WholeAnswers::of(LimitStore::new(store, limit))),
        None => Arc::new(WholeAnswers::of(store)),
    }
}

/// Gives an endpoint back that is not encrypted without this being allowed: it would be found out after all retries only, and of Google
/// not at all.
fn check_encrypted(settings: &Settings) -> std::result::Result<(), String> {
    let endpoint = ["aws_endpoint", "azure_storage_endpoint", "google_base_url"]
        .iter()
        .find_map(|key| settings.get(*key))
        .cloned();
    let allowed = settings.get("allow_http").is_some_and(|value| is_true(value))
        || settings.get("azure_storage_use_emulator").is_some_and(|value| is_true(value));
    match endpoint.or_else(|| endpoint_of_service_account(settings)) {
        Some(endpoint) if endpoint.to_lowercase().starts_with("http://") && !allowed => Err(endpoint),
        _ => Ok(()),
    }
}

/// Why an endpoint is none that can be asked: it has a scheme and a host, and nobody's name in it, for what builds the store would stop without, or show a
/// password in its messages.
fn check_endpoint(settings: &Settings) -> std::result::Result<(), String> {
    for name in ["aws_endpoint", "azure_storage_endpoint", "google_base_url"] {
        let Some(endpoint) = settings.get(name) else { continue };
        let lower = endpoint.to_lowercase();
        let is_plain = |url: &Url| {
            (lower.starts_with("http://") || lower.starts_with("https://"))
                && url.host_str().is_some_and(|host| !host.is_empty())
                && url.query().is_none()
                && url.fragment().is_none()
        };
        match Url::parse(endpoint) {
            Ok(url) if !url.username().is_empty() || url.password().is_some() => {
                return Err(format!("`{name}` is shown in messages and must hold no password"));
            }
            Ok(url) if is_plain(&url) => {}
            _ => return Err(format!("`{name}` is no address of a store")),
        }
    }
    Ok(())
}

/// The endpoint that the file of a service account of Google names, which those of emulators do.
fn endpoint_of_service_account(settings: &Settings) -> Option<String> {
    let account = match settings.get("google_service_account_key") {
        Some(account) => account.clone(),
        None => std::fs::read_to_string(settings.get("google_service_account")?).ok()?,
    };
    let account: serde_json::Value = serde_json::from_str(&account).ok()?;
    Some(account.get("gcs_base_url")?.as_str()?.to_owned())
}

/// The endpoint of a store whose buckets are names of hosts wants the bucket in it. One endpoint can so be set for source and target.
fn name_bucket_in_host(url: &Url, settings: &mut Settings) {
    let virtual_hosted = settings.get("aws_virtual_hosted_style_request").is_some_and(|value| is_true(value));
    let (Some(endpoint), true, Some(bucket), "s3" | "s3a") =
        (settings.get("aws_endpoint"), virtual_hosted, url.host_str(), url.scheme())
    else {
        return;
    };
    let Ok(mut with_bucket) = Url::parse(endpoint) else { return };
    let host = with_bucket.host_str().unwrap_or_default().to_owned();
    if !host.starts_with(&format!("{bucket}.")) && with_bucket.set_host(Some(&format!("{bucket}.{host}"))).is_ok() {
        settings.insert("aws_endpoint".to_owned(), with_bucket.as_str().trim_end_matches('/').to_owned());
    }
}

/// Why a store cannot be built, unless a secret could stand in the message.
fn shown(error: &object_store::Error, settings: &Settings) -> String {
    let message = super::fault::reason(error);
    let mut secrets = settings.iter().filter(|(name, value)| cloud::is_secret(name, value));
    match secrets.find(|(name, value)| *name == "google_service_account_key" || message.contains(value.as_str())) {
        Some((name, _)) => format!("`{name}` cannot be used as it is"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(uri: &str, pairs: &[&str], variables: &[(&str, &str)]) -> Result<String> {
        let environment = Environment::of(variables, None);
        let pairs: Vec<_> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
        let options = StoreOptions::parse_in(&pairs, &environment)?;
        let (store, path) = open(uri, &Url::parse(uri).unwrap(), &options, &environment)?;
        Ok(format!("{store} {path} {store:?}"))
    }

    const KEYS: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", "AKIA"), ("AWS_SECRET_ACCESS_KEY", "hunter2")];

    #[test]
    fn paths_are_style_unless_hosts_are_asked_for() {
        let endpoint = "AWS_ENDPOINT_URL";
        let store =
            opened("s3://notes/a/b", &[], &[&KEYS[..], &[(endpoint, "https://s3.example.org")]].concat()).unwrap();
        assert!(
            store.starts_with("AmazonS3(notes) a/b ") && store.contains("\"https://s3.example.org/notes\""),
            "{store}"
        );
        for given in ["https://s3.example.org:9000/", "https://notes.s3.example.org:9000"] {
            let variables = [&KEYS[..], &[(endpoint, given)]].concat();
            let store = opened("s3://notes/a/b", &["virtual_hosted_style_request=true"], &variables).unwrap();
            assert!(store.contains("\"https://notes.s3.example.org:9000\""), "{store}");
        }
    }

    #[test]
    fn an_endpoint_without_encryption_must_be_allowed() {
        let endpoint = "endpoint=http://127.0.0.1:9000";
        let message = opened("s3://notes/a", &[endpoint], &KEYS).unwrap_err().to_string();
        assert!(message.contains("AWS_ALLOW_HTTP"), "{message}");
        opened("s3://notes/a", &[endpoint], &[&KEYS[..], &[("AWS_ALLOW_HTTP", "true")]].concat()).unwrap();
        opened("s3://notes/a", &[endpoint, "allow_http=yes"], &KEYS).unwrap();
        // The file of a service account may name one.
        let account = "{\"private_key\":\"hunter2\",\"private_key_id\":\"k\",\"client_email\":\"e\",\"disable_oauth\":true,\
                       \"gcs_base_url\":\"http://127.0.0.1:9000\"}";
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("account.json");
        std::fs::write(&file, account).unwrap();
        for given in ["service_account_key=env:K".to_owned(), format!("service_account={}", file.display())] {
            let message = opened("gs://notes/a", &[&given], &[("K", account)]).unwrap_err().to_string();
            assert!(message.contains("without encryption") && !message.contains("hunter2"), "{message}");
            let store = opened("gs://notes/a", &[&given, "allow_http=true"], &[("K", account)]).unwrap();
            assert!(store.contains("http://127.0.0.1:9000"), "{store}");
        }
    }

    #[test]
    fn stores_know_their_settings() {
        let kms = ["server_side_encryption=aws:kms", "sse_kms_key_id=arn:aws:kms:x", "sse_bucket_key_enabled=true"];
        assert!(opened("s3://notes/a", &kms, &KEYS).unwrap().contains("arn:aws:kms:x"));
        let limited = opened("s3://notes/a", &["max_requests=7"], &KEYS).unwrap();
        assert!(limited.starts_with("LimitStore(7, AmazonS3(notes))"), "{limited}");
        let account = [("AZURE_STORAGE_ACCOUNT_NAME", "acc"), ("AZURE_STORAGE_ACCOUNT_KEY", "aHVudGVyMg==")];
        assert!(opened("az://notes/a", &[], &account).unwrap().starts_with("MicrosoftAzure"));
        assert!(
            opened("gs://notes/a", &["google_skip_signature=true"], &[]).unwrap().starts_with("GoogleCloudStorage")
        );
    }

    #[test]
    fn what_cannot_be_used_is_refused_without_showing_secrets() {
        for (uri, pair, variables) in [
            ("s3://AKIA@notes/a", "region=x", &KEYS[..]),
            ("s3://notes/a", "server_side_encryption=rot13", &KEYS[..]),
            ("s3://notes/a", "unsigned_payload=perhaps", &KEYS[..]),
            ("s3://notes/a", "endpoint=https://u:hunter2@127.0.0.1:1", &KEYS[..]),
            ("s3://notes/a", "endpoint=127.0.0.1:5599", &KEYS[..]),
            ("s3://notes/a", "endpoint=minio", &KEYS[..]),
            ("s3://notes/a", "endpoint=http:/host", &KEYS[..]),
            ("s3://notes/a", "endpoint=https://", &KEYS[..]),
            ("s3://notes/a", "endpoint=https://127.0.0.1:99999", &KEYS[..]),
            ("s3://notes/a", "endpoint=https://127.0.0.1:5599?x=1", &KEYS[..]),
            ("s3://notes/a", "endpoint=ftp://x", &KEYS[..]),
            ("s3://notes/a", "endpoint=", &KEYS[..]),
            ("s3://notes/a", "access_key_id=alone", &KEYS[..]),
            ("gs://notes/a", "service_account_key=env:K", &[("K", "{\"type\": \"hunter2\"}")][..]),
            (
                "az://notes/a",
                "account_key=env:K",
                &[("K", "hunter2, not base64"), ("AZURE_STORAGE_ACCOUNT_NAME", "a")][..],
            ),
            ("https://example.org/a", "region=x", &[][..]),
            ("file:///nowhere", "region=x", &[][..]),
        ] {
            let message = opened(uri, &[pair], variables).unwrap_err().to_string();
            assert!(!message.contains("hunter2"), "{message}");
        }
    }
}
