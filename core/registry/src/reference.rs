//! References: what people call images, read by Docker's rules.
//!
//! ```text
//!   alpine                          docker.io/library/alpine:latest
//!   registry.example.com:5000/a/b   that registry: its first part has a dot, a colon, or is localhost
//!   a/b:5000                        docker.io/a/b, and 5000 is a tag: a port comes before a slash
//!   a@sha256:...                    exactly that content, whatever the tag before the @ says
//! ```

use crate::config::is_host;
use crate::digest::Digest;
use isobox_contract::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The field that errors name.
const FIELD: &str = "source.reference";

/// The longest reference that is looked at. A repository has at most 255 bytes, a tag 128, a host name 253.
const LONGEST: usize = 1024;
const LONGEST_NAME: usize = 255;
const LONGEST_TAG: usize = 128;

/// The registry of what names none.
const HUB: &str = "docker.io";

/// An image in a registry. `Display` writes it whole, with the registry, and with tag and digest where it has them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    registry: String,
    repository: String,
    tag: Option<String>,
    digest: Option<Digest>,
}

impl Reference {
    /// Reads what a person wrote. `invalid_spec` for `source.reference` when it names no image.
    pub fn parse(text: &str) -> Result<Self> {
        read(text).map_err(|why| Error::invalid_spec(FIELD, format!("{} {why}", crate::text::shown(text))))
    }

    /// The registry, as `docker.io` or `host` or `host:port`, in lower case.
    pub fn registry(&self) -> &str {
        &self.registry
    }

    /// The repository in it, such as `library/alpine`.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// The tag; `latest` when there was neither a tag nor a digest.
    pub fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// The digest that it is pinned to.
    pub fn digest(&self) -> Option<&Digest> {
        self.digest.as_ref()
    }

    /// The registry and the repository, without tag and digest.
    pub fn name(&self) -> String {
        format!("{}/{}", self.registry, self.repository)
    }

    /// The same repository at a digest.
    pub fn pinned(&self, digest: &Digest) -> Self {
        Self { digest: Some(digest.clone()), ..self.clone() }
    }

    /// What the registry is asked for: the digest if there is one, else the tag.
    pub(crate) fn wanted(&self) -> String {
        match (&self.digest, &self.tag) {
            (Some(digest), _) => digest.to_string(),
            (None, Some(tag)) => tag.clone(),
            (None, None) => "latest".to_owned(),
        }
    }
}

impl FromStr for Reference {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.registry, self.repository)?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        match &self.digest {
            Some(digest) => write!(f, "@{digest}"),
            None => Ok(()),
        }
    }
}

/// The grammar is that of distribution's `reference` package. By hand: its regular expression takes 40 ms and 20 MB to
/// compile, and creating a sandbox takes 5 ms.
fn read(text: &str) -> Result<Reference, &'static str> {
    if text.len() > LONGEST {
        return Err("is too long for an image reference");
    }
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err("looks like an image's id, give a name, or a name and @sha256: before the digits");
    }
    let (rest, digest) = match text.split_once('@') {
        None => (text, None),
        Some((rest, digest)) => {
            let why = "has a digest that is none, give @sha256: and 64 digits or @sha512: and 128, in lower case";
            (rest, Some(digest.parse::<Digest>().map_err(|_| why)?))
        }
    };
    let (name, tag) = match rest.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => (name, Some(tag)),
        _ => (rest, None),
    };
    if !tag.is_none_or(is_tag) {
        return Err("has a tag that is none: letters, digits, dots, hyphens and underscores, 128 at most");
    }
    let (registry, repository) = split(name)?;
    let tag = tag.or(digest.is_none().then_some("latest")).map(str::to_owned);
    Ok(Reference { registry, repository, tag, digest })
}

/// The registry and the repository of a name.
fn split(name: &str) -> Result<(String, String), &'static str> {
    let is_registry = |first: &str| first.contains(['.', ':']) || first.eq_ignore_ascii_case("localhost");
    let (registry, path) = match name.split_once('/') {
        Some((first, path)) if is_registry(first) => (first.to_ascii_lowercase(), path),
        _ => (HUB.to_owned(), name),
    };
    if !is_host(&registry) {
        return Err("has a registry that is no host, or a port that is not a number from 1 to 65535");
    }
    let registry = if registry == "index.docker.io" { HUB.to_owned() } else { registry };
    let official = registry == HUB && !path.contains('/');
    let prefix = if official { "library/" } else { "" };
    match path {
        "" => Err("has no name, give one such as alpine:3.22"),
        path if prefix.len() + path.len() > LONGEST_NAME => Err("has a name of more than 255 characters"),
        path if path.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            Err("has capital letters in its name, write it in lower case")
        }
        path if !path.split('/').all(is_component) => {
            Err("is not an image reference, give one such as alpine:3.22 or registry.example.com/base@sha256:...")
        }
        path => Ok((registry, format!("{prefix}{path}"))),
    }
}

/// Small letters and digits, with a dot, one or two underscores, or hyphens between them.
fn is_component(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_separator = |run: &[u8]| matches!(run, b"" | b"." | b"_" | b"__") || run.iter().all(|byte| *byte == b'-');
    let bytes = text.as_bytes();
    let ends = bytes.first().is_some_and(|first| is_plain(*first)) && bytes.last().is_some_and(|last| is_plain(*last));
    ends && bytes.split(|byte| is_plain(*byte)).all(is_separator)
}

fn is_tag(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let first = text.bytes().next().is_some_and(is_word);
    first && text.len() <= LONGEST_TAG && text.bytes().all(|byte| is_word(byte) || byte == b'.' || byte == b'-')
}
