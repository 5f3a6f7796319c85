//! What a sandbox may reach.
//!
//! Enforced by where the network goes, never by proxy variables. Names are resolved under the same policy: one that is
//! not allowed does not exist, and the question goes nowhere.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// What a sandbox may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum NetworkPolicy {
    /// Nothing but itself.
    #[default]
    None,
    /// Everything that the machine reaches.
    Public,
    /// What the rules say, and nothing else.
    Allow {
        /// What is allowed. Must not be empty: backends read an empty list as everything.
        allow: Vec<AllowRule>,
        /// What is not, although a rule allows it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        deny: Vec<AllowRule>,
        /// Name servers to ask; the machine's by default.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        dns: Vec<IpAddr>,
    },
    /// What the backend does when nothing is said. Never weaker than asked for, because nothing is asked for.
    ProviderDefault,
}

impl NetworkPolicy {
    /// Only what these rules say, such as `example.org`, `*.example.com:443`, `10.0.0.0/8` or `[2001:db8::/32]:443`.
    pub fn allow<'a>(rules: impl IntoIterator<Item = &'a str>) -> Result<Self, ParseRuleError> {
        let allow = rules.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        Ok(NetworkPolicy::Allow { allow, deny: Vec::new(), dns: Vec::new() })
    }
}

/// One destination, on one port or all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AllowRule {
    /// Where.
    pub destination: Destination,
    /// The port; all when left out.
    pub port: Option<u16>,
}

/// Where traffic goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Destination {
    /// A host name, lower case, without a final dot.
    Host(String),
    /// Every name below this one, but not itself; written `*.name`.
    Wildcard(String),
    /// A network; a single address has the full prefix.
    Network {
        /// Its address; the bits beyond the prefix are zero.
        address: IpAddr,
        /// How many bits count.
        prefix: u8,
    },
}

impl Destination {
    /// Whether a host name is meant, in any case, with or without a final dot.
    pub fn matches_host(&self, name: &str) -> bool {
        let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
        match self {
            Destination::Host(host) => *host == name,
            Destination::Wildcard(parent) => {
                name.strip_suffix(parent.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            }
            Destination::Network { .. } => false,
        }
    }

    /// Whether an address is meant. IPv4 mapped into IPv6 counts as IPv4.
    pub fn matches_address(&self, candidate: IpAddr) -> bool {
        match self {
            Destination::Network { address, prefix } => mask(candidate.to_canonical(), *prefix) == Some(*address),
            _ => false,
        }
    }
}

/// The address with everything beyond the prefix zero; `None` when the prefix is too long.
fn mask(address: IpAddr, prefix: u8) -> Option<IpAddr> {
    match address {
        IpAddr::V4(v4) => {
            let hidden = 32_u32.checked_sub(prefix.into())?;
            Some(IpAddr::V4((v4.to_bits() & u32::MAX.checked_shl(hidden).unwrap_or(0)).into()))
        }
        IpAddr::V6(v6) => {
            let hidden = 128_u32.checked_sub(prefix.into())?;
            Some(IpAddr::V6((v6.to_bits() & u128::MAX.checked_shl(hidden).unwrap_or(0)).into()))
        }
    }
}

/// Why a text is not a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRuleError {
    /// The text is empty.
    #[error("is empty, give a host name, an address or a network")]
    Empty,
    /// The port is not one.
    #[error("has a port that is not a number from 1 to 65535")]
    Port,
    /// The network has bits beyond its prefix, or a prefix that is too long.
    #[error("is not a network, the bits beyond the prefix must be zero, as in 10.0.0.0/8")]
    Network,
    /// The name is not a host name.
    #[error("is not a host name, give one such as example.com or *.example.com, without scheme and path")]
    Host,
}

impl FromStr for AllowRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, ParseRuleError> {
        let (destination, port) = split_port(text)?;
        let port = match port.map(str::parse::<u16>) {
            None => None,
            Some(Ok(port)) if port != 0 => Some(port),
            Some(_) => return Err(ParseRuleError::Port),
        };
        Ok(Self { destination: parse_destination(destination)?, port })
    }
}

/// `[v6]:port`, `name:port` and `v4:port`; a text with several colons and no brackets is IPv6 without a port.
fn split_port(text: &str) -> Result<(&str, Option<&str>), ParseRuleError> {
    if text.is_empty() {
        return Err(ParseRuleError::Empty);
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (inside, after) = rest.split_once(']').ok_or(ParseRuleError::Network)?;
        return match after.strip_prefix(':') {
            Some(port) => Ok((inside, Some(port))),
            None if after.is_empty() => Ok((inside, None)),
            None => Err(ParseRuleError::Port),
        };
    }
    match text.split_once(':') {
        Some((name, port)) if !port.contains(':') => Ok((name, Some(port))),
        _ => Ok((text, None)),
    }
}

fn parse_destination(text: &str) -> Result<Destination, ParseRuleError> {
    if let Ok(address) = text.parse::<IpAddr>() {
        let address = address.to_canonical();
        return Ok(Destination::Network { address, prefix: if address.is_ipv4() { 32 } else { 128 } });
    }
    if let Some((address, prefix)) = text.split_once('/') {
        let address: IpAddr = address.parse().map_err(|_| ParseRuleError::Network)?;
        let prefix = prefix.parse().map_err(|_| ParseRuleError::Network)?;
        if mask(address, prefix) != Some(address) {
            return Err(ParseRuleError::Network);
        }
        return Ok(Destination::Network { address, prefix });
    }
    let lower = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
    match lower.strip_prefix("*.") {
        Some(parent) if is_host(parent) => Ok(Destination::Wildcard(parent.to_owned())),
        None if is_host(&lower) => Ok(Destination::Host(lower)),
        _ => Err(ParseRuleError::Host),
    }
}

/// Labels of letters, digits, hyphens and underscores. The last label is not a number, so that a mistyped address is
/// not taken for a name.
fn is_host(name: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let number = |label: &str| label.bytes().all(|b| b.is_ascii_digit());
    name.len() <= 253 && name.split('.').all(label) && !name.rsplit('.').next().is_some_and(number)
}

impl fmt::Display for AllowRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.destination.to_string();
        match (self.port, text.contains(':')) {
            (None, _) => f.write_str(&text),
            (Some(port), true) => write!(f, "[{text}]:{port}"),
            (Some(port), false) => write!(f, "{text}:{port}"),
        }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Destination::Host(host) => f.write_str(host),
            Destination::Wildcard(parent) => write!(f, "*.{parent}"),
            Destination::Network { address, prefix } => {
                let whole = if address.is_ipv4() { 32 } else { 128 };
                if *prefix == whole { write!(f, "{address}") } else { write!(f, "{address}/{prefix}") }
            }
        }
    }
}

impl Serialize for AllowRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AllowRule {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(|error| serde::de::Error::custom(format_args!("the rule {text:?} {error}")))
    }
}
