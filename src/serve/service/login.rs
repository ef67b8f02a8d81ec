//! The handshake: who has a password or a token that counts gets a token for all other calls.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use tonic::Status;
use tonic::metadata::MetadataMap;
use zeroize::Zeroizing;

use super::{Service, credentials};
use crate::serve::access::{Caller, Refused};
use crate::serve::audit::{Audit, Line};
use crate::serve::query::unwritten;

/// Clients of some languages leave out the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// How long the answer to a wrong password waits.
const DELAY: Duration = Duration::from_millis(500);

impl Service {
    /// Checks a name and password, or a token that counts already; gives the token to be sent with all calls.
    pub(super) async fn login(
        &self,
        metadata: &MetadataMap,
        peer: Option<SocketAddr>,
    ) -> Result<Zeroizing<String>, Status> {
        if let Some(token) = credentials(metadata, "Bearer") {
            let caller = self.logins.bearer(token);
            let known = caller.as_ref().ok().map(|caller| (&*caller.name, Some(caller)));
            tell_login(&self.audit, known, peer, "token")?;
            return caller.map(|_| Zeroizing::new(token.to_owned())).map_err(Status::from);
        }
        let text = credentials(metadata, "Basic").and_then(|text| BASE64.decode(text).ok());
        let text =
            Zeroizing::new(text.ok_or_else(|| Status::unauthenticated("log in by name and password, or a token"))?);
        let (logins, audit) = (Arc::clone(&self.logins), Arc::clone(&self.audit));
        // A client that goes away ends the call, but neither the check nor what is counted and told of it.
        let checked = tokio::spawn(async move {
            let colon = text.iter().position(|&byte| byte == b':').unwrap_or(text.len());
            let name = std::str::from_utf8(&text[..colon]).unwrap_or_default();
            let password = Zeroizing::new(text[(colon + 1).min(text.len())..].to_vec());
            let login = logins.login(name, password, peer.map(|peer| peer.ip())).await;
            let known = logins.known_name(name).map(|name| (name, login.as_ref().ok().map(|(_, caller)| caller)));
            tell_login(&audit, known, peer, "password").map(|()| login)
        });
        let login = checked.await.map_err(|_| Refused::Fault)??;
        if matches!(login, Err(Refused::Wrong)) {
            tokio::time::sleep(DELAY).await;
        }
        Ok(login?.0)
    }
}

/// Tells the audit log of a login: whom it named, if anybody, and who it turned out to be.
fn tell_login(
    audit: &Audit,
    known: Option<(&str, Option<&Caller>)>,
    peer: Option<SocketAddr>,
    by: &'static str,
) -> Result<(), Status> {
    let caller = known.and_then(|(_, caller)| caller);
    let line = Line {
        event: "login",
        user: known.map(|(name, _)| name),
        role: caller.map(|caller| caller.role.name()),
        peer,
        by: Some(by),
        outcome: Some(if caller.is_some() { "done" } else { "refused" }),
        ..Line::default()
    };
    audit.write(&line).map_err(|_| unwritten())
}
