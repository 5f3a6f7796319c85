//! Into a sandbox.

use super::owners;
use super::place::{Place, There, goes_to, is_through};
use crate::args::CpArgs;
use crate::find;
use isobox::{Error, ErrorCode, FileKind, Files, Isobox, Result, SandboxPath, TransferReport, UploadOptions};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(super) async fn copy(
    isobox: &Isobox,
    args: &CpArgs,
    from: &Place,
    (sandbox, path): (&str, &SandboxPath),
) -> Result<TransferReport> {
    let files = find::sandbox(isobox, sandbox).await?.files();
    let there = there(&files, path).await?;
    let Place::Local(local) = from else {
        refuse_owners(args)?;
        if there != There::Directory {
            let reason = format!("{path} is no directory of the sandbox, an archive needs one");
            return Err(Error::invalid_spec("DESTINATION", reason));
        }
        return files.upload_tar(std::io::stdin(), path, UploadOptions::default()).await;
    };
    let written = local.as_os_str().as_bytes();
    let follow = args.follow_link || is_through(written);
    let metadata = look(local, follow)?;
    let to = SandboxPath::from(goes_to(written, metadata.is_dir(), path.as_bytes(), there)?);
    if metadata.is_symlink() {
        return link(&files, local, &to).await;
    }
    let report = files.upload(local, &to).await?;
    if args.archive {
        owners::inward(&files, local, &to).await?;
    }
    Ok(report)
}

/// Whoever wants owners of an archive extracts it in the sandbox.
pub(super) fn refuse_owners(args: &CpArgs) -> Result<()> {
    let reason = "has no place with a tar archive, whose owners are not kept";
    if args.archive { Err(Error::invalid_spec("--archive", reason)) } else { Ok(()) }
}

fn look(path: &Path, follow: bool) -> Result<std::fs::Metadata> {
    let metadata = if follow { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
    metadata.map_err(|error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => format!("{} is not there", path.display()),
            kind => format!("{} cannot be used: {kind}", path.display()),
        };
        Error::invalid_spec("SOURCE", reason).with_source(error)
    })
}

async fn there(files: &Files, path: &SandboxPath) -> Result<There> {
    match files.stat(path).await {
        Ok(metadata) if metadata.kind == FileKind::Directory => Ok(There::Directory),
        Ok(_) => Ok(There::Other),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(There::Nothing),
        Err(error) => Err(error),
    }
}

/// Makes the same link in the sandbox, in place of a file.
async fn link(files: &Files, local: &Path, to: &SandboxPath) -> Result<TransferReport> {
    let target = std::fs::read_link(local).map_err(|error| Error::io(local.display(), error))?;
    files.remove(to).await?;
    files.symlink(target.as_os_str().as_bytes(), to).await?;
    Ok(TransferReport { links: 1, ..TransferReport::default() })
}
