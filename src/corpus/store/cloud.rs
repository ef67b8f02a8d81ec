//! The kinds of object stores, and the names of their settings.
//!
//! ```text
//! REGION, region, aws_region, AWS_DEFAULT_REGION ─ canonical ─▶ aws_region
//! ```

use object_store::ObjectStoreScheme;
use object_store::aws::AmazonS3ConfigKey;
use object_store::azure::AzureConfigKey;
use object_store::gcp::GoogleConfigKey;

/// Whose interface a store has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cloud {
    /// Amazon S3, and what speaks like it: MinIO, Ceph, R2.
    Amazon,
    /// Google Cloud Storage.
    Google,
    /// Azure Blob Storage.
    Azure,
}

/// The settings by which a store is told who asks. A set of options that has one of them takes none of the others from further down.
const CREDENTIALS: [&str; 18] = [
    "aws_access_key_id",
    "aws_secret_access_key",
    "aws_session_token",
    "aws_web_identity_token_file",
    "aws_container_credentials_relative_uri",
    "aws_container_credentials_full_uri",
    "aws_skip_signature",
    "google_service_account",
    "google_service_account_key",
    "google_application_credentials",
    "google_skip_signature",
    "azure_storage_account_key",
    "azure_storage_sas_key",
    "azure_storage_token",
    "azure_storage_client_secret",
    "azure_federated_token_file",
    "azure_use_azure_cli",
    "azure_skip_signature",
];

/// The settings that are secrets themselves.
const SECRETS: [&str; 9] = [
    "aws_secret_access_key",
    "aws_session_token",
    "aws_sse_customer_key_base64",
    "google_service_account_key",
    "azure_storage_account_key",
    "azure_storage_sas_key",
    "azure_storage_token",
    "azure_storage_client_secret",
    "azure_fabric_session_token",
];

impl Cloud {
    pub(super) const ALL: [Self; 3] = [Self::Amazon, Self::Google, Self::Azure];

    /// None for what is no object store.
    pub(super) fn of(scheme: &ObjectStoreScheme) -> Option<Self> {
        match scheme {
            ObjectStoreScheme::AmazonS3 => Some(Self::Amazon),
            ObjectStoreScheme::GoogleCloudStorage => Some(Self::Google),
            ObjectStoreScheme::MicrosoftAzure => Some(Self::Azure),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Amazon => "S3",
            Self::Google => "Google Cloud Storage",
            Self::Azure => "Azure Blob Storage",
        }
    }

    /// How the names of its settings begin in the environment, where they are no words of everybody's like `TOKEN`.
    fn prefix(self) -> &'static str {
        match self {
            Self::Amazon => "aws_",
            Self::Google => "google_",
            Self::Azure => "azure_",
        }
    }

    /// A setting's own name for any name that it goes by, with or without the prefix; none for a setting that this store does not have.
    pub(super) fn canonical(self, key: &str) -> Option<String> {
        let key = key.to_lowercase();
        // Some names are known with their prefix only.
        [format!("{}{key}", self.prefix()), key].iter().find_map(|key| match self {
            Self::Amazon => key.parse().ok().map(|key: AmazonS3ConfigKey| key.as_ref().to_owned()),
            Self::Google => key.parse().ok().map(|key: GoogleConfigKey| key.as_ref().to_owned()),
            Self::Azure => key.parse().ok().map(|key: AzureConfigKey| key.as_ref().to_owned()),
        })
    }

    /// The setting that a variable of the environment stands for.
    pub(super) fn of_variable(self, name: &str) -> Option<String> {
        let name = name.to_lowercase();
        // Managed identities and Google's own tools have names without a prefix.
        let unprefixed = match self {
            Self::Amazon => false,
            Self::Google => name == "service_account",
            Self::Azure => name == "identity_endpoint" || name == "msi_endpoint",
        };
        (unprefixed || name.starts_with(self.prefix())).then(|| self.canonical(&name)).flatten()
    }
}

/// Whether a setting says who asks.
pub(super) fn is_credential(canonical: &str) -> bool {
    CREDENTIALS.contains(&canonical)
}

/// Whether a setting is a secret: a proxy is, where its URL has a password.
pub(super) fn is_secret(canonical: &str, value: &str) -> bool {
    SECRETS.contains(&canonical) || canonical == "proxy_url" && value.contains('@')
}

/// Whether a setting names the bucket or container, which a URL does.
pub(super) fn is_bucket(canonical: &str) -> bool {
    ["aws_bucket", "google_bucket", "azure_container_name"].contains(&canonical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_in_any_case_with_or_without_prefix() {
        for name in ["region", "AWS_REGION", "Aws_Region"] {
            assert_eq!(Cloud::Amazon.canonical(name).as_deref(), Some("aws_region"));
        }
        assert_eq!(Cloud::Amazon.canonical("endpoint_url_s3").as_deref(), Some("aws_endpoint_url_s3"));
        assert_eq!(Cloud::Amazon.canonical("aws_allow_http").as_deref(), Some("allow_http"));
        assert_eq!(Cloud::Azure.canonical("access_key").as_deref(), Some("azure_storage_account_key"));
        assert_eq!(Cloud::Azure.canonical("region"), None);
        assert_eq!(Cloud::Google.canonical("google_allow_http").as_deref(), Some("allow_http"));
    }

    #[test]
    fn every_name_in_the_tables_is_one_that_a_store_knows() {
        for name in CREDENTIALS.iter().chain(&SECRETS) {
            let known = |cloud: &Cloud| cloud.canonical(name).as_deref() == Some(*name);
            assert!(Cloud::ALL.iter().any(known), "{name}");
        }
    }

    #[test]
    fn variables_that_are_nobodys_own_say_nothing() {
        assert_eq!(Cloud::Amazon.of_variable("TOKEN"), None);
        assert_eq!(Cloud::Amazon.of_variable("REGION"), None);
        assert_eq!(Cloud::Amazon.of_variable("aws_session_token").as_deref(), Some("aws_session_token"));
        assert_eq!(Cloud::Azure.of_variable("IDENTITY_ENDPOINT").as_deref(), Some("azure_msi_endpoint"));
        assert_eq!(
            Cloud::Azure.of_variable("AZURE_STORAGE_ACCOUNT_NAME").as_deref(),
            Some("azure_storage_account_name")
        );
    }
}
