//! Where the engine listens.

use crate::context;
use crate::tls::Tls;
use isobox_contract::{Error, Result};
use std::fmt;
use std::path::{Path, PathBuf};

/// Where the engine listens when nothing says otherwise; the first that is there.
const SOCKETS: [&str; 2] = ["/var/run/docker.sock", "/run/podman/podman.sock"];
/// The same below a user's own runtime directory.
const OWN_SOCKETS: [&str; 2] = ["docker.sock", "podman/podman.sock"];

/// Where the engine listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A socket of this machine.
    Unix(PathBuf),
    /// A host and a port, without encryption.
    Tcp(String),
    /// A host and a port, with TLS.
    Tls(String, Tls),
}

impl Address {
    /// The address in `DOCKER_HOST`, else that of the context in use, else the usual sockets.
    ///
    /// # Errors
    /// `invalid_spec` for an address of a kind that is not spoken, and for certificates that cannot be used.
    pub(crate) fn find(variable: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let configuration = variable("DOCKER_CONFIG").map(PathBuf::from);
        let configuration = configuration.or_else(|| Some(Path::new(&variable("HOME")?).join(".docker")));
        if let Some(host) = variable("DOCKER_HOST") {
            let directory = variable("DOCKER_CERT_PATH").map(PathBuf::from).or(configuration);
            let directory = directory.filter(|_| variable("DOCKER_TLS_VERIFY").is_some());
            return Self::with("DOCKER_HOST", &host, directory.map(|directory| ("DOCKER_CERT_PATH", directory)));
        }
        let wanted = variable("DOCKER_CONTEXT");
        if let Some(directory) = configuration
            && let Some(found) = context::current(&directory, wanted)?
        {
            let field = found.field.as_str();
            return Self::with(field, &found.host, found.certificates.map(|directory| (field, directory)));
        }
        let own = variable("XDG_RUNTIME_DIR").map(PathBuf::from);
        let own = own.iter().flat_map(|directory| OWN_SOCKETS.map(|name| directory.join(name)));
        let mut all = SOCKETS[..1].iter().map(PathBuf::from).chain(own).chain(SOCKETS[1..].iter().map(PathBuf::from));
        // A path that may not be looked at is there: what is wrong with it is said when it is connected to.
        let there = all.find(|path| !matches!(path.try_exists(), Ok(false)));
        Ok(Self::Unix(there.unwrap_or_else(|| SOCKETS[0].into())))
    }

    /// Reads an address as `DOCKER_HOST` has it.
    ///
    /// # Errors
    /// `invalid_spec` for one of a kind that is not spoken.
    pub(crate) fn parse(host: &str) -> Result<Self> {
        Self::with("DOCKER_HOST", host, None)
    }

    /// Reads an address that `field` has given, with the certificates for it and what has given those.
    fn with(field: &str, host: &str, certificates: Option<(&str, PathBuf)>) -> Result<Self> {
        let usual = if certificates.is_some() { ":2376" } else { ":2375" };
        let (scheme, rest) = host.split_once("://").unwrap_or(("unix", host));
        match scheme {
            "unix" if Path::new(rest).is_absolute() => Ok(Self::Unix(rest.into())),
            "tcp" | "http" if !rest.trim_end_matches('/').is_empty() => {
                let authority = rest.trim_end_matches('/');
                let port = if authority.rsplit(']').next().is_some_and(|end| end.contains(':')) { "" } else { usual };
                let authority = format!("{authority}{port}");
                match certificates {
                    None => Ok(Self::Tcp(authority)),
                    Some((field, directory)) => Ok(Self::Tls(authority, Tls::of(field, &directory)?)),
                }
            }
            "unix" => Err(Error::invalid_spec(field, "is not the absolute path of a socket")),
            _ => {
                let reason = "is neither unix:// and a path nor tcp:// and a host: forward the engine's socket, for instance with ssh -L, and give that";
                Err(Error::invalid_spec(field, reason))
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
            Self::Tcp(host) | Self::Tls(host, _) => write!(f, "tcp://{host}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_docker_reads_them() {
        let parse = |host| Address::parse(host).map(|address| address.to_string());
        assert_eq!(parse("unix:///a/b.sock").unwrap(), "unix:///a/b.sock");
        assert_eq!(parse("/a/b.sock").unwrap(), "unix:///a/b.sock");
        assert_eq!(parse("tcp://a.example:1/").unwrap(), "tcp://a.example:1");
        assert_eq!(parse("tcp://a.example").unwrap(), "tcp://a.example:2375");
        assert_eq!(parse("tcp://[::1]").unwrap(), "tcp://[::1]:2375");
        for wrong in ["ssh://a", "npipe://a", "unix://a", "tcp://"] {
            assert!(parse(wrong).unwrap_err().message().starts_with("DOCKER_HOST"), "{wrong}");
        }
    }

    #[test]
    fn what_is_said_counts_more_than_what_is_usual() {
        let found = Address::find(|name| (name == "DOCKER_HOST").then(|| "tcp://a:1".into()));
        assert_eq!(found.unwrap(), Address::Tcp("a:1".into()));
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("docker.sock"), "").unwrap();
        let own = |name: &str| (name == "XDG_RUNTIME_DIR").then(|| place.path().display().to_string());
        let found = Address::find(own).unwrap();
        let usual = Path::new(SOCKETS[0]).exists();
        let expected = if usual { SOCKETS[0].into() } else { place.path().join("docker.sock") };
        assert_eq!(found, Address::Unix(expected));
    }
}
