//! What sandboxes of this kind can do.

use isobox_contract::{Capabilities, Capability, Isolation};
use isobox_local::CLAIMS;

/// The claims. Running commands as another user needs more than one mapped id, which root
/// has, and an ordinary user with subordinate ids.
pub(crate) fn capabilities(several: bool, limits: Vec<Capability>) -> Capabilities {
    use Capability::*;
    let own = [
        CreateUser,
        CreateKindContainer,
        SourceRootfs,
        SourceHost,
        SourceArchive,
        SourceImage,
        SourcePlatform,
        SourceRegistryAuth,
        ImagesPull,
        ImagesProgress,
        ImagesManage,
        ImagesLoad,
        MountsBind,
        MountsReadOnly,
        MountsTmpfs,
        NetworkNone,
    ];
    let copies = [
        SourceSnapshot,
        SnapshotsSupported,
        SnapshotsFilesystem,
        SnapshotsExport,
        LifecycleSnapshot,
        LifecycleForkFilesystem,
    ];
    let mut claims = [&CLAIMS[..], &own, &copies].concat();
    if several {
        claims.extend([ExecUser, FilesOwnership]);
    }
    claims.extend(limits);
    if memory_holds_layers() {
        claims.push(ResourcesDisk);
    }
    Capabilities::of(Isolation::Container, claims)
}

/// Whether the upper layer of an overlay in a user namespace can be in a tmpfs, which needs its `user.*` attributes: Linux
/// 6.6 (the kernel's tmpfs.rst).
fn memory_holds_layers() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(6), Some(6))
}
