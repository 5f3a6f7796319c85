//! The flags of `isobox create`.

use super::{CommandsFlags, FormFlag, SandboxFlags};
use clap::Args;

/// Make a sandbox that outlives this command, and print its id
///
/// It is there for every process until its ttl is over, which is 24 hours unless --ttl says otherwise, or until somebody
/// removes it with isobox rm.
#[derive(Args, Debug)]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    pub(crate) form: FormFlag,

    #[command(flatten)]
    pub(crate) sandbox: SandboxFlags,

    #[command(flatten)]
    pub(crate) commands: CommandsFlags,

    /// Take the sandbox that has the name already, if there is one, whatever it is like
    #[arg(long, requires = "name", help_heading = "Sandbox")]
    pub(crate) get: bool,
}
