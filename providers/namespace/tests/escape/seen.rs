//! What became of an attempt.

use std::fmt;
use std::str::FromStr;

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It did what it was after.
    Reached,
    /// The system refused it with this error.
    Refused(i32),
    /// It was let through and had no effect.
    Nothing,
    /// Its process was killed by this signal.
    Killed(i32),
}

/// The errors that attempts end with, and their names.
const NAMES: [(i32, &str); 26] = [
    (libc::EPERM, "EPERM"),
    (libc::ENOENT, "ENOENT"),
    (libc::ESRCH, "ESRCH"),
    (libc::EIO, "EIO"),
    (libc::EBADF, "EBADF"),
    (libc::EAGAIN, "EAGAIN"),
    (libc::EACCES, "EACCES"),
    (libc::EFAULT, "EFAULT"),
    (libc::EBUSY, "EBUSY"),
    (libc::EXDEV, "EXDEV"),
    (libc::ENODEV, "ENODEV"),
    (libc::ENOTDIR, "ENOTDIR"),
    (libc::EINVAL, "EINVAL"),
    (libc::ENOTTY, "ENOTTY"),
    (libc::ETXTBSY, "ETXTBSY"),
    (libc::ENOSPC, "ENOSPC"),
    (libc::EROFS, "EROFS"),
    (libc::ENOSYS, "ENOSYS"),
    (libc::ENXIO, "ENXIO"),
    (libc::EPROTONOSUPPORT, "EPROTONOSUPPORT"),
    (libc::ESOCKTNOSUPPORT, "ESOCKTNOSUPPORT"),
    (libc::EOPNOTSUPP, "EOPNOTSUPP"),
    (libc::EAFNOSUPPORT, "EAFNOSUPPORT"),
    (libc::ENETUNREACH, "ENETUNREACH"),
    (libc::ECONNREFUSED, "ECONNREFUSED"),
    (libc::ENOKEY, "ENOKEY"),
];

impl fmt::Display for Seen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached => out.write_str("reached"),
            Self::Nothing => out.write_str("nothing"),
            Self::Killed(signal) => write!(out, "signal {signal}"),
            Self::Refused(error) => match NAMES.iter().find(|(number, _)| number == error) {
                Some((_, name)) => out.write_str(name),
                None => write!(out, "error {error}"),
            },
        }
    }
}

impl FromStr for Seen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().map_err(|_| format!("no number: {text}"));
        match text.split_once(' ') {
            Some(("signal", signal)) => Ok(Self::Killed(number(signal)?)),
            Some(("error", error)) => Ok(Self::Refused(number(error)?)),
            _ if text == "reached" => Ok(Self::Reached),
            _ if text == "nothing" => Ok(Self::Nothing),
            _ => {
                let named = NAMES.iter().find(|(_, name)| *name == text);
                named.map(|(error, _)| Self::Refused(*error)).ok_or_else(|| format!("no outcome: {text}"))
            }
        }
    }
}

/// `Reached` when a call succeeded.
pub(crate) fn of(result: Result<i64, i32>) -> Seen {
    result.map_or_else(Seen::Refused, |_| Seen::Reached)
}

/// `Reached` also for errors that come behind the check that would refuse.
pub(crate) fn past(result: Result<i64, i32>, behind: &[i32]) -> Seen {
    match result {
        Err(error) if !behind.contains(&error) => Seen::Refused(error),
        _ => Seen::Reached,
    }
}

/// `Reached` when something was found.
pub(crate) fn found(found: bool) -> Seen {
    if found { Seen::Reached } else { Seen::Nothing }
}
