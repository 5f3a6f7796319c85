//! What `.dockerignore` leaves out, by Docker's rules: see <https://docs.docker.com/build/concepts/context/#dockerignore-files>.
//!
//! A pattern is about a path and everything below it, the last one that fits counts, and one after `!` takes back.

use globset::{GlobBuilder, GlobMatcher};
use isobox_contract::{Error, Result};

/// The name of the file.
pub(super) const NAME: &str = ".dockerignore";

/// The patterns of one.
#[derive(Debug, Default)]
pub(super) struct Ignore {
    patterns: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern {
    path: GlobMatcher,
    takes_back: bool,
}

impl Ignore {
    /// Reads one.
    ///
    /// # Errors
    /// `invalid_spec` with the line that is no pattern.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let lines = lines
            .map(|(index, line)| (index + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let patterns = lines.filter_map(|(number, line)| pattern(number, line).transpose());
        Ok(Self { patterns: patterns.collect::<Result<_>>()? })
    }

    /// Whether a path, relative and without `.`, is left out.
    pub(super) fn leaves_out(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let with_parents: Vec<&str> = ends.map(|end| &path[..end]).collect();
        let fits = |pattern: &&Pattern| with_parents.iter().any(|part| pattern.path.is_match(part));
        self.patterns.iter().rev().find(fits).is_some_and(|pattern| !pattern.takes_back)
    }

    /// Whether nothing below a directory that is left out can be taken back.
    pub(super) fn ends_at_directories(&self) -> bool {
        !self.patterns.iter().any(|pattern| pattern.takes_back)
    }
}

fn pattern(number: usize, line: &str) -> Result<Option<Pattern>> {
    let (takes_back, text) = match line.strip_prefix('!') {
        Some(rest) => (true, rest.trim()),
        None => (false, line),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let built = GlobBuilder::new(&parts.join("/")).literal_separator(true).backslash_escape(true).build();
    let path = built.map_err(|_| {
        Error::invalid_spec(
            "source.context",
            format!("has a .dockerignore whose line {number} is no pattern, correct it"),
        )
    })?;
    Ok(Some(Pattern { path: path.compile_matcher(), takes_back }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_left_out_as_docker_leaves_them_out() {
        let ignore = Ignore::parse(
            "# a comment\n\n*.md\n!README.md\n/target/\n**/*.log\nsub/?.txt\n!sub/keep/**\nsub/keep/no\n",
        )
        .unwrap();
        let out = ["a.md", "target", "target/debug/x", "x.log", "deep/er/x.log", "sub/a.txt", "sub/keep/no/x"];
        out.iter().for_each(|path| assert!(ignore.leaves_out(path), "{path}"));
        let kept = ["README.md", "deep/a.md", "targets", "sub/ab.txt", "sub/keep/x", "log"];
        kept.iter().for_each(|path| assert!(!ignore.leaves_out(path), "{path}"));
        assert!(!ignore.ends_at_directories());
        assert!(Ignore::parse("ok\n[z-a]").unwrap_err().message().contains("line 2"));
        assert!(Ignore::parse("*\n!a\n").unwrap().leaves_out("b/c"));
    }
}
