//! Connections that failed: the name, the address, the certificate and the conversation told apart.

use super::Failure;
use std::error::Error as StdError;
use std::io;

/// Why a request to `host` had no answer, or an answer had no end. The HTTP library's own message is not used: it quotes
/// addresses, which can hold signatures.
pub(crate) fn connection(host: &str, error: &reqwest::Error) -> Failure {
    match cause(error) {
        Cause::Name => Failure::passing("dns", format!("the name of the registry {host} cannot be resolved")),
        Cause::Refused => Failure::passing(
            "connection_refused",
            format!("nothing listens at the registry {host}: the connection was refused"),
        ),
        Cause::NotTls => Failure::lasting(
            "tls",
            format!("the registry {host} does not speak TLS: if it is meant to speak plain HTTP, list it as insecure"),
        ),
        Cause::Certificate(why) => Failure::lasting(
            "certificate",
            format!(
                "the certificate of the registry {host} is not trusted ({why}): name the file of its authority in \
                 ISOBOX_REGISTRY_CA_FILE"
            ),
        ),
        Cause::Tls => Failure::passing("tls", format!("the TLS handshake with the registry {host} failed")),
        Cause::Http => {
            Failure::passing("protocol", format!("the registry {host} answered with something that is not HTTP"))
        }
        Cause::Connect if error.is_timeout() => {
            Failure::passing("timeout", format!("the registry {host} did not accept the connection in time"))
        }
        Cause::Connect => Failure::passing("unreachable", format!("the registry {host} cannot be reached")),
        Cause::Lost if error.is_timeout() => {
            Failure::passing("timeout", format!("the registry {host} sent nothing for too long"))
        }
        Cause::Lost => Failure::passing("connection_lost", format!("the registry {host} broke off the connection")),
    }
}

enum Cause {
    Name,
    Refused,
    NotTls,
    Certificate(&'static str),
    Tls,
    Http,
    Connect,
    Lost,
}

/// Looks through the causes of an error. Where the libraries have no types for it their fixed words have to do.
fn cause(error: &reqwest::Error) -> Cause {
    let mut next: Option<&(dyn StdError + 'static)> = error.source();
    while let Some(current) = next {
        if let Some(tls) = current.downcast_ref::<rustls::Error>() {
            return of_tls(tls);
        }
        next = current.source();
        if let Some(io) = current.downcast_ref::<io::Error>() {
            match io.get_ref() {
                Some(inner) if let Some(tls) = inner.downcast_ref::<rustls::Error>() => return of_tls(tls),
                Some(inner) => next = Some(inner),
                None if io.kind() == io::ErrorKind::ConnectionRefused => return Cause::Refused,
                None => {}
            }
            continue;
        }
        let text = current.to_string();
        if text.starts_with("dns error") || text.contains("failed to lookup address") {
            return Cause::Name;
        }
        if text.contains("invalid HTTP") || text.contains("message head is too large") || text.contains("invalid URI") {
            return Cause::Http;
        }
    }
    if error.is_connect() { Cause::Connect } else { Cause::Lost }
}

fn of_tls(error: &rustls::Error) -> Cause {
    use rustls::CertificateError as Bad;
    match error {
        rustls::Error::InvalidMessage(_) => Cause::NotTls,
        rustls::Error::InvalidCertificate(bad) => Cause::Certificate(match bad {
            Bad::Expired | Bad::ExpiredContext { .. } => "it has expired",
            Bad::NotValidYet | Bad::NotValidYetContext { .. } => "it is not valid yet, see this machine's clock",
            Bad::NotValidForName | Bad::NotValidForNameContext { .. } => "it is for another name",
            Bad::UnknownIssuer => "its authority is not known here",
            Bad::Revoked => "it was revoked",
            _ => "it is not a valid one",
        }),
        _ => Cause::Tls,
    }
}
