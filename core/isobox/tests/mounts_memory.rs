//! Filesystems in memory, and a root filesystem that is read-only.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::contract::{NamespaceOptions, ProviderOptions};
use isobox::{Mount, Sandbox, SandboxBuilder};
use std::path::PathBuf;

async fn made(lab: &Lab, change: impl FnOnce(SandboxBuilder) -> SandboxBuilder) -> Sandbox {
    change(lab.isobox.sandbox().provider("namespace")).create().await.unwrap()
}

async fn output(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    format!("{}{}", result.stdout.text(), result.stderr.text()).trim_end().to_owned()
}

fn read_only() -> ProviderOptions {
    ProviderOptions::Namespace(NamespaceOptions { read_only_root: true, ..NamespaceOptions::default() })
}

#[tokio::test]
async fn a_filesystem_in_memory_has_its_size_and_its_mode() {
    let lab = Lab::open().await;
    let sandbox = made(&lab, |builder| {
        let small = Mount::tmpfs("/scratch/small").size(1 << 20).mode(0o750);
        builder.mount(small).mount(Mount::tmpfs("/fast")).mount(Mount::tmpfs("/closed").read_only())
    })
    .await;
    assert_eq!(
        output(&sandbox, "stat -f -c %T /scratch/small /fast; stat -c %a /scratch/small /fast").await,
        "tmpfs\ntmpfs\n750\n1777"
    );
    let filled = output(&sandbox, "head -c 9000000 /dev/zero > /scratch/small/f; wc -c < /scratch/small/f").await;
    assert!(filled.contains("No space left") && filled.starts_with("1048576"), "{filled}");
    assert_eq!(output(&sandbox, "df -k --output=size /fast | tail -1").await.trim(), "65536");
    assert!(output(&sandbox, "echo x > /closed/f").await.contains("Read-only file system"));
    // Files that are empty cost memory too.
    let many = output(
        &sandbox,
        "cd /scratch/small && rm f && for i in $(seq 2000); do true > $i || break; done 2>/dev/null; ls | wc -l",
    )
    .await;
    assert!(many.lines().next().unwrap().parse::<u32>().unwrap() < 1100, "{many}");
    let flags = output(&sandbox, "grep ' /fast ' /proc/self/mountinfo | cut -d' ' -f6").await;
    assert!(["nosuid", "nodev", "rw"].iter().all(|flag| flags.split(',').any(|have| have == *flag)), "{flags}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn mounts_are_made_in_order_whatever_they_are() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("given"), "given").unwrap();
    let sandbox = made(&lab, |builder| {
        let builder = builder.mount(Mount::tmpfs("/data")).mount(Mount::bind(place.path(), "/data/deep").read_only());
        builder.mount(Mount::tmpfs("/data/deeper"))
    })
    .await;
    assert_eq!(output(&sandbox, "cat /data/deep/given; ls /data").await, "givendeep\ndeeper");
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_read_only_root_takes_nothing_and_scratch_places_and_mounts_do() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    let sandbox = made(&lab, |builder| {
        let builder = builder.options(read_only()).mount(Mount::bind(place.path(), "/mnt/shared"));
        builder.mount(Mount::tmpfs("/home").size(1 << 20))
    })
    .await;
    for refused in ["/new", "/etc/new", "/etc/passwd", "/root/f", "/var/lib/f", "/opt/f", "/usr/f", "/mnt/f"] {
        let said = output(&sandbox, &format!("echo x > {refused}")).await;
        assert!(said.contains("Read-only file system"), "{refused}: {said}");
    }
    for taken in ["/tmp/f", "/run/f", "/run/lock/f", "/var/tmp/f", "/dev/shm/f", "/home/f", "/mnt/shared/f"] {
        assert_eq!(output(&sandbox, &format!("echo x > {taken} && cat {taken}")).await, "x", "{taken}");
    }
    let error = sandbox.files().write("/etc/new", "x").await.unwrap_err();
    assert!(error.to_string().to_lowercase().contains("read-only"), "{error}");
    sandbox.files().write("/tmp/new", "x").await.unwrap();
    let raised = sandbox.shell("mount -o remount,rw / || mount -o remount,bind,rw /").await.unwrap();
    assert!(!raised.success(), "{raised:?}");
    assert!(output(&sandbox, "echo x > /new").await.contains("Read-only"));
    assert_eq!(std::fs::read_to_string(place.path().join("f")).unwrap(), "x\n");
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_mount_of_ones_own_replaces_a_scratch_place() {
    let lab = Lab::open().await;
    let sandbox = made(&lab, |builder| builder.options(read_only()).mount(Mount::tmpfs("/tmp").size(128 << 20))).await;
    assert_eq!(
        output(&sandbox, "df -k --output=size /tmp | tail -1; grep -c ' /tmp ' /proc/self/mountinfo")
            .await
            .split_whitespace()
            .collect::<Vec<_>>(),
        ["131072", "1"]
    );
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_directory_as_the_root_is_read_only_too() {
    let Some(program) =
        ["/usr/bin/busybox", "/bin/busybox"].into_iter().find(|path| std::path::Path::new(path).exists())
    else {
        return eprintln!("skipped: there is no busybox");
    };
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(place.path().join("bin")).unwrap();
    std::fs::copy(program, place.path().join("bin/sh")).unwrap();
    std::os::unix::fs::symlink("sh", place.path().join("bin/busybox")).unwrap();
    let lab = Lab::open().await;
    let sandbox = made(&lab, |builder| builder.rootfs(place.path()).options(read_only())).await;
    let said = output(&sandbox, "echo x > /new; echo x > /bin/new; echo x > /tmp/f && echo taken").await;
    assert_eq!(said.matches("Read-only file system").count(), 2, "{said}");
    assert!(said.contains("taken"), "{said}");
    sandbox.delete().await.unwrap();
}
