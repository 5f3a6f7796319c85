//! Limits of disk: they hold where the engine's storage has quotas, and are refused where it has none.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/docker.rs"]
mod docker;
#[path = "common/dockerd.rs"]
mod dockerd;

use docker::{DockerLab, TINY};
use dockerd::{Dockerd, mount_new};
use isobox::{Capability, Detail, Error, ErrorCode, Resources, Sandbox};

const MIB: u64 = 1 << 20;
const LIMIT: u64 = 64 * MIB;
/// What a filesystem may need beside the contents of files, or not count at once.
const SLACK: u64 = 8 * MIB;

/// An engine of the test's own that keeps everything on a new filesystem.
async fn lab(driver: &str, filesystem: &str, options: &str) -> Option<(DockerLab, Dockerd)> {
    eprintln!("on {filesystem} with {driver}, mounted with {options}");
    let driver = format!("--storage-driver={driver}");
    let daemon = Dockerd::with(&[&driver], |root| mount_new(filesystem, options, "2G", root))?;
    if !daemon.has_image(TINY) {
        return None;
    }
    Some((DockerLab::with(daemon.socket()).await, daemon))
}

/// How much a command can write.
async fn room(sandbox: &Sandbox) -> u64 {
    let script = "cat /dev/zero 2>&1 >/fill; echo ended with $?; stat -c %s /fill";
    let said = sandbox.shell(script).await.unwrap().stdout.text().to_string();
    assert!(said.contains("No space left on device") || said.contains("quota exceeded"), "{said}");
    assert_eq!(said.lines().nth(1), Some("ended with 1"), "{said}");
    sandbox.shell("rm /fill; sync").await.unwrap();
    said.lines().nth(2).unwrap().parse().unwrap()
}

/// That a sandbox has its limit, in whatever way it is written to.
async fn holds(sandbox: &Sandbox) {
    let room = room(sandbox).await;
    assert!(room > LIMIT - 2 * SLACK && room < LIMIT + SLACK, "{room} bytes were written");
    let error = sandbox.files().write("/large", vec![7; 96 << 20]).await.unwrap_err();
    assert_eq!((error.code(), error.is_infrastructure()), (ErrorCode::OutOfDisk, false), "{error:?}");
    sandbox.shell("rm -f /large; sync").await.unwrap();
    sandbox.files().write("/small", vec![7; 8 << 20]).await.unwrap();
}

async fn limits_are_kept(lab: &DockerLab) {
    let sandbox = lab.tiny().disk(LIMIT).create().await.unwrap();
    assert!(sandbox.capabilities().has(Capability::ResourcesDisk));
    assert_eq!(sandbox.metrics().await.unwrap().disk_limit, Some(LIMIT));
    holds(&sandbox).await;
    let refused = sandbox.resize(Resources { disk: Some(2 * LIMIT), ..Resources::default() }).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{refused}");
    assert!(refused.message().contains("resources.disk") && refused.message().contains("new one"), "{refused}");
    // The limit is the sandbox's and its copies', over a stop too, and nobody else's.
    sandbox.stop(None).await.unwrap();
    sandbox.start().await.unwrap();
    holds(&sandbox).await;
    let copy = sandbox.fork(1).await.unwrap().pop().unwrap();
    assert!(room(&copy).await < LIMIT + SLACK);
    let found = lab.again().await.connect(sandbox.id().as_str()).await.unwrap();
    assert_eq!(found.metrics().await.unwrap().disk_limit, Some(LIMIT));
    let free = lab.sandbox().await;
    free.files().write("/large", vec![7; 96 << 20]).await.unwrap();
    for sandbox in [copy, sandbox, free] {
        sandbox.delete().await.unwrap();
        lab.assert_gone(sandbox.id().as_str());
    }
    assert_eq!(lab.ours(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_disk_holds_on_xfs_with_quotas() {
    if let Some((lab, _daemon)) = lab("overlay2", "xfs", "loop,pquota").await {
        limits_are_kept(&lab).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_disk_holds_on_btrfs() {
    if let Some((lab, _daemon)) = lab("btrfs", "btrfs", "loop").await {
        limits_are_kept(&lab).await;
    }
}

/// How a limit is refused, and that nothing was begun for it.
async fn refusal(lab: &DockerLab) -> Error {
    let refused = lab.tiny().disk(LIMIT).create().await.unwrap_err();
    assert_eq!((lab.docker(&["ps", "--all", "--quiet"]).unwrap(), lab.left_over()), (String::new(), Vec::new()));
    assert!(!refused.is_retryable() && refused.message().contains("pquota"), "{refused}");
    refused
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_disk_is_refused_as_unsupported_by_storage_that_never_has_quotas() {
    let Some((lab, _daemon)) = lab("overlay2", "ext4", "loop").await else { return };
    let refused = refusal(&lab).await;
    assert_eq!(refused.code(), ErrorCode::Unsupported, "{refused}");
    let named = matches!(refused.detail(), Detail::Unsupported { capability } if capability == "resources.disk");
    assert!(named && refused.message().contains("extfs"), "{refused}");
    let sandbox = lab.sandbox().await;
    let refused = sandbox.resize(Resources { disk: Some(LIMIT), ..Resources::default() }).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Unsupported, "{refused}");
    sandbox.delete().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_disk_is_refused_by_xfs_that_was_mounted_without_quotas() {
    // An engine does not say that it lacks them before it is asked for a container.
    let Some((lab, _daemon)) = lab("overlay2", "xfs", "loop,noquota").await else { return };
    let refused = refusal(&lab).await;
    assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{refused}");
    assert!(refused.message().contains("resources.disk"), "{refused}");
}
