//! Files in and out of a container in the ways that there are without isobox.

use super::contender::Contender;
use super::process::{Container, container, here, timed};
use super::rig::{IMAGE, Rig};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

type Result<T> = std::result::Result<T, String>;

/// Where they are put.
const THERE: &str = "/root";

/// A container to copy to and from.
pub(super) enum Other {
    Command(Container),
    Python,
}

impl Other {
    pub(super) fn start(rig: &Rig, contender: Contender) -> Result<Self> {
        match contender {
            Contender::DockerPy => rig.docker_py()?.create(IMAGE).map(|_| Self::Python),
            _ => container(rig.container()).map(Self::Command),
        }
    }

    /// Copies a file or a directory in, where nothing of that name is.
    pub(super) fn upload(&self, rig: &Rig, from: &Path, name: &str) -> Result<Duration> {
        let there = format!("{THERE}/{name}");
        match self {
            Self::Python => {
                rig.docker_py()?.clear(&there)?;
                rig.docker_py()?.copy("upload", &from.display().to_string(), &there)
            }
            Self::Command(container) => {
                here(container.exec(&["rm", "-rf", &there]))?;
                timed(Command::new("docker").arg("cp").arg(from).arg(format!("{}:{there}", container.id())))
            }
        }
    }

    /// Copies what was brought in out again.
    pub(super) fn download(&self, rig: &Rig, name: &str, to: &Path) -> Result<Duration> {
        let there = format!("{THERE}/{name}");
        match self {
            Self::Python => rig.docker_py()?.copy("download", &to.display().to_string(), &there),
            Self::Command(container) => {
                timed(Command::new("docker").arg("cp").arg(format!("{}:{there}", container.id())).arg(to))
            }
        }
    }

    pub(super) fn leave(self, rig: &Rig) {
        if let Self::Python = self {
            let _ = rig.docker_py().and_then(|python| python.remove());
        }
    }
}
