//! The flags of `isobox create`.

use super::{FormFlag, SandboxFlags};
use clap::Args;
use std::ffi::OsString;

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

    /// A variable for every command in it; NAME alone passes on your own, if it is set
    #[arg(short = 'e', long = "env", value_name = "NAME[=VALUE]", help_heading = "Sandbox")]
    pub(crate) env: Vec<OsString>,

    /// Where commands run, absolute; it must be there
    #[arg(short = 'w', long, value_name = "DIR", help_heading = "Sandbox")]
    pub(crate) workdir: Option<OsString>,

    /// As whom commands run: a name, uid, uid:gid or name:group
    #[arg(short = 'u', long, help_heading = "Sandbox")]
    pub(crate) user: Option<String>,

    /// Run the image's own entrypoint, with its command, once the sandbox is made
    #[arg(long, help_heading = "Sandbox")]
    pub(crate) image_entrypoint: bool,

    /// Take the sandbox that has the name already, if there is one, whatever it is like
    #[arg(long, requires = "name", help_heading = "Sandbox")]
    pub(crate) get: bool,
}
