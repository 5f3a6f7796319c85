//! The filter of system calls. The table behind it is the library's; here it is only handed to the kernel.

use super::call;
use super::failure::{At, OrHint, Outcome, refused};
use isobox_wire::launch::LaunchStep;

/// Installs a filter. From here on what it refuses is refused to the agent too.
pub(super) fn install(program: &[u8]) -> Outcome {
    let (chunks, rest) = program.as_chunks::<8>();
    if !rest.is_empty() || chunks.is_empty() {
        let hint = "the library and the agent must come from the same build";
        return Err(refused(LaunchStep::Privileges, "the filter of system calls is cut off".into(), hint));
    }
    let mut instructions: Vec<libc::sock_filter> = chunks.iter().map(instruction).collect();
    call::filter_system_calls(&mut instructions)
        .at(LaunchStep::Privileges, || "cannot install the filter of system calls".into())
        .or_hint(|| "the kernel must have been built with CONFIG_SECCOMP_FILTER".into())
}

fn instruction(bytes: &[u8; 8]) -> libc::sock_filter {
    let [a, b, jt, jf, e, f, g, h] = *bytes;
    libc::sock_filter { code: u16::from_ne_bytes([a, b]), jt, jf, k: u32::from_ne_bytes([e, f, g, h]) }
}
