//! What people call images, and what isobox calls its own.

use isobox_contract::{Error, Result};
use isobox_registry::Reference;
use std::fmt;

/// How a reference begins that stands for an image of the engine and is never fetched.
const SCHEME: &str = "docker-daemon:";
const ID: &str = "sha256:";
/// In front of the repositories of images that isobox makes: nobody can pull from there, and nobody else tags so.
const OWN: &str = "isobox.invalid/";

/// What an image is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// By its id.
    Id(String),
    /// By a name that only the engine knows.
    Local(String),
    /// By a name that a registry may know.
    Registry(Reference),
}

impl Named {
    /// Reads what a person wrote.
    ///
    /// # Errors
    /// `invalid_spec` with the field `source.reference` when it names no image.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        if let Some(digits) = text.strip_prefix(ID) {
            let fine =
                digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
            let reason = "is no id of an image, give sha256: and 64 digits in lower case";
            return if fine {
                Ok(Self::Id(text.to_owned()))
            } else {
                Err(Error::invalid_spec("source.reference", reason))
            };
        }
        match text.strip_prefix(SCHEME) {
            Some(name) => Ok(Self::Local(Reference::parse(name)?.to_string())),
            None => Reference::parse(text).map(Self::Registry),
        }
    }

    /// What the engine is asked for.
    pub(crate) fn for_engine(&self) -> String {
        match self {
            Self::Id(name) | Self::Local(name) => name.clone(),
            // Of a tag and a digest the digest counts.
            Self::Registry(reference) => match reference.digest() {
                Some(digest) => format!("{}@{digest}", reference.name()),
                None => reference.to_string(),
            },
        }
    }

    /// Whether it can only ever stand for one image.
    pub(crate) fn is_fixed(&self) -> bool {
        match self {
            Self::Id(_) | Self::Local(_) => true,
            Self::Registry(reference) => reference.digest().is_some(),
        }
    }

    /// The name without tag and digest.
    pub(crate) fn repository(&self) -> Option<String> {
        match self {
            Self::Registry(reference) => Some(reference.name()),
            Self::Id(_) | Self::Local(_) => None,
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => f.write_str(id),
            Self::Local(name) => write!(f, "{SCHEME}{name}"),
            Self::Registry(reference) => reference.fmt(f),
        }
    }
}

/// The name that isobox gives an image that it makes: which keeps the engine from pruning it, and shows whose it is.
pub(crate) fn own_tag(role: &str, id: &str) -> String {
    format!("{OWN}{role}:{id}")
}

/// Whether a name is one of those.
pub(crate) fn is_ours(name: &str) -> bool {
    name.starts_with(OWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_the_engine_reads_them() {
        let asked = |text: &str| Named::parse(text).unwrap().for_engine();
        let digest = format!("sha256:{}", "a".repeat(64));
        assert_eq!(asked("alpine"), "docker.io/library/alpine:latest");
        assert_eq!(asked("localhost:5000/a:1"), "localhost:5000/a:1");
        assert_eq!(asked(&format!("a/b:1@{digest}")), format!("docker.io/a/b@{digest}"));
        assert_eq!(asked(&digest), digest);
        assert_eq!(asked("docker-daemon:mine"), "docker.io/library/mine:latest");
        for wrong in ["", "sha256:12", "A B", "docker-daemon:"] {
            assert!(Named::parse(wrong).unwrap_err().message().starts_with("source.reference"), "{wrong}");
        }
        assert!(is_ours(&own_tag("snapshot", "snp_1")) && !is_ours("alpine:1"));
    }
}
