//! References: what people call images, read by Docker's rules.
//!
//! ```text
//!   alpine                          docker.io/library/alpine:latest
//!   registry.example.com:5000/a/b   that registry: its first part has a dot, a colon, or is localhost
//!   a/b:5000                        docker.io/a/b, and 5000 is a tag: a port comes before a slash
//!   a@sha256:...                    exactly that content, whatever the tag before the @ says
//! ```

use crate::digest::Digest;
use isobox_contract::{Error, Result};
use oci_spec::distribution::{ParseError, Reference as Parsed};
use std::fmt;
use std::str::FromStr;

/// The field that errors name.
const FIELD: &str = "source.reference";

/// The longest reference that is looked at. A repository has at most 255 bytes, a tag 128, a host name 253.
const LONGEST: usize = 1024;

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
        let refuse = |why: &str| Err(Error::invalid_spec(FIELD, format!("{} {why}", crate::text::shown(text))));
        if text.len() > LONGEST {
            return refuse("is too long for an image reference");
        }
        let parsed = match Parsed::try_from(text) {
            Ok(parsed) => parsed,
            Err(error) => return refuse(reason(&error)),
        };
        if parsed.repository().bytes().any(|byte| byte.is_ascii_uppercase()) {
            return refuse(reason(&ParseError::NameContainsUppercase));
        }
        if parsed.registry().rsplit_once(':').is_some_and(|(_, port)| !port.parse::<u16>().is_ok_and(|port| port > 0)) {
            return refuse("has a port that is not a number from 1 to 65535");
        }
        if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return refuse("looks like an image's id, give a name, or a name and @sha256: before the digits");
        }
        let digest = match parsed.digest().map(str::parse).transpose() {
            Ok(digest) => digest,
            Err(_) => return refuse(reason(&ParseError::DigestUnsupported)),
        };
        Ok(Self {
            registry: parsed.registry().to_ascii_lowercase(),
            repository: parsed.repository().to_owned(),
            tag: parsed.tag().map(str::to_owned),
            digest,
        })
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

fn reason(error: &ParseError) -> &'static str {
    match error {
        ParseError::DigestInvalidFormat | ParseError::DigestInvalidLength | ParseError::DigestUnsupported => {
            "has a digest that is none, give @sha256: and 64 digits or @sha512: and 128, in lower case"
        }
        ParseError::NameContainsUppercase => "has capital letters in its name, write it in lower case",
        ParseError::NameEmpty => "has no name, give one such as alpine:3.22",
        ParseError::NameTooLong => "has a name of more than 255 characters",
        ParseError::TagInvalidFormat => "has a tag that is none",
        _ => "is not an image reference, give one such as alpine:3.22 or registry.example.com/base@sha256:...",
    }
}
