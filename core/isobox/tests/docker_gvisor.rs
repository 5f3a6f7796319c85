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
use isobox::{
    Capability, DeathCause, Detail, DockerOptions, Ended, ErrorCode, Expiry, Isolation, Mount, ProviderOptions,
    Resources, Result, Sandbox, SandboxBuilder, SandboxFilter, SnapshotOptions,
};
use std::time::Duration;

/// gVisor as it is by default, and one that writes files where the engine keeps them.
const FORGETTING: &str = "runsc";
const KEEPING: &str = "runsc-keeping";

/// An engine that has it; else the test is skipped.
async fn lab() -> Option<DockerLab> {
    let lab = DockerLab::open().await?;
    let runtimes = lab.docker(&["info", "--format", "{{json .Runtimes}}"]).unwrap();
    if [FORGETTING, KEEPING].iter().all(|name| runtimes.contains(&format!("\"{name}\""))) {
        return Some(lab);
    }
    eprintln!(
        "skipped: the engine has no runtime {KEEPING}, run this with `cargo xtask docker --engine 26 --runsc -- ...`"
    );
    None
}

fn in_runtime(lab: &DockerLab, name: &str) -> SandboxBuilder {
    let options = DockerOptions { runtime: Some(name.to_owned()), ..DockerOptions::default() };
    builder(lab).options(ProviderOptions::Docker(Box::new(options)))
}

/// That it was refused with this capability, and that the reason is gVisor.
fn names<T: std::fmt::Debug>(refused: Result<T>, capability: &str) {
    let error = refused.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unsupported, "{error}");
    assert!(matches!(error.detail(), Detail::Unsupported { capability: named } if named == capability), "{error}");
    assert!(error.message().contains(capability) && error.message().contains("gVisor"), "{error}");
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
async fn what_gvisor_does_not_hold_is_refused_before_anything_is_made() {
    let Some(lab) = lab().await else { return };
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("kept"), "x").unwrap();
    let mount = Mount::bind(directory.path(), "/kept").read_only();
    names(builder(&lab).mount(mount).create().await, "mounts.read_only");
    assert_eq!(std::fs::read_to_string(directory.path().join("kept")).unwrap(), "x");
    names(builder(&lab).pids(100).create().await, "resources.pids");
    let expiring = in_runtime(&lab, FORGETTING).ttl(Duration::from_secs(600)).on_expiry(Expiry::Stop);
    names(expiring.create().await, "lifecycle.expiry_stop");
    assert_eq!(lab.isobox.list(SandboxFilter::default()).await.unwrap().len(), 0);
}

#[tokio::test]
async fn what_would_lose_files_is_refused_and_the_sandbox_goes_on() {
    let Some(lab) = lab().await else { return };
    let sandbox = in_runtime(&lab, FORGETTING).create().await.unwrap();
    names(sandbox.stop(None).await, "lifecycle.stop");
    names(sandbox.snapshot(SnapshotOptions::default()).await.map(drop), "lifecycle.snapshot");
    names(sandbox.fork(1).await.map(drop), "lifecycle.fork_filesystem");
    names(sandbox.resize(Resources { memory: Some(1 << 30), ..Resources::default() }).await, "lifecycle.resize");
    let refused = sandbox.stop(None).await.unwrap_err();
    assert!(refused.message().contains("--overlay2=none"), "{refused}");
    // As whoever has found it sees it.
    let found = lab.isobox.connect(sandbox.id().as_str()).await.unwrap();
    assert_eq!(found.capabilities(), sandbox.capabilities());
    names(found.stop(None).await, "lifecycle.stop");
    assert_eq!(out(&sandbox, "echo on").await, "on");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_sandbox_without_copies_names_its_own_reasons_and_no_others() {
    let Some(lab) = lab().await else { return };
    let (workspace, overlay) = ("workspace_volume", "--overlay2=none");
    for (runtime, workspace_volume, reasons) in [
        (FORGETTING, false, vec![overlay]),
        (FORGETTING, true, vec![overlay, workspace]),
        (KEEPING, true, vec![workspace]),
        ("runc", true, vec![workspace]),
    ] {
        let options = DockerOptions { runtime: Some(runtime.into()), workspace_volume, ..DockerOptions::default() };
        let builder = lab.isobox.sandbox().provider("docker").image(DEBIAN).workdir("/root");
        let sandbox = builder.options(ProviderOptions::Docker(Box::new(options))).create().await.unwrap();
        let refused = [
            sandbox.snapshot(SnapshotOptions::default()).await.map(drop).unwrap_err(),
            sandbox.fork(1).await.map(drop).unwrap_err(),
        ];
        for error in refused {
            assert_eq!(error.code(), ErrorCode::Unsupported, "{error}");
            let named = [overlay, workspace].into_iter().filter(|reason| error.message().contains(reason));
            assert_eq!(named.collect::<Vec<_>>(), reasons, "{runtime}, {workspace_volume}: {error}");
        }
        sandbox.delete().await.unwrap();
    }
}

#[tokio::test]
async fn a_stop_by_somebody_else_is_the_end_where_no_file_would_be_left() {
    let Some(lab) = lab().await else { return };
    let sandbox = in_runtime(&lab, FORGETTING).create().await.unwrap();
    lab.docker(&["stop", sandbox.external_id().as_str()]).unwrap();
    let Ended::Died(post_mortem) = sandbox.ended().await.unwrap() else { panic!("it can be started again") };
    assert_eq!(post_mortem.cause, DeathCause::RemovedExternally);
    assert!(post_mortem.reason.unwrap().contains("not kept its files"));
    assert_eq!(sandbox.start().await.unwrap_err().code(), ErrorCode::SandboxGone);
}

#[tokio::test]
async fn a_runtime_that_keeps_files_is_chosen_where_there_is_one() {
    let Some(lab) = lab().await else { return };
    let sandbox = builder(&lab).workdir("/root").create().await.unwrap();
    sandbox.files().write("note", "kept").await.unwrap();
    lab.docker(&["stop", sandbox.external_id().as_str()]).unwrap();
    assert!(matches!(sandbox.ended().await.unwrap(), Ended::Stopped));
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.files().read_text("note").await.unwrap(), "kept");
    names(sandbox.resize(Resources { memory: Some(1 << 30), ..Resources::default() }).await, "lifecycle.resize");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn out_of_memory_is_the_end_of_the_sandbox_and_told_as_its_cause() {
    let Some(lab) = lab().await else { return };
    let sandbox = builder(&lab).memory(128 << 20).create().await.unwrap();
    assert!(!sandbox.capabilities().has(Capability::ExecOomDetection));
    let error = sandbox.exec(["tail", "-n", "1", "/dev/zero"]).await.unwrap_err();
    assert_eq!(error.post_mortem().map(|told| told.cause), Some(DeathCause::Oom), "{error}");
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
