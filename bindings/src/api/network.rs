//! What a sandbox may reach, and how it is reached.

use crate::cross::record;
use isobox::{AllowRule, Error};

/// What a sandbox may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkPolicy {
    /// Nothing but itself.
    None,
    /// Everything that the machine reaches.
    Public,
    /// What the rules say, and nothing else.
    Allow {
        /// Host names, `*.` and a name for all below it, addresses and networks, each with a port where only that is meant, such as
        /// `example.org`, `*.example.com:443`, `10.0.0.0/8` or `[2001:db8::/32]:443`.
        allow: Vec<String>,
        /// What is not, although a rule allows it.
        deny: Vec<String>,
        /// The addresses of name servers to ask; the machine's by default.
        dns: Vec<String>,
    },
    /// What the backend does when nothing is said.
    ProviderDefault,
}

impl NetworkPolicy {
    pub(super) fn parsed(self) -> isobox::Result<isobox::NetworkPolicy> {
        Ok(match self {
            NetworkPolicy::None => isobox::NetworkPolicy::None,
            NetworkPolicy::Public => isobox::NetworkPolicy::Public,
            NetworkPolicy::ProviderDefault => isobox::NetworkPolicy::ProviderDefault,
            NetworkPolicy::Allow { allow, deny, dns } => isobox::NetworkPolicy::Allow {
                allow: rules("network.allow", &allow)?,
                deny: rules("network.deny", &deny)?,
                dns: addresses("network.dns", &dns)?,
            },
        })
    }
}

fn rules(field: &str, texts: &[String]) -> isobox::Result<Vec<AllowRule>> {
    let parse = |text: &String| {
        let problem = |error| Error::invalid_spec(field, format!("has the rule {text:?}: it {error}"));
        text.parse().map_err(problem)
    };
    texts.iter().map(parse).collect()
}

pub(super) fn addresses(field: &str, texts: &[String]) -> isobox::Result<Vec<std::net::IpAddr>> {
    let parse =
        |text: &String| text.parse().map_err(|_| Error::invalid_spec(field, format!("has {text:?}: it is no address")));
    texts.iter().map(parse).collect()
}

/// Where a port of a sandbox can be reached from this machine.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The host, a name or an address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// A URL with both.
    pub url: String,
}

record!(Endpoint from isobox::Endpoint { host, port, url });

/// A port that something in a sandbox listens on.
#[derive(Clone, Debug)]
pub struct ListeningPort {
    /// The port.
    pub port: u16,
    /// The address it is bound to.
    pub address: String,
    /// The process that listens.
    pub pid: Option<u32>,
    /// The name of its program.
    pub process: Option<String>,
}

record!(ListeningPort from isobox::ListeningPort { port, address, pid, process });
