//! What the tests of limits share: sandboxes that have some, where the machine can.

use super::Lab;
use isobox::{
    Capability, DiskBacking, ErrorCode, NamespaceOptions, OutputEvent, Process, ProviderOptions, Resources, Sandbox,
    SandboxBuilder,
};
use std::path::Path;
use std::time::{Duration, Instant};

pub const MIB: u64 = 1 << 20;

/// Whether namespace sandboxes can do something here; that they cannot is said.
pub async fn able(lab: &Lab, capability: Capability) -> bool {
    let provider = lab.isobox.provider("namespace").await.unwrap();
    let able = provider.capabilities().has(capability);
    if !able {
        println!("skipped: no {capability} here: {}", provider.why_not(capability).unwrap_or_default());
    }
    able
}

/// A sandbox with these limits, or nothing when this machine cannot have them, which is said.
pub async fn limited(lab: &Lab, resources: Resources) -> Option<Sandbox> {
    for needed in resources.needs() {
        if !able(lab, needed).await {
            return None;
        }
    }
    Some(lab.isobox.sandbox().provider("namespace").resources(resources).create().await.unwrap())
}

/// A sandbox that can be paused, or nothing, which is said.
pub async fn pausable(lab: &Lab, settings: impl FnOnce(SandboxBuilder) -> SandboxBuilder) -> Option<Sandbox> {
    if !able(lab, Capability::LifecyclePause).await {
        let provider = lab.isobox.provider("namespace").await.unwrap();
        let reason = provider.why_not(Capability::LifecyclePause).unwrap();
        let sandbox = lab.sandbox("namespace").await;
        let error = sandbox.pause().await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Unsupported);
        assert!(error.message().contains(&reason), "{error}");
        return None;
    }
    Some(settings(lab.isobox.sandbox().provider("namespace")).create().await.unwrap())
}

/// A limit of disk with this backing.
pub fn with_disk(lab: &Lab, backing: DiskBacking, bytes: u64) -> SandboxBuilder {
    let options = NamespaceOptions { disk_backing: Some(backing), ..NamespaceOptions::default() };
    lab.isobox.sandbox().provider("namespace").disk(bytes).options(ProviderOptions::Namespace(options))
}

/// [`with_disk`], or nothing where that is not possible, which is said.
pub fn on_disk_of(lab: &Lab, backing: DiskBacking, bytes: u64) -> Option<SandboxBuilder> {
    let ways = isobox_disk::Ways::below(lab.home());
    let way = match backing {
        DiskBacking::Tmpfs => ways.memory,
        DiskBacking::Loop => ways.image,
        _ => ways.quota,
    };
    if let Err(obstacle) = way {
        println!("skipped: a disk cannot be limited by {backing:?} here: {obstacle}");
        return None;
    }
    Some(with_disk(lab, backing, bytes))
}

/// A filesystem with project quotas, on a loop device of its own, which goes with it.
pub struct WithQuota(tempfile::TempDir);

impl WithQuota {
    /// Mounts one of a kind, or says why that cannot be.
    pub fn mount(kind: &str) -> Result<Self, String> {
        let place = tempfile::tempdir().unwrap();
        let (file, target) = (place.path().join("file"), place.path().join("mounted"));
        std::fs::create_dir(&target).unwrap();
        std::fs::File::create(&file).unwrap().set_len(512 * MIB).unwrap();
        let made = match kind {
            "ext4" => run("mkfs.ext4", &["-q", "-O", "project,quota"], &[&file]),
            _ => run(&format!("mkfs.{kind}"), &["-q"], &[&file]),
        };
        made?;
        run("mount", &["-t", kind, "-o", "loop,prjquota"], &[&file, &target])?;
        Ok(Self(place))
    }

    /// Where it is.
    pub fn path(&self) -> std::path::PathBuf {
        self.0.path().join("mounted")
    }
}

impl Drop for WithQuota {
    fn drop(&mut self) {
        run("umount", &["-l"], &[&self.path()]).unwrap();
    }
}

fn run(program: &str, options: &[&str], paths: &[&Path]) -> Result<(), String> {
    let done = std::process::Command::new(program).args(options).args(paths).output();
    let done = done.map_err(|error| format!("there is no {program}: {error}"))?;
    match done.status.success() {
        true => Ok(()),
        false => Err(format!("{program}: {}", String::from_utf8_lossy(&done.stderr).trim())),
    }
}

/// Waits until no loop device has a file below a directory: the kernel lets go of one a moment after its last user.
pub fn no_loop_device_below(directory: &Path) {
    let begun = Instant::now();
    loop {
        let files = std::fs::read_dir("/sys/block").into_iter().flatten().flatten();
        let files = files.filter_map(|entry| std::fs::read_to_string(entry.path().join("loop/backing_file")).ok());
        let left: Vec<_> = files.filter(|file| Path::new(file.trim_end()).starts_with(directory)).collect();
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{left:?}");
        std::thread::yield_now();
    }
}

/// A command that counts as fast as it can.
pub async fn counter(sandbox: &Sandbox) -> Process {
    sandbox.shell("i=0; while :; do i=$((i+1)); echo $i > /tmp/count; echo; done").spawn().await.unwrap()
}

/// Waits for output.
pub async fn line(process: &Process) {
    assert!(matches!(process.next().await.unwrap(), Some(OutputEvent::Stdout(_))));
}
