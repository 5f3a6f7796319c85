//! Commands that ask for one capability each.

use isobox::{Capability, ExecRequest, OutputLimits, Result, Sandbox, Spill, Stdin, TerminalSize};
use std::time::Duration;

/// A command that needs the capability; nothing when it is not one of commands.
pub(super) fn request(capability: Capability) -> Option<ExecRequest> {
    let nothing = ExecRequest::argv(["true"]);
    Some(match capability {
        Capability::ExecStdin => nothing.input("input"),
        Capability::ExecStdinStream => nothing.stdin(Stdin::Stream),
        Capability::ExecStop => nothing.grace(Duration::from_secs(1)),
        Capability::ExecUser => nothing.user("12345"),
        Capability::ExecPty => nothing.pty(TerminalSize::default()),
        Capability::ExecDetached => nothing.detached(),
        Capability::ExecSpill => nothing.output(OutputLimits { spill: Spill::Temporary, ..OutputLimits::default() }),
        _ => return None,
    })
}

/// Starts it, in the way that suits it.
pub(super) async fn start(sandbox: &Sandbox, request: ExecRequest) -> Result<()> {
    let spawned = sandbox.capabilities().has(Capability::ExecSpawn) && request.stdin == Stdin::Stream;
    let command = sandbox.request(request);
    if spawned { command.spawn().await.map(drop) } else { command.run().await.map(drop) }
}
