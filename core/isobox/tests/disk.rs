//! A limit of disk stops the sandbox that reaches it, and nobody else.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use common::limited::{MIB, WithQuota, no_loop_device_below, on_disk_of, with_disk};
use isobox::{Detail, DiskBacking, ErrorCode, Expiry, NamespaceOptions, ProviderOptions, Resources, SnapshotOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

const BACKINGS: [DiskBacking; 3] = [DiskBacking::Tmpfs, DiskBacking::Loop, DiskBacking::Quota];

fn field(error: &isobox::Error) -> &str {
    match error.detail() {
        Detail::InvalidSpec { field, .. } => field,
        other => panic!("{error}: {other:?}"),
    }
}

/// Runs a test with each backing that this machine has, in a lab of its own, in which nothing is left.
async fn with_each(backings: &[DiskBacking], test: impl AsyncFn(&Lab, DiskBacking)) {
    for backing in backings {
        if *backing != DiskBacking::Quota {
            with_one(&std::env::temp_dir(), *backing, &test).await;
            continue;
        }
        for kind in ["ext4", "xfs"] {
            match WithQuota::mount(kind) {
                Ok(disk) => with_one(&disk.path(), *backing, &test).await,
                Err(reason) => println!("skipped: no {kind} with project quotas can be mounted here: {reason}"),
            }
        }
    }
}

async fn with_one(place: &Path, backing: DiskBacking, test: impl AsyncFn(&Lab, DiskBacking)) {
    let lab = Lab::open_in(place).await;
    if on_disk_of(&lab, backing, 8 * MIB).is_none() {
        return;
    }
    eprintln!("with {backing:?} in {}", place.display());
    test(&lab, backing).await;
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new(), "with {backing:?}");
    no_loop_device_below(lab.home());
}

#[tokio::test]
async fn a_full_disk_is_the_sandboxs_own() {
    with_each(&BACKINGS, async |lab, backing| {
        let sandbox = with_disk(lab, backing, 16 * MIB).create().await.unwrap();
        let neighbour = with_disk(lab, backing, 16 * MIB).create().await.unwrap();
        let filled = sandbox.shell("head -c 32000000 /dev/zero > /root/large; stat -c %s /root/large").await.unwrap();
        let said = filled.stderr.text().into_owned();
        assert!(said.contains("No space left") || said.contains("quota exceeded"), "{filled:?}");
        let written: u64 = filled.stdout.text().trim().parse().unwrap();
        assert!((14 * MIB..=16 * MIB).contains(&written), "{written}");
        let error = sandbox.files().write("/root/more", vec![0; 1 << 20]).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
        let metrics = sandbox.metrics().await.unwrap();
        assert_eq!(metrics.disk_limit, Some(16 * MIB));
        assert!(metrics.disk.unwrap() >= written, "{metrics:?}");
        let limits = sandbox.describe().await.unwrap().resources.unwrap();
        assert_eq!(limits.disk, Some(16 * MIB));
        // The neighbour has all of its own, and what is removed can be written again.
        neighbour.files().write("/root/mine", vec![0; 12 << 20]).await.unwrap();
        assert!(sandbox.exec(["rm", "/root/large"]).await.unwrap().success());
        sandbox.files().write("/root/more", vec![0; 1 << 20]).await.unwrap();
        sandbox.delete().await.unwrap();
        neighbour.delete().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_is_on_it_is_as_on_any_disk() {
    with_each(&BACKINGS, async |lab, backing| {
        let sandbox = with_disk(lab, backing, 64 * MIB).create().await.unwrap();
        let script = "set -e; mkdir -p /root/a/b; echo x > /root/a/b/c; rm -r /root/a; mkdir /root/a; ls /root/a; \
                      rm -r /mnt; mkdir /mnt; ln -s /root /mnt/l; mv /root/a /root/d; test -d /mnt/l/d; \
                      ln /etc/hosts /etc/hosts2; echo fine";
        let result = sandbox.shell(script).await.unwrap();
        assert_eq!((result.exit_code, result.stdout.text().as_ref()), (0, "fine\n"), "{}", result.stderr.text());
        // Nothing of the image itself can be seen.
        let seen = sandbox.shell("cat /proc/mounts; ls / | grep -E 'upper|work|lost' || echo clean").await.unwrap();
        assert!(!seen.stdout.text().contains("/dev/loop") && seen.stdout.text().ends_with("clean\n"), "{seen:?}");
        sandbox.delete().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_is_on_disk_outlasts_a_stop_and_what_is_in_memory_says_that_it_would_not() {
    with_each(&BACKINGS, async |lab, backing| {
        let sandbox = with_disk(lab, backing, 16 * MIB).create().await.unwrap();
        sandbox.files().write("/root/kept", "still there").await.unwrap();
        if backing == DiskBacking::Tmpfs {
            let error = sandbox.stop(None).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::Unsupported, "a stop would lose it: {error}");
            let error = sandbox.fork(1).await.map(drop).unwrap_err();
            assert_eq!(error.code(), ErrorCode::Unsupported, "{error}");
            assert!(error.message().contains("disk_backing"), "{error}");
            let of_root = rustix::process::geteuid().is_root();
            assert_eq!(error.message().contains("several users"), !of_root, "root copies files of all users: {error}");
            assert!(sandbox.exec(["test", "-f", "/root/kept"]).await.unwrap().success());
            return sandbox.delete().await.unwrap();
        }
        sandbox.stop(None).await.unwrap();
        no_loop_device_below(lab.home());
        sandbox.start().await.unwrap();
        let kept = sandbox.shell("cat /root/kept; head -c 32000000 /dev/zero > /root/large").await.unwrap();
        assert_eq!((kept.stdout.text().as_ref(), kept.success()), ("still there", false), "the limit is there again");
        sandbox.stop(None).await.unwrap();
        sandbox.delete().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_is_on_disk_can_be_copied_while_it_runs_and_when_it_is_stopped() {
    with_each(&[DiskBacking::Loop, DiskBacking::Quota], async |lab, backing| {
        let sandbox = with_disk(lab, backing, 16 * MIB).create().await.unwrap();
        sandbox.files().write("/root/first", "one").await.unwrap();
        let children = sandbox.fork(2).await.unwrap();
        sandbox.files().write("/root/second", "two").await.unwrap();
        sandbox.stop(None).await.unwrap();
        let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
        sandbox.delete().await.unwrap();
        for child in children {
            let seen = child.shell("ls /root; head -c 32000000 /dev/zero > /root/large").await.unwrap();
            assert_eq!(seen.stdout.text().as_ref(), "first\n");
            assert!(!seen.success(), "the limit is a child's own as well");
            child.delete().await.unwrap();
        }
        let restored = with_disk(lab, backing, 16 * MIB).snapshot(snapshot.id.unwrap()).create().await.unwrap();
        let seen = restored.shell("cat /root/first /root/second").await.unwrap();
        assert_eq!(seen.stdout.text().as_ref(), "onetwo");
        restored.delete().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_quota_can_be_changed_and_the_others_say_that_they_cannot() {
    with_each(&BACKINGS, async |lab, backing| {
        let sandbox = with_disk(lab, backing, 16 * MIB).create().await.unwrap();
        let more = Resources { disk: Some(64 * MIB), ..Resources::default() };
        if backing != DiskBacking::Quota {
            let error = sandbox.resize(more).await.unwrap_err();
            assert!(matches!(error.code(), ErrorCode::InvalidSpec | ErrorCode::Unsupported), "{error}");
            return sandbox.delete().await.unwrap();
        }
        let large = vec![0; 32 << 20];
        assert_eq!(sandbox.files().write("/root/large", large.clone()).await.unwrap_err().code(), ErrorCode::OutOfDisk);
        sandbox.resize(more).await.unwrap();
        sandbox.files().write("/root/large", large).await.unwrap();
        assert_eq!(sandbox.metrics().await.unwrap().disk_limit, Some(64 * MIB));
        let less = Resources { disk: Some(8 * MIB), ..Resources::default() };
        assert_eq!(field(&sandbox.resize(less).await.unwrap_err()), "resources.disk", "more is in use");
        sandbox.delete().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_would_lose_or_not_limit_is_refused_by_field() {
    let lab = Lab::open().await;
    if on_disk_of(&lab, DiskBacking::Tmpfs, MIB).is_some() {
        let expiring = with_disk(&lab, DiskBacking::Tmpfs, 64 * MIB).ttl(Duration::from_secs(60));
        let error = expiring.on_expiry(Expiry::Stop).create().await.unwrap_err();
        assert_eq!(field(&error), "on_expiry");
        let options = NamespaceOptions { disk_backing: Some(DiskBacking::Tmpfs), ..NamespaceOptions::default() };
        let sizeless = lab.isobox.sandbox().provider("namespace").options(ProviderOptions::Namespace(options));
        assert_eq!(field(&sizeless.create().await.unwrap_err()), "options.namespace.disk_backing");
    }
    if on_disk_of(&lab, DiskBacking::Loop, MIB).is_some() {
        let error = with_disk(&lab, DiskBacking::Loop, MIB).create().await.unwrap_err();
        assert_eq!(field(&error), "resources.disk");
        assert!(error.message().contains("4 MiB"), "{error}");
    }
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

/// Each way that this machine does not have, by name and without.
#[tokio::test]
async fn what_this_machine_does_not_have_is_refused_with_the_reason_and_the_way_out() {
    let lab = Lab::open().await;
    let provider = lab.isobox.provider("namespace").await.unwrap();
    if !provider.capabilities().has(isobox::Capability::ResourcesDisk) {
        println!("skipped: a disk cannot be limited here at all");
        return;
    }
    for backing in BACKINGS {
        if on_disk_of(&lab, backing, 8 * MIB).is_some() {
            continue;
        }
        let error = with_disk(&lab, backing, 8 * MIB).create().await.unwrap_err();
        assert_eq!(field(&error), "options.namespace.disk_backing", "{error}");
    }
    let plain = lab.isobox.sandbox().provider("namespace").disk(16 * MIB).create().await;
    match on_disk_of(&lab, DiskBacking::Quota, 8 * MIB) {
        Some(_) => plain.unwrap().delete().await.unwrap(),
        None => {
            let error = plain.unwrap_err();
            assert_eq!(field(&error), "resources.disk");
            assert!(error.message().contains("quota") && error.message().contains("disk_backing"), "{error}");
        }
    }
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}
