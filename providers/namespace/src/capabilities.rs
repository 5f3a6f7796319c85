//! What sandboxes of this kind can do.

use isobox_contract::{Capabilities, Capability, Isolation};
use isobox_local::CLAIMS;

/// Why the disk cannot be limited.
pub(crate) const NO_DISK: &str = "none of the ways to limit what a sandbox writes works here: keep ISOBOX_HOME on ext4 or xfs with project quotas, or run linux 6.6 or newer, whose tmpfs can hold the layer of an overlay";

/// Why a volume cannot have a size.
pub(crate) const NO_SIZE: &str = "the size of a volume is a quota of the filesystem: keep ISOBOX_HOME on ext4 or xfs that is mounted with prjquota, and run as root";

/// Why a sandbox that root has made cannot be copied.
pub(crate) const NO_COPY_OF_MEMORY: &str =
    "the files of a sandbox whose disk is in memory cannot be copied: make it with another disk_backing";

/// Why a sandbox that an ordinary user has made cannot be copied.
pub(crate) const NO_COPY: &str = "the files of a sandbox whose disk is in memory cannot be copied, and those of several users by root alone: make it with the option users = single, or with another disk_backing";

/// The claims. Running commands as another user needs more than one mapped id, which root
/// has, and an ordinary user with subordinate ids.
pub(crate) fn capabilities(several: bool, limits: Vec<Capability>) -> Capabilities {
    use Capability::*;
    let own = [
        CreateUser,
        CreateEntrypoint,
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
        VolumesSupported,
        VolumesMount,
        VolumesSubpath,
        NetworkNone,
    ];
    let copies = [
        SourceSnapshot,
        SnapshotsSupported,
        SnapshotsFilesystem,
        SnapshotsExport,
        SnapshotsImport,
        LifecycleSnapshot,
        LifecycleForkFilesystem,
    ];
    let mut claims = [&CLAIMS[..], &own, &copies].concat();
    if several {
        claims.extend([ExecUser, FilesOwnership]);
    }
    claims.extend(limits);
    Capabilities::of(Isolation::Container, claims)
}
