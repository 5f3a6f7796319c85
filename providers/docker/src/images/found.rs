//! An image that is here, and what it says about running programs.

use super::name::Named;
use crate::labels;
use bollard::models::{ImageConfig, ImageInspect};
use isobox_contract::{Error, Result, SandboxImage, SandboxPath, SandboxSpec};
use isobox_registry::Platform;
use std::collections::{BTreeMap, HashMap};

/// An image that is here.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The digest of its config.
    pub(crate) id: String,
    /// What it is called, and what it runs.
    pub(crate) image: SandboxImage,
    /// Its variables.
    pub(crate) env: BTreeMap<String, String>,
    /// Its user.
    pub(crate) user: Option<String>,
    /// Its working directory, which it need not have.
    pub(crate) workdir: Option<SandboxPath>,
    /// For which machines it is, when that can be told.
    pub(crate) platform: Option<Platform>,
    /// Everything that the engine says of it.
    pub(crate) inspected: ImageInspect,
}

impl Found {
    /// Reads what the engine says of an image.
    pub(super) fn of(name: &Named, inspected: ImageInspect) -> Result<Self> {
        let id = inspected.id.clone().ok_or_else(|| Error::transport("docker gave an image without an id"))?;
        let config = inspected.config.clone().unwrap_or_default();
        let image = SandboxImage {
            reference: name.to_string(),
            id: id.clone(),
            digest: name.repository().and_then(|repository| digest(&repository, &inspected)),
            entrypoint: config.entrypoint.clone().unwrap_or_default(),
            command: config.cmd.clone().unwrap_or_default(),
        };
        let platform = platform_of(&inspected);
        let ImageConfig { env, user, working_dir, labels, .. } = config;
        let added = labels.as_ref().and_then(|all| all.get(labels::ADDED));
        let added: Vec<String> = added.and_then(|names| serde_json::from_str(names).ok()).unwrap_or_default();
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let own = |pair: &(String, String)| !added.contains(&pair.0);
        let absolute = |path: String| SandboxPath::from(format!("/{}", path.trim_start_matches('/')));
        Ok(Self {
            id,
            image,
            env: env.into_iter().flatten().filter_map(|pair| split(&pair)).filter(own).collect(),
            user: given(user),
            workdir: given(working_dir).map(absolute),
            platform,
            inspected,
        })
    }

    /// A spec with what the image says where the spec says nothing, and whether the working directory is the image's.
    pub(crate) fn under(&self, spec: &SandboxSpec) -> (SandboxSpec, bool) {
        let mut spec = spec.clone();
        for (name, value) in &self.env {
            spec.env.entry(name.clone()).or_insert_with(|| value.clone());
        }
        if spec.user.is_none() {
            spec.user.clone_from(&self.user);
        }
        let makes_workdir = spec.workdir.is_none() && self.workdir.is_some();
        if spec.workdir.is_none() {
            spec.workdir.clone_from(&self.workdir);
        }
        (spec, makes_workdir)
    }

    /// Its labels.
    pub(crate) fn labels(&self) -> Option<&HashMap<String, String>> {
        self.inspected.config.as_ref()?.labels.as_ref()
    }

    /// Whether it has this name.
    pub(crate) fn is_called(&self, tag: &str) -> bool {
        self.inspected.repo_tags.iter().flatten().any(|name| name == tag)
    }
}

fn split(pair: &str) -> Option<(String, String)> {
    let (name, value) = pair.split_once('=')?;
    (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}

/// The digest of its manifest in the registry that its name is from.
fn digest(repository: &str, inspected: &ImageInspect) -> Option<String> {
    let same = |known: &str| isobox_registry::Reference::parse(known).is_ok_and(|known| known.name() == repository);
    let mut known = inspected.repo_digests.iter().flatten().filter_map(|known| known.split_once('@'));
    known.find(|(name, _)| same(name)).map(|(_, digest)| digest.to_owned())
}

pub(super) fn platform_of(inspected: &ImageInspect) -> Option<Platform> {
    let parts = [&inspected.os, &inspected.architecture, &inspected.variant];
    let given: Vec<_> = parts.into_iter().flatten().filter(|part| !part.is_empty()).map(String::as_str).collect();
    if given.len() < 2 { None } else { given.join("/").parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_spec_says_counts_more_than_the_image() {
        let config = ImageConfig {
            env: Some(vec!["PATH=/image".into(), "A=b=c".into(), "broken".into()]),
            user: Some("node".into()),
            working_dir: Some("app".into()),
            ..ImageConfig::default()
        };
        let digests = Some(vec!["other@sha256:1".into(), "alpine@sha256:2".into()]);
        let inspected = ImageInspect {
            id: Some("sha256:a".into()),
            config: Some(config),
            repo_digests: digests,
            os: Some("linux".into()),
            architecture: Some("arm64".into()),
            variant: Some("v8".into()),
            ..ImageInspect::default()
        };
        let found = Found::of(&Named::parse("alpine:3").unwrap(), inspected).unwrap();
        assert_eq!(found.image.digest.as_deref(), Some("sha256:2"));
        assert_eq!(found.platform.as_ref().map(ToString::to_string).as_deref(), Some("linux/arm64"));
        let (spec, makes) = found.under(&SandboxSpec::default().env("A", "spec"));
        assert_eq!((spec.env["A"].as_str(), spec.env["PATH"].as_str(), makes), ("spec", "/image", true));
        assert_eq!((spec.user.as_deref(), spec.workdir), (Some("node"), Some(SandboxPath::from("/app"))));
        let own = SandboxSpec { workdir: Some("/tmp".into()), ..SandboxSpec::default() };
        assert!(!found.under(&own).1);
    }
}
