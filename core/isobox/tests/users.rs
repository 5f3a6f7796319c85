//! Which users a namespace sandbox has, and to whom outside belongs what they make.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::{
    Capability, Error, ErrorCode, Isobox, Mount, NamespaceOptions, NamespaceUsers, ProviderOptions, Sandbox,
    SandboxBuilder,
};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

fn own() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn with(isobox: &Isobox, users: NamespaceUsers) -> SandboxBuilder {
    let options = NamespaceOptions { users, ..NamespaceOptions::default() };
    isobox.sandbox().provider("namespace").options(ProviderOptions::Namespace(options))
}

/// Whether there can be several users here; says so when not.
async fn several(lab: &Lab) -> bool {
    let provider = lab.isobox.provider("namespace").await.unwrap();
    let several = provider.capabilities().has(Capability::ExecUser);
    if !several {
        println!("skipped: this user has no subordinate ids, or there is no newuidmap");
    }
    several
}

async fn said(sandbox: &Sandbox, user: &str, script: &str) -> String {
    let result = sandbox.shell(script).user(user).await.unwrap();
    format!("{}{}", result.stdout.text(), result.stderr.text()).trim_end().to_owned()
}

#[tokio::test]
async fn every_handle_of_a_sandbox_claims_what_the_first_one_does() {
    let lab = Lab::open().await;
    for users in [NamespaceUsers::Single, NamespaceUsers::Auto] {
        let made = with(&lab.isobox, users).create().await.unwrap();
        let found = lab.isobox.connect(made.id().as_str()).await.unwrap();
        assert_eq!(found.capabilities(), made.capabilities(), "{users:?}");
        made.delete().await.unwrap();
    }
}

#[tokio::test]
async fn the_claim_is_what_happens() {
    let lab = Lab::open().await;
    let claimed = lab.isobox.provider("namespace").await.unwrap().capabilities().has(Capability::ExecUser);
    let made = with(&lab.isobox, NamespaceUsers::Range).create().await;
    match made {
        Ok(sandbox) => {
            assert!(claimed);
            assert_eq!(said(&sandbox, "65534:65533", "id -u; id -g; id -G").await, "65534\n65533\n65533");
            assert_eq!(said(&sandbox, "1", "touch /tmp/x; stat -c %u:%g /tmp/x").await, "1:1");
            sandbox.files().chown("/tmp/x", "12:34").await.unwrap();
            assert_eq!(said(&sandbox, "0", "stat -c %u:%g /tmp/x").await, "12:34");
            sandbox.delete().await.unwrap();
        }
        Err(error) => {
            assert!(!claimed && error.code() == ErrorCode::Unsupported, "{error}");
            assert!(error.message().contains("uidmap") || error.message().contains("/etc/subuid"), "{error}");
        }
    }
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_named_user_is_enough_to_get_several() {
    let lab = Lab::open().await;
    if !several(&lab).await {
        let refused = lab.isobox.sandbox().provider("namespace").user("1").create().await;
        return assert_refused(&refused.unwrap_err());
    }
    let sandbox = lab.isobox.sandbox().provider("namespace").user("1").create().await.unwrap();
    assert_eq!(sandbox.shell("id -u").await.unwrap().stdout.text(), "1\n");
    assert_eq!(said(&sandbox, "0", "id -u").await, "0");
    sandbox.delete().await.unwrap();
}

fn assert_refused(error: &Error) {
    assert_eq!(error.code(), ErrorCode::Unsupported, "{error}");
    assert!(error.message().contains("newuidmap"), "{error}");
}

#[tokio::test]
async fn one_user_can_be_asked_for() {
    let lab = Lab::open().await;
    let sandbox = with(&lab.isobox, NamespaceUsers::Single).create().await.unwrap();
    assert_eq!(sandbox.shell("id -u").await.unwrap().stdout.text(), "0\n");
    assert!(
        !sandbox.capabilities().has(Capability::ExecUser) && !sandbox.capabilities().has(Capability::FilesOwnership)
    );
    let refused = sandbox.shell("id").user("1").await.unwrap_err();
    assert!(refused.code() == ErrorCode::Unsupported && refused.message().contains("exec.user"), "{refused}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn what_root_makes_in_a_mount_belongs_to_the_caller() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    for users in [NamespaceUsers::Single, NamespaceUsers::Range] {
        if users == NamespaceUsers::Range && !several(&lab).await {
            continue;
        }
        let shared = place.path().join(users.as_str());
        std::fs::create_dir(&shared).unwrap();
        let sandbox = with(&lab.isobox, users).mount(Mount::bind(&shared, "/mnt/shared")).create().await.unwrap();
        sandbox.shell("echo x > /mnt/shared/file; mkdir /mnt/shared/directory").await.unwrap();
        sandbox.files().write("/mnt/shared/written", "x").await.unwrap();
        sandbox.delete().await.unwrap();
        for name in ["file", "directory", "written"] {
            assert_eq!(shared.join(name).metadata().unwrap().uid(), own(), "{users}: {name}");
        }
    }
}

#[tokio::test]
async fn nobody_in_it_is_root_or_in_the_callers_groups() {
    let lab = Lab::open().await;
    if !several(&lab).await {
        return;
    }
    let sandbox = with(&lab.isobox, NamespaceUsers::Range).create().await.unwrap();
    assert_eq!(said(&sandbox, "0", "grep Groups: /proc/1/status | tr -d '\\t '").await, "Groups:");
    let map = said(&sandbox, "0", "cat /proc/self/uid_map").await;
    let outside = |line: &str| line.split_whitespace().nth(1).unwrap().parse::<u32>().unwrap();
    assert!(map.lines().all(|line| outside(line) != 0), "{map}");
    if own() != 0 {
        assert_eq!(outside(map.lines().next().unwrap()), own());
    }
    sandbox.delete().await.unwrap();
}

/// Files and closed directories of several users, in the sandbox's own layer.
const CLOSED: &str = "mkdir -p /var/lib/a && chown 5:5 /var/lib/a && chmod 700 /var/lib/a && mkdir /var/lib/b";

async fn fill(sandbox: &Sandbox) {
    assert_eq!(said(sandbox, "0", CLOSED).await, "");
    let deep = "cd /var/lib/a && mkdir -m 700 d && echo x > d/file && mkdir -m 0 d/closed && chmod 500 d";
    assert_eq!(said(sandbox, "5", deep).await, "");
    assert_eq!(said(sandbox, "0", "chown -R 65534:65534 /var/lib/b; chmod 0 /var/lib/b").await, "");
}

#[tokio::test]
async fn what_its_users_leave_goes_with_it() {
    let lab = Lab::open().await;
    if !several(&lab).await {
        return;
    }
    let sandbox = with(&lab.isobox, NamespaceUsers::Range).create().await.unwrap();
    fill(&sandbox).await;
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn what_its_users_leave_is_removed_after_its_keeper_was_killed() {
    let lab = Lab::open().await;
    if !several(&lab).await {
        return;
    }
    let sandbox = with(&lab.isobox, NamespaceUsers::Range).create().await.unwrap();
    fill(&sandbox).await;
    for pid in keepers(&lab.home().join("namespace").join(sandbox.id().as_str())) {
        rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), rustix::process::Signal::KILL)
            .unwrap();
    }
    sandbox.ended().await.unwrap();
    assert_eq!(lab.left_over().len(), 1, "the keeper could not clean up");
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

/// The processes that stay outside of a sandbox and whose working directory is its state.
fn keepers(state: &Path) -> Vec<i32> {
    let state = state.canonicalize().unwrap();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let keeper = |pid: &i32| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        name.trim() == "isobox-keeper" && std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == state)
    };
    numbers.filter(keeper).collect()
}

#[tokio::test]
async fn lower_files_belong_to_nobody_or_to_their_owners() {
    let lab = Lab::open().await;
    let Some(busybox) = ["/usr/bin/busybox", "/bin/busybox"].iter().find(|path| Path::new(path).exists()) else {
        return println!("skipped: there is no busybox for a root filesystem (install busybox-static)");
    };
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let root = place.path().join("root");
    std::fs::create_dir_all(root.join("bin")).unwrap();
    std::fs::copy(busybox, root.join("bin/busybox")).unwrap();
    std::os::unix::fs::symlink("busybox", root.join("bin/sh")).unwrap();
    std::fs::write(root.join("mine"), "x").unwrap();
    for users in [NamespaceUsers::Single, NamespaceUsers::Range] {
        if users == NamespaceUsers::Range && !several(&lab).await {
            continue;
        }
        let sandbox = with(&lab.isobox, users).rootfs(&root).create().await.unwrap();
        let seen = sandbox
            .shell("busybox stat -c %u:%g /mine /bin/busybox; busybox stat -c %u /mnt 2>/dev/null")
            .await
            .unwrap();
        // The caller's own files are its root's, as an ordinary user through the map and as root through the mount.
        assert_eq!(seen.stdout.text(), "0:0\n0:0\n", "{users}");
        sandbox.delete().await.unwrap();
    }
}
