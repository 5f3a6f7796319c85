//! The files that a Dockerfile copies from, as the engine takes them.
//!
//! The Dockerfile is given beside them and is no file of the directory. As Docker's own client does, it is put there under a name
//! that the engine leaves out again.

use super::ignore::{Ignore, NAME};
use crate::piped::{Failure, piped};
use bytes::Bytes;
use futures::Stream;
use isobox_contract::{Error, Result};
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The Dockerfile's name in the context.
const DOCKERFILE: &str = ".isobox.dockerfile";
/// The most bytes of a `.dockerignore`, and directories in each other.
const IGNORE: u64 = 1 << 20;
const DEEPEST: usize = 200;

/// The files that a Dockerfile copies from.
pub(crate) enum Files {
    /// None.
    Nothing,
    /// A directory of this machine.
    Directory(PathBuf),
}

impl Files {
    /// Packs them with a Dockerfile, and says what that is called there.
    pub(super) fn pack(self, text: &str) -> (impl Stream<Item = io::Result<Bytes>> + Send + 'static, String, Failure) {
        let text = text.to_owned();
        let (body, failure) = piped(move |out| pack(self, &text, out));
        (body, DOCKERFILE.to_owned(), failure)
    }
}

fn pack(files: Files, text: &str, out: &mut dyn Write) -> Result<()> {
    let mut archive = tar::Builder::new(out);
    let failed = |error| Error::io("cannot pack the context of a Dockerfile", error);
    match files {
        Files::Nothing => {}
        Files::Directory(directory) => {
            let given = ignore_file(&directory)?;
            let mut walk = Walk { ignore: Ignore::parse(&given)?, archive: &mut archive };
            walk.directory(&directory, "", 0)?;
            put(&mut archive, NAME, &leaving_out(&given)).map_err(failed)?;
        }
    }
    put(&mut archive, DOCKERFILE, text).and_then(|()| archive.into_inner().map(drop)).map_err(failed)
}

/// The patterns with those that are isobox's own: this file is not as it was, so that is left out too.
fn leaving_out(given: &str) -> String {
    format!("{given}\n{NAME}\n{DOCKERFILE}\n")
}

fn ignore_file(directory: &Path) -> Result<String> {
    let path = directory.join(NAME);
    let file = match fs::File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        file => file.map_err(|error| unreadable(&path, error))?,
    };
    let mut text = String::new();
    file.take(IGNORE).read_to_string(&mut text).map_err(|error| unreadable(&path, error))?;
    Ok(text)
}

fn unreadable(path: &Path, error: io::Error) -> Error {
    Error::io(format!("cannot read {}, which is in the context of a Dockerfile", path.display()), error)
}

struct Walk<'a, 'b> {
    ignore: Ignore,
    archive: &'a mut tar::Builder<&'b mut dyn Write>,
}

impl Walk<'_, '_> {
    /// Packs what is in a directory, in the order of names, so that the same files give the same bytes.
    fn directory(&mut self, directory: &Path, below: &str, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(Error::limit_exceeded(
                "directories in each other in the context of a Dockerfile",
                DEEPEST as u64,
            ));
        }
        let read = fs::read_dir(directory).map_err(|error| unreadable(directory, error))?;
        let mut names = Vec::new();
        for entry in read {
            let name = entry.map_err(|error| unreadable(directory, error))?.file_name();
            // The engine's names are text.
            names.extend(name.to_str().map(str::to_owned));
        }
        names.sort();
        for name in names {
            let (path, inside) = (directory.join(&name), format!("{below}{name}"));
            let left_out = self.ignore.leaves_out(&inside);
            let metadata = path.symlink_metadata().map_err(|error| unreadable(&path, error))?;
            if inside == NAME || (left_out && !metadata.is_dir()) {
                continue;
            }
            if metadata.is_dir() {
                if left_out && self.ignore.ends_at_directories() {
                    continue;
                }
                if !left_out {
                    self.entry(&path, &format!("{inside}/"), &metadata)?;
                }
                self.directory(&path, &format!("{inside}/"), depth + 1)?;
            } else {
                self.entry(&path, &inside, &metadata)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, inside: &str, metadata: &fs::Metadata) -> Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_mode(metadata.permissions().mode() & 0o7777);
        header.set_mtime(u64::try_from(metadata.mtime()).unwrap_or_default());
        header.set_size(0);
        let put = if metadata.is_symlink() {
            header.set_entry_type(tar::EntryType::Symlink);
            fs::read_link(path).and_then(|target| self.archive.append_link(&mut header, inside, target))
        } else if metadata.is_dir() {
            header.set_entry_type(tar::EntryType::Directory);
            self.archive.append_data(&mut header, inside, io::empty())
        } else if metadata.is_file() {
            header.set_size(metadata.len());
            // What it has grown by since is left out, and what it has shrunk by is missing, which the engine notices.
            fs::File::open(path)
                .and_then(|file| self.archive.append_data(&mut header, inside, file.take(metadata.len())))
        } else {
            // Sockets, pipes and devices are nothing that can be copied.
            Ok(())
        };
        put.map_err(|error| unreadable(path, error))
    }
}

fn put(archive: &mut tar::Builder<&mut dyn Write>, name: &str, text: &str) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, name, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_packed_without_what_is_left_out() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("kept/a", "1");
        write("left/out", "2");
        write("left/back", "3");
        write(NAME, "left/*\n!left/back\n");
        std::os::unix::fs::symlink("/etc/passwd", place.path().join("link")).unwrap();
        let mut bytes = Vec::new();
        pack(Files::Directory(place.path().to_owned()), "FROM x", &mut bytes).unwrap();
        let mut archive = tar::Archive::new(&bytes[..]);
        let entries = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            let name = entry.path().unwrap().display().to_string();
            (name, entry.link_name().unwrap().map(|target| target.display().to_string()))
        });
        let entries: Vec<_> = entries.collect();
        let names: Vec<_> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["kept/", "kept/a", "left/", "left/back", "link", NAME, DOCKERFILE]);
        assert_eq!(entries[4].1.as_deref(), Some("/etc/passwd"));
    }
}
