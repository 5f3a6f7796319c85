//! The kernel's own file systems, with what tells about or changes the machine hidden or read-only, as container
//! engines do.

use super::failure::{At, Outcome, note};
use super::tree::{DATA, FsOption, READ_ONLY, Tree};
use isobox_wire::launch::{LaunchConfig, LaunchStep};
use rustix::fd::BorrowedFd;
use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, accessat, openat};
use rustix::io::{Errno, write};
use std::ffi::{CStr, CString};

/// Files of `/proc` that read as empty.
const EMPTY_FILES: [&CStr; 7] =
    [c"kcore", c"keys", c"latency_stats", c"timer_list", c"timer_stats", c"sched_debug", c"interrupts"];

/// Directories of `/proc` that are empty.
const EMPTY_DIRECTORIES: [&CStr; 3] = [c"acpi", c"asound", c"scsi"];

/// What of `/proc` can be read only.
const READABLE: [&CStr; 5] = [c"bus", c"fs", c"irq", c"sys", c"sysrq-trigger"];

/// Directories of `/sys` that are empty.
const EMPTY_SYS: [&CStr; 2] = [c"firmware", c"devices/virtual/powercap"];

/// Mounts `/proc` of the sandbox's process namespace.
pub(super) fn mount_proc(root: BorrowedFd<'_>, config: &LaunchConfig) -> Outcome {
    let what = || "cannot mount /proc".to_owned();
    // Read-only at first: the views below inherit that, which saves changing each.
    let proc = Tree::new(c"proc", &[], DATA | READ_ONLY).at(LaunchStep::Proc, what)?;
    proc.attach(root, c"proc").at(LaunchStep::Proc, what)?;
    let views = views(&proc).at(LaunchStep::Proc, || "cannot mask /proc".to_owned())?;
    if !config.confinement.nested_user_namespaces {
        forbid_nesting(&proc).at(LaunchStep::Proc, || "cannot limit the number of user namespaces".to_owned())?;
    }
    mask(&proc, &views).at(LaunchStep::Proc, || "cannot mask /proc".to_owned())
}

/// Sets how many user namespaces can be made below the sandbox's own to none. The sandbox lacks the right to raise it.
fn forbid_nesting(proc: &Tree) -> Result<(), Errno> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    let limit = openat(proc, c"sys/user/max_user_namespaces", flags, Mode::empty())?;
    write(limit, b"0").map(drop)
}

/// What is read-only, and makes the rest writable.
fn views(proc: &Tree) -> Result<Vec<(Tree, &'static CStr)>, Errno> {
    let mut views = Vec::with_capacity(READABLE.len());
    for name in READABLE {
        match Tree::clone_of(proc, name, false) {
            Ok(view) => views.push((view, name)),
            Err(Errno::NOENT) => {}
            Err(errno) => return Err(errno),
        }
    }
    proc.make_writable()?;
    Ok(views)
}

fn mask(proc: &Tree, views: &[(Tree, &CStr)]) -> Result<(), Errno> {
    views.iter().try_for_each(|(view, name)| view.attach(proc, name))?;
    hide_files(proc, &EMPTY_FILES)?;
    hide_directories(proc, &EMPTY_DIRECTORIES)
}

/// Mounts `/sys`, read-only. A kernel that hides parts of it from the caller gives no new one, and then it is empty.
pub(super) fn mount_sys(root: BorrowedFd<'_>) -> Outcome {
    match Tree::new(c"sysfs", &[], DATA | READ_ONLY) {
        Err(errno @ (Errno::PERM | Errno::ACCESS | Errno::NODEV)) => {
            note(&format!("/sys is empty: the kernel refuses to mount it here: {errno}"));
            Ok(())
        }
        made => {
            let mounted = made.and_then(|sys| {
                sys.attach(root, c"sys")?;
                hide_directories(&sys, &EMPTY_SYS)?;
                let throttles = throttles(&sys);
                hide_directories(&sys, &throttles.iter().map(CString::as_c_str).collect::<Vec<_>>())
            });
            mounted.at(LaunchStep::Sys, || "cannot mount /sys".into())
        }
    }
}

/// Counters of each processor that tell what others compute, on machines that have them.
fn throttles(sys: &Tree) -> Vec<CString> {
    let name = |processor: u32| CString::new(format!("devices/system/cpu/cpu{processor}/thermal_throttle"));
    let names = (0..).map(|processor| name(processor).expect("it has no zero byte"));
    names.take_while(|name| exists(sys, name)).collect()
}

/// Mounts one empty directory on each name that exists.
fn hide_directories(parent: &Tree, names: &[&CStr]) -> Result<(), Errno> {
    let mut shown: Option<Tree> = None;
    for name in names.iter().filter(|name| exists(parent, name)) {
        let tree = match &shown {
            Some(tree) => Tree::clone_of(tree, c"", false)?,
            None => {
                let options = [FsOption::Value(c"mode", "555"), FsOption::Value(c"size", "4k")];
                Tree::new(c"tmpfs", &options, DATA | READ_ONLY)?
            }
        };
        tree.attach(parent, name)?;
        shown = Some(tree);
    }
    Ok(())
}

/// Mounts `/dev/null` on each name that exists.
fn hide_files(parent: &Tree, names: &[&CStr]) -> Result<(), Errno> {
    names
        .iter()
        .filter(|name| exists(parent, name))
        .try_for_each(|name| Tree::clone_of(CWD, c"/dev/null", false)?.attach(parent, name))
}

fn exists(parent: &Tree, name: &CStr) -> bool {
    accessat(parent, name, Access::EXISTS, AtFlags::empty()).is_ok()
}
