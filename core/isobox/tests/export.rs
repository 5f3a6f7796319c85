//! Snapshots as images: what is restored from the archive cannot be told from the original.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;
#[path = "common/exported.rs"]
mod exported;
mod image;

use common::Lab;
use elsewhere::settles;
use exported::{PICTURE, changed, out, prepared, with_tools};
use isobox::{ErrorCode, EventKind, EventSink, ExportOptions, ProgressUnit, SnapshotOptions};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[tokio::test]
async fn a_sandbox_from_the_archive_is_like_the_original() {
    let lab = Lab::open().await;
    let image = with_tools();
    let sandbox = changed(&lab, &image).await;
    let before = out(&sandbox, PICTURE).await;
    let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    sandbox.delete().await.unwrap();
    // What it says of itself is kept in the snapshot.
    lab.isobox.images().provider("namespace").prune(0).await.unwrap();
    let to = lab.home().join("image.tar");
    let snapshots = lab.isobox.snapshots().provider("namespace");
    let exported = snapshots.export(&snapshot.external, &to, ExportOptions::named("app:1")).await.unwrap();
    assert_eq!(exported.reference.as_deref(), Some("docker.io/library/app:1"));
    assert_eq!(exported.layers.len(), 4, "two of the image and one for each snapshot");
    snapshots.delete(&snapshot.external).await.unwrap();

    let elsewhere = Lab::open().await;
    let restored = prepared(&elsewhere, &to).create().await.unwrap();
    assert_eq!(out(&restored, PICTURE).await, before);
    assert_eq!(out(&restored, "pwd; echo $FROM; echo $GIVEN").await, "/data\nthe image\n\n", "what the image says");
    restored.delete().await.unwrap();
    let loaded = elsewhere.isobox.images().provider("namespace").load(&to).await.unwrap();
    assert_eq!(loaded[0].reference, "docker.io/library/app:1");
    let details = elsewhere.isobox.images().provider("namespace").inspect("app:1").await.unwrap();
    assert_eq!((details.id, details.digests), (exported.id, vec![exported.digest]));
    assert_eq!(details.config["config"]["Labels"]["made"], "here");
    assert_eq!(details.config["config"]["Cmd"][0], "sh");
}

#[tokio::test]
async fn a_directory_becomes_the_first_layer() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let root = place.path().join("root");
    image::busybox_in(&root);
    let sandbox =
        lab.isobox.sandbox().provider("namespace").rootfs(&root).env("SECRET", "s3cret").create().await.unwrap();
    out(&sandbox, "echo made > /made; rm /etc/group").await;
    let child = sandbox.fork(1).await.unwrap().pop().unwrap();
    let snapshot = child.snapshot(SnapshotOptions::default()).await.unwrap();
    child.delete().await.unwrap();
    sandbox.delete().await.unwrap();
    let to = lab.home().join("image.tar");
    let snapshots = lab.isobox.snapshots().provider("namespace");
    let exported = snapshots.export(&snapshot.external, &to, ExportOptions::default()).await.unwrap();
    assert_eq!(exported.layers.len(), 3, "the directory, the fork's copy and the snapshot");
    assert!(!String::from_utf8_lossy(&fs::read(&to).unwrap()).contains("s3cret"), "variables may be secrets");
    let restored = prepared(&lab, &to).create().await.unwrap();
    assert_eq!(out(&restored, "cat /made; ls /etc").await, "made\nhostname\nhosts\npasswd\n");
    restored.delete().await.unwrap();
}

/// How many bytes it was told.
#[derive(Default)]
struct Told(Mutex<Vec<u64>>);

impl EventSink for Told {
    fn emit(&self, event: EventKind) {
        let EventKind::OperationProgress { progress, .. } = event else { return };
        assert_eq!((progress.code.as_str(), progress.unit), ("snapshot.export", Some(ProgressUnit::Bytes)));
        self.0.lock().unwrap().push(progress.completed.unwrap());
    }
}

#[tokio::test]
async fn how_far_it_is_is_told() {
    let lab = Lab::open().await;
    let image = with_tools();
    let sandbox = prepared(&lab, &image.archive("app:1")).create().await.unwrap();
    out(&sandbox, "busybox dd if=/dev/zero of=/data/large bs=1M count=40 2>/dev/null").await;
    let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    sandbox.delete().await.unwrap();
    let (told, to) = (Arc::new(Told::default()), lab.home().join("image.tar"));
    let snapshots = lab.isobox.snapshots().provider("namespace");
    snapshots.export_with(&snapshot.external, &to, ExportOptions::default(), told.clone()).await.unwrap();
    let told = told.0.lock().unwrap();
    assert!(told.len() >= 5 && told.is_sorted(), "{told:?}");
    assert!(told.last().unwrap() >= &(36 << 20), "{told:?}");
}

#[tokio::test]
async fn a_fork_knows_the_image_after_it_is_gone() {
    let lab = Lab::open().await;
    let image = with_tools();
    let sandbox = prepared(&lab, &image.archive("app:1")).create().await.unwrap();
    let child = sandbox.fork(1).await.unwrap().pop().unwrap();
    sandbox.delete().await.unwrap();
    lab.isobox.images().provider("namespace").prune(0).await.unwrap();
    let snapshot = child.snapshot(SnapshotOptions::default()).await.unwrap();
    child.delete().await.unwrap();
    let to = lab.home().join("image.tar");
    lab.isobox.snapshots().export(&snapshot.external, &to, ExportOptions::default()).await.unwrap();
    let restored = prepared(&lab, &to).create().await.unwrap();
    assert_eq!(out(&restored, "pwd; echo $FROM").await, "/data\nthe image\n");
    restored.delete().await.unwrap();
}

#[tokio::test]
async fn a_snapshot_that_is_deleted_meanwhile_is_exported_whole() {
    let lab = Lab::open().await;
    let image = with_tools();
    let sandbox = prepared(&lab, &image.archive("app:1")).create().await.unwrap();
    out(&sandbox, "busybox dd if=/dev/zero of=/data/large bs=1M count=100 2>/dev/null; echo last > /zzz").await;
    let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    sandbox.delete().await.unwrap();
    let (place, snapshots) = (tempfile::tempdir().unwrap(), lab.isobox.snapshots().provider("namespace"));
    let to = place.path().join("image.tar");
    let export = tokio::spawn({
        let (snapshots, id, to) = (snapshots.clone(), snapshot.external.clone(), to.clone());
        async move { snapshots.export(&id, &to, ExportOptions::default()).await }
    });
    settles("the beginning of the export", || !names(place.path()).is_empty()).await;
    snapshots.delete(&snapshot.external).await.unwrap();
    lab.isobox.images().provider("namespace").prune(0).await.unwrap();
    export.await.unwrap().unwrap();
    let restored = prepared(&lab, &to).create().await.unwrap();
    assert_eq!(out(&restored, "cat /zzz; stat -c %s large").await, "last\n104857600\n");
    // With the next one the layers go.
    let last = restored.snapshot(SnapshotOptions::default()).await.unwrap();
    snapshots.delete(&last.external).await.unwrap();
    assert_eq!(names(&lab.home().join("snapshots/layers")), Vec::<String>::new());
    restored.delete().await.unwrap();
}

#[tokio::test]
async fn what_is_no_image_is_refused_by_name() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    let to = lab.home().join("image.tar");
    let snapshots = lab.isobox.snapshots().provider("namespace");
    let host = snapshots.export(&snapshot.external, &to, ExportOptions::default()).await.unwrap_err();
    assert_eq!(host.code(), ErrorCode::Unsupported, "{host}");
    assert!(host.message().contains("this machine's own programs"), "{host}");
    assert!(host.message().contains(snapshot.external.as_str()), "{host}");
    snapshots.delete(&snapshot.external).await.unwrap();
    let gone = snapshots.export(&snapshot.external, &to, ExportOptions::default()).await.unwrap_err();
    assert_eq!(gone.code(), ErrorCode::NotFound, "{gone}");
    let host = lab.isobox.snapshots().provider("host");
    let other = host.export(&snapshot.external, &to, ExportOptions::default()).await.unwrap_err();
    assert_eq!(other.code(), ErrorCode::Unsupported, "{other}");
    assert!(other.message().contains("snapshots.export"), "{other}");
    assert!(!to.exists());
    sandbox.delete().await.unwrap();
}
