//! What `--image` stands for.

use crate::args::{PullArg, RunArgs};
use isobox::{Error, ImageSource, PullPolicy, Result, SandboxImage, Source};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// How the names of archives end.
const ARCHIVES: [&str; 4] = [".tar", ".tar.gz", ".tgz", ".tar.zst"];

/// The source that the flags name.
pub(super) fn source(args: &RunArgs) -> Result<Option<Source>> {
    let Some(image) = &args.image else { return Ok(None) };
    if is_path(image) {
        if args.platform.is_some() {
            return Err(Error::invalid_spec("platform", "is for references, and --image is an archive"));
        }
        let path = std::path::absolute(Path::new(image)).unwrap_or_else(|_| image.into());
        return Ok(Some(Source::Archive { path, reference: args.image_name.clone() }));
    }
    if args.image_name.is_some() {
        return Err(Error::invalid_spec("image_name", "is for archives, and --image is a reference"));
    }
    let pull = match args.pull {
        PullArg::Missing => PullPolicy::Missing,
        PullArg::Always => PullPolicy::Always,
        PullArg::Never => PullPolicy::Never,
    };
    Ok(Some(Source::Image(ImageSource { reference: image.clone(), pull, platform: args.platform.clone(), auth: None })))
}

/// What is executed: COMMAND, or what the flags make of it with what the image says.
pub(super) fn argv(args: &RunArgs, image: Option<&SandboxImage>) -> Result<Vec<Vec<u8>>> {
    let command = args.command.iter().map(|word| word.clone().into_vec());
    if let Some(program) = &args.entrypoint {
        return Ok(std::iter::once(program.clone().into_vec()).chain(command).collect());
    }
    let argv = match image {
        Some(image) if args.image_entrypoint || args.command.is_empty() => image.argv(command),
        _ => command.collect(),
    };
    if argv.is_empty() {
        let reason = "is not named by the image, which has neither an entrypoint nor a command: give one behind --";
        return Err(Error::invalid_spec("COMMAND", reason));
    }
    Ok(argv)
}

/// Whether it is the path of an archive or folder. What it looks like decides, not what is there: a reference must not mean
/// something else because somebody made a file.
fn is_path(image: &str) -> bool {
    image.starts_with(['/', '.']) || ARCHIVES.iter().any(|end| image.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_a_reference_by_its_looks() {
        for path in ["/a", "./a", "../a", "a.tar", "a/b.tar.gz", "."] {
            assert!(is_path(path), "{path}");
        }
        for reference in ["alpine", "alpine:3.22", "localhost:5000/a/b:1", "docker-daemon:x", "a/b@sha256:0"] {
            assert!(!is_path(reference), "{reference}");
        }
    }
}
