//! The command of a one-shot, whose container goes with it.

use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::exec::{ExecResult, OutputEvent, Process, Signal, SignalTarget, TerminalSize};
use isobox_contract::{Capability, Context, Error, ExecId, Result, Sandbox};
use std::sync::Arc;
use std::time::Duration;

/// The command. Dropping it ends it, and removes its container in the background.
pub(super) struct OneShot {
    process: Box<dyn Process>,
    sandbox: Arc<dyn Sandbox>,
}

impl OneShot {
    pub(super) fn new(process: Box<dyn Process>, sandbox: Arc<dyn Sandbox>) -> Self {
        Self { process, sandbox }
    }

    async fn remove(&self) -> Result<()> {
        self.sandbox.delete(&Context::quiet()).await
    }
}

#[async_trait]
impl Process for OneShot {
    fn id(&self) -> &ExecId {
        self.process.id()
    }

    fn pid(&self) -> Option<u32> {
        self.process.pid()
    }

    async fn next(&self) -> Result<Option<OutputEvent>> {
        let event = self.process.next().await?;
        if let Some(OutputEvent::Exited(_)) = &event {
            // Its result has to be had before its agent goes.
            self.process.wait().await?;
            self.remove().await?;
        }
        Ok(event)
    }

    async fn write(&self, _data: Bytes) -> Result<()> {
        Err(Error::unsupported(Capability::ExecStdinStream))
    }

    async fn close_stdin(&self) -> Result<()> {
        Err(Error::unsupported(Capability::ExecStdinStream))
    }

    async fn signal(&self, signal: Signal, target: SignalTarget) -> Result<()> {
        self.process.signal(signal, target).await
    }

    async fn resize(&self, _size: TerminalSize) -> Result<()> {
        Err(Error::unsupported(Capability::ExecPtyResize))
    }

    async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        self.process.stop(grace).await
    }

    async fn wait(&self) -> Result<ExecResult> {
        let result = self.process.wait().await?;
        self.remove().await?;
        Ok(result)
    }

    async fn detach(&self) -> Result<()> {
        Err(Error::unsupported(Capability::ExecDetached))
    }
}
