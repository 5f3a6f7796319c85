//! An exported snapshot in a real Docker: loaded, looked at, run and saved again.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/dockerd.rs"]
mod dockerd;
#[path = "common/exported.rs"]
mod exported;
mod image;

use common::Lab;
use dockerd::Dockerd;
use exported::{changed, out, with_tools};
use isobox::{ExportOptions, LayerCompression, SnapshotOptions};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// What a directory holds, as GNU find and sha256sum tell it. Docker keeps whole seconds and no sockets.
const LOOK: &str = "cd \"$0/data\" && find . -printf '%P %y %m %U:%G %TY-%Tm-%Td %TH:%TM:%.2TS %l\\n' | LC_ALL=C sort
    find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; ls ../bin";

fn sh(script: &str, argument: &Path) -> String {
    let done = Command::new("sh").arg("-c").arg(script).arg(argument).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// What a container of the image says; the reason when there can be none.
fn ran(daemon: &Dockerd) -> Result<String, String> {
    let mut run = Command::new("docker");
    run.args([
        "-H",
        daemon.socket(),
        "run",
        "--rm",
        "--network",
        "none",
        "exported:1",
        "sh",
        "-c",
        "cat later; echo $FROM",
    ]);
    let done = run.output().unwrap();
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&done.stderr).into_owned()),
    }
}

#[tokio::test]
async fn docker_loads_what_is_exported_and_has_the_same_files() {
    let Some(daemon) = Dockerd::start() else { return };
    let lab = Lab::open().await;
    let sandbox = changed(&lab, &with_tools()).await;
    // The original, by way of the sandbox's own files.
    let original = lab.home().join("original");
    std::fs::create_dir(&original).unwrap();
    let archive = sandbox.exec(["busybox", "tar", "-C", "/", "-cf", "-", "data", "bin"]).await.unwrap();
    std::fs::write(lab.home().join("original.tar"), &archive.stdout.bytes).unwrap();
    let unpack = "mkdir -p \"$0\" && tar -C \"$0\" --numeric-owner -xpf \"$0.tar\"";
    sh(unpack, &original);
    let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    assert_eq!(out(&sandbox, "cat /data/later").await, "later\n");
    sandbox.delete().await.unwrap();
    for compression in [LayerCompression::None, LayerCompression::Gzip] {
        let to = lab.home().join("image.tar");
        let options = ExportOptions { compression, ..ExportOptions::named("exported:1") };
        let snapshots = lab.isobox.snapshots().provider("namespace");
        let exported = snapshots.export(&snapshot.external, &to, options).await.unwrap();
        let loaded = daemon.docker(&["load", "--input", to.to_str().unwrap()]);
        assert!(loaded.contains("exported:1"), "{loaded}");
        let inspected: Value = serde_json::from_str(&daemon.docker(&["inspect", "exported:1"])).unwrap();
        let inspected = &inspected[0];
        assert_eq!(inspected["Id"], exported.id);
        assert_eq!(inspected["RootFS"]["Layers"], json!(exported.layers));
        assert_eq!(inspected["Config"]["Env"], json!(["PATH=/bin", "FROM=the image"]));
        assert_eq!(inspected["Config"]["WorkingDir"], "/data");
        assert_eq!(inspected["Config"]["Cmd"], json!(["sh"]));
        let history = daemon.docker(&["history", "--no-trunc", "--format", "{{.CreatedBy}}", "exported:1"]);
        assert_eq!(history.lines().count(), 4, "{history}");

        let container = daemon.docker(&["create", "exported:1"]);
        let copy = lab.home().join(format!("copy-{compression}"));
        daemon.docker(&["export", "--output", &format!("{}.tar", copy.display()), container.trim()]);
        sh(unpack, &copy);
        assert_eq!(sh(LOOK, &copy), sh(LOOK, &original));
        daemon.docker(&["rm", container.trim()]);

        match ran(&daemon) {
            Ok(said) => assert_eq!(said, "later\nthe image\n"),
            Err(reason) => eprintln!("skipped: running the image: Docker runs no container here: {reason}"),
        }

        // Docker gives the very same layers back.
        let saved = lab.home().join("saved.tar");
        daemon.docker(&["save", "--output", saved.to_str().unwrap(), "exported:1"]);
        let again = lab.isobox.images().provider("namespace").load(&saved).await.unwrap();
        let details = lab.isobox.images().provider("namespace").inspect(&again[0].reference).await.unwrap();
        assert_eq!(details.id, exported.id);
        daemon.docker(&["rmi", "exported:1"]);
    }
}
