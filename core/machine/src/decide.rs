//! From facts to findings.

use crate::facts::{Facts, Home};
use crate::finding::{Finding, Severity};
use crate::subids;
use isobox_wire::remedy;
use std::fmt::Write as _;

/// Filesystems that overlayfs refuses for the layer that is written to.
const NO_LAYER: [&str; 14] = [
    "overlay", "aufs", "nfs", "nfs4", "vfat", "msdos", "exfat", "ntfs", "ntfs3", "9p", "cifs", "smb3", "squashfs",
    "iso9660",
];
/// The ids of the first user namespace; zero is what nobody could look at.
const ALL_IDS: u64 = 4_294_967_295;
/// Every type of namespace that a sandbox has of its own.
const TYPES: [&str; 7] = ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"];
/// Less than this is little for what sandboxes write.
const LITTLE_SPACE: u64 = 256 << 20;
const FEW_FILES: u64 = 2_000;
/// A sandbox has at least three processes, and its owner holds some descriptors for each.
const FEW_PROCESSES: u64 = 256;
const FEW_DESCRIPTORS: u64 = 256;

/// What the facts mean, the worst first. `works` says whether a namespace sandbox could be made, if that was tried:
/// then what would only be likely to prevent it is left out.
pub fn findings(facts: &Facts, works: Option<bool>) -> Vec<Finding> {
    let mut findings = Vec::new();
    home(&facts.home, &mut findings);
    if facts.namespaces.memfd_noexec == Some(2) {
        findings.push(Finding::of(&remedy::MEMFD_NOEXEC, Severity::Blocks));
    }
    if works != Some(true) {
        obstacles(facts, &mut findings);
    }
    ids(facts, &mut findings);
    resources(facts, &mut findings);
    surroundings(facts, &mut findings);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

fn home(home: &Home, findings: &mut Vec<Finding>) {
    let path = home.path.display();
    if let Some(problem) = &home.problem {
        let what = format!("isobox's directory {path} cannot be used: {problem}");
        let fix = "set ISOBOX_HOME to a directory of your own that can be written to".to_owned();
        findings.push(Finding::new("home", Severity::Blocks, what, Some(fix)));
    }
    if let Some(free) = home.free_bytes.filter(|free| *free < LITTLE_SPACE) {
        let what = format!("{} MiB are free where isobox's directory {path} is", free >> 20);
        findings.push(Finding::new("disk_space", Severity::Limits, what, Some(space())));
    }
    if let Some(free) = home.free_files.filter(|free| *free < FEW_FILES) {
        let what = format!("{free} files can still be made where isobox's directory {path} is");
        findings.push(Finding::new("disk_files", Severity::Limits, what, Some(space())));
    }
}

fn space() -> String {
    "free some space, or set ISOBOX_HOME to a directory on another disk".to_owned()
}

/// What keeps namespace sandboxes from being made.
fn obstacles(facts: &Facts, findings: &mut Vec<Finding>) {
    let mut blocks = |remedy: &remedy::Remedy, more: &str| {
        let mut finding = Finding::of(remedy, Severity::Blocks).about("namespace");
        finding.what.push_str(more);
        findings.push(finding);
    };
    let (surroundings, switches) = (&facts.surroundings, facts.switches());
    if facts.kernel.wsl == Some(1) {
        blocks(
            &remedy::OLD_KERNEL,
            " (the first Windows Subsystem for Linux has none at all: wsl --set-version NAME 2)",
        );
    } else if remedy::is_old(&facts.kernel.release) {
        blocks(&remedy::OLD_KERNEL, &format!(" (it is {})", facts.kernel.release));
    }
    let lacking = |kind: &&&str| !facts.namespaces.types.iter().any(|own| own == **kind);
    let lacking: Vec<_> = TYPES.iter().filter(lacking).copied().collect();
    if !lacking.is_empty() && surroundings.proc {
        blocks(&remedy::NO_NAMESPACE_TYPE, &format!(": {}", lacking.join(", ")));
    }
    if let Some(remedy) = switches.turned_off() {
        blocks(remedy, "");
    } else if switches.filtered && !switches.chroot {
        blocks(switches.forbidden(), "");
    }
    let none =
        facts.namespaces.limits.iter().filter(|(kind, limit)| **limit == 0 && *kind != "user" && *kind != "time");
    for (kind, _) in none {
        blocks(&remedy::NAMESPACE_LIMIT, &format!(" (user.max_{kind}_namespaces is 0)"));
    }
    if !surroundings.covered_proc.is_empty() {
        blocks(&remedy::MASKED_PROC, &format!(" ({})", few(&surroundings.covered_proc)));
    }
    if surroundings.chroot || surroundings.initramfs {
        blocks(&remedy::NO_PIVOT, "");
    }
    if let Some(filesystem) = facts.home.filesystem.as_ref().filter(|name| holds_no_layer(name)) {
        blocks(&remedy::NO_LAYER, &format!(" ({} is on {filesystem})", facts.home.path.display()));
    }
}

fn holds_no_layer(filesystem: &str) -> bool {
    NO_LAYER.contains(&filesystem) || filesystem.starts_with("fuse")
}

/// Whether a sandbox can have more users than its root.
fn ids(facts: &Facts, findings: &mut Vec<Finding>) {
    let mut limits = |remedy: &remedy::Remedy| findings.push(Finding::of(remedy, Severity::Limits).about("namespace"));
    if facts.caller.uid == 0 {
        if !facts.caller.may_mount {
            limits(&remedy::WEAK_ROOT);
        } else if (1..ALL_IDS).contains(&facts.caller.mapped_ids) {
            limits(&remedy::NESTED_ROOT);
        }
        findings.extend(few_ids(facts));
        return;
    }
    match facts.users.subordinate(facts.caller.uid, facts.caller.gid) {
        Ok(_) => {}
        Err(remedy) if *remedy == remedy::NO_ID_RANGE => {
            let mut finding = Finding::of(remedy, Severity::Limits).about("namespace");
            if let Some(other) = &facts.users.other_source {
                let _ = write!(finding.what, " (nsswitch.conf names {other}, which isobox does not read)");
            }
            findings.push(finding);
        }
        Err(remedy) => limits(remedy),
    }
}

/// Root of a user namespace has less to give than root of a machine.
fn few_ids(facts: &Facts) -> Option<Finding> {
    let range = facts.users.of_root.filter(|range| range.count <= subids::WANTED)?;
    let mut finding = Finding::of(&remedy::FEW_IDS, Severity::Limits).about("namespace");
    let _ = write!(finding.what, " (there are {} for them)", range.count);
    Some(finding)
}

fn resources(facts: &Facts, findings: &mut Vec<Finding>) {
    let mut few = |id, what: String, fix: &str| {
        findings.push(Finding::new(id, Severity::Limits, what, Some(fix.to_owned())));
    };
    if let Some(limit) = facts.limits.processes.filter(|limit| *limit < FEW_PROCESSES && facts.caller.uid != 0) {
        few("processes", format!("this user may have {limit} processes, sandboxes included"), "raise `ulimit -u`");
    }
    if let Some(limit) = facts.limits.files.filter(|limit| *limit < FEW_DESCRIPTORS) {
        few(
            "descriptors",
            format!("this process may open {limit} files, and each sandbox takes some"),
            "raise `ulimit -n`",
        );
    }
}

fn surroundings(facts: &Facts, findings: &mut Vec<Finding>) {
    let mut note = |id, what: String| findings.push(Finding::new(id, Severity::Note, what, None));
    if let Some(container) = &facts.surroundings.container {
        let name = if container == "unknown" { "a container" } else { container };
        note("container", format!("this is inside of {name}: a sandbox cannot have more than that has"));
    }
    if facts.kernel.wsl == Some(2) {
        note("wsl", "this is the Windows Subsystem for Linux: keep ISOBOX_HOME off /mnt/c and the like".to_owned());
    }
    if facts.kernel.gvisor {
        note("gvisor", "the kernel is gVisor's, which lacks some of what namespace sandboxes need".to_owned());
    }
    if !facts.surroundings.proc {
        let what = "there is no /proc, so most of this could not be looked at".to_owned();
        let fix = Some("mount -t proc proc /proc".to_owned());
        findings.push(Finding::new("no_proc", Severity::Blocks, what, fix));
    }
}

fn few(names: &[String]) -> String {
    let mut text = names.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 3 {
        let _ = write!(text, " and {} more", names.len() - 3);
    }
    text
}
