//! Who is who in a cluster: certificates of one authority, shown by both sides of every connection.

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use ballista_core::extension::EndpointOverrideFn;
use ballista_core::utils::{GrpcClientConfig, create_grpc_client_endpoint};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, ServerTlsConfig};
use zeroize::Zeroizing;

use crate::corpus::{CorpusError, Result};

/// The certificate of one member of a cluster, its key, and the authority that vouches for all members; each PEM.
#[derive(Clone)]
pub struct Identity {
    /// The chain of certificates.
    pub certificate: Vec<u8>,
    /// The key.
    pub key: Zeroizing<Vec<u8>>,
    /// The authority: nobody else's certificates are taken.
    pub authority: Vec<u8>,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Identity")
    }
}

impl Identity {
    fn pem(&self) -> tonic::transport::Identity {
        tonic::transport::Identity::from_pem(&self.certificate, self.key.as_slice())
    }

    /// How a server of the cluster listens.
    pub(super) fn server(&self) -> ServerTlsConfig {
        ServerTlsConfig::new().identity(self.pem()).client_ca_root(Certificate::from_pem(&self.authority))
    }

    /// How a member speaks to another.
    pub(super) fn client(&self) -> EndpointOverrideFn {
        let tls = ClientTlsConfig::new().identity(self.pem()).ca_certificate(Certificate::from_pem(&self.authority));
        Arc::new(move |endpoint: Endpoint| -> Result<Endpoint, Box<dyn Error + Send + Sync>> {
            // The endpoint comes with a plain address, and keeps it.
            let authority = endpoint.uri().authority().map(ToString::to_string).unwrap_or_default();
            let settings = GrpcClientConfig { use_tls: true, ..GrpcClientConfig::default() };
            Ok(create_grpc_client_endpoint(format!("https://{authority}"), Some(&settings))?.tls_config(tls.clone())?)
        })
    }
}

/// Whether one may listen at an address, with or without certificates.
///
/// # Errors
/// [`CorpusError::Configuration`].
pub(super) fn check_listen(address: SocketAddr, identity: Option<&Identity>) -> Result<()> {
    match identity {
        None if !address.ip().is_loopback() => {
            Err(refused(format!("--listen {address}: without certificates only this machine itself may connect")))
        }
        _ => Ok(()),
    }
}

/// Whether one may speak to a host.
///
/// # Errors
/// [`CorpusError::Configuration`].
pub(super) fn check_host(host: &str, identity: Option<&Identity>) -> Result<()> {
    let loopback =
        host == "localhost" || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    match identity {
        None if !loopback => Err(refused(format!("`{host}` is another machine, and there are no certificates"))),
        _ => Ok(()),
    }
}

fn refused(message: String) -> CorpusError {
    CorpusError::configuration(
        message,
        "give --cluster-cert, --cluster-key and --cluster-ca, to every member of the cluster",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_certificates_all_are_on_one_machine() {
        for host in ["localhost", "127.0.0.1", "127.8.0.1", "[::1]"] {
            assert!(check_host(host, None).is_ok(), "{host}");
        }
        for host in ["10.0.0.1", "localhost.example", "scheduler", "0.0.0.0", ""] {
            assert!(check_host(host, None).is_err(), "{host}");
        }
        assert!(check_listen("127.0.0.1:50050".parse().unwrap(), None).is_ok());
        assert!(check_listen("0.0.0.0:50050".parse().unwrap(), None).is_err());
    }
}
