//! What the agent gives every sandbox of this machine.

use isobox_contract::Capability;

/// What holds for all of them. A provider adds what it isolates, and what only root can have.
pub const CLAIMS: [Capability; 43] = {
    use Capability::*;
    [
        CreateName,
        CreateEnv,
        CreateLabels,
        CreateWorkdir,
        LifecycleStop,
        LifecycleTtl,
        LifecycleIdleTimeout,
        LifecycleExpiryStop,
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
        SessionsSupported,
        ServicesSupported,
        SearchSupported,
        GitSupported,
        AccessPorts,
        AccessListeningPorts,
        AccessForward,
        ObserveMetrics,
        ObservePostMortem,
        ObserveEnded,
    ]
};
