//! Layouts as they were seen on real machines, and what each offers.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

const ALL: &str = "cpuset cpu io memory hugetlb pids rdma misc\n";

/// A machine of which these files are known.
#[derive(Default)]
struct Recorded {
    files: BTreeMap<PathBuf, String>,
    read_only: BTreeSet<PathBuf>,
    root: bool,
    ours: BTreeSet<PathBuf>,
    delegated: BTreeSet<PathBuf>,
}

impl View for Recorded {
    fn read(&self, path: &Path) -> Option<String> {
        self.files.get(path).cloned()
    }

    fn writable(&self, path: &Path) -> bool {
        let directory = path.parent().unwrap_or(path);
        let ours = self.root || self.ours.contains(path) || self.ours.contains(directory);
        ours && !self.read_only.iter().any(|top| path.starts_with(top))
    }

    fn delegated(&self, path: &Path) -> bool {
        self.delegated.contains(path)
    }
}

impl Recorded {
    fn of(mountinfo: &str, cgroup: &str) -> Self {
        let mut machine = Self::default();
        machine.files.insert("/proc/self/mountinfo".into(), mountinfo.into());
        machine.files.insert("/proc/self/cgroup".into(), cgroup.into());
        machine
    }

    fn root(mut self) -> Self {
        self.root = true;
        self
    }

    fn ours(mut self, path: &str) -> Self {
        self.ours.insert(path.into());
        self
    }

    fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }

    /// A cgroup of v2; the one without a parent has no type.
    fn cgroup(self, path: &str, controllers: &str, enabled: &str, procs: &str) -> Self {
        let kind = if path == "/sys/fs/cgroup" { None } else { Some("domain\n") };
        let file = |name: &str| format!("{path}/{name}");
        let all = self
            .file(&file("cgroup.controllers"), controllers)
            .file(&file("cgroup.subtree_control"), enabled)
            .file(&file("cgroup.procs"), procs);
        kind.into_iter().fold(all, |all, kind| all.file(&file("cgroup.type"), kind))
    }

    fn detect(&self) -> Layout {
        Layout::seen(self, self.root)
    }
}

const HYBRID: &str = "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n\
    32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n\
    35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
    37 31 0:34 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer\n\
    39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n\
    41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

fn hybrid() -> Recorded {
    Recorded::of(HYBRID, "8:pids:/\n4:memory:/service/a\n1:cpu:/\n0::/\n")
        .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
        .file("/sys/fs/cgroup/unified/cgroup.controllers", "hugetlb\n")
        .file("/sys/fs/cgroup/unified/cgroup.subtree_control", "\n")
        .file("/sys/fs/cgroup/unified/cgroup.procs", "1\n2\n")
}

fn v2(own: &str) -> Recorded {
    let mountinfo = "30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime - cgroup2 cgroup2 rw,nsdelegate\n";
    Recorded::of(mountinfo, &format!("0::{own}\n")).cgroup(
        "/sys/fs/cgroup",
        ALL,
        "cpuset cpu io memory pids\n",
        "2\n3\n",
    )
}

#[test]
fn root_of_a_hybrid_machine_has_the_limits_in_v1_and_the_freezer_in_v2() {
    let layout = hybrid().root().detect();
    assert_eq!(layout.memory, Ok(Place::Legacy("/sys/fs/cgroup/memory".into())));
    assert_eq!(layout.cpu, Ok(Place::Legacy("/sys/fs/cgroup/cpu".into())));
    assert_eq!(layout.pids, Ok(Place::Legacy("/sys/fs/cgroup/pids".into())));
    let unified = layout.unified.unwrap();
    assert_eq!((unified.parent.to_str(), unified.crowded), (Some("/sys/fs/cgroup/unified"), false));
    assert_eq!(unified.controllers, []);
}

#[test]
fn a_user_of_a_hybrid_machine_is_told_why_there_is_nothing() {
    let layout = hybrid().detect();
    assert_eq!(layout.memory, Err(Obstacle::LegacyNeedsRoot(Controller::Memory)));
    assert_eq!(layout.unified, Err(Obstacle::NotDelegated));
    assert!(layout.memory.unwrap_err().to_string().contains("run as root"));
}

#[test]
fn a_kernel_without_bandwidth_cannot_limit_processors() {
    let mut machine = hybrid().root();
    machine.files.remove(Path::new("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"));
    assert_eq!(machine.detect().cpu, Err(Obstacle::NoBandwidth));
}

#[test]
fn root_of_a_v2_machine_uses_the_top() {
    let session = "/sys/fs/cgroup/user.slice/user-0.slice/session-1.scope";
    let machine = v2("/user.slice/user-0.slice/session-1.scope").cgroup(session, "cpu memory pids\n", "\n", "100\n");
    let layout = machine.root().detect();
    let unified = layout.unified.unwrap();
    assert_eq!((unified.parent.to_str(), unified.crowded), (Some("/sys/fs/cgroup"), false));
    assert_eq!([layout.cpu, layout.memory, layout.pids], [(); 3].map(|()| Ok(Place::Unified)));
}

#[test]
fn a_user_in_a_login_session_has_nothing_and_is_told_how_to_get_it() {
    let session = "/sys/fs/cgroup/user.slice/user-1000.slice/session-1.scope";
    let machine = v2("/user.slice/user-1000.slice/session-1.scope").cgroup(session, "cpu memory pids\n", "\n", "100\n");
    let layout = machine.detect();
    assert_eq!(layout.memory, Err(Obstacle::NotDelegated));
    assert!(layout.memory.unwrap_err().to_string().contains("systemd-run --user --scope -p Delegate=yes"));
}

/// The cgroup of a program in a terminal of a desktop, below what the user's own systemd manages.
fn desktop(own: &str) -> Recorded {
    let manager = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service";
    let app = format!("{manager}/app.slice");
    v2(&format!("/user.slice/user-1000.slice/user@1000.service/app.slice/{own}"))
        .cgroup(manager, "cpu memory pids\n", "cpu memory pids\n", "")
        .cgroup(&app, "cpu memory pids\n", "cpu memory pids\n", "")
        .cgroup(&format!("{app}/{own}"), "cpu memory pids\n", "\n", "4242\n")
        .ours(manager)
        .ours(&app)
        .ours(&format!("{app}/{own}"))
}

#[test]
fn a_scope_that_was_delegated_is_used_itself() {
    let own = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/run-1.scope";
    let mut machine = desktop("run-1.scope");
    machine.delegated.insert(own.into());
    let layout = machine.detect();
    let unified = layout.unified.unwrap();
    assert_eq!((unified.parent.to_str(), unified.crowded), (Some(own), true));
    assert_eq!(layout.pids, Ok(Place::Unified));
}

#[test]
fn processes_that_nobody_handed_over_are_left_where_they_are() {
    let layout = desktop("vte-spawn-1.scope").detect();
    let unified = layout.unified.unwrap();
    let app = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice";
    assert_eq!((unified.parent.to_str(), unified.crowded), (Some(app), false));
    assert_eq!(unified.controllers, Controller::ALL);
}

#[test]
fn a_controller_that_was_not_delegated_is_refused_alone() {
    let own = "/sys/fs/cgroup/x";
    let layout = v2("/x").cgroup(own, "memory pids\n", "\n", "7\n").ours(own).detect();
    assert_eq!(layout.memory, Ok(Place::Unified));
    let missing = Obstacle::NoController { controller: Controller::Cpu, parent: own.into() };
    assert_eq!(layout.cpu, Err(missing));
    assert!(layout.unified.unwrap().crowded);
}

/// A container with a cgroup namespace of its own: its cgroup is the root that it sees, and has a type all the same.
fn container(options: &str) -> Recorded {
    let mountinfo = format!("900 800 0:26 / /sys/fs/cgroup {options},nosuid - cgroup2 cgroup {options}\n");
    Recorded::of(&mountinfo, "0::/\n")
        .cgroup("/sys/fs/cgroup", "cpu memory pids\n", "\n", "1\n9\n")
        .file("/sys/fs/cgroup/cgroup.type", "domain\n")
        .root()
}

#[test]
fn a_container_has_what_it_may_write() {
    let unified = container("rw").detect().unified.unwrap();
    assert_eq!((unified.parent.to_str(), unified.crowded), (Some("/sys/fs/cgroup"), true));
    let refused = container("ro").detect().memory.unwrap_err();
    assert_eq!(refused, Obstacle::ReadOnly("/sys/fs/cgroup".into()));
    assert!(refused.to_string().contains("writable-cgroups"));
}

#[test]
fn a_v1_container_uses_what_is_mounted_of_it() {
    let mountinfo = "900 800 0:32 /docker/abc /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory\n";
    let layout = Recorded::of(mountinfo, "4:memory:/docker/abc\n").root().detect();
    assert_eq!(layout.memory, Ok(Place::Legacy("/sys/fs/cgroup/memory".into())));
    assert_eq!((layout.pids, layout.unified), (Err(Obstacle::NotMounted), Err(Obstacle::NotMounted)));
}

#[test]
fn a_foreign_mount_is_not_taken_for_the_own_one() {
    let mountinfo = "30 23 0:26 /.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    let layout = Recorded::of(mountinfo, "0::/\n").root().detect();
    assert_eq!(layout.unified, Err(Obstacle::Elsewhere("/sys/fs/cgroup".into())));
}

#[test]
fn a_threaded_cgroup_is_no_place() {
    let own = "/sys/fs/cgroup/x";
    let machine = v2("/x").cgroup(own, "cpu pids\n", "\n", "7\n").file("/sys/fs/cgroup/x/cgroup.type", "threaded\n");
    assert_eq!(machine.ours(own).detect().memory, Err(Obstacle::Threaded(own.into())));
}

#[test]
fn nothing_mounted_is_said() {
    let layout = Recorded::of("", "").root().detect();
    assert_eq!(layout.memory, Err(Obstacle::NotMounted));
}
