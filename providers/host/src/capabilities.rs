//! What sandboxes of this kind can do.

use isobox_contract::{Capabilities, Capability, Isolation};

/// The claims. Another user can only be taken on by root.
pub(crate) fn capabilities(root: bool) -> Capabilities {
    use Capability::*;
    let mut claims = vec![
        CreateName,
        CreateEnv,
        CreateLabels,
        CreateWorkdir,
        SourceHostDirectory,
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
        ObserveMetrics,
        ObservePostMortem,
        ObserveEnded,
    ];
    if root {
        claims.extend([CreateUser, ExecUser, FilesOwnership]);
    }
    Capabilities::of(Isolation::None, claims)
}
