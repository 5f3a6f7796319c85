//! What a machine may lack or refuse, taken away one by one: the launch works without, or its failure names the thing and
//! the way out, and nothing is left.

use crate::filter::deny;
use crate::support::{Caller, Folder, Launch, bind, config, finish, spawn_behind, spawn_with};
use isobox_wire::launch::{LaunchFailure, LaunchStep};

/// Launches without some calls.
fn without(caller: Caller, denied: &[(libc::c_long, i32)]) -> Result<(), LaunchFailure> {
    let folder = Folder::new(caller);
    let source = folder.directory("source", caller);
    attempt(caller, &folder, spawn_with(caller, &folder, |command| deny(command, denied)), &source)
}

fn attempt(caller: Caller, folder: &Folder, launch: Launch, source: &std::path::Path) -> Result<(), LaunchFailure> {
    let mut config = config(caller, folder);
    config.mounts = vec![bind(source, "/data/deep", true)];
    match finish(launch, &config) {
        Ok(mut sandbox) => {
            assert_eq!(sandbox.run("echo x > /data/deep/f && id -u"), "0", "{caller:?}");
            sandbox.end();
            Ok(())
        }
        Err(failure) => {
            assert!(!folder.path("state").exists(), "{caller:?}: {failure:?}");
            Err(failure)
        }
    }
}

/// Every call that a launch cannot do without.
const NEEDED: [(&str, libc::c_long); 12] = [
    ("unshare", libc::SYS_unshare),
    ("pidfd_open", libc::SYS_pidfd_open),
    ("close_range", libc::SYS_close_range),
    ("openat2", libc::SYS_openat2),
    ("mount", libc::SYS_mount),
    ("umount2", libc::SYS_umount2),
    ("open_tree", libc::SYS_open_tree),
    ("mount_setattr", libc::SYS_mount_setattr),
    ("fsopen", libc::SYS_fsopen),
    ("fsconfig", libc::SYS_fsconfig),
    ("fsmount", libc::SYS_fsmount),
    ("pivot_root", libc::SYS_pivot_root),
];

#[test]
fn a_call_that_the_kernel_does_not_have_is_named() {
    for caller in Caller::all() {
        for (name, number) in NEEDED {
            let failure = without(caller, &[(number, libc::ENOSYS)]).expect_err(name);
            let hint = failure.hint.clone().unwrap_or_default();
            assert!(hint.contains(&format!("does not offer {name}:")), "{caller:?}: {name}: {failure:?}");
            assert!(hint.contains("filter"), "this kernel has it, so a filter is to blame: {failure:?}");
        }
    }
}

#[test]
fn a_call_that_is_not_permitted_is_named() {
    for caller in Caller::all() {
        for (name, number) in
            NEEDED.into_iter().chain([("move_mount", libc::SYS_move_mount), ("sethostname", libc::SYS_sethostname)])
        {
            let failure = without(caller, &[(number, libc::EPERM)]).expect_err(name);
            let hint = failure.hint.clone().unwrap_or_default();
            assert!(hint.contains(&format!("not permitted: {name}:")), "{caller:?}: {name}: {failure:?}");
            assert!(
                hint.contains("filter of system calls") && hint.contains("host"),
                "{caller:?}: {name}: {failure:?}"
            );
        }
    }
}

#[test]
fn clone_does_where_clone3_is_hidden() {
    for caller in Caller::all() {
        assert_eq!(without(caller, &[(libc::SYS_clone3, libc::ENOSYS)]), Ok(()), "{caller:?}");
        let failure = without(caller, &[(libc::SYS_clone3, libc::EPERM), (libc::SYS_clone, libc::EPERM)]).unwrap_err();
        assert_eq!((failure.step, failure.errno), (LaunchStep::Namespaces, libc::EPERM), "{failure:?}");
        assert!(failure.hint.unwrap().contains("clone3"));
    }
}

#[test]
fn what_is_only_a_convenience_may_be_missing() {
    for caller in Caller::all() {
        let denied = [libc::SYS_keyctl, libc::SYS_add_key].map(|number| (number, libc::ENOSYS));
        assert_eq!(without(caller, &denied), Ok(()), "{caller:?}");
    }
}

#[test]
fn a_limit_of_namespaces_is_named() {
    let caller = Caller::ordinary();
    let Caller::Ordinary(user, group) = caller else { unreachable!() };
    // Root is an ordinary user in there, and the directory must be that user's.
    let owner = Caller::root().unwrap_or(caller);
    for kind in ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"] {
        let folder = Folder::new(owner);
        let source = folder.directory("source", owner);
        // In a user namespace whose limit is at an end there is one more with an ordinary user, which launches.
        let limit = if kind == "user" { 1 } else { 0 };
        let script = format!(
            "echo {limit} > /proc/sys/user/max_{kind}_namespaces && exec unshare -U --map-user={user} --map-group={group} \"$@\""
        );
        let launch = spawn_behind(&["unshare", "-Ur", "sh", "-c", &script, "sh"], caller, &folder);
        let failure = attempt(caller, &folder, launch, &source).expect_err(kind);
        assert_eq!((failure.step, failure.errno), (LaunchStep::Namespaces, libc::ENOSPC), "{kind}: {failure:?}");
        let hint = failure.hint.clone().unwrap_or_default();
        assert!(hint.contains("limit of namespaces") && hint.contains("user.max_"), "{kind}: {failure:?}");
    }
}

#[test]
fn a_chroot_is_named() {
    let Some(caller) = Caller::root() else { return };
    let folder = Folder::new(caller);
    let source = folder.directory("source", caller);
    let jail = folder.directory("jail", caller);
    // A directory that is no mount, in which every path leads to the machine's own.
    let script =
        "cd \"$0\" && mkdir m && mount --rbind / m && for d in $(ls /); do ln -s m/$d $d; done && exec chroot . \"$@\"";
    let front = ["unshare", "-m", "sh", "-c", script, jail.to_str().unwrap()];
    let failure = attempt(caller, &folder, spawn_behind(&front, caller, &folder), &source).unwrap_err();
    assert_eq!((failure.step, failure.errno), (LaunchStep::Namespaces, libc::EPERM), "{failure:?}");
    assert!(failure.hint.as_ref().unwrap().contains("chroot"), "{failure:?}");
}

#[test]
fn a_root_that_may_not_mount_is_named() {
    let Some(caller) = Caller::root() else { return };
    let folder = Folder::new(caller);
    let source = folder.directory("source", caller);
    // As in a container with default rights.
    let front = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-all"];
    let failure = attempt(caller, &folder, spawn_behind(&front, caller, &folder), &source).unwrap_err();
    assert_eq!((failure.step, failure.errno), (LaunchStep::BindMount, libc::EPERM), "{failure:?}");
    assert!(failure.hint.as_ref().unwrap().contains("CAP_SYS_ADMIN"), "{failure:?}");
}

#[test]
fn covered_parts_of_proc_are_named() {
    let Some(caller) = Caller::root() else { return };
    let folder = Folder::new(caller);
    let source = folder.directory("source", caller);
    let front = ["unshare", "-m", "sh", "-c", "mount --bind /dev/null /proc/uptime && exec \"$@\"", "sh"];
    let failure = attempt(caller, &folder, spawn_behind(&front, caller, &folder), &source).unwrap_err();
    assert_eq!((failure.step, failure.errno), (LaunchStep::Proc, libc::EPERM), "{failure:?}");
    assert!(failure.hint.as_ref().unwrap().contains("systempaths=unconfined"), "{failure:?}");
}
