//! The port: who may connect to it and how, and how it closes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use arrow_flight::flight_service_server::FlightServiceServer;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Identity, Server, ServerTlsConfig};

use super::service::Service;
use super::{ServeOptions, Tls};
use crate::corpus::{self, CorpusError, Result, stopped, upkeep};

/// The largest message of a client: statements are shorter.
const LARGEST_MESSAGE: usize = 1 << 20;
/// The most calls at once over one connection.
const MOST_CALLS: u32 = 64;
/// How long a client may take to agree on TLS.
const TLS_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a client that says nothing is asked whether it is there, and how long it may take to answer.
const ALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(20));
/// How long clients have to hear that their queries were cancelled when the server ends.
const FAREWELL: Duration = Duration::from_secs(4);

/// Whether the address may be served so: what passes over a network must be encrypted.
///
/// # Errors
/// [`CorpusError::Configuration`].
pub(super) fn check(options: &ServeOptions) -> Result<()> {
    match options.tls {
        None if !options.listen.ip().is_loopback() => Err(CorpusError::configuration(
            format!("--listen {}: without TLS only this machine itself may connect", options.listen),
            "give --tls-cert FILE and --tls-key FILE, or listen at 127.0.0.1",
        )),
        _ => Ok(()),
    }
}

/// Answers calls until the process is asked to end. They are answered on a thread apart from those that compute.
///
/// # Errors
/// [`CorpusError::Configuration`] for a certificate or key that cannot be used, [`CorpusError::Output`] where the port cannot be had.
pub(super) async fn listen(
    service: Service,
    options: &ServeOptions,
    listening: impl FnOnce(SocketAddr) -> Result<()>,
) -> Result<()> {
    // Until clients have been told that their queries were cancelled, or the process ends under it.
    let _listening = corpus::listen();
    let address = options.listen.to_string();
    let mut server = Server::builder()
        .max_concurrent_streams(MOST_CALLS)
        .http2_keepalive_interval(Some(ALIVE.0))
        .http2_keepalive_timeout(Some(ALIVE.1));
    if let Some(tls) = &options.tls {
        server = server.tls_config(identity(tls)).map_err(|error| {
            CorpusError::configuration(
                format!("--tls-cert and --tls-key cannot be used: {}", chain(&error)),
                "give a certificate and its key, both PEM",
            )
        })?;
    }
    let incoming = {
        let upkeep = upkeep();
        let _within = upkeep.enter();
        TcpIncoming::bind(options.listen)
            .map_err(|error| CorpusError::output(&address, error))?
            .with_nodelay(Some(true))
    };
    let bound = incoming.local_addr().map_err(|error| CorpusError::output(&address, error))?;
    let service = Arc::new(service);
    let flight = FlightServiceServer::from_arc(Arc::clone(&service)).max_decoding_message_size(LARGEST_MESSAGE);
    let serving = server.add_service(flight).serve_with_incoming_shutdown(incoming, stopped());
    let mut serving = upkeep().spawn(serving);
    listening(bound)?;
    let failed = |reason: String| Err(CorpusError::output(&address, reason));
    tokio::select! {
        ended = &mut serving => return match ended {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => failed(chain(&error)),
            Err(_) => failed("a fault in the server".to_owned()),
        },
        () = stopped() => {}
    }
    service.cancel_all();
    // Connections that stay open after that are closed with the process.
    if tokio::time::timeout(FAREWELL, &mut serving).await.is_err() {
        serving.abort();
    }
    Ok(())
}

fn identity(tls: &Tls) -> ServerTlsConfig {
    ServerTlsConfig::new().identity(Identity::from_pem(&tls.certificate, tls.key.as_slice())).timeout(TLS_TIMEOUT)
}

/// An error with what led to it, which transports keep to themselves.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
