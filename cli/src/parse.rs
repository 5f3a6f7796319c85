//! Values of flags. A message says what was expected; that and the value is all that a person sees.

use clap::builder::{OsStringValueParser, TypedValueParser};
use isobox::contract::VolumeMount;
use isobox::{Error, Lifetime, Mount, NetworkPolicy, Result, Signal};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// A length of time such as `500ms`, `10s` or `1h30m`. The unit is never left out: 10 what?
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a length of time such as 500ms, 10s, 2m or 1h30m".to_owned();
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(expected)?;
        let (value, after) = rest.split_at(number);
        let unit = after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at(unit);
        let part = part(value, unit).ok_or_else(expected)?;
        total = total.checked_add(part).ok_or("is longer than any clock can tell")?;
        rest = after;
    }
    if total.is_zero() { Err(expected() + ", longer than nothing") } else { Ok(total) }
}

fn part(value: &str, unit: &str) -> Option<Duration> {
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    let value: f64 = value.parse().ok()?;
    Duration::try_from_secs_f64(value * seconds).ok()
}

/// A lifetime: a length of time, or `never`.
pub(crate) fn lifetime(text: &str) -> Result<Lifetime, String> {
    match text {
        "never" => Ok(Lifetime::Never),
        _ => duration(text).map(Lifetime::After).map_err(|error| error + ", or never"),
    }
}

/// Where a list of events begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// After the event of this number.
    Number(u64),
    /// So long ago.
    Ago(Duration),
}

/// A number of an event, or a length of time.
pub(crate) fn since(text: &str) -> Result<Since, String> {
    if let Ok(number) = text.parse() {
        return Ok(Since::Number(number));
    }
    duration(text)
        .map(Since::Ago)
        .map_err(|_| "expected the number of an event, or a length of time such as 10m".into())
}

/// A signal by its name or number.
pub(crate) fn signal(text: &str) -> Result<Signal, String> {
    Signal::parse(text).ok_or_else(|| "expected a signal such as TERM, INT or 9".to_owned())
}

/// `KEY=VALUE`.
pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("expected KEY=VALUE".to_owned()),
    }
}

/// A port of a sandbox, and the port of this machine that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortPair {
    /// Of this machine; a free one when absent.
    pub(crate) local: Option<u16>,
    /// Of the sandbox.
    pub(crate) remote: u16,
}

/// `PORT` or `LOCAL:PORT`.
pub(crate) fn ports(text: &str) -> Result<PortPair, String> {
    let port = |text: &str| text.parse::<u16>().ok().filter(|port| *port != 0);
    let (local, remote) = match text.split_once(':') {
        Some((local, remote)) => (port(local).map(Some), port(remote)),
        None => (Some(None), port(text)),
    };
    match (local, remote) {
        (Some(local), Some(remote)) => Ok(PortPair { local, remote }),
        _ => Err("expected a port from 1 to 65535, or LOCAL:PORT".to_owned()),
    }
}

/// A size such as `512m`.
pub(crate) fn size(text: &str) -> Result<u64, isobox::contract::ParseSizeError> {
    isobox::parse_size(text)
}

/// `NAME=VALUE`.
pub(crate) fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// A network policy by its name.
pub(crate) fn network(text: &str) -> Result<NetworkPolicy, String> {
    match text {
        "none" => Ok(NetworkPolicy::None),
        "public" => Ok(NetworkPolicy::Public),
        "provider-default" => Ok(NetworkPolicy::ProviderDefault),
        _ => Err("expected none, public or provider-default".to_owned()),
    }
}

/// `SRC:DST`, `SRC:DST:ro` or `SRC:DST:rw`, as bytes.
pub(crate) fn mount() -> impl TypedValueParser<Value = Mount> {
    OsStringValueParser::new().try_map(|text| one_mount(&text))
}

pub(crate) fn one_mount(text: &OsStr) -> Result<Mount, String> {
    let parts: Vec<&[u8]> = text.as_bytes().split(|b| *b == b':').collect();
    let (source, target, read_only) = match parts[..] {
        [source, target] | [source, target, b"rw"] => (source, target, false),
        [source, target, b"ro"] => (source, target, true),
        _ => return Err("expected SRC:DST or SRC:DST:ro".to_owned()),
    };
    if source.is_empty() || !target.starts_with(b"/") {
        return Err("expected SRC:DST, with a path of this machine and an absolute one of the sandbox".to_owned());
    }
    let mount = Mount::bind(Path::new(OsStr::from_bytes(source)), target);
    Ok(if read_only { mount.read_only() } else { mount })
}

/// `NAME:DST`, `NAME:DST:ro` or `NAME:DST:rw`.
pub(crate) fn volume() -> impl TypedValueParser<Value = VolumeMount> {
    OsStringValueParser::new().try_map(|text| one_volume(&text))
}

pub(crate) fn one_volume(text: &OsStr) -> Result<VolumeMount, String> {
    let parts: Vec<&[u8]> = text.as_bytes().split(|b| *b == b':').collect();
    let (name, target, read_only) = match parts[..] {
        [name, target] | [name, target, b"rw"] => (name, target, false),
        [name, target, b"ro"] => (name, target, true),
        _ => return Err("expected NAME:DST or NAME:DST:ro".to_owned()),
    };
    if !target.starts_with(b"/") {
        return Err("expected NAME:DST, with a volume and an absolute path of the sandbox".to_owned());
    }
    let name = String::from_utf8_lossy(name).parse().map_err(|error| format!("the name of the volume: {error}"))?;
    Ok(VolumeMount { read_only, ..VolumeMount::new(name, target) })
}

/// `DST` or `DST:SIZE`.
pub(crate) fn tmpfs() -> impl TypedValueParser<Value = Mount> {
    OsStringValueParser::new().try_map(|text| one_tmpfs(&text))
}

pub(crate) fn one_tmpfs(text: &OsStr) -> Result<Mount, String> {
    let bytes = text.as_bytes();
    let colon = bytes.iter().position(|b| *b == b':');
    let target = &bytes[..colon.unwrap_or(bytes.len())];
    if !target.starts_with(b"/") {
        return Err("expected DST or DST:SIZE, with an absolute path of the sandbox".to_owned());
    }
    let mount = Mount::tmpfs(target);
    let Some(colon) = colon else { return Ok(mount) };
    let bytes = size(&String::from_utf8_lossy(&bytes[colon + 1..])).map_err(|error| error.to_string())?;
    Ok(mount.size(bytes))
}

/// `NAME=VALUE`, or `NAME` for what the environment has, if it has it. An error names neither: either may be a secret.
pub(crate) fn variable(
    text: &OsStr,
    environment: impl Fn(&OsStr) -> Option<OsString>,
) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    let bytes = text.as_bytes();
    let equals = bytes.iter().position(|b| *b == b'=');
    let name = &bytes[..equals.unwrap_or(bytes.len())];
    if name.is_empty() {
        return Err(Error::invalid_spec("--env", "has an empty name, give NAME=VALUE or NAME"));
    }
    let value = match equals {
        Some(equals) => Some(bytes[equals + 1..].to_vec()),
        None => environment(text).map(|value| value.as_bytes().to_vec()),
    };
    Ok(value.map(|value| (name.to_vec(), value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time() {
        let millis = |text| duration(text).map(|length| length.as_millis()).ok();
        assert_eq!(millis("500ms"), Some(500));
        assert_eq!(millis("1.5s"), Some(1500));
        assert_eq!(millis("1h30m"), Some(5_400_000));
        assert_eq!(millis("2d"), Some(172_800_000));
        for wrong in ["", "10", "s", "-1s", "0s", "1 s", "1w", "1..5s", "1e3s", "ms5", "999999999999999999999d"] {
            assert_eq!(millis(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lifetimes_and_beginnings() {
        assert_eq!(lifetime("never"), Ok(Lifetime::Never));
        assert_eq!(lifetime("1m"), Ok(Lifetime::After(Duration::from_secs(60))));
        assert!(lifetime("0s").unwrap_err().ends_with(", or never"));
        assert_eq!(since("17"), Ok(Since::Number(17)));
        assert_eq!(since("2m"), Ok(Since::Ago(Duration::from_secs(120))));
        assert!(since("yesterday").is_err());
    }

    #[test]
    fn ports_come_alone_or_with_one_of_this_machine() {
        assert_eq!(ports("80"), Ok(PortPair { local: None, remote: 80 }));
        assert_eq!(ports("8080:80"), Ok(PortPair { local: Some(8080), remote: 80 }));
        for wrong in ["0", "80:", ":80", "65536", "http", "1:2:3", "0:80"] {
            assert!(ports(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn mounts() {
        let mount = |text: &str| one_mount(OsStr::new(text));
        assert_eq!(mount("/a:/b"), Ok(Mount::bind("/a", "/b")));
        assert_eq!(mount("/a:/b:rw"), Ok(Mount::bind("/a", "/b")));
        assert_eq!(mount("/a:/b:ro"), Ok(Mount::bind("/a", "/b").read_only()));
        for wrong in ["/a", "/a:b", ":/b", "/a:/b:x", "/a:/b:ro:z", ""] {
            assert!(mount(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn volumes() {
        let volume = |text: &str| one_volume(OsStr::new(text));
        assert_eq!(
            volume("v:/b").map(|mount| (mount.read_only, mount.volume.to_string())),
            Ok((false, "v".to_owned()))
        );
        assert!(volume("v:/b:ro").unwrap().read_only);
        for wrong in ["v", "v:b", ":/b", "v:/b:x", ""] {
            assert!(volume(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn filesystems_in_memory() {
        let tmpfs = |text: &str| one_tmpfs(OsStr::new(text));
        assert_eq!(tmpfs("/a"), Ok(Mount::tmpfs("/a")));
        assert_eq!(tmpfs("/a:64m"), Ok(Mount::tmpfs("/a").size(64 << 20)));
        for wrong in ["a", "", ":64m", "/a:", "/a:much", "/a:1m:1m"] {
            assert!(tmpfs(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn variables() {
        let parsed = |text: &[u8]| variable(OsStr::from_bytes(text), |name| (name == "SET").then(|| "mine".into()));
        let pair = |name: &str, value: &[u8]| Some((name.as_bytes().to_vec(), value.to_vec()));
        assert_eq!(parsed(b"A=1=2").unwrap(), pair("A", b"1=2"));
        assert_eq!(parsed(b"A=").unwrap(), pair("A", b""));
        assert_eq!(parsed(b"A=\xff").unwrap(), pair("A", b"\xff"));
        assert_eq!(parsed(b"SET").unwrap(), pair("SET", b"mine"));
        assert_eq!(parsed(b"UNSET").unwrap(), None);
        let error = parsed(b"=hunter2").unwrap_err();
        assert!(error.message().starts_with("--env has an empty name") && !error.message().contains("hunter2"));
    }
}
