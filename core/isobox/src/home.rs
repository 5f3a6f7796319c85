//! Where isobox keeps what belongs to this user.

use isobox_contract::{Error, Result};
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The environment variable that names isobox's directory. Without it, the directory is `isobox` in `$XDG_DATA_HOME`,
/// or else `~/.local/share/isobox`.
pub const ISOBOX_HOME: &str = "ISOBOX_HOME";

/// SQLite takes paths of up to 512 bytes, with what it adds to the name of its file (`MAX_PATHNAME`, in its os_unix.c).
const LONGEST: usize = 480;

/// The directory for an environment.
pub(crate) fn find(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(home) = set(ISOBOX_HOME) {
        return Ok(home);
    }
    // The XDG base directory specification says that a relative path is to be ignored.
    if let Some(data) = set("XDG_DATA_HOME").filter(|data| data.is_absolute()) {
        return Ok(data.join("isobox"));
    }
    match set("HOME") {
        Some(home) => Ok(home.join(".local/share/isobox")),
        None => Err(Error::invalid_spec("home", "cannot be told because HOME is not set, set ISOBOX_HOME")),
    }
}

/// Makes the directory, for this user's eyes only, and returns its absolute path.
pub(crate) fn make(home: &Path) -> Result<PathBuf> {
    let failed = |error: io::Error| {
        Error::io(format!("isobox's directory {}, set ISOBOX_HOME to another one", home.display()), error)
            .infrastructure(false)
    };
    let home = std::path::absolute(home).map_err(failed)?;
    if home.as_os_str().len() > LONGEST {
        let reason = format!("is longer than {LONGEST} bytes, set ISOBOX_HOME to a shorter one");
        return Err(Error::invalid_spec("home", reason));
    }
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&home).map_err(failed)?;
    let owner = std::fs::metadata(&home).map_err(failed)?.uid();
    let own = rustix::process::geteuid().as_raw();
    // Whoever owns the directory can put another one in the place of everything in it. Root can do that anyway.
    if owner != own && owner != 0 {
        let reason = format!(
            "{} belongs to user {owner} and this is user {own}, set ISOBOX_HOME to a directory of your own",
            home.display()
        );
        return Err(Error::invalid_spec("home", reason));
    }
    Ok(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<PathBuf> {
        find(|name| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| value.into())).ok()
    }

    #[test]
    fn the_first_variable_that_says_something_wins() {
        let all = [("ISOBOX_HOME", "/a"), ("XDG_DATA_HOME", "/b"), ("HOME", "/c")];
        assert_eq!(found(&all), Some("/a".into()));
        assert_eq!(found(&all[1..]), Some("/b/isobox".into()));
        assert_eq!(found(&all[2..]), Some("/c/.local/share/isobox".into()));
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn empty_variables_and_a_relative_data_directory_say_nothing() {
        assert_eq!(
            found(&[("ISOBOX_HOME", ""), ("XDG_DATA_HOME", "b"), ("HOME", "/c")]),
            Some("/c/.local/share/isobox".into())
        );
        assert_eq!(found(&[("HOME", "")]), None);
    }

    #[test]
    fn the_directory_is_made_for_this_user_only() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let home = make(&place.path().join("a/b")).unwrap();
        assert_eq!(home.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        std::fs::write(place.path().join("file"), "").unwrap();
        let error = make(&place.path().join("file/b")).unwrap_err();
        assert!(error.message().contains("set ISOBOX_HOME"), "{error}");
    }
}
