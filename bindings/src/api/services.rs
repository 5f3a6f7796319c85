//! What runs in the background of a sandbox, by name.

use super::{Process, Result};
use crate::cross::record;
use crate::held::Held;
use crate::{Argument, Path, Program};
use bytes::Bytes;
use isobox::ServiceBuilder;
use std::collections::BTreeMap;
use std::future::IntoFuture;
use std::time::Duration;

/// How a service is started, and when it is ready. It is ready at once when nothing is said.
#[derive(Clone, Debug, Default)]
pub struct ServiceOptions {
    /// Variables beside those of the sandbox.
    pub env: BTreeMap<String, Argument>,
    /// Where to run, relative to the sandbox's working directory, which is also the default.
    pub cwd: Option<Path>,
    /// Its user; that of the sandbox by default.
    pub user: Option<String>,
    /// It is ready when something listens on this port.
    pub ready_port: Option<u16>,
    /// It is ready when its output has this in it.
    pub ready_output: Option<Argument>,
    /// It is ready when this script exits with 0.
    pub ready_command: Option<Argument>,
    /// How long that may take; 30 seconds by default.
    pub ready_timeout: Option<Duration>,
}

impl ServiceOptions {
    fn apply(self, mut builder: ServiceBuilder) -> ServiceBuilder {
        for (name, value) in self.env {
            builder = builder.env(name, value.0);
        }
        if let Some(cwd) = self.cwd {
            builder = builder.cwd(cwd.0);
        }
        if let Some(user) = self.user {
            builder = builder.user(user);
        }
        if let Some(port) = self.ready_port {
            builder = builder.ready_on_port(port);
        }
        if let Some(output) = self.ready_output {
            builder = builder.ready_when_it_says(output.0);
        }
        if let Some(script) = self.ready_command {
            builder = builder.ready_when(script.0);
        }
        match self.ready_timeout {
            Some(timeout) => builder.ready_timeout(timeout),
            None => builder,
        }
    }
}

/// Whether a service runs.
#[derive(Clone, Debug)]
pub struct ServiceStatus {
    /// Whether it does.
    pub running: bool,
    /// How it ended.
    pub exit_code: Option<i32>,
}

record!(ServiceStatus from isobox::ServiceStatus { running, exit_code });

/// The services of one sandbox.
#[derive(Clone)]
pub struct Services {
    services: Held<isobox::Services>,
}

impl Services {
    pub(super) fn new(services: isobox::Services) -> Self {
        Self { services: Held::new(services) }
    }

    /// Starts one and returns when it is ready. It goes on until it is stopped or the sandbox ends, whoever holds it.
    pub async fn start(&self, name: String, command: Program, options: ServiceOptions) -> Result<Service> {
        let services = self.services.get()?;
        let builder = match command {
            Program::Argv(argv) => services.exec(name, argv.into_iter().map(|argument| argument.0)),
            Program::Shell(script) => services.shell(name, script.0),
        };
        Ok(Service::new(options.apply(builder).into_future().await?))
    }

    /// One that was started, by its name.
    pub async fn get(&self, name: String) -> Result<Service> {
        Ok(Service::new(self.services.get()?.get(&name).await?))
    }

    /// All of them.
    pub async fn all(&self) -> Result<Vec<Service>> {
        Ok(self.services.get()?.list().await?.into_iter().map(Service::new).collect())
    }
}

/// A service of a sandbox.
#[derive(Clone)]
pub struct Service {
    service: Held<isobox::Service>,
}

impl Service {
    fn new(service: isobox::Service) -> Self {
        Self { service: Held::new(service) }
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.service.name().to_owned()
    }

    /// Whether it runs.
    pub async fn status(&self) -> Result<ServiceStatus> {
        use crate::cross::Cross;
        Ok(self.service.get()?.status().await?.cross())
    }

    /// The last bytes of its output, at most so many.
    pub async fn logs(&self, last: u64) -> Result<Bytes> {
        Ok(self.service.get()?.logs(last).await?)
    }

    /// The command behind it.
    pub async fn process(&self) -> Result<Process> {
        Ok(Process::new(self.service.get()?.process().await?))
    }

    /// Ends it with everything that it started. Again is fine.
    pub async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        let service = self.service.get()?;
        match grace {
            Some(grace) => service.stop_within(grace).await?,
            None => service.stop().await?,
        }
        Ok(())
    }
}
