//! From a request to a command that runs.

use super::running::Running;
use crate::call::{Call, line};
use crate::faults::{Effect, Operation};
use crate::place::Place;
use crate::reply::{End, Reply};
use crate::script::unexpected;
use isobox_contract::{Action, Error, ErrorCode, EventKind, ExecId, ExecRequest, Result, SandboxPath, Stdin};
use std::sync::Arc;

impl Place {
    /// Starts a command. Nothing has started when it fails.
    pub(crate) async fn launch(self: &Arc<Self>, request: ExecRequest) -> Result<Arc<Running>> {
        request.validate()?;
        request.validate_against(&self.capabilities)?;
        self.alive(Action::Exec)?;
        let call = Arc::new(self.call(request));
        let recorded = self.fleet.recording.command(self, &call);
        let launched = self.launch_as(&call, recorded).await;
        if let Err(error) = &launched {
            self.fleet.recording.refused(recorded, error);
        }
        launched
    }

    async fn launch_as(self: &Arc<Self>, call: &Arc<Call>, recorded: usize) -> Result<Arc<Running>> {
        let effect = self.meet(Operation::Exec, || line(&call.request().command)).await?;
        // It may have ended while this took its time.
        self.alive(Action::Exec)?;
        let mut reply = self.reply(call).inspect_err(|_| self.fleet.recording.unexpected(recorded))?;
        match effect {
            Some(Effect::Cut(bytes)) => reply = reply.cut_after(bytes),
            Some(Effect::Hang) => reply = reply.then_hangs(),
            _ => {}
        }
        if let End::Refused(error) = reply.end {
            return Err(error);
        }
        let request = call.request();
        let id = request.id.unwrap_or_else(ExecId::generate);
        if self.command(&id).is_some_and(|other| !other.ended()) {
            return Err(Error::new(ErrorCode::Conflict, format!("a command with the id {id} runs already")));
        }
        let running = Arc::new(Running::new(self, id, self.next_pid(), call.clone(), reply, recorded));
        self.command_began(&running);
        self.tell(EventKind::ExecStarted { exec: id, label: request.label.clone() });
        running.keep_time();
        match &request.stdin {
            Stdin::None => running.end_input(),
            Stdin::Bytes(bytes) => {
                // Of a command that has just begun, so that it is taken.
                let _ = running.write(bytes.clone());
                running.end_input();
            }
            Stdin::Stream => {}
        }
        running.proceed();
        Ok(running)
    }

    /// What the command does: by the script, by a tape.
    fn reply(&self, call: &Call) -> Result<Reply> {
        match (self.fleet.script.reply(call), &self.fleet.player) {
            (Some(reply), _) => Ok(reply),
            (None, Some(player)) => player.reply(self.number, call),
            (None, None) => Err(unexpected(call)),
        }
    }

    /// The call as a script sees it.
    fn call(self: &Arc<Self>, request: ExecRequest) -> Call {
        let mut env = self.environment();
        env.extend(request.env.iter().cloned());
        let cwd = match &request.cwd {
            Some(cwd) => self.workdir().join(cwd),
            None => self.workdir().clone(),
        };
        Call {
            env,
            sandbox: self.id,
            name: self.name.clone(),
            image: self.image.as_ref().map(|image| image.reference.clone()),
            network: self.network(),
            number: self.fleet.recording.next_command(),
            files: self.files_at_path(cwd.clone()),
            cwd,
            request,
        }
    }

    pub(crate) fn files_at(self: &Arc<Self>, directory: &str) -> crate::files::TestFiles {
        self.files_at_path(SandboxPath::from(directory))
    }
}
