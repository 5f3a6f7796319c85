//! What is wrong with a request, found before anything starts.

use super::{Command, ExecRequest, Sanitize, Spill, Stdin, TerminalSize};
use crate::capability::{Capabilities, Capability};
use crate::error::{Error, Result};
use crate::path::SandboxPath;

impl ExecRequest {
    /// Checks everything that is wrong with every provider, before anything is started.
    pub fn validate(&self) -> Result<()> {
        validate_command(&self.command)?;
        for (name, value) in &self.env {
            validate_variable("env", name, value)?;
        }
        if let Some(problem) = self.cwd.as_ref().and_then(SandboxPath::problem) {
            return Err(Error::invalid_spec("cwd", format!("{problem}, leave it out for the working directory")));
        }
        if let Some(user) = &self.user {
            validate_user("user", user)?;
        }
        self.validate_limits()
    }

    /// Refuses everything that the sandbox cannot do, by its dotted name, before anything is started.
    pub fn validate_against(&self, capabilities: &Capabilities) -> Result<()> {
        let stdin = match self.stdin {
            Stdin::None => None,
            Stdin::Bytes(_) => Some(Capability::ExecStdin),
            Stdin::Stream => Some(Capability::ExecStdinStream),
        };
        let needed = [
            stdin,
            self.grace.map(|_| Capability::ExecStop),
            self.pty.map(|_| Capability::ExecPty),
            self.user.as_ref().map(|_| Capability::ExecUser),
            self.detached.then_some(Capability::ExecDetached),
            (self.output.spill != Spill::Off).then_some(Capability::ExecSpill),
        ];
        needed.into_iter().flatten().try_for_each(|capability| capabilities.require(capability))
    }

    fn validate_limits(&self) -> Result<()> {
        if self.timeout.is_some_and(|timeout| timeout.is_zero()) {
            return Err(Error::invalid_spec("timeout", "is zero, leave it out for no timeout"));
        }
        if let Some(TerminalSize { rows: 0, .. } | TerminalSize { cols: 0, .. }) = self.pty {
            return Err(Error::invalid_spec("pty", "has no rows or no columns, the usual size is 24 by 80"));
        }
        if self.pty.is_some() && self.output.sanitize != Sanitize::Raw {
            return Err(Error::invalid_spec("output.sanitize", "cannot be applied to a terminal"));
        }
        if let Spill::Directory(directory) = &self.output.spill
            && let Some(problem) = directory.problem()
        {
            return Err(Error::invalid_spec("output.spill", problem));
        }
        Ok(())
    }
}

fn validate_command(command: &Command) -> Result<()> {
    match command {
        Command::Argv(argv) if argv.is_empty() => Err(Error::invalid_spec("argv", "is empty, it needs a program")),
        Command::Argv(argv) if argv[0].is_empty() => {
            Err(Error::invalid_spec("argv", "has an empty program name, it needs a program"))
        }
        Command::Argv(argv) if argv.iter().any(|word| word.contains(&0)) => {
            Err(Error::invalid_spec("argv", "contains a NUL byte, pass such data through stdin or a file"))
        }
        Command::Shell(script) if script.contains(&0) => {
            Err(Error::invalid_spec("command", "contains a NUL byte, pass such data through stdin or a file"))
        }
        _ => Ok(()),
    }
}

/// Checks one variable. The message never has the name or the value: a mistaken pair may hold a secret in either.
pub(crate) fn validate_variable(field: &str, name: &[u8], value: &[u8]) -> Result<()> {
    if name.is_empty() {
        Err(Error::invalid_spec(field, "has an empty name"))
    } else if name.contains(&b'=') {
        Err(Error::invalid_spec(field, "has a name with an equals sign, names end there"))
    } else if name.contains(&0) || value.contains(&0) {
        Err(Error::invalid_spec(field, "contains a NUL byte, no program could see what follows it"))
    } else {
        Ok(())
    }
}

pub(crate) fn validate_user(field: &str, user: &str) -> Result<()> {
    let parts: Vec<&str> = user.split(':').collect();
    if parts.len() > 2 || parts.iter().any(|part| part.is_empty() || part.contains('\0')) {
        return Err(Error::invalid_spec(field, "is not a user, give a name, a uid, uid:gid or name:group"));
    }
    Ok(())
}
