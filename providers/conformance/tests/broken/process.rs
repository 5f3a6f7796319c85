//! Commands with one thing broken.

use super::Fault;
use async_trait::async_trait;
use bytes::Bytes;
use isobox::contract::{Exec, Process, Result, Sandbox};
use isobox::{
    Captured, ExecId, ExecRequest, ExecResult, OutputEvent, ProcessInfo, Replay, Signal, SignalTarget, TerminalSize,
};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;

pub struct BrokenExec {
    pub inner: Arc<dyn Sandbox>,
    pub fault: Fault,
}

impl BrokenExec {
    fn request(&self, mut request: ExecRequest) -> ExecRequest {
        if self.fault == Fault::IgnoresTimeout {
            request.timeout = None;
        }
        request
    }

    fn broken(&self, inner: Box<dyn Process>) -> Box<dyn Process> {
        let (written, held) = (AtomicBool::new(false), Mutex::default());
        Box::new(BrokenProcess { inner, fault: self.fault, written, held })
    }
}

fn result(fault: Fault, mut result: ExecResult) -> ExecResult {
    match fault {
        Fault::DropsStderr => result.stderr = Captured::default(),
        Fault::Miscounts if result.stdout.omitted > 0 => result.stdout.omitted -= 1,
        Fault::CutsExitCodes if result.signal.is_none() => result.exit_code &= 0x7f,
        _ => {}
    }
    result
}

#[async_trait]
impl Exec for BrokenExec {
    async fn run(&self, request: ExecRequest) -> Result<ExecResult> {
        Ok(result(self.fault, self.inner.exec().run(self.request(request)).await?))
    }
    async fn spawn(&self, request: ExecRequest) -> Result<Box<dyn Process>> {
        Ok(self.broken(self.inner.exec().spawn(self.request(request)).await?))
    }
    async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        self.inner.exec().processes().await
    }
    async fn attach(&self, id: &ExecId, from: Replay) -> Result<Box<dyn Process>> {
        Ok(self.broken(self.inner.exec().attach(id, from).await?))
    }
}

struct BrokenProcess {
    inner: Box<dyn Process>,
    fault: Fault,
    written: AtomicBool,
    held: Mutex<Option<VecDeque<OutputEvent>>>,
}

#[async_trait]
impl Process for BrokenProcess {
    fn id(&self) -> &ExecId {
        self.inner.id()
    }
    fn pid(&self) -> Option<u32> {
        self.inner.pid()
    }
    async fn next(&self) -> Result<Option<OutputEvent>> {
        if self.fault != Fault::CollectsOutput {
            return self.inner.next().await;
        }
        let mut held = self.held.lock().await;
        if held.is_none() {
            let mut all = VecDeque::new();
            while let Some(event) = self.inner.next().await? {
                all.push_back(event);
            }
            *held = Some(all);
        }
        Ok(held.as_mut().and_then(VecDeque::pop_front))
    }
    async fn write(&self, data: Bytes) -> Result<()> {
        if self.fault == Fault::LosesLateInput && self.written.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.inner.write(data).await
    }
    async fn close_stdin(&self) -> Result<()> {
        self.inner.close_stdin().await
    }
    async fn signal(&self, signal: Signal, target: SignalTarget) -> Result<()> {
        self.inner.signal(signal, target).await
    }
    async fn resize(&self, size: TerminalSize) -> Result<()> {
        if self.fault == Fault::IgnoresResize { Ok(()) } else { self.inner.resize(size).await }
    }
    async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        self.inner.stop(grace).await
    }
    async fn wait(&self) -> Result<ExecResult> {
        Ok(result(self.fault, self.inner.wait().await?))
    }
    async fn detach(&self) -> Result<()> {
        self.inner.detach().await
    }
}
