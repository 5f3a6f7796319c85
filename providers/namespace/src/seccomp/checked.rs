//! The calls that depend on an argument.
//!
//! Only the low 32 bits are compared: these arguments are numbers of 32 bits to the kernel, and what stands above
//! them would be a way past the comparison.

use super::program::{Answer, Rule, Test};
use super::{Call, ENOSYS, EPERM};

const EPROTONOSUPPORT: u16 = 93;
const EAFNOSUPPORT: u16 = 97;

/// A call and its rules, of which the first that matches decides.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) call: Call,
    pub(super) rules: &'static [Rule],
    /// When no rule matches.
    pub(super) otherwise: Answer,
    /// Whether there are no rules when user namespaces may be nested.
    pub(super) namespaces: bool,
    /// What is checked, for the reference.
    #[cfg_attr(not(test), expect(dead_code, reason = "only the reference tells it"))]
    pub(super) what: &'static str,
    /// The reason, for the reference.
    #[cfg_attr(not(test), expect(dead_code, reason = "only the reference tells it"))]
    pub(super) why: &'static str,
}

const ALLOW: Answer = None;

/// `CLONE_NEW*`: cgroup, uts, ipc, user, pid, net, mount.
const NAMESPACES: u32 = 0x7E02_0000;
/// `CLONE_NEWTIME`, which shares its bit with the signal that clone takes.
const TIME_NAMESPACE: u32 = 0x80;
/// `PER_LINUX32`, `UNAME26`, `ADDR_NO_RANDOMIZE`.
const PERSONALITIES: u32 = 0x0008 | 0x0002_0000 | 0x0004_0000;
/// Asks for the personality and changes nothing.
const ASK: u32 = 0xFFFF_FFFF;

const TIOCSTI: u32 = 0x5412;
const TIOCLINUX: u32 = 0x541C;
const TIOCSETD: u32 = 0x5423;

const UNIX: u32 = 1;
const INET: u32 = 2;
const INET6: u32 = 10;
const NETLINK: u32 = 16;
/// `SOCK_DCCP`, and where the type stands in the second argument.
const DCCP_TYPE: (u32, u32) = (6, 0xF);
const DCCP: u32 = 33;
const L2TP: u32 = 115;
const SCTP: u32 = 132;

const fn is(argument: u8, value: u32, answer: Answer) -> Rule {
    masked(argument, u32::MAX, value, answer)
}

const fn masked(argument: u8, mask: u32, value: u32, answer: Answer) -> Rule {
    Rule { tests: [Some(Test { argument, mask, value }), None], answer }
}

const fn netlink(protocol: u32) -> Rule {
    let family = Test { argument: 0, mask: u32::MAX, value: NETLINK };
    Rule { tests: [Some(family), Some(Test { argument: 2, mask: u32::MAX, value: protocol })], answer: ALLOW }
}

/// Route, socket diagnostics, device events, generic.
const SOCKETS: &[Rule] = &[
    is(0, UNIX, ALLOW),
    netlink(0),
    netlink(4),
    netlink(15),
    netlink(16),
    is(0, NETLINK, Some(EPROTONOSUPPORT)),
    masked(1, DCCP_TYPE.1, DCCP_TYPE.0, Some(EPROTONOSUPPORT)),
    is(2, DCCP, Some(EPROTONOSUPPORT)),
    is(2, L2TP, Some(EPROTONOSUPPORT)),
    is(2, SCTP, Some(EPROTONOSUPPORT)),
    is(0, INET, ALLOW),
    is(0, INET6, ALLOW),
];

const SOCKETS_WHAT: &str = "only Unix, IPv4, IPv6 and netlink sockets (route, socket diagnostics, device events, \
                            generic), and not DCCP, SCTP and L2TP: `EAFNOSUPPORT`, `EPROTONOSUPPORT`";
const SOCKETS_WHY: &str = "asking for a family makes the kernel load its module, and old, rarely used protocols are \
                           where its faults are; AF_VSOCK reaches the hypervisor and AF_ALG the kernel's ciphers, both \
                           past every network namespace; AF_PACKET's rings have given away the kernel repeatedly";

pub(super) const CHECKED: [Check; 7] = [
    Check {
        call: Call("clone", [56, 120, 220]),
        rules: &[masked(0, NAMESPACES, 0, ALLOW)],
        otherwise: Some(EPERM),
        namespaces: true,
        what: "no new namespaces",
        why: "in a user namespace of its own a process has every capability, and with them most of what the kernel \
              has to attack",
    },
    Check {
        call: Call("unshare", [272, 310, 97]),
        rules: &[masked(0, NAMESPACES | TIME_NAMESPACE, 0, ALLOW)],
        otherwise: Some(EPERM),
        namespaces: true,
        what: "no new namespaces",
        why: "as clone",
    },
    Check {
        call: Call("personality", [135, 136, 92]),
        rules: &[masked(0, !PERSONALITIES, 0, ALLOW), is(0, ASK, ALLOW)],
        otherwise: Some(EPERM),
        namespaces: false,
        what: "only 32-bit naming, the version 2.6 name and no address randomization",
        why: "the others make memory executable or let null pointers point somewhere; debuggers and sanitizers need \
              to turn off randomization, which changes the caller alone",
    },
    Check {
        call: Call("ioctl", [16, 54, 29]),
        rules: &[is(1, TIOCSTI, Some(EPERM)), is(1, TIOCLINUX, Some(EPERM)), is(1, TIOCSETD, Some(EPERM))],
        otherwise: ALLOW,
        namespaces: false,
        what: "not TIOCSTI, TIOCLINUX and TIOCSETD",
        why: "the first two type into a terminal as if its user had; the third makes the kernel load line disciplines, \
              which are old and faulty",
    },
    Check {
        call: Call("socket", [41, 359, 198]),
        rules: SOCKETS,
        otherwise: Some(EAFNOSUPPORT),
        namespaces: false,
        what: SOCKETS_WHAT,
        why: SOCKETS_WHY,
    },
    Check {
        call: Call("socketpair", [53, 360, 199]),
        rules: SOCKETS,
        otherwise: Some(EAFNOSUPPORT),
        namespaces: false,
        what: "as socket",
        why: "loads modules just the same",
    },
    Check {
        call: Call("socketcall", [-1, 102, -1]),
        rules: &[is(0, 1, Some(ENOSYS)), is(0, 8, Some(ENOSYS))],
        otherwise: ALLOW,
        namespaces: false,
        what: "makes no sockets",
        why: "its arguments are in memory, where nobody can check them; 32-bit programs have socket and socketpair too",
    },
];
