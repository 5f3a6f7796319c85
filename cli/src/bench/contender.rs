//! Who is measured.

/// A way to run commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contender {
    /// isobox, provider `namespace`, on a view of this machine's own system.
    Namespace,
    /// isobox, provider `namespace`, on a directory with busybox.
    NamespaceDirectory,
    /// isobox, provider `namespace`, on an image of the same that is there already.
    NamespaceImage,
    /// isobox, provider `host`.
    Host,
    /// A process started by this one: the floor.
    Bare,
    /// `bwrap`, which makes a sandbox for each command.
    Bubblewrap,
    /// isobox, provider `docker`, on an image of the same.
    DockerProvider,
    /// The same with gVisor as the runtime.
    DockerGvisor,
    /// The Engine API of Docker by itself.
    EngineApi,
    /// docker-py, from the Python that is first on the PATH.
    DockerPy,
    /// The `docker` command.
    DockerCommand,
}

impl Contender {
    pub(super) const ALL: [Self; 11] = [
        Self::Namespace,
        Self::NamespaceDirectory,
        Self::NamespaceImage,
        Self::Host,
        Self::Bare,
        Self::Bubblewrap,
        Self::DockerProvider,
        Self::DockerGvisor,
        Self::EngineApi,
        Self::DockerPy,
        Self::DockerCommand,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Namespace => "namespace",
            Self::NamespaceDirectory => "namespace, directory",
            Self::NamespaceImage => "namespace, image",
            Self::Host => "host",
            Self::Bare => "bare process",
            Self::Bubblewrap => "bwrap",
            Self::DockerProvider => "isobox on docker",
            Self::DockerGvisor => "isobox on docker, gvisor",
            Self::EngineApi => "Docker's API",
            Self::DockerPy => "docker-py",
            Self::DockerCommand => "docker command",
        }
    }

    /// The provider, for what is ours.
    pub(super) fn provider(self) -> Option<&'static str> {
        match self {
            Self::Namespace | Self::NamespaceDirectory | Self::NamespaceImage => Some("namespace"),
            Self::Host => Some("host"),
            Self::DockerProvider | Self::DockerGvisor => Some("docker"),
            Self::Bare | Self::Bubblewrap | Self::EngineApi | Self::DockerPy | Self::DockerCommand => None,
        }
    }
}
