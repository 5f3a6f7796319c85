//! What differs between two commits, or between one and the files as they are.

use super::runner::{self, Invocation, Runner};
use isobox_contract::{Result, SandboxPath};
use std::collections::HashMap;

/// One path that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitChange {
    /// Where, relative to the top of the work tree.
    pub path: SandboxPath,
    /// Where it was, for a rename.
    pub from: Option<SandboxPath>,
    /// Git's letter: `A` added, `M` modified, `D` deleted, `R` renamed, `T` of another type, `U` unmerged.
    pub status: char,
    /// For a rename: how alike both are, in percent.
    pub similarity: Option<u8>,
    /// What it was; none for a path that is new.
    pub old: Option<GitFile>,
    /// What it is; none for a path that is gone.
    pub new: Option<GitFile>,
    /// Lines that are new; none for a binary file.
    pub added: Option<u64>,
    /// Lines that are gone; none for a binary file.
    pub removed: Option<u64>,
}

/// One side of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitFile {
    /// Git's mode: `0o100644`, `0o100755`, `0o120000` for a link, `0o160000` for a submodule.
    pub mode: u32,
    /// The object; none for a file of the work tree that git has not looked into.
    pub id: Option<String>,
}

/// The changes between two commits, or from one to the work tree.
pub(super) async fn changes(runner: &Runner, from: &str, to: Option<&str>) -> Result<Vec<GitChange>> {
    let words =
        ["diff", "--raw", "--numstat", "-z", "--no-abbrev", "--find-renames", "--no-ext-diff", "--no-textconv", from];
    let mut diff = Invocation::local("changes", words);
    if let Some(to) = to {
        diff = diff.arg(to);
    }
    let output = runner.run(diff.arg("--").reading()).await?;
    parse(&output).ok_or_else(|| runner::nonsense("changes"))
}

/// All `--raw` records come first, then all of `--numstat`, in the same order but without unmerged doubles.
fn parse(output: &[u8]) -> Option<Vec<GitChange>> {
    let mut fields = output.split(|byte| *byte == 0).filter(|field| !field.is_empty()).peekable();
    let mut all = Vec::new();
    while let Some(record) = fields.next_if(|field| field.starts_with(b":")) {
        let from = match record.rsplit(|byte| *byte == b' ').next()?.first()? {
            b'R' | b'C' => Some(fields.next()?.into()),
            _ => None,
        };
        all.push(raw(record, from, fields.next()?.into())?);
    }
    let mut lines = HashMap::new();
    while let Some(record) = fields.next() {
        let mut parts = record.splitn(3, |byte| *byte == b'\t');
        let counts = (count(parts.next()?)?, count(parts.next()?)?);
        let path = match parts.next()? {
            b"" => {
                fields.next()?;
                fields.next()?
            }
            path => path,
        };
        lines.insert(SandboxPath::from(path), counts);
    }
    for change in &mut all {
        (change.added, change.removed) = lines.get(&change.path).copied().unwrap_or_default();
    }
    Some(all)
}

/// `:100644 100755 OLD NEW R087`
fn raw(record: &[u8], from: Option<SandboxPath>, path: SandboxPath) -> Option<GitChange> {
    let record = std::str::from_utf8(record.strip_prefix(b":")?).ok()?;
    let [old_mode, new_mode, old, new, status] = record.split(' ').collect::<Vec<_>>()[..] else { return None };
    let mut letters = status.chars();
    Some(GitChange {
        path,
        from,
        status: letters.next()?,
        similarity: letters.as_str().parse().ok(),
        old: side(old_mode, old)?,
        new: side(new_mode, new)?,
        added: None,
        removed: None,
    })
}

fn side(mode: &str, id: &str) -> Option<Option<GitFile>> {
    let mode = u32::from_str_radix(mode, 8).ok()?;
    let id = id.bytes().any(|digit| digit != b'0').then(|| id.to_owned());
    Some((mode != 0).then_some(GitFile { mode, id }))
}

/// A number, or a dash for what has no lines.
fn count(field: &[u8]) -> Option<Option<u64>> {
    match field {
        b"-" => Some(None),
        digits => std::str::from_utf8(digits).ok()?.parse().ok().map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_whatever_the_paths_are() {
        let (a, b, none) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let output = [
            format!(":100644 100644 {a} {b} R087\0:old\tname\0new\nname\0:100644 000000 {a} {none} D\0gone\0"),
            format!(":000000 100755 {none} {b} A\0picture\0:100644 100644 {a} {none} M\0seen\0"),
            "1\t2\t\0:old\tname\0new\nname\0".to_owned() + "0\t7\tgone\0-\t-\tpicture\0" + "3\t0\tseen\0",
        ]
        .concat();
        let all = parse(output.as_bytes()).unwrap();
        let seen: Vec<_> = all.iter().map(|c| (c.path.to_string(), c.status, c.added, c.removed)).collect();
        let expected = [
            ("new\nname", 'R', Some(1), Some(2)),
            ("gone", 'D', Some(0), Some(7)),
            ("picture", 'A', None, None),
            ("seen", 'M', Some(3), Some(0)),
        ];
        assert_eq!(seen, expected.map(|(path, status, added, removed)| (path.to_owned(), status, added, removed)));
        assert_eq!((all[0].from.clone(), all[0].similarity), (Some(":old\tname".into()), Some(87)));
        assert_eq!((all[1].new.clone(), all[2].old.clone()), (None, None));
        assert_eq!(all[2].new, Some(GitFile { mode: 0o100_755, id: Some(b) }));
        assert_eq!(all[3].new, Some(GitFile { mode: 0o100_644, id: None }));
        assert!(parse(b":100644").is_none() && parse(b"").unwrap().is_empty());
    }
}
