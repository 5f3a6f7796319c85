//! The providers of one [`Isobox`](crate::Isobox): which there are, and which one is meant by a name.
//!
//! A provider that is built in is one line here. It is opened when it is first asked for, and once.

use isobox_contract::{Detail, Error, ErrorCode, HealthStatus, Isolation, Provider, ProviderKind, Resource, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The name that stands for the first isolating provider that works here.
pub const AUTO: &str = "auto";

struct BuiltIn {
    kind: ProviderKind,
    /// Whether `auto` may choose it; in the order of the list.
    auto: bool,
    open: fn(&Path) -> Result<Arc<dyn Provider>>,
}

const BUILT_IN: &[BuiltIn] = &[
    #[cfg(feature = "namespace")]
    BuiltIn {
        kind: ProviderKind::NAMESPACE,
        auto: true,
        open: |home| Ok(Arc::new(isobox_namespace::NamespaceProvider::open(home)?)),
    },
    #[cfg(feature = "docker")]
    BuiltIn {
        kind: ProviderKind::DOCKER,
        auto: true,
        open: |home| Ok(Arc::new(isobox_docker::DockerProvider::open(home)?)),
    },
    #[cfg(feature = "host")]
    BuiltIn {
        kind: ProviderKind::HOST,
        auto: false,
        open: |home| Ok(Arc::new(isobox_host::HostProvider::open(home)?)),
    },
];

pub(crate) struct Registry {
    home: PathBuf,
    open: Mutex<BTreeMap<ProviderKind, Arc<dyn Provider>>>,
    /// What `auto` has come to stand for, for each least isolation.
    chosen: Mutex<BTreeMap<Isolation, Arc<dyn Provider>>>,
}

impl Registry {
    pub(crate) fn new(home: PathBuf, given: Vec<Arc<dyn Provider>>) -> Self {
        let open = given.into_iter().map(|provider| (provider.kind().clone(), provider)).collect();
        Self { home, open: Mutex::new(open), chosen: Mutex::default() }
    }

    /// Every kind that can be asked for by name.
    pub(crate) fn kinds(&self) -> Vec<ProviderKind> {
        let mut kinds: Vec<_> = BUILT_IN.iter().map(|built_in| built_in.kind.clone()).collect();
        kinds.extend(self.opened().keys().filter(|kind| !BUILT_IN.iter().any(|b| b.kind == **kind)).cloned());
        kinds
    }

    /// The provider with this name, or for `auto` the first that works and isolates enough.
    pub(crate) async fn choose(&self, name: &str, least: Isolation) -> Result<Arc<dyn Provider>> {
        if name == AUTO { self.automatic(least).await } else { self.named(name) }
    }

    pub(crate) fn all_opened(&self) -> Vec<Arc<dyn Provider>> {
        self.opened().values().cloned().collect()
    }

    pub(crate) fn named(&self, name: &str) -> Result<Arc<dyn Provider>> {
        if let Some(open) = self.opened().iter().find(|(kind, _)| kind.as_str() == name) {
            return Ok(open.1.clone());
        }
        let built_in = BUILT_IN.iter().find(|built_in| built_in.kind.as_str() == name);
        self.open(built_in.ok_or_else(|| self.unknown(name))?)
    }

    async fn automatic(&self, least: Isolation) -> Result<Arc<dyn Provider>> {
        let known = self.chosen().get(&least).cloned();
        if let Some(provider) = known {
            return Ok(provider);
        }
        let least_of_all = least.max(Isolation::Process);
        let (mut first, mut others, mut refused) = (None, Vec::new(), None);
        for built_in in BUILT_IN.iter().filter(|built_in| built_in.auto) {
            match self.open(built_in) {
                // What the others can do is asked when they are needed: it may take a question to an engine.
                Ok(provider) if first.is_some() => others.push(provider),
                Ok(provider) if provider.capabilities().isolation >= least_of_all => first = Some(provider),
                Ok(_) => {
                    refused.get_or_insert(Error::unsupported(format!("isolation.{least}")));
                }
                Err(error) => refused = Some(error),
            }
        }
        let nothing = || {
            let message = "no isolating provider is built in, enable the feature namespace or name a provider";
            Error::new(ErrorCode::Unsupported, message)
        };
        let Some(first) = first else { return Err(refused.unwrap_or_else(nothing)) };
        let chosen = first_that_works(first, others, least_of_all).await;
        self.chosen().insert(least, chosen.clone());
        Ok(chosen)
    }

    fn open(&self, built_in: &BuiltIn) -> Result<Arc<dyn Provider>> {
        let mut opened = self.opened();
        if let Some(provider) = opened.get(&built_in.kind) {
            return Ok(provider.clone());
        }
        let provider = (built_in.open)(&self.home)
            .map_err(|error| error.with_provider(&built_in.kind).with_operation("provider.open"))?;
        opened.insert(built_in.kind.clone(), provider.clone());
        Ok(provider)
    }

    fn unknown(&self, name: &str) -> Error {
        let kinds: Vec<_> = self.kinds().iter().map(ToString::to_string).collect();
        let message =
            format!("there is no provider {}, use {AUTO} or one of {}", name.escape_debug(), kinds.join(", "));
        Error::new(ErrorCode::NotFound, message)
            .with_detail(Detail::Resource { resource: Resource::Provider, id: name.to_owned() })
    }

    fn chosen(&self) -> std::sync::MutexGuard<'_, BTreeMap<Isolation, Arc<dyn Provider>>> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, BTreeMap<ProviderKind, Arc<dyn Provider>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first of them that works, which costs a sandbox to find out. So when there is nothing else to choose it is not asked, nor when
/// nothing works: what its create says is better than what could be said here.
async fn first_that_works(
    first: Arc<dyn Provider>,
    others: Vec<Arc<dyn Provider>>,
    least: Isolation,
) -> Arc<dyn Provider> {
    for other in others {
        if works(&*other).await && other.capabilities().isolation >= least {
            return if works(&*first).await { first } else { other };
        }
    }
    first
}

async fn works(provider: &dyn Provider) -> bool {
    matches!(provider.health().await.status, HealthStatus::Ok | HealthStatus::Unknown)
}
