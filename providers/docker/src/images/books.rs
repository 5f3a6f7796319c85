//! Which images isobox brought to an engine, and when they were last used: a file for each, whose times say it.
//!
//! An engine is shared with other programs and knows neither. What cannot be written down is as if somebody else had brought
//! it: it is kept.

use crate::address::Address;
use isobox_contract::Timestamp;
use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The files.
#[derive(Debug)]
pub(super) struct Books {
    place: PathBuf,
}

/// What is written down of an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// When it was last used.
    pub(super) used: SystemTime,
    /// When it came, in seconds.
    pub(super) fetched: Option<Timestamp>,
}

impl Books {
    pub(super) fn new(home: &Path, engine: &Address) -> Self {
        let escaped: String =
            engine.to_string().chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
        // The end of a long path says more than its beginning.
        let kept = escaped.len().saturating_sub(200);
        Self { place: home.join("docker").join("brought").join(&escaped[kept..]) }
    }

    /// Writes down that isobox brought it.
    pub(super) fn brought(&self, id: &str) {
        let Some(path) = self.path(id) else { return };
        let now = Timestamp::now().to_string();
        let written = fs::create_dir_all(&self.place).and_then(|()| match File::create_new(&path) {
            Ok(mut file) => std::io::Write::write_all(&mut file, now.as_bytes()),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        });
        if let Err(error) = written {
            tracing::warn!(path = %path.display(), %error, "it is not written down that isobox brought an image");
        }
    }

    /// Writes down that it is used now, if isobox brought it.
    pub(super) fn used(&self, id: &str) {
        let Some(path) = self.path(id) else { return };
        if let Ok(file) = File::options().append(true).open(path) {
            let _ = file.set_times(FileTimes::new().set_modified(SystemTime::now()));
        }
    }

    /// What is written down of it; none for one that somebody else brought.
    pub(super) fn entry(&self, id: &str) -> Option<Entry> {
        let path = self.path(id)?;
        let used = path.metadata().and_then(|metadata| metadata.modified()).ok()?;
        let fetched = fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok());
        Some(Entry { used, fetched })
    }

    /// Forgets it.
    pub(super) fn forget(&self, id: &str) {
        if let Some(path) = self.path(id) {
            let _ = fs::remove_file(path);
        }
    }

    fn path(&self, id: &str) -> Option<PathBuf> {
        let digits = id.strip_prefix("sha256:")?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| self.place.join(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_brought_is_known() {
        let home = tempfile::tempdir().unwrap();
        let books = Books::new(home.path(), &Address::Tcp("a:1".into()));
        let (id, other) = (format!("sha256:{}", "1".repeat(64)), format!("sha256:{}", "2".repeat(64)));
        books.used(&id);
        assert!(books.entry(&id).is_none());
        books.brought(&id);
        let first = books.entry(&id).unwrap();
        assert!(first.fetched.is_some() && books.entry(&other).is_none());
        books.used(&id);
        books.brought(&id);
        let second = books.entry(&id).unwrap();
        assert!(second.used >= first.used && second.fetched == first.fetched);
        books.forget(&id);
        assert!(books.entry(&id).is_none());
        books.brought("sha256:../../escape");
        assert!(books.entry("sha256:../../escape").is_none());
    }
}
