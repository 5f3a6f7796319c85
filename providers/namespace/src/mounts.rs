//! From the mounts of a spec to what the launcher mounts.

use crate::spec::existing;
use isobox_contract::{Error, Mount, MountSource, Result, SandboxSpec};
use isobox_wire::launch::{BindMount, MemoryMount};
use std::os::unix::ffi::OsStrExt;

/// Bytes of a filesystem in memory unless the spec says otherwise, as many as `/dev/shm` has.
const SIZE: u64 = 64 << 20;
/// Everybody may make files, and remove their own.
const MODE: u32 = 0o1777;

/// What stays writable when the root filesystem is not, in memory: where programs put what they do not keep.
const SCRATCH: [(&str, u32); 4] = [("/tmp", 0o1777), ("/run", 0o755), ("/run/lock", 0o1777), ("/var/tmp", 0o1777)];

/// The bind mounts, and what is in memory. Scratch places come first: a mount of the spec's own may lie over them.
pub(crate) fn of(spec: &SandboxSpec, read_only_root: bool) -> Result<(Vec<BindMount>, Vec<MemoryMount>)> {
    let (mut binds, mut memory) = (Vec::new(), if read_only_root { scratch(spec) } else { Vec::new() });
    for (index, mount) in spec.mounts.iter().enumerate() {
        let target = target(index, mount)?;
        match &mount.source {
            MountSource::Bind { path } => {
                let source = existing(&format!("mounts[{index}].source"), path)?;
                let source = source.as_os_str().as_bytes().to_vec();
                binds.push(BindMount { source, target, writable: !mount.read_only });
            }
            MountSource::Tmpfs { size, mode } => memory.push(MemoryMount {
                target,
                size: size.unwrap_or(SIZE),
                mode: mode.unwrap_or(MODE),
                writable: !mount.read_only,
                after: u32::try_from(binds.len()).expect("the config's size limits the mounts"),
            }),
            _ => return Err(Error::unsupported("mounts")),
        }
    }
    Ok((binds, memory))
}

fn scratch(spec: &SandboxSpec) -> Vec<MemoryMount> {
    let own = |target: &str| spec.mounts.iter().any(|mount| mount.target.as_bytes() == target.as_bytes());
    let places = SCRATCH.iter().filter(|(target, _)| !own(target));
    let mount = |(target, mode): &(&str, u32)| MemoryMount {
        target: target.as_bytes().to_vec(),
        size: SIZE,
        mode: *mode,
        writable: true,
        after: 0,
    };
    places.map(mount).collect()
}

/// The target, which is not the kernel's.
fn target(index: usize, mount: &Mount) -> Result<Vec<u8>> {
    let first = mount.target.as_bytes().split(|byte| *byte == b'/').find(|name| !name.is_empty() && *name != b".");
    if first.is_some_and(|name| [&b"proc"[..], b"sys", b"dev"].contains(&name)) {
        let reason =
            format!("is {}, but /proc, /sys and /dev are the kernel's, choose another target", mount.target.escaped());
        return Err(Error::invalid_spec(format!("mounts[{index}].target"), reason));
    }
    Ok(mount.target.as_bytes().to_vec())
}
