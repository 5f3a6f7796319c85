//! Why git failed, by what it said. Its words are those of the C locale.

use isobox_contract::GitFailure;

/// Fragments in lower case, by kind; the first that is found decides.
const FRAGMENTS: [(GitFailure, &[&str]); 5] = [
    (
        GitFailure::AuthRejected,
        &[
            "authentication failed",
            "could not read username",
            "could not read password",
            "terminal prompts disabled",
            "invalid username or",
            "permission denied (publickey",
            "returned error: 401",
        ],
    ),
    (
        GitFailure::AccessDenied,
        &[
            "returned error: 403",
            "access denied",
            "not allowed to",
            "write access to repository not granted",
            "protected branch",
            "hook declined",
            "access denied or repository not exported",
            "service not enabled",
        ],
    ),
    (
        GitFailure::RemoteUnavailable,
        &[
            "could not resolve host",
            "couldn't resolve host",
            "unable to look up",
            "connection refused",
            "connection timed out",
            "connection reset",
            "operation timed out",
            "network is unreachable",
            "no route to host",
            "failed to connect to",
            "couldn't connect to server",
            "could not connect to server",
            "empty reply from server",
            "early eof",
            "hung up unexpectedly",
            "returned error: 429",
            "returned error: 50",
            "ssl_error_syscall",
        ],
    ),
    (
        GitFailure::RefNotFound,
        &[
            "couldn't find remote ref",
            "not found in upstream",
            "unknown revision",
            "bad revision",
            "did not match any file(s) known",
            "not a valid object name",
            "needed a single revision",
            "invalid reference",
            "is not a commit",
            "not our ref",
            "unadvertised object",
            "src refspec",
            "no such branch",
        ],
    ),
    (GitFailure::TargetExists, &["already exists and is not an empty directory", "already exists"]),
];

/// The kind, by standard error first and standard output then.
pub(super) fn classify(stderr: &[u8], stdout: &[u8]) -> GitFailure {
    [stderr, stdout].into_iter().find_map(find).unwrap_or(GitFailure::Unclassified)
}

fn find(text: &[u8]) -> Option<GitFailure> {
    let text = String::from_utf8_lossy(text).to_lowercase();
    let has = |fragments: &&[&str]| fragments.iter().any(|fragment| text.contains(fragment));
    FRAGMENTS.iter().find(|(_, fragments)| has(fragments)).map(|(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_says_tells_the_kind() {
        for (text, kind) in [
            ("fatal: Authentication failed for 'https://h/a/'", GitFailure::AuthRejected),
            ("fatal: could not read Username for 'http://h': terminal prompts disabled", GitFailure::AuthRejected),
            ("fatal: unable to access 'http://h/': The requested URL returned error: 403", GitFailure::AccessDenied),
            ("fatal: unable to access 'http://h/': Could not resolve host: h", GitFailure::RemoteUnavailable),
            (
                "fatal: unable to access 'http://h/': The requested URL returned error: 503",
                GitFailure::RemoteUnavailable,
            ),
            (
                "warning: Could not find remote branch x\nfatal: Remote branch x not found in upstream origin",
                GitFailure::RefNotFound,
            ),
            ("fatal: couldn't find remote ref refs/tags/x", GitFailure::RefNotFound),
            ("fatal: destination path 'x' already exists and is not an empty directory.", GitFailure::TargetExists),
            ("fatal: something new", GitFailure::Unclassified),
        ] {
            assert_eq!(classify(text.as_bytes(), b""), kind, "{text}");
        }
        assert_eq!(
            classify(b"error: failed to push some refs", b"! [remote rejected] (pre-receive hook declined)"),
            GitFailure::AccessDenied
        );
    }
}
