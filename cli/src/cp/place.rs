//! What a source or a destination is, and where a copy goes; after the rules of `docker cp`.

use isobox::{Error, Result, SandboxPath};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// A source or a destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// stdin or stdout.
    Stream,
    /// Of this machine.
    Local(PathBuf),
    /// Of a sandbox.
    Sandbox { sandbox: String, path: SandboxPath },
}

impl Place {
    pub(super) fn parse(text: &OsStr) -> Result<Self> {
        let bytes = text.as_bytes();
        let colon = bytes.iter().position(|byte| *byte == b':');
        match (bytes, colon) {
            (b"", _) => Err(Error::invalid_spec("SOURCE and DESTINATION", "are paths, and one is empty")),
            (b"-", _) => Ok(Place::Stream),
            ([b'/' | b'.', ..], _) | (_, None) => Ok(Place::Local(text.into())),
            (_, Some(colon)) => {
                let sandbox = String::from_utf8_lossy(&bytes[..colon]).into_owned();
                let path = &bytes[colon + 1..];
                if path.is_empty() {
                    let reason = format!("is missing behind {sandbox}:, write {sandbox}:. for the working directory");
                    return Err(Error::invalid_spec("PATH", reason));
                }
                Ok(Place::Sandbox { sandbox, path: path.into() })
            }
        }
    }
}

/// What is at a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum There {
    Nothing,
    Directory,
    /// A file, a link to one, or anything else.
    Other,
}

/// Where the copy of a source goes, by the paths as they were written.
pub(super) fn goes_to(source: &[u8], is_directory: bool, destination: &[u8], there: There) -> Result<Vec<u8>> {
    let refused = |reason: &str| Err(Error::invalid_spec("DESTINATION", reason));
    let wants_directory = destination.ends_with(b"/") || ends_in_dot(destination);
    match (is_directory, there) {
        (true, There::Other) => refused("is a file, and the source is a directory, which needs a directory"),
        (false, There::Nothing) if wants_directory => {
            refused("is not there, make the directory first or leave the / at its end out")
        }
        (false, There::Other) if wants_directory => refused("is a file, leave the / at its end out"),
        (true, There::Directory) if ends_in_dot(source) => Ok(destination.to_vec()),
        (_, There::Directory) => match last_name(source) {
            Some(name) => Ok(join(destination, name)),
            None => Ok(destination.to_vec()),
        },
        (_, There::Nothing | There::Other) => Ok(destination.to_vec()),
    }
}

/// Whether what is in it is meant, and not itself.
fn ends_in_dot(path: &[u8]) -> bool {
    path == b"." || path.ends_with(b"/.")
}

/// Whether the path is one that follows a link at its end anyway.
pub(super) fn is_through(path: &[u8]) -> bool {
    path.ends_with(b"/") || ends_in_dot(path) || path.ends_with(b"..")
}

/// The last name of a path; none of `/`, `.` and `..`.
fn last_name(path: &[u8]) -> Option<&[u8]> {
    let end = path.iter().rposition(|byte| *byte != b'/')? + 1;
    let name = path[..end].rsplit(|byte| *byte == b'/').next()?;
    (!matches!(name, b"" | b"." | b"..")).then_some(name)
}

fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let slash: &[u8] = if directory.ends_with(b"/") { b"" } else { b"/" };
    [directory, slash, name].concat()
}

/// A path of this machine.
pub(super) fn local(bytes: Vec<u8>) -> PathBuf {
    OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_is_told_from_a_path_of_this_machine() {
        let parse = |text: &str| Place::parse(OsStr::new(text)).unwrap();
        assert_eq!(parse("-"), Place::Stream);
        for local in ["a", "/a:b", "./a:b", "../a", "a/b"] {
            assert_eq!(parse(local), Place::Local(local.into()), "{local}");
        }
        assert_eq!(parse("web:/a:b"), Place::Sandbox { sandbox: "web".into(), path: "/a:b".into() });
        assert_eq!(
            Place::parse(OsStr::new("web:")).unwrap_err().message(),
            "PATH is missing behind web:, write web:. for the working directory"
        );
    }

    #[test]
    fn a_copy_goes_where_docker_puts_it() {
        use There::*;
        let cases: [(&str, bool, &str, There, Option<&str>); 13] = [
            ("file", false, "to", Nothing, Some("to")),
            ("file", false, "to/", Nothing, None),
            ("file", false, "to", Other, Some("to")),
            ("file", false, "to/", Other, None),
            ("d/file", false, "to", Directory, Some("to/file")),
            ("file", false, "to/", Directory, Some("to/file")),
            ("dir", true, "to", Nothing, Some("to")),
            ("dir", true, "to/", Nothing, Some("to/")),
            ("dir", true, "to", Other, None),
            ("a/dir/", true, "to", Directory, Some("to/dir")),
            ("dir/.", true, "to", Directory, Some("to")),
            ("/", true, "to", Directory, Some("to")),
            ("..", true, "to", Directory, Some("to")),
        ];
        for (source, is_directory, to, there, expected) in cases {
            let goes = goes_to(source.as_bytes(), is_directory, to.as_bytes(), there).ok();
            assert_eq!(goes, expected.map(|path| path.as_bytes().to_vec()), "{source} {to} {there:?}");
        }
    }
}
