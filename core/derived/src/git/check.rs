//! What may be given to git: nothing that could be taken for an option, or for more than it says.

use isobox_contract::git::GitCredentials;
use isobox_contract::{Error, Result, SandboxPath};

/// The longest name or URL.
const LONG: usize = 4096;

fn refused<T>(field: &str, reason: &str) -> Result<T> {
    Err(Error::invalid_spec(field, reason))
}

/// A path, which is always behind an end of options.
pub(super) fn path(field: &str, path: &SandboxPath) -> Result<()> {
    path.problem().map_or(Ok(()), |problem| refused(field, problem))
}

/// A value of one line.
pub(super) fn line(field: &str, value: &str) -> Result<()> {
    if value.len() > LONG || value.chars().any(char::is_control) {
        return refused(field, "is too long or has control characters");
    }
    Ok(())
}

/// The short name of a branch, tag or remote (git-check-ref-format(1)).
pub(super) fn branch(field: &str, name: &str) -> Result<()> {
    let bad = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let part = |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    let wrong = name.len() > LONG
        || name.starts_with('-')
        || name == "@"
        || name.ends_with('.')
        || name.contains("..")
        || name.contains("@{")
        || name.chars().any(bad)
        || name.split('/').any(part);
    if wrong { refused(field, "is not the short name of a branch, tag or remote") } else { Ok(()) }
}

/// Any expression for one commit.
pub(super) fn revision(field: &str, revision: &str) -> Result<()> {
    let wrong = revision.is_empty()
        || revision.len() > LONG
        || revision.starts_with('-')
        || revision.contains("..")
        || revision.chars().any(|c| c.is_control() || c == ' ');
    if wrong { refused(field, "is not an expression for one commit") } else { Ok(()) }
}

/// A commit in full.
pub(super) fn commit(field: &str, id: &str) -> Result<()> {
    let full = id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if full { Ok(()) } else { refused(field, "is not the 40 hexadecimal digits of a commit") }
}

/// An object in full, by either of git's digests.
pub(super) fn object(field: &str, id: &str) -> Result<()> {
    let full = matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if full { Ok(()) } else { refused(field, "is not the 40 or 64 hexadecimal digits of an object") }
}

/// A key of the configuration: a section, perhaps a subsection, and a name.
pub(super) fn key(key: &str) -> Result<()> {
    let word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let good = line("key", key).is_ok()
        && key.split_once('.').is_some_and(|(section, rest)| {
            let name = rest.rsplit('.').next().unwrap_or_default();
            word(section) && word(name) && name.starts_with(|c: char| c.is_ascii_alphabetic())
        });
    if good { Ok(()) } else { refused("key", "is not a key such as user.name or branch.main.remote") }
}

/// A URL or a path of a remote. A credential in it would be in arguments and in the configuration.
pub(super) fn url(url: &str) -> Result<()> {
    line("url", url)?;
    if url.is_empty() || url.starts_with('-') {
        return refused("url", "is empty, or begins like an option");
    }
    if url.split_once("::").is_some_and(|(helper, _)| !helper.contains(['/', ':', '@'])) {
        return refused("url", "names a remote helper, which could run anything; give a URL or a path");
    }
    if let Some((scheme, rest)) = url.split_once("://")
        && let Some((user, _)) = rest.split('/').next().unwrap_or_default().rsplit_once('@')
        && (user.contains(':') || scheme.starts_with("http"))
    {
        return refused("url", "holds a credential; give it as credentials");
    }
    Ok(())
}

/// Where a credential may go: the scheme, host and port of an http(s) URL.
pub(super) fn origin<'a>(url: &'a str, credentials: &GitCredentials) -> Result<&'a str> {
    for value in [&*credentials.username, credentials.password.expose()] {
        if value.contains(['\n', '\r', '\0']) {
            return refused("credentials", "have a line break or a NUL byte");
        }
    }
    let start = ["http://", "https://"].into_iter().find(|scheme| url.starts_with(scheme));
    let Some(scheme) = start else {
        return refused("credentials", "are for http and https remotes only, and this is another");
    };
    let host = url[scheme.len()..].split('/').next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]_".contains(c);
    if host.is_empty() || !host.chars().all(plain) {
        return refused("url", "has no plain host");
    }
    Ok(&url[..scheme.len() + host.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_contract::SecretValue;

    #[test]
    fn nothing_is_taken_for_an_option_or_for_more() {
        for good in ["main", "feature/a-b", "v1.2", "a@b"] {
            branch("branch", good).unwrap();
        }
        for bad in ["", "-f", "a..b", "a:b", ":a", "+a b", "a/", "/a", ".a", "a.lock", "@", "a@{1}", "a\nb", "a*", "x^"]
        {
            assert!(branch("branch", bad).is_err(), "{bad:?}");
        }
        for bad in ["", "--all", "a..b", "a b", "a\nb"] {
            assert!(revision("revision", bad).is_err(), "{bad:?}");
        }
        assert!(revision("revision", "HEAD~2").is_ok() && revision("revision", "v1^{}").is_ok());
        assert!(commit("commit", &"a1".repeat(20)).is_ok() && commit("commit", "a1b2c3").is_err());
        assert!(object("ids", &"a1".repeat(32)).is_ok() && object("ids", "HEAD:file").is_err());
        assert!(key("user.name").is_ok() && key("url.https://x.y/.insteadOf").is_ok());
        assert!(key("user").is_err() && key("-a.b").is_ok() && key("a.b\nc").is_err() && key("a.").is_err());
    }

    #[test]
    fn a_url_holds_no_credential_and_no_command() {
        for good in
            ["https://h.example/a.git", "file:///a", "/a/b", "ssh://git@h/a", "git@h:a/b", "../a", "git://h:1/a"]
        {
            url(good).unwrap();
        }
        for bad in ["", "-u", "ext::sh -c x", "fd::1", "https://u:p@h/a", "https://token@h/a", "ssh://u:p@h/a", "a\nb"]
        {
            assert!(url(bad).is_err(), "{bad:?}");
        }
        let credentials = GitCredentials { username: "u".into(), password: SecretValue::new("p") };
        assert_eq!(origin("https://h.example:8443/a/b", &credentials).unwrap(), "https://h.example:8443");
        assert!(origin("file:///a", &credentials).is_err() && origin("https:///a", &credentials).is_err());
        let broken = GitCredentials { username: "u\nhost=x".into(), password: SecretValue::new("p") };
        assert!(origin("https://h/a", &broken).is_err());
    }
}
