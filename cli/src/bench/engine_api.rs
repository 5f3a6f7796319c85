//! Docker's Engine API by itself: what everybody who uses an engine pays.

use bollard::Docker;
use bollard::container::LogOutput;
use bollard::errors::Error;
use bollard::exec::{StartExecOptions, StartExecResults};
use bollard::models::{ContainerCreateBody, ExecConfig, HostConfig, SystemInfo, SystemVersion};
use bollard::query_parameters::{RemoveContainerOptions, StartContainerOptions};
use futures::{Stream, StreamExt};
use std::pin::Pin;

type Result<T> = std::result::Result<T, String>;
type Output = Pin<Box<dyn Stream<Item = std::result::Result<LogOutput, Error>> + Send>>;

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

    /// Runs a command until it has written something, and waits for no more.
    pub(super) async fn first_output(&self, container: &str, argv: &[&str]) -> Result<()> {
        match self.begin(container, argv).await?.1.next().await {
            Some(chunk) => chunk.map(drop).map_err(words),
            None => Err("it wrote nothing".to_owned()),
        }
    }

    /// Runs a command to its end; it must succeed.
    pub(super) async fn exec(&self, container: &str, argv: &[&str]) -> Result<()> {
        let (exec, mut output) = self.begin(container, argv).await?;
        while let Some(chunk) = output.next().await {
            chunk.map_err(words)?;
        }
        // Nothing else tells how it ended.
        match self.0.inspect_exec(&exec).await.map_err(words)?.exit_code {
            Some(0) => Ok(()),
            other => Err(format!("the command ended with {other:?}")),
        }
    }

    async fn begin(&self, container: &str, argv: &[&str]) -> Result<(String, Output)> {
        let config = ExecConfig {
            cmd: Some(argv.iter().map(ToString::to_string).collect()),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            ..ExecConfig::default()
        };
        let exec = self.0.create_exec(container, config).await.map_err(words)?.id;
        let started = self.0.start_exec(&exec, None::<StartExecOptions>).await.map_err(words)?;
        match started {
            StartExecResults::Attached { output, .. } => Ok((exec, output)),
            StartExecResults::Detached => Err("it is not attached".to_owned()),
        }
    }

    /// What it says about itself.
    pub(super) async fn about(&self) -> Result<(SystemVersion, SystemInfo)> {
        Ok((self.0.version().await.map_err(words)?, self.0.info().await.map_err(words)?))
    }

    /// Everything else.
    pub(super) fn api(&self) -> &Docker {
        &self.0
    }

    pub(super) async fn remove(&self, container: &str) -> Result<()> {
        let options = RemoveContainerOptions { force: true, ..RemoveContainerOptions::default() };
        self.0.remove_container(container, Some(options)).await.map_err(words)
    }
}

pub(super) fn words(error: Error) -> String {
    error.to_string()
}
