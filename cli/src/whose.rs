//! Whose a volume or a snapshot is when no provider is named: whoever has it in the books.

use isobox::{AUTO, Error, Isobox, ProviderKind, Result, SnapshotEntry, VolumeEntry};

/// A volume or a snapshot in the books.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    provider: ProviderKind,
    /// What it can be called: its id, its name, and what the provider knows it by.
    words: Vec<String>,
}

impl From<VolumeEntry> for Kept {
    fn from(entry: VolumeEntry) -> Self {
        let external = entry.external.map(|external| external.to_string());
        let words = [entry.id.to_string(), entry.name].into_iter().chain(external).collect();
        Self { provider: entry.provider, words }
    }
}

impl From<SnapshotEntry> for Kept {
    fn from(entry: SnapshotEntry) -> Self {
        let external = entry.external.map(|external| external.to_string());
        let words = std::iter::once(entry.id.to_string()).chain(entry.name).chain(external).collect();
        Self { provider: entry.provider, words }
    }
}

/// Things of one kind, and the provider that was named, if one was.
#[derive(Debug)]
pub(crate) struct Whose<'a> {
    /// What they are, as in "volume".
    kind: &'static str,
    named: Option<&'a str>,
    kept: Vec<Kept>,
}

impl<'a> Whose<'a> {
    /// The volumes.
    pub(crate) async fn volumes(isobox: &Isobox, named: Option<&'a str>) -> Result<Self> {
        let kept = isobox.volumes().recorded().await?;
        Ok(Self { kind: "volume", named, kept: kept.into_iter().map(Kept::from).collect() })
    }

    /// The snapshots.
    pub(crate) async fn snapshots(isobox: &Isobox, named: Option<&'a str>) -> Result<Self> {
        let kept = isobox.snapshots().recorded().await?;
        Ok(Self { kind: "snapshot", named, kept: kept.into_iter().map(Kept::from).collect() })
    }

    /// The provider that a new one is of.
    pub(crate) fn new_one(&self) -> &str {
        self.named.unwrap_or(AUTO)
    }

    /// The provider that has the one that is meant, `auto` when it is in no books.
    ///
    /// # Errors
    /// `invalid_spec` when several have one of this name.
    pub(crate) fn of(&self, word: &str) -> Result<&str> {
        if let Some(named) = self.named {
            return Ok(named);
        }
        let fitting = self.kept.iter().filter(|kept| kept.words.iter().any(|own| own == word));
        match distinct(fitting)[..] {
            [] => Ok(AUTO),
            [one] => Ok(one),
            ref several => {
                let reason = format!(
                    "is missing, and the {} {} is there for each of {}: name one",
                    self.kind,
                    word.escape_debug(),
                    several.join(", ")
                );
                Err(Error::invalid_spec("--provider", reason))
            }
        }
    }

    /// The providers that have any, of those that there are.
    pub(crate) async fn all(&self, isobox: &Isobox) -> Vec<String> {
        if let Some(named) = self.named {
            return vec![named.to_owned()];
        }
        let there = isobox.providers();
        let known = self.kept.iter().filter(|kept| there.contains(&kept.provider));
        let mut all: Vec<_> = distinct(known).into_iter().map(str::to_owned).collect();
        // What only the usual provider knows belongs to the listing too. Where nothing works, it says why.
        let usual = isobox.provider(AUTO).await.map_or(AUTO.to_owned(), |provider| provider.kind().to_string());
        if !all.contains(&usual) {
            all.push(usual);
        }
        all
    }
}

/// The provider for a new sandbox with things that are somebody's: a snapshot, or volumes that are all of one.
pub(crate) async fn sandbox(isobox: &Isobox, snapshot: Option<&str>, volumes: &[&str]) -> Result<String> {
    if let Some(word) = snapshot {
        return Whose::snapshots(isobox, None).await?.of(word).map(str::to_owned);
    }
    if volumes.is_empty() {
        return Ok(AUTO.to_owned());
    }
    let whose = Whose::volumes(isobox, None).await?;
    let providers: Vec<_> = volumes.iter().map(|word| whose.of(word)).collect::<Result<_>>()?;
    let same = providers.iter().all(|provider| *provider == providers[0]);
    Ok(if same { providers[0] } else { AUTO }.to_owned())
}

fn distinct<'k>(kept: impl Iterator<Item = &'k Kept>) -> Vec<&'k str> {
    let mut providers: Vec<_> = kept.map(|kept| kept.provider.as_str()).collect();
    providers.sort_unstable();
    providers.dedup();
    providers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whose(named: Option<&str>) -> Whose<'_> {
        let kept = |provider, words: &[&str]| Kept { provider, words: words.iter().map(|&w| w.to_owned()).collect() };
        let kept = vec![
            kept(ProviderKind::DOCKER, &["vol_1", "cache"]),
            kept(ProviderKind::NAMESPACE, &["vol_2", "cache"]),
            kept(ProviderKind::DOCKER, &["vol_3", "other"]),
        ];
        Whose { kind: "volume", named, kept }
    }

    #[test]
    fn the_provider_that_has_it_is_meant() {
        assert_eq!(whose(None).of("other").unwrap(), "docker");
        assert_eq!(whose(None).of("vol_2").unwrap(), "namespace");
        assert_eq!(whose(None).of("nothing").unwrap(), AUTO);
    }

    #[test]
    fn a_name_that_several_have_needs_a_provider() {
        let refused = whose(None).of("cache").unwrap_err();
        let expected = "--provider is missing, and the volume cache is there for each of docker, namespace: name one";
        assert_eq!(refused.message(), expected);
        assert_eq!(whose(Some("docker")).of("cache").unwrap(), "docker");
    }
}
