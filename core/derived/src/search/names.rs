//! Patterns of paths.

use globset::{GlobBuilder, GlobMatcher};
use isobox_contract::{Error, Result};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A pattern.
pub(super) struct Pattern {
    matcher: GlobMatcher,
    depth: Option<u32>,
}

impl Pattern {
    /// Parses one; `field` is what it is called when it is wrong.
    pub(super) fn new(field: &str, pattern: &str) -> Result<Self> {
        let wrong = |reason: String| Error::invalid_spec(field, format!("is not a pattern of paths: {reason}"));
        if pattern.is_empty() {
            return Err(wrong("it is empty".to_owned()));
        }
        let built = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).build();
        let glob = built.map_err(|error| wrong(error.kind().to_string()))?;
        // Without `**` a pattern matches at one depth; alternatives could have several.
        let flat = !pattern.contains("**") && !pattern.contains('{');
        let depth = flat.then(|| pattern.split('/').count().try_into().unwrap_or(u32::MAX));
        Ok(Self { matcher: glob.compile_matcher(), depth })
    }

    /// How many levels below the base it can match; any number when there is no limit.
    pub(super) fn depth(&self) -> u32 {
        self.depth.unwrap_or(u32::MAX)
    }

    /// Whether a path relative to the base, or a name, matches.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        self.matcher.is_match(Path::new(OsStr::from_bytes(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_stars_match_a_slash() {
        let matches = |pattern: &str, path: &[u8]| Pattern::new("pattern", pattern).unwrap().matches(path);
        assert!(matches("*.rs", b"a.rs") && !matches("*.rs", b"a/b.rs"));
        assert!(matches("**/*.rs", b"a.rs") && matches("**/*.rs", b"a/b/c.rs"));
        assert!(matches("a/**", b"a/b/c") && !matches("a/**", b"b/c"));
        assert!(matches("?.{c,h}", b"x.h") && !matches("?.{c,h}", b"xy.h"));
        assert!(matches("*", b".hidden") && matches("*", b"\xff\n") && matches("[a-c]", b"b"));
        assert!(matches("\\*", b"*") && !matches("\\*", b"a"));
        assert!(!matches("*.RS", b"a.rs"));
        for wrong in ["", "[", "{a"] {
            assert!(Pattern::new("pattern", wrong).is_err(), "{wrong:?}");
        }
    }
}
