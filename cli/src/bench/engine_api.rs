//! Docker's Engine API by itself: what everybody who uses an engine pays.

use bollard::Docker;
use bollard::exec::{StartExecOptions, StartExecResults};
use bollard::models::{ContainerCreateBody, ExecConfig, HostConfig};
use bollard::query_parameters::{RemoveContainerOptions, StartContainerOptions};
use futures::StreamExt;

type Result<T> = std::result::Result<T, String>;

/// An engine, as `DOCKER_HOST` names it.
pub(super) struct EngineApi(Docker);

impl EngineApi {
    pub(super) async fn connect() -> Result<Self> {
        let engine = Docker::connect_with_defaults().map_err(words)?;
        Ok(Self(engine.negotiate_version().await.map_err(words)?))
    }

    /// Makes and starts a container that does nothing.
    pub(super) async fn start(&self, image: &str) -> Result<String> {
        let host_config = HostConfig { network_mode: Some("none".to_owned()), ..HostConfig::default() };
        let body = ContainerCreateBody {
            image: Some(image.to_owned()),
            cmd: Some(vec!["sleep".to_owned(), "86400".to_owned()]),
            host_config: Some(host_config),
            ..ContainerCreateBody::default()
        };
        let id = self.0.create_container(None, body).await.map_err(words)?.id;
        match self.0.start_container(&id, None::<StartContainerOptions>).await {
            Ok(()) => Ok(id),
            Err(error) => {
                self.remove(&id).await?;
                Err(words(error))
            }
        }
    }

    /// Runs a command to its end and says how many bytes it wrote.
    pub(super) async fn exec(&self, container: &str, argv: &[&str]) -> Result<usize> {
        let config = ExecConfig {
            cmd: Some(argv.iter().map(ToString::to_string).collect()),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            ..ExecConfig::default()
        };
        let exec = self.0.create_exec(container, config).await.map_err(words)?.id;
        let started = self.0.start_exec(&exec, None::<StartExecOptions>).await.map_err(words)?;
        let StartExecResults::Attached { mut output, .. } = started else {
            return Err("it is not attached".to_owned());
        };
        let mut seen = 0;
        while let Some(chunk) = output.next().await {
            seen += chunk.map_err(words)?.into_bytes().len();
        }
        // Nothing else tells how it ended.
        match self.0.inspect_exec(&exec).await.map_err(words)?.exit_code {
            Some(0) => Ok(seen),
            other => Err(format!("the command ended with {other:?}")),
        }
    }

    pub(super) async fn remove(&self, container: &str) -> Result<()> {
        let options = RemoveContainerOptions { force: true, ..RemoveContainerOptions::default() };
        self.0.remove_container(container, Some(options)).await.map_err(words)
    }
}

fn words(error: bollard::errors::Error) -> String {
    error.to_string()
}
