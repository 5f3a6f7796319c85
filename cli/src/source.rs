//! What a sandbox is made from, and what is executed in it by default.

use crate::args::{PullArg, RunArgs};
use crate::config::Settings;
use isobox::{Error, ImageSource, Isobox, PullPolicy, Result, SandboxImage, Source};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// How the names of archives end.
const ARCHIVES: [&str; 4] = [".tar", ".tar.gz", ".tgz", ".tar.zst"];

/// The image or snapshot that settings name.
pub(crate) async fn of(isobox: &Isobox, provider: &str, settings: &Settings) -> Result<Option<Source>> {
    if let Some(snapshot) = &settings.snapshot {
        let snapshot = crate::snapshot::find(&isobox.snapshots().provider(provider), snapshot).await?;
        return Ok(Some(Source::Snapshot { snapshot }));
    }
    let Some(image) = &settings.image else {
        let alone = [("image_name", settings.image_name.is_some()), ("platform", settings.platform.is_some())];
        return match alone.iter().find(|(_, given)| *given) {
            Some((field, _)) => Err(Error::invalid_spec(*field, "is for images, give --image too")),
            None => Ok(None),
        };
    };
    if is_path(image) {
        if settings.platform.is_some() {
            return Err(Error::invalid_spec("platform", "is for references, and --image is an archive"));
        }
        let path = std::path::absolute(Path::new(image)).unwrap_or_else(|_| image.into());
        return Ok(Some(Source::Archive { path, reference: settings.image_name.clone() }));
    }
    if settings.image_name.is_some() {
        return Err(Error::invalid_spec("image_name", "is for archives, and --image is a reference"));
    }
    let pull = match settings.pull {
        None | Some(PullArg::Missing) => PullPolicy::Missing,
        Some(PullArg::Always) => PullPolicy::Always,
        Some(PullArg::Never) => PullPolicy::Never,
    };
    let platform = settings.platform.clone();
    Ok(Some(Source::Image(ImageSource { reference: image.clone(), pull, platform, auth: None })))
}

/// Refuses what only an image could answer where there is none, before anything is made.
pub(crate) fn check(args: &RunArgs, settings: &Settings) -> Result<()> {
    if settings.image.is_some() || settings.snapshot.is_some() {
        return Ok(());
    }
    if args.image_entrypoint {
        return Err(Error::invalid_spec("image_entrypoint", "is for images, give --image too"));
    }
    argv(args, None).map(drop)
}

/// What is executed: COMMAND, or what the flags make of it with what the image says.
pub(crate) fn argv(args: &RunArgs, image: Option<&SandboxImage>) -> Result<Vec<Vec<u8>>> {
    let command = args.command.iter().map(|word| word.clone().into_vec());
    if let Some(program) = &args.entrypoint {
        return Ok(std::iter::once(program.clone().into_vec()).chain(command).collect());
    }
    let argv = match image {
        Some(image) if args.image_entrypoint || args.command.is_empty() => image.argv(command),
        _ => command.collect(),
    };
    if argv.is_empty() {
        let reason = match image {
            Some(_) => "is not named by the image, which has neither an entrypoint nor a command: give one behind --",
            None => "is missing, and there is no image to name one: give one behind --",
        };
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
