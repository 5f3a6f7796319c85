//! From a path to a key, as Linux resolves it.

use super::tree::{Key, Kind};
use super::view::View;
use super::{Author, Outcome};
use isobox_contract::FileErrorKind;
use std::collections::VecDeque;

/// As in Linux (path_resolution(7)).
const MOST_LINKS: u32 = 40;
const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;

/// The names of a path, none for empty ones.
pub(crate) fn names(path: &[u8]) -> impl DoubleEndedIterator<Item = Vec<u8>> + '_ {
    path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).map(<[u8]>::to_vec)
}

/// A key as an absolute path.
pub(crate) fn path_of(key: &[Vec<u8>]) -> Vec<u8> {
    match key {
        [] => b"/".to_vec(),
        names => names.iter().flat_map(|name| [b"/", &name[..]].concat()).collect(),
    }
}

impl View<'_> {
    /// The key that a path leads to, which may be that of nothing. Links on the way are followed, the last one with `follow`.
    pub(crate) fn resolve(&self, workdir: &[Vec<u8>], path: &[u8], follow: bool) -> Outcome<Key> {
        if path.is_empty() || path.contains(&0) {
            return Err(FileErrorKind::InvalidPath);
        }
        if path.len() > LONGEST_PATH {
            return Err(FileErrorKind::NameTooLong);
        }
        let mut at = if path.starts_with(b"/") { Key::new() } else { workdir.to_vec() };
        let mut rest: VecDeque<Vec<u8>> = names(path).collect();
        let follow = follow || path.ends_with(b"/");
        let mut links = 0;
        while let Some(name) = rest.pop_front() {
            if name.len() > LONGEST_NAME {
                return Err(FileErrorKind::NameTooLong);
            }
            if self.get(&at).is_some_and(|node| !node.is_directory()) {
                return Err(FileErrorKind::NotADirectory);
            }
            match &name[..] {
                b"." => continue,
                b".." => {
                    at.pop();
                    continue;
                }
                _ => at.push(name),
            }
            let Some(Kind::Link(text)) = self.get(&at).map(|node| &node.kind) else { continue };
            if follow || !rest.is_empty() {
                links += 1;
                if links > MOST_LINKS {
                    return Err(FileErrorKind::TooManyLinks);
                }
                at.pop();
                if text.starts_with(b"/") {
                    at.clear();
                }
                names(text).rev().for_each(|name| rest.push_front(name));
            }
        }
        if path.ends_with(b"/") && self.get(&at).is_some_and(|node| !node.is_directory()) {
            return Err(FileErrorKind::NotADirectory);
        }
        Ok(at)
    }

    /// The key of something that is there.
    pub(crate) fn existing(&self, workdir: &[Vec<u8>], path: &[u8], follow: bool) -> Outcome<Key> {
        let key = self.resolve(workdir, path, follow)?;
        if self.get(&key).is_some() { Ok(key) } else { Err(FileErrorKind::NotFound) }
    }

    /// Sees to it that the directory of a new entry is there.
    pub(crate) fn parent(&mut self, key: &[Vec<u8>], make: bool, author: &Author) -> Outcome<()> {
        for length in 0..key.len() {
            match self.get(&key[..length]) {
                Some(node) if node.is_directory() => {}
                Some(_) => return Err(FileErrorKind::NotADirectory),
                None if make => self.make(&key[..length], author.directory(None))?,
                None => return Err(FileErrorKind::NotFound),
            }
        }
        Ok(())
    }
}
