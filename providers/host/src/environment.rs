//! What commands on the bare host get of the caller's environment.
//!
//! A safelist, because the caller's environment is where its secrets are. Names that look like a secret are never passed on,
//! not even when they are asked for; give such a value to the sandbox itself.

use isobox_contract::{Error, Result};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// What programs need to find themselves and their caches.
const SAFE: [&str; 12] =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "TZ", "GOPATH", "CARGO_HOME", "NVM_DIR"];
/// Ends of names that hold secrets.
const SECRET: [&str; 6] = ["API_KEY", "SECRET", "TOKEN", "PASSWORD", "CREDENTIAL", "CREDENTIALS"];
/// Names by which a shell would run a file of the caller's.
const STARTUP: [&str; 2] = ["BASH_ENV", "ENV"];

/// Refuses names that cannot be passed on.
pub(crate) fn check(inherit: &[String]) -> Result<()> {
    match inherit.iter().find(|name| is_secret(name) || STARTUP.contains(&name.as_str())) {
        Some(name) => {
            let reason = format!("{name} is not passed on, put what the sandbox needs into its own environment");
            Err(Error::invalid_spec("options.host.inherit_env", reason))
        }
        None => Ok(()),
    }
}

/// The variables that are passed on, from `environment`.
pub(crate) fn inherited(
    environment: impl Iterator<Item = (OsString, OsString)>,
    inherit: &[String],
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let wanted = |name: &str| {
        let locale = name.starts_with("LC_");
        !is_secret(name) && (SAFE.contains(&name) || locale || inherit.iter().any(|wanted| wanted == name))
    };
    environment
        .filter(|(name, _)| name.to_str().is_some_and(wanted))
        .map(|(name, value)| (name.as_bytes().to_vec(), value.into_vec()))
        .collect()
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    SECRET.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_safe_or_asked_for_is_passed_on() {
        let given =
            ["PATH", "LC_ALL", "HOME", "AWS_SECRET", "github_token", "MINE", "OTHER", "BASH_ENV", "DB_PASSWORD"];
        let given = given.into_iter().map(|name| (OsString::from(name), OsString::from("x")));
        let names: Vec<Vec<u8>> = inherited(given, &["MINE".into()]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, [&b"PATH"[..], b"LC_ALL", b"HOME", b"MINE"]);
    }

    #[test]
    fn a_secret_cannot_even_be_asked_for() {
        for name in ["OPENAI_API_KEY", "NPM_TOKEN", "BASH_ENV"] {
            let error = check(&[name.into()]).unwrap_err();
            assert!(error.message().contains(name), "{error}");
        }
        assert!(check(&["MINE".into()]).is_ok());
    }
}
