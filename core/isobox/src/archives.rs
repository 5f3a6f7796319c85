//! Trees of a sandbox as tar archives.
//!
//! A tar names its files in any order and may say anything; the way into a sandbox and out of it is a stream that is checked
//! entry by entry. So a tree is kept in between, in a private directory of this machine: it takes as much room for temporary
//! files (`TMPDIR`) as the tree has.

use crate::files::Files;
use isobox_contract::{
    DownloadOptions, Error, ErrorCode, FileKind, Result, SandboxPath, TransferLimits, TransferReport, UploadOptions,
};
use std::ffi::OsStr;
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Tar archives.
impl Files {
    /// Extracts a tar archive beneath a directory of the sandbox, which is made if it is not there and merged into otherwise.
    ///
    /// Modes, links and times are those of the archive; owners are not, see [`UploadOptions::owner`]. Devices, pipes and
    /// entries whose names lead out are left out and counted. `io` when it is no tar archive, `limit_exceeded` when it has
    /// more than the options allow. Reading happens on a thread of its own, which goes on until the next piece has come when
    /// the future is dropped; nothing is left then.
    pub async fn upload_tar(
        &self,
        archive: impl Read + Send + 'static,
        remote: impl Into<SandboxPath>,
        options: UploadOptions,
    ) -> Result<TransferReport> {
        let limits = options.limits;
        let staged = blocking(move || Stage::new()?.extract(archive, limits)).await?;
        let mut report = self.upload_with(staged.tree(), remote, options).await?;
        report.skipped = report.skipped.saturating_add(staged.skipped);
        blocking(move || staged.remove()).await?;
        Ok(report)
    }

    /// Writes a file or directory of the sandbox as a tar archive, in which it has the last name of its path; with a path
    /// that ends in `/.`, what is in the directory comes without it.
    ///
    /// Modes, links and times are kept, owners are those of this process. What the report counts as skipped is not in it.
    pub async fn download_tar(
        &self,
        remote: impl Into<SandboxPath>,
        archive: impl Write + Send + 'static,
        options: DownloadOptions,
    ) -> Result<TransferReport> {
        let remote = remote.into();
        let is_directory = self.stat(&remote).await?.kind == FileKind::Directory;
        let staged = blocking(Stage::new).await?;
        let report = self.download_with(&remote, staged.tree(), options).await?;
        let name = PathBuf::from(OsStr::from_bytes(name_of(&remote)));
        blocking(move || {
            staged.write(&name, is_directory, archive)?;
            staged.remove()
        })
        .await?;
        Ok(report)
    }
}

/// The name of a path in an archive; `.` when it has none of its own.
fn name_of(path: &SandboxPath) -> &[u8] {
    let bytes = path.as_bytes();
    match path.file_name() {
        b"" | b"." | b".." => b".",
        _ if bytes.ends_with(b"/.") => b".",
        name => name,
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

/// A private directory with a tree in it.
struct Stage {
    directory: TempDir,
    skipped: u64,
}

impl Stage {
    fn new() -> Result<Self> {
        let made = tempfile::Builder::new().prefix("isobox-tar-").tempdir();
        Ok(Self { directory: made.map_err(|error| Error::io("the directory for temporary files", error))?, skipped: 0 })
    }

    /// Where the tree is.
    fn tree(&self) -> PathBuf {
        self.directory.path().join("tree")
    }

    fn remove(self) -> Result<()> {
        self.directory.close().map_err(|error| Error::io("the directory for temporary files", error))
    }

    fn extract(mut self, archive: impl Read, limits: TransferLimits) -> Result<Self> {
        let tree = self.tree();
        DirBuilder::new().mode(0o755).create(&tree).map_err(extraction)?;
        let mut archive = tar::Archive::new(archive);
        archive.set_preserve_permissions(true);
        archive.set_unpack_xattrs(false);
        let (mut directories, mut entries, mut bytes) = (Vec::new(), 0_u64, 0_u64);
        for entry in archive.entries().map_err(extraction)? {
            let mut entry = entry.map_err(extraction)?;
            entries += 1;
            bytes = bytes.saturating_add(entry.size());
            within("limits.entries", entries, limits.entries)?;
            within("limits.bytes", bytes, limits.bytes)?;
            let kind = entry.header().entry_type();
            if kind.is_dir() {
                // Last: a directory that may not be written to must be filled first.
                directories.push(entry);
            } else if kind.is_file() || kind.is_symlink() || kind.is_hard_link() || kind.is_gnu_sparse() {
                self.skipped += u64::from(!entry.unpack_in(&tree).map_err(extraction)?);
            } else {
                self.skipped += 1;
            }
        }
        directories.sort_by(|a, b| b.path_bytes().cmp(&a.path_bytes()));
        for mut directory in directories {
            self.skipped += u64::from(!directory.unpack_in(&tree).map_err(extraction)?);
        }
        Ok(self)
    }

    fn write(&self, name: &Path, is_directory: bool, archive: impl Write) -> Result<()> {
        let tree = self.tree();
        let mut builder = tar::Builder::new(archive);
        builder.follow_symlinks(false);
        let written = match is_directory {
            true => builder.append_dir_all(name, &tree),
            false => File::open(&tree).and_then(|mut file| builder.append_file(name, &mut file)),
        };
        let finished = written.and_then(|()| builder.into_inner()).and_then(|mut archive| archive.flush());
        finished.map_err(|error| Error::io("the archive could not be written", error))
    }
}

fn within(limit: &str, value: u64, most: u64) -> Result<()> {
    if value > most { Err(Error::limit_exceeded(limit, most)) } else { Ok(()) }
}

fn extraction(error: io::Error) -> Error {
    if error.kind() == io::ErrorKind::StorageFull {
        let message = "there is no room to extract the archive, set TMPDIR to a directory with more";
        return Error::new(ErrorCode::OutOfDisk, message).with_source(error);
    }
    Error::io("the archive cannot be extracted", error).infrastructure(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_the_last_name_of_its_path() {
        let name = |path: &str| String::from_utf8_lossy(name_of(&path.into())).into_owned();
        assert_eq!([name("/a/b"), name("b"), name("/a/b/")], ["b", "b", "b"].map(str::to_owned));
        assert_eq!([name("/"), name("."), name("/a/."), name("..")], [".", ".", ".", "."].map(str::to_owned));
    }

    fn extracted(fill: impl FnOnce(&mut tar::Builder<Vec<u8>>), limits: TransferLimits) -> Result<Stage> {
        let mut builder = tar::Builder::new(Vec::new());
        fill(&mut builder);
        Stage::new()?.extract(io::Cursor::new(builder.into_inner().unwrap()), limits)
    }

    fn file(builder: &mut tar::Builder<Vec<u8>>, name: &[u8], bytes: &[u8]) {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, bytes).unwrap();
    }

    #[test]
    fn what_leads_out_is_left_out_and_what_is_too_much_is_refused() {
        let fill = |builder: &mut tar::Builder<Vec<u8>>| {
            file(builder, b"../out", b"x");
            file(builder, b"/absolute", b"y");
            file(builder, b"in", b"z");
        };
        let staged = extracted(fill, TransferLimits::default()).unwrap();
        assert_eq!(staged.skipped, 1);
        assert_eq!(std::fs::read(staged.tree().join("absolute")).unwrap(), b"y", "beneath the directory");
        assert!(!staged.tree().parent().unwrap().join("out").exists());
        let few = TransferLimits { entries: 2, ..TransferLimits::default() };
        assert_eq!(extracted(fill, few).err().unwrap().code(), ErrorCode::LimitExceeded);
        let small = TransferLimits { bytes: 2, ..TransferLimits::default() };
        assert_eq!(extracted(fill, small).err().unwrap().code(), ErrorCode::LimitExceeded);
    }

    #[test]
    fn nothing_is_written_through_a_link_of_the_archive() {
        let outside = tempfile::tempdir().unwrap();
        let fill = |builder: &mut tar::Builder<Vec<u8>>| {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            builder.append_link(&mut header, "link", outside.path()).unwrap();
            file(builder, b"link/planted", b"x");
        };
        assert!(extracted(fill, TransferLimits::default()).is_err());
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        let noise = io::Cursor::new(vec![0x5a; 2048]);
        let error = Stage::new().unwrap().extract(noise, TransferLimits::default()).err().unwrap();
        assert_eq!(error.code(), ErrorCode::Io);
    }
}
