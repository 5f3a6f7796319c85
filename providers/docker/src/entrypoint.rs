//! The program of an image, run beside the agent when that is asked for.

use isobox_contract::{Error, ExecRequest, Result, SandboxImage, SandboxSpec};

/// What is run once the sandbox is there, if anything.
///
/// # Errors
/// `invalid_spec` with the field `entrypoint` when there is no image, or it names no program.
pub(crate) fn of(spec: &SandboxSpec, image: Option<&SandboxImage>) -> Result<Option<ExecRequest>> {
    if !spec.entrypoint {
        return Ok(None);
    }
    match image.map(|image| image.argv([])) {
        None => Err(Error::invalid_spec("entrypoint", "is that of an image, give one as the source or leave it out")),
        Some(argv) if argv.is_empty() => {
            Err(Error::invalid_spec("entrypoint", "is not named by the image, leave it out and run a program instead"))
        }
        Some(argv) => {
            let label = Some("entrypoint".to_owned());
            Ok(Some(ExecRequest { detached: true, label, ..ExecRequest::argv(argv) }))
        }
    }
}
