//! gVisor as the runtime of Docker: a kernel of its own, and everything else as everywhere.
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

use docker::{DEBIAN, DockerLab};
use isobox::{ErrorCode, Isolation, Mount, Sandbox, SandboxBuilder};
use std::time::Duration;

/// An engine that has it; else the test is skipped.
async fn lab() -> Option<DockerLab> {
    let lab = DockerLab::open().await?;
    let runtimes = lab.docker(&["info", "--format", "{{json .Runtimes}}"]).unwrap();
    if runtimes.contains("\"runsc\"") {
        return Some(lab);
    }
    eprintln!(
        "skipped: the engine has no runtime runsc, run this with `cargo xtask docker --engine 26 --runsc -- ...`"
    );
    None
}

fn builder(lab: &DockerLab) -> SandboxBuilder {
    lab.isobox.sandbox().provider("docker").image(DEBIAN).least_isolation(Isolation::Gvisor)
}

async fn out(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    assert_eq!(result.exit_code, 0, "{script}: {}", result.stderr.text());
    result.stdout.text().trim().to_owned()
}

#[tokio::test]
async fn its_kernel_is_not_the_machines() {
    let Some(lab) = lab().await else { return };
    let sandbox = builder(&lab).create().await.unwrap();
    assert_eq!(sandbox.capabilities().isolation, Isolation::Gvisor);
    assert!(out(&sandbox, "dmesg").await.contains("gVisor"));
    assert_eq!(sandbox.shell("exit 7").await.unwrap().exit_code, 7);
    assert_eq!(sandbox.shell("kill -15 $$").await.unwrap().signal, Some(15));
    let id = sandbox.id().to_string();
    sandbox.delete().await.unwrap();
    assert_eq!(lab.containers(&id), Vec::<String>::new());
}

#[tokio::test]
async fn what_would_not_stay_as_it_is_cannot_be_mounted_to_be_read() {
    let Some(lab) = lab().await else { return };
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("kept"), "x").unwrap();
    let mount = Mount::bind(directory.path(), "/kept").read_only();
    let refused = builder(&lab).mount(mount).create().await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Unsupported, "{refused}");
    assert!(refused.message().contains("mounts.read_only") && refused.message().contains("gVisor"), "{refused}");
    assert_eq!(std::fs::read_to_string(directory.path().join("kept")).unwrap(), "x");
}

#[tokio::test]
async fn a_timeout_ends_the_whole_tree() {
    let Some(lab) = lab().await else { return };
    let sandbox = builder(&lab).create().await.unwrap();
    let script =
        "setsid sh -c 'trap \"\" TERM; while :; do sleep 4721; done' & (sleep 4722 &) ; echo begun; sleep 4723";
    let result = sandbox.shell(script).timeout(Duration::from_secs(3)).await.unwrap();
    assert!(result.timed_out && result.stdout.text() == "begun\n", "{result:?}");
    let left = out(&sandbox, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '").await;
    assert!(!["4721", "4722", "4723"].iter().any(|word| left.contains(word)), "{left}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn files_go_both_ways_and_belong_to_whoever_commands_run_as() {
    let Some(lab) = lab().await else { return };
    for (user, expected) in [(None, "0:0"), (Some("nobody"), "65534:65534")] {
        let sandbox = builder(&lab).workdir("/tmp");
        let sandbox = user.iter().fold(sandbox, |builder, user| builder.user(*user)).create().await.unwrap();
        let files = sandbox.files();
        let all: Vec<u8> = (0..=255).collect();
        files.write("a/b", all.clone()).await.unwrap();
        assert_eq!(files.read("a/b").await.unwrap(), all, "{user:?}");
        assert_eq!(out(&sandbox, "stat -c %u:%g:%a a/b").await, format!("{expected}:644"));
        let here = tempfile::tempdir().unwrap();
        files.download("a", here.path().join("a")).await.unwrap();
        assert_eq!(std::fs::read(here.path().join("a/b")).unwrap(), all);
        files.upload(here.path().join("a"), "c").await.unwrap();
        assert_eq!(out(&sandbox, "cmp a/b c/b && stat -c %u:%g c/b").await, expected);
        if user.is_some() {
            files.write("/etc/not-mine", "x").await.unwrap_err();
        }
        files.remove_all("a").await.unwrap();
        sandbox.delete().await.unwrap();
    }
}
