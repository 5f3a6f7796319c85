//! From the mounts and volumes of a spec to what the launcher mounts.

use crate::spec::existing;
use crate::volumes::Store as Volumes;
use isobox_contract::{Error, Mount, MountSource, Result, SandboxPath, SandboxSpec, VolumeMount};
use isobox_wire::launch::{BindMount, MemoryMount};
use std::os::unix::ffi::OsStrExt;

/// Bytes of a filesystem in memory unless the spec says otherwise, as many as `/dev/shm` has.
const SIZE: u64 = 64 << 20;
/// Everybody may make files, and remove their own.
const MODE: u32 = 0o1777;

/// What stays writable when the root filesystem is not, in memory: where programs put what they do not keep.
const SCRATCH: [(&str, u32); 4] = [("/tmp", 0o1777), ("/run", 0o755), ("/run/lock", 0o1777), ("/var/tmp", 0o1777)];

/// Something that a spec puts into a sandbox, with its place in the list that it is in.
enum Wanted<'a> {
    Mount(usize, &'a Mount),
    Volume(usize, &'a VolumeMount),
}

impl Wanted<'_> {
    fn target(&self) -> &SandboxPath {
        match self {
            Self::Mount(_, mount) => &mount.target,
            Self::Volume(_, volume) => &volume.target,
        }
    }

    fn depth(&self) -> usize {
        names(self.target()).count()
    }
}

/// The bind mounts, and what is in memory. What is mounted in something else comes after that, whatever the order of the spec;
/// scratch places come first, since a mount of the spec's own may lie over them.
pub(crate) fn of(
    spec: &SandboxSpec,
    read_only_root: bool,
    volumes: &Volumes,
) -> Result<(Vec<BindMount>, Vec<MemoryMount>)> {
    let (mut binds, mut memory) = (Vec::new(), if read_only_root { scratch(spec) } else { Vec::new() });
    let mounts = spec.mounts.iter().enumerate().map(|(index, mount)| Wanted::Mount(index, mount));
    let own = spec.volumes.iter().enumerate().map(|(index, volume)| Wanted::Volume(index, volume));
    let mut wanted: Vec<_> = mounts.chain(own).collect();
    wanted.sort_by_key(Wanted::depth);
    for wanted in wanted {
        match wanted {
            Wanted::Volume(index, volume) => binds.push(attached(index, volume, volumes)?),
            Wanted::Mount(index, mount) => {
                let target = target(&format!("mounts[{index}]"), &mount.target)?;
                match &mount.source {
                    MountSource::Bind { path } => {
                        let source = existing(&format!("mounts[{index}].source"), path)?;
                        let source = source.as_os_str().as_bytes().to_vec();
                        binds.push(BindMount { source, part: Vec::new(), target, writable: !mount.read_only });
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
        }
    }
    Ok((binds, memory))
}

fn attached(index: usize, mount: &VolumeMount, volumes: &Volumes) -> Result<BindMount> {
    let target = target(&format!("volumes[{index}]"), &mount.target)?;
    let source = volumes.contents(&mount.volume)?;
    let part = mount.subpath.as_ref().map_or(&b""[..], SandboxPath::as_bytes);
    if let Some(reason) = crate::volumes::problem(&source, part) {
        return Err(Error::invalid_spec(format!("volumes[{index}].subpath"), reason));
    }
    let source = source.into_os_string().into_encoded_bytes();
    Ok(BindMount { source, part: part.to_vec(), target, writable: !mount.read_only })
}

fn scratch(spec: &SandboxSpec) -> Vec<MemoryMount> {
    let targets = || spec.mounts.iter().map(|m| &m.target).chain(spec.volumes.iter().map(|v| &v.target));
    let own = |target: &str| targets().any(|own| own.as_bytes() == target.as_bytes());
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

/// The names of a path.
fn names(path: &SandboxPath) -> impl Iterator<Item = &[u8]> {
    path.as_bytes().split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".")
}

/// The target, which is not the kernel's.
fn target(field: &str, target: &SandboxPath) -> Result<Vec<u8>> {
    if names(target).next().is_some_and(|name| [&b"proc"[..], b"sys", b"dev"].contains(&name)) {
        let reason =
            format!("is {}, but /proc, /sys and /dev are the kernel's, choose another target", target.escaped());
        return Err(Error::invalid_spec(format!("{field}.target"), reason));
    }
    Ok(target.as_bytes().to_vec())
}
