//! Out of a sandbox.

use super::inward::refuse_owners;
use super::owners;
use super::place::{Place, There, goes_to, is_through, local};
use crate::args::CpArgs;
use crate::find;
use isobox::{DownloadOptions, Error, FileKind, Files, Isobox, Result, SandboxPath, TransferReport};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(super) async fn copy(
    isobox: &Isobox,
    args: &CpArgs,
    (sandbox, path): (&str, &SandboxPath),
    to: &Place,
) -> Result<TransferReport> {
    let files = find::sandbox(isobox, sandbox).await?.files();
    let Place::Local(to) = to else {
        refuse_owners(args)?;
        return files.download_tar(path, std::io::stdout(), DownloadOptions::default()).await;
    };
    let follow = args.follow_link || is_through(path.as_bytes());
    let metadata = if follow { files.stat(path).await? } else { files.stat_link(path).await? };
    let is_directory = metadata.kind == FileKind::Directory;
    let target = goes_to(path.as_bytes(), is_directory, to.as_os_str().as_bytes(), there(to)?)?;
    let target = local(target);
    if metadata.kind == FileKind::Symlink {
        return link(&files, path, &target).await;
    }
    let report = files.download(path, &target).await?;
    if args.archive {
        owners::outward(&files, path, &target).await?;
    }
    Ok(report)
}

fn there(path: &Path) -> Result<There> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(There::Directory),
        Ok(_) => Ok(There::Other),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(There::Nothing),
        Err(error) => Err(Error::io(path.display(), error)),
    }
}

/// Makes the same link on this machine, in place of a file. Where it leads to is the business of whoever follows it.
async fn link(files: &Files, path: &SandboxPath, to: &Path) -> Result<TransferReport> {
    let target = files.read_link(path).await?;
    let failed = |error: std::io::Error| Error::io(to.display(), error);
    match std::fs::remove_file(to) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    std::os::unix::fs::symlink(OsStr::from_bytes(target.as_bytes()), to).map_err(failed)?;
    Ok(TransferReport { links: 1, ..TransferReport::default() })
}
