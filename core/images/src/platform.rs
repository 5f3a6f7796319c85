//! For which machines an image is.

use isobox_contract::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An operating system and a processor, in the words of image manifests (`linux/arm64`, `linux/arm/v7`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Platform {
    /// Such as `linux`.
    pub os: String,
    /// Such as `amd64`.
    pub architecture: String,
    /// Such as `v7`, where the architecture has variants.
    pub variant: Option<String>,
}

impl Platform {
    /// A platform with the usual spelling: `x86_64` is `amd64`, `aarch64` is `arm64`, and the variant that every machine
    /// of an architecture has is left out.
    pub fn new(os: &str, architecture: &str, variant: Option<&str>) -> Self {
        let architecture = match architecture.to_ascii_lowercase().as_str() {
            "x86_64" | "x86-64" => "amd64".to_owned(),
            "aarch64" => "arm64".to_owned(),
            other => other.to_owned(),
        };
        let implied = match architecture.as_str() {
            "arm64" => Some("v8"),
            "amd64" => Some("v1"),
            _ => None,
        };
        let variant = variant.filter(|variant| !variant.is_empty() && Some(*variant) != implied);
        Self { os: os.to_ascii_lowercase(), architecture, variant: variant.map(str::to_owned) }
    }

    /// This machine's.
    pub fn here() -> Self {
        Self::new("linux", std::env::consts::ARCH, None)
    }

    /// Reads `os/architecture` or `os/architecture/variant`.
    ///
    /// # Errors
    /// `invalid_spec` that names `source.platform`.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parts = text.split('/');
        let fine =
            |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
        match (parts.next().filter(fine), parts.next().filter(fine), parts.next(), parts.next()) {
            (Some(os), Some(architecture), None, None) => Ok(Self::new(os, architecture, None)),
            (Some(os), Some(architecture), Some(variant), None) if fine(&variant) => {
                Ok(Self::new(os, architecture, Some(variant)))
            }
            _ => Err(Error::invalid_spec("source.platform", "is no platform, give one such as linux/amd64")),
        }
    }

    /// Whether what is for `self` runs on a machine that is `machine`. A variant that is not named runs everywhere.
    pub fn runs_on(&self, machine: &Platform) -> bool {
        self.os == machine.os
            && self.architecture == machine.architecture
            && (self.variant.is_none() || machine.variant.is_none() || self.variant == machine.variant)
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.os, self.architecture)?;
        self.variant.iter().try_for_each(|variant| write!(f, "/{variant}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_platform_are_one() {
        let parsed = |text: &str| Platform::parse(text).unwrap().to_string();
        assert_eq!(parsed("linux/x86_64"), "linux/amd64");
        assert_eq!(parsed("linux/arm64/v8"), "linux/arm64");
        assert_eq!(parsed("linux/arm/v7"), "linux/arm/v7");
        for bad in ["", "linux", "linux/", "a/b/c/d", "linux/a b"] {
            assert!(Platform::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_image_for_another_machine_is_told_apart() {
        let platform = |text| Platform::parse(text).unwrap();
        assert!(Platform::here().runs_on(&Platform::here()));
        assert!(!platform("linux/s390x").runs_on(&platform("linux/amd64")));
        assert!(!platform("windows/amd64").runs_on(&platform("linux/amd64")));
    }
}
