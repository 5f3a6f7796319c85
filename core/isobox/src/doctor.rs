//! Whether and how far the providers work on this machine, and what to change where they do not.

use crate::home;
use crate::isobox::{Isobox, IsoboxBuilder};
use isobox_contract::{Capability, Error, Isolation, Provider, ProviderKind, Report, Result};
use isobox_machine::{Facts, Finding, Severity, collect, findings};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How long one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(60);

/// What is said about the limits of a provider, and what stands for each.
const LIMITS: [(&str, Capability); 5] = [
    ("limit of processors", Capability::ResourcesCpu),
    ("limit of memory", Capability::ResourcesMemory),
    ("limit of processes", Capability::ResourcesPids),
    ("limit of the disk", Capability::ResourcesDisk),
    ("pause", Capability::LifecyclePause),
];

/// Providers that exist elsewhere and are not built in yet.
const ELSEWHERE: [ProviderKind; 1] = [ProviderKind::DOCKER];

/// What isobox can do on this machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Diagnosis {
    /// The version of isobox.
    pub version: String,
    /// What `auto` chooses here, if anything works.
    pub automatic: Option<ProviderKind>,
    /// Every provider that is built in, in the order in which `auto` prefers them, then the others.
    pub providers: Vec<ProviderDiagnosis>,
    /// What was found that concerns all of them, the worst first.
    pub findings: Vec<Finding>,
    /// What was seen of the machine.
    pub facts: Facts,
}

/// What one provider can do on this machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProviderDiagnosis {
    /// Which one.
    pub kind: ProviderKind,
    /// Whether this program has it.
    pub built_in: bool,
    /// Whether a sandbox was made with it, ran a command and was removed.
    pub works: bool,
    /// How strongly its sandboxes are kept apart.
    pub isolation: Option<Isolation>,
    /// Which limits it can set, such as `memory`.
    pub limits: Vec<String>,
    /// Everything it can do, by dotted names.
    pub capabilities: Vec<String>,
    /// Why it does not work.
    pub failure: Option<Report>,
    /// What was found that concerns it alone, the worst first.
    pub findings: Vec<Finding>,
}

impl Diagnosis {
    /// The diagnosis of the provider with this name; for `auto`, of the one that it stands for.
    pub fn provider(&self, name: &str) -> Option<&ProviderDiagnosis> {
        let name = if name == crate::AUTO { self.automatic.as_ref()?.as_str() } else { name };
        self.providers.iter().find(|provider| provider.kind.as_str() == name)
    }

    /// Whether sandboxes of the provider with this name, or of `auto`, work here.
    pub fn works(&self, name: &str) -> bool {
        self.provider(name).is_some_and(|provider| provider.works)
    }
}

impl Isobox {
    /// Tries every provider, looks at the machine, and says what works, how far, and what to change where something does
    /// not. Makes and removes a sandbox or two with each; takes some milliseconds where all is well, and at most minutes.
    pub async fn doctor(&self) -> Diagnosis {
        let mut providers = Vec::new();
        for kind in self.providers() {
            providers.push(self.examine(kind).await);
        }
        diagnosis(self.home().to_owned(), None, providers)
    }

    async fn examine(&self, kind: ProviderKind) -> ProviderDiagnosis {
        let mut diagnosis = ProviderDiagnosis::of(kind, true);
        let provider = match self.provider(diagnosis.kind.as_str()).await {
            Ok(provider) => provider,
            Err(error) => return ProviderDiagnosis { failure: Some(Report::from(&error)), ..diagnosis },
        };
        let capabilities = provider.capabilities();
        diagnosis.isolation = Some(capabilities.isolation);
        diagnosis.capabilities = capabilities.iter().map(|capability| capability.as_str().to_owned()).collect();
        let limits = diagnosis.capabilities.iter().filter_map(|name| name.strip_prefix("resources."));
        diagnosis.limits = limits.map(str::to_owned).collect();
        match self.attempt(&diagnosis.kind, None).await {
            Ok(()) => diagnosis.works = true,
            Err(error) => diagnosis.failure = Some(Report::from(&error)),
        }
        diagnosis.findings.extend(missing_limits(&*provider));
        let others = diagnosis.kind == ProviderKind::NAMESPACE && capabilities.has(Capability::ExecUser);
        if diagnosis.works && others {
            let tried = self.attempt(&diagnosis.kind, Some("1")).await;
            diagnosis.findings.extend(tried.err().map(|error| no_other_user(&error)));
        }
        diagnosis
    }

    /// A sandbox, a command in it, and the end of both.
    async fn attempt(&self, kind: &ProviderKind, user: Option<&str>) -> Result<()> {
        let builder = self.sandbox().provider(kind.as_str()).create_timeout(ATTEMPT);
        // Docker has no files of its own.
        let builder = if *kind == ProviderKind::DOCKER { builder.image("scratch") } else { builder };
        let builder = if let Some(user) = user { builder.user(user) } else { builder };
        let sandbox = builder.create().await?;
        let ran = sandbox.exec(["true"]).timeout(ATTEMPT).await;
        sandbox.delete().await?;
        match ran {
            // A machine without the program has sandboxes without it.
            Err(error) if error.code() != isobox_contract::ErrorCode::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl IsoboxBuilder {
    /// [`Isobox::doctor`], also when isobox cannot be opened: then that is the diagnosis.
    pub async fn doctor(self) -> Diagnosis {
        let wanted = self.wanted_home().unwrap_or_default();
        match self.open().await {
            Ok(isobox) => isobox.doctor().await,
            Err(error) => diagnosis(wanted, Some(error.message().to_owned()), Vec::new()),
        }
    }

    fn wanted_home(&self) -> Option<PathBuf> {
        self.home_given().or_else(|| home::find(|name| std::env::var_os(name)).ok())
    }
}

impl ProviderDiagnosis {
    fn of(kind: ProviderKind, built_in: bool) -> Self {
        Self {
            kind,
            built_in,
            works: false,
            isolation: None,
            limits: Vec::new(),
            capabilities: Vec::new(),
            failure: None,
            findings: Vec::new(),
        }
    }
}

/// The limits that the provider could set elsewhere, and why not here.
fn missing_limits(provider: &dyn Provider) -> Vec<Finding> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, capability) in LIMITS {
        let missing = !provider.capabilities().has(capability);
        let Some(reason) = missing.then(|| provider.why_not(capability)).flatten() else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason, vec![name])),
        }
    }
    let finding = |(reason, names): (String, Vec<&str>)| {
        let (cause, fix) = reason.split_once(": ").map_or((reason.as_str(), None), |(cause, fix)| (cause, Some(fix)));
        Finding {
            id: "no_limit".into(),
            severity: Severity::Limits,
            provider: Some(provider.kind().as_str().to_owned().into()),
            what: format!("no {}: {cause}", names.join(", ")),
            fix: fix.map(str::to_owned),
        }
    };
    reasons.into_iter().map(finding).collect()
}

fn no_other_user(error: &Error) -> Finding {
    let what = format!("commands cannot run as other users: {}", error.message());
    let fix = match error.detail() {
        isobox_contract::Detail::Launch { hint, .. } => hint.clone(),
        _ => None,
    };
    Finding { id: "no_other_user".into(), severity: Severity::Limits, provider: None, what, fix }
}

/// Puts together what was tried and what was seen.
fn diagnosis(home: PathBuf, problem: Option<String>, mut providers: Vec<ProviderDiagnosis>) -> Diagnosis {
    let facts = collect(&home, problem);
    let namespace = providers.iter().find(|provider| provider.kind == ProviderKind::NAMESPACE);
    let (common, own): (Vec<_>, Vec<_>) = findings(&facts, namespace.map(|provider| provider.works))
        .into_iter()
        .partition(|finding| finding.provider.is_none());
    for provider in &mut providers {
        provider.findings.extend(own.iter().filter(|finding| finding.concerns(provider.kind.as_str())).cloned());
        provider.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    }
    let isolates = |provider: &&ProviderDiagnosis| {
        provider.works && provider.isolation.is_some_and(|isolation| isolation >= Isolation::Process)
    };
    let automatic = providers.iter().find(isolates).map(|provider| provider.kind.clone());
    let missing = ELSEWHERE.into_iter().filter(|kind| !providers.iter().any(|provider| provider.kind == *kind));
    let missing: Vec<_> = missing.map(|kind| ProviderDiagnosis::of(kind, false)).collect();
    providers.extend(missing);
    Diagnosis { version: env!("CARGO_PKG_VERSION").to_owned(), automatic, providers, findings: common, facts }
}
