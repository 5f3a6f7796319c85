//! Platforms: which of an image's variants fits.

use isobox_contract::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// An operating system, an architecture and maybe a variant of it, in the words of image indexes: `linux/amd64`,
/// `linux/arm/v7`. Other common words are understood: `x86_64`, `aarch64`, `armhf`, `i386`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Platform {
    os: String,
    architecture: String,
    variant: Option<String>,
}

impl Platform {
    /// Linux on this machine's processor.
    pub fn host() -> Self {
        Self::normal("linux", std::env::consts::ARCH, None)
    }

    /// The operating system, such as `linux`.
    pub fn os(&self) -> &str {
        &self.os
    }

    /// The architecture, such as `amd64`.
    pub fn architecture(&self) -> &str {
        &self.architecture
    }

    /// The variant, such as `v7`, where it is not the architecture's usual one.
    pub fn variant(&self) -> Option<&str> {
        self.variant.as_deref()
    }

    /// Whether an image for `offered` runs on it: the same, or an older variant of it.
    pub fn runs(&self, offered: &Platform) -> bool {
        self.distance(offered).is_some()
    }

    /// In the words of an index: other words translated, an architecture's usual variant left out.
    pub(crate) fn normal(os: &str, architecture: &str, variant: Option<&str>) -> Self {
        let variant = variant.filter(|variant| !variant.is_empty()).map(str::to_ascii_lowercase);
        let (os, architecture) = (os.to_ascii_lowercase(), architecture.to_ascii_lowercase());
        let (architecture, variant) = match (architecture.as_str(), variant.as_deref()) {
            ("x86_64" | "x86-64" | "amd64", None | Some("v1")) => ("amd64", None),
            ("x86_64" | "x86-64", variant) => ("amd64", variant),
            ("aarch64" | "arm64", None | Some("v8" | "8")) => ("arm64", None),
            ("aarch64", variant) => ("arm64", variant),
            ("arm", Some("7")) | ("armhf", _) => ("arm", None),
            ("arm", Some("v7")) => ("arm", None),
            ("armel", _) => ("arm", Some("v6")),
            ("i386" | "i486" | "i586" | "i686" | "x86", variant) => ("386", variant),
            ("powerpc64le", variant) => ("ppc64le", variant),
            (architecture, variant) => (architecture, variant),
        };
        Self { os, architecture: architecture.to_owned(), variant: variant.map(str::to_owned) }
    }

    /// How well an image for `offered` runs here: 0 is exactly, more is an older variant of the same, `None` is not at
    /// all. The order is that of containerd's platform matcher.
    pub(crate) fn distance(&self, offered: &Platform) -> Option<usize> {
        if self.os != offered.os || self.architecture != offered.architecture {
            return None;
        }
        let level = |platform: &Platform, usual: usize| match platform.variant.as_deref() {
            None => Some(usual),
            Some(variant) => variant.strip_prefix('v').and_then(|digits| digits.split('.').next()?.parse().ok()),
        };
        let (usual, downwards) = match self.architecture.as_str() {
            "amd64" => (1, true),
            "arm" => (7, true),
            "arm64" => (8, true),
            _ => (0, false),
        };
        match (level(self, usual), level(offered, usual)) {
            _ if self.variant == offered.variant => Some(0),
            (Some(own), Some(other)) if downwards => own.checked_sub(other),
            _ if !downwards && (self.variant.is_none() || offered.variant.is_none()) => Some(1),
            _ => None,
        }
    }
}

impl FromStr for Platform {
    type Err = Error;

    /// `invalid_spec` for `source.platform`. An architecture alone means Linux on it.
    fn from_str(text: &str) -> Result<Self> {
        let fit = |part: &&str| {
            (1..=32).contains(&part.len())
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        };
        let parts: Vec<&str> = text.split('/').collect();
        match parts.as_slice() {
            parts if !parts.iter().all(fit) => {}
            [architecture] => return Ok(Self::normal("linux", architecture, None)),
            [os, architecture] => return Ok(Self::normal(os, architecture, None)),
            [os, architecture, variant] => return Ok(Self::normal(os, architecture, Some(variant))),
            _ => {}
        }
        let shown = crate::text::shown(text);
        Err(Error::invalid_spec("source.platform", format!("{shown} is no platform, give one such as linux/arm64")))
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.os, self.architecture)?;
        self.variant.as_ref().map_or(Ok(()), |variant| write!(f, "/{variant}"))
    }
}
