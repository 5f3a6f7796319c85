//! Mounts: to see what a mask hides, or to write what is read-only.

use super::{Attempt, EPERM, row};
use crate::seen::{Seen, of, past};
use crate::system::{at, call};
use crate::target;
use std::ffi::CString;

fn mount(source: &str, target: &str, kind: &str, flags: u64) -> Result<i64, i32> {
    let [source, target, kind] = [source, target, kind].map(|text| CString::new(text).unwrap());
    let [source, target, kind] = [&source, &target, &kind].map(|text| at(text.as_bytes_with_nul()));
    call(libc::SYS_mount, [source, target, kind, flags as i64, 0])
}

fn text(text: &std::ffi::CStr) -> i64 {
    at(text.to_bytes_with_nul())
}

fn clear_read_only() -> Result<i64, i32> {
    let attributes = [0u64, 1, 0, 0];
    let arguments = [libc::AT_FDCWD.into(), text(c"/proc"), 0, at(&attributes), size_of_val(&attributes) as i64];
    call(libc::SYS_mount_setattr, arguments)
}

/// Leaves a chroot through a directory that was opened before, and climbs.
fn climb() -> Seen {
    let root = crate::system::open("/", libc::O_RDONLY | libc::O_DIRECTORY);
    let cell = CString::new(target::scratch()).unwrap();
    let steps = root
        .and_then(|root| call(libc::SYS_chroot, [at(cell.as_bytes_with_nul())]).map(|_| root))
        .and_then(|root| call(libc::SYS_fchdir, [root]))
        .and_then(|_| (0..64).try_fold(0, |_, _| call(libc::SYS_chdir, [text(c"..")])))
        .and_then(|_| call(libc::SYS_chroot, [text(c".")]));
    match steps {
        Ok(_) => crate::seen::found(std::path::Path::new(&target::named("FILE")).exists()),
        Err(error) => Seen::Refused(error),
    }
}

/// As root the way out of a chroot leads to the sandbox's own root; a user may not chroot.
const NOWHERE: &[Seen] = &[Seen::Nothing, Seen::Refused(libc::EPERM)];

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("mount_tmpfs", "mounts a filesystem in memory", EPERM, || of(mount("none", "/mnt", "tmpfs", 0))),
        row("mount_proc", "mounts a second /proc without masks", EPERM, || of(mount("proc", "/mnt", "proc", 0))),
        row("mount_cgroup", "mounts the cgroups, for their release agent", EPERM, || {
            of(mount("none", "/mnt", "cgroup2", 0))
        }),
        row("mount_bind", "shows a directory at another place", EPERM, || {
            of(mount("/proc", "/mnt", "", libc::MS_BIND))
        }),
        row("remount", "makes a read-only mount writable", EPERM, || {
            let flags = libc::MS_REMOUNT | libc::MS_BIND | libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
            of(mount("none", "/proc", "", flags))
        }),
        row("umount", "takes a mount and its masks away", EPERM, || {
            of(call(libc::SYS_umount2, [text(c"/proc"), libc::MNT_DETACH.into()]))
        }),
        row("pivot_root", "changes the root of everybody", EPERM, || {
            past(call(libc::SYS_pivot_root, [text(c"/"), text(c"/")]), &[libc::EBUSY, libc::EINVAL])
        }),
        row("fsopen", "begins a filesystem with the newer calls", EPERM, || {
            of(call(libc::SYS_fsopen, [text(c"tmpfs"), 0]))
        }),
        row("fspick", "changes the options of a mount that exists", EPERM, || {
            of(call(libc::SYS_fspick, [libc::AT_FDCWD.into(), text(c"/proc"), 0]))
        }),
        row("open_tree", "copies /proc without what is mounted on it", EPERM, || {
            of(call(libc::SYS_open_tree, [libc::AT_FDCWD.into(), text(c"/proc"), 1]))
        }),
        row("mount_setattr", "clears the attribute read-only", EPERM, || of(clear_read_only())),
        row("move_mount", "moves a mount", EPERM, || {
            past(call(libc::SYS_move_mount, [-1, text(c""), -1, text(c""), 0x44]), &[libc::EBADF])
        }),
        row("chroot_climb", "leaves a chroot and climbs, to a file of the machine's", NOWHERE, climb),
    ]
}
