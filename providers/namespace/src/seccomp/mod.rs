//! Which system calls the processes of a sandbox may make.
//!
//! One table decides: [`allowed`](mod@allowed) calls, [`refused`](mod@refused) ones with the reason for each, and
//! [`checked`](mod@checked) ones, which depend on an argument. It becomes one program for the kernel, which the
//! launcher installs last of all, for the agent and for everything that the agent starts.
//!
//! ```text
//! native calls, 32-bit calls (x86) -> number -> allowed                     -> done
//!                                            -> refused                     -> EPERM, or ENOSYS for what a kernel may lack
//!                                            -> checked: its rules in order -> the first that matches
//!                                            -> not known                   -> ENOSYS
//! x32 calls                                                                 -> ENOSYS
//! calls of any other kind                                                   -> the process is killed
//! ```
//!
//! What the number alone decides costs nothing: the kernel asks the program about it once, when it is installed.
//! `docs/reference/system-calls.md` is written from this table.

mod allowed;
mod checked;
mod program;
mod refused;

#[cfg(test)]
mod page;
#[cfg(test)]
mod speed;
#[cfg(test)]
mod tests;

use program::{Instruction, Verdict};
use std::sync::OnceLock;

/// The error of a call that is refused although the kernel has it.
const EPERM: u16 = 1;
/// The error of a call that the kernel does not have.
const ENOSYS: u16 = 38;

/// A call's name and its numbers on x86-64, on 32-bit x86 and on 64-bit ARM; negative where it does not exist.
#[derive(Debug)]
struct Call(#[cfg_attr(not(test), expect(dead_code, reason = "names are for the reference"))] &'static str, [i16; 3]);

/// How a call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// `EPERM`.
    Denied,
    /// `ENOSYS`, as on a kernel that was built without it.
    Unknown,
}

/// Refused calls that belong together, each with the reason.
#[derive(Debug)]
struct Group {
    title: &'static str,
    refusal: Refusal,
    calls: &'static [(Call, &'static str)],
}

/// A kind of calls as the kernel tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    X86_64 = 0,
    X86 = 1,
    Aarch64 = 2,
}

impl Machine {
    /// The kinds that processes on this processor may use. 32-bit ARM programs do not run.
    const HERE: &[Self] = if cfg!(target_arch = "aarch64") { &[Self::Aarch64] } else { &[Self::X86_64, Self::X86] };

    /// `AUDIT_ARCH_*`.
    const fn token(self) -> u32 {
        match self {
            Self::X86_64 => 0xC000_003E,
            Self::X86 => 0x4000_0003,
            Self::Aarch64 => 0xC000_00B7,
        }
    }

    fn number(self, call: &Call) -> Option<u32> {
        u32::try_from(call.1[self as usize]).ok()
    }
}

/// The program for this machine, as `struct sock_filter`s one after the other. With `nested`, processes may make user
/// namespaces, and do in them what those are for.
pub(crate) fn filter(nested: bool) -> &'static [u8] {
    static FILTERS: [OnceLock<Vec<u8>>; 2] = [const { OnceLock::new() }; 2];
    let there = &FILTERS[usize::from(nested)];
    if let Some(bytes) = there.get() {
        return bytes;
    }
    // Compiled first: a fork while the cell is being filled would leave it shut in the child.
    let bytes = compile(Machine::HERE, nested).iter().flat_map(|instruction| instruction.to_bytes()).collect();
    there.get_or_init(|| bytes)
}

fn compile(machines: &[Machine], nested: bool) -> Vec<Instruction> {
    let sections = machines.iter().map(|machine| (machine.token(), verdicts(*machine, nested)));
    program::compile(sections)
}

/// What becomes of each number that is known.
fn verdicts(machine: Machine, nested: bool) -> Vec<(u32, Verdict)> {
    let allowed = allowed::ALLOWED.iter().map(|call| (call, Verdict::Allow));
    let refused = refused::REFUSED.iter().flat_map(|group| {
        let verdict = match group.refusal {
            _ if nested && group.title == refused::NAMESPACES => Verdict::Allow,
            Refusal::Denied => Verdict::Error(EPERM),
            Refusal::Unknown => Verdict::Error(ENOSYS),
        };
        group.calls.iter().map(move |(call, _)| (call, verdict))
    });
    let checked = checked::CHECKED.iter().map(|check| match check.namespaces && nested {
        true => (&check.call, Verdict::Allow),
        false => (&check.call, Verdict::Rules(check.rules, check.otherwise)),
    });
    let numbered = allowed.chain(refused).chain(checked);
    numbered.filter_map(|(call, verdict)| Some((machine.number(call)?, verdict))).collect()
}
