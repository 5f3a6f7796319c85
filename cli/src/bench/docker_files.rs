//! Files in and out of a container in the ways that there are without isobox.

use super::contender::Contender;
use super::process::{Container, container, here, timed};
use super::rig::Rig;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

type Result<T> = std::result::Result<T, String>;

/// Where they are put.
const THERE: &str = "/root";

/// A container to copy to and from.
pub(super) enum Other {
    Command(Container),
    /// By its id.
    Engine(String),
    /// docker-py knows it.
    Python,
}

impl Other {
    pub(super) async fn start(rig: &Rig, contender: Contender) -> Result<Self> {
        match contender {
            Contender::DockerPy => rig.docker_py()?.create(rig.image()).map(|_| Self::Python),
            Contender::EngineApi => rig.engine_api()?.start(rig.image()).await.map(Self::Engine),
            _ => container(rig.container()).map(Self::Command),
        }
    }

    /// Copies a file or a directory in, where nothing of that name is.
    pub(super) async fn upload(&self, rig: &Rig, from: &Path, name: &str) -> Result<Duration> {
        let there = format!("{THERE}/{name}");
        match self {
            Self::Python => {
                rig.docker_py()?.clear(&there)?;
                rig.docker_py()?.upload(&from.display().to_string(), &there)
            }
            Self::Engine(container) => {
                rig.engine_api()?.exec(container, &["rm", "-rf", &there]).await?;
                rig.engine_api()?.upload(container, from, THERE, name).await
            }
            Self::Command(container) => {
                here(container.exec(&["rm", "-rf", &there]))?;
                timed(Command::new("docker").arg("cp").arg(from).arg(format!("{}:{there}", container.id())))
            }
        }
    }

    /// Copies what was brought in out again, into a directory that is there.
    pub(super) async fn download(&self, rig: &Rig, name: &str, into: &Path) -> Result<Duration> {
        let there = format!("{THERE}/{name}");
        match self {
            Self::Python => rig.docker_py()?.download(&there, &into.display().to_string()),
            Self::Engine(container) => rig.engine_api()?.download(container, &there, into).await,
            Self::Command(container) => {
                timed(Command::new("docker").arg("cp").arg(format!("{}:{there}", container.id())).arg(into))
            }
        }
    }

    pub(super) async fn leave(self, rig: &Rig) {
        match self {
            Self::Python => drop(rig.docker_py().and_then(|python| python.remove())),
            Self::Engine(container) => {
                if let Ok(engine) = rig.engine_api() {
                    let _ = engine.remove(&container).await;
                }
            }
            Self::Command(_) => {}
        }
    }
}
