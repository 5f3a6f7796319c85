//! The machine's settings: files that change it, and files that tell about it.

use super::{Attempt, EMPTY, NO_SUCH_FILE, READ_ONLY, READ_ONLY_OR_ABSENT, row};
use crate::seen::Seen;
use crate::system::{opens_for_writing, reads};

/// The first cgroup that would run a program of one's own as the machine's root.
fn release_agent() -> Seen {
    let entries = std::fs::read_dir("/sys/fs/cgroup").into_iter().flatten().flatten();
    let agents = entries.map(|entry| entry.path().join("release_agent")).filter(|path| path.exists());
    let first = agents.map(|path| opens_for_writing(path.to_str().unwrap())).next();
    first.unwrap_or(Seen::Refused(libc::ENOENT))
}

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("core_pattern", "names the program that the machine runs for a crash", READ_ONLY, || {
            opens_for_writing("/proc/sys/kernel/core_pattern")
        }),
        row("modprobe", "names the program that the machine runs for a module", READ_ONLY_OR_ABSENT, || {
            opens_for_writing("/proc/sys/kernel/modprobe")
        }),
        row("poweroff_cmd", "names the program that the machine runs to turn itself off", READ_ONLY_OR_ABSENT, || {
            opens_for_writing("/proc/sys/kernel/poweroff_cmd")
        }),
        row("uevent_helper", "names the program that the machine runs for a device", READ_ONLY_OR_ABSENT, || {
            opens_for_writing("/sys/kernel/uevent_helper")
        }),
        row(
            "release_agent",
            "names the program that the machine runs for an empty cgroup",
            NO_SUCH_FILE,
            release_agent,
        ),
        row("cgroup_procs", "moves itself to the machine's first cgroup", NO_SUCH_FILE, || {
            let roots = ["/sys/fs/cgroup/unified/cgroup.procs", "/sys/fs/cgroup/cgroup.procs"];
            let found = roots.iter().find(|path| std::path::Path::new(path).exists());
            found.map_or(Seen::Refused(libc::ENOENT), |path| opens_for_writing(path))
        }),
        row("binfmt_misc", "registers an interpreter", READ_ONLY_OR_ABSENT, || {
            opens_for_writing("/proc/sys/fs/binfmt_misc/register")
        }),
        row("sysrq", "presses the key that restarts the machine", READ_ONLY_OR_ABSENT, || {
            opens_for_writing("/proc/sysrq-trigger")
        }),
        row("overcommit", "changes how the machine hands out memory", READ_ONLY, || {
            opens_for_writing("/proc/sys/vm/overcommit_memory")
        }),
        row("drop_caches", "empties the machine's caches", READ_ONLY, || opens_for_writing("/proc/sys/vm/drop_caches")),
        row("randomize", "turns off the randomization of addresses", READ_ONLY, || {
            opens_for_writing("/proc/sys/kernel/randomize_va_space")
        }),
        row("user_namespaces", "raises the number of user namespaces", READ_ONLY, || {
            opens_for_writing("/proc/sys/user/max_user_namespaces")
        }),
        row("ip_forward", "forwards packets", READ_ONLY, || opens_for_writing("/proc/sys/net/ipv4/ip_forward")),
        row("irq_affinity", "moves interrupts", READ_ONLY_OR_ABSENT, || {
            opens_for_writing("/proc/irq/default_smp_affinity")
        }),
        row("sysfs", "changes a device", READ_ONLY_OR_ABSENT, || opens_for_writing("/sys/class/net/lo/mtu")),
        row("kcore", "reads the machine's memory", EMPTY, || reads("/proc/kcore")),
        row("proc_keys", "lists keys", EMPTY, || reads("/proc/keys")),
        row("timer_list", "lists timers, with addresses of the kernel's", EMPTY, || reads("/proc/timer_list")),
        row("interrupts", "counts interrupts, which tell what others type", EMPTY, || reads("/proc/interrupts")),
        row("firmware", "reads tables of the firmware", EMPTY, || {
            let mut entries = std::fs::read_dir("/sys/firmware").into_iter().flatten();
            crate::seen::found(entries.next().is_some())
        }),
    ]
}
