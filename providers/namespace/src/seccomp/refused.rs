//! The calls that are refused whatever their arguments are, each with the reason.

use super::{Call, Group, Refusal::*};

/// The group that nested user namespaces need.
pub(super) const NAMESPACES: &str = "Mounts and namespaces";

/// In groups that belong together. What is neither here nor allowed is not known, and answers as on a kernel that does
/// not have it.
pub(super) const REFUSED: [Group; 8] = [
    Group {
        title: NAMESPACES,
        refusal: Denied,
        calls: &[
            (Call("mount", [165, 21, 40]), "could show what a mask hides and make read-only places writable"),
            (Call("umount2", [166, 52, 39]), "takes a mask away"),
            (Call("umount", [-1, 22, -1]), "takes a mask away"),
            (Call("pivot_root", [155, 217, 41]), "changes what everybody in the mount namespace sees as the root"),
            (
                Call("fsopen", [430, 430, 430]),
                "begins a mount; parsing of mount options has had faults that gave away the kernel",
            ),
            (Call("fsconfig", [431, 431, 431]), "sets options of a mount, and parses images"),
            (Call("fsmount", [432, 432, 432]), "makes a mount"),
            (Call("fspick", [433, 433, 433]), "changes the options of a mount that exists"),
            (Call("move_mount", [429, 429, 429]), "places a mount, also over a mask"),
            (
                Call("open_tree", [428, 428, 428]),
                "copies a mount without what is mounted on it: what a mask hides would be there",
            ),
            (
                Call("open_tree_attr", [467, 467, 467]),
                "copies a mount with other attributes, also a read-only one as writable",
            ),
            (Call("mount_setattr", [442, 442, 442]), "makes read-only mounts writable"),
            (Call("setns", [308, 346, 268]), "enters namespaces that a descriptor leads to"),
            (Call("sethostname", [170, 74, 161]), "the name is given by whoever made the sandbox"),
            (Call("setdomainname", [171, 121, 162]), "as the host name"),
        ],
    },
    Group {
        title: "Modules, restarts, other kernels",
        refusal: Denied,
        calls: &[
            (Call("init_module", [175, 128, 105]), "loads code into the kernel"),
            (Call("finit_module", [313, 350, 273]), "loads code into the kernel"),
            (Call("delete_module", [176, 129, 106]), "takes code out of the kernel"),
            (Call("kexec_load", [246, 283, 104]), "boots another kernel"),
            (Call("kexec_file_load", [320, -1, 294]), "boots another kernel"),
            (Call("reboot", [169, 88, 142]), "restarts the machine, or here the sandbox behind its owner's back"),
        ],
    },
    Group {
        title: "Programs and probes in the kernel",
        refusal: Denied,
        calls: &[
            (
                Call("bpf", [321, 357, 280]),
                "loads programs into the kernel; its verifier has let through several that gave away the machine",
            ),
            (
                Call("perf_event_open", [298, 336, 241]),
                "measures other processes and the kernel, and leaks both; large and often faulty",
            ),
            (
                Call("userfaultfd", [323, 374, 282]),
                "holds the kernel up in the middle of a copy, which turns small faults of others into large ones",
            ),
            (
                Call("io_uring_setup", [425, 425, 425]),
                "does what other calls do out of this filter's sight; its faults have been many",
            ),
            (Call("io_uring_enter", [426, 426, 426]), "as io_uring_setup"),
            (Call("io_uring_register", [427, 427, 427]), "as io_uring_setup"),
            (Call("fanotify_init", [300, 338, 262]), "watches whole mounts, and can hold up everybody's opens"),
            (Call("fanotify_mark", [301, 339, 263]), "nothing to do without fanotify_init"),
            (Call("lookup_dcookie", [212, 253, 18]), "for profilers; tells paths outside of the sandbox"),
        ],
    },
    Group {
        title: "Keys",
        refusal: Denied,
        calls: &[
            (Call("add_key", [248, 286, 217]), "keyrings know no namespaces, and the quota of keys is the caller's"),
            (Call("request_key", [249, 287, 218]), "as add_key; starts a program of the machine's to fetch a key"),
            (Call("keyctl", [250, 288, 219]), "as add_key; would reach the caller's own session keyring"),
        ],
    },
    Group {
        title: "The machine's settings",
        refusal: Denied,
        calls: &[
            (Call("acct", [163, 51, 89]), "accounts for every process of the machine"),
            (Call("swapon", [167, 87, 224]), "swaps to a file of its choice"),
            (Call("swapoff", [168, 115, 225]), "takes swap away from everybody"),
            (Call("settimeofday", [164, 79, 170]), "the clock is everybody's"),
            (Call("clock_settime", [227, 264, 112]), "the clock is everybody's"),
            (Call("clock_settime64", [-1, 404, -1]), "the clock is everybody's"),
            (Call("stime", [-1, 25, -1]), "the clock is everybody's"),
            (Call("quotactl", [179, 131, 60]), "quotas are the machine's"),
            (Call("quotactl_fd", [443, 443, 443]), "quotas are the machine's"),
            (Call("syslog", [103, 103, 116]), "the kernel's log tells addresses and what others do"),
            (Call("iopl", [172, 110, -1]), "reaches the hardware"),
            (Call("ioperm", [173, 101, -1]), "reaches the hardware"),
            (Call("vhangup", [153, 111, 58]), "hangs up a terminal"),
            (Call("lsm_get_self_attr", [459, 459, 459]), "what a security module thinks is the machine's"),
            (Call("lsm_set_self_attr", [460, 460, 460]), "would change the own confinement"),
            (Call("lsm_list_modules", [461, 461, 461]), "what a security module is there is the machine's"),
        ],
    },
    Group {
        title: "Files and processes past their names",
        refusal: Denied,
        calls: &[
            (
                Call("open_by_handle_at", [304, 342, 265]),
                "opens a file by its number, past every mount and directory that hides it",
            ),
            (Call("kcmp", [312, 349, 272]), "compares the kernel's addresses of what processes hold"),
            (Call("pidfd_getfd", [438, 438, 438]), "takes a descriptor out of another process"),
            (Call("process_madvise", [440, 440, 440]), "advises on another process's memory"),
        ],
    },
    Group {
        title: "Memory of several processors",
        refusal: Denied,
        calls: &[
            (
                Call("get_mempolicy", [239, 275, 236]),
                "tells and pins down where memory lies, which is the machine's to decide",
            ),
            (Call("set_mempolicy", [238, 276, 237]), "as get_mempolicy"),
            (Call("set_mempolicy_home_node", [450, 450, 450]), "as get_mempolicy"),
            (Call("mbind", [237, 274, 235]), "as get_mempolicy; has leaked memory"),
            (Call("migrate_pages", [256, 294, 238]), "as get_mempolicy"),
            (Call("move_pages", [279, 317, 239]), "as get_mempolicy; tells where pages of others lie"),
        ],
    },
    Group {
        title: "What a kernel may lack",
        refusal: Unknown,
        calls: &[
            (
                Call("modify_ldt", [154, 123, -1]),
                "16 bit segments, which only emulators want and which have broken the kernel's entry",
            ),
            (Call("vm86", [-1, 166, -1]), "16 bit mode, as modify_ldt"),
            (Call("vm86old", [-1, 113, -1]), "16 bit mode, as modify_ldt"),
            (Call("uselib", [134, 86, -1]), "loads a library of the formats before ELF"),
            (Call("sysfs", [139, 135, -1]), "numbers of filesystem types; /proc/filesystems has them"),
            (Call("ustat", [136, 62, -1]), "statfs has it, for filesystems that can be named"),
            (Call("_sysctl", [156, 149, -1]), "has become files in /proc/sys"),
            (Call("nfsservctl", [180, 169, 42]), "has become a filesystem"),
            (Call("bdflush", [-1, 134, -1]), "does nothing for long"),
        ],
    },
];
