//! Paths beneath a root, as bytes: what they may look like, and in which order they come.

use std::cmp::Ordering;

/// The longest path that is carried, and the longest target of a symlink; Linux' `PATH_MAX`.
pub(crate) const PATH_MAX: usize = 4096;

/// Checks a path of one or more names beneath the root.
pub(crate) fn check(path: &[u8]) -> Result<(), &'static str> {
    if path.len() > PATH_MAX {
        return Err("its path is longer than 4096 bytes");
    }
    if path.starts_with(b"/") {
        return Err("its path is absolute");
    }
    components(path).try_for_each(check_name)
}

/// Checks one name, without a slash in it.
pub(crate) fn check_name(name: &[u8]) -> Result<(), &'static str> {
    match name {
        b"" => Err("its path has an empty component"),
        b"." | b".." => Err("its path has a dot component"),
        _ if name.contains(&0) => Err("its path has a NUL byte"),
        _ if name.contains(&b'/') => Err("its name has a slash"),
        _ => Ok(()),
    }
}

/// The names of a path; of the empty path, one empty name.
pub(crate) fn components(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/')
}

/// How many names a path has; 0 for the root.
pub(crate) fn depth(path: &[u8]) -> usize {
    if path.is_empty() { 0 } else { components(path).count() }
}

/// The order of a depth-first walk that takes names in byte order: `a`, `a/b`, `a-b`.
pub(crate) fn order(left: &[u8], right: &[u8]) -> Ordering {
    components(left).cmp(components(right))
}

/// The path of the parent, empty for the root, and the last name.
pub(crate) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

/// Appends a name to a path in place.
pub(crate) fn push(path: &mut Vec<u8>, name: &[u8]) {
    if !path.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}

/// Whether a symlink in the directory `parent` can lead out of the root.
///
/// Climbing is safe only at the beginning of the target, where it goes over real directories. After a name it goes over
/// whatever that name is: with `l` a link to the root, `l/..` is outside. When every link passes this test, the place that
/// each leads to is inside, by induction over the links on the way.
pub(crate) fn escapes(parent: &[u8], target: &[u8]) -> bool {
    let mut height = depth(parent);
    let mut descended = false;
    if target.starts_with(b"/") {
        return true;
    }
    for name in components(target) {
        match name {
            b"" | b"." => {}
            b".." if descended || height == 0 => return true,
            b".." => height -= 1,
            _ => descended = true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn good_paths_pass_and_bad_ones_do_not() {
        for good in [&b"a"[..], b"a/b", b"...", b"a b\n", b"\xff/\xfe", b".hidden", b"a/..b"] {
            assert_eq!(check(good), Ok(()), "{good:?}");
        }
        for bad in [&b""[..], b"/", b"/a", b"a/", b"a//b", b".", b"..", b"a/..", b"../a", b"a/./b", b"a\0b"] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
        assert_eq!(check(&vec![b'a'; PATH_MAX]), Ok(()));
        assert!(check(&vec![b'a'; PATH_MAX + 1]).is_err());
    }

    #[test]
    fn children_come_directly_after_their_directory() {
        let mut paths = vec![&b"a-b"[..], b"a/z", b"", b"b", b"a", b"a/b/c", b"a/b"];
        paths.sort_by(|left, right| order(left, right));
        assert_eq!(paths, [&b""[..], b"a", b"a/b", b"a/b/c", b"a/z", b"a-b", b"b"]);
    }

    #[test]
    fn links_that_can_lead_out_are_found() {
        for (parent, target) in [("", "a"), ("", "./a/b"), ("d", "../a"), ("d/e", "../.."), ("d", "./../x"), ("", "")] {
            assert!(!escapes(parent.as_bytes(), target.as_bytes()), "{parent} -> {target}");
        }
        for (parent, target) in [("", "/"), ("", ".."), ("d", "../.."), ("d", "../x/.."), ("", "a/../b"), ("", "./..")]
        {
            assert!(escapes(parent.as_bytes(), target.as_bytes()), "{parent} -> {target}");
        }
    }

    proptest! {
        #[test]
        fn a_split_path_goes_together_again(path in "[a-z]{1,3}(/[a-z]{1,3}){0,4}") {
            let (parent, name) = split(path.as_bytes());
            let mut joined = parent.to_vec();
            push(&mut joined, name);
            prop_assert_eq!(joined, path.as_bytes());
            prop_assert_eq!(depth(parent) + 1, depth(path.as_bytes()));
        }
    }
}
