//! What sandboxes of this kind can do.

use isobox_contract::{Capabilities, Capability, Isolation};

/// The claims. Running commands as another user needs more than one mapped id, which only root can have.
pub(crate) fn capabilities(root: bool) -> Capabilities {
    use Capability::*;
    let mut claims = vec![
        CreateName,
        CreateEnv,
        CreateLabels,
        CreateUser,
        CreateWorkdir,
        CreateKindContainer,
        SourceRootfs,
        SourceHost,
        MountsBind,
        MountsReadOnly,
        LifecycleTtl,
        LifecycleIdleTimeout,
        LifecycleSetLifetimes,
        LifecycleRefreshActivity,
        LifecycleOwner,
        LifecycleDetach,
        ExecLiveStreaming,
        ExecStreamsSeparated,
        ExecStdin,
        ExecStdinStream,
        ExecStop,
        ExecSignals,
        ExecTreeKill,
        ExecSpawn,
        ExecDetached,
        ExecAttach,
        ExecPty,
        ExecPtyResize,
        ExecSpill,
        ExecUsage,
        FilesNative,
        FilesUpload,
        FilesDownload,
        FilesDirectories,
        FilesPermissions,
        FilesSymlinks,
        FilesWatch,
        AccessPorts,
        AccessListeningPorts,
        AccessForward,
        NetworkNone,
        ObserveMetrics,
        ObservePostMortem,
        ObserveEnded,
    ];
    if root {
        claims.extend([ExecUser, FilesOwnership]);
    }
    Capabilities::of(Isolation::Container, claims)
}
