//! Addresses of registries as people write them.

use isobox_contract::{Error, Result};
use std::net::IpAddr;

/// Where a registry or a mirror is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// `host` or `host:port`, in lower case.
    pub(crate) host: String,
    /// Goes before the name of a repository: empty, or segments without slashes at the ends.
    pub(crate) prefix: String,
    /// Whether plain HTTP was asked for or ruled out.
    pub(crate) plain: Option<bool>,
}

impl Address {
    /// Reads `[http://|https://]host[:port][/path]`. `invalid_spec` for `field`.
    pub(crate) fn parse(field: &str, text: &str) -> Result<Self> {
        let (plain, rest) = match text.split_once("://") {
            None => (None, text),
            Some(("http", rest)) => (Some(true), rest),
            Some(("https", rest)) => (Some(false), rest),
            Some(_) => return Err(refused(field, text, "begins with a scheme other than https:// and http://")),
        };
        let (host, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        if !is_host(host) {
            return Err(refused(field, text, "is not an address such as mirror.example.com:5000"));
        }
        let segment = |part: &str| {
            let fit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
            part.bytes().all(fit) && part.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric())
        };
        if !prefix.is_empty() && !prefix.split('/').all(segment) {
            return Err(refused(field, text, "has a path that cannot go before a repository's name"));
        }
        Ok(Self { host: host.to_ascii_lowercase(), prefix: prefix.to_owned(), plain })
    }

    /// Reads `host` or `host:port` and nothing else.
    pub(crate) fn registry(field: &str, text: &str) -> Result<()> {
        match Self::parse(field, text)? {
            Self { prefix, plain: None, .. } if prefix.is_empty() => Ok(()),
            _ => Err(refused(field, text, "must be a host or host:port, without scheme and path")),
        }
    }
}

fn refused(field: &str, text: &str, why: &str) -> Error {
    Error::invalid_spec(field, format!("{} {why}", crate::text::shown(text)))
}

/// `name`, `name:port`, `1.2.3.4:port` or `[::1]:port`.
pub(crate) fn is_host(text: &str) -> bool {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    let name = |host: &str| {
        host.len() <= 253
            && host.split('.').all(|label| {
                (1..=63).contains(&label.len())
                    && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                    && !label.starts_with('-')
                    && !label.ends_with('-')
            })
    };
    let six = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let host_fits = six.map_or_else(|| name(host), |inside| inside.parse::<std::net::Ipv6Addr>().is_ok());
    host_fits && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

/// Whether a `host` or `host:port` is this machine, by its text alone: no name is looked up.
pub(crate) fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_told_by_the_text() {
        for host in ["localhost", "LocalHost:5000", "127.0.0.1", "127.9.9.9:80", "[::1]:5000", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["localhost.example.com", "128.0.0.1", "127.0.0.1.example.com:5000", "example.com:127"] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn addresses_are_read_with_scheme_and_path() {
        let read = |text| Address::parse("f", text).unwrap();
        assert_eq!(read("Mirror.LAN:5000").host, "mirror.lan:5000");
        assert_eq!(read("http://mirror.lan/hub/").plain, Some(true));
        assert_eq!(read("http://mirror.lan/hub/").prefix, "hub");
        assert_eq!(read("https://[::1]:5000").host, "[::1]:5000");
        for text in ["", "/a", "ftp://a", "a b", "a:0", "a:70000", "a/../b", "a//b", "a/B", "user@host", "a?b", "-a"] {
            let error = Address::parse("registry.mirrors", text).unwrap_err();
            assert!(error.message().starts_with("registry.mirrors"), "{text}: {error}");
        }
        assert!(Address::registry("f", "a.b:1").is_ok());
        assert!(Address::registry("f", "http://a.b:1").is_err() && Address::registry("f", "a.b/c").is_err());
    }
}
