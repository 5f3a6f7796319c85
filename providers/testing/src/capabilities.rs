//! What a double can do. Nothing of it touches the machine, so a policy or a limit holds because nothing is there to break it;
//! what has an effect in a double has it.

use isobox_contract::{Capabilities, Capability, Isolation};

/// Everything that the doubles do.
pub(crate) fn capabilities() -> Capabilities {
    use Capability::*;
    let create = [
        CreateName,
        CreateEnv,
        CreateLabels,
        CreateUser,
        CreateWorkdir,
        SourceImage,
        SourceSnapshot,
        ResourcesCpu,
        ResourcesCpuFraction,
        ResourcesMemory,
        ResourcesDisk,
        ResourcesPids,
        MountsReadOnly,
        MountsTmpfs,
        SecretsEnv,
        SecretsFile,
        SecretsHosts,
    ];
    let life = [
        LifecycleStop,
        LifecyclePause,
        LifecycleForkFilesystem,
        LifecycleResize,
        LifecycleRefreshActivity,
        LifecycleTtl,
        LifecycleIdleTimeout,
        LifecycleExpiryStop,
        LifecycleExpiryPause,
        LifecycleSetLifetimes,
        LifecycleLabels,
        LifecycleUpdateNetwork,
        LifecycleSnapshot,
        LifecycleOwner,
        LifecycleDetach,
    ];
    let exec = [
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
        ExecUser,
        ExecEnvironment,
        ExecPty,
        ExecPtyResize,
        ExecSpill,
        ExecUsage,
        ExecOomDetection,
    ];
    let files = [
        FilesNative,
        FilesUpload,
        FilesDownload,
        FilesDirectories,
        FilesPermissions,
        FilesOwnership,
        FilesSymlinks,
        FilesWatch,
        FilesStopped,
        SearchSupported,
        GitSupported,
        ServicesSupported,
        SessionsSupported,
        SessionsNative,
        AccessPorts,
        AccessListeningPorts,
    ];
    let rest = [
        NetworkNone,
        NetworkPublic,
        NetworkHosts,
        NetworkWildcards,
        NetworkIpv4,
        NetworkIpv6,
        NetworkPorts,
        NetworkDeny,
        SnapshotsSupported,
        SnapshotsFilesystem,
        VolumesSupported,
        VolumesMount,
        VolumesSubpath,
        VolumesSize,
        ObserveMetrics,
        ObservePostMortem,
        ObserveEnded,
    ];
    Capabilities::of(Isolation::Container, [&create[..], &life, &exec, &files, &rest].concat())
}
