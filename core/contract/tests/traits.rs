//! What a provider leaves out is refused by its dotted name, and the traits can be used as objects.

#![allow(clippy::unwrap_used)]

use async_trait::async_trait;
use isobox_contract::*;
use std::sync::Arc;

struct Bare {
    id: SandboxId,
    external: ExternalId,
    capabilities: Capabilities,
    workdir: SandboxPath,
}

fn bare() -> Bare {
    let id = SandboxId::generate();
    Bare { id, external: id.into(), capabilities: Capabilities::default(), workdir: "/".into() }
}

fn absent<T>() -> Result<T> {
    Err(Error::internal("not in this test"))
}

#[async_trait]
impl Exec for Bare {
    async fn run(&self, _: ExecRequest) -> Result<ExecResult> {
        absent()
    }
    async fn spawn(&self, _: ExecRequest) -> Result<Box<dyn Process>> {
        absent()
    }
    async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        absent()
    }
    async fn attach(&self, _: &ExecId, _: Replay) -> Result<Box<dyn Process>> {
        absent()
    }
}

#[async_trait]
impl Sandbox for Bare {
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
        SandboxRecord { id: self.id, external: self.external.clone(), data: serde_json::json!({"token": "hunter2"}) }
    }
    async fn describe(&self) -> Result<Status> {
        Ok(Status::new(self.external.clone(), ProviderKind::HOST, State::Running))
    }
    fn workdir(&self) -> &SandboxPath {
        &self.workdir
    }
    async fn platform(&self) -> Result<Platform> {
        absent()
    }
    async fn start(&self, _: &Context) -> Result<()> {
        Ok(())
    }
    async fn stop(&self, _: Option<std::time::Duration>, _: &Context) -> Result<()> {
        Ok(())
    }
    async fn delete(&self, _: &Context) -> Result<()> {
        Err(Error::new(ErrorCode::Conflict, "reached the sandbox"))
    }
    fn exec(&self) -> &dyn Exec {
        self
    }
    fn files(&self) -> &dyn Files {
        unreachable!("not in this test")
    }
}

fn refusal<T>(result: Result<T>) -> String {
    match result.map(|_| ()).unwrap_err().detail() {
        Detail::Unsupported { capability } => capability.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_is_left_out_is_refused_by_its_dotted_name() {
    let sandbox: Arc<dyn Sandbox> = Arc::new(bare());
    let context = Context::quiet();
    let live = ForkOptions { include_memory: true, ..Default::default() };
    let refusals = [
        (refusal(sandbox.environment().await), "exec.environment"),
        (refusal(sandbox.pause(&context).await), "lifecycle.pause"),
        (refusal(sandbox.resume(&context).await), "lifecycle.pause"),
        (refusal(sandbox.archive(&context).await), "lifecycle.archive"),
        (refusal(sandbox.fork(&SandboxId::generate(), &live, &context).await), "lifecycle.fork"),
        (
            refusal(sandbox.fork(&SandboxId::generate(), &Default::default(), &context).await),
            "lifecycle.fork_filesystem",
        ),
        (refusal(sandbox.resize(&Default::default(), &context).await), "lifecycle.resize"),
        (refusal(sandbox.snapshot(&SnapshotId::generate(), &Default::default(), &context).await), "lifecycle.snapshot"),
        (refusal(sandbox.recover(&context).await), "lifecycle.recover"),
        (refusal(sandbox.refresh_activity().await), "lifecycle.refresh_activity"),
        (refusal(sandbox.set_lifetimes(&Default::default()).await), "lifecycle.set_lifetimes"),
        (refusal(sandbox.set_labels(&Default::default()).await), "lifecycle.labels"),
        (refusal(sandbox.update_network(&Default::default()).await), "lifecycle.update_network"),
        (refusal(sandbox.detach().await), "lifecycle.detach"),
        (refusal(sandbox.adopt().await), "lifecycle.owner"),
        (refusal(sandbox.keepalive().await), "lifecycle.owner"),
        (refusal(sandbox.ended().await), "observe.ended"),
        (refusal(sandbox.metrics().await), "observe.metrics"),
    ];
    for (refused, name) in refusals {
        assert_eq!(refused, name);
        assert!(Capability::parse(name).is_some(), "{name}");
    }
    assert!(sandbox.ports().is_none() && sandbox.access().is_none() && sandbox.logs().is_none());
    assert!(sandbox.one_shots().is_none() && sandbox.search().is_none() && sandbox.git().is_none());
    assert!(sandbox.services().is_none() && sandbox.sessions().is_none() && sandbox.runtime_dir().is_none());
}

struct NoDoors;

impl Access for NoDoors {}

#[tokio::test]
async fn ways_in_that_are_left_out_are_refused_by_their_dotted_names() {
    let access: &dyn Access = &NoDoors;
    let second = std::time::Duration::from_secs(1);
    assert_eq!(refusal(access.preview_url(80).await), "access.preview_urls");
    assert_eq!(refusal(access.signed_preview_url(80, second).await), "access.signed_preview_urls");
    assert_eq!(refusal(access.ssh(None).await), "access.ssh");
    assert_eq!(refusal(access.ssh_revoke("t").await), "access.ssh_revoke");
    assert_eq!(refusal(access.shell_command().await), "access.shell_command");
    assert_eq!(refusal(access.web_terminal().await), "access.web_terminal");
    assert_eq!(refusal(access.vnc().await), "access.vnc");
    assert!(access.release_preview(80).await.is_ok());
}

#[test]
fn a_record_does_not_show_the_token_in_it() {
    let record = bare().record();
    assert!(!format!("{record:?}").contains("hunter2"));
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<SandboxRecord>(&json).unwrap(), record);
}

struct Fleet {
    capabilities: Capabilities,
    there: bool,
}

#[async_trait]
impl Provider for Fleet {
    fn kind(&self) -> &ProviderKind {
        &ProviderKind::HOST
    }
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
    async fn create(&self, _: &SandboxId, _: &SandboxSpec, _: &Context) -> Result<Arc<dyn Sandbox>> {
        absent()
    }
    async fn attach(&self, record: &SandboxRecord, _: &Context) -> Result<Arc<dyn Sandbox>> {
        match self.there {
            true => Ok(Arc::new(bare())),
            false => Err(Error::not_found(Resource::Sandbox, record.id)),
        }
    }
    async fn list(&self, _: &Filter) -> Result<Vec<Status>> {
        absent()
    }
}

#[tokio::test]
async fn deleting_what_is_not_there_is_fine_by_default() {
    let record = bare().record();
    let fleet = |there| Fleet { capabilities: Capabilities::default(), there };
    let provider: &dyn Provider = &fleet(false);
    assert!(provider.delete(&record, &Context::quiet()).await.is_ok());
    let error = fleet(true).delete(&record, &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Conflict);
    assert_eq!(refusal(provider.undelete(&record, &Context::quiet()).await), "lifecycle.undelete");
    assert_eq!(provider.health().await.status, HealthStatus::Unknown);
}

#[test]
fn a_deadline_that_has_passed_is_a_timeout() {
    let mut context = Context::quiet();
    assert_eq!(context.remaining("create").unwrap(), None);
    context.deadline = Some(std::time::Instant::now());
    assert_eq!(context.remaining("create").unwrap_err().code(), ErrorCode::Timeout);
}
