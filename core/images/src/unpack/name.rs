//! Names in a layer: where an entry is, and what it says about the layers below.

use crate::problem::{Outcome, Problem};

/// How a name says that the layers below do not have it (OCI image specification, "Whiteouts").
const WHITEOUT: &[u8] = b".wh.";
/// How a directory says that it hides what is below it.
const OPAQUE: &[u8] = b".wh..wh..opq";
/// Names of this kind are bookkeeping of AUFS and nothing else.
const BOOKKEEPING: &[u8] = b".wh..wh.";

/// What the name of an entry means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The layer's own directory.
    Root,
    /// A thing at this path.
    Thing(Vec<u8>),
    /// Nothing of the layers below is at this path.
    Whiteout(Vec<u8>),
    /// Nothing of the layers below is in this directory; empty for the root.
    Opaque(Vec<u8>),
    /// To be passed over.
    Nothing,
}

/// What a name means. Leading slashes, `.` and doubled slashes are taken away.
pub(super) fn meaning(path: &[u8]) -> Outcome<Meaning> {
    let Some(clean) = clean(path)? else { return Ok(Meaning::Root) };
    let (parent, name) = split(&clean);
    if clean.split(|byte| *byte == b'/').any(|name| name.starts_with(BOOKKEEPING) && name != OPAQUE) {
        return Ok(Meaning::Nothing);
    }
    if parent.split(|byte| *byte == b'/').any(|name| name.starts_with(WHITEOUT)) {
        return Err(Problem::refused(path, "it is below a whiteout"));
    }
    if name == OPAQUE {
        return Ok(Meaning::Opaque(parent.to_vec()));
    }
    match name.strip_prefix(WHITEOUT) {
        None => Ok(Meaning::Thing(clean)),
        Some(b"" | b"." | b"..") => Err(Problem::refused(path, "it is a whiteout of nothing that could be there")),
        Some(hidden) => Ok(Meaning::Whiteout([parent, if parent.is_empty() { b"" } else { b"/" }, hidden].concat())),
    }
}

/// The path without what means nothing; `None` for the layer's own directory.
pub(super) fn clean(path: &[u8]) -> Outcome<Option<Vec<u8>>> {
    if path.contains(&0) {
        return Err(Problem::refused(path, "its name has a zero byte"));
    }
    let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".");
    let mut clean = Vec::with_capacity(path.len());
    for name in names {
        if name == b".." {
            return Err(Problem::refused(path, "it has `..` in its name"));
        }
        if !clean.is_empty() {
            clean.push(b'/');
        }
        clean.extend_from_slice(name);
    }
    Ok((!clean.is_empty()).then_some(clean))
}

/// The parent, empty for the root, and the last name.
pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thing(path: &str) -> Meaning {
        Meaning::Thing(path.into())
    }

    #[test]
    fn spellings_of_one_place_are_one() {
        for path in ["a/b", "./a/b", "/a/b", "//a/./b/", "a//b"] {
            assert_eq!(meaning(path.as_bytes()).unwrap(), thing("a/b"), "{path}");
        }
        for path in ["", ".", "./", "/"] {
            assert_eq!(meaning(path.as_bytes()).unwrap(), Meaning::Root, "{path}");
        }
    }

    #[test]
    fn whiteouts_are_told_apart() {
        assert_eq!(meaning(b"a/.wh.b").unwrap(), Meaning::Whiteout(b"a/b".into()));
        assert_eq!(meaning(b".wh.b").unwrap(), Meaning::Whiteout(b"b".into()));
        assert_eq!(meaning(b"a/.wh..wh..opq").unwrap(), Meaning::Opaque(b"a".into()));
        assert_eq!(meaning(b".wh..wh..opq").unwrap(), Meaning::Opaque(b"".into()));
        assert_eq!(meaning(b".wh..wh.plnk/1.2").unwrap(), Meaning::Nothing);
        assert_eq!(meaning(b"a/.wh..wh.aufs").unwrap(), Meaning::Nothing);
    }

    #[test]
    fn what_leads_out_or_means_nothing_is_refused() {
        for path in [&b"../a"[..], b"a/../../b", b"a/..", b"a\0b", b".wh.", b"a/.wh...", b".wh..", b"a/.wh.b/c"] {
            assert!(meaning(path).is_err(), "{}", String::from_utf8_lossy(path));
        }
    }
}
