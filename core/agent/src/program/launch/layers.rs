//! The read-only layers of a root file system, reached through few descriptors: one for each directory that has layers
//! in it, and not one for each layer, of which there may be hundreds.

use super::failure::{At, Outcome, shown};
use super::overlay::Below;
use super::tree::Tree;
use isobox_wire::launch::{LaunchConfig, LaunchStep, RootFs};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::CWD;
use std::ffi::CString;

/// A directory with layers in it.
pub(super) enum Lower {
    /// Opened in the sandbox's own mount namespace.
    Here(OwnedFd),
    /// A mount that is nowhere yet.
    Detached(Tree),
}

impl AsFd for Lower {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Here(directory) => directory.as_fd(),
            Self::Detached(tree) => tree.as_fd(),
        }
    }
}

/// A directory to open.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parent<'a> {
    pub(super) path: &'a [u8],
    /// Whether it is shown through the sandbox's ids.
    pub(super) id_mapped: bool,
    /// Whether it is the layer itself.
    pub(super) whole: bool,
}

/// Which directories have to be opened for a config, and where its layers are in them, the first on top.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plan<'a> {
    pub(super) parents: Vec<Parent<'a>>,
    layers: Vec<(usize, &'a [u8])>,
}

/// What [`RootFs::HostLayers`] have for `/` and for `/etc`.
pub(super) const HOST_PARTS: [&[u8]; 2] = [b"upper", b"etc"];

impl<'a> Plan<'a> {
    pub(super) fn of(config: &'a LaunchConfig) -> Self {
        let mut plan = Self::default();
        match &config.root {
            RootFs::Host => {}
            RootFs::Directory(path) => plan.add(Parent { path, id_mapped: config.id_mapped, whole: true }, b""),
            RootFs::Layers { layers } | RootFs::HostLayers { layers } => layers.iter().for_each(|layer| {
                let (path, name) = split(&layer.path);
                plan.add(Parent { path, id_mapped: layer.id_mapped, whole: name.is_empty() }, name);
            }),
        }
        plan
    }

    fn add(&mut self, parent: Parent<'a>, name: &'a [u8]) {
        let index = self.parents.iter().position(|known| *known == parent).unwrap_or_else(|| {
            self.parents.push(parent);
            self.parents.len() - 1
        });
        self.layers.push((index, name));
    }

    /// The layers in the opened parents, once these are attached; of each the directory `part`, if one is named.
    pub(super) fn resolve<'b>(&self, opened: &'b [Lower], part: Option<&[u8]>) -> Outcome<Vec<Below<'b>>> {
        let below = |(index, name): &(usize, &[u8])| {
            let name = part.map_or(name.to_vec(), |part| [name, &b"/"[..], part].concat());
            let name = CString::new(name).map_err(|_| rustix::io::Errno::INVAL);
            let name =
                name.at(LaunchStep::RootFilesystem, || format!("bad layer {}", shown(self.parents[*index].path)))?;
            Ok(Below { directory: opened[*index].as_fd(), name })
        };
        self.layers.iter().map(below).collect()
    }
}

/// Puts what is nowhere yet on the current directory: kernels before 6.15 take only what is attached as a layer.
pub(super) fn attach(opened: &[Lower]) -> Outcome {
    opened.iter().try_for_each(|lower| match lower {
        Lower::Here(_) => Ok(()),
        Lower::Detached(tree) => {
            tree.attach(CWD, c".").at(LaunchStep::RootFilesystem, || "cannot mount the layers".to_owned())
        }
    })
}

/// The parent's path and the last name, which is empty where the path has none.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let end = path.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1);
    let start = path[..end].iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    match &path[start..end] {
        b"" | b"." | b".." => (path, b""),
        name => (&path[..start], name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_splits_into_parent_and_name() {
        assert_eq!(split(b"/a/b"), (&b"/a/"[..], &b"b"[..]));
        assert_eq!(split(b"/a/b//"), (&b"/a/"[..], &b"b"[..]));
        assert_eq!(split(b"/a"), (&b"/"[..], &b"a"[..]));
        assert_eq!(split(b"/a/.."), (&b"/a/.."[..], &b""[..]));
        assert_eq!(split(b"/"), (&b"/"[..], &b""[..]));
    }
}
