//! What is decided before a provider is asked, seen with a provider that only remembers what it was asked for.

#![allow(clippy::unwrap_used)]

use async_trait::async_trait;
use isobox::contract::{self, Context, Exec, Filter, Provider, SandboxRecord};
use isobox::*;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Remembers every spec and refuses everything else, so that what reaches it is seen.
struct StandIn {
    kind: ProviderKind,
    capabilities: Capabilities,
    specs: Mutex<Vec<SandboxSpec>>,
    patient: bool,
}

impl StandIn {
    fn new(kind: &str, claims: impl IntoIterator<Item = Capability>) -> Arc<Self> {
        let capabilities = Capabilities::of(Isolation::Container, claims);
        Arc::new(Self { kind: kind.parse().unwrap(), capabilities, specs: Mutex::default(), patient: false })
    }

    fn specs(&self) -> Vec<SandboxSpec> {
        self.specs.lock().unwrap().clone()
    }
}

struct Place {
    id: SandboxId,
    external: ExternalId,
    capabilities: Capabilities,
    workdir: SandboxPath,
}

fn reached<T>() -> Result<T> {
    Err(Error::new(ErrorCode::Conflict, "the provider was reached"))
}

#[async_trait]
impl Provider for StandIn {
    fn kind(&self) -> &ProviderKind {
        &self.kind
    }
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, _: &Context) -> Result<Arc<dyn contract::Sandbox>> {
        if self.patient {
            std::future::pending::<()>().await;
        }
        self.specs.lock().unwrap().push(spec.clone());
        let (external, capabilities) = ((*id).into(), self.capabilities.clone());
        Ok(Arc::new(Place { id: *id, external, capabilities, workdir: "/".into() }))
    }
    async fn attach(&self, _: &SandboxRecord, _: &Context) -> Result<Arc<dyn contract::Sandbox>> {
        reached()
    }
    async fn list(&self, _: &Filter) -> Result<Vec<Status>> {
        reached()
    }
}

#[async_trait]
impl contract::Sandbox for Place {
    fn id(&self) -> &SandboxId {
        &self.id
    }
    fn external_id(&self) -> &ExternalId {
        &self.external
    }
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
    fn record(&self) -> SandboxRecord {
        SandboxRecord { id: self.id, external: self.external.clone(), data: serde_json::Value::Null }
    }
    async fn describe(&self) -> Result<Status> {
        reached()
    }
    fn workdir(&self) -> &SandboxPath {
        &self.workdir
    }
    async fn platform(&self) -> Result<Platform> {
        reached()
    }
    async fn start(&self, _: &Context) -> Result<()> {
        reached()
    }
    async fn stop(&self, _: Option<Duration>, _: &Context) -> Result<()> {
        reached()
    }
    async fn delete(&self, _: &Context) -> Result<()> {
        reached()
    }
    async fn set_lifetimes(&self, _: &Lifetimes) -> Result<()> {
        Ok(())
    }
    async fn detach(&self) -> Result<()> {
        Ok(())
    }
    fn exec(&self) -> &dyn Exec {
        self
    }
    fn files(&self) -> &dyn contract::Files {
        unreachable!("no test gets this far")
    }
}

#[async_trait]
impl Exec for Place {
    async fn run(&self, _: ExecRequest) -> Result<ExecResult> {
        reached()
    }
    async fn spawn(&self, _: ExecRequest) -> Result<Box<dyn contract::Process>> {
        reached()
    }
    async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        reached()
    }
    async fn attach(&self, _: &ExecId, _: Replay) -> Result<Box<dyn contract::Process>> {
        reached()
    }
}

/// isobox with only this provider as the default. The directory lives as long as the test.
async fn with(provider: Arc<StandIn>) -> (tempfile::TempDir, Isobox) {
    let home = tempfile::tempdir().unwrap();
    let kind = provider.kind.to_string();
    let builder = Isobox::builder().home(home.path()).with_provider(provider).default_provider(kind);
    let isobox = builder.open().await.unwrap();
    (home, isobox)
}

/// What every provider needs for a sandbox with every default.
const LEAST: [Capability; 2] = [Capability::LifecycleOwner, Capability::NetworkNone];

async fn sandbox(claims: &[Capability]) -> (tempfile::TempDir, Sandbox) {
    let (home, isobox) = with(StandIn::new("acme", LEAST.iter().chain(claims).copied())).await;
    let sandbox = isobox.sandbox().create().await.unwrap();
    (home, sandbox)
}

fn refused<T>(result: Result<T>) -> String {
    match result.map(drop).unwrap_err().detail() {
        Detail::Unsupported { capability } => capability.clone(),
        Detail::InvalidSpec { field, .. } => field.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_network_is_off_unless_the_provider_is_the_host() {
    for (kind, expected) in [("acme", NetworkPolicy::None), ("host", NetworkPolicy::ProviderDefault)] {
        let provider = StandIn::new(kind, LEAST);
        let (_home, isobox) = with(provider.clone()).await;
        isobox.sandbox().create().await.unwrap();
        assert_eq!(provider.specs()[0].network, expected, "{kind}");
    }
    let (_home, isobox) = with(StandIn::new("host", [Capability::LifecycleOwner])).await;
    assert_eq!(refused(isobox.sandbox().network(NetworkPolicy::None).create().await), "network.none");
    assert_eq!(refused(isobox.sandbox().spec(SandboxSpec::default()).create().await), "network.none");
}

#[tokio::test]
async fn what_is_asked_for_reaches_the_provider() {
    let provider = StandIn::new("acme", Capability::ALL.iter().copied());
    let (home, isobox) = with(provider.clone()).await;
    let builder = isobox.sandbox().rootfs(home.path()).name("one").user("nobody").workdir("/work").port(80);
    let builder = builder.envs([("A", "1"), ("B", "2")]).label("team", "x").cpus(0.5).memory(1 << 20).pids(9);
    let builder = builder.mount(Mount::bind(home.path(), "/a").read_only()).mount(Mount::tmpfs("/b").size(5));
    let builder = builder.ttl(Duration::from_secs(9)).on_expiry(Expiry::Stop).least_isolation(Isolation::Process);
    builder.create().await.unwrap();
    let spec = &provider.specs()[0];
    assert_eq!(spec.source, Source::Rootfs { path: home.path().to_owned() });
    assert_eq!(
        (spec.name.as_deref(), spec.user.as_deref(), spec.ports.as_slice()),
        (Some("one"), Some("nobody"), &[80][..])
    );
    assert_eq!((spec.env.len(), spec.labels["team"].as_str(), spec.resources.pids), (2, "x", Some(9)));
    assert!(spec.mounts[0].read_only && !spec.mounts[1].read_only);
    assert_eq!(spec.lifetimes.ttl, Some(Lifetime::After(Duration::from_secs(9))));
    assert_eq!((spec.lifetimes.on_expiry, spec.isolation), (Expiry::Stop, Isolation::Process));
}

#[tokio::test]
async fn what_cannot_be_is_refused_before_the_provider_is_asked() {
    let provider = StandIn::new("acme", Capability::ALL.iter().copied());
    let (home, isobox) = with(provider.clone()).await;
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let sandbox = || isobox.sandbox();
    let cases = [
        (refused(sandbox().image("alpine").rootfs("/").create().await), "source"),
        (refused(sandbox().least_isolation(Isolation::Vm).create().await), "isolation.vm"),
        (refused(sandbox().options(ProviderOptions::Host(HostOptions::default())).create().await), "options"),
        (refused(sandbox().ttl(Duration::ZERO).create().await), "ttl"),
        (refused(sandbox().rootfs(&file).create().await), "source.path"),
        (refused(sandbox().workspace(home.path().join("none")).create().await), "source.path"),
        (refused(sandbox().mount(Mount::bind(home.path().join("none"), "/x")).create().await), "mounts.source.path"),
        (refused(sandbox().mount(Mount::bind("", "/x")).create().await), "mounts.source.path"),
    ];
    for (field, expected) in cases {
        assert_eq!(field, expected);
    }
    assert!(provider.specs().is_empty());
}

#[tokio::test]
async fn an_error_names_the_provider_the_sandbox_and_the_call() {
    let (_home, sandbox) = sandbox(&[]).await;
    let error = sandbox.exec(["true"]).await.unwrap_err();
    assert_eq!(error.message(), "the provider was reached");
    assert_eq!(error.provider().map(ProviderKind::as_str), Some("acme"));
    assert_eq!((error.sandbox(), error.operation()), (Some(sandbox.id()), Some("exec.run")));
    let error = sandbox.delete().await.unwrap_err();
    assert_eq!((error.sandbox(), error.operation()), (Some(sandbox.id()), Some("delete")));
}

#[tokio::test]
async fn what_a_sandbox_does_not_claim_is_refused_by_its_dotted_name() {
    let (_home, sandbox) = sandbox(&[]).await;
    let files = sandbox.files();
    let cases = [
        (refused(sandbox.exec(["cat"]).input("x").await), "exec.stdin"),
        (refused(sandbox.exec(["cat"]).user("nobody").await), "exec.user"),
        (refused(sandbox.exec(["cat"]).pty(24, 80).await), "exec.pty"),
        (refused(sandbox.exec(["cat"]).spawn().await), "exec.spawn"),
        (refused(sandbox.processes().await), "exec.attach"),
        (refused(sandbox.process(&ExecId::generate()).await), "exec.attach"),
        (refused(sandbox.metrics().await), "observe.metrics"),
        (refused(sandbox.ended().await), "observe.ended"),
        (refused(sandbox.touch().await), "lifecycle.refresh_activity"),
        (refused(sandbox.set_ttl(Lifetime::Never).await), "lifecycle.set_lifetimes"),
        (refused(sandbox.detach().await), "lifecycle.detach"),
        (refused(sandbox.connect(80).await), "access.ports"),
        (refused(sandbox.forward(80).await), "access.forward"),
        (refused(sandbox.listening_ports().await), "access.listening_ports"),
        (refused(sandbox.connect(0).await), "port"),
        (refused(files.watch("x").await), "files.watch"),
        (refused(files.upload("/x", "x").await), "files.upload"),
        (refused(files.download("x", "/x").await), "files.download"),
        (refused(files.chmod("x", 0o644).await), "files.permissions"),
        (refused(files.chown("x", "0").await), "files.ownership"),
        (refused(files.symlink("x", "y").await), "files.symlinks"),
        (refused(files.list_depth("x", 0).await), "depth"),
        (refused(sandbox.exec([""; 0]).await), "argv"),
    ];
    for (name, expected) in cases {
        assert_eq!(name, expected);
    }
}

#[tokio::test]
async fn what_is_refused_of_lifetimes_changes_nothing() {
    let (_home, sandbox) =
        sandbox(&[Capability::LifecycleDetach, Capability::LifecycleSetLifetimes, Capability::LifecycleTtl]).await;
    let idle = Lifetimes { idle_timeout: Some(Lifetime::After(Duration::from_secs(1))), ..Lifetimes::default() };
    assert_eq!(refused(sandbox.set_lifetimes(idle).await), "lifecycle.idle_timeout");
    assert_eq!(refused(sandbox.set_ttl(Duration::ZERO).await), "ttl");
    sandbox.set_ttl(Duration::from_secs(60)).await.unwrap();
    sandbox.detach().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_create_does_not_take_for_ever() {
    let claims = Capabilities::of(Isolation::Container, LEAST);
    let kind = "slow".parse().unwrap();
    let slow = Arc::new(StandIn { kind, capabilities: claims, specs: Mutex::default(), patient: true });
    let (_home, isobox) = with(slow).await;
    let error = isobox.sandbox().create_timeout(Duration::from_secs(5)).create().await.unwrap_err();
    assert_eq!((error.code(), error.operation()), (ErrorCode::Timeout, Some("create")));
    assert!(error.message().contains("5s"), "{error}");
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_named_with_those_that_are() {
    let (_home, isobox) = with(StandIn::new("acme", LEAST)).await;
    let error = isobox.sandbox().provider("nonsense").create().await.unwrap_err();
    assert_eq!((error.code(), error.operation()), (ErrorCode::NotFound, Some("create")));
    assert!(error.message().contains("acme"), "{error}");
    let home = tempfile::tempdir().unwrap();
    let error = Isobox::builder().home(home.path()).default_provider("nonsense").open().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
}

#[cfg(all(feature = "host", feature = "namespace"))]
#[tokio::test]
async fn auto_is_never_the_host_and_never_what_the_caller_brought() {
    let home = tempfile::tempdir().unwrap();
    let isobox = Isobox::builder().home(home.path()).with_provider(StandIn::new("acme", LEAST)).open().await.unwrap();
    assert_eq!(isobox.provider(AUTO).await.unwrap().kind(), &ProviderKind::NAMESPACE);
    let kinds: Vec<_> = isobox.providers().iter().map(ToString::to_string).collect();
    assert_eq!(kinds, ["namespace", "docker", "host", "acme"]);
    let result = isobox.sandbox().least_isolation(Isolation::Vm).create().await;
    assert_eq!(refused(result), "isolation.vm", "auto takes nothing weaker instead");
}
