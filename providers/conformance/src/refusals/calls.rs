//! Calls that need one capability each, of the public interface and of the contract.

use crate::check::Checked;
use crate::lab::Lab;
use isobox::contract::{self, Context};
use isobox::{
    Capabilities, Capability, ExportOptions, ForkOptions, ImportOptions, Lifetimes, NetworkPolicy, Resources, Result,
    Sandbox, SandboxId, Signal, SnapshotId, SnapshotOptions, VolumeSpec,
};
use std::time::Duration;

/// What was asked for and what came back.
type Answers = Vec<(&'static str, Result<()>)>;

/// A file that is not there: nothing may get so far as to look.
const NO_FILE: &str = "/conformance-is-not-there";

/// Whether there is a call that needs the capability, where these are claimed.
pub(super) fn can_be_asked(claims: &Capabilities, capability: Capability) -> bool {
    use Capability::*;
    match capability {
        // Of something that is not there either.
        ExecSignals | ExecPtyResize => claims.has(ExecSpawn) && (capability != ExecPtyResize || claims.has(ExecPty)),
        SnapshotsFilesystem | SnapshotsLiveProcessState => claims.has(LifecycleSnapshot),
        SnapshotsExport | SnapshotsImport => claims.has(SnapshotsSupported),
        VolumesSize => claims.has(VolumesSupported),
        ImagesManage | ImagesLoad => claims.has(ImagesPull),
        AccessListeningPorts | AccessForward => claims.has(AccessPorts),
        LifecycleStop
        | LifecyclePause
        | LifecycleArchive
        | LifecycleFork
        | LifecycleForkFilesystem
        | LifecycleResize
        | LifecycleRecover
        | LifecycleUndelete
        | LifecycleRefreshActivity
        | LifecycleSetLifetimes
        | LifecycleLabels
        | LifecycleUpdateNetwork
        | LifecycleSnapshot
        | ExecSpawn
        | ExecAttach
        | ExecEnvironment
        | FilesUpload
        | FilesDownload
        | FilesPermissions
        | FilesOwnership
        | FilesSymlinks
        | FilesWatch
        | SearchSupported
        | GitSupported
        | ServicesSupported
        | SessionsSupported
        | AccessPorts
        | SnapshotsSupported
        | VolumesSupported
        | ImagesPull
        | ObserveMetrics
        | ObserveEnded => true,
        _ => false,
    }
}

/// Asks in every way there is.
pub(super) async fn answers(lab: &Lab, sandbox: &Sandbox, capability: Capability) -> Checked<Answers> {
    let raw = lab.raw(sandbox).await?;
    let mut answers = of_life(sandbox, capability).await;
    answers.extend(of_the_contract(&*raw, capability).await);
    answers.extend(of_commands_and_files(sandbox, capability).await);
    answers.extend(of_ways_in(sandbox, capability).await);
    answers.extend(of_the_fleet(lab, sandbox, capability).await);
    if capability == Capability::LifecycleUndelete {
        let record = raw.record();
        answers.push(("undelete", lab.provider().undelete(&record, &Context::quiet()).await.map(drop)));
    }
    Ok(answers)
}

async fn of_life(sandbox: &Sandbox, capability: Capability) -> Answers {
    match capability {
        Capability::LifecycleStop => vec![("stop", sandbox.stop(None).await)],
        Capability::LifecyclePause => vec![("pause", sandbox.pause().await), ("resume", sandbox.resume().await)],
        Capability::LifecycleFork => {
            let options = ForkOptions { include_memory: true, ..ForkOptions::default() };
            vec![("fork", sandbox.fork_with(1, options).await.map(drop))]
        }
        Capability::LifecycleForkFilesystem => vec![("fork", sandbox.fork(1).await.map(drop))],
        Capability::LifecycleResize => vec![("resize", sandbox.resize(some_pids()).await)],
        Capability::LifecycleRefreshActivity => vec![("touch", sandbox.touch().await)],
        Capability::LifecycleSetLifetimes => vec![("set_ttl", sandbox.set_ttl(Duration::from_secs(3600)).await)],
        Capability::LifecycleSnapshot | Capability::SnapshotsFilesystem => {
            vec![("snapshot", sandbox.snapshot(SnapshotOptions::default()).await.map(drop))]
        }
        Capability::SnapshotsLiveProcessState => {
            let options = SnapshotOptions { include_memory: true, ..SnapshotOptions::default() };
            vec![("snapshot", sandbox.snapshot(options).await.map(drop))]
        }
        Capability::ObserveMetrics => vec![("metrics", sandbox.metrics().await.map(drop))],
        Capability::ObserveEnded => vec![("ended", sandbox.ended().await.map(drop))],
        _ => Vec::new(),
    }
}

/// The same of the provider's own handle: it must refuse what it does not claim also when nobody asked it before.
async fn of_the_contract(raw: &dyn contract::Sandbox, capability: Capability) -> Answers {
    let context = Context::quiet();
    let id = SandboxId::generate();
    let copy = |include_memory| ForkOptions { include_memory, ..ForkOptions::default() };
    match capability {
        Capability::LifecycleStop => vec![("the provider's stop", raw.stop(None, &context).await)],
        Capability::LifecyclePause => {
            vec![("the provider's pause", raw.pause(&context).await), ("its resume", raw.resume(&context).await)]
        }
        Capability::LifecycleArchive => vec![("the provider's archive", raw.archive(&context).await)],
        Capability::LifecycleFork => {
            vec![("the provider's fork", raw.fork(&id, &copy(true), &context).await.map(drop))]
        }
        Capability::LifecycleForkFilesystem => {
            vec![("the provider's fork", raw.fork(&id, &copy(false), &context).await.map(drop))]
        }
        Capability::LifecycleResize => vec![("the provider's resize", raw.resize(&some_pids(), &context).await)],
        Capability::LifecycleRecover => vec![("the provider's recover", raw.recover(&context).await)],
        Capability::LifecycleRefreshActivity => vec![("the provider's refresh", raw.refresh_activity().await)],
        Capability::LifecycleSetLifetimes => {
            vec![("the provider's lifetimes", raw.set_lifetimes(&Lifetimes::default()).await)]
        }
        Capability::LifecycleLabels => vec![("the provider's labels", raw.set_labels(&Default::default()).await)],
        Capability::LifecycleUpdateNetwork => {
            vec![("the provider's network", raw.update_network(&NetworkPolicy::None).await)]
        }
        Capability::LifecycleSnapshot => {
            let taken = raw.snapshot(&SnapshotId::generate(), &SnapshotOptions::default(), &context).await;
            vec![("the provider's snapshot", taken.map(drop))]
        }
        Capability::ExecEnvironment => vec![("the provider's environment", raw.environment().await.map(drop))],
        Capability::ObserveMetrics => vec![("the provider's metrics", raw.metrics().await.map(drop))],
        Capability::ObserveEnded => vec![("the provider's end", raw.ended().await.map(drop))],
        _ => Vec::new(),
    }
}

async fn of_commands_and_files(sandbox: &Sandbox, capability: Capability) -> Answers {
    let files = sandbox.files();
    let answer = match capability {
        Capability::ExecSpawn => ("spawn", sandbox.exec(["true"]).spawn().await.map(drop)),
        Capability::ExecAttach => ("processes", sandbox.processes().await.map(drop)),
        Capability::ExecSignals => ("signal", signal(sandbox).await),
        Capability::ExecPtyResize => ("resize", resize(sandbox).await),
        Capability::FilesUpload => ("upload", files.upload(NO_FILE, "file").await.map(drop)),
        Capability::FilesDownload => ("download", files.download("file", NO_FILE).await.map(drop)),
        Capability::FilesPermissions => ("chmod", files.chmod(".", 0o700).await),
        Capability::FilesOwnership => ("chown", files.chown(".", "12345").await),
        Capability::FilesSymlinks => ("symlink", files.symlink("target", "link").await),
        Capability::FilesWatch => ("watch", files.watch(".").await.map(drop)),
        Capability::SearchSupported => ("glob", sandbox.search().glob("*", ".").await.map(drop)),
        Capability::GitSupported => ("init", sandbox.git().init("repository").await.map(drop)),
        Capability::ServicesSupported => ("services", sandbox.services().list().await.map(drop)),
        Capability::SessionsSupported => ("session", sandbox.session().open().await.map(drop)),
        _ => return Vec::new(),
    };
    vec![answer]
}

async fn signal(sandbox: &Sandbox) -> Result<()> {
    let process = sandbox.exec(["sleep", "1000"]).spawn().await?;
    process.signal(Signal::TERM).await
}

async fn resize(sandbox: &Sandbox) -> Result<()> {
    let process = sandbox.exec(["sleep", "1000"]).pty(24, 80).spawn().await?;
    process.resize(30, 90).await
}

async fn of_ways_in(sandbox: &Sandbox, capability: Capability) -> Answers {
    let answer = match capability {
        Capability::AccessPorts => ("connect", sandbox.connect(9).await.map(drop)),
        Capability::AccessListeningPorts => ("listening_ports", sandbox.listening_ports().await.map(drop)),
        Capability::AccessForward => ("forward", sandbox.forward(9).await.map(drop)),
        _ => return Vec::new(),
    };
    vec![answer]
}

async fn of_the_fleet(lab: &Lab, sandbox: &Sandbox, capability: Capability) -> Answers {
    let snapshots = lab.isobox().snapshots().provider(lab.kind());
    let volumes = lab.isobox().volumes().provider(lab.kind());
    let images = lab.isobox().images().provider(lab.kind());
    let name = lab.unique();
    let answer = match capability {
        Capability::SnapshotsSupported => ("list", snapshots.list().await.map(drop)),
        Capability::SnapshotsImport => ("import", snapshots.import(NO_FILE, ImportOptions::default()).await.map(drop)),
        Capability::SnapshotsExport => {
            let taken = sandbox.snapshot(SnapshotOptions::default()).await;
            let exported = match taken {
                Ok(taken) => {
                    lab.keep_snapshot(taken.external.as_str());
                    snapshots.export(taken.external, NO_FILE, ExportOptions::default()).await.map(drop)
                }
                Err(error) => Err(error),
            };
            ("export", exported)
        }
        Capability::VolumesSupported => ("create", volumes.create(name).await.map(drop)),
        Capability::VolumesSize => {
            lab.keep_volume(name.clone());
            let spec = VolumeSpec { size: Some(1 << 20), ..VolumeSpec::named(name) };
            ("create", volumes.create_with(spec).await.map(drop))
        }
        Capability::ImagesPull => ("pull", images.pull("conformance.invalid/none:1").await.map(drop)),
        Capability::ImagesManage => ("list", images.list().await.map(drop)),
        Capability::ImagesLoad => ("load", images.load(NO_FILE).await.map(drop)),
        _ => return Vec::new(),
    };
    vec![answer]
}

fn some_pids() -> Resources {
    Resources { pids: Some(1000), ..Resources::default() }
}
