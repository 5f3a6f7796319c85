//! What the shell is told. All of it is POSIX, but for what is tried only in the shell that knows it.

use super::scanner::RS;
use crate::private::quoted;
use isobox_contract::SandboxPath;

/// The longest line that a terminal takes is 4096 bytes with its end (`termios(3)`).
const LINE: usize = 4000;

/// Which shell it is, by a variable that no other one has: for options that only that one knows.
pub(super) const PROBE: &str = "case ${BASH_VERSION-} in ?*) echo bash ;; esac; \
     case ${YASH_VERSION-} in ?*) echo yash ;; esac; case ${ZSH_VERSION-} in ?*) echo zsh ;; esac; \
     case $(readlink /proc/$$/exe 2>/dev/null) in */busybox*) echo busybox ;; esac";

/// The program and its arguments. Startup files and line editors stay out of the way.
pub(super) fn argv(shell: &[u8], kind: &str) -> Vec<Vec<u8>> {
    let flags: &[&str] = match kind {
        "bash" => &["--norc", "--noprofile", "--noediting", "-i"],
        "zsh" => &["--emulate", "sh", "-o", "norcs", "-o", "nozle", "-i"],
        "yash" => &["--noprofile", "--norcfile", "+o", "vi", "+o", "emacs", "-o", "posixlycorrect", "-i"],
        _ => &["-i"],
    };
    std::iter::once(shell.to_vec()).chain(flags.iter().map(|flag| flag.as_bytes().to_vec())).collect()
}

/// When the terminal shows what is typed. An interrupt and the line after it are typed while a script runs, and should
/// not be in its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Echo {
    /// Never.
    Off,
    /// While the shell waits for a line. The shell of busybox ends without it, at the next signal.
    BetweenScripts,
}

impl Echo {
    pub(super) fn of(kind: &str) -> Self {
        if kind == "busybox" { Echo::BetweenScripts } else { Echo::Off }
    }

    /// Switches it off for a script. `shown` when a script before has switched it on.
    fn before(self, shown: bool) -> &'static str {
        if shown || self == Echo::BetweenScripts { "stty -echo <&1 2>/dev/null; " } else { "" }
    }

    fn after(self) -> &'static str {
        if self == Echo::BetweenScripts { "stty echo <&1 2>/dev/null; " } else { "" }
    }
}

/// Variables that a starting interactive shell looks at. The first script takes them away again.
pub(super) const ENVIRONMENT: [(&str, &str); 4] =
    [("PS1", ""), ("PS2", ""), ("ENV", "/dev/null"), ("HISTFILE", "/dev/null")];

/// The first script: no prompts, no history, no job control (whose messages would be in the output), no line editing, no echo.
/// `kept` are variables that the caller has set.
pub(super) fn first(token: &str, echo: Echo, kept: impl Fn(&str) -> bool) -> Vec<u8> {
    let gone: Vec<&str> = ENVIRONMENT.iter().map(|(name, _)| *name).filter(|name| !kept(name)).collect();
    let unset = if gone.is_empty() { String::new() } else { format!("unset {}", gone.join(" ")) };
    let script = format!(
        "{unset}\n\
         case ${{BASH_VERSION-}} in ?*) set +o history +H ;; esac\n\
         case ${{KSH_VERSION-}} in ?*) set +o emacs +o vi +o gmacs ;; esac\n\
         case ${{ZSH_VERSION-}} in ?*) unsetopt promptcr promptsp ;; esac\n\
         stty {}-onlcr <&1 2>/dev/null || :\n\
         set +m\n",
        if echo == Echo::Off { "-echo " } else { "" },
    );
    [script.into_bytes(), end(token, 'e', echo).into_bytes(), b"\n".to_vec()].concat()
}

/// What runs the script in `path`: a mark, the script with `status` as its first `$?`, a mark. It is one command, so that nothing
/// of it is read once the script has changed how the shell reads.
///
/// The script's three streams are new ones, so that it cannot take the shell's own away, and it has no input: what is
/// typed ahead is not its to read. `shown` when the terminal shows what is typed.
pub(super) fn around(token: &str, path: &SandboxPath, status: i32, echo: Echo, shown: bool) -> Vec<u8> {
    let rs = char::from(RS);
    let before = match status {
        0 => String::new(),
        status => format!("(exit {}) || ", status & 0xff),
    };
    [
        format!("{{ {}\\echo '{rs}{token}b{rs}'; {before}\\. ", echo.before(shown)).into_bytes(),
        quoted(path.as_bytes()),
        format!(" </dev/null >&2 2>&1; {} }}\n", end(token, 'e', echo)).into_bytes(),
    ]
    .concat()
}

/// What tells that the shell has given a script up.
pub(super) fn abandoned(token: &str, echo: Echo) -> Vec<u8> {
    format!("{}\n", end(token, 'f', echo)).into_bytes()
}

/// Prints the mark of the end and makes the shell quiet again, whatever the script has set.
fn end(token: &str, kind: char, echo: Echo) -> String {
    let rs = char::from(RS);
    format!("{{ \\echo \"{rs}{token}{kind}:$?:$-{rs}\"; \\set +xv; {}PS1= PS2=; }} 2>/dev/null;", echo.after())
}

/// The line that has the shell read a file; only what every line editor leaves alone is in it. None when the path is too
/// long for a terminal, or has characters that a terminal acts on.
pub(super) fn line(path: &SandboxPath) -> Option<Vec<u8>> {
    let line = [b" \\. ".to_vec(), quoted(path.as_bytes()), b"\n".to_vec()].concat();
    let plain = path.as_bytes().iter().all(|byte| *byte >= b' ' && *byte != 0x7f);
    (plain && line.len() <= LINE).then_some(line)
}

/// A script with the tracing that an earlier one has asked for; it is off between scripts.
pub(super) fn traced(script: &[u8], options: &str) -> Vec<u8> {
    let flags: String = options.chars().filter(|option| matches!(option, 'x' | 'v')).collect();
    if flags.is_empty() { script.to_vec() } else { [format!("set -{flags}; ").as_bytes(), script].concat() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_typed_as_it_is_or_not_at_all() {
        let typed = |path: &str| line(&path.into());
        assert_eq!(typed("/a b/$c'd").unwrap(), b" \\. '/a b/$c'\\''d'\n");
        assert_eq!(typed("/a\nb"), None);
        assert_eq!(typed("/a\x03b"), None);
        assert_eq!(typed(&"x".repeat(5000)), None);
    }
}
