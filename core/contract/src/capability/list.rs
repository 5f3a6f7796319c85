//! Every capability, with its name in plugin protocol v2 where that has one.

use super::define::capabilities;
use crate::isolation::Isolation;
use serde::{Deserialize, Serialize};

capabilities! {
    /// What can be chosen for a sandbox when it is made.
    create: CreateCapabilities {
        /// A name of its own in the backend.
        name: CreateName;
        /// Variables for every command.
        env: CreateEnv;
        /// Labels that the backend keeps.
        labels: CreateLabels;
        /// The user that commands run as.
        user: CreateUser;
        /// The working directory.
        workdir: CreateWorkdir;
        /// Running the image's own entrypoint beside the agent.
        entrypoint: CreateEntrypoint;
        /// A region.
        region: CreateRegion;
        /// Previews without a credential.
        public: CreatePublic;
        /// Removal when it is stopped.
        ephemeral: CreateEphemeral;
        /// The kind `container` as a required result.
        kind_container: CreateKindContainer;
        /// The kind `virtual_machine` as a required result.
        kind_virtual_machine: CreateKindVirtualMachine;
    }
    /// What a sandbox can be made from.
    source: SourceCapabilities {
        /// An image of a registry or of the engine.
        image: SourceImage;
        /// A Dockerfile.
        dockerfile: SourceDockerfile;
        /// A snapshot.
        snapshot: SourceSnapshot;
        /// A directory of this machine as the workspace.
        host_directory: SourceHostDirectory;
        /// A directory of this machine as the root filesystem.
        rootfs: SourceRootfs;
        /// An image archive on this machine.
        archive: SourceArchive;
        /// A read-only view of this machine's own programs.
        host: SourceHost;
        /// A choice of the processor architecture.
        platform: SourcePlatform;
        /// Credentials for a registry.
        registry_auth: SourceRegistryAuth;
    }
    /// Which limits can be set.
    resources: ResourceCapabilities {
        /// Whole processors.
        cpu: ResourcesCpu;
        /// Fractions of a processor.
        cpu_fraction: ResourcesCpuFraction;
        /// Memory.
        memory: ResourcesMemory;
        /// Disk.
        disk: ResourcesDisk;
        /// Processes and threads.
        pids: ResourcesPids;
        /// GPUs.
        gpu: ResourcesGpu;
    }
    /// What can be mounted.
    mounts: MountCapabilities {
        /// Directories and files of this machine.
        bind: MountsBind;
        /// Read-only mounts.
        read_only: MountsReadOnly;
        /// Memory filesystems.
        tmpfs: MountsTmpfs;
    }
    /// Which secrets can be given.
    secrets: SecretCapabilities {
        /// Values in the environment, in clear.
        env: SecretsEnv;
        /// Values in files, in clear.
        file: SecretsFile;
        /// Placeholders whose value is put in outside, for named hosts only.
        hosts: SecretsHosts;
    }
    /// What can happen in the life of a sandbox, beyond its making and its deletion.
    lifecycle: LifecycleCapabilities {
        /// Stop, and start with the files kept.
        stop: LifecycleStop;
        /// Freeze and thaw, memory included.
        pause: LifecyclePause = "lifecycle.pause";
        /// Cheap storage.
        archive: LifecycleArchive = "lifecycle.archive";
        /// A running copy with memory and processes.
        fork: LifecycleFork = "lifecycle.fork";
        /// A copy of the filesystem.
        fork_filesystem: LifecycleForkFilesystem;
        /// New limits.
        resize: LifecycleResize = "lifecycle.resize";
        /// Repair of a sandbox in error.
        recover: LifecycleRecover = "lifecycle.recover";
        /// Return after deletion.
        undelete: LifecycleUndelete = "lifecycle.undelete";
        /// Counting as used.
        refresh_activity: LifecycleRefreshActivity = "lifecycle.refresh_activity";
        /// A longest life.
        ttl: LifecycleTtl = "lifecycle.timers";
        /// A longest time without use.
        idle_timeout: LifecycleIdleTimeout = "lifecycle.timers";
        /// Stop as the end of a lifetime.
        expiry_stop: LifecycleExpiryStop = "lifecycle.timers";
        /// Pause as the end of a lifetime.
        expiry_pause: LifecycleExpiryPause = "lifecycle.timers";
        /// Archiving some time after a stop.
        archive_after_stop: LifecycleArchiveAfterStop = "lifecycle.timers";
        /// Deletion some time after a stop.
        delete_after_stop: LifecycleDeleteAfterStop = "lifecycle.timers";
        /// New lifetimes at run time.
        set_lifetimes: LifecycleSetLifetimes = "lifecycle.timers";
        /// New labels at run time.
        labels: LifecycleLabels = "lifecycle.labels";
        /// A new network policy at run time.
        update_network: LifecycleUpdateNetwork = "lifecycle.update_network";
        /// A snapshot of a sandbox.
        snapshot: LifecycleSnapshot = "lifecycle.snapshot_sandbox";
        /// Death with the owning process.
        owner: LifecycleOwner;
        /// Life without an owning process.
        detach: LifecycleDetach;
    }
    /// How commands can be run.
    exec: ExecCapabilities {
        /// Output as it is written.
        live_streaming: ExecLiveStreaming;
        /// Stdout and stderr apart.
        streams_separated: ExecStreamsSeparated;
        /// Input as bytes.
        stdin: ExecStdin = "exec.stdin";
        /// Input as a stream.
        stdin_stream: ExecStdinStream = "exec.stdin_stream";
        /// Stop, with a grace.
        stop: ExecStop = "exec.stop";
        /// Any signal.
        signals: ExecSignals;
        /// The end of the whole tree, whatever it did to get away.
        tree_kill: ExecTreeKill;
        /// Long-lived commands with input and output.
        spawn: ExecSpawn = "exec.stdio_process";
        /// Commands that go on without their caller.
        detached: ExecDetached;
        /// Listing and attaching again.
        attach: ExecAttach;
        /// Another user.
        user: ExecUser;
        /// The environment that commands get, read back.
        environment: ExecEnvironment = "exec.environment";
        /// A terminal.
        pty: ExecPty = "pty";
        /// A terminal's size, changed.
        pty_resize: ExecPtyResize = "pty";
        /// The whole output in a file.
        spill: ExecSpill;
        /// Processor time and peak memory of each command.
        usage: ExecUsage;
        /// Whether the memory limit killed something.
        oom_detection: ExecOomDetection;
    }
    /// What can be done with files.
    files: FileCapabilities {
        /// All of it without a shell or tools in the sandbox.
        native: FilesNative;
        /// Copying from this machine.
        upload: FilesUpload = "fs.upload";
        /// Copying to this machine.
        download: FilesDownload = "fs.download";
        /// Copying directories.
        directories: FilesDirectories;
        /// Permission bits.
        permissions: FilesPermissions = "fs.permissions";
        /// Owners.
        ownership: FilesOwnership;
        /// Symbolic links.
        symlinks: FilesSymlinks;
        /// Changes as they happen.
        watch: FilesWatch;
        /// All of it while the sandbox is stopped.
        stopped: FilesStopped;
    }
    /// Searching files.
    search: SearchCapabilities {
        /// It works, natively or through commands.
        supported: SearchSupported = "search";
        /// The provider has its own.
        native: SearchNative;
    }
    /// Git.
    git: GitCapabilities {
        /// It works, natively or through commands.
        supported: GitSupported = "git";
        /// The provider has its own.
        native: GitNative;
    }
    /// Background services.
    services: ServiceCapabilities {
        /// It works, natively or through commands.
        supported: ServicesSupported = "services";
        /// The provider has its own.
        native: ServicesNative;
    }
    /// Shell sessions that keep their state between commands.
    sessions: SessionCapabilities {
        /// It works, natively or on a terminal.
        supported: SessionsSupported = "sessions";
        /// The provider has its own.
        native: SessionsNative;
    }
    /// Logs beside those of commands.
    logs: LogCapabilities {
        /// Of the making of the sandbox.
        provision: LogsProvision = "logs";
        /// Of the image's entrypoint.
        entrypoint: LogsEntrypoint = "logs";
    }
    /// Short containers beside the sandbox.
    one_shot: OneShotCapabilities {
        /// From an image.
        run: OneShotRun = "one_shot";
        /// From a Dockerfile in the sandbox.
        build: OneShotBuild = "one_shot.build";
    }
    /// Ways in.
    access: AccessCapabilities {
        /// A byte stream to a port.
        ports: AccessPorts;
        /// A list of the ports that something listens on.
        listening_ports: AccessListeningPorts;
        /// A port of this machine for a port of the sandbox.
        forward: AccessForward;
        /// A URL for a port.
        preview_urls: AccessPreviewUrls = "access.preview_urls";
        /// A URL that holds its own credential.
        signed_preview_urls: AccessSignedPreviewUrls = "access.preview_urls.signed";
        /// SSH.
        ssh: AccessSsh = "access.ssh";
        /// SSH for a limited time.
        ssh_ttl: AccessSshTtl = "access.ssh.ttl";
        /// SSH until revoked.
        ssh_revoke: AccessSshRevoke = "access.ssh.revoke";
        /// A command line for a terminal of this machine.
        shell_command: AccessShellCommand = "access.shell_command";
        /// A terminal in the browser.
        web_terminal: AccessWebTerminal = "access.web_terminal";
        /// A screen.
        vnc: AccessVnc = "access.vnc";
    }
    /// Network policies.
    network: NetworkCapabilities {
        /// No network at all.
        none: NetworkNone;
        /// Everything.
        public: NetworkPublic;
        /// Host names.
        hosts: NetworkHosts;
        /// Host names with a leading `*.`.
        wildcards: NetworkWildcards;
        /// Single addresses and networks of IPv4.
        ipv4: NetworkIpv4;
        /// Single addresses and networks of IPv6.
        ipv6: NetworkIpv6;
        /// Ports of these.
        ports: NetworkPorts;
        /// Exceptions from what is allowed.
        deny: NetworkDeny;
        /// An event for each denial.
        denials: NetworkDenials;
        /// Name servers of the caller's choice.
        dns: NetworkDns;
        /// A proxy of the caller's choice.
        outbound_proxy: NetworkOutboundProxy;
    }
    /// Snapshots.
    snapshots: SnapshotCapabilities {
        /// There are some: make, get, list and delete.
        supported: SnapshotsSupported = "snapshots";
        /// From an image, for containers.
        image_container: SnapshotsImageContainer = "snapshots.from_image.container";
        /// From an image, for virtual machines.
        image_virtual_machine: SnapshotsImageVirtualMachine = "snapshots.from_image.virtual_machine";
        /// From a Dockerfile, for containers.
        dockerfile_container: SnapshotsDockerfileContainer = "snapshots.from_dockerfile.container";
        /// From a Dockerfile, for virtual machines.
        dockerfile_virtual_machine: SnapshotsDockerfileVirtualMachine = "snapshots.from_dockerfile.virtual_machine";
        /// The filesystem of a sandbox.
        filesystem: SnapshotsFilesystem = "snapshots.filesystem";
        /// Filesystem, memory and processes of a sandbox.
        live_process_state: SnapshotsLiveProcessState = "snapshots.live_process_state";
        /// Logs of the making.
        build_logs: SnapshotsBuildLogs = "snapshots";
        /// Activation and deactivation.
        activation: SnapshotsActivation = "snapshots.activation";
        /// Writing one as an image into an archive.
        export: SnapshotsExport;
        /// Making one from an image in an archive.
        import: SnapshotsImport;
    }
    /// Volumes.
    volumes: VolumeCapabilities {
        /// There are some: make, get, list and delete.
        supported: VolumesSupported = "volumes";
        /// Mounting them in a new sandbox.
        mount: VolumesMount = "volumes";
        /// Mounting a part of one.
        subpath: VolumesSubpath = "volumes";
        /// A size.
        size: VolumesSize = "volumes";
    }
    /// Images.
    images: ImageCapabilities {
        /// Fetching ahead of time.
        pull: ImagesPull;
        /// Progress in bytes.
        progress: ImagesProgress;
        /// Listing and removing.
        manage: ImagesManage;
        /// Loading from an archive.
        load: ImagesLoad;
    }
    /// What can be known about a sandbox.
    observe: ObserveCapabilities {
        /// Use of processor, memory, disk and network.
        metrics: ObserveMetrics;
        /// The cause of a death.
        post_mortem: ObservePostMortem;
        /// The end as it happens, without asking.
        ended: ObserveEnded;
    }
}
