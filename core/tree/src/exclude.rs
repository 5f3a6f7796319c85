//! Patterns of entries that a caller wants left out.
//!
//! A pattern is matched by following all of its positions at once, byte by byte. There is no going back, so the time is at
//! most the length of the pattern times that of the path, whatever stars somebody writes.

use crate::error::Error;

/// The patterns of one call.
#[derive(Debug, Default)]
pub(crate) struct Exclude {
    names: Vec<Pattern>,
    paths: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern(Vec<Token>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Byte(u8),
    /// `?`: one byte of a name.
    One,
    /// `*`: any bytes of a name.
    Star,
    /// `**`: any bytes.
    Any,
    /// `**/` where a name begins: any number of whole names with their slashes, none included.
    Names,
}

impl Exclude {
    pub(crate) fn new(patterns: &[String]) -> Result<Self, Error> {
        let mut exclude = Exclude::default();
        for pattern in patterns {
            let refuse = |reason| Error::Pattern { pattern: pattern.clone(), reason };
            let bare = pattern.trim_start_matches('/');
            if bare.is_empty() {
                return Err(refuse("it is empty"));
            }
            if bare.contains('\0') {
                return Err(refuse("it has a NUL byte"));
            }
            let kind = if pattern.contains('/') { &mut exclude.paths } else { &mut exclude.names };
            kind.push(Pattern::new(bare.as_bytes()));
        }
        Ok(exclude)
    }

    /// Whether the entry `name` of the directory `folder`, empty for the root, is to be left out.
    pub(crate) fn covers(&self, folder: &[u8], name: &[u8]) -> bool {
        if self.names.iter().any(|pattern| pattern.matches(name)) {
            return true;
        }
        if self.paths.is_empty() {
            return false;
        }
        let mut path = folder.to_vec();
        crate::path::push(&mut path, name);
        self.paths.iter().any(|pattern| pattern.matches(&path))
    }
}

impl Pattern {
    fn new(mut rest: &[u8]) -> Self {
        let mut tokens = Vec::with_capacity(rest.len());
        while let [first, others @ ..] = rest {
            let stars = rest.iter().take_while(|byte| **byte == b'*').count();
            let begins = matches!(tokens.last(), None | Some(Token::Byte(b'/') | Token::Names));
            let (token, after) = match (stars, &rest[stars..]) {
                (2.., [b'/', after @ ..]) if begins => (Token::Names, after),
                (2.., after) => (Token::Any, after),
                (1, after) => (Token::Star, after),
                (0, _) if *first == b'?' => (Token::One, others),
                (0, _) => (Token::Byte(*first), others),
            };
            // Twice is as good as once, and costs more.
            if token != Token::Names || tokens.last() != Some(&token) {
                tokens.push(token);
            }
            rest = after;
        }
        Pattern(tokens)
    }

    fn matches(&self, text: &[u8]) -> bool {
        let end = self.0.len();
        let (mut now, mut next) = (vec![false; end + 1], vec![false; end + 1]);
        self.reach(&mut now, 0);
        for byte in text {
            next.fill(false);
            for (at, token) in self.0.iter().enumerate().filter(|(at, _)| now[*at]) {
                match token {
                    Token::Byte(expected) if expected == byte => self.reach(&mut next, at + 1),
                    Token::One if *byte != b'/' => self.reach(&mut next, at + 1),
                    Token::Star if *byte != b'/' => self.reach(&mut next, at),
                    Token::Any => self.reach(&mut next, at),
                    Token::Names => {
                        // In the middle of a name, it cannot be over.
                        next[at] = true;
                        if *byte == b'/' {
                            self.reach(&mut next, at + 1);
                        }
                    }
                    Token::Byte(_) | Token::One | Token::Star => {}
                }
            }
            std::mem::swap(&mut now, &mut next);
        }
        now[end]
    }

    /// Notes a position, and those after it that are reached by a wildcard that stands for nothing.
    fn reach(&self, positions: &mut [bool], mut at: usize) {
        positions[at] = true;
        while let Some(Token::Star | Token::Any | Token::Names) = self.0.get(at) {
            at += 1;
            positions[at] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    type Paths = &'static [&'static [u8]];

    fn covers(pattern: &str, path: &[u8]) -> bool {
        let (folder, name) = crate::path::split(path);
        Exclude::new(&[pattern.to_owned()]).unwrap().covers(folder, name)
    }

    #[test]
    fn patterns_cover_what_they_say() {
        let table: &[(&str, Paths, Paths)] = &[
            ("a", &[b"a", b"d/a", b"d/e/a"], &[b"b", b"aa", b"a/b", b"A"]),
            ("*.log", &[b".log", b"x.log", b"d/x.log", b"\xff.log"], &[b"x.logs", b"x.log/y", b"log"]),
            ("a*b*c", &[b"abc", b"axbxc", b"abbcc"], &[b"acb", b"abcd"]),
            ("?", &[b"a", b"\xff", b"d/a"], &[b"ab", b"\xc3\xa9"]),
            ("a?c", &[b"abc", b"a?c"], &[b"ac", b"abbc"]),
            ("*", &[b"a", b"d/a"], &[]),
            ("**", &[b"a", b"d/a"], &[]),
            ("[ab]\\*", &[b"[ab]\\", b"[ab]\\x"], &[b"a", b"b*", b"[ab]*"]),
            ("é", &[b"d/\xc3\xa9"], &[b"e"]),
            ("/a", &[b"a"], &[b"d/a", b"a/a"]),
            ("//a", &[b"a"], &[b"d/a"]),
            ("d/a", &[b"d/a"], &[b"a", b"e/d/a", b"d/a/b", b"d"]),
            ("/d/a", &[b"d/a"], &[b"e/d/a"]),
            ("d/*", &[b"d/a", b"d/b"], &[b"d", b"d/a/b", b"e/a"]),
            ("d?a/x", &[b"d-a/x"], &[b"d/a/x"]),
            ("*/a", &[b"d/a"], &[b"a", b"d/e/a"]),
            ("d/**", &[b"d/a", b"d/a/b"], &[b"d", b"da/b"]),
            ("**/a", &[b"a", b"d/a", b"d/e/a"], &[b"ba", b"d/ba", b"a/b"]),
            ("d/**/a", &[b"d/a", b"d/e/a", b"d/e/f/a"], &[b"a", b"d/ba", b"da", b"d/e/ba"]),
            ("**/**/a", &[b"a", b"d/e/a"], &[b"ba"]),
            ("**/d/**/*.o", &[b"d/x.o", b"d/e/x.o", b"c/d/e/f/x.o"], &[b"x.o", b"d", b"cd/x.o"]),
            ("d**/a", &[b"d/a", b"de/a", b"d/e/f/a"], &[b"d", b"da", b"e/a"]),
            ("d/**a", &[b"d/a", b"d/ba", b"d/e/ba"], &[b"d", b"d/ab"]),
            ("d/***/a", &[b"d/a", b"d/e/f/a"], &[b"d"]),
        ];
        for (pattern, covered, others) in table {
            covered.iter().for_each(|path| assert!(covers(pattern, path), "{pattern} {}", path.escape_ascii()));
            others.iter().for_each(|path| assert!(!covers(pattern, path), "{pattern} {}", path.escape_ascii()));
        }
    }

    #[test]
    fn patterns_that_mean_nothing_are_refused() {
        for (pattern, why) in [("", "it is empty"), ("/", "it is empty"), ("a\0", "it has a NUL byte")] {
            match Exclude::new(&["good".to_owned(), pattern.to_owned()]) {
                Err(Error::Pattern { pattern: named, reason }) => assert_eq!((named.as_str(), reason), (pattern, why)),
                other => panic!("{pattern:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        let paths = [b"a/".repeat(2000), [&b"a".repeat(4000)[..], b"/"].concat()];
        let begun = Instant::now();
        for pattern in ["*a", "**a", "**/a", "a*/", "**/*"] {
            let whole = format!("{}/b", pattern.repeat(40));
            paths.iter().for_each(|path| assert!(!covers(&whole, &[path, &b"c"[..]].concat()), "{pattern}"));
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}
