//! TLS to an engine, with the files that Docker's own client takes.
//!
//! ```text
//! ca.pem              who may have signed the engine's certificate
//! cert.pem, key.pem   this client's own, which most engines ask for; both or none
//! ```

use isobox_contract::{Error, Result};
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

/// How an engine is known, and what it is shown.
#[derive(Clone)]
pub(crate) struct Tls {
    config: Arc<ClientConfig>,
    directory: PathBuf,
}

/// The files are read once.
impl PartialEq for Tls {
    fn eq(&self, other: &Self) -> bool {
        self.directory == other.directory
    }
}

impl Eq for Tls {}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tls").field(&self.directory).finish()
    }
}

impl Tls {
    /// Reads the files of a directory. `field` is what named it, for errors.
    ///
    /// # Errors
    /// `invalid_spec` with the field for a file that is not there or is none.
    pub(crate) fn of(field: &str, directory: &Path) -> Result<Self> {
        let path = |name: &str| directory.join(name);
        let wrong = |name: &str, reason: &dyn fmt::Display| {
            let file = path(name);
            Error::invalid_spec(field, format!("has no {} that can be used: {reason}", file.display()))
        };
        let certificates = |name: &str| {
            let read = CertificateDer::pem_file_iter(path(name)).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let read = read.map_err(|error| wrong(name, &error))?;
            if read.is_empty() { Err(wrong(name, &"there is no certificate in it")) } else { Ok(read) }
        };
        let mut roots = RootCertStore::empty();
        for certificate in certificates("ca.pem")? {
            roots.add(certificate).map_err(|error| wrong("ca.pem", &error))?;
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions();
        let config = config.map_err(|_| Error::internal("there is no version of TLS"))?.with_root_certificates(roots);
        let config = if path("cert.pem").exists() || path("key.pem").exists() {
            let key = PrivateKeyDer::from_pem_file(path("key.pem")).map_err(|error| wrong("key.pem", &error))?;
            let own = config.with_client_auth_cert(certificates("cert.pem")?, key);
            own.map_err(|error| wrong("cert.pem", &error))?
        } else {
            config.with_no_client_auth()
        };
        Ok(Self { config: Arc::new(config), directory: directory.to_owned() })
    }

    /// Speaks TLS on a connection to `authority`, which is a host and a port.
    pub(crate) async fn over<S>(&self, stream: S, authority: &str) -> io::Result<TlsStream<S>>
    where
        S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    {
        let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(host).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        TlsConnector::from(self.config.clone()).connect(name, stream).await
    }
}

/// A connection with TLS.
pub(crate) type Secured = TlsStream<isobox_local::Lease<TcpStream>>;

/// What is wrong with the trust between an engine and this client, if that is what an error is about.
pub(crate) fn problem(error: &(dyn StdError + 'static)) -> Option<&'static str> {
    match found(error)? {
        rustls::Error::InvalidCertificate(_) => {
            Some("its certificate is not the one of a host of this name that ca.pem vouches for")
        }
        rustls::Error::AlertReceived(_) => {
            Some("it does not take this client's certificate: look at cert.pem and key.pem")
        }
        rustls::Error::InvalidMessage(_) => Some("it does not speak TLS there: leave DOCKER_TLS_VERIFY out"),
        _ => Some("no secure connection could be made"),
    }
}

/// The error of TLS behind another one, which may be in an I/O error.
fn found<'a>(mut error: &'a (dyn StdError + 'static)) -> Option<&'a rustls::Error> {
    loop {
        if let Some(found) = error.downcast_ref::<rustls::Error>() {
            return Some(found);
        }
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        error = match inner {
            Some(inner) => inner,
            None => error.source()?,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_there_or_is_none_is_named() {
        let place = tempfile::tempdir().unwrap();
        let refused = || Tls::of("DOCKER_CERT_PATH", place.path()).unwrap_err().message().to_owned();
        assert!(refused().starts_with("DOCKER_CERT_PATH") && refused().contains("ca.pem"), "{}", refused());
        std::fs::write(place.path().join("ca.pem"), "no certificate\n").unwrap();
        assert!(refused().contains("ca.pem"), "{}", refused());
    }
}
