//! What git prints for machines.

use isobox_contract::SandboxPath;

/// What is checked out, and what differs from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitStatus {
    /// The branch; none when a commit is checked out without one.
    pub branch: Option<String>,
    /// The commit; none before the first.
    pub head: Option<String>,
    /// The branch that it follows, such as `origin/main`.
    pub upstream: Option<String>,
    /// Commits that the upstream does not have.
    pub ahead: u64,
    /// Commits that only the upstream has.
    pub behind: u64,
    /// Paths that differ, new ones included.
    pub entries: Vec<GitStatusEntry>,
}

impl GitStatus {
    /// Whether a commit is checked out without a branch.
    pub fn is_detached(&self) -> bool {
        self.branch.is_none()
    }

    /// Whether nothing differs.
    pub fn is_clean(&self) -> bool {
        self.entries.is_empty()
    }
}

/// One path that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitStatusEntry {
    /// Where, relative to the top of the work tree.
    pub path: SandboxPath,
    /// What is staged: git's letter (`M`, `A`, `D`, `R`, `C`, `T`, `U`), `?` for a new path, `.` for nothing.
    pub index: char,
    /// What is not: the same letters.
    pub worktree: char,
    /// Where it was, for a rename or a copy.
    pub from: Option<SandboxPath>,
}

/// A branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitBranch {
    /// Its name; with the remote's name in front, such as `origin/main`, for one of a remote.
    pub name: String,
    /// Its commit.
    pub head: String,
    /// It is checked out.
    pub current: bool,
    /// It is what a remote had at the last fetch.
    pub remote: bool,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitCommit {
    /// Its id.
    pub id: String,
    /// Its parents.
    pub parents: Vec<String>,
    /// The author's name, with replacement characters where it is not UTF-8.
    pub author: String,
    /// The author's address.
    pub email: String,
    /// When it was written, as in ISO 8601.
    pub date: String,
    /// The whole message.
    pub message: String,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `git status --porcelain=v2 --branch -z`.
pub(super) fn status(output: &[u8]) -> Option<GitStatus> {
    let mut status = GitStatus::default();
    let mut records = output.split(|byte| *byte == 0).filter(|record| !record.is_empty());
    while let Some(record) = records.next() {
        match record.first()? {
            b'#' => header(&mut status, &text(record)),
            b'1' => status.entries.push(entry(record, 8, None)?),
            b'2' => {
                let from = records.next()?;
                status.entries.push(entry(record, 9, Some(from))?);
            }
            b'u' => status.entries.push(entry(record, 10, None)?),
            b'?' => status.entries.push(GitStatusEntry {
                path: record.get(2..)?.into(),
                index: '?',
                worktree: '?',
                from: None,
            }),
            _ => {}
        }
    }
    Some(status)
}

fn header(status: &mut GitStatus, line: &str) {
    let mut words = line.split(' ').skip(1);
    match (words.next(), words.next(), words.next()) {
        (Some("branch.oid"), Some(oid), _) if oid != "(initial)" => status.head = Some(oid.to_owned()),
        (Some("branch.head"), Some(head), _) if head != "(detached)" => status.branch = Some(head.to_owned()),
        (Some("branch.upstream"), Some(upstream), _) => status.upstream = Some(upstream.to_owned()),
        (Some("branch.ab"), Some(ahead), Some(behind)) => {
            status.ahead = ahead.trim_start_matches('+').parse().unwrap_or_default();
            status.behind = behind.trim_start_matches('-').parse().unwrap_or_default();
        }
        _ => {}
    }
}

/// A record with that many fields before its path.
fn entry(record: &[u8], fields: usize, from: Option<&[u8]>) -> Option<GitStatusEntry> {
    let mut parts = record.splitn(fields + 1, |byte| *byte == b' ');
    let letters = parts.nth(1)?;
    let path = parts.nth(fields - 2)?;
    Some(GitStatusEntry {
        path: path.into(),
        index: char::from(*letters.first()?),
        worktree: char::from(*letters.get(1)?),
        from: from.map(SandboxPath::from),
    })
}

/// `git for-each-ref` with name, commit, mark and target of a symbolic one.
pub(super) fn branches(output: &[u8]) -> Option<Vec<GitBranch>> {
    let mut all = Vec::new();
    for line in output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        let [name, head, mark, symbolic] = fields[..] else { return None };
        let name = text(name);
        let short = name.strip_prefix("refs/heads/").or(name.strip_prefix("refs/remotes/"))?;
        if symbolic.is_empty() {
            let remote = name.starts_with("refs/remotes/");
            all.push(GitBranch { name: short.to_owned(), head: text(head), current: mark == b"*", remote });
        }
    }
    Some(all)
}

/// `git log -z` with six fields, each with a NUL behind it.
pub(super) fn log(output: &[u8]) -> Option<Vec<GitCommit>> {
    let fields: Vec<&[u8]> = output.split(|byte| *byte == 0).collect();
    let mut all = Vec::new();
    for commit in fields.chunks(7) {
        let [id, parents, author, email, date, message, ..] = commit else { break };
        all.push(GitCommit {
            id: text(id),
            parents: text(parents).split_whitespace().map(str::to_owned).collect(),
            author: text(author),
            email: text(email),
            date: text(date),
            message: text(message),
        });
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_whatever_the_paths_are() {
        let output = b"# branch.oid 1234\0# branch.head main\0# branch.upstream origin/main\0# branch.ab +2 -1\0\
            1 .M N... 100644 100644 100644 a b with space\nand line\0\
            2 R. N... 100644 100644 100644 a b R100 new name\0old name\0\
            u UU N... 100644 100644 100644 100644 a b c both\0? \xff\0";
        let status = status(output).unwrap();
        assert_eq!((status.branch.as_deref(), status.head.as_deref()), (Some("main"), Some("1234")));
        assert_eq!((status.ahead, status.behind, status.upstream.as_deref()), (2, 1, Some("origin/main")));
        let seen: Vec<_> = status.entries.iter().map(|e| (e.path.as_bytes(), e.index, e.worktree)).collect();
        let expected: [(&[u8], char, char); 4] =
            [(b"with space\nand line", '.', 'M'), (b"new name", 'R', '.'), (b"both", 'U', 'U'), (b"\xff", '?', '?')];
        assert_eq!(seen, expected);
        assert_eq!(status.entries[1].from, Some("old name".into()));
        assert!(super::status(b"1 .M").is_none() && super::status(b"").unwrap().is_detached());
    }
}
